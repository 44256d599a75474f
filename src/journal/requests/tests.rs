use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::trade::withdrawal::NotSent;
use crate::trade::{BodyEnd, CredentialKind, Failure, NoAnswer, ReplySeen};

const NOW: Wall = Wall(1_784_600_000_000);

fn owner() -> RequestOwner {
    RequestOwner { profile: "loja".into(), origin: Origin("https://api.example".into()) }
}

fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(uuid::Uuid::from_u128(n))
}

fn exchange(n: u64, body: &str) -> Exchange {
    let headers = vec![("date".to_owned(), "now".into())];
    let reply = ReplySeen {
        end: BodyEnd::TooLarge,
        announced: Some(3_000_000),
        ..ReplySeen::new(200, headers, body)
    };
    Exchange {
        at: Wall(n as i64),
        request_headers: vec![("host".into(), "api.example".into())],
        request_body: Some(r#"{"a":"é\u001b"}"#.into()),
        request_bytes: 12,
        took: Duration::from_micros(34_567),
        connecting: Some(Duration::from_micros(12_345)),
        ..Exchange::new(Operation::CreateLink, "POST", format!("https://x/{n}"), Ok(reply))
    }
}

fn urls(requests: &Requests) -> Vec<String> {
    let rows = requests.rows(None, 10_000).unwrap();
    rows.iter().map(|row| row.url.rsplit('/').next().unwrap().to_owned()).collect()
}

#[test]
fn stored_exchange_is_read_back_unchanged() {
    let mut requests = Requests::in_memory().unwrap();
    let failures = [
        Failure::NotSent(NotSent::Dns),
        Failure::NoCredential(CredentialKind::Jwt),
        Failure::NoAnswer(NoAnswer::TooLarge),
        Failure::Cancelled,
    ];
    let failed = failures.into_iter().map(|failure| Exchange {
        reply: Err(failure),
        connecting: None,
        request_body: None,
        ..exchange(1, "")
    });
    for exchange in [exchange(1, "{\"a\":\"\u{202e}\u{7}…\"}")].into_iter().chain(failed) {
        let id = requests.keep(&owner(), &exchange, None).unwrap();
        assert_eq!(requests.exchange(id).unwrap(), Some(exchange));
    }
    assert_eq!(requests.exchange(RowId(99)).unwrap(), None);
}

#[test]
fn row_has_every_fact_of_its_request() {
    let mut requests = Requests::in_memory().unwrap();
    let mut lost = exchange(2, "");
    (lost.operation, lost.reply) =
        (Operation::Withdrawal, Err(Failure::NoAnswer(NoAnswer::Timeout)));
    let subjects = [ExchangeSubject::Sale(RowId(7)), ExchangeSubject::Withdrawal(key(3))];
    requests.keep(&owner(), &exchange(1, "[1]"), Some(subjects[0])).unwrap();
    requests.keep(&owner(), &lost, Some(subjects[1])).unwrap();
    let made = RequestRow {
        id: RowId(1),
        at: Wall(1),
        profile: "loja".into(),
        origin: Origin("https://api.example".into()),
        operation: Operation::CreateLink,
        method: "POST".into(),
        url: "https://x/1".into(),
        result: RequestResult::Reply(200),
        took: Duration::from_millis(34),
        request_bytes: 12,
        reply_bytes: Some(3),
        subject: Some(subjects[0]),
    };
    let lost = RequestRow {
        id: RowId(2),
        at: Wall(2),
        operation: Operation::Withdrawal,
        url: "https://x/2".into(),
        result: RequestResult::NoAnswer,
        reply_bytes: None,
        subject: Some(subjects[1]),
        ..made.clone()
    };
    assert_eq!(requests.rows(None, 10).unwrap(), [lost.clone(), made.clone()]);
    assert_eq!(requests.rows(None, 1).unwrap(), [lost]);
    assert_eq!(requests.rows(Some(RowId(2)), 10).unwrap(), [made]);
}

#[test]
fn oldest_requests_deleted_beyond_the_limits() {
    let mut requests = Requests::in_memory().unwrap();
    for n in 0..MOST_ROWS + 3 {
        requests.keep(&owner(), &exchange(n, ""), None).unwrap();
    }
    let kept = urls(&requests);
    assert_eq!((kept.len() as u64, &*kept[0]), (MOST_ROWS, "2002"));
    assert_eq!(kept.last().unwrap(), "3");
    let large = |share: u64| "x".repeat((MOST_BYTES / share) as usize);
    requests.keep(&owner(), &exchange(1, &large(3)), None).unwrap();
    requests.keep(&owner(), &exchange(2, &large(3)), None).unwrap();
    requests.keep(&owner(), &exchange(3, &large(2)), None).unwrap();
    assert_eq!(urls(&requests), ["3", "2"]);
    // The newest request is stored regardless of its size.
    requests.keep(&owner(), &exchange(4, &large(1)), None).unwrap();
    assert_eq!(urls(&requests), ["4"]);
}

#[test]
fn purge_deletes_by_date_and_by_withdrawal() {
    let dir = tempfile::tempdir().unwrap();
    let mut requests = Requests::open(dir.path(), NOW).unwrap().0;
    for (n, subject) in [
        (1, None),
        (5, Some(ExchangeSubject::Withdrawal(key(1)))),
        (6, Some(ExchangeSubject::Withdrawal(key(2)))),
        (7, Some(ExchangeSubject::Sale(RowId(1)))),
    ] {
        requests.keep(&owner(), &exchange(n, "canary-of-the-body"), subject).unwrap();
    }
    assert_eq!(requests.to_purge(Wall(5), &[key(1), key(9)]), Ok(2));
    requests.purge(Wall(5), &[key(1), key(9)]).unwrap();
    assert_eq!(urls(&requests), ["7", "6"]);
    requests.purge(Wall(8), &[]).unwrap();
    assert_eq!((urls(&requests), requests.overwrite_deleted()), (vec![], Ok(true)));
    drop(requests);
    for entry in fs::read_dir(dir_in(dir.path())).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(6).any(|part| part == b"canary"), "deleted data remains");
    }
}

#[test]
fn file_is_private_and_in_a_directory_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    assert!(Requests::open_if_any(dir.path(), NOW).unwrap().is_none());
    assert_eq!(schema_on_disk(dir.path()), Ok(None));
    drop(Requests::open(dir.path(), NOW).unwrap());
    let names = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["requests"]);
    let file = dir.path().join("requests/requests.db");
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(Requests::open_if_any(dir.path(), NOW).unwrap().is_some());
    assert_eq!(schema_on_disk(dir.path()), Ok(Some(Some(SCHEMA))));
}

#[test]
fn damaged_file_is_moved_aside_and_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let mut requests = Requests::open(dir.path(), NOW).unwrap().0;
    requests.keep(&owner(), &exchange(1, ""), None).unwrap();
    drop(requests);
    fs::write(dir_in(dir.path()).join("requests.db"), [7; 9_000]).unwrap();
    assert_eq!(moved_aside(dir.path()), Vec::<String>::new());
    let (requests, moved) = Requests::open(dir.path(), NOW).unwrap();
    assert_eq!(urls(&requests), Vec::<String>::new());
    let name = moved.unwrap().to.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(name.starts_with("requests-damaged-2026-"), "{name}");
    assert_eq!(moved_aside(dir.path()), [name]);
}

#[test]
fn file_of_another_version_is_refused_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let requests = Requests::open(dir.path(), NOW).unwrap().0;
    requests.connection.pragma_update(None, "user_version", SCHEMA + 1).unwrap();
    drop(requests);
    let refused = Some(JournalTrouble::OtherVersion { found: SCHEMA + 1, known: SCHEMA });
    assert_eq!(Requests::open(dir.path(), NOW).err(), refused);
    assert_eq!(schema_on_disk(dir.path()).err(), refused);
}
