//! The result of comparing a statement with the history, with what the seller needs to see of each
//! line and sale.

use std::collections::HashSet;

use super::matching::{self, Mark, Pair, Payout};
use super::{Entry, StatementFault};
use crate::trade::withdrawal::{Decision, Settled, settle};
use crate::trade::{
    BrCode, EntryId, IdempotencyKey, JournalTrouble, Money, PaidSource, Sale, SaleRow,
    StatementMark, Untrusted, Wall, Withdrawal,
};

/// The maximum length of an entry's text in the result, in bytes. No screen shows more.
const MAX_MEMO_BYTES: usize = 1_000;

/// A line of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The local day.
    pub day: i64,
    /// The amount.
    pub amount: Money,
    /// The text, which may name other people.
    pub memo: Untrusted,
    /// The checksum by which the line is recognized in another file.
    pub id: EntryId,
}

/// A sale and the line that shows its payment, or may show it.
#[derive(Debug, Clone, PartialEq)]
pub struct SaleMatch {
    /// The sale.
    pub sale: Sale,
    /// The local day on which the sale was created.
    pub day: i64,
    /// The local day of the mark that the seller made by hand.
    pub marked: Option<i64>,
    /// The line.
    pub line: Line,
}

/// A withdrawal and the line with its money.
#[derive(Debug, Clone, PartialEq)]
pub struct PayoutMatch {
    /// The key of the withdrawal.
    pub key: IdempotencyKey,
    /// The time when the seller agreed to it.
    pub agreed: Wall,
    /// The local day of this time.
    pub day: i64,
    /// The amount taken from the balance.
    pub amount: Money,
    /// True if it is known that the withdrawal was paid. Otherwise its outcome is not known, and
    /// the line may be of something else.
    pub is_paid: bool,
    /// The line.
    pub line: Line,
}

/// Equal sales and lines. Nobody can say which of them belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct EqualAmounts {
    /// The amount of all of them.
    pub amount: Money,
    /// The sales.
    pub sales: Vec<Sale>,
    /// The lines.
    pub lines: Vec<Line>,
    /// The number of sales and of lines, also if the lists were shortened.
    pub counts: [u64; 2],
}

/// The number of matches of each kind, also if the lists were shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MatchCounts {
    /// The withdrawals with a line.
    pub payouts: u64,
    /// The charges whose identifier is in a line.
    pub certain: u64,
    /// The sales that a line of the same amount may have paid.
    pub possible: u64,
    /// The amounts for which no proposal is made.
    pub groups: u64,
    /// The charges that were marked by hand on another day.
    pub contradictions: u64,
}

/// The result of comparing a statement with sales and withdrawals.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reconciliation {
    /// The number of lines of the statement.
    pub lines: u64,
    /// The number of lines that were left out, because they marked a sale before.
    pub used: u64,
    /// The withdrawals with a line.
    pub payouts: Vec<PayoutMatch>,
    /// The charges whose identifier is in a line with their amount.
    pub certain: Vec<SaleMatch>,
    /// The sales that a line of the same amount may have paid.
    pub possible: Vec<SaleMatch>,
    /// The amounts for which no proposal is made.
    pub groups: Vec<EqualAmounts>,
    /// The charges that were marked by hand on another day than that of their line.
    pub contradictions: Vec<SaleMatch>,
    /// The number of matches of each kind.
    pub counts: MatchCounts,
}

impl Reconciliation {
    /// Keeps only the first matches of each kind, so that the result needs little memory. The
    /// counts stay.
    pub fn shorten(&mut self, max: usize) {
        self.payouts.truncate(max);
        self.certain.truncate(max);
        self.possible.truncate(max);
        self.contradictions.truncate(max);
        self.groups.truncate(max);
        for group in &mut self.groups {
            (group.sales, group.lines) = (vec![], vec![]);
        }
    }
}

/// The reason why a statement could not be compared, or why nothing could be marked.
#[derive(Debug, Clone, PartialEq)]
pub enum ReconcileFault {
    /// The file cannot be read. Contains the error text of the system.
    File(Untrusted),
    /// The file is not a statement.
    Statement(StatementFault),
    /// The history cannot be read or written.
    History(JournalTrouble),
    /// The journal cannot be read. Without its withdrawals, their money could be proposed for a
    /// sale.
    Journal(JournalTrouble),
    /// Reading took too long.
    Late,
}

impl SaleMatch {
    /// The mark that the line justifies.
    pub fn mark(&self) -> StatementMark {
        StatementMark {
            line: self.line.id,
            day: self.line.day,
            amount: self.line.amount,
            sale: SaleRow::of(&self.sale),
        }
    }
}

/// True if the service paid this withdrawal, or if the seller found it paid.
pub fn was_paid_out(withdrawal: &Withdrawal) -> bool {
    let found = matches!(withdrawal.decision, Some((Decision::FoundPaid, _)));
    found || settle(&withdrawal.attempts) == Settled::Accepted
}

/// True if this withdrawal may have been paid, so that a line with its amount is not proposed for a
/// sale.
pub fn may_be_paid_out(withdrawal: &Withdrawal) -> bool {
    match withdrawal.decision {
        Some((Decision::FoundPaid, _)) => true,
        Some((Decision::Discarded | Decision::StatedNotPaid, _)) => was_paid_out(withdrawal),
        None => {
            let settled = settle(&withdrawal.attempts);
            !matches!(settled, Settled::Rejected | Settled::Prepared)
        }
    }
}

/// Compares the lines of a statement with sales and with withdrawals that may have been paid. Lines
/// that marked a sale before are left out. `local_day` computes the seller's local day of a time.
pub fn reconcile(
    entries: Vec<Entry>,
    used: &HashSet<EntryId>,
    sales: Vec<Sale>,
    withdrawals: &[Withdrawal],
    local_day: impl Fn(Wall) -> i64,
) -> Reconciliation {
    let all = entries.len();
    let entries: Vec<Entry> = entries
        .into_iter()
        .filter(|entry| !used.contains(&entry.identity))
        .collect();
    let compared: Vec<_> = sales
        .iter()
        .map(|sale| compared_sale(sale, &local_day))
        .collect();
    let compared_payouts: Vec<_> = withdrawals
        .iter()
        .map(|withdrawal| payout(withdrawal, &local_day))
        .collect();
    let matches = matching::compare(&entries, &compared, &compared_payouts);
    let line = |position: usize| Line {
        day: entries[position].day,
        amount: entries[position].amount,
        memo: Untrusted::from(entries[position].memo.as_str()).start(MAX_MEMO_BYTES),
        id: entries[position].identity,
    };
    let sale_matches = |pairs: &[Pair]| -> Vec<SaleMatch> {
        let pairs = pairs.iter().map(|pair| SaleMatch {
            sale: sales[pair.item].clone(),
            day: compared[pair.item].day,
            marked: match compared[pair.item].mark {
                Mark::ByHand(day) => Some(day),
                Mark::None | Mark::NotByHand => None,
            },
            line: line(pair.entry),
        });
        pairs.collect()
    };
    let payouts = matches.payouts.iter().map(|pair| {
        let agreement = &withdrawals[pair.item].agreement;
        PayoutMatch {
            key: agreement.key,
            agreed: agreement.agreed.wall,
            day: compared_payouts[pair.item].day,
            amount: agreement.amount,
            is_paid: was_paid_out(&withdrawals[pair.item]),
            line: line(pair.entry),
        }
    });
    let groups = matches.groups.iter().map(|group| EqualAmounts {
        amount: group.amount,
        sales: group
            .sales
            .iter()
            .map(|sale| sales[*sale].clone())
            .collect(),
        lines: group.entries.iter().map(|entry| line(*entry)).collect(),
        counts: [group.sales.len(), group.entries.len()].map(|count| count as u64),
    });
    Reconciliation {
        lines: all as u64,
        used: (all - entries.len()) as u64,
        payouts: payouts.collect(),
        certain: sale_matches(&matches.certain),
        possible: sale_matches(&matches.possible),
        groups: groups.collect(),
        contradictions: sale_matches(&matches.contradictions),
        counts: MatchCounts {
            payouts: matches.payouts.len() as u64,
            certain: matches.certain.len() as u64,
            possible: matches.possible.len() as u64,
            groups: matches.groups.len() as u64,
            contradictions: matches.contradictions.len() as u64,
        },
    }
}

fn compared_sale(sale: &Sale, local_day: impl Fn(Wall) -> i64) -> matching::Sale {
    let (_, at, _) = sale.identity();
    let created = match sale {
        Sale::Link(_) => None,
        Sale::Charge(charge) => charge.outcome.created(),
    };
    let code = created.and_then(|created| BrCode::reference(created.pix_code.as_ref()?));
    // A number could also be a document or a telephone number in the text of the statement.
    let id = created
        .and_then(|created| Some(as_word(created.id.as_ref()?)))
        .filter(|id| id.bytes().any(|b| b.is_ascii_alphabetic()));
    let mut references: Vec<_> = code.into_iter().chain(id).collect();
    references.dedup();
    let mark = match sale.paid() {
        None => Mark::None,
        Some(paid) if paid.source == PaidSource::Seller => Mark::ByHand(local_day(paid.at)),
        Some(_) => Mark::NotByHand,
    };
    matching::Sale {
        day: local_day(at),
        amount: sale.amount_and_description().0,
        references,
        mark,
    }
}

fn payout(withdrawal: &Withdrawal, local_day: impl Fn(Wall) -> i64) -> Payout {
    let agreement = &withdrawal.agreement;
    Payout {
        day: local_day(agreement.agreed.wall),
        net: agreement.quote.as_ref().map(|quote| quote.net),
        id: withdrawal.service_id().map(as_word),
    }
}

/// The letters and digits of an id, because banks write ids without hyphens.
fn as_word(id: &Untrusted) -> String {
    id.raw()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect()
}
