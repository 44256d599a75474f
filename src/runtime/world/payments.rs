//! Performs the effects for payment links, direct payments, checkout domains and fee previews.
//!
//! Each link or direct payment is recorded in the history before its request is sent. This request
//! is never repeated automatically.

use std::sync::Arc;

use super::{Stores, WorldContext};
use crate::app::Msg;
use crate::app::ui::list::PageRequest;
use crate::journal::history::History;
use crate::runtime::history::{self, HistoryResult, HistoryWorker};
use crate::runtime::newest::{Newest, QueryNumber};
use crate::service::{BoundCredential, Service};
use crate::trade::{
    Account, Charge, ChargeOutcome, ChargeRequest, CheckoutDomain, CredentialKind, Failure,
    JournalTrouble, LinkOutcome, LinkRequest, Money, NoQuote, Operation, PaymentLink, RowId, Sale,
    Ticket, Untrusted, Wall,
};
use crate::vault::StoredCredential;

/// The client of the service, with the current API contract and the credential for one operation.
struct Caller {
    service: Service,
    kind: CredentialKind,
    stored: Arc<StoredCredential>,
}

impl Caller {
    async fn for_operation(
        context: &WorldContext,
        operation: Operation,
    ) -> Result<Caller, Failure> {
        let service = context.service();
        let kind = service.contract().call_of(operation).credential.unwrap_or(match operation {
            Operation::FeePreview => CredentialKind::ApiToken,
            _ => CredentialKind::Jwt,
        });
        let stored = context.vault.now().get(context.vault.name(kind)).await;
        let stored = stored.map_err(Failure::Vault)?.ok_or(Failure::NoCredential(kind))?;
        Ok(Caller { service, kind, stored })
    }

    fn credential(&self) -> BoundCredential<'_> {
        let (origin, secret) = (self.service.base().origin(), &self.stored.secret);
        BoundCredential { kind: self.kind, origin, secret }
    }
}

pub async fn domains(context: Arc<WorldContext>, ticket: Ticket) -> Msg {
    let result = match Caller::for_operation(&context, Operation::Domains).await {
        Ok(caller) => caller.service.domains(caller.credential()).await,
        Err(failure) => Err(failure),
    };
    Msg::DomainsListed { ticket, result }
}

/// Loads a page of payment links for the newest query. The app first gets the rows, and then the
/// totals as soon as they are counted.
pub async fn load_links(context: Arc<WorldContext>, stores: Stores) -> Option<Msg> {
    let clock = (context.setup.clock.now().wall, context.setup.utc_offset_s);
    let load = move |h: &mut History, request: &PageRequest| history::links(h, request, clock);
    let (number, request, result) = newest_page(&stores, &stores.links, load).await?;
    let ticket = request.ticket;
    let uncounted = result.as_ref().ok().filter(|read| read.totals.is_none());
    let days = uncounted.map(|read| history::local_days(&read.page.rows, clock.1));
    let rows = Msg::LinksLoaded { ticket, result };
    let Some(days) = days else { return Some(rows) };
    context.inbox.send(rows).await;
    let count = move |h: &mut History| h.link_totals(&request.search, &days, clock);
    let result = count_totals(&stores, &stores.links, number, count).await?;
    Some(Msg::LinksCounted { ticket, result })
}

/// Loads a page of direct payments for the newest query. The app first gets the rows, and then
/// their total number as soon as it is counted.
pub async fn load_charges(context: Arc<WorldContext>, stores: Stores) -> Option<Msg> {
    let load = |h: &mut History, request: &PageRequest| {
        h.charges(request.search.clone(), request.place, request.rows)
    };
    let (number, request, result) = newest_page(&stores, &stores.charges, load).await?;
    let ticket = request.ticket;
    let is_uncounted = result.as_ref().is_ok_and(|page| page.total.is_none());
    let rows = Msg::ChargesLoaded { ticket, result };
    if !is_uncounted {
        return Some(rows);
    }
    context.inbox.send(rows).await;
    let count = move |h: &mut History| h.charges_total(&request.search);
    let result = count_totals(&stores, &stores.charges, number, count).await?;
    Some(Msg::ChargesCounted { ticket, result })
}

/// The rows of the newest query of a list, with the query and its number.
type NewestPage<R> = (QueryNumber, PageRequest, Result<R, JournalTrouble>);

/// Reads the rows for the newest query of a list. Returns `None` if a newer query has replaced it.
async fn newest_page<R: Send + 'static>(
    stores: &Stores,
    slot: &Arc<Newest<PageRequest>>,
    load: impl FnOnce(&mut History, &PageRequest) -> Result<R, JournalTrouble> + Send + 'static,
) -> Option<NewestPage<R>> {
    let query_slot = slot.clone();
    let job = move |history: &mut HistoryResult| {
        let (number, request) = query_slot.take_numbered()?;
        let is_outdated = move || !query_slot.is_newest(number);
        let result = match history {
            Ok(history) => history.run_cancellable(is_outdated, |h| load(h, &request))?,
            Err(trouble) => Err(trouble.clone()),
        };
        Some((number, request, result))
    };
    match stores.history.call(job).await {
        Some(result) => result,
        None => slot.take_numbered().map(|(number, request)| {
            let result = Err(closed_error());
            (number, request, result)
        }),
    }
}

/// Counts the totals of a list for query `number`, as a background job. Returns `None` if the list
/// has a newer query.
///
/// Any other job for the history thread interrupts the count, which then starts again. All lists
/// share one turn to count: two counts in the queue would interrupt each other for ever.
pub(super) async fn count_totals<R: Send + 'static>(
    stores: &Stores,
    slot: &Arc<Newest<PageRequest>>,
    number: QueryNumber,
    count: impl Fn(&mut History) -> Result<R, JournalTrouble> + Send + Sync + 'static,
) -> Option<Result<R, JournalTrouble>> {
    let _turn = stores.counting.lock().await;
    let count = Arc::new(count);
    while slot.is_newest(number) {
        let (slot, count, worker) = (slot.clone(), count.clone(), stores.history.clone());
        let must_stop = move || !slot.is_newest(number) || worker.should_yield();
        let job = move |history: &mut HistoryResult| match history {
            Ok(history) => history.run_cancellable(must_stop, |h| count(h)),
            Err(trouble) => Some(Err(trouble.clone())),
        };
        if let Some(totals) = stores.history.call(job).await? {
            return Some(totals);
        }
    }
    None
}

fn closed_error() -> JournalTrouble {
    JournalTrouble::Io("the history does not answer".into())
}

pub async fn in_history<R: Send + 'static>(
    history: &HistoryWorker,
    job: impl FnOnce(&mut History) -> Result<R, JournalTrouble> + Send + 'static,
) -> Result<R, JournalTrouble> {
    let job = move |history: &mut HistoryResult| match history {
        Ok(history) => job(history),
        Err(trouble) => Err(trouble.clone()),
    };
    history.call(job).await.ok_or_else(closed_error)?
}

/// Requests a new payment link from the service. The link is recorded before the request is sent,
/// so that it is known even if no reply arrives.
pub async fn create_link(context: Arc<WorldContext>, ticket: Ticket, request: LinkRequest) -> Msg {
    let at = context.setup.clock.now().wall;
    let recorded_request = request.clone();
    // Keep this handle to record the result. If a demo starts over before the reply arrives, the
    // stores are replaced.
    let history = context.stores.now().history;
    let row = match in_history(&history, move |h| h.begin_link(&recorded_request, at)).await {
        Ok(row) => row,
        Err(trouble) => {
            return Msg::LinkMade { ticket, result: Err(Failure::Journal(trouble)) };
        }
    };
    let operation = Operation::CreateLink;
    context.inbox.send(Msg::SaleBegun { operation, id: row, at }).await;
    context.unread.forget(operation);
    let reply = request_link(&context, &request).await;
    if let Err(Failure::Unreadable { .. }) = &reply {
        context.unread.remember(Operation::CreateLink, ticket, (row, at), &history);
    }
    let outcome = match &reply {
        Ok(outcome) => outcome.clone(),
        Err(failure) => LinkOutcome::of_failure(failure),
    };
    let settled_outcome = outcome.clone();
    let recorded = in_history(&history, move |h| h.settle_link(row, &settled_outcome)).await;
    let is_recorded = recorded.is_ok();
    let link = recorded.unwrap_or(PaymentLink { id: row, at, request, outcome, paid: None });
    if reply.is_ok() && !is_recorded {
        // The service created the link, but the result could not be recorded. The app shows the
        // link until the program ends.
        context.inbox.send(Msg::NotSaved(Box::new(Sale::Link(link.clone())))).await;
    }
    Msg::LinkMade { ticket, result: reply.map(|_| link) }
}

async fn request_link(
    context: &WorldContext,
    request: &LinkRequest,
) -> Result<LinkOutcome, Failure> {
    let caller = Caller::for_operation(context, Operation::CreateLink).await?;
    let url = caller.service.create_link(caller.credential(), request).await?;
    Ok(LinkOutcome::Created { url })
}

/// Marks a link or direct payment as paid, or removes this mark. The mark is stored only on this
/// computer.
pub async fn mark_paid(context: Arc<WorldContext>, sale: Box<Sale>, paid: Option<Wall>) -> Msg {
    let history = context.stores.now().history;
    let marked = in_history(&history, move |h| h.mark_paid(&sale, paid)).await;
    Msg::MarkedPaid(marked.map(Arc::new))
}

/// Records in the history that payment links were paid, as reported by the sandbox.
pub async fn set_paid(
    context: Arc<WorldContext>,
    links: Arc<[Untrusted]>,
    new: Option<Untrusted>,
) -> Msg {
    let (history, at) = (context.stores.now().history, context.setup.clock.now().wall);
    let origin = context.setup.base.origin().clone();
    let recorded = in_history(&history, move |h| {
        h.record_sandbox_payments(&origin, &links, at)?;
        new.map_or(Ok(None), |url| h.link_at(&origin, &url))
    });
    Msg::SandboxPaymentsRecorded(recorded.await.map(|new| new.map(Box::new)))
}

/// Removes a link or direct payment from the history, without a request to the service.
pub async fn remove_sale(context: Arc<WorldContext>, sale: Box<Sale>) -> Msg {
    let history = context.stores.now().history;
    let remove = move |h: &mut History| h.remove_sale(&sale).map(|()| Arc::new(*sale));
    Msg::SaleRemoved(in_history(&history, remove).await)
}

/// Records in the history that this link or direct payment exists, because the seller found it at
/// the service.
pub async fn settle_found_sale(context: Arc<WorldContext>, ticket: Ticket, sale: Box<Sale>) -> Msg {
    let history = context.stores.now().history;
    let stored = in_history(&history, move |h| h.settle_after_lookup(&sale)).await;
    Msg::SaleFound { ticket, result: stored.map(Arc::new).map_err(Failure::Journal) }
}

/// Reads the buyers of the account's earlier direct payments.
pub async fn load_buyers(context: Arc<WorldContext>, ticket: Ticket, account: Account) -> Msg {
    let history = context.stores.now().history;
    Msg::BuyersLoaded { ticket, result: in_history(&history, move |h| h.buyers(&account)).await }
}

/// Records in the history which checkout domains the service listed. Ignores errors, because the
/// app also works without these records.
pub async fn record_domains(
    context: Arc<WorldContext>,
    account: Account,
    listed: Vec<CheckoutDomain>,
) -> Msg {
    let (history, at) = (context.stores.now().history, context.setup.clock.now().wall);
    let owner = account.clone();
    let seen = in_history(&history, move |h| h.record_domains(&owner, &listed, at)).await;
    Msg::DomainsNoted { account, seen: seen.unwrap_or_default() }
}

/// Requests a new direct payment from the service. As in [`create_link`], it is recorded before the
/// request is sent.
pub async fn create_charge(
    context: Arc<WorldContext>,
    ticket: Ticket,
    request: ChargeRequest,
    body: Arc<str>,
) -> Msg {
    let at = context.setup.clock.now().wall;
    let recorded_request = request.clone();
    let history = context.stores.now().history;
    let row: RowId =
        match in_history(&history, move |h| h.begin_charge(&recorded_request, at)).await {
            Ok(row) => row,
            Err(trouble) => {
                return Msg::ChargeMade { ticket, result: Err(Failure::Journal(trouble)) };
            }
        };
    let operation = Operation::DirectPayment;
    context.inbox.send(Msg::SaleBegun { operation, id: row, at }).await;
    context.unread.forget(operation);
    let reply = request_charge(&context, &body).await;
    let is_unread = match &reply {
        Ok(outcome) => outcome.lacks_code(),
        Err(failure) => matches!(failure, Failure::Unreadable { .. }),
    };
    if is_unread {
        context.unread.remember(Operation::DirectPayment, ticket, (row, at), &history);
    }
    let outcome = match &reply {
        Ok(outcome) => outcome.clone(),
        Err(failure) => ChargeOutcome::of_failure(failure),
    };
    let settled_outcome = outcome.clone();
    let recorded = in_history(&history, move |h| h.settle_charge(row, &settled_outcome)).await;
    let is_recorded = recorded.is_ok();
    let charge = recorded.unwrap_or(Charge { id: row, at, request, outcome, paid: None });
    if reply.is_ok() && !is_recorded {
        context.inbox.send(Msg::NotSaved(Box::new(Sale::Charge(charge.clone())))).await;
    }
    Msg::ChargeMade { ticket, result: reply.map(|_| charge) }
}

async fn request_charge(context: &WorldContext, body: &str) -> Result<ChargeOutcome, Failure> {
    let caller = Caller::for_operation(context, Operation::DirectPayment).await?;
    caller.service.direct_payment(caller.credential(), body).await
}

/// Asks the service for the fee of a withdrawal of this amount.
pub async fn request_quote(context: Arc<WorldContext>, ticket: Ticket, amount: Money) -> Msg {
    let result = match Caller::for_operation(&context, Operation::FeePreview).await {
        Ok(caller) => caller.service.fee_preview(caller.credential(), amount).await,
        Err(failure) => Err(NoQuote::Failure(failure)),
    };
    Msg::Quoted { ticket, result }
}
