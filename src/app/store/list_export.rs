//! Exports of lists to files. The runtime reads all rows that a list would show, and writes them.

use crate::app::store::query_expansion::{Searched, expand};
use crate::app::store::sales;
use crate::app::{Effect, Pane, Store, Wait};
use crate::trade::withdrawal::Window;
use crate::trade::{
    ChargeRequest, Clocks, IdempotencyKey, JournalTrouble, LinkRequest, Search, Ticket, Untrusted,
};
use crate::words::Lang;

/// A list that can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    Links,
    Charges,
    Withdrawals,
}

impl ListKind {
    /// The pane that shows the list.
    pub fn pane(self) -> Pane {
        match self {
            ListKind::Links => Pane::Links,
            ListKind::Charges => Pane::Charges,
            ListKind::Withdrawals => Pane::Withdrawals,
        }
    }
}

/// The format of an exported file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// CSV for a spreadsheet.
    Csv,
    /// A JSON object on each line.
    Json,
}

/// An export of a list, for the runtime.
#[derive(Debug, Clone, PartialEq)]
pub struct ListExport {
    pub ticket: Ticket,
    pub rows: ExportedRows,
    pub format: FileFormat,
    /// True if personal data is masked.
    pub is_masked: bool,
    /// The name of the file, without an extension.
    pub name: String,
    /// The language of the headings.
    pub lang: Lang,
}

/// The rows to export, which the search of a list finds.
#[derive(Debug, Clone, PartialEq)]
pub enum ExportedRows {
    Links(Search),
    Charges(Search),
    Withdrawals(Search, StateFacts),
}

/// The facts that decide the state of an open withdrawal, as the screen knows them.
#[derive(Debug, Clone, PartialEq)]
pub struct StateFacts {
    pub now: Clocks,
    pub window: Window,
    /// The withdrawals that are being sent.
    pub in_flight: Vec<IdempotencyKey>,
}

/// A file to which a list was exported.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportedFile {
    pub path: Untrusted,
    pub rows: u64,
    /// The number of links that the search finds, but that are not in the list, because the seller
    /// has put them away.
    pub put_away: u64,
}

/// The reason why a list was not exported.
#[derive(Debug, Clone, PartialEq)]
pub enum ExportFault {
    /// The file could not be written, for this reason given by the operating system.
    File(String),
    History(JournalTrouble),
    /// The journal of withdrawals could not be read.
    Journal(JournalTrouble),
}

/// Begins to export a list with its search and filters.
pub fn begin(
    store: &mut Store,
    list: ListKind,
    format: FileFormat,
    is_masked: bool,
) -> (Wait, Effect) {
    let wait = store.wait();
    let rows = match list {
        ListKind::Links => ExportedRows::Links(sales::search::<LinkRequest>(store)),
        ListKind::Charges => ExportedRows::Charges(sales::search::<ChargeRequest>(store)),
        ListKind::Withdrawals => {
            let query = store.withdrawals.list.query.value();
            let search = expand(store, Searched::Withdrawals, query);
            ExportedRows::Withdrawals(search, state_facts(store))
        }
    };
    let export = ListExport {
        ticket: wait.ticket,
        rows,
        format,
        is_masked,
        name: file_name(store, list),
        lang: store.setup.lang,
    };
    (wait, Effect::ExportList(Box::new(export)))
}

fn state_facts(store: &Store) -> StateFacts {
    let withdrawals = &store.withdrawals;
    let elsewhere = withdrawals.sent_elsewhere.iter().copied();
    StateFacts {
        now: store.now.clone(),
        window: store.setup.window.clone(),
        in_flight: withdrawals.in_flight.into_iter().chain(elsewhere).collect(),
    }
}

/// The name of the file without an extension: the list, and today's date.
fn file_name(store: &Store, list: ListKind) -> String {
    let name = store.text(match list {
        ListKind::Links => "export-file-links",
        ListKind::Charges => "export-file-charges",
        ListKind::Withdrawals => "export-file-withdrawals",
    });
    let today = store.now.wall.rfc3339(store.setup.utc_offset_s);
    match today.as_deref().and_then(|today| today.get(..10)) {
        Some(date) => format!("{name}-{date}"),
        None => name,
    }
}
