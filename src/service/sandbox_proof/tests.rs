use super::*;
use crate::service::tests::{Server, ServerScript, answer};

const NONCE: &str = "00112233445566778899aabbccddeeff";

/// Nothing here takes that long; a question that hangs fails.
const PATIENCE: Duration = Duration::from_secs(20);

fn secret() -> Secret {
    Secret::new("s3cret".into())
}

/// Returns the answer of a sandbox at this address; its own tests check it against another
/// program's.
fn proof_at(address: &str) -> String {
    let mut proof = Hmac::<Sha256>::new_from_slice(b"s3cret").unwrap();
    proof.update(format!("balcao sandbox proof 1\n{NONCE}\n{address}").as_bytes());
    proof.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn base(text: &str) -> BaseUrl {
    BaseUrl::parse(text).unwrap()
}

/// A server that answers the question at its own address like this.
async fn proves(reply: impl Fn(&str) -> Vec<u8>) -> (bool, Vec<String>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = Server::on(listener, ServerScript::Answer(reply(&address)));
    let proven = sandbox_proof(&server.base, &secret(), NONCE, PATIENCE).await;
    (proven, server.requests())
}

#[tokio::test]
async fn a_sandbox_that_knows_the_secret_proves_itself_at_its_own_address() {
    let (proven, asked) = proves(|at| answer("200 OK", "", &proof_at(at))).await;
    assert!(proven);
    let [asked] = asked.as_slice() else { panic!("one question: {asked:?}") };
    assert!(
        asked.starts_with(&format!("GET /_sandbox/proof?nonce={NONCE} HTTP/1.1\r\n")),
        "{asked}"
    );
    let asked = asked.to_lowercase();
    assert!(!asked.contains("authorization") && !asked.contains("s3cret"), "{asked}");
}

#[tokio::test]
async fn what_is_no_proof_is_a_no() {
    let other = |text: &'static str| move |_: &str| answer("200 OK", "", text);
    // Passed on from a sandbox at another address; cut, lengthened, empty, not hexadecimal.
    assert!(!proves(|_| answer("200 OK", "", &proof_at("127.0.0.1:8787"))).await.0);
    assert!(!proves(|at| answer("200 OK", "", &proof_at(at)[..62])).await.0);
    assert!(!proves(|at| answer("200 OK", "", &proof_at(at)[..63])).await.0);
    assert!(!proves(|at| answer("200 OK", "", &format!("{}00", proof_at(at)))).await.0);
    assert!(!proves(|at| answer("201 Made", "", &proof_at(at))).await.0);
    assert!(!proves(|at| answer("200 OK", "Content-Encoding: br\r\n", &proof_at(at))).await.0);
    assert!(!proves(|at| answer("200 OK", "", &proof_at(at).replace('a', "é"))).await.0);
    assert!(!proves(other("")).await.0);
    assert!(!proves(other("{\"token\":\"x\"}")).await.0);
    assert!(!proves(|_| answer("404 No", "", "")).await.0);
    assert!(!proves(|_| answer("200 OK", "", &"0".repeat(REPLY_BYTES + 1))).await.0);
    assert!(!proves(|_| answer("302 Go", "Location: /_sandbox/proof\r\n", "")).await.0);
    assert!(!proves(|_| Vec::new()).await.0);
}

#[tokio::test]
async fn a_service_that_never_answers_is_a_no_in_time() {
    for script in [
        ServerScript::Silent,
        ServerScript::Endless,
        ServerScript::AnswerThenStall(b"HTTP/1.1 2".to_vec()),
    ] {
        let server = Server::start(script).await;
        let limit = Duration::from_millis(150);
        let secret = secret();
        let asked = sandbox_proof(&server.base, &secret, NONCE, limit);
        assert_eq!(tokio::time::timeout(PATIENCE, asked).await, Ok(false));
    }
    // Nobody listens.
    assert!(!sandbox_proof(&base("http://127.0.0.1:1"), &secret(), NONCE, PATIENCE).await);
}

#[tokio::test]
async fn an_address_that_can_prove_nothing_is_not_asked() {
    let server = Server::start(ServerScript::Answer(answer("200 OK", "", ""))).await;
    let port = server.base.as_str().rsplit_once(':').unwrap().1;
    for address in [
        format!("http://localhost:{port}"),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port}/pay"),
    ] {
        assert!(!sandbox_proof(&base(&address), &secret(), NONCE, PATIENCE).await, "{address}");
    }
    assert!(server.requests().is_empty());
}
