//! `balcao journal verify`.

use std::process::ExitCode;

use super::{Ground, say};
use crate::cli::commands::{self, Whole};
use crate::cli::complaint::Complaint;
use crate::journal::money::{MoneyJournal, ReadOnlyJournal};
use crate::runtime::clocks::MachineClocks;
use crate::service::{self, Limits};
use crate::trade::JournalTrouble;
use crate::trade::withdrawal::WithdrawalState;

/// The rows that are read at once.
const ROWS: u64 = 500;

/// Reads all of it and says what it found.
pub fn verify(ground: &Ground) -> Result<ExitCode, Complaint> {
    match open(ground).and_then(|look| whole(ground, look)) {
        Ok(whole) => {
            say(&commands::whole(ground.words, &whole))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(JournalTrouble::Missing) => nothing(ground),
        Err(trouble) => ground.trouble(&trouble),
    }
}

/// Opens the journal so that nothing can be written to it.
pub fn open(ground: &Ground) -> Result<ReadOnlyJournal, JournalTrouble> {
    let why = JournalTrouble::ReadOnly("it was opened to be read".into());
    MoneyJournal::open_to_read(&ground.dir, why)
}

/// Says that there is no journal, and whether there was one.
pub fn nothing(ground: &Ground) -> Result<ExitCode, Complaint> {
    let place = ground.place();
    match ground.ask(place.is_missing())? {
        Ok(true) => ground.trouble(&JournalTrouble::Missing),
        Ok(false) => ground.not_done(&commands::none_here(ground.words, &ground.shown())),
        Err(vault) => ground.trouble(&JournalTrouble::MaybeMissing(vault)),
    }
}

fn whole(ground: &Ground, look: ReadOnlyJournal) -> Result<Whole, JournalTrouble> {
    let ReadOnlyJournal { mut journal, is_ahead, is_copy } = look;
    let now = MachineClocks::new().now();
    // The vault is not asked here: of a file that raises the window nobody knows who agreed to it.
    let window = service::window_agreed(&ground.contract, None, &Limits::default());
    let mut states: Vec<(WithdrawalState, u64)> = Vec::new();
    let mut first = 0;
    loop {
        let page = journal.page(None, "", first, ROWS)?;
        for withdrawal in page.rows.iter() {
            let in_flight = journal.in_flight(&withdrawal.agreement.account)?;
            let in_flight = in_flight == Some(withdrawal.agreement.key);
            let state = withdrawal.state(&now, &window, in_flight);
            match states.iter_mut().find(|(known, _)| known.name() == state.name()) {
                Some((_, count)) => *count += 1,
                None => states.push((state, 1)),
            }
        }
        first += ROWS;
        if first >= page.total {
            break;
        }
    }
    let (events, sum) = journal.end();
    let file = ground.dir.join("money.db").display().to_string().into();
    Ok(Whole { file, events, sum: hex(&sum), states, is_ahead, is_copy })
}

/// A checksum in hexadecimal.
pub fn hex(sum: &[u8]) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}
