//! Each operation read from its lines.

use std::time::Duration;

use super::body::Form;
use super::expiry::Expiry;
use super::field::{Choice, Field, FieldKind, Pattern, key_kind_id};
use super::headers::is_reserved_header;
use super::lines::{ContractError, Lines, Problem};
use super::pointer::{Places, Pointer};
use super::{
    Call, Contract, CreateLink, DirectPayment, Domains, ErrorBody, Failed, FeePreview, Login,
    Method, Unit, Withdrawal,
};
use crate::trade::{CredentialKind, KeyFormat, PixKeyKind};

/// The service may be at work on the attempt before for so long; nobody documents that it is not.
pub(super) const LEAST_RESEND_AFTER: u32 = 30;

/// A longer retention is only believed with the place where the service promises it.
pub(super) const RETENTION_WITHOUT_SOURCE: u32 = 600;

/// No promise is believed for longer than this.
const LONGEST_RETENTION: u32 = 24 * 60 * 60;

/// How long a service is taken to remember a key that says so many seconds.
pub(super) fn retention_of(seconds: u32) -> Duration {
    Duration::from_secs(seconds.min(LONGEST_RETENTION).into())
}

/// Reads the whole contract; a line that nothing asked for is an error.
pub(super) fn read(lines: Lines) -> Result<Contract, ContractError> {
    let login = login(&lines)?;
    let domains = domains(&lines)?;
    let create_link = create_link(&lines)?;
    let direct_payment = direct_payment(&lines)?;
    let fee_preview = fee_preview(&lines)?;
    let withdrawal = withdrawal(&lines)?;
    let root = [Pointer::parse("").expect("the empty pointer is one")];
    let error = ErrorBody {
        message: Places::new("error.message", &root, &lines.pointers("error.message")?),
        hint: Places::new("error.hint", &root, &lines.pointers("error.hint")?),
    };
    let claims = lines.claims;
    let lines = lines.finish()?;
    Ok(Contract {
        login,
        domains,
        create_link,
        direct_payment,
        fee_preview,
        withdrawal,
        error,
        lines,
        shipped: None,
        claims,
    })
}

fn login(lines: &Lines) -> Result<Login, ContractError> {
    let at = Section { lines, name: "login" };
    let form = at.form(Unit::Reais)?;
    let identity = at.field_id("identity", &form)?;
    if form.field(&identity).is_some_and(|field| field.kind == FieldKind::Secret) {
        return Err(lines.takes("login.identity", "a field that is not a secret"));
    }
    Ok(Login {
        call: at.call(None)?,
        form,
        identity,
        token: at.places("token")?,
        token_header: at.header_if_any("token_header")?,
        expiry: Expiry { seconds: at.places("expires_in")?, date: at.places("expires_at")? },
        jwt: at.places("jwt")?,
    })
}

fn domains(lines: &Lines) -> Result<Domains, ContractError> {
    let at = Section { lines, name: "domains" };
    Ok(Domains {
        call: at.call(Some(at.credential()?))?,
        list: Places::new("domains.under", &lines.pointers("domains.under")?, &at.root()),
        host: at.in_entry("host")?,
        state: at.in_entry("state")?,
        active_words: lines.texts_or("domains.active_words", &[])?,
        default: at.in_entry("default")?,
    })
}

fn create_link(lines: &Lines) -> Result<CreateLink, ContractError> {
    let at = Section { lines, name: "create_link" };
    Ok(CreateLink {
        call: at.call(Some(at.credential()?))?,
        unit: at.unit()?,
        amount: at.text("amount")?,
        description: at.text("description")?,
        domain: at.text("domain")?,
        url: at.places("url")?,
    })
}

fn direct_payment(lines: &Lines) -> Result<DirectPayment, ContractError> {
    let at = Section { lines, name: "direct_payment" };
    let form = at.form(at.unit()?)?;
    Ok(DirectPayment {
        call: at.call(Some(at.credential()?))?,
        customer: at.text("customer")?,
        form,
        id: at.places("id")?,
        status: at.places("status")?,
        pix_code: at.places("pix_code")?,
        expires: at.places("expires")?,
    })
}

fn fee_preview(lines: &Lines) -> Result<FeePreview, ContractError> {
    let at = Section { lines, name: "fee_preview" };
    Ok(FeePreview {
        call: at.call(Some(at.credential()?))?,
        unit: at.unit()?,
        amount: at.text("amount")?,
        fee: at.places("fee")?,
        net: at.places("net")?,
        echo_amount: at.places("echo_amount")?,
    })
}

fn withdrawal(lines: &Lines) -> Result<Withdrawal, ContractError> {
    let at = Section { lines, name: "withdrawal" };
    let form = at.form(at.unit()?)?;
    let mut amounts = form.fields.iter().filter(|field| field.kind == FieldKind::Amount);
    let (Some(amount), None) = (amounts.next(), amounts.next()) else {
        return Err(lines.takes("withdrawal.body", "exactly one amount"));
    };
    if !amount.sent {
        // The service would take an amount that nobody agreed to.
        return Err(lines.takes("withdrawal.body", "an amount that is sent"));
    }
    let formats =
        [("plain", KeyFormat::Plain), ("quoted", KeyFormat::Quoted), ("simple", KeyFormat::Simple)];
    let line = "withdrawal.key_header";
    let key_header =
        at.header_if_any("key_header")?.ok_or_else(|| lines.takes(line, "a header"))?;
    if is_reserved_header(&key_header) {
        let wanted = format!("a header of the key's own; `{key_header}` has another use");
        return Err(lines.takes(line, &wanted));
    }
    Ok(Withdrawal {
        call: at.call(Some(at.credential()?))?,
        form,
        key_header,
        key_format: lines.word("withdrawal.key_format", &formats)?,
        retention: retention(lines)?,
        resend_after: resend_after(lines)?,
        empty_success: lines.flag_or("withdrawal.empty_success", false)?,
        id: at.places("id")?,
        status: at.places("status")?,
        end_to_end: at.places("end_to_end")?,
        receipt: at.places("receipt")?,
        echo_amount: at.places("echo_amount")?,
        echo_destination: at.places("echo_destination")?,
        failed: Failed {
            words: lines.texts_or("withdrawal.failed_words", &[])?,
            error: at.places("failed_error")?,
            code: at.places("failed_code")?,
            flag: at.places("failed_flag")?,
        },
    })
}

fn resend_after(lines: &Lines) -> Result<Duration, ContractError> {
    let line = "withdrawal.resend_after_seconds";
    let seconds = lines.whole_if_any(line)?.unwrap_or(LEAST_RESEND_AFTER);
    if seconds < LEAST_RESEND_AFTER {
        let wanted = "30 or more: a service may be at work on the attempt before";
        return Err(lines.takes(line, wanted));
    }
    Ok(Duration::from_secs(seconds.into()))
}

fn retention(lines: &Lines) -> Result<Duration, ContractError> {
    let line = "withdrawal.retention_seconds";
    let source = lines.text_if_any("withdrawal.retention_source")?.unwrap_or_default();
    let seconds = lines.whole_if_any(line)?.unwrap_or(RETENTION_WITHOUT_SOURCE);
    if seconds > RETENTION_WITHOUT_SOURCE && source.trim().is_empty() {
        let wanted = "more than 600 only with `retention_source`: where the service promises it";
        return Err(lines.takes(line, wanted));
    }
    Ok(retention_of(seconds))
}

/// The lines of one operation.
struct Section<'a> {
    lines: &'a Lines,
    name: &'a str,
}

impl Section<'_> {
    // Put together by hand here and below: some hundred names are made before the first frame, and
    // the machinery of `format!` took a third of the whole reading.
    fn line(&self, key: &str) -> String {
        [self.name, ".", key].concat()
    }

    fn text(&self, key: &str) -> Result<String, ContractError> {
        let line = self.line(key);
        let text = self.lines.text(&line)?;
        if text.is_empty() { Err(self.lines.takes(&line, "a text")) } else { Ok(text) }
    }

    fn call(&self, credential: Option<CredentialKind>) -> Result<Call, ContractError> {
        let methods = [("GET", Method::Get), ("POST", Method::Post)];
        let method = self.lines.word(&self.line("method"), &methods)?;
        if method == Method::Get && self.name != "fee_preview" && self.name != "domains" {
            return Err(self.lines.takes(&self.line("method"), "`POST`"));
        }
        let path = self.text("path")?;
        let is_plain = path.bytes().all(|b| b.is_ascii_graphic() && !b"?#\\".contains(&b));
        if !path.starts_with('/') || path.starts_with("//") || !is_plain {
            let line = self.line("path");
            return Err(self.lines.takes(&line, "a path from `/` on, without query"));
        }
        let success = self.lines.statuses(&self.line("success"))?;
        Ok(Call { method, path, credential, success })
    }

    fn credential(&self) -> Result<CredentialKind, ContractError> {
        let kinds = [("jwt", CredentialKind::Jwt), ("api-token", CredentialKind::ApiToken)];
        self.lines.word(&self.line("credential"), &kinds)
    }

    fn unit(&self) -> Result<Unit, ContractError> {
        let units = [("reais", Unit::Reais), ("centavos", Unit::Centavos)];
        self.lines.word(&self.line("unit"), &units)
    }

    fn header_if_any(&self, key: &str) -> Result<Option<String>, ContractError> {
        let line = self.line(key);
        let header = self.lines.text_if_any(&line)?.filter(|header| !header.is_empty());
        let is_name = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
        match header {
            Some(header) if !header.bytes().all(is_name) => {
                Err(self.lines.takes(&line, "the name of a header"))
            }
            header => Ok(header),
        }
    }

    fn root(&self) -> Vec<Pointer> {
        Pointer::parse("").into_iter().collect()
    }

    fn places(&self, key: &str) -> Result<Places, ContractError> {
        let under = self.line("under");
        let mut bases = self.lines.pointers(&under)?;
        if bases.is_empty() {
            bases = self.root();
        }
        let line = self.line(key);
        Ok(Places::new(&line, &bases, &self.lines.pointers(&line)?))
    }

    /// Places inside one entry of a list.
    fn in_entry(&self, key: &str) -> Result<Places, ContractError> {
        let line = self.line(key);
        Ok(Places::new(&line, &self.root(), &self.lines.pointers(&line)?))
    }

    /// A line that names one of the body's fields.
    fn field_id(&self, key: &str, form: &Form) -> Result<String, ContractError> {
        let id = self.text(key)?;
        match form.field(&id) {
            Some(_) => Ok(id),
            None => Err(self.lines.takes(&self.line(key), "the id of one of the body's fields")),
        }
    }

    /// The fields the body names, in its order. Others may be declared and wait.
    fn form(&self, unit: Unit) -> Result<Form, ContractError> {
        let line = self.line("body");
        let ids = self.lines.texts_or(&line, &[])?;
        let declared = self.lines.ids(&self.line("field."));
        let mut declared: Vec<Field> =
            declared.iter().map(|id| self.field(id)).collect::<Result<_, ContractError>>()?;
        let mut take = |id: &String| match declared.iter().position(|field| field.id == *id) {
            Some(at) => Ok(declared.swap_remove(at)),
            // Not declared, or named twice: reading it says which.
            None => self.field(id),
        };
        let fields = ids.iter().map(&mut take).collect::<Result<Vec<Field>, ContractError>>()?;
        for (i, field) in fields.iter().enumerate() {
            if fields[..i].iter().any(|other| collide(&field.name, &other.name)) {
                let wanted = format!("each name once; `{}` is there twice", field.name);
                return Err(self.lines.takes(&line, &wanted));
            }
        }
        let needs = |kind, other| {
            fields.iter().any(|field: &Field| field.kind == kind)
                && !fields.iter().any(|field| field.kind == other)
        };
        let has_secret = fields.iter().any(|field| field.kind == FieldKind::Secret);
        if has_secret && self.name != "login" {
            // Other bodies are kept, and shown; a secret in them would be too.
            return Err(self.lines.takes(&line, "secrets only in the login"));
        }
        if needs(FieldKind::PixKey, FieldKind::PixKeyKind) {
            let wanted = "a key's kind beside the key; `sent = false` keeps it out of the body";
            return Err(self.lines.takes(&line, wanted));
        }
        if needs(FieldKind::DocumentKind, FieldKind::Document) {
            return Err(self.lines.takes(&line, "a document beside the document's kind"));
        }
        Ok(Form { fields, unit })
    }

    fn field(&self, id: &str) -> Result<Field, ContractError> {
        let line = |key: &str| [self.name, ".field.", id, ".", key].concat();
        let name = self.lines.text(&line("name"))?;
        if name.split('/').any(str::is_empty) {
            return Err(self.lines.takes(&line("name"), "a name, or names with `/` between"));
        }
        let kind = self.lines.word(&line("kind"), &KINDS)?;
        let pattern = match self.lines.text_if_any(&line("pattern"))? {
            None => None,
            Some(text) => Some(Pattern::parse(&text).ok_or_else(|| {
                self.lines.takes(&line("pattern"), "characters and ranges, such as `0-9A-F`")
            })?),
        };
        let label_en = self.lines.text_if_any(&line("label.en"))?;
        let label_pt = self.lines.text_if_any(&line("label.pt-BR"))?;
        let default = self.lines.text_if_any(&line("default"))?;
        if kind == FieldKind::Fixed && default.is_none() {
            return Err(self.lines.wrong(&line("kind"), Problem::Missing(line("default"))));
        }
        Ok(Field {
            id: id.to_owned(),
            label_pt: label_pt.or(label_en.clone()).unwrap_or_else(|| name.clone()),
            label_en: label_en.unwrap_or_else(|| name.clone()),
            name,
            kind,
            required: self.lines.flag_or(&line("required"), false)?,
            choices: self.choices(id, kind)?,
            pattern,
            shortest: self.lines.whole_if_any(&line("shortest"))?,
            longest: self.lines.whole_if_any(&line("longest"))?,
            default,
            plus: self.lines.flag_or(&line("plus"), true)?,
            sent: self.lines.flag_or(&line("sent"), true)?,
        })
    }

    fn choices(&self, id: &str, kind: FieldKind) -> Result<Vec<Choice>, ContractError> {
        let line = |key: &str| [self.name, ".field.", id, ".", key].concat();
        if matches!(kind, FieldKind::PixKeyKind | FieldKind::DocumentKind) {
            let mut choices = Vec::new();
            for kind in PixKeyKind::ALL {
                let id = key_kind_id(kind);
                if let Some(word) = self.lines.text_if_any(&line(&format!("words.{id}")))? {
                    choices.push(Choice { id: id.to_owned(), word });
                }
            }
            return Ok(choices);
        }
        let words = self.lines.texts_or(&line("choices"), &[])?;
        if kind == FieldKind::Choice && words.is_empty() {
            return Err(self.lines.wrong(&line("kind"), Problem::Missing(line("choices"))));
        }
        Ok(words.into_iter().map(|word| Choice { id: word.clone(), word }).collect())
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

/// Whether two names cannot stand in one body: equal, or one inside a value of the other.
fn collide(one: &str, other: &str) -> bool {
    let inside = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
    };
    one == other || inside(one, other) || inside(other, one)
}
