//! Tests of the demo: its commands in the command palette, and the captions of its guided story.

use balcao::app::ui::action::Action;

use balcao::app::screens::Layer;
use balcao::app::screens::qr::Qr;
use balcao::app::store::commands;
use balcao::app::store::faults::{Armed, FaultKind};
use balcao::app::ui::input::{Code, Input, Key};
use balcao::app::{DemoSetup, Effect, Model, Msg, Size};
use balcao::demo::FAULTS;
use balcao::trade::{NoAnswer, Withdrawal};
use balcao::view::Theme;
use balcao::words::Lang;

use crate::models::{
    altered, asks_for, buffer, model, painted, rested, screen, tell, text, under, withdrawal,
};
use crate::models_money::replies::silent;
use crate::qr;

fn demo(lang: Lang) -> Model {
    in_demo(model(lang), lang)
}

/// Turns the app model into a demo. The command palette then contains the demo's commands.
pub fn in_demo(mut model: Model, lang: Lang) -> Model {
    let faults: Vec<&str> = FAULTS.iter().map(|(name, _)| *name).collect();
    model.setup.labels = commands::items(lang, &faults, &Theme::NAMES).into_iter().collect();
    model.setup.demo = Some(DemoSetup { starts_over: true, ..DemoSetup::default() });
    model
}

/// Returns the demo's app model with an open command palette. These letters are typed into the
/// palette's search field.
fn palette_with(lang: Lang, letters: &str) -> Model {
    typed_over(demo(lang), letters)
}

pub fn typed_over(mut model: Model, letters: &str) -> Model {
    asks_for(&mut model, Action::Palette);
    for c in letters.chars() {
        tell(&mut model, Msg::Input(Input::Key(Key::plain(Code::Char(c)))));
    }
    model
}

fn at(model: &Model, columns: u16, rows: u16) -> String {
    text(&buffer(model, columns, rows))
}

#[test]
fn palette_finds_demo_commands_by_group() {
    let shown =
        ["falha", "sandbox", "roteiro"].map(|group| at(&palette_with(Lang::Pt, group), 80, 24));
    insta::assert_snapshot!("palette-demo-pt-BR", shown.join("\n"));
}

fn in_wait(name: &str, times: Option<u32>) -> Armed {
    Armed { what: FaultKind::Named(name.into()), times }
}

#[test]
fn palette_shows_armed_faults() {
    let told = |model: &mut Model, faults: Vec<Armed>| {
        assert_eq!(tell(model, Msg::FaultsArmed(faults)), vec![]);
    };
    let mut model = palette_with(Lang::Pt, "sandbox");
    let takes_away = "Sandbox: retirar as falhas";
    assert!(!at(&model, 80, 24).contains(takes_away), "there is nothing to take away");
    let other = Armed { what: FaultKind::Other("domains: status 503".into()), times: Some(1) };
    let some = vec![in_wait("lose-answer", Some(1)), in_wait("refuse", None), other];
    told(&mut model, some.clone());
    let shown = at(&model, 80, 24);
    assert!(shown.contains(takes_away), "{shown}");
    let many = [some, vec![in_wait("slow", Some(3)), in_wait("no-quote", Some(1))]].concat();
    told(&mut model, many);
    let low = at(&model, 60, 18);
    insta::assert_snapshot!("palette-armed", [shown, at(&model, 80, 24), low].join("\n"));
    told(&mut model, vec![]);
    let shown = at(&model, 80, 24);
    assert!(!shown.contains("Ativa") && !shown.contains(takes_away), "{shown}");
}

#[test]
fn caption_replaces_the_rule_and_moves_nothing() {
    let words = "O dinheiro saiu? O programa não adivinha. r envia com a mesma chave.";
    let open: Withdrawal = withdrawal(1, Some(silent(NoAnswer::Cut)));
    let mut model = altered(demo(Lang::Pt), |model| model.withdrawals = Default::default());
    model.withdrawals.open = vec![open];
    let before = screen(&model);
    model.story.notify(&words.into(), (5, 9));
    let shown = screen(&model);
    insta::assert_snapshot!("caption", shown);
    assert!(shown.contains(words));
    let differing = before.lines().zip(shown.lines()).filter(|(before, shown)| before != shown);
    assert_eq!(differing.count(), 1);
    model.story.silent = true;
    assert_eq!(screen(&model), before);
}

#[test]
fn caption_bar_shows_progress_and_next_key() {
    let mut model = demo(Lang::Pt);
    model.story.playing = true;
    model.story.notify(&"Pago.".into(), (3, 9));
    let bar = |model: &Model| screen(model).lines().nth(2).unwrap().to_owned();
    let shown = bar(&model);
    assert!(shown.starts_with(" 3/9  Pago. ") && shown.ends_with("Space ›"), "{shown}");
    // This caption fills its whole row, so the key hint must move to the next row.
    let words = format!("{}ab", "um ".repeat(23));
    model.story.notify(&words.as_str().into(), (10, 10));
    assert_eq!(bar(&model).trim_end(), format!(" 10/10  {}", ["um"; 21].join(" ")));
    let below = screen(&model).lines().nth(3).unwrap().to_owned();
    assert!(below.starts_with("        um um ab ") && below.ends_with("Space ›"), "{below}");
    model.story.playing = false;
    assert_eq!(bar(&model).trim_end(), format!(" 10/10  {words}"));
    model.story.notify(&"Pago.".into(), (3, 9));
    assert_eq!(bar(&model).trim_end(), " 3/9  Pago.");
}

#[test]
fn a_longer_caption_has_further_rows_up_to_three() {
    let mut model = demo(Lang::Pt);
    model.story.playing = true;
    let words = "Nada aqui é dinheiro de verdade. 1 e n: um valor, uma descrição e Ctrl-S criam \
                 um link; veja que ele já sai copiado.";
    model.story.notify(&words.into(), (3, 17));
    let shown = screen(&model);
    insta::assert_snapshot!("caption-two-rows", shown);
    let bar: Vec<&str> = shown.lines().skip(2).take(2).collect();
    assert!(bar[1].ends_with(" Space ›"), "{bar:?}");
    let said = bar.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(words), "{said}");
    // The caption may take three rows at 60x18, and its whole text must be visible there.
    let low = at(&model, 60, 18);
    let bar: Vec<&str> = low.lines().skip(2).take(3).collect();
    let said = bar.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(words) && bar[2].ends_with(" Space ›"), "{low}");
    model.story.notify(&"muito ".repeat(50).as_str().into(), (3, 17));
    assert!(screen(&model).lines().nth(4).unwrap().contains('…'), "more is no caption");
}

#[test]
fn wide_window_limits_caption_width_not_its_bar() {
    let mut model = demo(Lang::Pt);
    model.story.playing = true;
    model.story.notify(&"sete sete ".repeat(14).as_str().into(), (3, 17));
    let shown = at(&model, 200, 60);
    let bar: Vec<&str> = shown.lines().skip(2).take(2).collect();
    assert!(bar[0].starts_with(" 3/17  sete") && bar[1].ends_with("Space ›"), "{bar:?}");
    assert!(bar.iter().all(|row| (80..=88).contains(&row.chars().count())), "{bar:?}");
    let painted = painted(&model, &Theme::named("dark").unwrap(), 200, 60);
    let grounds: Vec<_> = (0..200).map(|x| painted[(x, 3)].bg).collect();
    assert!(grounds.iter().all(|ground| *ground == grounds[0]), "{grounds:?}");
    assert_ne!(grounds[0], painted[(0, 5)].bg);
}

#[test]
fn full_screen_code_keeps_the_caption_rows() {
    let url = "http://loja-da-ana.localhost:41873/checkout/link-7f3k2q";
    let mut model = under(Lang::Pt, Layer::Qr(Qr::of(url)));
    model.story.playing = true;
    model.story.notify(&"O QR Code está aí.".into(), (2, 9));
    insta::assert_snapshot!("caption-qr", screen(&model));
    for (columns, rows) in [(80, 24), (80, 20), (120, 40)] {
        let painted = painted(&model, &Theme::default(), columns, rows);
        assert!(text(&painted).starts_with(" 2/9  O QR Code está aí."), "{}", text(&painted));
        assert_eq!(qr::read(&painted).as_deref(), Some(url), "{columns}x{rows}");
    }
    // Find the shortest terminal in which the QR code fits. The caption must be hidden there,
    // because the code needs all rows.
    let rows = (18..24).find(|rows| qr::read(&buffer(&model, 80, *rows)).is_some()).unwrap();
    assert!(!at(&model, 80, rows).contains("2/9"));
    assert!(at(&model, 80, rows + 1).contains("2/9"));
    // The key that continues the story must do nothing while the caption is hidden.
    for (rows, goes_on) in [(rows, false), (rows + 1, true)] {
        let size = Size { columns: 80, rows };
        let mut model = rested(altered(model.clone(), |model| model.size = size));
        let wanted = tell(&mut model, Msg::Input(Input::Key(Key::plain(Code::Char(' ')))));
        assert_eq!(wanted.contains(&Effect::Demo(commands::Command::StoryNext)), goes_on);
    }
}

#[test]
fn a_caption_never_commands_the_terminal() {
    let mut model = demo(Lang::Pt);
    for nasty in ["\u{1b}[2J\u{202e}\u{9b}31m".repeat(30), "語".repeat(90)] {
        model.story.caption = Some(nasty.as_str().into());
        for (columns, rows) in [(80, 24), (60, 18)] {
            let shown = at(&model, columns, rows);
            assert!(!shown.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'));
        }
        let bar = screen(&model).lines().nth(2).unwrap().to_owned();
        assert!(!bar.contains('\u{1b}') && unicode_width::UnicodeWidthStr::width(&*bar) <= 80);
    }
}

/// Presses keys in a demo that displays all pressed keys. Returns the screen's text.
fn showing_keys(keys: &str, size: (u16, u16)) -> String {
    let mut model = demo(Lang::Pt);
    model.setup.demo.as_mut().unwrap().show_keys = true;
    for key in keys.split_whitespace() {
        let key = key.parse().unwrap();
        tell(&mut model, Msg::Input(Input::Key(key)));
    }
    at(&model, size.0, size.1)
}

#[test]
fn pressed_keys_are_shown_beside_the_badges() {
    let keys = "1 Down Down n 4 9 9 0 Tab B o n é Shift-Tab";
    let shown = [(80, 24), (120, 40), (60, 18)].map(|size| showing_keys(keys, size));
    insta::assert_snapshot!("shown-keys", shown.join("\n"));
}
