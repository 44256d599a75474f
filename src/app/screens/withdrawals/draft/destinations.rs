//! Destinations that were paid to before: offered below the form, and remembered in the review.

use crate::app::Store;
use crate::app::screens::withdrawals::draft::known::Known;
use crate::app::store::nicknames;
use crate::app::ui::action::Action;
use crate::app::ui::list::in_the_middle;
use crate::app::ui::parts::{row, wrapped};
use crate::app::ui::text::{columns, exactly};
use crate::app::ui::{Area, Line, Role, Span, lists};
use crate::trade::withdrawal::Destination;
use crate::words::names;

/// Columns of the kind and the masked key: `chave aleatória 123e4567-••••-••••-••••-••••••••••••`.
const KEY: usize = 52;

/// The offered ones in so many rows, the most used first; the one in the form is marked.
pub fn list(store: &Store, known: &Known, width: usize, rows: usize) -> Vec<Line> {
    let key = store.reader().first_key(Action::NextKnown);
    let title = store.with("known-title", &[("key", key)]);
    let mut lines = wrapped(Role::Dim, &title, width);
    let offered: Vec<_> = known.offered().collect();
    let height = u16::try_from(rows.saturating_sub(lines.len())).unwrap_or(u16::MAX);
    let place = Area { height, width: width.try_into().unwrap_or(u16::MAX), ..Area::default() };
    let shown = in_the_middle(offered.len(), known.chosen.unwrap_or(0), place);
    let room = usize::from(shown.area.width);
    for (at, sign) in shown.rows().zip(shown.signs(offered.len())) {
        let mut line = offer(store, offered[at], known.chosen == Some(at), room);
        if shown.signs > 0 && !sign.is_empty() {
            line.push(Span::plain(" ".repeat((room + 1).saturating_sub(line.width()))));
            line.push(Span::of(Role::Dim, sign));
        }
        lines.push(line);
    }
    if shown.foot.height > 0 {
        lines.push(lists::hidden(store.words(), &shown, offered.len()).indented(1));
    }
    lines
}

fn offer(store: &Store, destination: &Destination, chosen: bool, width: usize) -> Line {
    let when = store.reader().day_of(destination.last);
    let used = store.words().count("known-used-short", destination.count, &[("when", &when)]);
    let beside = KEY + 3 + columns(&used) <= width;
    let room = if beside { KEY } else { width.saturating_sub(1) };
    let (account, key) = (store.account(), &destination.key);
    // A person who looks over the seller's shoulder reads no whole key.
    let text = names::masked_destination(store.words(), key);
    let shown = nicknames::beside_within(store, &account, Some(key), text, room);
    let shown = if beside { exactly(&shown, KEY) } else { shown };
    let mut spans = vec![Span::of(Role::Text, shown)];
    if beside {
        spans.push(Span::of(Role::Dim, format!("  {used}")));
    }
    row(chosen, spans)
}
