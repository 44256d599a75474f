//! `balcao journal verify`.

use super::CommandContext;
use crate::cli::commands::{self, VerifyReport};
use crate::cli::complaint::Complaint;
use crate::cli::output::print_line;
use crate::cli::shown;
use crate::journal::money::ReadOnlyJournal;
use crate::trade::JournalTrouble;
use crate::trade::withdrawal::WithdrawalState;

/// Reads the whole journal, compares it with its markers, and prints a report.
pub fn verify(context: &CommandContext) -> Result<(), Complaint> {
    let looked = context.open();
    let checked = context.check(looked.as_ref().map(|look| &look.journal))?;
    checked.map_err(|trouble| context.trouble(&trouble))?;
    match looked.and_then(|look| read_all(context, look)) {
        Ok(report) => print_line(&commands::verify_report(context.words, &report)),
        Err(JournalTrouble::Missing) => Err(context.none_here()),
        Err(trouble) => Err(context.trouble(&trouble)),
    }
}

/// The complaint that there is no journal, or why there is none.
pub fn nothing(context: &CommandContext) -> Complaint {
    match context.check(Err(&JournalTrouble::Missing)) {
        Err(complaint) => complaint,
        Ok(Err(trouble)) => context.trouble(&trouble),
        Ok(Ok(())) => context.none_here(),
    }
}

fn read_all(
    context: &CommandContext,
    look: ReadOnlyJournal,
) -> Result<VerifyReport, JournalTrouble> {
    let ReadOnlyJournal { mut journal, is_ahead, is_copy } = look;
    let mut states: Vec<(WithdrawalState, u64)> = Vec::new();
    for (_, state) in context.withdrawals(&mut journal)? {
        match states.iter_mut().find(|(known, _)| known.name() == state.name()) {
            Some((_, count)) => *count += 1,
            None => states.push((state, 1)),
        }
    }
    let last = journal.last();
    let file = shown(&context.dir.join("money.db"));
    let (events, sum) = (last.n.unsigned_abs(), hex(&last.sum));
    Ok(VerifyReport { file, events, sum, states, is_ahead, is_copy })
}

/// A checksum in hexadecimal.
pub fn hex(sum: &[u8]) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}
