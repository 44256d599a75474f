//! What the sandbox alone says: which links its buyers paid. No documented operation says so.

use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, HeaderValue};
use serde::Deserialize;
use url::Url;

use super::BaseUrl;
use super::client::{Limits, build};
use super::exchange::read;
use super::in_time::InTime;
use super::raw_reply::BodyEnd;
use crate::trade::Untrusted;

/// The time for which an answer is waited for: it comes when somebody pays.
const PATIENCE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The most bytes of an answer that are read.
const REPLY_BYTES: usize = 2 * 1024 * 1024;

/// The payments by buyers at a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SandboxPayments {
    /// How many there are, of links and charges.
    pub payments: usize,
    /// The addresses of the links that were paid, exactly as the seller got them.
    pub links: Vec<String>,
}

impl SandboxPayments {
    /// The addresses as the app takes them.
    pub fn addresses(self) -> impl Iterator<Item = Untrusted> {
        self.links.into_iter().map(Untrusted::from)
    }
}

/// Asks a service that proved to be the sandbox for its payments, and waits until they are others
/// than so many.
///
/// No credential is sent. Returns nothing if the sandbox is gone.
pub async fn sandbox_payments(base: &BaseUrl, than: Option<usize>) -> Option<SandboxPayments> {
    let than = than.map(|than| format!("?than={than}")).unwrap_or_default();
    let asked = format!("http://{}/_sandbox/payments{than}", base.sandbox_address()?);
    let limits = Limits { total: PATIENCE, ..Limits::default() };
    let http = build(&limits, None).tls_certs_only([]).build().ok()?;
    let mut request = reqwest::Request::new(reqwest::Method::GET, Url::parse(&asked).ok()?);
    request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let response = InTime::always().send(&http, request).await.ok()?;
    let reply = read(response, REPLY_BYTES).await;
    let is_answer = reply.status == 200 && reply.end == BodyEnd::Whole;
    let answer: SandboxPayments = serde_json::from_slice(&reply.body).ok()?;
    is_answer.then_some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::tests::Server;

    async fn said(status: &str, body: &str) -> Option<SandboxPayments> {
        let server = Server::answering(status, "", body).await;
        let said = sandbox_payments(&server.base, Some(3)).await;
        let asked = server.request().to_lowercase();
        assert!(asked.starts_with("get /_sandbox/payments?than=3 http/1.1\r\n"), "{asked}");
        assert!(!asked.contains("authorization"), "{asked}");
        said
    }

    #[tokio::test]
    async fn the_links_that_were_paid_are_read_and_anything_else_says_nothing() {
        let body = r#"{"payments":4,"links":["http://loja.localhost:1/checkout/link-x"]}"#;
        let wanted = "http://loja.localhost:1/checkout/link-x";
        let payments = said("200 OK", body).await.unwrap();
        assert_eq!(payments.payments, 4);
        assert_eq!(payments.addresses().collect::<Vec<_>>(), [Untrusted::from(wanted)]);
        assert_eq!(said("404 No", body).await, None);
        assert_eq!(said("200 OK", "{}").await, None);
        assert_eq!(said("200 OK", "").await, None);
    }
}
