//! List available checkout domains, page by page where the list has pages.

use serde_json::Value;
use url::Url;

use super::api_request::ApiRequest;
use super::base_url::origin_of;
use super::exchange::exchange;
use super::mask::Mask;
use super::raw_reply::RawReply;
use super::refusal::{check, unreadable};
use super::{BoundCredential, Service};
use crate::contract::{NextPage, PageStyle, read_domains, read_json};
use crate::trade::{CheckoutDomain, Failure, Operation};

impl Service {
    /// The domains that can be used; an empty list means none can be used now.
    ///
    /// It is whole or it is an error: a domain that is missing would be taken for one that is not
    /// the seller's.
    pub async fn domains(
        &self,
        credential: BoundCredential<'_>,
    ) -> Result<Vec<CheckoutDomain>, Failure> {
        let pages = &self.contract.domains.pages;
        let (first, mask) = (self.first_page(), Mask::of(credential.secret));
        let (mut url, mut seen, mut all) = (first.clone(), vec![first], Vec::new());
        for number in 0..pages.most {
            let (reply, json, domains) = self.page(credential, url.clone()).await?;
            let is_empty = domains.is_empty();
            all.extend(domains);
            let next = pages.after(&json, number, is_empty);
            let wrong = |line: &str| unreadable(&reply, &[line], &mask);
            url = match self.page_at(&url, &next) {
                Ok(None) => return Ok(all),
                Ok(Some(_)) if number + 1 == pages.most => return Err(wrong("domains.most_pages")),
                // One that leads back would be read for ever.
                Ok(Some(next)) if !seen.contains(&next) => next,
                Ok(Some(_)) | Err(()) => return Err(wrong("domains.next_page")),
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

    async fn page(
        &self,
        credential: BoundCredential<'_>,
        url: Url,
    ) -> Result<(RawReply, Value, Vec<CheckoutDomain>), Failure> {
        let spec = &self.contract.domains;
        let api_request = ApiRequest {
            most: self.client.limits().list_bytes,
            ..self.api_request(Operation::Domains, url, Some(credential))
        };
        let reply = exchange(&self.client, &api_request).await?;
        check(&reply, &spec.call, "domains.success", &self.contract, &api_request.mask)?;
        let json = read_json(&reply.body).unwrap_or_default();
        match read_domains(spec, &json) {
            Some(domains) => Ok((reply, json, domains)),
            None => {
                let looked_for = ["domains.under", "domains.host"];
                Err(unreadable(&reply, &looked_for, &api_request.mask))
            }
        }
    }
}
