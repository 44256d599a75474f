//! Who is let in: whoever means this very service, and no page of another site.
//!
//! A page in the seller's browser can be made to ask under a name that leads here (DNS rebinding),
//! or to send what changes something without being able to read the answer. Names are what that
//! takes, so a number of this machine will do with any port: one that is forwarded works.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::Response;

use super::bank::request::Reply;
use super::counter::Counter;
use super::http::{json_response, name_of, text_of};

/// Lets a request in, or refuses it.
pub async fn admit(State(counter): State<Arc<Counter>>, asked: Request, next: Next) -> Response {
    let is_own = asked.uri().path().starts_with("/_sandbox/");
    let host = text_of(asked.headers(), &header::HOST).unwrap_or_default();
    let named = asked.uri().authority().map(|authority| authority.as_str());
    let is_known = |host: &str| is_own_name(&counter, host) || !is_own && is_shop(&counter, host);
    if !is_known(&host) || named.is_some_and(|named| !is_known(named)) {
        return json_response(&Reply::refusal(421, "Este endereço não é o do sandbox."));
    }
    let is_look = matches!(*asked.method(), Method::GET | Method::HEAD);
    if (is_own || !is_look) && is_foreign(asked.headers(), &host) {
        return json_response(&Reply::refusal(403, "Um outro site não pode pedir isto."));
    }
    next.run(asked).await
}

/// Its own names: this machine's, and the number it listens on.
fn is_own_name(counter: &Counter, host: &str) -> bool {
    let name = name_of(host);
    let listens = counter.entrance.address().ip();
    let is_own = |ip: IpAddr| ip.is_loopback() || ip == listens || listens.is_unspecified();
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    name == "localhost" || bare.unwrap_or(&name).parse().is_ok_and(is_own)
}

fn is_shop(counter: &Counter, host: &str) -> bool {
    let name = name_of(host);
    counter.till().bank.domains().iter().any(|domain| domain.host == name)
}

/// A browser says which site's page asks; only one that came from here is of this site.
fn is_foreign(headers: &HeaderMap, host: &str) -> bool {
    let origin = text_of(headers, &header::ORIGIN);
    origin.is_some_and(|origin| !origin.eq_ignore_ascii_case(&format!("http://{host}")))
}
