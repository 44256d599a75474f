//! The bank's replies and the pages of the checkout, as responses of HTTP.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::bank::request::BankReply;
use super::page;

/// The content type of every reply of the bank.
pub(super) const JSON: &str = "application/json";

impl IntoResponse for BankReply {
    fn into_response(self) -> Response {
        response(self.status, JSON, self.body)
    }
}

/// A page, with what a browser may do with it.
pub(super) fn html_response(status: u16, html: String) -> Response {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, page::POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With less, a browser would send the page's own form as coming from nowhere.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, response(status, "text/html; charset=utf-8", html)).into_response()
}

/// A response with this content.
pub(super) fn response(status: u16, content_type: &str, body: String) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(header::CONTENT_TYPE, content_type)], body).into_response()
}
