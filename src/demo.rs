//! The demo: the app on its own sandbox, with everything filled in.
//!
//! This is the one room besides the command line that knows both sides. What it does to the
//! sandbox an audience can see in the palette.

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
use tokio::sync::broadcast::error::RecvError;
use tokio::task::AbortHandle;

use crate::app::message::BuyerPage;
use crate::app::store::commands::Command;
use crate::app::store::story::SellerEvent;
use crate::app::ui::keys::Keymap;
use crate::app::{DemoSetup, DemoValue, Msg};
use crate::contract::{Contract, FieldKind, Preset};
use crate::journal::plain;
use crate::runtime::history::SeedHistory;
use crate::runtime::journal_location::SeedWithdrawals;
use crate::runtime::world::{DEMO_NOTE, FreshDemo, jwt_credential};
use crate::runtime::{Inbox, SecretFields, world};
use crate::sandbox::{
    self, Checkout, CheckoutState, Control, ControlError, Dialect, Domain, DomainSetup, FaultRule,
    Options, PaidItem, SandboxServer, Scene, ShareAddress, ShareFault, ShareLimits, ShareSocket,
    StartError,
};
use crate::service::BaseUrl;
use crate::trade::{
    Account, CredentialKind, CredentialName, Money, Origin, Secret, Untrusted, Wall,
};
use crate::vault::VaultHandle;
use crate::words::Lang;

pub use clock::DemoClock;
pub use faults::FAULTS;
use past::DemoPast;
pub use script::{Script, ScriptError};
use story::Playing;

/// The file of a kept demo's port.
const PORT: &str = "port";

/// The file of the port at which a kept demo was shared.
const SHARED_PORT: &str = "shared-port";

/// The profile in which a demo's withdrawals are made.
pub const PROFILE: &str = "demo";

/// The time by which the presenter advances the clock: a key is too old to be sent again then.
const FORWARD: Duration = Duration::from_secs(10 * 60);

/// The most that the seller can do before the story hears of the first of it.
const WAITING_DEEDS: usize = 64;

/// The contract of this service, which is our own.
const CONTRACT: &str = include_str!("../assets/contracts/demo.toml");

/// The shortest wait after an attempt that may have paid, before the demo sends again: its own bank
/// works no longer than this, and an audience waits. No file may set a wait this short.
const RESEND_AFTER: Duration = Duration::from_secs(3);

/// The demo's contract: its assumptions about its sandbox.
///
/// # Panics
///
/// Never in a released program: a test reads the same text.
pub fn contract() -> Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| own_contract(None));
    CONTRACT.clone()
}

/// The same of a sandbox that speaks the dialect of this preset.
///
/// # Panics
///
/// Never in a released program: a test reads the same texts.
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

/// The fields of a contract's login that the demo fills in: who it is, and the secret.
pub fn login_fields(contract: &Contract) -> (Arc<str>, Arc<str>) {
    let login = &contract.login;
    let secret = login.form.fields.iter().find(|field| field.kind == FieldKind::Secret);
    let secret = secret.map_or("password", |field| &field.id);
    (login.identity.as_str().into(), secret.into())
}

/// The sandbox behind the demo, and the hand on it.
pub struct DemoSandbox {
    /// The address of the sandbox.
    pub base_url: String,
    /// The title in the header.
    pub title: String,
    sandbox: SandboxServer,
    props: Arc<Props>,
    /// The number of times it started over.
    times: AtomicU32,
    /// The story that is being played, and what wakes it to go on.
    playing: Mutex<Option<(AbortHandle, Arc<Notify>)>>,
    /// Tells the story what the seller does.
    seller: Sender<SellerEvent>,
}

/// The equipment of a demo: its clock, its journals, its script and its language.
pub struct Props {
    /// Moves the clock that the app and the sandbox share.
    pub forward: Box<dyn Fn(Duration) + Send + Sync>,
    /// Where journals lie that are gone with the demo; a demo that is kept has none, and does not
    /// start over: its journal would go on believing what its bank has forgotten.
    pub journals: Option<PathBuf>,
    /// The links of the last days and the steps of the story.
    pub script: Script,
    /// The language of the captions.
    pub lang: Lang,
    /// The keys that the captions name.
    pub keys: Arc<Keymap>,
    /// The shape in which the sandbox speaks.
    pub dialect: Dialect,
    /// The fields of the login that are filled in, by [`login_fields`].
    pub login: (Arc<str>, Arc<str>),
}

/// Starts the demo's sandbox.
///
/// A demo that is kept keeps the bank too, and its port: the addresses of yesterday's links still
/// lead to their pages, and yesterday's withdrawals still belong to the same account.
pub async fn open(
    faults: Vec<FaultRule>,
    keep: Option<&Path>,
    clock: &DemoClock,
    props: Props,
) -> Result<DemoSandbox, StartError> {
    let data = keep.map(|dir| dir.join("bank.json"));
    let options = |listen| Options {
        listen,
        data: data.clone(),
        faults: faults.clone(),
        scene: scene(),
        clock: clock.for_sandbox(),
        dialect: props.dialect.clone(),
        ..Options::default()
    };
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let again = match keep.and_then(|dir| kept_port(dir, PORT)) {
        Some(port) => sandbox::start(options((Ipv4Addr::LOCALHOST, port).into())).await.ok(),
        None => None,
    };
    let sandbox = match again {
        Some(sandbox) => sandbox,
        // Somebody else has the port today, or there was none.
        None => sandbox::start(options(any)).await?,
    };
    if let Some(dir) = keep {
        // Without it the next demo takes another port, and says nothing untrue.
        let _ = keep_port(dir, PORT, sandbox.address().port());
    }
    Ok(DemoSandbox::on(sandbox, props))
}

/// The demo's scene: a shop with a third domain that links can be on.
fn scene() -> Scene {
    let mut scene = Scene::default();
    let third = Domain { host: "doces-da-ana.localhost".into(), state: DomainSetup::Active };
    scene.domains.insert(2, third);
    scene
}

/// Holds an address for sharing; nobody is let in before [`DemoSandbox::share`].
///
/// Where no port is named, a demo that is kept takes the one it was shared at before, so that
/// yesterday's codes still lead to their pages.
pub fn hold(address: ShareAddress, keep: Option<&Path>) -> Result<ShareSocket, ShareFault> {
    let kept = keep.and_then(|dir| kept_port(dir, SHARED_PORT)).filter(|_| address.port.is_none());
    let again = kept.map(|port| ShareAddress { port: Some(port), ..address });
    let held = match again.map(ShareSocket::hold) {
        Some(Ok(held)) => held,
        // Somebody else has the port today, or there was none.
        Some(Err(_)) | None => ShareSocket::hold(address)?,
    };
    if let Some(dir) = keep {
        // Without it the next share takes another port, and says nothing untrue.
        let _ = keep_port(dir, SHARED_PORT, held.address().port());
    }
    Ok(held)
}

fn kept_port(dir: &Path, name: &str) -> Option<u16> {
    let file = plain::open_to_read(&dir.join(name)).ok()?;
    let mut text = String::new();
    file.take(8).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn keep_port(dir: &Path, name: &str, port: u16) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    options.mode(0o600);
    let mut file = plain::open(&dir.join(name), &mut options)?;
    file.write_all(port.to_string().as_bytes())
}

/// A directory for a demo that is not kept, its owner's alone and gone when dropped.
pub fn temporary() -> io::Result<TempDir> {
    let owner_only = std::fs::Permissions::from_mode(0o700);
    tempfile::Builder::new().prefix("balcao-demo-").permissions(owner_only).tempdir()
}

impl DemoSandbox {
    /// The demo on this sandbox.
    pub fn on(sandbox: SandboxServer, props: Props) -> DemoSandbox {
        DemoSandbox {
            base_url: sandbox.base_url(),
            title: "loja da ana".into(),
            sandbox,
            props: Arc::new(props),
            times: AtomicU32::new(0),
            playing: Mutex::new(None),
            seller: Sender::new(WAITING_DEEDS),
        }
    }

    /// Lets the phones in a room open the pages of links, and pay.
    pub fn share(&mut self, held: ShareSocket) -> Result<(), ShareFault> {
        self.sandbox.share(held, ShareLimits::default())
    }

    /// The app's view of the demo.
    pub fn setup(&self) -> DemoSetup {
        let (email, password) = self.sandbox.credentials();
        let (who, secret) = self.props.login.clone();
        DemoSetup {
            login: vec![
                (who, DemoValue::Text(email.into())),
                (secret, DemoValue::Secret(password.chars().count())),
            ],
            starts_over: self.props.journals.is_some(),
            shared: self.sandbox.shared_origin().map(Into::into),
        }
    }

    /// What the last weeks left in a history that has nothing in it yet.
    pub fn past(&self, origin: &Origin, now: Wall) -> SeedHistory {
        let past = self.account_of(origin, now);
        let script = self.props.script.clone();
        Box::new(move |history| past.begin(script.content(), history))
    }

    /// Withdrawals of the last weeks, for a journal that has nothing in it yet.
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

    /// Puts the password into its field.
    pub fn fill(&self, secrets: &mut SecretFields) {
        let (_, password) = self.sandbox.credentials();
        let name = format!("login/{}", self.props.login.1);
        secrets.put(&name.as_str().into(), &Secret::new(password));
    }

    /// Puts the JWT for links into the vault, before the app looks there.
    pub async fn keep_jwt(&self, vault: &VaultHandle, base: &BaseUrl, now: Wall) {
        let jwt = self.control().jwt().map(Secret::new);
        let Ok(jwt) = jwt else { return };
        let jwt = jwt_credential(jwt, Some(DEMO_NOTE), now);
        let (profile, origin) = (PROFILE.into(), base.origin().clone());
        let name = CredentialName { profile, origin, kind: CredentialKind::Jwt };
        // Where it is not taken, the app asks for it as it asks any seller.
        let _ = vault.put(name, Arc::new(jwt)).await;
    }

    /// Passes on what the sandbox says by itself: that a buyer paid a link, and which faults lie in
    /// wait.
    pub fn listen(&self, inbox: Inbox) {
        let control = self.control();
        let (mut armed, told) = (control.watch_armed(), inbox.clone());
        tokio::spawn(async move {
            loop {
                let in_wait = faults::in_wait(&armed.borrow_and_update());
                told.send(Msg::FaultsInWait(in_wait)).await;
                if armed.changed().await.is_err() {
                    return;
                }
            }
        });
        let (mut payments, told, ledger) =
            (control.watch_payments(), inbox.clone(), control.clone());
        // What was paid before, in a demo that was kept, is known too.
        payments.mark_changed();
        tokio::spawn(async move {
            while payments.changed().await.is_ok() {
                let paid = ledger.paid_links().into_iter().map(Untrusted::from).collect();
                told.send(Msg::SandboxPaidLinks(paid)).await;
            }
        });
        let mut notices = control.notices();
        tokio::spawn(async move {
            loop {
                match notices.recv().await {
                    Ok(paid) if paid.of == PaidItem::Link => {
                        let Some(page) = control.page(&paid.id) else { continue };
                        let (url, description) = (page.url.into(), page.description.into());
                        let amount = money(&page.amount.to_string());
                        inbox.send(Msg::SandboxLinkPaid { url, description, amount }).await;
                    }
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                }
            }
        });
    }
}

impl DemoSandbox {
    /// Plays the story from its beginning.
    pub fn play(&self, inbox: &Inbox) {
        let go_on = Arc::new(Notify::new());
        let (props, seller) = (self.props.clone(), self.seller.clone());
        let story = Playing { props, go_on: go_on.clone(), seller };
        let story = tokio::spawn(story.play(self.control(), inbox.clone()));
        self.play_instead(Some((story.abort_handle(), go_on)));
    }

    fn play_instead(&self, story: Option<(AbortHandle, Arc<Notify>)>) {
        if let Some((before, _)) = std::mem::replace(&mut *self.playing(), story) {
            before.abort();
        }
    }

    /// Has the story go on without what its next step waits for.
    fn go_on(&self) {
        if let Some((_, go_on)) = &*self.playing() {
            go_on.notify_one();
        }
    }

    fn playing(&self) -> MutexGuard<'_, Option<(AbortHandle, Arc<Notify>)>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes every domain down, or puts each back into the state that it had at the beginning.
    fn move_domains(&self, down: bool) -> Result<(), ControlError> {
        let control = self.control();
        let first = control.first_domains();
        let state = |host: &str| match first.iter().find(|domain| domain.host == host) {
            _ if down => DomainSetup::SslPending,
            Some(domain) => domain.state,
            // The address that is shared, or one that a script added.
            None => DomainSetup::Active,
        };
        let mut domains = control.domains().into_iter();
        domains.try_for_each(|domain| control.set_domain(&domain.host, state(&domain.host)))
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

impl world::DemoBackend for DemoSandbox {
    fn jwt(&self) -> Option<Secret> {
        self.control().jwt().ok().map(Secret::new)
    }

    fn grant(&self, command: &Command, inbox: &Inbox) -> bool {
        let control = self.control();
        match command {
            Command::Fault(name) => {
                return faults::named(name).is_some_and(|rule| control.arm_rule(rule).is_ok());
            }
            Command::NoFaults => return control.disarm_all().is_ok(),
            Command::StartOver => return control.start_over().is_ok(),
            Command::DomainsDown(down) => return self.move_domains(*down).is_ok(),
            Command::Forward => (self.props.forward)(FORWARD),
            Command::Story(true) => self.play(inbox),
            Command::Story(false) => self.play_instead(None),
            Command::StoryNext => self.go_on(),
            Command::Do(_)
            | Command::New(_)
            | Command::Profile(_)
            | Command::BuyersView
            | Command::Mask(_)
            | Command::Captions(_) => {}
        }
        true
    }

    fn anew(&self, origin: &Origin, now: Wall) -> Option<FreshDemo> {
        let times = self.times.fetch_add(1, Ordering::Relaxed) + 2;
        let journal = self.props.journals.as_ref()?.join(format!("journal-{times}"));
        let (past, withdrawals) = (self.past(origin, now), self.past_withdrawals(origin, now));
        Some(FreshDemo { journal, past, withdrawals })
    }

    fn seller_did(&self, what: SellerEvent) {
        // Without a story nobody listens.
        self.seller.send(what).ok();
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
