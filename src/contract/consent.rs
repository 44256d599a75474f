//! Consent: the settings of the API contract to which the seller has agreed, and the settings that
//! have changed since then.
//!
//! Contract files control money. A program that can write to such a file could send the password
//! elsewhere, multiply an amount by 100, or change the receiver of a withdrawal. So nothing is sent
//! until the seller has agreed to every changed setting.
//!
//! The seller agrees to the merged settings and not to the file, because an upgrade of the program
//! can change settings too. The agreement includes the profile's `proxy`, `ca-file` and message
//! templates.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::operations::{LEAST_RESEND_AFTER, RETENTION_WITHOUT_SOURCE, retention_of};
use super::settings::Setting;
use super::{Contract, TaughtLine};
use crate::trade::Untrusted;

/// The maximum length of a setting's name or value, in characters. Longer settings cannot be agreed
/// to.
///
/// The limit is low because a character can take up to eight columns on the screen.
const LONGEST: usize = 400;

/// The maximum size of the text in the vault that lists the agreed settings, in bytes.
const MOST_BYTES: usize = 60_000;

/// The name under which the seller's agreement contains a profile's proxy.
pub const PROXY_LINE: &str = "profile.proxy";

/// The name under which the seller's agreement contains a profile's additional certificates.
pub const CA_FILE_LINE: &str = "profile.ca-file";

/// The name under which the seller's agreement contains the seller's own message about a payment
/// link.
pub const LINK_MESSAGE_LINE: &str = "links.message";

/// The name under which the seller's agreement contains the seller's own message about a direct
/// payment.
pub const CHARGE_MESSAGE_LINE: &str = "charges.message";

/// Settings of the API contract by name. Each value is in a normal form, so that equal values are
/// equal texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContractLines(BTreeMap<String, String>);

/// The sections of the consent screen, in order. Each section has the prefix of its settings'
/// names, and the message id of its title.
const PARTS: [(&str, &str); 12] = [
    ("login.", "consent-login"),
    ("domains.", "consent-domains"),
    ("create_link.", "consent-create-link"),
    ("direct_payment.", "consent-direct-payment"),
    ("fee_preview.", "consent-fee-preview"),
    ("withdrawal.", "consent-withdrawal"),
    ("request.", "consent-request"),
    ("credential.", "consent-request"),
    ("profile.", "consent-connection"),
    ("links.", "consent-message"),
    ("charges.", "consent-message"),
    ("error.", "consent-error"),
];

/// Returns the consent screen's section that contains this setting, as the message id of its title.
/// Returns `None` if the setting has an unknown prefix.
fn part_of(name: &str) -> Option<&'static str> {
    PARTS.iter().find(|(start, _)| name.starts_with(start)).map(|(_, message)| *message)
}

/// Returns the position of a section on the consent screen. A section is identified by the message
/// id of its title.
fn place_of(part: &str) -> Option<usize> {
    PARTS.iter().position(|(_, message)| *message == part)
}

/// A setting of the API contract that differs from the agreed settings or from the built-in
/// contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineChange {
    /// The section of the consent screen, as the message id of its title.
    pub part: &'static str,
    /// The name of the setting. It is untrusted, because a contract file can contain any name.
    pub name: Untrusted,
    /// The old value, or `None` if the setting is new.
    pub old: Option<Untrusted>,
    /// The new value, or `None` if the setting was removed.
    pub new: Option<Untrusted>,
    /// The message id and the argument of a sentence that explains the effect of the new value.
    /// `None` if no sentence is needed.
    pub meaning: Option<(&'static str, String)>,
    /// True if the setting has changed since the seller's last agreement.
    pub changed_since_agreement: bool,
}

impl ContractLines {
    /// Returns the settings of the built-in API contract.
    pub fn built_in() -> &'static ContractLines {
        static LINES: LazyLock<ContractLines> = LazyLock::new(|| Contract::built_in().lines());
        &LINES
    }

    /// Returns the settings that differ from `old`, in the order of the consent screen.
    pub fn changes_from(&self, old: &ContractLines) -> Vec<LineChange> {
        let gone = old.0.keys().filter(|name| !self.0.contains_key(*name));
        let changed = self.0.iter().filter(|(name, value)| old.0.get(*name) != Some(value));
        let names = changed.map(|(name, _)| name).chain(gone);
        let mut changes: Vec<LineChange> = names
            .filter_map(|name| {
                let part = part_of(name)?;
                let value = |lines: &ContractLines| lines.get(name).map(Untrusted::from);
                let meaning = meaning(name, self, old);
                let (old, new, name) = (value(old), value(self), name.as_str().into());
                Some(LineChange { part, name, old, new, meaning, changed_since_agreement: false })
            })
            .collect();
        let place = |line: &LineChange| place_of(line.part);
        changes.sort_by(|a, b| (place(a), &a.name).cmp(&(place(b), &b.name)));
        changes
    }

    /// Returns true if the seller cannot agree because a name, a value or the whole text is too
    /// long.
    pub fn are_too_long(&self) -> bool {
        let long = |text: &String| text.chars().nth(LONGEST).is_some();
        self.0.iter().any(|(name, value)| long(name) || long(value)) || self.stored().is_none()
    }

    /// Returns the settings as text for the vault, or `None` if the text is too long.
    pub fn stored(&self) -> Option<String> {
        Some(self.text()).filter(|text| text.len() <= MOST_BYTES)
    }

    /// Returns the checksum with which a script agrees to these settings.
    pub fn sum(&self) -> String {
        let sum = Sha256::digest(self.text());
        sum[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn text(&self) -> String {
        // This cannot fail: a map of strings can always be written as JSON.
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// Parses a text from the vault that lists the agreed settings. An invalid text gives `None`,
    /// as if the seller had never agreed.
    pub fn read(text: &str) -> Option<ContractLines> {
        if text.len() > MOST_BYTES {
            return None;
        }
        let lines: BTreeMap<String, String> = serde_json::from_str(text).ok()?;
        let all_known = lines.keys().all(|name| part_of(name).is_some());
        (all_known && !lines.is_empty()).then_some(ContractLines(lines))
    }

    /// Returns the value of the setting with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

impl Contract {
    /// Returns all settings of the API contract and of the profile.
    pub fn lines(&self) -> ContractLines {
        let settings = self.settings.iter();
        let settings = settings.map(|(name, setting)| (name.clone(), setting.value.text()));
        ContractLines(settings.chain(self.of_profile.clone()).collect())
    }

    /// Returns true if the seller must agree to the API contract, because some settings come
    /// neither from the program nor from a preset.
    pub fn needs_consent(&self) -> bool {
        self.needs_consent
    }

    /// Returns the settings to which the seller must agree before anything is sent.
    ///
    /// These are the changes since the last agreement or, without one, the differences from the
    /// built-in contract.
    pub fn to_agree(&self, agreed: Option<&ContractLines>) -> Vec<LineChange> {
        match agreed {
            Some(agreed) => self.lines().changes_from(agreed),
            None if self.needs_consent => self.differences(),
            None => vec![],
        }
    }

    /// Returns the settings for the consent screen: first the ones that need agreement, then all
    /// others that differ from the built-in contract.
    pub fn to_read(&self, agreed: Option<&ContractLines>) -> Vec<LineChange> {
        let mut lines = self.to_agree(agreed);
        for line in &mut lines {
            line.changed_since_agreement = agreed.is_some();
        }
        let is_other = |other: &LineChange| !lines.iter().any(|line| line.name == other.name);
        let others: Vec<_> = self.differences().into_iter().filter(is_other).collect();
        lines.extend(others);
        lines
    }

    /// Returns the settings that differ from the built-in API contract.
    pub fn differences(&self) -> Vec<LineChange> {
        // Fast path: screens call this for every frame, and most sellers use the built-in contract.
        if self.of_profile.is_empty() && self.settings.values().all(Setting::is_built_in) {
            return vec![];
        }
        self.lines().changes_from(ContractLines::built_in())
    }

    /// Returns the settings that count as agreed to after the seller has chosen the settings
    /// `taught` in the app.
    ///
    /// Settings chosen in the app count as agreed to. All others keep their state, even if another
    /// program has just added them to the file.
    pub fn agreed_by_teaching(
        &self,
        agreed: Option<&ContractLines>,
        taught: &[TaughtLine],
    ) -> ContractLines {
        let mut lines = match self.to_agree(agreed).is_empty() {
            true => self.lines(),
            false => agreed.unwrap_or(ContractLines::built_in()).clone(),
        };
        lines.0.extend(taught.iter().map(|line| (line.name.clone(), line.value.text())));
        lines
    }

    /// Returns the time for which the service is assumed to remember an idempotency key, and the
    /// minimum wait before a resend.
    ///
    /// Both values come from the settings last agreed to, so a changed contract file has no effect
    /// yet. If the minimum wait became longer than the service remembers the key, a resend would be
    /// impossible.
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

/// Returns the message id and the argument of a sentence that explains the effect of a changed
/// setting.
fn meaning(name: &str, now: &ContractLines, old: &ContractLines) -> Option<(&'static str, String)> {
    let value = plain(now.get(name)?);
    match name {
        PROXY_LINE => return Some(("consent-proxy", value)),
        CA_FILE_LINE => return Some(("consent-ca-file", value)),
        LINK_MESSAGE_LINE | CHARGE_MESSAGE_LINE => return Some(("consent-message-means", value)),
        _ => {}
    }
    let (of, key) = name.rsplit_once('.')?;
    let beside = |key: &str| now.get(&format!("{of}.{key}")).map(plain);
    let is_field = of.contains(".field.");
    let was_secret = || old.get(name).is_some_and(|kind| plain(kind) == "secret");
    Some(match key {
        "kind" if of.starts_with("login.") && was_secret() && value != "secret" => {
            ("consent-secret-shown", value)
        }
        "name" if is_field && beside("kind").as_deref() == Some("secret") => {
            ("consent-secret-name", value)
        }
        // If the setting `default`, which contains the constant, has changed too, the sentence
        // about `default` is enough.
        "kind" if is_field && value == "fixed" => {
            let default = format!("{of}.default");
            let is_said = now.get(&default) != old.get(&default);
            ("consent-fixed", beside("default").filter(|_| !is_said)?)
        }
        "default" if beside("kind").as_deref() == Some("fixed") => ("consent-fixed", value),
        "default" if is_field => ("consent-default", value),
        "unit" => {
            let example = if value == "centavos" { "4990" } else { "49.90" };
            ("consent-unit", example.to_owned())
        }
        "path" | "method" => {
            ("consent-address", format!("{} {}", beside("method")?, beside("path")?))
        }
        "headers" if of.starts_with("credential.") => ("consent-credential-headers", value),
        "headers" => ("consent-headers", value),
        "credential" => ("consent-credential", value),
        "retention_seconds" => ("consent-retention", value),
        _ => return None,
    })
}

/// Returns the text of a JSON string. Any other JSON value is returned unchanged, as JSON.
fn plain(value: &str) -> String {
    serde_json::from_str(value).unwrap_or_else(|_| value.to_owned())
}

/// Returns the characters in a text that can be mistaken for others, sorted and without duplicates.
pub fn foreign_letters(text: &str) -> Vec<char> {
    let mut found: Vec<char> = text.chars().filter(|c| is_foreign_letter(*c)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns true if a character can be mistaken for another. Such characters are letters and digits
/// outside Western European languages (such as the Cyrillic `а`), full-width forms, and signs that
/// look like a dot or a slash.
pub fn is_foreign_letter(c: char) -> bool {
    match c {
        '\0'..='ÿ' => false,
        '\u{2024}' | '\u{2044}' | '\u{2215}' | '\u{29f8}' | '\u{ff01}'..='\u{ff5e}' => true,
        c => c.is_alphanumeric(),
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

    /// A malicious contract file: the form shows the seller's own Pix key, but the request body
    /// sent to the service contains the thief's key.
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
            assert!(lines.get(name).is_some() && part_of(name).is_some(), "{name}");
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
    }

    #[test]
    fn groups_are_in_the_order_of_a_sellers_day() {
        let file = "error.hint = []\nrequest.headers = ['X-S: 1']\nwithdrawal.unit = 'centavos'\n\
                    fee_preview.net = []\ndirect_payment.id = []\ncreate_link.url = ['/u']\n\
                    domains.host = ['/h']\nlogin.jwt = ['/j']";
        let of_profile = [(PROXY_LINE, "http://p"), (LINK_MESSAGE_LINE, "\"{url}\"")]
            .map(|(n, v)| (n.into(), v.into()));
        let changes = with(file).with_profile_lines(&of_profile.into()).to_agree(None);
        let mut parts: Vec<_> = changes.iter().map(|change| change.part).collect();
        parts.dedup();
        let mut wanted = PARTS.map(|(_, part)| part).to_vec();
        wanted.dedup();
        assert_eq!(parts, wanted);
    }

    #[test]
    fn profile_lines_are_agreed_to_like_others() {
        let lines = |proxy: &str| BTreeMap::from([(PROXY_LINE.to_owned(), proxy.to_owned())]);
        for contract in [Contract::built_in(), with("")] {
            let direct = contract.clone().with_profile_lines(&BTreeMap::new());
            assert_eq!(direct.to_agree(None), []);
            let by_proxy = contract.clone().with_profile_lines(&lines("http://p.example:1"));
            assert_eq!(by_proxy.proxy(), Some("http://p.example:1"));
            assert_eq!(shown(&by_proxy.to_agree(None)), ["profile.proxy: - > http://p.example:1"]);
            // A changed or removed proxy needs a new agreement.
            let agreed = ContractLines::read(&by_proxy.lines().stored().unwrap()).unwrap();
            assert_eq!(by_proxy.to_agree(Some(&agreed)), []);
            let other = contract.clone().with_profile_lines(&lines("http://q.example:1"));
            for changed in [other, direct] {
                assert_eq!(changed.to_agree(Some(&agreed)).len(), 1);
            }
        }
    }

    #[test]
    fn lines_as_the_program_has_them_need_no_consent() {
        let same = "withdrawal.unit = \"\"\"reais\"\"\"\nwithdrawal.retention_seconds = 0x258\n\
                    withdrawal.success = [ 200,201, 202, ]";
        let demo = Contract::own(&[("demo.toml", "withdrawal.unit = 'centavos'")]).unwrap();
        for contract in [Contract::built_in(), with(same), with(""), demo] {
            assert_eq!(contract.to_agree(None), []);
        }
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
        // A setting that was removed from the file needs a new agreement.
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
    fn waits_not_agreed_to_change_nothing() {
        let file = |line: &str, seconds: u32| {
            let source = "withdrawal.retention_source = 'https://x'";
            with(&format!("withdrawal.{line} = {seconds}\n{source}"))
        };
        let retention = |seconds| file("retention_seconds", seconds);
        let resend = |seconds| file("resend_after_seconds", seconds);
        for (contract, agreed, waits) in [
            (Contract::built_in(), None, (600, 30)),
            (retention(7_200), None, (600, 30)),
            (retention(60), None, (600, 30)),
            (retention(7_200), Some(retention(7_200)), (7_200, 30)),
            (retention(7_200), Some(retention(60)), (60, 30)),
            (retention(60), Some(retention(999_999)), (86_400, 30)),
            (resend(86_400), None, (600, 30)),
            (resend(90), Some(resend(90)), (600, 90)),
            (resend(86_400), Some(resend(90)), (600, 90)),
        ] {
            let (retention, wait) = contract.waits(agreed.map(|it| it.lines()).as_ref());
            assert_eq!((retention.as_secs(), wait.as_secs()), waits);
        }
    }

    #[test]
    fn new_lines_are_listed_first() {
        let two = with("withdrawal.unit = 'centavos'\nlogin.path = '/l'");
        let first: Vec<_> =
            two.to_read(None).iter().map(|line| line.changed_since_agreement).collect();
        assert_eq!(first, [false, false]);
        let agreed = with("login.path = '/l'").lines();
        let lines = two.to_read(Some(&agreed));
        let read: Vec<_> =
            lines.iter().map(|line| (line.name.shown(), line.changed_since_agreement)).collect();
        assert_eq!(read, [("withdrawal.unit".into(), true), ("login.path".into(), false)]);
        let agreed = two.lines();
        assert!(two.to_read(Some(&agreed)).iter().all(|line| !line.changed_since_agreement));
    }

    #[test]
    fn teaching_agrees_to_its_own_lines_alone() {
        let net = |at: &str| {
            let value = super::super::SettingValue::Texts(vec![at.into()]);
            [TaughtLine { name: "fee_preview.net".into(), value }]
        };
        // If the seller had already agreed to everything, setting one value in the app leaves
        // nothing to agree to.
        let built_in = Contract::built_in();
        let agreed = built_in.agreed_by_teaching(None, &net("/n"));
        let taught = built_in.taught(&net("/n")).unwrap();
        assert_eq!(taught.to_agree(None).len(), 1);
        assert_eq!(taught.to_agree(Some(&agreed)), []);
        // A setting that needed agreement still needs it after the seller has set a different one.
        let pending = with("withdrawal.unit = 'centavos'");
        let agreed = pending.agreed_by_teaching(None, &net("/n"));
        let taught = pending.taught(&net("/n")).unwrap();
        let left = ["withdrawal.unit: \"reais\" > \"centavos\""];
        assert_eq!(shown(&taught.to_agree(Some(&agreed))), left);
        // A setting that another program added to the file still needs agreement.
        let agreed = built_in.agreed_by_teaching(None, &net("/n"));
        let file = "withdrawal.unit = 'centavos'\nfee_preview.net = ['/n']";
        assert_eq!(shown(&with(file).to_agree(Some(&agreed))), left);
    }

    #[test]
    fn sum_of_a_file_stays_what_was_agreed_to() {
        let file = format!("{STOLEN}retention_seconds = 0x3c\nfield.key.sent = true\n");
        let lines = format!("{file}empty_success = true\nsuccess = [ 200 , 204 ]\n");
        let odd = "[direct_payment.field.\"a \\\"b\"]\nname = 'a\"\\é'\nkind = 'text'\n";
        let contract = with(&format!("{lines}{odd}"));
        assert_eq!(contract.lines().sum(), "55e0ae8a5a2e99e5eebb34c7c935f46f");
        assert_eq!(Contract::built_in().lines().sum(), "d77182fb1864f80fa1c978a0f01145bb");
    }

    /// Returns, for each changed setting in a file, the message that explains its effect.
    fn meanings(file: &str) -> Vec<(String, Option<(&'static str, String)>)> {
        let contract = Contract::with(&[("loja.toml", file)]).unwrap();
        let lines = contract.to_agree(None).into_iter();
        lines.map(|line| (line.name.shown(), line.meaning)).collect()
    }

    #[test]
    fn each_kind_of_line_has_its_meaning() {
        for (file, name, message, value) in [
            (
                "login.field.password.name = 'memo'",
                "login.field.password.name",
                "consent-secret-name",
                "memo",
            ),
            ("create_link.unit = 'centavos'", "create_link.unit", "consent-unit", "4990"),
            ("domains.path = '/d'", "domains.path", "consent-address", "GET /d"),
            ("login.headers = ['X-A: 1']", "login.headers", "consent-headers", "[\"X-A: 1\"]"),
            (
                "credential.jwt.headers = ['X-Jwt: {}']",
                "credential.jwt.headers",
                "consent-credential-headers",
                "[\"X-Jwt: {}\"]",
            ),
            (
                "domains.credential = 'api-token'",
                "domains.credential",
                "consent-credential",
                "api-token",
            ),
            (
                "withdrawal.retention_seconds = 60",
                "withdrawal.retention_seconds",
                "consent-retention",
                "60",
            ),
            (
                "direct_payment.field.name.default = 'Ana'",
                "direct_payment.field.name.default",
                "consent-default",
                "Ana",
            ),
            (
                "direct_payment.field.method.default = 'card'",
                "direct_payment.field.method.default",
                "consent-fixed",
                "card",
            ),
        ] {
            let meaning = Some((message, value.to_owned()));
            assert_eq!(meanings(file), [(name.to_owned(), meaning)], "{file}");
        }
        // Settings that change only how replies are read, and not what is sent, get no explanation.
        for (file, name) in
            [("error.hint = []", "error.hint"), ("domains.default = ['/x']", "domains.default")]
        {
            assert_eq!(meanings(file), [(name.to_owned(), None)]);
        }
        let thief = "login.body = ['email', 'password', 'thief']
                     login.field.thief = { name = 'user', kind = 'fixed', default = 'ladrao@x' }";
        let said: Vec<_> = meanings(thief).into_iter().filter_map(|(_, meaning)| meaning).collect();
        assert_eq!(said, [("consent-fixed", "ladrao@x".to_owned())]);
    }

    #[test]
    fn password_that_becomes_a_text_is_shown() {
        let built_in = ContractLines::built_in();
        let mut now = built_in.clone();
        let name = "login.field.password.kind";
        now.0.insert(name.into(), "\"text\"".into());
        let shown = Some(("consent-secret-shown", "text".to_owned()));
        assert_eq!(meaning(name, &now, built_in), shown);
    }

    #[test]
    fn profile_lines_have_their_meaning() {
        let values =
            [(PROXY_LINE, "http://p:1"), (CA_FILE_LINE, "x"), (LINK_MESSAGE_LINE, "\"x\"")];
        let lines = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let contract = Contract::built_in().with_profile_lines(&lines.into());
        let said: Vec<_> =
            contract.to_agree(None).into_iter().filter_map(|line| line.meaning).collect();
        let value = |message, value: &str| (message, value.to_owned());
        assert_eq!(
            said,
            [
                value("consent-ca-file", "x"),
                value("consent-proxy", "http://p:1"),
                value("consent-message-means", "x")
            ]
        );
    }

    #[test]
    fn foreign_letters_are_found_and_portuguese_is_not() {
        assert!(foreign_letters("Ação à vista, R$ 10,00 – “ok” 😀").is_empty());
        assert_eq!(foreign_letters("аna@lоja.example"), ['а', 'о']);
        assert_eq!(foreign_letters("pıx／ｋey․𝐚"), ['ı', '․', '／', 'ｋ', '𝐚']);
    }
}
