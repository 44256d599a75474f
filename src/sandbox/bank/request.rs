//! The simulated bank's requests and replies, independent of any HTTP library. Also reads the JSON
//! fields of a request body.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::amount::Amount;
use super::tokens::TokenKind;

/// The six operations of the payments API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankOperation {
    /// `POST /api/v1/api-auth/login` (API documentation, section 4.6).
    Login,
    /// `GET /api/v1/payment-links/available-domains` (API documentation, section 4.2).
    Domains,
    /// `POST /api/v1/payment-links` (API documentation, section 4.1; the path is *assumed*).
    CreateLink,
    /// `POST /api/v1/direct/payment` (API documentation, section 4.3).
    DirectPayment,
    /// `GET /api/v1/withdrawals/fee-preview` (API documentation, section 4.5).
    FeePreview,
    /// `POST /api/v1/integrations/withdrawals` (API documentation, section 4.4).
    Withdrawal,
}

impl BankOperation {
    /// All operations, in the same order as in the API documentation.
    pub const ALL: [BankOperation; 6] = [
        BankOperation::CreateLink,
        BankOperation::Domains,
        BankOperation::DirectPayment,
        BankOperation::Withdrawal,
        BankOperation::FeePreview,
        BankOperation::Login,
    ];

    /// The operation's name as it is written in fault files.
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

    /// The HTTP method and path of the operation.
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

    /// The operation with this URL path. The HTTP method is not compared.
    pub fn from_path(path: &str) -> Option<BankOperation> {
        BankOperation::ALL
            .into_iter()
            .find(|operation| operation.method_and_path().1 == path)
    }
}

/// An API request, converted to the simulated bank's own format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankRequest {
    pub operation: BankOperation,
    /// The query string without the `?`, or an empty string.
    pub query: String,
    /// The value of the `Authorization` header.
    pub authorization: Option<String>,
    /// The kinds of tokens that the operation accepts, if they are not the bank's own rule.
    pub accepted_tokens: Vec<TokenKind>,
    /// The value of the `Content-Type` header.
    pub content_type: Option<String>,
    /// The value of the `Idempotency-Key` header.
    pub idempotency_key: Option<String>,
    /// The request body in the bank's own format.
    pub body: Vec<u8>,
    /// The request body as it arrived. `None` if it was not converted to the bank's own format.
    pub sent: Option<Vec<u8>>,
}

impl BankRequest {
    /// A request for this operation without headers, query and body.
    pub fn new(operation: BankOperation) -> BankRequest {
        BankRequest {
            operation,
            query: String::new(),
            authorization: None,
            accepted_tokens: Vec::new(),
            content_type: None,
            idempotency_key: None,
            body: Vec::new(),
            sent: None,
        }
    }

    /// The request body as it was received.
    pub fn received_body(&self) -> &[u8] {
        self.sent.as_deref().unwrap_or(&self.body)
    }
}

/// The simulated bank's reply: a status and a JSON body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BankReply {
    pub status: u16,
    /// The exact text of the body. A repeated reply must have the same bytes as the first reply, so
    /// the body is stored as text.
    pub body: String,
}

impl BankReply {
    pub fn json(status: u16, body: &Value) -> BankReply {
        BankReply {
            status,
            body: body.to_string(),
        }
    }

    /// An error reply whose body has a `message` (API documentation, section 7).
    pub fn refusal(status: u16, message: &str) -> BankReply {
        BankReply::json(status, &json!({ "message": message }))
    }

    /// An error reply with status 400 that names the invalid field.
    pub fn bad_field(field: &str, problem: &str) -> BankReply {
        BankReply::refusal(400, &format!("Dados inválidos: {field} {problem}."))
    }
}

/// A reader for the fields of a JSON object. If a field is missing or invalid, the error is the
/// reply to the client.
pub struct Fields<'a> {
    path: &'a str,
    map: Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// Parses a request body, which must be a JSON object.
    pub fn parse(body: &[u8]) -> Result<Fields<'static>, BankReply> {
        match serde_json::from_slice(body) {
            Ok(Value::Object(map)) => Ok(Fields { path: "", map }),
            _ => Err(BankReply::refusal(
                400,
                "Dados inválidos: o corpo precisa ser um objeto JSON.",
            )),
        }
    }

    /// The JSON object in a required field.
    pub fn object(&mut self, name: &'a str) -> Result<Fields<'a>, BankReply> {
        match self.map.remove(name) {
            Some(Value::Object(map)) => Ok(Fields { path: name, map }),
            Some(_) => Err(self.invalid_field(name, "precisa ser um objeto")),
            None => Err(self.invalid_field(name, "é obrigatório")),
        }
    }

    /// The amount in a required field. It must be a JSON number, not a string (API documentation,
    /// section 2: "number").
    pub fn amount(&self, name: &str) -> Result<Amount, BankReply> {
        match self.map.get(name) {
            Some(Value::Number(number)) => Amount::parse(&number.to_string())
                .map_err(|problem| self.invalid_field(name, problem)),
            Some(_) => Err(self.invalid_field(name, "precisa ser um número")),
            None => Err(self.invalid_field(name, "é obrigatório")),
        }
    }

    /// The text in a required field. The text must not be blank.
    pub fn text(&self, name: &str) -> Result<String, BankReply> {
        match self.optional_text(name)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            Some(_) => Err(self.invalid_field(name, "não pode ficar em branco")),
            None => Err(self.invalid_field(name, "é obrigatório")),
        }
    }

    /// The text in an optional field. `null` is not accepted.
    pub fn optional_text(&self, name: &str) -> Result<Option<String>, BankReply> {
        match self.map.get(name) {
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.invalid_field(name, "precisa ser um texto")),
            None => Ok(None),
        }
    }

    /// The error reply for an invalid field of this object.
    pub fn invalid_field(&self, name: &str, problem: &str) -> BankReply {
        match self.path {
            "" => BankReply::bad_field(name, problem),
            path => BankReply::bad_field(&format!("{path}.{name}"), problem),
        }
    }
}
