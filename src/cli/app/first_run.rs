//! The first start, without any profile: a set-up in place of a complaint.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::terminal_screen::TerminalScreen;
use crate::app::screens::Layer;
use crate::app::store::commands::{PaletteLines, items};
use crate::app::store::first_run::{Answers, Beginning};
use crate::app::ui::keys::Keymap;
use crate::app::{Model, Setup};
use crate::cli::complaint::Complaint;
use crate::cli::{GlobalArgs, RunLook, Settings};
use crate::config::StateFile;
use crate::contract::Contract;
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::first_run::FirstRunWorld;
use crate::runtime::{self, Drawing, Ended, INBOX, Inbox, LoopParts};
use crate::service::{self, Client, Limits, NetworkSettings};

/// The file of what is still to be done, in the directory of what the program remembers.
///
/// The answers stand there and not in the seller's own file: half a profile in it would be taken
/// for a whole one, by the other commands too.
pub struct FirstRunFile(StateFile<ToDo>);

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct ToDo {
    /// The profile that was set up, and whose first link was not made yet.
    first_link: Option<String>,
    /// The answers of a set-up that was left.
    answers: Option<Answers>,
}

impl FirstRunFile {
    /// The file below this directory.
    pub fn new(state: &Path) -> FirstRunFile {
        FirstRunFile(StateFile::new(state.join("first-run.toml"), ""))
    }

    /// Returns true when the first link of this profile was not made yet.
    pub fn waits_for_link(&self, profile: &str) -> bool {
        self.read().first_link.as_deref() == Some(profile)
    }

    /// Notes that the first link of a profile was made.
    pub fn link_made(&self) {
        // A comfort: where it cannot be deleted, the form is offered once more.
        let _ = std::fs::remove_file(self.0.path());
    }

    /// What is to be done; a file that cannot be read says nothing, and the set-up begins anew.
    fn read(&self) -> ToDo {
        self.0.read().unwrap_or_default()
    }

    fn write(&self, to_do: &ToDo) {
        // A comfort too: without it the questions are asked again.
        let _ = self.0.write(to_do);
    }
}

/// Returns true where nothing names a service: no flag, and no profile in the file.
pub fn is_first(args: &GlobalArgs, settings: &Settings) -> bool {
    let file = &settings.config.file;
    let is_named = args.profile.is_some() || args.base_url.is_some() || file.profile.is_some();
    !is_named && file.profiles.is_empty()
}

/// Runs the set-up; returns the profile that it wrote, or none when it was left.
pub async fn run(
    settings: &Settings,
    keys: Arc<Keymap>,
    look: RunLook,
    screen: &mut TerminalScreen,
    workers: &Handle,
) -> Result<Option<String>, Complaint> {
    let file = FirstRunFile::new(&settings.places.state);
    let clock = MachineClocks::new();
    let answers = file.read().answers.unwrap_or_default();
    let offset = clocks::utc_offset_s(clock.now().wall);
    let setup = Setup {
        labels: PaletteLines::new(move || items(look.lang, &[])),
        read_only: true,
        beginning: Beginning::SetUp(Box::new(answers)),
        ..super::setup(settings, look, Contract::built_in(), keys, offset)
    };
    let (surface, size) = screen.surface().map_err(Complaint::of)?;
    let (sender, inbox) = mpsc::channel(INBOX);
    let mut model = Model::new(setup, size, clock.now());
    let inbox_in = Inbox::new(sender.clone());
    let clocks = MachineClocks::new();
    let client = Client::new(
        Limits { reads_only: true, ..Limits::default() },
        NetworkSettings::default(),
        Arc::new(service::no_consent),
        Arc::new(move || clocks.now()),
        // No exchange is shown here.
        Arc::new(|_| ()),
    );
    let world = FirstRunWorld::new(client, settings.places.config_file(), inbox_in);
    screen.watch(sender, None).map_err(Complaint::of)?;
    let parts = LoopParts {
        surface,
        known: None,
        world,
        workers: workers.clone(),
        inbox,
        clock: Box::new(clock),
        theme: screen.theme.clone(),
        drawn: Drawing::default(),
        input: &mut screen.input,
    };
    let ended = runtime::run(&mut model, parts).await;
    let next = model.profiles.next.take().filter(|_| matches!(ended, Ok(Ended::Left)));
    let to_do = match &next {
        Some(name) => ToDo { first_link: Some(name.to_string()), answers: None },
        None => ToDo { first_link: None, answers: answers_of(&model) },
    };
    file.write(&to_do);
    match next {
        Some(name) if screen.drop_typed_ahead().await => Ok(Some(name.to_string())),
        _ => {
            screen.give_back();
            ended.map(|_| None).map_err(Complaint::of)
        }
    }
}

/// The answers of the set-up on the screen.
fn answers_of(model: &Model) -> Option<Answers> {
    model.layers.iter().find_map(|layer| match layer {
        Layer::FirstRun(page) => Some(page.answers_to_keep()),
        _ => None,
    })
}
