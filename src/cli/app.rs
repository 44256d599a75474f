//! The full-screen app: everything is put together here, and started.

mod first_run;
mod leaving;
mod read_profile;
mod run_demo;
mod terminal_screen;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use clap::Args;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::mpsc;

use self::first_run::FirstRunFile;
use self::leaving::{FINISH, finish};
use self::read_profile::{ReadProfile, others};
pub use self::run_demo::demo;
use self::terminal_screen::TerminalScreen;
use super::complaint::Complaint;
use super::{GlobalArgs, Presentation, Settings, doctor, keymap, shown};
use crate::app::store::commands::{PaletteLines, items, switches};
use crate::app::store::first_run::Beginning;
use crate::app::ui::keys::Keymap;
use crate::app::{LinkSettings, Model, Setup};
use crate::cashier::Clock;
use crate::config::contract_files::ProfileContract;
use crate::contract::Contract;
use crate::demo;
use crate::journal::{history, money};
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::display_environment::DisplayEnvironment;
use crate::runtime::doctor::Examiner;
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::terminal::{self, NotATerminal};
use crate::runtime::world::{DemoBackend, ProfileOpener};
use crate::runtime::world_builder::WorldBuilder;
use crate::runtime::{self, Drawing, Ended, INBOX, Inbox, LoopParts, SecretFields};
use crate::service::{self, BaseUrl, Limits, NetworkSettings};
use crate::trade::{Origin, VaultKind};
use crate::vault::VaultHandle;
use crate::words::{Lang, Words};

/// Opens the app on a service, and then on each that is chosen in it.
pub fn open(args: &GlobalArgs) -> Result<(), Complaint> {
    let settings = args.settings()?;
    if first_run::is_first(args, &settings) && terminal::check().is_ok() {
        return set_up(args, settings);
    }
    let read = ReadProfile::of_flags(args)?;
    let presentation = args.presentation(&read.settings)?;
    terminal::check().map_err(no_terminal)?;
    let look = RunLook { lang: presentation.lang, ascii: presentation.ascii };
    let app = App::of_profile(read)?;
    let screen = take_screen(&app.settings, presentation)?;
    run_all(args, look, app, screen)
}

/// Asks for a first profile, and opens the app on it.
fn set_up(args: &GlobalArgs, settings: Settings) -> Result<(), Complaint> {
    let (presentation, keys) = (args.presentation(&settings)?, keymap(&settings)?);
    let look = RunLook { lang: presentation.lang, ascii: presentation.ascii };
    let mut screen = take_screen(&settings, presentation)?;
    let (own, workers) = (screen.runtime(), worker_runtime()?);
    let shown = (look.lang, look.ascii);
    let asked = first_run::run(&settings, keys, shown, &mut screen, workers.handle());
    let Some(name) = own.block_on(asked)? else { return Ok(()) };
    workers.shutdown_background();
    let named = GlobalArgs { profile: Some(name), ..args.clone() };
    let app = ReadProfile::of_flags(&named).and_then(App::of_profile)?;
    run_all(args, look, app, screen)
}

/// Runs the app, and then each that is chosen in it.
fn run_all(
    args: &GlobalArgs,
    look: RunLook,
    mut app: App,
    mut screen: TerminalScreen,
) -> Result<(), Complaint> {
    let first = (app.profile.clone(), app.base.origin().clone());
    let profiles = OpenProfiles { args: args.clone(), first, look, ready: Arc::default() };
    let own = screen.runtime();
    loop {
        // Each has tasks of its own: what one left behind tells the next nothing.
        let workers = worker_runtime()?;
        let run = app.run(look, &mut screen, Some(&profiles), workers.handle());
        match own.block_on(run)? {
            None => return Ok(()),
            Some(next) => {
                workers.shutdown_background();
                app = *next;
            }
        }
    }
}

// The texts of its help are in the words, as for every command.
#[derive(Debug, Args)]
pub struct DemoArgs {
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    faults: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    #[arg(long, value_name = "IP")]
    share: Option<String>,
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
}

/// What the seller's file says of payment links.
fn links(settings: &Settings) -> LinkSettings {
    LinkSettings {
        copies_new: settings.config.file.links.copy,
        message: settings.config.link_message.clone(),
    }
}

/// The contract, and what else is read beside it.
fn join<T>(reading: JoinHandle<Result<T, Complaint>>) -> Result<T, Complaint> {
    reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The runtime of all tasks: two workers beside the screen's own thread. With all tasks on that
/// thread, a key in the search field took a third longer to be seen.
fn worker_runtime() -> Result<Runtime, Complaint> {
    let mut runtime = Builder::new_multi_thread();
    runtime.worker_threads(2).enable_all().build().map_err(Complaint::of)
}

fn no_terminal(end: NotATerminal) -> Complaint {
    let id = match end {
        NotATerminal::Input => "complaint-no-input",
        NotATerminal::Output => "complaint-no-output",
        NotATerminal::Dumb => "complaint-dumb-terminal",
    };
    Complaint::about(id, [])
}

/// How all runs are shown.
#[derive(Clone, Copy)]
struct RunLook {
    lang: Lang,
    ascii: bool,
}

/// Takes the terminal over.
fn take_screen(settings: &Settings, look: Presentation) -> Result<TerminalScreen, Complaint> {
    let mouse = settings.config.file.mouse.unwrap_or(true);
    TerminalScreen::take(mouse, look.theme, look.follows_background).map_err(Complaint::of)
}

/// The opener of other profiles, and the app that is ready to take the place of this one.
struct OpenProfiles {
    args: GlobalArgs,
    /// The profile and the address that the program was started for.
    first: (String, Origin),
    look: RunLook,
    ready: Arc<Mutex<Option<Box<App>>>>,
}

impl OpenProfiles {
    /// A function that puts the app of a profile together, or says what is wrong with it.
    fn opener(&self) -> ProfileOpener {
        let (args, first, lang) = (self.args.clone(), self.first.clone(), self.look.lang);
        let ready = self.ready.clone();
        Arc::new(move |name| {
            let app = ReadProfile::named(&args, name, &first).and_then(App::of_profile);
            let app = app.map_err(|complaint| complaint.describe(Words::of(lang)))?;
            *ready.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(app));
            Ok(())
        })
    }

    /// The app that was put together for this profile.
    fn take(&self, name: &str) -> Option<Box<App>> {
        let app = self.ready.lock().unwrap_or_else(PoisonError::into_inner).take();
        app.filter(|app| app.profile == name)
    }
}

/// An app that is put together, ready to be opened.
struct App {
    settings: Settings,
    /// What its run begins with.
    beginning: Beginning,
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
    /// True when personal data is masked on the screen.
    masks: bool,
    /// A variable whose secret the vault of this run leaves alone.
    unused_secret: Option<&'static str>,
    demo: Option<DemoRun>,
}

/// The demo behind an app.
struct DemoRun {
    stage: demo::DemoSandbox,
    /// Set where its story begins with the program.
    plays: bool,
}

impl App {
    /// The app of a profile that was read.
    fn of_profile(read: ReadProfile) -> Result<App, Complaint> {
        let ReadProfile { args, settings, name, profile, base, keys, reading } = read;
        let (vault, source) = args.vault_and_source(&settings, (&name, &profile), base.origin())?;
        let is_used = vault.kind() == VaultKind::Environment;
        let (contract, connection) = join(reading)?;
        let to_do = FirstRunFile::new(&settings.places.state);
        let beginning = match to_do.waits_for_link(&name) {
            true => Beginning::FirstLink { offered: false },
            false => Beginning::Known,
        };
        Ok(App {
            beginning,
            examiner: doctor::examiner(&args, &settings, &profile, source),
            profile_contract: Some(ProfileContract {
                dirs: settings.places.clone(),
                profile: name.clone(),
            }),
            clock: Arc::new(MachineClocks::new()),
            journal: settings.journal_location(&base, vault.clone()),
            title: profile.title.unwrap_or_else(|| base.as_str().to_owned()),
            profile: name,
            base,
            contract,
            connection,
            keys,
            links: links(&settings),
            vault,
            state: Some(settings.places.state.clone()),
            read_only: args.read_only,
            masks: args.redact,
            unused_secret: args.environment.variable().filter(|_| !is_used),
            demo: None,
            settings,
        })
    }

    /// Runs until it is left, or until another profile is to take its place: that one's app.
    ///
    /// In a box: room for an app would be moved at each key.
    async fn run(
        self,
        look: RunLook,
        screen: &mut TerminalScreen,
        profiles: Option<&OpenProfiles>,
        workers: &Handle,
    ) -> Result<Option<Box<App>>, Complaint> {
        let (clocks, is_demo) = (self.clock.clone(), self.demo.is_some());
        let to_do = FirstRunFile::new(&self.settings.places.state);
        let was_known = self.beginning == Beginning::Known;
        let utc_offset_s = clocks::utc_offset_s(clocks.now().wall);
        let setup = self.setup(look, utc_offset_s);
        let (surface, size) = screen.surface().map_err(Complaint::of)?;
        let (sender, inbox) = mpsc::channel(INBOX);
        let mut model = Model::new(setup, size, clocks.now());
        let inbox_in = Inbox::new(sender.clone());
        let (world, stores) = {
            let _tasks = workers.enter();
            let builder = self.world_builder(&inbox_in, clocks.clone(), screen, utc_offset_s);
            let mut builder = builder.map_err(Complaint::of)?;
            builder.profiles = profiles.map(OpenProfiles::opener);
            builder.build(inbox_in)
        };
        screen.watch(sender, Some(&stores)).map_err(Complaint::of)?;
        let parts = LoopParts {
            surface,
            known: world.known(),
            world,
            workers: workers.clone(),
            inbox,
            clock: Box::new(clocks.clone()),
            theme: screen.theme.clone(),
            drawn: Drawing::default(),
            input: &mut screen.input,
        };
        let ended = runtime::run(&mut model, parts).await;
        let money = stores.now().money;
        money.leave();
        if !was_known && model.beginning == Beginning::Known {
            to_do.link_made();
        }
        let next = model.profiles.next.take().filter(|_| matches!(ended, Ok(Ended::Left)));
        if let Some(next) = next.and_then(|name| profiles?.take(&name))
            && screen.drop_typed_ahead().await
        {
            // There is none in flight; and what is not written down must not be lost by this.
            money.finish(FINISH);
            stores.close();
            return Ok(Some(next));
        }
        screen.give_back();
        // A screen that can no longer be drawn is a lost one; money in flight still comes first.
        let hung_up = model.hung_up || !matches!(ended, Ok(Ended::Left));
        let finished = finish(&money, &model, hung_up, look.lang, &clocks);
        if is_demo {
            // Its directory is removed now. A live journal needs no closing to be whole.
            stores.close();
        }
        finished?;
        ended.map(|_| None).map_err(Complaint::of)
    }

    fn setup(&self, look: RunLook, utc_offset_s: i32) -> Setup {
        let (settings, RunLook { lang, ascii }) = (&self.settings, look);
        let others = match &self.demo {
            Some(_) => Arc::default(),
            None => others(settings, &self.profile, self.base.origin()),
        };
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
            schemas: [money::SCHEMA, history::SCHEMA],
            sandbox: self.demo.is_some(),
            this_machine: self.base.is_loopback(),
            demo: self.demo.as_ref().map(|demo| demo.stage.setup()),
            window: service::window_agreed(&self.contract, None, &Limits::default()),
            contract: Arc::new(self.contract.clone()),
            keys: self.keys.clone(),
            labels: PaletteLines::new({
                let others = others.clone();
                move || [items(lang, &faults), switches(lang, &others)].concat()
            }),
            others,
            beginning: self.beginning.clone(),
            links: self.links.clone(),
            charge_message: settings.config.charge_message.clone(),
            lang,
            ascii,
            utc_offset_s,
            read_only: self.read_only,
            masks: self.masks,
            unused_secret: self.unused_secret,
            vault_helper: self.examiner.vault_command.clone(),
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
            profiles: None,
        })
    }
}
