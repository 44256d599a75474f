//! Parses fault files, and single faults in the same format as JSON.
//!
//! A fault file is TOML with one table per fault. Faults apply in the order of the file. In the
//! list of faults, "the bank acts" means that the simulated bank processes the request.
//!
//! ```toml
//! [[fault]]
//! operation = "withdrawal"  # login, domains, create_link, direct_payment, fee_preview,
//!                           # withdrawal, or any (the default)
//! fault = "drop_after"      # see below
//! times = 2                 # the number of requests; 1 by default, or "always"
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
//! | `fault` | effect |
//! |---|---|
//! | `delay` | the bank acts, its reply is delayed by `milliseconds` |
//! | `slow` | the bank acts, its reply is delayed by five seconds |
//! | `refuse` | for `any` only: connections are reset; with `always` the port is closed |
//! | `drop_before` | the socket is closed, the bank does not act |
//! | `drop_after` | the bank acts, the socket is closed without any byte of a reply |
//! | `status` | the reply is `status`, with `body` if given; the bank acts if `bank_acts` |
//! | `truncated_json` | the bank acts, half of its reply is missing |
//! | `wrong_content_type` | the bank acts, its reply has the content type `text/html` |
//! | `expired_token` | the request's token expires just before the bank checks it |
//! | `other_amount` | the bank acts, its reply contains another amount |
//! | `wrong_checksum` | the bank acts, the Pix code in its reply has a wrong checksum |
//! | `says_failed` | the bank acts, its successful reply has the status `failed` |
//! | `too_many_requests` | the reply is 429 with `Retry-After: 5`, the bank does not act |
//! | `redirect` | the reply is 307 with another path of this service, the bank does not act |
//! | `key_busy` | the bank acts, the reply is 409: the key is still being processed |
//! | `key_reused` | the reply is 422: the key was used with another body; the bank does not act |
//!
//! `POST /_sandbox/faults` accepts such a table as a JSON object.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

use super::{Fault, FaultPlan, FaultRule, INVALID_TIMES, SLOW_DELAY, Scope, Times};
use crate::sandbox::bank::request::BankOperation;

/// The reason why a fault file is invalid, and the line of the mistake.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FaultFileError(String);

/// Parses the text of a fault file.
pub fn read_toml(text: &str) -> Result<Vec<FaultRule>, FaultFileError> {
    let file: FaultFile = toml::from_str(text).map_err(|e| FaultFileError(e.to_string()))?;
    file.fault
        .into_iter()
        .map(|entry| parse_rule(text, entry))
        .collect()
}

fn parse_rule(text: &str, entry: Spanned<FaultEntry>) -> Result<FaultRule, FaultFileError> {
    let start = entry.span().start;
    let line = 1 + text.as_bytes()[..start]
        .iter()
        .filter(|b| **b == b'\n')
        .count();
    entry
        .into_inner()
        .rule()
        .map_err(|problem| FaultFileError(format!("line {line}, in this [[fault]]: {problem}")))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultFile {
    #[serde(default)]
    fault: Vec<Spanned<FaultEntry>>,
}

/// A fault as it is written in a fault file, or in a request that adds a fault.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultEntry {
    fault: FaultKind,
    #[serde(default)]
    operation: Scope,
    #[serde(default)]
    times: Times,
    milliseconds: Option<u64>,
    status: Option<u16>,
    body: Option<String>,
    content_type: Option<String>,
    bank_acts: Option<bool>,
}

#[derive(Clone, Deserialize, PartialEq)]
#[serde(try_from = "String")]
enum FaultKind {
    Delay,
    Status,
    Plain(Fault),
}

impl TryFrom<String> for FaultKind {
    type Error = String;

    fn try_from(name: String) -> Result<FaultKind, String> {
        let plain = SIMPLE_FAULTS
            .into_iter()
            .map(|(name, fault)| (name, FaultKind::Plain(fault)));
        find_named(
            &name,
            plain.chain([("delay", FaultKind::Delay), ("status", FaultKind::Status)]),
        )
    }
}

/// The word that means all API operations in a fault file.
const ANY: &str = "any";

/// The faults without parameters, with their names in fault files.
const SIMPLE_FAULTS: [(&str, Fault); 14] = [
    ("slow", Fault::Delay(SLOW_DELAY)),
    ("refuse", Fault::Refuse),
    ("drop_before", Fault::DropBefore),
    ("drop_after", Fault::DropAfter),
    ("truncated_json", Fault::TruncatedJson),
    ("wrong_content_type", Fault::WrongContentType),
    ("expired_token", Fault::ExpiredToken),
    ("other_amount", Fault::OtherAmount),
    ("wrong_checksum", Fault::WrongChecksum),
    ("says_failed", Fault::SaysFailed),
    ("too_many_requests", Fault::TooManyRequests),
    ("redirect", Fault::Redirect),
    ("key_busy", Fault::KeyBusy),
    ("key_reused", Fault::KeyReused),
];

impl TryFrom<String> for Scope {
    type Error = String;

    fn try_from(name: String) -> Result<Scope, String> {
        let each = BankOperation::ALL.map(|operation| (operation.name(), Scope::Only(operation)));
        find_named(&name, each.into_iter().chain([(ANY, Scope::Any)]))
    }
}

impl TryFrom<Value> for Times {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Times, &'static str> {
        let count = value.as_u64().and_then(|count| u32::try_from(count).ok());
        if value == "always" {
            Ok(Times::Always)
        } else {
            count.map(Times::Next).ok_or(INVALID_TIMES)
        }
    }
}

/// The known value with this name. If the name is unknown, the error lists all known names.
fn find_named<T>(
    name: &str,
    candidates: impl Iterator<Item = (&'static str, T)> + Clone,
) -> Result<T, String> {
    candidates
        .clone()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value)
        .ok_or_else(|| {
            let names: Vec<_> = candidates.map(|(known, _)| format!("`{known}`")).collect();
            format!(
                "unknown name `{name}`, expected one of {}",
                names.join(", ")
            )
        })
}

impl FaultEntry {
    /// Converts the entry to a fault rule. An error describes the mistake in the entry.
    pub fn rule(self) -> Result<FaultRule, String> {
        self.check_unused_fields()?;
        let scope = self.operation;
        let times = self.times;
        let rule = FaultRule {
            fault: self.fault()?,
            scope,
            times,
        };
        FaultPlan::default()
            .arm(rule.clone())
            .map_err(|bad| bad.to_string())?;
        Ok(rule)
    }

    fn fault(self) -> Result<Fault, String> {
        Ok(match self.fault {
            FaultKind::Delay => {
                let wait = self.milliseconds.ok_or("`delay` wants `milliseconds`")?;
                Fault::Delay(Duration::from_millis(wait))
            }
            FaultKind::Status => Fault::Answer {
                status: self
                    .status
                    .ok_or("`status` wants the number, as in `status = 503`")?,
                body: self.body,
                content_type: self.content_type,
                bank_acts: self.bank_acts.unwrap_or(false),
            },
            FaultKind::Plain(fault) => fault,
        })
    }

    /// An error if the entry contains a field that its fault does not use. Such a field would have
    /// no effect.
    fn check_unused_fields(&self) -> Result<(), String> {
        let fields = [
            (
                "milliseconds",
                self.milliseconds.is_some(),
                FaultKind::Delay,
                "delay",
            ),
            ("status", self.status.is_some(), FaultKind::Status, "status"),
            ("body", self.body.is_some(), FaultKind::Status, "status"),
            (
                "content_type",
                self.content_type.is_some(),
                FaultKind::Status,
                "status",
            ),
            (
                "bank_acts",
                self.bank_acts.is_some(),
                FaultKind::Status,
                "status",
            ),
        ];
        match fields
            .iter()
            .find(|(_, is_given, kind, _)| *is_given && self.fault != *kind)
        {
            Some((name, .., fault)) => Err(format!("`{name}` belongs to the fault `{fault}`")),
            None => Ok(()),
        }
    }
}

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
                let entry = SIMPLE_FAULTS.iter().find(|(_, known)| known == plain);
                f.write_str(entry.map_or("", |(name, _)| name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_is_read_in_order() {
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
    fn simple_faults_are_read_by_name() {
        for (name, fault) in SIMPLE_FAULTS {
            let rule = read_toml(&format!("[[fault]]\nfault = '{name}'"))
                .unwrap()
                .remove(0);
            assert_eq!(
                (rule.fault, rule.scope, rule.times),
                (fault, Scope::Any, Times::Next(1))
            );
        }
    }

    #[test]
    fn errors_name_the_line_and_the_valid_names() {
        let error_text = |text: &str| read_toml(text).unwrap_err().to_string();
        let fault = error_text("[[fault]]\nfault = \"drop\"\n");
        assert!(
            fault.contains("line 2") && fault.contains("`drop_after`"),
            "{fault}"
        );
        let operation = error_text("[[fault]]\nfault = \"slow\"\noperation = \"logn\"\n");
        assert!(
            operation.contains("line 3") && operation.contains("`login`"),
            "{operation}"
        );
        let field = error_text("[[fault]]\nfault = \"slow\"\ntime = 3\n");
        assert!(
            field.contains("line 3") && field.contains("`times`"),
            "{field}"
        );
        let times = error_text("[[fault]]\nfault = \"slow\"\ntimes = \"often\"\n");
        assert!(
            times.contains("line 3") && times.contains("always"),
            "{times}"
        );
        let missing = error_text("\n\n[[fault]]\nfault = \"status\"\n");
        assert!(
            missing.contains("line 3") && missing.contains("status = 503"),
            "{missing}"
        );
        let stray = error_text("[[fault]]\nfault = \"slow\"\nstatus = 500\n");
        assert!(
            stray.contains("line 1") && stray.contains("`status`"),
            "{stray}"
        );
        let zero = error_text("[[fault]]\nfault = \"slow\"\ntimes = 0\n");
        assert!(zero.contains("from 1 on"), "{zero}");
        let refuse = error_text("[[fault]]\nfault = \"refuse\"\noperation = \"login\"\n");
        assert!(refuse.contains("any"), "{refuse}");
    }
}
