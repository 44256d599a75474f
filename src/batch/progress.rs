//! The progress of a batch, as the seller sees it.

use std::sync::Arc;
use std::time::Duration;

use super::PauseReason;
use crate::trade::{Batch, BatchCounts, FailedLine, JournalTrouble, LineState};

/// The maximum number of failed lines that are shown. The result file has all of them.
pub const MAX_FAILED_LINES: usize = 200;

/// The progress of a batch. Its size does not depend on the number of lines.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchProgress {
    /// The batch.
    pub batch: Arc<Batch>,
    /// The number of lines in each state.
    pub counts: BatchCounts,
    /// The state of the waiting lines.
    pub stage: BatchStage,
    /// The number of lines that were sent since sending began.
    pub sent: u64,
    /// The time since sending began.
    pub elapsed: Duration,
    /// True if the service asked to slow down at the last line.
    pub is_slowed: bool,
    /// The first failed lines.
    pub failed: Arc<Vec<FailedLine>>,
}

/// The state of the waiting lines of a batch.
#[derive(Debug, Clone, PartialEq)]
pub enum BatchStage {
    /// They are sent one after another.
    Sending,
    /// They wait, because the seller stopped the batch or the program ended.
    Stopped,
    /// They wait, because the batch paused by itself.
    Paused(PauseReason),
    /// No line is waiting.
    Finished,
    /// They wait on the machine of the team that began the batch, or are sent there.
    Elsewhere,
    /// They wait, because the history could not be written.
    Broken(JournalTrouble),
    /// They wait, because the result file could not be written, for this reason.
    NoResult(String),
}

impl BatchProgress {
    /// The progress of a batch that is not being sent.
    pub fn at_rest(
        batch: Arc<Batch>,
        counts: BatchCounts,
        failed: Vec<FailedLine>,
    ) -> BatchProgress {
        let stage = if counts.is_finished() {
            BatchStage::Finished
        } else if batch.is_foreign {
            BatchStage::Elsewhere
        } else {
            BatchStage::Stopped
        };
        BatchProgress {
            batch,
            stage,
            counts,
            sent: 0,
            elapsed: Duration::ZERO,
            is_slowed: false,
            failed: Arc::new(failed),
        }
    }

    /// True while lines are sent.
    pub fn is_sending(&self) -> bool {
        self.stage == BatchStage::Sending
    }

    /// Counts a line that was sent. `failed` is the line if it has no link.
    pub fn add(&mut self, state: LineState, failed: Option<FailedLine>, elapsed: Duration) {
        self.counts.settle(state);
        self.sent += 1;
        self.elapsed = elapsed;
        self.is_slowed = state == LineState::Waiting;
        if let Some(failed) = failed
            && self.failed.len() < MAX_FAILED_LINES
        {
            Arc::make_mut(&mut self.failed).push(failed);
        }
    }

    /// The number of lines per second.
    pub fn rate(&self) -> u64 {
        self.sent / self.elapsed.as_secs().max(1)
    }

    /// The time until the last line is sent, if the others take as long as the lines so far.
    pub fn left(&self) -> Duration {
        let seconds = self
            .counts
            .open()
            .saturating_mul(self.elapsed.as_secs().max(1));
        Duration::from_secs(seconds / self.sent.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::{Account, BatchId, BatchSource, Money, Origin, Wall};

    fn progress(waiting: u64) -> BatchProgress {
        let batch = Batch {
            id: BatchId(1),
            at: Wall(0),
            account: Account {
                origin: Origin("https://pay.example".into()),
                identity: "ana".into(),
            },
            source: BatchSource {
                file: "/srv/precos.csv".into(),
                result: "/srv/precos-resultado.csv".into(),
                header: vec![],
                delimiter: b';',
            },
            author: None,
            is_foreign: false,
        };
        let counts = BatchCounts {
            waiting,
            ..BatchCounts::default()
        };
        BatchProgress::at_rest(Arc::new(batch), counts, vec![])
    }

    fn failed(number: u64) -> FailedLine {
        FailedLine {
            number,
            amount: Money::ZERO,
            description: "Boné".into(),
            state: LineState::Unknown,
            reason: String::new(),
        }
    }

    #[test]
    fn time_left_follows_from_the_lines_so_far() {
        let mut progress = progress(30);
        for second in 1..=10 {
            progress.add(LineState::Made, None, Duration::from_secs(second));
        }
        assert_eq!(progress.left(), Duration::from_secs(20));
        assert_eq!(progress.rate(), 1);
        progress.add(LineState::Waiting, None, Duration::from_secs(11));
        assert_eq!((progress.counts.waiting, progress.is_slowed), (20, true));
    }

    #[test]
    fn only_the_first_failed_lines_are_kept() {
        let mut progress = progress(1_000);
        for number in 0..=(MAX_FAILED_LINES as u64) {
            progress.add(LineState::Unknown, Some(failed(number)), Duration::ZERO);
        }
        assert_eq!(progress.failed.len(), MAX_FAILED_LINES);
        assert_eq!(progress.counts.unknown, MAX_FAILED_LINES as u64 + 1);
    }
}
