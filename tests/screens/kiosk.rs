//! Tests of the kiosk, which is a demo for strangers. No key and no palette command on any screen
//! may lead out of its sandbox.

use std::sync::Arc;

use balcao::app::cx::Question;
use balcao::app::screens::Layer;
use balcao::app::store::commands::{self, Command};
use balcao::app::store::kiosk::{self, Use};
use balcao::app::store::story::StoryEvent;
use balcao::app::ui::action::Action;
use balcao::app::ui::input::{Input, Key, Size};
use balcao::app::{DemoSetup, Effect, Kiosk, Model, Msg, Notice, Pane, update};
use balcao::demo::FAULTS;
use balcao::view::Theme;
use balcao::words::Lang;

use crate::models::{all, altered, asks_for, buffer, looked_at, named, on, screen, stamp_of, text};

/// The path of a directory that no screen of the kiosk may show.
const HIDDEN: &str = "/srv/hidden";

/// Turns an app model into that of a kiosk.
pub fn in_kiosk(mut model: Model, lang: Lang) -> Model {
    let faults: Vec<&str> = FAULTS.iter().map(|(name, _)| *name).collect();
    model.setup.labels = commands::items(lang, &faults, &Theme::NAMES).into_iter().collect();
    let kiosk = Some(Kiosk { for_room: true });
    model.setup.demo = Some(DemoSetup { starts_over: true, kiosk, ..DemoSetup::default() });
    model.setup.config = format!("{HIDDEN}/config.toml").as_str().into();
    model.setup.others = [].into();
    (model.sandbox, model.setup.sandbox) = (true, true);
    let journal = format!("{HIDDEN}/journal").as_str().into();
    told(&mut model, Msg::Proven { sandbox: true, journal });
    looked_at(model)
}

/// Returns true if the kiosk must not open this screen.
fn is_withheld(layer: &Layer) -> bool {
    use Layer::*;
    match layer {
        FirstRun(_) | Teach(_) | Doctor(_) | Profiles(_) | MakeLive(_) => true,
        Dialog(ask) => matches!(ask.question, Question::SwitchProfile { .. }),
        _ => false,
    }
}

/// Returns app models of every screen that a kiosk can show, in every state.
fn kiosks() -> impl Iterator<Item = (&'static str, Model)> {
    let all = all(Lang::Pt).into_iter();
    // Skip app models with an open command palette, because it would contain the commands of a
    // normal run.
    let is_other = |layer: &Layer| is_withheld(layer) || matches!(layer, Layer::Palette(_));
    all.filter(move |(_, model)| !model.layers.iter().any(is_other))
        .map(|(name, model)| (name, in_kiosk(model, Lang::Pt)))
}

/// Sends a message to an app model, as if the user had seen its last frame.
fn told(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let stamp = stamp_of(model, Arc::clone(&model.seen.last));
    update(model, msg, &stamp)
}

#[track_caller]
fn assert_stays_inside(name: &str, key: &str, model: &Model, effects: &[Effect]) {
    for effect in effects {
        assert!(kiosk::may_perform(effect), "{name}, {key}: {effect:?}");
    }
    assert!(!model.layers.iter().any(is_withheld), "{name}, {key}: {:?}", model.layers.last());
}

#[test]
fn every_key_of_every_screen_stays_inside() {
    let keys = |model: &Model| -> Vec<Key> {
        let bound = Action::ALL.iter().flat_map(|action| model.setup.keys.keys(*action).to_vec());
        bound.collect()
    };
    for (name, model) in kiosks() {
        for key in keys(&model) {
            let mut model = model.clone();
            let effects = told(&mut model, Msg::Input(Input::Key(key)));
            assert_stays_inside(name, &key.to_string(), &model, &effects);
        }
    }
}

#[test]
fn every_palette_line_stays_inside() {
    for (name, model) in kiosks() {
        let model = altered(model, |model| asks_for(model, Action::Palette));
        let Some(Layer::Palette(palette)) = model.layers.last() else { continue };
        for (n, command) in palette.found.clone().iter().enumerate() {
            let mut model = model.clone();
            let Some(Layer::Palette(palette)) = model.layers.last_mut() else { panic!() };
            palette.cursor = n;
            let effects = told(&mut model, Msg::Input(Input::Key("Enter".parse().unwrap())));
            assert_stays_inside(name, &format!("{command:?}"), &model, &effects);
        }
    }
}

#[test]
fn palette_offers_no_line_that_a_kiosk_withholds() {
    let offered = |model: Model| {
        let model = altered(model, |model| asks_for(model, Action::Palette));
        let Some(Layer::Palette(palette)) = model.layers.last() else { panic!() };
        palette.found.clone()
    };
    let plain = crate::demo::in_demo(on(Lang::Pt, Pane::Links), Lang::Pt);
    let doctor = Command::Do(Action::Doctor);
    assert!(offered(plain).contains(&doctor));
    let kiosk = offered(in_kiosk(on(Lang::Pt, Pane::Links), Lang::Pt));
    assert!(!kiosk.contains(&doctor) && !kiosk.contains(&Command::KeepLook), "{kiosk:?}");
    assert!(kiosk.contains(&Command::Language(Lang::En)));
}

#[test]
fn no_screen_of_a_kiosk_shows_a_path() {
    for (name, model) in kiosks() {
        let shown = screen(&model);
        assert!(!shown.contains(HIDDEN), "{name}: {shown}");
    }
}

#[test]
fn palette_of_a_kiosk_names_no_browser() {
    let palette = |model: Model| {
        let mut model = altered(model, |model| asks_for(model, Action::Palette));
        model.size = Size { columns: 120, rows: 60 };
        text(&buffer(&model, 120, 60))
    };
    let model = named(Lang::Pt, "link");
    for outside in ["abrir no navegador", "abrir o WhatsApp"] {
        assert!(palette(model.clone()).contains(outside), "{outside}");
        assert!(!palette(in_kiosk(model.clone(), Lang::Pt)).contains(outside), "{outside}");
    }
}

#[test]
fn help_of_a_kiosk_names_no_browser_and_no_file() {
    let help = |mut model: Model| {
        model.size = Size { columns: 120, rows: 150 };
        text(&buffer(&model, 120, 150))
    };
    for outside in ["WhatsApp", "abrir no navegador", "SVG"] {
        let model = named(Lang::Pt, "help");
        assert!(help(model.clone()).contains(outside));
        assert!(!help(in_kiosk(model, Lang::Pt)).contains(outside), "{outside}");
    }
}

#[test]
fn error_text_of_the_system_is_not_shown_in_a_kiosk() {
    for is_kiosk in [false, true] {
        let model = on(Lang::En, Pane::Links);
        let mut model = if is_kiosk { in_kiosk(model, Lang::En) } else { model };
        let why = format!("{HIDDEN}: disk I/O error");
        model.notify(Notice::WithDetail("said-not-taught", why.as_str().into()));
        let shown = screen(&model);
        assert_eq!(shown.contains(HIDDEN), !is_kiosk, "{shown}");
    }
}

#[test]
fn first_screen_offers_story_and_other_language() {
    let mut shown = vec![];
    for lang in Lang::ALL {
        let mut model = in_kiosk(named(lang, "login-shared"), lang);
        model.setup.demo.as_mut().unwrap().shared = None;
        shown.push(screen(&model));
        told(&mut model, Msg::Input(Input::Key("F2".parse().unwrap())));
        assert_ne!(model.setup.lang, lang);
    }
    insta::assert_snapshot!("kiosk-login", shown.join("\n"));
}

#[test]
fn receipt_says_that_its_key_copies() {
    insta::assert_snapshot!(
        "kiosk-receipt",
        screen(&in_kiosk(named(Lang::Pt, "receipt"), Lang::Pt))
    );
}

#[test]
fn story_alone_shows_its_keys_and_invites_visitors() {
    let mut shown = vec![];
    for lang in Lang::ALL {
        let mut model = in_kiosk(on(lang, Pane::Links), lang);
        model.kiosk.used = Use::Story { again_ms: None };
        told(&mut model, Msg::Story(StoryEvent::Began));
        let words = "One caption of the story.".into();
        told(&mut model, Msg::Story(StoryEvent::Caption { words, step: (1, 17) }));
        for key in ["1", "n", "4", "9"] {
            told(&mut model, Msg::Story(StoryEvent::Key(key.parse().unwrap())));
        }
        shown.push(screen(&model));
    }
    insta::assert_snapshot!("kiosk-alone", shown.join("\n"));
}
