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
    GlobalArgs, Settings, address, in_config, json_line, keymap, language_unless_wrong, no_places,
    profile_contract, variable,
};
use crate::app::ui::geometry::LEAST;
use crate::app::ui::text::wrap;
use crate::config::{self, Config, Dirs, Profile};
use crate::contract::{Contract, Preset};
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::doctor::{Examined, Examiner, HomeName};
use crate::runtime::journal_location::{JournalLocation, LiveJournal};
use crate::runtime::world::ContractConsent;
use crate::service::{BaseUrl, Client, Limits, NetworkSettings, Service, no_consent};
use crate::trade::checkup::{
    CheckupFinding, PlaceKind, SettingsFault, SettingsPart, VaultSource, Verdict, WindowFound,
};
use crate::trade::{Origin, Untrusted};
use crate::vault::VaultHandle;
use crate::view::Theme;
use crate::words::{Words, checkup};

/// Examines everything and prints it; 1 where something is broken.
pub fn run(args: &GlobalArgs, as_json: bool) -> Result<ExitCode, Complaint> {
    let words = args.words_in(language_unless_wrong(args.lang.as_deref()));
    let survey = Survey::of(args, words);
    let now = MachineClocks::new().now().wall;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Complaint::of)?;
    let checkup = runtime.block_on(async {
        let examined = survey.examined().await;
        survey.examiner.examine(window(), &examined, now).await
    });
    // What hangs may hang on: nobody waits for it.
    runtime.shutdown_background();
    if as_json {
        print_line(&json_line::of(&json::checkup(&checkup)))?;
    } else {
        let at = (now, clocks::utc_offset_s(now));
        let columns = match window() {
            WindowFound::Size { columns, .. } => usize::from(columns),
            WindowFound::NoTerminal => usize::MAX,
        };
        let lines = checkup::report(words, &checkup, at, true);
        let rows = lines.iter().flat_map(|line| rows(line, columns));
        rows.into_iter().try_for_each(|row| print_line(&row))?;
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

/// The size of the window on standard output.
fn window() -> WindowFound {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    match size.ok().filter(|_| io::stdout().is_terminal()) {
        Some(size) => WindowFound::Size {
            columns: size.ws_col,
            rows: size.ws_row,
            least_columns: LEAST.columns,
            least_rows: LEAST.rows,
        },
        None => WindowFound::NoTerminal,
    }
}

/// The examiner of a run whose settings could be used.
pub fn examiner(
    args: &GlobalArgs,
    settings: &Settings,
    profile: &Profile,
    vault_source: VaultSource,
) -> Examiner {
    let file = &settings.config.file;
    Examiner {
        places: places(args, settings, profile),
        home: HomeName::from_variables(|name| std::env::var(name).ok()),
        terminal: terminal::found(args.theme.is_some(), file.ascii, |name| {
            std::env::var(name).ok()
        }),
        settings: vec![CheckupFinding::Settings { profiles: file.profiles.len() }],
        vault_source,
        vault_command: profile.vault_helper.as_deref().map(Untrusted::from),
    }
}

/// The examiner of a demo, which has neither a profile nor a vault of the seller's.
pub fn demo_examiner(args: &GlobalArgs, settings: &Settings) -> Examiner {
    examiner(args, settings, &Profile::default(), VaultSource::Demo)
}

/// The files and directories that a run uses.
fn places(args: &GlobalArgs, settings: &Settings, profile: &Profile) -> Vec<(PlaceKind, PathBuf)> {
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

/// What is examined, as far as the settings lead to it.
struct Survey {
    examiner: Examiner,
    profile: String,
    contract: Option<Arc<Contract>>,
    connection: Option<NetworkSettings>,
    base: Option<BaseUrl>,
    vault: Option<VaultHandle>,
    location: Option<Arc<JournalLocation>>,
}

/// The faults of settings, in the words of a language.
struct SettingsFaults {
    words: &'static Words,
    noted: Vec<SettingsFault>,
}

impl SettingsFaults {
    /// The value, or the note that this part of the settings cannot be used.
    fn or_noted<T>(&mut self, part: SettingsPart, read: Result<T, Complaint>) -> Option<T> {
        let complaint = match read {
            Ok(value) => return Some(value),
            Err(complaint) => complaint,
        };
        self.noted.push(SettingsFault { part, told: complaint.describe(self.words).into() });
        None
    }
}

impl Survey {
    fn of(args: &GlobalArgs, words: &'static Words) -> Survey {
        let mut faults = SettingsFaults { words, noted: Vec::new() };
        let places = Dirs::find(variable).map_err(no_places);
        let mut survey = match faults.or_noted(SettingsPart::Directories, places) {
            Some(places) => Survey::in_places(args, places, &mut faults),
            None => Survey::without_places(args),
        };
        if !faults.noted.is_empty() {
            survey.examiner.settings.clear();
        }
        faults.noted.into_iter().for_each(|fault| survey.examiner.note_fault(fault));
        survey
    }

    fn without_places(args: &GlobalArgs) -> Survey {
        let nowhere = Dirs { config: PathBuf::new(), state: PathBuf::new() };
        let settings = Settings { places: nowhere, config: Config::default() };
        let examiner = examiner(args, &settings, &Profile::default(), VaultSource::Nobody);
        Survey {
            examiner: Examiner { places: Vec::new(), ..examiner },
            profile: String::new(),
            contract: None,
            connection: None,
            base: None,
            vault: None,
            location: None,
        }
    }

    fn in_places(args: &GlobalArgs, places: Dirs, faults: &mut SettingsFaults) -> Survey {
        let loaded = config::load(&places).map_err(in_config);
        let loaded = faults.or_noted(SettingsPart::Files, loaded);
        let is_read = loaded.is_some();
        let settings = Settings { places, config: loaded.unwrap_or_default() };
        let named = match is_read {
            true => faults.or_noted(SettingsPart::Profile, args.profile(&settings.config)),
            false => None,
        };
        if is_read {
            faults.or_noted(SettingsPart::Appearance, args.presentation(&settings).map(drop));
            faults.or_noted(SettingsPart::Keys, keymap(&settings).map(drop));
        }
        let has_profile = named.is_some();
        let (name, profile) = named.unwrap_or_default();
        let base = address::named_base_url(args, &settings, (&name, &profile));
        let base = faults.or_noted(SettingsPart::Address, base).flatten();
        // Nothing is said of what a profile that cannot be read may have named.
        let way = profile_contract::connection(&settings.places, &profile);
        let connection = faults.or_noted(SettingsPart::Network, way);
        let reads_contract = has_profile && connection.is_some();
        let contract = reads_contract.then(|| profile_contract::read(&settings, &profile));
        let contract = contract.and_then(|read| faults.or_noted(SettingsPart::Contract, read));
        let origin = base.as_ref().map_or(Origin("".into()), |base| base.origin().clone());
        let chosen = (has_profile || args.vault.is_some())
            .then(|| args.vault_and_source(&settings, (&name, &profile), &origin));
        let chosen = chosen.and_then(|chosen| faults.or_noted(SettingsPart::Vault, chosen));
        let (vault, source) = chosen.unzip();
        let markers = vault.clone().unwrap_or_else(VaultHandle::memory);
        let location = match &base {
            Some(base) => settings.journal_location(base, markers),
            None => JournalLocation::live(LiveJournal::new(&settings.places), markers),
        };
        Survey {
            examiner: examiner(args, &settings, &profile, source.unwrap_or_default()),
            profile: name,
            contract: contract.map(Arc::new),
            connection,
            base,
            vault,
            location: Some(Arc::new(location)),
        }
    }

    /// The parts that are examined, put together as the app does it.
    async fn examined(&self) -> Examined {
        let contract = self.contract.clone();
        // A sign of life is asked for in the same way under every contract.
        let spoken = contract.clone().unwrap_or_else(|| Arc::new(Contract::built_in()));
        let limits = Limits { reads_only: true, ..Limits::default() };
        let pending = match (&self.base, &self.vault, &contract) {
            (Some(base), Some(vault), Some(contract)) => {
                let profile = (&*self.profile, base.origin());
                let vault = Arc::new(Mutex::new(vault.clone()));
                let consent =
                    ContractConsent::new(profile, contract.clone(), limits.clone(), vault);
                consent.pending().await.ok()
            }
            _ => None,
        };
        let service = self.base.clone().zip(self.connection.clone()).map(|(base, connection)| {
            let clocks = Arc::new(MachineClocks::new());
            let now = Arc::new(move || clocks.now());
            let client =
                Client::new(limits, connection, Arc::new(no_consent), now, Arc::new(|_| ()));
            Service::new(base, spoken, client)
        });
        Examined {
            profile: self.profile.as_str().into(),
            contract,
            pending,
            vault: self.vault.clone(),
            base: self.base.clone(),
            service,
            location: self.location.clone(),
        }
    }
}
