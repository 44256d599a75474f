//! The palette's lines, made when they are first read.

use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use super::Item;

/// The palette's lines, made when the palette first opens: no frame before that needs them.
#[derive(Clone, Debug)]
pub struct PaletteLines(Arc<LazyLock<Vec<Item>, MakeLines>>);

type MakeLines = Box<dyn FnOnce() -> Vec<Item> + Send>;

impl PaletteLines {
    /// Lines that this function makes.
    pub fn new(make: impl FnOnce() -> Vec<Item> + Send + 'static) -> PaletteLines {
        PaletteLines(Arc::new(LazyLock::new(Box::new(make))))
    }
}

impl Deref for PaletteLines {
    type Target = [Item];

    fn deref(&self) -> &[Item] {
        &self.0
    }
}

impl FromIterator<Item> for PaletteLines {
    fn from_iter<I: IntoIterator<Item = Item>>(items: I) -> PaletteLines {
        let items: Vec<Item> = items.into_iter().collect();
        PaletteLines::new(|| items)
    }
}
