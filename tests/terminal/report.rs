//! Tests of `balcao report` in its forms.

use std::io::Read;
use std::process::Stdio;

use balcao::journal::history::History;
use balcao::trade::{Account, CreatedLink, LinkOutcome, LinkRequest, Money, Origin, Wall};

use super::json::create_past;
use super::support::journal::MARCH_NOON;
use super::support::place::TestHome;
use super::support::run;

/// Prints a report about March, and returns its output and its notes.
fn report(home: &TestHome, flags: &[&str]) -> (String, String) {
    let period = ["--from", "2026-03-01", "--to", "2026-03-31"];
    let base = ["--base-url", "https://pay.example", "report"];
    let output = run::run(home, &[&base, &period[..], flags].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let [out, notes] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (out, notes)
}

/// Creates the past of [`create_past`], a link whose description looks like a formula, and one that
/// was put away.
fn create_shop(home: &TestHome) {
    let dir = create_past(home);
    let mut history = History::open(&dir, MARCH_NOON).unwrap().0;
    add_link(&mut history, "=1+1");
    add_link(&mut history, "guardado");
    drop(history);
    let file = rusqlite::Connection::open(dir.join("history.db")).unwrap();
    let put_away = "UPDATE link SET put_away_at = 1 WHERE request LIKE '%guardado%'";
    assert_eq!(file.execute(put_away, []), Ok(1));
}

fn add_link(history: &mut History, description: &str) {
    let link = LinkRequest {
        account: Account {
            origin: Origin("https://pay.example".into()),
            identity: "ana".into(),
        },
        amount: Money::from_centavos(123_450),
        description: description.into(),
        domain: None,
    };
    let at = Wall(MARCH_NOON.0 + 8 * 86_400_000);
    let id = history.begin(&link, at).unwrap();
    let url = format!("https://loja.example/x{}", id.0).into();
    let outcome = LinkOutcome::Created(CreatedLink { url });
    history.settle::<LinkRequest>(id, &outcome).unwrap();
}

#[test]
fn csv_for_the_accountant_has_exact_bytes() {
    let home = TestHome::new();
    create_shop(&home);
    let (csv, notes) = report(&home, &["--csv", "--by", "domain"]);
    assert_eq!(
        csv,
        "\u{feff}Domínio;links criados;soma dos links (R$);links marcados como pagos;\
         soma dos marcados (R$);links sem marca;soma dos sem marca (R$);\
         links fora da soma (fração de centavo)\r\n\
         loja.example;3;1236,50;1;1,00;2;1235,50;0\r\n"
    );
    assert!(notes.contains("1 link que você guardou"), "{notes}");
    let (csv, _) = report(&home, &["--csv", "--plain", "--by", "week", "--lang", "en"]);
    let rows: Vec<_> = csv.split("\r\n").collect();
    assert!(rows[0].starts_with("from,to,links created,"), "{csv}");
    assert_eq!(
        rows[1..],
        [
            "2026-03-01,2026-03-01,1,1.00,0,0.00,1,1.00,0,\
             1,1.00,0,0.00,1,1.00,0,0,0.00,0.00,0.00,0,0,0,1,1",
            "2026-03-02,2026-03-08,1,1.00,1,1.00,0,0.00,0,\
             0,0.00,0,0.00,0,0.00,0,0,0.00,0.00,0.00,0,0,0,0,0",
            "2026-03-09,2026-03-15,1,1234.50,0,0.00,1,1234.50,0,\
             0,0.00,0,0.00,0,0.00,0,0,0.00,0.00,0.00,0,0,0,0,0",
            ""
        ]
    );
    let (csv, _) = report(&home, &["--csv", "--by", "description"]);
    assert!(csv.contains("\r\n'=1+1;1;1234,50;"), "{csv}");
    assert!(!csv.contains("guardado"), "{csv}");
}

#[test]
fn text_has_sums_and_what_is_beside_them() {
    let home = TestHome::new();
    create_shop(&home);
    let (text, notes) = report(&home, &[]);
    assert_eq!(notes, "");
    for line in [
        "01/03/2026 a 31/03/2026",
        "Links criados                             3          R$ 1.236,50",
        "  marcados como pagos                     1              R$ 1,00",
        "Fora das somas: 1 saque em aberto",
        "  dele não se sabe o resultado",
        "Fora das somas: 1 link que você guardou fora da lista",
    ] {
        assert!(text.lines().any(|row| row == line), "{line}\n{text}");
    }
    assert!(text.contains("O serviço não avisa"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    let (text, _) = report(&home, &["--by", "state", "--lang", "en"]);
    let row = text
        .lines()
        .find(|line| line.starts_with("outcome unknown"));
    assert!(row.unwrap().contains("1          1,00"), "{text}");
}

#[test]
fn json_is_one_object_or_one_a_line() {
    let home = TestHome::new();
    create_shop(&home);
    let (text, _) = report(&home, &["--json"]);
    let whole: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(whole["by"], "period");
    assert_eq!(whole["from"], "2026-03-01T03:00:00.000Z");
    assert_eq!(whole["until"], "2026-04-01T03:00:00.000Z");
    assert!(
        text.contains(r#""made":{"count":3,"sum":1236.50}"#),
        "{text}"
    );
    assert_eq!(whole["putAway"], 1);
    let (text, _) = report(&home, &["--json", "--by", "day"]);
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let counts: Vec<_> = lines
        .iter()
        .map(|line| line["links"]["made"]["count"].clone())
        .collect();
    assert_eq!(counts, [1, 1, 1]);
    assert_eq!(lines[0]["withdrawals"]["open"], 1);
}

#[test]
fn redacted_report_masks_descriptions() {
    let home = TestHome::new();
    let dir = create_past(&home);
    let mut history = History::open(&dir, MARCH_NOON).unwrap().0;
    add_link(&mut history, "Boné ana@loja.example");
    drop(history);
    for form in [&[][..], &["--csv"], &["--csv", "--plain"], &["--json"]] {
        let flags = [&["--redact", "--by", "description"], form].concat();
        let (out, _) = report(&home, &flags);
        assert!(out.contains("Boné") && !out.contains("ana@loja"), "{out}");
    }
}

#[test]
fn wrong_flags_and_an_empty_shop_are_told_apart() {
    let home = TestHome::new();
    let base = ["--base-url", "https://pay.example", "report"];
    for flags in [
        &["--from", "2026-03-02", "--to", "2026-03-01"][..],
        &["--plain"],
        &["--csv", "--json"],
        &["--by", "hour"],
        &["--from", "yesterday"],
    ] {
        let output = run::run(&home, &[&base, flags].concat());
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {output:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
    let (text, _) = report(&home, &["--json"]);
    assert!(text.contains(r#""made":{"count":0,"sum":0.00}"#), "{text}");
}

#[test]
fn closed_output_ends_a_report_quietly() {
    let home = TestHome::new();
    create_shop(&home);
    let base = [
        "--base-url",
        "https://pay.example",
        "report",
        "--from",
        "2026-03-01",
    ];
    for flags in [&[][..], &["--csv"], &["--json", "--by", "description"]] {
        let mut command = run::command(&home, &[&base, flags].concat());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut notes = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut notes)
            .unwrap();
        assert!(!notes.contains("pipe"), "{notes}");
        assert_eq!(child.wait().unwrap().code(), Some(0), "{notes}");
    }
}
