//! Builds the full-screen app from its parts and runs it.
//!
//! One run of the app shows one profile. When the user switches to another profile, or when a demo
//! starts over, a new run begins on the same terminal. Start reading at [`open()`].

mod first_run;
mod kiosk;
mod leaving;
mod run_clock;
mod run_demo;
mod terminal_screen;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use clap::Args;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::mpsc;

use self::first_run::FirstRunFile;
use self::leaving::{FINISH_TIMEOUT, finish};
use self::run_clock::RunClock;
pub use self::run_demo::demo;
pub(super) use self::terminal_screen::{TerminalScreen, check_terminal};
use super::complaint::Complaint;
use super::output::not_created;
use super::{
    AUTOMATIC, ChosenProfile, GlobalArgs, Presentation, RunLook, Settings, doctor, keymap,
    log_level, path_text,
};
use crate::app::store::commands::{PaletteItems, items, profile_items};
use crate::app::store::first_run::StartupStage;
use crate::app::ui::keys::Keymap;
use crate::app::{LinkSettings, Model, Setup};
use crate::cashier::Clock;
use crate::config::contract_files::ProfileContract;
use crate::config::{Dirs, environment};
use crate::contract::{AgreedAtStart, Contract};
use crate::demo;
use crate::journal::{history, money};
use crate::locked::Locked;
use crate::runtime::chosen_vault::VaultFile;
use crate::runtime::clocks;
use crate::runtime::display_environment::{DisplayEnvironment, may_get_title_and_links};
use crate::runtime::first_run::SETUP_VAULTS;
use crate::runtime::job_control;
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::log::Log;
use crate::runtime::recorder::{RecordedFile, Recorder};
use crate::runtime::world::{DemoBackend, ProfileOpener, ThemeSwitch};
use crate::runtime::world_builder::WorldBuilder;
use crate::runtime::{
    self, ExitReason, FrameRecord, INBOX_CAPACITY, Inbox, LoopParts, SecretFields,
};
use crate::service::{self, BaseUrl, Limits, NetworkSettings};
use crate::trade::checkup::VaultSource;
use crate::trade::{Origin, Untrusted, VaultKind};
use crate::vault::VaultHandle;
use crate::words::{Catalogue, Lang};

/// Opens the app with the chosen profile. Opens the app again whenever the user switches to another
/// profile.
pub fn open(args: &GlobalArgs) -> Result<(), Complaint> {
    let settings = args.settings()?;
    let display = DisplayEnvironment {
        lines: args.is_accessible(&settings),
        ..DisplayEnvironment::from_variables(environment::text)
    };
    let log = Log::new(log_level()?, &settings.dirs.state, display);
    let result = open_logged(args, settings, &log);
    log.close();
    result
}

fn open_logged(args: &GlobalArgs, settings: Settings, log: &Log) -> Result<(), Complaint> {
    let accessible = args.is_accessible(&settings);
    if first_run::is_first(args, &settings) && check_terminal(accessible).is_ok() {
        return run_setup(args, settings, log);
    }
    let read = ReadProfile::start(args.chosen_profile()?)?;
    let presentation = args.presentation(&read.chosen.settings)?;
    check_terminal(accessible)?;
    let look = presentation.look.clone();
    let app = App::for_profile(read)?;
    let recorder = recorder(args.record.as_deref())?;
    let screen = take_over_screen(&app.chosen.settings, presentation, recorder, log)?;
    run_all(args, look, app, screen, log)
}

/// Runs the first-run setup, and then opens the app with the profile that the setup created.
fn run_setup(args: &GlobalArgs, settings: Settings, log: &Log) -> Result<(), Complaint> {
    let presentation = args.presentation(&settings)?;
    let keys = keymap(&settings)?;
    let look = presentation.look.clone();
    let mut screen = take_over_screen(
        &settings,
        presentation,
        recorder(args.record.as_deref())?,
        log,
    )?;
    let ui_runtime = screen.runtime();
    let workers = worker_runtime()?;
    let setup_run = first_run::run(
        &settings,
        args.vault,
        keys,
        look.clone(),
        &mut screen,
        (workers.handle(), log),
    );
    let Some(name) = ui_runtime.block_on(setup_run)? else {
        return Ok(());
    };
    workers.shutdown_background();
    // Drop the `--vault` flag, because the new profile names the vault that the user chose in the
    // setup. Keep the flag if the setup does not offer its vault.
    let vault = args.vault.filter(|kind| !SETUP_VAULTS.contains(kind));
    let profile_args = GlobalArgs {
        profile: Some(name),
        vault,
        agreed_at_start: AgreedAtStart::FirstRun,
        ..args.clone()
    };
    let app = ReadProfile::start(profile_args.chosen_profile()?).and_then(App::for_profile)?;
    run_all(
        &GlobalArgs {
            vault,
            ..args.clone()
        },
        look,
        app,
        screen,
        log,
    )
}

/// Runs the app until the user quits. Each time the user switches to another profile, runs the app
/// that was built for that profile.
fn run_all(
    args: &GlobalArgs,
    mut look: RunLook,
    mut app: App,
    mut screen: TerminalScreen,
    log: &Log,
) -> Result<(), Complaint> {
    let initial = (app.chosen.name.clone(), app.base.origin().clone());
    let profiles = OpenProfiles {
        args: args.clone(),
        initial,
        lang: look.lang,
        ready: Arc::default(),
    };
    let ui_runtime = screen.runtime();
    loop {
        // Give each run its own Tokio runtime, so that leftover tasks of one run cannot send
        // messages to the next.
        let workers = worker_runtime()?;
        app.open_profile = Some(profiles.opener());
        app.log = log.clone();
        let run = app.run(&mut look, &mut screen, workers.handle());
        let Some(ended) = ui_runtime.block_on(run)? else {
            return Ok(());
        };
        workers.shutdown_background();
        let Some(name) = &ended.profiles.next else {
            return Ok(());
        };
        app = match profiles.take(name) {
            Some(next) => *next,
            // An older switch, to another profile, was prepared last.
            None => build_app(args, name, &profiles.initial)?,
        };
    }
}

// The help texts of these flags are in the `words` module, as for every command.
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
    #[arg(long)]
    kiosk: bool,
    #[arg(long, requires = "kiosk")]
    room: bool,
    #[arg(long, value_name = "ZONE", requires = "kiosk")]
    time_zone: Option<String>,
    #[arg(long)]
    show_keys: bool,
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Waits for the thread that reads the API contract, and returns its result.
fn join<T>(reader: JoinHandle<Result<T, Complaint>>) -> Result<T, Complaint> {
    reader
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Creates the Tokio runtime for background tasks, with two threads. If these tasks ran on the
/// thread that draws, a typed letter would take a third longer to appear.
fn worker_runtime() -> Result<Runtime, Complaint> {
    let mut runtime = Builder::new_multi_thread();
    runtime
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(Complaint::from_error)
}

fn take_over_screen(
    settings: &Settings,
    presentation: Presentation,
    recorder: Recorder,
    log: &Log,
) -> Result<TerminalScreen, Complaint> {
    let mouse = settings.config.file.mouse.unwrap_or(true);
    TerminalScreen::take_over(mouse, presentation, recorder, log).map_err(Complaint::from_error)
}

/// The recorder of the app, with the file that `--record` names.
fn recorder(record: Option<&Path>) -> Result<Recorder, Complaint> {
    let file =
        record.map(|path| RecordedFile::create(path).map_err(|error| not_created(path, error)));
    Ok(Recorder::new(PathBuf::from("."), file.transpose()?))
}

/// Builds the app for the profile to which the user switches, while the current run continues.
struct OpenProfiles {
    args: GlobalArgs,
    /// The profile's name and the service's origin with which the program started.
    initial: (String, Origin),
    lang: Lang,
    ready: Arc<Locked<Option<Box<App>>>>,
}

impl OpenProfiles {
    /// A function that takes a profile's name and builds the app for that profile. If this fails,
    /// the function returns an error message for the seller.
    fn opener(&self) -> ProfileOpener {
        let args = self.args.clone();
        let initial = self.initial.clone();
        let lang = self.lang;
        let ready = self.ready.clone();
        Arc::new(move |name| {
            let app = build_app(&args, name, &initial);
            let app = app.map_err(|complaint| complaint.describe(Catalogue::of(lang)))?;
            *ready.lock() = Some(Box::new(app));
            Ok(())
        })
    }

    /// Takes the app that was built for the next profile, if that profile has this name.
    fn take(&self, name: &str) -> Option<Box<App>> {
        let app = self.ready.lock().take();
        app.filter(|app| app.chosen.name == name)
    }
}

/// Builds the app for another profile, while the program runs.
fn build_app(args: &GlobalArgs, name: &str, initial: &(String, Origin)) -> Result<App, Complaint> {
    let read = reopen_profile(args, name, initial).and_then(ReadProfile::start);
    read.and_then(App::for_profile)
}

/// The parts of an app that is ready to run.
struct App {
    chosen: ChosenProfile,
    base: BaseUrl,
    contract: Contract,
    connection: NetworkSettings,
    keys: Arc<Keymap>,
    journal: Arc<JournalLocation>,
    vault: VaultHandle,
    vault_source: VaultSource,
    clock: RunClock,
    demo: Option<DemoRun>,
    /// Prepares the switch to another profile. `None` in a demo.
    open_profile: Option<ProfileOpener>,
    /// The model of the previous run, if a demo starts over.
    previous: Option<Box<Model>>,
    /// The log; off in a demo.
    log: Log,
}

/// The demo and its sandbox, if the app runs as a demo instead of with a real service.
struct DemoRun {
    sandbox: Arc<demo::DemoSandbox>,
    autoplay: bool,
}

impl App {
    /// Builds the app for a profile. Waits for the thread that is reading the API contract.
    fn for_profile(read: ReadProfile) -> Result<App, Complaint> {
        let ReadProfile {
            chosen,
            base,
            keys,
            reader,
        } = read;
        let (vault, vault_source) = chosen.vault_and_source(base.origin())?;
        let (contract, connection) = join(reader)?;
        let journal = chosen.journal_location(&base, &vault)?;
        let clock = RunClock::new(&chosen.settings.dirs.state, journal.files().dir());
        Ok(App {
            journal: Arc::new(journal),
            chosen,
            base,
            contract,
            connection,
            keys,
            vault,
            vault_source,
            clock,
            demo: None,
            open_profile: None,
            previous: None,
            log: Log::off(),
        })
    }

    /// Runs the app until the user quits, switches to another profile or starts the demo over.
    /// Returns the model if another run is to begin.
    async fn run(
        &mut self,
        look: &mut RunLook,
        screen: &mut TerminalScreen,
        workers: &Handle,
    ) -> Result<Option<Box<Model>>, Complaint> {
        let clocks = self.clock.clock.clone();
        let first_run_file = self.first_run_file();
        let utc_offset_s = clocks::utc_offset_s(clocks.now().wall);
        let mut setup = self.setup(look.clone(), &screen.theme_names, utc_offset_s);
        if first_run_file.is_some() {
            setup.startup_stage = StartupStage::FirstLink { offered: false };
        }
        let (front_end, size) = screen.begin_run(&setup).map_err(Complaint::from_error)?;
        let (sender, inbox) = mpsc::channel(INBOX_CAPACITY);
        let mut model = Model::new(setup, size, clocks.now());
        model.look = look.unsaved.clone();
        if let Some(previous) = self.previous.take() {
            model.start_over_after(*previous);
        }
        let inbox_sender = Inbox::new(sender.clone());
        screen.recorder.begin_run(&model, inbox_sender.clone());
        let (world, stores) = {
            let _tasks = workers.enter();
            let builder = self.world_builder(&inbox_sender, screen, utc_offset_s);
            builder.map_err(Complaint::from_error)?.build(inbox_sender)
        };
        screen
            .watch(sender, Some(&stores))
            .map_err(Complaint::from_error)?;
        let parts = LoopParts {
            front_end,
            startup_messages: if model.starts_over {
                vec![]
            } else {
                world.startup_messages()
            },
            world,
            workers: workers.clone(),
            inbox,
            clock: Box::new(clocks.clone()),
            theme: screen.theme.clone(),
            frame_record: FrameRecord::default(),
            recorder: screen.recorder.clone(),
            log: self.log.clone(),
            input: &mut screen.input,
        };
        let ended = runtime::run(&mut model, parts).await;
        (look.lang, look.unsaved) = (model.setup.lang, model.look.clone());
        let theme = model.setup.theme.clone();
        look.theme = theme.unwrap_or_else(|| look.theme.clone());
        let money = &stores.money;
        money.on_screen_closed();
        if let Some(file) = first_run_file.filter(|_| model.startup_stage == StartupStage::Known) {
            file.mark_link_created();
        }
        if matches!(ended, Ok(ExitReason::Quit))
            && (model.profiles.next.is_some() || model.starts_over)
            && screen.discard_typed_input().await
        {
            // No withdrawal is being sent when another run is to begin, so this only waits until
            // the last outcome is written to the journal.
            money.wait_for_attempts(FINISH_TIMEOUT);
            stores.close();
            return Ok(Some(Box::new(model)));
        }
        // If drawing failed, treat the terminal as gone, but still finish a withdrawal that is
        // being sent.
        let hung_up = model.hung_up || !matches!(ended, Ok(ExitReason::Quit));
        screen.restore_terminal(hung_up).await;
        let finished = finish(money, &model, hung_up, look.lang, &clocks);
        if self.demo.is_some() {
            // Close all stores, because the demo's directory is removed next.
            stores.close();
        } else {
            stores.begin_closing().wait();
        }
        finished?;
        ended.map(|_| None).map_err(Complaint::from_error)
    }

    /// The first-run setup's state file if the seller has not created a payment link yet.
    fn first_run_file(&self) -> Option<FirstRunFile> {
        let file = FirstRunFile::new(&self.chosen.settings.dirs.state);
        let is_needed = self.demo.is_none() && file.needs_first_link(&self.chosen.name);
        is_needed.then_some(file)
    }

    fn setup(&self, look: RunLook, themes: &[String], utc_offset_s: i32) -> Setup {
        let themes = themes.to_vec();
        let commands = move |lang, faults: &[&str]| {
            let themes: Vec<&str> = themes.iter().map(String::as_str).collect();
            items(lang, faults, &themes)
        };
        let ChosenProfile {
            args,
            settings,
            name,
            profile,
        } = &self.chosen;
        let config = &settings.config;
        let contract = self.contract.clone();
        let keys = self.keys.clone();
        let setup = Setup {
            profile: name.as_str().into(),
            base_url: self.base.as_str().into(),
            origin: self.base.origin().clone(),
            title: profile
                .title
                .as_deref()
                .unwrap_or(self.base.as_str())
                .into(),
            journal: path_text(self.journal.files().dir()),
            this_machine: self.base.is_loopback(),
            is_replay: self.clock.advance.is_some(),
            links: LinkSettings {
                copies_new: config.file.links.copy,
                message: config.link_message.clone(),
                reminder: config.reminder_message.clone(),
            },
            read_only: args.read_only,
            keeps_requests: config.file.requests.keep,
            vault_helper: profile.vault_helper.as_deref().map(Untrusted::from),
            logins: VaultFile::new(&settings.dirs.state, name, self.base.origin()).origins(),
            ..setup(settings, look, contract, keys, utc_offset_s)
        };
        let Some(DemoRun { sandbox, .. }) = &self.demo else {
            let others = self.chosen.other_profiles(self.base.origin());
            let switchable = others.clone();
            let labels = PaletteItems::new(move |lang| {
                [commands(lang, &[]), profile_items(lang, &switchable)].concat()
            });
            let is_used = self.vault.kind() == VaultKind::Environment;
            let unused_secret = args.environment.variable().filter(|_| !is_used);
            return Setup {
                labels,
                others,
                unused_secret,
                ..setup
            };
        };
        let labels =
            PaletteItems::new(move |lang| commands(lang, &demo::FAULTS.map(|(name, _)| name)));
        let title = sandbox.title.as_str().into();
        Setup {
            labels,
            title,
            sandbox: true,
            demo: Some(sandbox.setup()),
            ..setup
        }
    }

    fn world_builder(
        &self,
        inbox: &Inbox,
        screen: &TerminalScreen,
        utc_offset_s: i32,
    ) -> io::Result<WorldBuilder> {
        let mut secrets = SecretFields::default();
        let now = self.clock.clock.now().wall;
        let past = self
            .demo
            .as_ref()
            .map(|demo| demo.sandbox.example_history(self.base.origin(), now));
        let is_kiosk = self
            .demo
            .as_ref()
            .is_some_and(|demo| demo.sandbox.kiosk().is_some());
        let stage = self.demo.as_ref().map(|DemoRun { sandbox, autoplay }| {
            sandbox.fill(&mut secrets);
            sandbox.listen(inbox.clone());
            self.journal
                .set_seed(sandbox.example_withdrawals(self.base.origin(), now));
            if *autoplay {
                sandbox.play(inbox, false);
            }
            sandbox.clone() as Arc<dyn DemoBackend>
        });
        let ChosenProfile {
            args,
            settings,
            name,
            ..
        } = &self.chosen;
        let dirs = settings.dirs.clone();
        let config = dirs.config_file();
        let switch_theme = theme_switch(screen, dirs.clone());
        let is_demo = stage.is_some();
        // A kiosk (a public demo) starts no other program and writes only into its own directory.
        let (display, receipts) = if is_kiosk {
            (DisplayEnvironment::default(), dirs.state.clone())
        } else {
            (screen.display(), PathBuf::from("."))
        };
        Ok(WorldBuilder {
            profile: name.as_str().into(),
            base: self.base.clone(),
            contract: Arc::new(self.contract.clone()),
            agreed_at_start: self.chosen.agreed_at_start(&self.vault),
            limits: Limits {
                is_read_only: args.read_only,
                ..Limits::default()
            },
            network: self.connection.clone(),
            journal: self.journal.clone(),
            seed_history: past,
            state_dir: (!is_demo).then(|| dirs.state.clone()),
            profile_contract: (!is_demo).then(|| ProfileContract {
                dirs,
                profile: name.clone(),
            }),
            vault: Arc::new(Locked::new(self.vault.clone())),
            examiner: doctor::examiner(&self.chosen, self.vault_source),
            clock: self.clock.clock.clone(),
            advance_clock: self.clock.advance.clone(),
            display,
            to_terminal: screen.writer()?,
            demo: stage,
            secrets,
            utc_offset_s,
            receipts_dir: receipts,
            stores_requests: settings.config.file.requests.keep,
            config,
            switch_theme,
            open_profile: self.open_profile.clone(),
            log: self.log.clone(),
        })
    }
}

fn theme_switch(screen: &TerminalScreen, dirs: Dirs) -> ThemeSwitch {
    let themes = screen.themes.clone();
    let automatic = screen.automatic.subscribe();
    Box::new(move |name| {
        let theme = match name {
            AUTOMATIC => Ok(automatic.borrow().clone()),
            name => {
                super::theme(name, &dirs).map(|theme| Arc::new(theme.on(themes.borrow().ground())))
            }
        };
        if let Ok(theme) = theme {
            themes.send_replace(theme);
        }
    })
}

/// A profile whose settings were read. Its API contract is still being read in a thread.
struct ReadProfile {
    chosen: ChosenProfile,
    base: BaseUrl,
    keys: Arc<Keymap>,
    /// The thread that reads the API contract and the network settings, in parallel with the rest
    /// of the start.
    reader: JoinHandle<Result<(Contract, NetworkSettings), Complaint>>,
}

impl ReadProfile {
    fn start(chosen: ChosenProfile) -> Result<ReadProfile, Complaint> {
        let base = chosen.base_url()?;
        let reader_profile = chosen.clone();
        let reader = thread::spawn(move || reader_profile.contract_and_network());
        let keys = keymap(&chosen.settings)?;
        Ok(ReadProfile {
            chosen,
            base,
            keys,
            reader,
        })
    }
}

/// Reads the settings file again for a switch of profiles, and returns the profile with this name.
///
/// The `--base-url` flag and the secrets in environment variables apply only to the profile and
/// origin with which the program was started. All other flags apply to every profile. A typed
/// origin stays agreed to if the user switches back.
fn reopen_profile(
    args: &GlobalArgs,
    name: &str,
    initial: &(String, Origin),
) -> Result<ChosenProfile, Complaint> {
    let args = GlobalArgs {
        profile: Some(name.into()),
        base_url: None,
        ..args.clone()
    };
    let mut chosen = args.chosen_profile()?;
    if (&chosen.name, chosen.base_url()?.origin()) != (&initial.0, &initial.1) {
        let vault = args.vault.filter(|kind| *kind != VaultKind::Environment);
        let agreed_at_start = AgreedAtStart::Nothing;
        chosen.args = GlobalArgs {
            vault,
            environment: Arc::default(),
            agreed_at_start,
            ..args
        };
    }
    Ok(chosen)
}

/// The part of the app's setup that does not depend on the profile.
fn setup(
    settings: &Settings,
    RunLook {
        lang,
        theme,
        ascii,
        motion,
        masks,
        accessible,
        ..
    }: RunLook,
    contract: Contract,
    keys: Arc<Keymap>,
    utc_offset_s: i32,
) -> Setup {
    let window = service::agreed_window(&contract, None, &Limits::default());
    Setup {
        config: path_text(&settings.dirs.config_file()),
        schemas: [money::SCHEMA, history::SCHEMA],
        charge_message: settings.config.charge_message.clone(),
        lang,
        theme: Some(theme),
        ascii,
        is_job: job_control::is_job(),
        links_addresses: !accessible && may_get_title_and_links(environment::text),
        motion: motion && !accessible,
        masks,
        utc_offset_s,
        ..Setup::new(contract, window, keys)
    }
}
