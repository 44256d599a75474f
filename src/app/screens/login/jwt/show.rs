//! The paste of a JWT.

use crate::app::Store;
use crate::app::screens::login::jwt::JwtForm;
use crate::app::screens::login::show::{is_pasted_here, put_below, state_lines};
use crate::app::store::entry;
use crate::app::store::session::Keeper;
use crate::app::ui::form_rows::places;
use crate::app::ui::parts::{put, wrapped};
use crate::app::ui::{Area, Line, Page, Role, forms};
use crate::trade::CredentialKind;
use crate::words::Words;
use crate::words::failure::Doing;

pub fn jwt(store: &Store, say: &Words, jwt: &JwtForm, area: Area, page: &mut Page) {
    let head = if area.width < 76 { 8 } else { 6 };
    let places = places(&jwt.sent.form, jwt.sent.around(head), area);
    let head = places.head;
    put(vec![Line::of(Role::Title, format!(" {}", say.text("jwt-title")))], head, page);
    let (_, text) = head.narrowed(2).split_top(2);
    let over = entry::over_since(store, CredentialKind::Jwt).map(|over| (Role::Warn, over));
    let (role, why) = over.unwrap_or_else(|| (Role::Text, say.text("jwt-why")));
    put(wrapped(role, &why, usize::from(text.width)), text, page);
    let submit = say.text("jwt-submit");
    let below = forms::draw(say, &jwt.sent.form, &submit, &places, page);
    let mut lines = state_lines(store, &jwt.sent, "jwt-wait", Doing::Question, below);
    if jwt.sent.wait.is_none() && jwt.sent.failure.as_ref().is_none_or(is_pasted_here) {
        let text = match &store.session.keeper {
            Keeper::Asking => say.text("jwt-kept.asking"),
            known => say.with("jwt-kept", &[("where", &say.text(&known.message()))]),
        };
        // What made it necessary comes first.
        let at = if jwt.sent.failure.is_some() { lines.len() } else { 0 };
        lines.splice(at..at, wrapped(Role::Dim, &text, usize::from(below.width)));
    }
    put_below(lines, below, page);
}
