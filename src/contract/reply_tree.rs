//! A JSON reply as a tree of rows, from which the seller can select a value.

use serde_json::Value;

use super::reply::read_json;
use super::reply_places::escape_name;
use super::reply_setting::{ReplySetting, fits_kind};
use crate::trade::Untrusted;

/// The maximum depth of a row in the tree, as a protection against hostile nesting.
const MAX_DEPTH: usize = 32;

/// The maximum length of a name or value in a row, in characters.
const MAX_TEXT_LENGTH: usize = 1_000;

/// A JSON reply as a tree of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplyTree {
    pub(super) json: Value,
    pub(super) rows: Vec<TreeRow>,
}

/// A row of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeRow {
    /// The JSON Pointer of the row.
    pub pointer: String,
    /// The depth of the row in the tree; the row of the whole reply has depth 0.
    pub depth: usize,
    /// The name of the member, or the index of a list item.
    pub name: Untrusted,
    /// The value of the row.
    pub value: TreeValue,
    /// How much of the value is not shown: the characters cut from a long text, or the items or
    /// members without a row.
    pub hidden_count: usize,
}

/// The value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeValue {
    /// A string.
    Text(Untrusted),
    /// A number, `true`, `false` or `null`, exactly as written.
    Literal(Untrusted),
    /// A list, with the number of its items.
    List(usize),
    /// An object, with the number of its members.
    Object(usize),
}

impl ReplyTree {
    /// The maximum number of rows. The remaining rows of a longer reply are not shown. A tree with
    /// exactly this number of rows may therefore be incomplete.
    pub const MAX_ROWS: usize = 2_000;

    /// Reads a reply whose secrets are masked; `None` if it is not JSON.
    pub fn read(body: &Untrusted) -> Option<ReplyTree> {
        let json = read_json(body.raw().as_bytes())?;
        let mut rows = Vec::new();
        push_rows(&mut rows, &json, String::new(), "", (0, Self::MAX_ROWS));
        Some(ReplyTree { json, rows })
    }

    /// The rows from top to bottom.
    pub fn rows(&self) -> &[TreeRow] {
        &self.rows
    }

    /// Returns the rows, and drops the rest of the reply.
    pub fn into_rows(self) -> Vec<TreeRow> {
        self.rows
    }

    /// True if both replies have the same value at this JSON Pointer.
    pub fn has_same_value_at(&self, other: &ReplyTree, pointer: &str) -> bool {
        self.json.pointer(pointer) == other.json.pointer(pointer)
    }

    /// True if some row has a suitable value, and a name that matches the hints of the setting.
    pub fn has_matching_name(&self, setting: &ReplySetting) -> bool {
        self.rows.iter().any(|row| {
            fits_kind(setting.kind, &row.value) && setting.hint_score(row.name.raw()) > 0
        })
    }
}

/// Adds the row of a value and the rows below it, until there are `max_rows` rows. A long list does
/// not use up all rows: some are reserved for the members after the list.
fn push_rows(
    rows: &mut Vec<TreeRow>,
    value: &Value,
    pointer: String,
    name: &str,
    (depth, max_rows): (usize, usize),
) {
    let (row_value, more) = match value {
        Value::Array(items) => (TreeValue::List(items.len()), items.len()),
        Value::Object(members) => (TreeValue::Object(members.len()), members.len()),
        Value::String(text) => (TreeValue::Text(truncate(text)), count_cut_characters(text)),
        other => {
            let text = other.to_string();
            (
                TreeValue::Literal(truncate(&text)),
                count_cut_characters(&text),
            )
        }
    };
    let index = rows.len();
    rows.push(TreeRow {
        pointer: pointer.clone(),
        depth,
        name: truncate(name),
        value: row_value,
        hidden_count: more,
    });
    let push_child = |rows: &mut Vec<TreeRow>, name: &str, value: &Value| {
        if depth < MAX_DEPTH && rows.len() < max_rows {
            rows[index].hidden_count -= 1;
            let reserved = rows[index].hidden_count.min((max_rows - rows.len()) / 2);
            let pointer = format!("{pointer}/{}", escape_name(name));
            push_rows(rows, value, pointer, name, (depth + 1, max_rows - reserved));
        }
    };
    match value {
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(n, item)| push_child(rows, &n.to_string(), item));
        }
        Value::Object(members) => members
            .iter()
            .for_each(|(name, value)| push_child(rows, name, value)),
        _ => {}
    }
}

fn truncate(text: &str) -> Untrusted {
    text.chars()
        .take(MAX_TEXT_LENGTH)
        .collect::<String>()
        .into()
}

fn count_cut_characters(text: &str) -> usize {
    text.chars().count().saturating_sub(MAX_TEXT_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Contract;
    use crate::trade::{Money, Operation};

    fn tree(body: &str) -> ReplyTree {
        ReplyTree::read(&body.into()).unwrap()
    }

    #[test]
    fn every_value_has_a_row_with_its_pointer() {
        let tree = tree(r#"{"a/b": [1.50, {"~": "x"}], "e": {}, "n": null}"#);
        let rows: Vec<_> = tree
            .rows()
            .iter()
            .map(|row| (row.depth, &*row.pointer))
            .collect();
        assert_eq!(
            rows,
            [
                (0, ""),
                (1, "/a~1b"),
                (2, "/a~1b/0"),
                (2, "/a~1b/1"),
                (3, "/a~1b/1/~0"),
                (1, "/e"),
                (1, "/n")
            ]
        );
        assert_eq!(tree.rows()[2].value, TreeValue::Literal("1.50".into()));
        for row in tree.rows() {
            assert!(tree.json.pointer(&row.pointer).is_some(), "{}", row.pointer);
        }
        assert_eq!(ReplyTree::read(&"<html>".into()), None);
    }

    #[test]
    fn wide_deep_or_long_reply_gives_bounded_tree() {
        let wide = format!("[{}1]", "1,".repeat(10_000));
        assert_eq!(tree(&wide).rows().len(), ReplyTree::MAX_ROWS);
        let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
        assert_eq!(tree(&deep).rows().len(), MAX_DEPTH + 1);
        let long = tree(&format!("[\"{}\"]", "x".repeat(10_000)));
        assert!(
            matches!(&long.rows()[1].value, TreeValue::Text(text) if text.len() == MAX_TEXT_LENGTH)
        );
    }

    proptest::proptest! {
        #[test]
        fn no_reply_breaks_the_tree(body in "[\\[\\]{}\":,0-9a-z~/ ]{0,80}") {
            let amount = Some(Money::from_centavos(10_000));
            let sent = crate::contract::SentValues { amount, ..Default::default() };
            let built_in = Contract::built_in();
            if let Some(tree) = ReplyTree::read(&body.as_str().into()) {
                for operation in [Operation::Login, Operation::Domains, Operation::FeePreview] {
                    for line in ReplySetting::of(operation) {
                        let row = built_in.suggest_row(line, &tree, &sent);
                        proptest::prop_assert!(row.is_none_or(|row| row < tree.rows().len()));
                    }
                }
                for row in tree.rows() {
                    proptest::prop_assert!(tree.json.pointer(&row.pointer).is_some());
                }
            }
        }
    }
}
