//! `balcao sandbox`: runs the local payments service (without real money) but not the app.

use std::io::Write;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;

use super::complaint::Complaint;
use super::output::create_output;
use super::replay::{self, ReplayArgs, Start};
use super::{
    GlobalArgs, dirs_error, error_language, invalid_file, path_text, read_file, unreadable_file,
    variable,
};
use crate::config::{Dirs, NoDirs};
use crate::contract::Preset;
use crate::runtime::sandbox_secret::{self, SecretTrouble};
use crate::sandbox::{
    self, Control, Dialect, FaultRule, Options, SandboxServer, StartError, StoreError,
};

// The help texts of these flags are in the `words` module, as for every command.
#[derive(Debug, Args)]
pub struct SandboxArgs {
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    faults: Option<PathBuf>,
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<String>,
    #[arg(long, value_name = "FILE")]
    statement: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    from_har: Option<PathBuf>,
    #[arg(long, requires = "from_har")]
    delays: bool,
    #[arg(
        long,
        value_name = "N",
        requires = "from_har",
        conflicts_with = "last_failure"
    )]
    at: Option<NonZeroUsize>,
    #[arg(long, requires = "from_har")]
    last_failure: bool,
}

/// Runs the sandbox until a signal ends the process.
pub fn serve(args: &GlobalArgs, sandbox_args: SandboxArgs) -> Result<(), Complaint> {
    match &sandbox_args.from_har {
        Some(file) => serve_har(args, &sandbox_args, file),
        None => serve_bank(sandbox_args),
    }
}

/// Plays the requests of an exported file.
fn serve_har(args: &GlobalArgs, sandbox_args: &SandboxArgs, file: &Path) -> Result<(), Complaint> {
    let are_given = [
        sandbox_args.data.is_some(),
        sandbox_args.faults.is_some(),
        sandbox_args.dialect.is_some(),
        sandbox_args.statement.is_some(),
    ];
    let flags = ["--data", "--faults", "--dialect", "--statement"]
        .into_iter()
        .zip(are_given);
    for (flag, is_given) in flags {
        if is_given {
            return Err(Complaint::about(
                "complaint-har-with",
                [("flag", flag.into())],
            ));
        }
    }
    let words = args.words_in(error_language(args.lang.as_deref()));
    let at = sandbox_args.at.map(|number| Start::At(number.get()));
    let start = at.or(sandbox_args.last_failure.then_some(Start::LastFailure));
    replay::serve(
        words,
        &ReplayArgs {
            listen: sandbox_args.listen,
            file,
            delays: sandbox_args.delays,
            start,
        },
    )
}

/// Runs the simulated bank.
fn serve_bank(sandbox_args: SandboxArgs) -> Result<(), Complaint> {
    let SandboxArgs {
        listen,
        data,
        faults,
        dialect,
        statement,
        ..
    } = sandbox_args;
    let dialect = dialect
        .as_deref()
        .map(read_dialect)
        .transpose()?
        .unwrap_or_default();
    let faults = faults
        .as_deref()
        .map(read_faults)
        .transpose()?
        .unwrap_or_default();
    if let Some(file) = &statement
        && file.symlink_metadata().is_ok()
    {
        return Err(Complaint::about(
            "complaint-file-there",
            [("path", path_text(file))],
        ));
    }
    let secret = create_secret()?;
    let runtime = tokio::runtime::Runtime::new().map_err(Complaint::from_error)?;
    runtime.block_on(async {
        let options = Options {
            listen,
            data_file: data,
            faults,
            secret,
            dialect,
            ..Options::default()
        };
        let sandbox = sandbox::start(options).await.map_err(start_error)?;
        // Handle signals before printing, because a script may send one as soon as it has read the
        // last line.
        let terminated = termination_signal();
        print_sandbox(&sandbox);
        terminated.await;
        let control = sandbox.control();
        sandbox.shutdown().await;
        match statement {
            Some(file) => write_statement(&control, file),
            None => Ok(()),
        }
    })
}

/// Writes the statement of the sandbox's bank to a new file.
fn write_statement(control: &Control, file: PathBuf) -> Result<(), Complaint> {
    let text = control.statement();
    let mut out = create_output(Some(file.clone()))?;
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| invalid_file(&file, error))
}

/// Prints the address of the sandbox, its credentials and the faults that will occur.
fn print_sandbox(sandbox: &SandboxServer) {
    let (email, password) = sandbox.credentials();
    let mut out = std::io::stdout().lock();
    // Ignore errors: the service keeps running even if its output was closed.
    let url = sandbox.base_url();
    let jwt = sandbox.jwt();
    let _ = writeln!(
        out,
        "url       {url}\nemail     {email}\npassword  {password}\njwt       {jwt}",
    );
    for fault in sandbox.control().armed() {
        let _ = writeln!(out, "fault     {fault}");
    }
    let _ = writeln!(out, "ledger    {url}/_sandbox/ledger");
    let _ = out.flush();
}

/// The secret with which the sandbox proves to this OS user's other programs that it is the
/// sandbox.
///
/// Returns `None` if there is no home directory. The sandbox then runs without a proof.
fn create_secret() -> Result<Option<String>, Complaint> {
    let dirs = match Dirs::find(variable) {
        Ok(dirs) => dirs,
        Err(NoDirs::NoHome) => return Ok(None),
        Err(relative) => return Err(dirs_error(relative)),
    };
    let secret = sandbox_secret::read_or_create(&dirs.state);
    let secret = secret.map_err(|trouble| secret_error(&dirs.state, trouble))?;
    Ok(Some(secret.expose().to_owned()))
}

/// The error for a secret in this state directory that cannot be used.
pub(super) fn secret_error(state: &Path, trouble: SecretTrouble) -> Complaint {
    let file = sandbox_secret::path(state);
    let why = match trouble {
        SecretTrouble::Io(error) => return unreadable_file(&file, error),
        SecretTrouble::NoFile => "secret-no-file",
        SecretTrouble::NotPrivate => "secret-not-private",
        SecretTrouble::Malformed => "secret-malformed",
    };
    let file = path_text(&file);
    Complaint::new(move |words| {
        let values = [("file", &*file.shown()), ("why", &words.text(why))];
        words.with("complaint-secret", &values)
    })
}

/// Starts to handle SIGTERM, SIGINT and SIGHUP. The returned future completes when the first of
/// these signals arrives.
pub(super) fn termination_signal() -> impl Future<Output = ()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let signals = signal_hook::iterator::Signals::new([SIGTERM, SIGINT, SIGHUP]);
    let watcher = signals.and_then(|mut signals| {
        std::thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                if signals.forever().next().is_some() {
                    let _ = sender.send(());
                }
            })
    });
    async move {
        match watcher {
            Ok(_) => {
                let _ = receiver.await;
            }
            // The signal handler could not be started, so a signal simply ends the process, and
            // this future never completes.
            Err(_) => std::future::pending().await,
        }
    }
}

pub fn read_faults(path: &Path) -> Result<Vec<FaultRule>, Complaint> {
    read_file(path, sandbox::faults::read_toml)
}

/// The sandbox dialect (API variant) with this name, and the matching preset of the API contract.
pub fn find_dialect(name: &str) -> Result<(Preset, Dialect), Complaint> {
    match (Preset::named(name), Dialect::named(name)) {
        (Some(preset), Some(dialect)) => Ok((preset, dialect)),
        _ => {
            let known: Vec<_> = Dialect::names().collect();
            Err(Complaint::no_such(
                "complaint-dialect",
                name,
                Preset::nearest(name),
                &known,
            ))
        }
    }
}

/// Returns the built-in sandbox dialect (API variant) with this name, or reads the dialect from the
/// file at this path.
fn read_dialect(name_or_path: &str) -> Result<Dialect, Complaint> {
    let path = Path::new(name_or_path);
    if Dialect::named(name_or_path).is_some() || !name_or_path.contains(['/', '.']) {
        return find_dialect(name_or_path).map(|(_, dialect)| dialect);
    }
    read_file(path, Dialect::read)
}

fn start_error(error: StartError) -> Complaint {
    match error {
        StartError::BeyondLoopback(at) => beyond_loopback_error(at),
        StartError::Listen(at, error) => listen_error(at, &error),
        StartError::Records(StoreError::Busy(path)) => {
            Complaint::about("complaint-data-busy", [("file", path_text(&path))])
        }
        StartError::Records(StoreError::Damaged(path, why)) => Complaint::about(
            "complaint-no-data",
            [("file", path_text(&path)), ("why", why.into())],
        ),
        StartError::Records(StoreError::Unusable(path, error)) => invalid_file(&path, error),
        StartError::Control(error) => Complaint::from_error(error),
    }
}

pub(super) fn beyond_loopback_error(at: SocketAddr) -> Complaint {
    Complaint::about("complaint-beyond", [("address", at.to_string().into())])
}

pub(super) fn listen_error(at: SocketAddr, error: &std::io::Error) -> Complaint {
    let values = [
        ("address", at.to_string().into()),
        ("why", error.to_string().into()),
    ];
    Complaint::about("complaint-cannot-listen", values)
}
