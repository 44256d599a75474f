//! Each operation read from its lines.

use std::time::Duration;

use super::body::BodySpec;
use super::expiry::Expiry;
use super::field::{FieldKind, FieldOption, FieldSpec, Pattern, key_kind_id};
use super::headers::is_reserved_header;
use super::pointer::{JsonPaths, Pointer};
use super::settings::{ContractError, ContractSettings, Problem};
use super::{
    Call, Contract, CreateLinkSpec, DirectPaymentSpec, DomainsSpec, ErrorBody, Failed,
    FeePreviewSpec, LoginSpec, Method, Unit, WithdrawalSpec,
};
use crate::trade::{CredentialKind, KeyFormat, PixKeyKind};

/// The service may be at work on the attempt before for this long; its documentation does not rule
/// that out.
pub(super) const LEAST_RESEND_AFTER: u32 = 30;

/// A longer retention is only believed with the place where the service promises it.
pub(super) const RETENTION_WITHOUT_SOURCE: u32 = 600;

/// No promise is believed for longer than this.
const LONGEST_RETENTION: u32 = 24 * 60 * 60;

/// Returns the time for which a service is taken to remember a key, from the seconds in the file.
pub(super) fn retention_of(seconds: u32) -> Duration {
    Duration::from_secs(seconds.min(LONGEST_RETENTION).into())
}

/// Reads the whole contract; a line that nothing asked for is an error.
pub(super) fn read(settings: ContractSettings) -> Result<Contract, ContractError> {
    let login = login(&settings)?;
    let domains = domains(&settings)?;
    let create_link = create_link(&settings)?;
    let direct_payment = direct_payment(&settings)?;
    let fee_preview = fee_preview(&settings)?;
    let withdrawal = withdrawal(&settings)?;
    let root = [Pointer::parse("").expect("the empty pointer is one")];
    let error = ErrorBody {
        message: JsonPaths::new("error.message", &root, &settings.pointers("error.message")?),
        hint: JsonPaths::new("error.hint", &root, &settings.pointers("error.hint")?),
    };
    let claims = settings.claims;
    let settings = settings.finish()?;
    Ok(Contract {
        login,
        domains,
        create_link,
        direct_payment,
        fee_preview,
        withdrawal,
        error,
        settings,
        shipped: None,
        claims,
    })
}

fn login(settings: &ContractSettings) -> Result<LoginSpec, ContractError> {
    let at = OperationSettings { settings, name: "login" };
    let form = at.form(Unit::Reais)?;
    let identity = at.field_id("identity", &form)?;
    if form.field(&identity).is_some_and(|field| field.kind == FieldKind::Secret) {
        return Err(settings.takes("login.identity", "a field that is not a secret"));
    }
    Ok(LoginSpec {
        call: at.call(None)?,
        form,
        identity,
        token: at.places("token")?,
        token_header: at.header_if_any("token_header")?,
        expiry: Expiry { seconds: at.places("expires_in")?, date: at.places("expires_at")? },
        jwt: at.places("jwt")?,
    })
}

fn domains(settings: &ContractSettings) -> Result<DomainsSpec, ContractError> {
    let at = OperationSettings { settings, name: "domains" };
    Ok(DomainsSpec {
        call: at.call(Some(at.credential()?))?,
        list: JsonPaths::new("domains.under", &settings.pointers("domains.under")?, &at.root()),
        host: at.in_entry("host")?,
        state: at.in_entry("state")?,
        active_words: settings.texts_or("domains.active_words", &[])?,
        default: at.in_entry("default")?,
    })
}

fn create_link(settings: &ContractSettings) -> Result<CreateLinkSpec, ContractError> {
    let at = OperationSettings { settings, name: "create_link" };
    Ok(CreateLinkSpec {
        call: at.call(Some(at.credential()?))?,
        unit: at.unit()?,
        amount: at.text("amount")?,
        description: at.text("description")?,
        domain: at.text("domain")?,
        url: at.places("url")?,
    })
}

fn direct_payment(settings: &ContractSettings) -> Result<DirectPaymentSpec, ContractError> {
    let at = OperationSettings { settings, name: "direct_payment" };
    let form = at.form(at.unit()?)?;
    Ok(DirectPaymentSpec {
        call: at.call(Some(at.credential()?))?,
        customer: at.text("customer")?,
        form,
        id: at.places("id")?,
        status: at.places("status")?,
        pix_code: at.places("pix_code")?,
        expires: at.places("expires")?,
    })
}

fn fee_preview(settings: &ContractSettings) -> Result<FeePreviewSpec, ContractError> {
    let at = OperationSettings { settings, name: "fee_preview" };
    Ok(FeePreviewSpec {
        call: at.call(Some(at.credential()?))?,
        unit: at.unit()?,
        amount: at.text("amount")?,
        fee: at.places("fee")?,
        net: at.places("net")?,
        echo_amount: at.places("echo_amount")?,
    })
}

fn withdrawal(settings: &ContractSettings) -> Result<WithdrawalSpec, ContractError> {
    let at = OperationSettings { settings, name: "withdrawal" };
    let form = at.form(at.unit()?)?;
    let mut amounts = form.fields.iter().filter(|field| field.kind == FieldKind::Amount);
    let (Some(amount), None) = (amounts.next(), amounts.next()) else {
        return Err(settings.takes("withdrawal.body", "exactly one amount"));
    };
    if !amount.sent {
        // The service would take an amount that nobody agreed to.
        return Err(settings.takes("withdrawal.body", "an amount that is sent"));
    }
    let formats =
        [("plain", KeyFormat::Plain), ("quoted", KeyFormat::Quoted), ("simple", KeyFormat::Simple)];
    let setting = "withdrawal.key_header";
    let key_header =
        at.header_if_any("key_header")?.ok_or_else(|| settings.takes(setting, "a header"))?;
    if is_reserved_header(&key_header) {
        let wanted = format!("a header of the key's own; `{key_header}` has another use");
        return Err(settings.takes(setting, &wanted));
    }
    Ok(WithdrawalSpec {
        call: at.call(Some(at.credential()?))?,
        form,
        key_header,
        key_format: settings.word("withdrawal.key_format", &formats)?,
        retention: retention(settings)?,
        resend_after: resend_after(settings)?,
        empty_success: settings.flag_or("withdrawal.empty_success", false)?,
        id: at.places("id")?,
        status: at.places("status")?,
        end_to_end: at.places("end_to_end")?,
        receipt: at.places("receipt")?,
        echo_amount: at.places("echo_amount")?,
        echo_destination: at.places("echo_destination")?,
        failed: Failed {
            words: settings.texts_or("withdrawal.failed_words", &[])?,
            error: at.places("failed_error")?,
            code: at.places("failed_code")?,
            flag: at.places("failed_flag")?,
        },
    })
}

fn resend_after(settings: &ContractSettings) -> Result<Duration, ContractError> {
    let setting = "withdrawal.resend_after_seconds";
    let seconds = settings.whole_if_any(setting)?.unwrap_or(LEAST_RESEND_AFTER);
    if seconds < LEAST_RESEND_AFTER {
        let wanted = "30 or more: a service may be at work on the attempt before";
        return Err(settings.takes(setting, wanted));
    }
    Ok(Duration::from_secs(seconds.into()))
}

fn retention(settings: &ContractSettings) -> Result<Duration, ContractError> {
    let setting = "withdrawal.retention_seconds";
    let source = settings.text_if_any("withdrawal.retention_source")?.unwrap_or_default();
    let seconds = settings.whole_if_any(setting)?.unwrap_or(RETENTION_WITHOUT_SOURCE);
    if seconds > RETENTION_WITHOUT_SOURCE && source.trim().is_empty() {
        let wanted = "more than 600 only with `retention_source`: where the service promises it";
        return Err(settings.takes(setting, wanted));
    }
    Ok(retention_of(seconds))
}

/// The settings of one operation.
struct OperationSettings<'a> {
    settings: &'a ContractSettings,
    name: &'a str,
}

impl OperationSettings<'_> {
    // Put together by hand here and below: some hundred names are made before the first frame, and
    // the machinery of `format!` took a third of the whole reading.
    fn setting_name(&self, key: &str) -> String {
        [self.name, ".", key].concat()
    }

    fn text(&self, key: &str) -> Result<String, ContractError> {
        let setting = self.setting_name(key);
        let text = self.settings.text(&setting)?;
        if text.is_empty() { Err(self.settings.takes(&setting, "a text")) } else { Ok(text) }
    }

    fn call(&self, credential: Option<CredentialKind>) -> Result<Call, ContractError> {
        let methods = [("GET", Method::Get), ("POST", Method::Post)];
        let method = self.settings.word(&self.setting_name("method"), &methods)?;
        if method == Method::Get && self.name != "fee_preview" && self.name != "domains" {
            return Err(self.settings.takes(&self.setting_name("method"), "`POST`"));
        }
        let path = self.text("path")?;
        let is_plain = path.bytes().all(|b| b.is_ascii_graphic() && !b"?#\\".contains(&b));
        if !path.starts_with('/') || path.starts_with("//") || !is_plain {
            let setting = self.setting_name("path");
            return Err(self.settings.takes(&setting, "a path from `/` on, without query"));
        }
        let success = self.settings.statuses(&self.setting_name("success"))?;
        Ok(Call { method, path, credential, success })
    }

    fn credential(&self) -> Result<CredentialKind, ContractError> {
        let kinds = [("jwt", CredentialKind::Jwt), ("api-token", CredentialKind::ApiToken)];
        self.settings.word(&self.setting_name("credential"), &kinds)
    }

    fn unit(&self) -> Result<Unit, ContractError> {
        let units = [("reais", Unit::Reais), ("centavos", Unit::Centavos)];
        self.settings.word(&self.setting_name("unit"), &units)
    }

    fn header_if_any(&self, key: &str) -> Result<Option<String>, ContractError> {
        let setting = self.setting_name(key);
        let header = self.settings.text_if_any(&setting)?.filter(|header| !header.is_empty());
        let is_name = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
        match header {
            Some(header) if !header.bytes().all(is_name) => {
                Err(self.settings.takes(&setting, "the name of a header"))
            }
            header => Ok(header),
        }
    }

    fn root(&self) -> Vec<Pointer> {
        Pointer::parse("").into_iter().collect()
    }

    fn places(&self, key: &str) -> Result<JsonPaths, ContractError> {
        let under = self.setting_name("under");
        let mut bases = self.settings.pointers(&under)?;
        if bases.is_empty() {
            bases = self.root();
        }
        let setting = self.setting_name(key);
        Ok(JsonPaths::new(&setting, &bases, &self.settings.pointers(&setting)?))
    }

    /// Places inside one entry of a list.
    fn in_entry(&self, key: &str) -> Result<JsonPaths, ContractError> {
        let setting = self.setting_name(key);
        Ok(JsonPaths::new(&setting, &self.root(), &self.settings.pointers(&setting)?))
    }

    /// A line that names one of the body's fields.
    fn field_id(&self, key: &str, form: &BodySpec) -> Result<String, ContractError> {
        let id = self.text(key)?;
        match form.field(&id) {
            Some(_) => Ok(id),
            None => Err(self
                .settings
                .takes(&self.setting_name(key), "the id of one of the body's fields")),
        }
    }

    /// The fields the body names, in its order. Others may be declared and wait.
    fn form(&self, unit: Unit) -> Result<BodySpec, ContractError> {
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
        let has_secret = fields.iter().any(|field| field.kind == FieldKind::Secret);
        if has_secret && self.name != "login" {
            // Other bodies are kept, and shown; a secret in them would be too.
            return Err(self.settings.takes(&setting, "secrets only in the login"));
        }
        if needs(FieldKind::PixKey, FieldKind::PixKeyKind) {
            let wanted = "a key's kind beside the key; `sent = false` keeps it out of the body";
            return Err(self.settings.takes(&setting, wanted));
        }
        if needs(FieldKind::DocumentKind, FieldKind::Document) {
            return Err(self.settings.takes(&setting, "a document beside the document's kind"));
        }
        Ok(BodySpec { fields, unit })
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

/// Returns true when two names cannot be in one body: equal, or one inside a value of the other.
fn collide(one: &str, other: &str) -> bool {
    let inside = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
    };
    one == other || inside(one, other) || inside(other, one)
}
