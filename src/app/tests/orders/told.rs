//! What the app was told is open, kept by the test from what it told: no rule of the app's own.

use super::*;

/// The withdrawals of which the app heard that money may have left, and nothing since.
#[derive(Default)]
pub(super) struct Told {
    open: BTreeMap<IdempotencyKey, Agreement>,
    /// The question for the list whose answer the app waits for: an older answer tells it nothing.
    asked: Option<Ticket>,
}

impl Told {
    /// The app asks for the list.
    pub(super) fn asks(&mut self, ticket: Ticket) {
        self.asked = Some(ticket);
    }

    /// The app is told this.
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

    /// The others of the account that are open, as far as the app can know.
    pub(super) fn beside(&self, agreement: &Agreement) -> impl Iterator<Item = &Agreement> {
        self.open
            .values()
            .filter(|open| open.account == agreement.account && open.key != agreement.key)
    }
}

/// Whether money may have left and nobody knows, as a bank clerk would say it of these replies.
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
