//! The shared journal of a team, on a real PostgreSQL server.

use std::future::Future;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use balcao::journal::money::{Checksum, EventRow, Log, NotAppended};
use balcao::runtime::clocks::{self, MachineClocks};
use balcao::team::{
    self, Change, DatabaseUrl, InitError, Initialised, Members, OfflineReason, Presence, Report,
    TeamAccess, TeamConnection, TeamDatabase, TeamLog, WallClock,
};
use balcao::trade::{IdempotencyKey, Secret, Wall};
use sha2::{Digest, Sha256};
use tokio::time::timeout;
use uuid::Uuid;

use crate::postgres::{ADMIN, PASSWORD, Postgres, has_postgres};
use crate::relay::{Relay, Relaying};

mod needs_tools;

/// The time limit for everything that a test waits for.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().unwrap();
    runtime
        .block_on(async { timeout(WAIT_TIMEOUT, future).await })
        .expect("a result in time")
}

fn wall() -> WallClock {
    clock_ahead_by(0)
}

/// The clock of a machine that is ahead by this time.
fn clock_ahead_by(ms: i64) -> WallClock {
    Arc::new(move || Wall(MachineClocks::new().now().wall.0 + ms))
}

fn password() -> Secret {
    Secret::new(PASSWORD.to_owned())
}

/// A team with a database of its own. Its operators are Ana and Bia; Eva may also delete personal
/// data.
struct Team {
    server: Arc<Postgres>,
    database: String,
}

impl Team {
    fn new() -> Team {
        Team::on(Postgres::shared())
    }

    fn on(server: Arc<Postgres>) -> Team {
        let database = server.create_database();
        for role in ["ana", "bia", "eva", "visitor"] {
            server.create_role(role);
        }
        let team = Team { server, database };
        let members = Members {
            operators: vec!["ana".into(), "bia".into()],
            purgers: vec!["eva".into()],
            needs_approval: None,
        };
        assert!(team.init(ADMIN, &members).unwrap().is_new);
        team
    }

    /// The database as this role uses it.
    fn access(&self, role: &str) -> TeamDatabase {
        self.access_at(role, self.server.port())
    }

    fn access_at(&self, role: &str, port: u16) -> TeamDatabase {
        TeamDatabase {
            url: url(role, port, &self.database),
            ca: None,
            system_roots: None,
            operator: "Ana".into(),
            machine: "caixa-1".into(),
        }
    }

    fn connect(&self, role: &str) -> Machine {
        Machine::open(self.access(role))
    }

    fn init(&self, role: &str, members: &Members) -> Result<Initialised, InitError> {
        block_on(team::init(
            &self.access(role),
            &password(),
            &wall(),
            members,
        ))
    }

    fn check(&self, role: &str) -> Result<Report, OfflineReason> {
        block_on(team::check(&self.access(role), &password(), &wall()))
    }

    fn sql(&self, role: &str, sql: &str) -> Result<String, String> {
        self.server.sql(&self.database, role, sql)
    }

    /// Waits until the administrator's query returns this text.
    fn wait_until(&self, sql: &str, expected: &str) {
        let deadline = clocks::instant() + WAIT_TIMEOUT;
        while self.sql(ADMIN, sql).unwrap() != expected {
            assert!(clocks::instant() < deadline, "{sql}");
        }
    }

    /// Asserts that the server refuses this SQL with this code.
    #[track_caller]
    fn assert_refused(&self, role: &str, code: &str, sql: &str) {
        let error = self.sql(role, sql).expect_err(sql);
        assert!(error.contains(code), "{sql}: {error}");
    }

    fn events(&self) -> String {
        let sql = "SELECT n, kind, written_by FROM balcao.event ORDER BY n";
        self.sql(ADMIN, sql).unwrap().replace('\n', " ")
    }
}

fn url(role: &str, port: u16, database: &str) -> DatabaseUrl {
    let text = format!("postgres://{role}@127.0.0.1:{port}/{database}");
    text.parse().unwrap()
}

/// A machine of an operator.
struct Machine {
    connection: TeamConnection,
    log: TeamLog,
    /// Receives a message when the connection is made, and when another machine has appended.
    changes: Receiver<Change>,
}

impl Machine {
    fn open(database: TeamDatabase) -> Machine {
        Machine::with(TeamAccess {
            database,
            password: password(),
            team: None,
            wall: wall(),
        })
    }

    fn with(access: TeamAccess) -> Machine {
        let (sender, changes) = mpsc::sync_channel(100);
        let connection = TeamConnection::open(access, move |change| {
            sender.try_send(change).expect("room");
        });
        Machine {
            log: connection.log(),
            connection,
            changes,
        }
    }

    fn wait_for(&self, is_met: impl FnMut(&Presence) -> bool) -> Presence {
        let mut presence = self.connection.presence();
        block_on(async { presence.wait_for(is_met).await.unwrap().clone() })
    }

    fn online(self) -> Machine {
        self.wait_for(is_online);
        self
    }

    /// Waits until connecting failed, and returns the reason.
    fn offline_reason(&self) -> OfflineReason {
        let is_offline = |presence: &Presence| matches!(presence, Presence::Offline { .. });
        match self.wait_for(is_offline) {
            Presence::Offline { reason, .. } => reason,
            other => panic!("{other:?}"),
        }
    }

    /// Waits until the connection is lost. The program may already have tried to connect again.
    #[track_caller]
    fn assert_lost(&self) {
        let reason = self.offline_reason();
        assert!(
            matches!(
                reason,
                OfflineReason::Lost(_) | OfflineReason::Unreachable(_)
            ),
            "{reason:?}"
        );
    }

    #[track_caller]
    fn wait_for_change(&self, expected: Change) {
        let change = self.changes.recv_timeout(WAIT_TIMEOUT);
        assert_eq!(change, Ok(expected));
    }

    fn append(&mut self, rows: &[EventRow], before: &Checksum) -> Result<(), NotAppended> {
        self.log.append(rows, before)
    }

    fn rows(&mut self) -> Vec<EventRow> {
        self.log.after(0, 100).unwrap()
    }
}

fn is_online(presence: &Presence) -> bool {
    matches!(presence, Presence::Connected { .. })
}

fn start() -> Checksum {
    Sha256::digest(b"balcao money journal").into()
}

fn sum_of(text: &str) -> Checksum {
    Sha256::digest(text.as_bytes()).into()
}

/// A row. The log does not verify the checksums of events, so they are made up.
fn row(n: i64, key: u128, kind: &str, plain: &str) -> EventRow {
    EventRow {
        n,
        at: Wall(1_772_377_200_000 + n),
        key: IdempotencyKey(Uuid::from_u128(key)),
        kind: kind.to_owned(),
        plain: plain.to_owned(),
        personal: None,
        personal_sum: None,
        who: None,
        written_by: None,
        sum: [u8::try_from(n).unwrap(); 32],
    }
}

fn prepared(n: i64, key: u128) -> EventRow {
    let personal = format!("{{\"destination\":\"joão-{n}\"}}");
    EventRow {
        personal_sum: Some(sum_of(&personal)),
        personal: Some(personal),
        who: Some("{\"role\":\"ana\"}".to_owned()),
        ..row(n, key, "prepared", "{}")
    }
}

/// The row as the log returns it, after this role wrote it.
fn written_by(role: &str, row: &EventRow) -> EventRow {
    EventRow {
        written_by: Some(role.to_owned()),
        ..row.clone()
    }
}
