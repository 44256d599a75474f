//! The question whether a service on this machine is the sandbox.
//!
//! Any loopback address may lead to a real service: a forwarded port does. So an address proves to
//! be the sandbox by what only a sandbox of this very user can know, or it is taken for live.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use reqwest::header::{ACCEPT_ENCODING, HeaderValue};
use sha2::Sha256;
use url::Url;

use super::BaseUrl;
use super::client::{Limits, build};
use super::exchange::read;
use super::in_time::InTime;
use super::raw_reply::BodyEnd;
use crate::trade::Secret;

/// The most bytes of an answer that are read; a proof has 64.
const REPLY_BYTES: usize = 256;

/// Asks the service to prove that it is the sandbox that left this secret, once.
///
/// What is proved is the address that is connected to: an answer that was passed on from a sandbox
/// elsewhere proves another one. The nonce is 16 to 64 bytes of chance in hexadecimal digits. No
/// credential is sent. Anything that is no proof within the limit is a no.
pub async fn sandbox_proof(base: &BaseUrl, secret: &Secret, nonce: &str, limit: Duration) -> bool {
    let Some(address) = base.sandbox_address() else { return false };
    let asked = format!("http://{address}/_sandbox/proof?nonce={nonce}");
    let Some(proof) = ask(&asked, limit).await else { return false };
    let Ok(mut wanted) = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()) else {
        return false;
    };
    wanted.update(format!("balcao sandbox proof 1\n{nonce}\n{address}").as_bytes());
    wanted.verify_slice(&proof).is_ok()
}

/// The bytes of the answer, if it is one.
async fn ask(address: &str, limit: Duration) -> Option<Vec<u8>> {
    let limits = Limits { total: limit, connect: limit, ..Limits::default() };
    let http = build(&limits).tls_certs_only([]).build().ok()?;
    let mut request = reqwest::Request::new(reqwest::Method::GET, Url::parse(address).ok()?);
    request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let response = InTime::always().send(&http, request).await.ok()?;
    let reply = read(response, REPLY_BYTES).await;
    let is_answer = reply.status == 200 && reply.end == BodyEnd::Whole && reply.body.is_ascii();
    let text = std::str::from_utf8(&reply.body).ok().filter(|_| is_answer)?;
    let pairs = (0..text.len()).step_by(2).map(|at| text.get(at..at + 2));
    pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
}

#[cfg(test)]
mod tests;
