use super::*;
use crate::contract::Contract;

fn with(text: &str) -> Contract {
    Contract::with(&[("/srv/ana/loja.toml", text)]).unwrap()
}

fn describe(changes: &[SettingChange]) -> Vec<String> {
    let value = |text: &Option<Untrusted>| text.as_ref().map_or("-".into(), Untrusted::shown);
    let describe_change =
        |c: &SettingChange| format!("{}: {} > {}", c.name.shown(), value(&c.old), value(&c.new));
    changes.iter().map(describe_change).collect()
}

/// A malicious contract file: the form shows the seller's own Pix key, but the request body
/// sent to the service contains the thief's key.
const THIEF_CONTRACT: &str = "confirmed = ['withdrawal.unit']
[withdrawal]
unit = 'centavos'
body = ['amount', 'key_kind', 'key', 'thief']
field.key.name = 'x'
field.thief = { name = 'pixKey', kind = 'fixed', default = 'ladrao@mal.example' }
";

#[test]
fn every_changed_setting_needs_agreement() {
    let changes = with(THIEF_CONTRACT).settings_to_agree(None);
    let body = "[\"amount\", \"key_kind\", \"key\", ";
    assert_eq!(
        describe(&changes),
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
fn consent_covers_every_setting() {
    let contract = Contract::built_in();
    let lines = contract.all_settings();
    for name in contract.settings().keys() {
        assert!(
            lines.get(name).is_some() && section_of(name).is_some(),
            "{name}"
        );
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
        assert_eq!(with(text).settings_to_agree(None).len(), 1, "{text}");
    }
}

#[test]
fn sections_are_in_the_order_of_the_consent_screen() {
    let file = "error.hint = []\nrequest.headers = ['X-S: 1']\nwithdrawal.unit = 'centavos'\n\
                fee_preview.net = []\ndirect_payment.id = []\ncreate_link.url = ['/u']\n\
                domains.host = ['/h']\nlogin.jwt = ['/j']";
    let profile = [
        (PROXY_SETTING, "http://p"),
        (LINK_MESSAGE_SETTING, "\"{url}\""),
    ]
    .map(|(n, v)| (n.into(), v.into()));
    let contract = with(file)
        .with_profile_settings(&profile.into())
        .with_base_url(&origin().0);
    let changes = contract.settings_to_agree(None);
    let mut sections: Vec<_> = changes.iter().map(|change| change.section).collect();
    sections.dedup();
    let mut expected = SECTIONS.map(|(_, section)| section).to_vec();
    expected.dedup();
    assert_eq!(sections, expected);
}

#[test]
fn profile_settings_are_agreed_to_like_others() {
    let settings = |proxy: &str| BTreeMap::from([(PROXY_SETTING.to_owned(), proxy.to_owned())]);
    for contract in [Contract::built_in(), with("")] {
        let direct = contract.clone().with_profile_settings(&BTreeMap::new());
        assert_eq!(direct.settings_to_agree(None), []);
        let by_proxy = contract
            .clone()
            .with_profile_settings(&settings("http://p.example:1"));
        assert_eq!(by_proxy.proxy(), Some("http://p.example:1"));
        assert_eq!(
            describe(&by_proxy.settings_to_agree(None)),
            ["profile.proxy: - > http://p.example:1"]
        );
        // A changed or removed proxy needs a new agreement.
        let agreed =
            ContractSettings::from_vault_text(&by_proxy.all_settings().to_vault_text().unwrap())
                .unwrap();
        assert_eq!(by_proxy.settings_to_agree(Some(&agreed)), []);
        let other = contract
            .clone()
            .with_profile_settings(&settings("http://q.example:1"));
        for changed in [other, direct] {
            assert_eq!(changed.settings_to_agree(Some(&agreed)).len(), 1);
        }
    }
}

#[test]
fn settings_equal_to_built_in_need_no_consent() {
    let same = "withdrawal.unit = \"\"\"reais\"\"\"\nwithdrawal.retention_seconds = 0x258\n\
                withdrawal.success = [ 200,201, 202, ]";
    let demo =
        Contract::from_program_files(&[("demo.toml", "withdrawal.unit = 'centavos'")]).unwrap();
    for contract in [Contract::built_in(), with(same), with(""), demo] {
        assert_eq!(contract.settings_to_agree(None), []);
    }
}

#[test]
fn agreed_settings_need_no_second_consent() {
    let contract = with("withdrawal.unit = 'centavos'");
    let agreed = contract.all_settings();
    assert_eq!(contract.settings_to_agree(Some(&agreed)), []);
    let more = with("withdrawal.unit = 'centavos'\nwithdrawal.field.key.label.en = 'Key'");
    assert_eq!(
        describe(&more.settings_to_agree(Some(&agreed))),
        ["withdrawal.field.key.label.en: \"Pix key\" > \"Key\""]
    );
    // A setting that was removed from the file needs a new agreement.
    let removed = Contract::built_in().settings_to_agree(Some(&agreed));
    assert_eq!(
        describe(&removed),
        ["withdrawal.unit: \"centavos\" > \"reais\""]
    );
}

#[test]
fn upgrade_asks_again_if_something_was_agreed_to() {
    let mut earlier = Contract::built_in().all_settings();
    assert_eq!(Contract::built_in().settings_to_agree(Some(&earlier)), []);
    earlier
        .0
        .insert("withdrawal.path".into(), "\"/api/v0/withdrawals\"".into());
    earlier.0.remove("withdrawal.echo_amount");
    earlier.0.insert("withdrawal.old".into(), "true".into());
    assert_eq!(
        describe(&Contract::built_in().settings_to_agree(Some(&earlier))),
        [
            "withdrawal.echo_amount: - > [\"/amount\"]",
            "withdrawal.old: true > -",
            "withdrawal.path: \"/api/v0/withdrawals\" > \"/api/v1/integrations/withdrawals\"",
        ]
    );
}

#[test]
fn stored_text_is_read_back_and_no_other() {
    let lines = with(THIEF_CONTRACT).all_settings();
    let stored = lines.to_vault_text().unwrap();
    assert_eq!(ContractSettings::from_vault_text(&stored), Some(lines));
    let truncated = &stored[..stored.len() - 1];
    let unknown_name = "{\"confirmed\":\"x\"}";
    let too_long = format!("{{\"withdrawal.x\":\"{}\"}}", "x".repeat(MAX_BYTES));
    for text in [
        truncated,
        "",
        "{}",
        "[]",
        "{\"withdrawal.x\":1}",
        unknown_name,
        &too_long,
    ] {
        assert_eq!(
            ContractSettings::from_vault_text(text),
            None,
            "{:.60}",
            text
        );
    }
}

#[test]
fn settings_too_long_for_consent_are_found() {
    assert!(!with(THIEF_CONTRACT).all_settings().are_too_long());
    let value = format!(
        "withdrawal.field.key.label.en = '{}'",
        "x".repeat(MAX_SETTING_LENGTH)
    );
    assert!(with(&value).all_settings().are_too_long());
    let with_fields = |n| {
        let field = |n| format!("withdrawal.field.f{n} = {{ name = 'n', kind = 'text' }}\n");
        with(&(0..n).map(field).collect::<String>()).all_settings()
    };
    assert!(!with_fields(100).are_too_long());
    assert!(with_fields(1_000).are_too_long());
    assert_eq!(with_fields(1_000).to_vault_text(), None);
}

#[test]
fn waits_without_agreement_are_ignored() {
    let contract = |name: &str, seconds: u32| {
        let source = "withdrawal.retention_source = 'https://x'";
        with(&format!("withdrawal.{name} = {seconds}\n{source}"))
    };
    let retention = |seconds| contract("retention_seconds", seconds);
    let resend = |seconds| contract("resend_after_seconds", seconds);
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
        let (retention, wait) =
            contract.retention_and_resend_wait(agreed.map(|it| it.all_settings()).as_ref());
        assert_eq!((retention.as_secs(), wait.as_secs()), waits);
    }
}

#[test]
fn changed_settings_are_listed_first() {
    let contract = with("withdrawal.unit = 'centavos'\nlogin.path = '/l'");
    let marks: Vec<_> = contract
        .settings_to_review(None)
        .iter()
        .map(|line| line.changed_since_agreement)
        .collect();
    assert_eq!(marks, [false, false]);
    let agreed = with("login.path = '/l'").all_settings();
    let lines = contract.settings_to_review(Some(&agreed));
    let marks: Vec<_> = lines
        .iter()
        .map(|line| (line.name.shown(), line.changed_since_agreement))
        .collect();
    assert_eq!(
        marks,
        [
            ("withdrawal.unit".into(), true),
            ("login.path".into(), false)
        ]
    );
    let agreed = contract.all_settings();
    assert!(
        contract
            .settings_to_review(Some(&agreed))
            .iter()
            .all(|line| !line.changed_since_agreement)
    );
}

#[test]
fn teaching_agrees_only_to_taught_settings() {
    let net_at = |pointer: &str| {
        let value = super::super::SettingValue::Texts(vec![pointer.into()]);
        [TaughtSetting {
            name: "fee_preview.net".into(),
            value,
        }]
    };
    // If the seller had agreed to everything, a setting chosen in the app needs no agreement.
    let built_in = Contract::built_in();
    let agreed = built_in.agreed_after_teaching(None, &net_at("/n"));
    let taught = built_in.with_taught(&net_at("/n")).unwrap();
    assert_eq!(taught.settings_to_agree(None).len(), 1);
    assert_eq!(taught.settings_to_agree(Some(&agreed)), []);
    // A setting without agreement still needs it after the seller has chosen another setting.
    let pending = with("withdrawal.unit = 'centavos'");
    let agreed = pending.agreed_after_teaching(None, &net_at("/n"));
    let taught = pending.with_taught(&net_at("/n")).unwrap();
    let unit_change = ["withdrawal.unit: \"reais\" > \"centavos\""];
    assert_eq!(
        describe(&taught.settings_to_agree(Some(&agreed))),
        unit_change
    );
    // A setting that another program added to the file still needs agreement.
    let agreed = built_in.agreed_after_teaching(None, &net_at("/n"));
    let file = "withdrawal.unit = 'centavos'\nfee_preview.net = ['/n']";
    assert_eq!(
        describe(&with(file).settings_to_agree(Some(&agreed))),
        unit_change
    );
}

/// The origin of the seller's service.
fn origin() -> Origin {
    Origin("https://api.loja.example".into())
}

/// The origin of a thief's service.
fn other_origin() -> Origin {
    Origin("https://api.ladrao.example".into())
}

fn preset(name: &str) -> Contract {
    let preset = crate::contract::Preset::named(name).unwrap();
    Contract::with(&[(preset.file, preset.text)]).unwrap()
}

#[test]
fn origin_is_first_line_and_part_of_checksum() {
    for contract in [
        Contract::built_in(),
        preset("centavos"),
        with(THIEF_CONTRACT),
    ] {
        let here = contract.clone().with_base_url(&origin().0);
        let changes = here.settings_to_agree(None);
        assert_eq!(changes.len(), contract.differences().len() + 1);
        assert!(changes[0].is_base_url() && !changes[1..].iter().any(SettingChange::is_base_url));
        assert_eq!(
            describe(&changes[..1]),
            ["profile.base-url: - > https://api.loja.example"]
        );
        assert_eq!(here.settings_to_agree(Some(&here.all_settings())), []);
        let elsewhere = contract.clone().with_base_url(&other_origin().0);
        let checksums = [&here, &elsewhere, &contract].map(|it| it.all_settings().checksum());
        assert!(checksums[0] != checksums[1] && checksums[0] != checksums[2]);
        assert_eq!(
            describe(&elsewhere.settings_to_agree(Some(&here.all_settings()))),
            ["profile.base-url: https://api.loja.example > https://api.ladrao.example"]
        );
        // Settings without an origin, as an earlier version stored them, agree to no origin.
        assert_eq!(
            here.settings_to_agree(Some(&contract.all_settings())).len(),
            1
        );
    }
}

#[test]
fn typed_origin_agrees_to_nothing_but_the_origin() {
    for (contract, pending) in [(Contract::built_in(), 0), (preset("centavos"), 4)] {
        let contract = contract.with_base_url(&origin().0);
        let typed = contract
            .settings_agreed_at_start(AgreedAtStart::BaseUrl, &origin())
            .unwrap();
        let changes = contract.settings_to_agree(Some(&typed));
        assert_eq!(changes.len(), pending, "{:?}", describe(&changes));
        // The seller has never agreed to other settings, so none is marked as changed since then.
        let lines = contract.settings_to_review(Some(&typed));
        assert!(lines.iter().all(|line| !line.changed_since_agreement));
        assert!(
            lines
                .first()
                .is_none_or(|line| line.is_base_url() && line.old == line.new)
        );
        assert_eq!(
            contract.settings_agreed_at_start(AgreedAtStart::Nothing, &origin()),
            None
        );
    }
}

#[test]
fn first_run_agrees_to_origin_and_preset_only() {
    let contract = preset("centavos").with_base_url(&origin().0);
    let agreed = contract
        .settings_agreed_at_start(AgreedAtStart::FirstRun, &origin())
        .unwrap();
    assert_eq!(contract.settings_to_agree(Some(&agreed)), []);
    // Another program changes the preset, the origin or the proxy later.
    let proxy = BTreeMap::from([(PROXY_SETTING.to_owned(), "http://p.example:1".to_owned())]);
    for (changed, count) in [
        (Contract::built_in().with_base_url(&origin().0), 4),
        (preset("centavos").with_base_url(&other_origin().0), 1),
        (contract.clone().with_profile_settings(&proxy), 1),
    ] {
        assert_eq!(changed.settings_to_agree(Some(&agreed)).len(), count);
    }
    // A proxy that was in the file before the first run was not chosen there.
    let with_proxy = contract.with_profile_settings(&proxy);
    let agreed = with_proxy
        .settings_agreed_at_start(AgreedAtStart::FirstRun, &origin())
        .unwrap();
    assert_eq!(
        describe(&with_proxy.settings_to_agree(Some(&agreed))),
        ["profile.proxy: - > http://p.example:1"]
    );
}

#[test]
fn agreed_origin_survives_upgrade() {
    let built_in = Contract::built_in().with_base_url(&origin().0);
    let stored = built_in.all_settings().to_vault_text().unwrap();
    // The text contains no built-in setting, so a later version with other settings agrees too.
    assert_eq!(stored, r#"{"profile.base-url":"https://api.loja.example"}"#);
    let read = ContractSettings::from_vault_text(&stored).unwrap();
    assert_eq!(built_in.settings_to_agree(Some(&read)), []);
    assert_eq!(built_in.settings_to_review(Some(&read)), []);
    let preset = preset("centavos").with_base_url(&origin().0);
    assert_eq!(preset.settings_to_agree(Some(&read)).len(), 4);
    let stored = preset.all_settings().to_vault_text().unwrap();
    assert_eq!(
        ContractSettings::from_vault_text(&stored),
        Some(preset.all_settings())
    );
}

#[test]
fn checksum_of_settings_is_stable() {
    let file = format!("{THIEF_CONTRACT}retention_seconds = 0x3c\nfield.key.sent = true\n");
    let lines = format!("{file}empty_success = true\nsuccess = [ 200 , 204 ]\n");
    let quoted_id = "[direct_payment.field.\"a \\\"b\"]\nname = 'a\"\\é'\nkind = 'text'\n";
    let contract = with(&format!("{lines}{quoted_id}"));
    assert_eq!(
        contract.all_settings().checksum(),
        "66d5cd807e66a3642bb127c3bd7242b8"
    );
    assert_eq!(
        Contract::built_in().all_settings().checksum(),
        "345cd003e45f47d912ab7739ae5dca2c"
    );
    let at_origin = Contract::built_in()
        .with_base_url(&origin().0)
        .all_settings();
    assert_eq!(at_origin.checksum(), "bca55de85fe0dcb3d09ee3e68ccf36dd");
}

/// Each changed setting of a contract file with the explanation of its effect.
fn explanations(file: &str) -> Vec<(String, Option<(&'static str, String)>)> {
    let contract = Contract::with(&[("loja.toml", file)]).unwrap();
    let lines = contract.settings_to_agree(None).into_iter();
    lines
        .map(|line| (line.name.shown(), line.explanation))
        .collect()
}

#[test]
fn each_kind_of_setting_has_its_explanation() {
    for (file, name, message, value) in [
        (
            "login.field.password.name = 'memo'",
            "login.field.password.name",
            "consent-secret-name",
            "memo",
        ),
        (
            "create_link.unit = 'centavos'",
            "create_link.unit",
            "consent-unit",
            "4990",
        ),
        (
            "domains.path = '/d'",
            "domains.path",
            "consent-address",
            "GET /d",
        ),
        (
            "login.headers = ['X-A: 1']",
            "login.headers",
            "consent-headers",
            "[\"X-A: 1\"]",
        ),
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
        assert_eq!(explanations(file), [(name.to_owned(), meaning)], "{file}");
    }
    // Settings that change only how replies are read, and not what is sent, get no explanation.
    for (file, name) in [
        ("error.hint = []", "error.hint"),
        ("domains.default = ['/x']", "domains.default"),
    ] {
        assert_eq!(explanations(file), [(name.to_owned(), None)]);
    }
    let thief = "login.body = ['email', 'password', 'thief']
                 login.field.thief = { name = 'user', kind = 'fixed', default = 'ladrao@x' }";
    let messages: Vec<_> = explanations(thief)
        .into_iter()
        .filter_map(|(_, meaning)| meaning)
        .collect();
    assert_eq!(messages, [("consent-fixed", "ladrao@x".to_owned())]);
}

#[test]
fn password_that_becomes_text_is_explained() {
    let built_in = ContractSettings::built_in();
    let mut now = built_in.clone();
    let name = "login.field.password.kind";
    now.0.insert(name.into(), "\"text\"".into());
    let explanation = Some(("consent-secret-shown", "text".to_owned()));
    assert_eq!(explain_change(name, &now, built_in), explanation);
}

#[test]
fn profile_settings_have_their_explanation() {
    let values = [
        (PROXY_SETTING, "http://p:1"),
        (CA_FILE_SETTING, "x"),
        (LINK_MESSAGE_SETTING, "\"x\""),
    ];
    let lines = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let contract = Contract::built_in().with_profile_settings(&lines.into());
    let messages: Vec<_> = contract
        .settings_to_agree(None)
        .into_iter()
        .filter_map(|line| line.explanation)
        .collect();
    let value = |message, value: &str| (message, value.to_owned());
    assert_eq!(
        messages,
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
