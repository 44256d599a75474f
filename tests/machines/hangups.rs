//! Ends the app in every way a terminal can, on every screen, and checks that no money is lost or
//! paid twice.
//!
//! Each run starts the real app in a pseudo-terminal and presses keys until it reaches one of
//! [`POINTS`]. Then one of [`EVENTS`] happens, such as a closed window or SIGTERM. The app must
//! exit within 3 seconds, and must not spin in a busy loop if its terminal is gone. It may wait
//! longer only after SIGTERM, for the reply to a withdrawal.
//!
//! Every confirmed withdrawal must be on disk. After a restart, the app shows unfinished
//! withdrawals first and sends nothing by itself. If the seller sends a withdrawal again, it must
//! not be paid twice.

mod events;
mod points;

use self::events::{EVENTS, Event};
use self::points::{POINTS, Point};
use crate::chance::Random;
use crate::effort::{Effort, print_line, seed_from_env};
use crate::reopened::LateRequest;
use crate::scene::{Scene, run_all};

/// The terminal sizes to test, in columns and rows.
const SIZES: [(u16, u16); 3] = [(80, 24), (100, 30), (132, 43)];

/// The number of runs that test each event once at each point.
const RUNS_PER_ROUND: usize = POINTS.len() * EVENTS.len();

/// The numbers of the runs to do, unless a long test was requested. Each event happens in one of
/// them, mostly while a withdrawal is in flight.
const SMALL_RUN: [usize; EVENTS.len()] = [18, 44, 69, 95, 120, 142, 155, 193];

#[test]
fn any_ending_loses_nothing_and_pays_nothing_twice() {
    let numbers: Vec<usize> = match (seed_from_env(), Effort::from_env()) {
        (Some(number), _) => vec![number as usize],
        (None, Effort::Long) => (0..10 * RUNS_PER_ROUND).collect(),
        (None, Effort::Small | Effort::Usual) => SMALL_RUN.to_vec(),
    };
    run_all(
        &numbers,
        |number| format!("{:?}", Plan::of(number)),
        |number| run(&Plan::of(number)),
    );
    let events = EVENTS.len();
    let points = POINTS.len();
    print_line(&format!(
        "{} endings: {events} events at {points} points",
        numbers.len()
    ));
}

#[derive(Debug)]
struct Plan {
    event: Event,
    point: &'static Point,
    size: (u16, u16),
    late_request: LateRequest,
}

impl Plan {
    /// Creates the plan of a run. The run's number selects the event and the point, and seeds a
    /// random choice of everything else.
    fn of(number: usize) -> Plan {
        let mut random = Random::from_seed(number as u64);
        Plan {
            event: EVENTS[number / POINTS.len() % EVENTS.len()],
            point: &POINTS[number % POINTS.len()],
            size: random.one_of(&SIZES),
            late_request: random.one_of(&LateRequest::ALL),
        }
    }
}

fn run(plan: &Plan) {
    let Plan {
        event,
        point,
        late_request,
        ..
    } = plan;
    let mut scene = Scene::open(event.script(), plan.size);
    let lock = (point.reach)(&mut scene);
    event.trigger(&mut scene, point.withdrawal);
    drop(lock);
    scene.gate.wait_until_idle();
    let is_held_back = point.withdrawal.is_in_flight() && !event.may_wait(point.withdrawal);
    if is_held_back && *late_request != LateRequest::AfterTheResend {
        scene.release_late_request(*late_request);
    }
    let stored = scene.stored_withdrawal();
    let state = stored.as_ref().map(|stored| stored.state.as_str());
    assert_eq!(
        state,
        point.withdrawal.on_disk(event.may_wait(point.withdrawal))
    );
    scene.restart_and_finish(stored.as_ref());
    if is_held_back && *late_request == LateRequest::AfterTheResend {
        scene.release_late_request(*late_request);
    }
    scene.assert_paid_at_most_once();
}
