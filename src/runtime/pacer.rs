//! Decides when the next frame may be written: after the terminal has answered for the frame before
//! it.
//!
//! A slow connection accepts far more bytes than it has delivered: sshd takes up to 2 MiB ahead.
//! The terminal's answer is the only sign that a frame has arrived. Frames that are written earlier
//! would only delay the newest frame.

use std::time::{Duration, Instant};

/// The size in bytes up to which frames follow each other without a question. A letter or a cursor
/// movement needs less.
pub const SMALL_FRAME: usize = 1_024;

/// The maximum time for which a frame waits for an answer.
pub const ANSWER_LIMIT: Duration = Duration::from_secs(1);

/// The maximum time after the last question for which a frame counts as unseen because an answer is
/// missing. Without this limit, a lost answer would keep a withdrawal from being confirmed.
pub const SEEN_LIMIT: Duration = Duration::from_secs(5);

/// Tracks the questions that follow frames, and the terminal's answers.
///
/// All answers are alike, so an answer belongs to the oldest question without one. A forged answer,
/// such as in a paste, ends a wait early. Without the question there would be no wait at all.
#[derive(Debug, Default)]
pub struct Pacer {
    terminal: Answers,
    /// The time of the question for the last frame, until it is answered or its time is over.
    asked: Option<Instant>,
    /// The time of the last question, whether it was answered or not.
    last_asked: Option<Instant>,
    /// The number of earlier questions that were not answered in time.
    late: u32,
    /// True if an answer to an earlier question arrived after the last question.
    heard_late: bool,
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
        matters && self.asked.is_none() && self.terminal != Answers::No
    }

    /// Records that a question was written.
    pub fn on_asked(&mut self, now: Instant) {
        (self.asked, self.last_asked, self.heard_late) = (Some(now), Some(now), false);
    }

    /// Records an answer. Returns false if no question was open, so that the answer was forged or
    /// belongs to another program.
    pub fn on_answer(&mut self) -> bool {
        if self.late > 0 {
            (self.late, self.heard_late) = (self.late - 1, true);
        } else if self.asked.take().is_none() {
            return false;
        }
        self.terminal = Answers::Yes;
        true
    }

    /// Returns the time until which the next frame waits, if it waits.
    pub fn waits_until(&self) -> Option<Instant> {
        self.asked.map(|asked| asked + ANSWER_LIMIT)
    }

    /// Returns the time until which an answer is still expected, at most `limit` after the last
    /// question. Returns `None` if all questions were answered, if the time is over, or if the
    /// terminal has never answered.
    pub fn owed_until(&self, now: Instant, limit: Duration) -> Option<Instant> {
        let is_owed = self.terminal == Answers::Yes && (self.asked.is_some() || self.late > 0);
        self.last_asked.map(|asked| asked + limit).filter(|until| is_owed && now < *until)
    }

    /// Returns true if the next frame must wait. If the limit has passed, stops waiting.
    pub fn is_waiting(&mut self, now: Instant) -> bool {
        if self.waits_until().is_some_and(|until| until <= now) {
            self.asked = None;
            // If an answer arrived during this wait, an earlier answer was lost, and this was the
            // answer to the last question.
            self.late = if self.heard_late { 0 } else { self.late.saturating_add(1) };
            if self.terminal == Answers::Unknown {
                self.terminal = Answers::No;
            }
        }
        self.asked.is_some()
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
    fn answer_is_owed_until_it_arrives_or_a_limit_passes() {
        let (mut pacer, start) = (Pacer::default(), clocks::instant());
        let owed = |pacer: &Pacer, now| pacer.owed_until(now, SEEN_LIMIT).is_some();
        write(&mut pacer, LARGE, start);
        assert!(!owed(&pacer, start), "it is not known yet whether this terminal answers");
        pacer.on_answer();
        assert!(!owed(&pacer, start));
        write(&mut pacer, LARGE, start);
        let late = start + ANSWER_LIMIT;
        assert!(!pacer.is_waiting(late), "frames are drawn again");
        assert!(owed(&pacer, late) && !owed(&pacer, start + SEEN_LIMIT));
        pacer.on_answer();
        assert!(!owed(&pacer, late));
    }

    #[test]
    fn lost_answer_delays_two_frames_and_no_more() {
        let (mut pacer, mut now) = (Pacer::default(), clocks::instant());
        write(&mut pacer, LARGE, now);
        pacer.on_answer();
        // The answer to this frame is lost.
        write(&mut pacer, LARGE, now);
        for _ in 0..2 {
            now += ANSWER_LIMIT;
            assert!(!pacer.is_waiting(now));
            write(&mut pacer, LARGE, now);
            pacer.on_answer();
        }
        assert!(!pacer.is_waiting(now));
    }
}
