use std::sync::mpsc;

use super::*;
use crate::trade::{CredentialKind, Origin, Secret};
use crate::vault::MemoryVault;

fn name(kind: CredentialKind) -> CredentialName {
    let origin = Origin("https://pay.example".into());
    CredentialName {
        profile: "loja".into(),
        origin,
        kind,
    }
}

fn credential(secret: &str) -> Arc<StoredCredential> {
    Arc::new(StoredCredential {
        identity: "ana".into(),
        secret: Secret::new(secret.into()),
        expires: None,
        since: None,
        note: None,
    })
}

/// The time limit of calls that should time out because the gate is closed.
const SHORT_LIMIT: Duration = Duration::from_millis(20);

/// The time limit of calls that should not time out.
const LONG_LIMIT: Duration = Duration::from_secs(60);

/// A vault in memory. Every read or write waits at a gate until the test opens it.
struct GatedVault {
    inner: MemoryVault,
    open: mpsc::Receiver<()>,
}

impl GatedVault {
    fn wait(&mut self) -> &mut MemoryVault {
        // Ignore an error. It only means that the test has ended.
        let _ = self.open.recv();
        &mut self.inner
    }
}

impl Vault for GatedVault {
    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        self.wait().value(service, user)
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        self.wait().set(service, user, value)
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        self.inner.remove(service, user)
    }
}

fn calls(vault: &VaultHandle) -> &LimitedCalls {
    let Backend::Thread(calls) = &vault.backend else {
        panic!("memory has no thread")
    };
    calls
}

fn gated_vault() -> (VaultHandle, mpsc::SyncSender<()>) {
    let (gate, open) = mpsc::sync_channel(1);
    let create = move || -> Box<dyn Vault> {
        Box::new(GatedVault {
            inner: MemoryVault::default(),
            open,
        })
    };
    (with_limit(SHORT_LIMIT, Box::new(create)), gate)
}

fn with_limit(limit: Duration, create: VaultFactory) -> VaultHandle {
    let limits = CallLimits {
        read: limit,
        write: limit,
        login: limit,
    };
    VaultHandle::with_limits(VaultKind::Keyring, limits, RunningCall::default(), create)
}

/// Waits until the vault's thread has finished all queued calls.
async fn wait_for_queue(vault: &VaultHandle) {
    let queue_end = timeout(Duration::from_secs(20), calls(vault).worker.call(|_| ())).await;
    queue_end.expect("the vault's thread stands still").unwrap();
}

/// Queues a job on the vault's thread.
fn enqueue(
    vault: &VaultHandle,
    job: impl FnOnce(&mut dyn Vault) + Send + 'static,
) -> Result<Arc<AtomicBool>, VaultTrouble> {
    calls(vault).enqueue(LONG_LIMIT, watch::channel(()).1, job)
}

#[tokio::test]
async fn memory_stores_and_removes_by_name() {
    let vault = VaultHandle::memory();
    assert_eq!(vault.status().await, Ok(VaultKind::Memory));
    vault
        .put(name(CredentialKind::Jwt), credential("j"))
        .await
        .unwrap();
    let stored = vault
        .get(name(CredentialKind::Jwt))
        .await
        .unwrap()
        .expect("kept");
    assert_eq!(stored.secret.expose(), "j");
    assert!(
        vault
            .get(name(CredentialKind::ApiToken))
            .await
            .unwrap()
            .is_none()
    );
    vault.delete(name(CredentialKind::Jwt)).await.unwrap();
    vault.delete(name(CredentialKind::Jwt)).await.unwrap();
    assert!(
        vault
            .get(name(CredentialKind::Jwt))
            .await
            .unwrap()
            .is_none()
    );

    assert_eq!(vault.get_text("journal").await, Ok(None));
    vault.put_marker("journal", "/j").await.unwrap();
    assert_eq!(vault.get_text("journal").await, Ok(Some("/j".into())));
    assert_eq!(vault.get_text("other").await, Ok(None));
}

/// Blocks the vault's thread until the test sends a message on the returned channel.
fn block_thread(vault: &VaultHandle) -> mpsc::SyncSender<()> {
    let (entered, has_entered) = mpsc::sync_channel(1);
    let (release, released) = mpsc::sync_channel(1);
    let job = move |_: &mut dyn Vault| {
        entered.send(()).unwrap();
        let _ = released.recv();
    };
    enqueue(vault, job).unwrap();
    has_entered.recv().unwrap();
    release
}

#[tokio::test]
async fn hanging_vault_fails_in_time_and_then_at_once() {
    let (vault, gate) = gated_vault();
    let release = block_thread(&vault);
    let result = vault.get(name(CredentialKind::Jwt)).await;
    assert_eq!(result.unwrap_err(), VaultTrouble::Hangs);

    for _ in 0..100 {
        let result = vault.status().await;
        assert_eq!(result.unwrap_err(), VaultTrouble::Hangs);
    }
    release.send(()).unwrap();
    wait_for_queue(&vault).await;
    gate.send(()).unwrap();
    let job = enqueue(&vault, |vault| drop(vault.probe()));
    assert!(job.is_ok(), "it answers again, so it is asked again");
}

#[tokio::test]
async fn credential_stored_too_late_is_removed() {
    let (vault, gate) = gated_vault();
    let result = vault.put(name(CredentialKind::Jwt), credential("j")).await;
    assert_eq!(result, Err(VaultTrouble::Hangs));
    gate.send(()).unwrap();
    wait_for_queue(&vault).await;

    let (sender, receiver) = mpsc::sync_channel(1);
    gate.send(()).unwrap();
    let check = move |vault: &mut dyn Vault| {
        sender
            .send(vault.get(&name(CredentialKind::Jwt)).unwrap().is_none())
            .unwrap();
    };
    enqueue(&vault, check).unwrap();
    assert!(
        receiver.recv().unwrap(),
        "the seller was told that it is not kept"
    );
}

#[tokio::test]
async fn late_read_is_skipped_and_late_marker_is_written() {
    let (vault, gate) = gated_vault();
    let release = block_thread(&vault);
    let (read, marker) = tokio::join!(
        vault.get(name(CredentialKind::Jwt)),
        vault.put_marker("written", "/j")
    );
    assert_eq!(read.unwrap_err(), VaultTrouble::Hangs);
    assert_eq!(marker.unwrap_err(), VaultTrouble::Hangs);
    // Let one call pass the gate. If the expired read still ran, it would pass instead of the
    // marker, and the marker would not be written.
    gate.send(()).unwrap();
    release.send(()).unwrap();
    wait_for_queue(&vault).await;

    let (sender, receiver) = mpsc::sync_channel(1);
    gate.send(()).unwrap();
    let check = move |vault: &mut dyn Vault| {
        sender
            .send(vault.get_text("written").unwrap().is_some())
            .unwrap();
    };
    enqueue(&vault, check).unwrap();
    assert!(receiver.recv().unwrap());
}

#[tokio::test]
async fn panic_of_the_vault_is_an_error() {
    // Use the long limit, because printing the panic message can take a while.
    let create = || -> Box<dyn Vault> { panic!("no vault") };
    let vault = with_limit(LONG_LIMIT, Box::new(create));
    for _ in 0..2 {
        assert_eq!(vault.status().await, Err(thread_ended_error()));
    }
}

#[tokio::test]
async fn queue_has_a_maximum_length() {
    let (vault, _gate) = gated_vault();
    let probe = || enqueue(&vault, |vault| drop(vault.probe()));
    let accepted = (0..MAX_QUEUED_CALLS + 3)
        .filter(|_| probe().is_ok())
        .count();
    // The thread may already have taken one call from the queue. Then there is room for one more.
    assert!(
        (MAX_QUEUED_CALLS..=MAX_QUEUED_CALLS + 1).contains(&accepted),
        "{accepted} were taken"
    );
    assert_eq!(probe().err(), Some(VaultTrouble::Hangs));
}

#[tokio::test]
async fn refused_credential_is_kept_until_vault_accepts() {
    let vault = VaultHandle::memory();
    let jwt = || name(CredentialKind::Jwt);
    vault.keep_in_memory(jwt(), credential("j"));
    assert_eq!(
        vault
            .clone()
            .get(jwt())
            .await
            .unwrap()
            .unwrap()
            .secret
            .expose(),
        "j"
    );
    assert_eq!(vault.retry_unstored().await, None);
    assert!(
        vault.memory_only.lock().is_empty(),
        "it is in the vault now"
    );
    assert_eq!(
        vault.get(jwt()).await.unwrap().unwrap().secret.expose(),
        "j"
    );

    vault.keep_in_memory(jwt(), credential("k"));
    vault.delete(jwt()).await.unwrap();
    assert!(vault.get(jwt()).await.unwrap().is_none());
    // This vault is read-only and refuses the credential, so the credential stays in memory.
    let vault = VaultHandle::environment([]);
    vault.keep_in_memory(jwt(), credential("j"));
    assert_eq!(vault.retry_unstored().await, Some(VaultTrouble::ReadOnly));
    assert!(vault.get(jwt()).await.unwrap().is_some());
}

#[tokio::test]
async fn environment_is_read_only_for_its_own_address() {
    let new_credential = credential("t");
    let stored = Arc::into_inner(credential("t")).unwrap();
    let token = || name(CredentialKind::ApiToken);
    let vault = VaultHandle::environment([(token(), stored)]);
    assert_eq!(vault.status().await, Ok(VaultKind::Environment));
    assert_eq!(
        vault.get(token()).await.unwrap().unwrap().secret.expose(),
        "t"
    );
    let other_origin = CredentialName {
        origin: Origin("https://other.example".into()),
        ..token()
    };
    assert!(vault.get(other_origin).await.unwrap().is_none());
    assert_eq!(
        vault.put(token(), new_credential).await,
        Err(VaultTrouble::ReadOnly)
    );
    assert_eq!(vault.delete(token()).await, Err(VaultTrouble::ReadOnly));
    assert!(vault.get(token()).await.unwrap().is_some());
    // Texts that are not secret are kept in memory until the app quits, even in a read-only vault.
    vault.put_marker("journal", "/j").await.unwrap();
    assert_eq!(vault.get_text("journal").await, Ok(Some("/j".into())));
}

#[tokio::test]
async fn call_ends_at_its_deadline_or_with_its_caller() {
    let running = RunningCall::default();
    let (caller_sender, caller) = watch::channel(());
    running.begin(LONG_LIMIT, caller);
    let (ended, ()) = tokio::join!(timeout(LONG_LIMIT, running.wait_for_end()), async {
        drop(caller_sender)
    });
    ended.unwrap();
    // The caller has already stopped waiting, so `reached` returns at once.
    timeout(LONG_LIMIT, running.wait_for_end()).await.unwrap();
    let (_caller_sender, caller) = watch::channel(());
    let start = Instant::now();
    running.begin(SHORT_LIMIT, caller);
    timeout(LONG_LIMIT, running.wait_for_end()).await.unwrap();
    assert!(start.elapsed() >= SHORT_LIMIT);
}
