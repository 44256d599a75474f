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
    /// The rows of those that do not give way to fields either: why it goes no further is told
    /// there.
    pub kept: u16,
}

impl Around {
    /// The same rows, of which the ones below do not give way to fields.
    pub fn keeping(self) -> Around {
        Around { kept: self.below.min(LEAST_BELOW), ..self }
    }
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

/// Of the rows below a button, so many are worth more than the head and than fields.
const LEAST_BELOW: u16 = 4;

/// The rows of fields and button that stay whatever is kept below them: the field with the focus,
/// what is said under it or another one, and the button.
const LEAST_FIELDS: u16 = 3;

/// Places the fields of this form in the body.
pub fn places(form: &Form, around: Around, body: Area) -> FormAreas {
    let rows = u16::try_from(form.fields.len()).unwrap_or(u16::MAX).saturating_add(1);
    let wanted = around.below.min(LEAST_BELOW);
    let spare = body.height.saturating_sub(rows.min(4)).saturating_sub(wanted);
    // Whatever gives way, the row of the title is the title's.
    let head = around.head.min(spare).max(1);
    let area = body.split_top(head).1.narrowed(2);
    let heights = heights(form, area.height.saturating_sub(around.below));
    // Whether anything came of what failed is not what gives way to fields.
    let room = area.height.saturating_sub(around.kept).max(rows.min(LEAST_FIELDS));
    let room = room.min(area.height);
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

/// Counts the rows of each field and of the button.
fn heights(form: &Form, room: u16) -> Vec<u16> {
    let is_told = |n: &usize| {
        let field = form.fields.get(*n);
        field.is_some_and(|field| field.error.is_some() || field.hint.is_some())
    };
    let count = form.fields.len();
    let mut heights = vec![1; count + 1];
    if is_told(&form.focus) {
        heights[form.focus] += 1;
    }
    let spare = usize::from(room.saturating_sub(heights.iter().sum()));
    // The most needed first: what is said under a field, the button apart from the fields and from
    // what is below it, and the fields apart from each other.
    let told = (0..count).filter(|n| is_told(n) && *n != form.focus);
    let around_button = count.checked_sub(1).into_iter().chain([count]);
    let needed: Vec<usize> = told.chain(around_button).collect();
    // Those between the fields all or none: two that stand closer read as one thing.
    let between: Vec<usize> = (0..count.saturating_sub(1)).filter(|n| !is_told(n)).collect();
    let between = Some(between).filter(|all| needed.len() + all.len() <= spare);
    for n in needed.into_iter().chain(between.unwrap_or_default()).take(spare) {
        heights[n] += 1;
    }
    heights
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ui::form::{Field, FieldError, Label};

    fn form(fields: usize) -> Form {
        let field = |_| Field::text("x", Label::Word("account-profile"), true, 20);
        Form::new((0..fields).map(field).collect())
    }

    /// The rows of the fields and of the button, in a body of so many rows below a title.
    fn rows(form: &Form, height: u16) -> Vec<u16> {
        let around = Around { head: 1, below: 1, kept: 1 };
        let places = places(form, around, Area { height, width: 60, ..Area::default() });
        places.fields.iter().chain([&places.button]).map(|place| place.y).collect()
    }

    #[test]
    fn blank_rows_between_fields_give_way_all_at_once_and_the_one_above_the_button_last() {
        let form = form(3);
        assert_eq!(rows(&form, 10), [1, 3, 5, 7]);
        assert_eq!(rows(&form, 9), [1, 2, 3, 5]);
        assert_eq!(rows(&form, 7), [1, 2, 3, 5], "below the button is no air left");
        assert_eq!(rows(&form, 6), [1, 2, 3, 4]);
    }

    #[test]
    fn what_is_said_under_a_field_comes_before_air_and_the_button_stands_apart_from_it() {
        let mut form = form(3);
        form.fields[2].error = Some(FieldError::Missing);
        assert_eq!(rows(&form, 11), [1, 3, 5, 8]);
        assert_eq!(rows(&form, 7), [1, 2, 3, 5], "what is said stands between");
        form.fields[0].error = Some(FieldError::Missing);
        assert_eq!(rows(&form, 8), [1, 3, 4, 6]);
    }
}
