//! A bar that shows how much of a duration is left, like a countdown.

use std::time::Duration;

use super::{Role, Span};

/// The width, in columns, of the countdown bar that shows how long a withdrawal can still be
/// resent.
pub const BAR_WIDTH: usize = 12;

/// The minimum width of a bar, in columns. A shorter bar would show the time too coarsely.
const MIN_BAR_WIDTH: usize = 6;

/// The width of a bar that fits into this many columns, or `None` if even the shortest bar does not
/// fit.
pub fn bar_width(available: usize) -> Option<usize> {
    (available >= MIN_BAR_WIDTH).then(|| available.min(BAR_WIDTH))
}

/// The bar as two strings: a heavy line for the time left, and a light line for the time passed.
/// The heavy line has at least one cell until no time is left.
pub fn time_bar(left: Duration, total: Duration, width: usize) -> [String; 2] {
    let left = left.min(total).as_millis();
    let total = total.as_millis().max(1);
    let cells = u128::try_from(width).unwrap_or_default();
    let heavy = usize::try_from((left * cells).div_ceil(total))
        .unwrap_or(width)
        .min(width);
    ["━".repeat(heavy), "─".repeat(width - heavy)]
}

/// The time until the heavy part of the bar becomes one cell shorter.
pub fn to_next_cell(left: Duration, total: Duration, width: usize) -> Duration {
    let left = left.min(total).as_millis();
    let total = total.as_millis().max(1);
    let cells = u128::try_from(width).unwrap_or_default().max(1);
    let heavy = (left * cells).div_ceil(total);
    let next_left_ms = heavy.saturating_sub(1) * total / cells;
    Duration::from_millis(
        u64::try_from(left - next_left_ms.min(left))
            .unwrap_or(u64::MAX)
            .max(1),
    )
}

pub fn spans([heavy, light]: [String; 2]) -> [Span; 2] {
    [Span::of(Role::Accent, heavy), Span::of(Role::Rule, light)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar_text(seconds: u64) -> String {
        time_bar(Duration::from_secs(seconds), Duration::from_secs(570), 10).concat()
    }

    #[test]
    fn bar_shrinks_and_is_empty_when_no_time_is_left() {
        assert_eq!(bar_text(570), "━━━━━━━━━━");
        assert_eq!(bar_text(569), "━━━━━━━━━━");
        assert_eq!(bar_text(513), "━━━━━━━━━─");
        assert_eq!(bar_text(1), "━─────────");
        assert_eq!(bar_text(0), "──────────");
        assert_eq!(bar_text(9_999), "━━━━━━━━━━", "never longer than its place");
        assert_eq!(time_bar(Duration::ZERO, Duration::ZERO, 3).concat(), "───");
    }

    #[test]
    fn bar_width_is_limited_to_available_columns() {
        assert_eq!(
            [5, 6, 9, 12, 40].map(bar_width),
            [None, Some(6), Some(9), Some(12), Some(12)]
        );
    }

    #[test]
    fn next_cell_time_is_when_the_bar_gets_shorter() {
        let total = Duration::from_secs(570);
        let mut time_left = Duration::from_secs(570);
        for cells in (0..10).rev() {
            let step = to_next_cell(time_left, total, 10);
            let just_before = time_left - step + Duration::from_millis(1);
            assert_eq!(
                time_bar(just_before, total, 10),
                time_bar(time_left, total, 10)
            );
            time_left -= step;
            assert_eq!(time_bar(time_left, total, 10)[0].chars().count(), cells);
        }
        assert_eq!(time_left, Duration::ZERO);
        assert_eq!(
            to_next_cell(Duration::ZERO, total, 10),
            Duration::from_millis(1)
        );
    }
}
