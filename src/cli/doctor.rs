//! `balcao doctor`: examines this computer, the settings and the service, and says what to do.
//!
//! Settings that cannot be used are findings too: what does not depend on them is examined all the
//! same.

mod json;
mod terminal;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use super::complaint::Complaint;
use super::output::print_line;
use super::{
    ChosenProfile, GlobalArgs, Settings, in_config, json_line, keymap, language_unless_wrong,
    no_places, profile_contract, variable,
};
use crate::app::ui::geometry::LEAST;
use crate::app::ui::text::wrap;
use crate::config::{self, Config, Dirs, Profile};
use crate::contract::{Contract, Preset};
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::doctor::{Examined, Examiner, HomeName};
use crate::runtime::journal_location::{JournalLocation, LiveJournal};
use crate::runtime::world::ContractConsent;
use crate::service::{Client, Limits, Service, no_consent};
use crate::trade::checkup::{self as found, Finding, PlaceKind, VaultSource, Verdict};
use crate::trade::{Origin, Untrusted};
use crate::vault::VaultHandle;
use crate::view::Theme;
use crate::words::{Words, checkup};

/// Examines everything and prints it; 1 where something is broken.
pub fn run(args: &GlobalArgs, as_json: bool) -> Result<ExitCode, Complaint> {
    let words = args.words_in(language_unless_wrong(args.lang.as_deref()));
    let now = MachineClocks::new().now().wall;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Complaint::of)?;
    let checkup = runtime.block_on(async {
        let (examiner, examined) = survey(args, words).await;
        let window = found::window(window(), [LEAST.columns, LEAST.rows]);
        examiner.examine(window, &examined, now).await
    });
    // What hangs may hang on: nobody waits for it.
    runtime.shutdown_background();
    if as_json {
        print_line(&json_line::of(&json::checkup(&checkup)))?;
    } else {
        let at = (now, clocks::utc_offset_s(now));
        let columns = window().map_or(usize::MAX, |[columns, _]| usize::from(columns));
        let lines = checkup::report(words, &checkup, at, true);
        let mut rows = lines.iter().flat_map(|line| rows(line, columns));
        rows.try_for_each(|row| print_line(&row))?;
    }
    let is_broken = checkup.verdict() == Verdict::Broken;
    Ok(if is_broken { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// A line of the report in rows of so many columns: what is long goes on below its own words.
fn rows(line: &str, columns: usize) -> Vec<String> {
    // Where there is hardly any room, the terminal breaks the lines itself.
    if columns < 3 * checkup::INDENT {
        return vec![line.to_owned()];
    }
    let words = line.char_indices().nth(checkup::INDENT).filter(|_| line.starts_with("  ["));
    let Some((start, _)) = words else { return wrap(line, columns) };
    let (verdict, words) = line.split_at(start);
    let mut rows = wrap(&format!("{}{words}", " ".repeat(checkup::INDENT)), columns);
    if let Some(first) = rows.first_mut() {
        first.replace_range(..checkup::INDENT, verdict);
    }
    rows
}

/// The columns and rows of the window on standard output, if it is one.
fn window() -> Option<[u16; 2]> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    let size = size.ok().filter(|_| io::stdout().is_terminal())?;
    Some([size.ws_col, size.ws_row])
}

/// The examiner of a run whose settings could be used.
pub fn examiner(chosen: &ChosenProfile, vault_source: VaultSource) -> Examiner {
    let ChosenProfile { args, settings, profile, .. } = chosen;
    let file = &settings.config.file;
    let variable = |name: &str| std::env::var(name).ok();
    Examiner {
        places: places(chosen),
        home: HomeName::from_variables(variable),
        terminal: terminal::found(args.theme.is_some(), file.ascii, variable),
        settings: vec![found::settings(file.profiles.len())],
        vault_source,
        vault_command: profile.vault_helper.as_deref().map(Untrusted::from),
    }
}

/// The files and directories that a run uses.
fn places(chosen: &ChosenProfile) -> Vec<(PlaceKind, PathBuf)> {
    let ChosenProfile { args, settings, profile, .. } = chosen;
    let Dirs { config, state } = &settings.places;
    let mut places = vec![
        (PlaceKind::ConfigDir, config.clone()),
        (PlaceKind::ConfigFile, settings.places.config_file()),
        (PlaceKind::KeysFile, config.join("keys.toml")),
    ];
    let theme = args.theme.as_deref().or(settings.config.file.theme.as_deref());
    let theme = theme.filter(|name| Theme::named(name).is_none());
    places
        .extend(theme.map(|name| {
            (PlaceKind::ThemeFile, config.join("themes").join(format!("{name}.toml")))
        }));
    let files = profile.contract.0.iter().filter(|name| Preset::named(name).is_none());
    places.extend(files.map(|name| (PlaceKind::ContractFile, config.join(name))));
    places.extend(profile.ca_file.iter().map(|name| (PlaceKind::CaFile, config.join(name))));
    places.push((PlaceKind::StateDir, state.clone()));
    places.push((PlaceKind::VaultsFile, state.join("vaults.toml")));
    places
}

/// The faults of settings, in the words of a language.
struct SettingsFaults {
    words: &'static Words,
    noted: Vec<Finding>,
}

impl SettingsFaults {
    /// The value, or the note that this part of the settings cannot be used.
    fn or_noted<T>(&mut self, part: &'static str, read: Result<T, Complaint>) -> Option<T> {
        let note = |complaint: Complaint| {
            self.noted.push(found::settings_fault(part, complaint.describe(self.words).into()));
        };
        read.map_err(note).ok()
    }
}

/// What is examined, as far as the settings lead to it, put together as the app does it.
async fn survey(args: &GlobalArgs, words: &'static Words) -> (Examiner, Examined) {
    let mut faults = SettingsFaults { words, noted: Vec::new() };
    let places = Dirs::find(variable).map_err(no_places);
    let places = faults.or_noted("directories", places);
    let has_places = places.is_some();
    let nowhere = || Dirs { config: PathBuf::new(), state: PathBuf::new() };
    let mut chosen = ChosenProfile {
        args: args.clone(),
        settings: Settings { places: places.unwrap_or_else(nowhere), config: Config::default() },
        name: String::new(),
        profile: Profile::default(),
    };
    let (mut examined, mut source) = (Examined::default(), VaultSource::Nobody);
    if has_places {
        (examined, source) = in_places(&mut chosen, &mut faults).await;
    }
    let mut examiner = examiner(&chosen, source);
    if !has_places {
        examiner.places.clear();
    }
    if !faults.noted.is_empty() {
        examiner.settings = faults.noted;
    }
    (examiner, examined)
}

/// Reads the settings in the directories of a profile; returns what they lead to, and the source
/// that chose the vault.
async fn in_places(
    chosen: &mut ChosenProfile,
    faults: &mut SettingsFaults,
) -> (Examined, VaultSource) {
    let loaded = config::load(&chosen.settings.places).map_err(in_config);
    let mut has_profile = false;
    if let Some(config) = faults.or_noted("files", loaded) {
        chosen.settings.config = config;
        let (args, settings) = (&chosen.args, &chosen.settings);
        let named = faults.or_noted("profile", args.profile(&settings.config));
        faults.or_noted("appearance", args.presentation(settings).map(drop));
        faults.or_noted("keys", keymap(settings).map(drop));
        has_profile = named.is_some();
        (chosen.name, chosen.profile) = named.unwrap_or_default();
    }
    let base = faults.or_noted("address", chosen.named_base_url()).flatten();
    // Nothing is said of what a profile that cannot be read may have named.
    let way = profile_contract::connection(&chosen.settings.places, &chosen.profile);
    let connection = faults.or_noted("network", way);
    let reads_contract = has_profile && connection.is_some();
    let contract = reads_contract.then(|| chosen.contract());
    let contract = contract.and_then(|read| faults.or_noted("contract", read));
    let contract = contract.map(Arc::new);
    let origin = base.as_ref().map_or(Origin("".into()), |base| base.origin().clone());
    let vault = (has_profile || chosen.args.vault.is_some())
        .then(|| chosen.vault_and_source(&origin))
        .and_then(|vault| faults.or_noted("vault", vault));
    let (vault, source) = vault.unzip();
    let markers = vault.clone().unwrap_or_else(VaultHandle::memory);
    let location = match &base {
        Some(base) => chosen.settings.journal_location(base, markers),
        None => JournalLocation::live(LiveJournal::new(&chosen.settings.places), markers),
    };
    let limits = Limits { reads_only: true, ..Limits::default() };
    let mut pending = None;
    if let (Some(_), Some(vault), Some(contract)) = (&base, &vault, &contract) {
        let (profile, vault) = ((&*chosen.name, &origin), Arc::new(Mutex::new(vault.clone())));
        let consent = ContractConsent::new(profile, contract.clone(), limits.clone(), vault);
        pending = consent.pending().await.ok();
    }
    // A sign of life is asked for in the same way under every contract.
    let spoken = contract.clone().unwrap_or_else(|| Arc::new(Contract::built_in()));
    let service = base.clone().zip(connection).map(|(base, connection)| {
        let clocks = MachineClocks::new();
        let now = Arc::new(move || clocks.now());
        let client = Client::new(limits, connection, Arc::new(no_consent), now, Arc::new(|_| ()));
        Service::new(base, spoken, client)
    });
    let (profile, location) = (chosen.name.as_str().into(), Some(Arc::new(location)));
    let examined = Examined { profile, contract, pending, vault, base, service, location };
    (examined, source.unwrap_or_default())
}
