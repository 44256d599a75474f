//! The command `balcao doctor`: examines this computer, the settings and the service, and suggests
//! remedies.
//!
//! Invalid settings are reported as findings, and the rest is still examined as far as possible.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::{Value, json};

use super::complaint::Complaint;
use super::json_line::{self, moment};
use super::output::print_line;
use super::{
    ChosenProfile, GlobalArgs, Settings, has_256_colours, has_letters_only, in_config, keymap,
    language_unless_wrong, locale, no_places, profile, variable,
};
use crate::app::ui::geometry::MIN_SIZE;
use crate::app::ui::text::wrap;
use crate::config::{self, Config, Dirs, Profile, environment};
use crate::contract::{Contract, Preset};
use crate::runtime::clipboard;
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::display_environment::DisplayEnvironment;
use crate::runtime::doctor::{Examined, Examiner, HomeName};
use crate::runtime::journal_location::{JournalLocation, LiveJournal};
use crate::runtime::world::{ContractConsent, ProfileVault};
use crate::service::{Client, Limits, Service, no_consent};
use crate::trade::checkup::{
    self as found, Checkup, ColourSource, Fact, Finding, LetterSet, PlaceKind, VaultSource, Verdict,
};
use crate::trade::{Origin, Untrusted};
use crate::vault::VaultHandle;
use crate::view::Theme;
use crate::words::{Catalogue, checkup};

/// Runs the checkup and prints its report. The exit code is 1 if something is broken.
pub fn run(args: &GlobalArgs, json: bool) -> Result<ExitCode, Complaint> {
    let words = args.words_in(language_unless_wrong(args.lang.as_deref()));
    let now = MachineClocks::new().now().wall;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Complaint::of)?;
    let checkup = runtime.block_on(async {
        let (examiner, examined) = survey(args, words).await;
        let window = found::window(window(), [MIN_SIZE.columns, MIN_SIZE.rows]);
        examiner.examine(window, &examined, now).await
    });
    // Return now, even if some checks still hang.
    runtime.shutdown_background();
    if json {
        print_line(&json_line::of(&as_json(&checkup)))?;
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

/// Wraps a line of the report at the terminal's width. Continuation rows are indented.
fn rows(line: &str, columns: usize) -> Vec<String> {
    // Leave the wrapping to the terminal if it is very narrow.
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

/// Returns the number of columns and rows if standard output is a terminal.
fn window() -> Option<[u16; 2]> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    let size = size.ok().filter(|_| io::stdout().is_terminal())?;
    Some([size.ws_col, size.ws_row])
}

pub fn examiner(chosen: &ChosenProfile, vault_source: VaultSource) -> Examiner {
    let ChosenProfile { args, settings, profile, .. } = chosen;
    let file = &settings.config.file;
    let ascii = args.ascii.then_some(true).or(file.ascii);
    Examiner {
        places: places(chosen),
        home: HomeName::from_variables(environment::text),
        terminal: terminal_findings(args.theme.is_some(), ascii, environment::text),
        settings: vec![found::settings(file.profiles.len())],
        vault_source,
        vault_command: profile.vault_helper.as_deref().map(Untrusted::from),
    }
}

/// Returns the files and directories that the app would use.
fn places(chosen: &ChosenProfile) -> Vec<(PlaceKind, PathBuf)> {
    let ChosenProfile { args, settings, profile, .. } = chosen;
    if environment::is_kiosk() {
        return Vec::new();
    }
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

/// Collects errors in the settings as findings for the report, so that the checkup can continue
/// after an error.
struct SettingsFaults {
    words: &'static Catalogue,
    noted: Vec<Finding>,
}

impl SettingsFaults {
    /// Returns the value if it could be read. Otherwise, records a finding about `part` (such as
    /// "network") and returns `None`.
    fn or_noted<T>(&mut self, part: &'static str, read: Result<T, Complaint>) -> Option<T> {
        let note = |complaint: Complaint| {
            self.noted.push(found::settings_fault(part, complaint.describe(self.words).into()));
        };
        read.map_err(note).ok()
    }
}

/// Reads the settings as the app does, and returns what the checkup will examine. Errors in the
/// settings become findings.
async fn survey(args: &GlobalArgs, words: &'static Catalogue) -> (Examiner, Examined) {
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

/// Reads the settings. Returns what the checkup will examine, and where the choice of vault came
/// from: a flag, the profile, the last login or the default.
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
    // If the profile could not be read, `chosen.profile` is empty, so there are no network
    // settings.
    let way = profile::connection(&chosen.settings.places, &chosen.profile);
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
        Some(base) => JournalLocation::for_service(base, &chosen.settings.places, markers),
        None => JournalLocation::live(LiveJournal::new(&chosen.settings.places), markers),
    };
    let limits = Limits { reads_only: true, ..Limits::default() };
    let mut pending = None;
    if let (Some(_), Some(vault), Some(contract)) = (&base, &vault, &contract) {
        let vault = ProfileVault::new(&chosen.name, &origin, vault.clone());
        let consent = ContractConsent::new(vault, contract.clone(), limits.clone());
        pending = consent.pending().await.ok();
    }
    // If the API contract could not be read, use the built-in one, because the health check does
    // not depend on the contract.
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

/// The version of the JSON format. A new key in the format does not change the version.
const FORMAT: u32 = 1;

/// Returns the checkup as a JSON object for scripts and support, without personal data.
///
/// Text from files and other programs is left out, because it may contain personal data.
fn as_json(checkup: &Checkup) -> Value {
    let count = |verdict: Verdict| (verdict.name().to_owned(), checkup.count(verdict).into());
    json!({
        "format": FORMAT,
        "verdict": checkup.verdict().name(),
        "counts": Value::Object(Verdict::ALL.into_iter().map(count).collect()),
        "findings": checkup.findings().iter().map(finding_json).collect::<Vec<_>>(),
    })
}

fn finding_json(finding: &Finding) -> Value {
    let facts = finding.facts.iter().map(|(name, fact)| ((*name).to_owned(), fact_json(fact)));
    json!({
        "id": finding.id,
        "verdict": finding.verdict.name(),
        "facts": Value::Object(facts.collect()),
    })
}

fn fact_json(fact: &Fact) -> Value {
    match fact {
        Fact::Nothing => Value::Null,
        Fact::Flag(flag) => (*flag).into(),
        Fact::Number(number) => (*number).into(),
        Fact::Text(text) => text.as_str().into(),
        Fact::Texts(texts) => texts.as_slice().into(),
        Fact::Moment(at) => moment(*at).into(),
    }
}

/// Returns the findings about the terminal. `ascii` is the setting `ascii` in the settings file.
fn terminal_findings(
    names_theme: bool,
    ascii: Option<bool>,
    variable: impl Fn(&str) -> Option<String>,
) -> Vec<Finding> {
    let display = DisplayEnvironment::from_variables(&variable);
    let path = variable("PATH").map(OsString::from).unwrap_or_default();
    let name = variable("TERM").filter(|name| !name.is_empty());
    vec![
        found::terminal(name.map(Into::into), display.tmux, display.ssh),
        found::colours(colours(names_theme, &variable)),
        found::letters(&letters(ascii, &variable)),
        found::copying(clipboard::way(&display, &path)),
    ]
}

/// Returns the colours that the app uses, and the reason. The `--theme` flag overrides `NO_COLOR`.
fn colours(names_theme: bool, variable: impl Fn(&str) -> Option<String>) -> ColourSource {
    let no_color = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    match no_color && !names_theme {
        true => ColourSource::NoColour,
        false if has_256_colours(variable) => ColourSource::Many,
        false => ColourSource::Few,
    }
}

fn letters(ascii: Option<bool>, variable: impl Fn(&str) -> Option<String>) -> LetterSet {
    match ascii {
        Some(true) => LetterSet::ByChoice,
        Some(false) => LetterSet::All,
        None if !has_letters_only(&variable) => LetterSet::All,
        None if variable("TERM").is_some_and(|name| name == "linux") => LetterSet::Console,
        None => LetterSet::Locale(locale("LC_CTYPE", variable).unwrap_or_default().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::checkup::{
        CertificateFault, ContractFound, CopyWay, CredentialFound, FileOwner, HostFault, HostReply,
        JournalFound, NameFound, PlaceState, VaultUse,
    };
    use crate::trade::{CredentialKind, JournalTrouble, VaultKind, VaultTrouble, Wall};

    fn of<'a>(variables: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |wanted| {
            let found = variables.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn letters_follow_config_then_console_then_locale() {
        let utf8 = [("LANG", "pt_BR.UTF-8")];
        let c = [("LC_ALL", "C"), ("LANG", "pt_BR.UTF-8")];
        let console = [("TERM", "linux"), ("LANG", "C")];
        assert_eq!(letters(None, of(&utf8)), LetterSet::All);
        assert_eq!(letters(None, of(&[])), LetterSet::All);
        assert_eq!(letters(None, of(&c)), LetterSet::Locale("C".into()));
        assert_eq!(letters(None, of(&console)), LetterSet::Console);
        assert_eq!(letters(Some(false), of(&c)), LetterSet::All);
        assert_eq!(letters(Some(true), of(&utf8)), LetterSet::ByChoice);
    }

    #[test]
    fn no_color_beats_terminal_and_named_theme_beats_both() {
        type Row<'a> = (&'a [(&'a str, &'a str)], bool, ColourSource);
        let table: [Row<'_>; 5] = [
            (&[("TERM", "xterm-256color")], false, ColourSource::Many),
            (&[("TERM", "xterm")], false, ColourSource::Few),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "1")], false, ColourSource::NoColour),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "1")], true, ColourSource::Many),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "")], false, ColourSource::Many),
        ];
        for (variables, names_theme, source) in table {
            assert_eq!(colours(names_theme, of(variables)), source, "{variables:?}");
        }
    }

    /// A sample of text from a file or another program. The JSON report must not contain it,
    /// because such text may be personal data.
    const THEIRS: &str = "canary@loja.example";

    fn network() -> Vec<Finding> {
        let fault = HostFault::Certificate(CertificateFault::Expired);
        vec![
            found::address(None, false),
            found::address(Some(&Origin("https://api.example.com".into())), false),
            found::name(NameFound::NotNeeded),
            found::name(NameFound::Found { v4: 1, v6: 0 }),
            found::service(HostReply::Answered { status: 200, is_encrypted: true }),
            found::service(HostReply::Failed(fault)),
            found::clock(Some(-3)),
            found::clock(None),
        ]
    }

    /// Returns examples of all kinds of findings, in all variants.
    fn all() -> Vec<Finding> {
        use PlaceKind::*;
        let damaged = || JournalTrouble::Damaged(THEIRS.into());
        let vault = |state| found::vault(VaultKind::Keyring, VaultSource::Profile, state, None);
        let mut all = vec![
            found::window(None, [60, 18]),
            found::window(Some([80, 24]), [60, 18]),
            found::terminal(Some("xterm".into()), true, false),
            found::colours(ColourSource::Many),
            found::letters(&LetterSet::All),
            found::letters(&LetterSet::Locale("C".into())),
            found::copying(CopyWay { program: None, missing: Some("xclip") }),
            found::settings(2),
            found::settings_fault("files", THEIRS.into()),
            found::contract(ContractFound { presets: vec!["centavos"], ..Default::default() }),
            vault(Ok(VaultUse::Stores)),
            vault(Err(VaultTrouble::Other(THEIRS.into()))),
            found::credential(CredentialKind::ApiToken, CredentialFound::Good(Some(Wall(0)))),
            found::credential(CredentialKind::Jwt, CredentialFound::Absent),
            found::journal(JournalFound::None),
            found::journal(JournalFound::Whole {
                schema: 2,
                withdrawals: 48,
                open: 1,
                is_copy: false,
                is_marked: true,
            }),
            found::journal(JournalFound::Trouble(damaged())),
            found::history(Ok(Some(Some(3)))),
            found::history(Err(damaged())),
            found::requests(Ok(Some(Some(1))), &["requests-damaged-canary.db".into()]),
            found::requests(Err(damaged()), &[]),
            found::program(["0.1.0", "linux", "x86_64", "3.50.4"], [2, 3]),
        ];
        let there = PlaceState::There { owner: FileOwner::Own, mode: 0o644 };
        let kinds = [ConfigDir, ConfigFile, KeysFile, ThemeFile, ContractFile, CaFile, StateDir];
        all.extend(kinds.map(|kind| found::place(kind, "~/x".into(), there)));
        all.push(found::place(VaultsFile, "~/x".into(), PlaceState::Absent));
        all.extend(network());
        all
    }

    #[test]
    fn every_key_for_scripts_is_documented() {
        let documented = include_str!("../../CONTRIBUTING.md");
        let told = as_json(&Checkup::of(all()));
        for key in told.as_object().unwrap().keys() {
            assert!(documented.contains(&format!("`{key}`")), "{key}");
        }
        for one in told["findings"].as_array().unwrap() {
            let id = format!("`{}`", one["id"].as_str().unwrap());
            let is_row = |line: &&str| line.starts_with("| `") && line.contains(&id);
            let row = documented.lines().find(is_row).unwrap_or_else(|| panic!("{id}"));
            let (_, facts) = row.split_once("` | ").unwrap();
            for key in one["facts"].as_object().unwrap().keys() {
                assert!(facts.contains(&format!("`{key}`")), "{key} of {id}");
            }
        }
    }

    #[test]
    fn the_words_of_files_and_programs_are_left_out() {
        let told = as_json(&Checkup::of(all())).to_string();
        assert!(!told.contains("canary"), "{told}");
        assert!(told.contains(r#""trouble":"damaged""#), "{told}");
    }

    #[test]
    fn a_credential_is_told_by_its_state_and_its_end() {
        let end = Wall(1_000);
        for (found, wanted) in [
            (CredentialFound::Unknown, json!({ "state": "unknown", "expires": null })),
            (CredentialFound::Absent, json!({ "state": "absent", "expires": null })),
            (CredentialFound::Good(None), json!({ "state": "good", "expires": null })),
            (CredentialFound::Expired(end), json!({ "state": "expired", "expires": moment(end) })),
        ] {
            let told = finding_json(&found::credential(CredentialKind::Jwt, found));
            assert_eq!(told["facts"], wanted);
        }
    }
}
