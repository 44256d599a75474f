//! Arguments and subcommands.

mod counter;
mod data;
mod journal;
mod json_line;
mod lists;
mod sandbox;

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::{self, Config, Places};
use crate::view::{Lang, Look, Theme};

/// What every subcommand's failure says, and with which code the program ends.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Complaint(pub String);

impl Complaint {
    fn of(error: impl std::fmt::Display) -> Complaint {
        Complaint(error.to_string())
    }
}

/// balcão, the counter: payment links and PIX withdrawals from your terminal.
///
/// Without a subcommand the full-screen app opens on the service that --base-url or the profile
/// names. To look around without an account, on a service played on this very machine:
///
///   balcao demo
#[derive(Debug, Parser)]
#[command(name = "balcao", version, verbatim_doc_comment, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Flags that count everywhere.
#[derive(Debug, Clone, Args)]
struct Common {
    /// The profile of config.toml to use
    #[arg(long, global = true, value_name = "NAME", env = "BALCAO_PROFILE")]
    profile: Option<String>,
    /// Where the payments service is (https, or http to this machine only)
    #[arg(long, global = true, value_name = "URL", env = "BALCAO_BASE_URL")]
    base_url: Option<String>,
    /// The language; otherwise that of the locale
    #[arg(long, global = true, value_name = "pt-BR|en")]
    lang: Option<String>,
    /// The theme: default, light, dark, mono, or a file of your own
    #[arg(long, global = true, value_name = "NAME")]
    theme: Option<String>,
    /// Where credentials are kept
    #[arg(long, global = true, value_name = "WHERE")]
    vault: Option<VaultChoice>,
}

/// Where credentials are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum VaultChoice {
    /// In the operating system's keyring: still there at the next start
    Keyring,
    /// In memory: gone when the program is left
    Memory,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the app on a sandbox of its own; nothing to set up, no real money
    Demo {
        /// Keep the demo's journal in this directory instead of a temporary one; such a demo does
        /// not start over
        #[arg(long, value_name = "DIR")]
        keep: Option<PathBuf>,
        /// Faults that lie in wait in the sandbox (TOML)
        #[arg(long, value_name = "FILE")]
        faults: Option<PathBuf>,
        /// Play the story in this file (TOML): faults, domains, payments and captions, step by step
        #[arg(long, value_name = "FILE")]
        script: Option<PathBuf>,
    },
    /// Play the payments service on this machine, for tests and for curious people
    Sandbox {
        /// Where to listen
        #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8787")]
        listen: SocketAddr,
        /// Keep what happens there in this file
        #[arg(long, value_name = "FILE")]
        data: Option<PathBuf>,
        /// Faults that lie in wait (TOML)
        #[arg(long, value_name = "FILE")]
        faults: Option<PathBuf>,
    },
    /// The payment links made here
    #[command(subcommand)]
    Links(List),
    /// The withdrawals made here, and what each state proves
    #[command(subcommand)]
    Withdrawals(List),
    /// Look at the journal that keeps withdrawals from being paid twice, or go on without it
    #[command(subcommand)]
    Journal(journal::Order),
    /// Delete what is kept on this computer and not needed any more
    #[command(subcommand)]
    Data(data::Order),
}

#[derive(Debug, Clone, Subcommand)]
enum List {
    /// List them, newest first
    List {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
        /// List the journal in this directory, such as one that `demo --keep` left
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
    },
}

/// Runs the program; this is all of `main`.
pub fn run() -> ExitCode {
    crate::runtime::hardening::forbid_core_dumps();
    let cli = Cli::parse();
    let done = match cli.command {
        None => counter::open(&cli.common),
        Some(Command::Demo { keep, faults, script }) => {
            counter::demo(&cli.common, keep, faults, script)
        }
        Some(Command::Sandbox { listen, data, faults }) => sandbox::serve(listen, data, faults),
        Some(Command::Links(List::List { json, journal })) => {
            lists::links(&cli.common, json, journal)
        }
        Some(Command::Withdrawals(List::List { json, journal })) => {
            lists::withdrawals(&cli.common, json, journal)
        }
        Some(Command::Journal(order)) => return ended(journal::run(&cli.common, order)),
        Some(Command::Data(order)) => return ended(data::run(&cli.common, order)),
    };
    ended(done.map(|()| ExitCode::SUCCESS))
}

/// The code the program ends with, and the complaint where there is one.
fn ended(done: Result<ExitCode, Complaint>) -> ExitCode {
    match done {
        Ok(code) => code,
        Err(complaint) => {
            // Nobody reads a closed standard error; the exit code still says it.
            let _ = writeln!(std::io::stderr(), "balcao: {complaint}");
            ExitCode::from(2)
        }
    }
}

/// The configuration and where it came from.
struct Settings {
    places: Places,
    config: Config,
}

impl Common {
    fn settings(&self) -> Result<Settings, Complaint> {
        let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let places = Places::find(variable).ok_or_else(|| {
            Complaint(
                "there is no home directory; set BALCAO_CONFIG_DIR and BALCAO_STATE_DIR to say \
                 where files may stand"
                    .into(),
            )
        })?;
        let config = config::load(&places).map_err(Complaint::of)?;
        Ok(Settings { places, config })
    }

    /// How it looks and in which language: flags, then the file, then the environment.
    fn look(&self, settings: &Settings) -> Result<Look, Complaint> {
        let file = &settings.config.file;
        let mut look = Look::new(self.language(file.lang.as_deref())?);
        look.ascii = file.ascii.unwrap_or_default();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let named = self.theme.as_deref().or(file.theme.as_deref());
        look.theme = match named {
            // Whoever asks for no colours gets none, whatever the file says; a flag is newer.
            _ if no_color && self.theme.is_none() => theme("mono", &settings.places)?,
            Some(name) => theme(name, &settings.places)?,
            None => Theme::default(),
        };
        Ok(look)
    }

    fn language(&self, in_file: Option<&str>) -> Result<Lang, Complaint> {
        if let Some(tag) = self.lang.as_deref().or(in_file) {
            let unknown = || Complaint(format!("`{tag}` is not a language here: pt-BR or en"));
            return Lang::of_tag(tag).ok_or_else(unknown);
        }
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .filter_map(|name| std::env::var(name).ok())
            .find(|value| !value.is_empty());
        // The sellers are Brazilian: a locale that names neither language leaves it at theirs.
        Ok(locale.and_then(|locale| Lang::of_tag(&locale)).unwrap_or(Lang::Pt))
    }
}

fn theme(name: &str, places: &Places) -> Result<Theme, Complaint> {
    if let Some(theme) = Theme::named(name) {
        return Ok(theme);
    }
    let path = places.config.join("themes").join(format!("{name}.toml"));
    let text = std::fs::read_to_string(&path).map_err(|error| {
        let known = Theme::NAMES.join(", ");
        Complaint(format!(
            "there is no theme `{name}` (the program's own are {known}), and {} cannot be read: \
             {error}",
            path.display()
        ))
    })?;
    Theme::from_toml(&text).map_err(|error| Complaint(format!("{}: {error}", path.display())))
}
