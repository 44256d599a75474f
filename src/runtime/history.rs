//! A thread that stores and searches the history of payment links and direct payments.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::inbox::Inbox;
use super::journal_location::JournalLocation;
use super::watch::ChangeNotifier;
use crate::app::Msg;
use crate::app::ui::list::PageRequest;
use crate::journal::history::{self, History, SaleTable};
use crate::journal::money::Files;
use crate::trade::{JournalTrouble, LostHistory, SaleOf, SaleRequest, SalesPage, Wall};
use crate::worker::{Job, WorkerHandle};

/// The opened history, or the problem that prevented opening it.
pub type HistoryResult = Result<History, JournalTrouble>;

/// A handle to the thread that owns the history.
pub type HistoryWorker = WorkerHandle<Job<HistoryResult>>;

/// Runs a job on the history's thread and returns its result.
///
/// # Errors
///
/// Also returns an error if the history is not open, or if the thread does not answer.
pub async fn in_history<R: Send + 'static>(
    history: &HistoryWorker,
    job: impl FnOnce(&mut History) -> Result<R, JournalTrouble> + Send + 'static,
) -> Result<R, JournalTrouble> {
    let on_thread = |opened: &mut HistoryResult| match opened {
        Ok(history) => job(history),
        Err(trouble) => Err(trouble.clone()),
    };
    let result = history.call(on_thread).await;
    result.unwrap_or_else(|| Err(closed_error()))
}

/// The error of a history whose thread does not answer.
pub fn closed_error() -> JournalTrouble {
    JournalTrouble::Io("the history does not answer".into())
}

/// The maximum number of queued jobs.
const QUEUE: usize = 256;

/// A function that fills the empty history of a demo with example data.
pub type SeedHistory = Box<dyn FnOnce(&mut History) -> Result<(), JournalTrouble> + Send + Sync>;

/// Starts the history thread. `seed`, if given, fills an empty history.
///
/// A damaged history file is moved aside. As long as it is kept there, a message reports that its
/// rows are missing from the lists. If there is no history although there is a journal, a message
/// reports that, too. The history of a team's member is shared with the team from then on.
pub fn open(
    location: Arc<JournalLocation>,
    now: Wall,
    seed: Option<SeedHistory>,
    inbox: Inbox,
) -> HistoryWorker {
    WorkerHandle::with_owned("history", QUEUE, move || {
        let files = find_files(&location, &inbox)?;
        let mut history = if files.is_temporary() {
            History::open_temporary(files.dir())?
        } else {
            open_kept(files.dir(), now, &inbox)?
        };
        if let Some(mirror) = location.team_mirror() {
            history.share(&mirror.author())?;
        }
        if let Some(seed) = seed
            && history.is_empty()?
        {
            seed(&mut history)?;
        }
        Ok(history)
    })
}

/// Opens the history, and sends a message if it lacks the rows of an earlier one.
fn open_kept(dir: &Path, now: Wall, inbox: &Inbox) -> HistoryResult {
    let is_missing = history::is_missing(dir, now);
    let (opened, moved) = History::open(dir, now)?;
    let is_new = moved.is_some();
    let moved = moved.map(|moved| moved.new_path);
    let moved = moved.or_else(|| {
        let earlier = history::list_renamed_files(dir).pop();
        earlier.map(|name| dir.join(name))
    });
    let lost = match moved {
        Some(path) => Some(LostHistory::Aside(path.display().to_string().into())),
        None => is_missing.then_some(LostHistory::Missing),
    };
    if let Some(lost) = lost {
        inbox.send_blocking(Msg::HistoryLost { lost, is_new });
    }
    Ok(opened)
}

/// The files of the journal beside the history. Blocks, so it must not be called on a thread that
/// runs async tasks.
fn find_files(location: &JournalLocation, inbox: &Inbox) -> Result<Files, JournalTrouble> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| JournalTrouble::Io(error.to_string()))?;
    runtime.block_on(location.resolve(inbox))
}

/// The pauses before the three checks for new rows, after the history file has changed. One check
/// is not enough: new rows become readable only a moment after SQLite writes the file.
const CHECK_PAUSES: [Duration; 3] = [
    Duration::ZERO,
    Duration::from_millis(50),
    Duration::from_millis(500),
];

/// Sends a message whenever another process has changed the history. Also notifies the task that
/// shares the history after every change. Runs until the task is aborted.
pub async fn report_changes(history: HistoryWorker, changes: Arc<ChangeNotifier>, inbox: Inbox) {
    loop {
        changes.history.notified().await;
        for pause in CHECK_PAUSES {
            tokio::time::sleep(pause).await;
            // Ignore an error here, because loading the history's rows reports it too.
            let is_changed = history
                .call(|opened| opened.as_mut().ok()?.changed_elsewhere().ok())
                .await;
            if is_changed.flatten() == Some(true) {
                inbox.send(Msg::HistoryChanged).await;
            }
            changes.unshared.notify_one();
        }
    }
}

/// Reads a page of payment links or direct payments. The totals are included only if they need not
/// be counted.
pub fn sales<R: SaleTable>(
    history: &mut History,
    request: &PageRequest,
    clock: (Wall, i32),
) -> Result<SalesPage<R>, JournalTrouble> {
    let page = history.sales(request.search.clone(), request.place, request.rows)?;
    if !R::HAS_SUMS && !request.search.is_narrowed() {
        return Ok(page.into());
    }
    let has_cached_totals = history.has_cached_totals::<R>(&request.search)?;
    let days = local_days(&page.rows, clock.1);
    let totals = has_cached_totals
        .then(|| history.totals::<R>(&request.search, &days, clock))
        .transpose()?;
    Ok(SalesPage { page, totals })
}

/// The local days on which these rows were created. Consecutive rows of one day result in a single
/// entry.
pub fn local_days<R: SaleRequest>(sales: &[SaleOf<R>], utc_offset_s: i32) -> Vec<[Wall; 2]> {
    let mut days: Vec<_> = sales
        .iter()
        .map(|sale| sale.at.local_day(utc_offset_s))
        .collect();
    days.dedup();
    days.into_iter()
        .map(|day| Wall::span_of_local_day(day, utc_offset_s))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::{Account, LinkRequest, Money, Origin};

    #[tokio::test]
    async fn write_visible_after_notification_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().to_owned();
        let opened = move || Ok(History::open(&dir, Wall(0))?.0);
        let history = HistoryWorker::with_owned("history", QUEUE, opened);
        let changes = Arc::new(ChangeNotifier::default());
        let (sender, mut inbox) = tokio::sync::mpsc::channel(8);
        let future = report_changes(history.clone(), Arc::clone(&changes), Inbox::new(sender));
        let task = tokio::spawn(future);
        changes.history.notify_one();
        tokio::task::yield_now().await;
        // The task has already queued its first check for changes. When this job is done, the check
        // has run and has found no change.
        history.call(|opened| assert!(opened.is_ok())).await;
        assert!(inbox.try_recv().is_err());
        let mut other = History::open(folder.path(), Wall(0)).unwrap().0;
        let account = Account {
            origin: Origin("x".into()),
            identity: "a".into(),
        };
        let amount = Money::ZERO;
        let link = LinkRequest {
            account,
            amount,
            description: "Boné".into(),
            domain: None,
        };
        other.begin(&link, Wall(0)).unwrap();
        let msg = tokio::time::timeout(Duration::from_secs(30), inbox.recv()).await;
        assert!(matches!(msg, Ok(Some(Msg::HistoryChanged))), "{msg:?}");
        task.abort();
    }
}
