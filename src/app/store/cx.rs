//! The context in which a screen acts.

use std::sync::Arc;

use super::Store;
use crate::app::cx::{Question, Resume, Route, ScreenCommand};
use crate::app::store::notice::Notice;
use crate::app::ui::Action;
use crate::app::{Effect, Pane, Stamp};
use crate::trade::IdempotencyKey;

/// The context in which a screen acts: it reads and changes the store, requests effects, and opens
/// and closes screens.
///
/// Commands are collected and run in their order once the screen has returned, so that `update`
/// stays pure.
#[derive(Debug)]
pub struct Cx<'a> {
    /// The state that screens share.
    pub store: &'a mut Store,
    /// The stamp of the message.
    pub stamp: &'a Stamp,
    /// True when the screen that acts is in front.
    pub is_front: bool,
    /// The commands so far.
    pub commands: Vec<ScreenCommand>,
}

impl<'a> Cx<'a> {
    /// A context without commands.
    pub fn new(store: &'a mut Store, stamp: &'a Stamp, is_front: bool) -> Cx<'a> {
        Cx { store, stamp, is_front, commands: vec![] }
    }

    /// Requests an effect.
    pub fn perform(&mut self, effect: Effect) {
        self.commands.push(ScreenCommand::Perform(effect));
    }

    /// Opens another screen in front.
    pub fn open(&mut self, route: Route) {
        self.commands.push(ScreenCommand::Open(route));
    }

    /// Asks a question in front.
    pub fn ask(&mut self, question: Question) {
        self.open(Route::Ask(question));
    }

    /// Puts another screen in the place of this one.
    pub fn replace_with(&mut self, route: Route) {
        self.commands.push(ScreenCommand::Become(route));
    }

    /// Closes this screen.
    pub fn close(&mut self) {
        self.commands.push(ScreenCommand::Close);
    }

    /// Closes the screen that is in front then.
    pub fn close_front(&mut self) {
        self.commands.push(ScreenCommand::CloseFront);
    }

    /// Closes every screen that is about this withdrawal only.
    pub fn close_about(&mut self, key: IdempotencyKey) {
        self.commands.push(ScreenCommand::CloseAbout(key));
    }

    /// Shows a pane, if nothing is lost by it.
    pub fn show(&mut self, pane: Pane) {
        self.commands.push(ScreenCommand::Show(pane));
    }

    /// Presses an action, as if by its key.
    pub fn press(&mut self, action: Action) {
        self.commands.push(ScreenCommand::Press(action));
    }

    /// Switches to another profile.
    pub fn switch_profile(&mut self, to: Arc<str>) {
        self.commands.push(ScreenCommand::SwitchProfile(to));
    }

    /// Takes a step that waited for an agreement.
    pub fn resume(&mut self, step: Resume) {
        match step {
            Resume::Open(route) => self.open(route),
            Resume::Press(action) => self.press(action),
            Resume::SayStored => self.store.say(Notice::ConsentStored),
        }
    }
}
