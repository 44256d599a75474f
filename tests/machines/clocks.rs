//! Clocks: they jump, stand still, begin again and lie, and nothing is sent again too late.
//!
//! The machine knows the true time; the program sees its clocks. In each case one of them lies at
//! most: the wall clock jumps by a second to 50 years either way, or stands still; or the boot
//! clock stands still while the machine sleeps, as some platforms have it. The machine is started
//! again, processes are, platforms do not name their starts, and the server's `Date` is whatever it
//! likes. It may also sleep between the begin of an attempt and its first byte. No byte of a key
//! leaves later than the window allows after the first, in true time, and the bank behind it pays
//! no key twice. Nor does any attempt begin sooner than half a minute after the one before ended
//! that may have paid.
//!
//! What no client can see is conceded, and the second test shows it: a send can be late only when
//! the wall clock *and* the boot clock, within one start of the machine, both show less time since
//! the first send than the window has, when no attempt in between read either of them going
//! backwards, and when the server's dates do not say otherwise. That is a virtual machine that was
//! paused, or brought back from a snapshot, and whose clocks both go on from where they stood; or
//! one whose boot clock stands still in its sleep (Linux's does not) and whose wall clock is set
//! back by as much. A clock that alone stands still or lies does not do it, and no `Date` does.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use balcao::cashier::{self, Clock, Report, Wire};
use balcao::contract::Contract;
use balcao::journal::money::{BeginRefused, MoneyJournal};
use balcao::journal::{Permit, Spent};
use balcao::service::{BodyEnd, RawReply, classify};
use balcao::trade::withdrawal::{AttemptEnd, Class, NoSend, NotSent, WithdrawalState};
use balcao::trade::{Agreement, Clocks, Failure, IdempotencyKey, NoAnswer, Wall};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::bank::{Bank, Fate, HOUR, Kind, MINUTE, Ms, SECOND};
use crate::chance::Chance;
use crate::effort::{Effort, grouped, promised, say, seed};
use crate::memory::{MemoryDisk, Platter};
use crate::paper::{WINDOW, account, agreement};
use crate::simulation::http_date;

const BEGINNING: i64 = 1_795_268_527_000;

const DAY: Ms = 24 * HOUR;

const YEAR: Ms = 365 * DAY;

/// The longest that a reply takes.
const DEADLINE: Ms = 30 * SECOND;

/// How late after the first send the bytes of a further one may leave, in true time.
const LAST: Ms = 10 * MINUTE - DEADLINE;

/// How long after an attempt that may have paid the next one begins at the soonest, in true time.
const WAIT: Ms = 30 * SECOND;

const THREADS: u64 = 2;

/// The only withdrawal's.
const KEY: u128 = 1;

fn cases() -> u64 {
    match Effort::wanted() {
        Effort::Small => 300,
        Effort::Usual => 10_000,
        Effort::Long => 1_000_000,
    }
}

/// Which clock does not tell the true time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Liar {
    Nobody,
    Wall,
    Boot,
    Both,
}

/// True time, and what the clocks make of it.
struct World {
    chance: Chance,
    liar: Liar,
    now: Ms,
    wall_ahead: i64,
    boot_behind: Ms,
    booted: Ms,
    boots: u64,
    process: u64,
    names_boots: bool,
    /// The first send of which a byte may have left.
    first: Option<First>,
    /// When the last attempt that may have paid ended.
    unclear: Option<Ms>,
    /// How long it slept between begins and first bytes.
    slept: Ms,
    sends: u64,
    /// It pays, but never says so: else there would be nothing to send again.
    bank: Bank,
    tally: Tally,
    late: Option<String>,
    trace: Vec<String>,
}

#[derive(Debug, Clone)]
struct First {
    began: Ms,
    left: Ms,
    /// What the clocks said when it began.
    clocks: Clocks,
}

#[derive(Debug, Default)]
struct Tally {
    sends: u64,
    resends: u64,
    refused: u64,
    stayed: u64,
    waits: u64,
    jumps: u64,
    sleeps: u64,
    boots: u64,
    dates: u64,
    late: u64,
    payouts: u64,
    /// Keys that were paid more than once.
    paid_twice: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.sends += other.sends;
        self.resends += other.resends;
        self.refused += other.refused;
        self.stayed += other.stayed;
        self.waits += other.waits;
        self.jumps += other.jumps;
        self.sleeps += other.sleeps;
        self.boots += other.boots;
        self.dates += other.dates;
        self.late += other.late;
        self.payouts += other.payouts;
        self.paid_twice += other.paid_twice;
    }
}

impl World {
    fn read(&self) -> Clocks {
        let boot_id = if self.names_boots {
            format!("boot {}", self.boots)
        } else {
            format!("process {}", self.process)
        };
        let boot_ms = self.now - self.booted - self.boot_behind;
        Clocks { wall: self.wall(), boot_ms, boot_id: boot_id.into() }
    }

    fn wall(&self) -> Wall {
        Wall(BEGINNING + self.now as i64 + self.wall_ahead)
    }

    fn say(&mut self, what: String) {
        self.trace.push(format!("{:>12.1} s  {what}", self.now as f64 / 1_000.0));
    }

    /// Time passes, and the liar may not notice.
    fn pass(&mut self, span: Ms, unnoticed: bool) {
        self.now += span;
        if unnoticed && matches!(self.liar, Liar::Wall | Liar::Both) {
            self.wall_ahead -= span as i64;
        }
        if unnoticed && matches!(self.liar, Liar::Boot | Liar::Both) {
            self.boot_behind += span;
        }
        self.say(format!("{} s passed, unnoticed: {unnoticed}", span / SECOND));
    }

    fn jump(&mut self) {
        let spans = [SECOND, MINUTE, 8 * MINUTE, 9 * MINUTE, HOUR, 25 * HOUR, YEAR, 50 * YEAR];
        let span = self.chance.one_of(&spans) as i64;
        self.wall_ahead += if self.chance.percent(50) { span } else { -span };
        self.tally.jumps += 1;
        self.say(format!("the wall clock is {} s ahead", self.wall_ahead / 1_000));
    }

    fn boot(&mut self) {
        (self.booted, self.boot_behind) = (self.now, 0);
        self.boots += 1;
        self.tally.boots += 1;
        self.say("the machine was started again".into());
    }

    /// The bytes of a send that began then leave: it must not be too late.
    fn sent(&mut self, began: Ms, at_begin: Clocks) {
        let clocks = self.read();
        self.sends += 1;
        self.tally.sends += 1;
        self.say(format!("sent with {clocks:?}"));
        let Some(first) = self.first.clone() else {
            self.first = Some(First { began, left: self.now, clocks: at_begin });
            return;
        };
        self.tally.resends += 1;
        if let Some(waited) = self.unclear.map(|ended| began - ended).filter(|it| *it < WAIT) {
            self.say(format!("TOO SOON: {waited} ms after the end of the one before"));
            self.late = Some(format!("{waited} ms after the one before"));
        }
        let since = self.now - first.left;
        if since > LAST || self.sends > 4 {
            self.tally.late += 1;
            let seen = clocks.elapsed_since(&first.clocks);
            self.say(format!("TOO LATE: {since} ms after the first, {seen:?} by the clocks"));
            self.late = Some(format!("{since} ms"));
            let seen = seen.expect("a clock in doubt permits nothing").as_millis() as Ms;
            assert!(seen <= LAST, "not even the clocks allow it");
        }
    }

    /// The lid closes after the attempt began and before its bytes leave.
    fn sleep_before_leaving(&mut self) {
        if self.chance.percent(25) {
            let span = self.chance.one_of(&[SECOND, 20 * SECOND, 3 * MINUTE, LAST, HOUR]);
            let unnoticed = self.chance.percent(50);
            self.slept += span;
            self.pass(span, unnoticed);
        }
    }

    /// What comes back: nothing, or an error with a date that the server likes.
    fn reply(&mut self, agreement: &Agreement) -> Result<RawReply, Failure> {
        let (luck, takes) = (self.chance.below(100), self.chance.below(DEADLINE));
        let status = if luck < 24 { None } else { Some(self.reach(agreement)) };
        self.pass(takes, false);
        let status = match (luck, status) {
            (0..12, _) => return Err(Failure::NotSent(NotSent::Connect)),
            (12..50, _) | (_, None) => return Err(Failure::NoAnswer(NoAnswer::Timeout)),
            (_, Some(status)) => status,
        };
        let mut headers = Vec::new();
        if self.chance.percent(80) {
            let spans = [0, 0, SECOND, 5 * MINUTE, 25 * HOUR, 50 * YEAR];
            let honest = self.liar == Liar::Nobody;
            let off = if honest { 0 } else { self.chance.one_of(&spans) as i64 };
            let off = if self.chance.percent(50) { off } else { -off };
            let date = http_date(Wall(BEGINNING + self.now as i64 + off));
            headers.push(("date".to_owned(), Zeroizing::new(date)));
            self.tally.dates += 1;
        }
        let body = Zeroizing::new(b"{}".to_vec());
        Ok(RawReply { status, headers, body, end: BodyEnd::Whole })
    }

    /// The bank gets it; the status it answers.
    fn reach(&mut self, agreement: &Agreement) -> u16 {
        let fate = self.chance.one_of(&[Fate::PaysAndFails, Fate::PaysAndFails, Fate::Fails]);
        let key = agreement.key.0.as_u128();
        let status = self.bank.take(key, &agreement.body, self.now, fate, 0);
        self.say(format!("bank: {status}, paid {} times", self.bank.paid(key)));
        status
    }
}

#[derive(Clone)]
struct Outside(Rc<RefCell<World>>, Arc<Contract>);

impl Clock for Outside {
    fn now(&self) -> Clocks {
        self.0.borrow().read()
    }
}

impl Wire for Outside {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let (spent, request) = permit.spend();
        let mut world = self.0.borrow_mut();
        let before = (world.first.clone(), world.sends);
        let agreement = request.agreement();
        let (began, at_begin) = (world.now, world.read());
        world.sleep_before_leaving();
        let outcome = if request.leave_by().allows(&world.read()) {
            world.sent(began, at_begin);
            world.reply(agreement)
        } else {
            world.tally.stayed += 1;
            Err(Failure::NotSent(NotSent::NotSafe))
        };
        let Clocks { wall: at, boot_ms, .. } = world.read();
        let class = classify(outcome.as_ref(), agreement, &self.1, request.sent_before(), at);
        if matches!(class, Class::NotSent(_)) {
            // Not a byte left, so it neither counts nor starts the window.
            (world.first, world.sends) = before;
        }
        if matches!(class, Class::Unclear(_)) {
            world.unclear = Some(world.now);
        }
        world.say(format!("{class:?}"));
        let reply = outcome.as_ref().ok();
        let (status, server_date) = (reply.map(|it| it.status), reply.and_then(RawReply::date));
        (spent, AttemptEnd { at, boot_ms, class, status, server_date, message: None, hint: None })
    }
}

/// One case: what came of it, and what is told of it.
fn lead(seed: u64, liar: Liar, contract: &Arc<Contract>) -> (Tally, Option<String>) {
    let mut chance = Chance::of(seed);
    let names_boots = chance.percent(85);
    // Half of them as forgetful as the window allows: what is late is paid again.
    let kind =
        if chance.percent(50) { Kind::ForgetsAfterTenMinutes } else { chance.one_of(&Kind::REAL) };
    let world = World {
        chance,
        liar,
        now: 5 * HOUR,
        wall_ahead: 0,
        boot_behind: 0,
        booted: 0,
        boots: 0,
        process: 0,
        names_boots,
        first: None,
        unclear: None,
        slept: 0,
        sends: 0,
        bank: Bank::new(kind),
        tally: Tally::default(),
        late: None,
        trace: Vec::new(),
    };
    let outside = Outside(Rc::new(RefCell::new(world)), contract.clone());
    let mut case = Case { outside, platter: Platter::default(), restarted: false };
    let ended = case.lead();
    let mut world = case.outside.0.borrow_mut();
    let paid = world.bank.paid(KEY);
    (world.tally.payouts, world.tally.paid_twice) = (paid as u64, u64::from(paid > 1));
    let twice = (paid > 1 && liar != Liar::Both).then(|| format!("{kind:?} paid {paid} times"));
    let wrong = twice.or(ended.err()).or(world.late.take());
    let told = wrong.map(|wrong| {
        let trace = world.trace.join("\n");
        format!("BALCAO_SEED={seed}, {liar:?} lies: {wrong}\n{trace}")
    });
    (std::mem::take(&mut world.tally), told)
}

struct Case {
    outside: Outside,
    platter: Platter,
    /// Whether the boot clock cannot be compared with that of the first send.
    restarted: bool,
}

/// One at a time, the wall clock more often: it has more ways to lie.
const LIARS: [Liar; 4] = [Liar::Nobody, Liar::Wall, Liar::Wall, Liar::Boot];

type Journal = Mutex<MoneyJournal<MemoryDisk>>;

impl Case {
    fn world(&self) -> std::cell::RefMut<'_, World> {
        self.outside.0.borrow_mut()
    }

    fn open(&self) -> Journal {
        let disk = MemoryDisk::new(&self.platter);
        self.world().process += 1;
        Mutex::new(disk.open(false).expect("it opens"))
    }

    fn lead(&mut self) -> Result<(), String> {
        let key = IdempotencyKey(Uuid::from_u128(KEY));
        let mut journal = self.open();
        let account = account("https://pay.example", "ana");
        let paper = agreement(key, account, 1_010, self.outside.now(), "");
        journal.lock().expect("one thread").prepare(paper, None).expect("prepared");
        let steps = 6 + self.world().chance.below(14);
        for _ in 0..steps {
            let what = self.world().chance.below(100);
            match what {
                0..45 => self.send(key, &journal)?,
                45..65 => self.wait(),
                65..75 if matches!(self.world().liar, Liar::Wall | Liar::Both) => {
                    self.world().jump();
                }
                65..85 => self.sleep(),
                85..93 => journal = self.restart(),
                93..97 => {
                    self.world().boot();
                    self.restarted = true;
                    journal = self.restart();
                }
                _ => {}
            }
        }
        self.come_to_an_end(key, &journal)
    }

    fn restart(&mut self) -> Journal {
        let names_boots = self.world().names_boots;
        self.restarted |= !names_boots;
        self.open()
    }

    fn wait(&self) {
        let mut world = self.world();
        let span = [SECOND, 20 * SECOND, WAIT, MINUTE, 3 * MINUTE, 5 * MINUTE, LAST, HOUR, DAY];
        let span = world.chance.one_of(&span);
        world.pass(span, false);
    }

    /// The machine sleeps, or its liar stands still.
    fn sleep(&self) {
        let mut world = self.world();
        let span = world.chance.one_of(&[MINUTE, 9 * MINUTE, 11 * MINUTE, 8 * HOUR]);
        let unnoticed = world.chance.percent(70);
        world.tally.sleeps += 1;
        world.pass(span, unnoticed);
    }

    fn send(&self, key: IdempotencyKey, journal: &Journal) -> Result<(), String> {
        if self.world().chance.percent(60) {
            self.wait_until_it_may(key, journal);
        }
        let (outside, mut reports) = (&self.outside, Vec::new());
        let note = |report| reports.push(report);
        let attempt = cashier::attempt(key, &WINDOW, journal, outside, outside, note);
        futures_util::FutureExt::now_or_never(attempt).expect("this wire never waits");
        let Some(Report::NotBegun { why, .. }) = reports.pop() else { return Ok(()) };
        let mut world = self.world();
        world.tally.refused += 1;
        world.say(format!("not sent: {why:?}"));
        let since = world.first.as_ref().map(|first| world.now - first.began);
        let no_send = match why {
            BeginRefused::NoSend(no_send) => no_send,
            BeginRefused::TooSoon { .. } => {
                world.tally.waits += 1;
                let waited = world.unclear.map(|ended| world.now - ended);
                let is_over = waited.is_none_or(|waited| waited >= WAIT);
                return match world.liar == Liar::Nobody && is_over {
                    true => Err(format!("{why:?}, {waited:?} ms after the one before")),
                    false => Ok(()),
                };
            }
            why => return Err(format!("{why:?}")),
        };
        // Where no clock lies, nothing is refused but by the rule; the server's dates are of its
        // replies, and may take as much from the window as an attempt takes.
        let takes = world.slept + DEADLINE + WAIT + SECOND;
        let too_late = since.is_some_and(|since| since + takes > LAST);
        let by_rule = too_late || self.restarted || no_send == NoSend::TooManySends;
        if world.liar == Liar::Nobody && !by_rule {
            return Err(format!("{no_send:?}, {since:?} ms after the first"));
        }
        Ok(())
    }

    /// The seller presses the key when it is offered again, and not sooner.
    fn wait_until_it_may(&self, key: IdempotencyKey, journal: &Journal) {
        let known = journal.lock().expect("one thread").get(key);
        let known = known.expect("read").expect("there");
        let wait = WINDOW.wait(&known.attempts, &self.outside.now());
        self.world().pass(wait.as_millis() as Ms, false);
    }

    /// An hour later nothing is sent any more, unless nothing ever was.
    fn come_to_an_end(&self, key: IdempotencyKey, journal: &Journal) -> Result<(), String> {
        self.world().pass(HOUR, false);
        let known = journal.lock().expect("one thread").get(key);
        let known = known.expect("read").expect("there");
        let state = known.state(&self.outside.now(), &WINDOW, false);
        let was_sent = self.world().first.is_some();
        match state {
            WithdrawalState::NeedsPerson(_) if was_sent => Ok(()),
            WithdrawalState::Prepared if !was_sent => Ok(()),
            // Both clocks may have lost the hour.
            WithdrawalState::Unknown if self.world().liar == Liar::Both => Ok(()),
            state => Err(format!("at the end it is {state:?}")),
        }
    }
}

/// Leads so many cases; what came of them, and the first that went wrong.
fn all(liars: &[Liar]) -> (Tally, Option<String>) {
    let (next, result) = (AtomicU64::new(0), Mutex::new((Tally::default(), None)));
    let work = || {
        let contract = Arc::new(Contract::built_in());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= cases() {
                break;
            }
            let liar = liars[(seed % liars.len() as u64) as usize];
            let (tally, wrong) = lead(seed, liar, &contract);
            let mut result = result.lock().expect("no panic");
            result.0.add(&tally);
            if let Some(wrong) = wrong {
                result.1.get_or_insert(wrong);
            }
        }
    };
    thread::scope(|scope| {
        (0..THREADS).for_each(|_| drop(scope.spawn(work)));
    });
    result.into_inner().expect("no panic")
}

#[test]
fn no_clock_that_lies_alone_makes_a_send_late() {
    if let Some(seed) = seed() {
        let (tally, wrong) = lead(seed, LIARS[seed as usize % 4], &Arc::new(Contract::built_in()));
        assert_eq!(wrong, None, "{tally:?}");
        return;
    }
    let (tally, wrong) = all(&LIARS);
    say(&format!("clocks, seeds 0 to {}: {tally:?}", cases() - 1));
    if let Some(wrong) = wrong {
        panic!("{wrong}");
    }
    promised(&format!("{} clocks", grouped(cases())));
    let Tally { resends, refused, stayed, waits, dates, payouts, .. } = tally;
    let happened = [resends, refused, stayed, waits, dates, payouts];
    assert!(happened.iter().all(|times| *times > 0) && tally.paid_twice == 0, "{tally:?}");
}

#[test]
fn only_two_clocks_that_lie_together_can() {
    let (tally, wrong) = all(&[Liar::Both]);
    let Some(wrong) = wrong else { panic!("not seen: {tally:?}") };
    assert!(wrong.contains("TOO LATE"), "{wrong}");
    // What is late is what a bank may have forgotten.
    assert!(tally.paid_twice > 0, "{tally:?}");
    say(&format!("clocks, conceded, seeds 0 to {}: {tally:?}", cases() - 1));
}
