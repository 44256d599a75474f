//! Logging in and out, and putting the JWT in place.

use super::form::{Entry, Field, Form, Label, Slot};
use super::layer::{Layer, Question};
use super::session::{Credential, JwtForm, Keeper, LoginForm};
use super::update::{reload_withdrawals, say};
use super::withdrawals::{destinations, quote};
use super::{DemoValue, Effect, Model, Said, act, declared, domains};
use crate::trade::{CredentialKind, Failure, JournalTrouble, Ticket, VaultTrouble};

/// The secret slot of the pasted JWT.
pub const JWT_SLOT: &str = "jwt/token";

/// The vault answered: what is missing is asked for.
pub fn credentials_read(
    model: &mut Model,
    keeper: Keeper,
    api_token: Credential,
    jwt: Credential,
) -> Vec<Effect> {
    model.session.keeper = keeper;
    model.session.api_token = api_token;
    model.session.jwt = jwt;
    let mut effects = domains::refresh_if_entered(model);
    if model.session.api_token.is_good(model.now.wall) {
        effects.extend(drop_untouched(model));
    } else {
        effects.extend(open(model, None));
    }
    let answers = !matches!(model.session.keeper, Keeper::Trouble(_));
    if answers && model.withdrawals.trouble.as_ref().is_some_and(JournalTrouble::may_pass) {
        // Whoever unlocked the keyring for this has unlocked it for that too.
        effects.extend(reload_withdrawals(model));
    }
    effects
}

/// Asks the vault again, where it was in trouble: it may have been unlocked since.
pub fn read_again(model: &mut Model) -> Vec<Effect> {
    if !matches!(model.session.keeper, Keeper::Trouble(_)) {
        return vec![];
    }
    model.session.keeper = Keeper::Asking;
    vec![Effect::ReadCredentials]
}

/// The login that nobody has begun is not needed any more.
fn drop_untouched(model: &mut Model) -> Vec<Effect> {
    let is_idle = |layer: &Layer| match layer {
        Layer::Login(login) => login.wait.is_none() && !login.form.touched,
        _ => false,
    };
    let Some(at) = model.layers.iter().position(is_idle) else { return vec![] };
    let Layer::Login(login) = model.layers.remove(at) else { return vec![] };
    vec![Effect::WipeSecrets(slots(&login.form))]
}

/// Opens the login screen, unless it is open already, and says what made it necessary.
pub fn open(model: &mut Model, why: Option<Failure>) -> Vec<Effect> {
    if model.layers.iter().any(|layer| matches!(layer, Layer::Login(_))) {
        return vec![];
    }
    let mut form = declared::form(&model.setup.contract.login.form, "login");
    fill_in(model, &mut form);
    act::open(model, Layer::Login(Box::new(LoginForm { form, wait: None, failure: None, why })))
}

/// The demo fills the login in, so that Enter logs in; otherwise who it was last time stands there.
fn fill_in(model: &Model, form: &mut Form) {
    if let Some(demo) = &model.setup.demo {
        for (name, value) in &demo.login {
            let Some(field) = form.field_mut(name) else { continue };
            match (value, &mut field.entry) {
                (DemoValue::Text(text), Entry::Text { .. }) => field.fill(text),
                (DemoValue::Secret(known), Entry::Secret { len, .. }) => *len = *known,
                _ => {}
            }
        }
        form.focus = form.fields.len();
    } else if let Some(identity) = model.session.api_token.identity() {
        let name = model.setup.contract.login.identity.clone();
        if let Some(field) = form.field_mut(&name) {
            field.fill(identity);
            form.focus = form.fields.iter().position(Field::is_empty).unwrap_or(0);
        }
    }
}

/// Opens the screen on which the JWT is pasted.
pub fn open_jwt(model: &mut Model, failure: Option<Failure>) -> Vec<Effect> {
    if model.layers.iter().any(|layer| matches!(layer, Layer::Jwt(_))) {
        return vec![];
    }
    let form = Form::new(vec![Field::secret("jwt", Label::Word("jwt-field"), JWT_SLOT.into())]);
    act::open(model, Layer::Jwt(Box::new(JwtForm { form, wait: None, failure })))
}

/// A secret field has another length.
pub fn secret_edited(model: &mut Model, slot: &Slot, len: usize) -> Vec<Effect> {
    for form in model.layers.iter_mut().filter_map(Layer::form_mut) {
        form.secret_edited(slot, len);
    }
    vec![]
}

/// A secret field took no more.
pub fn secret_full(model: &mut Model, slot: &Slot) -> Vec<Effect> {
    for form in model.layers.iter_mut().filter_map(Layer::form_mut) {
        form.secret_full(slot);
    }
    vec![]
}

/// The secret slots of a form.
pub fn slots(form: &Form) -> Vec<Slot> {
    form.fields
        .iter()
        .filter_map(|field| match &field.entry {
            Entry::Secret { slot, .. } => Some(slot.clone()),
            _ => None,
        })
        .collect()
}

/// Nothing is sent before it is said where the credential will be kept.
fn keeper_is_settled(model: &mut Model) -> Result<(), Vec<Effect>> {
    match model.session.keeper {
        Keeper::Kept(_) => Ok(()),
        Keeper::Asking => Err(vec![]),
        Keeper::Trouble(_) => Err(act::ask(model, Question::UseMemory)),
    }
}

/// Logs in.
pub fn submit(model: &mut Model) -> Vec<Effect> {
    if let Err(effects) = keeper_is_settled(model) {
        return effects;
    }
    let wait = model.wait();
    let Some(Layer::Login(login)) = model.layers.last_mut() else { return vec![] };
    if !login.form.check() {
        return vec![];
    }
    (login.wait, login.failure) = (Some(wait), None);
    let mut values = vec![];
    let mut secrets = vec![];
    for field in &login.form.fields {
        match &field.entry {
            Entry::Secret { slot, .. } => secrets.push((field.name.clone(), slot.clone())),
            _ => values.push((field.name.clone(), field.value())),
        }
    }
    vec![Effect::LogIn { ticket: wait.ticket, values, secrets }]
}

/// A login ended.
pub fn logged_in(
    model: &mut Model,
    ticket: Ticket,
    result: Result<Vec<(CredentialKind, Credential)>, Failure>,
) -> Vec<Effect> {
    let Some(at) = waiting_at(model, ticket) else { return vec![] };
    let Layer::Login(login) = &mut model.layers[at] else { return vec![] };
    login.wait = None;
    match result {
        Err(failure) => {
            login.failure = Some(failure);
            vec![]
        }
        Ok(held) => {
            let mut effects = vec![Effect::WipeSecrets(slots(&login.form))];
            model.layers.remove(at);
            for (kind, credential) in held {
                *model.session.credential_mut(kind) = credential;
            }
            effects.extend(say(model, Said::LoggedIn));
            effects.extend(domains::refresh_if_entered(model));
            quote::ask_quote_again(model);
            // Whose destinations these are may be known only now.
            effects.extend(destinations::ask(model));
            if model.withdrawals.trouble.as_ref().is_some_and(JournalTrouble::may_pass) {
                // Whoever unlocked the keyring for this has unlocked it for that too.
                effects.extend(reload_withdrawals(model));
            }
            effects
        }
    }
}

/// Keeps the pasted JWT.
pub fn submit_jwt(model: &mut Model) -> Vec<Effect> {
    if let Err(effects) = keeper_is_settled(model) {
        return effects;
    }
    let wait = model.wait();
    let Some(Layer::Jwt(jwt)) = model.layers.last_mut() else { return vec![] };
    if !jwt.form.check() {
        return vec![];
    }
    (jwt.wait, jwt.failure) = (Some(wait), None);
    vec![Effect::KeepJwt { ticket: wait.ticket, slot: JWT_SLOT.into() }]
}

/// The JWT was kept, or not.
pub fn jwt_kept(
    model: &mut Model,
    ticket: Ticket,
    result: Result<Credential, Failure>,
) -> Vec<Effect> {
    let Some(at) = waiting_at(model, ticket) else { return vec![] };
    let Layer::Jwt(jwt) = &mut model.layers[at] else { return vec![] };
    jwt.wait = None;
    match result {
        Err(failure) => {
            jwt.failure = Some(failure);
            vec![]
        }
        Ok(credential) => {
            model.layers.remove(at);
            model.session.jwt = credential;
            let mut effects = vec![Effect::WipeSecrets(vec![JWT_SLOT.into()])];
            effects.extend(say(model, Said::JwtKept));
            effects.extend(domains::refresh_if_entered(model));
            quote::ask_quote_again(model);
            effects
        }
    }
}

/// The layer that waits for this answer; an answer nobody waits for is dropped.
pub fn waiting_at(model: &Model, ticket: Ticket) -> Option<usize> {
    model.layers.iter().position(|layer| layer.wait().is_some_and(|wait| wait.ticket == ticket))
}

/// The credentials are gone, or could not be taken away.
pub fn logged_out(model: &mut Model, result: Result<(), VaultTrouble>) -> Vec<Effect> {
    match result {
        Ok(()) => {
            model.session.api_token = Credential::Absent;
            model.session.jwt = Credential::Absent;
            // The next one to log in may be another seller, with other domains.
            let mut effects = domains::forget(model);
            effects.extend(say(model, Said::LoggedOut));
            effects.extend(open(model, None));
            effects
        }
        Err(trouble) => say(model, Said::Failure(Failure::Vault(trouble))),
    }
}
