//! Examines a team's database for an operator.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::failure::offline_reason;
use super::presence::OfflineReason;
use super::session::{MAX_CLOCK_DIFFERENCE_MS, Route, value};
use super::{FORMAT, TeamDatabase, WallClock, calls, sql};
use crate::trade::Secret;

/// The oldest version of the server that has all functions that the journal uses.
const OLDEST_SERVER: i32 = 130_000;

/// The number of round trips that are measured.
const ROUND_TRIPS: usize = 3;

/// The result of examining a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The version of the server, as it states it. This text is untrusted.
    pub version: String,
    /// The shortest of some round trips.
    pub round_trip: Duration,
    /// By how many milliseconds the database's clock is ahead. Negative if it is behind.
    pub difference_ms: i64,
    /// True if the connection uses TLS.
    pub is_encrypted: bool,
    /// The id of the team, or `None` if a right to read it is missing.
    pub team: Option<Uuid>,
    /// The least format of appended events, or `None` if a right to read it is missing.
    pub least_format: Option<i32>,
    /// The number of approvals that a withdrawal needs, or `None` if a right to read it is missing.
    pub least_approvals: Option<i32>,
    /// The problems.
    pub findings: Vec<Finding>,
}

/// A problem of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The operator's role lacks a right, such as `SELECT ON balcao.event`.
    MissingRight(String),
    /// The role may do everything on the server, so nothing that it wrote is proven.
    Superuser,
    /// The role owns tables of the journal, so it may change them.
    Owner,
    /// The role may change events, or their author or time.
    CanChange,
    /// The database does not store texts as UTF-8, but in this encoding.
    Encoding(String),
    /// The clocks of this machine and the database differ too much.
    Clock,
    /// A pooler between this machine and the server swallows notifications.
    Pooler,
    /// The journal needs another version of the program.
    OtherFormat {
        /// The format that is needed.
        needed: i32,
        /// The format that this program uses.
        known: i32,
    },
    /// The server's version is too old.
    OldServer,
    /// `fsync` is off: a power failure can lose or damage everything.
    FsyncOff,
    /// `full_page_writes` is off: a power failure can damage everything.
    FullPageWritesOff,
    /// `synchronous_commit` has this value by default. The program's own sessions set `on`.
    SynchronousCommit(String),
    /// There is no standby: if the server's disk is lost, so is the journal.
    NoStandby,
    /// There are standbys, but none is synchronous: a takeover can lose events.
    AsynchronousStandbys,
    /// Synchronous standbys are set, but none is connected. Each append waits for one.
    NoSynchronousStandby,
    /// This role may not see whether the standbys are synchronous.
    HiddenStandbys,
    /// The connection has no TLS. This is allowed only on this machine.
    Unencrypted,
}

impl Finding {
    /// True if the program refuses to use the database because of this problem.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Finding::MissingRight(_)
                | Finding::Encoding(_)
                | Finding::Clock
                | Finding::Pooler
                | Finding::OtherFormat { .. }
        )
    }
}

/// Examines a database with the role of an operator. Takes at most a minute.
///
/// # Errors
///
/// Fails if the database cannot be reached, or contains no journal.
pub async fn check(
    database: &TeamDatabase,
    password: &Secret,
    wall: &WallClock,
) -> Result<Report, OfflineReason> {
    let route = Route::new(database, password, wall)?;
    let session = route.open(Arc::new(|_| ())).await?;
    let client = &session.client;
    let hello = &session.hello;
    let mut findings = missing_rights(client).await?;
    let journal = match &hello.journal {
        Ok(journal) => Some(*journal),
        // The missing right is in the list.
        Err(OfflineReason::NotAllowed(_)) if !findings.is_empty() => None,
        Err(reason) => return Err(reason.clone()),
    };
    if hello.encoding != "UTF8" {
        findings.push(Finding::Encoding(hello.encoding.clone()));
    }
    if hello.difference_ms.abs() > MAX_CLOCK_DIFFERENCE_MS {
        findings.push(Finding::Clock);
    }
    if !hello.is_heard {
        findings.push(Finding::Pooler);
    }
    if let Some(needed) = journal.and_then(|journal| journal.needed_format()) {
        let known = FORMAT;
        findings.push(Finding::OtherFormat { needed, known });
    }
    let server = query_row(client, sql::SERVER).await?;
    findings.extend(server_findings(&server)?);
    let is_encrypted = database.is_encrypted();
    if !is_encrypted {
        findings.push(Finding::Unencrypted);
    }
    Ok(Report {
        version: value(&server, "version")?,
        round_trip: measure_round_trip(client).await?,
        difference_ms: hello.difference_ms,
        is_encrypted,
        team: journal.map(|journal| journal.team),
        least_format: journal.map(|journal| journal.least_format),
        least_approvals: journal.map(|journal| journal.least_approvals),
        findings,
    })
}

async fn missing_rights(client: &Client) -> Result<Vec<Finding>, OfflineReason> {
    let rows = client.query_typed(sql::RIGHTS, &[]).await;
    let rows = rows.map_err(|error| offline_reason(&error))?;
    let mut missing = Vec::new();
    for row in &rows {
        if !value::<bool>(row, "is_granted")? {
            missing.push(Finding::MissingRight(value(row, "name")?));
        }
    }
    Ok(missing)
}

fn server_findings(server: &Row) -> Result<Vec<Finding>, OfflineReason> {
    let commit: String = value(server, "synchronous_commit")?;
    let is_durable = matches!(&*commit, "on" | "remote_apply");
    let expects_standby = !value::<&str>(server, "synchronous_standbys")?.is_empty();
    let standbys: i64 = value(server, "standbys")?;
    let hidden: i64 = value(server, "hidden_standbys")?;
    let in_step: i64 = value(server, "in_step_standbys")?;
    let standby = match (standbys, expects_standby) {
        (0, false) => Some(Finding::NoStandby),
        (0, true) => Some(Finding::NoSynchronousStandby),
        (_, false) => Some(Finding::AsynchronousStandbys),
        (_, true) if in_step > 0 => None,
        (_, true) if hidden > 0 => Some(Finding::HiddenStandbys),
        (_, true) => Some(Finding::NoSynchronousStandby),
    };
    let found = [
        (value(server, "is_superuser")?, Finding::Superuser),
        (value(server, "is_owner")?, Finding::Owner),
        (value(server, "can_change")?, Finding::CanChange),
        (
            value::<i32>(server, "version_number")? < OLDEST_SERVER,
            Finding::OldServer,
        ),
        (value::<&str>(server, "fsync")? != "on", Finding::FsyncOff),
        (
            value::<&str>(server, "full_page_writes")? != "on",
            Finding::FullPageWritesOff,
        ),
        (!is_durable, Finding::SynchronousCommit(commit)),
    ];
    let found = found.into_iter().filter(|(is_found, _)| *is_found);
    Ok(found.map(|(_, finding)| finding).chain(standby).collect())
}

async fn measure_round_trip(client: &Client) -> Result<Duration, OfflineReason> {
    let mut shortest = Duration::MAX;
    for _ in 0..ROUND_TRIPS {
        let start = Instant::now();
        query_row(client, sql::HELLO).await?;
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}

async fn query_row(client: &Client, query: &str) -> Result<Row, OfflineReason> {
    let row = calls::query_row(client, query).await;
    row.map_err(|error| offline_reason(&error))
}
