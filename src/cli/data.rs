//! `balcao data`: what is kept on this computer, and getting rid of it.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::complaint::Complaint;
use super::journal::{Ground, answer, say};
use super::lists::say_moved;
use super::{Common, commands};
use crate::journal::OsDisk;
use crate::journal::history::History;
use crate::journal::money::{self, MoneyJournal};
use crate::runtime::clocks::MachineClocks;
use crate::trade::{JournalTrouble, Untrusted, Wall};

/// What to do with what is kept.
#[derive(Debug, Clone, Subcommand)]
pub enum Order {
    Purge {
        #[arg(long, value_name = "DATE", value_parser = date)]
        before: Date,
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
        #[arg(long)]
        yes: bool,
    },
}

/// Does it; the code the program ends with.
pub fn run(common: &Common, order: Order) -> Result<ExitCode, Complaint> {
    let Order::Purge { before, journal, yes } = order;
    purge(&Ground::find(common, journal)?, before, yes)
}

fn date(text: &str) -> Result<Date, String> {
    let wrong = || "a date is YYYY-MM-DD".to_owned();
    let date: Date = text.parse().map_err(|_| wrong())?;
    // A time behind the date would be read and not used.
    if date.to_string() == text { Ok(date) } else { Err(wrong()) }
}

fn purge(ground: &Ground, date: Date, yes: bool) -> Result<ExitCode, Complaint> {
    let now = MachineClocks::new().now().wall;
    let before = midnight(date)?;
    if before > now {
        return Err(Complaint::NotYet(date.to_string()));
    }
    match Stock::open(ground, before, now) {
        Ok(stock) => stock.purge(ground, &date.to_string(), yes),
        Err(trouble) => ground.trouble(&trouble),
    }
}

/// When the day begins where the seller is.
fn midnight(date: Date) -> Result<Wall, Complaint> {
    let midnight = date.to_zoned(TimeZone::system()).map_err(Complaint::of)?;
    Ok(Wall(midnight.timestamp().as_millisecond()))
}

/// What there is to purge from; neither is made where there is none.
struct Stock {
    money: Option<MoneyJournal>,
    history: Option<History>,
    before: Wall,
    now: Wall,
}

impl Stock {
    fn open(ground: &Ground, before: Wall, now: Wall) -> Result<Stock, JournalTrouble> {
        let dir = &ground.dir;
        let money = match money::is_there(dir) {
            true => Some(MoneyJournal::open(dir, OsDisk, true)?),
            false => None,
        };
        let history = match dir.join("history.db").exists() {
            true => Some(History::open(dir, now)?),
            false => None,
        };
        let history = history.map(|(history, moved)| {
            if let Some(moved) = moved {
                say_moved(ground.words, &moved);
            }
            history
        });
        Ok(Stock { money, history, before, now })
    }

    fn purge(mut self, ground: &Ground, date: &str, yes: bool) -> Result<ExitCode, Complaint> {
        let (withdrawals, rows) = match self.count() {
            Ok(counts) => counts,
            Err(trouble) => return ground.trouble(&trouble),
        };
        let words = ground.words;
        if withdrawals + rows > 0 {
            say(&commands::purge_will(words, date, withdrawals, rows))?;
            if !yes && !may(ground)? {
                return ground.not_done(&commands::given_up(words));
            }
        }
        // Also where no row is left to delete: a window may have held the file the last time.
        let (events, held) = match self.do_it() {
            Ok(done) => done,
            Err(trouble) => return ground.trouble(&trouble),
        };
        if held {
            return ground.not_done(&commands::purge_held(words));
        }
        say(&match withdrawals + rows {
            0 => commands::purge_nothing(words, date),
            _ => commands::purge_done(words, events),
        })?;
        for name in set_aside(&ground.dir) {
            say(&commands::purge_aside(words, &name))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn count(&mut self) -> Result<(u64, u64), JournalTrouble> {
        let withdrawals = match &mut self.money {
            Some(money) => money.to_purge(self.before, self.now)?,
            None => 0,
        };
        let rows = match &self.history {
            Some(history) => history.older_than(self.before)?,
            None => 0,
        };
        Ok((withdrawals, rows))
    }

    /// Purges; with how many events the journal verified, and whether a window held the history.
    fn do_it(&mut self) -> Result<(Option<u64>, bool), JournalTrouble> {
        let events = match &mut self.money {
            Some(money) => {
                money.purge(self.before, self.now)?;
                Some(money.verify()?)
            }
            None => None,
        };
        let held = match &mut self.history {
            Some(history) => {
                history.prune(self.before)?;
                !history.overwrite_deleted()?
            }
            None => false,
        };
        Ok((events, held))
    }
}

/// Asks on the terminal.
fn may(ground: &Ground) -> Result<bool, Complaint> {
    if !io::stdin().is_terminal() {
        return Err(Complaint::Said(commands::purge_wants_yes(ground.words)));
    }
    let (question, yes) = commands::purge_ask(ground.words);
    Ok(answer(&question)?.to_lowercase() == yes)
}

/// What was damaged once and is kept apart: it is not opened, so it is named.
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
