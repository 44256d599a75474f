//! The bank: state and request in, state and reply out, and nothing else.
//!
//! No clock, no disk, no network, no randomness: ids come from a seed in the state, and the moment
//! comes with the request, so that a simulation can drive it and replay it. Each rule cites its
//! section of the API text, or says *assumed*.

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
use self::withdrawals::Remembered;
use super::clock::Moment;

/// The state of the bank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bank {
    scene: Scene,
    ids: Ids,
    domains: Vec<Domain>,
    tokens: Tokens,
    ledger: Ledger,
    remembered: Vec<Remembered>,
    /// The port that checkout addresses carry; known only once the service listens.
    #[serde(skip)]
    port: u16,
    /// The domain that is an address of this machine; it is the seller's as long as it is shared.
    #[serde(skip)]
    shared: Option<SharedDomain>,
}

/// A domain that is an address of this machine, with the port at which phones reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SharedDomain {
    domain: Domain,
    port: u16,
}

/// Answers one request; the whole behaviour of the API is here.
pub fn apply(bank: &mut Bank, request: &BankRequest, now: Moment) -> BankReply {
    let answer = match request.operation {
        BankOperation::Login => tokens::log_in(bank, request, now),
        BankOperation::Domains => links::domains(bank, request, now),
        BankOperation::CreateLink => links::create(bank, request, now),
        BankOperation::DirectPayment => direct::charge(bank, request, now),
        BankOperation::FeePreview => withdrawals::preview(bank, request, now),
        BankOperation::Withdrawal => withdrawals::withdraw(bank, request, now),
    };
    answer.unwrap_or_else(|refusal| refusal)
}

/// Notes a request that a fault took away before the bank acted.
pub fn lose(bank: &mut Bank, request: &BankRequest, now: Moment) {
    if request.operation == BankOperation::Withdrawal {
        withdrawals::note_never_seen(bank, request, now);
    }
}

impl Bank {
    /// A fresh bank on that scene; its ids all come from the seed.
    pub fn open(scene: Scene, seed: u64) -> Bank {
        Bank {
            ids: Ids::from_seed(seed),
            domains: scene.domains.clone(),
            tokens: Tokens::default(),
            ledger: Ledger { balance: scene.balance, ..Ledger::default() },
            remembered: Vec::new(),
            port: 80,
            shared: None,
            scene,
        }
    }

    /// Says on which port the service listens.
    pub fn listens_on(&mut self, port: u16) {
        self.port = port;
    }

    /// Makes an address of this machine the first of the domains.
    pub fn shares_on(&mut self, host: String, port: u16) {
        let domain = Domain { host, state: DomainSetup::Active };
        self.shared = Some(SharedDomain { domain, port });
    }

    /// The scene it opened on.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The record of payments, payouts and requests.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The domains as they are now: first the address that is shared, then the seller's own.
    pub fn domains(&self) -> impl Iterator<Item = &Domain> {
        self.shared.iter().map(|shared| &shared.domain).chain(&self.domains)
    }

    /// The seller's own domains, without an address that is shared.
    pub fn own_domains(&self) -> &[Domain] {
        &self.domains
    }

    /// Returns true for one of the seller's own domains.
    pub fn is_own_domain(&self, host: &str) -> bool {
        self.domains.iter().any(|domain| domain.host == host)
    }

    /// Returns true for the address that is shared.
    pub fn is_shared(&self, host: &str) -> bool {
        self.shared.as_ref().is_some_and(|shared| shared.domain.host == host)
    }

    /// The port in the addresses of links on a domain.
    fn port_of(&self, host: &str) -> u16 {
        let shared = self.shared.as_ref().filter(|shared| shared.domain.host == host);
        shared.map_or(self.port, |shared| shared.port)
    }

    /// The link with this id.
    pub fn link(&self, id: &str) -> Option<&LedgerLink> {
        self.ledger.links.iter().find(|link| link.id == id)
    }

    /// A JWT that is good now: the newest one, or a new one.
    pub fn jwt(&mut self, now: Moment) -> String {
        self.token(TokenKind::Jwt, now)
    }

    /// A token that is good at that moment: the newest one, or a new one.
    pub fn token(&mut self, credential: TokenKind, at: Moment) -> String {
        if let Some(good) = self.tokens.newest(credential, at) {
            return good.to_owned();
        }
        self.tokens.issue(credential, &self.scene, &mut self.ids, at)
    }

    /// The tokens that were given out.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// Does something with ids drawn from this seed, and draws on from its own behind that.
    pub fn with_ids_of<T>(&mut self, seed: u64, act: impl FnOnce(&mut Bank) -> T) -> T {
        let own = std::mem::replace(&mut self.ids, Ids::from_seed(seed));
        let done = act(self);
        self.ids = own;
        done
    }

    /// Moves a domain to another state, or adds it.
    pub fn set_domain(&mut self, host: &str, state: DomainSetup) {
        let host = host.to_ascii_lowercase();
        let shared = self.shared.iter_mut().map(|shared| &mut shared.domain);
        match shared.chain(&mut self.domains).find(|domain| domain.host == host) {
            Some(domain) => domain.state = state,
            None => self.domains.push(Domain { host, state }),
        }
    }

    /// Ends the life of every token: the next request of each is answered 401.
    pub fn expire_tokens(&mut self, now: Moment) {
        self.tokens.expire(now, |_| true);
    }

    /// Ends the life of the token that a request carries.
    pub fn expire_token_of(&mut self, request: &BankRequest, now: Moment) {
        self.tokens.expire(now, |token| Some(token) == tokens::bearer(request));
    }

    /// Goes back to the scene; tokens stay good and ids are never given twice.
    pub fn start_over(&mut self) {
        self.domains = self.scene.domains.clone();
        if let Some(shared) = &mut self.shared {
            shared.domain.state = DomainSetup::Active;
        }
        self.ledger = Ledger { balance: self.scene.balance, ..Ledger::default() };
        self.remembered.clear();
    }
}

#[cfg(test)]
mod tests;
