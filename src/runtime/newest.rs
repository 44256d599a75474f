//! The newest question of a kind: asking again replaces the question that still waits.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A slot for one question; the next one takes its place.
#[derive(Debug)]
pub struct Newest<T>(Mutex<Option<T>>);

impl<T> Default for Newest<T> {
    fn default() -> Self {
        Newest(Mutex::default())
    }
}

impl<T> Newest<T> {
    /// Puts a question in; returns true if no other one was waiting there.
    pub fn put(&self, question: T) -> bool {
        self.lock().replace(question).is_none()
    }

    /// Takes the question that is to be answered now, if there is one.
    pub fn take(&self) -> Option<T> {
        self.lock().take()
    }

    /// Returns true if a question waits there.
    pub fn is_waiting(&self) -> bool {
        self.lock().is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Option<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
