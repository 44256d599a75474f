//! The bank's replies and the pages of the checkout, as responses of HTTP.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::bank::request::BankReply;
use super::page;

/// The content type of every reply of the bank.
pub(super) const JSON: &str = "application/json";

/// A reply of the bank.
pub(super) fn json_response(reply: &BankReply) -> Response {
    response(reply.status, JSON, reply.body.clone())
}

/// A page, with what a browser may do with it.
pub(super) fn html_response(status: u16, html: String) -> Response {
    let mut response = response(status, "text/html; charset=utf-8", html);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(page::POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // With less, a browser would send the page's own form as coming from nowhere.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A response with this content.
pub(super) fn response(status: u16, content_type: &str, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Ok(value) = HeaderValue::from_str(content_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, value);
    }
    response
}
