//! The scene a bank opens on: the seller, the domains, the balance and the rules of the house.

use std::time::Duration;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::amount::Amount;

/// The content of a fresh bank.
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
    /// The balance at the start.
    pub balance: Amount,
    /// The fee of a withdrawal.
    pub fee: FeeRule,
    /// The lifetime of an API token (API text, section 5 rule 3: not shown; *assumed*).
    pub token_life: Duration,
    /// The lifetime of a JWT (API text, section 5 rule 3: not shown; *assumed*).
    pub jwt_life: Duration,
    /// The time in which a direct payment can be paid (*assumed*).
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
                domain("loja-da-ana.localhost", DomainSetup::Active),
                domain("atelie-da-ana.localhost", DomainSetup::Active),
                domain("promo-da-ana.localhost", DomainSetup::DnsPending),
                domain("feira-da-ana.localhost", DomainSetup::SslPending),
            ],
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
    /// The progress of its setup.
    pub state: DomainSetup,
}

/// The progress of a domain's setup (API text, section 4.1 rule 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DomainSetup {
    /// DNS and SSL are complete; checkouts are served on it.
    Active,
    /// The DNS records are not seen yet.
    DnsPending,
    /// DNS is complete, the certificate is not.
    SslPending,
}

impl DomainSetup {
    /// The word the list of domains uses (*assumed*).
    pub fn word(self) -> &'static str {
        match self {
            DomainSetup::Active => "active",
            DomainSetup::DnsPending => "pending_dns",
            DomainSetup::SslPending => "pending_ssl",
        }
    }
}

/// The fee of a withdrawal: a fixed part and a percentage, rounded to the centavo (*assumed*).
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
