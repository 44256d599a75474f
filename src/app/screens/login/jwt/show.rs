//! The paste of a JWT.

use crate::app::Store;
use crate::app::screens::login::jwt::JwtForm;
use crate::app::screens::login::show::{is_pasted_here, state_lines};
use crate::app::store::entry;
use crate::app::store::session::Keeper;
use crate::app::ui::block::{Block, by_importance};
use crate::app::ui::forms::{self, FormPage};
use crate::app::ui::parts::wrapped;
use crate::app::ui::{Area, Page, Role};
use crate::trade::CredentialKind;
use crate::words::Words;
use crate::words::failure::Doing;

pub fn jwt(store: &Store, say: &Words, jwt: &JwtForm, area: Area, page: &mut Page) {
    let width = forms::inside(area);
    let over = entry::over_since(store, CredentialKind::Jwt).map(|over| (Role::Warn, over));
    let (role, why) = over.unwrap_or_else(|| (Role::Text, say.text("jwt-why")));
    let mut lines = state_lines(store, &jwt.sent, "jwt-wait", Doing::Question, width);
    if jwt.sent.wait.is_none() && jwt.sent.failure.as_ref().is_none_or(is_pasted_here) {
        let text = match &store.session.keeper {
            Keeper::Asking => say.text("jwt-kept.asking"),
            known => say.with("jwt-kept", &[("where", &say.text(&known.message()))]),
        };
        // What made it necessary comes first.
        let at = if jwt.sent.failure.is_some() { lines.len() } else { 0 };
        lines.splice(at..at, wrapped(Role::Dim, &text, width));
    }
    let head = vec![Block::new(wrapped(role, &why, width))];
    let below = by_importance(forms::BELOW, lines);
    let form = FormPage::new(say, ["jwt-title", "jwt-submit"], &jwt.sent.form);
    FormPage { head, below, ..form }.draw(say, area, page);
}
