//! Payment links and direct payments: what was asked for and what came of it.
//!
//! Neither has a documented key against duplicates. For that reason neither is ever retried by
//! itself, and "it may exist" is an outcome that the seller sees.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::failure::{Failure, Moved, Refusal};
use super::link_totals::{FoundTotals, LinkFigures};
use super::{Account, Money, Untrusted, Wall};

/// The number of a row in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub i64);

/// A payment link as it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkRequest {
    /// The owner of the link.
    pub account: Account,
    /// The amount that the buyer is to pay.
    pub amount: Money,
    /// The description.
    pub description: String,
    /// The domain that was named; `None` is automatic, and absent from the body.
    pub domain: Option<Untrusted>,
}

/// A payment link in the history.
#[derive(Debug, Clone, PartialEq)]
pub struct PaymentLink {
    /// Its row.
    pub id: RowId,
    /// The time at which it was asked for.
    pub at: Wall,
    /// The request.
    pub request: LinkRequest,
    /// The outcome.
    pub outcome: LinkOutcome,
    /// The time at which a person marked it as paid; no operation of the service says so.
    pub paid: Option<Wall>,
}

/// A page of links, with the totals if they are known without counting.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinksRead {
    /// The rows.
    pub page: ListPage<PaymentLink>,
    /// The totals of the search; `None` until they are counted.
    pub totals: Option<LinkTotals>,
}

/// The totals of a search of the links. They follow the rows: counting a long list takes time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinkTotals {
    /// The number of links found.
    pub total: u64,
    /// The count and the sum of each day on the page, unless some links are left out.
    pub days: Vec<DayTotal>,
    /// The sums of what was found; `None` if nothing was left out, or a sum cannot be held exactly.
    pub found: Option<FoundTotals>,
    /// The sums of the last weeks; `None` if one cannot be held exactly.
    pub figures: Option<Box<LinkFigures>>,
}

/// The links made on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayTotal {
    /// The first moment of the day, at the seller's place.
    pub starts: Wall,
    /// The number of links that the service made.
    pub count: u64,
    /// Their amounts together.
    pub sum: Money,
}

/// The outcome of asking for a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkOutcome {
    /// Nothing proves that it exists, or that it does not. (Also while it is being asked for.)
    Unknown,
    /// The service answered with its address.
    Created {
        /// The address, byte for byte.
        url: Untrusted,
    },
    /// The service refused, and a status like this says that it made nothing.
    Refused(Refusal),
    /// Nothing reached the service.
    NotSent,
}

/// A direct payment as it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChargeRequest {
    /// The owner.
    pub account: Account,
    /// The amount to pay.
    pub amount: Money,
    /// The description.
    pub description: String,
    /// The buyer, as far as the body names one.
    pub customer: Option<String>,
}

/// A direct payment in the history.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge {
    /// Its row.
    pub id: RowId,
    /// The time at which it was asked for.
    pub at: Wall,
    /// The request.
    pub request: ChargeRequest,
    /// The outcome.
    pub outcome: ChargeOutcome,
}

/// The outcome of asking for a direct payment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChargeOutcome {
    /// Nothing proves that it exists, or that it does not.
    Unknown,
    /// The service made it.
    Created {
        /// The service's identifier.
        id: Option<Untrusted>,
        /// The service's own status word.
        status: Option<Untrusted>,
        /// The PIX copy-and-paste code.
        pix_code: Option<Untrusted>,
        /// Until when it can be paid, as the service wrote it.
        expires: Option<Untrusted>,
    },
    /// The service refused, and a status like this says that it made nothing.
    Refused(Refusal),
    /// Nothing reached the service.
    NotSent,
}

/// A window on a list: some rows, and how many the list has.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPage<T> {
    /// The rows, newest first.
    pub rows: Arc<[T]>,
    /// The number of rows of the query in all; `None` until they are counted.
    pub total: Option<u64>,
    /// The place of the first of these rows in the whole list.
    pub first: u64,
}

impl<T> Default for ListPage<T> {
    fn default() -> Self {
        ListPage { rows: Arc::new([]), total: Some(0), first: 0 }
    }
}

/// The place of a page in a list that is read by the numbers of its rows.
///
/// A place far down costs as much as the top: no row before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PagePlace {
    /// The newest rows.
    #[default]
    Top,
    /// The rows around one that is known.
    Near {
        /// The known row.
        id: RowId,
        /// Its place in the whole list.
        place: u64,
        /// The place of the first row wanted.
        first: u64,
    },
    /// The oldest rows.
    End,
}

impl PaymentLink {
    /// Returns the host of the address, or of the domain that was asked for; in lower case.
    pub fn host(request: &LinkRequest, outcome: &LinkOutcome) -> Option<String> {
        let of_url = match outcome {
            LinkOutcome::Created { url } => url.raw().split_once("://"),
            _ => None,
        };
        let of_url = of_url.and_then(|(_, after)| after.split(['/', ':', '?']).next());
        let asked = || request.domain.as_ref().map(Untrusted::raw);
        of_url.or_else(asked).map(str::to_lowercase)
    }
}

/// One domain as the service listed it.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckoutDomain {
    /// The host.
    pub host: Untrusted,
    /// Its state: usable or not.
    pub state: DomainState,
    /// True when the service calls it the default.
    pub is_default: bool,
}

/// The state of a domain, as far as the reply gives it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DomainState {
    /// Listed without a state word: the operation lists the domains that can be used.
    Usable,
    /// The reply calls it active.
    Active,
    /// The reply says it is not active; its own word, if it has one.
    Pending(Option<Untrusted>),
}

impl CheckoutDomain {
    /// Returns true when new links can be served here now.
    pub fn is_usable(&self) -> bool {
        !matches!(self.state, DomainState::Pending(_))
    }
}

/// The domain a new link asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum DomainChoice {
    /// The service resolves the seller's active domain; `checkoutDomain` is absent from the body.
    #[default]
    Automatic,
    /// This host, sent as the service listed it.
    Named(Untrusted),
}

/// Returns the outcome that a failure proves of what was asked for; the screen showed the same.
fn not_made<O>(failure: &Failure, unknown: O, not_sent: O, refused: fn(Refusal) -> O) -> O {
    match failure {
        // What was cancelled on its way may have arrived.
        Failure::Cancelled => unknown,
        failure if failure.may_have_acted() == Moved::Maybe => unknown,
        Failure::Refused(refusal) | Failure::Unauthorized { refusal, .. } => {
            refused(refusal.clone())
        }
        _ => not_sent,
    }
}

impl LinkOutcome {
    /// Returns the outcome that the history keeps of a failure.
    pub fn of_failure(failure: &Failure) -> LinkOutcome {
        not_made(failure, LinkOutcome::Unknown, LinkOutcome::NotSent, LinkOutcome::Refused)
    }
}

impl ChargeOutcome {
    /// Returns the outcome that the history keeps of a failure.
    pub fn of_failure(failure: &Failure) -> ChargeOutcome {
        not_made(failure, ChargeOutcome::Unknown, ChargeOutcome::NotSent, ChargeOutcome::Refused)
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

    fn assert_kept(failure: &Failure, link: &LinkOutcome, charge: &ChargeOutcome) {
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
        failures.push(Failure::Unreadable { status: 200, looked_for: vec![], body });
        // What was cancelled on its way may have arrived.
        failures.push(Failure::Cancelled);
        for failure in &failures {
            assert_kept(failure, &LinkOutcome::Unknown, &ChargeOutcome::Unknown);
        }
    }

    #[test]
    fn certain_rejection_is_stored_as_refused() {
        for status in [400, 401, 403, 404, 422, 429] {
            let said = refusal(status);
            let (link, charge) =
                (LinkOutcome::Refused(said.clone()), ChargeOutcome::Refused(said.clone()));
            assert_kept(&Failure::Refused(said.clone()), &link, &charge);
            let credential = Some(CredentialKind::Jwt);
            assert_kept(&Failure::Unauthorized { credential, refusal: said }, &link, &charge);
        }
    }

    #[test]
    fn failure_before_sending_is_stored_as_not_sent() {
        for failure in [
            Failure::NotSent(NotSent::Dns),
            Failure::NoCredential(CredentialKind::Jwt),
            Failure::Vault(VaultTrouble::Locked),
        ] {
            assert_kept(&failure, &LinkOutcome::NotSent, &ChargeOutcome::NotSent);
        }
    }
}
