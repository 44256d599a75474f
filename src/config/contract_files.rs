//! The API contract of a profile: the built-in contract, overridden by the contract files that the
//! profile lists.
//!
//! [`read`] reads the contract. [`ProfileContract::teach`] saves the contract settings that the
//! seller chooses in the app to one of these files.

use std::io;
use std::path::{Path, PathBuf};

use super::edit::{EditError, read_if_any, replace_file, with_line};
use super::files::read_text;
use super::{ConfigError, ContractNames, Dirs, load};
use crate::contract::{Contract, ContractError, Preset, SettingValue, TaughtSetting};

/// An error while reading the API contract of a profile.
#[derive(Debug, thiserror::Error)]
pub enum ContractFilesError {
    /// There is no API contract preset or contract file with this name.
    #[error("`{0}` is neither a contract that comes with the program nor a file")]
    NoSuch(String),
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    /// A contract setting is invalid.
    #[error(transparent)]
    Wrong(#[from] ContractError),
}

/// The reason why settings of the API contract that the seller chose in the app were not saved.
#[derive(Debug, thiserror::Error)]
pub enum TeachError {
    /// `config.toml` has profiles, but none with this name.
    #[error("`{0}` is no profile of config.toml, which has others")]
    NoProfile(String),
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The API contract cannot be read, or the new settings are not valid in it.
    #[error(transparent)]
    Contract(#[from] ContractFilesError),
    /// The contract file or `config.toml` cannot be written.
    #[error("{}: {error}", path.display())]
    Edit { path: PathBuf, error: EditError },
}

/// The API contract of a profile, to which the app can add settings.
#[derive(Debug, Clone)]
pub struct ProfileContract {
    pub dirs: Dirs,
    pub profile: String,
}

impl ProfileContract {
    /// Saves settings of the API contract for the profile. Returns the new contract and the path of
    /// the changed file.
    ///
    /// The settings go into the last contract file that the profile lists, because that file
    /// overrides all others. If the last entry is a preset, a new file is created and added to the
    /// list in `config.toml`.
    ///
    /// # Errors
    ///
    /// If a setting is not valid in the contract, nothing is written.
    pub fn teach(&self, lines: &[TaughtSetting]) -> Result<(Contract, PathBuf), TeachError> {
        let config = load(&self.dirs)?;
        let known_profile = config.file.profiles.get(&self.profile);
        if known_profile.is_none() && !config.file.profiles.is_empty() {
            return Err(TeachError::NoProfile(self.profile.clone()));
        }
        let mut names = known_profile
            .map(|profile| profile.contract.clone())
            .unwrap_or_default();
        read(&self.dirs, &names)?
            .with_taught(lines)
            .map_err(ContractFilesError::Wrong)?;
        let own_file = names.0.last().and_then(|name| file(&self.dirs, name));
        let path = match own_file {
            Some(path) => path,
            None => {
                let name = self.new_file_name();
                names.0.push(name.clone());
                self.dirs.config.join(name)
            }
        };
        let old_text = read_if_any(&path)
            .map_err(EditError::Io)
            .map_err(|error| edit_error(&path, error))?;
        let mut text = old_text.clone().unwrap_or_default();
        for line in lines {
            let parts: Vec<&str> = line.name.split('.').collect();
            text =
                with_line(&text, &parts, &line.value).map_err(|error| edit_error(&path, error))?;
        }
        if old_text.is_none() {
            text.insert_str(0, FILE_HEADER);
        }
        replace_file(&path, old_text.as_deref(), &text)
            .map_err(|error| edit_error(&path, error))?;
        if known_profile.is_none_or(|profile| profile.contract != names) {
            self.save_names(&names)?;
        }
        Ok((read(&self.dirs, &names)?, path))
    }

    /// Writes this list of contract files and presets to the profile in `config.toml`.
    fn save_names(&self, names: &ContractNames) -> Result<(), TeachError> {
        let path = self.dirs.config_file();
        self.write_names(&path, names)
            .map_err(|error| edit_error(&path, error))
    }

    fn write_names(&self, path: &Path, names: &ContractNames) -> Result<(), EditError> {
        let old_text = read_if_any(path)?;
        let value = SettingValue::Texts(names.0.clone());
        let name = ["profiles", &self.profile, "contract"];
        let text = with_line(old_text.as_deref().unwrap_or_default(), &name, &value)?;
        replace_file(path, old_text.as_deref(), &text)
    }

    /// A name for a new contract file, such as `shop.contract.toml`.
    fn new_file_name(&self) -> String {
        let profile: String = self
            .profile
            .chars()
            .take(40)
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '-' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let names = std::iter::once(format!("{profile}.contract.toml"))
            .chain((2..).map(|n| format!("{profile}-{n}.contract.toml")));
        let mut free_names = names.filter(|name| !self.dirs.config.join(name).exists());
        free_names.next().unwrap_or_default()
    }
}

fn edit_error(path: &Path, error: EditError) -> TeachError {
    let path = path.to_owned();
    TeachError::Edit { path, error }
}

/// The first lines of a new contract file.
const FILE_HEADER: &str = "\
# What balcao was taught about this service. `balcao contract show` prints the whole contract.

";

/// Reads the API contract: the built-in settings, overridden by the presets and files with these
/// names.
pub fn read(dirs: &Dirs, names: &ContractNames) -> Result<Contract, ContractFilesError> {
    let files: Vec<(String, String)> = names
        .0
        .iter()
        .map(|name| read_preset_or_file(dirs, name))
        .collect::<Result<_, _>>()?;
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(file, text)| (&**file, &**text))
        .collect();
    let taught_file = names.0.last().and_then(|name| file(dirs, name));
    let taught_file = taught_file.map(|path| path.display().to_string());
    Ok(Contract::with(&files)?.with_taught_file(taught_file.as_deref()))
}

/// The path of a contract file, or `None` if `name` is the name of a preset.
pub fn file(dirs: &Dirs, name: &str) -> Option<PathBuf> {
    Preset::named(name)
        .is_none()
        .then(|| dirs.config.join(name))
}

/// The text of a preset or contract file, and the file's name for error messages.
fn read_preset_or_file(dirs: &Dirs, name: &str) -> Result<(String, String), ContractFilesError> {
    if let Some(preset) = Preset::named(name) {
        return Ok((preset.file.into(), preset.text.into()));
    }
    let path = dirs.config.join(name);
    match read_text(&path) {
        Ok(text) => Ok((path.display().to_string(), text)),
        // A name without a slash or extension was meant as the name of a preset. So the error
        // reports an unknown preset instead of a missing file.
        Err(_) if !is_file_name(name) => Err(ContractFilesError::NoSuch(name.to_owned())),
        Err(error) => Err(ContractFilesError::Unreadable { path, error }),
    }
}

/// True if a name looks like a file name.
fn is_file_name(name: &str) -> bool {
    name.contains('/') || Path::new(name).extension().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(names: &[&str]) -> Result<Contract, ContractFilesError> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("mine.toml"), "withdrawal.unit = 'reais'").unwrap();
        let dirs = Dirs {
            config: dir.path().into(),
            state: dir.path().into(),
        };
        read(
            &dirs,
            &ContractNames(names.iter().map(|name| (*name).to_owned()).collect()),
        )
    }

    #[test]
    fn later_contract_names_override_earlier_ones() {
        let contract = read_as(&["centavos", "mine.toml"]).unwrap();
        let line = |name: &str| contract.value(name).unwrap().text();
        assert_eq!(line("withdrawal.unit"), "\"reais\"");
        assert_eq!(line("fee_preview.unit"), "\"centavos\"");
        assert_eq!(read_as(&[]).unwrap(), Contract::built_in());
    }

    fn taught_line(name: &str, value: SettingValue) -> TaughtSetting {
        TaughtSetting {
            name: name.into(),
            value,
        }
    }

    fn net_line(pointer: &str) -> TaughtSetting {
        taught_line("fee_preview.net", SettingValue::Texts(vec![pointer.into()]))
    }

    fn profile_with_config(config: &str) -> (tempfile::TempDir, ProfileContract) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("config.toml"), config).unwrap();
        let dirs = Dirs {
            config: dir.path().into(),
            state: dir.path().into(),
        };
        (
            dir,
            ProfileContract {
                dirs,
                profile: "loja da ana".into(),
            },
        )
    }

    #[test]
    fn taught_lines_go_to_own_file_and_keep_all_else() {
        let config = "# mine\n[profiles.'loja da ana'] # first\nbase-url = 'https://x'\n\
                      contract = ['centavos', 'mine.toml']\n";
        let (dir, profile) = profile_with_config(config);
        let old_text = "# theirs\n[fee_preview]\nfee = ['/f'] # seen in May\n";
        std::fs::write(dir.path().join("mine.toml"), old_text).unwrap();
        let (contract, file) = profile.teach(&[net_line("/liquido")]).unwrap();
        assert_eq!(file, dir.path().join("mine.toml"));
        let new_text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(new_text, format!("{old_text}net = [\"/liquido\"]\n"));
        assert_eq!(
            std::fs::read_to_string(dir.path().join("config.toml")).unwrap(),
            config
        );
        assert_eq!(
            contract.value("fee_preview.net"),
            Some(&net_line("/liquido").value)
        );
        assert!(contract.is_in_taught_file(&"fee_preview.net".into()));
        assert!(
            !contract.is_in_taught_file(&"withdrawal.unit".into()),
            "it is in the preset"
        );
        // Saving a contract setting again replaces the earlier value.
        let (contract, _) = profile.teach(&[net_line("/valor")]).unwrap();
        assert_eq!(
            contract.value("fee_preview.net"),
            Some(&net_line("/valor").value)
        );
    }

    #[test]
    fn preset_as_last_name_gets_overriding_own_file() {
        let config = "# mine\n[profiles.'loja da ana'] # first\nbase-url = 'https://x'\n\
                      contract = 'centavos' # for now\n";
        let (dir, profile) = profile_with_config(config);
        let (contract, file) = profile.teach(&[net_line("/liquido")]).unwrap();
        assert_eq!(file, dir.path().join("loja_da_ana.contract.toml"));
        let contract_text = std::fs::read_to_string(&file).unwrap();
        assert!(
            contract_text.starts_with('#')
                && contract_text.ends_with("[fee_preview]\nnet = [\"/liquido\"]\n"),
            "{contract_text}"
        );
        let config_text = std::fs::read_to_string(dir.path().join("config.toml")).unwrap();
        let names = "[\"centavos\", \"loja_da_ana.contract.toml\"]";
        assert_eq!(config_text, config.replace("'centavos'", names));
        let loaded = load(&profile.dirs).unwrap();
        let names = &loaded.file.profiles["loja da ana"].contract;
        assert_eq!(self::read(&profile.dirs, names).unwrap(), contract);
        assert_eq!(
            contract.settings_to_agree(None).len(),
            5,
            "{:?}",
            contract.settings_to_agree(None)
        );
    }

    #[test]
    fn first_profile_created_only_if_file_has_none() {
        let (_dir, profile) = profile_with_config("lang = 'en'\n");
        profile.teach(&[net_line("/a")]).unwrap();
        let (contract, _) = profile.teach(&[net_line("/b")]).unwrap();
        assert_eq!(
            contract.value("fee_preview.net"),
            Some(&net_line("/b").value)
        );
        let (dir, profile) = profile_with_config("[profiles.outra]\n");
        assert!(matches!(
            profile.teach(&[net_line("/a")]),
            Err(TeachError::NoProfile(_))
        ));
        assert_eq!(
            std::fs::read_dir(dir.path()).unwrap().count(),
            1,
            "nothing is written"
        );
    }

    #[test]
    fn invalid_lines_are_not_written() {
        let (dir, profile) = profile_with_config("[profiles.'loja da ana']\n");
        for line in [
            taught_line("fee_preview.net", SettingValue::Text("/a".into())),
            taught_line("fee_preview.nett", SettingValue::Texts(vec![])),
            taught_line("withdrawal.body", SettingValue::Texts(vec!["key".into()])),
        ] {
            let result = profile.teach(&[net_line("/a"), line]);
            assert!(matches!(result, Err(TeachError::Contract(_))), "{result:?}");
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn unknown_preset_and_missing_file_differ() {
        let error = read_as(&["snake_case"]).unwrap_err();
        assert!(matches!(&error, ContractFilesError::NoSuch(name) if name == "snake_case"));
        for file in ["theirs.toml", "./theirs"] {
            let error = read_as(&[file]).unwrap_err();
            assert!(
                matches!(error, ContractFilesError::Unreadable { .. }),
                "{file}"
            );
        }
    }
}
