//! The login form, and the form for pasting a JWT.

use std::time::Duration;

use crate::app::cx::{Cx, Question, Route};
use crate::app::screen::{Info, Screen, ScreenEvent, ScreenLinks, body};
use crate::app::store::session::VaultStatus;
use crate::app::store::teaching::JwtInLogin;
use crate::app::store::{consent, credentials, domains, origin, share_hint, teaching};
use crate::app::ui::block::{Block, by_importance};
use crate::app::ui::failure::text_lines;
use crate::app::ui::form::{Entry, Field, Form, Label};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{LABEL_WIDTH, all_quoted, waiting, wrapped};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::text::{exactly, fit};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, contract_form, panel};
use crate::app::{DemoValue, Effect, Msg, Notice, Store};
use crate::contract::BodySpec;
use crate::trade::{
    CredentialKind, Failure, Operation, Ticket, Untrusted, VaultKind, VaultTrouble,
};
use crate::words::failure::{self, Activity};
use crate::words::personal;

/// The login form. The API contract declares its fields.
#[derive(Debug, Clone)]
pub struct LoginForm {
    pub sent: SentForm,
    /// The failure that made the login necessary, if any.
    pub cause: Option<Failure>,
    /// When the seller submitted the form, in milliseconds of the boot clock, while the form waits
    /// for the vault, the journal and the history.
    pub submitted_ms: Option<u64>,
    /// True if the seller has taught the login since the form was last sent.
    pub is_taught: bool,
}

/// The longest time for which a submitted form waits for the journal and the history, which may
/// name another origin.
const MAX_RECORDS_WAIT_MS: u64 = 2_000;

impl LoginForm {
    pub fn open(store: &Store, why: Option<Failure>) -> LoginForm {
        let spec = &store.setup.contract.login;
        let mut form = contract_form::form(&spec.form, "login").with_personal(&spec.identity);
        prefill(store, &mut form);
        LoginForm {
            sent: SentForm::new(form),
            cause: why,
            submitted_ms: None,
            is_taught: false,
        }
    }

    /// True if the login can be sent: the vault has replied, and it is known whether this profile
    /// was used at another origin before. The seller must see that origin first.
    fn may_send(&self, store: &Store) -> bool {
        let end_ms = self.submitted_ms.map(|at_ms| at_ms + MAX_RECORDS_WAIT_MS);
        let has_waited = end_ms.is_some_and(|end_ms| store.now.boot_ms >= end_ms);
        store.session.vault_status != VaultStatus::Asking && (has_waited || origin::is_known(store))
    }

    /// Sends the submitted form as soon as that is possible. If the profile was used at another
    /// origin before, the form now names it, and the seller must submit again.
    fn continue_submit(&mut self, cx: &mut Cx) {
        if self.submitted_ms.is_none() {
            return;
        }
        if !cx.is_front || origin::earlier(cx.store).is_some() {
            self.submitted_ms = None;
        } else if self.may_send(cx.store) {
            self.act(cx, Action::Submit);
        }
    }
}

/// Prefills the form. In the demo, fills in every field, so that Enter logs in. Otherwise, fills in
/// only the identity (such as an email address) of the last login.
fn prefill(store: &Store, form: &mut Form) {
    if let Some(demo) = &store.setup.demo {
        for (name, value) in &demo.login {
            let Some(field) = form.field_mut(name) else {
                continue;
            };
            match (value, &mut field.entry) {
                (DemoValue::Text(text), Entry::Text { .. }) => field.fill(text),
                (DemoValue::Secret(known), Entry::Secret { len, .. }) => *len = *known,
                _ => {}
            }
        }
        form.focus = form.fields.len();
    } else if let Some(identity) = store.session.api_token.identity() {
        let name = store.setup.contract.login.identity.clone();
        if let Some(field) = form.field_mut(&name) {
            field.fill(identity);
            form.focus = form.fields.iter().position(Field::is_empty).unwrap_or(0);
        }
    }
}

/// Validates the form and starts waiting for the reply to its request.
///
/// Returns `None` until the vault has been read, or if the vault cannot store the credential. The
/// screen must show where the credential will be stored before it is sent.
fn begin_request(cx: &mut Cx, sent: &mut SentForm, body_spec: Option<&BodySpec>) -> Option<Ticket> {
    match cx.store.session.vault_status {
        // Credentials are read from environment variables, so a new credential could not be stored.
        VaultStatus::Kept(VaultKind::Environment) => {
            sent.fail(Failure::Vault(VaultTrouble::ReadOnly));
            return None;
        }
        VaultStatus::Kept(_) => {}
        VaultStatus::Asking => return None,
        VaultStatus::Trouble(_) => {
            cx.ask(Question::UseMemory);
            return None;
        }
    }
    let is_valid = match body_spec {
        Some(body_spec) => contract_form::check_login(&mut sent.form, body_spec),
        None => sent.form.check(),
    };
    is_valid.then(|| {
        let wait = cx.store.wait();
        sent.begin(wait);
        wait.ticket
    })
}

impl Screen for LoginForm {
    fn info(&self) -> Info {
        Info {
            submits: Some("login"),
            ..Info::of("login")
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let area = panel::put_steps(store.render_cx(), &steps(store), area, page);
        let width = form_page::inner_width(area);
        let mut lines = status_lines(store, &self.sent, true, width);
        if self.submitted_ms.is_some() {
            lines.splice(
                0..0,
                wrapped(Role::Text, &words.text("login-checking"), width),
            );
        }
        if self.sent.wait.is_none()
            && self.sent.failure.is_none()
            && let Some(why) = &self.cause
        {
            let text = failure::describe(words, why, Activity::Question);
            let expiry = credentials::expiry_message(store, CredentialKind::ApiToken);
            // In the demo, another hint already explains that the login provides the JWT.
            let needs_hint = needs_jwt(why) && store.setup.demo.is_none();
            let jwt_hint = needs_hint.then(|| words.text("login-brings-jwt"));
            let reasons = [Some(expiry.unwrap_or(text.what)), jwt_hint]
                .into_iter()
                .flatten();
            let reasons = reasons.collect::<Vec<_>>().join(" ");
            lines.splice(0..0, wrapped(Role::Warn, &reasons, width));
        }
        if self.is_taught && self.sent.wait.is_none() {
            lines.splice(
                0..0,
                wrapped(Role::Good, &words.text("login-taught"), width),
            );
        }
        let head = vec![Block::new(head_lines(store, width))];
        let below = by_importance(form_page::BELOW_PRIORITY, lines);
        let form = FormPage::new(words, ["login-title", "login-submit"], &self.sent.form);
        FormPage {
            head,
            below,
            ..form
        }
        .draw(words, area, page);
    }

    body!(Sent(sent));

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit {
            return;
        }
        let contract = cx.store.setup.contract.clone();
        let declared = Some(&contract.login.form);
        if !self.may_send(cx.store) {
            if contract_form::check_login(&mut self.sent.form, &contract.login.form) {
                if self.submitted_ms.is_some() {
                    cx.store.notify(Notice::warn("said-still-refused"));
                }
                self.submitted_ms.get_or_insert(cx.store.now.boot_ms);
            }
            return;
        }
        self.submitted_ms = None;
        let Some(ticket) = begin_request(cx, &mut self.sent, declared) else {
            return;
        };
        self.is_taught = false;
        let mut values = vec![];
        let mut secrets = vec![];
        for field in &self.sent.form.fields {
            match &field.entry {
                Entry::Secret { slot, .. } => secrets.push((field.id.clone(), slot.clone())),
                _ => values.push((field.id.clone(), field.value())),
            }
        }
        cx.perform(Effect::LogIn {
            ticket,
            values,
            secrets,
        })
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let exchange = teaching::after(store, self.sent.failure.as_ref(), Operation::Login);
        ScreenLinks {
            exchange,
            ..ScreenLinks::default()
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Message(Msg::Taught {
                result: Ok(taught), ..
            }) => {
                let spec = &cx.store.setup.contract.login.form;
                let mut form = contract_form::rebuild_form(&self.sent.form, spec, "login");
                // If nothing is missing, the next key must not change a field.
                let missing = form
                    .fields
                    .iter()
                    .position(|it| it.required && it.is_empty());
                form.focus = missing.unwrap_or(form.fields.len());
                self.sent.form = form;
                self.sent.failure = None;
                self.is_taught = true;
                // Do not name a key, because it would be typed into the form.
                cx.store.notify(consent::taught_notice(cx.store, taught));
            }
            ScreenEvent::Message(Msg::LoggedIn { ticket, result }) => {
                let credentials = match self.sent.answer(*ticket, result) {
                    Some(Ok(credentials)) => credentials,
                    Some(Err(_)) => {
                        let refused = self.links(cx.store).exchange;
                        teaching::ask_after_refusal(cx, refused);
                        return true;
                    }
                    None => return true,
                };
                origin::on_login(cx.store);
                for (kind, credential) in credentials {
                    *cx.store.session.credential_mut(*kind) = credential.clone();
                }
                cx.store.notify(match cx.store.session.vault_status {
                    VaultStatus::Trouble(_) => Notice::warn("said-logged-in-for-run"),
                    _ => Notice::good("said-logged-in"),
                });
                cx.close();
                domains::refresh_if_entered(cx);
                cx.store.just_entered = Some(CredentialKind::ApiToken);
                credentials::retry_journal(cx);
            }
            // The vault had a stored credential, and the seller has not typed anything yet, so no
            // login is needed.
            ScreenEvent::Message(Msg::CredentialsRead { .. })
                if cx.store.session.api_token.is_good(cx.store.now.wall)
                    && self.sent.wait.is_none()
                    && !self.sent.form.touched =>
            {
                cx.close()
            }
            ScreenEvent::StoreChanged | ScreenEvent::Deadline => {
                self.continue_submit(cx);
                return false;
            }
            ScreenEvent::Edited => {
                self.submitted_ms = None;
                return false;
            }
            _ => return false,
        }
        true
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        let end_ms = self.submitted_ms? + MAX_RECORDS_WAIT_MS;
        let remaining_ms = end_ms.checked_sub(store.now.boot_ms).filter(|ms| *ms > 0)?;
        Some(Duration::from_millis(remaining_ms))
    }
}

/// The steps in the panel beside the form.
fn steps(store: &Store) -> Vec<&'static str> {
    let then = if store.setup.read_only {
        "login-steps-look"
    } else {
        "login-steps-then"
    };
    let mut steps = vec!["login-steps-sent", "login-steps-kept", then];
    if store.sandbox && !store.unproven {
        steps.push("login-steps-sandbox");
    }
    steps
}

fn head_lines(store: &Store, width: usize) -> Vec<Line> {
    let line = |id: &str, value: String, role| {
        let room = width.saturating_sub(LABEL_WIDTH);
        Line::from(vec![
            Span::of(Role::Dim, exactly(&store.text(id), LABEL_WIDTH)),
            Span::of(role, fit(&value, room)),
        ])
    };
    let setup = &store.setup;
    let in_trouble = matches!(store.session.vault_status, VaultStatus::Trouble(_));
    let vault_role = if in_trouble { Role::Warn } else { Role::Text };
    let origin = Untrusted::from(&*setup.origin.0).shown();
    let mut vault_status = store.text(&store.session.vault_status.message());
    // Show the vault's helper command here, because it runs with the seller's rights and the
    // consent page does not cover it.
    if let (VaultStatus::Kept(VaultKind::Helper), Some(command)) =
        (&store.session.vault_status, &setup.vault_helper)
    {
        vault_status.push_str(&format!(": {}", command.shown()));
    }
    let service = if setup.this_machine && !store.sandbox {
        store.with("login-this-machine", &[("address", &origin)])
    } else {
        origin
    };
    let profile = personal::name(store.words(), &setup.profile).shown();
    let mut lines = vec![line("account-profile", profile, Role::Text)];
    match origin::earlier(store) {
        None => lines.push(line("account-service", service, Role::Text)),
        Some(earlier) => {
            lines.push(line(
                "login-origin-before",
                Untrusted::shown_of(&earlier.0),
                Role::Warn,
            ));
            lines.push(line("login-origin-now", service, Role::Warn));
            lines.extend(wrapped(
                Role::Warn,
                &store.text("login-origin-differs"),
                width,
            ));
        }
    }
    lines.push(line("login-kept", vault_status, vault_role));
    lines
}

/// True if the failure is about a missing or refused JWT.
fn needs_jwt(failure: &Failure) -> bool {
    let jwt = CredentialKind::Jwt;
    match failure {
        Failure::NoCredential(kind) => *kind == jwt,
        Failure::Unauthorized { credential, .. } => *credential == Some(jwt),
        _ => false,
    }
}

/// Lays out the text below the form's button: the pending request, the last failure, or hints.
fn status_lines(store: &Store, sent: &SentForm, is_login: bool, width: usize) -> Vec<Line> {
    let words = store.words();
    let (wait_id, activity) = if is_login {
        ("login-wait", Activity::Login)
    } else {
        ("jwt-wait", Activity::Question)
    };
    if let Some(wait) = sent.wait {
        return vec![waiting(store.render_cx(), &words.text(wait_id), wait)];
    }
    if let Some(failure) = &sent.failure {
        let mut text = failure::describe(words, failure, activity);
        if needs_jwt(failure) {
            text.next = store.render_cx().with_key("jwt-next", Action::Enter);
        }
        return text_lines(&text, width);
    }
    let mut lines = Vec::new();
    if let Some(name) = store.setup.unused_secret {
        let unused = words.with("secret-unused", &[("name", name)]);
        lines.extend(wrapped(Role::Warn, &unused, width));
    }
    if let VaultStatus::Trouble(trouble) = &store.session.vault_status {
        let text = failure::vault(words, trouble);
        lines.extend(all_quoted(&text.quotes, width));
        lines.extend(wrapped(Role::Text, &text.next, width));
        lines.extend(wrapped(Role::Text, &words.text("login-memory"), width));
        lines.push(Line::default());
    }
    // Unless the seller is logged in, show the hint that the app can be explored without a login.
    if is_login
        && store
            .missing_credential(Some(CredentialKind::ApiToken))
            .is_some()
    {
        let text = store.render_cx().with_key("look-around", Action::Back);
        lines.extend(wrapped(Role::Dim, &text, width));
    }
    let Some(demo) = store.setup.demo.as_ref().filter(|_| is_login) else {
        return lines;
    };
    lines.extend(wrapped(Role::Text, &demo_hint(store), width));
    if let Some(origin) = &demo.shared {
        let (role, text_id) = match share_hint::phone_origin(store) {
            Some(_) => (Role::Dim, "login-shared"),
            None => (Role::Warn, "login-shared-here"),
        };
        lines.extend(wrapped(
            role,
            &words.with(text_id, &[("origin", origin)]),
            width,
        ));
    }
    lines
}

/// The demo's hint with the keys that log in and begin the guided story. In a kiosk, the hint also
/// shows the key that changes the language.
///
/// The story key must not be printable, because it would be typed into the form.
fn demo_hint(store: &Store) -> String {
    let render = store.render_cx();
    let enter_hint = render.with_key("login-demo-enter", Action::Enter);
    let mut keys = store.setup.keys.keys(Action::StoryNext).iter();
    let story_hint = keys
        .find(|key| key.text().is_none())
        .map(|key| render.key_name(*key));
    let story_hint = story_hint.map(|key| store.with("login-demo-story", &[("key", &key)]));
    // Visitors of a kiosk may not read the language in which it was started, so show the key that
    // changes it.
    let is_kiosk = store.setup.kiosk().is_some();
    let language_hint = is_kiosk.then(|| render.with_key("login-kiosk-language", Action::Language));
    [Some(enter_hint), story_hint, language_hint]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" · ")
}

/// Returns why the JWT is needed, and whether the login provides it. If the stored JWT has expired,
/// `expiry` is used as the first sentence.
fn jwt_reason(store: &Store, expiry: Option<String>) -> String {
    let reason = expiry.unwrap_or_else(|| store.text("jwt-why"));
    let login_hint = match teaching::jwt_in_login(store).0 {
        JwtInLogin::NoLogin => None,
        JwtInLogin::Absent => Some(store.text("jwt-why.absent")),
        JwtInLogin::Unread => Some(store.render_cx().with_key("jwt-why.unread", Action::Teach)),
        JwtInLogin::Found => Some(store.render_cx().with_key("jwt-why.found", Action::LogIn)),
    };
    [Some(reason), login_hint]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The id of the secret field for the pasted JWT.
pub const JWT_SLOT: &str = "jwt/token";

/// The form for pasting a JWT, which some requests need instead of the API token.
#[derive(Debug, Clone)]
pub struct JwtForm {
    pub sent: SentForm,
}

impl JwtForm {
    pub fn open(failure: Option<Failure>) -> JwtForm {
        let field = Field::secret("jwt", Label::Word("jwt-field"), JWT_SLOT.into());
        JwtForm {
            sent: SentForm {
                failure,
                ..SentForm::new(Form::new(vec![field]))
            },
        }
    }
}

impl Screen for JwtForm {
    fn info(&self) -> Info {
        Info {
            submits: Some("keep"),
            ..Info::of("jwt")
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let width = form_page::inner_width(area);
        let expiry = credentials::expiry_message(store, CredentialKind::Jwt);
        let role = if expiry.is_some() {
            Role::Warn
        } else {
            Role::Text
        };
        let reason = jwt_reason(store, expiry);
        let mut lines = status_lines(store, &self.sent, false, width);
        if self.sent.wait.is_none() && self.sent.failure.as_ref().is_none_or(needs_jwt) {
            let text = match &store.session.vault_status {
                VaultStatus::Asking => words.text("jwt-kept.asking"),
                status => words.with("jwt-kept", &[("where", &words.text(&status.message()))]),
            };
            // The hint states where the JWT will be stored. If there is a failure, the hint goes
            // below its text.
            let index = if self.sent.failure.is_some() {
                lines.len()
            } else {
                0
            };
            lines.splice(index..index, wrapped(Role::Dim, &text, width));
        }
        let head = vec![Block::new(wrapped(role, &reason, width))];
        let below = by_importance(form_page::BELOW_PRIORITY, lines);
        let form = FormPage::new(words, ["jwt-title", "jwt-submit"], &self.sent.form);
        FormPage {
            head,
            below,
            ..form
        }
        .draw(words, area, page);
    }

    body!(Sent(sent));

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit {
            return;
        }
        if let Some(ticket) = begin_request(cx, &mut self.sent, None) {
            cx.perform(Effect::KeepJwt {
                ticket,
                slot: JWT_SLOT.into(),
            });
        }
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let exchange = match teaching::jwt_in_login(store) {
            (JwtInLogin::Unread, exchange) => exchange,
            _ => None,
        };
        ScreenLinks {
            exchange,
            ..ScreenLinks::default()
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let (ticket, result) = match event {
            ScreenEvent::Message(Msg::JwtKept { ticket, result }) => (ticket, result),
            // The seller has just selected the field of the login response that holds the JWT.
            ScreenEvent::Message(Msg::Taught {
                result: Ok(taught), ..
            }) if teaching::login_gives_jwt(cx.store) => {
                // The usual notice shows a key to press. In the login form that key would be typed
                // as text, so show a different notice.
                cx.store.notify(consent::taught_notice(cx.store, taught));
                cx.close();
                let failure = Failure::NoCredential(CredentialKind::Jwt);
                cx.open(Route::Login(Some(failure)));
                return true;
            }
            _ => return false,
        };
        let Some(Ok(credential)) = self.sent.answer(*ticket, result) else {
            return true;
        };
        cx.store.session.jwt = credential.clone();
        cx.store.notify(match cx.store.session.vault_status {
            VaultStatus::Trouble(_) => Notice::warn("said-logged-in-for-run"),
            _ => Notice::good("said-jwt-kept"),
        });
        cx.store.just_entered = Some(CredentialKind::Jwt);
        cx.close();
        domains::refresh_if_entered(cx);
        true
    }
}
