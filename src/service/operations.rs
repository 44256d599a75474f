//! All API operations except the fee preview and the withdrawal. Each request is sent once and
//! never retried.

use std::sync::Arc;

use serde_json::Value;
use url::Url;

use super::base_url::origin_of;
use super::exchange::ApiRequest;
use super::mask::Mask;
use super::{BoundCredential, Service};
use crate::contract::reply_setting::{
    CHARGE_EXPIRY, CHARGE_ID, CHARGE_STATUS, DOMAIN_LIST, HOST, JWT, LINK_ID, LINK_URL, NEXT_PAGE,
    PIX_CODE, TOKEN,
};
use crate::contract::{
    Body, Call, FieldKind, LoginSpec, NextPage, PageStyle, failure_sign, jwt_expiry, read_json,
    says_more_pages,
};
use crate::trade::withdrawal::NotSent;
use crate::trade::{
    CreatedCharge, CreatedLink, DomainList, ExchangeSubject, Failure, LinkRequest, MaskedReply,
    Operation, RowId, Secret, Untrusted, Wall,
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
        let [token_paths, jwt_paths] = [TOKEN, JWT].map(|setting| self.contract.paths(setting));
        let header = spec.token_header.as_deref();
        let api_request = ApiRequest {
            body: Some((body.text(), body.masked())),
            mask: Mask {
                identity: None,
                secrets: body.secrets().collect(),
                secret_paths: vec![token_paths, jwt_paths],
                every_text: true,
            },
            ..self.api_request(Operation::Login, None)
        };
        let success = self.success(api_request).await?;
        let json = &success.json;
        let Some(token) = token_paths
            .str(json)
            .and_then(strip_bearer)
            .or_else(|| strip_bearer(success.reply.header(header?)?))
        else {
            success.check_body(false)?;
            return Err(success.unreadable(&[TOKEN.name, "login.token_header"]));
        };
        let jwt = jwt_paths.str(json).and_then(strip_bearer);
        let at = self.client.now();
        Ok(LoggedIn {
            at,
            identity: account_identity(spec, body).into(),
            token: Secret::new(token.to_owned()),
            expires: self.contract.token_expiry(json, token, at),
            jwt: jwt.map(|jwt| (Secret::new(jwt.to_owned()), jwt_expiry(jwt))),
        })
    }

    /// The checkout domains that can be used now. The list may be empty.
    ///
    /// # Errors
    ///
    /// Returns an error if any page of the list is missing or unreadable. Otherwise, the domains on
    /// that page would seem to belong to somebody else.
    pub async fn domains(&self, credential: BoundCredential<'_>) -> Result<DomainList, Failure> {
        let pages = &self.contract.domains.pages;
        let mut url = self.first_page();
        let mut requested_urls = vec![url.clone()];
        let mut list = DomainList::default();
        for number in 0..pages.max_pages {
            let api_request = ApiRequest {
                url: url.clone(),
                max_reply_bytes: self.client.limits().max_list_bytes,
                ..self.api_request(Operation::Domains, Some(credential))
            };
            let page = self.success(api_request).await?;
            let domains = self.contract.read_domains(&page.json);
            if domains.as_ref().is_none_or(Vec::is_empty) {
                page.check_body(false)?;
            }
            let Some(domains) = domains else {
                let settings = [DOMAIN_LIST, HOST].map(|it| it.name);
                return Err(page.unreadable(&settings));
            };
            let link_header = page.reply.header("link");
            let next = self
                .contract
                .next_page(&page.json, link_header, number, domains.is_empty());
            list.domains.extend(domains);
            list.has_more_pages =
                pages.style == PageStyle::None && says_more_pages(&page.json, link_header);
            url = match self.next_page_url(&url, &next) {
                Ok(None) => return Ok(list),
                Ok(Some(_)) if number + 1 == pages.max_pages => {
                    return Err(page.unreadable(&["domains.most_pages"]));
                }
                // Reject the URL of an earlier page. It would cause an endless loop.
                Ok(Some(next)) if !requested_urls.contains(&next) => next,
                Ok(Some(_)) => return Err(page.unreadable(&[NEXT_PAGE.name])),
                Err(()) => {
                    return Err(page.unreadable(&[NEXT_PAGE.name, "domains.path"]));
                }
            };
            requested_urls.push(url.clone());
        }
        Ok(list)
    }

    fn first_page(&self) -> Url {
        let pages = &self.contract.domains.pages;
        let mut url = self.operation_url(Operation::Domains);
        if pages.style == PageStyle::Number {
            url.query_pairs_mut()
                .append_pair(&pages.parameter, &pages.first.to_string());
        }
        url
    }

    /// The URL of the next page of the list, or `None` on the last page.
    ///
    /// The URL must equal the URL of the list or be below it. Otherwise, a reply could determine
    /// where the credential is sent.
    fn next_page_url(&self, from: &Url, next: &NextPage) -> Result<Option<Url>, ()> {
        let list = self.operation_url(Operation::Domains);
        match next {
            NextPage::None => Ok(None),
            NextPage::Parameter(value) => {
                let mut url = list;
                url.query_pairs_mut()
                    .append_pair(&self.contract.domains.pages.parameter, value);
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

    /// Creates the payment link of this row in the history, and returns its URL exactly as in the
    /// reply.
    ///
    /// The API has no idempotency key for payment links. If no reply arrives, the link may exist
    /// anyway.
    pub async fn create_link(
        &self,
        credential: BoundCredential<'_>,
        row: RowId,
        request: &LinkRequest,
    ) -> Result<CreatedLink, Failure> {
        let spec = &self.contract.create_link;
        // This error never occurs, because the form rejects amounts with a fraction of a centavo.
        let body = spec
            .body(request)
            .ok_or(Failure::NotSent(NotSent::BodyChanged))?;
        let api_request = ApiRequest {
            subject: Some(ExchangeSubject::Sale(row)),
            body: Some((&body, &body)),
            ..self.api_request(Operation::CreateLink, Some(credential))
        };
        let success = self.success(api_request).await?;
        let created = self.read_link(&success.json);
        let is_created = created.is_some()
            || self.contract.paths(LINK_ID).text(&success.json).is_some()
            || has_text_from(&success.json, "http");
        success.check_body(is_created)?;
        created.ok_or_else(|| success.unreadable(&[LINK_URL.name]))
    }

    fn read_link(&self, reply: &Value) -> Option<CreatedLink> {
        Some(CreatedLink {
            url: self.contract.paths(LINK_URL).str(reply)?.into(),
        })
    }

    /// Reads the URL of a payment link from an earlier reply. Used when the seller has corrected
    /// the API contract, because the URL may now be found.
    ///
    /// Returns `None` if the URL is still not found, or if the reply is not a success. Also returns
    /// `None` if a secret in the URL is masked.
    pub fn read_link_again(&self, reply: &MaskedReply) -> Option<CreatedLink> {
        let spec = &self.contract.create_link;
        let json = parse_earlier_reply(reply, &spec.call)?;
        self.read_link(&json)
            .filter(|created| !created.url.is_masked())
    }

    /// Reads a direct payment from an earlier reply. Used when the seller has corrected the API
    /// contract, because the payment may now be found.
    ///
    /// Returns `None` in the same cases as [`read_link_again`](Service::read_link_again).
    pub fn read_charge_again(&self, reply: &MaskedReply) -> Option<CreatedCharge> {
        let spec = &self.contract.direct_payment;
        let json = parse_earlier_reply(reply, &spec.call)?;
        let created = self.read_charge(&json).ok()?;
        let is_masked = [&created.id, &created.pix_code]
            .into_iter()
            .flatten()
            .any(Untrusted::is_masked);
        (!is_masked).then_some(created)
    }

    /// Creates the direct payment of this row in the history.
    ///
    /// `body` is the request body exactly as it is sent. It contains no secrets. The API has no
    /// idempotency key for direct payments. If no reply arrives, the payment may exist anyway.
    pub async fn direct_payment(
        &self,
        credential: BoundCredential<'_>,
        row: RowId,
        body: &str,
    ) -> Result<CreatedCharge, Failure> {
        let api_request = ApiRequest {
            subject: Some(ExchangeSubject::Sale(row)),
            body: Some((body, body)),
            ..self.api_request(Operation::DirectPayment, Some(credential))
        };
        let success = self.success(api_request).await?;
        let json = &success.json;
        let is_created = self.contract.paths(CHARGE_ID).text(json).is_some()
            || self.contract.paths(PIX_CODE).text(json).is_some()
            || has_text_from(json, PIX_CODE_START);
        success.check_body(is_created)?;
        self.read_charge(json)
            .map_err(|missing| success.unreadable(&missing))
    }

    /// The direct payment in a reply. If a value is missing, the error names the settings of the
    /// API contract that should locate it.
    fn read_charge(&self, json: &Value) -> Result<CreatedCharge, Vec<&'static str>> {
        let text = |setting| self.contract.paths(setting).text(json);
        let id = text(CHARGE_ID);
        let pix_code = self.contract.paths(PIX_CODE).pix_code(json);
        if id.is_none() && pix_code.is_none() {
            return Err(vec![CHARGE_ID.name, PIX_CODE.name]);
        }
        if id.is_none() && self.contract.direct_payment.id_required {
            return Err(vec![CHARGE_ID.name]);
        }
        let status = text(CHARGE_STATUS);
        let expires = text(CHARGE_EXPIRY);
        Ok(CreatedCharge {
            id,
            status,
            pix_code,
            expires,
        })
    }
}

/// The first characters of each Pix code.
const PIX_CODE_START: &str = "000201";

/// True if some text in the reply begins with these characters, so that it may be what the request
/// should create, at a place that no setting reads.
fn has_text_from(json: &Value, start: &str) -> bool {
    match json {
        Value::String(text) => text.trim_start().starts_with(start),
        Value::Array(items) => items.iter().any(|item| has_text_from(item, start)),
        Value::Object(members) => members.values().any(|member| has_text_from(member, start)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Parses the body of an earlier reply as JSON. Returns `None` if the reply does not report a
/// success.
fn parse_earlier_reply(reply: &MaskedReply, call: &Call) -> Option<Value> {
    let json = read_json(reply.body.raw().as_bytes())?;
    let is_success = call.success.contains(&reply.status);
    (is_success && failure_sign(&json, &call.failed).is_none()).then_some(json)
}

/// The identity of the account that logs in.
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
