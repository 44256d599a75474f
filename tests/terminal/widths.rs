//! Tests that borders stay in their columns beside texts on whose width terminals disagree: CJK,
//! emoji of several characters, and combining accents.
//!
//! The bytes of one run of the app are played to each terminal emulator.

use std::num::NonZeroU16;

use super::seller::{SUBMIT, log_in_to_demo};
use super::support::place::TestHome;
use super::support::pty::Launch;

const COLUMNS: u16 = 120;
const ROWS: u16 = 40;

/// A family and a cook (joined by U+200D), a flag, a heart with U+FE0F, a skin tone and a keycap.
const EMOJI: &str = "👨\u{200d}👩\u{200d}👧 👩\u{200d}🍳 🇧🇷 ❤\u{fe0f} 👍🏽 1\u{fe0f}\u{20e3}";

/// CJK, half-width katakana, Hangul of single letters, and accents that combine with letters.
const LETTERS: &str = "日本語 ｶﾀｶﾅ \u{1112}\u{1161}\u{11ab} Pa\u{303}o cafe\u{301}";

/// The texts of the cells in each row of a screen. A wide character has empty cells after it.
type Grid = Vec<Vec<String>>;

/// The output of the app up to two screens: a list beside the details of a row, both with texts of
/// uncertain width, and a box with such a text.
fn record_screens(home: &TestHome) -> [Vec<u8>; 2] {
    let launch = Launch::new(home).args(&["demo"]).size(COLUMNS, ROWS);
    let mut tui = log_in_to_demo(launch.start());
    for (text, count) in [
        (EMOJI, "61 links"),
        (LETTERS, "62 links"),
        ("Bolo", "63 links"),
    ] {
        tui.press("n");
        tui.wait_for("Novo link de pagamento");
        tui.type_text("49,90");
        tui.wait_for("R$ 49,90");
        tui.type_text("\t");
        tui.type_text(text);
        tui.press(SUBMIT);
        tui.wait_for(count);
        tui.press("\x1b");
        tui.wait_for("n novo");
    }
    tui.press("\x1b[B");
    tui.press("\x1b[B");
    tui.wait_until("the cursor on the emoji", |screen| {
        let text = screen.contents();
        text.lines()
            .any(|row| row.starts_with('▌') && row.contains('🇧'))
    });
    tui.wait_until_idle();
    let list = tui.output_bytes();
    tui.press("\x0b");
    tui.type_text(EMOJI);
    tui.wait_until_idle();
    let palette = tui.output_bytes();
    tui.press("\x03");
    [list, palette]
}

/// Asserts that the borders of both screens are straight lines: the rule between list and details,
/// and the sides of the box.
fn assert_straight(emulator: &str, [list, palette]: [Grid; 2]) {
    let has = |row: &[String], sign: &str| row.iter().any(|text| text == sign);
    let in_box = palette.into_iter().skip_while(|row| !has(row, "┌")).skip(1);
    let in_box: Grid = in_box.take_while(|row| !has(row, "└")).collect();
    let with_rule = list.into_iter().filter(|row| has(row, "│")).collect();
    for (grid, letters, count, rows) in [(with_rule, "日", 1, 30), (in_box, "›", 2, 8)] {
        let text: Vec<String> = grid.iter().map(|row: &Vec<String>| row.join("|")).collect();
        let text = text.join("\n");
        assert!(
            grid.len() >= rows && text.contains(letters),
            "{emulator}:\n{text}"
        );
        let borders = grid.iter().map(|row| {
            let cells = row.iter().enumerate();
            let borders = cells.filter(|(_, text)| *text == "│");
            borders.map(|(column, _)| column).collect::<Vec<_>>()
        });
        let borders: Vec<_> = borders.collect();
        for columns in &borders {
            assert_eq!(columns, &borders[0], "{emulator}:\n{text}");
        }
        assert_eq!(borders[0].len(), count, "{emulator}:\n{text}");
    }
}

#[test]
fn borders_hold_in_vt100() {
    let grids = record_screens(&TestHome::new()).map(|bytes| {
        let [rows, columns] = [ROWS, COLUMNS].map(|cells| NonZeroU16::new(cells).unwrap());
        let mut parser = vt100::Parser::new(rows, columns, 0);
        parser.process(&bytes);
        let screen = parser.screen();
        let text = |y, x| {
            screen
                .cell(y, x)
                .map_or("", vt100::Cell::contents)
                .to_owned()
        };
        let row = |y| (0..COLUMNS).map(|x| text(y, x)).collect();
        (0..ROWS).map(row).collect()
    });
    assert_straight("vt100", grids);
}

mod needs_tools {
    use std::fs;
    use std::io::Write;
    use std::process::Stdio;

    use unicode_width::UnicodeWidthChar;

    use super::super::support::run::program;
    use super::super::support::tools::{has_tools, program_path};
    use super::*;

    /// Tmux 3.3 joins some graphemes, but neither skin tones nor single letters of Hangul.
    #[test]
    fn borders_hold_in_tmux() {
        if !has_tools(&["tmux"]) {
            return;
        }
        let home = TestHome::new();
        let grids = record_screens(&home).map(|bytes| play_in_tmux(&home, &bytes));
        assert_straight("tmux", grids);
    }

    const STATUS_QUERY: &str = "\x1b[5n";
    const STATUS_REPLY: &str = "\x1b[0n";

    fn play_in_tmux(home: &TestHome, bytes: &[u8]) -> Grid {
        let path = |name: &str| home.home_dir().join(name).display().to_string();
        // Each screen has a server of its own, because one that is being killed still answers.
        let [played, socket] = ["played", "tmux"].map(|it| path(&format!("{it}-{}", bytes.len())));
        // The reply to a last query shows that tmux has processed all bytes before it.
        let shown = String::from_utf8_lossy(bytes).replace(STATUS_QUERY, "");
        let shown = shown.replace("\x1b]11;?\x1b\\", "");
        fs::write(&played, shown + STATUS_QUERY).expect("a file");
        let tmux = |args: &[&str]| {
            let args = [&["-u", "-S", &socket, "-f", "/dev/null"], args].concat();
            let mut command = program(&program_path("tmux"), home, &args);
            command
                .env("PATH", "/usr/bin:/bin")
                .output()
                .expect("tmux starts")
        };
        let script = format!(
            "stty raw -echo; cat '{played}'; head -c {} >/dev/null; \
             tmux -S '{socket}' wait-for -S end; exec sleep 600",
            STATUS_REPLY.len()
        );
        let size = [COLUMNS, ROWS].map(|cells| cells.to_string());
        tmux(&["new-session", "-d", "-x", &size[0], "-y", &size[1], &script]);
        tmux(&["wait-for", "end"]);
        let shown = tmux(&["capture-pane", "-p"]).stdout;
        tmux(&["kill-server"]);
        let shown = String::from_utf8(shown).expect("text");
        shown.lines().map(cells_of_tmux).collect()
    }

    /// Splits a row as tmux does: it joins characters that U+200D joins, and U+FE0F makes an emoji
    /// wide. Other characters without a width belong to the one before them.
    fn cells_of_tmux(row: &str) -> Vec<String> {
        let mut cells: Vec<String> = vec![];
        let mut last = ' ';
        for c in row.chars() {
            let width = c.width().unwrap_or(0);
            let widens = c == '\u{fe0f}' && last.width() == Some(1);
            if width > 0 && last != '\u{200d}' {
                cells.push(c.to_string());
            }
            let other_cells = if widens { 1 } else { width.saturating_sub(1) };
            if last != '\u{200d}' {
                cells.extend((0..other_cells).map(|_| String::new()));
            }
            last = c;
        }
        cells
    }

    /// Xterm.js, the terminal of VS Code, puts each grapheme into one cell.
    #[test]
    fn borders_hold_in_xterm_js() {
        if !has_tools(&["node"]) {
            return;
        }
        let home = TestHome::new();
        let grids = record_screens(&home).map(|bytes| play_in_xterm_js(&home, &bytes));
        assert_straight("xterm.js", grids);
    }

    fn play_in_xterm_js(home: &TestHome, bytes: &[u8]) -> Grid {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/xterm/grid.js");
        let size = [COLUMNS, ROWS].map(|cells| cells.to_string());
        let args = [script, &size[0], &size[1]];
        let mut command = program(&program_path("node"), home, &args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut node = command.spawn().expect("node starts");
        let mut input = node.stdin.take().expect("its input");
        input.write_all(bytes).expect("it reads");
        drop(input);
        let output = node.wait_with_output().expect("it ends");
        serde_json::from_slice(&output.stdout).expect("the cells")
    }
}
