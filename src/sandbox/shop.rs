//! Serves the checkout pages over HTTP, and pays a payment link when the buyer presses the button
//! on its page.

use std::sync::Arc;

use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::bank::checkout::{self, CheckoutState, NotPaid};
use super::control::{Control, ControlError};
use super::http::response;
use super::page;
use super::shared_state::SharedState;

/// Serves the checkout pages of one domain. Any other path gets status 404.
pub async fn serve(shared: &Arc<SharedState>, host: &str, path: &str, method: &Method) -> Response {
    let id = path.strip_prefix("/checkout/link-").unwrap_or_default();
    let checkout =
        checkout::checkout_page(&shared.state().bank, id).filter(|checkout| checkout.host == host);
    let Some(checkout) = checkout else {
        return html_response(404, page::not_found());
    };
    match *method {
        Method::GET | Method::HEAD => {
            let status = if checkout.state == CheckoutState::Blocked {
                403
            } else {
                200
            };
            html_response(status, page::checkout(&checkout))
        }
        Method::POST => pay(shared, checkout.id, path).await,
        _ => (
            [(header::ALLOW, "GET, HEAD, POST")],
            StatusCode::METHOD_NOT_ALLOWED,
        )
            .into_response(),
    }
}

/// Pays a payment link, and then redirects the browser to the checkout page. Reloading the page
/// therefore does not pay a second time.
async fn pay(shared: &Arc<SharedState>, id: String, path: &str) -> Response {
    let control = Control(Arc::clone(shared));
    let payment = {
        let id = id.clone();
        tokio::task::spawn_blocking(move || control.pay_link(&id))
    };
    match payment.await {
        Ok(Ok(_) | Err(ControlError::NotPaid(NotPaid::AlreadyPaid))) => {
            (StatusCode::SEE_OTHER, [(header::LOCATION, path.to_owned())]).into_response()
        }
        Ok(Err(ControlError::NotPaid(_))) => {
            match checkout::checkout_page(&shared.state().bank, &id) {
                Some(checkout) => html_response(403, page::checkout(&checkout)),
                None => html_response(404, page::not_found()),
            }
        }
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// An HTML response with security headers.
pub(super) fn html_response(status: u16, html: String) -> Response {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, page::POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With a stricter policy, the browser would send the page's form with the header `Origin:
        // null`, and the sandbox would refuse it.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, response(status, "text/html; charset=utf-8", html)).into_response()
}
