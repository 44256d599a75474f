use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::*;
use crate::recording::{self, Event, FileRecording, Header, Outcome, Recording, rows_of};
use crate::words::Lang;

const SIZE: Size = Size {
    columns: 120,
    rows: 30,
};

fn ms(at: u64) -> Duration {
    Duration::from_millis(at)
}

/// A recording of screens with these times and texts, and what `record` adds.
fn bytes(frames: &[(u64, &str)], record: impl FnOnce(&mut FileRecording<&mut Vec<u8>>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let header = Header {
        version: "9.9.9".into(),
        ..Header::default()
    };
    let mut file = FileRecording::start(&mut bytes, &header).unwrap();
    let size = recording::Size {
        columns: 30,
        rows: 3,
    };
    for (at, text) in frames {
        let mut buffer = Buffer::empty(Rect::new(0, 0, size.columns, size.rows));
        buffer.set_string(0, 0, text, Style::new());
        buffer.set_string(0, 2, "rodapé", Style::new());
        file.frame(ms(*at), size, rows_of(&buffer)).unwrap();
    }
    record(&mut file);
    file.flush().unwrap();
    bytes
}

fn player(bytes: Vec<u8>) -> Player {
    let cursor = Cursor::new(Recording::open(bytes).unwrap());
    Player::new(cursor, Catalogue::of(Lang::Pt), SIZE)
}

/// A recording with four screens, two events of a request and a mark.
fn sample() -> Player {
    let frames = [(0, "Links"), (1_000, "Saques"), (2_000, "Ações")];
    player(bytes(&frames, |file| {
        let request = Event::Request {
            id: "r7".into(),
            operation: "criar link".into(),
            outcome: Outcome::Failed("sem resposta".into()),
        };
        file.event(ms(2_500), Event::Key("Enter".into())).unwrap();
        file.event(ms(3_000), request).unwrap();
        file.event(ms(70_000), Event::Mark).unwrap();
    }))
}

#[test]
fn player_begins_at_the_first_screen() {
    let bytes = bytes(&[], |file| {
        file.event(ms(0), Event::Message("started".into())).unwrap();
        let mut buffer = Buffer::empty(Rect::new(0, 0, 30, 1));
        buffer.set_string(0, 0, "Links", Style::new());
        let size = recording::Size {
            columns: 30,
            rows: 3,
        };
        file.frame(ms(5), size, rows_of(&buffer)).unwrap();
    });
    assert_eq!(shown(&player(bytes)).0, "Links");
}

fn press(player: &mut Player, keys: &str, now: Duration) {
    for key in keys.split(' ') {
        assert_eq!(player.key(key.parse().unwrap(), now), Flow::Stay, "{key}");
    }
}

fn rows(player: &Player) -> Vec<String> {
    let mut buffer = Buffer::empty(Rect::new(0, 0, player.size.columns, player.size.rows));
    player.draw(&mut buffer);
    let rows = buffer.content.chunks(usize::from(player.size.columns));
    let text = |row: &[ratatui::buffer::Cell]| row.iter().map(|cell| cell.symbol()).collect();
    rows.map(|row| {
        let text: String = text(row);
        text.trim_end().to_owned()
    })
    .collect()
}

/// The text in the first row, and the status row.
fn shown(player: &Player) -> (String, String) {
    let rows = rows(player);
    (rows[0].clone(), rows[rows.len() - 1].trim().to_owned())
}

#[test]
fn keys_step_and_jump() {
    let mut player = sample();
    for (key, screen, time) in [
        ("Left", "Links", "00:00.0"),
        ("Right", "Saques", "00:01.0"),
        ("Right", "Ações", "00:02.0"),
        ("Right", "Ações", "00:02.0"),
        ("Left", "Saques", "00:01.0"),
        ("Down", "Ações", "00:02.5"),
        ("x", "Ações", "00:03.0"),
        ("m", "Ações", "01:10.0"),
        ("R", "Ações", "00:03.0"),
        ("Up", "Ações", "00:02.5"),
        ("Home", "Links", "00:00.0"),
        ("M", "Links", "00:00.0"),
        ("End", "Ações", "01:10.0"),
        ("/ a c o e s Enter", "Ações", "01:10.0"),
        ("N", "Ações", "00:02.0"),
        ("t 0 : 0 1 Enter", "Saques", "00:01.0"),
        ("t 9 9 9 Backspace Backspace Enter", "Ações", "00:03.0"),
        ("t 1 : x Enter", "Ações", "00:03.0"),
    ] {
        press(&mut player, key, ms(0));
        let (shown_screen, status) = shown(&player);
        assert_eq!(shown_screen, screen, "{key}");
        let expected = format!("{time} / 01:10.0  pausado  tela ");
        assert!(status.starts_with(&expected), "{key}: {status}");
    }
}

#[test]
fn quit_keys_quit_unless_a_text_is_typed() {
    let mut player = sample();
    press(&mut player, "/ q", ms(0));
    assert!(shown(&player).1.starts_with("Procurar na tela: q_"));
    press(&mut player, "Esc", ms(0));
    assert!(shown(&player).1.contains("pausado"));
    for key in ["q", "Esc", "Ctrl-C"] {
        assert_eq!(player.key(key.parse().unwrap(), ms(0)), Flow::Quit, "{key}");
    }
}

#[test]
fn missing_goal_is_said_until_the_next_key() {
    let mut player = sample();
    press(&mut player, "M", ms(0));
    assert!(shown(&player).1.ends_with("Não há outro."));
    press(&mut player, "e", ms(0));
    assert!(!shown(&player).1.contains("Não há outro."));
}

#[test]
fn playing_wakes_when_due_and_paused_never() {
    let mut player = sample();
    assert_eq!(player.next_pulse(ms(500)), None);
    press(&mut player, "Space", ms(500));
    assert_eq!(player.next_pulse(ms(500)), Some(ms(1_000)));
    assert_eq!(player.next_pulse(ms(1_200)), Some(ms(300)));
    player.pulse(ms(1_400));
    assert_eq!(shown(&player).0, "Links", "it is not due");
    player.pulse(ms(1_500));
    assert_eq!(shown(&player).0, "Saques");
    assert_eq!(player.next_pulse(ms(1_500)), Some(ms(1_000)));
    // At twice the speed, the rest of the second takes half a second.
    press(&mut player, "+", ms(1_500));
    assert_eq!(player.next_pulse(ms(1_500)), Some(ms(500)));
    assert!(shown(&player).1.contains("tocando  200%"));
    player.pulse(ms(600_000));
    assert!(shown(&player).1.starts_with("01:10.0 / 01:10.0  pausado"));
    assert_eq!(player.next_pulse(ms(600_000)), None);
    press(&mut player, "Space", ms(600_000));
    assert_eq!(player.next_pulse(ms(600_000)), None, "it is at the end");
}

#[test]
fn step_while_playing_pauses() {
    let mut player = sample();
    press(&mut player, "Space Right", ms(0));
    assert_eq!(player.next_pulse(ms(0)), None);
    assert!(shown(&player).1.contains("pausado  tela 2 de 3"));
}

#[test]
fn details_show_the_event_and_its_exchange() {
    let mut player = sample();
    press(&mut player, "x e", ms(0));
    let text = rows(&player).join("\n");
    for expected in [
        "Gravação do balcão 9.9.9",
        "00:03.0 solicitação r7: criar link,",
        "falhou (sem resposta)",
        "00:02.5 tecla Enter",
        "r R solicitação",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains("aqui deu errado"), "that comes later");
    assert!(text.starts_with("Ações"), "the screen stays beside them");
}

#[test]
fn smaller_terminal_shows_each_part() {
    let mut player = sample();
    player.resize(Size {
        columns: 200,
        rows: 3,
    });
    assert_eq!(rows(&player)[..2], ["Links", ""]);
    assert!(shown(&player).1.contains("só uma parte da tela"));
    press(&mut player, "Tab", ms(0));
    assert_eq!(rows(&player)[..2], ["", "rodapé"]);
    press(&mut player, "Tab", ms(0));
    assert_eq!(rows(&player)[..2], ["Links", ""]);
    player.resize(Size {
        columns: 28,
        rows: 4,
    });
    assert_eq!(player.parts(), [[0, 0], [2, 0]]);
    press(&mut player, "Tab", ms(0));
    assert_eq!(rows(&player)[0], "nks");
    for (columns, rows) in [(1, 1), (0, 0), (5, 2)] {
        player.resize(Size { columns, rows });
        press(&mut player, "Tab e e", ms(0));
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        player.draw(&mut buffer);
    }
}

#[test]
fn faults_and_empty_files_are_said() {
    let mut cut = bytes(&[(0, "Links"), (9, "Saques")], |_| ());
    let header = cut.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let empty = player(cut[..header].to_vec());
    assert!(shown(&empty).1.contains("Não há nenhuma tela"));
    let whole = cut.len();
    cut.extend_from_within(header..whole - 1);
    let player = player(cut);
    assert!(shown(&player).1.contains("Falta o fim do arquivo."));
    assert_eq!(shown(&player).0, "Links");
}

#[test]
fn hostile_header_and_names_are_drawn() {
    let header = br#"{"balcaoRecording":1,"started":9223372036854775807,"utcOffsetS":-2147483648,
        "version":"\u001b[2J","lang":"\u202e","theme":"\u0007"}"#;
    let mut file: Vec<u8> = header
        .iter()
        .copied()
        .filter(|byte| *byte != b'\n')
        .collect();
    let body = bytes(&[(0, "Links")], |file| {
        let name = "\u{1b}]52;c;x\u{7}".repeat(90);
        file.event(ms(4_294_967_295), Event::Effect(name.into()))
            .unwrap();
    });
    let start = body.iter().position(|byte| *byte == b'\n').unwrap();
    file.extend(&body[start..]);
    let mut player = player(file);
    press(&mut player, "e End Space", ms(u64::MAX));
    let text = rows(&player).join("\n");
    assert!(text.contains("Gravação do balcão ␛[2J"), "{text}");
    assert!(text.contains("␛]52;c;x␇␛]52"), "{text}");
    assert!(text.contains("1193:02:47.2"), "{text}");
}

#[test]
fn long_search_can_be_ended() {
    let frames: Vec<_> = (0..3_000).map(|at| (at, format!("tela {at}"))).collect();
    let frames: Vec<_> = frames.iter().map(|(at, text)| (*at, &**text)).collect();
    let mut player = player(bytes(&frames, |_| ()));
    press(&mut player, "/ t e l a Space 2 9 9 9 Enter", ms(0));
    assert!(shown(&player).1.contains("procurando"));
    assert_eq!(player.next_pulse(ms(0)), Some(ms(0)));
    press(&mut player, "Esc", ms(0));
    assert_eq!(player.next_pulse(ms(0)), None);
    assert_eq!(shown(&player).0, "tela 0");
    press(&mut player, "n", ms(0));
    while player.next_pulse(ms(0)).is_some() {
        player.pulse(ms(0));
    }
    assert_eq!(shown(&player).0, "tela 2999");
}

#[test]
fn typed_time_is_seconds_minutes_or_hours() {
    for (text, expected) in [
        ("7", Some(7_000)),
        ("1:30", Some(90_000)),
        ("1:00:01", Some(3_601_000)),
        ("0:90", Some(90_000)),
        ("1:2:3:4", None),
        (":", None),
        ("-1", None),
        ("99999999", None),
    ] {
        assert_eq!(parse_time(text), expected, "{text}");
    }
}
