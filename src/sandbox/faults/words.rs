//! A fault in one line, in the words of a fault file.

use std::fmt;

use super::{Fault, FaultRule, Scope, Times};
use crate::sandbox::bank::request::BankOperation;

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
            Scope::Any => "any",
            Scope::Only(BankOperation::Login) => "login",
            Scope::Only(BankOperation::Domains) => "domains",
            Scope::Only(BankOperation::CreateLink) => "create_link",
            Scope::Only(BankOperation::DirectPayment) => "direct_payment",
            Scope::Only(BankOperation::FeePreview) => "fee_preview",
            Scope::Only(BankOperation::Withdrawal) => "withdrawal",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Delay(time) => return write!(f, "delay of {} ms", time.as_millis()),
            Fault::Answer { status, .. } => return write!(f, "status {status}"),
            Fault::Refuse => "refuse",
            Fault::DropBefore => "drop_before",
            Fault::DropAfter => "drop_after",
            Fault::TruncatedJson => "truncated_json",
            Fault::WrongContentType => "wrong_content_type",
            Fault::ExpiredToken => "expired_token",
            Fault::OtherAmount => "other_amount",
            Fault::WrongChecksum => "wrong_checksum",
            Fault::SaysFailed => "says_failed",
            Fault::TooManyRequests => "too_many_requests",
            Fault::Redirect => "redirect",
            Fault::KeyBusy => "key_busy",
            Fault::KeyReused => "key_reused",
        })
    }
}
