//! Tracks which withdrawals the app must treat as open. The set is derived from the delivered
//! messages, not from the app's own rules.

use super::*;

/// The withdrawals that are open according to the delivered messages.
#[derive(Default)]
pub(super) struct ExpectedOpen {
    open: BTreeMap<IdempotencyKey, Agreement>,
    /// The ticket of the latest request for the list of withdrawals. Replies with other tickets are
    /// ignored.
    asked: Option<Ticket>,
}

impl ExpectedOpen {
    /// Records that the app requested the list of withdrawals.
    pub(super) fn asks(&mut self, ticket: Ticket) {
        self.asked = Some(ticket);
    }

    /// Records a message that the test delivered to the app.
    pub(super) fn hears(&mut self, msg: &Msg) {
        match msg {
            Msg::Settled(one) | Msg::Decided { result: Ok(one), .. } => self.note(one),
            Msg::Prepared { result: Err(Refused::LookAgain(Some(clash))), .. } => {
                self.note(&clash.other);
            }
            Msg::AttemptTrouble { withdrawal, trouble, .. } => {
                if let Failure::Clash(clash) = trouble {
                    self.note(&clash.other);
                }
                if let Some(one) = withdrawal {
                    self.note(one);
                }
            }
            Msg::WithdrawalsLoaded { ticket, result: Ok(read) } if self.asked == Some(*ticket) => {
                self.asked = None;
                self.open.clear();
                read.open.iter().for_each(|one| self.note(one));
            }
            _ => {}
        }
    }

    fn note(&mut self, one: &Withdrawal) {
        let agreement = one.agreement.clone();
        match may_have_left(one) {
            true => self.open.insert(agreement.key, agreement),
            false => self.open.remove(&agreement.key),
        };
    }

    /// Returns the account's open withdrawals, without the withdrawal of this agreement.
    pub(super) fn beside(&self, agreement: &Agreement) -> impl Iterator<Item = &Agreement> {
        self.open
            .values()
            .filter(|open| open.account == agreement.account && open.key != agreement.key)
    }
}

/// Returns true if money may have been sent but the outcome is unknown. Deliberately does not use
/// the app's own rule.
pub(super) fn may_have_left(one: &Withdrawal) -> bool {
    let ends = || one.attempts.iter().map(|attempt| attempt.end.as_ref().map(|end| &end.class));
    let is_paid = ends().any(|class| matches!(class, Some(Class::Confirmed { .. })));
    let is_doubtful = ends().any(|class| match class {
        None => true,
        Some(
            Class::Unclear(_)
            | Class::Alarm(_)
            | Class::Redirected
            | Class::KeyReused
            | Class::SaysFailed(_),
        ) => true,
        Some(
            Class::NotSent(_)
            | Class::Confirmed { .. }
            | Class::DefiniteNo
            | Class::Unauthorized
            | Class::Throttled { .. },
        ) => false,
    });
    is_doubtful && !is_paid && one.decision.is_none()
}
