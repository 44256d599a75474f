//! Converts the simulated bank's reply to the format of a dialect.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::{Map, Value};
use url::form_urlencoded;

use super::{AmountShape, Dialect, ListShape, MembersShape, Shape, at, put};
use crate::sandbox::bank::request::{BankOperation, BankReply};

/// The field names of amounts in the bank's own replies.
const AMOUNTS: [&str; 3] = ["amount", "fee", "netAmount"];

impl Dialect {
    /// Converts the bank's own reply to this dialect. `query` is the query string of the request.
    /// `jwt` is called only if a reply to a login contains a JWT in this dialect.
    pub fn say(
        &self,
        operation: BankOperation,
        query: &str,
        reply: BankReply,
        jwt: impl FnOnce() -> Option<String>,
    ) -> BankReply {
        let shape = self.shape(operation);
        // A body that is not JSON was damaged by a fault on purpose. Return it unchanged.
        let Ok(body) = serde_json::from_str::<Value>(&reply.body) else { return reply };
        if reply.status >= 400 {
            return self.refuse(shape, reply, &body);
        }
        if shape.empty {
            return BankReply { status: 204, body: String::new() };
        }
        let status = shape.status.unwrap_or(reply.status);
        let mut said = constants(&shape.constants);
        match (&shape.list, &shape.members, body) {
            (Some(list), _, Value::Array(entries)) => list.page(&mut said, shape, &entries, query),
            (_, Some(members), Value::Array(entries)) => members.put(&mut said, shape, &entries),
            (.., mut own) => {
                if operation == BankOperation::Login
                    && shape.reply.values().any(|name| name == "jwt")
                    && let Some(jwt) = jwt()
                {
                    put(&mut own, "jwt", Value::from(jwt));
                }
                for name in AMOUNTS {
                    if let Some(amount) = own.get_mut(name) {
                        *amount = shape.amounts_replied.written(amount);
                    }
                }
                said = shape.renamed(&own, said);
            }
        }
        BankReply::json(status, &said)
    }

    fn refuse(&self, shape: &Shape, reply: BankReply, body: &Value) -> BankReply {
        let status = shape.refused.filter(|_| reply.status == 400).unwrap_or(reply.status);
        if self.error.places.is_empty() {
            return BankReply { status, ..reply };
        }
        let mut said = constants(&self.error.constants);
        put_all(&mut said, &self.error.places, body);
        BankReply::json(status, &said)
    }
}

impl Shape {
    /// Copies the fields of the bank's reply to their paths in `said`. If there are no such paths
    /// and no constants, returns the bank's reply unchanged.
    fn renamed(&self, own: &Value, mut said: Value) -> Value {
        if self.reply.is_empty() && said.as_object().is_none_or(Map::is_empty) {
            return own.clone();
        }
        put_all(&mut said, &self.reply, own);
        said
    }

    /// Converts one entry of a list. The dialect's constants are not added to an entry, because
    /// they belong to the whole reply.
    fn entry(&self, own: &Value) -> Value {
        self.renamed(own, Value::Object(Map::new()))
    }
}

impl ListShape {
    /// Adds the requested page of a list to the reply, and the cursor with which the next page can
    /// be requested.
    fn page(&self, said: &mut Value, shape: &Shape, entries: &[Value], query: &str) {
        let mut asked = form_urlencoded::parse(query.as_bytes());
        let cursor = asked.find(|(name, _)| *name == self.cursor);
        let from: usize = cursor.and_then(|(_, at)| at.parse().ok()).unwrap_or(0);
        let end = (from + self.page).min(entries.len());
        let page = entries.get(from..end).unwrap_or_default();
        put(said, &self.place, page.iter().map(|entry| shape.entry(entry)).collect());
        let next = (end < entries.len()).then(|| end.to_string());
        put(said, &self.next, Value::from(next));
    }
}

impl MembersShape {
    /// Adds a list to the reply as a JSON object. Each list entry is a member of the object.
    fn put(&self, said: &mut Value, shape: &Shape, entries: &[Value]) {
        let named =
            |own: &Value| Some((at(own, &self.named_by)?.as_str()?.to_owned(), shape.entry(own)));
        let members: Map<String, Value> = entries.iter().filter_map(named).collect();
        put(said, &self.place, Value::Object(members));
    }
}

impl AmountShape {
    /// Converts an amount from the bank's own format to this format.
    fn written(self, amount: &Value) -> Value {
        let Value::Number(number) = amount else { return amount.clone() };
        let Ok(exact) = Decimal::from_str_exact(&number.to_string()) else { return amount.clone() };
        let mut two = exact;
        two.rescale(2);
        match self {
            AmountShape::Number => amount.clone(),
            AmountShape::Text => Value::from(two.to_string()),
            AmountShape::Comma => {
                let words = crate::sandbox::bank::amount::Amount(two).to_brl();
                Value::from(words.replace("R$ ", ""))
            }
            AmountShape::Centavos => {
                let centavos = (two * Decimal::ONE_HUNDRED).normalize().to_string();
                serde_json::from_str(&centavos).unwrap_or(Value::Null)
            }
        }
    }
}

/// Copies fields of `own` to `said`. `places` maps each path in `said` to a field of `own`.
fn put_all(said: &mut Value, places: &BTreeMap<String, String>, own: &Value) {
    for (place, name) in places {
        if let Some(value) = at(own, name) {
            put(said, place, value.clone());
        }
    }
}

/// Returns an object that contains the constant members of a reply.
fn constants(constants: &BTreeMap<String, toml::Value>) -> Value {
    let mut said = Value::Object(Map::new());
    for (place, value) in constants {
        put(&mut said, place, serde_json::to_value(value).unwrap_or(Value::Null));
    }
    said
}
