//! A thread that stores the program's HTTP requests for later runs, and searches them.

use std::collections::VecDeque;
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::journal_location::JournalLocation;
use crate::journal::requests::{RequestOwner, Requests};
use crate::locked::Locked;
use crate::trade::{Exchange, JournalTrouble, RequestQuery, RequestsPage, RowId, Wall};
use crate::worker::{EndingThread, Job, WorkerHandle};

/// The maximum number of jobs in the queue. While the queue is full, HTTP requests are not stored.
const QUEUE: usize = 256;

/// A handle to the thread that stores HTTP requests. The thread starts with the first request, so
/// that an idle program opens no file.
#[derive(Clone)]
pub struct RequestsWorker {
    owner: RequestOwner,
    worker: WorkerHandle<Job<RequestsResult>>,
    /// The ticket of the newest query for a page. The thread skips older queries.
    newest: Arc<AtomicU64>,
}

/// The opened database, or the problem that prevented opening it.
type RequestsResult = Result<Requests, JournalTrouble>;

impl RequestsWorker {
    /// Creates the worker for the HTTP requests of `owner`. The requests are stored on disk only if
    /// `is_kept` is true and the location is not temporary.
    pub fn new(
        owner: RequestOwner,
        location: Arc<JournalLocation>,
        is_kept: bool,
        now: Wall,
    ) -> RequestsWorker {
        let worker =
            WorkerHandle::with_owned("requests", QUEUE, move || open(&location, is_kept, now));
        RequestsWorker {
            owner,
            worker,
            newest: Arc::default(),
        }
    }

    /// Stores an HTTP request with its reply. Ignores errors, because no feature depends on a
    /// stored request, and `balcao doctor` reports problems of the file.
    pub fn keep(&self, exchange: Arc<Exchange>) {
        let owner = self.owner.clone();
        let job: Job<RequestsResult> = Box::new(move |opened| {
            if let Ok(requests) = opened {
                _ = requests.store(&owner, &exchange);
            }
        });
        _ = self.worker.enqueue(job);
    }

    /// Stores a request of a batch of links like [`keep`](RequestsWorker::keep). `kept` is for all
    /// requests of the batch, as in [`Requests::store_of_batch`].
    pub fn keep_of_batch(&self, exchange: Arc<Exchange>, kept: Arc<Locked<VecDeque<RowId>>>) {
        let owner = self.owner.clone();
        let job: Job<RequestsResult> = Box::new(move |opened| {
            if let Ok(requests) = opened {
                _ = requests.store_of_batch(&owner, &exchange, &mut kept.lock());
            }
        });
        _ = self.worker.enqueue(job);
    }

    /// Reads a page of the list of HTTP requests. Returns `None` if a newer query has replaced this
    /// one.
    ///
    /// The query waits in the same queue as the requests to be stored, so it finds all earlier
    /// requests.
    pub fn page(
        &self,
        query: RequestQuery,
    ) -> impl Future<Output = Option<Result<RequestsPage, JournalTrouble>>> + Send + use<> {
        let ticket = query.ticket.0;
        self.newest.store(ticket, Ordering::Relaxed);
        let newest = self.newest.clone();
        let owner = self.owner.clone();
        let worker = self.worker.clone();
        async move {
            worker
                .call(move |opened| {
                    let is_newest = newest.load(Ordering::Relaxed) == ticket;
                    is_newest.then(|| {
                        opened
                            .as_mut()
                            .map_err(|trouble| trouble.clone())?
                            .page(&owner, &query)
                    })
                })
                .await
                .unwrap_or_else(|| Some(Err(closed_error())))
        }
    }

    /// Reads a stored HTTP request with its reply. Returns `None` if it was deleted.
    pub async fn exchange(&self, id: RowId) -> Result<Option<Exchange>, JournalTrouble> {
        self.worker
            .call(move |opened| {
                opened
                    .as_mut()
                    .map_err(|trouble| trouble.clone())?
                    .exchange(id)
            })
            .await
            .unwrap_or_else(|| Err(closed_error()))
    }

    /// Closes the queue and returns the thread, which still stores the queued HTTP requests.
    /// Returns `None` if the thread is not running.
    pub fn close_queue(&self) -> Option<EndingThread> {
        self.worker.close_queue()
    }
}

fn closed_error() -> JournalTrouble {
    JournalTrouble::Io("the requests thread does not answer".into())
}

/// Opens the database of HTTP requests. If that fails, keeps the requests of this run in memory,
/// because users need them most when something is wrong.
///
/// If `is_kept` is false, deletes the stored requests of earlier runs.
fn open(location: &JournalLocation, is_kept: bool, now: Wall) -> Result<Requests, JournalTrouble> {
    if location.files().is_temporary() {
        return Requests::in_memory();
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| JournalTrouble::Io(error.to_string()))?;
    let files = runtime.block_on(location.proven_files());
    if is_kept {
        return Requests::open(files.dir(), now).or_else(Requests::in_memory_instead);
    }
    // Ignore an error, because `balcao doctor` reports a file that cannot be used.
    _ = delete_stored(files.dir(), now);
    Requests::in_memory()
}

fn delete_stored(dir: &Path, now: Wall) -> Result<(), JournalTrouble> {
    let Some(mut requests) = Requests::open_if_any(dir, now)? else {
        return Ok(());
    };
    requests.purge(Wall(i64::MAX), &[])?;
    requests.overwrite_deleted().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::money::Files;
    use crate::journal::requests::examine;
    use crate::trade::{Failure, Operation, Origin, Ticket};
    use crate::vault::VaultHandle;

    fn exchange() -> Arc<Exchange> {
        let reply = Err(Failure::Cancelled);
        Arc::new(Exchange::new(
            Operation::Domains,
            "GET",
            "https://x.example/",
            reply,
        ))
    }

    fn worker(location: JournalLocation, is_kept: bool) -> RequestsWorker {
        let owner = RequestOwner {
            profile: "loja".into(),
            origin: Origin("https://x".into()),
        };
        RequestsWorker::new(owner, Arc::new(location), is_kept, Wall(0))
    }

    fn close(requests: &RequestsWorker) {
        requests
            .close_queue()
            .into_iter()
            .for_each(EndingThread::wait);
    }

    #[test]
    fn queued_requests_are_stored_at_the_end() {
        let dir = tempfile::tempdir().unwrap();
        let requests = worker(
            JournalLocation::fixed(Files::new(dir.path()), VaultHandle::memory()),
            true,
        );
        (0..100).for_each(|_| requests.keep(exchange()));
        close(&requests);
        let stored = Requests::open(dir.path(), Wall(0))
            .unwrap()
            .rows(None, 1_000)
            .unwrap();
        assert_eq!((stored.len(), &*stored[0].profile), (100, "loja"));
    }

    #[test]
    fn no_file_is_made_without_a_stored_request() {
        let dir = tempfile::tempdir().unwrap();
        let fixed = || JournalLocation::fixed(Files::new(dir.path()), VaultHandle::memory());
        assert!(worker(fixed(), true).close_queue().is_none());
        let temporary = JournalLocation::fixed(Files::temporary(dir.path()), VaultHandle::memory());
        for requests in [worker(fixed(), false), worker(temporary, true)] {
            requests.keep(exchange());
            close(&requests);
        }
        assert_eq!(examine(dir.path()), Ok(None));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn switched_off_worker_deletes_earlier_requests() {
        let dir = tempfile::tempdir().unwrap();
        let fixed = || JournalLocation::fixed(Files::new(dir.path()), VaultHandle::memory());
        let temporary = JournalLocation::fixed(Files::temporary(dir.path()), VaultHandle::memory());
        for (location, is_kept, expected_count) in [
            (fixed(), true, 1),
            (temporary, false, 1),
            (fixed(), true, 2),
            (fixed(), false, 0),
            (fixed(), true, 1),
        ] {
            let requests = worker(location, is_kept);
            requests.keep(exchange());
            close(&requests);
            let stored = Requests::open(dir.path(), Wall(0))
                .unwrap()
                .rows(None, 9)
                .unwrap();
            assert_eq!(stored.len(), expected_count);
        }
    }

    #[tokio::test]
    async fn page_has_the_requests_stored_before_it() {
        let dir = tempfile::tempdir().unwrap();
        let fixed = JournalLocation::fixed(Files::new(dir.path()), VaultHandle::memory());
        let requests = worker(fixed, true);
        let query = |ticket| RequestQuery {
            ticket,
            rows: 10,
            ..RequestQuery::default()
        };
        let older = requests.page(query(Ticket(1)));
        requests.keep(exchange());
        let newer = requests.page(query(Ticket(2)));
        assert_eq!(older.await, None, "a newer query has replaced it");
        let read = newer.await.unwrap().unwrap();
        assert_eq!((read.page.total, read.is_persistent), (Some(1), true));
        let id = read.page.rows[0].id;
        assert_eq!(requests.exchange(id).await, Ok(Some((*exchange()).clone())));
        assert_eq!(requests.exchange(RowId(99)).await, Ok(None));
        close(&requests);
        let read = requests.page(query(Ticket(3))).await.unwrap();
        assert_eq!(read, Err(closed_error()));
    }

    #[tokio::test]
    async fn unusable_file_keeps_the_run_in_memory() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("requests"), "not a directory").unwrap();
        let requests = worker(
            JournalLocation::fixed(Files::new(dir.path()), VaultHandle::memory()),
            true,
        );
        requests.keep(exchange());
        let query = RequestQuery {
            rows: 10,
            ..RequestQuery::default()
        };
        let read = requests.page(query).await.unwrap().unwrap();
        assert_eq!((read.page.total, read.is_persistent), (Some(1), false));
    }
}
