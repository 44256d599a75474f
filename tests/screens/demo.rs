//! Tests of the demo: its commands in the command palette, and the captions of its guided story.

use balcao::app::ui::action::Action;

use balcao::app::screens::Layer;
use balcao::app::screens::qr::Qr;
use balcao::app::store::commands;
use balcao::app::store::faults::{ArmedFault, FaultKind};
use balcao::app::ui::input::{Code, Input, Key};
use balcao::app::{DemoSetup, Effect, Model, Msg, Size};
use balcao::demo::FAULTS;
use balcao::trade::{NoAnswer, Withdrawal};
use balcao::view::Theme;
use balcao::words::Lang;

use crate::models::{
    buffer, layer_model, model, perform_action, render_with_theme, screen_text, send_message, text,
    with_change, with_qr_code, withdrawal,
};
use crate::models_money::replies::no_answer;
use crate::qr;

fn demo_model(lang: Lang) -> Model {
    into_demo(model(lang), lang)
}

/// Turns the app model into a demo. The command palette then contains the demo's commands.
pub fn into_demo(mut model: Model, lang: Lang) -> Model {
    let faults: Vec<&str> = FAULTS.iter().map(|(name, _)| *name).collect();
    model.setup.labels = commands::items(lang, &faults, &Theme::NAMES)
        .into_iter()
        .collect();
    model.setup.demo = Some(DemoSetup {
        starts_over: true,
        ..DemoSetup::default()
    });
    model
}

/// Returns the demo's app model with an open command palette. Its search field contains `letters`.
fn palette_with_query(lang: Lang, letters: &str) -> Model {
    with_palette_query(demo_model(lang), letters)
}

pub fn with_palette_query(mut model: Model, letters: &str) -> Model {
    perform_action(&mut model, Action::Palette);
    for c in letters.chars() {
        send_message(
            &mut model,
            Msg::Input(Input::Key(Key::plain(Code::Char(c)))),
        );
    }
    model
}

fn screen_text_at(model: &Model, columns: u16, rows: u16) -> String {
    text(&buffer(model, columns, rows))
}

#[test]
fn palette_finds_demo_commands_by_group() {
    let screens = ["falha", "sandbox", "roteiro"]
        .map(|group| screen_text_at(&palette_with_query(Lang::Pt, group), 80, 24));
    insta::assert_snapshot!("palette-demo-pt-BR", screens.join("\n"));
}

fn armed_fault(name: &str, times: Option<u32>) -> ArmedFault {
    ArmedFault {
        what: FaultKind::Named(name.into()),
        times,
    }
}

#[test]
fn palette_shows_armed_faults() {
    let set_armed_faults = |model: &mut Model, faults: Vec<ArmedFault>| {
        assert_eq!(send_message(model, Msg::FaultsArmed(faults)), vec![]);
    };
    let mut model = palette_with_query(Lang::Pt, "sandbox");
    let remove_command = "Sandbox: retirar as falhas";
    assert!(
        !screen_text_at(&model, 80, 24).contains(remove_command),
        "there is nothing to take away"
    );
    let unnamed_fault = ArmedFault {
        what: FaultKind::Other("domains: status 503".into()),
        times: Some(1),
    };
    let three_faults = vec![
        armed_fault("lose-answer", Some(1)),
        armed_fault("refuse", None),
        unnamed_fault,
    ];
    set_armed_faults(&mut model, three_faults.clone());
    let screen = screen_text_at(&model, 80, 24);
    assert!(screen.contains(remove_command), "{screen}");
    let five_faults = [
        three_faults,
        vec![
            armed_fault("slow", Some(3)),
            armed_fault("no-quote", Some(1)),
        ],
    ]
    .concat();
    set_armed_faults(&mut model, five_faults);
    let small_screen = screen_text_at(&model, 60, 18);
    insta::assert_snapshot!(
        "palette-armed",
        [screen, screen_text_at(&model, 80, 24), small_screen].join("\n")
    );
    set_armed_faults(&mut model, vec![]);
    let screen = screen_text_at(&model, 80, 24);
    assert!(
        !screen.contains("Ativa") && !screen.contains(remove_command),
        "{screen}"
    );
}

#[test]
fn caption_replaces_the_rule_and_moves_nothing() {
    let caption = "O dinheiro saiu? O programa não adivinha. r envia com a mesma chave.";
    let open_withdrawal: Withdrawal = withdrawal(1, Some(no_answer(NoAnswer::Cut)));
    let mut model = with_change(demo_model(Lang::Pt), |model| {
        model.withdrawals = Default::default()
    });
    model.withdrawals.open = vec![open_withdrawal];
    let before = screen_text(&model);
    model.story.notify(&caption.into(), (5, 9));
    let after = screen_text(&model);
    insta::assert_snapshot!("caption", after);
    assert!(after.contains(caption));
    let differing = before
        .lines()
        .zip(after.lines())
        .filter(|(before, after)| before != after);
    assert_eq!(differing.count(), 1);
    model.story.silent = true;
    assert_eq!(screen_text(&model), before);
}

#[test]
fn caption_bar_shows_progress_and_next_key() {
    let mut model = demo_model(Lang::Pt);
    model.story.playing = true;
    model.story.notify(&"Pago.".into(), (3, 9));
    let caption_row = |model: &Model| screen_text(model).lines().nth(2).unwrap().to_owned();
    let row = caption_row(&model);
    assert!(
        row.starts_with(" 3/9  Pago. ") && row.ends_with("Space ›"),
        "{row}"
    );
    // This caption fills its whole row, so the key hint must move to the next row.
    let long_caption = format!("{}ab", "um ".repeat(23));
    model.story.notify(&long_caption.as_str().into(), (10, 10));
    assert_eq!(
        caption_row(&model).trim_end(),
        format!(" 10/10  {}", ["um"; 21].join(" "))
    );
    let second_row = screen_text(&model).lines().nth(3).unwrap().to_owned();
    assert!(
        second_row.starts_with("        um um ab ") && second_row.ends_with("Space ›"),
        "{second_row}"
    );
    model.story.playing = false;
    assert_eq!(
        caption_row(&model).trim_end(),
        format!(" 10/10  {long_caption}")
    );
    model.story.notify(&"Pago.".into(), (3, 9));
    assert_eq!(caption_row(&model).trim_end(), " 3/9  Pago.");
}

#[test]
fn a_longer_caption_has_further_rows_up_to_three() {
    let mut model = demo_model(Lang::Pt);
    model.story.playing = true;
    let caption = "Nada aqui é dinheiro de verdade. 1 e n: um valor, uma descrição e Ctrl-S criam \
                 um link; veja que ele já sai copiado.";
    model.story.notify(&caption.into(), (3, 17));
    let screen = screen_text(&model);
    insta::assert_snapshot!("caption-two-rows", screen);
    let rows: Vec<&str> = screen.lines().skip(2).take(2).collect();
    assert!(rows[1].ends_with(" Space ›"), "{rows:?}");
    let shown_caption = rows
        .join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(shown_caption.contains(caption), "{shown_caption}");
    // The caption may take three rows at 60x18, and its whole text must be visible there.
    let small_screen = screen_text_at(&model, 60, 18);
    let rows: Vec<&str> = small_screen.lines().skip(2).take(3).collect();
    let shown_caption = rows
        .join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(
        shown_caption.contains(caption) && rows[2].ends_with(" Space ›"),
        "{small_screen}"
    );
    model
        .story
        .notify(&"muito ".repeat(50).as_str().into(), (3, 17));
    assert!(
        screen_text(&model).lines().nth(4).unwrap().contains('…'),
        "more is no caption"
    );
}

#[test]
fn wide_window_limits_caption_width_not_its_bar() {
    let mut model = demo_model(Lang::Pt);
    model.story.playing = true;
    model
        .story
        .notify(&"sete sete ".repeat(14).as_str().into(), (3, 17));
    let screen = screen_text_at(&model, 200, 60);
    let caption_rows: Vec<&str> = screen.lines().skip(2).take(2).collect();
    assert!(
        caption_rows[0].starts_with(" 3/17  sete") && caption_rows[1].ends_with("Space ›"),
        "{caption_rows:?}"
    );
    assert!(
        caption_rows
            .iter()
            .all(|row| (80..=88).contains(&row.chars().count())),
        "{caption_rows:?}"
    );
    let buffer = render_with_theme(&model, &Theme::named("dark").unwrap(), 200, 60);
    let backgrounds: Vec<_> = (0..200).map(|x| buffer[(x, 3)].bg).collect();
    assert!(
        backgrounds
            .iter()
            .all(|background| *background == backgrounds[0]),
        "{backgrounds:?}"
    );
    assert_ne!(backgrounds[0], buffer[(0, 5)].bg);
}

#[test]
fn full_screen_code_keeps_the_caption_rows() {
    let url = "http://loja-da-ana.localhost:41873/checkout/link-7f3k2q";
    let mut model = layer_model(Lang::Pt, Layer::Qr(Qr::of(url)));
    model.story.playing = true;
    model.story.notify(&"O QR Code está aí.".into(), (2, 9));
    insta::assert_snapshot!("caption-qr", screen_text(&model));
    for (columns, rows) in [(80, 24), (80, 20), (120, 40)] {
        let buffer = render_with_theme(&model, &Theme::default(), columns, rows);
        assert!(
            text(&buffer).starts_with(" 2/9  O QR Code está aí."),
            "{}",
            text(&buffer)
        );
        assert_eq!(
            qr::read_qr_code(&buffer).as_deref(),
            Some(url),
            "{columns}x{rows}"
        );
    }
    // Find the shortest terminal in which the QR code fits. The caption must be hidden there,
    // because the code needs all rows.
    let rows = (18..24)
        .find(|rows| qr::read_qr_code(&buffer(&model, 80, *rows)).is_some())
        .unwrap();
    assert!(!screen_text_at(&model, 80, rows).contains("2/9"));
    assert!(screen_text_at(&model, 80, rows + 1).contains("2/9"));
    // The key that continues the story must do nothing while the caption is hidden.
    for (rows, continues) in [(rows, false), (rows + 1, true)] {
        let size = Size { columns: 80, rows };
        let mut model = with_qr_code(with_change(model.clone(), |model| model.size = size));
        let effects = send_message(
            &mut model,
            Msg::Input(Input::Key(Key::plain(Code::Char(' ')))),
        );
        assert_eq!(
            effects.contains(&Effect::Demo(commands::Command::StoryNext)),
            continues
        );
    }
}

#[test]
fn caption_prints_no_control_characters() {
    let mut model = demo_model(Lang::Pt);
    for hostile in ["\u{1b}[2J\u{202e}\u{9b}31m".repeat(30), "語".repeat(90)] {
        model.story.caption = Some(hostile.as_str().into());
        for (columns, rows) in [(80, 24), (60, 18)] {
            let screen = screen_text_at(&model, columns, rows);
            assert!(!screen.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'));
        }
        let caption_row = screen_text(&model).lines().nth(2).unwrap().to_owned();
        assert!(
            !caption_row.contains('\u{1b}')
                && unicode_width::UnicodeWidthStr::width(&*caption_row) <= 80
        );
    }
}

/// Presses keys in a demo that displays all pressed keys. Returns the screen's text.
fn screen_with_pressed_keys(keys: &str, size: (u16, u16)) -> String {
    let mut model = demo_model(Lang::Pt);
    model.setup.demo.as_mut().unwrap().show_keys = true;
    for key in keys.split_whitespace() {
        let key = key.parse().unwrap();
        send_message(&mut model, Msg::Input(Input::Key(key)));
    }
    screen_text_at(&model, size.0, size.1)
}

#[test]
fn pressed_keys_are_shown_beside_the_badges() {
    let keys = "1 Down Down n 4 9 9 0 Tab B o n é Shift-Tab";
    let screens = [(80, 24), (120, 40), (60, 18)].map(|size| screen_with_pressed_keys(keys, size));
    insta::assert_snapshot!("shown-keys", screens.join("\n"));
}
