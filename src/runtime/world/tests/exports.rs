//! Tests of exported HTTP requests. They contain no secret of this process, but a HAR file contains
//! the idempotency key of its withdrawal.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use base64::prelude::{BASE64_STANDARD, Engine};

use super::*;
use crate::app::message::{HarExport, RequestExport};
use crate::runtime::world::jwt_credential;
use crate::trade::{CredentialKind, Exchange, ExchangeSubject, MaskedReply, Operation};
use crate::words::Lang;

/// Credentials that look like harmless JSON member names. The mask can find them only by comparing
/// with the known secrets.
const VAULT_SECRET: &str = "secret_credential_of_the_session";
const TYPED_SECRET: &str = "password_used_for_the_login";

/// The HTTP request and reply of a withdrawal. In the reply, both credentials are member names.
fn withdrawal() -> Arc<Exchange> {
    let body = format!(r#"{{"{VAULT_SECRET}":10.10,"{TYPED_SECRET}":1}}"#);
    let reply = Ok(MaskedReply::new(200, vec![], &*body));
    let url = "https://api.example/api/v1/integrations/withdrawals";
    Arc::new(Exchange {
        subject: Some(ExchangeSubject::Withdrawal(key(1))),
        request_headers: vec![("idempotency-key".into(), key(1).to_string())],
        request_body: Some(r#"{"amount":10.10,"pixKey":"52998224725"}"#.into()),
        ..Exchange::new(Operation::Withdrawal, "POST", url, reply)
    })
}

/// An effect handler with one credential in the vault and one in a secret field.
async fn world_with_secrets(dir: &Path) -> (RealWorld, mpsc::Receiver<Msg>) {
    let vault = VaultHandle::memory();
    let mut builder = builder(dir, vault.clone());
    builder
        .secrets
        .set_demo_secret(&"password".into(), &Secret::new(TYPED_SECRET.to_owned()));
    let (world, inbox) = build(builder);
    let stored = jwt_credential(Secret::new(VAULT_SECRET.to_owned()), None, Wall(0));
    vault
        .put(
            world.context.vault.name(CredentialKind::ApiToken),
            Arc::new(stored),
        )
        .await
        .unwrap();
    (world, inbox)
}

#[tokio::test]
async fn saved_request_is_private_and_has_no_secret() {
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world_with_secrets(dir.path()).await;
    for name in ["requisicao.har", "requisicao-2.har"] {
        let export = HarExport {
            exchange: withdrawal(),
            name: "requisicao".into(),
            lang: Lang::En,
            theme: Some("ana".into()),
            size: Size {
                columns: 80,
                rows: 24,
            },
        };
        world.perform(Effect::Export(RequestExport::Har(export)));
        let Some(Msg::RequestSaved(Ok(path))) = inbox.recv().await else {
            panic!("not saved")
        };
        assert_eq!(path.raw(), dir.path().join(name).to_str().unwrap());
        let text = fs::read_to_string(path.raw()).unwrap();
        for secret in [VAULT_SECRET, TYPED_SECRET, "52998224725"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
        assert!(
            text.contains(&format!("\"_code\": \"{}\"", key(1))),
            "{text}"
        );
        let har: serde_json::Value = serde_json::from_str(&text).unwrap();
        let environment = &har["log"]["_environment"];
        assert_eq!(environment["language"], "en");
        assert_eq!(
            environment["theme"],
            serde_json::Value::Null,
            "the seller's own theme"
        );
        let window = &environment["findings"][0]["facts"];
        assert_eq!(
            (&window["columns"], &window["rows"]),
            (&80.into(), &24.into())
        );
        let mode = fs::metadata(path.raw()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[tokio::test]
async fn copied_curl_warns_and_has_variables() {
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world_with_secrets(dir.path()).await;
    let (sender, mut written) = mpsc::channel(1);
    let context = Arc::get_mut(&mut world.context).expect("no task yet");
    context.setup.to_terminal = Box::new(move |bytes| sender.try_send(bytes.to_vec()).unwrap());
    world.perform(Effect::Export(RequestExport::Curl(withdrawal(), Lang::Pt)));
    let reply = inbox.recv().await;
    assert!(
        matches!(reply, Some(Msg::Copied(Clip::Curl, Ok(_)))),
        "{reply:?}"
    );
    let written = String::from_utf8(written.recv().await.unwrap()).unwrap();
    let text = written
        .trim_start_matches("\u{1b}]52;c;")
        .trim_end_matches("\u{1b}\\");
    let text = String::from_utf8(BASE64_STANDARD.decode(text).unwrap()).unwrap();
    assert!(
        text.starts_with("# Este comando não passa pelo registro de saques"),
        "{text}"
    );
    for variable in ["\"${WITHDRAWAL_CODE:?", "\"${DESTINATION:?"] {
        assert!(text.contains(variable), "{text}");
    }
    assert!(
        !text.contains(&key(1).to_string()) && !text.contains("52998224725"),
        "{text}"
    );
}
