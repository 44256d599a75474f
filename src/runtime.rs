//! The runtime: the event loop and everything that reaches the outside world (terminal, disk,
//! network, clocks).
//!
//! [`run`] is the event loop. Each turn waits for a message, an input event or the model's next
//! deadline, passes it to `update`, performs the resulting effects (such as requests) and draws one
//! frame. If the terminal is still busy with the last large frame, no new frame is drawn. The loop
//! is generic over the terminal, the input and the effect handler, so that production, tests and
//! the demo run the same function.

mod chosen_domain;
pub mod chosen_vault;
pub mod clipboard;
pub mod clocks;
pub mod display_environment;
pub mod doctor;
pub mod environment_secrets;
pub mod first_run;
pub mod frame_output;
pub mod hardening;
pub mod history;
mod inbox;
pub mod job_control;
pub mod journal_location;
pub mod keyboard;
pub mod keys;
pub mod kiosk_limits;
mod look_file;
pub mod marker;
pub mod money;
mod newest;
mod pacer;
mod receipt_files;
pub mod requests;
pub mod sandbox_secret;

mod secret_fields;
pub mod signals;
mod surface;
pub mod system_log;
pub mod terminal;
pub mod watch;
pub mod world;
pub mod world_builder;

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use crossterm::event::Event;
use futures_util::{Stream, StreamExt};
use ratatui::backend::Backend;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::sync::watch::Receiver as Newest;

use crate::app::store::frame_snapshot::FrameSnapshot;
use crate::app::ui::input::{Input, Pace};
use crate::app::{self, Effect, Model, Msg, Size, Stamp, router};
use crate::cashier::Clock;
use crate::trade::IdempotencyKey;
use crate::view::Theme;

pub use inbox::Inbox;
pub use keys::TimedEvent;
pub use secret_fields::SecretFields;
pub use surface::Surface;
pub use world::EffectHandler;

/// The maximum number of messages in the queue of the event loop.
pub const INBOX: usize = 1_024;

/// The maximum number of messages and input events that are handled before the next frame is drawn.
const MAX_PER_FRAME: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The user quit, or a signal ended the program.
    Left,
    /// The terminal was closed or cannot be read.
    TerminalGone,
}

/// Everything that [`run`] needs, such as the terminal, the input and the effect handler.
pub struct LoopParts<B: Backend, S, W> {
    /// The terminal to draw on. A resize event from `input` changes its size.
    pub surface: Surface<B>,
    /// The stream of key presses, clicks, pastes and terminal resizes.
    pub input: S,
    /// Performs the effects that `update` returns.
    pub world: W,
    /// The Tokio runtime for the tasks that perform effects. These tasks never run on the event
    /// loop's thread.
    pub workers: Handle,
    /// A message that is already known at startup, if any. It is handled before the first frame.
    pub known: Option<Msg>,
    /// Receives messages with the results of effects.
    pub inbox: mpsc::Receiver<Msg>,
    /// The clock readings that are passed to `update`.
    pub clock: Box<dyn Clock + Send>,
    /// The theme. When the theme changes, the next frame is drawn with the new theme.
    pub theme: Newest<Arc<Theme>>,
    /// The record of the content of the last frame. It is empty at the start.
    pub drawn: Drawing,
}

/// A record of the content of the last frame. It is passed to `update` with each message, so that
/// the user can confirm only text that was on the screen.
#[derive(Debug, Default)]
pub struct Drawing {
    seen: Arc<FrameSnapshot>,
    /// The number of the query sent to the terminal whose reply shows that the user can see the
    /// last frame.
    awaits: Option<u64>,
    /// True if a message was handled after the last frame, so the next frame may differ from it.
    heard: bool,
    /// True if the last frame shows new terms to confirm and `update` has not yet been called
    /// since.
    has_new_terms: bool,
    /// True if the next frame is delayed until the terminal confirms that it has shown the last
    /// one.
    is_held: bool,
}

impl Drawing {
    /// Records the content of a frame. `now_ms` is the time after the last byte of the frame was
    /// written. If the terminal was asked to report when the frame is visible, `awaits` is the
    /// number of that query.
    ///
    /// If no message was handled since the previous frame, its record is kept. The content is then
    /// the same, and the user has already seen it.
    fn note(&mut self, seen: FrameSnapshot, awaits: Option<u64>, now_ms: u64) {
        if self.heard || self.seen.frame == 0 {
            let at_ms = awaits.is_none().then_some(now_ms);
            self.has_new_terms = at_ms.is_some() && self.shows_new_terms(&seen);
            let frame = self.seen.frame + 1;
            self.seen = Arc::new(FrameSnapshot { frame, at_ms, ..seen });
            (self.awaits, self.heard) = (awaits, false);
        }
    }

    fn shows_new_terms(&self, seen: &FrameSnapshot) -> bool {
        let last = (&self.seen.terms, self.seen.shown);
        seen.terms.is_some() && (&seen.terms, seen.shown) != last
    }

    /// Returns true if this frame starts the delay during which the user cannot confirm yet. A
    /// frame starts it if it shows new terms, or if the confirm button just received the focus.
    fn begins_a_time(&self, seen: &FrameSnapshot) -> bool {
        self.shows_new_terms(seen) || seen.on_button && !self.seen.on_button
    }

    /// Returns true if the terminal has not yet reported that it has shown the last frame.
    fn is_unseen(&self) -> bool {
        self.seen.frame > 0 && self.seen.at_ms.is_none()
    }

    /// Records that the user can now see the last frame. The record gets a new number, so that
    /// `update` notices the change.
    fn count_as_seen(&mut self, at_ms: u64) {
        let frame = self.seen.frame + 1;
        self.seen = Arc::new(FrameSnapshot { frame, at_ms: Some(at_ms), ..(*self.seen).clone() });
    }

    /// Returns the record of the last frame, to be passed to `update` with the next message.
    fn for_message(&mut self) -> Arc<FrameSnapshot> {
        self.heard = true;
        self.has_new_terms = false;
        self.seen.clone()
    }
}

/// Runs the app until the user quits or the terminal is closed.
///
/// The first frame is drawn before the keyring, the journal or the network is used. It shows the
/// data that is available without them.
///
/// # Errors
///
/// Fails if a frame cannot be drawn.
pub async fn run<B, S, W>(model: &mut Model, mut parts: LoopParts<B, S, W>) -> io::Result<Ended>
where
    B: Backend<Error: std::error::Error + Send + Sync + 'static>,
    S: Stream<Item = io::Result<TimedEvent>> + Unpin,
    W: EffectHandler,
{
    let known = parts.known.take();
    let wanted = known.map(|known| parts.update(model, known, Pace::Unknown)).unwrap_or_default();
    parts.draw(model)?;
    parts.perform(model, wanted);
    parts.handle(model, Msg::Started);
    loop {
        if model.leaving {
            return Ok(Ended::Left);
        }
        // A confirm button stays disabled for a moment after its terms were drawn. If the last
        // frame shows new terms, call `update` immediately, so that this delay starts now.
        let pulse = if parts.drawn.has_new_terms { Duration::ZERO } else { app::next_pulse(model) };
        tokio::select! {
            biased;
            Some(msg) = parts.inbox.recv() => parts.handle(model, msg),
            event = parts.input.next() => match event {
                Some(Ok(arrived)) => parts.handle_event(model, arrived),
                Some(Err(_)) | None => return Ok(Ended::TerminalGone),
            },
            Ok(()) = parts.theme.changed() => {}
            () = parts.surface.output.wait() => {
                if !parts.drawn.is_held && !parts.drawn.is_unseen() {
                    continue;
                }
            }
            () = tokio::time::sleep(pulse) => parts.handle(model, Msg::Pulse),
        }
        parts.drain(model).await;
        parts.draw(model)?;
    }
}

impl<B, S, W> LoopParts<B, S, W>
where
    B: Backend<Error: std::error::Error + Send + Sync + 'static>,
    S: Stream<Item = io::Result<TimedEvent>> + Unpin,
    W: EffectHandler,
{
    /// Handles all waiting messages and events, so that one frame shows the effects of all of them.
    async fn drain(&mut self, model: &mut Model) {
        for _ in 0..MAX_PER_FRAME {
            if let Ok(msg) = self.inbox.try_recv() {
                self.handle(model, msg);
                continue;
            }
            // Poll with the waker of this task, so that the next input event wakes the event loop.
            match poll_fn(|cx| Poll::Ready(self.input.poll_next_unpin(cx))).await {
                Poll::Ready(Some(Ok(arrived))) => self.handle_event(model, arrived),
                // The input has ended. Return to the main loop, which polls the input next and then
                // stops.
                _ => return,
            }
            if model.leaving {
                return;
            }
        }
    }

    fn handle_event(&mut self, model: &mut Model, TimedEvent { mut event, pace }: TimedEvent) {
        // Put text that is typed into a password or token field directly into the buffer of that
        // field. `update` gets only the length of the text.
        if let Some(slot) = router::secret_focus(model).cloned()
            && let Some(secret_fields::SecretEdit { len, is_full }) =
                self.world.secrets().type_event(&slot, &mut event)
        {
            self.handle(model, Msg::SecretEdited { slot: slot.clone(), len });
            if is_full {
                self.handle(model, Msg::SecretFull(slot));
            }
            return;
        }
        if let Event::Resize(columns, rows) = event {
            // If the terminal cannot be cleared, drawing the next frame fails and reports the
            // error.
            let _ = self.surface.fit(Size::drawn(columns, rows));
        }
        if let Some(input) = keyboard::read(event) {
            let wanted = self.update(model, Msg::Input(input), pace);
            self.perform(model, wanted);
        }
    }

    fn handle(&mut self, model: &mut Model, msg: Msg) {
        let wanted = self.update(model, msg, Pace::Unknown);
        self.perform(model, wanted);
    }

    fn update(&mut self, model: &mut Model, msg: Msg, pace: Pace) -> Vec<Effect> {
        let fresh_key = IdempotencyKey(uuid::Uuid::new_v4());
        let (clocks, seen) = (self.clock.now(), self.drawn.for_message());
        app::update(model, msg, &Stamp { clocks, fresh_key, seen, pace })
    }

    fn perform(&mut self, model: &mut Model, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Redraw => self.redraw(model),
                effect => {
                    let _tasks = self.workers.enter();
                    self.world.perform(effect);
                }
            }
        }
    }

    /// Prepares a full redraw of the screen at the terminal's current size.
    ///
    /// The size may have changed while this process was stopped and another program used the
    /// terminal.
    fn redraw(&mut self, model: &mut Model) {
        // If the terminal cannot be cleared, drawing the next frame fails and reports the error.
        let Ok(size) = self.surface.forget() else { return };
        if size != model.size {
            self.handle(model, Msg::Input(Input::Resize(size)));
        }
    }

    /// Draws a frame, unless the terminal has not yet confirmed that it has shown the last one.
    fn draw(&mut self, model: &mut Model) -> io::Result<()> {
        self.drawn.is_held = self.surface.output.is_waiting();
        if model.leaving || self.drawn.is_held {
            return Ok(());
        }
        // Do not treat the terms as seen before the terminal has confirmed the frame that showed
        // them, even if later frames were drawn meanwhile.
        let open = self.drawn.awaits.filter(|query| self.surface.output.is_pending(*query));
        if self.drawn.is_unseen() && open.is_none() {
            self.drawn.count_as_seen(self.clock.now().boot_ms);
            // Call `update` before the next frame, so that the delay of the confirm button starts
            // now.
            self.handle(model, Msg::Pulse);
        }
        let theme = self.theme.borrow_and_update().clone();
        let seen = self.surface.show(model, &theme).map_err(io::Error::other)?;
        let begins_a_time = self.drawn.begins_a_time(&seen);
        let asked = self.surface.output.end_frame(begins_a_time)?.filter(|_| begins_a_time);
        // Read the clock after the last byte of the frame was written. The user cannot have seen
        // the frame before that.
        let now = self.clock.now().boot_ms;
        self.drawn.note(seen, asked.or(open), now);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
