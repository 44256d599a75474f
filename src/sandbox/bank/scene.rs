//! The initial data of the simulated bank, such as the checkout domains, the balance, the fees and
//! the lifetimes of credentials.

use std::time::Duration;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::amount::Amount;

/// The initial data of the simulated bank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The store's name on the checkout page.
    pub store: String,
    /// The e-mail address for the login.
    pub email: String,
    /// The password for the login. It needs no protection, because the sandbox has only play money.
    pub password: String,
    /// The seller's checkout domains. If a request for a payment link names no domain, the first
    /// active domain is used.
    pub domains: Vec<Domain>,
    /// The initial balance, in reais.
    pub balance: Amount,
    /// The rule for the withdrawal fee.
    pub fee: FeeRule,
    /// The lifetime of an API token. It is *assumed*, because the API documentation (section 5 rule
    /// 3) does not state it.
    pub token_life: Duration,
    /// The lifetime of a JWT. It is *assumed*, because the API documentation (section 5 rule 3)
    /// does not state it.
    pub jwt_life: Duration,
    /// The time until a direct payment expires. It is *assumed*, because the API documentation does
    /// not state it.
    pub charge_life: Duration,
}

impl Default for Scene {
    fn default() -> Scene {
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
            balance: Amount::from_centavos(500_000),
            fee: FeeRule::default(),
            token_life: Duration::from_secs(24 * 60 * 60),
            jwt_life: Duration::from_secs(30 * 24 * 60 * 60),
            charge_life: Duration::from_secs(30 * 60),
        }
    }
}

fn domain(host: &str, state: DomainSetup) -> Domain {
    Domain {
        host: host.to_owned(),
        state,
    }
}

/// A checkout domain of the seller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Domain {
    /// The host name, in lower case and without a port.
    pub host: String,
    pub state: DomainSetup,
}

/// The progress of a checkout domain's setup (API documentation, section 4.1 rule 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DomainSetup {
    /// DNS and SSL are set up, so checkout pages are served on the domain.
    Active,
    /// The DNS records are not visible yet.
    DnsPending,
    /// DNS is set up, but the certificate is missing.
    SslPending,
}

impl DomainSetup {
    /// The word for this state in the reply that lists the domains. The words are *assumed* (not
    /// documented).
    pub fn status_word(self) -> &'static str {
        match self {
            DomainSetup::Active => "active",
            DomainSetup::DnsPending => "pending_dns",
            DomainSetup::SslPending => "pending_ssl",
        }
    }
}

/// The rule for the withdrawal fee: a fixed amount plus a percentage, rounded to a centavo. The
/// rule is *assumed* (not documented).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeRule {
    /// The fixed part of the fee, in reais.
    pub fixed: Amount,
    /// The percentage of the withdrawn amount that is added to the fixed part.
    pub percent: Decimal,
}

impl Default for FeeRule {
    /// The default fee: R$ 1.00 plus 1.05 % of the amount.
    fn default() -> FeeRule {
        FeeRule {
            fixed: Amount::from_centavos(100),
            percent: Decimal::new(105, 2),
        }
    }
}

impl FeeRule {
    /// The fee for a withdrawal of `amount`.
    pub fn fee(&self, amount: Amount) -> Amount {
        self.fixed.plus(amount.percent(self.percent))
    }
}
