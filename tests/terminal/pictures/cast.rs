//! The cast of the story: a seller follows it key by key, and each screen stands as long as it is
//! worth reading. It is written for asciinema (version 2 of its format).
//!
//! Its times are written here, and so the same on every machine.

use std::fs;
use std::path::PathBuf;

use super::{Walk, hold, is_writing, mask, svg};

/// The columns and rows of it: a strip above the links, and details beside the lists.
const SIZE: (u16, u16) = (120, 36);

/// The most that a cast may take, in milliseconds.
const LONGEST: u64 = 180_000;

/// The milliseconds that each letter stands that is typed.
const LETTER: u64 = 90;

/// The key that goes on with the story, F8.
const NEXT: &str = "\x1b[19~";

#[test]
fn the_cast_is_of_todays_story() {
    let mut cast = Cast::begin();
    cast.link();
    cast.withdrawal();
    cast.charge();
    cast.domain();
    cast.end();
}

/// A walk through the story, and the cast of it.
struct Cast {
    walk: Walk,
    /// The screen of the last frame.
    before: vt100::Parser,
    /// The milliseconds of the last frame and of the next one.
    times: (u64, u64),
    lines: Vec<String>,
    /// The screens that the kept cast shows at its marks.
    kept: Vec<(String, vt100::Parser)>,
    marks: usize,
}

impl Cast {
    fn begin() -> Cast {
        let kept = fs::read_to_string(file()).unwrap_or_default();
        let kept = if is_writing() { Vec::new() } else { marked(&kept) };
        let walk = Walk::open("default", "pt-BR", SIZE);
        let head = format!(
            "{{\"version\": 2, \"width\": {}, \"height\": {}, \
             \"title\": \"balcão: o roteiro da demonstração\"}}",
            SIZE.0, SIZE.1
        );
        let mut cast =
            Cast { walk, before: blank(), times: (0, 0), lines: vec![head], kept, marks: 0 };
        cast.line("o", "\x1b[?1049h\x1b[H\x1b[2J");
        cast.frame(2_500);
        cast.press("\r", "● sessão ativa", 1_500);
        cast.press("\x0b", "O que dá para fazer agora", 800);
        cast.type_out("roteiro", "Roteiro: começar", 1_000);
        cast.press("\r", "Nenhum dinheiro de verdade.", 500);
        cast.rest(3_500);
        cast.mark("o roteiro");
        cast
    }

    fn link(&mut self) {
        self.press("n", "Novo link de pagamento", 1_200);
        self.type_out("4990", "R$ 49,90", 500);
        self.press("\t", "Descrição", 300);
        self.type_out("Camiseta azul M", "Camiseta azul M", 1_000);
        self.press("\x13", "2/10", 500);
        self.rest(3_500);
        self.mark("um link");
        self.press(NEXT, "3/10", 2_000);
        self.press("\x1b", "q sair", 500);
        self.rest(4_000);
        self.mark("pago no sandbox");
    }

    fn withdrawal(&mut self) {
        self.press(NEXT, "4/10", 3_000);
        self.press("3", "Encerrados", 1_500);
        self.press("n", "Novo saque", 1_000);
        self.type_out("100000", "988,50", 1_000);
        self.press("\t\t", "Ctrl-N", 1_500);
        self.press("\x0e", "+5511987654321", 1_500);
        self.walk.tui.press("\x13");
        self.walk.wait_alive("[ Voltar ]", "( Sacar R$ 1.000,00 )");
        self.frame(4_500);
        self.mark("a revisão");
        self.press("\t", "[ Sacar R$ 1.000,00 ]", 1_200);
        self.press("\r", "5/10", 2_500);
        self.walk.tui.wait_for("s   reenviar");
        self.frame(5_000);
        self.mark("sem resposta");
        self.walk.tui.press("s");
        self.walk.wait_alive("[ Voltar ]", "( Reenviar R$ 1.000,00 )");
        self.frame(2_500);
        self.press("\t", "[ Reenviar R$ 1.000,00 ]", 1_000);
        self.press("\r", "6/10", 5_000);
        self.mark("pago uma vez só");
    }

    fn charge(&mut self) {
        self.press(NEXT, "7/10", 3_000);
        self.press("4", "Pix Copia e Cola", 1_500);
        self.press("n", "Nova cobrança direta", 1_000);
        self.type_out("6500", "R$ 65,00", 400);
        for (field, typed) in [
            ("\t", "Bolo de cenoura"),
            ("\t", "Davi Rocha"),
            ("\t", "davi@rocha.example"),
            ("\t\t", "11144477735"),
        ] {
            self.press(field, "Nova cobrança direta", 200);
            self.type_out(typed, typed, 300);
        }
        self.press("\x13", "8/10", 500);
        self.rest(3_500);
        self.mark("uma cobrança");
        self.press("Q", "▀", 3_500);
        self.press("\x1b", "8/10", 1_000);
    }

    fn domain(&mut self) {
        self.press(NEXT, "9/10", 2_500);
        self.press("2", "Onde os seus links abrem", 4_500);
        self.mark("um domínio fora do ar");
        self.press(NEXT, "10/10", 5_000);
        self.mark("de volta");
    }

    /// Writes the cast, unless the one that is there was only looked at.
    fn end(mut self) {
        self.times.0 = self.times.1;
        self.line("o", "\x1b[m\x1b[?25h\x1b[?1049l");
        assert!(self.times.0 < LONGEST, "{} ms", self.times.0);
        if !is_writing() {
            assert_eq!(self.marks, self.kept.len());
        } else {
            let cast = self.lines.join("\n") + "\n";
            self.walk.assert_names_no_machine(&cast);
            fs::write(file(), cast).unwrap();
        }
    }
}

impl Cast {
    /// Presses a key, and shows what it brings for so many milliseconds.
    #[track_caller]
    fn press(&mut self, key: &str, brings: &str, pause: u64) {
        self.walk.press(key, brings);
        self.frame(pause);
    }

    /// Shows for so many milliseconds what comes beside a list when the cursor has rested.
    fn rest(&mut self, pause: u64) {
        self.walk.wait_beside();
        self.frame(pause);
    }

    /// Types a text, a letter a frame.
    #[track_caller]
    fn type_out(&mut self, text: &str, brings: &str, pause: u64) {
        if !is_writing() {
            return self.press(text, brings, pause);
        }
        for letter in text.chars() {
            self.walk.tui.type_text(&letter.to_string());
            self.frame(LETTER);
        }
        self.walk.tui.wait_for(brings);
        self.frame(pause);
    }

    /// Shows the screen as it is for so many milliseconds.
    fn frame(&mut self, pause: u64) {
        if is_writing() {
            self.walk.wait_quiet();
            let now = self.walk.shown();
            let change = now.screen().contents_diff(self.before.screen());
            self.times.0 = self.times.1;
            self.line("o", &change);
            self.before = now;
        }
        self.times.1 += pause;
    }

    /// Names the place in the cast, or holds the kept cast against what is on the screen.
    #[track_caller]
    fn mark(&mut self, name: &str) {
        if is_writing() {
            self.line("m", name);
        } else {
            let (kept_name, kept) = &self.kept[self.marks];
            assert_eq!(kept_name, name);
            let said = |screen: &vt100::Screen| lasting(&svg::drawn(screen, "", svg::DARK));
            let wanted = said(kept.screen());
            hold(&self.walk.tui, name, &wanted, || said(self.walk.shown().screen()));
        }
        self.marks += 1;
    }

    fn line(&mut self, kind: &str, text: &str) {
        let (seconds, millis) = (self.times.0 / 1_000, self.times.0 % 1_000);
        let text = serde_json::to_string(text).unwrap();
        self.lines.push(format!("[{seconds}.{millis:03}, \"{kind}\", {text}]"));
    }
}

/// The words of a screen but for its notice, which is gone after a while, and for the key beside a
/// caption: on the first frame it may still be the one of the screen before.
fn lasting(svg: &str) -> Vec<String> {
    let notice = format!(" y=\"{}\"", svg::baseline(SIZE.1 - 2));
    let lines = mask::masked(svg).into_iter().filter(|line| !line.contains(&notice));
    lines.map(|line| line.replace("Space ›", "F0 ›")).collect()
}

/// The screens at the marks of a cast.
fn marked(cast: &str) -> Vec<(String, vt100::Parser)> {
    let mut screen = blank();
    let mut marks = Vec::new();
    for line in cast.lines().skip(1) {
        let (_, kind, text): (f64, String, String) = serde_json::from_str(line).unwrap();
        if kind == "o" {
            screen.process(text.as_bytes());
            continue;
        }
        let mut at_mark = blank();
        at_mark.process(screen.screen().state_formatted().as_bytes());
        marks.push((text, at_mark));
    }
    marks
}

fn blank() -> vt100::Parser {
    let [columns, rows] = [SIZE.0, SIZE.1].map(|count| count.try_into().unwrap());
    vt100::Parser::new(rows, columns, 0)
}

fn file() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo.cast"))
}
