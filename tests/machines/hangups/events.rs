//! The events that end the app, such as a closed window, and the checks that it exits properly.

use std::time::Duration;

use rustix::process::Signal;

use super::points::Leaves;
use crate::scene::Scene;
use crate::support::gate::Next;
use crate::support::pty::Tui;

/// The time limit for the app's exit, except while it may wait for a withdrawal's reply.
const GONE: Duration = Duration::from_secs(3);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The app receives SIGHUP, but its terminal stays open.
    HangUpSignal,
    /// The terminal's window is closed.
    Closed,
    /// The terminal's window is closed, but the app ignores SIGHUP, as under `nohup`.
    ClosedIgnored,
    /// The program gets SIGTERM.
    Asked,
    /// The program gets SIGTERM, and immediately afterwards the terminal's window is closed.
    AskedAndClosed,
    /// The program gets SIGINT twice.
    AskedTwice,
    /// The program gets SIGKILL, which resembles a power cut.
    Killed,
    /// The app is stopped with SIGSTOP, the window is closed, and SIGCONT lets the app continue.
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
    /// Returns the shell script that starts the app for this event, or `None` if no script is
    /// needed.
    pub fn script(self) -> Option<&'static str> {
        (self == Event::ClosedIgnored).then_some("trap '' HUP; exec \"$0\" \"$@\"")
    }

    /// Returns true if the app may wait for the reply to the withdrawal in flight before it exits.
    pub fn waits(self, leaves: Leaves) -> bool {
        self == Event::Asked && leaves == Leaves::InFlight
    }

    /// Triggers the event and checks that the program exits.
    #[track_caller]
    pub fn happen(self, scene: &mut Scene, leaves: Leaves) {
        let tui = &mut scene.tui;
        // Read the processor time before the event, so that the first reaction counts too.
        let before = tui.ticks();
        match self {
            Event::HangUpSignal => {
                tui.signal(Signal::HUP);
                leaves_the_terminal(tui);
            }
            Event::Closed | Event::ClosedIgnored => {
                tui.hang_up();
                tui.expect_quiet_exit(before, GONE);
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
                tui.expect_quiet_exit(before, GONE);
            }
            Event::AskedTwice => {
                tui.signal(Signal::INT);
                if leaves == Leaves::InFlight {
                    // The system would merge two pending SIGTERMs, so wait until the first one has
                    // been handled.
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
                tui.expect_quiet_exit(before, GONE);
            }
        }
    }
}

/// Checks that the app exits in time and restores the terminal.
#[track_caller]
fn leaves_the_terminal(tui: &Tui) {
    let status = tui.wait_exit_within(GONE);
    assert_ne!(status.exit_code(), 101, "a panic:\n{}", tui.text());
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
}
