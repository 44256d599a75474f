//! `balcao report`: the figures of a period, for the seller and the accountant.
//!
//! The command only reads. Rows are printed as they are counted, so a long history needs little
//! memory.

mod lines;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jiff::civil::Date;

use super::GlobalArgs;
use super::complaint::Complaint;
use super::data::{midnight, parse_date};
use super::journal::CommandContext;
use super::lists::{ListedJournal, WITHDRAWAL_STATES, open_history, open_listed_journal};
use super::output::print_note;
use crate::journal::history::{GroupText, History};
use crate::runtime::clocks::{self, MachineClocks};
use crate::trade::report::{
    SaleFigures, StateFigures, Step, TextGroup, WithdrawalAmounts, WithdrawalCount,
    WithdrawalFigures,
};
use crate::trade::search::Period;
use crate::trade::{ChargeRequest, JournalTrouble, LinkRequest, Wall, date_of, day_of};
use crate::words::Catalogue;
use lines::{Form, ReportWriter};

#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    from: Option<Date>,
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    to: Option<Date>,
    #[arg(long, value_name = "day|week|month|domain|description|state")]
    by: Option<By>,
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    #[arg(long)]
    csv: bool,
    #[arg(long, requires = "csv")]
    plain: bool,
    #[arg(long, value_name = "DIR")]
    journal: Option<PathBuf>,
}

/// The kind of the rows: each is about some days, a domain, a description or a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    Day,
    Week,
    Month,
    Domain,
    Description,
    State,
}

impl By {
    fn name(self) -> &'static str {
        match self {
            By::Day => "day",
            By::Week => "week",
            By::Month => "month",
            By::Domain => "domain",
            By::Description => "description",
            By::State => "state",
        }
    }
}

/// A row of a report.
struct ReportRow {
    /// The days of the row.
    days: Period,
    /// The domain, the description or the state. Empty for a domain that is not known.
    name: Option<String>,
    figures: RowFigures,
}

enum RowFigures {
    /// All figures of some days.
    Days {
        links: SaleFigures,
        charges: SaleFigures,
        withdrawals: WithdrawalFigures,
    },
    Domain(SaleFigures),
    Description {
        links: SaleFigures,
        charges: SaleFigures,
    },
    /// The rows in one state. A kind that cannot have this state has none.
    State {
        links: Option<StateFigures>,
        charges: Option<StateFigures>,
        withdrawals: Option<StateFigures>,
    },
}

/// The databases of a report, and its days.
struct Report<'c> {
    context: &'c CommandContext,
    history: Option<History>,
    journal: Option<ListedJournal>,
    days: Period,
}

pub fn run(args: &GlobalArgs, report: ReportArgs) -> Result<(), Complaint> {
    let today = MachineClocks::new().now().wall;
    let days = chosen_days(today.local_day(clocks::utc_offset_s(today)), &report)?;
    let context = CommandContext::without_vault(&args.chosen_profile()?, report.journal)?;
    let history = open_history(&context).map_err(|trouble| context.history_error(&trouble))?;
    let form = match (report.json, report.csv) {
        (true, _) => Form::Json,
        (false, true) if report.plain => Form::PlainCsv,
        (false, true) => Form::Csv,
        (false, false) => Form::Text,
    };
    let journal = open_listed_journal(&context)?;
    if let Some(Err(trouble)) = journal.as_ref().map(|journal| &journal.marked)
        && trouble.is_damage()
    {
        return Err(Complaint::unread(context.describe(trouble)));
    }
    let put_away = match &history {
        Some(history) => history
            .put_away_links(span(days))
            .map_err(|trouble| context.history_error(&trouble))?,
        None => 0,
    };
    let report_data = Report {
        context: &context,
        history,
        journal,
        days,
    };
    report_data.print(report.by, form, put_away)
}

/// The days of the report: by default, those of the current month.
fn chosen_days(today: i64, report: &ReportArgs) -> Result<Period, Complaint> {
    let [from, to] = [report.from, report.to].map(|date| date.map(day_of));
    let first = from.unwrap_or_else(|| Step::Month.period_of(to.unwrap_or(today)).first);
    let last = to.unwrap_or(match from {
        Some(first) => today.max(first),
        None => Step::Month.period_of(today).last,
    });
    if first > last {
        return Err(Complaint::about("report-order", []));
    }
    Ok(Period { first, last })
}

/// The times at which a period begins and ends, in the user's time zone.
fn span(days: Period) -> [Wall; 2] {
    [days.first, days.last.saturating_add(1)]
        .map(|day| date_of(day).map_or(Wall(i64::MAX), midnight))
}

impl Report<'_> {
    fn words(&self) -> &'static Catalogue {
        self.context.words
    }

    fn history_error(&self, trouble: &JournalTrouble) -> Complaint {
        self.context.history_error(trouble)
    }

    /// Prints the report. Without `by`, a text has a row for each day, and JSON is one object.
    fn print(&self, by: Option<By>, form: Form, put_away: u64) -> Result<(), Complaint> {
        let words = self.words();
        let mut writer = ReportWriter::new(words, form, by.unwrap_or(By::Day));
        if form == Form::Text || form == Form::Json && by.is_none() {
            let whole = self.whole()?;
            if !writer.whole(&whole, put_away)? || form == Form::Json {
                return Ok(());
            }
        } else if put_away > 0 {
            print_note(&words.count("report-put-away", put_away, &[]));
        }
        if !writer.heading()? {
            return Ok(());
        }
        self.visit_rows(by.unwrap_or(By::Day), &mut |row| writer.row(&row))?;
        writer.finish()
    }

    /// The figures of the whole period.
    fn whole(&self) -> Result<ReportRow, Complaint> {
        let mut withdrawals = WithdrawalFigures::default();
        self.visit_withdrawals(&mut |_, amounts, count, _| withdrawals.add(amounts, count))?;
        let [links, charges] = self.sales(self.days)?;
        Ok(ReportRow {
            days: self.days,
            name: None,
            figures: RowFigures::Days {
                links,
                charges,
                withdrawals,
            },
        })
    }

    /// The figures of the links and of the direct payments of some days.
    fn sales(&self, days: Period) -> Result<[SaleFigures; 2], Complaint> {
        let Some(history) = &self.history else {
            return Ok([SaleFigures::default(); 2]);
        };
        let read = || {
            Ok([
                history.sale_figures::<LinkRequest>(span(days))?,
                history.sale_figures::<ChargeRequest>(span(days))?,
            ])
        };
        read().map_err(|trouble| self.history_error(&trouble))
    }

    /// Calls `visit` for each withdrawal of the period, with its day, amounts and state.
    fn visit_withdrawals(
        &self,
        visit: &mut dyn FnMut(i64, WithdrawalAmounts, WithdrawalCount, &'static str),
    ) -> Result<(), Complaint> {
        let Some(listed) = &self.journal else {
            return Ok(());
        };
        let complain = |trouble| Complaint::unread(self.context.describe(&trouble));
        let journal = &listed.journal;
        let state_now = self.context.state_now(journal).map_err(complain)?;
        for withdrawal in journal.withdrawals_between(span(self.days)) {
            let withdrawal = withdrawal.map_err(complain)?;
            let state = state_now(&withdrawal);
            let at = withdrawal.agreement.agreed.wall;
            let day = at.local_day(clocks::utc_offset_s(at));
            let amounts = WithdrawalAmounts::of(&withdrawal);
            visit(day, amounts, WithdrawalCount::from(&state), state.name());
        }
        Ok(())
    }

    /// Calls `visit` for each row, until it returns false.
    fn visit_rows(
        &self,
        by: By,
        visit: &mut dyn FnMut(ReportRow) -> Result<bool, Complaint>,
    ) -> Result<(), Complaint> {
        match by {
            By::Day => self.visit_steps(Step::Day, visit),
            By::Week => self.visit_steps(Step::Week, visit),
            By::Month => self.visit_steps(Step::Month, visit),
            By::Domain => self.visit_groups(GroupText::Domain, visit),
            By::Description => self.visit_groups(GroupText::Description, visit),
            By::State => self.visit_states(visit),
        }
    }

    /// Visits the days, weeks or months with figures, oldest first. A week or month that is only
    /// partly in the period is cut.
    fn visit_steps(
        &self,
        step: Step,
        visit: &mut dyn FnMut(ReportRow) -> Result<bool, Complaint>,
    ) -> Result<(), Complaint> {
        let mut withdrawals: BTreeMap<i64, WithdrawalFigures> = BTreeMap::new();
        self.visit_withdrawals(&mut |day, amounts, count, _| {
            if count != WithdrawalCount::NotCounted {
                let first = step.period_of(day).first;
                withdrawals.entry(first).or_default().add(amounts, count);
            }
        })?;
        let mut next = self.days.first;
        while next <= self.days.last {
            let rest = Period {
                first: next,
                last: self.days.last,
            };
            let first_sale = match &self.history {
                Some(history) => history
                    .first_sale(span(rest))
                    .map_err(|trouble| self.history_error(&trouble))?,
                None => None,
            };
            let sale_day = first_sale.map(|at| at.local_day(clocks::utc_offset_s(at)));
            let group = withdrawals.keys().next().map(|first| (*first).max(next));
            let Some(day) = [sale_day, group].into_iter().flatten().min() else {
                break;
            };
            let whole = step.period_of(day.max(next));
            let days = Period {
                first: whole.first.max(self.days.first),
                last: whole.last.min(self.days.last),
            };
            let [links, charges] = self.sales(days)?;
            let row = ReportRow {
                days,
                name: None,
                figures: RowFigures::Days {
                    links,
                    charges,
                    withdrawals: withdrawals.remove(&whole.first).unwrap_or_default(),
                },
            };
            if !visit(row)? {
                break;
            }
            next = days.last + 1;
        }
        Ok(())
    }

    fn visit_groups(
        &self,
        by: GroupText,
        visit: &mut dyn FnMut(ReportRow) -> Result<bool, Complaint>,
    ) -> Result<(), Complaint> {
        let Some(history) = &self.history else {
            return Ok(());
        };
        let mut visited = Ok(true);
        let read = history.visit_groups(by, span(self.days), u32::MAX, &mut |group| {
            let TextGroup {
                text,
                links,
                charges,
            } = group;
            let figures = match by {
                GroupText::Domain => RowFigures::Domain(links),
                GroupText::Description => RowFigures::Description { links, charges },
            };
            visited = visit(ReportRow {
                days: self.days,
                name: text,
                figures,
            });
            matches!(visited, Ok(true))
        });
        read.map_err(|trouble| self.history_error(&trouble))?;
        visited.map(drop)
    }

    /// Visits the states that a link, a direct payment or a withdrawal of the period has.
    fn visit_states(
        &self,
        visit: &mut dyn FnMut(ReportRow) -> Result<bool, Complaint>,
    ) -> Result<(), Complaint> {
        let mut links = BTreeMap::new();
        let mut charges = BTreeMap::new();
        if let Some(history) = &self.history {
            let period = span(self.days);
            let read = history.state_figures::<LinkRequest>(period);
            links.extend(read.map_err(|trouble| self.history_error(&trouble))?);
            let read = history.state_figures::<ChargeRequest>(period);
            charges.extend(read.map_err(|trouble| self.history_error(&trouble))?);
        }
        let mut withdrawals: BTreeMap<&str, StateFigures> = BTreeMap::new();
        self.visit_withdrawals(&mut |_, amounts, _, state| {
            withdrawals.entry(state).or_default().add(amounts.amount);
        })?;
        let sale_states = crate::rows::json_line::SALE_STATES;
        let others = WITHDRAWAL_STATES
            .iter()
            .filter(|state| !sale_states.contains(state));
        for state in sale_states.iter().chain(others) {
            let [of_links, of_charges, of_withdrawals] =
                [&links, &charges, &withdrawals].map(|states| states.get(state).copied());
            if of_links.is_none() && of_charges.is_none() && of_withdrawals.is_none() {
                continue;
            }
            let row = ReportRow {
                days: self.days,
                name: Some((*state).to_owned()),
                figures: RowFigures::State {
                    links: of_links,
                    charges: of_charges,
                    withdrawals: of_withdrawals,
                },
            };
            if !visit(row)? {
                break;
            }
        }
        Ok(())
    }
}
