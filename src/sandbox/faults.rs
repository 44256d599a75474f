//! Faults: failures that the sandbox injects on purpose. Each fault applies to certain API
//! operations and to a number of requests.

mod file;

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::watch;

use super::bank::amount::Amount;
use super::bank::pix_code;
use super::bank::request::{BankOperation, BankReply};
use super::http::JSON;
pub use file::{FaultEntry, FaultFileError, read_toml};

/// A failure that the sandbox injects between the simulated bank and the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The reply is delayed after the bank has processed the request.
    Delay(Duration),
    /// New connections are refused (see [`FaultPlan::arm`]).
    Refuse,
    /// The connection is closed after the request was read. The bank does not process the request.
    DropBefore,
    /// The connection is closed after the bank has processed the request. No byte of the reply is
    /// sent.
    DropAfter,
    /// The client gets this reply instead of the bank's reply.
    Answer {
        /// The HTTP status, from 200 to 599.
        status: u16,
        /// The body of the reply. The default is a small JSON object with a message.
        body: Option<String>,
        /// The content type of the reply. The default is JSON.
        content_type: Option<String>,
        /// True if the bank processes the request although it does not send its own reply.
        bank_acts: bool,
    },
    /// The bank processes the request, but only the first half of its reply is sent.
    TruncatedJson,
    /// The bank processes the request, but its reply has the content type of a web page.
    WrongContentType,
    /// The token in the request expires just before the bank checks it.
    ExpiredToken,
    /// The bank processes the request, but the amount in its reply is one real too high. In a fee
    /// preview, the net amount is one real too high instead, so that the figures do not add up. In
    /// a direct payment, the Pix code contains the wrong amount too.
    OtherAmount,
    /// The bank processes the request, but the Pix code in its reply has a wrong checksum.
    WrongChecksum,
    /// The bank processes the request, but its successful reply has the status word `failed`.
    SaysFailed,
    /// The reply is 429 with a `Retry-After` header of five seconds. The bank does not process the
    /// request.
    TooManyRequests,
    /// The reply is 307 with another path of this service. The bank does not process the request.
    Redirect,
    /// The bank processes the request but replies 409, as if the service were still working on a
    /// request with this idempotency key.
    KeyBusy,
    /// The reply is 422, as if this idempotency key had been used with another body. The bank does
    /// not process the request.
    KeyReused,
}

/// The delay of a slow reply. It is long enough to be noticed in a demo.
pub const SLOW_DELAY: Duration = Duration::from_secs(5);

impl Fault {
    /// A fault that replies with this error status. The bank does not process the request.
    pub fn status(status: u16) -> Fault {
        Fault::Answer {
            status,
            body: None,
            content_type: None,
            bank_acts: false,
        }
    }

    /// A fault that delays the reply by [`SLOW_DELAY`].
    pub fn slow() -> Fault {
        Fault::Delay(SLOW_DELAY)
    }

    /// True if the bank processes a request to which this fault applies.
    pub fn bank_acts(&self) -> bool {
        match self {
            Fault::DropBefore | Fault::Refuse => false,
            Fault::TooManyRequests | Fault::Redirect | Fault::KeyReused => false,
            Fault::Answer { bank_acts, .. } => *bank_acts,
            _ => true,
        }
    }

    /// True if this fault closes the connection without a reply.
    pub fn closes_connection(&self) -> bool {
        matches!(self, Fault::DropBefore | Fault::DropAfter | Fault::Refuse)
    }

    pub fn delay(&self) -> Duration {
        if let Fault::Delay(time) = self {
            *time
        } else {
            Duration::ZERO
        }
    }

    /// The status, the message and the additional header of the reply. Returns `None` if this fault
    /// does not always send the same reply.
    fn fixed_response(&self) -> Option<(u16, &'static str, Option<Header>)> {
        Some(match self {
            Fault::TooManyRequests => (
                429,
                "Muitas requisições. Espere um pouco.",
                Some(("retry-after", "5")),
            ),
            Fault::Redirect => (
                307,
                "Endereço mudado.",
                Some(("location", "/api/v2/integrations/withdrawals")),
            ),
            Fault::KeyBusy => (
                409,
                "Já há um saque em andamento com esta Idempotency-Key.",
                None,
            ),
            Fault::KeyReused => (422, "Idempotency-Key já usada com outro corpo.", None),
            _ => return None,
        })
    }

    /// Applies this fault to the bank's reply. Returns the HTTP response to send.
    pub fn apply_to_reply(&self, operation: BankOperation, reply: BankReply) -> ApiResponse {
        let mut response = ApiResponse {
            reply,
            content_type: JSON.to_owned(),
            header: None,
        };
        if let Some((status, message, header)) = self.fixed_response() {
            return ApiResponse {
                reply: BankReply::refusal(status, message),
                header,
                ..response
            };
        }
        let body = &mut response.reply.body;
        match self {
            Fault::Answer {
                status,
                body,
                content_type,
                ..
            } => {
                let message = format!("Falha de teste {status}.");
                response.reply = BankReply::refusal(*status, &message);
                response.reply.body = body.clone().unwrap_or(response.reply.body);
                response.content_type = content_type.clone().unwrap_or(response.content_type);
            }
            Fault::TruncatedJson => body.truncate(body.floor_char_boundary(body.len() / 2)),
            Fault::WrongContentType => response.content_type = "text/html".to_owned(),
            Fault::OtherAmount => edit_json(body, |json| raise_amount(operation, json)),
            Fault::WrongChecksum => {
                edit_json(body, |json| {
                    replace_pix_code(json, pix_code::with_wrong_checksum)
                });
            }
            Fault::SaysFailed => edit_json(body, |json| {
                json.as_object_mut()?
                    .insert("status".to_owned(), "failed".into())
            }),
            _ => {}
        }
        response
    }
}

pub type Header = (&'static str, &'static str);

/// The HTTP response to an API request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiResponse {
    /// The status and body of the response.
    pub reply: BankReply,
    pub content_type: String,
    /// An additional header, if any.
    pub header: Option<Header>,
}

/// Edits a JSON body. A body that is not JSON stays unchanged.
fn edit_json<T>(body: &mut String, edit: impl FnOnce(&mut Value) -> Option<T>) {
    if let Ok(mut json) = serde_json::from_str(body) {
        edit(&mut json);
        *body = json.to_string();
    }
}

fn raise_amount(operation: BankOperation, json: &mut Value) -> Option<()> {
    let name = if operation == BankOperation::FeePreview {
        "netAmount"
    } else {
        "amount"
    };
    let number = json.get_mut(name)?;
    let higher = Amount::parse(&number.to_string())
        .ok()?
        .plus(Amount::from_centavos(100));
    *number = serde_json::json!(higher);
    replace_pix_code(json, |code| pix_code::with_amount(code, higher))
}

/// Replaces the Pix code in a reply, if there is a Pix code.
fn replace_pix_code(json: &mut Value, replace: impl Fn(&str) -> Option<String>) -> Option<()> {
    let code = json.get_mut("qrCode")?;
    *code = replace(code.as_str()?)?.into();
    Some(())
}

/// The API operations to which a fault applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Scope {
    /// All operations.
    #[default]
    Any,
    /// Only this operation.
    Only(BankOperation),
}

impl Scope {
    fn covers(self, operation: BankOperation) -> bool {
        self == Scope::Any || self == Scope::Only(operation)
    }
}

impl From<BankOperation> for Scope {
    fn from(operation: BankOperation) -> Scope {
        Scope::Only(operation)
    }
}

/// The number of requests to which a fault applies. The default is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub enum Times {
    /// The fault applies to this number of requests and then ends.
    Next(u32),
    /// The fault applies to every request until it is removed.
    Always,
}

impl Default for Times {
    fn default() -> Times {
        Times::Next(1)
    }
}

const INVALID_TIMES: &str = "`times` is a number from 1 on, or \"always\"";

/// A fault, with the API operations and the number of requests to which it applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultRule {
    pub fault: Fault,
    pub scope: Scope,
    pub times: Times,
}

/// The active faults, oldest first. At most one fault applies to each request.
///
/// Receivers from [`FaultPlan::watch`] are notified when a fault is added, used or removed.
#[derive(Debug, Default)]
pub struct FaultPlan(watch::Sender<Vec<FaultRule>>);

impl FaultPlan {
    /// Activates a fault. If several faults are active, the one that was activated first is used
    /// first.
    ///
    /// [`Fault::Refuse`] requires [`Scope::Any`], because the operation is not known yet when a
    /// connection is refused. With [`Times::Always`], it closes the port, as if no program listened
    /// on it. With [`Times::Next`], it accepts the given number of connections, and resets each of
    /// them before reading a byte.
    pub fn arm(&mut self, rule: FaultRule) -> Result<(), BadRule> {
        if rule.fault == Fault::Refuse && rule.scope != Scope::Any {
            return Err(BadRule(
                "`refuse` has no operation: it wants operation `any`",
            ));
        }
        if let Fault::Answer { status, .. } = rule.fault
            && !(200..=599).contains(&status)
        {
            return Err(BadRule("a `status` is a number from 200 to 599"));
        }
        if rule.times == Times::Next(0) {
            return Err(BadRule(INVALID_TIMES));
        }
        self.0.send_modify(|armed| armed.push(rule));
        Ok(())
    }

    /// Removes one active fault that equals this rule, if there is one.
    pub fn disarm(&mut self, rule: &FaultRule) {
        self.0.send_if_modified(|armed| {
            let at = armed.iter().rposition(|known| known == rule);
            at.map(|at| armed.remove(at)).is_some()
        });
    }

    pub fn disarm_all(&mut self) {
        self.0.send_modify(Vec::clear);
    }

    /// The faults that are active now.
    pub fn armed(&self) -> Vec<FaultRule> {
        self.0.borrow().clone()
    }

    /// A receiver that is notified when the list of active faults changes.
    pub fn watch(&self) -> watch::Receiver<Vec<FaultRule>> {
        self.0.subscribe()
    }

    /// Returns the active fault for this request, and counts it as used. While the port is closed,
    /// a request on a connection that is still open gets [`Fault::Refuse`].
    pub fn take_fault(&mut self, operation: BankOperation) -> Option<Fault> {
        if self.closes_the_port() {
            return Some(Fault::Refuse);
        }
        self.use_fault(|rule| rule.fault != Fault::Refuse && rule.scope.covers(operation))
    }

    /// True if an active fault refuses the new connection. Counts that fault as used.
    pub fn take_refusal(&mut self) -> bool {
        self.use_fault(|rule| rule.fault == Fault::Refuse).is_some()
    }

    /// True if an active fault requires a closed port.
    pub fn closes_the_port(&self) -> bool {
        self.0
            .borrow()
            .iter()
            .any(|rule| rule.fault == Fault::Refuse && rule.times == Times::Always)
    }

    fn use_fault(&mut self, matches: impl Fn(&FaultRule) -> bool) -> Option<Fault> {
        let mut used_fault = None;
        self.0.send_if_modified(|armed| {
            let Some(at) = armed.iter().position(matches) else {
                return false;
            };
            used_fault = Some(armed[at].fault.clone());
            match &mut armed[at].times {
                Times::Always => return false,
                Times::Next(remaining) if *remaining > 1 => *remaining -= 1,
                Times::Next(_) => drop(armed.remove(at)),
            }
            true
        });
        used_fault
    }
}

/// The reason why a fault rule is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadRule(&'static str);

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(fault: Fault, scope: impl Into<Scope>, times: Times) -> FaultRule {
        FaultRule {
            fault,
            scope: scope.into(),
            times,
        }
    }

    fn reply(body: &str) -> BankReply {
        BankReply {
            status: 201,
            body: body.to_owned(),
        }
    }

    #[test]
    fn faults_apply_in_order_and_are_used_up() {
        let mut plan = FaultPlan::default();
        plan.arm(rule(
            Fault::DropAfter,
            BankOperation::Withdrawal,
            Times::Next(2),
        ))
        .unwrap();
        plan.arm(rule(Fault::status(500), Scope::Any, Times::Next(1)))
            .unwrap();
        plan.arm(rule(Fault::DropBefore, BankOperation::Login, Times::Always))
            .unwrap();
        assert_eq!(
            plan.take_fault(BankOperation::Domains),
            Some(Fault::status(500))
        );
        assert_eq!(
            plan.take_fault(BankOperation::Withdrawal),
            Some(Fault::DropAfter)
        );
        assert_eq!(
            plan.take_fault(BankOperation::Withdrawal),
            Some(Fault::DropAfter)
        );
        assert_eq!(plan.take_fault(BankOperation::Withdrawal), None);
        assert_eq!(
            plan.take_fault(BankOperation::Login),
            Some(Fault::DropBefore)
        );
        assert_eq!(
            plan.take_fault(BankOperation::Login),
            Some(Fault::DropBefore)
        );
        plan.disarm_all();
        assert_eq!(plan.take_fault(BankOperation::Login), None);
    }

    #[test]
    fn refused_connections_use_no_request_fault() {
        let mut plan = FaultPlan::default();
        plan.arm(rule(Fault::Refuse, Scope::Any, Times::Next(1)))
            .unwrap();
        assert_eq!(plan.take_fault(BankOperation::Login), None);
        assert!(plan.take_refusal() && !plan.take_refusal());
        plan.arm(rule(Fault::Refuse, Scope::Any, Times::Always))
            .unwrap();
        assert!(plan.closes_the_port());
    }

    #[test]
    fn invalid_rules_are_refused() {
        let mut plan = FaultPlan::default();
        assert!(
            plan.arm(rule(Fault::Refuse, BankOperation::Login, Times::Always))
                .is_err()
        );
        assert!(
            plan.arm(rule(Fault::status(199), Scope::Any, Times::Always))
                .is_err()
        );
        assert!(
            plan.arm(rule(Fault::status(600), Scope::Any, Times::Always))
                .is_err()
        );
        assert!(
            plan.arm(rule(Fault::DropAfter, Scope::Any, Times::Next(0)))
                .is_err()
        );
        assert!(plan.armed().is_empty());
    }

    #[test]
    fn each_fault_changes_the_reply() {
        let apply_fault =
            |fault: Fault, operation, body| fault.apply_to_reply(operation, reply(body));
        let truncated = apply_fault(Fault::TruncatedJson, BankOperation::Login, r#"{"é":1}"#);
        assert!(serde_json::from_str::<Value>(&truncated.reply.body).is_err());
        let other = apply_fault(
            Fault::OtherAmount,
            BankOperation::Withdrawal,
            r#"{"amount":10.10,"fee":1}"#,
        );
        assert_eq!(other.reply.body, r#"{"amount":11.10,"fee":1}"#);
        let body = r#"{"amount":10.10,"netAmount":9.00}"#;
        let preview = apply_fault(Fault::OtherAmount, BankOperation::FeePreview, body);
        assert_eq!(preview.reply.body, r#"{"amount":10.10,"netAmount":10.00}"#);
        let list = apply_fault(Fault::OtherAmount, BankOperation::Domains, "[]");
        assert_eq!(list.reply.body, "[]");
        let page = apply_fault(Fault::WrongContentType, BankOperation::Login, "{}");
        assert_eq!(
            (page.content_type.as_str(), page.reply.body.as_str()),
            ("text/html", "{}")
        );
        let failed = apply_fault(Fault::status(503), BankOperation::Login, "{}");
        assert_eq!(failed.reply.status, 503);
    }

    #[test]
    fn pix_code_faults_change_amount_or_checksum() {
        let code =
            |centavos| pix_code::build_pix_code("id-1", Amount::from_centavos(centavos), "Ana");
        let body = |amount: &str, code: &str| {
            format!(r#"{{"amount":{amount},"status":"pending","qrCode":"{code}"}}"#)
        };
        let apply_fault = |fault: Fault| {
            let reply = reply(&body("49.90", &code(4_990)));
            fault
                .apply_to_reply(BankOperation::DirectPayment, reply)
                .reply
                .body
        };
        assert_eq!(apply_fault(Fault::OtherAmount), body("50.90", &code(5_090)));
        let valid = code(4_990);
        let (before, check) = valid.split_at(valid.len() - 4);
        let reply_body: Value = serde_json::from_str(&apply_fault(Fault::WrongChecksum)).unwrap();
        let changed = reply_body["qrCode"].as_str().unwrap();
        assert!(changed.starts_with(before) && changed.len() == valid.len());
        assert_ne!(&changed[before.len()..], check);
        let without_code =
            Fault::WrongChecksum.apply_to_reply(BankOperation::DirectPayment, reply("{}"));
        assert_eq!(without_code.reply.body, "{}");
    }

    #[test]
    fn plan_watcher_receives_each_change() {
        let mut plan = FaultPlan::default();
        let mut watcher = plan.watch();
        plan.arm(rule(
            Fault::DropAfter,
            BankOperation::Withdrawal,
            Times::Next(2),
        ))
        .unwrap();
        assert!(watcher.has_changed().unwrap());
        assert_eq!(watcher.borrow_and_update()[0].times, Times::Next(2));
        plan.take_fault(BankOperation::Login);
        assert!(!watcher.has_changed().unwrap(), "nothing was met");
        plan.take_fault(BankOperation::Withdrawal);
        assert_eq!(watcher.borrow_and_update()[0].times, Times::Next(1));
        plan.take_fault(BankOperation::Withdrawal);
        assert!(watcher.has_changed().unwrap() && watcher.borrow_and_update().is_empty());
        plan.arm(rule(Fault::Refuse, Scope::Any, Times::Always))
            .unwrap();
        plan.disarm(&rule(Fault::slow(), Scope::Any, Times::Always));
        assert_eq!(
            watcher.borrow_and_update().len(),
            1,
            "there was no such fault"
        );
        plan.disarm(&rule(Fault::Refuse, Scope::Any, Times::Always));
        assert!(watcher.has_changed().unwrap() && watcher.borrow_and_update().is_empty());
        plan.arm(rule(Fault::Refuse, Scope::Any, Times::Always))
            .unwrap();
        plan.disarm_all();
        assert!(watcher.has_changed().unwrap() && watcher.borrow().is_empty());
    }

    #[test]
    fn fault_is_described_with_its_file_name() {
        let describe = |fault, scope, times| rule(fault, scope, times).to_string();
        let dropped = describe(
            Fault::DropAfter,
            Scope::from(BankOperation::Withdrawal),
            Times::Next(1),
        );
        assert_eq!(dropped, "withdrawal: drop_after, once");
        assert_eq!(
            describe(Fault::slow(), Scope::Any, Times::Next(3)),
            "any: delay of 5000 ms, 3 times"
        );
        assert_eq!(
            describe(Fault::status(503), Scope::Any, Times::Always),
            "any: status 503, always"
        );
    }
}
