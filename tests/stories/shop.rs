//! The shop of a story: what stays while the counter is opened and closed again.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use balcao::app::LinkSettings;
use balcao::app::message::BuyerPage;
use balcao::app::store::commands::Command;
use balcao::app::store::story::SellerEvent;
use balcao::app::ui::keys::Keymap;
use balcao::cashier::Clock;
use balcao::config::{Dirs, built_in_keys};
use balcao::contract::{Contract, Preset};
use balcao::demo::{self, Props, Script};
use balcao::journal::OsDisk;
use balcao::journal::history::History;
use balcao::journal::money::MoneyJournal;
use balcao::runtime::Inbox;
use balcao::runtime::journal_location::{JournalLocation, LiveJournal};
use balcao::runtime::world;
use balcao::sandbox::{
    self, BankOperation, Control, Dialect, Fault, Ledger, Moment, Options, Scene, ShareAddress,
    ShareSocket, Times,
};
use balcao::service::Limits;
use balcao::trade::{
    Charge, Clocks, Origin, PagePlace, PaymentLink, Secret, Untrusted, Wall, Withdrawal,
};
use balcao::vault::VaultHandle;
use balcao::words::Lang;

use crate::counter::LIMIT;
use crate::leftovers::Searched;
use crate::tap::Tap;

/// 21 November 2026, 12:00 in São Paulo: where every story begins.
const NOON: Wall = Wall(1_795_273_200_000);

/// The password of every story's seller, which is like nothing else and changes in every form.
pub const PASSWORD: &str = "canary/7Qx+\"4410 ç";

/// A contract under which what is unclear may be sent again at once.
fn at_once(mut contract: Contract) -> Contract {
    contract.withdrawal.resend_after = Duration::ZERO;
    contract
}

/// A shop: its directory, its service, its clock and its vault.
pub struct Shop {
    pub dir: Arc<tempfile::TempDir>,
    /// What it leaves behind, searched for secrets when it closes.
    pub leftovers: Searched,
    pub clock: ShopClock,
    pub control: Control,
    pub stage: Arc<demo::DemoSandbox>,
    pub vault: VaultHandle,
    pub tap: Tap,
    /// Where the counter finds the service.
    pub base_url: String,
    pub size: (u16, u16),
    pub limits: Limits,
    /// The profile the counter is opened with.
    pub profile: &'static str,
    /// What the counter believes about the service.
    pub contract: Contract,
    /// Whether the counter knows that the sandbox is its own, and has it fill things in.
    pub is_demo: bool,
    /// The seller's settings for links.
    pub links: LinkSettings,
    /// The name of the journal's directory.
    pub journal_name: &'static str,
    /// The state directory, in which that is.
    pub state: PathBuf,
    /// The language of the counter.
    pub lang: Lang,
    /// Whether its journal and its history begin with the demo's past.
    pub has_past: bool,
}

impl Shop {
    /// A shop as the demo has it, with every byte to its service written down.
    pub async fn new() -> Shop {
        Shop::with_scene(Scene::default()).await
    }

    pub async fn with_scene(scene: Scene) -> Shop {
        Shop::with_story(scene, Script::built_in(), None, None).await
    }

    /// A shop that knows of its service what the demo knows, and has this story.
    pub async fn with_script(script: &str) -> Shop {
        let script = Script::of_file(script).unwrap();
        let shop = Shop::with_story(Scene::default(), script, None, None).await;
        Shop { contract: at_once(demo::contract()), ..shop }
    }

    /// A shop as the demo is opened in this language: its past, and its own story.
    pub async fn of_demo(lang: Lang) -> Shop {
        let (scene, script) = (Scene::default(), Script::built_in());
        let shop = Shop::with_story_in(lang, scene, script, None, None).await;
        Shop { contract: at_once(demo::contract()), has_past: true, ..shop }
    }

    /// A shop as a demo has it that is shared at this address of the machine.
    pub async fn shared_at(address: &str) -> Shop {
        let address = ShareAddress::parse(address).unwrap();
        let held = demo::hold(address, None).unwrap();
        Shop::with_story(Scene::default(), Script::built_in(), Some(held), None).await
    }

    /// A shop whose service speaks the dialect of this preset, and which believes it.
    pub async fn speaking(preset: Option<Preset>) -> Shop {
        let (scene, script) = (Scene::default(), Script::built_in());
        let shop = Shop::with_story(scene, script, None, preset).await;
        Shop { contract: at_once(demo::contract_in(preset)), ..shop }
    }

    async fn with_story(
        scene: Scene,
        script: Script,
        held: Option<ShareSocket>,
        preset: Option<Preset>,
    ) -> Shop {
        Shop::with_story_in(Lang::Pt, scene, script, held, preset).await
    }

    async fn with_story_in(
        lang: Lang,
        scene: Scene,
        script: Script,
        held: Option<ShareSocket>,
        preset: Option<Preset>,
    ) -> Shop {
        let dialect = preset.map(|preset| Dialect::named(preset.name).unwrap()).unwrap_or_default();
        let clock = ShopClock::new();
        let hands = clock.clone();
        let sandbox = sandbox::start(Options {
            scene: Scene { password: PASSWORD.into(), ..scene },
            seed: 7,
            dialect: dialect.clone(),
            clock: Arc::new(move || Moment(hands.now().wall.0)),
            ..Options::default()
        });
        let sandbox = sandbox.await.unwrap();
        let tap = Tap::before(&sandbox).await;
        let dir = Arc::new(tempfile::tempdir().unwrap());
        let hands = clock.clone();
        let props = Props {
            forward: Box::new(move |span| hands.forward(span)),
            journals: Some(dir.path().to_owned()),
            script,
            lang,
            keys: Arc::new(Keymap::from_table(&built_in_keys()).unwrap()),
            dialect,
            login: demo::login_fields(&demo::contract_in(preset)),
        };
        let control = sandbox.control();
        let mut stage = demo::DemoSandbox::on(sandbox, props);
        if let Some(held) = held {
            stage.share(held).unwrap();
        }
        Shop {
            leftovers: Searched::of(control.clone(), &dir),
            state: dir.path().to_owned(),
            dir,
            clock,
            control,
            stage: Arc::new(stage),
            vault: VaultHandle::memory(),
            base_url: tap.base_url.clone(),
            tap,
            size: (80, 24),
            limits: Limits { total: LIMIT, ..Limits::default() },
            is_demo: true,
            links: LinkSettings::default(),
            journal_name: "journal",
            profile: "demo",
            lang,
            has_past: false,
            contract: at_once(Contract::built_in()),
        }
    }

    /// The same where a resend waits as it does at a seller's; else nobody has to in a story.
    pub fn waiting(mut self) -> Shop {
        self.contract.withdrawal.resend_after = Contract::built_in().withdrawal.resend_after;
        self
    }

    /// The same on the computer of another one: its files, its keyring, its clock.
    pub fn on_the_computer_of(mut self, other: &Shop) -> Shop {
        self.leftovers.add_dir(&other.dir);
        (self.dir, self.vault, self.clock) =
            (other.dir.clone(), other.vault.clone(), other.clock.clone());
        self.state.clone_from(&other.state);
        self
    }

    /// The same without the tap: the counter speaks to the sandbox's own port.
    pub fn untapped(mut self) -> Shop {
        self.base_url.clone_from(&self.stage.base_url);
        self
    }

    pub fn journal_dir(&self) -> PathBuf {
        self.state.join(self.journal_name)
    }

    /// Where the counter has its configuration.
    pub fn config(&self) -> PathBuf {
        self.dir.path().join("config")
    }

    /// The journal as the counter finds it: the live one, or one under another name.
    pub fn location(&self) -> JournalLocation {
        let live = LiveJournal::new(&Dirs { config: self.config(), state: self.state.clone() });
        match live.dir() == self.journal_dir() {
            true => JournalLocation::live(live, self.vault.clone()),
            false => JournalLocation::fixed(&self.journal_dir(), self.vault.clone()),
        }
    }

    /// Where receipts are saved.
    pub fn receipts(&self) -> PathBuf {
        self.dir.path().join("receipts")
    }

    /// Has the next withdrawal meet this.
    pub fn next_withdrawal(&self, fault: Fault) {
        self.control.arm(fault, BankOperation::Withdrawal, Times::Next(1)).unwrap();
    }

    /// What the service did.
    pub fn ledger(&self) -> Ledger {
        self.control.ledger()
    }

    /// The withdrawals as another window of the program would read them.
    pub fn journal(&self) -> Vec<Withdrawal> {
        let mut journal = MoneyJournal::open(&self.journal_dir(), OsDisk, false).unwrap();
        journal.verify().unwrap();
        journal.page(None, "", 0, 100).unwrap().rows.to_vec()
    }

    pub fn links(&self) -> Vec<PaymentLink> {
        self.history().links("", PagePlace::Top, 100).unwrap().rows.to_vec()
    }

    pub fn charges(&self) -> Vec<Charge> {
        self.history().charges("", PagePlace::Top, 100).unwrap().rows.to_vec()
    }

    fn history(&self) -> History {
        History::open(&self.journal_dir(), self.clock.now().wall).unwrap().0
    }

    /// The name of a withdrawal's state now.
    pub fn state(&self, withdrawal: &Withdrawal) -> &'static str {
        let window = balcao::service::window(&self.contract, &self.limits);
        withdrawal.state(&self.clock.now(), &window, false).name()
    }

    /// The one withdrawal of a story.
    pub fn only_withdrawal(&self) -> Withdrawal {
        let all = self.journal();
        assert_eq!(all.len(), 1, "{all:#?}");
        all.into_iter().next().unwrap()
    }

    /// At most one payout, with the journal's own key and bytes; and whether there was one.
    pub fn paid_once_or_never(&self) -> bool {
        let (ledger, one) = (self.ledger(), self.only_withdrawal());
        for request in &ledger.requests {
            assert_eq!(request.key.as_deref(), Some(&*one.agreement.key_header));
            assert_eq!(request.body.0, one.agreement.body.as_bytes());
        }
        match ledger.payouts.as_slice() {
            [] => false,
            [payout] => {
                assert_eq!(payout.key, *one.agreement.key_header);
                assert_eq!(payout.body.0, one.agreement.body.as_bytes());
                true
            }
            many => panic!("paid {} times: {many:#?}", many.len()),
        }
    }
}

/// A clock that runs as the machine's does, and can be moved or stopped.
#[derive(Clone)]
pub struct ShopClock(Arc<Mutex<Face>>);

struct Face {
    shown: Clocks,
    /// Since when it runs on from there; `None` when it is stopped.
    running: Option<Instant>,
}

impl ShopClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock of the stories")]
    fn new() -> ShopClock {
        let shown = Clocks { wall: NOON, boot_ms: 3_600_000, boot_id: "a start".into() };
        ShopClock(Arc::new(Mutex::new(Face { shown, running: Some(Instant::now()) })))
    }

    /// Moves all clocks on.
    pub fn forward(&self, span: Duration) {
        let mut face = self.0.lock().unwrap();
        face.shown.wall = face.shown.wall.plus(span);
        face.shown.boot_ms += u64::try_from(span.as_millis()).unwrap();
    }

    pub fn forward_ms(&self, ms: u64) {
        self.forward(Duration::from_millis(ms));
    }

    /// From now on it only moves when it is moved.
    pub fn stop(&self) {
        let shown = self.now();
        *self.0.lock().unwrap() = Face { shown, running: None };
    }

    /// The same for as long as what is given back is held: what is done meanwhile takes no time.
    pub fn stop_for_a_while(&self) -> StandsStill {
        let was_running = self.0.lock().unwrap().running.is_some();
        self.stop();
        StandsStill(was_running.then(|| self.clone()))
    }
}

/// A clock that runs on when this is dropped, if it ran before.
pub struct StandsStill(Option<ShopClock>);

impl Drop for StandsStill {
    #[expect(clippy::disallowed_methods, reason = "this is the clock of the stories")]
    fn drop(&mut self) {
        if let Some(clock) = &self.0 {
            clock.0.lock().unwrap().running = Some(Instant::now());
        }
    }
}

impl Clock for ShopClock {
    fn now(&self) -> Clocks {
        let face = self.0.lock().unwrap();
        let passed = face.running.map_or(Duration::ZERO, |since| since.elapsed());
        let mut now = face.shown.clone();
        now.wall = now.wall.plus(passed);
        now.boot_ms += u64::try_from(passed.as_millis()).unwrap();
        now
    }
}

/// The demo's stage, which outlives the counter.
pub struct Shared(pub Arc<demo::DemoSandbox>);

impl world::DemoBackend for Shared {
    fn jwt(&self) -> Option<Secret> {
        world::DemoBackend::jwt(&*self.0)
    }

    fn grant(&self, command: &Command, inbox: &Inbox) -> bool {
        world::DemoBackend::grant(&*self.0, command, inbox)
    }

    fn anew(&self, origin: &Origin, now: Wall) -> Option<world::FreshDemo> {
        world::DemoBackend::anew(&*self.0, origin, now)
    }

    fn seller_did(&self, what: SellerEvent) {
        world::DemoBackend::seller_did(&*self.0, what);
    }

    fn page(&self, url: &Untrusted, pay: bool) -> BuyerPage {
        world::DemoBackend::page(&*self.0, url, pay)
    }
}
