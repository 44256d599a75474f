//! Tests of the settings: what is read, and what is refused.

use super::*;

#[test]
fn built_in_contract_has_documented_values() {
    let contract = Contract::built_in();
    assert_eq!(contract.create_link.call.path, "/api/v1/payment-links");
    assert_eq!(contract.withdrawal.call.success, [200, 201, 202]);
    assert_eq!(contract.withdrawal.retention, Duration::from_secs(600));
    assert_eq!(contract.login.call.credential, None);
    assert_eq!(
        contract.withdrawal.call.credential,
        Some(CredentialKind::ApiToken)
    );
    assert!(contract.paths(JWT).is_empty());
}

#[test]
fn every_setting_is_marked_documented_or_assumed() {
    let mut documented = 0;
    for (name, setting) in Contract::built_in().settings() {
        let row = BUILT_IN.lines().nth(setting.line_number - 1).unwrap();
        let is_label = [".label.pt-BR", ".label.en"]
            .iter()
            .any(|end| name.ends_with(end));
        if is_label {
            continue;
        }
        if setting.provenance == Provenance::Documented {
            documented += 1;
            assert!(row.contains('§') && !row.contains("assumed"), "{row}");
        } else {
            let is_marked = row.contains("assumed") || row.contains('§') || row.contains("raise");
            assert!(is_marked, "{row}");
        }
    }
    assert_eq!(documented, 21);
}

#[test]
fn a_file_replaces_only_its_own_settings() {
    let contract = with("withdrawal.field.key.name = 'pix_key'\n[error]\nhint = []\n").unwrap();
    let key = contract.withdrawal.form.field("key").unwrap();
    assert_eq!(
        (key.name.as_str(), key.label_en.as_str()),
        ("pix_key", "Pix key")
    );
    assert!(contract.paths(ERROR_HINT).is_empty());
    assert!(!contract.paths(ERROR_MESSAGE).is_empty());
    let setting = &contract.settings()["error.hint"];
    assert_eq!(
        (&*setting.file, setting.line_number, setting.value.text()),
        ("mine.toml", 3, "[]".into())
    );
}

#[test]
fn clash_with_built_in_reported_at_seller_setting() {
    let file = "/srv/ana/contract.toml";
    let error = |text: &str| Contract::with(&[(file, text)]).unwrap_err().to_string();
    // The seller's setting contradicts a built-in one. The error must name the line in the
    // seller's file.
    let line = Contract::built_in().settings()["withdrawal.body"].line_number;
    let duplicate = "# mine\n[withdrawal.field.description]\nname = 'amount'\n";
    assert_eq!(
        error(duplicate),
        format!(
            "{file}, line 3: `withdrawal.body` takes each name once; `amount` is there twice \
                 (it clashes with line {line} of the built-in contract)"
        )
    );
    // If two settings in the seller's file contradict each other, the error names the first
    // one.
    let both = "[withdrawal.field.description]\nlongest = 10\nname = 'x'\n\
                    [withdrawal.field.key]\nname = 'x'\n";
    assert!(
        error(both).starts_with(&format!("{file}, line 3: ")),
        "{}",
        error(both)
    );
    let incomplete = "login.path = '/a'\nlogin.field.pin.kind = 'text'\n";
    assert_eq!(
        error(incomplete),
        format!("{file}, line 2: the line `login.field.pin.name` is missing")
    );
    // If a single setting is wrong, the error names the line of that setting.
    assert_eq!(
        error("login.path = 1"),
        format!("{file}, line 1: `login.path` takes a text")
    );
}

#[test]
fn an_error_names_file_line_and_the_nearest_name() {
    assert_eq!(
        error_text("\n\n[withdrawal]\npaht = '/x'\n"),
        "mine.toml, line 4: `withdrawal.paht` is no line of the contract; \
             did you mean `withdrawal.path`?"
    );
    assert_eq!(
        error_text("login.field.email.lable.en = 'x'"),
        "mine.toml, line 1: `login.field.email.lable.en` is no line of the contract; \
             did you mean `login.field.email.label.en`?"
    );
    assert_eq!(
        error_text("zzz = 1"),
        "mine.toml, line 1: `zzz` is no line of the contract"
    );
    assert!(error_text("a = 1\nb =").starts_with("mine.toml, line 2: "));
}

fn assert_refused(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let error = error_text(text);
        assert!(error.contains(expected), "{text}: {error}");
        assert!(error.contains(", line "), "{error}");
    }
}

#[test]
fn invalid_values_are_refused() {
    assert_refused(&[
        (
            "[fee_preview]\nmethod = 'POST'\npath = '/api/v1/direct/Payment/?x=1'",
            "takes a path of its own where it is asked for with a body",
        ),
        (
            "domains.pages = 'offset'",
            "takes one of `none`, `number`, `cursor`, `link`",
        ),
        (
            "domains.pages = 'link'",
            "takes `none`, `number` or `link-header` where `next_page` says no place",
        ),
        ("domains.most_pages = 0", "takes a number from 1 to 100"),
        ("domains.most_pages = 101", "takes a number from 1 to 100"),
        (
            "withdrawal.unit = 'cents'",
            "takes one of `reais`, `centavos`",
        ),
        (
            "withdrawal.amount_sent = 'comma'",
            "one of `number`, `text`, `text-comma`",
        ),
        (
            "fee_preview.amount_read = 'dot'",
            "one of `point`, `comma`, `either`",
        ),
        (
            "create_link.amount_read = 'point'",
            "is no line of the contract; did you mean",
        ),
        (
            "withdrawal.unit = 'centavos'\nwithdrawal.amount_sent = 'text-comma'",
            "takes `number` or `text` where `unit` is `centavos`",
        ),
        (
            "withdrawal.credential = 'cookie'",
            "takes one of `api-token`, `jwt`",
        ),
        (
            "withdrawal.success = [200, 301]",
            "takes a list of statuses from 200 to 299",
        ),
        (
            "withdrawal.success = [400]",
            "takes a list of statuses from 200 to 299",
        ),
        (
            "withdrawal.method = 'GET'",
            "takes one of `POST`, `PUT`, `PATCH`",
        ),
        ("login.method = 'PUT'", "takes one of `POST`"),
        ("fee_preview.method = 'PUT'", "takes one of `GET`, `POST`"),
        (
            "domains.encoding = 'form'",
            "is no line of the contract; did you mean",
        ),
        ("withdrawal.encoding = 'xml'", "takes one of `json`, `form`"),
        (
            "withdrawal.key_in_body = 'id'",
            "takes a JSON Pointer to a member",
        ),
        (
            "withdrawal.key_in_body = '/'",
            "takes a JSON Pointer to a member",
        ),
        (
            "withdrawal.key_in_body = '/a~1b'",
            "takes a JSON Pointer to a member",
        ),
        (
            "withdrawal.key_in_body = '/pixKey'",
            "`pixKey` is a field of the body",
        ),
        (
            "withdrawal.key_in_body = '/pixKey/x'",
            "`pixKey` is a field of the body",
        ),
        ("withdrawal.path = '/x?'", "takes a query such as"),
        ("withdrawal.path = '/x?a'", "takes a query such as"),
        ("withdrawal.path = '/x?a=1#b'", "takes a query such as"),
        ("withdrawal.path = '/x#b'", "takes a path"),
        (
            "fee_preview.path = '/x?amo%75nt=1'",
            "takes a query without `amount`",
        ),
        ("withdrawal.id = ['id']", "takes JSON Pointers"),
        ("withdrawal.path = 'api'", "takes a path"),
        ("withdrawal.path = '//evil.example/x'", "takes a path"),
        ("withdrawal.path = 3", "takes a text"),
    ]);
}

#[test]
fn invalid_headers_are_refused() {
    assert_refused(&[
        ("credential.jwt.headers = []", "takes at least one header"),
        (
            "credential.jwt.headers = ['Host: {}']",
            "`Host: {}` is none that a credential can",
        ),
        (
            "credential.jwt.headers = ['X-A: {1}', 'x_a: {2}']",
            "each header once; `x_a` is",
        ),
        ("credential.jwt.shape = 'bearer'", "one of `jwt`, `any`"),
        (
            "credential.cookie.headers = ['X-A: {}']",
            "is no line of the contract",
        ),
        (
            "withdrawal.key_header = 'X-Key'\ncredential.jwt.headers = ['X_Key: {}']",
            "own; `X_",
        ),
        (
            "request.headers = ['Idempotency-Key: 1']",
            "`Idempotency-Key` has another use",
        ),
        (
            "request.headers = ['X-Store']",
            "takes headers such as `X-Store: 12`",
        ),
        (
            "request.headers = ['Authorization: 1']",
            "`Authorization` has another use",
        ),
        (
            "withdrawal.headers = ['Content-Encoding: gzip']",
            "has another use",
        ),
        (
            "domains.headers = ['x-key: 1']\ncredential.api-token.headers = ['X-Key: {}']",
            "headers of their own; `x-key` has another use",
        ),
        (
            "request.headers = ['X-A: 1']\nlogin.headers = ['x-a: 2']",
            "`x-a` is there twice",
        ),
        (
            "withdrawal.key_header = 'a b'",
            "takes the name of a header",
        ),
        ("withdrawal.key_header = ''", "takes a header"),
    ]);
}

#[test]
fn invalid_replies_and_fields_are_refused() {
    assert_refused(&[
        ("withdrawal.empty_success = 'no'", "takes true or false"),
        (
            "withdrawal.retention_seconds = 601",
            "takes more than 600 only with",
        ),
        ("withdrawal.retention_seconds = -1", "takes a whole number"),
        (
            "withdrawal.resend_after_seconds = 29",
            "takes 30 or more: a service may be",
        ),
        (
            "withdrawal.resend_after_seconds = 0",
            "takes 30 or more: a service may be",
        ),
        (
            "withdrawal.failed_words = 'failed'",
            "takes a list of texts",
        ),
        (
            "withdrawal.empty_success = true\nwithdrawal.id_required = true",
            "takes `false` where `empty_success` is true",
        ),
        ("create_link.failed_flag = ['ok']", "takes JSON Pointers"),
        ("withdrawal.failed_code = ['code']", "takes JSON Pointers"),
        (
            "withdrawal.body = ['key_kind', 'key']",
            "takes exactly one amount",
        ),
        (
            "withdrawal.field.amount.sent = false",
            "takes an amount that is sent",
        ),
        (
            "withdrawal.body = ['amount', 'key']",
            "takes a key's kind beside the key",
        ),
        (
            "withdrawal.body = ['amount', 'amont']",
            "`withdrawal.field.amont.name` is missing",
        ),
        (
            "withdrawal.field.key.name = 'amount'",
            "takes each name once",
        ),
        (
            "withdrawal.field.key.name = 'amount/x'",
            "takes each name once",
        ),
        ("withdrawal.field.key.name = 'a//b'", "takes a name"),
        (
            "withdrawal.field.description.kind = 'secret'",
            "takes secrets only in the login",
        ),
        (
            "login.field.password.kind = 'text'",
            "takes a field of kind `secret`, for the",
        ),
        (
            "login.field.password.sent = false",
            "takes a field of kind `secret`, for the",
        ),
        (
            "login.body = ['email']",
            "takes a field of kind `secret`, for the",
        ),
        (
            "login.identity = 'password'",
            "takes a field that is not a secret",
        ),
        (
            "login.identity = 'user'",
            "takes the id of one of the body's fields",
        ),
        (
            "login.field.email.pattern = 'z-a'",
            "takes characters and ranges",
        ),
        ("login.path = 2026-01-01", "takes a text, true or false"),
        ("login.path = ['/l']", "takes a text"),
        ("withdrawal.unit = 1", "takes a text"),
        ("login.success = []", "takes a list of statuses"),
        ("domains.active_words = 'x'", "takes a list of texts"),
        ("login.field.email.required = 'x'", "takes true or false"),
        (
            "login.field.email.kind = 'request-key'",
            "takes one of `text`, `email`, `secret`",
        ),
    ]);
}

/// All operations except the withdrawal.
const OTHERS: [&str; 5] = [
    "login",
    "domains",
    "create_link",
    "direct_payment",
    "fee_preview",
];

#[test]
fn path_of_the_withdrawal_is_refused_elsewhere() {
    let withdrawal = "/api/v1/integrations/withdrawals";
    for path in [withdrawal, "/API/v1/integrations/%77ithdrawals/?kind=pix"] {
        for name in OTHERS {
            let error = error_text(&format!("# mine\n{name}.path = '{path}'"));
            let expected = format!("mine.toml, line 2: `{name}.path` takes a path that is not");
            assert!(error.starts_with(&expected), "{error}");
        }
    }
    // The default path of the withdrawal stays reserved even if the API contract moves the
    // withdrawal.
    for name in OTHERS {
        let lines = format!("withdrawal.path = '/saques'\n{name}.path = ");
        assert!(error_text(&format!("{lines}'{withdrawal}'")).contains("not the withdrawal's"));
        assert!(error_text(&format!("{lines}'/Saques/'")).contains("not the withdrawal's"));
    }
    // The error names the line of the setting that moves the withdrawal to another operation's
    // path.
    let moved = error_text("\nwithdrawal.path = '/api/v1/direct/payment'");
    assert!(
        moved.starts_with("mine.toml, line 2: `direct_payment.path` takes"),
        "{moved}"
    );
    assert!(with("withdrawal.path = '/saques'").is_ok());
}

#[test]
fn ambiguous_path_is_refused() {
    for path in [
        "/api/v1/direct/../integrations/withdrawals",
        "/x/..;/withdrawals",
        "/w%3fa",
    ] {
        for name in OTHERS.into_iter().chain(["withdrawal"]) {
            let error = error_text(&format!("\n{name}.path = '{path}'"));
            let expected = format!("mine.toml, line 2: `{name}.path` takes a path from `/` on");
            assert!(error.starts_with(&expected), "{error}");
        }
    }
}

#[test]
fn header_of_the_key_is_refused_elsewhere() {
    for name in OTHERS {
        for header in ["Idempotency-Key", "idempotency_key", "X-Key"] {
            let lines = format!("withdrawal.key_header = 'X-Key'\n{name}.headers = ");
            let error = error_text(&format!("{lines}['{header}: 1']"));
            let expected = format!("mine.toml, line 2: `{name}.headers` takes headers of their");
            assert!(error.starts_with(&expected), "{error}");
        }
    }
    let credential_error = error_text("credential.jwt.headers = ['Idempotency-Key: {}']");
    assert!(
        credential_error.contains("`Idempotency-Key` carries a credential"),
        "{credential_error}"
    );
    // These headers override the path or the method on some servers.
    for header in [
        "X-Original-URL: /a",
        "X_Rewrite_URL: /a",
        "X-HTTP-Method-Override: POST",
    ] {
        assert!(error_text(&format!("domains.headers = ['{header}']")).contains("has another use"));
    }
}

#[test]
fn reserved_header_refused_as_key_header() {
    for name in ["Authorization", "content-type", "Content_Length"] {
        let error = error_text(&format!("\n[withdrawal]\nkey_header = '{name}'\n"));
        let expected = "mine.toml, line 3: `withdrawal.key_header` takes a header of";
        assert!(
            error.starts_with(expected) && error.contains(name),
            "{name}: {error}"
        );
    }
    for name in [
        "Idempotency-Key",
        "X-Request-Id",
        "Idempotency_Key",
        "Hosts",
        "Contents",
    ] {
        let text = format!("withdrawal.key_header = '{name}'");
        assert_eq!(with(&text).unwrap().withdrawal.key_header, name);
    }
    // `Authorization` is reserved in requests, but a login reply may use it.
    assert!(with("login.token_header = 'Authorization'").is_ok());
}

#[test]
fn retention_is_capped_and_wait_only_lengthened() {
    for (lines, retention, wait) in [
        ("", 600, 30),
        ("retention_seconds = 60", 60, 30),
        (
            "retention_seconds = 86400\nretention_source = 'https://x'",
            86_400,
            30,
        ),
        (
            "retention_seconds = 4294967295\nretention_source = 'https://x'",
            86_400,
            30,
        ),
        ("resend_after_seconds = 90", 600, 90),
    ] {
        let withdrawal = with(&format!("[withdrawal]\n{lines}")).unwrap().withdrawal;
        let seconds = [withdrawal.retention, withdrawal.resend_after].map(|it| it.as_secs());
        assert_eq!(seconds, [retention, wait], "{lines}");
    }
    let error = with("\n\nwithdrawal.resend_after_seconds = 3\n").unwrap_err();
    assert_eq!(error.number, 3);
}

#[test]
fn centavos_preset_sets_every_unit() {
    let preset = include_str!("../../../assets/contracts/centavos.toml");
    let contract = Contract::with(&[("centavos.toml", preset)]).unwrap();
    let units = [
        contract.create_link.amounts.unit,
        contract.direct_payment.form.amounts.unit,
        contract.fee_preview.amounts.unit,
        contract.withdrawal.form.amounts.unit,
    ];
    assert_eq!(units, [Unit::Centavos; 4]);
}

#[test]
fn confirmed_setting_is_assumed_again_when_changed() {
    let echo = "withdrawal.echo_amount";
    assert_eq!(Contract::built_in().provenance(echo), Provenance::Assumed);
    let confirmed = ("a", "confirmed = ['withdrawal.echo_amount']");
    let contract = Contract::from_program_files(&[confirmed]).unwrap();
    assert_eq!(contract.provenance(echo), Provenance::Confirmed);
    let same =
        Contract::from_program_files(&[confirmed, ("b", "withdrawal.echo_amount = ['/amount']")]);
    assert_eq!(same.unwrap().provenance(echo), Provenance::Confirmed);
    let other =
        Contract::from_program_files(&[confirmed, ("b", "withdrawal.echo_amount = ['/value']")]);
    assert_eq!(other.unwrap().provenance(echo), Provenance::Assumed);

    assert_eq!(
        Contract::built_in().provenance("login.path"),
        Provenance::Documented
    );
    let moved = with("login.path = '/login'").unwrap();
    assert_eq!(moved.provenance("login.path"), Provenance::Assumed);
    assert_eq!(moved.provenance("no such line"), Provenance::Assumed);
    let claimed = with("documented = ['error.message']").unwrap();
    assert_eq!(claimed.provenance("error.message"), Provenance::Assumed);
}
