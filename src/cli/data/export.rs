//! `balcao data export`: links, charges and nicknames, in full.

use std::io::Write;
use std::path::PathBuf;

use serde_json::Value;

use crate::cli::complaint::Complaint;
use crate::cli::history_json::{charge_json, link_json, nickname_json};
use crate::cli::journal::CommandContext;
use crate::cli::json_line;
use crate::cli::lists::report_moved_aside;
use crate::cli::output::{new_output, print_note, reader_is_gone};
use crate::journal::history::History;
use crate::runtime::clocks::MachineClocks;
use crate::trade::JournalTrouble;

/// Writes every row of the history, one JSON object a line; none is made where there is none.
pub fn export(context: &CommandContext, out: Option<PathBuf>) -> Result<(), Complaint> {
    if !context.dir.join("history.db").exists() {
        print_note(&context.words.count("export-rows", 0, &[]));
        return Ok(());
    }
    let opened = History::open(&context.dir, MachineClocks::new().now().wall);
    let (history, moved) = opened.map_err(|trouble| context.trouble(&trouble))?;
    if let Some(moved) = moved {
        report_moved_aside(context.words, &moved);
    }
    let mut out = new_output(out)?;
    print_note(&context.words.text("export-personal"));
    let links = history.all_links().map(|row| named("link", row, link_json));
    let charges = history.all_charges().map(|row| named("charge", row, charge_json));
    let mut count = 0;
    for row in links.chain(charges).chain(nicknames(&history)) {
        let row = row.map_err(|trouble| context.trouble(&trouble))?;
        if reader_is_gone(writeln!(out, "{}", json_line::of(&row)))? {
            return Ok(());
        }
        count += 1;
    }
    if !reader_is_gone(out.flush())? {
        print_note(&context.words.count("export-rows", count, &[]));
    }
    Ok(())
}

fn named<T>(
    kind: &str,
    row: Result<T, JournalTrouble>,
    json: fn(&T) -> Value,
) -> Result<Value, JournalTrouble> {
    row.map(|row| with_kind(kind, json(&row)))
}

fn nicknames(history: &History) -> Vec<Result<Value, JournalTrouble>> {
    let all = match history.nicknames() {
        Ok(all) => all,
        Err(trouble) => return vec![Err(trouble)],
    };
    let rows = all.sorted().into_iter().map(|one| with_kind("nickname", nickname_json(one)));
    rows.map(Ok).collect()
}

fn with_kind(kind: &str, mut row: Value) -> Value {
    row["kind"] = kind.into();
    row
}
