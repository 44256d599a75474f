//! Direct payments: the pane, a new one, the details of one.

use super::ChargesPane;
use crate::app::screen::Screen;
use crate::app::store::charges;
use crate::app::store::code_oddity::{self, CodeOddity};
use crate::app::store::links::without_history;
use crate::app::ui::geometry::list_pane;
use crate::app::ui::lists::{self, Row, Tag};
use crate::app::ui::parts::put;
use crate::app::ui::{Action, Area, Page, Role, mark};
use crate::app::{Pane, Store};
use crate::trade::{Charge, ChargeOutcome, Untrusted};
use crate::words::{Words, personal};

mod details;

pub use details::{details, gains, pictured};

pub fn pane(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let areas = list_pane(Pane::Charges, area);
    let list = &store.charges;
    let count = lists::count(say, list, "charges-count");
    list.field(true).draw(say, &count, areas.top, page);
    if list.is_empty() {
        empty(store, say, areas.list, page);
        return;
    }
    let Some(rows) = ChargesPane.rows(store, area) else { return };
    let row = |charge: &Charge| row(store, say, charge);
    // Only the links of a day are counted.
    lists::by_day(store.reader(), list, rows, row, |_| String::new(), page);
    if let (Some(aside), Some(selected)) = (areas.aside, list.selected()) {
        details::beside(store, say, selected, aside, page);
    }
}

fn row(store: &Store, say: &Words, charge: &Charge) -> Row {
    let mut description = Untrusted::shown_of(&charge.request.description);
    if let Some(customer) = &charge.request.customer {
        let customer = personal::name(say, customer).shown();
        description =
            if description.is_empty() { customer } else { format!("{description} · {customer}") };
    }
    Row {
        time: store.reader().time(charge.at),
        amount: charge.request.amount.text(),
        description,
        tag: match store.unsaved.charges.has(charge) {
            true => Tag::State(say.text("links-not-saved"), mark::CHECK.role),
            false if contradicts(charge) => {
                Tag::State(say.text("charges-odd-code"), mark::CHECK.role)
            }
            false if charges::is_expired(store, charge) => {
                Tag::State(say.text("charges-expired"), mark::DROPPED.role)
            }
            false => tag(say, charge),
        },
    }
}

/// Returns true when the code contradicts the charge: then it is not passed on.
fn contradicts(charge: &Charge) -> bool {
    code_oddity::of_charge(charge).iter().any(CodeOddity::contradicts)
}

/// The service's own word as its word, or why there is no payment.
fn tag(say: &Words, charge: &Charge) -> Tag {
    let role = mark::charge(&charge.outcome).map_or(Role::Dim, |mark| mark.role);
    let id = match &charge.outcome {
        ChargeOutcome::Created { status: Some(status), .. } => {
            let text = personal::theirs(say, status).shown_within(20);
            return Tag::Name(say.with("theirs-quote", &[("text", &text)]), Role::Quote);
        }
        ChargeOutcome::Created { status: None, .. } => "charges-created",
        ChargeOutcome::Unknown => "links-unknown",
        ChargeOutcome::Refused(_) => "charges-refused",
        ChargeOutcome::NotSent => "charges-not-sent",
    };
    Tag::State(say.text(id), role)
}

fn empty(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let list = &store.charges;
    let inner = area.narrowed(2).readable().split_top(1).1;
    let width = usize::from(inner.width);
    let lines = if !list.loaded {
        lists::not_loaded(say, store.history_trouble.as_ref(), without_history(store), width)
    } else if !list.query.value().is_empty() {
        lists::none_found(
            say,
            "charges-none-found",
            &list.field(true).typed(say, lists::QUERY),
            width,
        )
    } else {
        let words = ["charges-empty-title", "charges-empty-hint", "charges-empty-key"];
        lists::invitation(store.reader(), words, Some(Action::New), width)
    };
    put(lines, inner, page);
}
