//! The rows of the list of withdrawals: when, how much, to whom, and the state, in columns that are
//! wide enough for the rows on the screen.

use crate::app::Store;
use crate::app::store::nicknames;
use crate::app::ui::parts::row;
use crate::app::ui::text::{columns, exactly, fit, right};
use crate::app::ui::{Line, Role, Span, mark};
use crate::trade::{PixKey, PixKeyKind, Withdrawal};
use crate::words::{dates, names};
use compact_str::CompactString;

/// The least columns of a state's word and its sign, so that most lists look alike.
const STATE: usize = 25;

/// The columns between two of these.
const GAP: usize = 2;

/// The least columns behind the kind of a key in which a part of the key says something.
const PART: usize = 5;

/// The least columns in which the beginning of a kind is known for what it is.
const KIND: usize = 5;

/// The ways in which a row says when it was agreed to and how much it is, each in fewer columns
/// than the one before.
const WAYS: [Writing; 4] = [
    Writing { time: when, amount: in_full },
    Writing { time: briefly, amount: in_full },
    Writing { time: barely, amount: in_full },
    Writing { time: barely, amount: in_figures },
];

/// One of them.
#[derive(Clone, Copy)]
struct Writing {
    time: fn(&Store, &Withdrawal) -> String,
    amount: fn(&Withdrawal) -> String,
}

/// What a row says of its destination, from the least on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    Nothing,
    Kind,
    Part,
    /// The key without its kind.
    Bare,
    Key,
    NicknamePart,
    /// Beside the key without its kind.
    NicknameBare,
    Nickname,
}

/// The columns of the list, and the way that its rows are written in.
#[derive(Clone, Copy)]
pub struct WithdrawalColumns {
    way: Writing,
    time: usize,
    amount: usize,
    to: usize,
    state: usize,
}

impl WithdrawalColumns {
    /// The columns for these rows in so much room.
    pub fn of(store: &Store, shown: &[&Withdrawal], width: usize) -> WithdrawalColumns {
        let laid = WAYS.map(|way| WithdrawalColumns::written(store, shown, way, width));
        let said = |to: usize| -> Vec<Said> {
            shown.iter().map(|one| destination(store, one, to).0).collect()
        };
        let says = laid.map(|columns| said(columns.to));
        let names_all = |n: usize| !says[n].contains(&Said::Nothing);
        let (bare, figures) = (WAYS.len() - 2, WAYS.len() - 1);
        // The time gives way to whatever more is said then, and the unit of the amounts where each
        // destination has a name only without it.
        let fits = |n: &usize| laid[*n].is_whole(width) && says[*n] == says[bare];
        let names_none = says[figures].iter().all(|said| *said == Said::Nothing);
        let chosen = match names_all(figures) && !names_all(bare) {
            true => figures,
            // A state is whole before an amount has its unit.
            false if names_none => {
                (0..figures).find(|n| laid[*n].is_whole(width)).unwrap_or(figures)
            }
            false => (0..bare).find(fits).unwrap_or(bare),
        };
        let (columns, says) = (laid[chosen], &says[chosen]);
        let padding = STATE.saturating_sub(columns.state);
        if says.iter().all(|said| *said == Said::Nothing) {
            let left = width.saturating_sub(1 + columns.time + columns.amount);
            return WithdrawalColumns { to: 0, state: columns.state.min(left), ..columns };
        }
        match columns.to.checked_sub(padding).filter(|to| said(*to) == *says) {
            Some(to) => WithdrawalColumns { to, state: columns.state + padding, ..columns },
            None => columns,
        }
    }

    /// The columns where the rows are written in this way.
    fn written(
        store: &Store,
        shown: &[&Withdrawal],
        way: Writing,
        width: usize,
    ) -> WithdrawalColumns {
        let widest = |text: &dyn Fn(&Withdrawal) -> String| {
            shown.iter().map(|one| columns(&text(one))).max().unwrap_or(0)
        };
        let time = widest(&|one| (way.time)(store, one)) + GAP;
        let amount = widest(&|one| (way.amount)(one)) + GAP;
        let state = widest(&|one| state(store, one));
        let to = width.saturating_sub(1 + time + amount + GAP + state);
        WithdrawalColumns { way, time, amount, to, state }
    }

    /// Returns true when the states are whole in so much room.
    fn is_whole(&self, width: usize) -> bool {
        1 + self.time + self.amount + self.state <= width
    }

    /// The line of one.
    pub fn line(&self, store: &Store, one: &Withdrawal, under_cursor: bool) -> Line {
        let mark = mark::withdrawal(&store.state_of(one));
        let (_, to) = destination(store, one, self.to);
        let to = if self.to == 0 { to } else { exactly(&to, self.to + GAP) };
        let spans = [
            Span::of(Role::Dim, exactly(&(self.way.time)(store, one), self.time)),
            Span::of(Role::Money, right(&(self.way.amount)(one), self.amount - GAP)),
            Span::of(Role::Text, format!("  {to}")),
            mark.span(fit(&state(store, one), self.state)),
        ];
        row(under_cursor, spans)
    }
}

/// Names a destination in so many columns: its key and beside it the nickname, as far as that has
/// room, or the kind of the key alone.
///
/// The kind gives way to the rest of the key, and to the nickname: a key shows it by itself.
fn destination(store: &Store, one: &Withdrawal, room: usize) -> (Said, CompactString) {
    let key = one.agreement.destination.as_ref();
    let text = names::destination(store.words(), key);
    let wide = columns(&text);
    let whole = nicknames::to(store, &one.agreement);
    if columns(&whole) <= room {
        let said = if columns(&whole) > wide { Said::Nickname } else { Said::Key };
        return (said, whole.into());
    }
    if let Some(bare) = nicknames::beside_bare(store, &one.agreement, room) {
        let is_cut = bare.ends_with('…');
        return (if is_cut { Said::NicknamePart } else { Said::NicknameBare }, bare);
    }
    if wide <= room {
        let named = nicknames::to_within(store, &one.agreement, room);
        let said = if columns(&named) > wide { Said::NicknamePart } else { Said::Key };
        return (said, named);
    }
    let bare = nicknames::bare(store.words(), key);
    if let Some(bare) = bare.filter(|bare| columns(bare) <= room) {
        return (Said::Bare, bare.into());
    }
    let kind = match key {
        Some(key) => names::pix_key_kind(store.words(), key.kind()),
        None => text.clone(),
    };
    // These two show of what kind they are, also where they are cut.
    let shows_kind = |key: &&PixKey| matches!(key.kind(), PixKeyKind::Email | PixKeyKind::Random);
    let part = match nicknames::bare(store.words(), key.filter(shows_kind)) {
        Some(bare) => bare,
        None => text,
    };
    match columns(&kind) {
        wide if wide + PART <= room => (Said::Part, fit(&part, room)),
        wide if wide <= room => (Said::Kind, kind.into()),
        _ if room >= KIND => (Said::Kind, fit(&kind, room)),
        _ => (Said::Nothing, CompactString::default()),
    }
}

fn state(store: &Store, one: &Withdrawal) -> String {
    mark::withdrawal(&store.state_of(one)).said(&store.state_word(one))
}

fn in_full(one: &Withdrawal) -> String {
    one.agreement.amount.to_string()
}

/// The same without its unit, which the details have.
fn in_figures(one: &Withdrawal) -> String {
    one.agreement.amount.figure()
}

fn when(store: &Store, one: &Withdrawal) -> String {
    let at = one.agreement.agreed.wall;
    format!("{}, {}", store.reader().day_of(at), store.reader().time(at))
}

/// The same in fewer columns: the time of day alone for today, and else the day alone.
fn briefly(store: &Store, one: &Withdrawal) -> String {
    let (to, at) = (store.reader(), one.agreement.agreed.wall);
    let is_today = at.local_day(to.utc_offset_s) == to.now.local_day(to.utc_offset_s);
    if is_today { to.time(at).into() } else { to.day_of(at) }
}

/// The same in fewer columns still: a date without its year, also where a word for it is longer.
fn barely(store: &Store, one: &Withdrawal) -> String {
    let (to, at) = (store.reader(), one.agreement.agreed.wall);
    let said = briefly(store, one);
    let date = dates::without_year(to.words, at, to.utc_offset_s);
    date.filter(|date| columns(date) < columns(&said)).unwrap_or(said)
}
