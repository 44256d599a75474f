use std::sync::Mutex;

use tokio::net::TcpListener;

use super::*;
use crate::service::tests::{Server, ServerScript, Watched, answer, read_request};
use crate::service::{BoundCredential, NetworkSettings, Service};
use crate::trade::{CredentialKind, LinkRequest, Money};

const NONCE: &str = "00112233445566778899aabbccddeeff";

/// A time limit that is reached only if a request never ends.
const PATIENCE: Duration = Duration::from_secs(20);

fn challenge() -> Option<ProofQuestion> {
    Some(ProofQuestion { secret: Secret::new("s3cret".into()), nonce: NONCE.into() })
}

fn proof(base: &BaseUrl, limit: Duration) -> SandboxProof {
    SandboxProof::within(base, challenge, limit)
}

/// Returns the proof that a sandbox at this address would send.
///
/// The sandbox's own tests compare this format with an independent program.
fn proof_at(address: &str) -> String {
    let mut proof = Hmac::<Sha256>::new_from_slice(b"s3cret").unwrap();
    proof.update(format!("balcao sandbox proof 1\n{NONCE}\n{address}").as_bytes());
    proof.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn base(text: &str) -> BaseUrl {
    BaseUrl::parse(text).unwrap()
}

mod first {
    use super::*;

    /// Starts a server that answers a challenge with `reply(address)`. Returns true if the client
    /// takes the server for the sandbox, and the requests that the server received.
    async fn proves(reply: impl Fn(&str) -> Vec<u8>) -> (bool, Vec<String>) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = Server::on(listener, ServerScript::Answer(reply(&address)));
        let kind = proof(&server.base, PATIENCE).kind().await;
        (kind == ServiceKind::Sandbox, server.requests())
    }

    #[tokio::test]
    async fn sandbox_with_the_secret_proves_itself() {
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
    async fn any_other_answer_is_no_proof() {
        let other = |text: &'static str| move |_: &str| answer("200 OK", "", text);
        // The proof is that of a sandbox at another address, as if this server had forwarded it.
        assert!(!proves(|_| answer("200 OK", "", &proof_at("127.0.0.1:8787"))).await.0);
        assert!(!proves(|at| answer("200 OK", "", &proof_at(at)[..62])).await.0);
        assert!(!proves(|at| answer("200 OK", "", &proof_at(at)[..63])).await.0);
        assert!(!proves(|at| answer("200 OK", "", &format!("{}00", proof_at(at)))).await.0);
        assert!(!proves(|at| answer("201 Made", "", &proof_at(at))).await.0);
        assert!(!proves(|at| answer("200 OK", "Content-Encoding: br\r\n", &proof_at(at))).await.0);
        assert!(!proves(|at| answer("200 OK", "content-length: 64\r\n", &proof_at(at))).await.0);
        assert!(!proves(|at| answer("200 OK", "", &proof_at(at).replace('a', "é"))).await.0);
        assert!(!proves(other("")).await.0);
        assert!(!proves(other("{\"token\":\"x\"}")).await.0);
        assert!(!proves(|_| answer("404 No", "", "")).await.0);
        assert!(!proves(|_| answer("200 OK", "", &"0".repeat(REPLY_BYTES + 1))).await.0);
        assert!(!proves(|_| answer("302 Go", "Location: /_sandbox/proof\r\n", "")).await.0);
        assert!(!proves(|_| Vec::new()).await.0);
        // Bytes after the proof would be read as the reply to the next request.
        let more = |at: &str| [answer("200 OK", "", &proof_at(at)), b"HTTP".to_vec()].concat();
        assert!(!proves(more).await.0);
    }

    #[tokio::test]
    async fn service_without_an_answer_is_live_in_time() {
        for script in [
            ServerScript::Silent,
            ServerScript::Endless,
            ServerScript::AnswerThenStall(b"HTTP/1.1 2".to_vec()),
        ] {
            let server = Server::start(script).await;
            let asked = proof(&server.base, Duration::from_millis(150));
            assert_eq!(timeout(PATIENCE, asked.kind()).await, Ok(ServiceKind::Live));
        }
        // No server listens on this port.
        let nobody = proof(&base("http://127.0.0.1:1"), PATIENCE);
        assert_eq!(nobody.kind().await, ServiceKind::Live);
    }

    #[tokio::test]
    async fn address_that_proves_nothing_is_not_asked() {
        let server = Server::start(ServerScript::Answer(answer("200 OK", "", ""))).await;
        let port = server.base.as_str().rsplit_once(':').unwrap().1;
        for address in [
            format!("http://localhost:{port}"),
            format!("https://127.0.0.1:{port}"),
            format!("http://127.0.0.1:{port}/pay"),
        ] {
            let kind = proof(&base(&address), PATIENCE).kind().await;
            assert_eq!(kind, ServiceKind::Live, "{address}");
        }
        assert!(server.requests().is_empty());
    }

    #[tokio::test]
    async fn service_without_a_secret_is_live() {
        let (service, _) = service(true).await;
        let unasked = SandboxProof::within(&service.base, || None, PATIENCE);
        assert_eq!(unasked.kind().await, ServiceKind::Live);
        assert!(service.told().is_empty(), "nobody was asked");
    }

    #[tokio::test]
    async fn kind_is_asked_once_and_stays() {
        let (service, is_sandbox) = service(false).await;
        let one = proof(&service.base, PATIENCE);
        assert_eq!(one.known(), None);
        let other = one.clone();
        assert_eq!(tokio::join!(one.kind(), other.kind()), (ServiceKind::Live, ServiceKind::Live));
        // A sandbox listens on the port now. But the app treats the service as live until the app
        // is restarted.
        is_sandbox.store(true, Ordering::SeqCst);
        assert_eq!((one.kind().await, other.known()), (ServiceKind::Live, Some(ServiceKind::Live)));
        assert_eq!(service.told(), ["+", "GET /_sandbox/proof"]);
        assert_eq!(proof(&service.base, PATIENCE).kind().await, ServiceKind::Sandbox);
    }
}

/// A service that keeps its connections open. It sends valid proofs only while `is_sandbox` is
/// true.
struct KeptService {
    base: BaseUrl,
    told: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

impl KeptService {
    /// Returns a log with the method and path of each request, and a `+` for each new connection.
    fn told(&self) -> Vec<String> {
        self.told.lock().unwrap().clone()
    }
}

impl Drop for KeptService {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn service(proves: bool) -> (KeptService, Arc<AtomicBool>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let base = base(&format!("http://{address}"));
    let (told, is_sandbox) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(proves)));
    let (noted, proves) = (told.clone(), is_sandbox.clone());
    let task = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            noted.lock().unwrap().push("+".into());
            loop {
                let request = read_request(&mut stream).await;
                let words: Vec<&str> = request.split([' ', '?']).take(2).collect();
                let first = words.join(" ");
                if first.is_empty() {
                    break;
                }
                let is_proof = first == "GET /_sandbox/proof";
                noted.lock().unwrap().push(first);
                let reply = match (is_proof, proves.load(Ordering::SeqCst)) {
                    (true, true) => answer("200 OK", "", &proof_at(&address)),
                    (true, false) => answer("404 No", "", "{}"),
                    (false, _) => {
                        answer("201 Created", "", r#"{"url":"https://x/","token":"t","fee":1}"#)
                    }
                };
                if stream.write_all(&reply).await.is_err() {
                    break;
                }
            }
        }
    });
    (KeptService { base, told, task }, is_sandbox)
}

mod every_connection {
    use super::*;
    use crate::service::tests::operations::login_body;
    use crate::service::withdrawal::tests::attempt_of_one;
    use crate::trade::withdrawal::Class;

    /// Requests a proof from the service, then returns a client for it.
    async fn client(service: &KeptService) -> (Service, SandboxProof) {
        let proof = proof(&service.base, PATIENCE);
        proof.kind().await;
        let network = NetworkSettings::default().proving(Some(proof.clone()));
        let watched = Watched::by(network);
        (watched.service(&service.base, ""), proof)
    }

    async fn link(client: &Service) -> Result<String, Failure> {
        let (origin, secret) = (client.base().origin().clone(), Secret::new("tok-123".into()));
        let jwt = BoundCredential { kind: CredentialKind::Jwt, origin: &origin, secret: &secret };
        let request = LinkRequest {
            account: crate::trade::Account { origin: origin.clone(), identity: "ana".into() },
            amount: Money::from_centavos(1_010),
            description: "Bolo".into(),
            domain: None,
        };
        client.create_link(jwt, &request).await.map(|url| url.raw().to_owned())
    }

    const UNPROVEN: Failure = Failure::NotSent(NotSent::Unproven);

    #[tokio::test]
    async fn request_follows_the_proof_on_one_connection() {
        let (service, _) = service(true).await;
        let (client, _) = client(&service).await;
        assert_eq!(link(&client).await.as_deref(), Ok("https://x/"));
        client.login(&login_body(&client)).await.unwrap();
        let proof = "GET /_sandbox/proof";
        let link = ["+", proof, "POST /api/v1/payment-links"];
        let login = ["+", proof, "POST /api/v1/api-auth/login"];
        assert_eq!(service.told(), [&["+", proof][..], &link, &login].concat());
    }

    #[tokio::test]
    async fn service_in_the_place_of_a_sandbox_is_sent_nothing() {
        let (service, is_sandbox) = service(true).await;
        let (client, proof) = client(&service).await;
        is_sandbox.store(false, Ordering::SeqCst);
        assert_eq!(link(&client).await, Err(UNPROVEN));
        let asked = ["+", "GET /_sandbox/proof"];
        assert_eq!(service.told(), [asked, asked].concat());
        // The sandbox is back, but nothing is sent, because the service has failed to repeat its
        // proof.
        is_sandbox.store(true, Ordering::SeqCst);
        assert_eq!(link(&client).await, Err(UNPROVEN));
        assert_eq!(client.login(&login_body(&client)).await.unwrap_err(), UNPROVEN);
        assert_eq!(service.told().len(), 4, "no connection was opened");
        assert_eq!(proof.known(), Some(ServiceKind::Sandbox), "the journal stays what it was");
    }

    #[tokio::test]
    async fn withdrawal_without_the_proof_is_not_sent() {
        let (service, is_sandbox) = service(true).await;
        let (client, _) = client(&service).await;
        is_sandbox.store(false, Ordering::SeqCst);
        for _ in 0..2 {
            let end = attempt_of_one(&client).await;
            assert_eq!(end.class, Class::NotSent(NotSent::Unproven));
        }
        let asked = ["+", "GET /_sandbox/proof"];
        assert_eq!(service.told(), [asked, asked].concat());
    }

    #[tokio::test]
    async fn live_service_is_not_asked_again() {
        let (service, _) = service(false).await;
        let (client, _) = client(&service).await;
        assert_eq!(link(&client).await.as_deref(), Ok("https://x/"));
        let link = ["+", "POST /api/v1/payment-links"];
        assert_eq!(service.told(), [&["+", "GET /_sandbox/proof"][..], &link].concat());
    }
}

async fn said(status: &str, body: &str) -> Option<SandboxPayments> {
    let server = Server::answering(status, "", body).await;
    let said = sandbox_payments(&server.base, Some(3)).await;
    let asked = server.request().to_lowercase();
    assert!(asked.starts_with("get /_sandbox/payments?than=3 http/1.1\r\n"), "{asked}");
    assert!(!asked.contains("authorization"), "{asked}");
    said
}

#[tokio::test]
async fn paid_links_are_read_and_other_replies_give_none() {
    let body = r#"{"payments":4,"links":["http://loja.localhost:1/checkout/link-x"]}"#;
    let wanted = "http://loja.localhost:1/checkout/link-x";
    let payments = said("200 OK", body).await.unwrap();
    assert_eq!(payments.payments, 4);
    assert_eq!(payments.addresses().collect::<Vec<_>>(), [Untrusted::from(wanted)]);
    assert_eq!(said("404 No", body).await, None);
    assert_eq!(said("200 OK", "{}").await, None);
    assert_eq!(said("200 OK", "").await, None);
}
