//! Tests that `localhost` is always this machine, even if the hosts file or a name server has
//! another address for it.

use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::TcpSocket;

use super::super::client::build;
use super::super::in_time::SendCondition;
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
async fn ends_at(url: &str) -> (Result<u16, Failure>, Vec<String>) {
    let asked = RecordingResolver::default();
    let http = build(&Limits::default(), None).tls_certs_only([]).dns_resolver(asked.clone());
    let request = reqwest::Request::new(reqwest::Method::GET, url.parse().unwrap());
    let sent = SendCondition::always().send(&http.build().unwrap(), request).await;
    let names = asked.0.lock().unwrap().clone();
    (sent.map(|response| response.status().as_u16()), names)
}

#[tokio::test]
async fn localhost_resolves_without_a_lookup() {
    let server = Server::answering("200 OK", "", "[]").await;
    let port = server.base.as_str().rsplit_once(':').unwrap().1;
    for name in ["localhost", "LOCALHOST"] {
        let (ended, asked) = ends_at(&format!("http://{name}:{port}/")).await;
        assert_eq!((ended, asked), (Ok(200), vec![]), "{name}");
    }
    assert_eq!(server.requests().len(), 2);
    // An `https` URL leads to this machine too. The request fails because the server has no
    // certificate.
    let deaf = Server::start(ServerScript::CloseUnread).await;
    let port = deaf.base.as_str().rsplit_once(':').unwrap().1;
    let (ended, asked) = ends_at(&format!("https://localhost:{port}/")).await;
    assert!(matches!(ended, Err(Failure::NotSent(_))), "{ended:?}");
    assert_eq!((deaf.requests().len(), asked), (1, vec![]));
    // Every other name is looked up. This also proves that the client uses the recording resolver.
    let (ended, asked) = ends_at(&format!("https://service.example:{port}/")).await;
    assert_eq!(asked, ["service.example"]);
    assert!(matches!(ended, Err(Failure::NotSent(_))), "{ended:?}");
}

#[tokio::test]
async fn localhost_also_resolves_to_ipv6() {
    let (listener, _held) = loop {
        // Skip this test on a machine without IPv6.
        let Ok(listener) = std::net::TcpListener::bind("[::1]:0") else { return };
        // Bind the same IPv4 port without listening, so that no other server can answer on it.
        let held = TcpSocket::new_v4().unwrap();
        let older = SocketAddr::from(([127, 0, 0, 1], listener.local_addr().unwrap().port()));
        if held.bind(older).is_ok() {
            break (listener, held);
        }
    };
    let port = listener.local_addr().unwrap().port();
    let _server = Server::on(listener, ServerScript::Answer(answer("200 OK", "", "[]")));
    let (ended, asked) = ends_at(&format!("http://localhost:{port}/")).await;
    assert_eq!((ended, asked), (Ok(200), vec![]));
}
