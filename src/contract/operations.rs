//! Builds a [`Contract`] (an API contract) from its settings, with one function per operation. Each
//! function checks its settings.
//!
//! Start at [`read`].

use std::collections::BTreeMap;
use std::time::Duration;

use super::amount_format::{AmountFormat, ReadAmounts, SentAmounts, Unit};
use super::body::{Encoding, parse_form};
use super::confirmed::ConfirmedSettings;
use super::field::FieldKind;
use super::headers::{
    BUILT_IN_CREATING, CredentialHeader, FixedHeader, WithdrawalOnly, is_header_name,
    is_reserved_header, is_same_header, is_same_path, normalize_path,
};
use super::lesson::EmptySuccess;
use super::reply_setting::REPLY_SETTINGS;
use super::settings::{ContractError, MergedSettings, Section, one_of};
use super::{
    Call, Contract, CreateLinkSpec, DirectPaymentSpec, DomainsSpec, FailureSigns, FeePreviewSpec,
    LoginSpec, Method, WithdrawalSpec,
};
use crate::trade::{CredentialKind, Operation};

/// The minimum wait before a resend, in seconds, because the service may still be processing the
/// earlier attempt.
pub(super) const MIN_RESEND_AFTER: u32 = 30;

/// The maximum retention of an idempotency key, in seconds, if the API contract gives no source for
/// the retention. The retention is the time for which the service is assumed to remember the key.
pub(super) const MAX_UNSOURCED_RETENTION: u32 = 600;

/// The maximum retention of an idempotency key, in seconds. The retention is the time for which the
/// service is assumed to remember the key.
const MAX_RETENTION: u32 = 24 * 60 * 60;

pub(super) fn capped_retention(seconds: u32) -> Duration {
    Duration::from_secs(seconds.min(MAX_RETENTION).into())
}

/// Reads the whole API contract.
///
/// # Errors
///
/// Fails if a setting is missing, invalid or unknown, or if two settings contradict each other.
pub(super) fn read(settings: MergedSettings) -> Result<Contract, ContractError> {
    let withdrawal_only = WithdrawalOnly::read(&settings.section("withdrawal"))?;
    let jwt = settings.section("credential.jwt");
    let api_token = settings.section("credential.api-token");
    let credentials = [credential_headers(&jwt)?, credential_headers(&api_token)?];
    let request = settings.section("request");
    let operation_settings = |operation: Operation| OperationSettings {
        section: settings.section(operation.name()),
        operation,
        request: &request,
        withdrawal_only: &withdrawal_only,
        credentials: &credentials,
    };
    let login = login(&operation_settings(Operation::Login))?;
    let domains = domains(&operation_settings(Operation::Domains))?;
    let create_link = create_link(&operation_settings(Operation::CreateLink))?;
    let direct_payment = direct_payment(&operation_settings(Operation::DirectPayment))?;
    let fee_preview = fee_preview(&operation_settings(Operation::FeePreview))?;
    let withdrawal = withdrawal(&operation_settings(Operation::Withdrawal))?;
    let calls = [
        (Operation::Login, &login.call),
        (Operation::CreateLink, &create_link.call),
        (Operation::DirectPayment, &direct_payment.call),
        (Operation::Domains, &domains.call),
        (Operation::FeePreview, &fee_preview.call),
    ];
    check_paths(&settings, &withdrawal_only, &calls)?;
    let paths = REPLY_SETTINGS.iter().map(|setting| {
        let paths = settings
            .section(setting.section())
            .json_paths(setting.key());
        paths.map(|paths| (setting.name, paths))
    });
    let paths = paths.collect::<Result<_, _>>()?;
    let shape: String = jwt.get("shape")?;
    if !["jwt", "any"].contains(&&*shape) {
        return jwt.invalid_value("shape", &one_of(&["jwt", "any"]));
    }
    Ok(Contract {
        login,
        domains,
        create_link,
        direct_payment,
        fee_preview,
        withdrawal,
        withdrawal_only,
        paths,
        checks_jwt_shape: shape == "jwt",
        needs_consent: false,
        taught_file: None,
        profile_settings: BTreeMap::new(),
        base_url: None,
        claims_confirmed: settings.claims_confirmed,
        confirmed: ConfirmedSettings::default(),
        settings: settings.finish()?,
    })
}

/// Checks that no operation shares a path with another operation that could then do more than the
/// seller expects.
///
/// `calls` are all operations except the withdrawal: the login, the operations that create
/// something, and the queries.
fn check_paths(
    settings: &MergedSettings,
    withdrawal_only: &WithdrawalOnly,
    calls: &[(Operation, &Call); 5],
) -> Result<(), ContractError> {
    let refuse = |operation: Operation, expected: &str| {
        settings
            .section(operation.name())
            .invalid_value("path", expected)
    };
    if let Some((operation, _)) = calls
        .iter()
        .find(|(_, call)| withdrawal_only.has_path(&call.path))
    {
        return refuse(*operation, "a path that is not the withdrawal's");
    }
    let [(_, login), others @ ..] = calls;
    if let Some((operation, _)) = others
        .iter()
        .find(|(_, call)| is_same_path(&call.path, &login.path))
    {
        // A login is sent in read-only mode too, and its body contains the password.
        return refuse(*operation, "a path that is not the login's");
    }
    if BUILT_IN_CREATING
        .iter()
        .any(|path| is_same_path(path, &login.path))
    {
        return refuse(Operation::Login, "a path at which nothing is created");
    }
    let (creating_calls, query_calls) = others.split_at(2);
    let mut posted_queries = query_calls
        .iter()
        .filter(|(_, call)| call.method != Method::Get);
    let clashing = posted_queries.find(|(_, call)| {
        creating_calls
            .iter()
            .any(|(_, other)| is_same_path(&other.path, &call.path))
    });
    if let Some((operation, _)) = clashing {
        // The program sends this request automatically. So it must not use the path of an operation
        // that creates something.
        return refuse(
            *operation,
            "a path of its own where it is asked for with a body",
        );
    }
    Ok(())
}

fn credential_headers(section: &Section<'_>) -> Result<Vec<CredentialHeader>, ContractError> {
    let mut headers: Vec<CredentialHeader> = Vec::new();
    for text in section.texts("headers")? {
        let Some(header) = CredentialHeader::parse(text) else {
            let expected = format!(
                "headers such as `Authorization: Bearer {{}}` or `X-Key: {{1}}`; `{text}` is none \
                 that a credential can have"
            );
            return section.invalid_value("headers", &expected);
        };
        if headers
            .iter()
            .any(|other| is_same_header(&header.name, &other.name))
        {
            let expected = format!("each header once; `{}` is there twice", header.name);
            return section.invalid_value("headers", &expected);
        }
        headers.push(header);
    }
    if headers.is_empty() {
        return section.invalid_value("headers", "at least one header");
    }
    Ok(headers)
}

fn login(settings: &OperationSettings<'_>) -> Result<LoginSpec, ContractError> {
    let mut form = settings.form(AmountFormat::plain(Unit::Reais))?;
    let identity = settings.section.text("identity")?;
    match form.field(&identity) {
        None => {
            return settings
                .section
                .invalid_value("identity", "the id of one of the body's fields");
        }
        Some(field) if field.kind == FieldKind::Secret => {
            return settings
                .section
                .invalid_value("identity", "a field that is not a secret");
        }
        Some(_) => form.identity = Some(identity.clone()),
    }
    Ok(LoginSpec {
        call: settings.call()?,
        form,
        identity,
        token_header: settings.token_header()?,
    })
}

fn domains(settings: &OperationSettings<'_>) -> Result<DomainsSpec, ContractError> {
    Ok(DomainsSpec {
        call: settings.call()?,
        entries: settings.section.get("entries")?,
        active_words: settings.section.texts("active_words")?.to_vec(),
        pages: settings.pages()?,
    })
}

fn create_link(settings: &OperationSettings<'_>) -> Result<CreateLinkSpec, ContractError> {
    Ok(CreateLinkSpec {
        call: settings.call()?,
        amounts: settings.amounts()?,
        amount: settings.section.text("amount")?,
        description: settings.section.text("description")?,
        domain: settings.section.text("domain")?,
    })
}

fn direct_payment(settings: &OperationSettings<'_>) -> Result<DirectPaymentSpec, ContractError> {
    Ok(DirectPaymentSpec {
        form: settings.form(settings.amounts()?)?,
        call: settings.call()?,
        customer: settings.section.text("customer")?,
        id_required: settings.section.get("id_required")?,
    })
}

fn fee_preview(settings: &OperationSettings<'_>) -> Result<FeePreviewSpec, ContractError> {
    Ok(FeePreviewSpec {
        call: settings.call()?,
        amounts: settings.amounts()?,
        amount: settings.section.text("amount")?,
    })
}

fn withdrawal(settings: &OperationSettings<'_>) -> Result<WithdrawalSpec, ContractError> {
    let mut form = settings.form(settings.amounts()?)?;
    let key_field = settings.key_field(&form)?;
    form.fields.extend(key_field);
    let mut amounts = form
        .fields
        .iter()
        .filter(|field| field.kind == FieldKind::Amount);
    let (Some(amount), None) = (amounts.next(), amounts.next()) else {
        return settings.section.invalid_value("body", "exactly one amount");
    };
    if !amount.sent {
        // Reject a body without the amount, because the service would then choose an amount that
        // the seller did not confirm.
        return settings
            .section
            .invalid_value("body", "an amount that is sent");
    }
    let empty_success = EmptySuccess::read(&settings.section)?;
    let id_required = settings.section.get("id_required")?;
    if empty_success != EmptySuccess::Never && id_required {
        let expected = "`false` where `empty_success` is true: an empty reply has no id";
        return settings.section.invalid_value("id_required", expected);
    }
    Ok(WithdrawalSpec {
        key_header: settings.key_header()?,
        call: settings.call()?,
        form,
        key_format: settings.section.get("key_format")?,
        retention: settings.retention()?,
        resend_after: settings.resend_after()?,
        empty_success,
        id_required,
        not_ids: settings.section.texts("not_ids")?.to_vec(),
    })
}

/// The settings of one operation, with other parts of the API contract that are needed to check
/// them.
pub(super) struct OperationSettings<'a> {
    pub(super) section: Section<'a>,
    pub(super) operation: Operation,
    /// The settings that apply to every request.
    request: &'a Section<'a>,
    withdrawal_only: &'a WithdrawalOnly,
    /// The headers that carry the JWT, and the headers that carry the API token.
    credentials: &'a [Vec<CredentialHeader>; 2],
}

impl OperationSettings<'_> {
    fn call(&self) -> Result<Call, ContractError> {
        let credential = match self.operation {
            Operation::Login => None,
            _ => Some(self.section.get("credential")?),
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
            success: self.section.statuses("success")?,
            failed: self.failure_signs()?,
        })
    }

    fn method(&self) -> Result<Method, ContractError> {
        let method = self.section.get::<String>("method")?;
        let methods = Method::allowed_for(self.operation);
        match methods.iter().find(|allowed| allowed.as_str() == method) {
            Some(method) => Ok(*method),
            None => {
                let names: Vec<_> = methods.iter().map(|method| method.as_str()).collect();
                self.section.invalid_value("method", &one_of(&names))
            }
        }
    }

    /// Reads the path of the request and its constant query, if any.
    fn path(&self) -> Result<String, ContractError> {
        let text = self.section.text("path")?;
        let (path, query) = text.split_once('?').unzip();
        if normalize_path(path.unwrap_or(&text)).is_none() {
            let expected = "a path from `/` on, without `//`, `;`, `\\`, or segments of dots";
            return self.section.invalid_value("path", expected);
        }
        let Some(query) = query else { return Ok(text) };
        let Some(pairs) = parse_form(query) else {
            let expected = "a query such as `?kind=pix&limit=50`, encoded as in a form";
            return self.section.invalid_value("path", expected);
        };
        // Reject a query that already contains the amount's name. If the name occurs twice, servers
        // differ on which value they use.
        let amount = match self.operation {
            Operation::FeePreview => Some(self.section.text("amount")?),
            _ => None,
        };
        match pairs.iter().find(|(name, _)| Some(name) == amount.as_ref()) {
            Some((name, _)) => self.section.invalid_value(
                "path",
                &format!("a query without `{name}`: the amount is put there"),
            ),
            None => Ok(text),
        }
    }

    /// Reads the encoding of the request body. The list of domains has no such setting, because its
    /// request has no body.
    pub(super) fn encoding(&self) -> Result<Encoding, ContractError> {
        match self.operation {
            Operation::Domains => Ok(Encoding::Json),
            _ => self.section.get("encoding"),
        }
    }

    fn key_header(&self) -> Result<String, ContractError> {
        let Some(header) = self.optional_header("key_header")? else {
            return self.section.invalid_value("key_header", "a header");
        };
        if is_reserved_header(&header) {
            let expected = format!("a header of the key's own; `{header}` has another use");
            return self.section.invalid_value("key_header", &expected);
        }
        let mut credentials = self.credentials.iter().flatten();
        match credentials.find(|header| self.withdrawal_only.has_header(&header.name)) {
            Some(CredentialHeader { name, .. }) => {
                let expected = format!("a header of the key's own; `{name}` carries a credential");
                self.section.invalid_value("key_header", &expected)
            }
            None => Ok(header),
        }
    }

    /// Reads the headers with fixed values: first the headers of all requests, then the headers of
    /// this operation.
    fn fixed_headers(&self) -> Result<Vec<FixedHeader>, ContractError> {
        let mut headers: Vec<FixedHeader> = Vec::new();
        for section in [self.request, &self.section] {
            for text in section.texts("headers")? {
                let invalid = |expected: &str| section.invalid_value("headers", expected);
                let Some(header) = FixedHeader::parse(text) else {
                    return invalid(&format!("headers such as `X-Store: 12`; `{text}` is none"));
                };
                let name = &header.name;
                let mut names = self.credentials.iter().flatten().map(|header| &header.name);
                let is_credential = names.any(|other| is_same_header(name, other));
                if is_reserved_header(name)
                    || is_credential
                    || self.withdrawal_only.has_header(name)
                {
                    return invalid(&format!("headers of their own; `{name}` has another use"));
                }
                if headers
                    .iter()
                    .any(|other| is_same_header(name, &other.name))
                {
                    return invalid(&format!("each header once; `{name}` is there twice"));
                }
                headers.push(header);
            }
        }
        Ok(headers)
    }

    /// Reads the settings `unit`, `amount_sent` and, if the reply has amounts, `amount_read`.
    fn amounts(&self) -> Result<AmountFormat, ContractError> {
        let unit: Unit = self.section.get("unit")?;
        let sent: SentAmounts = self.section.get("amount_sent")?;
        if unit == Unit::Centavos && sent == SentAmounts::TextComma {
            let expected = "`number` or `text` where `unit` is `centavos`: they have no comma";
            return self.section.invalid_value("amount_sent", expected);
        }
        let read = match self.operation {
            Operation::FeePreview | Operation::Withdrawal => self.section.get("amount_read")?,
            _ => ReadAmounts::Point,
        };
        Ok(AmountFormat { unit, sent, read })
    }

    fn token_header(&self) -> Result<Option<String>, ContractError> {
        let header = self.optional_header("token_header")?;
        if header
            .as_deref()
            .is_some_and(|name| is_same_header(name, "Set-Cookie"))
        {
            return self
                .section
                .invalid_value("token_header", "a header other than `Set-Cookie`");
        }
        Ok(header)
    }

    fn optional_header(&self, key: &str) -> Result<Option<String>, ContractError> {
        let header: String = self.section.get(key)?;
        if header.is_empty() || is_header_name(&header) {
            Ok(Some(header).filter(|header| !header.is_empty()))
        } else {
            self.section.invalid_value(key, "the name of a header")
        }
    }

    fn failure_signs(&self) -> Result<FailureSigns, ContractError> {
        let mut status = self.section.json_paths("status")?;
        status
            .pointers
            .extend(self.section.json_paths("failed_status")?.pointers);
        Ok(FailureSigns {
            words: self.section.texts("failed_words")?.to_vec(),
            status,
            error: self.section.json_paths("failed_error")?,
            code: self.section.json_paths("failed_code")?,
            flag: self.section.json_paths("failed_flag")?,
        })
    }

    fn resend_after(&self) -> Result<Duration, ContractError> {
        let seconds: u32 = self.section.get("resend_after_seconds")?;
        if seconds < MIN_RESEND_AFTER {
            let expected = "30 or more: a service may be at work on the attempt before";
            return self.section.invalid_value("resend_after_seconds", expected);
        }
        Ok(Duration::from_secs(seconds.into()))
    }

    fn retention(&self) -> Result<Duration, ContractError> {
        let source: String = self.section.get("retention_source")?;
        let seconds: u32 = self.section.get("retention_seconds")?;
        if seconds > MAX_UNSOURCED_RETENTION && source.trim().is_empty() {
            let expected =
                "more than 600 only with `retention_source`: where the service promises it";
            return self.section.invalid_value("retention_seconds", expected);
        }
        Ok(capped_retention(seconds))
    }
}
