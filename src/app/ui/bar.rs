//! A bar that shows how much of a duration is left, like a countdown.

use std::time::Duration;

use super::{Role, Span};

/// The width, in columns, of the bar that shows the time left for sending a withdrawal again.
pub const BAR: usize = 12;

/// The minimum width of a bar, in columns. A shorter bar would show the time too coarsely.
const LEAST: usize = 6;

/// Returns the width of a bar that fits into `room` columns, or `None` if even the shortest bar
/// does not fit.
pub fn bar_width(room: usize) -> Option<usize> {
    (room >= LEAST).then(|| room.min(BAR))
}

/// Returns the bar as two strings: a heavy line for the time left, and a light line for the time
/// passed. The heavy line has at least one cell until no time is left.
pub fn left(left: Duration, whole: Duration, width: usize) -> [String; 2] {
    let (left, whole) = (left.min(whole).as_millis(), whole.as_millis().max(1));
    let cells = u128::try_from(width).unwrap_or_default();
    let heavy = usize::try_from((left * cells).div_ceil(whole)).unwrap_or(width).min(width);
    ["━".repeat(heavy), "─".repeat(width - heavy)]
}

/// Returns the time until the heavy part of the bar becomes one cell shorter.
pub fn to_next_cell(left: Duration, whole: Duration, width: usize) -> Duration {
    let (left, whole) = (left.min(whole).as_millis(), whole.as_millis().max(1));
    let cells = u128::try_from(width).unwrap_or_default().max(1);
    let heavy = (left * cells).div_ceil(whole);
    let then = heavy.saturating_sub(1) * whole / cells;
    Duration::from_millis(u64::try_from(left - then.min(left)).unwrap_or(u64::MAX).max(1))
}

/// Returns the two parts of the bar as styled text.
pub fn spans([heavy, light]: [String; 2]) -> [Span; 2] {
    [Span::of(Role::Accent, heavy), Span::of(Role::Rule, light)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(seconds: u64) -> String {
        left(Duration::from_secs(seconds), Duration::from_secs(570), 10).concat()
    }

    #[test]
    fn it_shrinks_and_is_empty_only_when_nothing_is_left() {
        assert_eq!(drawn(570), "━━━━━━━━━━");
        assert_eq!(drawn(569), "━━━━━━━━━━");
        assert_eq!(drawn(513), "━━━━━━━━━─");
        assert_eq!(drawn(1), "━─────────");
        assert_eq!(drawn(0), "──────────");
        assert_eq!(drawn(9_999), "━━━━━━━━━━", "never longer than its place");
        assert_eq!(left(Duration::ZERO, Duration::ZERO, 3).concat(), "───");
    }

    #[test]
    fn it_takes_the_room_there_is() {
        assert_eq!([5, 6, 9, 12, 40].map(bar_width), [None, Some(6), Some(9), Some(12), Some(12)]);
    }

    #[test]
    fn it_is_drawn_again_when_it_is_shorter_and_no_sooner() {
        let (whole, mut at) = (Duration::from_secs(570), Duration::from_secs(570));
        for cells in (0..10).rev() {
            let step = to_next_cell(at, whole, 10);
            let before = at - step + Duration::from_millis(1);
            assert_eq!(left(before, whole, 10), left(at, whole, 10));
            at -= step;
            assert_eq!(left(at, whole, 10)[0].chars().count(), cells);
        }
        assert_eq!(at, Duration::ZERO);
        assert_eq!(to_next_cell(Duration::ZERO, whole, 10), Duration::from_millis(1));
    }
}
