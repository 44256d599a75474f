//! A seller at the real program in a real terminal, with a gate between it and the bank.

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
use crate::support::place::Place;
use crate::support::pty::{Launch, Tui};

/// How many programs run at once on each processor: most of the time each of them waits.
const ON_EACH: usize = 2;

/// One program, one place, one bank.
pub struct Scene {
    pub place: Place,
    pub bank: Bank,
    pub gate: Gate,
    pub tui: Tui,
}

impl Scene {
    /// Starts the program, or a shell's script that becomes it: `$0` with the arguments `$@`.
    pub fn open(script: Option<&str>, (columns, rows): (u16, u16)) -> Scene {
        let (place, bank) = (Place::new(), Bank::open());
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

    /// Starts the program once more, in another terminal.
    pub fn open_again(&self) -> Tui {
        with_arguments(Launch::new(&self.place), &self.gate).start()
    }

    /// Types the login.
    pub fn log_in(&mut self) {
        keyboard::type_login(&mut self.tui, &self.bank);
    }

    /// Logs in and opens the review, with the button chosen that confirms.
    pub fn review(&mut self) {
        self.log_in();
        keyboard::review_withdrawal(&mut self.tui);
    }

    /// Holds the journal as another window's write does, so that nobody else can write.
    pub fn hold_journal(&self) -> LockGuard {
        self.files().hold_journal().expect("the journal")
    }

    /// Holds the account as another window's attempt does, so that nobody else can send.
    pub fn hold_account(&self) -> LockGuard {
        let (email, _) = self.bank.credentials();
        let account = Account { origin: Origin(self.gate.url().into()), identity: email.into() };
        self.files().hold_account(&account).expect("the account").expect("nobody has it")
    }

    fn files(&self) -> Files {
        Files::new(&self.journal_dir())
    }

    fn journal_dir(&self) -> PathBuf {
        // What listens on this machine and does not prove to be the sandbox is live.
        self.place.state().join("journal")
    }

    /// Undoes a write that a kill cut short, as every start does: who only reads cannot.
    ///
    /// A first start that was cut short goes on, for nothing here remembers a journal. What else is
    /// wrong with the journal is for those to find who read it next.
    pub fn undo_cut_short(&self) {
        let dir = self.journal_dir();
        if money::is_there(&dir) {
            let _ = MoneyJournal::open(&dir, OsDisk, false);
        }
    }

    /// Confirms what the review shows, with one key: a second one would go to the next screen.
    pub fn confirm(&mut self) {
        // The review waited for the button to be alive.
        self.tui.press("\r");
    }

    /// Confirms, and waits until the screen shows a text.
    pub fn confirm_until(&mut self, text: &str) {
        self.confirm();
        self.tui.wait_for(text);
    }
}

/// The program's arguments.
fn with_arguments(launch: Launch, gate: &Gate) -> Launch {
    // That a resend waits is for other machines: here that would be hours.
    let launch = launch.env("BALCAO_TEST_RESEND_AT_ONCE", "1");
    launch.args(&["--base-url", &gate.url(), "--vault", "memory"])
}

/// Makes these runs, several at once, and says at the end which of them went wrong.
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
