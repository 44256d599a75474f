//! Totals of payment links: for a search result, for recent days and for the current month.

use super::money::Money;
use super::time::Wall;

/// The number and total amount of a group of payment links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinksTotal {
    /// The number of payment links in the group.
    pub count: u64,
    /// The sum of the amounts of these links.
    pub sum: Money,
}

/// The totals of the payment links in a search result. Only links that the service created are
/// counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchTotals {
    /// The totals of the links that the seller or the sandbox reported as paid.
    pub paid: LinksTotal,
    /// The totals of the other payment links.
    pub unpaid: LinksTotal,
}

impl SearchTotals {
    /// The totals of an empty search result.
    pub const ZERO: SearchTotals = SearchTotals {
        paid: LinksTotal::ZERO,
        unpaid: LinksTotal::ZERO,
    };

    /// Adds a group of payment links that are all paid or all unpaid. Returns `None` if the sum
    /// cannot be represented exactly.
    pub fn add(&mut self, is_paid: bool, links: LinksTotal) -> Option<()> {
        let total = if is_paid {
            &mut self.paid
        } else {
            &mut self.unpaid
        };
        let sum = total.sum.checked_add(links.sum)?;
        *total = LinksTotal {
            count: total.count + links.count,
            sum,
        };
        Some(())
    }

    /// The total of the paid and the unpaid payment links. Returns `None` if the sum cannot be
    /// represented exactly.
    pub fn total(&self) -> Option<LinksTotal> {
        let sum = self.paid.sum.checked_add(self.unpaid.sum)?;
        Some(LinksTotal {
            count: self.paid.count + self.unpaid.count,
            sum,
        })
    }
}

impl LinksTotal {
    /// The total of an empty group of payment links.
    pub const ZERO: LinksTotal = LinksTotal {
        count: 0,
        sum: Money::ZERO,
    };
}

impl Default for LinksTotal {
    fn default() -> LinksTotal {
        LinksTotal::ZERO
    }
}

/// The number of recent days for which a daily total is computed.
pub const DAYS: usize = 14;

/// The totals of payment links for recent days and for the current month. Only links that the
/// service created are counted.
///
/// Days are local days, numbered as in [`Wall::local_day`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentTotals {
    /// The number of the day when the totals were computed.
    pub today: i64,
    /// The number of the first day of the current month.
    pub month_start: i64,
    /// The totals of the payment links created today.
    pub on_day: SearchTotals,
    /// The totals of the payment links created in the last seven days, including today.
    pub on_week: SearchTotals,
    /// The totals of the payment links created in the current month so far.
    pub on_month: SearchTotals,
    /// The total amount of the payment links created on each of the last [`DAYS`] days, oldest
    /// first. The last element is for today.
    pub by_day: [Money; DAYS],
}

impl RecentTotals {
    /// Creates totals of zero for the local day of `now`. Returns `None` if that day is outside the
    /// years 1 to 9999. `utc_offset_s` is the time zone's offset in seconds east of UTC.
    pub fn on(now: Wall, utc_offset_s: i32) -> Option<RecentTotals> {
        let today = now.local_day(utc_offset_s);
        let day_of_month = now.local(utc_offset_s)?.day();
        Some(RecentTotals {
            today,
            month_start: today - i64::from(day_of_month - 1),
            on_day: SearchTotals::ZERO,
            on_week: SearchTotals::ZERO,
            on_month: SearchTotals::ZERO,
            by_day: [Money::ZERO; DAYS],
        })
    }

    /// The first day that these totals cover: the start of the month, or of the last [`DAYS`] days,
    /// whichever is earlier.
    pub fn first_day(&self) -> i64 {
        self.month_start.min(self.today - (DAYS as i64 - 1))
    }

    /// Adds the payment links that were created on `day` to every total that includes this day.
    /// Returns `None` if a sum cannot be represented exactly.
    pub fn add_links(&mut self, day: i64, is_paid: bool, links: LinksTotal) -> Option<()> {
        let days_ago = self.today.checked_sub(day)?;
        if days_ago == 0 {
            self.on_day.add(is_paid, links)?;
        }
        if (0..7).contains(&days_ago) {
            self.on_week.add(is_paid, links)?;
        }
        if (self.month_start..=self.today).contains(&day) {
            self.on_month.add(is_paid, links)?;
        }
        if let Some(days_ago) = usize::try_from(days_ago)
            .ok()
            .filter(|days_ago| *days_ago < DAYS)
        {
            let sum = &mut self.by_day[DAYS - 1 - days_ago];
            *sum = sum.checked_add(links.sum)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noon of 2026-11-22 in UTC.
    const NOON: Wall = Wall(1_795_348_800_000);

    fn total(count: u64, centavos: i64) -> LinksTotal {
        LinksTotal {
            count,
            sum: Money::from_centavos(centavos),
        }
    }

    #[test]
    fn links_count_only_in_the_periods_of_their_day() {
        let mut totals = RecentTotals::on(NOON, 0).unwrap();
        assert_eq!(
            (totals.today - totals.month_start, totals.first_day()),
            (21, totals.today - 21)
        );
        for ago in [0, 6, 7, 13, 14, 21, 22, -1] {
            totals
                .add_links(totals.today - ago, ago == 6, total(1, 100 + ago))
                .unwrap();
        }
        assert_eq!(
            totals.on_day,
            SearchTotals {
                paid: total(0, 0),
                unpaid: total(1, 100)
            }
        );
        assert_eq!(
            totals.on_week,
            SearchTotals {
                paid: total(1, 106),
                unpaid: total(1, 100)
            }
        );
        let month = total(5, 100 + 107 + 113 + 114 + 121);
        assert_eq!(
            totals.on_month,
            SearchTotals {
                paid: total(1, 106),
                unpaid: month
            }
        );
        let days: Vec<i64> = totals
            .by_day
            .iter()
            .map(|sum| sum.centavos().unwrap())
            .collect();
        assert_eq!(days, [113, 0, 0, 0, 0, 0, 107, 106, 0, 0, 0, 0, 0, 100]);
    }

    #[test]
    fn days_reach_back_into_the_previous_month() {
        let first_of_month = Wall(NOON.0 - 21 * 86_400_000);
        let totals = RecentTotals::on(first_of_month, 0).unwrap();
        assert_eq!(totals.month_start, totals.today);
        assert_eq!(totals.first_day(), totals.today - 13);
        assert!(RecentTotals::on(Wall(i64::MAX), 0).is_none());
    }
}
