//! Removes private data from the settings of the API contract, so that the seller can share them.

use super::settings::Setting;
use super::{Contract, FixedHeader, SettingEntry, SettingKind};
use crate::trade::Untrusted;

/// The text that replaces a removed value.
const REMOVED_VALUE: &str = "?";

/// A setting that differs from the built-in API contract, without private data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedSetting {
    /// The text of the setting, as in a contract file. All its characters can be shown.
    pub text: String,
    /// True if a private value was removed from the setting.
    pub is_blanked: bool,
}

impl Contract {
    /// Every setting that differs from the built-in API contract, without values that may be
    /// private.
    ///
    /// The removed values are fixed body members, fixed headers, codes of withdrawals and the query
    /// of a path. Together
    /// the settings form a valid contract file, even if they come from several files.
    pub fn shared_settings(&self) -> Vec<SharedSetting> {
        let built_in = Contract::built_in();
        let changed = self.settings.iter().filter(|(name, setting)| {
            let original = built_in.settings.get(*name);
            original.is_none_or(|original| original.value != setting.value)
        });
        changed
            .map(|(name, setting)| without_private_values(name, setting))
            .collect()
    }
}

impl Setting {
    /// The value of the setting as JSON.
    pub fn json_value(&self) -> serde_json::Value {
        serde_json::to_value(&self.value).unwrap_or_default()
    }

    /// The setting as a line of text, such as `unit = "reais"`. The value is in normal form.
    pub fn toml_text(&self, name: &str) -> String {
        format!("{} = {}", toml_key(name), self.value.text())
    }
}

fn without_private_values(name: &str, setting: &Setting) -> SharedSetting {
    let value = setting.value.text();
    let blanked = match SettingEntry::of(name).map(|entry| entry.kind) {
        Some(SettingKind::FieldDefault) => Some(quoted(REMOVED_VALUE)),
        Some(SettingKind::Headers) => Some(headers_without_values(setting)),
        Some(SettingKind::Codes) => Some("[]".to_owned()),
        Some(SettingKind::Path) => path_without_query_values(&value),
        _ => None,
    };
    let is_blanked = blanked.as_ref().is_some_and(|blanked| *blanked != value);
    let value = blanked.unwrap_or(value);
    let text = escape_unshowable(format!("{} = {value}", toml_key(name)));
    SharedSetting { text, is_blanked }
}

/// Escapes all characters except visible ASCII if some of them would be replaced when the text is
/// shown. A file with a replaced character would have another value.
fn escape_unshowable(text: String) -> String {
    if Untrusted::from(text.as_str()).shown_whole() == text {
        return text;
    }
    let escaped = text.chars().map(|c| match c {
        ' '..='~' => c.to_string(),
        c => format!("\\U{:08X}", u32::from(c)),
    });
    escaped.collect()
}

fn headers_without_values(setting: &Setting) -> String {
    let headers = setting
        .texts()
        .iter()
        .filter_map(|text| FixedHeader::parse(text));
    let headers: Vec<_> = headers
        .map(|header| quoted(&format!("{}: {REMOVED_VALUE}", header.name)))
        .collect();
    format!("[{}]", headers.join(", "))
}

/// Replaces each value in a path's query by `x`. Returns `None` if the path has no query.
fn path_without_query_values(value: &str) -> Option<String> {
    let (path, query) = value.strip_suffix('"')?.split_once('?')?;
    let names = query
        .split('&')
        .filter_map(|pair| Some(pair.split_once('=')?.0));
    let pairs: Vec<_> = names.map(|name| format!("{name}=x")).collect();
    Some(format!("{path}?{}\"", pairs.join("&")))
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn toml_key(name: &str) -> String {
    let parts = name.split('.').map(|part| {
        let is_plain = part
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        if is_plain && !part.is_empty() {
            part.to_owned()
        } else {
            quoted(part)
        }
    });
    parts.collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    use super::super::{FieldUse, PRESETS, SettingValue, TaughtField, TaughtSetting};
    use super::*;
    use crate::trade::Operation;

    /// A contract file that has private data in every setting that can contain such data.
    const PRIVATE: &str = "request.headers = ['X-Store: ana-123']
[withdrawal]
path = '/w?store=ana-123&kind=pix'
headers = ['X-App: s3cr3t']
body = ['amount', 'key_kind', 'key', 'store']
field.store = { name = 'store', kind = 'fixed', default = 'ana-123' }
field.key.default = 'ana@loja.example'
not_ids = ['ana-123']
unit = 'centavos'
method = 'POST'
";

    #[test]
    fn shared_contract_parses_and_has_no_private_values() {
        let contract = Contract::with(&[("/srv/ana/loja.toml", PRIVATE)]).unwrap();
        let settings = contract.shared_settings();
        let text = settings
            .iter()
            .map(|setting| setting.text.clone() + "\n")
            .collect::<String>();
        for private in ["ana-123", "s3cr3t", "ana@", "/srv/", "pix"] {
            assert!(!text.contains(private), "{private} in\n{text}");
        }
        let blanked: Vec<_> = settings
            .iter()
            .filter(|setting| setting.is_blanked)
            .collect();
        assert_eq!(blanked.len(), 6, "{blanked:#?}");
        assert!(
            text.contains("withdrawal.path = \"/w?store=x&kind=x\"\n"),
            "{text}"
        );
        assert!(
            text.contains("request.headers = [\"X-Store: ?\"]\n"),
            "{text}"
        );
        assert!(
            !text.contains("withdrawal.method"),
            "what is as the program has it\n{text}"
        );
        let again = Contract::with(&[("shared", &text)]).unwrap();
        assert_eq!(
            again.withdrawal.form.amounts,
            contract.withdrawal.form.amounts
        );
        assert_eq!(Contract::built_in().shared_settings(), []);
    }

    #[test]
    fn shared_preset_can_be_read_back() {
        for preset in PRESETS {
            let contract = Contract::with(&[(preset.file, preset.text)]).unwrap();
            let settings = contract.shared_settings();
            let text = settings.iter().map(|setting| setting.text.clone() + "\n");
            let again = Contract::with(&[("shared", &text.collect::<String>())]);
            let again = again.expect(preset.name);
            if preset.name != "key-headers" {
                assert_eq!(
                    again.settings_to_agree(Some(&contract.all_settings())),
                    [],
                    "{}",
                    preset.name
                );
            }
        }
    }

    #[test]
    fn place_of_the_default_domain_is_shared() {
        let contract = Contract::with(&[("loja", "domains.default = ['/principal']")]).unwrap();
        let text = "domains.default = [\"/principal\"]".to_owned();
        assert_eq!(
            contract.shared_settings(),
            [SharedSetting {
                text,
                is_blanked: false
            }]
        );
    }

    /// The settings that a seller could teach with these texts: a new value of one setting, or a
    /// new field of a body.
    fn lesson(contract: &Contract, choice: Index, texts: &[String]) -> Vec<TaughtSetting> {
        let names: Vec<&String> = contract.settings.keys().collect();
        let choice = choice.index(names.len() + 40);
        let Some(name) = names.get(choice) else {
            let operations = [
                Operation::Login,
                Operation::DirectPayment,
                Operation::Withdrawal,
            ];
            let uses = [
                FieldUse::Required,
                FieldUse::Optional,
                FieldUse::Fixed,
                FieldUse::Fixed,
            ];
            let field = TaughtField {
                name: texts[0].clone(),
                label: texts.get(1).cloned(),
                becomes: uses[choice % 4],
                value: texts[texts.len() - 1].clone(),
                words: vec![],
            };
            return contract.field_settings(operations[choice % 3], None, &field);
        };
        let value = match contract.value(name) {
            Some(SettingValue::Texts(_)) => SettingValue::Texts(texts.to_vec()),
            Some(SettingValue::Flag(flag)) => SettingValue::Flag(!flag),
            Some(SettingValue::Whole(number)) => SettingValue::Whole(number + 1),
            Some(SettingValue::Wholes(_)) => {
                SettingValue::Wholes((0..texts.len() as i64 - 1).map(|n| 200 + n).collect())
            }
            _ => SettingValue::Text(texts[0].clone()),
        };
        vec![TaughtSetting {
            name: (*name).clone(),
            value,
        }]
    }

    /// Texts that settings accept, some with characters that are not shown as they are.
    fn any_text() -> impl Strategy<Value = String> {
        let words = [
            "centavos",
            "text",
            "api-token",
            "form",
            "PUT",
            "members",
            "number",
            "any",
        ];
        prop_oneof![
            "/[a-zé\"\\\\]{1,5}(/[a-z\u{202e}\u{7f}\u{301}]{1,5})?",
            "X-[A-Z]{1,4}: [ -~]{1,6}",
            "/[a-z]{1,6}\\?[a-z]=[a-z0-9]{1,4}",
            ".{1,8}",
            select(words.to_vec()).prop_map(str::to_owned),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn shared_lines_are_equal_or_masked(
            lessons in prop::collection::vec(
                (any::<Index>(), prop::collection::vec(any_text(), 1..4)),
                1..25,
            ),
        ) {
            let mut contract = Contract::built_in();
            for (choice, texts) in lessons {
                let lesson = lesson(&contract, choice, &texts);
                contract = contract.with_taught(&lesson).unwrap_or(contract);
            }
            let shared = contract.shared_settings();
            let shown = |line: &SharedSetting| Untrusted::from(line.text.as_str()).shown() + "\n";
            let text: String = shared.iter().map(shown).collect();
            let again = Contract::with(&[("shared", &text)]);
            prop_assert!(again.is_ok(), "{:?}\n{}", again.err(), text);
            let again = again.unwrap();
            prop_assert!(again.settings.keys().eq(contract.settings.keys()), "{}", text);
            for (name, setting) in &contract.settings {
                let start = escape_unshowable(format!("{} = ", toml_key(name)));
                let mut masked = shared.iter().filter(|line| line.is_blanked);
                prop_assert!(
                    again.value(name) == Some(&setting.value)
                        || masked.any(|line| line.text.starts_with(&start)),
                    "{}\n{}", name, text
                );
            }
        }
    }

    #[test]
    fn non_plain_key_part_is_quoted() {
        assert_eq!(
            toml_key("login.field.email.label.pt-BR"),
            "login.field.email.label.pt-BR"
        );
        assert_eq!(toml_key("login.field.é b.name"), "login.field.\"é b\".name");
    }
}
