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
use crate::effort::{Effort, say, seed};
use crate::reopened::Late;
use crate::scene::{Scene, runs};

/// The terminal sizes to test, in columns and rows.
const SIZES: [(u16, u16); 3] = [(80, 24), (100, 30), (132, 43)];

/// The number of runs that test each event once at each point.
const ROUND: usize = POINTS.len() * EVENTS.len();

/// The numbers of the runs in a plain `cargo test`. Each event happens in one of them, mostly while
/// a withdrawal is in flight.
const FEW: [usize; EVENTS.len()] = [18, 44, 69, 95, 120, 142, 155, 193];

#[test]
fn any_ending_loses_nothing_and_pays_nothing_twice() {
    let numbers: Vec<usize> = match (seed(), Effort::wanted()) {
        (Some(number), _) => vec![number as usize],
        (None, Effort::Long) => (0..10 * ROUND).collect(),
        (None, Effort::Small | Effort::Usual) => FEW.to_vec(),
    };
    runs(&numbers, |number| format!("{:?}", Plan::of(number)), |number| run(&Plan::of(number)));
    let (events, points) = (EVENTS.len(), POINTS.len());
    say(&format!("{} endings: {events} events at {points} points", numbers.len()));
}

#[derive(Debug)]
struct Plan {
    event: Event,
    point: &'static Point,
    size: (u16, u16),
    late: Late,
}

impl Plan {
    /// Creates the plan of a run. The run's number selects the event and the point, and seeds a
    /// random choice of everything else.
    fn of(number: usize) -> Plan {
        let mut chance = Random::of(number as u64);
        Plan {
            event: EVENTS[number / POINTS.len() % EVENTS.len()],
            point: &POINTS[number % POINTS.len()],
            size: chance.one_of(&SIZES),
            late: chance.one_of(&Late::ALL),
        }
    }
}

fn run(plan: &Plan) {
    let Plan { event, point, late, .. } = plan;
    let mut scene = Scene::open(event.script(), plan.size);
    let held = (point.reach)(&mut scene);
    event.happen(&mut scene, point.leaves);
    drop(held);
    scene.gate.come_to_rest();
    let stands_still = point.leaves.is_in_flight() && !event.waits(point.leaves);
    if stands_still && *late != Late::AfterTheResend {
        scene.deliver(*late);
    }
    let left = scene.left();
    let state = left.as_ref().map(|left| left.state.as_str());
    assert_eq!(state, point.leaves.on_disk(event.waits(point.leaves)));
    scene.come_back(left.as_ref());
    if stands_still && *late == Late::AfterTheResend {
        scene.deliver(*late);
    }
    scene.is_paid_once_or_never();
}
