//! Batches of payment links: checks the links of a file against each other and the history, decides
//! when the next one is sent, and writes the result file.
//!
//! All of it works on plain values. [`runtime::batch_sender`](crate::runtime::batch_sender) sends
//! the lines.

#![warn(missing_docs)]

mod check;
mod pace;
mod progress;
mod result;

pub use check::{
    BatchCheck, CheckReport, CheckedLine, Excerpt, Existing, Figures, REPEAT_WINDOW, Skip,
};
pub use pace::{MAX_PER_SECOND, NextStep, Pace, PauseReason};
pub use progress::{BatchProgress, BatchStage, MAX_FAILED_LINES};
pub use result::{ResultWords, ResultWriter};
