//! Pictures of the real program: `balcao demo` in a terminal, keys pressed, the screen as an SVG.
//!
//! `BALCAO_WRITE_PICTURES=1 cargo test --test terminal pictures` makes them anew. Without it, each
//! picture is held against the program of today: the same walk must come to the same screen.
//!
//! The program has its real clock, port and keys here: what guards money has no switch for its
//! time. It is told of a time zone in which a fixed time of day is now, so that what is of today
//! and what is of yesterday is the same in every run. What is still there by chance is masked.

#[path = "pictures/mask.rs"]
mod mask;
#[path = "pictures/walks.rs"]
mod walks;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use balcao::runtime::clocks::MachineClocks;

use super::support::place::Place;
use super::support::pty::{Launch, Tui};
use super::support::svg::{self, Paper};

/// How long nothing is written before the screen is taken for whole.
const QUIET: Duration = Duration::from_millis(150);

/// How often the screen is looked at until it is as in the picture.
const LOOKS: u32 = 300;

/// The time of day at which every walk begins, in seconds.
const BEGINS: i64 = 14 * 3600 + 30 * 60 + 5;

/// The directory that stands in the pictures in place of a temporary one.
const PLAIN: &str = "/srv/ana";

/// A walk through the demo, and the terminal it is in.
struct Walk {
    tui: Tui,
    paper: Paper,
    place: Place,
}

impl Walk {
    /// Opens the demo and logs in.
    fn begin(theme: &str, lang: &str, (columns, rows): (u16, u16)) -> Walk {
        let place = Place::new();
        let args = ["demo", "--theme", theme, "--lang", lang];
        let launch = Launch::new(&place).env("TZ", &zone()).args(&args).size(columns, rows);
        let paper = if theme == "light" { svg::LIGHT } else { svg::DARK };
        let mut tui = launch.start();
        let [enter, is_in] = match lang {
            "en" => ["[ Log in ]", "● session active"],
            _ => ["[ Entrar ]", "● sessão ativa"],
        };
        tui.wait_for(enter);
        tui.press("\r");
        tui.wait_for(is_in);
        Walk { tui, paper, place }
    }

    /// Presses a key, and waits for what it brings.
    #[track_caller]
    fn press(&mut self, key: &str, brings: &str) {
        self.tui.press(key);
        self.tui.wait_for(brings);
    }

    /// Makes the terminal this large.
    fn size(&mut self, (columns, rows): (u16, u16)) {
        self.tui.resize(columns, rows);
        let rule = "─".repeat(columns.into());
        self.tui
            .wait_until("the new size", |screen| screen.rows(0, columns).any(|row| row == rule));
    }

    /// Sends a withdrawal to a destination used before, whose answer is lost.
    fn loses_an_answer(&mut self, words: &WalkWords) {
        self.press("3", words.decided);
        self.press("\x0b", words.palette);
        self.press(words.fault, words.lost);
        self.tui.press("\r");
        self.tui.wait_gone(words.palette);
        self.press("n", words.new);
        self.tui.paste("1000,00");
        self.tui.wait_for("988");
        self.press("\t\t", "Ctrl-N");
        self.press("\x0e", "+5511987654321");
        self.tui.press("\x13");
        // In round brackets as long as it is dead.
        let (back, dead) = (words.back, words.dead);
        self.tui.wait_until(back, |screen| {
            let text = screen.contents();
            text.contains(back) && !text.contains(dead)
        });
        self.picture(words.review, words.reviewed);
        self.press("\t", words.confirm);
        self.press("\r", words.resend);
    }

    /// Makes the picture anew, or holds the one that is there against what is on the screen.
    #[track_caller]
    fn picture(&self, name: &str, title: &str) {
        let path = directory().join(format!("{name}.svg"));
        let drawn = || svg::drawn(self.shown().screen(), title, self.paper);
        if is_writing() {
            self.wait_quiet();
            let svg = drawn();
            assert!(svg.len() < 100_000, "{name}: {} bytes", svg.len());
            fs::create_dir_all(directory()).unwrap();
            fs::write(path, svg).unwrap();
            return;
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        let kept = mask::masked(&kept);
        for _ in 0..LOOKS {
            if mask::masked(&drawn()) == kept {
                return;
            }
            self.tui.look_on(Duration::from_millis(50));
        }
        let now = mask::masked(&drawn());
        let differs = now.iter().zip(&kept).find(|(now, kept)| now != kept);
        panic!(
            "{name} is not of today's program: BALCAO_WRITE_PICTURES=1 makes it anew\n\
             the first line that differs (now, then): {differs:#?}\n{}",
            self.tui.text()
        );
    }

    /// The screen with a plain directory in place of the temporary one.
    fn shown(&self) -> vt100::Parser {
        self.tui.screen(|screen| {
            let (rows, columns) = screen.size();
            let mut shown = vt100::Parser::new(rows, columns, 0);
            shown.process(screen.state_formatted().as_bytes());
            let home = self.place.home();
            let own = home.parent().and_then(|own| own.to_str()).unwrap();
            for (row, text) in (1..).zip(screen.rows(0, columns.get())) {
                let Some((before, path)) = text.split_once(own) else { continue };
                let (column, width) = (before.chars().count() + 1, own.len() + path.len());
                let plain = format!("{PLAIN}{path}");
                let said = format!("\x1b7\x1b[m\x1b[{row};{column}H{plain:width$}\x1b8");
                shown.process(said.as_bytes());
            }
            shown
        })
    }

    fn wait_quiet(&self) {
        let mut written = 0;
        while written < self.tui.written().len() {
            written = self.tui.written().len();
            self.tui.look_on(QUIET);
        }
    }
}

fn is_writing() -> bool {
    std::env::var_os("BALCAO_WRITE_PICTURES").is_some()
}

fn directory() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/pictures"))
}

/// A time zone in which the walk begins now, at its own time of day.
fn zone() -> String {
    const DAY: i64 = 24 * 3600;
    let now = MachineClocks::new().now().wall.0 / 1000;
    let east = (BEGINS - now).rem_euclid(DAY);
    let east = if east > DAY / 2 { east - DAY } else { east };
    // POSIX counts to the west.
    let sign = if east > 0 { '-' } else { '+' };
    let (hours, rest) = (east.abs() / 3600, east.abs() % 3600);
    format!("<demo>{sign}{hours:02}:{:02}:{:02}", rest / 60, rest % 60)
}

/// The words of a withdrawal whose answer is lost.
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
    reviewed: "A revisão de um saque: a taxa, o valor líquido e para quem",
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
    reviewed: "The review of a withdrawal: its fee, its net amount, its destination",
};
