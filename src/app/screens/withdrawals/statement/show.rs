//! The typed statement that a withdrawal was not paid, in a box over its guide.

use crate::app::Store;
use crate::app::screen::Focus;
use crate::app::screens::withdrawals::Statement;
use crate::app::screens::withdrawals::show::terms::{self, Clauses, TermsLayout};
use crate::app::store::nicknames;
use crate::app::ui::block::Gap;
use crate::app::ui::parts::{boxed, wrapped};
use crate::app::ui::{Area, Line, Page, Role, geometry};
use crate::trade::Withdrawal;
use crate::trade::withdrawal::WithdrawalState;
use crate::words::{Words, attempts};

/// Columns of the box.
const WIDTH: u16 = 70;

pub fn draw(
    store: &Store,
    statement: &Statement,
    withdrawal: &Withdrawal,
    area: Area,
    page: &mut Page,
) {
    let parts = parts(store, withdrawal, area);
    // A gap below each, and the field.
    let lines = parts.iter().map(Vec::len).sum::<usize>() + parts.len() + 1;
    let area = geometry::question(area, WIDTH, lines);
    let inside = boxed(&store.text("not-paid-title"), area, page);
    let mut clauses = Clauses::new(inside.width.into(), Gap::None);
    for part in parts {
        clauses.add(part);
        clauses.air();
    }
    clauses.field(amount_field(store.words(), statement, inside.width.into()));
    let typing = Some(&statement.field).filter(|_| statement.buttons.focus == Focus::Amount);
    let laid = TermsLayout::new(clauses, inside);
    let row = laid.draw(store.reader(), typing, inside, page);
    buttons(store, statement, row, page);
}

/// Lays out what it is about, what is stated, and the risk.
fn parts(store: &Store, withdrawal: &Withdrawal, body: Area) -> [Vec<Line>; 3] {
    let width = usize::from(geometry::inside(body.middle(WIDTH, 0)).width);
    let risk = wrapped(Role::Warn, &store.text("not-paid-risk"), width);
    [about(store, withdrawal, width), says(store, withdrawal, width), risk]
}

fn about(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let agreement = &withdrawal.agreement;
    let to = nicknames::to(store, agreement);
    let amount = agreement.amount.to_string();
    let text = store.with("not-paid-about", &[("amount", &amount), ("to", &to)]);
    wrapped(Role::Strong, &text, width)
}

/// Lays out what exactly is stated, and what it leads to.
fn says(store: &Store, one: &Withdrawal, width: usize) -> Vec<Line> {
    let says = match one.contradiction().map(|alarm| attempts::both_sides(store.words(), alarm)) {
        Some((sent, got)) => store.with("not-paid-says-neither", &[("sent", &sent), ("got", &got)]),
        None => store.text("not-paid-says"),
    };
    let locked = matches!(store.state_of(one), WithdrawalState::Mismatch(_));
    let then = if locked { "not-paid-then-unlocks" } else { "not-paid-then" };
    let mut lines = wrapped(Role::Text, &says, width);
    lines.extend(wrapped(Role::Text, &store.text(then), width));
    lines
}

fn amount_field(say: &Words, statement: &Statement, width: usize) -> Line {
    let focused = statement.buttons.focus == Focus::Amount;
    terms::amount_field(say, statement.amount, &statement.field, focused, width)
}

/// The harmless button, and the one that is dead until the amount is typed.
fn buttons(store: &Store, statement: &Statement, row: Area, page: &mut Page) {
    let confirm = statement.buttons.confirm(statement.may_confirm(store), page);
    let names = ["not-paid-back", "not-paid-do"].map(|id| store.text(id));
    statement.buttons.show([&names[0], &names[1]], confirm, row, page);
}
