//! The history of links that goes with a journal into a team.

use balcao::journal::history::History;
use balcao::trade::{Account, CreatedLink, LinkRequest, Money, Origin, Outcome, Wall};

use super::*;

/// Adds a link of the year 2026 to the history in a directory, as a command does.
fn add_link(dir: &Path, description: &str) {
    let mut history = History::open(dir, Wall(0)).unwrap().0;
    let request = LinkRequest {
        account: Account {
            origin: Origin(SERVICE.into()),
            identity: "loja".into(),
        },
        amount: Money::from_centavos(4_990),
        description: description.to_owned(),
        domain: None,
    };
    let row = history.begin(&request, Wall(1_772_377_200_000)).unwrap();
    let created = Outcome::Created(CreatedLink {
        url: format!("https://loja.example/{description}").into(),
    });
    history.settle::<LinkRequest>(row, &created).unwrap();
}

fn links(home: &TestHome) -> String {
    let listed = run(home, &["links", "list", "--json"]);
    String::from_utf8(listed.stdout).unwrap()
}

fn join_again(home: &TestHome) {
    let again = ["team", "join", "--password-stdin"];
    let (code, out, err) = run_with_lines(home, &again, &[PASSWORD]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn links_go_with_the_journal_until_they_are_purged() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (ana, _ana_helper) = computer();
    let live = create_live_journal(&ana);
    add_link(&live, "camiseta");
    let (code, out, err) = team.run(&ana, "import", "ana", &["journal"]);
    assert_eq!(code, 0, "{out}{err}");
    let (bia, _bia_helper) = computer();
    assert_eq!(team.run(&bia, "join", "bia", &[]).0, 0);
    let (eva, _eva_helper) = computer();
    assert_eq!(team.run(&eva, "join", "eva", &[]).0, 0);
    for home in [&ana, &bia, &eva] {
        assert!(links(home).contains("camiseta"), "{}", links(home));
    }
    // A command has no connection. The next one with a connection sends what it wrote.
    add_link(&team.mirror(&bia), "chinelo");
    assert!(!links(&ana).contains("chinelo"));
    join_again(&bia);
    join_again(&ana);
    assert!(links(&ana).contains("chinelo"), "{}", links(&ana));

    let personal = "SELECT count(*) FROM balcao.record_state \
                    WHERE state SIMILAR TO '%(camiseta|chinelo)%'";
    assert_ne!(team.sql(personal), "0");
    let purge = ["data", "purge", "--before", "2026-04-01", "--yes"];
    let (code, out, _) = run_with_lines(&ana, &purge, &[]);
    assert!(code == 1 && out.contains("--purger"), "{out}");
    assert!(links(&ana).contains("camiseta"));
    let (code, out, err) = run_with_lines(&eva, &purge, &[]);
    assert_eq!(code, 0, "{out}{err}");
    let kept = personal.replace("count(*)", "string_agg(state, chr(10))");
    assert_eq!(team.sql(personal), "0", "{}", team.sql(&kept));
    assert!(links(&ana).contains("camiseta"));
    join_again(&ana);
    let kept = links(&ana);
    assert!(
        !kept.contains("camiseta") && !kept.contains("chinelo"),
        "{kept}"
    );
    let bytes = fs::read(team.mirror(&eva).join("history.db")).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(!text.contains("camiseta"));
}

#[test]
fn leaving_names_the_changes_that_were_not_sent() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (ana, _helper) = computer();
    assert_eq!(team.run(&ana, "join", "ana", &[]).0, 0);
    let leave = |answer: &str| run_with_lines(&ana, &["team", "leave"], &[answer]).1;
    let text = leave("não");
    assert!(!text.contains("não foi para a equipe"), "{text}");
    add_link(&team.mirror(&ana), "camiseta");
    let text = leave("loja");
    assert!(
        text.contains("1 mudança de links e cobranças ainda não foi"),
        "{text}"
    );
    // The rows stay on this computer, and another join sends them.
    assert_eq!(team.sql("SELECT count(*) FROM balcao.record"), "0");
    assert_eq!(team.run(&ana, "join", "ana", &[]).0, 0);
    assert_eq!(team.sql("SELECT count(*) FROM balcao.record"), "1");
    assert!(links(&ana).contains("camiseta"));
}

#[test]
fn missing_right_of_the_history_is_named() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (ana, _helper) = computer();
    assert_eq!(team.run(&ana, "join", "ana", &[]).0, 0);
    let group = format!("{}_operators", team.database);
    let right = "INSERT (state) ON balcao.record_state";
    team.sql(&format!("REVOKE {right} FROM {group}"));
    let output = run(&ana, &["team", "check"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains(right), "{text}");
}
