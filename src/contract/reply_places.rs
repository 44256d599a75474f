//! Finds the values of a reply that the program reads according to the API contract.

use std::collections::BTreeMap;

use serde_json::Value;

use super::reply_setting::{ReplySetting, ReplyValueKind};
use super::reply_tree::ReplyTree;
use super::{Contract, ReplyTime};
use crate::trade::Operation;

/// Splits a name into its words, in lower case: `netAmount` and `net_amount` into `net`, `amount`.
pub(super) fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lowercase = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && was_lowercase {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        was_lowercase = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

impl Contract {
    /// The JSON Pointers of all values that are read from a reply, each with the contract setting
    /// that reads it. If the list of domains is too long to be shown, its last entries are left
    /// out.
    pub fn pointers_read(
        &self,
        operation: Operation,
        reply: &ReplyTree,
    ) -> BTreeMap<String, &'static ReplySetting> {
        let mut settings = BTreeMap::new();
        for setting in ReplySetting::of(operation) {
            for pointer in self.pointers_read_by(setting, &reply.json) {
                settings.entry(pointer).or_insert(setting);
            }
        }
        settings
    }

    fn pointers_read_by(&self, setting: &ReplySetting, reply: &Value) -> Vec<String> {
        let paths = self.paths(setting);
        let amounts = self.amounts_read_by(setting);
        let first = |is_read: &dyn Fn(&Value) -> bool| {
            let found = paths.find_with_pointer(reply, |value| is_read(value).then_some(()));
            found
                .map(|(pointer, ())| pointer.as_str().to_owned())
                .into_iter()
                .collect()
        };
        match setting.kind {
            ReplyValueKind::Secret => first(&Value::is_string),
            ReplyValueKind::Text
            | ReplyValueKind::Address
            | ReplyValueKind::PixCode
            | ReplyValueKind::NextPage => first(&|value| value.is_string() || value.is_number()),
            ReplyValueKind::Flag => first(&Value::is_boolean),
            ReplyValueKind::Amount => first(&|value| amounts.read(value).is_some()),
            ReplyValueKind::Time => {
                let time = ReplyTime::find(paths, reply);
                time.map(|(pointer, _)| pointer.as_str().to_owned())
                    .into_iter()
                    .collect()
            }
            ReplyValueKind::List => {
                let list = self.find_domain_list(reply);
                list.map(|(pointer, _)| pointer.as_str().to_owned())
                    .into_iter()
                    .collect()
            }
            ReplyValueKind::Host | ReplyValueKind::State => {
                self.pointers_in_entries(setting, reply)
            }
        }
    }

    /// The JSON Pointer of the value that a setting reads, for each entry in the list of domains.
    fn pointers_in_entries(&self, setting: &ReplySetting, reply: &Value) -> Vec<String> {
        let Some((list, _)) = self.find_domain_list(reply) else {
            return vec![];
        };
        let max_rows = ReplyTree::MAX_ROWS;
        let names: Vec<String> = match reply.pointer(list.as_str()) {
            Some(Value::Array(items)) => (0..items.len().min(max_rows))
                .map(|n| n.to_string())
                .collect(),
            Some(Value::Object(members)) => members
                .keys()
                .take(max_rows)
                .map(|name| escape_name(name))
                .collect(),
            _ => return vec![],
        };
        names
            .iter()
            .filter_map(|name| {
                let entry = format!("{}/{name}", list.as_str());
                let (pointer, ()) = self
                    .paths(setting)
                    .find_with_pointer(reply.pointer(&entry)?, |_| Some(()))?;
                Some(entry + pointer.as_str())
            })
            .collect()
    }
}

/// Escapes a member name for use in a JSON Pointer.
pub(super) fn escape_name(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_places(operation: Operation, body: &str) -> Vec<(String, &'static str)> {
        let tree = ReplyTree::read(&body.into()).unwrap();
        let places = Contract::built_in().pointers_read(operation, &tree);
        let mut names: Vec<_> = places
            .into_iter()
            .map(|(pointer, setting)| (pointer, setting.name))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn read_values_have_their_pointers() {
        let body = r#"{"data": {"net_amount": 97.95, "fee_amount": "2.05", "note": "x"}}"#;
        let places = read_places(Operation::FeePreview, body);
        let expected = [
            ("/data/fee_amount", "fee_preview.fee"),
            ("/data/net_amount", "fee_preview.net"),
        ];
        assert_eq!(
            places,
            expected.map(|(pointer, name)| (pointer.to_owned(), name))
        );
        assert_eq!(read_places(Operation::FeePreview, r#"{"error": "x"}"#), []);
    }

    #[test]
    fn long_list_has_pointers_only_for_its_rows() {
        let entry = r#"{"domain": "a.example"},"#;
        let places = read_places(Operation::Domains, &format!("[{}1]", entry.repeat(9_000)));
        assert_eq!(places.len(), 1 + ReplyTree::MAX_ROWS);
    }

    #[test]
    fn next_page_is_read_from_the_root_of_the_reply() {
        let settings = "[domains]\nunder = ['/data/list']\nnext_page = ['/meta/next']";
        let contract = Contract::with(&[("c", settings)]).unwrap();
        let body = r#"{"data": {"list": [], "meta": {"next": "b"}}, "meta": {"next": "a"}}"#;
        let tree = ReplyTree::read(&body.into()).unwrap();
        let places = contract.pointers_read(Operation::Domains, &tree);
        let next_pages = places
            .iter()
            .filter(|(_, setting)| setting.name == "domains.next_page");
        let pointers: Vec<_> = next_pages.map(|(pointer, _)| &**pointer).collect();
        assert_eq!(pointers, ["/meta/next"]);
    }

    #[test]
    fn values_in_domain_entries_have_their_pointers() {
        let body = r#"[{"domain": "a.example", "status": "active"}, {"x": 1}]"#;
        let places = read_places(Operation::Domains, body);
        let expected = [
            ("", "domains.under"),
            ("/0/domain", "domains.host"),
            ("/0/status", "domains.state"),
        ];
        assert_eq!(
            places,
            expected.map(|(pointer, name)| (pointer.to_owned(), name))
        );
    }
}
