//! Tests of the bodies of requests.

use super::*;

fn shown_masks(body: &Body) -> String {
    Untrusted::with_shown_masks(body.masked())
}

fn money(text: &str) -> Money {
    Money::parse_wire(text).unwrap()
}

fn withdrawal_input<'a>(
    amount: &'a str,
    kind: PixKeyKind,
    key: &'a str,
) -> impl Fn(&FieldSpec) -> Option<FieldInput<'a>> {
    move |field| match field.id.as_str() {
        "amount" => Some(FieldInput::Amount(money(amount))),
        "key_kind" => Some(FieldInput::Text(key_kind_id(kind))),
        "key" => Some(FieldInput::Text(key)),
        _ => Some(FieldInput::Text("  ")),
    }
}

fn invalid_fields<'t>(
    form: &BodySpec,
    input: impl Fn(&FieldSpec) -> Option<FieldInput<'t>>,
) -> Vec<InvalidField> {
    form.body(input).err().unwrap_or_default()
}

#[test]
fn withdrawal_body_has_exact_amounts_in_field_order() {
    let form = Contract::built_in().withdrawal.form;
    let body = form
        .body(withdrawal_input(
            "10.10",
            PixKeyKind::Phone,
            "(11) 98765-4321",
        ))
        .unwrap();
    assert_eq!(
        body.text(),
        r#"{"amount":10.10,"pixKeyType":"phone","pixKey":"+5511987654321"}"#
    );
    assert_eq!(body.amount, Some(money("10.10")));
    assert_eq!(body.destination.unwrap().as_str(), "+5511987654321");
    for amount in ["0.10", "1234567890.12", "100.00", "0.01"] {
        let body = form
            .body(withdrawal_input(amount, PixKeyKind::Email, "a@b.co"))
            .unwrap();
        assert!(
            body.text().starts_with(&format!(r#"{{"amount":{amount},"#)),
            "{amount}"
        );
    }
}

#[test]
fn contract_sets_names_words_units_and_sent_fields() {
    let contract = with(
        "[withdrawal]\nunit = 'centavos'\nbody = ['key', 'key_kind', 'amount']\n\
             field.key.name = 'to/pix_key'\nfield.key.plus = false\n\
             field.key_kind.name = 'to/pix_key_type'\nfield.key_kind.words.random = 'EVP'\n",
    )
    .unwrap();
    let form = &contract.withdrawal.form;
    let random = "123E4567-E12B-12D1-A456-426655440000";
    let body = form
        .body(withdrawal_input("10.10", PixKeyKind::Random, random))
        .unwrap();
    assert_eq!(
        body.text(),
        concat!(
            r#"{"to":{"pix_key":"123e4567-e12b-12d1-a456-426655440000","#,
            r#""pix_key_type":"EVP"},"amount":1010}"#
        )
    );
    let body = form
        .body(withdrawal_input("0.05", PixKeyKind::Phone, "11987654321"))
        .unwrap();
    assert!(body.text().contains(r#""pix_key":"5511987654321""#) && body.text().contains(":5}"));

    let without_kind = with("withdrawal.field.key_kind.sent = false")
        .unwrap()
        .withdrawal
        .form;
    let body = without_kind
        .body(withdrawal_input("1.00", PixKeyKind::Cpf, "529.982.247-25"))
        .unwrap();
    assert_eq!(body.text(), r#"{"amount":1.00,"pixKey":"52998224725"}"#);
    let without_key = with("withdrawal.field.key.sent = false")
        .unwrap()
        .withdrawal
        .form;
    let body = without_key
        .body(withdrawal_input("1.00", PixKeyKind::Cpf, "529.982.247-25"))
        .unwrap();
    assert_eq!(body.text(), r#"{"amount":1.00,"pixKeyType":"cpf"}"#);
    assert_eq!(
        body.destination, None,
        "what the bytes do not say is not agreed"
    );
    let only_amount = with("withdrawal.body = ['amount']")
        .unwrap()
        .withdrawal
        .form;
    let body = only_amount
        .body(withdrawal_input("1.00", PixKeyKind::Cpf, ""))
        .unwrap();
    assert_eq!(body.text(), r#"{"amount":1.00}"#);
    assert_eq!(body.destination, None);
}

#[test]
fn body_may_be_a_form_and_contain_the_key() {
    let key = IdempotencyKey(uuid::Uuid::from_u128(7));
    let body = |lines: &str| {
        let spec = with(lines).unwrap().withdrawal;
        let key = spec.key_text(key);
        let input = withdrawal_input("1234.50", PixKeyKind::Email, "a@b.co");
        let body = spec.form.body(|field| match field.kind {
            FieldKind::RequestKey => Some(FieldInput::Text(&key)),
            _ => input(field),
        });
        body.unwrap().text().to_owned()
    };
    let form = "amount=1234.50&pixKeyType=email&pixKey=a%40b.co";
    assert_eq!(body("withdrawal.encoding = 'form'"), form);
    let id = "00000000-0000-0000-0000-000000000007";
    let lines = "withdrawal.key_in_body = '/meta/id'\nwithdrawal.key_format = 'quoted'";
    let json = body(lines);
    assert!(
        json.ends_with(&format!(r#","pixKey":"a@b.co","meta":{{"id":"{id}"}}}}"#)),
        "{json}"
    );
    let both = format!("{lines}\nwithdrawal.encoding = 'form'");
    assert_eq!(body(&both), format!("{form}&meta%5Bid%5D={id}"));
    // The body must contain the idempotency key, so building it without a key fails.
    let form_with_key = with(lines).unwrap().withdrawal.form;
    let errors = invalid_fields(
        &form_with_key,
        withdrawal_input("1.00", PixKeyKind::Email, "a@b.co"),
    );
    assert_eq!((errors.len(), &errors[0].fault), (1, &FieldFault::Missing));
    assert_eq!(
        (Encoding::of(form), Encoding::of(&json)),
        (Encoding::Form, Encoding::Json)
    );
    assert_eq!(Encoding::of(" { \"a\": 1 }"), Encoding::Json);
}

#[test]
fn empty_optional_destination_omitted_with_its_kind() {
    let optional = "withdrawal.field.key.required = false\n\
                        withdrawal.field.key_kind.required = false";
    let form = with(optional).unwrap().withdrawal.form;
    let body = form
        .body(withdrawal_input("1.00", PixKeyKind::Cpf, ""))
        .unwrap();
    assert_eq!(body.text(), r#"{"amount":1.00}"#);
}

#[test]
fn all_invalid_fields_are_reported_together() {
    let form = Contract::built_in().withdrawal.form;
    let missing = |field: &str| InvalidField {
        field: field.into(),
        fault: FieldFault::Missing,
    };
    assert_eq!(
        invalid_fields(&form, |_| None),
        ["amount", "key_kind", "key"].map(missing)
    );
    let errors = invalid_fields(
        &form,
        withdrawal_input("0.00", PixKeyKind::Cpf, "529.982.247-26"),
    );
    assert_eq!(errors[0].fault, FieldFault::NotPositive);
    assert_eq!(
        errors[1].fault,
        FieldFault::Key(PixKeyError::CheckDigits(PixKeyKind::Cpf))
    );
    let errors = invalid_fields(
        &form,
        withdrawal_input("1.005", PixKeyKind::Email, "a@b.co"),
    );
    assert_eq!(errors[0].fault, FieldFault::FinerThanCentavo);
    assert_eq!(errors.len(), 1);
}

#[test]
fn texts_are_checked_as_the_contract_declares() {
    let contract = with(
        "[direct_payment]\nbody = ['amount', 'code', 'how', 'phone']\n\
             [direct_payment.field.code]\nname = 'code'\nkind = 'text'\npattern = '0-9A-F.-'\n\
             shortest = 2\nlongest = 4\n\
             [direct_payment.field.how]\nname = 'how'\nkind = 'choice'\nchoices = ['pix', 'card']\n\
             default = 'pix'\n",
    )
    .unwrap();
    let form = &contract.direct_payment.form;
    let body_with = |id: &'static str, text: &'static str| {
        let input = move |field: &FieldSpec| match field.id.as_str() {
            "amount" => Some(FieldInput::Amount(money("1.00"))),
            other if other == id => Some(FieldInput::Text(text)),
            _ => None,
        };
        form.body(input)
            .map(|body| body.text().to_owned())
            .map_err(|e| e[0].fault.clone())
    };
    assert_eq!(
        body_with("code", "A-9.").unwrap(),
        r#"{"amount":1.00,"code":"A-9.","how":"pix"}"#
    );
    assert_eq!(
        body_with("code", " ").unwrap(),
        r#"{"amount":1.00,"how":"pix"}"#
    );
    assert_eq!(
        body_with("how", "card").unwrap(),
        r#"{"amount":1.00,"how":"card"}"#
    );
    assert_eq!(
        body_with("phone", "+1 202 555 0100")
            .unwrap()
            .split('"')
            .nth(11),
        Some("12025550100")
    );
    for (id, text, fault) in [
        ("code", "1", FieldFault::TooShort { least: 2 }),
        ("code", "12345", FieldFault::TooLong { most: 4 }),
        (
            "code",
            "xy",
            FieldFault::Characters {
                allowed: "0-9A-F.-".into(),
            },
        ),
        ("code", "1\n2", FieldFault::ControlCharacter),
        ("how", "cash", FieldFault::NotAChoice),
        (
            "phone",
            "12",
            FieldFault::Key(PixKeyError::PhoneLength { got: 2 }),
        ),
    ] {
        assert_eq!(body_with(id, text), Err(fault), "{id} {text:?}");
    }
}

#[test]
fn direct_payment_body_nests_the_customer() {
    let form = Contract::built_in().direct_payment.form;
    let body = form
        .body(|field| match field.id.as_str() {
            "amount" => Some(FieldInput::Amount(money("49.90"))),
            "description" => Some(FieldInput::Text("Caneca \"azul\" \\ 1")),
            "name" => Some(FieldInput::Text("Ana")),
            "email" => Some(FieldInput::Text("ana@loja.example")),
            "document" => Some(FieldInput::Text("12.ABC.345/01DE-35")),
            _ => None,
        })
        .unwrap();
    assert_eq!(
        body.text(),
        concat!(
            r#"{"amount":49.90,"description":"Caneca \"azul\" \\ 1","paymentMethod":"pix","#,
            r#""customer":{"name":"Ana","email":"ana@loja.example","#,
            r#""document":{"number":"12ABC34501DE35","type":"cnpj"}}}"#
        )
    );
    assert_eq!(body.input_text("name"), Some("Ana"));
    assert!(serde_json::from_str::<serde_json::Value>(body.text()).is_ok());
}

#[test]
fn password_is_sent_unchanged_and_masked() {
    let form = Contract::built_in().login.form;
    let password = Secret::new(" p\"ä\\ss\u{1F600} ".into());
    let body = form
        .body(|field| match field.kind {
            FieldKind::Secret => Some(FieldInput::Secret(&password)),
            _ => Some(FieldInput::Text(" ana@loja.example ")),
        })
        .unwrap();
    let json: serde_json::Value = serde_json::from_str(body.text()).unwrap();
    assert_eq!(json["password"], password.expose());
    assert_eq!(body.input_text("email"), Some("ana@loja.example"));
    assert_eq!(body.input_text("password"), None);
    assert_eq!(
        shown_masks(&body),
        r#"{"email":"ana@loja.example","password":"…"}"#
    );
    assert_eq!(body.secrets().collect::<Vec<_>>(), [password.expose()]);
    let empty = Secret::new(String::new());
    let errors = invalid_fields(&form, |_| Some(FieldInput::Secret(&empty)));
    assert_eq!(errors.len(), 2);
}

#[test]
fn login_body_is_masked_except_for_the_identity() {
    let lines = "login.body = ['email', 'pin', 'store', 'password']\n\
                     [login.field.pin]\nname = 'auth/pin'\nkind = 'text'\n\
                     [login.field.store]\nname = 'auth/store'\nkind = 'fixed'\ndefault = 's-9'\n";
    let password = Secret::new("correct horse".into());
    let input = |field: &FieldSpec| match field.kind {
        FieldKind::Secret => Some(FieldInput::Secret(&password)),
        FieldKind::Email => Some(FieldInput::Text("ana@loja.example")),
        _ => Some(FieldInput::Text("4321 abc")),
    };
    let form = with(lines).unwrap().login.form;
    let body = form.body(input).unwrap();
    assert_eq!(
        body.text(),
        concat!(
            r#"{"email":"ana@loja.example","auth":{"pin":"4321 abc","store":"s-9"},"#,
            r#""password":"correct horse"}"#
        )
    );
    assert_eq!(
        shown_masks(&body),
        r#"{"email":"ana@loja.example","auth":{"pin":"…","store":"…"},"password":"…"}"#
    );
    assert_eq!(
        body.secrets().collect::<Vec<_>>(),
        ["4321 abc", "s-9", "correct horse"]
    );
    assert_eq!(
        (body.input_text("pin"), body.input_text("store")),
        (None, None)
    );
    let form = with(&format!("login.encoding = 'form'\n{lines}"))
        .unwrap()
        .login
        .form;
    assert_eq!(
        shown_masks(&form.body(input).unwrap()),
        "email=ana%40loja.example&auth%5Bpin%5D=…&auth%5Bstore%5D=…&password=…"
    );
}

#[test]
fn password_with_special_characters_sent_unchanged() {
    let password = Secret::new("\u{1}\"\\é😀".repeat(50));
    let form = with("login.field.password.kind = 'secret'")
        .unwrap()
        .login
        .form;
    let input = |field: &FieldSpec| match field.kind {
        FieldKind::Secret => Some(FieldInput::Secret(&password)),
        _ => Some(FieldInput::Text("a@b")),
    };
    // Control characters have the longest JSON escapes, but forms reject them, so use other
    // long escapes.
    assert_eq!(
        invalid_fields(&form, input)[0].fault,
        FieldFault::ControlCharacter
    );
    for text in ["\"".repeat(3_000), "\\\"é".repeat(500)] {
        let password = Secret::new(text);
        let input = |field: &FieldSpec| match field.kind {
            FieldKind::Secret => Some(FieldInput::Secret(&password)),
            _ => Some(FieldInput::Text("a@b")),
        };
        let body = form.body(input).unwrap();
        let json: serde_json::Value = serde_json::from_str(body.text()).unwrap();
        assert_eq!(json["password"], password.expose());
    }
}

#[test]
fn link_body_without_domain_omits_it() {
    let spec = Contract::built_in().create_link;
    let account = Account {
        origin: Origin("https://a".into()),
        identity: "i".into(),
    };
    let mut request = LinkRequest {
        account,
        amount: Money::from_centavos(1_010),
        description: "Bolo".into(),
        domain: None,
    };
    assert_eq!(
        spec.body(&request).unwrap(),
        r#"{"amount":10.10,"description":"Bolo"}"#
    );
    request.domain = Some("loja.example".into());
    let with_domain = r#"{"amount":10.10,"description":"Bolo","checkoutDomain":"loja.example"}"#;
    assert_eq!(spec.body(&request).unwrap(), with_domain);
}

#[test]
fn labels_in_two_languages() {
    let form = Contract::built_in().login.form;
    let password = form.field("password").unwrap();
    assert_eq!(
        (&*password.label_pt, &*password.label_en),
        ("Senha", "Password")
    );
    let payment = Contract::built_in().direct_payment.form;
    let inputs: Vec<_> = payment
        .fields
        .iter()
        .filter(|f| f.is_input())
        .map(|f| f.id.as_str())
        .collect();
    assert_eq!(
        inputs,
        [
            "amount",
            "description",
            "name",
            "email",
            "phone",
            "document"
        ]
    );
    let kinds = Contract::built_in()
        .withdrawal
        .form
        .field("key_kind")
        .unwrap()
        .key_kinds();
    assert_eq!(kinds, PixKeyKind::ALL);
}

#[test]
fn example_of_a_login_fits_its_form() {
    let field = "login.body = ['store', 'email', 'password']\n[login.field.store]\n\
                     name = 'store'\nkind = 'text'\nrequired = true\n\
                     label = { pt-BR = 'Loja', en = 'Store' }\n";
    for more in [
        "",
        "pattern = '0-9'\nshortest = 6\nlongest = 8",
        "longest = 2",
    ] {
        let form = with(&format!("{field}{more}\n")).unwrap().login.form;
        let examples: Vec<_> = form.fields.iter().map(FieldSpec::example).collect();
        let secret = Secret::new("any".to_owned());
        let body = form.body(|field| match field.kind {
            FieldKind::Secret => Some(FieldInput::Secret(&secret)),
            _ => {
                let index = form.fields.iter().position(|other| other.id == field.id)?;
                Some(FieldInput::Text(&examples[index]))
            }
        });
        assert!(body.is_ok(), "{examples:?}: {:?}", body.err());
    }
}
