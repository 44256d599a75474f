//! The lines that steer money, and what changed in them since somebody agreed to them.
//!
//! A program that can write the seller's contract file could send the next withdrawal elsewhere, or
//! a hundred times as much. That is why these lines are compared with those that the seller agreed
//! to last, and nothing is sent while they differ. They are kept as they are in force and not as a
//! file has them: what an upgrade of the program changes is a change too.
//!
//! Which lines these are: every one of the four operations that make or move money, and of the
//! headers that are sent with them, whatever it says. Lines of `error` are not among them, for they
//! only choose which of the service's words are quoted; nor those of `login` and `domains`, which
//! ask and move nothing. What a profile says of the way to its service, `ca-file` and `proxy`, is
//! among them too.

use std::collections::BTreeMap;
use std::time::Duration;

use super::operations::{LEAST_RESEND_AFTER, RETENTION_WITHOUT_SOURCE, retention_of};
use super::settings::Setting;
use crate::trade::Untrusted;

/// The most characters of a name or a value that anybody is asked to read; each may take a mark of
/// eight where it is shown.
const LONGEST: usize = 400;

/// The most bytes that all of them take where they are kept.
const MOST_BYTES: usize = 60_000;

/// The name of the line with a profile's proxy.
pub const PROXY_LINE: &str = "profile.proxy";

/// The lines that steer money: names, and values in one way of writing them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoneyLines(BTreeMap<String, String>);

/// An operation that makes or moves money, the one that moves it first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "an operation is its name")]
pub enum MoneyOperation {
    Withdrawal,
    FeePreview,
    DirectPayment,
    CreateLink,
}

/// One line that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The operation it belongs to.
    pub operation: MoneyOperation,
    /// Its name; a file can make names up.
    pub name: Untrusted,
    /// The old value; `None` when it is new.
    pub old: Option<Untrusted>,
    /// The new value; `None` when it is gone.
    pub new: Option<Untrusted>,
}

impl MoneyOperation {
    const ALL: [(MoneyOperation, &'static str); 8] = [
        (MoneyOperation::Withdrawal, "withdrawal."),
        (MoneyOperation::FeePreview, "fee_preview."),
        (MoneyOperation::DirectPayment, "direct_payment."),
        (MoneyOperation::CreateLink, "create_link."),
        // They are part of every request, and stand beside the one that matters most.
        (MoneyOperation::Withdrawal, "request."),
        (MoneyOperation::Withdrawal, "profile."),
        (MoneyOperation::Withdrawal, "credential.api-token."),
        (MoneyOperation::CreateLink, "credential.jwt."),
    ];

    /// The operation that a line belongs to, if it is one of these.
    fn of(name: &str) -> Option<MoneyOperation> {
        MoneyOperation::ALL
            .iter()
            .find(|(_, before)| name.starts_with(before))
            .map(|(operation, _)| *operation)
    }
}

impl MoneyLines {
    /// Those among all lines of a contract.
    pub(super) fn among(settings: &BTreeMap<String, Setting>) -> MoneyLines {
        let steering = settings.iter().filter(|(name, _)| MoneyOperation::of(name).is_some());
        MoneyLines(steering.map(|(name, setting)| (name.clone(), setting.value_text())).collect())
    }

    /// The same with the lines of the way to the service.
    pub(super) fn and(mut self, way: &BTreeMap<String, String>) -> MoneyLines {
        self.0.extend(way.iter().map(|(name, value)| (name.clone(), value.clone())));
        self
    }

    /// Returns the differences from these, the withdrawal's own lines first.
    pub fn changes_from(&self, last: &MoneyLines) -> Vec<Change> {
        let gone = last.0.keys().filter(|name| !self.0.contains_key(*name));
        let changed = self.0.iter().filter(|(name, value)| last.0.get(*name) != Some(value));
        let names = changed.map(|(name, _)| name).chain(gone);
        let mut changes: Vec<Change> = names
            .filter_map(|name| {
                let value = |lines: &MoneyLines| lines.0.get(name).map(|text| text.as_str().into());
                let (operation, name) = (MoneyOperation::of(name)?, name.as_str().into());
                Some(Change { operation, name, old: value(last), new: value(self) })
            })
            .collect();
        changes.sort_by(|a, b| (a.operation, &a.name).cmp(&(b.operation, &b.name)));
        changes
    }

    /// Returns true when they are more than a person can be asked to read; such cannot be agreed
    /// to.
    pub fn are_too_long(&self) -> bool {
        let long = |text: &String| text.chars().nth(LONGEST).is_some();
        self.0.iter().any(|(name, value)| long(name) || long(value)) || self.kept().is_none()
    }

    /// All of them as they are kept; `None` when that is more than there is room for.
    pub fn kept(&self) -> Option<String> {
        let text = serde_json::to_string(&self.0).ok()?;
        (text.len() <= MOST_BYTES).then_some(text)
    }

    /// Reads the text that was kept. `None` when it is anything else: that counts as nothing agreed
    /// to.
    pub fn read(text: &str) -> Option<MoneyLines> {
        if text.len() > MOST_BYTES {
            return None;
        }
        let lines: BTreeMap<String, String> = serde_json::from_str(text).ok()?;
        let all_steer = lines.keys().all(|name| MoneyOperation::of(name).is_some());
        (all_steer && !lines.is_empty()).then_some(MoneyLines(lines))
    }

    /// Returns the time for which a service was taken to remember a key.
    pub(super) fn retention(&self) -> Duration {
        let seconds = self.0.get("withdrawal.retention_seconds").and_then(|text| text.parse().ok());
        retention_of(seconds.unwrap_or(RETENTION_WITHOUT_SOURCE))
    }

    /// Returns the wait before a resend.
    pub(super) fn resend_after(&self) -> Duration {
        let seconds =
            self.0.get("withdrawal.resend_after_seconds").and_then(|text| text.parse().ok());
        Duration::from_secs(seconds.unwrap_or(LEAST_RESEND_AFTER).max(LEAST_RESEND_AFTER).into())
    }

    /// Returns the value of a line.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Contract;

    fn with(text: &str) -> Contract {
        Contract::with(&[("/srv/ana/loja.toml", text)]).unwrap()
    }

    fn shown(changes: &[Change]) -> Vec<String> {
        let side = |text: &Option<Untrusted>| text.as_ref().map_or("-".into(), Untrusted::shown);
        let shown = |c: &Change| format!("{}: {} > {}", c.name.shown(), side(&c.old), side(&c.new));
        changes.iter().map(shown).collect()
    }

    /// The file that stole a withdrawal while every screen showed the seller's own key.
    const STOLEN: &str = "confirmed = ['withdrawal.unit']
[withdrawal]
unit = 'centavos'
body = ['amount', 'key_kind', 'key', 'thief']
field.key.name = 'x'
field.thief = { name = 'pixKey', kind = 'fixed', default = 'ladrao@mal.example' }
";

    #[test]
    fn everything_that_a_file_changes_about_money_is_to_be_agreed_to() {
        let changes = with(STOLEN).to_agree(None);
        let body = "[\"amount\", \"key_kind\", \"key\", ";
        assert_eq!(
            shown(&changes),
            [
                format!("withdrawal.body: {body}\"description\"] > {body}\"thief\"]"),
                "withdrawal.field.key.name: \"pixKey\" > \"x\"".into(),
                "withdrawal.field.thief.default: - > \"ladrao@mal.example\"".into(),
                "withdrawal.field.thief.kind: - > \"fixed\"".into(),
                "withdrawal.field.thief.name: - > \"pixKey\"".into(),
                "withdrawal.unit: \"reais\" > \"centavos\"".into(),
            ]
        );
    }

    #[test]
    fn every_line_of_the_four_operations_steers_money_and_no_other() {
        let contract = Contract::built_in();
        let money = contract.money_lines();
        for name in contract.settings().keys() {
            let before = name.split('.').next().unwrap();
            let steering = ["withdrawal", "fee_preview", "direct_payment", "create_link"];
            let steers = steering.contains(&before) || ["credential", "request"].contains(&before);
            assert_eq!(money.get(name).is_some(), steers, "{name}");
        }
        for text in [
            "fee_preview.fee = ['/f']",
            "direct_payment.field.name.label.en = 'Payer'",
            "create_link.credential = 'api-token'",
            "withdrawal.field.key.label.pt-BR = 'Chave'",
            "withdrawal.echo_amount = []",
            "request.headers = ['X-Store: 12']",
            "withdrawal.headers = ['X-Store: 12']",
            "credential.api-token.headers = ['X-Api-Key: {}']",
            "credential.jwt.shape = 'any'",
            "withdrawal.field.waits = { name = 'n', kind = 'text' }",
        ] {
            assert!(!with(text).to_agree(None).is_empty(), "{text}");
        }
        for text in ["error.hint = []", "login.path = '/l'", "domains.path = '/d'", ""] {
            assert_eq!(with(text).to_agree(None), [], "{text}");
        }
    }

    #[test]
    fn the_way_to_the_service_is_agreed_to_as_the_lines_are() {
        let way = |proxy: &str| BTreeMap::from([(PROXY_LINE.to_owned(), proxy.to_owned())]);
        for contract in [Contract::built_in(), with("")] {
            let direct = contract.clone().reached_by(&BTreeMap::new());
            assert_eq!(direct.to_agree(None), []);
            let by_proxy = contract.clone().reached_by(&way("http://p.example:1"));
            assert_eq!(by_proxy.proxy(), Some("http://p.example:1"));
            assert_eq!(shown(&by_proxy.to_agree(None)), ["profile.proxy: - > http://p.example:1"]);
            // It is kept, and another proxy or none is a change again.
            let agreed = MoneyLines::read(&by_proxy.money_lines().kept().unwrap()).unwrap();
            assert_eq!(by_proxy.to_agree(Some(&agreed)), []);
            let other = contract.clone().reached_by(&way("http://q.example:1"));
            for changed in [other, direct] {
                assert_eq!(changed.to_agree(Some(&agreed)).len(), 1);
            }
        }
    }

    #[test]
    fn another_way_of_writing_the_same_is_no_change() {
        let same = "withdrawal.unit = \"\"\"reais\"\"\"\nwithdrawal.retention_seconds = 0x258\n\
                    withdrawal.success = [ 200,201, 202, ]";
        assert_eq!(with(same).to_agree(None), []);
    }

    #[test]
    fn the_programs_own_contracts_need_no_agreement() {
        assert_eq!(Contract::built_in().to_agree(None), []);
        let own = Contract::own(&[("demo.toml", "withdrawal.unit = 'centavos'")]).unwrap();
        assert_eq!(own.to_agree(None), []);
    }

    #[test]
    fn what_was_agreed_to_counts_and_only_that() {
        let one = with("withdrawal.unit = 'centavos'");
        let agreed = one.money_lines();
        assert_eq!(one.to_agree(Some(&agreed)), []);
        let more = with("withdrawal.unit = 'centavos'\nwithdrawal.field.key.label.en = 'Key'");
        assert_eq!(
            shown(&more.to_agree(Some(&agreed))),
            ["withdrawal.field.key.label.en: \"Pix key\" > \"Key\""]
        );
        // A line taken out of the file again is one that changed.
        let back = Contract::built_in().to_agree(Some(&agreed));
        assert_eq!(shown(&back), ["withdrawal.unit: \"centavos\" > \"reais\""]);
    }

    #[test]
    fn what_an_upgrade_changes_is_asked_for_under_the_programs_own_contract_too() {
        let mut earlier = Contract::built_in().money_lines();
        assert_eq!(Contract::built_in().to_agree(Some(&earlier)), []);
        earlier.0.insert("withdrawal.path".into(), "\"/api/v0/withdrawals\"".into());
        earlier.0.remove("withdrawal.echo_amount");
        earlier.0.insert("withdrawal.old".into(), "true".into());
        assert_eq!(
            shown(&Contract::built_in().to_agree(Some(&earlier))),
            [
                "withdrawal.echo_amount: - > [\"/amount\"]",
                "withdrawal.old: true > -",
                "withdrawal.path: \"/api/v0/withdrawals\" > \"/api/v1/integrations/withdrawals\"",
            ]
        );
    }

    #[test]
    fn what_is_kept_comes_back_and_anything_else_is_nothing() {
        let lines = with(STOLEN).money_lines();
        let kept = lines.kept().unwrap();
        assert_eq!(MoneyLines::read(&kept), Some(lines));
        let cut = &kept[..kept.len() - 1];
        let foreign = "{\"login.path\":\"x\"}";
        let long = format!("{{\"withdrawal.x\":\"{}\"}}", "x".repeat(MOST_BYTES));
        for text in [cut, "", "{}", "[]", "{\"withdrawal.x\":1}", foreign, &long] {
            assert_eq!(MoneyLines::read(text), None, "{:.60}", text);
        }
    }

    #[test]
    fn more_than_anybody_can_read_cannot_be_agreed_to() {
        assert!(!with(STOLEN).money_lines().are_too_long());
        let value = format!("withdrawal.field.key.label.en = '{}'", "x".repeat(LONGEST));
        assert!(with(&value).money_lines().are_too_long());
        let many = |n| {
            let field = |n| format!("withdrawal.field.f{n} = {{ name = 'n', kind = 'text' }}\n");
            with(&(0..n).map(field).collect::<String>()).money_lines()
        };
        assert!(!many(100).are_too_long());
        assert!(many(1_000).are_too_long());
        assert_eq!(many(1_000).kept(), None);
    }

    #[test]
    fn a_retention_nobody_agreed_to_lengthens_and_shortens_nothing() {
        let file = |seconds: u32| {
            with(&format!(
                "[withdrawal]\nretention_seconds = {seconds}\nretention_source = 'https://x'"
            ))
        };
        let seconds = |contract: &Contract, agreed: Option<&Contract>| {
            contract.retention(agreed.map(Contract::money_lines).as_ref()).as_secs()
        };
        assert_eq!(seconds(&file(7_200), None), 600);
        assert_eq!(seconds(&file(60), None), 600);
        assert_eq!(seconds(&file(7_200), Some(&file(7_200))), 7_200);
        assert_eq!(seconds(&file(7_200), Some(&file(60))), 60);
        assert_eq!(seconds(&file(60), Some(&file(999_999))), 86_400);
        assert_eq!(seconds(&Contract::built_in(), None), 600);
    }

    #[test]
    fn a_wait_that_nobody_agreed_to_leaves_nothing_to_a_person() {
        let file = |seconds: u32| with(&format!("withdrawal.resend_after_seconds = {seconds}"));
        let seconds = |contract: &Contract, agreed: Option<&Contract>| {
            contract.resend_after(agreed.map(Contract::money_lines).as_ref()).as_secs()
        };
        assert_eq!(seconds(&file(86_400), None), 30);
        assert_eq!(seconds(&file(90), Some(&file(90))), 90);
        assert_eq!(seconds(&file(86_400), Some(&file(90))), 90);
        assert_eq!(seconds(&Contract::built_in(), None), 30);
        // What was kept by an earlier build knows of no wait.
        let earlier = MoneyLines::read(r#"{"withdrawal.path":"/w"}"#);
        assert_eq!(file(90).resend_after(earlier.as_ref()).as_secs(), 30);
    }
}
