//! The way to a vault: calls that end in time, whatever the vault does.

use std::collections::HashMap;
use std::future::pending;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep_until, timeout};

use super::helper::{Helper, HelperCommand};
use super::{StoredCredential, Vault};
use crate::trade::{CredentialName, VaultKind, VaultTrouble};
use crate::worker::{Job, RejectReason, WorkerHandle};

/// The longest time that a reading call may take.
pub const READ_LIMIT: Duration = Duration::from_secs(3);

/// The longest time that a writing call may take: a person may have to answer a prompt.
pub const WRITE_LIMIT: Duration = Duration::from_secs(10);

/// The longest time that a login is stored, where the seller's own command has a dialog for it.
///
/// The login can be cancelled meanwhile, and the command ends with it.
pub const UNLOCK_LIMIT: Duration = Duration::from_secs(120);

/// The calls that may wait for the thread; more never come at once.
const QUEUE: usize = 16;

type ReplySender<T> = oneshot::Sender<Result<T, VaultTrouble>>;
type Unkept = HashMap<CredentialName, Arc<StoredCredential>>;
type VaultFactory = Box<dyn FnOnce() -> Box<dyn Vault> + Send>;

/// A vault on a thread of its own, which starts with the first call; memory needs none.
///
/// One thread and not one for each call: a keyring that hangs would collect them without end. While
/// a call that was given up still runs, every further call answers [`VaultTrouble::Hangs`] at once;
/// when it ends after all, calls are taken again.
#[derive(Clone)]
pub struct VaultHandle {
    kind: VaultKind,
    limits: CallLimits,
    backend: Backend,
    /// The credentials that the vault did not take; they are kept for this run.
    unkept: Arc<Mutex<Unkept>>,
}

#[derive(Clone)]
enum Backend {
    /// Any call may block, and none is made on the caller's thread.
    Thread(Arc<LimitedCalls>),
    /// No call ever blocks.
    Immediate(Arc<Mutex<dyn Vault + Send>>),
}

/// The longest times that a caller waits.
#[derive(Clone, Copy)]
struct CallLimits {
    read: Duration,
    write: Duration,
    /// That of storing a credential.
    login: Duration,
}

const LIMITS: CallLimits = CallLimits { read: READ_LIMIT, write: WRITE_LIMIT, login: WRITE_LIMIT };

/// The vault's thread; a caller waits for an answer no longer than the call's limit.
struct LimitedCalls {
    kind: VaultKind,
    running: RunningCall,
    worker: WorkerHandle<Job<Box<dyn Vault>>>,
    /// The last call whose caller stopped waiting; true once it has ended after all.
    given_up: Mutex<Option<Arc<AtomicBool>>>,
}

/// The end of the call that runs, for a vault that can stop in the middle of one.
///
/// The handle sets it before each call; a keyring, which cannot stop, never looks at it.
#[derive(Clone, Default)]
pub(super) struct RunningCall(Arc<Mutex<Option<CallEnd>>>);

/// The instant by which a call ends, and the receiver whose sender its caller holds.
type CallEnd = (Instant, watch::Receiver<()>);

impl RunningCall {
    /// A call begins: it may take this long, and ends with the sender of this receiver.
    pub(super) fn begin(&self, limit: Duration, caller: watch::Receiver<()>) {
        *self.lock() = Some((Instant::now() + limit, caller));
    }

    /// Waits until the running call has no time left, or its caller waits no more.
    pub(super) async fn reached(&self) {
        let running = self.lock().clone();
        let Some((until, mut caller)) = running else { return pending().await };
        tokio::select! {
            _ = caller.changed() => {}
            () = sleep_until(until) => {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<CallEnd>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl VaultHandle {
    /// The seller's own command.
    pub fn helper(command: HelperCommand) -> VaultHandle {
        let running = RunningCall::default();
        let limit = running.clone();
        let make = Box::new(move || -> Box<dyn Vault> { Box::new(Helper::new(command, limit)) });
        let limits = CallLimits { login: UNLOCK_LIMIT, ..LIMITS };
        VaultHandle::with_limits(VaultKind::Helper, limits, running, make)
    }

    /// A vault whose calls never block.
    pub(super) fn immediate(kind: VaultKind, vault: impl Vault + Send + 'static) -> VaultHandle {
        let backend = Backend::Immediate(Arc::new(Mutex::new(vault)));
        VaultHandle { kind, limits: LIMITS, backend, unkept: Arc::default() }
    }

    /// Any other vault; it is made on the thread that owns it.
    pub fn over(
        kind: VaultKind,
        make: impl FnOnce() -> Box<dyn Vault> + Send + 'static,
    ) -> VaultHandle {
        VaultHandle::with_limits(kind, LIMITS, RunningCall::default(), Box::new(make))
    }

    fn with_limits(
        kind: VaultKind,
        limits: CallLimits,
        running: RunningCall,
        make: VaultFactory,
    ) -> VaultHandle {
        let worker = WorkerHandle::with_owned("vault", QUEUE, make);
        let calls = LimitedCalls { kind, running, worker, given_up: Mutex::default() };
        let backend = Backend::Thread(Arc::new(calls));
        VaultHandle { kind, limits, backend, unkept: Arc::default() }
    }

    /// The kind of the vault, known without a call to it.
    pub fn kind(&self) -> VaultKind {
        self.kind
    }

    /// Tries to store something, and returns the kind of the vault if that worked.
    ///
    /// On a locked desktop keyring this makes its prompt appear: call it where a person is about to
    /// log in, not at the start of the program.
    pub async fn status(&self) -> Result<VaultKind, VaultTrouble> {
        self.read(|vault| vault.probe()).await.map(|()| self.kind)
    }

    /// The credential of that name, if there is one.
    pub async fn get(
        &self,
        name: CredentialName,
    ) -> Result<Option<Arc<StoredCredential>>, VaultTrouble> {
        if let Some(credential) = self.unkept().get(&name).cloned() {
            return Ok(Some(credential));
        }
        self.read(move |vault| vault.get(&name)).await
    }

    /// Keeps a credential that the vault did not take, until this process ends.
    pub fn keep_for_run(&self, name: CredentialName, credential: Arc<StoredCredential>) {
        self.unkept().insert(name, credential);
    }

    /// Stores what was kept for this run only; returns why, where it still is not stored.
    pub async fn keep_again(&self) -> Option<VaultTrouble> {
        let left: Vec<_> = self.unkept().clone().into_iter().collect();
        for (name, credential) in left {
            if let Err(trouble) = self.put(name.clone(), credential.clone()).await {
                self.keep_for_run(name, credential);
                return Some(trouble);
            }
        }
        None
    }

    fn unkept(&self) -> MutexGuard<'_, Unkept> {
        self.unkept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a credential, in place of an earlier one of that name.
    ///
    /// One that is stored after the caller's limit has passed is deleted again.
    pub async fn put(
        &self,
        name: CredentialName,
        credential: Arc<StoredCredential>,
    ) -> Result<(), VaultTrouble> {
        // In its place, or never again: an older one must not come up for it.
        self.unkept().remove(&name);
        let taken_back = name.clone();
        self.keep(
            self.limits.login,
            move |vault| vault.put(&name, &credential),
            move |vault| vault.delete(&taken_back),
        )
        .await
    }

    /// Forgets the credential of that name, also when the caller does not wait for it any more.
    pub async fn delete(&self, name: CredentialName) -> Result<(), VaultTrouble> {
        self.unkept().remove(&name);
        self.write(move |vault| vault.delete(&name)).await
    }

    /// Keeps a text that is no secret, in place of an earlier one of that name.
    ///
    /// One that is kept after the caller's limit has passed is deleted again.
    pub async fn put_text(&self, name: &str, text: String) -> Result<(), VaultTrouble> {
        let (name, taken_back) = (name.to_owned(), name.to_owned());
        self.keep(
            self.limits.write,
            move |vault| vault.put_text(&name, &text),
            move |vault| vault.delete_text(&taken_back),
        )
        .await
    }

    /// The text of that name, whole as it was kept, if there is one.
    pub async fn get_text(&self, name: &str) -> Result<Option<String>, VaultTrouble> {
        let name = name.to_owned();
        self.read(move |vault| vault.get_text(&name)).await
    }

    /// Keeps a short text that is no secret, also when the caller does not wait for it any more.
    pub async fn put_marker(&self, name: &str, text: &str) -> Result<(), VaultTrouble> {
        let (name, text) = (name.to_owned(), text.to_owned());
        self.write(move |vault| vault.put_text(&name, &text)).await
    }

    /// Forgets that text, also when the caller does not wait for it any more.
    pub async fn delete_marker(&self, name: &str) -> Result<(), VaultTrouble> {
        let name = name.to_owned();
        self.write(move |vault| vault.delete_text(&name)).await
    }

    /// Asks for something, unless the caller waits no more.
    async fn read<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&mut dyn Vault) -> Result<T, VaultTrouble> + Send + 'static,
    ) -> Result<T, VaultTrouble> {
        let job = move |vault: &mut dyn Vault, reply: ReplySender<T>| {
            if !reply.is_closed() {
                let _ = reply.send(ask(vault));
            }
        };
        self.call(self.limits.read, true, job).await
    }

    /// Changes something, also when the caller does not wait for it any more.
    async fn write(
        &self,
        change: impl FnOnce(&mut dyn Vault) -> Result<(), VaultTrouble> + Send + 'static,
    ) -> Result<(), VaultTrouble> {
        let job = move |vault: &mut dyn Vault, reply: ReplySender<()>| {
            let _ = reply.send(change(vault));
        };
        self.call(self.limits.write, false, job).await
    }

    /// Stores something, and takes it back where the caller has stopped waiting meanwhile.
    async fn keep(
        &self,
        limit: Duration,
        store: impl FnOnce(&mut dyn Vault) -> Result<(), VaultTrouble> + Send + 'static,
        take_back: impl FnOnce(&mut dyn Vault) -> Result<(), VaultTrouble> + Send + 'static,
    ) -> Result<(), VaultTrouble> {
        let job = move |vault: &mut dyn Vault, reply: ReplySender<()>| {
            if reply.is_closed() {
                return;
            }
            let stored = store(vault);
            if let Err(Ok(())) = reply.send(stored) {
                // Where this fails too, no caller is left to hear it.
                let _ = take_back(vault);
            }
        };
        self.call(limit, true, job).await
    }

    /// Has a job done; with `stops` it ends where its caller waits no more.
    async fn call<T: Send + 'static>(
        &self,
        limit: Duration,
        stops: bool,
        job: impl FnOnce(&mut dyn Vault, ReplySender<T>) + Send + 'static,
    ) -> Result<T, VaultTrouble> {
        let (reply, answered) = oneshot::channel();
        match &self.backend {
            Backend::Thread(calls) => {
                let job = move |vault: &mut dyn Vault| job(vault, reply);
                calls.call(limit, stops, job, answered).await
            }
            Backend::Immediate(vault) => {
                job(&mut *vault.lock().unwrap_or_else(PoisonError::into_inner), reply);
                answered.await.unwrap_or_else(|_| Err(thread_ended()))
            }
        }
    }
}

impl LimitedCalls {
    async fn call<T>(
        &self,
        limit: Duration,
        stops: bool,
        job: impl FnOnce(&mut dyn Vault) + Send + 'static,
        answered: oneshot::Receiver<Result<T, VaultTrouble>>,
    ) -> Result<T, VaultTrouble> {
        let (waits, caller) = watch::channel(());
        // What does not end with its caller ends with itself.
        let (waits, runs) = if stops { (Some(waits), None) } else { (None, Some(waits)) };
        // Dropped after the receiver: a call that was not begun sees that nobody waits, and one
        // that was begun is stopped.
        let _waits = waits;
        let job = move |vault: &mut dyn Vault| {
            job(vault);
            drop(runs);
        };
        let is_over = self.enqueue(limit, caller, job)?;
        match timeout(limit, answered).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(thread_ended()),
            Err(_) => {
                *self.given_up() = Some(is_over);
                Err(self.hangs())
            }
        }
    }

    /// The trouble with a vault that does not answer.
    fn hangs(&self) -> VaultTrouble {
        match self.kind {
            VaultKind::Helper => VaultTrouble::HelperHangs,
            _ => VaultTrouble::Hangs,
        }
    }

    /// Puts a call into the queue; what it returns is true once the call has ended.
    fn enqueue(
        &self,
        limit: Duration,
        caller: watch::Receiver<()>,
        job: impl FnOnce(&mut dyn Vault) + Send + 'static,
    ) -> Result<Arc<AtomicBool>, VaultTrouble> {
        if self.given_up().as_ref().is_some_and(|is_over| !is_over.load(Ordering::SeqCst)) {
            return Err(self.hangs());
        }
        let is_over = Arc::new(AtomicBool::new(false));
        let (running, ended) = (self.running.clone(), is_over.clone());
        let given = self.worker.enqueue(Box::new(move |vault| {
            running.begin(limit, caller);
            job(vault.as_mut());
            clear_stack();
            ended.store(true, Ordering::SeqCst);
        }));
        match given.map_err(|rejected| rejected.reason) {
            Ok(()) => Ok(is_over),
            Err(RejectReason::Full) => Err(self.hangs()),
            Err(RejectReason::Ended) => Err(thread_ended()),
            Err(RejectReason::NoThread(error)) => {
                Err(VaultTrouble::Other(format!("its thread cannot start: {error}")))
            }
        }
    }

    fn given_up(&self) -> MutexGuard<'_, Option<Arc<AtomicBool>>> {
        self.given_up.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Overwrites what a call left on the stack, below where it was made.
///
/// Memory that is given back is wiped, and the stack is not: a cipher, above all one for a
/// processor that takes many blocks at once, leaves whole pieces of a credential there. Only the
/// next call of the thread would overwrite them.
#[inline(never)]
fn clear_stack() {
    /// More than the calls of a vault take.
    const DEEPEST: usize = 128 * 1024;
    std::hint::black_box(&mut [0_u8; DEEPEST]);
}

fn thread_ended() -> VaultTrouble {
    VaultTrouble::Other("its thread has ended; start the program again".into())
}

#[cfg(test)]
mod tests;
