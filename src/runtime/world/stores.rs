//! The threads that own the stored data: withdrawals, history and HTTP requests.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex as AsyncMutex;
use tokio::task::JoinSet;

use crate::app::ui::list::PageRequest;
use crate::runtime::clocks;
use crate::runtime::history::HistoryWorker;
use crate::runtime::money::MoneyWorker;
use crate::runtime::newest::Newest;
use crate::runtime::requests::RequestsWorker;
use crate::worker::EndingThread;

/// Handles to the threads that own the stored data. Clones share the same threads.
#[derive(Clone)]
pub struct Stores {
    /// The money thread, which owns the journal of withdrawals.
    pub money: MoneyWorker,
    /// The history thread, which owns payment links and direct payments.
    pub history: HistoryWorker,
    /// The requests thread, which owns the HTTP requests of this and earlier runs.
    pub requests: RequestsWorker,
    /// The newest query for payment links. Older queries that still wait are replaced, because each
    /// key press in a search sends a query.
    pub links: Arc<Newest<PageRequest>>,
    /// The newest query for direct payments.
    pub charges: Arc<Newest<PageRequest>>,
    /// The turn to count the totals of a list. Only one count at a time runs on the history thread
    /// or waits for it.
    pub(super) counting: Arc<AsyncMutex<()>>,
    /// The newest query for withdrawals. Its search for nicknames is over if a newer one begins.
    pub(super) withdrawals: Arc<Newest<PageRequest>>,
    /// The newest request for the figures of a report.
    pub(super) reports: Arc<Newest<()>>,
    /// The tasks that report payments at a sandbox and changes by other processes. Dropping the
    /// last clone of this field aborts them.
    _tasks: Arc<JoinSet<()>>,
}

impl Stores {
    /// Creates the stores. The tasks in `tasks` run until the stores are dropped.
    pub fn new(
        money: MoneyWorker,
        history: HistoryWorker,
        requests: RequestsWorker,
        tasks: JoinSet<()>,
    ) -> Stores {
        let (links, charges, counting, withdrawals, reports) = Default::default();
        Stores {
            money,
            history,
            requests,
            links,
            charges,
            counting,
            withdrawals,
            reports,
            _tasks: Arc::new(tasks),
        }
    }

    /// Closes the stores. Afterwards, no thread writes to their directory, unless a database took
    /// more than a second to close. A temporary directory is removed.
    pub fn close(&self) {
        self.money.close();
        self.begin_closing().wait();
        self.money.location().remove_temporary();
    }

    /// Closes the queues of the history and the stored HTTP requests. Their threads process the
    /// queued jobs and then close their databases. SQLite moves all data into the database file
    /// when its last connection is closed.
    pub fn begin_closing(&self) -> ClosingDatabases {
        let threads = [self.history.close_queue(), self.requests.close_queue()];
        ClosingDatabases {
            threads,
            deadline: clocks::instant() + CLOSE_LIMIT,
        }
    }
}

/// The maximum time to wait until the databases are closed. Without a closed database, the next
/// start reads the data from SQLite's write-ahead log.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// The threads of the history and the stored HTTP requests, after their queues were closed.
#[must_use]
pub struct ClosingDatabases {
    threads: [Option<EndingThread>; 2],
    deadline: Instant,
}

impl ClosingDatabases {
    /// Waits until the databases are closed, at most until one second after their queues were
    /// closed.
    pub fn wait(self) {
        for thread in self.threads.into_iter().flatten() {
            thread.wait_at_most(self.deadline.saturating_duration_since(clocks::instant()));
        }
    }
}
