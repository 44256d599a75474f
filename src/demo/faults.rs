//! The faults (such as a lost reply) that the presenter can arm in the demo's palette, with their
//! names in scripts.

use crate::app::store::faults::{ArmedFault, FaultKind};
use crate::sandbox::{BankOperation, Fault, FaultRule, Scope, Times};

/// The name of a fault in scripts, and the function that creates its rule.
pub type NamedFault = (&'static str, fn() -> FaultRule);

/// The faults in the palette. Each fault affects either one request, such as the next withdrawal,
/// or all requests from then on.
pub const FAULTS: [NamedFault; 22] = [
    ("lose-answer", || withdrawal(Fault::DropAfter)),
    ("drop-before", || withdrawal(Fault::DropBefore)),
    ("slow", || withdrawal(Fault::slow())),
    ("cut-json", || withdrawal(Fault::TruncatedJson)),
    ("wrong-type", || withdrawal(Fault::WrongContentType)),
    ("other-amount", || withdrawal(Fault::OtherAmount)),
    ("says-failed", || withdrawal(Fault::SaysFailed)),
    ("redirect", || withdrawal(Fault::Redirect)),
    ("answer-400", || withdrawal(Fault::status(400))),
    ("expire-token", || withdrawal(Fault::ExpiredToken)),
    ("key-busy", || withdrawal(Fault::KeyBusy)),
    ("key-reused", || withdrawal(Fault::KeyReused)),
    ("too-many", || withdrawal(Fault::TooManyRequests)),
    ("answer-500", || withdrawal(Fault::status(500))),
    ("answer-503", || withdrawal(Fault::status(503))),
    ("no-quote", || {
        next(BankOperation::FeePreview, Fault::status(503))
    }),
    ("wrong-quote", || {
        next(BankOperation::FeePreview, Fault::OtherAmount)
    }),
    ("lose-link", || {
        next(BankOperation::CreateLink, Fault::DropAfter)
    }),
    ("expire-jwt", || {
        next(BankOperation::CreateLink, Fault::ExpiredToken)
    }),
    ("other-code", || {
        next(BankOperation::DirectPayment, Fault::OtherAmount)
    }),
    ("broken-code", || {
        next(BankOperation::DirectPayment, Fault::WrongChecksum)
    }),
    ("refuse", || FaultRule {
        fault: Fault::Refuse,
        scope: Scope::Any,
        times: Times::Always,
    }),
];

/// The fault with this name.
pub fn find_rule(name: &str) -> Option<FaultRule> {
    FAULTS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, rule)| rule())
}

/// Converts the armed faults of the sandbox to the app's type. Equal faults are merged into one
/// entry with their count.
pub fn armed_faults(rules: &[FaultRule]) -> Vec<ArmedFault> {
    let mut armed: Vec<ArmedFault> = Vec::new();
    for rule in rules {
        let named = FAULTS.iter().find(|(_, known)| {
            let known = known();
            known.fault == rule.fault && known.scope == rule.scope
        });
        let kind = match named {
            Some((name, _)) => FaultKind::Named((*name).into()),
            None => {
                let once = FaultRule {
                    times: Times::Next(1),
                    ..rule.clone()
                }
                .to_string();
                FaultKind::Other(once.trim_end_matches(", once").into())
            }
        };
        let times = match rule.times {
            Times::Next(times) => Some(times),
            Times::Always => None,
        };
        match armed.iter_mut().find(|known| known.what == kind) {
            Some(known) => {
                known.times = known
                    .times
                    .zip(times)
                    .map(|(one, other)| one.saturating_add(other));
            }
            None => armed.push(ArmedFault { what: kind, times }),
        }
    }
    armed
}

/// Creates the rule for a fault that affects the next withdrawal.
fn withdrawal(fault: Fault) -> FaultRule {
    next(BankOperation::Withdrawal, fault)
}

fn next(operation: BankOperation, fault: Fault) -> FaultRule {
    FaultRule {
        fault,
        scope: Scope::Only(operation),
        times: Times::Next(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armed_fault_listed_by_palette_name_or_file_text() {
        let lost_reply = || find_rule("lose-answer").unwrap();
        let named_fault = |name: &str, times| ArmedFault {
            what: FaultKind::Named(name.into()),
            times,
        };
        assert_eq!(
            armed_faults(&[lost_reply()]),
            [named_fault("lose-answer", Some(1))]
        );
        let twice = FaultRule {
            times: Times::Next(2),
            ..lost_reply()
        };
        assert_eq!(
            armed_faults(&[lost_reply(), twice]),
            [named_fault("lose-answer", Some(3))]
        );
        let always = FaultRule {
            times: Times::Always,
            ..lost_reply()
        };
        assert_eq!(
            armed_faults(&[always, lost_reply()]),
            [named_fault("lose-answer", None)]
        );
        let other = next(BankOperation::Domains, Fault::status(503));
        let kind = FaultKind::Other("domains: status 503".into());
        assert_eq!(
            armed_faults(&[other]),
            [ArmedFault {
                what: kind,
                times: Some(1)
            }]
        );
    }
}
