//! The figures of a report: links, direct payments and withdrawals of a period, or of a group of
//! them. Only amounts in whole centavos are summed up; the others are counted.

use super::link_totals::LinksTotal;
use super::money::Money;
use super::search::Period;
use super::time::{date_of, day_of};
use super::withdrawal::{WhyPerson, Withdrawal, WithdrawalState};

/// The links or direct payments that the service created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SaleFigures {
    /// All of them.
    pub made: LinksTotal,
    /// The ones that the seller, a statement or the sandbox marked as paid.
    pub marked: LinksTotal,
    /// The ones without a mark. They may have been paid.
    pub unmarked: LinksTotal,
    /// The number of others, whose amounts are not in whole centavos.
    pub inexact: u64,
}

/// The links, direct payments or withdrawals in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StateFigures {
    /// The number and sum of the ones with an amount in whole centavos.
    pub total: LinksTotal,
    /// The number of others.
    pub inexact: u64,
}

/// Withdrawals. The sums contain only accepted withdrawals with a known fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithdrawalFigures {
    /// The accepted withdrawals with a known fee. The sum is what left the balance.
    pub accepted: LinksTotal,
    /// The sum of their fees.
    pub fees: Money,
    /// The sum of their net amounts.
    pub net: Money,
    /// The number of accepted withdrawals without a known fee.
    pub without_fee: u64,
    /// The number of accepted withdrawals with figures that are not in whole centavos.
    pub inexact: u64,
    /// The number of withdrawals that the seller found in the account statement.
    pub found_paid: u64,
    /// The number of open withdrawals: money may have moved, and the outcome is unclear.
    pub open: u64,
    /// The number of open withdrawals whose outcome is unknown, because no reply proves it.
    pub unknown: u64,
}

impl Default for WithdrawalFigures {
    fn default() -> WithdrawalFigures {
        WithdrawalFigures {
            accepted: LinksTotal::ZERO,
            fees: Money::ZERO,
            net: Money::ZERO,
            without_fee: 0,
            inexact: 0,
            found_paid: 0,
            open: 0,
            unknown: 0,
        }
    }
}

/// The amounts of a withdrawal that a report sums up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithdrawalAmounts {
    /// The amount that leaves the balance.
    pub amount: Money,
    /// The fee and the net amount, if they are known.
    pub fee_and_net: Option<[Money; 2]>,
}

impl WithdrawalAmounts {
    /// The amounts that the seller agreed to.
    pub fn of(withdrawal: &Withdrawal) -> WithdrawalAmounts {
        let agreement = &withdrawal.agreement;
        WithdrawalAmounts {
            amount: agreement.amount,
            fee_and_net: agreement.quote.as_ref().map(|quote| [quote.fee, quote.net]),
        }
    }
}

/// The part of a withdrawal's state that decides how a report counts it. It does not depend on the
/// current time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithdrawalCount {
    /// The service accepted the withdrawal.
    Accepted,
    /// The seller found it in the account statement.
    FoundPaid,
    /// No reply proves the outcome.
    Unknown,
    /// Open for another reason.
    OtherOpen,
    /// No money moved, or the seller did not find the payment.
    NotCounted,
}

impl From<&WithdrawalState> for WithdrawalCount {
    fn from(state: &WithdrawalState) -> WithdrawalCount {
        match state {
            WithdrawalState::Accepted => WithdrawalCount::Accepted,
            WithdrawalState::ResolvedPaid => WithdrawalCount::FoundPaid,
            // A time limit decides between these two.
            WithdrawalState::Unknown | WithdrawalState::NeedsPerson(WhyPerson::NoSend(_)) => {
                WithdrawalCount::Unknown
            }
            WithdrawalState::Sending(_)
            | WithdrawalState::NeedsPerson(_)
            | WithdrawalState::Mismatch(_) => WithdrawalCount::OtherOpen,
            WithdrawalState::Prepared
            | WithdrawalState::Rejected
            | WithdrawalState::Discarded
            | WithdrawalState::ResolvedNotPaid => WithdrawalCount::NotCounted,
        }
    }
}

impl SaleFigures {
    /// Computes the figures from the numbers of rows and the sums in centavos, of all rows and of
    /// the marked ones. `exact` is the number of rows with an amount in whole centavos.
    pub fn of(all: SaleCounts, marked: SaleCounts) -> SaleFigures {
        let unmarked = SaleCounts {
            count: all.count.saturating_sub(marked.count),
            exact: all.exact.saturating_sub(marked.exact),
            centavos: all.centavos.saturating_sub(marked.centavos),
        };
        SaleFigures {
            made: all.total(),
            marked: marked.total(),
            unmarked: unmarked.total(),
            inexact: all.count.saturating_sub(all.exact),
        }
    }
}

/// The number of some rows, the number of exact amounts among them, and their sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SaleCounts {
    /// The number of rows.
    pub count: u64,
    /// The number of rows with an amount in whole centavos.
    pub exact: u64,
    /// The sum of these amounts, in centavos.
    pub centavos: i64,
}

impl SaleCounts {
    fn total(self) -> LinksTotal {
        LinksTotal {
            count: self.exact,
            sum: Money::from_centavos(self.centavos),
        }
    }
}

impl StateFigures {
    /// The figures of rows in one state.
    pub fn of(counts: SaleCounts) -> StateFigures {
        StateFigures {
            total: counts.total(),
            inexact: counts.count.saturating_sub(counts.exact),
        }
    }

    /// Adds one withdrawal.
    pub fn add(&mut self, amount: Money) {
        let sum = whole_centavos(amount).and_then(|amount| self.total.sum.checked_add(amount));
        match sum {
            Some(sum) => {
                self.total = LinksTotal {
                    count: self.total.count + 1,
                    sum,
                }
            }
            None => self.inexact += 1,
        }
    }
}

impl WithdrawalFigures {
    /// Adds one withdrawal.
    pub fn add(&mut self, amounts: WithdrawalAmounts, count: WithdrawalCount) {
        match count {
            WithdrawalCount::Accepted => self.add_accepted(amounts),
            WithdrawalCount::FoundPaid => self.found_paid += 1,
            WithdrawalCount::Unknown => {
                self.open += 1;
                self.unknown += 1;
            }
            WithdrawalCount::OtherOpen => self.open += 1,
            WithdrawalCount::NotCounted => {}
        }
    }

    fn add_accepted(&mut self, amounts: WithdrawalAmounts) {
        let Some([fee, net]) = amounts.fee_and_net else {
            self.without_fee += 1;
            return;
        };
        let sums = [
            (self.accepted.sum, amounts.amount),
            (self.fees, fee),
            (self.net, net),
        ]
        .map(|(sum, added)| sum.checked_add(whole_centavos(added)?));
        let [Some(sum), Some(fees), Some(net)] = sums else {
            self.inexact += 1;
            return;
        };
        self.accepted = LinksTotal {
            count: self.accepted.count + 1,
            sum,
        };
        self.fees = fees;
        self.net = net;
    }
}

/// The amount with two decimal places, or `None` if it has a fraction of a centavo.
fn whole_centavos(amount: Money) -> Option<Money> {
    amount.centavos().map(Money::from_centavos)
}

/// The length of a period, such as of one group of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A single day.
    Day,
    /// Seven days from Monday.
    Week,
    /// A month of the calendar.
    Month,
}

impl Step {
    /// The day, week or month that contains a day.
    pub fn period_of(self, day: i64) -> Period {
        let month = match self {
            Step::Day => {
                return Period {
                    first: day,
                    last: day,
                };
            }
            Step::Week => {
                // Day 0, 1970-01-01, was a Thursday.
                let first = day - (day + 3).rem_euclid(7);
                return Period {
                    first,
                    last: first + 6,
                };
            }
            Step::Month => date_of(day),
        };
        month.map_or(
            Period {
                first: day,
                last: day,
            },
            |date| Period {
                first: day_of(date.first_of_month()),
                last: day_of(date.last_of_month()),
            },
        )
    }
}

/// A description or a domain, with the figures of its links and of its direct payments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextGroup {
    /// The description; or the domain, `None` if it is not known.
    pub text: Option<String>,
    /// The payment links of the group.
    pub links: SaleFigures,
    /// The direct payments of the group. They have no domain.
    pub charges: SaleFigures,
}

/// The figures of links and direct payments that the app's report shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SalesReport {
    /// The links of the period, and of the period before.
    pub links: [SaleFigures; 2],
    /// The direct payments of the same periods.
    pub charges: [SaleFigures; 2],
    /// The number of links of the period that the seller has put away.
    pub put_away: u64,
    /// The sums of the links of each day, week or month of the period, oldest first.
    pub bars: Vec<ReportBar>,
    /// The domains with the largest sums.
    pub domains: Vec<TextGroup>,
    /// The descriptions with the largest sums.
    pub descriptions: Vec<TextGroup>,
}

/// The links of some days, for a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportBar {
    /// The days of the bar.
    pub days: Period,
    /// The sum of the links that the service created.
    pub made: Money,
}

/// The maximum number of bars of a chart.
const MAX_BARS: i64 = 40;

/// The days of each bar of a chart: days, weeks or months, so that there are not too many. The list
/// is empty if even the months are too many.
pub fn bar_days(period: Period) -> Vec<Period> {
    for (step, days) in [(Step::Day, 1), (Step::Week, 7), (Step::Month, 28)] {
        let length = period.last.saturating_sub(period.first);
        if length / days >= MAX_BARS {
            continue;
        }
        let mut all = Vec::new();
        let mut next = period.first;
        while next <= period.last {
            let whole = step.period_of(next);
            let days = Period {
                first: next,
                last: whole.last.min(period.last),
            };
            next = days.last + 1;
            all.push(days);
        }
        return all;
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amounts(amount: &str, fee_and_net: Option<[&str; 2]>) -> WithdrawalAmounts {
        let money = |text: &str| Money::parse_wire(text).unwrap();
        WithdrawalAmounts {
            amount: money(amount),
            fee_and_net: fee_and_net.map(|texts| texts.map(money)),
        }
    }

    fn total(count: u64, centavos: i64) -> LinksTotal {
        LinksTotal {
            count,
            sum: Money::from_centavos(centavos),
        }
    }

    #[test]
    fn only_accepted_with_a_known_fee_are_in_sums() {
        let known = amounts("100.00", Some(["1.5", "98.5"]));
        let mut figures = WithdrawalFigures::default();
        for (amounts, count) in [
            (known, WithdrawalCount::Accepted),
            (known, WithdrawalCount::Accepted),
            (amounts("10.00", None), WithdrawalCount::Accepted),
            (
                amounts("10.00", Some(["0.005", "9.995"])),
                WithdrawalCount::Accepted,
            ),
            (known, WithdrawalCount::FoundPaid),
            (known, WithdrawalCount::Unknown),
            (known, WithdrawalCount::OtherOpen),
            (known, WithdrawalCount::NotCounted),
        ] {
            figures.add(amounts, count);
        }
        let expected = WithdrawalFigures {
            accepted: total(2, 20_000),
            fees: Money::from_centavos(300),
            net: Money::from_centavos(19_700),
            without_fee: 1,
            inexact: 1,
            found_paid: 1,
            open: 2,
            unknown: 1,
        };
        assert_eq!(figures, expected);
        assert_eq!(figures.fees.wire(), "3.00");
    }

    #[test]
    fn inexact_rows_are_counted_beside_the_sums() {
        let counts = |count, exact, centavos| SaleCounts {
            count,
            exact,
            centavos,
        };
        let figures = SaleFigures::of(counts(5, 4, 1_000), counts(2, 1, 250));
        let expected = SaleFigures {
            made: total(4, 1_000),
            marked: total(1, 250),
            unmarked: total(3, 750),
            inexact: 1,
        };
        assert_eq!(figures, expected);
        let mut state = StateFigures::of(counts(2, 1, 250));
        state.add(Money::from_centavos(50));
        state.add(Money::HALF_CENTAVO);
        assert_eq!((state.total, state.inexact), (total(2, 300), 2));
    }

    #[test]
    fn state_decides_how_a_withdrawal_counts() {
        use crate::trade::withdrawal::NoSend;
        for (state, count) in [
            (WithdrawalState::Accepted, WithdrawalCount::Accepted),
            (WithdrawalState::ResolvedPaid, WithdrawalCount::FoundPaid),
            (WithdrawalState::Unknown, WithdrawalCount::Unknown),
            (
                WithdrawalState::NeedsPerson(WhyPerson::NoSend(NoSend::WindowOver)),
                WithdrawalCount::Unknown,
            ),
            (
                WithdrawalState::NeedsPerson(WhyPerson::KeyReused),
                WithdrawalCount::OtherOpen,
            ),
            (WithdrawalState::Sending(1), WithdrawalCount::OtherOpen),
            (WithdrawalState::Rejected, WithdrawalCount::NotCounted),
            (
                WithdrawalState::ResolvedNotPaid,
                WithdrawalCount::NotCounted,
            ),
        ] {
            assert_eq!(WithdrawalCount::from(&state), count, "{state:?}");
        }
    }

    proptest! {
        #[test]
        fn periods_of_a_step_divide_the_calendar(day in -700_000_i64..2_900_000) {
            for step in [Step::Day, Step::Week, Step::Month] {
                let Period { first, last } = step.period_of(day);
                prop_assert!((first..=last).contains(&day));
                prop_assert_eq!(step.period_of(last), step.period_of(first));
                prop_assert_eq!(step.period_of(last + 1).first, last + 1);
            }
        }
    }

    proptest! {
        #[test]
        fn bars_cover_the_period_without_gaps(first in 0_i64..20_000, length in 0_i64..2_000) {
            let period = Period { first, last: first + length };
            let days = bar_days(period);
            prop_assert!(days.len() <= 42);
            if let (Some(start), Some(end)) = (days.first(), days.last()) {
                prop_assert_eq!((start.first, end.last), (period.first, period.last));
                prop_assert!(days.windows(2).all(|pair| pair[0].last + 1 == pair[1].first));
            } else {
                prop_assert!(length > 1_000);
            }
        }
    }

    #[test]
    fn week_begins_on_monday_and_month_on_the_first() {
        let day = |text: &str| day_of(text.parse().unwrap());
        let period = |first, last| Period {
            first: day(first),
            last: day(last),
        };
        assert_eq!(
            Step::Week.period_of(day("2026-11-29")),
            period("2026-11-23", "2026-11-29")
        );
        assert_eq!(
            Step::Month.period_of(day("2028-02-10")),
            period("2028-02-01", "2028-02-29")
        );
    }
}
