//! Contracts that come with the program, by their names.
//!
//! They are shapes seen at services of this kind, and vouch for nothing: the lines of a preset are
//! as assumed as the seller's own. They come with the program, so nobody has to agree to them.

use super::settings::nearest;

/// One contract that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Its name in errors and beside its lines.
    pub file: &'static str,
    /// Its lines.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),*) => {
        [$(Preset {
            name: $name,
            file: concat!("contracts/", $name, ".toml"),
            text: include_str!(concat!("../../assets/contracts/", $name, ".toml")),
        }),*]
    };
}

/// All of them.
pub const PRESETS: [Preset; 6] =
    presets!["snake-case", "sibling", "enveloped", "key-headers", "no-content", "centavos"];

impl Preset {
    /// The one of this name.
    pub fn named(name: &str) -> Option<Preset> {
        PRESETS.into_iter().find(|preset| preset.name == name)
    }

    /// The name that is nearest to one that is none, if any is near.
    pub fn nearest(name: &str) -> Option<String> {
        let names: Vec<String> = PRESETS.iter().map(|preset| preset.name.to_owned()).collect();
        nearest(name, names.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Contract;
    use super::*;

    #[test]
    fn presets_alone_need_no_consent() {
        for preset in PRESETS {
            let contract = Contract::with(&[(preset.file, preset.text)]).expect(preset.name);
            assert_eq!(contract.to_agree(None), [], "{}", preset.name);
            assert!(!contract.differences().is_empty(), "{}", preset.name);
            // A file of the seller's that has a preset's name or text is still the seller's.
            let other = format!("{}\n", preset.text);
            for file in [("loja.toml", preset.text), (preset.file, &other)] {
                assert!(Contract::with(&[file]).unwrap().needs_consent(), "{}", preset.name);
            }
            assert!(!contract.claims_confirmed());
            for line in contract.settings().values().filter(|line| *line.file == *preset.file) {
                let own = preset.text.lines().nth(line.number - 1).unwrap();
                assert!(!own.trim().is_empty() && !own.starts_with('#'), "{own}");
            }
        }
    }

    #[test]
    fn a_line_of_the_sellers_outranks_the_presets_and_no_other() {
        let preset = Preset::named("centavos").unwrap();
        let own = ("mine.toml", "withdrawal.unit = 'reais'");
        let contract = Contract::with(&[(preset.file, preset.text), own]).unwrap();
        let files = ["withdrawal.unit", "fee_preview.unit", "login.path"]
            .map(|name| contract.settings()[name].file.to_string());
        assert_eq!(files, ["mine.toml", "contracts/centavos.toml", "contract.toml"]);
    }

    #[test]
    fn a_name_that_is_nearly_one_is_guessed() {
        assert_eq!(Preset::nearest("snake_case").as_deref(), Some("snake-case"));
        assert_eq!(Preset::nearest("centavo").as_deref(), Some("centavos"));
        assert_eq!(Preset::nearest("woovi"), None);
        assert_eq!(Preset::named("demo"), None);
    }
}
