//! The pages of a list: how a reply leads to the next one.

use serde::Deserialize;
use serde_json::Value;

use super::JsonPaths;

/// The way to the next page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Pages {
    /// The way in which the next page is asked for.
    pub style: PageStyle,
    /// The parameter of the query that carries the page's number or the cursor.
    pub parameter: String,
    /// The number of the first page.
    pub first: u32,
    /// The place at which a reply says what comes next: a cursor, a link, or that there is more.
    pub next: JsonPaths,
    /// The most pages that are read.
    pub most: u32,
}

/// The way in which the next page of a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageStyle {
    /// There is one page.
    None,
    /// By its number.
    Number,
    /// By a cursor out of the reply before.
    Cursor,
    /// By the address that the reply before has.
    Link,
}

/// The next page, as a reply has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextPage {
    /// This one is the last.
    None,
    /// The value of the query's parameter.
    Parameter(String),
    /// An address, or a path.
    Address(String),
}

impl Pages {
    /// Returns the next page after this reply, the page of this number from 0; `is_empty` is of
    /// its list.
    pub fn after(&self, reply: &Value, number: u32, is_empty: bool) -> NextPage {
        let text = || {
            self.next.find(reply, |value| match value {
                Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            })
        };
        match self.style {
            PageStyle::None => NextPage::None,
            PageStyle::Cursor => text().map_or(NextPage::None, NextPage::Parameter),
            PageStyle::Link => text().map_or(NextPage::None, NextPage::Address),
            PageStyle::Number if is_empty || self.says_last(reply) => NextPage::None,
            PageStyle::Number => {
                let next = u64::from(self.first) + u64::from(number) + 1;
                NextPage::Parameter(next.to_string())
            }
        }
    }

    /// Where pages have numbers a reply may say that no further one comes: by `false`, or by
    /// nothing where its next one would stand.
    fn says_last(&self, reply: &Value) -> bool {
        let said = self.next.find(reply, |value| match value {
            Value::Bool(more) => Some(!more),
            Value::Null => Some(true),
            Value::String(text) => Some(text.trim().is_empty()),
            _ => Some(false),
        });
        said.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Contract;
    use super::*;

    fn pages(style: &str) -> Pages {
        let places = "page_parameter = 'p'\nnext_page = ['/next', '/meta/next']";
        let text = format!("[domains]\npages = '{style}'\n{places}");
        Contract::with(&[("c", &text)]).unwrap().domains.pages
    }

    #[test]
    fn a_reply_leads_to_the_next_page_or_is_the_last() {
        let parameter = |text: &str| NextPage::Parameter(text.into());
        for (style, reply, wanted) in [
            ("none", json!({"next": "x"}), NextPage::None),
            ("number", json!({}), parameter("4")),
            ("number", json!({"next": true}), parameter("4")),
            ("number", json!({"next": 9}), parameter("4")),
            ("number", json!({"next": false}), NextPage::None),
            ("number", json!({"meta": {"next": null}}), NextPage::None),
            ("cursor", json!({"meta": {"next": "a&b"}}), parameter("a&b")),
            ("cursor", json!({"next": 17}), parameter("17")),
            ("cursor", json!({"next": null}), NextPage::None),
            ("cursor", json!({"next": " "}), NextPage::None),
            ("cursor", json!({}), NextPage::None),
            ("link", json!({"next": "/d?x=2"}), NextPage::Address("/d?x=2".into())),
            ("link", json!({"next": false}), NextPage::None),
        ] {
            assert_eq!(pages(style).after(&reply, 2, false), wanted, "{style} {reply}");
        }
        assert_eq!(pages("number").after(&json!({"next": true}), 2, true), NextPage::None);
        assert_eq!(Contract::built_in().domains.pages.style, PageStyle::None);
    }
}
