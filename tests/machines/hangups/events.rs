//! What ends the program.

use std::time::Duration;

use rustix::process::Signal;

use super::points::Leaves;
use crate::scene::Scene;
use crate::support::gate::Next;
use crate::support::pty::Tui;

/// Whoever has no terminal, or no money in flight, is gone by then.
const GONE: Duration = Duration::from_secs(3);

/// So many ticks of (mostly) 10 ms it may take to leave; one that spins takes 200.
const TICKS: u64 = 25;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// SIGHUP, though the terminal lives.
    HangUpSignal,
    /// The terminal's window is closed.
    Closed,
    /// The same to a program that was started with SIGHUP ignored, as `nohup` does.
    ClosedIgnored,
    /// SIGTERM.
    Asked,
    /// SIGTERM, and the window is closed without waiting.
    AskedAndClosed,
    /// SIGINT, and once more.
    AskedTwice,
    /// SIGKILL, or the power is gone.
    Killed,
    /// SIGSTOP; the window is closed; SIGCONT.
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
    /// What starts the program, where it is not the terminal itself.
    pub fn script(self) -> Option<&'static str> {
        (self == Event::ClosedIgnored).then_some("trap '' HUP; exec \"$0\" \"$@\"")
    }

    /// Whether the program may wait for the reply that stands still at the gate, and gets it.
    pub fn waits(self, leaves: Leaves) -> bool {
        self == Event::Asked && leaves == Leaves::InFlight
    }

    /// Lets it happen, and sees the program gone.
    #[track_caller]
    pub fn happen(self, scene: &mut Scene, leaves: Leaves) {
        let tui = &mut scene.tui;
        // Before anything happens: what it does about it at once counts too.
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
                    // Two that come at once are one to the system.
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

/// It ends in time, and the terminal is as it was.
#[track_caller]
fn leaves_the_terminal(tui: &Tui) {
    let status = tui.wait_exit_within(GONE);
    assert_ne!(status.exit_code(), 101, "a panic:\n{}", tui.text());
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
}

/// It ends in time where nobody looks on any more, and does not spin until then.
#[track_caller]
fn goes_quietly(tui: &Tui, before: Option<u64>) {
    let ticks = tui.ticks_until_exit(before, GONE);
    assert!(ticks < TICKS, "{ticks} ticks with its terminal gone");
    assert_ne!(tui.wait_exit().exit_code(), 101, "a panic, though nobody sees it");
}
