//! Makes pictures of the real program: runs `balcao demo` in a terminal, presses keys, and draws
//! the screen as SVG.
//!
//! `BALCAO_WRITE_PICTURES=1 cargo test --test terminal pictures` writes the pictures. Without the
//! variable, the tests press the same keys and compare the screen with the stored pictures.
//!
//! The program uses its real clock, port and idempotency keys, because the checks that protect
//! money cannot be turned off for tests. The tests choose a time zone in which every run starts at
//! the same local time, because "today" and "yesterday" would vary otherwise. Other values that
//! differ between runs are masked.

mod cast;
mod mask;
mod walks;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use balcao::runtime::clocks::MachineClocks;

use super::support::place::TestHome;
use super::support::pty::{Launch, Tui, shows};
use super::support::svg::{self, SvgColours};

/// The time without output after which a screen counts as complete.
const QUIET_TIME: Duration = Duration::from_millis(150);

/// The number of times that a stored picture is compared with the screen before the test fails.
const MAX_COMPARISONS: u32 = 300;

/// The local time at which each run starts, in seconds after midnight.
const START_TIME: i64 = 14 * 3600 + 30 * 60 + 5;

/// The path that the pictures show instead of the path of the temporary directory.
const SHOWN_PATH: &str = "/srv/ana";

/// A scripted run of the demo. The pictures are made during this run.
struct Walk {
    tui: Tui,
    paper: SvgColours,
    home: TestHome,
    /// The names of all pictures made so far.
    picture_names: Vec<String>,
}

impl Walk {
    fn open_logged_in(theme: &str, lang: &str, size: (u16, u16)) -> Walk {
        let mut walk = Walk::open(theme, lang, size);
        walk.press(
            "\r",
            if lang == "en" {
                "● session active"
            } else {
                "● sessão ativa"
            },
        );
        walk
    }

    /// Starts the demo and waits for its login page.
    fn open(theme: &str, lang: &str, (columns, rows): (u16, u16)) -> Walk {
        let home = TestHome::new();
        // A picture must not show an unfinished frame.
        home.write_config("config.toml", "motion = false\n");
        let args = ["demo", "--theme", theme, "--lang", lang];
        let launch = Launch::new(&home)
            .env("TZ", &time_zone())
            .args(&args)
            .size(columns, rows);
        let paper = if theme == "light" {
            svg::LIGHT
        } else {
            svg::DARK
        };
        let mut tui = launch.start();
        tui.wait_for(if lang == "en" {
            "[ Log in ]"
        } else {
            "[ Entrar ]"
        });
        // Report the background, because without it the review would have no colours.
        let ground = if theme == "light" {
            "ff/ff/ff"
        } else {
            "00/00/00"
        };
        tui.type_text(&format!("\x1b]11;rgb:{ground}\x1b\\"));
        Walk {
            tui,
            paper,
            home,
            picture_names: Vec::new(),
        }
    }

    /// Presses a key, and waits until the screen shows the text `brings`.
    #[track_caller]
    fn press(&mut self, key: &str, brings: &str) {
        self.tui.press(key);
        self.tui.wait_for(brings);
    }

    /// Waits until the details beside a list are complete. They then show a QR code, or a note that
    /// the QR code does not fit.
    fn wait_for_details(&self) {
        self.tui.wait_until("what is beside the list", |screen| {
            let text = screen.contents();
            text.contains('▀') || text.contains("O QR Code não cabe ao lado.")
        });
    }

    /// Resizes the terminal, and waits for a frame with the new size.
    fn resize(&mut self, (columns, rows): (u16, u16)) {
        self.tui.resize(columns, rows);
        let rule = "─".repeat(columns.into());
        self.tui.wait_until("the new size", |screen| {
            screen.rows(0, columns).any(|row| row == rule)
        });
    }

    /// Sends a withdrawal to a known Pix key. A sandbox fault suppresses the reply.
    fn withdraw_without_reply(&mut self, words: &WalkWords) {
        self.press("3", words.decided);
        self.press("\x0b", words.palette);
        self.press(words.fault, words.lost);
        self.tui.press("\r");
        self.tui.wait_until_gone(words.palette);
        self.press("n", words.new);
        self.tui.paste("1000,00");
        self.tui.wait_for("988");
        self.press("\t", "Ctrl-N");
        self.press("\x0e", "+5511987654321");
        self.tui.press("\x13");
        self.wait_until_enabled(words.back, words.dead);
        self.picture(words.review, words.reviewed);
        self.press("\t", words.confirm);
        self.press("\r", words.resend);
    }

    /// Writes a picture of the screen, or compares the stored picture with the screen.
    #[track_caller]
    fn picture(&mut self, name: &str, title: &str) {
        self.picture_names.push(name.to_owned());
        let path = pictures_dir().join(format!("{name}.svg"));
        let drawn = || svg::render(self.normalized_screen().screen(), title, self.paper);
        if is_writing() {
            self.wait_quiet();
            let svg = drawn();
            assert!(svg.len() < 100_000, "{name}: {} bytes", svg.len());
            fs::create_dir_all(pictures_dir()).unwrap();
            fs::write(path, svg).unwrap();
            return;
        }
        let stored = fs::read_to_string(&path).unwrap_or_default();
        wait_until_equal(&self.tui, name, &mask::masked_lines(&stored), || {
            mask::masked_lines(&drawn())
        });
    }

    /// Waits until the button that goes back has the focus, and the confirm button of the review
    /// screen is enabled. An enabled button has no round brackets.
    fn wait_until_enabled(&self, back: &str, dead: &str) {
        self.tui.wait_until(back, |screen| {
            shows(screen, back) && !screen.contents().contains(dead)
        });
    }

    /// Returns the screen, with the path of the temporary directory replaced by [`SHOWN_PATH`].
    fn normalized_screen(&self) -> vt100::Parser {
        self.tui.screen(|screen| {
            let (rows, columns) = screen.size();
            let mut shown = vt100::Parser::new(rows, columns, 0);
            shown.process(screen.state_formatted().as_bytes());
            let home_dir = self.home.home_dir();
            let root = home_dir.parent().and_then(|root| root.to_str()).unwrap();
            for (row, text) in (1..).zip(screen.rows(0, columns.get())) {
                let Some((before, path)) = text.split_once(root) else {
                    continue;
                };
                let column = before.chars().count() + 1;
                let width = root.len() + path.len();
                let replacement = format!("{SHOWN_PATH}{path}");
                let escape_sequence =
                    format!("\x1b7\x1b[m\x1b[{row};{column}H{replacement:width$}\x1b8");
                shown.process(escape_sequence.as_bytes());
            }
            shown
        })
    }

    /// Checks that a file does not contain the temporary directory's path.
    #[track_caller]
    fn assert_no_machine_names(&self, file: &str) {
        let home_dir = self.home.home_dir();
        let root_name = home_dir
            .parent()
            .and_then(|root| root.file_name())
            .and_then(|name| name.to_str());
        assert!(!file.contains(root_name.unwrap()) && !file.contains("balcao-demo-"));
    }

    /// Waits until the program has stopped writing.
    fn wait_quiet(&self) {
        let mut written = 0;
        while written < self.tui.output_bytes().len() {
            written = self.tui.output_bytes().len();
            self.tui.run_for(QUIET_TIME);
        }
    }
}

/// Compares a stored picture with the screen until they are equal. The test fails after
/// `MAX_COMPARISONS` attempts.
#[track_caller]
fn wait_until_equal(
    tui: &Tui,
    name: &str,
    stored: &[String],
    draw_lines: impl Fn() -> Vec<String>,
) {
    for _ in 0..MAX_COMPARISONS {
        if draw_lines() == stored {
            return;
        }
        tui.run_for(Duration::from_millis(50));
    }
    let drawn = draw_lines();
    let differs = drawn
        .iter()
        .zip(stored)
        .find(|(drawn, stored)| drawn != stored);
    panic!(
        "{name} is not of today's program: BALCAO_WRITE_PICTURES=1 makes it anew\n\
         the first line that differs (now, then): {differs:#?}\n{}",
        tui.text()
    );
}

fn is_writing() -> bool {
    std::env::var_os("BALCAO_WRITE_PICTURES").is_some()
}

fn pictures_dir() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/pictures"))
}

/// Returns a value for `TZ`: a time zone in which the current local time is [`START_TIME`].
fn time_zone() -> String {
    const DAY: i64 = 24 * 3600;
    let now = MachineClocks::new().now().wall.0 / 1000;
    let east = (START_TIME - now).rem_euclid(DAY);
    let east = if east > DAY / 2 { east - DAY } else { east };
    // A positive offset in a POSIX time zone means west of UTC.
    let sign = if east > 0 { '-' } else { '+' };
    let hours = east.abs() / 3600;
    let rest = east.abs() % 3600;
    format!("<demo>{sign}{hours:02}:{:02}:{:02}", rest / 60, rest % 60)
}

/// The texts on the screen that `withdraw_without_reply` waits for, in one language.
struct WalkWords {
    decided: &'static str,
    palette: &'static str,
    fault: &'static str,
    lost: &'static str,
    new: &'static str,
    back: &'static str,
    dead: &'static str,
    confirm: &'static str,
    resend: &'static str,
    review: &'static str,
    reviewed: &'static str,
}

const PORTUGUESE: WalkWords = WalkWords {
    decided: "Encerrados",
    palette: "O que dá para fazer agora",
    fault: "falha perder",
    lost: "Falha no saque: perder a resposta",
    new: "Novo saque",
    back: "[ Voltar ]",
    dead: "( Sacar R$ 1.000,00 )",
    confirm: "[ Sacar R$ 1.000,00 ]",
    resend: "s   reenviar",
    review: "withdrawal-review",
    reviewed: "The review of a withdrawal: its fee, its net amount, its destination",
};

const ENGLISH: WalkWords = WalkWords {
    decided: "Closed",
    palette: "What you can do now",
    fault: "fault lose",
    lost: "lose the",
    new: "New withdrawal",
    back: "[ Back ]",
    dead: "( Withdraw R$ 1.000,00 )",
    confirm: "[ Withdraw R$ 1.000,00 ]",
    resend: "s   resend",
    review: "withdrawal-review-en",
    reviewed: "The review of a withdrawal in English",
};

#[test]
fn a_screen_is_drawn_in_its_columns_and_colours() {
    let mut screen = vt100::Parser::new(2.try_into().unwrap(), 24.try_into().unwrap(), 0);
    let red_on_cube = "\x1b[1;31;48;5;17ma & <b>  ok\x1b[m";
    let inverse = "\x1b[2;7mx\x1b[m";
    screen.process(format!("{red_on_cube} ──●\r\n{inverse} \x1b[4m語 y\x1b[m").as_bytes());
    let svg = svg::render(screen.screen(), "<t>", svg::LIGHT);
    let body: Vec<&str> = svg.lines().skip(4).collect();
    let expected = [
        "<path d=\"M0,0h99v20h-99z\" fill=\"#00005f\"/>",
        "<path d=\"M108,10h18v1h-18z\"/>",
        "<text x=\"0\" y=\"15\" textLength=\"63\" fill=\"#cd0000\" font-weight=\"bold\">\
         a &amp; &lt;b&gt;</text>",
        "<text x=\"81\" y=\"15\" textLength=\"18\" fill=\"#cd0000\" font-weight=\"bold\">ok</text>",
        "<text x=\"126\" y=\"15\" textLength=\"9\">●</text>",
        "<path d=\"M0,20h9v20h-9z\" fill=\"#22252b\"/>",
        "<path d=\"M18,37h18v1h-18zM36,37h18v1h-18z\"/>",
        "<text x=\"0\" y=\"35\" textLength=\"9\" fill=\"#fdfdfb\" opacity=\"0.6\">x</text>",
        "<text x=\"18\" y=\"35\" textLength=\"18\">語</text>",
        "<text x=\"45\" y=\"35\" textLength=\"9\">y</text>",
        "<rect x=\"54\" y=\"20\" width=\"2\" height=\"20\"/>",
        "</g>",
        "</svg>",
    ];
    assert_eq!(body, expected);
    assert!(svg.contains("<title id=\"title\">&lt;t&gt;</title>") && svg.contains("role=\"img\""));
}
