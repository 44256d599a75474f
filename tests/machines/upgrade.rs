//! Upgrade: journals of every form that was ever written, kept as files, opened by this program.
//!
//! Beside each stands what it says (`withdrawals.txt`) and what the program that made it sends when
//! everything that may be sent again is sent (`requests.txt`). Both must stay as they are, byte for
//! byte. Nothing writes these files but a person who asks for it, when
//! a schema changes or a field is written that no kept journal has:
//! `BALCAO_KEEP_JOURNALS=schema_3 cargo test --test machines upgrade::what_this_program`.
//!
//! `schema_1` is the first. `schema_1_header_name` keeps the name of the header that carries the
//! key with each agreement; where there is none the contract's is sent. `schema_2` keeps the boot
//! clock's reading at the end of each attempt, what a success said against itself, and what of a
//! body nobody typed; a journal of schema 1 becomes one when it is opened to write.

mod counterpart;
mod form;
mod lives;
mod making;
mod told;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use balcao::journal::OsDisk;
use balcao::journal::money::{MoneyJournal, SCHEMA};
use balcao::trade::{Clocks, Withdrawal};
use tempfile::TempDir;

use self::counterpart::{Answer, Counterpart, HERE, NEXT_DOOR};
use self::form::Form;
use self::making::{Desk, OPENED, Way, clocks, make};
use crate::effort::say;
use crate::support::journal::WINDOW;

/// The program's own files, and not the locks beside them.
const FILES: [&str; 2] = ["money.db", "money.head"];

/// The counterpart has one address: one journal at a time.
static ADDRESS: Mutex<()> = Mutex::new(());

#[test]
fn every_kept_journal_says_what_it_said_and_sends_what_it_sent() {
    let _one = ADDRESS.lock();
    let kept = kept();
    assert!(!kept.is_empty());
    for dir in kept {
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let count = is_as_written(&dir, &dir);
        say(&format!("{name}: {count} withdrawals read, and sent again where they may be"));
    }
}

#[test]
fn what_this_program_writes_is_kept() {
    let _one = ADDRESS.lock();
    let made = TempDir::new().expect("a directory");
    make(made.path());
    if let Ok(name) = std::env::var("BALCAO_KEEP_JOURNALS") {
        return keep(made.path(), &name);
    }
    let now = written(made.path());
    let Some(same) = kept().into_iter().find(|dir| written(dir) == now) else {
        panic!("what this program writes is not kept, see the top: {}", differences(&now))
    };
    // And it is made as that one was: whoever changes what is written sees it here.
    is_as_written(made.path(), &same);
}

/// In which form a journal is written: its schema and its fields.
fn written(dir: &Path) -> (i64, Form) {
    let copy = copied(dir);
    (schema(&copy.path().join("money.db")), form::of(copy.path()))
}

/// What parts this form from that of each kept journal.
fn differences((schema, fields): &(i64, Form)) -> String {
    let of = |dir: PathBuf| {
        let (other, kept) = written(&dir);
        let parts: Vec<_> = kept.symmetric_difference(fields).collect();
        format!("\n{}, schema {other}: {parts:#?}", dir.display())
    };
    format!("schema {schema}{}", kept().into_iter().map(of).collect::<String>())
}

fn journals() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines/journals")
}

fn kept() -> Vec<PathBuf> {
    let entries = fs::read_dir(journals()).expect("kept journals");
    let mut kept: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    kept.sort();
    kept
}

fn schema(file: &Path) -> i64 {
    let file = rusqlite::Connection::open(file).expect("a database");
    file.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("a number")
}

/// Puts a journal beside those that are kept already, with what it says.
fn keep(made: &Path, name: &str) {
    let dir = journals().join(name);
    fs::create_dir(&dir).expect("a name that is new: what is kept is never written again");
    for file in FILES {
        fs::copy(made.join(file), dir.join(file)).expect("a copy");
    }
    let (texts, _) = texts(made);
    for (name, text) in texts {
        fs::write(dir.join(name), text).expect("a text");
    }
}

/// Compares a journal with the texts in a directory; how many withdrawals it has.
fn is_as_written(journal: &Path, written: &Path) -> usize {
    let (texts, count) = texts(journal);
    for (name, text) in texts {
        let path = written.join(name);
        let kept = fs::read_to_string(&path).expect("what a kept journal says");
        let lines = kept.lines().zip(text.lines()).enumerate();
        if let Some((at, (kept, now))) = lines.into_iter().find(|(_, (kept, now))| kept != now) {
            panic!("{}:{}\nkept: {kept}\n now: {now}", path.display(), at + 1);
        }
        assert_eq!(kept.len(), text.len(), "{}", path.display());
    }
    count
}

/// A copy to open: nothing is to be written beside a kept one, not even a lock.
fn copied(dir: &Path) -> TempDir {
    let copy = TempDir::new().expect("a directory");
    for file in FILES {
        fs::copy(dir.join(file), copy.path().join(file)).expect("a copy");
    }
    copy
}

/// What a copy of a journal says, and what is sent out of it.
fn texts(dir: &Path) -> ([(&'static str, String); 2], usize) {
    let copy = copied(dir);
    let all = withdrawals(copy.path());
    let mut another_boot = clocks(OPENED);
    another_boot.boot_id = "another-boot".into();
    let at: [(&str, Clocks); 3] = [
        ("in the window", clocks(OPENED)),
        ("an hour later", clocks(3_600)),
        ("after another boot", another_boot),
    ];
    let said = all.iter().map(|it| told::withdrawal(it, &WINDOW, &at)).collect();
    let sent = send_again(copy.path(), &all);
    assert_eq!(schema(&copy.path().join("money.db")), i64::from(SCHEMA), "opened to write");
    ([("withdrawals.txt", said), ("requests.txt", sent)], all.len())
}

/// All withdrawals of a journal, in the order of their keys.
fn withdrawals(dir: &Path) -> Vec<Withdrawal> {
    let mut journal = MoneyJournal::open(dir, OsDisk, true).expect("the journal opens");
    journal.verify().expect("its chain is whole");
    let page = journal.page(None, "", 0, 1_000).expect("a page");
    assert_eq!(page.total, Some(page.rows.len() as u64));
    let mut all = page.rows.to_vec();
    all.sort_by_key(|it| it.agreement.key);
    all
}

/// Sends everything that may be sent, by the production cashier and wire; what left.
fn send_again(dir: &Path, all: &[Withdrawal]) -> String {
    let services = [HERE, NEXT_DOOR].map(Counterpart::open);
    for service in &services {
        service.answer(Answer::of("201 Created", "", r#"{"id":"de-novo"}"#));
    }
    let desk = Desk::open(dir, true);
    let mut text = String::new();
    for it in all {
        let agreement = &it.agreement;
        let may_send = ["unknown", "prepared"];
        let may_send = may_send.contains(&it.state(&clocks(OPENED), &WINDOW, false).name());
        let begun = desk.send(agreement.key, OPENED, &Way::PLAIN);
        assert_eq!(begun, may_send, "{}", agreement.account.identity);
        let came: Vec<String> = services.iter().flat_map(Counterpart::requests).collect();
        assert_eq!(came.len(), usize::from(begun), "one exchange is one request");
        for request in came {
            let body = request.split_once("\r\n\r\n").expect("a head and a body").1;
            assert_eq!(body, &*agreement.body, "the stored bytes, and no others");
            let own = concat!("balcao/", env!("CARGO_PKG_VERSION"));
            text += &format!("== {}\n{}\n", agreement.key, request.replace(own, "balcao/*"));
        }
        let mut journal = desk.journal.lock().expect("nobody panicked");
        let after = journal.get(agreement.key).expect("the journal").expect("the withdrawal");
        let state = after.state(&clocks(OPENED), &WINDOW, false);
        assert!(!begun || state.name() == "accepted", "{}: {state:?}", agreement.account.identity);
    }
    text.replace('\r', "")
}
