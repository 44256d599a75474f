//! `balcao data`: the data on this computer, to be read elsewhere or deleted.

mod export;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use jiff::Timestamp;
use jiff::civil::Date;

use super::GlobalArgs;
use super::complaint::Complaint;
use super::journal::CommandContext;
use super::lists::open_history;
use super::output::{print_line, prompt};
use crate::journal::OsDisk;
use crate::journal::history::History;
use crate::journal::money::{self, MoneyJournal};
use crate::runtime::clocks::{self, MachineClocks};
use crate::trade::{JournalTrouble, Untrusted, Wall};

/// The subcommands of `balcao data`.
#[derive(Debug, Clone, Subcommand)]
pub enum DataCommand {
    Export {
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    Purge {
        #[arg(long, value_name = "DATE", value_parser = date)]
        before: Date,
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
        #[arg(long)]
        yes: bool,
    },
}

/// Runs a subcommand.
pub fn run(args: &GlobalArgs, command: DataCommand) -> Result<(), Complaint> {
    match command {
        DataCommand::Export { journal, out } => {
            args.must_not_mask()?;
            export::export(&CommandContext::find(args, journal)?, out)
        }
        DataCommand::Purge { before, journal, yes } => {
            purge(&CommandContext::find(args, journal)?, before, yes)
        }
    }
}

fn date(text: &str) -> Result<Date, String> {
    let wrong = || "a date is YYYY-MM-DD".to_owned();
    let date: Date = text.parse().map_err(|_| wrong())?;
    // A time after the date would be parsed and ignored.
    if date.to_string() == text { Ok(date) } else { Err(wrong()) }
}

fn purge(context: &CommandContext, date: Date, yes: bool) -> Result<(), Complaint> {
    let now = MachineClocks::new().now().wall;
    let before = midnight(date);
    let (date, words) = (date.to_string(), context.words);
    if before > now {
        return Err(Complaint::about("complaint-not-yet", [("date", date.into())]));
    }
    let complain = |trouble| context.trouble(&trouble);
    let mut target = PurgeTarget::open(context, before, now).map_err(complain)?;
    let (withdrawals, rows) = target.count().map_err(complain)?;
    if withdrawals + rows > 0 {
        print_line(&words.with("purge-will", &[("date", &date)]))?;
        for (id, count) in [("purge-withdrawals", withdrawals), ("purge-history", rows)] {
            if count > 0 {
                print_line(&format!("  {}", words.count(id, count, &[])))?;
            }
        }
        print_line(&words.text("purge-kept"))?;
        if !yes && !is_confirmed(context)? {
            return Err(Complaint::refused(words.text("given-up")));
        }
    }
    // Also where no row is left to delete: another window may have held the file last time.
    let (events, held) = target.delete().map_err(complain)?;
    if held {
        return Err(Complaint::refused(words.text("purge-held")));
    }
    print_line(&match (withdrawals + rows, events) {
        (0, _) => words.with("purge-nothing", &[("date", &date)]),
        (_, None) => words.text("purge-done-history"),
        (_, Some(events)) => words.count("purge-done", events, &[]),
    })?;
    for name in set_aside(&context.dir) {
        print_line(&words.with("purge-aside", &[("name", &name.shown())]))?;
    }
    Ok(())
}

/// The beginning of the day in the seller's time zone.
///
/// The first and the last days of the calendar may begin beyond every timestamp.
fn midnight(date: Date) -> Wall {
    let beyond = if date.year() > 0 { Timestamp::MAX } else { Timestamp::MIN };
    let midnight = date.to_zoned(clocks::zone()).map_or(beyond, |zoned| zoned.timestamp());
    Wall(midnight.as_millisecond())
}

/// The journal and the history to purge; neither is made where there is none.
struct PurgeTarget {
    money: Option<MoneyJournal>,
    history: Option<History>,
    before: Wall,
    now: Wall,
}

impl PurgeTarget {
    fn open(
        context: &CommandContext,
        before: Wall,
        now: Wall,
    ) -> Result<PurgeTarget, JournalTrouble> {
        let money = match money::is_there(&context.dir) {
            true => Some(MoneyJournal::open(&context.dir, OsDisk, true)?),
            false => None,
        };
        Ok(PurgeTarget { money, history: open_history(context)?, before, now })
    }

    fn count(&mut self) -> Result<(u64, u64), JournalTrouble> {
        let (before, now) = (self.before, self.now);
        let withdrawals = self.money.as_mut().map_or(Ok(0), |money| money.to_purge(before, now))?;
        let rows = self.history.as_ref().map_or(Ok(0), |history| history.older_than(before))?;
        Ok((withdrawals, rows))
    }

    /// Purges; returns the number of verified events, and true if a window held the history.
    fn delete(&mut self) -> Result<(Option<u64>, bool), JournalTrouble> {
        let mut events = None;
        if let Some(money) = &mut self.money {
            money.purge(self.before, self.now)?;
            events = Some(money.verify()?);
        }
        let mut held = false;
        if let Some(history) = &mut self.history {
            history.prune(self.before)?;
            held = !history.overwrite_deleted()?;
        }
        Ok((events, held))
    }
}

/// Asks on the terminal.
fn is_confirmed(context: &CommandContext) -> Result<bool, Complaint> {
    if !io::stdin().is_terminal() {
        return Err(Complaint::about("purge-wants-yes", []));
    }
    let [question, yes] = ["purge-ask", "purge-yes"].map(|id| context.words.text(id));
    Ok(prompt(&question)?.is_some_and(|typed| typed.to_lowercase() == yes))
}

/// The names of damaged files that were set aside: a purge does not open them.
fn set_aside(dir: &Path) -> Vec<Untrusted> {
    let names = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names
        .filter(|name| name.starts_with("money.damaged-") || name.starts_with("history-damaged-"))
        .collect();
    names.sort();
    names.into_iter().map(Untrusted::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_a_date_and_nothing_more() {
        assert_eq!(date("2026-11-21").map(|date| date.to_string()), Ok("2026-11-21".into()));
        for text in ["21/11/2026", "2026-11-31", "2026-11-21T10:00", "20261121", ""] {
            assert!(date(text).is_err(), "{text}");
        }
    }
}
