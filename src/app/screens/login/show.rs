//! Logging in, and pasting the JWT for links.
//!
//! The screen says where a secret will be kept before it is typed.

use super::LoginForm;
use crate::app::Store;
use crate::app::store::session::Keeper;
use crate::app::store::{entry, reach};
use crate::app::ui::block::{Block, by_importance};
use crate::app::ui::failure::told_lines;
use crate::app::ui::forms::{self, FormPage};
use crate::app::ui::parts::{LABEL, all_quoted, waiting, wrapped};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::text::{exactly, fit};
use crate::app::ui::{Action, Area, Line, Page, Role, Span};
use crate::trade::{CredentialKind, Failure, Untrusted, VaultKind};
use crate::words::failure::{self, Doing};
use crate::words::{Words, personal};

pub fn login(store: &Store, say: &Words, login: &LoginForm, area: Area, page: &mut Page) {
    let width = forms::inside(area);
    let mut lines = state_lines(store, &login.sent, "login-wait", Doing::Login, width);
    if let (None, None, Some(why)) = (login.sent.wait, &login.sent.failure, &login.why) {
        let told = failure::describe(say, why, Doing::Question);
        let over = entry::over_since(store, CredentialKind::ApiToken);
        lines.splice(0..0, wrapped(Role::Warn, &over.unwrap_or(told.what), width));
    }
    let head = vec![Block::new(login_head(store, say, width))];
    let below = by_importance(forms::BELOW, lines);
    let form = FormPage::new(say, ["login-title", "login-submit"], &login.sent.form);
    FormPage { head, below, ..form }.draw(say, area, page);
}

fn login_head(store: &Store, say: &Words, width: usize) -> Vec<Line> {
    let one = |id: &str, value: String, role| {
        let room = width.saturating_sub(LABEL);
        Line::from(vec![
            Span::of(Role::Dim, exactly(&say.text(id), LABEL)),
            Span::of(role, fit(&value, room)),
        ])
    };
    let setup = &store.setup;
    let in_trouble = matches!(store.session.keeper, Keeper::Trouble(_));
    let kept = if in_trouble { Role::Warn } else { Role::Text };
    let origin = Untrusted::from(&*setup.origin.0).shown();
    let mut keeper = say.text(&store.session.keeper.message());
    // It would vouch for itself: nobody agrees to it, so it is shown.
    if let (Keeper::Kept(VaultKind::Helper), Some(command)) =
        (&store.session.keeper, &setup.vault_helper)
    {
        keeper.push_str(&format!(": {}", command.shown()));
    }
    let service = match setup.this_machine && !store.sandbox {
        true => say.with("login-this-machine", &[("address", &origin)]),
        false => origin,
    };
    vec![
        one("account-profile", personal::name(say, &setup.profile).shown(), Role::Text),
        one("account-service", service, Role::Text),
        one("login-kept", keeper, kept),
    ]
}

/// Returns true when the JWT that is pasted on this very screen mends the failure.
pub fn is_pasted_here(failure: &Failure) -> bool {
    let jwt = CredentialKind::Jwt;
    match failure {
        Failure::NoCredential(kind) => *kind == jwt,
        Failure::Unauthorized { credential, .. } => *credential == Some(jwt),
        _ => false,
    }
}

/// Lays out the end of the last submit, or the wait for it, below the button.
pub fn state_lines(
    store: &Store,
    sent: &SentForm,
    waits_for: &str,
    doing: Doing,
    width: usize,
) -> Vec<Line> {
    let say = store.words();
    if let Some(wait) = sent.wait {
        return vec![waiting(store.reader(), &say.text(waits_for), wait)];
    }
    if let Some(failure) = &sent.failure {
        let mut told = failure::describe(say, failure, doing);
        if is_pasted_here(failure) {
            told.next = store.reader().with_key("jwt-next", Action::Enter);
        }
        return told_lines(&told, width);
    }
    let mut lines = Vec::new();
    if let Some(name) = store.setup.unused_secret {
        let unused = say.with("secret-unused", &[("name", name)]);
        lines.extend(wrapped(Role::Warn, &unused, width));
    }
    if let Keeper::Trouble(trouble) = &store.session.keeper {
        let told = failure::vault(say, trouble);
        lines.extend(all_quoted(&told.quotes, width));
        lines.extend(wrapped(Role::Text, &told.next, width));
        lines.extend(wrapped(Role::Text, &say.text("login-memory"), width));
        lines.push(Line::default());
    }
    if doing == Doing::Login {
        // Who is logged in is inside already.
        if store.missing(Some(CredentialKind::ApiToken)).is_some() {
            let text = store.reader().with_key("look-around", Action::Back);
            lines.extend(wrapped(Role::Dim, &text, width));
        }
        if let Some(demo) = &store.setup.demo {
            lines.extend(wrapped(Role::Dim, &say.text("login-demo"), width));
            if let Some(origin) = &demo.shared {
                let (role, shared) = match reach::phones_reach(store) {
                    Some(_) => (Role::Dim, "login-shared"),
                    None => (Role::Warn, "login-shared-here"),
                };
                let shared = say.with(shared, &[("origin", origin)]);
                lines.extend(wrapped(role, &shared, width));
            }
        }
    }
    lines
}
