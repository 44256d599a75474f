//! The palette: everything that can be done now, by name.

use ratatui::Frame;

use super::parts::boxed;
use super::{Look, Words};
use crate::app::Model;
use crate::app::geometry::{self, Area};
use crate::app::layer::{Palette, Wish};

/// Draws the palette over what is there.
pub(super) fn draw(_model: &Model, look: &Look, _palette: &Palette, area: Area, frame: &mut Frame) {
    boxed(look, &look.say("palette-title"), geometry::palette(area), frame);
}

/// What the palette's lines are called in this language.
pub fn labels(_words: &Words, _faults: &[&str]) -> Vec<(Wish, String)> {
    Vec::new()
}
