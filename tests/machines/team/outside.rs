//! The simulated world outside the app: the true time, the clocks of the machines, the network to
//! the bank, and the bank.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use balcao::cashier::{Clock, Wire};
use balcao::journal::money::BootClock;
use balcao::journal::{Permit, PermittedRequest, Spent};
use balcao::trade::withdrawal::{AttemptEnd, Class, NotSent, Unclear};
use balcao::trade::{Clocks, Wall};

use super::server::{MACHINES, MemoryLog};
use super::tally::{Tally, Violation};
use crate::bank::{Bank, BankKind, Fate, HOUR, MINUTE, Ms, SECOND};
use crate::chance::Random;

/// The wall clock at the start of the simulation (2026-11-21), in milliseconds.
const START_WALL_MS: i64 = 1_795_268_527_000;

/// The deadline of a request, by the clock of its sender.
const DEADLINE: Ms = 30 * SECOND;

/// The state of the simulated world outside the app.
pub struct Outside {
    pub random: Random,
    /// The true time. The machines' clocks may be too fast or too slow.
    pub now: Ms,
    /// The true time, for clocks on the thread of a journal.
    shared_now: Arc<AtomicU64>,
    machines: [Machine; MACHINES],
    pub bank: Bank,
    delayed: Vec<DelayedRequest>,
    flights: Vec<Flight>,
    pub trace: Option<Vec<String>>,
    pub violations: Vec<Violation>,
    pub tally: Tally,
}

struct Machine {
    /// The speed of the machine's clocks, in thousandths of the true speed.
    speed: u64,
    boot_time: Ms,
    boots: u64,
}

/// A request that was sent. Its sender gives up at the deadline.
struct Flight {
    machine: usize,
    window: usize,
    key: u128,
    until: Ms,
}

/// A request that reaches the bank after its sender has given up.
struct DelayedRequest {
    arrives_at: Ms,
    key: u128,
    body: Arc<str>,
    fate: Fate,
}

impl Outside {
    pub fn new(mut random: Random, with_trace: bool) -> Outside {
        let drifts = random.percent_chance(50);
        let machines = [0, 1].map(|_| Machine {
            speed: if drifts {
                random.one_of(&[900, 950, 1_050, 1_100])
            } else {
                1_000
            },
            boot_time: 0,
            boots: 0,
        });
        let kind = random.one_of(&BankKind::REAL);
        let mut tally = Tally::default();
        tally.drifts += u64::from(machines[0].speed != machines[1].speed);
        Outside {
            random,
            now: HOUR,
            shared_now: Arc::new(AtomicU64::new(HOUR)),
            machines,
            bank: Bank::new(kind),
            delayed: Vec::new(),
            flights: Vec::new(),
            trace: with_trace.then(Vec::new),
            violations: Vec::new(),
            tally,
        }
    }

    /// Adds a line of text to the run's log.
    pub fn log(&mut self, what: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.push(format!("{:>8.1} s  {}", self.now as f64 / 1_000.0, what()));
        }
    }

    /// Records the violation of a rule.
    pub fn report_violation(&mut self, violation: Violation, what: impl FnOnce() -> String) {
        self.log(|| format!("VIOLATION {violation:?}: {}", what()));
        self.violations.push(violation);
    }

    /// Advances the true time. Delayed requests that become due then reach the bank.
    pub fn advance_to(&mut self, time: Ms) {
        self.delayed.sort_by_key(|delayed| delayed.arrives_at);
        while self
            .delayed
            .first()
            .is_some_and(|next| next.arrives_at <= time)
        {
            let DelayedRequest {
                arrives_at,
                key,
                body,
                fate,
            } = self.delayed.remove(0);
            self.now = arrives_at.max(self.now);
            let status = self.bank.handle_request(key, &body, self.now, fate, 0);
            self.log(|| format!("bank: a late request of {key}: {status}"));
        }
        self.now = time.max(self.now);
        self.shared_now.store(self.now, Ordering::SeqCst);
    }

    /// Returns true if the bank may still pay this key, now or later.
    pub fn is_outstanding(&self, key: u128) -> bool {
        let is_delayed = self.delayed.iter().any(|delayed| delayed.key == key);
        is_delayed || self.bank.payout_count(key) > self.bank.payouts_until(key, self.now)
    }

    /// Ends the connection of a window that was killed. Its request may be at the bank.
    pub fn end_flight(&mut self, machine: usize, window: usize) {
        self.flights
            .retain(|flight| [flight.machine, flight.window] != [machine, window]);
    }

    pub fn reboot(&mut self, machine: usize) {
        self.tally.reboots += 1;
        self.machines[machine].boots += 1;
        self.machines[machine].boot_time = self.now;
        self.log(|| format!("machine {machine} is started again"));
    }

    /// Records that the first byte of a request is sent, and checks that no other machine and no
    /// other window with this account is sending.
    fn begin_flight(&mut self, [machine, window]: [usize; 2], request: &PermittedRequest) {
        let key = request.agreement().key.0.as_u128();
        let now = self.now;
        self.tally.sends += 1;
        self.log(|| {
            format!(
                "{key} is sent by machine {machine}, attempt {}",
                request.n()
            )
        });
        self.flights.retain(|flight| flight.until > now);
        if !self.flights.is_empty() {
            self.report_violation(Violation::Overlap, || key.to_string());
        }
        self.flights.push(Flight {
            machine,
            window,
            key,
            until: now + self.true_time(machine, DEADLINE),
        });
    }

    /// The true duration of a time that a machine measures.
    fn true_time(&self, machine: usize, time: Ms) -> Ms {
        time * 1_000 / self.machines[machine].speed
    }
}

/// The clocks of a machine.
#[derive(Clone)]
pub struct MachineClocks {
    pub outside: Rc<RefCell<Outside>>,
    pub machine: usize,
}

impl MachineClocks {
    /// The boot clock, for a journal that was opened in this boot.
    pub fn boot_clock(&self) -> BootClock {
        let outside = self.outside.borrow();
        let Machine {
            speed, boot_time, ..
        } = outside.machines[self.machine];
        let now = outside.shared_now.clone();
        Box::new(move || {
            let since_boot = now.load(Ordering::SeqCst) - boot_time;
            Duration::from_millis(since_boot * speed / 1_000)
        })
    }
}

impl Clock for MachineClocks {
    fn now(&self) -> Clocks {
        let outside = self.outside.borrow();
        let machine = &outside.machines[self.machine];
        let boot_ms = (outside.now - machine.boot_time) * machine.speed / 1_000;
        let wall_ms = outside.now * machine.speed / 1_000;
        Clocks {
            wall: Wall(START_WALL_MS + wall_ms as i64),
            boot_ms,
            boot_id: format!("machine {} boot {}", self.machine, machine.boots).into(),
        }
    }
}

/// A future that is ready at a point of true time.
pub struct SleepUntil {
    outside: Rc<RefCell<Outside>>,
    time: Ms,
    /// The time at which the window of this future is to be resumed.
    due: Rc<RefCell<Ms>>,
}

impl Future for SleepUntil {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.outside.borrow().now >= self.time {
            return Poll::Ready(());
        }
        *self.due.borrow_mut() = self.time;
        Poll::Pending
    }
}

/// The connection of a window to the bank.
#[derive(Clone)]
pub struct TeamWire {
    pub clocks: MachineClocks,
    pub window: usize,
    pub log: MemoryLog,
    pub due: Rc<RefCell<Ms>>,
}

/// How a request ends at the network and the bank.
enum Outcome {
    /// The bank replies with this status after this time.
    Replied(u16, Ms),
    /// No reply arrives within this time.
    Silent(Ms),
}

impl Wire for TeamWire {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let (spent, request) = permit.spend();
        // The process or the machine may sleep before the first byte.
        self.sleep(&[
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            5 * SECOND,
            28 * SECOND,
            35 * SECOND,
            5 * MINUTE,
        ])
        .await;
        let is_cut = self.outside().random.percent_chance(3);
        if is_cut {
            self.log.cut();
        }
        if !request.send_limit().allows(&self.clocks.now()) {
            let mut outside = self.outside();
            if is_cut {
                outside.tally.cut_before_send += 1;
            } else {
                outside.tally.leash_refusals += 1;
            }
            drop(outside);
            return (spent, self.end(Class::NotSent(NotSent::NotSafe), None));
        }
        let outcome = self.deliver(&request);
        let class = match outcome {
            Outcome::Replied(status, time) => {
                self.sleep(&[time]).await;
                class_of(status, request.sent_before())
            }
            Outcome::Silent(time) => {
                self.sleep(&[time]).await;
                Class::Unclear(Unclear::Timeout)
            }
        };
        let key = request.agreement().key.0.as_u128();
        let mut outside = self.outside();
        outside.log(|| format!("{key}: {class:?}"));
        outside.flights.retain(|flight| flight.key != key);
        drop(outside);
        (spent, self.end(class, Some(200)))
    }
}

impl TeamWire {
    fn outside(&self) -> std::cell::RefMut<'_, Outside> {
        self.clocks.outside.borrow_mut()
    }

    /// Waits for the thread of the journal, which may be busy.
    pub async fn wait_for_journal(&self) {
        let is_busy = self.outside().random.percent_chance(15);
        if is_busy {
            self.sleep(&[SECOND, 20 * SECOND, 50 * SECOND]).await;
        }
    }

    /// Waits before the next try to record an outcome.
    pub async fn retry_later(&self) {
        self.sleep(&[5 * SECOND]).await;
    }

    /// Waits for one of these times.
    async fn sleep(&self, times: &[Ms]) {
        let time = {
            let mut outside = self.outside();
            outside.now + outside.random.one_of(times)
        };
        SleepUntil {
            outside: self.clocks.outside.clone(),
            time,
            due: self.due.clone(),
        }
        .await;
    }

    /// Sends the first byte, and delivers the request to the bank unless it is lost.
    fn deliver(&self, request: &PermittedRequest) -> Outcome {
        let mut outside = self.outside();
        let outside = &mut *outside;
        outside.begin_flight([self.clocks.machine, self.window], request);
        let agreement = request.agreement();
        let key = agreement.key.0.as_u128();
        let fate = outside.random.one_of(&[
            Fate::Pays,
            Fate::Pays,
            Fate::Pays,
            Fate::PaysAndFails,
            Fate::Fails,
            Fate::Refuses(400),
            Fate::Refuses(401),
        ]);
        let deadline = outside.true_time(self.clocks.machine, DEADLINE);
        let silence = outside.random.one_of(&[SECOND, deadline]);
        match outside.random.below(10) {
            0 => Outcome::Silent(silence),
            1 => {
                let delay = outside
                    .random
                    .one_of(&[5 * SECOND, 20 * SECOND, 2 * MINUTE]);
                let arrives_at = outside.now + outside.bank.kind.limit_delay(delay);
                outside.delayed.push(DelayedRequest {
                    arrives_at,
                    key,
                    body: agreement.body.clone(),
                    fate,
                });
                Outcome::Silent(deadline)
            }
            chance => {
                let processing_time = outside.random.one_of(&[0, 5 * SECOND]);
                let status = outside.bank.handle_request(
                    key,
                    &agreement.body,
                    outside.now,
                    fate,
                    processing_time,
                );
                if chance < 4 {
                    return Outcome::Silent(silence);
                }
                let time = outside.random.one_of(&[SECOND, 6 * SECOND, 25 * SECOND]);
                Outcome::Replied(status, time)
            }
        }
    }

    fn end(&self, class: Class, status: Option<u16>) -> AttemptEnd {
        let now = self.clocks.now();
        AttemptEnd {
            at: now.wall,
            boot_ms: now.boot_ms,
            class,
            status,
            server_date: None,
            message: None,
            hint: None,
        }
    }
}

/// The class of an attempt with this reply, as the app classifies it.
fn class_of(status: u16, sent_before: bool) -> Class {
    match status {
        200..=207 => Class::Confirmed {
            id: Some("w-1".into()),
            status: None,
        },
        401 => Class::Unauthorized,
        422 if sent_before => Class::KeyReused,
        400 | 422 => Class::DefiniteNo,
        409 => Class::Unclear(Unclear::Conflict),
        _ => Class::Unclear(Unclear::Status),
    }
}
