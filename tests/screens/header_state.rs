//! Tests of the header (the top row of the screen), which shows the state of the login and the
//! connection.

use balcao::app::screens::Layer;
use balcao::app::screens::login::JwtForm;
use balcao::app::store::session::Credential;
use balcao::app::ui::action::Action;
use balcao::app::ui::sent_form::SentForm;
use balcao::app::{Model, Pane};
use balcao::trade::withdrawal::NotSent;
use balcao::trade::{CredentialKind, Failure, NoAnswer, Operation, ReplySeen, Wall};
use balcao::words::{Catalogue, Lang};
use ratatui::style::Color;

use crate::models::{NOW, all, buffer, named, on, running, screen, text};
use crate::models_requests::exchange;

/// Returns the text of the top row, and true if a part of the row is green.
fn top(model: &Model) -> (String, bool) {
    let screen = buffer(model, 80, 24);
    let is_green = screen.content[..80].iter().any(|cell| cell.fg == Color::Green);
    (text(&screen).lines().next().unwrap().to_owned(), is_green)
}

#[test]
fn unreachable_service_is_not_an_active_session() {
    for lang in Lang::ALL {
        let active = Catalogue::of(lang).text("state-in");
        let fine = || Ok(ReplySeen::new(200, vec![], "{}"));
        let mut model = on(lang, Pane::Links);
        assert!(top(&model).0.ends_with(&format!("● {active}")));
        for why in [NotSent::Dns, NotSent::Connect, NotSent::Tls] {
            let failed = Err(Failure::NotSent(why));
            model.exchanges.push_front(exchange(Operation::Domains, failed));
            let (line, is_green) = top(&model);
            assert!(!line.contains(&active) && !is_green, "{why:?}: {line}");
            // The top row must not change if the user cancels a request, because that does not show
            // whether the service can be reached.
            model.exchanges.push_front(exchange(Operation::Domains, Err(Failure::Cancelled)));
            assert_eq!(top(&model).0, line);
            model.exchanges.push_front(exchange(Operation::Domains, fine()));
            assert!(top(&model).0.contains(&active));
        }
        // A request that timed out counts as having reached the service, so the login is shown as
        // active.
        let silent = Err(Failure::NoAnswer(NoAnswer::Timeout));
        model.exchanges.push_front(exchange(Operation::Domains, silent));
        assert!(top(&model).0.contains(&active));
    }
}

#[test]
fn login_state_is_the_same_on_every_pane() {
    for lang in Lang::ALL {
        let active = Catalogue::of(lang).text("state-in");
        for pane in Pane::ALL {
            let mut model = on(lang, pane);
            let Credential::Held(held) = model.session.jwt.clone() else { panic!() };
            let mut old = held.clone();
            old.expires = Some(Wall(NOW.0 - 1));
            for jwt in [Credential::Absent, Credential::Held(old), Credential::Refused(held)] {
                model.session.jwt = jwt.clone();
                let (line, is_green) = top(&model);
                let says_so = line.contains("JWT") && !line.contains(&active) && !is_green;
                assert!(says_so, "{pane:?}, {jwt:?}: {line}");
            }
        }
    }
}

#[test]
fn nobody_is_sent_to_the_screen_that_is_in_front() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let sends = ["no-credential-jwt.next", "no-entry-jwt.next"].map(|id| words.text(id));
        for (name, model) in all(lang) {
            let is_here = model.layers.iter().any(|layer| matches!(layer, Layer::Jwt(_)))
                || model.pane == Pane::Account && model.layers.is_empty();
            if is_here {
                let screen = running(&screen(&model));
                assert!(sends.iter().all(|send| !screen.contains(send)), "{name}:\n{screen}");
            }
        }
        let jwt = |failure| {
            let model = named(lang, "jwt");
            let Some(Layer::Jwt(jwt)) = model.layers.last() else { panic!() };
            let jwt = JwtForm { sent: SentForm { failure: Some(failure), ..jwt.sent.clone() } };
            Model { layers: vec![Layer::Jwt(Box::new(jwt))], ..model }
        };
        let pasting = running(&screen(&jwt(Failure::NoCredential(CredentialKind::Jwt))));
        assert!(sends.iter().all(|send| !pasting.contains(send)), "{pasting}");
        // The form must show the name of the vault in which the pasted JWT will be stored.
        let kept = words.with("jwt-kept", &[("where", &words.text("keeper-keyring"))]);
        assert!(pasting.contains(&kept), "{pasting}");
        let mut account = on(lang, Pane::Account);
        (account.session.api_token, account.session.jwt) = (Credential::Absent, Credential::Absent);
        let screen = running(&screen(&account));
        for action in [Action::LogIn, Action::PasteJwt] {
            let key = account.setup.keys.keys(action)[0];
            assert!(screen.contains(&format!(": {key} ")), "{key}:\n{screen}");
        }
    }
}
