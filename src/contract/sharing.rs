//! Removes private data from the settings of the API contract, so that the seller can share them.

use super::settings::Setting;
use super::{Contract, FixedHeader};

/// The text that replaces a removed value.
const REMOVED_VALUE: &str = "?";

/// A setting that differs from the built-in API contract, without private data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedSetting {
    /// The text of the setting, as in a contract file.
    pub text: String,
    /// True if a private value was removed from the setting.
    pub is_blanked: bool,
}

impl Contract {
    /// Returns every setting that differs from the built-in API contract, without values that may
    /// be private.
    ///
    /// The removed values are fixed body members, fixed headers and the query of a path. Together
    /// the settings form a valid contract file, even if they come from several files.
    pub fn shared_settings(&self) -> Vec<SharedSetting> {
        let built_in = Contract::built_in();
        let is_changed = |name: &str, setting: &Setting| {
            let original = built_in.settings.get(name);
            original.is_none_or(|original| original.value != setting.value)
        };
        let changed = self.settings.iter().filter(|(name, setting)| is_changed(name, setting));
        changed.map(|(name, setting)| without_private_values(name, setting)).collect()
    }
}

impl Setting {
    /// Returns the setting as a line of text, such as `unit = "reais"`. The value is in normal
    /// form.
    pub fn toml_text(&self, name: &str) -> String {
        format!("{} = {}", toml_key(name), self.value.text())
    }
}

fn without_private_values(name: &str, setting: &Setting) -> SharedSetting {
    let value = setting.value.text();
    let blanked = match name.rsplit('.').next() {
        Some("default") => Some(quoted(REMOVED_VALUE)),
        Some("headers") if !name.starts_with("credential.") => {
            Some(headers_without_values(setting))
        }
        Some("path") => path_without_query_values(&value),
        _ => None,
    };
    let is_blanked = blanked.as_ref().is_some_and(|blanked| *blanked != value);
    let value = blanked.unwrap_or(value);
    SharedSetting { text: format!("{} = {value}", toml_key(name)), is_blanked }
}

fn headers_without_values(setting: &Setting) -> String {
    let headers = setting.texts().iter().filter_map(|text| FixedHeader::parse(text));
    let headers: Vec<_> =
        headers.map(|header| quoted(&format!("{}: {REMOVED_VALUE}", header.name))).collect();
    format!("[{}]", headers.join(", "))
}

/// Replaces each value in a path's query by `x`. Returns `None` if the path has no query.
fn path_without_query_values(value: &str) -> Option<String> {
    let (path, query) = value.strip_suffix('"')?.split_once('?')?;
    let names = query.split('&').filter_map(|pair| Some(pair.split_once('=')?.0));
    let pairs: Vec<_> = names.map(|name| format!("{name}=x")).collect();
    Some(format!("{path}?{}\"", pairs.join("&")))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn toml_key(name: &str) -> String {
    let is_plain = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    let part = |part: &str| if is_plain(part) { part.to_owned() } else { quoted(part) };
    name.split('.').map(part).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::super::PRESETS;
    use super::*;

    /// A contract file that has private data in every setting that can contain such data.
    const PRIVATE: &str = "request.headers = ['X-Store: ana-123']
[withdrawal]
path = '/w?store=ana-123&kind=pix'
headers = ['X-App: s3cr3t']
body = ['amount', 'key_kind', 'key', 'store']
field.store = { name = 'store', kind = 'fixed', default = 'ana-123' }
field.key.default = 'ana@loja.example'
unit = 'centavos'
method = 'POST'
";

    #[test]
    fn shared_contract_parses_and_has_no_private_values() {
        let contract = Contract::with(&[("/srv/ana/loja.toml", PRIVATE)]).unwrap();
        let settings = contract.shared_settings();
        let text = settings.iter().map(|setting| setting.text.clone() + "\n").collect::<String>();
        for private in ["ana-123", "s3cr3t", "ana@", "/srv/", "pix"] {
            assert!(!text.contains(private), "{private} in\n{text}");
        }
        let blanked: Vec<_> = settings.iter().filter(|setting| setting.is_blanked).collect();
        assert_eq!(blanked.len(), 5, "{blanked:#?}");
        assert!(text.contains("withdrawal.path = \"/w?store=x&kind=x\"\n"), "{text}");
        assert!(text.contains("request.headers = [\"X-Store: ?\"]\n"), "{text}");
        assert!(!text.contains("withdrawal.method"), "what is as the program has it\n{text}");
        let again = Contract::with(&[("shared", &text)]).unwrap();
        assert_eq!(again.withdrawal.form.amounts, contract.withdrawal.form.amounts);
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
    fn non_plain_key_part_is_quoted() {
        assert_eq!(toml_key("login.field.email.label.pt-BR"), "login.field.email.label.pt-BR");
        assert_eq!(toml_key("login.field.é b.name"), "login.field.\"é b\".name");
    }
}
