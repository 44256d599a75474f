//! Payment links: what all screens know of them, and what may be done with an address.

use crate::app::next::{CodeText, Next, Onward, Question, Route, Step};
use crate::app::store::clip::Clip;
use crate::app::store::copying;
use crate::app::store::notice::Notice;
use crate::app::store::oddity::{oddities, oddities_of};
use crate::app::ui::list::List;
use crate::app::{CopyTrouble, Effect, Store};
use crate::trade::{
    DayTotal, JournalTrouble, LinkOutcome, ListPage, PaymentLink, Ticket, Untrusted,
};

/// Everything the app knows of links.
#[derive(Debug, Clone, Default)]
pub struct LinksState {
    /// The list.
    pub list: List<PaymentLink>,
    /// The count and the sum of each day that is in the window.
    pub days: Vec<DayTotal>,
}

/// The milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// A window of links came.
pub fn loaded(
    store: &mut Store,
    ticket: Ticket,
    result: Result<(ListPage<PaymentLink>, Vec<DayTotal>), JournalTrouble>,
) {
    match result {
        Ok((mut page, mut days)) => {
            for link in store.unsaved.links.put(&mut page) {
                count(link, &mut days);
            }
            if store.links.list.take_row(ticket, page, |a, b| a.id == b.id) {
                store.links.days = days;
            }
        }
        Err(why) if store.links.list.asked == Some(ticket) => {
            if store.links.list.query.value().is_empty() {
                store.unsaved.links.put_before(&mut store.links.list.page);
            }
            store.say(Notice::History(why));
        }
        Err(_) => {}
    }
}

/// Counts a link that its history does not know to be made on its day.
fn count(link: &PaymentLink, days: &mut [DayTotal]) {
    let is_on = |day: &&mut DayTotal| (0..DAY_MS).contains(&link.at.0.saturating_sub(day.starts.0));
    let Some(day) = days.iter_mut().find(is_on) else { return };
    if let Some(sum) = day.sum.checked_add(link.request.amount) {
        (day.count, day.sum) = (day.count + 1, sum);
    }
}

/// Asks for the rows again.
pub fn reload(store: &mut Store) -> Effect {
    let ticket = store.ticket();
    Effect::LoadLinks(store.links.list.ask(ticket))
}

/// Copies a link's address: the reply's exact bytes, or nothing.
pub fn copy(store: &mut Store, link: &PaymentLink) -> Next {
    match link.url() {
        Some(url) => copy_url(store, url, link.request.domain.as_ref()),
        None => store.not_copied(CopyTrouble::Nothing),
    }
}

/// Says that a link was made, and copies its address where nothing about it is odd and the seller
/// did not switch that off; for the screen in front alone.
pub fn made(store: &Store, link: &PaymentLink) -> Next {
    let Some(url) = link.url() else { return Next::none() };
    let is_odd = CopyTrouble::of(url).is_some() || !oddities(store, link).is_empty();
    let next: Next = match store.setup.links.copies_new && !is_odd {
        true => Effect::Copy(Clip::NewAddress, url.clone()).into(),
        false => Step::Say(Notice::LinkMade { is_odd }).into(),
    };
    Step::InFront(Box::new(next)).into()
}

/// Copies an address that is on the screen, and asks first when something about it is odd.
pub fn copy_url(store: &mut Store, url: &Untrusted, chosen: Option<&Untrusted>) -> Next {
    if let Some(trouble) = CopyTrouble::of(url) {
        return store.not_copied(trouble);
    }
    let (clip, url, oddities) = (Clip::Address, url.clone(), oddities_of(store, url, chosen));
    match oddities.is_empty() {
        true => copying::copy(store, clip, url),
        false => Next::ask(Question::CopyOdd { clip, url, oddities }),
    }
}

/// Copies an address of which only the text is known: a link that has it says what was chosen.
pub fn copy_shown(store: &mut Store, url: &Untrusted) -> Next {
    let made = store.links.list.page.rows.iter().find(|link| link.url() == Some(url));
    let chosen = made.and_then(|link| link.request.domain.clone());
    copy_url(store, url, chosen.as_ref())
}

/// Copies a message for the buyer: what for, how much, where.
pub fn copy_message(store: &mut Store, link: &PaymentLink) -> Next {
    let Some(url) = link.url() else { return Next::none() };
    if let Some(trouble) = CopyTrouble::of(url) {
        return store.not_copied(trouble);
    }
    let message = format!("{}\n{}\n{}", link.request.description, link.request.amount, url.raw());
    let (clip, url, oddities) = (Clip::Message, message.into(), oddities(store, link));
    match oddities.is_empty() {
        true => copying::copy(store, clip, url),
        false => Next::ask(Question::CopyOdd { clip, url, oddities }),
    }
}

/// Opens the address in the browser, or shows it as a QR code; asks first where it is odd.
pub fn pass(store: &mut Store, link: &PaymentLink, to: Onward) -> Next {
    let Some(url) = link.url().cloned() else { return Next::none() };
    if let Some(trouble) = CopyTrouble::of(&url) {
        return store.not_copied(trouble);
    }
    let oddities = oddities(store, link);
    match oddities.is_empty() {
        true => pass_on(url, to),
        false => Next::ask(Question::PassOdd { to, url, oddities }),
    }
}

/// Passes an address on, once nothing about it is odd or the seller agreed to it.
pub fn pass_on(url: Untrusted, to: Onward) -> Next {
    match to {
        Onward::Browser => Effect::Browse(url).into(),
        Onward::Qr => Next::open(Route::Qr(CodeText { text: url, clip: Clip::Address })),
    }
}

impl PaymentLink {
    /// The address, if the service gave one.
    pub fn url(&self) -> Option<&Untrusted> {
        match &self.outcome {
            LinkOutcome::Created { url } => Some(url),
            _ => None,
        }
    }
}
