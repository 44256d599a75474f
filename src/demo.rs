//! The demo: the app on its own sandbox, with everything filled in.
//!
//! This is the one room besides the command line that knows both sides. What it does to the
//! sandbox an audience can see in the palette.

mod past;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use tokio::sync::broadcast::error::RecvError;

use crate::app::layer::{BuyerPage, Wish};
use crate::app::{DemoValue, Msg};
use crate::runtime::history::Past;
use crate::runtime::world::{DEMO_NOTE, jwt_credential};
use crate::runtime::{Inbox, Secrets, world};
use crate::sandbox::{
    self, Checkout, CheckoutState, Control, DomainState, Fault, FaultRule, Notice, Operation,
    Options, Sandbox, Scope, StartError, Times,
};
use crate::service::BaseUrl;
use crate::trade::{
    Account, CredentialKind, CredentialName, Money, Origin, Secret, Untrusted, Wall,
};
use crate::vault::VaultHandle;

/// The name of a fault in the palette, and the fault.
pub type Named = (&'static str, fn() -> FaultRule);

/// The faults of the palette, by name.
pub const FAULTS: [Named; 10] = [
    ("lose-answer", || next(Fault::DropAfter)),
    ("answer-500", || next(Fault::status(500))),
    ("answer-503", || next(Fault::status(503))),
    ("cut-json", || next(Fault::TruncatedJson)),
    ("wrong-type", || next(Fault::WrongContentType)),
    ("drop-before", || next(Fault::DropBefore)),
    ("slow", || next(Fault::slow())),
    ("expire-token", || next(Fault::ExpiredToken)),
    ("other-amount", || FaultRule {
        fault: Fault::OtherAmount,
        scope: Scope::Only(Operation::Withdrawal),
        times: Times::Next(1),
    }),
    ("refuse", || FaultRule { fault: Fault::Refuse, scope: Scope::Any, times: Times::Always }),
];

/// A fault for the next withdrawal: that is where an audience wants to see it.
fn next(fault: Fault) -> FaultRule {
    FaultRule { fault, scope: Scope::Only(Operation::Withdrawal), times: Times::Next(1) }
}

/// The sandbox behind the demo, and the hand on it.
pub struct Stage {
    /// Where the sandbox is.
    pub base_url: String,
    /// What stands in the header.
    pub title: String,
    sandbox: Sandbox,
}

/// Starts the demo's sandbox.
///
/// A demo that is kept keeps the bank too, and its port: the addresses of yesterday's links still
/// lead to their pages, and yesterday's withdrawals still belong to the same account.
pub async fn open(faults: Vec<FaultRule>, keep: Option<&Path>) -> Result<Stage, StartError> {
    let data = keep.map(|dir| dir.join("bank.json"));
    let options = |listen| Options {
        listen,
        data: data.clone(),
        faults: faults.clone(),
        ..Options::default()
    };
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let sandbox = match keep.and_then(kept_port) {
        Some(port) => match sandbox::start(options((Ipv4Addr::LOCALHOST, port).into())).await {
            Ok(sandbox) => sandbox,
            // Somebody else has the port today.
            Err(_) => sandbox::start(options(any)).await?,
        },
        None => sandbox::start(options(any)).await?,
    };
    if let Some(dir) = keep {
        // Without it the next demo takes another port, and says nothing untrue.
        let _ = std::fs::write(dir.join("port"), sandbox.address().port().to_string());
    }
    Ok(Stage::on(sandbox))
}

fn kept_port(dir: &Path) -> Option<u16> {
    std::fs::read_to_string(dir.join("port")).ok()?.trim().parse().ok()
}

impl Stage {
    /// The demo on this sandbox.
    pub fn on(sandbox: Sandbox) -> Stage {
        Stage { base_url: sandbox.base_url(), title: "loja da ana".into(), sandbox }
    }

    /// Links of the last days, for a history that has nothing in it yet.
    pub fn past(&self, origin: &Origin, now: Wall) -> Past {
        let (control, origin) = (self.control(), origin.clone());
        Box::new(move || {
            let (email, _) = control.credentials();
            let account = Account { origin, identity: email.into() };
            past::links(&control, &account, now)
        })
    }

    fn control(&self) -> Control {
        self.sandbox.control()
    }

    /// What the login screen has in it.
    pub fn login(&self) -> Vec<(Arc<str>, DemoValue)> {
        let (email, password) = self.sandbox.credentials();
        vec![
            ("email".into(), DemoValue::Text(email.into())),
            ("password".into(), DemoValue::Secret(password.chars().count())),
        ]
    }

    /// Puts the password into its field.
    pub fn fill(&self, secrets: &mut Secrets) {
        let (_, password) = self.sandbox.credentials();
        secrets.put(&"login/password".into(), &Secret::new(password));
    }

    /// Puts the JWT for links into the vault, before the app looks there.
    pub async fn keep_jwt(&self, vault: &VaultHandle, base: &BaseUrl) {
        let jwt = jwt_credential(Secret::new(self.sandbox.jwt().to_owned()), Some(DEMO_NOTE));
        let name = CredentialName { origin: base.origin().clone(), kind: CredentialKind::Jwt };
        // Where it is not taken, the app asks for it as it asks any seller.
        let _ = vault.put(name, Arc::new(jwt)).await;
    }

    /// Passes on what the sandbox says by itself: that a buyer paid a link.
    pub fn listen(&self, inbox: Inbox) {
        let control = self.control();
        let mut notices = control.notices();
        tokio::spawn(async move {
            loop {
                match notices.recv().await {
                    Ok(Notice::LinkPaid { url, amount, .. }) => {
                        let description = control.page(&url).map(|page| page.description);
                        let description = Untrusted::from(description.unwrap_or_default());
                        let amount = money(&amount.to_string());
                        inbox.send(Msg::SandboxLinkPaid { description, amount }).await;
                    }
                    Ok(Notice::ChargePaid { .. }) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                }
            }
        });
    }
}

/// The two rooms share no types: an amount passes between them as its text.
fn money(text: &str) -> Money {
    Money::parse_wire(text).unwrap_or(Money::ZERO)
}

fn as_seen(page: &Checkout) -> BuyerPage {
    let host = Untrusted::from(page.host.as_str());
    match page.state {
        CheckoutState::Blocked => BuyerPage::Blocked { host },
        state => BuyerPage::Open {
            host,
            amount: money(&page.amount.to_string()),
            description: page.description.as_str().into(),
            paid: state == CheckoutState::Paid,
        },
    }
}

impl world::Stage for Stage {
    fn jwt(&self) -> Option<Secret> {
        self.control().jwt().ok().map(Secret::new)
    }

    fn grant(&self, wish: &Wish) {
        let control = self.control();
        // A wish that cannot be granted changes nothing; the next screen shows that.
        let _ = match wish {
            Wish::Fault(name) => match FAULTS.iter().find(|(known, _)| *known == &**name) {
                Some((_, rule)) => control.arm_rule(rule()),
                None => Ok(()),
            },
            Wish::NoFaults => control.disarm_all(),
            Wish::StartOver => control.start_over(),
            Wish::DomainsDown(down) => {
                let state = if *down { DomainState::SslPending } else { DomainState::Active };
                let mut domains = control.domains().into_iter();
                domains.try_for_each(|domain| control.set_domain(&domain.host, state))
            }
            Wish::Do(_) | Wish::BuyersView => Ok(()),
        };
    }

    fn page(&self, url: &Untrusted, pay: bool) -> BuyerPage {
        let control = self.control();
        if pay {
            // A page that cannot be paid says so itself.
            let _ = control.pay_link(url.raw());
        }
        control.page(url.raw()).as_ref().map_or(BuyerPage::NotFound, as_seen)
    }
}
