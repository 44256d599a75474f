//! How many rows the fields of a form take, and which of them are shown.

use crate::app::form::Form;

/// How many rows each field and the button take: with air between them where there is room, else
/// with one for what is said of a field, else with one for what is said of the one in hand.
pub(super) fn heights(form: &Form, room: u16) -> Vec<u16> {
    let is_told = |n: usize| {
        let field = form.fields.get(n);
        field.is_some_and(|field| field.error.is_some() || field.hint.is_some())
    };
    let heights = |tall: &dyn Fn(usize) -> bool| -> Vec<u16> {
        (0..=form.fields.len()).map(|n| if tall(n) { 2 } else { 1 }).collect()
    };
    let fits = |heights: &Vec<u16>| heights.iter().sum::<u16>() <= room;
    let airy = Some(heights(&|_| true)).filter(fits);
    let told = || Some(heights(&is_told)).filter(fits);
    airy.or_else(told).unwrap_or_else(|| heights(&|n| n == form.focus && is_told(n)))
}

/// The first that is shown of what takes so many rows each: the one with the focus stands near the
/// middle, and below the last there is no air.
pub(super) fn first_shown(heights: &[u16], focus: usize, room: u16) -> usize {
    let mut left = room;
    let fits = |height: &&u16| {
        let rest = left.checked_sub(**height);
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    let at_the_end = heights.len() - heights.iter().rev().take_while(fits).count();
    let mut above = room / 2;
    let mut first = focus;
    while let Some(height) = first.checked_sub(1).map(|before| heights[before])
        && height <= above
    {
        (above, first) = (above - height, first - 1);
    }
    first.min(at_the_end)
}
