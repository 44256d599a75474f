//! The model: what screens share, and what lies over the pane in front.

use std::ops::{Deref, DerefMut};

use super::screens::Layer;
use super::store::Store;
use super::store::setup::Setup;
use super::ui::input::Size;
use crate::trade::Clocks;

/// Everything the app holds.
///
/// The fields of the store are read through it: `model.now` is the store's.
#[derive(Debug, Clone)]
pub struct Model {
    /// The part that screens share.
    pub store: Store,
    /// The screens that lie over the pane in front; the last is on top and has the keys.
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
    /// A model of which nothing is known yet.
    pub fn new(setup: Setup, size: Size, now: Clocks) -> Model {
        Model { store: Store::new(setup, size, now), layers: vec![] }
    }
}
