//! The parts of a request that the seller can change in the app ("teaching"), and a preview of the
//! changed request.

use std::collections::BTreeMap;

use super::field_names::asks_for_secret;
use super::reply_setting::NEXT_PAGE;
use super::settings::SettingValue;
use super::{
    AmountFormat, BodySpec, Call, Contract, FieldInput, FieldKind, FieldSpec, KEY_FIELD, Member,
    Method, SettingEntry, TaughtSetting, key_kind_id, members,
};
use crate::trade::{
    Account, CredentialKind, LinkRequest, Money, Operation, Origin, PixKey, PixKeyKind, Secret,
    Untrusted,
};

/// A part of a request that the seller can change in the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestPart {
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
    Required,
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
    /// The service's words for the kinds of Pix key. An empty word means that the service does not
    /// accept this kind. The list is empty to keep the words.
    pub words: Vec<(PixKeyKind, String)>,
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

/// The words that a setting accepts. The list is empty if any text is allowed.
fn allowed_words(operation: Operation, name: &str) -> Vec<&'static str> {
    if name.ends_with(".method") {
        return Method::allowed_for(operation)
            .iter()
            .map(|method| method.as_str())
            .collect();
    }
    SettingEntry::of(name).map_or_else(Vec::new, |entry| entry.words.to_vec())
}

impl Contract {
    /// The setting of this operation with this key, if it has a value.
    fn setting_part(&self, operation: Operation, key: &str) -> Option<RequestPart> {
        let name = format!("{}.{key}", operation.name());
        self.value(&name)?;
        let mut words = allowed_words(operation, &name);
        if key == "pages" && !self.paths(NEXT_PAGE).is_empty() {
            words.extend(["cursor", "link"]);
        }
        Some(RequestPart::Setting { name, words })
    }

    /// All parts of this operation's request that the seller can change.
    pub fn request_parts(&self, operation: Operation) -> Vec<RequestPart> {
        let settings = |keys: &[&str]| -> Vec<RequestPart> {
            keys.iter()
                .filter_map(|key| self.setting_part(operation, key))
                .collect()
        };
        let mut parts = settings(&["path"]);
        if Method::allowed_for(operation).len() > 1 {
            parts.extend(settings(&["method"]));
        }
        if let Some(form) = self.body_of(operation) {
            let fields = form.fields.iter().filter(|field| field.id != KEY_FIELD);
            parts.extend(fields.map(|field| RequestPart::Field(field.id.clone())));
        }
        if !self.amount_settings(operation).is_empty() {
            parts.push(RequestPart::Amounts);
        }
        parts.extend(settings(&["description", "domain"]));
        parts.extend(settings(&[
            "key_header",
            "key_format",
            "key_in_body",
            "credential",
        ]));
        let headers = match self.call_of(operation).credential {
            Some(CredentialKind::ApiToken) => Some("credential.api-token.headers"),
            Some(CredentialKind::Jwt) => Some("credential.jwt.headers"),
            None => None,
        };
        parts.extend(headers.map(|name| RequestPart::Setting {
            name: name.to_owned(),
            words: vec![],
        }));
        parts.extend(settings(&[
            "headers",
            "encoding",
            "success",
            "pages",
            "token_header",
        ]));
        parts
    }

    /// The settings for the unit and format of this operation's amounts, each with the words that
    /// it accepts.
    pub fn amount_settings(&self, operation: Operation) -> Vec<(String, Vec<&'static str>)> {
        let names = ["unit", "amount_sent", "amount_read"]
            .map(|key| format!("{}.{key}", operation.name()))
            .into_iter()
            .filter(|name| self.value(name).is_some());
        names
            .map(|name| {
                let words = allowed_words(operation, &name);
                (name, words)
            })
            .collect()
    }

    /// The name of the setting that determines what the amount is called in a request. Returns
    /// `None` if the API contract declares the amount as a field of the body.
    pub fn amount_name(&self, operation: Operation) -> Option<String> {
        let name = format!("{}.amount", operation.name());
        self.value(&name).map(|_| name)
    }

    /// The name of the amount in a request, and its format.
    pub(super) fn amount_name_and_format(
        &self,
        operation: Operation,
    ) -> Option<(&str, AmountFormat)> {
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

    /// The fields of the request body, or `None` if the API contract declares no fields for this
    /// operation.
    pub fn body_of(&self, operation: Operation) -> Option<&BodySpec> {
        match operation {
            Operation::Login => Some(&self.login.form),
            Operation::DirectPayment => Some(&self.direct_payment.form),
            Operation::Withdrawal => Some(&self.withdrawal.form),
            Operation::Domains | Operation::CreateLink | Operation::FeePreview => None,
        }
    }

    /// The HTTP settings of an operation, such as its method and path.
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

    /// The settings of the API contract that apply the change `field` to the field with this id.
    /// Without an id, the settings declare a new field.
    pub fn field_settings(
        &self,
        operation: Operation,
        id: Option<&str>,
        field: &TaughtField,
    ) -> Vec<TaughtSetting> {
        let section = operation.name();
        let Some(form) = self.body_of(operation) else {
            return vec![];
        };
        let current = id.and_then(|id| form.field(id));
        let id = id.map_or_else(|| self.unused_field_id(section, &field.name), str::to_owned);
        let text = |key: &str, text: &str| {
            TaughtSetting::text(format!("{section}.field.{id}.{key}"), text)
        };
        let flag = |key: &str, flag| TaughtSetting {
            name: format!("{section}.field.{id}.{key}"),
            value: SettingValue::Flag(flag),
        };
        let body = format!("{section}.body");
        let body_ids: Vec<String> = match self.value(&body) {
            Some(SettingValue::Texts(ids)) => ids.clone(),
            _ => vec![],
        };
        let is_key_kind = current.is_some_and(|field| field.kind == FieldKind::PixKeyKind);
        if field.becomes == FieldUse::Absent && is_key_kind {
            // The form still needs the kind, to check the key.
            return vec![flag("sent", false)];
        }
        if field.becomes == FieldUse::Absent {
            let others = body_ids.into_iter().filter(|other| *other != id);
            return vec![TaughtSetting::texts(body, others.collect())];
        }
        let mut settings = vec![text("name", &field.name)];
        if field.becomes == FieldUse::Fixed {
            settings.extend([text("kind", "fixed"), text("default", &field.value)]);
        } else {
            if current.is_none_or(|current| current.kind == FieldKind::Fixed) {
                let is_secret = operation == Operation::Login && asks_for_secret(&field.name);
                settings.push(text("kind", if is_secret { "secret" } else { "text" }));
            }
            let words = field.words.iter();
            settings.extend(
                words.map(|(kind, word)| text(&format!("words.{}", key_kind_id(*kind)), word)),
            );
            settings.push(flag("required", field.becomes == FieldUse::Required));
            let label = field
                .label
                .as_ref()
                .or(current.is_none().then_some(&field.name));
            if let Some(label) = label {
                settings.push(text("label.pt-BR", label));
                settings.push(text("label.en", label));
            }
            if current.is_some_and(|current| !current.sent) {
                settings.push(flag("sent", true));
            }
        }
        if !body_ids.contains(&id) {
            let ids = body_ids.into_iter().chain([id.clone()]);
            settings.push(TaughtSetting::texts(body, ids.collect()));
        }
        settings
    }

    /// An unused field id, derived from this name.
    fn unused_field_id(&self, section: &str, name: &str) -> String {
        let base: String = name
            .chars()
            .take(30)
            .map(|c| {
                if c.is_ascii_alphanumeric() {
                    c.to_ascii_lowercase()
                } else {
                    '_'
                }
            })
            .collect();
        let base = if base.is_empty() {
            "field".to_owned()
        } else {
            base
        };
        let mut ids = std::iter::once(base.clone()).chain((2..).map(|n| format!("{base}_{n}")));
        let unused = ids.find(|id| {
            let prefix = format!("{section}.field.{id}.");
            !self.settings.keys().any(|name| name.starts_with(&prefix))
        });
        unused.unwrap_or(base)
    }

    /// A preview of the operation's next request. It contains the values of the last request.
    ///
    /// `last` is the body of the last request, as shown to the user. `before` is the API contract
    /// with which that body was built.
    pub fn sample(
        &self,
        operation: Operation,
        before: &Contract,
        last: Option<&str>,
    ) -> SampleRequest {
        let call = self.call_of(operation);
        let last_request = LastRequest {
            before,
            operation,
            members: last.map(members).unwrap_or_default(),
        };
        let amount = last_request.amount();
        let mut path = call.path.clone();
        let body = match operation {
            Operation::Domains => None,
            Operation::FeePreview if call.method == Method::Get => {
                let wire = self.fee_preview.amounts.wire(amount).unwrap_or_default();
                let separator = if path.contains('?') { '&' } else { '?' };
                path = format!("{path}{separator}{}={wire}", self.fee_preview.amount);
                None
            }
            Operation::FeePreview => self.fee_preview.body(amount),
            Operation::CreateLink => self.create_link.body(&last_request.link(amount)),
            _ => self
                .body_of(operation)
                .and_then(|form| last_request.body(form)),
        };
        let mut headers = Vec::new();
        if body.is_some() {
            headers.push((
                "Content-Type".to_owned(),
                call.encoding.content_type().to_owned(),
            ));
        }
        headers.extend(
            call.fixed_headers
                .iter()
                .map(|it| (it.name.clone(), it.value.clone())),
        );
        let credentials = call.credential_headers.iter();
        headers.extend(
            credentials.map(|header| (header.name.clone(), header.masked(Untrusted::MASKED))),
        );
        if operation == Operation::Withdrawal {
            headers.push((
                self.withdrawal.key_header.clone(),
                Untrusted::MASKED.to_owned(),
            ));
        }
        SampleRequest {
            method: call.method.as_str(),
            path,
            headers,
            body,
        }
    }
}

/// The members of the last request's body, and the API contract that built the request.
struct LastRequest<'a> {
    before: &'a Contract,
    operation: Operation,
    members: Vec<Member>,
}

impl LastRequest<'_> {
    /// The text of the body member with this name.
    fn text(&self, name: &str) -> Option<&str> {
        self.members
            .iter()
            .find(|member| name.split('/').eq(member.path.iter().map(String::as_str)))
            .map(|member| member.value.text())
    }

    /// The amount of the last request, or ten reais if that amount cannot be read.
    fn amount(&self) -> Money {
        let amount = self
            .before
            .amount_name_and_format(self.operation)
            .and_then(|(name, amounts)| amounts.read(&serde_json::Value::from(self.text(name)?)));
        amount.unwrap_or(Money::from_centavos(1_000))
    }

    fn link(&self, amount: Money) -> LinkRequest {
        let spec = &self.before.create_link;
        LinkRequest {
            account: Account {
                origin: Origin("".into()),
                identity: "".into(),
            },
            amount,
            description: self
                .text(&spec.description)
                .unwrap_or(Untrusted::MASKED)
                .to_owned(),
            domain: self.text(&spec.domain).map(Into::into),
        }
    }

    /// Builds a sample request body from the values of the last request. A required field without a
    /// value gets its default or its label.
    fn body(&self, form: &BodySpec) -> Option<String> {
        let secret = Secret::new(Untrusted::MASKED.to_owned());
        let amount = self.amount();
        let texts = form
            .fields
            .iter()
            .map(|field| (&*field.id, self.sample_text(field)));
        let texts: BTreeMap<&str, String> = texts.collect();
        form.body(|field| match field.kind {
            FieldKind::Amount => Some(FieldInput::Amount(amount)),
            FieldKind::Secret => Some(FieldInput::Secret(&secret)),
            FieldKind::Fixed => None,
            _ => texts
                .get(&*field.id)
                .filter(|text| !text.is_empty())
                .map(|t| FieldInput::Text(t)),
        })
        .ok()
        .map(|body| body.masked().to_owned())
    }

    /// The kind of the last request's Pix key. The request may have no word for the kind, or one
    /// that two kinds share.
    fn key_kind(&self, word: Option<&str>) -> Option<PixKeyKind> {
        let form = self.before.body_of(self.operation)?;
        let of_kind = |kind| form.fields.iter().find(|field| field.kind == kind);
        let kinds = of_kind(FieldKind::PixKeyKind)?;
        let key = self.text(&of_kind(FieldKind::PixKey)?.name)?;
        let mut fitting = PixKeyKind::ALL
            .into_iter()
            .filter(|kind| word.is_none() || kinds.key_word(*kind) == word);
        fitting.find(|kind| PixKey::from_typed(*kind, key).is_ok())
    }

    fn sample_text(&self, field: &FieldSpec) -> String {
        let previous = self
            .before
            .body_of(self.operation)
            .and_then(|form| form.field(&field.id));
        let text = previous.and_then(|previous| self.text(&previous.name));
        match (field.kind, text) {
            (FieldKind::PixKeyKind, word) => {
                let kind = self.key_kind(word).map(|kind| key_kind_id(kind).to_owned());
                kind.or_else(|| field.default.clone()).unwrap_or_default()
            }
            (FieldKind::Choice, text) => {
                let choices = previous.map_or(&field.choices, |previous| &previous.choices);
                let chosen = choices.iter().find(|choice| Some(&*choice.word) == text);
                let chosen = chosen.map(|choice| choice.id.clone());
                chosen.or_else(|| field.default.clone()).unwrap_or_default()
            }
            (FieldKind::RequestKey, _) => Untrusted::MASKED.to_owned(),
            (_, Some(text)) => text.to_owned(),
            (_, None) if field.required => field
                .default
                .clone()
                .unwrap_or_else(|| field.label_pt.clone()),
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
        let label = Some("Centro de custo".to_owned());
        TaughtField {
            label,
            becomes,
            value: "7".to_owned(),
            ..TaughtField::asked(name)
        }
    }

    #[test]
    fn every_allowed_word_is_accepted_by_its_setting() {
        let contract = Contract::built_in();
        for operation in Operation::ALL {
            let parts = contract.request_parts(operation).into_iter();
            let settings = parts.filter_map(|part| match part {
                RequestPart::Setting { name, words } => Some((name, words)),
                RequestPart::Amounts | RequestPart::Field(_) => None,
            });
            for (name, words) in settings.chain(contract.amount_settings(operation)) {
                let value = contract.value(&name).unwrap().text();
                assert!(
                    words.is_empty() || words.iter().any(|word| value == format!("\"{word}\""))
                );
                for word in words {
                    let value = SettingValue::Text(word.into());
                    let taught = contract.with_taught(&[TaughtSetting {
                        name: name.clone(),
                        value,
                    }]);
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
            contract
                .sample(Operation::Withdrawal, &built_in, Some(last))
                .body
                .unwrap_or_default()
        };
        let taught = |id, name: &str, becomes| {
            let lines = built_in.field_settings(Operation::Withdrawal, id, &field(name, becomes));
            built_in.with_taught(&lines).unwrap()
        };
        let typed = r#"{"amount":100.10,"pixKeyType":"email","pixKey":"ana@x.example""#;
        assert_eq!(sample(&built_in), format!("{typed}}}"));
        let renamed = taught(Some("key"), "chave", FieldUse::Required);
        assert_eq!(
            renamed.withdrawal.form.field("key").unwrap().label_en,
            "Centro de custo"
        );
        let same = TaughtField {
            label: None,
            ..field("chave", FieldUse::Required)
        };
        let lines = built_in.field_settings(Operation::Withdrawal, Some("key"), &same);
        assert!(
            lines.iter().all(|line| !line.name.contains("label")),
            "{lines:?}"
        );
        assert_eq!(
            sample(&renamed),
            format!("{}}}", typed.replace("pixKey\"", "chave\""))
        );
        let asked = taught(None, "centro/custo", FieldUse::Required);
        let custo = r#","centro":{"custo":"Centro de custo"}}"#;
        assert_eq!(sample(&asked), format!("{typed}{custo}"));
        let last = asked.withdrawal.form.fields.last().unwrap();
        assert!(last.required && last.is_input() && last.label_en == "Centro de custo");
        let optional = taught(None, "cc", FieldUse::Optional);
        assert_eq!(sample(&optional), format!("{typed}}}"));
        let fixed = taught(None, "cc", FieldUse::Fixed);
        assert_eq!(sample(&fixed), format!("{typed},\"cc\":\"7\"}}"));
        let lines = fixed.field_settings(
            Operation::Withdrawal,
            Some("cc"),
            &field("cc", FieldUse::Required),
        );
        assert!(
            fixed
                .with_taught(&lines)
                .unwrap()
                .withdrawal
                .form
                .field("cc")
                .unwrap()
                .is_input()
        );
        let lines = fixed.field_settings(
            Operation::Withdrawal,
            Some("cc"),
            &field("cc", FieldUse::Absent),
        );
        assert_eq!(
            sample(&fixed.with_taught(&lines).unwrap()),
            format!("{typed}}}")
        );
        // A withdrawal body without an amount is refused.
        let amount = built_in.withdrawal.form.fields[0].id.clone();
        let lines = built_in.field_settings(
            Operation::Withdrawal,
            Some(&amount),
            &field("amount", FieldUse::Absent),
        );
        assert!(built_in.with_taught(&lines).is_err());
        // A second field named `amount` is refused, because the built-in body already has that
        // name.
        let lines = built_in.field_settings(
            Operation::Withdrawal,
            None,
            &field("amount", FieldUse::Required),
        );
        assert!(built_in.with_taught(&lines).is_err());
    }

    #[test]
    fn sample_has_the_key_even_if_its_kind_is_not_sent() {
        let before = with("[withdrawal.field.key_kind]\nsent = false");
        let after = before.with_taught(&before.rename_settings(
            Operation::Withdrawal,
            &RequestPart::Field("key".into()),
            "chave",
        ));
        let last = r#"{"amount":100.10,"pixKey":"+5511988887777"}"#;
        let sample = after
            .unwrap()
            .sample(Operation::Withdrawal, &before, Some(last));
        assert_eq!(sample.body.unwrap(), last.replace("pixKey", "chave"));
        let shared = with("withdrawal.field.key_kind.words = {cpf = 'doc', cnpj = 'doc'}");
        let last = r#"{"amount":100.10,"pixKeyType":"doc","pixKey":"11444777000161"}"#;
        let sample = shared.sample(Operation::Withdrawal, &shared, Some(last));
        assert_eq!(sample.body.as_deref(), Some(last));
    }

    #[test]
    fn sample_request_equals_the_sent_request() {
        let built_in = Contract::built_in();
        let comma = with(
            "[fee_preview]\nmethod = 'POST'\npath = '/saques/taxa'\namount = 'valor'\n\
                          amount_sent = 'text-comma'\nheaders = ['X-Store: 12']",
        );
        let last = Some(r#"{"amount":1000.00}"#);
        let sample = comma.sample(Operation::FeePreview, &built_in, last);
        assert_eq!((sample.method, &*sample.path), ("POST", "/saques/taxa"));
        assert_eq!(sample.body.as_deref(), Some(r#"{"valor":"1000,00"}"#));
        let headers: Vec<_> = sample
            .headers
            .iter()
            .map(|(n, v)| format!("{n}: {v}"))
            .collect();
        assert_eq!(
            headers,
            [
                "Content-Type: application/json",
                "X-Store: 12",
                "Authorization: Bearer \u{FDEF}"
            ]
        );
        let get = built_in.sample(Operation::FeePreview, &built_in, None);
        assert!(get.path.ends_with("?amount=10.00"), "{}", get.path);
        assert_eq!(get.body, None);
        let login = r#"{"email":"ana@x.example","password":"…"}"#;
        let sample =
            with("login.encoding = 'form'").sample(Operation::Login, &built_in, Some(login));
        let body = sample.body.unwrap();
        assert!(
            body.starts_with("email=ana%40x.example&password="),
            "{body}"
        );
        let link = built_in.sample(
            Operation::CreateLink,
            &built_in,
            Some(r#"{"amount":49.90,"description":"Camiseta"}"#),
        );
        assert_eq!(
            link.body.unwrap(),
            r#"{"amount":49.90,"description":"Camiseta"}"#
        );
    }
}
