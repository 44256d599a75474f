//! Records what the seller saw into a file: the screens, and beside them the keys, messages,
//! effects, requests and marks.
//!
//! The event loop hands over copies of the rows that it has drawn. A thread of its own masks and
//! writes them, so that the file never holds a name, a key or an address. What the seller sees is
//! not masked by it.

mod events;
mod mask;
mod recordings;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::buffer::{Buffer, Cell};

use super::inbox::Inbox;
use crate::app::store::recording::RecordCommand;
use crate::app::ui::input::Size;
use crate::app::{Effect, Model, Msg};
use crate::locked::Locked;
use crate::recording::Event;
use crate::trade::Clocks;
use crate::view::PicturedCells;
use crate::worker::{Job, RejectReason, WorkerHandle};
use recordings::Recordings;

pub use mask::mask_row;
pub use recordings::RecordedFile;

/// The maximum number of frames and events that wait for the thread. If there are more, the next
/// frame is recorded whole.
const QUEUE: usize = 1_024;

/// The maximum time that the end of the program waits for the recording.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// The recorder of a process. A recording goes on when the profile changes.
#[derive(Clone)]
pub struct Recorder(Arc<Shared>);

struct Shared {
    /// The thread that writes. It starts with the first recording.
    worker: WorkerHandle<Job<Recordings>>,
    link: Arc<Link>,
    /// The file that the command line names, until the first run begins.
    first_file: Locked<Option<RecordedFile>>,
}

/// The state that the event loop and the thread share.
#[derive(Default)]
struct Link {
    is_recording: AtomicBool,
    /// Gets the news. `None` before the first run.
    inbox: Locked<Option<Inbox>>,
}

impl Recorder {
    /// Creates a recorder, whose files are saved in this directory. `file` is the file that the
    /// command line names.
    pub fn new(dir: PathBuf, file: Option<RecordedFile>) -> Recorder {
        let link = Arc::new(Link::default());
        let thread_link = link.clone();
        let recordings = move || Recordings::new(dir, thread_link);
        Recorder(Arc::new(Shared {
            worker: WorkerHandle::with_owned("recorder", QUEUE, recordings),
            link,
            first_file: Locked::new(file),
        }))
    }

    /// True while a file is written.
    pub fn is_recording(&self) -> bool {
        self.0.link.is_recording.load(Ordering::Relaxed)
    }

    /// Begins a run of the app, which gets the news of the recording.
    pub fn begin_run(&self, model: &Model, inbox: Inbox) {
        *self.0.link.inbox.lock() = Some(inbox);
        let file = self.0.first_file.lock().take();
        if let Some(file) = file {
            let (header, clocks) = (events::header(model), model.now.clone());
            self.0.link.is_recording.store(true, Ordering::Relaxed);
            self.enqueue(move |recordings| recordings.start(header, &clocks, file));
        } else if self.is_recording() {
            self.enqueue(|recordings| recordings.go_on());
        }
    }

    /// Records a frame. Returns false if it was dropped, so that the next frame must be whole.
    pub fn frame(&self, at_ms: u64, drawn: DrawnRows) -> bool {
        self.enqueue(move |recordings| recordings.frame(at_ms, drawn))
    }

    /// Records a message, before it is handled.
    pub fn message(&self, at_ms: u64, model: &Model, msg: &Msg) {
        if self.is_recording() {
            self.events(at_ms, events::of_message(model, msg));
        }
    }

    /// Records the effects of a message.
    pub fn effects(&self, at_ms: u64, effects: &[Effect]) {
        if self.is_recording() {
            self.events(at_ms, effects.iter().map(events::of_effect).collect());
        }
    }

    fn events(&self, at_ms: u64, events: Vec<Event>) {
        if !events.is_empty() {
            self.enqueue(move |recordings| recordings.events(at_ms, events));
        }
    }

    /// Starts or ends the recording, or marks this moment.
    pub fn command(&self, model: &Model, clocks: &Clocks, command: RecordCommand) {
        let at_ms = clocks.boot_ms;
        match command {
            RecordCommand::Start => {
                let (header, clocks) = (events::header(model), clocks.clone());
                self.0.link.is_recording.store(true, Ordering::Relaxed);
                self.enqueue(move |recordings| recordings.start_new(header, &clocks));
            }
            RecordCommand::Stop => {
                self.enqueue(Recordings::stop);
            }
            RecordCommand::Mark => {
                self.events(at_ms, vec![Event::Mark]);
                self.flush();
            }
        }
    }

    /// Writes what is recorded to the file, before the process stops.
    pub fn flush(&self) {
        if self.is_recording() {
            self.enqueue(Recordings::flush);
        }
    }

    /// Adds a job to the queue. Returns false if there is no room. Without the thread, nothing is
    /// recorded any more.
    fn enqueue(&self, job: impl FnOnce(&mut Recordings) + Send + 'static) -> bool {
        let Err(rejected) = self.0.worker.enqueue(Box::new(job)) else {
            return true;
        };
        if !matches!(rejected.reason, RejectReason::Full) {
            self.0.link.is_recording.store(false, Ordering::Relaxed);
        }
        false
    }
}

impl Drop for Shared {
    /// Ends the recording. Waits a moment for the last bytes of the file.
    fn drop(&mut self) {
        if self.link.is_recording.load(Ordering::Relaxed) {
            let _ = self.worker.enqueue(Box::new(Recordings::flush));
        }
        if let Some(thread) = self.worker.close_queue() {
            thread.wait_at_most(CLOSE_LIMIT);
        }
    }
}

/// The rows of a frame that differ from the frame before, without the QR codes in them.
#[derive(Debug, Clone, Default)]
pub struct DrawnRows {
    pub size: Size,
    pub rows: Vec<Buffer>,
}

impl DrawnRows {
    /// Adds the changed rows of a frame.
    pub fn add(&mut self, size: Size, rows: &[Buffer], pictures: &[PicturedCells]) {
        self.size = size;
        for row in rows {
            let mut row = row.clone();
            let y = row.area.y;
            for picture in pictures.iter().filter(|picture| picture.row == y) {
                for x in picture.columns.clone() {
                    if let Some(cell) = row.cell_mut((x, y)) {
                        *cell = Cell::EMPTY;
                    }
                }
            }
            self.rows.push(row);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
