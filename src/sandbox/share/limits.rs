//! The limits of a share: how much one phone may ask for, so that it cannot spoil a demo.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

/// The addresses that are remembered at once; those that did nothing for a while are forgotten.
const REMEMBERED: usize = 1024;

/// The limits of one share.
#[derive(Clone, Debug)]
pub struct ShareLimits {
    /// The requests that one address may send without a pause.
    pub burst: u32,
    /// The pause after which an address may send one more.
    pub pause: Duration,
    /// The connections that one address may have open.
    pub open_each: usize,
    /// The connections that may be open in all.
    pub open_in_all: usize,
    /// The bytes of a request, its headers among them.
    pub bytes: usize,
    /// The time of a connection, from its first moment to the end of its reply.
    pub life: Duration,
}

impl Default for ShareLimits {
    /// A phone loads a page with two requests and pays with two more, and may do so all the time.
    fn default() -> ShareLimits {
        ShareLimits {
            burst: 40,
            pause: Duration::from_millis(250),
            open_each: 8,
            open_in_all: 200,
            bytes: 16 * 1024,
            life: Duration::from_secs(15),
        }
    }
}

/// The way in which a connection is received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// Its request is answered.
    Served,
    /// Its request is answered with a wish to wait.
    TooOften,
    /// It is closed at once.
    TurnedAway,
}

/// The connections of a share, by the address that they come from.
#[derive(Debug)]
pub(super) struct Arrivals {
    limits: ShareLimits,
    from: HashMap<IpAddr, Visits>,
    open: usize,
}

/// The connections of one address.
#[derive(Debug, Default)]
struct Visits {
    open: usize,
    /// The moment at which the pauses for all that it sent are over.
    rested: Duration,
}

impl Arrivals {
    pub fn new(limits: ShareLimits) -> Arrivals {
        Arrivals { limits, from: HashMap::new(), open: 0 }
    }

    /// Receives a connection at a moment, counted from any beginning.
    ///
    /// One that is turned away does not leave; every other one has to.
    pub fn arrive(&mut self, ip: IpAddr, now: Duration) -> Arrival {
        if self.from.len() >= REMEMBERED {
            self.from.retain(|_, visits| visits.open > 0 || visits.rested > now);
        }
        let is_full = self.open >= self.limits.open_in_all;
        if is_full || (self.from.len() >= REMEMBERED && !self.from.contains_key(&ip)) {
            return Arrival::TurnedAway;
        }
        let visits = self.from.entry(ip).or_default();
        if visits.open >= self.limits.open_each {
            return Arrival::TurnedAway;
        }
        visits.open += 1;
        self.open += 1;
        let rested = visits.rested.max(now) + self.limits.pause;
        if rested - now > self.limits.pause * self.limits.burst {
            return Arrival::TooOften;
        }
        visits.rested = rested;
        Arrival::Served
    }

    /// Notes that a connection has ended.
    pub fn leave(&mut self, ip: IpAddr) {
        if let Some(visits) = self.from.get_mut(&ip) {
            visits.open = visits.open.saturating_sub(1);
            self.open = self.open.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_millis(250);

    fn arrivals() -> Arrivals {
        Arrivals::new(ShareLimits {
            burst: 3,
            pause: PAUSE,
            open_each: 2,
            open_in_all: 5,
            ..ShareLimits::default()
        })
    }

    fn phone(n: u32) -> IpAddr {
        IpAddr::from((0x0a00_0000 + n).to_be_bytes())
    }

    /// Comes, is answered, and goes.
    fn asks(arrivals: &mut Arrivals, ip: IpAddr, now: Duration) -> Arrival {
        let received = arrivals.arrive(ip, now);
        if received != Arrival::TurnedAway {
            arrivals.leave(ip);
        }
        received
    }

    #[test]
    fn an_address_may_send_a_burst_and_then_one_request_a_pause() {
        let (mut all, one) = (arrivals(), phone(1));
        let start = Duration::from_secs(100);
        for _ in 0..3 {
            assert_eq!(asks(&mut all, one, start), Arrival::Served);
        }
        let early = start + PAUSE - Duration::from_nanos(1);
        for now in [start, early] {
            assert_eq!(asks(&mut all, one, now), Arrival::TooOften);
        }
        // Another phone is served meanwhile, and what was refused cost nothing.
        assert_eq!(asks(&mut all, phone(2), start), Arrival::Served);
        assert_eq!(asks(&mut all, one, start + PAUSE), Arrival::Served);
        assert_eq!(asks(&mut all, one, start + PAUSE), Arrival::TooOften);
        // All of it is there again after a rest, and no more than that.
        let rested = start + Duration::from_secs(3_600);
        let served = (0..10).filter(|_| asks(&mut all, one, rested) == Arrival::Served);
        assert_eq!(served.count(), 3);
    }

    #[test]
    fn an_address_has_few_connections_and_all_together_some_more() {
        let mut all = arrivals();
        let now = Duration::ZERO;
        for _ in 0..2 {
            assert_eq!(all.arrive(phone(1), now), Arrival::Served);
        }
        assert_eq!(all.arrive(phone(1), now), Arrival::TurnedAway);
        all.leave(phone(1));
        assert_eq!(all.arrive(phone(1), now), Arrival::Served);
        for n in [2, 2, 3] {
            assert_eq!(all.arrive(phone(n), now), Arrival::Served);
        }
        assert_eq!(all.arrive(phone(4), now), Arrival::TurnedAway);
        all.leave(phone(2));
        assert_eq!(all.arrive(phone(4), now), Arrival::Served);
        // One that is asked to wait holds a connection as long as it reads that.
        all.leave(phone(3));
        assert_eq!(all.arrive(phone(1), now), Arrival::TurnedAway);
    }

    #[test]
    fn the_addresses_that_are_remembered_have_a_bound() {
        let mut all = arrivals();
        for n in 0..u32::try_from(REMEMBERED).unwrap() {
            assert_eq!(asks(&mut all, phone(n), Duration::ZERO), Arrival::Served);
        }
        let new = phone(1_000_000);
        assert_eq!(asks(&mut all, new, Duration::ZERO), Arrival::TurnedAway);
        assert_eq!(asks(&mut all, phone(7), Duration::ZERO), Arrival::Served, "it is known");
        assert_eq!(all.arrive(phone(8), Duration::ZERO), Arrival::Served);
        assert_eq!(asks(&mut all, new, PAUSE), Arrival::Served);
        // Who is here or not rested yet is remembered: the burst is not had twice.
        assert_eq!(all.from.len(), 3);
        all.leave(phone(8));
        assert_eq!(all.open, 0);
    }
}
