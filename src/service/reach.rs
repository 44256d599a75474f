//! A look at an address before anything is known of it: whether somebody answers there.

use std::time::{Duration, Instant};

use reqwest::Method;

use super::base_url::BaseUrl;
use super::client::Client;
use super::in_time::InTime;
use crate::trade::Failure;

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
