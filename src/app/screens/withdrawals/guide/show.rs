//! The clues to look for in the account, line by line, and the answers after that.

use crate::app::Store;
use crate::app::screens::withdrawals::show::{outcome, steps};
use crate::app::store::nicknames;
use crate::app::store::withdrawals::clues::{Clue, ClueKind, clues, sent_between};
use crate::app::store::withdrawals::rules;
use crate::app::ui::parts::{LABEL, row, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, exactly, fit, widest_word, wrap};
use crate::app::ui::{Area, Line, Overflow, Page, Role, Shown, Span, geometry};
use crate::trade::withdrawal::{Alarm, WithdrawalState};
use crate::trade::{FigureSource, Withdrawal};
use crate::words::{dates, personal};

/// Draws the guide of the withdrawal below it.
pub fn draw(store: &Store, withdrawal: &Withdrawal, cursor: usize, area: Area, page: &mut Page) {
    let name = store.with("guide-title", &[("amount", &withdrawal.agreement.amount.to_string())]);
    let room = outcome::room_for(&name, area);
    title(&name, outcome::countdown(store, withdrawal, room), area, page);
    let (text, first) = laid(store, withdrawal, cursor, area);
    let whole = text.overflow();
    page.shows(Shown::ALL, Overflow { lines: whole.lines.saturating_sub(first), ..whole });
    text.draw_from(first.saturating_add(page.scroll()), store.reader(), page);
}

/// All of it, and the line it begins with so that the clue under the cursor is seen.
fn laid(store: &Store, withdrawal: &Withdrawal, cursor: usize, area: Area) -> (Text, u16) {
    // The bar of the cursor stands in the margin of the other lines.
    let inner = area.narrowed(1).split_top(2).1.without_right(1);
    let (width, rows) = (usize::from(inner.width).saturating_sub(1), usize::from(inner.height));

    let head = wrapped(Role::Text, &store.text("guide-where"), width);
    let clues = clue_lines(store, withdrawal, cursor, width);
    let steps = steps::in_guide(store, withdrawal, width);
    let remarks = remarks(store, withdrawal, width);
    let at: usize = clues.iter().take(cursor).map(Vec::len).sum();
    let clues = clues.into_iter().flatten().collect();
    let indented = |lines: Vec<Line>| -> Vec<Line> {
        lines.into_iter().map(|line| line.indented(1)).collect()
    };
    let [head, steps, remarks] = [head, steps, remarks].map(indented);
    let needed = [&head, &clues, &steps, &remarks].iter().map(|part| part.len()).sum::<usize>();
    if let Some(gaps) = rows.checked_sub(needed) {
        return (Text::new(with_air(gaps, [head, clues, steps, remarks]), inner), 0);
    }
    // Where it is scrolled the clues come first.
    let first = geometry::scrolled(at, needed, rows.saturating_sub(1)).min(needed - rows);
    let lines = [clues, steps, head, remarks].concat();
    (Text::new(lines, inner), u16::try_from(first).unwrap_or(u16::MAX))
}

/// The parts below each other, with air between them where there is room for it.
fn with_air(mut gaps: usize, parts: [Vec<Line>; 4]) -> Vec<Line> {
    let mut lines = Vec::new();
    for part in parts {
        if gaps > 0 && !lines.is_empty() && !part.is_empty() {
            lines.push(Line::default());
            gaps -= 1;
        }
        lines.extend(part);
    }
    lines
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
    let room = width.saturating_sub(label).max(1);
    let line = |(n, clue): (usize, Clue)| -> Vec<Line> {
        let text = shown(store, withdrawal, &clue);
        let name = store.text(name(clue.what));
        let role = if clue.what == ClueKind::Said { Role::Bad } else { Role::Text };
        // An id that has no room beside its name stands below it.
        if widest_word(&text) > room && widest_word(&text) <= width {
            let below = wrap(&text, width).into_iter().map(|line| Span::of(role, line));
            let spans = std::iter::once(Span::of(Role::Dim, fit(&name, width))).chain(below);
            return spans.map(|span| row(n == cursor, vec![span])).collect();
        }
        let shown = wrap(&text, room);
        let labels = std::iter::once(name.as_str()).chain(std::iter::repeat(""));
        let spans = shown.into_iter().zip(labels).map(|(text, name)| {
            let spans = vec![
                Span::of(Role::Dim, exactly(&fit(name, label.saturating_sub(2)), label)),
                Span::of(role, text),
            ];
            row(n == cursor, spans)
        });
        spans.collect()
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
