//! App models and tests of the profile screens: the list of profiles, the dialog before switching
//! to another profile, and the profile's name in the header.

use balcao::app::cx::{Question, Route};
use balcao::app::screens::Layer;
use balcao::app::screens::dialog::Dialog;
use balcao::app::store::commands::profile_items;
use balcao::app::store::profiles::UnsavedWork;
use balcao::app::{Model, OtherProfile, Pane};
use balcao::trade::Origin;
use balcao::words::Lang;

use crate::models::{
    assert_no_control_characters, buffer, open_screen, pane_model, press, text, with_change,
};

/// A profile name that contains control characters. It could come from another person's
/// configuration file.
const HOSTILE: &str = "\u{202e}lairotut\u{1b}[2J\u{7} um nome que não acaba nunca mais e mais";

fn other_profile(name: &str, origin: Option<&str>) -> OtherProfile {
    OtherProfile {
        name: name.into(),
        origin: origin.map(|origin| Origin(origin.into())),
    }
}

pub fn profile_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut live = with_others(pane_model(lang, Pane::Exchanges));
    live.sandbox = false;
    live.setup.this_machine = false;
    live.setup.title = "https://api.loja.example".into();
    let list = with_change(with_others(pane_model(lang, Pane::Account)), |model| {
        open_screen(model, Route::Profiles)
    });
    let with_trouble = with_change(with_others(pane_model(lang, Pane::Account)), |model| {
        let trouble = "/srv/ana/balcao/config.toml, linha 7: em [profiles.matriz], base-url \
                    http://x.example: use https; http só com este computador.";
        model.profiles.trouble = Some(("matriz".into(), trouble.into()));
        open_screen(model, Route::Profiles);
    });
    let losses = UnsavedWork {
        typed: true,
        credentials: true,
        records: true,
    };
    let question = Question::SwitchProfile {
        to: "matriz".into(),
        losses,
    };
    let dialog = with_change(with_others(pane_model(lang, Pane::Exchanges)), |model| {
        model
            .layers
            .push(Layer::Dialog(Box::new(Dialog::new(question))));
    });
    let mut palette = with_others(pane_model(lang, Pane::Exchanges));
    press(&mut palette, "Ctrl-K");
    for letter in "perfil".chars() {
        press(&mut palette, &letter.to_string());
    }
    vec![
        ("profiles-header", live),
        (
            "profiles-account",
            with_others(pane_model(lang, Pane::Account)),
        ),
        ("profiles-list", list),
        ("profiles-wrong", with_trouble),
        ("profiles-ask", dialog),
        ("profiles-palette", palette),
    ]
}

fn with_others(model: Model) -> Model {
    let others = [
        other_profile("filial", Some("https://api.loja-da-ana.example")),
        other_profile("matriz", None),
    ];
    with_profiles(model, &others)
}

fn with_profiles(mut model: Model, others: &[OtherProfile]) -> Model {
    let switches = profile_items(model.setup.lang, others);
    model.setup.profile = "loja-a".into();
    model.setup.labels = model
        .setup
        .labels
        .of(model.setup.lang)
        .iter()
        .cloned()
        .chain(switches)
        .collect();
    model.setup.others = others.into();
    model
}

#[test]
fn hostile_profile_name_prints_no_control_character() {
    for lang in Lang::ALL {
        for (name, mut model) in profile_models(lang) {
            model.setup.profile = HOSTILE.into();
            model.profiles.trouble = Some((HOSTILE.into(), HOSTILE.into()));
            let model = with_profiles(model, &[other_profile(HOSTILE, None)]);
            assert_no_control_characters(name, &model);
        }
    }
}

#[test]
fn live_and_sandbox_differ_by_word_sign_and_colour() {
    for lang in Lang::ALL {
        let header_of = |sandbox: bool| {
            let mut model = with_others(pane_model(lang, Pane::Exchanges));
            model.sandbox = sandbox;
            model.setup.this_machine = false;
            let screen = buffer(&model, 80, 24);
            let line = text(&screen).lines().next().unwrap_or_default().to_owned();
            let sign = if sandbox { "SANDBOX" } else { "◆" };
            let column = line.chars().position(|c| sign.starts_with(c)).expect(sign);
            (line, screen.content[column].style())
        };
        let (sandbox, sandbox_badge) = header_of(true);
        let (live, live_badge) = header_of(false);
        assert!(
            sandbox.contains("loja-a") && live.contains("loja-a"),
            "{sandbox}\n{live}"
        );
        assert!(
            sandbox.contains("SANDBOX") && !live.contains("SANDBOX"),
            "{sandbox}\n{live}"
        );
        assert!(
            live.contains('◆') && !sandbox.contains('◆'),
            "{sandbox}\n{live}"
        );
        assert_ne!(
            (sandbox_badge.fg, sandbox_badge.bg),
            (live_badge.fg, live_badge.bg)
        );
    }
}
