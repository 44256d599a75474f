//! The fields of a body, read from their lines.

use super::OperationSettings;
use crate::contract::amount_format::AmountFormat;
use crate::contract::body::BodySpec;
use crate::contract::field::{FieldKind, FieldOption, FieldSpec, KEY_FIELD, Pattern, key_kind_id};
use crate::contract::settings::ContractError;
use crate::trade::{Operation, PixKeyKind};

impl OperationSettings<'_> {
    /// The fields the body names, in its order. Others may be declared and wait.
    pub(super) fn form(&self, amounts: AmountFormat) -> Result<BodySpec, ContractError> {
        for id in self.settings.ids(&self.setting("field.")) {
            self.field(&id)?;
        }
        let ids = self.texts("body")?;
        let fields = ids.iter().map(|id| self.field(id)).collect::<Result<Vec<_>, _>>()?;
        for (i, field) in fields.iter().enumerate() {
            if fields[..i].iter().any(|other| collide(&field.name, &other.name)) {
                let wanted = format!("each name once; `{}` is there twice", field.name);
                return self.takes("body", &wanted);
            }
        }
        let has = |kind| fields.iter().any(|field| field.kind == kind);
        let mut secrets = fields.iter().filter(|field| field.kind == FieldKind::Secret);
        match self.operation {
            // What is typed into any other field is seen on the screen.
            Operation::Login if !secrets.any(|field| field.sent) => {
                return self.takes("body", "a field of kind `secret`, for the password");
            }
            Operation::Login => {}
            // Other bodies are kept, and shown; a secret in them would be too.
            _ if has(FieldKind::Secret) => {
                return self.takes("body", "secrets only in the login");
            }
            _ => {}
        }
        if has(FieldKind::PixKey) && !has(FieldKind::PixKeyKind) {
            let wanted = "a key's kind beside the key; `sent = false` keeps it out of the body";
            return self.takes("body", wanted);
        }
        if has(FieldKind::DocumentKind) && !has(FieldKind::Document) {
            return self.takes("body", "a document beside the document's kind");
        }
        Ok(BodySpec { fields, encoding: self.encoding()?, amounts, identity: None })
    }

    fn field(&self, id: &str) -> Result<FieldSpec, ContractError> {
        let key = |key: &str| ["field.", id, ".", key].concat();
        let (name, kind) = (self.get::<String>(&key("name"))?, self.get(&key("kind"))?);
        if name.split('/').any(str::is_empty) {
            return self.takes(&key("name"), "a name, or names with `/` between");
        }
        let pattern = match self.get_if_any::<String>(&key("pattern"))? {
            None => None,
            Some(text) => match Pattern::parse(&text) {
                Some(pattern) => Some(pattern),
                None => {
                    let wanted = "characters and ranges, such as `0-9A-F`";
                    return self.takes(&key("pattern"), wanted);
                }
            },
        };
        let label_en = self.get_if_any(&key("label.en"))?.unwrap_or_else(|| name.clone());
        let label_pt = self.get_if_any(&key("label.pt-BR"))?;
        let field = FieldSpec {
            label_pt: label_pt.unwrap_or_else(|| label_en.clone()),
            label_en,
            required: self.get_if_any(&key("required"))?.unwrap_or(false),
            choices: self.choices(id, kind)?,
            pattern,
            shortest: self.get_if_any(&key("shortest"))?,
            longest: self.get_if_any(&key("longest"))?,
            default: self.get_if_any(&key("default"))?,
            plus: self.get_if_any(&key("plus"))?.unwrap_or(true),
            sent: self.get_if_any(&key("sent"))?.unwrap_or(true),
            ..FieldSpec::new(id, &name, kind)
        };
        let missing = match kind {
            FieldKind::Fixed if field.default.is_none() => "default",
            FieldKind::Choice if field.choices.is_empty() => "choices",
            _ => return Ok(field),
        };
        let missing = format!("the line `{}` is missing", self.setting(&key(missing)));
        Err(self.settings.wrong(&self.setting(&key("kind")), missing))
    }

    fn choices(&self, id: &str, kind: FieldKind) -> Result<Vec<FieldOption>, ContractError> {
        let key = |key: &str| ["field.", id, ".", key].concat();
        if !matches!(kind, FieldKind::PixKeyKind | FieldKind::DocumentKind) {
            let words = self.texts(&key("choices"))?.into_iter();
            return Ok(words.map(|word| FieldOption { id: word.clone(), word }).collect());
        }
        let mut choices = Vec::new();
        for id in PixKeyKind::ALL.map(key_kind_id) {
            let word = self.get_if_any(&key(&["words.", id].concat()))?;
            choices.extend(word.map(|word| FieldOption { id: id.to_owned(), word }));
        }
        Ok(choices)
    }

    /// The field that carries the idempotency key in the body, if the contract wants one.
    pub(super) fn key_field(&self, form: &BodySpec) -> Result<Option<FieldSpec>, ContractError> {
        let pointer: String = self.get("key_in_body")?;
        if pointer.is_empty() {
            return Ok(None);
        }
        let name = pointer.strip_prefix('/').filter(|name| !name.contains('~'));
        let Some(name) = name.filter(|name| !name.split('/').any(str::is_empty)) else {
            return self.takes("key_in_body", "a JSON Pointer to a member, such as `/id`");
        };
        if let Some(other) = form.fields.iter().find(|other| collide(name, &other.name)) {
            let wanted = format!("a member of its own; `{}` is a field of the body", other.name);
            return self.takes("key_in_body", &wanted);
        }
        let field = FieldSpec::new(KEY_FIELD, name, FieldKind::RequestKey);
        Ok(Some(FieldSpec { required: true, ..field }))
    }
}

/// Returns true when two names cannot be in one body: equal, or one inside a value of the other.
fn collide(one: &str, other: &str) -> bool {
    let inside = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
    };
    one == other || inside(one, other) || inside(other, one)
}
