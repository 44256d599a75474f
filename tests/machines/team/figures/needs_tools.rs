//! The figures of a server.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use balcao::journal::money::{Files, Log as _, MoneyJournal, NotAppended, TAKEOVER_WAIT};
use balcao::runtime::clocks::{self, MachineClocks};
use balcao::team::{TeamConnection, TeamLog};
use balcao::trade::IdempotencyKey;
use balcao::trade::withdrawal::{AttemptEnd, Class};
use tempfile::TempDir;
use uuid::Uuid;

use super::rows::{fill, next_row, quantiles};
use crate::effort::{Effort, format_thousands, print_figure};
use crate::postgres::has_postgres;
use crate::relay::Relay;
use crate::samples::{WINDOW, account, agreement};
use crate::team::database::{Database, boot_time, open_mirror};

/// The number of events that a new machine joins.
const EVENTS: i64 = 1_000_000;

/// The time limit for joining them.
const JOIN_LIMIT: Duration = Duration::from_secs(120);

/// The numbers of clients.
const CLIENTS: [usize; 3] = [2, 8, 50];

/// The time for which clients append.
const APPEND_TIME: Duration = Duration::from_secs(8);

/// The number of calls of a measurement.
const CALLS: u128 = 100;

/// Half of the round trip time of a slow line.
const DELAY: Duration = Duration::from_millis(10);

/// The most time that the team's database may add on such a line.
const EXTRA_LIMIT: Duration = Duration::from_millis(60);

/// Each connection of a client needs two of the server's.
const SETTINGS: &[(&str, &str)] = &[("max_connections", "120")];

/// Held during a measurement, because two at a time would disturb each other.
static MEASURING: Mutex<()> = Mutex::new(());

/// The lock for a measurement, or `None` if this run measures nothing.
fn start_measuring() -> Option<MutexGuard<'static, ()>> {
    let measures = Effort::from_env() == Effort::Long && has_postgres();
    measures.then(|| MEASURING.lock().unwrap_or_else(PoisonError::into_inner))
}

fn mirror_of(dir: &Path, connection: &TeamConnection) -> MoneyJournal {
    let mut journal = open_mirror(dir, connection);
    journal.attach_log(connection.log(), Box::new(boot_time), TAKEOVER_WAIT);
    journal
}

fn prepare(journal: &mut MoneyJournal, clocks: &MachineClocks, n: u128) -> IdempotencyKey {
    let key = IdempotencyKey(Uuid::from_u128(n));
    let centavos = i64::try_from(1_000 + n).expect("a small number");
    let owner = account("https://pay.example", "loja");
    let terms = agreement(key, owner, centavos, clocks.now(), "figures");
    journal.prepare(terms, None).expect("no conflict");
    key
}

/// Begins and settles a withdrawal. Returns the milliseconds that the begin took.
fn begin_and_settle(
    journal: &mut MoneyJournal,
    clocks: &MachineClocks,
    key: IdempotencyKey,
) -> f64 {
    let start = clocks::instant();
    let lock = journal.lock(key).expect("no other attempt");
    let now = clocks.now();
    let permit = journal.begin(lock, key, None, &now, &WINDOW);
    let (spent, _) = permit.expect("a permit").spend();
    let took = start.elapsed().as_secs_f64() * 1e3;
    let now = clocks.now();
    let end = AttemptEnd {
        at: now.wall,
        boot_ms: now.boot_ms,
        class: Class::Confirmed {
            id: None,
            status: None,
        },
        status: Some(200),
        server_date: None,
        message: None,
        hint: None,
    };
    journal.settle(spent, &end).expect("a settled withdrawal");
    took
}

#[test]
fn joining_a_million_events() {
    let Some(_lock) = start_measuring() else {
        return;
    };
    let database = Database::start(2, &[("max_wal_size", "4GB")]);
    let port = database.server.port();
    let first = database.connect(&database.roles[0], port);
    let folder = TempDir::new().expect("a directory");
    let dir = folder.path().join("first");
    let mut journal = mirror_of(&dir, &first);
    let clocks = MachineClocks::for_journal(&dir);
    let key = prepare(&mut journal, &clocks, 1);
    begin_and_settle(&mut journal, &clocks, key);
    let filling = clocks::instant();
    fill(&mut first.log(), EVENTS);
    let filled = filling.elapsed();

    // The connection is closed in the middle. The events that were read stay.
    let dir = folder.path().join("second");
    let start = clocks::instant();
    let second = database.connect(&database.roles[1], port);
    let mut journal = mirror_of(&dir, &second);
    let mut reports = 0;
    let stopped = journal.pull_reporting(&mut |n| {
        reports += 1;
        if n > EVENTS / 2 {
            second.close();
        }
    });
    assert!(stopped.is_err() && reports > 10, "{stopped:?}");
    let half = journal.events();
    assert!(half > EVENTS / 2 && half < EVENTS, "{half}");
    drop(journal);
    let half_took = start.elapsed();
    let opening = clocks::instant();
    let second = database.connect(&database.roles[1], port);
    let mut journal = mirror_of(&dir, &second);
    let opened = opening.elapsed();
    let pulling = clocks::instant();
    journal.pull().expect("the rest");
    let rest_took = pulling.elapsed();
    assert_eq!(journal.events(), EVENTS);
    assert_eq!(journal.verify().expect("an intact mirror") as i64, EVENTS);
    drop(journal);

    // Without a stop.
    let third = folder.path().join("third");
    let start = clocks::instant();
    let mut journal = mirror_of(&third, &second);
    journal.pull().expect("all events");
    let took = start.elapsed();
    assert_eq!(journal.events(), EVENTS);
    print_figure(&format!(
        "{} events (appended in {:.0} s): joined in {:.0} s; stopped after {} and {:.0} s, opened \
         again in {:.0} s, the rest in {:.0} s",
        format_thousands(EVENTS.unsigned_abs()),
        filled.as_secs_f64(),
        took.as_secs_f64(),
        format_thousands(half.unsigned_abs()),
        half_took.as_secs_f64(),
        opened.as_secs_f64(),
        rest_took.as_secs_f64(),
    ));
    assert!(took < JOIN_LIMIT, "{took:?}");
}

#[test]
fn many_clients_append() {
    let Some(_lock) = start_measuring() else {
        return;
    };
    let mut pull_times = Vec::new();
    for clients in CLIENTS {
        let database = Database::start(clients, SETTINGS);
        let port = database.server.port();
        let connect = |role: &String| database.connect(role, port);
        let connections: Vec<_> = database.roles.iter().map(connect).collect();
        let folder = TempDir::new().expect("a directory");
        let dir = folder.path().join("mirror");
        let mut journal = mirror_of(&dir, &connections[0]);
        let clocks = MachineClocks::for_journal(&dir);
        // One client works, and all others listen.
        let mut appends = Vec::new();
        let mut pulls = Vec::new();
        for n in 1..=CALLS {
            let start = clocks::instant();
            prepare(&mut journal, &clocks, n);
            appends.push(start.elapsed().as_secs_f64() * 1e3);
            let start = clocks::instant();
            journal.pull().expect("no events");
            pulls.push(start.elapsed().as_secs_f64() * 1e3);
        }
        print_figure(&format!(
            "one of {clients} clients: an event in {}, a pull without news in {}",
            quantiles(&mut appends),
            quantiles(&mut pulls)
        ));
        pull_times.push(pulls[pulls.len() / 2]);
        // All clients append as fast as they can.
        let start = clocks::instant();
        let times = Mutex::new((Vec::new(), 0));
        thread::scope(|scope| {
            for (number, connection) in connections.iter().enumerate() {
                let times = &times;
                scope.spawn(move || append_until(connection.log(), number, start, times));
            }
        });
        let (mut times, outrun) = times.into_inner().expect("no panic");
        let rate = times.len() as f64 / start.elapsed().as_secs_f64();
        print_figure(&format!(
            "{clients} clients at once: {rate:.0} appends a second, each call {}, {outrun} outrun",
            quantiles(&mut times)
        ));
    }
    let (first, last) = (pull_times[0], pull_times[CLIENTS.len() - 1]);
    assert!(last < 3.0 * first, "a pull costs more: {pull_times:?}");
}

/// Appends one row at a time. Adds the milliseconds of each call that appended a row, and the
/// number of calls that were outrun.
fn append_until(
    mut log: TeamLog,
    number: usize,
    start: std::time::Instant,
    times: &Mutex<(Vec<f64>, u64)>,
) {
    let mut own = (Vec::new(), 0);
    let samples = log.after(0, 1).expect("a row");
    let mut last = samples[0].clone();
    let mut key = (number as u128 + 1) << 64;
    while start.elapsed() < APPEND_TIME {
        for row in log.after(last.n, 4_096).expect("rows") {
            last = row;
        }
        key += 1;
        let row = next_row(&samples[0], key, &last);
        let call = clocks::instant();
        match log.append(std::slice::from_ref(&row), &last.sum) {
            Ok(()) => {
                own.0.push(call.elapsed().as_secs_f64() * 1e3);
                last = row;
            }
            Err(NotAppended::Outrun) => own.1 += 1,
            Err(error) => panic!("{error:?}"),
        }
    }
    let mut times = times.lock().expect("no panic");
    times.0.append(&mut own.0);
    times.1 += own.1;
}

#[test]
fn begin_on_a_slow_line() {
    let Some(_lock) = start_measuring() else {
        return;
    };
    let database = Database::start(1, SETTINGS);
    let relay = Relay::open_slow(database.server.port(), DELAY);
    let connection = database.connect(&database.roles[0], relay.port());
    let folder = TempDir::new().expect("a directory");
    let [team_dir, own_dir] = ["team", "own"].map(|name| folder.path().join(name));
    let mut mirror = mirror_of(&team_dir, &connection);
    let mut alone = MoneyJournal::open(Files::new(&own_dir), false).expect("a journal");
    let mut measured = Vec::new();
    for (journal, dir) in [(&mut alone, &own_dir), (&mut mirror, &team_dir)] {
        let clocks = MachineClocks::for_journal(dir);
        let mut begins = Vec::new();
        let mut both = Vec::new();
        for n in 1..=CALLS {
            let start = clocks::instant();
            let key = prepare(journal, &clocks, n);
            let prepared = start.elapsed().as_secs_f64() * 1e3;
            let begun = begin_and_settle(journal, &clocks, key);
            begins.push(begun);
            both.push(prepared + begun);
        }
        let texts = [quantiles(&mut both), quantiles(&mut begins)];
        measured.push((texts, both[both.len() / 2]));
    }
    let [(alone, alone_median), (team, team_median)] = &measured[..] else {
        panic!("two journals");
    };
    let extra = team_median - alone_median;
    print_figure(&format!(
        "20 ms round trip: from confirming to the permit {} in a team, {} alone; of this the begin \
         {} and {}: {extra:.1} ms more",
        team[0], alone[0], team[1], alone[1]
    ));
    assert!(extra <= EXTRA_LIMIT.as_secs_f64() * 1e3, "{extra} ms");
}
