//! Tests of importing a file of links in the app, with the real files, database and service.

use std::collections::BTreeSet;
use std::fs;

use balcao::sandbox::{BankOperation, Fault, Times};

use crate::app::App;
use crate::test_env::TestEnv;

impl App {
    /// Types the path of the file, and waits for the page that shows what is in it.
    async fn check_file(&mut self, path: &str) {
        self.press("1 I").await;
        self.type_text(path).await;
        self.press("Enter").await;
        self.wait_for_localized("import-check-title").await;
    }

    /// Confirms that the links are created.
    async fn confirm_links(&mut self) {
        self.press("s").await;
        self.wait_for_localized("ask-create-links.title").await;
        self.press("Tab").await;
        self.wait_for("[ Criar os links ]").await;
        self.press("Enter").await;
        self.wait_for_localized("batch-title").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn file_becomes_links_after_a_login_in_between() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("precos.csv");
    let text =
        "valor;descrição;nota\n49,90;Boné;cliente Ana\n0,00;Brinde;\n5,00;Meia;\n7,00;Luva;\n";
    fs::write(&file, text).unwrap();
    app.check_file(&format!("'{}'", file.display())).await;
    app.assert_shows("3 links a criar: R$ 61,90");
    app.assert_shows("o valor é zero");
    let unauthorized = Fault::Answer {
        status: 401,
        body: None,
        content_type: None,
        bank_acts: false,
    };
    let times = Times::Next(1);
    env.control
        .arm(unauthorized, BankOperation::CreateLink, times)
        .unwrap();
    app.confirm_links().await;
    app.wait_for("Parado: o serviço não aceita o login").await;
    assert_eq!(env.ledger().links.len(), 0);
    // The demo's form has the password already.
    app.press("L Enter").await;
    app.wait_for_localized("said-logged-in").await;
    app.press("s").await;
    app.wait_for("Terminado.").await;
    let made: BTreeSet<_> = env
        .ledger()
        .links
        .into_iter()
        .map(|link| link.description)
        .collect();
    assert_eq!(made, ["Boné", "Luva", "Meia"].map(str::to_owned).into());
    app.press("Esc").await;
    app.wait_for("3 links").await;
    app.press("B").await;
    app.wait_for("só o último lote · 3 links").await;
    app.assert_shows("Meia");
    let result = fs::read_to_string(folder.path().join("precos-resultado.csv")).unwrap();
    assert_eq!(result.matches("criado").count(), 3, "{result}");
    assert!(result.contains("o valor é zero"), "{result}");
    let notes: BTreeSet<_> = env.links().into_iter().map(|link| link.note).collect();
    assert_eq!(notes, [None, Some("cliente Ana".to_owned())].into());
    app.close().await;
}
