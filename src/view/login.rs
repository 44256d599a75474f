//! Logging in, and pasting the JWT for links.

use ratatui::Frame;

use super::{Look, forms};
use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::layer::Layer;
use crate::app::session::{JwtForm, LoginForm};

/// The login screen.
pub(super) fn login(
    _model: &Model,
    look: &Look,
    login: &LoginForm,
    layer: &Layer,
    area: Area,
    frame: &mut Frame,
) {
    forms::draw(look, layer, &login.form, &look.say("action-submit"), area, frame);
}

/// The screen on which a JWT is pasted.
pub(super) fn jwt(
    _model: &Model,
    look: &Look,
    jwt: &JwtForm,
    layer: &Layer,
    area: Area,
    frame: &mut Frame,
) {
    forms::draw(look, layer, &jwt.form, &look.say("action-submit"), area, frame);
}
