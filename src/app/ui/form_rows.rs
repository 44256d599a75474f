//! The rows of a form: how many each field takes, and which of them are shown.

use super::Area;
use crate::app::ui::form::Form;

/// The rows that a screen keeps for itself around its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Around {
    /// The rows above it: what it is, and what must be read first.
    pub head: u16,
    /// The rows below its button that are worth more than air between the fields.
    pub below: u16,
    /// True when those below do not give way to fields, because a failure is shown there.
    pub keeps_below: bool,
}

/// The areas of a form's fields, each on a row of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormAreas {
    /// The fields; one that has no room now is empty.
    pub fields: Vec<Area>,
    /// The row under each field for its error or hint; empty where that stands beside the field.
    pub said: Vec<Area>,
    /// All of the screen's place.
    pub body: Area,
    /// The rows above the form, as many as there are.
    pub head: Area,
    /// The submitting button.
    pub button: Area,
    /// The rows left below the button.
    pub below: Area,
}

/// Places the fields of this form in the body.
pub fn places(form: &Form, around: Around, body: Area) -> FormAreas {
    let rows = u16::try_from(form.fields.len()).unwrap_or(u16::MAX).saturating_add(1);
    let wanted = around.below;
    let spare = body.height.saturating_sub(rows.min(4)).saturating_sub(wanted);
    // Whatever gives way, the row of the title is the title's.
    let head = around.head.min(spare).max(1);
    let area = body.split_top(head).1.narrowed(2);
    let heights = heights(form, area.height.saturating_sub(wanted));
    // Whether anything came of what failed is not what gives way to fields.
    let room = match around.keeps_below {
        true => area.height.saturating_sub(wanted).max(rows.min(4)).min(area.height),
        false => area.height,
    };
    let first = first_shown(&heights, form.focus, room);
    let nowhere = Area { width: 0, height: 0, ..area };
    let row = |n: usize, at: u16| {
        let above = heights.get(first..n).map(|above| above.iter().sum::<u16>().saturating_add(at));
        above.filter(|above| *above < room).map_or(nowhere, |above| area.row(above))
    };
    let fields = (0..form.fields.len()).map(|n| row(n, 0)).collect();
    let said = |n: usize| if heights[n] > 1 { row(n, 1) } else { nowhere };
    let said = (0..form.fields.len()).map(said).collect();
    let button = row(form.fields.len(), 0);
    let end = if button.height == 0 { area.y + room } else { button.bottom() };
    let below = area.split_top(end - area.y).1.split_top(area.height).0;
    let head = body.split_top(area.y.saturating_sub(body.y)).0;
    FormAreas { fields, said, body, head, button, below }
}

/// Counts the rows of each field and of the button: two for all where there is room, else two for
/// each field with an error or a hint, else two for the one of these that has the focus.
fn heights(form: &Form, room: u16) -> Vec<u16> {
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
fn first_shown(heights: &[u16], focus: usize, room: u16) -> usize {
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
