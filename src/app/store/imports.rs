//! Imports: payment links that the seller creates from a file.
//!
//! The runtime reads the file and sends the lines. The app's state contains only figures and the
//! first lines of each kind, so that its size does not depend on the file.

use std::sync::Arc;

use crate::app::cx::{Cx, Question};
use crate::app::store::credentials;
use crate::app::store::notice::Notice;
use crate::app::store::sales;
use crate::app::ui::Action;
use crate::app::{Effect, Pane, Store};
use crate::batch::{BatchProgress, BatchStage, CheckReport, Figures, PauseReason};
use crate::csv_files::FileFault;
use crate::trade::amount::Unit;
use crate::trade::{
    Account, BatchId, CredentialKind, Failure, JournalTrouble, LinkRequest, Ticket, Untrusted,
};
use crate::words::Lang;

/// A task of an import for the runtime.
#[derive(Debug, Clone, PartialEq)]
pub enum ImportCommand {
    /// Read a file, and compare its links with the earlier links of the account. `unit` is the
    /// seller's answer for a column of whole numbers.
    Check {
        ticket: Ticket,
        typed: String,
        account: Account,
        unit: Option<Unit>,
    },
    /// Store the batch of the file that was checked with this ticket, and send it. The result file
    /// is written in this language.
    Begin {
        ticket: Ticket,
        sends_existing: bool,
        lang: Lang,
    },
    /// Read the newest batch of this account.
    OpenNewest(Account),
    /// Send the waiting lines of a batch.
    GoOn { batch: BatchId, lang: Lang },
    /// Stop sending, after the request in flight has ended.
    Stop,
    /// Let an unknown line wait again.
    SendAgain { batch: BatchId, line: u64 },
    /// Skip the waiting lines of a batch.
    End { batch: BatchId, lang: Lang },
    /// Copy the URLs of the created links.
    CopyUrls(BatchId),
}

/// A message of the runtime about an import.
#[derive(Debug, Clone, PartialEq)]
pub enum ImportMsg {
    /// A file was checked, or could not be.
    Checked {
        ticket: Ticket,
        result: Result<Arc<CheckedFile>, ImportFault>,
    },
    /// The batch of a checked file was stored, and its first line is sent now.
    Begun {
        ticket: Ticket,
        progress: Box<BatchProgress>,
    },
    /// The batch of a checked file could not be stored.
    NotBegun { ticket: Ticket, fault: ImportFault },
    /// The progress of the batch that is being sent, after each line and at the end. `refused` is
    /// the failure of the last line if the service did not accept the login.
    Progress {
        progress: Box<BatchProgress>,
        refused: Option<Box<Failure>>,
    },
    /// A batch that is not being sent was read; `None` if the account has none.
    Opened(Option<Box<BatchProgress>>),
    /// A command on a stored batch failed.
    Failed(ImportFault),
}

/// A file that was checked. The runtime keeps its lines under the ticket.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedFile {
    pub ticket: Ticket,
    pub account: Account,
    /// The name of the file.
    pub name: Untrusted,
    /// The path of the result file.
    pub result: Untrusted,
    pub report: CheckReport,
}

/// The reason why a file is not imported, or a batch is not sent.
#[derive(Debug, Clone, PartialEq)]
pub enum ImportFault {
    /// The system's error for the file.
    Unreadable(String),
    File(FileFault),
    /// An earlier batch of the same file is not finished.
    Unfinished(Box<BatchProgress>),
    /// The result file could not be written, for this reason.
    Result(String),
    /// The process with this id sends the batch.
    Busy(Option<u32>),
    History(JournalTrouble),
    /// The runtime no longer has the checked lines.
    Outdated,
}

/// The links that the seller is asked to confirm.
#[derive(Debug, Clone, PartialEq)]
pub struct LinksToCreate {
    /// The ticket of the checked file.
    pub ticket: Ticket,
    pub account: Account,
    pub figures: Figures,
    /// The number of faulty lines, which are left out.
    pub faults: u64,
    /// The number of links that exist already.
    pub existing: u64,
    /// True if these links are created again.
    pub sends_existing: bool,
}

/// The state of imports that screens share.
#[derive(Debug, Clone, Default)]
pub struct ImportState {
    /// The batch that is being sent, or that was read last.
    pub progress: Option<BatchProgress>,
    /// True if the seller stopped the batch, and its request in flight has not ended yet.
    pub is_stopping: bool,
    /// The checked file whose batch is being stored.
    pub beginning: Option<Ticket>,
    /// The reason why the last command failed.
    pub fault: Option<ImportFault>,
    /// True if the batch has ended, and the seller has not left its page since then.
    pub has_news: bool,
    /// True if the program ends when the batch has stopped.
    pub leaves_when_stopped: bool,
    /// The time of the boot clock at which the list of links was loaded last.
    reloaded_ms: u64,
}

/// The time between two reloads of the list of links while a batch is sent.
const RELOAD_INTERVAL_MS: u64 = 2_000;

impl ImportState {
    /// True while a batch is being sent.
    pub fn is_sending(&self) -> bool {
        self.progress
            .as_ref()
            .is_some_and(BatchProgress::is_sending)
    }

    /// True while a batch is being stored or sent.
    pub fn is_busy(&self) -> bool {
        self.beginning.is_some() || self.is_sending()
    }

    /// The batch, if it belongs to this account.
    pub fn of_account(&self, account: &Account) -> Option<&BatchProgress> {
        let progress = self.progress.as_ref();
        progress.filter(|progress| progress.batch.account == *account)
    }
}

/// Handles a message about an import, before the screens receive it.
pub fn on_message(cx: &mut Cx, msg: &ImportMsg) {
    match msg {
        ImportMsg::Progress { progress, refused } => {
            cx.store.session.note(refused.as_deref());
            on_progress(cx, progress);
        }
        ImportMsg::Begun { progress, .. } => on_progress(cx, progress),
        ImportMsg::Opened(opened) if !cx.store.imports.is_sending() => {
            cx.store.imports.progress = opened.as_deref().cloned();
            cx.store.imports.fault = None;
        }
        ImportMsg::Checked {
            result: Err(ImportFault::Unfinished(progress)),
            ..
        } if !cx.store.imports.is_sending() => {
            cx.store.imports.progress = Some((**progress).clone());
        }
        ImportMsg::NotBegun { ticket, fault } if cx.store.imports.beginning == Some(*ticket) => {
            cx.store.imports.beginning = None;
            cx.store.imports.fault = Some(fault.clone());
        }
        ImportMsg::Failed(fault) => {
            cx.store.imports.is_stopping = false;
            cx.store.imports.fault = Some(fault.clone());
        }
        _ => {}
    }
}

fn on_progress(cx: &mut Cx, progress: &BatchProgress) {
    let now_ms = cx.store.now.boot_ms;
    let imports = &mut cx.store.imports;
    (imports.beginning, imports.fault) = (None, None);
    let was_sending = imports.is_sending();
    imports.progress = Some(progress.clone());
    if progress.is_sending() {
        let is_due = now_ms.saturating_sub(imports.reloaded_ms) >= RELOAD_INTERVAL_MS;
        if is_due && cx.store.pane == Pane::Links {
            reload_links(cx);
        }
        return;
    }
    imports.is_stopping = false;
    if imports.leaves_when_stopped {
        cx.store.leaving = true;
        return cx.perform(Effect::Leave);
    }
    reload_links(cx);
    if was_sending {
        cx.store.imports.has_news = true;
        notify_end(cx.store, &progress.stage);
    }
}

/// Shows a notice that the batch has ended by itself, because another screen may be in front.
fn notify_end(store: &mut Store, stage: &BatchStage) {
    let notice = match stage {
        BatchStage::Sending | BatchStage::Stopped | BatchStage::Elsewhere => return,
        BatchStage::Finished => Notice::WithKey("said-batch-finished", Action::Import),
        BatchStage::Paused(PauseReason::Login) => Notice::warn("said-batch-login"),
        BatchStage::Paused(_) | BatchStage::Broken(_) | BatchStage::NoResult(_) => {
            Notice::WithKey("said-batch-paused", Action::Import)
        }
    };
    store.notify(notice);
}

fn reload_links(cx: &mut Cx) {
    cx.store.imports.reloaded_ms = cx.store.now.boot_ms;
    sales::reload_keeping_row::<LinkRequest>(cx);
}

/// Stops the batch that is being sent.
pub fn stop(cx: &mut Cx) {
    cx.store.imports.is_stopping = true;
    cx.perform(Effect::Import(ImportCommand::Stop));
}

/// Sends the waiting lines of the batch. If a credential is missing, opens the login instead.
pub fn go_on(cx: &mut Cx) {
    let account = cx.store.account();
    let Some(progress) = &cx.store.imports.progress else {
        return;
    };
    if progress.is_sending() || progress.batch.is_foreign || progress.counts.is_finished() {
        return;
    }
    let batch = progress.batch.clone();
    if let Some(missing) = credentials::missing_to_send(cx.store, needed(cx.store)) {
        let failure = Failure::NoCredential(missing);
        return credentials::open_credential_form(cx, missing, failure);
    }
    if batch.account != account {
        return cx.store.notify(Notice::warn("said-batch-other-account"));
    }
    let lang = cx.store.setup.lang;
    cx.perform(Effect::Import(ImportCommand::GoOn {
        batch: batch.id,
        lang,
    }));
}

/// The credential that creating links needs.
pub fn needed(store: &Store) -> Option<CredentialKind> {
    store.setup.contract.create_link.call.credential
}

/// Stores and sends the links that the seller has confirmed.
pub fn begin(cx: &mut Cx, links: &LinksToCreate) {
    cx.store.imports.beginning = Some(links.ticket);
    cx.store.imports.fault = None;
    let lang = cx.store.setup.lang;
    cx.perform(Effect::Import(ImportCommand::Begin {
        ticket: links.ticket,
        sends_existing: links.sends_existing,
        lang,
    }));
}

/// Asks whether to create the links of a checked file. If a credential is missing, opens the login
/// instead.
pub fn ask_to_create(cx: &mut Cx, links: LinksToCreate) {
    if let Some(missing) = credentials::missing_to_send(cx.store, needed(cx.store)) {
        let failure = Failure::NoCredential(missing);
        return credentials::open_credential_form(cx, missing, failure);
    }
    cx.ask(Question::CreateLinks(Box::new(links)));
}
