//! The runtime: the event loop and everything that reaches the outside world (terminal, disk,
//! network, clocks).
//!
//! [`run`] is the event loop. Each turn waits for a message, an input event or the model's next
//! deadline, passes it to `update`, performs the resulting effects (such as requests) and draws one
//! frame. If the terminal is still busy with the last large frame, no new frame is drawn. The loop
//! is generic over the front end, the input and the effect handler, so that production, tests and
//! the demo run the same function.

pub mod batch_sender;
pub mod batches;
mod chosen_domain;
pub mod chosen_vault;
pub mod clipboard;
pub mod clocks;
pub mod display_environment;
pub mod doctor;
pub mod environment_secrets;
pub mod export_environment;
pub mod first_run;
pub mod frame_output;
mod front_end;
pub mod hardening;
pub mod history;
mod inbox;
pub mod job_control;
pub mod journal_location;
pub mod keyboard;
pub mod keys;
pub mod kiosk_limits;
pub mod line_terminal;
mod liveness;
pub mod log;
mod look_file;
pub mod marker;
pub mod money;
mod newest;
mod pacer;
pub mod receipt_files;
pub mod reconcile;
pub mod recorder;
pub mod requests;
pub mod sandbox_secret;

mod secret_fields;
pub mod shared_history;
pub mod signals;
pub mod support_contents;
mod surface;
pub mod system_log;
pub mod team;
pub mod terminal;
pub mod typed_path;
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
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::sync::watch::Receiver as WatchReceiver;

use crate::app::store::frame_snapshot::FrameSnapshot;
use crate::app::store::recording::RecordCommand;
use crate::app::ui::input::{Input, Pace};
use crate::app::{self, Effect, Model, Msg, Stamp, router};
use crate::cashier::Clock;
use crate::trade::IdempotencyKey;
use crate::view::Theme;
use log::{Event as LogEvent, Log};

pub use front_end::{FrontEnd, Step};
pub use inbox::Inbox;
pub use keys::TimedEvent;
pub use recorder::Recorder;
pub use secret_fields::SecretFields;
pub use surface::Surface;
pub use world::EffectHandler;

/// The maximum number of messages in the queue of the event loop.
pub const INBOX_CAPACITY: usize = 1_024;

/// The maximum number of messages and input events that are handled before the next frame is drawn.
const MAX_PER_FRAME: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitReason {
    /// The user quit, or a signal ended the program.
    Quit,
    /// The terminal was closed or cannot be read.
    TerminalGone,
}

/// Everything that [`run`] needs, such as the terminal, the input and the effect handler.
pub struct LoopParts<S, W> {
    /// Shows the model. A resize event from `input` changes its size.
    pub front_end: Box<dyn FrontEnd>,
    /// The stream of key presses, clicks, pastes and terminal resizes.
    pub input: S,
    /// Performs the effects that `update` returns.
    pub world: W,
    /// The Tokio runtime for the tasks that perform effects. These tasks never run on the event
    /// loop's thread.
    pub workers: Handle,
    /// The messages that are handled before the first frame, such as credentials from environment
    /// variables.
    pub startup_messages: Vec<Msg>,
    /// Receives messages with the results of effects.
    pub inbox: mpsc::Receiver<Msg>,
    /// The clock. Its readings are passed to `update`.
    pub clock: Box<dyn Clock + Send>,
    /// The theme. When the theme changes, the next frame is drawn with the new theme.
    pub theme: WatchReceiver<Arc<Theme>>,
    /// The record of the last frame. It is empty at the start.
    pub frame_record: FrameRecord,
    /// Records the screens and the events.
    pub recorder: Recorder,
    pub log: Log,
}

/// The record of the last frame. `update` receives it with each message, so that the user can
/// confirm only text that was on the screen.
#[derive(Debug, Default)]
pub struct FrameRecord {
    snapshot: Arc<FrameSnapshot>,
    /// The number of the status query that was sent to the terminal after the last frame. The
    /// terminal's reply shows that the user can see that frame.
    frame_query: Option<u64>,
    /// True if a message was handled after the last frame, so the next frame may differ from it.
    is_outdated: bool,
    /// True if the last frame shows new terms to confirm, and `update` was not called after that
    /// frame.
    has_new_terms: bool,
    /// True if the next frame must wait until the terminal reports that it has shown the last one.
    is_next_delayed: bool,
}

impl FrameRecord {
    /// Records a frame that was written at `now_ms`. `frame_query` is the status query that follows
    /// the frame, if there is one.
    ///
    /// If no message was handled since the previous frame, nothing is recorded: the content is the
    /// same, and the user has already seen it.
    fn record_frame(&mut self, drawn: FrameSnapshot, frame_query: Option<u64>, now_ms: u64) {
        if self.is_outdated || self.snapshot.frame == 0 {
            let at_ms = frame_query.is_none().then_some(now_ms);
            self.has_new_terms = at_ms.is_some() && self.shows_new_terms(&drawn);
            let frame = self.snapshot.frame + 1;
            self.snapshot = Arc::new(FrameSnapshot {
                frame,
                at_ms,
                ..drawn
            });
            (self.frame_query, self.is_outdated) = (frame_query, false);
        }
    }

    fn shows_new_terms(&self, drawn: &FrameSnapshot) -> bool {
        let last = (&self.snapshot.terms, self.snapshot.visible_lines);
        drawn.terms.is_some() && (&drawn.terms, drawn.visible_lines) != last
    }

    /// True if this frame starts the delay during which the user cannot confirm yet. A frame does
    /// so if it shows new terms, or if the confirm button just received the focus.
    fn starts_confirm_delay(&self, drawn: &FrameSnapshot) -> bool {
        self.shows_new_terms(drawn) || drawn.on_button && !self.snapshot.on_button
    }

    /// True if the terminal has not yet reported that it has shown the last frame.
    fn is_unseen(&self) -> bool {
        self.snapshot.frame > 0 && self.snapshot.at_ms.is_none()
    }

    /// Records that the user can now see the last frame. The record gets a new number, so that
    /// `update` notices the change.
    fn mark_as_seen(&mut self, at_ms: u64) {
        let frame = self.snapshot.frame + 1;
        let seen = FrameSnapshot {
            frame,
            at_ms: Some(at_ms),
            ..(*self.snapshot).clone()
        };
        self.snapshot = Arc::new(seen);
    }

    /// The record of the last frame, which is passed to `update` with the next message.
    fn snapshot_for_update(&mut self) -> Arc<FrameSnapshot> {
        self.is_outdated = true;
        self.has_new_terms = false;
        self.snapshot.clone()
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
pub async fn run<S, W>(model: &mut Model, mut parts: LoopParts<S, W>) -> io::Result<ExitReason>
where
    S: Stream<Item = io::Result<TimedEvent>> + Unpin,
    W: EffectHandler,
{
    let ended = run_loop(model, &mut parts).await;
    parts.log.write(LogEvent::end(model, &ended));
    ended
}

async fn run_loop<S, W>(model: &mut Model, parts: &mut LoopParts<S, W>) -> io::Result<ExitReason>
where
    S: Stream<Item = io::Result<TimedEvent>> + Unpin,
    W: EffectHandler,
{
    if parts.recorder.is_recording() {
        parts.front_end.keep_drawn_rows(true);
    }
    let mut effects = vec![];
    for msg in std::mem::take(&mut parts.startup_messages) {
        effects.extend(parts.update(model, msg, Pace::Unknown));
    }
    parts.draw(model)?;
    // Nothing is written before the first frame, because that starts a thread.
    parts.log.write_start(model);
    parts.perform(model, effects);
    parts.handle(model, Msg::Started);
    loop {
        if model.leaving {
            return Ok(ExitReason::Quit);
        }
        // A confirm button stays disabled for a moment after its terms were drawn. If the last
        // frame shows new terms, call `update` immediately, so that this delay starts now.
        let wait = if parts.frame_record.has_new_terms {
            Duration::ZERO
        } else {
            app::next_pulse(model)
        };
        tokio::select! {
            biased;
            Some(msg) = parts.inbox.recv() => parts.handle(model, msg),
            event = parts.input.next() => match event {
                Some(Ok(event)) => parts.handle_event(model, event),
                Some(Err(_)) | None => return Ok(ExitReason::TerminalGone),
            },
            Ok(()) = parts.theme.changed() => {}
            () = parts.front_end.output().wait() => {
                if !parts.frame_record.is_next_delayed && !parts.frame_record.is_unseen() {
                    continue;
                }
            }
            () = tokio::time::sleep(wait) => parts.handle(model, Msg::Pulse),
        }
        parts.handle_waiting(model).await;
        parts.draw(model)?;
        while parts.continue_input(model) {
            parts.draw(model)?;
        }
    }
}

impl<S, W> LoopParts<S, W>
where
    S: Stream<Item = io::Result<TimedEvent>> + Unpin,
    W: EffectHandler,
{
    /// Handles all waiting messages and events, so that one frame shows the effects of all of them.
    /// Handles no event after the app has decided to leave: a key must not begin anything then.
    async fn handle_waiting(&mut self, model: &mut Model) {
        for _ in 0..MAX_PER_FRAME {
            if let Ok(msg) = self.inbox.try_recv() {
                self.handle(model, msg);
                continue;
            }
            if model.leaving {
                return;
            }
            // Poll with the waker of this task, so that the next input event wakes the event loop.
            match poll_fn(|cx| Poll::Ready(self.input.poll_next_unpin(cx))).await {
                Poll::Ready(Some(Ok(event))) => self.handle_event(model, event),
                // The input has ended. Return to the main loop, which polls the input next and then
                // stops.
                _ => return,
            }
        }
    }

    fn handle_event(&mut self, model: &mut Model, event: TimedEvent) {
        for step in self.front_end.steps(model, event) {
            self.take_step(model, step);
        }
    }

    /// Takes the steps with which the front end continues after a frame. Returns true if there was
    /// a step, so that another frame is due.
    fn continue_input(&mut self, model: &mut Model) -> bool {
        if model.leaving {
            return false;
        }
        let steps = self.front_end.next_steps(model);
        let has_steps = !steps.is_empty();
        for step in steps {
            self.take_step(model, step);
        }
        has_steps
    }

    fn take_step(&mut self, model: &mut Model, step: Step) {
        let TimedEvent { mut event, pace } = match step {
            Step::Event(event) => event,
            Step::Action(action) => {
                let input = Msg::Input(Input::Action(action));
                let effects = self.update(model, input, Pace::Deliberate);
                return self.perform(model, effects);
            }
        };
        if keyboard::is_focus_report(&event) {
            return self.handle(model, Msg::Focused(event == Event::FocusGained));
        }
        // Put text that is typed into a password or token field directly into the buffer of that
        // field. `update` gets only the length of the text.
        if let Some(slot) = router::secret_focus(model).cloned()
            && let Some(secret_fields::SecretEdit { len, is_full }) =
                self.world.secrets().apply_event(&slot, &mut event)
        {
            self.handle(
                model,
                Msg::SecretEdited {
                    slot: slot.clone(),
                    len,
                },
            );
            if is_full {
                self.handle(model, Msg::SecretFull(slot));
            }
            return;
        }
        if let Event::Resize(columns, rows) = event {
            // If the terminal cannot be cleared, drawing the next frame fails and reports the
            // error.
            let _ = self.front_end.set_size(terminal::drawn_size(columns, rows));
        }
        if let Some(input) = keyboard::to_input(event) {
            let effects = self.update(model, Msg::Input(input), pace);
            self.perform(model, effects);
        }
    }

    fn handle(&mut self, model: &mut Model, msg: Msg) {
        self.log.write_message(&msg);
        let effects = self.update(model, msg, Pace::Unknown);
        self.perform(model, effects);
    }

    fn update(&mut self, model: &mut Model, msg: Msg, pace: Pace) -> Vec<Effect> {
        let fresh_key = IdempotencyKey(uuid::Uuid::new_v4());
        let clocks = self.clock.now();
        let seen = self.frame_record.snapshot_for_update();
        let now_ms = clocks.boot_ms;
        self.recorder.message(now_ms, model, &msg);
        let effects = app::update(
            model,
            msg,
            &Stamp {
                clocks,
                fresh_key,
                last_frame: seen,
                pace,
            },
        );
        self.recorder.effects(now_ms, &effects);
        effects
    }

    fn perform(&mut self, model: &mut Model, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Redraw => self.force_redraw(model),
                Effect::Suspend => {
                    self.recorder.flush();
                    job_control::stop();
                }
                Effect::Record(command) => self.record(model, command),
                effect => {
                    self.log.write_effect(&effect);
                    let _tasks = self.workers.enter();
                    self.world.perform(effect);
                }
            }
        }
    }

    /// Performs a command to the recorder. A new file begins with the whole screen.
    fn record(&mut self, model: &Model, command: RecordCommand) {
        self.recorder.command(model, &self.clock.now(), command);
        if command == RecordCommand::Start {
            self.front_end.keep_drawn_rows(true);
        }
    }

    /// Records the last frame, after the seller has got it.
    fn record_frame(&mut self, at_ms: u64) {
        if !self.recorder.is_recording() {
            return self.front_end.keep_drawn_rows(false);
        }
        if let Some(drawn) = self.front_end.take_drawn_rows()
            && !self.recorder.frame(at_ms, drawn)
        {
            self.front_end.keep_drawn_rows(true);
        }
    }

    /// Prepares a full redraw of the screen at the terminal's current size.
    ///
    /// The size may have changed while this process was stopped and another program used the
    /// terminal.
    fn force_redraw(&mut self, model: &mut Model) {
        // If the terminal cannot be cleared, drawing the next frame fails and reports the error.
        let Ok(size) = self.front_end.reset() else {
            return;
        };
        if size != model.size {
            self.handle(model, Msg::Input(Input::Resize(size)));
        }
    }

    /// Draws a frame, unless the terminal has not yet confirmed that it has shown the last one.
    fn draw(&mut self, model: &mut Model) -> io::Result<()> {
        self.frame_record.is_next_delayed = self.front_end.output().is_waiting();
        if model.leaving || self.frame_record.is_next_delayed {
            return Ok(());
        }
        // Keep the query of the frame that first showed the terms until the terminal replies, even
        // if later frames were drawn.
        let open_query = self
            .frame_record
            .frame_query
            .filter(|query| self.front_end.output().is_pending(*query));
        if self.frame_record.is_unseen() && open_query.is_none() {
            self.frame_record.mark_as_seen(self.clock.now().boot_ms);
            // Call `update` before the next frame, so that the delay of the confirm button starts
            // now.
            self.handle(model, Msg::Pulse);
        }
        let theme = self.theme.borrow_and_update().clone();
        let snapshot = self.front_end.show(model, &theme)?;
        let starts_delay = self.frame_record.starts_confirm_delay(&snapshot);
        let new_query = self
            .front_end
            .output()
            .end_frame(starts_delay)?
            .filter(|_| starts_delay);
        // Read the clock after the last byte of the frame was written. The user cannot have seen
        // the frame before that.
        let now = self.clock.now().boot_ms;
        self.frame_record
            .record_frame(snapshot, new_query.or(open_query), now);
        self.record_frame(now);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
