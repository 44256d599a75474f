//! The lines that every operation has, and the fields of its body.

use super::amount_format::{AmountFormat, ReadAmounts, SentAmounts};
use super::body::{BodySpec, Encoding};
use super::field::{FieldKind, FieldOption, FieldSpec, KEY_FIELD, Pattern, key_kind_id};
use super::form_text::form_pairs;
use super::headers::{
    CredentialHeader, FixedHeader, is_header_name, is_reserved_header, is_same_header,
};
use super::pages::{PageStyle, Pages};
use super::pointer::{JsonPaths, Pointer};
use super::resource::{WithdrawalOnly, resource};
use super::settings::{ContractError, ContractSettings, Problem};
use super::{Call, Failed, Method, Unit};
use crate::trade::{CredentialKind, PixKeyKind};

/// The settings of one operation.
pub(super) struct OperationSettings<'a> {
    pub(super) settings: &'a ContractSettings,
    pub(super) name: &'a str,
}

impl OperationSettings<'_> {
    // Put together by hand here and below: some hundred names are made before the first frame, and
    // the machinery of `format!` took a third of the whole reading.
    fn setting_name(&self, key: &str) -> String {
        [self.name, ".", key].concat()
    }

    pub(super) fn text(&self, key: &str) -> Result<String, ContractError> {
        let setting = self.setting_name(key);
        let text = self.settings.text(&setting)?;
        if text.is_empty() { Err(self.settings.takes(&setting, "a text")) } else { Ok(text) }
    }

    pub(super) fn call(&self, credential: Option<CredentialKind>) -> Result<Call, ContractError> {
        let (method, path, encoding) = (self.method()?, self.path()?, self.encoding()?);
        let success = self.settings.statuses(&self.setting_name("success"))?;
        let credential_headers = match credential {
            Some(kind) => self.credential_headers(kind)?,
            None => vec![],
        };
        let fixed_headers = self.fixed_headers()?;
        Ok(Call { method, path, encoding, credential, credential_headers, fixed_headers, success })
    }

    fn method(&self) -> Result<Method, ContractError> {
        let methods: &[Method] = match self.name {
            "fee_preview" | "domains" => &[Method::Get, Method::Post],
            "login" => &[Method::Post],
            _ => &Method::CREATING,
        };
        let words: Vec<_> = methods.iter().map(|method| (method.as_str(), *method)).collect();
        self.settings.word(&self.setting_name("method"), &words)
    }

    /// The path, and a query whose values are the same for every request.
    fn path(&self) -> Result<String, ContractError> {
        let text = self.text("path")?;
        let takes = |wanted: &str| Err(self.settings.takes(&self.setting_name("path"), wanted));
        let (path, query) = match text.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (text.as_str(), None),
        };
        if resource(path).is_none() {
            return takes("a path from `/` on, without `//`, `;`, `\\`, or segments of dots");
        }
        let Some(query) = query else { return Ok(text) };
        let Some(pairs) = form_pairs(query) else {
            return takes("a query such as `?kind=pix&limit=50`, encoded as in a form");
        };
        // What is asked about would be there twice, and each reader would take another one.
        let amount = match self.name {
            "fee_preview" => Some(self.text("amount")?),
            _ => None,
        };
        match pairs.iter().find(|(name, _)| Some(name) == amount.as_ref()) {
            Some((name, _)) => takes(&format!("a query without `{name}`: the amount is put there")),
            None => Ok(text),
        }
    }

    /// The way the body is written; what has no body has no such line.
    fn encoding(&self) -> Result<Encoding, ContractError> {
        if self.name == "domains" {
            return Ok(Encoding::Json);
        }
        let encodings = [("json", Encoding::Json), ("form", Encoding::Form)];
        self.settings.word(&self.setting_name("encoding"), &encodings)
    }

    /// The field that carries the idempotency key in the body, if the contract wants one.
    pub(super) fn key_field(&self, form: &BodySpec) -> Result<Option<FieldSpec>, ContractError> {
        let setting = self.setting_name("key_in_body");
        let Some(pointer) = self.settings.text_if_any(&setting)?.filter(|text| !text.is_empty())
        else {
            return Ok(None);
        };
        let name = pointer.strip_prefix('/').filter(|name| !name.contains('~'));
        let Some(name) = name.filter(|name| !name.split('/').any(str::is_empty)) else {
            return Err(self.settings.takes(&setting, "a JSON Pointer to a member, such as `/id`"));
        };
        if let Some(other) = form.fields.iter().find(|other| collide(name, &other.name)) {
            let wanted = format!("a member of its own; `{}` is a field of the body", other.name);
            return Err(self.settings.takes(&setting, &wanted));
        }
        Ok(Some(FieldSpec {
            id: KEY_FIELD.to_owned(),
            name: name.to_owned(),
            kind: FieldKind::RequestKey,
            label_pt: name.to_owned(),
            label_en: name.to_owned(),
            required: true,
            choices: vec![],
            pattern: None,
            shortest: None,
            longest: None,
            default: None,
            plus: true,
            sent: true,
        }))
    }

    /// The headers in which a credential of this kind is sent.
    fn credential_headers(
        &self,
        kind: CredentialKind,
    ) -> Result<Vec<CredentialHeader>, ContractError> {
        let setting = match kind {
            CredentialKind::Jwt => "credential.jwt.headers",
            CredentialKind::ApiToken => "credential.api-token.headers",
        };
        let read = |text: &String| {
            CredentialHeader::parse(text).ok_or_else(|| {
                let wanted = format!(
                    "headers such as `Authorization: Bearer {{}}` or `X-Key: {{1}}`; `{text}` is \
                     none that a credential can have"
                );
                self.settings.takes(setting, &wanted)
            })
        };
        let texts = self.settings.texts_or(setting, &[])?;
        let headers: Vec<_> = texts.iter().map(read).collect::<Result<_, ContractError>>()?;
        let twice = twice(headers.iter().map(|header| &*header.name));
        match (headers.is_empty(), twice) {
            (true, _) => Err(self.settings.takes(setting, "at least one header")),
            (_, Some(name)) => {
                let wanted = format!("each header once; `{name}` is there twice");
                Err(self.settings.takes(setting, &wanted))
            }
            (false, None) => Ok(headers),
        }
    }

    /// The headers of every credential: no other header may have one of their names.
    pub(super) fn every_credential_header(&self) -> Result<Vec<CredentialHeader>, ContractError> {
        let mut all = self.credential_headers(CredentialKind::Jwt)?;
        all.extend(self.credential_headers(CredentialKind::ApiToken)?);
        Ok(all)
    }

    /// The headers with values of their own: those of every request, then this operation's.
    fn fixed_headers(&self) -> Result<Vec<FixedHeader>, ContractError> {
        let credentials = self.every_credential_header()?;
        let only = WithdrawalOnly::read(self.settings)?;
        let mut headers: Vec<FixedHeader> = Vec::new();
        for setting in ["request.headers", &self.setting_name("headers")] {
            for text in self.settings.texts_or(setting, &[])? {
                let takes = |wanted: &str| Err(self.settings.takes(setting, wanted));
                let Some(header) = FixedHeader::parse(&text) else {
                    return takes(&format!("headers such as `X-Store: 12`; `{text}` is none"));
                };
                let name = &header.name;
                let mut names = credentials.iter().map(|header| &header.name);
                let is_taken = names.any(|other| is_same_header(name, other));
                if is_reserved_header(name) || is_taken || only.has_header(name) {
                    return takes(&format!("headers of their own; `{name}` has another use"));
                }
                if headers.iter().any(|other| is_same_header(name, &other.name)) {
                    return takes(&format!("each header once; `{name}` is there twice"));
                }
                headers.push(header);
            }
        }
        Ok(headers)
    }

    pub(super) fn credential(&self) -> Result<CredentialKind, ContractError> {
        let kinds = [("jwt", CredentialKind::Jwt), ("api-token", CredentialKind::ApiToken)];
        self.settings.word(&self.setting_name("credential"), &kinds)
    }

    /// The lines `unit`, `amount_sent` and, where a reply has amounts, `amount_read`.
    pub(super) fn amounts(&self) -> Result<AmountFormat, ContractError> {
        let units = [("reais", Unit::Reais), ("centavos", Unit::Centavos)];
        let sent = [
            ("number", SentAmounts::Number),
            ("text", SentAmounts::Text),
            ("text-comma", SentAmounts::TextComma),
        ];
        let read = [
            ("point", ReadAmounts::Point),
            ("comma", ReadAmounts::Comma),
            ("either", ReadAmounts::Either),
        ];
        let unit = self.settings.word(&self.setting_name("unit"), &units)?;
        let sent = self.settings.word(&self.setting_name("amount_sent"), &sent)?;
        if unit == Unit::Centavos && sent == SentAmounts::TextComma {
            let wanted = "`number` or `text` where `unit` is `centavos`: they have no comma";
            return Err(self.settings.takes(&self.setting_name("amount_sent"), wanted));
        }
        let read = match self.name {
            "fee_preview" | "withdrawal" => {
                self.settings.word(&self.setting_name("amount_read"), &read)?
            }
            _ => ReadAmounts::Point,
        };
        Ok(AmountFormat { unit, sent, read })
    }

    pub(super) fn header_if_any(&self, key: &str) -> Result<Option<String>, ContractError> {
        let setting = self.setting_name(key);
        let header = self.settings.text_if_any(&setting)?.filter(|header| !header.is_empty());
        match header {
            Some(header) if !is_header_name(&header) => {
                Err(self.settings.takes(&setting, "the name of a header"))
            }
            header => Ok(header),
        }
    }

    pub(super) fn root(&self) -> Vec<Pointer> {
        Pointer::parse("").into_iter().collect()
    }

    pub(super) fn places(&self, key: &str) -> Result<JsonPaths, ContractError> {
        let under = self.setting_name("under");
        let mut bases = self.settings.pointers(&under)?;
        if bases.is_empty() {
            bases = self.root();
        }
        let setting = self.setting_name(key);
        Ok(JsonPaths::new(&setting, &bases, &self.settings.pointers(&setting)?))
    }

    /// The lines by which a success says that it is none.
    pub(super) fn failed(&self) -> Result<Failed, ContractError> {
        Ok(Failed {
            words: self.settings.texts_or(&self.setting_name("failed_words"), &[])?,
            error: self.places("failed_error")?,
            code: self.places("failed_code")?,
            flag: self.places("failed_flag")?,
        })
    }

    /// The lines about the pages of a list.
    pub(super) fn pages(&self) -> Result<Pages, ContractError> {
        let styles = [
            ("none", PageStyle::None),
            ("number", PageStyle::Number),
            ("cursor", PageStyle::Cursor),
            ("link", PageStyle::Link),
        ];
        let style = self.settings.word(&self.setting_name("pages"), &styles)?;
        let next = self.in_entry("next_page")?;
        if matches!(style, PageStyle::Cursor | PageStyle::Link) && next.is_empty() {
            let wanted = "`none` or `number` where `next_page` says no place";
            return Err(self.settings.takes(&self.setting_name("pages"), wanted));
        }
        let first = self.settings.whole_if_any(&self.setting_name("first_page"))?.unwrap_or(1);
        let setting = self.setting_name("most_pages");
        let most = self.settings.whole_if_any(&setting)?.unwrap_or(10);
        if !(1..=100).contains(&most) {
            return Err(self.settings.takes(&setting, "a number from 1 to 100"));
        }
        Ok(Pages { style, parameter: self.text("page_parameter")?, first, next, most })
    }

    /// Places inside one entry of a list.
    pub(super) fn in_entry(&self, key: &str) -> Result<JsonPaths, ContractError> {
        let setting = self.setting_name(key);
        Ok(JsonPaths::new(&setting, &self.root(), &self.settings.pointers(&setting)?))
    }

    /// A line that names one of the body's fields.
    pub(super) fn field_id(&self, key: &str, form: &BodySpec) -> Result<String, ContractError> {
        let id = self.text(key)?;
        match form.field(&id) {
            Some(_) => Ok(id),
            None => Err(self
                .settings
                .takes(&self.setting_name(key), "the id of one of the body's fields")),
        }
    }

    /// The fields the body names, in its order. Others may be declared and wait.
    pub(super) fn form(&self, amounts: AmountFormat) -> Result<BodySpec, ContractError> {
        let setting = self.setting_name("body");
        let ids = self.settings.texts_or(&setting, &[])?;
        let declared = self.settings.ids(&self.setting_name("field."));
        let mut declared: Vec<FieldSpec> =
            declared.iter().map(|id| self.field(id)).collect::<Result<_, ContractError>>()?;
        let mut take = |id: &String| match declared.iter().position(|field| field.id == *id) {
            Some(at) => Ok(declared.swap_remove(at)),
            // Not declared, or named twice: reading it says which.
            None => self.field(id),
        };
        let fields =
            ids.iter().map(&mut take).collect::<Result<Vec<FieldSpec>, ContractError>>()?;
        for (i, field) in fields.iter().enumerate() {
            if fields[..i].iter().any(|other| collide(&field.name, &other.name)) {
                let wanted = format!("each name once; `{}` is there twice", field.name);
                return Err(self.settings.takes(&setting, &wanted));
            }
        }
        let needs = |kind, other| {
            fields.iter().any(|field: &FieldSpec| field.kind == kind)
                && !fields.iter().any(|field| field.kind == other)
        };
        let mut secrets = fields.iter().filter(|field| field.kind == FieldKind::Secret);
        match self.name {
            // What is typed into any other field is seen on the screen.
            "login" if !secrets.any(|field| field.sent) => {
                let wanted = "a field of kind `secret`, for the password";
                return Err(self.settings.takes(&setting, wanted));
            }
            // Other bodies are kept, and shown; a secret in them would be too.
            name if name != "login" && secrets.next().is_some() => {
                return Err(self.settings.takes(&setting, "secrets only in the login"));
            }
            _ => {}
        }
        if needs(FieldKind::PixKey, FieldKind::PixKeyKind) {
            let wanted = "a key's kind beside the key; `sent = false` keeps it out of the body";
            return Err(self.settings.takes(&setting, wanted));
        }
        if needs(FieldKind::DocumentKind, FieldKind::Document) {
            return Err(self.settings.takes(&setting, "a document beside the document's kind"));
        }
        Ok(BodySpec { fields, encoding: self.encoding()?, amounts, identity: None })
    }

    fn field(&self, id: &str) -> Result<FieldSpec, ContractError> {
        let setting = |key: &str| [self.name, ".field.", id, ".", key].concat();
        let name = self.settings.text(&setting("name"))?;
        if name.split('/').any(str::is_empty) {
            return Err(self.settings.takes(&setting("name"), "a name, or names with `/` between"));
        }
        let kind = self.settings.word(&setting("kind"), &KINDS)?;
        let pattern = match self.settings.text_if_any(&setting("pattern"))? {
            None => None,
            Some(text) => Some(Pattern::parse(&text).ok_or_else(|| {
                self.settings.takes(&setting("pattern"), "characters and ranges, such as `0-9A-F`")
            })?),
        };
        let label_en = self.settings.text_if_any(&setting("label.en"))?;
        let label_pt = self.settings.text_if_any(&setting("label.pt-BR"))?;
        let default = self.settings.text_if_any(&setting("default"))?;
        if kind == FieldKind::Fixed && default.is_none() {
            return Err(self
                .settings
                .wrong(&setting("kind"), Problem::Missing(setting("default"))));
        }
        Ok(FieldSpec {
            id: id.to_owned(),
            label_pt: label_pt.or(label_en.clone()).unwrap_or_else(|| name.clone()),
            label_en: label_en.unwrap_or_else(|| name.clone()),
            name,
            kind,
            required: self.settings.flag_or(&setting("required"), false)?,
            choices: self.choices(id, kind)?,
            pattern,
            shortest: self.settings.whole_if_any(&setting("shortest"))?,
            longest: self.settings.whole_if_any(&setting("longest"))?,
            default,
            plus: self.settings.flag_or(&setting("plus"), true)?,
            sent: self.settings.flag_or(&setting("sent"), true)?,
        })
    }

    fn choices(&self, id: &str, kind: FieldKind) -> Result<Vec<FieldOption>, ContractError> {
        let setting = |key: &str| [self.name, ".field.", id, ".", key].concat();
        if matches!(kind, FieldKind::PixKeyKind | FieldKind::DocumentKind) {
            let mut choices = Vec::new();
            for kind in PixKeyKind::ALL {
                let id = key_kind_id(kind);
                if let Some(word) = self.settings.text_if_any(&setting(&format!("words.{id}")))? {
                    choices.push(FieldOption { id: id.to_owned(), word });
                }
            }
            return Ok(choices);
        }
        let words = self.settings.texts_or(&setting("choices"), &[])?;
        if kind == FieldKind::Choice && words.is_empty() {
            return Err(self
                .settings
                .wrong(&setting("kind"), Problem::Missing(setting("choices"))));
        }
        Ok(words.into_iter().map(|word| FieldOption { id: word.clone(), word }).collect())
    }
}

const KINDS: [(&str, FieldKind); 11] = [
    ("text", FieldKind::Text),
    ("email", FieldKind::Email),
    ("secret", FieldKind::Secret),
    ("amount", FieldKind::Amount),
    ("pix-key-kind", FieldKind::PixKeyKind),
    ("pix-key", FieldKind::PixKey),
    ("choice", FieldKind::Choice),
    ("document", FieldKind::Document),
    ("document-kind", FieldKind::DocumentKind),
    ("phone", FieldKind::Phone),
    ("fixed", FieldKind::Fixed),
];

/// The first name that stands twice.
fn twice<'n>(names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if seen.iter().any(|other| is_same_header(name, other)) {
            return Some(name);
        }
        seen.push(name);
    }
    None
}

/// Returns true when two names cannot be in one body: equal, or one inside a value of the other.
fn collide(one: &str, other: &str) -> bool {
    let inside = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
    };
    one == other || inside(one, other) || inside(other, one)
}
