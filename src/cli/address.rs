//! Where the service is, and how an address is told that may hold a password.

use super::Common;
use crate::config::{Config, Profile};
use crate::service::{BaseUrl, BaseUrlError};
use crate::view::complaint::{AddressFault, Complaint};

/// Where the service is: the flag, then the profile.
pub fn base_url(
    common: &Common,
    config: &Config,
    (name, profile): (&str, &Profile),
) -> Result<BaseUrl, Complaint> {
    let named = common.base_url.as_deref().or(profile.base_url.as_deref());
    let text = named.ok_or_else(|| no_address(config, name))?;
    BaseUrl::parse(text).map_err(|error| Complaint::Address {
        address: without_secrets(text).into(),
        why: match error {
            BaseUrlError::NotAnAddress => AddressFault::NotOne,
            BaseUrlError::Scheme => AddressFault::Scheme,
            BaseUrlError::NotEncrypted => AddressFault::NotEncrypted,
            BaseUrlError::UserInfo => AddressFault::UserInfo,
            BaseUrlError::Query => AddressFault::Query,
            BaseUrlError::Fragment => AddressFault::Fragment,
        },
    })
}

/// Nothing says where the service is: the profile that was meant, and those that would say it.
fn no_address(config: &Config, profile: &str) -> Complaint {
    let with_one = config.file.profiles.iter().filter(|(_, other)| other.base_url.is_some());
    let others = with_one.map(|(name, _)| name.as_str().into()).collect();
    Complaint::NoAddress { profile: profile.into(), others }
}

/// An address without what may be a password or a token.
///
/// What is wrong with it may be that nobody can tell its parts; so its signs alone decide.
fn without_secrets(address: &str) -> String {
    let cut = |text: &str| match text.find(['?', '#']) {
        Some(at) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    };
    match address.rsplit_once('@') {
        // A password with such a sign, or a token with `@`: what follows may be either's end.
        Some((before, _)) if before.contains('?') => "…@…".into(),
        Some((_, after)) => format!("…@{}", cut(after)),
        None => cut(address),
    }
}

/// What quotes a file or an argument, without what may be a secret in an address of theirs.
pub fn quoted_without_secrets(said: &str) -> String {
    let line = |line: &str| match line.contains('@') || line.contains("://") {
        true => without_secrets(line),
        false => line.to_owned(),
    };
    said.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_is_never_said_again() {
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
            let profile = Profile { base_url: Some(address.into()), ..Profile::default() };
            let common =
                Common { profile: None, base_url: None, lang: None, theme: None, vault: None };
            match base_url(&common, &Config::default(), ("default", &profile)) {
                Err(Complaint::Address { address, .. }) => assert_eq!(address.shown(), told),
                _ => panic!("{address}"),
            }
        }
    }

    #[test]
    fn a_line_of_the_configuration_is_quoted_without_its_password() {
        let line = "base-url = 'https://ana:se gredo@x";
        let error = toml::from_str::<crate::config::File>(line).unwrap_err().to_string();
        assert!(error.contains("gredo"), "{error}");
        let said = quoted_without_secrets(&error);
        assert!(said.contains("line 1") && said.contains("…@x"), "{said}");
        assert!(!said.contains("gredo") && !said.contains("ana"), "{said}");
    }
}
