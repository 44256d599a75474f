//! Scrolling of the text in front: to its end, and no further.

use crate::app::Store;
use crate::app::ui::list::Move;

/// Scrolls the text in front; from its end the first key back is one that moves.
///
/// The last frame noted where the text ends. Before the first frame it is scrolled without an end,
/// which that frame finds.
pub fn go(store: &mut Store, last: u16, to: Move) {
    // The window may have grown, or the text become shorter, since it was scrolled.
    let first = store.scroll.min(last);
    store.scroll = match to {
        Move::By(lines) => {
            let by = i32::try_from(lines).unwrap_or(if lines < 0 { i32::MIN } else { i32::MAX });
            let to = i32::from(first).saturating_add(by).clamp(0, i32::from(last));
            u16::try_from(to).unwrap_or(last)
        }
        Move::First => 0,
        Move::Last => last,
        Move::To(line) => u16::try_from(line).unwrap_or(u16::MAX).min(last),
    };
}
