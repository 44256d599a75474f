//! The environment of a test: its directory, service, clock and vault. It stays the same when the
//! app is closed and opened again.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use balcao::app::ui::keys::Keymap;
use balcao::app::{Kiosk, LinkSettings};
use balcao::cashier::Clock;
use balcao::config::{Dirs, built_in_keys};
use balcao::contract::{AgreedAtStart, Contract, Preset};
use balcao::demo::{self, AutoplayPace, DemoConfig, Script};
use balcao::journal::history::History;
use balcao::journal::money::{Files, MoneyJournal};
use balcao::runtime::Recorder;
use balcao::runtime::journal_location::{JournalLocation, LiveJournal};
use balcao::sandbox::{
    self, BankOperation, Control, Dialect, Fault, Ledger, Moment, Options, Scene, ShareAddress,
    ShareSocket, Times,
};
use balcao::service::{BaseUrl, Limits};
use balcao::trade::{
    Charge, ChargeRequest, Clocks, LinkRequest, PagePosition, PaymentLink, Wall, Withdrawal,
};
use balcao::vault::VaultHandle;
use balcao::words::Lang;

use crate::app::LIMIT;
use crate::leftovers::LeftoverGuard;
use crate::tap::RecordingProxy;

/// The time at which every test starts: 21 November 2026, 12:00 in São Paulo.
const NOON: Wall = Wall(1_795_273_200_000);

/// The seller's password. Its quotation mark, space and non-ASCII letter are encoded differently in
/// JSON and in URLs, so searches for the password must find all of these forms.
pub const PASSWORD: &str = "canary/7Qx+\"4410 ç";

/// Removes the wait before a withdrawal with an unknown outcome can be sent again.
fn allow_immediate_resend(mut contract: Contract) -> Contract {
    contract.withdrawal.resend_after = Duration::ZERO;
    contract
}

/// The environment in which a test runs the app: directory, service, clock and vault.
pub struct TestEnv {
    pub dir: Arc<tempfile::TempDir>,
    /// The files and outputs of the app. They are searched for secrets when the test ends.
    pub leftovers: LeftoverGuard,
    pub clock: TestClock,
    pub control: Control,
    pub demo_sandbox: Arc<demo::DemoSandbox>,
    pub vault: VaultHandle,
    pub proxy: RecordingProxy,
    /// The base URL that the app uses for the service.
    pub base_url: String,
    pub size: (u16, u16),
    pub limits: Limits,
    pub profile: &'static str,
    pub contract: Contract,
    /// The settings that the seller chose in this start of the app.
    pub agreed_at_start: AgreedAtStart,
    /// True if the app runs as a demo. A demo has its own sandbox, and its login form is already
    /// filled in.
    pub is_demo: bool,
    /// The settings of the kiosk, or `None` if the demo is not a kiosk.
    pub kiosk: Option<Kiosk>,
    /// The seller's settings for payment links.
    pub links: LinkSettings,
    pub journal_name: &'static str,
    /// The state directory, which contains the journal's directory.
    pub state_dir: PathBuf,
    pub lang: Lang,
    /// True if the journal and the history contain the demo's example data at the start.
    pub has_example_data: bool,
    /// True if the service must prove that it is a sandbox, as it must outside of tests. The app
    /// uses the live journal if there is no proof.
    pub requires_sandbox_proof: bool,
    /// Records the screens of the app.
    pub recorder: Recorder,
}

/// The sandbox of a test environment, and the demo that uses the sandbox.
struct SandboxSetup {
    lang: Lang,
    scene: Scene,
    script: Script,
    /// The socket at which the sandbox can also be reached from the network, if any.
    socket: Option<ShareSocket>,
    dialect: Dialect,
    /// The API contract whose login form the demo fills in.
    contract: Contract,
}

impl Default for SandboxSetup {
    fn default() -> SandboxSetup {
        SandboxSetup {
            lang: Lang::Pt,
            scene: Scene::default(),
            script: Script::built_in(),
            socket: None,
            dialect: Dialect::default(),
            contract: demo::contract(),
        }
    }
}

impl TestEnv {
    /// Creates an environment with the demo's sandbox. A proxy in front of the sandbox records
    /// every byte that the app sends.
    pub async fn new() -> TestEnv {
        TestEnv::with_scene(Scene::default()).await
    }

    pub async fn with_scene(scene: Scene) -> TestEnv {
        TestEnv::with_sandbox(SandboxSetup {
            scene,
            ..SandboxSetup::default()
        })
        .await
    }

    /// Creates an environment with the demo's API contract. This script is its guided story.
    pub async fn with_script(script: &str) -> TestEnv {
        let script = Script::of_file(script).unwrap();
        let env = TestEnv::with_sandbox(SandboxSetup {
            script,
            ..SandboxSetup::default()
        })
        .await;
        TestEnv {
            contract: allow_immediate_resend(demo::contract()),
            ..env
        }
    }

    /// Creates a real demo in this language, with its example data and its guided story.
    pub async fn full_demo(lang: Lang) -> TestEnv {
        let env = TestEnv::with_sandbox(SandboxSetup {
            lang,
            ..SandboxSetup::default()
        })
        .await;
        TestEnv {
            contract: allow_immediate_resend(demo::contract()),
            has_example_data: true,
            ..env
        }
    }

    /// Creates the environment of a kiosk. While no visitor uses the kiosk, it plays the script by
    /// itself at this pace.
    pub async fn kiosk(script: &str, autoplay_pace: AutoplayPace) -> TestEnv {
        let mut env = TestEnv::with_script(script).await;
        Arc::get_mut(&mut env.demo_sandbox).unwrap().autoplay_pace = autoplay_pace;
        TestEnv {
            kiosk: Some(Kiosk { for_room: true }),
            ..env
        }
    }

    /// Creates an environment with a sandbox that can also be reached at this network address.
    pub async fn shared_at(address: &str) -> TestEnv {
        let address = ShareAddress::parse(address).unwrap();
        let socket = Some(demo::reserve_share_port(address, None).unwrap());
        TestEnv::with_sandbox(SandboxSetup {
            socket,
            ..SandboxSetup::default()
        })
        .await
    }

    /// Creates an environment in which the sandbox and the API contract both use the API dialect of
    /// this preset.
    pub async fn with_dialect(preset: Option<Preset>) -> TestEnv {
        let dialect = preset
            .map(|preset| Dialect::named(preset.name).unwrap())
            .unwrap_or_default();
        let contract = demo::contract_in(preset);
        let setup = SandboxSetup {
            dialect,
            contract: contract.clone(),
            ..SandboxSetup::default()
        };
        let env = TestEnv::with_sandbox(setup).await;
        TestEnv {
            contract: allow_immediate_resend(contract),
            ..env
        }
    }

    /// Creates an environment with a live service that uses this API dialect. The app uses the
    /// built-in API contract, and knows no credentials.
    pub async fn with_service(dialect: Dialect, scene: Scene) -> TestEnv {
        let setup = SandboxSetup {
            dialect,
            scene,
            ..SandboxSetup::default()
        };
        let env = TestEnv::with_sandbox(setup).await;
        TestEnv {
            is_demo: false,
            requires_sandbox_proof: true,
            ..env
        }
    }

    async fn with_sandbox(setup: SandboxSetup) -> TestEnv {
        let SandboxSetup {
            lang,
            scene,
            script,
            socket,
            dialect,
            contract,
        } = setup;
        let clock = TestClock::new();
        let sandbox_clock = clock.clone();
        let sandbox = sandbox::start(Options {
            scene: Scene {
                password: PASSWORD.into(),
                ..scene
            },
            seed: 7,
            dialect: dialect.clone(),
            clock: Arc::new(move || Moment(sandbox_clock.now().wall.0)),
            ..Options::default()
        });
        let sandbox = sandbox.await.unwrap();
        let proxy = RecordingProxy::in_front_of(&sandbox).await;
        let dir = Arc::new(tempfile::tempdir().unwrap());
        let demo_clock = clock.clone();
        let demo_config = DemoConfig {
            advance_clock: Box::new(move |span| demo_clock.advance(span)),
            journals: Some(dir.path().to_owned()),
            script,
            keys: Arc::new(Keymap::from_table(&built_in_keys()).unwrap()),
            dialect,
            show_keys: false,
            login: demo::login_fields(&contract),
            kiosk: None,
        };
        let control = sandbox.control();
        let mut demo_sandbox = demo::DemoSandbox::on(sandbox, demo_config);
        if let Some(socket) = socket {
            demo_sandbox.share(socket).unwrap();
        }
        TestEnv {
            leftovers: LeftoverGuard::of(control.clone(), &dir),
            state_dir: dir.path().to_owned(),
            dir,
            clock,
            control,
            demo_sandbox: Arc::new(demo_sandbox),
            vault: VaultHandle::memory(),
            base_url: proxy.base_url.clone(),
            proxy,
            size: (80, 24),
            limits: Limits {
                request_timeout: LIMIT,
                ..Limits::default()
            },
            is_demo: true,
            kiosk: None,
            links: LinkSettings::default(),
            journal_name: "journal",
            profile: "demo",
            lang,
            has_example_data: false,
            requires_sandbox_proof: false,
            recorder: Recorder::new(PathBuf::default(), None),
            contract: allow_immediate_resend(Contract::built_in()),
            agreed_at_start: AgreedAtStart::Nothing,
        }
    }

    /// Restores the usual wait before a withdrawal can be sent again. Tests run without this wait
    /// by default.
    pub fn with_resend_wait(mut self) -> TestEnv {
        self.contract.withdrawal.resend_after = Contract::built_in().withdrawal.resend_after;
        self
    }

    /// Shares the files, the keyring and the clock with another environment, as if this was a
    /// second account on the same computer.
    pub fn sharing_computer_with(mut self, other: &TestEnv) -> TestEnv {
        self.leftovers.add_dir(&other.dir);
        (self.dir, self.vault, self.clock) =
            (other.dir.clone(), other.vault.clone(), other.clock.clone());
        self.state_dir.clone_from(&other.state_dir);
        self
    }

    /// Connects the app directly to the sandbox, so that no proxy records its requests.
    pub fn without_proxy(mut self) -> TestEnv {
        self.base_url.clone_from(&self.demo_sandbox.base_url);
        self
    }

    pub fn journal_dir(&self) -> PathBuf {
        self.state_dir.join(self.journal_name)
    }

    pub fn config_dir(&self) -> PathBuf {
        self.dir.path().join("config")
    }

    /// Returns the location of the journal. This is the live journal if the test uses the default
    /// directory, and otherwise the test's own directory.
    pub fn location(&self) -> JournalLocation {
        let dirs = Dirs {
            config: self.config_dir(),
            state: self.state_dir.clone(),
        };
        if self.requires_sandbox_proof {
            let base = BaseUrl::parse(&self.base_url).unwrap();
            return JournalLocation::for_service(&base, &dirs, self.vault.clone(), None);
        }
        let live = LiveJournal::new(&dirs);
        if live.dir() == self.journal_dir() {
            JournalLocation::live(live, self.vault.clone())
        } else {
            JournalLocation::fixed(Files::new(self.journal_dir()), self.vault.clone())
        }
    }

    pub fn receipts_dir(&self) -> PathBuf {
        self.dir.path().join("receipts")
    }

    /// Makes the sandbox apply this fault to the next withdrawal that the app sends.
    pub fn inject_withdrawal_fault(&self, fault: Fault) {
        self.control
            .arm(fault, BankOperation::Withdrawal, Times::Next(1))
            .unwrap();
    }

    /// Returns the requests and payouts that the service has recorded.
    pub fn ledger(&self) -> Ledger {
        self.control.ledger()
    }

    /// Reads the withdrawals in the journal, as another instance of the app would do.
    pub fn withdrawals(&self) -> Vec<Withdrawal> {
        let mut journal = MoneyJournal::open(Files::new(self.journal_dir()), false).unwrap();
        journal.verify().unwrap();
        journal.page(None, "", 0, 100).unwrap().rows.to_vec()
    }

    pub fn links(&self) -> Vec<PaymentLink> {
        self.history()
            .sales::<LinkRequest>("", PagePosition::Top, 100)
            .unwrap()
            .rows
            .to_vec()
    }

    pub fn charges(&self) -> Vec<Charge> {
        self.history()
            .sales::<ChargeRequest>("", PagePosition::Top, 100)
            .unwrap()
            .rows
            .to_vec()
    }

    fn history(&self) -> History {
        History::open(&self.journal_dir(), self.clock.now().wall)
            .unwrap()
            .0
    }

    pub fn state_name(&self, withdrawal: &Withdrawal) -> &'static str {
        let window = balcao::service::window(&self.contract, &self.limits);
        withdrawal.state(&self.clock.now(), &window, false).name()
    }

    /// Returns the only withdrawal in the journal. Panics if there is not exactly one.
    pub fn only_withdrawal(&self) -> Withdrawal {
        let withdrawals = self.withdrawals();
        assert_eq!(withdrawals.len(), 1, "{withdrawals:#?}");
        withdrawals.into_iter().next().unwrap()
    }

    /// Returns true if there was one payout, and false if there was no payout. Panics if there were
    /// several, or if the idempotency key or body of a request differs from the journal's.
    pub fn is_paid_once(&self) -> bool {
        let ledger = self.ledger();
        let withdrawal = self.only_withdrawal();
        for request in &ledger.requests {
            assert_eq!(
                request.key.as_deref(),
                Some(&*withdrawal.agreement.key_header)
            );
            assert_eq!(request.body.0, withdrawal.agreement.body.as_bytes());
        }
        match ledger.payouts.as_slice() {
            [] => false,
            [payout] => {
                assert_eq!(payout.key, *withdrawal.agreement.key_header);
                assert_eq!(payout.body.0, withdrawal.agreement.body.as_bytes());
                true
            }
            many => panic!("paid {} times: {many:#?}", many.len()),
        }
    }
}

/// A clock that runs at normal speed. A test can also stop it, or move it forward.
#[derive(Clone)]
pub struct TestClock(Arc<Mutex<ClockState>>);

struct ClockState {
    time: Clocks,
    /// The real time at which the clock was started last, or `None` while the clock is stopped.
    running_since: Option<Instant>,
}

impl TestClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock of the stories"
    )]
    fn new() -> TestClock {
        let time = Clocks {
            wall: NOON,
            boot_ms: 3_600_000,
            boot_id: "a start".into(),
        };
        TestClock(Arc::new(Mutex::new(ClockState {
            time,
            running_since: Some(Instant::now()),
        })))
    }

    /// Moves both clocks (the wall clock and the boot clock) forward.
    pub fn advance(&self, span: Duration) {
        let mut state = self.0.lock().unwrap();
        state.time.wall = state.time.wall.plus(span);
        state.time.boot_ms += u64::try_from(span.as_millis()).unwrap();
    }

    pub fn advance_ms(&self, ms: u64) {
        self.advance(Duration::from_millis(ms));
    }

    /// Stops the clock. Only the test can move it then.
    pub fn stop(&self) {
        let time = self.now();
        *self.0.lock().unwrap() = ClockState {
            time,
            running_since: None,
        };
    }

    /// Stops the clock until the returned guard is dropped.
    pub fn pause(&self) -> ClockPause {
        let was_running = self.0.lock().unwrap().running_since.is_some();
        self.stop();
        ClockPause(was_running.then(|| self.clone()))
    }
}

/// A guard that starts the clock again when it is dropped. Does nothing if the clock was already
/// stopped before the pause.
pub struct ClockPause(Option<TestClock>);

impl Drop for ClockPause {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock of the stories"
    )]
    fn drop(&mut self) {
        if let Some(clock) = &self.0 {
            clock.0.lock().unwrap().running_since = Some(Instant::now());
        }
    }
}

impl Clock for TestClock {
    fn now(&self) -> Clocks {
        let state = self.0.lock().unwrap();
        let passed = state
            .running_since
            .map_or(Duration::ZERO, |since| since.elapsed());
        let mut now = state.time.clone();
        now.wall = now.wall.plus(passed);
        now.boot_ms += u64::try_from(passed.as_millis()).unwrap();
        now
    }
}
