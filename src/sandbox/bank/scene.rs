//! The scene a bank opens on: the seller, the domains, the balance and the rules of the house.

use std::time::Duration;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::amount::Amount;

/// What a fresh bank looks like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The store's name, as the checkout page shows it.
    pub store: String,
    /// The e-mail address that logs in.
    pub email: String,
    /// The password that logs in; it guards play money only.
    pub password: String,
    /// The seller's domains, in the order in which one is resolved automatically.
    pub domains: Vec<Domain>,
    /// How the list of domains is written.
    pub domain_style: DomainStyle,
    /// What the seller can withdraw at first.
    pub balance: Amount,
    /// What a withdrawal costs.
    pub fee: FeeRule,
    /// How long an API token lives (API text, section 5 rule 3: not shown; *assumed*).
    pub token_life: Duration,
    /// How long a JWT lives (API text, section 5 rule 3: not shown; *assumed*).
    pub jwt_life: Duration,
    /// How long a direct payment can be paid (*assumed*).
    pub charge_life: Duration,
}

impl Default for Scene {
    fn default() -> Scene {
        let domain = |host: &str, state| Domain { host: host.to_owned(), state };
        Scene {
            store: "Loja da Ana".to_owned(),
            email: "ana@loja-da-ana.example".to_owned(),
            password: "doce-de-leite".to_owned(),
            domains: vec![
                domain("loja-da-ana.localhost", DomainState::Active),
                domain("atelie-da-ana.localhost", DomainState::Active),
                domain("promo-da-ana.localhost", DomainState::DnsPending),
                domain("feira-da-ana.localhost", DomainState::SslPending),
            ],
            domain_style: DomainStyle::Objects,
            balance: Amount::of_centavos(500_000),
            fee: FeeRule::default(),
            token_life: Duration::from_secs(24 * 60 * 60),
            jwt_life: Duration::from_secs(30 * 24 * 60 * 60),
            charge_life: Duration::from_secs(30 * 60),
        }
    }
}

/// A checkout domain of the seller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Domain {
    /// The host name, in lower case and without a port.
    pub host: String,
    /// How far its setup is.
    pub state: DomainState,
}

/// How far a domain's setup is (API text, section 4.1 rule 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DomainState {
    /// DNS and SSL are complete; checkouts are served on it.
    Active,
    /// The DNS records are not seen yet.
    DnsPending,
    /// DNS is complete, the certificate is not.
    SslPending,
}

impl DomainState {
    /// The word the list of domains uses (*assumed*).
    pub fn word(self) -> &'static str {
        match self {
            DomainState::Active => "active",
            DomainState::DnsPending => "pending_dns",
            DomainState::SslPending => "pending_ssl",
        }
    }
}

/// How the list of domains is written (API text, section 4.2: not shown; both *assumed*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DomainStyle {
    /// Every domain as an object with its state.
    Objects,
    /// Only the usable ones, as plain strings.
    Strings,
}

/// What a withdrawal costs: a fixed part and a percentage, rounded to the centavo (*assumed*).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeRule {
    /// The part that every withdrawal costs.
    pub fixed: Amount,
    /// The percentage of the amount on top.
    pub percent: Decimal,
}

impl Default for FeeRule {
    /// R$ 1,00 and 1.05 %.
    fn default() -> FeeRule {
        FeeRule { fixed: Amount::of_centavos(100), percent: Decimal::new(105, 2) }
    }
}

impl FeeRule {
    /// The fee of a withdrawal of that amount.
    pub fn fee(&self, amount: Amount) -> Amount {
        self.fixed.plus(amount.percent(self.percent))
    }
}
