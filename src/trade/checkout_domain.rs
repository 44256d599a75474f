//! Checkout domains: the seller's own hosts on which a payment link's checkout is served.

use super::Untrusted;

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
