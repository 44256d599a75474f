//! Checkout domains: the host names of the seller on which checkout pages are served.

use super::Untrusted;

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

/// The checkout domains that the service listed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DomainList {
    /// The domains, in the order of the response.
    pub domains: Vec<CheckoutDomain>,
    /// True if the response says that the list has more pages, but the API contract reads only one.
    pub has_more_pages: bool,
}

impl From<Vec<CheckoutDomain>> for DomainList {
    fn from(domains: Vec<CheckoutDomain>) -> DomainList {
        DomainList {
            domains,
            has_more_pages: false,
        }
    }
}

/// The state of a checkout domain in the service's response.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DomainState {
    /// The response contains no state for the domain, so it counts as usable. A service that sends
    /// no states lists only usable domains.
    Usable,
    /// The entries of the response differ in a member that may be the state, but no setting of the
    /// API contract reads it.
    Unread,
    /// The response marks the domain as active.
    Active,
    /// The response marks the domain as not active. The text is the service's word for the state.
    Pending(Option<Untrusted>),
}

impl CheckoutDomain {
    /// True if the response says whether the domain is active.
    pub fn has_state(&self) -> bool {
        matches!(self.state, DomainState::Active | DomainState::Pending(_))
    }

    /// True if a new payment link can use the domain now.
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
