//! Logging in, and pasting the JWT for links.
//!
//! Where a secret will be kept is said before it is typed.

use ratatui::Frame;
use ratatui::text::Line;

use super::failure::{self, Doing};
use super::parts::{LABEL, first_key, put, put_tight, waiting, wrapped};
use super::text::{exactly, fit};
use super::{Look, Role, forms};
use crate::app::action::Action;
use crate::app::geometry::{self, Area};
use crate::app::layer::Layer;
use crate::app::session::{JwtForm, Keeper, LoginForm};
use crate::app::{Model, Wait};
use crate::trade::{CredentialKind, Failure, Untrusted, VaultTrouble};

/// The login screen.
pub(super) fn login(
    model: &Model,
    look: &Look,
    login: &LoginForm,
    layer: &Layer,
    area: Area,
    frame: &mut Frame,
) {
    let head = geometry::head(layer, area);
    let mut lines = login_head(model, look, usize::from(area.width));
    if head.height < 5 {
        // What must be said before a password is typed goes first.
        lines.drain(1..3);
        lines.swap(1, 2);
    }
    put(lines, head, frame);
    let submit = look.say("login-submit");
    let below = forms::draw(look, layer, &login.form, &submit, area, frame);
    let state = State { wait: login.wait, failure: &login.failure, what: "login-wait" };
    let mut lines = state.lines(model, look, Doing::Login, below);
    if let (None, None, Some(why)) = (login.wait, &login.failure, &login.why) {
        let told = failure::told(look, why, Doing::Question);
        let width = usize::from(below.width);
        lines.splice(0..0, wrapped(look, Role::Warn, &told.what, width));
    }
    put_below(lines, below, frame);
}

fn login_head(model: &Model, look: &Look, width: usize) -> Vec<Line<'static>> {
    let one = |id: &str, value: String, role| {
        let room = width.saturating_sub(LABEL + 4);
        Line::from(vec![
            look.span(Role::Dim, format!("  {}", exactly(&look.say(id), LABEL))),
            look.span(role, fit(&value, room)),
        ])
    };
    let setup = &model.setup;
    let kept = match model.session.keeper {
        Keeper::Trouble(_) => Role::Warn,
        _ => Role::Text,
    };
    let origin = Untrusted::from(&*setup.origin.0).shown();
    let service = match setup.this_machine && !model.sandbox {
        true => look.words.with("login-this-machine", &[("address", &origin)]),
        false => origin,
    };
    vec![
        look.line(Role::Title, format!(" {}", look.say("login-title"))),
        Line::default(),
        one("account-profile", Untrusted::from(&*setup.profile).shown(), Role::Text),
        one("account-service", service, Role::Text),
        one("login-kept", look.say(keeper(&model.session.keeper)), kept),
    ]
}

/// Where credentials are kept, in a few words.
pub(super) fn keeper(keeper: &Keeper) -> &'static str {
    match keeper {
        Keeper::Asking => "keeper-asking",
        Keeper::Keyring => "keeper-keyring",
        Keeper::Memory => "keeper-memory",
        Keeper::Trouble(VaultTrouble::Absent) => "keeper-absent",
        Keeper::Trouble(VaultTrouble::Locked) => "keeper-locked",
        Keeper::Trouble(VaultTrouble::Hangs) => "keeper-hangs",
        Keeper::Trouble(VaultTrouble::Other(_)) => "keeper-other",
    }
}

/// The screen on which a JWT is pasted.
pub(super) fn jwt(
    model: &Model,
    look: &Look,
    jwt: &JwtForm,
    layer: &Layer,
    area: Area,
    frame: &mut Frame,
) {
    let head = geometry::head(layer, area);
    put(vec![look.line(Role::Title, format!(" {}", look.say("jwt-title")))], head, frame);
    let (_, text) = head.narrowed(2).split_top(2);
    put(wrapped(look, Role::Text, &look.say("jwt-why"), usize::from(text.width)), text, frame);
    let submit = look.say("jwt-submit");
    let below = forms::draw(look, layer, &jwt.form, &submit, area, frame);
    let state = State { wait: jwt.wait, failure: &jwt.failure, what: "jwt-wait" };
    let mut lines = state.lines(model, look, Doing::Question, below);
    if jwt.wait.is_none() && jwt.failure.as_ref().is_none_or(is_pasted_here) {
        let text = match &model.session.keeper {
            Keeper::Asking => look.say("jwt-kept.asking"),
            known => look.words.with("jwt-kept", &[("where", &look.say(keeper(known)))]),
        };
        // What made it necessary comes first.
        let at = if jwt.failure.is_some() { lines.len() } else { 0 };
        lines.splice(at..at, wrapped(look, Role::Dim, &text, usize::from(below.width)));
    }
    put_below(lines, below, frame);
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
fn put_below(lines: Vec<Line<'static>>, below: Area, frame: &mut Frame) {
    let gap = u16::from(lines.len() < usize::from(below.height));
    put_tight(lines, below.split_top(gap).1, frame);
}

/// What became of the last submit.
struct State<'a> {
    wait: Option<Wait>,
    failure: &'a Option<Failure>,
    what: &'a str,
}

impl State<'_> {
    fn lines(&self, model: &Model, look: &Look, doing: Doing, area: Area) -> Vec<Line<'static>> {
        let width = usize::from(area.width);
        if let Some(wait) = self.wait {
            return vec![waiting(model, look, &look.say(self.what), wait)];
        }
        if let Some(failure) = self.failure {
            let mut told = failure::told(look, failure, doing);
            if is_pasted_here(failure) {
                let key = first_key(model, look, Action::Enter);
                told.next = look.words.with("jwt-next", &[("key", &key)]);
            }
            return failure::told_lines(look, &told, width);
        }
        let mut lines = Vec::new();
        if let Keeper::Trouble(trouble) = &model.session.keeper {
            let told = failure::vault(look, trouble);
            for (label, words) in &told.quotes {
                lines.extend(super::parts::quoted(look, label, words, width));
            }
            lines.extend(wrapped(look, Role::Text, &told.next, width));
            lines.extend(wrapped(look, Role::Text, &look.say("login-memory"), width));
            lines.push(Line::default());
        }
        if doing == Doing::Login {
            let key = first_key(model, look, Action::Back);
            let text = look.words.with("look-around", &[("key", &key)]);
            lines.extend(wrapped(look, Role::Dim, &text, width));
            if model.setup.demo.is_some() {
                lines.extend(wrapped(look, Role::Dim, &look.say("login-demo"), width));
            }
        }
        lines
    }
}
