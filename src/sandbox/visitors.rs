//! Refuses requests for another host, and requests from web pages of other sites.
//!
//! Requests to an IP address of this machine are accepted with any port, so that port forwarding
//! works.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::bank::request::BankReply;
use super::shared_state::SharedState;
use crate::local_server::visitors::{self, has_known_host, is_cross_site};

/// Passes a permitted request to the next handler, and refuses any other request.
pub async fn check_request(
    State(shared): State<Arc<SharedState>>,
    request: Request,
    next: Next,
) -> Response {
    let is_control_path = request.uri().path().starts_with("/_sandbox/");
    let is_known = has_known_host(&request, |name| {
        is_own_name(&shared, name) || !is_control_path && shared.state().bank.is_own_domain(name)
    });
    if !is_known {
        return BankReply::refusal(421, "Este endereço não é o do sandbox.").into_response();
    }
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if (is_control_path || !is_read) && is_cross_site(&request) {
        return BankReply::refusal(403, "Um outro site não pode pedir isto.").into_response();
    }
    next.run(request).await
}

/// True if the name is `localhost`, a loopback address, or the address that the sandbox listens on.
fn is_own_name(shared: &SharedState, name: &str) -> bool {
    let own_ip = shared.port.address().ip();
    visitors::is_own_name(name, |ip| {
        ip.is_loopback() || ip == own_ip || own_ip.is_unspecified()
    })
}
