//! Tests the production client, cashier and journal over real sockets, with a server that can fail
//! at every byte.
//!
//! A life is a test of one withdrawal. Faults happen to its attempts, and it is resent as long as
//! that is safe. For each fault, the test knows which class `classify` must return, and the bank's
//! ledger counts the payouts. The test runs in its own child process, because the client must trust
//! only the test's root certificate, and because other tests would affect the memory measurement.

mod catalogue;
mod certificates;
mod elsewhere;
mod exchange;
mod fault;
mod host;
mod life;
mod memory_use;
mod reply;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

use balcao::runtime::clocks::instant;
use tokio::task::{JoinSet, LocalSet};

use self::catalogue::Sizes;
use self::elsewhere::{ForbiddenServer, Heard};
use self::fault::{AttemptClass, Expected, Fault};
use self::host::Speaks;
use self::life::{Ended, SharedClients, live, live_under};
use crate::chance::Random;
use crate::effort::{Effort, grouped, promised, say};

/// The name of this file's test. A child process uses it to run only this test.
const NAME: &str = "wires::every_fault_is_taken_for_what_it_is";

/// The environment variable that passes the certificate directory to the child process.
const CERTIFICATES: &str = "BALCAO_WIRES_CERTIFICATES";

/// The number of withdrawals that are tested at the same time.
const AT_ONCE: usize = 24;

/// The maximum growth of the process's memory in KiB while the client receives replies of 100 MiB.
const GROWTH: u64 = 8 * 1024;

/// Returns how many withdrawals to test. Except in a small run, every fault is then tested at least
/// once.
fn lives(effort: Effort) -> u64 {
    match effort {
        Effort::Small => 60,
        Effort::Usual => 3_000,
        Effort::Long => 20_000,
    }
}

#[test]
fn every_fault_is_taken_for_what_it_is() {
    match std::env::var_os(CERTIFICATES) {
        Some(dir) => drive(Path::new(&dir)),
        None => in_a_process_of_its_own(),
    }
}

/// Runs this test again in a child process, which trusts only the test's root certificate.
fn in_a_process_of_its_own() {
    let dir = tempfile::tempdir().expect("a directory");
    certificates::make(dir.path());
    let own = std::env::current_exe().expect("this program");
    let output = Command::new(own)
        .args([NAME, "--exact", "--nocapture"])
        .env(CERTIFICATES, dir.path())
        .env("SSL_CERT_FILE", dir.path().join(certificates::ROOT))
        .env_remove("SSL_CERT_DIR")
        // Do not capture standard error, because the results must appear immediately.
        .stderr(Stdio::inherit())
        .output()
        .expect("this program starts");
    let rest = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}\n{rest}", output.status);
    assert!(rest.contains("1 passed"), "no test of the name {NAME}: {rest}");
}

fn drive(certificates: &Path) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    LocalSet::new().block_on(&runtime, async {
        // Replacing the system's root certificates with an environment variable works only on
        // Linux.
        let trusted = cfg!(target_os = "linux");
        if !trusted {
            say("SKIPPED: faults of TLS: a trusted root can only be handed over on Linux");
        }
        let street = SharedClients::new(trusted.then(|| Speaks::read(certificates)));
        let elsewhere = ForbiddenServer::listen().await;
        let plan = Plan::measure(&street, elsewhere.port, trusted).await;
        let asked = std::env::var("BALCAO_SEED").ok().and_then(|seed| seed.parse().ok());
        let all = Rc::new(All { street, plan, tally: RefCell::default(), next: Cell::new(0) });
        match asked {
            Some(n) => all.lead(n).await,
            None => everything(&all).await,
        }
        say(&format!("{:?}", all.tally.borrow()));
        assert_eq!(elsewhere.heard(), Heard::default(), "somebody went elsewhere");
        assert!(elsewhere.is_listening().await, "nobody would have been heard elsewhere");
        assert!(!all.street.told_a_secret(), "a credential in an exchange that is shown");
    });
}

async fn everything(all: &Rc<All>) {
    let effort = Effort::wanted();
    floods(all, effort).await;
    headers(all).await;
    let mut working = JoinSet::new();
    if effort != Effort::Small {
        for fault in catalogue::real_deadlines(all.plan.trusted) {
            let all = all.clone();
            working.spawn_local(async move { all.wait_out(fault).await });
        }
    }
    let lives = lives(effort);
    for _ in 0..AT_ONCE {
        let all = all.clone();
        working.spawn_local(async move {
            while all.next.get() < lives {
                let n = all.next.replace(all.next.get() + 1);
                // If there are fewer withdrawals than faults, pick faults that are spread over the
                // whole list.
                let spread = if effort == Effort::Small { all.plan.faults() / lives } else { 1 };
                all.lead(n * spread).await;
            }
        });
    }
    while let Some(ended) = working.join_next().await {
        ended.expect("a life is led to its end");
    }
    let tally = all.tally.borrow();
    promised(&format!("{} withdrawals: each taken", grouped(lives)));
    assert!(effort == Effort::Small || lives >= all.plan.faults(), "not all faults were met");
    let usual = [
        AttemptClass::NotSent,
        AttemptClass::Unclear,
        AttemptClass::Confirmed,
        AttemptClass::No,
        AttemptClass::Redirected,
    ];
    for means in usual {
        assert!(tally.taken.contains_key(&means) || !all.plan.trusted, "never {means:?}");
    }
    assert!(tally.resends > 0 && tally.payouts > 0);
}

/// The totals of all test withdrawals.
#[derive(Debug, Default)]
struct Tally {
    lives: u64,
    resends: usize,
    payouts: usize,
    taken: BTreeMap<AttemptClass, u64>,
    states: BTreeMap<&'static str, u64>,
}

struct All {
    street: SharedClients,
    plan: Plan,
    tally: RefCell<Tally>,
    next: Cell<u64>,
}

impl All {
    /// Tests withdrawal number `n` with the faults that the plan assigns to it.
    async fn lead(&self, n: u64) {
        let mut chance = Random::of(n);
        let (tls, faults) = self.plan.of(n, &mut chance);
        let ended = live(&self.street, tls, &mut chance, faults).await;
        self.judge(ended, &format!("BALCAO_SEED={n}"));
    }

    fn judge(&self, ended: Ended, which: &str) {
        if let Some(violation) = ended.violation {
            panic!("{which}: {violation}");
        }
        assert!(ended.payouts <= 1, "{which}: paid {} times", ended.payouts);
        let mut tally = self.tally.borrow_mut();
        tally.lives += 1;
        tally.resends += ended.attempts.len().saturating_sub(1);
        tally.payouts += ended.payouts;
        *tally.states.entry(ended.state).or_default() += 1;
        for means in ended.attempts {
            *tally.taken.entry(means).or_default() += 1;
        }
    }

    /// Tests a withdrawal with an attempt that lasts until the client's real deadline. Checks how
    /// long the attempt takes.
    async fn wait_out(&self, fault: Fault) {
        let wanted = if fault.name.contains("10 s") { 10 } else { 30 };
        let (name, tls) = (fault.name.clone(), fault.name.contains("greeting"));
        let began = instant();
        let ended = live(&self.street, tls, &mut Random::of(0), vec![fault]).await;
        let took = began.elapsed();
        self.judge(ended, &name);
        say(&format!("{name}: over after {:.1} s", took.as_secs_f32()));
        // Allow up to 15 additional seconds, because the machine may be busy.
        let (least, most) = (Duration::from_secs(wanted - 1), Duration::from_secs(wanted + 15));
        assert!(least < took && took < most, "{name}: {took:?}");
    }
}

/// Checks that nothing is sent if the API contract puts the idempotency key into an unsuitable
/// header, such as `Host`.
async fn headers(all: &All) {
    for name in ["Host", "Authorization", "Content-Length", "Transfer-Encoding", "content_type"] {
        let held = Fault { expected: Expected::This(AttemptClass::NotSent), ..catalogue::none() };
        let faults = vec![held.clone(), held];
        let ended = live_under(name, &all.street, false, &mut Random::of(0), faults).await;
        let nothing = ended.request.is_none() && ended.payouts == 0;
        all.judge(ended, name);
        assert!(nothing, "{name}: somebody was asked for money");
    }
}

/// Sends replies of 100 MiB in every form, and checks that the client uses little memory.
async fn floods(all: &Rc<All>, effort: Effort) {
    let (rounds, slow) = if effort == Effort::Small { (1_u64, false) } else { (2, true) };
    // Test a few ordinary withdrawals first, so that one-time allocations do not affect the
    // measurement.
    for n in 0..8 {
        all.lead(all.plan.faults() + n).await;
    }
    let Some(before) = memory_use::begin() else {
        return say("SKIPPED: memory over 100 MiB replies: this system does not tell it");
    };
    for round in 0..rounds {
        for fault in catalogue::floods(slow) {
            let tls = round % 2 == 1 && all.plan.trusted;
            let name = fault.name.clone();
            let ended = live(&all.street, tls, &mut Random::of(round), vec![fault]).await;
            all.judge(ended, &name);
            let grown = memory_use::peak().expect("it is told").saturating_sub(before);
            assert!(grown <= GROWTH, "{name}: {grown} KiB more than before");
        }
    }
    let most = memory_use::peak().expect("it is told").saturating_sub(before);
    say(&format!("memory over replies of 100 MiB: {most} KiB more at the peak"));
}

/// The faults for each withdrawal to test. Withdrawals are identified by their number.
struct Plan {
    sizes: Sizes,
    plain: Vec<Fault>,
    /// The faults that are possible only over TLS.
    of_tls: Vec<Fault>,
    over_tls: Vec<Fault>,
    trusted: bool,
}

impl Plan {
    /// Creates the lists of faults. Measures a withdrawal without faults first, because the lists
    /// depend on the lengths of its request and reply.
    async fn measure(street: &SharedClients, elsewhere: u16, trusted: bool) -> Plan {
        let ended = live(street, false, &mut Random::of(0), vec![catalogue::none()]).await;
        assert_eq!((ended.violation, ended.state, ended.payouts), (None, "accepted", 1));
        let request = ended.request.expect("a request");
        let length = |status| reply::of_bank(status, &request).plain().len();
        let (reply, gateway) = (length(Some(201)), length(None));
        let sizes = Sizes { request: request.len(), reply, gateway, elsewhere };
        let of_tls = if trusted { catalogue::of_tls() } else { Vec::new() };
        let over_tls = if trusted { catalogue::all(sizes, true) } else { Vec::new() };
        Plan { sizes, plain: catalogue::all(sizes, false), of_tls, over_tls, trusted }
    }

    /// Returns the number of listed faults. The first fault of withdrawal `n` is fault `n`.
    /// Withdrawals with a higher number start with a random fault.
    fn faults(&self) -> u64 {
        (self.plain.len() + self.of_tls.len()) as u64
    }

    /// Returns whether withdrawal `n` uses TLS, and a fault for each attempt. The last two attempts
    /// have no fault.
    fn of(&self, n: u64, chance: &mut Random) -> (bool, Vec<Fault>) {
        let n = usize::try_from(n).expect("a number of lives");
        let known = self.plain.get(n).map(|fault| (false, fault));
        let known = known.or_else(|| {
            let fault = self.of_tls.get(n.checked_sub(self.plain.len())?)?;
            Some((true, fault))
        });
        let tls = known.map_or_else(|| self.trusted && chance.percent(40), |(tls, _)| tls);
        let faults = if tls { &self.over_tls } else { &self.plain };
        let mut all = match known {
            Some((_, first)) => vec![first.clone()],
            None => vec![catalogue::draw(faults, self.sizes, chance)],
        };
        while all.len() < 4 && chance.percent(40) {
            all.push(catalogue::draw(faults, self.sizes, chance));
        }
        all.extend([catalogue::none(), catalogue::none()]);
        (tls, all)
    }
}
