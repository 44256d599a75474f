//! The threads that own the stored data: withdrawals, history and HTTP requests. When a demo starts
//! over, all of them are replaced.

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex as AsyncMutex;
use tokio::task::JoinSet;

use crate::app::ui::list::PageRequest;
use crate::app::{MoneyCommand, Msg};
use crate::locked::Locked;
use crate::runtime::clocks;
use crate::runtime::history::{HistoryWorker, SeedHistory};
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::money::MoneyWorker;
use crate::runtime::newest::Newest;
use crate::runtime::requests::RequestsWorker;
use crate::trade::Ticket;
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
    /// The newest request for withdrawals.
    pub(super) newest_load: Option<Ticket>,
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
        let (links, charges, counting) = Default::default();
        Stores {
            money,
            history,
            requests,
            links,
            charges,
            counting,
            newest_load: None,
            _tasks: Arc::new(tasks),
        }
    }

    fn close(&self) {
        self.money.close();
        self.begin_closing().wait();
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

/// The stores in use, which all tasks share. When a demo starts over, they are replaced.
#[derive(Clone)]
pub struct OpenStores(pub(super) Arc<Locked<Stores>>);

impl OpenStores {
    pub fn new(stores: Stores) -> OpenStores {
        OpenStores(Arc::new(Locked::new(stores)))
    }

    /// A clone of the stores in use.
    pub fn now(&self) -> Stores {
        self.0.lock().clone()
    }

    /// Closes the stores in use. Afterwards, no thread writes to their directory, unless a database
    /// took more than a second to close.
    pub fn close(&self) {
        self.now().close();
    }

    /// Submits a command to the current money thread.
    ///
    /// The stores are locked during this call, so that they cannot be replaced. A command for one
    /// demo therefore never reaches the service of the next demo.
    pub(super) fn submit(&self, command: MoneyCommand) -> Result<(), Box<Msg>> {
        self.0.lock().money.submit(command)
    }

    /// Replaces the stores if `open_new` returns new ones. Until this is done, no command can be
    /// submitted.
    pub(super) fn replace(&self, open_new: impl FnOnce(&Stores) -> Option<Stores>) -> bool {
        let old = {
            let mut stores = self.0.lock();
            let Some(new) = open_new(&stores) else {
                return false;
            };
            mem::replace(&mut *stores, new)
        };
        // Close the old stores after the lock is released, because closing waits for their threads.
        old.close();
        old.money.location().remove_temporary();
        true
    }
}

/// A function that opens the stores. Its second argument, if any, fills an empty history.
pub type StoreOpener =
    Box<dyn Fn(Arc<JournalLocation>, Option<SeedHistory>) -> Stores + Send + Sync>;
