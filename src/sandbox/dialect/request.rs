//! Converts a request from the format of a dialect to the simulated bank's own format.

use serde_json::{Number, Value};
use url::form_urlencoded;

use super::{AmountShape, Dialect, Shape, at, put, take};
use crate::sandbox::bank::request::{BankOperation, BankReply, BankRequest};

/// A function that returns the value of the request header with a given name.
pub type ReadHeader<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Dialect {
    /// Converts a request in this dialect to the bank's own format. If the request does not follow
    /// the dialect, returns an error reply.
    ///
    /// If the dialect does not describe the operation, the body and the query stay unchanged.
    pub fn decode_request(
        &self,
        request: BankRequest,
        header: ReadHeader<'_>,
    ) -> Result<BankRequest, BankReply> {
        let shape = self.shape(request.operation);
        for wanted in &self.headers {
            let (name, value) = wanted.split_once(": ").unwrap_or((wanted, ""));
            if header(name).as_deref() != Some(value) {
                return Err(BankReply::refusal(400, &format!("Cabeçalho {wanted} obrigatório.")));
            }
        }
        let authorization = self.token(request.operation, header).map(|it| format!("Bearer {it}"));
        let sent = Some(request.body.clone());
        let mut request = BankRequest { authorization, sent, ..request };
        if shape.is_plain() {
            return Ok(request);
        }
        let mut body = read(shape, &request)?;
        if let Some(place) = &shape.key {
            let key = take(&mut body, place);
            if key.as_ref().and_then(Value::as_str) != request.idempotency_key.as_deref() {
                return Err(BankReply::bad_field(place, "não é a chave do cabeçalho"));
            }
        }
        for place in &shape.wanted {
            let value = take(&mut body, place);
            if value.is_none_or(|value| value.as_str().is_none_or(str::is_empty)) {
                return Err(BankReply::bad_field(place, "é obrigatório"));
            }
        }
        let mut own = rename(shape, body)?;
        let wire = shape.request.get("amount").map_or("amount", String::as_str);
        if let Some(amount) = own.get_mut("amount") {
            *amount = shape.amount(amount).ok_or_else(|| {
                BankReply::bad_field(wire, "não tem a forma que este serviço espera")
            })?;
        }
        if shape.kind_follows
            && let Some(kind) = own.get("pixKey").and_then(Value::as_str).map(kind_of)
        {
            own["pixKeyType"] = Value::from(kind);
        }
        if request.operation == BankOperation::FeePreview {
            request.query = own.get("amount").map(|it| format!("amount={it}")).unwrap_or_default();
        } else if !request.body.is_empty() {
            request.body = own.to_string().into_bytes();
        }
        request.content_type = Some("application/json".to_owned());
        Ok(request)
    }

    /// Returns the token from the headers that contain the operation's credential.
    pub(super) fn token(&self, operation: BankOperation, header: ReadHeader<'_>) -> Option<String> {
        let wanted = match operation {
            BankOperation::FeePreview | BankOperation::Withdrawal => &self.credentials.api_token,
            _ => &self.credentials.jwt,
        };
        let mut token = None;
        for wanted in wanted {
            let (name, value) = wanted.split_once(": ")?;
            let got = header(name)?;
            match value.split_once('*') {
                Some((before, after)) => {
                    token = Some(got.strip_prefix(before)?.strip_suffix(after)?.to_owned());
                }
                None if got == value => {}
                None => return None,
            }
        }
        token
    }
}

impl Shape {
    /// Returns true if the dialect uses the bank's own format for requests of this operation.
    fn is_plain(&self) -> bool {
        let says = self.form || self.kind_follows || self.method.is_some() || self.key.is_some();
        let says = says || !self.wanted.is_empty();
        !says && self.request.is_empty() && self.amounts_sent == AmountShape::Number
    }

    /// Converts an amount to the bank's own format. Returns `None` if the amount is not in this
    /// dialect's format.
    fn amount(&self, value: &Value) -> Option<Value> {
        // Accept strings too, because all values in form data are strings.
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        let wants_text = matches!(self.amounts_sent, AmountShape::Text | AmountShape::Comma);
        if !self.form && wants_text != value.is_string() {
            return None;
        }
        let digits = match self.amounts_sent {
            AmountShape::Number | AmountShape::Text => text,
            AmountShape::Comma if text.contains('.') => return None,
            AmountShape::Comma => text.replace(',', "."),
            AmountShape::Centavos => {
                let centavos: u64 = text.parse().ok()?;
                format!("{}.{:02}", centavos / 100, centavos % 100)
            }
        };
        let is_digits = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        is_digits.then(|| serde_json::from_str::<Number>(&digits).ok().map(Value::Number))?
    }
}

/// Parses the request body. If the body is empty, parses the query string instead.
fn read(shape: &Shape, request: &BankRequest) -> Result<Value, BankReply> {
    if request.body.is_empty() {
        let mut members = pairs(request.query.as_bytes());
        // A query string contains only text. Convert the amount to a number if possible.
        if let Some(amount) = at(&members, "amount").and_then(Value::as_str)
            && let Ok(number) = serde_json::from_str::<Number>(amount)
        {
            put(&mut members, "amount", Value::Number(number));
        }
        return Ok(members);
    }
    let wanted = if shape.form { "application/x-www-form-urlencoded" } else { "application/json" };
    if request.content_type.as_deref() != Some(wanted) {
        return Err(BankReply::refusal(415, &format!("Envie o corpo como {wanted}.")));
    }
    if shape.form {
        return Ok(pairs(&request.body));
    }
    let body = serde_json::from_slice(&request.body).ok().filter(Value::is_object);
    body.ok_or_else(|| BankReply::refusal(400, "Dados inválidos: o corpo não foi entendido."))
}

/// Renames the members of a request body to the bank's own field names. If the body has a member
/// that this dialect does not define, returns an error reply.
fn rename(shape: &Shape, mut body: Value) -> Result<Value, BankReply> {
    if shape.request.is_empty() {
        return Ok(body);
    }
    let mut own = Value::Object(serde_json::Map::new());
    for (name, place) in &shape.request {
        if let Some(value) = take(&mut body, place) {
            put(&mut own, name, value);
        }
    }
    match body.as_object().and_then(|rest| rest.keys().next()) {
        Some(unknown) => Err(BankReply::bad_field(unknown, "não é um campo deste serviço")),
        None => Ok(own),
    }
}

/// Guesses the kind of a Pix key from its format. A real service may use other rules.
fn kind_of(key: &str) -> &'static str {
    let is_digits = key.bytes().all(|b| b.is_ascii_digit());
    match key.len() {
        _ if key.contains('@') => "email",
        36 => "evp",
        11 if is_digits => "cpf",
        14 => "cnpj",
        _ => "phone",
    }
}

/// Parses form data into a JSON object. The field name `a[b]` becomes the member `b` of the object
/// `a`.
fn pairs(text: &[u8]) -> Value {
    let mut members = Value::Object(serde_json::Map::new());
    for (name, value) in form_urlencoded::parse(text) {
        let place = name.replace("][", ".").replace('[', ".").replace(']', "");
        put(&mut members, &place, Value::from(value));
    }
    members
}
