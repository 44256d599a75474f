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
    pub const NOTHING: SearchTotals =
        SearchTotals { paid: LinksTotal::NOTHING, unpaid: LinksTotal::NOTHING };

    /// Adds a group of payment links that are all paid or all unpaid. Returns `None` if the sum
    /// cannot be represented exactly.
    pub fn add(&mut self, is_paid: bool, more: LinksTotal) -> Option<()> {
        let total = if is_paid { &mut self.paid } else { &mut self.unpaid };
        let sum = total.sum.checked_add(more.sum)?;
        *total = LinksTotal { count: total.count + more.count, sum };
        Some(())
    }

    /// Returns the total of the paid and the unpaid payment links. Returns `None` if the sum cannot
    /// be represented exactly.
    pub fn together(&self) -> Option<LinksTotal> {
        let sum = self.paid.sum.checked_add(self.unpaid.sum)?;
        Some(LinksTotal { count: self.paid.count + self.unpaid.count, sum })
    }
}

impl LinksTotal {
    /// The total of an empty group of payment links.
    pub const NOTHING: LinksTotal = LinksTotal { count: 0, sum: Money::ZERO };
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
    pub month_starts: i64,
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
        let of_month = now.local(utc_offset_s)?.day();
        Some(RecentTotals {
            today,
            month_starts: today - i64::from(of_month - 1),
            on_day: SearchTotals::NOTHING,
            on_week: SearchTotals::NOTHING,
            on_month: SearchTotals::NOTHING,
            by_day: [Money::ZERO; DAYS],
        })
    }

    /// Returns the first day that these totals cover: the start of the month, or of the last
    /// [`DAYS`] days, whichever is earlier.
    pub fn begins(&self) -> i64 {
        self.month_starts.min(self.today - (DAYS as i64 - 1))
    }

    /// Adds the payment links that were created on `day` to every total that includes this day.
    /// Returns `None` if a sum cannot be represented exactly.
    pub fn count(&mut self, day: i64, is_paid: bool, links: LinksTotal) -> Option<()> {
        let ago = self.today.checked_sub(day)?;
        if ago == 0 {
            self.on_day.add(is_paid, links)?;
        }
        if (0..7).contains(&ago) {
            self.on_week.add(is_paid, links)?;
        }
        if (self.month_starts..=self.today).contains(&day) {
            self.on_month.add(is_paid, links)?;
        }
        if let Some(ago) = usize::try_from(ago).ok().filter(|ago| *ago < DAYS) {
            let sum = &mut self.by_day[DAYS - 1 - ago];
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
        LinksTotal { count, sum: Money::from_centavos(centavos) }
    }

    #[test]
    fn each_day_counts_only_in_its_own_periods() {
        let mut figures = RecentTotals::on(NOON, 0).unwrap();
        assert_eq!(
            (figures.today - figures.month_starts, figures.begins()),
            (21, figures.today - 21)
        );
        for ago in [0, 6, 7, 13, 14, 21, 22, -1] {
            figures.count(figures.today - ago, ago == 6, total(1, 100 + ago)).unwrap();
        }
        assert_eq!(figures.on_day, SearchTotals { paid: total(0, 0), unpaid: total(1, 100) });
        assert_eq!(figures.on_week, SearchTotals { paid: total(1, 106), unpaid: total(1, 100) });
        let month = total(5, 100 + 107 + 113 + 114 + 121);
        assert_eq!(figures.on_month, SearchTotals { paid: total(1, 106), unpaid: month });
        let days: Vec<i64> = figures.by_day.iter().map(|sum| sum.centavos().unwrap()).collect();
        assert_eq!(days, [113, 0, 0, 0, 0, 0, 107, 106, 0, 0, 0, 0, 0, 100]);
    }

    #[test]
    fn days_reach_back_into_the_previous_month() {
        let first = Wall(NOON.0 - 21 * 86_400_000);
        let figures = RecentTotals::on(first, 0).unwrap();
        assert_eq!(figures.month_starts, figures.today);
        assert_eq!(figures.begins(), figures.today - 13);
        assert!(RecentTotals::on(Wall(i64::MAX), 0).is_none());
    }
}
