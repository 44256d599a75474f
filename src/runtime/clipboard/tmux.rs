//! The buffer of tmux, which also hands the text to the terminal around it.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// How often a running command is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// Whether tmux took the text in time.
pub(super) async fn load_buffer(text: &str, limit: Duration) -> bool {
    let mut command = Command::new("tmux");
    command.args(["load-buffer", "-w", "-"]);
    let text = text.to_owned();
    let (reply, done) = oneshot::channel();
    let work = move || {
        let _ = reply.send(feed(command, text, limit).unwrap_or(false));
    };
    thread::Builder::new().name("tmux".into()).spawn(work).is_ok() && done.await.unwrap_or(false)
}

/// Runs a command to its end with this input and no output; one that takes too long is killed.
fn feed(mut command: Command, input: String, limit: Duration) -> io::Result<bool> {
    let quiet = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A thread of its own: a command that does not read would block the watch below.
        thread::spawn(move || stdin.write_all(input.as_bytes()));
    }
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        thread::sleep(LOOK);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn the_command_gets_exactly_the_text() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("got");
        let text = "ação\n".repeat(20_000);
        let mut command = shell("cat > \"$FILE\"; echo noise; echo noise >&2");
        command.env("FILE", &file);
        assert!(feed(command, text.clone(), Duration::from_secs(30)).unwrap());
        assert_eq!(std::fs::read_to_string(file).unwrap(), text);
    }

    #[test]
    fn a_refusal_a_missing_and_a_hanging_command_are_no_copies() {
        assert!(!feed(shell("exit 1"), "x".into(), Duration::from_secs(30)).unwrap());
        assert!(feed(Command::new("/nonexistent/tmux"), "x".into(), LOOK).is_err());
        let large = "x".repeat(1_000_000);
        assert!(!feed(shell("exec sleep 60"), large, Duration::from_millis(50)).unwrap());
    }
}
