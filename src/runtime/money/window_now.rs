//! The window of this moment: it follows the lines of the contract that the seller agreed to.

use std::sync::{Arc, Mutex, PoisonError};

use crate::trade::withdrawal::Window;

/// How long a key may be sent again, as it is known now; every clone is the same one.
#[derive(Clone)]
pub struct WindowNow(Arc<Mutex<Window>>);

impl WindowNow {
    /// What it is now.
    pub fn get(&self) -> Window {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on it is this one.
    pub fn set(&self, window: Window) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = window;
    }
}

impl From<Window> for WindowNow {
    fn from(window: Window) -> WindowNow {
        WindowNow(Arc::new(Mutex::new(window)))
    }
}
