//! The demo: the app together with its own sandbox (a service without real money) and example data.
//!
//! Only this module and the command line depend on both the app and the sandbox. The presenter
//! changes the sandbox with commands in the app's palette.

mod clock;
mod faults;
mod past;
mod script;
mod story;

use std::fs::OpenOptions;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::Notify;
use tokio::sync::broadcast::Sender;
use tokio::task::AbortHandle;

use crate::app::message::BuyerPage;
use crate::app::store::commands::Command;
use crate::app::store::kiosk::FORWARD;
use crate::app::store::setup::Kiosk;
use crate::app::store::story::SellerEvent;
use crate::app::ui::keys::Keymap;
use crate::app::{DemoSetup, DemoValue, Msg};
use crate::contract::{Contract, FieldKind, Preset};
use crate::journal::safe_open;
use crate::runtime::history::SeedHistory;
use crate::runtime::journal_location::SeedWithdrawals;
use crate::runtime::world::{DEMO_NOTE, FreshDemo, jwt_credential};
use crate::runtime::{Inbox, SecretFields, world};
use crate::sandbox::{
    self, Checkout, CheckoutState, Control, ControlError, Dialect, Domain, DomainSetup, FaultRule,
    Options, SandboxServer, Scene, ShareAddress, ShareFault, ShareLimits, ShareSocket, StartError,
};
use crate::service::BaseUrl;
use crate::trade::{
    Account, CredentialKind, CredentialName, Money, Origin, Secret, Untrusted, Wall,
};
use crate::vault::VaultHandle;

pub use clock::DemoClock;
pub use faults::FAULTS;
use past::DemoPast;
pub use script::{Script, ScriptError};
pub use story::AutoplayPace;
use story::Playing;

/// The name of the file that stores the sandbox's port, for a demo that is kept (`--keep`).
const PORT: &str = "port";

/// The name of the file that stores the port at which a kept demo (`--keep`) was last shared with
/// other devices.
const SHARED_PORT: &str = "shared-port";

/// The name of the profile that a demo uses for its withdrawals.
pub const PROFILE: &str = "demo";

/// The capacity of the queue through which the demo's story receives the seller's actions.
const SELLER_EVENT_QUEUE: usize = 64;

/// The text of the API contract with the demo's sandbox, which is part of the program.
const CONTRACT: &str = include_str!("../assets/contracts/demo.toml");

/// The minimum wait before the demo resends a withdrawal that may have been paid. It equals the
/// longest time that the sandbox takes to reply. It is shorter than a contract file may set,
/// because an audience is waiting.
const RESEND_AFTER: Duration = Duration::from_secs(3);

/// Returns the demo's API contract, which describes the API of its sandbox.
///
/// # Panics
///
/// Never in a release: a test parses the same text.
pub fn contract() -> Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| own_contract(None));
    CONTRACT.clone()
}

/// Returns the demo's API contract for a sandbox with the API variant (dialect) of this preset.
///
/// # Panics
///
/// Never in a release: a test parses the same texts.
pub fn contract_in(preset: Option<Preset>) -> Contract {
    preset.map_or_else(contract, |preset| own_contract(Some(preset)))
}

fn own_contract(preset: Option<Preset>) -> Contract {
    let files = preset.map(|preset| (preset.file, preset.text)).into_iter();
    let files: Vec<_> = files.chain([("demo.toml", CONTRACT)]).collect();
    let mut contract = Contract::own(&files).expect("the demo's contract is tested");
    contract.withdrawal.resend_after = RESEND_AFTER;
    contract
}

/// Returns the ids of the two login fields that the demo fills in: the login name and the password.
pub fn login_fields(contract: &Contract) -> (Arc<str>, Arc<str>) {
    let login = &contract.login;
    let secret = login.form.fields.iter().find(|field| field.kind == FieldKind::Secret);
    let secret = secret.map_or("password", |field| &field.id);
    (login.identity.as_str().into(), secret.into())
}

/// The sandbox of a demo, and the functions that control it.
pub struct DemoSandbox {
    /// The base URL of the sandbox.
    pub base_url: String,
    /// The title in the header of the app's screens.
    pub title: String,
    /// The timing of the story, if it plays by itself without a presenter.
    pub alone: AutoplayPace,
    sandbox: SandboxServer,
    props: Arc<DemoConfig>,
    /// The number of times that the demo was restarted.
    times: AtomicU32,
    /// The task that plays the story, and the notification that skips its current wait.
    playing: Mutex<Option<(AbortHandle, Arc<Notify>)>>,
    /// Sends the seller's actions, such as opening a screen, to the story.
    seller: Sender<SellerEvent>,
}

/// The configuration of a demo.
pub struct DemoConfig {
    /// Advances the clock that the app and the sandbox have in common.
    pub forward: Box<dyn Fn(Duration) + Send + Sync>,
    /// The directory for the demo's journals, deleted when the demo ends.
    ///
    /// `None` for a kept demo (`--keep`). A kept demo cannot be restarted, because its journal
    /// would contain withdrawals that the new sandbox does not have.
    pub journals: Option<PathBuf>,
    /// The example payments of the last weeks, and the steps of the story.
    pub script: Script,
    /// The key bindings, because captions of the story name keys.
    pub keys: Arc<Keymap>,
    /// The variant of the API that the sandbox offers.
    pub dialect: Dialect,
    /// The ids of the two login fields that the demo fills in, as returned by [`login_fields`].
    pub login: (Arc<str>, Arc<str>),
    /// True if the screen shows each key that is pressed, for an audience.
    pub show_keys: bool,
    /// Set if this demo is a kiosk, which is open to the public. The sandbox of a kiosk uses a Unix
    /// socket instead of a port.
    pub kiosk: Option<Kiosk>,
}

impl DemoConfig {
    /// Returns the path of the Unix socket of a kiosk's sandbox, in the directory of its journals.
    pub fn socket(&self) -> Option<PathBuf> {
        self.kiosk.and_then(|_| Some(self.journals.as_ref()?.join("socket")))
    }
}

/// Starts the demo's sandbox.
///
/// A kept demo (`--keep`) starts with its earlier data and port, so that earlier payment links
/// still work and earlier withdrawals still belong to the same account.
pub async fn open(
    faults: Vec<FaultRule>,
    keep: Option<&Path>,
    clock: &DemoClock,
    props: DemoConfig,
) -> Result<DemoSandbox, StartError> {
    let data = keep.map(|dir| dir.join("bank.json"));
    let socket = props.socket();
    let options = |listen| Options {
        listen,
        socket: socket.clone(),
        // The demo controls its sandbox by function calls. HTTP routes for this control would be
        // open to all users of the machine.
        serves_control: false,
        data: data.clone(),
        faults: faults.clone(),
        scene: scene(),
        clock: clock.for_sandbox(),
        dialect: props.dialect.clone(),
        ..Options::default()
    };
    // A kiosk's sandbox listens on no port, so its URLs must not contain a port. Use port 80,
    // because URLs omit it.
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, if socket.is_some() { 80 } else { 0 }));
    let again = match keep.and_then(|dir| kept_port(dir, PORT)) {
        Some(port) => sandbox::start(options((Ipv4Addr::LOCALHOST, port).into())).await.ok(),
        None => None,
    };
    let sandbox = match again {
        Some(sandbox) => sandbox,
        // Take any port, because no port was stored or a different program uses it.
        None => sandbox::start(options(any)).await?,
    };
    if let Some(dir) = keep {
        // Ignore errors: at worst, the next demo uses a different port.
        let _ = keep_port(dir, PORT, sandbox.address().port());
    }
    Ok(DemoSandbox::on(sandbox, props))
}

/// Returns the sandbox's example shop, with one more active checkout domain.
fn scene() -> Scene {
    let mut scene = Scene::default();
    let third = Domain { host: "doces-da-ana.localhost".into(), state: DomainSetup::Active };
    scene.domains.insert(2, third);
    scene
}

/// Opens the port for sharing the demo. Connections are accepted only after a call of
/// [`DemoSandbox::share`].
///
/// If `address` has no port, a kept demo (`--keep`) uses the port at which it was last shared, so
/// that earlier QR codes still work.
pub fn hold(address: ShareAddress, keep: Option<&Path>) -> Result<ShareSocket, ShareFault> {
    let kept = keep.and_then(|dir| kept_port(dir, SHARED_PORT)).filter(|_| address.port.is_none());
    let again = kept.map(|port| ShareAddress { port: Some(port), ..address });
    let held = match again.map(ShareSocket::hold) {
        Some(Ok(held)) => held,
        // Take any port, because no port was stored or a different program uses it.
        Some(Err(_)) | None => ShareSocket::hold(address)?,
    };
    if let Some(dir) = keep {
        // Ignore errors: at worst, the demo is shared at a different port next time.
        let _ = keep_port(dir, SHARED_PORT, held.address().port());
    }
    Ok(held)
}

fn kept_port(dir: &Path, name: &str) -> Option<u16> {
    let file = safe_open::open_to_read(&dir.join(name)).ok()?;
    let mut text = String::new();
    file.take(8).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn keep_port(dir: &Path, name: &str, port: u16) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    options.mode(0o600);
    let mut file = safe_open::open(&dir.join(name), &mut options)?;
    file.write_all(port.to_string().as_bytes())
}

/// Creates a directory that only its owner can read. Dropping the returned value deletes it.
pub fn temporary() -> io::Result<TempDir> {
    let owner_only = std::fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().prefix("balcao-demo-").permissions(owner_only).tempdir()
}

impl DemoSandbox {
    /// Creates the demo for a sandbox that is already running.
    pub fn on(sandbox: SandboxServer, props: DemoConfig) -> DemoSandbox {
        DemoSandbox {
            base_url: sandbox.base_url(),
            title: "loja da ana".into(),
            alone: AutoplayPace::default(),
            sandbox,
            props: Arc::new(props),
            times: AtomicU32::new(0),
            playing: Mutex::new(None),
            seller: Sender::new(SELLER_EVENT_QUEUE),
        }
    }

    /// Makes the payment pages available to other devices at the shared address, so that the
    /// audience can pay there.
    pub fn share(&mut self, held: ShareSocket) -> Result<(), ShareFault> {
        self.sandbox.share(held, ShareLimits::default())
    }

    /// Returns the kiosk's rules if this demo is a kiosk (a public demo).
    pub fn kiosk(&self) -> Option<Kiosk> {
        self.props.kiosk
    }

    /// Returns the app's settings for this demo.
    pub fn setup(&self) -> DemoSetup {
        let (email, password) = self.sandbox.credentials();
        let (who, secret) = self.props.login.clone();
        DemoSetup {
            login: vec![
                (who, DemoValue::Text(email.into())),
                (secret, DemoValue::Secret(password.chars().count())),
            ],
            starts_over: self.props.journals.is_some(),
            kiosk: self.props.kiosk,
            shared: self.sandbox.shared_origin().map(Into::into),
            show_keys: self.props.show_keys,
        }
    }

    /// Returns the function that fills an empty history with example payment links and direct
    /// payments.
    pub fn past(&self, origin: &Origin, now: Wall) -> SeedHistory {
        let past = self.account_of(origin, now);
        let script = self.props.script.clone();
        Box::new(move |history| past.begin(script.content(), history))
    }

    /// Returns the function that fills an empty journal with example withdrawals of the last weeks.
    pub fn past_withdrawals(&self, origin: &Origin, now: Wall) -> SeedWithdrawals {
        let past = self.account_of(origin, now);
        let script = self.props.script.clone();
        Box::new(move |journal, window| {
            past.withdrawals(&script.content().withdrawals, journal, window);
        })
    }

    fn account_of(&self, origin: &Origin, now: Wall) -> DemoPast {
        let (email, _) = self.sandbox.credentials();
        let account = Account { origin: origin.clone(), identity: email.into() };
        DemoPast { control: self.control(), account, now }
    }

    fn control(&self) -> Control {
        self.sandbox.control()
    }

    /// Fills the demo's password into the login form.
    pub fn fill(&self, secrets: &mut SecretFields) {
        let (_, password) = self.sandbox.credentials();
        let name = format!("login/{}", self.props.login.1);
        secrets.put(&name.as_str().into(), &Secret::new(password));
    }

    /// Stores the JWT for payment links in the vault. Call this before the app reads the vault.
    pub async fn keep_jwt(&self, vault: &VaultHandle, base: &BaseUrl, now: Wall) {
        let jwt = self.control().jwt().map(Secret::new);
        let Ok(jwt) = jwt else { return };
        let jwt = jwt_credential(jwt, Some(DEMO_NOTE), now);
        let (profile, origin) = (PROFILE.into(), base.origin().clone());
        let name = CredentialName { profile, origin, kind: CredentialKind::Jwt };
        // Ignore errors: without a stored JWT the app asks for one, as it does outside the demo.
        let _ = vault.put(name, Arc::new(jwt)).await;
    }

    /// Notifies the app of events in the sandbox: payments of links, and changes of the armed
    /// faults.
    pub fn listen(&self, inbox: Inbox) {
        let control = self.control();
        let (mut armed, told) = (control.watch_armed(), inbox.clone());
        tokio::spawn(async move {
            loop {
                let in_wait = faults::in_wait(&armed.borrow_and_update());
                told.send(Msg::FaultsArmed(in_wait)).await;
                if armed.changed().await.is_err() {
                    return;
                }
            }
        });
        let mut payments = control.watch_payments();
        // Send the paid links to the app once at the start, because some may have been paid in an
        // earlier run.
        payments.mark_changed();
        tokio::spawn(async move {
            while payments.changed().await.is_ok() {
                let paid = control.paid_links().into_iter().map(Untrusted::from).collect();
                inbox.send(Msg::SandboxPaidLinks(paid)).await;
            }
        });
    }
}

impl DemoSandbox {
    /// Plays the story from its beginning. If `alone` is true, the story also presses the keys, so
    /// no presenter is needed.
    pub fn play(&self, inbox: &Inbox, alone: bool) {
        let go_on = Arc::new(Notify::new());
        let (props, seller) = (self.props.clone(), self.seller.clone());
        let alone = alone.then_some(self.alone);
        let story = Playing { props, go_on: go_on.clone(), seller, alone };
        let story = tokio::spawn(story.play(self.control(), inbox.clone()));
        self.play_instead(Some((story.abort_handle(), go_on)));
    }

    fn play_instead(&self, story: Option<(AbortHandle, Arc<Notify>)>) {
        if let Some((before, _)) = std::mem::replace(&mut *self.playing(), story) {
            before.abort();
        }
    }

    /// Skips the current wait of the story, so that its next step comes at once.
    fn go_on(&self) {
        if let Some((_, go_on)) = &*self.playing() {
            go_on.notify_one();
        }
    }

    fn playing(&self) -> MutexGuard<'_, Option<(AbortHandle, Arc<Notify>)>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes every checkout domain inactive, or restores the initial state of every domain.
    fn move_domains(&self, down: bool) -> Result<(), ControlError> {
        let control = self.control();
        let first = control.first_domains();
        let state = |host: &str| match first.iter().find(|domain| domain.host == host) {
            _ if down => DomainSetup::SslPending,
            Some(domain) => domain.state,
            // This domain has no initial state, because it is the shared address or was added by a
            // script.
            None => DomainSetup::Active,
        };
        let mut domains = control.domains().into_iter();
        domains.try_for_each(|domain| control.set_domain(&domain.host, state(&domain.host)))
    }
}

/// Converts an amount from the sandbox to the app's type. The sandbox returns amounts as text,
/// because it shares no types with the app.
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

impl world::DemoBackend for DemoSandbox {
    fn jwt(&self) -> Option<Secret> {
        self.control().jwt().ok().map(Secret::new)
    }

    fn carry_out(&self, command: &Command, inbox: &Inbox) -> bool {
        let control = self.control();
        match command {
            Command::Fault(name) => {
                return faults::named(name).is_some_and(|rule| control.arm_rule(rule).is_ok());
            }
            Command::NoFaults => return control.disarm_all().is_ok(),
            Command::StartOver => return control.start_over().is_ok(),
            Command::DomainsDown(down) => return self.move_domains(*down).is_ok(),
            Command::Forward => (self.props.forward)(FORWARD),
            Command::Story(true) => self.play(inbox, false),
            Command::AutoplayStory => self.play(inbox, true),
            Command::Story(false) => self.play_instead(None),
            Command::StoryNext => self.go_on(),
            Command::Do(_)
            | Command::New(_)
            | Command::Profile(_)
            | Command::Theme(_)
            | Command::Language(_)
            | Command::KeepLook
            | Command::Hint(_)
            | Command::BuyersView
            | Command::Mask(_)
            | Command::Captions(_) => {}
        }
        true
    }

    fn fresh_demo(&self, origin: &Origin, now: Wall) -> Option<FreshDemo> {
        let times = self.times.fetch_add(1, Ordering::Relaxed) + 2;
        let journal = self.props.journals.as_ref()?.join(format!("journal-{times}"));
        let (past, withdrawals) = (self.past(origin, now), self.past_withdrawals(origin, now));
        Some(FreshDemo { journal, past, withdrawals })
    }

    fn on_seller_event(&self, what: SellerEvent) {
        // Ignore errors: sending fails only if no story is playing.
        self.seller.send(what).ok();
    }

    fn page(&self, url: &Untrusted, pay: bool) -> BuyerPage {
        let control = self.control();
        if pay {
            // Ignore errors: if the payment fails, the payment page shows the reason.
            let _ = control.pay_link(url.raw());
        }
        control.page(url.raw()).as_ref().map_or(BuyerPage::NotFound, as_seen)
    }
}

#[cfg(test)]
mod tests;
