//! The configuration: what comes with the program, the seller's files, the environment, the flags.
//!
//! Later ones win. Files stand where the platform keeps them; `BALCAO_CONFIG_DIR` and
//! `BALCAO_STATE_DIR` move them. Everything in a file has a name that is checked: an error says
//! which file, which line, and what would have been right.

pub mod contract_files;
mod dirs;
pub mod edit;
mod files;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::de::DeTable;

use crate::contract::{CHARGE_MESSAGE_LINE, LINK_MESSAGE_LINE, SettingValue};
use crate::trade::{KeyTable, MessageKind, MessageTemplate, TemplateError, VaultKind};

pub use dirs::{Dirs, NoDirs};
pub use files::{ProfileState, StateFile, read_file, read_text};

/// The keys that come with the program.
const KEYS: &str = include_str!("../assets/keys.toml");

/// The profile that is used when none is named.
pub const DEFAULT_PROFILE: &str = "default";

/// The content of the seller's file.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ConfigFile {
    /// The language, `pt-BR` or `en`.
    pub lang: Option<String>,
    /// The theme, one of the program's or a file beside the configuration.
    pub theme: Option<String>,
    /// True when clicks and the wheel are handled.
    pub mouse: Option<bool>,
    /// True when the font has nothing but letters.
    pub ascii: Option<bool>,
    /// The profile to use when none is named.
    pub profile: Option<String>,
    /// Settings of payment links.
    #[serde(default)]
    pub links: Links,
    /// Settings of direct payments.
    #[serde(default)]
    pub charges: Charges,
    /// The profiles.
    #[serde(default)]
    pub profiles: BTreeMap<String, Profile>,
}

/// Settings of payment links.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Links {
    /// True when the address of a new link is copied at once, where nothing about it is odd.
    pub copy: bool,
    /// The template of the message for a buyer, as it was written.
    pub message: Option<String>,
}

impl Default for Links {
    fn default() -> Links {
        Links { copy: true, message: None }
    }
}

/// Settings of direct payments.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Charges {
    /// The template of the message for a buyer, as it was written.
    pub message: Option<String>,
}

/// One service and one way to talk to it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Profile {
    /// The address of the service.
    pub base_url: Option<String>,
    /// The title in the header.
    pub title: Option<String>,
    /// The contracts that come with the program, by name, and the files with lines of one's own,
    /// beside the configuration; a later one outranks an earlier one.
    #[serde(default)]
    pub contract: ContractNames,
    /// The vault for credentials.
    pub vault: Option<VaultKind>,
    /// The seller's own command that is the vault, where that is chosen.
    pub vault_helper: Option<String>,
    /// The file of further certificates to trust beside the system's, beside the configuration.
    pub ca_file: Option<String>,
    /// The proxy that everything to the service goes by.
    pub proxy: Option<String>,
}

/// The names of contracts and files: one text, or a list of them.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(from = "OneOrMore")]
pub struct ContractNames(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "the name of a contract or of a file, or a list of names")]
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

/// Everything the configuration says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// The seller's file.
    pub file: ConfigFile,
    /// The keys, the seller's in place of the program's.
    pub keys: KeyTable,
    /// The template of the message about a link, the seller's in place of the program's.
    pub link_message: MessageTemplate,
    /// The same about a direct payment.
    pub charge_message: MessageTemplate,
}

/// The fault of a file of the configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It is there, and cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// It says something that means nothing.
    #[error("{}: {error}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The fault and its line.
        error: Box<toml::de::Error>,
    },
    /// The template of the message for a buyer is none.
    #[error("{}: line {line}: {error:?}", path.display())]
    Template {
        /// The file.
        path: PathBuf,
        /// The line on which it stands.
        line: usize,
        /// The subject of the message.
        about: MessageKind,
        /// The reason.
        error: TemplateError,
    },
    /// No profile of that name.
    #[error("there is no profile `{name}`")]
    NoSuchProfile {
        /// The name.
        name: String,
        /// Those that are there.
        known: Vec<String>,
    },
}

/// Reads the configuration; files that are not there say nothing.
pub fn load(dirs: &Dirs) -> Result<Config, ConfigError> {
    let file: ConfigFile = read(&dirs.config_file())?.unwrap_or_default();
    let link_message = message(dirs, MessageKind::Link, file.links.message.as_deref())?;
    let charge_message = message(dirs, MessageKind::Charge, file.charges.message.as_deref())?;
    let mut keys = built_in_keys();
    let own: KeyTable = read(&dirs.config.join("keys.toml"))?.unwrap_or_default();
    for (place, rows) in own {
        keys.entry(place).or_default().extend(rows);
    }
    Ok(Config { file, keys, link_message, charge_message })
}

/// Reads the template of the message for a buyer; an error names its line.
fn message(
    dirs: &Dirs,
    about: MessageKind,
    written: Option<&str>,
) -> Result<MessageTemplate, ConfigError> {
    let Some(written) = written else { return Ok(MessageTemplate::default()) };
    MessageTemplate::parse(about, written).map_err(|error| {
        let table = match about {
            MessageKind::Link => "links",
            MessageKind::Charge => "charges",
        };
        let path = dirs.config_file();
        let line = line_of(&path, &[table, "message"]).unwrap_or(1);
        ConfigError::Template { path, line, about, error }
    })
}

/// The line of a file on which the value of this name stands.
///
/// The file is read once more: only a complaint about that value wants to know.
pub fn line_of(path: &Path, name: &[&str]) -> Option<usize> {
    let text = read_text(path).ok()?;
    let file = DeTable::parse(&text).ok()?;
    let (last, above) = name.split_last()?;
    let mut table = file.get_ref();
    for part in above {
        table = table.get(*part)?.get_ref().as_table()?;
    }
    let before = text.get(..table.get(*last)?.span().start)?;
    Some(before.matches('\n').count() + 1)
}

/// The keys that come with the program.
pub fn built_in_keys() -> KeyTable {
    toml::from_str(KEYS).unwrap_or_default()
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Option<T>, ConfigError> {
    let text = match read_text(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ConfigError::Unreadable { path: path.into(), error }),
    };
    let wrong = |error| ConfigError::Wrong { path: path.into(), error: Box::new(error) };
    toml::from_str(&text).map(Some).map_err(wrong)
}

impl Config {
    /// Returns the seller's own messages for buyers as lines of a contract.
    pub fn message_lines(&self) -> BTreeMap<String, String> {
        let messages = [
            (LINK_MESSAGE_LINE, &self.file.links.message),
            (CHARGE_MESSAGE_LINE, &self.file.charges.message),
        ];
        let line = |(name, message): (&str, &Option<String>)| {
            Some((name.to_owned(), SettingValue::Text(message.clone()?).text()))
        };
        messages.into_iter().filter_map(line).collect()
    }

    /// The one profile that the file has, where it does not say which to use.
    pub fn only_profile(&self) -> Option<&str> {
        let mut names = self.file.profiles.keys();
        match (&self.file.profile, names.next(), names.next()) {
            (None, Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// The profile of this name, else the one the file names, else the default one.
    pub fn profile(&self, named: Option<&str>) -> Result<(String, Profile), ConfigError> {
        let name = named.or(self.file.profile.as_deref()).unwrap_or(DEFAULT_PROFILE);
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

    fn in_dir(files: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        load(&Dirs { config: dir.path().into(), state: dir.path().into() })
    }

    #[test]
    fn a_row_of_keys_is_replaced_and_the_others_stay() {
        let config = in_dir(&[]).unwrap();
        assert_eq!(config.keys["lists"]["new"], ["n"]);
        assert_eq!(config.profile(None).unwrap().0, "default");
        let config = in_dir(&[("keys.toml", "[lists]\nnew = ['i']")]).unwrap();
        assert_eq!(config.keys["lists"]["new"], ["i"]);
        assert_eq!(config.keys["lists"]["open"], ["Enter"]);
    }

    #[test]
    fn an_unknown_name_is_an_error_with_its_line() {
        let error = in_dir(&[("config.toml", "lang = 'en'\ntheem = 'dark'")]).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("config.toml") && text.contains("line 2"), "{text}");
        assert!(text.contains("theem") && text.contains("theme"), "{text}");
    }

    #[test]
    fn vault_kinds_are_read_unknown_is_error_with_line() {
        let config = in_dir(&[(
            "config.toml",
            "[profiles.loja]\nvault = 'helper'\nvault-helper = 'docker-credential-pass'",
        )]);
        let (_, profile) = config.unwrap().profile(Some("loja")).unwrap();
        assert_eq!(profile.vault, Some(VaultKind::Helper));
        assert_eq!(profile.vault_helper.as_deref(), Some("docker-credential-pass"));
        for kind in VaultKind::ALL {
            let text = format!("[profiles.loja]\nvault = '{}'", kind.name());
            let config = in_dir(&[("config.toml", &text)]).unwrap();
            assert_eq!(config.file.profiles["loja"].vault, Some(kind));
        }
        let error = in_dir(&[("config.toml", "[profiles.loja]\nvault = 'plain'")]).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("line 2") && text.contains("keyutils"), "{text}");
    }

    #[test]
    fn new_link_copied_unless_disabled_in_file() {
        let copies = |text| in_dir(&[("config.toml", text)]).map(|config| config.file.links.copy);
        assert!(copies("").unwrap());
        assert!(copies("[links]").unwrap());
        assert!(!copies("[links]\ncopy = false").unwrap());
        assert!(copies("[links]\ncopies = false").is_err());
    }

    #[test]
    fn a_template_that_is_none_is_an_error_with_its_line() {
        let message = |text| in_dir(&[("config.toml", text)]).map(|config| config.link_message);
        assert_eq!(message("[links]").unwrap(), MessageTemplate::default());
        let own = MessageTemplate::parse(MessageKind::Link, "Oi! {url}").unwrap();
        assert_eq!(message("[links]\nmessage = 'Oi! {url}'").unwrap(), own);
        let wrong = message("[links]\n\nmessage = 'Oi! {link}'").unwrap_err();
        assert!(
            matches!(&wrong, ConfigError::Template { line: 3, error, .. }
                if *error == TemplateError::NoSuchField("link".into())),
            "{wrong:?}"
        );
    }

    #[test]
    fn a_direct_payment_has_a_template_of_its_own() {
        let read = |text| in_dir(&[("config.toml", text)]);
        let config = read("[charges]\nmessage = 'Pix: {codigo}'").unwrap();
        let own = MessageTemplate::parse(MessageKind::Charge, "Pix: {codigo}").unwrap();
        assert_eq!(config.charge_message, own);
        assert_eq!(config.link_message, MessageTemplate::default());
        let wrong = read("[links]\ncopy = false\n[charges]\nmessage = '{valor}'").unwrap_err();
        assert!(
            matches!(&wrong, ConfigError::Template { line: 4, about, error, .. }
                if *about == MessageKind::Charge && *error == TemplateError::NothingToPay),
            "{wrong:?}"
        );
        assert!(read("[charges]\ncopy = true").is_err());
    }

    #[test]
    fn only_profile_returned_if_no_other_is_possible() {
        let only =
            |text| in_dir(&[("config.toml", text)]).unwrap().only_profile().map(str::to_owned);
        assert_eq!(only("[profiles.loja]").as_deref(), Some("loja"));
        assert_eq!(only("profile = 'default'\n[profiles.loja]"), None);
        assert_eq!(only("[profiles.loja]\n[profiles.default]"), None);
        assert_eq!(only(""), None);
    }

    #[test]
    fn a_profile_has_one_contract_or_several() {
        let read = |text| in_dir(&[("config.toml", text)]);
        let names = |text| read(text).unwrap().profile(Some("loja")).unwrap().1.contract.0;
        assert_eq!(names("[profiles.loja]"), Vec::<String>::new());
        assert_eq!(names("[profiles.loja]\ncontract = 'a.toml'"), ["a.toml"]);
        assert_eq!(
            names("[profiles.loja]\ncontract = ['centavos', 'a.toml']"),
            ["centavos", "a.toml"]
        );
        let wrong = read("[profiles.loja]\n\ncontract = 7").unwrap_err().to_string();
        assert!(wrong.contains("line 3") && wrong.contains("the name of a contract"), "{wrong}");
    }

    #[test]
    fn a_profile_that_is_not_there_names_those_that_are() {
        let config = in_dir(&[("config.toml", "[profiles.loja]\nbase-url = 'https://x'")]).unwrap();
        let error = config.profile(Some("loje")).unwrap_err();
        assert!(matches!(error, ConfigError::NoSuchProfile { known, .. } if known == ["loja"]));
    }
}
