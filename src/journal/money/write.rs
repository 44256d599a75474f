//! The four writes of a withdrawal's life, each durable when it returns.

use super::chain::{self, ChainLink, EventRow};
use super::event::{AttemptSettled, Event, Prepared};
use super::index::may_decide;
use super::rules::objections;
use super::{MoneyJournal, NotSettled, WriteRefused};
use crate::journal::disk::Disk;
use crate::journal::permit::{AccountLock, Permit, Spent};
use crate::trade::withdrawal::{
    Attempt, AttemptEnd, ClashKind, Decision, Retyped, Window, WithdrawalState,
};
use crate::trade::{Account, Agreement, Clocks, IdempotencyKey, JournalTrouble, Wall, Withdrawal};

/// The reason the end of an attempt was not written now.
enum NotWritten {
    /// It is on disk, as it is.
    Stands(Box<Withdrawal>),
    /// The journal could not make it durable.
    Journal(JournalTrouble),
}

impl From<JournalTrouble> for NotWritten {
    fn from(trouble: JournalTrouble) -> NotWritten {
        NotWritten::Journal(trouble)
    }
}

impl<D: Disk> MoneyJournal<D> {
    /// Writes down what the seller confirmed; nothing is sent by this.
    ///
    /// `retyped` is the amount as the seller typed it once more, and the withdrawals named to them
    /// before: it answers for those withdrawals, and for none that another window made meanwhile.
    pub fn prepare(
        &mut self,
        agreement: Agreement,
        retyped: Option<Retyped>,
    ) -> Result<Withdrawal, WriteRefused> {
        let at = agreement.agreed.wall;
        // What is prepared or open already may still leave, and be decided.
        if let Some(network) = self.network() {
            return Err(JournalTrouble::Network(network.to_owned()).into());
        }
        self.append(at, |journal| {
            journal.may_grow()?;
            if journal.index().entry(agreement.key).is_some() {
                return Err(WriteRefused::KeyKnown);
            }
            if agreement.body.is_empty() {
                return Err(WriteRefused::EmptyBody);
            }
            if retyped.as_ref().is_some_and(|retyped| retyped.amount != agreement.amount) {
                return Err(WriteRefused::RetypedDiffers);
            }
            let told = retyped.map(|retyped| retyped.told).unwrap_or_default();
            let mut beside = Vec::new();
            for objection in objections(journal.index(), &agreement, at) {
                match objection.answered_by_retyping() {
                    Some(key) if told.contains(&key) => beside.push(key),
                    _ => return Err(objection.into()),
                }
            }
            // Remembered before there is anything to lose.
            if journal.index.last.n == 0 {
                journal.note_in_marker();
            }
            let key = agreement.key;
            Ok((key, Event::Prepared(Box::new(Prepared { agreement, beside }))))
        })
    }

    /// Takes the lock under which one attempt of the withdrawal's account is made.
    pub fn lock(&mut self, key: IdempotencyKey) -> Result<AccountLock, WriteRefused> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone().into());
        }
        self.catch_up()?;
        let entry = self.index.entry(key).ok_or(WriteRefused::NoSuchKey)?;
        AccountLock::take(&*self.storage, &entry.owner)?.ok_or(WriteRefused::Busy)
    }

    /// Writes down that an attempt is about to leave, and permits it.
    pub fn begin(
        &mut self,
        lock: AccountLock,
        key: IdempotencyKey,
        now: &Clocks,
        window: &Window,
    ) -> Result<Permit, WriteRefused> {
        let mut agreed = None;
        let withdrawal = self.append(now.wall, |journal| {
            let withdrawal = journal.load_to_change(key)?.ok_or(WriteRefused::NoSuchKey)?;
            // As it was read when the journal was, not now: the two readings must say the same.
            agreed = journal.index.undecided(key).map(|known| known.agreement.clone());
            journal.may_begin(&lock, &withdrawal, agreed.as_ref(), now, window)?;
            let n = withdrawal.attempts.len() as u32 + 1;
            Ok::<_, WriteRefused>((key, Event::AttemptBegan { n, began: now.clone() }))
        })?;
        // Once more, and of the bytes that will be sent: they were just read from the disk.
        self.is_what_was_confirmed(&withdrawal, agreed.as_ref())?;
        Permit::new(withdrawal, lock, window).ok_or(WriteRefused::NotNow)
    }

    fn may_begin(
        &mut self,
        lock: &AccountLock,
        withdrawal: &Withdrawal,
        agreed: Option<&Agreement>,
        now: &Clocks,
        window: &Window,
    ) -> Result<(), WriteRefused> {
        self.may_grow()?;
        let agreement = &withdrawal.agreement;
        if *lock.owner() != agreement.account.owner() {
            return Err(WriteRefused::Busy);
        }
        // The lock is ours, so nothing is in flight: an attempt without an end is one that died.
        let state = withdrawal.state(now, window, false);
        if !matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown) {
            return Err(match window.left(&withdrawal.attempts, now) {
                Err(no_send) if state.is_open() => WriteRefused::NoSend(no_send),
                _ => WriteRefused::NotNow,
            });
        }
        window.left(&withdrawal.attempts, now).map_err(WriteRefused::NoSend)?;
        let wait = window.wait(&withdrawal.attempts, now);
        if !wait.is_zero() {
            return Err(WriteRefused::TooSoon { wait });
        }
        // Only now: one that is decided may have been purged of its body, which is no damage.
        self.is_what_was_confirmed(withdrawal, agreed)?;
        let known = self.beside(agreement.key);
        let known = self.noted(known)?;
        for objection in objections(self.index(), agreement, now.wall) {
            // What may have been paid already is no second payment when it is sent again.
            let harmless = match (objection.kind, objection.answered_by_retyping()) {
                (ClashKind::Mismatch, _) => false,
                (_, Some(other)) if known.contains(&other) => true,
                _ => state == WithdrawalState::Unknown,
            };
            if !harmless {
                return Err(objection.into());
            }
        }
        Ok(())
    }

    /// Stops the money side when what is stored is not what was confirmed: the body by its sum, and
    /// all that stands beside it, the key's header and the address too.
    fn is_what_was_confirmed(
        &mut self,
        withdrawal: &Withdrawal,
        agreed: Option<&Agreement>,
    ) -> Result<(), WriteRefused> {
        let agreement = &withdrawal.agreement;
        let entry = self.index.entry(agreement.key).ok_or(WriteRefused::NoSuchKey)?;
        let is_the_body =
            !agreement.body.is_empty() && chain::sum_of(&agreement.body) == entry.body;
        if is_the_body && agreed == Some(agreement) {
            return Ok(());
        }
        let text = format!("the request of {} is not what was confirmed", agreement.key);
        self.trouble.get_or_insert(self.file.damaged(&text));
        Err(WriteRefused::BodyChanged)
    }

    /// Writes down how an attempt ended, then lets the account's lock go.
    ///
    /// Where that fails the caller gets the right to it back, and the lock with it: a journal that
    /// another window held may be asked again. An end that is there already is found first, while
    /// no other window writes: it is never written twice, and never as another one.
    pub fn settle(&mut self, spent: Spent, end: &AttemptEnd) -> Result<Withdrawal, NotSettled> {
        let (key, n) = (spent.key, spent.n);
        let settled = self.append(end.at, |journal| {
            let ended = |it: &Attempt| it.n == n && it.end.as_ref() == Some(end);
            let known = journal.load_to_change(key)?;
            match known.filter(|known| known.attempts.iter().any(ended)) {
                Some(known) => Err(NotWritten::Stands(Box::new(known))),
                // In the place of another end it is refused where it is read back.
                None => Ok((key, Event::Settled(Box::new(AttemptSettled { n, end: end.clone() })))),
            }
        });
        match settled {
            Ok(withdrawal) => Ok(withdrawal),
            Err(NotWritten::Stands(withdrawal)) => Ok(*withdrawal),
            Err(NotWritten::Journal(trouble)) => Err(NotSettled { spent, trouble }),
        }
    }

    /// Writes down what a person decided about a withdrawal.
    pub fn decide(
        &mut self,
        key: IdempotencyKey,
        decision: Decision,
        now: &Clocks,
        window: &Window,
    ) -> Result<Withdrawal, WriteRefused> {
        self.catch_up()?;
        let owner: Account = match self.index.entry(key) {
            Some(entry) => Account::clone(&entry.owner),
            None => return Err(WriteRefused::NoSuchKey),
        };
        // Held until it is written: no attempt begins meanwhile, and none is in flight.
        let _lock = AccountLock::take(&*self.storage, &owner)?.ok_or(WriteRefused::Busy)?;
        self.append(now.wall, |journal| {
            journal.may_grow()?;
            let withdrawal = journal.load_to_change(key)?.ok_or(WriteRefused::NoSuchKey)?;
            if !may_decide(decision, &withdrawal.state(now, window, false)) {
                return Err(WriteRefused::NotNow);
            }
            Ok((
                key,
                match decision {
                    Decision::Discarded => Event::Discarded,
                    Decision::FoundPaid | Decision::StatedNotPaid => Event::PersonSaid(decision),
                },
            ))
        })
    }

    /// Appends the event that `judge` allows; no other window writes in between.
    fn append<R: From<JournalTrouble>>(
        &mut self,
        at: Wall,
        judge: impl FnOnce(&mut Self) -> Result<(IdempotencyKey, Event), R>,
    ) -> Result<Withdrawal, R> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone().into());
        }
        let _held = self.storage.hold_journal()?;
        let begun = self.begin_write();
        self.noted(begun)?;
        let (key, event) = match judge(self) {
            Ok(judged) => judged,
            Err(refused) => {
                self.file.roll_back();
                return Err(refused);
            }
        };
        let written = self.write(at, key, &event);
        match &written {
            Ok(_) => self.note_in_marker(),
            Err(_) => self.file.roll_back(),
        }
        Ok(self.noted(written)?)
    }

    /// Checks that no other journal became the live one, and that no older copy took the place of
    /// this one while it was open. The end of an attempt is written all the same.
    fn may_grow(&mut self) -> Result<(), JournalTrouble> {
        let agrees = self.agrees_with_marker();
        self.noted(agrees)
    }

    /// A withdrawal that is about to be changed: what cannot be read is not written on.
    fn load_to_change(
        &mut self,
        key: IdempotencyKey,
    ) -> Result<Option<Withdrawal>, JournalTrouble> {
        let loaded = self.load(key);
        self.noted(loaded)
    }

    /// Begins a write: from here on no other window writes, and the index is what is on disk.
    pub(super) fn begin_write(&mut self) -> Result<(), JournalTrouble> {
        self.file.begin(&self.disk)?;
        let ready = self
            .read_on()
            .and_then(|()| self.storage.head())
            .and_then(|head| self.agree_with_head(head, false));
        if ready.is_err() {
            self.file.roll_back();
        }
        ready
    }

    /// The database first, then the head.
    ///
    /// The event is read back before it is durable, and nothing is read after: who has to wait for
    /// somebody then, in vain, would tell what is done as not done.
    fn write(
        &mut self,
        at: Wall,
        key: IdempotencyKey,
        event: &Event,
    ) -> Result<Withdrawal, JournalTrouble> {
        let last = self.index.last;
        let written = event.write().map_err(|error| JournalTrouble::Io(error.to_string()))?;
        let mut row = EventRow {
            n: last.n + 1,
            at,
            key,
            kind: written.kind.to_owned(),
            plain: written.plain,
            personal_sum: written.personal.as_deref().map(chain::sum_of),
            personal: written.personal,
            sum: chain::Sum::default(),
        };
        row.sum = row.sum_after(&last.sum);
        self.file.append(&row, &self.disk)?;
        let withdrawal = self.read_back(&row, last)?;
        self.file.commit(&self.disk)?;
        self.index.note(row.link(), at, withdrawal.clone());
        self.write_head(row.link())?;
        Ok(withdrawal)
    }

    /// Returns the withdrawal as a later reader of this event finds it; an impossible one is
    /// refused.
    fn read_back(&self, row: &EventRow, before: ChainLink) -> Result<Withdrawal, JournalTrouble> {
        let read = self.file.row(row.n, before)?;
        if read != *row {
            return Err(self.file.damaged("the event just written is another one"));
        }
        let event = Event::read(&read.kind, &read.plain, read.personal.as_deref());
        let known = self.load(row.key)?;
        let happened = event.and_then(|event| event.happen(known, read.at));
        happened.map_err(|text| self.file.damaged(&text))
    }

    /// After any error of a write nothing is written any more, until the program starts again.
    ///
    /// But for one: a journal that somebody else holds took nothing, and may be free the next time.
    pub(super) fn noted<T>(
        &mut self,
        result: Result<T, JournalTrouble>,
    ) -> Result<T, JournalTrouble> {
        if let Err(trouble) = &result
            && !matches!(trouble, JournalTrouble::Busy(_))
        {
            self.trouble.get_or_insert_with(|| trouble.clone());
        }
        result
    }
}
