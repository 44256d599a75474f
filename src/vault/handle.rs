//! [`VaultHandle`]: access to a vault with a time limit for every call.
//!
//! A vault that may block runs on its own thread. If a call takes too long, the caller stops
//! waiting. The thread then completes or aborts the call.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep_until, timeout};

use super::helper::{Helper, HelperCommand};
use super::{StoredCredential, Vault};
use crate::locked::Locked;
use crate::trade::{CredentialName, Secret, VaultKind, VaultTrouble};
use crate::worker::{Job, RejectReason, WorkerHandle};

/// The time limit for a call that reads from the vault.
pub const READ_LIMIT: Duration = Duration::from_secs(3);

/// The time limit for a call that writes to the vault. It includes the time for the user to answer
/// a prompt.
pub const WRITE_LIMIT: Duration = Duration::from_secs(10);

/// The time limit for storing a credential with the seller's vault command. It is long because the
/// command may show a dialog.
///
/// If the user cancels the login earlier, the command is killed.
pub const HELPER_LOGIN_LIMIT: Duration = Duration::from_secs(120);

const MAX_QUEUED_CALLS: usize = 16;

type ReplySender<T> = oneshot::Sender<Result<T, VaultTrouble>>;
type UnstoredCredentials = HashMap<CredentialName, Arc<StoredCredential>>;
type VaultFactory = Box<dyn FnOnce() -> Box<dyn Vault> + Send>;

/// Access to a vault. If the calls of a vault may block, the vault runs on its own thread.
///
/// All calls share this thread, so that a hanging keyring blocks only one thread. While a timed-out
/// call is still running, new calls fail at once with [`VaultTrouble::Hangs`].
#[derive(Clone)]
pub struct VaultHandle {
    kind: VaultKind,
    limits: CallLimits,
    backend: Backend,
    /// Credentials that the vault could not store. They are kept in memory until the program ends.
    memory_only: Arc<Locked<UnstoredCredentials>>,
}

#[derive(Clone)]
enum Backend {
    /// A vault whose calls may block. The calls run on the vault's own thread.
    Thread(Arc<LimitedCalls>),
    /// A vault whose calls never block. The calls run on the caller's thread.
    Immediate(Arc<Locked<dyn Vault + Send>>),
}

#[derive(Clone, Copy)]
struct CallLimits {
    read: Duration,
    write: Duration,
    /// The time limit for storing a credential.
    login: Duration,
}

const LIMITS: CallLimits = CallLimits {
    read: READ_LIMIT,
    write: WRITE_LIMIT,
    login: WRITE_LIMIT,
};

/// The thread of a vault, and the time limits of its calls.
struct LimitedCalls {
    kind: VaultKind,
    running: RunningCall,
    worker: WorkerHandle<Job<Box<dyn Vault>>>,
    /// The flag of the last call that timed out. The vault's thread sets it to true when that call
    /// has ended.
    timed_out_call: Locked<Option<Arc<AtomicBool>>>,
}

/// The deadline of the running call. It is set before each call.
///
/// Only a vault that runs a command checks the deadline, because a keyring call cannot be aborted.
#[derive(Clone, Default)]
pub(super) struct RunningCall(Arc<Locked<Option<CallDeadline>>>);

/// The deadline of a call, and a channel that closes when the caller stops waiting.
type CallDeadline = (Instant, watch::Receiver<()>);

impl RunningCall {
    /// Sets the deadline of a call that begins now. If the channel `caller` closes before the
    /// deadline, the call is aborted at once.
    pub(super) fn begin(&self, limit: Duration, caller: watch::Receiver<()>) {
        *self.0.lock() = Some((Instant::now() + limit, caller));
    }

    /// Waits until the deadline of the running call, or until its caller stops waiting.
    pub(super) async fn wait_for_end(&self) {
        let running = self.0.lock().clone();
        let Some((deadline, mut caller)) = running else {
            return pending().await;
        };
        tokio::select! {
            _ = caller.changed() => {}
            () = sleep_until(deadline) => {}
        }
    }
}

impl VaultHandle {
    /// A handle to a vault that runs a command chosen by the seller.
    pub fn helper(command: HelperCommand) -> VaultHandle {
        let running = RunningCall::default();
        let limit = running.clone();
        let create = Box::new(move || -> Box<dyn Vault> { Box::new(Helper::new(command, limit)) });
        let limits = CallLimits {
            login: HELPER_LOGIN_LIMIT,
            ..LIMITS
        };
        VaultHandle::with_limits(VaultKind::Helper, limits, running, create)
    }

    /// A handle to a vault whose calls never block.
    pub(super) fn immediate(kind: VaultKind, vault: impl Vault + Send + 'static) -> VaultHandle {
        let backend = Backend::Immediate(Arc::new(Locked::new(vault)));
        VaultHandle {
            kind,
            limits: LIMITS,
            backend,
            memory_only: Arc::default(),
        }
    }

    /// A handle to a vault whose calls may block. `create` is called on the vault's thread and
    /// creates the vault.
    pub fn on_thread(
        kind: VaultKind,
        create: impl FnOnce() -> Box<dyn Vault> + Send + 'static,
    ) -> VaultHandle {
        VaultHandle::with_limits(kind, LIMITS, RunningCall::default(), Box::new(create))
    }

    fn with_limits(
        kind: VaultKind,
        limits: CallLimits,
        running: RunningCall,
        create: VaultFactory,
    ) -> VaultHandle {
        let worker = WorkerHandle::with_owned("vault", MAX_QUEUED_CALLS, create);
        let calls = LimitedCalls {
            kind,
            running,
            worker,
            timed_out_call: Locked::default(),
        };
        let backend = Backend::Thread(Arc::new(calls));
        VaultHandle {
            kind,
            limits,
            backend,
            memory_only: Arc::default(),
        }
    }

    /// The kind of the vault without calling the vault.
    pub fn kind(&self) -> VaultKind {
        self.kind
    }

    /// Checks the vault by storing and removing a test entry. Returns the kind of the vault if the
    /// check succeeds.
    ///
    /// A locked desktop keyring shows its password prompt during this call. Therefore call this
    /// just before a login, and not at startup.
    pub async fn status(&self) -> Result<VaultKind, VaultTrouble> {
        self.read(|vault| vault.probe()).await.map(|()| self.kind)
    }

    /// The credential with this name, if it exists.
    pub async fn get(
        &self,
        name: CredentialName,
    ) -> Result<Option<Arc<StoredCredential>>, VaultTrouble> {
        if let Some(credential) = self.memory_only.lock().get(&name).cloned() {
            return Ok(Some(credential));
        }
        self.read(move |vault| vault.get(&name)).await
    }

    /// Keeps a credential in memory until the program ends. This is for a credential that the vault
    /// could not store.
    pub fn keep_in_memory(&self, name: CredentialName, credential: Arc<StoredCredential>) {
        self.memory_only.lock().insert(name, credential);
    }

    /// Tries again to store the credentials that are kept only in memory. Stops at the first error
    /// and returns it.
    pub async fn retry_unstored(&self) -> Option<VaultTrouble> {
        let credentials: Vec<_> = self.memory_only.lock().clone().into_iter().collect();
        for (name, credential) in credentials {
            if let Err(trouble) = self.put(name.clone(), credential.clone()).await {
                self.keep_in_memory(name, credential);
                return Some(trouble);
            }
        }
        None
    }

    /// Stores a credential. Replaces an existing credential with the same name.
    ///
    /// If the vault stores the credential after the time limit, the credential is removed again.
    pub async fn put(
        &self,
        name: CredentialName,
        credential: Arc<StoredCredential>,
    ) -> Result<(), VaultTrouble> {
        // Remove the old credential from memory now. `get` must not return it, even if the new
        // credential cannot be stored.
        self.memory_only.lock().remove(&name);
        let undo_name = name.clone();
        self.store_or_undo(
            self.limits.login,
            move |vault| vault.put(&name, &credential),
            move |vault| vault.delete(&undo_name),
        )
        .await
    }

    /// Removes the credential with this name. The removal takes place even if the caller stops
    /// waiting.
    pub async fn delete(&self, name: CredentialName) -> Result<(), VaultTrouble> {
        self.memory_only.lock().remove(&name);
        self.write(move |vault| vault.delete(&name)).await
    }

    /// Stores a text that is not secret. Replaces an existing text with the same name.
    ///
    /// If the vault stores the text after the time limit, the text is removed again.
    pub async fn put_text(&self, name: &str, text: String) -> Result<(), VaultTrouble> {
        let undo_name = name.to_owned();
        let name = name.to_owned();
        self.store_or_undo(
            self.limits.write,
            move |vault| vault.put_text(&name, &text),
            move |vault| vault.delete_text(&undo_name),
        )
        .await
    }

    /// The text with this name, exactly as it was stored, if it exists.
    pub async fn get_text(&self, name: &str) -> Result<Option<String>, VaultTrouble> {
        let name = name.to_owned();
        self.read(move |vault| vault.get_text(&name)).await
    }

    /// Stores the password of a team's database. `database` is its address with the role.
    ///
    /// If the vault stores the password after the time limit, the password is removed again.
    pub async fn put_team_password(
        &self,
        database: &str,
        password: Secret,
    ) -> Result<(), VaultTrouble> {
        let undo_name = database.to_owned();
        let name = database.to_owned();
        self.store_or_undo(
            self.limits.login,
            move |vault| vault.put_team_password(&name, &password),
            move |vault| vault.delete_team_password(&undo_name),
        )
        .await
    }

    /// The password of a team's database, if it was stored.
    pub async fn team_password(&self, database: &str) -> Result<Option<Secret>, VaultTrouble> {
        let name = database.to_owned();
        self.read(move |vault| vault.get_team_password(&name)).await
    }

    /// Removes the password of a team's database, even if the caller stops waiting.
    pub async fn delete_team_password(&self, database: &str) -> Result<(), VaultTrouble> {
        let name = database.to_owned();
        self.write(move |vault| vault.delete_team_password(&name))
            .await
    }

    /// Stores a short text that is not secret, even if the caller stops waiting.
    pub async fn put_marker(&self, name: &str, text: &str) -> Result<(), VaultTrouble> {
        let name = name.to_owned();
        let text = text.to_owned();
        self.write(move |vault| vault.put_text(&name, &text)).await
    }

    /// Removes a short text, even if the caller stops waiting.
    pub async fn delete_marker(&self, name: &str) -> Result<(), VaultTrouble> {
        let name = name.to_owned();
        self.write(move |vault| vault.delete_text(&name)).await
    }

    /// Runs a vault call that reads. The call is skipped if the caller stops waiting before the
    /// call begins.
    async fn read<T: Send + 'static>(
        &self,
        call: impl FnOnce(&mut dyn Vault) -> Result<T, VaultTrouble> + Send + 'static,
    ) -> Result<T, VaultTrouble> {
        self.call(self.limits.read, true, move |vault, reply| {
            if !reply.is_closed() {
                let _ = reply.send(call(vault));
            }
        })
        .await
    }

    /// Runs a vault call that writes. Even if the caller stops waiting, the call runs to its end.
    async fn write(
        &self,
        call: impl FnOnce(&mut dyn Vault) -> Result<(), VaultTrouble> + Send + 'static,
    ) -> Result<(), VaultTrouble> {
        self.call(self.limits.write, false, move |vault, reply| {
            let _ = reply.send(call(vault));
        })
        .await
    }

    /// Runs a vault call that stores a value. If the caller stops waiting before the call ends,
    /// `undo` removes the value again.
    async fn store_or_undo(
        &self,
        limit: Duration,
        store: impl FnOnce(&mut dyn Vault) -> Result<(), VaultTrouble> + Send + 'static,
        undo: impl FnOnce(&mut dyn Vault) -> Result<(), VaultTrouble> + Send + 'static,
    ) -> Result<(), VaultTrouble> {
        self.call(limit, true, move |vault, reply| {
            if reply.is_closed() {
                return;
            }
            let result = store(vault);
            if let Err(Ok(())) = reply.send(result) {
                // Ignore the error, because no caller is waiting for the result of the removal.
                let _ = undo(vault);
            }
        })
        .await
    }

    /// Runs a job on the vault. If `ends_with_caller` is true, the job is aborted as soon as its
    /// caller stops waiting.
    async fn call<T: Send + 'static>(
        &self,
        limit: Duration,
        ends_with_caller: bool,
        job: impl FnOnce(&mut dyn Vault, ReplySender<T>) + Send + 'static,
    ) -> Result<T, VaultTrouble> {
        let (reply, reply_receiver) = oneshot::channel();
        match &self.backend {
            Backend::Thread(calls) => {
                calls
                    .call(
                        limit,
                        ends_with_caller,
                        move |vault| job(vault, reply),
                        reply_receiver,
                    )
                    .await
            }
            Backend::Immediate(vault) => {
                job(&mut *vault.lock(), reply);
                reply_receiver
                    .await
                    .unwrap_or_else(|_| Err(thread_ended_error()))
            }
        }
    }
}

impl LimitedCalls {
    async fn call<T>(
        &self,
        limit: Duration,
        ends_with_caller: bool,
        job: impl FnOnce(&mut dyn Vault) + Send + 'static,
        reply_receiver: oneshot::Receiver<Result<T, VaultTrouble>>,
    ) -> Result<T, VaultTrouble> {
        let (sender, caller) = watch::channel(());
        // Dropping the sender aborts the job. If `ends_with_caller` is true, this function owns the
        // sender, so that the job ends with its caller. Otherwise the job owns the sender.
        let (caller_sender, job_sender) = if ends_with_caller {
            (Some(sender), None)
        } else {
            (None, Some(sender))
        };
        // Local variables are dropped in reverse order, so `reply_receiver` is dropped before this
        // sender. A queued call then finds its reply channel closed, and a running call is aborted.
        let _caller_sender = caller_sender;
        let has_ended = self.enqueue(limit, caller, move |vault| {
            job(vault);
            drop(job_sender);
        })?;
        match timeout(limit, reply_receiver).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(thread_ended_error()),
            Err(_) => {
                *self.timed_out_call.lock() = Some(has_ended);
                Err(self.timeout_error())
            }
        }
    }

    /// The error for a vault that did not answer within the time limit.
    fn timeout_error(&self) -> VaultTrouble {
        match self.kind {
            VaultKind::Helper => VaultTrouble::HelperHangs,
            _ => VaultTrouble::Hangs,
        }
    }

    /// Queues a call for the vault's thread. Returns a flag that becomes true when the call has
    /// ended.
    fn enqueue(
        &self,
        limit: Duration,
        caller: watch::Receiver<()>,
        job: impl FnOnce(&mut dyn Vault) + Send + 'static,
    ) -> Result<Arc<AtomicBool>, VaultTrouble> {
        if self
            .timed_out_call
            .lock()
            .as_ref()
            .is_some_and(|has_ended| !has_ended.load(Ordering::SeqCst))
        {
            return Err(self.timeout_error());
        }
        let has_ended = Arc::new(AtomicBool::new(false));
        let running = self.running.clone();
        let ended_flag = has_ended.clone();
        let enqueued = self.worker.enqueue(Box::new(move |vault| {
            running.begin(limit, caller);
            job(vault.as_mut());
            clear_stack();
            ended_flag.store(true, Ordering::SeqCst);
        }));
        match enqueued.map_err(|rejected| rejected.reason) {
            Ok(()) => Ok(has_ended),
            Err(RejectReason::Full) => Err(self.timeout_error()),
            Err(RejectReason::Ended) => Err(thread_ended_error()),
            Err(RejectReason::NoThread(error)) => Err(VaultTrouble::Other(format!(
                "its thread cannot start: {error}"
            ))),
        }
    }
}

/// Overwrites the unused part of the stack, which may contain parts of a credential.
///
/// The allocator wipes freed memory, but nothing wipes the stack. Encryption code leaves plain text
/// there, especially if it uses vector instructions.
#[inline(never)]
fn clear_stack() {
    /// The number of stack bytes to overwrite. Every vault call uses less stack than this.
    const STACK_BYTES: usize = 128 * 1024;
    std::hint::black_box(&mut [0_u8; STACK_BYTES]);
}

fn thread_ended_error() -> VaultTrouble {
    VaultTrouble::Other("its thread has ended; start the program again".into())
}

#[cfg(test)]
mod tests;
