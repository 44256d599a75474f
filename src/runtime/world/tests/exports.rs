//! Tests of exported HTTP requests. They contain no secret of this process, but a HAR file contains
//! the idempotency keys of the journal.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use base64::prelude::{BASE64_STANDARD, Engine};

use super::*;
use crate::app::message::RequestExport;
use crate::journal::OsDisk;
use crate::journal::money::MoneyJournal;
use crate::runtime::world::jwt_credential;
use crate::trade::{CredentialKind, Exchange, MaskedReply, Operation};
use crate::words::Lang;

/// Credentials that look like harmless JSON member names. The mask can find them only by comparing
/// with the known secrets.
const VAULT_SECRET: &str = "stored_credential_kept_in_the_vault";
const TYPED_SECRET: &str = "typed_password_kept_in_a_field";

/// Returns the HTTP request and reply of a withdrawal. In the reply, both credentials are member
/// names.
fn withdrawal() -> Arc<Exchange> {
    let body = format!(r#"{{"{VAULT_SECRET}":10.10,"{TYPED_SECRET}":1}}"#);
    let reply = Ok(MaskedReply::new(200, vec![], &*body));
    let url = "https://api.example/api/v1/integrations/withdrawals";
    Arc::new(Exchange {
        request_headers: vec![("idempotency-key".into(), key(1).to_string())],
        request_body: Some(r#"{"amount":10.10,"pixKey":"52998224725"}"#.into()),
        ..Exchange::new(Operation::Withdrawal, "POST", url, reply)
    })
}

/// Returns an effect handler with one credential in the vault, one in a secret field, and a
/// withdrawal in the journal.
async fn world_with_secrets(dir: &Path) -> (RealWorld, mpsc::Receiver<Msg>) {
    let vault = VaultHandle::memory();
    let mut builder = builder(dir, vault.clone());
    builder.secrets.set_demo_secret(&"password".into(), &Secret::new(TYPED_SECRET.to_owned()));
    let (world, inbox) = build(builder);
    let stored = jwt_credential(Secret::new(VAULT_SECRET.to_owned()), None, Wall(0));
    vault.put(world.context.vault.name(CredentialKind::ApiToken), Arc::new(stored)).await.unwrap();
    let mut journal = MoneyJournal::open(dir, OsDisk, false).unwrap();
    journal.prepare(agreement(1, 1_010), None).unwrap();
    (world, inbox)
}

#[tokio::test]
async fn saved_request_is_private_and_has_no_secret() {
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world_with_secrets(dir.path()).await;
    for name in ["requisicao.har", "requisicao-2.har"] {
        world.perform(Effect::Export(RequestExport::Har(withdrawal(), "requisicao".into())));
        let Some(Msg::RequestSaved(Ok(path))) = inbox.recv().await else { panic!("not saved") };
        assert_eq!(path.raw(), dir.path().join(name).to_str().unwrap());
        let text = fs::read_to_string(path.raw()).unwrap();
        for secret in [VAULT_SECRET, TYPED_SECRET, "52998224725"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
        assert!(text.contains(&format!("\"_code\": \"{}\"", key(1))), "{text}");
        let mode = fs::metadata(path.raw()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[tokio::test]
async fn copied_curl_warns_and_has_placeholders() {
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world_with_secrets(dir.path()).await;
    let (sender, mut written) = mpsc::channel(1);
    let context = Arc::get_mut(&mut world.context).expect("no task yet");
    context.setup.to_terminal = Box::new(move |bytes| sender.try_send(bytes.to_vec()).unwrap());
    world.perform(Effect::Export(RequestExport::Curl(withdrawal(), Lang::Pt)));
    let reply = inbox.recv().await;
    assert!(matches!(reply, Some(Msg::Copied(Clip::Curl, Ok(_)))), "{reply:?}");
    let written = String::from_utf8(written.recv().await.unwrap()).unwrap();
    let text = written.trim_start_matches("\u{1b}]52;c;").trim_end_matches("\u{1b}\\");
    let text = String::from_utf8(BASE64_STANDARD.decode(text).unwrap()).unwrap();
    assert!(text.starts_with("# Este comando não passa pelo registro de saques"), "{text}");
    assert!(text.contains("\"DESTINO\"") && text.contains("CODIGO-DO-SAQUE"), "{text}");
    assert!(!text.contains(&key(1).to_string()) && !text.contains("52998224725"), "{text}");
}
