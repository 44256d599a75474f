//! Journals that mirror the log of a server.

mod approvals;

use std::sync::atomic::Ordering;

use balcao::journal::money::{Files, MoneyJournal, TAKEOVER_WAIT};
use balcao::trade::withdrawal::{Blocker, NotDone, Window};
use balcao::trade::{
    Account, Agreement, Clocks, JournalTrouble, Money, Origin, PixKey, PixKeyKind,
};

use super::*;

const WINDOW: Window = Window {
    retention: Duration::from_secs(600),
    deadline: Duration::from_secs(30),
    resend_after: Duration::from_secs(30),
};

fn now(boot_id: &str) -> Clocks {
    Clocks {
        wall: Wall(1_772_377_200_000),
        boot_ms: 1_000,
        boot_id: boot_id.into(),
    }
}

/// An agreement that the seller confirmed on a machine with this boot id.
fn agreement(n: u128, reais: i64, boot_id: &str) -> Agreement {
    let key = IdempotencyKey(Uuid::from_u128(n));
    let amount = Money::from_centavos(reais * 100);
    Agreement {
        key,
        account: Account {
            origin: Origin("https://pay.example".into()),
            identity: "loja".into(),
        },
        profile: "loja".into(),
        method: "POST".into(),
        url: "https://pay.example/withdrawals".into(),
        key_header: key.to_string().into(),
        key_header_name: "Idempotency-Key".into(),
        untyped: vec![],
        body: format!(r#"{{"amount":{}}}"#, amount.wire()).into(),
        amount,
        destination: Some(PixKey::parse(PixKeyKind::Cpf, "52998224725").unwrap()),
        quote: None,
        agreed: now(boot_id),
    }
}

/// The journal of a machine, in a directory of its own.
struct Mirror {
    journal: MoneyJournal,
    _dir: tempfile::TempDir,
}

impl Mirror {
    fn of(machine: &Machine) -> Mirror {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let files = Files::new(&path);
        let id = machine.connection.team().expect("a connection");
        MoneyJournal::become_mirror(&files, id).unwrap();
        let mut journal = MoneyJournal::open(files, false).unwrap();
        let boot_clock = Box::new(|| Duration::from_secs(1));
        journal.attach_log(machine.connection.log(), boot_clock, TAKEOVER_WAIT);
        Mirror { journal, _dir: dir }
    }
}

#[test]
fn second_operator_is_told_about_the_first() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let ana = team.connect("ana").online();
    let bia = team.connect("bia").online();
    let [mut of_ana, mut of_bia] = [&ana, &bia].map(Mirror::of);
    of_ana
        .journal
        .prepare(agreement(1, 100, "ana"), None)
        .unwrap();
    // Bia's mirror does not have the event yet. The log refuses hers, so it pulls.
    let second = of_bia.journal.prepare(agreement(2, 100, "bia"), None);
    let Err(NotDone::Blocked(Blocker::Clash(clash))) = second else {
        panic!("{second:?}");
    };
    assert_eq!(clash.other.agreement.key, agreement(1, 100, "ana").key);
    assert_eq!(team.events(), "1|prepared|ana");
}

#[test]
fn begin_in_doubt_ends_as_not_sent() {
    if !has_postgres() {
        return;
    }
    for lost in [Relaying::CutAtAnswer, Relaying::CutAtRequest] {
        let team = Team::new();
        let relay = Relay::open(team.server.port());
        let ana = Machine::open(team.access_at("ana", relay.port())).online();
        let mut mirror = Mirror::of(&ana);
        let journal = &mut mirror.journal;
        let key = agreement(1, 100, "ana").key;
        journal.prepare(agreement(1, 100, "ana"), None).unwrap();
        let liveness = ana.log.liveness();
        let lock = journal.lock(key).unwrap();
        relay.set(lost);
        let begun = journal.begin(lock, key, None, &now("ana"), &WINDOW);
        let Err(NotDone::Journal(JournalTrouble::Doubt(_))) = begun else {
            panic!("{begun:?}");
        };
        assert!(!liveness.load(Ordering::SeqCst));
        let ana = ana.online();
        mirror
            .journal
            .prepare(agreement(2, 200, "ana"), None)
            .unwrap();
        let events = "SELECT kind, number, written_by FROM balcao.event ORDER BY n";
        assert_eq!(
            team.sql(ADMIN, events).unwrap().replace('\n', " "),
            "prepared|0|ana attempt_began|1|ana settled|1|ana prepared|0|ana"
        );
        drop(ana);
    }
}
