//! The documented operations, besides the quote and the withdrawal: each is asked for once.

use std::sync::Arc;

use url::Url;

use super::base_url::origin_of;
use super::exchange::ApiRequest;
use super::mask::Mask;
use super::{BoundCredential, Service};
use crate::contract::{Body, FieldKind, LoginSpec, NextPage, PageStyle, jwt_expiry, read_domains};
use crate::trade::withdrawal::NotSent;
use crate::trade::{
    ChargeOutcome, CheckoutDomain, Failure, LinkRequest, Operation, Secret, Untrusted, Wall,
};

/// The result of a login.
#[derive(Debug)]
pub struct LoggedIn {
    /// The identity that logged in; an e-mail in small letters, however it was typed.
    pub identity: Arc<str>,
    /// The API token.
    pub token: Secret,
    /// When the reply was here: what it yields is good from then on.
    pub at: Wall,
    /// When the token ends, if that is known.
    pub expires: Option<Wall>,
    /// The JWT for links and its end, where the contract says that the login yields one.
    pub jwt: Option<(Secret, Option<Wall>)>,
}

impl Service {
    /// Logs in with the body of the contract's login form.
    pub async fn login(&self, body: &Body) -> Result<LoggedIn, Failure> {
        let spec = &self.contract.login;
        let header = spec.token_header.as_deref();
        let api_request = ApiRequest {
            body: Some((body.text(), body.masked())),
            mask: Mask {
                identity: None,
                secrets: body.secrets().collect(),
                places: vec![&spec.token, &spec.jwt],
                every_text: true,
            },
            ..self.api_request(Operation::Login, None)
        };
        let success = self.success(api_request).await?;
        let json = &success.json;
        let in_header = || bare(success.reply.header(header?)?);
        let Some(token) = spec.token.str(json).and_then(bare).or_else(in_header) else {
            return Err(success.unreadable(&["login.token", "login.token_header"]));
        };
        let jwt = spec.jwt.str(json).and_then(bare);
        let at = self.client.now();
        Ok(LoggedIn {
            at,
            identity: identity(spec, body).into(),
            token: Secret::new(token.to_owned()),
            expires: spec.expiry.read(json, token, at),
            jwt: jwt.map(|jwt| (Secret::new(jwt.to_owned()), jwt_expiry(jwt))),
        })
    }

    /// The domains that can be used; an empty list means none can be used now.
    ///
    /// It is whole or it is an error: a domain that is missing would be taken for one that is not
    /// the seller's.
    pub async fn domains(
        &self,
        credential: BoundCredential<'_>,
    ) -> Result<Vec<CheckoutDomain>, Failure> {
        let pages = &self.contract.domains.pages;
        let first = self.first_page();
        let (mut url, mut seen, mut all) = (first.clone(), vec![first], Vec::new());
        for number in 0..pages.most {
            let api_request = ApiRequest {
                url: url.clone(),
                most: self.client.limits().list_bytes,
                ..self.api_request(Operation::Domains, Some(credential))
            };
            let page = self.success(api_request).await?;
            let Some(domains) = read_domains(&self.contract.domains, &page.json) else {
                return Err(page.unreadable(&["domains.under", "domains.host"]));
            };
            let next = pages.after(&page.json, number, domains.is_empty());
            all.extend(domains);
            url = match self.page_at(&url, &next) {
                Ok(None) => return Ok(all),
                Ok(Some(_)) if number + 1 == pages.most => {
                    return Err(page.unreadable(&["domains.most_pages"]));
                }
                // One that leads back would be read for ever.
                Ok(Some(next)) if !seen.contains(&next) => next,
                Ok(Some(_)) | Err(()) => return Err(page.unreadable(&["domains.next_page"])),
            };
            seen.push(url.clone());
        }
        Ok(all)
    }

    fn first_page(&self) -> Url {
        let pages = &self.contract.domains.pages;
        let mut url = self.address_of(Operation::Domains);
        if pages.style == PageStyle::Number {
            url.query_pairs_mut().append_pair(&pages.parameter, &pages.first.to_string());
        }
        url
    }

    /// The address of the next page, if there is one.
    ///
    /// A reply does not choose where the credential goes: an address that is not the list's own, or
    /// below it, is an error.
    fn page_at(&self, from: &Url, next: &NextPage) -> Result<Option<Url>, ()> {
        let list = self.address_of(Operation::Domains);
        match next {
            NextPage::None => Ok(None),
            NextPage::Parameter(value) => {
                let mut url = list;
                url.query_pairs_mut().append_pair(&self.contract.domains.pages.parameter, value);
                Ok(Some(url))
            }
            NextPage::Address(text) => {
                let url = from.join(text).map_err(|_| ())?;
                let is_ours = origin_of(&url).as_ref() == Some(self.base.origin());
                let is_plain = url.username().is_empty() && url.password().is_none();
                let is_in_list = self.base.is_at_or_below(&url, &list) && !self.is_withdrawal(&url);
                if is_ours && is_plain && is_in_list { Ok(Some(url)) } else { Err(()) }
            }
        }
    }

    /// Asks for a link, once; its address comes back byte for byte as the service wrote it.
    ///
    /// There is no key against duplicates here: after no answer the link may exist.
    pub async fn create_link(
        &self,
        credential: BoundCredential<'_>,
        request: &LinkRequest,
    ) -> Result<Untrusted, Failure> {
        let spec = &self.contract.create_link;
        // An amount finer than a centavo cannot be typed; there are no bytes for it.
        let body = spec.body(request).ok_or(Failure::NotSent(NotSent::BodyChanged))?;
        let api_request = ApiRequest {
            body: Some((&body, &body)),
            ..self.api_request(Operation::CreateLink, Some(credential))
        };
        let success = self.success(api_request).await?;
        success.check_signs(&spec.failed, &spec.status)?;
        let url = spec.url.str(&success.json).map(Untrusted::from);
        url.ok_or_else(|| success.unreadable(&["create_link.url"]))
    }

    /// Asks for a direct payment, once; what comes back is always [`ChargeOutcome::Created`].
    ///
    /// There is no key against duplicates here: after no answer the payment may exist.
    /// The body is the text the contract's form made, and holds no secret.
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
        success.check_signs(&spec.failed, &spec.status)?;
        let json = &success.json;
        let (id, pix_code) = (spec.id.text(json), spec.pix_code.pix_code(json));
        if id.is_none() && pix_code.is_none() {
            return Err(success.unreadable(&["direct_payment.id", "direct_payment.pix_code"]));
        }
        if id.is_none() && spec.id_required {
            return Err(success.unreadable(&["direct_payment.id"]));
        }
        let (status, expires) = (spec.status.text(json), spec.expires.text(json));
        Ok(ChargeOutcome::Created { id, status, pix_code, expires })
    }
}

/// Returns the account of this login.
///
/// An e-mail is the same in capitals: taken for another account, that account's open withdrawals
/// would not be seen, and could be made again.
fn identity(spec: &LoginSpec, body: &Body) -> String {
    let said = body.said(&spec.identity).unwrap_or_default();
    match spec.form.field(&spec.identity) {
        Some(field) if field.kind == FieldKind::Email => said.to_lowercase(),
        _ => said.to_owned(),
    }
}

/// A token without the word that goes before it in a header; `None` when it cannot be one.
fn bare(text: &str) -> Option<&str> {
    let text = text.trim();
    let token = match text.get(..7) {
        Some(scheme) if scheme.eq_ignore_ascii_case("bearer ") => text[7..].trim(),
        _ => text,
    };
    (!token.is_empty() && token.bytes().all(|b| b.is_ascii_graphic())).then_some(token)
}
