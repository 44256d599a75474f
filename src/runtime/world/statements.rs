//! Compares bank statements with the stored sales and withdrawals, and stores the accepted marks.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::WorldContext;
use crate::app::Msg;
use crate::runtime::history::in_history;
use crate::runtime::reconcile::{self, StoredSales};
use crate::runtime::typed_path::typed_path;
use crate::statement::reconciliation::{ReconcileFault, Reconciliation};
use crate::trade::{JournalTrouble, StatementMarks, Ticket, Untrusted};

/// The maximum time to read the file, the journal and the history.
const LIMIT: Duration = Duration::from_secs(30);

/// The maximum number of matches of each kind that the app shows.
const MAX_MATCHES: usize = 200;

/// Compares the statement in the file at this path.
pub async fn reconcile(context: Arc<WorldContext>, ticket: Ticket, path: Untrusted) -> Msg {
    let compared = timeout(LIMIT, compare(&context, &path)).await;
    let result = compared.unwrap_or(Err(ReconcileFault::Late));
    Msg::Reconciled {
        ticket,
        result: result.map(|mut result| {
            result.shorten(MAX_MATCHES);
            Arc::new(result)
        }),
    }
}

async fn compare(
    context: &WorldContext,
    path: &Untrusted,
) -> Result<Reconciliation, ReconcileFault> {
    let path = typed_path(path.raw());
    let files = context.stores.money.location().proven_files().await;
    let now = context.setup.clock.now().wall;
    let read = spawn_blocking(move || {
        let lines = reconcile::read_lines(&path, now)?;
        let (withdrawals, _) = reconcile::withdrawals(&files).map_err(ReconcileFault::Journal)?;
        Ok((lines, withdrawals))
    });
    let (lines, withdrawals) = read.await.unwrap_or(Err(ReconcileFault::Late))?;
    let stored = in_history(&context.stores.history, move |history| {
        Ok((StoredSales::read(history, &lines)?, lines))
    });
    let (stored, lines) = stored.await.map_err(ReconcileFault::History)?;
    let compared = spawn_blocking(move || reconcile::compare(lines, stored, &withdrawals));
    compared.await.map_err(|_| ReconcileFault::Late)
}

/// Marks the sales that the seller accepted.
pub async fn mark(context: Arc<WorldContext>, ticket: Ticket, marks: StatementMarks) -> Msg {
    let marked = in_history(&context.stores.history, move |history| {
        history.mark_from_statement(&marks)
    });
    Msg::StatementMarked {
        ticket,
        result: marked.await,
    }
}

/// Undoes the marks of the newest statement.
pub async fn undo(context: Arc<WorldContext>, ticket: Ticket) -> Msg {
    let undone: Result<_, JournalTrouble> =
        in_history(&context.stores.history, |history| history.undo_statement()).await;
    Msg::StatementUndone {
        ticket,
        result: undone,
    }
}
