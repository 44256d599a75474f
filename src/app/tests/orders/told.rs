//! Tracks which withdrawals the app must treat as open. The set is derived from the delivered
//! messages, not from the app's own rules.

use super::*;

/// The withdrawals that are open according to the delivered messages.
#[derive(Default)]
pub(super) struct ExpectedOpen {
    open: BTreeMap<IdempotencyKey, Agreement>,
    /// The ticket of the latest request for the list of withdrawals. Replies with other tickets are
    /// ignored.
    list_ticket: Option<Ticket>,
}

impl ExpectedOpen {
    /// Records that the app requested the list of withdrawals.
    pub(super) fn on_list_request(&mut self, ticket: Ticket) {
        self.list_ticket = Some(ticket);
    }

    /// Records a message that the test delivered to the app.
    pub(super) fn on_message(&mut self, msg: &Msg) {
        match msg {
            Msg::Settled(withdrawal)
            | Msg::Decided {
                result: Ok(withdrawal),
                ..
            } => self.update(withdrawal),
            Msg::Prepared {
                result: Err(NotDone::Blocked(Blocker::Clash(clash))),
                ..
            } => {
                self.update(&clash.other);
            }
            Msg::AttemptTrouble {
                withdrawal,
                trouble,
                ..
            } => {
                if let Failure::Blocked(Blocker::Clash(clash)) = trouble {
                    self.update(&clash.other);
                }
                if let Some(withdrawal) = withdrawal {
                    self.update(withdrawal);
                }
            }
            Msg::WithdrawalsLoaded {
                ticket,
                result: Ok(snapshot),
            } if self.list_ticket == Some(*ticket) => {
                self.list_ticket = None;
                self.open.clear();
                snapshot
                    .open
                    .iter()
                    .for_each(|withdrawal| self.update(withdrawal));
            }
            _ => {}
        }
    }

    fn update(&mut self, withdrawal: &Withdrawal) {
        let agreement = withdrawal.agreement.clone();
        if may_have_been_sent(withdrawal) {
            self.open.insert(agreement.key, agreement);
        } else {
            self.open.remove(&agreement.key);
        };
    }

    /// The account's open withdrawals, without the withdrawal of this agreement.
    pub(super) fn other_open(&self, agreement: &Agreement) -> impl Iterator<Item = &Agreement> {
        self.open
            .values()
            .filter(|open| open.account == agreement.account && open.key != agreement.key)
    }
}

/// True if money may have been sent but the outcome is unknown. Deliberately does not use the app's
/// own rule.
pub(super) fn may_have_been_sent(withdrawal: &Withdrawal) -> bool {
    let ends = || {
        withdrawal
            .attempts
            .iter()
            .map(|attempt| attempt.end.as_ref().map(|end| &end.class))
    };
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
    is_doubtful && !is_paid && withdrawal.decision.is_none()
}
