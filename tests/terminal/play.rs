//! Tests of `balcao play`.

use std::path::PathBuf;
use std::time::Duration;

use balcao::recording::{Event, FileRecording, Header, Size, rows_of};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run;

/// Writes a recording of three screens and a mark. Returns its path.
pub fn record(home: &TestHome) -> PathBuf {
    let path = home.home_dir().join("gravação");
    let file = std::fs::File::create(&path).unwrap();
    let mut recording = FileRecording::start(file, &Header::default()).unwrap();
    let size = Size {
        columns: 40,
        rows: 5,
    };
    for (at, text) in [(0, "Links"), (1_000, "Saques"), (2_000, "Domínios")] {
        let mut buffer = Buffer::empty(Rect::new(0, 0, size.columns, size.rows));
        buffer.set_string(2, 1, text, Style::new());
        let at = Duration::from_millis(at);
        recording.frame(at, size, rows_of(&buffer)).unwrap();
    }
    recording
        .event(Duration::from_secs(3), Event::Mark)
        .unwrap();
    recording.flush().unwrap();
    path
}

#[test]
fn recording_is_stepped_and_left() {
    let home = TestHome::new();
    let path = record(&home);
    let mut tui = Launch::new(&home)
        .args(&["play", path.to_str().unwrap(), "--lang", "pt-BR"])
        .size(90, 12)
        .start();
    tui.wait_for("tela 1 de 3");
    tui.wait_for("  Links");
    tui.type_text("\x1b[C");
    tui.wait_for("  Saques");
    tui.type_text("\x1b[D");
    tui.wait_for("  Links");
    assert!(tui.becomes_idle(50), "a paused player sleeps");
    tui.type_text(" ");
    tui.wait_for("00:03.0 / 00:03.0  pausado");
    tui.type_text("me");
    tui.wait_for("marca: aqui deu errado");
    tui.type_text("q");
    assert!(tui.wait_exit().success());
    assert_eq!(tui.active_modes(), [""; 0]);
}

#[test]
fn screen_and_cast_are_printed() {
    let home = TestHome::new();
    let path = record(&home);
    let path = path.to_str().unwrap();
    let print = |args: &[&str]| {
        let args = [&["play", path, "--lang", "en"], args].concat();
        let output = run::output(&mut run::command(&home, &args));
        let [out, err] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code().unwrap(), out, err)
    };
    let text = "\n  Saques\n\n\n\n".to_owned();
    assert_eq!(print(&["--screen", "2"]), (0, text, String::new()));
    let (code, _, err) = print(&["--screen", "4"]);
    assert_eq!(code, 2);
    assert!(err.contains("Screen 4 cannot be shown: the recording has 3."));
    let (code, cast, _) = print(&["--cast"]);
    assert_eq!(code, 0);
    assert!(
        cast.starts_with(r#"{"version":2,"width":40,"height":5,"#),
        "{cast}"
    );
    assert_eq!(cast.lines().count(), 4, "{cast}");
    let bytes = std::fs::read(path).unwrap();
    std::fs::write(path, &bytes[..bytes.len() - 1]).unwrap();
    let (code, _, err) = print(&["--cast"]);
    assert_eq!(code, 0);
    assert!(err.contains("The end of the file is missing."), "{err}");
    std::fs::write(path, "{}").unwrap();
    let (code, _, err) = print(&["--cast"]);
    assert_eq!(code, 2);
    assert!(err.contains("is not a recording of balcão"), "{err}");
}
