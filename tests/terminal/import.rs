//! Tests of `balcao links create` and `balcao links import`, with the real program and the sandbox.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use balcao::runtime::clocks::MachineClocks;
use balcao::sandbox::{BankOperation, Fault, Times};
use rustix::process::{Pid, Signal, kill_process};

use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::run;

/// A history as version 8 of its schema stored it.
const HISTORY_8: &str = include_str!("../../src/journal/update/versions/history-8.sql");

/// A seller's computer that is logged in to a sandbox.
struct Seller {
    home: TestHome,
    bank: Bank,
    /// The time zone, in which it is about noon, so that no test runs over midnight.
    hours_behind_utc: i32,
}

impl Seller {
    fn new() -> Seller {
        let utc = MachineClocks::new().now().wall.local(0).unwrap();
        Seller {
            home: TestHome::new(),
            bank: Bank::open(),
            hours_behind_utc: i32::from(utc.hour()) - 12,
        }
    }

    fn command(&self, args: &[&str]) -> Command {
        let url = self.bank.url();
        let all_args = [args, &["--base-url", &url, "--vault", "env"]].concat();
        let mut command = run::command(&self.home, &all_args);
        command
            .env("BALCAO_JWT", self.bank.jwt())
            .env("BALCAO_LOGIN", "ana@loja.example")
            .env("BALCAO_ORIGIN", &url)
            .env("TZ", format!("<noon>{:+}", self.hours_behind_utc));
        command
    }

    /// Today's date in the seller's time zone.
    fn today(&self) -> String {
        let now = MachineClocks::new().now().wall;
        let local = now.local(-3_600 * self.hours_behind_utc).unwrap();
        local.strftime("%d/%m/%Y").to_string()
    }

    /// Runs a command, and returns its exit code and its output with the notes.
    fn run(&self, args: &[&str]) -> (i32, String) {
        let output = run::output(&mut self.command(args));
        code_and_output(&output)
    }

    fn import(&self, more: &[&str]) -> (i32, String) {
        self.run(&[&["links", "import", "precos.csv"], more].concat())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.home_dir().join(name)
    }

    fn write(&self, lines: &str) {
        let text = format!("Descrição;Valor;Pedido\n{lines}");
        fs::write(self.path("precos.csv"), text).unwrap();
    }

    /// The result file, without its byte order mark.
    fn result(&self) -> String {
        let text = fs::read_to_string(self.path("precos-resultado.csv")).unwrap();
        text.trim_start_matches('\u{feff}').replace("\r\n", "\n")
    }

    /// The number of links that the service created, by description.
    fn made(&self) -> BTreeMap<String, usize> {
        let mut made = BTreeMap::new();
        for link in self.bank.ledger().links {
            *made.entry(link.description).or_insert(0) += 1;
        }
        made
    }

    fn arm(&self, fault: Fault, times: Times) {
        let armed = self
            .bank
            .control()
            .arm(fault, BankOperation::CreateLink, times);
        armed.expect("a fault that makes sense");
    }
}

fn code_and_output(output: &Output) -> (i32, String) {
    let text = [&output.stdout[..], &output.stderr].concat();
    (
        output.status.code().unwrap(),
        String::from_utf8(text).unwrap(),
    )
}

/// The path of the seller's history.
fn history_path(seller: &Seller) -> PathBuf {
    let mut paths = vec![seller.home.state_dir()];
    loop {
        let path = paths.pop().expect("a history");
        if path.ends_with("history.db") {
            return path;
        }
        if path.is_dir() {
            let entries = fs::read_dir(path).unwrap();
            paths.extend(entries.map(|entry| entry.unwrap().path()));
        }
    }
}

/// The lines `Item 1` to `Item count`.
fn items(count: usize) -> String {
    (1..=count)
        .map(|n| format!("Item {n};{n},00;#{n}\n"))
        .collect()
}

#[test]
fn file_becomes_links_and_a_result_file() {
    let seller = Seller::new();
    seller.write("Boné;49,90;=1+1\nBrinde;0,00;b\n\nMeia;R$ 5,00;c\n");
    let (code, text) = seller.import(&[]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("linha 3: o valor é zero"), "{text}");
    assert!(text.contains("Nada foi enviado."), "{text}");
    assert_eq!(seller.made(), BTreeMap::new());
    let (code, text) = seller.import(&["--dry-run"]);
    assert_eq!(code, 2, "{text}");
    assert!(
        text.contains("2 links a criar: R$ 54,90 no total"),
        "{text}"
    );
    assert_eq!(seller.made(), BTreeMap::new());

    let (code, text) = seller.import(&["--skip-faults"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("2 links criados."), "{text}");
    let urls: Vec<_> = seller
        .bank
        .ledger()
        .links
        .into_iter()
        .map(|link| link.url)
        .collect();
    let expected = format!(
        "Descrição;Valor;Pedido;url;estado;motivo\n\
         Boné;49,90;'=1+1;{};criado;\n\
         Brinde;0,00;b;;não enviado;o valor é zero\n\
         ;;;;não enviado;linha vazia\n\
         Meia;R$ 5,00;c;{};criado;\n",
        urls[0], urls[1]
    );
    assert_eq!(seller.result(), expected);
    let mode = fs::metadata(seller.path("precos-resultado.csv")).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    let (_, list) = seller.run(&["links", "list"]);
    assert!(list.contains("Boné") && list.contains("Meia"), "{list}");
}

#[test]
fn same_file_again_sends_nothing() {
    let seller = Seller::new();
    seller.write("Boné;49,90;a\nMeia;5,00;b\n");
    assert_eq!(seller.import(&[]).0, 0);
    let (code, text) = seller.import(&[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("2 links já existem"), "{text}");
    assert!(
        text.contains("linha 2: já existe: link igual de hoje"),
        "{text}"
    );
    assert_eq!(seller.made().values().copied().collect::<Vec<_>>(), [1, 1]);
    let (code, text) = seller.import(&["--again"]);
    assert_eq!(code, 2, "the result file is of the first batch: {text}");
    assert!(
        text.contains("já existe. Diga outro com --result"),
        "{text}"
    );
    let (code, text) = seller.import(&["--again", "--result", "outro.csv"]);
    assert_eq!(code, 0, "{text}");
    assert_eq!(seller.made().values().copied().collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn unreadable_file_or_read_only_sends_nothing() {
    let seller = Seller::new();
    let (code, text) = seller.import(&[]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("precos.csv"), "{text}");
    let (code, text) = seller.import(&["--read-only"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("Com --read-only nada é criado."), "{text}");
    seller.write("Boné;49;a\nMeia;5;b\n");
    let (code, text) = seller.import(&[]);
    assert_eq!(code, 2, "{text}");
    assert!(
        text.contains("R$ 49,00 ou R$ 0,49. Diga com --unit"),
        "{text}"
    );
    assert_eq!(seller.import(&["--unit", "reais"]).0, 0);
    let amounts: Vec<_> = seller
        .bank
        .ledger()
        .links
        .iter()
        .map(|link| link.amount.to_string())
        .collect();
    assert_eq!(amounts, ["49.00", "5.00"]);
}

#[test]
fn batch_that_paused_is_continued() {
    let seller = Seller::new();
    seller.write(&items(5));
    seller.arm(Fault::DropAfter, Times::Next(3));
    let (code, text) = seller.import(&[]);
    assert_eq!(code, 3, "{text}");
    assert!(
        text.contains("três linhas seguidas falharam. Faltam 2 linhas."),
        "{text}"
    );
    assert!(
        text.contains("balcao links import precos.csv --resume"),
        "{text}"
    );
    assert!(text.contains("3 linhas sem resposta"), "{text}");
    let (code, text) = seller.import(&[]);
    assert_eq!(code, 2, "a batch is never begun twice by mistake: {text}");
    assert!(text.contains("com 2 linhas por enviar"), "{text}");
    let (code, text) = seller.import(&["--resume"]);
    assert_eq!(code, 1, "three lines stay unknown: {text}");
    assert!(
        seller.made().values().all(|count| *count == 1),
        "{:?}",
        seller.made()
    );
    assert_eq!(seller.made().len(), 5);
    assert_eq!(seller.result().matches("não se sabe").count(), 3);
    let (code, text) = seller.import(&["--resume"]);
    assert_eq!(code, 2, "nothing is left: {text}");
}

#[test]
fn refused_login_stops_and_keeps_the_line() {
    let seller = Seller::new();
    seller.write(&items(2));
    seller.arm(Fault::ExpiredToken, Times::Next(1));
    let (code, text) = seller.import(&[]);
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("o serviço não aceita o login"), "{text}");
    assert!(text.contains("Faltam 2 linhas."), "{text}");
    assert_eq!(seller.made().len(), 0);
}

fn start(seller: &Seller, more: &[&str]) -> Child {
    let args = [&["links", "import", "precos.csv", "--json"], more].concat();
    let mut command = seller.command(&args);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// The amount of work of a test: `small`, or `large` in a run by hand with `BALCAO_MACHINES=long`.
fn amount_of_work(small: usize, large: usize) -> usize {
    match std::env::var("BALCAO_MACHINES").as_deref() {
        Ok("long") => large,
        _ => small,
    }
}

/// Numbers that look random, but are the same in every run.
struct Numbers(u64);

impl Numbers {
    /// The next number, less than `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// The faults that the service may have while it creates a link.
fn faults() -> Vec<Fault> {
    let failed_after_all = Fault::Answer {
        status: 500,
        body: None,
        content_type: None,
        bank_acts: true,
    };
    let statuses = [400, 401, 404, 500, 503].map(Fault::status);
    let others = [
        Fault::Delay(Duration::from_millis(300)),
        Fault::DropBefore,
        Fault::DropAfter,
        failed_after_all,
        Fault::TruncatedJson,
        Fault::WrongContentType,
        Fault::OtherAmount,
        Fault::TooManyRequests,
        Fault::Redirect,
    ];
    statuses.into_iter().chain(others).collect()
}

#[test]
fn missing_agreement_leaves_no_result_file() {
    let seller = Seller::new();
    seller.write("Boné;49,90;a\n");
    let url = seller.bank.url();
    let profile = format!("[profiles.loja]\nbase-url = '{url}'\ncontract = 'loja.toml'\n");
    seller.home.write_config("config.toml", &profile);
    let contract = "login.field.password.name = 'memo'\n";
    seller.home.write_config("loja.toml", contract);
    let (code, text) = seller.import(&["--profile", "loja"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("login.field.password.name"), "{text}");
    assert!(!seller.path("precos-resultado.csv").exists(), "{text}");
}

#[test]
fn requests_of_an_import_are_recorded() {
    let seller = Seller::new();
    seller.write(&items(3));
    assert_eq!(seller.import(&[]).0, 0);
    let (code, text) = seller.run(&["requests", "list", "--json"]);
    assert_eq!((code, text.lines().count()), (0, 3), "{text}");
}

#[test]
fn purge_counts_batches() {
    let seller = Seller::new();
    seller.write(&items(1));
    assert_eq!(seller.import(&[]).0, 0);
    let file = rusqlite::Connection::open(history_path(&seller)).unwrap();
    file.execute("UPDATE batch SET at = 0", []).unwrap();
    drop(file);
    let purge = ["data", "purge", "--before", "2000-01-01", "--yes"];
    let (code, text) = seller.run(&purge);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("1 lote de links"), "{text}");
}

#[test]
fn killed_import_sends_no_line_twice() {
    let seller = Seller::new();
    let count = amount_of_work(9, 5_000);
    let kills = amount_of_work(4, 100);
    seller.write(&items(count));
    let mut numbers = Numbers(1);
    let mut requests = seller.bank.control().subscribe_requests();
    let mut more: &[&str] = &[];
    let mut end = None;
    for round in 0..kills {
        // A plain run has too few lines for a fault of each kind.
        if kills > 4 {
            let faults = faults();
            seller.arm(faults[round % faults.len()].clone(), Times::Next(1));
        }
        let mut child = start(&seller, more);
        // Kill the program after some requests, while the last one is in flight or later. It may
        // end by itself before, because a fault pauses the batch.
        let mut left = 1 + numbers.below(3 * count / kills / 2 - 1);
        let mut spins = numbers.below(2_000);
        while (left > 0 || spins > 0) && child.try_wait().unwrap().is_none() {
            if left == 0 {
                spins -= 1;
            } else if requests.try_recv().is_ok() {
                left -= 1;
            }
            thread::yield_now();
        }
        let _ = kill_process(Pid::from_child(&child), Signal::KILL);
        end = child.wait().unwrap().code();
        if let Some(0 | 1) = end {
            break;
        }
        while requests.try_recv().is_ok() {}
        more = &["--resume"];
    }
    // Faults that are still armed may pause the batch once more.
    while !matches!(end, Some(0 | 1)) {
        let (code, text) = seller.import(&["--resume"]);
        assert!(matches!(code, 0 | 1 | 3), "{text}");
        end = Some(code);
    }
    let made = seller.made();
    assert!(made.values().all(|count| *count == 1), "{made:?}");
    let result = seller.result();
    let in_state = |state: &str| -> BTreeSet<String> {
        let lines = result.lines().filter(|line| line.contains(state));
        lines
            .filter_map(|line| line.split(';').next())
            .map(str::to_owned)
            .collect()
    };
    let created = in_state(";criado;");
    let unknown = in_state(";não se sabe;");
    let refused = in_state(";recusado;");
    assert_eq!(
        created.len() + unknown.len() + refused.len(),
        count,
        "{result}"
    );
    let made: BTreeSet<_> = made.into_keys().collect();
    assert!(created.is_subset(&made), "{result}");
    assert!(
        made.is_subset(&created.union(&unknown).cloned().collect()),
        "{result}"
    );
}

#[test]
fn two_processes_send_each_line_once() {
    (0..amount_of_work(1, 100)).for_each(|_| send_with_two_processes());
}

fn send_with_two_processes() {
    let seller = Seller::new();
    seller.write(&items(4));
    let unauthorized = Fault::Answer {
        status: 401,
        body: None,
        content_type: None,
        bank_acts: false,
    };
    seller.arm(unauthorized, Times::Next(1));
    assert_eq!(seller.import(&[]).0, 3);
    let mut children = [start(&seller, &["--resume"]), start(&seller, &["--resume"])];
    let codes: BTreeSet<_> = children
        .iter_mut()
        .map(|child| child.wait().unwrap().code().unwrap())
        .collect();
    // The second process finds the batch locked, or finished.
    assert!(codes.contains(&0), "{codes:?}");
    assert!(codes.iter().all(|code| matches!(code, 0..=2)), "{codes:?}");
    let made = seller.made();
    assert_eq!((made.len(), made.values().max()), (4, Some(&1)), "{made:?}");
}

#[test]
fn one_link_is_created_and_printed() {
    let seller = Seller::new();
    let create = |amount: &str, more: &[&str]| {
        let args = [
            "links",
            "create",
            "--amount",
            amount,
            "--description",
            "Boné",
        ];
        seller.run(&[&args, more].concat())
    };
    let (code, text) = create("49,90", &[]);
    assert_eq!(code, 0, "{text}");
    let ledger = seller.bank.ledger();
    assert_eq!(text.trim(), ledger.links[0].url);
    for (amount, part) in [
        ("50", "é R$ 50,00 ou R$ 0,50? Escreva com vírgula."),
        ("1.234", "pode ser R$ 1.234,00 ou R$ 1,234"),
        ("-5,00", "negativo"),
        ("grátis", "não é um número"),
    ] {
        let (code, text) = create(amount, &[]);
        assert!(code == 2 && text.contains(part), "{amount}: {code} {text}");
    }
    let (code, text) = create("49,90", &["--read-only"]);
    assert!(code == 2 && text.contains("--read-only"), "{text}");
    assert_eq!(seller.bank.ledger().links.len(), 1);
    let (code, text) = create("5,00", &["--json"]);
    let row: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
    assert_eq!((code, &row["outcome"]), (0, &"created".into()), "{text}");
}

#[test]
fn statement_is_compared_and_nothing_is_marked() {
    let seller = Seller::new();
    for (amount, description) in [("49,90", "Boné"), ("5,00", "Meia"), ("7,00", "Luva")] {
        let args = [
            "links",
            "create",
            "--amount",
            amount,
            "--description",
            description,
        ];
        assert_eq!(seller.run(&args).0, 0);
    }
    let today = seller.today();
    let entries = [
        ("49,90", "PIX ANA SOUZA"),
        ("-5,00", "TARIFA"),
        ("49,91", "PIX BIA"),
    ];
    let entries = entries.map(|(amount, memo)| format!("{today};{memo};{amount}\n"));
    let text = format!("Data;Lançamento;Valor\n{}", entries.concat());
    fs::write(seller.path("extrato.csv"), text).unwrap();
    let (code, text) = seller.run(&["reconcile", "extrato.csv"]);
    assert_eq!(code, 0, "{text}");
    let first = "Um link pago pelo serviço pode não aparecer no extrato de um banco.";
    assert!(text.starts_with(first), "{text}");
    assert!(
        text.contains("1 valor igual: pode ser este pagamento"),
        "{text}"
    );
    assert!(
        text.contains("R$ 49,90 · hoje, Boné » hoje, PIX ANA SOUZA"),
        "{text}"
    );
    assert!(!text.contains("Meia") && !text.contains("BIA"), "{text}");
    assert!(text.ends_with("Nada foi marcado.\n"), "{text}");
    let (_, masked) = seller.run(&["reconcile", "extrato.csv", "--redact"]);
    assert!(!masked.contains("ANA SOUZA"), "{masked}");
    let (_, json) = seller.run(&["reconcile", "extrato.csv", "--json"]);
    let row: serde_json::Value = serde_json::from_str(json.trim()).unwrap();
    assert_eq!(row["match"], "possible");
    assert_eq!(row["sales"][0]["description"], "Boné");
    let (_, list) = seller.run(&["links", "list", "--json"]);
    assert!(!list.contains("markedPaid\":\""), "{list}");
    fs::write(seller.path("foto.jpg"), b"\xff\xd8\x00").unwrap();
    let (code, text) = seller.run(&["reconcile", "foto.jpg"]);
    assert!(code == 2 && text.contains("não é um texto CSV"), "{text}");
}

#[test]
fn older_history_is_updated_and_damage_is_kept() {
    let seller = Seller::new();
    let create = || {
        let args = [
            "links",
            "create",
            "--amount",
            "5,00",
            "--description",
            "Meia",
        ];
        seller.run(&args)
    };
    assert_eq!(create().0, 0);
    let path = history_path(&seller);
    fs::remove_file(&path).unwrap();
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch(HISTORY_8).unwrap();
    drop(file);
    seller.write("Boné;49,90;a\n");
    let (code, text) = seller.import(&[]);
    assert_eq!(code, 0, "{text}");
    fs::write(&path, b"damaged").unwrap();
    for (code, text) in [
        create(),
        seller.import(&["--again", "--result", "outro.csv"]),
    ] {
        assert!(code > 0, "{text}");
        assert_eq!(fs::read(&path).unwrap(), b"damaged", "{text}");
    }
    assert_eq!(seller.made().len(), 2);
}
