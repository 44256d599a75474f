//! Tests of the demo's sandbox: its settings in a kiosk and in any other demo.

use std::sync::atomic::AtomicU64;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use super::*;
use crate::app::ui::keys::Keymap;
use crate::config::built_in_keys;
use crate::runtime::world::DemoBackend;

/// Starts a demo whose journals are in this directory. Returns it with the minutes by which its
/// clock was advanced.
async fn demo(dir: &Path, kiosk: Option<Kiosk>) -> (DemoSandbox, Arc<AtomicU64>) {
    let minutes = Arc::new(AtomicU64::new(0));
    let moved = minutes.clone();
    let props = DemoConfig {
        forward: Box::new(move |span| {
            moved.fetch_add(span.as_secs() / 60, Ordering::Relaxed);
        }),
        journals: Some(dir.to_owned()),
        script: Script::built_in(),
        keys: Arc::new(Keymap::from_table(&built_in_keys()).unwrap()),
        dialect: Dialect::default(),
        login: login_fields(&contract()),
        kiosk,
    };
    (open(Vec::new(), None, &DemoClock::default(), props).await.unwrap(), minutes)
}

const KIOSK: Option<Kiosk> = Some(Kiosk { for_room: true });

#[tokio::test]
async fn kiosk_has_a_socket_and_other_demos_a_port() {
    let dir = tempfile::tempdir().unwrap();
    let (kiosk, _) = demo(dir.path(), KIOSK).await;
    assert!(dir.path().join("socket").exists());
    assert_eq!(BaseUrl::parse(&kiosk.base_url).unwrap().as_str(), "http://127.0.0.1");
    assert_eq!(kiosk.setup().kiosk, KIOSK);
    let dir = tempfile::tempdir().unwrap();
    let (other, _) = demo(dir.path(), None).await;
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    assert!(!other.base_url.ends_with(":80") && other.setup().kiosk.is_none());
}

#[tokio::test]
async fn demo_port_does_not_serve_its_ledger() {
    let dir = tempfile::tempdir().unwrap();
    let (demo, _) = demo(dir.path(), None).await;
    for request in ["GET /_sandbox/ledger", "DELETE /_sandbox/faults", "GET /_sandbox/payments"] {
        let mut stream = TcpStream::connect(demo.sandbox.address()).await.unwrap();
        let request = format!("{request} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await.unwrap();
        assert!(reply.starts_with("HTTP/1.1 404 "), "{request}: {reply}");
    }
}

#[tokio::test]
async fn kiosk_clock_is_advanced_by_at_most_a_day() {
    let inbox = Inbox::new(mpsc::channel(1).0);
    for (kiosk, expected) in [(KIOSK, 24 * 60), (None, 200 * 10)] {
        let dir = tempfile::tempdir().unwrap();
        let (demo, minutes) = demo(dir.path(), kiosk).await;
        let granted = (0..200).filter(|_| demo.carry_out(&Command::Forward, &inbox)).count();
        assert_eq!((granted * 10, minutes.load(Ordering::Relaxed)), (expected, expected as u64));
    }
}
