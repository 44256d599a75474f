//! Finds values in a reply for settings of the API contract that read nothing yet. For each
//! setting, suggests the likeliest row in the tree of the reply.

use serde_json::Value;

use super::Contract;
use super::reply_setting::{JWT, REPLY_SETTINGS, ReplySetting, ReplyValueKind, TOKEN, fits_kind};
use super::reply_tree::{ReplyTree, TreeRow, TreeValue};
use super::teaching::ReadValue;
use crate::trade::{CredentialKind, Operation, Untrusted};

impl Contract {
    /// True if this setting of the API contract reads nothing from the reply, but the reply has a
    /// value that would fit.
    ///
    /// For `login.jwt` the value must be a JWT or have a matching name, and must not be the API
    /// token: the seller could not tell them apart, because a login reply is masked.
    pub fn can_be_taught(&self, setting: &ReplySetting, reply: &ReplyTree) -> bool {
        let token = self.token_pointer(reply);
        let is_likely = |row: &TreeRow| match setting.kind {
            ReplyValueKind::Secret if !setting.is_required => {
                token.as_ref() != Some(&row.pointer)
                    && (row.is_jwt() || setting.hint_score(row.name.raw()) > 0)
            }
            _ => true,
        };
        self.read_value(setting, reply) == ReadValue::Nothing
            && reply
                .rows
                .iter()
                .any(|row| fits_kind(setting.kind, &row.value) && is_likely(row))
    }

    /// The JSON Pointer of the API token in a login reply.
    pub(super) fn token_pointer(&self, reply: &ReplyTree) -> Option<String> {
        let paths = self.paths(TOKEN);
        paths
            .find_with_pointer(&reply.json, Value::as_str)
            .map(|(pointer, _)| pointer.as_str().to_owned())
    }

    /// True if any operation of the API contract needs the JWT.
    pub fn needs_jwt(&self) -> bool {
        let jwt = Some(CredentialKind::Jwt);
        Operation::ALL
            .iter()
            .any(|operation| self.call_of(*operation).credential == jwt)
    }

    /// True if the seller can choose a value in the reply for one of these settings: see
    /// [`can_be_taught`](Contract::can_be_taught). `reply` is masked.
    pub fn any_can_be_taught(&self, names: &[&str], reply: &Untrusted) -> bool {
        let mut settings = REPLY_SETTINGS.iter().filter(|it| names.contains(&it.name));
        ReplyTree::read(reply)
            .is_some_and(|tree| settings.any(|setting| self.can_be_taught(setting, &tree)))
    }
}

impl TreeRow {
    /// True if the row's value is a masked JWT.
    fn is_jwt(&self) -> bool {
        matches!(&self.value, TreeValue::Text(text) if text.raw() == Untrusted::MASKED_JWT)
    }
}

impl ReplyTree {
    /// True if the reply has two secrets, which may be the API token and the JWT.
    pub fn has_two_secrets(&self) -> bool {
        let mut secrets = self
            .rows
            .iter()
            .filter(|row| fits_kind(ReplyValueKind::Secret, &row.value));
        secrets.nth(1).is_some()
    }

    /// The row with the list of domains, if only one row can have it.
    pub fn only_domain_list(&self) -> Option<usize> {
        let mut lists = self.rows.iter().enumerate().filter(|(_, row)| {
            fits_kind(ReplyValueKind::List, &row.value) && self.may_be_domain_list(row)
        });
        let (index, _) = lists.next()?;
        lists.next().is_none().then_some(index)
    }

    fn may_be_domain_list(&self, row: &TreeRow) -> bool {
        match self.json.pointer(&row.pointer) {
            Some(Value::Array(_)) => true,
            Some(Value::Object(members)) => members.keys().all(|name| name.contains('.')),
            _ => false,
        }
    }

    /// The index of the likeliest row for this setting, or `None` if no row fits. Prefers a
    /// suitable value whose name matches the setting. A text must be allowed by `is_allowed`. The
    /// row at the JSON Pointer `last_choice`, if any, is returned only if no other row fits.
    pub(super) fn suggest_row(
        &self,
        setting: &ReplySetting,
        last_choice: Option<&str>,
        is_allowed: impl Fn(&str) -> bool,
    ) -> Option<usize> {
        let scores = self
            .rows
            .iter()
            .map(|row| {
                let is_refused = match &row.value {
                    TreeValue::Text(text) | TreeValue::Literal(text) => !is_allowed(text.raw()),
                    TreeValue::List(_) | TreeValue::Object(_) => false,
                };
                if is_refused || !fits_kind(setting.kind, &row.value) {
                    return 0;
                }
                if last_choice == Some(&row.pointer) {
                    return 1;
                }
                // A list of domains is an array, or an object whose keys are hosts.
                let is_list = setting.kind == ReplyValueKind::List && self.may_be_domain_list(row);
                let is_jwt = setting == JWT && row.is_jwt();
                2 + setting.hint_score(row.name.raw()) + if is_list || is_jwt { 20 } else { 0 }
            })
            .enumerate()
            .filter(|(_, score)| *score > 0);
        scores
            .rev()
            .max_by_key(|(_, score)| *score)
            .map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::SentValues;

    fn tree(body: &str) -> ReplyTree {
        ReplyTree::read(&body.into()).unwrap()
    }

    #[test]
    fn only_unread_values_may_be_taught() {
        let built_in = Contract::built_in();
        for (name, body, expected) in [
            ("create_link.url", r#"{"ir":"https://x"}"#, true),
            ("create_link.url", r#"{"url":"https://x"}"#, false),
            ("create_link.url", r#"{"ok":true}"#, false),
            ("fee_preview.net", r#"{"sobra":97.95}"#, true),
            ("login.token", r#"{"chave":"\ufdef"}"#, true),
            ("login.token", r#"{"validade":3600}"#, false),
            ("login.jwt", r#"{"token":"\ufdef","web":"eyJ\ufdef"}"#, true),
            (
                "login.jwt",
                r#"{"token":"\ufdef","token_links":"\ufdef"}"#,
                true,
            ),
            ("login.jwt", r#"{"token":"\ufdef","nome":"\ufdef"}"#, false),
            ("login.token_header", r#"{"chave":"\ufdef"}"#, false),
            ("create_link.url", "<html>", false),
        ] {
            assert_eq!(
                built_in.any_can_be_taught(&[name], &body.into()),
                expected,
                "{name} {body}"
            );
        }
    }

    #[test]
    fn jwt_guess_avoids_the_token_row() {
        let guessed_pointer = |body: &str| {
            let tree = tree(body);
            let sent = SentValues::default();
            let index = Contract::built_in().suggest_row(JWT, &tree, &sent);
            tree.rows()[index.unwrap()].pointer.clone()
        };
        assert_eq!(
            guessed_pointer(r#"{"token":"\ufdef","web":"\ufdef"}"#),
            "/web"
        );
        assert_eq!(
            guessed_pointer(r#"{"token":"\ufdef","a":"\ufdef","b":"eyJ\ufdef"}"#),
            "/b"
        );
        assert_eq!(guessed_pointer(r#"{"token":"\ufdef"}"#), "/token");
    }

    #[test]
    fn guess_is_row_with_matching_name_and_kind() {
        let guessed_pointer = |operation, n: usize, body: &str| {
            let tree = tree(body);
            let setting = ReplySetting::of(operation).nth(n).unwrap();
            let index = Contract::built_in().suggest_row(setting, &tree, &SentValues::default());
            index
                .map(|index| tree.rows()[index].pointer.clone())
                .unwrap_or_default()
        };
        let fee = r#"{"resultado": {"id": "net", "taxa": 205, "valorLiquido": 9795}}"#;
        assert_eq!(
            guessed_pointer(Operation::FeePreview, 0, fee),
            "/resultado/valorLiquido"
        );
        assert_eq!(
            guessed_pointer(Operation::FeePreview, 1, fee),
            "/resultado/taxa"
        );
        let link = r#"{"link": {"id": 1, "ir": "https://x"}, "url": 3}"#;
        assert_eq!(guessed_pointer(Operation::CreateLink, 0, link), "/link/ir");
        let domains = r#"{"total": 1, "lojas": {"a.example": {"ok": true}}}"#;
        assert_eq!(guessed_pointer(Operation::Domains, 0, domains), "/lojas");
        assert_eq!(
            guessed_pointer(Operation::Login, 0, r#"{"x": 1, "chave": "\ufdef"}"#),
            "/chave"
        );
        assert_eq!(guessed_pointer(Operation::Login, 0, "{}"), "");
    }
}
