//! The window in force: it follows the lines of the contract that the seller agreed to.

use std::sync::{Arc, Mutex, PoisonError};

use crate::trade::withdrawal::Window;

/// The window in which a key may be sent again, shared by all clones.
#[derive(Clone)]
pub struct SharedWindow(Arc<Mutex<Window>>);

impl SharedWindow {
    /// The window in force.
    pub fn get(&self) -> Window {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts another window in force.
    pub fn set(&self, window: Window) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = window;
    }
}

impl From<Window> for SharedWindow {
    fn from(window: Window) -> SharedWindow {
        SharedWindow(Arc::new(Mutex::new(window)))
    }
}
