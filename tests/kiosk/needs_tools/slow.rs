//! Tests the kiosk over SSH on a slow connection: 64 kbit/s, with a round trip time of 100 ms.

use std::num::NonZeroU16;
use std::time::Duration;

use balcao::runtime::clocks;

use crate::seller::logged_in;
use crate::sshd::{Sshd, has_sshd};
use crate::support::place::TestHome;
use crate::support::pty::Tui;
use crate::support::slow_line::SlowLine;

/// The maximum number of attempts. The test passes if one of them stays within the limits, because
/// the machine may be busy during the others.
const TRIES: usize = 5;

/// The limits after the last key press: how many bytes of older frames may still arrive, and how
/// long it may take until the last pane is complete.
const OLD: usize = 4_096;
const SOON: Duration = Duration::from_millis(1_500);

/// The query that the kiosk sends to the terminal after each large frame.
const QUERY: &[u8] = b"\x1b[5n";

/// Returns the screen's rows above the key hints at the bottom.
fn rows(screen: &vt100::Screen) -> Vec<String> {
    screen.rows(0, 80).take(22).map(|row| row.trim_end().to_owned()).collect()
}

#[test]
fn letter_shows_within_250_ms_through_ssh() {
    if !has_sshd() {
        return;
    }
    let (sshd, place) = (Sshd::start(), TestHome::new());
    let mut tui = logged_in(sshd.ssh_over(SlowLine::MOBILE, &place).start());
    tui.type_text("n\t");
    tui.wait_until("the form", |screen| {
        screen.contents().contains("Novo link de pagamento") && !screen.hide_cursor()
    });
    tui.pause();
    let times: Vec<_> = (0..TRIES * 4).map(|_| tui.time_letter("x")).collect();
    let soon = times.iter().filter(|time| **time <= Duration::from_millis(250)).count();
    assert!(soon * 2 > times.len(), "{times:?}");
}

#[test]
fn last_of_200_panes_shows_soon_through_ssh() {
    if !has_sshd() {
        return;
    }
    let (sshd, place) = (Sshd::start(), TestHome::new());
    let mut tui = logged_in(sshd.ssh_over(SlowLine::MOBILE, &place).start());
    tui.type_text("6");
    tui.wait_for("O sair da conta");
    let last = tui.screen(rows);
    let mut tries = Vec::new();
    while !tries.last().is_some_and(|(old, time)| *old <= OLD && *time <= SOON) {
        assert!(tries.len() < TRIES, "{tries:?}");
        tries.push(switch_panes(&mut tui, &last));
    }
}

/// Switches panes 200 times within two seconds. Returns how many bytes of older frames arrive after
/// the last key press, and how long it takes until the last pane is complete.
fn switch_panes(tui: &mut Tui, last: &[String]) -> (usize, Duration) {
    for key in ["1", "2", "3", "4", "5"].into_iter().cycle().take(199) {
        tui.type_text(key);
        tui.look_on(Duration::from_millis(10));
    }
    let (typed, start) = (tui.written().len(), clocks::instant());
    tui.type_text("6");
    tui.wait_until("the last pane", |screen| rows(screen) == last);
    let (time, written) = (start.elapsed(), tui.written());
    let ends = written.windows(QUERY.len()).enumerate().filter(|(_, bytes)| *bytes == QUERY);
    let ends: Vec<usize> = ends.map(|(at, _)| at + QUERY.len()).collect();
    let is_old = |end: &&usize| shown_by(&written[..**end]) != last;
    let last_old = ends.iter().rev().find(is_old).expect("an older frame");
    (last_old.saturating_sub(typed), time)
}

/// Returns the rows that a terminal shows after it has received these bytes.
fn shown_by(written: &[u8]) -> Vec<String> {
    let [height, width] = [24, 80].map(|cells| NonZeroU16::new(cells).expect("a size"));
    let mut terminal = vt100::Parser::new(height, width, 0);
    terminal.process(written);
    rows(terminal.screen())
}
