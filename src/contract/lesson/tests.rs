use super::*;
use crate::contract::reply_setting::{ECHO_AMOUNT, WITHDRAWAL_ID, WITHDRAWAL_STATUS};
use crate::trade::MaskedReply;

const AT: Wall = Wall(1_795_268_527_000);

const SENT: &str = r#"{"amount":100.00,"pixKeyType":"cpf","pixKey":"11144477735","note":"n-4711"}"#;

/// The reply of a service whose names no default reads.
const REPLY: &str = r#"{"data":{"payout_code":"po_123","state":"QUEUED"},
    "meta":{"request_id":"req_9","served_at":"2026-11-21T13:42:07Z"}}"#;

fn exchange(operation: Operation, key: &str, status: u16, body: &str) -> Exchange {
    let headers = vec![("x-request-id".to_owned(), "h-77".into())];
    let reply = Ok(MaskedReply::new(status, headers, body));
    Exchange {
        at: AT,
        request_headers: vec![("idempotency-key".into(), key.into())],
        request_body: Some(SENT.into()),
        ..Exchange::new(operation, "POST", "https://pay.example/w", reply)
    }
}

fn lesson_beside(body: &str, kept: &[Exchange]) -> Lesson {
    let tree = ReplyTree::read(&body.into()).unwrap();
    let taught = exchange(Operation::Withdrawal, "k-1", 201, body);
    Lesson::new(&taught, tree.into(), kept.iter())
}

/// Teaches the settings to read these JSON Pointers, one after the other.
fn taught(contract: &Contract, choices: &[(&str, &str)], body: &str) -> Contract {
    let tree = ReplyTree::read(&body.into()).unwrap();
    choices
        .iter()
        .fold(contract.clone(), |contract, (name, pointer)| {
            let lines = contract.settings_to_read_at(name, pointer, &tree).unwrap();
            contract.with_taught(&lines).unwrap()
        })
}

/// The reason why these choices are refused.
fn fault_beside(choices: &[(&str, &str)], body: &str, kept: &[Exchange]) -> Option<LessonFault> {
    let before = Contract::built_in();
    lesson_beside(body, kept).fault(&before, &taught(&before, choices, body))
}

fn fault(choices: &[(&str, &str)], body: &str) -> Option<LessonFault> {
    fault_beside(choices, body, &[])
}

const ID: &str = "withdrawal.id";
const STATE: &str = "withdrawal.status";

#[test]
fn code_with_its_state_is_taught() {
    assert_eq!(
        fault(&[(ID, "/data/payout_code"), (STATE, "/data/state")], REPLY),
        None
    );
    let without_state = r#"{"saque":{"numero":48213,"loja":"Doces"}}"#;
    assert_eq!(fault(&[(ID, "/saque/numero")], without_state), None);
    // Changes that do not concern the code are not judged here.
    assert_eq!(
        fault(&[("withdrawal.end_to_end", "/meta/request_id")], REPLY),
        None
    );
}

#[test]
fn value_that_is_no_code_is_refused() {
    use LessonFault::*;
    for (member, expected) in [
        (r#""request_id":"r-100""#, RequestId),
        (r#""requestId":"r-100""#, RequestId),
        (r#""x-trace":"r-100""#, RequestId),
        (r#""correlationId":"r-100""#, RequestId),
        (r#""reference":"h-77""#, RequestId),
        (r#""served_at":"2026-11-21T13:42:07Z""#, Time),
        (r#""updatedAt":"5 min""#, Time),
        (r#""when":"21/11/2026 10:00""#, Time),
        (r#""when":"Sat, 21 Nov 2026 13:42:07 GMT""#, Time),
        (r#""when":1795268527"#, Time),
        (r#""when":1795268527123"#, Time),
        (r#""total":100"#, Sent),
        (r#""total":"100.00""#, Sent),
        (r#""total":10000"#, Sent),
        (r#""to":"111.444.777-35""#, Sent),
        (r#""note":"N 4711""#, Sent),
        (r#""echo":"k-1""#, Sent),
        (r#""net":"97.95""#, NotACode),
        (r#""net":97.95"#, NotACode),
        (r#""message":"ok""#, NotACode),
        (r#""message":"Saque 123 recebido""#, NotACode),
        (r#""ok":true"#, NotACode),
        (r#""http":201"#, NotACode),
        (r#""result":0"#, NotACode),
        (r#""version":"v2.17""#, NotACode),
        (r#""merchant":"M-8842""#, NotACode),
        (r#""limit_left":490000"#, NotACode),
        (r#""server":"node-17""#, NotACode),
        (r#""see":"https://pay.example/w/123""#, NotACode),
        (r#""list":["po_123"]"#, NotACode),
        (r#""code":"po_…""#, Masked),
        (r#""code":"***4711""#, Masked),
    ] {
        let body = format!("{{{member}}}");
        let tree = ReplyTree::read(&body.as_str().into()).unwrap();
        let pointer = &tree.rows()[1].pointer;
        assert_eq!(fault(&[(ID, pointer)], &body), Some(expected), "{body}");
    }
    for code in [
        r#""withdrawal_request_id":"wr_1""#,
        r#""n":"2026-11-21-0001""#,
        r#""id2":4811"#,
    ] {
        let body = format!("{{{code}}}");
        let tree = ReplyTree::read(&body.as_str().into()).unwrap();
        assert_eq!(
            fault(&[(ID, &tree.rows()[1].pointer)], &body),
            None,
            "{body}"
        );
    }
}

#[test]
fn place_that_other_replies_have_is_no_code() {
    let choices = [(ID, "/data/payout_code"), (STATE, "/data/state")];
    let refused_beside = |operation, key, status, body| {
        let kept = [exchange(operation, key, status, body)];
        fault_beside(&choices, REPLY, &kept) == Some(LessonFault::Elsewhere)
    };
    let same = r#"{"data":{"payout_code":"po_123"}}"#;
    let other = r#"{"data":{"payout_code":"po_9"}}"#;
    assert!(refused_beside(Operation::Withdrawal, "k-2", 422, other));
    assert!(refused_beside(Operation::CreateLink, "k-2", 201, other));
    assert!(
        refused_beside(Operation::Withdrawal, "k-2", 201, same),
        "each has its own code"
    );
    assert!(!refused_beside(Operation::Withdrawal, "k-2", 201, other));
    assert!(
        !refused_beside(Operation::Withdrawal, "k-1", 201, same),
        "the same withdrawal again"
    );
    assert!(!refused_beside(
        Operation::CreateLink,
        "k-2",
        201,
        r#"{"data":{"payout_code":null}}"#
    ));
}

#[test]
fn state_must_be_taught_with_the_code() {
    let unread = |name: &str| Some(LessonFault::UnreadState(name.into()));
    assert_eq!(fault(&[(ID, "/data/payout_code")], REPLY), unread("state"));
    assert_eq!(
        fault(&[(STATE, "/data/state")], REPLY),
        Some(LessonFault::NoCode)
    );
    for (member, expected) in [
        (r#""situacao":"NA_FILA""#, unread("situacao")),
        (r#""statusSaque":"na fila""#, unread("statusSaque")),
        (r#""payout_state":3"#, unread("payout_state")),
        (r#""estado":null"#, None),
        (r#""statusCode":"201""#, None),
        (r#""statement":"x""#, None),
    ] {
        let body = format!(r#"{{"codigo":"po_123",{member}}}"#);
        assert_eq!(fault(&[(ID, "/codigo")], &body), expected, "{body}");
    }
    // The state of an envelope is in the replies of other operations, too.
    let body = r#"{"meta":{"status":"ok"},"codigo":"po_123"}"#;
    let kept = [exchange(
        Operation::Domains,
        "",
        200,
        r#"{"meta":{"status":"ok"}}"#,
    )];
    assert_eq!(fault_beside(&[(ID, "/codigo")], body, &kept), None);
    let both = [(ID, "/codigo"), (STATE, "/meta/status")];
    assert_eq!(
        fault_beside(&both, body, &kept),
        Some(LessonFault::Elsewhere)
    );
}

#[test]
fn only_a_word_under_a_states_name_is_a_state() {
    for (member, is_state) in [
        (r#""state":"QUEUED""#, true),
        (r#""situacao":"em processamento""#, true),
        (r#""message":"ok""#, false),
        (r#""state":7"#, false),
        (r#""state":"q7""#, false),
        (r#""state":"…""#, false),
    ] {
        let body = format!(r#"{{"saque":{{"codigo":"po_123",{member}}}}}"#);
        let tree = ReplyTree::read(&body.as_str().into()).unwrap();
        let choices = [(ID, "/saque/codigo"), (STATE, &*tree.rows()[3].pointer)];
        assert_eq!(fault(&choices, &body).is_none(), is_state, "{body}");
    }
}

#[test]
fn failed_word_anywhere_stops_the_lesson() {
    for member in [r#""ok":false"#, r#""erro":{"texto":"x"}"#, r#""code":422"#] {
        let body = format!(r#"{{"codigo":"po_123",{member}}}"#);
        let fault = fault(&[(ID, "/codigo")], &body);
        assert!(
            matches!(fault, Some(LessonFault::SaysFailed(_))),
            "{body}: {fault:?}"
        );
    }
    for member in [
        r#""state":"REJECTED""#,
        r#""x":{"y":[" Recusado "]}"#,
        r#""result":"failed""#,
    ] {
        let body = format!(r#"{{"codigo":"po_123",{member}}}"#);
        let fault = fault(&[(ID, "/codigo")], &body);
        assert!(
            matches!(fault, Some(LessonFault::SaysFailed(_))),
            "{body}: {fault:?}"
        );
    }
}

#[test]
fn cursor_starts_at_a_value_that_may_be_taught() {
    let contract = Contract::built_in();
    let pointer = |setting: &ReplySetting, body: &str| {
        let row = lesson_beside(body, &[]).suggest_row(&contract, setting)?;
        Some(
            ReplyTree::read(&body.into()).unwrap().rows()[row]
                .pointer
                .clone(),
        )
    };
    let id = WITHDRAWAL_ID;
    assert_eq!(pointer(id, REPLY).as_deref(), Some("/data/payout_code"));
    assert_eq!(
        pointer(WITHDRAWAL_STATUS, REPLY).as_deref(),
        Some("/data/state")
    );
    assert_eq!(pointer(id, r#"{"request_id":"r-1"}"#), None);
}

#[test]
fn taught_place_is_added_to_the_old_ones() {
    let built_in = Contract::built_in();
    let contract = taught(
        &built_in,
        &[(ID, "/data/payout_code"), (STATE, "/data/state")],
        REPLY,
    );
    let places = |contract: &Contract, name: &str| match contract.value(name) {
        Some(SettingValue::Texts(places)) => places.clone(),
        other => panic!("{other:?}"),
    };
    for (name, place) in [(ID, "/data/payout_code"), (STATE, "/data/state")] {
        let expected = [vec![place.to_owned()], places(&built_in, name)].concat();
        assert_eq!(places(&contract, name), expected);
    }
    // Teaching the same place again changes nothing.
    assert_eq!(
        taught(&contract, &[(STATE, "/data/state")], REPLY).value(STATE),
        contract.value(STATE)
    );
    let enveloped = Contract::with(&[("c", "withdrawal.under = ['/data']")]).unwrap();
    let body = r#"{"payout_code":"po_123","data":{}}"#;
    let contract = taught(&enveloped, &[(ID, "/payout_code")], body);
    assert_eq!(places(&contract, "withdrawal.under"), ["", "/data"]);
    let all_kept = enveloped
        .withdrawal
        .call
        .failed
        .error
        .pointers
        .iter()
        .all(|place| {
            contract
                .withdrawal
                .call
                .failed
                .error
                .pointers
                .contains(place)
        });
    assert!(all_kept);
}

#[test]
fn failures_beside_a_taught_code_are_read() {
    let body = r#"{"ok":true,"saque":{"numero":48213}}"#;
    let contract = taught(&Contract::built_in(), &[(ID, "/saque/numero")], body);
    let under = SettingValue::Texts(
        ["", "/data", "/withdrawal", "/data/withdrawal", "/saque"]
            .map(str::to_owned)
            .to_vec(),
    );
    assert_eq!(contract.value("withdrawal.under"), Some(&under));
    let places = |paths: &super::super::JsonPaths, place: &str| {
        paths
            .pointers
            .iter()
            .any(|pointer| pointer.as_str() == place)
    };
    for (setting, place) in [
        (WITHDRAWAL_ID, "/saque/numero"),
        (WITHDRAWAL_STATUS, "/saque/status"),
        (ECHO_AMOUNT, "/saque/amount"),
    ] {
        assert!(places(contract.paths(setting), place), "{place}");
    }
    assert!(places(
        &contract.withdrawal.call.failed.error,
        "/saque/error"
    ));
}

#[test]
fn empty_success_is_a_flag_or_statuses() {
    let read = |text: &str| {
        Contract::with(&[("c", &format!("withdrawal.empty_success = {text}"))])
            .map(|contract| contract.withdrawal.empty_success)
            .map_err(|error| error.problem)
    };
    assert_eq!(read("false"), Ok(EmptySuccess::Never));
    assert_eq!(read("true"), Ok(EmptySuccess::AnyStatus));
    assert_eq!(read("[204]"), Ok(EmptySuccess::Statuses(vec![204])));
    for wrong in ["[404]", "204", "['204']", "'no'"] {
        assert!(
            read(wrong)
                .unwrap_err()
                .contains("takes true or false, or a list"),
            "{wrong}"
        );
    }
    let built_in = Contract::built_in();
    assert_eq!(
        built_in.setting_for_empty_success(208),
        None,
        "the first request may still run"
    );
    let line = built_in.setting_for_empty_success(204).unwrap();
    let taught = built_in.with_taught(&[line]).unwrap();
    assert_eq!(
        taught.withdrawal.empty_success,
        EmptySuccess::Statuses(vec![204])
    );
    assert_eq!(taught.setting_for_empty_success(204), None);
    let both = taught
        .with_taught(&[taught.setting_for_empty_success(200).unwrap()])
        .unwrap();
    assert_eq!(
        both.withdrawal.empty_success,
        EmptySuccess::Statuses(vec![204, 200])
    );
    let strict = Contract::with(&[("c", "withdrawal.id_required = true")]).unwrap();
    assert_eq!(strict.setting_for_empty_success(204), None);
}
