//! `balcao login`, `logout` and `whoami`: log in and out, with the same vault and HTTP client as
//! the app.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::{Value, json};

use super::complaint::{self, Complaint, REFUSED};
use super::hidden_input;
use super::lists::json_row;
use super::output::{print_line, prompt};
use super::{ChosenProfile, GlobalArgs, block_on, consent, path_text};
use crate::app::ui::failure::field_error;
use crate::app::ui::form::FieldError;
use crate::contract::{Body, Contract, FieldFault, FieldInput, FieldKind, FieldSpec, InvalidField};
use crate::journal::requests::{RequestOwner, Requests};
use crate::locked::Locked;
use crate::rows::json_line::{FORMAT, format_utc};
use crate::runtime::chosen_vault::VaultFile;
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::team::TeamMirror;
use crate::runtime::world::{ContractConsent, jwt_credential};
use crate::service::{BaseUrl, Client, Limits, LoggedIn, NetworkSettings, Service, Tracer};
use crate::trade::{
    CredentialKind, CredentialName, Failure, JournalTrouble, Secret, Untrusted, VaultKind,
    VaultTrouble, Wall,
};
use crate::vault::{StoredCredential, VaultHandle};
use crate::words::failure::{self, Activity};
use crate::words::{Catalogue, Lang, dates, personal};

/// The profile, API contract and vault that `login`, `logout` and `whoami` use.
pub(super) struct CommandSession {
    chosen: ChosenProfile,
    pub(super) base: BaseUrl,
    pub(super) contract: Arc<Contract>,
    connection: NetworkSettings,
    pub(super) vault: VaultHandle,
    /// The seller's stored consent to the API contract.
    consent: ContractConsent,
    pub(super) words: &'static Catalogue,
}

/// The input in the fields of the login form, by field id.
type LoginInput = BTreeMap<String, FieldValue>;

/// The input in one field of the login form.
enum FieldValue {
    Text(String),
    Secret(Secret),
}

impl CommandSession {
    pub(super) fn open(args: &GlobalArgs) -> Result<CommandSession, Complaint> {
        let chosen = args.chosen_profile()?;
        let base = chosen.base_url()?;
        let vault = chosen.vault(base.origin())?;
        let (contract, connection) = chosen.contract_and_network()?;
        let contract = Arc::new(contract);
        let consent = chosen.consent(&base, &contract, &vault);
        // Nothing is sent to a sandbox that does not repeat its proof, because its settings need no
        // consent.
        let connection = connection.with_proof(consent.proof());
        let words = chosen.words()?;
        Ok(CommandSession {
            chosen,
            base,
            contract,
            connection,
            vault,
            consent,
            words,
        })
    }

    pub(super) fn credential_name(&self, kind: CredentialKind) -> CredentialName {
        self.chosen.credential_name(self.base.origin(), kind)
    }

    /// The HTTP client of the service, or an error if the seller does not agree to the current API
    /// contract.
    pub(super) async fn service(
        &self,
        limits: Limits,
        agree: Option<&str>,
    ) -> Result<Service, Complaint> {
        let logins = self.vault_file().origins();
        let is_moved = !logins.contains(self.base.origin());
        let earlier = logins.first().filter(|_| is_moved);
        consent::require(self.words, &self.contract, &self.consent, earlier, agree).await?;
        let consent = Arc::new(self.consent.clone());
        let clocks = MachineClocks::new();
        let now = Arc::new(move || clocks.now());
        let client = Client::new(
            limits,
            self.connection.clone(),
            consent,
            now,
            Arc::new(|_| ()),
        );
        Ok(Service::new(
            self.base.clone(),
            self.contract.clone(),
            client,
        ))
    }

    /// A recorder for the requests of a batch, whose history is in this directory. Returns `None`
    /// if the settings turn the record off, or if it cannot be opened: no feature depends on it,
    /// and `balcao doctor` reports problems of the file.
    pub(super) fn batch_recorder(&self, dir: &Path, now: Wall) -> Option<Tracer> {
        if !self.chosen.settings.config.file.requests.keep {
            return None;
        }
        let requests = Requests::open(dir, now).ok()?;
        let owner = RequestOwner {
            profile: self.chosen.name.as_str().into(),
            origin: self.base.origin().clone(),
        };
        let record = Locked::new((requests, VecDeque::new()));
        Some(Arc::new(move |exchange| {
            let (requests, kept) = &mut *record.lock();
            _ = requests.store_of_batch(&owner, &exchange, kept);
        }))
    }

    pub(super) fn vault_error(&self, trouble: VaultTrouble) -> Complaint {
        let failure = Failure::Vault(trouble);
        Complaint::text(complaint::describe_failure(
            self.words,
            &failure,
            Activity::Question,
        ))
    }

    /// The directory of the profile's history and journal.
    pub(super) fn journal_dir(&self) -> Result<PathBuf, Complaint> {
        self.chosen.journal_dir(self.words)
    }

    /// The mirror of the profile's team, if the history of the team is in this directory.
    pub(super) fn team_mirror(&self, dir: &Path) -> Result<Option<TeamMirror>, Complaint> {
        let mirror = self.chosen.team_mirror(&self.vault)?;
        Ok(mirror.filter(|mirror| mirror.files().dir() == dir))
    }

    /// An error that describes a problem with the history in this directory.
    pub(super) fn history_error(&self, dir: &Path, trouble: &JournalTrouble) -> Complaint {
        complaint::history_error(self.words, &path_text(dir), trouble)
    }

    /// Prompts for each field of the login form that the API contract declares. Returns `None` if
    /// the user cancels.
    fn prompt_for_login(
        &self,
        user: Option<String>,
        piped: bool,
    ) -> Result<Option<LoginInput>, Complaint> {
        let login = &self.contract.login;
        let mut input = LoginInput::default();
        let mut piped_secret = piped
            .then(hidden_input::read_piped)
            .transpose()
            .map_err(|error| secret_error(self.words, &error))?;
        let is_terminal = io::stdin().is_terminal();
        for field in login.form.fields.iter().filter(|field| field.is_input()) {
            let label = self.label(field);
            if field.kind == FieldKind::Secret {
                let secret = match piped_secret.take() {
                    Some(secret) => Some(secret),
                    None if is_terminal => {
                        let question = self.words.with("login-hidden", &[("label", label)]);
                        hidden_input::read_typed(&question)
                            .map_err(|error| secret_error(self.words, &error))?
                    }
                    None => return Err(self.no_terminal_error()),
                };
                let Some(secret) = secret else {
                    return Ok(None);
                };
                input.insert(field.id.clone(), FieldValue::Secret(secret));
                continue;
            }
            let user = user.clone().filter(|_| field.id == login.identity);
            let value = match user.or_else(|| field.default.clone()) {
                Some(value) => value,
                None if is_terminal => match prompt(&format!("{label}:"))? {
                    Some(typed) => typed,
                    None => return Ok(None),
                },
                None if field.required => return Err(self.no_terminal_error()),
                None => continue,
            };
            input.insert(field.id.clone(), FieldValue::Text(value));
            // Check each input before the next prompt, so that nobody types a password after an
            // invalid email.
            let mut invalid = self.build_body(&input).err().unwrap_or_default();
            invalid.retain(|invalid| invalid.field == field.id);
            if !invalid.is_empty() {
                return Err(self.invalid_fields_error(&invalid));
            }
        }
        Ok(Some(input))
    }

    fn no_terminal_error(&self) -> Complaint {
        Complaint::text(self.words.text("login-wants-terminal"))
    }

    fn label<'f>(&self, field: &'f FieldSpec) -> &'f str {
        match self.words.lang() {
            Lang::Pt => &field.label_pt,
            Lang::En => &field.label_en,
        }
    }

    fn invalid_fields_error(&self, fields: &[InvalidField]) -> Complaint {
        let form = &self.contract.login.form;
        let lines = fields
            .iter()
            .map(|invalid| {
                let label = form
                    .field(&invalid.field)
                    .map_or(&*invalid.field, |field| self.label(field));
                match &invalid.fault {
                    FieldFault::Missing => self.words.with("login-blank", &[("label", label)]),
                    fault => {
                        let fault = FieldError::Fault(fault.clone());
                        format!("{label}: {}.", field_error(self.words, &fault))
                    }
                }
            })
            .chain([self.words.text("moved-not-sent")]);
        Complaint::text(lines.collect::<Vec<_>>().join("\n"))
    }

    /// The request body for the login, or all errors in the values that the user entered.
    fn build_body(&self, input: &LoginInput) -> Result<Body, Vec<InvalidField>> {
        self.contract
            .login
            .form
            .body(|field| match input.get(&field.id)? {
                FieldValue::Text(text) => Some(FieldInput::Text(text)),
                FieldValue::Secret(secret) => Some(FieldInput::Secret(secret)),
            })
    }

    /// Stores the credentials that a login returned. If the JWT cannot be stored, the API token is
    /// deleted again.
    async fn store(&self, logged_in: LoggedIn) -> Result<(), VaultTrouble> {
        let LoggedIn {
            identity,
            token,
            at,
            expires,
            jwt,
        } = logged_in;
        let stored = |secret, expires| {
            let credential = jwt_credential(secret, None, at);
            Arc::new(StoredCredential {
                identity: identity.clone(),
                expires,
                ..credential
            })
        };
        self.vault
            .put(
                self.credential_name(CredentialKind::ApiToken),
                stored(token, expires),
            )
            .await?;
        if let Some((jwt, expires)) = jwt {
            let result = self
                .vault
                .put(
                    self.credential_name(CredentialKind::Jwt),
                    stored(jwt, expires),
                )
                .await;
            if let Err(trouble) = result {
                let _ = self
                    .vault
                    .delete(self.credential_name(CredentialKind::ApiToken))
                    .await;
                return Err(trouble);
            }
        }
        // Ignore errors: at worst, the user has to name the vault again at the next start.
        let _ = self.vault_file().put(self.vault.kind());
        Ok(())
    }

    fn vault_file(&self) -> VaultFile {
        let state = &self.chosen.settings.dirs.state;
        VaultFile::new(state, &self.chosen.name, self.base.origin())
    }
}

/// The error for a secret that could not be read from the terminal or a pipe.
pub(super) fn secret_error(words: &Catalogue, error: &io::Error) -> Complaint {
    match error.kind() {
        io::ErrorKind::InvalidData => Complaint::text(words.text("login-not-utf-8")),
        io::ErrorKind::FileTooLarge => Complaint::text(words.text("login-too-long")),
        _ => Complaint::from_error(error),
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
        VaultKind::Environment => {
            return Err(session.vault_error(VaultTrouble::ReadOnly));
        }
        _ => {}
    }
    // Check before the password prompt that the vault works, because it must store the new
    // credentials.
    block_on(session.vault.status())?.map_err(|trouble| session.vault_error(trouble))?;
    let words = session.words;
    let service = block_on(session.service(Limits::default(), agree))??;
    let Some(input) = session.prompt_for_login(user, piped)? else {
        return Err(Complaint::refused(words.text("given-up")));
    };
    let body = session
        .build_body(&input)
        .map_err(|invalid| session.invalid_fields_error(&invalid))?;
    let logged_in = block_on(service.login(&body))?.map_err(|failure| {
        Complaint::refused(complaint::describe_failure(
            words,
            &failure,
            Activity::Login,
        ))
    })?;
    let identity = personal::name(words, &logged_in.identity).shown();
    block_on(session.store(logged_in))?.map_err(|trouble| session.vault_error(trouble))?;
    block_on(session.consent.remember())?;
    let place = vault_name(words, session.vault.kind());
    print_line(&words.with("login-done", &[("identity", &identity), ("place", &place)]))
}

/// Logs out: deletes the API token and the JWT. The seller's consent to the API contract is kept.
pub fn logout(args: &GlobalArgs) -> Result<(), Complaint> {
    let session = CommandSession::open(args)?;
    let mut was_logged_in = false;
    let mut result = Ok(());
    for kind in [CredentialKind::ApiToken, CredentialKind::Jwt] {
        // Also delete an entry that could not be read, because it may still be a credential.
        let stored = block_on(session.vault.get(session.credential_name(kind)))?;
        was_logged_in |= !matches!(stored, Ok(None));
        result = result.and(block_on(
            session.vault.delete(session.credential_name(kind)),
        )?);
    }
    result.map_err(|trouble| {
        Complaint::text(complaint::failure_lines(failure::logout(
            session.words,
            &trouble,
        )))
    })?;
    print_line(&session.words.text(if was_logged_in {
        "logout-done"
    } else {
        "logout-nobody"
    }))
}

/// Describes the place where a vault stores credentials, such as the system's keyring.
pub(super) fn vault_name(words: &Catalogue, vault: VaultKind) -> String {
    words.text(&format!("keeper-{}", vault.name()))
}

/// Prints the login and the expiry of its credentials, but never a secret.
///
/// Without a configured service, the exit code is the same as for a user who is not logged in.
pub fn whoami(args: &GlobalArgs, json: bool) -> Result<ExitCode, Complaint> {
    let has_service = args.chosen_profile()?.optional_base_url()?.is_some();
    let session = CommandSession::open(args).map_err(|complaint| {
        if has_service {
            complaint
        } else {
            complaint.into_refused()
        }
    })?;
    let now = MachineClocks::new().now().wall;
    let read = |kind| {
        let stored = block_on(session.vault.get(session.credential_name(kind)))?;
        stored.map_err(|trouble| session.vault_error(trouble))
    };
    let api_token = read(CredentialKind::ApiToken)?;
    let jwt = read(CredentialKind::Jwt)?;
    let is_logged_in = credential_state(api_token.as_deref(), now) == "good";
    if json {
        let object = json!({
            "format": FORMAT,
            "profile": session.chosen.name,
            "service": session.base.as_str(),
            "vault": session.vault.kind().name(),
            "loggedIn": is_logged_in,
            "credentials": [
                credential_json("api-token", api_token.as_deref(), now),
                credential_json("jwt", jwt.as_deref(), now),
            ],
        });
        print_line(&json_row(session.words, object))?;
    } else {
        let credentials = [api_token.as_deref(), jwt.as_deref()];
        print_session(&session, credentials, now)?;
    }
    Ok(if is_logged_in {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(REFUSED)
    })
}

fn print_session(
    session: &CommandSession,
    [api_token, jwt]: [Option<&StoredCredential>; 2],
    now: Wall,
) -> Result<(), Complaint> {
    let words = session.words;
    let local_now = (now, clocks::utc_offset_s(now));
    let fields = [
        ("account-profile", Untrusted::shown_of(&session.chosen.name)),
        (
            "account-service",
            Untrusted::shown_of(session.base.as_str()),
        ),
        ("account-kept", vault_name(words, session.vault.kind())),
        (
            "credential-api-token",
            describe_credential(words, api_token, local_now),
        ),
        ("credential-jwt", describe_credential(words, jwt, local_now)),
    ];
    fields
        .iter()
        .try_for_each(|(label, value)| print_line(&format!("{:<14}  {value}", words.text(label))))
}

/// The state of a credential for scripts.
fn credential_state(stored: Option<&StoredCredential>, now: Wall) -> &'static str {
    match stored {
        None => "absent",
        Some(stored) if stored.expires.is_some_and(|expires| expires <= now) => "expired",
        Some(_) => "good",
    }
}

fn credential_json(kind: &str, stored: Option<&StoredCredential>, now: Wall) -> Value {
    json!({
        "kind": kind,
        "state": credential_state(stored, now),
        "account": stored.map(|stored| &*stored.identity),
        "expires": stored.and_then(|stored| stored.expires).map(format_utc),
    })
}

/// Describes a credential by its login and its expiry.
fn describe_credential(
    words: &Catalogue,
    stored: Option<&StoredCredential>,
    local_now: (Wall, i32),
) -> String {
    let Some(StoredCredential {
        identity, expires, ..
    }) = stored
    else {
        return words.text("whoami-none");
    };
    let state = match expires {
        None => words.text("credential-here"),
        Some(end) => {
            let id = if local_now.0 < *end {
                "credential-here-until"
            } else {
                "credential-expired"
            };
            words.with(id, &[("when", &dates::moment(words, local_now, *end))])
        }
    };
    let identity = personal::name(words, identity).shown();
    if identity.is_empty() {
        state
    } else {
        format!("{identity}; {state}")
    }
}
