//! Masks personal data in the contract settings of an export.

use serde_json::Value;

use super::mask::{StrictMask, to_url_form};
use super::whitelist::is_harmless;
use crate::contract::{SettingEntry, SettingKind};

/// The placeholders for a credential in a contract setting, as in `Authorization: Bearer {}`.
const PLACEHOLDERS: [&str; 3] = ["{}", "{1}", "{2}"];

impl StrictMask {
    /// Masks personal data in a contract setting, so that the setting can be shared.
    ///
    /// The result is still a valid setting, but a list of allowed characters becomes a comment.
    /// Paths, pointers and names get the same masks as in the requests and replies.
    pub fn mask_contract_line(&mut self, line: &str) -> String {
        let values = line.match_indices(" = ").find_map(|(at, mark)| {
            let value = serde_json::from_str::<Value>(&line[at + mark.len()..]).ok()?;
            Some((&line[..at], value))
        });
        let values = values.filter(|(name, _)| !name.ends_with(".pattern"));
        let Some((name, value)) = values else {
            return format!("# {}", self.mask_value(line));
        };
        let masked = match value {
            Value::String(text) => self.mask_line_text(name, &text).into(),
            Value::Array(items) => items
                .into_iter()
                .map(|item| match item {
                    Value::String(text) => self.mask_line_text(name, &text).into(),
                    other => other,
                })
                .collect(),
            other => other,
        };
        let masked_line = format!("{} = {masked}", self.mask_line_name(name));
        // Check the whole setting: a secret with dots is not found in the parts of its name.
        if self.contains_secret(&masked_line) {
            format!("# {}", self.mask_value(line))
        } else {
            masked_line
        }
    }

    fn mask_line_name(&mut self, name: &str) -> String {
        let parts = name.split('.').map(|part| {
            let bare = part.trim_matches('"');
            if is_harmless(bare) && !self.contains_secret(bare) {
                part.to_owned()
            } else {
                to_url_form(&self.mask_value(bare)).replace('*', "")
            }
        });
        parts.collect::<Vec<_>>().join(".")
    }

    fn mask_line_text(&mut self, name: &str, text: &str) -> String {
        match SettingEntry::of(name).map(|entry| entry.kind) {
            Some(SettingKind::Path) => self.mask_path(text),
            Some(SettingKind::FieldIds) => self.mask_line_name(text),
            Some(SettingKind::HeaderName) => self.mask_header_name(text),
            Some(SettingKind::Headers | SettingKind::CredentialHeaders) => {
                self.mask_line_header(text)
            }
            Some(SettingKind::Choice) => text.to_owned(),
            // Keep an empty text, and a `?` that replaced a private value.
            _ if text.chars().count() <= 1 => text.to_owned(),
            Some(SettingKind::RequestName | SettingKind::ReplyPlaces) => {
                let parts = text.split('/').map(|part| match part {
                    "" => String::new(),
                    part => self.mask_name(part),
                });
                parts.collect::<Vec<_>>().join("/")
            }
            Some(SettingKind::Words | SettingKind::FieldDefault)
                if self.whitelist.is_public_state(text) && !self.contains_secret(text) =>
            {
                text.to_owned()
            }
            Some(SettingKind::Words | SettingKind::FieldDefault) => {
                self.mask_value(&text.to_lowercase())
            }
            _ => self.mask_value(text),
        }
    }

    /// Masks a header in a contract setting, such as `Authorization: Bearer {}`.
    fn mask_line_header(&mut self, text: &str) -> String {
        let (name, value) = text.split_once(": ").unwrap_or((text, ""));
        let placeholder = PLACEHOLDERS
            .into_iter()
            .find(|placeholder| value.contains(placeholder));
        let name = self.mask_header_name(name);
        let value = match placeholder
            .and_then(|placeholder| Some((placeholder, value.split_once(placeholder)?)))
        {
            Some((placeholder, (before, after))) => [
                &self.mask_header_words(before),
                placeholder,
                &self.mask_header_words(after),
            ]
            .concat(),
            None if value == "?" => value.to_owned(),
            None => self.mask_header_words(value),
        };
        format!("{name}: {value}")
    }
}
