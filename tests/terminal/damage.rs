//! A table of damage to the three databases. For each kind of damage, the commands that read the
//! database, the checkup and the pane must report the same problem, and the commands must end with
//! the same exit code.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use balcao::app::ui::list::PageRequest;
use balcao::app::{MoneyCommand, Msg};
use balcao::cashier::{Clock, Wire};
use balcao::journal::requests::{RequestOwner, Requests};
use balcao::journal::{Permit, Spent, money};
use balcao::runtime::Inbox;
use balcao::runtime::clocks::MachineClocks;
use balcao::runtime::journal_location::JournalLocation;
use balcao::runtime::money::MoneyWorker;
use balcao::runtime::requests::RequestsWorker;
use balcao::trade::withdrawal::AttemptEnd;
use balcao::trade::{
    Clocks, Exchange, JournalTrouble, LinkRequest, LostHistory, Operation, Origin, PagePosition,
    RequestQuery, Search, Ticket, Wall,
};
use balcao::vault::VaultHandle;
use balcao::words::{Catalogue, Lang, failure};
use rusqlite::Connection;
use serde_json::Value;
use tokio::sync::{mpsc, watch};

use super::support::bank::Bank;
use super::support::journal::{WINDOW, clocks, create_live_journal};
use super::support::place::TestHome;
use super::support::run;
use balcao::journal::money::Files;

/// A database that another process has locked, for as long as this value exists.
type Lock = Option<Connection>;

/// A kind of damage. The function gets the path of the database.
type Damage = fn(&Path) -> Lock;

fn empty(file: &Path) -> Lock {
    fs::write(file, "").unwrap();
    None
}

fn cut_in_half(file: &Path) -> Lock {
    let file = File::options().write(true).open(file).unwrap();
    file.set_len(file.metadata().unwrap().len() / 2).unwrap();
    None
}

fn cut_by_a_byte(file: &Path) -> Lock {
    let file = File::options().write(true).open(file).unwrap();
    file.set_len(file.metadata().unwrap().len() - 1).unwrap();
    None
}

fn cut_in_its_header(file: &Path) -> Lock {
    File::options()
        .write(true)
        .open(file)
        .unwrap()
        .set_len(50)
        .unwrap();
    None
}

fn noise(file: &Path) -> Lock {
    fs::write(file, "x".repeat(5_000)).unwrap();
    None
}

fn overwritten_pages(file: &Path) -> Lock {
    let mut bytes = fs::read(file).unwrap();
    bytes[4_096..].fill(7);
    fs::write(file, bytes).unwrap();
    None
}

/// Overwritten pages, and a write-ahead log that an interrupted program left behind.
fn overwritten_pages_with_a_log(file: &Path) -> Lock {
    let log = file.with_extension("db-wal");
    let connection = Connection::open(file).unwrap();
    let write = "PRAGMA wal_autocheckpoint = 0; CREATE TABLE other (n); DROP TABLE other;";
    connection.execute_batch(write).unwrap();
    let copies = [file, &log].map(|path| (path, fs::read(path).unwrap()));
    drop(connection);
    for (path, bytes) in copies {
        fs::write(path, bytes).unwrap();
    }
    overwritten_pages(file)
}

fn other_version(file: &Path) -> Lock {
    Connection::open(file)
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    None
}

fn directory_in_its_place(file: &Path) -> Lock {
    fs::remove_file(file).unwrap();
    fs::create_dir(file).unwrap();
    None
}

fn locked(file: &Path) -> Lock {
    let connection = Connection::open(file).unwrap();
    // Keep the lock after the transaction, because the write-ahead log lets others read.
    let lock = "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE x (x); COMMIT;";
    connection.execute_batch(lock).unwrap();
    Some(connection)
}

fn locked_for_writing(file: &Path) -> Lock {
    let connection = Connection::open(file).unwrap();
    connection.execute_batch("BEGIN EXCLUSIVE").unwrap();
    Some(connection)
}

/// A database whose tables are only in the write-ahead log, which is missing.
fn without_its_log(file: &Path) -> Lock {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole.db");
    let connection = Connection::open(&whole).unwrap();
    let create = "PRAGMA journal_mode = WAL; CREATE TABLE link (id); PRAGMA user_version = 8;";
    connection.execute_batch(create).unwrap();
    fs::copy(&whole, file).unwrap();
    None
}

fn removed(file: &Path) -> Lock {
    fs::remove_file(file).unwrap();
    let head = File::options()
        .write(true)
        .open(file.with_file_name("money.head"))
        .unwrap();
    head.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    None
}

fn without_money_head(file: &Path) -> Lock {
    fs::remove_file(file.with_file_name("money.head")).unwrap();
    None
}

fn no_damage(_: &Path) -> Lock {
    None
}

/// A kind of damage, and the name of the problem that it causes; `None` for no damage.
type Case = (&'static str, Damage, Option<&'static str>);

const MONEY: [Case; 11] = [
    ("none", no_damage, None),
    ("empty", empty, Some("damaged")),
    ("cut in half", cut_in_half, Some("damaged")),
    ("cut in its header", cut_in_its_header, Some("damaged")),
    ("noise", noise, Some("damaged")),
    ("pages", overwritten_pages, Some("damaged")),
    ("version", other_version, Some("other-version")),
    ("directory", directory_in_its_place, Some("damaged")),
    ("locked", locked_for_writing, Some("busy")),
    ("removed", removed, Some("damaged")),
    ("head", without_money_head, Some("damaged")),
];

const HISTORY: [Case; 13] = [
    ("none", no_damage, None),
    ("empty", empty, Some("damaged")),
    ("cut in half", cut_in_half, Some("damaged")),
    ("cut by a byte", cut_by_a_byte, Some("damaged")),
    ("cut in its header", cut_in_its_header, Some("damaged")),
    ("noise", noise, Some("damaged")),
    ("pages", overwritten_pages, Some("damaged")),
    (
        "pages and log",
        overwritten_pages_with_a_log,
        Some("damaged"),
    ),
    ("version", other_version, Some("other-version")),
    ("directory", directory_in_its_place, Some("damaged")),
    ("locked", locked, Some("busy")),
    ("log", without_its_log, Some("damaged")),
    ("removed", removed, Some("missing")),
];

const REQUESTS: [Case; 12] = [
    ("none", no_damage, None),
    ("empty", empty, Some("damaged")),
    ("cut in half", cut_in_half, Some("damaged")),
    ("cut by a byte", cut_by_a_byte, Some("damaged")),
    ("cut in its header", cut_in_its_header, Some("damaged")),
    ("noise", noise, Some("damaged")),
    ("pages", overwritten_pages, Some("damaged")),
    (
        "pages and log",
        overwritten_pages_with_a_log,
        Some("damaged"),
    ),
    ("version", other_version, Some("other-version")),
    ("directory", directory_in_its_place, Some("damaged")),
    ("locked", locked, Some("busy")),
    ("log", without_its_log, Some("damaged")),
];

/// A database, and the parts of the program that read it.
struct Observed {
    file: &'static str,
    /// The id of the finding in the checkup.
    finding: &'static str,
    commands: &'static [&'static [&'static str]],
    /// Returns the sentence with which a command reports a problem.
    sentence: fn(&Catalogue, &JournalTrouble) -> String,
    /// Returns the name of the problem that the pane shows.
    pane: fn(&Path, &Origin) -> Option<&'static str>,
}

/// Returns a problem with this name, as a command would find it.
fn trouble(name: &str) -> JournalTrouble {
    match name {
        "damaged" => JournalTrouble::Damaged(String::new()),
        "missing" => JournalTrouble::Missing,
        "busy" => JournalTrouble::Busy(String::new()),
        _ => JournalTrouble::OtherVersion {
            found: 99,
            known: money::SCHEMA,
        },
    }
}

/// Runs a command. Returns its exit code, its standard output, and its standard error.
fn run_command(home: &TestHome, url: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let service = ["--lang", "en", "--vault", "memory", "--base-url", url];
    let output = run::output(&mut run::command(home, &[&service[..], args].concat()));
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Returns the name of the problem in a finding of the checkup, and the exit code.
fn examine(home: &TestHome, url: &str, id: &str) -> (Option<i32>, Option<String>) {
    let (code, stdout, stderr) = run_command(home, url, &["doctor", "--json"]);
    let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    let finding = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["id"] == id);
    let trouble = &finding.unwrap_or_else(|| panic!("{stdout}"))["facts"]["trouble"];
    (code, trouble.as_str().map(str::to_owned))
}

fn check(observed: &Observed, url: &str, (kind, damage, expected): Case) {
    let home = TestHome::new();
    let dir = create_live_journal(&home);
    let origin = Origin(url.into());
    let owner = RequestOwner {
        profile: "default".into(),
        origin: origin.clone(),
    };
    let reply = Err(balcao::trade::Failure::Cancelled);
    let exchange = Exchange::new(Operation::Domains, "GET", "https://x.example/", reply);
    let mut stored = Requests::open(&dir, Wall(0)).unwrap();
    stored.store(&owner, &exchange).unwrap();
    drop(stored);

    let lock = damage(&dir.join(observed.file));
    // Reading the file in this process would release a lock that this process has on it.
    let read = || {
        lock.is_none()
            .then(|| fs::read(dir.join(observed.file)).ok())
    };
    let before = read();
    let expected_code = Some(i32::from(expected.is_some()));
    let sentence = expected
        .map(|name| (observed.sentence)(Catalogue::of(Lang::En), &trouble(name)))
        .unwrap_or_default();
    // Run them at the same time, because each waits for a locked database for some seconds.
    thread::scope(|scope| {
        for args in observed.commands {
            let home = &home;
            let sentence = &sentence;
            scope.spawn(move || {
                let (code, stdout, stderr) = run_command(home, url, args);
                let about = format!("{kind}: {args:?}: {stdout}{stderr}");
                assert_eq!(code, expected_code, "{about}");
                let says_it = stdout.contains(sentence) || stderr.contains(sentence);
                assert!(says_it, "{sentence}: {about}");
            });
        }
        let found = examine(&home, url, observed.finding);
        assert_eq!(
            found,
            (expected_code, expected.map(str::to_owned)),
            "{kind}"
        );
    });
    assert!(read() == before, "{kind}: reading changes the file");
    assert_eq!((observed.pane)(&dir, &origin), expected, "{kind}, pane");
}

fn check_all(observed: &Observed, cases: &[Case]) {
    let bank = Bank::open();
    let url = bank.url();
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| check(observed, &url, *case));
        }
    });
}

fn location(dir: &Path) -> Arc<JournalLocation> {
    Arc::new(JournalLocation::fixed(
        Files::new(dir),
        VaultHandle::memory(),
    ))
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

/// A wire and a clock of a money thread that sends nothing.
struct Idle;

impl Wire for Idle {
    async fn send(&self, _: Permit) -> (Spent, AttemptEnd) {
        panic!("nothing is to be sent")
    }
}

impl Clock for Idle {
    fn now(&self) -> Clocks {
        clocks(10)
    }
}

fn money_pane(dir: &Path, _: &Origin) -> Option<&'static str> {
    let (sender, mut inbox) = mpsc::channel(64);
    let (_window, window) = watch::channel(WINDOW);
    let inbox_sender = Inbox::new(sender);
    let money = MoneyWorker::new(
        location(dir),
        Idle,
        Idle,
        window,
        inbox_sender,
        Arc::default(),
    );
    let request = PageRequest {
        ticket: Ticket(1),
        query: "".into(),
        search: Search::default(),
        first: 0,
        rows: 200,
        place: PagePosition::Top,
    };
    money
        .submit(MoneyCommand::Load(Box::new(request)))
        .expect("a thread");
    let result = loop {
        let message = block_on(inbox.recv()).expect("a reply");
        if let Msg::WithdrawalsLoaded { result, .. } = message {
            break result;
        }
    };
    money.close();
    match result {
        Ok(snapshot) => snapshot.locked.map(|trouble| trouble.name()),
        Err(trouble) => Some(trouble.name()),
    }
}

fn now() -> Wall {
    MachineClocks::new().now().wall
}

fn history_pane(dir: &Path, _: &Origin) -> Option<&'static str> {
    let (sender, mut inbox) = mpsc::channel(64);
    let history = balcao::runtime::history::open(location(dir), now(), None, Inbox::new(sender));
    let read = |opened: &mut balcao::runtime::history::HistoryResult| match opened {
        Ok(history) => history
            .sales::<LinkRequest>("", PagePosition::Top, 200)
            .err(),
        Err(trouble) => Some(trouble.clone()),
    };
    let trouble = block_on(history.call(read)).expect("a history thread");
    history.close_queue().expect("a history thread").wait();
    let lost = match inbox.try_recv() {
        Ok(Msg::HistoryLost {
            lost: LostHistory::Aside(_),
            ..
        }) => Some("damaged"),
        Ok(Msg::HistoryLost {
            lost: LostHistory::Missing,
            ..
        }) => Some("missing"),
        _ => None,
    };
    trouble.map(|trouble| trouble.name()).or(lost)
}

fn requests_pane(dir: &Path, origin: &Origin) -> Option<&'static str> {
    let owner = RequestOwner {
        profile: "default".into(),
        origin: origin.clone(),
    };
    let worker = RequestsWorker::new(owner, location(dir), true, now());
    let query = RequestQuery {
        rows: 200,
        ..RequestQuery::default()
    };
    let page = block_on(worker.page(query)).expect("the newest query");
    worker.close_queue().expect("a requests thread").wait();
    match page {
        Err(trouble) => Some(trouble.name()),
        Ok(page) if page.is_replaced => Some("damaged"),
        Ok(page) => page.trouble.map(|trouble| trouble.name()),
    }
}

#[test]
fn damaged_journal_has_one_verdict_everywhere() {
    let observed = Observed {
        file: "money.db",
        finding: "journals.withdrawals",
        commands: &[&["withdrawals", "list", "--json"], &["journal", "verify"]],
        sentence: |words, trouble| failure::journal(words, trouble).what,
        pane: money_pane,
    };
    check_all(&observed, &MONEY);
}

#[test]
fn damaged_history_has_one_verdict_everywhere() {
    let observed = Observed {
        file: "history.db",
        finding: "journals.history",
        commands: &[
            &["links", "list"],
            &["links", "list", "--json"],
            &["charges", "list"],
            &["data", "export"],
        ],
        sentence: |words, trouble| failure::history(words, trouble).0,
        pane: history_pane,
    };
    check_all(&observed, &HISTORY);
}

#[test]
fn damaged_requests_have_one_verdict_everywhere() {
    let observed = Observed {
        file: "requests/requests.db",
        finding: "journals.requests",
        commands: &[&["requests", "export", "--har", "-"]],
        sentence: |words, trouble| failure::requests(words, trouble).0,
        pane: requests_pane,
    };
    check_all(&observed, &REQUESTS);
}
