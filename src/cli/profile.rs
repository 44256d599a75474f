//! Finds a profile's base URL, API contract, network settings, vault and journal directory.
//!
//! Errors are returned as messages in the seller's language.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::complaint::{self, Complaint};
use super::output::print_note;
use super::{ChosenProfile, block_on, path_text, unreadable_file};
use crate::app::OtherProfile;
use crate::config::contract_files::{self, ContractFilesError};
use crate::config::{self, Config, Dirs, Profile, environment, read_text, system_roots};
use crate::contract::{AgreedAtStart, Contract, PRESETS, Preset, is_jwt};
use crate::runtime::chosen_vault::VaultFile;
use crate::runtime::clocks::MachineClocks;
use crate::runtime::environment_secrets::{EnvironmentFault, JWT};
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::world::{ContractConsent, ProfileVault, jwt_credential};
use crate::service::{BaseUrl, Limits, NetworkError, NetworkSettings};
use crate::trade::checkup::VaultSource;
use crate::trade::{AddressFault, CredentialKind, CredentialName, Origin, Untrusted, VaultKind};
use crate::vault::{HelperCommand, StoredCredential, VaultHandle};
use crate::words::{Catalogue, names};

impl ChosenProfile {
    /// The message texts in the language of the command's output.
    pub(super) fn words(&self) -> Result<&'static Catalogue, Complaint> {
        self.args.words(&self.settings)
    }

    /// The base URL of the service: the `--base-url` flag, or else the profile's setting.
    pub(super) fn base_url(&self) -> Result<BaseUrl, Complaint> {
        self.optional_base_url()?
            .ok_or_else(|| missing_base_url(&self.settings.config, &self.name))
    }

    /// Like [`base_url`](Self::base_url), but returns `None` if no base URL is set.
    pub(super) fn optional_base_url(&self) -> Result<Option<BaseUrl>, Complaint> {
        let flag = self.args.base_url.as_deref();
        let Some(text) = flag.or(self.profile.base_url.as_deref()) else {
            return Ok(None);
        };
        BaseUrl::parse(text)
            .map(Some)
            .map_err(|fault| self.address_error(text, fault))
    }

    fn address_error(&self, text: &str, fault: AddressFault) -> Complaint {
        let address = Untrusted::from(address_without_secrets(text));
        let fault = names::address_fault(fault);
        let place = self.args.base_url.is_none().then(|| {
            let file = self.settings.dirs.config_file();
            let line = config::line_of(&file, &["profiles", &self.name, "base-url"]);
            (path_text(&file), line, Untrusted::from(&*self.name))
        });
        Complaint::new(move |words| {
            let address = address.shown();
            let why = words.text(fault);
            let values = [("address", &*address), ("why", &*why)];
            let Some((file, line, profile)) = &place else {
                return words.with("complaint-address", &values);
            };
            let place = complaint::describe_place(words, file, line.as_slice());
            let profile = profile.shown();
            let place = [("place", &*place), ("profile", &*profile)];
            words.with("complaint-address-of-profile", &[values, place].concat())
        })
    }
}

/// The error for a missing base URL. Its text lists the profiles that have a base URL.
fn missing_base_url(config: &Config, profile: &str) -> Complaint {
    let profile = Untrusted::from(profile);
    let with_base_url = config
        .file
        .profiles
        .iter()
        .filter(|(_, other)| other.base_url.is_some());
    let others: Vec<Untrusted> = with_base_url
        .map(|(name, _)| name.as_str().into())
        .collect();
    Complaint::new(move |words| {
        let message = words.with("complaint-no-address", &[("profile", &profile.shown())]);
        if others.is_empty() {
            return message;
        }
        let known = complaint::join_texts(&others);
        format!(
            "{message}\n{}",
            words.with("complaint-with-address", &[("known", &known)])
        )
    })
}

/// A URL without the parts that may contain a password or a token.
///
/// The URL may be invalid, so this function uses no URL parser: it only looks for `@`, `?` and `#`.
fn address_without_secrets(address: &str) -> String {
    match address.rsplit_once('@') {
        // The text before the `@` may be a password that contains a `?`, or the text after it may
        // be part of a token. Either may be secret, so show neither.
        Some((before, _)) if before.contains('?') => "…@…".into(),
        Some((_, after)) => format!("…@{}", cut_query(after)),
        None => cut_query(address),
    }
}

fn cut_query(text: &str) -> String {
    match text.find(['?', '#']) {
        Some(at) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// A text from a file or an argument for an error message, without secrets that its URLs may
/// contain.
pub fn hide_url_secrets(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        if line.contains('@') || line.contains("://") {
            address_without_secrets(line)
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl ChosenProfile {
    /// The API contract: the built-in settings, overridden by the settings in the profile's
    /// contract files.
    pub(super) fn contract(&self) -> Result<Contract, Complaint> {
        self.contract_and_network().map(|(contract, _)| contract)
    }

    pub(super) fn contract_and_network(&self) -> Result<(Contract, NetworkSettings), Complaint> {
        let dirs = &self.settings.dirs;
        let config = &self.settings.config;
        let network = network_settings(dirs, &self.profile)?;
        let contract =
            contract_files::read(dirs, &self.profile.contract).map_err(contract_files_error)?;
        let mut settings = network.consent_settings().clone();
        settings.extend(config.message_lines());
        let mut contract = contract.with_profile_settings(&settings);
        if let Some(base) = self.optional_base_url()? {
            contract = contract.with_base_url(base.as_str());
        }
        // Some tests kill the program and resend hundreds of times. They set this variable to skip
        // the wait before a resend. Release builds ignore the variable.
        if cfg!(debug_assertions) && environment::variable("BALCAO_TEST_RESEND_AT_ONCE").is_some() {
            contract.withdrawal.resend_after = Duration::ZERO;
        }
        Ok((contract, network))
    }
}

impl ChosenProfile {
    /// The settings that the seller chose in this start. With credentials from environment
    /// variables, [`BALCAO_ORIGIN`](ORIGIN_VARIABLE) has named the origin too.
    pub(super) fn agreed_at_start(&self, vault: &VaultHandle) -> AgreedAtStart {
        match (self.args.agreed_at_start, vault.kind()) {
            (AgreedAtStart::Nothing, VaultKind::Environment) => AgreedAtStart::Origin,
            (agreed, _) => agreed,
        }
    }

    /// Access to the seller's consent to this API contract.
    pub(super) fn consent(
        &self,
        base: &BaseUrl,
        contract: &Arc<Contract>,
        vault: &VaultHandle,
    ) -> ContractConsent {
        let dirs = &self.settings.dirs;
        let proof = JournalLocation::for_service(base, dirs, vault.clone(), None).proof();
        let profile_vault = ProfileVault::new(&self.name, base.origin(), vault.clone());
        ContractConsent::new(profile_vault, contract.clone(), Limits::default())
            .with_start(self.agreed_at_start(vault), proof)
    }

    /// The profiles to which the user can switch. This profile is left out, unless the settings
    /// file has another origin for it.
    pub(super) fn other_profiles(&self, origin: &Origin) -> Arc<[OtherProfile]> {
        let profiles = self
            .settings
            .config
            .file
            .profiles
            .iter()
            .map(|(name, profile)| {
                let base = profile
                    .base_url
                    .as_deref()
                    .and_then(|url| BaseUrl::parse(url).ok());
                let origin = base.map(|base| base.origin().clone());
                OtherProfile {
                    name: name.as_str().into(),
                    origin,
                }
            });
        let others = profiles.filter(|profile| {
            *profile.name != *self.name || profile.origin.as_ref() != Some(origin)
        });
        others.collect()
    }
}

/// The profile's network settings: additional certificates and the proxy.
pub fn network_settings(dirs: &Dirs, profile: &Profile) -> Result<NetworkSettings, Complaint> {
    let mut network = NetworkSettings::default().with_system_roots(system_roots::read);
    if let Some(name) = &profile.ca_file {
        let path = dirs.config.join(name);
        let text = read_text(&path).map_err(|error| unreadable_file(&path, error))?;
        network = network
            .with_root_certificates(name, text.as_bytes())
            .map_err(|error| network_error(&path, error))?;
    }
    if let Some(proxy) = &profile.proxy {
        // The error does not quote the proxy's URL, because it may contain a password.
        network = network
            .with_proxy(proxy)
            .map_err(|error| network_error(&dirs.config_file(), error))?;
    }
    Ok(network)
}

fn network_error(file: &Path, error: NetworkError) -> Complaint {
    let id = match error {
        NetworkError::NoCertificates => "complaint-ca-file",
        NetworkError::ProxyAddress => "complaint-proxy",
        NetworkError::ProxySecret => "complaint-proxy-secret",
    };
    Complaint::about(id, [("file", path_text(file))])
}

fn contract_files_error(error: ContractFilesError) -> Complaint {
    match error {
        ContractFilesError::NoSuch(name) => {
            let known: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
            Complaint::no_such("complaint-contract", &name, Preset::nearest(&name), &known)
        }
        ContractFilesError::Unreadable { path, error } => unreadable_file(&path, error),
        ContractFilesError::Wrong(error) => Complaint::from_error(error),
    }
}

/// The environment variable with the origin for which the credentials in environment variables are.
/// The variable is needed, because another program may have changed the profile's base URL.
const ORIGIN_VARIABLE: &str = "BALCAO_ORIGIN";

/// The environment variable with the login to which the API token belongs. The variable is needed
/// unless the token itself contains the login. If both exist, the variable is used.
const LOGIN_VARIABLE: &str = "BALCAO_LOGIN";

impl ChosenProfile {
    /// The vault for credentials. The vault is chosen by the `--vault` flag, or else by the
    /// profile, or else by the last login. The default is the system's keyring. If the chosen vault
    /// fails, no other vault is tried.
    pub(super) fn vault(&self, origin: &Origin) -> Result<VaultHandle, Complaint> {
        self.vault_and_source(origin).map(|(vault, _)| vault)
    }

    /// The vault, and where the choice came from: the flag, the profile, the last login or the
    /// default.
    pub(super) fn vault_and_source(
        &self,
        origin: &Origin,
    ) -> Result<(VaultHandle, VaultSource), Complaint> {
        let (kind, source) = match (self.args.vault, self.profile.vault) {
            (Some(kind), _) => (kind, VaultSource::Flag),
            (None, Some(kind)) => (kind, VaultSource::Profile),
            (None, None) => match self.last_login_kind(origin)? {
                Some(kind) => (kind, VaultSource::LastLogin),
                None => (VaultKind::Keyring, VaultSource::Default),
            },
        };
        let vault = match kind {
            VaultKind::Keyring => VaultHandle::keyring(),
            VaultKind::Keyutils => VaultHandle::keyutils(),
            VaultKind::Helper => VaultHandle::helper(self.helper_command()?),
            VaultKind::Environment => self.environment_vault(origin)?,
            VaultKind::Memory => VaultHandle::memory(),
        };
        Ok((vault, source))
    }

    fn last_login_kind(&self, origin: &Origin) -> Result<Option<VaultKind>, Complaint> {
        let kind = VaultFile::new(&self.settings.dirs.state, &self.name, origin).kind();
        kind.map_err(|error| {
            Complaint::about("complaint-vault-file", [("why", error.to_string().into())])
        })
    }

    /// A vault with the credentials from environment variables. They are valid only for this
    /// origin.
    fn environment_vault(&self, origin: &Origin) -> Result<VaultHandle, Complaint> {
        check_origin_variable(environment::text(ORIGIN_VARIABLE).as_deref(), origin)?;
        let secrets = &self.args.environment;
        let now = MachineClocks::new().now().wall;
        let login = environment::text(LOGIN_VARIABLE).unwrap_or_default();
        let login = Some(login.trim_matches(is_quote_or_space)).filter(|login| !login.is_empty());
        if secrets
            .jwt
            .as_ref()
            .is_some_and(|jwt| !is_jwt(jwt.expose()))
        {
            // Ignore an unreadable API contract here: the code that needs the contract reports the
            // error.
            if self
                .contract()
                .is_ok_and(|contract| contract.checks_jwt_shape)
            {
                return Err(Complaint::about(
                    "complaint-environment-jwt",
                    [("variable", JWT.into())],
                ));
            }
        }
        let mut credentials = Vec::new();
        for (kind, secret) in [
            (CredentialKind::ApiToken, &secrets.token),
            (CredentialKind::Jwt, &secrets.jwt),
        ] {
            let Some(secret) = secret else { continue };
            let credential = jwt_credential(secret.duplicate(), None, now);
            let identity = match (login, kind) {
                // The login is required, because only the login that made a withdrawal may resend
                // it.
                (None, CredentialKind::ApiToken) if credential.identity.is_empty() => {
                    return Err(Complaint::about("complaint-environment-login", []));
                }
                (Some(login), CredentialKind::ApiToken) => login.into(),
                _ => credential.identity.clone(),
            };
            credentials.push((
                self.credential_name(origin, kind),
                StoredCredential {
                    identity,
                    ..credential
                },
            ));
        }
        Ok(VaultHandle::environment(credentials))
    }

    /// The helper command (an external program that stores credentials) that the profile names as
    /// its vault.
    fn helper_command(&self) -> Result<HelperCommand, Complaint> {
        let file = ("file", path_text(&self.settings.dirs.config_file()));
        let Some(command) = &self.profile.vault_helper else {
            let profile = ("profile", self.name.as_str().into());
            return Err(Complaint::about("complaint-no-helper", [file, profile]));
        };
        HelperCommand::new(command, environment::variable).ok_or_else(|| {
            Complaint::about(
                "complaint-helper",
                [file, ("command", command.as_str().into())],
            )
        })
    }

    pub(super) fn credential_name(&self, origin: &Origin, kind: CredentialKind) -> CredentialName {
        CredentialName {
            profile: self.name.as_str().into(),
            origin: origin.clone(),
            kind,
        }
    }
}

/// True for characters around the value of an environment variable that do not belong to it. Some
/// tools include quotation marks when they read variables from a file.
fn is_quote_or_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'')
}

/// An error unless the value of [`BALCAO_ORIGIN`](ORIGIN_VARIABLE) names this origin.
fn check_origin_variable(value: Option<&str>, origin: &Origin) -> Result<(), Complaint> {
    // Without a base URL nothing can be sent, so there is no origin to compare with.
    if origin.0.is_empty() {
        return Ok(());
    }
    let value = value.unwrap_or_default().trim_matches(is_quote_or_space);
    let named = BaseUrl::parse(value).ok();
    if named.as_ref().is_some_and(|named| named.origin() == origin) {
        return Ok(());
    }
    let variable = ("variable", ORIGIN_VARIABLE.into());
    let in_use = ("origin", Untrusted::from(&*origin.0));
    if value.is_empty() {
        return Err(Complaint::about(
            "complaint-environment-no-origin",
            [variable, in_use],
        ));
    }
    let named = named.map_or_else(
        || address_without_secrets(value),
        |named| named.origin().0.to_string(),
    );
    let named = ("named", Untrusted::from(named));
    Err(Complaint::about(
        "complaint-environment-origin",
        [variable, named, in_use],
    ))
}

/// The error for secrets that could not be taken out of the environment variables.
pub(super) fn environment_fault(fault: EnvironmentFault) -> Complaint {
    match fault {
        EnvironmentFault::NotAToken(name) => {
            Complaint::about("complaint-environment-value", [("variable", name.into())])
        }
        EnvironmentFault::Failed(error) => {
            Complaint::about("complaint-environment", [("why", error.to_string().into())])
        }
    }
}

impl ChosenProfile {
    /// The location of the journal for this service. Its marker is kept in `vault`.
    pub(super) fn journal_location(
        &self,
        base: &BaseUrl,
        vault: &VaultHandle,
    ) -> Result<JournalLocation, Complaint> {
        // Call the vault on another thread than for credentials, so that a slow write of the marker
        // does not delay reading a credential.
        let marker_vault = if vault.kind().outlives_the_program() {
            self.vault(base.origin())?
        } else {
            vault.clone()
        };
        let team = self.team_mirror(&marker_vault)?;
        Ok(JournalLocation::for_service(
            base,
            &self.settings.dirs,
            marker_vault,
            team,
        ))
    }

    /// The directory of the journal for the profile's service.
    pub(super) fn journal_dir(&self, words: &Catalogue) -> Result<PathBuf, Complaint> {
        let base = self.base_url()?;
        // The journal is only read here, so its marker in the vault is not needed. Use an empty
        // vault.
        let vault = VaultHandle::memory();
        let team = self.team_mirror(&vault)?;
        let location = JournalLocation::for_service(&base, &self.settings.dirs, vault, team);
        let files = block_on(location.proven_files())?;
        if let Some(sandbox) = location
            .unproven_sandbox()
            .filter(|sandbox| sandbox.is_dir())
            && files.dir() != sandbox
        {
            let address = Untrusted::from(base.as_str());
            let folder = path_text(sandbox);
            let values = [("address", &*address.shown()), ("folder", &folder.shown())];
            print_note(&words.with("unproven-loopback", &values));
        }
        Ok(files.dir().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cli::{GlobalArgs, Settings};
    use crate::config::{ContractNames, Dirs};
    use crate::words::{Catalogue, Lang};

    /// The error message for a base URL, either in the settings file or in the `--base-url` flag.
    fn base_url_error(dir: &Path, file: &str, base_url: Option<&str>) -> String {
        std::fs::write(dir.join("config.toml"), file).unwrap();
        let dirs = Dirs {
            config: dir.into(),
            state: dir.into(),
        };
        let config = config::load(&dirs).unwrap();
        let (name, profile) = config.profile(Some("loja")).unwrap();
        let args = GlobalArgs {
            profile: None,
            base_url: base_url.map(str::to_owned),
            lang: None,
            theme: None,
            ascii: false,
            accessible: false,
            vault: None,
            read_only: false,
            redact: false,
            record: None,
            agreed_at_start: AgreedAtStart::Nothing,
            environment: Arc::default(),
        };
        let settings = Settings { dirs, config };
        let chosen = ChosenProfile {
            args,
            settings,
            name,
            profile,
        };
        chosen
            .base_url()
            .unwrap_err()
            .describe(Catalogue::of(Lang::Pt))
    }

    #[test]
    fn base_url_error_hides_password_and_token() {
        let dir = tempfile::tempdir().unwrap();
        for (address, hidden) in [
            ("https://ana:se#gredo@x.example", "…@x.example"),
            ("https://ana:se?gredo@x.example", "…@…"),
            ("https://ana:se@gredo@x.example", "…@x.example"),
            (
                "https://user:segredo@x.example:99999/",
                "…@x.example:99999/",
            ),
            ("https://ana:segredo@x.example", "…@x.example"),
            ("ftp://ana:segredo@x", "…@x"),
            ("ana:segredo@x.example", "…@x.example"),
            ("ana:segredo@x.example/?token=segredo", "…@x.example/…"),
            ("https://x/?token=SEGREDO", "https://x/…"),
            ("https://x/?token=SE@GREDO", "…@…"),
            ("https://x/#SEGREDO", "https://x/…"),
            ("http://x.example", "http://x.example"),
        ] {
            let message = base_url_error(dir.path(), "[profiles.loja]\n", Some(address));
            assert!(
                message.starts_with(&format!("--base-url {hidden}: ")),
                "{message}"
            );
        }
    }

    #[test]
    fn base_url_error_names_file_line_and_profile() {
        let dir = tempfile::tempdir().unwrap();
        let file = "lang = 'en'\n[profiles.outra]\nbase-url = 'https://x.example'\n\n\
                    [profiles.loja]\ntitle = 'loja'\nbase-url = 'http://ana:segredo@x.example'\n";
        let message = base_url_error(dir.path(), file, None);
        let place = format!("{}, linha 7: ", dir.path().join("config.toml").display());
        let rest = "em [profiles.loja], base-url …@x.example: o endereço não pode levar usuário";
        assert!(message.starts_with(&format!("{place}{rest}")), "{message}");
    }

    #[test]
    fn quoted_config_line_hides_password() {
        let line = "base-url = 'https://ana:se gredo@x";
        let error = toml::from_str::<crate::config::ConfigFile>(line)
            .unwrap_err()
            .to_string();
        assert!(error.contains("gredo"), "{error}");
        let text = hide_url_secrets(&error);
        assert!(text.contains("line 1") && text.contains("…@x"), "{text}");
        assert!(!text.contains("gredo") && !text.contains("ana"), "{text}");
    }

    /// The error message for a profile whose API contract or network settings are invalid.
    fn profile_error(profile: Profile) -> String {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("empty.pem"), "no certificate").unwrap();
        let dirs = Dirs {
            config: dir.path().into(),
            state: dir.path().into(),
        };
        let contract = contract_files::read(&dirs, &profile.contract).map_err(contract_files_error);
        let result = network_settings(&dirs, &profile)
            .map(drop)
            .and(contract.map(drop));
        result.unwrap_err().describe(Catalogue::of(Lang::En))
    }

    fn profile_with_contract(name: &str) -> Profile {
        Profile {
            contract: ContractNames(vec![name.to_owned()]),
            ..Profile::default()
        }
    }

    #[test]
    fn unknown_name_error_suggests_nearest_and_lists_all() {
        let unknown = profile_error(profile_with_contract("snake_case"));
        assert!(
            unknown.contains("snake_case") && unknown.contains("did you mean snake-case?"),
            "{unknown}"
        );
        assert!(
            unknown.contains("key-headers, no-content, centavos"),
            "{unknown}"
        );
        assert!(!profile_error(profile_with_contract("woovi")).contains("did you mean"));
        let no_file = profile_error(profile_with_contract("theirs.toml"));
        assert!(
            no_file.contains("theirs.toml") && !no_file.contains("snake-case"),
            "{no_file}"
        );
    }

    #[test]
    fn invalid_route_error_does_not_show_password() {
        let ca_file = |name: &str| Profile {
            ca_file: Some(name.into()),
            ..Profile::default()
        };
        let empty = profile_error(ca_file("empty.pem"));
        assert!(
            empty.contains("empty.pem") && empty.contains("no certificate"),
            "{empty}"
        );
        assert!(profile_error(ca_file("none.pem")).contains("none.pem"));
        let proxy = |text: &str| Profile {
            proxy: Some(text.into()),
            ..Profile::default()
        };
        let secret = profile_error(proxy("http://ana:canary@proxy.example:3128"));
        assert!(
            secret.contains("config.toml") && secret.contains("password"),
            "{secret}"
        );
        assert!(!secret.contains("canary"), "{secret}");
        assert!(profile_error(proxy("proxy.example")).contains("http://proxy.example:3128"));
    }
}
