//! `balcao login`, `logout` and `whoami`: log in and out, with the same vault and HTTP client as
//! the app.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;

use super::complaint::{self, Complaint, REFUSED};
use super::hidden_input;
use super::output::{print_line, prompt};
use super::{ChosenProfile, GlobalArgs, block_on, consent};
use crate::app::ui::failure::field_error;
use crate::app::ui::form::FieldError;
use crate::contract::{Body, Contract, FieldFault, FieldInput, FieldKind, FieldSpec, InvalidField};
use crate::runtime::chosen_vault::VaultFile;
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::world::jwt_credential;
use crate::service::{BaseUrl, Client, Limits, LoggedIn, NetworkSettings, Service};
use crate::trade::{
    CredentialKind, CredentialName, Failure, Secret, Untrusted, VaultKind, VaultTrouble, Wall,
};
use crate::vault::{StoredCredential, VaultHandle};
use crate::words::failure::Activity;
use crate::words::{Catalogue, Lang, dates, personal};

/// The profile, API contract and vault that `login`, `logout` and `whoami` use.
pub(super) struct CommandSession {
    chosen: ChosenProfile,
    pub(super) base: BaseUrl,
    pub(super) contract: Arc<Contract>,
    connection: NetworkSettings,
    pub(super) vault: VaultHandle,
    pub(super) words: &'static Catalogue,
}

/// The input in the fields of the login form, by field id.
type TypedLogin = BTreeMap<String, Typed>;

/// The input in one field of the login form.
enum Typed {
    Text(String),
    Secret(Secret),
}

impl CommandSession {
    pub(super) fn open(args: &GlobalArgs) -> Result<CommandSession, Complaint> {
        let chosen = args.chosen()?;
        let base = chosen.base_url()?;
        let vault = chosen.vault(base.origin())?;
        let (contract, connection) = chosen.contract_and_network()?;
        let words = chosen.words()?;
        Ok(CommandSession { chosen, base, contract: Arc::new(contract), connection, vault, words })
    }

    pub(super) fn name(&self, kind: CredentialKind) -> CredentialName {
        self.chosen.credential(self.base.origin(), kind)
    }

    /// Returns the HTTP client of the service, or an error if the seller does not agree to the
    /// current API contract.
    pub(super) async fn service(
        &self,
        limits: Limits,
        agree: Option<&str>,
    ) -> Result<Service, Complaint> {
        let profile = (&*self.chosen.name, self.base.origin());
        let consent =
            consent::require(self.words, &self.contract, profile, &self.vault, agree).await?;
        let clocks = MachineClocks::new();
        let now = Arc::new(move || clocks.now());
        let client = Client::new(limits, self.connection.clone(), consent, now, Arc::new(|_| ()));
        Ok(Service::new(self.base.clone(), self.contract.clone(), client))
    }

    fn trouble(&self, trouble: VaultTrouble) -> Complaint {
        let failure = Failure::Vault(trouble);
        Complaint::text(complaint::failure(self.words, &failure, Activity::Question))
    }

    /// Prompts for each field of the login form that the API contract declares. Returns `None` if
    /// the user cancels.
    fn ask(&self, user: Option<String>, piped: bool) -> Result<Option<TypedLogin>, Complaint> {
        let login = &self.contract.login;
        let mut typed = TypedLogin::default();
        let unread = |error| self.unread_secret(&error);
        let mut piped = piped.then(hidden_input::piped).transpose().map_err(unread)?;
        let asks = io::stdin().is_terminal();
        let no_terminal = || Complaint::text(self.words.text("login-wants-terminal"));
        for field in login.form.fields.iter().filter(|field| field.is_input()) {
            let label = self.label(field);
            if field.kind == FieldKind::Secret {
                let secret = match piped.take() {
                    Some(secret) => Some(secret),
                    None if asks => {
                        let question = self.words.with("login-hidden", &[("label", label)]);
                        hidden_input::typed(&question).map_err(unread)?
                    }
                    None => return Err(no_terminal()),
                };
                let Some(secret) = secret else { return Ok(None) };
                typed.insert(field.id.clone(), Typed::Secret(secret));
                continue;
            }
            let given = user.clone().filter(|_| field.id == login.identity);
            let value = match given.or_else(|| field.default.clone()) {
                Some(value) => value,
                None if asks => match prompt(&format!("{label}:"))? {
                    Some(typed) => typed,
                    None => return Ok(None),
                },
                None if field.required => return Err(no_terminal()),
                None => continue,
            };
            typed.insert(field.id.clone(), Typed::Text(value));
            // Check each input before the next prompt, so that nobody types a password after an
            // invalid email.
            let mut wrong = self.read(&typed).err().unwrap_or_default();
            wrong.retain(|wrong| wrong.field == field.id);
            if !wrong.is_empty() {
                return Err(self.unfit(&wrong));
            }
        }
        Ok(Some(typed))
    }

    fn label<'f>(&self, field: &'f FieldSpec) -> &'f str {
        match self.words.lang() {
            Lang::Pt => &field.label_pt,
            Lang::En => &field.label_en,
        }
    }

    fn unread_secret(&self, error: &io::Error) -> Complaint {
        match error.kind() {
            io::ErrorKind::InvalidData => Complaint::text(self.words.text("login-not-utf-8")),
            io::ErrorKind::FileTooLarge => Complaint::text(self.words.text("login-too-long")),
            _ => Complaint::of(error),
        }
    }

    /// Returns the error message for invalid values in the login form.
    fn unfit(&self, fields: &[InvalidField]) -> Complaint {
        let form = &self.contract.login.form;
        let line = |wrong: &InvalidField| {
            let label = form.field(&wrong.field).map_or(&*wrong.field, |field| self.label(field));
            match &wrong.fault {
                FieldFault::Missing => self.words.with("login-blank", &[("label", label)]),
                fault => {
                    let fault = FieldError::Fault(fault.clone());
                    format!("{label}: {}.", field_error(self.words, &fault))
                }
            }
        };
        let lines = fields.iter().map(line).chain([self.words.text("moved-not-sent")]);
        Complaint::text(lines.collect::<Vec<_>>().join("\n"))
    }

    /// Returns the request body for the login, or all errors in the values that the user entered.
    fn read(&self, typed: &TypedLogin) -> Result<Body, Vec<InvalidField>> {
        let value = |field: &FieldSpec| match typed.get(&field.id)? {
            Typed::Text(text) => Some(FieldInput::Text(text)),
            Typed::Secret(secret) => Some(FieldInput::Secret(secret)),
        };
        self.contract.login.form.body(value)
    }

    /// Stores the credentials that a login returned. If the JWT cannot be stored, the API token is
    /// deleted again.
    async fn keep(&self, logged_in: LoggedIn) -> Result<(), VaultTrouble> {
        let LoggedIn { identity, token, at, expires, jwt } = logged_in;
        let stored = |secret, expires| {
            let read = jwt_credential(secret, None, at);
            Arc::new(StoredCredential { identity: identity.clone(), expires, ..read })
        };
        self.vault.put(self.name(CredentialKind::ApiToken), stored(token, expires)).await?;
        if let Some((jwt, expires)) = jwt {
            let kept = self.vault.put(self.name(CredentialKind::Jwt), stored(jwt, expires)).await;
            if let Err(trouble) = kept {
                let _ = self.vault.delete(self.name(CredentialKind::ApiToken)).await;
                return Err(trouble);
            }
        }
        let (state, name) = (&self.chosen.settings.places.state, &self.chosen.name);
        let file = VaultFile::new(state, name, self.base.origin());
        // Ignore errors: at worst, the user has to name the vault again at the next start.
        let _ = file.put(self.vault.kind());
        Ok(())
    }
}

/// Logs in, and stores the credentials that the login returns.
pub fn login(
    args: &GlobalArgs,
    user: Option<String>,
    piped: bool,
    agree: Option<&str>,
) -> Result<(), Complaint> {
    let session = CommandSession::open(args)?;
    match session.vault.kind() {
        VaultKind::Memory => {
            return Err(Complaint::text(session.words.text("login-into-memory")));
        }
        VaultKind::Environment => return Err(session.trouble(VaultTrouble::ReadOnly)),
        _ => {}
    }
    // Check before the password prompt that the vault works, because it must store the new
    // credentials.
    block_on(session.vault.status())?.map_err(|trouble| session.trouble(trouble))?;
    let words = session.words;
    let service = block_on(session.service(Limits::default(), agree))??;
    let Some(typed) = session.ask(user, piped)? else {
        return Err(Complaint::refused(words.text("given-up")));
    };
    let body = session.read(&typed).map_err(|wrong| session.unfit(&wrong))?;
    let logged_in = block_on(service.login(&body))?.map_err(|failure| {
        Complaint::refused(complaint::failure(words, &failure, Activity::Login))
    })?;
    let identity = personal::name(words, &logged_in.identity).shown();
    block_on(session.keep(logged_in))?.map_err(|trouble| session.trouble(trouble))?;
    let place = vault_status(words, session.vault.kind());
    print_line(&words.with("login-done", &[("identity", &identity), ("place", &place)]))
}

/// Logs out: deletes the API token and the JWT. The seller's consent to the API contract is kept.
pub fn logout(args: &GlobalArgs) -> Result<(), Complaint> {
    let session = CommandSession::open(args)?;
    let (mut was_in, mut deleted) = (false, Ok(()));
    for kind in [CredentialKind::ApiToken, CredentialKind::Jwt] {
        // Also delete an entry that could not be read, because it may still be a credential.
        let stored = block_on(session.vault.get(session.name(kind)))?;
        was_in |= !matches!(stored, Ok(None));
        deleted = deleted.and(block_on(session.vault.delete(session.name(kind)))?);
    }
    deleted.map_err(|trouble| session.trouble(trouble))?;
    print_line(&session.words.text(if was_in { "logout-done" } else { "logout-nobody" }))
}

/// Describes the place where a vault stores credentials, such as the system's keyring.
fn vault_status(words: &Catalogue, vault: VaultKind) -> String {
    words.text(&format!("keeper-{}", vault.name()))
}

/// Prints the login and the expiry of its credentials, but never a secret.
///
/// Without a configured service, the exit code is the same as for a user who is not logged in.
pub fn whoami(args: &GlobalArgs) -> Result<ExitCode, Complaint> {
    let has_service = args.chosen()?.named_base_url()?.is_some();
    let session = CommandSession::open(args)
        .map_err(|complaint| if has_service { complaint } else { complaint.into_refused() })?;
    let now = MachineClocks::new().now().wall;
    let at = (now, clocks::utc_offset_s(now));
    let line =
        |label, value: &str| print_line(&format!("{:<14}  {value}", session.words.text(label)));
    line("account-profile", &Untrusted::shown_of(&session.chosen.name))?;
    line("account-service", &Untrusted::shown_of(session.base.as_str()))?;
    line("account-kept", &vault_status(session.words, session.vault.kind()))?;
    let mut is_in = false;
    for (kind, label) in [
        (CredentialKind::ApiToken, "credential-api-token"),
        (CredentialKind::Jwt, "credential-jwt"),
    ] {
        let stored = block_on(session.vault.get(session.name(kind)))?;
        let stored = stored.map_err(|trouble| session.trouble(trouble))?;
        is_in |= kind == CredentialKind::ApiToken
            && stored.as_ref().is_some_and(|it| it.expires.is_none_or(|expires| now < expires));
        line(label, &credential(session.words, stored.as_deref(), at))?;
    }
    Ok(if is_in { ExitCode::SUCCESS } else { ExitCode::from(REFUSED) })
}

/// Describes a credential by its login and its expiry.
fn credential(words: &Catalogue, stored: Option<&StoredCredential>, at: (Wall, i32)) -> String {
    let Some(StoredCredential { identity, expires, .. }) = stored else {
        return words.text("whoami-none");
    };
    let until = match expires {
        None => words.text("credential-here"),
        Some(end) => {
            let id = if at.0 < *end { "credential-here-until" } else { "credential-expired" };
            words.with(id, &[("when", &dates::moment(words, at, *end))])
        }
    };
    let identity = personal::name(words, identity).shown();
    if identity.is_empty() { until } else { format!("{identity}; {until}") }
}
