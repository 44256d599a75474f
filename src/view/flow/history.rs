//! Every attempt of a withdrawal in full: for whoever has to tell somebody else what happened.

use ratatui::Frame;
use ratatui::text::Line;

use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::withdrawals::guide::subject;
use crate::trade::{Untrusted, Withdrawal};
use crate::view::parts::{title, wrapped};
use crate::view::scrolled::Text;
use crate::view::{Look, Role, dates};

use super::{attempts, facts};

/// Columns of somebody else's words: whoever writes more than this writes to nobody.
const MOST: usize = 4_000;

/// Draws all attempts of the withdrawal below, each with its own words in full, and by what the
/// service's support finds it.
pub(super) fn draw(model: &Model, look: &Look, scroll: u16, area: Area, frame: &mut Frame) {
    let Some(withdrawal) = subject(model) else { return };
    let amount = withdrawal.agreement.amount.to_string();
    let name = look.words.with("attempts-title", &[("amount", &amount)]);
    title(look, &name, Line::default(), area, frame);
    text(model, look, withdrawal, area).draw(model, look, scroll, frame);
}

/// All of it.
pub(super) fn text(model: &Model, look: &Look, withdrawal: &Withdrawal, area: Area) -> Text {
    let inner = area.narrowed(2).split_top(2).1;
    let width = usize::from(inner.width);
    let mut lines = Vec::new();
    for at in 0..withdrawal.attempts.len() {
        lines.extend(one(model, look, withdrawal, at, width));
        lines.push(Line::default());
    }
    let agreement = &withdrawal.agreement;
    lines.extend(facts::destination(look, agreement, width));
    lines.extend(facts::key(look, agreement, width));
    lines.extend(facts::id(look, withdrawal, width));
    lines.extend(facts::status(look, withdrawal, width));
    lines.extend(facts::quote(look, agreement, width));
    Text::new(lines, inner)
}

/// When it began and ended, what came back, its class and proof, and the service's words.
fn one(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    at: usize,
    width: usize,
) -> Vec<Line<'static>> {
    let attempt = &withdrawal.attempts[at];
    let (n, begin) = (attempt.n.to_string(), dates::moment(model, look, attempt.began.wall));
    let head = match &attempt.end {
        Some(end) => {
            let end = dates::time_exact(model, end.at);
            let values = [("n", n.as_str()), ("begin", &begin), ("end", &end)];
            look.words.with("attempts-from-to", &values)
        }
        None => look.words.with("attempts-from", &[("n", &n), ("begin", &begin)]),
    };
    let mut lines = wrapped(look, Role::Strong, &head, width);
    let what = attempts::came_back(model, look, withdrawal, attempt);
    lines.extend(wrapped(look, Role::Text, &what, width));
    let (proof, role) = attempts::proof(model, look, withdrawal, at);
    lines.extend(wrapped(look, role, &proof, width));
    let Some(end) = &attempt.end else { return lines };
    let theirs = [("quote-service", &end.message), ("quote-hint", &end.hint)];
    for (label, words) in theirs {
        if let Some(words) = words {
            lines.push(look.line(Role::Dim, look.say(label)));
            lines.extend(wrapped(look, Role::Quote, &in_full(look, words), width));
        }
    }
    if let Some(date) = end.server_date {
        let when = dates::moment(model, look, date);
        let said = look.words.with("attempts-server-date", &[("when", &when)]);
        lines.extend(wrapped(look, Role::Dim, &said, width));
    }
    lines
}

fn in_full(look: &Look, words: &Untrusted) -> String {
    look.words.with("theirs-quote", &[("text", &words.shown_within(MOST))])
}
