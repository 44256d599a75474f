//! Combines the outcomes of all attempts to send a withdrawal.
//!
//! A refused attempt does not prove that nothing was paid, if an earlier attempt has an unclear
//! outcome. The earlier attempt may have paid, so that the balance was too small for the later one.

use super::attempt::{Alarm, Attempt, Class, SaysFailed};

/// The combined outcome of all attempts to send a withdrawal. It does not depend on the current
/// time or the seller's decision.
#[derive(Debug, Clone, PartialEq)]
pub enum Settled {
    /// The service confirmed an attempt. A confirmation outranks every other outcome.
    Accepted,
    /// The amount or destination in a response differs from the request.
    Mismatch(Alarm),
    /// The service redirected an attempt with this status.
    Redirected(u16),
    /// The service reported that it received the idempotency key with a different request body.
    KeyReused,
    /// The status of a response reported success, but its body reported a failure.
    SaysFailed(SaysFailed),
    /// An attempt may have paid.
    Unknown,
    /// The service definitely refused the last attempt that was sent, and the outcome of no attempt
    /// is unclear.
    Rejected,
    /// No attempt was accepted and no money has moved: nothing was sent, or the last attempt was
    /// refused with 401, 403, 425 or 429.
    Prepared,
}

/// The combined outcome of the attempts. The order of the checks matters, because the first one
/// that matches decides.
pub fn settle(attempts: &[Attempt]) -> Settled {
    let ends = || attempts.iter().filter_map(|attempt| attempt.end.as_ref());
    if ends().any(|end| matches!(end.class, Class::Confirmed { .. })) {
        return Settled::Accepted;
    }
    if let Some(alarm) = ends().find_map(|end| match &end.class {
        Class::Alarm(alarm) => Some(alarm.clone()),
        _ => None,
    }) {
        return Settled::Mismatch(alarm);
    }
    if let Some(end) = ends().find(|end| end.class == Class::Redirected) {
        return Settled::Redirected(end.status.unwrap_or_default());
    }
    if ends().any(|end| end.class == Class::KeyReused) {
        return Settled::KeyReused;
    }
    if let Some(report) = ends().find_map(|end| match &end.class {
        Class::SaysFailed(report) => Some(report.clone()),
        _ => None,
    }) {
        return Settled::SaysFailed(report);
    }
    if attempts.iter().any(Attempt::is_unclear) {
        return Settled::Unknown;
    }
    match ends()
        .rfind(|end| !matches!(end.class, Class::NotSent(_)))
        .map(|end| &end.class)
    {
        Some(Class::DefiniteNo) => Settled::Rejected,
        _ => Settled::Prepared,
    }
}

#[cfg(test)]
mod tests {
    use super::super::attempt::{AttemptEnd, NotSent, Unclear};
    use super::*;
    use crate::trade::{Clocks, Money, Wall};

    fn attempt(n: u32, class: Option<Class>) -> Attempt {
        let began = Clocks {
            wall: Wall(0),
            boot_ms: 0,
            boot_id: "b".into(),
        };
        let end = class.map(|class| AttemptEnd {
            at: Wall(1),
            boot_ms: 0,
            class,
            status: Some(307),
            server_date: None,
            message: None,
            hint: None,
        });
        Attempt {
            n,
            began,
            end,
            by: None,
        }
    }

    fn settle_classes(classes: &[Option<Class>]) -> Settled {
        let attempts: Vec<_> = classes
            .iter()
            .enumerate()
            .map(|(i, class)| attempt(i as u32 + 1, class.clone()))
            .collect();
        settle(&attempts)
    }

    fn confirmed() -> Option<Class> {
        Some(Class::Confirmed {
            id: None,
            status: None,
        })
    }

    fn alarm() -> Alarm {
        Alarm::Amount {
            sent: Money::from_centavos(100),
            got: Money::from_centavos(101),
        }
    }

    fn failure_report() -> SaysFailed {
        SaysFailed {
            member: "status".into(),
            word: "failed".into(),
        }
    }

    const TIMED_OUT: Option<Class> = Some(Class::Unclear(Unclear::Timeout));
    const REFUSED: Option<Class> = Some(Class::DefiniteNo);

    #[test]
    fn refusal_after_an_unclear_attempt_is_unknown() {
        assert_eq!(settle_classes(&[REFUSED]), Settled::Rejected);
        assert_eq!(settle_classes(&[TIMED_OUT, REFUSED]), Settled::Unknown);
        assert_eq!(settle_classes(&[None, REFUSED]), Settled::Unknown);
    }

    #[test]
    fn confirmation_outranks_every_other_outcome() {
        let unclear_classes = [
            Class::Redirected,
            Class::Alarm(alarm()),
            Class::SaysFailed(failure_report()),
        ];
        for other in [TIMED_OUT, REFUSED, None]
            .into_iter()
            .chain(unclear_classes.map(Some))
        {
            assert_eq!(
                settle_classes(&[other.clone(), confirmed()]),
                Settled::Accepted
            );
            assert_eq!(settle_classes(&[confirmed(), other]), Settled::Accepted);
        }
    }

    #[test]
    fn alarm_outranks_needs_person_outranks_unclear() {
        assert_eq!(
            settle_classes(&[Some(Class::Redirected), Some(Class::Alarm(alarm()))]),
            Settled::Mismatch(alarm())
        );
        assert_eq!(
            settle_classes(&[TIMED_OUT, Some(Class::Redirected)]),
            Settled::Redirected(307)
        );
        assert_eq!(
            settle_classes(&[TIMED_OUT, Some(Class::KeyReused)]),
            Settled::KeyReused
        );
        let reported_failure = || Some(Class::SaysFailed(failure_report()));
        assert_eq!(
            settle_classes(&[TIMED_OUT, reported_failure()]),
            Settled::SaysFailed(failure_report())
        );
        assert_eq!(
            settle_classes(&[reported_failure(), Some(Class::Alarm(alarm()))]),
            Settled::Mismatch(alarm())
        );
    }

    #[test]
    fn reported_failure_is_never_settled_as_rejected() {
        for attempts in [
            vec![Some(Class::SaysFailed(failure_report()))],
            vec![TIMED_OUT, REFUSED],
        ] {
            assert_ne!(settle_classes(&attempts), Settled::Rejected);
        }
        let reported_failure = Some(Class::SaysFailed(failure_report()));
        assert_eq!(
            settle_classes(&[reported_failure, REFUSED]),
            Settled::SaysFailed(failure_report())
        );
    }

    #[test]
    fn withdrawal_never_accepted_is_still_prepared() {
        assert_eq!(settle_classes(&[]), Settled::Prepared);
        assert_eq!(
            settle_classes(&[Some(Class::NotSent(NotSent::Dns))]),
            Settled::Prepared
        );
        assert_eq!(
            settle_classes(&[Some(Class::Unauthorized)]),
            Settled::Prepared
        );
        assert_eq!(
            settle_classes(&[Some(Class::Throttled { retry_after: None })]),
            Settled::Prepared
        );
        assert_eq!(
            settle_classes(&[Some(Class::Unauthorized), REFUSED]),
            Settled::Rejected
        );
    }
}
