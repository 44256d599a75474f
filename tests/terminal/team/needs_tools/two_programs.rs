//! Two operators with the app on two computers, which share the journal of a team.

use std::fs;
use std::sync::Arc;

use super::super::super::in_flight::assert_paid_once;
use super::super::super::seller::{
    create_link, discard_form, launch_with_bank, paste_jwt, review_withdrawal, type_login,
};
use super::super::super::support::bank::Bank;
use super::super::super::support::gate::{PausePoint, Release};
use super::super::super::support::place::TestHome;
use super::super::super::support::postgres::{PASSWORD, Postgres, has_postgres};
use super::super::super::support::pty::Tui;
use super::super::super::support::run;
use super::super::run_with_lines;
use super::Team;

/// A computer whose only profile has joined the team.
pub(super) fn joined(team: &Team, bank: &Bank, role: &str, name: &str) -> TestHome {
    let home = TestHome::new();
    let profile = format!("[profiles.default]\nbase-url = '{}'\n", bank.url());
    home.write_config("config.toml", &profile);
    let url = team.url(role);
    let args = ["team", "join", "--database", &url, "--name", name];
    let args = [&args[..], &["--vault", "memory", "--password-stdin"]].concat();
    let (code, out, err) = run_with_lines(&home, &args, &[PASSWORD]);
    assert_eq!(code, 0, "{out}{err}");
    home
}

pub(super) fn start(home: &TestHome, bank: &Bank) -> Tui {
    let launch = launch_with_bank(home, bank).env("BALCAO_TEAM_PASSWORD", PASSWORD);
    let mut tui = launch.start();
    type_login(&mut tui, bank);
    tui.wait_for(" equipe ");
    tui
}

#[test]
fn the_second_of_two_operators_is_told_of_the_first() {
    if !has_postgres() {
        return;
    }
    let team = Team::on(Arc::new(Postgres::start(&[])));
    let (bank, gate) = Bank::behind_a_gate();
    let [ana_home, bia_home] =
        [("ana", "Ana"), ("bia", "Bia")].map(|(role, name)| joined(&team, &bank, role, name));
    let [mut ana, mut bia] = [&ana_home, &bia_home].map(|home| start(home, &bank));

    // Both reach the review of the same payment. Ana confirms first, and her reply is held back.
    review_withdrawal(&mut ana);
    review_withdrawal(&mut bia);
    gate.pause_next(PausePoint::Reply);
    ana.press("\r");
    ana.wait_for("Enviando o saque de R$ 100,00");
    gate.wait_until_paused();
    bia.press("\r");
    bia.wait_for("Um saque igual está em aberto");
    bia.wait_for("Este saque ainda não foi enviado");
    assert_eq!(bank.ledger().requests.len(), 1);

    // Bia sees who is sending, and that her own computer may not decide yet.
    discard_form(&mut bia, "Novo saque");
    bia.wait_for("… talvez enviando (Ana)");
    bia.press("\r");
    bia.wait_for("Você pode decidir em");

    // The result arrives on both screens.
    gate.release(Release::Goes);
    ana.wait_for("ACEITO PELO SERVIÇO");
    bia.wait_for("ACEITO PELO SERVIÇO");
    bia.wait_for(") preparou · Ana (");
    assert_paid_once(&bank, 1);

    // Without the database, the list stays and withdrawals are locked, on both computers.
    team.server.kill();
    for tui in [&ana, &bia] {
        tui.wait_for("equipe: sem conexão desde");
    }
    team.server.restart();
    for tui in [&ana, &bia] {
        tui.wait_until_gone("sem conexão");
    }
}

#[test]
fn a_link_of_one_operator_is_in_the_list_of_the_other() {
    if !has_postgres() {
        return;
    }
    let team = Team::on(Arc::new(Postgres::start(&[])));
    let bank = Bank::open();
    let [ana_home, bia_home] =
        [("ana", "Ana"), ("bia", "Bia")].map(|(role, name)| joined(&team, &bank, role, name));
    let [mut ana, mut bia] = [&ana_home, &bia_home].map(|home| start(home, &bank));
    for tui in [&mut ana, &mut bia] {
        paste_jwt(tui, &bank);
        tui.press("1");
        tui.wait_for("n novo");
    }
    create_link(&mut ana, "Bolo");
    bia.wait_for("Bolo");
    // Only a created link can be marked, and the response may arrive in a record of its own.
    bia.wait_for("1 criado");
    bia.press("p");
    bia.wait_for("marcado como pago");
    // Ana's details of the link follow.
    ana.wait_for("✓ marcado como pago por Bia");
    ana.press("\x1b");
    ana.wait_for("n novo");

    // Without the database, links go on, and the other computer sees them later.
    team.server.kill();
    ana.wait_for("equipe: sem conexão desde");
    create_link(&mut ana, "Torta");
    assert!(!bia.text().contains("Torta"), "{}", bia.text());
    team.server.restart();
    bia.wait_for("Torta");
}

#[test]
fn a_batch_pauses_while_the_team_is_offline() {
    if !has_postgres() {
        return;
    }
    let team = Team::on(Arc::new(Postgres::start(&[])));
    let bank = Bank::open();
    let home = joined(&team, &bank, "ana", "Ana");
    let file = home.home_dir().join("precos.csv");
    let import = |more: &[&str]| {
        let path = file.to_str().unwrap();
        let args = [&["links", "import", path, "--vault", "env"], more].concat();
        let mut command = run::command(&home, &args);
        command
            .env("BALCAO_JWT", bank.jwt())
            .env("BALCAO_LOGIN", "ana@loja.example")
            .env("BALCAO_ORIGIN", bank.url())
            .env("BALCAO_TEAM_PASSWORD", PASSWORD);
        let output = run::output(&mut command);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    fs::write(&file, "Descrição;Valor\nBolo;10,00\nTorta;20,00\n").unwrap();
    team.server.kill();
    let (code, text) = import(&["--agree", "*"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("sem conexão com o banco"), "{text}");
    assert_eq!(bank.ledger().links.len(), 0);
    team.server.restart();
    let (code, text) = import(&["--resume"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(bank.ledger().links.len(), 2);
    let kinds = "SELECT kind, count(DISTINCT row_id) FROM balcao.record GROUP BY 1 ORDER BY 1";
    assert_eq!(team.sql(kinds), "batch|1\nbatch_line|2\nlink|2");
}
