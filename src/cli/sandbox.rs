//! `balcao sandbox`: only the service.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use super::Complaint;
use crate::sandbox::{self, FaultRule, Options};

/// Plays the service until it is asked to end.
pub fn serve(
    listen: SocketAddr,
    data: Option<PathBuf>,
    faults: Option<PathBuf>,
) -> Result<(), Complaint> {
    let faults = faults.as_deref().map(read_faults).transpose()?.unwrap_or_default();
    let runtime = tokio::runtime::Runtime::new().map_err(Complaint::of)?;
    runtime.block_on(async {
        let options = Options { listen, data, faults, ..Options::default() };
        let sandbox = sandbox::start(options).await.map_err(Complaint::of)?;
        let (email, password) = sandbox.credentials();
        let mut out = std::io::stdout().lock();
        // A reader that has gone away does not stop the service.
        let _ = writeln!(
            out,
            "url       {}\nemail     {email}\npassword  {password}\njwt       {}\n\
             ledger    {}/_sandbox/ledger",
            sandbox.base_url(),
            sandbox.jwt(),
            sandbox.base_url(),
        );
        let _ = out.flush();
        drop(out);
        until_asked().await;
        sandbox.shutdown().await;
        Ok(())
    })
}

/// Waits for SIGTERM, SIGINT or SIGHUP.
async fn until_asked() {
    let (asked, heard) = tokio::sync::oneshot::channel();
    let mut asked = Some(asked);
    let watched = std::thread::Builder::new().name("signals".into()).spawn(move || {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGTERM, SIGINT, SIGHUP]) else {
            return;
        };
        if signals.forever().next().is_some()
            && let Some(asked) = asked.take()
        {
            let _ = asked.send(());
        }
    });
    match watched {
        Ok(_) => {
            let _ = heard.await;
        }
        // Without a thread the signals keep their usual meaning, and end the process.
        Err(_) => std::future::pending().await,
    }
}

/// Reads a file of faults.
pub fn read_faults(path: &Path) -> Result<Vec<FaultRule>, Complaint> {
    let wrong = |error: &dyn std::fmt::Display| Complaint(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    sandbox::faults::read_toml(&text).map_err(|error| wrong(&error))
}
