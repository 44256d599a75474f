//! The recording of the screens into a file, which the seller starts and ends.

use crate::app::store::notice::Notice;
use crate::app::ui::{Action, Role};
use crate::app::{Effect, Store};
use crate::trade::Untrusted;

/// A command to the recorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordCommand {
    /// Record into a new file.
    Start,
    /// End the file.
    Stop,
    /// Mark this moment, at which something went wrong.
    Mark,
}

/// News of the recording into a file. Each has the path of the file.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordingNews {
    Begun(Untrusted),
    /// The file was begun in an earlier run, and continues in this one.
    GoesOn(Untrusted),
    Saved(Untrusted),
    /// The file has its maximum length, so the recording has ended.
    Full(Untrusted),
    /// The file could not be created or written, for this reason. What was written before stays.
    Failed(Untrusted),
}

/// Takes over the news, and tells the seller.
pub fn on_news(store: &mut Store, news: &RecordingNews) {
    store.recording = match news {
        RecordingNews::Begun(file) | RecordingNews::GoesOn(file) => Some(file.clone()),
        RecordingNews::Saved(_) | RecordingNews::Full(_) | RecordingNews::Failed(_) => None,
    };
    if !matches!(news, RecordingNews::GoesOn(_)) {
        store.notify(Notice::Recording(news.clone()));
    }
}

/// Marks this moment in the recording, and tells the seller whether there is one.
pub fn mark(store: &mut Store) -> Vec<Effect> {
    if store.recording.is_none() {
        store.notify(Notice::WithKey("said-nothing-recorded", Action::Palette));
        return vec![];
    }
    store.notify(Notice::Plain(Role::Good, "said-moment-marked"));
    vec![Effect::Record(RecordCommand::Mark)]
}
