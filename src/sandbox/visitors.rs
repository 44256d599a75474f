//! Admission: requests meant for this very service are let in, and none from another site's page.
//!
//! A page in the seller's browser can be made to ask under a name that leads here (DNS rebinding),
//! or to send a request that changes something without being able to read the answer. Both need a
//! name. That is why a number of this machine is let in with any port: one that is forwarded works.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::Response;

use super::bank::request::BankReply;
use super::headers::{name_of, text_of};
use super::responses::json_response;
use super::shared_state::SharedState;

/// Lets a request in, or refuses it.
pub async fn admit(State(shared): State<Arc<SharedState>>, asked: Request, next: Next) -> Response {
    let is_own = asked.uri().path().starts_with("/_sandbox/");
    let host = text_of(asked.headers(), &header::HOST).unwrap_or_default();
    let named = asked.uri().authority().map(|authority| authority.as_str());
    let is_known = |host: &str| is_own_name(&shared, host) || !is_own && is_shop(&shared, host);
    if !is_known(&host) || named.is_some_and(|named| !is_known(named)) {
        return json_response(&BankReply::refusal(421, "Este endereço não é o do sandbox."));
    }
    let is_look = matches!(*asked.method(), Method::GET | Method::HEAD);
    if (is_own || !is_look) && is_foreign(asked.headers(), &host) {
        return json_response(&BankReply::refusal(403, "Um outro site não pode pedir isto."));
    }
    next.run(asked).await
}

/// Its own names: this machine's, and the number it listens on.
fn is_own_name(shared: &SharedState, host: &str) -> bool {
    let name = name_of(host);
    let listens = shared.port.address().ip();
    let is_own = |ip: IpAddr| ip.is_loopback() || ip == listens || listens.is_unspecified();
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    name == "localhost" || bare.unwrap_or(&name).parse().is_ok_and(is_own)
}

fn is_shop(shared: &SharedState, host: &str) -> bool {
    let name = name_of(host);
    shared.state().bank.domains().iter().any(|domain| domain.host == name)
}

/// A browser says which site's page asks; only one that came from here is of this site.
fn is_foreign(headers: &HeaderMap, host: &str) -> bool {
    let origin = text_of(headers, &header::ORIGIN);
    origin.is_some_and(|origin| !origin.eq_ignore_ascii_case(&format!("http://{host}")))
}
