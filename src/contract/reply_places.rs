//! Finds the places in a reply from which values are read according to the API contract.

use std::collections::BTreeMap;

use serde_json::Value;

use super::settings::Setting;
use super::teaching::{ReplyLine, ReplyTree, ReplyValueKind};
use super::{Contract, JsonPaths, Pointer};
use crate::trade::Operation;

impl Contract {
    /// Returns the places of a reply that are read, as JSON Pointers, each with the contract
    /// setting that reads it. List entries without a row in the tree of the reply are left out.
    pub fn read_places(
        &self,
        operation: Operation,
        reply: &ReplyTree,
    ) -> BTreeMap<String, &'static ReplyLine> {
        let mut found = BTreeMap::new();
        for line in ReplyLine::of(operation) {
            for pointer in self.places_of(line, &reply.json) {
                found.entry(pointer).or_insert(line);
            }
        }
        found
    }

    fn places_of(&self, line: &ReplyLine, reply: &Value) -> Vec<String> {
        let places = self.places(line.name);
        let amounts = match line.name.starts_with("fee_preview.") {
            true => self.fee_preview.amounts,
            false => self.withdrawal.form.amounts,
        };
        let is_text = |value: &Value| value.is_string() || value.is_number();
        let first = |is_read: &dyn Fn(&Value) -> bool| {
            let place = places.found(reply, |value| is_read(value).then_some(()));
            place.map(|(pointer, ())| pointer.as_str().to_owned()).into_iter().collect()
        };
        match line.kind {
            ReplyValueKind::Secret => first(&Value::is_string),
            ReplyValueKind::Text | ReplyValueKind::Address | ReplyValueKind::PixCode => {
                first(&is_text)
            }
            ReplyValueKind::Amount => first(&|value| amounts.read(value).is_some()),
            ReplyValueKind::List => {
                let list = self.domains.found_list(reply);
                list.map(|(pointer, _)| pointer.as_str().to_owned()).into_iter().collect()
            }
            ReplyValueKind::Host | ReplyValueKind::State => self.in_entries(line, reply),
        }
    }

    /// Returns the JSON Pointers of a value in all entries of the list of domains.
    fn in_entries(&self, line: &ReplyLine, reply: &Value) -> Vec<String> {
        let Some((list, _)) = self.domains.found_list(reply) else { return vec![] };
        let most = ReplyTree::MOST_ROWS;
        let names: Vec<String> = match reply.pointer(list.as_str()) {
            Some(Value::Array(items)) => {
                (0..items.len().min(most)).map(|n| n.to_string()).collect()
            }
            Some(Value::Object(members)) => {
                members.keys().take(most).map(|name| escaped(name)).collect()
            }
            _ => return vec![],
        };
        let pointers = self.settings.get(line.name).map(Setting::texts).unwrap_or_default();
        let pointers = pointers.iter().filter_map(|text| Pointer::parse(text)).collect();
        let inside = JsonPaths { pointers };
        let place = |name: &String| {
            let entry = format!("{}/{name}", list.as_str());
            let (pointer, ()) = inside.found(reply.pointer(&entry)?, |_| Some(()))?;
            Some(entry + pointer.as_str())
        };
        names.iter().filter_map(place).collect()
    }
}

/// Escapes a member name for use in a JSON Pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(operation: Operation, body: &str) -> Vec<(String, &'static str)> {
        let tree = ReplyTree::read(&body.into()).unwrap();
        let places = Contract::built_in().read_places(operation, &tree);
        let mut all: Vec<_> = places.into_iter().map(|(place, line)| (place, line.name)).collect();
        all.sort();
        all
    }

    #[test]
    fn each_read_value_has_its_place() {
        let body = r#"{"data": {"net_amount": 97.95, "fee_amount": "2.05", "note": "x"}}"#;
        let read = places(Operation::FeePreview, body);
        let want =
            [("/data/fee_amount", "fee_preview.fee"), ("/data/net_amount", "fee_preview.net")];
        assert_eq!(read, want.map(|(place, line)| (place.to_owned(), line)));
        assert_eq!(places(Operation::FeePreview, r#"{"error": "x"}"#), []);
    }

    #[test]
    fn long_list_has_places_only_for_its_rows() {
        let entry = r#"{"domain": "a.example"},"#;
        let read = places(Operation::Domains, &format!("[{}1]", entry.repeat(9_000)));
        assert_eq!(read.len(), 1 + ReplyTree::MOST_ROWS);
    }

    #[test]
    fn each_entry_of_domains_has_its_places() {
        let body = r#"[{"domain": "a.example", "status": "active"}, {"x": 1}]"#;
        let read = places(Operation::Domains, body);
        let want =
            [("", "domains.under"), ("/0/domain", "domains.host"), ("/0/status", "domains.state")];
        assert_eq!(read, want.map(|(place, line)| (place.to_owned(), line)));
    }
}
