//! Payment links and direct payments: the requests that create them, the outcomes of these
//! requests, and the lists in the history.
//!
//! The API documents no idempotency key for links and direct payments, so the program never retries
//! such a request. If no response arrives, the link or payment may exist, so the outcome is
//! unknown.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::exchange::Operation;
use super::failure::{Failure, MoneyMoved, Refusal};
use super::link_totals::{RecentTotals, SearchTotals};
use super::{Account, Author, BrCode, Money, Untrusted, Wall};

/// The id of a row in the history database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub i64);

/// The maximum length of the description of a payment link, in characters.
pub const MAX_DESCRIPTION_LENGTH: usize = 140;

/// The maximum length of the seller's note about a payment link, in characters.
pub const MAX_NOTE_LENGTH: usize = 120;

/// Trims the text and returns it as the seller's note about a payment link. Returns `None` if the
/// text is empty, is too long, or contains line breaks or invisible characters.
pub fn parse_note(text: &str) -> Option<String> {
    let text = text.trim();
    let fits = !text.is_empty() && text.chars().count() <= MAX_NOTE_LENGTH;
    let is_visible = Untrusted::from(text).is_clean();
    (fits && is_visible).then(|| text.to_owned())
}

/// The parameters of a request to create a payment link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkRequest {
    /// The account that the payment link belongs to.
    pub account: Account,
    /// The amount that the buyer pays.
    pub amount: Money,
    /// The description of the payment.
    pub description: String,
    /// The requested checkout domain. If it is `None`, the request leaves the field out and the
    /// service chooses the domain.
    pub domain: Option<Untrusted>,
}

/// A request for a payment link or a direct payment: the part of it that the history stores.
pub trait SaleRequest:
    Debug + Clone + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The part of the reply that the history stores if the service created the link or payment.
    type Created: Debug + Clone + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The operation that sends the request.
    const OPERATION: Operation;

    /// The account that the link or payment belongs to.
    fn account(&self) -> &Account;

    /// The amount that the buyer pays.
    fn amount(&self) -> Money;

    /// The description of the link or payment.
    fn description(&self) -> &str;

    /// The link or payment as a row of either kind.
    fn into_sale(sale: SaleOf<Self>) -> Sale;

    /// The link or payment, if it is of this kind.
    fn of_sale(sale: &Sale) -> Option<&SaleOf<Self>>;
}

/// Implements [`SaleRequest`] for a request that is one of the variants of [`Sale`].
macro_rules! sale_requests {
    ($($request:ident: $variant:ident, $created:ident, $operation:ident;)*) => {
        $(impl SaleRequest for $request {
            type Created = $created;

            const OPERATION: Operation = Operation::$operation;

            fn account(&self) -> &Account {
                &self.account
            }

            fn amount(&self) -> Money {
                self.amount
            }

            fn description(&self) -> &str {
                &self.description
            }

            fn into_sale(sale: SaleOf<$request>) -> Sale {
                Sale::$variant(sale)
            }

            fn of_sale(sale: &Sale) -> Option<&SaleOf<$request>> {
                match sale {
                    Sale::$variant(sale) => Some(sale),
                    _ => None,
                }
            }
        })*
    };
}

sale_requests! {
    LinkRequest: Link, CreatedLink, CreateLink;
    ChargeRequest: Charge, CreatedCharge, DirectPayment;
}

/// A payment link or direct payment as stored in the history. What differs between the two is in
/// the types of the request and of what it creates.
#[derive(Debug, Clone, PartialEq)]
pub struct SaleOf<R: SaleRequest> {
    /// The id of the row in the history database.
    pub id: RowId,
    /// The time of the request.
    pub at: Wall,
    /// The parameters of the request.
    pub request: R,
    /// The outcome of the request.
    pub outcome: Outcome<R::Created>,
    /// The time of the payment and its source; `None` if no payment is recorded.
    pub paid: Option<Paid>,
    /// The seller's note about a link, for nobody else. Direct payments have none.
    pub note: Option<String>,
    /// The time since when the seller keeps a link out of the list. The link stays valid.
    pub put_away: Option<Wall>,
    /// The persons of a team who made and changed the row. Empty without a team.
    pub authors: SaleAuthors,
}

/// The persons of a team who made a payment link or direct payment, and who changed a part of it
/// last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SaleAuthors {
    /// The person who sent the request.
    pub created: Option<Author>,
    /// The person who marked it as paid, or removed the mark.
    pub paid: Option<Author>,
    /// The person who wrote the note, or removed it.
    pub note: Option<Author>,
}

/// A payment link as stored in the history.
pub type PaymentLink = SaleOf<LinkRequest>;

/// A direct payment as stored in the history.
pub type Charge = SaleOf<ChargeRequest>;

/// Records when a payment link or a direct payment was paid, and who reported it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paid {
    /// The time when the seller marked the row as paid, when the seller accepted the line of a
    /// statement, or when the sandbox reported the payment.
    pub at: Wall,
    /// The source of the information that it was paid.
    pub source: PaidSource,
}

/// The person or system that reported that a payment link or a direct payment was paid. The
/// documented API does not report payments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaidSource {
    /// The seller marked the link or direct payment as paid.
    Seller,
    /// The sandbox reported that the payment link was paid. This report replaces the seller's mark.
    Sandbox,
    /// A line of a bank's statement shows the payment, and the seller accepted it. The line is of
    /// this local day, counted since 1970.
    Statement(i64),
}

/// A page of the list of payment links or direct payments, with the totals of the search if they
/// are already computed.
#[derive(Debug, Clone, PartialEq)]
pub struct SalesPage<R: SaleRequest> {
    /// The rows of the page.
    pub page: ListPage<SaleOf<R>>,
    /// The totals of the search; `None` if they are not computed yet.
    pub totals: Option<ListTotals>,
}

impl<R: SaleRequest> From<ListPage<SaleOf<R>>> for SalesPage<R> {
    /// The rows need no count if the page already has their number.
    fn from(page: ListPage<SaleOf<R>>) -> SalesPage<R> {
        let totals = page.total.map(|total| ListTotals {
            total,
            ..ListTotals::default()
        });
        SalesPage { page, totals }
    }
}

impl<R: SaleRequest> Default for SalesPage<R> {
    fn default() -> Self {
        SalesPage {
            page: ListPage::default(),
            totals: None,
        }
    }
}

/// The totals of a search in the list of payment links or direct payments. They are computed after
/// the rows, because counting a long list takes time. For direct payments, only the number and the
/// sums of a search are computed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ListTotals {
    /// The number of rows that match the search.
    pub total: u64,
    /// The number and sum of links for each day on the page. Empty if a search or filter is active,
    /// because the list then shows only some of the links of each day.
    pub days: Vec<DayTotal>,
    /// The sums of the rows that match the search; `None` if no search or filter is active, or if
    /// a sum cannot be represented exactly.
    pub found: Option<SearchTotals>,
    /// The sums of recent days and of the current month; `None` if a sum cannot be represented
    /// exactly.
    pub figures: Option<Box<RecentTotals>>,
    /// The accounts in which a link was marked or reported as paid in the last 30 days. Only the
    /// latest marked links are considered.
    pub marking_accounts: Vec<Account>,
}

/// The totals of the payment links created on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayTotal {
    /// The start of the day in the seller's time zone.
    pub starts: Wall,
    /// The number of links that the service created on this day.
    pub count: u64,
    /// The sum of the amounts of these links.
    pub sum: Money,
    /// The sum of the links that were paid, according to the seller or the sandbox.
    pub paid: Money,
}

/// The outcome of a request to create a payment link or a direct payment. The names of the variants
/// are stored in the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome<C> {
    /// The link or payment may or may not exist, because the response was unclear or missing, or
    /// the request is still running.
    Unknown,
    /// The service created the link or payment.
    Created(C),
    /// The service refused the request, and its response proves that it created nothing.
    Refused(Refusal),
    /// The request did not reach the service.
    NotSent,
}

impl<C> Outcome<C> {
    /// The outcome to store in the history for a failed request. It always agrees with the message
    /// about the failure on the screen.
    pub fn of_failure(failure: &Failure) -> Outcome<C> {
        match failure {
            // The user may have cancelled a request that was already sent.
            Failure::Cancelled => Outcome::Unknown,
            failure if failure.may_have_acted() == MoneyMoved::Maybe => Outcome::Unknown,
            Failure::Refused(refusal) | Failure::Unauthorized { refusal, .. } => {
                Outcome::Refused(refusal.clone())
            }
            _ => Outcome::NotSent,
        }
    }

    /// The part of the reply that is stored; `None` if nothing is known to be created.
    pub fn created(&self) -> Option<&C> {
        match self {
            Outcome::Created(created) => Some(created),
            _ => None,
        }
    }
}

/// The outcome of a request to create a payment link.
pub type LinkOutcome = Outcome<CreatedLink>;

/// The outcome of a request to create a direct payment.
pub type ChargeOutcome = Outcome<CreatedCharge>;

/// The stored part of the reply that created a payment link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CreatedLink {
    /// The URL of the checkout page, exactly as received.
    pub url: Untrusted,
}

/// The stored part of the reply that created a direct payment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CreatedCharge {
    /// The payment's id at the service.
    pub id: Option<Untrusted>,
    /// The payment's status, in the service's own words.
    pub status: Option<Untrusted>,
    /// The Pix code that the buyer copies into a banking app.
    pub pix_code: Option<Untrusted>,
    /// The buyer's deadline for paying, in the service's own format.
    pub expires: Option<Untrusted>,
}

/// The part of a request for a direct payment that the history stores. The request that is sent may
/// contain more fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChargeRequest {
    /// The account that the payment belongs to.
    pub account: Account,
    /// The amount to pay.
    pub amount: Money,
    /// The description of the payment.
    pub description: String,
    /// The name of the buyer, if the request has one.
    pub customer: Option<String>,
    /// The values of the buyer fields in the form, including the name, by field id. If the seller
    /// chooses the same buyer again, the form is filled in with these values. Empty in rows from
    /// earlier versions of the program.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub buyer: BTreeMap<String, String>,
}

/// A buyer of earlier direct payments.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownBuyer {
    /// The name of the buyer.
    pub customer: String,
    /// The values of the buyer fields in the form, by field id.
    pub buyer: BTreeMap<String, String>,
    /// The number of direct payments by this buyer.
    pub count: u64,
    /// The time of the buyer's last direct payment.
    pub last: Wall,
}

/// The description of earlier payment links, with what a new link like them needs.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownLink {
    /// The description of the links.
    pub description: String,
    /// The amount of the latest link.
    pub amount: Money,
    /// The number of links with this description.
    pub count: u64,
    /// The time of the latest link.
    pub last: Wall,
}

/// A row of the seller's history: a payment link or a direct payment.
#[derive(Debug, Clone, PartialEq)]
pub enum Sale {
    /// A payment link.
    Link(PaymentLink),
    /// A direct payment.
    Charge(Charge),
}

impl<R: SaleRequest> From<SaleOf<R>> for Sale {
    fn from(sale: SaleOf<R>) -> Sale {
        R::into_sale(sale)
    }
}

impl<R: SaleRequest> SaleOf<R> {
    /// True if both are the same row of the history. The id alone does not identify a row, because
    /// ids start again at 1 when a damaged history is replaced.
    pub fn is_same(&self, other: &SaleOf<R>) -> bool {
        (self.id, self.at) == (other.id, other.at) && self.request == other.request
    }

    /// The id, the time and the account, which together identify a row of the history.
    pub fn identity(&self) -> (RowId, Wall, &Account) {
        (self.id, self.at, self.request.account())
    }
}

impl Sale {
    /// The id, the time and the account, which together identify a row of the history.
    pub fn identity(&self) -> (RowId, Wall, &Account) {
        match self {
            Sale::Link(link) => link.identity(),
            Sale::Charge(charge) => charge.identity(),
        }
    }

    /// True if both are the same row of the history.
    pub fn is_same(&self, other: &Sale) -> bool {
        match (self, other) {
            (Sale::Link(one), Sale::Link(other)) => one.is_same(other),
            (Sale::Charge(one), Sale::Charge(other)) => one.is_same(other),
            _ => false,
        }
    }

    /// The time and the source of the payment, if the link or direct payment was paid.
    pub fn paid(&self) -> Option<Paid> {
        match self {
            Sale::Link(link) => link.paid,
            Sale::Charge(charge) => charge.paid,
        }
    }

    /// True if the seller has put the link away.
    pub fn is_put_away(&self) -> bool {
        match self {
            Sale::Link(link) => link.put_away.is_some(),
            Sale::Charge(charge) => charge.put_away.is_some(),
        }
    }

    /// Replaces the record that the link or direct payment was paid. `None` removes the record. A
    /// paid link is not put away any more.
    pub fn with_paid(mut self, paid: Option<Paid>) -> Sale {
        match &mut self {
            Sale::Link(link) => {
                link.paid = paid;
                link.put_away = link.put_away.filter(|_| paid.is_none());
            }
            Sale::Charge(charge) => charge.paid = paid,
        }
        self
    }

    /// The requested amount and the description.
    pub fn amount_and_description(&self) -> (Money, &str) {
        match self {
            Sale::Link(link) => (link.request.amount, &link.request.description),
            Sale::Charge(charge) => (charge.request.amount, &charge.request.description),
        }
    }
}

/// A page of a list: consecutive rows, with the position of the first one.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPage<T> {
    /// The rows, newest first.
    pub rows: Arc<[T]>,
    /// The number of rows in the whole list; `None` if they are not counted yet.
    pub total: Option<u64>,
    /// The position of the first of these rows in the whole list, counted from 0.
    pub first: u64,
}

impl<T> Default for ListPage<T> {
    fn default() -> Self {
        ListPage {
            rows: Arc::new([]),
            total: Some(0),
            first: 0,
        }
    }
}

/// The part of a list to read from the history database.
///
/// Rows are found by the id of a row near them, not by counting from the start. So every part of
/// the list loads equally fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PagePosition {
    /// The newest rows.
    #[default]
    Top,
    /// The rows near a row that was already read.
    Near {
        /// The id of that row.
        id: RowId,
        /// The position of that row in the whole list.
        position: u64,
        /// The position of the first requested row in the whole list.
        first: u64,
    },
    /// The oldest rows.
    End,
}

impl LinkRequest {
    /// The host name in the URL of the payment link, in lower case. If the link has no URL, returns
    /// the requested checkout domain.
    pub fn host(&self, outcome: &LinkOutcome) -> Option<String> {
        let url = outcome
            .created()
            .and_then(|created| created.url.raw().split_once("://"));
        let url_host = url.and_then(|(_, after)| after.split(['/', ':', '?']).next());
        url_host
            .or_else(|| self.domain.as_ref().map(Untrusted::raw))
            .map(str::to_lowercase)
    }
}

impl PaymentLink {
    /// The URL of the checkout page, if the service returned one.
    pub fn url(&self) -> Option<&Untrusted> {
        Some(&self.outcome.created()?.url)
    }
}

impl Charge {
    /// The Pix code, if the service returned one.
    pub fn pix_code(&self) -> Option<&Untrusted> {
        self.outcome.pix_code()
    }

    /// The time when the payment expires, if the service returned a valid time.
    pub fn expires_at(&self) -> Option<Wall> {
        self.outcome.expires_at()
    }

    /// True if the Pix code is inconsistent or does not match the requested amount. The app does
    /// not share such a code with the buyer.
    pub fn has_odd_code(&self) -> bool {
        self.outcome.has_odd_code(self.request.amount)
    }
}

impl ChargeOutcome {
    /// The Pix code, if the service returned one.
    pub fn pix_code(&self) -> Option<&Untrusted> {
        self.created()?.pix_code.as_ref()
    }

    /// Returns when the payment expires, if the service returned a valid time.
    pub fn expires_at(&self) -> Option<Wall> {
        let expires = self.created()?.expires.as_ref()?;
        Wall::parse_rfc3339(&Untrusted::without_masking(|| expires.shown_within(60)))
    }

    /// True if the Pix code is inconsistent or does not match the `requested` amount.
    ///
    /// Returns false for a code that cannot be parsed, because its format may be unknown to this
    /// program.
    pub fn has_odd_code(&self, requested: Money) -> bool {
        self.pix_code()
            .and_then(BrCode::parse)
            .is_some_and(|code| code.contradicts(requested))
    }

    /// True if the direct payment was created, but no Pix code was found in the response.
    pub fn lacks_code(&self) -> bool {
        self.created()
            .is_some_and(|created| created.pix_code.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::withdrawal::NotSent;
    use crate::trade::{CredentialKind, NoAnswer, VaultTrouble};

    fn refusal(status: u16) -> Refusal {
        Refusal {
            status,
            message: Some("não".into()),
            hint: None,
            retry_after: None,
        }
    }

    fn assert_outcomes(failure: &Failure, link: &LinkOutcome, charge: &ChargeOutcome) {
        assert_eq!(LinkOutcome::of_failure(failure), *link, "{failure:?}");
        assert_eq!(ChargeOutcome::of_failure(failure), *charge, "{failure:?}");
    }

    #[test]
    fn possible_creation_is_stored_as_unknown() {
        let statuses = [408, 409, 499, 500, 502, 503, 504, 599, 600];
        let mut failures: Vec<_> = statuses.map(|n| Failure::Refused(refusal(n))).into();
        failures.push(Failure::NoAnswer(NoAnswer::Timeout));
        failures.push(Failure::Redirected {
            status: 302,
            location: None,
        });
        failures.push(Failure::Contradicted(refusal(200)));
        let body = "{}".into();
        failures.push(Failure::Unreadable {
            status: 200,
            expected_settings: vec![],
            can_be_taught: false,
            body,
        });
        // The user may have cancelled a request that was already sent.
        failures.push(Failure::Cancelled);
        for failure in &failures {
            assert_outcomes(failure, &LinkOutcome::Unknown, &ChargeOutcome::Unknown);
        }
    }

    #[test]
    fn certain_rejection_is_stored_as_refused() {
        for status in [200, 201, 400, 401, 403, 404, 422, 429] {
            let refusal = refusal(status);
            let link = LinkOutcome::Refused(refusal.clone());
            let charge = ChargeOutcome::Refused(refusal.clone());
            assert_outcomes(&Failure::Refused(refusal.clone()), &link, &charge);
            let credential = Some(CredentialKind::Jwt);
            assert_outcomes(
                &Failure::Unauthorized {
                    credential,
                    refusal,
                },
                &link,
                &charge,
            );
        }
    }

    #[test]
    fn failure_before_sending_is_stored_as_not_sent() {
        for failure in [
            Failure::NotSent(NotSent::Dns),
            Failure::NoCredential(CredentialKind::Jwt),
            Failure::Vault(VaultTrouble::Locked),
        ] {
            assert_outcomes(&failure, &LinkOutcome::NotSent, &ChargeOutcome::NotSent);
        }
    }
}
