//! The full-screen app: everything is put together here, and started.

mod first_run;
mod leaving;
mod run_demo;
mod terminal_screen;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use clap::Args;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::mpsc;

use self::first_run::FirstRunFile;
use self::leaving::{FINISH, finish};
pub use self::run_demo::demo;
use self::terminal_screen::TerminalScreen;
use super::complaint::Complaint;
use super::{ChosenProfile, GlobalArgs, Presentation, RunLook, Settings, doctor, keymap, shown};
use crate::app::store::commands::{PaletteLines, items, switches};
use crate::app::store::first_run::Beginning;
use crate::app::ui::keys::Keymap;
use crate::app::{LinkSettings, Model, OtherProfile, Setup};
use crate::cashier::Clock;
use crate::config::contract_files::ProfileContract;
use crate::contract::Contract;
use crate::demo;
use crate::journal::{history, money};
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::display_environment::DisplayEnvironment;
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::terminal::{self, NotATerminal};
use crate::runtime::world::{DemoBackend, ProfileOpener};
use crate::runtime::world_builder::WorldBuilder;
use crate::runtime::{self, Drawing, Ended, INBOX, Inbox, LoopParts, SecretFields};
use crate::service::{self, BaseUrl, Limits, NetworkSettings};
use crate::trade::checkup::VaultSource;
use crate::trade::{Origin, Untrusted, VaultKind};
use crate::vault::VaultHandle;
use crate::words::Words;

/// Opens the app on a service, and then on each that is chosen in it.
pub fn open(args: &GlobalArgs) -> Result<(), Complaint> {
    let settings = args.settings()?;
    if first_run::is_first(args, &settings) && terminal::check().is_ok() {
        return set_up(args, settings);
    }
    let read = ReadProfile::of(args.chosen()?)?;
    let presentation = args.presentation(&read.chosen.settings)?;
    terminal::check().map_err(no_terminal)?;
    let (look, app) = (presentation.look, App::of_profile(read)?);
    let screen = take_screen(&app.chosen.settings, presentation)?;
    run_all(args, look, app, screen)
}

/// Asks for a first profile, and opens the app on it.
fn set_up(args: &GlobalArgs, settings: Settings) -> Result<(), Complaint> {
    let (presentation, keys) = (args.presentation(&settings)?, keymap(&settings)?);
    let look = presentation.look;
    let mut screen = take_screen(&settings, presentation)?;
    let (own, workers) = (screen.runtime(), worker_runtime()?);
    let asked = first_run::run(&settings, keys, look, &mut screen, workers.handle());
    let Some(name) = own.block_on(asked)? else { return Ok(()) };
    workers.shutdown_background();
    let named = GlobalArgs { profile: Some(name), ..args.clone() };
    let app = ReadProfile::of(named.chosen()?).and_then(App::of_profile)?;
    run_all(args, look, app, screen)
}

/// Runs the app, and then each that is chosen in it.
fn run_all(
    args: &GlobalArgs,
    look: RunLook,
    mut app: App,
    mut screen: TerminalScreen,
) -> Result<(), Complaint> {
    let first = (app.chosen.name.clone(), app.base.origin().clone());
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
            let read = again(&args, name, &first).and_then(ReadProfile::of);
            let app = read.and_then(App::of_profile);
            let app = app.map_err(|complaint| complaint.describe(Words::of(lang)))?;
            *ready.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(app));
            Ok(())
        })
    }

    /// The app that was put together for this profile.
    fn take(&self, name: &str) -> Option<Box<App>> {
        let app = self.ready.lock().unwrap_or_else(PoisonError::into_inner).take();
        app.filter(|app| app.chosen.name == name)
    }
}

/// An app that is put together, ready to be opened.
struct App {
    chosen: ChosenProfile,
    base: BaseUrl,
    contract: Contract,
    connection: NetworkSettings,
    keys: Arc<Keymap>,
    journal: JournalLocation,
    vault: VaultHandle,
    vault_source: VaultSource,
    clock: Arc<dyn Clock + Send + Sync>,
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
        let ReadProfile { chosen, base, keys, reading } = read;
        let (vault, vault_source) = chosen.vault_and_source(base.origin())?;
        let (contract, connection) = join(reading)?;
        Ok(App {
            journal: JournalLocation::for_service(&base, &chosen.settings.places, vault.clone()),
            chosen,
            base,
            contract,
            connection,
            keys,
            vault,
            vault_source,
            clock: Arc::new(MachineClocks::new()),
            demo: None,
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
        let to_do = FirstRunFile::new(&self.chosen.settings.places.state);
        let waits_for_link = !is_demo && to_do.waits_for_link(&self.chosen.name);
        let utc_offset_s = clocks::utc_offset_s(clocks.now().wall);
        let mut setup = self.setup(look, utc_offset_s);
        if waits_for_link {
            setup.beginning = Beginning::FirstLink { offered: false };
        }
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
        if waits_for_link && model.beginning == Beginning::Known {
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
        let lang = look.lang;
        let ChosenProfile { args, settings, name, profile } = &self.chosen;
        let config = &settings.config;
        let (contract, keys) = (self.contract.clone(), self.keys.clone());
        let setup = Setup {
            profile: name.as_str().into(),
            base_url: self.base.as_str().into(),
            origin: self.base.origin().clone(),
            title: profile.title.as_deref().unwrap_or(self.base.as_str()).into(),
            journal: shown(&self.journal.named_dir()),
            this_machine: self.base.is_loopback(),
            links: LinkSettings {
                copies_new: config.file.links.copy,
                message: config.link_message.clone(),
            },
            read_only: args.read_only,
            masks: args.redact,
            vault_helper: profile.vault_helper.as_deref().map(Untrusted::from),
            ..setup(settings, look, contract, keys, utc_offset_s)
        };
        let Some(DemoRun { stage, .. }) = &self.demo else {
            let others = others(settings, name, self.base.origin());
            let known = others.clone();
            let labels =
                PaletteLines::new(move || [items(lang, &[]), switches(lang, &known)].concat());
            let is_used = self.vault.kind() == VaultKind::Environment;
            let unused_secret = args.environment.variable().filter(|_| !is_used);
            return Setup { labels, others, unused_secret, ..setup };
        };
        let labels = PaletteLines::new(move || items(lang, &demo::FAULTS.map(|(name, _)| name)));
        let title = stage.title.as_str().into();
        Setup { labels, title, sandbox: true, demo: Some(stage.setup()), ..setup }
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
        let ChosenProfile { args, settings, name, .. } = &self.chosen;
        let dirs = settings.places.clone();
        let is_demo = stage.is_some();
        Ok(WorldBuilder {
            profile: name.as_str().into(),
            base: self.base,
            contract: Arc::new(self.contract),
            limits: Limits { reads_only: args.read_only, ..Limits::default() },
            connection: self.connection,
            journal: Arc::new(self.journal),
            past,
            state: (!is_demo).then(|| dirs.state.clone()),
            profile_contract: (!is_demo).then(|| ProfileContract { dirs, profile: name.clone() }),
            vault,
            examiner: doctor::examiner(&self.chosen, self.vault_source),
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

/// A profile as the files and the flags have it, read before its run begins.
struct ReadProfile {
    /// The profile, with the flags as far as they are meant for it.
    chosen: ChosenProfile,
    /// The address of the service.
    base: BaseUrl,
    /// The keys.
    keys: Arc<Keymap>,
    /// Its contract and the way to its service, read beside everything else: that takes as long as
    /// all the rest together, and the first frame waits for both.
    reading: JoinHandle<Result<(Contract, NetworkSettings), Complaint>>,
}

impl ReadProfile {
    fn of(chosen: ChosenProfile) -> Result<ReadProfile, Complaint> {
        let base = chosen.base_url()?;
        let read = chosen.clone();
        let reading = thread::spawn(move || read.contract_and_way());
        let keys = keymap(&chosen.settings)?;
        Ok(ReadProfile { chosen, base, keys, reading })
    }
}

/// Finds the profile of this name in the file, as it is now.
///
/// The address and the secrets that the program was started with are for the first run's profile
/// and address alone; its other flags hold for every run.
fn again(
    args: &GlobalArgs,
    name: &str,
    first: &(String, Origin),
) -> Result<ChosenProfile, Complaint> {
    let named = GlobalArgs { profile: Some(name.into()), base_url: None, ..args.clone() };
    let mut chosen = named.chosen()?;
    if (&chosen.name, chosen.base_url()?.origin()) != (&first.0, &first.1) {
        let vault = named.vault.filter(|kind| *kind != VaultKind::Environment);
        chosen.args = GlobalArgs { vault, environment: Arc::default(), ..named };
    }
    Ok(chosen)
}

/// What the app begins with, whichever profile it is for.
fn setup(
    settings: &Settings,
    RunLook { lang, ascii }: RunLook,
    contract: Contract,
    keys: Arc<Keymap>,
    utc_offset_s: i32,
) -> Setup {
    let window = service::window_agreed(&contract, None, &Limits::default());
    Setup {
        config: shown(&settings.places.config_file()),
        schemas: [money::SCHEMA, history::SCHEMA],
        charge_message: settings.config.charge_message.clone(),
        lang,
        ascii,
        utc_offset_s,
        ..Setup::new(contract, window, keys)
    }
}

/// The profiles of the file but the one that runs at this address.
fn others(settings: &Settings, name: &str, origin: &Origin) -> Arc<[OtherProfile]> {
    let profiles = settings.config.file.profiles.iter().map(|(name, profile)| {
        let base = profile.base_url.as_deref().and_then(|url| BaseUrl::parse(url).ok());
        let origin = base.map(|base| base.origin().clone());
        OtherProfile { name: name.as_str().into(), origin }
    });
    let runs = |one: &OtherProfile| *one.name == *name && one.origin.as_ref() == Some(origin);
    profiles.filter(|one| !runs(one)).collect()
}
