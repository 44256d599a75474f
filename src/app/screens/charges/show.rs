//! Direct payments: the pane, a new one, the details of one.

use super::ChargesPane;
use crate::app::Store;
use crate::app::screen::Screen;
use crate::app::store::charges;
use crate::app::store::code_oddity::{self, CodeOddity};
use crate::app::store::links::without_history;
use crate::app::ui::geometry::list_pane;
use crate::app::ui::list::ListLine;
use crate::app::ui::lists::{self, Look};
use crate::app::ui::table::{self, Column};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, mark};
use crate::trade::{Charge, ChargeOutcome, Untrusted};
use crate::words::{Words, personal};
use compact_str::CompactStringExt;

mod details;

pub use details::{details, pictured};

pub fn pane(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let areas = list_pane(area);
    let list = &store.charges;
    let count = lists::count(say, list, "charges-count");
    list.field(true).draw(say, &count, areas.top, page);
    if list.is_empty() {
        empty(store, say, areas.list, page);
        return;
    }
    let Some(rows) = ChargesPane.rows(store, area) else { return };
    let heading = |line, width| match line {
        // Only the links of a day are counted.
        ListLine::Day(of) => lists::day(store.reader(), of, "", width),
        _ => Line::default(),
    };
    table::put_list(store, (list, &COLUMNS), rows, heading, page);
    if let (Some(aside), Some(selected)) = (areas.aside, list.selected()) {
        details(store, say, selected, (aside, Look::Beside), page);
    }
}

/// The width of a list from which on the buyer's name has a column of its own.
const WIDE: usize = 97;

/// When, how much, what for and who pays it, and how it stands.
const COLUMNS: [Column<Store, Charge>; 6] = [
    Column::new(3, &[time]),
    Column { usual: 11, is_right: true, ..Column::new(0, &[amount]) },
    Column { gap: 3, least: 12, fills: true, widths: 0..WIDE, ..Column::new(2, &[purpose]) },
    Column { gap: 3, least: 12, fills: true, widths: WIDE..usize::MAX, ..Column::new(2, &[what]) },
    Column { widths: WIDE..usize::MAX, least: 12, ..Column::new(4, &[buyer]) },
    Column { least: 18, ..Column::new(1, &[state]) },
];

fn time(store: &Store, charge: &Charge, _: usize) -> Span {
    Span::of(Role::Dim, store.reader().time(charge.at))
}

fn amount(_: &Store, charge: &Charge, _: usize) -> Span {
    Span::of(Role::Money, charge.request.amount.text())
}

fn what(_: &Store, charge: &Charge, _: usize) -> Span {
    Span::of(Role::Text, Untrusted::shown_of(&charge.request.description))
}

fn buyer(store: &Store, charge: &Charge, _: usize) -> Span {
    let customer = charge.request.customer.as_ref();
    let name = customer.map(|customer| personal::name(store.words(), customer).shown());
    Span::of(Role::Text, name.unwrap_or_default())
}

fn purpose(store: &Store, charge: &Charge, room: usize) -> Span {
    let (what, buyer) = (what(store, charge, room), buyer(store, charge, room));
    match (what.text.is_empty(), buyer.text.is_empty()) {
        (_, true) => what,
        (true, _) => buyer,
        _ => Span::of(Role::Text, [&what.text, " · ", &buyer.text].concat_compact()),
    }
}

/// The service's own word as its word, or how it stands otherwise.
fn state(store: &Store, charge: &Charge, _: usize) -> Span {
    let say = store.words();
    let role = mark::charge(&charge.outcome).map_or(Role::Dim, |mark| mark.role);
    let (id, role) = match &charge.outcome {
        _ if store.unsaved.charges.has(charge) => ("links-not-saved", mark::CHECK.role),
        _ if contradicts(charge) => ("charges-odd-code", mark::CHECK.role),
        _ if charges::is_expired(store, charge) => ("charges-expired", mark::DROPPED.role),
        ChargeOutcome::Created { status: Some(status), .. } => {
            let text = personal::theirs(say, status).shown_within(20);
            return Span::of(Role::Quote, say.with("theirs-quote", &[("text", &text)]));
        }
        ChargeOutcome::Created { status: None, .. } => ("charges-created", role),
        ChargeOutcome::Unknown => ("links-unknown", role),
        ChargeOutcome::Refused(_) => ("charges-refused", role),
        ChargeOutcome::NotSent => ("charges-not-sent", role),
    };
    Span::of(role, say.text(id))
}

/// Returns true when the code contradicts the charge: then it is not passed on.
fn contradicts(charge: &Charge) -> bool {
    code_oddity::of_charge(charge).iter().any(CodeOddity::contradicts)
}

fn empty(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let (list, key) = (&store.charges, Some(Action::New));
    let lines = |width| {
        if !list.loaded {
            let trouble = store.history_trouble.as_ref();
            return lists::not_loaded(say, trouble, without_history(store), width);
        }
        let words = ["charges-empty-title", "charges-empty-hint", "charges-empty-key"];
        lists::none_found(say, (list, true), "charges-none-found", width)
            .unwrap_or_else(|| lists::invitation(store.reader(), words, key, width))
    };
    lists::put_empty(area, lines, page);
}
