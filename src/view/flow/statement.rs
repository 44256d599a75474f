//! The typed statement that a withdrawal was not paid, in a box over its guide.

use ratatui::Frame;
use ratatui::text::Line;

use crate::app::geometry::{self, Area};
use crate::app::withdrawals::ReviewFocus;
use crate::app::withdrawals::guide::subject;
use crate::app::withdrawals::statement::Statement;
use crate::app::{Model, offers, seen};
use crate::trade::withdrawal::WithdrawalState;
use crate::view::parts::{boxed, button, dead_button, wrapped};
use crate::view::scrolled::{Agreed, Text};
use crate::view::text::exactly;
use crate::view::{Look, Role};

use super::facts;
use super::state::alarm_texts;

/// Columns of the label in front of the typed amount.
const FIELD: usize = 18;

/// Draws it.
pub(super) fn draw(
    model: &Model,
    look: &Look,
    statement: &Statement,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    let Laid { agreed, field, after } = laid(model, look, statement, area);
    let inside = boxed(look, &look.say("not-paid-title"), geometry::statement(area), frame);
    agreed.draw(model, look, after, scroll, frame);
    buttons(model, look, statement, geometry::buttons(inside), frame);
    if let (ReviewFocus::Amount, Some(place)) = (statement.focus, field) {
        let typed = statement.field.to_string().chars().count();
        let x = place.x + u16::try_from(FIELD + 3 + typed).unwrap_or(0);
        if x < place.right() && place.height > 0 {
            frame.set_cursor_position((x, place.y));
        }
    }
}

/// All of what would be stated.
pub(super) fn text(model: &Model, look: &Look, statement: &Statement, area: Area) -> Text {
    laid(model, look, statement, area).agreed.text
}

/// What would be stated, as it stands on the screen.
struct Laid {
    agreed: Agreed,
    /// The row of the field.
    field: Option<Area>,
    /// The field, where it stands below what is read.
    after: Line<'static>,
}

fn laid(model: &Model, look: &Look, statement: &Statement, area: Area) -> Laid {
    let inside = geometry::inside(geometry::statement(area));
    let room = inside.without_bottom(geometry::buttons(inside).height);
    let (width, rows) = (usize::from(room.width), usize::from(room.height));
    let parts = [about(model, look, statement, width), says(model, look, width), risk(look, width)];
    let needed = parts.iter().map(Vec::len).sum::<usize>() + 1;
    let Some(mut gaps) = rows.checked_sub(needed) else {
        let agreed = Agreed::paged(Text::new(parts.concat(), room));
        let (field, after) = (agreed.foot, self::field(look, statement, width));
        return Laid { agreed, field, after };
    };
    let mut lines = Vec::new();
    for part in parts {
        lines.extend(part);
        if gaps > 0 {
            lines.push(Line::default());
            gaps -= 1;
        }
    }
    let field = u16::try_from(lines.len()).ok().map(|at| room.row(at));
    lines.push(self::field(look, statement, width));
    Laid { agreed: Agreed::whole(Text::new(lines, room)), field, after: Line::default() }
}

/// Which withdrawal.
fn about(model: &Model, look: &Look, statement: &Statement, width: usize) -> Vec<Line<'static>> {
    let to = subject(model).and_then(|one| one.agreement.destination.clone());
    let to = facts::destination_text(look, to.as_ref());
    let amount = statement.amount.to_string();
    let text = look.words.with("not-paid-about", &[("amount", &amount), ("to", &to)]);
    wrapped(look, Role::Strong, &text, width)
}

/// What exactly is stated, and what it leads to.
fn says(model: &Model, look: &Look, width: usize) -> Vec<Line<'static>> {
    let Some(one) = subject(model) else { return Vec::new() };
    let says = match one.contradiction().map(alarm_texts) {
        Some((sent, got)) => {
            look.words.with("not-paid-says-neither", &[("sent", &sent), ("got", &got)])
        }
        None => look.say("not-paid-says"),
    };
    let locked = matches!(model.state_of(one), WithdrawalState::Mismatch(_));
    let then = if locked { "not-paid-then-unlocks" } else { "not-paid-then" };
    let mut lines = wrapped(look, Role::Text, &says, width);
    lines.extend(wrapped(look, Role::Text, &look.say(then), width));
    lines
}

fn risk(look: &Look, width: usize) -> Vec<Line<'static>> {
    wrapped(look, Role::Warn, &look.say("not-paid-risk"), width)
}

/// The field that wants the amount again.
fn field(look: &Look, statement: &Statement, width: usize) -> Line<'static> {
    let focused = statement.focus == ReviewFocus::Amount;
    let label = if focused { Role::Strong } else { Role::Dim };
    let typed = if focused { Role::Focus } else { Role::Field };
    let amount = statement.amount.to_string();
    let remark = if statement.is_typed() {
        look.span(Role::Good, look.say("review-retype-same-now"))
    } else {
        look.span(Role::Dim, look.words.with("review-retype-differs", &[("amount", &amount)]))
    };
    let mut line = Line::from(vec![
        look.span(label, exactly(&look.say("review-retype"), FIELD)),
        look.span(typed, format!("R$ {}", statement.field)),
    ]);
    // Half a figure is worse than none.
    if line.width() + 3 + remark.width() <= width {
        line.push_span(look.span(Role::Text, "   "));
        line.push_span(remark);
    }
    line
}

/// The harmless button, and the one that is dead until the amount is typed.
fn buttons(model: &Model, look: &Look, statement: &Statement, row: Area, frame: &mut Frame) {
    let [back, state] = [0, 1].map(|n| geometry::button(row, n));
    let has_focus = |focus| statement.focus == focus;
    button(look, &look.say("not-paid-back"), has_focus(ReviewFocus::Back), back, frame);
    if !offers::can_agree(model) {
        return;
    }
    let is_new = has_focus(ReviewFocus::Confirm) && !seen::may_press(model);
    let is_live = statement.may_be_made(model.now.boot_ms) && !is_new;
    let draw = if is_live { button } else { dead_button };
    draw(look, &look.say("not-paid-do"), has_focus(ReviewFocus::Confirm), state, frame);
}
