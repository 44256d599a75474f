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
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::broadcast::Sender;
use tokio::sync::{Notify, watch};
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
use crate::locked::Locked;
use crate::runtime::history::SeedHistory;
use crate::runtime::journal_location::SeedWithdrawals;
use crate::runtime::world::{DEMO_NOTE, jwt_credential};
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
use story::StoryPlayer;

/// The name of the file that stores the sandbox's port, for a demo that is kept (`--keep`).
const PORT_FILE: &str = "port";

/// The name of the file that stores the port at which a kept demo (`--keep`) was last shared with
/// other devices.
const SHARED_PORT_FILE: &str = "shared-port";

/// The name of the profile that a demo uses for its withdrawals.
pub const PROFILE: &str = "demo";

/// The capacity of the queue for the seller's actions that the demo's story waits for.
const SELLER_EVENT_QUEUE: usize = 64;

/// The text of the API contract with the demo's sandbox, which is part of the program.
const CONTRACT: &str = include_str!("../assets/contracts/demo.toml");

/// The minimum wait before the demo resends a withdrawal that may have been paid. It equals the
/// longest time that the sandbox takes to reply. It is shorter than a contract file may set,
/// because an audience is waiting.
const RESEND_AFTER: Duration = Duration::from_secs(3);

/// The demo's API contract, which describes the API of its sandbox.
///
/// # Panics
///
/// Never in a release: a test parses the same text.
pub fn contract() -> Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| parse_contract(None));
    CONTRACT.clone()
}

/// The demo's API contract for a sandbox with the API variant (dialect) of this preset.
///
/// # Panics
///
/// Never in a release: a test parses the same texts.
pub fn contract_in(preset: Option<Preset>) -> Contract {
    preset.map_or_else(contract, |preset| parse_contract(Some(preset)))
}

fn parse_contract(preset: Option<Preset>) -> Contract {
    let files = preset.map(|preset| (preset.file, preset.text)).into_iter();
    let files: Vec<_> = files.chain([("demo.toml", CONTRACT)]).collect();
    let mut contract = Contract::from_program_files(&files).expect("the demo's contract is tested");
    contract.withdrawal.resend_after = RESEND_AFTER;
    contract
}

/// The ids of the two login fields that the demo fills in: the login name and the password.
pub fn login_fields(contract: &Contract) -> (Arc<str>, Arc<str>) {
    let login = &contract.login;
    let secret = login
        .form
        .fields
        .iter()
        .find(|field| field.kind == FieldKind::Secret);
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
    pub autoplay_pace: AutoplayPace,
    sandbox: SandboxServer,
    config: Arc<DemoConfig>,
    /// The task that plays the story, and the notification that skips its current wait.
    story_task: Locked<Option<(AbortHandle, Arc<Notify>)>>,
    /// Sends the seller's actions, such as opening a screen, to the story.
    seller: Sender<SellerEvent>,
    /// The inbox of the run of the app that was opened last, to which the story sends its events.
    app: watch::Sender<Option<Inbox>>,
}

/// The configuration of a demo.
pub struct DemoConfig {
    /// Advances the clock that the app and the sandbox have in common.
    pub advance_clock: Box<dyn Fn(Duration) + Send + Sync>,
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
    /// The path of the Unix socket of a kiosk's sandbox, in the directory of its journals.
    pub fn socket(&self) -> Option<PathBuf> {
        self.kiosk
            .and_then(|_| Some(self.journals.as_ref()?.join("socket")))
    }
}

/// Starts the demo's sandbox.
///
/// A kept demo (`--keep`) starts with its earlier data and port, so that earlier payment links
/// still work and earlier withdrawals still belong to the same account.
pub async fn open(
    faults: Vec<FaultRule>,
    kept_dir: Option<&Path>,
    clock: &DemoClock,
    config: DemoConfig,
) -> Result<DemoSandbox, StartError> {
    let data = kept_dir.map(|dir| dir.join("bank.json"));
    let socket = config.socket();
    let options = |listen| Options {
        listen,
        socket: socket.clone(),
        // The demo controls its sandbox by function calls. HTTP routes for this control would be
        // open to all users of the machine.
        serves_control: false,
        data_file: data.clone(),
        faults: faults.clone(),
        scene: scene(),
        clock: clock.for_sandbox(),
        dialect: config.dialect.clone(),
        ..Options::default()
    };
    // A kiosk's sandbox listens on no port, so its URLs must not contain a port. Use port 80,
    // because URLs omit it.
    let default_address =
        SocketAddr::from((Ipv4Addr::LOCALHOST, if socket.is_some() { 80 } else { 0 }));
    let restarted = match kept_dir.and_then(|dir| read_port(dir, PORT_FILE)) {
        Some(port) => sandbox::start(options((Ipv4Addr::LOCALHOST, port).into()))
            .await
            .ok(),
        None => None,
    };
    let sandbox = match restarted {
        Some(sandbox) => sandbox,
        // Take any port, because no port was stored or a different program uses it.
        None => sandbox::start(options(default_address)).await?,
    };
    if let Some(dir) = kept_dir {
        // Ignore errors: at worst, the next demo uses a different port.
        let _ = write_port(dir, PORT_FILE, sandbox.address().port());
    }
    Ok(DemoSandbox::on(sandbox, config))
}

/// The sandbox's default example shop with a third checkout domain, which is active.
fn scene() -> Scene {
    let mut scene = Scene::default();
    let third_domain = Domain {
        host: "doces-da-ana.localhost".into(),
        state: DomainSetup::Active,
    };
    scene.domains.insert(2, third_domain);
    scene
}

/// Opens the port for sharing the demo. Connections are accepted only after a call of
/// [`DemoSandbox::share`].
///
/// If `address` has no port, a kept demo (`--keep`) uses the port at which it was last shared, so
/// that earlier QR codes still work.
pub fn reserve_share_port(
    address: ShareAddress,
    kept_dir: Option<&Path>,
) -> Result<ShareSocket, ShareFault> {
    let stored_port = kept_dir
        .and_then(|dir| read_port(dir, SHARED_PORT_FILE))
        .filter(|_| address.port.is_none());
    let stored_address = stored_port.map(|port| ShareAddress {
        port: Some(port),
        ..address
    });
    let socket = match stored_address.map(ShareSocket::reserve) {
        Some(Ok(socket)) => socket,
        // Take any port, because no port was stored or a different program uses it.
        Some(Err(_)) | None => ShareSocket::reserve(address)?,
    };
    if let Some(dir) = kept_dir {
        // Ignore errors: at worst, the demo is shared at a different port next time.
        let _ = write_port(dir, SHARED_PORT_FILE, socket.address().port());
    }
    Ok(socket)
}

fn read_port(dir: &Path, name: &str) -> Option<u16> {
    let file = safe_open::open_to_read(&dir.join(name)).ok()?;
    let mut text = String::new();
    file.take(8).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn write_port(dir: &Path, name: &str, port: u16) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    options.mode(0o600);
    let mut file = safe_open::open(&dir.join(name), &mut options)?;
    file.write_all(port.to_string().as_bytes())
}

/// Creates a directory that only its owner can read. Dropping the returned value deletes it.
pub fn temporary() -> io::Result<TempDir> {
    let owner_only = std::fs::Permissions::from_mode(0o700);
    tempfile::Builder::new()
        .prefix("balcao-demo-")
        .permissions(owner_only)
        .tempdir()
}

impl DemoSandbox {
    /// Creates the demo for a sandbox that is already running.
    pub fn on(sandbox: SandboxServer, config: DemoConfig) -> DemoSandbox {
        DemoSandbox {
            base_url: sandbox.base_url(),
            title: "loja da ana".into(),
            autoplay_pace: AutoplayPace::default(),
            sandbox,
            config: Arc::new(config),
            story_task: Locked::new(None),
            seller: Sender::new(SELLER_EVENT_QUEUE),
            app: watch::Sender::default(),
        }
    }

    /// Makes the payment pages available to other devices at the shared address, so that the
    /// audience can pay there.
    pub fn share(&mut self, socket: ShareSocket) -> Result<(), ShareFault> {
        self.sandbox.share(socket, ShareLimits::default())
    }

    /// The kiosk's rules if this demo is a kiosk (a public demo).
    pub fn kiosk(&self) -> Option<Kiosk> {
        self.config.kiosk
    }

    /// The app's settings for this demo.
    pub fn setup(&self) -> DemoSetup {
        let (email, password) = self.sandbox.credentials();
        let (login_field, password_field) = self.config.login.clone();
        DemoSetup {
            login: vec![
                (login_field, DemoValue::Text(email.into())),
                (password_field, DemoValue::Secret(password.chars().count())),
            ],
            starts_over: self.config.journals.is_some(),
            kiosk: self.config.kiosk,
            shared: self.sandbox.shared_origin().map(Into::into),
            show_keys: self.config.show_keys,
        }
    }

    /// The function that fills an empty history with example payment links and direct payments.
    pub fn example_history(&self, origin: &Origin, now: Wall) -> SeedHistory {
        let example_data = self.build_past(origin, now);
        let script = self.config.script.clone();
        Box::new(move |history| example_data.seed_history(script.parsed(), history))
    }

    /// The function that fills an empty journal with example withdrawals of the last weeks.
    pub fn example_withdrawals(&self, origin: &Origin, now: Wall) -> SeedWithdrawals {
        let example_data = self.build_past(origin, now);
        let script = self.config.script.clone();
        Box::new(move |journal, window| {
            example_data.create_withdrawals(&script.parsed().withdrawals, journal, window);
        })
    }

    fn build_past(&self, origin: &Origin, now: Wall) -> DemoPast {
        let (email, _) = self.sandbox.credentials();
        let account = Account {
            origin: origin.clone(),
            identity: email.into(),
        };
        DemoPast {
            control: self.control(),
            account,
            now,
        }
    }

    /// Resets the sandbox for the next run of the app, which needs a new journal.
    ///
    /// The old journal must be closed for good. The sandbox forgets the old idempotency keys, so it
    /// would pay an unfinished withdrawal of the old journal a second time.
    pub fn start_over(&self) -> Result<(), ControlError> {
        self.control().reset_bank()
    }

    fn control(&self) -> Control {
        self.sandbox.control()
    }

    /// Fills the demo's password into the login form.
    pub fn fill(&self, secrets: &mut SecretFields) {
        let (_, password) = self.sandbox.credentials();
        let name = format!("login/{}", self.config.login.1);
        secrets.set_demo_secret(&name.as_str().into(), &Secret::new(password));
    }

    /// Stores the JWT for payment links in the vault. Call this before the app reads the vault.
    pub async fn keep_jwt(&self, vault: &VaultHandle, base: &BaseUrl, now: Wall) {
        let jwt = self.control().jwt().map(Secret::new);
        let Ok(jwt) = jwt else { return };
        let jwt = jwt_credential(jwt, Some(DEMO_NOTE), now);
        let profile = PROFILE.into();
        let origin = base.origin().clone();
        let name = CredentialName {
            profile,
            origin,
            kind: CredentialKind::Jwt,
        };
        // Ignore errors: without a stored JWT the app asks for one, as it does outside the demo.
        let _ = vault.put(name, Arc::new(jwt)).await;
    }

    /// Notifies this run of the app of events in the sandbox: payments of links, and changes of the
    /// armed faults. A story that is playing goes on in this run.
    pub fn listen(&self, inbox: Inbox) {
        self.app.send_replace(Some(inbox.clone()));
        let control = self.control();
        let mut armed = control.watch_armed();
        let mut payments = control.watch_payments();
        // Send both to the app once at the start, because some links may have been paid in an
        // earlier run.
        armed.mark_changed();
        payments.mark_changed();
        tokio::spawn(async move {
            loop {
                let msg = tokio::select! {
                    Ok(()) = armed.changed() => {
                        Msg::FaultsArmed(faults::armed_faults(&armed.borrow_and_update()))
                    }
                    Ok(()) = payments.changed() => {
                        let paid = control.paid_links().into_iter().map(Untrusted::from);
                        Msg::SandboxPaidLinks(paid.collect())
                    }
                    () = inbox.closed() => return,
                };
                inbox.send(msg).await;
            }
        });
    }
}

impl DemoSandbox {
    /// Plays the story from its beginning. If `autoplay` is true, the story also presses the keys,
    /// so no presenter is needed.
    pub fn play(&self, inbox: &Inbox, autoplay: bool) {
        let go_on = Arc::new(Notify::new());
        self.app.send_replace(Some(inbox.clone()));
        let story = StoryPlayer {
            config: self.config.clone(),
            go_on: go_on.clone(),
            seller: self.seller.clone(),
            app: self.app.subscribe(),
            alone: autoplay.then_some(self.autoplay_pace),
        };
        let story = tokio::spawn(story.play(self.control()));
        self.replace_story(Some((story.abort_handle(), go_on)));
    }

    fn replace_story(&self, story: Option<(AbortHandle, Arc<Notify>)>) {
        if let Some((previous, _)) = std::mem::replace(&mut *self.story_task.lock(), story) {
            previous.abort();
        }
    }

    /// Skips the current wait of the story, so that its next step comes at once.
    fn go_on(&self) {
        if let Some((_, go_on)) = &*self.story_task.lock() {
            go_on.notify_one();
        }
    }

    /// Makes every checkout domain inactive, or restores the initial state of every domain.
    fn set_all_domains(&self, inactive: bool) -> Result<(), ControlError> {
        let control = self.control();
        let initial_domains = control.initial_domains();
        let state = |host: &str| match initial_domains.iter().find(|domain| domain.host == host) {
            _ if inactive => DomainSetup::SslPending,
            Some(domain) => domain.state,
            // This domain has no initial state, because it is the shared address or was added by a
            // script.
            None => DomainSetup::Active,
        };
        let mut domains = control.domains().into_iter();
        domains.try_for_each(|domain| control.set_domain(&domain.host, state(&domain.host)))
    }
}

/// Parses an amount from the sandbox. The sandbox returns amounts as text, because it shares no
/// types with the app.
fn money(text: &str) -> Money {
    Money::parse_wire(text).unwrap_or(Money::ZERO)
}

fn to_buyer_page(page: &Checkout) -> BuyerPage {
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
                return faults::find_rule(name).is_some_and(|rule| control.arm_rule(rule).is_ok());
            }
            Command::NoFaults => return control.disarm_all().is_ok(),
            Command::DomainsDown(down) => return self.set_all_domains(*down).is_ok(),
            Command::Forward => (self.config.advance_clock)(FORWARD),
            Command::Story(true) => self.play(inbox, false),
            Command::AutoplayStory => self.play(inbox, true),
            Command::Story(false) => self.replace_story(None),
            Command::StoryNext => self.go_on(),
            Command::StartOver
            | Command::Statement
            | Command::Record(_)
            | Command::Do(_)
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

    fn statement(&self) -> String {
        self.control().statement()
    }

    fn on_seller_event(&self, event: SellerEvent) {
        // Ignore errors: sending fails only if no story is playing.
        self.seller.send(event).ok();
    }

    fn checkout_page(&self, url: &Untrusted, pay: bool) -> BuyerPage {
        let control = self.control();
        if pay {
            // Ignore errors: if the payment fails, the payment page shows the reason.
            let _ = control.pay_link(url.raw());
        }
        control
            .checkout_page(url.raw())
            .as_ref()
            .map_or(BuyerPage::NotFound, to_buyer_page)
    }
}

#[cfg(test)]
mod tests;
