//! The configuration: built-in defaults, the seller's files, environment variables and flags.
//!
//! Later sources override earlier ones. The files are in the platform's usual directories, which
//! `BALCAO_CONFIG_DIR` and `BALCAO_STATE_DIR` change. Error messages name the file and the line.
//!
//! Start at [`load`].

mod changes;
pub mod contract_files;
mod dirs;
pub mod edit;
pub mod environment;
mod files;
pub mod system_roots;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::de::DeTable;
use uuid::Uuid;

use crate::contract::{
    CHARGE_MESSAGE_SETTING, LINK_MESSAGE_SETTING, REMINDER_MESSAGE_SETTING, SettingValue,
};
use crate::trade::{KeyTable, MessageKind, MessageTemplate, TemplateError, VaultKind};

pub use dirs::{Dirs, NoDirs};
pub use files::{ProfileState, StateFile, StateFileKind, read_at_most, read_file, read_text};

/// The built-in key bindings.
const BUILT_IN_KEYS: &str = include_str!("../assets/keys.toml");

/// The name of the profile that is used if neither the configuration nor the command line names
/// one.
pub const DEFAULT_PROFILE: &str = "default";

/// The contents of `config.toml`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ConfigFile {
    /// The language: `pt-BR` or `en`.
    pub lang: Option<String>,
    /// The name of a built-in theme, or of a theme file in the configuration directory.
    pub theme: Option<String>,
    /// True if the app handles mouse clicks and the mouse wheel.
    pub mouse: Option<bool>,
    /// True if the screens use ASCII characters only, for fonts without box-drawing characters.
    pub ascii: Option<bool>,
    /// True if the app is a stream of lines for screen readers.
    pub accessible: Option<bool>,
    /// True if a sign or a line may be drawn in several frames.
    pub motion: Option<bool>,
    /// The profile to use if neither the command line nor the environment names one.
    pub profile: Option<String>,
    #[serde(default)]
    pub links: Links,
    #[serde(default)]
    pub reminder: Reminder,
    #[serde(default)]
    pub charges: Charges,
    #[serde(default)]
    pub requests: Requests,
    #[serde(default)]
    pub profiles: BTreeMap<String, Profile>,
}

/// The settings for payment links.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Links {
    /// True if the URL of a new payment link is copied to the clipboard automatically. A suspicious
    /// URL, which the app shows with a warning, is never copied automatically.
    pub copy: bool,
    /// The template, as written in the file, of the message with which the seller sends a payment
    /// link to a buyer.
    pub message: Option<String>,
}

impl Default for Links {
    fn default() -> Links {
        Links {
            copy: true,
            message: None,
        }
    }
}

/// The settings for reminders.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Reminder {
    /// The template, as written in the file, of the message with which the seller reminds a buyer
    /// of a payment link.
    pub message: Option<String>,
}

/// The settings for direct payments.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Charges {
    /// The template, as written in the file, of the message with which the seller sends a Pix code
    /// to a buyer.
    pub message: Option<String>,
}

/// The settings for the app's record of HTTP requests.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Requests {
    /// True if the requests are stored on disk with their secrets masked, so that later runs can
    /// show them.
    pub keep: bool,
}

impl Default for Requests {
    fn default() -> Requests {
        Requests { keep: true }
    }
}

/// A payments service and how to connect to it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Profile {
    /// The base URL of the service.
    pub base_url: Option<String>,
    /// The title in the header of the app's screens.
    pub title: Option<String>,
    /// The API contract: the names of presets and of the seller's own files in the configuration
    /// directory. Later entries override earlier ones.
    #[serde(default)]
    pub contract: ContractNames,
    /// The kind of vault for credentials.
    pub vault: Option<VaultKind>,
    /// The command to run if the vault is a helper command (an external program).
    pub vault_helper: Option<String>,
    /// A file in the configuration directory with certificates to trust in addition to the
    /// system's.
    pub ca_file: Option<String>,
    /// The URL of the proxy for all requests to the service.
    pub proxy: Option<String>,
    /// The team whose operators share this profile's withdrawals.
    pub team: Option<TeamSettings>,
}

/// A team's database, and the name under which this operator uses it. The password is in the vault.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TeamSettings {
    /// The team's id, which names the directory of its journal on this machine.
    pub id: Uuid,
    /// The address of the database, with the operator's role and without a password.
    pub database: String,
    /// A file in the configuration directory with certificates to trust in addition to the
    /// system's.
    pub ca: Option<String>,
    /// The operator's name, as the other operators see it. Without a name, they see the role.
    pub operator: Option<String>,
}

/// The names of API contract presets and of contract files. In `config.toml` this is a single text
/// or a list.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(from = "OneOrMore")]
pub struct ContractNames(pub Vec<String>);

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "the name of a contract or of a file, or a list of names"
)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl From<OneOrMore> for ContractNames {
    fn from(names: OneOrMore) -> ContractNames {
        match names {
            OneOrMore::One(name) => ContractNames(vec![name]),
            OneOrMore::More(names) => ContractNames(names),
        }
    }
}

/// The whole configuration: the seller's settings completed with the defaults.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// The contents of `config.toml`.
    pub file: ConfigFile,
    /// The key bindings: the built-in ones, overridden by the seller's.
    pub keys: KeyTable,
    /// The template of the message about a payment link: the seller's own, or else the built-in
    /// one.
    pub link_message: MessageTemplate,
    /// The seller's own template of the reminder of a payment link. The built-in text is a message
    /// of the screen's language.
    pub reminder_message: Option<MessageTemplate>,
    /// The template of the message about a direct payment: the seller's own, or else the built-in
    /// one.
    pub charge_message: MessageTemplate,
}

/// An error in a configuration file.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file exists but cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        path: PathBuf,
        error: std::io::Error,
    },
    /// A file contains an unknown setting or an invalid value.
    #[error("{}: {error}", path.display())]
    Wrong {
        path: PathBuf,
        error: Box<toml::de::Error>,
    },
    /// A message template is invalid.
    #[error("{}: line {line}: {error:?}", path.display())]
    Template {
        path: PathBuf,
        /// The line number of the template in the file, from 1.
        line: usize,
        /// The kind of message, such as a message about a payment link.
        about: MessageKind,
        error: TemplateError,
    },
    /// There is no profile with this name.
    #[error("there is no profile `{name}`")]
    NoSuchProfile {
        name: String,
        /// The names of the existing profiles.
        known: Vec<String>,
    },
}

/// Reads the configuration. A missing file counts as empty.
pub fn load(dirs: &Dirs) -> Result<Config, ConfigError> {
    let file: ConfigFile = read_toml(&dirs.config_file())?.unwrap_or_default();
    let link_message = parse_template(dirs, MessageKind::Link, file.links.message.as_deref())?;
    let reminder = file.reminder.message.as_deref();
    let reminder_message = reminder
        .map(|template| parse_template(dirs, MessageKind::Reminder, Some(template)))
        .transpose()?;
    let charge_message =
        parse_template(dirs, MessageKind::Charge, file.charges.message.as_deref())?;
    let mut keys = built_in_keys();
    let overrides: KeyTable = read_toml(&dirs.config.join("keys.toml"))?.unwrap_or_default();
    for (place, rows) in overrides {
        keys.entry(place).or_default().extend(rows);
    }
    Ok(Config {
        file,
        keys,
        link_message,
        reminder_message,
        charge_message,
    })
}

/// Parses a message template. An error contains the template's line number in the file.
fn parse_template(
    dirs: &Dirs,
    kind: MessageKind,
    template: Option<&str>,
) -> Result<MessageTemplate, ConfigError> {
    let Some(template) = template else {
        return Ok(MessageTemplate::default());
    };
    MessageTemplate::parse(kind, template).map_err(|error| {
        let table = match kind {
            MessageKind::Link => "links",
            MessageKind::Reminder => "reminder",
            MessageKind::Charge => "charges",
        };
        let path = dirs.config_file();
        let line = line_of(&path, &[table, "message"]).unwrap_or(1);
        ConfigError::Template {
            path,
            line,
            about: kind,
            error,
        }
    })
}

/// The line number of a value in a TOML file, from 1.
///
/// The file is read again, because line numbers are needed only for error messages and are
/// therefore not stored.
pub fn line_of(path: &Path, name: &[&str]) -> Option<usize> {
    let text = read_text(path).ok()?;
    let file = DeTable::parse(&text).ok()?;
    let (key, parents) = name.split_last()?;
    let mut table = file.get_ref();
    for part in parents {
        table = table.get(*part)?.get_ref().as_table()?;
    }
    let text_before = text.get(..table.get(*key)?.span().start)?;
    Some(text_before.matches('\n').count() + 1)
}

pub fn built_in_keys() -> KeyTable {
    toml::from_str(BUILT_IN_KEYS).unwrap_or_default()
}

fn read_toml<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Option<T>, ConfigError> {
    let text = match read_text(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(ConfigError::Unreadable {
                path: path.into(),
                error,
            });
        }
    };
    toml::from_str(&text)
        .map(Some)
        .map_err(|error| ConfigError::Wrong {
            path: path.into(),
            error: Box::new(error),
        })
}

impl Config {
    /// The seller's own message templates by setting name, as if they were API contract settings,
    /// because the seller must agree to them in the same way.
    pub fn message_lines(&self) -> BTreeMap<String, String> {
        let messages = [
            (LINK_MESSAGE_SETTING, &self.file.links.message),
            (REMINDER_MESSAGE_SETTING, &self.file.reminder.message),
            (CHARGE_MESSAGE_SETTING, &self.file.charges.message),
        ];
        messages
            .into_iter()
            .filter_map(|(name, message)| {
                Some((name.to_owned(), SettingValue::Text(message.clone()?).text()))
            })
            .collect()
    }

    /// The name of the only profile. Returns `None` if there are several profiles, or if the file
    /// already names a default profile.
    pub fn only_profile(&self) -> Option<&str> {
        let mut names = self.file.profiles.keys();
        match (&self.file.profile, names.next(), names.next()) {
            (None, Some(name), None) => Some(name),
            _ => None,
        }
    }

    /// The profile with this name. Without a name, returns the profile that `config.toml` selects,
    /// or else the profile named `default`.
    pub fn profile(&self, chosen_name: Option<&str>) -> Result<(String, Profile), ConfigError> {
        let name = chosen_name
            .or(self.file.profile.as_deref())
            .unwrap_or(DEFAULT_PROFILE);
        match self.file.profiles.get(name) {
            Some(profile) => Ok((name.to_owned(), profile.clone())),
            None if name == DEFAULT_PROFILE => Ok((name.to_owned(), Profile::default())),
            None => Err(ConfigError::NoSuchProfile {
                name: name.to_owned(),
                known: self.file.profiles.keys().cloned().collect(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load_files(files: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        load(&Dirs {
            config: dir.path().into(),
            state: dir.path().into(),
        })
    }

    #[test]
    fn key_binding_is_overridden_and_others_stay() {
        let config = load_files(&[]).unwrap();
        assert_eq!(config.keys["lists"]["new"], ["n"]);
        assert_eq!(config.profile(None).unwrap().0, "default");
        let config = load_files(&[("keys.toml", "[lists]\nnew = ['i']")]).unwrap();
        assert_eq!(config.keys["lists"]["new"], ["i"]);
        assert_eq!(config.keys["lists"]["open"], ["Enter"]);
    }

    #[test]
    fn unknown_setting_is_an_error_with_its_line() {
        let error = load_files(&[("config.toml", "lang = 'en'\ntheem = 'dark'")]).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("config.toml") && text.contains("line 2"),
            "{text}"
        );
        assert!(text.contains("theem") && text.contains("theme"), "{text}");
    }

    #[test]
    fn vault_kinds_are_read_unknown_is_error_with_line() {
        let config = load_files(&[(
            "config.toml",
            "[profiles.loja]\nvault = 'helper'\nvault-helper = 'docker-credential-pass'",
        )]);
        let (_, profile) = config.unwrap().profile(Some("loja")).unwrap();
        assert_eq!(profile.vault, Some(VaultKind::Helper));
        assert_eq!(
            profile.vault_helper.as_deref(),
            Some("docker-credential-pass")
        );
        for kind in VaultKind::ALL {
            let text = format!("[profiles.loja]\nvault = '{}'", kind.name());
            let config = load_files(&[("config.toml", &text)]).unwrap();
            assert_eq!(config.file.profiles["loja"].vault, Some(kind));
        }
        let error = load_files(&[("config.toml", "[profiles.loja]\nvault = 'plain'")]).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("line 2") && text.contains("keyutils"),
            "{text}"
        );
    }

    #[test]
    fn team_of_a_profile_is_read_without_a_password() {
        let id = Uuid::from_u128(7);
        let team = format!("id = '{id}'\ndatabase = 'postgres://ana@db.example/loja'");
        let table = format!("[profiles.loja.team]\n{team}\noperator = 'Ana'");
        let config = load_files(&[("config.toml", &table)]).unwrap();
        let read = config.file.profiles["loja"].team.clone().unwrap();
        assert_eq!((read.id, read.operator.as_deref()), (id, Some("Ana")));
        for line in ["password = 'x'", "id = 'x'"] {
            let table = format!("[profiles.loja.team]\n{team}\n{line}");
            assert!(load_files(&[("config.toml", &table)]).is_err());
        }
    }

    #[test]
    fn new_link_copied_unless_disabled_in_file() {
        let copies_links =
            |text| load_files(&[("config.toml", text)]).map(|config| config.file.links.copy);
        assert!(copies_links("").unwrap());
        assert!(copies_links("[links]").unwrap());
        assert!(!copies_links("[links]\ncopy = false").unwrap());
        assert!(copies_links("[links]\ncopies = false").is_err());
    }

    #[test]
    fn requests_kept_unless_disabled_in_file() {
        let keeps_requests =
            |text| load_files(&[("config.toml", text)]).map(|config| config.file.requests.keep);
        assert!(keeps_requests("").unwrap());
        assert!(!keeps_requests("[requests]\nkeep = false").unwrap());
        assert!(keeps_requests("[requests]\nkept = false").is_err());
    }

    #[test]
    fn invalid_template_is_an_error_with_its_line() {
        let load_message =
            |text| load_files(&[("config.toml", text)]).map(|config| config.link_message);
        assert_eq!(load_message("[links]").unwrap(), MessageTemplate::default());
        let template = MessageTemplate::parse(MessageKind::Link, "Oi! {url}").unwrap();
        assert_eq!(
            load_message("[links]\nmessage = 'Oi! {url}'").unwrap(),
            template
        );
        let error = load_message("[links]\n\nmessage = 'Oi! {link}'").unwrap_err();
        assert!(
            matches!(&error, ConfigError::Template { line: 3, error, .. }
                if *error == TemplateError::NoSuchField("link".into())),
            "{error:?}"
        );
    }

    #[test]
    fn direct_payment_has_its_own_template() {
        let load_config = |text| load_files(&[("config.toml", text)]);
        let config = load_config("[charges]\nmessage = 'Pix: {codigo}'").unwrap();
        let template = MessageTemplate::parse(MessageKind::Charge, "Pix: {codigo}").unwrap();
        assert_eq!(config.charge_message, template);
        assert_eq!(config.link_message, MessageTemplate::default());
        let error =
            load_config("[links]\ncopy = false\n[charges]\nmessage = '{valor}'").unwrap_err();
        assert!(
            matches!(&error, ConfigError::Template { line: 4, about, error, .. }
                if *about == MessageKind::Charge && *error == TemplateError::NothingToPay),
            "{error:?}"
        );
        assert!(load_config("[charges]\ncopy = true").is_err());
    }

    #[test]
    fn reminder_has_its_own_template() {
        let load_config = |text| load_files(&[("config.toml", text)]);
        assert_eq!(load_config("").unwrap().reminder_message, None);
        let config = load_config("[reminder]\nmessage = 'Oi, {nota}! {url}'").unwrap();
        let template = MessageTemplate::parse(MessageKind::Reminder, "Oi, {nota}! {url}");
        assert_eq!(config.reminder_message, template.ok());
        let lines = config.message_lines();
        assert_eq!(lines[REMINDER_MESSAGE_SETTING], "\"Oi, {nota}! {url}\"");
        let error = load_config("[reminder]\nmessage = '{valor}'").unwrap_err();
        assert!(
            matches!(&error, ConfigError::Template { line: 2, about, .. }
                if *about == MessageKind::Reminder),
            "{error:?}"
        );
    }

    #[test]
    fn only_profile_returned_if_no_other_is_possible() {
        let only_profile = |text| {
            load_files(&[("config.toml", text)])
                .unwrap()
                .only_profile()
                .map(str::to_owned)
        };
        assert_eq!(only_profile("[profiles.loja]").as_deref(), Some("loja"));
        assert_eq!(only_profile("profile = 'default'\n[profiles.loja]"), None);
        assert_eq!(only_profile("[profiles.loja]\n[profiles.default]"), None);
        assert_eq!(only_profile(""), None);
    }

    #[test]
    fn profile_accepts_one_contract_or_several() {
        let load_config = |text| load_files(&[("config.toml", text)]);
        let contract_names = |text| {
            load_config(text)
                .unwrap()
                .profile(Some("loja"))
                .unwrap()
                .1
                .contract
                .0
        };
        assert_eq!(contract_names("[profiles.loja]"), Vec::<String>::new());
        assert_eq!(
            contract_names("[profiles.loja]\ncontract = 'a.toml'"),
            ["a.toml"]
        );
        assert_eq!(
            contract_names("[profiles.loja]\ncontract = ['centavos', 'a.toml']"),
            ["centavos", "a.toml"]
        );
        let error = load_config("[profiles.loja]\n\ncontract = 7")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("line 3") && error.contains("the name of a contract"),
            "{error}"
        );
    }

    #[test]
    fn error_for_missing_profile_lists_the_others() {
        let config =
            load_files(&[("config.toml", "[profiles.loja]\nbase-url = 'https://x'")]).unwrap();
        let error = config.profile(Some("loje")).unwrap_err();
        assert!(matches!(error, ConfigError::NoSuchProfile { known, .. } if known == ["loja"]));
    }
}
