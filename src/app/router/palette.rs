//! Opens the command palette and updates its commands, which depend on the screen below the
//! palette.

use crate::app::cx::Route;
use crate::app::router::{may_switch, read_tracker};
use crate::app::screens::Layer;
use crate::app::screens::palette::ScreenBelow;
use crate::app::{Effect, Model, Stamp};

/// Opens the command palette on top, unless it is already the front screen.
pub fn open(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    if model.layers.last().is_some_and(is_palette) {
        return vec![];
    }
    let effects = super::open(model, Route::Palette, stamp);
    update_commands(model);
    effects
}

fn is_palette(layer: &Layer) -> bool {
    matches!(layer, Layer::Palette(_))
}

/// Updates the commands of an open palette.
///
/// The commands may change while the palette is open. For example, the arriving URL of a new
/// payment link adds commands.
pub fn update_commands(model: &mut Model) {
    let Some(index) = model.layers.iter().position(is_palette) else {
        return;
    };
    let pane = model.pane.screen();
    let top_layer = model
        .layers
        .iter()
        .rev()
        .find(|layer| !is_palette(layer))
        .map(Layer::screen);
    let screen = top_layer.unwrap_or(&*pane);
    let newest = model
        .links
        .list
        .page
        .rows
        .iter()
        .find_map(|link| link.url().cloned());
    let below = ScreenBelow {
        actions: screen.actions(&model.store, read_tracker::has_more(model)),
        can_switch_pane: may_switch(model),
        is_over_pane: top_layer.is_none(),
        url: screen.links(&model.store).url.cloned().or(newest),
    };
    let Model { store, layers } = model;
    if let Layer::Palette(palette) = &mut layers[index] {
        palette.set_screen_below(store, below);
    }
}
