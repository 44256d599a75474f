//! The rules that forbid to store, send or decide a withdrawal, as pure functions.
//!
//! The journal enforces the rules while it holds its locks. The app checks them earlier, so that it
//! offers only what the journal would allow, and explains the same [`Blocker`].

use std::time::Duration;

use strum::IntoStaticStr;

use super::{
    Agreement, Clash, ClashKind, Decision, NoSend, Retyped, Standing, Window, Withdrawal,
    WithdrawalState,
};
use crate::trade::{Account, Author, Clocks, IdempotencyKey, JournalTrouble, Money, PixKey, Wall};

/// The period in which a withdrawal with the same amount and destination may be a duplicate. The
/// period begins with the last event of the earlier withdrawal, which decided it.
const DUPLICATE_PERIOD: Duration = Duration::from_secs(24 * 60 * 60);

/// The rule that forbids to store, send or decide a withdrawal now.
#[derive(Debug, Clone, PartialEq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Blocker {
    /// There is already a withdrawal with this idempotency key.
    KeyKnown,
    /// There is no withdrawal with this idempotency key.
    NoSuchKey,
    /// The request body is empty. A valid body always contains an amount.
    EmptyBody,
    /// The seller had to type the amount again, and typed a different amount.
    RetypedDiffers,
    /// Another attempt of the same account is being sent, by this process or another.
    Busy,
    /// The current state of the withdrawal does not allow the change. For example, a discarded
    /// withdrawal cannot be sent.
    State,
    /// Sending the withdrawal again with the same idempotency key is no longer safe.
    Window(NoSend),
    /// The service may still be processing the previous attempt. A second request could be paid
    /// too, if the service stores idempotency keys only after paying.
    TooSoon {
        /// The time to wait before the next attempt.
        wait: Duration,
    },
    /// This withdrawal conflicts with another one. The other withdrawal may have been created after
    /// the seller confirmed this one.
    Clash(Clash),
    /// An attempt of another machine of the team has no end, so that machine may be sending it.
    SentElsewhere {
        /// The time until this machine may assume that the attempt is over.
        wait: Duration,
        /// The person who began the attempt.
        by: Option<Author>,
    },
    /// Another server of the team's database took over, so a machine may be sending an attempt
    /// whose start was lost.
    ServerChanged {
        /// The time until this machine may assume that such an attempt is over.
        wait: Duration,
    },
    /// The team requires that a second person approves each withdrawal, and nobody has, or the
    /// approval is too old.
    Unapproved,
    /// The request on disk differs from the request that the seller confirmed.
    BodyChanged,
}

impl Blocker {
    /// True if an attempt that was sent before, perhaps by another process, may have moved money.
    pub fn may_follow_payment(&self) -> bool {
        matches!(
            self,
            Blocker::State | Blocker::Window(_) | Blocker::TooSoon { .. }
        )
    }
}

/// The reason why a withdrawal was not stored, sent or decided. No request may be sent then.
/// Usually nothing was written. If the error occurred after the event was stored, the withdrawal's
/// outcome counts as unknown.
#[derive(Debug, Clone, PartialEq)]
pub enum NotDone {
    /// A rule forbids it.
    Blocked(Blocker),
    /// The journal failed: the change could not be made durable.
    Journal(JournalTrouble),
}

impl From<Blocker> for NotDone {
    fn from(blocker: Blocker) -> NotDone {
        NotDone::Blocked(blocker)
    }
}

impl From<JournalTrouble> for NotDone {
    fn from(trouble: JournalTrouble) -> NotDone {
        NotDone::Journal(trouble)
    }
}

/// The facts about another withdrawal that the rules depend on.
#[derive(Debug)]
pub struct OtherWithdrawal<'a> {
    /// The other withdrawal's idempotency key.
    pub key: IdempotencyKey,
    /// The account in its normal form.
    pub owner: &'a Account,
    /// The amount taken from the balance.
    pub amount: Money,
    /// The Pix key that receives the money.
    pub destination: Option<&'a PixKey>,
    /// The part of the state that does not depend on the current time.
    pub standing: Standing,
    /// The time of the withdrawal's last event.
    pub changed_at: Wall,
}

impl OtherWithdrawal<'_> {
    /// The kind of conflict of a withdrawal with this one. `owner` is the normal form of the
    /// withdrawal's account.
    ///
    /// An open withdrawal conflicts with every other withdrawal of the same account. Duplicates are
    /// searched for in all logins and service addresses, because they would pay the same receiver
    /// twice.
    pub fn clash_with(
        &self,
        agreement: &Agreement,
        owner: &Account,
        now: Wall,
    ) -> Option<ClashKind> {
        if self.key == agreement.key {
            return None;
        }
        let is_same_payment =
            self.amount == agreement.amount && self.destination == agreement.destination.as_ref();
        let is_own_account = self.owner == owner;
        match self.standing {
            Standing::Mismatch if is_own_account => Some(ClashKind::Mismatch),
            Standing::Open if is_own_account && is_same_payment => Some(ClashKind::SameOpen),
            Standing::Open if is_own_account => Some(ClashKind::OtherOpen),
            Standing::Open | Standing::Mismatch if is_same_payment => {
                Some(ClashKind::SameOpenElsewhere)
            }
            // Only a withdrawal that may have been paid is a conflict. After a refusal or a discard
            // no money has moved, so a new withdrawal cannot be a second payment.
            Standing::Paid | Standing::NotFound
                if is_same_payment && is_recent(self.changed_at, now) =>
            {
                Some(ClashKind::SameDecided)
            }
            // A prepared withdrawal is not a conflict, because it was not sent yet. If two are
            // prepared and one is sent, the same rules then apply to the other before it is sent.
            _ => None,
        }
    }
}

/// True if a withdrawal that changed at `changed_at` may still be duplicated by accident.
pub fn is_recent(changed_at: Wall, now: Wall) -> bool {
    // If the clock was set back, the age is unknown. Assume that the event is recent.
    now.since(changed_at)
        .is_none_or(|age| age <= DUPLICATE_PERIOD)
}

impl ClashKind {
    /// True if the seller may override the conflict by typing the amount again. The seller must see
    /// the conflicting withdrawal first.
    pub fn can_be_overridden_by_retyping(self) -> bool {
        matches!(
            self,
            ClashKind::OtherOpen | ClashKind::SameOpenElsewhere | ClashKind::SameDecided
        )
    }
}

impl Agreement {
    /// The conflict of another withdrawal with this one, if this one is the same payment, and
    /// another machine of the team has prepared it and may send it.
    ///
    /// This machine's own prepared withdrawals are not a conflict, as without a team.
    pub fn prepared_clash_with(&self, other: &Agreement, standing: Standing) -> Option<ClashKind> {
        let is_same_payment = self.amount == other.amount && self.destination == other.destination;
        let is_elsewhere = self.agreed.boot_id != other.agreed.boot_id;
        let is_clash = standing == Standing::Prepared && self.key != other.key;
        (is_clash && is_same_payment && is_elsewhere).then_some(ClashKind::SamePrepared)
    }

    /// The withdrawals that the seller knows of and accepts, by typing the amount again.
    ///
    /// # Errors
    ///
    /// Fails if a different amount was typed.
    pub fn accepted_by<'r>(
        &self,
        retyped: Option<&'r Retyped>,
    ) -> Result<&'r [IdempotencyKey], Blocker> {
        match retyped {
            Some(retyped) if retyped.amount != self.amount => Err(Blocker::RetypedDiffers),
            Some(retyped) => Ok(&retyped.shown_keys),
            None => Ok(&[]),
        }
    }
}

impl Withdrawal {
    /// The facts that the rules about another withdrawal depend on. `owner` is the normal form of
    /// the account. The withdrawal must be open, because the time of its last event is not known.
    pub fn facts<'a>(&'a self, owner: &'a Account, standing: Standing) -> OtherWithdrawal<'a> {
        let Agreement { key, amount, .. } = self.agreement;
        let destination = self.agreement.destination.as_ref();
        let changed_at = self.agreement.agreed.wall;
        OtherWithdrawal {
            key,
            owner,
            amount,
            destination,
            standing,
            changed_at,
        }
    }

    /// The rule that forbids another attempt because of the withdrawal's own state and attempts, or
    /// `None`. The withdrawal must not be in flight.
    pub fn send_blocker(&self, now: &Clocks, window: &Window) -> Option<Blocker> {
        let state = self.state(now, window, false);
        let time_left = window.time_left(&self.attempts, now);
        if !matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown) {
            return match time_left {
                Err(no_send) if state.is_open() => Some(Blocker::Window(no_send)),
                _ => Some(Blocker::State),
            };
        }
        if let Err(no_send) = time_left {
            return Some(Blocker::Window(no_send));
        }
        let wait = window.remaining_wait(&self.attempts, now);
        (!wait.is_zero()).then_some(Blocker::TooSoon { wait })
    }
}

impl Decision {
    /// True if the seller may make this decision in this state of a withdrawal.
    pub fn is_allowed_in(self, state: &WithdrawalState) -> bool {
        match self {
            Decision::Discarded => *state == WithdrawalState::Prepared,
            Decision::FoundPaid => state.is_open(),
            Decision::StatedNotPaid => {
                matches!(
                    state,
                    WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_)
                )
            }
        }
    }
}
