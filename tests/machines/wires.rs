//! Tests the production client, cashier and journal over real sockets, with a server that can fail
//! at every byte.
//!
//! A life is a test of one withdrawal. Faults happen to its attempts, and it is resent as long as
//! that is safe. For each fault, the test knows which class `classify` must return, and the bank's
//! ledger counts the payouts. The test runs in its own child process, because other tests would
//! affect the memory measurement.

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
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

use balcao::runtime::clocks::instant;
use balcao::service::NetworkSettings;
use tokio::task::{JoinSet, LocalSet};

use self::catalogue::Sizes;
use self::elsewhere::{ForbiddenServer, ReceivedCounts};
use self::fault::{AttemptClass, Expected, Fault};
use self::host::TlsAcceptors;
use self::life::{LifeResult, SharedClients, run_withdrawal, run_withdrawal_with_header};
use crate::chance::Random;
use crate::effort::{Effort, format_thousands, print_figure, print_line};

/// The name of this file's test. A child process uses it to run only this test.
const NAME: &str = "wires::every_fault_is_taken_for_what_it_is";

/// The environment variable that passes the certificate directory to the child process.
const CERTIFICATES: &str = "BALCAO_WIRES_CERTIFICATES";

/// The number of withdrawals that are tested at the same time.
const PARALLEL_LIVES: usize = 24;

/// The maximum growth of the process's memory in KiB while the client receives replies of 100 MiB.
const MAX_GROWTH_KIB: u64 = 8 * 1024;

/// Returns how many withdrawals to test. In all but small runs, there are enough to test every
/// fault.
fn life_count(effort: Effort) -> u64 {
    match effort {
        Effort::Small => 60,
        Effort::Usual => 3_000,
        Effort::Long => 20_000,
    }
}

#[test]
fn every_fault_is_taken_for_what_it_is() {
    match std::env::var_os(CERTIFICATES) {
        Some(dir) => run_tests(Path::new(&dir)),
        None => run_in_child_process(),
    }
}

/// Runs this test again in a child process.
fn run_in_child_process() {
    let dir = tempfile::tempdir().expect("a directory");
    certificates::write_all(dir.path());
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program)
        .args([NAME, "--exact", "--nocapture"])
        .env(CERTIFICATES, dir.path())
        // Do not capture standard error, because the results must appear immediately.
        .stderr(Stdio::inherit())
        .output()
        .expect("this program starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}\n{stdout}", output.status);
    assert!(
        stdout.contains("1 passed"),
        "no test of the name {NAME}: {stdout}"
    );
}

fn run_tests(certificates: &Path) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.expect("a runtime");
    LocalSet::new().block_on(&runtime, async {
        let root = fs::read(certificates.join(certificates::ROOT)).expect("the root certificate");
        let network = NetworkSettings::default().with_root_certificates("root.pem", &root);
        let acceptors = TlsAcceptors::read(certificates);
        let clients = SharedClients::new(acceptors, &network.expect("a certificate"));
        let forbidden_server = ForbiddenServer::listen().await;
        let plan = Plan::measure(&clients, forbidden_server.port).await;
        let seed = std::env::var("BALCAO_SEED")
            .ok()
            .and_then(|text| text.parse().ok());
        let run = Rc::new(TestRun {
            clients,
            plan,
            tally: RefCell::default(),
            next: Cell::new(0),
        });
        match seed {
            Some(n) => run.run_life(n).await,
            None => run_everything(&run).await,
        }
        print_line(&format!("{:?}", run.tally.borrow()));
        assert_eq!(
            forbidden_server.received(),
            ReceivedCounts::default(),
            "somebody went elsewhere"
        );
        assert!(
            forbidden_server.is_listening().await,
            "nobody would have been heard elsewhere"
        );
        assert!(
            !run.clients.leaked_secret(),
            "a credential in an exchange that is shown"
        );
    });
}

async fn run_everything(run: &Rc<TestRun>) {
    let effort = Effort::from_env();
    check_huge_replies(run, effort).await;
    check_unsuitable_key_headers(run).await;
    let mut tasks = JoinSet::new();
    if effort != Effort::Small {
        for fault in catalogue::real_deadline_faults() {
            let run = run.clone();
            tasks.spawn_local(async move { run.run_until_deadline(fault).await });
        }
    }
    let life_count = life_count(effort);
    for _ in 0..PARALLEL_LIVES {
        let run = run.clone();
        tasks.spawn_local(async move {
            while run.next.get() < life_count {
                let n = run.next.replace(run.next.get() + 1);
                // If there are fewer withdrawals than faults, pick faults that are spread over the
                // whole list.
                let stride = if effort == Effort::Small {
                    run.plan.fault_count() / life_count
                } else {
                    1
                };
                run.run_life(n * stride).await;
            }
        });
    }
    while let Some(result) = tasks.join_next().await {
        result.expect("a life is led to its end");
    }
    let tally = run.tally.borrow();
    print_figure(&format!(
        "{} withdrawals: each taken",
        format_thousands(life_count)
    ));
    assert!(
        effort == Effort::Small || life_count >= run.plan.fault_count(),
        "not all faults were met"
    );
    let common_classes = [
        AttemptClass::NotSent,
        AttemptClass::Unclear,
        AttemptClass::Confirmed,
        AttemptClass::No,
        AttemptClass::Redirected,
    ];
    for class in common_classes {
        assert!(tally.classes.contains_key(&class), "never {class:?}");
    }
    assert!(tally.resends > 0 && tally.payouts > 0);
}

/// The totals of all test withdrawals.
#[derive(Debug, Default)]
struct Tally {
    lives: u64,
    resends: usize,
    payouts: usize,
    classes: BTreeMap<AttemptClass, u64>,
    states: BTreeMap<&'static str, u64>,
}

struct TestRun {
    clients: SharedClients,
    plan: Plan,
    tally: RefCell<Tally>,
    next: Cell<u64>,
}

impl TestRun {
    /// Tests withdrawal number `n` with the faults that the plan assigns to it.
    async fn run_life(&self, n: u64) {
        let mut random = Random::from_seed(n);
        let (tls, faults) = self.plan.faults_of(n, &mut random);
        let result = run_withdrawal(&self.clients, tls, &mut random, faults).await;
        self.check_life(result, &format!("BALCAO_SEED={n}"));
    }

    fn check_life(&self, result: LifeResult, name: &str) {
        if let Some(violation) = result.violation {
            panic!("{name}: {violation}");
        }
        assert!(result.payouts <= 1, "{name}: paid {} times", result.payouts);
        let mut tally = self.tally.borrow_mut();
        tally.lives += 1;
        tally.resends += result.attempts.len().saturating_sub(1);
        tally.payouts += result.payouts;
        *tally.states.entry(result.state).or_default() += 1;
        for class in result.attempts {
            *tally.classes.entry(class).or_default() += 1;
        }
    }

    /// Tests a withdrawal with an attempt that lasts until the client's real deadline. Checks how
    /// long the attempt takes.
    async fn run_until_deadline(&self, fault: Fault) {
        let expected_seconds = if fault.name.contains("10 s") { 10 } else { 30 };
        let name = fault.name.clone();
        let tls = fault.name.contains("greeting");
        let start = instant();
        let result =
            run_withdrawal(&self.clients, tls, &mut Random::from_seed(0), vec![fault]).await;
        let duration = start.elapsed();
        self.check_life(result, &name);
        print_line(&format!(
            "{name}: over after {:.1} s",
            duration.as_secs_f32()
        ));
        // Allow up to 15 additional seconds, because the machine may be busy.
        let min_duration = Duration::from_secs(expected_seconds - 1);
        let max_duration = Duration::from_secs(expected_seconds + 15);
        assert!(
            min_duration < duration && duration < max_duration,
            "{name}: {duration:?}"
        );
    }
}

/// Checks that nothing is sent if the API contract puts the idempotency key into an unsuitable
/// header, such as `Host`.
async fn check_unsuitable_key_headers(run: &TestRun) {
    for name in [
        "Host",
        "Authorization",
        "Content-Length",
        "Transfer-Encoding",
        "content_type",
    ] {
        let fault = Fault {
            expected: Expected::This(AttemptClass::NotSent),
            ..catalogue::no_fault()
        };
        let faults = vec![fault.clone(), fault];
        let result = run_withdrawal_with_header(
            name,
            &run.clients,
            false,
            &mut Random::from_seed(0),
            faults,
        )
        .await;
        let sent_nothing = result.request.is_none() && result.payouts == 0;
        run.check_life(result, name);
        assert!(sent_nothing, "{name}: somebody was asked for money");
    }
}

/// Sends replies of 100 MiB in every form, and checks that the client uses little memory.
async fn check_huge_replies(run: &Rc<TestRun>, effort: Effort) {
    let (rounds, slow) = if effort == Effort::Small {
        (1_u64, false)
    } else {
        (2, true)
    };
    // Test a few ordinary withdrawals first, so that one-time allocations do not affect the
    // measurement.
    for n in 0..8 {
        run.run_life(run.plan.fault_count() + n).await;
    }
    let Some(before) = memory_use::reset_peak() else {
        return print_line("SKIPPED: memory over 100 MiB replies: this system does not tell it");
    };
    for round in 0..rounds {
        for fault in catalogue::huge_replies(slow) {
            let tls = round % 2 == 1;
            let name = fault.name.clone();
            let result = run_withdrawal(
                &run.clients,
                tls,
                &mut Random::from_seed(round),
                vec![fault],
            )
            .await;
            run.check_life(result, &name);
            let growth = memory_use::peak()
                .expect("it is told")
                .saturating_sub(before);
            assert!(
                growth <= MAX_GROWTH_KIB,
                "{name}: {growth} KiB more than before"
            );
        }
    }
    let growth = memory_use::peak()
        .expect("it is told")
        .saturating_sub(before);
    print_line(&format!(
        "memory over replies of 100 MiB: {growth} KiB more at the peak"
    ));
}

/// The faults for each withdrawal to test. Withdrawals are identified by their number.
struct Plan {
    sizes: Sizes,
    over_tcp: Vec<Fault>,
    /// The faults that are possible only over TLS.
    tls_only: Vec<Fault>,
    over_tls: Vec<Fault>,
}

impl Plan {
    /// Creates the lists of faults. Measures a withdrawal without faults first, because the lists
    /// depend on the lengths of its request and reply.
    async fn measure(clients: &SharedClients, forbidden_port: u16) -> Plan {
        let result = run_withdrawal(
            clients,
            false,
            &mut Random::from_seed(0),
            vec![catalogue::no_fault()],
        )
        .await;
        assert_eq!(
            (result.violation, result.state, result.payouts),
            (None, "accepted", 1)
        );
        let request = result.request.expect("a request");
        let length = |status| reply::bank_reply(status, &request).plain().len();
        let reply = length(Some(201));
        let gateway = length(None);
        let sizes = Sizes {
            request: request.len(),
            reply,
            gateway,
            forbidden_port,
        };
        Plan {
            sizes,
            over_tcp: catalogue::all_faults(sizes, false),
            tls_only: catalogue::tls_faults(),
            over_tls: catalogue::all_faults(sizes, true),
        }
    }

    /// Returns the number of listed faults. Withdrawal `n` starts with fault `n` of the list, or
    /// with a random fault if the list is too short.
    fn fault_count(&self) -> u64 {
        (self.over_tcp.len() + self.tls_only.len()) as u64
    }

    /// Returns whether withdrawal `n` uses TLS, and a fault for each attempt. The last two attempts
    /// have no fault.
    fn faults_of(&self, n: u64, random: &mut Random) -> (bool, Vec<Fault>) {
        let n = usize::try_from(n).expect("a number of lives");
        let listed = self.over_tcp.get(n).map(|fault| (false, fault));
        let listed = listed.or_else(|| {
            let fault = self.tls_only.get(n.checked_sub(self.over_tcp.len())?)?;
            Some((true, fault))
        });
        let tls = listed.map_or_else(|| random.percent_chance(40), |(tls, _)| tls);
        let faults = if tls { &self.over_tls } else { &self.over_tcp };
        let mut all = match listed {
            Some((_, first)) => vec![first.clone()],
            None => vec![catalogue::random_fault(faults, self.sizes, random)],
        };
        while all.len() < 4 && random.percent_chance(40) {
            all.push(catalogue::random_fault(faults, self.sizes, random));
        }
        all.extend([catalogue::no_fault(), catalogue::no_fault()]);
        (tls, all)
    }
}
