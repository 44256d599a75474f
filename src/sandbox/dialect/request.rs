//! Converts a request from the format of a dialect to the simulated bank's own format.

use rust_decimal::Decimal;
use serde_json::{Number, Value, json};
use url::form_urlencoded;

use super::{AmountFormat, Dialect, ErrorFormat, OperationFormat, set_value, take_value, value_at};
use crate::sandbox::bank::request::{BankOperation, BankReply, BankRequest};
use crate::sandbox::bank::tokens::TokenKind;

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
        let format = self.format(request.operation);
        for expected in &self.headers {
            let (name, value) = expected.split_once(": ").unwrap_or((expected, ""));
            if header(name).as_deref() != Some(value) {
                return Err(BankReply::refusal(
                    400,
                    &format!("Cabeçalho {expected} obrigatório."),
                ));
            }
        }
        let authorization = self
            .read_token(request.operation, header)
            .map(|it| format!("Bearer {it}"));
        let sent = Some(request.body.clone());
        let accepted_tokens = format.tokens.clone();
        let mut request = BankRequest {
            authorization,
            sent,
            accepted_tokens,
            ..request
        };
        if format.is_bank_format() {
            return Ok(request);
        }
        let mut body = parse_body(format, &request)?;
        if let Some(path) = &format.key {
            let key = take_value(&mut body, path);
            if key.as_ref().and_then(Value::as_str) != request.idempotency_key.as_deref() {
                return Err(BankReply::bad_field(path, "não é a chave do cabeçalho"));
            }
        }
        let missing = format.required.iter().find(|path| {
            value_at(&body, path).is_none_or(|value| value.is_null() || value.as_str() == Some(""))
        });
        if let Some(path) = missing {
            return Err(self
                .error
                .bad_field(path, "missing_field", &self.error.missing));
        }
        let mut bank_body = self.rename_fields(format, body)?;
        if let Some(amount) = bank_body.get_mut("amount") {
            *amount = format.decode_amount(amount).ok_or_else(|| {
                let text = format!(
                    "Dados inválidos: {{field}} {}.",
                    format.amounts_sent.demand()
                );
                self.error
                    .bad_field(format.wire_name("amount"), "invalid_field", &text)
            })?;
        }
        self.decode_key_kind(format, &mut bank_body)?;
        if request.operation == BankOperation::FeePreview {
            request.query = bank_body
                .get("amount")
                .map(|it| format!("amount={it}"))
                .unwrap_or_default();
        } else if !request.body.is_empty() {
            request.body = bank_body.to_string().into_bytes();
        }
        request.content_type = Some("application/json".to_owned());
        Ok(request)
    }

    /// Translates the kind of the Pix key to the bank's word, or derives it from the key.
    fn decode_key_kind(
        &self,
        format: &OperationFormat,
        bank_body: &mut Value,
    ) -> Result<(), BankReply> {
        if !format.kinds.is_empty()
            && let Some(kind) = bank_body.get_mut("pixKeyType")
        {
            let bank_word = kind.as_str().and_then(|word| format.kinds.get(word));
            let bank_word = bank_word.ok_or_else(|| {
                let words: Vec<&str> = format.kinds.keys().map(String::as_str).collect();
                let text = self.error.kind.replace("{words}", &words.join(", "));
                self.error
                    .bad_field(format.wire_name("pixKeyType"), "invalid_field", &text)
            })?;
            *kind = Value::from(bank_word.as_str());
        }
        if format.kind_follows
            && let Some(kind) = bank_body
                .get("pixKey")
                .and_then(Value::as_str)
                .map(guess_key_kind)
        {
            bank_body["pixKeyType"] = Value::from(kind);
        }
        Ok(())
    }

    /// The token from the headers that contain the operation's credential.
    pub(super) fn read_token(
        &self,
        operation: BankOperation,
        header: ReadHeader<'_>,
    ) -> Option<String> {
        let usual_kind = match operation {
            BankOperation::FeePreview | BankOperation::Withdrawal => TokenKind::ApiToken,
            _ => TokenKind::Jwt,
        };
        let headers = match self.format(operation).tokens.first().unwrap_or(&usual_kind) {
            TokenKind::ApiToken => &self.credentials.api_token,
            TokenKind::Jwt => &self.credentials.jwt,
        };
        let mut token = None;
        for expected in headers {
            let (name, value) = expected.split_once(": ")?;
            let actual = header(name)?;
            match value.split_once('*') {
                Some((before, after)) => {
                    token = Some(actual.strip_prefix(before)?.strip_suffix(after)?.to_owned());
                }
                None if actual == value => {}
                None => return None,
            }
        }
        token
    }

    /// Renames the members of a request body to the bank's own field names. If the body has a
    /// member that this dialect does not define, returns an error reply or ignores the member.
    fn rename_fields(&self, format: &OperationFormat, mut body: Value) -> Result<Value, BankReply> {
        if format.request.is_empty() {
            return Ok(body);
        }
        let mut renamed = Value::Object(serde_json::Map::new());
        for (name, path) in &format.request {
            if let Some(value) = take_value(&mut body, path) {
                set_value(&mut renamed, name, value);
            }
        }
        for path in &format.required {
            take_value(&mut body, path);
        }
        match body.as_object().and_then(|rest| rest.keys().next()) {
            Some(unknown) if !format.ignores_others => {
                Err(self
                    .error
                    .bad_field(unknown, "unknown_field", &self.error.unknown))
            }
            _ => Ok(renamed),
        }
    }
}

impl ErrorFormat {
    /// The error reply for a field of the request, in the bank's own format. Only a dialect with
    /// its own format of errors uses the path and the code of the field.
    fn bad_field(&self, path: &str, code: &str, text: &str) -> BankReply {
        let message = text.replace("{field}", path);
        if self.body.is_none() {
            return BankReply::refusal(400, &message);
        }
        BankReply::json(
            400,
            &json!({ "message": message, "code": code, "field": path }),
        )
    }
}

impl AmountFormat {
    /// The text of the refusal for an amount in another format, after the field's name.
    fn demand(self) -> &'static str {
        if self == AmountFormat::WholeCentavos {
            "deve ser um inteiro"
        } else {
            "não tem a forma que este serviço espera"
        }
    }
}

impl OperationFormat {
    /// The path in the request of a field of the bank's own format.
    fn wire_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.request.get(name).map_or(name, String::as_str)
    }

    /// True if the dialect uses the bank's own format for requests of this operation.
    fn is_bank_format(&self) -> bool {
        let differs = self.form || self.kind_follows || self.method.is_some() || self.key.is_some();
        let differs = differs || !self.required.is_empty() || !self.kinds.is_empty();
        !differs && self.request.is_empty() && self.amounts_sent == AmountFormat::Number
    }

    /// Converts an amount to the bank's own format. Returns `None` if the amount is not in this
    /// dialect's format.
    fn decode_amount(&self, value: &Value) -> Option<Value> {
        // Accept strings too, because all values in form data are strings.
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        let expects_text = matches!(self.amounts_sent, AmountFormat::Text | AmountFormat::Comma);
        if !self.form && expects_text != value.is_string() {
            return None;
        }
        let digits = match self.amounts_sent {
            AmountFormat::Number | AmountFormat::Text => text,
            AmountFormat::Comma if text.contains('.') => return None,
            AmountFormat::Comma => text.replace(',', "."),
            AmountFormat::Centavos => {
                let centavos: u64 = text.parse().ok()?;
                format!("{}.{:02}", centavos / 100, centavos % 100)
            }
            AmountFormat::WholeCentavos => {
                let mut amount = Decimal::from_str_exact(&text).ok()?.normalize();
                if amount.scale() > 0 {
                    return None;
                }
                amount.set_scale(2).ok()?;
                amount.to_string()
            }
        };
        let is_digits = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        is_digits.then(|| {
            serde_json::from_str::<Number>(&digits)
                .ok()
                .map(Value::Number)
        })?
    }
}

/// Parses the request body. If the body is empty, parses the query string instead.
fn parse_body(format: &OperationFormat, request: &BankRequest) -> Result<Value, BankReply> {
    if request.body.is_empty() {
        let mut members = parse_form(request.query.as_bytes());
        // A query string contains only text. Convert the amount to a number if possible.
        let path = format.wire_name("amount");
        if let Some(amount) = value_at(&members, path).and_then(Value::as_str)
            && let Ok(number) = serde_json::from_str::<Number>(amount)
        {
            set_value(&mut members, path, Value::Number(number));
        }
        return Ok(members);
    }
    let expected = if format.form {
        "application/x-www-form-urlencoded"
    } else {
        "application/json"
    };
    if request.content_type.as_deref() != Some(expected) {
        return Err(BankReply::refusal(
            415,
            &format!("Envie o corpo como {expected}."),
        ));
    }
    if format.form {
        return Ok(parse_form(&request.body));
    }
    let body = serde_json::from_slice(&request.body)
        .ok()
        .filter(Value::is_object);
    body.ok_or_else(|| BankReply::refusal(400, "Dados inválidos: o corpo não foi entendido."))
}

/// Guesses the kind of a Pix key from its format. A real service may use other rules.
fn guess_key_kind(key: &str) -> &'static str {
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
fn parse_form(text: &[u8]) -> Value {
    let mut members = Value::Object(serde_json::Map::new());
    for (name, value) in form_urlencoded::parse(text) {
        let path = name.replace("][", ".").replace('[', ".").replace(']', "");
        set_value(&mut members, &path, Value::from(value));
    }
    members
}
