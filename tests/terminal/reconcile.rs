//! Tests of `balcao reconcile --mark` and `--undo`, and of the statement that the sandbox writes.

use std::fs;
use std::path::PathBuf;

use balcao::journal::history::History;
use balcao::trade::{
    Account, ChargeOutcome, ChargeRequest, CreatedCharge, CreatedLink, LinkOutcome, LinkRequest,
    Money, Origin, Paid, PaidSource, Wall,
};
use rustix::process::{Pid, Signal, kill_process};

use super::support::journal::{MARCH_NOON, create_live_journal};
use super::support::place::TestHome;
use super::support::run;

const SERVICE: &str = "https://pay.example";

/// The service's id of the charge.
const ID: &str = "5ba3f1c2-0000-4000-8000-000000000001";

/// Creates a history with a charge and a link of R$ 49,90, made at noon on 1 March.
fn create_history(home: &TestHome) -> PathBuf {
    let dir = create_live_journal(home);
    let mut history = History::open(&dir, MARCH_NOON).unwrap().0;
    history.prune(Wall(i64::MAX)).unwrap();
    let account = Account {
        origin: Origin(SERVICE.into()),
        identity: "ana".into(),
    };
    let amount = Money::from_centavos(4_990);
    let charge = ChargeRequest {
        account: account.clone(),
        amount,
        description: "Conserto".into(),
        customer: None,
        buyer: [].into(),
    };
    let id = history.begin(&charge, MARCH_NOON).unwrap();
    let outcome = ChargeOutcome::Created(CreatedCharge {
        id: Some(ID.into()),
        ..CreatedCharge::default()
    });
    history.settle::<ChargeRequest>(id, &outcome).unwrap();
    let link = LinkRequest {
        account,
        amount,
        description: "Boné".into(),
        domain: None,
    };
    let id = history.begin(&link, MARCH_NOON).unwrap();
    let url = "https://loja.example/a".into();
    let outcome = LinkOutcome::Created(CreatedLink { url });
    history.settle::<LinkRequest>(id, &outcome).unwrap();
    dir
}

/// Runs `balcao reconcile` with these arguments.
fn reconcile(home: &TestHome, args: &[&str]) -> String {
    let output = run::run(
        home,
        &[&["--base-url", SERVICE, "reconcile"], args].concat(),
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn only_certain_matches_are_marked_and_undone() {
    let home = TestHome::new();
    let dir = create_history(&home);
    let marks = || -> Vec<Option<Paid>> {
        let history = History::open(&dir, MARCH_NOON).unwrap().0;
        let charges = history.all::<ChargeRequest>();
        let charges = charges.map(|charge| charge.unwrap().paid);
        let links = history.all::<LinkRequest>();
        charges
            .chain(links.map(|link| link.unwrap().paid))
            .collect()
    };
    let file = home.home_dir().join("extrato.csv");
    let id = ID.replace('-', "");
    let text =
        format!("Data;Lançamento;Valor\n02/03/2026;PIX {id};49,90\n03/03/2026;PIX ANA;49,90\n");
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let text = reconcile(&home, &[file]);
    assert!(text.contains("1 cobrança com o código dela"), "{text}");
    assert_eq!(marks(), [None, None], "without a flag");
    let text = reconcile(&home, &[file, "--mark"]);
    assert!(text.contains("1 cobrança marcada como paga."), "{text}");
    let [charge, link] = marks()[..] else {
        panic!("two rows")
    };
    let day = MARCH_NOON.local_day(0) + 1;
    assert_eq!(charge.unwrap().source, PaidSource::Statement(day));
    assert_eq!(link, None, "an equal amount is not enough");
    let text = reconcile(&home, &[file, "--mark"]);
    assert!(text.contains("1 lançamento já usado antes"), "{text}");
    assert!(text.ends_with("Nada foi marcado.\n"), "{text}");
    let text = reconcile(&home, &["--undo"]);
    assert_eq!(text, "1 marca do último extrato desfeita.\n");
    assert_eq!(marks(), [None, None]);
    let text = reconcile(&home, &["--undo"]);
    assert_eq!(text, "Não há marcas de extrato para desfazer.\n");
}

#[test]
fn undo_takes_no_file_and_a_file_is_needed_otherwise() {
    let home = TestHome::new();
    create_history(&home);
    for args in [
        &["reconcile"][..],
        &["reconcile", "extrato.csv", "--undo"],
        &["reconcile", "--undo", "--mark"],
    ] {
        let output = run::run(&home, &[&["--base-url", SERVICE], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn sandbox_writes_its_statement_to_a_new_file() {
    let home = TestHome::new();
    let file = home.home_dir().join("extrato.ofx");
    let args = [
        "sandbox",
        "--listen",
        "127.0.0.1:0",
        "--statement",
        file.to_str().unwrap(),
    ];
    let mut command = run::command(&home, &args);
    command.stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The sandbox handles signals once it has printed its address.
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut output, &mut line).unwrap();
    assert!(line.starts_with("url"), "{line}");
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("<OFX>") && text.contains("</OFX>"), "{text}");
    fs::write(&file, "mine").unwrap();
    let output = run::run(&home, &args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}
