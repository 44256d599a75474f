//! Decides when the next frame may be written: after the terminal has answered for the frame before
//! it.
//!
//! A slow connection accepts far more bytes than it has delivered: sshd takes up to 2 MiB ahead.
//! The terminal's answer is the only sign that a frame has arrived. Frames that are written earlier
//! would only delay the newest frame.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The size in bytes up to which frames follow each other without a question. A letter or a cursor
/// movement needs less.
pub const SMALL_FRAME: usize = 1_024;

/// The maximum time for which a frame waits for an answer.
pub const ANSWER_LIMIT: Duration = Duration::from_secs(1);

/// The time after which the answer to a question counts as lost. Without this limit, a lost answer
/// would keep a withdrawal from being confirmed.
const SEEN_LIMIT: Duration = Duration::from_secs(5);

/// Tracks the questions that follow frames, and the terminal's answers.
///
/// All answers are alike, so an answer belongs to the oldest question without one. A forged answer,
/// such as in a paste, ends a wait early. Without the question there would be no wait at all.
#[derive(Debug, Default)]
pub struct Pacer {
    terminal: Answers,
    /// The number of questions so far.
    count: u64,
    /// The times of the last questions that are open: not answered, and not given up. The oldest is
    /// first.
    open: VecDeque<Instant>,
    /// True if the next frame waits for the answer to the last question.
    waits: bool,
}

/// Whether the terminal answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Answers {
    #[default]
    Unknown,
    Yes,
    /// The first question was not answered in time, so the terminal is not asked again.
    No,
}

impl Pacer {
    /// Returns true if a question must follow a frame of this size. `shows_news` is true if the
    /// time at which the user can see the frame matters.
    pub fn asks(&self, bytes: usize, shows_news: bool) -> bool {
        let matters = bytes > SMALL_FRAME || bytes > 0 && shows_news;
        matters && !self.waits && self.terminal != Answers::No
    }

    /// Records that a question was written, and returns its number.
    pub fn on_asked(&mut self, now: Instant) -> u64 {
        self.open.push_back(now);
        (self.count, self.waits) = (self.count + 1, true);
        self.count
    }

    /// Records an answer. Returns false if no question was open, so that the answer was forged or
    /// belongs to another program.
    pub fn on_answer(&mut self) -> bool {
        if self.open.pop_front().is_none() {
            return false;
        }
        self.waits &= !self.open.is_empty();
        self.terminal = Answers::Yes;
        true
    }

    /// Returns the time until which the next frame waits, if it waits.
    pub fn waits_until(&self) -> Option<Instant> {
        self.open.back().filter(|_| self.waits).map(|asked| *asked + ANSWER_LIMIT)
    }

    /// Returns the time at which the oldest open question is given up.
    pub fn gives_up_at(&self) -> Option<Instant> {
        self.open.front().map(|asked| *asked + SEEN_LIMIT)
    }

    /// Returns true if the answer to the question with this number is expected. Returns false if
    /// the terminal has never answered.
    pub fn expects(&self, question: u64) -> bool {
        let closed = self.count - self.open.len() as u64;
        self.terminal == Answers::Yes && question > closed
    }

    /// Returns true if the answer to the last question is expected, and was asked for less than
    /// `limit` ago.
    pub fn expects_last(&self, now: Instant, limit: Duration) -> bool {
        self.expects(self.count) && self.open.back().is_some_and(|asked| now < *asked + limit)
    }

    /// Returns true if the next frame must wait. If the limit has passed, stops waiting. Also gives
    /// up old questions.
    pub fn is_waiting(&mut self, now: Instant) -> bool {
        if self.waits_until().is_some_and(|until| until <= now) {
            self.waits = false;
            if self.terminal == Answers::Unknown {
                self.terminal = Answers::No;
            }
        }
        self.open.retain(|asked| now < *asked + SEEN_LIMIT);
        self.waits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::clocks;

    const LARGE: usize = SMALL_FRAME + 1;

    /// Writes a frame, and asks if the pacer says so.
    fn write(pacer: &mut Pacer, bytes: usize, now: Instant) -> bool {
        let asks = pacer.asks(bytes, false);
        if asks {
            pacer.on_asked(now);
        }
        asks
    }

    #[test]
    fn large_frame_waits_for_the_answer_or_a_second() {
        let (mut pacer, start) = (Pacer::default(), clocks::instant());
        assert!(!pacer.is_waiting(start), "the first frame waits for nothing");
        assert!(write(&mut pacer, LARGE, start));
        assert!(pacer.is_waiting(start));
        assert!(pacer.on_answer());
        assert!(!pacer.is_waiting(start));
        assert!(write(&mut pacer, LARGE, start));
        let end = start + ANSWER_LIMIT;
        assert_eq!(pacer.waits_until(), Some(end));
        assert!(pacer.is_waiting(end - Duration::from_millis(1)));
        assert!(!pacer.is_waiting(end));
        assert!(pacer.asks(LARGE, false), "it has answered before");
    }

    #[test]
    fn small_frames_follow_each_other_unasked() {
        let (mut pacer, start) = (Pacer::default(), clocks::instant());
        assert!(!write(&mut pacer, SMALL_FRAME, start));
        assert!(!pacer.is_waiting(start));
        assert!(pacer.asks(1, true), "new terms are asked about whatever their size");
        assert!(!pacer.asks(0, true), "what is on the screen already is not");
        write(&mut pacer, LARGE, start);
        assert!(pacer.is_waiting(start), "also a small frame waits for a large one");
    }

    #[test]
    fn mute_terminal_is_not_asked_again_until_it_answers() {
        let (mut pacer, start) = (Pacer::default(), clocks::instant());
        write(&mut pacer, LARGE, start);
        assert!(!pacer.is_waiting(start + ANSWER_LIMIT));
        assert!(!pacer.asks(LARGE, true));
        assert!(pacer.on_answer(), "it was late");
        assert!(pacer.asks(LARGE, true));
    }

    #[test]
    fn unasked_answer_changes_nothing() {
        let (mut pacer, start) = (Pacer::default(), clocks::instant());
        assert!(!pacer.on_answer());
        write(&mut pacer, LARGE, start);
        assert!(pacer.is_waiting(start), "an answer is not kept for a later question");
        assert!(pacer.on_answer());
        assert!(!pacer.on_answer());
    }

    #[test]
    fn late_answer_does_not_end_the_next_wait() {
        let (mut pacer, start) = (Pacer::default(), clocks::instant());
        write(&mut pacer, LARGE, start);
        pacer.on_answer();
        write(&mut pacer, LARGE, start);
        let second = start + ANSWER_LIMIT;
        assert!(!pacer.is_waiting(second));
        write(&mut pacer, LARGE, second);
        assert!(pacer.on_answer());
        assert!(pacer.is_waiting(second), "that was the answer to the frame before");
        assert!(pacer.on_answer());
        assert!(!pacer.is_waiting(second));
    }

    #[test]
    fn answer_is_expected_until_it_arrives_or_is_given_up() {
        let (mut pacer, start) = (Pacer::default(), clocks::instant());
        assert_eq!(pacer.on_asked(start), 1);
        assert!(!pacer.expects(1), "it is not known yet whether this terminal answers");
        pacer.on_answer();
        assert!(!pacer.expects(1));
        let late = start + ANSWER_LIMIT;
        assert_eq!((pacer.on_asked(start), pacer.is_waiting(late)), (2, false));
        assert_eq!((pacer.on_asked(late), pacer.is_waiting(late)), (3, true));
        assert!(pacer.expects(2) && pacer.expects(3));
        pacer.on_answer();
        assert!(!pacer.expects(2) && pacer.expects(3));
        assert!(pacer.expects_last(late, ANSWER_LIMIT));
        assert!(!pacer.expects_last(late + ANSWER_LIMIT, ANSWER_LIMIT));
        assert_eq!(pacer.gives_up_at(), Some(late + SEEN_LIMIT));
        pacer.is_waiting(late + SEEN_LIMIT);
        assert!(!pacer.expects(3));
    }

    #[test]
    fn each_answer_of_a_slow_line_ends_its_own_wait() {
        let (mut pacer, start) = (Pacer::default(), clocks::instant());
        let at = |ms| start + Duration::from_millis(ms);
        write(&mut pacer, LARGE, start);
        pacer.on_answer();
        // A frame follows every second, and each answer takes 1.4 s.
        for second in [0, 1_000, 2_000, 3_000] {
            assert!(!pacer.is_waiting(at(second)));
            assert!(write(&mut pacer, LARGE, at(second)));
            if second > 0 {
                assert!(pacer.on_answer(), "to the frame before");
                assert!(pacer.is_waiting(at(second + 400)), "{second}");
            }
        }
        assert!(pacer.on_answer());
        assert!(!pacer.expects(5) && !pacer.is_waiting(at(4_400)));
    }

    #[test]
    fn lost_answer_delays_frames_until_a_pause() {
        let (mut pacer, mut now) = (Pacer::default(), clocks::instant());
        write(&mut pacer, LARGE, now);
        pacer.on_answer();
        // The answer to this frame is lost, so each later answer counts for the frame before.
        write(&mut pacer, LARGE, now);
        for pause in [ANSWER_LIMIT, ANSWER_LIMIT, SEEN_LIMIT] {
            now += pause;
            assert!(!pacer.is_waiting(now));
            write(&mut pacer, LARGE, now);
            pacer.on_answer();
            assert_eq!(pacer.is_waiting(now), pause < SEEN_LIMIT, "{pause:?}");
        }
    }
}
