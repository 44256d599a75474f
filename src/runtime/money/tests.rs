//! Tests of the money thread. A newer query replaces waiting queries, an outcome is written even if
//! the journal was busy at first, and a journal that hangs delays no attempt in flight.

use std::path::Path;
use std::sync::{Mutex, mpsc as std_mpsc};
use std::{future, thread};

use futures_util::FutureExt;
use tokio::sync::Notify;

use super::*;
use crate::app::ui::list::PageRequest;
use crate::config::Dirs;
use crate::journal::money::Files;
use crate::journal::money::samples::{WINDOW, agreement, attempt_end, confirmed, key};
use crate::journal::money::{ChainLink, Marker};
use crate::journal::{Permit, Spent};
use crate::runtime::journal_location::LiveJournal;
use crate::runtime::tests::FixedClock;
use crate::trade::withdrawal::{AttemptEnd, Decision};
use crate::trade::{Failure, PagePosition, Search, Ticket, VaultKind, VaultTrouble};
use crate::vault::{Vault, VaultHandle, WRITE_LIMIT};

/// A `Wire` (it sends requests) for tests that send no withdrawal.
struct NoWire;

impl Wire for NoWire {
    async fn send(&self, _: Permit) -> (Spent, AttemptEnd) {
        panic!("nothing is to be sent")
    }
}

/// A money worker with a new journal, and an inbox with room for one message. The money thread
/// blocks while the inbox is full.
fn worker(dir: &Path) -> (MoneyWorker, mpsc::Receiver<Msg>) {
    worker_with(dir, NoWire)
}

fn worker_with(dir: &Path, wire: impl Wire + Send + 'static) -> (MoneyWorker, mpsc::Receiver<Msg>) {
    worker_at(
        JournalLocation::fixed(Files::new(dir), VaultHandle::memory()),
        wire,
    )
}

fn worker_at(
    location: JournalLocation,
    wire: impl Wire + Send + 'static,
) -> (MoneyWorker, mpsc::Receiver<Msg>) {
    let location = Arc::new(location);
    let (sender, inbox) = mpsc::channel(1);
    let inbox_sender = Inbox::new(sender);
    let window = watch::channel(WINDOW).1;
    (
        MoneyWorker::new(
            location,
            wire,
            FixedClock,
            window,
            inbox_sender,
            Arc::default(),
        ),
        inbox,
    )
}

fn load(n: u64) -> MoneyCommand {
    MoneyCommand::Load(Box::new(PageRequest {
        ticket: Ticket(n),
        query: "".into(),
        search: Search::default(),
        first: n,
        rows: 200,
        place: PagePosition::Top,
    }))
}

#[test]
fn burst_of_queries_is_reduced_to_the_newest() {
    const LAST: u64 = 300;
    let dir = tempfile::tempdir().unwrap();
    let (worker, mut inbox) = worker(dir.path());
    for n in 1..=LAST {
        assert!(worker.submit(load(n)).is_ok(), "question {n}");
    }
    let mut replies = 0;
    loop {
        replies += 1;
        match inbox.blocking_recv() {
            Some(Msg::WithdrawalsLoaded {
                ticket: Ticket(n),
                result: Ok(_),
            }) if n < LAST => {}
            Some(Msg::WithdrawalsLoaded {
                ticket: Ticket(LAST),
                result: Ok(snapshot),
            }) => {
                assert_eq!(snapshot.page.first, LAST);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    // At most two older queries are answered: one before the inbox was full, and one whose reply
    // waited for room in the inbox.
    assert!(replies <= 3, "{replies} pages were read");
}

#[test]
fn other_kind_of_query_is_answered_with_newest_list() {
    let dir = tempfile::tempdir().unwrap();
    let (worker, mut inbox) = worker(dir.path());
    let look_up = MoneyCommand::LookUpPast(Box::new(agreement(1, 100)));
    assert!(worker.submit(look_up).is_ok());
    assert!(worker.submit(load(1)).is_ok() && worker.submit(load(2)).is_ok());
    let mut has_review = false;
    let mut has_list = false;
    while !(has_review && has_list) {
        match inbox.blocking_recv() {
            Some(Msg::Reviewed { past: Ok(_), .. }) => has_review = true,
            Some(Msg::WithdrawalsLoaded {
                ticket,
                result: Ok(_),
            }) => has_list = ticket == Ticket(2),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn command_beyond_queue_is_refused_as_busy() {
    let dir = tempfile::tempdir().unwrap();
    let (worker, _inbox) = worker(dir.path());
    let decide = || MoneyCommand::Decide {
        key: key(1),
        choice: Decision::Discarded,
    };
    let rejection = (0..=2 * QUEUE).find_map(|_| worker.submit(decide()).err());
    let Some(Msg::Decided {
        result: Err(failure),
        ..
    }) = rejection.as_deref()
    else {
        panic!("{rejection:?}")
    };
    assert_eq!(*failure, Failure::Blocked(Blocker::Busy));
}

#[test]
fn unavailable_thread_refuses_queue_and_closes() {
    let (sender, queue) = mpsc::channel(QUEUE);
    let queries = Arc::<QuerySlots>::default();
    let in_flight = Arc::<InFlight>::default();
    in_flight.add(key(1));
    sender
        .try_send(MoneyCommand::Attempt {
            key: key(1),
            retyped: None,
        })
        .unwrap();
    let query = load(1);
    queries
        .slot_for(&query)
        .expect("a place of its own")
        .put(query);
    let (msg_sender, mut inbox) = mpsc::channel(2);
    let work = WorkQueue { queue, queries };
    reject_without_runtime(
        &io::ErrorKind::OutOfMemory.into(),
        work,
        &in_flight,
        &Inbox::new(msg_sender),
    );
    let Some(Msg::AttemptTrouble { trouble, .. }) = inbox.blocking_recv() else {
        panic!()
    };
    assert!(
        matches!(trouble, Failure::Journal(JournalTrouble::Io(_))),
        "{trouble:?}"
    );
    let Some(Msg::WithdrawalsLoaded { result: Err(_), .. }) = inbox.blocking_recv() else {
        panic!("it is answered too")
    };
    assert!(in_flight.wait(Duration::ZERO) && sender.is_closed());
}

/// A `Wire` (it sends requests) that locks the database before it returns the reply, as a backup
/// program could. The test unlocks the database later.
struct BackupLockingWire(std::path::PathBuf, Arc<Mutex<Option<rusqlite::Connection>>>);

impl Wire for BackupLockingWire {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let backup = rusqlite::Connection::open(self.0.join("money.db")).unwrap();
        let reads = "BEGIN; SELECT count(*) FROM event";
        backup.execute_batch(reads).unwrap();
        *self.1.lock().unwrap() = Some(backup);
        (permit.spend().0, attempt_end(9, confirmed()))
    }
}

/// The next message. Skips notifications about other processes.
fn next_msg(inbox: &mut mpsc::Receiver<Msg>) -> Msg {
    loop {
        match inbox.blocking_recv() {
            Some(Msg::JournalChanged) => {}
            msg => return msg.expect("something is said"),
        }
    }
}

#[test]
fn end_delayed_by_backup_is_written_afterwards() {
    let dir = tempfile::tempdir().unwrap();
    let backup = Arc::new(Mutex::new(None));
    let wire = BackupLockingWire(dir.path().to_owned(), backup.clone());
    let (worker, mut inbox) = worker_with(dir.path(), wire);
    let agreement = Box::new(agreement(1, 100));
    let retyped = None;
    assert!(
        worker
            .submit(MoneyCommand::Prepare { agreement, retyped })
            .is_ok()
    );
    assert!(matches!(
        next_msg(&mut inbox),
        Msg::Prepared { result: Ok(_), .. }
    ));
    assert!(
        worker
            .submit(MoneyCommand::Attempt {
                key: key(1),
                retyped: None
            })
            .is_ok()
    );
    assert!(matches!(
        next_msg(&mut inbox),
        Msg::AttemptBegan { n: 1, .. }
    ));
    let Msg::AttemptTrouble {
        trouble: failure, ..
    } = next_msg(&mut inbox)
    else {
        panic!()
    };
    let Failure::Unrecorded {
        end: reported_end,
        trouble,
        ..
    } = &failure
    else {
        panic!("{failure:?}")
    };
    assert_eq!(**reported_end, attempt_end(9, confirmed()));
    assert!(matches!(trouble, JournalTrouble::Busy(_)), "{trouble:?}");
    // While the write is retried, loading the list of withdrawals reports the same problem, and the
    // attempt still counts as in flight.
    assert!(worker.submit(load(1)).is_ok());
    let Msg::WithdrawalsLoaded {
        result: Ok(snapshot),
        ..
    } = next_msg(&mut inbox)
    else {
        panic!()
    };
    assert_eq!(snapshot.locked.as_ref(), Some(trouble));
    assert!(worker.is_busy() && !worker.wait_for_attempts(Duration::ZERO));
    assert_eq!(worker.unrecorded_outcome(), Some((key(1), failure.clone())));
    let _ = backup.lock().unwrap().take();
    let Msg::Settled(settled) = next_msg(&mut inbox) else {
        panic!()
    };
    assert_eq!(settled.attempts[0].end, Some(attempt_end(9, confirmed())));
    assert!(worker.wait_for_attempts(Duration::from_secs(20)));
    assert_eq!(
        (worker.unrecorded_outcome(), worker.last_ended()),
        (None, Some(*settled))
    );
}

/// A `Wire` (it sends requests) that confirms every withdrawal at once.
struct ConfirmingWire;

impl Wire for ConfirmingWire {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        (permit.spend().0, attempt_end(9, confirmed()))
    }
}

/// An empty keyring that reports each write. A write does not return until the test drops the
/// receiver.
struct HangingVault(std::sync::mpsc::SyncSender<Vec<u8>>);

impl Vault for HangingVault {
    fn value(&mut self, _: &str, _: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        Ok(None)
    }

    fn set(&mut self, _: &str, _: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        // The channel has no room, so that the second send waits for the test.
        for _ in 0..2 {
            let _ = self.0.send(value.to_vec());
        }
        Ok(())
    }

    fn remove(&mut self, _: &str, _: &str) -> Result<(), VaultTrouble> {
        Ok(())
    }
}

fn hanging_vault() -> (VaultHandle, std::sync::mpsc::Receiver<Vec<u8>>) {
    let (writes, written) = std::sync::mpsc::sync_channel(0);
    let vault = VaultHandle::on_thread(VaultKind::Keyring, || Box::new(HangingVault(writes)));
    (vault, written)
}

/// The location of a live journal whose marker is in this vault.
fn live_location(dir: &Path, vault: &VaultHandle) -> JournalLocation {
    let dirs = Dirs {
        config: dir.join("config"),
        state: dir.join("state"),
    };
    JournalLocation::live(LiveJournal::for_machine(&dirs, "this one"), vault.clone())
}

/// Waits for the next write of the vault, which then hangs.
fn next_marker(written: &std::sync::mpsc::Receiver<Vec<u8>>) -> String {
    let value = written
        .recv_timeout(2 * WRITE_LIMIT)
        .expect("the marker is written");
    String::from_utf8(value).unwrap()
}

/// Sends withdrawal number `n`, which has three events.
fn send_withdrawal(worker: &MoneyWorker, inbox: &mut mpsc::Receiver<Msg>, n: u128) {
    let agreement = Box::new(agreement(n, 100 * n as i64));
    assert!(
        worker
            .submit(MoneyCommand::Prepare {
                agreement,
                retyped: None
            })
            .is_ok()
    );
    let msg = next_msg(inbox);
    assert!(
        matches!(msg, Msg::Prepared { result: Ok(_), .. }),
        "{msg:?}"
    );
    assert!(
        worker
            .submit(MoneyCommand::Attempt {
                key: key(n),
                retyped: None
            })
            .is_ok()
    );
    assert!(matches!(next_msg(inbox), Msg::AttemptBegan { n: 1, .. }));
    assert!(matches!(next_msg(inbox), Msg::Settled(_)));
}

#[test]
fn hanging_vault_delays_and_refuses_no_send() {
    let dir = tempfile::tempdir().unwrap();
    let (vault, written) = hanging_vault();
    let (worker, mut inbox) = worker_at(live_location(dir.path(), &vault), ConfirmingWire);
    send_withdrawal(&worker, &mut inbox, 1);
    // The vault is written only after the first withdrawal was settled. It hangs from now on.
    let marker = next_marker(&written);
    assert!(
        marker.starts_with("3 ") && marker.ends_with("/state/journal"),
        "{marker}"
    );
    send_withdrawal(&worker, &mut inbox, 2);
    assert!(
        worker
            .submit(MoneyCommand::Prepare {
                agreement: Box::new(agreement(3, 300)),
                retyped: None
            })
            .is_ok()
    );
    assert!(matches!(
        next_msg(&mut inbox),
        Msg::Prepared { result: Ok(_), .. }
    ));
    let discard = MoneyCommand::Decide {
        key: key(3),
        choice: Decision::Discarded,
    };
    assert!(worker.submit(discard).is_ok());
    assert!(matches!(
        next_msg(&mut inbox),
        Msg::Decided { result: Ok(_), .. }
    ));
    // The first write still runs, so nothing has waited for it until its time limit.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let read = runtime.block_on(async { vault.get_text("any").now_or_never() });
    assert_eq!(read, None);
    worker.close();
}

#[test]
fn opened_journal_is_marked_in_the_vault() {
    let dir = tempfile::tempdir().unwrap();
    let (vault, written) = hanging_vault();
    let (worker, mut inbox) = worker_at(live_location(dir.path(), &vault), ConfirmingWire);
    send_withdrawal(&worker, &mut inbox, 1);
    worker.close();
    drop((worker, vault, written));
    let (vault, written) = hanging_vault();
    let (worker, mut inbox) = worker_at(live_location(dir.path(), &vault), ConfirmingWire);
    assert!(worker.submit(load(1)).is_ok());
    let marker = next_marker(&written);
    assert!(marker.starts_with("3 "), "{marker}");
    // The list is shown although the vault still hangs.
    assert!(matches!(
        next_msg(&mut inbox),
        Msg::WithdrawalsLoaded { result: Ok(_), .. }
    ));
    worker.close();
}

/// A marker of the journal. Each write of the journal reads it first, reports that to the test, and
/// then blocks while the test holds the gate.
struct GatedMarker {
    entered: std_mpsc::SyncSender<()>,
    gate: Arc<Mutex<()>>,
}

impl Marker for GatedMarker {
    fn last_event(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        let _ = self.entered.send(());
        drop(self.gate.lock().unwrap());
        Ok(None)
    }

    fn store(&self, _: &ChainLink) -> io::Result<()> {
        Ok(())
    }
}

/// A `Wire` (it sends requests) that begins each step of a request when the test allows it, and
/// reports the end of the step.
struct SteppedWire {
    step: Arc<Notify>,
    done: std_mpsc::SyncSender<&'static str>,
}

impl Wire for SteppedWire {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        self.step.notified().await;
        let deadline = Duration::from_millis(50);
        tokio::time::timeout(deadline, future::pending::<()>())
            .await
            .unwrap_err();
        self.done.send("deadline").unwrap();
        self.step.notified().await;
        self.done.send("reply").unwrap();
        (permit.spend().0, attempt_end(9, confirmed()))
    }
}

/// A money worker whose journal hangs in each write while the test holds `gate`.
struct GatedWorker {
    worker: MoneyWorker,
    inbox: mpsc::Receiver<Msg>,
    gate: Arc<Mutex<()>>,
    entered: std_mpsc::Receiver<()>,
}

impl GatedWorker {
    fn new(dir: &Path, wire: impl Wire + Send + 'static) -> GatedWorker {
        let gate = Arc::<Mutex<()>>::default();
        let (sender, entered) = std_mpsc::sync_channel(64);
        let marker = GatedMarker {
            entered: sender,
            gate: gate.clone(),
        };
        let location = JournalLocation::fixed(Files::new(dir), VaultHandle::memory());
        location.set_seed(Box::new(|journal, _| {
            journal
                .lock()
                .unwrap()
                .attach_marker(Box::new(marker))
                .unwrap();
        }));
        let (worker, inbox) = worker_at(location, wire);
        GatedWorker {
            worker,
            inbox,
            gate,
            entered,
        }
    }

    fn prepare(&self, n: u128) {
        let agreement = Box::new(agreement(n, 100 * n as i64));
        assert!(
            self.worker
                .submit(MoneyCommand::Prepare {
                    agreement,
                    retyped: None
                })
                .is_ok()
        );
    }

    /// Waits until the journal is in a write.
    fn wait_for_write(&self) {
        self.entered
            .recv_timeout(Duration::from_secs(20))
            .expect("the journal writes");
    }

    /// Prepares withdrawal 1, and begins an attempt of it.
    fn begin_attempt(&mut self) {
        self.prepare(1);
        assert!(matches!(
            next_msg(&mut self.inbox),
            Msg::Prepared { result: Ok(_), .. }
        ));
        let attempt = MoneyCommand::Attempt {
            key: key(1),
            retyped: None,
        };
        assert!(self.worker.submit(attempt).is_ok());
        assert!(matches!(
            next_msg(&mut self.inbox),
            Msg::AttemptBegan { n: 1, .. }
        ));
        while self.entered.try_recv().is_ok() {}
    }
}

#[test]
fn hanging_journal_delays_no_attempt_in_flight() {
    let dir = tempfile::tempdir().unwrap();
    let step = Arc::new(Notify::new());
    let (done, steps) = std_mpsc::sync_channel(64);
    let mut gated = GatedWorker::new(
        dir.path(),
        SteppedWire {
            step: step.clone(),
            done,
        },
    );
    gated.begin_attempt();
    let gate = gated.gate.clone();
    let guard = gate.lock().unwrap();
    gated.prepare(2);
    gated.wait_for_write();
    // The deadline and the reply of the attempt are handled although the journal hangs.
    for expected in ["deadline", "reply"] {
        step.notify_one();
        assert_eq!(steps.recv_timeout(Duration::from_secs(4)), Ok(expected));
    }
    assert!(gated.worker.is_busy(), "its end is not recorded yet");
    drop(guard);
    let mut is_answered = false;
    let mut is_settled = false;
    while !(is_answered && is_settled) {
        match next_msg(&mut gated.inbox) {
            // The journal refuses it, because the first withdrawal is open.
            Msg::Prepared {
                key: prepared,
                result: Err(_),
            } => is_answered = prepared == key(2),
            Msg::Settled(settled) => is_settled = settled.agreement.key == key(1),
            other => panic!("{other:?}"),
        }
    }
    gated.worker.close();
}

#[test]
fn hanging_journal_does_not_delay_leaving() {
    let dir = tempfile::tempdir().unwrap();
    let gated = GatedWorker::new(dir.path(), NoWire);
    let gate = gated.gate.clone();
    let guard = gate.lock().unwrap();
    gated.prepare(1);
    gated.wait_for_write();
    assert!(gated.worker.wait_for_attempts(Duration::from_secs(20)));
    let (sender, closed) = std_mpsc::sync_channel(64);
    let worker = gated.worker.clone();
    let closing = thread::spawn(move || {
        worker.close();
        sender.send(()).unwrap();
    });
    let limit = Duration::from_secs(3);
    assert_eq!(
        closed.recv_timeout(limit),
        Ok(()),
        "the journal hangs for longer"
    );
    drop(guard);
    closing.join().unwrap();
}
