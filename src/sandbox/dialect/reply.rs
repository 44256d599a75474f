//! Converts the simulated bank's reply to the format of a dialect.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::{Map, Value};
use url::form_urlencoded;

use super::{
    AmountFormat, Dialect, ListFormat, MembersFormat, OperationFormat, set_value, value_at,
};
use crate::sandbox::bank::request::{BankOperation, BankReply};

/// The field names of amounts in the bank's own replies.
const AMOUNTS: [&str; 3] = ["amount", "fee", "netAmount"];

impl Dialect {
    /// Converts the bank's own reply to this dialect. `query` is the query string of the request.
    /// `jwt` is called only if a reply to a login contains a JWT in this dialect.
    pub fn encode_reply(
        &self,
        operation: BankOperation,
        query: &str,
        reply: BankReply,
        jwt: impl FnOnce() -> Option<String>,
    ) -> BankReply {
        let format = self.format(operation);
        // A body that is not JSON was damaged by a fault on purpose. Return it unchanged.
        let Ok(body) = serde_json::from_str::<Value>(&reply.body) else { return reply };
        if reply.status >= 400 {
            return self.encode_refusal(format, reply, &body);
        }
        if format.empty {
            return BankReply { status: 204, body: String::new() };
        }
        let status = format.status.unwrap_or(reply.status);
        let mut encoded = constants(&format.constants);
        match (&format.list, &format.members, body) {
            (Some(list), _, Value::Array(entries)) => {
                list.add_page(&mut encoded, format, &entries, query);
            }
            (_, Some(members), Value::Array(entries)) => {
                members.add_entries(&mut encoded, format, &entries);
            }
            (.., mut bank_body) => {
                if operation == BankOperation::Login
                    && format.reply.values().any(|name| name == "jwt")
                    && let Some(jwt) = jwt()
                {
                    set_value(&mut bank_body, "jwt", Value::from(jwt));
                }
                for name in AMOUNTS {
                    if let Some(amount) = bank_body.get_mut(name) {
                        *amount = format.amounts_replied.encode_amount(amount);
                    }
                }
                encoded = format.rename_fields(&bank_body, encoded);
            }
        }
        BankReply::json(status, &encoded)
    }

    fn encode_refusal(
        &self,
        format: &OperationFormat,
        reply: BankReply,
        body: &Value,
    ) -> BankReply {
        let status = format.refused.filter(|_| reply.status == 400).unwrap_or(reply.status);
        if self.error.places.is_empty() {
            return BankReply { status, ..reply };
        }
        let mut encoded = constants(&self.error.constants);
        copy_fields(&mut encoded, &self.error.places, body);
        BankReply::json(status, &encoded)
    }
}

impl OperationFormat {
    /// Copies the fields of the bank's reply to this dialect's paths in `encoded`. If the dialect
    /// defines no paths and no constants, returns the bank's reply unchanged.
    fn rename_fields(&self, bank_body: &Value, mut encoded: Value) -> Value {
        if self.reply.is_empty() && encoded.as_object().is_none_or(Map::is_empty) {
            return bank_body.clone();
        }
        copy_fields(&mut encoded, &self.reply, bank_body);
        encoded
    }

    /// Converts one entry of a list. The dialect's constants are not added to an entry, because
    /// they belong to the whole reply.
    fn encode_entry(&self, bank_body: &Value) -> Value {
        self.rename_fields(bank_body, Value::Object(Map::new()))
    }
}

impl ListFormat {
    /// Adds the requested page of a list to the reply, and the cursor with which the next page can
    /// be requested.
    fn add_page(
        &self,
        encoded: &mut Value,
        format: &OperationFormat,
        entries: &[Value],
        query: &str,
    ) {
        let mut parameters = form_urlencoded::parse(query.as_bytes());
        let cursor = parameters.find(|(name, _)| *name == self.cursor);
        let from: usize = cursor.and_then(|(_, number)| number.parse().ok()).unwrap_or(0);
        let end = (from + self.page).min(entries.len());
        let page = entries.get(from..end).unwrap_or_default();
        set_value(
            encoded,
            &self.place,
            page.iter().map(|entry| format.encode_entry(entry)).collect(),
        );
        let next = (end < entries.len()).then(|| end.to_string());
        set_value(encoded, &self.next, Value::from(next));
    }
}

impl MembersFormat {
    /// Adds a list to the reply as a JSON object. Each list entry is a member of the object.
    fn add_entries(&self, encoded: &mut Value, format: &OperationFormat, entries: &[Value]) {
        let named_entry = |bank_body: &Value| {
            Some((
                value_at(bank_body, &self.named_by)?.as_str()?.to_owned(),
                format.encode_entry(bank_body),
            ))
        };
        let members: Map<String, Value> = entries.iter().filter_map(named_entry).collect();
        set_value(encoded, &self.place, Value::Object(members));
    }
}

impl AmountFormat {
    /// Converts an amount from the bank's own format to this format.
    fn encode_amount(self, amount: &Value) -> Value {
        let Value::Number(number) = amount else { return amount.clone() };
        let Ok(exact) = Decimal::from_str_exact(&number.to_string()) else { return amount.clone() };
        let mut rounded = exact;
        rounded.rescale(2);
        match self {
            AmountFormat::Number => amount.clone(),
            AmountFormat::Text => Value::from(rounded.to_string()),
            AmountFormat::Comma => {
                let formatted = crate::sandbox::bank::amount::Amount(rounded).to_brl();
                Value::from(formatted.replace("R$ ", ""))
            }
            AmountFormat::Centavos => {
                let centavos = (rounded * Decimal::ONE_HUNDRED).normalize().to_string();
                serde_json::from_str(&centavos).unwrap_or(Value::Null)
            }
        }
    }
}

/// Copies fields of the bank's reply to `encoded`. `paths` maps each path in `encoded` to a field
/// name of the bank's reply.
fn copy_fields(encoded: &mut Value, paths: &BTreeMap<String, String>, bank_body: &Value) {
    for (path, name) in paths {
        if let Some(value) = value_at(bank_body, name) {
            set_value(encoded, path, value.clone());
        }
    }
}

/// Returns an object that contains the constant members of a reply.
fn constants(constants: &BTreeMap<String, toml::Value>) -> Value {
    let mut encoded = Value::Object(Map::new());
    for (path, value) in constants {
        set_value(&mut encoded, path, serde_json::to_value(value).unwrap_or(Value::Null));
    }
    encoded
}
