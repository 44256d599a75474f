//! Each operation read from its lines.

use std::collections::BTreeMap;
use std::time::Duration;

use super::amount_format::{AmountFormat, Unit};
use super::confirmed::ConfirmedLines;
use super::domains::DomainEntries;
use super::expiry::Expiry;
use super::field::FieldKind;
use super::headers::is_reserved_header;
use super::operation_settings::OperationSettings;
use super::pointer::{JsonPaths, Pointer};
use super::resource::{WithdrawalOnly, resource};
use super::settings::{ContractError, ContractSettings};
use super::{
    Call, Contract, CreateLinkSpec, DirectPaymentSpec, DomainsSpec, ErrorBody, FeePreviewSpec,
    LoginSpec, Method, WithdrawalSpec,
};
use crate::trade::KeyFormat;

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
    let withdrawal_only = WithdrawalOnly::read(&settings)?;
    let making = [
        ("login.path", &login.call),
        ("create_link.path", &create_link.call),
        ("direct_payment.path", &direct_payment.call),
    ];
    let asking = [("domains.path", &domains.call), ("fee_preview.path", &fee_preview.call)];
    for (setting, call) in making.into_iter().chain(asking) {
        if withdrawal_only.has_path(&call.path) {
            return Err(settings.takes(setting, "a path that is not the withdrawal's"));
        }
    }
    for (setting, call) in asking {
        let place = |call: &Call| call.path.split('?').next().and_then(resource);
        let is_same = making.iter().any(|(_, other)| place(other) == place(call));
        if call.method != Method::Get && is_same {
            // A question that is asked by itself would make something each time.
            let wanted = "a path of its own where it is asked for with a body";
            return Err(settings.takes(setting, wanted));
        }
    }
    let root = [Pointer::parse("").expect("the empty pointer is one")];
    let error = ErrorBody {
        message: JsonPaths::new("error.message", &root, &settings.pointers("error.message")?),
        hint: JsonPaths::new("error.hint", &root, &settings.pointers("error.hint")?),
    };
    let shapes = [("jwt", true), ("any", false)];
    let jwt_looks_like_one = settings.word("credential.jwt.shape", &shapes)?;
    let claims = settings.claims;
    let settings = settings.finish()?;
    Ok(Contract {
        login,
        domains,
        create_link,
        direct_payment,
        fee_preview,
        withdrawal,
        withdrawal_only,
        error,
        jwt_looks_like_one,
        settings,
        needs_consent: false,
        of_profile: BTreeMap::new(),
        claims,
        confirmed: ConfirmedLines::default(),
    })
}

fn login(settings: &ContractSettings) -> Result<LoginSpec, ContractError> {
    let at = OperationSettings { settings, name: "login" };
    let mut form = at.form(AmountFormat::plain(Unit::Reais))?;
    let identity = at.field_id("identity", &form)?;
    form.identity = Some(identity.clone());
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
        entries: settings.word("domains.entries", &DomainEntries::WORDS)?,
        host: at.in_entry("host")?,
        state: at.in_entry("state")?,
        active_words: settings.texts_or("domains.active_words", &[])?,
        default: at.in_entry("default")?,
        pages: at.pages()?,
    })
}

fn create_link(settings: &ContractSettings) -> Result<CreateLinkSpec, ContractError> {
    let at = OperationSettings { settings, name: "create_link" };
    Ok(CreateLinkSpec {
        call: at.call(Some(at.credential()?))?,
        amounts: at.amounts()?,
        amount: at.text("amount")?,
        description: at.text("description")?,
        domain: at.text("domain")?,
        url: at.places("url")?,
        status: at.places("status")?,
        failed: at.failed()?,
    })
}

fn direct_payment(settings: &ContractSettings) -> Result<DirectPaymentSpec, ContractError> {
    let at = OperationSettings { settings, name: "direct_payment" };
    let form = at.form(at.amounts()?)?;
    Ok(DirectPaymentSpec {
        call: at.call(Some(at.credential()?))?,
        customer: at.text("customer")?,
        form,
        id: at.places("id")?,
        status: at.places("status")?,
        pix_code: at.places("pix_code")?,
        expires: at.places("expires")?,
        id_required: settings.flag_or("direct_payment.id_required", false)?,
        failed: at.failed()?,
    })
}

fn fee_preview(settings: &ContractSettings) -> Result<FeePreviewSpec, ContractError> {
    let at = OperationSettings { settings, name: "fee_preview" };
    Ok(FeePreviewSpec {
        call: at.call(Some(at.credential()?))?,
        amounts: at.amounts()?,
        amount: at.text("amount")?,
        fee: at.places("fee")?,
        net: at.places("net")?,
        echo_amount: at.places("echo_amount")?,
        status: at.places("status")?,
        failed: at.failed()?,
    })
}

fn withdrawal(settings: &ContractSettings) -> Result<WithdrawalSpec, ContractError> {
    let at = OperationSettings { settings, name: "withdrawal" };
    let mut form = at.form(at.amounts()?)?;
    let key_field = at.key_field(&form)?;
    let key_in_body = key_field.is_some();
    form.fields.extend(key_field);
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
    let call = at.call(Some(at.credential()?))?;
    let only = WithdrawalOnly::read(settings)?;
    let credentials = at.every_credential_header()?;
    if let Some(taken) = credentials.iter().find(|header| only.has_header(&header.name)) {
        let wanted = format!("a header of the key's own; `{}` carries a credential", taken.name);
        return Err(settings.takes(setting, &wanted));
    }
    let empty_success = settings.flag_or("withdrawal.empty_success", false)?;
    let id_required = settings.flag_or("withdrawal.id_required", false)?;
    if empty_success && id_required {
        let wanted = "`false` where `empty_success` is true: an empty reply has no id";
        return Err(settings.takes("withdrawal.id_required", wanted));
    }
    Ok(WithdrawalSpec {
        call,
        form,
        key_header,
        key_format: settings.word("withdrawal.key_format", &formats)?,
        key_in_body,
        retention: retention(settings)?,
        resend_after: resend_after(settings)?,
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
