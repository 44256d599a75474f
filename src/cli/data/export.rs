//! `balcao data export`: links, charges and nicknames, in full.

use std::path::PathBuf;

use crate::cli::complaint::Complaint;
use crate::cli::history_json::{charge_json, link_json, nickname_json};
use crate::cli::journal::CommandContext;
use crate::cli::json_line;
use crate::cli::lists::open_history;
use crate::cli::output::{new_output, print_note, write_lines};

/// Writes every row of the history, one JSON object a line; none is made where there is none.
pub fn export(context: &CommandContext, out: Option<PathBuf>) -> Result<(), Complaint> {
    let complain = |trouble| context.trouble(&trouble);
    let Some(history) = open_history(context).map_err(complain)? else {
        print_note(&context.words.count("export-rows", 0, &[]));
        return Ok(());
    };
    let out = new_output(out)?;
    print_note(&context.words.text("export-personal"));
    let links = history.all_links().map(|row| row.map(|one| ("link", link_json(&one))));
    let charges = history.all_charges().map(|row| row.map(|one| ("charge", charge_json(&one))));
    let nicknames = history.nicknames().map_err(complain)?;
    let nicknames = nicknames.sorted().into_iter().map(|one| Ok(("nickname", nickname_json(one))));
    let lines = links.chain(charges).chain(nicknames).map(|row| {
        let (kind, mut row) = row.map_err(complain)?;
        row["kind"] = kind.into();
        Ok(json_line::of(&row))
    });
    if let Some(count) = write_lines(out, lines)? {
        print_note(&context.words.count("export-rows", count, &[]));
    }
    Ok(())
}
