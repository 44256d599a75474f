//! Finds a profile's base URL, API contract, network settings, vault and journal directory.
//!
//! Errors are returned as messages in the seller's language.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::complaint::{self, Complaint};
use super::output::print_note;
use super::{ChosenProfile, block_on, shown, unreadable};
use crate::config::contract_files::{self, ContractFilesError};
use crate::config::{self, Config, Dirs, Profile, environment, read_text};
use crate::contract::{Contract, PRESETS, Preset, is_jwt};
use crate::runtime::chosen_vault::VaultFile;
use crate::runtime::clocks::MachineClocks;
use crate::runtime::environment_secrets::{EnvironmentFault, JWT};
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::world::jwt_credential;
use crate::service::{BaseUrl, NetworkError, NetworkSettings};
use crate::trade::checkup::VaultSource;
use crate::trade::{AddressFault, CredentialKind, CredentialName, Origin, Untrusted, VaultKind};
use crate::vault::{HelperCommand, StoredCredential, VaultHandle};
use crate::words::{Catalogue, names};

impl ChosenProfile {
    /// Returns the base URL of the service: the `--base-url` flag, or else the profile's setting.
    pub(super) fn base_url(&self) -> Result<BaseUrl, Complaint> {
        self.named_base_url()?.ok_or_else(|| no_address(&self.settings.config, &self.name))
    }

    /// Like [`base_url`](Self::base_url), but returns `None` if no base URL is set.
    pub(super) fn named_base_url(&self) -> Result<Option<BaseUrl>, Complaint> {
        let of_flag = self.args.base_url.as_deref();
        let Some(text) = of_flag.or(self.profile.base_url.as_deref()) else { return Ok(None) };
        let wrong = |why: AddressFault| {
            let (address, why) =
                (Untrusted::from(without_secrets(text)), names::address_fault(why));
            let place = of_flag.is_none().then(|| {
                let file = self.settings.places.config_file();
                let line = config::line_of(&file, &["profiles", &self.name, "base-url"]);
                (shown(&file), line, Untrusted::from(&*self.name))
            });
            Complaint::new(move |words| {
                let (address, why) = (address.shown(), words.text(why));
                let values = [("address", &*address), ("why", &*why)];
                let Some((file, line, profile)) = &place else {
                    return words.with("complaint-address", &values);
                };
                let (place, profile) = (complaint::place(words, file, *line), profile.shown());
                let place = [("place", &*place), ("profile", &*profile)];
                words.with("complaint-address-of-profile", &[values, place].concat())
            })
        };
        BaseUrl::parse(text).map(Some).map_err(wrong)
    }
}

/// Returns the error for a missing base URL. Its text lists the profiles that have a base URL.
fn no_address(config: &Config, profile: &str) -> Complaint {
    let profile = Untrusted::from(profile);
    let with_one = config.file.profiles.iter().filter(|(_, other)| other.base_url.is_some());
    let others: Vec<Untrusted> = with_one.map(|(name, _)| name.as_str().into()).collect();
    Complaint::new(move |words| {
        let said = words.with("complaint-no-address", &[("profile", &profile.shown())]);
        if others.is_empty() {
            return said;
        }
        let known = complaint::list(&others);
        format!("{said}\n{}", words.with("complaint-with-address", &[("known", &known)]))
    })
}

/// Returns a URL without the parts that may contain a password or a token.
///
/// The URL may be invalid, so this function uses no URL parser: it only looks for `@`, `?` and `#`.
fn without_secrets(address: &str) -> String {
    let cut = |text: &str| match text.find(['?', '#']) {
        Some(at) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    };
    match address.rsplit_once('@') {
        // The text before the `@` may be a password that contains a `?`, or the text after it may
        // be part of a token. Either may be secret, so show neither.
        Some((before, _)) if before.contains('?') => "…@…".into(),
        Some((_, after)) => format!("…@{}", cut(after)),
        None => cut(address),
    }
}

/// Returns a text from a file or an argument for an error message, without secrets that its URLs
/// may contain.
pub fn quoted_without_secrets(text: &str) -> String {
    let line = |line: &str| match line.contains('@') || line.contains("://") {
        true => without_secrets(line),
        false => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

impl ChosenProfile {
    /// Returns the API contract: the built-in settings, overridden by the settings in the profile's
    /// contract files.
    pub(super) fn contract(&self) -> Result<Contract, Complaint> {
        self.contract_and_network().map(|(contract, _)| contract)
    }

    pub(super) fn contract_and_network(&self) -> Result<(Contract, NetworkSettings), Complaint> {
        let (places, config) = (&self.settings.places, &self.settings.config);
        let connection = connection(places, &self.profile)?;
        let contract =
            contract_files::read(places, &self.profile.contract).map_err(wrong_contract)?;
        let mut lines = connection.lines().clone();
        lines.extend(config.message_lines());
        let mut contract = contract.with_profile_lines(&lines);
        // Some tests kill the program and resend hundreds of times. They set this variable to skip
        // the wait before a resend. Release builds ignore the variable.
        if cfg!(debug_assertions) && environment::variable("BALCAO_TEST_RESEND_AT_ONCE").is_some() {
            contract.withdrawal.resend_after = Duration::ZERO;
        }
        Ok((contract, connection))
    }
}

/// Returns the profile's network settings: additional certificates and the proxy.
pub fn connection(places: &Dirs, profile: &Profile) -> Result<NetworkSettings, Complaint> {
    let mut connection = NetworkSettings::default();
    if let Some(name) = &profile.ca_file {
        let path = places.config.join(name);
        let text = read_text(&path).map_err(|error| unreadable(&path, error))?;
        let wrong = |why| network_error_text(&path, why);
        connection = connection.trusting(name, text.as_bytes()).map_err(wrong)?;
    }
    if let Some(proxy) = &profile.proxy {
        // The error does not quote the proxy's URL, because it may contain a password.
        let wrong = |why| network_error_text(&places.config_file(), why);
        connection = connection.through(proxy).map_err(wrong)?;
    }
    Ok(connection)
}

/// Returns the error message for invalid certificates or an invalid proxy in a profile.
fn network_error_text(file: &Path, why: NetworkError) -> Complaint {
    let id = match why {
        NetworkError::NoCertificates => "complaint-ca-file",
        NetworkError::ProxyAddress => "complaint-proxy",
        NetworkError::ProxySecret => "complaint-proxy-secret",
    };
    Complaint::about(id, [("file", shown(file))])
}

fn wrong_contract(error: ContractFilesError) -> Complaint {
    match error {
        ContractFilesError::NoSuch(name) => {
            let known: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
            Complaint::no_such("complaint-contract", &name, Preset::nearest(&name), &known)
        }
        ContractFilesError::Unreadable { path, error } => unreadable(&path, error),
        ContractFilesError::Wrong(error) => Complaint::of(error),
    }
}

/// The environment variable with the login to which the API token belongs. The variable is needed
/// unless the token itself contains the login. If both exist, the variable is used.
const LOGIN: &str = "BALCAO_LOGIN";

impl ChosenProfile {
    /// Returns the vault for credentials. The `--vault` flag decides which vault, or else the
    /// profile, or else the last login, or else the system's keyring. If that vault fails, no other
    /// vault is tried.
    pub(super) fn vault(&self, origin: &Origin) -> Result<VaultHandle, Complaint> {
        self.vault_and_source(origin).map(|(vault, _)| vault)
    }

    /// Returns the vault, and where the choice came from: the flag, the profile, the last login or
    /// the default.
    pub(super) fn vault_and_source(
        &self,
        origin: &Origin,
    ) -> Result<(VaultHandle, VaultSource), Complaint> {
        let remembered = || {
            let kind = VaultFile::new(&self.settings.places.state, &self.name, origin).kind();
            kind.map_err(|error| {
                Complaint::about("complaint-vault-file", [("why", error.to_string().into())])
            })
        };
        let (kind, source) = match (self.args.vault, self.profile.vault) {
            (Some(kind), _) => (kind, VaultSource::Flag),
            (None, Some(kind)) => (kind, VaultSource::Profile),
            (None, None) => match remembered()? {
                Some(kind) => (kind, VaultSource::LastLogin),
                None => (VaultKind::Keyring, VaultSource::Nobody),
            },
        };
        let vault = match kind {
            VaultKind::Keyring => VaultHandle::keyring(),
            VaultKind::Keyutils => VaultHandle::keyutils(),
            VaultKind::Helper => VaultHandle::helper(self.helper()?),
            VaultKind::Environment => self.environment(origin)?,
            VaultKind::Memory => VaultHandle::memory(),
        };
        Ok((vault, source))
    }

    /// Returns a vault with the credentials from environment variables. They are valid only for
    /// this origin.
    fn environment(&self, origin: &Origin) -> Result<VaultHandle, Complaint> {
        let secrets = &self.args.environment;
        let now = MachineClocks::new().now().wall;
        // Trim quotation marks, because some tools include them when they read variables from a
        // file.
        let is_around = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
        let login = environment::text(LOGIN).unwrap_or_default();
        let login = Some(login.trim_matches(is_around)).filter(|login| !login.is_empty());
        if secrets.jwt.as_ref().is_some_and(|jwt| !is_jwt(jwt.expose())) {
            // Ignore an unreadable API contract here: the code that needs the contract reports the
            // error.
            if self.contract().is_ok_and(|contract| contract.checks_jwt_shape) {
                return Err(Complaint::about(
                    "complaint-environment-jwt",
                    [("variable", JWT.into())],
                ));
            }
        }
        let mut credentials = Vec::new();
        for (kind, secret) in
            [(CredentialKind::ApiToken, &secrets.token), (CredentialKind::Jwt, &secrets.jwt)]
        {
            let Some(secret) = secret else { continue };
            let read = jwt_credential(secret.duplicate(), None, now);
            let identity = match (login, kind) {
                // The login is required, because only the login that made a withdrawal may resend
                // it.
                (None, CredentialKind::ApiToken) if read.identity.is_empty() => {
                    return Err(Complaint::about("complaint-environment-login", []));
                }
                (Some(login), CredentialKind::ApiToken) => login.into(),
                _ => read.identity.clone(),
            };
            credentials
                .push((self.credential(origin, kind), StoredCredential { identity, ..read }));
        }
        Ok(VaultHandle::environment(credentials))
    }

    /// Returns the helper command (an external program that stores credentials) that the profile
    /// names as its vault.
    fn helper(&self) -> Result<HelperCommand, Complaint> {
        let file = ("file", shown(&self.settings.places.config_file()));
        let Some(command) = &self.profile.vault_helper else {
            let profile = ("profile", self.name.as_str().into());
            return Err(Complaint::about("complaint-no-helper", [file, profile]));
        };
        let wrong =
            || Complaint::about("complaint-helper", [file, ("command", command.as_str().into())]);
        HelperCommand::new(command, environment::variable).ok_or_else(wrong)
    }

    pub(super) fn credential(&self, origin: &Origin, kind: CredentialKind) -> CredentialName {
        CredentialName { profile: self.name.as_str().into(), origin: origin.clone(), kind }
    }
}

/// Returns the error for secrets that could not be taken out of the environment variables.
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
    /// Returns the directory of the journal for the profile's service.
    pub(super) fn journal_dir(&self, words: &Catalogue) -> Result<PathBuf, Complaint> {
        let base = self.base_url()?;
        // The journal is only read here, so its marker in the vault is not needed. Use an empty
        // vault.
        let location =
            JournalLocation::for_service(&base, &self.settings.places, VaultHandle::memory());
        let dir = block_on(location.dir_to_read())?;
        if let Some(sandbox) = location.unproven_sandbox().filter(|sandbox| sandbox.is_dir())
            && dir != *sandbox
        {
            let (address, folder) = (Untrusted::from(base.as_str()), shown(sandbox));
            let values = [("address", &*address.shown()), ("folder", &folder.shown())];
            print_note(&words.with("unproven-loopback", &values));
        }
        Ok(dir)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::cli::{GlobalArgs, Settings};
    use crate::config::{ContractNames, Dirs};
    use crate::words::{Catalogue, Lang};

    /// Returns the error message for a base URL, either in the settings file or in the `--base-url`
    /// flag.
    fn described(dir: &Path, file: &str, base_url: Option<&str>) -> String {
        std::fs::write(dir.join("config.toml"), file).unwrap();
        let places = Dirs { config: dir.into(), state: dir.into() };
        let config = config::load(&places).unwrap();
        let (name, profile) = config.profile(Some("loja")).unwrap();
        let args = GlobalArgs {
            profile: None,
            base_url: base_url.map(str::to_owned),
            lang: None,
            theme: None,
            ascii: false,
            vault: None,
            read_only: false,
            redact: false,
            environment: Arc::default(),
        };
        let settings = Settings { places, config };
        let chosen = ChosenProfile { args, settings, name, profile };
        chosen.base_url().unwrap_err().describe(Catalogue::of(Lang::Pt))
    }

    #[test]
    fn a_password_in_an_address_is_never_said_again() {
        let dir = tempfile::tempdir().unwrap();
        for (address, told) in [
            ("https://ana:se#gredo@x.example", "…@x.example"),
            ("https://ana:se?gredo@x.example", "…@…"),
            ("https://ana:se@gredo@x.example", "…@x.example"),
            ("https://user:segredo@x.example:99999/", "…@x.example:99999/"),
            ("https://ana:segredo@x.example", "…@x.example"),
            ("ftp://ana:segredo@x", "…@x"),
            ("ana:segredo@x.example", "…@x.example"),
            ("ana:segredo@x.example/?token=segredo", "…@x.example/…"),
            ("https://x/?token=SEGREDO", "https://x/…"),
            ("https://x/?token=SE@GREDO", "…@…"),
            ("https://x/#SEGREDO", "https://x/…"),
            ("http://x.example", "http://x.example"),
        ] {
            let said = described(dir.path(), "[profiles.loja]\n", Some(address));
            assert!(said.starts_with(&format!("--base-url {told}: ")), "{said}");
        }
    }

    #[test]
    fn a_wrong_address_is_told_with_the_place_it_is_from() {
        let dir = tempfile::tempdir().unwrap();
        let file = "lang = 'en'\n[profiles.outra]\nbase-url = 'https://x.example'\n\n\
                    [profiles.loja]\ntitle = 'loja'\nbase-url = 'http://ana:segredo@x.example'\n";
        let said = described(dir.path(), file, None);
        let place = format!("{}, linha 7: ", dir.path().join("config.toml").display());
        let rest = "em [profiles.loja], base-url …@x.example: o endereço não pode levar usuário";
        assert!(said.starts_with(&format!("{place}{rest}")), "{said}");
    }

    #[test]
    fn quoted_config_line_hides_password() {
        let line = "base-url = 'https://ana:se gredo@x";
        let error = toml::from_str::<crate::config::ConfigFile>(line).unwrap_err().to_string();
        assert!(error.contains("gredo"), "{error}");
        let said = quoted_without_secrets(&error);
        assert!(said.contains("line 1") && said.contains("…@x"), "{said}");
        assert!(!said.contains("gredo") && !said.contains("ana"), "{said}");
    }

    /// Returns the error message for a profile whose API contract or network settings are invalid.
    fn told(profile: Profile) -> String {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("empty.pem"), "no certificate").unwrap();
        let places = Dirs { config: dir.path().into(), state: dir.path().into() };
        let read = contract_files::read(&places, &profile.contract).map_err(wrong_contract);
        let told = connection(&places, &profile).map(drop).and(read.map(drop));
        told.unwrap_err().describe(Catalogue::of(Lang::En))
    }

    fn named(name: &str) -> Profile {
        Profile { contract: ContractNames(vec![name.to_owned()]), ..Profile::default() }
    }

    #[test]
    fn unknown_name_error_suggests_nearest_and_lists_all() {
        let wrong = told(named("snake_case"));
        assert!(
            wrong.contains("snake_case") && wrong.contains("did you mean snake-case?"),
            "{wrong}"
        );
        assert!(wrong.contains("key-headers, no-content, centavos"), "{wrong}");
        assert!(!told(named("woovi")).contains("did you mean"));
        let no_file = told(named("theirs.toml"));
        assert!(no_file.contains("theirs.toml") && !no_file.contains("snake-case"), "{no_file}");
    }

    #[test]
    fn invalid_route_error_does_not_show_password() {
        let ca_file = |name: &str| Profile { ca_file: Some(name.into()), ..Profile::default() };
        let empty = told(ca_file("empty.pem"));
        assert!(empty.contains("empty.pem") && empty.contains("no certificate"), "{empty}");
        assert!(told(ca_file("none.pem")).contains("none.pem"));
        let proxy = |text: &str| Profile { proxy: Some(text.into()), ..Profile::default() };
        let secret = told(proxy("http://ana:canary@proxy.example:3128"));
        assert!(secret.contains("config.toml") && secret.contains("password"), "{secret}");
        assert!(!secret.contains("canary"), "{secret}");
        assert!(told(proxy("proxy.example")).contains("http://proxy.example:3128"));
    }
}
