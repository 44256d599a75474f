//! All API operations except the fee preview and the withdrawal. Each request is sent once and
//! never retried.

use std::sync::Arc;

use serde_json::Value;
use url::Url;

use super::base_url::origin_of;
use super::classify::failure_sign;
use super::exchange::ApiRequest;
use super::mask::Mask;
use super::{BoundCredential, Service};
use crate::contract::{
    Body, Call, FailureSigns, FieldKind, JsonPaths, LoginSpec, NextPage, PageStyle, jwt_expiry,
    read_domains, read_json,
};
use crate::trade::withdrawal::NotSent;
use crate::trade::{
    ChargeOutcome, CheckoutDomain, Failure, LinkRequest, MaskedReply, Operation, Secret, Untrusted,
    Wall,
};

/// The result of a login.
#[derive(Debug)]
pub struct LoggedIn {
    /// The identity of the account. An e-mail address is in lower case.
    pub identity: Arc<str>,
    /// The API token.
    pub token: Secret,
    /// The time of the reply. The tokens are valid from this time on.
    pub at: Wall,
    /// The time when the API token expires, if it is known.
    pub expires: Option<Wall>,
    /// The JWT for payment links and its expiry. `None` if the reply to the login contains no JWT.
    pub jwt: Option<(Secret, Option<Wall>)>,
}

impl Service {
    /// Logs in. `body` is the login form that the seller filled in.
    pub async fn login(&self, body: &Body) -> Result<LoggedIn, Failure> {
        let spec = &self.contract.login;
        let header = spec.token_header.as_deref();
        let api_request = ApiRequest {
            body: Some((body.text(), body.masked())),
            mask: Mask {
                identity: None,
                secrets: body.secrets().collect(),
                secret_paths: vec![&spec.token, &spec.jwt],
                every_text: true,
            },
            ..self.api_request(Operation::Login, None)
        };
        let success = self.success(api_request).await?;
        let json = &success.json;
        let header_token = || strip_bearer(success.reply.header(header?)?);
        let Some(token) = spec.token.str(json).and_then(strip_bearer).or_else(header_token) else {
            return Err(success.unreadable(&["login.token", "login.token_header"]));
        };
        let jwt = spec.jwt.str(json).and_then(strip_bearer);
        let at = self.client.now();
        Ok(LoggedIn {
            at,
            identity: account_identity(spec, body).into(),
            token: Secret::new(token.to_owned()),
            expires: spec.expiry.read(json, token, at),
            jwt: jwt.map(|jwt| (Secret::new(jwt.to_owned()), jwt_expiry(jwt))),
        })
    }

    /// Returns the checkout domains that can be used now. The list may be empty.
    ///
    /// # Errors
    ///
    /// Returns an error if any page of the list is missing or unreadable. Otherwise, the domains on
    /// that page would seem to belong to somebody else.
    pub async fn domains(
        &self,
        credential: BoundCredential<'_>,
    ) -> Result<Vec<CheckoutDomain>, Failure> {
        let pages = &self.contract.domains.pages;
        let first = self.first_page();
        let (mut url, mut requested_urls, mut all_domains) =
            (first.clone(), vec![first], Vec::new());
        for number in 0..pages.max_pages {
            let api_request = ApiRequest {
                url: url.clone(),
                max_reply_bytes: self.client.limits().max_list_bytes,
                ..self.api_request(Operation::Domains, Some(credential))
            };
            let page = self.success(api_request).await?;
            let Some(domains) = read_domains(&self.contract.domains, &page.json) else {
                return Err(page.unreadable(&["domains.under", "domains.host"]));
            };
            let next = pages.after(&page.json, number, domains.is_empty());
            all_domains.extend(domains);
            url = match self.next_page_url(&url, &next) {
                Ok(None) => return Ok(all_domains),
                Ok(Some(_)) if number + 1 == pages.max_pages => {
                    return Err(page.unreadable(&["domains.most_pages"]));
                }
                // Reject the URL of an earlier page. It would cause an endless loop.
                Ok(Some(next)) if !requested_urls.contains(&next) => next,
                Ok(Some(_)) | Err(()) => return Err(page.unreadable(&["domains.next_page"])),
            };
            requested_urls.push(url.clone());
        }
        Ok(all_domains)
    }

    fn first_page(&self) -> Url {
        let pages = &self.contract.domains.pages;
        let mut url = self.operation_url(Operation::Domains);
        if pages.style == PageStyle::Number {
            url.query_pairs_mut().append_pair(&pages.parameter, &pages.first.to_string());
        }
        url
    }

    /// Returns the URL of the next page of the list, or `None` on the last page.
    ///
    /// The URL must equal the URL of the list or be below it. Otherwise, a reply could determine
    /// where the credential is sent.
    fn next_page_url(&self, from: &Url, next: &NextPage) -> Result<Option<Url>, ()> {
        let list = self.operation_url(Operation::Domains);
        match next {
            NextPage::None => Ok(None),
            NextPage::Parameter(value) => {
                let mut url = list;
                url.query_pairs_mut().append_pair(&self.contract.domains.pages.parameter, value);
                Ok(Some(url))
            }
            NextPage::Address(text) => {
                let url = from.join(text).map_err(|_| ())?;
                let is_same_origin = origin_of(&url).as_ref() == Some(self.base.origin());
                let has_no_user_info = url.username().is_empty() && url.password().is_none();
                let is_in_list =
                    self.base.is_at_or_below(&url, &list) && !self.is_withdrawal_url(&url);
                if is_same_origin && has_no_user_info && is_in_list {
                    Ok(Some(url))
                } else {
                    Err(())
                }
            }
        }
    }

    /// Creates a payment link, and returns its URL exactly as in the reply.
    ///
    /// The API has no idempotency key for payment links. If no reply arrives, the link may exist
    /// anyway.
    pub async fn create_link(
        &self,
        credential: BoundCredential<'_>,
        request: &LinkRequest,
    ) -> Result<Untrusted, Failure> {
        let spec = &self.contract.create_link;
        // This error never occurs, because the form rejects amounts with a fraction of a centavo.
        let body = spec.body(request).ok_or(Failure::NotSent(NotSent::BodyChanged))?;
        let api_request = ApiRequest {
            body: Some((&body, &body)),
            ..self.api_request(Operation::CreateLink, Some(credential))
        };
        let success = self.success(api_request).await?;
        success.check_body(&spec.failed, &spec.status)?;
        self.read_link(&success.json).ok_or_else(|| success.unreadable(&["create_link.url"]))
    }

    fn read_link(&self, reply: &Value) -> Option<Untrusted> {
        self.contract.create_link.url.str(reply).map(Untrusted::from)
    }

    /// Reads the URL of a payment link from an earlier reply. Used when the seller has corrected
    /// the API contract, because the URL may now be found.
    ///
    /// Returns `None` if the URL is still not found, or if the reply is not a success. Also returns
    /// `None` if a secret in the URL is masked.
    pub fn read_link_again(&self, reply: &MaskedReply) -> Option<Untrusted> {
        let spec = &self.contract.create_link;
        let json = parse_earlier_reply(reply, &spec.call, &spec.failed, &spec.status)?;
        self.read_link(&json).filter(|url| !url.is_masked())
    }

    /// Reads a direct payment from an earlier reply. Used when the seller has corrected the API
    /// contract, because the payment may now be found.
    ///
    /// Returns `None` in the same cases as [`read_link_again`](Service::read_link_again).
    pub fn read_charge_again(&self, reply: &MaskedReply) -> Option<ChargeOutcome> {
        let spec = &self.contract.direct_payment;
        let json = parse_earlier_reply(reply, &spec.call, &spec.failed, &spec.status)?;
        self.read_charge(&json).ok().filter(|outcome| match outcome {
            ChargeOutcome::Created { id, pix_code, .. } => {
                ![id, pix_code].into_iter().flatten().any(Untrusted::is_masked)
            }
            _ => false,
        })
    }

    /// Creates a direct payment. If there is no error, the outcome is [`ChargeOutcome::Created`].
    ///
    /// `body` is the request body exactly as it is sent. It contains no secrets. The API has no
    /// idempotency key for direct payments. If no reply arrives, the payment may exist anyway.
    pub async fn direct_payment(
        &self,
        credential: BoundCredential<'_>,
        body: &str,
    ) -> Result<ChargeOutcome, Failure> {
        let spec = &self.contract.direct_payment;
        let api_request = ApiRequest {
            body: Some((body, body)),
            ..self.api_request(Operation::DirectPayment, Some(credential))
        };
        let success = self.success(api_request).await?;
        success.check_body(&spec.failed, &spec.status)?;
        self.read_charge(&success.json).map_err(|missing| success.unreadable(missing))
    }

    /// Returns the direct payment in a reply. If a value is missing, the error names the settings
    /// of the API contract that should locate it.
    fn read_charge(&self, json: &Value) -> Result<ChargeOutcome, &'static [&'static str]> {
        let spec = &self.contract.direct_payment;
        let (id, pix_code) = (spec.id.text(json), spec.pix_code.pix_code(json));
        if id.is_none() && pix_code.is_none() {
            return Err(&["direct_payment.id", "direct_payment.pix_code"]);
        }
        if id.is_none() && spec.id_required {
            return Err(&["direct_payment.id"]);
        }
        let (status, expires) = (spec.status.text(json), spec.expires.text(json));
        Ok(ChargeOutcome::Created { id, status, pix_code, expires })
    }
}

/// Parses the body of an earlier reply as JSON. Returns `None` if the reply does not report a
/// success.
fn parse_earlier_reply(
    reply: &MaskedReply,
    call: &Call,
    failed: &FailureSigns,
    status: &JsonPaths,
) -> Option<Value> {
    let json = read_json(reply.body.raw().as_bytes())?;
    let is_success = call.success.contains(&reply.status);
    (is_success && failure_sign(&json, failed, status).is_none()).then_some(json)
}

/// Returns the identity of the account that logs in.
///
/// An e-mail address is converted to lower case, because capital letters do not make it a different
/// account. With a different identity, the program would not find the account's open withdrawals,
/// and the seller could pay twice.
fn account_identity(spec: &LoginSpec, body: &Body) -> String {
    let input = body.input_text(&spec.identity).unwrap_or_default();
    match spec.form.field(&spec.identity) {
        Some(field) if field.kind == FieldKind::Email => input.to_lowercase(),
        _ => input.to_owned(),
    }
}

/// Removes `Bearer ` from the beginning of a token. Returns `None` if the rest cannot be a token.
fn strip_bearer(text: &str) -> Option<&str> {
    let text = text.trim();
    let token = match text.get(..7) {
        Some(scheme) if scheme.eq_ignore_ascii_case("bearer ") => text[7..].trim(),
        _ => text,
    };
    (!token.is_empty() && token.bytes().all(|b| b.is_ascii_graphic())).then_some(token)
}
