//! Serves the checkout pages to phones on the local network, on a separate port.
//!
//! A phone that scans the QR code of a payment link can open the checkout page and pay. Phones
//! cannot reach the API or the paths under `/_sandbox/`.

mod address;
mod listener;

use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use tokio::net::TcpListener;

pub use self::address::{ShareAddress, ShareFault, ShareSocket};
pub use self::listener::ShareLimits;

use self::listener::{ConnectionHandle, ShareListener};
use super::http::response;
use super::shared_state::SharedState;
use super::shop;
use crate::local_server::visitors::{has_known_host, is_cross_site, request_host};

/// The maximum number of incoming connections in the operating system's queue.
const BACKLOG: u32 = 128;

/// Starts to listen on the reserved address, and adds the address to the checkout domains.
pub(super) fn listen(shared: &SharedState, socket: ShareSocket) -> Result<TcpListener, ShareFault> {
    let address = socket.address();
    let listener = socket
        .socket
        .listen(BACKLOG)
        .map_err(ShareFault::from_io_error)?;
    shared
        .state()
        .bank
        .set_shared_address(address::host(address.ip()), address.port());
    Ok(listener)
}

/// Serves the checkout pages to phones until the sandbox is closed.
pub(super) async fn serve(shared: Arc<SharedState>, listener: TcpListener, limits: ShareLimits) {
    let state = Arc::clone(&shared);
    let shutdown = async move { state.closed().await };
    let routes = Router::new()
        .fallback(handle_request)
        .layer(axum::middleware::map_response(close_after_response))
        .with_state(shared)
        .into_make_service_with_connect_info::<ConnectionHandle>();
    let listener = ShareListener::new(listener, limits);
    // Ignore an error. `serve` fails only if its listener fails, and `ShareListener` never fails.
    axum::serve(listener, routes)
        .with_graceful_shutdown(shutdown)
        .await
        .ok();
}

/// Makes the server close each connection after one response. The limits of a connection then apply
/// to a single request.
async fn close_after_response(mut response: Response) -> Response {
    response
        .headers_mut()
        .insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

async fn handle_request(
    State(shared): State<Arc<SharedState>>,
    ConnectInfo(connection): ConnectInfo<ConnectionHandle>,
    request: Request,
) -> Response {
    connection.mark_request_arrived();
    let path = request.uri().path();
    if !has_known_host(&request, |host| shared.state().bank.is_shared(host))
        || !path.starts_with("/checkout/")
    {
        return response(404, "text/plain", "404\n".to_owned());
    }
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read && is_cross_site(&request) {
        return response(403, "text/plain", "403\n".to_owned());
    }
    let host = request_host(request.headers(), request.uri());
    shop::serve(&shared, &host, path, request.method()).await
}
