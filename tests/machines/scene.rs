//! Runs the real app in a pseudo-terminal. A proxy (the gate) can delay the app's traffic to the
//! bank.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

use balcao::journal::LockGuard;
use balcao::journal::money::{Files, MoneyJournal, Storage};
use balcao::trade::{Account, Origin};

use crate::effort::run_in_parallel;
use crate::keyboard;
use crate::support::bank::Bank;
use crate::support::gate::Gate;
use crate::support::place::TestHome;
use crate::support::pty::{Launch, Tui};

/// The number of apps that run at the same time for each processor. The apps wait most of the time.
const APPS_PER_PROCESSOR: usize = 2;

/// A running app with its own directories, simulated bank and proxy.
pub struct Scene {
    pub home: TestHome,
    pub bank: Bank,
    pub gate: Gate,
    pub tui: Tui,
}

impl Scene {
    /// Starts the app directly, or through a shell script that ends with `exec "$0" "$@"`.
    pub fn open(script: Option<&str>, (columns, rows): (u16, u16)) -> Scene {
        let home = TestHome::new();
        let bank = Bank::open();
        let gate = Gate::open(bank.address());
        let launch = match script {
            None => Launch::new(&home),
            Some(script) => {
                let args = ["-c", script, env!("CARGO_BIN_EXE_balcao")];
                Launch::program("/bin/sh", &home).args(&args)
            }
        };
        let tui = add_arguments(launch, &gate).size(columns, rows).start();
        Scene {
            home,
            bank,
            gate,
            tui,
        }
    }

    pub fn open_again(&self) -> Tui {
        add_arguments(Launch::new(&self.home), &self.gate).start()
    }

    pub fn log_in(&mut self) {
        keyboard::type_login(&mut self.tui, &self.bank);
    }

    /// Logs in and opens the review screen of a withdrawal. The confirm button has the focus.
    pub fn open_review(&mut self) {
        self.log_in();
        keyboard::review_withdrawal(&mut self.tui);
    }

    /// Locks the journal, as another process would, so that the app cannot write to it.
    pub fn lock_journal(&self) -> LockGuard {
        self.files().lock_journal().expect("the journal")
    }

    /// Locks the account, so that the app cannot send. Another process that sends a withdrawal
    /// would take the same lock.
    pub fn lock_account(&self) -> LockGuard {
        let (email, _) = self.bank.credentials();
        let account = Account {
            origin: Origin(self.gate.url().into()),
            identity: email.into(),
        };
        self.files()
            .lock_account(&account)
            .expect("the account")
            .expect("nobody has it")
    }

    fn files(&self) -> Files {
        Files::new(self.journal_dir())
    }

    fn journal_dir(&self) -> PathBuf {
        // The app uses the live journal, because it cannot know that the local test server is a
        // sandbox.
        self.home.state_dir().join("journal")
    }

    /// Rolls back a write to the journal that was interrupted by a kill. The app does this on each
    /// start.
    ///
    /// The checks use read-only commands, which cannot roll back. Errors are ignored here, because
    /// the next reader of the journal reports them.
    pub fn roll_back_interrupted_write(&self) {
        let files = self.files();
        if files.journal_exists() {
            let _ = MoneyJournal::open(files, false);
        }
    }

    /// Confirms the withdrawal with a single key press. A second key press would act on the next
    /// screen.
    pub fn confirm(&mut self) {
        // Do not wait for the confirm button, because the caller has already waited for it.
        self.tui.press("\r");
    }

    pub fn confirm_until(&mut self, text: &str) {
        self.confirm();
        self.tui.wait_for(text);
    }
}

fn add_arguments(launch: Launch, gate: &Gate) -> Launch {
    // Let the app resend without waiting, because the usual wait would add hours to these tests.
    let launch = launch.env("BALCAO_TEST_RESEND_AT_ONCE", "1");
    launch.args(&["--base-url", &gate.url(), "--vault", "memory"])
}

/// Calls `run` for each number, several calls at the same time. Reports all failures at the end.
pub fn run_all(numbers: &[usize], name: impl Fn(usize) -> String, run: impl Fn(usize) + Sync) {
    let failures = Mutex::new(Vec::new());
    let processors = thread::available_parallelism().map_or(1, usize::from);
    run_in_parallel(APPS_PER_PROCESSOR * processors, numbers.iter(), |number| {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(*number))) {
            let message = panic.downcast::<String>().map_or_else(
                |panic| {
                    panic
                        .downcast_ref::<&str>()
                        .copied()
                        .unwrap_or("?")
                        .to_owned()
                },
                |message| *message,
            );
            failures.lock().expect("no panic").push((*number, message));
        }
    });
    let failures = failures.into_inner().expect("no panic");
    let describe =
        |(n, message): &(usize, String)| format!("BALCAO_SEED={n}: {}: {message}", name(*n));
    let reports: Vec<_> = failures.iter().map(describe).collect();
    assert!(
        reports.is_empty(),
        "these went wrong:\n{}",
        reports.join("\n")
    );
}
