//! Runs the whole app inside a test, and simulates the app's user.

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use balcao::app::store::commands;
use balcao::app::store::frame_snapshot::FOCUS_MS;
use balcao::app::store::typed_text::QUIET_MS;
use balcao::app::ui::keys::Keymap;
use balcao::app::{DemoSetup, Effect, Model, MoneyCommand, Msg, Setup, Size};
use balcao::cashier::Clock;
use balcao::config::built_in_keys;
use balcao::contract::{AgreedAtStart, Contract};
use balcao::demo;
use balcao::journal::money::Files;
use balcao::locked::Locked;
use balcao::runtime::Recorder;
use balcao::runtime::display_environment::DisplayEnvironment;
use balcao::runtime::doctor::Examiner;
use balcao::runtime::journal_location::JournalLocation;
use balcao::runtime::log::{Level, Log};
use balcao::runtime::world::{DemoBackend, RealWorld, Stores};
use balcao::runtime::world_builder::WorldBuilder;
use balcao::runtime::{
    self, EffectHandler, ExitReason, FrameRecord, INBOX_CAPACITY, Inbox, LoopParts, SecretFields,
    Surface,
};
use balcao::service::{self, BaseUrl, Limits, NetworkSettings};
use balcao::trade::Operation;
use balcao::trade::checkup::VaultSource;
use balcao::vault::VaultHandle;
use balcao::view::Theme;
use balcao::words::Catalogue;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::exports::assert_export_is_clean;
use crate::leftovers::Leftovers;
use crate::screen_recorder::{Frame, InputStream, ScreenRecorder};
use crate::test_env::{PASSWORD, TestClock, TestEnv};

/// The time limit for every wait in these tests.
pub const LIMIT: Duration = Duration::from_secs(60);

/// The number of steps into which the wait of [`App::wait_for_localized_within`] is split.
const WAIT_STEPS: u32 = 60;

const UTC_OFFSET_S: i32 = -3 * 60 * 60;

/// The running app, with a record of the frames that it has drawn, the messages that it has
/// received and the effects that it has requested.
pub struct App {
    input: mpsc::Sender<Event>,
    sent_events: u64,
    frames: watch::Receiver<Frame>,
    effects: Arc<Mutex<Vec<Effect>>>,
    messages: watch::Receiver<Vec<String>>,
    to_terminal: Arc<Mutex<Vec<u8>>>,
    stores: Arc<Mutex<Stores>>,
    leftovers: Arc<Leftovers>,
    pub words: &'static Catalogue,
    pub clock: TestClock,
    run: JoinHandle<(Model, std::io::Result<ExitReason>)>,
}

impl TestEnv {
    /// Opens the app and logs in.
    pub async fn open_logged_in(&self) -> App {
        let mut app = self.open().await;
        app.log_in().await;
        app
    }

    /// Opens the app, logs in, and returns the environment together with the app.
    pub async fn into_logged_in(self) -> (TestEnv, App) {
        let app = self.open_logged_in().await;
        (self, app)
    }

    /// Opens the app, and waits until the app has loaded its data.
    pub async fn open(&self) -> App {
        let base = BaseUrl::parse(&self.base_url).unwrap();
        let size = Size {
            columns: self.size.0,
            rows: self.size.1,
        };
        let mut model = Model::new(self.setup(&base), size, self.clock.now());
        let now = self.clock.now().wall;
        if self.is_demo {
            self.demo_sandbox.keep_jwt(&self.vault, &base, now).await;
        }
        let effects = Arc::new(Mutex::new(Vec::new()));
        let to_terminal = Arc::new(Mutex::new(Vec::new()));
        let handled = Arc::new(AtomicU64::new(0));
        let (recorder, messages) = watch::channel(Vec::new());
        let (screen_recorder, frames) =
            ScreenRecorder::new(self.size, handled.clone(), self.leftovers.shared());
        let run_parts = self.run_parts(base, to_terminal.clone(), recorder, effects.clone());
        let mut run = run_parts.build(self.location(), self.has_example_data);
        let mut startup_messages = run.world.world.startup_messages();
        run_parts.recorder.send_modify(|texts| {
            texts.extend(startup_messages.iter().map(|msg| format!("{msg:?}")));
        });
        let stores = Arc::new(Mutex::new(run.stores.clone()));
        let run_stores = stores.clone();
        run_parts.screens.begin_run(&model, run.sender.clone());
        let (input, events) = mpsc::channel(INBOX_CAPACITY);
        let mut input_stream = InputStream::new(events, handled);
        let run = tokio::spawn(async move {
            let mut number = 1;
            loop {
                let parts = LoopParts {
                    front_end: Box::new(Surface::new(screen_recorder.clone(), size)),
                    input: &mut input_stream,
                    startup_messages: std::mem::take(&mut startup_messages),
                    workers: Handle::current(),
                    world: run.world,
                    inbox: run.inbox,
                    clock: Box::new(run_parts.clock.clone()),
                    theme: watch::channel(Arc::default()).1,
                    frame_record: FrameRecord::default(),
                    recorder: run_parts.screens.clone(),
                    log: run_parts.log.clone(),
                };
                let ended = runtime::run(&mut model, parts).await;
                if !model.starts_over {
                    return (model, ended);
                }
                number += 1;
                let journal = run_parts.start_over(run.stores, number).await;
                run = run_parts.build(journal, true);
                *run_stores.lock().unwrap() = run.stores.clone();
                let next = Model::new(model.setup.clone(), size, run_parts.clock.now());
                let previous = std::mem::replace(&mut model, next);
                model.start_over_after(previous);
            }
        });
        let words = Catalogue::of(self.lang);
        let clock = self.clock.clone();
        let mut app = App {
            input,
            sent_events: 0,
            frames,
            effects,
            messages,
            to_terminal,
            stores,
            leftovers: self.leftovers.shared(),
            words,
            clock,
            run,
        };
        app.wait_for_message("CredentialsRead").await;
        app.wait_for_message("WithdrawalsLoaded").await;
        app.wait_for_message("LinksLoaded").await;
        app
    }

    fn run_parts(
        &self,
        base: BaseUrl,
        to_terminal: Arc<Mutex<Vec<u8>>>,
        recorder: watch::Sender<Vec<String>>,
        effects: Arc<Mutex<Vec<Effect>>>,
    ) -> RunParts {
        RunParts {
            base,
            profile: self.profile,
            contract: Arc::new(self.contract.clone()),
            agreed_at_start: self.agreed_at_start,
            limits: self.limits.clone(),
            vault: self.vault.clone(),
            clock: self.clock.clone(),
            demo_sandbox: self.demo_sandbox.clone(),
            is_demo: self.is_demo,
            state_dir: self.state_dir.clone(),
            receipts_dir: self.receipts_dir(),
            config: self.dir.path().join("config.toml"),
            leftovers: self.leftovers.shared(),
            to_terminal,
            recorder: Arc::new(recorder),
            screens: self.recorder.clone(),
            effects,
            log: Log::new(Level::Debug, &self.state_dir, DisplayEnvironment::default()),
        }
    }

    fn setup(&self, base: &BaseUrl) -> Setup {
        let faults: Vec<&str> = if self.is_demo {
            demo::FAULTS.iter().map(|(name, _)| *name).collect()
        } else {
            vec![]
        };
        let window = service::agreed_window(&self.contract, None, &self.limits);
        let keys = Arc::new(Keymap::from_table(&built_in_keys()).unwrap());
        Setup {
            profile: self.profile.into(),
            base_url: base.as_str().into(),
            origin: base.origin().clone(),
            title: self.demo_sandbox.title.as_str().into(),
            journal: self.journal_dir().display().to_string().into(),
            sandbox: true,
            this_machine: true,
            demo: self.is_demo.then(|| DemoSetup {
                kiosk: self.kiosk,
                ..self.demo_sandbox.setup()
            }),
            labels: commands::items(self.lang, &faults, &Theme::NAMES)
                .into_iter()
                .collect(),
            links: self.links.clone(),
            lang: self.lang,
            utc_offset_s: UTC_OFFSET_S,
            ..Setup::new(self.contract.clone(), window, keys)
        }
    }
}

/// The parts of the environment that each run of the app needs.
struct RunParts {
    base: BaseUrl,
    profile: &'static str,
    contract: Arc<Contract>,
    agreed_at_start: AgreedAtStart,
    limits: Limits,
    vault: VaultHandle,
    clock: TestClock,
    demo_sandbox: Arc<demo::DemoSandbox>,
    is_demo: bool,
    state_dir: PathBuf,
    receipts_dir: PathBuf,
    config: PathBuf,
    leftovers: Arc<Leftovers>,
    to_terminal: Arc<Mutex<Vec<u8>>>,
    recorder: MessageRecorder,
    screens: Recorder,
    effects: Arc<Mutex<Vec<Effect>>>,
    /// Writes everything to the state directory, in which the test then searches for secrets.
    log: Log,
}

/// A run of the app that is ready to begin.
struct PreparedRun {
    world: EffectRecorder,
    stores: Stores,
    sender: Inbox,
    inbox: mpsc::Receiver<Msg>,
}

impl RunParts {
    /// Builds the effect handler for a run, which uses the sandbox that keeps running.
    fn build(&self, journal: JournalLocation, has_example_data: bool) -> PreparedRun {
        let (sender, inbox) = recorded_inbox(self.leftovers.clone(), self.recorder.clone());
        let inbox_in = Inbox::new(sender);
        let mut secrets = SecretFields::default();
        if self.is_demo {
            self.demo_sandbox.fill(&mut secrets);
            self.demo_sandbox.listen(inbox_in.clone());
        }
        let now = self.clock.now().wall;
        let origin = self.base.origin();
        let seed_history = has_example_data.then(|| {
            journal.set_seed(self.demo_sandbox.example_withdrawals(origin, now));
            self.demo_sandbox.example_history(origin, now)
        });
        let leftovers = self.leftovers.clone();
        let to_terminal = self.to_terminal.clone();
        let builder = WorldBuilder {
            profile: self.profile.into(),
            base: self.base.clone(),
            contract: self.contract.clone(),
            agreed_at_start: self.agreed_at_start,
            profile_contract: None,
            limits: self.limits.clone(),
            network: NetworkSettings::default(),
            journal: Arc::new(journal),
            seed_history,
            state_dir: None,
            vault: Arc::new(Locked::new(self.vault.clone())),
            examiner: Examiner {
                vault_source: VaultSource::Demo,
                ..Examiner::default()
            },
            clock: Arc::new(self.clock.clone()),
            advance_clock: None,
            display: DisplayEnvironment::default(),
            to_terminal: Box::new(move |bytes| {
                leftovers.add("the terminal", String::from_utf8_lossy(bytes));
                to_terminal.lock().unwrap().extend(bytes);
            }),
            demo: self
                .is_demo
                .then(|| self.demo_sandbox.clone() as Arc<dyn DemoBackend>),
            secrets,
            utc_offset_s: UTC_OFFSET_S,
            receipts_dir: self.receipts_dir.clone(),
            stores_requests: true,
            config: self.config.clone(),
            switch_theme: Box::new(|_| ()),
            open_profile: None,
            log: self.log.clone(),
        };
        let (world, stores) = builder.build(inbox_in.clone());
        let effects = self.effects.clone();
        let leftovers = self.leftovers.clone();
        PreparedRun {
            world: EffectRecorder {
                world,
                effects,
                leftovers,
            },
            stores,
            sender: inbox_in,
            inbox,
        }
    }

    /// Closes the stores of the previous run and resets the sandbox, as the program does when the
    /// demo starts over. Returns the location of the new journal.
    async fn start_over(&self, stores: Stores, number: u32) -> JournalLocation {
        let close = move || {
            assert!(
                stores.money.wait_for_attempts(LIMIT),
                "an attempt is still in flight"
            );
            stores.close();
        };
        tokio::task::spawn_blocking(close).await.unwrap();
        self.demo_sandbox.start_over().unwrap();
        let dir = self.state_dir.join(format!("journal-{number}"));
        JournalLocation::fixed(Files::temporary(dir), self.vault.clone())
    }
}

/// Creates the channel through which messages reach the app. Every message is also recorded as
/// text.
fn recorded_inbox(
    leftovers: Arc<Leftovers>,
    recorder: MessageRecorder,
) -> (mpsc::Sender<Msg>, mpsc::Receiver<Msg>) {
    let (sender, mut original_inbox) = mpsc::channel::<Msg>(INBOX_CAPACITY);
    let (forward, inbox) = mpsc::channel(INBOX_CAPACITY);
    tokio::spawn(async move {
        while let Some(msg) = original_inbox.recv().await {
            let text = match &msg {
                // The stories wait for a payment link or a direct payment.
                Msg::SaleMade {
                    operation: Operation::CreateLink,
                    ..
                } => {
                    format!("LinkMade {msg:?}")
                }
                Msg::SaleMade { .. } => format!("ChargeMade {msg:?}"),
                _ => format!("{msg:?}"),
            };
            leftovers.add("a message", &*text);
            if forward.send(msg).await.is_err() {
                return;
            }
            recorder.send_modify(|texts| texts.push(text));
        }
    });
    (sender, inbox)
}

type MessageRecorder = Arc<watch::Sender<Vec<String>>>;

/// Performs effects with the app's real effect handler. Records each effect.
struct EffectRecorder {
    world: RealWorld,
    effects: Arc<Mutex<Vec<Effect>>>,
    leftovers: Arc<Leftovers>,
}

impl EffectHandler for EffectRecorder {
    fn perform(&mut self, effect: Effect) {
        self.leftovers.add("an effect", format!("{effect:?}"));
        self.effects.lock().unwrap().push(effect.clone());
        self.world.perform(effect);
    }

    fn secrets(&mut self) -> &mut SecretFields {
        self.world.secrets()
    }
}

/// The actions of the simulated user, who presses keys, types text and runs palette commands.
impl App {
    /// Sends an input event to the app. Waits until the app has handled it and has drawn a frame.
    pub async fn send_event(&mut self, event: Event) {
        self.input.try_send(event).expect("the counter is open");
        self.sent_events += 1;
        let sent_events = self.sent_events;
        self.wait_until("the key is done with", move |frame| {
            frame.handled >= sent_events
        })
        .await;
    }

    /// Presses several keys, such as `Tab Enter`. Their names are separated by spaces, and are
    /// written as in `keys.toml`.
    pub async fn press(&mut self, keys: &str) {
        for key in keys.split(' ') {
            // Enter does nothing until the focused button has been visible for `FOCUS_MS`. Wait
            // until the button is drawn, and then advance the clock. After typed text, the screen
            // says that the button needs a longer pause.
            if key == "Enter" {
                self.settle().await;
                let awaits_quiet = self.shows(&self.words.text("said-text-typed"));
                self.clock
                    .advance_ms(if awaits_quiet { QUIET_MS } else { FOCUS_MS });
            }
            self.send_event(Event::Key(key_event(key))).await;
        }
    }

    /// Presses keys without waiting until the app has handled each key.
    pub async fn press_rapidly(&mut self, keys: &[&str]) {
        for key in keys {
            self.press_without_waiting(key);
        }
        self.settle().await;
    }

    pub fn press_without_waiting(&mut self, key: &str) {
        self.input
            .try_send(Event::Key(key_event(key)))
            .expect("the counter is open");
        self.sent_events += 1;
    }

    /// Types the seller's e-mail address and password, and waits until the login has succeeded.
    pub async fn type_login(&mut self) {
        self.submit_login().await;
        self.wait_for_localized("said-logged-in").await;
    }

    /// Types the seller's e-mail address and password, and submits them.
    pub async fn submit_login(&mut self) {
        self.wait_for("Só quer olhar?").await;
        self.type_text("ana@loja-da-ana.example").await;
        self.press("Enter").await;
        self.type_text(PASSWORD).await;
        self.press("Enter").await;
    }

    pub async fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            self.send_event(Event::Key(KeyEvent::new(
                KeyCode::Char(c),
                KeyModifiers::NONE,
            )))
            .await;
        }
    }

    pub async fn paste(&mut self, text: &str) {
        self.send_event(Event::Paste(text.to_owned())).await;
    }

    /// Opens the command palette, types `letters` into its search field, and runs the first command
    /// in the result.
    pub async fn run_command(&mut self, letters: &str) {
        self.press("Ctrl-K").await;
        self.type_text(letters).await;
        self.press("Enter").await;
    }

    /// Waits until the app has handled all earlier messages, and has drawn the result.
    ///
    /// Sends two events, because the app reads the clock after drawing a frame, and handles the
    /// second event only after that. The test can then advance the clock.
    pub async fn settle(&mut self) {
        self.send_event(Event::FocusGained).await;
        self.send_event(Event::FocusGained).await;
    }

    /// Logs in with the credentials that the demo has already filled into its login form.
    pub async fn log_in(&mut self) {
        self.wait_for_localized("login-title").await;
        // The list of domains is requested twice: at startup with the demo's JWT, and after the
        // login. Wait here for the first reply, and below for the second reply.
        self.wait_for_message("DomainsListed").await;
        let lists = self.message_count("DomainsListed");
        self.press("Enter").await;
        self.wait_for_localized("said-logged-in").await;
        self.wait_for_another_message("DomainsListed", lists).await;
    }
}

/// Functions that return or check the app's frames, messages and effects, or wait for them.
impl App {
    pub fn screen(&self) -> Frame {
        self.frames.borrow().clone()
    }

    pub fn shows(&self, text: &str) -> bool {
        self.screen().has(text)
    }

    #[track_caller]
    pub fn assert_shows(&self, text: &str) {
        assert!(self.shows(text), "no {text:?} in\n{}", self.screen().text());
    }

    #[track_caller]
    pub fn assert_shows_localized(&self, id: &str) {
        self.assert_shows(&self.words.text(id));
    }

    #[track_caller]
    pub fn assert_shows_no(&self, text: &str) {
        assert!(
            !self.shows(text),
            "there is {text:?} in\n{}",
            self.screen().text()
        );
    }

    pub async fn wait_for(&mut self, text: &str) {
        self.wait_until(text, |frame| frame.has(text)).await;
    }

    pub async fn wait_for_localized(&mut self, id: &str) {
        let text = self.words.text(id);
        self.wait_for(&text).await;
    }

    /// Waits for the notice that a text was copied through the terminal. `clip` is the id of the
    /// message that names this text, such as `clip-pix-code`.
    pub async fn wait_for_copy_notice(&mut self, clip: &str) {
        let what = self.words.text(clip);
        let text = self.words.with("said-copied-terminal", &[("what", &what)]);
        self.wait_for(&text).await;
    }

    /// Waits until the screen shows the localized text with this id. Returns false if this takes
    /// longer than the limit.
    ///
    /// The wait is split into small steps. Otherwise, a pause of the whole machine could use up the
    /// limit.
    pub async fn wait_for_localized_within(&mut self, id: &str, limit: Duration) -> bool {
        let text = self.words.text(id);
        for _ in 0..WAIT_STEPS {
            let shown = self.frames.wait_for(|frame| frame.has(&text));
            if tokio::time::timeout(limit / WAIT_STEPS, shown)
                .await
                .is_ok()
            {
                return true;
            }
        }
        self.wait_for(&text).await;
        false
    }

    pub async fn wait_until(&mut self, what: &str, test: impl Fn(&Frame) -> bool) {
        let result = tokio::time::timeout(LIMIT, self.frames.wait_for(|frame| test(frame))).await;
        match result.map(|frame| frame.map(|_| ())) {
            Ok(Ok(())) => {}
            Ok(Err(_)) => panic!("the counter closed while waiting for: {what}"),
            Err(_) => panic!("waited too long for: {what}\n{}", self.screen().text()),
        }
    }

    /// Returns how many messages with this name the app has received so far.
    pub fn message_count(&self, name: &str) -> usize {
        self.messages
            .borrow()
            .iter()
            .filter(|msg| msg.starts_with(name))
            .count()
    }

    /// Waits until the app has received a message with this name, and has drawn the result.
    pub async fn wait_for_message(&mut self, name: &str) {
        self.wait_for_another_message(name, 0).await;
    }

    /// Waits until the app has received more than `previous` messages with this name, and has drawn
    /// the result.
    pub async fn wait_for_another_message(&mut self, name: &str, previous: usize) {
        let has_more = |messages: &Vec<String>| {
            messages.iter().filter(|msg| msg.starts_with(name)).count() > previous
        };
        let is_received = tokio::time::timeout(LIMIT, self.messages.wait_for(has_more))
            .await
            .is_ok();
        assert!(
            is_received,
            "waited too long for {name}\n{}",
            self.screen().text()
        );
        self.settle().await;
    }

    /// Waits until the app has received a message with this name that contains `content`.
    pub async fn wait_for_message_with(&mut self, name: &str, content: &str) {
        let is_match = |msg: &String| msg.starts_with(name) && msg.contains(content);
        let received = self
            .messages
            .wait_for(|messages| messages.iter().any(is_match));
        let is_received = tokio::time::timeout(LIMIT, received).await.is_ok();
        assert!(
            is_received,
            "waited too long for {name} of {content}\n{}",
            self.screen().text()
        );
    }

    /// Waits until more than `previous` attempts to send a withdrawal have ended. This includes
    /// attempts whose result could not be stored.
    pub async fn wait_for_end_message(&mut self, previous: usize) {
        let is_end =
            |msg: &&String| msg.starts_with("Settled") || msg.starts_with("AttemptTrouble");
        let has_more = |messages: &Vec<String>| messages.iter().filter(is_end).count() > previous;
        let is_received = tokio::time::timeout(LIMIT, self.messages.wait_for(has_more))
            .await
            .is_ok();
        assert!(
            is_received,
            "waited too long for an end\n{}",
            self.screen().text()
        );
    }

    pub fn effects(&self) -> Vec<Effect> {
        self.effects.lock().unwrap().clone()
    }

    pub fn attempt_count(&self) -> usize {
        self.effects()
            .iter()
            .filter(|effect| matches!(effect, Effect::Money(MoneyCommand::Attempt { .. })))
            .count()
    }

    /// Takes the bytes that the app has written to the terminal outside of frames. The app does
    /// this to copy text, for example.
    pub fn take_terminal_output(&self) -> Vec<u8> {
        std::mem::take(&mut *self.to_terminal.lock().unwrap())
    }

    pub fn recorded_messages_and_effects(&self) -> String {
        format!("{:?}{:?}", self.messages.borrow(), self.effects())
    }

    /// Quits the app, and returns its app model at the end.
    pub async fn close(mut self) -> Model {
        self.settle().await;
        // Press Ctrl-C twice, because the first press only warns if the user has typed text into a
        // form.
        self.press_without_waiting("Ctrl-C");
        let _ = self.input.try_send(Event::Key(key_event("Ctrl-C")));
        self.wait_until_closed(|| ()).await
    }

    /// Waits until the app has ended, and calls `then`. Then waits for withdrawal requests that are
    /// still running in the background.
    async fn wait_until_closed(self, then: impl FnOnce()) -> Model {
        let (model, ended) = tokio::time::timeout(LIMIT, self.run)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(ended.unwrap(), ExitReason::Quit);
        self.leftovers.add("the model", format!("{model:?}"));
        assert_export_is_clean(&self.leftovers, &model);
        then();
        let stores = self.stores.lock().unwrap().clone();
        let finish = move || {
            stores.begin_closing().wait();
            stores.money.wait_for_attempts(LIMIT)
        };
        let is_idle = tokio::task::spawn_blocking(finish).await.unwrap();
        assert!(is_idle, "an attempt is still in flight");
        model
    }

    /// Stops the app as a crash would, and calls `then`. Then waits for withdrawal requests that
    /// are still running in the background.
    pub async fn crash_and_then(self, then: impl FnOnce()) {
        self.run.abort();
        let _ = self.run.await;
        then();
        let money = self.stores.lock().unwrap().money.clone();
        let is_idle = tokio::task::spawn_blocking(move || money.wait_for_attempts(LIMIT))
            .await
            .unwrap();
        assert!(is_idle, "an attempt is still in flight");
    }
}

fn key_event(name: &str) -> KeyEvent {
    use balcao::app::ui::input::{Code, Key};
    let key: Key = name.parse().unwrap_or_else(|()| panic!("{name} is no key"));
    let code = match key.code {
        Code::Char(c) => KeyCode::Char(c),
        Code::Function(n) => KeyCode::F(n),
        Code::Enter => KeyCode::Enter,
        Code::Esc => KeyCode::Esc,
        Code::Tab => KeyCode::Tab,
        Code::BackTab => KeyCode::BackTab,
        Code::Backspace => KeyCode::Backspace,
        Code::Delete => KeyCode::Delete,
        Code::Left => KeyCode::Left,
        Code::Right => KeyCode::Right,
        Code::Up => KeyCode::Up,
        Code::Down => KeyCode::Down,
        Code::Home => KeyCode::Home,
        Code::End => KeyCode::End,
        Code::PageUp => KeyCode::PageUp,
        Code::PageDown => KeyCode::PageDown,
    };
    KeyEvent::new(
        code,
        if key.ctrl {
            KeyModifiers::CONTROL
        } else {
            KeyModifiers::NONE
        },
    )
}
