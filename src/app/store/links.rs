//! The filters of the list of payment links, and what differs from direct payments. Also the
//! problems of the history database.

use crate::app::cx::{Cx, Question, Route};
use crate::app::store::clip::Clip;
use crate::app::store::list_export::ListKind;
use crate::app::store::notice::Notice;
use crate::app::store::payable;
use crate::app::store::payable_warnings::{self, PayableWarning};
use crate::app::store::query_expansion::Searched;
use crate::app::store::sales::{self, SaleKind, SalesState};
use crate::app::ui::Action;
use crate::app::ui::action::Actions;
use crate::app::ui::list::PageRequest;
use crate::app::{Effect, HistoryCommand, Pane, Store};
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
/// again. Put-away: only the links that the seller has put away. By day or by domain: only the
/// links that were created on the same day, or are on the same checkout domain, as the link under
/// the cursor; the seller or the service may have chosen the domain. By batch: only the links of
/// the newest batch. If such a filter is already active, it is removed instead.
pub fn filter(cx: &mut Cx, action: Action) {
    let selected = cx.store.links.list.selected();
    let day = selected.map(|link| link.at.local_day(cx.store.setup.utc_offset_s));
    let domain = selected.map(|link| {
        let host = link.request.host(&link.outcome);
        host.map_or(DomainChoice::Automatic, |host| {
            DomainChoice::Named(host.into())
        })
    });
    let account = cx.store.account();
    let filter = &mut cx.store.links.filter;
    match action {
        Action::FilterBatch => {
            filter.newest_batch = match filter.newest_batch {
                None => Some(account),
                Some(_) => None,
            };
        }
        Action::FilterPaid => {
            filter.paid = match filter.paid {
                None => Some(false),
                Some(false) => Some(true),
                Some(true) => None,
            };
        }
        Action::FilterPutAway => filter.put_away = !filter.put_away,
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

/// The actions by which the seller keeps a link tidy: the note, the reminder for the buyer, and
/// putting a created link away. The history must contain what became of the link.
fn tidying_actions(store: &Store, link: &PaymentLink) -> Vec<Action> {
    if store.links.unsaved.has(link) {
        return vec![];
    }
    let is_created = link.url().is_some();
    let actions = Actions::offered_if([
        (is_created && link.paid.is_none(), Action::Remind),
        (true, Action::Note),
        (is_created, Action::Discard),
    ]);
    actions.offered
}

fn message_fields<'a>(
    link: &'a PaymentLink,
    url: &'a Untrusted,
    note: &'a str,
) -> MessageFields<'a> {
    MessageFields {
        description: &link.request.description,
        amount: link.request.amount,
        payable: url,
        buyer: "",
        expiry: "",
        note,
    }
}

/// The text that reminds the buyer of a link: filled in from the seller's template, or else a
/// message in the screen's language. `note` is the seller's note, which the screen may mask.
pub fn reminder(store: &Store, link: &PaymentLink, url: &Untrusted, note: &str) -> String {
    if let Some(template) = &store.setup.links.reminder {
        return template.fill(&message_fields(link, url, note));
    }
    let amount = link.request.amount.to_string();
    let values = [
        ("description", &*link.request.description),
        ("amount", &amount),
        ("url", url.raw()),
    ];
    store.with("link-reminder", &values)
}

/// Puts a link away after a question, or brings it back at once.
fn put_away_or_bring_back(cx: &mut Cx, link: &PaymentLink) {
    let link = Box::new(link.clone());
    if link.put_away.is_none() {
        cx.ask(Question::PutAway(link));
    } else {
        cx.perform(Effect::History(HistoryCommand::PutAway {
            link,
            since: None,
        }));
    }
}

impl SaleKind for LinkRequest {
    const PANE: Pane = Pane::Links;
    const SEARCHED: Searched = Searched::Links;
    const LIST: ListKind = ListKind::Links;
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
        let note = link.note.as_deref().unwrap_or_default();
        let fields = message_fields(link, url, note);
        store.setup.links.message.fill(&fields).into()
    }

    fn warnings(store: &Store, link: &PaymentLink) -> Vec<PayableWarning> {
        payable_warnings::url_warnings(store, link)
    }

    fn own_actions(store: &Store, link: &PaymentLink) -> Vec<Action> {
        tidying_actions(store, link)
    }

    fn act(cx: &mut Cx, link: &PaymentLink, action: Action) {
        match action {
            Action::Discard => put_away_or_bring_back(cx, link),
            Action::Note => cx.open(Route::Note(Box::new(link.clone()))),
            Action::Remind => payable::remind(cx, link),
            _ => {}
        }
    }
}
