//! The guide to a recording: its requests in order, and the recorded request that answers a new
//! one.

use super::recording::{Entry, Recording, Request};
use crate::contract::Contract;
use crate::trade::{Money, Operation, Wall};

/// A recorded request, with the facts that a person needs to repeat it.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The position in the recording, counted from 1.
    pub number: usize,
    /// The time of the request, if the recording has one.
    pub at: Option<Wall>,
    /// The request.
    pub request: RequestSummary,
    /// The status of the reply; `None` if no reply was recorded.
    pub status: Option<u16>,
    /// True if the reply is missing, cut short or unreadable, or if its status means a failure.
    pub has_failed: bool,
    /// True for a withdrawal that an earlier step has already sent.
    pub is_resend: bool,
}

/// The facts by which a person recognizes a request. Texts in it come from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestSummary {
    /// The operation of the API; `None` if the contract has no operation with this method and path.
    pub operation: Option<Operation>,
    /// The HTTP method.
    pub method: String,
    /// The path of the URL.
    pub path: String,
    /// The requested amount of money, if the request has one.
    pub amount: Option<Money>,
}

/// A new request, and the way in which the replay answered it.
#[derive(Debug, Clone, PartialEq)]
pub struct AnsweredRequest {
    /// The request.
    pub request: RequestSummary,
    /// The answer.
    pub answer: Answer,
}

/// The way in which the replay answered a new request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Answer {
    /// With the reply to the recorded request that has this number.
    Recorded(usize),
    /// The login was accepted, because none was recorded that could answer it.
    AcceptedLogin,
    /// With a refusal, because no recorded request matches. Contains the most similar recorded
    /// request, if any has the same method and path.
    Refused(Option<Nearest>),
}

/// The recorded request that is most similar to a new request without a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// The position in the recording, counted from 1.
    pub number: usize,
    /// The difference between the two requests.
    pub difference: Difference,
}

/// The difference between a new request and a similar recorded one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Difference {
    /// The recorded request has this amount.
    Amount(Money),
    /// The reply to the recorded request was already played, and it is played only once.
    Played,
    /// Other values, or the names of values, differ.
    Content,
}

impl Recording {
    /// All recorded requests, in order.
    pub fn steps(&self) -> Vec<Step> {
        let steps = self.entries.iter().enumerate().map(|(index, entry)| Step {
            number: index + 1,
            at: entry.at,
            request: entry.request.summary(entry.operation, &self.contract),
            status: entry.reply.as_ref().ok().map(|reply| reply.status),
            has_failed: entry.has_failed(&self.contract),
            is_resend: entry.operation == Some(Operation::Withdrawal)
                && entry.request.key.is_some()
                && self.entries[..index]
                    .iter()
                    .any(|other| other.request.key == entry.request.key),
        });
        steps.collect()
    }
}

impl Entry {
    /// True if the reply is missing, cut short or unreadable, or if its status means a failure.
    pub(super) fn has_failed(&self, contract: &Contract) -> bool {
        let Ok(reply) = &self.reply else { return true };
        let is_success = match self.operation {
            Some(operation) => contract.call_of(operation).success.contains(&reply.status),
            None => reply.status < 400,
        };
        self.has_error || !is_success
    }
}

impl Request {
    pub(super) fn summary(
        &self,
        operation: Option<Operation>,
        contract: &Contract,
    ) -> RequestSummary {
        let url = format!("http://localhost{}?{}", self.path, self.query);
        RequestSummary {
            operation,
            method: self.method.clone(),
            path: self.path.clone(),
            amount: operation
                .and_then(|operation| contract.requested_amount(operation, &url, Some(&self.body))),
        }
    }
}
