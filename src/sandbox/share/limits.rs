//! The limits of a share: how much one phone may ask for, so that it cannot spoil a demo.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::time::Duration;

use tokio::sync::oneshot;

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

/// A connection that was let in.
#[derive(Debug)]
pub(super) struct Admitted {
    /// The number of the connection; a later one has a greater number.
    pub number: u64,
    /// True if its request is answered with a wish to wait.
    pub comes_too_often: bool,
    /// Resolves to `Ok` when the connection has to end, to make room for another one.
    pub give_way: oneshot::Receiver<()>,
}

/// The connections of a share, by the address that they come from.
#[derive(Debug)]
pub(super) struct Arrivals {
    limits: ShareLimits,
    from: HashMap<IpAddr, Visits>,
    /// The addresses of the open connections, by number.
    open: BTreeMap<u64, IpAddr>,
    /// The open connections whose request has not arrived yet.
    silent: BTreeMap<u64, oneshot::Sender<()>>,
    last: u64,
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
        Arrivals {
            limits,
            from: HashMap::new(),
            open: BTreeMap::new(),
            silent: BTreeMap::new(),
            last: 0,
        }
    }

    /// Lets a connection in at a moment, counted from any beginning; `None` if it is closed at
    /// once.
    ///
    /// If too many are open, the oldest one whose request has not arrived ends instead. Without
    /// that, slow connections from many addresses would keep all phones out.
    pub fn arrive(&mut self, ip: IpAddr, now: Duration) -> Option<Admitted> {
        if self.from.len() >= REMEMBERED {
            self.from.retain(|_, visits| visits.open > 0 || visits.rested > now);
        }
        let is_known = self.from.contains_key(&ip);
        let is_one_too_many =
            self.from.get(&ip).is_some_and(|visits| visits.open >= self.limits.open_each);
        if is_one_too_many || (self.from.len() >= REMEMBERED && !is_known) {
            return None;
        }
        if self.open.len() >= self.limits.open_in_all {
            let (oldest, give_way) = self.silent.pop_first()?;
            give_way.send(()).ok();
            self.leave(oldest);
        }
        self.last += 1;
        let number = self.last;
        let (sender, give_way) = oneshot::channel();
        self.silent.insert(number, sender);
        self.open.insert(number, ip);
        let visits = self.from.entry(ip).or_default();
        visits.open += 1;
        let rested = visits.rested.max(now) + self.limits.pause;
        let comes_too_often = rested - now > self.limits.pause * self.limits.burst;
        if !comes_too_often {
            visits.rested = rested;
        }
        Some(Admitted { number, comes_too_often, give_way })
    }

    /// Notes that the request of a connection has arrived: it gives way to no other one.
    pub fn asked(&mut self, number: u64) {
        self.silent.remove(&number);
    }

    /// Notes that a connection has ended.
    pub fn leave(&mut self, number: u64) {
        self.silent.remove(&number);
        let ip = self.open.remove(&number);
        if let Some(visits) = ip.and_then(|ip| self.from.get_mut(&ip)) {
            visits.open = visits.open.saturating_sub(1);
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

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Arrival {
        Served,
        TooOften,
        TurnedAway,
    }

    fn received(admitted: Option<&Admitted>) -> Arrival {
        match admitted {
            Some(one) if one.comes_too_often => Arrival::TooOften,
            Some(_) => Arrival::Served,
            None => Arrival::TurnedAway,
        }
    }

    /// Opens a connection and sends its request.
    fn asks(arrivals: &mut Arrivals, ip: IpAddr) -> Option<Admitted> {
        let admitted = arrivals.arrive(ip, Duration::ZERO)?;
        arrivals.asked(admitted.number);
        Some(admitted)
    }

    /// Comes, is answered, and goes.
    fn visits(arrivals: &mut Arrivals, ip: IpAddr, now: Duration) -> Arrival {
        let admitted = arrivals.arrive(ip, now);
        if let Some(one) = &admitted {
            arrivals.leave(one.number);
        }
        received(admitted.as_ref())
    }

    #[test]
    fn an_address_may_send_a_burst_and_then_one_request_a_pause() {
        let (mut all, one) = (arrivals(), phone(1));
        let start = Duration::from_secs(100);
        for _ in 0..3 {
            assert_eq!(visits(&mut all, one, start), Arrival::Served);
        }
        let early = start + PAUSE - Duration::from_nanos(1);
        for now in [start, early] {
            assert_eq!(visits(&mut all, one, now), Arrival::TooOften);
        }
        // Another phone is served meanwhile, and what was refused cost nothing.
        assert_eq!(visits(&mut all, phone(2), start), Arrival::Served);
        assert_eq!(visits(&mut all, one, start + PAUSE), Arrival::Served);
        assert_eq!(visits(&mut all, one, start + PAUSE), Arrival::TooOften);
        // All of it is there again after a rest, and no more than that.
        let rested = start + Duration::from_secs(3_600);
        let served = (0..10).filter(|_| visits(&mut all, one, rested) == Arrival::Served);
        assert_eq!(served.count(), 3);
    }

    #[test]
    fn an_address_has_few_connections_and_all_together_some_more() {
        let mut all = arrivals();
        let first = asks(&mut all, phone(1)).unwrap();
        let second = asks(&mut all, phone(1)).unwrap();
        assert!(asks(&mut all, phone(1)).is_none());
        all.leave(first.number);
        assert!(asks(&mut all, phone(1)).is_some());
        let others = [2, 2, 3].map(|n| asks(&mut all, phone(n)).unwrap());
        assert!(asks(&mut all, phone(4)).is_none());
        all.leave(others[0].number);
        assert!(asks(&mut all, phone(4)).is_some());
        // One that is asked to wait holds a connection as long as it reads that.
        all.leave(second.number);
        assert!(asks(&mut all, phone(1)).unwrap().comes_too_often);
        assert!(asks(&mut all, phone(1)).is_none());
    }

    #[test]
    fn full_share_ends_the_oldest_silent_connection() {
        let mut all = arrivals();
        let asked = asks(&mut all, phone(1)).unwrap();
        let mut silent: Vec<_> =
            (2..=5).map(|n| all.arrive(phone(n), Duration::ZERO).unwrap()).collect();
        assert!(asks(&mut all, phone(6)).is_some());
        assert_eq!(silent[0].give_way.try_recv(), Ok(()));
        // Its own end is noted later, and frees no second place.
        all.leave(silent[0].number);
        assert_eq!(all.open.len(), 5);
        assert!(asks(&mut all, phone(7)).is_some());
        assert_eq!(silent[1].give_way.try_recv(), Ok(()));
        assert!(silent[2].give_way.try_recv().is_err());
        assert!(all.open.contains_key(&asked.number), "it is older, and is being answered");
    }

    #[test]
    fn the_addresses_that_are_remembered_have_a_bound() {
        let mut all = arrivals();
        for n in 0..u32::try_from(REMEMBERED).unwrap() {
            assert_eq!(visits(&mut all, phone(n), Duration::ZERO), Arrival::Served);
        }
        let new = phone(1_000_000);
        assert_eq!(visits(&mut all, new, Duration::ZERO), Arrival::TurnedAway);
        assert_eq!(visits(&mut all, phone(7), Duration::ZERO), Arrival::Served, "it is known");
        let one = all.arrive(phone(8), Duration::ZERO).unwrap();
        assert_eq!(visits(&mut all, new, PAUSE), Arrival::Served);
        // Who is here or not rested yet is remembered: the burst is not had twice.
        assert_eq!(all.from.len(), 3);
        all.leave(one.number);
        assert!(all.open.is_empty() && all.silent.is_empty());
    }
}
