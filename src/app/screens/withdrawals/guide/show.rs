//! The clues to look for in the account, line by line, and the answers after that.

use crate::app::Store;
use crate::app::screens::withdrawals::show::{outcome, steps};
use crate::app::store::nicknames;
use crate::app::store::withdrawals::clues::{Clue, ClueKind, clues, sent_between};
use crate::app::store::withdrawals::rules;
use crate::app::ui::block::{self, Block};
use crate::app::ui::parts::{LABEL, labelled, row, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::columns;
use crate::app::ui::{Area, Line, Page, Role};
use crate::trade::withdrawal::{Alarm, WithdrawalState};
use crate::trade::{FigureSource, Withdrawal};
use crate::words::{dates, personal};

/// Draws the guide of the withdrawal below it.
pub fn draw(store: &Store, withdrawal: &Withdrawal, cursor: usize, area: Area, page: &mut Page) {
    let name = store.with("guide-title", &[("amount", &withdrawal.agreement.amount.to_string())]);
    let room = outcome::room_for(&name, area);
    title(&name, outcome::countdown(store, withdrawal, room), area, page);
    let (text, at) = laid(store, withdrawal, cursor, area);
    text.draw_around(at, store.reader(), page);
}

/// All of it, and the line that must be seen.
fn laid(store: &Store, withdrawal: &Withdrawal, cursor: usize, area: Area) -> (Text, usize) {
    // The bar of the cursor stands in the margin of the other lines.
    let inner = area.narrowed(1).split_top(2).1.without_right(1);
    let (width, rows) = (usize::from(inner.width).saturating_sub(1), usize::from(inner.height));
    let indented =
        |lines: Vec<Line>| Block::new(lines.into_iter().map(|line| line.indented(1)).collect());
    let head = wrapped(Role::Text, &store.text("guide-where"), width);
    let clues = clue_lines(store, withdrawal, cursor, width);
    let at = head.len() + clues.iter().take(cursor).map(Vec::len).sum::<usize>();
    let parts = vec![
        indented(head).close(),
        Block::new(clues.concat()),
        indented(steps::in_guide(store, withdrawal, width)),
        indented(remarks(store, withdrawal, width)),
    ];
    let text = Text::new(block::text(parts, rows), inner);
    // The first clue is seen with what is said above it.
    let at = if cursor == 0 { 0 } else { at };
    (text, at)
}

/// The clues, the one under the cursor marked by the bar.
fn clue_lines(
    store: &Store,
    withdrawal: &Withdrawal,
    cursor: usize,
    width: usize,
) -> Vec<Vec<Line>> {
    let clues = clues(store, withdrawal);
    let widest = clues.iter().map(|clue| columns(&store.text(name(clue.what)))).max().unwrap_or(0);
    let label = LABEL.min(width / 3).max(widest + 2).min(width / 2);
    let line = |(n, clue): (usize, Clue)| -> Vec<Line> {
        let text = shown(store, withdrawal, &clue);
        let mut lines = labelled((&store.text(name(clue.what)), label), &text, width);
        if clue.what == ClueKind::Said {
            let values = lines.iter_mut().filter_map(|line| line.spans.last_mut());
            values.for_each(|value| value.role = Some(Role::Bad));
        }
        lines.into_iter().map(|line| row(n == cursor, line.spans)).collect()
    };
    clues.into_iter().enumerate().map(line).collect()
}

fn name(what: ClueKind) -> &'static str {
    match what {
        ClueKind::Amount => "guide-amount",
        ClueKind::Net => "guide-net",
        ClueKind::Said => "guide-said",
        ClueKind::When => "guide-when",
        ClueKind::Destination => "outcome-to",
        ClueKind::Key => "outcome-key",
    }
}

/// A clue as it is read; what is copied of it is the figure alone.
fn shown(store: &Store, withdrawal: &Withdrawal, clue: &Clue) -> String {
    let agreement = &withdrawal.agreement;
    match clue.what {
        ClueKind::Amount => agreement.amount.to_string(),
        ClueKind::Net => match &agreement.quote {
            Some(quote) if quote.net_source == FigureSource::Computed => {
                format!("{} ({})", quote.net, store.text("figure-computed"))
            }
            _ => format!("R$ {}", clue.text.shown()),
        },
        ClueKind::Said => match withdrawal.contradiction() {
            Some(Alarm::Amount { got, .. }) => got.to_string(),
            _ => personal::typed_within(store.words(), &clue.text, 80),
        },
        ClueKind::When => when(store, withdrawal, clue),
        ClueKind::Destination => nicknames::to(store, agreement),
        ClueKind::Key => clue.text.shown(),
    }
}

/// Says when it was sent, as the seller's clock has it, and as a support reads it.
fn when(store: &Store, withdrawal: &Withdrawal, clue: &Clue) -> String {
    let Some((first, last)) = sent_between(withdrawal) else { return String::new() };
    let begin = store.reader().moment(first.wall);
    let exact = clue.text.shown();
    if first == last {
        return format!("{begin} ({exact})");
    }
    let end = store.reader().time_exact(last.wall);
    store.with("guide-between", &[("begin", &begin), ("end", &end), ("exact", &exact)])
}

/// Says what to do when it is not there, or why that cannot be said yet and when it can.
fn remarks(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let text = match (store.state_of(withdrawal), rules::window_left(store, withdrawal)) {
        (WithdrawalState::Unknown, Some(left)) => {
            store.with("guide-not-yet", &[("left", &dates::minutes(left))])
        }
        _ => store.text("guide-not-found"),
    };
    wrapped(Role::Dim, &text, width)
}
