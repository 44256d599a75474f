//! The palette knows what lies below it: that decides what can be asked for.

use super::open as open_screen;
use crate::app::cx::Route;
use crate::app::router::{may_switch, sight};
use crate::app::screen::Screen;
use crate::app::screens::Layer;
use crate::app::screens::palette::Below;
use crate::app::{Effect, Model, Stamp, Store};

/// Opens the palette over what is there.
pub fn open(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    if matches!(model.layers.last(), Some(Layer::Palette(_))) {
        return vec![];
    }
    model.layers.retain(|layer| !is_palette(layer));
    let below = below(model);
    let effects = open_screen(model, Route::Palette, at);
    let Model { store, layers } = model;
    if let Some(Layer::Palette(palette)) = layers.last_mut() {
        palette.below = below;
        palette.find(store);
    }
    effects
}

fn is_palette(layer: &Layer) -> bool {
    matches!(layer, Layer::Palette(_))
}

/// Tells a palette that is open what can be asked for below it now.
///
/// Below it an answer may have come since it was opened: the address of a link that was just made
/// is one more thing to ask for.
pub fn look_below(model: &mut Model) {
    if !model.layers.iter().any(is_palette) {
        return;
    }
    let below = below(model);
    let Model { store, layers } = model;
    if let Some(Layer::Palette(palette)) = layers.iter_mut().find(|layer| is_palette(layer)) {
        palette.look_below(store, below);
    }
}

fn below(model: &Model) -> Below {
    let over: Vec<&dyn Screen> =
        model.layers.iter().filter(|layer| !is_palette(layer)).map(Layer::screen).collect();
    let pane = model.pane.screen();
    let screen = over.last().copied().unwrap_or(&*pane);
    let store: &Store = &model.store;
    let newest = store.links.list.page.rows.iter().find_map(|link| link.url().cloned());
    Below {
        offered: screen.actions(store, sight::has_more(model)).offered,
        may_switch: may_switch(model),
        is_pane: over.is_empty(),
        url: screen.links(store).url.cloned().or(newest),
    }
}
