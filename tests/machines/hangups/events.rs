//! The events that end the program, and checks that the program exits properly.

use std::time::Duration;

use rustix::process::Signal;

use super::points::Leaves;
use crate::scene::Scene;
use crate::support::gate::Next;
use crate::support::pty::Tui;

/// The time limit for the program to exit, unless a withdrawal is in flight and the terminal still
/// works.
const GONE: Duration = Duration::from_secs(3);

/// The maximum number of CPU ticks (usually 10 ms each) that the program may use for exiting. A
/// busy loop would use 200.
const TICKS: u64 = 25;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The program gets SIGHUP, but the terminal stays open.
    HangUpSignal,
    /// The terminal's window is closed.
    Closed,
    /// The terminal's window is closed. The program was started with SIGHUP ignored, as under
    /// `nohup`.
    ClosedIgnored,
    /// The program gets SIGTERM.
    Asked,
    /// The program gets SIGTERM, and the terminal's window is closed immediately afterwards.
    AskedAndClosed,
    /// The program gets SIGINT twice.
    AskedTwice,
    /// The program gets SIGKILL, which resembles a power cut.
    Killed,
    /// The program is stopped with SIGSTOP, then the window is closed, then the program continues
    /// with SIGCONT.
    ClosedAsleep,
}

pub const EVENTS: [Event; 8] = [
    Event::HangUpSignal,
    Event::Closed,
    Event::ClosedIgnored,
    Event::Asked,
    Event::AskedAndClosed,
    Event::AskedTwice,
    Event::Killed,
    Event::ClosedAsleep,
];

impl Event {
    /// Returns the shell script that starts the program for this event, or `None` if the test
    /// starts the program directly.
    pub fn script(self) -> Option<&'static str> {
        (self == Event::ClosedIgnored).then_some("trap '' HUP; exec \"$0\" \"$@\"")
    }

    /// Returns true if the program may delay its exit until the bank has replied to the withdrawal
    /// in flight.
    pub fn waits(self, leaves: Leaves) -> bool {
        self == Event::Asked && leaves == Leaves::InFlight
    }

    /// Triggers the event and checks that the program exits.
    #[track_caller]
    pub fn happen(self, scene: &mut Scene, leaves: Leaves) {
        let tui = &mut scene.tui;
        // Read the CPU time before the event, so that the program's first reaction is included.
        let before = tui.ticks();
        match self {
            Event::HangUpSignal => {
                tui.signal(Signal::HUP);
                leaves_the_terminal(tui);
            }
            Event::Closed | Event::ClosedIgnored => {
                tui.hang_up();
                goes_quietly(tui, before);
            }
            Event::Asked => {
                tui.signal(Signal::TERM);
                if self.waits(leaves) {
                    tui.wait_for("esperando a resposta");
                    scene.gate.release(Next::Goes);
                }
                leaves_the_terminal(tui);
            }
            Event::AskedAndClosed => {
                tui.signal(Signal::TERM);
                tui.hang_up();
                goes_quietly(tui, before);
            }
            Event::AskedTwice => {
                tui.signal(Signal::INT);
                if leaves == Leaves::InFlight {
                    // Wait until the first signal is handled: two pending signals of the same kind
                    // would be merged.
                    tui.wait_for("esperando a resposta");
                }
                tui.signal(Signal::INT);
                leaves_the_terminal(tui);
            }
            Event::Killed => {
                tui.kill();
                tui.wait_exit_within(GONE);
            }
            Event::ClosedAsleep => {
                tui.signal(Signal::STOP);
                tui.wait_stopped();
                tui.hang_up();
                tui.signal(Signal::CONT);
                goes_quietly(tui, before);
            }
        }
    }
}

/// Checks that the program exits within the time limit and restores the terminal.
#[track_caller]
fn leaves_the_terminal(tui: &Tui) {
    let status = tui.wait_exit_within(GONE);
    assert_ne!(status.exit_code(), 101, "a panic:\n{}", tui.text());
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
}

/// Checks that the program exits within the time limit and without a busy loop after its terminal
/// has disappeared.
#[track_caller]
fn goes_quietly(tui: &Tui, before: Option<u64>) {
    let ticks = tui.ticks_until_exit(before, GONE);
    assert!(ticks < TICKS, "{ticks} ticks with its terminal gone");
    assert_ne!(tui.wait_exit().exit_code(), 101, "a panic, though nobody sees it");
}
