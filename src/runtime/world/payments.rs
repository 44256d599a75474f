//! Links, direct payments, domains and quotes: asked for once, noted before and after.

use std::sync::Arc;

use super::{Outside, Stores, entry};
use crate::app::Msg;
use crate::app::list::Ask;
use crate::app::unsaved::NotSaved;
use crate::journal::history::History;
use crate::runtime::history::{self, HistoryWorker, List, Opened};
use crate::service::Credential;
use crate::trade::{
    Charge, ChargeOutcome, ChargeRequest, CredentialKind, Failure, JournalTrouble, LinkOutcome,
    LinkRequest, Money, NoQuote, PaymentLink, RowId, Ticket,
};

/// Lists the domains.
pub async fn domains(outside: Arc<Outside>, ticket: Ticket) -> Msg {
    let kind = outside.service.contract().domains.call.credential;
    let result = async {
        let stored = entry::credential(&outside, kind.unwrap_or(CredentialKind::Jwt)).await?;
        let origin = outside.service.base().origin();
        let kind = kind.unwrap_or(CredentialKind::Jwt);
        outside.service.domains(Credential { kind, origin, secret: &stored.secret }).await
    };
    Msg::DomainsListed { ticket, result: result.await }
}

/// Loads the window of links that was asked for last.
pub async fn load_links(outside: Arc<Outside>, stores: Stores) -> Option<Msg> {
    let offset = outside.utc_offset_s;
    let load = move |h: &History, ask: &Ask| history::links(h, ask, offset);
    let (ticket, result) = in_list(&stores, |asked| &asked.links, load).await?;
    Some(Msg::LinksLoaded { ticket, result })
}

/// Loads the window of direct payments that was asked for last.
pub async fn load_charges(_: Arc<Outside>, stores: Stores) -> Option<Msg> {
    let load = |h: &History, ask: &Ask| h.charges(None, ask.search.clone(), ask.first, ask.rows);
    let (ticket, result) = in_list(&stores, |asked| &asked.charges, load).await?;
    Some(Msg::ChargesLoaded { ticket, result })
}

/// Reads for the newest question of a list; one that comes meanwhile takes its place.
async fn in_list<R: Send + 'static>(
    stores: &Stores,
    place: List,
    load: impl FnOnce(&History, &Ask) -> Result<R, JournalTrouble> + Send + 'static,
) -> Option<(Ticket, Result<R, JournalTrouble>)> {
    let asked = stores.asked.clone();
    let job = move |opened: &mut Opened| {
        let ask = place(&asked).take()?;
        let read = match opened {
            Ok(history) => load(history, &ask),
            Err(trouble) => Err(trouble.clone()),
        };
        Some((ask.ticket, read))
    };
    match stores.history.call(job).await {
        Some(read) => read,
        None => place(&stores.asked).take().map(|ask| (ask.ticket, Err(closed()))),
    }
}

fn closed() -> JournalTrouble {
    JournalTrouble::Io("the history does not answer".into())
}

async fn in_history<R: Send + 'static>(
    history: &HistoryWorker,
    job: impl FnOnce(&mut History) -> Result<R, JournalTrouble> + Send + 'static,
) -> Result<R, JournalTrouble> {
    let job = move |opened: &mut Opened| match opened {
        Ok(history) => job(history),
        Err(trouble) => Err(trouble.clone()),
    };
    history.call(job).await.ok_or_else(closed)?
}

/// Asks for a link: noted first, so that one whose answer is lost is not forgotten.
pub async fn make_link(outside: Arc<Outside>, ticket: Ticket, request: LinkRequest) -> Msg {
    let at = outside.clock.now().wall;
    let noted = request.clone();
    // Its end is noted where its beginning was.
    let history = outside.stores.now().history;
    let row = match in_history(&history, move |h| h.begin_link(&noted, at)).await {
        Ok(row) => row,
        Err(trouble) => {
            return Msg::LinkMade { ticket, result: Err(Failure::Journal(trouble)) };
        }
    };
    let asked = ask_for_link(&outside, &request).await;
    let outcome = match &asked {
        Ok(outcome) => outcome.clone(),
        Err(failure) => LinkOutcome::of_failure(failure),
    };
    let settled = outcome.clone();
    let noted = in_history(&history, move |h| h.settle_link(row, &settled)).await;
    let is_noted = noted.is_ok();
    let link = noted.unwrap_or(PaymentLink { id: row, at, request, outcome });
    if asked.is_ok() && !is_noted {
        // It exists, and is shown as long as the program runs.
        outside.inbox.send(Msg::NotSaved(Box::new(NotSaved::Link(link.clone())))).await;
    }
    Msg::LinkMade { ticket, result: asked.map(|_| link) }
}

async fn ask_for_link(outside: &Outside, request: &LinkRequest) -> Result<LinkOutcome, Failure> {
    let kind = outside.service.contract().create_link.call.credential;
    let kind = kind.unwrap_or(CredentialKind::Jwt);
    let stored = entry::credential(outside, kind).await?;
    let origin = outside.service.base().origin();
    let credential = Credential { kind, origin, secret: &stored.secret };
    let url = outside.service.create_link(credential, request).await?;
    Ok(LinkOutcome::Created { url })
}

/// Asks for a direct payment, noted first as a link is.
pub async fn make_charge(
    outside: Arc<Outside>,
    ticket: Ticket,
    request: ChargeRequest,
    body: Arc<str>,
) -> Msg {
    let at = outside.clock.now().wall;
    let noted = request.clone();
    let history = outside.stores.now().history;
    let row: RowId = match in_history(&history, move |h| h.begin_charge(&noted, at)).await {
        Ok(row) => row,
        Err(trouble) => {
            return Msg::ChargeMade { ticket, result: Err(Failure::Journal(trouble)) };
        }
    };
    let asked = ask_for_charge(&outside, &body).await;
    let outcome = match &asked {
        Ok(outcome) => outcome.clone(),
        Err(failure) => ChargeOutcome::of_failure(failure),
    };
    let settled = outcome.clone();
    let noted = in_history(&history, move |h| h.settle_charge(row, &settled)).await;
    let is_noted = noted.is_ok();
    let charge = noted.unwrap_or(Charge { id: row, at, request, outcome });
    if asked.is_ok() && !is_noted {
        outside.inbox.send(Msg::NotSaved(Box::new(NotSaved::Charge(charge.clone())))).await;
    }
    Msg::ChargeMade { ticket, result: asked.map(|_| charge) }
}

async fn ask_for_charge(outside: &Outside, body: &str) -> Result<ChargeOutcome, Failure> {
    let kind = outside.service.contract().direct_payment.call.credential;
    let kind = kind.unwrap_or(CredentialKind::Jwt);
    let stored = entry::credential(outside, kind).await?;
    let origin = outside.service.base().origin();
    let credential = Credential { kind, origin, secret: &stored.secret };
    outside.service.direct_payment(credential, body).await
}

/// Asks what a withdrawal of this amount costs.
pub async fn quote(outside: Arc<Outside>, ticket: Ticket, amount: Money) -> Msg {
    let kind = outside.service.contract().fee_preview.call.credential;
    let kind = kind.unwrap_or(CredentialKind::ApiToken);
    let result = match entry::credential(&outside, kind).await {
        Err(failure) => Err(NoQuote::Failure(failure)),
        Ok(stored) => {
            let origin = outside.service.base().origin();
            let credential = Credential { kind, origin, secret: &stored.secret };
            outside.service.fee_preview(credential, amount).await
        }
    };
    Msg::Quoted { ticket, result }
}
