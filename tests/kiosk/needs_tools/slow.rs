//! Tests the kiosk over SSH on a slow connection: 64 kbit/s, with a round trip time of 100 ms.

use std::num::NonZeroU16;
use std::time::Duration;

use balcao::runtime::clocks;

use crate::seller::log_in_to_demo;
use crate::sshd::{Sshd, has_sshd};
use crate::support::place::TestHome;
use crate::support::pty::Tui;
use crate::support::slow_line::SlowLine;

/// The maximum number of attempts. The test passes if one of them stays within the limits, because
/// the machine may be busy during the others.
const MAX_TRIES: usize = 5;

/// The limits after the last key press: the bytes of older frames that may still arrive, and the
/// time until the last pane is complete.
const MAX_OLD_BYTES: usize = 4_096;
const MAX_DELAY: Duration = Duration::from_millis(1_500);

/// The query that the kiosk sends to the terminal after each large frame.
const STATUS_QUERY: &[u8] = b"\x1b[5n";

/// Returns the screen's rows above the key hints at the bottom.
fn visible_rows(screen: &vt100::Screen) -> Vec<String> {
    screen
        .rows(0, 80)
        .take(22)
        .map(|row| row.trim_end().to_owned())
        .collect()
}

#[test]
fn letter_shows_within_250_ms_through_ssh() {
    if !has_sshd() {
        return;
    }
    let sshd = Sshd::start();
    let home = TestHome::new();
    let mut tui = log_in_to_demo(sshd.ssh_over(SlowLine::MOBILE, &home).start());
    tui.type_text("n\t");
    tui.wait_until("the form", |screen| {
        screen.contents().contains("Novo link de pagamento") && !screen.hide_cursor()
    });
    tui.wait_until_idle();
    let times: Vec<_> = (0..MAX_TRIES * 4)
        .map(|_| tui.measure_letter_delay("x"))
        .collect();
    let fast_count = times
        .iter()
        .filter(|time| **time <= Duration::from_millis(250))
        .count();
    assert!(fast_count * 2 > times.len(), "{times:?}");
}

#[test]
fn last_of_200_panes_shows_soon_through_ssh() {
    if !has_sshd() {
        return;
    }
    let sshd = Sshd::start();
    let home = TestHome::new();
    let mut tui = log_in_to_demo(sshd.ssh_over(SlowLine::MOBILE, &home).start());
    tui.type_text("6");
    tui.wait_for("O sair da conta");
    let last_rows = tui.screen(visible_rows);
    let mut tries = Vec::new();
    while !tries
        .last()
        .is_some_and(|(old, time)| *old <= MAX_OLD_BYTES && *time <= MAX_DELAY)
    {
        assert!(tries.len() < MAX_TRIES, "{tries:?}");
        tries.push(switch_panes(&mut tui, &last_rows));
    }
}

/// Switches panes 200 times within two seconds. Returns how many bytes of older frames arrive after
/// the last key press, and how long it takes until the last pane is complete.
fn switch_panes(tui: &mut Tui, last_rows: &[String]) -> (usize, Duration) {
    for key in ["1", "2", "3", "4", "5"].into_iter().cycle().take(199) {
        tui.type_text(key);
        tui.run_for(Duration::from_millis(10));
    }
    let length_before = tui.output_bytes().len();
    let start = clocks::instant();
    tui.type_text("6");
    tui.wait_until("the last pane", |screen| visible_rows(screen) == last_rows);
    let time = start.elapsed();
    let written = tui.output_bytes();
    let frame_ends = written
        .windows(STATUS_QUERY.len())
        .enumerate()
        .filter(|(_, bytes)| *bytes == STATUS_QUERY);
    let frame_ends: Vec<usize> = frame_ends
        .map(|(index, _)| index + STATUS_QUERY.len())
        .collect();
    let is_old = |end: &&usize| render_rows(&written[..**end]) != last_rows;
    let last_old_end = frame_ends
        .iter()
        .rev()
        .find(is_old)
        .expect("an older frame");
    (last_old_end.saturating_sub(length_before), time)
}

/// Returns the rows that a terminal shows after it has received these bytes.
fn render_rows(written: &[u8]) -> Vec<String> {
    let [height, width] = [24, 80].map(|cells| NonZeroU16::new(cells).expect("a size"));
    let mut terminal = vt100::Parser::new(height, width, 0);
    terminal.process(written);
    visible_rows(terminal.screen())
}
