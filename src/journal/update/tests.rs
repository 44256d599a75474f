use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use super::*;
use crate::journal::database::Database;
use crate::journal::history::{self, History};
use crate::journal::money::{self, Files, ReadOnlyJournal};
use crate::journal::requests::{self, Requests};
use crate::trade::{ChargeRequest, LinkRequest, PagePosition, Paid, PaidSource, Wall};

/// The contents of a database of each version, the oldest first. A new version adds a file here.
const HISTORIES: [&str; 3] = [
    include_str!("versions/history-8.sql"),
    include_str!("versions/history-9.sql"),
    include_str!("versions/history-10.sql"),
];
const REQUESTS: [&str; 1] = [include_str!("versions/requests-2.sql")];
const JOURNALS: [&str; 2] = [
    include_str!("versions/money-3.sql"),
    include_str!("versions/money-4.sql"),
];

const MONEY_HEAD: &str = "balcao money.head 1
4 e8c74682889ab17cc8ca25ce67496c520d468aba0591b4c4d9cae9392b471a43
";

/// Creates a database with these contents, as the program would have left it.
fn create(path: &Path, contents: &str, journal_mode: &str) {
    let connection = Connection::open(path).unwrap();
    connection
        .pragma_update(None, "journal_mode", journal_mode)
        .unwrap();
    connection
        .execute_batch(&format!("BEGIN; {contents} COMMIT;"))
        .unwrap();
}

#[test]
fn history_of_every_version_is_read() {
    assert_eq!(
        HISTORIES.len(),
        history::STEPS.len() + 1,
        "each version needs a file"
    );
    for contents in HISTORIES {
        let dir = tempfile::tempdir().unwrap();
        create(&dir.path().join("history.db"), contents, "WAL");
        let (mut history, moved) = History::open(dir.path(), Wall(0)).unwrap();
        assert_eq!(moved, None);
        let links = history
            .sales::<LinkRequest>("numero 1", PagePosition::Top, 9)
            .unwrap();
        assert_eq!(
            links.rows[0].request.description,
            "Serviço número 1 para 11144477735"
        );
        let charge = history.all::<ChargeRequest>().next().unwrap().unwrap();
        assert_eq!(charge.request.customer.as_deref(), Some("Bia Silva"));
        assert_eq!(
            history.all_nicknames().next().unwrap().unwrap().2.as_str(),
            "Conta PJ"
        );
        let account = &links.rows[0].request.account;
        let batch = history
            .newest_batch(account, "/srv/ana/precos.csv")
            .unwrap();
        let lines = batch.map(|batch| history.batch_lines(batch.id, 0, usize::MAX).unwrap().len());
        assert_eq!(lines.unwrap_or(2), 2);
    }
}

#[test]
fn notes_and_marks_of_version_10_are_read() {
    let dir = tempfile::tempdir().unwrap();
    create(&dir.path().join("history.db"), HISTORIES[2], "WAL");
    let (history, _) = History::open(dir.path(), Wall(0)).unwrap();
    let link = history.all::<LinkRequest>().last().unwrap().unwrap();
    assert_eq!(link.note.as_deref(), Some("Ana, retirada sexta"));
    assert_eq!(link.put_away, Some(Wall(1_789_657_200_001)));
    let charge = history.all::<ChargeRequest>().next().unwrap().unwrap();
    let paid = Paid {
        at: Wall(1_789_657_200_002),
        source: PaidSource::Statement(20_514),
    };
    assert_eq!(charge.paid, Some(paid));
}

#[test]
fn requests_of_every_version_are_read() {
    assert_eq!(
        REQUESTS.len(),
        requests::STEPS.len() + 1,
        "each version needs a file"
    );
    for contents in REQUESTS {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("requests")).unwrap();
        create(&dir.path().join("requests/requests.db"), contents, "WAL");
        let mut requests = Requests::open(dir.path(), Wall(0)).unwrap();
        let rows = requests.rows(None, 9).unwrap();
        assert_eq!(rows.len(), 3);
        for row in rows {
            let exchange = requests.exchange(row.id).unwrap().unwrap();
            assert_eq!(
                (row.at, row.operation, row.url),
                (exchange.at, exchange.operation, exchange.url)
            );
            assert_eq!(row.exchange, exchange.id);
        }
    }
}

#[test]
fn journal_of_every_version_is_read() {
    assert_eq!(
        JOURNALS.len(),
        money::STEPS.len() + 1,
        "each version needs a file"
    );
    for contents in JOURNALS {
        let dir = tempfile::tempdir().unwrap();
        create(&dir.path().join("money.db"), contents, "DELETE");
        fs::write(dir.path().join("money.head"), MONEY_HEAD).unwrap();
        let read = ReadOnlyJournal::open(&Files::new(dir.path())).unwrap();
        assert_eq!(read.journal.last_event().n, 4, "a reader does not update");
        let journal =
            money::MoneyJournal::open(Files::on_disk(dir.path(), crate::journal::OsDisk), true)
                .unwrap();
        assert_eq!(journal.last_event().n, 4);
        drop(journal);
        let overview = ReadOnlyJournal::open(&Files::new(dir.path()))
            .unwrap()
            .journal;
        let withdrawals: Result<Vec<_>, _> = overview.withdrawals().collect();
        assert_eq!(withdrawals.unwrap().len(), 2);
    }
}

/// Two steps after today's version: a new column, and a table that is written again.
const STEPS: [&str; 2] = [
    "ALTER TABLE request ADD COLUMN tag TEXT NOT NULL DEFAULT 'new';",
    "CREATE TABLE tagged (id INTEGER PRIMARY KEY, tag TEXT NOT NULL) STRICT;
     INSERT INTO tagged SELECT id, tag FROM request;
     UPDATE request SET url = url || '#updated';",
];

const VERSION: u32 = requests::SCHEMA + STEPS.len() as u32;

fn database(schema: Schema) -> Database {
    Database {
        name: "requests",
        tables: "",
        schema,
        synchronous: "NORMAL",
    }
}

fn updating() -> Database {
    database(Schema {
        version: VERSION,
        steps: &STEPS,
    })
}

fn create_requests(dir: &Path) -> PathBuf {
    let path = dir.join("requests.db");
    create(&path, REQUESTS[0], "WAL");
    path
}

/// The version of a file, and its rows as text.
fn read(path: &Path) -> (u32, Vec<String>) {
    let connection = Connection::open(path).unwrap();
    let rows = "SELECT url || ' ' || exchange FROM request ORDER BY id";
    let mut rows = connection.prepare(rows).unwrap();
    let rows = rows.query_map([], |row| row.get(0)).unwrap();
    (
        schema_version(&connection).unwrap(),
        rows.map(Result::unwrap).collect(),
    )
}

#[test]
fn older_file_is_updated_and_its_copy_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = create_requests(dir.path());
    let before = read(&path);
    assert_eq!(before.0, requests::SCHEMA);
    // The last row is only in the write-ahead log, and a copy of an earlier update is replaced.
    fs::write(copy_path(&path), "an earlier copy").unwrap();
    let log = with_suffix(&path, "-wal");
    let killed = Connection::open(&path).unwrap();
    killed
        .execute_batch("PRAGMA wal_autocheckpoint = 0; DELETE FROM request WHERE id = 1")
        .unwrap();
    let files = [&path, &log].map(|path| (path, fs::read(path).unwrap()));
    drop(killed);
    files
        .into_iter()
        .for_each(|(path, bytes)| fs::write(path, bytes).unwrap());

    let connection = updating().open(dir.path(), false).unwrap();
    let tags = "SELECT group_concat(tag) FROM tagged";
    assert_eq!(
        connection.query_row(tags, [], |row| row.get(0)),
        Ok("new,new".to_owned())
    );
    drop(connection);
    let (version, rows) = read(&path);
    assert_eq!((version, rows.len()), (VERSION, 2));
    assert!(rows.iter().all(|row| row.contains("#updated")), "{rows:?}");
    let copy = copy_path(&path);
    assert_eq!(
        read(&copy),
        (requests::SCHEMA, before.1[1..].to_vec()),
        "with the log"
    );
    assert_eq!(
        fs::metadata(&copy).unwrap().permissions().mode() & 0o777,
        0o600
    );
    drop(updating().open(dir.path(), false).unwrap());
    assert_eq!(
        read(&copy).0,
        requests::SCHEMA,
        "an updated file is not copied again"
    );
    let names = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert_eq!(names.count(), 2, "the file and its copy");
}

#[test]
fn only_versions_with_a_step_are_updated() {
    let all = Schema {
        version: VERSION,
        steps: &STEPS,
    };
    let count = |schema: Schema, found| schema.steps_from(found).map(<[_]>::len);
    for (found, expected) in [
        (0, None),
        (1, None),
        (2, Some(2)),
        (3, Some(1)),
        (4, None),
        (5, None),
    ] {
        assert_eq!(count(all, found), expected, "{found}");
    }
    assert_eq!(
        count(
            Schema {
                version: 2,
                steps: &[]
            },
            0
        ),
        None
    );
    let dir = tempfile::tempdir().unwrap();
    let path = create_requests(dir.path());
    for found in [1, VERSION + 1] {
        Connection::open(&path)
            .unwrap()
            .pragma_update(None, "user_version", found)
            .unwrap();
        let bytes = fs::read(&path).unwrap();
        let error = updating().open(dir.path(), false).err();
        assert_eq!(
            error,
            Some(JournalTrouble::OtherVersion {
                found,
                known: VERSION
            })
        );
        assert!(fs::read(&path).unwrap() == bytes && !copy_path(&path).exists());
    }
}

#[test]
fn older_file_is_refused_by_a_reader_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let path = create_requests(dir.path());
    let bytes = fs::read(&path).unwrap();
    let error = updating().open_to_read(dir.path()).err();
    assert_eq!(
        error,
        Some(JournalTrouble::OtherVersion {
            found: 2,
            known: VERSION
        })
    );
    let examined = updating()
        .examine(dir.path(), &[("requests", "request")])
        .unwrap()
        .unwrap();
    assert_eq!((examined.schema, examined.rows), (2, vec![("requests", 3)]));
    assert!(fs::read(&path).unwrap() == bytes && !copy_path(&path).exists());
}

#[test]
fn file_open_in_another_window_is_not_updated() {
    let dir = tempfile::tempdir().unwrap();
    let path = create_requests(dir.path());
    let before = read(&path);
    let other = database(Schema {
        version: requests::SCHEMA,
        steps: &[],
    });
    let other = other.open(dir.path(), false).unwrap();
    assert!(matches!(
        updating().open(dir.path(), false),
        Err(JournalTrouble::Busy(_))
    ));
    assert!(!copy_path(&path).exists());
    drop(other);
    assert_eq!(read(&path), before);
    // Only one of several windows that start at once updates the file. The others open the updated
    // file, or say that it is in use.
    std::thread::scope(|scope| {
        let open = || scope.spawn(|| updating().open(dir.path(), false).map(drop));
        let threads: Vec<_> = (0..4).map(|_| open()).collect();
        for thread in threads {
            let result = thread.join().unwrap();
            assert!(
                matches!(result, Ok(()) | Err(JournalTrouble::Busy(_))),
                "{result:?}"
            );
        }
    });
    assert_eq!(updating().open(dir.path(), false).map(drop), Ok(()));
    assert_eq!(read(&path).0, VERSION);
    assert_eq!(read(&copy_path(&path)), before);
}

#[test]
fn failed_update_leaves_the_old_version() {
    let dir = tempfile::tempdir().unwrap();
    let path = create_requests(dir.path());
    let before = read(&path);
    const BROKEN: [&str; 2] = [STEPS[0], "UPDATE nothing SET x = 1"];
    let broken = Schema {
        version: VERSION,
        steps: &BROKEN,
    };
    assert!(matches!(
        database(broken).open(dir.path(), false),
        Err(JournalTrouble::Io(_))
    ));
    assert_eq!(
        (read(&path), read(&copy_path(&path))),
        (before.clone(), before.clone())
    );
    fs::remove_file(copy_path(&path)).unwrap();
    // A file with a hole, which no disk has room for.
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(1 << 43)
        .unwrap();
    assert!(matches!(
        updating().open(dir.path(), false),
        Err(JournalTrouble::Full(_))
    ));
    assert_eq!(read(&path), before);
    assert!(!copy_path(&path).exists() && !unfinished_copy_path(&path).exists());
}

#[test]
fn kept_copies_are_found_in_both_directories() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("requests")).unwrap();
    assert_eq!(kept_copies(dir.path()), Vec::<PathBuf>::new());
    let names = [
        "history-before-update.db",
        "requests/requests-before-update.db.new",
    ];
    let copies = names.map(|name| dir.path().join(name));
    copies.iter().for_each(|copy| fs::write(copy, "").unwrap());
    assert_eq!(kept_copies(dir.path()), copies);
}

const DIES_IN: &str = "BALCAO_TEST_UPDATES_IN";

/// Does nothing, unless the test below runs this test in a child process.
#[test]
fn process_that_updates_a_file() {
    let Some(dir) = std::env::var_os(DIES_IN) else {
        return;
    };
    updating().open(Path::new(&dir), false).unwrap();
}

/// Updates the file in another process, which is killed after it was looked at `turns` times.
/// Returns the number of turns, and true if the process was killed.
fn update_until_killed(dir: &Path, turns: u64) -> (u64, bool) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let name = "journal::update::tests::process_that_updates_a_file";
    command.args(["--exact", name]).env(DIES_IN, dir);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut turn = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        turn += 1;
        if turn == turns {
            child.kill().unwrap();
            break child.wait().unwrap();
        }
    };
    assert!(status.success() || status.signal().is_some(), "{status}");
    (turn, status.signal().is_some())
}

#[test]
fn killed_update_leaves_old_or_new_version() {
    let mut whole_update = 0;
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..100 {
        let dir = tempfile::tempdir().unwrap();
        let path = create_requests(dir.path());
        let before = read(&path);
        if whole_update == 0 {
            whole_update = update_until_killed(dir.path(), u64::MAX).0.max(2);
            assert_eq!(read(&path).0, VERSION);
            continue;
        }
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        update_until_killed(dir.path(), 1 + (random >> 33) % whole_update);
        let found = read(&path);
        if found.0 == requests::SCHEMA {
            assert_eq!(found, before);
        } else {
            assert_eq!((found.0, found.1.len()), (VERSION, before.1.len()));
            assert!(
                found.1.iter().all(|row| row.contains("#updated")),
                "{found:?}"
            );
        }
        drop(updating().open(dir.path(), false).unwrap());
        assert_eq!(read(&path).0, VERSION, "the next start updates the file");
        assert_eq!(read(&copy_path(&path)), before);
    }
}
