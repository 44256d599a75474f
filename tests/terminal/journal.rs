//! Tests of the commands that verify, export, purge or set aside the journal.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use balcao::journal::history::History;
use balcao::journal::money::{Files, MoneyJournal};
use balcao::journal::requests::{RequestOwner, Requests};
use balcao::trade::withdrawal::Retyped;
use balcao::trade::{
    ChargeOutcome, ChargeRequest, Exchange, ExchangeSubject, Failure, LinkRequest, Nickname,
    Operation, Origin, PagePosition, Wall,
};
use serde_json::Value;

use super::support::journal::{
    DISCARDED_CPF, MARCH_NOON, OPEN_CPF, WINDOW, agreement, clocks, create_sample_journal, key,
};
use super::support::place::TestHome;
use super::support::run::{command, output, output_with_input, run};

/// Returns the path and the content of each file in a directory, except for lock files.
fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let all = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = all
        .filter(|path| path.is_file() && path.extension().is_none_or(|end| end != "lock"))
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

fn sql(dir: &Path, batch: &str) {
    rusqlite::Connection::open(dir.join("money.db"))
        .unwrap()
        .execute_batch(batch)
        .unwrap();
}

/// Runs `balcao` with these arguments on the journal in `dir`. Returns the exit code, standard
/// output and standard error.
pub fn run_on_journal(home: &TestHome, dir: &Path, args: &[&str]) -> (i32, String, String) {
    let dir = dir.to_str().unwrap();
    code_and_output(run(home, &[args, &["--journal", dir]].concat()))
}

fn code_and_output(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (
        output.status.code().expect("a code"),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Like [`run_on_journal`], but with a line of text on standard input.
fn run_on_journal_with_input(
    home: &TestHome,
    dir: &Path,
    args: &[&str],
    line: &str,
) -> (i32, String, String) {
    let mut command = command(
        home,
        &[args, &["--journal", dir.to_str().unwrap()]].concat(),
    );
    code_and_output(output_with_input(&mut command, line))
}

type Damage = fn(&Path);

/// Ways to make a journal unreadable. Each has a word that the error message must contain.
const TROUBLES: [(&str, Damage); 4] = [
    ("danificado", |dir| {
        sql(dir, "UPDATE event SET at = at + 1 WHERE n = 3")
    }),
    ("danificado", |dir| {
        fs::remove_file(dir.join("money.db")).unwrap()
    }),
    ("danificado", |dir| {
        fs::write(dir.join("money.head"), "\u{1b}[2J").unwrap()
    }),
    ("formato 9", |dir| sql(dir, "PRAGMA user_version = 9")),
];

#[test]
fn intact_journal_is_verified_without_a_write() {
    let home = TestHome::new();
    let dir = create_sample_journal(&home.home_dir());
    for entry in fs::read_dir(&dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        if entry.extension().is_some_and(|end| end == "lock") {
            fs::remove_file(entry).unwrap();
        }
    }
    let names = |dir: &Path| fs::read_dir(dir).unwrap().count();
    let before = files(&dir);
    let count = names(&dir);
    let (code, output, _) = run_on_journal(&home, &dir, &["journal", "verify"]);
    assert_eq!(code, 0, "{output}");
    for words in [
        "íntegro",
        "money.db",
        "2: 1 a conferir na sua conta, 1 descartado",
    ] {
        assert!(output.contains(words), "{words}: {output}");
    }
    let (_, sum) = fs::read_to_string(dir.join("money.head"))
        .unwrap()
        .lines()
        .nth(1)
        .and_then(|line| {
            line.split_once(' ')
                .map(|(n, sum)| (n.to_owned(), sum.to_owned()))
        })
        .unwrap();
    assert!(output.contains(&sum), "{output}");
    assert_eq!((files(&dir), names(&dir)), (before, count));
}

#[test]
fn single_event_ahead_verifies_and_is_unchanged() {
    let home = TestHome::new();
    let dir = create_sample_journal(&home.home_dir());
    let head = fs::read(dir.join("money.head")).unwrap();
    let mut journal = MoneyJournal::open(Files::new(&dir), true).unwrap();
    let shown_keys = journal
        .open_withdrawals()
        .unwrap()
        .iter()
        .map(|withdrawal| withdrawal.agreement.key)
        .collect();
    let third = agreement(3, 300, DISCARDED_CPF);
    let retyped = Retyped {
        amount: third.amount,
        shown_keys,
    };
    journal.prepare(third, Some(retyped)).unwrap();
    fs::write(dir.join("money.head"), head).unwrap();
    let before = files(&dir);
    let (code, output, _) = run_on_journal(&home, &dir, &["journal", "verify"]);
    assert!(code == 0 && output.contains("um evento a mais"), "{output}");
    assert_eq!(files(&dir), before);
}

#[test]
fn every_trouble_verifies_with_code_1_and_a_way_out() {
    for (word, damage) in TROUBLES {
        let home = TestHome::new();
        let dir = create_sample_journal(&home.home_dir());
        damage(&dir);
        let before = files(&dir);
        let (code, output, _) = run_on_journal(&home, &dir, &["journal", "verify"]);
        assert_eq!(code, 1, "{output}");
        assert!(
            output.contains(word) && output.contains("Antes de mexer"),
            "{word}: {output}"
        );
        assert!(!output.contains('\u{1b}'), "{output}");
        let (code, _, _) = run_on_journal(
            &home,
            &dir,
            &["data", "purge", "--before", "2026-04-01", "--yes"],
        );
        assert_eq!(code, 1, "{word}");
        assert_eq!(files(&dir), before, "{word}");
    }
    let home = TestHome::new();
    let (code, output, _) = run_on_journal(&home, &home.home_dir(), &["journal", "verify"]);
    assert!(
        code == 1 && output.contains("Não há registro de saques"),
        "{output}"
    );
    assert!(files(&home.home_dir()).is_empty());
}

#[test]
fn export_has_every_event_in_a_private_file() {
    let home = TestHome::new();
    let dir = create_sample_journal(&home.home_dir());
    let (code, out, err) = run_on_journal(&home, &dir, &["journal", "export"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        err.contains("dados pessoais") && err.contains("4 eventos"),
        "{err}"
    );
    let events: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let kinds: Vec<_> = events
        .iter()
        .map(|event| event["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["prepared", "discarded", "prepared", "attempt_began"]
    );
    assert_eq!(events[0]["key"], key(1).to_string());
    assert_eq!(events[0]["atMs"], MARCH_NOON.0);
    let personal: Value = serde_json::from_str(events[0]["personal"].as_str().unwrap()).unwrap();
    assert_eq!(personal["body"], *agreement(1, 100, DISCARDED_CPF).body);
    let head = fs::read_to_string(dir.join("money.head")).unwrap();
    assert!(
        head.contains(&format!("4 {}", events[3]["sum"].as_str().unwrap())),
        "{head}"
    );

    let file = home.home_dir().join("saida.jsonl");
    let args = ["journal", "export", "--out", file.to_str().unwrap()];
    assert_eq!(run_on_journal(&home, &dir, &args).0, 0);
    assert_eq!(fs::read_to_string(&file).unwrap(), out);
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    fs::write(&file, "mine").unwrap();
    let (code, _, err) = run_on_journal(&home, &dir, &args);
    assert!(
        code == 2 && err.contains("saida.jsonl já existe e não foi alterado"),
        "{err}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");

    // Create a file with the name `-`. The export must still print to standard output.
    fs::write(home.home_dir().join("-"), "mine").unwrap();
    let printed = run_on_journal(&home, &dir, &["journal", "export", "--out", "-"]);
    assert_eq!((printed.0, printed.1), (0, out));
    let (code, out, _) = run_on_journal(&home, &dir, &["data", "export", "--out=-"]);
    assert!(code == 0 && out.lines().count() == 2, "{out}");
    assert_eq!(
        fs::read_to_string(home.home_dir().join("-")).unwrap(),
        "mine"
    );
}

#[test]
fn purge_accepts_every_calendar_day() {
    let home = TestHome::new();
    let dir = create_sample_journal(&home.home_dir());
    for zone in ["UTC", "America/Sao_Paulo", "Pacific/Kiritimati"] {
        for (day, lang, code, words) in [
            ("9999-12-31", "pt-BR", 2, "esse dia ainda não começou"),
            ("9999-12-31", "en", 2, "that day has not begun"),
            ("9999-12-30", "en", 2, "that day has not begun"),
            ("0001-01-01", "en", 0, "nothing to delete"),
            ("0000-01-01", "pt-BR", 0, "nada a apagar"),
            ("-009999-01-01", "pt-BR", 0, "nada a apagar"),
            ("-009999-01-01", "en", 0, "nothing to delete"),
            ("99999-01-01", "pt-BR", 2, "não serve para --before"),
            ("-010000-01-01", "en", 2, "not valid for --before"),
        ] {
            let before = format!("--before={day}");
            let args = ["data", "purge", &before, "--lang", lang, "--journal"];
            let mut command = command(&home, &[&args[..], &[dir.to_str().unwrap()]].concat());
            let (exit_code, out, err) = code_and_output(output(command.env("TZ", zone)));
            assert!(
                exit_code == code && (out + &err).contains(words),
                "{zone} {day} {lang}: {err}"
            );
        }
    }
}

#[test]
fn damaged_journal_export_ends_at_the_damage() {
    let home = TestHome::new();
    let dir = create_sample_journal(&home.home_dir());
    sql(
        &dir,
        "UPDATE event SET plain = replace(plain, '2', '3') WHERE n = 3",
    );
    let (code, out, err) = run_on_journal(&home, &dir, &["journal", "export"]);
    assert_eq!((code, out.lines().count()), (1, 2), "{err}");
    assert!(
        err.contains("primeiros 2 eventos") && err.contains("event 3"),
        "{err}"
    );
    // Delete the last event. The other rows stay valid, but the export must be reported as
    // incomplete, because the head file names the deleted event.
    let dir = create_sample_journal(&home.home_dir().join("other"));
    sql(&dir, "DELETE FROM event WHERE n = 4");
    let (code, out, err) = run_on_journal(&home, &dir, &["journal", "export"]);
    assert_eq!((code, out.lines().count()), (1, 3), "{err}");
    assert!(err.contains("danificado"), "{err}");
}

#[test]
fn data_export_has_every_link_charge_and_nickname() {
    let home = TestHome::new();
    let dir = create_sample_journal(&home.home_dir());
    let agreement = agreement(1, 100, DISCARDED_CPF);
    let (mut history, _) = History::open(&dir, MARCH_NOON).unwrap();
    let charge = ChargeRequest {
        account: agreement.account.clone(),
        amount: agreement.amount,
        description: "Bolo".into(),
        customer: Some("Bia Silva".into()),
        buyer: [("email".to_owned(), "bia@example.com".to_owned())].into(),
    };
    let id = history.begin(&charge, MARCH_NOON).unwrap();
    history
        .settle::<ChargeRequest>(id, &ChargeOutcome::NotSent)
        .unwrap();
    let name = Nickname::parse("Conta PJ").unwrap();
    let key = agreement.destination.clone().unwrap();
    history
        .set_nickname(&agreement.account, &key, Some(&name), MARCH_NOON)
        .unwrap();
    drop(history);

    let (code, out, err) = run_on_journal(&home, &dir, &["data", "export"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        err.contains("dados pessoais") && err.contains(" links, "),
        "{err}"
    );
    let rows: Vec<Value> = out
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let kinds: Vec<_> = rows
        .iter()
        .map(|row| row["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["link", "link", "charge", "nickname"]);
    assert!(
        rows[1]["description"]
            .as_str()
            .unwrap()
            .contains(DISCARDED_CPF),
        "{out}"
    );
    assert_eq!(rows[2]["customer"], "Bia Silva");
    assert_eq!(rows[2]["buyer"]["email"], "bia@example.com");
    assert_eq!(
        (&rows[3]["pixKey"], &rows[3]["nickname"]),
        (&DISCARDED_CPF.into(), &"Conta PJ".into())
    );

    let file = home.home_dir().join("dados.jsonl");
    let (code, _, _) = run_on_journal(
        &home,
        &dir,
        &["data", "export", "--out", file.to_str().unwrap()],
    );
    assert_eq!((code, fs::read_to_string(&file).unwrap()), (0, out));
    // The option `--redact` is refused, because these exports always contain all data.
    for export in ["data", "journal"] {
        let (code, out, err) = run_on_journal(&home, &dir, &[export, "export", "--redact"]);
        assert!(
            (code, &*out) == (2, "") && err.contains("sem --redact"),
            "{out}{err}"
        );
    }
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

/// Counts how often a text occurs in all files of a directory.
fn count_in_files(dir: &Path, text: &str) -> usize {
    let count_in = |bytes: &[u8]| {
        bytes
            .windows(text.len())
            .filter(|at| *at == text.as_bytes())
            .count()
    };
    files(dir).iter().map(|(_, bytes)| count_in(bytes)).sum()
}

#[test]
fn purge_removes_all_old_and_keeps_all_open_data() {
    let home = TestHome::new();
    let dir = create_sample_journal(&home.home_dir());
    assert!(count_in_files(&dir, DISCARDED_CPF) > 3);
    let purge = ["data", "purge", "--before", "2026-04-01"];
    let before = files(&dir);
    let open = count_in_files(&dir, OPEN_CPF);
    let (code, out, err) = run_on_journal(&home, &dir, &purge);
    assert_eq!(
        (code, files(&dir)),
        (2, before),
        "nobody was asked: {out} {err}"
    );
    assert!(
        out.contains("1 saque encerrado") && out.contains("1 link: tudo"),
        "{out}"
    );
    assert!(err.contains("--yes"), "{err}");

    // Purge the data while this process has both databases open.
    let mut window = MoneyJournal::open(Files::new(&dir), true).unwrap();
    let (mut history, _) = History::open(&dir, MARCH_NOON).unwrap();
    let (code, out, err) = run_on_journal(&home, &dir, &[&purge[..], &["--yes"]].concat());
    assert_eq!(code, 0, "{out} {err}");
    assert!(out.contains("4 eventos, todos em ordem"), "{out}");
    assert_eq!(count_in_files(&dir, OPEN_CPF), open);
    // The CPF (tax id) is still in one row and in the search index, because a newer link contains
    // it too. This link was not purged.
    let remaining = history
        .sales::<LinkRequest>(DISCARDED_CPF, PagePosition::Top, 9)
        .unwrap();
    assert_eq!(
        (remaining.rows.len(), count_in_files(&dir, "mero 0 para")),
        (1, 0)
    );
    assert_eq!(
        fs::read(dir.join("money.db"))
            .map(|bytes| count_in_bytes(&bytes, DISCARDED_CPF))
            .unwrap(),
        0
    );
    let lock = window.lock(key(2)).unwrap();
    let permit = window
        .begin(lock, key(2), None, &clocks(90), &WINDOW)
        .unwrap();
    assert_eq!(*permit.spend().1.agreement(), agreement(2, 200, OPEN_CPF));

    let (code, out, _) = run_on_journal(&home, &dir, &[&purge[..], &["--yes"]].concat());
    assert!(code == 0 && out.contains("nada a apagar"), "{out}");
    // Write a link, which stays in SQLite's write-ahead log (WAL). The test must not open the
    // database files until the purge has ended. Closing them would release the POSIX locks that
    // keep the WAL in use.
    let request = remaining.rows[0].request.clone();
    drop(history);
    let (mut history, _) = History::open(&dir, MARCH_NOON).unwrap();
    history.begin(&request, MARCH_NOON).unwrap();
    assert!(fs::metadata(dir.join("history.db-wal")).unwrap().len() > 0);
    let all = ["data", "purge", "--before", "2026-11-01", "--yes"];
    assert_eq!(run_on_journal(&home, &dir, &all).0, 0);
    assert_eq!(count_in_files(&dir, DISCARDED_CPF), 0, "of all files");
    // After the purge, the search index for links must be empty. The table `link_words_data` of an
    // empty index has two rows.
    let file = rusqlite::Connection::open(dir.join("history.db")).unwrap();
    let blocks = "SELECT count(*) FROM link_words_data";
    assert_eq!(
        file.query_row(blocks, [], |row| row.get::<_, i64>(0))
            .unwrap(),
        2
    );
    drop((file, history));
    assert_eq!(run_on_journal(&home, &dir, &["journal", "verify"]).0, 0);
}

#[test]
fn purge_deletes_the_copy_from_before_an_update() {
    let home = TestHome::new();
    let dir = create_sample_journal(&home.home_dir());
    let copy = dir.join("history-before-update.db");
    fs::write(&copy, "").unwrap();
    let purge = ["data", "purge", "--before", "2001-01-01"];
    let (code, out, _) = run_on_journal(&home, &dir, &purge);
    assert!(
        code == 2 && out.contains("history-before-update.db, a cópia"),
        "{out}"
    );
    assert!(copy.exists(), "nobody was asked");
    let (code, out, err) = run_on_journal(&home, &dir, &[&purge[..], &["--yes"]].concat());
    assert!(
        code == 0 && out.contains("eventos, todos em ordem"),
        "{out} {err}"
    );
    assert!(!copy.exists());
}

#[test]
fn purge_removes_requests_by_date_and_withdrawal() {
    let home = TestHome::new();
    let dir = create_sample_journal(&home.home_dir());
    let mut requests = Requests::open(&dir, MARCH_NOON).unwrap();
    let april = Wall(MARCH_NOON.0 + 60 * 86_400_000);
    for (at, n) in [(MARCH_NOON, 9), (april, 1), (april, 2)] {
        let reply = Err(Failure::Cancelled);
        let exchange = Exchange::new(
            Operation::Withdrawal,
            "POST",
            format!("https://x/{n}"),
            reply,
        );
        let owner = RequestOwner {
            profile: "loja".into(),
            origin: Origin("https://x".into()),
        };
        let subject = Some(ExchangeSubject::Withdrawal(key(n)));
        requests
            .store(
                &owner,
                &Exchange {
                    at,
                    subject,
                    ..exchange
                },
            )
            .unwrap();
    }
    drop(requests);
    let purge = ["data", "purge", "--before", "2026-04-01", "--yes"];
    let (code, out, err) = run_on_journal(&home, &dir, &purge);
    assert!(code == 0 && out.contains("2 solicitações"), "{out} {err}");
    let remaining = Requests::open(&dir, MARCH_NOON)
        .unwrap()
        .rows(None, 9)
        .unwrap();
    let [remaining] = &remaining[..] else {
        panic!("{remaining:?}")
    };
    assert_eq!(
        &*remaining.url, "https://x/2",
        "the withdrawal is still open"
    );
}

fn count_in_bytes(bytes: &[u8], text: &str) -> usize {
    bytes
        .windows(text.len())
        .filter(|at| *at == text.as_bytes())
        .count()
}

#[test]
fn setting_journal_aside_requires_its_name_typed() {
    let home = TestHome::new();
    let dir = create_sample_journal(&home.home_dir());
    let aside = ["journal", "set-aside"];
    let (code, output, _) = run_on_journal_with_input(&home, &dir, &aside, "loja\n");
    assert!(code == 1 && output.contains("íntegro"), "{output}");
    sql(&dir, "UPDATE event SET at = at + 1 WHERE n = 3");
    let before = files(&dir);
    for line in ["", "\n", "sim\n", "LOJA\n", "loja2\n"] {
        let (code, output, _) = run_on_journal_with_input(&home, &dir, &aside, line);
        assert!(
            code == 1 && output.contains("Nada mudou"),
            "{line:?}: {output}"
        );
        assert!(output.contains("deixam de ser conhecidos") && output.contains("digite loja"));
        assert_eq!(files(&dir), before, "{line:?}");
    }
    let (code, output, _) = run_on_journal_with_input(&home, &dir, &aside, "loja\n");
    assert!(code == 0 && output.contains("money.damaged-"), "{output}");
    assert!(!dir.join("money.db").exists() && !dir.join("money.head").exists());
    let moved = fs::read_dir(&dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let moved = moved.filter(|path| path.is_dir()).collect::<Vec<_>>();
    assert_eq!(moved.len(), 1);
    for (path, bytes) in before
        .iter()
        .filter(|(path, _)| path.file_stem().unwrap() == "money")
    {
        assert_eq!(
            &fs::read(moved[0].join(path.file_name().unwrap())).unwrap(),
            bytes
        );
    }
    let all = ["data", "purge", "--before", "2026-04-01", "--yes"];
    let (code, output, _) = run_on_journal(&home, &dir, &all);
    assert!(
        code == 0 && output.contains("money.damaged-"),
        "what is kept apart is named: {output}"
    );
}

#[test]
fn existing_journal_cannot_be_forgotten() {
    let home = TestHome::new();
    let dir = create_sample_journal(&home.home_dir());
    let before = files(&dir);
    let forget = ["--vault", "memory", "journal", "forget-missing"];
    let (code, output, _) = run_on_journal_with_input(&home, &dir, &forget, "loja\n");
    assert!(
        code == 1 && output.contains("só para quando não sobrou nenhum"),
        "{output}"
    );
    assert_eq!(files(&dir), before);
    fs::remove_dir_all(&dir).unwrap();
    let (code, output, _) = run_on_journal_with_input(&home, &dir, &forget, "loja\n");
    assert!(
        code == 1 && output.contains("Não há o que esquecer"),
        "{output}"
    );
    assert!(!dir.exists(), "nothing is made");
}
