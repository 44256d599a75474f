//! The account pane: who is logged in, and where each credential is kept and until when.

use crate::app::Store;
use crate::app::action::Action;
use crate::app::screen::entry;
use crate::app::screens::login::show as login;
use crate::app::screens::money_lines::show as money_lines;
use crate::app::session::{Credential, Held, Keeper};
use crate::app::ui::moments as dates;
use crate::app::ui::parts::{LABEL, first_key, pair, quoted, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Area, Line, Page, Role};
use crate::trade::{CredentialKind, Untrusted};
use crate::words::Words;
use crate::words::failure;

/// Draws the pane.
pub fn pane(store: &Store, say: &Words, area: Area, page: &mut Page) {
    text(store, say, area).draw(store, say, page);
}

/// Everything it says.
pub fn text(store: &Store, say: &Words, area: Area) -> Text {
    let area = area.narrowed(2);
    let width = usize::from(area.width);
    let shown = |text: &str| Untrusted::from(text).shown();
    let mut lines = vec![Line::default()];
    let mut line = |id: &str, value: &str| lines.extend(pair(&say.text(id), value, width));
    line("account-profile", &shown(&store.setup.profile));
    line("account-service", &shown(&store.setup.base_url));
    match (store.sandbox, store.setup.this_machine) {
        (true, _) => line("account-kind", &say.text("account-sandbox")),
        (false, true) => line("account-kind", &say.text("account-this-machine")),
        (false, false) => line("account-kind", &say.text("account-live")),
    }
    let who = store.session.identity().map(|who| shown(&who));
    line("account-who", &who.unwrap_or_else(|| say.text("account-nobody")));
    line("account-kept", &say.text(login::keeper(&store.session.keeper)));
    lines.extend(money_lines::in_account(store, say, width));
    let session = &store.session;
    lines.push(Line::default());
    lines.extend(credential(store, say, CredentialKind::ApiToken, width));
    lines.push(Line::default());
    lines.extend(credential(store, say, CredentialKind::Jwt, width));
    if let Keeper::Trouble(trouble) = &session.keeper {
        lines.push(Line::default());
        let told = failure::vault(say, trouble);
        lines.extend(wrapped(Role::Bad, &told.what, width));
        for (label, words) in &told.quotes {
            lines.extend(quoted(label, words, width));
        }
        lines.extend(wrapped(Role::Text, &told.next, width));
    }
    if let Some(aside) = &store.history_aside {
        lines.push(Line::default());
        lines.extend(pair(&say.text("account-history"), &aside.shown(), width));
        lines.extend(pair("", &say.text("account-history-means"), width));
    }
    Text::tight(lines, area)
}

/// What it is for, whether it is there, and until when.
fn credential(store: &Store, say: &Words, kind: CredentialKind, width: usize) -> Vec<Line> {
    let id = match kind {
        CredentialKind::ApiToken => "credential-api-token",
        CredentialKind::Jwt => "credential-jwt",
    };
    let credential = store.session.credential(kind);
    let mut lines = pair(&say.text(id), &say.text(&format!("{id}.for")), width);
    // The key that puts one in place here; the demo's login yields a JWT too, and none is pasted.
    let entry = entry::action(store, kind);
    let id = if entry == Action::PasteJwt { "credential-jwt" } else { "credential-api-token" };
    let key = first_key(store, entry);
    let with_key = |id: &str| say.with(id, &[("key", &key)]);
    let (role, text) = match credential {
        Credential::Unknown => (Role::Dim, say.text("credential-unknown")),
        Credential::Absent => (Role::Warn, with_key(&format!("{id}.absent"))),
        Credential::Held(held) => held_words(store, say, held),
        Credential::Refused(_) => (Role::Bad, with_key(&format!("{id}.refused"))),
    };
    let room = width.saturating_sub(LABEL);
    lines.extend(wrapped(role, &text, room).into_iter().map(|line| line.indented(LABEL)));
    if let Credential::Held(Held { from_demo: true, .. }) = credential {
        lines.extend(pair("", &say.text("credential-demo"), width));
    }
    lines
}

fn held_words(store: &Store, say: &Words, held: &Held) -> (Role, String) {
    match held.expires {
        None => (Role::Good, say.text("credential-held")),
        Some(expires) => {
            let when = dates::moment(store, say, expires);
            if store.now.wall < expires {
                (Role::Good, say.with("credential-until", &[("when", &when)]))
            } else {
                (Role::Warn, say.with("credential-expired", &[("when", &when)]))
            }
        }
    }
}
