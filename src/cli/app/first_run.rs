//! The first-run setup. The app shows it instead of an error if no profile exists.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::terminal_screen::TerminalScreen;
use crate::app::screens::Layer;
use crate::app::store::commands::{PaletteItems, items};
use crate::app::store::first_run::{SetupAnswers, StartupStage};
use crate::app::ui::keys::Keymap;
use crate::app::{Model, Setup};
use crate::cli::complaint::Complaint;
use crate::cli::{GlobalArgs, RunLook, Settings};
use crate::config::{StateFile, StateFileKind, system_roots};
use crate::contract::Contract;
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::first_run::FirstRunWorld;
use crate::runtime::log::Log;
use crate::runtime::{self, ExitReason, FrameRecord, INBOX_CAPACITY, Inbox, LoopParts};
use crate::service::{self, Client, Limits, NetworkSettings};
use crate::trade::VaultKind;

/// The file in the state directory that remembers an unfinished first-run setup.
///
/// Unfinished answers are not stored in the settings file, because other commands would mistake
/// them for a complete profile.
pub struct FirstRunFile(StateFile<ToDo>);

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct ToDo {
    /// The name of the profile that the setup created. The file is removed when the seller creates
    /// the first payment link.
    first_link: Option<String>,
    /// The seller's answers so far, if the seller quit before the setup was complete.
    answers: Option<SetupAnswers>,
}

impl FirstRunFile {
    pub fn new(state: &Path) -> FirstRunFile {
        FirstRunFile(StateFile::new(state, StateFileKind::FirstRun))
    }

    /// True if the seller has not created the first payment link of this profile yet.
    pub fn needs_first_link(&self, profile: &str) -> bool {
        self.read().first_link.as_deref() == Some(profile)
    }

    /// Records that the seller has created the first payment link.
    pub fn mark_link_created(&self) {
        // Ignore errors: at worst, the app offers the form for the first payment link again.
        let _ = std::fs::remove_file(self.0.path());
    }

    /// Reads the state of the setup. If the file cannot be read, the setup starts at the beginning.
    fn read(&self) -> ToDo {
        self.0.read().unwrap_or_default()
    }

    fn write(&self, to_do: &ToDo) {
        // Ignore errors: at worst, the setup asks its questions again.
        let _ = self.0.write(to_do);
    }
}

/// True if the seller has not configured a payments service yet, neither with a flag nor in a
/// profile.
pub fn is_first(args: &GlobalArgs, settings: &Settings) -> bool {
    let file = &settings.config.file;
    let is_named = args.profile.is_some() || args.base_url.is_some() || file.profile.is_some();
    !is_named && file.profiles.is_empty()
}

/// Runs the setup. Returns the name of the profile that it created, or `None` if the user quit.
/// `vault` is the vault named on the command line, which the setup preselects.
pub async fn run(
    settings: &Settings,
    vault: Option<VaultKind>,
    keys: Arc<Keymap>,
    look: RunLook,
    screen: &mut TerminalScreen,
    (workers, log): (&Handle, &Log),
) -> Result<Option<String>, Complaint> {
    let file = FirstRunFile::new(&settings.dirs.state);
    let clock = MachineClocks::new();
    let mut answers = file.read().answers.unwrap_or_default();
    answers.vault = vault.map_or(answers.vault, |kind| kind.name().to_owned());
    let utc_offset_s = clocks::utc_offset_s(clock.now().wall);
    let setup = Setup {
        labels: PaletteItems::new(|lang| items(lang, &[], &[])),
        read_only: true,
        startup_stage: StartupStage::SetUp(Box::new(answers)),
        ..super::setup(settings, look, Contract::built_in(), keys, utc_offset_s)
    };
    let (front_end, size) = screen.front_end().map_err(Complaint::from_error)?;
    let (sender, inbox) = mpsc::channel(INBOX_CAPACITY);
    let mut model = Model::new(setup, size, clock.now());
    let inbox_sender = Inbox::new(sender.clone());
    screen.recorder.begin_run(&model, inbox_sender.clone());
    let clocks = MachineClocks::new();
    let client = Client::new(
        Limits {
            is_read_only: true,
            ..Limits::default()
        },
        NetworkSettings::default().with_system_roots(system_roots::read),
        Arc::new(service::no_consent),
        Arc::new(move || clocks.now()),
        // Discard the recorded HTTP requests, because the setup has no screen that lists them.
        Arc::new(|_| ()),
    );
    let world = FirstRunWorld::new(client, settings.dirs.config_file(), inbox_sender);
    screen.watch(sender, None).map_err(Complaint::from_error)?;
    let parts = LoopParts {
        front_end,
        startup_messages: vec![],
        world,
        workers: workers.clone(),
        inbox,
        clock: Box::new(clock),
        theme: screen.theme.clone(),
        frame_record: FrameRecord::default(),
        recorder: screen.recorder.clone(),
        log: log.clone(),
        input: &mut screen.input,
    };
    let ended = runtime::run(&mut model, parts).await;
    let next = model
        .profiles
        .next
        .take()
        .filter(|_| matches!(ended, Ok(ExitReason::Quit)));
    let to_do = match &next {
        Some(name) => ToDo {
            first_link: Some(name.to_string()),
            answers: None,
        },
        None => ToDo {
            first_link: None,
            answers: unfinished_answers(&model),
        },
    };
    file.write(&to_do);
    match next {
        Some(name) if screen.discard_typed_input().await => Ok(Some(name.to_string())),
        _ => {
            let hung_up = model.hung_up || !matches!(ended, Ok(ExitReason::Quit));
            screen.restore_terminal(hung_up).await;
            ended.map(|_| None).map_err(Complaint::from_error)
        }
    }
}

/// The seller's answers so far, if the setup is not finished.
fn unfinished_answers(model: &Model) -> Option<SetupAnswers> {
    model.layers.iter().find_map(|layer| match layer {
        Layer::FirstRun(page) => Some(page.answers_to_save()),
        _ => None,
    })
}
