//! The sandbox: the payments service played locally over real HTTP.
//!
//! It imports nothing from the rest of the program. It is an independent witness: a type shared
//! with the client would hide a mistake that both share.
//!
//! - [`bank`] is the service's behaviour, pure: state, request and moment in, state and reply out.
//! - [`faults`] is what goes wrong on the way, by name, operation and count.
//! - [`Control`] is what a demo or a test does to it from inside the program.
//! - `GET /_sandbox/ledger` shows what the bank did. `POST /_sandbox/faults` lays one fault in
//!   wait and `DELETE` takes all away. `POST /_sandbox/charges/{id}/pay` pays a direct payment.
//! - `GET /_sandbox/proof?nonce=…` proves to whoever knows its secret that this is the sandbox.
//! - Asked by another name than its own, or by the page of another site, it does nothing.

pub mod bank;
pub mod clock;
mod control;
mod counter;
mod door;
pub mod faults;
mod http;
mod page;
mod proof;
mod store;
mod visitors;

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;

pub use self::bank::Notice;
pub use self::bank::checkout::{Checkout, CheckoutState, NotPaid};
pub use self::bank::ledger::Ledger;
pub use self::bank::request::Operation;
pub use self::bank::scene::{Domain, DomainState, DomainStyle, FeeRule, Scene};
pub use self::clock::{Clock, Moment};
pub use self::control::{Control, ControlError};
pub use self::faults::{Fault, FaultRule, Scope, Times};
pub use self::store::StoreError;

use self::bank::Bank;
use self::counter::Counter;
use self::door::{Cut, Door, Entrance};
use self::store::Store;

/// How long open connections may take to end when the sandbox is shut down.
const GOODBYE: Duration = Duration::from_secs(1);

/// How a sandbox is started.
pub struct Options {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Lets it listen where other machines reach it; there is no TLS and its password is public.
    pub beyond_loopback: bool,
    /// The file that keeps the bank; in memory without one. A file that is there brings its own
    /// scene, and `scene` is not looked at.
    pub data: Option<PathBuf>,
    /// The faults that lie in wait from the start.
    pub faults: Vec<FaultRule>,
    /// What a fresh bank looks like.
    pub scene: Scene,
    /// Where ids and tokens come from; another one at every start by default.
    pub seed: u64,
    /// Where it reads the time.
    pub clock: Clock,
    /// What it proves with that it is the sandbox of whoever knows this text; without one it
    /// proves nothing.
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
            secret: None,
        }
    }
}

/// Starts a sandbox; it runs until it is shut down or dropped.
pub async fn start(options: Options) -> Result<Sandbox, StartError> {
    if !options.listen.ip().is_loopback() && !options.beyond_loopback {
        return Err(StartError::BeyondLoopback(options.listen));
    }
    let listening = Entrance::listen(options.listen).await;
    let entrance = listening.map_err(|error| StartError::Listen(options.listen, error))?;
    let fresh = || Bank::open(options.scene, options.seed);
    let (store, mut bank) = match &options.data {
        None => (None, fresh()),
        Some(path) => {
            let (store, bank) = Store::open(path, fresh).map_err(StartError::Store)?;
            (Some(store), bank)
        }
    };
    bank.listens_on(entrance.address().port());

    let counter = Arc::new(Counter::new(entrance, bank, store, options.clock, options.secret));
    let control = Control(Arc::clone(&counter));
    for rule in options.faults {
        control.arm_rule(rule).map_err(StartError::Control)?;
    }
    let jwt = control.jwt().map_err(StartError::Control)?;
    let task = tokio::spawn(run(counter));
    Ok(Sandbox { control, jwt, task: Some(task) })
}

async fn run(counter: Arc<Counter>) {
    let mut closing = counter.closing.subscribe();
    let routes = http::routes(Arc::clone(&counter));
    let service = routes.into_make_service_with_connect_info::<Cut>();
    let shared = Arc::clone(&counter);
    let until = async move {
        closing.wait_for(|closing| *closing).await.ok();
        shared.entrance.shut();
    };
    // It fails only if the listener does, and ours never gives up.
    axum::serve(Door(counter), service).with_graceful_shutdown(until).await.ok();
}

/// A running sandbox.
pub struct Sandbox {
    control: Control,
    jwt: String,
    task: Option<JoinHandle<()>>,
}

impl Sandbox {
    /// Where the API is, such as `http://127.0.0.1:41873`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.control.0.entrance.address())
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.control.0.entrance.address()
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

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.control.0.closing.send_replace(true);
    }
}

/// Why a sandbox did not start.
#[derive(Debug)]
pub enum StartError {
    /// The address is one that other machines reach, and nobody said that this is wanted.
    BeyondLoopback(SocketAddr),
    /// The address cannot be listened on.
    Listen(SocketAddr, io::Error),
    /// The data file cannot be used.
    Store(StoreError),
    /// A fault makes no sense, or the first change could not be kept.
    Control(ControlError),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::BeyondLoopback(address) => write!(
                f,
                "the sandbox does not listen on {address}: other machines would reach it; use \
                 127.0.0.1 or [::1]"
            ),
            StartError::Listen(address, error) => {
                write!(f, "the sandbox cannot listen on {address}: {error}")
            }
            StartError::Store(error) => error.fmt(f),
            StartError::Control(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}

#[cfg(test)]
mod tests;
