//! Creates a journal with past withdrawals for tests. It uses the same code as the app.

use std::path::{Path, PathBuf};
use std::time::Duration;

use balcao::journal::history::History;
use balcao::journal::money::{Files, MoneyJournal, ReadOnlyJournal};
use balcao::runtime::marker::{self, MarkerEntry, MarkerFile};
use balcao::trade::withdrawal::{Decision, Window};
use balcao::trade::{
    Account, Agreement, Clocks, IdempotencyKey, LinkOutcome, LinkRequest, Money, Origin, PixKey,
    PixKeyKind, Wall,
};
use uuid::Uuid;

use super::place::TestHome;

/// Noon on 1 March 2026 in São Paulo.
pub const MARCH_NOON: Wall = Wall(1_772_377_200_000);

/// The app's default limits for sending a withdrawal again.
pub const WINDOW: Window = Window {
    retention: Duration::from_secs(600),
    deadline: Duration::from_secs(30),
    resend_after: Duration::from_secs(30),
};

/// The CPF (tax id) of the recipient of the discarded withdrawal in [`create_sample_journal`].
pub const DISCARDED_CPF: &str = "11144477735";

/// The CPF (tax id) of the recipient of the open withdrawal in [`create_sample_journal`].
pub const OPEN_CPF: &str = "52998224725";

/// Returns clocks that show the time `seconds` after noon on 1 March 2026.
pub fn clocks(seconds: i64) -> Clocks {
    let boot_ms = seconds.unsigned_abs() * 1_000;
    Clocks {
        wall: Wall(MARCH_NOON.0 + seconds * 1_000),
        boot_ms,
        boot_id: "boot".into(),
    }
}

pub fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(Uuid::from_u128(n))
}

/// Returns the terms of withdrawal number `n`, which pays `reais` to the Pix key `cpf`.
pub fn agreement(n: u128, reais: i64, cpf: &str) -> Agreement {
    let origin = Origin("https://pay.example".into());
    let amount = Money::from_centavos(reais * 100);
    Agreement {
        key: key(n),
        account: Account {
            origin,
            identity: "ana".into(),
        },
        profile: "loja".into(),
        method: "POST".into(),
        url: "https://pay.example/withdrawals".into(),
        key_header: key(n).to_string().into(),
        key_header_name: "Idempotency-Key".into(),
        untyped: vec![],
        body: format!(r#"{{"amount":{},"pixKey":"{cpf}"}}"#, amount.wire()).into(),
        amount,
        destination: Some(PixKey::parse(PixKeyKind::Cpf, cpf).expect("a CPF")),
        quote: None,
        agreed: clocks(0),
    }
}

/// Creates the sample journal of [`create_sample_journal`] as the live journal of this machine, and
/// returns its directory.
pub fn create_live_journal(home: &TestHome) -> PathBuf {
    make_live(home, &create_sample_journal(&home.home_dir()))
}

/// Makes a journal the live one of this machine. Returns its new directory.
pub fn make_live(home: &TestHome, journal: &Path) -> PathBuf {
    let dir = home.state_dir().join("journal");
    std::fs::rename(journal, &dir).expect("a journal");
    let files = Files::new(&dir);
    let event = ReadOnlyJournal::open(&files)
        .expect("a journal")
        .journal
        .last_event();
    let journal = dir.canonicalize().expect("a directory");
    let marker = MarkerFile::new(&home.config_dir(), &marker::machine_id());
    files.record_machine(marker.machine()).expect("a file");
    marker
        .put(&MarkerEntry { journal, event })
        .expect("a marker");
    dir
}

/// Creates a journal in a directory below `home`, and returns the directory's path.
///
/// The journal has four events: one withdrawal was prepared and discarded, another was prepared and
/// is being sent. The history has two payment links, from March and from 200 days later.
pub fn create_sample_journal(home: &Path) -> PathBuf {
    let dir = home.join("loja");
    let mut journal = MoneyJournal::open(Files::new(&dir), false).expect("a journal");
    journal
        .prepare(agreement(1, 100, DISCARDED_CPF), None)
        .expect("prepared");
    journal
        .decide(key(1), Decision::Discarded, &clocks(1), &WINDOW)
        .expect("discarded");
    journal
        .prepare(agreement(2, 200, OPEN_CPF), None)
        .expect("prepared");
    let lock = journal.lock(key(2)).expect("the lock");
    // Drop the attempt without recording a result, as if the app had crashed while sending.
    drop(
        journal
            .begin(lock, key(2), None, &clocks(2), &WINDOW)
            .expect("begun"),
    );
    let (mut history, _) = History::open(&dir, MARCH_NOON).expect("a history");
    for (n, time) in [MARCH_NOON, Wall(MARCH_NOON.0 + 200 * 86_400_000)]
        .into_iter()
        .enumerate()
    {
        let request = LinkRequest {
            account: agreement(1, 1, DISCARDED_CPF).account,
            amount: Money::from_centavos(100),
            description: format!("Serviço número {n} para {DISCARDED_CPF}"),
            domain: None,
        };
        let id = history.begin(&request, time).expect("a row");
        history
            .settle::<LinkRequest>(id, &LinkOutcome::NotSent)
            .expect("settled");
    }
    dir
}
