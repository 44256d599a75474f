//! Terminal death: whatever ends the program, wherever it is, no money is forgotten or doubled.
//!
//! Every run is the real program in a pseudo-terminal, driven by keys to one of [`POINTS`], where
//! one of [`EVENTS`] happens to it. It must be gone in 3 s, or, where it was asked to end and the
//! terminal lives, when the reply is there; with its terminal gone it must not spin. What was
//! confirmed must be on disk. Started again it shows what is open first, sends nothing by itself,
//! and what is sent again by order is paid once.

mod events;
mod points;

use self::events::{EVENTS, Event};
use self::points::{POINTS, Point};
use crate::chance::Chance;
use crate::effort::{Effort, say, seed};
use crate::reopened::Late;
use crate::scene::{Scene, runs};

/// Wide and narrow, high and low.
const SIZES: [(u16, u16); 3] = [(80, 24), (100, 30), (132, 43)];

/// Every event at every point, once.
const ROUND: usize = POINTS.len() * EVENTS.len();

/// A run of each event, at points that differ, most of them with money on its way.
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

/// One run.
#[derive(Debug)]
struct Plan {
    event: Event,
    point: &'static Point,
    size: (u16, u16),
    late: Late,
}

impl Plan {
    /// The number says event and point; further rounds differ in size and in what comes late.
    fn of(number: usize) -> Plan {
        let mut chance = Chance::of(number as u64);
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
