//! `balcao reconcile`: compares a bank's statement with links, charges and withdrawals.
//!
//! The command only reads: it lists what may belong together, and marks nothing.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::complaint::Complaint;
use super::journal::CommandContext;
use super::json_line::{amount_json, format_utc, to_line};
use super::lists::open_history;
use super::output::{print_line, print_note};
use super::{GlobalArgs, unreadable_file};
use crate::csv_files::MAX_FILE_BYTES;
use crate::journal::history::SaleTable;
use crate::runtime::clocks::{self, MachineClocks};
use crate::statement::matching::{self, Matches, Pair, Payout};
use crate::statement::{self, Entry, MAX_ENTRIES, StatementFault};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{BrCode, ChargeRequest, LinkRequest, SaleOf, Untrusted, Wall, Withdrawal};
use crate::words::{Catalogue, batch, dates};

#[derive(Debug, Clone, Args)]
pub struct ReconcileArgs {
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[arg(long)]
    json: bool,
    #[arg(long, value_name = "DIR")]
    journal: Option<PathBuf>,
}

pub fn run(args: &GlobalArgs, reconcile: ReconcileArgs) -> Result<(), Complaint> {
    let context = CommandContext::without_vault(&args.chosen_profile()?, reconcile.journal)?;
    let words = context.words;
    let now = MachineClocks::new().now().wall;
    let file = &reconcile.file;
    let size = fs::metadata(file).map_err(|error| unreadable_file(file, error))?;
    // Read one byte more than is accepted, so that a large file is refused without reading it all.
    let bytes = if size.len() > MAX_FILE_BYTES as u64 {
        vec![b' '; MAX_FILE_BYTES + 1]
    } else {
        fs::read(file).map_err(|error| unreadable_file(file, error))?
    };
    let entries = statement::read(&bytes, clocks::utc_offset_s(now))
        .map_err(|fault| Complaint::text(fault_text(words, &fault)))?;
    let withdrawals = accepted_withdrawals(&context)?;
    let sales = unpaid_sales(&context, &entries)?;
    let compared: Vec<_> = sales.iter().map(|sale| sale.compared.clone()).collect();
    let payouts: Vec<_> = withdrawals.iter().map(payout).collect();
    let report = Report {
        words,
        today: now.local_day(clocks::utc_offset_s(now)),
        matches: matching::compare(&entries, &compared, &payouts),
        entries,
        sales,
        withdrawals,
    };
    if reconcile.json {
        return report
            .json_rows()
            .iter()
            .try_for_each(|row| print_line(&to_line(row)));
    }
    print_line(&report.text())
}

fn fault_text(words: &Catalogue, fault: &StatementFault) -> String {
    match fault {
        StatementFault::Text(fault) => batch::file_fault(words, &(*fault).into()),
        StatementFault::Amounts(fault) => batch::file_fault(words, &(*fault).into()),
        StatementFault::TooManyEntries { entries } => words.with(
            "file-too-long",
            &[
                ("lines", &*entries.to_string()),
                ("max", &MAX_ENTRIES.to_string()),
            ],
        ),
        StatementFault::Unknown => words.text("reconcile-unknown"),
    }
}

/// A link or charge that is not known to be paid.
struct OpenSale {
    kind: &'static str,
    at: Wall,
    description: String,
    compared: matching::Sale,
}

impl OpenSale {
    fn new<R: SaleTable>(
        kind: &'static str,
        sale: &SaleOf<R>,
        code: Option<&Untrusted>,
    ) -> OpenSale {
        OpenSale {
            kind,
            at: sale.at,
            description: sale.request.description().to_owned(),
            compared: matching::Sale {
                day: sale.at.local_day(clocks::utc_offset_s(sale.at)),
                amount: sale.request.amount(),
                reference: code.and_then(BrCode::reference),
            },
        }
    }
}

/// The created links and charges without a mark that have the amount of an entry.
fn unpaid_sales(context: &CommandContext, entries: &[Entry]) -> Result<Vec<OpenSale>, Complaint> {
    let complain = |trouble| context.history_error(&trouble);
    let Some(history) = open_history(context).map_err(complain)? else {
        return Ok(vec![]);
    };
    let incoming = entries.iter().filter(|entry| entry.amount.is_positive());
    let amounts: Vec<i64> = incoming
        .filter_map(|entry| entry.amount.centavos())
        .collect();
    let links = history.unpaid_with_amounts::<LinkRequest>(&amounts);
    let charges = history.unpaid_with_amounts::<ChargeRequest>(&amounts);
    let links = links.map_err(complain)?;
    let charges = charges.map_err(complain)?;
    let links = links.iter().map(|link| OpenSale::new("link", link, None));
    let charges = charges
        .iter()
        .map(|charge| OpenSale::new("charge", charge, charge.outcome.pix_code()));
    Ok(links.chain(charges).collect())
}

/// The withdrawals that the service accepted. Without them, their money could be proposed for a
/// sale, so a journal that cannot be read is an error.
fn accepted_withdrawals(context: &CommandContext) -> Result<Vec<Withdrawal>, Complaint> {
    let complain = |trouble| Complaint::unread(context.describe(&trouble));
    if !context.files().journal_exists() {
        return Ok(vec![]);
    }
    let opened = context.open().map_err(complain)?;
    if opened.is_copy {
        print_note(&context.words.text("journal-copy"));
    }
    let state_now = context.state_now(&opened.journal).map_err(complain)?;
    let mut accepted = Vec::new();
    for withdrawal in opened.journal.withdrawals() {
        let withdrawal = withdrawal.map_err(complain)?;
        if state_now(&withdrawal) == WithdrawalState::Accepted {
            accepted.push(withdrawal);
        }
    }
    Ok(accepted)
}

fn payout(withdrawal: &Withdrawal) -> Payout {
    let sent = withdrawal.agreement.agreed.wall;
    Payout {
        day: sent.local_day(clocks::utc_offset_s(sent)),
        net: withdrawal.agreement.quote.as_ref().map(|quote| quote.net),
        id: withdrawal.service_id().map(|id| id.raw().to_owned()),
    }
}

struct Report {
    words: &'static Catalogue,
    today: i64,
    entries: Vec<Entry>,
    sales: Vec<OpenSale>,
    withdrawals: Vec<Withdrawal>,
    matches: Matches,
}

impl Report {
    fn text(&self) -> String {
        let words = self.words;
        let mut rows = vec![
            words.text("reconcile-first"),
            words.count("reconcile-entries", self.entries.len() as u64, &[]),
        ];
        let payouts = self
            .matches
            .payouts
            .iter()
            .map(|pair| self.payout_row(*pair));
        self.add_part(&mut rows, "reconcile-payouts", payouts.collect());
        for (id, pairs) in [
            ("reconcile-certain", &self.matches.certain),
            ("reconcile-possible", &self.matches.possible),
        ] {
            let pairs = pairs.iter().map(|pair| self.sale_row(*pair));
            self.add_part(&mut rows, id, pairs.collect());
        }
        let groups = self.matches.groups.iter().map(|group| {
            let values = [
                ("amount", &*group.amount.to_string()),
                ("sales", &group.sales.len().to_string()),
                ("entries", &group.entries.len().to_string()),
            ];
            words.with("reconcile-group", &values)
        });
        self.add_part(&mut rows, "reconcile-groups", groups.collect());
        rows.push(String::new());
        rows.push(words.text("reconcile-nothing-marked"));
        rows.join("\n")
    }

    fn add_part(&self, rows: &mut Vec<String>, id: &str, part: Vec<String>) {
        if part.is_empty() {
            return;
        }
        rows.push(String::new());
        rows.push(self.words.count(id, part.len() as u64, &[]));
        rows.extend(part.into_iter().map(|row| format!("  {row}")));
    }

    fn payout_row(&self, pair: Pair) -> String {
        let agreement = &self.withdrawals[pair.item].agreement;
        let sent = agreement.agreed.wall;
        let day = sent.local_day(clocks::utc_offset_s(sent));
        let values = [
            ("sent", &*self.day(day)),
            ("amount", &agreement.amount.to_string()),
            ("day", &self.day(self.entries[pair.entry].day)),
            ("net", &self.entries[pair.entry].amount.to_string()),
        ];
        self.words.with("reconcile-payout", &values)
    }

    fn sale_row(&self, pair: Pair) -> String {
        let sale = &self.sales[pair.item];
        let entry = &self.entries[pair.entry];
        let values = [
            ("amount", &*sale.compared.amount.to_string()),
            ("made", &self.day(sale.compared.day)),
            ("description", &Untrusted::shown_of(&sale.description)),
            ("day", &self.day(entry.day)),
            ("memo", &self.memo(entry)),
        ];
        self.words.with("reconcile-pair", &values)
    }

    fn day(&self, day: i64) -> String {
        dates::day(self.words, self.today, day)
    }

    /// The text of an entry, which may name other people.
    fn memo(&self, entry: &Entry) -> String {
        if self.words.masks() {
            "•••".to_owned()
        } else {
            Untrusted::from(&*entry.memo).shown_within(60)
        }
    }

    fn json_rows(&self) -> Vec<Value> {
        let entry = |position: usize| {
            let entry = &self.entries[position];
            let starts = Wall(entry.day.saturating_mul(86_400_000));
            json!({
                "day": starts.local(0).map(|at| at.date().to_string()),
                "amount": amount_json(entry.amount),
                "memo": self.memo(entry),
            })
        };
        let sale = |position: usize| {
            let sale = &self.sales[position];
            json!({
                "kind": sale.kind,
                "at": format_utc(sale.at),
                "amount": amount_json(sale.compared.amount),
                "description": sale.description,
            })
        };
        let pairs = |state: &'static str, pairs: &[Pair]| -> Vec<Value> {
            let rows = pairs.iter().map(|pair| {
                json!({
                    "format": 1,
                    "match": state,
                    "sale": sale(pair.item),
                    "entry": entry(pair.entry),
                })
            });
            rows.collect()
        };
        let payouts = self.matches.payouts.iter().map(|pair| {
            let agreement = &self.withdrawals[pair.item].agreement;
            json!({
                "format": 1,
                "match": "payout",
                "withdrawal": {
                    "key": agreement.key.to_string(),
                    "agreed": format_utc(agreement.agreed.wall),
                    "amount": amount_json(agreement.amount),
                },
                "entry": entry(pair.entry),
            })
        });
        let groups = self.matches.groups.iter().map(|group| {
            let sales: Vec<_> = group.sales.iter().map(|position| sale(*position)).collect();
            let entries: Vec<_> = group
                .entries
                .iter()
                .map(|position| entry(*position))
                .collect();
            json!({
                "format": 1,
                "match": "group",
                "amount": amount_json(group.amount),
                "sales": sales,
                "entries": entries,
            })
        });
        let certain = pairs("certain", &self.matches.certain);
        let possible = pairs("possible", &self.matches.possible);
        payouts
            .chain(certain)
            .chain(possible)
            .chain(groups)
            .collect()
    }
}
