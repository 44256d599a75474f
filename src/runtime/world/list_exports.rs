//! Writes lists to files. The rows that a search finds are read and written in batches, so a long
//! list needs little memory, and no other work waits long for the history.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use tokio::task::spawn_blocking;

use super::nicknames::add_destinations;
use super::payments::count_totals;
use super::{Stores, WorldContext};
use crate::app::Msg;
use crate::app::store::list_export::{
    ExportFault, ExportedFile, ExportedRows, FileFormat, ListExport, StateFacts,
};
use crate::journal::history::{History, SaleTable};
use crate::journal::money::{Files, MoneyJournal};
use crate::rows::csv::{self, CsvRows};
use crate::rows::json_line::{self, SellerTexts, charge_json, link_json, withdrawal_json};
use crate::rows::row_mask::masked_row;
use crate::runtime::history::{closed_error, in_history};
use crate::runtime::newest::Newest;
use crate::runtime::receipt_files::NewFile;
use crate::trade::{
    ChargeRequest, IdempotencyKey, JournalTrouble, LinkRequest, RowId, SaleOf, Search, Withdrawal,
};
use crate::words::Catalogue;

/// The number of rows that are read and written at once. It is low in tests, to test several
/// batches.
const ROWS_PER_BATCH: usize = if cfg!(test) { 2 } else { 500 };

/// Exports a list.
pub async fn export(context: Arc<WorldContext>, export: Box<ListExport>) -> Msg {
    let ticket = export.ticket;
    let result = write(&context, *export).await;
    Msg::ListExported { ticket, result }
}

async fn write(context: &WorldContext, export: ListExport) -> Result<ExportedFile, ExportFault> {
    let columns = match export.rows {
        ExportedRows::Links(_) => csv::LINKS,
        ExportedRows::Charges(_) => csv::CHARGES,
        ExportedRows::Withdrawals(..) => csv::WITHDRAWALS,
    };
    let csv = (export.format == FileFormat::Csv).then(|| CsvRows {
        words: Catalogue::of(export.lang),
        columns,
        utc_offset_s: context.setup.utc_offset_s,
    });
    let is_masked = export.is_masked;
    let mut file = ListFile::begin(context.setup.receipts_dir.clone(), csv, is_masked).await?;
    let mut put_away = 0;
    match export.rows {
        ExportedRows::Links(search) => {
            put_away = count_put_away(context, &search).await?;
            file = add_sales::<LinkRequest>(context, file, search, link_json).await?;
        }
        ExportedRows::Charges(search) => {
            file = add_sales::<ChargeRequest>(context, file, search, charge_json).await?;
        }
        ExportedRows::Withdrawals(search, facts) => {
            file = add_withdrawals(context, file, search, &facts).await?;
        }
    }
    let rows = file.rows;
    let path = file.keep(export.name).await?;
    Ok(ExportedFile {
        path: path.display().to_string().into(),
        rows,
        put_away,
    })
}

/// The file of a list, while it is being written.
struct ListFile {
    dir: PathBuf,
    file: NewFile,
    /// How rows are written as CSV; `None` for JSON.
    csv: Option<CsvRows>,
    is_masked: bool,
    /// The number of written rows.
    rows: u64,
}

impl ListFile {
    async fn begin(
        dir: PathBuf,
        csv: Option<CsvRows>,
        is_masked: bool,
    ) -> Result<ListFile, ExportFault> {
        on_disk(move || {
            let dir = std::path::absolute(dir)?;
            let mut file = NewFile::begin(&dir)?;
            if let Some(csv) = csv {
                file.write(&csv.heading()?)?;
            }
            Ok(ListFile {
                dir,
                file,
                csv,
                is_masked,
                rows: 0,
            })
        })
        .await
    }

    /// Writes rows, which are in JSON and not masked.
    async fn add(mut self, rows: Vec<Value>) -> Result<ListFile, ExportFault> {
        on_disk(move || {
            self.rows += rows.len() as u64;
            let rows: Vec<Value> = if self.is_masked {
                rows.into_iter().map(masked_row).collect()
            } else {
                rows
            };
            let bytes = match self.csv {
                Some(csv) => csv.lines(&rows)?,
                None => rows
                    .iter()
                    .map(|row| json_line::to_line(row) + "\n")
                    .collect::<String>()
                    .into_bytes(),
            };
            self.file.write(&bytes)?;
            Ok(self)
        })
        .await
    }

    /// Gives the complete file its name. Returns its path.
    async fn keep(self, name: String) -> Result<PathBuf, ExportFault> {
        let extension = if self.csv.is_some() { "csv" } else { "jsonl" };
        on_disk(move || self.file.keep(&self.dir, (&name, extension))).await
    }
}

/// Runs work on files, which may block.
async fn on_disk<R: Send + 'static>(
    work: impl FnOnce() -> io::Result<R> + Send + 'static,
) -> Result<R, ExportFault> {
    let result = spawn_blocking(work).await;
    let result = result.unwrap_or_else(|error| Err(error.into()));
    result.map_err(|error| ExportFault::File(error.to_string()))
}

/// Runs a query in the history. Any other job for the history interrupts it, and it starts again.
async fn in_background<R: Send + 'static>(
    stores: &Stores,
    query: impl Fn(&mut History) -> Result<R, JournalTrouble> + Send + Sync + 'static,
) -> Result<R, ExportFault> {
    // No other query replaces this one, so the slot is its own.
    let slot = Arc::<Newest<()>>::default();
    let number = slot.begin();
    let result = count_totals(stores, &slot, number, query).await;
    result
        .unwrap_or_else(|| Err(closed_error()))
        .map_err(ExportFault::History)
}

/// The number of put-away links that the search finds but the list does not show.
async fn count_put_away(context: &WorldContext, search: &Search) -> Result<u64, ExportFault> {
    if search.filter.put_away {
        return Ok(0);
    }
    let search = search.clone();
    in_background(&context.stores, move |history| {
        history.count_put_away(&search)
    })
    .await
}

/// Writes all payment links or direct payments that a search finds.
async fn add_sales<R: SaleTable>(
    context: &WorldContext,
    mut file: ListFile,
    search: Search,
    to_json: fn(&SaleOf<R>) -> Value,
) -> Result<ListFile, ExportFault> {
    let search = Arc::new(search);
    let mut below = RowId(i64::MAX);
    loop {
        let search = search.clone();
        let rows = in_background(&context.stores, move |history| {
            history.sales_below::<R>(&search, below, ROWS_PER_BATCH as u64)
        });
        let rows = rows.await?;
        let Some(last) = rows.last() else {
            return Ok(file);
        };
        below = last.id;
        file = file.add(rows.iter().map(to_json).collect()).await?;
    }
}

/// Writes all withdrawals that a search finds, in the order of the list. The journal is opened once
/// more, only for reading, so that withdrawals are sent meanwhile as usual.
async fn add_withdrawals(
    context: &WorldContext,
    mut file: ListFile,
    search: Search,
    facts: &StateFacts,
) -> Result<ListFile, ExportFault> {
    let search = with_nicknames(context, search).await;
    let files = context.stores.money.location().proven_files().await;
    let opened = in_journal(move || open_journal(&files, &search)).await?;
    let Some((mut journal, keys)) = opened else {
        return Ok(file);
    };
    for batch in keys.chunks(ROWS_PER_BATCH) {
        let batch = batch.to_vec();
        let read = in_journal(move || {
            let withdrawals = journal.withdrawals(&batch)?;
            Ok((journal, withdrawals))
        });
        let withdrawals;
        (journal, withdrawals) = read.await?;
        let rows = withdrawal_rows(context, file.is_masked, &withdrawals, facts).await;
        file = file.add(rows).await?;
    }
    Ok(file)
}

/// Adds the Pix keys with a matching nickname. Ignores errors of the history, as the list does.
async fn with_nicknames(context: &WorldContext, search: Search) -> Search {
    let plain = search.clone();
    let found = in_history(&context.stores.history, move |history| {
        add_destinations(history, search)
    });
    found.await.unwrap_or(plain)
}

/// Runs work on the journal of withdrawals, which may block.
async fn in_journal<R: Send + 'static>(
    work: impl FnOnce() -> Result<R, JournalTrouble> + Send + 'static,
) -> Result<R, ExportFault> {
    let result = spawn_blocking(work).await;
    let result = result.unwrap_or_else(|error| Err(JournalTrouble::Io(error.to_string())));
    result.map_err(ExportFault::Journal)
}

/// Opens the journal for reading, and finds the keys of the withdrawals. Returns `None` if there is
/// no journal yet.
fn open_journal(
    files: &Files,
    search: &Search,
) -> Result<Option<(MoneyJournal, Vec<IdempotencyKey>)>, JournalTrouble> {
    if !files.journal_exists() {
        return Ok(None);
    }
    let write_error = JournalTrouble::Io("an export only reads".into());
    let mut journal = MoneyJournal::open_to_read(files, write_error)?.journal;
    let keys = journal.find(search)?;
    Ok(Some((journal, keys)))
}

async fn withdrawal_rows(
    context: &WorldContext,
    is_masked: bool,
    withdrawals: &[Withdrawal],
    facts: &StateFacts,
) -> Vec<Value> {
    let destinations = withdrawals.iter().filter_map(|withdrawal| {
        let agreement = &withdrawal.agreement;
        Some((agreement.account.clone(), agreement.destination.clone()?))
    });
    let destinations: Vec<_> = destinations.collect();
    let nicknames = in_history(&context.stores.history, move |history| {
        history.nicknames_of(destinations)
    });
    // The rows make sense without nicknames.
    let nicknames = nicknames.await.unwrap_or_default();
    let contract = context.contract.current();
    let rows = withdrawals.iter().map(|withdrawal| {
        let agreement = &withdrawal.agreement;
        let nickname = agreement
            .destination
            .as_ref()
            .and_then(|key| nicknames.of(&agreement.account, key));
        let texts = SellerTexts {
            nickname: nickname.map(|name| name.as_str().to_owned()),
            description: contract.withdrawal_description(&agreement.body),
        };
        let is_in_flight = facts.in_flight.contains(&agreement.key);
        let state = withdrawal.state(&facts.now, &facts.window, is_in_flight);
        withdrawal_json(is_masked, withdrawal, &state, &texts)
    });
    rows.collect()
}
