//! `balcao sandbox --from-har`: runs a local service that replays exported HTTP requests from a
//! file.

mod guide;

use std::fs::DirBuilder;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::complaint::Complaint;
use super::sandbox::{beyond_loopback_error, listen_error, secret_error, termination_signal};
use super::{path_text, unreadable_file};
use crate::config::Dirs;
use crate::journal::RunDir;
use crate::replay::{self, Recording, RecordingError, ReplayError, ReplayOptions, Step};
use crate::runtime::sandbox_secret;
use crate::trade::Untrusted;
use crate::words::{Catalogue, Lang};

/// The name of the API contract's file in the configuration directory of a replay.
const CONTRACT_FILE: &str = "contract.toml";

/// The maximum number of skipped requests that are printed.
const MAX_SKIPPED_LINES: usize = 20;

/// The name of the profile with which the app opens a replay.
const PROFILE: &str = "replay";

/// The options of a replay, from the command line.
pub(super) struct ReplayArgs<'a> {
    pub listen: SocketAddr,
    pub file: &'a Path,
    pub delays: bool,
    /// The recorded request with which the replay starts, if not with the first one.
    pub start: Option<Start>,
}

/// The recorded request with which a replay starts.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start {
    /// The request with this number, counted from 1.
    At(usize),
    /// The last request that failed.
    LastFailure,
}

/// Replays the exported requests until a signal ends the process.
pub(super) fn serve(words: &'static Catalogue, args: &ReplayArgs<'_>) -> Result<(), Complaint> {
    let file = args.file;
    let recording = Recording::open(file).map_err(|error| recording_error(file, error))?;
    let steps = recording.steps();
    let first = args
        .start
        .map(|start| first_step(start, &steps, file))
        .transpose()?;
    let files = ReplayFiles::create()?;
    let secret = sandbox_secret::create_for_replay(&files.dirs.state);
    let secret = secret.map_err(|trouble| secret_error(&files.dirs.state, trouble))?;
    let contract_lines = recording.contract_lines().to_owned();
    let mut lines = login_lines(&recording);
    let skipped = skipped_lines(&recording);
    // Use the seller's language, so that the screens are those of the seller.
    let lang = replay::read_language(file).and_then(|tag| Lang::of_tag(&tag));
    let runtime = tokio::runtime::Runtime::new().map_err(Complaint::from_error)?;
    runtime.block_on(async {
        let options = ReplayOptions {
            delays: args.delays,
            secret: Some(secret.expose().to_owned()),
            first,
            on_request: guide::print_answers(words),
            ..ReplayOptions::new(args.listen, recording)
        };
        let replay = replay::start(options).await.map_err(start_error)?;
        let url = replay.base_url();
        files
            .write_config(&url, &contract_lines)
            .map_err(Complaint::from_error)?;
        // Handle signals before printing, because a script may send one as soon as it has read the
        // last line.
        let terminated = termination_signal();
        lines.insert(0, format!("url       {url}"));
        lines.push(format!("jwt       {}", replay.jwt()));
        lines.push(format!("requests  {}", steps.len()));
        lines.extend(skipped);
        if !contract_lines.is_empty() {
            lines.push(format!(
                "contract  {}",
                path_text(&files.contract_file()).shown()
            ));
        }
        lines.extend(guide::step_lines(words, &steps, first.unwrap_or(1)));
        lines.push(format!("open      {}", files.open_command(&url, lang)));
        let mut out = io::stdout().lock();
        // Ignore errors: the service keeps running even if its output was closed.
        let _ = writeln!(out, "{}", lines.join("\n")).and_then(|()| out.flush());
        drop(out);
        terminated.await;
        replay.shutdown().await;
        Ok(())
    })
}

/// Returns one line of text per recorded request that is not played, but at most
/// [`MAX_SKIPPED_LINES`].
fn skipped_lines(recording: &Recording) -> Vec<String> {
    let skipped = recording.skipped();
    let mut lines: Vec<String> = skipped
        .iter()
        .take(MAX_SKIPPED_LINES)
        .map(|entry| format!("skipped   {entry}"))
        .collect();
    if skipped.len() > MAX_SKIPPED_LINES {
        lines.push(format!(
            "skipped   and {} more",
            skipped.len() - MAX_SKIPPED_LINES
        ));
    }
    lines
}

/// The number of the recorded request with which the replay starts.
fn first_step(start: Start, steps: &[Step], file: &Path) -> Result<usize, Complaint> {
    match start {
        Start::At(number) if number <= steps.len() => Ok(number),
        Start::At(number) => {
            let count = ("count", steps.len().to_string().into());
            let values = [
                ("file", path_text(file)),
                ("n", number.to_string().into()),
                count,
            ];
            Err(Complaint::about("complaint-replay-at", values))
        }
        Start::LastFailure => steps
            .iter()
            .rev()
            .find(|step| step.has_failed)
            .map(|step| step.number)
            .ok_or_else(|| {
                Complaint::about("complaint-replay-no-failure", [("file", path_text(file))])
            }),
    }
}

/// A line of text for each field of the login form, with a value that the replay accepts.
fn login_lines(recording: &Recording) -> Vec<String> {
    let note = if recording.accepts_login() {
        ""
    } else {
        " (refused, as recorded)"
    };
    let fields = recording
        .login_fields()
        .iter()
        .filter(|field| field.is_input());
    fields
        .map(|field| {
            let [id, example] = [&field.id, &field.example()].map(|text| Untrusted::shown_of(text));
            format!("{id:<8}  {example}{note}")
        })
        .collect()
}

/// The files of the app that is opened on a replay: settings, secret and journal. They are separate
/// from the user's own files, and are removed when the replay ends, or by the next replay if the
/// process was killed.
struct ReplayFiles {
    dirs: Dirs,
    _dir: RunDir,
}

impl ReplayFiles {
    /// Creates the directories, and removes those of killed replays.
    fn create() -> Result<ReplayFiles, Complaint> {
        let user = rustix::process::geteuid().as_raw();
        let parent = std::env::temp_dir().join(format!("balcao-replay-{user}"));
        ReplayFiles::create_in(&parent).map_err(|error| {
            let values = [
                ("dir", path_text(&parent)),
                ("why", error.to_string().into()),
            ];
            Complaint::about("complaint-replay-dir", values)
        })
    }

    fn create_in(parent: &Path) -> io::Result<ReplayFiles> {
        let dir = RunDir::create(parent)?;
        let path: &Path = dir.as_ref();
        let dirs = Dirs {
            config: path.join("config"),
            state: path.join("state"),
        };
        for dir in [&dirs.config, &dirs.state] {
            DirBuilder::new().mode(0o700).create(dir)?;
        }
        Ok(ReplayFiles { dirs, _dir: dir })
    }

    fn contract_file(&self) -> PathBuf {
        self.dirs.config.join(CONTRACT_FILE)
    }

    /// Writes a profile for the replay, with the API contract of the recording.
    fn write_config(&self, url: &str, contract_lines: &[String]) -> io::Result<()> {
        let mut profile = Table::new();
        profile.insert("base-url".into(), url.into());
        profile.insert("vault".into(), "memory".into());
        if !contract_lines.is_empty() {
            std::fs::write(self.contract_file(), contract_lines.join("\n") + "\n")?;
            profile.insert("contract".into(), CONTRACT_FILE.into());
        }
        let profiles = Table::from_iter([(PROFILE.to_owned(), Value::Table(profile))]);
        let config = Table::from_iter([
            ("profile".to_owned(), Value::from(PROFILE)),
            ("profiles".to_owned(), Value::Table(profiles)),
        ]);
        std::fs::write(self.dirs.config_file(), config.to_string())
    }

    /// The shell command that opens the app. It names every directory and address, because the
    /// variables of the user's shell could name a live service and its journal.
    fn open_command(&self, url: &str, lang: Option<Lang>) -> String {
        let lang = lang.map_or(String::new(), |lang| format!(" --lang {}", lang.tag()));
        let [config, state] = [&self.dirs.config, &self.dirs.state].map(|dir| shell_quote(dir));
        format!(
            "BALCAO_CONFIG_DIR={config} BALCAO_STATE_DIR={state} \
             balcao --profile {PROFILE} --base-url {url}{lang}"
        )
    }
}

fn shell_quote(path: &Path) -> String {
    let text = path_text(path).shown();
    let is_plain = text
        .chars()
        .all(|c| c.is_alphanumeric() || "/._-".contains(c));
    if is_plain {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

pub(super) fn recording_error(file: &Path, error: RecordingError) -> Complaint {
    let (id, why) = match error {
        RecordingError::Io(error) => return unreadable_file(file, error),
        RecordingError::TooLarge => ("complaint-har-large", String::new()),
        RecordingError::NoEntries => ("complaint-har-no-entries", String::new()),
        RecordingError::TooMany(count) => ("complaint-har-many", count.to_string()),
        RecordingError::NotHar(error) => ("complaint-har-not", error.to_string()),
        RecordingError::Contract(error) => ("complaint-har-contract", error.to_string()),
        RecordingError::Empty => ("complaint-har-empty", String::new()),
        RecordingError::Unusable(entry) => ("complaint-har-unusable", entry.to_string()),
    };
    Complaint::about(id, [("file", path_text(file)), ("why", why.into())])
}

fn start_error(error: ReplayError) -> Complaint {
    match error {
        ReplayError::BeyondLoopback(at) => beyond_loopback_error(at),
        ReplayError::Listen(at, error) => listen_error(at, &error),
    }
}
