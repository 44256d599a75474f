//! Recognises requests for another host, and requests from web pages of other sites.
//!
//! A malicious page in the seller's browser could use a host name that resolves to this machine
//! (DNS rebinding). Such a server does not know the host name, so it refuses the request.
//!
//! A malicious page could also send a request that changes something, without reading the reply.
//! A server recognises such a request by its `Origin` header.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, Uri, header};

/// True if the host in the `Host` header is known. If the URL contains a host too, that host must
/// also be known.
pub fn has_known_host(request: &Request, is_known: impl Fn(&str) -> bool) -> bool {
    let host = header_text(request.headers(), &header::HOST).unwrap_or_default();
    let url_host = request
        .uri()
        .authority()
        .map(|authority| authority.as_str());
    is_known(&host_name(&host)) && url_host.is_none_or(|url_host| is_known(&host_name(url_host)))
}

/// True if the `Origin` header shows that a page of another site sent the request.
pub fn is_cross_site(request: &Request) -> bool {
    let host = header_text(request.headers(), &header::HOST).unwrap_or_default();
    let origin = header_text(request.headers(), &header::ORIGIN);
    origin.is_some_and(|origin| !origin.eq_ignore_ascii_case(&format!("http://{host}")))
}

/// True if the name is `localhost`, or an address that `is_own` accepts.
pub fn is_own_name(name: &str, is_own: impl Fn(IpAddr) -> bool) -> bool {
    let without_brackets = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    name == "localhost" || without_brackets.unwrap_or(name).parse().is_ok_and(is_own)
}

/// The value of a header. If the header occurs several times, its values are joined with commas, as
/// RFC 9110 describes.
pub fn header_text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let texts: Vec<_> = headers
        .get_all(name)
        .iter()
        .map(|v| String::from_utf8_lossy(v.as_bytes()))
        .collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// The host for which a request is meant, in lower case and without its port.
pub fn request_host(headers: &HeaderMap, uri: &Uri) -> String {
    let host = uri
        .authority()
        .map(ToString::to_string)
        .or_else(|| header_text(headers, &header::HOST))
        .unwrap_or_default();
    host_name(&host)
}

/// Removes the port from a host and converts it to lower case.
fn host_name(host: &str) -> String {
    let name = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => host,
    };
    name.trim_end_matches('.').to_ascii_lowercase()
}
