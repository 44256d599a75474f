//! The runtime: the one place that acts on the world.
//!
//! [`run`] is the loop. It waits for whichever comes first, a message, a key or the model's next
//! deadline; gives it to `update`; performs the effects; and draws once. It is generic over the
//! terminal, the input and the world: production, tests and the demo run the same function.

mod chosen_domain;
pub mod chosen_vault;
pub mod clipboard;
pub mod clocks;
pub mod display_environment;
pub mod doctor;
pub mod environment_secrets;
pub mod first_run;
pub mod hardening;
pub mod history;
mod inbox;
pub mod job_control;
pub mod journal_location;
pub mod keyboard;
pub mod keys;
pub mod marker;
pub mod money;
mod newest;
mod receipt_files;
pub mod sandbox_secret;

mod secret_fields;
pub mod signals;
mod surface;
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

use crate::app::store::seen::Seen;
use crate::app::ui::input::{Input, Pace};
use crate::app::{self, Effect, Model, Msg, Size, Stamp, router};
use crate::cashier::Clock;
use crate::trade::IdempotencyKey;
use crate::view::Theme;

pub use inbox::Inbox;
pub use keys::Arrived;
pub use secret_fields::SecretFields;
pub use surface::Surface;
pub use world::EffectHandler;

/// The messages that may wait for the loop.
pub const INBOX: usize = 1_024;

/// The most messages that are handled before the next frame is drawn.
const AT_ONCE: usize = 256;

/// The reason for which the loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The person (or a signal) left.
    Left,
    /// The terminal is gone.
    TerminalGone,
}

/// Everything the loop needs.
pub struct LoopParts<B: Backend, S, W> {
    /// The terminal to draw on; an event of the input reports a change of its size.
    pub surface: Surface<B>,
    /// The person's keys, clicks and pastes.
    pub input: S,
    /// The handler of effects.
    pub world: W,
    /// The runtime of its tasks: none of them runs on the loop's own thread.
    pub workers: Handle,
    /// The first message, for what is known before any effect is performed.
    pub known: Option<Msg>,
    /// The world's answers.
    pub inbox: mpsc::Receiver<Msg>,
    /// The reader of the clocks.
    pub clock: Box<dyn Clock + Send>,
    /// The colours and attributes; another theme is drawn with at once.
    pub theme: Newest<Arc<Theme>>,
    /// The last frame's content; nothing at first.
    pub drawn: Drawing,
}

/// The content of the last frame, for the messages that come after it.
#[derive(Debug, Default)]
pub struct Drawing {
    seen: Arc<Seen>,
    /// Set once a message came since: the next frame may show something new.
    heard: bool,
    /// Set while it shows something new to agree to, of which no message carries word yet.
    is_news: bool,
}

impl Drawing {
    /// Notes the content of a frame that was written to its end.
    ///
    /// Of frames that show the same the first counts: a mouse that moves begins nothing anew.
    fn note(&mut self, seen: Seen, at_ms: u64) {
        if self.heard || self.seen.frame == 0 {
            let last = (&self.seen.terms, self.seen.shown);
            self.is_news = seen.terms.is_some() && (&seen.terms, seen.shown) != last;
            let frame = self.seen.frame + 1;
            self.seen = Arc::new(Seen { frame, at_ms, ..seen });
            self.heard = false;
        }
    }

    /// Returns the content for a message that is handled now.
    fn for_message(&mut self) -> Arc<Seen> {
        self.heard = true;
        self.is_news = false;
        self.seen.clone()
    }
}

/// Runs the app until it is left.
///
/// The first frame comes before the keyring, the journal or the network are used; what is known
/// without them is in it already.
pub async fn run<B, S, W>(model: &mut Model, mut parts: LoopParts<B, S, W>) -> io::Result<Ended>
where
    B: Backend<Error: std::error::Error + Send + Sync + 'static>,
    S: Stream<Item = io::Result<Arrived>> + Unpin,
    W: EffectHandler,
{
    let known = parts.known.take();
    let wanted = known.map(|known| parts.update(model, known, Pace::Unknown)).unwrap_or_default();
    parts.draw(model)?;
    parts.perform(model, wanted);
    parts.hear(model, Msg::Started);
    loop {
        if model.leaving {
            return Ok(Ended::Left);
        }
        // A button wakes up some time after it was seen: `update` hears at once that it was.
        let pulse = if parts.drawn.is_news { Duration::ZERO } else { app::next_pulse(model) };
        tokio::select! {
            biased;
            Some(msg) = parts.inbox.recv() => parts.hear(model, msg),
            event = parts.input.next() => match event {
                Some(Ok(arrived)) => parts.hear_event(model, arrived),
                Some(Err(_)) | None => return Ok(Ended::TerminalGone),
            },
            Ok(()) = parts.theme.changed() => {}
            () = tokio::time::sleep(pulse) => parts.hear(model, Msg::Pulse),
        }
        parts.drain(model).await;
        parts.draw(model)?;
    }
}

impl<B, S, W> LoopParts<B, S, W>
where
    B: Backend<Error: std::error::Error + Send + Sync + 'static>,
    S: Stream<Item = io::Result<Arrived>> + Unpin,
    W: EffectHandler,
{
    /// Handles the messages and events that have come meanwhile: many of them cost one frame.
    async fn drain(&mut self, model: &mut Model) {
        for _ in 0..AT_ONCE {
            if let Ok(msg) = self.inbox.try_recv() {
                self.hear(model, msg);
                continue;
            }
            // Polled with this task's own waker: the next event wakes it.
            match poll_fn(|cx| Poll::Ready(self.input.poll_next_unpin(cx))).await {
                Poll::Ready(Some(Ok(arrived))) => self.hear_event(model, arrived),
                // The end of the input is seen again by the loop.
                _ => return,
            }
            if model.leaving {
                return;
            }
        }
    }

    fn hear_event(&mut self, model: &mut Model, Arrived { mut event, pace }: Arrived) {
        // A secret goes where it is kept, and only its length goes on.
        if let Some(slot) = router::secret_focus(model).cloned()
            && let Some(secret_fields::SecretEdit { len, is_full }) =
                self.world.secrets().type_event(&slot, &mut event)
        {
            self.hear(model, Msg::SecretEdited { slot: slot.clone(), len });
            if is_full {
                self.hear(model, Msg::SecretFull(slot));
            }
            return;
        }
        if let Event::Resize(columns, rows) = event {
            // A terminal that cannot be cleared cannot be drawn on either: the frame is the error.
            let _ = self.surface.fit(Size { columns, rows });
        }
        if let Some(input) = keyboard::read(event) {
            let wanted = self.update(model, Msg::Input(input), pace);
            self.perform(model, wanted);
        }
    }

    fn hear(&mut self, model: &mut Model, msg: Msg) {
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

    /// Has the next frame drawn whole, in the size that the terminal has now.
    ///
    /// It may have changed while the process was stopped and another program had the terminal.
    fn redraw(&mut self, model: &mut Model) {
        // A terminal that cannot be cleared cannot be drawn on either: the frame is the error.
        let Ok(size) = self.surface.forget() else { return };
        if size != model.size {
            self.hear(model, Msg::Input(Input::Resize(size)));
        }
    }

    fn draw(&mut self, model: &Model) -> io::Result<()> {
        if model.leaving {
            return Ok(());
        }
        let theme = self.theme.borrow_and_update().clone();
        let seen = self.surface.show(model, &theme).map_err(io::Error::other)?;
        // Read when the last byte was written: what is seen is never seen sooner than that.
        self.drawn.note(seen, self.clock.now().boot_ms);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
