//! Tests that `localhost` is always this machine, even if the hosts file or a name server has
//! another address for it.

use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::TcpSocket;

use super::super::client::client_builder;
use super::super::send_condition::SendCondition;
use super::*;

/// A DNS resolver that records each lookup and finds no host.
#[derive(Clone, Default)]
struct RecordingResolver(Arc<Mutex<Vec<String>>>);

impl Resolve for RecordingResolver {
    fn resolve(&self, name: Name) -> Resolving {
        self.0.lock().unwrap().push(name.as_str().to_owned());
        Box::pin(async { Ok(Box::new(std::iter::empty()) as Addrs) })
    }
}

/// Requests a URL. Returns the result and the host names that were looked up.
async fn request_url(url: &str) -> (Result<u16, Failure>, Vec<String>) {
    let resolver = RecordingResolver::default();
    let http = client_builder(&Limits::default(), None)
        .tls_certs_only([])
        .dns_resolver(resolver.clone());
    let request = reqwest::Request::new(reqwest::Method::GET, url.parse().unwrap());
    let result = SendCondition::always()
        .send(&http.build().unwrap(), request)
        .await;
    let names = resolver.0.lock().unwrap().clone();
    (result.map(|response| response.status().as_u16()), names)
}

#[tokio::test]
async fn localhost_resolves_without_a_lookup() {
    let server = Server::with_reply("200 OK", "", "[]").await;
    let port = server.base.as_str().rsplit_once(':').unwrap().1;
    for name in ["localhost", "LOCALHOST"] {
        let (result, lookups) = request_url(&format!("http://{name}:{port}/")).await;
        assert_eq!((result, lookups), (Ok(200), vec![]), "{name}");
    }
    assert_eq!(server.requests().len(), 2);
    // An `https` URL leads to this machine too. The request fails because the server has no
    // certificate.
    let closing_server = Server::start(ServerScript::CloseUnread).await;
    let port = closing_server.base.as_str().rsplit_once(':').unwrap().1;
    let (result, lookups) = request_url(&format!("https://localhost:{port}/")).await;
    assert!(matches!(result, Err(Failure::NotSent(_))), "{result:?}");
    assert_eq!((closing_server.requests().len(), lookups), (1, vec![]));
    // Every other name is looked up. This also proves that the client uses the recording resolver.
    let (result, lookups) = request_url(&format!("https://service.example:{port}/")).await;
    assert_eq!(lookups, ["service.example"]);
    assert!(matches!(result, Err(Failure::NotSent(_))), "{result:?}");
}

#[tokio::test]
async fn localhost_also_resolves_to_ipv6() {
    let (listener, _bound_socket) = loop {
        // Skip this test on a machine without IPv6.
        let Ok(listener) = std::net::TcpListener::bind("[::1]:0") else {
            return;
        };
        // Bind the same IPv4 port without listening, so that no other server can answer on it.
        let bound_socket = TcpSocket::new_v4().unwrap();
        let ipv4_address =
            SocketAddr::from(([127, 0, 0, 1], listener.local_addr().unwrap().port()));
        if bound_socket.bind(ipv4_address).is_ok() {
            break (listener, bound_socket);
        }
    };
    let port = listener.local_addr().unwrap().port();
    let _server = Server::on_listener(
        listener,
        ServerScript::Answer(http_reply("200 OK", "", "[]")),
    );
    let (result, lookups) = request_url(&format!("http://localhost:{port}/")).await;
    assert_eq!((result, lookups), (Ok(200), vec![]));
}
