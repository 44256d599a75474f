//! A fault in one line, in the words of a fault file.

use std::fmt;

use super::file::{ANY, PLAIN};
use super::{Fault, FaultRule, Scope, Times};

impl fmt::Display for FaultRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.scope, self.fault)?;
        match self.times {
            Times::Next(1) => f.write_str(", once"),
            Times::Next(times) => write!(f, ", {times} times"),
            Times::Always => f.write_str(", always"),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scope::Any => ANY,
            Scope::Only(operation) => operation.name(),
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Delay(time) => write!(f, "delay of {} ms", time.as_millis()),
            Fault::Answer { status, .. } => write!(f, "status {status}"),
            plain => {
                let named = PLAIN.iter().find(|(_, known)| known == plain);
                f.write_str(named.map_or("", |(name, _)| name))
            }
        }
    }
}
