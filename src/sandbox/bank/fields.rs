//! The fields of a JSON body, read one by one; the first problem becomes the refusal.

use serde_json::{Map, Value};

use super::amount::Amount;
use super::request::BankReply;

/// The fields of a JSON object.
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
