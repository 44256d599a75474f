//! Consent: the settings of the API contract to which the seller has agreed, and the settings that
//! have changed since then.
//!
//! Contract files control money. A program that can write to such a file could send the password
//! elsewhere, multiply an amount by 100, or change the receiver of a withdrawal. So nothing is sent
//! until the seller has agreed to every changed setting.
//!
//! The seller agrees to the merged settings and not to the file, because an upgrade of the program
//! can change settings too. The agreement includes the origin of the service, to which the password
//! is sent, and the profile's `proxy`, `ca-file` and message templates.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::operations::{MAX_UNSOURCED_RETENTION, MIN_RESEND_AFTER, capped_retention};
use super::settings::Setting;
use super::{Contract, SettingEntry, TaughtSetting};
use crate::trade::{Origin, Untrusted};

/// The maximum length of a setting's name or value, in characters. The seller cannot agree to
/// longer settings.
///
/// The limit is low because a character can take up to eight columns on the screen.
const MAX_SETTING_LENGTH: usize = 400;

/// The maximum size of the text in the vault that lists the agreed settings, in bytes.
const MAX_BYTES: usize = 60_000;

/// The name of the setting with the origin of the profile's service.
pub const BASE_URL_SETTING: &str = "profile.base-url";

/// The name of the setting with the profile's proxy.
pub const PROXY_SETTING: &str = "profile.proxy";

/// The name of the setting with the profile's additional certificates.
pub const CA_FILE_SETTING: &str = "profile.ca-file";

/// The name of the setting with the seller's own message about a payment link.
pub const LINK_MESSAGE_SETTING: &str = "links.message";

/// The name of the setting with the seller's own reminder of a payment link.
pub const REMINDER_MESSAGE_SETTING: &str = "reminder.message";

/// The name of the setting with the seller's own message about a direct payment.
pub const CHARGE_MESSAGE_SETTING: &str = "charges.message";

/// Settings of the API contract by name. Each value is in a normal form, so that equal values are
/// equal texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContractSettings(BTreeMap<String, String>);

/// The settings that the seller chose in this start of the program, and need not agree to again.
///
/// A setting from a file or an environment variable is not chosen by the seller: another program
/// may have written it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AgreedAtStart {
    /// No setting.
    #[default]
    Nothing,
    /// The origin, because the seller named it beside the credentials. The path of the base URL is
    /// not agreed to.
    Origin,
    /// The base URL, because the seller typed it on the command line.
    BaseUrl,
    /// The base URL and the presets, because the seller has just chosen them on the first-run
    /// pages.
    FirstRun,
}

/// The sections of the consent screen, in order. Each has the prefix of the settings that it shows,
/// such as `login.`, and the message id of its title.
const SECTIONS: [(&str, &str); 14] = [
    (BASE_URL_SETTING, "consent-origin"),
    ("login.", "consent-login"),
    ("domains.", "consent-domains"),
    ("create_link.", "consent-create-link"),
    ("direct_payment.", "consent-direct-payment"),
    ("fee_preview.", "consent-fee-preview"),
    ("withdrawal.", "consent-withdrawal"),
    ("request.", "consent-request"),
    ("credential.", "consent-request"),
    ("profile.", "consent-connection"),
    ("links.", "consent-message"),
    ("reminder.", "consent-message"),
    ("charges.", "consent-message"),
    ("error.", "consent-error"),
];

/// The message id of the consent screen's section that contains this setting. Returns `None` if the
/// setting has an unknown prefix.
fn section_of(name: &str) -> Option<&'static str> {
    SECTIONS
        .iter()
        .find(|(prefix, _)| name.starts_with(prefix))
        .map(|(_, message)| *message)
}

fn section_position(section: &str) -> Option<usize> {
    SECTIONS.iter().position(|(_, message)| *message == section)
}

/// A setting that differs from the agreed settings or from the built-in API contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingChange {
    /// The section of the consent screen, given by the message id of the section's title.
    pub section: &'static str,
    /// The name of the setting. It is untrusted, because a contract file can contain any name.
    pub name: Untrusted,
    /// The old value, or `None` if the setting is new.
    pub old: Option<Untrusted>,
    /// The new value, or `None` if the setting was removed.
    pub new: Option<Untrusted>,
    /// The explanation of the new value's effect, if it needs one: a message id and its argument.
    pub explanation: Option<(&'static str, String)>,
    /// True if the setting has changed since the seller's last agreement.
    pub changed_since_agreement: bool,
}

impl SettingChange {
    /// True for the base URL of the service.
    pub fn is_base_url(&self) -> bool {
        section_of(BASE_URL_SETTING) == Some(self.section)
    }
}

/// Adds the origin that the profile used before as the old value of a base URL that has none.
pub fn add_earlier_origin(changes: &mut [SettingChange], earlier: Option<&Origin>) {
    let mut base_urls = changes.iter_mut().filter(|change| change.is_base_url());
    if let Some(change) = base_urls.next().filter(|change| change.old.is_none()) {
        change.old = earlier.map(|origin| Untrusted::from(&*origin.0));
    }
}

impl ContractSettings {
    /// The settings of the built-in API contract.
    pub fn built_in() -> &'static ContractSettings {
        static LINES: LazyLock<ContractSettings> =
            LazyLock::new(|| Contract::built_in().all_settings());
        &LINES
    }

    /// The settings that differ from `old`, in the order of the consent screen.
    pub fn changes_from(&self, old: &ContractSettings) -> Vec<SettingChange> {
        let gone = old.0.keys().filter(|name| !self.0.contains_key(*name));
        let changed = self
            .0
            .iter()
            .filter(|(name, value)| old.0.get(*name) != Some(value));
        let names = changed.map(|(name, _)| name).chain(gone);
        let mut changes: Vec<SettingChange> = names
            .filter_map(|name| {
                let section = section_of(name)?;
                let explanation = explain_change(name, self, old);
                let old = old.get(name).map(Untrusted::from);
                let new = self.get(name).map(Untrusted::from);
                let name = name.as_str().into();
                Some(SettingChange {
                    section,
                    name,
                    old,
                    new,
                    explanation,
                    changed_since_agreement: false,
                })
            })
            .collect();
        changes.sort_by(|a, b| {
            (section_position(a.section), &a.name).cmp(&(section_position(b.section), &b.name))
        });
        changes
    }

    /// True if the seller cannot agree because a name, a value or the whole text is too long.
    pub fn are_too_long(&self) -> bool {
        let is_long = |text: &String| text.chars().nth(MAX_SETTING_LENGTH).is_some();
        self.0
            .iter()
            .any(|(name, value)| is_long(name) || is_long(value))
            || self.to_vault_text().is_none()
    }

    /// True if all settings except the origin equal those of the built-in API contract.
    pub fn are_built_in(&self) -> bool {
        let lines = self.0.iter().filter(|(name, _)| *name != BASE_URL_SETTING);
        lines.eq(&ContractSettings::built_in().0)
    }

    /// Adds the base URL of the service. Settings that already have one are not changed.
    pub fn at_base_url(mut self, base_url: Option<&str>) -> ContractSettings {
        if let Some(base_url) = base_url {
            self.0
                .entry(BASE_URL_SETTING.to_owned())
                .or_insert_with(|| base_url.to_owned());
        }
        self
    }

    /// The settings as text for the vault, or `None` if the text is too long.
    ///
    /// The settings of the built-in contract need no agreement. If the seller agreed only to the
    /// origin, they are therefore left out, so that an upgrade which changes them does not ask.
    pub fn to_vault_text(&self) -> Option<String> {
        let origin = self
            .0
            .get_key_value(BASE_URL_SETTING)
            .filter(|_| self.are_built_in());
        let text = match origin {
            Some((name, origin)) => settings_text(&BTreeMap::from([(name, origin)])),
            None => self.text(),
        };
        Some(text).filter(|text| text.len() <= MAX_BYTES)
    }

    /// The checksum of these settings. A script must pass it to agree to them.
    pub fn checksum(&self) -> String {
        let sum = Sha256::digest(self.text());
        sum[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The checksum of the settings whose names satisfy the condition.
    pub(super) fn checksum_of(mut self, is_included: impl Fn(&str) -> bool) -> String {
        self.0.retain(|name, _| is_included(name));
        self.checksum()
    }

    fn text(&self) -> String {
        settings_text(&self.0)
    }

    /// Parses a text from the vault that lists the agreed settings. An invalid text gives `None`,
    /// as if the seller had never agreed.
    pub fn from_vault_text(text: &str) -> Option<ContractSettings> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let mut settings: BTreeMap<String, String> = serde_json::from_str(text).ok()?;
        let all_known = settings.keys().all(|name| section_of(name).is_some());
        if settings.keys().eq([BASE_URL_SETTING]) {
            settings.extend(ContractSettings::built_in().0.clone());
        }
        (all_known && !settings.is_empty()).then_some(ContractSettings(settings))
    }

    /// The value of the setting with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

impl TaughtSetting {
    /// True if the value is too long to be agreed to.
    pub fn is_too_long(&self) -> bool {
        self.value.text().chars().nth(MAX_SETTING_LENGTH).is_some()
    }
}

/// Settings as JSON.
fn settings_text<K: Serialize + Ord, V: Serialize>(settings: &BTreeMap<K, V>) -> String {
    // This cannot fail: a map of strings can always be written as JSON.
    serde_json::to_string(settings).unwrap_or_default()
}

impl Contract {
    /// Adds the settings of a profile, such as its proxy. The map contains their names and values.
    pub fn with_profile_settings(mut self, settings: &BTreeMap<String, String>) -> Contract {
        self.needs_consent |= !settings.is_empty();
        self.profile_settings.clone_from(settings);
        self
    }

    /// The settings that the profile adds: its proxy, its CA file and its message templates.
    pub fn profile_settings(&self) -> &BTreeMap<String, String> {
        &self.profile_settings
    }

    /// The profile's proxy for all requests to the service, if any.
    pub fn proxy(&self) -> Option<&str> {
        self.profile_settings.get(PROXY_SETTING).map(String::as_str)
    }

    /// Sets the base URL of the service, to which the seller must agree. It includes the path,
    /// because another path of a shared host may belong to somebody else.
    pub fn with_base_url(self, base_url: &str) -> Contract {
        Contract {
            base_url: Some(base_url.into()),
            ..self
        }
    }

    /// The base URL of the service, or `None` if the seller need not agree to it.
    pub fn base_url(&self) -> Option<&str> {
        self.base_url.as_deref()
    }

    /// All settings of the API contract and of the profile.
    pub fn all_settings(&self) -> ContractSettings {
        self.settings_without_base_url()
            .at_base_url(self.base_url())
    }

    fn settings_without_base_url(&self) -> ContractSettings {
        let mut settings = self.contract_settings();
        settings.0.extend(self.profile_settings.clone());
        settings
    }

    fn contract_settings(&self) -> ContractSettings {
        let settings = self.settings.iter();
        let settings = settings.map(|(name, setting)| (name.clone(), setting.value.text()));
        ContractSettings(settings.collect())
    }

    /// The settings that count as agreed to because the seller chose some of them in this start.
    /// Returns `None` if the seller chose none. `origin` is the origin of the base URL.
    pub fn settings_agreed_at_start(
        &self,
        agreed: AgreedAtStart,
        origin: &Origin,
    ) -> Option<ContractSettings> {
        let base_url = self.base_url()?;
        let built_in = || ContractSettings::built_in().clone();
        match agreed {
            AgreedAtStart::Nothing => None,
            AgreedAtStart::Origin => Some(built_in().at_base_url(Some(&origin.0))),
            AgreedAtStart::BaseUrl => Some(built_in().at_base_url(Some(base_url))),
            // The first-run pages do not ask for the profile's settings, such as a proxy.
            AgreedAtStart::FirstRun => Some(self.contract_settings().at_base_url(Some(base_url))),
        }
    }

    /// True if there are settings to which the seller must agree: an origin, or settings that
    /// differ from the built-in contract and were not written by the program.
    pub fn needs_consent(&self) -> bool {
        self.needs_consent && (self.base_url.is_some() || !self.differences().is_empty())
    }

    /// The settings to which the seller must agree before anything is sent.
    ///
    /// These are the changes since the last agreement or, without one, the origin and the
    /// differences from the built-in contract.
    pub fn settings_to_agree(&self, agreed: Option<&ContractSettings>) -> Vec<SettingChange> {
        match agreed {
            Some(agreed) => self.all_settings().changes_from(agreed),
            None if self.needs_consent => self.base_url_and_differences(),
            None => vec![],
        }
    }

    /// The settings for the consent screen: first the ones that changed since the last agreement,
    /// then all others that differ from the built-in contract. In both groups, the origin comes
    /// first. The list is empty if the built-in contract is used at an agreed origin.
    pub fn settings_to_review(&self, agreed: Option<&ContractSettings>) -> Vec<SettingChange> {
        let mut changes = self.settings_to_agree(agreed);
        if changes.is_empty() && self.differences().is_empty() {
            return vec![];
        }
        // A seller who agreed only to an origin has never agreed to other settings, so none of them
        // is marked as changed since then.
        let has_agreed = agreed.is_some_and(|agreed| !agreed.are_built_in());
        for change in &mut changes {
            change.changed_since_agreement = has_agreed;
        }
        let mut others: Vec<_> = self
            .base_url_and_differences()
            .into_iter()
            .filter(|other| !changes.iter().any(|change| change.name == other.name))
            .collect();
        // The built-in contract has no origin. An origin that needs no agreement is unchanged.
        for origin in others.iter_mut().filter(|change| change.is_base_url()) {
            origin.old.clone_from(&origin.new);
        }
        changes.extend(others);
        changes.sort_by_key(|change| {
            (
                !change.changed_since_agreement,
                section_position(change.section),
            )
        });
        changes
    }

    /// The settings that differ from the built-in API contract. The origin is not part of the
    /// contract.
    pub fn differences(&self) -> Vec<SettingChange> {
        // Fast path: screens call this for every frame, and most sellers use the built-in contract.
        if self.profile_settings.is_empty() && self.settings.values().all(Setting::is_built_in) {
            return vec![];
        }
        self.settings_without_base_url()
            .changes_from(ContractSettings::built_in())
    }

    fn base_url_and_differences(&self) -> Vec<SettingChange> {
        match self.base_url {
            Some(_) => self
                .all_settings()
                .changes_from(ContractSettings::built_in()),
            None => self.differences(),
        }
    }

    /// The agreed settings after the seller has chosen the settings `taught` in the app.
    ///
    /// A setting chosen in the app counts as agreed to. All others keep their state, even if
    /// another program has just added them to the file.
    pub fn agreed_after_teaching(
        &self,
        agreed: Option<&ContractSettings>,
        taught: &[TaughtSetting],
    ) -> ContractSettings {
        let mut settings = if self.settings_to_agree(agreed).is_empty() {
            self.all_settings()
        } else {
            agreed.unwrap_or(ContractSettings::built_in()).clone()
        };
        settings
            .0
            .extend(taught.iter().map(|it| (it.name.clone(), it.value.text())));
        settings
    }

    /// The time for which the service is assumed to remember an idempotency key, and the minimum
    /// wait before a resend.
    ///
    /// Both come from the settings to which the seller has agreed. Otherwise, a changed contract
    /// file could lengthen the time for resends, or make a resend impossible, without the seller's
    /// agreement.
    pub fn retention_and_resend_wait(
        &self,
        agreed: Option<&ContractSettings>,
    ) -> (Duration, Duration) {
        if self.settings_to_agree(agreed).is_empty() {
            return (self.withdrawal.retention, self.withdrawal.resend_after);
        }
        let settings = agreed.unwrap_or(ContractSettings::built_in());
        let retention = seconds(settings, "withdrawal.retention_seconds");
        let retention = retention.unwrap_or(MAX_UNSOURCED_RETENTION);
        let wait = seconds(settings, "withdrawal.resend_after_seconds").unwrap_or(MIN_RESEND_AFTER);
        (
            capped_retention(retention),
            Duration::from_secs(wait.max(MIN_RESEND_AFTER).into()),
        )
    }
}

/// Explains the effect of a changed setting, as a message id and its argument.
fn explain_change(
    name: &str,
    now: &ContractSettings,
    old: &ContractSettings,
) -> Option<(&'static str, String)> {
    let value = unquoted(now.get(name)?);
    match name {
        BASE_URL_SETTING => return Some(("consent-origin-means", value)),
        PROXY_SETTING => return Some(("consent-proxy", value)),
        CA_FILE_SETTING => return Some(("consent-ca-file", value)),
        LINK_MESSAGE_SETTING | REMINDER_MESSAGE_SETTING | CHARGE_MESSAGE_SETTING => {
            return Some(("consent-message-means", value));
        }
        _ => {}
    }
    let (section, key) = name.rsplit_once('.')?;
    let sibling = |key: &str| now.get(&format!("{section}.{key}")).map(unquoted);
    let is_field = section.contains(".field.");
    Some(match key {
        "kind"
            if section.starts_with("login.")
                && old.get(name).map(unquoted).as_deref() == Some("secret")
                && value != "secret" =>
        {
            ("consent-secret-shown", value)
        }
        "name" if is_field && sibling("kind").as_deref() == Some("secret") => {
            ("consent-secret-name", value)
        }
        // The setting `default` contains the constant. If it has changed too, its own explanation
        // is enough.
        "kind" if is_field && value == "fixed" => {
            let default = format!("{section}.default");
            let is_explained = now.get(&default) != old.get(&default);
            (
                "consent-fixed",
                sibling("default").filter(|_| !is_explained)?,
            )
        }
        "default" if sibling("kind").as_deref() == Some("fixed") => ("consent-fixed", value),
        _ => {
            let argument = match key {
                "unit" if value == "centavos" => "4990".to_owned(),
                "unit" => "49.90".to_owned(),
                "path" | "method" => format!("{} {}", sibling("method")?, sibling("path")?),
                _ => value,
            };
            (SettingEntry::of(name)?.explanation?, argument)
        }
    })
}

fn seconds(settings: &ContractSettings, name: &str) -> Option<u32> {
    settings.get(name)?.parse().ok()
}

/// The text of a JSON string. Any other JSON value is returned unchanged, as JSON.
fn unquoted(value: &str) -> String {
    serde_json::from_str(value).unwrap_or_else(|_| value.to_owned())
}

/// The characters in a text that can be mistaken for others, sorted and without duplicates.
pub fn foreign_letters(text: &str) -> Vec<char> {
    let mut found: Vec<char> = text.chars().filter(|c| is_foreign_letter(*c)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// True if a character can be mistaken for another. Examples are letters and digits outside Western
/// European languages (such as the Cyrillic `а`), full-width forms, and signs that look like a dot
/// or a slash.
pub fn is_foreign_letter(c: char) -> bool {
    match c {
        '\0'..='ÿ' => false,
        '\u{2024}' | '\u{2044}' | '\u{2215}' | '\u{29f8}' | '\u{ff01}'..='\u{ff5e}' => true,
        c => c.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests;
