//! Tests the checkup screen: opening it from the account pane and from the command palette, and
//! copying its report.

use crate::shop::Shop;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checkup_is_read_copied_and_rerun_without_sending() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    let before = shop.ledger().requests.len();
    counter.press("6").await;
    counter.press("!").await;
    counter.wait_for("O diagnóstico não cria nada nem movimenta dinheiro.").await;
    counter.assert_sees("tamanho: 80 colunas por 24 linhas");
    counter.press("y").await;
    counter.wait_for_copy_of("clip-report").await;
    counter.press("G").await;
    counter.wait_for("versões: balcão").await;
    counter.assert_sees("serviço: está no ar (código 404)");
    counter.assert_sees("relógio: a diferença para o serviço é de");
    counter.press("r").await;
    counter.wait_to_hear_more("Examined", 1).await;
    assert_eq!(shop.ledger().requests.len(), before, "no operation was asked for");
    counter.press("Esc").await;
    counter.press("1").await;
    counter.press("Ctrl-K").await;
    counter.type_text("diagnostico").await;
    counter.press("Enter").await;
    counter.wait_to_hear_more("Examined", 2).await;
    counter.wait_for("Diagnóstico").await;
    counter.close().await;
}
