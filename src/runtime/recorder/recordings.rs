//! The recording of a process into a file.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{DrawnRows, Link, mask_row};
use crate::app::Msg;
use crate::app::store::recording::RecordingNews;
use crate::recording::{Ended, Event, FileRecording, Header, Row, Size, rows_of};
use crate::trade::{Clocks, Untrusted};

/// The maximum number of files that begin in the same minute.
const MAX_COPIES: u32 = 99;

/// A new file for a recording, which only this user can read.
pub struct RecordedFile {
    file: File,
    path: PathBuf,
}

impl RecordedFile {
    /// Creates the file. Fails if the path exists, even as a broken link.
    pub fn create(path: &Path) -> io::Result<RecordedFile> {
        let path = std::path::absolute(path)?;
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        Ok(RecordedFile { file, path })
    }

    /// Creates a file in a directory, and adds a number to its name if the name is taken.
    fn create_in(dir: &Path, name: &str) -> io::Result<RecordedFile> {
        for n in 1..=MAX_COPIES {
            let number = if n == 1 {
                String::new()
            } else {
                format!("-{n}")
            };
            match RecordedFile::create(&dir.join(format!("{name}{number}.balcao"))) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                result => return result,
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// A recording that is being written.
struct OpenFile {
    recording: FileRecording<File>,
    path: Untrusted,
    /// The boot clock at its start.
    start_ms: u64,
}

/// The recording of a process. It belongs to the recorder's thread.
pub struct Recordings {
    /// The directory for files that the seller starts.
    dir: PathBuf,
    file: Option<OpenFile>,
    link: Arc<Link>,
}

impl Recordings {
    pub fn new(dir: PathBuf, link: Arc<Link>) -> Recordings {
        Recordings {
            dir,
            file: None,
            link,
        }
    }

    /// Begins a file that the seller asked for. Its name is the time.
    pub fn start_new(&mut self, header: Header, clocks: &Clocks) {
        let time = clocks.wall.rfc3339(header.utc_offset_s).unwrap_or_default();
        let minute = time.get(..16).unwrap_or_default().replace(':', "-");
        match RecordedFile::create_in(&self.dir, &format!("balcao-{minute}")) {
            Ok(file) => self.start(header, clocks, file),
            Err(error) => self.end(RecordingNews::Failed(error.to_string().into())),
        }
    }

    /// Begins to record into this file.
    pub fn start(&mut self, header: Header, clocks: &Clocks, file: RecordedFile) {
        let path = Untrusted::from(file.path.display().to_string());
        match FileRecording::start(file.file, &header) {
            Ok(recording) => {
                self.file = Some(OpenFile {
                    recording,
                    path: path.clone(),
                    start_ms: clocks.boot_ms,
                });
                self.tell(RecordingNews::Begun(path));
            }
            Err(ended) => self.end(RecordingNews::Failed(ended.to_string().into())),
        }
    }

    /// Tells a new run that the recording goes on.
    pub fn go_on(&mut self) {
        if let Some(file) = &self.file {
            self.tell(RecordingNews::GoesOn(file.path.clone()));
        }
    }

    /// Ends the file.
    pub fn stop(&mut self) {
        self.flush();
        if let Some(file) = self.file.take() {
            self.end(RecordingNews::Saved(file.path));
        }
    }

    /// Adds the changed rows of a frame, masked.
    pub fn frame(&mut self, at_ms: u64, drawn: DrawnRows) {
        let size = Size {
            columns: drawn.size.columns,
            rows: drawn.size.rows,
        };
        let mut rows: Vec<(u16, Row)> = Vec::with_capacity(drawn.rows.len());
        for mut row in drawn.rows {
            mask_row(&mut row);
            rows.extend(rows_of(&row));
        }
        self.write(at_ms, |recording, at| recording.frame(at, size, rows));
    }

    pub fn events(&mut self, at_ms: u64, events: Vec<Event>) {
        for event in events {
            self.write(at_ms, |recording, at| recording.event(at, event));
        }
    }

    /// Writes the open chunk to the file.
    pub fn flush(&mut self) {
        self.write(0, |recording, _| recording.flush());
    }

    /// Writes to the file, if there is one. If that fails, the recording ends.
    fn write(
        &mut self,
        at_ms: u64,
        write: impl FnOnce(&mut FileRecording<File>, Duration) -> Result<(), Ended>,
    ) {
        let Some(file) = &mut self.file else { return };
        let at = Duration::from_millis(at_ms.saturating_sub(file.start_ms));
        let Err(ended) = write(&mut file.recording, at) else {
            return;
        };
        let path = file.path.clone();
        self.file = None;
        self.end(match ended {
            Ended::Full => RecordingNews::Full(path),
            Ended::Failed(error) => RecordingNews::Failed(error.to_string().into()),
        });
    }

    fn end(&self, news: RecordingNews) {
        self.link.is_recording.store(false, Ordering::Relaxed);
        self.tell(news);
    }

    fn tell(&self, news: RecordingNews) {
        let inbox = self.link.inbox.lock().clone();
        if let Some(inbox) = inbox {
            inbox.send_blocking(Msg::Recording(news));
        }
    }
}
