//! Makes `assets/demo.cast`, a recording of the demo's guided story in asciinema format 2.
//!
//! A script presses the keys. It also sets the times in the recording, so that they are the same on
//! every machine. Without `BALCAO_WRITE_PICTURES`, the test compares the stored recording with the
//! app.

use std::fs;
use std::path::PathBuf;

use super::{Walk, is_writing, mask, svg, wait_until_equal};

/// The terminal's columns and rows. There is room for the caption of the story, and for details
/// beside a list.
const SIZE: (u16, u16) = (120, 36);

/// The first row of the list, which is below the story's caption, and the list's width in columns.
/// The details are to the right of the list.
const LIST: (u16, u16) = (5, 60);

/// The maximum length of the recording in milliseconds.
const MAX_LENGTH_MS: u64 = 150_000;

/// How long the recording shows each typed letter, in milliseconds.
const LETTER_MS: u64 = 90;

/// The key F8, which continues the story.
const CONTINUE_KEY: &str = "\x1b[19~";

#[test]
fn recording_matches_the_story() {
    let mut cast = Cast::start();
    cast.record_link();
    cast.record_list();
    cast.record_withdrawal();
    cast.record_lost_reply();
    cast.record_charge();
    cast.record_last_steps();
    cast.finish();
}

/// A scripted run of the demo's guided story, and its recording.
struct Cast {
    walk: Walk,
    /// The screen as of the last recorded frame.
    last_screen: vt100::Parser,
    /// The times of the last recorded frame and of the next frame, in milliseconds.
    frame_times: (u64, u64),
    lines: Vec<String>,
    /// The marks in the stored recording. Each has a name, and the screen at this point of the
    /// recording.
    stored_marks: Vec<(String, vt100::Parser)>,
    mark_count: usize,
}

impl Cast {
    fn start() -> Cast {
        let stored = fs::read_to_string(cast_path()).unwrap_or_default();
        let stored_marks = if is_writing() {
            Vec::new()
        } else {
            read_marks(&stored)
        };
        let walk = Walk::open("default", "pt-BR", SIZE);
        let head = format!(
            "{{\"version\": 2, \"width\": {}, \"height\": {}, \
             \"title\": \"balcão: a história da demonstração\"}}",
            SIZE.0, SIZE.1
        );
        let mut cast = Cast {
            walk,
            last_screen: blank_screen(),
            frame_times: (0, 0),
            lines: vec![head],
            stored_marks,
            mark_count: 0,
        };
        cast.add_line("o", "\x1b[?1049h\x1b[H\x1b[2J");
        cast.record_frame(2_500);
        cast.press("\r", "● sessão ativa", 1_500);
        cast.press("\x0b", "O que dá para fazer agora", 800);
        cast.type_out("história", "História: começar", 1_000);
        cast.press("\r", "Nada aqui é dinheiro", 500);
        cast.show_details(3_500);
        cast.add_mark("a história");
        cast
    }

    fn record_link(&mut self) {
        self.press("n", "Novo link de pagamento", 1_200);
        self.type_out("4990", "R$ 49,90", 500);
        self.press("\t", "Descrição", 300);
        self.type_out("Camiseta azul M", "Camiseta azul M", 800);
        self.press("\x13", "O link está pronto", 500);
        self.show_details(3_500);
        self.add_mark("um link");
        self.show_full_screen_code("Q", " 1/5", 2_500);
        self.press("\x1b", "Y mensagem", 500);
        self.continue_story("Um comprador pagou", 2_000);
        self.press("\x1b", "q fechar", 500);
        self.wait_until_not_highlighted();
        self.show_details(3_500);
        self.add_mark("pago no sandbox");
    }

    fn record_list(&mut self) {
        self.continue_story("Recebeu", 3_000);
        // Select the link below the first link, because the first link is already paid.
        self.press("\x1b[B", "Aqui o sandbox avisa", 500);
        self.press("p", "pago por você (", 1_500);
        self.press("P", "não marcados como pagos", 1_200);
        self.walk.tui.press("P");
        self.walk.tui.wait_until("those that are marked", |screen| {
            let text = screen.contents();
            text.contains("✓ pagos · ")
        });
        self.show_details(3_000);
        self.add_mark("marcas e filtros");
        self.press("\x1b", "61 links", 800);
        self.continue_story("Para o comprador:", 2_000);
        self.press("Y", ": mensagem para o comprador", 2_500);
        self.continue_story("saiu do ar", 1_500);
        self.press("2", "ainda não ativo", 1_500);
        self.press("\x1b[B", "pending_ssl", 3_500);
        self.add_mark("um domínio fora do ar");
    }

    fn record_withdrawal(&mut self) {
        self.continue_story("O domínio voltou", 2_000);
        self.press("3", "Encerrados", 1_000);
        self.press("n", "Novo saque", 800);
        self.type_out("100000", "988,50", 1_500);
        self.press("\t", "A taxa vem do serviço", 1_000);
        self.press("\x0e", "+5511987654321", 1_500);
        self.open_review("Sacar R$ 1.000,00", 500);
        self.walk.tui.wait_for("A conferência:");
        self.record_frame(5_000);
        self.add_mark("a revisão");
        self.press("\t", "[ Sacar R$ 1.000,00 ]", 1_000);
        self.walk.press("\r", "mais que isso não se");
        self.walk.tui.wait_for("ACEITO PELO SERVIÇO");
        self.record_frame(2_500);
        self.press("v", "Comprovante de saque", 3_000);
        self.add_mark("o comprovante");
    }

    fn record_lost_reply(&mut self) {
        self.continue_story("Outro saque para o mesmo", 2_000);
        self.walk.tui.press("\x1b");
        self.walk.tui.wait_until_gone("Comprovante de saque");
        self.press("d", "Novo saque", 800);
        self.type_out("20000", "196,90", 1_200);
        self.open_review("Sacar R$ 200,00", 1_500);
        self.press("\t", "[ Sacar R$ 200,00 ]", 800);
        self.press("\r", "O dinheiro saiu?", 1_500);
        self.walk.tui.wait_for("s   reenviar");
        self.record_frame(4_500);
        self.add_mark("sem resposta");
        self.walk.tui.press("s");
        self.walk
            .wait_until_enabled("[ Voltar ]", "( Reenviar R$ 200,00 )");
        self.record_frame(2_000);
        self.press("\t", "[ Reenviar R$ 200,00 ]", 800);
        self.press("\r", "Do lado do banco", 4_000);
        self.add_mark("pago uma vez só");
        self.press("a", "Apelido do destino", 800);
        self.type_out("Tecidos", "Tecidos", 500);
        self.press("\x13", "· Tecidos", 2_500);
    }

    fn record_charge(&mut self) {
        self.continue_story("Para cobrar sem link", 2_500);
        self.press("4", "Pix Copia e Cola", 1_200);
        self.press("n", "Nova cobrança direta", 800);
        self.type_out("6500", "R$ 65,00", 300);
        for (field, typed) in [
            ("\t", "Bolo de cenoura"),
            ("\t", "Davi Rocha"),
            ("\t", "davi@rocha.example"),
            ("\t\t", "11144477735"),
        ] {
            self.press(field, "Nova cobrança direta", 150);
            self.type_out(typed, typed, 250);
        }
        self.press("\x13", "O código Pix está aí", 500);
        // Do not compare this screen, because its QR code contains a random id. The size of the
        // code and the width of the text beside it therefore differ between runs.
        self.show_details(3_000);
        self.show_full_screen_code("Q", " 5/5", 2_500);
        self.press("\x1b", "Vale até", 800);
    }

    fn record_last_steps(&mut self) {
        self.continue_story("Tecle 5:", 2_000);
        // Do not compare this screen. The number of fee requests in its list depends on timing.
        self.press("5", "/direct/payment", 3_500);
        self.continue_story("Tecle 6:", 2_000);
        // Leave out the account pane, because it shows the name of a directory on this machine.
        self.press("?", "Vender", 3_000);
        self.add_mark("as teclas");
        self.press("\x1b", "/direct/payment", 500);
        self.press("\x0b", "O que dá para fazer agora", 3_500);
    }

    /// Writes the recording, or checks that every mark in the stored recording was compared.
    fn finish(mut self) {
        self.frame_times.0 = self.frame_times.1;
        self.add_line("o", "\x1b[m\x1b[?25h\x1b[?1049l");
        assert!(
            self.frame_times.0 < MAX_LENGTH_MS,
            "{} ms",
            self.frame_times.0
        );
        if !is_writing() {
            assert_eq!(self.mark_count, self.stored_marks.len());
        } else {
            let cast = self.lines.join("\n") + "\n";
            self.walk.assert_no_machine_names(&cast);
            fs::write(cast_path(), cast).unwrap();
        }
    }
}

impl Cast {
    /// Presses a key, and waits until the screen shows the text `brings`. The recording shows the
    /// result for `pause` milliseconds.
    #[track_caller]
    fn press(&mut self, key: &str, brings: &str, pause: u64) {
        self.walk.press(key, brings);
        self.record_frame(pause);
    }

    /// Presses F8 to continue the story. Does nothing if the next caption is already shown.
    #[track_caller]
    fn continue_story(&mut self, caption: &str, pause: u64) {
        let is_shown = self
            .walk
            .normalized_screen()
            .screen()
            .contents()
            .contains(caption);
        self.press(if is_shown { "" } else { CONTINUE_KEY }, caption, pause);
    }

    /// Opens a QR code in full-screen mode. Only the story's caption remains above the code.
    #[track_caller]
    fn show_full_screen_code(&mut self, key: &str, caption: &str, pause: u64) {
        self.walk.tui.press(key);
        let is_code_alone = |screen: &vt100::Screen| {
            let text = screen.contents();
            // Wait until the old text in the lower rows is gone, because these rows are drawn last.
            let has_old_text = ["Q QR Code", "Vale até"]
                .iter()
                .any(|below| text.contains(below));
            text.starts_with(caption) && text.contains('▀') && !has_old_text
        };
        self.walk.tui.wait_until("the code alone", is_code_alone);
        self.record_frame(pause);
    }

    /// Submits a form, and waits until the confirm button of the review screen is enabled.
    #[track_caller]
    fn open_review(&mut self, button: &str, pause: u64) {
        self.walk.tui.press("\x13");
        self.walk
            .wait_until_enabled("[ Voltar ]", &format!("( {button} )"));
        self.record_frame(pause);
    }

    /// Waits until the details beside a list show the QR code. The recording shows this for `pause`
    /// milliseconds.
    fn show_details(&mut self, pause: u64) {
        self.walk.wait_for_details();
        self.record_frame(pause);
    }

    /// Waits until a link that was just paid is no longer highlighted.
    #[track_caller]
    fn wait_until_not_highlighted(&self) {
        let is_plain = |screen: &vt100::Screen, y, x| {
            screen
                .cell(y, x)
                .is_some_and(|cell| cell.bgcolor() == vt100::Color::Default)
        };
        self.walk
            .tui
            .wait_until("a list in which nothing stands out", |screen| {
                (LIST.0..SIZE.1).all(|y| (0..LIST.1).all(|x| is_plain(screen, y, x)))
            });
    }

    /// Types text. Each letter is recorded as a frame.
    #[track_caller]
    fn type_out(&mut self, text: &str, brings: &str, pause: u64) {
        if !is_writing() && !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.press(text, brings, pause);
        }
        for letter in text.chars() {
            self.walk.tui.type_text(&letter.to_string());
            // Wait after each letter, because digits that arrive at the same time would look like a
            // paste.
            self.walk.tui.wait_until_idle();
            self.record_frame(LETTER_MS);
        }
        self.walk.tui.wait_for(brings);
        self.record_frame(pause);
    }

    /// Adds the current screen to the recording, which shows it for `pause` milliseconds.
    fn record_frame(&mut self, pause: u64) {
        if is_writing() {
            self.walk.wait_quiet();
            let screen = self.walk.normalized_screen();
            let change = screen.screen().contents_diff(self.last_screen.screen());
            self.frame_times.0 = self.frame_times.1;
            self.add_line("o", &change);
            self.last_screen = screen;
        }
        self.frame_times.1 += pause;
    }

    /// Adds a mark with this name to the recording. A run that writes no recording compares the
    /// screen with the stored recording at this mark.
    #[track_caller]
    fn add_mark(&mut self, name: &str) {
        if is_writing() {
            self.add_line("m", name);
        } else {
            let (stored_name, stored_screen) = &self.stored_marks[self.mark_count];
            assert_eq!(stored_name, name);
            let stable_lines_of =
                |screen: &vt100::Screen| stable_lines(&svg::render(screen, "", svg::DARK));
            let expected = stable_lines_of(stored_screen.screen());
            wait_until_equal(&self.walk.tui, name, &expected, || {
                stable_lines_of(self.walk.normalized_screen().screen())
            });
        }
        self.mark_count += 1;
    }

    fn add_line(&mut self, kind: &str, text: &str) {
        let seconds = self.frame_times.0 / 1_000;
        let millis = self.frame_times.0 % 1_000;
        let text = serde_json::to_string(text).unwrap();
        self.lines
            .push(format!("[{seconds}.{millis:03}, \"{kind}\", {text}]"));
    }
}

/// Returns the lines of a screen, without the notice and without the key beside the story's
/// caption, because these depend on timing.
fn stable_lines(svg: &str) -> Vec<String> {
    let notice = format!(" y=\"{}\"", svg::baseline(SIZE.1 - 2));
    let lines = mask::masked_lines(svg)
        .into_iter()
        .filter(|line| !line.contains(&notice));
    lines.map(|line| line.replace("Space ›", "F0 ›")).collect()
}

/// Plays a recording. Returns its marks, each with its name and with the screen at this point.
fn read_marks(cast: &str) -> Vec<(String, vt100::Parser)> {
    let mut screen = blank_screen();
    let mut marks = Vec::new();
    for line in cast.lines().skip(1) {
        let (_, kind, text): (f64, String, String) = serde_json::from_str(line).unwrap();
        if kind == "o" {
            screen.process(text.as_bytes());
            continue;
        }
        let mut at_mark = blank_screen();
        at_mark.process(screen.screen().state_formatted().as_bytes());
        marks.push((text, at_mark));
    }
    marks
}

fn blank_screen() -> vt100::Parser {
    let [columns, rows] = [SIZE.0, SIZE.1].map(|count| count.try_into().unwrap());
    vt100::Parser::new(rows, columns, 0)
}

fn cast_path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo.cast"))
}
