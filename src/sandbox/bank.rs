//! The bank: a simulation of the payments service. It is a pure function: it receives a state and a
//! request, and returns a new state and a reply.
//!
//! The bank uses no clock, disk, network or randomness. Ids come from a seed in the state, and the
//! time is passed with each request, so that every run can be repeated exactly. Each rule cites its
//! section of the API documentation, or is marked *assumed*.

pub mod amount;
pub mod checkout;
pub mod direct;
pub mod ids;
pub mod ledger;
pub mod links;
pub mod pix_code;
mod pix_key;
pub mod request;
pub mod scene;
pub mod tokens;
mod withdrawals;

use serde::{Deserialize, Serialize};

use self::ids::Ids;
use self::ledger::{Ledger, LedgerLink};
use self::request::{BankOperation, BankReply, BankRequest};
use self::scene::{Domain, DomainSetup, Scene};
use self::tokens::{TokenKind, Tokens};
use self::withdrawals::StoredReply;
use super::clock::Moment;

/// The state of the simulated bank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bank {
    scene: Scene,
    ids: Ids,
    domains: Vec<Domain>,
    tokens: Tokens,
    ledger: Ledger,
    remembered: Vec<StoredReply>,
    /// The port in the URLs of checkout pages. It is set when the server starts to listen.
    #[serde(skip)]
    port: u16,
    /// The address at which phones can open checkout pages, if the user shares the pages. It is
    /// also a checkout domain.
    #[serde(skip)]
    shared: Option<SharedDomain>,
}

/// The address at which phones can open checkout pages: a checkout domain and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SharedDomain {
    domain: Domain,
    port: u16,
}

/// Handles one API request and returns the reply. This function is the entry point of all
/// operations.
pub fn apply(bank: &mut Bank, request: &BankRequest, now: Moment) -> BankReply {
    let reply = match request.operation {
        BankOperation::Login => tokens::log_in(bank, request, now),
        BankOperation::Domains => links::domains(bank, request, now),
        BankOperation::CreateLink => links::create(bank, request, now),
        BankOperation::DirectPayment => direct::create_charge(bank, request, now),
        BankOperation::FeePreview => withdrawals::preview(bank, request, now),
        BankOperation::Withdrawal => withdrawals::withdraw(bank, request, now),
    };
    reply.unwrap_or_else(|refusal| refusal)
}

/// Records a withdrawal request that did not reach the bank, because an injected fault dropped it.
pub fn record_dropped(bank: &mut Bank, request: &BankRequest, now: Moment) {
    if request.operation == BankOperation::Withdrawal {
        withdrawals::record_dropped(bank, request, now);
    }
}

impl Bank {
    /// Creates a bank with the initial data in `scene`. All ids are generated from the seed.
    pub fn open(scene: Scene, seed: u64) -> Bank {
        Bank {
            ids: Ids::from_seed(seed),
            domains: scene.domains.clone(),
            tokens: Tokens::default(),
            ledger: Ledger {
                balance: scene.balance,
                ..Ledger::default()
            },
            remembered: Vec::new(),
            port: 80,
            shared: None,
            scene,
        }
    }

    /// Sets the port in the URLs of checkout pages.
    pub fn set_port(&mut self, port: u16) {
        self.port = port;
    }

    /// Adds the address that is shared with phones. It becomes the first checkout domain.
    pub fn set_shared_address(&mut self, host: String, port: u16) {
        let domain = Domain {
            host,
            state: DomainSetup::Active,
        };
        self.shared = Some(SharedDomain { domain, port });
    }

    /// The initial data of the bank.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The checkout domains. If an address is shared with phones, it comes first, before the
    /// seller's domains.
    pub fn domains(&self) -> impl Iterator<Item = &Domain> {
        self.shared
            .iter()
            .map(|shared| &shared.domain)
            .chain(&self.domains)
    }

    /// The seller's checkout domains, without the address shared with phones.
    pub fn own_domains(&self) -> &[Domain] {
        &self.domains
    }

    /// True if the host is one of the seller's checkout domains. The address shared with phones
    /// does not count.
    pub fn is_own_domain(&self, host: &str) -> bool {
        self.domains.iter().any(|domain| domain.host == host)
    }

    /// True if the host is the address shared with phones.
    pub fn is_shared(&self, host: &str) -> bool {
        self.shared
            .as_ref()
            .is_some_and(|shared| shared.domain.host == host)
    }

    /// The port in the URLs of payment links on this domain.
    fn port_of(&self, host: &str) -> u16 {
        let shared = self
            .shared
            .as_ref()
            .filter(|shared| shared.domain.host == host);
        shared.map_or(self.port, |shared| shared.port)
    }

    pub fn link(&self, id: &str) -> Option<&LedgerLink> {
        self.ledger.links.iter().find(|link| link.id == id)
    }

    /// The newest JWT that is valid at `now`, or issues a new one.
    pub fn jwt(&mut self, now: Moment) -> String {
        self.token(TokenKind::Jwt, now)
    }

    /// The newest token of this kind that is valid at `at`, or issues a new one.
    pub fn token(&mut self, credential: TokenKind, at: Moment) -> String {
        if let Some(token) = self.tokens.newest(credential, at) {
            return token.to_owned();
        }
        self.tokens
            .issue(credential, &self.scene, &mut self.ids, at)
    }

    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// Calls `action` while ids are generated from the given seed. Afterwards, ids are generated
    /// from the bank's own seed again.
    pub fn with_ids_of<T>(&mut self, seed: u64, action: impl FnOnce(&mut Bank) -> T) -> T {
        let own_ids = std::mem::replace(&mut self.ids, Ids::from_seed(seed));
        let result = action(self);
        self.ids = own_ids;
        result
    }

    /// Sets the state of the checkout domain with this host name. If there is no such domain, it is
    /// added.
    pub fn set_domain(&mut self, host: &str, state: DomainSetup) {
        let host = host.to_ascii_lowercase();
        let shared = self.shared.iter_mut().map(|shared| &mut shared.domain);
        match shared
            .chain(&mut self.domains)
            .find(|domain| domain.host == host)
        {
            Some(domain) => domain.state = state,
            None => self.domains.push(Domain { host, state }),
        }
    }

    /// Makes all tokens expire. A later request with one of them is refused with status 401.
    pub fn expire_tokens(&mut self, now: Moment) {
        self.tokens.expire(now, |_| true);
    }

    /// Makes the token in a request expire.
    pub fn expire_token_of(&mut self, request: &BankRequest, now: Moment) {
        self.tokens
            .expire(now, |token| Some(token) == tokens::bearer(request));
    }

    /// Resets the bank to its initial data. Tokens stay valid, and no id is used twice.
    pub fn start_over(&mut self) {
        self.domains = self.scene.domains.clone();
        if let Some(shared) = &mut self.shared {
            shared.domain.state = DomainSetup::Active;
        }
        self.ledger = Ledger {
            balance: self.scene.balance,
            ..Ledger::default()
        };
        self.remembered.clear();
    }
}

#[cfg(test)]
mod tests;
