//! The terminal, which the program takes over once and keeps for all runs of the app. A run ends
//! when the user switches to another profile, or when a demo starts over. All runs share one reader
//! of input and one reader of signals.

mod kiosk_watch;

use std::future::poll_fn;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use ratatui::backend::{Backend, CrosstermBackend};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, watch};
use tokio::task::yield_now;

use self::kiosk_watch::KioskFarewell;
use crate::accessible::PAGE_SIZE;
use crate::app::store::setup::Setup;
use crate::app::ui::input::Size;
use crate::app::{KioskEnd, Msg};
use crate::cli::Presentation;
use crate::cli::complaint::Complaint;
use crate::config::environment;
use crate::locked::Locked;
use crate::runtime::display_environment::DisplayEnvironment;
use crate::runtime::frame_output::FrameOutput;
use crate::runtime::keys::{OnReply, Reply};
use crate::runtime::line_terminal::{LineFrontEnd, LineTerminal};
use crate::runtime::log::Log;
use crate::runtime::recorder::Recorder;
use crate::runtime::signals::{self, GracePeriods, ShutdownCause};
use crate::runtime::terminal::{self, Device, NotATerminal, TerminalGuard, Tty};
use crate::runtime::world::{ClosingDatabases, Stores, TerminalWriter};
use crate::runtime::{FrontEnd, Surface, TimedEvent, job_control, keys};
use crate::view::{Background, Theme};

/// The maximum time to wait for a late reply of the terminal before the program ends.
const LATE_REPLY_TIMEOUT: Duration = Duration::from_secs(2);

/// A stream of key presses, mouse events and pastes.
type InputStream = Box<dyn Stream<Item = io::Result<TimedEvent>> + Unpin>;

/// The terminal, while the app has taken it over.
pub struct TerminalScreen {
    guard: TerminalGuard<ScreenDevice>,
    /// The terminal of accessible mode; `None` on a full screen.
    lines: Option<LineTerminal>,
    /// The terminal output to which frames are written, shared by all runs of the app.
    output: FrameOutput,
    /// The Tokio runtime of the thread that draws and reads input.
    ui_runtime: Arc<Runtime>,
    pub input: InputStream,
    /// The current theme. It may change when the terminal reports its background colour.
    pub theme: watch::Receiver<Arc<Theme>>,
    /// Sets the current theme.
    pub themes: watch::Sender<Arc<Theme>>,
    /// The theme named "auto". This is the default theme until the terminal reports its background
    /// colour, and then a theme that fits this colour, if there is one.
    pub automatic: watch::Sender<Arc<Theme>>,
    /// The names of the themes that the user can choose.
    pub theme_names: Vec<String>,
    current: CurrentRun,
    /// Writes the log entry of a kiosk (a public demo) and removes its directory; `None` outside a
    /// kiosk.
    kiosk: Option<KioskFarewell>,
    /// True if a run of the app has already drawn on this terminal.
    has_drawn: bool,
    /// Records what is drawn, also across runs.
    pub recorder: Recorder,
}

/// The terminal as a device: the full screen, or the stream of lines.
enum ScreenDevice {
    Full(Tty),
    Lines(LineTerminal),
}

impl Device for ScreenDevice {
    fn set_raw(&mut self, raw: bool) -> io::Result<()> {
        match self {
            ScreenDevice::Full(tty) => tty.set_raw(raw),
            ScreenDevice::Lines(lines) => lines.take_over(raw),
        }
    }
}

impl Write for ScreenDevice {
    /// Writes the bytes. A stream of lines drops them, because they are escape sequences.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            ScreenDevice::Full(tty) => tty.write(bytes),
            ScreenDevice::Lines(_) => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            ScreenDevice::Full(tty) => tty.flush(),
            ScreenDevice::Lines(_) => Ok(()),
        }
    }
}

impl TerminalScreen {
    /// Takes over the terminal for a full screen, or for a stream of lines.
    pub fn take_over(
        mouse: bool,
        presentation: Presentation,
        recorder: Recorder,
        log: &Log,
    ) -> io::Result<TerminalScreen> {
        let screen = if presentation.look.accessible {
            TerminalScreen::begin_lines(presentation, recorder)
        } else {
            TerminalScreen::take_full_screen(mouse, presentation, recorder)
        }?;
        screen.guard.install_panic_hook(log.clone());
        Ok(screen)
    }

    /// Begins a stream of lines. The terminal keeps its modes, and gets no escape sequence.
    fn begin_lines(presentation: Presentation, recorder: Recorder) -> io::Result<TerminalScreen> {
        let lines = LineTerminal::default();
        let guard = TerminalGuard::enter(ScreenDevice::Lines(lines.clone()), false)?;
        let (themes, theme) = watch::channel(Arc::new(presentation.theme));
        let (automatic, _) = watch::channel(Arc::default());
        Ok(TerminalScreen {
            ui_runtime: Arc::new(Builder::new_current_thread().enable_all().build()?),
            input: Box::new(lines.lines()?),
            lines: Some(lines),
            guard,
            output: FrameOutput::default(),
            theme,
            themes,
            automatic,
            theme_names: presentation.themes,
            current: CurrentRun::default(),
            kiosk: None,
            has_drawn: false,
            recorder,
        })
    }

    /// Takes over the terminal. Asks a terminal with colours once for its background colour.
    fn take_full_screen(
        mouse: bool,
        presentation: Presentation,
        recorder: Recorder,
    ) -> io::Result<TerminalScreen> {
        let Presentation {
            theme,
            themes: theme_names,
            follows_background,
            asks_background,
            ..
        } = presentation;
        let guard = TerminalGuard::enter(ScreenDevice::Full(terminal::stdout()?), mouse)?;
        let (themes, theme) = watch::channel(Arc::new(theme));
        let (automatic, _) = watch::channel(Arc::default());
        if follows_background {
            automatic.send_replace(theme.borrow().clone());
        }
        // The reply also shows whether a theme could hide terms and, without colours, which parts
        // of a QR code are white.
        let query = if asks_background {
            keys::BACKGROUND_QUERY
        } else {
            b""
        };
        let output = FrameOutput::new(guard.frame_writer(terminal::stdout()?), query);
        let followers = asks_background.then(|| [automatic.clone(), themes.clone()]);
        let ui_runtime = Arc::new(Builder::new_current_thread().enable_all().build()?);
        Ok(TerminalScreen {
            ui_runtime,
            input: Box::new(keys::events(on_reply(output.clone(), followers))),
            guard,
            lines: None,
            output,
            theme,
            themes,
            automatic,
            theme_names,
            current: CurrentRun::default(),
            kiosk: None,
            has_drawn: false,
            recorder,
        })
    }

    /// The runtime of the thread that draws and reads input. Do not spawn tasks in it, so that the
    /// thread is free when a key press arrives.
    pub fn runtime(&self) -> Arc<Runtime> {
        self.ui_runtime.clone()
    }

    /// The environment of the terminal. It says whether the terminal shows a stream of lines.
    pub fn display(&self) -> DisplayEnvironment {
        DisplayEnvironment {
            lines: self.lines.is_some(),
            ..DisplayEnvironment::from_variables(environment::text)
        }
    }

    /// The front end for the next run of the app, and the size of its frames.
    pub fn front_end(&mut self) -> io::Result<(Box<dyn FrontEnd>, Size)> {
        if let Some(lines) = &self.lines {
            let out = self.guard.frame_writer(terminal::stdout()?);
            return Ok((Box::new(LineFrontEnd::new(out, lines.clone())), PAGE_SIZE));
        }
        let (surface, size) = self.surface()?;
        Ok((Box::new(surface), size))
    }

    /// The full screen for the next run, and the size of its frames.
    pub fn surface(&mut self) -> io::Result<(Surface<CrosstermBackend<FrameOutput>>, Size)> {
        let backend = CrosstermBackend::new(self.output.clone());
        let size = backend.size()?;
        let size = terminal::drawn_size(size.width, size.height);
        let mut surface = Surface::with_output(self.output.clone(), backend, size);
        // The last frame of a previous run is still visible, so clear it.
        let size = if self.has_drawn {
            surface.reset()?
        } else {
            size
        };
        self.has_drawn = true;
        Ok((surface, size))
    }

    /// Sets the title of the terminal's window for a run of the app, and returns its front end
    /// and size. With `--redact`, the shop's name stays off the list of windows.
    pub fn begin_run(&mut self, setup: &Setup) -> io::Result<(Box<dyn FrontEnd>, Size)> {
        if setup.links_addresses && !setup.masks {
            let title = format!("{} - {}", setup.title, setup.profile);
            self.guard.set_title(&title)?;
        }
        self.front_end()
    }

    /// A function that writes bytes, such as an escape sequence, to the terminal without changing
    /// the screen. A stream of lines takes no such bytes.
    pub fn writer(&self) -> io::Result<TerminalWriter> {
        if self.lines.is_some() {
            return Ok(Box::new(|_| ()));
        }
        writer(&self.guard)
    }

    /// Sends messages about signals to this run of the app from now on. The first call also starts
    /// the threads that wait for signals.
    ///
    /// `stores` is `None` if this run cannot send withdrawals.
    pub fn watch(&self, inbox: mpsc::Sender<Msg>, stores: Option<&Stores>) -> io::Result<()> {
        if self.current.begin(inbox, stores.cloned()) {
            return Ok(());
        }
        let ending_run = self.current.clone();
        let busy_run = self.current.clone();
        let resumed_run = self.current.clone();
        let last_run = self.current.clone();
        let [suspend_restorer, resume_restorer, restorer] = [(); 3].map(|()| self.guard.restorer());
        let kiosk = self.kiosk.clone();
        signals::watch(
            GracePeriods::default(),
            move || busy_run.is_busy(),
            move |cause| ending_run.shut_down(cause),
            move || {
                // Begin to close the databases first, because a stopped terminal blocks this
                // thread.
                let closing = last_run.begin_closing();
                if let Some(kiosk) = kiosk {
                    kiosk.log_and_clean_up();
                }
                let _ = restorer.restore();
                closing.into_iter().for_each(ClosingDatabases::wait);
            },
        )?;
        job_control::watch(
            move || {
                let _ = suspend_restorer.suspend();
            },
            move || {
                if let Some(inbox) = resumed_run.record_continued() {
                    job_control::resume(&resume_restorer, &inbox);
                }
            },
        )
    }

    /// Discards input that was typed during the previous run of the app. Returns false if the
    /// terminal is gone.
    ///
    /// A key press that was meant for one profile must not act on the next profile.
    pub async fn discard_typed_input(&mut self) -> bool {
        // Yield once to the runtime, so that bytes that have already arrived become readable.
        yield_now().await;
        discard_events(&mut self.input).await
    }

    /// Restores the terminal. First waits briefly for a late reply of the terminal, because the
    /// shell would read the reply as typed text. Input that arrives during this wait is discarded.
    pub async fn restore_terminal(&mut self, hung_up: bool) {
        while !hung_up
            && (self.output.is_waiting() || self.output.is_last_pending(LATE_REPLY_TIMEOUT))
        {
            tokio::select! {
                () = tokio::time::sleep(LATE_REPLY_TIMEOUT) => {}
                event = self.input.next() => if !matches!(event, Some(Ok(_))) { break },
                () = self.output.wait() => {}
            }
        }
        let _ = self.guard.restorer().restore();
    }
}

/// Discards all input events that have already arrived. Returns false if the input stream has
/// ended.
async fn discard_events(input: &mut InputStream) -> bool {
    loop {
        match poll_fn(|cx| Poll::Ready(input.poll_next_unpin(cx))).await {
            Poll::Ready(Some(Ok(_))) => {}
            Poll::Ready(Some(Err(_)) | None) => return false,
            Poll::Pending => return true,
        }
    }
}

fn writer(guard: &TerminalGuard<ScreenDevice>) -> io::Result<TerminalWriter> {
    let tty = Mutex::new(guard.frame_writer(terminal::stdout()?));
    Ok(Box::new(move |bytes| {
        if let Ok(mut tty) = tty.lock() {
            // Ignore errors: if the terminal is gone, the event loop notices it.
            let _ = tty.write_all(bytes).and_then(|()| tty.flush());
        }
    }))
}

/// The function that handles the terminal's replies to queries. `followers` are the themes that
/// follow the terminal's background colour.
fn on_reply(output: FrameOutput, followers: Option<[watch::Sender<Arc<Theme>>; 2]>) -> OnReply {
    let mut followers = followers;
    Box::new(move |reply| match reply {
        Reply::Status => output.on_reply(),
        Reply::Synchronized => {
            output.synchronize();
            false
        }
        // Only the first reply about the background is used.
        Reply::Background(colour) => {
            if let Some(followers) = followers.take() {
                apply_background(colour, &followers);
            }
            false
        }
    })
}

/// Selects the automatic theme that fits this background colour. If the app currently uses the
/// automatic theme, the app changes to the new one. Any other theme stays, but from now on its
/// contrast with the background is known.
fn apply_background(colour: [u8; 3], [automatic, current]: &[watch::Sender<Arc<Theme>>; 2]) {
    let previous = automatic.borrow().clone();
    let fitting = Background::of(colour).map(Background::theme);
    let fitting = fitting.as_ref().unwrap_or(&previous).on(Some(colour));
    let fitting = Arc::new(fitting);
    automatic.send_replace(fitting.clone());
    current.send_modify(|current| {
        let is_automatic = Arc::ptr_eq(current, &previous);
        *current = if is_automatic {
            fitting
        } else {
            Arc::new(current.on(Some(colour)))
        };
    });
}

/// The run of the app that receives messages about signals. Between two runs, signals are kept for
/// the next run.
#[derive(Clone, Default)]
struct CurrentRun(Arc<Locked<PendingSignals>>);

#[derive(Default)]
struct PendingSignals {
    run: Option<(mpsc::Sender<Msg>, Option<Stores>)>,
    /// `Some` if a signal requested the end of the process. The value is true if the terminal is
    /// gone.
    end_requested: Option<bool>,
    /// The limit, such as idle time, that ended a kiosk (a public demo).
    kiosk_end: Option<KioskEnd>,
    /// True if the process was continued after a stop (Ctrl-Z) and no new run has begun since.
    was_continued: bool,
}

impl CurrentRun {
    /// Sends messages about signals to this new run from now on, beginning with signals that
    /// arrived earlier. Returns true if there was an earlier run.
    fn begin(&self, inbox: mpsc::Sender<Msg>, stores: Option<Stores>) -> bool {
        let mut pending = self.0.lock();
        let end = pending.end_requested.map(Msg::Terminate);
        let continued = std::mem::take(&mut pending.was_continued).then_some(Msg::Continued);
        let kiosk_end = pending.kiosk_end.map(Msg::KioskEnds);
        for msg in end.into_iter().chain(kiosk_end).chain(continued) {
            // The inbox of a new run is empty, so this does not fail.
            let _ = inbox.try_send(msg);
        }
        pending.run.replace((inbox, stores)).is_some()
    }

    /// Records that the process must end, and asks the current run of the app to quit.
    fn shut_down(&self, cause: ShutdownCause) {
        let mut pending = self.0.lock();
        let hung_up = cause == ShutdownCause::HungUp;
        pending.end_requested = Some(hung_up || pending.end_requested == Some(true));
        let Some((inbox, stores)) = &pending.run else {
            return;
        };
        if !hung_up && let Some(stores) = stores {
            // If the screen has already closed, this signal ends the wait for a withdrawal that is
            // still being sent.
            stores.money.stop_waiting();
        }
        // Ignore a full inbox: if the app does not end by itself, the process is ended after a
        // grace period.
        let _ = inbox.try_send(Msg::Terminate(hung_up));
    }

    /// Begins to close the databases of the current run.
    fn begin_closing(&self) -> Option<ClosingDatabases> {
        let stores = self
            .0
            .lock()
            .run
            .as_ref()
            .and_then(|(_, stores)| stores.clone());
        Some(stores?.begin_closing())
    }

    /// True while a withdrawal attempt is in flight.
    fn is_busy(&self) -> bool {
        let stores = self
            .0
            .lock()
            .run
            .as_ref()
            .and_then(|(_, stores)| stores.clone());
        stores.is_some_and(|stores| stores.money.is_busy())
    }

    /// Records that the process was continued after a stop (Ctrl-Z). Returns the inbox of the
    /// current run.
    fn record_continued(&self) -> Option<mpsc::Sender<Msg>> {
        let mut pending = self.0.lock();
        pending.was_continued = true;
        pending.run.as_ref().map(|(inbox, _)| inbox.clone())
    }
}

/// Checks that this terminal can show the app. A stream of lines needs no more than a line printer.
pub fn check_terminal(accessible: bool) -> Result<(), Complaint> {
    let checked = match terminal::check() {
        Err(NotATerminal::Dumb) if accessible => Ok(()),
        checked => checked,
    };
    checked.map_err(|error| {
        let id = match error {
            NotATerminal::Dumb => "complaint-dumb-terminal",
            _ if environment::is_kiosk() => "complaint-kiosk-no-terminal",
            NotATerminal::Input => "complaint-no-input",
            NotATerminal::Output => "complaint-no-output",
        };
        Complaint::about(id, [])
    })
}

#[cfg(test)]
mod tests {
    use crossterm::event::{Event, KeyCode};
    use futures_util::FutureExt;
    use futures_util::stream::{iter, pending};

    use super::*;
    use crate::app::ui::input::Pace;

    fn keys(text: &str) -> Vec<io::Result<TimedEvent>> {
        let pace = Pace::Deliberate;
        let key = |c| {
            Ok(TimedEvent {
                event: Event::Key(KeyCode::Char(c).into()),
                pace,
            })
        };
        text.chars().map(key).collect()
    }

    #[test]
    fn limit_between_two_runs_ends_the_next() {
        let run = CurrentRun::default();
        run.0.lock().kiosk_end = Some(KioskEnd::Time);
        let (sender, mut inbox) = mpsc::channel(1);
        run.begin(sender, None);
        assert!(matches!(
            inbox.try_recv(),
            Ok(Msg::KioskEnds(KioskEnd::Time))
        ));
    }

    #[tokio::test]
    async fn typed_keys_dropped_before_next_run() {
        let mut input: InputStream = Box::new(iter(keys("senha")).chain(pending()));
        assert!(discard_events(&mut input).await);
        assert!(input.next().now_or_never().is_none(), "nothing is left");
        // The input stream has ended, so the terminal is gone and no further run can begin.
        let mut input: InputStream = Box::new(iter(keys("senha")));
        assert!(!discard_events(&mut input).await);
    }
}
