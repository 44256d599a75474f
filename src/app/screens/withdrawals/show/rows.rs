//! The columns of the list of withdrawals: when, how much, to whom, and the state.

use compact_str::CompactString;

use crate::app::Store;
use crate::app::store::nicknames;
use crate::app::ui::table::Column;
use crate::app::ui::text::{columns, first_fitting};
use crate::app::ui::{Role, Span, mark};
use crate::trade::Withdrawal;
use crate::words::{dates, names};

/// The width of a list from which on the fee and the net amount stand beside the amount.
const WIDE: usize = 97;

/// A key of digits has room in the least of these, and in a wide list also its nickname.
pub const COLUMNS: [Column<Store, Withdrawal>; 7] = [
    Column::new(5, &[when, briefly, barely]),
    Column { is_right: true, ..Column::new(0, &[amount]) },
    Column { least: 0, is_right: true, widths: WIDE..usize::MAX, ..Column::new(2, &[fee]) },
    Column { least: 0, is_right: true, widths: WIDE..usize::MAX, ..Column::new(3, &[net]) },
    Column { least: 18, fills: true, widths: 0..WIDE, ..Column::new(4, &[destination]) },
    Column { least: 30, fills: true, widths: WIDE..usize::MAX, ..Column::new(4, &[destination]) },
    Column { usual: 25, ..Column::new(1, &[state, short_state]) },
];

fn amount(_: &Store, one: &Withdrawal, _: usize) -> Span {
    Span::of(Role::Money, one.agreement.amount.text())
}

fn fee(_: &Store, one: &Withdrawal, _: usize) -> Span {
    let fee = one.agreement.quote.as_ref().map(|quote| format!("− {}", quote.fee.figure()));
    Span::of(Role::Dim, fee.unwrap_or_default())
}

fn net(_: &Store, one: &Withdrawal, _: usize) -> Span {
    let net = one.agreement.quote.as_ref().map(|quote| format!("= {}", quote.net.figure()));
    Span::of(Role::Dim, net.unwrap_or_default())
}

/// Names a destination: its key and beside it the nickname. The kind of the key gives way to the
/// nickname and to the rest of the key, which shows it by itself.
fn destination(store: &Store, one: &Withdrawal, room: usize) -> Span {
    let (say, key) = (store.words(), one.agreement.destination.as_ref());
    let whole = || Some(nicknames::to(store, &one.agreement).into());
    let named = || nicknames::beside_bare(store, &one.agreement, room);
    let with_kind = || Some(names::destination(say, key).into());
    let bare = || nicknames::bare(say, key).map(CompactString::from);
    let texts: [&dyn Fn() -> Option<CompactString>; 4] = [&whole, &named, &with_kind, &bare];
    Span::of(Role::Text, first_fitting(texts.iter().filter_map(|text| text()), room))
}

fn state(store: &Store, one: &Withdrawal, _: usize) -> Span {
    let mark = mark::withdrawal(&store.state_of(one));
    mark.span(mark.said(&store.state_word(one)))
}

/// The same in a word or two.
fn short_state(store: &Store, one: &Withdrawal, _: usize) -> Span {
    let state = store.state_of(one);
    let mark = mark::withdrawal(&state);
    mark.span(mark.said(&names::short_state(store.words(), &state)))
}

fn when(store: &Store, one: &Withdrawal, _: usize) -> Span {
    let at = one.agreement.agreed.wall;
    Span::of(Role::Dim, format!("{}, {}", store.reader().day_of(at), store.reader().time(at)))
}

/// The time of day alone for today, and else the day alone.
fn briefly(store: &Store, one: &Withdrawal, _: usize) -> Span {
    let (to, at) = (store.reader(), one.agreement.agreed.wall);
    let is_today = at.local_day(to.utc_offset_s) == to.now.local_day(to.utc_offset_s);
    Span::of(Role::Dim, if is_today { to.time(at) } else { to.day_of(at).into() })
}

/// The same without the year, also where a word for the day is longer.
fn barely(store: &Store, one: &Withdrawal, room: usize) -> Span {
    let (to, said) = (store.reader(), briefly(store, one, room));
    let date = dates::without_year(to.words, one.agreement.agreed.wall, to.utc_offset_s);
    match date.filter(|date| columns(date) < said.width()) {
        Some(date) => Span::of(Role::Dim, date),
        None => said,
    }
}
