//! Reads the list of checkout domains from a reply, and finds the next page of the list.

use serde::Deserialize;
use serde_json::Value;

use super::operations::OperationSettings;
use super::reply::has_replacement_character;
use super::reply_places::escape_name;
use super::reply_setting::{
    DEFAULT_DOMAIN, DOMAIN_LIST, DOMAIN_STATE, HOST, NEXT_PAGE, UNREAD_STATE,
};
use super::settings::ContractError;
use super::{Contract, DomainsSpec, JsonPaths, Pointer};
use crate::trade::{CheckoutDomain, DomainState, Untrusted};

/// The entries of a list of domains. An entry has a name if the list is an object.
type ListEntries<'v> = Vec<(Option<&'v str>, &'v Value)>;

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
    /// The entries of a list, with their names if the list is an object. Returns `None` if the
    /// value has a different form.
    pub(super) fn list_entries(self, list: &Value) -> Option<ListEntries<'_>> {
        match (self, list) {
            (DomainEntries::Items, Value::Array(items)) => {
                Some(items.iter().map(|item| (None, item)).collect())
            }
            (DomainEntries::Members, Value::Object(members)) => Some(
                members
                    .iter()
                    .map(|(name, entry)| (Some(name.as_str()), entry))
                    .collect(),
            ),
            _ => None,
        }
    }
}

impl Contract {
    /// Reads the checkout domains from a reply. Entries without a host are skipped.
    ///
    /// Returns `None` if the reply has no list, or if no entry has a host. In that case the API
    /// contract is wrong. An empty list is valid, and means that no domain can be used.
    pub fn read_domains(&self, reply: &Value) -> Option<Vec<CheckoutDomain>> {
        let (_, list) = self.find_domain_list(reply)?;
        let mut domains: Vec<_> = list
            .iter()
            .filter_map(|(name, entry)| read_entry(self, *name, entry))
            .collect();
        if unread_state(self, &list).is_some() {
            for domain in &mut domains {
                domain.state = DomainState::Unread;
            }
        }
        (list.is_empty() || !domains.is_empty()).then_some(domains)
    }

    /// The entries in the list of domains, with the list's JSON Pointer.
    pub(super) fn find_domain_list<'v>(
        &self,
        reply: &'v Value,
    ) -> Option<(&Pointer, ListEntries<'v>)> {
        let paths = self.paths(DOMAIN_LIST);
        paths.find_with_pointer(reply, |value| self.domains.entries.list_entries(value))
    }
}

/// The maximum number of different words that may be states.
const MAX_STATES: usize = 8;

/// The maximum length of a word that may be a state, in characters.
const MAX_STATE_LENGTH: usize = 30;

/// The JSON path, relative to an entry, of a member that may be the state of the domains, although
/// no setting reads it. Its values are flags that differ, or a few words that repeat.
pub(super) fn unread_state(contract: &Contract, list: &[(Option<&str>, &Value)]) -> Option<String> {
    if list
        .iter()
        .any(|(_, entry)| read_state(contract, entry) != DomainState::Usable)
    {
        return None;
    }
    let known = [HOST, DEFAULT_DOMAIN, UNREAD_STATE];
    let known = known
        .into_iter()
        .flat_map(|setting| &contract.paths(setting).pointers);
    let known: Vec<&str> = known.map(Pointer::as_str).collect();
    let names = list.first()?.1.as_object()?.keys();
    let paths = names.map(|name| format!("/{}", escape_name(name)));
    let mut unknown_paths = paths.filter(|path| !known.contains(&path.as_str()));
    unknown_paths.find(|path| {
        let values = list
            .iter()
            .map(|(_, entry)| entry.pointer(path))
            .collect::<Option<Vec<_>>>();
        values.is_some_and(|values| may_be_states(&values))
    })
}

fn may_be_states(values: &[&Value]) -> bool {
    let mut different: Vec<&&Value> = Vec::new();
    for value in values {
        if !different.contains(&value) {
            different.push(value);
        }
        if different.len() > MAX_STATES {
            return false;
        }
    }
    if values.iter().all(|value| value.is_boolean()) {
        return different.len() > 1;
    }
    let mut texts = values.iter().map(|value| value.as_str());
    texts.all(|text| text.is_some_and(is_state_word))
        && different.len() > 1
        && different.len() < values.len()
}

fn is_state_word(text: &str) -> bool {
    text.chars().count() <= MAX_STATE_LENGTH
        && text
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '_' | '-' | ' '))
}

fn read_entry(contract: &Contract, name: Option<&str>, entry: &Value) -> Option<CheckoutDomain> {
    let name = name.filter(|name| !name.trim().is_empty() && !has_replacement_character(name));
    if name.is_none()
        && let Some(host) = entry
            .as_str()
            .filter(|host| !host.is_empty() && !has_replacement_character(host))
    {
        let host = Untrusted::from(host);
        return Some(CheckoutDomain {
            host,
            state: DomainState::Usable,
            is_default: false,
        });
    }
    let host = Untrusted::from(contract.paths(HOST).str(entry).or(name)?);
    let is_default = contract.paths(DEFAULT_DOMAIN).find(entry, Value::as_bool);
    let is_default = is_default.unwrap_or(false);
    Some(CheckoutDomain {
        host,
        state: read_state(contract, entry),
        is_default,
    })
}

/// Reads a domain's state from all members that may contain it. The domain is active only if none
/// of them means "not active".
fn read_state(contract: &Contract, entry: &Value) -> DomainState {
    let mut state = DomainState::Usable;
    for pointer in &contract.paths(DOMAIN_STATE).pointers {
        match entry.pointer(pointer.as_str()) {
            Some(Value::Bool(true)) => state = DomainState::Active,
            Some(Value::Bool(false)) => {
                return DomainState::Pending(pending_word(contract, entry));
            }
            Some(Value::String(word)) if contract.domains.is_active_word(word) => {
                state = DomainState::Active
            }
            Some(Value::String(word)) if !word.is_empty() => {
                return DomainState::Pending(Some(Untrusted::from(word.as_str())));
            }
            _ => {}
        }
    }
    state
}

impl DomainsSpec {
    /// True if this state word means that a domain is active.
    pub(super) fn is_active_word(&self, word: &str) -> bool {
        self.active_words
            .iter()
            .any(|active| active.eq_ignore_ascii_case(word))
    }
}

/// The state word, such as `pending`, of a domain whose state flag is `false`. Returns `None` if
/// the word means active.
fn pending_word(contract: &Contract, entry: &Value) -> Option<Untrusted> {
    let word = contract.paths(DOMAIN_STATE).str(entry)?;
    (!contract.domains.is_active_word(word)).then(|| Untrusted::from(word))
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
    /// Pages are requested by the URL in the `Link` header of the previous reply.
    LinkHeader,
}

impl OperationSettings<'_> {
    pub(super) fn pages(&self) -> Result<Pages, ContractError> {
        let style = self.section.get("pages")?;
        let has_place = !self.section.texts(NEXT_PAGE.key())?.is_empty();
        if matches!(style, PageStyle::Cursor | PageStyle::Link) && !has_place {
            return self.section.invalid_value(
                "pages",
                "`none`, `number` or `link-header` where `next_page` says no place",
            );
        }
        let most: u32 = self.section.get("most_pages")?;
        if !(1..=100).contains(&most) {
            return self
                .section
                .invalid_value("most_pages", "a number from 1 to 100");
        }
        let parameter = self.section.text("page_parameter")?;
        let first = self.section.get("first_page")?;
        Ok(Pages {
            style,
            parameter,
            first,
            max_pages: most,
        })
    }
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

impl Contract {
    /// The page of the list of domains that follows this reply. `link_header` is the reply's `Link`
    /// header.
    ///
    /// `number` counts the pages from 0, and `is_empty` is true if the list in this reply is empty.
    pub fn next_page(
        &self,
        reply: &Value,
        link_header: Option<&str>,
        number: u32,
        is_empty: bool,
    ) -> NextPage {
        let pages = &self.domains.pages;
        let paths = self.paths(NEXT_PAGE);
        let text = || {
            paths.find(reply, |value| match value {
                Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            })
        };
        match pages.style {
            PageStyle::None => NextPage::None,
            PageStyle::Cursor => text().map_or(NextPage::None, NextPage::Parameter),
            PageStyle::Link => text().map_or(NextPage::None, NextPage::Address),
            PageStyle::LinkHeader => link_header
                .and_then(next_in_link_header)
                .map_or(NextPage::None, |url| NextPage::Address(url.to_owned())),
            PageStyle::Number if is_empty || is_last_page(paths, reply) => NextPage::None,
            PageStyle::Number => {
                let next = u64::from(pages.first) + u64::from(number) + 1;
                NextPage::Parameter(next.to_string())
            }
        }
    }
}

/// True if the reply marks itself as the last of the numbered pages: it has `false`, `null` or an
/// empty text at the path for the next page.
fn is_last_page(paths: &JsonPaths, reply: &Value) -> bool {
    let is_last = paths.find(reply, |value| match value {
        Value::Bool(more) => Some(!more),
        Value::Null => Some(true),
        Value::String(text) => Some(text.trim().is_empty()),
        _ => Some(false),
    });
    is_last.unwrap_or(false)
}

/// The URL with the relation `next` in a `Link` header (RFC 8288).
fn next_in_link_header(header: &str) -> Option<&str> {
    header.split('<').skip(1).find_map(|link| {
        let (url, parameters) = link.split_once('>')?;
        let mut parameters = parameters.split([';', ',']).map(str::trim);
        parameters
            .any(|parameter| {
                let (name, value) = parameter.split_once('=').unwrap_or_default();
                let mut relations = value.trim_matches('"').split(' ');
                name.eq_ignore_ascii_case("rel")
                    && relations.any(|relation| relation.eq_ignore_ascii_case("next"))
            })
            .then_some(url)
    })
}

/// Names of members that lead to the next page, in lower case and without separators.
const NEXT_PAGE_NAMES: [&str; 12] = [
    "next",
    "nextpage",
    "nextpageurl",
    "nextpagetoken",
    "nextcursor",
    "nexturl",
    "hasmore",
    "hasnext",
    "hasnextpage",
    "proxima",
    "proximapagina",
    "temmais",
];

/// Names of members with the number of pages, in lower case and without separators.
const PAGE_COUNT_NAMES: [&str; 6] = [
    "totalpages",
    "pagecount",
    "lastpage",
    "pages",
    "totalpaginas",
    "totaldepaginas",
];

/// The depth to which members of a reply are searched for a next page.
const MAX_PAGE_DEPTH: usize = 3;

/// True if the reply says that the list has more pages.
pub fn says_more_pages(reply: &Value, link_header: Option<&str>) -> bool {
    link_header.and_then(next_in_link_header).is_some() || next_page_pointer(reply).is_some()
}

/// The JSON Pointer of a member which says that the list has more pages.
pub(super) fn next_page_pointer(reply: &Value) -> Option<String> {
    fn find(value: &Value, pointer: &str, depth: usize) -> Option<String> {
        let members = value.as_object().filter(|_| depth < MAX_PAGE_DEPTH)?;
        members.iter().find_map(|(name, value)| {
            let pointer = format!("{pointer}/{}", escape_name(name));
            match value {
                Value::Object(_) => find(value, &pointer, depth + 1),
                _ => leads_to_more_pages(&pointer, value).then_some(pointer),
            }
        })
    }
    find(reply, "", 0)
}

/// True if the member at this JSON Pointer has the name and the value of a next page. The address
/// of a link may be inside it, as in `next/href`.
fn leads_to_more_pages(pointer: &str, value: &Value) -> bool {
    let mut names = pointer
        .rsplit('/')
        .map(|name| name.to_lowercase().replace(['_', '-'], ""));
    let mut name = names.next().unwrap_or_default();
    if matches!(&*name, "href" | "url") {
        name = names.next().unwrap_or_default();
    }
    let is_more = match value {
        Value::Bool(more) => *more,
        Value::String(text) => !text.trim().is_empty(),
        Value::Number(number) => number.as_u64().is_some_and(|number| number > 1),
        _ => false,
    };
    let is_count = PAGE_COUNT_NAMES.contains(&&*name) && value.is_number();
    is_more && (is_count || NEXT_PAGE_NAMES.contains(&&*name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(reply: Value) -> Option<Vec<CheckoutDomain>> {
        Contract::built_in().read_domains(&reply)
    }

    fn domain(host: &str, state: DomainState, is_default: bool) -> CheckoutDomain {
        CheckoutDomain {
            host: host.into(),
            state,
            is_default,
        }
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
            (
                json!({"hostname": "a", "active": true}),
                DomainState::Active,
            ),
            (json!({"name": "a", "isActive": false}), pending(None)),
            (
                json!({"name": "a", "status": "ACTIVE"}),
                DomainState::Active,
            ),
            (
                json!({"name": "a", "status": "dns_pending"}),
                pending(Some("dns_pending")),
            ),
            (
                json!({"name": "a", "active": false, "status": "ssl"}),
                pending(Some("ssl")),
            ),
            (
                json!({"name": "a", "active": true, "verified": false}),
                pending(None),
            ),
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
        let contract = Contract::with(&[("c", lines)]).unwrap();
        let read_members = |reply: &Value| contract.read_domains(reply);
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

    fn paged(style: &str) -> Contract {
        let paths = "page_parameter = 'p'\nnext_page = ['/next', '/meta/next']";
        let text = format!("[domains]\npages = '{style}'\n{paths}");
        Contract::with(&[("c", &text)]).unwrap()
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
            (
                "link",
                json!({"next": "/d?x=2"}),
                NextPage::Address("/d?x=2".into()),
            ),
            ("link", json!({"next": false}), NextPage::None),
        ] {
            assert_eq!(
                paged(style).next_page(&reply, None, 2, false),
                expected,
                "{style} {reply}"
            );
        }
        assert_eq!(
            paged("number").next_page(&json!({"next": true}), None, 2, true),
            NextPage::None
        );
        assert_eq!(Contract::built_in().domains.pages.style, PageStyle::None);
    }

    #[test]
    fn more_pages_are_recognised_by_name_and_value() {
        for (reply, expected) in [
            (
                json!({"data": ["a.example"], "next": "/d?page=2"}),
                Some("/next"),
            ),
            (
                json!({"links": {"next": "https://x.example/d"}}),
                Some("/links/next"),
            ),
            (
                json!({"_links": {"next": {"href": "/d/2"}}}),
                Some("/_links/next/href"),
            ),
            (json!({"has_more": true}), Some("/has_more")),
            (
                json!({"meta": {"paging": {"nextCursor": "x"}}}),
                Some("/meta/paging/nextCursor"),
            ),
            (json!({"totalPages": 2}), Some("/totalPages")),
            (
                json!({"totalPages": 1, "next": null, "hasMore": false, "nextCursor": ""}),
                None,
            ),
            (json!({"total": 9, "page": 2}), None),
            (json!({"data": [{"next": "/d"}]}), None),
        ] {
            assert_eq!(next_page_pointer(&reply).as_deref(), expected, "{reply}");
        }
        let header = r#"<https://x.example/d?page=2>; rel="next""#;
        assert!(says_more_pages(&json!([]), Some(header)));
        assert!(!says_more_pages(
            &json!([]),
            Some(r#"</d?page=1>; rel="first""#)
        ));
    }

    #[test]
    fn differing_member_may_be_the_state_until_decided() {
        let list = |values: [Value; 3]| {
            let entry = |value| json!({"domain": "a.example", "isDefault": false, "x/y": value});
            Value::from(values.map(entry).to_vec())
        };
        let yes = json!(true);
        let no = json!(false);
        let same = json!("dns ok");
        for (values, expected) in [
            ([yes.clone(), no.clone(), no.clone()], DomainState::Unread),
            (
                [same.clone(), json!("no_ar"), same.clone()],
                DomainState::Unread,
            ),
            (
                [same.clone(), same.clone(), same.clone()],
                DomainState::Usable,
            ),
            (
                [json!("Loja um"), json!("Loja dois"), same.clone()],
                DomainState::Usable,
            ),
            (
                [json!("2026-01"), json!("2026-02"), json!("2026-01")],
                DomainState::Usable,
            ),
            ([yes.clone(), no.clone(), Value::Null], DomainState::Usable),
        ] {
            let domains = read(list(values.clone())).unwrap();
            assert!(
                domains
                    .iter()
                    .all(|it| it.state == expected && it.is_usable()),
                "{values:?}"
            );
        }
        let decided = [("c", "domains.unread_state = ['/x~1y']")];
        let contract = Contract::with(&decided).unwrap();
        let domains = contract.read_domains(&list([yes, no.clone(), no])).unwrap();
        assert!(
            domains
                .iter()
                .all(|domain| domain.state == DomainState::Usable)
        );
    }
}
