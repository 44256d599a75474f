use std::time::Duration;

use super::*;
use crate::contract::ReplyTree;
use crate::trade::withdrawal::SaysFailed;
use crate::trade::{
    Account, Clocks, CredentialKind, IdempotencyKey, JournalTrouble, Origin, PixKeyKind, Quote,
    Untrusted, VaultTrouble,
};

const AT: Wall = Wall(784_111_777_000);

fn agreement() -> Agreement {
    let amount = Money::from_centavos(1_010);
    let fee = Some(Money::from_centavos(110));
    Agreement {
        key: IdempotencyKey(uuid::Uuid::from_u128(1)),
        account: Account {
            origin: Origin("https://a.example".into()),
            identity: "i".into(),
        },
        profile: "p".into(),
        method: "POST".into(),
        url: "https://a.example/w".into(),
        key_header: "k".into(),
        key_header_name: "Idempotency-Key".into(),
        untyped: vec![],
        body: "{}".into(),
        amount,
        destination: Some(PixKey::parse(PixKeyKind::Phone, "11987654321").unwrap()),
        quote: Some(Quote::new(amount, fee, None, AT).unwrap()),
        agreed: Clocks {
            wall: AT,
            boot_ms: 0,
            boot_id: "b".into(),
        },
    }
}

fn reply(status: u16, body: &str) -> RawReply {
    RawReply {
        status,
        headers: Vec::new(),
        body: body.as_bytes().to_vec(),
        end: BodyEnd::Whole,
    }
}

fn reply_ending(status: u16, end: BodyEnd) -> RawReply {
    RawReply {
        end,
        ..reply(status, r#"{"id":"1"}"#)
    }
}

fn class_in(contract: &Contract, reply: &RawReply, sent_before: bool) -> Class {
    classify(Ok(reply), &agreement(), contract, sent_before, AT)
}

fn class(reply: &RawReply) -> Class {
    class_in(&Contract::built_in(), reply, false)
}

fn contract_with(text: &str) -> Contract {
    Contract::from_program_files(&[("own.toml", text)]).unwrap()
}

fn unclear(why: Unclear) -> Class {
    Class::Unclear(why)
}

/// The expected class of a complete reply with a valid body. These rules are written independently
/// of the tested code.
fn expected(status: u16, sent_before: bool) -> Class {
    match status {
        200..=202 => Class::Confirmed {
            id: Some("1".into()),
            status: None,
        },
        s if s / 100 == 2 => unclear(Unclear::OtherSuccess),
        s if s / 100 == 3 => Class::Redirected,
        422 if sent_before => Class::KeyReused,
        401 | 403 => Class::Unauthorized,
        425 | 429 => Class::Throttled { retry_after: None },
        409 => unclear(Unclear::Conflict),
        s if [400, 402, 404, 405, 406, 410, 411, 413, 414, 415, 422, 451].contains(&s) => {
            Class::DefiniteNo
        }
        _ => unclear(Unclear::Status),
    }
}

#[test]
fn constant_taught_as_code_proves_nothing() {
    let body = r#"{"node":"9f8e77aa01"}"#;
    let tree = ReplyTree::read(&body.into()).unwrap();
    let built_in = Contract::built_in();
    let lesson = built_in
        .settings_to_read_at("withdrawal.id", "/node", &tree)
        .unwrap();
    let taught = built_in.with_taught(&lesson).unwrap();
    assert_eq!(
        class_in(&taught, &reply(200, body), false),
        unclear(Unclear::NoSign)
    );
    let other = class_in(&taught, &reply(200, r#"{"node":"b2c4"}"#), false);
    assert_eq!(
        other,
        Class::Confirmed {
            id: Some("b2c4".into()),
            status: None
        }
    );
}

#[test]
fn success_without_required_id_is_unclear() {
    let strict = contract_with("withdrawal.id_required = true");
    let class_of = |body: &str| class_in(&strict, &reply(200, body), false);
    for body in [
        r#"{"status":"done"}"#,
        r#"{"amount":10.10}"#,
        "{}",
        r#"{"id":null}"#,
    ] {
        assert_eq!(class_of(body), unclear(Unclear::NoSign), "{body}");
    }
    let with_id = r#"{"id":"1"}"#;
    assert_eq!(
        class_of(with_id),
        Class::Confirmed {
            id: Some("1".into()),
            status: None
        }
    );
    assert_eq!(
        class(&reply(200, r#"{"status":"done"}"#)),
        Class::Confirmed {
            id: None,
            status: Some("done".into())
        }
    );
}

#[test]
fn every_status_with_every_body_first_and_again() {
    let contract = Contract::built_in();
    for status in 100..=999 {
        for sent_before in [false, true] {
            let class_of = |reply: &RawReply| class_in(&contract, reply, sent_before);
            let valid = expected(status, sent_before);
            assert_eq!(class_of(&reply(status, r#"{"id":"1"}"#)), valid, "{status}");
            let is_success = matches!(valid, Class::Confirmed { .. });
            for body in [
                "",
                "  ",
                "<html>",
                r#"{"id":"#,
                "[]",
                "\"ok\"",
                "null",
                "12",
            ] {
                let class = class_of(&reply(status, body));
                let expected_class = if is_success {
                    unclear(Unclear::Unreadable)
                } else {
                    valid.clone()
                };
                assert_eq!(class, expected_class, "{status} {body}");
            }
            let encoded = class_of(&reply_ending(status, BodyEnd::Encoded));
            assert_eq!(
                encoded,
                if is_success {
                    unclear(Unclear::Unreadable)
                } else {
                    valid.clone()
                }
            );
            for (end, why) in [
                (BodyEnd::Cut, Unclear::Cut),
                (BodyEnd::Timeout, Unclear::Timeout),
                (BodyEnd::TooLarge, Unclear::TooLarge),
            ] {
                let expected_class = match &valid {
                    Class::Redirected | Class::KeyReused => valid.clone(),
                    _ => unclear(why),
                };
                assert_eq!(
                    class_of(&reply_ending(status, end)),
                    expected_class,
                    "{status} {end:?}"
                );
            }
        }
    }
}

#[test]
fn failure_is_not_sent_only_if_certain() {
    for (failure, class) in [
        (Failure::NotSent(NotSent::Dns), Class::NotSent(NotSent::Dns)),
        (Failure::NotSent(NotSent::Tls), Class::NotSent(NotSent::Tls)),
        (
            Failure::NoCredential(CredentialKind::ApiToken),
            Class::NotSent(NotSent::NoCredential),
        ),
        (
            Failure::Vault(VaultTrouble::Locked),
            Class::NotSent(NotSent::Vault),
        ),
        (
            Failure::Journal(JournalTrouble::Full(String::new())),
            Class::NotSent(NotSent::Journal),
        ),
        (
            Failure::NoAnswer(NoAnswer::Timeout),
            unclear(Unclear::Timeout),
        ),
        (Failure::NoAnswer(NoAnswer::Cut), unclear(Unclear::Cut)),
        (
            Failure::NoAnswer(NoAnswer::TooLarge),
            unclear(Unclear::TooLarge),
        ),
        (
            Failure::NoAnswer(NoAnswer::NotHttp),
            unclear(Unclear::Unreadable),
        ),
        (Failure::Cancelled, unclear(Unclear::Cut)),
    ] {
        let contract = Contract::built_in();
        assert_eq!(
            classify(Err(&failure), &agreement(), &contract, false, AT),
            class
        );
    }
}

#[test]
fn echo_of_amount_or_net_is_accepted_by_value() {
    let exact = [
        "10.1",
        "10.10",
        "10.100",
        "1.01e1",
        "\"10.10\"",
        "9",
        "9.00",
        "\"9.0\"",
    ];
    let noisy = [
        "10.100000000000001",
        "\"10.099999999999998\"",
        "9.000000000000002",
        "10.1049",
    ];
    for echo in exact.into_iter().chain(noisy) {
        let class = class(&reply(200, &format!(r#"{{"amount":{echo}}}"#)));
        assert_eq!(
            class,
            Class::Confirmed {
                id: None,
                status: None
            },
            "{echo}"
        );
    }
}

#[test]
fn unreadable_echo_is_ignored() {
    for body in [
        r#""amount":"R$ 10,10""#,
        r#""amount":null"#,
        r#""amount":{"value":1}"#,
        r#""pixKey":"+55119****4321""#,
        r#""pixKey":"***""#,
        r#""pixKey":null"#,
        r#""pix_key":"•••""#,
    ] {
        let with_id = reply(200, &format!(r#"{{"id":"1",{body}}}"#));
        assert!(matches!(class(&with_id), Class::Confirmed { .. }), "{body}");
        let echo_only = reply(200, &format!("{{{body}}}"));
        assert_eq!(class(&echo_only), unclear(Unclear::NoSign), "{body}");
    }
}

#[test]
fn other_amount_is_an_alarm_only_if_confirmed() {
    let alarm = Alarm::Amount {
        sent: Money::from_centavos(1_010),
        got: Money::from_centavos(101_000),
    };
    let other = reply(201, r#"{"id":"1","amount":1010}"#);
    assert_eq!(class(&other), unclear(Unclear::EchoDiffers(alarm.clone())));
    let confirmed = contract_with("confirmed = ['withdrawal.echo_amount']");
    assert_eq!(class_in(&confirmed, &other, true), Class::Alarm(alarm));
    // If the API contract declares amounts in centavos, 1010 is the correct amount.
    let centavos =
        contract_with("withdrawal.unit = 'centavos'\nconfirmed = ['withdrawal.echo_amount']");
    assert!(matches!(
        class_in(&centavos, &other, false),
        Class::Confirmed { .. }
    ));
    for other in ["10.105", "10.095", "10.11", "10.09", "9.01"] {
        let reply = reply(201, &format!(r#"{{"id":"1","amount":{other}}}"#));
        let class = class_in(&confirmed, &reply, false);
        assert!(
            matches!(class, Class::Alarm(Alarm::Amount { .. })),
            "{other}"
        );
    }
    // An amount in a nested object is compared too. Here, 8.99 is neither the requested amount nor
    // the net amount.
    let deeper = reply(200, r#"{"data":{"amount":8.99}}"#);
    assert!(matches!(
        class(&deeper),
        Class::Unclear(Unclear::EchoDiffers(_))
    ));
}

#[test]
fn a_destination_is_compared_in_its_normal_form() {
    let confirmed = contract_with("confirmed = ['withdrawal.echo_destination']");
    for spelling in ["+5511987654321", "5511987654321", "(11) 98765-4321"] {
        let class = class_in(
            &confirmed,
            &reply(200, &format!(r#"{{"pixKey":"{spelling}"}}"#)),
            false,
        );
        assert!(matches!(class, Class::Confirmed { .. }), "{spelling}");
    }
    let other = reply(200, r#"{"pixKey":"+5511987654320"}"#);
    let alarm = Alarm::Destination {
        sent: "+5511987654321".into(),
        got: Untrusted::from("+5511987654320"),
    };
    assert_eq!(
        class_in(&confirmed, &other, false),
        Class::Alarm(alarm.clone())
    );
    assert_eq!(class(&other), unclear(Unclear::EchoDiffers(alarm)));
    let mut without_destination = agreement();
    without_destination.destination = None;
    let class = classify(Ok(&other), &without_destination, &confirmed, false, AT);
    assert_eq!(
        class,
        unclear(Unclear::NoSign),
        "nothing was sent that it could say back"
    );
}

#[test]
fn key_of_another_kind_is_another_destination() {
    let confirmed = contract_with("confirmed = ['withdrawal.echo_destination']");
    let cpf = || Some(PixKey::parse(PixKeyKind::Cpf, "01234567890").unwrap());
    let email = || Some(PixKey::parse(PixKeyKind::Email, "ana@loja.example").unwrap());
    let classify_echo = |destination: Option<PixKey>, echo: &str| {
        let reply = reply(201, &format!(r#"{{"id":"1","pixKey":{echo}}}"#));
        classify(
            Ok(&reply),
            &Agreement {
                destination,
                ..agreement()
            },
            &confirmed,
            false,
            AT,
        )
    };
    for (destination, echo) in [
        (cpf(), r#""ladrao@evil.example""#),
        (cpf(), r#""+5511987654321""#),
        (cpf(), r#""11987654321""#),
        (cpf(), r#""123e4567-e12b-12d1-a456-426655440000""#),
        (cpf(), r#""11.222.333/0001-81""#),
        (cpf(), r#""l***@evil.example""#),
        (email(), r#""012.345.678-90""#),
        (email(), r#""b***@loja.example""#),
        (agreement().destination, r#""ana@loja.example""#),
    ] {
        let class = classify_echo(destination, echo);
        assert!(
            matches!(class, Class::Alarm(Alarm::Destination { .. })),
            "{echo}: {class:?}"
        );
    }
    for (destination, echo) in [
        (cpf(), r#""012.345.678-90""#),
        (cpf(), "1234567890"),
        (cpf(), r#""***.345.678-**""#),
        (cpf(), r#""CPF""#),
        (email(), r#""a***@loja.example""#),
        (email(), r#""ANA@loja.example""#),
        (agreement().destination, r#""11987654321""#),
    ] {
        let class = classify_echo(destination, echo);
        assert!(
            matches!(class, Class::Confirmed { .. }),
            "{echo}: {class:?}"
        );
    }
}

#[test]
fn refusal_with_accepted_body_is_suspect() {
    let accepted_body = r#"{"id":"wd_1","status":"REQUESTED","amount":10.10}"#;
    let refusal_statuses = [
        400, 402, 404, 405, 406, 410, 411, 413, 414, 415, 422, 451, 401, 403, 425, 429,
    ];
    for status in refusal_statuses {
        let class = class(&reply(status, accepted_body));
        assert_eq!(class, says_failed("status", "REQUESTED"), "{status}");
    }
    for body in [
        r#"{"data":{"transactionId":7,"status":"processing"},"message":"ok"}"#,
        r#"{"id":"wd_1","status":"REQUESTED","error":null,"errors":[]}"#,
    ] {
        assert!(
            matches!(class(&reply(400, body)), Class::SaysFailed(_)),
            "{body}"
        );
    }
    for body in [
        r#"{"id":"wd_1"}"#,
        r#"{"status":"REQUESTED"}"#,
        r#"{"id":"wd_1","status":"Rejected"}"#,
        r#"{"id":"wd_1","status":"ok","data":{"status":"failed"}}"#,
        r#"{"id":"wd_1","status":400,"message":"Saldo insuficiente"}"#,
        r#"{"id":"wd_1","status":"422"}"#,
        r#"{"id":"wd_1","status":"REQUESTED","error":"insufficient_balance"}"#,
        r#"{"id":"wd_1","status":"REQUESTED","data":{"errors":["x"]}}"#,
    ] {
        assert_eq!(class(&reply(400, body)), Class::DefiniteNo, "{body}");
    }
    // The settings of the API contract for the id and the status apply to refusals too.
    let other = contract_with("withdrawal.id = ['/codigo']\nwithdrawal.status = ['/situacao']");
    let class = class_in(
        &other,
        &reply(400, r#"{"codigo":1,"situacao":"em curso"}"#),
        false,
    );
    assert_eq!(class, says_failed("situacao", "em curso"));
    assert_eq!(
        class_in(&other, &reply(400, accepted_body), false),
        Class::DefiniteNo
    );
    // Replies with these statuses are always unclear, regardless of their body.
    for (status, why) in [(500, Unclear::Status), (409, Unclear::Conflict)] {
        assert_eq!(
            class_in(&other, &reply(status, accepted_body), false),
            unclear(why)
        );
    }
}

#[test]
fn contract_decides_which_status_is_success() {
    let contract = contract_with("withdrawal.success = [204]\nwithdrawal.empty_success = true");
    let confirmed = Class::Confirmed {
        id: None,
        status: None,
    };
    assert_eq!(class_in(&contract, &reply(204, ""), false), confirmed);
    assert_eq!(
        class_in(&contract, &reply(200, "{}"), false),
        unclear(Unclear::OtherSuccess)
    );
    assert_eq!(
        class_in(&contract, &reply_ending(204, BodyEnd::Cut), false),
        unclear(Unclear::Cut)
    );
    let garbled = class_in(&contract, &reply(204, "<html>"), false);
    assert_eq!(garbled, unclear(Unclear::Unreadable));
    assert_eq!(class_in(&contract, &reply(204, "{}"), false), confirmed);
    let flagged = class_in(&contract, &reply(204, r#"{"success":false}"#), false);
    assert_eq!(
        flagged,
        says_failed("success", "false"),
        "an empty reply is one thing, this is another"
    );
    let other = class_in(&contract, &reply(204, r#"{"message":"ok"}"#), false);
    assert_eq!(other, unclear(Unclear::NoSign));
}

#[test]
fn empty_reply_counts_only_with_its_status() {
    let contract = contract_with("withdrawal.empty_success = [204]");
    let class_of = |status, body| class_in(&contract, &reply(status, body), false);
    assert_eq!(
        class_of(204, ""),
        Class::Confirmed {
            id: None,
            status: None
        }
    );
    for body in ["{}", " ", "<html>", r#"{"id":"1"}"#] {
        assert_eq!(
            class_of(204, body),
            unclear(Unclear::OtherSuccess),
            "{body}"
        );
    }
    assert_eq!(
        class_of(200, ""),
        unclear(Unclear::Unreadable),
        "an empty reply of a gateway"
    );
    assert_eq!(class_of(200, "{}"), unclear(Unclear::NoSign));
    assert!(matches!(
        class_of(200, r#"{"id":"1"}"#),
        Class::Confirmed { .. }
    ));
    for end in [BodyEnd::Cut, BodyEnd::Timeout, BodyEnd::Encoded] {
        let cut = RawReply {
            end,
            ..reply(204, "")
        };
        assert!(
            matches!(class_in(&contract, &cut, false), Class::Unclear(_)),
            "{end:?}"
        );
    }
}

#[test]
fn taught_code_confirms_only_a_reply_without_failure() {
    let body = |state: &str, more: &str| {
        format!(r#"{{"data":{{"payout_code":"po_124","state":"{state}"}}{more}}}"#)
    };
    let first = body("QUEUED", "").replace("po_124", "po_123");
    let tree = ReplyTree::read(&first.as_str().into()).unwrap();
    let taught = [
        ("withdrawal.id", "/data/payout_code"),
        ("withdrawal.status", "/data/state"),
    ]
    .into_iter()
    .fold(Contract::built_in(), |contract, (name, pointer)| {
        let lines = contract.settings_to_read_at(name, pointer, &tree).unwrap();
        contract.with_taught(&lines).unwrap()
    });
    assert_eq!(class(&reply(201, &first)), unclear(Unclear::NoSign));
    let class_of = |body: &str| class_in(&taught, &reply(201, body), false);
    let confirmed = Class::Confirmed {
        id: Some("po_124".into()),
        status: Some("QUEUED".into()),
    };
    assert_eq!(class_of(&body("QUEUED", "")), confirmed);
    assert_eq!(
        class_of(&body("REJECTED", "")),
        says_failed("state", "REJECTED")
    );
    // Old places of failures and of the amount still count.
    let failed = body("QUEUED", r#","status":"failed""#);
    assert_eq!(class_of(&failed), says_failed("status", "failed"));
    let other_amount = body("QUEUED", r#","amount":99"#);
    assert!(matches!(
        class_of(&other_amount),
        Class::Unclear(Unclear::EchoDiffers(_))
    ));
    assert_eq!(
        class_of(r#"{"meta":{"request_id":"req_1"}}"#),
        unclear(Unclear::NoSign)
    );
}

#[test]
fn differing_echo_at_any_place_counts() {
    let sent = Money::from_centavos(1_010);
    let other_amount = Alarm::Amount {
        sent,
        got: Money::from_centavos(9_900),
    };
    let other_key = "outra@loja.example";
    let destination = agreement().destination.unwrap().as_str().to_owned();
    let other_destination = Alarm::Destination {
        sent: destination,
        got: other_key.into(),
    };
    for (body, alarm) in [
        (
            r#"{"id":"1","amount":10.10,"data":{"amount":99}}"#,
            other_amount.clone(),
        ),
        (
            r#"{"id":"1","amount":99,"data":{"amount":10.10}}"#,
            other_amount,
        ),
        (
            r#"{"id":"1","pixKey":"***","data":{"pix_key":"outra@loja.example"}}"#,
            other_destination.clone(),
        ),
        (
            r#"{"id":"1","pixKey":"11987654321","pix_key":"outra@loja.example"}"#,
            other_destination,
        ),
    ] {
        assert_eq!(
            class(&reply(201, body)),
            unclear(Unclear::EchoDiffers(alarm)),
            "{body}"
        );
    }
    // The amount and its net are both expected.
    let both = r#"{"amount":10.10,"data":{"amount":9.00,"pixKey":"***"}}"#;
    assert!(matches!(class(&reply(201, both)), Class::Confirmed { .. }));
}

fn says_failed(member: &str, word: &str) -> Class {
    Class::SaysFailed(SaysFailed {
        member: member.into(),
        word: word.into(),
    })
}

#[test]
fn success_is_confirmed_only_by_a_sign() {
    for body in [
        r#"{"id":"w-1"}"#,
        r#"{"transaction_id":77}"#,
        r#"{"data":{"status":"queued"}}"#,
        r#"{"withdrawal":{"amount":10.10}}"#,
        r#"{"pix_key":"11987654321"}"#,
        r#"{"id":"w-1","error":null,"errors":[],"success":true,"ok":true,"code":200}"#,
        r#"{"id":"w-1","error":"","errorMessage":"  ","errors":{},"statusCode":201,"code":600}"#,
        r#"{"id":"w-1","status":"not failed yet","code":"OK","success":"yes","error":false}"#,
    ] {
        assert!(
            matches!(class(&reply(201, body)), Class::Confirmed { .. }),
            "{body}"
        );
    }
    for body in [
        "{}",
        r#"{"message":"ok"}"#,
        r#"{"success":true}"#,
        r#"{"id":null,"status":""}"#,
    ] {
        assert_eq!(class(&reply(202, body)), unclear(Unclear::NoSign), "{body}");
    }
}

#[test]
fn success_with_failure_member_quotes_the_word() {
    for (body, member, word) in [
        (r#"{"status":"failed"}"#, "status", "failed"),
        (
            r#"{"id":"1","status":" REJEITADO "}"#,
            "status",
            "REJEITADO",
        ),
        (
            r#"{"id":"1","status":"ok","data":{"status":"Cancelled"}}"#,
            "status",
            "Cancelled",
        ),
        (r#"{"id":"1","success":false}"#, "success", "false"),
        (r#"{"withdrawal":{"ok":false}}"#, "ok", "false"),
        (
            r#"{"error":"insufficient_balance"}"#,
            "error",
            "insufficient_balance",
        ),
        (r#"{"id":"1","errors":["a"]}"#, "errors", r#"["a"]"#),
        (
            r#"{"id":"1","error":{"code":"x"}}"#,
            "error",
            r#"{"code":"x"}"#,
        ),
        (r#"{"id":"1","error":true}"#, "error", "true"),
        (
            r#"{"data":{"errorMessage":"Saldo"}}"#,
            "errorMessage",
            "Saldo",
        ),
        (r#"{"statusCode":400}"#, "statusCode", "400"),
        (r#"{"id":"1","data":{"code":"599"}}"#, "code", "599"),
        (r#"{"id":"1","status":503}"#, "status", "503"),
    ] {
        for status in [200, 201, 202] {
            assert_eq!(
                class(&reply(status, body)),
                says_failed(member, word),
                "{status} {body}"
            );
        }
    }
}

#[test]
fn everyday_failure_names_need_a_person() {
    for (body, member, word) in [
        (
            r#"{"sucesso":false,"erro":"x","id":"9"}"#,
            "sucesso",
            "false",
        ),
        (
            r#"{"id":"9","erro":"Saldo insuficiente"}"#,
            "erro",
            "Saldo insuficiente",
        ),
        (r#"{"data":{"id":"9","erros":["a"]}}"#, "erros", r#"["a"]"#),
        (
            r#"{"data":{"id":"9","state":"REJECTED"}}"#,
            "state",
            "REJECTED",
        ),
        (
            r#"{"id":"9","situacao":"Recusado"}"#,
            "situacao",
            "Recusado",
        ),
        (
            r#"{"withdrawal":{"id":"9","situação":"negado"}}"#,
            "situação",
            "negado",
        ),
        (
            r#"{"data":{"withdrawal":{"id":"9","estado":"FALHOU"}}}"#,
            "estado",
            "FALHOU",
        ),
        (
            r#"{"id":"9","status":"ok","state":"failed"}"#,
            "state",
            "failed",
        ),
        (r#"{"id":"9","phase":"REFUSED"}"#, "phase", "REFUSED"),
        (
            r#"{"data":{"id":"9","stage_text":"recusada"}}"#,
            "stage_text",
            "recusada",
        ),
    ] {
        assert_eq!(
            class(&reply(201, body)),
            says_failed(member, word),
            "{body}"
        );
    }
    for body in [
        r#"{"sucesso":true,"erro":null,"erros":[],"id":"9"}"#,
        r#"{"data":{"id":"9","state":"QUEUED","estado":"SP"},"erro":{}}"#,
    ] {
        assert!(
            matches!(class(&reply(201, body)), Class::Confirmed { .. }),
            "{body}"
        );
    }
    // If a contract reads the status at another place, a failed word still counts at the others.
    let other = contract_with("withdrawal.status = ['/andamento']");
    let both = reply(200, r#"{"id":"9","andamento":"ok","status":"failed"}"#);
    assert_eq!(
        class_in(&other, &both, false),
        says_failed("status", "failed")
    );
    // A state alone is no sign that the withdrawal was accepted.
    assert_eq!(
        class(&reply(201, r#"{"state":"QUEUED"}"#)),
        unclear(Unclear::NoSign)
    );
}

#[test]
fn failed_words_come_from_the_contract() {
    let words = "failed error rejected refused denied canceled cancelled declined falhou erro \
                 rejeitado rejeitada recusado recusada negado negada cancelado cancelada";
    let reply_with_status = |word: &str| reply(200, &format!(r#"{{"id":"1","status":"{word}"}}"#));
    for word in words.split(' ') {
        assert_eq!(class(&reply_with_status(word)), says_failed("status", word));
        assert_eq!(
            class(&reply_with_status(&word.to_uppercase())),
            says_failed("status", &word.to_uppercase())
        );
    }
    let contract =
        contract_with("withdrawal.failed_words = ['Devolvido']\nwithdrawal.failed_flag = []");
    assert_eq!(
        class_in(&contract, &reply_with_status("devolvido"), false),
        says_failed("status", "devolvido")
    );
    for body in [
        r#"{"id":"1","status":"failed"}"#,
        r#"{"id":"1","ok":false}"#,
    ] {
        let class = class_in(&contract, &reply(200, body), false);
        assert!(matches!(class, Class::Confirmed { .. }), "{body}");
    }
}

#[test]
fn alarm_outranks_failure_and_failure_outranks_guess() {
    let both = reply(201, r#"{"id":"1","amount":1010,"status":"failed"}"#);
    let confirmed = contract_with("confirmed = ['withdrawal.echo_amount']");
    assert!(matches!(
        class_in(&confirmed, &both, false),
        Class::Alarm(_)
    ));
    assert_eq!(class(&both), says_failed("status", "failed"));
    // Both the amount and the Pix key differ. The seller has confirmed only the setting for the Pix
    // key, so the alarm must be about the key.
    let confirmed = contract_with("confirmed = ['withdrawal.echo_destination']");
    let both_differ = reply(201, r#"{"id":"1","amount":1010,"pixKey":"+5511987654320"}"#);
    let class = class_in(&confirmed, &both_differ, false);
    assert!(
        matches!(class, Class::Alarm(Alarm::Destination { .. })),
        "{class:?}"
    );
}

#[test]
fn id_and_status_are_read_verbatim() {
    let reply = reply(
        202,
        r#"{"withdrawal":{"withdrawalId":77,"status":"EM_ANÁLISE"}}"#,
    );
    let expected_class = Class::Confirmed {
        id: Some("77".into()),
        status: Some("EM_ANÁLISE".into()),
    };
    assert_eq!(class(&reply), expected_class);
}

#[test]
fn retry_wait_counts_from_the_server_date() {
    let class_with_headers = |headers: &[(&str, &str)]| {
        let to_owned_header =
            |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let headers = headers.iter().map(to_owned_header).collect();
        class(&RawReply {
            headers,
            ..reply(429, "")
        })
    };
    let wait = |seconds| Class::Throttled {
        retry_after: Some(Duration::from_secs(seconds)),
    };
    assert_eq!(class_with_headers(&[("retry-after", "7")]), wait(7));
    let until = ("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT");
    assert_eq!(class_with_headers(&[until]), wait(60));
    assert_eq!(
        class_with_headers(&[until, ("date", "Sun, 06 Nov 1994 08:50:36 GMT")]),
        wait(1)
    );
    assert_eq!(
        class_with_headers(&[("retry-after", "soon")]),
        Class::Throttled { retry_after: None }
    );
}
