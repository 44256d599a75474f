//! The buffer of tmux, which also hands the text to the terminal around it.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

/// Whether tmux took the text in time.
pub(super) async fn load_buffer(text: &str, limit: Duration) -> bool {
    let mut command = Command::new("tmux");
    command.args(["load-buffer", "-w", "-"]);
    feed(command, text, limit).await.unwrap_or(false)
}

/// Runs a command to its end with this input and no output; one that takes too long is killed.
async fn feed(mut command: Command, input: &str, limit: Duration) -> io::Result<bool> {
    let quiet = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.kill_on_drop(true).spawn()?;
    let stdin = child.stdin.take();
    let fed = async {
        if let Some(mut stdin) = stdin {
            // A command that does not read to the end says by its status what came of it.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
        child.wait().await
    };
    if let Ok(status) = timeout(limit, fed).await {
        return status.map(|status| status.success());
    }
    child.kill().await?;
    Ok(false)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[tokio::test]
    async fn the_command_gets_exactly_the_text() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("got");
        let text = "ação\n".repeat(20_000);
        let mut command = shell("cat > \"$FILE\"; echo noise; echo noise >&2");
        command.env("FILE", &file);
        assert!(feed(command, &text, Duration::from_secs(30)).await.unwrap());
        assert_eq!(std::fs::read_to_string(file).unwrap(), text);
    }

    #[tokio::test]
    async fn a_refusal_a_missing_and_a_hanging_command_are_no_copies() {
        let long = Duration::from_secs(30);
        assert!(!feed(shell("exit 1"), "x", long).await.unwrap());
        assert!(feed(Command::new("/nonexistent/tmux"), "x", long).await.is_err());
        let large = "x".repeat(1_000_000);
        assert!(!feed(shell("exec sleep 60"), &large, Duration::from_millis(50)).await.unwrap());
    }
}
