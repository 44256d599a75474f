//! The events that end the app, such as a closed window, and the checks that it exits properly.

use std::time::Duration;

use rustix::process::Signal;

use super::points::WithdrawalAtExit;
use crate::scene::Scene;
use crate::support::gate::Release;
use crate::support::pty::Tui;

/// The time limit for the app's exit, except while it may wait for a withdrawal's reply.
const EXIT_TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The app receives SIGHUP, but its terminal stays open.
    Sighup,
    /// The terminal's window is closed.
    Closed,
    /// The terminal's window is closed, but the app ignores SIGHUP, as under `nohup`.
    ClosedWithoutSighup,
    /// The program gets SIGTERM.
    Sigterm,
    /// The program gets SIGTERM, and immediately afterwards the terminal's window is closed.
    SigtermThenClosed,
    /// The program gets SIGINT twice.
    SigintTwice,
    /// The program gets SIGKILL, which resembles a power cut.
    Sigkill,
    /// The app is stopped with SIGSTOP, the window is closed, and SIGCONT lets the app continue.
    ClosedWhileStopped,
}

pub const EVENTS: [Event; 8] = [
    Event::Sighup,
    Event::Closed,
    Event::ClosedWithoutSighup,
    Event::Sigterm,
    Event::SigtermThenClosed,
    Event::SigintTwice,
    Event::Sigkill,
    Event::ClosedWhileStopped,
];

impl Event {
    /// Returns the shell script that starts the app for this event, or `None` if no script is
    /// needed.
    pub fn script(self) -> Option<&'static str> {
        (self == Event::ClosedWithoutSighup).then_some("trap '' HUP; exec \"$0\" \"$@\"")
    }

    /// Returns true if the app may wait for the reply to the withdrawal in flight before it exits.
    pub fn may_wait(self, withdrawal: WithdrawalAtExit) -> bool {
        self == Event::Sigterm && withdrawal == WithdrawalAtExit::InFlight
    }

    /// Triggers the event and checks that the program exits.
    #[track_caller]
    pub fn trigger(self, scene: &mut Scene, withdrawal: WithdrawalAtExit) {
        let tui = &mut scene.tui;
        // Read the processor time before the event, so that the first reaction counts too.
        let before = tui.cpu_ticks();
        match self {
            Event::Sighup => {
                tui.signal(Signal::HUP);
                assert_terminal_restored(tui);
            }
            Event::Closed | Event::ClosedWithoutSighup => {
                tui.hang_up();
                tui.assert_clean_exit(before, EXIT_TIMEOUT);
            }
            Event::Sigterm => {
                tui.signal(Signal::TERM);
                if self.may_wait(withdrawal) {
                    tui.wait_for("esperando a resposta");
                    scene.gate.release(Release::Goes);
                }
                assert_terminal_restored(tui);
            }
            Event::SigtermThenClosed => {
                tui.signal(Signal::TERM);
                tui.hang_up();
                tui.assert_clean_exit(before, EXIT_TIMEOUT);
            }
            Event::SigintTwice => {
                tui.signal(Signal::INT);
                if withdrawal == WithdrawalAtExit::InFlight {
                    // The system would merge two pending SIGINTs, so wait until the app has handled
                    // the first one.
                    tui.wait_for("esperando a resposta");
                }
                tui.signal(Signal::INT);
                assert_terminal_restored(tui);
            }
            Event::Sigkill => {
                tui.kill();
                tui.wait_exit_within(EXIT_TIMEOUT);
            }
            Event::ClosedWhileStopped => {
                tui.signal(Signal::STOP);
                tui.wait_stopped();
                tui.hang_up();
                tui.signal(Signal::CONT);
                tui.assert_clean_exit(before, EXIT_TIMEOUT);
            }
        }
    }
}

#[track_caller]
fn assert_terminal_restored(tui: &Tui) {
    let status = tui.wait_exit_within(EXIT_TIMEOUT);
    assert_ne!(status.exit_code(), 101, "a panic:\n{}", tui.text());
    assert_eq!(tui.active_modes(), Vec::<&str>::new());
}
