//! The address of the service, and how one is quoted that may hold a password.

use super::complaint::{self, Complaint};
use super::{ChosenProfile, shown};
use crate::config::{self, Config};
use crate::service::BaseUrl;
use crate::trade::{AddressFault, Untrusted};
use crate::words::names;

impl ChosenProfile {
    /// The address of the service: the flag's, then the profile's.
    pub(super) fn base_url(&self) -> Result<BaseUrl, Complaint> {
        self.named_base_url()?.ok_or_else(|| no_address(&self.settings.config, &self.name))
    }

    /// The same; `None` if neither names an address.
    pub(super) fn named_base_url(&self) -> Result<Option<BaseUrl>, Complaint> {
        let of_flag = self.args.base_url.as_deref();
        let Some(text) = of_flag.or(self.profile.base_url.as_deref()) else { return Ok(None) };
        let wrong = |why: AddressFault| {
            let (address, why) =
                (Untrusted::from(without_secrets(text)), names::address_fault(why));
            if of_flag.is_some() {
                return Complaint::new(move |words| {
                    let values = [("address", &*address.shown()), ("why", &words.text(why))];
                    words.with("complaint-address", &values)
                });
            }
            let places = &self.settings.places;
            let line = config::line_of_address(places, &self.name);
            let (name, file) = (Untrusted::from(&*self.name), shown(&places.config_file()));
            Complaint::new(move |words| {
                let place = complaint::place(words, &file, line);
                let (name, address, why) = (name.shown(), address.shown(), words.text(why));
                let values =
                    [("place", &*place), ("profile", &name), ("address", &address), ("why", &why)];
                words.with("complaint-address-of-profile", &values)
            })
        };
        BaseUrl::parse(text).map(Some).map_err(wrong)
    }
}

/// The complaint where no address is named, with the profile and those that have one.
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

/// An address without what may be a password or a token.
///
/// It may be too malformed to be parsed: its characters alone decide.
fn without_secrets(address: &str) -> String {
    let cut = |text: &str| match text.find(['?', '#']) {
        Some(at) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    };
    match address.rsplit_once('@') {
        // A password with a `?`, or a token with an `@`: the rest may be the end of either.
        Some((before, _)) if before.contains('?') => "…@…".into(),
        Some((_, after)) => format!("…@{}", cut(after)),
        None => cut(address),
    }
}

/// A quotation from a file or an argument, without a possible secret in an address in it.
pub fn quoted_without_secrets(text: &str) -> String {
    let line = |line: &str| match line.contains('@') || line.contains("://") {
        true => without_secrets(line),
        false => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::cli::{GlobalArgs, Settings};
    use crate::config::Dirs;
    use crate::words::{Lang, Words};

    /// The complaint about the address of a profile in this file, or of the flag.
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
            vault: None,
            read_only: false,
            redact: false,
            environment: Arc::default(),
        };
        let settings = Settings { places, config };
        let chosen = ChosenProfile { args, settings, name, profile };
        chosen.base_url().unwrap_err().describe(Words::of(Lang::Pt))
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
    fn a_line_of_the_configuration_is_quoted_without_its_password() {
        let line = "base-url = 'https://ana:se gredo@x";
        let error = toml::from_str::<crate::config::ConfigFile>(line).unwrap_err().to_string();
        assert!(error.contains("gredo"), "{error}");
        let said = quoted_without_secrets(&error);
        assert!(said.contains("line 1") && said.contains("…@x"), "{said}");
        assert!(!said.contains("gredo") && !said.contains("ana"), "{said}");
    }
}
