//! Performs the effects for payment links, direct payments, checkout domains and fee previews.
//!
//! Each link or direct payment is recorded in the history before its request is sent. This request
//! is never repeated automatically.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::{Stores, WorldContext, consent};
use crate::app::Msg;
use crate::app::message::ReportRequest;
use crate::app::ui::list::PageRequest;
use crate::contract::TaughtSetting;
use crate::journal::history::{History, SaleTable};
use crate::runtime::history::{self, closed_error, in_history};
use crate::runtime::newest::{Newest, QueryNumber};
use crate::service::{BoundCredential, Service};
use crate::trade::{
    Account, ChargeRequest, CheckoutDomain, CreatedCharge, CreatedLink, CredentialKind, Failure,
    JournalTrouble, LinkRequest, MaskedReply, Money, NoQuote, Operation, Outcome, PaymentLink,
    RowId, Sale, SaleAuthors, SaleOf, SalesPage, Ticket, Untrusted, Wall, unit_check,
};
use crate::vault::StoredCredential;

/// The client of the service, with the current API contract and the credential for one operation.
pub struct Caller {
    service: Service,
    kind: CredentialKind,
    stored: Arc<StoredCredential>,
    /// The setting that this request tries, and the credential that it replaces.
    trial: Option<(TaughtSetting, Option<CredentialKind>)>,
}

impl Caller {
    async fn for_operation(
        context: &WorldContext,
        operation: Operation,
    ) -> Result<Caller, Failure> {
        Caller::of(context, context.service(), operation).await
    }

    /// The client `service`, with the credential for the operation.
    pub(super) async fn of(
        context: &WorldContext,
        mut service: Service,
        operation: Operation,
    ) -> Result<Caller, Failure> {
        let mut trial = None;
        if let Some(setting) = context.consent.trial_of(operation)
            && let Ok(contract) = service
                .contract()
                .with_taught(std::slice::from_ref(&setting))
        {
            trial = Some((setting, service.contract().call_of(operation).credential));
            service = service.with_contract(Arc::new(contract));
        }
        let kind = service
            .contract()
            .call_of(operation)
            .credential
            .unwrap_or(match operation {
                Operation::FeePreview => CredentialKind::ApiToken,
                _ => CredentialKind::Jwt,
            });
        let stored = context.vault.now().get(context.vault.name(kind)).await;
        let stored = stored.map_err(Failure::Vault);
        let stored = stored.and_then(|stored| stored.ok_or(Failure::NoCredential(kind)));
        if stored.is_err() {
            context.consent.end_trial();
        }
        Ok(Caller {
            service,
            kind,
            stored: stored?,
            trial,
        })
    }

    /// If the request tried another credential, ends the trial. If the service accepted that
    /// credential, saves its setting. If the service refused it too, the failure names the
    /// credential of the contract, which the seller must renew.
    pub(super) async fn end_trial(
        self,
        context: &WorldContext,
        ticket: Ticket,
        failure: Option<&mut Failure>,
    ) {
        let Some((setting, replaced)) = self.trial else {
            return;
        };
        context.consent.end_trial();
        match failure {
            Some(Failure::Unauthorized { credential, .. }) => *credential = replaced,
            // Each of these replies has a success status.
            None | Some(Failure::Unreadable { .. } | Failure::Contradicted(_)) => {
                consent::save_taught(context, ticket, vec![setting]).await;
            }
            Some(_) => {}
        }
    }

    /// The kind of the credential.
    pub(super) fn kind(&self) -> CredentialKind {
        self.kind
    }

    /// The name of the account to which the credential belongs.
    pub(super) fn identity(&self) -> &Arc<str> {
        &self.stored.identity
    }

    /// Sends the request of a payment link.
    pub(super) async fn create_link(
        &self,
        row: RowId,
        request: &LinkRequest,
    ) -> Result<CreatedLink, Failure> {
        self.service
            .create_link(self.credential(), row, request)
            .await
    }

    fn credential(&self) -> BoundCredential<'_> {
        let origin = self.service.base().origin();
        let secret = &self.stored.secret;
        BoundCredential {
            kind: self.kind,
            origin,
            secret,
        }
    }
}

pub async fn domains(context: Arc<WorldContext>, ticket: Ticket) -> Msg {
    let result = match Caller::for_operation(&context, Operation::Domains).await {
        Ok(caller) => {
            let mut result = caller.service.domains(caller.credential()).await;
            caller
                .end_trial(&context, ticket, result.as_mut().err())
                .await;
            result
        }
        Err(failure) => Err(failure),
    };
    Msg::DomainsListed { ticket, result }
}

/// The time for which the rows of a list wait for the totals.
const TOTALS_WAIT: Duration = Duration::from_millis(30);

/// The differences between payment links and direct payments in the runtime.
pub trait SaleWork: SaleTable {
    /// The newest query for the list.
    fn newest_query(stores: &Stores) -> &Arc<Newest<PageRequest>>;

    /// The message with a page of the list.
    fn loaded(ticket: Ticket, result: Result<SalesPage<Self>, JournalTrouble>) -> Msg;

    /// Sends the request of this row. `body` is the body of a direct payment.
    fn send(
        &self,
        caller: &Caller,
        row: RowId,
        body: &str,
    ) -> impl Future<Output = Result<Self::Created, Failure>> + Send;

    /// Reads an earlier reply again, after the API contract was corrected.
    fn read_again(service: &Service, reply: &MaskedReply) -> Option<Self::Created>;

    /// True if no text by which the buyer pays was found in the reply.
    fn lacks_payable(created: &Self::Created) -> bool;
}

impl SaleWork for LinkRequest {
    fn newest_query(stores: &Stores) -> &Arc<Newest<PageRequest>> {
        &stores.links
    }

    fn loaded(ticket: Ticket, result: Result<SalesPage<Self>, JournalTrouble>) -> Msg {
        Msg::LinksLoaded { ticket, result }
    }

    async fn send(&self, caller: &Caller, row: RowId, _: &str) -> Result<CreatedLink, Failure> {
        caller.create_link(row, self).await
    }

    fn read_again(service: &Service, reply: &MaskedReply) -> Option<CreatedLink> {
        service.read_link_again(reply)
    }

    fn lacks_payable(_: &CreatedLink) -> bool {
        false
    }
}

impl SaleWork for ChargeRequest {
    fn newest_query(stores: &Stores) -> &Arc<Newest<PageRequest>> {
        &stores.charges
    }

    fn loaded(ticket: Ticket, result: Result<SalesPage<Self>, JournalTrouble>) -> Msg {
        Msg::ChargesLoaded { ticket, result }
    }

    async fn send(
        &self,
        caller: &Caller,
        row: RowId,
        body: &str,
    ) -> Result<CreatedCharge, Failure> {
        caller
            .service
            .direct_payment(caller.credential(), row, body)
            .await
    }

    fn read_again(service: &Service, reply: &MaskedReply) -> Option<CreatedCharge> {
        service.read_charge_again(reply)
    }

    fn lacks_payable(created: &CreatedCharge) -> bool {
        created.pix_code.is_none()
    }
}

/// Loads a page of payment links or direct payments for the newest query. The app first gets the
/// rows, and then the totals as soon as they are counted.
pub async fn load_sales<R: SaleWork>(context: Arc<WorldContext>) -> Option<Msg> {
    let stores = &context.stores;
    let clock = (context.setup.clock.now().wall, context.setup.utc_offset_s);
    let slot = R::newest_query(stores);
    let (number, request, result) = newest_page(stores, slot, move |h, request| {
        history::sales::<R>(h, request, clock)
    })
    .await?;
    let ticket = request.ticket;
    let uncounted = result.as_ref().ok().filter(|read| read.totals.is_none());
    let days = uncounted.map(|read| history::local_days(&read.page.rows, clock.1));
    let rows = R::loaded(ticket, result);
    let Some(days) = days else { return Some(rows) };
    let totals = count_totals(stores, slot, number, move |h| {
        h.totals::<R>(&request.search, &days, clock)
    });
    let result = send_rows(&context, rows, totals).await?;
    Some(Msg::SalesCounted { ticket, result })
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
    let loaded = stores.history.call(move |history| {
        let (number, request) = query_slot.take_numbered()?;
        let result = match history {
            Ok(history) => history
                .run_cancellable(move || !query_slot.is_newest(number), |h| load(h, &request))?,
            Err(trouble) => Err(trouble.clone()),
        };
        Some((number, request, result))
    });
    match loaded.await {
        Some(result) => result,
        None => slot.take_numbered().map(|(number, request)| {
            let result = Err(closed_error());
            (number, request, result)
        }),
    }
}

/// Computes the figures of a report, as a background job. Returns `None` if a newer report was
/// requested.
pub async fn load_report(
    context: Arc<WorldContext>,
    number: QueryNumber,
    request: ReportRequest,
) -> Option<Msg> {
    let stores = &context.stores;
    let ReportRequest {
        ticket,
        days,
        before,
        utc_offset_s,
    } = request;
    let report = count_totals(stores, &stores.reports, number, move |history| {
        history.sales_report(days, before, utc_offset_s)
    });
    let result = report.await?.map(Box::new);
    Some(Msg::ReportLoaded { ticket, result })
}

/// Counts the totals of a list for query `number`, as a background job. Returns `None` if the list
/// has a newer query.
///
/// Any other job for the history thread interrupts the count, which then starts again. All lists
/// share one turn to count: two counts in the queue would interrupt each other for ever.
pub(super) async fn count_totals<Q: Send + 'static, R: Send + 'static>(
    stores: &Stores,
    slot: &Arc<Newest<Q>>,
    number: QueryNumber,
    count: impl Fn(&mut History) -> Result<R, JournalTrouble> + Send + Sync + 'static,
) -> Option<Result<R, JournalTrouble>> {
    let _turn = stores.counting.lock().await;
    let count = Arc::new(count);
    while slot.is_newest(number) {
        let slot = slot.clone();
        let count = count.clone();
        let worker = stores.history.clone();
        let counted = stores.history.call(move |history| match history {
            Ok(history) => history.run_cancellable(
                move || !slot.is_newest(number) || worker.should_yield(),
                |h| count(h),
            ),
            Err(trouble) => Some(Err(trouble.clone())),
        });
        if let Some(totals) = counted.await? {
            return Some(totals);
        }
    }
    None
}

/// Sends the rows of a list to the app, and returns the totals as soon as they are counted.
///
/// Rows without totals remove the old totals from the screen. So the rows first wait a moment for
/// the new totals, which would otherwise flicker with each letter of a search.
pub(super) async fn send_rows<T>(
    context: &WorldContext,
    rows: Msg,
    totals: impl Future<Output = Option<T>>,
) -> Option<T> {
    let mut totals = pin!(totals);
    let counted = timeout(TOTALS_WAIT, &mut totals).await;
    context.inbox.send(rows).await;
    match counted {
        Ok(totals) => totals,
        Err(_) => totals.await,
    }
}

/// Requests a new payment link or direct payment from the service. It is recorded before the
/// request is sent, so that it is known even if no reply arrives. `note` is the seller's note about
/// a link, which is not sent. `body` is the body of a direct payment.
pub async fn create_sale<R: SaleWork>(
    context: Arc<WorldContext>,
    ticket: Ticket,
    (request, note): (R, Option<String>),
    body: Arc<str>,
) -> Msg {
    let at = context.setup.clock.now().wall;
    let operation = R::OPERATION;
    let recorded_request = request.clone();
    let recorded_note = note.clone();
    let history = &context.stores.history;
    let record = move |h: &mut History| h.begin_with_note(&recorded_request, recorded_note, at);
    let row = match in_history(history, record).await {
        Ok(row) => row,
        Err(trouble) => {
            if context.consent.trial_of(operation).is_some() {
                context.consent.end_trial();
            }
            return Msg::SaleMade {
                ticket,
                operation,
                result: Err(Failure::Journal(trouble)),
            };
        }
    };
    context.unread.forget(operation);
    let reply = request_sale(&context, ticket, (row, &request), &body).await;
    let is_unread = match &reply {
        Ok(created) => R::lacks_payable(created),
        Err(failure) => matches!(failure, Failure::Unreadable { .. }),
    };
    if is_unread {
        context.unread.remember(operation, ticket, row);
    }
    let outcome = match &reply {
        Ok(created) => Outcome::Created(created.clone()),
        Err(failure) => Outcome::of_failure(failure),
    };
    let settled_outcome = outcome.clone();
    let recorded = in_history(history, move |h| h.settle(row, &settled_outcome)).await;
    let is_recorded = recorded.is_ok();
    let sale = recorded.unwrap_or(SaleOf {
        id: row,
        at,
        request,
        outcome,
        paid: None,
        note,
        put_away: None,
        authors: SaleAuthors::default(),
    });
    let sale = Sale::from(sale);
    if reply.is_ok() && !is_recorded {
        // The service created the link or payment, but the result could not be recorded. The app
        // shows it until the program ends.
        context
            .inbox
            .send(Msg::NotSaved(Box::new(sale.clone())))
            .await;
    }
    Msg::SaleMade {
        ticket,
        operation,
        result: reply.map(|_| Arc::new(sale)),
    }
}

async fn request_sale<R: SaleWork>(
    context: &WorldContext,
    ticket: Ticket,
    (row, request): (RowId, &R),
    body: &str,
) -> Result<R::Created, Failure> {
    let caller = Caller::for_operation(context, R::OPERATION).await?;
    let mut result = request.send(&caller, row, body).await;
    caller
        .end_trial(context, ticket, result.as_mut().err())
        .await;
    result
}

/// Marks a link or direct payment as paid, or removes this mark. The mark is stored only on this
/// computer.
pub async fn mark_paid(context: Arc<WorldContext>, sale: Box<Sale>, paid: Option<Wall>) -> Msg {
    let marked = in_history(&context.stores.history, move |h| h.mark_paid(&sale, paid)).await;
    Msg::MarkedPaid(marked.map(Arc::new))
}

/// Puts a link away, or brings it back. This is stored only on this computer.
pub async fn put_away(
    context: Arc<WorldContext>,
    link: Box<PaymentLink>,
    since: Option<Wall>,
) -> Msg {
    let put_away = in_history(&context.stores.history, move |h| h.put_away(&link, since)).await;
    Msg::PutAway(put_away.map(|link| Arc::new(link.into())))
}

/// Stores the seller's note about a link, only on this computer.
pub async fn set_note(
    context: Arc<WorldContext>,
    ticket: Ticket,
    link: Box<PaymentLink>,
    note: Option<String>,
) -> Msg {
    let set = move |h: &mut History| h.set_note(&link, note.as_deref());
    let stored = in_history(&context.stores.history, set).await;
    Msg::NoteSaved {
        ticket,
        result: stored
            .map(|link| Arc::new(link.into()))
            .map_err(Failure::Journal),
    }
}

/// Records in the history that payment links were paid, as reported by the sandbox.
pub async fn set_paid(
    context: Arc<WorldContext>,
    links: Arc<[Untrusted]>,
    new: Option<Untrusted>,
) -> Msg {
    let at = context.setup.clock.now().wall;
    let origin = context.setup.base.origin().clone();
    let recorded = in_history(&context.stores.history, move |h| {
        h.record_sandbox_payments(&origin, &links, at)?;
        new.map_or(Ok(None), |url| h.link_at(&origin, &url))
    });
    Msg::SandboxPaymentsRecorded(
        recorded
            .await
            .map(|new| new.map(|link| Arc::new(link.into()))),
    )
}

/// Removes a link or direct payment from the history, without a request to the service.
pub async fn remove_sale(context: Arc<WorldContext>, sale: Box<Sale>) -> Msg {
    let remove = move |h: &mut History| h.remove_sale(&sale).map(|()| Arc::new(*sale));
    Msg::SaleRemoved(in_history(&context.stores.history, remove).await)
}

/// Records in the history that this link or direct payment exists, because the seller found it at
/// the service.
pub async fn settle_found_sale(context: Arc<WorldContext>, ticket: Ticket, sale: Box<Sale>) -> Msg {
    let stored = in_history(&context.stores.history, move |h| {
        h.settle_after_lookup(&sale)
    })
    .await;
    Msg::SaleFound {
        ticket,
        result: stored.map(Arc::new).map_err(Failure::Journal),
    }
}

/// Reads the buyers of the account's earlier direct payments.
pub async fn load_buyers(context: Arc<WorldContext>, ticket: Ticket, account: Account) -> Msg {
    let result = in_history(&context.stores.history, move |h| h.buyers(&account)).await;
    Msg::BuyersLoaded { ticket, result }
}

/// Reads the descriptions of the account's earlier links.
pub async fn load_known_links(context: Arc<WorldContext>, ticket: Ticket, account: Account) -> Msg {
    let result = in_history(&context.stores.history, move |h| h.known_links(&account)).await;
    Msg::KnownLinksLoaded { ticket, result }
}

/// Records in the history which checkout domains the service listed. Ignores errors, because the
/// app also works without these records.
pub async fn record_domains(
    context: Arc<WorldContext>,
    account: Account,
    listed: Vec<CheckoutDomain>,
) -> Msg {
    let at = context.setup.clock.now().wall;
    let owner = account.clone();
    let seen = in_history(&context.stores.history, move |h| {
        h.record_domains(&owner, &listed, at)
    })
    .await;
    Msg::DomainsNoted {
        account,
        seen: seen.unwrap_or_default(),
    }
}

/// Asks the service for the fee of a withdrawal of this amount. If `has_probe` is true and the
/// service answers, also asks for the fee of an amount that differs by one centavo.
pub async fn request_quote(
    context: Arc<WorldContext>,
    ticket: Ticket,
    amount: Money,
    has_probe: bool,
) -> Msg {
    let caller = match Caller::for_operation(&context, Operation::FeePreview).await {
        Ok(caller) => caller,
        Err(failure) => {
            return Msg::Quoted {
                ticket,
                result: Err(NoQuote::Failure(failure)),
            };
        }
    };
    let mut result = caller
        .service
        .fee_preview(caller.credential(), amount)
        .await;
    let probe_amount = unit_check::probe_amount(amount);
    let probe_amount = probe_amount.filter(|_| has_probe && unit_check::is_answered(&result));
    let probe = match probe_amount {
        Some(amount) => Some(
            caller
                .service
                .fee_preview(caller.credential(), amount)
                .await,
        ),
        None => None,
    };
    let failure = match &mut result {
        Err(NoQuote::Failure(failure)) => Some(failure),
        Ok(_) | Err(NoQuote::Fault(_)) => None,
    };
    caller.end_trial(&context, ticket, failure).await;
    if let Some(probe) = probe {
        let quote = Box::new(result.clone());
        let probe = Box::new(probe);
        context
            .inbox
            .send(Msg::UnitProbed {
                amount,
                quote,
                probe,
            })
            .await;
    }
    Msg::Quoted { ticket, result }
}
