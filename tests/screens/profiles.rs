//! App models and tests of the profile screens: the list of profiles, the dialog before switching
//! to another profile, and the profile's name in the header.

use balcao::app::cx::{Question, Route};
use balcao::app::screens::Layer;
use balcao::app::screens::dialog::Dialog;
use balcao::app::store::commands::switches;
use balcao::app::store::profiles::Losses;
use balcao::app::{Model, OtherProfile, Pane};
use balcao::trade::Origin;
use balcao::words::Lang;

use crate::models::{altered, buffer, check_control_characters, on, press, push, text};

/// A profile name that contains control characters. It could come from another person's
/// configuration file.
const HOSTILE: &str = "\u{202e}lairotut\u{1b}[2J\u{7} um nome que não acaba nunca mais e mais";

fn other(name: &str, origin: Option<&str>) -> OtherProfile {
    OtherProfile { name: name.into(), origin: origin.map(|origin| Origin(origin.into())) }
}

pub fn all(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut live = with_others(on(lang, Pane::Exchanges));
    live.sandbox = false;
    live.setup.this_machine = false;
    live.setup.title = "https://api.loja.example".into();
    let listed =
        altered(with_others(on(lang, Pane::Account)), |model| push(model, Route::Profiles));
    let wrong = altered(with_others(on(lang, Pane::Account)), |model| {
        let said = "/srv/ana/balcao/config.toml, linha 7: em [profiles.matriz], base-url \
                    http://x.example: use https; http só com este computador.";
        model.profiles.trouble = Some(("matriz".into(), said.into()));
        push(model, Route::Profiles);
    });
    let losses = Losses { typed: true, credentials: true, records: true };
    let ask = Question::SwitchProfile { to: "matriz".into(), losses };
    let asked = altered(with_others(on(lang, Pane::Exchanges)), |model| {
        model.layers.push(Layer::Dialog(Box::new(Dialog::new(ask))));
    });
    let mut palette = with_others(on(lang, Pane::Exchanges));
    press(&mut palette, "Ctrl-K");
    for letter in "perfil".chars() {
        press(&mut palette, &letter.to_string());
    }
    vec![
        ("profiles-header", live),
        ("profiles-account", with_others(on(lang, Pane::Account))),
        ("profiles-list", listed),
        ("profiles-wrong", wrong),
        ("profiles-ask", asked),
        ("profiles-palette", palette),
    ]
}

fn with_others(model: Model) -> Model {
    let others = [other("filial", Some("https://api.loja-da-ana.example")), other("matriz", None)];
    with(model, &others)
}

fn with(mut model: Model, others: &[OtherProfile]) -> Model {
    let switches = switches(model.setup.lang, others);
    model.setup.profile = "loja-a".into();
    model.setup.labels =
        model.setup.labels.of(model.setup.lang).iter().cloned().chain(switches).collect();
    model.setup.others = others.into();
    model
}

#[test]
fn hostile_profile_name_prints_no_control_character() {
    for lang in Lang::ALL {
        for (name, mut model) in all(lang) {
            model.setup.profile = HOSTILE.into();
            model.profiles.trouble = Some((HOSTILE.into(), HOSTILE.into()));
            let model = with(model, &[other(HOSTILE, None)]);
            check_control_characters(name, &model);
        }
    }
}

#[test]
fn live_and_sandbox_differ_by_word_sign_and_colour() {
    for lang in Lang::ALL {
        let head = |sandbox: bool| {
            let mut model = with_others(on(lang, Pane::Exchanges));
            model.sandbox = sandbox;
            model.setup.this_machine = false;
            let shown = buffer(&model, 80, 24);
            let line = text(&shown).lines().next().unwrap_or_default().to_owned();
            let word = if sandbox { "SANDBOX" } else { "◆" };
            let column = line.chars().position(|c| word.starts_with(c)).expect(word);
            (line, shown.content[column].style())
        };
        let ((sandbox, badge), (live, mark)) = (head(true), head(false));
        assert!(sandbox.contains("loja-a") && live.contains("loja-a"), "{sandbox}\n{live}");
        assert!(sandbox.contains("SANDBOX") && !live.contains("SANDBOX"), "{sandbox}\n{live}");
        assert!(live.contains('◆') && !sandbox.contains('◆'), "{sandbox}\n{live}");
        assert_ne!((badge.fg, badge.bg), (mark.fg, mark.bg));
    }
}
