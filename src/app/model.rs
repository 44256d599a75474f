//! The model: the store, which holds the state that screens share, and the stack of screens that
//! are open over the current pane.

use std::ops::{Deref, DerefMut};

use super::screens::Layer;
use super::store::setup::Setup;
use super::store::{Store, kiosk};
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

    /// Takes the state that stays when a demo starts over from the previous run. The lists are
    /// loaded again. For another visitor of a kiosk, the changes of the last visitor are discarded.
    pub fn start_over_after(&mut self, previous: Model) {
        let is_for_another = kiosk::is_unattended(&previous);
        let Model { store: old, layers } = previous;
        self.starts_over = true;
        self.session = old.session;
        self.agreed_settings = old.agreed_settings;
        self.kiosk = old.kiosk;
        self.kiosk.started_over();
        if is_for_another {
            return self.kiosk.begin_visit();
        }
        self.pane = old.pane;
        self.is_masked = old.is_masked;
        self.exchanges_unmasked = old.exchanges_unmasked;
        self.recent_commands = old.recent_commands;
        self.story = old.story;
        self.shown_keys = old.shown_keys;
        self.layers = layers;
        self.layers.retain(Layer::is_login);
    }
}
