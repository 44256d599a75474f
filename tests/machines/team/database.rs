//! The journal of a team in a database of its own, on a PostgreSQL server.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use balcao::journal::money::{Files, MoneyJournal};
use balcao::runtime::clocks::MachineClocks;
use balcao::team::{self, Members, Presence, TeamAccess, TeamConnection, TeamDatabase, WallClock};
use balcao::trade::Secret;
use tokio::time::timeout;

use crate::postgres::{ADMIN, PASSWORD, Postgres};

/// The time limit for everything that a machine waits for.
pub const WAIT_LIMIT: Duration = Duration::from_secs(60);

pub struct Database {
    pub server: Postgres,
    pub name: String,
    pub roles: Vec<String>,
}

impl Database {
    /// Starts a server with the journal of a team that has this number of operators.
    pub fn start(operators: usize, settings: &[(&str, &str)]) -> Database {
        let server = Postgres::start(settings);
        let name = server.create_database();
        let roles: Vec<String> = (1..=operators).map(|n| format!("operator_{n}")).collect();
        roles.iter().for_each(|role| server.create_role(role));
        let database = Database {
            server,
            name,
            roles,
        };
        let members = Members {
            operators: database.roles.clone(),
            ..Members::default()
        };
        let admin = database.access(ADMIN, database.server.port()).database;
        block_on(team::init(&admin, &password(), &wall(), &members)).expect("a journal");
        database
    }

    /// The database as this role uses it, through this port.
    pub fn access(&self, role: &str, port: u16) -> TeamAccess {
        let url = format!("postgres://{role}@127.0.0.1:{port}/{}", self.name);
        TeamAccess {
            database: TeamDatabase {
                url: url.parse().expect("an address"),
                ca: None,
                system_roots: None,
                operator: role.into(),
                machine: "caixa".into(),
            },
            password: password(),
            team: None,
            wall: wall(),
        }
    }

    /// Connects as this role, and waits until the connection is made.
    pub fn connect(&self, role: &str, port: u16) -> TeamConnection {
        let connection = TeamConnection::open(self.access(role, port), |_| ());
        wait_until_online(&connection);
        connection
    }

    /// The output of an administrator's query.
    pub fn query(&self, sql: &str) -> String {
        self.server
            .sql(&self.name, ADMIN, sql)
            .expect("a result of the query")
    }
}

/// Opens the mirror in this directory, without its log. Makes a new one if it does not exist.
pub fn open_mirror(dir: &Path, connection: &TeamConnection) -> MoneyJournal {
    let files = Files::new(dir);
    let is_new = !files.is_mirror();
    if is_new {
        let team = connection.team().expect("a connection");
        MoneyJournal::become_mirror(&files, team).expect("a mirror");
    }
    MoneyJournal::open(files, !is_new).expect("a mirror")
}

/// The time since the machine started.
pub fn boot_time() -> Duration {
    Duration::from_millis(MachineClocks::boot_ms())
}

pub fn is_online(connection: &TeamConnection) -> bool {
    matches!(*connection.presence().borrow(), Presence::Connected { .. })
}

pub fn wait_until_online(connection: &TeamConnection) {
    let mut presence = connection.presence();
    let is_connected = |presence: &Presence| matches!(presence, Presence::Connected { .. });
    block_on(async { presence.wait_for(is_connected).await.map(drop) }).expect("a connection");
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime
        .block_on(async { timeout(WAIT_LIMIT, future).await })
        .expect("a result in time")
}

fn password() -> Secret {
    Secret::new(PASSWORD.to_owned())
}

fn wall() -> WallClock {
    Arc::new(|| MachineClocks::new().now().wall)
}
