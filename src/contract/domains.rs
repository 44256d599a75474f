//! The list of checkout domains in all its shapes, and how a reply leads to its next page.

use serde::Deserialize;
use serde_json::Value;

use super::reply::has_unreadable;
use super::{DomainsSpec, JsonPaths};
use crate::trade::{CheckoutDomain, DomainState, Untrusted};

/// The way in which a list of domains holds its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DomainEntries {
    /// They are the items of an array.
    Items,
    /// They are the members of an object, and each is named by its host unless it says another.
    Members,
}

impl DomainEntries {
    /// The entries of a list, those of an object with their names; `None` where it is no such list.
    pub(super) fn of(self, list: &Value) -> Option<Vec<(Option<&str>, &Value)>> {
        match (self, list) {
            (DomainEntries::Items, Value::Array(items)) => {
                Some(items.iter().map(|item| (None, item)).collect())
            }
            (DomainEntries::Members, Value::Object(members)) => {
                Some(members.iter().map(|(name, entry)| (Some(name.as_str()), entry)).collect())
            }
            _ => None,
        }
    }
}

/// The domains of a reply; `None` when it holds no list, or a list that cannot be understood.
///
/// An entry without a host is passed over, but a list of nothing else is not an empty list: that
/// would say that no domain can be used.
pub fn read_domains(spec: &DomainsSpec, reply: &Value) -> Option<Vec<CheckoutDomain>> {
    let list = spec.list.find(reply, |value| spec.entries.of(value))?;
    let read = |(name, entry): &(Option<&str>, &Value)| read_entry(spec, *name, entry);
    let domains: Vec<_> = list.iter().filter_map(read).collect();
    (list.is_empty() || !domains.is_empty()).then_some(domains)
}

fn read_entry(spec: &DomainsSpec, name: Option<&str>, entry: &Value) -> Option<CheckoutDomain> {
    let name = name.filter(|name| !name.trim().is_empty() && !has_unreadable(name));
    let is_host = |host: &&str| !host.is_empty() && !has_unreadable(host);
    if let (None, Some(host)) = (name, entry.as_str().filter(is_host)) {
        let host = Untrusted::from(host);
        return Some(CheckoutDomain { host, state: DomainState::Usable, is_default: false });
    }
    let host = Untrusted::from(spec.host.str(entry).or(name)?);
    let is_default = spec.default.find(entry, Value::as_bool).unwrap_or(false);
    Some(CheckoutDomain { host, state: state(spec, entry), is_default })
}

/// Every state word counts: one that says "not active" outranks one that says "active".
fn state(spec: &DomainsSpec, entry: &Value) -> DomainState {
    let mut state = DomainState::Usable;
    for pointer in &spec.state.pointers {
        match entry.pointer(pointer.as_str()) {
            Some(Value::Bool(true)) => state = DomainState::Active,
            Some(Value::Bool(false)) => return DomainState::Pending(pending_word(spec, entry)),
            Some(Value::String(word)) if is_active(spec, word) => state = DomainState::Active,
            Some(Value::String(word)) if !word.is_empty() => {
                return DomainState::Pending(Some(Untrusted::from(word.as_str())));
            }
            _ => {}
        }
    }
    state
}

fn is_active(spec: &DomainsSpec, word: &str) -> bool {
    spec.active_words.iter().any(|active| active.eq_ignore_ascii_case(word))
}

/// The word beside a plain "no", if there is one that does not contradict it.
fn pending_word(spec: &DomainsSpec, entry: &Value) -> Option<Untrusted> {
    let word = spec.state.str(entry)?;
    (!is_active(spec, word)).then(|| Untrusted::from(word))
}

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

    fn read(reply: Value) -> Option<Vec<CheckoutDomain>> {
        read_domains(&Contract::built_in().domains, &reply)
    }

    fn domain(host: &str, state: DomainState, is_default: bool) -> CheckoutDomain {
        CheckoutDomain { host: host.into(), state, is_default }
    }

    #[test]
    fn the_list_stands_in_many_places() {
        let list = json!(["a.example", {"host": "b.example"}]);
        let expected = vec![
            domain("a.example", DomainState::Usable, false),
            domain("b.example", DomainState::Usable, false),
        ];
        for reply in [
            list.clone(),
            json!({"data": list}),
            json!({"domains": list}),
            json!({"items": list}),
            json!({"data": {"domains": list}}),
        ] {
            assert_eq!(read(reply.clone()), Some(expected.clone()), "{reply}");
        }
    }

    #[test]
    fn an_entry_says_its_state_in_many_words() {
        let pending = |word: Option<&str>| DomainState::Pending(word.map(Untrusted::from));
        for (entry, state) in [
            (json!({"domain": "a"}), DomainState::Usable),
            (json!({"hostname": "a", "active": true}), DomainState::Active),
            (json!({"name": "a", "isActive": false}), pending(None)),
            (json!({"name": "a", "status": "ACTIVE"}), DomainState::Active),
            (json!({"name": "a", "status": "dns_pending"}), pending(Some("dns_pending"))),
            (json!({"name": "a", "active": false, "status": "ssl"}), pending(Some("ssl"))),
            (json!({"name": "a", "active": true, "verified": false}), pending(None)),
            (json!({"name": "a", "status": null}), DomainState::Usable),
        ] {
            let domains = read(json!([entry.clone()])).unwrap();
            assert_eq!(domains, vec![domain("a", state, false)], "{entry}");
        }
        let default = read(json!([{"domain": "a", "isDefault": true}])).unwrap();
        assert!(default[0].is_default);
    }

    #[test]
    fn the_entries_may_be_named_by_their_hosts() {
        let lines = "domains.entries = 'members'\ndomains.under = ['/lojas']";
        let spec = Contract::with(&[("c", lines)]).unwrap().domains;
        let named = |reply: &Value| read_domains(&spec, reply);
        let reply = json!({"lojas": {
            "a.example": {"active": true, "isDefault": true},
            "b.example": {"status": "dns"},
            "c": {"host": "c.example"},
            "": {},
        }});
        let expected = vec![
            domain("a.example", DomainState::Active, true),
            domain("b.example", DomainState::Pending(Some("dns".into())), false),
            domain("c.example", DomainState::Usable, false),
        ];
        assert_eq!(named(&reply), Some(expected));
        assert_eq!(named(&json!({"lojas": {}})), Some(vec![]));
        // A list of the other kind is none.
        assert_eq!(named(&json!({"lojas": ["a.example"]})), None);
        assert_eq!(read(json!({"data": {"a.example": {}}})), None);
    }

    #[test]
    fn an_empty_list_is_not_a_list_that_cannot_be_read() {
        assert_eq!(read(json!([])), Some(vec![]));
        assert_eq!(read(json!({"data": []})), Some(vec![]));
        assert_eq!(read(json!([{"id": 1}, 7])), None);
        assert_eq!(read(json!({"ok": true})), None);
        assert_eq!(read(json!("a.example")), None);
    }

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
