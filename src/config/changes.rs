//! The settings that differ from the defaults, for support.

use super::{Config, ConfigFile, Profile, built_in_keys};
use crate::trade::checkup::ChangedSetting;

impl Config {
    /// The settings that differ from the defaults, in the settings file and the profile. Only
    /// values from a fixed list are included, because others may be private.
    pub fn changed_settings(&self, profile: &Profile) -> Vec<ChangedSetting> {
        let ConfigFile {
            lang,
            theme,
            mouse,
            ascii,
            accessible,
            motion,
            profile: chosen,
            links,
            reminder,
            charges,
            requests,
            ..
        } = &self.file;
        let flag = |flag: bool| Some(flag.to_string());
        let named = |name, is_changed: bool| is_changed.then_some((name, None));
        let settings = [
            named("lang", lang.is_some()),
            named("theme", theme.is_some()),
            mouse.map(|mouse| ("mouse", flag(mouse))),
            ascii.map(|ascii| ("ascii", flag(ascii))),
            accessible.map(|accessible| ("accessible", flag(accessible))),
            motion.map(|motion| ("motion", flag(motion))),
            named("profile", chosen.is_some()),
            (!links.copy).then(|| ("links.copy", flag(false))),
            named("links.message", links.message.is_some()),
            named("reminder.message", reminder.message.is_some()),
            named("charges.message", charges.message.is_some()),
            (!requests.keep).then(|| ("requests.keep", flag(false))),
            named("base-url", profile.base_url.is_some()),
            named("title", profile.title.is_some()),
            named("contract", !profile.contract.0.is_empty()),
            profile
                .vault
                .map(|vault| ("vault", Some(vault.name().to_owned()))),
            named("vault-helper", profile.vault_helper.is_some()),
            named("ca-file", profile.ca_file.is_some()),
            named("proxy", profile.proxy.is_some()),
            named(
                "keys",
                !self.keys.is_empty() && self.keys != built_in_keys(),
            ),
        ];
        let settings = settings.into_iter().flatten();
        settings
            .map(|(name, value)| ChangedSetting { name, value })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_values_of_settings_are_left_out() {
        let file = "theme = 'ana'\nascii = true\nmotion = false\n[requests]\nkeep = false\n\
            [profiles.ana]\nbase-url = 'https://ana.example'\ntitle = 'Loja da Ana'\n\
            vault = 'memory'";
        let file: ConfigFile = toml::from_str(file).unwrap();
        let config = Config {
            file,
            ..Config::default()
        };
        let changed = config.changed_settings(&config.file.profiles["ana"]);
        let changed: Vec<_> = changed
            .iter()
            .map(|setting| (setting.name, setting.value.as_deref()))
            .collect();
        let expected = [
            ("theme", None),
            ("ascii", Some("true")),
            ("motion", Some("false")),
            ("requests.keep", Some("false")),
            ("base-url", None),
            ("title", None),
            ("vault", Some("memory")),
        ];
        assert_eq!(changed, expected);
    }
}
