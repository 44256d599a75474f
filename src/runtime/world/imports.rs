//! Imports of payment links from a file, in the app: checks files, and sends
//! batches in the background.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use super::payments::Caller;
use super::{RealWorld, WorldContext};
use crate::app::Msg;
use crate::app::store::clip::{Clip, CopyTrouble};
use crate::app::store::imports::{CheckedFile, ImportCommand, ImportFault, ImportMsg};
use crate::batch::{BatchCheck, BatchProgress, BatchStage, MAX_FAILED_LINES, MAX_PER_SECOND};
use crate::journal::history::{History, TakenLine};
use crate::locked::Locked;
use crate::runtime::batch_sender::{Ending, SentLine};
use crate::runtime::batches::{self, BatchRun, BeginFault, NewBatch, ReadFault, RunFault};
use crate::runtime::clipboard;
use crate::runtime::clocks;
use crate::runtime::history::in_history;
use crate::runtime::team::TeamPresence;
use crate::runtime::typed_path::typed_path;
use crate::service::Service;
use crate::trade::amount::Unit;
use crate::trade::{
    Account, Batch, BatchId, CreatedLink, CredentialKind, FailedLine, Failure, JournalTrouble,
    LineState, Operation, RowId, Ticket, Untrusted,
};
use crate::words::{Catalogue, Lang, batch as batch_words};

/// The file that was checked last, and the batch that is being sent.
#[derive(Default)]
pub struct Imports {
    checked: Locked<Option<Checked>>,
    /// Dropping the sender stops the batch.
    running: Locked<Option<oneshot::Sender<()>>>,
}

/// A checked file, which waits for the seller's confirmation.
struct Checked {
    ticket: Ticket,
    account: Account,
    file: PathBuf,
    result: PathBuf,
    check: BatchCheck,
}

impl Imports {
    /// Drops the lines of the file that was checked with this ticket, if it still waits.
    pub fn forget(&self, ticket: Ticket) {
        self.checked
            .lock()
            .take_if(|checked| checked.ticket == ticket);
    }
}

impl RealWorld {
    /// Performs a task of an import.
    pub(super) fn import(&mut self, command: ImportCommand) {
        use ImportCommand::*;
        match command {
            Check {
                ticket,
                typed,
                account,
                unit,
            } => self.spawn(Some(ticket), |cx| check(cx, ticket, typed, (account, unit))),
            Begin {
                ticket,
                sends_existing,
                lang,
            } => self.spawn(None, |cx| begin(cx, ticket, sends_existing, lang)),
            OpenNewest(account) => self.spawn(None, |cx| open_newest(cx, account)),
            GoOn { batch, lang } => self.spawn(None, |cx| go_on(cx, batch, lang)),
            Stop => drop(self.context.imports.running.lock().take()),
            SendAgain { batch, line } => self.spawn(None, |cx| send_again(cx, batch, line)),
            End { batch, lang } => self.spawn(None, |cx| end(cx, batch, lang)),
            CopyUrls(batch) => self.spawn(None, |cx| copy_urls(cx, batch)),
        }
    }
}

/// Reads a file, and compares its links with earlier links. Keeps the lines until the seller
/// confirms them.
async fn check(
    context: Arc<WorldContext>,
    ticket: Ticket,
    typed: String,
    (account, unit): (Account, Option<Unit>),
) -> Msg {
    let result = checked_file(&context, ticket, typed, (account, unit)).await;
    Msg::Import(ImportMsg::Checked { ticket, result })
}

async fn checked_file(
    context: &WorldContext,
    ticket: Ticket,
    typed: String,
    (account, unit): (Account, Option<Unit>),
) -> Result<Arc<CheckedFile>, ImportFault> {
    let read = spawn_blocking(move || {
        let path = batches::absolute_path(&typed_path(&typed))?;
        let file = batches::read_file(&path, unit)?;
        let result = batches::free_result_path(&path);
        Ok::<_, ReadFault>((path, file, result))
    });
    let read = read.await;
    let read = read.map_err(|error| ImportFault::Unreadable(error.to_string()))?;
    let (path, file, result) = read.map_err(|fault| match fault {
        ReadFault::System(error) => ImportFault::Unreadable(error.to_string()),
        ReadFault::File(fault) => ImportFault::File(fault),
    })?;
    let now = context.setup.clock.now().wall;
    let owner = account.clone();
    let file_path = path.clone();
    let checked = in_history(&context.stores.history, move |history| {
        if let Some((batch, _)) = batches::unfinished(history, &owner, &file_path)? {
            return Ok(Err(at_rest(history, batch)?));
        }
        batches::check(Some(history), file, &owner, now).map(Ok)
    });
    let checked = checked.await.map_err(ImportFault::History)?;
    let check = checked.map_err(|progress| ImportFault::Unfinished(Box::new(progress)))?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let found = CheckedFile {
        ticket,
        account: account.clone(),
        name: name.to_string_lossy().into_owned().into(),
        result: result.display().to_string().into(),
        report: check.report(),
    };
    *context.imports.checked.lock() = Some(Checked {
        ticket,
        account,
        file: path,
        result,
        check,
    });
    Ok(Arc::new(found))
}

/// The progress of a stored batch that is not being sent.
fn at_rest(history: &History, batch: Batch) -> Result<BatchProgress, JournalTrouble> {
    let counts = history.batch_counts(batch.id)?;
    let failed = history.failed_lines(batch.id, MAX_FAILED_LINES)?;
    Ok(BatchProgress::at_rest(Arc::new(batch), counts, failed))
}

/// Stores the batch of a checked file, and sends it.
async fn begin(
    context: Arc<WorldContext>,
    ticket: Ticket,
    sends_existing: bool,
    lang: Lang,
) -> Option<Msg> {
    let not_begun = |fault| Some(Msg::Import(ImportMsg::NotBegun { ticket, fault }));
    let checked = context.imports.checked.lock().take();
    let Some(checked) = checked.filter(|checked| checked.ticket == ticket) else {
        return not_begun(ImportFault::Outdated);
    };
    let now = context.setup.clock.now().wall;
    let local_now = (now, context.setup.utc_offset_s);
    let words = Catalogue::of(lang);
    let stored = in_history(&context.stores.history, move |history| {
        let new = NewBatch {
            account: &checked.account,
            file: &checked.file,
            result: &checked.result,
            sends_existing,
        };
        let describe = |skip| batch_words::skip(words, skip, local_now);
        let begun = new.begin(history, checked.check, describe, now);
        Ok(match begun {
            Ok(batch) => Ok(at_rest(history, batch)?),
            Err(fault) => Err(fault),
        })
    });
    let progress = match stored.await {
        Ok(Ok(progress)) => progress,
        Ok(Err(BeginFault::ResultExists)) => return not_begun(ImportFault::Outdated),
        Ok(Err(BeginFault::Result(error))) => {
            return not_begun(ImportFault::Result(error.to_string()));
        }
        Ok(Err(BeginFault::History(trouble))) | Err(trouble) => {
            return not_begun(ImportFault::History(trouble));
        }
    };
    send(&context, progress, words, Some(ticket)).await
}

async fn open_newest(context: Arc<WorldContext>, account: Account) -> Msg {
    let newest = in_history(&context.stores.history, move |history| {
        let newest = history.newest_batch_of(&account)?;
        newest.map(|batch| at_rest(history, batch)).transpose()
    });
    opened(newest.await)
}

fn opened(result: Result<Option<BatchProgress>, JournalTrouble>) -> Msg {
    Msg::Import(match result {
        Ok(progress) => ImportMsg::Opened(progress.map(Box::new)),
        Err(trouble) => ImportMsg::Failed(ImportFault::History(trouble)),
    })
}

/// Reads a batch.
async fn stored(
    context: &WorldContext,
    id: BatchId,
) -> Result<Option<BatchProgress>, JournalTrouble> {
    in_history(&context.stores.history, move |history| {
        let batch = history.batch(id)?;
        batch.map(|batch| at_rest(history, batch)).transpose()
    })
    .await
}

async fn send_again(context: Arc<WorldContext>, id: BatchId, line: u64) -> Msg {
    let change = move |history: &mut History| history.send_line_again(id, line);
    match in_history(&context.stores.history, change).await {
        Ok(_) => opened(stored(&context, id).await),
        Err(trouble) => opened(Err(trouble)),
    }
}

/// Skips the waiting lines of a batch, and writes its result file for the last time.
async fn end(context: Arc<WorldContext>, id: BatchId, lang: Lang) -> Msg {
    let words = Catalogue::of(lang);
    if let Ok(Some(progress)) = stored(&context, id).await
        && !progress.batch.is_foreign
    {
        let run = run(&context, &progress, words).await;
        if let Err(fault) = run.end(words.text("batch-ended")).await {
            return Msg::Import(ImportMsg::Failed(run_fault(fault)));
        }
    }
    opened(stored(&context, id).await)
}

/// Sends the waiting lines of a stored batch. Another machine's batch is only shown: its paths are
/// those of that machine.
async fn go_on(context: Arc<WorldContext>, id: BatchId, lang: Lang) -> Option<Msg> {
    match stored(&context, id).await {
        Ok(Some(progress)) if !progress.batch.is_foreign => {
            send(&context, progress, Catalogue::of(lang), None).await
        }
        result => Some(opened(result)),
    }
}

async fn run(
    context: &WorldContext,
    progress: &BatchProgress,
    words: &'static Catalogue,
) -> BatchRun {
    BatchRun {
        history: context.stores.history.clone(),
        dir: context.setup.journal.proven_files().await.dir().to_owned(),
        batch: (*progress.batch).clone(),
        per_second: MAX_PER_SECOND,
        words,
        team: context
            .setup
            .journal
            .team_mirror()
            .map(|mirror| TeamPresence::new(mirror.presence())),
    }
}

fn run_fault(fault: RunFault) -> ImportFault {
    match fault {
        RunFault::Busy(process) => ImportFault::Busy(process),
        RunFault::History(trouble) => ImportFault::History(trouble),
        RunFault::Result(error) => ImportFault::Result(error.to_string()),
    }
}

/// Sends the waiting lines of a batch, and reports its progress. `begun` is the ticket of the
/// checked file if the batch is new. Sends nothing if a batch is being sent already.
async fn send(
    context: &WorldContext,
    mut progress: BatchProgress,
    words: &'static Catalogue,
    begun: Option<Ticket>,
) -> Option<Msg> {
    let (stopper, stopped) = oneshot::channel();
    {
        let mut running = context.imports.running.lock();
        if running.as_ref().is_some_and(|stopper| !stopper.is_closed()) {
            let busy = ImportFault::Busy(Some(std::process::id()));
            let not_begun = |ticket| ImportMsg::NotBegun {
                ticket,
                fault: busy,
            };
            return begun.map(not_begun).map(Msg::Import);
        }
        *running = Some(stopper);
    }
    progress.stage = BatchStage::Sending;
    context.inbox.send(started(&progress, begun)).await;
    let run = run(context, &progress, words).await;
    let sender = LineSender::new(context, progress.batch.account.clone());
    let began = clocks::instant();
    let mut refused = None;
    let report = |line: SentLine| {
        let elapsed = clocks::instant().saturating_duration_since(began);
        refused = line.failure.clone().filter(is_about_login).map(Box::new);
        add(&mut progress, line, elapsed);
        context.inbox.post(progress_msg(&progress, None));
    };
    let stop = async { _ = stopped.await };
    let ending = run.send(|line| sender.create(line), stop, report).await;
    progress.stage = match ending {
        Ok(Ending::Finished) => BatchStage::Finished,
        Ok(Ending::Stopped) => BatchStage::Stopped,
        Ok(Ending::Paused(reason)) => BatchStage::Paused(reason),
        Err(RunFault::History(trouble)) => BatchStage::Broken(trouble),
        Err(RunFault::Result(error)) => BatchStage::NoResult(error.to_string()),
        Err(fault @ RunFault::Busy(_)) => {
            progress.stage = BatchStage::Stopped;
            context.inbox.send(progress_msg(&progress, None)).await;
            return Some(Msg::Import(ImportMsg::Failed(run_fault(fault))));
        }
    };
    if let Ok(Some(stored)) = stored(context, progress.batch.id).await {
        (progress.counts, progress.failed) = (stored.counts, stored.failed);
    }
    Some(progress_msg(&progress, refused))
}

fn started(progress: &BatchProgress, begun: Option<Ticket>) -> Msg {
    match begun {
        Some(ticket) => Msg::Import(ImportMsg::Begun {
            ticket,
            progress: Box::new(progress.clone()),
        }),
        None => progress_msg(progress, None),
    }
}

fn progress_msg(progress: &BatchProgress, refused: Option<Box<Failure>>) -> Msg {
    Msg::Import(ImportMsg::Progress {
        progress: Box::new(progress.clone()),
        refused,
    })
}

fn is_about_login(failure: &Failure) -> bool {
    matches!(failure, Failure::Unauthorized { .. })
}

fn add(progress: &mut BatchProgress, line: SentLine, elapsed: Duration) {
    let is_failed = matches!(line.state, LineState::Refused | LineState::Unknown);
    let failed = is_failed.then_some(FailedLine {
        number: line.number,
        amount: line.request.amount,
        description: line.request.description,
        state: line.state,
        reason: line.reason,
    });
    progress.add(line.state, failed, elapsed);
}

/// Sends the requests of one batch, and records them.
pub(super) struct LineSender<'w> {
    context: &'w WorldContext,
    /// The account of the batch. No other login sends its lines.
    account: Account,
    /// The login of the credential that signed the first request. No other one signs a later one.
    signer: OnceLock<Arc<str>>,
    /// The rows of the successful requests that are kept.
    kept: Arc<Locked<VecDeque<RowId>>>,
}

impl<'w> LineSender<'w> {
    pub(super) fn new(context: &'w WorldContext, account: Account) -> LineSender<'w> {
        LineSender {
            context,
            account,
            signer: OnceLock::new(),
            kept: Arc::default(),
        }
    }

    pub(super) async fn create(&self, line: TakenLine) -> Result<CreatedLink, Failure> {
        let operation = Operation::CreateLink;
        let caller = Caller::of(self.context, self.service(), operation).await?;
        let signer = self.signer.get_or_init(|| caller.identity().clone());
        let is_same = signer == caller.identity();
        if !is_same || self.identity().await.as_ref() != Some(&self.account.identity) {
            return Err(Failure::NoCredential(caller.kind()));
        }
        let mut result = caller.create_link(line.row, &line.request).await;
        let failure = result.as_mut().err();
        caller
            .end_trial(self.context, Ticket::default(), failure)
            .await;
        result
    }

    /// The client of the service, which records the requests of this batch.
    fn service(&self) -> Service {
        let requests = self.context.stores.requests.clone();
        let kept = self.kept.clone();
        let log = self.context.setup.log.clone();
        let record = move |exchange| {
            log.write_exchange(&exchange);
            requests.keep_of_batch(Arc::new(exchange), kept.clone());
        };
        self.context.service().with_tracer(Arc::new(record))
    }

    /// The name of the account that is logged in, as the app names it.
    async fn identity(&self) -> Option<Arc<str>> {
        for kind in [CredentialKind::ApiToken, CredentialKind::Jwt] {
            let vault = self.context.vault.now();
            if let Ok(Some(stored)) = vault.get(self.context.vault.name(kind)).await {
                return Some(stored.identity.clone());
            }
        }
        None
    }
}

/// Copies the URLs of the created links, one in each line. Refuses a URL that the app would not
/// copy, and texts that are too long for a clipboard.
async fn copy_urls(context: Arc<WorldContext>, id: BatchId) -> Msg {
    let max = clipboard::MAX_BYTES;
    let urls = in_history(&context.stores.history, move |history| {
        history.batch_urls(id, max)
    });
    let urls = match urls.await {
        Ok(urls) => urls,
        Err(trouble) => return Msg::Import(ImportMsg::Failed(ImportFault::History(trouble))),
    };
    let result = match urls.iter().find_map(CopyTrouble::of) {
        Some(trouble) => Err(trouble),
        None => {
            let urls: Vec<_> = urls.iter().map(Untrusted::raw).collect();
            let to_terminal = &context.setup.to_terminal;
            let text = urls.join("\n");
            let copied = context.clipboard.copy(&text, |bytes| to_terminal(bytes));
            copied.await
        }
    };
    Msg::Copied(Clip::BatchAddresses, result)
}
