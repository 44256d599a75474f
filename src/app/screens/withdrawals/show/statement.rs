//! The typed statement that a withdrawal was not paid, in a box over its guide.

use super::state::alarm_texts;
use crate::app::Store;
use crate::app::geometry;
use crate::app::screen::Focus;
use crate::app::screens::withdrawals::Statement;
use crate::app::ui::parts::{Confirm, boxed, two_buttons, wrapped};
use crate::app::ui::scrolled::{Agreed, Text};
use crate::app::ui::text::exactly;
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::trade::Withdrawal;
use crate::trade::withdrawal::WithdrawalState;
use crate::words::Words;
use crate::words::names;

/// Columns of the label in front of the typed amount.
const FIELD: usize = 18;

/// Draws it.
pub fn draw(
    store: &Store,
    say: &Words,
    (statement, withdrawal): (&Statement, &Withdrawal),
    area: Area,
    page: &mut Page,
) {
    let StatementLayout { agreed, field, after } = laid(store, say, (statement, withdrawal), area);
    let inside = boxed(&say.text("not-paid-title"), geometry::statement(area), page);
    agreed.draw(store, say, after, page);
    buttons(store, say, statement, geometry::buttons(inside), page);
    let is_typing = statement.buttons.focus == Focus::Amount && !page.holds_back();
    if let (true, Some(place)) = (is_typing, field) {
        let typed = statement.field.to_string().chars().count();
        let x = place.x + u16::try_from(FIELD + 3 + typed).unwrap_or(0);
        if x < place.right() && place.height > 0 {
            page.set_cursor(x, place.y);
        }
    }
}

/// What would be stated, as it stands on the screen.
struct StatementLayout {
    agreed: Agreed,
    /// The row of the field.
    field: Option<Area>,
    /// The field, where it stands below what is read.
    after: Line,
}

fn laid(
    store: &Store,
    say: &Words,
    (statement, withdrawal): (&Statement, &Withdrawal),
    area: Area,
) -> StatementLayout {
    let inside = geometry::inside(geometry::statement(area));
    let room = inside.without_bottom(geometry::buttons(inside).height);
    let (width, rows) = (usize::from(room.width), usize::from(room.height));
    let parts =
        [about(say, withdrawal, width), says(store, say, withdrawal, width), risk(say, width)];
    let needed = parts.iter().map(Vec::len).sum::<usize>() + 1;
    let Some(mut gaps) = rows.checked_sub(needed) else {
        let agreed = Agreed::paged(Text::new(parts.concat(), room));
        let (field, after) = (agreed.foot, self::field(say, statement, width));
        return StatementLayout { agreed, field, after };
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
    lines.push(self::field(say, statement, width));
    StatementLayout { agreed: Agreed::whole(Text::new(lines, room)), field, after: Line::default() }
}

/// Which withdrawal.
fn about(say: &Words, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let agreement = &withdrawal.agreement;
    let to = names::destination(say, agreement.destination.as_ref());
    let amount = agreement.amount.to_string();
    let text = say.with("not-paid-about", &[("amount", &amount), ("to", &to)]);
    wrapped(Role::Strong, &text, width)
}

/// What exactly is stated, and what it leads to.
fn says(store: &Store, say: &Words, one: &Withdrawal, width: usize) -> Vec<Line> {
    let says = match one.contradiction().map(alarm_texts) {
        Some((sent, got)) => say.with("not-paid-says-neither", &[("sent", &sent), ("got", &got)]),
        None => say.text("not-paid-says"),
    };
    let locked = matches!(store.state_of(one), WithdrawalState::Mismatch(_));
    let then = if locked { "not-paid-then-unlocks" } else { "not-paid-then" };
    let mut lines = wrapped(Role::Text, &says, width);
    lines.extend(wrapped(Role::Text, &say.text(then), width));
    lines
}

fn risk(say: &Words, width: usize) -> Vec<Line> {
    wrapped(Role::Warn, &say.text("not-paid-risk"), width)
}

/// The field that wants the amount again.
fn field(say: &Words, statement: &Statement, width: usize) -> Line {
    let focused = statement.buttons.focus == Focus::Amount;
    let label = if focused { Role::Strong } else { Role::Dim };
    let typed = if focused { Role::Focus } else { Role::Field };
    let amount = statement.amount.to_string();
    let remark = if statement.is_typed() {
        Span::of(Role::Good, say.text("review-retype-same-now"))
    } else {
        Span::of(Role::Dim, say.with("review-retype-differs", &[("amount", &amount)]))
    };
    let mut line = Line::from(vec![
        Span::of(label, exactly(&say.text("review-retype"), FIELD)),
        Span::of(typed, format!("R$ {}", statement.field)),
    ]);
    // Half a figure is worse than none.
    if line.width() + 3 + remark.width() <= width {
        line.push(Span::of(Role::Text, "   "));
        line.push(remark);
    }
    line
}

/// The harmless button, and the one that is dead until the amount is typed.
fn buttons(store: &Store, say: &Words, statement: &Statement, row: Area, page: &mut Page) {
    let focus = if page.holds_back() { Focus::Back } else { statement.buttons.focus };
    let is_new = focus == Focus::Confirm && !page.may_press;
    let confirm = match statement.may_be_made(store.now.boot_ms) && !is_new {
        _ if !page.is_read() => Confirm::Absent,
        true => Confirm::Live,
        false => Confirm::Dead,
    };
    let back = (&*say.text("not-paid-back"), focus == Focus::Back);
    let does = (&*say.text("not-paid-do"), focus == Focus::Confirm);
    two_buttons(back, does, confirm, row, page);
}
