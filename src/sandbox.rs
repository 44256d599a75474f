//! The sandbox: a local HTTP server that behaves like the payments service, for demos and tests.
//!
//! The sandbox imports nothing from the rest of the program, because shared code would hide a
//! mistake that client and sandbox both make.
//!
//! - [`bank`] is the service's behaviour as a pure function: state, request and time in, new state
//!   and reply out.
//! - [`dialect`] describes the format of requests and replies.
//! - [`faults`] describes failures to inject, by name, operation and count.
//! - [`Control`] lets a demo or a test change the sandbox from inside the program.
//! - `GET /_sandbox/ledger` returns a record of the bank's actions. `POST /_sandbox/faults` adds a
//!   fault, and `DELETE` removes all faults. `POST /_sandbox/charges/{id}/pay` pays a direct
//!   payment.
//! - `GET /_sandbox/payments?than=N` replies as soon as the number of payments by buyers is not N.
//! - The paths above exist only if [`Options::serves_control`] is true.
//! - `GET /_sandbox/proof?nonce=…` proves to a client that knows the secret that this is the
//!   sandbox.
//! - [`Control::statement`] is a bank statement of the money that arrived.
//! - [`SandboxServer::share`] serves only the checkout pages, to phones on the local network.
//! - A request with another host name, or from a page of another site, is refused.

pub mod bank;
pub mod clock;
mod control;
pub mod dialect;
mod earlier;
pub mod faults;
mod http;
mod page;
mod port;
mod share;
mod shared_state;
mod shop;
mod statement;
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
pub use self::bank::direct::PENDING_STATUS as CHARGE_STATUS;
pub use self::bank::ledger::{Ledger, PaidItem, Payment};
pub use self::bank::request::BankOperation;
pub use self::bank::scene::{Domain, DomainSetup, FeeRule, Scene};
pub use self::clock::{Moment, TimeSource};
pub use self::control::{Control, ControlError};
pub use self::dialect::{Dialect, DialectError};
pub use self::earlier::EarlierItem;
pub use self::faults::{Fault, FaultRule, Scope, Times};
pub use self::share::{ShareAddress, ShareFault, ShareLimits, ShareSocket};
pub use self::shared_state::FinishedRequest;
pub use self::store::StoreError;

use self::bank::Bank;
use self::faults::FaultPlan;
use self::port::{Port, SandboxListener};
use self::shared_state::{SandboxState, SharedState, new_broadcast};
use self::store::SandboxRecords;

/// The maximum time that open connections have to finish when the sandbox is shut down.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// The settings of a sandbox.
pub struct Options {
    /// The address on which the sandbox listens. Port 0 selects a free port.
    pub listen: SocketAddr,
    /// The path of a Unix socket on which the sandbox listens instead of `listen`. The address in
    /// `listen` is then used only in URLs. Connections from other processes are closed.
    pub socket: Option<PathBuf>,
    /// True if the paths under `/_sandbox/` show the ledger and accept faults. This is a risk,
    /// because every user of this machine can send requests to a port of this machine.
    pub serves_control: bool,
    /// True if `listen` may be an address that other machines can reach. This is a risk, because
    /// the sandbox has no TLS and its password is public.
    pub allows_other_machines: bool,
    /// The file that stores the bank's state, or `None` to keep the state only in memory. If the
    /// file exists, its initial data is used instead of `scene`.
    pub data_file: Option<PathBuf>,
    /// The faults that are active from the start.
    pub faults: Vec<FaultRule>,
    /// The bank's initial data, such as the checkout domains and the balance.
    pub scene: Scene,
    /// The seed for generating ids and tokens. It is random by default.
    pub seed: u64,
    pub clock: TimeSource,
    /// The format of requests and replies.
    pub dialect: Dialect,
    /// The secret for proving to clients that this server is the sandbox. Without a secret, no
    /// proof is possible.
    pub secret: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            socket: None,
            serves_control: true,
            allows_other_machines: false,
            data_file: None,
            faults: Vec::new(),
            scene: Scene::default(),
            seed: uuid::Uuid::new_v4().as_u64_pair().0,
            clock: clock::system_clock(),
            dialect: Dialect::default(),
            secret: None,
        }
    }
}

/// Starts a sandbox. It runs until it is shut down or dropped.
pub async fn start(options: Options) -> Result<SandboxServer, StartError> {
    if !options.listen.ip().is_loopback() && !options.allows_other_machines {
        return Err(StartError::BeyondLoopback(options.listen));
    }
    let listener = Port::listen(options.listen, options.socket).await;
    let port = listener.map_err(|error| StartError::Listen(options.listen, error))?;
    let (store, mut bank) = match &options.data_file {
        None => (None, Bank::open(options.scene, options.seed)),
        Some(path) => {
            let opened = SandboxRecords::open(path, || Bank::open(options.scene, options.seed));
            let (store, bank) = opened.map_err(StartError::Records)?;
            (Some(store), bank)
        }
    };
    bank.set_port(port.address().port());

    let Options {
        clock,
        secret,
        dialect,
        serves_control,
        ..
    } = options;
    let shared = Arc::new(SharedState {
        port,
        payments: new_broadcast(),
        processed: new_broadcast(),
        finished: new_broadcast(),
        payment_count: watch::channel(bank.ledger().payments.len()).0,
        closing: watch::channel(false).0,
        secret,
        dialect,
        clock,
        state: Mutex::new(SandboxState {
            bank,
            plan: FaultPlan::default(),
            store,
        }),
    });
    let control = Control(Arc::clone(&shared));
    for rule in options.faults {
        control.arm_rule(rule).map_err(StartError::Control)?;
    }
    let jwt = control.jwt().map_err(StartError::Control)?;
    let task = tokio::spawn(run(shared, serves_control));
    Ok(SandboxServer {
        control,
        jwt,
        task: Some(task),
        shared_origin: None,
    })
}

async fn run(shared: Arc<SharedState>, serves_control: bool) {
    let routes = http::routes(Arc::clone(&shared), serves_control);
    let state = Arc::clone(&shared);
    let shutdown = async move {
        state.closed().await;
        state.port.shut();
    };
    // Ignore an error. `serve` fails only if its listener fails, and `SandboxListener` never fails.
    axum::serve(SandboxListener(shared), routes)
        .with_graceful_shutdown(shutdown)
        .await
        .ok();
}

pub struct SandboxServer {
    control: Control,
    jwt: String,
    task: Option<JoinHandle<()>>,
    shared_origin: Option<String>,
}

impl SandboxServer {
    /// The base URL of the API, such as `http://127.0.0.1:41873`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.control.0.port.address())
    }

    /// The address on which the sandbox listens.
    pub fn address(&self) -> SocketAddr {
        self.control.0.port.address()
    }

    /// Serves only the checkout pages at an address that phones can reach.
    ///
    /// From then on, this address is the first one in the list of checkout domains.
    pub fn share(&mut self, socket: ShareSocket, limits: ShareLimits) -> Result<(), ShareFault> {
        let shared = Arc::clone(&self.control.0);
        let origin = socket.origin();
        let listener = share::listen(&shared, socket)?;
        tokio::spawn(share::serve(shared, listener, limits));
        self.shared_origin = Some(origin);
        Ok(())
    }

    /// The origin of the checkout pages for phones, such as `http://192.168.0.10:8080`. Returns
    /// `None` if the pages are not shared with phones.
    pub fn shared_origin(&self) -> Option<&str> {
        self.shared_origin.as_deref()
    }

    /// The e-mail address and the password for the login.
    pub fn credentials(&self) -> (String, String) {
        self.control.credentials()
    }

    /// The JWT for payment links that was issued when the sandbox started. It may have expired. Use
    /// [`Control::jwt`] for a valid JWT.
    pub fn jwt(&self) -> &str {
        &self.jwt
    }

    /// A handle to inspect the sandbox, inject faults and make payments.
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// Stops accepting connections, and waits up to a second for the open connections to finish.
    pub async fn shutdown(mut self) {
        self.control.0.closing.send_replace(true);
        if let Some(mut task) = self.task.take()
            && tokio::time::timeout(SHUTDOWN_TIMEOUT, &mut task)
                .await
                .is_err()
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

/// The reason why a sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Other machines could reach the address, although the options do not allow this.
    #[error(
        "the sandbox does not listen on {0}: other machines would reach it; use 127.0.0.1 or [::1]"
    )]
    BeyondLoopback(SocketAddr),
    /// The sandbox cannot listen on the address.
    #[error("the sandbox cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The data file cannot be used.
    #[error(transparent)]
    Records(StoreError),
    /// A fault rule is invalid, or the initial state could not be saved.
    #[error(transparent)]
    Control(ControlError),
}

#[cfg(test)]
mod tests;
