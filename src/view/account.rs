//! The account pane: who is logged in, and where each credential is kept and until when.

use ratatui::Frame;
use ratatui::text::Line;

use super::failure;
use super::parts::{LABEL, first_key, pair, quoted, wrapped};
use super::scrolled::Text;
use super::{Look, Role, dates, login, money_lines};
use crate::app::action::Action;
use crate::app::geometry::Area;
use crate::app::session::{Credential, Held, Keeper};
use crate::app::{Model, offers};
use crate::trade::{CredentialKind, Untrusted};

/// Draws the pane.
pub(super) fn pane(model: &Model, look: &Look, scroll: u16, area: Area, frame: &mut Frame) {
    text(model, look, area).draw(model, look, scroll, frame);
}

/// Everything it says.
pub(super) fn text(model: &Model, look: &Look, area: Area) -> Text {
    let area = area.narrowed(2);
    let width = usize::from(area.width);
    let shown = |text: &str| Untrusted::from(text).shown();
    let mut lines = vec![Line::default()];
    let mut line = |id: &str, value: &str| lines.extend(pair(look, &look.say(id), value, width));
    line("account-profile", &shown(&model.setup.profile));
    line("account-service", &shown(&model.setup.base_url));
    match (model.sandbox, model.setup.this_machine) {
        (true, _) => line("account-kind", &look.say("account-sandbox")),
        (false, true) => line("account-kind", &look.say("account-this-machine")),
        (false, false) => line("account-kind", &look.say("account-live")),
    }
    let who = model.session.identity().map(|who| shown(&who));
    line("account-who", &who.unwrap_or_else(|| look.say("account-nobody")));
    line("account-kept", &look.say(login::keeper(&model.session.keeper)));
    lines.extend(money_lines::in_account(model, look, width));
    let session = &model.session;
    lines.push(Line::default());
    lines.extend(credential(model, look, CredentialKind::ApiToken, width));
    lines.push(Line::default());
    lines.extend(credential(model, look, CredentialKind::Jwt, width));
    if let Keeper::Trouble(trouble) = &session.keeper {
        lines.push(Line::default());
        let told = failure::vault(look, trouble);
        lines.extend(wrapped(look, Role::Bad, &told.what, width));
        for (label, words) in &told.quotes {
            lines.extend(quoted(look, label, words, width));
        }
        lines.extend(wrapped(look, Role::Text, &told.next, width));
    }
    if let Some(aside) = &model.history_aside {
        lines.push(Line::default());
        lines.extend(pair(look, &look.say("account-history"), &aside.shown(), width));
        lines.extend(pair(look, "", &look.say("account-history-means"), width));
    }
    Text::tight(lines, area)
}

/// What it is for, whether it is there, and until when.
fn credential(
    model: &Model,
    look: &Look,
    kind: CredentialKind,
    width: usize,
) -> Vec<Line<'static>> {
    let id = match kind {
        CredentialKind::ApiToken => "credential-api-token",
        CredentialKind::Jwt => "credential-jwt",
    };
    let credential = model.session.credential(kind);
    let mut lines = pair(look, &look.say(id), &look.say(&format!("{id}.for")), width);
    // The key that puts one in place here; the demo's login yields a JWT too, and none is pasted.
    let entry = offers::entry(model, kind);
    let id = if entry == Action::PasteJwt { "credential-jwt" } else { "credential-api-token" };
    let key = first_key(model, look, entry);
    let with_key = |id: &str| look.words.with(id, &[("key", &key)]);
    let (role, text) = match credential {
        Credential::Unknown => (Role::Dim, look.say("credential-unknown")),
        Credential::Absent => (Role::Warn, with_key(&format!("{id}.absent"))),
        Credential::Held(held) => held_words(model, look, held),
        Credential::Refused(_) => (Role::Bad, with_key(&format!("{id}.refused"))),
    };
    let room = width.saturating_sub(LABEL);
    for mut line in wrapped(look, role, &text, room) {
        line.spans.insert(0, " ".repeat(LABEL).into());
        lines.push(line);
    }
    if let Credential::Held(Held { from_demo: true, .. }) = credential {
        lines.extend(pair(look, "", &look.say("credential-demo"), width));
    }
    lines
}

fn held_words(model: &Model, look: &Look, held: &Held) -> (Role, String) {
    match held.expires {
        None => (Role::Good, look.say("credential-held")),
        Some(expires) => {
            let when = dates::moment(model, look, expires);
            if model.now.wall < expires {
                (Role::Good, look.words.with("credential-until", &[("when", &when)]))
            } else {
                (Role::Warn, look.words.with("credential-expired", &[("when", &when)]))
            }
        }
    }
}
