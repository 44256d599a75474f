//! A session with a team's database: two connections, which are used and lost together.

use std::future::poll_fn;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_postgres::config::{ChannelBinding, SslMode};
use tokio_postgres::error::Severity;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, Row};
use tokio_postgres_rustls::MakeRustlsConnect;
use uuid::Uuid;

use super::failure::{self, offline_reason};
use super::loopback::LoopbackStream;
use super::presence::OfflineReason;
use super::records::RECORD_PREFIX;
use super::{FORMAT, TeamDatabase, WallClock, calls, sql, tls};
use crate::trade::Secret;

/// The time limit for connecting a socket.
const SOCKET_LIMIT: Duration = Duration::from_secs(5);

/// The time limit for opening a session.
const OPEN_LIMIT: Duration = Duration::from_secs(20);

/// The time in which a notification must arrive at the other connection.
const PROBE_LIMIT: Duration = Duration::from_secs(2);

/// The notification of a change of the number of approvals.
const APPROVALS: &str = "approvals";

/// The greatest difference between the clocks of this machine and the database, in milliseconds.
pub(super) const MAX_CLOCK_DIFFERENCE_MS: i64 = 60_000;

/// How to connect to a team's database.
pub(super) struct Route {
    config: Config,
    host: String,
    port: u16,
    /// `None` for a connection without TLS to this machine.
    tls: Option<MakeRustlsConnect>,
    wall: WallClock,
}

/// Two connections to a team's database. Dropping them closes both.
pub(super) struct Session {
    pub client: Client,
    /// Never used after it has begun to listen. Its end would end the connection.
    _listener: Client,
    /// True until one of the connections is known to be lost.
    pub liveness: Arc<AtomicBool>,
    /// Receives the reason when a connection ends.
    pub lost: mpsc::Receiver<String>,
    /// Set when the server warns about a query. It does so when it did not wait for its standbys.
    pub is_warned: Arc<AtomicBool>,
    pub hello: Hello,
    tasks: JoinSet<()>,
}

/// Facts that the database reports about itself.
pub(super) struct Hello {
    /// By how many milliseconds the database's clock is ahead.
    pub difference_ms: i64,
    pub encoding: String,
    pub timeline: u32,
    pub journal: Result<JournalRow, OfflineReason>,
    /// True if a notification of one connection arrived at the other.
    pub is_heard: bool,
}

/// The row of the table `journal`.
#[derive(Clone, Copy)]
pub(super) struct JournalRow {
    pub team: Uuid,
    pub format: i32,
    pub least_format: i32,
    pub least_approvals: i32,
}

/// A change that a connection reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The connection was made.
    Connected,
    /// Another machine has appended events.
    Events,
    /// Another machine has appended records of the history.
    Records,
    /// The administrator may have changed the number of approvals that a withdrawal needs. Any
    /// operator can announce this, so the number is read from the database.
    LeastApprovals,
}

/// Called after each change. Runs on the thread of the connection.
pub(super) type OnChange = Arc<dyn Fn(Change) + Send + Sync>;

/// Reports the end of a connection when it is dropped, even after a panic.
struct End {
    liveness: Arc<AtomicBool>,
    lost: mpsc::Sender<String>,
    text: String,
}

impl End {
    fn new(liveness: &Arc<AtomicBool>, lost: &mpsc::Sender<String>) -> End {
        End {
            liveness: liveness.clone(),
            lost: lost.clone(),
            text: "closed".to_owned(),
        }
    }
}

impl Drop for End {
    fn drop(&mut self) {
        self.liveness.store(false, Ordering::SeqCst);
        // The queue has a place for each of the two connections.
        let _ = self.lost.try_send(mem::take(&mut self.text));
    }
}

impl Route {
    pub fn new(
        database: &TeamDatabase,
        password: &Secret,
        wall: &WallClock,
    ) -> Result<Route, OfflineReason> {
        let is_encrypted = database.is_encrypted();
        let tls = is_encrypted.then(|| tls::connector(database));
        let tls = tls.transpose().map_err(OfflineReason::Tls)?;
        let url = &database.url;
        let mut config = Config::new();
        config
            .host(url.host())
            .port(url.port())
            .user(url.user())
            .dbname(url.database())
            .password(password.expose())
            .application_name("balcao")
            .ssl_mode(if is_encrypted {
                SslMode::Require
            } else {
                SslMode::Disable
            })
            .channel_binding(ChannelBinding::Prefer)
            .connect_timeout(SOCKET_LIMIT)
            .keepalives(true)
            .keepalives_idle(Duration::from_secs(15))
            .keepalives_interval(Duration::from_secs(5))
            .keepalives_retries(3);
        Ok(Route {
            config,
            host: url.host().to_owned(),
            port: url.port(),
            tls,
            wall: wall.clone(),
        })
    }

    /// Opens a session. The caller checks whether its database [may be used](Hello::refusal).
    pub async fn open(&self, on_change: OnChange) -> Result<Session, OfflineReason> {
        let opened = timeout(OPEN_LIMIT, self.open_unlimited(on_change)).await;
        opened.unwrap_or(Err(OfflineReason::TimedOut))
    }

    async fn open_unlimited(&self, on_change: OnChange) -> Result<Session, OfflineReason> {
        let (lost_sender, lost) = mpsc::channel(2);
        let liveness = Arc::new(AtomicBool::new(true));
        let end = || End::new(&liveness, &lost_sender);
        let mut tasks = JoinSet::new();
        let is_warned = Arc::<AtomicBool>::default();
        let on_message = warning_reader(is_warned.clone());
        let client = self.connect(&mut tasks, end(), on_message).await?;
        let (facts, difference_ms) = self.read_facts(&client).await?;
        if value(&facts, "is_standby")? {
            return Err(OfflineReason::Standby);
        }
        let own_backend: i32 = value(&facts, "backend")?;

        let probe = Arc::new(Probe {
            text: format!("probe {}", Uuid::new_v4()),
            is_heard: Notify::new(),
        });
        let on_message = notification_reader(own_backend, on_change, probe.clone());
        let listener = self.connect(&mut tasks, end(), on_message).await?;
        let listening = listener.batch_execute(sql::LISTEN).await;
        listening.map_err(|error| offline_reason(&error))?;
        let is_heard = probe.is_heard_from(&client).await?;
        // Read this after the connection listens, so that no later change is missed.
        let journal = read_journal(&client).await;
        let timeline: String = value(&facts, "timeline")?;
        Ok(Session {
            client,
            _listener: listener,
            liveness,
            lost,
            is_warned,
            hello: Hello {
                difference_ms,
                encoding: value(&facts, "encoding")?,
                timeline: u32::from_str_radix(&timeline, 16).unwrap_or(0),
                journal,
                is_heard,
            },
            tasks,
        })
    }

    /// Makes one connection, without the checks.
    pub async fn open_plain(&self) -> Result<(Client, JoinSet<()>), OfflineReason> {
        let (lost, _) = mpsc::channel(1);
        let end = End::new(&Arc::default(), &lost);
        let mut tasks = JoinSet::new();
        let connecting = self.connect(&mut tasks, end, |_| ());
        let client = timeout(OPEN_LIMIT, connecting).await;
        Ok((client.unwrap_or(Err(OfflineReason::TimedOut))?, tasks))
    }

    async fn connect(
        &self,
        tasks: &mut JoinSet<()>,
        end: End,
        on_message: impl FnMut(AsyncMessage) + Send + 'static,
    ) -> Result<Client, OfflineReason> {
        let client = if let Some(tls) = &self.tls {
            let connected = self.config.connect(tls.clone()).await;
            let (client, connection) = connected.map_err(|error| offline_reason(&error))?;
            tasks.spawn(drive(connection, on_message, end));
            client
        } else {
            let stream = timeout(SOCKET_LIMIT, LoopbackStream::connect(&self.host, self.port));
            let stream = stream.await.map_err(|_| OfflineReason::TimedOut)?;
            let stream = stream.map_err(|error| OfflineReason::Unreachable(error.to_string()))?;
            let connected = self.config.connect_raw(stream, NoTls).await;
            let (client, connection) = connected.map_err(|error| offline_reason(&error))?;
            tasks.spawn(drive(connection, on_message, end));
            client
        };
        let prepared = client.batch_execute(sql::SESSION).await;
        prepared.map_err(|error| offline_reason(&error))?;
        Ok(client)
    }

    /// Reads the facts about the server, and the difference between the clocks.
    async fn read_facts(&self, client: &Client) -> Result<(Row, i64), OfflineReason> {
        let before = (self.wall)();
        let facts = calls::query_row(client, sql::HELLO).await;
        let facts = facts.map_err(|error| offline_reason(&error))?;
        let after = (self.wall)();
        let middle = before.0 + (after.0 - before.0) / 2;
        let now: i64 = value(&facts, "now")?;
        Ok((facts, now.saturating_sub(middle)))
    }
}

impl Session {
    /// Closes both connections at once.
    pub fn close(&mut self) {
        self.liveness.store(false, Ordering::SeqCst);
        self.tasks.abort_all();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.close();
    }
}

impl Hello {
    /// The reason why this database may not be used. `team` is the team's id, if it is known.
    pub fn refusal(&self, team: Option<Uuid>) -> Option<OfflineReason> {
        let journal = match &self.journal {
            Ok(journal) => journal,
            Err(reason) => return Some(reason.clone()),
        };
        if let Some(needed) = journal.needed_format() {
            let known = FORMAT;
            return Some(OfflineReason::OtherFormat { needed, known });
        }
        if team.is_some_and(|team| team != journal.team) {
            return Some(OfflineReason::OtherTeam);
        }
        if self.encoding != "UTF8" {
            return Some(OfflineReason::Encoding(self.encoding.clone()));
        }
        if self.difference_ms.abs() > MAX_CLOCK_DIFFERENCE_MS {
            let difference_ms = self.difference_ms;
            return Some(OfflineReason::Clock { difference_ms });
        }
        (!self.is_heard).then_some(OfflineReason::Pooler)
    }
}

impl JournalRow {
    /// The format that a program must know to use this journal, or `None` if it is this program's.
    pub fn needed_format(&self) -> Option<i32> {
        let needed = self.format.max(self.least_format);
        (needed > FORMAT).then_some(needed)
    }
}

impl TeamDatabase {
    /// True if the connection uses TLS. Only one to this machine may be without, if no certificate
    /// is set.
    pub fn is_encrypted(&self) -> bool {
        !self.url.is_loopback() || self.ca.is_some()
    }
}

pub(super) async fn read_journal(client: &Client) -> Result<JournalRow, OfflineReason> {
    let row = calls::query_row(client, sql::JOURNAL).await;
    let row = row.map_err(|error| offline_reason(&error))?;
    Ok(JournalRow {
        team: value(&row, "team")?,
        format: value(&row, "format")?,
        least_format: value(&row, "least_format")?,
        least_approvals: value(&row, "least_approvals")?,
    })
}

/// A value of a row by its column's name.
pub(super) fn value<'r, T: tokio_postgres::types::FromSql<'r>>(
    row: &'r Row,
    column: &str,
) -> Result<T, OfflineReason> {
    let value = row.try_get(column);
    value.map_err(|error| OfflineReason::Refused(failure::text_of(&error)))
}

/// A notification that is sent on one connection and must arrive at the other.
struct Probe {
    text: String,
    is_heard: Notify,
}

impl Probe {
    /// Sends the notification. Returns false if it does not arrive in time.
    async fn is_heard_from(&self, client: &Client) -> Result<bool, OfflineReason> {
        let sent = calls::notify(client, &self.text).await;
        sent.map_err(|error| offline_reason(&error))?;
        Ok(timeout(PROBE_LIMIT, self.is_heard.notified()).await.is_ok())
    }
}

fn warning_reader(is_warned: Arc<AtomicBool>) -> impl FnMut(AsyncMessage) + Send + 'static {
    move |message| {
        if let AsyncMessage::Notice(notice) = message
            && notice.parsed_severity() == Some(Severity::Warning)
        {
            is_warned.store(true, Ordering::SeqCst);
        }
    }
}

/// Reads notifications. Each machine reads its own probe, and announcements of the others.
fn notification_reader(
    own_backend: i32,
    on_change: OnChange,
    probe: Arc<Probe>,
) -> impl FnMut(AsyncMessage) + Send + 'static {
    move |message| {
        let AsyncMessage::Notification(notification) = message else {
            return;
        };
        if notification.channel() != sql::CHANNEL {
            return;
        }
        if notification.payload() == probe.text {
            probe.is_heard.notify_one();
        }
        if notification.process_id() != own_backend
            && let Some(change) = change_of(notification.payload())
        {
            on_change(change);
        }
    }
}

/// The change that a notification announces: the number of an event, that of a record after the
/// word `record`, or the word `approvals`.
fn change_of(payload: &str) -> Option<Change> {
    if payload == APPROVALS {
        return Some(Change::LeastApprovals);
    }
    let (number, change) = match payload.strip_prefix(RECORD_PREFIX) {
        Some(number) => (number, Change::Records),
        None => (payload, Change::Events),
    };
    number.parse::<i64>().is_ok().then_some(change)
}

/// Reads from and writes to a connection until it ends.
async fn drive<S, T>(
    mut connection: Connection<S, T>,
    mut on_message: impl FnMut(AsyncMessage),
    mut end: End,
) where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    loop {
        match poll_fn(|cx| connection.poll_message(cx)).await {
            Some(Ok(message)) => on_message(message),
            Some(Err(error)) => {
                end.text = failure::text_of(&error);
                return;
            }
            None => return,
        }
    }
}
