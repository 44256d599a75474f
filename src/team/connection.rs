//! The thread that keeps the session with a team's database, and makes the calls of the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::runtime;
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use uuid::Uuid;

use super::log::{CALL_LIMIT, Call, Current, Request, TeamLog};
use super::presence::{OfflineReason, Presence};
use super::records::{self, RecordCall, TeamRecords};
use super::session::{self, Change, OnChange, Route, Session};
use super::{TeamAccess, calls, failure};
use crate::journal::money::{Log as _, NotAppended};
use crate::locked::Locked;
use crate::trade::JournalTrouble;
use crate::worker::{EndingThread, WorkerHandle};

/// The waits before the program connects again, from the first to the longest.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The number of calls that may wait. Each window makes one at a time.
const MAX_CALLS: usize = 16;

/// The connection to a team's database. Dropping it ends its thread.
pub struct TeamConnection {
    log: TeamLog,
    records: TeamRecords,
    presence: watch::Sender<Presence>,
}

impl TeamConnection {
    /// Starts to connect in the background.
    ///
    /// `on_change` is called after each connection is made, and when another machine has appended
    /// something. It runs on the thread of the connection and must not block.
    pub fn open(
        access: TeamAccess,
        on_change: impl Fn(Change) + Send + Sync + 'static,
    ) -> TeamConnection {
        let (presence, _) = watch::channel(Presence::Connecting);
        TeamConnection::open_with(access, presence, on_change)
    }

    /// Like [`open`](Self::open), and reports the state of the connection to `presence`.
    pub fn open_with(
        access: TeamAccess,
        presence: watch::Sender<Presence>,
        on_change: impl Fn(Change) + Send + Sync + 'static,
    ) -> TeamConnection {
        let author = access.database.author();
        let current = Arc::<Locked<Option<Current>>>::default();
        let needs_approval = Arc::<AtomicBool>::default();
        let keeper = Keeper {
            access,
            on_change: Arc::new(on_change),
            current: current.clone(),
            needs_approval: needs_approval.clone(),
            rule_changed: Arc::default(),
            presence: presence.clone(),
        };
        let (records, record_calls) = mpsc::channel(MAX_CALLS);
        let requests = WorkerHandle::new("team", MAX_CALLS, |requests| {
            keeper.run(Calls {
                requests,
                records: record_calls,
            });
        });
        // If the thread cannot be started, each call reports that.
        let _ = requests.start();
        TeamConnection {
            log: TeamLog {
                requests,
                current,
                needs_approval,
                author,
            },
            records: TeamRecords { requests: records },
            presence,
        }
    }

    /// The log, for the journal that mirrors it.
    pub fn log(&self) -> TeamLog {
        self.log.clone()
    }

    /// The log of the history.
    pub fn records(&self) -> TeamRecords {
        self.records.clone()
    }

    /// The state of the connection.
    pub fn presence(&self) -> watch::Receiver<Presence> {
        self.presence.subscribe()
    }

    /// True if the team requires that a second person approves each withdrawal.
    pub fn needs_approval(&self) -> bool {
        self.log.needs_approval()
    }

    /// The id of the team, or `None` without a connection.
    pub fn team(&self) -> Option<Uuid> {
        self.log.current.lock().as_ref().map(|current| current.team)
    }

    /// Closes the connection. A call that was sent is still answered, so the thread ends within
    /// the time limit of a call. Returns `None` if it was closed before.
    pub fn close(&self) -> Option<EndingThread> {
        self.log.requests.close_queue()
    }
}

impl Drop for TeamConnection {
    fn drop(&mut self) {
        self.close();
    }
}

/// The state of the thread.
struct Keeper {
    access: TeamAccess,
    on_change: OnChange,
    current: Arc<Locked<Option<Current>>>,
    needs_approval: Arc<AtomicBool>,
    /// Notified when the number of approvals may have changed.
    rule_changed: Arc<Notify>,
    presence: watch::Sender<Presence>,
}

/// The queue of calls is closed.
struct Closed;

/// The waiting calls.
struct Calls {
    requests: mpsc::Receiver<Request>,
    /// The calls of the history's log.
    records: mpsc::Receiver<Request>,
}

impl Calls {
    /// The next call. A call about money waits for at most one call about the history.
    async fn next(&mut self) -> Result<Request, Closed> {
        tokio::select! {
            biased;
            request = self.requests.recv() => request.ok_or(Closed),
            Some(request) = self.records.recv() => Ok(request),
        }
    }
}

impl Keeper {
    fn run(mut self, calls: Calls) {
        let runtime = runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build();
        match runtime {
            Ok(runtime) => {
                runtime.block_on(self.keep(calls));
                self.current.lock().take();
                // A name may still be looked up, which can take long.
                runtime.shutdown_background();
            }
            Err(error) => self.go_offline(OfflineReason::Unreachable(error.to_string())),
        }
    }

    /// Keeps a session until the queue is closed.
    async fn keep(&mut self, mut calls: Calls) {
        let mut wait = FIRST_WAIT;
        loop {
            let opened = tokio::select! {
                biased;
                Closed = self.refuse_calls(&mut calls) => return,
                opened = self.open_session() => opened,
            };
            match opened {
                Ok(session) => {
                    wait = FIRST_WAIT;
                    self.go_online(&session);
                    if let Err(Closed) = self.serve(session, &mut calls).await {
                        return;
                    }
                }
                Err(reason) => self.go_offline(reason),
            }
            tokio::select! {
                biased;
                Closed = self.refuse_calls(&mut calls) => return,
                () = sleep(wait) => {}
            }
            wait = (2 * wait).min(LONGEST_WAIT);
        }
    }

    async fn open_session(&self) -> Result<Session, OfflineReason> {
        let TeamAccess {
            database,
            password,
            wall,
            team,
        } = &self.access;
        let route = Route::new(database, password, wall)?;
        let session = route.open(self.listener()).await?;
        match session.hello.refusal(*team) {
            None => Ok(session),
            Some(reason) => Err(reason),
        }
    }

    /// Handles what the server announces.
    fn listener(&self) -> OnChange {
        let rule_changed = self.rule_changed.clone();
        let on_change = self.on_change.clone();
        Arc::new(move |change| match change {
            Change::LeastApprovals => rule_changed.notify_one(),
            _ => on_change(change),
        })
    }

    /// Lets all calls fail, until the queue is closed.
    async fn refuse_calls(&self, calls: &mut Calls) -> Closed {
        while let Ok(request) = calls.next().await {
            let text = match &*self.presence.borrow() {
                Presence::Offline { reason, .. } => reason.to_string(),
                _ => "not connected yet".to_owned(),
            };
            request.call.refuse(&text);
        }
        Closed
    }

    fn go_online(&mut self, session: &Session) {
        if let Ok(journal) = &session.hello.journal {
            // From now on, another team's database is refused.
            self.access.team = Some(journal.team);
            let needs_approval = journal.least_approvals > 0;
            self.needs_approval.store(needs_approval, Ordering::SeqCst);
            *self.current.lock() = Some(Current {
                liveness: session.liveness.clone(),
                timeline: session.hello.timeline,
                team: journal.team,
            });
        }
        let since = (self.access.wall)();
        self.presence.send_replace(Presence::Connected { since });
        (self.on_change)(Change::Connected);
    }

    fn go_offline(&self, reason: OfflineReason) {
        self.current.lock().take();
        let now = (self.access.wall)();
        self.presence.send_modify(|presence| {
            let since = match presence {
                Presence::Offline { since, .. } => *since,
                _ => now,
            };
            *presence = Presence::Offline { since, reason };
        });
    }

    /// Makes the calls, one at a time, until the session is lost.
    async fn serve(&self, mut session: Session, calls: &mut Calls) -> Result<(), Closed> {
        while session.liveness.load(Ordering::SeqCst) {
            tokio::select! {
                biased;
                text = session.lost.recv() => {
                    self.end_session(&mut session, OfflineReason::Lost(text.unwrap_or_default()));
                }
                () = self.rule_changed.notified() => self.read_rule(&mut session).await,
                request = calls.next() => self.make_call(&mut session, request?).await,
            }
        }
        // A connection may have ended while the last call was made.
        let text = session.lost.try_recv().unwrap_or_default();
        self.end_session(&mut session, OfflineReason::Lost(text));
        Ok(())
    }

    /// Reads the number of approvals that a withdrawal needs.
    async fn read_rule(&self, session: &mut Session) {
        match timeout(CALL_LIMIT, session::read_journal(&session.client)).await {
            Ok(Ok(journal)) => {
                let needs_approval = journal.least_approvals > 0;
                self.needs_approval.store(needs_approval, Ordering::SeqCst);
                (self.on_change)(Change::LeastApprovals);
            }
            Ok(Err(reason)) => self.end_session(session, reason),
            Err(_) => self.end_session(session, OfflineReason::TimedOut),
        }
    }

    /// Ends the session, unless it has ended.
    fn end_session(&self, session: &mut Session, reason: OfflineReason) {
        session.close();
        if self.current.lock().is_some() {
            self.go_offline(reason);
        }
    }

    /// Makes a call and answers it. If that ends the session, the caller finds it ended.
    async fn make_call(&self, session: &mut Session, request: Request) {
        let Request { deadline, call } = request;
        if session.client.is_closed() {
            let reason = OfflineReason::Lost("closed".to_owned());
            call.refuse(&reason.to_string());
            return self.end_session(session, reason);
        }
        if Instant::now() >= deadline {
            return call.refuse("other calls took too long");
        }
        // A caller that no longer waits needs no reply.
        match call {
            Call::After { n, most, reply } => {
                let rows = timeout_at(deadline, calls::after(&session.client, n, most)).await;
                let _ = reply.try_send(self.read_result(session, rows));
            }
            Call::ErasePurged { reply } => {
                let erased = timeout_at(deadline, calls::erase_purged(&session.client)).await;
                let _ = reply.try_send(self.read_result(session, erased));
            }
            Call::Append {
                rows,
                before,
                reply,
            } => {
                session.is_warned.store(false, Ordering::SeqCst);
                let append = calls::append(&session.client, &rows, &before);
                let appended = timeout_at(deadline, append).await;
                let _ = reply.try_send(self.append_result(session, appended));
            }
            Call::Records(call) => self.make_record_call(session, deadline, call).await,
        }
    }

    async fn make_record_call(&self, session: &mut Session, deadline: Instant, call: RecordCall) {
        match call {
            RecordCall::After { n, most, reply } => {
                let records = timeout_at(deadline, records::after(&session.client, n, most)).await;
                let _ = reply.try_send(self.read_result(session, records));
            }
            RecordCall::Append { records, reply } => {
                session.is_warned.store(false, Ordering::SeqCst);
                let appended =
                    timeout_at(deadline, records::append(&session.client, &records)).await;
                let _ = reply.try_send(self.append_result(session, appended));
            }
            RecordCall::EraseDeleted {
                after,
                up_to,
                reply,
            } => {
                let erase = records::erase_deleted(&session.client, after, up_to);
                let erased = timeout_at(deadline, erase).await;
                let _ = reply.try_send(self.read_result(session, erased));
            }
        }
    }

    /// The result of a call that reads or deletes. Ends the session if it must not be used again.
    fn read_result<T>(
        &self,
        session: &mut Session,
        result: TimedResult<T>,
    ) -> Result<T, JournalTrouble> {
        if let Some(reason) = session_end(&result) {
            self.end_session(session, reason);
        }
        match result {
            Ok(result) => result.map_err(|error| failure::trouble(&error)),
            Err(_) => Err(JournalTrouble::Offline(OfflineReason::TimedOut.to_string())),
        }
    }

    /// Like [`read_result`](Self::read_result), for an append. The rows were sent, so they may be
    /// in the log unless the server denies it.
    fn append_result(
        &self,
        session: &mut Session,
        result: TimedResult<()>,
    ) -> Result<(), NotAppended> {
        if let Some(reason) = session_end(&result) {
            self.end_session(session, reason);
        }
        match result {
            Ok(Ok(())) if session.is_warned.load(Ordering::SeqCst) => Err(NotAppended::Doubt(
                "the server may not have waited for its standbys".to_owned(),
            )),
            // The rules are checked again, once this machine knows that an approval is needed.
            Ok(Err(error))
                if failure::is_unapproved(&error)
                    && !self.needs_approval.swap(true, Ordering::SeqCst) =>
            {
                Err(NotAppended::Outrun)
            }
            Ok(result) => result.map_err(|error| failure::not_appended(&error)),
            Err(_) => Err(NotAppended::Doubt(OfflineReason::TimedOut.to_string())),
        }
    }
}

/// The result of a query with a time limit.
type TimedResult<T> = Result<Result<T, tokio_postgres::Error>, tokio::time::error::Elapsed>;

/// The reason to end the session after this result, if there is one.
fn session_end<T>(result: &TimedResult<T>) -> Option<OfflineReason> {
    match result {
        Ok(Err(error)) if failure::ends_session(error) => {
            Some(OfflineReason::Lost(failure::text_of(error)))
        }
        Ok(_) => None,
        Err(_) => Some(OfflineReason::TimedOut),
    }
}
