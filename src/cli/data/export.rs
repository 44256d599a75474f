//! `balcao data export`: links, charges and nicknames, in full.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Value;

use crate::cli::complaint::Complaint;
use crate::cli::history_json::{charge_json, link_json, nickname_json};
use crate::cli::journal::CommandContext;
use crate::cli::lists::report_moved_aside;
use crate::cli::output::{new_output, print_note, reader_is_gone};
use crate::cli::{commands, json_line};
use crate::journal::history::History;
use crate::runtime::clocks::MachineClocks;
use crate::trade::{JournalTrouble, ListPage};

/// The rows that are read at once.
const ROWS: u64 = 200;

/// Writes every row of the history, one JSON object a line; none is made where there is none.
pub fn export(context: &CommandContext, out: Option<PathBuf>) -> Result<ExitCode, Complaint> {
    if !context.dir.join("history.db").exists() {
        print_note(&commands::exported_rows(context.words, 0));
        return Ok(ExitCode::SUCCESS);
    }
    let opened = History::open(&context.dir, MachineClocks::new().now().wall);
    let (history, moved) = match opened {
        Ok(opened) => opened,
        Err(trouble) => return context.trouble(&trouble),
    };
    if let Some(moved) = moved {
        report_moved_aside(context.words, &moved);
    }
    let mut out = new_output(out)?;
    print_note(&commands::personal(context.words));
    let mut count = 0;
    for kind in [links, charges, nicknames] {
        let mut first = 0;
        loop {
            let (rows, total) = match kind(&history, first) {
                Ok(read) => read,
                Err(trouble) => return context.trouble(&trouble),
            };
            for row in &rows {
                if reader_is_gone(writeln!(out, "{}", json_line::of(row)))? {
                    return Ok(ExitCode::SUCCESS);
                }
            }
            (first, count) = (first + ROWS, count + rows.len() as u64);
            if first >= total {
                break;
            }
        }
    }
    if !reader_is_gone(out.flush())? {
        print_note(&commands::exported_rows(context.words, count));
    }
    Ok(ExitCode::SUCCESS)
}

/// Some rows of a kind from this one on, and the number of all of them.
type ExportedRows = Result<(Vec<Value>, u64), JournalTrouble>;

fn links(history: &History, first: u64) -> ExportedRows {
    history.links(None, "", first, ROWS).map(|page| named("link", &page, link_json))
}

fn charges(history: &History, first: u64) -> ExportedRows {
    history.charges(None, "", first, ROWS).map(|page| named("charge", &page, charge_json))
}

fn nicknames(history: &History, _: u64) -> ExportedRows {
    let all = history.nicknames()?;
    let rows = all.sorted().into_iter().map(|one| with_kind("nickname", nickname_json(one)));
    Ok((rows.collect(), 0))
}

fn named<T>(kind: &str, page: &ListPage<T>, json: fn(&T) -> Value) -> (Vec<Value>, u64) {
    let rows = page.rows.iter().map(|row| with_kind(kind, json(row)));
    (rows.collect(), page.total)
}

fn with_kind(kind: &str, mut row: Value) -> Value {
    row["kind"] = kind.into();
    row
}
