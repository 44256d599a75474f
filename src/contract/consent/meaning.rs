//! The meaning of a contract line for a seller, and letters that look like others.

use super::ContractLines;

/// The meaning of a line's new value, if a seller must know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineMeaning {
    /// The password is sent under this name.
    SecretName(String),
    /// What was a password field is shown while it is typed.
    SecretShown,
    /// The field has this value in every request.
    Fixed(String),
    /// The field has this value if nobody types another.
    Default(String),
    /// Amounts are sent in centavos.
    Centavos,
    /// Amounts are sent in reais.
    Reais,
    /// The requests go to this method and path.
    Address(String, String),
    /// These headers are in every request.
    FixedHeaders,
    /// The credential is sent in these headers.
    CredentialHeaders,
    /// The requests are sent with this credential.
    Credential(String),
    /// The time for which the same withdrawal can be sent again.
    Retention,
    /// Everything passes through this proxy.
    Proxy(String),
    /// The certificates of this file may vouch for any server.
    CaFile,
    /// A buyer receives this text.
    Message,
}

impl LineMeaning {
    /// Returns the meaning of a line among the lines in force, given the lines before.
    pub(super) fn of(name: &str, now: &ContractLines, old: &ContractLines) -> Option<LineMeaning> {
        use LineMeaning::*;
        let value = plain(now.get(name)?);
        match name {
            super::PROXY_LINE => return Some(Proxy(value)),
            super::CA_FILE_LINE => return Some(CaFile),
            super::LINK_MESSAGE_LINE | super::CHARGE_MESSAGE_LINE => return Some(Message),
            _ => {}
        }
        let (of, key) = name.rsplit_once('.')?;
        let beside = |key: &str| now.get(&format!("{of}.{key}")).map(plain);
        let is_field = of.contains(".field.");
        match key {
            "kind" if of.starts_with("login.") && is_secret(old.get(name)) && value != "secret" => {
                Some(SecretShown)
            }
            "name" if is_field && beside("kind").as_deref() == Some("secret") => {
                Some(SecretName(value))
            }
            // A line of its own says the value, if that is new too.
            "kind" if is_field && value == "fixed" => {
                let default = format!("{of}.default");
                let is_said = now.get(&default) != old.get(&default);
                beside("default").filter(|_| !is_said).map(Fixed)
            }
            "default" if beside("kind").as_deref() == Some("fixed") => Some(Fixed(value)),
            "default" if is_field => Some(Default(value)),
            "unit" if value == "centavos" => Some(Centavos),
            "unit" => Some(Reais),
            "path" | "method" => Some(Address(beside("method")?, beside("path")?)),
            "headers" if of.starts_with("credential.") => Some(CredentialHeaders),
            "headers" => Some(FixedHeaders),
            "credential" => Some(Credential(value)),
            "retention_seconds" => Some(Retention),
            _ => None,
        }
    }
}

fn is_secret(kind: Option<&str>) -> bool {
    kind.is_some_and(|kind| plain(kind) == "secret")
}

/// Returns a value without its quotation marks.
fn plain(value: &str) -> String {
    serde_json::from_str(value).unwrap_or_else(|_| value.to_owned())
}

/// Returns the letters, digits and signs of a text that can be taken for others, each once.
pub fn foreign_letters(text: &str) -> Vec<char> {
    let mut found: Vec<char> = text.chars().filter(|c| is_foreign_letter(*c)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns true for a letter or a digit that Western European languages do not have, such as the
/// Cyrillic `а`, for a full-width form, and for a sign that looks like a dot or a slash.
pub fn is_foreign_letter(c: char) -> bool {
    match c {
        '\0'..='ÿ' => false,
        '\u{2024}' | '\u{2044}' | '\u{2215}' | '\u{29f8}' | '\u{ff01}'..='\u{ff5e}' => true,
        c => c.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CA_FILE_LINE, LINK_MESSAGE_LINE, PROXY_LINE};
    use super::*;
    use crate::contract::Contract;
    use LineMeaning::*;

    /// The meaning of each changed line of a file, by the line's name.
    fn meanings(file: &str) -> Vec<(String, Option<LineMeaning>)> {
        let contract = Contract::with(&[("loja.toml", file)]).unwrap();
        let lines = contract.to_agree(None).into_iter();
        lines.map(|line| (line.name.shown(), line.meaning)).collect()
    }

    #[test]
    fn each_kind_of_line_has_its_meaning() {
        let text = |text: &str| text.to_owned();
        for (file, name, meaning) in [
            (
                "login.field.password.name = 'memo'",
                "login.field.password.name",
                SecretName(text("memo")),
            ),
            ("create_link.unit = 'centavos'", "create_link.unit", Centavos),
            ("domains.path = '/d'", "domains.path", Address(text("GET"), text("/d"))),
            ("login.headers = ['X-Store: 1']", "login.headers", FixedHeaders),
            ("credential.jwt.headers = ['X-Jwt: {}']", "credential.jwt.headers", CredentialHeaders),
            (
                "domains.credential = 'api-token'",
                "domains.credential",
                Credential(text("api-token")),
            ),
            ("withdrawal.retention_seconds = 60", "withdrawal.retention_seconds", Retention),
            (
                "direct_payment.field.name.default = 'Ana'",
                "direct_payment.field.name.default",
                Default(text("Ana")),
            ),
            (
                "direct_payment.field.method.default = 'card'",
                "direct_payment.field.method.default",
                Fixed(text("card")),
            ),
        ] {
            assert_eq!(meanings(file), [(name.to_owned(), Some(meaning))], "{file}");
        }
        // Where a reply names the main domain: nothing is sent.
        for (file, name) in
            [("error.hint = []", "error.hint"), ("domains.default = ['/x']", "domains.default")]
        {
            assert_eq!(meanings(file), [(name.to_owned(), None)]);
        }
        let thief = "login.body = ['email', 'password', 'thief']
                     login.field.thief = { name = 'user', kind = 'fixed', default = 'ladrao@x' }";
        let said: Vec<_> = meanings(thief).into_iter().filter_map(|(_, meaning)| meaning).collect();
        assert_eq!(said, [Fixed(text("ladrao@x"))]);
    }

    #[test]
    fn password_that_becomes_a_text_is_shown() {
        let built_in = ContractLines::built_in();
        let mut now = built_in.clone();
        let name = "login.field.password.kind";
        now.0.insert(name.into(), "\"text\"".into());
        assert_eq!(LineMeaning::of(name, &now, built_in), Some(SecretShown));
    }

    #[test]
    fn profile_lines_have_their_meaning() {
        let values =
            [(PROXY_LINE, "http://p:1"), (CA_FILE_LINE, "x"), (LINK_MESSAGE_LINE, "\"x\"")];
        let lines = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let contract = Contract::built_in().of_profile(&lines.into());
        let said: Vec<_> =
            contract.to_agree(None).into_iter().filter_map(|line| line.meaning).collect();
        assert_eq!(said, [CaFile, Proxy("http://p:1".into()), Message]);
    }

    #[test]
    fn foreign_letters_are_found_and_portuguese_is_not() {
        assert!(foreign_letters("Ação à vista, R$ 10,00 – “ok” 😀").is_empty());
        assert_eq!(foreign_letters("аna@lоja.example"), ['а', 'о']);
        assert_eq!(foreign_letters("pıx／ｋey․𝐚"), ['ı', '․', '／', 'ｋ', '𝐚']);
    }
}
