//! The command line: parses arguments and runs subcommands. Without a subcommand it opens the app.
//!
//! Start reading at [`run`]. Each subcommand has its own module.

mod app;
mod complaint;
mod consent;
mod contract;
mod data;
mod doctor;
mod domains;
mod filter;
mod help;
mod hidden_input;
mod import;
mod journal;
mod links;
mod lists;
mod manual;
mod output;
mod play;
mod profile;
mod reconcile;
mod replay;
mod report;
mod requests;
mod sandbox;
mod session;
mod support;
mod team;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Command, Parser, Subcommand, ValueEnum};

use complaint::Complaint;
use filter::ListArgs;

use crate::app::store::setup::Look;
use crate::app::ui::keys::Keymap;
use crate::config::{self, Config, ConfigError, Dirs, NoDirs, Profile, environment, read_text};
use crate::contract::AgreedAtStart;
use crate::rows::json_line;
use crate::runtime::display_environment::DisplayEnvironment;
use crate::runtime::environment_secrets::{self, EnvironmentSecrets};
use crate::runtime::log::{self, Level};
use crate::trade::{Untrusted, VaultKind};
use crate::view::{ColourDepth, Theme, ThemeError};
use crate::words::{Catalogue, Lang};

// The help texts are in the `words` module, in Portuguese and in English.
#[derive(Debug, Parser)]
#[command(name = "balcao", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    args: GlobalArgs,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

/// The flags that every command accepts.
#[derive(Debug, Clone, Args)]
struct GlobalArgs {
    #[arg(long, global = true, value_name = "NAME", env = "BALCAO_PROFILE")]
    profile: Option<String>,
    #[arg(long, global = true, value_name = "URL", env = "BALCAO_BASE_URL")]
    base_url: Option<String>,
    #[arg(long, global = true, value_name = "pt-BR|en")]
    lang: Option<String>,
    #[arg(long, global = true, value_name = "NAME")]
    theme: Option<String>,
    #[arg(long, global = true)]
    ascii: bool,
    #[arg(long, global = true)]
    accessible: bool,
    #[arg(long, global = true, value_name = "WHERE")]
    vault: Option<VaultKind>,
    #[arg(long, global = true)]
    read_only: bool,
    #[arg(long, global = true)]
    redact: bool,
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The settings that the seller chose in this start: the base URL, if it was typed.
    #[arg(skip)]
    agreed_at_start: AgreedAtStart,
    /// The secrets, such as the API token, that environment variables contained when the program
    /// started.
    #[arg(skip)]
    environment: Arc<EnvironmentSecrets>,
}

impl ValueEnum for VaultKind {
    fn value_variants<'a>() -> &'a [VaultKind] {
        &VaultKind::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    Demo(app::DemoArgs),
    Sandbox(sandbox::SandboxArgs),
    Login {
        #[arg(long, value_name = "LOGIN")]
        user: Option<String>,
        #[arg(long)]
        password_stdin: bool,
        #[arg(long, value_name = "SUM")]
        agree: Option<String>,
    },
    Logout,
    Whoami {
        #[arg(long)]
        json: bool,
    },
    #[command(subcommand, mut_subcommand("list", |it| with_states(it, &json_line::SALE_STATES)))]
    Links(links::LinksCommand),
    #[command(subcommand, mut_subcommand("list", |it| with_states(it, &json_line::SALE_STATES)))]
    Charges(ListCommand),
    #[command(subcommand, mut_subcommand("list", |it| with_states(it, &lists::WITHDRAWAL_STATES)))]
    Withdrawals(ListCommand),
    Reconcile(reconcile::ReconcileArgs),
    Report(report::ReportArgs),
    #[command(subcommand, mut_subcommand("list", |it| with_states(it, &domains::STATES)))]
    Domains(domains::DomainsCommand),
    #[command(subcommand)]
    Journal(journal::JournalCommand),
    #[command(subcommand)]
    Data(data::DataCommand),
    #[command(subcommand)]
    Requests(requests::RequestsCommand),
    #[command(subcommand)]
    Support(support::SupportCommand),
    #[command(subcommand)]
    Contract(contract::ContractCommand),
    #[command(subcommand)]
    Team(team::TeamCommand),
    Doctor {
        #[arg(long)]
        json: bool,
    },
    Play(play::PlayArgs),
    Completions(manual::CompletionsArgs),
    Man {
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
}

#[derive(Debug, Clone, Subcommand)]
enum ListCommand {
    List(ListArgs),
}

/// Sets the words that `--state` of a list accepts.
fn with_states(list: Command, states: &'static [&'static str]) -> Command {
    list.mut_arg("state", |arg| {
        arg.value_parser(PossibleValuesParser::new(states))
    })
}

/// Runs the program and returns its exit code. Called by `main`.
pub fn run() -> ExitCode {
    crate::runtime::hardening::forbid_core_dumps();
    let environment = environment_secrets::take();
    let mut cli = match help::parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    match environment {
        Ok(secrets) => cli.args.environment = Arc::new(secrets),
        Err(fault) => return exit_code(&cli.args, Err(profile::environment_fault(fault))),
    }
    // With `--redact`, mask the output of commands here, but not the app's frames. The app masks
    // its own frames, and its user can turn that masking off.
    let is_app = matches!(cli.command, None | Some(CliCommand::Demo { .. }));
    if cli.args.record.is_some() && !is_app {
        let complaint = Complaint::about("complaint-record-app", []);
        return exit_code(&cli.args, Err(complaint));
    }
    Untrusted::masking(cli.args.redact && !is_app, || run_command(cli))
}

fn run_command(Cli { args, command }: Cli) -> ExitCode {
    let result = match command {
        None => app::open(&args).map(success),
        Some(CliCommand::Demo(demo_args)) => app::demo(&args, demo_args).map(success),
        Some(CliCommand::Sandbox(sandbox_args)) => sandbox::serve(&args, sandbox_args).map(success),
        Some(CliCommand::Login {
            user,
            password_stdin,
            agree,
        }) => session::login(&args, user, password_stdin, agree.as_deref()).map(success),
        Some(CliCommand::Logout) => session::logout(&args).map(success),
        Some(CliCommand::Whoami { json }) => session::whoami(&args, json),
        Some(CliCommand::Links(command)) => links::run(&args, command),
        Some(CliCommand::Charges(ListCommand::List(list))) => {
            lists::charges(&args, list).map(success)
        }
        Some(CliCommand::Withdrawals(ListCommand::List(list))) => {
            lists::withdrawals(&args, list).map(success)
        }
        Some(CliCommand::Reconcile(reconcile_args)) => {
            reconcile::run(&args, reconcile_args).map(success)
        }
        Some(CliCommand::Report(report_args)) => report::run(&args, report_args).map(success),
        Some(CliCommand::Domains(command)) => domains::run(&args, command).map(success),
        Some(CliCommand::Journal(command)) => journal::run(&args, command),
        Some(CliCommand::Contract(command)) => contract::run(&args, &command),
        Some(CliCommand::Team(command)) => team::run(&args, command),
        Some(CliCommand::Doctor { json }) => doctor::run(&args, json),
        Some(CliCommand::Play(play_args)) => play::run(&args, &play_args).map(success),
        Some(CliCommand::Completions(shell)) => manual::completions(&args, &shell).map(success),
        Some(CliCommand::Man { directory }) => manual::man(&args, &directory).map(success),
        Some(CliCommand::Data(command)) => data::run(&args, command).map(success),
        Some(CliCommand::Requests(command)) => requests::run(&args, command).map(success),
        Some(CliCommand::Support(command)) => support::run(&args, command).map(success),
    };
    exit_code(&args, result)
}

fn success((): ()) -> ExitCode {
    ExitCode::SUCCESS
}

/// Returns the exit code, and prints the error message if the command failed.
fn exit_code(args: &GlobalArgs, result: Result<ExitCode, Complaint>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(complaint) => {
            let words = Catalogue::of(error_language(args.lang.as_deref()));
            output::print_complaint(&complaint, words)
        }
    }
}

/// Blocks the thread until the future completes, and returns its result.
fn block_on<T>(future: impl Future<Output = T>) -> Result<T, Complaint> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    Ok(runtime.map_err(Complaint::from_error)?.block_on(future))
}

/// The configuration, and the directories from which it was read.
#[derive(Clone)]
struct Settings {
    dirs: Dirs,
    config: Config,
}

/// The profile with which a command runs, together with the settings file and the command-line
/// flags. A flag such as `--base-url` overrides the profile.
#[derive(Clone)]
struct ChosenProfile {
    args: GlobalArgs,
    settings: Settings,
    name: String,
    profile: Profile,
}

/// The theme, language and character set of the app, from flags, the settings file and the
/// environment.
struct Presentation {
    theme: Theme,
    /// True if the theme follows the terminal's background colour, because the user chose none.
    follows_background: bool,
    /// True if the terminal is asked for its background colour: if it has more than 16 colours.
    asks_background: bool,
    /// The names of the themes that the user can choose; empty if `NO_COLOR` turns colours off.
    themes: Vec<String>,
    look: RunLook,
}

/// The name of the theme that follows the terminal's background colour.
const AUTOMATIC: &str = "auto";

/// The language, theme, character set and masking of the app. They do not change when the user
/// switches to another profile.
#[derive(Clone)]
struct RunLook {
    lang: Lang,
    theme: Arc<str>,
    /// The theme and language that the user chose in the command palette, as long as they are not
    /// saved in the settings file.
    unsaved: Look,
    /// True if the app draws only ASCII characters, because the terminal's font may lack lines,
    /// blocks and bullets.
    ascii: bool,
    /// True if a sign or a line may be drawn in several frames.
    motion: bool,
    /// True if personal data is masked on the screen.
    masks: bool,
    /// True if the app is a stream of lines instead of a full screen.
    accessible: bool,
}

impl GlobalArgs {
    fn settings(&self) -> Result<Settings, Complaint> {
        let dirs = Dirs::find(variable).map_err(dirs_error)?;
        let config = config::load(&dirs).map_err(config_error)?;
        Ok(Settings { dirs, config })
    }

    fn chosen_profile(&self) -> Result<ChosenProfile, Complaint> {
        let settings = self.settings()?;
        let (name, profile) = self.profile(&settings.config)?;
        Ok(ChosenProfile {
            args: self.clone(),
            settings,
            name,
            profile,
        })
    }

    /// The profile named by the flags, or else the only profile in the settings file.
    ///
    /// If a flag sets the base URL, the only profile is not chosen automatically, because it may
    /// belong to a different service.
    fn profile(&self, config: &Config) -> Result<(String, Profile), Complaint> {
        let only_profile = config.only_profile().filter(|_| self.base_url.is_none());
        config
            .profile(self.profile.as_deref().or(only_profile))
            .map_err(config_error)
    }

    /// The app's theme, language and character set. Flags override the settings file, and the
    /// settings file overrides the environment.
    fn presentation(&self, settings: &Settings) -> Result<Presentation, Complaint> {
        let file = &settings.config.file;
        let lang = self.language(file.lang.as_deref())?;
        let ascii = self.ascii
            || file
                .ascii
                .unwrap_or_else(|| lacks_symbols(environment::text));
        let no_color = environment::variable("NO_COLOR").is_some_and(|value| !value.is_empty());
        let chosen_theme = self.theme.as_deref().or(file.theme.as_deref());
        let chosen_theme = chosen_theme.filter(|name| *name != AUTOMATIC);
        if no_color && self.theme.is_some() {
            // The `--theme` flag overrides `NO_COLOR`. Without this call, crossterm would still
            // drop all colours.
            crossterm::style::force_color_output(true);
        }
        let depth = colour_depth(environment::text);
        let theme = match chosen_theme {
            // `NO_COLOR` overrides the theme in the settings file, but not the `--theme` flag.
            _ if no_color && self.theme.is_none() => {
                theme("mono", &settings.dirs)?.in_depth(ColourDepth::Monochrome)
            }
            Some(name) => theme(name, &settings.dirs)?,
            None => Theme::default().in_depth(depth),
        };
        let has_colours = depth != ColourDepth::Sixteen;
        let automatic = has_colours.then_some(AUTOMATIC);
        let mut themes: Vec<_> = automatic
            .into_iter()
            .chain(Theme::NAMES)
            .map(str::to_owned)
            .collect();
        themes.extend(
            chosen_theme
                .filter(|name| !Theme::NAMES.contains(name))
                .map(str::to_owned),
        );
        if no_color && self.theme.is_none() {
            themes.clear();
        }
        let follows_background = chosen_theme.is_none() && !no_color && has_colours;
        let theme_name = chosen_theme.or(automatic).unwrap_or("default").into();
        let look = RunLook {
            motion: file.motion != Some(false) && !ascii && allows_motion(environment::text),
            lang,
            theme: theme_name,
            unsaved: Look::default(),
            ascii,
            masks: self.redact,
            accessible: self.is_accessible(settings),
        };
        Ok(Presentation {
            theme,
            follows_background,
            asks_background: has_colours,
            themes,
            look,
        })
    }

    /// True if the app is a stream of lines. The flag overrides the settings file, and the settings
    /// file overrides the environment.
    fn is_accessible(&self, settings: &Settings) -> bool {
        let in_file = settings.config.file.accessible;
        self.accessible || in_file.unwrap_or_else(|| asks_for_lines(environment::text))
    }

    /// The message texts in the language of the command's output. With `--redact` they mask
    /// personal data.
    ///
    /// A command does not use the theme, but an invalid theme is still reported as an error.
    fn words(&self, settings: &Settings) -> Result<&'static Catalogue, Complaint> {
        let RunLook { lang, ascii, .. } = self.presentation(settings)?.look;
        Ok(Catalogue::with_look(lang, self.redact, ascii))
    }

    /// The texts in this language, for a command that does not read the settings file.
    fn words_in(&self, lang: Lang) -> &'static Catalogue {
        let ascii = self.ascii || lacks_symbols(environment::text);
        Catalogue::with_look(lang, self.redact, ascii)
    }

    /// An error if `--redact` is used with an export, because exports contain unmasked personal
    /// data.
    fn reject_redact(&self) -> Result<(), Complaint> {
        if self.redact {
            Err(Complaint::about("complaint-export-masked", []))
        } else {
            Ok(())
        }
    }

    fn language(&self, in_file: Option<&str>) -> Result<Lang, Complaint> {
        if let Some(tag) = self.lang.as_deref().or(in_file) {
            return Lang::of_tag(tag)
                .ok_or_else(|| Complaint::about("complaint-language", [("tag", tag.into())]));
        }
        Ok(environment_language())
    }
}

/// True if an environment variable asks for accessible mode. Other programs read `ACCESSIBLE`, too.
fn asks_for_lines(variable: impl Fn(&str) -> Option<String>) -> bool {
    ["BALCAO_ACCESSIBLE", "ACCESSIBLE"].into_iter().any(|name| {
        let value = variable(name).map(|value| value.trim().to_lowercase());
        value.is_some_and(|value| !matches!(&*value, "" | "0" | "false"))
    })
}

fn environment_language() -> Lang {
    language_for_locale(locale("LC_MESSAGES", environment::text).as_deref())
}

/// The app's language for a locale such as `pt_BR.UTF-8`.
///
/// Without a locale (`C`, `POSIX`) the language is Portuguese, because the sellers are Brazilian.
/// For a locale in any other language it is English.
fn language_for_locale(locale: Option<&str>) -> Lang {
    let language = locale.and_then(|locale| locale.split(['_', '-', '.', '@']).next());
    match language {
        None | Some("" | "C" | "POSIX") => Lang::Pt,
        Some(_) => locale.and_then(Lang::of_tag).unwrap_or(Lang::En),
    }
}

/// True if the terminal can display letters but few symbols, according to environment variables.
/// This is so for the Linux console, whose font lacks most symbols, and for terminals without
/// UTF-8.
fn lacks_symbols(variable: impl Fn(&str) -> Option<String>) -> bool {
    variable("TERM").is_some_and(|name| name == "linux")
        || locale("LC_CTYPE", variable).is_some_and(|locale| !is_utf8(&locale))
}

fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// True if the environment allows motion. Over SSH, frames would arrive late, and the visitors of a
/// kiosk use SSH.
fn allows_motion(variable: impl Fn(&str) -> Option<String>) -> bool {
    let no_color = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    !no_color && !environment::is_kiosk() && !DisplayEnvironment::from_variables(variable).ssh
}

/// The colours that the terminal can show, according to environment variables.
fn colour_depth(variable: impl Fn(&str) -> Option<String>) -> ColourDepth {
    let colours = variable("COLORTERM").unwrap_or_default();
    let name = variable("TERM").unwrap_or_default();
    let capable_terminals = [
        "alacritty",
        "contour",
        "foot",
        "wezterm",
        "xterm-ghostty",
        "xterm-kitty",
    ];
    let has_256 = ["256color", "-direct"]
        .iter()
        .any(|part| name.contains(part));
    if ["truecolor", "24bit"].contains(&&*colours) {
        ColourDepth::True
    } else if has_256 || capable_terminals.contains(&&*name) {
        ColourDepth::Indexed
    } else {
        ColourDepth::Sixteen
    }
}

/// The locale for a category such as `LC_CTYPE`. The locale is the value of the first of these
/// variables that is not empty: `LC_ALL`, the category, `LANG`.
fn locale(category: &str, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let values = ["LC_ALL", category, "LANG"]
        .into_iter()
        .filter_map(variable);
    let mut locales = values.filter(|value| !value.is_empty());
    locales.next()
}

/// The language for an error message. Ignores an invalid `--lang` flag or settings file, because
/// that may be the very error to report.
fn error_language(flag: Option<&str>) -> Lang {
    flag.and_then(Lang::of_tag)
        .or_else(|| {
            if environment::is_kiosk() {
                return None;
            }
            let dirs = Dirs::find(variable).ok()?;
            Lang::of_tag(&config::load(&dirs).ok()?.file.lang?)
        })
        .unwrap_or_else(environment_language)
}

fn variable(name: &str) -> Option<PathBuf> {
    environment::variable(name).map(PathBuf::from)
}

fn dirs_error(error: NoDirs) -> Complaint {
    match error {
        NoDirs::NoHome => Complaint::about("complaint-no-home", []),
        NoDirs::Relative { variable, path } => {
            let values = [("variable", variable.into()), ("path", path_text(&path))];
            Complaint::about("complaint-relative", values)
        }
    }
}

/// The level of the log that `BALCAO_LOG` names.
fn log_level() -> Result<Level, Complaint> {
    Level::from_environment().map_err(|value| {
        let values = [
            ("variable", log::VARIABLE.into()),
            ("value", value.into()),
            ("known", Level::ALL.map(Level::name).join(", ").into()),
        ];
        Complaint::about("complaint-log", values)
    })
}

/// The key bindings: the built-in ones, overridden by the seller's `keys.toml`.
fn keymap(settings: &Settings) -> Result<Arc<Keymap>, Complaint> {
    let keymap = Keymap::from_table(&settings.config.keys).map_err(|error| {
        // The built-in key bindings are valid, so the error is in the seller's file.
        let rows = error.rows();
        let file = settings.dirs.config.join("keys.toml");
        let lines = rows.iter();
        let lines = lines.filter_map(|(scope, row)| config::line_of(&file, &[*scope, *row]));
        let mut lines: Vec<usize> = lines.collect();
        lines.sort_unstable();
        let file = path_text(&file);
        Complaint::new(move |words| {
            complaint::describe_keymap_error(words, (&file, &lines), &error)
        })
    })?;
    Ok(Arc::new(keymap))
}

/// The theme with this name, in the colours that the terminal can show.
fn theme(name: &str, dirs: &Dirs) -> Result<Theme, Complaint> {
    let depth = colour_depth(environment::text);
    if let Some(theme) = Theme::named(name) {
        return Ok(theme.in_depth(depth));
    }
    let path = dirs.config.join("themes").join(format!("{name}.toml"));
    let text = read_text(&path).map_err(|error| {
        let known = ("known", Theme::NAMES.join(", ").into());
        let why = ("why", error.to_string().into());
        Complaint::about(
            "complaint-theme",
            [
                ("name", name.into()),
                known,
                ("file", path_text(&path)),
                why,
            ],
        )
    })?;
    let file = path_text(&path);
    let theme = Theme::from_toml(&text).map_err(|error| match error {
        ThemeError::Faint(faint) => {
            Complaint::new(move |words| complaint::describe_faint_role(words, &file, &faint))
        }
        ThemeError::Color { line, name } => Complaint::new(move |words| {
            let place = complaint::describe_place(words, &file, &[line]);
            let name = Untrusted::from(&*name).shown_within(40);
            format!(
                "{place}: {}",
                words.with("theme-no-colour", &[("name", &name)])
            )
        }),
        ThemeError::Shape(error) => invalid_file(&path, error),
    })?;
    Ok(theme.in_depth(depth))
}

/// Converts a path to text that is printed without control characters.
fn path_text(path: &Path) -> Untrusted {
    path.display().to_string().into()
}

/// Reads and parses a text file that the seller provides.
fn read_file<T, E: Display>(
    path: &Path,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<T, Complaint> {
    let text = read_text(path).map_err(|error| unreadable_file(path, error))?;
    parse(&text).map_err(|error| invalid_file(path, error))
}

fn unreadable_file(path: &Path, error: impl Display) -> Complaint {
    let values = [("file", path_text(path)), ("why", error.to_string().into())];
    Complaint::about("complaint-unreadable", values)
}

fn invalid_file(path: &Path, error: impl Display) -> Complaint {
    let file = path_text(path);
    let why = Untrusted::from(error.to_string());
    Complaint::new(move |_| format!("{}: {}", file.shown(), why.shown_lines()))
}

fn config_error(error: ConfigError) -> Complaint {
    match error {
        ConfigError::Unreadable { path, error } => unreadable_file(&path, error),
        ConfigError::Wrong { path, error } => {
            invalid_file(&path, profile::hide_url_secrets(&error.to_string()))
        }
        ConfigError::Template {
            path,
            line,
            about,
            error,
        } => {
            let file = path_text(&path);
            Complaint::new(move |words| {
                complaint::describe_template_error(words, (&file, line), about, &error)
            })
        }
        ConfigError::NoSuchProfile { name, known } if known.is_empty() => {
            Complaint::about("complaint-no-profiles", [("name", name.into())])
        }
        ConfigError::NoSuchProfile { name, known } => {
            let name = Untrusted::from(name);
            let known = known.into_iter().map(Untrusted::from);
            let known: Vec<_> = known.collect();
            Complaint::new(move |words| {
                let values = [
                    ("name", &*name.shown()),
                    ("known", &*complaint::join_texts(&known)),
                ];
                words.with("complaint-profile", &values)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portuguese_is_default_english_for_other_locales() {
        for (locale, lang) in [
            (None, Lang::Pt),
            (Some("C"), Lang::Pt),
            (Some("C.UTF-8"), Lang::Pt),
            (Some("POSIX"), Lang::Pt),
            (Some("pt_BR.UTF-8"), Lang::Pt),
            (Some("pt_PT@euro"), Lang::Pt),
            (Some("en_GB.UTF-8"), Lang::En),
            (Some("es_AR.UTF-8"), Lang::En),
            (Some("de"), Lang::En),
        ] {
            assert_eq!(language_for_locale(locale), lang, "{locale:?}");
        }
    }

    #[test]
    fn motion_is_off_over_ssh_and_without_colours() {
        for (name, value, expected) in [
            ("TERM", "xterm", true),
            ("NO_COLOR", "", true),
            ("NO_COLOR", "1", false),
            ("SSH_CONNECTION", "10.0.0.1 5 10.0.0.2 22", false),
            ("SSH_TTY", "/dev/pts/1", false),
        ] {
            let variable = |asked: &str| (asked == name).then(|| value.to_owned());
            assert_eq!(allows_motion(variable), expected, "{name}={value}");
        }
    }

    #[test]
    fn colours_of_terminal_are_detected_from_env() {
        use ColourDepth::{Indexed, Sixteen, True};
        for (colours, name, expected) in [
            ("", "xterm-256color", Indexed),
            ("", "tmux-256color", Indexed),
            ("", "xterm-direct", Indexed),
            ("", "xterm-kitty", Indexed),
            ("truecolor", "xterm", True),
            ("24bit", "", True),
            ("", "xterm", Sixteen),
            ("yes", "xterm", Sixteen),
            ("", "linux", Sixteen),
            ("", "", Sixteen),
        ] {
            let variable = |variable: &str| {
                let value = if variable == "TERM" { name } else { colours };
                (!value.is_empty()).then(|| value.to_owned())
            };
            assert_eq!(colour_depth(variable), expected, "{colours} {name}");
        }
    }

    #[test]
    fn terminal_without_utf_8_lacks_symbols() {
        let table: [(&[(&str, &str)], bool); 9] = [
            (
                &[("TERM", "xterm-256color"), ("LANG", "pt_BR.UTF-8")],
                false,
            ),
            (&[("LANG", "pt_BR.utf8")], false),
            (&[], false),
            (&[("LANG", "")], false),
            (&[("LANG", "C")], true),
            (&[("LANG", "pt_BR.ISO-8859-1")], true),
            (&[("LANG", "pt_BR.UTF-8"), ("LC_ALL", "POSIX")], true),
            (&[("LANG", "C"), ("LC_CTYPE", "C.UTF-8")], false),
            (&[("TERM", "linux"), ("LANG", "pt_BR.UTF-8")], true),
        ];
        for (variables, expected) in table {
            let variable = |name: &str| {
                variables
                    .iter()
                    .find(|(n, _)| *n == name)
                    .map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(lacks_symbols(variable), expected, "{variables:?}");
        }
    }
}
