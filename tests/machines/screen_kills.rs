//! Kills the real app with SIGKILL after the key press that confirms a withdrawal, and checks that
//! the withdrawal is paid once.
//!
//! In a quarter of the runs, the app is killed at one of [`STOPS`], where it has to wait. In the
//! other runs, it is killed at a pseudo-random time, so only the files show how far it got. After a
//! restart, the app must show the unfinished withdrawal, and send it only after a key press.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use balcao::journal::LockGuard;
use balcao::sandbox::Fault;

use crate::chance::Random;
use crate::effort::{Effort, print_line, seed_from_env};
use crate::reopened::LateRequest;
use crate::scene::{Scene, run_all};
use crate::support::gate::PausePoint;

/// The longest expected time from the key press until the screen shows the outcome, if the bank
/// replies at once.
const MAX_CONFIRM_MS: u64 = 60;

/// The delays of the bank's reply, in milliseconds. Even on a busy machine, the app's own work
/// takes less time than the longest delay.
const BANK_DELAYS_MS: [u64; 3] = [0, 30, 1_000];

/// A point at which the app has to wait. The test can kill the app exactly there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The seller has pressed the key, but another process has locked the journal.
    BeforeTheRecord,
    /// The withdrawal is on disk, but another process has locked the account.
    BeforeTheAttempt,
    /// The withdrawal was sent, but the test proxy holds back the request or the reply.
    AtGate(PausePoint),
    /// The screen shows the outcome.
    AtTheOutcome,
}

const STOPS: [Stop; 6] = [
    Stop::BeforeTheRecord,
    Stop::BeforeTheAttempt,
    Stop::AtGate(PausePoint::Request),
    Stop::AtGate(PausePoint::Reply),
    Stop::AtGate(PausePoint::HalfReply),
    Stop::AtTheOutcome,
];

/// The beginning of a kill's name in [`Tally`] if the kill was at a random time. The name ends with
/// the withdrawal's state on disk, such as `unknown`.
const RANDOM_TIME_PREFIX: &str = "at an instant that left ";

#[derive(Debug)]
enum Plan {
    Stopped(Stop, LateRequest),
    RandomTime {
        after: Duration,
        bank_delay: Duration,
    },
}

impl Plan {
    fn of(number: usize) -> Plan {
        let mut random = Random::from_seed(number as u64);
        if number.is_multiple_of(4) {
            return Plan::Stopped(
                STOPS[number / 4 % STOPS.len()],
                random.one_of(&LateRequest::ALL),
            );
        }
        let bank_ms = random.one_of(&BANK_DELAYS_MS);
        let after = Duration::from_micros(random.below((MAX_CONFIRM_MS + bank_ms) * 1_000));
        Plan::RandomTime {
            after,
            bank_delay: Duration::from_millis(bank_ms),
        }
    }
}

/// The number of kills for each name. A name is a [`Stop`], or begins with [`RANDOM_TIME_PREFIX`].
type Tally = Mutex<BTreeMap<String, usize>>;

#[test]
fn kill_at_any_instant_pays_at_most_once() {
    let numbers: Vec<usize> = match (seed_from_env(), Effort::from_env()) {
        (Some(number), _) => vec![number as usize],
        (None, Effort::Long) => (0..300).collect(),
        // Kill the app once at each stop, and equally often at a random time.
        (None, Effort::Small | Effort::Usual) => {
            (0..STOPS.len()).flat_map(|n| [4 * n, 4 * n + 1]).collect()
        }
    };
    let tally = Tally::default();
    run_all(
        &numbers,
        |number| format!("{:?}", Plan::of(number)),
        |number| run(number, &tally),
    );
    let tally = tally.into_inner().expect("nobody panicked");
    print_line(&format!("{} kills: {tally:?}", numbers.len()));
    assert_eq!(tally.values().sum::<usize>(), numbers.len());
    if seed_from_env().is_some() {
        return;
    }
    for stop in STOPS {
        assert!(
            tally.contains_key(&format!("{stop:?}")),
            "nobody died {stop:?}: {tally:?}"
        );
    }
    // In a long run of this test, kills at random times must leave different states on disk.
    let random_time_names: Vec<_> = tally
        .keys()
        .filter(|key| key.starts_with(RANDOM_TIME_PREFIX))
        .collect();
    let in_flight = tally.contains_key(&format!("{RANDOM_TIME_PREFIX}unknown"));
    let is_short_run = Effort::from_env() != Effort::Long;
    assert!(
        is_short_run || (in_flight && random_time_names.len() > 1),
        "{tally:?}"
    );
}

fn run(number: usize, tally: &Tally) {
    let mut scene = Scene::open(None, (80, 24));
    scene.open_review();
    let plan = Plan::of(number);
    let late_request = match plan {
        Plan::Stopped(stop, late_request) => {
            let _lock = reach(&mut scene, stop);
            kill(&scene);
            matches!(stop, Stop::AtGate(_)).then_some(late_request)
        }
        Plan::RandomTime { after, bank_delay } => {
            scene.bank.inject_withdrawal_fault(Fault::Delay(bank_delay));
            scene.confirm();
            scene.tui.run_for(after);
            kill(&scene);
            None
        }
    };
    if let Some(late_request) =
        late_request.filter(|late_request| *late_request != LateRequest::AfterTheResend)
    {
        scene.release_late_request(late_request);
    }
    let stored = scene.stored_withdrawal();
    let state = stored.as_ref().map(|stored| stored.state.clone());
    let name = match plan {
        Plan::Stopped(stop, _) => {
            assert_eq!(state.as_deref(), on_disk(stop));
            format!("{stop:?}")
        }
        Plan::RandomTime { .. } => {
            format!(
                "{RANDOM_TIME_PREFIX}{}",
                state.as_deref().unwrap_or("nothing")
            )
        }
    };
    scene.restart_and_finish(stored.as_ref());
    if late_request == Some(LateRequest::AfterTheResend) {
        scene.release_late_request(LateRequest::AfterTheResend);
    }
    scene.assert_paid_at_most_once();
    *tally
        .lock()
        .expect("nobody panicked")
        .entry(name)
        .or_default() += 1;
}

fn kill(scene: &Scene) {
    assert!(
        !scene.tui.has_exited(),
        "gone before it was killed:\n{}",
        scene.tui.text()
    );
    scene.tui.kill();
    let status = scene.tui.wait_exit();
    assert!(status.signal().is_some(), "not killed: {status:?}");
    // Data sent before the kill may still be on its way to the bank, so wait until it has arrived.
    scene.gate.wait_until_idle();
}

fn reach(scene: &mut Scene, stop: Stop) -> Option<LockGuard> {
    match stop {
        Stop::BeforeTheRecord => {
            let lock = scene.lock_journal();
            scene.confirm_until("Gravando o saque de R$ 100,00");
            Some(lock)
        }
        Stop::BeforeTheAttempt => {
            let lock = scene.lock_account();
            scene.confirm_until("PREPARADO");
            Some(lock)
        }
        Stop::AtGate(hold) => {
            scene.gate.pause_next(hold);
            scene.confirm_until("Enviando o saque de R$ 100,00");
            scene.gate.wait_until_paused();
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
        Stop::AtGate(_) => Some("unknown"),
        Stop::AtTheOutcome => Some("accepted"),
    }
}
