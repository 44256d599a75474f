//! The contract of a profile, with the lines of the seller's own file.

use std::borrow::Cow;
use std::time::Duration;

use super::complaint::Complaint;
use super::unreadable;
use crate::config::{Dirs, Profile, read_text};
use crate::contract::{Contract, PRESETS, Preset};
use crate::trade::Untrusted;

/// The contract of a profile: the built-in one with the profile's lines in place of its own.
pub fn read(places: &Dirs, profile: &Profile) -> Result<Contract, Complaint> {
    let read = |name: &String| lines(places, name);
    let files: Vec<_> = profile.contract.0.iter().map(read).collect::<Result<_, Complaint>>()?;
    let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (&**file, &**text)).collect();
    let mut contract = Contract::with(&files).map_err(Complaint::of)?;
    // For the machines that kill the program hundreds of times and send again each time. A release
    // has no such door.
    if cfg!(debug_assertions) && std::env::var_os("BALCAO_TEST_RESEND_AT_ONCE").is_some() {
        contract.withdrawal.resend_after = Duration::ZERO;
    }
    Ok(contract)
}

/// The lines of a contract that comes with the program, or of a file, and the file's name.
fn lines(places: &Dirs, name: &str) -> Result<(Cow<'static, str>, Cow<'static, str>), Complaint> {
    if let Some(preset) = Preset::named(name) {
        return Ok((preset.file.into(), preset.text.into()));
    }
    let path = places.config.join(name);
    match read_text(&path) {
        Ok(text) => Ok((path.display().to_string().into(), text.into())),
        // What does not look like a file was meant as a name.
        Err(_) if !name.contains(['/', '.']) => Err(Complaint::NoContract {
            name: name.into(),
            nearest: Preset::nearest(name).map(Untrusted::from),
            known: PRESETS.iter().map(|preset| preset.name.into()).collect(),
        }),
        Err(error) => Err(unreadable(&path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ContractNames;
    use crate::words::{Lang, Words};

    fn read_as(names: &[&str]) -> Result<Contract, String> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("mine.toml"), "withdrawal.unit = 'reais'").unwrap();
        let places = Dirs { config: dir.path().into(), state: dir.path().into() };
        let names = ContractNames(names.iter().map(|name| (*name).to_owned()).collect());
        let profile = Profile { contract: names, ..Profile::default() };
        read(&places, &profile).map_err(|complaint| complaint.describe(Words::of(Lang::En)))
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
    fn a_wrong_name_is_told_with_the_nearest_one_and_all_of_them() {
        let wrong = read_as(&["snake_case"]).unwrap_err();
        assert!(
            wrong.contains("snake_case") && wrong.contains("did you mean snake-case?"),
            "{wrong}"
        );
        assert!(wrong.contains("key-headers, no-content, centavos"), "{wrong}");
        assert!(!read_as(&["woovi"]).unwrap_err().contains("did you mean"));
        let no_file = read_as(&["theirs.toml"]).unwrap_err();
        assert!(no_file.contains("theirs.toml") && !no_file.contains("snake-case"), "{no_file}");
    }
}
