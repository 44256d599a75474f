//! What to look for in the account, line by line, and what can be said after that.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use crate::app::Model;
use crate::app::geometry::{self, Area};
use crate::app::scroll::Overflow;
use crate::app::withdrawals::guide::{Clue, What, clues, sent_between, subject};
use crate::trade::withdrawal::{Alarm, WithdrawalState};
use crate::trade::{FigureSource, Withdrawal};
use crate::view::parts::{LABEL, row, title, wrapped};
use crate::view::scrolled::Text;
use crate::view::text::{columns, exactly, fit, wrap};
use crate::view::{Look, Role, dates};

use super::{facts, outcome, steps};

/// Draws the guide of the withdrawal below it.
pub(super) fn draw(
    model: &Model,
    look: &Look,
    cursor: usize,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    let Some(withdrawal) = subject(model) else { return };
    let amount = withdrawal.agreement.amount.to_string();
    let name = look.words.with("guide-title", &[("amount", &amount)]);
    title(look, &name, outcome::countdown(model, look, withdrawal), area, frame);
    let (text, first) = laid(model, look, withdrawal, cursor, area);
    text.draw(model, look, first.saturating_add(scroll), frame);
}

/// What of it has no room below the clue under the cursor.
pub(super) fn overflow(model: &Model, look: &Look, cursor: usize, area: Area) -> Option<Overflow> {
    let (text, first) = laid(model, look, subject(model)?, cursor, area);
    let whole = text.overflow();
    Some(Overflow { lines: whole.lines.saturating_sub(first), ..whole })
}

/// All of it, and the line it begins with so that the clue under the cursor is seen.
fn laid(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    cursor: usize,
    area: Area,
) -> (Text, u16) {
    // The bar of the cursor stands in the margin of the other lines.
    let inner = area.narrowed(1).split_top(2).1.without_right(1);
    let (width, rows) = (usize::from(inner.width).saturating_sub(1), usize::from(inner.height));

    let head = wrapped(look, Role::Text, &look.say("guide-where"), width);
    let clues = clue_lines(model, look, withdrawal, cursor, width);
    let steps = steps::in_guide(model, look, withdrawal, width);
    let remarks = remarks(model, look, withdrawal, width);
    let at: usize = clues.iter().take(cursor).map(Vec::len).sum();
    let clues = clues.into_iter().flatten().collect();
    let indented = |mut lines: Vec<Line<'static>>| {
        lines.iter_mut().for_each(|line| line.spans.insert(0, Span::raw(" ")));
        lines
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
fn with_air(mut gaps: usize, parts: [Vec<Line<'static>>; 4]) -> Vec<Line<'static>> {
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
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    cursor: usize,
    width: usize,
) -> Vec<Vec<Line<'static>>> {
    let clues = clues(model, withdrawal);
    let widest = clues.iter().map(|clue| columns(&look.say(name(clue.what)))).max().unwrap_or(0);
    let label = LABEL.min(width / 3).max(widest + 2).min(width / 2);
    let room = width.saturating_sub(label).max(1);
    let line = |(n, clue): (usize, Clue)| {
        let shown = wrap(&shown(model, look, withdrawal, &clue), room);
        let name = look.say(name(clue.what));
        let labels = std::iter::once(name.as_str()).chain(std::iter::repeat(""));
        let role = if clue.what == What::Said { Role::Bad } else { Role::Text };
        let spans = shown.into_iter().zip(labels).map(|(text, name)| {
            let spans = vec![
                look.span(Role::Dim, exactly(&fit(name, label.saturating_sub(2)), label)),
                look.span(role, text),
            ];
            row(look, n == cursor, spans)
        });
        spans.collect()
    };
    clues.into_iter().enumerate().map(line).collect()
}

fn name(what: What) -> &'static str {
    match what {
        What::Amount => "guide-amount",
        What::Net => "guide-net",
        What::Said => "guide-said",
        What::When => "guide-when",
        What::Destination => "outcome-to",
        What::Key => "outcome-key",
    }
}

/// A clue as it is read; what is copied of it is the figure alone.
fn shown(model: &Model, look: &Look, withdrawal: &Withdrawal, clue: &Clue) -> String {
    let agreement = &withdrawal.agreement;
    match clue.what {
        What::Amount => agreement.amount.to_string(),
        What::Net => match &agreement.quote {
            Some(quote) if quote.net_source == FigureSource::Computed => {
                format!("{} ({})", quote.net, look.say("figure-computed"))
            }
            _ => format!("R$ {}", clue.text.shown()),
        },
        What::Said => match withdrawal.contradiction() {
            Some(Alarm::Amount { got, .. }) => got.to_string(),
            _ => clue.text.shown_within(80),
        },
        What::When => when(model, look, withdrawal, clue),
        What::Destination => facts::destination_text(look, agreement.destination.as_ref()),
        What::Key => clue.text.shown(),
    }
}

/// When it was sent, as the seller's clock says it, and as a support reads it.
fn when(model: &Model, look: &Look, withdrawal: &Withdrawal, clue: &Clue) -> String {
    let Some((first, last)) = sent_between(withdrawal) else { return String::new() };
    let begin = dates::moment(model, look, first.wall);
    let exact = clue.text.shown();
    if first == last {
        return format!("{begin} ({exact})");
    }
    let end = dates::time_exact(model, last.wall);
    look.words.with("guide-between", &[("begin", &begin), ("end", &end), ("exact", &exact)])
}

/// What to do when it is not there, or why that cannot be said yet and when it can.
fn remarks(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    width: usize,
) -> Vec<Line<'static>> {
    let text = match (model.state_of(withdrawal), outcome::time_left(model, withdrawal)) {
        (WithdrawalState::Unknown, Some(left)) => {
            look.words.with("guide-not-yet", &[("left", &left)])
        }
        _ => look.say("guide-not-found"),
    };
    wrapped(look, Role::Dim, &text, width)
}
