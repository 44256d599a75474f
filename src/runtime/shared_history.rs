//! Keeps the history of a team's member in step with the log of the team's history.
//!
//! The history is changed on its own thread and the log is called on another one, so neither waits
//! for the other. The tasks sleep until something changes.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::history::{HistoryWorker, in_history};
use super::inbox::Inbox;
use super::journal_location::JournalLocation;
use super::watch::ChangeNotifier;
use crate::app::Msg;
use crate::journal::history::{History, HistoryLog};
use crate::journal::money::NotAppended;
use crate::team::{MAX_RECORD_BYTES, MAX_RECORDS};
use crate::trade::{JournalTrouble, TeamStatus};

/// The number of tries to append while other machines append first.
const MAX_TRIES: u32 = 8;

/// The pause before another try after an error, while the log is connected.
const RETRY_PAUSE: Duration = Duration::from_secs(10);

/// The numbers of records that were exchanged with the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exchanged {
    /// The records that were read from the log.
    pub received: u64,
    /// The records that changed this history.
    pub applied: u64,
    /// The records that were appended to the log.
    pub sent: u64,
}

/// The part of an exchange with which to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// The log may have new records.
    Receive,
    /// The history may have new changes. If it has none, the log is not called.
    Send,
}

/// Exchanges records with the log until neither side has a new one. `report` is called after each
/// step.
///
/// # Errors
///
/// Fails if the history or the log cannot be used. The steps before that stay done, so a later call
/// goes on.
pub async fn exchange<L: HistoryLog + Clone + 'static>(
    history: &HistoryWorker,
    log: &L,
    start: Start,
    mut report: impl FnMut(&Exchanged),
) -> Result<(), JournalTrouble> {
    let mut exchanged = Exchanged::default();
    let is_reading_again = in_history(history, |history| history.is_reading_again());
    let mut must_receive = is_reading_again.await? || start == Start::Receive;
    let mut tries = 0;
    loop {
        if mem::take(&mut must_receive) {
            receive(history, log, &mut exchanged, &mut report).await?;
        }
        let pending = in_history(history, |history| {
            history.pending_records(MAX_RECORDS, MAX_RECORD_BYTES)
        });
        let records = pending.await?;
        if records.is_empty() {
            return Ok(());
        }
        let count = records.len() as u64;
        let mut log = log.clone();
        let appended = spawn_blocking(move || log.append_records(&records).map(|()| records));
        match appended.await.map_err(stopped)? {
            Ok(records) => {
                in_history(history, move |history| history.appended(&records)).await?;
                exchanged.sent += count;
                tries = 0;
                report(&exchanged);
            }
            // If the records are in the log nevertheless, reading them shows it.
            Err(NotAppended::Outrun | NotAppended::Doubt(_)) if tries < MAX_TRIES => {
                must_receive = true;
                tries += 1;
            }
            Err(error) => return Err(error.into_trouble()),
        }
    }
}

/// Reads and applies the records that follow the last known one, until the log ends.
async fn receive<L: HistoryLog + Clone + 'static>(
    history: &HistoryWorker,
    log: &L,
    exchanged: &mut Exchanged,
    report: &mut impl FnMut(&Exchanged),
) -> Result<(), JournalTrouble> {
    let known = in_history(history, |history| history.last_change()).await?;
    // The first page begins with the last known record, which may be lost.
    let mut last_known = known.map_or(0, |(n, _)| n);
    let mut after = (last_known - 1).max(0);
    let mut must_check = known.is_some();
    loop {
        let mut log = log.clone();
        let read = spawn_blocking(move || log.records_after(after, MAX_RECORDS as i64));
        let records = read.await.map_err(stopped)??;
        let first = records.first().map(|record| (record.n, record.change));
        if mem::take(&mut must_check) && first != known {
            in_history(history, History::read_again).await?;
            (last_known, after) = (0, 0);
            continue;
        }
        let Some(last) = records.last() else {
            return in_history(history, History::share_lost).await;
        };
        after = last.n;
        // A write without a change would wake every window of this computer.
        if after <= last_known {
            continue;
        }
        let new = records.iter().filter(|record| record.n > last_known);
        exchanged.received += new.count() as u64;
        let apply = move |history: &mut History| history.apply_records(&records);
        exchanged.applied += in_history(history, apply).await?.applied;
        report(exchanged);
    }
}

fn stopped(error: tokio::task::JoinError) -> JournalTrouble {
    JournalTrouble::Io(error.to_string())
}

/// Exchanges records with the log of the profile's team after each change of either, and tells the
/// app about new rows. Runs until the task is aborted. Ends at once without a team.
pub async fn keep_in_step(
    location: Arc<JournalLocation>,
    history: HistoryWorker,
    changes: Arc<ChangeNotifier>,
    inbox: Inbox,
) {
    let mut trouble: Option<JournalTrouble> = None;
    while let Some(mirror) = location.team_mirror() {
        let must_retry = mirror.status() == TeamStatus::Connected
            && trouble.as_ref().is_some_and(may_pass_by_itself);
        let mut start = tokio::select! {
            biased;
            () = changes.records.notified() => Start::Receive,
            () = changes.unshared.notified() => Start::Send,
            () = sleep(RETRY_PAUSE), if must_retry => Start::Receive,
        };
        // After an error, whether the log has lost records is not known.
        if trouble.is_some() {
            start = Start::Receive;
        }
        // Without a connection, the next one notifies this task.
        let Some(log) = mirror
            .records()
            .filter(|_| mirror.status() == TeamStatus::Connected)
        else {
            continue;
        };
        let mut applied = 0;
        let announced = exchange(&history, &log, start, |exchanged| {
            if exchanged.applied > applied {
                applied = exchanged.applied;
                inbox.post(Msg::HistoryChanged);
            }
        });
        let earlier = trouble.take();
        trouble = announced.await.err();
        let is_new = trouble.as_ref().map(JournalTrouble::name) != earlier.map(|it| it.name());
        if is_new && let Some(trouble) = trouble.as_ref().filter(|it| !may_pass_by_itself(it)) {
            inbox.send(Msg::HistoryNotShared(trouble.to_string())).await;
        }
    }
}

/// True if the app does not report this trouble: the header already shows a lost connection, and
/// the other troubles pass by themselves.
fn may_pass_by_itself(trouble: &JournalTrouble) -> bool {
    matches!(
        trouble,
        JournalTrouble::Offline(_) | JournalTrouble::Doubt(_) | JournalTrouble::Busy(_)
    )
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::journal::history::Record;
    use crate::locked::Locked;
    use crate::trade::{Account, Author, LinkRequest, Money, Origin, Wall};

    /// The fate of the next append.
    #[derive(Clone, Copy, PartialEq)]
    enum Mishap {
        None,
        /// Another machine appends first.
        Outrun,
        OutrunForEver,
        /// The append succeeds, but its answer is lost.
        AnswerLost,
        RequestLost,
    }

    #[derive(Default)]
    struct Shared {
        records: Vec<Record>,
        mishaps: Vec<Mishap>,
        calls: usize,
    }

    /// A log in memory.
    #[derive(Clone, Default)]
    struct MemoryLog(Arc<Locked<Shared>>);

    impl MemoryLog {
        fn with(mishap: Mishap) -> MemoryLog {
            let log = MemoryLog::default();
            log.0.lock().mishaps.push(mishap);
            log
        }

        fn descriptions(&self) -> Vec<String> {
            let records = &self.0.lock().records;
            let states = records.iter().filter_map(|record| record.state.as_ref());
            let parts = states.filter_map(|state| state.split("\"description\":\"").nth(1));
            parts
                .filter_map(|part| part.split('"').next())
                .map(str::to_owned)
                .collect()
        }
    }

    impl HistoryLog for MemoryLog {
        fn records_after(&mut self, n: i64, most: i64) -> Result<Vec<Record>, JournalTrouble> {
            let mut shared = self.0.lock();
            shared.calls += 1;
            let after = shared.records.iter().filter(|record| record.n > n);
            Ok(after.take(most as usize).cloned().collect())
        }

        fn append_records(&mut self, records: &[Record]) -> Result<(), NotAppended> {
            let mut shared = self.0.lock();
            shared.calls += 1;
            let mishap = shared.mishaps.pop().unwrap_or(Mishap::None);
            match mishap {
                Mishap::Outrun => {
                    let n = shared.records.len() as i64 + 1;
                    shared.records.push(Record {
                        n,
                        change: Uuid::from_u128(7),
                        row: Uuid::from_u128(8),
                        who: records[0].who.clone(),
                        state: records[0]
                            .state
                            .as_ref()
                            .map(|state| state.replace("Bolo", "Torta")),
                        ..records[0].clone()
                    });
                }
                Mishap::OutrunForEver => {
                    shared.mishaps.push(mishap);
                    return Err(NotAppended::Outrun);
                }
                Mishap::RequestLost => return Err(NotAppended::Doubt("lost".into())),
                Mishap::None | Mishap::AnswerLost => {}
            }
            if records[0].n != shared.records.len() as i64 + 1 {
                return Err(NotAppended::Outrun);
            }
            shared.records.extend_from_slice(records);
            if mishap == Mishap::AnswerLost {
                return Err(NotAppended::Doubt("lost".into()));
            }
            Ok(())
        }
    }

    /// The history of a machine with one link, which the log lacks.
    fn machine(dir: &std::path::Path) -> HistoryWorker {
        let mut history = History::open(dir, Wall(0)).unwrap().0;
        let author = Author {
            role: "ana".into(),
            operator: "Ana".into(),
            machine: "caixa".into(),
        };
        history.share(&author).unwrap();
        let request = LinkRequest {
            account: Account {
                origin: Origin("https://pay.example".into()),
                identity: "loja".into(),
            },
            amount: Money::from_centavos(4_990),
            description: "Bolo".into(),
            domain: None,
        };
        history.begin(&request, Wall(1_772_377_200_000)).unwrap();
        HistoryWorker::with_owned("history", 8, move || Ok(history))
    }

    #[tokio::test]
    async fn changes_arrive_once_after_any_mishap() {
        for (mishap, expected) in [
            (Mishap::None, &["Bolo"][..]),
            (Mishap::Outrun, &["Torta", "Bolo"]),
            (Mishap::AnswerLost, &["Bolo"]),
            (Mishap::RequestLost, &["Bolo"]),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let history = machine(dir.path());
            let log = MemoryLog::with(mishap);
            let exchanged = exchange(&history, &log, Start::Send, |_| ()).await;
            assert_eq!(exchanged, Ok(()));
            assert_eq!(log.descriptions(), expected);
            let count = in_history(&history, |history| history.count_pending());
            assert_eq!(count.await, Ok(0));
            let last = in_history(&history, |history| history.last_record());
            assert_eq!(last.await, Ok(expected.len() as i64));
            // Without a new change, the log is not called.
            let calls = log.0.lock().calls;
            let again = exchange(&history, &log, Start::Send, |_| ()).await;
            assert_eq!((again, log.0.lock().calls), (Ok(()), calls));
        }
    }

    #[tokio::test]
    async fn endless_outrun_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        let history = machine(dir.path());
        let log = MemoryLog::with(Mishap::OutrunForEver);
        let exchanged = exchange(&history, &log, Start::Send, |_| ()).await;
        let is_busy = matches!(exchanged, Err(JournalTrouble::Busy(_)));
        assert!(is_busy, "{exchanged:?}");
        let count = in_history(&history, |history| history.count_pending());
        assert_eq!(count.await, Ok(1));
    }
}
