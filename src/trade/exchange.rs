//! One HTTP exchange as it may be looked at: masked on its way in, never holding a secret.

use std::sync::Arc;
use std::time::Duration;

use super::{Failure, Untrusted, Wall};

/// The operations of the documented interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// API login.
    Login,
    /// List available checkout domains.
    Domains,
    /// Create payment link.
    CreateLink,
    /// Direct payment.
    DirectPayment,
    /// Withdrawal fee preview.
    FeePreview,
    /// Request a PIX withdrawal.
    Withdrawal,
}

impl Operation {
    /// All of them.
    pub const ALL: [Operation; 6] = [
        Operation::Login,
        Operation::Domains,
        Operation::CreateLink,
        Operation::DirectPayment,
        Operation::FeePreview,
        Operation::Withdrawal,
    ];

    /// Returns true when it makes something at the service, or moves money.
    pub fn creates_or_pays(self) -> bool {
        match self {
            Operation::CreateLink | Operation::DirectPayment | Operation::Withdrawal => true,
            Operation::Login | Operation::Domains | Operation::FeePreview => false,
        }
    }
}

/// One request and what came back.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// The time at which it began.
    pub at: Wall,
    /// Which operation.
    pub operation: Operation,
    /// The HTTP method.
    pub method: Arc<str>,
    /// The whole address.
    pub url: Arc<str>,
    /// Request headers; every value that is not on the allow-list is masked.
    pub request_headers: Vec<(String, String)>,
    /// Request body, secrets masked.
    pub request_body: Option<String>,
    /// The reply, or why there is none.
    pub reply: Result<ReplySeen, Failure>,
    /// Its duration.
    pub took: Duration,
}

impl Exchange {
    /// Returns the bytes of memory that its texts take.
    pub fn bytes(&self) -> usize {
        let request: usize =
            self.request_headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        let body = self.request_body.as_ref().map_or(0, String::len);
        let reply = match &self.reply {
            Ok(reply) => reply.bytes(),
            Err(Failure::Unreadable { body, .. }) => body.len(),
            Err(_) => 0,
        };
        self.url.len() + request + body + reply
    }
}

/// A reply as it may be looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplySeen {
    /// The status.
    pub status: u16,
    /// Headers; every value that is not on the allow-list is masked.
    pub headers: Vec<(String, Untrusted)>,
    /// Body, secrets masked.
    pub body: Untrusted,
}

impl ReplySeen {
    fn bytes(&self) -> usize {
        let headers = self.headers.iter().map(|(name, value)| name.len() + value.len());
        headers.sum::<usize>() + self.body.len()
    }
}
