//! The two front ends of the app: the full screen and the stream of lines. The event loop shows
//! the model through one of them, and gets the person's input from it.

use std::io;
use std::sync::Arc;

use super::frame_output::FrameOutput;
use super::keys::TimedEvent;
use super::recorder::DrawnRows;
use crate::app::Model;
use crate::app::store::frame_snapshot::FrameSnapshot;
use crate::app::ui::Action;
use crate::app::ui::input::Size;
use crate::view::Theme;

/// Shows the model to the person, and turns the person's input into input for the app.
pub trait FrontEnd: Send {
    /// Shows the model. Returns a record of the content that the person can now read.
    fn show(&mut self, model: &Model, theme: &Arc<Theme>) -> io::Result<FrameSnapshot>;

    /// The output for frames, which paces them.
    fn output(&self) -> &FrameOutput;

    fn set_size(&mut self, size: Size) -> io::Result<()>;

    /// Prepares to show everything again, and returns the size of the next frame.
    fn reset(&mut self) -> io::Result<Size>;

    /// Begins to keep the drawn rows for a recording, with all rows of the next frame. Or ends it.
    fn keep_drawn_rows(&mut self, _keeps: bool) {}

    /// The kept rows of the last frame.
    fn take_drawn_rows(&mut self) -> Option<DrawnRows> {
        None
    }

    /// The input for the app that an event of the terminal means.
    fn steps(&mut self, _: &Model, event: TimedEvent) -> Vec<Step> {
        vec![Step::Event(event)]
    }

    /// The input for the app with which the front end continues after a frame, such as the second
    /// part of an answer.
    fn next_steps(&mut self, _: &Model) -> Vec<Step> {
        vec![]
    }
}

/// A part of the person's input.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Event(TimedEvent),
    /// An action that the person chose by its name. It counts as a deliberate key press.
    Action(Action),
}
