//! The sandbox: the payments service played locally over real HTTP.
//!
//! It imports nothing from the rest of the program. It is an independent witness: a type closed
//! with the client would hide a mistake that both share.
//!
//! - [`bank`] is the service's behaviour, pure: state, request and moment in, state and reply out.
//! - [`dialect`] is the shape in which requests come in and replies go out.
//! - [`faults`] is what goes wrong on the way, by name, operation and count.
//! - [`Control`] is what a demo or a test does to it from inside the program.
//! - `GET /_sandbox/ledger` shows what the bank did. `POST /_sandbox/faults` lays one fault in
//!   wait and `DELETE` takes all away. `POST /_sandbox/charges/{id}/pay` pays a direct payment.
//! - `GET /_sandbox/payments?than=N` answers once the payments by buyers are not so many any more.
//! - `GET /_sandbox/proof?nonce=…` proves to a client with its secret that this is the sandbox.
//! - [`SandboxServer::share`] serves the checkout pages, and nothing else, to phones in a room.
//! - Asked by another name than its own, or by the page of another site, it does nothing.

pub mod bank;
pub mod clock;
mod control;
pub mod dialect;
mod earlier;
pub mod faults;
mod http;
mod page;
mod port;
mod proof;
mod share;
mod shared_state;
mod shop;
mod store;
mod visitors;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use self::bank::checkout::{Checkout, CheckoutState, NotPaid};
pub use self::bank::direct::STATUS as CHARGE_STATUS;
pub use self::bank::ledger::{Ledger, PaidItem, Payment};
pub use self::bank::request::BankOperation;
pub use self::bank::scene::{Domain, DomainSetup, FeeRule, Scene};
pub use self::clock::{Moment, TimeSource};
pub use self::control::{Control, ControlError};
pub use self::dialect::{Dialect, DialectError};
pub use self::earlier::Earlier;
pub use self::faults::{Fault, FaultRule, Scope, Times};
pub use self::share::{ShareAddress, ShareFault, ShareLimits, ShareSocket};
pub use self::shared_state::AnsweredRequest;
pub use self::store::StoreError;

use self::bank::Bank;
use self::faults::Plan;
use self::port::{Port, SandboxListener};
use self::shared_state::{SandboxState, SharedState, notices};
use self::store::SandboxRecords;

/// The time that open connections get to end when the sandbox is shut down.
const GOODBYE: Duration = Duration::from_secs(1);

/// The settings that a sandbox starts with.
pub struct Options {
    /// The address that it listens at; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Lets it listen where other machines reach it; there is no TLS and its password is public.
    pub beyond_loopback: bool,
    /// The file that keeps the bank; in memory without one. A file that is there brings its own
    /// scene, and `scene` is not looked at.
    pub data: Option<PathBuf>,
    /// The faults that lie in wait from the start.
    pub faults: Vec<FaultRule>,
    /// The content of a fresh bank.
    pub scene: Scene,
    /// The source of ids and tokens; another one at every start by default.
    pub seed: u64,
    /// The clock that it reads.
    pub clock: TimeSource,
    /// The shape of its requests and replies.
    pub dialect: Dialect,
    /// The text with which it proves to a client that knows it that it is this sandbox; without one
    /// it proves nothing.
    pub secret: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            beyond_loopback: false,
            data: None,
            faults: Vec::new(),
            scene: Scene::default(),
            seed: uuid::Uuid::new_v4().as_u64_pair().0,
            clock: clock::system_clock(),
            dialect: Dialect::default(),
            secret: None,
        }
    }
}

/// Starts a sandbox; it runs until it is shut down or dropped.
pub async fn start(options: Options) -> Result<SandboxServer, StartError> {
    if !options.listen.ip().is_loopback() && !options.beyond_loopback {
        return Err(StartError::BeyondLoopback(options.listen));
    }
    let listening = Port::listen(options.listen).await;
    let port = listening.map_err(|error| StartError::Listen(options.listen, error))?;
    let fresh = || Bank::open(options.scene, options.seed);
    let (store, mut bank) = match &options.data {
        None => (None, fresh()),
        Some(path) => {
            let (store, bank) = SandboxRecords::open(path, fresh).map_err(StartError::Records)?;
            (Some(store), bank)
        }
    };
    bank.listens_on(port.address().port());

    let Options { clock, secret, dialect, .. } = options;
    let shared = Arc::new(SharedState {
        port,
        notices: notices(),
        asked: notices(),
        answered: notices(),
        paid: watch::channel(bank.ledger().payments.len()).0,
        closing: watch::channel(false).0,
        secret,
        dialect,
        clock,
        state: Mutex::new(SandboxState { bank, plan: Plan::default(), store }),
    });
    let control = Control(Arc::clone(&shared));
    for rule in options.faults {
        control.arm_rule(rule).map_err(StartError::Control)?;
    }
    let jwt = control.jwt().map_err(StartError::Control)?;
    let task = tokio::spawn(run(shared));
    Ok(SandboxServer { control, jwt, task: Some(task), shared_origin: None })
}

async fn run(shared: Arc<SharedState>) {
    let routes = http::routes(Arc::clone(&shared));
    let closed = Arc::clone(&shared);
    let until = async move {
        closed.closes().await;
        closed.port.shut();
    };
    // It fails only if the listener does, and ours never gives up.
    axum::serve(SandboxListener(shared), routes).with_graceful_shutdown(until).await.ok();
}

/// A running sandbox.
pub struct SandboxServer {
    control: Control,
    jwt: String,
    task: Option<JoinHandle<()>>,
    shared_origin: Option<String>,
}

impl SandboxServer {
    /// The address of the API, such as `http://127.0.0.1:41873`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.control.0.port.address())
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.control.0.port.address()
    }

    /// Serves the checkout pages, and nothing else, where phones reach them too.
    ///
    /// From now on that address is the first of the domains for links.
    pub fn share(&mut self, held: ShareSocket, limits: ShareLimits) -> Result<(), ShareFault> {
        let (shared, origin) = (Arc::clone(&self.control.0), held.origin());
        let listener = share::listen(&shared, held)?;
        tokio::spawn(share::serve(shared, listener, limits));
        self.shared_origin = Some(origin);
        Ok(())
    }

    /// The beginning of the addresses that phones reach, where the sandbox is shared.
    pub fn shared_origin(&self) -> Option<&str> {
        self.shared_origin.as_deref()
    }

    /// The e-mail and password that log in.
    pub fn credentials(&self) -> (String, String) {
        self.control.credentials()
    }

    /// The JWT for links that was good at the start; [`Control::jwt`] gives one that is good now.
    pub fn jwt(&self) -> &str {
        &self.jwt
    }

    /// The handle that faults, pays and looks.
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// Takes no more connections and lets the open ones end, for up to a second.
    pub async fn shutdown(mut self) {
        self.control.0.closing.send_replace(true);
        if let Some(mut task) = self.task.take()
            && tokio::time::timeout(GOODBYE, &mut task).await.is_err()
        {
            task.abort();
        }
    }
}

impl Drop for SandboxServer {
    fn drop(&mut self) {
        self.control.0.closing.send_replace(true);
    }
}

/// The reason a sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is one that other machines reach, and the options do not allow that.
    #[error(
        "the sandbox does not listen on {0}: other machines would reach it; use 127.0.0.1 or [::1]"
    )]
    BeyondLoopback(SocketAddr),
    /// The address cannot be listened on.
    #[error("the sandbox cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The data file cannot be used.
    #[error(transparent)]
    Records(StoreError),
    /// A fault makes no sense, or the first change could not be kept.
    #[error(transparent)]
    Control(ControlError),
}

#[cfg(test)]
mod tests;
