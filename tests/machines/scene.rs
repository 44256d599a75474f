//! Runs the real app in a pseudo-terminal. A proxy (the gate) can delay the app's traffic to the
//! bank.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

use balcao::journal::money::{self, Files, MoneyJournal, Storage};
use balcao::journal::{LockGuard, OsDisk};
use balcao::trade::{Account, Origin};

use crate::effort::each;
use crate::keyboard;
use crate::support::bank::Bank;
use crate::support::gate::Gate;
use crate::support::place::TestHome;
use crate::support::pty::{Launch, Tui};

/// The number of apps that run at the same time for each processor. The apps wait most of the time.
const ON_EACH: usize = 2;

/// A running app with its own directories, simulated bank and proxy.
pub struct Scene {
    pub place: TestHome,
    pub bank: Bank,
    pub gate: Gate,
    pub tui: Tui,
}

impl Scene {
    /// Starts the app directly, or through a shell script that ends with `exec "$0" "$@"`.
    pub fn open(script: Option<&str>, (columns, rows): (u16, u16)) -> Scene {
        let (place, bank) = (TestHome::new(), Bank::open());
        let gate = Gate::to(bank.address());
        let launch = match script {
            None => Launch::new(&place),
            Some(script) => {
                let args = ["-c", script, env!("CARGO_BIN_EXE_balcao")];
                Launch::program("/bin/sh", &place).args(&args)
            }
        };
        let tui = with_arguments(launch, &gate).size(columns, rows).start();
        Scene { place, bank, gate, tui }
    }

    pub fn open_again(&self) -> Tui {
        with_arguments(Launch::new(&self.place), &self.gate).start()
    }

    pub fn log_in(&mut self) {
        keyboard::type_login(&mut self.tui, &self.bank);
    }

    /// Logs in and opens the review screen of a withdrawal. The confirm button has the focus.
    pub fn review(&mut self) {
        self.log_in();
        keyboard::review_withdrawal(&mut self.tui);
    }

    /// Locks the journal, as another process would, so that the app cannot write to it.
    pub fn hold_journal(&self) -> LockGuard {
        self.files().hold_journal().expect("the journal")
    }

    /// Locks the account, so that the app cannot send. Another process that sends a withdrawal
    /// would take the same lock.
    pub fn hold_account(&self) -> LockGuard {
        let (email, _) = self.bank.credentials();
        let account = Account { origin: Origin(self.gate.url().into()), identity: email.into() };
        self.files().hold_account(&account).expect("the account").expect("nobody has it")
    }

    fn files(&self) -> Files {
        Files::new(&self.journal_dir())
    }

    fn journal_dir(&self) -> PathBuf {
        // The app uses the live journal, because it cannot know that the local test server is a
        // sandbox.
        self.place.state().join("journal")
    }

    /// Rolls back a write to the journal that was interrupted by a kill. The app does this on each
    /// start.
    ///
    /// The checks use read-only commands, which cannot roll back. Errors are ignored here, because
    /// the next reader of the journal reports them.
    pub fn undo_cut_short(&self) {
        let dir = self.journal_dir();
        if money::is_there(&dir) {
            let _ = MoneyJournal::open(&dir, OsDisk, false);
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

fn with_arguments(launch: Launch, gate: &Gate) -> Launch {
    // Let the app resend without waiting, because the usual wait would add hours to these tests.
    let launch = launch.env("BALCAO_TEST_RESEND_AT_ONCE", "1");
    launch.args(&["--base-url", &gate.url(), "--vault", "memory"])
}

/// Calls `run` for each number, several at the same time. Reports all failures together at the end.
pub fn runs(numbers: &[usize], name: impl Fn(usize) -> String, run: impl Fn(usize) + Sync) {
    let wrong = Mutex::new(Vec::new());
    let processors = thread::available_parallelism().map_or(1, usize::from);
    each(ON_EACH * processors, numbers.iter(), |number| {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(*number))) {
            let said = panic.downcast::<String>().map_or_else(
                |panic| panic.downcast_ref::<&str>().copied().unwrap_or("?").to_owned(),
                |said| *said,
            );
            wrong.lock().expect("no panic").push((*number, said));
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    let tell = |(n, said): &(usize, String)| format!("BALCAO_SEED={n}: {}: {said}", name(*n));
    let told: Vec<_> = wrong.iter().map(tell).collect();
    assert!(told.is_empty(), "these went wrong:\n{}", told.join("\n"));
}
