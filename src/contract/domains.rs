//! Reads the list of checkout domains from a reply, and finds the next page of the list.

use serde::Deserialize;
use serde_json::Value;

use super::reply::has_replacement_character;
use super::{DomainsSpec, JsonPaths};
use crate::trade::{CheckoutDomain, DomainState, Untrusted};

/// The form in which a reply contains the list of domains: a JSON array or a JSON object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DomainEntries {
    /// An array of entries.
    Items,
    /// An object with one member per domain. The member's name is the host unless the member
    /// contains a host.
    Members,
}

impl DomainEntries {
    /// Returns the entries of a list, with their names if the list is an object. Returns `None` if
    /// the value has a different form.
    pub(super) fn list_entries(self, list: &Value) -> Option<Vec<(Option<&str>, &Value)>> {
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

/// Reads the checkout domains from a reply. Entries without a host are skipped.
///
/// Returns `None` if the reply has no list, or if no entry has a host. In that case the API
/// contract is wrong. An empty list is valid, and means that no domain can be used.
pub fn read_domains(spec: &DomainsSpec, reply: &Value) -> Option<Vec<CheckoutDomain>> {
    let list = spec.list.find(reply, |value| spec.entries.list_entries(value))?;
    let read_domain = |(name, entry): &(Option<&str>, &Value)| read_entry(spec, *name, entry);
    let domains: Vec<_> = list.iter().filter_map(read_domain).collect();
    (list.is_empty() || !domains.is_empty()).then_some(domains)
}

fn read_entry(spec: &DomainsSpec, name: Option<&str>, entry: &Value) -> Option<CheckoutDomain> {
    let name = name.filter(|name| !name.trim().is_empty() && !has_replacement_character(name));
    let is_host = |host: &&str| !host.is_empty() && !has_replacement_character(host);
    if let (None, Some(host)) = (name, entry.as_str().filter(is_host)) {
        let host = Untrusted::from(host);
        return Some(CheckoutDomain { host, state: DomainState::Usable, is_default: false });
    }
    let host = Untrusted::from(spec.host.str(entry).or(name)?);
    let is_default = spec.default.find(entry, Value::as_bool).unwrap_or(false);
    Some(CheckoutDomain { host, state: read_state(spec, entry), is_default })
}

/// Reads a domain's state from all members that may contain it. The domain is active only if none
/// of them means "not active".
fn read_state(spec: &DomainsSpec, entry: &Value) -> DomainState {
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

/// Returns the state word, such as `pending`, of a domain whose state flag is `false`. Returns
/// `None` if the word means active.
fn pending_word(spec: &DomainsSpec, entry: &Value) -> Option<Untrusted> {
    let word = spec.state.str(entry)?;
    (!is_active(spec, word)).then(|| Untrusted::from(word))
}

/// How a long list is split into pages, and how the next page is requested.
#[derive(Debug, Clone, PartialEq)]
pub struct Pages {
    /// The way in which a page is requested.
    pub style: PageStyle,
    /// The name of the query parameter for the page number or the cursor.
    pub parameter: String,
    /// The number of the first page, usually 0 or 1.
    pub first: u32,
    /// JSON paths of the value in a reply that leads to the next page: a cursor, a URL, or a flag
    /// for "more pages".
    pub next: JsonPaths,
    /// The maximum number of pages to read.
    pub max_pages: u32,
}

/// How a page of a list is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageStyle {
    /// The list has a single page.
    None,
    /// Pages are requested by number.
    Number,
    /// Pages are requested by a cursor from the previous reply.
    Cursor,
    /// Pages are requested by a URL from the previous reply.
    Link,
}

/// The next page to request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextPage {
    /// There are no more pages.
    None,
    /// The value of the query parameter for the next page.
    Parameter(String),
    /// The URL or path of the next page.
    Address(String),
}

impl Pages {
    /// Returns the page that follows this reply.
    ///
    /// `number` counts the pages from 0, and `is_empty` is true if the list in this reply is empty.
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
            PageStyle::Number if is_empty || self.is_last_page(reply) => NextPage::None,
            PageStyle::Number => {
                let next = u64::from(self.first) + u64::from(number) + 1;
                NextPage::Parameter(next.to_string())
            }
        }
    }

    /// Returns true if the reply marks itself as the last of the numbered pages: it has `false`,
    /// `null` or an empty text at the path for the next page.
    fn is_last_page(&self, reply: &Value) -> bool {
        let is_last = self.next.find(reply, |value| match value {
            Value::Bool(more) => Some(!more),
            Value::Null => Some(true),
            Value::String(text) => Some(text.trim().is_empty()),
            _ => Some(false),
        });
        is_last.unwrap_or(false)
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
    fn the_list_is_found_at_many_paths() {
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
    fn domain_state_is_read_from_many_members() {
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
    fn object_members_may_be_named_by_hosts() {
        let lines = "domains.entries = 'members'\ndomains.under = ['/lojas']";
        let spec = Contract::with(&[("c", lines)]).unwrap().domains;
        let read_members = |reply: &Value| read_domains(&spec, reply);
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
        assert_eq!(read_members(&reply), Some(expected));
        assert_eq!(read_members(&json!({"lojas": {}})), Some(vec![]));
        // This API contract expects an object, so an array in the reply is not read as a list of
        // domains.
        assert_eq!(read_members(&json!({"lojas": ["a.example"]})), None);
        assert_eq!(read(json!({"data": {"a.example": {}}})), None);
    }

    #[test]
    fn empty_list_is_valid_unlike_unreadable_list() {
        assert_eq!(read(json!([])), Some(vec![]));
        assert_eq!(read(json!({"data": []})), Some(vec![]));
        assert_eq!(read(json!([{"id": 1}, 7])), None);
        assert_eq!(read(json!({"ok": true})), None);
        assert_eq!(read(json!("a.example")), None);
    }

    fn pages(style: &str) -> Pages {
        let paths = "page_parameter = 'p'\nnext_page = ['/next', '/meta/next']";
        let text = format!("[domains]\npages = '{style}'\n{paths}");
        Contract::with(&[("c", &text)]).unwrap().domains.pages
    }

    #[test]
    fn next_page_follows_from_style_and_reply() {
        let parameter = |text: &str| NextPage::Parameter(text.into());
        for (style, reply, expected) in [
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
            assert_eq!(pages(style).after(&reply, 2, false), expected, "{style} {reply}");
        }
        assert_eq!(pages("number").after(&json!({"next": true}), 2, true), NextPage::None);
        assert_eq!(Contract::built_in().domains.pages.style, PageStyle::None);
    }
}
