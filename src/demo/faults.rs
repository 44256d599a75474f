//! The faults of the palette, by the names that a script calls them by.

use crate::sandbox::{Fault, FaultRule, Operation, Scope, Times};

/// The name of a fault, and the fault.
pub type Named = (&'static str, fn() -> FaultRule);

/// The faults of the palette: of the next withdrawal, of its quote, of the next link, of all.
pub const FAULTS: [Named; 19] = [
    ("lose-answer", || withdrawal(Fault::DropAfter)),
    ("drop-before", || withdrawal(Fault::DropBefore)),
    ("slow", || withdrawal(Fault::slow())),
    ("cut-json", || withdrawal(Fault::TruncatedJson)),
    ("wrong-type", || withdrawal(Fault::WrongContentType)),
    ("other-amount", || withdrawal(Fault::OtherAmount)),
    ("redirect", || withdrawal(Fault::Redirect)),
    ("answer-400", || withdrawal(Fault::status(400))),
    ("expire-token", || withdrawal(Fault::ExpiredToken)),
    ("key-busy", || withdrawal(Fault::KeyBusy)),
    ("key-reused", || withdrawal(Fault::KeyReused)),
    ("too-many", || withdrawal(Fault::TooManyRequests)),
    ("answer-500", || withdrawal(Fault::status(500))),
    ("answer-503", || withdrawal(Fault::status(503))),
    ("no-quote", || next(Operation::FeePreview, Fault::status(503))),
    ("wrong-quote", || next(Operation::FeePreview, Fault::OtherAmount)),
    ("lose-link", || next(Operation::CreateLink, Fault::DropAfter)),
    ("expire-jwt", || next(Operation::CreateLink, Fault::ExpiredToken)),
    ("refuse", || FaultRule { fault: Fault::Refuse, scope: Scope::Any, times: Times::Always }),
];

/// The fault of this name.
pub fn named(name: &str) -> Option<FaultRule> {
    FAULTS.iter().find(|(known, _)| *known == name).map(|(_, rule)| rule())
}

/// A fault for the next withdrawal: that is where an audience wants to see it.
fn withdrawal(fault: Fault) -> FaultRule {
    next(Operation::Withdrawal, fault)
}

fn next(operation: Operation, fault: Fault) -> FaultRule {
    FaultRule { fault, scope: Scope::Only(operation), times: Times::Next(1) }
}
