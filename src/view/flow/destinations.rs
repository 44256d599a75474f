//! Destinations that were paid to before: offered below the form, and remembered in the review.

use ratatui::text::Line;

use crate::app::action::Action;
use crate::app::withdrawals::destinations::Known;
use crate::app::{Model, geometry};
use crate::trade::PixKey;
use crate::trade::withdrawal::Destination;
use crate::view::parts::{first_key, row, wrapped};
use crate::view::text::{columns, exactly, fit};
use crate::view::{Look, Role, dates};
use crate::words::names;

/// Columns of the kind and the masked key: `chave aleatória 123e4567-••••-••••-••••-••••••••••••`.
const KEY: usize = 52;

/// The offered ones in so many rows, the most used first; the one in the form is marked.
pub(super) fn list(
    model: &Model,
    look: &Look,
    known: &Known,
    width: usize,
    rows: usize,
) -> Vec<Line<'static>> {
    let key = first_key(model, look, Action::NextKnown);
    let title = look.words.with("known-title", &[("key", &key)]);
    let mut lines = wrapped(look, Role::Dim, &title, width);
    let offered: Vec<_> = known.offered().collect();
    let room = rows.saturating_sub(lines.len());
    let first = geometry::scrolled(known.chosen.unwrap_or(0), offered.len(), room);
    for (at, destination) in offered.iter().enumerate().skip(first).take(room) {
        lines.push(offer(model, look, destination, known.chosen == Some(at), width));
    }
    lines
}

fn offer(
    model: &Model,
    look: &Look,
    destination: &Destination,
    chosen: bool,
    width: usize,
) -> Line<'static> {
    let key = masked(look, &destination.key);
    let when = dates::day_of(model, look, destination.last);
    let used = look.words.count("known-used-short", destination.count, &[("when", &when)]);
    let beside = KEY + 3 + columns(&used) <= width;
    let mut spans = vec![look.span(
        Role::Text,
        match beside {
            true => exactly(&key, KEY),
            false => fit(&key, width.saturating_sub(1)),
        },
    )];
    if beside {
        spans.push(look.span(Role::Dim, format!("  {used}")));
    }
    row(look, chosen, spans)
}

/// The kind and the masked key: whoever looks over the seller's shoulder reads no whole key.
fn masked(look: &Look, key: &PixKey) -> String {
    format!("{} {}", names::pix_key_kind(look.words, key.kind()), key.masked().replace('*', "•"))
}

/// How often it was paid to, and when last.
pub(super) fn used(model: &Model, look: &Look, destination: &Destination) -> String {
    let when = dates::day_of(model, look, destination.last);
    let is_date = when.starts_with(|c: char| c.is_ascii_digit());
    let id = if is_date { "known-used-on" } else { "known-used" };
    look.words.count(id, destination.count, &[("when", &when)])
}
