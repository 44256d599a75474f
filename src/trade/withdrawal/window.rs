//! How long the same key may be sent again.
//!
//! The same key is safe only while the server remembers it, and nobody says how long that is.

use std::time::Duration;

use super::attempt::Attempt;
use crate::trade::{ClockDoubt, Clocks};

/// No withdrawal is sent more often than this.
pub const MAX_SENDS: usize = 4;

/// How long after the first send the last one may still begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// How long the service is assumed to remember a key.
    pub retention: Duration,
    /// How long one send may take in all; the last must end inside the retention.
    pub deadline: Duration,
}

/// Until when the bytes of one attempt may leave.
///
/// Between its begin and its first byte the machine may sleep for hours, and every limit of waiting
/// sleeps with it: the clocks are asked again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaveBy {
    /// When the attempt began.
    pub began: Clocks,
    /// How long after that its bytes may still leave.
    pub left: Duration,
}

impl LeaveBy {
    /// Whether they may leave now; never while the clocks are in doubt.
    pub fn allows(&self, now: &Clocks) -> bool {
        now.elapsed_since(&self.began).is_ok_and(|elapsed| elapsed <= self.left)
    }
}

/// Why no further send is safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSend {
    /// The service may have forgotten the key.
    WindowOver,
    /// It was sent as often as it may be.
    TooManySends,
    /// The clocks cannot say how long ago the first send was.
    ClockInDoubt(ClockDoubt),
}

impl Window {
    /// How long a further send may still begin, or why it may not.
    ///
    /// Attempts that ended as not sent neither count nor start the window.
    pub fn left(&self, attempts: &[Attempt], now: &Clocks) -> Result<Duration, NoSend> {
        let length = self.retention.saturating_sub(self.deadline);
        let sent: Vec<&Attempt> = attempts.iter().filter(|attempt| attempt.counts()).collect();
        let (Some(first), Some(last)) = (sent.first(), sent.last()) else {
            return Ok(length);
        };
        if sent.len() >= MAX_SENDS {
            return Err(NoSend::TooManySends);
        }
        // The clocks must agree all the way: each pair, not only the first and the present.
        let mut earlier = &first.began;
        for attempt in &sent {
            attempt.began.elapsed_since(earlier).map_err(NoSend::ClockInDoubt)?;
            earlier = &attempt.began;
        }
        now.elapsed_since(&last.began).map_err(NoSend::ClockInDoubt)?;
        let elapsed = now.elapsed_since(&first.began).map_err(NoSend::ClockInDoubt)?;
        let elapsed = elapsed.max(server_elapsed(&sent, now));
        length.checked_sub(elapsed).ok_or(NoSend::WindowOver)
    }
}

impl Window {
    /// Until when the bytes of the last of these attempts may leave; it was begun just now.
    ///
    /// No allowance is made for what it does before: reading the vault and connecting take from
    /// what is left of the window. The first send has at least the time that one may take: nothing
    /// is repeated by it, and a key that is forgotten at once is still sent once.
    pub fn leave_by(&self, attempts: &[Attempt]) -> Option<LeaveBy> {
        let (last, before) = attempts.split_last()?;
        let left = self.left(before, &last.began).ok()?;
        let is_first = !before.iter().any(Attempt::counts);
        let left = if is_first { left.max(self.deadline) } else { left };
        Some(LeaveBy { began: last.began.clone(), left })
    }
}

/// The time since the first send as far as the server's own dates tell it.
///
/// They say how far two sends lay apart; before the one and after the other our own clocks count.
/// It can only shorten the window: a server clock that ran further than ours is believed.
fn server_elapsed(sent: &[&Attempt], now: &Clocks) -> Duration {
    let ours = |from: &Clocks, to: &Clocks| to.elapsed_since(from).unwrap_or_default();
    let date = |attempt: &Attempt| attempt.end.as_ref()?.server_date;
    let mut dated = sent.iter().filter_map(|attempt| Some((*attempt, date(attempt)?)));
    let (Some(first), Some((one, since))) = (sent.first(), dated.next()) else {
        return Duration::ZERO;
    };
    let before = ours(&first.began, &one.began);
    dated
        .filter_map(|(other, date)| Some((other, date.since(since)?)))
        .map(|(other, apart)| before.saturating_add(apart).saturating_add(ours(&other.began, now)))
        .max()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::attempt::{AttemptEnd, Class, NotSent, Unclear};
    use super::*;
    use crate::trade::Wall;

    const WINDOW: Window =
        Window { retention: Duration::from_secs(600), deadline: Duration::from_secs(30) };

    fn clocks(seconds: i64) -> Clocks {
        Clocks { wall: Wall(seconds * 1_000), boot_ms: seconds as u64 * 1_000, boot_id: "b".into() }
    }

    fn attempt(n: u32, began: i64, class: Class, date: Option<i64>) -> Attempt {
        let end = AttemptEnd {
            at: Wall(began * 1_000),
            class,
            status: None,
            server_date: date.map(|seconds| Wall(seconds * 1_000)),
            message: None,
            hint: None,
        };
        Attempt { n, began: clocks(began), end: Some(end) }
    }

    fn lost(n: u32, began: i64) -> Attempt {
        attempt(n, began, Class::Unclear(Unclear::Timeout), None)
    }

    #[test]
    fn the_last_send_begins_a_deadline_before_the_key_is_forgotten() {
        let sent = [lost(1, 100)];
        assert_eq!(WINDOW.left(&sent, &clocks(100)), Ok(Duration::from_secs(570)));
        assert_eq!(WINDOW.left(&sent, &clocks(670)), Ok(Duration::ZERO));
        assert_eq!(WINDOW.left(&sent, &clocks(671)), Err(NoSend::WindowOver));
    }

    #[test]
    fn what_was_not_sent_neither_counts_nor_starts_the_window() {
        let tries: Vec<_> =
            (1..9).map(|n| attempt(n, 1, Class::NotSent(NotSent::Dns), None)).collect();
        assert_eq!(WINDOW.left(&tries, &clocks(90_000)), Ok(Duration::from_secs(570)));
    }

    #[test]
    fn the_bytes_of_a_send_leave_before_the_window_is_over_or_not_at_all() {
        let may_leave = |attempts: &[Attempt], now: &Clocks| {
            WINDOW.leave_by(attempts).is_some_and(|leave_by| leave_by.allows(now))
        };
        let resent = [lost(1, 100), lost(2, 300)];
        assert!(may_leave(&resent, &clocks(300)) && may_leave(&resent, &clocks(670)));
        assert!(!may_leave(&resent, &clocks(671)));
        // One clock that noticed the sleep is enough.
        let (mut wall, mut boot) = (clocks(301), clocks(301));
        (wall.wall, boot.boot_ms) = (Wall(671_000), 671_000);
        assert!(!may_leave(&resent, &wall) && !may_leave(&resent, &boot));
        assert!(!may_leave(&resent, &clocks(299)), "a clock that went backwards");
        // The first one too: what was agreed an hour ago is not what is wanted now.
        assert!(may_leave(&resent[..1], &clocks(670)) && !may_leave(&resent[..1], &clocks(671)));
        assert!(!may_leave(&[], &clocks(1)));
        assert!(!may_leave(&[lost(1, 100), lost(2, 671)], &clocks(671)), "it may not begin");
    }

    #[test]
    fn the_first_send_leaves_also_where_a_key_is_never_sent_again() {
        let window = Window { retention: Duration::ZERO, ..WINDOW };
        let refused = attempt(1, 40, Class::NotSent(NotSent::Dns), None);
        let leave_by = window.leave_by(&[refused, lost(2, 100)]).unwrap();
        assert!(leave_by.allows(&clocks(100)) && leave_by.allows(&clocks(130)));
        assert!(!leave_by.allows(&clocks(131)));
        let again = window.leave_by(&[lost(1, 100), lost(2, 100)]);
        assert!(again.is_none_or(|leave_by| !leave_by.allows(&clocks(101))));
    }

    #[test]
    fn four_sends_are_the_most() {
        let sent: Vec<_> = (1..5).map(|n| lost(n, i64::from(n))).collect();
        assert!(WINDOW.left(&sent[..3], &clocks(5)).is_ok());
        assert_eq!(WINDOW.left(&sent, &clocks(5)), Err(NoSend::TooManySends));
    }

    #[test]
    fn a_clock_in_doubt_ends_the_window_also_between_two_attempts() {
        let doubt = |doubt| Err(NoSend::ClockInDoubt(doubt));
        let back = [lost(1, 100), lost(2, 50)];
        assert_eq!(WINDOW.left(&back, &clocks(200)), doubt(ClockDoubt::WallBackwards));
        let mut other = clocks(200);
        other.boot_id = "c".into();
        assert_eq!(WINDOW.left(&[lost(1, 100)], &other), doubt(ClockDoubt::AnotherBoot));
        assert_eq!(WINDOW.left(&[lost(1, 100)], &clocks(99)), doubt(ClockDoubt::WallBackwards));
    }

    #[test]
    fn the_servers_clock_can_only_shorten_the_window() {
        let unclear = || Class::Unclear(Unclear::Status);
        let sent = [attempt(1, 0, unclear(), Some(0)), attempt(2, 10, unclear(), Some(560))];
        assert_eq!(WINDOW.left(&sent, &clocks(10)), Ok(Duration::from_secs(10)));
        let sent = [attempt(1, 0, unclear(), Some(0)), attempt(2, 10, unclear(), Some(-90))];
        assert_eq!(WINDOW.left(&sent, &clocks(20)), Ok(Duration::from_secs(550)));
    }

    #[test]
    fn our_clocks_go_on_from_the_servers_date() {
        let unclear = || Class::Unclear(Unclear::Status);
        let sent = [attempt(1, 0, unclear(), Some(0)), attempt(2, 10, unclear(), Some(400))];
        assert_eq!(WINDOW.left(&sent, &clocks(10)), Ok(Duration::from_secs(170)));
        assert_eq!(WINDOW.left(&sent, &clocks(110)), Ok(Duration::from_secs(70)));
        assert_eq!(WINDOW.left(&sent, &clocks(181)), Err(NoSend::WindowOver));
        // A later reply whose date is earlier takes nothing of that back.
        let mut again = sent.to_vec();
        again.push(attempt(3, 60, unclear(), Some(100)));
        assert_eq!(WINDOW.left(&again, &clocks(110)), Ok(Duration::from_secs(70)));
        // Nor do the dates begin before the first of them.
        let dated = |n, began, date| attempt(n, began, unclear(), Some(date));
        let late = [lost(1, 0), dated(2, 50, 0), dated(3, 60, 400)];
        assert_eq!(WINDOW.left(&late, &clocks(60)), Ok(Duration::from_secs(120)));
    }
}
