//! The bank's requests and replies, free of any HTTP library.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The six operations of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankOperation {
    /// `POST /api/v1/api-auth/login` (API text, section 4.6).
    Login,
    /// `GET /api/v1/payment-links/available-domains` (API text, section 4.2).
    Domains,
    /// `POST /api/v1/payment-links` (API text, section 4.1; the path is *assumed*).
    CreateLink,
    /// `POST /api/v1/direct/payment` (API text, section 4.3).
    DirectPayment,
    /// `GET /api/v1/withdrawals/fee-preview` (API text, section 4.5).
    FeePreview,
    /// `POST /api/v1/integrations/withdrawals` (API text, section 4.4).
    Withdrawal,
}

impl BankOperation {
    /// Every operation, in the order of the API text.
    pub const ALL: [BankOperation; 6] = [
        BankOperation::CreateLink,
        BankOperation::Domains,
        BankOperation::DirectPayment,
        BankOperation::Withdrawal,
        BankOperation::FeePreview,
        BankOperation::Login,
    ];

    /// The name of the operation in a fault file.
    pub fn name(self) -> &'static str {
        match self {
            BankOperation::Login => "login",
            BankOperation::Domains => "domains",
            BankOperation::CreateLink => "create_link",
            BankOperation::DirectPayment => "direct_payment",
            BankOperation::FeePreview => "fee_preview",
            BankOperation::Withdrawal => "withdrawal",
        }
    }

    /// The method and path that ask for the operation.
    pub fn method_and_path(self) -> (&'static str, &'static str) {
        match self {
            BankOperation::Login => ("POST", "/api/v1/api-auth/login"),
            BankOperation::Domains => ("GET", "/api/v1/payment-links/available-domains"),
            BankOperation::CreateLink => ("POST", "/api/v1/payment-links"),
            BankOperation::DirectPayment => ("POST", "/api/v1/direct/payment"),
            BankOperation::FeePreview => ("GET", "/api/v1/withdrawals/fee-preview"),
            BankOperation::Withdrawal => ("POST", "/api/v1/integrations/withdrawals"),
        }
    }

    /// The operation that lives at a path, whatever the method.
    pub fn at_path(path: &str) -> Option<BankOperation> {
        BankOperation::ALL.into_iter().find(|operation| operation.method_and_path().1 == path)
    }
}

/// One request to the bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankRequest {
    /// The operation that is asked for.
    pub operation: BankOperation,
    /// The text after the `?`, or nothing.
    pub query: String,
    /// The `Authorization` header.
    pub authorization: Option<String>,
    /// The `Content-Type` header.
    pub content_type: Option<String>,
    /// The `Idempotency-Key` header.
    pub idempotency_key: Option<String>,
    /// The body's bytes.
    pub body: Vec<u8>,
    /// The bytes that came in, where a dialect made the body of them.
    pub sent: Option<Vec<u8>>,
}

impl BankRequest {
    /// A request with nothing but its operation.
    pub fn to(operation: BankOperation) -> BankRequest {
        BankRequest {
            operation,
            query: String::new(),
            authorization: None,
            content_type: None,
            idempotency_key: None,
            body: Vec::new(),
            sent: None,
        }
    }

    /// The bytes that came in.
    pub fn bytes(&self) -> &[u8] {
        self.sent.as_deref().unwrap_or(&self.body)
    }
}

/// The bank's answer: a status and a body that is JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BankReply {
    /// The HTTP status.
    pub status: u16,
    /// The body's exact text; kept as text because a repeated reply is the same bytes again.
    pub body: String,
}

impl BankReply {
    /// An answer with a JSON body.
    pub fn json(status: u16, body: &Value) -> BankReply {
        BankReply { status, body: body.to_string() }
    }

    /// A refusal in the shape of API text, section 7: `message`, and `action` where there is one.
    pub fn refusal(status: u16, message: &str) -> BankReply {
        BankReply::json(status, &json!({ "message": message }))
    }

    /// A 400 that names the field at fault.
    pub fn bad_field(field: &str, problem: &str) -> BankReply {
        BankReply::refusal(400, &format!("Dados inválidos: {field} {problem}."))
    }
}
