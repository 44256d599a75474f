//! Fault files.
//!
//! A fault file is TOML, one table per fault, met in the order of the file:
//!
//! ```toml
//! [[fault]]
//! operation = "withdrawal"  # login, domains, create_link, direct_payment, fee_preview,
//!                           # withdrawal, or any (the default)
//! fault = "drop_after"      # see below
//! times = 2                 # how many requests meet it; 1 by default, or "always"
//!
//! [[fault]]
//! operation = "create_link"
//! fault = "status"
//! status = 503
//! body = '{"message":"Em manutenção."}'  # optional
//! content_type = "application/json"      # optional
//! bank_acts = true                       # optional; false by default
//!
//! [[fault]]
//! fault = "delay"
//! milliseconds = 1500
//! times = "always"
//! ```
//!
//! | `fault` | what happens |
//! |---|---|
//! | `delay` | the bank acts, its reply waits `milliseconds` |
//! | `slow` | the bank acts, its reply waits five seconds |
//! | `refuse` | for `any` only: connections are reset; with `always` the port is closed |
//! | `drop_before` | the socket is closed, the bank never acts |
//! | `drop_after` | the bank acts, the socket is closed without one byte of a reply |
//! | `status` | answered with `status`, and `body` if given; the bank acts if `bank_acts` |
//! | `truncated_json` | the bank acts, half of its reply is missing |
//! | `wrong_content_type` | the bank acts, its reply says `text/html` |
//! | `expired_token` | the request's token expires just before the bank looks at it |
//! | `other_amount` | the bank acts, its reply names another amount |
//! | `wrong_checksum` | the bank acts, the checksum of its reply's Pix code is wrong |
//! | `too_many_requests` | answered 429 with `Retry-After: 5`, the bank never acts |
//! | `redirect` | answered 307 with another path of this service, the bank never acts |
//! | `key_busy` | the bank acts, the answer is 409: this key is still at work |
//! | `key_reused` | answered 422: the key was used with another body; the bank never acts |
//!
//! `POST /_sandbox/faults` takes one such table as a JSON object.

use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;

use super::{Fault, FaultRule, Plan, Scope, Times};
use crate::sandbox::bank::request::BankOperation;

/// The reason a fault file or a fault in JSON cannot be used, with the line at fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FaultFileError(String);

/// Reads the text of a fault file.
pub fn read_toml(text: &str) -> Result<Vec<FaultRule>, FaultFileError> {
    let file: FaultFile = toml::from_str(text).map_err(|e| FaultFileError(e.to_string()))?;
    file.fault.into_iter().map(|written| rule_at(text, written)).collect()
}

/// Reads one fault written as a JSON object.
pub fn read_json(text: &[u8]) -> Result<FaultRule, FaultFileError> {
    let written: FaultEntry =
        serde_json::from_slice(text).map_err(|e| FaultFileError(e.to_string()))?;
    written.rule().map_err(FaultFileError)
}

fn rule_at(text: &str, written: Spanned<FaultEntry>) -> Result<FaultRule, FaultFileError> {
    let start = written.span().start;
    let line = 1 + text.as_bytes()[..start].iter().filter(|b| **b == b'\n').count();
    let problem = |problem| FaultFileError(format!("line {line}, in this [[fault]]: {problem}"));
    written.into_inner().rule().map_err(problem)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultFile {
    #[serde(default)]
    fault: Vec<Spanned<FaultEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultEntry {
    fault: Name,
    #[serde(default)]
    operation: WrittenScope,
    #[serde(default)]
    times: WrittenTimes,
    milliseconds: Option<u64>,
    status: Option<u16>,
    body: Option<String>,
    content_type: Option<String>,
    bank_acts: Option<bool>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Name {
    Delay,
    Slow,
    Refuse,
    DropBefore,
    DropAfter,
    Status,
    TruncatedJson,
    WrongContentType,
    ExpiredToken,
    OtherAmount,
    WrongChecksum,
    SaysFailed,
    TooManyRequests,
    Redirect,
    KeyBusy,
    KeyReused,
}

/// The operations and `any` in one list, so that a wrong word is answered with all right ones.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenScope {
    #[default]
    Any,
    Login,
    Domains,
    CreateLink,
    DirectPayment,
    FeePreview,
    Withdrawal,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "`times` is a number from 1 on, or \"always\"")]
enum WrittenTimes {
    Count(u32),
    Word(Word),
}

impl Default for WrittenTimes {
    fn default() -> WrittenTimes {
        WrittenTimes::Count(1)
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Always,
}

impl FaultEntry {
    fn rule(self) -> Result<FaultRule, String> {
        self.no_stray_fields()?;
        let scope = self.scope();
        let times = match self.times {
            WrittenTimes::Count(count) => Times::Next(count),
            WrittenTimes::Word(Word::Always) => Times::Always,
        };
        let rule = FaultRule { fault: self.fault()?, scope, times };
        Plan::default().arm(rule.clone()).map_err(|bad| bad.to_string())?;
        Ok(rule)
    }

    fn fault(self) -> Result<Fault, String> {
        Ok(match self.fault {
            Name::Delay => {
                let wait = self.milliseconds.ok_or("`delay` wants `milliseconds`")?;
                Fault::Delay(Duration::from_millis(wait))
            }
            Name::Slow => Fault::slow(),
            Name::Refuse => Fault::Refuse,
            Name::DropBefore => Fault::DropBefore,
            Name::DropAfter => Fault::DropAfter,
            Name::Status => Fault::Answer {
                status: self.status.ok_or("`status` wants the number, as in `status = 503`")?,
                body: self.body,
                content_type: self.content_type,
                bank_acts: self.bank_acts.unwrap_or(false),
            },
            Name::TruncatedJson => Fault::TruncatedJson,
            Name::WrongContentType => Fault::WrongContentType,
            Name::ExpiredToken => Fault::ExpiredToken,
            Name::OtherAmount => Fault::OtherAmount,
            Name::WrongChecksum => Fault::WrongChecksum,
            Name::SaysFailed => Fault::SaysFailed,
            Name::TooManyRequests => Fault::TooManyRequests,
            Name::Redirect => Fault::Redirect,
            Name::KeyBusy => Fault::KeyBusy,
            Name::KeyReused => Fault::KeyReused,
        })
    }

    fn scope(&self) -> Scope {
        match self.operation {
            WrittenScope::Any => Scope::Any,
            WrittenScope::Login => BankOperation::Login.into(),
            WrittenScope::Domains => BankOperation::Domains.into(),
            WrittenScope::CreateLink => BankOperation::CreateLink.into(),
            WrittenScope::DirectPayment => BankOperation::DirectPayment.into(),
            WrittenScope::FeePreview => BankOperation::FeePreview.into(),
            WrittenScope::Withdrawal => BankOperation::Withdrawal.into(),
        }
    }

    /// A field that the fault does not know would silently do nothing.
    fn no_stray_fields(&self) -> Result<(), String> {
        if self.milliseconds.is_some() && self.fault != Name::Delay {
            return Err("`milliseconds` belongs to `delay`".to_owned());
        }
        let answer = [
            ("status", self.status.is_some()),
            ("body", self.body.is_some()),
            ("content_type", self.content_type.is_some()),
            ("bank_acts", self.bank_acts.is_some()),
        ];
        match answer.iter().find(|(_, given)| *given && self.fault != Name::Status) {
            Some((name, _)) => Err(format!("`{name}` belongs to the fault `status`")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_file_is_read_in_order() {
        let text = r#"
            [[fault]]
            operation = "withdrawal"
            fault = "drop_after"
            times = 2

            [[fault]]
            operation = "create_link"
            fault = "status"
            status = 503
            body = "x"
            bank_acts = true

            [[fault]]
            fault = "delay"
            milliseconds = 1500
            times = "always"
        "#;
        let rules = read_toml(text).unwrap();
        assert_eq!(
            rules,
            [
                FaultRule {
                    fault: Fault::DropAfter,
                    scope: BankOperation::Withdrawal.into(),
                    times: Times::Next(2)
                },
                FaultRule {
                    fault: Fault::Answer {
                        status: 503,
                        body: Some("x".to_owned()),
                        content_type: None,
                        bank_acts: true
                    },
                    scope: BankOperation::CreateLink.into(),
                    times: Times::Next(1)
                },
                FaultRule {
                    fault: Fault::Delay(Duration::from_millis(1500)),
                    scope: Scope::Any,
                    times: Times::Always
                },
            ]
        );
        assert_eq!(read_toml("").unwrap(), []);
    }

    #[test]
    fn every_fault_name_is_known() {
        for name in [
            "slow",
            "refuse",
            "drop_before",
            "drop_after",
            "truncated_json",
            "wrong_content_type",
            "expired_token",
            "other_amount",
            "too_many_requests",
            "redirect",
            "key_busy",
            "key_reused",
        ] {
            let json = format!(r#"{{"fault":"{name}","times":"always"}}"#);
            assert!(read_json(json.as_bytes()).is_ok(), "{name}");
        }
        let json = br#"{"fault":"status","status":500,"operation":"login","times":3}"#;
        let expected = FaultRule {
            fault: Fault::status(500),
            scope: BankOperation::Login.into(),
            times: Times::Next(3),
        };
        assert_eq!(read_json(json).unwrap(), expected);
    }

    #[test]
    fn errors_name_the_line_and_the_valid_names() {
        let complaint = |text: &str| read_toml(text).unwrap_err().to_string();
        let fault = complaint("[[fault]]\nfault = \"drop\"\n");
        assert!(fault.contains("line 2") && fault.contains("`drop_after`"), "{fault}");
        let operation = complaint("[[fault]]\nfault = \"slow\"\noperation = \"logn\"\n");
        assert!(operation.contains("line 3") && operation.contains("`login`"), "{operation}");
        let field = complaint("[[fault]]\nfault = \"slow\"\ntime = 3\n");
        assert!(field.contains("line 3") && field.contains("`times`"), "{field}");
        let times = complaint("[[fault]]\nfault = \"slow\"\ntimes = \"often\"\n");
        assert!(times.contains("line 3") && times.contains("always"), "{times}");
        let missing = complaint("\n\n[[fault]]\nfault = \"status\"\n");
        assert!(missing.contains("line 3") && missing.contains("status = 503"), "{missing}");
        let stray = complaint("[[fault]]\nfault = \"slow\"\nstatus = 500\n");
        assert!(stray.contains("line 1") && stray.contains("`status`"), "{stray}");
        let zero = complaint("[[fault]]\nfault = \"slow\"\ntimes = 0\n");
        assert!(zero.contains("from 1 on"), "{zero}");
        let refuse = complaint("[[fault]]\nfault = \"refuse\"\noperation = \"login\"\n");
        assert!(refuse.contains("any"), "{refuse}");
    }
}
