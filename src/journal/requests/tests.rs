use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::trade::search::{Period, RowLabel, TimeMatch};
use crate::trade::withdrawal::NotSent;
use crate::trade::{BodyEnd, CredentialKind, Failure, MaskedReply, NoAnswer, SubjectFilter};

const NOW: Wall = Wall(1_784_600_000_000);

fn owner() -> RequestOwner {
    RequestOwner {
        profile: "loja".into(),
        origin: Origin("https://api.example".into()),
    }
}

fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(uuid::Uuid::from_u128(n))
}

fn exchange(n: u64, body: &str) -> Exchange {
    let headers = vec![("date".to_owned(), "now".into())];
    let reply = MaskedReply {
        end: BodyEnd::TooLarge,
        announced: Some(3_000_000),
        ..MaskedReply::new(200, headers, body)
    };
    Exchange {
        at: Wall(n as i64),
        request_headers: vec![("host".into(), "api.example".into())],
        request_body: Some(r#"{"a":"é\u001b"}"#.into()),
        request_bytes: 12,
        took: Duration::from_micros(34_567),
        connecting: Some(Duration::from_micros(12_345)),
        ..Exchange::new(
            Operation::CreateLink,
            "POST",
            format!("https://x/{n}"),
            Ok(reply),
        )
    }
}

/// Replaces the only stored record by the text that an earlier version wrote.
fn store_record(requests: &mut Requests, record: &str) {
    let update = "UPDATE request SET exchange = ?";
    requests
        .run(|connection| connection.execute(update, [record]).map(drop))
        .unwrap();
}

#[test]
fn record_of_an_earlier_version_keeps_its_masks() {
    let mut requests = Requests::in_memory().unwrap();
    let id = requests.store(&owner(), &exchange(1, "")).unwrap();
    store_record(
        &mut requests,
        r#"{"at":1,"operation":"login","method":"POST","url":"https://x/1",
            "request_headers":[["authorization","Bearer …"],["host","x"]],
            "request_body":"{\"email\":\"ana@x\",\"password\":\"…\"}","request_bytes":1,
            "took":{"secs":0,"nanos":1},"connecting":null,"reply":{"Ok":{"status":200,
            "headers":[["x-a","…"],["server","a…"]],"end":"whole","received":1,"announced":null,
            "body":
            "{\"token\":\"…\",\"jwt\":\"eyJ…\",\"note\":\"Bolo…\",\"a\":\"x \\\"…\\\"\"}"}}}"#,
    );
    let login = requests.exchange(id).unwrap().unwrap();
    assert_eq!(login.request_headers[0].1, "Bearer \u{FDEF}");
    assert_eq!(
        login.request_body.unwrap(),
        "{\"email\":\"ana@x\",\"password\":\"\u{FDEF}\"}"
    );
    let reply = login.reply.unwrap();
    let header_masks: Vec<bool> = reply
        .headers
        .iter()
        .map(|(_, value)| value.is_masked())
        .collect();
    assert_eq!(header_masks, [true, false]);
    assert_eq!(
        reply.body.raw(),
        "{\"token\":\"\u{FDEF}\",\"jwt\":\"eyJ\u{FDEF}\",\"note\":\"Bolo…\",\"a\":\"x \\\"…\\\"\"}"
    );

    store_record(
        &mut requests,
        r#"{"at":1,"operation":"login","method":"POST","url":"https://x/1",
        "request_headers":[],"request_body":"senha=…&nota=Bolo…","request_bytes":1,
        "took":{"secs":0,"nanos":1},"connecting":null,"reply":{"Err":"cancelled"}}"#,
    );
    let form = requests.exchange(id).unwrap().unwrap().request_body;
    assert_eq!(form.as_deref(), Some("senha=\u{FDEF}&nota=Bolo…"));
}

#[test]
fn ellipsis_of_the_service_stays_one_in_a_stored_row() {
    let mut requests = Requests::in_memory().unwrap();
    let stored = exchange(1, r#"{"note":"…"}"#);
    let id = requests.store(&owner(), &stored).unwrap();
    assert_eq!(requests.exchange(id).unwrap(), Some(stored));
}

fn urls(requests: &mut Requests) -> Vec<String> {
    let rows = requests.rows(None, 10_000).unwrap();
    rows.iter()
        .map(|row| row.url.rsplit('/').next().unwrap().to_owned())
        .collect()
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
    let failed_exchanges = failures.into_iter().map(|failure| Exchange {
        reply: Err(failure),
        connecting: None,
        request_body: None,
        ..exchange(1, "")
    });
    for exchange in [exchange(1, "{\"a\":\"\u{202e}\u{7}…\"}")]
        .into_iter()
        .chain(failed_exchanges)
    {
        let id = requests.store(&owner(), &exchange).unwrap();
        assert_eq!(requests.exchange(id).unwrap(), Some(exchange));
    }
    assert_eq!(requests.exchange(RowId(99)).unwrap(), None);
}

/// A stored request, exactly as version 0.1 of the program wrote it.
const EARLIER_TEXT: &str = r#"{"at":5,"operation":"withdrawal","method":"POST","url":"https://x/w",
    "request_headers":[["host","x"]],"request_body":"{}","request_bytes":2,
    "took":{"secs":1,"nanos":5},"connecting":null,"reply":REPLY}"#;

#[test]
fn rows_of_earlier_versions_stay_readable() {
    let mut requests = Requests::in_memory().unwrap();
    let answered = MaskedReply {
        end: BodyEnd::Cut,
        received: 9,
        announced: Some(12),
        ..MaskedReply::new(201, vec![("date".into(), "now".into())], "[]")
    };
    let answered_text = r#"{"Ok":{"status":201,"headers":[["date","now"]],"body":"[]","end":"cut",
        "received":9,"announced":12}}"#;
    let replies = [
        (answered_text, Ok(answered)),
        (
            r#"{"Err":{"not_sent":"dns"}}"#,
            Err(Failure::NotSent(NotSent::Dns)),
        ),
        (
            r#"{"Err":{"no_credential":"jwt"}}"#,
            Err(Failure::NoCredential(CredentialKind::Jwt)),
        ),
        (
            r#"{"Err":{"no_answer":"too_large"}}"#,
            Err(Failure::NoAnswer(NoAnswer::TooLarge)),
        ),
        (r#"{"Err":"cancelled"}"#, Err(Failure::Cancelled)),
    ];
    let subjects = [
        (None, Some(7), Some(ExchangeSubject::Sale(RowId(7)))),
        (
            Some(key(3).to_string()),
            None,
            Some(ExchangeSubject::Withdrawal(key(3))),
        ),
        (None, None, None),
    ];
    for ((text, reply), (withdrawal, sale, subject)) in
        replies.into_iter().zip(subjects.into_iter().cycle())
    {
        let row = requests.store(&owner(), &exchange(1, "")).unwrap();
        let change = "UPDATE request SET exchange = ?, withdrawal = ?, sale = ? WHERE id = ?";
        let text = EARLIER_TEXT.replace("REPLY", text);
        requests
            .connection
            .execute(change, params![text, withdrawal, sale, row.0])
            .unwrap();
        requests.own.clear();
        let expected = Exchange {
            id: ExchangeId::Row(row),
            subject,
            at: Wall(5),
            request_headers: vec![("host".into(), "x".into())],
            request_body: Some("{}".into()),
            request_bytes: 2,
            took: Duration::new(1, 5),
            ..Exchange::new(Operation::Withdrawal, "POST", "https://x/w", reply)
        };
        assert_eq!(requests.rows(None, 1).unwrap()[0].subject, subject);
        assert_eq!(requests.exchange(row).unwrap(), Some(expected));
    }
}

#[test]
fn row_of_this_run_keeps_the_id_of_its_exchange() {
    let mut requests = Requests::in_memory().unwrap();
    let other = requests.store(&owner(), &exchange(1, "")).unwrap();
    requests.own.clear();
    let id = ExchangeId::Run(5);
    let own = requests
        .store(
            &owner(),
            &Exchange {
                id,
                ..exchange(2, "")
            },
        )
        .unwrap();
    let query = RequestQuery {
        rows: 9,
        ..RequestQuery::default()
    };
    let rows = requests.page(&owner(), &query).unwrap().page.rows;
    let ids: Vec<_> = rows.iter().map(|row| row.exchange).collect();
    assert_eq!(ids, [id, ExchangeId::Row(other)]);
    assert_eq!(requests.exchange(own).unwrap().unwrap().id, id);
    assert_eq!(
        requests.exchange(other).unwrap().unwrap().id,
        ExchangeId::Row(other)
    );
}

#[test]
fn row_has_every_fact_of_its_request() {
    let mut requests = Requests::in_memory().unwrap();
    let mut lost = exchange(2, "");
    (lost.operation, lost.reply) = (
        Operation::Withdrawal,
        Err(Failure::NoAnswer(NoAnswer::Timeout)),
    );
    let subjects = [
        ExchangeSubject::Sale(RowId(7)),
        ExchangeSubject::Withdrawal(key(3)),
    ];
    let mut with_request_id = exchange(1, "[1]");
    if let Ok(reply) = &mut with_request_id.reply {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        reply.headers = vec![
            ("date".into(), date.into()),
            ("x-request-id".into(), "r-77".into()),
        ];
    }
    (with_request_id.subject, lost.subject) = (Some(subjects[0]), Some(subjects[1]));
    requests.store(&owner(), &with_request_id).unwrap();
    requests.store(&owner(), &lost).unwrap();
    let created = RequestRow {
        id: RowId(1),
        exchange: ExchangeId::Row(RowId(1)),
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
        request_id: Some("r-77".into()),
        clock_ms: Some(784_111_776_965),
    };
    let lost = RequestRow {
        id: RowId(2),
        exchange: ExchangeId::Row(RowId(2)),
        at: Wall(2),
        operation: Operation::Withdrawal,
        url: "https://x/2".into(),
        result: RequestResult::NoAnswer,
        reply_bytes: None,
        subject: Some(subjects[1]),
        request_id: None,
        clock_ms: None,
        ..created.clone()
    };
    assert_eq!(
        requests.rows(None, 10).unwrap(),
        [lost.clone(), created.clone()]
    );
    assert_eq!(requests.rows(None, 1).unwrap(), [lost]);
    assert_eq!(requests.rows(Some(RowId(2)), 10).unwrap(), [created]);
}

#[test]
fn oldest_requests_deleted_beyond_the_limits() {
    let mut requests = Requests::in_memory().unwrap();
    for n in 0..MAX_ROWS + 3 {
        requests.store(&owner(), &exchange(n, "")).unwrap();
    }
    let stored_urls = urls(&mut requests);
    assert_eq!(
        (stored_urls.len() as u64, &*stored_urls[0]),
        (MAX_ROWS, "2002")
    );
    assert_eq!(stored_urls.last().unwrap(), "3");
    let large_body = |share: u64| "x".repeat((MAX_BYTES / share) as usize);
    // Each body counts twice, because it is stored in the request and in the searchable text.
    requests
        .store(&owner(), &exchange(1, &large_body(6)))
        .unwrap();
    requests
        .store(&owner(), &exchange(2, &large_body(6)))
        .unwrap();
    requests
        .store(&owner(), &exchange(3, &large_body(4)))
        .unwrap();
    assert_eq!(urls(&mut requests), ["3", "2"]);
    // The newest request is always stored, even if it is very large.
    requests
        .store(&owner(), &exchange(4, &large_body(1)))
        .unwrap();
    assert_eq!(urls(&mut requests), ["4"]);
}

#[test]
fn purge_deletes_by_date_and_by_withdrawal() {
    let dir = tempfile::tempdir().unwrap();
    let mut requests = Requests::open(dir.path(), NOW).unwrap();
    for (n, subject) in [
        (1, None),
        (5, Some(ExchangeSubject::Withdrawal(key(1)))),
        (6, Some(ExchangeSubject::Withdrawal(key(2)))),
        (7, Some(ExchangeSubject::Sale(RowId(1)))),
    ] {
        let exchange = Exchange {
            subject,
            ..exchange(n, "canary-of-the-body")
        };
        requests.store(&owner(), &exchange).unwrap();
    }
    assert_eq!(requests.count_to_purge(Wall(5), &[key(1), key(9)]), Ok(2));
    requests.purge(Wall(5), &[key(1), key(9)]).unwrap();
    assert_eq!(urls(&mut requests), ["7", "6"]);
    requests.purge(Wall(8), &[]).unwrap();
    assert_eq!(
        (urls(&mut requests), requests.overwrite_deleted()),
        (vec![], Ok(true))
    );
    drop(requests);
    for entry in fs::read_dir(requests_dir(dir.path())).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        assert!(
            !bytes.windows(6).any(|part| part == b"canary"),
            "deleted data remains"
        );
    }
}

#[test]
fn file_is_private_and_in_a_directory_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    assert!(Requests::open_if_any(dir.path(), NOW).unwrap().is_none());
    assert_eq!(examine(dir.path()), Ok(None));
    drop(Requests::open(dir.path(), NOW).unwrap());
    let names = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["requests"]);
    let file = dir.path().join("requests/requests.db");
    assert_eq!(
        fs::metadata(file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(Requests::open_if_any(dir.path(), NOW).unwrap().is_some());
    let contents = |requests| DatabaseContents {
        schema: SCHEMA,
        rows: vec![("requests", requests)],
    };
    assert_eq!(examine(dir.path()), Ok(Some(contents(0))));
    let mut requests = Requests::open(dir.path(), NOW).unwrap();
    requests.store(&owner(), &exchange(1, "")).unwrap();
    assert_eq!(
        examine(dir.path()),
        Ok(Some(contents(1))),
        "also while it is open"
    );
}

#[test]
fn damaged_file_is_moved_aside_and_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let mut requests = Requests::open(dir.path(), NOW).unwrap();
    requests.store(&owner(), &exchange(1, "")).unwrap();
    drop(requests);
    fs::write(requests_dir(dir.path()).join("requests.db"), [7; 9_000]).unwrap();
    assert_eq!(list_renamed_files(dir.path()), Vec::<String>::new());
    let mut requests = Requests::open(dir.path(), NOW).unwrap();
    assert_eq!(urls(&mut requests), Vec::<String>::new());
    let name = requests
        .renamed_file()
        .unwrap()
        .new_path
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    assert!(name.starts_with("requests-damaged-2026-"), "{name}");
    assert_eq!(list_renamed_files(dir.path()), [name]);
}

/// Stores requests, and then damages pages in the middle of the file. Opening the file does not
/// detect this damage.
fn create_dir_with_damaged_pages() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut requests = Requests::open(dir.path(), NOW).unwrap();
    for n in 0..100 {
        requests
            .store(&owner(), &exchange(n, &"x".repeat(9_000)))
            .unwrap();
    }
    drop(requests);
    assert!(matches!(examine(dir.path()), Ok(Some(_))));
    let file = FILE.path(&requests_dir(dir.path()));
    let mut bytes = fs::read(&file).unwrap();
    let from = bytes.len() / 4;
    let to = bytes.len() / 2;
    bytes[from / 4_096 * 4_096..to].fill(7);
    fs::write(file, bytes).unwrap();
    dir
}

#[test]
fn damage_found_later_replaces_the_file() {
    type Work = fn(&mut Requests) -> bool;
    let cases: [(&str, Work); 5] = [
        ("rows", |requests| {
            requests.rows(None, 10_000).unwrap().is_empty()
        }),
        ("page", |requests| {
            let query = RequestQuery {
                rows: 1_000,
                ..RequestQuery::default()
            };
            requests.page(&owner(), &query).unwrap().is_replaced
        }),
        ("exchanges", |requests| {
            (1..=100).for_each(|id| _ = requests.exchange(RowId(id)).unwrap());
            true
        }),
        ("purge", |requests| {
            requests.purge(Wall(90), &[]).unwrap();
            requests.overwrite_deleted().unwrap()
        }),
        ("keep", |requests| {
            // Make one request appear larger than the size limit. Storing another request then
            // deletes old rows, which finds the damage.
            let bytes = "UPDATE request SET bytes = 1000000000 WHERE id = 95";
            requests.connection.execute_batch(bytes).unwrap();
            requests.store(&owner(), &exchange(1, "")).is_ok()
        }),
    ];
    for (name, work) in cases {
        let dir = create_dir_with_damaged_pages();
        let mut requests = Requests::open(dir.path(), NOW).unwrap();
        assert!(
            requests.renamed_file().is_none(),
            "{name}: opening does not find it"
        );
        assert!(work(&mut requests), "{name}");
        let moved = requests
            .renamed_file()
            .unwrap_or_else(|| panic!("{name} finds it"));
        assert!(moved.new_path.exists(), "{name}");
        assert_eq!(list_renamed_files(dir.path()).len(), 1, "{name}");
        let id = requests.store(&owner(), &exchange(7, "")).unwrap();
        assert!(requests.exchange(id).unwrap().is_some(), "{name}");
        assert!(examine(dir.path()).is_ok(), "{name}");
    }
}

#[test]
fn damage_replaced_by_one_process_is_not_moved_twice() {
    let dir = create_dir_with_damaged_pages();
    let [mut first, mut second] = [0, 1].map(|_| Requests::open(dir.path(), NOW).unwrap());
    first.rows(None, 10_000).unwrap();
    first.store(&owner(), &exchange(5, "")).unwrap();
    assert_eq!(urls(&mut second), ["5"]);
    assert_eq!(
        (
            first.renamed_file().is_some(),
            second.renamed_file().is_some()
        ),
        (true, false)
    );
    assert_eq!(list_renamed_files(dir.path()).len(), 1);
}

#[test]
fn checkup_reads_the_whole_file() {
    let dir = create_dir_with_damaged_pages();
    assert!(matches!(
        examine(dir.path()),
        Err(JournalTrouble::Damaged(_))
    ));
    assert_eq!(list_renamed_files(dir.path()), Vec::<String>::new());
}

#[test]
fn row_of_another_program_is_left_out() {
    let mut requests = Requests::in_memory().unwrap();
    (1..=5).for_each(|n| _ = requests.store(&owner(), &exchange(n, "")).unwrap());
    let change = |requests: &Requests, sql| requests.connection.execute_batch(sql).unwrap();
    change(
        &requests,
        "UPDATE request SET operation = 'zz' WHERE id = 2",
    );
    change(
        &requests,
        "UPDATE request SET withdrawal = 'zz' WHERE id = 4",
    );
    change(&requests, "UPDATE request SET exchange = '{}' WHERE id = 5");
    assert_eq!(urls(&mut requests), ["5", "3", "1"]);
    assert_eq!(requests.exchange(RowId(5)), Ok(None));
    assert_eq!(find(&mut requests, &query_for("")), "5 3 1");
    assert_eq!(
        requests
            .page(&owner(), &query_for(""))
            .unwrap()
            .of_other_version,
        2
    );
    let count = "SELECT count(*) FROM request";
    let count = requests
        .connection
        .query_row(count, [], |row| row.get::<_, i64>(0));
    assert_eq!(count, Ok(5), "reading deletes nothing");
}

#[test]
fn symbolic_link_as_file_or_directory_is_refused() {
    for is_directory in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        drop(Requests::open(dir.path(), NOW).unwrap());
        let path = requests_dir(dir.path());
        let path = if is_directory { path } else { FILE.path(&path) };
        let to = elsewhere.path().join("to");
        fs::rename(&path, &to).unwrap();
        std::os::unix::fs::symlink(&to, &path).unwrap();
        let is_io_error = |trouble| matches!(trouble, Some(JournalTrouble::Io(_)));
        assert!(is_io_error(Requests::open(dir.path(), NOW).err()));
        assert!(is_io_error(Requests::open_if_any(dir.path(), NOW).err()));
        assert!(is_io_error(examine(dir.path()).err()));
        assert!(path.is_symlink());
    }
}

#[test]
fn file_of_another_version_is_refused_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let requests = Requests::open(dir.path(), NOW).unwrap();
    requests
        .connection
        .pragma_update(None, "user_version", SCHEMA + 1)
        .unwrap();
    drop(requests);
    let error = Some(JournalTrouble::OtherVersion {
        found: SCHEMA + 1,
        known: SCHEMA,
    });
    assert_eq!(Requests::open(dir.path(), NOW).err(), error);
    assert_eq!(examine(dir.path()).err(), error);
}

/// The last part of the URL of each request that a search finds.
fn find(requests: &mut Requests, query: &RequestQuery) -> String {
    let query = RequestQuery {
        rows: 100,
        ..query.clone()
    };
    let read = requests.page(&owner(), &query).unwrap();
    assert_eq!(read.page.total, Some(read.page.rows.len() as u64));
    let url_ends = read
        .page
        .rows
        .iter()
        .map(|row| row.url.rsplit('/').next().unwrap().to_owned());
    url_ends.collect::<Vec<_>>().join(" ")
}

fn query_for(typed: &str) -> RequestQuery {
    RequestQuery {
        search: typed.into(),
        ..RequestQuery::default()
    }
}

#[test]
fn search_reads_status_path_id_and_both_bodies() {
    let mut requests = Requests::in_memory().unwrap();
    for (n, status, body) in [
        (1, 200, "{\"a\":\"AÇÚCAR 9%\"}"),
        (2, 422, "x"),
        (3, 500, "y_z"),
    ] {
        let mut exchange = exchange(n, body);
        exchange.request_body = Some(format!("{{\"sent\":\"enviado{n}\"}}"));
        exchange.url = format!("https://host.example/v1/Links/{n}").into();
        let reply = exchange.reply.as_mut().unwrap();
        (reply.status, reply.headers) = (status, vec![("x-request-id".into(), "R-7F".into())]);
        requests.store(&owner(), &exchange).unwrap();
    }
    for (typed, url_ends) in [
        ("", "3 2 1"),
        ("acucar", "1"),
        ("AÇÚCAR 9%", "1"),
        ("422", "2"),
        ("v1/links", "3 2 1"),
        ("enviado3", "3"),
        ("r-7f enviado2", "2"),
        ("y_z", "3"),
        ("host.example", ""),
        ("xyz", ""),
    ] {
        assert_eq!(find(&mut requests, &query_for(typed)), url_ends, "{typed}");
    }
}

#[test]
fn search_word_matches_its_labels_and_times() {
    let mut requests = Requests::in_memory().unwrap();
    let login = Exchange {
        operation: Operation::Login,
        at: NOW,
        ..exchange(1, "")
    };
    let lost = Exchange {
        reply: Err(Failure::NoAnswer(NoAnswer::Cut)),
        ..exchange(2, "")
    };
    requests.store(&owner(), &login).unwrap();
    requests.store(&owner(), &lost).unwrap();
    let mut query = query_for("qqq");
    assert_eq!(find(&mut requests, &query), "");
    query.search.terms[0].labels = vec![RowLabel::ForOperation(Operation::Login)];
    assert_eq!(find(&mut requests, &query), "1");
    query.search.terms[0].labels = vec![RowLabel::WithResult(RequestResult::NoAnswer)];
    assert_eq!(find(&mut requests, &query), "2");
    query.search.terms[0].labels = vec![];
    query.search.terms[0].moments = vec![TimeMatch::Contains("/2026 ".into())];
    assert_eq!(find(&mut requests, &query), "1");
    query.search.terms[0].moments = vec![TimeMatch::StartsWith("/2026 ".into())];
    assert_eq!(find(&mut requests, &query), "");
    // The first request is the only one of its day.
    let mut query = query_for("");
    assert_eq!(find(&mut requests, &query), "2 1");
    let day = NOW.local_day(0);
    for (first, last, expected) in [(day, day, "1"), (day - 9, day - 1, ""), (0, day, "2 1")] {
        query.search.reading.period = Some(Period { first, last });
        assert_eq!(find(&mut requests, &query), expected, "{first} {last}");
    }
}

#[test]
fn page_has_only_rows_of_its_owner_and_object() {
    let mut requests = Requests::in_memory().unwrap();
    let others = [
        RequestOwner {
            profile: "outra".into(),
            ..owner()
        },
        RequestOwner {
            origin: Origin("https://other.example".into()),
            ..owner()
        },
    ];
    others
        .iter()
        .for_each(|other| _ = requests.store(other, &exchange(9, "")).unwrap());
    let sale = ExchangeSubject::Sale(RowId(7));
    let payout = ExchangeSubject::Withdrawal(key(4));
    for (n, operation, subject) in [
        (1, Operation::CreateLink, sale),
        (2, Operation::CreateLink, sale),
        (3, Operation::DirectPayment, sale),
        (4, Operation::Withdrawal, payout),
    ] {
        let exchange = Exchange {
            operation,
            subject: Some(subject),
            ..exchange(n, "")
        };
        requests.store(&owner(), &exchange).unwrap();
    }
    let query_of = |operation, subject, since| RequestQuery {
        subject_filter: Some(SubjectFilter {
            operation,
            subject,
            since: Wall(since),
        }),
        ..RequestQuery::default()
    };
    assert_eq!(find(&mut requests, &query_for("")), "4 3 2 1");
    assert_eq!(
        find(&mut requests, &query_of(Operation::CreateLink, sale, 0)),
        "2 1"
    );
    assert_eq!(
        find(&mut requests, &query_of(Operation::CreateLink, sale, 2)),
        "2",
        "an older history"
    );
    assert_eq!(
        find(&mut requests, &query_of(Operation::DirectPayment, sale, 0)),
        "3"
    );
    assert_eq!(
        find(
            &mut requests,
            &query_of(Operation::Withdrawal, payout, i64::MIN)
        ),
        "4"
    );
}

#[test]
fn pages_follow_each_other_and_name_the_oldest() {
    let dir = tempfile::tempdir().unwrap();
    let mut on_disk = Requests::open(dir.path(), NOW).unwrap();
    let mut in_memory = Requests::in_memory().unwrap();
    for (requests, is_kept) in [(&mut on_disk, true), (&mut in_memory, false)] {
        for n in 1..=5 {
            requests.store(&owner(), &exchange(n, "")).unwrap();
        }
        for (first, begins, ends) in [(0, 0, ["5", "4"]), (3, 3, ["2", "1"]), (9, 3, ["2", "1"])] {
            let query = RequestQuery {
                first,
                rows: 2,
                ..RequestQuery::default()
            };
            let read = requests.page(&owner(), &query).unwrap();
            let rows = read
                .page
                .rows
                .iter()
                .map(|row| row.url.rsplit('/').next().unwrap());
            assert_eq!(rows.collect::<Vec<_>>(), ends, "{first}");
            assert_eq!((read.page.first, read.page.total), (begins, Some(5)));
            assert_eq!((read.since, read.is_persistent), (Some(Wall(1)), is_kept));
        }
    }
}

#[test]
fn batch_keeps_failed_and_newest_requests() {
    let mut requests = Requests::in_memory().unwrap();
    let mut kept = VecDeque::new();
    let failed = Exchange {
        reply: Err(Failure::Cancelled),
        ..exchange(0, "")
    };
    let mut store = |exchange: &Exchange| {
        requests
            .store_of_batch(&owner(), exchange, &mut kept)
            .unwrap();
    };
    store(&failed);
    let count = MAX_OF_BATCH as u64 + 3;
    (1..=count).for_each(|n| store(&exchange(n, "")));
    let rows = requests.rows(None, 999).unwrap();
    assert_eq!(rows.len(), MAX_OF_BATCH + 1);
    assert_eq!(rows[0].at, Wall(count.cast_signed()));
    let oldest: Vec<_> = rows.iter().rev().take(2).map(|row| row.at.0).collect();
    assert_eq!(
        oldest,
        [0, 4],
        "the failed one, and the first of the newest"
    );
}
