//! Signs of life: a look at an address, and what a checkup asks the service.
//!
//! Both go by the client of all operations, with the same limits and the same trust in
//! certificates, without a credential and of no operation. Whatever is answered shows that somebody
//! is there, and moves nothing. Like the sandbox's proof they are no exchange about the account,
//! and are not listed as one.

use std::time::{Duration, Instant};

use reqwest::Method;
use reqwest::header::{AGE, DATE, HeaderMap};
use url::Url;

use super::client::Client;
use super::in_time::InTime;
use super::raw_reply::read_date;
use super::{BaseUrl, Service, no_reply};
use crate::trade::checkup::{HostFault, HostReply};
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, Wall};

/// Asks the address itself, without a credential, and returns how long the answer took.
///
/// It goes the way of every request: the same client, the same limits and the same view of
/// certificates. What is answered does not matter, and is not read.
pub async fn reach(client: &Client, base: &BaseUrl) -> Result<Duration, Failure> {
    let url = base.join("");
    #[expect(
        clippy::disallowed_methods,
        reason = "how long it took is shown to the seller and decides nothing"
    )]
    let began = Instant::now();
    let request = reqwest::Request::new(Method::GET, url);
    let http = client.http(request.url()).await?;
    InTime::always().send(http, request).await?;
    Ok(began.elapsed())
}

/// The answer of the service, and what it says of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignOfLife {
    /// Its answer, or why there is none.
    pub reply: HostReply,
    /// The seconds that this computer's clock is ahead of the date of the answer.
    pub ahead: Option<i64>,
}

impl Service {
    /// Asks for a sign of life, once.
    pub async fn sign_of_life(&self) -> SignOfLife {
        match self.ask_for_life().await {
            Ok(sign) => sign,
            Err(fault) => SignOfLife { reply: HostReply::Failed(fault), ahead: None },
        }
    }

    async fn ask_for_life(&self) -> Result<SignOfLife, HostFault> {
        let url = Url::parse(self.base.as_str()).map_err(|_| HostFault::Name)?;
        let is_encrypted = url.scheme() == "https";
        let request = reqwest::Request::new(Method::HEAD, url);
        let http = self.client.http(request.url()).await;
        let http = http.map_err(|failure| match failure {
            Failure::NotSent(NotSent::Tls) => HostFault::OwnCertificates,
            _ => HostFault::Connect,
        })?;
        let asked = self.client.now();
        let response = InTime::always().execute(http, request).await;
        let response = response.map_err(|error| no_reply::host_fault(&error))?;
        let answered = self.client.now();
        let date = date(response.headers());
        let status = response.status().as_u16();
        Ok(SignOfLife {
            reply: HostReply::Answered { status, is_encrypted },
            ahead: date.map(|date| seconds_ahead(asked, answered, date)),
        })
    }
}

/// The date of a reply, as of now: one that was kept on the way says how old it is.
fn date(headers: &HeaderMap) -> Option<Wall> {
    let date = read_date(headers.get(DATE)?.to_str().ok()?)?;
    let age = match headers.get(AGE) {
        Some(age) => age.to_str().ok()?.trim().parse().ok()?,
        None => 0,
    };
    Some(date.plus(Duration::from_secs(age)))
}

/// The seconds that this computer's clock is ahead of a date.
///
/// The date was written between the question and the answer, and is cut to its second: the middle
/// of both is the best guess.
fn seconds_ahead(asked: Wall, answered: Wall, date: Wall) -> i64 {
    let here = i128::from(asked.0) + i128::from(answered.0);
    let there = 2 * i128::from(date.0) + 1_000;
    i64::try_from((here - there) / 2_000).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_offset_uses_midpoint_of_the_exchange() {
        for (asked, answered, date, seconds) in [
            (10_000, 10_900, 10_000, 0),
            (0, 20_000, 10_000, 0),
            (70_000, 71_000, 10_000, 60),
            (10_000, 11_000, 70_000, -60),
            (i64::MAX, i64::MAX, i64::MIN, 18_446_744_073_709_551),
        ] {
            let ahead = seconds_ahead(Wall(asked), Wall(answered), Wall(date));
            assert_eq!(ahead, seconds, "{asked} {answered} {date}");
        }
    }
}
