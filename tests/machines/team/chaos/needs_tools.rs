//! The run on a server.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use balcao::trade::IdempotencyKey;
use uuid::Uuid;

use super::operator::Operator;
use super::world::{Acknowledged, World};
use crate::chance::Random;
use crate::effort::{Effort, print_figure, print_line};
use crate::postgres::has_postgres;
use crate::samples::temp_dir;
use crate::team::database::Database;

const OPERATORS: usize = 8;

/// Settings of the server. Killing it loses nothing even so; a power cut would.
const SETTINGS: &[(&str, &str)] = &[("fsync", "off"), ("full_page_writes", "off")];

/// The events that must happen at least once. Otherwise, the run did not test them.
const KINDS: [&str; 23] = [
    "already paid",
    "answer lost",
    "answers swallowed",
    "append in doubt",
    "decided",
    "discarded",
    "end kept in the outbox",
    "journal offline",
    "killed after a send",
    "killed before a send",
    "killed during a send",
    "not sent: connection lost",
    "not sent: too late",
    "offline",
    "prepared",
    "request held",
    "request lost",
    "same payment prepared elsewhere",
    "sent again",
    "server killed",
    "settled",
    "takeover",
    "wait",
];

/// The time for which a run goes on until each kind has happened.
const MAX_MORE_SECONDS: u32 = 120;

fn missing_kinds(world: &World) -> Vec<&'static str> {
    let tally = &world.lock().tally;
    let kinds = KINDS.into_iter();
    kinds.filter(|kind| !tally.contains_key(kind)).collect()
}

fn run_time() -> Option<Duration> {
    match Effort::from_env() {
        Effort::Small => None,
        Effort::Usual => Some(Duration::from_secs(25)),
        Effort::Long => Some(Duration::from_secs(150)),
    }
}

#[test]
fn chaos_loses_nothing_and_pays_nothing_twice() {
    // A short run would test nothing.
    let Some(time) = run_time() else { return };
    if !has_postgres() {
        return;
    }
    let database = Database::start(OPERATORS, SETTINGS);
    let world = World::default();
    let folder = temp_dir();
    let dir_of = |number: usize| folder.path().join(format!("operator {number}"));
    let mut operators: Vec<Operator> = (0..OPERATORS)
        .map(|number| Operator::new(number, &world, &database, dir_of(number)))
        .collect();
    thread::scope(|scope| {
        for operator in &mut operators {
            scope.spawn(|| operator.run());
        }
        scope.spawn(|| kill_server(&database, &world));
        world.is_over_within(time);
        // A rare kind of event may take longer.
        for _ in 0..MAX_MORE_SECONDS {
            if missing_kinds(&world).is_empty() {
                break;
            }
            world.is_over_within(Duration::from_secs(1));
        }
        world.end();
    });
    for operator in &mut operators {
        operator.finish();
    }
    let ends: Vec<_> = operators.iter_mut().map(Operator::read_end).collect();
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
    let stored = stored_events(&database);
    assert_eq!(stored.len() as u64, ends[0].1);
    let last = "SELECT n || ' ' || encode(sum, 'hex') FROM balcao.event ORDER BY n DESC LIMIT 1";
    assert!(ends[0].0.contains(&database.query(last)), "{}", ends[0].0);

    let missing = missing_kinds(&world);
    let world = world.lock();
    let (sends, payouts) = (world.sends(), world.payouts());
    print_line(&format!(
        "{sends} sends, {payouts} payouts: {:?}",
        world.tally
    ));
    let lost: Vec<_> = world.acknowledged.difference(&stored).collect();
    assert!(lost.is_empty(), "lost: {lost:?}");
    let wrong = [world.misdeeds(), world.violations.clone()].concat();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(missing.is_empty(), "never happened: {missing:?}");
    print_line(&format!("{} events acknowledged", world.acknowledged.len()));
    print_figure(&format!(
        "{OPERATORS} operators, {} s of chaos: 0 acknowledged events lost",
        time.as_secs()
    ));
}

/// Kills the server every few seconds, and starts it again.
fn kill_server(database: &Database, world: &World) {
    let mut random = Random::from_seed(0);
    let mut pause = |least, most: u64| Duration::from_millis(least + random.below(most - least));
    while !world.is_over_within(pause(2_500, 4_500)) {
        database.server.kill();
        world.count("server killed");
        world.is_over_within(pause(0, 500));
        database.server.restart();
    }
}

/// The events in the log.
fn stored_events(database: &Database) -> BTreeSet<Acknowledged> {
    let stored = database.query("SELECT key, kind, number FROM balcao.event");
    let events = stored.lines().map(|line| {
        let mut columns = line.split('|');
        let mut next = || columns.next().expect("a column");
        let key = Uuid::parse_str(next()).expect("a key");
        let kinds = [
            "prepared",
            "attempt_began",
            "settled",
            "person_said",
            "discarded",
        ];
        let stored = next();
        let kind = kinds.into_iter().find(|kind| *kind == stored);
        let n = next().parse().expect("a number");
        (IdempotencyKey(key), kind.expect("a kind"), n)
    });
    events.collect()
}
