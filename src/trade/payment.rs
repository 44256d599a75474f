//! Payment links and direct payments: the requests that create them, the outcomes of these
//! requests, and the lists in the history.
//!
//! The API documents no idempotency key for links and direct payments, so the program never retries
//! such a request. If no response arrives, the link or payment may exist, so the outcome is
//! unknown.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::failure::{Failure, MoneyMoved, Refusal};
use super::link_totals::{RecentTotals, SearchTotals};
use super::{Account, BrCode, Money, Untrusted, Wall};

/// The id of a row in the history database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub i64);

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

/// A payment link as stored in the history.
#[derive(Debug, Clone, PartialEq)]
pub struct PaymentLink {
    /// The id of the row in the history database.
    pub id: RowId,
    /// The time of the request.
    pub at: Wall,
    /// The parameters of the request.
    pub request: LinkRequest,
    /// The outcome of the request.
    pub outcome: LinkOutcome,
    /// The time of the payment and its source; `None` if no payment is recorded.
    pub paid: Option<Paid>,
}

/// Records when a payment link or a direct payment was paid, and who reported it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paid {
    /// The time when the seller marked the row as paid, or when the sandbox reported the payment.
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
}

/// A page of the list of payment links, with the totals of the search if they are already computed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinksPage {
    /// The rows of the page.
    pub page: ListPage<PaymentLink>,
    /// The totals of the search; `None` if they are not computed yet.
    pub totals: Option<LinkTotals>,
}

/// The totals of a search in the list of payment links. They are computed after the rows, because
/// counting a long list takes time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinkTotals {
    /// The number of links that match the search.
    pub total: u64,
    /// The number and sum of links for each day on the page. Empty if a search or filter is active,
    /// because the list then shows only some of the links of each day.
    pub days: Vec<DayTotal>,
    /// The sums of the links that match the search; `None` if no search or filter is active, or if
    /// a sum cannot be represented exactly.
    pub found: Option<SearchTotals>,
    /// The sums of recent days and of the current month; `None` if a sum cannot be represented
    /// exactly.
    pub figures: Option<Box<RecentTotals>>,
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

/// The outcome of a request to create a payment link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkOutcome {
    /// The link may or may not exist, because the response was unclear or missing, or the request
    /// is still running.
    Unknown,
    /// The service created the payment link.
    Created {
        /// The URL of the checkout page, exactly as received.
        url: Untrusted,
    },
    /// The service refused the request with a status that proves that it created no link.
    Refused(Refusal),
    /// The request did not reach the service.
    NotSent,
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

/// A direct payment as stored in the history.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge {
    /// The id of the row in the history database.
    pub id: RowId,
    /// The time of the request.
    pub at: Wall,
    /// The parameters of the request.
    pub request: ChargeRequest,
    /// The outcome of the request.
    pub outcome: ChargeOutcome,
    /// The seller's note that the buyer has paid; `None` if there is no such note.
    pub paid: Option<Paid>,
}

/// The outcome of a request to create a direct payment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChargeOutcome {
    /// The direct payment may or may not exist, because the response was unclear or missing, or the
    /// request is still running.
    Unknown,
    /// The service created the direct payment.
    Created {
        /// The payment's id at the service.
        id: Option<Untrusted>,
        /// The payment's status, in the service's own words.
        status: Option<Untrusted>,
        /// The Pix code that the buyer copies into a banking app.
        pix_code: Option<Untrusted>,
        /// The buyer's deadline for paying, in the service's own format.
        expires: Option<Untrusted>,
    },
    /// The service refused the request with a status that proves that it created no payment.
    Refused(Refusal),
    /// The request did not reach the service.
    NotSent,
}

/// A row of the seller's history: a payment link or a direct payment.
#[derive(Debug, Clone, PartialEq)]
pub enum Sale {
    /// A payment link.
    Link(PaymentLink),
    /// A direct payment.
    Charge(Charge),
}

impl Sale {
    /// Returns the id, the time and the account of the row. The id alone does not identify a row,
    /// because ids start again at 1 when a damaged history is replaced.
    pub fn identity(&self) -> (RowId, Wall, &Account) {
        match self {
            Sale::Link(link) => (link.id, link.at, &link.request.account),
            Sale::Charge(charge) => (charge.id, charge.at, &charge.request.account),
        }
    }

    /// Returns true if both are the same row of the history.
    pub fn is_same(&self, other: &Sale) -> bool {
        let is_same_kind = std::mem::discriminant(self) == std::mem::discriminant(other);
        is_same_kind && self.identity() == other.identity()
    }

    /// Returns true if the service is known to have created the link or direct payment.
    pub fn is_created(&self) -> bool {
        match self {
            Sale::Link(link) => matches!(link.outcome, LinkOutcome::Created { .. }),
            Sale::Charge(charge) => matches!(charge.outcome, ChargeOutcome::Created { .. }),
        }
    }

    /// Returns the time and the source of the payment, if the link or direct payment was paid.
    pub fn paid(&self) -> Option<Paid> {
        match self {
            Sale::Link(link) => link.paid,
            Sale::Charge(charge) => charge.paid,
        }
    }

    /// Replaces the record that the link or direct payment was paid. `None` removes the record.
    pub fn with_paid(self, paid: Option<Paid>) -> Sale {
        match self {
            Sale::Link(link) => Sale::Link(PaymentLink { paid, ..link }),
            Sale::Charge(charge) => Sale::Charge(Charge { paid, ..charge }),
        }
    }

    /// Returns the requested amount and the description.
    pub fn amount_and_description(&self) -> (Money, &str) {
        match self {
            Sale::Link(PaymentLink { request, .. }) => (request.amount, &request.description),
            Sale::Charge(Charge { request, .. }) => (request.amount, &request.description),
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
        ListPage { rows: Arc::new([]), total: Some(0), first: 0 }
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

impl PaymentLink {
    /// Returns the host name in the URL of the payment link, in lower case. If the link has no URL,
    /// returns the requested checkout domain.
    pub fn host(request: &LinkRequest, outcome: &LinkOutcome) -> Option<String> {
        let url = match outcome {
            LinkOutcome::Created { url } => url.raw().split_once("://"),
            _ => None,
        };
        let url_host = url.and_then(|(_, after)| after.split(['/', ':', '?']).next());
        let requested_host = || request.domain.as_ref().map(Untrusted::raw);
        url_host.or_else(requested_host).map(str::to_lowercase)
    }
}

/// A checkout domain from the service's list.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckoutDomain {
    /// The host name.
    pub host: Untrusted,
    /// The state of the checkout domain.
    pub state: DomainState,
    /// True if the service marks this domain as the seller's default domain.
    pub is_default: bool,
}

/// The state of a checkout domain in the service's response.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DomainState {
    /// The response contains no state for the domain, so it counts as usable. A service that sends
    /// no states lists only usable domains.
    Usable,
    /// The response marks the domain as active.
    Active,
    /// The response marks the domain as not active. The text is the service's word for the state.
    Pending(Option<Untrusted>),
}

impl CheckoutDomain {
    /// Returns true if a new payment link can use the domain now.
    pub fn is_usable(&self) -> bool {
        !matches!(self.state, DomainState::Pending(_))
    }
}

/// The seller's choice of a checkout domain for a new payment link.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum DomainChoice {
    /// The service chooses one of the seller's active domains. The request has no `checkoutDomain`
    /// field.
    #[default]
    Automatic,
    /// The seller chose this host name. The request contains it exactly as the service listed it.
    Named(Untrusted),
}

/// Returns the outcome to store in the history for a failed request. It always agrees with the
/// message about the failure on the screen.
fn outcome_of_failure<O>(
    failure: &Failure,
    unknown: O,
    not_sent: O,
    refused: fn(Refusal) -> O,
) -> O {
    match failure {
        // The user may have cancelled a request that was already sent.
        Failure::Cancelled => unknown,
        failure if failure.may_have_acted() == MoneyMoved::Maybe => unknown,
        Failure::Refused(refusal) | Failure::Unauthorized { refusal, .. } => {
            refused(refusal.clone())
        }
        _ => not_sent,
    }
}

impl LinkOutcome {
    /// Returns the outcome that the history stores for a failed request.
    pub fn of_failure(failure: &Failure) -> LinkOutcome {
        outcome_of_failure(
            failure,
            LinkOutcome::Unknown,
            LinkOutcome::NotSent,
            LinkOutcome::Refused,
        )
    }
}

impl Charge {
    /// Returns the Pix code, if the service returned one.
    pub fn pix_code(&self) -> Option<&Untrusted> {
        self.outcome.pix_code()
    }

    /// Returns the time when the payment expires, if the service returned a valid time.
    pub fn expires_at(&self) -> Option<Wall> {
        self.outcome.expires_at()
    }

    /// Returns true if the Pix code is inconsistent or does not match the requested amount. The app
    /// does not share such a code with the buyer.
    pub fn has_odd_code(&self) -> bool {
        self.outcome.has_odd_code(self.request.amount)
    }
}

impl ChargeOutcome {
    /// Returns the Pix code, if the service returned one.
    pub fn pix_code(&self) -> Option<&Untrusted> {
        match self {
            ChargeOutcome::Created { pix_code, .. } => pix_code.as_ref(),
            _ => None,
        }
    }

    /// Returns when the payment expires, if the service returned a valid time.
    pub fn expires_at(&self) -> Option<Wall> {
        match self {
            ChargeOutcome::Created { expires, .. } => {
                let expires = expires.as_ref()?;
                Wall::parse_rfc3339(&Untrusted::without_masking(|| expires.shown_within(60)))
            }
            _ => None,
        }
    }

    /// Returns true if the Pix code is inconsistent or does not match the `requested` amount.
    ///
    /// Returns false for a code that cannot be parsed, because its format may be unknown to this
    /// program.
    pub fn has_odd_code(&self, requested: Money) -> bool {
        self.pix_code().and_then(BrCode::parse).is_some_and(|code| code.contradicts(requested))
    }

    /// Returns true if the direct payment was created, but no Pix code was found in the response.
    pub fn lacks_code(&self) -> bool {
        matches!(self, ChargeOutcome::Created { pix_code: None, .. })
    }

    /// Returns the outcome that the history stores for a failed request.
    pub fn of_failure(failure: &Failure) -> ChargeOutcome {
        outcome_of_failure(
            failure,
            ChargeOutcome::Unknown,
            ChargeOutcome::NotSent,
            ChargeOutcome::Refused,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::withdrawal::NotSent;
    use crate::trade::{CredentialKind, NoAnswer, VaultTrouble};

    fn refusal(status: u16) -> Refusal {
        Refusal { status, message: Some("não".into()), hint: None }
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
        failures.push(Failure::Redirected { status: 302, location: None });
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
        for status in [400, 401, 403, 404, 422, 429] {
            let refusal = refusal(status);
            let (link, charge) =
                (LinkOutcome::Refused(refusal.clone()), ChargeOutcome::Refused(refusal.clone()));
            assert_outcomes(&Failure::Refused(refusal.clone()), &link, &charge);
            let credential = Some(CredentialKind::Jwt);
            assert_outcomes(&Failure::Unauthorized { credential, refusal }, &link, &charge);
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
