//! `balcao data`: exports or deletes the data on this computer.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};

use super::complaint::{self, Complaint};
use super::journal::CommandContext;
use super::lists::{note_put_away, open_history};
use super::output::{create_output, print_line, print_note, prompt, write_lines};
use super::team::share::exchange_all;
use super::{GlobalArgs, block_on, path_text};
use crate::journal::history::History;
use crate::journal::kept_copies;
use crate::journal::money::MoneyJournal;
use crate::journal::requests::{self, Requests};
use crate::rows::json_line::{self, charge_json, link_json, nickname_json};
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::log;
use crate::runtime::team::TeamMirror;
use crate::trade::{ChargeRequest, IdempotencyKey, JournalTrouble, LinkRequest, Untrusted, Wall};
use crate::words::Catalogue;

#[derive(Debug, Clone, Subcommand)]
pub enum DataCommand {
    Export {
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    Purge {
        #[arg(long, value_name = "DATE", value_parser = parse_date)]
        before: Date,
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
        #[arg(long)]
        yes: bool,
    },
}

pub fn run(args: &GlobalArgs, command: DataCommand) -> Result<(), Complaint> {
    match command {
        DataCommand::Export { journal, out } => {
            args.reject_redact()?;
            export(&CommandContext::find(args, journal)?, out)
        }
        DataCommand::Purge {
            before,
            journal,
            yes,
        } => purge(&CommandContext::find(args, journal)?, before, yes),
    }
}

pub(super) fn parse_date(text: &str) -> Result<Date, String> {
    // Compare the parsed date with the text: the parser also accepts a date with a time, and would
    // ignore the time.
    let date = text.parse().ok();
    date.filter(|date: &Date| date.to_string() == text)
        .ok_or_else(|| "a date is YYYY-MM-DD".to_owned())
}

fn purge(context: &CommandContext, date: Date, yes: bool) -> Result<(), Complaint> {
    let now = MachineClocks::new().now().wall;
    let before = midnight(date);
    let date = date.to_string();
    let words = context.words;
    if before > now {
        return Err(Complaint::about(
            "complaint-not-yet",
            [("date", date.into())],
        ));
    }
    let complain_history = |trouble| context.history_error(&trouble);
    let mut money = open_journal(context)?;
    let history = open_history_to_purge(context, now).map_err(complain_history)?;
    let history = history.map(|history| exchange_with_team(context, history));
    let history = history.transpose()?;
    let complain_requests =
        |trouble| complaint::requests_error(context.words, &context.dir_text(), &trouble);
    let mut requests = Requests::open_if_any(&context.dir, now).map_err(complain_requests)?;
    let keys = money
        .as_mut()
        .map_or(Ok(vec![]), |money| money.keys_to_purge(before, now));
    let keys = keys.map_err(|trouble| context.error(&trouble))?;
    let counts = history
        .as_ref()
        .map_or(Ok([0; 4]), |history| history.count_older_than(before));
    let [links, charges, nicknames, batches] = counts.map_err(complain_history)?;
    let request_count = requests
        .as_mut()
        .map_or(Ok(0), |requests| requests.count_to_purge(before, &keys));
    let request_count = request_count.map_err(complain_requests)?;
    let counts = [links, charges, nicknames, request_count, batches];
    let withdrawals = keys.len() as u64;
    let files = [kept_copies(&context.dir), log_files(&context.dirs.state)];
    let file_count = files.iter().flatten().count() as u64;
    let total = withdrawals + counts.iter().sum::<u64>() + file_count;
    if total > 0 {
        print_line(&words.with("purge-will", &[("date", &date)]))?;
        print_purge(words, withdrawals, &counts, &files)?;
        if !yes && !confirm_purge(context)? {
            return Err(Complaint::refused(words.text("given-up")));
        }
    }
    let removed = files.iter().flatten().try_for_each(fs::remove_file);
    removed.map_err(Complaint::from_error)?;
    // Delete the stored HTTP requests before the withdrawals, because they are found by the keys of
    // the withdrawals. In the other order, a crash in between would leave requests that cannot be
    // found.
    let requests_overwritten = requests.as_mut().map_or(Ok(true), |requests| {
        purge_requests(words, requests, before, &keys)
    });
    let requests_overwritten = requests_overwritten.map_err(complain_requests)?;
    let event_count = money.as_mut().map(|money| {
        money.purge(before, now)?;
        money.verify()
    });
    let event_count = event_count
        .transpose()
        .map_err(|trouble| context.error(&trouble))?;
    // Overwrite deleted data on every purge: an earlier purge may have failed to do so, because
    // another process had the file open.
    let history_overwritten = match history {
        Some(history) => purge_history(context, history, before)?,
        None => true,
    };
    if !history_overwritten || !requests_overwritten {
        return Err(Complaint::refused(words.text("purge-held")));
    }
    print_line(&match (total, event_count) {
        (0, _) => words.with("purge-nothing", &[("date", &date)]),
        (_, None) => words.text("purge-done-history"),
        (_, Some(events)) => words.count("purge-done", events, &[]),
    })?;
    print_renamed_files(context)
}

/// The files of the log that exist. A purge deletes all of them, whatever its date.
fn log_files(state: &Path) -> Vec<PathBuf> {
    let paths = log::paths(state).into_iter();
    paths
        .filter(|path| path.symlink_metadata().is_ok())
        .collect()
}

/// Deletes the rows of the history before this time. In a team, they are also deleted on the other
/// computers, and their data in the team's database. Returns true if they were overwritten.
fn purge_history(
    context: &CommandContext,
    mut history: History,
    before: Wall,
) -> Result<bool, Complaint> {
    let complain = |trouble| context.history_error(&trouble);
    history.prune(before).map_err(complain)?;
    let mut history = exchange_with_team(context, history)?;
    if let Some(mut log) = context.own_mirror().and_then(TeamMirror::records) {
        let last = history.last_record().map_err(complain)?;
        let erased = log.erase_deleted(last);
        erased.map_err(|trouble| context.error(&trouble))?;
    }
    history.overwrite_deleted().map_err(complain)
}

/// Exchanges all changes of the history with the log of the team, if there is one.
fn exchange_with_team(
    context: &CommandContext,
    mut history: History,
) -> Result<History, Complaint> {
    let Some(mirror) = context.own_mirror() else {
        return Ok(history);
    };
    let shared = history.share(&mirror.author());
    shared.map_err(|trouble| context.history_error(&trouble))?;
    match mirror.records() {
        Some(log) => exchange_all(context.words, &context.dir, history, &log),
        None => Ok(history),
    }
}

/// Deletes the stored HTTP requests before this time and those with these keys. Returns true if
/// they were overwritten too.
fn purge_requests(
    words: &Catalogue,
    requests: &mut Requests,
    before: Wall,
    keys: &[IdempotencyKey],
) -> Result<bool, JournalTrouble> {
    requests.purge(before, keys)?;
    let is_overwritten = requests.overwrite_deleted()?;
    note_moved_requests(words, requests);
    Ok(is_overwritten)
}

/// Prints what a purge deletes and keeps.
fn print_purge(
    words: &Catalogue,
    withdrawals: u64,
    counts: &[u64; 5],
    [copies, logs]: &[Vec<PathBuf>; 2],
) -> Result<(), Complaint> {
    if withdrawals > 0 {
        print_line(&format!(
            "  {}",
            words.count("purge-withdrawals", withdrawals, &[])
        ))?;
    }
    if let Some(rows) = describe_counts(words, counts) {
        print_line(&format!(
            "  {}",
            words.with("purge-history", &[("rows", &rows)])
        ))?;
    }
    let copies = copies.iter().map(|copy| (copy, "purge-copy"));
    for (file, id) in copies.chain(logs.iter().map(|log| (log, "purge-log"))) {
        let name = path_text(file).shown();
        print_line(&format!("  {}", words.with(id, &[("name", &name)])))?;
    }
    print_line(&words.text("purge-kept"))
}

/// Prints the names of damaged files that were renamed earlier, because a purge does not change
/// them.
fn print_renamed_files(context: &CommandContext) -> Result<(), Complaint> {
    let moved_requests = requests::list_renamed_files(&context.dir)
        .into_iter()
        .map(Untrusted::from);
    for name in damaged_files(&context.dir)
        .into_iter()
        .chain(moved_requests)
    {
        print_line(
            &context
                .words
                .with("purge-aside", &[("name", &name.shown())]),
        )?;
    }
    Ok(())
}

/// Opens the journal of withdrawals, if it exists. The mirror of a team is opened with its log,
/// because the data must be erased there too.
fn open_journal(context: &CommandContext) -> Result<Option<MoneyJournal>, Complaint> {
    let files = context.files();
    if !files.journal_exists() {
        return Ok(None);
    }
    if !files.is_mirror() {
        let journal = MoneyJournal::open(files, true);
        return journal.map(Some).map_err(|trouble| context.error(&trouble));
    }
    let Some(mirror) = context.own_mirror() else {
        let text = context.words.text("team-purge-member");
        return Err(Complaint::refused(text));
    };
    let opened = block_on(mirror.open_connected())?;
    let opened = opened.and_then(|mut journal| {
        journal.check_may_purge()?;
        Ok(journal)
    });
    opened.map(Some).map_err(|trouble| {
        let (id, detail) = match &trouble {
            JournalTrouble::Offline(detail) => ("team-purge-offline", detail),
            JournalTrouble::Refused(detail) => ("team-purge-refused", detail),
            _ => return context.error(&trouble),
        };
        let detail = Untrusted::shown_of(detail);
        let text = context.words.text(id);
        let label = context.words.text("quote-detail");
        Complaint::refused(format!("{text}\n  {label} {detail}"))
    })
}

/// Opens the history, if it exists. If the history is damaged, renames it, prints a note, and
/// returns a new, empty history.
fn open_history_to_purge(
    context: &CommandContext,
    now: Wall,
) -> Result<Option<History>, JournalTrouble> {
    if matches!(
        History::open_if_any(&context.dir, now),
        Ok(None) | Err(JournalTrouble::Missing)
    ) {
        return Ok(None);
    }
    let (history, moved) = History::open(&context.dir, now)?;
    if let Some(moved) = moved {
        let why = Untrusted::from(moved.reason).shown();
        let to = path_text(&moved.new_path).shown();
        print_note(
            &context
                .words
                .with("history-moved", &[("why", &why), ("to", &to)]),
        );
    }
    Ok(Some(history))
}

/// Prints a note if the database of requests was damaged and therefore renamed.
fn note_moved_requests(words: &Catalogue, requests: &Requests) {
    let name = requests
        .renamed_file()
        .and_then(|moved| moved.new_path.file_name());
    if let Some(name) = name {
        let name = path_text(Path::new(name)).shown();
        print_note(&words.with("requests-moved", &[("name", &name)]));
    }
}

/// The start of the day in the seller's time zone.
///
/// For a date at the very beginning or end of the calendar, returns the first or last possible
/// timestamp.
pub(super) fn midnight(date: Date) -> Wall {
    local_time(date.to_datetime(Time::midnight()))
}

/// Like [`midnight`], for a time of day in the user's time zone.
pub(super) fn local_time(time: DateTime) -> Wall {
    let fallback = if time.year() > 0 {
        Timestamp::MAX
    } else {
        Timestamp::MIN
    };
    let moment = time
        .to_zoned(clocks::zone())
        .map_or(fallback, |zoned| zoned.timestamp());
    Wall(moment.as_millisecond())
}

/// Asks on the terminal whether the data may be deleted.
fn confirm_purge(context: &CommandContext) -> Result<bool, Complaint> {
    if !io::stdin().is_terminal() {
        return Err(Complaint::about("purge-wants-yes", []));
    }
    let [question, yes] = ["purge-ask", "purge-yes"].map(|id| context.words.text(id));
    Ok(prompt(&question)?.is_some_and(|typed| typed.to_lowercase() == yes))
}

/// The file names of journals and histories that were renamed earlier because they were damaged. A
/// purge does not change these files.
fn damaged_files(dir: &Path) -> Vec<Untrusted> {
    let names = fs::read_dir(dir).into_iter().flatten().flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names
        .filter(|name| name.starts_with("money.damaged-") || name.starts_with("history-damaged-"))
        .collect();
    names.sort();
    names.into_iter().map(Untrusted::from).collect()
}

/// Writes every row of the history as a line of JSON. If there is no history, none is created.
fn export(context: &CommandContext, out: Option<PathBuf>) -> Result<(), Complaint> {
    let history = open_history(context).map_err(|trouble| context.history_error(&trouble))?;
    let Some(history) = history else {
        print_note(&context.words.text("export-no-rows"));
        return Ok(());
    };
    let out = create_output(out)?;
    print_note(&context.words.text("export-personal"));
    let links = history
        .all::<LinkRequest>()
        .map(|row| row.map(|link| ("link", link_json(&link))));
    let charges = history
        .all::<ChargeRequest>()
        .map(|row| row.map(|charge| ("charge", charge_json(&charge))));
    let nicknames = history
        .all_nicknames()
        .map(|row| row.map(|row| ("nickname", nickname_json(&row))));
    let mut counts = [0; 3];
    let mut put_away = 0;
    let lines = links.chain(charges).chain(nicknames).map(|row| {
        let (kind, mut row) = row.map_err(|trouble| context.history_error(&trouble))?;
        counts[["link", "charge", "nickname"]
            .iter()
            .position(|name| *name == kind)
            .unwrap_or(2)] += 1;
        put_away += u64::from(kind == "link" && !row["putAway"].is_null());
        row["kind"] = kind.into();
        Ok(json_line::to_line(&row))
    });
    if write_lines(out, lines)?.is_some() {
        let words = context.words;
        print_note(&match describe_counts(words, &counts) {
            Some(rows) => words.with("export-rows", &[("rows", &rows)]),
            None => words.text("export-no-rows"),
        });
        note_put_away(words, put_away);
    }
    Ok(())
}

/// The numbers of payment links, direct payments, nicknames, requests and batches as text. Returns
/// `None` if all are 0.
fn describe_counts(words: &Catalogue, counts: &[u64]) -> Option<String> {
    let ids = [
        "rows-links",
        "rows-charges",
        "rows-nicknames",
        "rows-requests",
        "rows-batches",
    ];
    let rows = ids.iter().zip(counts).filter(|(_, count)| **count > 0);
    let rows: Vec<String> = rows
        .map(|(id, count)| words.count(id, *count, &[]))
        .collect();
    (!rows.is_empty()).then(|| rows.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_date_accepts_only_plain_dates() {
        assert_eq!(
            parse_date("2026-11-21").map(|date| date.to_string()),
            Ok("2026-11-21".into())
        );
        for text in [
            "21/11/2026",
            "2026-11-31",
            "2026-11-21T10:00",
            "20261121",
            "",
        ] {
            assert!(parse_date(text).is_err(), "{text}");
        }
    }
}
