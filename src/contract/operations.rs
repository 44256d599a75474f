//! Builds a [`Contract`] (an API contract) from its settings, with one function per operation. Each
//! function checks its settings.
//!
//! Start at [`read`].

use std::collections::BTreeMap;
use std::time::Duration;

use super::amount_format::{AmountFormat, ReadAmounts, SentAmounts, Unit};
use super::body::{Encoding, form_pairs};
use super::confirmed::ConfirmedLines;
use super::domains::{PageStyle, Pages};
use super::expiry::Expiry;
use super::field::FieldKind;
use super::headers::{
    CredentialHeader, FixedHeader, WithdrawalOnly, is_header_name, is_reserved_header,
    is_same_header, resource,
};
use super::reply::{JsonPaths, Pointer};
use super::sent_lines::setting_of;
use super::settings::{ContractError, ContractSettings, Section, one_of};
use super::{
    Call, Contract, CreateLinkSpec, DirectPaymentSpec, DomainsSpec, ErrorBody, FailureSigns,
    FeePreviewSpec, LoginSpec, Method, WithdrawalSpec,
};
use crate::trade::{CredentialKind, Operation};

/// The minimum wait before a resend, in seconds.
///
/// The wait is needed because the service may still be processing the earlier attempt; the API
/// documentation does not exclude this.
pub(super) const LEAST_RESEND_AFTER: u32 = 30;

/// The longest time, in seconds, for which the service may be assumed to remember an idempotency
/// key if the API contract gives no source for that time.
pub(super) const RETENTION_WITHOUT_SOURCE: u32 = 600;

/// The longest time, in seconds, for which the service may be assumed to remember an idempotency
/// key.
const LONGEST_RETENTION: u32 = 24 * 60 * 60;

/// Converts the time for which the service remembers an idempotency key from seconds. A time above
/// the maximum is reduced to the maximum.
pub(super) fn retention_of(seconds: u32) -> Duration {
    Duration::from_secs(seconds.min(LONGEST_RETENTION).into())
}

/// Reads the whole API contract.
///
/// # Errors
///
/// Fails if a setting is missing, invalid or unknown, or if two settings contradict each other.
pub(super) fn read(settings: ContractSettings) -> Result<Contract, ContractError> {
    let withdrawal_only = WithdrawalOnly::read(&settings.section("withdrawal"))?;
    let jwt = settings.section("credential.jwt");
    let api_token = settings.section("credential.api-token");
    let credentials = [credential_headers(&jwt)?, credential_headers(&api_token)?];
    let request = settings.section("request");
    let at = |operation| OperationLines {
        lines: settings.section(setting_of(operation)),
        operation,
        request: &request,
        withdrawal_only: &withdrawal_only,
        credentials: &credentials,
    };
    let login = login(&at(Operation::Login))?;
    let domains = domains(&at(Operation::Domains))?;
    let create_link = create_link(&at(Operation::CreateLink))?;
    let direct_payment = direct_payment(&at(Operation::DirectPayment))?;
    let fee_preview = fee_preview(&at(Operation::FeePreview))?;
    let withdrawal = withdrawal(&at(Operation::Withdrawal))?;
    let calls = [
        (Operation::Login, &login.call),
        (Operation::CreateLink, &create_link.call),
        (Operation::DirectPayment, &direct_payment.call),
        (Operation::Domains, &domains.call),
        (Operation::FeePreview, &fee_preview.call),
    ];
    if let Some((operation, _)) = calls.iter().find(|(_, it)| withdrawal_only.has_path(&it.path)) {
        return at(*operation).lines.takes("path", "a path that is not the withdrawal's");
    }
    let (making, asking) = calls.split_at(3);
    let place = |call: &Call| call.path.split('?').next().and_then(resource);
    let clashes = |call: &Call| making.iter().any(|(_, other)| place(other) == place(call));
    let mut asking = asking.iter().filter(|(_, call)| call.method != Method::Get);
    if let Some((operation, _)) = asking.find(|(_, call)| clashes(call)) {
        // The program sends these requests automatically. So they must not use the path of an
        // operation that creates something.
        let wanted = "a path of its own where it is asked for with a body";
        return at(*operation).lines.takes("path", wanted);
    }
    let error = settings.section("error");
    let error = ErrorBody { message: error.in_whole("message")?, hint: error.in_whole("hint")? };
    let shape: String = jwt.get("shape")?;
    if !["jwt", "any"].contains(&&*shape) {
        return jwt.takes("shape", &one_of(&["jwt", "any"]));
    }
    Ok(Contract {
        login,
        domains,
        create_link,
        direct_payment,
        fee_preview,
        withdrawal,
        withdrawal_only,
        error,
        checks_jwt_shape: shape == "jwt",
        needs_consent: false,
        of_profile: BTreeMap::new(),
        claims: settings.claims,
        confirmed: ConfirmedLines::default(),
        settings: settings.finish()?,
    })
}

/// Reads the headers that carry a credential.
fn credential_headers(lines: &Section<'_>) -> Result<Vec<CredentialHeader>, ContractError> {
    let mut headers: Vec<CredentialHeader> = Vec::new();
    for text in lines.texts("headers")? {
        let Some(header) = CredentialHeader::parse(text) else {
            let wanted = format!(
                "headers such as `Authorization: Bearer {{}}` or `X-Key: {{1}}`; `{text}` is none \
                 that a credential can have"
            );
            return lines.takes("headers", &wanted);
        };
        if headers.iter().any(|other| is_same_header(&header.name, &other.name)) {
            let wanted = format!("each header once; `{}` is there twice", header.name);
            return lines.takes("headers", &wanted);
        }
        headers.push(header);
    }
    if headers.is_empty() {
        return lines.takes("headers", "at least one header");
    }
    Ok(headers)
}

fn login(at: &OperationLines<'_>) -> Result<LoginSpec, ContractError> {
    let mut form = at.form(AmountFormat::plain(Unit::Reais))?;
    let identity = at.lines.text("identity")?;
    match form.field(&identity) {
        None => return at.lines.takes("identity", "the id of one of the body's fields"),
        Some(field) if field.kind == FieldKind::Secret => {
            return at.lines.takes("identity", "a field that is not a secret");
        }
        Some(_) => form.identity = Some(identity.clone()),
    }
    Ok(LoginSpec {
        call: at.call()?,
        form,
        identity,
        token: at.places("token")?,
        token_header: at.header_if_any("token_header")?,
        expiry: Expiry { seconds: at.places("expires_in")?, date: at.places("expires_at")? },
        jwt: at.places("jwt")?,
    })
}

fn domains(at: &OperationLines<'_>) -> Result<DomainsSpec, ContractError> {
    Ok(DomainsSpec {
        call: at.call()?,
        list: at.lines.in_whole("under")?,
        entries: at.lines.get("entries")?,
        host: at.lines.in_whole("host")?,
        state: at.lines.in_whole("state")?,
        active_words: at.lines.texts("active_words")?.to_vec(),
        default: at.lines.in_whole("default")?,
        pages: at.pages()?,
    })
}

fn create_link(at: &OperationLines<'_>) -> Result<CreateLinkSpec, ContractError> {
    Ok(CreateLinkSpec {
        call: at.call()?,
        amounts: at.amounts()?,
        amount: at.lines.text("amount")?,
        description: at.lines.text("description")?,
        domain: at.lines.text("domain")?,
        url: at.places("url")?,
        status: at.places("status")?,
        failed: at.failed()?,
    })
}

fn direct_payment(at: &OperationLines<'_>) -> Result<DirectPaymentSpec, ContractError> {
    Ok(DirectPaymentSpec {
        form: at.form(at.amounts()?)?,
        call: at.call()?,
        customer: at.lines.text("customer")?,
        id: at.places("id")?,
        status: at.places("status")?,
        pix_code: at.places("pix_code")?,
        expires: at.places("expires")?,
        id_required: at.lines.get("id_required")?,
        failed: at.failed()?,
    })
}

fn fee_preview(at: &OperationLines<'_>) -> Result<FeePreviewSpec, ContractError> {
    Ok(FeePreviewSpec {
        call: at.call()?,
        amounts: at.amounts()?,
        amount: at.lines.text("amount")?,
        fee: at.places("fee")?,
        net: at.places("net")?,
        echo_amount: at.places("echo_amount")?,
        status: at.places("status")?,
        failed: at.failed()?,
    })
}

fn withdrawal(at: &OperationLines<'_>) -> Result<WithdrawalSpec, ContractError> {
    let mut form = at.form(at.amounts()?)?;
    let key_field = at.key_field(&form)?;
    form.fields.extend(key_field);
    let mut amounts = form.fields.iter().filter(|field| field.kind == FieldKind::Amount);
    let (Some(amount), None) = (amounts.next(), amounts.next()) else {
        return at.lines.takes("body", "exactly one amount");
    };
    if !amount.sent {
        // Reject a body without the amount, because the service would then choose an amount that
        // the seller did not confirm.
        return at.lines.takes("body", "an amount that is sent");
    }
    let (empty_success, id_required) =
        (at.lines.get("empty_success")?, at.lines.get("id_required")?);
    if empty_success && id_required {
        let wanted = "`false` where `empty_success` is true: an empty reply has no id";
        return at.lines.takes("id_required", wanted);
    }
    Ok(WithdrawalSpec {
        key_header: at.key_header()?,
        call: at.call()?,
        form,
        key_format: at.lines.get("key_format")?,
        retention: at.retention()?,
        resend_after: at.resend_after()?,
        empty_success,
        id_required,
        id: at.places("id")?,
        status: at.places("status")?,
        end_to_end: at.places("end_to_end")?,
        receipt: at.places("receipt")?,
        echo_amount: at.places("echo_amount")?,
        echo_destination: at.places("echo_destination")?,
        failed: at.failed()?,
    })
}

/// The settings of one operation, with the other settings that are needed to check them.
pub(super) struct OperationLines<'a> {
    pub(super) lines: Section<'a>,
    pub(super) operation: Operation,
    /// The settings that apply to every request.
    request: &'a Section<'a>,
    withdrawal_only: &'a WithdrawalOnly,
    /// The headers that carry the JWT, and the headers that carry the API token.
    credentials: &'a [Vec<CredentialHeader>; 2],
}

impl OperationLines<'_> {
    fn call(&self) -> Result<Call, ContractError> {
        let credential = match self.operation {
            Operation::Login => None,
            _ => Some(self.lines.get("credential")?),
        };
        let credential_headers = match credential {
            Some(CredentialKind::Jwt) => self.credentials[0].clone(),
            Some(CredentialKind::ApiToken) => self.credentials[1].clone(),
            None => vec![],
        };
        Ok(Call {
            method: self.method()?,
            path: self.path()?,
            encoding: self.encoding()?,
            credential,
            credential_headers,
            fixed_headers: self.fixed_headers()?,
            success: self.lines.statuses("success")?,
        })
    }

    fn method(&self) -> Result<Method, ContractError> {
        let (method, methods) = (self.lines.get::<String>("method")?, Method::of(self.operation));
        match methods.iter().find(|one| one.as_str() == method) {
            Some(method) => Ok(*method),
            None => {
                let names: Vec<_> = methods.iter().map(|method| method.as_str()).collect();
                self.lines.takes("method", &one_of(&names))
            }
        }
    }

    /// Reads the path of the request and its constant query, if any.
    fn path(&self) -> Result<String, ContractError> {
        let text = self.lines.text("path")?;
        let (path, query) = text.split_once('?').unzip();
        if resource(path.unwrap_or(&text)).is_none() {
            let wanted = "a path from `/` on, without `//`, `;`, `\\`, or segments of dots";
            return self.lines.takes("path", wanted);
        }
        let Some(query) = query else { return Ok(text) };
        let Some(pairs) = form_pairs(query) else {
            let wanted = "a query such as `?kind=pix&limit=50`, encoded as in a form";
            return self.lines.takes("path", wanted);
        };
        // Reject a query that already contains the amount's name. If the name occurs twice, servers
        // differ on which value they use.
        let amount = match self.operation {
            Operation::FeePreview => Some(self.lines.text("amount")?),
            _ => None,
        };
        match pairs.iter().find(|(name, _)| Some(name) == amount.as_ref()) {
            Some((name, _)) => self
                .lines
                .takes("path", &format!("a query without `{name}`: the amount is put there")),
            None => Ok(text),
        }
    }

    /// Reads the encoding of the request body. The API contract has no such setting for listing the
    /// domains, because that request has no body.
    pub(super) fn encoding(&self) -> Result<Encoding, ContractError> {
        match self.operation {
            Operation::Domains => Ok(Encoding::Json),
            _ => self.lines.get("encoding"),
        }
    }

    /// Reads the name of the header that carries the idempotency key.
    fn key_header(&self) -> Result<String, ContractError> {
        let Some(header) = self.header_if_any("key_header")? else {
            return self.lines.takes("key_header", "a header");
        };
        if is_reserved_header(&header) {
            let wanted = format!("a header of the key's own; `{header}` has another use");
            return self.lines.takes("key_header", &wanted);
        }
        let mut credentials = self.credentials.iter().flatten();
        match credentials.find(|header| self.withdrawal_only.has_header(&header.name)) {
            Some(CredentialHeader { name, .. }) => {
                let wanted = format!("a header of the key's own; `{name}` carries a credential");
                self.lines.takes("key_header", &wanted)
            }
            None => Ok(header),
        }
    }

    /// Reads the headers with fixed values: first the headers of all requests, then the headers of
    /// this operation.
    fn fixed_headers(&self) -> Result<Vec<FixedHeader>, ContractError> {
        let mut headers: Vec<FixedHeader> = Vec::new();
        for lines in [self.request, &self.lines] {
            for text in lines.texts("headers")? {
                let takes = |wanted: &str| lines.takes("headers", wanted);
                let Some(header) = FixedHeader::parse(text) else {
                    return takes(&format!("headers such as `X-Store: 12`; `{text}` is none"));
                };
                let name = &header.name;
                let mut names = self.credentials.iter().flatten().map(|header| &header.name);
                let is_taken = names.any(|other| is_same_header(name, other));
                if is_reserved_header(name) || is_taken || self.withdrawal_only.has_header(name) {
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

    /// Reads `unit`, `amount_sent` and, if the reply has amounts, `amount_read`.
    fn amounts(&self) -> Result<AmountFormat, ContractError> {
        let (unit, sent): (Unit, SentAmounts) =
            (self.lines.get("unit")?, self.lines.get("amount_sent")?);
        if unit == Unit::Centavos && sent == SentAmounts::TextComma {
            let wanted = "`number` or `text` where `unit` is `centavos`: they have no comma";
            return self.lines.takes("amount_sent", wanted);
        }
        let read = match self.operation {
            Operation::FeePreview | Operation::Withdrawal => self.lines.get("amount_read")?,
            _ => ReadAmounts::Point,
        };
        Ok(AmountFormat { unit, sent, read })
    }

    fn header_if_any(&self, key: &str) -> Result<Option<String>, ContractError> {
        let header: String = self.lines.get(key)?;
        match header.is_empty() || is_header_name(&header) {
            true => Ok(Some(header).filter(|header| !header.is_empty())),
            false => self.lines.takes(key, "the name of a header"),
        }
    }

    /// Reads the JSON paths in this setting. Each of them is appended to every path in the `under`
    /// setting of the operation.
    fn places(&self, key: &str) -> Result<JsonPaths, ContractError> {
        let mut bases = self.lines.pointers("under")?;
        if bases.is_empty() {
            bases.extend(Pointer::root());
        }
        Ok(JsonPaths::new(&bases, &self.lines.pointers(key)?))
    }

    /// Reads the settings for the signs of a failure in a reply with a success status.
    fn failed(&self) -> Result<FailureSigns, ContractError> {
        Ok(FailureSigns {
            words: self.lines.texts("failed_words")?.to_vec(),
            error: self.places("failed_error")?,
            code: self.places("failed_code")?,
            flag: self.places("failed_flag")?,
        })
    }

    /// Reads how a long list is split into pages.
    fn pages(&self) -> Result<Pages, ContractError> {
        let (style, next) = (self.lines.get("pages")?, self.lines.in_whole("next_page")?);
        if matches!(style, PageStyle::Cursor | PageStyle::Link) && next.is_empty() {
            return self.lines.takes("pages", "`none` or `number` where `next_page` says no place");
        }
        let most: u32 = self.lines.get("most_pages")?;
        if !(1..=100).contains(&most) {
            return self.lines.takes("most_pages", "a number from 1 to 100");
        }
        let (parameter, first) =
            (self.lines.text("page_parameter")?, self.lines.get("first_page")?);
        Ok(Pages { style, parameter, first, next, most })
    }

    fn resend_after(&self) -> Result<Duration, ContractError> {
        let seconds: u32 = self.lines.get("resend_after_seconds")?;
        if seconds < LEAST_RESEND_AFTER {
            let wanted = "30 or more: a service may be at work on the attempt before";
            return self.lines.takes("resend_after_seconds", wanted);
        }
        Ok(Duration::from_secs(seconds.into()))
    }

    fn retention(&self) -> Result<Duration, ContractError> {
        let source: String = self.lines.get("retention_source")?;
        let seconds: u32 = self.lines.get("retention_seconds")?;
        if seconds > RETENTION_WITHOUT_SOURCE && source.trim().is_empty() {
            let wanted =
                "more than 600 only with `retention_source`: where the service promises it";
            return self.lines.takes("retention_seconds", wanted);
        }
        Ok(retention_of(seconds))
    }
}
