//! A reply as a tree of rows, to point at one of them.

use serde_json::Value;

use super::reply::read_json;
use super::sought::{SoughtKind, SoughtLine};
use crate::trade::Untrusted;

/// The most rows of a tree; a reply without measure is shown from its beginning.
const MOST_ROWS: usize = 2_000;

/// The deepest row; a hostile reply may go deeper.
const DEEPEST: usize = 32;

/// The most characters of a value that are kept for a row.
const LONGEST: usize = 200;

/// A reply that is JSON, and its rows from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplyTree {
    pub(super) json: Value,
    rows: Vec<TreeRow>,
}

/// One row of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeRow {
    /// The JSON Pointer to it.
    pub pointer: String,
    /// Its depth; the reply itself is 0.
    pub depth: usize,
    /// Its name in what is around it; the number of an item of a list.
    pub name: Untrusted,
    /// Its value.
    pub value: TreeValue,
}

/// The value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeValue {
    /// A text.
    Text(Untrusted),
    /// A number, a word, or nothing, exactly as it is written.
    Literal(Untrusted),
    /// A list of so many items.
    List(usize),
    /// An object of so many members.
    Object(usize),
}

impl ReplyTree {
    /// Reads a reply as it is shown, its secrets masked; `None` where it is no JSON.
    pub fn read(body: &Untrusted) -> Option<ReplyTree> {
        let json = read_json(body.raw().as_bytes())?;
        let mut rows = Vec::new();
        push_rows(&mut rows, &json, String::new(), "", 0);
        Some(ReplyTree { json, rows })
    }

    /// The rows.
    pub fn rows(&self) -> &[TreeRow] {
        &self.rows
    }

    fn is_like_a_list(&self, row: &TreeRow) -> bool {
        match self.json.pointer(&row.pointer) {
            Some(Value::Array(_)) => true,
            Some(Value::Object(members)) => members.keys().all(|name| name.contains('.')),
            _ => false,
        }
    }

    /// Returns true when a row of the right kind sounds like what this line looks for.
    pub fn names(&self, line: &SoughtLine) -> bool {
        let sounds = |row: &TreeRow| line.likeness(row.name.raw()) > 0;
        self.rows.iter().any(|row| fits(line.kind, &row.value) && sounds(row))
    }

    /// The row where the cursor begins to look for this line: a suggestion, and no more.
    ///
    /// A row of the right kind whose name sounds like what is looked for goes first.
    pub fn guess(&self, line: &SoughtLine) -> usize {
        let worth = |row: &TreeRow| {
            if !fits(line.kind, &row.value) {
                return 0;
            }
            // The members of a list of domains are its items, or have their hosts for names.
            let is_list = line.kind == SoughtKind::List && self.is_like_a_list(row);
            2 + line.likeness(row.name.raw()) + if is_list { 20 } else { 0 }
        };
        let best = self.rows.iter().enumerate().rev().max_by_key(|(_, row)| worth(row));
        best.map_or(0, |(at, _)| at)
    }
}

fn push_rows(rows: &mut Vec<TreeRow>, value: &Value, pointer: String, name: &str, depth: usize) {
    if rows.len() >= MOST_ROWS {
        return;
    }
    let shown = match value {
        Value::Array(items) => TreeValue::List(items.len()),
        Value::Object(members) => TreeValue::Object(members.len()),
        Value::String(text) => TreeValue::Text(cut(text)),
        other => TreeValue::Literal(cut(&other.to_string())),
    };
    rows.push(TreeRow { pointer: pointer.clone(), depth, name: cut(name), value: shown });
    if depth >= DEEPEST {
        return;
    }
    let below = |name: &str| format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                let name = n.to_string();
                push_rows(rows, item, below(&name), &name, depth + 1);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                push_rows(rows, member, below(name), name, depth + 1);
            }
        }
        _ => {}
    }
}

fn cut(text: &str) -> Untrusted {
    text.chars().take(LONGEST).collect::<String>().into()
}

/// Returns true where such a value can be what is looked for.
fn fits(kind: SoughtKind, value: &TreeValue) -> bool {
    let text = match value {
        TreeValue::Text(text) | TreeValue::Literal(text) => Some(text.raw()),
        TreeValue::List(_) | TreeValue::Object(_) => None,
    };
    match kind {
        SoughtKind::List => matches!(value, TreeValue::List(1..) | TreeValue::Object(1..)),
        SoughtKind::Secret => matches!(value, TreeValue::Text(_)),
        SoughtKind::Address => text.is_some_and(|text| text.starts_with("http")),
        SoughtKind::Amount => text.is_some_and(|text| {
            text.starts_with(|c: char| c.is_ascii_digit())
                && text.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
        }),
        SoughtKind::Host => text.is_some_and(|text| text.contains('.')),
        SoughtKind::Text | SoughtKind::PixCode | SoughtKind::State => {
            text.is_some_and(|text| text != "null")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::Operation;

    fn tree(body: &str) -> ReplyTree {
        ReplyTree::read(&body.into()).unwrap()
    }

    #[test]
    fn every_value_is_a_row_and_its_pointer_leads_to_it() {
        let tree = tree(r#"{"a/b": [1.50, {"~": "x"}], "e": {}, "n": null}"#);
        let rows: Vec<_> = tree.rows().iter().map(|row| (row.depth, &*row.pointer)).collect();
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
    fn a_reply_without_measure_has_a_tree_with_one() {
        let wide = format!("[{}1]", "1,".repeat(10_000));
        assert_eq!(tree(&wide).rows().len(), MOST_ROWS);
        let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
        assert_eq!(tree(&deep).rows().len(), DEEPEST + 1);
        let long = tree(&format!("[\"{}\"]", "x".repeat(10_000)));
        assert!(matches!(&long.rows()[1].value, TreeValue::Text(text) if text.len() == LONGEST));
    }

    #[test]
    fn the_cursor_begins_where_the_name_and_the_kind_fit() {
        let guess = |operation, n: usize, body: &str| {
            let tree = tree(body);
            let at = tree.guess(SoughtLine::of(operation).nth(n).unwrap());
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

    proptest::proptest! {
        #[test]
        fn no_reply_breaks_the_tree(body in "[\\[\\]{}\":,0-9a-z~/ ]{0,80}") {
            if let Some(tree) = ReplyTree::read(&body.as_str().into()) {
                for operation in [Operation::Login, Operation::Domains, Operation::FeePreview] {
                    for line in SoughtLine::of(operation) {
                        proptest::prop_assert!(tree.guess(line) < tree.rows().len());
                    }
                }
                for row in tree.rows() {
                    proptest::prop_assert!(tree.json.pointer(&row.pointer).is_some());
                }
            }
        }
    }
}
