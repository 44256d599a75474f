//! Tests of bank statements: from links, a charge and a withdrawal to marks, with the file that the
//! sandbox's bank writes.

use std::fs;

use balcao::trade::{Paid, PaidSource};

use crate::app::App;
use crate::test_env::TestEnv;

impl App {
    /// Opens the page for statements, and compares the file at this path.
    async fn reconcile(&mut self, path: &str) {
        let results = self.message_count("Reconciled");
        self.press("1 E").await;
        self.paste(path).await;
        self.press("Ctrl-S").await;
        self.wait_for_another_message("Reconciled", results).await;
    }
}

fn is_of_statement(paid: Option<Paid>) -> bool {
    matches!(paid.map(|paid| paid.source), Some(PaidSource::Statement(_)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statement_of_the_sandbox_becomes_marks() {
    let mut env = TestEnv::new().await;
    let demo = env.open_logged_in().await;
    demo.close().await;
    // Only a demo is told which links were paid.
    env.is_demo = false;
    let mut app = env.open().await;
    app.wait_for_message("DomainsListed").await;
    app.create_link("9795", "Camiseta azul M").await;
    app.create_link("9795", "Boné").await;
    app.request_charge("4990", "Conserto").await;
    app.wait_for_message("ChargeMade").await;
    // The net amount of the withdrawal equals the amounts of the links.
    app.withdraw(&env, "10000").await;
    app.press("Esc").await;
    env.clock.advance_ms(60_000);
    let ledger = env.ledger();
    env.control.pay_link(&ledger.links[0].url).unwrap();
    env.control.pay_charge(&ledger.charges[0].id).unwrap();
    let path = env.dir.path().join("extrato.ofx");
    fs::write(&path, env.control.statement()).unwrap();
    let path = path.to_str().unwrap();

    app.reconcile(path).await;
    app.assert_shows_localized("reconcile-first");
    app.assert_shows("1 saque com um lançamento");
    app.assert_shows("1 cobrança com o código dela no extrato");
    app.assert_shows("1 valor igual: pode ser este pagamento");
    app.press("V").await;
    app.wait_for("1 venda marcada como paga.").await;
    assert!(is_of_statement(env.charges()[0].paid));
    assert!(env.links().iter().all(|link| link.paid.is_none()));
    app.wait_for("1 lançamento já usado antes").await;
    app.press("j p").await;
    app.wait_for("2 lançamentos já usados antes").await;
    let marked: Vec<_> = env
        .links()
        .iter()
        .map(|link| is_of_statement(link.paid))
        .collect();
    assert_eq!(marked, [false, true], "newest first");

    // The same file again, in a new page: the payout stays, and nothing else is proposed.
    app.press("Esc").await;
    app.reconcile(path).await;
    app.assert_shows("2 lançamentos já usados antes");
    app.assert_shows("1 saque com um lançamento");
    app.assert_shows_no("1 valor igual");
    app.press("U").await;
    app.wait_for("2 marcas do último extrato desfeitas.").await;
    assert!(env.links().iter().all(|link| link.paid.is_none()));
    assert_eq!(env.charges()[0].paid, None);
    app.wait_for("1 valor igual: pode ser este pagamento").await;
    app.close().await;
}
