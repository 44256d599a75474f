//! `balcao journal export`.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::CommandContext;
use super::verify::{self, hex};
use crate::cli::complaint::{Complaint, REFUSED};
use crate::cli::history_json::moment;
use crate::cli::output::{new_output, print_note, write_lines};
use crate::cli::{commands, json_line};
use crate::journal::money::{Export, ExportedEvent};
use crate::trade::JournalTrouble;

/// Writes every event; of a damaged journal those before the damage.
pub fn export(context: &CommandContext, out: Option<PathBuf>) -> Result<ExitCode, Complaint> {
    let mut events = match Export::open(&context.dir) {
        Ok(events) => events,
        Err(JournalTrouble::Missing) => return Err(verify::nothing(context)),
        Err(trouble) => return Ok(stopped(context, 0, &trouble)),
    };
    let out = new_output(out)?;
    if events.is_copy {
        print_note(&context.words.text("journal-copy"));
    }
    print_note(&context.words.text("export-personal"));
    let mut trouble = None;
    let pages = std::iter::from_fn(|| {
        if trouble.is_some() {
            return None;
        }
        let (records, why) = events.read_more();
        trouble = why;
        (!records.is_empty()).then_some(records)
    });
    let lines = pages.flatten().map(|record| Ok(json_line::of(&line(&record))));
    let Some(count) = write_lines(out, lines)? else { return Ok(ExitCode::SUCCESS) };
    if let Some(trouble) = trouble {
        return Ok(stopped(context, count, &trouble));
    }
    print_note(&context.words.count("export-whole", count, &[]));
    // All rows came, and each follows the one before; only the head shows if one is missing.
    match context.open() {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(trouble) => {
            print_note(&commands::trouble(context.words, &context.shown(), &trouble));
            Ok(ExitCode::from(REFUSED))
        }
    }
}

fn stopped(context: &CommandContext, count: u64, trouble: &JournalTrouble) -> ExitCode {
    print_note(&context.words.count("export-until", count, &[]));
    print_note(&commands::trouble(context.words, &context.shown(), trouble));
    ExitCode::from(REFUSED)
}

fn line(record: &ExportedEvent) -> Value {
    json!({
        "n": record.n,
        "at": moment(record.at),
        "atMs": record.at.0,
        "key": record.key.to_string(),
        "kind": record.kind,
        "plain": record.plain,
        "personal": record.personal,
        "personalSum": record.personal_sum.map(|sum| hex(&sum)),
        "sum": hex(&record.sum),
    })
}
