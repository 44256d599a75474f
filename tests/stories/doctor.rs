//! Tests of the checkup screen: opening it from the account pane, opening it from the command
//! palette, and copying its report.

use crate::test_env::TestEnv;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checkup_is_read_copied_and_rerun_without_sending() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    let before = env.ledger().requests.len();
    app.press("6").await;
    app.press("!").await;
    app.wait_for("O diagnóstico não cria nada nem movimenta dinheiro.")
        .await;
    app.assert_shows("tamanho: 80 colunas por 24 linhas");
    app.press("y").await;
    app.wait_for_copy_notice("clip-report").await;
    app.press("G").await;
    app.wait_for("versões: balcão").await;
    app.assert_shows("serviço: está no ar (código 404)");
    app.assert_shows("relógio: a diferença para o serviço é de");
    app.press("r").await;
    app.wait_for_another_message("Examined", 1).await;
    assert_eq!(
        env.ledger().requests.len(),
        before,
        "no operation was asked for"
    );
    app.press("Esc").await;
    app.press("1").await;
    app.press("Ctrl-K").await;
    app.type_text("diagnostico").await;
    app.press("Enter").await;
    app.wait_for_another_message("Examined", 2).await;
    app.wait_for("Diagnóstico").await;
    app.close().await;
}
