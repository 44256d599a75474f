//! Teaching: the seller selects a value in a reply, and the program changes a setting of the API
//! contract so that it reads this value.
//!
//! [`ReplySetting`] is a setting that can be taught, [`ReplyTree`] is the reply as rows that the
//! seller can select, and [`Contract::with_taught`] is the changed contract.

use serde_json::Value;

use super::reply::read_json;
use super::reply_places::escape_name;
use super::settings::{ContractError, MergedSettings, Setting, SettingValue};
use super::{Contract, DomainsSpec, JsonPaths, Pointer, operations, read_domains};
use crate::trade::{CheckoutDomain, DomainState, Money, Operation, Untrusted};

/// A setting of the API contract that the seller chooses inside the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaughtSetting {
    /// The name, such as `fee_preview.net`.
    pub name: String,
    /// The new value.
    pub value: SettingValue,
}

/// The value that a setting of the API contract reads from a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadValue {
    /// No value.
    Nothing,
    /// A secret, which is not shown.
    Hidden,
    /// A text.
    Text(Untrusted),
    /// An amount.
    Amount(Money),
    /// The number of entries in a list.
    Entries(usize),
    /// The domains in a list.
    Domains(Vec<CheckoutDomain>),
}

impl Contract {
    /// Returns the API contract with the settings in `taught`, which replace settings of the same
    /// names. They count as assumed.
    ///
    /// # Errors
    ///
    /// Fails if a setting has an invalid value, or if two settings contradict each other.
    pub fn with_taught(&self, taught: &[TaughtSetting]) -> Result<Contract, ContractError> {
        let mut settings = MergedSettings::from_contract(&self.settings, self.claims_confirmed);
        for setting in taught {
            settings.set_taught(&setting.name, &setting.value);
        }
        let contract = operations::read(settings)?;
        let (profile_settings, confirmed) = (self.profile_settings.clone(), self.confirmed.clone());
        let base_url = self.base_url.clone();
        Ok(Contract { needs_consent: true, profile_settings, base_url, confirmed, ..contract })
    }

    /// Returns this API contract with the profile's settings and the confirmed settings of `other`.
    /// `other` is the contract that this one replaces.
    pub fn with_profile_and_confirmed_of(self, other: &Contract) -> Contract {
        let base_url = other.base_url.clone();
        let contract = Contract { base_url, ..self.with_profile_settings(&other.profile_settings) };
        contract.confirmed_by(&other.confirmed)
    }

    /// Returns the value of the setting with this name.
    pub fn value(&self, name: &str) -> Option<&SettingValue> {
        self.settings.get(name).map(|setting| &setting.value)
    }

    /// Returns the settings to change so that the setting `name` reads the value at `pointer` in
    /// this reply.
    ///
    /// Returns `None` if the setting cannot read this value. For example, the value of a setting
    /// for hosts must be inside the list of domains.
    pub fn settings_to_read_at(
        &self,
        name: &str,
        pointer: &str,
        reply: &ReplyTree,
    ) -> Option<Vec<TaughtSetting>> {
        let reply = &reply.json;
        let setting = |name: &str, value| TaughtSetting { name: name.to_owned(), value };
        let texts = |name: &str, texts: Vec<String>| setting(name, SettingValue::Texts(texts));
        let (operation, _) = name.split_once('.')?;
        if name == "domains.under" {
            let entries = match reply.pointer(pointer)? {
                Value::Array(_) => "items",
                Value::Object(_) => "members",
                _ => return None,
            };
            let entries = setting("domains.entries", SettingValue::Text(entries.to_owned()));
            return Some(vec![texts(name, vec![pointer.to_owned()]), entries]);
        }
        if operation == "domains" {
            let (list, _) = self.domains.find_list(reply)?;
            let entry_path = pointer.strip_prefix(list.as_str())?.strip_prefix('/')?;
            let (_, path) = entry_path.split_once('/')?;
            return Some(vec![texts(name, vec![format!("/{path}")])]);
        }
        let under = format!("{operation}.under");
        let mut bases = self.settings.get(&under).map_or(vec![], |bases| bases.texts().to_vec());
        if bases.is_empty() {
            bases.push(String::new());
        }
        let path_below = |base: &String| {
            let path = pointer.strip_prefix(base.as_str())?;
            path.starts_with('/').then(|| path.to_owned())
        };
        if let Some(path) = bases.iter().find_map(path_below) {
            return Some(vec![texts(name, vec![path])]);
        }
        bases.insert(0, String::new());
        Some(vec![texts(&under, bases), texts(name, vec![pointer.to_owned()])])
    }

    /// Returns the value that a setting of the API contract reads from a reply.
    pub fn read_value(&self, setting: &ReplySetting, reply: &ReplyTree) -> ReadValue {
        let reply = &reply.json;
        let paths = self.json_paths(setting.name);
        let amounts = match setting.name.starts_with("fee_preview.") {
            true => self.fee_preview.amounts,
            false => self.withdrawal.form.amounts,
        };
        let domains = || read_domains(&self.domains, reply);
        let value = match setting.kind {
            ReplyValueKind::Secret => paths.str(reply).map(|_| ReadValue::Hidden),
            ReplyValueKind::Text | ReplyValueKind::Address => {
                paths.text(reply).map(ReadValue::Text)
            }
            ReplyValueKind::PixCode => paths.pix_code(reply).map(ReadValue::Text),
            ReplyValueKind::Amount => paths.money(reply, amounts).map(ReadValue::Amount),
            ReplyValueKind::List => {
                self.domains.find_list(reply).map(|(_, list)| ReadValue::Entries(list.len()))
            }
            ReplyValueKind::Host => domains().map(ReadValue::Domains),
            // `Usable` means that the reply contains no state for a domain. If this is true of all
            // domains, the setting found nothing.
            ReplyValueKind::State => domains()
                .filter(|domains| domains.iter().any(|it| it.state != DomainState::Usable))
                .map(ReadValue::Domains),
        };
        value.unwrap_or(ReadValue::Nothing)
    }

    /// Returns the JSON paths from which a setting reads: its pointers, appended to each base in
    /// the operation's setting `under`.
    pub(super) fn json_paths(&self, name: &str) -> JsonPaths {
        let pointers = |name: &str| -> Vec<Pointer> {
            let texts = self.settings.get(name).map(Setting::texts).unwrap_or_default();
            texts.iter().filter_map(|text| Pointer::parse(text)).collect()
        };
        let mut bases = pointers(&format!("{}.under", name.split('.').next().unwrap_or_default()));
        if bases.is_empty() {
            bases.extend(Pointer::root());
        }
        JsonPaths::new(&bases, &pointers(name))
    }
}

impl DomainsSpec {
    /// Returns the list of domains in a reply, with its JSON Pointer.
    pub(super) fn find_list<'v>(&self, reply: &'v Value) -> Option<(&Pointer, Vec<&'v Value>)> {
        self.list.find_with_pointer(reply, |value| self.entries.list_entries(value)).map(
            |(pointer, entries)| (pointer, entries.into_iter().map(|(_, entry)| entry).collect()),
        )
    }
}

/// A setting of the API contract that reads a value from the reply of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplySetting {
    /// The name of the setting, such as `fee_preview.net`.
    pub name: &'static str,
    /// The kind of value that the setting reads.
    pub kind: ReplyValueKind,
    /// True if the operation usually cannot succeed without this value.
    pub is_required: bool,
    /// Words that are likely in the name of the JSON member with the value, separated by spaces.
    /// The most likely word comes first.
    hints: &'static str,
}

/// The kind of value that a setting of the API contract reads from a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyValueKind {
    /// A token; the value is not shown.
    Secret,
    /// A text, or a number as it is written.
    Text,
    /// A Pix code.
    PixCode,
    /// A URL.
    Address,
    /// An amount.
    Amount,
    /// The list of domains.
    List,
    /// The host of a checkout domain, in an entry of the list of domains.
    Host,
    /// The state of a checkout domain, in an entry of the list of domains.
    State,
}

use ReplyValueKind::{Address, Amount, Host, List, PixCode, Secret, State, Text};

/// Words that are likely in the name of an id, separated by spaces.
const ID: &str = "id protocol transa";
const STATUS: &str = "status state situa";

/// All settings that read a value from a reply. In each operation, the required ones come first.
pub(super) static REPLY_SETTINGS: [ReplySetting; 20] = [
    required("login.token", Secret, "token access acesso api chave credenc"),
    ReplySetting::JWT,
    optional("login.expires_in", Text, "expires_in expiresin expira expir valid"),
    optional("login.expires_at", Text, "expires_at expiresat expira expir valid"),
    required("domains.under", List, "domain domin host items data"),
    required("domains.host", Host, "domain domin host name nome"),
    optional("domains.state", State, "status state situa active ativ verif"),
    required("create_link.url", Address, "url link checkout href"),
    ReplySetting::PIX_CODE,
    ReplySetting::CHARGE_ID,
    optional("direct_payment.status", Text, STATUS),
    optional("direct_payment.expires", Text, "expir venc valid"),
    required("fee_preview.net", Amount, "net liquid líquid receb final payout"),
    optional("fee_preview.fee", Amount, "fee taxa tarifa cost custo"),
    optional("withdrawal.id", Text, ID),
    optional("withdrawal.status", Text, STATUS),
    optional("withdrawal.end_to_end", Text, "endtoend end_to_end e2e"),
    optional("withdrawal.receipt", Address, "receipt comprov recibo"),
    optional("withdrawal.echo_amount", Amount, "amount valor"),
    optional("withdrawal.echo_destination", Text, "key chave dest"),
];

const fn required(name: &'static str, kind: ReplyValueKind, hints: &'static str) -> ReplySetting {
    ReplySetting { name, kind, is_required: true, hints }
}

const fn optional(name: &'static str, kind: ReplyValueKind, hints: &'static str) -> ReplySetting {
    ReplySetting { name, kind, is_required: false, hints }
}

impl ReplySetting {
    /// The setting that reads the JWT from the reply to a login.
    pub const JWT: ReplySetting = optional("login.jwt", Secret, "jwt links access token");

    /// The setting that reads the id of a direct payment.
    pub const CHARGE_ID: ReplySetting = optional("direct_payment.id", Text, ID);

    /// The setting that reads the Pix code of a direct payment.
    pub const PIX_CODE: ReplySetting =
        required("direct_payment.pix_code", PixCode, "qr emv copia copy brcode pix");

    /// Returns the settings that read values from the replies of this operation. The required ones
    /// come first.
    pub fn of(operation: Operation) -> impl Iterator<Item = &'static ReplySetting> {
        REPLY_SETTINGS
            .iter()
            .filter(move |setting| setting.name.split('.').next() == Some(operation.name()))
    }

    /// Returns a score for how well a JSON member's name matches the hints of this setting. The
    /// score is 0 if no hint matches.
    pub(super) fn hint_score(&self, name: &str) -> usize {
        let (name, count) = (name.to_lowercase(), self.hints.split(' ').count());
        let position = self.hints.split(' ').position(|hint| name.contains(hint));
        position.map_or(0, |position| count - position)
    }
}

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

    /// Returns the rows from top to bottom.
    pub fn rows(&self) -> &[TreeRow] {
        &self.rows
    }

    /// Returns the rows, and drops the rest of the reply.
    pub fn into_rows(self) -> Vec<TreeRow> {
        self.rows
    }

    /// Returns true if both replies have the same value at this JSON Pointer.
    pub fn has_same_value_at(&self, other: &ReplyTree, pointer: &str) -> bool {
        self.json.pointer(pointer) == other.json.pointer(pointer)
    }

    /// Returns true if some row has a suitable value, and a name that matches the hints of the
    /// setting.
    pub fn has_matching_name(&self, setting: &ReplySetting) -> bool {
        let has_hint = |row: &TreeRow| setting.hint_score(row.name.raw()) > 0;
        self.rows.iter().any(|row| fits_kind(setting.kind, &row.value) && has_hint(row))
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
            (TreeValue::Literal(truncate(&text)), count_cut_characters(&text))
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
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| push_child(rows, name, value))
        }
        _ => {}
    }
}

fn truncate(text: &str) -> Untrusted {
    text.chars().take(MAX_TEXT_LENGTH).collect::<String>().into()
}

fn count_cut_characters(text: &str) -> usize {
    text.chars().count().saturating_sub(MAX_TEXT_LENGTH)
}

/// Returns true if a setting of this kind can read the value in this row.
pub(super) fn fits_kind(kind: ReplyValueKind, value: &TreeValue) -> bool {
    let text = match value {
        TreeValue::Text(text) | TreeValue::Literal(text) => Some(text.raw()),
        TreeValue::List(_) | TreeValue::Object(_) => None,
    };
    match kind {
        ReplyValueKind::List => matches!(value, TreeValue::List(1..) | TreeValue::Object(1..)),
        ReplyValueKind::Secret => matches!(value, TreeValue::Text(_)),
        ReplyValueKind::Address => text.is_some_and(|text| text.starts_with("http")),
        ReplyValueKind::Amount => text.is_some_and(|text| {
            text.starts_with(|c: char| c.is_ascii_digit())
                && text.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
        }),
        ReplyValueKind::Host => text.is_some_and(|text| text.contains('.')),
        ReplyValueKind::Text | ReplyValueKind::PixCode | ReplyValueKind::State => {
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

    /// Changes the API contract so that the setting `name` reads the value at `pointer`. Returns
    /// the value that the setting then reads, and the changed settings.
    fn point_setting_at(
        contract: &Contract,
        name: &str,
        pointer: &str,
        body: &str,
    ) -> (ReadValue, String) {
        let operations = [
            Operation::Login,
            Operation::Domains,
            Operation::CreateLink,
            Operation::FeePreview,
            Operation::Withdrawal,
        ];
        let setting =
            operations.into_iter().flat_map(ReplySetting::of).find(|it| it.name == name).unwrap();
        let tree = tree(body);
        let Some(changes) = contract.settings_to_read_at(name, pointer, &tree) else {
            return (ReadValue::Nothing, String::new());
        };
        let texts: Vec<_> = changes
            .iter()
            .map(|change| format!("{}={}", change.name, change.value.text()))
            .collect();
        (contract.with_taught(&changes).unwrap().read_value(setting, &tree), texts.join(" "))
    }

    fn amount(text: &str) -> ReadValue {
        ReadValue::Amount(Money::parse_wire(text).unwrap())
    }

    #[test]
    fn chosen_value_is_read_at_any_path() {
        let built_in = Contract::built_in();
        let body = r#"{"resumo": {"liquido": "97.95"}, "data": {"sobra": 97.9}}"#;
        assert_eq!(
            point_setting_at(&built_in, "fee_preview.net", "/resumo/liquido", body),
            (amount("97.95"), r#"fee_preview.net=["/resumo/liquido"]"#.into())
        );
        // If the pointer is below a base, the setting contains only the part after the base.
        let enveloped = Contract::with(&[("c", "fee_preview.under = ['/data']")]).unwrap();
        assert_eq!(
            point_setting_at(&enveloped, "fee_preview.net", "/data/sobra", body),
            (amount("97.9"), r#"fee_preview.net=["/sobra"]"#.into())
        );
        // If the pointer is outside all bases, the root of the reply becomes an additional base.
        assert_eq!(
            point_setting_at(&enveloped, "fee_preview.net", "/resumo/liquido", body),
            (
                amount("97.95"),
                r#"fee_preview.under=["", "/data"] fee_preview.net=["/resumo/liquido"]"#.into()
            )
        );
        let centavos = Contract::with(&[("c", "fee_preview.unit = 'centavos'")]).unwrap();
        let read = point_setting_at(&centavos, "fee_preview.net", "/n", r#"{"n": 9795}"#);
        assert_eq!(read.0, amount("97.95"));
        assert_eq!(
            point_setting_at(
                &built_in,
                "login.token",
                "/acesso/chave",
                r#"{"acesso": {"chave": "…"}}"#
            )
            .0,
            ReadValue::Hidden
        );
        assert_eq!(
            point_setting_at(&built_in, "create_link.url", "/a~1b", r#"{"a/b": "https://x/"}"#).0,
            ReadValue::Text("https://x/".into())
        );
    }

    #[test]
    fn list_and_host_of_domains_can_be_taught() {
        let built_in = Contract::built_in();
        let body = r#"{"lojas": {"a.example": {"situacao": "ok"}}, "v": [{"u": "b.example"}]}"#;
        let (read, lines) = point_setting_at(&built_in, "domains.under", "/lojas", body);
        assert_eq!(read, ReadValue::Entries(1));
        assert_eq!(lines, r#"domains.under=["/lojas"] domains.entries="members""#);
        let lines = built_in.settings_to_read_at("domains.under", "/v", &tree(body)).unwrap();
        let listed = built_in.with_taught(&lines).unwrap();
        let (read, lines) = point_setting_at(&listed, "domains.host", "/v/0/u", body);
        assert_eq!(lines, r#"domains.host=["/u"]"#);
        let ReadValue::Domains(domains) = read else { panic!("{read:?}") };
        assert_eq!(domains[0].host.shown(), "b.example");
        // A host must be inside an entry of the list.
        for pointer in ["/v", "/v/0", "/lojas/a.example/situacao", ""] {
            assert_eq!(point_setting_at(&listed, "domains.host", pointer, body).1, "", "{pointer}");
        }
        assert_eq!(point_setting_at(&built_in, "domains.under", "/v/0/u", body).1, "");
    }

    /// Returns a JSON reply with `leaf` nested below `keys`, and the pointer to `leaf`. Each object
    /// on the path has one additional member.
    fn nested(keys: &[String], leaf: &str) -> (String, String) {
        let mut value: Value = serde_json::from_str(leaf).unwrap();
        let mut pointer = String::new();
        for key in keys.iter().rev() {
            value = serde_json::json!({ key.as_str(): value, format!("{key}+"): 1 });
            let escaped = key.replace('~', "~0").replace('/', "~1");
            pointer = format!("/{escaped}{pointer}");
        }
        (value.to_string(), pointer)
    }

    proptest::proptest! {
        #[test]
        fn pointed_amount_is_read_in_every_unit(
            keys in proptest::collection::vec("[a-z~/0]{0,6}", 1..5),
            under in proptest::collection::vec("(/[a-z]{1,3}){0,2}", 0..3),
            centavos in 0..10_000_000_i64,
        ) {
            let bases = serde_json::json!(under).to_string();
            for (unit, wire) in [
                ("reais", Money::from_centavos(centavos).wire()),
                ("centavos", centavos.to_string()),
            ] {
                let lines = format!("fee_preview.under = {bases}\nfee_preview.unit = '{unit}'");
                let contract = Contract::with(&[("c", &lines)]);
                // Skip contracts that repeat a base, because they are refused.
                let Ok(contract) = contract else { continue };
                let (body, pointer) = nested(&keys, &wire);
                let (read, lines) = point_setting_at(&contract, "fee_preview.net", &pointer, &body);
                let net = ReadValue::Amount(Money::from_centavos(centavos));
                proptest::prop_assert_eq!(read, net, "{} {}", body, lines);
            }
        }

        #[test]
        fn taught_settings_equal_the_same_settings_in_a_file(
            net in proptest::collection::vec("(/[a-z]{1,4}){1,3}", 1..4),
            header in "X-[A-Z][a-z]{1,6}",
            unit in proptest::sample::select(vec!["reais", "centavos"]),
            is_reversed in proptest::bool::ANY,
        ) {
            let text = |name: &str, value: &str| TaughtSetting {
                name: name.into(),
                value: SettingValue::Text(value.into()),
            };
            let mut lines = vec![
                TaughtSetting { name: "fee_preview.net".into(), value: SettingValue::Texts(net) },
                text("withdrawal.key_header", &header),
                text("withdrawal.unit", unit),
            ];
            let file: Vec<_> =
                lines.iter().map(|line| format!("{} = {}", line.name, line.value.text())).collect();
            if is_reversed {
                lines.reverse();
            }
            let base = Contract::with(&[("one", "create_link.success = [200]")]).unwrap();
            let taught = base.with_taught(&lines);
            let all = [("one", "create_link.success = [200]"), ("two", &file.join("\n"))];
            let written = Contract::with(&all);
            match (taught, written) {
                (Ok(taught), Ok(written)) => {
                    proptest::prop_assert_eq!(taught.all_settings(), written.all_settings());
                    for name in written.settings.keys() {
                        proptest::prop_assert_eq!(taught.value(name), written.value(name));
                    }
                }
                (Err(_), Err(_)) => {}
                (taught, written) => {
                    proptest::prop_assert!(false, "{:?} {:?}", taught.err(), written.err());
                }
            }
        }
    }

    #[test]
    fn every_value_has_a_row_with_its_pointer() {
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
            if let Some(tree) = ReplyTree::read(&body.as_str().into()) {
                for operation in [Operation::Login, Operation::Domains, Operation::FeePreview] {
                    for line in ReplySetting::of(operation) {
                        proptest::prop_assert!(tree.suggest_row(line, None) < tree.rows().len());
                    }
                }
                for row in tree.rows() {
                    proptest::prop_assert!(tree.json.pointer(&row.pointer).is_some());
                }
            }
        }
    }
}
