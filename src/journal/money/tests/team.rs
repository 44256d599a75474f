//! Tests of a journal that mirrors the log of a team. The log is in memory.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use uuid::Uuid;

use crate::journal::money::chain;
use crate::journal::money::samples::*;
use crate::journal::money::{
    Checksum, EventRow, Files, Log, MoneyJournal, NotAppended, NotSettled, ReadOnlyJournal,
    TAKEOVER_WAIT,
};
use crate::journal::permit::Spent;
use crate::trade::withdrawal::{
    Blocker, ClashKind, Class, Decision, NotDone, NotSent, WithdrawalState,
};
use crate::trade::{Agreement, Author, Clocks, JournalTrouble, Withdrawal};

mod approvals;

/// How a call of the log ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Offline,
    /// The row is not written, because a rule of the log forbids it.
    Refused,
    /// The row is not written, and the caller does not learn that.
    LostBefore,
    /// The row is written, and the caller does not learn that.
    LostAfter,
    /// Like [`LostBefore`](Fault::LostBefore), but the row arrives before the next append.
    Late,
}

#[derive(Clone, Default)]
struct TestLog {
    shared: Arc<Mutex<Shared>>,
    /// The person who uses the log, if not Ana.
    author: Option<Author>,
}

#[derive(Default)]
struct Shared {
    rows: Vec<(EventRow, Checksum)>,
    late: Option<(EventRow, Checksum)>,
    faults: VecDeque<Fault>,
    /// The next read sees only so many rows, as if the others were put back a moment later.
    next_read_sees: Option<usize>,
    liveness: Arc<AtomicBool>,
    /// The two-person rule is on.
    needs_approval: bool,
    /// The rule is switched on just before the next append, which is refused.
    switch_on_at_append: bool,
    /// The number of takeovers by another server.
    takeovers: u32,
}

impl TestLog {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap()
    }

    /// The next appends end in these ways.
    fn fail(&self, faults: &[Fault]) {
        self.shared().faults.extend(faults);
    }

    fn kinds(&self) -> Vec<String> {
        let shared = self.shared();
        shared
            .rows
            .iter()
            .map(|(row, _)| row.kind.clone())
            .collect()
    }
}

impl Shared {
    fn insert(&mut self, row: &EventRow, before: &Checksum) -> bool {
        let fits = row.n == self.rows.len() as i64 + 1
            && self.rows.last().is_none_or(|(last, _)| last.sum == *before);
        if fits {
            self.rows.push((row.clone(), *before));
        }
        fits
    }
}

impl Log for TestLog {
    fn after(&mut self, n: i64, most: i64) -> Result<Vec<EventRow>, JournalTrouble> {
        let mut shared = self.shared();
        let visible = shared.next_read_sees.take().unwrap_or(shared.rows.len());
        let rows = shared.rows[..visible].iter().map(|(row, _)| row.clone());
        Ok(rows.skip(n as usize).take(most as usize).collect())
    }

    fn append(&mut self, rows: &[EventRow], before: &Checksum) -> Result<(), NotAppended> {
        let row = &rows[0];
        let mut shared = self.shared();
        if std::mem::take(&mut shared.switch_on_at_append) {
            shared.needs_approval = true;
            return Err(NotAppended::Outrun);
        }
        if let Some((late, before)) = shared.late.take() {
            shared.insert(&late, &before);
        }
        let fault = shared.faults.pop_front();
        match fault {
            None if shared.insert(row, before) => return Ok(()),
            None => return Err(NotAppended::Outrun),
            Some(Fault::Offline) => return Err(offline().into()),
            Some(Fault::Refused) => return Err(refused().into()),
            Some(Fault::LostBefore) => {}
            Some(Fault::LostAfter) => _ = shared.insert(row, before),
            Some(Fault::Late) => shared.late = Some((row.clone(), *before)),
        }
        Err(NotAppended::Doubt("cut".into()))
    }

    fn liveness(&self) -> Arc<AtomicBool> {
        self.shared().liveness.clone()
    }

    fn erase_purged(&mut self) -> Result<(), JournalTrouble> {
        let rows = &mut self.shared().rows;
        let purged = rows.iter().filter(|(row, _)| row.kind == "purged");
        let keys: Vec<_> = purged.map(|(row, _)| row.key).collect();
        let erased = rows.iter_mut().filter(|(row, _)| keys.contains(&row.key));
        erased.for_each(|(row, _)| row.personal = None);
        Ok(())
    }

    fn timeline(&self) -> Option<u32> {
        Some(1 + self.shared().takeovers)
    }

    fn needs_approval(&self) -> bool {
        self.shared().needs_approval
    }

    fn author(&self) -> Author {
        self.author.clone().unwrap_or_else(ana)
    }
}

fn refused() -> JournalTrouble {
    JournalTrouble::Refused("policy".into())
}

fn offline() -> JournalTrouble {
    JournalTrouble::Offline("no route".into())
}

fn doubt() -> NotDone {
    JournalTrouble::Doubt("cut".into()).into()
}

/// A mirror on a machine whose boot clock shows these seconds.
fn mirror(dir: &Path, log: &TestLog, seconds: &Arc<AtomicU64>) -> MoneyJournal {
    MoneyJournal::become_mirror(&Files::new(dir), Uuid::nil()).unwrap();
    let mut journal = open(dir);
    let seconds = seconds.clone();
    let boot_clock = move || Duration::from_secs(seconds.load(Ordering::SeqCst));
    journal.attach_log(log.clone(), Box::new(boot_clock), TAKEOVER_WAIT);
    journal
}

/// Two machines with a mirror each.
struct Two {
    log: TestLog,
    ana_dir: tempfile::TempDir,
    bia_dir: tempfile::TempDir,
    ana: MoneyJournal,
    bia: MoneyJournal,
    /// The boot clocks of both machines.
    seconds: Arc<AtomicU64>,
}

fn two_machines() -> Two {
    let log = TestLog::default();
    log.shared().liveness.store(true, Ordering::SeqCst);
    let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let seconds = Arc::<AtomicU64>::default();
    let [ana, bia] = [0, 1].map(|i| mirror(dirs[i].path(), &log, &seconds));
    let [ana_dir, bia_dir] = dirs;
    Two {
        log,
        ana_dir,
        bia_dir,
        ana,
        bia,
        seconds,
    }
}

/// The clocks of Bia's machine. Ana's machine has the [usual clocks](clocks).
fn at_bia(seconds: i64) -> Clocks {
    Clocks {
        boot_id: "bia".into(),
        ..clocks(seconds)
    }
}

/// The terms of a withdrawal that Bia confirmed.
fn agreement_of_bia(n: u128, centavos: i64) -> Agreement {
    Agreement {
        agreed: at_bia(n as i64),
        ..agreement(n, centavos)
    }
}

fn begin(journal: &mut MoneyJournal, n: u128, now: &Clocks) -> Result<Spent, NotDone> {
    let lock = journal.lock(key(n))?;
    let permit = bare(journal.begin(lock, key(n), None, now, &WINDOW))?;
    Ok(permit.spend().0)
}

fn state(withdrawal: &Withdrawal, now: &Clocks) -> WithdrawalState {
    withdrawal.state(now, &WINDOW, false)
}

fn ana() -> Author {
    Author {
        role: "ana".into(),
        operator: "Ana".into(),
        machine: "caixa-1".into(),
    }
}

/// Both machines of the tests have the same operator.
fn sent_by_ana(wait: Duration) -> Blocker {
    let by = Some(ana());
    Blocker::SentElsewhere { wait, by }
}

/// The class of each attempt of a withdrawal, or `None` if the attempt has no end.
fn classes(journal: &mut MoneyJournal, n: u128) -> Vec<Option<Class>> {
    let withdrawal = journal.get(key(n)).unwrap().unwrap();
    let attempts = withdrawal.attempts.into_iter();
    attempts
        .map(|attempt| attempt.end.map(|end| end.class))
        .collect()
}

#[test]
fn outrun_machine_pulls_and_names_the_other() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    let prepared = Err(conflict_error(ClashKind::SamePrepared, 1));
    for retyped in [None, retyped_amount(100, &[1])] {
        let refused = bare(two.bia.prepare(agreement_of_bia(2, 100), retyped));
        assert_eq!(refused, prepared);
    }
    assert_eq!(two.ana.last_event(), two.bia.last_event());
    // Bia may discard it, or send it with its own key.
    let discarded = Decision::Discarded;
    two.bia
        .decide(key(1), discarded, &at_bia(3), &WINDOW)
        .unwrap();
    two.bia.prepare(agreement_of_bia(2, 100), None).unwrap();
    two.ana.pull().unwrap();
    let _spent = begin(&mut two.ana, 2, &clocks(4)).unwrap();
}

#[test]
fn only_one_machine_begins_a_prepared_withdrawal() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    two.bia.pull().unwrap();
    let spent = begin(&mut two.bia, 1, &at_bia(4)).unwrap();
    // Ana's mirror does not contain that attempt yet.
    let wait = TAKEOVER_WAIT;
    let refused = begin(&mut two.ana, 1, &clocks(4)).map(drop);
    assert_eq!(refused, Err(sent_by_ana(wait).into()));
    let end = attempt_end(5, confirmed());
    two.bia.settle(spent, &end).unwrap();
    two.ana.pull().unwrap();
    let refused = begin(&mut two.ana, 1, &clocks(5)).map(drop);
    assert_eq!(refused, Err(Blocker::State.into()));
}

#[test]
fn other_machine_decides_only_after_its_wait() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    let spent = begin(&mut two.ana, 1, &clocks(2)).unwrap();
    two.bia.pull().unwrap();
    let mut bia_decides = |seconds: u64| {
        two.seconds.store(seconds, Ordering::SeqCst);
        let paid = Decision::FoundPaid;
        // Bia's request was made long ago, and waited for the journal.
        two.bia.decide(key(1), paid, &at_bia(3), &WINDOW).map(drop)
    };
    // The wait begins when Bia first asks, not when Ana began.
    let left = |seconds| {
        let wait = Duration::from_secs(seconds);
        Err(sent_by_ana(wait).into())
    };
    let answers = [500, 501, 574, 575].map(&mut bia_decides);
    assert_eq!(answers, [left(75), left(74), left(1), Ok(())]);
    // The end that arrives late proves the payment too.
    let end = attempt_end(3, confirmed());
    let settled = two.ana.settle(spent, &end).unwrap();
    assert_eq!(state(&settled, &clocks(600)), WithdrawalState::Accepted);
}

#[test]
fn end_of_an_earlier_attempt_is_accepted() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    let first = begin(&mut two.ana, 1, &clocks(2)).unwrap();
    two.bia.pull().unwrap();
    // With the boot id of Ana's machine, Bia may send it again.
    let second = begin(&mut two.bia, 1, &clocks(3)).unwrap();
    two.bia
        .settle(second, &attempt_end(4, timed_out()))
        .unwrap();
    let end = attempt_end(5, confirmed());
    let settled = two.ana.settle(first, &end).unwrap();
    assert_eq!(state(&settled, &clocks(6)), WithdrawalState::Accepted);
    two.bia.pull().unwrap();
    let ends = [Some(confirmed()), Some(timed_out())];
    assert_eq!(classes(&mut two.bia, 1), ends);
}

#[test]
fn end_of_other_machine_ends_the_wait() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    two.bia.pull().unwrap();
    let spent = begin(&mut two.ana, 1, &clocks(2)).unwrap();
    let agreement = agreement_of_bia(2, 200);
    let retyped = retyped_amount(200, &[1]);
    let refused = bare(two.bia.prepare(agreement.clone(), None));
    assert_eq!(refused, Err(conflict_error(ClashKind::OtherOpen, 1)));
    two.bia.prepare(agreement, retyped).unwrap();
    assert!(begin(&mut two.bia, 2, &at_bia(4)).is_err());
    let end = attempt_end(3, Class::DefiniteNo);
    two.ana.settle(spent, &end).unwrap();
    two.bia.pull().unwrap();
    let _spent = begin(&mut two.bia, 2, &at_bia(4)).unwrap();
}

#[test]
fn begin_in_doubt_gives_no_permit_and_is_not_sent() {
    for fault in [Fault::LostBefore, Fault::LostAfter, Fault::Late] {
        let mut two = two_machines();
        two.ana.prepare(agreement(1, 100), None).unwrap();
        two.log.fail(&[fault]);
        assert_eq!(begin(&mut two.ana, 1, &clocks(2)).map(drop), Err(doubt()));
        assert_eq!(two.ana.trouble(), None, "the next try may succeed");
        // The same begin at the same time is another attempt.
        let spent = begin(&mut two.ana, 1, &clocks(2)).unwrap();
        assert_eq!(spent.n(), 2, "{fault:?}");
        let not_sent = Some(Class::NotSent(NotSent::Journal));
        assert_eq!(classes(&mut two.ana, 1), [not_sent, None], "{fault:?}");
        two.bia.pull().unwrap();
        assert_eq!(two.bia.last_event(), two.ana.last_event(), "{fault:?}");
    }
}

#[test]
fn begin_that_was_refused_forever_is_forgotten() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    two.log.fail(&[Fault::LostBefore]);
    assert_eq!(begin(&mut two.ana, 1, &clocks(2)).map(drop), Err(doubt()));
    two.bia.prepare(agreement_of_bia(2, 200), None).unwrap();
    two.ana.prepare(agreement(3, 300), None).unwrap();
    assert_eq!(classes(&mut two.ana, 1), []);
    assert_eq!(two.log.kinds(), ["prepared"; 3]);
}

#[test]
fn end_without_log_is_kept_and_flushed_first() {
    for fault in [
        Fault::Offline,
        Fault::LostBefore,
        Fault::LostAfter,
        Fault::Late,
    ] {
        let mut two = two_machines();
        two.ana.prepare(agreement(1, 100), None).unwrap();
        let spent = begin(&mut two.ana, 1, &clocks(2)).unwrap();
        two.log.fail(&[fault]);
        let end = attempt_end(3, confirmed());
        let NotSettled { spent, .. } = two.ana.settle(spent, &end).unwrap_err();
        let outbox = fs::read_to_string(two.ana_dir.path().join("money.outbox")).unwrap();
        assert!(outbox.contains("confirmed"), "{outbox}");
        // The process dies. The next one writes the end before its own event.
        drop((spent, two.ana));
        let mut ana = mirror(two.ana_dir.path(), &two.log, &two.seconds);
        ana.prepare(agreement(2, 200), None).unwrap();
        let kinds = ["prepared", "attempt_began", "settled", "prepared"];
        assert_eq!(two.log.kinds(), kinds, "{fault:?}");
        assert_eq!(classes(&mut ana, 1), [Some(confirmed())]);
        let outbox = fs::read_to_string(two.ana_dir.path().join("money.outbox")).unwrap();
        assert_eq!(outbox, "");
    }
}

#[test]
fn unreadable_outbox_locks_withdrawals() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    fs::write(two.ana_dir.path().join("money.outbox"), "[").unwrap();
    let refused = begin(&mut two.ana, 1, &clocks(2));
    assert!(
        matches!(refused, Err(NotDone::Journal(JournalTrouble::Damaged(_)))),
        "{refused:?}"
    );
    assert!(two.ana.trouble().is_some());
}

#[test]
fn offline_journal_writes_nothing_and_stays_usable() {
    let mut two = two_machines();
    two.log.fail(&[Fault::Offline]);
    let refused = two.ana.prepare(agreement(1, 100), None);
    assert_eq!(refused, Err(offline().into()));
    assert_eq!((two.ana.events(), two.ana.trouble()), (0, None));
    two.ana.prepare(agreement(1, 100), None).unwrap();
}

#[test]
fn log_that_lost_rows_gets_them_back() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    two.bia.pull().unwrap();
    two.ana.prepare(agreement(2, 200), None).unwrap();
    let _spent = begin(&mut two.ana, 1, &clocks(3)).unwrap();
    two.log.shared().rows.truncate(1);
    // The log refuses the next row, because the row before it is gone.
    let retyped = retyped_amount(300, &[1]);
    two.ana.prepare(agreement(3, 300), retyped).unwrap();
    two.bia.pull().unwrap();
    assert_eq!(
        (two.bia.last_event(), two.bia.events()),
        (two.ana.last_event(), 4)
    );
}

#[test]
fn rows_that_another_machine_puts_back_are_no_fork() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    two.ana.prepare(agreement(2, 200), None).unwrap();
    two.bia.pull().unwrap();
    two.ana.prepare(agreement(3, 300), None).unwrap();
    two.log.shared().next_read_sees = Some(1);
    two.bia.pull().unwrap();
    assert_eq!(two.bia.last_event(), two.ana.last_event());
}

#[test]
fn fork_locks_withdrawals_and_counts_lost_events() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    two.bia.pull().unwrap();
    two.ana.prepare(agreement(2, 200), None).unwrap();
    two.ana.prepare(agreement(3, 300), None).unwrap();
    two.log.shared().rows.truncate(1);
    two.bia.prepare(agreement_of_bia(4, 400), None).unwrap();
    let forked = JournalTrouble::Forked { lost: 2 };
    assert_eq!(two.ana.pull(), Err(forked.clone()));
    assert_eq!(two.ana.trouble(), Some(&forked));
    let refused = two.ana.prepare(agreement(5, 500), None);
    assert_eq!(refused, Err(forked.into()));
}

#[test]
fn lost_connection_or_leash_forbids_the_send() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    let lock = two.ana.lock(key(1)).unwrap();
    let long = crate::trade::withdrawal::Window {
        deadline: Duration::from_secs(60),
        ..WINDOW
    };
    let permit = two
        .ana
        .begin(lock, key(1), None, &clocks(2), &long)
        .unwrap();
    let (_spent, request) = permit.spend();
    let may_send = |at| request.send_limit().allows(&clocks(at));
    assert!(may_send(2) && may_send(32) && !may_send(33));
    two.log.shared().liveness.store(false, Ordering::SeqCst);
    assert!(!may_send(2));
}

#[test]
fn own_prepared_withdrawal_is_no_conflict() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    two.ana.prepare(agreement(2, 100), None).unwrap();
    // Without a team, a withdrawal of an earlier boot is no conflict either.
    let (_dir, mut alone) = new_journal();
    alone.prepare(agreement(1, 100), None).unwrap();
    alone.prepare(agreement_of_bia(2, 100), None).unwrap();
}

#[test]
fn mirror_without_its_log_can_only_be_read() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    drop(two.ana);
    let mut alone = open(two.ana_dir.path());
    assert!(alone.get(key(1)).unwrap().is_some());
    let offline = JournalTrouble::Offline("the log is not attached".into());
    let prepared = alone.prepare(agreement(2, 200), None);
    assert_eq!(prepared, Err(offline.clone().into()));
    let begun = begin(&mut alone, 1, &clocks(2)).map(drop);
    assert_eq!(begun, Err(offline.into()));
    assert_eq!(alone.events(), 1);
}

#[test]
fn events_name_their_author_on_every_mirror() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    two.bia.pull().unwrap();
    let who = r#"{"role":"ana","operator":"Ana","machine":"caixa-1"}"#;
    for journal in [&two.ana, &two.bia] {
        let row = journal.file.row(1, chain::start()).unwrap();
        let written_by = row.written_by.as_deref();
        assert_eq!((row.who.as_deref(), written_by), (Some(who), Some("ana")));
        let withdrawal = journal.load(key(1)).unwrap().unwrap();
        assert_eq!(withdrawal.prepared_by, Some(ana()));
        // The checksum covers the author, but not what the database said of it.
        let forged = EventRow {
            who: Some(who.replace("Ana", "Bia")),
            ..row.clone()
        };
        assert!(forged.check(&chain::start()).is_err());
        let put_back = EventRow {
            written_by: None,
            ..row
        };
        assert_eq!(put_back.check(&chain::start()), Ok(()));
    }
}

/// The text of `money.head` after each event of the log.
fn heads(log: &TestLog) -> Vec<String> {
    let shared = log.shared();
    let links = shared.rows.iter().map(|(row, _)| row.link());
    links
        .map(|link| format!("balcao money.head 1\n{link}\n"))
        .collect()
}

#[test]
fn mirror_killed_before_its_head_is_written_opens() {
    let mut two = two_machines();
    for n in 1..=4 {
        two.ana.prepare(agreement(n, 100 * n as i64), None).unwrap();
    }
    two.bia.pull().unwrap();
    let head = two.bia_dir.path().join("money.head");
    drop(two.bia);
    let heads = heads(&two.log);
    for n in [1, 2, 3, 4] {
        fs::write(&head, &heads[n - 1]).unwrap();
        let files = Files::new(two.bia_dir.path());
        assert_eq!(
            ReadOnlyJournal::open(&files)
                .unwrap()
                .journal
                .last_event()
                .n,
            4
        );
        let mut bia = mirror(two.bia_dir.path(), &two.log, &two.seconds);
        bia.pull().unwrap();
        assert_eq!(
            (bia.events(), fs::read_to_string(&head).unwrap()),
            (4, heads[3].clone())
        );
    }
    let other = heads[1].replace(" 1\n2 ", " 1\n1 ");
    fs::write(&head, other).unwrap();
    let damaged = MoneyJournal::open(Files::new(two.bia_dir.path()), false).map(drop);
    assert!(matches!(damaged, Err(JournalTrouble::Damaged(_))));
}

#[test]
fn event_that_cannot_follow_leaves_the_mirror_alone() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    two.bia.pull().unwrap();
    two.ana.prepare(agreement(2, 200), None).unwrap();
    let unknown = {
        let mut shared = two.log.shared();
        let (last, _) = shared.rows[1].clone();
        let mut row = EventRow {
            n: 3,
            kind: "unknown".into(),
            ..last.clone()
        };
        row.sum = row.compute_sum(&last.sum);
        shared.rows.push((row, last.sum));
        last.link()
    };
    let damaged = two.bia.pull();
    assert!(
        matches!(damaged, Err(JournalTrouble::Damaged(_))),
        "{damaged:?}"
    );
    drop(two.bia);
    let mut bia = mirror(two.bia_dir.path(), &two.log, &two.seconds);
    assert_eq!(bia.events(), 1);
    two.log.shared().rows.truncate(2);
    bia.pull().unwrap();
    assert_eq!(bia.last_event(), unknown);
}

#[test]
fn purge_erases_data_on_every_mirror_and_in_the_log() {
    let mut two = two_machines();
    prepare_and_attempt(&mut two.ana, 1, 100, confirmed());
    two.ana.prepare(agreement(2, 200), None).unwrap();
    two.bia.pull().unwrap();
    let day = 24 * 3_600;
    let purged = two.ana.purge(clocks(2 * day).wall, clocks(4 * day).wall);
    assert_eq!(purged, Ok(1));
    assert_eq!(two.log.kinds().last().unwrap(), "purged");
    let personal: Vec<_> = two
        .log
        .shared()
        .rows
        .iter()
        .map(|(row, _)| row.personal.is_some())
        .collect();
    assert_eq!(personal, [false, false, false, true, false]);
    // Bia's other window has read the events before.
    let mut window = mirror(two.bia_dir.path(), &two.log, &two.seconds);
    two.bia.pull().unwrap();
    for journal in [&mut two.ana, &mut two.bia, &mut window] {
        let withdrawal = journal.get(key(1)).unwrap().unwrap();
        assert_eq!(
            (
                &*withdrawal.agreement.body,
                withdrawal.agreement.destination
            ),
            ("", None)
        );
        assert!(journal.index.entry(key(1)).unwrap().is_purged());
        assert!(
            !journal
                .get(key(2))
                .unwrap()
                .unwrap()
                .agreement
                .body
                .is_empty()
        );
        assert_eq!(journal.verify(), Ok(5));
    }
    let again = two.bia.purge(clocks(2 * day).wall, clocks(4 * day).wall);
    assert_eq!((again, two.log.kinds().len()), (Ok(0), 5));
    // A mirror that is made now never has the data.
    let new = tempfile::tempdir().unwrap();
    let mut carla = mirror(new.path(), &two.log, &two.seconds);
    carla.pull().unwrap();
    assert_eq!(carla.last_event(), two.ana.last_event());
}

#[test]
fn bytes_of_an_unclear_attempt_may_be_on_their_way() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    let spent = begin(&mut two.ana, 1, &clocks(2)).unwrap();
    two.ana.settle(spent, &attempt_end(3, timed_out())).unwrap();
    two.bia.pull().unwrap();
    let mut decide_at = |seconds: u64, decision| {
        two.seconds.store(seconds, Ordering::SeqCst);
        let decided = two.bia.decide(key(1), decision, &at_bia(90), &WINDOW);
        decided.map(drop)
    };
    let not_paid = Decision::StatedNotPaid;
    let wait = Duration::from_secs(75);
    assert_eq!(decide_at(100, not_paid), Err(sent_by_ana(wait).into()));
    let wait = Duration::from_secs(1);
    assert_eq!(decide_at(174, not_paid), Err(sent_by_ana(wait).into()));
    assert_eq!(decide_at(175, not_paid), Ok(()));
}

#[test]
fn nothing_begins_for_a_while_after_a_takeover() {
    let mut two = two_machines();
    two.log.shared().takeovers = 1;
    two.ana.prepare(agreement(1, 100), None).unwrap();
    let mut begin_at = |seconds: u64| {
        two.seconds.store(seconds, Ordering::SeqCst);
        begin(&mut two.ana, 1, &clocks(3)).map(drop)
    };
    let left = |seconds| {
        let wait = Duration::from_secs(seconds);
        Err(Blocker::ServerChanged { wait }.into())
    };
    // A mirror that was never connected knows of no other server.
    assert_eq!(begin_at(100), Ok(()));
    two.log.shared().takeovers = 2;
    assert_eq!(begin_at(200), left(75));
    assert_eq!(begin_at(250), left(25));
    two.log.shared().takeovers = 3;
    assert_eq!(begin_at(260), left(75), "and another one");
    assert_eq!(begin_at(335), Ok(()), "the wait is over");
    // A restart within the wait does not end it.
    two.log.shared().takeovers = 4;
    let mut ana = mirror(two.ana_dir.path(), &two.log, &two.seconds);
    assert_eq!(begin(&mut ana, 1, &clocks(3)).map(drop), left(75));
}

#[test]
fn outbox_is_flushed_unless_another_server_took_over() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    let spent = begin(&mut two.ana, 1, &clocks(2)).unwrap();
    two.log.fail(&[Fault::Offline]);
    let end = attempt_end(3, confirmed());
    drop(two.ana.settle(spent, &end).unwrap_err());
    two.log.shared().takeovers = 1;
    two.ana.flush_ends().unwrap();
    assert_eq!(two.log.kinds(), ["prepared", "attempt_began"]);
    two.log.shared().takeovers = 0;
    two.ana.pull().unwrap();
    assert_eq!(two.log.kinds().len(), 2, "reading writes nothing");
    two.ana.flush_ends().unwrap();
    assert_eq!(two.log.kinds(), ["prepared", "attempt_began", "settled"]);
}

#[test]
fn every_login_of_a_team_is_the_same_seller() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    let mut other_login = agreement(2, 200);
    other_login.account.identity = "bia".into();
    two.ana.prepare(other_login.clone(), None).unwrap();
    let spent = begin(&mut two.ana, 1, &clocks(2)).unwrap();
    // Another window of the same machine shares the lock.
    let mut window = mirror(two.ana_dir.path(), &two.log, &two.seconds);
    assert_eq!(
        begin(&mut window, 2, &clocks(2)).map(drop),
        Err(Blocker::Busy.into())
    );
    assert_eq!(window.in_flight(&other_login.account), Ok(Some(key(1))));
    two.ana.settle(spent, &attempt_end(3, timed_out())).unwrap();
    let refused = begin(&mut window, 2, &clocks(4)).map(drop);
    assert_eq!(refused, Err(conflict_error(ClashKind::OtherOpen, 1)));
}

#[test]
fn only_own_attempts_without_end_are_unfinished() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    let own = two.log.author();
    assert_eq!(two.ana.unfinished_by(&own), vec![]);
    let spent = begin(&mut two.ana, 1, &clocks(2)).unwrap();
    assert_eq!(two.ana.unfinished_by(&own), vec![key(1)]);
    two.bia.pull().unwrap();
    assert_eq!(two.bia.unfinished_by(&own), vec![key(1)]);
    for other in [
        Author {
            role: "bia".into(),
            ..own.clone()
        },
        Author {
            machine: "caixa-2".into(),
            ..own.clone()
        },
    ] {
        assert_eq!(two.ana.unfinished_by(&other), vec![], "{other:?}");
    }
    two.log.fail(&[Fault::Offline]);
    let files = Files::new(two.ana_dir.path());
    assert_eq!(files.unwritten_ends(), Ok(0));
    let end = attempt_end(3, confirmed());
    drop(two.ana.settle(spent, &end).unwrap_err());
    assert_eq!(files.unwritten_ends(), Ok(1));
    two.ana.flush_ends().unwrap();
    assert_eq!(files.unwritten_ends(), Ok(0));
    assert_eq!(two.ana.unfinished_by(&own), vec![]);
}

#[test]
fn mirror_that_only_looked_notices_a_takeover() {
    let mut two = two_machines();
    two.ana.prepare(agreement(1, 100), None).unwrap();
    two.bia.pull().unwrap();
    let _spent = begin(&mut two.ana, 1, &clocks(2)).unwrap();
    // Another server takes over without the start of Ana's attempt.
    two.log.shared().rows.truncate(1);
    two.log.shared().takeovers = 1;
    let wait = TAKEOVER_WAIT;
    let changed = || Err(NotDone::from(Blocker::ServerChanged { wait }));
    assert_eq!(begin(&mut two.bia, 1, &at_bia(3)).map(drop), changed());
    // Nothing may take the place of the lost event before Ana can put it back.
    assert_eq!(
        bare(two.bia.prepare(agreement_of_bia(2, 200), None)).map(drop),
        changed()
    );
    assert!(
        two.bia.purge(clocks(1).wall, clocks(2).wall).is_ok(),
        "nothing to purge"
    );
    two.ana.pull().unwrap();
    two.bia.pull().unwrap();
    assert_eq!(two.bia.last_event(), two.ana.last_event());
}

#[test]
fn join_may_stop_inside_a_purged_withdrawal() {
    let mut two = two_machines();
    prepare_and_attempt(&mut two.ana, 1, 100, confirmed());
    let day = 24 * 3_600;
    two.ana
        .purge(clocks(2 * day).wall, clocks(4 * day).wall)
        .unwrap();
    let rows = two.log.shared().rows.clone();
    // Only the first event arrives before the connection is lost.
    two.log.shared().rows.truncate(1);
    two.bia.pull().unwrap();
    drop(two.bia);
    let files = Files::new(two.bia_dir.path());
    assert_eq!(
        ReadOnlyJournal::open(&files)
            .unwrap()
            .journal
            .last_event()
            .n,
        1
    );
    let mut bia = mirror(two.bia_dir.path(), &two.log, &two.seconds);
    two.log.shared().rows = rows;
    bia.pull().unwrap();
    assert_eq!(bia.last_event(), two.ana.last_event());
}
