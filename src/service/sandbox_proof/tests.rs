use std::sync::Mutex;

use tokio::net::TcpListener;

use super::*;
use crate::service::tests::{RecordingClient, Server, ServerScript, http_reply, read_request};
use crate::service::{BoundCredential, NetworkSettings, Service};
use crate::trade::{CredentialKind, LinkRequest, Money, RowId};

const NONCE: &str = "00112233445566778899aabbccddeeff";

/// The timeout of every wait in these tests. It is reached only if a request never ends.
const TEST_TIMEOUT: Duration = Duration::from_secs(20);

fn challenge() -> Option<ProofChallenge> {
    Some(ProofChallenge {
        secret: Secret::new("s3cret".into()),
        nonce: NONCE.into(),
    })
}

fn proof(base: &BaseUrl, limit: Duration) -> SandboxProof {
    SandboxProof::with_timeout(base, challenge, limit)
}

/// The proof that a sandbox at this address would send.
///
/// The sandbox's own tests compare this format with an independent program.
fn proof_at(address: &str) -> String {
    let mut proof = Hmac::<Sha256>::new_from_slice(b"s3cret").unwrap();
    proof.update(format!("balcao sandbox proof 1\n{NONCE}\n{address}").as_bytes());
    proof
        .finalize()
        .into_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn base(text: &str) -> BaseUrl {
    BaseUrl::parse(text).unwrap()
}

mod first {
    use super::*;

    /// Starts a server that answers a challenge with `reply(address)`. Returns whether the server
    /// counts as the sandbox, and the requests that it received.
    async fn proves(reply: impl Fn(&str) -> Vec<u8>) -> (bool, Vec<String>) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = Server::on_listener(listener, ServerScript::Answer(reply(&address)));
        let kind = proof(&server.base, TEST_TIMEOUT).kind().await;
        (kind == ServiceKind::Sandbox, server.requests())
    }

    #[tokio::test]
    async fn sandbox_with_the_secret_proves_itself() {
        let (is_proven, requests) =
            proves(|address| http_reply("200 OK", "", &proof_at(address))).await;
        assert!(is_proven);
        let [request] = requests.as_slice() else {
            panic!("one question: {requests:?}")
        };
        assert!(
            request.starts_with(&format!("GET /_sandbox/proof?nonce={NONCE} HTTP/1.1\r\n")),
            "{request}"
        );
        let request = request.to_lowercase();
        assert!(
            !request.contains("authorization") && !request.contains("s3cret"),
            "{request}"
        );
    }

    #[tokio::test]
    async fn any_other_answer_is_no_proof() {
        let fixed_reply = |text: &'static str| move |_: &str| http_reply("200 OK", "", text);
        // The proof is that of a sandbox at another address, as if this server had forwarded it.
        assert!(
            !proves(|_| http_reply("200 OK", "", &proof_at("127.0.0.1:8787")))
                .await
                .0
        );
        assert!(
            !proves(|at| http_reply("200 OK", "", &proof_at(at)[..62]))
                .await
                .0
        );
        assert!(
            !proves(|at| http_reply("200 OK", "", &proof_at(at)[..63]))
                .await
                .0
        );
        assert!(
            !proves(|at| http_reply("200 OK", "", &format!("{}00", proof_at(at))))
                .await
                .0
        );
        assert!(
            !proves(|at| http_reply("201 Made", "", &proof_at(at)))
                .await
                .0
        );
        assert!(
            !proves(|at| http_reply("200 OK", "Content-Encoding: br\r\n", &proof_at(at)))
                .await
                .0
        );
        assert!(
            !proves(|at| http_reply("200 OK", "content-length: 64\r\n", &proof_at(at)))
                .await
                .0
        );
        assert!(
            !proves(|at| http_reply("200 OK", "", &format!("é{}", &proof_at(at)[1..])))
                .await
                .0
        );
        assert!(!proves(fixed_reply("")).await.0);
        assert!(!proves(fixed_reply("{\"token\":\"x\"}")).await.0);
        assert!(!proves(|_| http_reply("404 No", "", "")).await.0);
        assert!(
            !proves(|_| http_reply("200 OK", "", &"0".repeat(MAX_PROOF_REPLY_BYTES + 1)))
                .await
                .0
        );
        assert!(
            !proves(|_| http_reply("302 Go", "Location: /_sandbox/proof\r\n", ""))
                .await
                .0
        );
        assert!(!proves(|_| Vec::new()).await.0);
        // Bytes after the proof would be read as the reply to the next request.
        let proof_and_more =
            |at: &str| [http_reply("200 OK", "", &proof_at(at)), b"HTTP".to_vec()].concat();
        assert!(!proves(proof_and_more).await.0);
    }

    #[tokio::test]
    async fn service_without_an_answer_is_live_in_time() {
        for script in [
            ServerScript::Silent,
            ServerScript::Endless,
            ServerScript::AnswerThenStall(b"HTTP/1.1 2".to_vec()),
        ] {
            let server = Server::start(script).await;
            let proof = proof(&server.base, Duration::from_millis(150));
            assert_eq!(
                timeout(TEST_TIMEOUT, proof.kind()).await,
                Ok(ServiceKind::Live)
            );
        }
        // No server listens on this port.
        let unreachable = proof(&base("http://127.0.0.1:1"), TEST_TIMEOUT);
        assert_eq!(unreachable.kind().await, ServiceKind::Live);
    }

    #[tokio::test]
    async fn address_that_proves_nothing_is_not_asked() {
        let server = Server::start(ServerScript::Answer(http_reply("200 OK", "", ""))).await;
        let port = server.base.as_str().rsplit_once(':').unwrap().1;
        for address in [
            format!("http://localhost:{port}"),
            format!("https://127.0.0.1:{port}"),
            format!("http://127.0.0.1:{port}/pay"),
        ] {
            let kind = proof(&base(&address), TEST_TIMEOUT).kind().await;
            assert_eq!(kind, ServiceKind::Live, "{address}");
        }
        assert!(server.requests().is_empty());
    }

    #[tokio::test]
    async fn service_without_a_secret_is_live() {
        let (service, _) = service(true).await;
        let proof = SandboxProof::with_timeout(&service.base, || None, TEST_TIMEOUT);
        assert_eq!(proof.kind().await, ServiceKind::Live);
        assert!(service.log().is_empty(), "nobody was asked");
    }

    #[tokio::test]
    async fn kind_is_asked_once_and_stays() {
        let (service, is_sandbox) = service(false).await;
        let first = proof(&service.base, TEST_TIMEOUT);
        assert_eq!(first.known_kind(), None);
        let clone = first.clone();
        assert_eq!(
            tokio::join!(first.kind(), clone.kind()),
            (ServiceKind::Live, ServiceKind::Live)
        );
        // A sandbox listens on the port now. But the app treats the service as live until the app
        // is restarted.
        is_sandbox.store(true, Ordering::SeqCst);
        assert_eq!(
            (first.kind().await, clone.known_kind()),
            (ServiceKind::Live, Some(ServiceKind::Live))
        );
        assert_eq!(service.log(), ["+", "GET /_sandbox/proof"]);
        assert_eq!(
            proof(&service.base, TEST_TIMEOUT).kind().await,
            ServiceKind::Sandbox
        );
    }
}

/// A service that keeps its connections open. It sends valid proofs only while `is_sandbox` is
/// true.
struct PersistentService {
    base: BaseUrl,
    log: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

impl PersistentService {
    /// A log with the method and path of each request, and a `+` for each new connection.
    fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }
}

impl Drop for PersistentService {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn service(proves: bool) -> (PersistentService, Arc<AtomicBool>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let base = base(&format!("http://{address}"));
    let log = Arc::new(Mutex::new(Vec::new()));
    let is_sandbox = Arc::new(AtomicBool::new(proves));
    let server_log = log.clone();
    let proves = is_sandbox.clone();
    let task = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            server_log.lock().unwrap().push("+".into());
            loop {
                let request = read_request(&mut stream).await;
                let words: Vec<&str> = request.split([' ', '?']).take(2).collect();
                let method_and_path = words.join(" ");
                if method_and_path.is_empty() {
                    break;
                }
                let is_proof = method_and_path == "GET /_sandbox/proof";
                server_log.lock().unwrap().push(method_and_path);
                let reply = match (is_proof, proves.load(Ordering::SeqCst)) {
                    (true, true) => http_reply("200 OK", "", &proof_at(&address)),
                    (true, false) => http_reply("404 No", "", "{}"),
                    (false, _) => http_reply(
                        "201 Created",
                        "",
                        r#"{"url":"https://x/","token":"t","fee":1}"#,
                    ),
                };
                if stream.write_all(&reply).await.is_err() {
                    break;
                }
            }
        }
    });
    (PersistentService { base, log, task }, is_sandbox)
}

mod every_connection {
    use super::*;
    use crate::service::tests::operations::login_body;
    use crate::service::withdrawal::tests::attempt_new_withdrawal;
    use crate::trade::withdrawal::Class;

    /// Requests a proof from the service, then returns a client for it.
    async fn client(service: &PersistentService) -> (Service, SandboxProof) {
        let proof = proof(&service.base, TEST_TIMEOUT);
        proof.kind().await;
        let network = NetworkSettings::default().with_proof(Some(proof.clone()));
        let recorder = RecordingClient::with_network(network);
        (recorder.service(&service.base, ""), proof)
    }

    async fn link(client: &Service) -> Result<String, Failure> {
        let origin = client.base().origin().clone();
        let secret = Secret::new("tok-123".into());
        let jwt = BoundCredential {
            kind: CredentialKind::Jwt,
            origin: &origin,
            secret: &secret,
        };
        let request = LinkRequest {
            account: crate::trade::Account {
                origin: origin.clone(),
                identity: "ana".into(),
            },
            amount: Money::from_centavos(1_010),
            description: "Bolo".into(),
            domain: None,
        };
        client
            .create_link(jwt, RowId(1), &request)
            .await
            .map(|link| link.url.raw().to_owned())
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
        assert_eq!(service.log(), [&["+", proof][..], &link, &login].concat());
    }

    #[tokio::test]
    async fn service_in_the_place_of_a_sandbox_is_sent_nothing() {
        let (service, is_sandbox) = service(true).await;
        let (client, proof) = client(&service).await;
        is_sandbox.store(false, Ordering::SeqCst);
        assert_eq!(link(&client).await, Err(UNPROVEN));
        let failed_proof = ["+", "GET /_sandbox/proof"];
        assert_eq!(service.log(), [failed_proof, failed_proof].concat());
        // The sandbox is back, but nothing is sent, because the service has failed to repeat its
        // proof.
        is_sandbox.store(true, Ordering::SeqCst);
        assert_eq!(link(&client).await, Err(UNPROVEN));
        assert_eq!(
            client.login(&login_body(&client)).await.unwrap_err(),
            UNPROVEN
        );
        assert_eq!(service.log().len(), 4, "no connection was opened");
        assert_eq!(
            proof.known_kind(),
            Some(ServiceKind::Sandbox),
            "the journal stays what it was"
        );
    }

    #[tokio::test]
    async fn withdrawal_without_the_proof_is_not_sent() {
        let (service, is_sandbox) = service(true).await;
        let (client, _) = client(&service).await;
        is_sandbox.store(false, Ordering::SeqCst);
        for _ in 0..2 {
            let end = attempt_new_withdrawal(&client).await;
            assert_eq!(end.class, Class::NotSent(NotSent::Unproven));
        }
        let failed_proof = ["+", "GET /_sandbox/proof"];
        assert_eq!(service.log(), [failed_proof, failed_proof].concat());
    }

    #[tokio::test]
    async fn live_service_is_not_asked_again() {
        let (service, _) = service(false).await;
        let (client, _) = client(&service).await;
        assert_eq!(link(&client).await.as_deref(), Ok("https://x/"));
        let link = ["+", "POST /api/v1/payment-links"];
        assert_eq!(
            service.log(),
            [&["+", "GET /_sandbox/proof"][..], &link].concat()
        );
    }
}

async fn read_payments(status: &str, body: &str) -> Option<SandboxPayments> {
    let server = Server::with_reply(status, "", body).await;
    let payments = sandbox_payments(&server.base, Some(3)).await;
    let request = server.request().to_lowercase();
    assert!(
        request.starts_with("get /_sandbox/payments?than=3 http/1.1\r\n"),
        "{request}"
    );
    assert!(!request.contains("authorization"), "{request}");
    payments
}

#[tokio::test]
async fn paid_links_are_read_and_other_replies_give_none() {
    let body = r#"{"payments":4,"links":["http://loja.localhost:1/checkout/link-x"]}"#;
    let expected = "http://loja.localhost:1/checkout/link-x";
    let payments = read_payments("200 OK", body).await.unwrap();
    assert_eq!(payments.payments, 4);
    assert_eq!(
        payments.urls().collect::<Vec<_>>(),
        [Untrusted::from(expected)]
    );
    assert_eq!(read_payments("404 No", body).await, None);
    assert_eq!(read_payments("200 OK", "{}").await, None);
    assert_eq!(read_payments("200 OK", "").await, None);
}
