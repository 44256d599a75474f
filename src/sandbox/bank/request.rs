//! The bank's requests and replies, free of any HTTP library, and the fields of a body.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::amount::Amount;

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

/// The fields of a JSON object, read one by one; the first problem becomes the refusal.
pub struct Fields<'a> {
    path: &'a str,
    map: Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// Reads a body that has to be a JSON object.
    pub fn of_body(body: &[u8]) -> Result<Fields<'static>, BankReply> {
        match serde_json::from_slice(body) {
            Ok(Value::Object(map)) => Ok(Fields { path: "", map }),
            _ => {
                Err(BankReply::refusal(400, "Dados inválidos: o corpo precisa ser um objeto JSON."))
            }
        }
    }

    /// The object under a field.
    pub fn object(&mut self, name: &'a str) -> Result<Fields<'a>, BankReply> {
        match self.map.remove(name) {
            Some(Value::Object(map)) => Ok(Fields { path: name, map }),
            Some(_) => Err(self.bad(name, "precisa ser um objeto")),
            None => Err(self.bad(name, "é obrigatório")),
        }
    }

    /// An amount: a JSON number, never a string (API text, section 2: "number").
    pub fn amount(&self, name: &str) -> Result<Amount, BankReply> {
        match self.map.get(name) {
            Some(Value::Number(number)) => {
                Amount::read(&number.to_string()).map_err(|problem| self.bad(name, problem))
            }
            Some(_) => Err(self.bad(name, "precisa ser um número")),
            None => Err(self.bad(name, "é obrigatório")),
        }
    }

    /// A text that has to be there and say something.
    pub fn text(&self, name: &str) -> Result<String, BankReply> {
        match self.optional_text(name)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            Some(_) => Err(self.bad(name, "não pode ficar em branco")),
            None => Err(self.bad(name, "é obrigatório")),
        }
    }

    /// A text that may be absent; `null` is not absent.
    pub fn optional_text(&self, name: &str) -> Result<Option<String>, BankReply> {
        match self.map.get(name) {
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.bad(name, "precisa ser um texto")),
            None => Ok(None),
        }
    }

    /// The refusal of one field.
    pub fn bad(&self, name: &str, problem: &str) -> BankReply {
        match self.path {
            "" => BankReply::bad_field(name, problem),
            path => BankReply::bad_field(&format!("{path}.{name}"), problem),
        }
    }
}
