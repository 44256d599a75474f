//! List available checkout domains, page by page where the list has pages.

use url::Url;

use super::api_request::ApiRequest;
use super::base_url::origin_of;
use super::{BoundCredential, Service};
use crate::contract::{NextPage, PageStyle, read_domains};
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
        let first = self.first_page();
        let (mut url, mut seen, mut all) = (first.clone(), vec![first], Vec::new());
        for number in 0..pages.most {
            let api_request = ApiRequest {
                most: self.client.limits().list_bytes,
                ..self.api_request(Operation::Domains, url.clone(), Some(credential))
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
}
