//! What links come to: those that were found, and those of the last weeks, day by day.

use super::money::Money;
use super::time::Wall;

/// A number of links, and what they ask for together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinksTotal {
    /// The number of links.
    pub count: u64,
    /// Their amounts together.
    pub sum: Money,
}

/// The sums of the links that a search or a filter found; only those that the service made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundTotals {
    /// Those that a person marked as paid.
    pub paid: LinksTotal,
    /// The others.
    pub unpaid: LinksTotal,
}

impl FoundTotals {
    /// The sum of no links.
    pub const NOTHING: FoundTotals =
        FoundTotals { paid: LinksTotal::NOTHING, unpaid: LinksTotal::NOTHING };

    /// Counts more links, marked as paid or not; `None` where their sum cannot be held exactly.
    pub fn add(&mut self, is_paid: bool, more: LinksTotal) -> Option<()> {
        let total = if is_paid { &mut self.paid } else { &mut self.unpaid };
        let sum = total.sum.checked_add(more.sum)?;
        *total = LinksTotal { count: total.count + more.count, sum };
        Some(())
    }

    /// Returns both together; `None` where their sum cannot be held exactly.
    pub fn together(&self) -> Option<LinksTotal> {
        let sum = self.paid.sum.checked_add(self.unpaid.sum)?;
        Some(LinksTotal { count: self.paid.count + self.unpaid.count, sum })
    }
}

impl LinksTotal {
    /// No links.
    pub const NOTHING: LinksTotal = LinksTotal { count: 0, sum: Money::ZERO };
}

/// The days that are told one by one.
pub const DAYS: usize = 14;

/// The sums of the links of the last weeks; only those that the service made.
///
/// Days are counted at the seller's place, as [`Wall::local_day`] counts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkFigures {
    /// The day on which they were counted.
    pub today: i64,
    /// The first day of its month.
    pub month_starts: i64,
    /// The links of that day.
    pub on_day: FoundTotals,
    /// Those of seven days, that day among them.
    pub on_week: FoundTotals,
    /// Those of its month.
    pub on_month: FoundTotals,
    /// The sum of each of the last days, that day's last.
    pub by_day: [Money; DAYS],
}

impl LinkFigures {
    /// Figures of the day of this moment, in which nothing is counted yet; `None` for a moment that
    /// no calendar has.
    pub fn on(now: Wall, utc_offset_s: i32) -> Option<LinkFigures> {
        let today = now.local_day(utc_offset_s);
        let of_month = now.local(utc_offset_s)?.day();
        Some(LinkFigures {
            today,
            month_starts: today - i64::from(of_month - 1),
            on_day: FoundTotals::NOTHING,
            on_week: FoundTotals::NOTHING,
            on_month: FoundTotals::NOTHING,
            by_day: [Money::ZERO; DAYS],
        })
    }

    /// The first day that is counted.
    pub fn begins(&self) -> i64 {
        self.month_starts.min(self.today - (DAYS as i64 - 1))
    }

    /// Counts links of a day, marked as paid or not; `None` where a sum cannot be held exactly.
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

    /// Noon of 2026-11-22 where nothing stands east of UTC.
    const NOON: Wall = Wall(1_795_348_800_000);

    fn total(count: u64, centavos: i64) -> LinksTotal {
        LinksTotal { count, sum: Money::from_centavos(centavos) }
    }

    #[test]
    fn each_day_counts_only_in_its_own_periods() {
        let mut figures = LinkFigures::on(NOON, 0).unwrap();
        assert_eq!(
            (figures.today - figures.month_starts, figures.begins()),
            (21, figures.today - 21)
        );
        for ago in [0, 6, 7, 13, 14, 21, 22, -1] {
            figures.count(figures.today - ago, ago == 6, total(1, 100 + ago)).unwrap();
        }
        assert_eq!(figures.on_day, FoundTotals { paid: total(0, 0), unpaid: total(1, 100) });
        assert_eq!(figures.on_week, FoundTotals { paid: total(1, 106), unpaid: total(1, 100) });
        let month = total(5, 100 + 107 + 113 + 114 + 121);
        assert_eq!(figures.on_month, FoundTotals { paid: total(1, 106), unpaid: month });
        let days: Vec<i64> = figures.by_day.iter().map(|sum| sum.centavos().unwrap()).collect();
        assert_eq!(days, [113, 0, 0, 0, 0, 0, 107, 106, 0, 0, 0, 0, 0, 100]);
    }

    #[test]
    fn days_reach_back_into_the_previous_month() {
        let first = Wall(NOON.0 - 21 * 86_400_000);
        let figures = LinkFigures::on(first, 0).unwrap();
        assert_eq!(figures.month_starts, figures.today);
        assert_eq!(figures.begins(), figures.today - 13);
        assert!(LinkFigures::on(Wall(i64::MAX), 0).is_none());
    }
}
