//! `balcao sandbox --from-har`: runs a local service that replays exported HTTP requests from a
//! file.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;

use tempfile::TempDir;
use toml::{Table, Value};

use super::complaint::Complaint;
use super::sandbox::{beyond_loopback_error, create_secret, listen_error, termination_signal};
use super::{path_text, unreadable_file};
use crate::contract::FieldSpec;
use crate::replay::{self, Recording, RecordingError, ReplayError, ReplayOptions};
use crate::trade::Untrusted;

/// The name of the API contract's file in the temporary configuration directory of a replay.
const CONTRACT_FILE: &str = "contract.toml";

/// The name of the profile with which the app opens a replay.
const PROFILE: &str = "replay";

/// Replays the exported requests until a signal ends the process.
pub(super) fn serve(listen: SocketAddr, file: &Path, delays: bool) -> Result<(), Complaint> {
    let recording = Recording::open(file).map_err(|error| recording_error(file, error))?;
    let secret = create_secret()?;
    let (requests, contract_file) = (recording.requests(), recording.contract_lines().to_owned());
    let (skipped, login) = (recording.skipped(), login_lines(&recording));
    let runtime = tokio::runtime::Runtime::new().map_err(Complaint::from_error)?;
    runtime.block_on(async {
        let options = ReplayOptions { listen, recording, delays, secret };
        let replay = replay::start(options).await.map_err(start_error)?;
        let url = replay.base_url();
        let config_dir = create_config_dir(&url, &contract_file).map_err(Complaint::from_error)?;
        // Handle signals before printing, because a script may send one as soon as it has read the
        // last line.
        let terminated = termination_signal();
        let mut out = std::io::stdout().lock();
        // Ignore errors: the service keeps running even if its output was closed.
        let jwt = replay.jwt();
        let _ = writeln!(out, "url       {url}\n{login}jwt       {jwt}\nrequests  {requests}");
        if skipped > 0 {
            let _ = writeln!(out, "skipped   {skipped} (not sent, or not usable)");
        }
        if !contract_file.is_empty() {
            let _ = writeln!(
                out,
                "contract  {}",
                path_text(&config_dir.path().join(CONTRACT_FILE)).shown()
            );
        }
        // The printed command uses flags for these values, because the user's environment variables
        // could name a live service.
        let config = shell_quote(config_dir.path());
        let _ = writeln!(
            out,
            "open      BALCAO_CONFIG_DIR={config} balcao --profile {PROFILE} --base-url {url}"
        );
        let _ = out.flush();
        drop(out);
        terminated.await;
        replay.shutdown().await;
        Ok(())
    })
}

/// Returns one line of text per field of the login form, with a value that the replay accepts.
fn login_lines(recording: &Recording) -> String {
    let note = if recording.accepts_login() { "" } else { " (refused, as recorded)" };
    let fields = recording.login_fields().iter().filter(|field| field.is_input());
    let line = |field: &FieldSpec| {
        let [id, example] = [&field.id, &field.example()].map(|text| Untrusted::shown_of(text));
        format!("{id:<8}  {example}{note}\n")
    };
    fields.map(line).collect()
}

/// Creates a temporary configuration directory with a profile for the replay, because the user's
/// own profiles must not change.
fn create_config_dir(url: &str, lines: &[String]) -> std::io::Result<TempDir> {
    let dir = tempfile::Builder::new().prefix("balcao-replay-").tempdir()?;
    let mut profile = Table::new();
    profile.insert("base-url".into(), url.into());
    profile.insert("vault".into(), "memory".into());
    if !lines.is_empty() {
        std::fs::write(dir.path().join(CONTRACT_FILE), lines.join("\n") + "\n")?;
        profile.insert("contract".into(), CONTRACT_FILE.into());
    }
    let profiles = Table::from_iter([(PROFILE.to_owned(), Value::Table(profile))]);
    let config = Table::from_iter([
        ("profile".to_owned(), Value::from(PROFILE)),
        ("profiles".to_owned(), Value::Table(profiles)),
    ]);
    std::fs::write(dir.path().join("config.toml"), config.to_string())?;
    Ok(dir)
}

fn shell_quote(path: &Path) -> String {
    let text = path_text(path).shown();
    let is_plain = text.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
    if is_plain { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

pub(super) fn recording_error(file: &Path, error: RecordingError) -> Complaint {
    let (id, why) = match error {
        RecordingError::Io(error) => return unreadable_file(file, error),
        RecordingError::TooLarge => ("complaint-har-large", String::new()),
        RecordingError::NotHar(error) => ("complaint-har-not", error.to_string()),
        RecordingError::Contract(error) => ("complaint-har-contract", error.to_string()),
        RecordingError::Empty => ("complaint-har-empty", String::new()),
    };
    Complaint::about(id, [("file", path_text(file)), ("why", why.into())])
}

fn start_error(error: ReplayError) -> Complaint {
    match error {
        ReplayError::BeyondLoopback(at) => beyond_loopback_error(at),
        ReplayError::Listen(at, error) => listen_error(at, &error),
    }
}
