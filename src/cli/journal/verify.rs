//! `balcao journal verify`.

use super::CommandContext;
use crate::cli::commands::{self, VerifyReport};
use crate::cli::complaint::Complaint;
use crate::cli::output::print_line;
use crate::journal::money::{MoneyJournal, ReadOnlyJournal};
use crate::runtime::clocks::MachineClocks;
use crate::service::{self, Limits};
use crate::trade::JournalTrouble;
use crate::trade::withdrawal::WithdrawalState;

/// The rows that are read at once.
const ROWS: u64 = 500;

/// Reads the whole journal, compares it with its markers, and prints a report.
pub fn verify(context: &CommandContext) -> Result<(), Complaint> {
    let looked = open(context);
    context.check(&looked)?.map_err(|trouble| context.trouble(&trouble))?;
    match looked.and_then(|look| read_all(context, look)) {
        Ok(report) => print_line(&commands::verify_report(context.words, &report)),
        Err(JournalTrouble::Missing) => Err(context.none_here()),
        Err(trouble) => Err(context.trouble(&trouble)),
    }
}

/// Opens the journal for reading only.
pub fn open(context: &CommandContext) -> Result<ReadOnlyJournal, JournalTrouble> {
    let why = JournalTrouble::ReadOnly("it was opened to be read".into());
    MoneyJournal::open_to_read(&context.dir, why)
}

/// The complaint that there is no journal, or why there is none.
pub fn nothing(context: &CommandContext) -> Complaint {
    match context.check(&Err(JournalTrouble::Missing)) {
        Err(complaint) => complaint,
        Ok(Err(trouble)) => context.trouble(&trouble),
        Ok(Ok(())) => context.none_here(),
    }
}

fn read_all(
    context: &CommandContext,
    look: ReadOnlyJournal,
) -> Result<VerifyReport, JournalTrouble> {
    let ReadOnlyJournal { mut journal, is_ahead, is_copy } = look;
    let now = MachineClocks::new().now();
    // The vault is not read here: a contract file counts as not agreed to, and raises no window.
    let window = service::window_agreed(&context.contract, None, &Limits::default());
    let mut states: Vec<(WithdrawalState, u64)> = Vec::new();
    let mut first = 0;
    loop {
        let page = journal.page(None, "", first, ROWS)?;
        let sending = journal.in_flight_among(&page.rows)?;
        for withdrawal in page.rows.iter() {
            let in_flight = sending.contains(&withdrawal.agreement.key);
            let state = withdrawal.state(&now, &window, in_flight);
            match states.iter_mut().find(|(known, _)| known.name() == state.name()) {
                Some((_, count)) => *count += 1,
                None => states.push((state, 1)),
            }
        }
        first += ROWS;
        if (page.rows.len() as u64) < ROWS {
            break;
        }
    }
    let last = journal.last();
    let file = context.dir.join("money.db").display().to_string().into();
    Ok(VerifyReport {
        file,
        events: last.n.unsigned_abs(),
        sum: hex(&last.sum),
        states,
        is_ahead,
        is_copy,
    })
}

/// A checksum in hexadecimal.
pub fn hex(sum: &[u8]) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}
