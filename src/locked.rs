//! A mutex that stays usable after a panic.

#![warn(missing_docs)]

#[cfg(test)]
use std::sync::TryLockError;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A value that several threads use, one at a time.
///
/// Unlike a [`Mutex`], it can still be locked after a thread panicked while holding the lock.
/// Otherwise the panic would spread to every thread that uses the value: the terminal would not be
/// restored, and the end of a withdrawal attempt would not be reported. Ignoring the panic is safe,
/// because every thread leaves the value valid wherever it can panic. Only the rest of the change
/// that panicked is missing.
#[derive(Debug, Default)]
pub struct Locked<T: ?Sized>(Mutex<T>);

impl<T> Locked<T> {
    /// Creates a lock around a value.
    pub const fn new(value: T) -> Locked<T> {
        Locked(Mutex::new(value))
    }
}

impl<T: ?Sized> Locked<T> {
    /// Waits until no other thread holds the lock, and takes it until the guard is dropped.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True while a guard exists.
    #[cfg(test)]
    pub fn is_locked(&self) -> bool {
        matches!(self.0.try_lock(), Err(TryLockError::WouldBlock))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn value_can_be_locked_after_a_panic() {
        let value = Arc::new(Locked::new(1));
        let shared = value.clone();
        let thread = std::thread::spawn(move || {
            let mut locked = shared.lock();
            *locked = 2;
            panic!("while the value is locked");
        });
        assert!(thread.join().is_err());
        assert_eq!(*value.lock(), 2);
    }
}
