//! `balcao journal verify`.

use super::CommandContext;
use crate::cli::complaint::Complaint;
use crate::cli::output::print_line;
use crate::cli::shown;
use crate::journal::money::ReadOnlyJournal;
use crate::trade::JournalTrouble;

/// Reads the whole journal, compares it with its markers, and prints a report.
pub fn verify(context: &CommandContext) -> Result<(), Complaint> {
    let looked = context.open();
    let checked = context.check(looked.as_ref().map(|look| &look.journal))?;
    checked.map_err(|trouble| context.trouble(&trouble))?;
    match looked.and_then(|look| report(context, look)) {
        Ok(report) => print_line(&report),
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

/// A whole journal, in a few lines.
fn report(context: &CommandContext, look: ReadOnlyJournal) -> Result<String, JournalTrouble> {
    let words = context.words;
    let ReadOnlyJournal { mut journal, is_ahead, is_copy } = look;
    let all = context.withdrawals(&mut journal)?;
    let mut states: Vec<(&'static str, u64)> = Vec::new();
    for (_, state) in &all {
        match states.iter_mut().find(|(known, _)| *known == state.name()) {
            Some((_, count)) => *count += 1,
            None => states.push((state.name(), 1)),
        }
    }
    let counted = |(name, count): &(&str, u64)| words.count(&format!("verify-{name}"), *count, &[]);
    let states: Vec<_> = states.iter().map(counted).collect();
    let states = if states.is_empty() { String::new() } else { format!(": {}", states.join(", ")) };
    let last = journal.last();
    let mut lines = vec![words.text("verify-healthy")];
    for (label, value) in [
        ("verify-file", shown(&context.dir.join("money.db")).shown()),
        ("verify-last", last.n.to_string()),
        ("verify-sum", hex(&last.sum)),
        ("verify-count", format!("{}{states}", all.len())),
    ] {
        lines.push(format!("  {:<20}  {value}", words.text(label)));
    }
    lines.extend(is_ahead.then(|| words.text("verify-ahead")));
    lines.extend(is_copy.then(|| words.text("journal-copy")));
    Ok(lines.join("\n"))
}

/// A checksum in hexadecimal.
pub fn hex(sum: &[u8]) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}
