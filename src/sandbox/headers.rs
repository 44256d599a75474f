//! What a request's headers say: their texts, and the host that is asked for.

use axum::http::{HeaderMap, HeaderName, Uri, header};

/// The text of a header; several of one name are joined, as RFC 9110 reads them.
pub(super) fn text_of(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let texts: Vec<_> =
        headers.get_all(name).iter().map(|v| String::from_utf8_lossy(v.as_bytes())).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// The host that is asked for, in lower case and without its port.
pub(super) fn host_of(headers: &HeaderMap, uri: &Uri) -> String {
    let named = uri
        .authority()
        .map(ToString::to_string)
        .or_else(|| text_of(headers, &header::HOST))
        .unwrap_or_default();
    name_of(&named)
}

/// The name in a host, in lower case and without its port.
pub(super) fn name_of(host: &str) -> String {
    let without_port = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => host,
    };
    without_port.trim_end_matches('.').to_ascii_lowercase()
}
