//! A journal that mirrors the log of a team.
//!
//! An event is appended to the log first, then committed to `money.db`, then `money.head` is
//! written. The rules are checked on the mirror. The append proves that the mirror was complete,
//! because otherwise the log refuses the row. Then the missing rows are pulled and the rules are
//! checked again.
//!
//! At most one machine sends at a time. This is ensured by waiting, not by a lock, because a lock
//! of a database can be lost without notice. A machine sends the first byte of an attempt at most
//! [`LEASH`] after the attempt began. While an attempt of another machine has no end, a machine
//! begins and decides nothing until it has waited for [`TAKEOVER_WAIT`] on its own boot clock.
//! Therefore only the speed of the clocks matters, not their time.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use uuid::Uuid;

use super::chain::EventRow;
use super::event;
use super::index::WithdrawalIndex;
use super::log::{Log, NotAppended};
use super::mirror::MirroredTeam;
use super::{MoneyJournal, Storage};
use crate::trade::withdrawal::{Blocker, NotDone};
use crate::trade::{Account, Author, IdempotencyKey, JournalTrouble, Origin};

/// The time after the start of an attempt in which its first byte may be sent, by the clocks of the
/// sender.
pub const LEASH: Duration = Duration::from_secs(30);

/// The time for which a machine waits while an attempt of another machine has no end. It is the
/// leash, the timeout of a request (30 seconds), and a quarter of both for clocks that are too fast
/// or too slow.
pub const TAKEOVER_WAIT: Duration = Duration::from_secs(75);

/// The maximum number of rows in one read of the log.
const ROWS_PER_READ: i64 = 1_024;

/// The maximum number of tries if other machines append to the log at the same time.
pub(super) const MAX_TRIES: usize = 8;

/// The team's part of a journal.
pub(super) struct Team {
    pub log: Box<dyn Log>,
    boot_clock: BootClock,
    takeover_wait: Duration,
    /// For each attempt of another machine that has no end or an unclear one, the reading of the
    /// boot clock when this journal was first asked about it.
    first_asked: HashMap<(IdempotencyKey, u32), Duration>,
    /// The log's new timeline, and the reading of the boot clock when it was noticed. `None` unless
    /// another server took over a moment ago.
    new_timeline: Option<(u32, Duration)>,
}

/// Reads the time since the machine started, including sleep.
pub type BootClock = Box<dyn Fn() -> Duration + Send>;

/// The condition under which an attempt that has begun may still be sent.
#[derive(Debug)]
pub struct Leash {
    /// The first byte may be sent only within this time after the start.
    pub limit: Duration,
    /// True until the connection to the log is known to be lost.
    pub liveness: Arc<AtomicBool>,
}

/// The attempts that were not begun in this boot of this machine.
fn foreign<'i>(
    attempts: impl Iterator<Item = ((IdempotencyKey, u32), &'i str)>,
    own_boot_id: &str,
) -> Vec<(IdempotencyKey, u32)> {
    let others = attempts.filter(|(_, boot_id)| *boot_id != own_boot_id);
    others.map(|(attempt, _)| attempt).collect()
}

/// The account to which the lock and the rules of a withdrawal apply, in its normal form. In a
/// team, all logins are those of one seller, so there is only one account.
pub(super) fn account_of_rules(is_mirror: bool, account: &Account) -> Account {
    if !is_mirror {
        return account.normalized();
    }
    Account {
        origin: Origin("team".into()),
        identity: "seller".into(),
    }
}

impl MoneyJournal {
    /// Makes this journal the mirror of a team's log. From now on, every event is appended to the
    /// log first. `takeover_wait` is [`TAKEOVER_WAIT`], except in tests.
    ///
    /// The clocks that are passed to a mirror must have a boot id that no other mirror has. Two
    /// users of one machine have different mirrors, and their windows do not share locks.
    pub fn attach_log(
        &mut self,
        log: impl Log + 'static,
        boot_clock: BootClock,
        takeover_wait: Duration,
    ) {
        self.team = Some(Team {
            log: Box::new(log),
            boot_clock,
            takeover_wait,
            first_asked: HashMap::new(),
            new_timeline: None,
        });
        if self.is_mirror {
            self.trouble = None;
        }
    }

    /// Lets each write of this mirror fail, because its log cannot be attached. The text says why.
    pub fn stay_offline(&mut self, why: &str) {
        self.trouble = Some(JournalTrouble::Offline(why.to_owned()));
    }

    /// Makes the journal in a storage the mirror of a team's log. The events that it already
    /// contains must be those of the log. It must not be open.
    pub fn become_mirror(storage: &impl Storage, id: Uuid) -> Result<(), JournalTrouble> {
        storage.create_directory()?;
        match storage.team()? {
            Some(team) if team.id == id => Ok(()),
            Some(team) => Err(JournalTrouble::Damaged(format!(
                "money.team names another team, {}",
                team.id
            ))),
            None => storage.replace_team(&MirroredTeam { id, timeline: None }),
        }
    }

    /// Reads the rows that other machines appended to the team's log, and puts back rows that the
    /// log has lost. Does nothing without a team.
    ///
    /// Appends no new event, not even an end from the outbox: after a loss, a new event could take
    /// the place of one that only another machine can put back.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot be reached, or if it and the mirror have different events. The
    /// latter blocks all further writes.
    pub fn pull(&mut self) -> Result<(), JournalTrouble> {
        self.pull_reporting(&mut |_| ())
    }

    /// Works like [`pull`](Self::pull), and calls `report` with the number of the last event after
    /// each group of events. The events of each group stay if a later one cannot be read.
    pub fn pull_reporting(&mut self, report: &mut dyn FnMut(i64)) -> Result<(), JournalTrouble> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        // Release the journal's lock after each group, because another window may have to record an
        // outcome.
        loop {
            let _lock = self.storage.lock_journal()?;
            let result = self.read_new_events();
            let result = result.and_then(|()| self.pull_group());
            let is_complete = self.remember_error(result)?;
            report(self.index.last.n);
            if is_complete {
                let result = self.record_first_timeline();
                return self.remember_error(result);
            }
        }
    }

    /// Brings the mirror and the log to the same last row. The caller holds the journal's lock, and
    /// no transaction is open.
    pub(super) fn pull_locked(&mut self) -> Result<(), JournalTrouble> {
        while !self.pull_group()? {}
        Ok(())
    }

    /// Writes the next group of rows that only the log contains to the mirror. Returns true if the
    /// mirror and the log have the same last row.
    fn pull_group(&mut self) -> Result<bool, JournalTrouble> {
        for _ in 0..MAX_TRIES {
            let Some(team) = &mut self.team else {
                return Ok(true);
            };
            // Read the row at the mirror's end too, to check that it is the same.
            let last = self.index.last;
            let mut rows = team.log.after((last.n - 1).max(0), ROWS_PER_READ)?;
            let is_complete = (rows.len() as i64) < ROWS_PER_READ;
            if last.n > 0 && rows.is_empty() {
                // The log lost rows that the mirror contains.
                match self.append_lost_rows() {
                    Ok(()) => return Ok(true),
                    Err(NotAppended::Outrun) => continue,
                    Err(error) => return Err(error.into_trouble()),
                }
            }
            if last.n > 0 && rows.remove(0).link() != last {
                return Err(self.fork_error());
            }
            if !rows.is_empty() {
                self.mirror_rows(&rows)?;
            }
            return Ok(is_complete);
        }
        Err(NotAppended::Outrun.into_trouble())
    }

    /// Writes rows of the log to the mirror, all or none.
    fn mirror_rows(&mut self, rows: &[EventRow]) -> Result<(), JournalTrouble> {
        self.begin_write()?;
        let before = self.index.last;
        let result = self.write_rows_of_log(rows);
        if result.is_err() {
            self.file.roll_back();
            if self.index.last != before {
                // The index already contains rows that are not in the mirror now.
                self.index = WithdrawalIndex::new();
                self.read_new_events()?;
            }
        }
        result
    }

    fn write_rows_of_log(&mut self, rows: &[EventRow]) -> Result<(), JournalTrouble> {
        for row in rows {
            self.file.append(row)?;
        }
        // This verifies each row and applies its event.
        self.read_new_events()?;
        let purged = rows.iter().filter(|row| row.kind == event::PURGED);
        for entry in purged.filter_map(|row| self.index.entry(row.key)) {
            self.file.erase_personal_data(&entry.events)?;
        }
        self.file.commit()?;
        self.write_head(self.index.last)
    }

    /// Appends the rows that only the mirror contains to the log, unchanged. This happens after the
    /// log lost rows, for example because a standby took over.
    fn append_lost_rows(&mut self) -> Result<(), NotAppended> {
        let first = self.last_common_row()?;
        let last = self.index.last.n;
        let Some(team) = &mut self.team else {
            return Ok(());
        };
        match team.log.after(first, 1)?.pop() {
            None => {}
            Some(row) if first < last && row.link() != self.file.link(first + 1)? => {
                return Err(self.fork_error().into());
            }
            // Another machine has just put rows back.
            Some(_) => return Err(NotAppended::Outrun),
        }
        for n in first + 1..=last {
            let before = self.file.link(n - 1)?;
            let row = self.file.row(n, before)?;
            let is_approved = row.kind == event::ATTEMPT_BEGAN && team.log.needs_approval();
            match team.log.append(&[row], &before.sum) {
                Err(NotAppended::Trouble(JournalTrouble::Refused(text))) if is_approved => {
                    return Err(JournalTrouble::LostApproval(text).into());
                }
                appended => appended?,
            }
        }
        Ok(())
    }

    /// The error for a log that has another event in the place of an event of the mirror.
    fn fork_error(&mut self) -> JournalTrouble {
        match self.last_common_row() {
            Ok(n) => JournalTrouble::Forked {
                lost: (self.index.last.n - n).unsigned_abs(),
            },
            Err(trouble) => trouble,
        }
    }

    /// The number of the last row that the log and the mirror have in common. Each row's checksum
    /// covers all rows before it, so a binary search finds it.
    fn last_common_row(&mut self) -> Result<i64, JournalTrouble> {
        let (mut common, mut end) = (0, self.index.last.n + 1);
        while end - common > 1 {
            let n = common + (end - common) / 2;
            let Some(team) = &mut self.team else { break };
            let row = team.log.after(n - 1, 1)?.pop();
            if row.map(|row| row.link()) == Some(self.file.link(n)?) {
                common = n;
            } else {
                end = n;
            }
        }
        Ok(common)
    }

    /// Checks that no other machine may be sending an attempt. Every attempt of another boot
    /// without an end counts, until this journal has waited for it.
    pub(super) fn check_leash(&mut self, own_boot_id: &str) -> Result<(), NotDone> {
        let waits = self.waits_for_others(own_boot_id).into_iter();
        self.refuse_during(waits.max())
    }

    /// Checks that no byte of this withdrawal's request can still be on its way from another
    /// machine. After an unclear end, that machine may have sent a part that its system is still
    /// delivering.
    pub(super) fn check_no_late_bytes(
        &mut self,
        key: IdempotencyKey,
        own_boot_id: &str,
    ) -> Result<(), NotDone> {
        let others = self.index.unclear_attempts();
        let others = foreign(others, own_boot_id);
        let waits = self.waits_for(&others).into_iter();
        self.refuse_during(waits.filter(|(_, of, _)| *of == key).max())
    }

    /// Refuses during a wait, and names the person who began the attempt.
    fn refuse_during(&self, wait: Option<(Duration, IdempotencyKey, u32)>) -> Result<(), NotDone> {
        let Some((wait, key, n)) = wait else {
            return Ok(());
        };
        let withdrawal = self.index.undecided(key);
        let attempts = withdrawal.map(|withdrawal| &*withdrawal.attempts);
        let mut attempts = attempts.unwrap_or_default().iter();
        let attempt = attempts.find(|attempt| attempt.n == n);
        let by = attempt.and_then(|attempt| attempt.by.clone());
        Err(Blocker::SentElsewhere { wait, by }.into())
    }

    /// The attempts that other machines may be sending, each with the time for which this machine
    /// must still wait. The wait for an attempt begins when this is first called after the attempt
    /// was read.
    ///
    /// The clock is read here and not by the caller. An earlier reading could be from before the
    /// attempt, if the caller waited for the journal or for the log.
    pub fn waits_for_others(&mut self, own_boot_id: &str) -> Vec<(Duration, IdempotencyKey, u32)> {
        let sending = foreign(self.index.attempts_without_end(), own_boot_id);
        let unclear = foreign(self.index.unclear_attempts(), own_boot_id);
        if let Some(team) = &mut self.team {
            team.first_asked
                .retain(|attempt, _| sending.contains(attempt) || unclear.contains(attempt));
        }
        // The wait after an unclear end begins now, too.
        self.waits_for(&unclear);
        self.waits_for(&sending)
    }

    /// The attempts among these that this machine must still wait for.
    fn waits_for(
        &mut self,
        attempts: &[(IdempotencyKey, u32)],
    ) -> Vec<(Duration, IdempotencyKey, u32)> {
        let Some(team) = &mut self.team else {
            return Vec::new();
        };
        let now = (team.boot_clock)();
        let waits = attempts.iter().map(|&(key, n)| {
            let first_asked = *team.first_asked.entry((key, n)).or_insert(now);
            let waited = now.saturating_sub(first_asked);
            (team.takeover_wait.saturating_sub(waited), key, n)
        });
        waits.filter(|(wait, ..)| !wait.is_zero()).collect()
    }

    /// Checks that no other server took over a moment ago. Another machine may still send an
    /// attempt whose start was lost.
    pub(super) fn check_timeline(&mut self) -> Result<(), NotDone> {
        if self.team.is_none() {
            return Ok(());
        }
        let known = self.storage.team();
        let known = self.remember_error(known)?;
        let (Some(team), Some(known)) = (&mut self.team, known) else {
            return Ok(());
        };
        let Some(timeline) = team
            .log
            .timeline()
            .filter(|new| known.timeline != Some(*new))
        else {
            team.new_timeline = None;
            return Ok(());
        };
        if known.timeline.is_some() {
            let now = (team.boot_clock)();
            let noticed = team.new_timeline.filter(|(new, _)| *new == timeline);
            let (_, noticed_at) = *team.new_timeline.insert(noticed.unwrap_or((timeline, now)));
            let waited = now.saturating_sub(noticed_at);
            let wait = team.takeover_wait.saturating_sub(waited);
            if !wait.is_zero() {
                return Err(Blocker::ServerChanged { wait }.into());
            }
        }
        team.new_timeline = None;
        Ok(self.storage.replace_team(&MirroredTeam {
            timeline: Some(timeline),
            ..known
        })?)
    }

    /// Records the log's timeline in a mirror that knows none yet, so that a later takeover is
    /// noticed.
    fn record_first_timeline(&self) -> Result<(), JournalTrouble> {
        let timeline = self.team.as_ref().and_then(|team| team.log.timeline());
        match self.storage.team()? {
            Some(known) if known.timeline.is_none() && timeline.is_some() => self
                .storage
                .replace_team(&MirroredTeam { timeline, ..known }),
            _ => Ok(()),
        }
    }

    /// Writes the ends in the outbox to the log. Each write does this too; this call is for a
    /// machine that has just connected and writes nothing else.
    ///
    /// Does nothing if another server took over since this machine last began or decided something.
    /// A new event could take the place of a lost one that only another machine can put back.
    pub fn flush_ends(&mut self) -> Result<(), JournalTrouble> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        let _lock = self.storage.lock_journal()?;
        let known = self.storage.team()?.and_then(|team| team.timeline);
        let timeline = self.team.as_ref().and_then(|team| team.log.timeline());
        if known.is_none() || known != timeline {
            return Ok(());
        }
        let result = self.flush_outbox();
        self.remember_error(result)
    }

    /// The person and the machine that write to this journal, or `None` without a team.
    pub fn author(&self) -> Option<Author> {
        self.team.as_ref().map(|team| team.log.author())
    }

    /// True if the team requires that a second person approves each withdrawal.
    pub fn needs_approval(&self) -> bool {
        self.team
            .as_ref()
            .is_some_and(|team| team.log.needs_approval())
    }

    /// The person and the machine to store with a new event: as JSON, and the database role alone.
    /// Both are `None` without a team.
    pub(super) fn own_author(&self) -> Result<(Option<String>, Option<String>), JournalTrouble> {
        let Some(author) = self.author() else {
            return Ok((None, None));
        };
        let who = serde_json::to_string(&author);
        let who = who.map_err(|error| JournalTrouble::Io(error.to_string()))?;
        Ok((Some(who), Some(author.role.raw().to_owned())))
    }

    /// The withdrawals with an attempt that has no end and that this person began on this machine.
    pub fn unfinished_by(&self, author: &Author) -> Vec<IdempotencyKey> {
        let is_own = |key: &IdempotencyKey| {
            let withdrawal = self.index.undecided(*key);
            let last = withdrawal.and_then(|withdrawal| withdrawal.attempts.last());
            let by = last.and_then(|attempt| attempt.by.as_ref());
            by.is_some_and(|by| (&by.role, &by.machine) == (&author.role, &author.machine))
        };
        let attempts = self.index.attempts_without_end();
        attempts.map(|((key, _), _)| key).filter(is_own).collect()
    }

    /// The leash of an attempt that this machine has just begun, or `None` without a team.
    pub(super) fn leash(&self) -> Option<Leash> {
        let team = self.team.as_ref()?;
        Some(Leash {
            limit: LEASH,
            liveness: team.log.liveness(),
        })
    }
}
