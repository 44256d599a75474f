//! Tests of the kiosk, which is a demo for strangers. No key and no palette command on any screen
//! may lead out of its sandbox.

use std::sync::Arc;

use balcao::app::cx::Question;
use balcao::app::screens::Layer;
use balcao::app::store::commands::{self, Command};
use balcao::app::store::kiosk::{self, KioskUse};
use balcao::app::store::story::StoryEvent;
use balcao::app::ui::action::Action;
use balcao::app::ui::input::{Input, Key, Size};
use balcao::app::{DemoSetup, Effect, Kiosk, Model, Msg, Notice, Pane, update};
use balcao::demo::FAULTS;
use balcao::view::Theme;
use balcao::words::Lang;

use crate::models::{
    after_confirm_delay, all_models, buffer, find_model, pane_model, perform_action, screen_text,
    stamp_with_frame, text, with_change,
};

/// The path of a directory that no screen of the kiosk may show.
const HIDDEN_DIRECTORY: &str = "/srv/hidden";

pub fn into_kiosk(mut model: Model, lang: Lang) -> Model {
    let faults: Vec<&str> = FAULTS.iter().map(|(name, _)| *name).collect();
    model.setup.labels = commands::items(lang, &faults, &Theme::NAMES)
        .into_iter()
        .collect();
    let kiosk = Some(Kiosk { for_room: true });
    model.setup.demo = Some(DemoSetup {
        starts_over: true,
        kiosk,
        ..DemoSetup::default()
    });
    model.setup.config = format!("{HIDDEN_DIRECTORY}/config.toml").as_str().into();
    model.setup.others = [].into();
    (model.sandbox, model.setup.sandbox) = (true, true);
    let journal = format!("{HIDDEN_DIRECTORY}/journal").as_str().into();
    send_message(
        &mut model,
        Msg::Proven {
            sandbox: true,
            journal,
        },
    );
    after_confirm_delay(model)
}

/// Returns true if the kiosk must not open this screen.
fn is_withheld(layer: &Layer) -> bool {
    use Layer::*;
    match layer {
        FirstRun(_) | Teach(_) | Doctor(_) | Profiles(_) | MakeLive(_) => true,
        // An import reads files of the computer.
        ImportFile(_) | ImportCheck(_) | Batch(_) => true,
        Dialog(ask) => matches!(ask.question, Question::SwitchProfile { .. }),
        _ => false,
    }
}

/// Returns app models of every screen that a kiosk can show, in every state.
fn kiosk_models() -> impl Iterator<Item = (&'static str, Model)> {
    let all = all_models(Lang::Pt).into_iter();
    // Skip app models with an open command palette, because it would contain the commands of a
    // normal run.
    let is_skipped = |layer: &Layer| is_withheld(layer) || matches!(layer, Layer::Palette(_));
    all.filter(move |(_, model)| !model.layers.iter().any(is_skipped))
        .map(|(name, model)| (name, into_kiosk(model, Lang::Pt)))
}

/// Sends a message to an app model. The message is handled as if the user had seen the last frame.
fn send_message(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let stamp = stamp_with_frame(model, Arc::clone(&model.read_tracker.last));
    update(model, msg, &stamp)
}

#[track_caller]
fn assert_stays_inside(name: &str, key: &str, model: &Model, effects: &[Effect]) {
    for effect in effects {
        assert!(kiosk::may_perform(effect), "{name}, {key}: {effect:?}");
    }
    assert!(
        !model.layers.iter().any(is_withheld),
        "{name}, {key}: {:?}",
        model.layers.last()
    );
}

#[test]
fn every_key_of_every_screen_stays_inside() {
    let keys = |model: &Model| -> Vec<Key> {
        let bound_keys = Action::ALL
            .iter()
            .flat_map(|action| model.setup.keys.keys(*action).to_vec());
        bound_keys.collect()
    };
    for (name, model) in kiosk_models() {
        for key in keys(&model) {
            let mut model = model.clone();
            let effects = send_message(&mut model, Msg::Input(Input::Key(key)));
            assert_stays_inside(name, &key.to_string(), &model, &effects);
        }
    }
}

#[test]
fn every_palette_line_stays_inside() {
    for (name, model) in kiosk_models() {
        let model = with_change(model, |model| perform_action(model, Action::Palette));
        let Some(Layer::Palette(palette)) = model.layers.last() else {
            continue;
        };
        for (n, command) in palette.matches.clone().iter().enumerate() {
            let mut model = model.clone();
            let Some(Layer::Palette(palette)) = model.layers.last_mut() else {
                panic!()
            };
            palette.cursor = n;
            let effects =
                send_message(&mut model, Msg::Input(Input::Key("Enter".parse().unwrap())));
            assert_stays_inside(name, &format!("{command:?}"), &model, &effects);
        }
    }
}

#[test]
fn palette_offers_no_line_that_a_kiosk_withholds() {
    let palette_commands = |model: Model| {
        let model = with_change(model, |model| perform_action(model, Action::Palette));
        let Some(Layer::Palette(palette)) = model.layers.last() else {
            panic!()
        };
        palette.matches.clone()
    };
    let demo = crate::demo::into_demo(pane_model(Lang::Pt, Pane::Links), Lang::Pt);
    let doctor = Command::Do(Action::Doctor);
    assert!(palette_commands(demo).contains(&doctor));
    let kiosk = palette_commands(into_kiosk(pane_model(Lang::Pt, Pane::Links), Lang::Pt));
    assert!(
        !kiosk.contains(&doctor) && !kiosk.contains(&Command::KeepLook),
        "{kiosk:?}"
    );
    assert!(kiosk.contains(&Command::Language(Lang::En)));
}

#[test]
fn no_screen_of_a_kiosk_shows_a_path() {
    for (name, model) in kiosk_models() {
        let screen = screen_text(&model);
        assert!(!screen.contains(HIDDEN_DIRECTORY), "{name}: {screen}");
    }
}

#[test]
fn palette_of_a_kiosk_names_no_browser() {
    let palette_text = |model: Model| {
        let mut model = with_change(model, |model| perform_action(model, Action::Palette));
        model.size = Size {
            columns: 120,
            rows: 60,
        };
        text(&buffer(&model, 120, 60))
    };
    let model = find_model(Lang::Pt, "link");
    for command in ["abrir no navegador", "abrir o WhatsApp"] {
        assert!(palette_text(model.clone()).contains(command), "{command}");
        assert!(
            !palette_text(into_kiosk(model.clone(), Lang::Pt)).contains(command),
            "{command}"
        );
    }
}

#[test]
fn help_of_a_kiosk_names_no_browser_and_no_file() {
    let help_text = |mut model: Model| {
        model.size = Size {
            columns: 120,
            rows: 150,
        };
        text(&buffer(&model, 120, 150))
    };
    for word in ["WhatsApp", "abrir no navegador", "SVG"] {
        let model = find_model(Lang::Pt, "help");
        assert!(help_text(model.clone()).contains(word));
        assert!(
            !help_text(into_kiosk(model, Lang::Pt)).contains(word),
            "{word}"
        );
    }
}

#[test]
fn error_text_of_the_system_is_not_shown_in_a_kiosk() {
    for is_kiosk in [false, true] {
        let model = pane_model(Lang::En, Pane::Links);
        let mut model = if is_kiosk {
            into_kiosk(model, Lang::En)
        } else {
            model
        };
        let error_text = format!("{HIDDEN_DIRECTORY}: disk I/O error");
        model.notify(Notice::WithDetail(
            "said-not-taught",
            error_text.as_str().into(),
        ));
        let screen = screen_text(&model);
        assert_eq!(screen.contains(HIDDEN_DIRECTORY), !is_kiosk, "{screen}");
    }
}

#[test]
fn first_screen_offers_story_and_other_language() {
    let mut screens = vec![];
    for lang in Lang::ALL {
        let mut model = into_kiosk(find_model(lang, "login-shared"), lang);
        model.setup.demo.as_mut().unwrap().shared = None;
        screens.push(screen_text(&model));
        send_message(&mut model, Msg::Input(Input::Key("F2".parse().unwrap())));
        assert_ne!(model.setup.lang, lang);
    }
    insta::assert_snapshot!("kiosk-login", screens.join("\n"));
}

#[test]
fn receipt_says_that_its_key_copies() {
    insta::assert_snapshot!(
        "kiosk-receipt",
        screen_text(&into_kiosk(find_model(Lang::Pt, "receipt"), Lang::Pt))
    );
}

#[test]
fn story_alone_shows_its_keys_and_invites_visitors() {
    let mut screens = vec![];
    for lang in Lang::ALL {
        let mut model = into_kiosk(pane_model(lang, Pane::Links), lang);
        model.kiosk.used = KioskUse::Story { again_ms: None };
        send_message(&mut model, Msg::Story(StoryEvent::Began));
        let caption = "One caption of the story.".into();
        send_message(
            &mut model,
            Msg::Story(StoryEvent::Caption {
                text: caption,
                step: (1, 17),
            }),
        );
        for key in ["1", "n", "4", "9"] {
            send_message(
                &mut model,
                Msg::Story(StoryEvent::Key(key.parse().unwrap())),
            );
        }
        screens.push(screen_text(&model));
    }
    insta::assert_snapshot!("kiosk-alone", screens.join("\n"));
}
