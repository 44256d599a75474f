//! Tests of `balcao requests`, which exports the stored HTTP requests, and searches exported files
//! for texts.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

use balcao::journal::history::History;
use balcao::journal::requests::{RequestOwner, Requests};
use balcao::trade::{
    Account, ChargeOutcome, ChargeRequest, CreatedCharge, CreatedLink, Exchange, ExchangeSubject,
    IdempotencyKey, LinkOutcome, LinkRequest, MaskedReply, Money, Operation, Origin, Wall,
};
use serde_json::Value;
use uuid::Uuid;

use super::support::place::TestHome;
use super::support::run;

/// Runs `balcao requests check` on a file with this content. `texts` are its arguments, and `input`
/// is its standard input. Returns the exit code and the output.
fn run_check(file: impl AsRef<[u8]>, texts: &[&str], input: &str) -> (Option<i32>, String) {
    let home = TestHome::new();
    let path = home.home_dir().join("a.har");
    std::fs::write(&path, file).expect("a file");
    let path = path.to_str().expect("a path");
    let args = [&["--lang", "en", "requests", "check", path], texts].concat();
    let output = run::output_with_input(&mut run::command(&home, &args), input);
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    (output.status.code(), text.replace(path, "a.har"))
}

#[test]
fn absent_text_is_reported_with_exit_code_0() {
    let (code, output) = run_check(r#"{"log":{"a":"‹cpf 1›"}}"#, &["529.982.247-25"], "");
    let limits = "Not searched: pictures, what is encrypted or compressed in another way than gzip \
                  or deflate, and what unpacks to more than 64 MiB.\n";
    assert_eq!(
        (code, output),
        (
            Some(0),
            format!("Not found: the text is not in a.har. {limits}")
        )
    );
    let (code, output) = run_check("x", &["529.982.247-25", "-"], "ana@loja.example\n\n");
    let expected = format!("Not found: none of the 2 texts is in a.har. {limits}");
    assert_eq!((code, output), (Some(0), expected));
}

#[test]
fn empty_file_is_reported_as_empty() {
    for file in ["", " \n", "\u{feff}"] {
        let (code, output) = run_check(file, &["529.982.247-25"], "");
        assert_eq!(code, Some(2), "{output}");
        assert!(
            output.contains("nothing to search in a.har: the file is empty"),
            "{output}"
        );
    }
}

#[test]
fn part_of_a_text_is_marked_as_such() {
    let file = r#"{"log":{"firstName":"Ana","lastName":"Souza","phone":["11","912345678"]}}"#;
    let (code, output) = run_check(file, &["Ana Souza", "+55 11 91234-5678"], "");
    let part = "a word or a phone without its area code";
    let expected = format!(
        "Found in a.har:\n  part of text 1, {part}: log.lastName (as plain text)\n  \
         part of text 2, {part}: log.phone[1] (as plain text)\n"
    );
    assert_eq!((code, output), (Some(1), expected));
}

#[test]
fn found_text_is_reported_with_its_places() {
    let file =
        r#"{"log":{"entries":[{"url":"https://a.b/52998224725"},"YW5hQGxvamEuZXhhbXBsZQ=="]}}"#;
    let (code, output) = run_check(file, &["-"], "529.982.247-25\nana@loja.example\n");
    let expected = "Found in a.har:\n  text 1: log.entries[0].url (as plain text)\n  \
                  text 2: log.entries[1] (in base64)\n";
    assert_eq!((code, &*output), (Some(1), expected));
    let (code, output) = run_check("x\n52998224725\n".repeat(30), &["529.982.247-25"], "");
    assert_eq!(code, Some(1));
    assert!(
        output.contains("  text 1: line 2 (as plain text)\n"),
        "{output}"
    );
    assert!(output.ends_with("  and in 10 more places\n"), "{output}");
    assert!(!output.contains("529"), "the text is repeated: {output}");
}

#[test]
fn file_beyond_the_limit_is_not_searched() {
    let home = TestHome::new();
    let path = home.home_dir().join("a.har");
    // The file has a hole, so it takes no room on the disk.
    std::fs::File::create(&path)
        .and_then(|file| file.set_len((64 << 20) + 1))
        .expect("a file");
    for endless in [path.to_str().expect("a path"), "/dev/zero"] {
        let output = run::run(
            &home,
            &["--lang", "en", "requests", "check", endless, "Ana Lima"],
        );
        let text = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("is too large: the limit is 64 MiB"), "{text}");
    }
    std::fs::remove_file(path).expect("it can be removed");
}

#[test]
fn file_in_another_character_set_is_searched() {
    let text = r#"{"a":"José"}"#;
    let latin = text
        .replace('é', "e")
        .into_bytes()
        .into_iter()
        .map(|b| if b == b'e' { 0xe9 } else { b });
    let utf_16 = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    let with_byte_order_mark = utf_16(&format!("\u{feff}{text}"));
    let utf_8 = format!("\u{feff}{text}").into_bytes();
    for file in [latin.collect(), utf_16(text), with_byte_order_mark, utf_8] {
        let (code, output) = run_check(file, &["jose"], "");
        assert!(
            code == Some(1) && output.contains("text 1: a (as plain text)"),
            "{output}"
        );
    }
}

#[test]
fn file_that_is_not_text_is_refused() {
    let gzip = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    for file in [gzip, b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0".to_vec()] {
        let (code, output) = run_check(file, &["529.982.247-25"], "");
        assert_eq!(code, Some(2), "{output}");
        assert!(
            output.contains("a.har cannot be searched: it is not text."),
            "{output}"
        );
    }
}

#[test]
fn short_text_is_refused_with_an_example() {
    for texts in [&["12"][..], &["529.982.247-25", "1.2"], &["-"]] {
        let (code, output) = run_check("12", texts, "");
        assert_eq!(code, Some(2), "{output}");
        assert!(output.contains("529.982.247-25"), "{output}");
    }
}

/// The command-line options that every command in these tests needs.
const SERVICE: [&str; 6] = [
    "--lang",
    "en",
    "--base-url",
    "https://api.example",
    "--vault",
    "memory",
];

/// Stores an HTTP request for a withdrawal. `profile` sent it at the time `at`, with idempotency
/// key number `n`.
fn store_request(home: &TestHome, profile: &str, at: Wall, n: u128) {
    store_request_with_reply(
        home,
        (profile, at, n),
        r#"{"id":"wd_1","pixKey":"52998224725"}"#,
    );
}

const ORIGIN: &str = "https://api.example";

/// Like [`store_request`], but with this body of the reply.
fn store_request_with_reply(home: &TestHome, request: (&str, Wall, u128), body: &str) {
    store_request_to(home, ORIGIN, request, body);
}

/// Like [`store_request_with_reply`], but to this service.
fn store_request_to(
    home: &TestHome,
    origin: &str,
    (profile, at, n): (&str, Wall, u128),
    body: &str,
) {
    let origin = Origin(origin.into());
    let owner = RequestOwner {
        profile: profile.into(),
        origin,
    };
    let reply = Ok(MaskedReply::new(201, vec![], body));
    let url = "https://api.example/api/v1/integrations/withdrawals";
    let subject = Some(ExchangeSubject::Withdrawal(IdempotencyKey(
        Uuid::from_u128(n),
    )));
    let exchange = Exchange::new(Operation::Withdrawal, "POST", url, reply);
    let mut requests = Requests::open(&home.state_dir().join("journal"), at).expect("a file");
    requests
        .store(
            &owner,
            &Exchange {
                at,
                subject,
                ..exchange
            },
        )
        .expect("a stored request");
}

/// Stores 100 HTTP requests, and then damages the middle of the file. The app does not notice this
/// damage when it opens the file.
fn store_and_damage(home: &TestHome) {
    let dir = home.state_dir().join("journal");
    let origin = Origin("https://api.example".into());
    let owner = RequestOwner {
        profile: "default".into(),
        origin,
    };
    let mut requests = Requests::open(&dir, MARCH).expect("a file");
    for n in 0..100 {
        let reply = Ok(MaskedReply::new(200, vec![], "x".repeat(9_000)));
        let url = format!("https://api.example/{n}");
        let exchange = Exchange::new(Operation::Domains, "GET", url, reply);
        let exchange = Exchange {
            at: MARCH,
            ..exchange
        };
        requests.store(&owner, &exchange).expect("a stored request");
    }
    drop(requests);
    let file = dir.join("requests/requests.db");
    let mut bytes = std::fs::read(&file).expect("a file");
    let middle = bytes.len() / 4 / 4_096 * 4_096..bytes.len() / 2;
    bytes[middle].fill(7);
    std::fs::write(file, bytes).expect("a damaged file");
}

/// Runs a command for the service in `SERVICE`. Returns the exit code and the output.
fn run_command(home: &TestHome, args: &[&str]) -> (Option<i32>, String) {
    let output = run::output(&mut run::command(home, &[&SERVICE[..], args].concat()));
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    (output.status.code(), text)
}

const PURGE: [&str; 5] = ["data", "purge", "--before", "2026-11-01", "--yes"];

#[test]
fn damaged_file_is_moved_aside_by_purge_only() {
    let home = TestHome::new();
    store_and_damage(&home);
    let (_, doctor) = run_command(&home, &["doctor"]);
    assert!(doctor.contains("the file is damaged"), "{doctor}");
    for _ in 0..2 {
        let (code, output) = run_command(&home, &["requests", "export", "--har", "-"]);
        assert_eq!(code, Some(1), "{output}");
        assert!(output.contains("cannot be used: it is damaged"), "{output}");
        assert!(
            !output.contains("money.db") && !output.contains("set-aside"),
            "{output}"
        );
    }
    let message = "balcao: The file of stored requests was damaged.";
    let (code, output) = run_command(&home, &PURGE);
    assert_eq!(code, Some(0), "{output}");
    assert!(
        output.contains(message) && output.contains("requests-damaged-"),
        "{output}"
    );
    let (_, output) = run_command(&home, &PURGE);
    assert!(!output.contains(message), "{output}");
    let (_, doctor) = run_command(&home, &["doctor"]);
    assert!(
        doctor.contains("damaged file, kept aside: requests-damaged-"),
        "{doctor}"
    );
}

#[test]
fn unusable_file_is_not_reported_as_the_journal() {
    let home = TestHome::new();
    let file = home.state_dir().join("journal/requests/requests.db");
    store_request(&home, "default", MARCH, 1);
    type Damage<'a> = Box<dyn Fn() + 'a>;
    let wrong: [(&str, Damage<'_>); 2] = [
        (
            "another version of balcão wrote it",
            Box::new(|| {
                let database = rusqlite::Connection::open(&file).expect("a database");
                database
                    .pragma_update(None, "user_version", 9)
                    .expect("another version");
            }),
        ),
        (
            "link to another place",
            Box::new(|| {
                let elsewhere = home.home_dir().join("elsewhere.db");
                std::fs::rename(&file, &elsewhere).expect("a move");
                std::os::unix::fs::symlink(&elsewhere, &file).expect("a link");
            }),
        ),
    ];
    for (why, damage) in wrong {
        damage();
        for args in [&["requests", "export", "--har", "-"][..], &PURGE[..]] {
            let (code, output) = run_command(&home, args);
            assert_eq!(code, Some(1), "{output}");
            assert!(
                output.contains(why) && output.contains("requests/requests.db"),
                "{output}"
            );
            assert!(
                !output.contains("money.db") && !output.contains("set-aside"),
                "{output}"
            );
        }
    }
}

#[test]
fn codes_stay_if_the_journal_is_unreadable() {
    let code = Uuid::from_u128(1).to_string();
    for is_damaged in [false, true] {
        let home = TestHome::new();
        let reply = format!(r#"{{"id":"wd_1","externalReference":"{code}"}}"#);
        store_request_with_reply(&home, ("default", MARCH, 1), &reply);
        if is_damaged {
            let journal = home.state_dir().join("journal");
            for name in ["money.db", "money.head"] {
                std::fs::write(journal.join(name), [7; 9_000]).expect("a damaged journal");
            }
        }
        let (exit_code, output) = run_export(&home, &[]);
        assert_eq!(exit_code, Some(0), "{output}");
        let text = std::fs::read_to_string(home.home_dir().join("a.har")).expect("a file");
        assert!(text.contains(&code), "{text}");
        assert!(!output.contains("journal"), "{output}");
    }
}

/// Exports requests to `a.har` with these additional arguments. Returns the exit code and the
/// output.
fn run_export(home: &TestHome, more: &[&str]) -> (Option<i32>, String) {
    let path = home.home_dir().join("a.har");
    let path = path.to_str().expect("a path");
    let args = [&SERVICE[..], &["requests", "export", "--har", path], more].concat();
    let output = run::output(&mut run::command(home, &args));
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    (output.status.code(), text.replace(path, "a.har"))
}

/// Noon UTC on 1 March 2026, and on 1 April 2026.
const MARCH: Wall = Wall(1_772_366_400_000);
const APRIL: Wall = Wall(1_775_044_800_000);

#[test]
fn export_has_requests_of_the_profile_only() {
    let home = TestHome::new();
    for (profile, at, n) in [
        ("default", MARCH, 1),
        ("loja", MARCH, 2),
        ("default", APRIL, 3),
    ] {
        store_request(&home, profile, at, n);
    }
    let (code, output) = run_export(&home, &[]);
    assert!(
        code == Some(0) && output.starts_with("balcao: 2 requests are in a.har"),
        "{output}"
    );
    let path = home.home_dir().join("a.har");
    let text = std::fs::read_to_string(&path).expect("a file");
    let har: Value = serde_json::from_str(&text).expect("JSON");
    let entries = har["log"]["entries"].as_array().expect("entries").iter();
    let times: Vec<_> = entries.map(|one| one["startedDateTime"].as_str()).collect();
    assert_eq!(
        times,
        [
            Some("2026-03-01T12:00:00.000Z"),
            Some("2026-04-01T12:00:00.000Z")
        ]
    );
    assert!(!text.contains("52998224725"), "{text}");
    let mode = std::fs::metadata(&path)
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);

    let (code, output) = run_export(&home, &[]);
    assert!(code == Some(2) && output.contains("a.har"), "{output}");
    assert_eq!(
        std::fs::read_to_string(&path).expect("a file"),
        text,
        "the file was replaced"
    );
}

#[test]
fn export_names_requests_of_another_version() {
    let home = TestHome::new();
    (1..=3).for_each(|n| store_request(&home, "default", MARCH, n));
    store_request(&home, "loja", MARCH, 4);
    let file = home.state_dir().join("journal/requests/requests.db");
    let connection = rusqlite::Connection::open(file).expect("a database");
    let change = "UPDATE request SET operation = 'refund' WHERE id > 2";
    assert_eq!(connection.execute(change, []), Ok(2));
    let (code, output) = run_export(&home, &[]);
    let left_out = "1 request stored by another version is left out.";
    assert!(code == Some(0) && output.contains(left_out), "{output}");
    assert!(output.contains("2 requests are in a.har"), "{output}");
    let count = "SELECT count(*) FROM request";
    let count = connection.query_row(count, [], |row| row.get::<_, i64>(0));
    assert_eq!(count, Ok(4), "the export deletes nothing");
}

#[test]
fn export_without_profile_takes_the_only_service() {
    let no_address = Err("Where is the payments service?");
    for (profiles, services, expected) in [
        (&["default"][..], &[ORIGIN][..], Ok("1 request is in")),
        (&["loja"], &[ORIGIN], Ok("1 request is in")),
        (
            &["default", "default", "loja"],
            &[ORIGIN],
            Ok("2 requests are in"),
        ),
        (&["default"], &[ORIGIN, "https://other.example"], no_address),
        (&[], &[], no_address),
    ] {
        let home = TestHome::new();
        home.write_config("config.toml", "[profiles.loja]\n[profiles.other]\n");
        for (profile, origin) in profiles
            .iter()
            .flat_map(|one| services.iter().map(move |s| (one, s)))
        {
            store_request_to(&home, origin, (profile, MARCH, 1), "{}");
        }
        let path = home.home_dir().join("a.har");
        let path = path.to_str().expect("a path");
        let args = [
            "--lang", "en", "--vault", "memory", "requests", "export", "--har", path,
        ];
        let output = run::output(&mut run::command(&home, &args));
        let text = String::from_utf8(output.stderr).expect("text");
        let code = if expected.is_ok() { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{profiles:?}: {text}");
        let (Ok(part) | Err(part)) = expected;
        assert!(text.contains(part), "{profiles:?}: {text}");
    }
}

#[test]
fn export_filter_takes_day_and_withdrawal() {
    let withdrawal_id = Uuid::from_u128(3).to_string();
    for filter in [
        &["--since", "2026-03-15"][..],
        // The second request was sent at noon UTC, which is 09:00 in São Paulo.
        &["--since", "2026-04-01 09:00"],
        &["--since", "2026-03-01T09:00:01"],
        &["--of", &withdrawal_id],
        &["--last", "1"],
        &["--last", "1", "--since", "2026-03-01 09:00"],
    ] {
        let home = TestHome::new();
        store_request(&home, "default", MARCH, 1);
        store_request(&home, "default", APRIL, 3);
        let (code, output) = run_export(&home, filter);
        assert!(
            code == Some(0) && output.starts_with("balcao: 1 request is in a.har"),
            "{output}"
        );
        let text = std::fs::read_to_string(home.home_dir().join("a.har")).expect("a file");
        assert!(text.contains("2026-04-01T12:00:00"), "{filter:?}: {text}");
    }
    let home = TestHome::new();
    store_request(&home, "default", APRIL, 3);
    let (code, output) = run_export(&home, &["--since", "2026-04-01 09:01"]);
    assert!(
        code == Some(1) && output.contains("1 request is stored"),
        "{output}"
    );
    for invalid in [
        "9:00",
        "2026-04-01 9",
        "2026-04-01 25:00",
        "2026-04-01 09:00 x",
    ] {
        let (code, output) = run_export(&home, &["--since", invalid]);
        assert!(
            code == Some(2) && output.contains("2026-11-21 14:30"),
            "{invalid}: {output}"
        );
    }
}

#[test]
fn export_filter_takes_code_of_link_and_charge() {
    let home = TestHome::new();
    let dir = home.state_dir().join("journal");
    let (mut history, _) = History::open(&dir, MARCH).expect("a history");
    let account = Account {
        origin: Origin("https://api.example".into()),
        identity: "ana".into(),
    };
    let amount = Money::from_centavos(100);
    let description = "Bolo".to_owned();
    let link = LinkRequest {
        account: account.clone(),
        amount,
        description,
        domain: None,
    };
    let url = "https://shop.example/checkout/link-7";
    let link = history.begin(&link, MARCH).expect("a row");
    history
        .settle::<LinkRequest>(link, &LinkOutcome::Created(CreatedLink { url: url.into() }))
        .expect("settled");
    let description = "Bolo".to_owned();
    let charge = ChargeRequest {
        account,
        amount,
        description,
        customer: None,
        buyer: BTreeMap::new(),
    };
    let charge = history.begin(&charge, MARCH).expect("a row");
    let [id, pix_code] = ["tx_9", "000201"].map(|text| Some(text.into()));
    let created = ChargeOutcome::Created(CreatedCharge {
        id,
        status: None,
        pix_code,
        expires: None,
    });
    history
        .settle::<ChargeRequest>(charge, &created)
        .expect("settled");
    assert_eq!(link, charge, "both tables count their rows from 1");
    drop(history);

    store_request(&home, "default", MARCH, 1);
    let origin = Origin("https://api.example".into());
    let owner = RequestOwner {
        profile: "default".into(),
        origin,
    };
    let mut requests = Requests::open(&dir, MARCH).expect("a file");
    for (operation, row) in [
        (Operation::CreateLink, link),
        (Operation::DirectPayment, charge),
    ] {
        let reply = Ok(MaskedReply::new(201, vec![], "{}"));
        let exchange = Exchange::new(operation, "POST", "https://api.example/x", reply);
        let subject = Some(ExchangeSubject::Sale(row));
        let exchange = Exchange {
            at: MARCH,
            subject,
            ..exchange
        };
        requests.store(&owner, &exchange).expect("stored");
    }
    drop(requests);
    for (code, operation) in [
        (url, "create_link"),
        ("link-7", "create_link"),
        ("tx_9", "direct_payment"),
        ("000201", "direct_payment"),
    ] {
        let (exit_code, output) =
            run_command(&home, &["requests", "export", "--har", "-", "--of", code]);
        assert_eq!(exit_code, Some(0), "{output}");
        let printed = "balcao: 1 request was written to standard output";
        assert!(
            output.contains(printed) && !output.contains("in -"),
            "{output}"
        );
        assert_eq!(output.matches("_operation").count(), 1, "{output}");
        assert!(
            output.contains(&format!(r#""_operation": "{operation}""#)),
            "{output}"
        );
    }
    let without_history = TestHome::new();
    for home in [&home, &without_history] {
        let (exit_code, output) = run_export(home, &["--of", "link-8"]);
        assert!(
            exit_code == Some(1) && output.contains("has the code link-8"),
            "{output}"
        );
    }
}

#[test]
fn export_of_nothing_is_refused_with_the_reason() {
    let home = TestHome::new();
    let message =
        "Nothing to export: no request of profile default to https://api.example is stored.\n";
    assert_eq!(run_export(&home, &[]), (Some(1), message.to_owned()));
    home.write_config("config.toml", "[requests]\nkeep = false\n");
    let (code, output) = run_export(&home, &[]);
    assert!(
        code == Some(1) && output.contains("keep = false"),
        "{output}"
    );
    store_request(&home, "default", MARCH, 1);
    let (code, output) = run_export(&home, &["--since", "2026-03-15"]);
    let message = "Nothing to export: 1 request is stored, which --since or --of leaves out.\n";
    assert_eq!((code, &*output), (Some(1), message));
    assert!(!home.home_dir().join("a.har").exists());
}

/// Stores a refusal with a name in its message, and exports it with these additional arguments.
fn export_refusal(more: &[&str]) -> Value {
    let home = TestHome::new();
    let reply = r#"{"message":"Cliente Ana bloqueado","status":"REQUESTED"}"#;
    store_request_with_reply(&home, ("default", MARCH, 1), reply);
    let (code, output) = run_export(&home, more);
    assert_eq!(code, Some(0), "{output}");
    let text = std::fs::read_to_string(home.home_dir().join("a.har")).expect("a file");
    assert!(
        !text.contains(home.home_dir().to_str().expect("a path")),
        "{text}"
    );
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn known_words_are_exported_unless_strict() {
    for (more, message, status) in [
        (
            &[][..],
            "Cliente ‹text 1, 3 letters› bloqueado",
            "REQUESTED",
        ),
        (&["--strict"], "‹text 1, 21 letters›", "‹text 2, 9 letters›"),
    ] {
        let har = export_refusal(more);
        let text = &har["log"]["entries"][0]["response"]["content"]["text"];
        let body: Value = serde_json::from_str(text.as_str().expect("a text")).expect("JSON");
        assert_eq!(
            (&body["message"], &body["status"]),
            (&message.into(), &status.into())
        );
    }
}

#[test]
fn exported_file_describes_computer_and_settings() {
    let har = export_refusal(&[]);
    let environment = &har["log"]["_environment"];
    assert_eq!(environment["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(environment["language"], "en");
    assert_eq!(environment["theme"], "auto");
    assert_eq!(environment["settings"], Value::Object(Default::default()));
    let findings = environment["findings"].as_array().expect("a list");
    let ids: Vec<_> = findings
        .iter()
        .filter_map(|finding| finding["id"].as_str())
        .collect();
    for id in [
        "terminal.size",
        "configuration.file",
        "journals.withdrawals",
        "program.versions",
    ] {
        assert!(ids.contains(&id), "{id}: {ids:?}");
    }
    for id in ["network.service", "vault.kind"] {
        assert!(!ids.contains(&id), "{id}: {ids:?}");
    }
}
