//! The policies that the model checks: the production rules, and weaker rules.

use super::*;

/// The rules for sending withdrawals. Each flag turns off one production rule.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    pub name: &'static str,
    /// If true, a restart loses the idempotency key and the attempts that used it.
    pub forgets_keys: bool,
    /// If true, any 4xx reply is a final refusal, even if an earlier attempt may have paid.
    pub any_4xx_is_final: bool,
    /// If true, a key may be sent again at any later time.
    pub no_window: bool,
    /// If true, the request's body is built again for every send.
    pub rebuilds_body: bool,
    /// If true, a resend may follow immediately.
    pub no_wait: bool,
    /// The time in milliseconds that this policy adds to the time window for resends.
    pub extra_window: Ms,
    /// If true, a success has names that no default reads, and the seller teaches any row of it.
    pub teaches: bool,
}

pub const REAL: Policy = Policy {
    name: "the real one",
    forgets_keys: false,
    any_4xx_is_final: false,
    no_window: false,
    rebuilds_body: false,
    no_wait: false,
    extra_window: 0,
    teaches: false,
};

pub const WEAKER: [Policy; 3] = [
    Policy {
        name: "key only in memory",
        forgets_keys: true,
        any_4xx_is_final: true,
        no_window: true,
        no_wait: true,
        ..REAL
    },
    Policy {
        name: "same key for ever, any 4xx is final",
        any_4xx_is_final: true,
        no_window: true,
        no_wait: true,
        ..REAL
    },
    Policy {
        name: "an unclear attempt outranks a later 4xx",
        no_window: true,
        no_wait: true,
        ..REAL
    },
];

/// Policies that lack one rule each, with the kinds of bank that then pay twice. Schedules with one
/// send less are enough to find these double payouts.
pub const LACKING_ONE_RULE: [(Policy, &[BankKind]); 3] = [
    (
        Policy {
            name: "a body of its own for each send",
            rebuilds_body: true,
            ..REAL
        },
        &[BankKind::IgnoresKeyOnOtherBody],
    ),
    (
        Policy {
            name: "a resend at once",
            no_wait: true,
            ..REAL
        },
        &[BankKind::RemembersOncePaid],
    ),
    (
        Policy {
            name: "a window one second too long",
            extra_window: SECOND,
            ..REAL
        },
        &[BankKind::ForgetsAfterTenMinutes],
    ),
];

/// The production rules, with a service whose replies the seller teaches.
pub const TEACHING: Policy = Policy {
    name: "a seller who teaches",
    teaches: true,
    ..REAL
};

impl Policy {
    /// Returns the faults that are possible under this policy.
    pub fn faults(&self) -> &'static [Fault] {
        const WITH_LESSONS: [Fault; FAULTS.len() + 3] = {
            let mut faults = [Fault::RefusedAsSuccess; FAULTS.len() + 3];
            let mut index = 0;
            while index < FAULTS.len() {
                faults[index] = FAULTS[index];
                index += 1;
            }
            faults[index] = Fault::GatewaySuccess;
            faults[index + 1] = Fault::GatewayFailure;
            faults
        };
        if self.teaches { &WITH_LESSONS } else { &FAULTS }
    }

    /// Returns the production state of a withdrawal, without the rules that this policy ignores.
    pub fn state(&self, withdrawal: &Withdrawal, now: &Clocks, window: &Window) -> WithdrawalState {
        let state = withdrawal.state(now, window, false);
        let was_refused = |attempt: &Attempt| {
            attempt
                .end
                .as_ref()
                .is_some_and(|end| matches!(end.status, Some(400..=499)))
        };
        match state {
            WithdrawalState::Unknown | WithdrawalState::NeedsPerson(_)
                if self.any_4xx_is_final && withdrawal.attempts.iter().any(was_refused) =>
            {
                WithdrawalState::Rejected
            }
            WithdrawalState::NeedsPerson(WhyPerson::NoSend(_)) if self.no_window => {
                WithdrawalState::Unknown
            }
            state => state,
        }
    }
}
