//! The contract of a profile: the built-in one, with those that it names laid over it.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use super::plain::read_text;
use super::{ContractNames, Dirs};
use crate::contract::{Contract, ContractError, Preset};

/// The fault of a contract that a profile names.
#[derive(Debug, thiserror::Error)]
pub enum ContractFilesError {
    /// No contract of this name comes with the program, and it is no file's.
    #[error("`{0}` is neither a contract that comes with the program nor a file")]
    NoSuch(String),
    /// A file cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A line of one cannot be taken.
    #[error(transparent)]
    Wrong(#[from] ContractError),
}

/// A file's name for errors, and its text.
type NamedText = (Cow<'static, str>, Cow<'static, str>);

/// Reads the contract of a profile that names these.
pub fn read(dirs: &Dirs, names: &ContractNames) -> Result<Contract, ContractFilesError> {
    let read = |name: &String| lines(dirs, name);
    let files: Vec<NamedText> = names.0.iter().map(read).collect::<Result<_, _>>()?;
    let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (&**file, &**text)).collect();
    Ok(Contract::with(&files)?)
}

/// Returns the file that a profile calls its contract by this name; none of what comes with the
/// program.
pub fn file(dirs: &Dirs, name: &str) -> Option<PathBuf> {
    Preset::named(name).is_none().then(|| dirs.config.join(name))
}

fn lines(dirs: &Dirs, name: &str) -> Result<NamedText, ContractFilesError> {
    if let Some(preset) = Preset::named(name) {
        return Ok((preset.file.into(), preset.text.into()));
    }
    let path = dirs.config.join(name);
    match read_text(&path) {
        Ok(text) => Ok((path.display().to_string().into(), text.into())),
        // What does not look like a file was meant as a name.
        Err(_) if !is_a_files(name) => Err(ContractFilesError::NoSuch(name.to_owned())),
        Err(error) => Err(ContractFilesError::Unreadable { path, error }),
    }
}

/// Returns true if a name looks like a file's.
fn is_a_files(name: &str) -> bool {
    name.contains('/') || Path::new(name).extension().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(names: &[&str]) -> Result<Contract, ContractFilesError> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("mine.toml"), "withdrawal.unit = 'reais'").unwrap();
        let dirs = Dirs { config: dir.path().into(), state: dir.path().into() };
        read(&dirs, &ContractNames(names.iter().map(|name| (*name).to_owned()).collect()))
    }

    #[test]
    fn a_profile_names_presets_and_files_and_the_later_ones_win() {
        let contract = read_as(&["centavos", "mine.toml"]).unwrap();
        let line = |name: &str| contract.settings()[name].text.clone();
        assert_eq!(line("withdrawal.unit"), "'reais'");
        assert_eq!(line("fee_preview.unit"), "\"centavos\"");
        assert_eq!(read_as(&[]).unwrap(), Contract::built_in());
    }

    #[test]
    fn a_wrong_name_is_told_from_a_file_that_is_not_there() {
        let wrong = read_as(&["snake_case"]).unwrap_err();
        assert!(matches!(&wrong, ContractFilesError::NoSuch(name) if name == "snake_case"));
        for file in ["theirs.toml", "./theirs"] {
            let wrong = read_as(&[file]).unwrap_err();
            assert!(matches!(wrong, ContractFilesError::Unreadable { .. }), "{file}");
        }
    }
}
