//! The write operations of the money journal: prepare, begin, settle and decide, and in a team the
//! approval by a second person. When a function returns without an error, its change is durable.

use super::chain::{self, ChainLink, EventRow};
use super::event::{self, Approved, AttemptSettled, Event, Prepared};
use super::log::NotAppended;
use super::outbox::UnwrittenEnd;
use super::replay::ReplayIndex;
use super::team::{MAX_TRIES, account_of_rules};
use super::{MoneyJournal, NotSettled};
use crate::journal::lock::LockGuard;
use crate::journal::permit::{AccountLock, Permit, Spent};
use crate::trade::withdrawal::{
    Attempt, AttemptEnd, Blocker, Clash, ClashKind, Decision, NotDone, Retyped, Window,
    WithdrawalState,
};
use crate::trade::{Agreement, Author, Clocks, IdempotencyKey, JournalTrouble, Wall, Withdrawal};

/// The reason why the outcome of an attempt was not written.
pub(super) enum NotWritten {
    /// The outcome is already on disk, so it was not written a second time.
    AlreadyStored(Box<Withdrawal>),
    /// The outcome could not be made durable.
    Journal(JournalTrouble),
}

impl From<JournalTrouble> for NotWritten {
    fn from(trouble: JournalTrouble) -> NotWritten {
        NotWritten::Journal(trouble)
    }
}

impl MoneyJournal {
    /// Stores a withdrawal that the seller confirmed. Nothing is sent.
    ///
    /// `retyped` contains the amount that the seller typed again to override conflicts, and the
    /// withdrawals that were shown at that time. Other conflicts still count, for example with a
    /// withdrawal that another process created later.
    ///
    /// # Errors
    ///
    /// Fails if there is a conflict with another withdrawal, or if this one cannot be made durable.
    pub fn prepare(
        &mut self,
        agreement: Agreement,
        retyped: Option<Retyped>,
    ) -> Result<Withdrawal, NotDone> {
        let at = agreement.agreed.wall;
        // On a network file system, refuse only new withdrawals. Existing withdrawals can still be
        // sent (with their own idempotency keys) and decided.
        if let Some(network) = self.network() {
            return Err(JournalTrouble::Network(network.to_owned()).into());
        }
        self.append(at, |journal| {
            journal.check_marker()?;
            if journal.index.entry(agreement.key).is_some() {
                return Err(Blocker::KeyKnown.into());
            }
            if agreement.body.is_empty() {
                return Err(Blocker::EmptyBody.into());
            }
            let beside = journal.check_clashes(&agreement, retyped.as_ref(), &[], false, at)?;
            // Store the journal's marker before the first event, because the marker is needed to
            // detect a loss of the journal's files.
            if journal.index.last.n == 0 {
                journal.update_marker();
            }
            let key = agreement.key;
            Ok((
                key,
                Event::Prepared(Box::new(Prepared {
                    agreement: agreement.clone(),
                    beside,
                })),
            ))
        })
    }

    /// Locks the account of a withdrawal, so that only one attempt is sent at a time.
    ///
    /// # Errors
    ///
    /// Returns [`Blocker::Busy`] if an attempt of the account is already being sent.
    pub fn lock(&mut self, key: IdempotencyKey) -> Result<AccountLock, NotDone> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone().into());
        }
        self.catch_up()?;
        let entry = self.index.entry(key).ok_or(Blocker::NoSuchKey)?;
        let owner = account_of_rules(self.is_mirror, &entry.owner);
        Ok(AccountLock::take(&*self.storage, owner)?.ok_or(Blocker::Busy)?)
    }

    /// Stores the start of an attempt, and returns the permit to send it.
    ///
    /// `retyped` has the same meaning as in [`prepare`](MoneyJournal::prepare). If the seller
    /// accepted a conflict with another withdrawal when preparing this one or before an earlier
    /// attempt, conflicts with that other withdrawal stay accepted.
    ///
    /// # Errors
    ///
    /// Fails if the withdrawal may not be sent now, or if the start of the attempt cannot be made
    /// durable.
    pub fn begin(
        &mut self,
        lock: AccountLock,
        key: IdempotencyKey,
        retyped: Option<&Retyped>,
        now: &Clocks,
        window: &Window,
    ) -> Result<Permit, NotDone> {
        let mut confirmed = None;
        let withdrawal = self.append(now.wall, |journal| {
            let withdrawal = journal.load_to_change(key)?.ok_or(Blocker::NoSuchKey)?;
            // Copy the agreement from the index in memory. The agreement on disk is compared with
            // this copy, because the disk may have changed.
            confirmed = journal
                .index
                .undecided(key)
                .map(|known| known.agreement.clone());
            journal.check_may_begin(&lock, &withdrawal, confirmed.as_ref(), now, window)?;
            let recorded = journal.recorded_conflicts(key);
            let recorded = journal.remember_error(recorded)?;
            let is_resend = withdrawal.state(now, window, false) == WithdrawalState::Unknown;
            let agreement = &withdrawal.agreement;
            let beside =
                journal.check_clashes(agreement, retyped, &recorded, is_resend, now.wall)?;
            let n = withdrawal.attempts.len() as u32 + 1;
            Ok::<_, NotDone>((
                key,
                Event::AttemptBegan {
                    n,
                    began: now.clone(),
                    beside,
                },
            ))
        })?;
        // Check the request a second time, because the bytes to send were read back from the
        // database inside this transaction.
        self.check_as_confirmed(&withdrawal, confirmed.as_ref())?;
        Ok(Permit::new(withdrawal, lock, window, self.leash()).ok_or(Blocker::State)?)
    }

    fn check_may_begin(
        &mut self,
        lock: &AccountLock,
        withdrawal: &Withdrawal,
        confirmed: Option<&Agreement>,
        now: &Clocks,
        window: &Window,
    ) -> Result<(), NotDone> {
        self.check_marker()?;
        let agreement = &withdrawal.agreement;
        if *lock.owner() != account_of_rules(self.is_mirror, &agreement.account) {
            return Err(Blocker::Busy.into());
        }
        // This process holds the account's lock, so no other process of this machine is sending an
        // attempt. If an attempt has no outcome, its process died or could not record the outcome.
        self.check_leash(&now.boot_id)?;
        if let Some(blocker) = withdrawal.send_blocker(now, window) {
            return Err(blocker.into());
        }
        if self.needs_approval() && withdrawal.approvals.valid(now.wall).is_none() {
            return Err(Blocker::Unapproved.into());
        }
        // Check the request body after the state, because a purge erases the bodies of decided
        // withdrawals. An erased body is not damage.
        self.check_as_confirmed(withdrawal, confirmed)
    }

    /// The conflicts that the seller accepts now, by typing the amount again. Conflicts that were
    /// accepted earlier (`recorded`) are not included.
    ///
    /// # Errors
    ///
    /// Fails if there is a conflict that the seller has not accepted.
    fn check_clashes(
        &mut self,
        agreement: &Agreement,
        retyped: Option<&Retyped>,
        recorded: &[IdempotencyKey],
        is_resend: bool,
        now: Wall,
    ) -> Result<Vec<IdempotencyKey>, NotDone> {
        let accepted = agreement.accepted_by(retyped)?;
        let mut beside = Vec::new();
        for (kind, other) in self.index.clashes(agreement, now, self.is_mirror) {
            let can_be_overridden = kind.can_be_overridden_by_retyping();
            if can_be_overridden && recorded.contains(&other) {
                continue;
            }
            if can_be_overridden && accepted.contains(&other) {
                beside.push(other);
                continue;
            }
            // A withdrawal with an unknown outcome is resent with the same idempotency key, so the
            // service does not pay it twice. Therefore only a mismatch blocks the resend.
            if is_resend && kind != ClashKind::Mismatch {
                continue;
            }
            let other = self.load_to_change(other)?.ok_or(Blocker::NoSuchKey)?;
            return Err(Blocker::Clash(Clash {
                kind,
                other: Box::new(other),
            })
            .into());
        }
        Ok(beside)
    }

    /// Checks that the stored request equals the request that the seller confirmed, or that this
    /// process read first. The body is also compared with the checksum from that time. If there is
    /// a difference, all further writes are blocked.
    fn check_as_confirmed(
        &mut self,
        withdrawal: &Withdrawal,
        confirmed: Option<&Agreement>,
    ) -> Result<(), NotDone> {
        let agreement = &withdrawal.agreement;
        let entry = self.index.entry(agreement.key).ok_or(Blocker::NoSuchKey)?;
        let is_same_body =
            !agreement.body.is_empty() && chain::checksum_of(&agreement.body) == entry.body_sum;
        if is_same_body && confirmed == Some(agreement) {
            return Ok(());
        }
        let text = format!("the request of {} is not what was confirmed", agreement.key);
        self.trouble.get_or_insert(self.file.damaged(&text));
        Err(Blocker::BodyChanged.into())
    }

    /// Stores the outcome of an attempt, then releases the account's lock. If a team's log cannot
    /// be written, the outcome is stored in the outbox until then.
    ///
    /// Holds the write lock while checking whether an outcome is already stored. Therefore an
    /// outcome is never written twice or changed.
    ///
    /// # Errors
    ///
    /// If the outcome cannot be stored, the error contains `spent`, so that the caller can try
    /// again. The account stays locked until `spent` is dropped.
    pub fn settle(&mut self, spent: Spent, end: &AttemptEnd) -> Result<Withdrawal, NotSettled> {
        let key = spent.key;
        let n = spent.n;
        let result = self.append_end(end.at, |journal| journal.settled_event(key, n, end));
        match result {
            Ok(withdrawal) => Ok(withdrawal),
            Err(NotWritten::AlreadyStored(withdrawal)) => Ok(*withdrawal),
            Err(NotWritten::Journal(trouble)) => {
                self.keep_end(key, n, end);
                Err(NotSettled { spent, trouble })
            }
        }
    }

    /// The event with the outcome of an attempt, unless this outcome is already stored. If a
    /// different one is stored, [`write_row`](Self::write_row) later refuses to apply this event.
    pub(super) fn settled_event(
        &mut self,
        key: IdempotencyKey,
        n: u32,
        end: &AttemptEnd,
    ) -> Result<(IdempotencyKey, Event), NotWritten> {
        let has_end = |attempt: &Attempt| attempt.n == n && attempt.end.as_ref() == Some(end);
        let known = self.load_to_change(key)?;
        match known.filter(|known| known.attempts.iter().any(has_end)) {
            Some(known) => Err(NotWritten::AlreadyStored(Box::new(known))),
            None => Ok((
                key,
                Event::Settled(Box::new(AttemptSettled {
                    n,
                    end: end.clone(),
                })),
            )),
        }
    }

    /// Stores the seller's decision about a withdrawal.
    ///
    /// # Errors
    ///
    /// Fails if the withdrawal's state does not allow the decision, or if an attempt of the account
    /// is being sent. Also fails if the decision cannot be made durable.
    pub fn decide(
        &mut self,
        key: IdempotencyKey,
        decision: Decision,
        now: &Clocks,
        window: &Window,
    ) -> Result<Withdrawal, NotDone> {
        self.catch_up()?;
        let entry = self.index.entry(key).ok_or(Blocker::NoSuchKey)?;
        let owner = account_of_rules(self.is_mirror, &entry.owner);
        // Hold the account's lock until the decision is stored, so that no attempt can begin while
        // it is being stored.
        let _lock = AccountLock::take(&*self.storage, owner)?.ok_or(Blocker::Busy)?;
        self.append(now.wall, |journal| {
            journal.check_marker()?;
            journal.check_leash(&now.boot_id)?;
            if decision == Decision::StatedNotPaid {
                journal.check_no_late_bytes(key, &now.boot_id)?;
            }
            let withdrawal = journal.load_to_change(key)?.ok_or(Blocker::NoSuchKey)?;
            if !decision.is_allowed_in(&withdrawal.state(now, window, false)) {
                return Err(Blocker::State.into());
            }
            Ok((
                key,
                match decision {
                    Decision::Discarded => Event::Discarded,
                    Decision::FoundPaid | Decision::StatedNotPaid => {
                        Event::SellerAnswered(decision)
                    }
                },
            ))
        })
    }

    /// Stores this person's approval of a withdrawal that somebody else prepared.
    ///
    /// # Errors
    ///
    /// Fails without a team, if the withdrawal cannot be sent any more, if it is approved, or if
    /// this person prepared it. Also fails if the approval cannot be made durable.
    pub fn approve(
        &mut self,
        key: IdempotencyKey,
        now: &Clocks,
        window: &Window,
    ) -> Result<Withdrawal, NotDone> {
        self.append(now.wall, |journal| {
            let (withdrawal, author) = journal.load_of_team(key)?;
            match withdrawal.send_blocker(now, window) {
                None | Some(Blocker::TooSoon { .. }) => {}
                Some(blocker) => return Err(blocker.into()),
            }
            let approvals = &withdrawal.approvals;
            if approvals.valid(now.wall).is_some() {
                return Err(Blocker::State.into());
            }
            if !approvals.may_be_given_by(&author.role) {
                return Err(Blocker::Unapproved.into());
            }
            let known = journal.index.undecided(key);
            let known = known.map(|known| known.agreement.clone());
            journal.check_as_confirmed(&withdrawal, known.as_ref())?;
            let approved = Approved {
                n: approvals.given.len() as u32 + 1,
                terms: chain::sum_text(&approvals.terms),
            };
            Ok::<_, NotDone>((key, Event::Approved(approved)))
        })
    }

    /// Takes this person's approval back.
    ///
    /// # Errors
    ///
    /// Fails if there is no such approval, or if the withdrawal may have been sent. Also fails if
    /// this cannot be made durable.
    pub fn take_approval_back(
        &mut self,
        key: IdempotencyKey,
        now: &Clocks,
        window: &Window,
    ) -> Result<Withdrawal, NotDone> {
        self.append(now.wall, |journal| {
            let (withdrawal, author) = journal.load_of_team(key)?;
            if withdrawal.state(now, window, false) != WithdrawalState::Prepared {
                return Err(Blocker::State.into());
            }
            let own = withdrawal.approvals.given_by(&author.role, now.wall);
            let n = own.ok_or(Blocker::State)?.n;
            Ok::<_, NotDone>((key, Event::ApprovalTakenBack { n }))
        })
    }

    /// The withdrawal whose approval changes, and the person who changes it. Fails without a team.
    fn load_of_team(&mut self, key: IdempotencyKey) -> Result<(Withdrawal, Author), NotDone> {
        self.check_marker()?;
        let withdrawal = self.load_to_change(key)?.ok_or(Blocker::NoSuchKey)?;
        let author = self.author().ok_or(Blocker::State)?;
        Ok((withdrawal, author))
    }

    /// Appends the event that `build_event` returns. `build_event` runs inside the write
    /// transaction, so other processes cannot write between its checks and the write.
    ///
    /// In a team, another machine may append to the log first. Then `build_event` runs again, and
    /// checks the rules with the events of that machine.
    ///
    /// After another server of the log took over, nothing is appended for a while. A new event
    /// could take the place of a lost one that only another machine can put back.
    pub(super) fn append<R: From<JournalTrouble> + From<NotDone>>(
        &mut self,
        at: Wall,
        build_event: impl FnMut(&mut Self) -> Result<(IdempotencyKey, Event), R>,
    ) -> Result<Withdrawal, R> {
        let _lock = self.lock_to_append()?;
        self.check_timeline()?;
        self.flush_and_append(at, build_event)
    }

    /// Appends the end of an attempt like [`append`](Self::append), but at once, because each other
    /// machine may be waiting for it.
    fn append_end<R: From<JournalTrouble>>(
        &mut self,
        at: Wall,
        build_event: impl FnMut(&mut Self) -> Result<(IdempotencyKey, Event), R>,
    ) -> Result<Withdrawal, R> {
        let _lock = self.lock_to_append()?;
        self.flush_and_append(at, build_event)
    }

    fn lock_to_append(&self) -> Result<LockGuard, JournalTrouble> {
        match &self.trouble {
            Some(trouble) => Err(trouble.clone()),
            None => self.storage.lock_journal(),
        }
    }

    /// Writes the ends in the outbox, and then appends an event. The caller holds the journal's
    /// lock.
    fn flush_and_append<R: From<JournalTrouble>>(
        &mut self,
        at: Wall,
        build_event: impl FnMut(&mut Self) -> Result<(IdempotencyKey, Event), R>,
    ) -> Result<Withdrawal, R> {
        let result = self.flush_outbox();
        self.remember_error(result)?;
        self.append_locked(at, build_event)
    }

    /// Appends an event like [`append`](Self::append). The caller holds the journal's lock.
    pub(super) fn append_locked<R: From<JournalTrouble>>(
        &mut self,
        at: Wall,
        mut build_event: impl FnMut(&mut Self) -> Result<(IdempotencyKey, Event), R>,
    ) -> Result<Withdrawal, R> {
        for _ in 0..MAX_TRIES {
            let result = self.begin_write();
            self.remember_error(result)?;
            let (key, event) = match build_event(self) {
                Ok(event) => event,
                Err(error) => {
                    self.file.roll_back();
                    return Err(error);
                }
            };
            let trouble = match self.write(at, key, &event) {
                Ok(withdrawal) => {
                    self.last_own_event = self.index.last.n;
                    self.update_marker();
                    return Ok(withdrawal);
                }
                Err(NotAppended::Outrun) => {
                    self.file.roll_back();
                    let result = self.pull_locked();
                    self.remember_error(result)?;
                    continue;
                }
                Err(error) => error.into_trouble(),
            };
            self.file.roll_back();
            return Ok(self.remember_error(Err(trouble))?);
        }
        Err(NotAppended::Outrun.into_trouble().into())
    }

    /// Checks that this journal is still the live one and not an older copy. The function `settle`
    /// skips this check, because the outcome of an attempt must always be stored.
    fn check_marker(&mut self) -> Result<(), JournalTrouble> {
        let result = self.check_against_marker();
        self.remember_error(result)
    }

    /// Reads a withdrawal that is about to be changed. If reading fails, all further writes are
    /// refused.
    fn load_to_change(
        &mut self,
        key: IdempotencyKey,
    ) -> Result<Option<Withdrawal>, JournalTrouble> {
        let result = self.load(key);
        self.remember_error(result)
    }

    /// Begins a write transaction, and reads new events into the index. Other processes cannot
    /// write until the transaction ends.
    pub(super) fn begin_write(&mut self) -> Result<(), JournalTrouble> {
        self.file.begin()?;
        let result = self
            .read_new_events()
            .and_then(|()| self.storage.head())
            .and_then(|head| self.check_head(head, false));
        if result.is_err() {
            self.file.roll_back();
        }
        result
    }

    /// Writes an event: to the team's log if there is one, then to `money.db`.
    fn write(
        &mut self,
        at: Wall,
        key: IdempotencyKey,
        event: &Event,
    ) -> Result<Withdrawal, NotAppended> {
        let last = self.index.last;
        let encoded = event
            .encode()
            .map_err(|error| JournalTrouble::Io(error.to_string()))?;
        let (who, written_by) = self.own_author()?;
        let mut row = EventRow {
            n: last.n + 1,
            at,
            key,
            kind: encoded.kind.to_owned(),
            plain: encoded.plain,
            personal_sum: encoded.personal.as_deref().map(chain::checksum_of),
            personal: encoded.personal,
            who,
            written_by,
            sum: chain::Checksum::default(),
        };
        row.sum = row.compute_sum(&last.sum);
        let result = self.write_row(&row);
        if let (Err(NotAppended::Doubt(_)), Event::AttemptBegan { n, began, .. }) = (&result, event)
        {
            // Without a permit, the attempt is not sent, even if the log contains it.
            let end = UnwrittenEnd::of_begin_in_doubt(&row, *n, began);
            self.keep_in_outbox(end)?;
        }
        result
    }

    /// Writes a row to the team's log if there is one, then to `money.db`, and then its number and
    /// checksum to `money.head`. The caller has begun the write transaction.
    ///
    /// The event is read back before the commit. Nothing is read after the commit, because a failed
    /// read would then make the completed write look like a failure. A failed write of `money.head`
    /// is an error, although the event is stored; the next start repairs it.
    pub(super) fn write_row(&mut self, row: &EventRow) -> Result<Withdrawal, NotAppended> {
        let last = self.index.last;
        self.file.append(row)?;
        let withdrawal = self.read_back_and_apply(row, last)?;
        if row.kind == event::PURGED
            && let Some(entry) = self.index.entry(row.key)
        {
            self.file.erase_personal_data(&entry.events)?;
        }
        if let Some(team) = &mut self.team {
            team.log.append(std::slice::from_ref(row), &last.sum)?;
        }
        self.file.commit()?;
        self.index.add_event(row.link(), row.at, withdrawal.clone());
        self.write_head(row.link())?;
        Ok(withdrawal)
    }

    /// Reads back the new row and applies its event to the withdrawal. Returns the changed
    /// withdrawal, or an error if its state does not allow the event.
    fn read_back_and_apply(
        &self,
        row: &EventRow,
        before: ChainLink,
    ) -> Result<Withdrawal, JournalTrouble> {
        let read = self.file.row(row.n, before)?;
        if read != *row {
            return Err(self.file.damaged("the event just written is another one"));
        }
        let event = Event::decode(&read.kind, &read.plain, read.personal.as_deref());
        let known = self.load(row.key)?;
        let result = event.and_then(|event| event.apply_to(known, read.written()));
        result.map_err(|text| self.file.damaged(&text))
    }

    /// Remembers an error of the journal. All further writes are then refused until the program
    /// restarts.
    ///
    /// An error that [passes](JournalTrouble::passes) is not remembered, because the next try may
    /// succeed.
    pub(super) fn remember_error<T>(
        &mut self,
        result: Result<T, JournalTrouble>,
    ) -> Result<T, JournalTrouble> {
        if let Err(trouble) = &result
            && !trouble.passes()
        {
            self.trouble.get_or_insert_with(|| trouble.clone());
        }
        result
    }
}
