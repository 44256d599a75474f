//! Converts the simulated bank's reply to the format of a dialect.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rust_decimal::Decimal;
use serde_json::{Map, Value};
use url::form_urlencoded;

use super::{
    AmountFormat, Dialect, ListFormat, MembersFormat, OperationFormat, PagesFormat, PagesStyle,
    set_value, value_at,
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
        let Ok(body) = serde_json::from_str::<Value>(&reply.body) else {
            return reply;
        };
        if reply.status >= 400 {
            return self.encode_refusal(format, reply, &body);
        }
        if format.empty {
            return BankReply {
                status: 204,
                body: String::new(),
            };
        }
        let status = format.status.unwrap_or(reply.status);
        let mut encoded = constants(&format.constants, &reply_id(operation, &reply.body));
        match (&format.list, &format.members, body) {
            (Some(list), _, Value::Array(entries)) => {
                let (_, path) = operation.method_and_path();
                list.add_entries(&mut encoded, format, &entries, (path, query));
            }
            (_, Some(members), Value::Array(entries)) => {
                members.add_entries(&mut encoded, format, &entries);
            }
            (.., Value::Array(entries)) => {
                encoded = entries
                    .iter()
                    .map(|entry| format.encode_entry(entry))
                    .collect();
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
        let status = format
            .refused
            .filter(|_| reply.status == 400)
            .unwrap_or(reply.status);
        let Some(template) = &self.error.body else {
            return BankReply { status, ..reply };
        };
        let body = match serde_json::from_str(template) {
            Ok(json) => fill_json(&json, body).unwrap_or(Value::Null).to_string(),
            Err(_) => fill_text(template, body).unwrap_or_default(),
        };
        BankReply { status, body }
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
        match &self.entry {
            Some(name) => value_at(bank_body, name).cloned().unwrap_or(Value::Null),
            None => self.rename_fields(bank_body, Value::Object(Map::new())),
        }
    }
}

impl ListFormat {
    /// Adds the requested entries of a list to the reply: all entries, or one page of them. `url`
    /// consists of the path and the query string of the request.
    fn add_entries(
        &self,
        encoded: &mut Value,
        format: &OperationFormat,
        entries: &[Value],
        url: (&str, &str),
    ) {
        let (path, query) = url;
        let pages = self.pages.as_ref();
        let page = pages.map_or(entries, |pages| pages.requested_page(entries, query));
        let encoded_page = page
            .iter()
            .map(|entry| format.encode_entry(entry))
            .collect();
        set_value(encoded, &self.place, encoded_page);
        if let Some(pages) = pages {
            let end = pages.first_entry(query).saturating_add(page.len());
            set_value(
                encoded,
                &pages.next,
                pages.next_value(end, entries.len(), path),
            );
        }
    }
}

impl PagesFormat {
    /// The index of the first entry on the requested page.
    fn first_entry(&self, query: &str) -> usize {
        let mut parameters = form_urlencoded::parse(query.as_bytes());
        let parameter = parameters.find(|(name, _)| *name == self.parameter);
        let number: Option<usize> = parameter.and_then(|(_, number)| number.parse().ok());
        match self.style {
            PagesStyle::Cursor | PagesStyle::Link => number.unwrap_or(0),
            PagesStyle::Number => number
                .unwrap_or(1)
                .saturating_sub(1)
                .saturating_mul(self.size),
        }
    }

    fn requested_page<'a>(&self, entries: &'a [Value], query: &str) -> &'a [Value] {
        let first = self.first_entry(query);
        let end = first.saturating_add(self.size).min(entries.len());
        entries.get(first..end).unwrap_or_default()
    }

    /// Returns what a reply whose page ends before the entry `end` contains about further pages.
    fn next_value(&self, end: usize, count: usize, path: &str) -> Value {
        match self.style {
            PagesStyle::Number => Value::from(count.div_ceil(self.size)),
            _ if end >= count => Value::Null,
            PagesStyle::Cursor => Value::from(end.to_string()),
            PagesStyle::Link => Value::from(format!("{path}?{}={end}", self.parameter)),
        }
    }
}

impl MembersFormat {
    /// Adds a list to the reply as a JSON object. Each list entry is a member of the object.
    fn add_entries(&self, encoded: &mut Value, format: &OperationFormat, entries: &[Value]) {
        let members: Map<String, Value> = entries
            .iter()
            .filter_map(|bank_body| {
                Some((
                    value_at(bank_body, &self.named_by)?.as_str()?.to_owned(),
                    format.encode_entry(bank_body),
                ))
            })
            .collect();
        set_value(encoded, &self.place, Value::Object(members));
    }
}

impl AmountFormat {
    /// Converts an amount from the bank's own format to this format.
    fn encode_amount(self, amount: &Value) -> Value {
        let Value::Number(number) = amount else {
            return amount.clone();
        };
        let Ok(exact) = Decimal::from_str_exact(&number.to_string()) else {
            return amount.clone();
        };
        let mut rounded = exact;
        rounded.rescale(2);
        match self {
            AmountFormat::Number => amount.clone(),
            AmountFormat::Text => Value::from(rounded.to_string()),
            AmountFormat::Comma => {
                let formatted = crate::sandbox::bank::amount::Amount(rounded).to_brl();
                Value::from(formatted.replace("R$ ", ""))
            }
            AmountFormat::Centavos | AmountFormat::WholeCentavos => {
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

/// An object that contains the constant members of a reply. In a text, `{id}` is replaced with an
/// id of the reply.
fn constants(constants: &BTreeMap<String, toml::Value>, id: &str) -> Value {
    let mut encoded = Value::Object(Map::new());
    for (path, value) in constants {
        let mut value = serde_json::to_value(value).unwrap_or(Value::Null);
        if let Value::String(text) = &mut value {
            *text = text.replace("{id}", id);
        }
        set_value(&mut encoded, path, value);
    }
    encoded
}

/// An id that differs between replies with different contents.
fn reply_id(operation: BankOperation, body: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (operation.name(), body).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Replaces the names in braces in all texts and member names of a JSON value with fields of
/// `fields`. Members and items that name a missing field are left out. Returns `None` if the value
/// itself is left out.
fn fill_json(template: &Value, fields: &Value) -> Option<Value> {
    match template {
        Value::String(text) => fill_text(text, fields).map(Value::String),
        Value::Array(items) => Some(
            items
                .iter()
                .filter_map(|item| fill_json(item, fields))
                .collect(),
        ),
        Value::Object(members) => {
            let filled = members.iter().filter_map(|(name, value)| {
                Some((fill_text(name, fields)?, fill_json(value, fields)?))
            });
            Some(Value::Object(filled.collect()))
        }
        _ => Some(template.clone()),
    }
}

/// Replaces the names in braces in a text. Returns `None` if it names a missing field.
fn fill_text(template: &str, fields: &Value) -> Option<String> {
    let mut parts = template.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}')?;
        filled.push_str(value_at(fields, name)?.as_str()?);
        filled.push_str(rest);
    }
    Some(filled)
}
