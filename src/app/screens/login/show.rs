//! Logging in, and pasting the JWT for links.
//!
//! Where a secret will be kept is said before it is typed.

use super::{JwtForm, LoginForm};
use crate::app::action::Action;
use crate::app::session::Keeper;
use crate::app::ui::failure::told_lines;
use crate::app::ui::form_rows::{Around, places};
use crate::app::ui::forms;
use crate::app::ui::parts::{LABEL, first_key, put, put_tight, quoted, waiting, wrapped};
use crate::app::ui::text::{exactly, fit};
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::app::{Store, Wait};
use crate::trade::{CredentialKind, Failure, Untrusted, VaultKind, VaultTrouble};
use crate::words::Words;
use crate::words::failure::{self, Doing};

/// The login screen.
pub fn login(store: &Store, say: &Words, login: &LoginForm, area: Area, page: &mut Page) {
    let failed = login.failure.is_some();
    let around = Around { head: 6, below: if failed { 4 } else { 1 }, keeps_below: failed };
    let places = places(&login.form, around, area);
    let mut lines = login_head(store, say, usize::from(area.width));
    if places.head.height < 5 {
        // What must be said before a password is typed goes first.
        lines.drain(1..3);
        lines.swap(1, 2);
    }
    put(lines, places.head, page);
    let submit = say.text("login-submit");
    let below = forms::draw(say, &login.form, &submit, &places, page);
    let state = FieldState { wait: login.wait, failure: &login.failure, what: "login-wait" };
    let mut lines = state.lines(store, say, Doing::Login, below);
    if let (None, None, Some(why)) = (login.wait, &login.failure, &login.why) {
        let told = failure::describe(say, why, Doing::Question);
        let width = usize::from(below.width);
        lines.splice(0..0, wrapped(Role::Warn, &told.what, width));
    }
    put_below(lines, below, page);
}

fn login_head(store: &Store, say: &Words, width: usize) -> Vec<Line> {
    let one = |id: &str, value: String, role| {
        let room = width.saturating_sub(LABEL + 4);
        Line::from(vec![
            Span::of(Role::Dim, format!("  {}", exactly(&say.text(id), LABEL))),
            Span::of(role, fit(&value, room)),
        ])
    };
    let setup = &store.setup;
    let kept = match store.session.keeper {
        Keeper::Trouble(_) => Role::Warn,
        _ => Role::Text,
    };
    let origin = Untrusted::from(&*setup.origin.0).shown();
    let service = match setup.this_machine && !store.sandbox {
        true => say.with("login-this-machine", &[("address", &origin)]),
        false => origin,
    };
    vec![
        Line::of(Role::Title, format!(" {}", say.text("login-title"))),
        Line::default(),
        one("account-profile", Untrusted::from(&*setup.profile).shown(), Role::Text),
        one("account-service", service, Role::Text),
        one("login-kept", say.text(keeper(&store.session.keeper)), kept),
    ]
}

/// Where credentials are kept, in a few words.
pub fn keeper(keeper: &Keeper) -> &'static str {
    match keeper {
        Keeper::Asking => "keeper-asking",
        Keeper::Kept(VaultKind::Keyring) => "keeper-keyring",
        Keeper::Kept(VaultKind::Memory) => "keeper-memory",
        Keeper::Trouble(VaultTrouble::Absent) => "keeper-absent",
        Keeper::Trouble(VaultTrouble::Locked) => "keeper-locked",
        Keeper::Trouble(VaultTrouble::Hangs) => "keeper-hangs",
        Keeper::Trouble(VaultTrouble::Other(_)) => "keeper-other",
    }
}

/// The screen on which a JWT is pasted.
pub fn jwt(store: &Store, say: &Words, jwt: &JwtForm, area: Area, page: &mut Page) {
    let failed = jwt.failure.is_some();
    let head = if area.width < 76 { 8 } else { 6 };
    let around = Around { head, below: if failed { 4 } else { 1 }, keeps_below: failed };
    let places = places(&jwt.form, around, area);
    let head = places.head;
    put(vec![Line::of(Role::Title, format!(" {}", say.text("jwt-title")))], head, page);
    let (_, text) = head.narrowed(2).split_top(2);
    put(wrapped(Role::Text, &say.text("jwt-why"), usize::from(text.width)), text, page);
    let submit = say.text("jwt-submit");
    let below = forms::draw(say, &jwt.form, &submit, &places, page);
    let state = FieldState { wait: jwt.wait, failure: &jwt.failure, what: "jwt-wait" };
    let mut lines = state.lines(store, say, Doing::Question, below);
    if jwt.wait.is_none() && jwt.failure.as_ref().is_none_or(is_pasted_here) {
        let text = match &store.session.keeper {
            Keeper::Asking => say.text("jwt-kept.asking"),
            known => say.with("jwt-kept", &[("where", &say.text(keeper(known)))]),
        };
        // What made it necessary comes first.
        let at = if jwt.failure.is_some() { lines.len() } else { 0 };
        lines.splice(at..at, wrapped(Role::Dim, &text, usize::from(below.width)));
    }
    put_below(lines, below, page);
}

/// Whether what failed is mended by the JWT that is pasted on this very screen.
fn is_pasted_here(failure: &Failure) -> bool {
    let jwt = CredentialKind::Jwt;
    match failure {
        Failure::NoCredential(kind) => *kind == jwt,
        Failure::Unauthorized { credential, .. } => *credential == Some(jwt),
        _ => false,
    }
}

/// Below the button, after an empty row where there is room for one.
fn put_below(lines: Vec<Line>, below: Area, page: &mut Page) {
    let gap = u16::from(lines.len() < usize::from(below.height));
    put_tight(lines, below.split_top(gap).1, page);
}

/// What became of the last submit.
struct FieldState<'a> {
    wait: Option<Wait>,
    failure: &'a Option<Failure>,
    what: &'a str,
}

impl FieldState<'_> {
    fn lines(&self, store: &Store, say: &Words, doing: Doing, area: Area) -> Vec<Line> {
        let width = usize::from(area.width);
        if let Some(wait) = self.wait {
            return vec![waiting(store, say, &say.text(self.what), wait)];
        }
        if let Some(failure) = self.failure {
            let mut told = failure::describe(say, failure, doing);
            if is_pasted_here(failure) {
                let key = first_key(store, Action::Enter);
                told.next = say.with("jwt-next", &[("key", &key)]);
            }
            return told_lines(&told, width);
        }
        let mut lines = Vec::new();
        if let Keeper::Trouble(trouble) = &store.session.keeper {
            let told = failure::vault(say, trouble);
            for (label, words) in &told.quotes {
                lines.extend(quoted(label, words, width));
            }
            lines.extend(wrapped(Role::Text, &told.next, width));
            lines.extend(wrapped(Role::Text, &say.text("login-memory"), width));
            lines.push(Line::default());
        }
        if doing == Doing::Login {
            let key = first_key(store, Action::Back);
            let text = say.with("look-around", &[("key", &key)]);
            lines.extend(wrapped(Role::Dim, &text, width));
            if store.setup.demo.is_some() {
                lines.extend(wrapped(Role::Dim, &say.text("login-demo"), width));
            }
        }
        lines
    }
}
