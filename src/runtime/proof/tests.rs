use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, sync_channel};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::*;

/// Nothing here takes that long.
const PATIENCE: Duration = Duration::from_secs(20);

/// A service on this machine that proves itself, or answers anything else; it says what was asked.
fn service(proves: impl Fn(&str, &str) -> String + Send + 'static) -> (BaseUrl, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let base = BaseUrl::parse(&format!("http://{address}")).unwrap();
    let (asked, heard) = sync_channel(100);
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            let nonce = line.split(['=', ' ']).nth(2).unwrap_or_default().to_owned();
            let body = proves(&nonce, &address);
            if asked.send(nonce).is_err() {
                return;
            }
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            let _ = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    (base, heard)
}

fn proof_of(secret: &str, nonce: &str, address: &str) -> String {
    let mut proof = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    proof.update(format!("balcao sandbox proof 1\n{nonce}\n{address}").as_bytes());
    proof.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn proof(base: &BaseUrl, state: &tempfile::TempDir) -> ServiceProof {
    ServiceProof::new(base.clone(), state.path().to_owned(), PATIENCE)
}

#[tokio::test]
async fn a_sandbox_that_knows_the_secret_left_here_is_asked_once_and_proves_itself() {
    let state = tempfile::tempdir().unwrap();
    let secret = sandbox_secret::leave(state.path()).unwrap();
    let (base, asked) = service(move |nonce, address| proof_of(secret.expose(), nonce, address));
    let one = proof(&base, &state);
    assert_eq!(one.known(), None);
    let other = one.clone();
    assert_eq!(
        tokio::join!(one.kind(), other.kind()),
        (ServiceKind::Sandbox, ServiceKind::Sandbox)
    );
    assert_eq!(
        (one.kind().await, other.known()),
        (ServiceKind::Sandbox, Some(ServiceKind::Sandbox))
    );
    let nonce = asked.try_recv().unwrap();
    assert!(asked.try_recv().is_err(), "it was asked twice");
    assert!(nonce.len() == 64 && nonce.bytes().all(|b| b.is_ascii_hexdigit()), "{nonce}");
    // The next program asks with another nonce.
    assert_eq!(proof(&base, &state).kind().await, ServiceKind::Sandbox);
    assert_ne!(asked.try_recv().unwrap(), nonce);
}

#[tokio::test]
async fn what_did_not_prove_itself_is_live_until_the_program_is_started_again() {
    let state = tempfile::tempdir().unwrap();
    let secret = sandbox_secret::leave(state.path()).unwrap();
    // A real service behind a forwarded port at first; the sandbox has the port from then on.
    let is_sandbox = std::sync::atomic::AtomicBool::new(false);
    let (base, asked) = service(move |nonce, address| {
        let proof = proof_of(secret.expose(), nonce, address);
        let first = !is_sandbox.swap(true, std::sync::atomic::Ordering::SeqCst);
        if first { "{}".into() } else { proof }
    });
    let unproven = proof(&base, &state);
    assert_eq!(
        (unproven.kind().await, unproven.kind().await),
        (ServiceKind::Live, ServiceKind::Live)
    );
    assert_eq!(asked.try_iter().count(), 1);
    assert_eq!(proof(&base, &state).kind().await, ServiceKind::Sandbox);
}

#[tokio::test]
async fn without_a_private_secret_nobody_is_asked() {
    use std::os::unix::fs::PermissionsExt;
    let state = tempfile::tempdir().unwrap();
    let (base, asked) = service(|_, _| String::new());
    assert_eq!(proof(&base, &state).kind().await, ServiceKind::Live);
    sandbox_secret::leave(state.path()).unwrap();
    let wide = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(sandbox_secret::path(state.path()), wide).unwrap();
    assert_eq!(proof(&base, &state).kind().await, ServiceKind::Live);
    assert!(asked.try_recv().is_err());
}
