//! The command `balcao doctor`: examines this computer, the settings and the service, and suggests
//! remedies.
//!
//! Invalid settings are reported as findings, and the rest is still examined as far as possible.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use super::complaint::Complaint;
use super::output::print_line;
use super::{
    ChosenProfile, GlobalArgs, Settings, colour_depth, config_error, dirs_error, error_language,
    keymap, lacks_symbols, locale, log_level, profile, variable,
};
use crate::app::ui::geometry::MIN_SIZE;
use crate::app::ui::text::wrap;
use crate::config::system_roots::IGNORED_VARIABLES;
use crate::config::{self, Config, Dirs, Profile, StateFileKind, environment};
use crate::contract::{Contract, Preset};
use crate::rows::{json_line, row_mask};
use crate::runtime::clipboard;
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::display_environment::DisplayEnvironment;
use crate::runtime::doctor::{CheckupTargets, Examiner, PathRedactor, checkup_json};
use crate::runtime::journal_location::{JournalLocation, LiveJournal};
use crate::runtime::log::{self, Level};
use crate::runtime::terminal;
use crate::service::{BaseUrl, Client, Limits, NetworkSettings, Service, no_consent};
use crate::trade::checkup::{
    self as finding, Agreement, CharacterSet, Checkup, ColourSource, Finding, PathKind,
    VaultSource, Verdict,
};
use crate::trade::{Origin, Untrusted, Wall};
use crate::vault::VaultHandle;
use crate::view::{ColourDepth, Theme};
use crate::words::{Catalogue, checkup};

/// Runs the checkup and prints its report. The exit code is 1 if something is broken.
pub fn run(args: &GlobalArgs, json: bool) -> Result<ExitCode, Complaint> {
    let words = args.words_in(error_language(args.lang.as_deref()));
    let Examination { checkup, now, .. } = examine(args, words)?;
    if json {
        let report = checkup_json(&checkup);
        let report = if args.redact {
            row_mask::masked_texts(report)
        } else {
            report
        };
        print_line(&json_line::to_line(&report))?;
    } else {
        let local_now = (now, clocks::utc_offset_s(now));
        let columns = window_size().map_or(usize::MAX, |[columns, _]| usize::from(columns));
        let lines = checkup::report(words, &checkup, local_now, true);
        let mut rows = lines
            .iter()
            .flat_map(|line| wrap_report_line(line, columns));
        rows.try_for_each(|row| print_line(&row))?;
    }
    let is_broken = checkup.verdict() == Verdict::Broken;
    Ok(if is_broken {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

/// A checkup with its time, and how it was prepared from the settings.
pub(super) struct Examination {
    pub chosen: ChosenProfile,
    pub examiner: Examiner,
    pub targets: CheckupTargets,
    pub checkup: Checkup,
    pub now: Wall,
}

/// Runs the checkup. Errors in the settings become findings.
pub(super) fn examine(
    args: &GlobalArgs,
    words: &'static Catalogue,
) -> Result<Examination, Complaint> {
    let now = MachineClocks::new().now().wall;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(Complaint::from_error)?;
    let examination = runtime.block_on(async {
        let (chosen, examiner, targets) = prepare_examination(args, words).await;
        let window = finding::terminal_size(window_size(), [MIN_SIZE.columns, MIN_SIZE.rows]);
        let checkup = examiner.examine(window, &targets, now).await;
        Examination {
            chosen,
            examiner,
            targets,
            checkup,
            now,
        }
    });
    // Return now, even if some checks still hang.
    runtime.shutdown_background();
    Ok(examination)
}

/// Wraps a line of the report at the terminal's width. Continuation rows are indented.
fn wrap_report_line(line: &str, columns: usize) -> Vec<String> {
    // Leave the wrapping to the terminal if it is very narrow.
    if columns < 3 * checkup::INDENT {
        return vec![line.to_owned()];
    }
    let words = line
        .char_indices()
        .nth(checkup::INDENT)
        .filter(|_| line.starts_with("  ["));
    let Some((start, _)) = words else {
        return wrap(line, columns);
    };
    let (verdict, words) = line.split_at(start);
    let mut rows = wrap(&format!("{}{words}", " ".repeat(checkup::INDENT)), columns);
    if let Some(first) = rows.first_mut() {
        first.replace_range(..checkup::INDENT, verdict);
    }
    rows
}

/// The number of columns and rows if standard output is a terminal.
pub(super) fn window_size() -> Option<[u16; 2]> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    let size = size.ok().filter(|_| io::stdout().is_terminal())?;
    let size = terminal::drawn_size(size.ws_col, size.ws_row);
    Some([size.columns, size.rows])
}

pub fn examiner(chosen: &ChosenProfile, vault_source: VaultSource) -> Examiner {
    // A demo writes no log. An unknown level is an error of the settings.
    let level = match vault_source {
        VaultSource::Demo => Level::Off,
        _ => Level::from_environment().unwrap_or(Level::Off),
    };
    let ChosenProfile {
        args,
        settings,
        profile,
        ..
    } = chosen;
    let file = &settings.config.file;
    let ascii = args.ascii.then_some(true).or(file.ascii);
    Examiner {
        places: places(chosen),
        home: PathRedactor::from_variables(environment::text),
        environment: environment_findings(args.theme.is_some(), ascii, environment::text),
        settings: vec![
            finding::log_level(level.name()),
            finding::settings(file.profiles.len()),
        ],
        changed_settings: settings.config.changed_settings(profile),
        vault_source,
        vault_command: profile.vault_helper.as_deref().map(Untrusted::from),
    }
}

/// The files and directories that the app would use.
fn places(chosen: &ChosenProfile) -> Vec<(PathKind, PathBuf)> {
    let ChosenProfile {
        args,
        settings,
        profile,
        ..
    } = chosen;
    if environment::is_kiosk() {
        return Vec::new();
    }
    let Dirs { config, state } = &settings.dirs;
    let mut places = vec![
        (PathKind::ConfigDir, config.clone()),
        (PathKind::ConfigFile, settings.dirs.config_file()),
        (PathKind::KeysFile, config.join("keys.toml")),
    ];
    let theme = args
        .theme
        .as_deref()
        .or(settings.config.file.theme.as_deref());
    let theme = theme.filter(|name| Theme::named(name).is_none());
    places.extend(theme.map(|name| {
        (
            PathKind::ThemeFile,
            config.join("themes").join(format!("{name}.toml")),
        )
    }));
    let files = profile
        .contract
        .0
        .iter()
        .filter(|name| Preset::named(name).is_none());
    places.extend(files.map(|name| (PathKind::ContractFile, config.join(name))));
    places.extend(
        profile
            .ca_file
            .iter()
            .map(|name| (PathKind::CaFile, config.join(name))),
    );
    places.push((PathKind::StateDir, state.clone()));
    places.push((PathKind::VaultsFile, StateFileKind::Vaults.path_in(state)));
    let [log, _] = log::paths(state);
    places.push((PathKind::LogFile, log));
    places
}

/// Collects errors in the settings as findings for the report, so that the checkup can continue
/// after an error.
struct SettingsFaults {
    words: &'static Catalogue,
    findings: Vec<Finding>,
}

impl SettingsFaults {
    /// The value if it could be read. Otherwise, records a finding about `part` (such as "network")
    /// and returns `None`.
    fn ok_or_record<T>(&mut self, part: &'static str, result: Result<T, Complaint>) -> Option<T> {
        result
            .map_err(|complaint| {
                self.findings.push(finding::settings_fault(
                    part,
                    complaint.describe(self.words).into(),
                ));
            })
            .ok()
    }
}

/// Reads the settings as the app does, and returns what the checkup will examine. Errors in the
/// settings become findings.
async fn prepare_examination(
    args: &GlobalArgs,
    words: &'static Catalogue,
) -> (ChosenProfile, Examiner, CheckupTargets) {
    let mut faults = SettingsFaults {
        words,
        findings: Vec::new(),
    };
    let dirs = Dirs::find(variable).map_err(dirs_error);
    let dirs = faults.ok_or_record("directories", dirs);
    let has_dirs = dirs.is_some();
    faults.ok_or_record("log", log_level());
    let mut chosen = ChosenProfile {
        args: args.clone(),
        settings: Settings {
            dirs: dirs.unwrap_or_else(|| Dirs {
                config: PathBuf::new(),
                state: PathBuf::new(),
            }),
            config: Config::default(),
        },
        name: String::new(),
        profile: Profile::default(),
    };
    let mut examined = CheckupTargets::default();
    let mut source = VaultSource::Default;
    if has_dirs {
        (examined, source) = read_settings(&mut chosen, &mut faults).await;
    }
    let mut examiner = examiner(&chosen, source);
    if !has_dirs {
        examiner.places.clear();
    }
    if !faults.findings.is_empty() {
        examiner.settings = faults.findings;
    }
    (chosen, examiner, examined)
}

/// Reads the settings. Returns what the checkup will examine, and where the choice of vault came
/// from: a flag, the profile, the last login or the default.
async fn read_settings(
    chosen: &mut ChosenProfile,
    faults: &mut SettingsFaults,
) -> (CheckupTargets, VaultSource) {
    let loaded = config::load(&chosen.settings.dirs).map_err(config_error);
    let mut has_profile = false;
    if let Some(config) = faults.ok_or_record("files", loaded) {
        chosen.settings.config = config;
        let args = &chosen.args;
        let settings = &chosen.settings;
        let profile = faults.ok_or_record("profile", args.profile(&settings.config));
        faults.ok_or_record("appearance", args.presentation(settings).map(drop));
        faults.ok_or_record("keys", keymap(settings).map(drop));
        has_profile = profile.is_some();
        (chosen.name, chosen.profile) = profile.unwrap_or_default();
    }
    let base = faults
        .ok_or_record("address", chosen.optional_base_url())
        .flatten();
    // If the profile could not be read, `chosen.profile` is empty, so there are no network
    // settings.
    let network = profile::network_settings(&chosen.settings.dirs, &chosen.profile);
    let connection = faults.ok_or_record("network", network);
    let reads_contract = has_profile && connection.is_some();
    let contract = reads_contract.then(|| chosen.contract());
    let contract = contract.and_then(|read| faults.ok_or_record("contract", read));
    let contract = contract.map(Arc::new);
    let origin = base
        .as_ref()
        .map_or(Origin("".into()), |base| base.origin().clone());
    let vault = (has_profile || chosen.args.vault.is_some())
        .then(|| chosen.vault_and_source(&origin))
        .and_then(|vault| faults.ok_or_record("vault", vault));
    let (vault, source) = vault.unzip();
    let marker_vault = vault.clone().unwrap_or_else(VaultHandle::memory);
    let team = faults.ok_or_record("team", chosen.team_mirror(&marker_vault));
    let dirs = &chosen.settings.dirs;
    let location = match &base {
        Some(base) => JournalLocation::for_service(base, dirs, marker_vault, team.flatten()),
        None => JournalLocation::live(LiveJournal::new(&chosen.settings.dirs), marker_vault),
    };
    let mut agreement = None;
    if let (Some(base), Some(vault), Some(contract)) = (&base, &vault, &contract) {
        let found = chosen.consent(base, contract, vault).agreement().await;
        // Another process may have an agreement in its memory.
        let pending = found.pending.filter(|_| found.is_kept || found.is_sandbox);
        agreement = Some(Agreement { pending, ..found });
    }
    // If the API contract could not be read, use the built-in one, because the health check does
    // not depend on the contract.
    let service_contract = contract
        .clone()
        .unwrap_or_else(|| Arc::new(Contract::built_in()));
    let service = base
        .clone()
        .zip(connection)
        .map(|(base, connection)| read_only_service(base, connection, service_contract));
    let profile = chosen.name.as_str().into();
    let location = Some(Arc::new(location));
    let examined = CheckupTargets {
        profile,
        contract,
        agreement,
        vault,
        base,
        service,
        location,
    };
    (examined, source.unwrap_or_default())
}

fn read_only_service(
    base: BaseUrl,
    connection: NetworkSettings,
    contract: Arc<Contract>,
) -> Service {
    let limits = Limits {
        is_read_only: true,
        ..Limits::default()
    };
    let clocks = MachineClocks::new();
    let now = Arc::new(move || clocks.now());
    let client = Client::new(
        limits,
        connection,
        Arc::new(no_consent),
        now,
        Arc::new(|_| ()),
    );
    Service::new(base, contract, client)
}

/// The findings about the terminal, and about ignored variables. `ascii` is the setting `ascii` in
/// the settings file.
fn environment_findings(
    names_theme: bool,
    ascii: Option<bool>,
    variable: impl Fn(&str) -> Option<String>,
) -> Vec<Finding> {
    let display = DisplayEnvironment::from_variables(&variable);
    let path = variable("PATH").map(OsString::from).unwrap_or_default();
    let name = variable("TERM").filter(|name| !name.is_empty());
    let ignored = IGNORED_VARIABLES
        .into_iter()
        .filter(|name| variable(name).is_some_and(|value| !value.is_empty()));
    let ignored = finding::ignored_variables(ignored.collect());
    let terminal = [
        finding::terminal(name.map(Into::into), display.tmux, display.ssh),
        finding::colours(colours(names_theme, &variable)),
        finding::character_set(&letters(ascii, &variable)),
        finding::clipboard(clipboard::copy_method(&display, &path)),
    ];
    terminal.into_iter().chain(ignored).collect()
}

/// The colours that the app uses, and the reason. The `--theme` flag overrides `NO_COLOR`.
fn colours(names_theme: bool, variable: impl Fn(&str) -> Option<String>) -> ColourSource {
    let no_color = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    if no_color && !names_theme {
        ColourSource::NoColour
    } else if colour_depth(variable) == ColourDepth::Sixteen {
        ColourSource::Few
    } else {
        ColourSource::Many
    }
}

fn letters(ascii: Option<bool>, variable: impl Fn(&str) -> Option<String>) -> CharacterSet {
    match ascii {
        Some(true) => CharacterSet::ByChoice,
        Some(false) => CharacterSet::All,
        None if !lacks_symbols(&variable) => CharacterSet::All,
        None if variable("TERM").is_some_and(|name| name == "linux") => CharacterSet::Console,
        None => CharacterSet::Locale(locale("LC_CTYPE", variable).unwrap_or_default().into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::har::finding_json;
    use crate::rows::json_line::format_utc;
    use crate::trade::checkup::{
        CertificateFault, ClipboardMethod, ContractFound, CredentialFound, DatabaseContents,
        DatabaseFound, DnsLookup, FileOwner, HostFault, HostReply, JournalFound, PathState,
        VaultUse,
    };
    use crate::trade::{CredentialKind, JournalTrouble, VaultKind, VaultTrouble};

    fn lookup<'a>(variables: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |expected| {
            let variable = variables.iter().find(|(name, _)| *name == expected);
            variable.map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn letters_follow_config_then_console_then_locale() {
        let utf8 = [("LANG", "pt_BR.UTF-8")];
        let c = [("LC_ALL", "C"), ("LANG", "pt_BR.UTF-8")];
        let console = [("TERM", "linux"), ("LANG", "C")];
        assert_eq!(letters(None, lookup(&utf8)), CharacterSet::All);
        assert_eq!(letters(None, lookup(&[])), CharacterSet::All);
        assert_eq!(letters(None, lookup(&c)), CharacterSet::Locale("C".into()));
        assert_eq!(letters(None, lookup(&console)), CharacterSet::Console);
        assert_eq!(letters(Some(false), lookup(&c)), CharacterSet::All);
        assert_eq!(letters(Some(true), lookup(&utf8)), CharacterSet::ByChoice);
    }

    #[test]
    fn no_color_beats_terminal_and_named_theme_beats_both() {
        type Row<'a> = (&'a [(&'a str, &'a str)], bool, ColourSource);
        let table: [Row<'_>; 5] = [
            (&[("TERM", "xterm-256color")], false, ColourSource::Many),
            (&[("TERM", "xterm")], false, ColourSource::Few),
            (
                &[("TERM", "xterm-256color"), ("NO_COLOR", "1")],
                false,
                ColourSource::NoColour,
            ),
            (
                &[("TERM", "xterm-256color"), ("NO_COLOR", "1")],
                true,
                ColourSource::Many,
            ),
            (
                &[("TERM", "xterm-256color"), ("NO_COLOR", "")],
                false,
                ColourSource::Many,
            ),
        ];
        for (variables, names_theme, source) in table {
            assert_eq!(
                colours(names_theme, lookup(variables)),
                source,
                "{variables:?}"
            );
        }
    }

    /// Text from a file or another program. It may be personal data, so the JSON report must not
    /// contain it.
    const FOREIGN_TEXT: &str = "canary@loja.example";

    fn network_findings() -> Vec<Finding> {
        let fault = HostFault::Certificate(CertificateFault::Expired);
        vec![
            finding::address(None, false),
            finding::address(Some(&Origin("https://api.example.com".into())), false),
            finding::dns_lookup(DnsLookup::NotNeeded),
            finding::dns_lookup(DnsLookup::Found { v4: 1, v6: 0 }),
            finding::service(HostReply::Answered {
                status: 200,
                is_encrypted: true,
            }),
            finding::service(HostReply::Failed(fault)),
            finding::clock(Some(-3)),
            finding::clock(None),
        ]
    }

    fn whole(schema: u32, rows: &[(&'static str, u64)]) -> DatabaseFound {
        DatabaseFound::Whole(DatabaseContents {
            schema,
            rows: rows.to_vec(),
        })
    }

    /// Examples of all kinds of findings, in all variants.
    fn all_findings() -> Vec<Finding> {
        use PathKind::*;
        let damaged = || JournalTrouble::Damaged(FOREIGN_TEXT.into());
        let vault = |state| finding::vault(VaultKind::Keyring, VaultSource::Profile, state, None);
        let mut findings = vec![
            finding::terminal_size(None, [60, 18]),
            finding::terminal_size(Some([80, 24]), [60, 18]),
            finding::terminal(Some("xterm".into()), true, false),
            finding::colours(ColourSource::Many),
            finding::character_set(&CharacterSet::All),
            finding::character_set(&CharacterSet::Locale("C".into())),
            finding::clipboard(ClipboardMethod {
                program: None,
                missing: Some("xclip"),
            }),
            finding::settings(2),
            finding::settings_fault("files", FOREIGN_TEXT.into()),
            finding::contract(ContractFound {
                presets: vec!["centavos"],
                files: 0,
                agreement: Agreement {
                    differing: 0,
                    pending: None,
                    is_kept: true,
                    is_sandbox: false,
                },
            }),
            vault(Ok(VaultUse::Stores)),
            vault(Err(VaultTrouble::Other(FOREIGN_TEXT.into()))),
            finding::credential(
                CredentialKind::ApiToken,
                CredentialFound::Good(Some(Wall(0))),
            ),
            finding::credential(CredentialKind::Jwt, CredentialFound::Absent),
            finding::journal(JournalFound::None),
            finding::journal(JournalFound::Readable {
                schema: 2,
                withdrawals: 48,
                open: 1,
                is_copy: false,
                is_marked: true,
            }),
            finding::journal(JournalFound::Trouble(damaged())),
            finding::history(whole(3, &[("links", 61), ("charges", 4)]), &[]),
            finding::history(DatabaseFound::Trouble(damaged()), &[]),
            finding::requests(
                whole(1, &[("requests", 312)]),
                &["requests-damaged-canary.db".into()],
            ),
            finding::requests(DatabaseFound::Trouble(damaged()), &[]),
            finding::program(["0.1.0", "linux", "x86_64", "3.50.4"], [2, 3]),
        ];
        let present = PathState::Exists {
            owner: FileOwner::Own,
            mode: 0o644,
        };
        let kinds = [
            ConfigDir,
            ConfigFile,
            KeysFile,
            ThemeFile,
            ContractFile,
            CaFile,
            StateDir,
        ];
        findings.extend(kinds.map(|kind| finding::place(kind, "~/x".into(), present)));
        findings.push(finding::place(VaultsFile, "~/x".into(), PathState::Absent));
        findings.push(finding::place(LogFile, "~/x".into(), PathState::Absent));
        findings.push(finding::log_level("error"));
        findings.extend(network_findings());
        findings
    }

    #[test]
    fn every_key_for_scripts_is_documented() {
        let documented = include_str!("../../CONTRIBUTING.md");
        let report = checkup_json(&Checkup::of(all_findings()));
        for key in report.as_object().unwrap().keys() {
            assert!(documented.contains(&format!("`{key}`")), "{key}");
        }
        for finding in report["findings"].as_array().unwrap() {
            let id = format!("`{}`", finding["id"].as_str().unwrap());
            let is_row = |line: &&str| line.starts_with("| `") && line.contains(&id);
            let row = documented
                .lines()
                .find(is_row)
                .unwrap_or_else(|| panic!("{id}"));
            let (_, facts) = row.split_once("` | ").unwrap();
            for key in finding["facts"].as_object().unwrap().keys() {
                assert!(facts.contains(&format!("`{key}`")), "{key} of {id}");
            }
        }
    }

    #[test]
    fn text_of_files_and_programs_is_left_out() {
        let report = checkup_json(&Checkup::of(all_findings())).to_string();
        assert!(!report.contains("canary"), "{report}");
        assert!(report.contains(r#""trouble":"damaged""#), "{report}");
    }

    #[test]
    fn credential_finding_has_state_and_expiry() {
        let end = Wall(1_000);
        for (found, expected) in [
            (
                CredentialFound::Unknown,
                json!({ "state": "unknown", "expires": null }),
            ),
            (
                CredentialFound::Absent,
                json!({ "state": "absent", "expires": null }),
            ),
            (
                CredentialFound::Good(None),
                json!({ "state": "good", "expires": null }),
            ),
            (
                CredentialFound::Expired(end),
                json!({ "state": "expired", "expires": format_utc(end) }),
            ),
        ] {
            let json = finding_json(&finding::credential(CredentialKind::Jwt, found));
            assert_eq!(json["facts"], expected);
        }
    }
}
