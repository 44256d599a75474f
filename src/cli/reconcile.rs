//! `balcao reconcile`: compares a bank's statement with links, charges and withdrawals.
//!
//! Without a flag the command only reads. It marks only charges whose identifier is in the
//! statement, and never a sale that an equal amount may have paid.

use std::path::{Path, PathBuf};
use std::slice::from_ref;

use clap::Args;
use serde_json::{Value, json};

use super::complaint::Complaint;
use super::journal::CommandContext;
use super::output::{print_line, print_note};
use super::{GlobalArgs, links, lists, unreadable_file};
use crate::rows::json_line::{FORMAT, amount_json, format_utc, to_line};
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::reconcile::{StoredSales, compare, read_lines, withdrawals};
use crate::statement::reconciliation::{Line, ReconcileFault, Reconciliation, SaleMatch};
use crate::trade::{JournalTrouble, Sale, StatementMarks, Wall};
use crate::words::{Catalogue, statement};

#[derive(Debug, Clone, Args)]
pub struct ReconcileArgs {
    #[arg(value_name = "FILE", required_unless_present = "undo")]
    file: Option<PathBuf>,
    #[arg(long)]
    mark: bool,
    #[arg(long, conflicts_with_all = ["mark", "json", "file"])]
    undo: bool,
    #[arg(long)]
    json: bool,
    #[arg(long, value_name = "DIR")]
    journal: Option<PathBuf>,
}

pub fn run(args: &GlobalArgs, reconcile: ReconcileArgs) -> Result<(), Complaint> {
    let context = CommandContext::without_vault(&args.chosen_profile()?, reconcile.journal)?;
    let now = MachineClocks::new().now().wall;
    let Some(file) = reconcile.file else {
        return undo(&context, now);
    };
    let lines = read_lines(&file, now).map_err(|fault| complaint(&context, &file, fault))?;
    let (withdrawals, is_copy) = withdrawals(&context.files())
        .map_err(|trouble| complaint(&context, &file, ReconcileFault::Journal(trouble)))?;
    if is_copy {
        print_note(&context.words.text("journal-copy"));
    }
    let complain = |trouble: JournalTrouble| context.history_error(&trouble);
    let mut history = if reconcile.mark {
        Some(links::open_history(&context.dir, now).map_err(complain)?)
    } else {
        lists::open_history(&context).map_err(complain)?
    };
    let mut marked = None;
    let stored = match &history {
        None => StoredSales::default(),
        Some(history) => StoredSales::read(history, &lines).map_err(complain)?,
    };
    let result = compare(lines, stored, &withdrawals);
    if let Some(history) = history.as_mut().filter(|_| reconcile.mark) {
        let marks = StatementMarks {
            read_at: now,
            at: now,
            marks: result.certain.iter().map(SaleMatch::mark).collect(),
        };
        marked = Some(history.mark_from_statement(&marks).map_err(complain)?);
    }
    let report = Report {
        words: context.words,
        today: now.local_day(clocks::utc_offset_s(now)),
        marked,
        result,
    };
    if reconcile.json {
        if report.marked.is_some() {
            print_note(&report.marked_text());
        }
        return report
            .json_rows()
            .iter()
            .try_for_each(|row| print_line(&to_line(row)));
    }
    print_line(&report.text())
}

fn undo(context: &CommandContext, now: Wall) -> Result<(), Complaint> {
    let complain = |trouble: JournalTrouble| context.history_error(&trouble);
    let mut history = links::open_history(&context.dir, now).map_err(complain)?;
    let undone = history.undo_statement().map_err(complain)?;
    print_line(&statement::undone(context.words, undone))
}

fn complaint(context: &CommandContext, file: &Path, fault: ReconcileFault) -> Complaint {
    match fault {
        ReconcileFault::File(why) => unreadable_file(file, why.shown()),
        ReconcileFault::Journal(trouble) => Complaint::unread(context.describe(&trouble)),
        fault => Complaint::text(statement::fault(context.words, &fault)),
    }
}

struct Report {
    words: &'static Catalogue,
    today: i64,
    /// The number of new marks; `None` if nothing was to be marked.
    marked: Option<u64>,
    result: Reconciliation,
}

impl Report {
    fn text(&self) -> String {
        let (words, result) = (self.words, &self.result);
        let mut rows = vec![
            words.text("reconcile-first"),
            words.count("reconcile-entries", result.lines, &[]),
        ];
        if result.used > 0 {
            rows.push(words.count("reconcile-used", result.used, &[]));
        }
        let payouts = result.payouts.iter();
        let payouts = payouts.map(|payout| statement::payout(words, self.today, payout));
        self.add_part(&mut rows, "reconcile-payouts", payouts.collect());
        for (id, matches) in [
            ("reconcile-certain", &result.certain),
            ("reconcile-possible", &result.possible),
        ] {
            let pairs = matches.iter().map(|matched| self.pair(matched));
            self.add_part(&mut rows, id, pairs.collect());
        }
        let groups = result.groups.iter();
        let groups = groups.map(|group| statement::group(words, group));
        self.add_part(&mut rows, "reconcile-groups", groups.collect());
        let contradictions = result.contradictions.iter();
        let contradictions =
            contradictions.map(|matched| statement::contradiction(words, self.today, matched));
        self.add_part(
            &mut rows,
            "reconcile-contradictions",
            contradictions.collect(),
        );
        rows.push(String::new());
        rows.push(self.marked_text());
        rows.join("\n")
    }

    fn marked_text(&self) -> String {
        match self.marked {
            Some(count) => self.words.count("reconcile-marked", count, &[]),
            None => self.words.text("reconcile-nothing-marked"),
        }
    }

    fn add_part(&self, rows: &mut Vec<String>, id: &str, part: Vec<String>) {
        if part.is_empty() {
            return;
        }
        rows.push(String::new());
        rows.push(self.words.count(id, part.len() as u64, &[]));
        rows.extend(part.into_iter().map(|row| format!("  {row}")));
    }

    fn pair(&self, matched: &SaleMatch) -> String {
        let sale = statement::sale(self.words, self.today, matched);
        let line = statement::line(self.words, self.today, &matched.line);
        format!("{sale} » {line}")
    }

    fn json_rows(&self) -> Vec<Value> {
        let result = &self.result;
        let payouts = result.payouts.iter().map(|payout| {
            let withdrawal = json!({
                "key": payout.key.to_string(),
                "agreed": format_utc(payout.agreed),
                "amount": amount_json(payout.amount),
                "paid": payout.is_paid,
            });
            self.row("payout", &[], from_ref(&payout.line), &withdrawal)
        });
        let pairs = |name, matches: &[SaleMatch]| -> Vec<Value> {
            let rows = matches.iter().map(|SaleMatch { sale, line, .. }| {
                self.row(name, from_ref(sale), from_ref(line), &Value::Null)
            });
            rows.collect()
        };
        let groups = result
            .groups
            .iter()
            .map(|group| self.row("group", &group.sales, &group.lines, &Value::Null));
        payouts
            .chain(pairs("certain", &result.certain))
            .chain(pairs("possible", &result.possible))
            .chain(groups)
            .chain(pairs("contradiction", &result.contradictions))
            .collect()
    }

    /// A row of the output: the sales and the lines that belong together, or may do so.
    fn row(&self, name: &str, sales: &[Sale], lines: &[Line], withdrawal: &Value) -> Value {
        let lines: Vec<_> = lines.iter().map(|line| self.line_json(line)).collect();
        let sales: Vec<_> = sales.iter().map(sale_json).collect();
        json!({
            "format": FORMAT,
            "match": name,
            "sales": sales,
            "lines": lines,
            "withdrawal": withdrawal,
        })
    }

    fn line_json(&self, line: &Line) -> Value {
        let starts = Wall(line.day.saturating_mul(86_400_000));
        json!({
            "day": starts.local(0).map(|at| at.date().to_string()),
            "amount": amount_json(line.amount),
            "memo": statement::memo(self.words, line),
        })
    }
}

fn sale_json(sale: &Sale) -> Value {
    let (amount, description) = sale.amount_and_description();
    let (_, at, _) = sale.identity();
    json!({
        "kind": match sale {
            Sale::Link(_) => "link",
            Sale::Charge(_) => "charge",
        },
        "at": format_utc(at),
        "amount": amount_json(amount),
        "description": description,
        "marked": sale.paid().map(|paid| format_utc(paid.at)),
    })
}
