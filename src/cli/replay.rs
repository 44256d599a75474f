//! `balcao sandbox --from-har`: runs a service that replays a file of exported requests.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;

use tempfile::TempDir;
use toml::{Table, Value};

use super::complaint::Complaint;
use super::sandbox::{asked_to_end, beyond_loopback, cannot_listen, secret};
use super::{shown, unreadable};
use crate::replay::{self, Recording, RecordingError, ReplayError, ReplayOptions};

/// The name of the contract file in the directory of a replay.
const CONTRACT: &str = "contract.toml";

/// Plays the file until a signal requests the process to end.
pub(super) fn serve(listen: SocketAddr, file: &Path, delays: bool) -> Result<(), Complaint> {
    let recording = Recording::open(file).map_err(|error| unusable(file, error))?;
    let secret = secret()?;
    let (requests, lines) = (recording.requests(), recording.contract_lines().to_owned());
    let login = if recording.accepts_login() { "any" } else { "none: refused, as recorded" };
    let runtime = tokio::runtime::Runtime::new().map_err(Complaint::of)?;
    runtime.block_on(async {
        let options = ReplayOptions { listen, recording, delays, secret };
        let replay = replay::start(options).await.map_err(not_started)?;
        let url = replay.base_url();
        let config = config_dir(&url, &lines).map_err(Complaint::of)?;
        // Handle signals before printing, because a script may send a signal as soon as it has read
        // the last line.
        let asked = asked_to_end();
        let mut out = std::io::stdout().lock();
        // Errors are ignored: the service runs even if the reader has closed the output.
        let jwt = replay.jwt();
        let _ = writeln!(
            out,
            "url       {url}\nemail     {login}\npassword  {login}\njwt       {jwt}\n\
             requests  {requests}",
        );
        if !lines.is_empty() {
            let _ = writeln!(out, "contract  {}", shown(&config.path().join(CONTRACT)).shown());
        }
        let _ = writeln!(out, "open      BALCAO_CONFIG_DIR={} balcao", quoted(config.path()));
        let _ = out.flush();
        drop(out);
        asked.await;
        replay.shutdown().await;
        Ok(())
    })
}

/// Creates a temporary configuration directory, with a profile for the replay and its contract. The
/// user's own profiles do not change.
fn config_dir(url: &str, lines: &[String]) -> std::io::Result<TempDir> {
    let dir = tempfile::Builder::new().prefix("balcao-replay-").tempdir()?;
    let mut profile = Table::new();
    profile.insert("base-url".into(), url.into());
    profile.insert("vault".into(), "memory".into());
    if !lines.is_empty() {
        std::fs::write(dir.path().join(CONTRACT), lines.join("\n") + "\n")?;
        profile.insert("contract".into(), CONTRACT.into());
    }
    let profiles = Table::from_iter([("replay".to_owned(), Value::Table(profile))]);
    let config = Table::from_iter([
        ("profile".to_owned(), Value::from("replay")),
        ("profiles".to_owned(), Value::Table(profiles)),
    ]);
    std::fs::write(dir.path().join("config.toml"), config.to_string())?;
    Ok(dir)
}

/// Returns a path as one word of a shell.
fn quoted(path: &Path) -> String {
    let text = shown(path).shown();
    let is_plain = text.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
    if is_plain { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

fn unusable(file: &Path, error: RecordingError) -> Complaint {
    let (id, why) = match error {
        RecordingError::Io(error) => return unreadable(file, error),
        RecordingError::TooLarge => ("complaint-har-large", String::new()),
        RecordingError::NotHar(error) => ("complaint-har-not", error.to_string()),
        RecordingError::Contract(error) => ("complaint-har-contract", error.to_string()),
        RecordingError::Empty => ("complaint-har-empty", String::new()),
    };
    Complaint::about(id, [("file", shown(file)), ("why", why.into())])
}

fn not_started(error: ReplayError) -> Complaint {
    match error {
        ReplayError::BeyondLoopback(at) => beyond_loopback(at),
        ReplayError::Listen(at, error) => cannot_listen(at, &error),
    }
}
