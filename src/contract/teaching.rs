//! Teaching: the seller selects a value in a reply, and the program changes a setting of the API
//! contract so that it reads this value.
//!
//! [`ReplySetting`] is a setting that can be taught, [`ReplyTree`] is the reply as rows that the
//! seller can select, and [`Contract::with_taught`] is the changed contract.

use std::sync::Arc;

use serde_json::Value;

use super::confirmed::unmark_changed;
use super::domains::{next_page_pointer, unread_state};
use super::reply::read_text;
use super::reply_setting::{
    DOMAIN_LIST, DOMAIN_STATE, ERROR_HINT, NEXT_PAGE, ReplySetting, ReplyValueKind, UNREAD_STATE,
    WITHDRAWAL_ID,
};
use super::reply_tree::ReplyTree;
use super::settings::{ContractError, MergedSettings, Setting, SettingValue};
use super::{AmountFormat, Contract, NextPage, PageStyle, ReplyTime, operations};
use crate::trade::{CheckoutDomain, Money, Operation, Untrusted};

/// Parts of the names of settings whose taught places are added to the old ones.
const ADDED_PLACES: [&str; 4] = ["withdrawal.", ".status", ".failed_flag", "error.message"];

/// A setting of the API contract that the seller chooses inside the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaughtSetting {
    /// The name, such as `fee_preview.net`.
    pub name: String,
    /// The new value.
    pub value: SettingValue,
}

impl TaughtSetting {
    /// A setting whose value is a text.
    pub fn text(name: impl Into<String>, text: &str) -> TaughtSetting {
        TaughtSetting {
            name: name.into(),
            value: SettingValue::Text(text.to_owned()),
        }
    }

    /// A setting whose value is a list of texts.
    pub fn texts(name: impl Into<String>, texts: Vec<String>) -> TaughtSetting {
        TaughtSetting {
            name: name.into(),
            value: SettingValue::Texts(texts),
        }
    }
}

/// Parts of words for domains that cannot be used. The seller may point at such a domain.
const INACTIVE_PARTS: &str = "pend inativ inactiv disab desativ bloq block fail falh err reje \
    recus expir suspen aguard wait remov delet cancel";

fn says_inactive(word: &str) -> bool {
    let word = word.to_lowercase();
    INACTIVE_PARTS
        .split_whitespace()
        .any(|part| word.contains(part))
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
    /// The end of a token's life.
    Time(ReplyTime),
    /// The number of entries in a list.
    Entries(usize),
    /// The domains in a list.
    Domains(Vec<CheckoutDomain>),
}

impl Contract {
    /// The API contract with the settings in `taught`, which replace settings of the same names.
    /// They count as assumed.
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
        let profile_settings = self.profile_settings.clone();
        let confirmed = self.confirmed.clone();
        let base_url = self.base_url.clone();
        let mut contract = Contract {
            needs_consent: true,
            profile_settings,
            base_url,
            confirmed,
            ..contract
        };
        unmark_changed(&mut contract.settings, &contract.confirmed.0);
        Ok(contract)
    }

    /// This API contract with the profile's settings and the confirmed settings of `other`. `other`
    /// is the contract that this one replaces.
    pub fn with_profile_and_confirmed_of(self, other: &Contract) -> Contract {
        let base_url = other.base_url.clone();
        let contract = Contract {
            base_url,
            ..self.with_profile_settings(&other.profile_settings)
        };
        contract.confirmed_by(&other.confirmed)
    }

    /// Sets the name of the contract file to which the app writes what the seller teaches.
    pub fn with_taught_file(self, file: Option<&str>) -> Contract {
        Contract {
            taught_file: file.map(Arc::from),
            ..self
        }
    }

    /// True if the setting is in the file to which the app writes what the seller teaches. Another
    /// program may have written it there.
    pub fn is_in_taught_file(&self, name: &Untrusted) -> bool {
        let setting = self.settings.get(name.raw());
        setting.is_some_and(|setting| self.taught_file.as_ref() == Some(&setting.file))
    }

    /// The value of the setting with this name.
    pub fn value(&self, name: &str) -> Option<&SettingValue> {
        self.settings.get(name).map(|setting| &setting.value)
    }

    /// The settings to change so that the setting `name` reads the value at `pointer` in this
    /// reply. A setting of a withdrawal, and a state, keeps its other places too.
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
        let (operation, _) = name.split_once('.')?;
        if name == DOMAIN_LIST.name {
            let entries = match reply.pointer(pointer)? {
                Value::Array(_) => "items",
                Value::Object(_) => "members",
                _ => return None,
            };
            return Some(vec![
                TaughtSetting::texts(name, vec![pointer.to_owned()]),
                TaughtSetting::text("domains.entries", entries),
            ]);
        }
        if name == NEXT_PAGE.name {
            return self.settings_to_page(pointer, reply.pointer(pointer)?);
        }
        if operation == "domains" {
            let (list, _) = self.find_domain_list(reply)?;
            let entry_path = pointer.strip_prefix(list.as_str())?.strip_prefix('/')?;
            let (_, path) = entry_path.split_once('/')?;
            let mut settings = vec![TaughtSetting::texts(name, vec![format!("/{path}")])];
            if name == DOMAIN_STATE.name
                && let Some(word) = reply.pointer(pointer)?.as_str()
                && !self.domains.is_active_word(word)
                && !says_inactive(word)
            {
                let words = self
                    .domains
                    .active_words
                    .iter()
                    .cloned()
                    .chain([word.to_owned()]);
                settings.push(TaughtSetting::texts(
                    "domains.active_words",
                    words.collect(),
                ));
            }
            return Some(settings);
        }
        let under = format!("{operation}.under");
        let mut bases = self
            .settings
            .get(&under)
            .map_or(vec![], |bases| bases.texts().to_vec());
        if bases.is_empty() {
            bases.push(String::new());
        }
        let path = bases.iter().find_map(|base| {
            let path = pointer.strip_prefix(base.as_str())?;
            path.starts_with('/').then(|| path.to_owned())
        });
        let mut lines = vec![];
        let base_count = bases.len();
        if path.is_none() {
            bases.insert(0, String::new());
        }
        // Beside the code of a withdrawal, its state, its amount and errors are looked for too.
        let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        if name == WITHDRAWAL_ID.name && !bases.iter().any(|base| base == parent) {
            bases.push(parent.to_owned());
        }
        if bases.len() > base_count {
            lines.push(TaughtSetting::texts(under, bases));
        }
        let places = self.places_with(name, path.unwrap_or_else(|| pointer.to_owned()));
        lines.push(TaughtSetting::texts(name, places));
        lines.extend(self.setting_for_value(name, reply.pointer(pointer)?));
        Some(lines)
    }

    /// The setting that must change, beside the place, if the setting `name` reads this value.
    fn setting_for_value(&self, name: &str, value: &Value) -> Option<TaughtSetting> {
        if name == WITHDRAWAL_ID.name {
            // If the next withdrawal has the same value there, the value is no code.
            let id = read_text(value)?.raw().to_owned();
            let mut not_ids = self.withdrawal.not_ids.clone();
            not_ids.retain(|known| *known != id);
            not_ids.push(id);
            return Some(TaughtSetting::texts("withdrawal.not_ids", not_ids));
        }
        let amounts = self.fee_preview.amounts;
        let has_comma = name.starts_with("fee_preview.")
            && amounts.read(value).is_none()
            && amounts.with_comma().read(value).is_some();
        has_comma.then(|| TaughtSetting::text("fee_preview.amount_read", "comma"))
    }

    /// The places from which the setting `name` reads if the seller chooses this place.
    ///
    /// Places of a withdrawal and of states are added before the old ones. If they were replaced, a
    /// failed word or another amount at an old place would no longer be noticed.
    fn places_with(&self, name: &str, place: String) -> Vec<String> {
        let is_added = ADDED_PLACES.iter().any(|part| name.contains(part));
        let old = self
            .settings
            .get(name)
            .filter(|_| is_added)
            .map_or(&[][..], Setting::texts);
        let old: Vec<String> = old.iter().filter(|old| **old != place).cloned().collect();
        [vec![place], old].concat()
    }

    /// The settings with which the value of this member leads to the next page of the list.
    fn settings_to_page(&self, pointer: &str, value: &Value) -> Option<Vec<TaughtSetting>> {
        let style = match value {
            Value::Bool(_) | Value::Number(_) => "number",
            Value::String(text) if text.starts_with(['/', '?']) || text.starts_with("http") => {
                "link"
            }
            Value::String(_) => "cursor",
            _ => return None,
        };
        // A number of pages is no sign of the last page, which is empty then.
        let is_place = !value.is_number();
        let places = is_place.then(|| pointer.to_owned()).into_iter().collect();
        let parameter = if style == "cursor" { "cursor" } else { "page" };
        Some(vec![
            TaughtSetting::texts(NEXT_PAGE.name, places),
            TaughtSetting::text("domains.pages", style),
            TaughtSetting::text("domains.page_parameter", parameter),
        ])
    }

    /// The setting which says that the member that may be the state of the domains says nothing, if
    /// there is such a member in this reply.
    pub fn setting_without_state(&self, reply: &ReplyTree) -> Option<TaughtSetting> {
        let path = self.unread_state(reply)?;
        let known = self.paths(UNREAD_STATE).pointers.iter();
        let paths = known
            .map(|pointer| pointer.as_str().to_owned())
            .chain([path]);
        Some(TaughtSetting::texts(UNREAD_STATE.name, paths.collect()))
    }

    /// The path of a member of each domain that may be its state, although no setting reads it.
    pub(super) fn unread_state(&self, reply: &ReplyTree) -> Option<String> {
        let (_, list) = self.find_domain_list(&reply.json)?;
        unread_state(self, &list)
    }

    /// True if the reply contains a value for this setting that the seller should be asked about: a
    /// next page, or states of domains.
    pub fn is_unread(&self, setting: &ReplySetting, reply: &ReplyTree) -> bool {
        match setting {
            DOMAIN_STATE => self.unread_state(reply).is_some(),
            NEXT_PAGE => {
                self.domains.pages.style == PageStyle::None
                    && next_page_pointer(&reply.json).is_some()
            }
            _ => false,
        }
    }

    /// The service's hint about what the seller can do, from a refusal.
    pub fn hint_in(&self, reply: &ReplyTree) -> Option<Untrusted> {
        self.paths(ERROR_HINT).text(&reply.json)
    }

    /// The value that a setting of the API contract reads from a reply.
    pub fn read_value(&self, setting: &ReplySetting, reply: &ReplyTree) -> ReadValue {
        let reply = &reply.json;
        let paths = self.paths(setting);
        let value = match setting.kind {
            ReplyValueKind::Secret => paths.str(reply).map(|_| ReadValue::Hidden),
            ReplyValueKind::Text | ReplyValueKind::Address => {
                paths.text(reply).map(ReadValue::Text)
            }
            ReplyValueKind::PixCode => paths.pix_code(reply).map(ReadValue::Text),
            ReplyValueKind::Amount => paths
                .money(reply, self.amounts_read_by(setting))
                .map(ReadValue::Amount),
            ReplyValueKind::Time => {
                ReplyTime::find(paths, reply).map(|(_, time)| ReadValue::Time(time))
            }
            ReplyValueKind::List => self
                .find_domain_list(reply)
                .map(|(_, list)| ReadValue::Entries(list.len())),
            ReplyValueKind::NextPage => match self.next_page(reply, None, 0, false) {
                NextPage::None => None,
                NextPage::Parameter(text) | NextPage::Address(text) => {
                    Some(ReadValue::Text(text.into()))
                }
            },
            ReplyValueKind::Flag => paths
                .find(reply, |value| (*value == Value::Bool(false)).then_some(()))
                .map(|()| ReadValue::Text("false".into())),
            ReplyValueKind::Host => self.read_domains(reply).map(ReadValue::Domains),
            // `Usable` means that the reply contains no state for a domain. If this is true of all
            // domains, the setting found nothing.
            ReplyValueKind::State => self
                .read_domains(reply)
                .filter(|domains| domains.iter().any(CheckoutDomain::has_state))
                .map(ReadValue::Domains),
        };
        value.unwrap_or(ReadValue::Nothing)
    }

    /// The format of the amount that a setting reads.
    pub(super) fn amounts_read_by(&self, setting: &ReplySetting) -> AmountFormat {
        if setting.section() == Operation::FeePreview.name() {
            self.fee_preview.amounts
        } else {
            self.withdrawal.form.amounts
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
        let setting = operations
            .into_iter()
            .flat_map(ReplySetting::of)
            .find(|it| it.name == name)
            .unwrap();
        let tree = tree(body);
        let Some(changes) = contract.settings_to_read_at(name, pointer, &tree) else {
            return (ReadValue::Nothing, String::new());
        };
        let texts: Vec<_> = changes
            .iter()
            .map(|change| format!("{}={}", change.name, change.value.text()))
            .collect();
        (
            contract
                .with_taught(&changes)
                .unwrap()
                .read_value(setting, &tree),
            texts.join(" "),
        )
    }

    #[test]
    fn word_of_an_unusable_domain_does_not_mean_active() {
        let body = r#"{"domains":[{"host":"a.example","phase":"PENDING_DNS"},
            {"host":"b.example","phase":"LIVE"}]}"#;
        for (row, changes) in [
            ("/domains/0/phase", r#"domains.state=["/phase"]"#),
            ("/domains/1/phase", r#""true", "LIVE"]"#),
        ] {
            let name = DOMAIN_STATE.name;
            let (_, taught) = point_setting_at(&Contract::built_in(), name, row, body);
            assert!(taught.ends_with(changes), "{taught}");
        }
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
            (
                amount("97.95"),
                r#"fee_preview.net=["/resumo/liquido"]"#.into()
            )
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
                r#"{"acesso": {"chave": "\ufdef"}}"#
            )
            .0,
            ReadValue::Hidden
        );
        assert_eq!(
            point_setting_at(
                &built_in,
                "create_link.url",
                "/a~1b",
                r#"{"a/b": "https://x/"}"#
            )
            .0,
            ReadValue::Text("https://x/".into())
        );
    }

    #[test]
    fn list_and_host_of_domains_can_be_taught() {
        let built_in = Contract::built_in();
        let body = r#"{"lojas": {"a.example": {"situacao": "ok"}}, "v": [{"u": "b.example"}]}"#;
        let (read, lines) = point_setting_at(&built_in, "domains.under", "/lojas", body);
        assert_eq!(read, ReadValue::Entries(1));
        assert_eq!(
            lines,
            r#"domains.under=["/lojas"] domains.entries="members""#
        );
        let lines = built_in
            .settings_to_read_at("domains.under", "/v", &tree(body))
            .unwrap();
        let listed = built_in.with_taught(&lines).unwrap();
        let (read, lines) = point_setting_at(&listed, "domains.host", "/v/0/u", body);
        assert_eq!(lines, r#"domains.host=["/u"]"#);
        let ReadValue::Domains(domains) = read else {
            panic!("{read:?}")
        };
        assert_eq!(domains[0].host.shown(), "b.example");
        // A host must be inside an entry of the list.
        for pointer in ["/v", "/v/0", "/lojas/a.example/situacao", ""] {
            assert_eq!(
                point_setting_at(&listed, "domains.host", pointer, body).1,
                "",
                "{pointer}"
            );
        }
        assert_eq!(
            point_setting_at(&built_in, "domains.under", "/v/0/u", body).1,
            ""
        );
    }

    /// A JSON reply with `leaf` nested below `keys`, and the pointer to `leaf`. Each object on the
    /// path has one additional member.
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
}
