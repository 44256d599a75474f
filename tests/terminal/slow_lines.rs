//! Tests the app over a slow connection: 64 kbit/s, with a round trip time of 100 ms. The
//! connection buffers up to 2 MiB, as sshd does.

use std::num::NonZeroU16;
use std::time::Duration;

use balcao::runtime::clocks;

use super::seller::{SUBMIT, log_in_to_demo};
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui, WAIT_TIMEOUT, shows};
use super::support::slow_line::SlowLine;

const LINE: SlowLine = SlowLine::MOBILE;

/// The query that the app sends to the terminal after each large frame.
const QUERY: &[u8] = b"\x1b[5n";

/// A text in the last row of the last pane.
const LAST_ROW: &str = "O sair da conta";

/// The number of times that a test tries to meet a time limit, because the machine may be busy.
const TRIES: usize = 5;

fn demo(home: &TestHome) -> Launch {
    Launch::new(home).args(&["demo", "--theme", "default"])
}

fn count(written: &[u8], what: &[u8]) -> usize {
    written
        .windows(what.len())
        .filter(|bytes| *bytes == what)
        .count()
}

/// Repeats a measurement until it is within the limits.
#[track_caller]
fn assert_within<const N: usize>(limits: [u128; N], mut measure: impl FnMut() -> [u128; N]) {
    let mut all = Vec::new();
    for _ in 0..TRIES {
        let measured = measure();
        if measured
            .iter()
            .zip(&limits)
            .all(|(measured, limit)| measured <= limit)
        {
            return;
        }
        all.push(measured);
    }
    panic!("{all:?} instead of {limits:?}");
}

#[test]
fn letter_shows_within_250_ms() {
    let home = TestHome::new();
    let mut tui = log_in_to_demo(demo(&home).over_slow_line(LINE).start());
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    tui.press("\t");
    let mut typed = String::from("xyz");
    tui.type_text(&typed);
    tui.wait_for(&typed);
    // Type a different letter each time, so that the wait ends only when the new letter is shown.
    let mut letters = ('a'..='z').cycle();
    assert_within([250], || {
        typed.push(letters.next().expect("endless"));
        let start = clocks::instant();
        tui.type_text(&typed[typed.len() - 1..]);
        tui.wait_for(&typed);
        [start.elapsed().as_millis()]
    });
}

/// A slow connection delivers several keys at once. None of them may be lost, and an amount that
/// came into being this way is sent only after a second submit.
#[test]
fn price_whose_keys_arrive_together_is_whole() {
    let home = TestHome::new();
    let mut tui = log_in_to_demo(demo(&home).start());
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    for (reads, price) in [
        (&["49", ",90"][..], "R$ 49,90"),
        (&["1", "299,", "90"], "R$ 1.299,90"),
        (&["1299,9", "0"], "R$ 1.299,90"),
    ] {
        for read in reads {
            tui.type_text(read);
        }
        tui.wait_for(price);
        tui.type_text("\x15");
        tui.wait_until_gone(price);
    }
    tui.type_text("4");
    tui.wait_for("R$ 0,04");
    tui.type_text("9,9");
    tui.wait_for("Chegou junto: R$ 49,90. Confira.");
    tui.type_text("0\tCamiseta");
    tui.wait_for("Camiseta");
    tui.press(SUBMIT);
    tui.wait_for("Confira. Repita para criar.");
    // The app must know that the terminal has shown the frame.
    tui.wait_until_idle();
    tui.press(SUBMIT);
    tui.wait_for("Link criado");
    tui.wait_for("R$ 49,90");
    tui.quit();
}

/// Returns true if a terminal that has received these bytes shows the last row of the last pane.
fn shows_last_pane(written: &[u8]) -> bool {
    let [rows, columns] = [24, 80].map(|cells| NonZeroU16::new(cells).expect("a size"));
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    terminal.process(written);
    terminal.screen().contents().contains(LAST_ROW)
}

/// Switches panes 200 times within two seconds. Returns the number of bytes of older frames that
/// arrive after the last key press, and the time in milliseconds until the last pane is complete.
fn switch_panes(tui: &mut Tui) -> [u128; 2] {
    for key in ["1", "2", "3", "4", "5"].into_iter().cycle().take(199) {
        tui.type_text(key);
        tui.run_for(Duration::from_millis(10));
    }
    let typed_at = tui.output_bytes().len();
    let start = clocks::instant();
    tui.type_text("6");
    tui.wait_for(LAST_ROW);
    let took = start.elapsed().as_millis();
    let written = tui.output_bytes();
    let ends = written
        .windows(QUERY.len())
        .enumerate()
        .filter(|(_, bytes)| *bytes == QUERY);
    let ends: Vec<usize> = ends.map(|(at, _)| at + QUERY.len()).collect();
    // Each large frame ends with a query. A frame is old if the terminal does not show the last
    // pane after receiving it.
    let is_old = |end: &&usize| !shows_last_pane(&written[..**end]);
    let last_old = ends.iter().rev().find(is_old).expect("an older frame");
    let old = last_old.saturating_sub(typed_at);
    tui.press("1");
    tui.wait_until_gone(LAST_ROW);
    [u128::try_from(old).expect("few bytes"), took]
}

#[test]
fn last_of_200_panes_is_complete_within_1500_ms() {
    let home = TestHome::new();
    let mut tui = log_in_to_demo(demo(&home).over_slow_line(LINE).start());
    assert_within([4_096, 1_500], || switch_panes(&mut tui));
}

#[test]
fn mute_terminal_is_asked_once_and_shows_each_pane() {
    let home = TestHome::new();
    let mut tui = log_in_to_demo(demo(&home).without_replies().start());
    for (pane, text) in [
        ("2", "loja-da-ana.localhost"),
        ("6", LAST_ROW),
        ("1", "60 links"),
    ] {
        tui.press(pane);
        tui.wait_for(text);
    }
    assert_eq!(count(&tui.output_bytes(), QUERY), 1);
    tui.quit();
}

/// Answers all terminal queries that have no answer yet. Returns the number of queries so far.
fn answer_queries(tui: &mut Tui, answered: usize) -> usize {
    let query_count = count(&tui.output_bytes(), QUERY);
    tui.type_text(&"\x1b[0n".repeat(query_count - answered));
    query_count
}

/// If the terminal's answer takes longer than a second, later frames no longer wait for it. The
/// confirm button must nevertheless stay disabled until the answer arrives.
#[test]
fn terms_wait_for_an_answer_after_more_than_a_second() {
    let home = TestHome::new();
    let mut tui = demo_answering_one_query(&home);
    tui.press("3");
    tui.wait_for("n novo");
    let answered = answer_queries(&mut tui, 1);
    tui.press("n");
    tui.wait_for("Novo saque");
    tui.type_text("100,00");
    tui.wait_for("R$ 97,95");
    tui.press("\t");
    tui.type_text("11144477735");
    tui.wait_for("11144477735");
    let answered = answer_queries(&mut tui, answered);
    tui.press(SUBMIT);
    tui.wait_for("Conferir o saque");
    tui.press("\t");
    tui.wait_until_gone("[ Voltar ]");
    let query_count = count(&tui.output_bytes(), QUERY);
    // After a second, the app writes frames again without an answer, for example to update the
    // fee's age. These frames show no new terms, so the app must not wait for another answer.
    tui.run_for(Duration::from_millis(1_500));
    let enabled = "[ Sacar R$ 100,00 ]";
    assert!(
        !tui.screen(|screen| shows(screen, enabled)),
        "{}",
        tui.text()
    );
    assert_eq!(answer_queries(&mut tui, answered), query_count);
    tui.wait_for(enabled);
}

/// Some terminals stop answering queries, for example inside a terminal recorder. The app must then
/// become idle nevertheless.
#[cfg(target_os = "linux")]
#[test]
fn missing_answer_does_not_keep_program_awake() {
    let home = TestHome::new();
    let mut tui = demo_answering_one_query(&home);
    tui.press("6");
    tui.wait_for(LAST_ROW);
    // The app stops waiting for the answer after a second.
    tui.run_for(Duration::from_millis(1_200));
    assert!(tui.becomes_idle(15), "{}", tui.text());
    tui.quit();
}

/// Starts the demo in a terminal that replies to the first query only, and logs in.
fn demo_answering_one_query(home: &TestHome) -> Tui {
    let tui = demo(home).without_replies().start();
    tui.wait_for_output("the query", |written| count(written, QUERY) == 1);
    reply_and_log_in(tui, "\x1b[0n")
}

/// Types this terminal reply, and logs in.
fn reply_and_log_in(mut tui: Tui, reply: &str) -> Tui {
    tui.type_text(reply);
    log_in_to_demo(tui)
}

#[test]
fn no_answer_is_left_for_the_shell() {
    let home = TestHome::new();
    let program = env!("CARGO_BIN_EXE_balcao");
    // Print everything that arrives within two seconds after the program has ended.
    let script =
        format!("{program} demo; stty -icanon -echo min 0 time 20; od -An -c -N 32; echo the end");
    let shell = Launch::program("/bin/sh", &home).env("PATH", "/usr/bin:/bin");
    let mut tui = log_in_to_demo(shell.args(&["-c", &script]).over_slow_line(LINE).start());
    tui.press("6");
    // Quit when only a part of the frame has arrived. The terminal has then not yet answered the
    // query at the end of the frame.
    tui.wait_for("Perfil");
    tui.type_text("q");
    tui.wait_for("the end");
    assert_eq!(tui.text().trim(), "the end");
    assert!(tui.wait_exit_within(WAIT_TIMEOUT).success());
}

#[test]
fn frames_are_synchronized_only_where_supported() {
    let begin = b"\x1b[?2026h";
    let end = b"\x1b[?2026l";
    for (reply, is_supported) in [
        ("", false),
        ("\x1b[?2026;0$y", false),
        ("\x1b[?2026;2$y", true),
    ] {
        let home = TestHome::new();
        let tui = demo(&home).start();
        tui.wait_for_output("the query", |written| count(written, b"\x1b[?2026$p") == 1);
        let mut tui = reply_and_log_in(tui, reply);
        tui.press("6");
        tui.wait_for(LAST_ROW);
        tui.quit();
        let written = tui.output_bytes();
        let counts = [begin, end].map(|sequence| count(&written, sequence));
        assert_eq!(counts[0], counts[1], "{reply:?}");
        assert_eq!(counts[0] > 0, is_supported, "{reply:?}");
        assert!(
            counts[0] < count(&written, QUERY),
            "only frames after the reply: {reply:?}"
        );
    }
}
