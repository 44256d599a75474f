//! The events of a withdrawal, and their JSON format.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::chain::{self, Written};
use crate::trade::withdrawal::{
    Alarm, Approval, Approvals, Attempt, AttemptEnd, Class, Decision, Unclear,
};
use crate::trade::{Agreement, Clocks, IdempotencyKey, PixKey, Untrusted, Withdrawal};

/// A change to a withdrawal, as it is stored in the journal. Stored events are never modified.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event {
    /// The seller confirmed the withdrawal. Nothing was sent yet.
    Prepared(Box<Prepared>),
    /// An attempt to send the withdrawal is about to begin. If the seller had to type the amount
    /// again, `beside` contains the conflicting withdrawals that the seller accepted.
    AttemptBegan {
        n: u32,
        began: Clocks,
        beside: Vec<IdempotencyKey>,
    },
    /// An attempt ended with this outcome.
    Settled(Box<AttemptSettled>),
    /// The seller checked whether the withdrawal was paid, and recorded the answer.
    SellerAnswered(Decision),
    /// The seller discarded the withdrawal. The service had not accepted it.
    Discarded,
    /// A second person approved the withdrawal. Only a team's journal has this event.
    Approved(Approved),
    /// The person took approval number `n` back, before the withdrawal was sent.
    ApprovalTakenBack { n: u32 },
    /// The personal data of a decided withdrawal was erased. Only a team's journal has this event,
    /// because every mirror must erase the data too.
    Purged,
}

/// The kind of [`Event::Purged`].
pub(super) const PURGED: &str = "purged";

/// The kind of an event that starts an attempt.
pub(super) const ATTEMPT_BEGAN: &str = "attempt_began";

/// The number of an approval within its withdrawal, and what was approved: the checksum of the
/// event that prepared the withdrawal. That event covers all confirmed terms, so they need not be
/// repeated.
///
/// The database of a team compares the JSON text of this value, so it must not change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Approved {
    pub n: u32,
    /// The checksum in hexadecimal digits.
    pub terms: String,
}

/// The terms that the seller confirmed, and the conflicting withdrawals that were shown at that
/// time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Prepared {
    pub agreement: Agreement,
    /// The conflicting withdrawals that the seller accepted by typing the amount again.
    pub beside: Vec<IdempotencyKey>,
}

/// The outcome of attempt number `n`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct AttemptSettled {
    pub n: u32,
    pub end: AttemptEnd,
}

#[derive(Serialize, Deserialize)]
struct TakenBack {
    n: u32,
}

#[derive(Serialize, Deserialize)]
struct Began {
    n: u32,
    began: Clocks,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    beside: Vec<IdempotencyKey>,
}

/// The personal data of a prepared withdrawal. It is stored separately so that it can be deleted
/// later.
#[derive(Serialize, Deserialize)]
struct PersonalAgreement {
    /// A random value that is hashed with the personal data. Without it, anyone could find a
    /// deleted CPF by hashing all possible CPFs and comparing the checksums.
    salt: Uuid,
    body: String,
    destination: Option<PixKey>,
}

/// The personal data in the outcome of an attempt. It is stored separately so that it can be
/// deleted later. For example, a message from the service may contain names.
#[derive(Serialize, Deserialize)]
struct PersonalEnd {
    salt: Uuid,
    message: Option<Untrusted>,
    hint: Option<Untrusted>,
    alarm: Option<Alarm>,
    /// The word with which the service reported a failure, although the HTTP status was a success.
    said: Option<Untrusted>,
}

/// An event in the form of a database row.
pub(super) struct EncodedEvent {
    pub kind: &'static str,
    pub plain: String,
    pub personal: Option<String>,
}

impl Event {
    /// Encodes the event as a database row. Personal data is separate from the data that is never
    /// deleted.
    pub fn encode(&self) -> serde_json::Result<EncodedEvent> {
        let salt = Uuid::new_v4();
        let (kind, plain, personal) = match self {
            Event::Prepared(prepared) => {
                let mut plain = prepared.clone();
                let body = plain.agreement.body.to_string();
                plain.agreement.body = "".into();
                let destination = plain.agreement.destination.take();
                let personal = PersonalAgreement {
                    salt,
                    body,
                    destination,
                };
                let personal = serde_json::to_string(&personal)?;
                ("prepared", serde_json::to_string(&plain)?, Some(personal))
            }
            Event::AttemptBegan { n, began, beside } => {
                let began = Began {
                    n: *n,
                    began: began.clone(),
                    beside: beside.clone(),
                };
                (ATTEMPT_BEGAN, serde_json::to_string(&began)?, None)
            }
            Event::Settled(settled) => {
                let mut plain = settled.clone();
                let personal = PersonalEnd::take(&mut plain.end, salt);
                let personal = serde_json::to_string(&personal)?;
                ("settled", serde_json::to_string(&plain)?, Some(personal))
            }
            Event::SellerAnswered(decision) => {
                ("person_said", serde_json::to_string(decision)?, None)
            }
            Event::Discarded => ("discarded", "null".to_owned(), None),
            Event::Approved(approved) => ("approved", serde_json::to_string(approved)?, None),
            Event::ApprovalTakenBack { n } => {
                let plain = serde_json::to_string(&TakenBack { n: *n })?;
                ("approval_taken_back", plain, None)
            }
            Event::Purged => (PURGED, "null".to_owned(), None),
        };
        Ok(EncodedEvent {
            kind,
            plain,
            personal,
        })
    }

    /// Decodes an event from a database row. If the personal data was deleted, empty values replace
    /// it.
    pub fn decode(kind: &str, plain: &str, personal: Option<&str>) -> Result<Event, String> {
        let to_text = |error: serde_json::Error| format!("a {kind} event: {error}");
        Ok(match kind {
            "prepared" => {
                let mut prepared: Box<Prepared> = serde_json::from_str(plain).map_err(to_text)?;
                if let Some(personal) = personal {
                    let personal: PersonalAgreement =
                        serde_json::from_str(personal).map_err(to_text)?;
                    prepared.agreement.body = personal.body.into();
                    prepared.agreement.destination = personal.destination;
                }
                Event::Prepared(prepared)
            }
            ATTEMPT_BEGAN => {
                let Began { n, began, beside } = serde_json::from_str(plain).map_err(to_text)?;
                Event::AttemptBegan { n, began, beside }
            }
            "settled" => {
                let mut settled: Box<AttemptSettled> =
                    serde_json::from_str(plain).map_err(to_text)?;
                if let Some(personal) = personal {
                    let personal: PersonalEnd = serde_json::from_str(personal).map_err(to_text)?;
                    personal.put_back(&mut settled.end);
                }
                Event::Settled(settled)
            }
            "person_said" => Event::SellerAnswered(serde_json::from_str(plain).map_err(to_text)?),
            "discarded" => Event::Discarded,
            "approved" => Event::Approved(serde_json::from_str(plain).map_err(to_text)?),
            "approval_taken_back" => {
                let TakenBack { n } = serde_json::from_str(plain).map_err(to_text)?;
                Event::ApprovalTakenBack { n }
            }
            PURGED => Event::Purged,
            _ => return Err(format!("an event of an unknown kind, {kind:?}")),
        })
    }

    /// Applies the event to a withdrawal, and returns the changed withdrawal. If the event cannot
    /// follow the earlier events, returns a description of the damage.
    pub fn apply_to(
        self,
        current: Option<Withdrawal>,
        written: Written,
    ) -> Result<Withdrawal, String> {
        let mut withdrawal = match (self, current) {
            (Event::Prepared(prepared), None) => {
                return Ok(Withdrawal {
                    agreement: prepared.agreement,
                    attempts: Vec::new(),
                    decision: None,
                    approvals: Box::new(no_approvals(&written)),
                    prepared_by: written.by,
                    decided_by: None,
                });
            }
            (Event::Prepared(_), Some(_)) => return Err("prepared twice".into()),
            (_, None) => return Err("an event of a withdrawal that was never prepared".into()),
            (event, Some(mut withdrawal)) => {
                event.apply(&mut withdrawal, written)?;
                withdrawal
            }
        };
        withdrawal.attempts.shrink_to_fit();
        Ok(withdrawal)
    }

    fn apply(self, withdrawal: &mut Withdrawal, written: Written) -> Result<(), String> {
        match self {
            Event::AttemptBegan { n, began, .. } => {
                if n as usize != withdrawal.attempts.len() + 1 {
                    return Err(format!("attempt {n} began out of turn"));
                }
                withdrawal.attempts.push(Attempt {
                    n,
                    began,
                    end: None,
                    by: written.by,
                });
            }
            Event::Settled(settled) => {
                // The end may arrive after a later attempt began: another machine reads it late.
                let mut attempts = withdrawal.attempts.iter_mut();
                let without_end =
                    attempts.find(|attempt| attempt.n == settled.n && attempt.end.is_none());
                match without_end {
                    Some(attempt) => attempt.end = Some(settled.end),
                    None => return Err(format!("attempt {} ended out of turn", settled.n)),
                }
            }
            Event::SellerAnswered(decision) if withdrawal.decision.is_none() => {
                withdrawal.decision = Some((decision, written.at));
                withdrawal.decided_by = written.by;
            }
            Event::Discarded if withdrawal.decision.is_none() => {
                withdrawal.decision = Some((Decision::Discarded, written.at));
                withdrawal.decided_by = written.by;
            }
            Event::Approved(approved) => approve(&mut withdrawal.approvals, approved, written)?,
            Event::ApprovalTakenBack { n } => {
                let mut given = withdrawal.approvals.given.iter_mut();
                match given.find(|approval| approval.n == n) {
                    Some(approval) => approval.is_taken_back = true,
                    None => return Err(format!("approval {n} was never given")),
                }
            }
            Event::Purged => erase_personal_data(withdrawal),
            _ => return Err("decided twice".into()),
        }
        Ok(())
    }
}

/// The approvals of a withdrawal that was just prepared. Empty if the event names nobody.
fn no_approvals(prepared: &Written) -> Approvals {
    let role = prepared.by.as_ref().map(|by| by.role.clone());
    let mut preparers: Vec<_> = role.into_iter().chain(prepared.role.clone()).collect();
    preparers.dedup();
    if preparers.is_empty() {
        return Approvals::default();
    }
    Approvals {
        preparers,
        terms: prepared.sum,
        given: Vec::new(),
    }
}

/// Adds an approval. An approval that does not count stays visible.
fn approve(
    approvals: &mut Approvals,
    Approved { n, terms }: Approved,
    Written { at, by, role, .. }: Written,
) -> Result<(), String> {
    if n as usize != approvals.given.len() + 1 {
        return Err(format!("approval {n} was given out of turn"));
    }
    // An event that another operator put back proves nothing about who approved.
    let is_proven = by.as_ref().map(|by| &by.role) == role.as_ref();
    let is_by_other = role.is_some_and(|role| approvals.may_be_given_by(&role));
    let is_of_terms = terms == chain::sum_text(&approvals.terms);
    approvals.given.push(Approval {
        n,
        by,
        at,
        counts: is_proven && is_by_other && is_of_terms,
        is_taken_back: false,
    });
    Ok(())
}

/// Erases the data that is stored separately for this purpose.
fn erase_personal_data(withdrawal: &mut Withdrawal) {
    withdrawal.agreement.body = "".into();
    withdrawal.agreement.destination = None;
    let ends = withdrawal.attempts.iter_mut();
    for end in ends.filter_map(|attempt| attempt.end.as_mut()) {
        PersonalEnd::take(end, Uuid::nil());
    }
}

impl PersonalEnd {
    /// Moves the personal data out of an outcome and returns it. The outcome keeps its class, such
    /// as a refusal.
    fn take(end: &mut AttemptEnd, salt: Uuid) -> PersonalEnd {
        let message = end.message.take();
        let hint = end.hint.take();
        let alarm = destination_alarm(&mut end.class).map(|alarm| {
            let blank = Alarm::Destination {
                sent: String::new(),
                got: Untrusted::default(),
            };
            std::mem::replace(alarm, blank)
        });
        let word = contradicting_word(&mut end.class).map(std::mem::take);
        PersonalEnd {
            salt,
            message,
            hint,
            alarm,
            said: word,
        }
    }

    fn put_back(self, end: &mut AttemptEnd) {
        end.message = self.message;
        end.hint = self.hint;
        if let (Some(alarm), Some(blank)) = (self.alarm, destination_alarm(&mut end.class)) {
            *blank = alarm;
        }
        if let (Some(word), Some(blank)) = (self.said, contradicting_word(&mut end.class)) {
            *blank = word;
        }
    }
}

/// The word in the body that contradicts the HTTP status of the reply.
fn contradicting_word(class: &mut Class) -> Option<&mut Untrusted> {
    match class {
        Class::SaysFailed(contradiction) => Some(&mut contradiction.word),
        _ => None,
    }
}

/// The alarm about a wrong destination, if there is one. Such an alarm contains Pix keys.
fn destination_alarm(class: &mut Class) -> Option<&mut Alarm> {
    match class {
        Class::Alarm(alarm) | Class::Unclear(Unclear::EchoDiffers(alarm)) => {
            matches!(alarm, Alarm::Destination { .. }).then_some(alarm)
        }
        _ => None,
    }
}
