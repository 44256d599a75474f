//! Reports how much of a journal has been verified while it is opened.

/// The minimum number of events between two reports. A journal with fewer events is verified before
/// a reader of the screen would notice, so nothing is reported.
const MIN_STEP: i64 = 1_000;

/// The progress of verifying a journal. It is reported at most once for each percent.
pub(super) struct Progress<'r> {
    /// The number of events in the journal, according to `money.head`.
    events: i64,
    /// The number of the event at which the progress is reported next.
    next: i64,
    report: &'r mut dyn FnMut(u8),
}

impl<'r> Progress<'r> {
    pub fn new(events: i64, report: &'r mut dyn FnMut(u8)) -> Progress<'r> {
        Progress {
            events,
            next: MIN_STEP.max(events / 100),
            report,
        }
    }

    /// Records that all events up to event number `n` have been verified.
    pub fn on_event(&mut self, n: i64) {
        // The database can be ahead of `money.head`. Then the rest is not reported.
        if n < self.next || n >= self.events {
            return;
        }
        self.next = n + MIN_STEP.max(self.events / 100);
        let percent = n.saturating_mul(100) / self.events;
        (self.report)(u8::try_from(percent).unwrap_or(100));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reports(events: i64) -> Vec<u8> {
        let mut reports = vec![];
        let mut report = |percent| reports.push(percent);
        let mut progress = Progress::new(events, &mut report);
        (1..=events + 3_000).for_each(|n| progress.on_event(n));
        reports
    }

    #[test]
    fn each_percent_is_reported_once() {
        assert_eq!(reports(300_000), (1..=99).collect::<Vec<_>>());
        assert_eq!(reports(4_000), [25, 50, 75]);
    }

    #[test]
    fn short_journal_reports_nothing() {
        assert!(reports(1_000).is_empty());
        assert!(reports(0).is_empty());
    }
}
