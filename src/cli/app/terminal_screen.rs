//! The terminal, taken over once for all runs of the app: one reader of keys, one of signals.

use std::future::poll_fn;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use futures_util::{Stream, StreamExt};
use ratatui::backend::{Backend, CrosstermBackend};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, watch};
use tokio::task::yield_now;

use crate::app::Msg;
use crate::app::ui::input::Size;
use crate::runtime::keys::BackgroundQuestion;
use crate::runtime::signals::{self, GracePeriods, ShutdownCause};
use crate::runtime::terminal::{self, Canvas, TerminalGuard, Tty};
use crate::runtime::world::{OpenStores, Writer};
use crate::runtime::{Arrived, Surface, job_control, keys};
use crate::view::{Ground, Theme};

/// The surface of a run.
pub type RunSurface = Surface<CrosstermBackend<BufWriter<Canvas<Tty>>>>;

/// The person's keys, clicks and pastes.
type Hands = Box<dyn Stream<Item = io::Result<Arrived>> + Unpin>;

/// The terminal, taken over.
pub struct TerminalScreen {
    guard: TerminalGuard<Tty>,
    /// The runtime of the thread that draws.
    own: Arc<Runtime>,
    /// The events of the one reader; a run borrows them.
    pub input: Hands,
    /// The colours, which the terminal's background may decide later.
    pub theme: watch::Receiver<Arc<Theme>>,
    current: CurrentRun,
    /// True once a run has drawn on it.
    is_used: bool,
}

impl TerminalScreen {
    /// Takes it over. Where the background decides the theme, it is asked for it once.
    pub fn take(mouse: bool, theme: Theme, follows_background: bool) -> io::Result<TerminalScreen> {
        let guard = TerminalGuard::enter(terminal::stdout()?, mouse)?;
        guard.hook_panics();
        let (colours, theme) = watch::channel(Arc::new(theme));
        let question = match follows_background {
            true => Some(background_question(writer(&guard)?, colours)),
            false => None,
        };
        let own = Arc::new(Builder::new_current_thread().enable_all().build()?);
        Ok(TerminalScreen {
            own,
            input: Box::new(keys::events(question)),
            guard,
            theme,
            current: CurrentRun::default(),
            is_used: false,
        })
    }

    /// The runtime of the thread that draws and reads keys. No task is spawned in it: a key finds
    /// this thread free.
    pub fn runtime(&self) -> Arc<Runtime> {
        self.own.clone()
    }

    /// A surface with nothing on it for the next run, and its size.
    pub fn surface(&mut self) -> io::Result<(RunSurface, Size)> {
        // A frame in one write: a slow line never shows half of one.
        let out = BufWriter::with_capacity(64 * 1024, self.guard.canvas(terminal::stdout()?));
        let backend = CrosstermBackend::new(out);
        let size = backend.size()?;
        let size = Size { columns: size.width, rows: size.height };
        let mut surface = Surface::new(backend, size);
        // The frames of the run before are still there.
        let size = if self.is_used { surface.forget()? } else { size };
        self.is_used = true;
        Ok((surface, size))
    }

    /// A function that writes past the screen, for requests that only the terminal can serve.
    pub fn writer(&self) -> io::Result<Writer> {
        writer(&self.guard)
    }

    /// Has signals told to this run from now on, and with the first one begins to hear them.
    ///
    /// A run without stores sends no money.
    pub fn watch(&self, inbox: mpsc::Sender<Msg>, stores: Option<&OpenStores>) -> io::Result<()> {
        if self.current.begin(inbox, stores.cloned()) {
            return Ok(());
        }
        let (told, busy) = (self.current.clone(), self.current.clone());
        let on = self.current.clone();
        let [suspended, resumed, restorer] = [(); 3].map(|()| self.guard.restorer());
        let restore = move || {
            let _ = restorer.restore();
        };
        let tell = move |cause| told.shut_down(cause);
        signals::watch(GracePeriods::default(), move || busy.is_busy(), tell, restore)?;
        let stops = move || {
            let _ = suspended.suspend();
        };
        let goes_on = move || {
            if let Some(inbox) = on.going_on() {
                job_control::resume(&resumed, &inbox);
            }
        };
        job_control::watch(stops, goes_on)
    }

    /// Drops what was typed for the run before; false when the terminal is gone.
    ///
    /// No key goes from one profile to another, but what is read after the next frame.
    pub async fn drop_typed_ahead(&mut self) -> bool {
        // What was typed meanwhile is heard of when this thread waits the next time.
        yield_now().await;
        drop_events(&mut self.input).await
    }

    /// Gives the terminal back.
    pub fn give_back(&self) {
        let _ = self.guard.restorer().restore();
    }
}

/// Drops what has come by now; false when nothing can come any more.
async fn drop_events(input: &mut Hands) -> bool {
    loop {
        match poll_fn(|cx| Poll::Ready(input.poll_next_unpin(cx))).await {
            Poll::Ready(Some(Ok(_))) => {}
            Poll::Ready(Some(Err(_)) | None) => return false,
            Poll::Pending => return true,
        }
    }
}

fn writer(guard: &TerminalGuard<Tty>) -> io::Result<Writer> {
    let tty = Mutex::new(guard.canvas(terminal::stdout()?));
    Ok(Box::new(move |bytes| {
        if let Ok(mut tty) = tty.lock() {
            // A terminal that is gone is noticed by the loop.
            let _ = tty.write_all(bytes).and_then(|()| tty.flush());
        }
    }))
}

/// The question about the background: the theme changes once to the one for it, or stays.
fn background_question(ask: Writer, colours: watch::Sender<Arc<Theme>>) -> BackgroundQuestion {
    let hear = move |colour| {
        if let Some(ground) = Ground::of(colour) {
            // Once the loop has ended nobody draws.
            let _ = colours.send(Arc::new(ground.theme()));
        }
    };
    BackgroundQuestion { ask, hear: Box::new(hear) }
}

/// The run that hears of signals; between two runs they are kept for the next.
#[derive(Clone, Default)]
struct CurrentRun(Arc<Mutex<HeardSignals>>);

#[derive(Default)]
struct HeardSignals {
    run: Option<(mpsc::Sender<Msg>, Option<OpenStores>)>,
    /// Set once the process was asked to end; true when the terminal is gone.
    ends: Option<bool>,
    /// Set when the process went on after a stop, until the next run begins.
    went_on: bool,
}

impl CurrentRun {
    /// Begins a run; returns true if there was one before. What that may have missed is told again.
    fn begin(&self, inbox: mpsc::Sender<Msg>, stores: Option<OpenStores>) -> bool {
        let mut told = self.lock();
        let ends = told.ends.map(Msg::Terminate);
        let went_on = std::mem::take(&mut told.went_on).then_some(Msg::Continued);
        for msg in ends.into_iter().chain(went_on) {
            // The inbox of a run that begins is empty.
            let _ = inbox.try_send(msg);
        }
        told.run.replace((inbox, stores)).is_some()
    }

    /// Tells the run that the process is to end.
    fn shut_down(&self, cause: ShutdownCause) {
        let mut told = self.lock();
        let hung_up = cause == ShutdownCause::HungUp;
        told.ends = Some(hung_up || told.ends == Some(true));
        let Some((inbox, stores)) = &told.run else { return };
        if let (false, Some(stores)) = (hung_up, stores) {
            // Where the screen was left already, a further signal is a wish not to wait.
            stores.now().money.give_up();
        }
        // A full inbox is read soon; if not, the end of the grace period ends the process.
        let _ = inbox.try_send(Msg::Terminate(hung_up));
    }

    /// Returns true while money is in flight.
    fn is_busy(&self) -> bool {
        let stores = self.lock().run.as_ref().and_then(|(_, stores)| stores.clone());
        stores.is_some_and(|stores| stores.now().money.is_busy())
    }

    /// Notes that the process goes on after a stop; returns the inbox of the run.
    fn going_on(&self) -> Option<mpsc::Sender<Msg>> {
        let mut told = self.lock();
        told.went_on = true;
        told.run.as_ref().map(|(inbox, _)| inbox.clone())
    }

    fn lock(&self) -> MutexGuard<'_, HeardSignals> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{Event, KeyCode};
    use futures_util::FutureExt;
    use futures_util::stream::{iter, pending};

    use super::*;
    use crate::app::ui::input::Pace;

    fn keys(text: &str) -> Vec<io::Result<Arrived>> {
        let pace = Pace::Deliberate;
        let key = |c| Ok(Arrived { event: Event::Key(KeyCode::Char(c).into()), pace });
        text.chars().map(key).collect()
    }

    #[tokio::test]
    async fn typed_keys_dropped_before_next_run() {
        let mut input: Hands = Box::new(iter(keys("senha")).chain(pending()));
        assert!(drop_events(&mut input).await);
        assert!(input.next().now_or_never().is_none(), "nothing is left");
        // A terminal that is gone has no next run.
        let mut input: Hands = Box::new(iter(keys("senha")));
        assert!(!drop_events(&mut input).await);
    }
}
