//! Kills the real app with SIGKILL after the key press that confirms a withdrawal, and checks that
//! the withdrawal is paid once.
//!
//! In a quarter of the runs, the app is killed at one of [`STOPS`], where it has to wait. In the
//! other runs, it is killed at a pseudo-random time, so only the files show how far it got. After a
//! restart, the app must show the open withdrawal, and send it only after a key press.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use balcao::journal::LockGuard;
use balcao::sandbox::Fault;

use crate::chance::Random;
use crate::effort::{Effort, say, seed};
use crate::reopened::Late;
use crate::scene::{Scene, runs};
use crate::support::gate::Hold;

/// The longest expected time from the key press until the screen shows the outcome, if the bank
/// replies at once.
const WHOLE_WAY_MS: u64 = 60;

/// The delays of the bank's reply, in milliseconds. Even on a busy machine, the app's own work
/// takes less time than the longest delay.
const BANK_MS: [u64; 3] = [0, 30, 1_000];

/// A point at which the app has to wait. The test can kill the app exactly there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The seller has pressed the key, but another process has locked the journal.
    BeforeTheRecord,
    /// The withdrawal is on disk, but another process has locked the account.
    BeforeTheAttempt,
    /// The withdrawal was sent, but the test proxy holds back the request or the reply.
    At(Hold),
    /// The screen shows the outcome.
    AtTheOutcome,
}

const STOPS: [Stop; 6] = [
    Stop::BeforeTheRecord,
    Stop::BeforeTheAttempt,
    Stop::At(Hold::Request),
    Stop::At(Hold::Reply),
    Stop::At(Hold::HalfReply),
    Stop::AtTheOutcome,
];

/// The start of the name under which kills at a random time are counted. The state that the kill
/// left on disk follows it.
const INSTANT: &str = "at an instant that left ";

#[derive(Debug)]
enum Plan {
    Stopped(Stop, Late),
    Instant { after: Duration, bank: Duration },
}

impl Plan {
    fn of(number: usize) -> Plan {
        let mut chance = Random::of(number as u64);
        if number.is_multiple_of(4) {
            return Plan::Stopped(STOPS[number / 4 % STOPS.len()], chance.one_of(&Late::ALL));
        }
        let bank = chance.one_of(&BANK_MS);
        let after = Duration::from_micros(chance.below((WHOLE_WAY_MS + bank) * 1_000));
        Plan::Instant { after, bank: Duration::from_millis(bank) }
    }
}

/// The number of kills by name: the stop of the kill or, for kills at a random time, the state left
/// on disk.
type Tally = Mutex<BTreeMap<String, usize>>;

#[test]
fn kill_at_any_instant_pays_at_most_once() {
    let numbers: Vec<usize> = match (seed(), Effort::wanted()) {
        (Some(number), _) => vec![number as usize],
        (None, Effort::Long) => (0..300).collect(),
        // For each stop, kill an app at this stop once, and at a random time once.
        (None, Effort::Small | Effort::Usual) => {
            (0..STOPS.len()).flat_map(|n| [4 * n, 4 * n + 1]).collect()
        }
    };
    let tally = Tally::default();
    runs(&numbers, |number| format!("{:?}", Plan::of(number)), |number| run(number, &tally));
    let tally = tally.into_inner().expect("nobody panicked");
    say(&format!("{} kills: {tally:?}", numbers.len()));
    assert_eq!(tally.values().sum::<usize>(), numbers.len());
    if seed().is_some() {
        return;
    }
    for stop in STOPS {
        assert!(tally.contains_key(&format!("{stop:?}")), "nobody died {stop:?}: {tally:?}");
    }
    // In a long run of this test, kills at random times must leave different states on disk.
    let at_instants: Vec<_> = tally.keys().filter(|key| key.starts_with(INSTANT)).collect();
    let in_flight = tally.contains_key(&format!("{INSTANT}unknown"));
    let few = Effort::wanted() != Effort::Long;
    assert!(few || (in_flight && at_instants.len() > 1), "{tally:?}");
}

fn run(number: usize, tally: &Tally) {
    let mut scene = Scene::open(None, (80, 24));
    scene.review();
    let plan = Plan::of(number);
    let late = match plan {
        Plan::Stopped(stop, late) => {
            let _held = reach(&mut scene, stop);
            kill(&scene);
            matches!(stop, Stop::At(_)).then_some(late)
        }
        Plan::Instant { after, bank } => {
            scene.bank.next_withdrawal(Fault::Delay(bank));
            scene.confirm();
            scene.tui.look_on(after);
            kill(&scene);
            None
        }
    };
    if let Some(late) = late.filter(|late| *late != Late::AfterTheResend) {
        scene.deliver(late);
    }
    let left = scene.left();
    let state = left.as_ref().map(|left| left.state.clone());
    let place = match plan {
        Plan::Stopped(stop, _) => {
            assert_eq!(state.as_deref(), on_disk(stop));
            format!("{stop:?}")
        }
        Plan::Instant { .. } => format!("{INSTANT}{}", state.as_deref().unwrap_or("nothing")),
    };
    scene.come_back(left.as_ref());
    if late == Some(Late::AfterTheResend) {
        scene.deliver(Late::AfterTheResend);
    }
    scene.is_paid_once_or_never();
    *tally.lock().expect("nobody panicked").entry(place).or_default() += 1;
}

fn kill(scene: &Scene) {
    assert!(!scene.tui.has_ended(), "gone before it was killed:\n{}", scene.tui.text());
    scene.tui.kill();
    let status = scene.tui.wait_exit();
    assert!(status.signal().is_some(), "not killed: {status:?}");
    // Data sent before the kill may still be on its way to the bank, so wait until it has arrived.
    scene.gate.come_to_rest();
}

fn reach(scene: &mut Scene, stop: Stop) -> Option<LockGuard> {
    match stop {
        Stop::BeforeTheRecord => {
            let held = scene.hold_journal();
            scene.confirm_until("Gravando o saque de R$ 100,00");
            Some(held)
        }
        Stop::BeforeTheAttempt => {
            let held = scene.hold_account();
            scene.confirm_until("PREPARADO");
            Some(held)
        }
        Stop::At(hold) => {
            scene.gate.hold(hold);
            scene.confirm_until("Enviando o saque de R$ 100,00");
            scene.gate.wait_held();
            None
        }
        Stop::AtTheOutcome => {
            scene.confirm_until("ACEITO PELO SERVIÇO");
            None
        }
    }
}

/// Returns the state that the withdrawal must have on disk after a kill at this stop.
fn on_disk(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::BeforeTheRecord => None,
        Stop::BeforeTheAttempt => Some("prepared"),
        Stop::At(_) => Some("unknown"),
        Stop::AtTheOutcome => Some("accepted"),
    }
}
