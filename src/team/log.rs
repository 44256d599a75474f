//! The log of a team on a server, as the journal uses it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

use super::records::RecordCall;
use crate::journal::money::{Checksum, EventRow, Log, NotAppended};
use crate::locked::Locked;
use crate::trade::{Author, JournalTrouble};
use crate::worker::WorkerHandle;

/// The time limit of a call.
pub(super) const CALL_LIMIT: Duration = Duration::from_secs(10);

/// The time for which a caller waits beyond that for the thread of the connection.
pub(super) const GRACE: Duration = Duration::from_secs(5);

/// The log of a team on a server. A call blocks for at most 15 seconds. Without a connection it
/// fails at once.
#[derive(Clone)]
pub struct TeamLog {
    pub(super) requests: WorkerHandle<Request>,
    pub(super) current: Arc<Locked<Option<Current>>>,
    /// True if the team requires approvals, as far as this machine knows.
    pub(super) needs_approval: Arc<AtomicBool>,
    pub(super) author: Author,
}

/// The session that is usable now.
pub(super) struct Current {
    pub liveness: Arc<AtomicBool>,
    pub timeline: u32,
    pub team: Uuid,
}

/// A call of the log.
pub(super) struct Request {
    /// A call that begins later is not made.
    pub deadline: Instant,
    pub call: Call,
}

pub(super) enum Call {
    After {
        n: i64,
        most: i64,
        reply: SyncSender<Result<Vec<EventRow>, JournalTrouble>>,
    },
    Append {
        rows: Vec<EventRow>,
        before: Checksum,
        reply: SyncSender<Result<(), NotAppended>>,
    },
    ErasePurged {
        reply: SyncSender<Result<(), JournalTrouble>>,
    },
    /// A call of the log of the history.
    Records(RecordCall),
}

impl Call {
    /// Lets the call fail. It was not sent.
    pub fn refuse(self, text: &str) {
        let offline = JournalTrouble::Offline(text.to_owned());
        // A caller that no longer waits needs no reply. This is also true for the replies below.
        let _ = match self {
            Call::After { reply, .. } => reply.try_send(Err(offline)).is_ok(),
            Call::Append { reply, .. } => reply.try_send(Err(offline.into())).is_ok(),
            Call::ErasePurged { reply } => reply.try_send(Err(offline)).is_ok(),
            Call::Records(call) => call.refuse(offline),
        };
    }
}

impl TeamLog {
    /// Makes a call and waits for its reply. The call may have been sent if the error is
    /// [`NoReply::Late`].
    fn call<R>(&self, call: impl FnOnce(SyncSender<R>) -> Call) -> Result<R, NoReply> {
        let (reply, replies) = mpsc::sync_channel(1);
        let request = Request {
            deadline: Instant::now() + CALL_LIMIT,
            call: call(reply),
        };
        let enqueued = self.requests.enqueue(request);
        enqueued.map_err(|_| NoReply::NotSent)?;
        replies
            .recv_timeout(CALL_LIMIT + GRACE)
            .map_err(|error| match error {
                RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected => NoReply::Late,
            })
    }
}

/// The reason why a call got no reply from the thread of the connection.
pub(super) enum NoReply {
    /// The thread did not accept the call.
    NotSent,
    /// The thread ended, or is late.
    Late,
}

impl NoReply {
    pub fn into_trouble(self) -> JournalTrouble {
        JournalTrouble::Offline(match self {
            NoReply::NotSent => "the connection accepts no call".to_owned(),
            NoReply::Late => "the connection does not answer".to_owned(),
        })
    }
}

impl Log for TeamLog {
    fn after(&mut self, n: i64, most: i64) -> Result<Vec<EventRow>, JournalTrouble> {
        self.call(|reply| Call::After { n, most, reply })
            .unwrap_or_else(|no_reply| Err(no_reply.into_trouble()))
    }

    fn append(&mut self, rows: &[EventRow], before: &Checksum) -> Result<(), NotAppended> {
        if rows.is_empty() {
            return Ok(());
        }
        let replied = self.call(|reply| Call::Append {
            rows: rows.to_vec(),
            before: *before,
            reply,
        });
        replied.unwrap_or_else(|no_reply| match no_reply {
            NoReply::NotSent => Err(no_reply.into_trouble().into()),
            NoReply::Late => Err(NotAppended::Doubt(no_reply.into_trouble().to_string())),
        })
    }

    fn erase_purged(&mut self) -> Result<(), JournalTrouble> {
        self.call(|reply| Call::ErasePurged { reply })
            .unwrap_or_else(|no_reply| Err(no_reply.into_trouble()))
    }

    fn liveness(&self) -> Arc<AtomicBool> {
        let current = self.current.lock();
        current
            .as_ref()
            .map(|current| current.liveness.clone())
            .unwrap_or_default()
    }

    fn timeline(&self) -> Option<u32> {
        self.current.lock().as_ref().map(|current| current.timeline)
    }

    fn needs_approval(&self) -> bool {
        self.needs_approval.load(Ordering::SeqCst)
    }

    fn author(&self) -> Author {
        self.author.clone()
    }
}
