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

use self::listener::{ShareListener, Visitor};
use super::http::response;
use super::shared_state::SharedState;
use super::visitors::host_of;
use super::{shop, visitors};

/// The maximum number of incoming connections in the operating system's queue.
const BACKLOG: u32 = 128;

/// Starts to listen on the reserved address, and adds the address to the checkout domains.
pub(super) fn listen(shared: &SharedState, held: ShareSocket) -> Result<TcpListener, ShareFault> {
    let address = held.address();
    let listener = held.socket.listen(BACKLOG).map_err(ShareFault::of)?;
    shared.state().bank.set_shared_address(address::host(address.ip()), address.port());
    Ok(listener)
}

/// Serves the checkout pages to phones until the sandbox is closed.
pub(super) async fn serve(shared: Arc<SharedState>, listener: TcpListener, limits: ShareLimits) {
    let closed = Arc::clone(&shared);
    let until = async move { closed.closes().await };
    let routes = Router::new()
        .fallback(answer)
        .layer(axum::middleware::map_response(close))
        .with_state(shared)
        .into_make_service_with_connect_info::<Visitor>();
    let listener = ShareListener::new(listener, limits);
    // Ignore an error. `serve` fails only if its listener fails, and `ShareListener` never fails.
    axum::serve(listener, routes).with_graceful_shutdown(until).await.ok();
}

/// Makes the server close each connection after one response. The limits of a connection then apply
/// to a single request.
async fn close(mut response: Response) -> Response {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

async fn answer(
    State(shared): State<Arc<SharedState>>,
    ConnectInfo(visitor): ConnectInfo<Visitor>,
    asked: Request,
) -> Response {
    visitor.asked();
    let is_here = |host: &str| shared.state().bank.is_shared(host);
    let path = asked.uri().path();
    let plain = |status, text: &str| response(status, "text/plain", text.to_owned());
    if !visitors::has_known_host(&asked, is_here) || !path.starts_with("/checkout/") {
        return plain(404, "404\n");
    }
    let is_look = matches!(*asked.method(), Method::GET | Method::HEAD);
    if !is_look && visitors::is_cross_site(&asked) {
        return plain(403, "403\n");
    }
    let host = host_of(asked.headers(), asked.uri());
    shop::serve(&shared, &host, path, asked.method()).await
}
