//! Destinations that were paid to before: offered below the form, and remembered in the review.

use crate::app::Store;
use crate::app::screens::withdrawals::draft::known::Known;
use crate::app::store::nicknames;
use crate::app::ui::action::Action;
use crate::app::ui::list::in_the_middle;
use crate::app::ui::parts::wrapped;
use crate::app::ui::table::{self, Column};
use crate::app::ui::{Area, Line, Role, Span, lists};
use crate::trade::withdrawal::Destination;
use crate::words::names;

/// Columns of the kind and the masked key: `chave aleatória 123e4567-••••-••••-••••-••••••••••••`.
const KEY: usize = 52;

const COLUMNS: [Column<Store, Destination>; 2] =
    [Column { least: KEY, usual: KEY, ..Column::new(0, &[key]) }, Column::new(1, &[used])];

/// The offered ones in so many rows, the most used first; the one in the form is marked.
pub fn list(store: &Store, known: &Known, width: usize, rows: usize) -> Vec<Line> {
    let key = store.reader().first_key(Action::NextKnown);
    let title = store.with("known-title", &[("key", key)]);
    let mut lines = wrapped(Role::Dim, &title, width);
    let offered: Vec<_> = known.offered().collect();
    let height = u16::try_from(rows.saturating_sub(lines.len())).unwrap_or(u16::MAX);
    let place = Area { height, width: width.try_into().unwrap_or(u16::MAX), ..Area::default() };
    let shown = in_the_middle(offered.len(), known.chosen.unwrap_or(0), place);
    let rows: Vec<_> = shown.rows().map(|at| (offered[at], known.chosen == Some(at))).collect();
    lines.extend(table::lines(store, &COLUMNS, &rows, width));
    if shown.foot.height > 0 {
        lines.push(lists::hidden(store.words(), &shown, offered.len()).indented(1));
    }
    lines
}

fn key(store: &Store, destination: &Destination, room: usize) -> Span {
    let (account, key) = (store.account(), &destination.key);
    // A person who looks over the seller's shoulder reads no whole key.
    let text = names::masked_destination(store.words(), key);
    Span::of(Role::Text, nicknames::beside_within(store, &account, Some(key), text, room))
}

fn used(store: &Store, destination: &Destination, _: usize) -> Span {
    let when = store.reader().day_of(destination.last);
    let used = store.words().count("known-used-short", destination.count, &[("when", &when)]);
    Span::of(Role::Dim, used)
}
