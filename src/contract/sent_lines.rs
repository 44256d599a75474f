//! The parts of a request that the seller can change in the app ("teaching"), and a preview of the
//! changed request.

use std::collections::BTreeMap;

use super::body::MASKED;
use super::settings::SettingValue;
use super::{
    AmountFormat, BodySpec, Call, Contract, FieldInput, FieldKind, FieldSpec, KEY_FIELD, Member,
    Method, TaughtLine, members,
};
use crate::trade::{Account, CredentialKind, LinkRequest, Money, Operation, Origin, Secret};

/// A part of a request that the seller can change in the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentLine {
    /// A single setting of the API contract, such as the path of a request.
    Setting {
        /// The name of the setting.
        name: String,
        /// The words that the setting accepts; empty if any text is allowed.
        words: Vec<&'static str>,
    },
    /// The settings for an amount's name, unit and format in a request.
    Amounts,
    /// A field of the request body, by its id.
    Field(String),
}

/// How a request body uses a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldUse {
    /// The body has the field, and the user must fill it in.
    Asked,
    /// The body has the field unless the user leaves it empty.
    Optional,
    /// The body has the field with a constant value.
    Fixed,
    /// The field is not in the body.
    Absent,
}

/// A change to a field of a request body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaughtField {
    /// The new name in the body.
    pub name: String,
    /// The new label on the screen, or `None` to keep the label.
    pub label: Option<String>,
    /// How the body uses the field from now on.
    pub becomes: FieldUse,
    /// The constant value, if the use is [`FieldUse::Fixed`].
    pub value: String,
}

/// A preview of the request that an API contract builds, with secrets masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleRequest {
    /// The HTTP method.
    pub method: &'static str,
    /// The path with its query.
    pub path: String,
    /// The headers that the API contract sets.
    pub headers: Vec<(String, String)>,
    /// The body. `None` if the request has no body, or if the values of the last request are
    /// invalid in this one.
    pub body: Option<String>,
}

/// Returns the name of an operation in the API contract, such as `login`. The names of the
/// operation's settings begin with it.
pub fn setting_of(operation: Operation) -> &'static str {
    match operation {
        Operation::Login => "login",
        Operation::Domains => "domains",
        Operation::CreateLink => "create_link",
        Operation::DirectPayment => "direct_payment",
        Operation::FeePreview => "fee_preview",
        Operation::Withdrawal => "withdrawal",
    }
}

/// Returns the words that a setting of the API contract accepts. The list is empty if any text is
/// allowed.
fn words_of(operation: Operation, key: &str) -> Vec<&'static str> {
    match key {
        "method" => Method::of(operation).iter().map(|method| method.as_str()).collect(),
        "unit" => vec!["reais", "centavos"],
        "amount_sent" => vec!["number", "text", "text-comma"],
        "amount_read" => vec!["point", "comma", "either"],
        "key_format" => vec!["plain", "quoted", "simple"],
        "credential" => vec!["jwt", "api-token"],
        "encoding" => vec!["json", "form"],
        _ => vec![],
    }
}

impl Contract {
    /// Returns all parts of this operation's request that the seller can change.
    pub fn sent_lines(&self, operation: Operation) -> Vec<SentLine> {
        let place = setting_of(operation);
        let settings = |keys: &[&str]| -> Vec<SentLine> {
            let line = |key: &&str| {
                let name = format!("{place}.{key}");
                self.value(&name)?;
                Some(SentLine::Setting { name, words: words_of(operation, key) })
            };
            keys.iter().filter_map(line).collect()
        };
        let mut lines = settings(&["path"]);
        if Method::of(operation).len() > 1 {
            lines.extend(settings(&["method"]));
        }
        if let Some(form) = self.body_of(operation) {
            let fields = form.fields.iter().filter(|field| field.id != KEY_FIELD);
            lines.extend(fields.map(|field| SentLine::Field(field.id.clone())));
        }
        if !self.amount_lines(operation).is_empty() {
            lines.push(SentLine::Amounts);
        }
        lines.extend(settings(&["description", "domain"]));
        lines.extend(settings(&["key_header", "key_format", "key_in_body", "credential"]));
        let headers = match self.call_of(operation).credential {
            Some(CredentialKind::ApiToken) => Some("credential.api-token.headers"),
            Some(CredentialKind::Jwt) => Some("credential.jwt.headers"),
            None => None,
        };
        lines
            .extend(headers.map(|name| SentLine::Setting { name: name.to_owned(), words: vec![] }));
        lines.extend(settings(&["headers", "encoding", "success"]));
        lines
    }

    /// Returns the settings for the unit and format of this operation's amounts, each with the
    /// words that it accepts.
    pub fn amount_lines(&self, operation: Operation) -> Vec<(String, Vec<&'static str>)> {
        let line =
            |key: &str| (format!("{}.{key}", setting_of(operation)), words_of(operation, key));
        let lines = ["unit", "amount_sent", "amount_read"].map(line).into_iter();
        lines.filter(|(name, _)| self.value(name).is_some()).collect()
    }

    /// Returns the name of the setting that names the amount. Returns `None` if the API contract
    /// declares the amount as a field of the body.
    pub fn amount_name(&self, operation: Operation) -> Option<String> {
        let name = format!("{}.amount", setting_of(operation));
        self.value(&name).map(|_| name)
    }

    /// Returns the name of the amount in a request, and its format.
    fn amount_of(&self, operation: Operation) -> Option<(&str, AmountFormat)> {
        match operation {
            Operation::CreateLink => Some((&self.create_link.amount, self.create_link.amounts)),
            Operation::FeePreview => Some((&self.fee_preview.amount, self.fee_preview.amounts)),
            _ => {
                let form = self.body_of(operation)?;
                let mut fields = form.fields.iter();
                let field = fields.find(|field| field.kind == FieldKind::Amount)?;
                Some((&field.name, form.amounts))
            }
        }
    }

    /// Returns the fields of the request body, or `None` if the API contract declares no fields for
    /// this operation.
    pub fn body_of(&self, operation: Operation) -> Option<&BodySpec> {
        match operation {
            Operation::Login => Some(&self.login.form),
            Operation::DirectPayment => Some(&self.direct_payment.form),
            Operation::Withdrawal => Some(&self.withdrawal.form),
            Operation::Domains | Operation::CreateLink | Operation::FeePreview => None,
        }
    }

    /// Returns the HTTP settings of an operation, such as its method and path.
    pub fn call_of(&self, operation: Operation) -> &Call {
        match operation {
            Operation::Login => &self.login.call,
            Operation::Domains => &self.domains.call,
            Operation::CreateLink => &self.create_link.call,
            Operation::DirectPayment => &self.direct_payment.call,
            Operation::FeePreview => &self.fee_preview.call,
            Operation::Withdrawal => &self.withdrawal.call,
        }
    }

    /// Returns the settings of the API contract that change the field with this id as `field`
    /// describes. Without an id, the settings declare a new field.
    pub fn field_lines(
        &self,
        operation: Operation,
        id: Option<&str>,
        field: &TaughtField,
    ) -> Vec<TaughtLine> {
        let place = setting_of(operation);
        let Some(form) = self.body_of(operation) else { return vec![] };
        let known = id.and_then(|id| form.field(id));
        let id = id.map_or_else(|| self.new_id(place, &field.name), str::to_owned);
        let line =
            |key: &str, value| TaughtLine { name: format!("{place}.field.{id}.{key}"), value };
        let text = |text: &str| SettingValue::Text(text.to_owned());
        let body: Vec<String> = match self.value(&format!("{place}.body")) {
            Some(SettingValue::Texts(ids)) => ids.clone(),
            _ => vec![],
        };
        let in_body =
            |ids| TaughtLine { name: format!("{place}.body"), value: SettingValue::Texts(ids) };
        if field.becomes == FieldUse::Absent {
            return vec![in_body(body.into_iter().filter(|other| *other != id).collect())];
        }
        let mut lines = vec![line("name", text(&field.name))];
        if field.becomes == FieldUse::Fixed {
            lines.extend([line("kind", text("fixed")), line("default", text(&field.value))]);
        } else {
            if known.is_none_or(|known| known.kind == FieldKind::Fixed) {
                lines.push(line("kind", text("text")));
            }
            lines.push(line("required", SettingValue::Flag(field.becomes == FieldUse::Asked)));
            let named = field.label.as_ref().or(known.is_none().then_some(&field.name));
            if let Some(label) = named {
                lines.push(line("label.pt-BR", text(label)));
                lines.push(line("label.en", text(label)));
            }
            if known.is_some_and(|known| !known.sent) {
                lines.push(line("sent", SettingValue::Flag(true)));
            }
        }
        if !body.contains(&id) {
            lines.push(in_body(body.into_iter().chain([id.clone()]).collect()));
        }
        lines
    }

    /// Returns an unused field id, derived from this name.
    fn new_id(&self, place: &str, name: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let own: String = name.chars().take(30).map(plain).collect();
        let own = if own.is_empty() { "field".to_owned() } else { own };
        let is_taken = |id: &String| {
            let before = format!("{place}.field.{id}.");
            self.settings.keys().any(|name| name.starts_with(&before))
        };
        let mut ids = std::iter::once(own.clone()).chain((2..).map(|n| format!("{own}_{n}")));
        ids.find(|id| !is_taken(id)).unwrap_or(own)
    }

    /// Returns a preview of the operation's next request, filled with the values of the last
    /// request.
    ///
    /// `last` is the body of the last request as shown to the user. `before` is the API contract
    /// that built it.
    pub fn sample(
        &self,
        operation: Operation,
        before: &Contract,
        last: Option<&str>,
    ) -> SampleRequest {
        let call = self.call_of(operation);
        let seen =
            LastRequest { before, operation, members: last.map(members).unwrap_or_default() };
        let amount = seen.amount();
        let mut path = call.path.clone();
        let body = match operation {
            Operation::Domains => None,
            Operation::FeePreview if call.method == Method::Get => {
                let wire = self.fee_preview.amounts.wire(amount).unwrap_or_default();
                let joint = if path.contains('?') { '&' } else { '?' };
                path = format!("{path}{joint}{}={wire}", self.fee_preview.amount);
                None
            }
            Operation::FeePreview => self.fee_preview.body(amount),
            Operation::CreateLink => self.create_link.body(&seen.link(amount)),
            _ => self.body_of(operation).and_then(|form| seen.body(form)),
        };
        let mut headers = Vec::new();
        if body.is_some() {
            headers.push(("Content-Type".to_owned(), call.encoding.content_type().to_owned()));
        }
        headers.extend(call.fixed_headers.iter().map(|one| (one.name.clone(), one.value.clone())));
        let credentials = call.credential_headers.iter();
        headers.extend(credentials.map(|one| (one.name.clone(), one.masked(MASKED))));
        if operation == Operation::Withdrawal {
            headers.push((self.withdrawal.key_header.clone(), MASKED.to_owned()));
        }
        SampleRequest { method: call.method.as_str(), path, headers, body }
    }
}

/// The members of the last request's body, and the API contract that built the request.
struct LastRequest<'a> {
    before: &'a Contract,
    operation: Operation,
    members: Vec<Member>,
}

impl LastRequest<'_> {
    /// Returns the text of the body member with this name.
    fn text(&self, name: &str) -> Option<&str> {
        let is_it = |member: &&Member| name.split('/').eq(member.path.iter().map(String::as_str));
        self.members.iter().find(is_it).map(|member| member.value.text())
    }

    /// Returns the amount of the last request, or ten reais if that amount cannot be read.
    fn amount(&self) -> Money {
        let read = self
            .before
            .amount_of(self.operation)
            .and_then(|(name, amounts)| amounts.read(&serde_json::Value::from(self.text(name)?)));
        read.unwrap_or(Money::from_centavos(1_000))
    }

    fn link(&self, amount: Money) -> LinkRequest {
        let spec = &self.before.create_link;
        LinkRequest {
            account: Account { origin: Origin("".into()), identity: "".into() },
            amount,
            description: self.text(&spec.description).unwrap_or(MASKED).to_owned(),
            domain: self.text(&spec.domain).map(Into::into),
        }
    }

    /// Builds a sample request body from the values of the last request. A required field without a
    /// value gets its default or its label.
    fn body(&self, form: &BodySpec) -> Option<String> {
        let (secret, amount) = (Secret::new(MASKED.to_owned()), self.amount());
        let texts = form.fields.iter().map(|field| (&*field.id, self.sample_text(field)));
        let texts: BTreeMap<&str, String> = texts.collect();
        let typed = |field: &FieldSpec| match field.kind {
            FieldKind::Amount => Some(FieldInput::Amount(amount)),
            FieldKind::Secret => Some(FieldInput::Secret(&secret)),
            FieldKind::Fixed => None,
            _ => texts.get(&*field.id).filter(|text| !text.is_empty()).map(|t| FieldInput::Text(t)),
        };
        form.body(typed).ok().map(|body| body.masked().to_owned())
    }

    fn sample_text(&self, field: &FieldSpec) -> String {
        let known = self.before.body_of(self.operation).and_then(|form| form.field(&field.id));
        let said = known.and_then(|known| self.text(&known.name));
        match (field.kind, said) {
            (FieldKind::PixKeyKind | FieldKind::Choice, said) => {
                let choices = known.map_or(&field.choices, |known| &known.choices);
                let chosen = choices.iter().find(|choice| Some(&*choice.word) == said);
                let chosen = chosen.map(|choice| choice.id.clone());
                chosen.or_else(|| field.default.clone()).unwrap_or_default()
            }
            (FieldKind::RequestKey, _) => MASKED.to_owned(),
            (_, Some(said)) => said.to_owned(),
            (_, None) if field.required => {
                field.default.clone().unwrap_or_else(|| field.label_pt.clone())
            }
            (_, None) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str) -> Contract {
        Contract::with(&[("c", text)]).unwrap()
    }

    fn field(name: &str, becomes: FieldUse) -> TaughtField {
        let (label, value) = (Some("Centro de custo".to_owned()), "7".to_owned());
        TaughtField { name: name.into(), label, becomes, value }
    }

    #[test]
    fn every_teachable_word_is_accepted_by_its_line() {
        let contract = Contract::built_in();
        for operation in Operation::ALL {
            let lines = contract.sent_lines(operation).into_iter();
            let settings = lines.filter_map(|line| match line {
                SentLine::Setting { name, words } => Some((name, words)),
                SentLine::Amounts | SentLine::Field(_) => None,
            });
            for (name, words) in settings.chain(contract.amount_lines(operation)) {
                let value = contract.value(&name).unwrap().text();
                assert!(
                    words.is_empty() || words.iter().any(|word| value == format!("\"{word}\""))
                );
                for word in words {
                    let value = SettingValue::Text(word.into());
                    let taught = contract.taught(&[TaughtLine { name: name.clone(), value }]);
                    assert!(taught.is_ok(), "{taught:?}");
                }
            }
        }
    }

    #[test]
    fn field_can_be_renamed_added_fixed_and_left_out() {
        let built_in = Contract::built_in();
        let sample = |contract: &Contract| {
            let last = r#"{"amount":100.10,"pixKeyType":"email","pixKey":"ana@x.example"}"#;
            contract.sample(Operation::Withdrawal, &built_in, Some(last)).body.unwrap_or_default()
        };
        let taught = |id, name: &str, becomes| {
            let lines = built_in.field_lines(Operation::Withdrawal, id, &field(name, becomes));
            built_in.taught(&lines).unwrap()
        };
        let typed = r#"{"amount":100.10,"pixKeyType":"email","pixKey":"ana@x.example""#;
        assert_eq!(sample(&built_in), format!("{typed}}}"));
        let renamed = taught(Some("key"), "chave", FieldUse::Asked);
        assert_eq!(renamed.withdrawal.form.field("key").unwrap().label_en, "Centro de custo");
        let same = TaughtField { label: None, ..field("chave", FieldUse::Asked) };
        let lines = built_in.field_lines(Operation::Withdrawal, Some("key"), &same);
        assert!(lines.iter().all(|line| !line.name.contains("label")), "{lines:?}");
        assert_eq!(sample(&renamed), format!("{}}}", typed.replace("pixKey\"", "chave\"")));
        let asked = taught(None, "centro/custo", FieldUse::Asked);
        let custo = r#","centro":{"custo":"Centro de custo"}}"#;
        assert_eq!(sample(&asked), format!("{typed}{custo}"));
        let last = asked.withdrawal.form.fields.last().unwrap();
        assert!(last.required && last.is_input() && last.label_en == "Centro de custo");
        let optional = taught(None, "cc", FieldUse::Optional);
        assert_eq!(sample(&optional), format!("{typed}}}"));
        let fixed = taught(None, "cc", FieldUse::Fixed);
        assert_eq!(sample(&fixed), format!("{typed},\"cc\":\"7\"}}"));
        let lines =
            fixed.field_lines(Operation::Withdrawal, Some("cc"), &field("cc", FieldUse::Asked));
        assert!(fixed.taught(&lines).unwrap().withdrawal.form.field("cc").unwrap().is_input());
        let lines =
            fixed.field_lines(Operation::Withdrawal, Some("cc"), &field("cc", FieldUse::Absent));
        assert_eq!(sample(&fixed.taught(&lines).unwrap()), format!("{typed}}}"));
        // A withdrawal body without an amount is refused.
        let amount = built_in.withdrawal.form.fields[0].id.clone();
        let lines = built_in.field_lines(
            Operation::Withdrawal,
            Some(&amount),
            &field("amount", FieldUse::Absent),
        );
        assert!(built_in.taught(&lines).is_err());
        // A second field named `amount` is refused, because the built-in body already has that
        // name.
        let lines =
            built_in.field_lines(Operation::Withdrawal, None, &field("amount", FieldUse::Asked));
        assert!(built_in.taught(&lines).is_err());
    }

    #[test]
    fn a_request_is_shown_as_it_would_leave() {
        let built_in = Contract::built_in();
        let comma = with(
            "[fee_preview]\nmethod = 'POST'\npath = '/saques/taxa'\namount = 'valor'\n\
                          amount_sent = 'text-comma'\nheaders = ['X-Store: 12']",
        );
        let last = Some(r#"{"amount":1000.00}"#);
        let sample = comma.sample(Operation::FeePreview, &built_in, last);
        assert_eq!((sample.method, &*sample.path), ("POST", "/saques/taxa"));
        assert_eq!(sample.body.as_deref(), Some(r#"{"valor":"1000,00"}"#));
        let headers: Vec<_> = sample.headers.iter().map(|(n, v)| format!("{n}: {v}")).collect();
        assert_eq!(
            headers,
            ["Content-Type: application/json", "X-Store: 12", "Authorization: Bearer …"]
        );
        let get = built_in.sample(Operation::FeePreview, &built_in, None);
        assert!(get.path.ends_with("?amount=10.00"), "{}", get.path);
        assert_eq!(get.body, None);
        let login = r#"{"email":"ana@x.example","password":"…"}"#;
        let sample =
            with("login.encoding = 'form'").sample(Operation::Login, &built_in, Some(login));
        let body = sample.body.unwrap();
        assert!(body.starts_with("email=ana%40x.example&password="), "{body}");
        let link = built_in.sample(
            Operation::CreateLink,
            &built_in,
            Some(r#"{"amount":49.90,"description":"Camiseta"}"#),
        );
        assert_eq!(link.body.unwrap(), r#"{"amount":49.90,"description":"Camiseta"}"#);
    }
}
