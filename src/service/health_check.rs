//! Health checks: they find out whether the service is reachable, and how wrong this computer's
//! clock is.
//!
//! A health check uses the same client, limits and certificates as the API operations, but sends no
//! credential. Any reply counts as a success. Health checks do not appear in the list of requests.

use std::time::{Duration, Instant};

use reqwest::Method;
use reqwest::header::{AGE, DATE, HeaderMap};
use url::Url;

use super::client::Client;
use super::send_condition::SendCondition;
use super::{BaseUrl, Service, no_reply};
use crate::trade::checkup::{HostFault, HostReply};
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, Wall};

/// Sends a request without a credential to the base URL. Returns the time until the reply arrives.
///
/// A reply with any status is a success. The body is not read.
pub async fn ping(client: &Client, base: &BaseUrl) -> Result<Duration, Failure> {
    let url = base.join("");
    #[expect(
        clippy::disallowed_methods,
        reason = "how long it took is shown to the seller and decides nothing"
    )]
    let start = Instant::now();
    let request = reqwest::Request::new(Method::GET, url);
    let http = client.http(request.url()).await?;
    SendCondition::always().send(http, request).await?;
    Ok(start.elapsed())
}

/// The result of a health check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HealthCheck {
    /// The reply, or the reason why no reply arrived.
    pub reply: HostReply,
    /// How many seconds this computer's clock is ahead of the service's clock. `None` if the reply
    /// has no date.
    pub ahead: Option<i64>,
}

impl Service {
    /// Sends one health check to the service.
    pub async fn health_check(&self) -> HealthCheck {
        match self.request_health().await {
            Ok(check) => check,
            Err(fault) => HealthCheck {
                reply: HostReply::Failed(fault),
                ahead: None,
            },
        }
    }

    async fn request_health(&self) -> Result<HealthCheck, HostFault> {
        let url = Url::parse(self.base.as_str()).map_err(|_| HostFault::Name)?;
        let is_encrypted = url.scheme() == "https";
        let request = reqwest::Request::new(Method::HEAD, url);
        let http = self.client.http(request.url()).await;
        let http = http.map_err(|failure| match failure {
            Failure::NotSent(NotSent::Tls) => HostFault::OwnCertificates,
            _ => HostFault::Connect,
        })?;
        let sent_at = self.client.now();
        let response = SendCondition::always().execute(http, request).await;
        let response = response.map_err(|error| no_reply::host_fault(&error))?;
        let received_at = self.client.now();
        let date = reply_date(response.headers());
        let status = response.status().as_u16();
        Ok(HealthCheck {
            reply: HostReply::Answered {
                status,
                is_encrypted,
            },
            ahead: date.map(|date| seconds_ahead(sent_at, received_at, date)),
        })
    }
}

/// The time in a reply's `Date` header. If a cache sent the reply, the time that the reply spent in
/// the cache is added.
fn reply_date(headers: &HeaderMap) -> Option<Wall> {
    let date = Wall::parse_http_date(headers.get(DATE)?.to_str().ok()?)?;
    let age = match headers.get(AGE) {
        Some(age) => age.to_str().ok()?.trim().parse().ok()?,
        None => 0,
    };
    Some(date.plus(Duration::from_secs(age)))
}

/// Returns how many seconds this computer's clock is ahead of the date in a reply.
///
/// The service generated the date at some time between request and response, and cut it to a whole
/// second. Both times are therefore intervals. This function compares the midpoints of the
/// intervals.
fn seconds_ahead(sent_at: Wall, received_at: Wall, date: Wall) -> i64 {
    let local = i128::from(sent_at.0) + i128::from(received_at.0);
    let remote = 2 * i128::from(date.0) + 1_000;
    i64::try_from((local - remote) / 2_000).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_offset_uses_midpoint_of_the_exchange() {
        for (sent_at, received_at, date, seconds) in [
            (10_000, 10_900, 10_000, 0),
            (0, 20_000, 10_000, 0),
            (70_000, 71_000, 10_000, 60),
            (10_000, 11_000, 70_000, -60),
            (i64::MAX, i64::MAX, i64::MIN, 18_446_744_073_709_551),
        ] {
            let ahead = seconds_ahead(Wall(sent_at), Wall(received_at), Wall(date));
            assert_eq!(ahead, seconds, "{sent_at} {received_at} {date}");
        }
    }
}
