//! Every attempt of a withdrawal in full, to be shown to others, such as the service's support.

use crate::app::Store;
use crate::app::ui::parts::{title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::wrap;
use crate::app::ui::{Area, Line, Page, Role};
use crate::trade::{Untrusted, Withdrawal};
use crate::words::{Words, personal};

use crate::app::screens::withdrawals::show::{attempts, facts};

/// Columns of the service's words: a longer text is not written to be read.
const MOST: usize = 4_000;

/// Draws all attempts of the withdrawal below, each with its own words in full, and by what the
/// service's support finds it.
pub fn draw(store: &Store, withdrawal: &Withdrawal, area: Area, page: &mut Page) {
    let amount = withdrawal.agreement.amount.to_string();
    let name = store.with("attempts-title", &[("amount", &amount)]);
    title(&name, Line::default(), area, page);
    let inner = area.narrowed(2).split_top(2).1;
    let width = usize::from(inner.width);
    let mut lines = Vec::new();
    for at in 0..withdrawal.attempts.len() {
        lines.extend(one(store, withdrawal, at, width));
        lines.push(Line::default());
    }
    lines.extend(facts::asked(store, &withdrawal.agreement, width));
    lines.extend(facts::known(store.words(), withdrawal, width));
    Text::new(lines, inner).draw(store.reader(), page);
}

/// Lays out its beginning and end, what came back, its class and proof, and the service's words.
fn one(store: &Store, withdrawal: &Withdrawal, at: usize, width: usize) -> Vec<Line> {
    let attempt = &withdrawal.attempts[at];
    let (n, begin) = (attempt.n.to_string(), store.reader().moment(attempt.began.wall));
    let head = match &attempt.end {
        Some(end) => {
            let end = store.reader().time_exact(end.at);
            let values = [("n", n.as_str()), ("begin", &begin), ("end", &end)];
            store.with("attempts-from-to", &values)
        }
        None => store.with("attempts-from", &[("n", &n), ("begin", &begin)]),
    };
    let mut lines = wrapped(Role::Strong, &head, width);
    let what = attempts::came_back(store, withdrawal, attempt);
    lines.extend(wrapped(Role::Text, &what, width));
    let (proof, mark) = attempts::proof(store, withdrawal, at);
    let proof = wrap(&mark.said(&proof), width);
    lines.extend(proof.into_iter().map(|line| Line::from(mark.span(line))));
    let Some(end) = &attempt.end else { return lines };
    let theirs = [("quote-service", &end.message), ("quote-hint", &end.hint)];
    for (label, words) in theirs {
        if let Some(words) = words {
            lines.push(Line::of(Role::Dim, store.text(label)));
            lines.extend(wrapped(Role::Quote, &in_full(store.words(), words), width));
        }
    }
    if let Some(date) = end.server_date {
        let when = store.reader().moment(date);
        let said = store.with("attempts-server-date", &[("when", &when)]);
        lines.extend(wrapped(Role::Dim, &said, width));
    }
    lines
}

fn in_full(say: &Words, words: &Untrusted) -> String {
    let words = personal::theirs(say, words).shown_within(MOST);
    say.with("theirs-quote", &[("text", &words)])
}
