//! `balcao demo`: the app against a sandbox in the same process.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use tempfile::TempDir;

use super::{App, DemoArgs, DemoRun, join, no_terminal, take_screen, worker_runtime};
use crate::cashier::Clock;
use crate::cli::complaint::Complaint;
use crate::cli::{
    ChosenProfile, GlobalArgs, Settings, commands, journal_location, keymap, read_file, sandbox,
    share, shown,
};
use crate::config::Profile;
use crate::demo::{self, DemoClock, Script};
use crate::journal;
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::terminal;
use crate::sandbox::Dialect;
use crate::service::{BaseUrl, NetworkSettings};
use crate::trade::checkup::VaultSource;
use crate::vault::VaultHandle;
use crate::words::{Words, names};

/// Opens the app on a sandbox of its own.
pub fn demo(args: &GlobalArgs, wanted: DemoArgs) -> Result<(), Complaint> {
    let DemoArgs { keep, faults, script, share, dialect } = wanted;
    let (preset, dialect) = match dialect.as_deref().map(sandbox::named_dialect) {
        None => (None, Dialect::default()),
        Some(named) => named.map(|(preset, dialect)| (Some(preset), dialect))?,
    };
    let reading = thread::spawn(move || Ok(demo::contract_in(preset)));
    let settings = args.settings()?;
    let (presentation, keys) = (args.presentation(&settings)?, keymap(&settings)?);
    let look = presentation.look;
    let words = Words::of(look.lang);
    let to_share = share.as_deref().map(|named| share::read(words, named)).transpose()?;
    terminal::check().map_err(no_terminal)?;
    let faults = faults.as_deref().map(sandbox::read_faults).transpose()?;
    let own = script.as_deref().map(|file| read_file(file, Script::of_file)).transpose()?;
    keep.as_deref().map(|dir| keep_in(&settings, words, dir)).transpose()?;
    let named = share.as_deref().unwrap_or_default();
    let agree = |address| share::agree(words, named, address, keep.as_deref());
    let shared = to_share.map(agree).transpose()?;
    // Held to the end: the demo's journal is gone with it.
    let temporary = journal_location::temporary_for_demo()?;
    let workers = worker_runtime()?;
    let contract = join(reading)?;
    let clock = DemoClock::default();
    let moved = clock.clone();
    let plays = own.is_some();
    let props = demo::Props {
        forward: Box::new(move |span| moved.forward(span)),
        journals: keep.is_none().then(|| temporary.path().to_owned()),
        script: own.unwrap_or_else(Script::built_in),
        lang: look.lang,
        keys: keys.clone(),
        dialect,
        login: demo::login_fields(&contract),
    };
    let app = workers.block_on(async {
        let stage = demo::open(faults.unwrap_or_default(), keep.as_deref(), &clock, props).await;
        let mut stage = stage.map_err(Complaint::of)?;
        if let Some(held) = shared {
            stage.share(held).map_err(|fault| share::complaint(words, named, &fault))?;
        }
        let base = address(words, &stage.base_url)?;
        let vault = VaultHandle::memory();
        stage.keep_jwt(&vault, &base, clock.now().wall).await;
        let location = location(keep.as_deref(), &temporary, vault.clone());
        let past = stage.past_withdrawals(base.origin(), clock.now().wall);
        Ok(App {
            chosen: ChosenProfile {
                args: args.clone(),
                settings,
                name: demo::PROFILE.into(),
                profile: Profile::default(),
            },
            journal: location.beginning_with(past),
            base,
            contract,
            connection: NetworkSettings::default(),
            keys,
            vault,
            vault_source: VaultSource::Demo,
            clock: Arc::new(clock),
            demo: Some(DemoRun { stage, plays }),
        })
    })?;
    let mut screen = take_screen(&app.chosen.settings, presentation)?;
    screen.runtime().block_on(app.run(look, &mut screen, None, workers.handle())).map(drop)
}

/// The location of a demo's journal: the directory that keeps it, or one that ends with it.
fn location(keep: Option<&Path>, temporary: &TempDir, vault: VaultHandle) -> JournalLocation {
    match keep {
        Some(dir) => JournalLocation::fixed(dir, vault),
        None => JournalLocation::temporary(&temporary.path().join("journal"), vault),
    }
}

/// Makes the directory that keeps a demo; a place where real money is kept is none for it.
fn keep_in(settings: &Settings, words: &Words, dir: &Path) -> Result<(), Complaint> {
    journal_location::only_for_demo(&settings.places, dir)?;
    let unfit = |trouble| Complaint::text(commands::trouble(words, &shown(dir), &trouble));
    journal::make_dir(dir).map_err(unfit)
}

/// The address of a demo's sandbox.
fn address(words: &Words, text: &str) -> Result<BaseUrl, Complaint> {
    BaseUrl::parse(text).map_err(|why| Complaint::of(words.text(names::address_fault(why))))
}
