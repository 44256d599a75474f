//! The newest question of a kind: whoever asks again no longer waits for what was asked before.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A place for one question; the next one takes it.
#[derive(Debug)]
pub struct Newest<T>(Mutex<Option<T>>);

impl<T> Default for Newest<T> {
    fn default() -> Self {
        Newest(Mutex::default())
    }
}

impl<T> Newest<T> {
    /// Asks; true when no other question was waiting in its place.
    pub fn ask(&self, question: T) -> bool {
        self.lock().replace(question).is_none()
    }

    /// The question that is to be answered now, if one is.
    pub fn take(&self) -> Option<T> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
