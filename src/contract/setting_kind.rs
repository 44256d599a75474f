//! The kinds of the API contract's settings. The kind decides how a setting is explained when it
//! changes, how it is shared, how it is masked in an export, and which words can be taught.
//!
//! How a setting is read is told where it is read.

use super::reply_setting::REPLY_SETTINGS;

/// The kind of a setting, which is the meaning of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingKind {
    /// A word out of a few.
    Choice,
    /// The path of an operation.
    Path,
    /// Headers with fixed values.
    Headers,
    /// Headers with a placeholder for a credential.
    CredentialHeaders,
    /// The name of a header.
    HeaderName,
    /// The name of a member or query parameter of a request.
    RequestName,
    /// JSON Pointers to places in a reply.
    ReplyPlaces,
    /// Ids of fields of a form.
    FieldIds,
    /// A text or a list of words.
    Words,
    /// The value that a field of a form has at first or always.
    FieldDefault,
    /// The characters that a field accepts.
    Pattern,
    /// Codes that identify no withdrawal.
    Codes,
    /// Numbers, or true or false.
    Figures,
}

use SettingKind::{
    Choice, Codes, CredentialHeaders, FieldDefault, FieldIds, Figures, HeaderName, Headers, Path,
    Pattern, ReplyPlaces, RequestName, Words,
};

/// An entry of the table of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingEntry {
    /// The name of the setting in its section, such as `unit`.
    key: &'static str,
    /// The meaning of the value.
    pub kind: SettingKind,
    /// The words that can be taught. Empty if any text is allowed.
    pub words: &'static [&'static str],
    /// The id of the message that explains what a changed value does, if it needs one.
    pub explanation: Option<&'static str>,
}

const fn entry(key: &'static str, kind: SettingKind) -> SettingEntry {
    SettingEntry {
        key,
        kind,
        words: &[],
        explanation: None,
    }
}

const fn choice(key: &'static str, words: &'static [&'static str]) -> SettingEntry {
    SettingEntry {
        words,
        ..entry(key, Choice)
    }
}

impl SettingEntry {
    const fn explained(self, message: &'static str) -> SettingEntry {
        SettingEntry {
            explanation: Some(message),
            ..self
        }
    }
}

/// The settings of an operation, and the ones for all requests.
const OPERATION_SETTINGS: &[SettingEntry] = &[
    entry("active_words", Words),
    entry("amount", RequestName),
    choice("amount_read", &["point", "comma", "either"]),
    choice("amount_sent", &["number", "text", "text-comma"]),
    entry("body", FieldIds),
    choice("credential", &["jwt", "api-token"]).explained("consent-credential"),
    entry("customer", FieldIds),
    entry("description", RequestName),
    entry("domain", RequestName),
    entry("empty_success", Figures),
    choice("encoding", &["json", "form"]),
    choice("entries", &["items", "members"]),
    entry("failed_code", ReplyPlaces),
    entry("failed_error", ReplyPlaces),
    entry("failed_flag", ReplyPlaces),
    entry("failed_status", ReplyPlaces),
    entry("failed_words", Words),
    entry("first_page", Figures),
    entry("headers", Headers).explained("consent-headers"),
    entry("id_required", Figures),
    entry("identity", FieldIds),
    choice("key_format", &["plain", "quoted", "simple"]),
    entry("key_header", HeaderName),
    entry("key_in_body", RequestName),
    // Each operation allows some methods.
    choice("method", &[]).explained("consent-address"),
    entry("most_pages", Figures),
    entry("not_ids", Codes),
    entry("page_parameter", RequestName),
    // A contract with the place of the next page also allows `cursor` and `link`.
    choice("pages", &["none", "number", "link-header"]),
    entry("path", Path).explained("consent-address"),
    entry("resend_after_seconds", Figures),
    entry("retention_seconds", Figures).explained("consent-retention"),
    entry("retention_source", Words),
    choice("shape", &["jwt", "any"]),
    entry("status", ReplyPlaces),
    entry("success", Figures),
    entry("token_header", HeaderName),
    entry("under", ReplyPlaces),
    choice("unit", &["reais", "centavos"]).explained("consent-unit"),
];

/// The settings of a field of a form.
const FIELD_SETTINGS: &[SettingEntry] = &[
    entry("choices", Words),
    entry("default", FieldDefault).explained("consent-default"),
    choice("kind", &[]),
    entry("label", Words),
    entry("longest", Figures),
    entry("name", RequestName),
    entry("pattern", Pattern),
    entry("plus", Figures),
    entry("required", Figures),
    entry("sent", Figures),
    entry("shortest", Figures),
    entry("words", Words),
];

const CREDENTIAL_HEADERS: SettingEntry =
    entry("headers", CredentialHeaders).explained("consent-credential-headers");

const REPLY_PLACES: SettingEntry = entry("", ReplyPlaces);

impl SettingEntry {
    /// The entry of the setting with this full name, such as `withdrawal.unit`. `None` if the API
    /// contract has no such setting.
    pub fn of(name: &str) -> Option<&'static SettingEntry> {
        if REPLY_SETTINGS.iter().any(|setting| setting.name == name) {
            return Some(&REPLY_PLACES);
        }
        let (entries, key) = match name.split_once(".field.") {
            // A label and words have one more part, such as `label.en`.
            Some((_, field)) => (FIELD_SETTINGS, field.split('.').nth(1)?),
            None => (OPERATION_SETTINGS, name.rsplit('.').next()?),
        };
        if key == CREDENTIAL_HEADERS.key && name.starts_with("credential.") {
            return Some(&CREDENTIAL_HEADERS);
        }
        entries.iter().find(|entry| entry.key == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Contract, SettingValue};

    #[test]
    fn each_setting_of_the_built_in_contract_has_an_entry() {
        for (name, setting) in Contract::built_in().settings() {
            let kind = SettingEntry::of(name).map(|entry| entry.kind);
            let is_place = setting.texts().iter().any(|text| text.starts_with('/'));
            let is_figure = matches!(
                setting.value,
                SettingValue::Flag(_) | SettingValue::Whole(_) | SettingValue::Wholes(_)
            );
            assert!(kind.is_some(), "{name}");
            assert!(!is_place || kind == Some(ReplyPlaces), "{name}: {kind:?}");
            assert_eq!(kind == Some(Figures), is_figure, "{name}");
        }
        assert_eq!(SettingEntry::of("withdrawal.field.key.colour"), None);
    }
}
