//! The lines of a contract that a seller has agreed to, and what changed in them since.
//!
//! A program that can write the seller's files could send the password elsewhere, a hundred times
//! an amount, or a withdrawal to somebody else. So every line counts: nothing is sent under lines
//! that were not agreed to. The lines are stored as they are in force and not as a file has them,
//! because an upgrade of the program changes lines too. `ca-file`, `proxy` and the templates of the
//! messages for buyers are lines as well.

mod meaning;

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use sha2::{Digest, Sha256};

pub use meaning::{LineMeaning, foreign_letters, is_foreign_letter};

use super::operations::{LEAST_RESEND_AFTER, RETENTION_WITHOUT_SOURCE, retention_of};
use super::settings::Setting;
use super::{Contract, TaughtLine};
use crate::trade::Untrusted;

/// The longest name or value that a person is asked to read, in characters; each character may be
/// shown as a mark of eight.
const LONGEST: usize = 400;

/// The most bytes that the vault stores for one agreement.
const MOST_BYTES: usize = 60_000;

/// The name of the line with a profile's proxy.
pub const PROXY_LINE: &str = "profile.proxy";

/// The name of the line with a profile's further certificates.
pub const CA_FILE_LINE: &str = "profile.ca-file";

/// The name of the line with the seller's own message about a link.
pub const LINK_MESSAGE_LINE: &str = "links.message";

/// The name of the line with the seller's own message about a charge.
pub const CHARGE_MESSAGE_LINE: &str = "charges.message";

/// The lines of a contract: names, and values in one way of writing them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContractLines(BTreeMap<String, String>);

/// The part of the contract that a line belongs to, in the order in which a seller reads them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "a part is its name")]
pub enum LineGroup {
    Login,
    Domains,
    CreateLink,
    DirectPayment,
    FeePreview,
    Withdrawal,
    /// Headers of every request, and how credentials are sent.
    Request,
    /// The proxy and the further certificates.
    Connection,
    /// The seller's own messages for buyers.
    Message,
    Error,
}

/// A line that differs from what was agreed to, or from the built-in contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineChange {
    /// The part that it belongs to.
    pub group: LineGroup,
    /// Its name; a file can make names up.
    pub name: Untrusted,
    /// The old value; `None` if the line is new.
    pub old: Option<Untrusted>,
    /// The new value; `None` if the line is gone.
    pub new: Option<Untrusted>,
    /// The meaning of the new value, if a seller must know it.
    pub meaning: Option<LineMeaning>,
    /// True if something was agreed to before, and this line has changed since.
    pub is_news: bool,
}

impl LineGroup {
    const ALL: [(LineGroup, &'static str); 12] = [
        (LineGroup::Login, "login."),
        (LineGroup::Domains, "domains."),
        (LineGroup::CreateLink, "create_link."),
        (LineGroup::DirectPayment, "direct_payment."),
        (LineGroup::FeePreview, "fee_preview."),
        (LineGroup::Withdrawal, "withdrawal."),
        (LineGroup::Request, "request."),
        (LineGroup::Request, "credential."),
        (LineGroup::Connection, "profile."),
        (LineGroup::Message, "links."),
        (LineGroup::Message, "charges."),
        (LineGroup::Error, "error."),
    ];

    /// Returns the part that a line belongs to; `None` for a name that no line has.
    fn of(name: &str) -> Option<LineGroup> {
        let found = LineGroup::ALL.iter().find(|(_, start)| name.starts_with(start));
        found.map(|(group, _)| *group)
    }
}

impl ContractLines {
    /// Returns the lines of the built-in contract.
    pub fn built_in() -> &'static ContractLines {
        static LINES: LazyLock<ContractLines> = LazyLock::new(|| Contract::built_in().lines());
        &LINES
    }

    /// Returns the lines of these settings and of a profile.
    pub(super) fn of(
        settings: &BTreeMap<String, Setting>,
        of_profile: &BTreeMap<String, String>,
    ) -> ContractLines {
        let settings = settings.iter();
        let settings = settings.map(|(name, setting)| (name.clone(), setting.value.text()));
        let of_profile = of_profile.iter().map(|(name, value)| (name.clone(), value.clone()));
        ContractLines(settings.chain(of_profile).collect())
    }

    /// Returns the same lines with these, which the seller taught, in place of their old values.
    fn with_taught(mut self, taught: &[TaughtLine]) -> ContractLines {
        self.0.extend(taught.iter().map(|line| (line.name.clone(), line.value.text())));
        self
    }

    /// Returns the differences from other lines, in the order in which a seller reads them.
    pub fn changes_from(&self, old: &ContractLines) -> Vec<LineChange> {
        let gone = old.0.keys().filter(|name| !self.0.contains_key(*name));
        let changed = self.0.iter().filter(|(name, value)| old.0.get(*name) != Some(value));
        let names = changed.map(|(name, _)| name).chain(gone);
        let mut changes: Vec<LineChange> = names
            .filter_map(|name| {
                let group = LineGroup::of(name)?;
                let value = |lines: &ContractLines| lines.get(name).map(Untrusted::from);
                let meaning = LineMeaning::of(name, self, old);
                let (old, new, name) = (value(old), value(self), name.as_str().into());
                Some(LineChange { group, name, old, new, meaning, is_news: false })
            })
            .collect();
        changes.sort_by(|a, b| (a.group, &a.name).cmp(&(b.group, &b.name)));
        changes
    }

    /// Returns true if they are more than a person can be asked to read: such lines cannot be
    /// agreed to.
    pub fn are_too_long(&self) -> bool {
        let long = |text: &String| text.chars().nth(LONGEST).is_some();
        self.0.iter().any(|(name, value)| long(name) || long(value)) || self.stored().is_none()
    }

    /// Returns the text that the vault stores; `None` if it is too long.
    pub fn stored(&self) -> Option<String> {
        Some(self.text()).filter(|text| text.len() <= MOST_BYTES)
    }

    /// Returns the sum by which a script names these lines.
    pub fn sum(&self) -> String {
        let sum = Sha256::digest(self.text());
        sum[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn text(&self) -> String {
        // A map of texts has nothing that cannot be written.
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// Reads a text that the vault stored; `None`, as if nothing was agreed to, for any other text.
    pub fn read(text: &str) -> Option<ContractLines> {
        if text.len() > MOST_BYTES {
            return None;
        }
        let lines: BTreeMap<String, String> = serde_json::from_str(text).ok()?;
        let all_known = lines.keys().all(|name| LineGroup::of(name).is_some());
        (all_known && !lines.is_empty()).then_some(ContractLines(lines))
    }

    /// Returns the value of a line.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

impl Contract {
    /// Returns the lines in force.
    pub fn lines(&self) -> ContractLines {
        ContractLines::of(&self.settings, &self.of_profile)
    }

    /// Returns true if a line is the seller's: not the program's own, nor one of its presets'.
    pub fn needs_consent(&self) -> bool {
        self.needs_consent
    }

    /// Returns the lines that the seller has to agree to before anything is sent: the changes since
    /// the last agreement, else the differences from the built-in contract.
    pub fn to_agree(&self, agreed: Option<&ContractLines>) -> Vec<LineChange> {
        match agreed {
            Some(agreed) => self.lines().changes_from(agreed),
            None if self.needs_consent => self.differences(),
            None => vec![],
        }
    }

    /// Returns the lines that a seller reads: those to agree to, then all others that differ from
    /// the built-in contract.
    pub fn to_read(&self, agreed: Option<&ContractLines>) -> Vec<LineChange> {
        let mut lines = self.to_agree(agreed);
        for line in &mut lines {
            line.is_news = agreed.is_some();
        }
        let is_other = |other: &LineChange| !lines.iter().any(|line| line.name == other.name);
        let others: Vec<_> = self.differences().into_iter().filter(is_other).collect();
        lines.extend(others);
        lines
    }

    /// Returns the differences from the built-in contract.
    pub fn differences(&self) -> Vec<LineChange> {
        // Most contracts are the built-in one, and every frame of a pane asks.
        if self.of_profile.is_empty() && self.settings.values().all(Setting::is_built_in) {
            return vec![];
        }
        self.lines().changes_from(ContractLines::built_in())
    }

    /// Returns the lines that are agreed to once the seller has taught these.
    ///
    /// If all lines in force were agreed to, all of them still are. If some were pending, they stay
    /// pending. A line that another program wrote into the file meanwhile is in neither.
    pub fn agreed_by_teaching(
        &self,
        agreed: Option<&ContractLines>,
        taught: &[TaughtLine],
    ) -> ContractLines {
        let base = match self.to_agree(agreed).is_empty() {
            true => self.lines(),
            false => agreed.unwrap_or(ContractLines::built_in()).clone(),
        };
        base.with_taught(taught)
    }

    /// Returns the time for which a key is assumed to be remembered, and the wait before a resend:
    /// those agreed to last, while other lines are in force.
    ///
    /// A wait that is longer than the window leaves the withdrawal to a person: a file that nobody
    /// agreed to does not decide that.
    pub fn waits(&self, agreed: Option<&ContractLines>) -> (Duration, Duration) {
        if self.to_agree(agreed).is_empty() {
            return (self.withdrawal.retention, self.withdrawal.resend_after);
        }
        let lines = agreed.unwrap_or(ContractLines::built_in());
        let seconds = |name, otherwise: u32| {
            lines.get(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
        };
        let retention = seconds("withdrawal.retention_seconds", RETENTION_WITHOUT_SOURCE);
        let wait = seconds("withdrawal.resend_after_seconds", LEAST_RESEND_AFTER);
        (retention_of(retention), Duration::from_secs(wait.max(LEAST_RESEND_AFTER).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Contract;

    fn with(text: &str) -> Contract {
        Contract::with(&[("/srv/ana/loja.toml", text)]).unwrap()
    }

    fn shown(changes: &[LineChange]) -> Vec<String> {
        let side = |text: &Option<Untrusted>| text.as_ref().map_or("-".into(), Untrusted::shown);
        let shown =
            |c: &LineChange| format!("{}: {} > {}", c.name.shown(), side(&c.old), side(&c.new));
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
    fn every_changed_line_is_to_be_agreed_to() {
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
    fn every_line_of_the_contract_is_covered() {
        let contract = Contract::built_in();
        let lines = contract.lines();
        for name in contract.settings().keys() {
            assert!(lines.get(name).is_some() && LineGroup::of(name).is_some(), "{name}");
        }
        for text in [
            "login.path = '/l'",
            "login.field.password.name = 'memo'",
            "domains.path = '/d'",
            "error.hint = []",
            "fee_preview.fee = ['/f']",
            "direct_payment.field.name.label.en = 'Payer'",
            "create_link.credential = 'api-token'",
            "request.headers = ['X-Store: 12']",
            "credential.jwt.shape = 'any'",
        ] {
            assert_eq!(with(text).to_agree(None).len(), 1, "{text}");
        }
        assert_eq!(with("").to_agree(None), []);
    }

    #[test]
    fn groups_are_in_the_order_of_a_sellers_day() {
        let file = "error.hint = []\nrequest.headers = ['X-S: 1']\nwithdrawal.unit = 'centavos'\n\
                    fee_preview.net = []\ndirect_payment.id = []\ncreate_link.url = ['/u']\n\
                    domains.host = ['/h']\nlogin.jwt = ['/j']";
        let of_profile = [(PROXY_LINE, "http://p"), (LINK_MESSAGE_LINE, "\"{url}\"")]
            .map(|(n, v)| (n.into(), v.into()));
        let changes = with(file).of_profile(&of_profile.into()).to_agree(None);
        let groups: Vec<_> = changes.iter().map(|change| change.group).collect();
        use LineGroup::*;
        let order = [Login, Domains, CreateLink, DirectPayment, FeePreview, Withdrawal, Request];
        assert_eq!(groups[..7], order);
        assert_eq!(groups[7..], [Connection, Message, Error]);
    }

    #[test]
    fn profile_lines_are_agreed_to_like_others() {
        let lines = |proxy: &str| BTreeMap::from([(PROXY_LINE.to_owned(), proxy.to_owned())]);
        for contract in [Contract::built_in(), with("")] {
            let direct = contract.clone().of_profile(&BTreeMap::new());
            assert_eq!(direct.to_agree(None), []);
            let by_proxy = contract.clone().of_profile(&lines("http://p.example:1"));
            assert_eq!(by_proxy.proxy(), Some("http://p.example:1"));
            assert_eq!(shown(&by_proxy.to_agree(None)), ["profile.proxy: - > http://p.example:1"]);
            // It is stored, and another proxy or none is a change again.
            let agreed = ContractLines::read(&by_proxy.lines().stored().unwrap()).unwrap();
            assert_eq!(by_proxy.to_agree(Some(&agreed)), []);
            let other = contract.clone().of_profile(&lines("http://q.example:1"));
            for changed in [other, direct] {
                assert_eq!(changed.to_agree(Some(&agreed)).len(), 1);
            }
        }
    }

    #[test]
    fn same_value_written_otherwise_is_no_change() {
        let same = "withdrawal.unit = \"\"\"reais\"\"\"\nwithdrawal.retention_seconds = 0x258\n\
                    withdrawal.success = [ 200,201, 202, ]";
        assert_eq!(with(same).to_agree(None), []);
    }

    #[test]
    fn built_in_and_demo_contracts_need_no_consent() {
        assert_eq!(Contract::built_in().to_agree(None), []);
        let own = Contract::own(&[("demo.toml", "withdrawal.unit = 'centavos'")]).unwrap();
        assert_eq!(own.to_agree(None), []);
    }

    #[test]
    fn lines_agreed_to_are_not_asked_again() {
        let one = with("withdrawal.unit = 'centavos'");
        let agreed = one.lines();
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
    fn upgrade_asks_again_if_something_was_agreed_to() {
        let mut earlier = Contract::built_in().lines();
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
    fn stored_text_is_read_back_and_no_other() {
        let lines = with(STOLEN).lines();
        let stored = lines.stored().unwrap();
        assert_eq!(ContractLines::read(&stored), Some(lines));
        let cut = &stored[..stored.len() - 1];
        let foreign = "{\"confirmed\":\"x\"}";
        let long = format!("{{\"withdrawal.x\":\"{}\"}}", "x".repeat(MOST_BYTES));
        for text in [cut, "", "{}", "[]", "{\"withdrawal.x\":1}", foreign, &long] {
            assert_eq!(ContractLines::read(text), None, "{:.60}", text);
        }
    }

    #[test]
    fn lines_too_long_to_read_are_found() {
        assert!(!with(STOLEN).lines().are_too_long());
        let value = format!("withdrawal.field.key.label.en = '{}'", "x".repeat(LONGEST));
        assert!(with(&value).lines().are_too_long());
        let many = |n| {
            let field = |n| format!("withdrawal.field.f{n} = {{ name = 'n', kind = 'text' }}\n");
            with(&(0..n).map(field).collect::<String>()).lines()
        };
        assert!(!many(100).are_too_long());
        assert!(many(1_000).are_too_long());
        assert_eq!(many(1_000).stored(), None);
    }

    #[test]
    fn retention_not_agreed_to_changes_nothing() {
        let file = |seconds: u32| {
            with(&format!(
                "[withdrawal]\nretention_seconds = {seconds}\nretention_source = 'https://x'"
            ))
        };
        let seconds = |contract: &Contract, agreed: Option<&Contract>| {
            contract.waits(agreed.map(Contract::lines).as_ref()).0.as_secs()
        };
        assert_eq!(seconds(&file(7_200), None), 600);
        assert_eq!(seconds(&file(60), None), 600);
        assert_eq!(seconds(&file(7_200), Some(&file(7_200))), 7_200);
        assert_eq!(seconds(&file(7_200), Some(&file(60))), 60);
        assert_eq!(seconds(&file(60), Some(&file(999_999))), 86_400);
        assert_eq!(seconds(&Contract::built_in(), None), 600);
    }

    #[test]
    fn resend_wait_not_agreed_to_changes_nothing() {
        let file = |seconds: u32| with(&format!("withdrawal.resend_after_seconds = {seconds}"));
        let seconds = |contract: &Contract, agreed: Option<&Contract>| {
            contract.waits(agreed.map(Contract::lines).as_ref()).1.as_secs()
        };
        assert_eq!(seconds(&file(86_400), None), 30);
        assert_eq!(seconds(&file(90), Some(&file(90))), 90);
        assert_eq!(seconds(&file(86_400), Some(&file(90))), 90);
        assert_eq!(seconds(&Contract::built_in(), None), 30);
    }

    #[test]
    fn what_is_read_begins_with_what_is_new() {
        let two = with("withdrawal.unit = 'centavos'\nlogin.path = '/l'");
        let first: Vec<_> = two.to_read(None).iter().map(|line| line.is_news).collect();
        assert_eq!(first, [false, false]);
        let agreed = with("login.path = '/l'").lines();
        let lines = two.to_read(Some(&agreed));
        let read: Vec<_> = lines.iter().map(|line| (line.name.shown(), line.is_news)).collect();
        assert_eq!(read, [("withdrawal.unit".into(), true), ("login.path".into(), false)]);
        let agreed = two.lines();
        assert!(two.to_read(Some(&agreed)).iter().all(|line| !line.is_news));
    }

    #[test]
    fn teaching_agrees_to_its_own_lines_alone() {
        let net = |at: &str| {
            let value = super::super::SettingValue::Texts(vec![at.into()]);
            [TaughtLine { name: "fee_preview.net".into(), value }]
        };
        // All was agreed to: all is agreed to afterwards.
        let built_in = Contract::built_in();
        let agreed = built_in.agreed_by_teaching(None, &net("/n"));
        let taught = built_in.taught(&net("/n")).unwrap();
        assert_eq!(taught.to_agree(None).len(), 1);
        assert_eq!(taught.to_agree(Some(&agreed)), []);
        // Something was pending: it still is.
        let pending = with("withdrawal.unit = 'centavos'");
        let agreed = pending.agreed_by_teaching(None, &net("/n"));
        let taught = pending.taught(&net("/n")).unwrap();
        let left = ["withdrawal.unit: \"reais\" > \"centavos\""];
        assert_eq!(shown(&taught.to_agree(Some(&agreed))), left);
        // So is a line that came into the file meanwhile.
        let agreed = built_in.agreed_by_teaching(None, &net("/n"));
        let file = "withdrawal.unit = 'centavos'\nfee_preview.net = ['/n']";
        assert_eq!(shown(&with(file).to_agree(Some(&agreed))), left);
    }

    #[test]
    fn sum_changes_with_every_line() {
        let sum = Contract::built_in().lines().sum();
        assert_eq!(sum.len(), 32);
        assert_ne!(with("login.path = '/l'").lines().sum(), sum);
        assert_eq!(with("").lines().sum(), sum);
    }

    #[test]
    fn sum_of_a_file_stays_what_was_agreed_to() {
        let file = format!("{STOLEN}retention_seconds = 0x3c\nfield.key.sent = true\n");
        let lines = format!("{file}empty_success = true\nsuccess = [ 200 , 204 ]\n");
        let odd = "[direct_payment.field.\"a \\\"b\"]\nname = 'a\"\\é'\nkind = 'text'\n";
        let contract = with(&format!("{lines}{odd}"));
        assert_eq!(contract.lines().sum(), "43c5d8cb7931473e5f7c4cebcae67d13");
        assert_eq!(Contract::built_in().lines().sum(), "ec4e62fb5622b7505ffcf5c723656a11");
    }
}
