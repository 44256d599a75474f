//! Delays frames on a slow connection. The next frame is written only after the terminal has
//! confirmed that it received the last one.
//!
//! A slow connection accepts far more bytes than it has delivered: sshd buffers up to 2 MiB. Only a
//! reply of the terminal shows that a frame has arrived, so a status query follows each large
//! frame. Frames that are written before the reply would only delay the newest frame.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The size in bytes up to which frames are written without a status query. A typed letter or a
/// cursor movement needs less.
pub const SMALL_FRAME: usize = 1_024;

/// The maximum time for which a frame waits for the terminal's reply.
pub const REPLY_LIMIT: Duration = Duration::from_secs(1);

/// The time after which the reply to a query counts as lost. Without this limit, a lost reply would
/// keep the seller from confirming a withdrawal.
const LOST_AFTER: Duration = Duration::from_secs(5);

/// Tracks the status queries that follow frames, and the terminal's replies.
///
/// All replies are alike, so each reply is matched to the oldest query without a reply. A forged
/// reply, for example in pasted text, only ends a wait early.
#[derive(Debug, Default)]
pub struct Pacer {
    terminal: Replies,
    /// The number of queries so far.
    count: u64,
    /// The times of the queries that are still waiting for a reply, oldest first.
    pending: VecDeque<Instant>,
    /// True if the next frame must wait for the reply to the last query.
    is_next_delayed: bool,
}

/// Whether the terminal replies to status queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Replies {
    #[default]
    Unknown,
    Yes,
    /// The first query got no reply in time, so the terminal is not queried again.
    No,
}

impl Pacer {
    /// True if a status query must follow a frame of this many bytes. `tracks_visibility` is true
    /// if the program must know when the user can see the frame.
    pub fn needs_query(&self, bytes: usize, tracks_visibility: bool) -> bool {
        let is_important = bytes > SMALL_FRAME || bytes > 0 && tracks_visibility;
        is_important && !self.is_next_delayed && self.terminal != Replies::No
    }

    /// Records that a query was written, and returns its number.
    pub fn on_query(&mut self, now: Instant) -> u64 {
        self.pending.push_back(now);
        (self.count, self.is_next_delayed) = (self.count + 1, true);
        self.count
    }

    /// Records a reply. Returns false if no query was waiting for a reply. Such a reply was forged,
    /// or it belongs to another program. The first reply is accepted even if it is late.
    pub fn on_reply(&mut self) -> bool {
        if self.pending.pop_front().is_none() && self.terminal != Replies::No {
            return false;
        }
        self.is_next_delayed &= !self.pending.is_empty();
        self.terminal = Replies::Yes;
        true
    }

    /// The time until which the next frame waits; `None` if it does not wait.
    pub fn waits_until(&self) -> Option<Instant> {
        self.pending
            .back()
            .filter(|_| self.is_next_delayed)
            .map(|queried| *queried + REPLY_LIMIT)
    }

    /// The time at which the reply to the oldest pending query counts as lost.
    pub fn next_lost_at(&self) -> Option<Instant> {
        self.pending.front().map(|queried| *queried + LOST_AFTER)
    }

    /// True if the query with this number will probably get a reply: it is pending, and the
    /// terminal has replied before.
    pub fn is_pending(&self, query: u64) -> bool {
        let finished = self.count - self.pending.len() as u64;
        self.terminal == Replies::Yes && query > finished
    }

    /// True if the last query is pending and was written less than `limit` ago.
    pub fn is_last_pending(&self, now: Instant, limit: Duration) -> bool {
        let is_recent = self
            .pending
            .back()
            .is_some_and(|queried| now < *queried + limit);
        is_recent && self.is_pending(self.count)
    }

    /// True if the next frame must wait. Stops waiting if the reply is too late, and drops queries
    /// whose reply is lost.
    pub fn is_waiting(&mut self, now: Instant) -> bool {
        if self.waits_until().is_some_and(|until| until <= now) {
            self.is_next_delayed = false;
            if self.terminal == Replies::Unknown {
                self.terminal = Replies::No;
            }
        }
        self.pending.retain(|queried| now < *queried + LOST_AFTER);
        self.is_next_delayed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::clocks;

    const LARGE: usize = SMALL_FRAME + 1;

    /// Writes a frame, and a query if the pacer needs one.
    fn write(pacer: &mut Pacer, bytes: usize, now: Instant) -> bool {
        let is_queried = pacer.needs_query(bytes, false);
        if is_queried {
            pacer.on_query(now);
        }
        is_queried
    }

    #[test]
    fn large_frame_waits_for_the_reply_or_a_second() {
        let mut pacer = Pacer::default();
        let start = clocks::instant();
        assert!(
            !pacer.is_waiting(start),
            "the first frame waits for nothing"
        );
        assert!(write(&mut pacer, LARGE, start));
        assert!(pacer.is_waiting(start));
        assert!(pacer.on_reply());
        assert!(!pacer.is_waiting(start));
        assert!(write(&mut pacer, LARGE, start));
        let end = start + REPLY_LIMIT;
        assert_eq!(pacer.waits_until(), Some(end));
        assert!(pacer.is_waiting(end - Duration::from_millis(1)));
        assert!(!pacer.is_waiting(end));
        assert!(pacer.needs_query(LARGE, false), "it has replied before");
    }

    #[test]
    fn small_frames_need_no_query() {
        let mut pacer = Pacer::default();
        let start = clocks::instant();
        assert!(!write(&mut pacer, SMALL_FRAME, start));
        assert!(!pacer.is_waiting(start));
        assert!(pacer.needs_query(1, true), "new terms, of any size");
        assert!(!pacer.needs_query(0, true), "the frame is unchanged");
        write(&mut pacer, LARGE, start);
        assert!(
            pacer.is_waiting(start),
            "a small frame waits for a large one, too"
        );
    }

    #[test]
    fn silent_terminal_is_not_queried_until_it_replies() {
        let mut pacer = Pacer::default();
        let start = clocks::instant();
        write(&mut pacer, LARGE, start);
        assert!(!pacer.is_waiting(start + REPLY_LIMIT));
        assert!(!pacer.needs_query(LARGE, true));
        let mut other_pacer = Pacer {
            terminal: pacer.terminal,
            ..Pacer::default()
        };
        for pacer in [&mut pacer, &mut other_pacer] {
            assert!(pacer.on_reply(), "it was late");
            assert!(pacer.needs_query(LARGE, true));
        }
    }

    #[test]
    fn unexpected_reply_changes_nothing() {
        let mut pacer = Pacer::default();
        let start = clocks::instant();
        assert!(!pacer.on_reply());
        write(&mut pacer, LARGE, start);
        assert!(
            pacer.is_waiting(start),
            "a reply is not kept for a later query"
        );
        assert!(pacer.on_reply());
        assert!(!pacer.on_reply());
    }

    #[test]
    fn late_reply_does_not_end_the_next_wait() {
        let mut pacer = Pacer::default();
        let start = clocks::instant();
        write(&mut pacer, LARGE, start);
        pacer.on_reply();
        write(&mut pacer, LARGE, start);
        let second = start + REPLY_LIMIT;
        assert!(!pacer.is_waiting(second));
        write(&mut pacer, LARGE, second);
        assert!(pacer.on_reply());
        assert!(
            pacer.is_waiting(second),
            "that was the reply for the frame before"
        );
        assert!(pacer.on_reply());
        assert!(!pacer.is_waiting(second));
    }

    #[test]
    fn query_is_pending_until_its_reply_comes_or_is_lost() {
        let mut pacer = Pacer::default();
        let start = clocks::instant();
        assert_eq!(pacer.on_query(start), 1);
        assert!(
            !pacer.is_pending(1),
            "it is not known yet whether this terminal replies"
        );
        pacer.on_reply();
        assert!(!pacer.is_pending(1));
        let late = start + REPLY_LIMIT;
        assert_eq!((pacer.on_query(start), pacer.is_waiting(late)), (2, false));
        assert_eq!((pacer.on_query(late), pacer.is_waiting(late)), (3, true));
        assert!(pacer.is_pending(2) && pacer.is_pending(3));
        pacer.on_reply();
        assert!(!pacer.is_pending(2) && pacer.is_pending(3));
        assert!(pacer.is_last_pending(late, REPLY_LIMIT));
        assert!(!pacer.is_last_pending(late + REPLY_LIMIT, REPLY_LIMIT));
        assert_eq!(pacer.next_lost_at(), Some(late + LOST_AFTER));
        pacer.is_waiting(late + LOST_AFTER);
        assert!(!pacer.is_pending(3));
    }

    #[test]
    fn each_reply_on_a_slow_line_ends_its_own_wait() {
        let mut pacer = Pacer::default();
        let start = clocks::instant();
        let at = |ms| start + Duration::from_millis(ms);
        write(&mut pacer, LARGE, start);
        pacer.on_reply();
        // A frame follows every second, and each reply takes 1.4 s.
        for second in [0, 1_000, 2_000, 3_000] {
            assert!(!pacer.is_waiting(at(second)));
            assert!(write(&mut pacer, LARGE, at(second)));
            if second > 0 {
                assert!(pacer.on_reply(), "for the frame before");
                assert!(pacer.is_waiting(at(second + 400)), "{second}");
            }
        }
        assert!(pacer.on_reply());
        assert!(!pacer.is_pending(5) && !pacer.is_waiting(at(4_400)));
    }

    #[test]
    fn lost_reply_delays_frames_until_a_pause() {
        let mut pacer = Pacer::default();
        let mut now = clocks::instant();
        write(&mut pacer, LARGE, now);
        pacer.on_reply();
        // The reply for this frame is lost, so each later reply counts as the reply for the frame
        // before.
        write(&mut pacer, LARGE, now);
        for pause in [REPLY_LIMIT, REPLY_LIMIT, LOST_AFTER] {
            now += pause;
            assert!(!pacer.is_waiting(now));
            write(&mut pacer, LARGE, now);
            pacer.on_reply();
            assert_eq!(pacer.is_waiting(now), pause < LOST_AFTER, "{pause:?}");
        }
    }
}
