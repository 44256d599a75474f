//! The filters of the list of payment links, and what differs from direct payments. Also the
//! problems of the history database.

use crate::app::cx::{Cx, Route};
use crate::app::store::clip::Clip;
use crate::app::store::notice::Notice;
use crate::app::store::payable_warnings::{self, PayableWarning};
use crate::app::store::query_expansion::Searched;
use crate::app::store::sales::{self, SaleKind, SalesState};
use crate::app::ui::Action;
use crate::app::ui::list::PageRequest;
use crate::app::{Effect, Pane, Store};
use crate::trade::{
    DayTotal, DomainChoice, JournalTrouble, LinkRequest, LostHistory, MessageFields, PaymentLink,
    SaleOf, SaleRequest, Untrusted,
};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Records why the history database could not be read. The panes show the reason until a read
/// succeeds.
pub fn report_history_trouble(store: &mut Store, trouble: JournalTrouble) {
    store.history_trouble = Some(trouble.clone());
    store.notify(Notice::History(trouble));
}

/// Records that the history database lacks the rows of an earlier one. `is_new` is true if a
/// damaged database was replaced by an empty one in this run.
pub fn history_lost(store: &mut Store, lost: &LostHistory, is_new: bool) {
    store.lost_history = Some(lost.clone());
    if is_new {
        store.notify(Notice::warn("said-history-anew"));
    }
}

/// The directory of the history database, and a message id. The message explains what still works
/// while the database cannot be used.
pub fn without_history(store: &Store) -> (&Untrusted, &'static str) {
    let message_id = if store.withdrawals.is_locked() {
        "history-meanwhile-locked"
    } else {
        "history-meanwhile"
    };
    (&store.journal_path, message_id)
}

/// Adds a link to the totals of its day. The history database did not count the link, because it
/// could not record that the link was created.
pub fn add_to_day_total<R: SaleRequest>(sale: &SaleOf<R>, days: &mut [DayTotal]) {
    let day = days
        .iter_mut()
        .find(|day| (0..DAY_MS).contains(&sale.at.0.saturating_sub(day.starts.0)));
    let Some(day) = day else {
        return;
    };
    if let Some(sum) = day.sum.checked_add(sale.request.amount()) {
        (day.count, day.sum) = (day.count + 1, sum);
    }
}

/// Changes a filter of the list.
///
/// By mark: first only unpaid links, at the next key press only paid links, and then all links
/// again. By day or by domain: only the links that were created on the same day, or are on the same
/// checkout domain, as the link under the cursor; the seller or the service may have chosen the
/// domain. If such a filter is already active, removes it instead.
pub fn filter(cx: &mut Cx, action: Action) {
    let selected = cx.store.links.list.selected();
    let day = selected.map(|link| link.at.local_day(cx.store.setup.utc_offset_s));
    let domain = selected.map(|link| {
        let host = link.request.host(&link.outcome);
        host.map_or(DomainChoice::Automatic, |host| {
            DomainChoice::Named(host.into())
        })
    });
    let filter = &mut cx.store.links.filter;
    match action {
        Action::FilterPaid => {
            filter.paid = match filter.paid {
                None => Some(false),
                Some(false) => Some(true),
                Some(true) => None,
            };
        }
        Action::FilterDay => filter.day = if filter.day.is_none() { day } else { None },
        _ => {
            filter.domain = if filter.domain.is_none() {
                domain
            } else {
                None
            }
        }
    }
    cx.store.links.list.restart_search();
    sales::reload::<LinkRequest>(cx);
}

impl SaleKind for LinkRequest {
    const PANE: Pane = Pane::Links;
    const SEARCHED: Searched = Searched::Links;
    const CLIP: Clip = Clip::Address;
    const MADE: [&'static str; 2] = ["said-link-made", "said-link-made-odd"];

    fn state(store: &Store) -> &SalesState<LinkRequest> {
        &store.links
    }

    fn state_mut(store: &mut Store) -> &mut SalesState<LinkRequest> {
        &mut store.links
    }

    fn load(request: PageRequest) -> Effect {
        Effect::LoadLinks(request)
    }

    fn details(link: Box<PaymentLink>) -> Route {
        Route::Link(link)
    }

    fn form(template: Option<Box<PaymentLink>>) -> Route {
        Route::NewLink(template)
    }

    fn site(link: &PaymentLink) -> Option<String> {
        link.request.host(&link.outcome)
    }

    fn payable(link: &PaymentLink) -> Option<&Untrusted> {
        link.url()
    }

    fn message(store: &Store, link: &PaymentLink, url: &Untrusted) -> Untrusted {
        let description = &*link.request.description;
        let amount = link.request.amount;
        let fields = MessageFields {
            description,
            amount,
            payable: url,
            buyer: "",
            expiry: "",
        };
        store.setup.links.message.fill(&fields).into()
    }

    fn warnings(store: &Store, link: &PaymentLink) -> Vec<PayableWarning> {
        payable_warnings::url_warnings(store, link)
    }
}
