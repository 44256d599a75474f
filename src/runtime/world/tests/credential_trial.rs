//! Tests of the trial of another credential, against a local service that accepts only one token.

use std::collections::BTreeMap;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::app::store::credential_trial;
use crate::config::contract_files::{self, ProfileContract};
use crate::config::{ContractNames, Dirs};
use crate::runtime::world::jwt_credential;
use crate::trade::{CredentialKind, Money, NoQuote, Quote, Secret};

/// A local service. It accepts fee previews only with this token.
struct PickyService {
    base: BaseUrl,
    /// The tokens of all fee previews, oldest first.
    tokens: Arc<Mutex<Vec<String>>>,
}

impl PickyService {
    async fn start(accepted: &'static str) -> PickyService {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = BaseUrl::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let tokens = Arc::new(Mutex::new(Vec::new()));
        let received = tokens.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = String::new();
                let mut bytes = [0; 4_096];
                while !request.contains("\r\n\r\n") {
                    let count = stream.read(&mut bytes).await.unwrap_or(0);
                    if count == 0 {
                        break;
                    }
                    request.push_str(&String::from_utf8_lossy(&bytes[..count]));
                }
                let lines: BTreeMap<_, _> = request
                    .lines()
                    .filter_map(|line| line.split_once(": "))
                    .collect();
                let token = lines.get("Authorization").copied().unwrap_or_default();
                let is_preview = request.contains("fee-preview");
                let (status, body) = match token.strip_prefix("Bearer ") {
                    Some(token) if is_preview && token == accepted => ("200 OK", r#"{"fee":1}"#),
                    Some(_) if is_preview => ("401 Unauthorized", "{}"),
                    _ => ("404 Not Found", "{}"),
                };
                if is_preview {
                    received.lock().unwrap().push(token.replace("Bearer ", ""));
                }
                let length = body.len();
                let reply = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{body}");
                _ = stream.write_all(reply.as_bytes()).await;
            }
        });
        PickyService { base, tokens }
    }

    /// Creates the effect handler of a start of the program. The vault has both credentials.
    async fn open(&self, dir: &Path, vault: &VaultHandle) -> (RealWorld, mpsc::Receiver<Msg>) {
        let dirs = Dirs {
            config: dir.into(),
            state: dir.into(),
        };
        let file = "default.contract.toml".to_owned();
        let has_file = dir.join(&file).exists();
        let names = ContractNames(if has_file { vec![file] } else { vec![] });
        let contract = Arc::new(contract_files::read(&dirs, &names).unwrap());
        let profile_contract = Some(ProfileContract {
            dirs,
            profile: "default".into(),
        });
        let base = self.base.clone();
        let (world, inbox) = build(WorldBuilder {
            base,
            contract,
            profile_contract,
            ..builder(dir, vault.clone())
        });
        for (kind, token) in [
            (CredentialKind::ApiToken, "api"),
            (CredentialKind::Jwt, "jwt"),
        ] {
            let stored = jwt_credential(Secret::new(token.into()), None, Wall(0));
            vault
                .put(world.context.vault.name(kind), Arc::new(stored))
                .await
                .unwrap();
        }
        (world, inbox)
    }
}

const FEE: Operation = Operation::FeePreview;

/// Requests a fee quote. Returns the result, and whether a setting was taught before.
async fn request_quote(
    world: &mut RealWorld,
    inbox: &mut mpsc::Receiver<Msg>,
) -> (Result<Quote, NoQuote>, bool) {
    world.perform(Effect::Quote {
        ticket: Ticket(1),
        amount: Money::from_centavos(10_000),
        has_probe: false,
    });
    let mut is_taught = false;
    loop {
        match inbox.recv().await.expect("the world is gone") {
            Msg::Taught { result, .. } => is_taught = result.is_ok(),
            Msg::Quoted { result, .. } => return (result, is_taught),
            _ => {}
        }
    }
}

fn try_jwt(world: &mut RealWorld) {
    let setting = credential_trial::setting(FEE, CredentialKind::Jwt);
    world.perform(Effect::TryCredential(FEE, setting));
}

#[tokio::test]
async fn accepted_credential_holds_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let vault = VaultHandle::memory();
    let service = PickyService::start("jwt").await;
    let (mut world, mut inbox) = service.open(dir.path(), &vault).await;
    let (refused, _) = request_quote(&mut world, &mut inbox).await;
    assert!(
        matches!(refused, Err(NoQuote::Failure(Failure::Unauthorized { .. }))),
        "{refused:?}"
    );
    try_jwt(&mut world);
    let (accepted, is_taught) = request_quote(&mut world, &mut inbox).await;
    assert!(accepted.is_ok() && is_taught, "{accepted:?}");
    let (next, is_taught) = request_quote(&mut world, &mut inbox).await;
    assert!(next.is_ok() && !is_taught, "{next:?}");

    let second_dir = tempfile::tempdir().unwrap();
    let file = "default.contract.toml";
    std::fs::copy(dir.path().join(file), second_dir.path().join(file)).unwrap();
    let (mut world, mut inbox) = service.open(second_dir.path(), &vault).await;
    assert!(request_quote(&mut world, &mut inbox).await.0.is_ok());
    assert_eq!(
        *service.tokens.lock().unwrap(),
        ["api", "jwt", "jwt", "jwt"]
    );
}

#[tokio::test]
async fn twice_refused_trial_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let vault = VaultHandle::memory();
    let service = PickyService::start("another").await;
    let (mut world, mut inbox) = service.open(dir.path(), &vault).await;
    try_jwt(&mut world);
    for _ in 0..2 {
        let (refused, is_taught) = request_quote(&mut world, &mut inbox).await;
        // The failure names the credential of the contract, although the JWT was refused too.
        let api_token = Some(CredentialKind::ApiToken);
        assert!(
            matches!(&refused, Err(NoQuote::Failure(Failure::Unauthorized { credential, .. }))
                if *credential == api_token),
            "{refused:?}"
        );
        assert!(!is_taught);
    }
    assert_eq!(*service.tokens.lock().unwrap(), ["jwt", "api"]);
    assert!(!dir.path().join("default.contract.toml").exists());
}

#[tokio::test]
async fn trial_without_its_credential_ends() {
    let dir = tempfile::tempdir().unwrap();
    let vault = VaultHandle::memory();
    let service = PickyService::start("api").await;
    let (mut world, mut inbox) = service.open(dir.path(), &vault).await;
    vault
        .delete(world.context.vault.name(CredentialKind::Jwt))
        .await
        .unwrap();
    try_jwt(&mut world);
    let (missing, _) = request_quote(&mut world, &mut inbox).await;
    assert!(
        matches!(missing, Err(NoQuote::Failure(Failure::NoCredential(_)))),
        "{missing:?}"
    );
    let (quote, is_taught) = request_quote(&mut world, &mut inbox).await;
    assert!(quote.is_ok() && !is_taught, "{quote:?}");
    assert_eq!(*service.tokens.lock().unwrap(), ["api"]);
}
