//! The model: the store, which holds the state that screens share, and the stack of screens that
//! are open over the current pane.

use std::ops::{Deref, DerefMut};

use super::screens::Layer;
use super::store::Store;
use super::store::setup::Setup;
use super::ui::input::Size;
use crate::trade::Clocks;

/// The whole state of the app.
///
/// The model dereferences to its store: `model.now` means `model.store.now`.
#[derive(Debug, Clone)]
pub struct Model {
    /// The state that screens share.
    pub store: Store,
    /// The screens that are open over the current pane. The last one is on top and receives the
    /// keys.
    pub layers: Vec<Layer>,
}

impl Deref for Model {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

impl DerefMut for Model {
    fn deref_mut(&mut self) -> &mut Store {
        &mut self.store
    }
}

impl Model {
    /// Creates a model with nothing loaded yet.
    pub fn new(setup: Setup, size: Size, now: Clocks) -> Model {
        Model {
            store: Store::new(setup, size, now),
            layers: vec![],
        }
    }
}
