//! The full-screen app: everything is put together here, and started.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ratatui::backend::Backend;
use tokio::sync::{mpsc, watch};

use super::address::base_url;
use super::complaint::Complaint;
use super::{
    GlobalArgs, Presentation, Settings, commands, doctor, journal_location, profile_contract,
    share, shown, unreadable, wrong,
};
use crate::app::ui::keys::Keymap;
use crate::app::{LinkSettings, Model, Msg, Setup, Size};
use crate::cashier::Clock;
use crate::config::contract_files::ProfileContract;
use crate::config::read_text;
use crate::contract::Contract;
use crate::demo::{self, DemoClock, Script};
use crate::journal;
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::display_environment::DisplayEnvironment;
use crate::runtime::doctor::Examiner;
use crate::runtime::job_control;
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::keys::BackgroundQuestion;
use crate::runtime::money::MoneyWorker;
use crate::runtime::signals::{self, GracePeriods, ShutdownCause};
use crate::runtime::terminal::{self, Canvas, NotATerminal, TerminalGuard, TerminalModes, Tty};
use crate::runtime::terse::TerseBackend;
use crate::runtime::world::{DemoBackend, OpenStores, Writer};
use crate::runtime::world_builder::WorldBuilder;
use crate::runtime::{self, Drawing, Ended, INBOX, Inbox, LoopParts, SecretFields, Surface};
use crate::sandbox::Dialect;
use crate::service::{self, BaseUrl, Limits, NetworkSettings};
use crate::trade::{IdempotencyKey, Withdrawal};
use crate::vault::VaultHandle;
use crate::view::{Ground, Theme};
use crate::words::{Lang, Words, dates, left};

/// The longest wait for a withdrawal in flight once the screen was left.
const FINISH: Duration = Duration::from_secs(45);

/// The longest such wait when the terminal is gone; in all the process ends within 3 s.
const FINISH_HUNG_UP: Duration = Duration::from_millis(1_500);

/// Opens the app on a service.
pub fn open(args: &GlobalArgs) -> Result<(), Complaint> {
    let settings = args.settings()?;
    let (name, profile) = args.profile(&settings.config)?;
    let base = base_url(args, &settings, (&name, &profile))?;
    let reading = {
        let (places, profile) = (settings.places.clone(), profile.clone());
        thread::spawn(move || profile_contract::read_with_way(&places, &profile))
    };
    let (presentation, keys) = (args.presentation(&settings)?, keymap(&settings)?);
    terminal::check().map_err(no_terminal)?;
    let (vault, source) = args.vault_and_source(&settings, (&name, &profile), base.origin())?;
    let (contract, connection) = read(reading)?;
    let profile_contract = ProfileContract { dirs: settings.places.clone(), profile: name.clone() };
    let app = App {
        examiner: doctor::examiner(args, &settings, &profile, source),
        clock: Arc::new(MachineClocks::new()),
        journal: settings.journal_location(&base, vault.clone()),
        title: profile.title.unwrap_or_else(|| base.as_str().to_owned()),
        profile: name,
        base,
        contract,
        connection,
        profile_contract: Some(profile_contract),
        keys,
        links: links(&settings),
        vault,
        state: Some(settings.places.state.clone()),
        read_only: args.read_only,
        demo: None,
    };
    async_runtime()?.block_on(app.run(&settings, presentation))
}

/// The arguments of a demo.
pub struct DemoArgs {
    /// The directory that keeps its journal and its bank.
    pub keep: Option<PathBuf>,
    /// The file of its faults.
    pub faults: Option<PathBuf>,
    /// The file of its story.
    pub script: Option<PathBuf>,
    /// The address at which phones find it.
    pub share: Option<String>,
    /// The dialect that its sandbox speaks.
    pub dialect: Option<String>,
}

/// Opens the app on a sandbox of its own.
pub fn demo(args: &GlobalArgs, wanted: DemoArgs) -> Result<(), Complaint> {
    let DemoArgs { keep, faults, script, share, dialect } = wanted;
    let (preset, dialect) = match dialect.as_deref().map(super::sandbox::named_dialect) {
        None => (None, Dialect::default()),
        Some(named) => named.map(|(preset, dialect)| (Some(preset), dialect))?,
    };
    let reading = thread::spawn(move || Ok(demo::contract_in(preset)));
    let settings = args.settings()?;
    let (presentation, keys) = (args.presentation(&settings)?, keymap(&settings)?);
    let words = Words::of(presentation.lang);
    let share = share.map(|named| share::read(words, named)).transpose()?;
    terminal::check().map_err(no_terminal)?;
    let faults = faults.as_deref().map(super::sandbox::read_faults).transpose()?;
    let own = script.as_deref().map(read_script).transpose()?;
    if let Some(dir) = &keep {
        journal_location::only_for_demo(&settings.places, dir)?;
        let unfit = |trouble| Complaint::Text(commands::trouble(words, &shown(dir), &trouble));
        journal::make_dir(dir).map_err(unfit)?;
    }
    let shared = share.map(|share| share.agree(words, keep.as_deref())).transpose()?;
    // Held to the end: the demo's journal is gone with it.
    let temporary = demo::temporary().map_err(Complaint::of)?;
    let journal = keep.clone().unwrap_or_else(|| temporary.path().join("journal"));
    let clock = DemoClock::default();
    let plays = own.is_some();
    let props = demo::Props {
        forward: forward(&clock),
        journals: keep.is_none().then(|| temporary.path().to_owned()),
        script: own.unwrap_or_else(Script::built_in),
        lang: presentation.lang,
        keys: keys.clone(),
        dialect,
        login: demo::login_fields(&demo::contract_in(preset)),
    };
    async_runtime()?.block_on(async {
        let stage = demo::open(faults.unwrap_or_default(), keep.as_deref(), &clock, props).await;
        let mut stage = stage.map_err(Complaint::of)?;
        if let Some(agreed) = shared {
            agreed.open(words, &mut stage)?;
        }
        let base = BaseUrl::parse(&stage.base_url).map_err(Complaint::of)?;
        let vault = VaultHandle::memory();
        stage.keep_jwt(&vault, &base, clock.now().wall).await;
        let location = JournalLocation::fixed(&journal, vault.clone());
        let past = stage.past_withdrawals(base.origin(), clock.now().wall);
        let app = App {
            examiner: doctor::demo_examiner(args, &settings),
            clock: Arc::new(clock),
            journal: location.beginning_with(past),
            title: stage.title.clone(),
            profile: demo::PROFILE.into(),
            base,
            contract: read(reading)?,
            connection: NetworkSettings::default(),
            profile_contract: None,
            keys,
            links: links(&settings),
            vault,
            state: None,
            read_only: args.read_only,
            demo: Some(DemoRun { stage, plays }),
        };
        app.run(&settings, presentation).await
    })
}

fn forward(clock: &DemoClock) -> Box<dyn Fn(Duration) + Send + Sync> {
    let clock = clock.clone();
    Box::new(move |span| clock.forward(span))
}

/// The keys, the seller's in place of the program's.
fn keymap(settings: &Settings) -> Result<Arc<Keymap>, Complaint> {
    let keymap = Keymap::from_table(&settings.config.keys).map_err(|error| {
        // The program's own keys are right: the error is in the seller's file.
        Complaint::Keys { file: shown(&settings.places.config.join("keys.toml")), error }
    })?;
    Ok(Arc::new(keymap))
}

/// What the seller's file says of payment links.
fn links(settings: &Settings) -> LinkSettings {
    LinkSettings {
        copies_new: settings.config.file.links.copy,
        message: settings.config.link_message.clone(),
    }
}

/// Reads the file of a story.
fn read_script(path: &Path) -> Result<Script, Complaint> {
    let text = read_text(path).map_err(|error| unreadable(path, error))?;
    Script::of_file(&text).map_err(|error| wrong(path, error))
}

/// The contract, read beside everything else: it takes as long as all of that together, and the
/// first frame waits for both.
fn read<T>(reading: JoinHandle<Result<T, Complaint>>) -> Result<T, Complaint> {
    reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The runtime: two workers beside the screen's own thread. With all tasks on that thread, a key in
/// the search field took a third longer to be seen.
fn async_runtime() -> Result<tokio::runtime::Runtime, Complaint> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(2).enable_all().build().map_err(Complaint::of)
}

fn no_terminal(end: NotATerminal) -> Complaint {
    match end {
        NotATerminal::Input => Complaint::NoInput,
        NotATerminal::Output => Complaint::NoOutput,
        NotATerminal::Dumb => Complaint::DumbTerminal,
    }
}

/// An app that is put together, ready to be opened.
struct App {
    profile: String,
    title: String,
    base: BaseUrl,
    contract: Contract,
    connection: NetworkSettings,
    /// The file that taught lines are written into; none in a demo.
    profile_contract: Option<ProfileContract>,
    keys: Arc<Keymap>,
    links: LinkSettings,
    journal: JournalLocation,
    vault: VaultHandle,
    /// The directory of the chosen domain; none in a demo.
    state: Option<PathBuf>,
    clock: Arc<dyn Clock + Send + Sync>,
    examiner: Examiner,
    /// True when nothing that creates or pays may be sent.
    read_only: bool,
    demo: Option<DemoRun>,
}

/// The demo behind an app.
struct DemoRun {
    stage: demo::DemoSandbox,
    /// Set where its story begins with the program.
    plays: bool,
}

impl App {
    async fn run(self, settings: &Settings, presentation: Presentation) -> Result<(), Complaint> {
        let lang = presentation.lang;
        let (clocks, is_demo) = (self.clock.clone(), self.demo.is_some());
        let utc_offset_s = clocks::utc_offset_s(clocks.now().wall);
        let setup = self.setup(settings, &presentation, utc_offset_s);
        let mouse = settings.config.file.mouse.unwrap_or(true);
        let screen = TerminalScreen::take(mouse).map_err(Complaint::of)?;
        let (sender, inbox) = mpsc::channel(INBOX);
        let mut model = Model::new(setup, screen.size, clocks.now());
        let inbox_in = Inbox::new(sender.clone());
        let builder = self.world_builder(&inbox_in, clocks.clone(), &screen, utc_offset_s);
        let builder = builder.map_err(Complaint::of)?;
        let (world, stores) = builder.build(inbox_in);
        screen.watch(sender, &stores).map_err(Complaint::of)?;
        let (colours, theme) = watch::channel(Arc::new(presentation.theme));
        let follows = presentation.follows_background;
        let question = follows.then(|| background_question(&screen, colours)).transpose();
        let question = question.map_err(Complaint::of)?;
        let parts = LoopParts {
            surface: screen.surface,
            input: runtime::keys::events(question),
            known: world.known(),
            world,
            inbox,
            clock: Box::new(clocks.clone()),
            theme,
            drawn: Drawing::default(),
        };
        let ended = runtime::run(&mut model, parts).await;
        let money = stores.now().money;
        money.leave();
        let _ = screen.guard.restorer().restore();
        drop(screen.guard);
        // A screen that can no longer be drawn is a lost one; money in flight still comes first.
        let hung_up = model.hung_up || !matches!(ended, Ok(Ended::Left));
        let finished = finish(&money, &model, hung_up, lang, &clocks);
        if is_demo {
            // Its directory is removed now. A live journal needs no closing to be whole.
            stores.close();
        }
        finished?;
        ended.map(drop).map_err(Complaint::of)
    }

    fn setup(&self, settings: &Settings, presentation: &Presentation, utc_offset_s: i32) -> Setup {
        let faults: Vec<&str> = match &self.demo {
            Some(_) => demo::FAULTS.iter().map(|(name, _)| *name).collect(),
            None => vec![],
        };
        Setup {
            profile: self.profile.as_str().into(),
            base_url: self.base.as_str().into(),
            origin: self.base.origin().clone(),
            title: self.title.as_str().into(),
            config: shown(&settings.places.config_file()),
            journal: self.journal.named_dir().display().to_string().into(),
            sandbox: self.demo.is_some(),
            this_machine: self.base.is_loopback(),
            demo: self.demo.as_ref().map(|demo| demo.stage.setup()),
            window: service::window_agreed(&self.contract, None, &Limits::default()),
            contract: Arc::new(self.contract.clone()),
            keys: self.keys.clone(),
            labels: crate::app::store::commands::items(presentation.lang, &faults).into(),
            links: self.links.clone(),
            charge_message: settings.config.charge_message.clone(),
            lang: presentation.lang,
            ascii: presentation.ascii,
            utc_offset_s,
            read_only: self.read_only,
        }
    }

    fn world_builder(
        self,
        inbox: &Inbox,
        clock: Arc<dyn Clock + Send + Sync>,
        screen: &TerminalScreen,
        utc_offset_s: i32,
    ) -> io::Result<WorldBuilder> {
        let vault = Arc::new(Mutex::new(self.vault));
        let mut secrets = SecretFields::default();
        let now = clock.now().wall;
        let past = self.demo.as_ref().map(|demo| demo.stage.past(self.base.origin(), now));
        let stage = self.demo.map(|DemoRun { stage, plays }| {
            stage.fill(&mut secrets);
            stage.listen(inbox.clone());
            if plays {
                stage.play(inbox);
            }
            Box::new(stage) as Box<dyn DemoBackend>
        });
        Ok(WorldBuilder {
            profile: self.profile.into(),
            base: self.base,
            contract: Arc::new(self.contract),
            profile_contract: self.profile_contract,
            limits: Limits { reads_only: self.read_only, ..Limits::default() },
            connection: self.connection,
            journal: Arc::new(self.journal),
            past,
            state: self.state,
            vault,
            examiner: self.examiner,
            clock,
            display: DisplayEnvironment::from_variables(|name| std::env::var(name).ok()),
            to_terminal: screen.writer()?,
            stage,
            secrets,
            utc_offset_s,
            receipts: PathBuf::from("."),
        })
    }
}

/// The question about the background: the theme changes once to the one for it, or stays.
fn background_question(
    screen: &TerminalScreen,
    colours: watch::Sender<Arc<Theme>>,
) -> io::Result<BackgroundQuestion> {
    let hear = move |colour| {
        if let Some(ground) = Ground::of(colour) {
            // Once the loop has ended nobody draws.
            let _ = colours.send(Arc::new(ground.theme()));
        }
    };
    Ok(BackgroundQuestion { ask: screen.writer()?, hear: Box::new(hear) })
}

/// The terminal, taken over.
struct TerminalScreen {
    guard: TerminalGuard<Tty>,
    surface: Surface<TerseBackend<BufWriter<Canvas<Tty>>>>,
    size: Size,
}

impl TerminalScreen {
    fn take(mouse: bool) -> io::Result<TerminalScreen> {
        let guard = TerminalGuard::enter(Tty::stdout()?, TerminalModes { mouse })?;
        guard.hook_panics();
        // A frame in one write: a slow line never shows half of one.
        let out = BufWriter::with_capacity(64 * 1024, guard.canvas(Tty::stdout()?));
        let backend = TerseBackend::new(out);
        let size = backend.size()?;
        let size = Size { columns: size.width, rows: size.height };
        Ok(TerminalScreen { guard, surface: Surface::new(backend, size), size })
    }

    /// A function that writes past the screen, for requests that only the terminal can serve.
    fn writer(&self) -> io::Result<Writer> {
        let tty = Mutex::new(self.guard.canvas(Tty::stdout()?));
        Ok(Box::new(move |bytes| {
            if let Ok(mut tty) = tty.lock() {
                // A terminal that is gone is noticed by the loop.
                let _ = tty.write_all(bytes).and_then(|()| tty.flush());
            }
        }))
    }

    /// Ends the program at a signal of the system, or when the terminal is gone.
    fn watch(&self, inbox: mpsc::Sender<Msg>, stores: &OpenStores) -> io::Result<()> {
        let (waits, busy) = (stores.clone(), stores.clone());
        let on = inbox.clone();
        let tell = move |cause: ShutdownCause| {
            if cause == ShutdownCause::Asked {
                // Where the screen was left already, a further signal is a wish not to wait.
                waits.now().money.give_up();
            }
            // A full inbox is read soon; if not, the end of the grace period ends the process.
            let _ = inbox.try_send(Msg::Terminate(cause == ShutdownCause::HungUp));
        };
        let [suspended, resumed, restorer] = [(); 3].map(|()| self.guard.restorer());
        let restore = move || {
            let _ = restorer.restore();
        };
        signals::watch(GracePeriods::default(), move || busy.now().money.is_busy(), tell, restore)?;
        let stops = move || {
            let _ = suspended.suspend();
        };
        job_control::watch(stops, move || job_control::resume(&resumed, &on))
    }
}

/// Prints each open withdrawal, and until when it can be resent: the seller must not make it again
/// meanwhile.
///
/// A withdrawal that another window is sending has its end there. A demo's end with the demo.
fn report_open(model: &Model, words: &Words, but: Option<IdempotencyKey>, clock: &dyn Clock) {
    if model.setup.demo.is_some() {
        return;
    }
    for one in model.withdrawals.open.iter().filter(|one| Some(one.agreement.key) != but) {
        let elsewhere = model.is_sent_elsewhere(one.agreement.key);
        if !elsewhere {
            let _ = writeln!(io::stderr(), "balcao: {}", describe_state(model, words, one, clock));
        }
    }
}

/// The state of a withdrawal when the screen is left, and the time until which it can be resent.
fn describe_state(model: &Model, words: &Words, one: &Withdrawal, clock: &dyn Clock) -> String {
    let (now, window) = (clock.now(), &model.setup.window);
    let state = one.state(&now, window, false);
    let until = window.left(&one.attempts, &now).ok().map(|left| now.wall.plus(left));
    let until = until.map(|until| dates::time_exact(until, model.setup.utc_offset_s));
    left::state(words, &state, one.agreement.amount, until.as_deref())
}

/// Waits for the end of a withdrawal in flight, and prints that end.
///
/// After a key or a signal it waits as long as an attempt can take; a second signal ends it at
/// once. With the terminal gone there is no reader: nothing is printed, and the wait is short.
fn finish(
    money: &MoneyWorker,
    model: &Model,
    hung_up: bool,
    lang: Lang,
    clock: &dyn Clock,
) -> Result<(), Complaint> {
    if hung_up {
        money.finish(FINISH_HUNG_UP);
        return Ok(());
    }
    let words = Words::of(lang);
    // It may have come to its end since the person decided to go: that is printed all the same.
    if model.withdrawals.in_flight.is_none() && !money.is_busy() {
        report_open(model, words, None, clock);
        return Ok(());
    }
    let say = |text: String| {
        let _ = writeln!(io::stderr(), "balcao: {text}");
    };
    if money.is_busy() {
        let is_here = money.unrecorded().is_some();
        say(if is_here { left::unwritten(words) } else { left::sending(words) });
    }
    let ended = money.finish(FINISH).then(|| money.ended()).flatten();
    if let Some((key, end)) = money.unrecorded() {
        report_open(model, words, Some(key), clock);
        let open = model.withdrawals.open.iter().find(|one| one.agreement.key == key);
        let amount = open.map(|one| one.agreement.amount);
        return Err(Complaint::Text(left::unrecorded(words, amount, &end)));
    }
    let Some(withdrawal) = ended else {
        report_open(model, words, model.withdrawals.in_flight, clock);
        return Err(Complaint::Text(left::unknown(words)));
    };
    say(describe_state(model, words, &withdrawal, clock));
    report_open(model, words, Some(withdrawal.agreement.key), clock);
    Ok(())
}
