//! Bars of a chart, in two rows.

use crate::app::ui::{Role, Span};
use crate::trade::Money;

/// The characters for the bars of a chart, from the lowest to the highest. The lowest one is the
/// baseline, so that it also differs from a bar without colors.
pub const BAR_CHARACTERS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// The number of heights that a bar can have above the baseline, in two rows.
const BAR_STEPS: i128 = 2 * BAR_CHARACTERS.len() as i128 - 1;

/// The part of a bar in one row, with the gap to the next bar. `empty` fills the row where there is
/// no bar.
pub fn bar_spans(height: usize, width: usize, empty: &'static str) -> [Span; 2] {
    let gap = Span::of(Role::Rule, empty);
    let Some(step) = height.min(BAR_CHARACTERS.len()).checked_sub(1) else {
        return [Span::of(Role::Rule, empty.repeat(width)), gap];
    };
    let bar = BAR_CHARACTERS[step].repeat(width);
    [Span::of(Role::Accent, bar), gap]
}

/// The height of the bar for a sum, in eighths of a row; 0 if the sum is zero. The lowest bar is
/// one step higher than the baseline.
pub fn bar_height(sum: Money, highest_sum: Money) -> usize {
    let [sum, highest_sum] =
        [sum, highest_sum].map(|sum| i128::from(sum.centavos().unwrap_or_default()));
    // Round up, so that even the smallest sum has a bar.
    let step = (sum * BAR_STEPS + highest_sum - 1) / highest_sum.max(1);
    usize::try_from(step).map_or(0, |step| step + usize::from(step > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_height_is_proportional_to_sum() {
        let height =
            |sum, highest| bar_height(Money::from_centavos(sum), Money::from_centavos(highest));
        assert_eq!(height(0, 1_500), 0);
        assert_eq!(height(0, 0), 0, "no link in all the days");
        assert_eq!(height(1, 1_500), 2, "the least is seen");
        assert_eq!([height(100, 1_500), height(101, 1_500)], [2, 3]);
        assert_eq!([height(1_400, 1_500), height(1_401, 1_500)], [15, 16]);
        assert_eq!(height(i64::MAX, i64::MAX), 16);
    }
}
