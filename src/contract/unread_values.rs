//! Finds values in a reply for settings of the API contract that read nothing yet, and suggests the
//! likeliest row of the reply for each setting.

use serde_json::Value;

use super::Contract;
use super::teaching::{
    ReadValue, ReplyLine, ReplyTree, ReplyValueKind, SOUGHT, TreeRow, TreeValue, fits,
};
use crate::trade::{CredentialKind, Operation, Untrusted};

impl Contract {
    /// Returns true if this setting of the API contract reads nothing from the reply, but the reply
    /// has a value that would fit.
    ///
    /// For `login.jwt` the value must be a JWT or have a matching name, and must not be the API
    /// token: the seller could not tell them apart, because a login reply is masked.
    pub fn may_be_taught(&self, line: &ReplyLine, reply: &ReplyTree) -> bool {
        let token = self.token_place(reply);
        let is_likely = |row: &TreeRow| match line.kind {
            ReplyValueKind::Secret if !line.is_needed => {
                token.as_ref() != Some(&row.pointer)
                    && (row.is_jwt() || line.hint_score(row.name.raw()) > 0)
            }
            _ => true,
        };
        let could_be = |row: &TreeRow| fits(line.kind, &row.value) && is_likely(row);
        self.reads(line, reply) == ReadValue::Nothing && reply.rows.iter().any(could_be)
    }

    /// Returns the JSON Pointer of the API token in a login reply.
    fn token_place(&self, reply: &ReplyTree) -> Option<String> {
        let places = self.places("login.token");
        places.found(&reply.json, Value::as_str).map(|(pointer, _)| pointer.as_str().to_owned())
    }

    /// Returns the row at which the cursor starts when the seller chooses a value for this setting.
    /// For the JWT, the row of the API token is chosen only if no other row fits.
    pub fn guess(&self, line: &ReplyLine, reply: &ReplyTree) -> usize {
        let taken = self.token_place(reply).filter(|_| *line == ReplyLine::JWT);
        reply.guess(line, taken.as_deref())
    }

    /// Returns true if any operation of the API contract needs the JWT.
    pub fn needs_jwt(&self) -> bool {
        let jwt = Some(CredentialKind::Jwt);
        Operation::ALL.iter().any(|operation| self.call_of(*operation).credential == jwt)
    }

    /// Returns true if the seller can choose a value in the reply for one of these settings: see
    /// [`may_be_taught`](Contract::may_be_taught). `reply` is masked.
    pub fn any_may_be_taught(&self, names: &[&str], reply: &Untrusted) -> bool {
        let lines = SOUGHT.iter().filter(|line| names.contains(&line.name));
        ReplyTree::read(reply)
            .is_some_and(|tree| lines.into_iter().any(|line| self.may_be_taught(line, &tree)))
    }
}

impl TreeRow {
    /// Returns true if the row's value is a masked JWT.
    fn is_jwt(&self) -> bool {
        matches!(&self.value, TreeValue::Text(text) if text.raw() == Untrusted::MASKED_JWT)
    }
}

impl ReplyTree {
    /// Returns true if the reply has at least two texts, so it may contain both the API token and
    /// the JWT.
    pub fn has_texts(&self) -> bool {
        let is_text = |row: &&TreeRow| matches!(row.value, TreeValue::Text(_));
        self.rows.iter().filter(is_text).nth(1).is_some()
    }

    fn is_like_a_list(&self, row: &TreeRow) -> bool {
        match self.json.pointer(&row.pointer) {
            Some(Value::Array(_)) => true,
            Some(Value::Object(members)) => members.keys().all(|name| name.contains('.')),
            _ => false,
        }
    }

    /// Returns the index of the likeliest row for this setting. Prefers a suitable value whose name
    /// matches the setting. The row at `taken` is chosen only if no other row fits.
    pub(super) fn guess(&self, line: &ReplyLine, taken: Option<&str>) -> usize {
        let worth = |row: &TreeRow| {
            if !fits(line.kind, &row.value) {
                return 0;
            }
            if taken == Some(&row.pointer) {
                return 1;
            }
            // Prefer a row that may be a list of domains: an array, or an object whose keys are
            // hosts.
            let is_list = line.kind == ReplyValueKind::List && self.is_like_a_list(row);
            let is_jwt = line.name == ReplyLine::JWT.name && row.is_jwt();
            2 + line.hint_score(row.name.raw()) + if is_list || is_jwt { 20 } else { 0 }
        };
        let best = self.rows.iter().enumerate().rev().max_by_key(|(_, row)| worth(row));
        best.map_or(0, |(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(body: &str) -> ReplyTree {
        ReplyTree::read(&body.into()).unwrap()
    }

    #[test]
    fn only_unread_values_may_be_taught() {
        let built_in = Contract::built_in();
        for (name, body, may_be) in [
            ("create_link.url", r#"{"ir":"https://x"}"#, true),
            ("create_link.url", r#"{"url":"https://x"}"#, false),
            ("create_link.url", r#"{"ok":true}"#, false),
            ("fee_preview.net", r#"{"sobra":97.95}"#, true),
            ("login.token", r#"{"chave":"…"}"#, true),
            ("login.token", r#"{"validade":3600}"#, false),
            ("login.jwt", r#"{"token":"…","web":"eyJ…"}"#, true),
            ("login.jwt", r#"{"token":"…","token_links":"…"}"#, true),
            ("login.jwt", r#"{"token":"…","nome":"…"}"#, false),
            ("login.token_header", r#"{"chave":"…"}"#, false),
            ("create_link.url", "<html>", false),
        ] {
            assert_eq!(built_in.any_may_be_taught(&[name], &body.into()), may_be, "{name} {body}");
        }
    }

    #[test]
    fn jwt_is_first_looked_for_beside_the_token() {
        let guess = |body: &str| {
            let tree = tree(body);
            let at = Contract::built_in().guess(&ReplyLine::JWT, &tree);
            tree.rows()[at].pointer.clone()
        };
        assert_eq!(guess(r#"{"token":"…","web":"…"}"#), "/web");
        assert_eq!(guess(r#"{"token":"…","a":"…","b":"eyJ…"}"#), "/b");
        assert_eq!(guess(r#"{"token":"…"}"#), "/token");
    }

    #[test]
    fn the_cursor_begins_where_the_name_and_the_kind_fit() {
        let guess = |operation, n: usize, body: &str| {
            let tree = tree(body);
            let at = tree.guess(ReplyLine::of(operation).nth(n).unwrap(), None);
            tree.rows()[at].pointer.clone()
        };
        let fee = r#"{"resultado": {"id": "net", "taxa": 205, "valorLiquido": 9795}}"#;
        assert_eq!(guess(Operation::FeePreview, 0, fee), "/resultado/valorLiquido");
        assert_eq!(guess(Operation::FeePreview, 1, fee), "/resultado/taxa");
        let link = r#"{"link": {"id": 1, "ir": "https://x"}, "url": 3}"#;
        assert_eq!(guess(Operation::CreateLink, 0, link), "/link/ir");
        let domains = r#"{"total": 1, "lojas": {"a.example": {"ok": true}}}"#;
        assert_eq!(guess(Operation::Domains, 0, domains), "/lojas");
        assert_eq!(guess(Operation::Login, 0, r#"{"x": 1, "chave": "…"}"#), "/chave");
        assert_eq!(guess(Operation::Login, 0, "{}"), "");
    }
}
