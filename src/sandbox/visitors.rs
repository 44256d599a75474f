//! Refuses requests for another host, and requests from web pages of other sites.
//!
//! A malicious page in the seller's browser could use a host name that resolves to this machine
//! (DNS rebinding). The sandbox does not know such a host name, so it refuses the request. Requests
//! to an IP address of this machine are accepted with any port, so that port forwarding works.
//!
//! A malicious page could also send a request that changes something, without reading the reply.
//! The sandbox recognises such a request by its `Origin` header.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::bank::request::BankReply;
use super::shared_state::SharedState;

/// Passes a permitted request to the next handler, and refuses any other request.
pub async fn check_request(
    State(shared): State<Arc<SharedState>>,
    request: Request,
    next: Next,
) -> Response {
    let is_control_path = request.uri().path().starts_with("/_sandbox/");
    let is_shop = |name: &str| !is_control_path && shared.state().bank.is_own_domain(name);
    if !has_known_host(&request, |name| is_own_name(&shared, name) || is_shop(name)) {
        return BankReply::refusal(421, "Este endereço não é o do sandbox.").into_response();
    }
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if (is_control_path || !is_read) && is_cross_site(&request) {
        return BankReply::refusal(403, "Um outro site não pode pedir isto.").into_response();
    }
    next.run(request).await
}

/// Returns true if the host in the `Host` header is known. If the URL contains a host too, that
/// host must also be known.
pub(super) fn has_known_host(request: &Request, is_known: impl Fn(&str) -> bool) -> bool {
    let host = header_text(request.headers(), &header::HOST).unwrap_or_default();
    let url_host = request.uri().authority().map(|authority| authority.as_str());
    is_known(&host_name(&host)) && url_host.is_none_or(|url_host| is_known(&host_name(url_host)))
}

/// Returns true if the `Origin` header shows that a page of another site sent the request.
pub(super) fn is_cross_site(request: &Request) -> bool {
    let host = header_text(request.headers(), &header::HOST).unwrap_or_default();
    let origin = header_text(request.headers(), &header::ORIGIN);
    origin.is_some_and(|origin| !origin.eq_ignore_ascii_case(&format!("http://{host}")))
}

/// Returns true if the name is `localhost`, a loopback address, or the address that the sandbox
/// listens on.
fn is_own_name(shared: &SharedState, name: &str) -> bool {
    let own_ip = shared.port.address().ip();
    let is_own_address = |ip: IpAddr| ip.is_loopback() || ip == own_ip || own_ip.is_unspecified();
    let without_brackets = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    name == "localhost" || without_brackets.unwrap_or(name).parse().is_ok_and(is_own_address)
}

/// Returns the value of a header. If the header occurs several times, its values are joined with
/// commas, as RFC 9110 describes.
pub(super) fn header_text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let texts: Vec<_> =
        headers.get_all(name).iter().map(|v| String::from_utf8_lossy(v.as_bytes())).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// Returns the host for which a request is meant, in lower case and without its port.
pub(super) fn request_host(headers: &HeaderMap, uri: &Uri) -> String {
    let host = uri
        .authority()
        .map(ToString::to_string)
        .or_else(|| header_text(headers, &header::HOST))
        .unwrap_or_default();
    host_name(&host)
}

/// Removes the port from a host and converts it to lower case.
pub(super) fn host_name(host: &str) -> String {
    let name = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => host,
    };
    name.trim_end_matches('.').to_ascii_lowercase()
}
