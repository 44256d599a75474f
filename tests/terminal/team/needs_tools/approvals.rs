//! The two-person rule, with two operators who have the app on two computers.

use std::sync::Arc;

use super::super::super::in_flight::assert_paid_once;
use super::super::super::seller::{resend, type_withdrawal};
use super::super::super::support::bank::Bank;
use super::super::super::support::place::TestHome;
use super::super::super::support::postgres::{ADMIN, PASSWORD, Postgres, has_postgres};
use super::super::run_with_lines;
use super::Team;
use super::two_programs::{joined, start};

/// Switches the rule on, as the administrator.
fn require_approvals(team: &Team) {
    let url = team.url(ADMIN);
    let args = ["team", "init", "--database", &url, "--approvals", "1"];
    let args = [&args[..], &["--password-stdin"]].concat();
    let (code, out, err) = run_with_lines(&TestHome::new(), &args, &[PASSWORD]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(
        out.contains("precisa da aprovação de outra pessoa"),
        "{out}"
    );
}

#[test]
fn the_other_operator_approves_before_the_send() {
    if !has_postgres() {
        return;
    }
    let team = Team::on(Arc::new(Postgres::start(&[])));
    let bank = Bank::open();
    let [ana_home, bia_home] =
        [("ana", "Ana"), ("bia", "Bia")].map(|(role, name)| joined(&team, &bank, role, name));
    let [mut ana, mut bia] = [&ana_home, &bia_home].map(|home| start(home, &bank));
    // The running programs learn of the rule.
    require_approvals(&team);

    type_withdrawal(&mut ana);
    ana.press("\x13");
    ana.wait_for("[ Voltar ]");
    ana.wait_for("Nada sai ainda: depois de preparado");
    ana.press("\t");
    ana.wait_for("[ Preparar R$ 100,00 ]");
    ana.press("\r");
    ana.wait_for("Para ser enviado, este saque precisa da aprovação");
    ana.press("s");

    bia.press("3");
    bia.wait_for("R$ 100,00");
    bia.press("\r");
    bia.wait_for("precisa da sua aprovação");
    bia.press("w");
    bia.wait_for("Aprovar o saque de R$ 100,00?");
    bia.press("\t");
    bia.wait_for("[ Aprovar R$ 100,00 ]");
    bia.press("\r");
    bia.wait_for("Saque aprovado");

    ana.wait_for(") aprovou");
    assert_eq!(bank.ledger().requests.len(), 0);
    resend(&mut ana);
    ana.wait_for("ACEITO PELO SERVIÇO");
    bia.wait_for("ACEITO PELO SERVIÇO");
    assert_paid_once(&bank, 1);
}
