//! Tests that a withdrawal is not sent if the vault fails just before. The vault then cannot return
//! the token or the seller's consent to the API contract.

use std::io::ErrorKind;

use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use super::*;
use crate::trade::withdrawal::{Class, WithdrawalState};
use crate::trade::{Account, VaultTrouble};
use crate::vault::Vault;

/// A vault with one fixed result for every credential, and another one for the stored consent.
struct StubVault {
    credential: fn() -> VaultResult,
    consent: fn() -> VaultResult,
}

type VaultResult = Result<Option<Vec<u8>>, VaultTrouble>;

impl Vault for StubVault {
    fn value(&mut self, service: &str, _: &str) -> VaultResult {
        match service {
            "balcao/text" => (self.consent)(),
            _ => (self.credential)(),
        }
    }

    fn set(&mut self, _: &str, _: &str, _: &[u8]) -> Result<(), VaultTrouble> {
        panic!("nothing is stored by sending")
    }

    fn remove(&mut self, _: &str, _: &str) -> Result<(), VaultTrouble> {
        panic!("nothing is forgotten by sending")
    }
}

fn vault_with(credential: fn() -> VaultResult) -> VaultHandle {
    VaultHandle::on_thread(VaultKind::Keyring, move || {
        let consent = || {
            Ok(contract()
                .all_settings()
                .to_vault_text()
                .map(String::into_bytes))
        };
        Box::new(StubVault {
            credential,
            consent,
        })
    })
}

/// An API contract that differs from the built-in one, so that the seller's consent is needed.
fn contract() -> Contract {
    Contract::with(&[("loja.toml", "withdrawal.field.key.label.en = 'Key'")]).unwrap()
}

fn valid_credential() -> VaultResult {
    Ok(Some(
        br#"{"identity":"ana","secret":"token-of-ana"}"#.to_vec(),
    ))
}

/// Vaults that cannot return the token or the consent. Each has a name and the failure that the
/// test expects.
fn failing_vaults() -> Vec<(&'static str, VaultHandle, NotSent)> {
    let consent_fails = || {
        Box::new(StubVault {
            credential: valid_credential,
            consent: || Err(VaultTrouble::Locked),
        }) as Box<dyn Vault>
    };
    let no_consent = VaultHandle::on_thread(VaultKind::Keyring, consent_fails);
    let other = || Err(VaultTrouble::Other("no such interface".into()));
    vec![
        (
            "locked",
            vault_with(|| Err(VaultTrouble::Locked)),
            NotSent::Vault,
        ),
        (
            "gone",
            vault_with(|| Err(VaultTrouble::Absent)),
            NotSent::Vault,
        ),
        (
            "hangs",
            vault_with(|| Err(VaultTrouble::Hangs)),
            NotSent::Vault,
        ),
        ("another error", vault_with(other), NotSent::Vault),
        (
            "ended",
            vault_with(|| panic!("a vault that breaks when it is asked")),
            NotSent::Vault,
        ),
        ("locked for what was agreed to", no_consent, NotSent::Vault),
        ("empty", vault_with(|| Ok(None)), NotSent::NoCredential),
    ]
}

/// Starts one attempt for withdrawal 1, and returns the withdrawal after the attempt has ended.
async fn run_attempt(
    world: &mut RealWorld,
    inbox: &mut mpsc::Receiver<Msg>,
) -> crate::trade::Withdrawal {
    world.perform(Effect::Money(MoneyCommand::Attempt {
        key: key(1),
        retyped: None,
    }));
    loop {
        match inbox.recv().await.expect("an attempt ends") {
            Msg::Settled(withdrawal) => return *withdrawal,
            Msg::AttemptTrouble { trouble, .. } => panic!("{trouble:?}"),
            _ => {}
        }
    }
}

#[tokio::test]
async fn vault_failure_before_send_sends_nothing() {
    for (case, failing_vault, expected) in failing_vaults() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let base = BaseUrl::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let dir = tempfile::tempdir().unwrap();
        // The vault works until the withdrawal has been prepared. From then on, it fails.
        let vault = Arc::new(Locked::new(vault_with(valid_credential)));
        let (mut world, mut inbox) = build(WorldBuilder {
            base: base.clone(),
            contract: Arc::new(contract()),
            vault: vault.clone(),
            ..builder(dir.path(), VaultHandle::memory())
        });
        let mut agreement = agreement(1, 100);
        agreement.account = Account {
            origin: base.origin().clone(),
            identity: "ana".into(),
        };
        agreement.url = format!("{}/withdrawals", base.as_str()).into();
        let prepare = Effect::Money(MoneyCommand::Prepare {
            agreement: Box::new(agreement.clone()),
            retyped: None,
        });
        world.perform(prepare);
        while !matches!(
            inbox.recv().await.unwrap(),
            Msg::Prepared { result: Ok(_), .. }
        ) {}
        *vault.lock() = failing_vault;

        let withdrawal = run_attempt(&mut world, &mut inbox).await;
        let [attempt] = &withdrawal.attempts[..] else {
            panic!("{case}: {withdrawal:?}")
        };
        let end = attempt.end.as_ref().unwrap();
        assert_eq!(
            (&end.class, end.status),
            (&Class::NotSent(expected), None),
            "{case}"
        );
        let state =
            |withdrawal: &crate::trade::Withdrawal| withdrawal.state(&clocks(1), &WINDOW, false);
        assert_eq!(
            (state(&withdrawal), attempt.may_have_been_sent()),
            (WithdrawalState::Prepared, false),
            "{case}"
        );
        let on_disk = crate::journal::money::samples::open(dir.path())
            .get(key(1))
            .unwrap();
        assert_eq!(on_disk.as_ref(), Some(&withdrawal), "{case}");
        // Check that the app has not connected: a connection would be waiting here.
        let connection = listener.accept().map(|_| ()).map_err(|error| error.kind());
        assert_eq!(connection, Err(ErrorKind::WouldBlock), "{case}");

        // When the vault works again, the same request body is sent.
        *vault.lock() = vault_with(valid_credential);
        let listener = TcpListener::from_std(listener).unwrap();
        let serve = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(agreement.body.as_bytes()) {
                assert_ne!(stream.read_buf(&mut request).await.unwrap(), 0, "{case}");
            }
            String::from_utf8(request).unwrap()
        };
        let (request, sent) = tokio::join!(serve, run_attempt(&mut world, &mut inbox));
        assert!(
            request.contains("\r\nAuthorization: Bearer token-of-ana\r\n"),
            "{request}"
        );
        assert_eq!(
            (sent.attempts.len(), state(&sent)),
            (2, WithdrawalState::Unknown),
            "{case}"
        );
    }
}
