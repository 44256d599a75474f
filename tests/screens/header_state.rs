//! Tests of the header (the top row of the screen), which shows the state of the login and the
//! connection.

use balcao::app::screens::Layer;
use balcao::app::screens::login::JwtForm;
use balcao::app::store::session::Credential;
use balcao::app::ui::action::Action;
use balcao::app::ui::sent_form::SentForm;
use balcao::app::{Model, Pane};
use balcao::trade::withdrawal::NotSent;
use balcao::trade::{CredentialKind, Failure, MaskedReply, NoAnswer, Operation, Wall};
use balcao::words::{Catalogue, Lang};
use ratatui::style::Color;

use crate::models::{
    NOW, all_models, buffer, find_model, normalize_spaces, pane_model, screen_text, text,
};
use crate::models_requests::exchange;

/// Returns the text of the header row, and true if a part of the row is green.
fn header_row(model: &Model) -> (String, bool) {
    let screen = buffer(model, 80, 24);
    let is_green = screen.content[..80]
        .iter()
        .any(|cell| cell.fg == Color::Green);
    (text(&screen).lines().next().unwrap().to_owned(), is_green)
}

#[test]
fn unreachable_service_is_not_an_active_session() {
    for lang in Lang::ALL {
        let active_label = Catalogue::of(lang).text("state-in");
        let success = || Ok(MaskedReply::new(200, vec![], "{}"));
        let mut model = pane_model(lang, Pane::Links);
        assert!(header_row(&model).0.ends_with(&format!("● {active_label}")));
        for why in [NotSent::Dns, NotSent::Connect, NotSent::Tls] {
            let failure = Err(Failure::NotSent(why));
            model
                .exchanges
                .push_front(exchange(Operation::Domains, failure));
            let (line, is_green) = header_row(&model);
            assert!(
                !line.contains(&active_label) && !is_green,
                "{why:?}: {line}"
            );
            // The top row must not change if the user cancels a request, because a cancelled
            // request does not show whether the service can be reached.
            model
                .exchanges
                .push_front(exchange(Operation::Domains, Err(Failure::Cancelled)));
            assert_eq!(header_row(&model).0, line);
            model
                .exchanges
                .push_front(exchange(Operation::Domains, success()));
            assert!(header_row(&model).0.contains(&active_label));
        }
        // After a timeout, the service still counts as reachable, so the login is shown as active.
        let timeout = Err(Failure::NoAnswer(NoAnswer::Timeout));
        model
            .exchanges
            .push_front(exchange(Operation::Domains, timeout));
        assert!(header_row(&model).0.contains(&active_label));
    }
}

#[test]
fn login_state_is_the_same_on_every_pane() {
    for lang in Lang::ALL {
        let active_label = Catalogue::of(lang).text("state-in");
        for pane in Pane::ALL {
            let mut model = pane_model(lang, pane);
            let Credential::Stored(held) = model.session.jwt.clone() else {
                panic!()
            };
            let mut old = held.clone();
            old.expires = Some(Wall(NOW.0 - 1));
            for jwt in [
                Credential::Absent,
                Credential::Stored(old),
                Credential::Refused(held),
            ] {
                model.session.jwt = jwt.clone();
                let (line, is_green) = header_row(&model);
                let is_shown = line.contains("JWT") && !line.contains(&active_label) && !is_green;
                assert!(is_shown, "{pane:?}, {jwt:?}: {line}");
            }
        }
    }
}

#[test]
fn advice_never_leads_to_the_front_screen() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let hints = ["no-credential-jwt.next", "no-entry-jwt.next"].map(|id| words.text(id));
        for (name, model) in all_models(lang) {
            let is_here = model
                .layers
                .iter()
                .any(|layer| matches!(layer, Layer::Jwt(_)))
                || model.pane == Pane::Account && model.layers.is_empty();
            if is_here {
                let screen = normalize_spaces(&screen_text(&model));
                assert!(
                    hints.iter().all(|hint| !screen.contains(hint)),
                    "{name}:\n{screen}"
                );
            }
        }
        let screen_with_failure = |failure| {
            let model = find_model(lang, "jwt");
            let Some(Layer::Jwt(form)) = model.layers.last() else {
                panic!()
            };
            let form = JwtForm {
                sent: SentForm {
                    failure: Some(failure),
                    ..form.sent.clone()
                },
            };
            Model {
                layers: vec![Layer::Jwt(Box::new(form))],
                ..model
            }
        };
        let paste_screen = normalize_spaces(&screen_text(&screen_with_failure(
            Failure::NoCredential(CredentialKind::Jwt),
        )));
        assert!(
            hints.iter().all(|hint| !paste_screen.contains(hint)),
            "{paste_screen}"
        );
        // The form must show the name of the vault in which the pasted JWT will be stored.
        let vault_hint = words.with("jwt-kept", &[("where", &words.text("keeper-keyring"))]);
        assert!(paste_screen.contains(&vault_hint), "{paste_screen}");
        let mut account = pane_model(lang, Pane::Account);
        (account.session.api_token, account.session.jwt) = (Credential::Absent, Credential::Absent);
        let screen = normalize_spaces(&screen_text(&account));
        for action in [Action::LogIn, Action::PasteJwt] {
            let key = account.setup.keys.keys(action)[0];
            assert!(screen.contains(&format!(": {key} ")), "{key}:\n{screen}");
        }
    }
}

#[test]
fn smallest_window_shows_a_name_for_each_pane() {
    for lang in Lang::ALL {
        for pane in Pane::ALL {
            let screen = text(&buffer(&pane_model(lang, pane), 60, 18));
            let tabs = screen.lines().nth(1).unwrap();
            for (n, other) in Pane::ALL.into_iter().enumerate() {
                let name = if other == pane {
                    other.name(lang)
                } else {
                    other.short_name(lang)
                };
                let tab = format!("{} {name}", n + 1);
                assert!(tabs.contains(&tab), "{tab}: {tabs}");
            }
            let screen = text(&buffer(&pane_model(lang, pane), 80, 24));
            assert!(
                screen.lines().nth(1).unwrap().contains(pane.name(lang)),
                "{screen}"
            );
        }
    }
}
