//! Tests of the settings of the demo's sandbox, in a kiosk (a public demo) and otherwise.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::*;
use crate::app::ui::keys::Keymap;
use crate::config::built_in_keys;

/// Starts a demo whose journals are in this directory.
async fn demo(dir: &Path, kiosk: Option<Kiosk>) -> DemoSandbox {
    let config = DemoConfig {
        advance_clock: Box::new(|_| {}),
        journals: Some(dir.to_owned()),
        script: Script::built_in(),
        keys: Arc::new(Keymap::from_table(&built_in_keys()).unwrap()),
        dialect: Dialect::default(),
        login: login_fields(&contract()),
        show_keys: false,
        kiosk,
    };
    open(Vec::new(), None, &DemoClock::default(), config)
        .await
        .unwrap()
}

const KIOSK: Option<Kiosk> = Some(Kiosk { for_room: true });

#[tokio::test]
async fn kiosk_has_a_socket_and_other_demos_a_port() {
    let dir = tempfile::tempdir().unwrap();
    let kiosk = demo(dir.path(), KIOSK).await;
    assert!(dir.path().join("socket").exists());
    assert_eq!(
        BaseUrl::parse(&kiosk.base_url).unwrap().as_str(),
        "http://127.0.0.1"
    );
    assert_eq!(kiosk.setup().kiosk, KIOSK);
    let dir = tempfile::tempdir().unwrap();
    let other = demo(dir.path(), None).await;
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    assert!(!other.base_url.ends_with(":80") && other.setup().kiosk.is_none());
}

#[tokio::test]
async fn demo_port_does_not_serve_its_ledger() {
    let dir = tempfile::tempdir().unwrap();
    let demo = demo(dir.path(), None).await;
    for request in [
        "GET /_sandbox/ledger",
        "DELETE /_sandbox/faults",
        "GET /_sandbox/payments",
    ] {
        let mut stream = TcpStream::connect(demo.sandbox.address()).await.unwrap();
        let request = format!("{request} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await.unwrap();
        assert!(reply.starts_with("HTTP/1.1 404 "), "{request}: {reply}");
    }
}
