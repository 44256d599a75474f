//! Tests of receipts for withdrawals: showing, copying and saving them.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::test_env::TestEnv;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receipt_is_shown_copied_and_saved() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.withdraw(&env, "10010").await;
    let key = env.only_withdrawal().agreement.key.to_string();
    app.press("v").await;
    app.wait_for_localized("receipt-no-bank").await;
    app.assert_shows(&key);
    app.assert_shows("CPF 111.444.777-35");

    app.press("y").await;
    app.wait_for_copy_notice("clip-receipt").await;
    let copied = app.take_terminal_output();

    // Saving a receipt fails until the directory for receipts exists.
    app.press("e").await;
    app.wait_for("Não deu para salvar").await;
    fs::create_dir(env.receipts_dir()).unwrap();
    app.press("e").await;
    app.wait_for_localized("receipt-saved").await;
    app.press("e").await;
    app.wait_for_another_message("ReceiptSaved", 2).await;

    let files = fs::read_dir(env.receipts_dir())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.collect();
    files.sort();
    let day_and_key = format!("comprovante-2026-11-21-{}", &key[..8]);
    let names: Vec<_> = files
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap())
        .collect();
    let endings = ["-2.svg", "-2.txt", ".svg", ".txt"];
    assert_eq!(
        names,
        endings.map(|ending| format!("{day_and_key}{ending}"))
    );
    for path in &files {
        assert_eq!(
            fs::metadata(path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        let content = fs::read_to_string(path).unwrap();
        let payout = env.ledger().payouts.remove(0);
        for text in ["R$ 100,10", &key, "111.444.777-35", "SANDBOX", &payout.id] {
            assert!(content.contains(text), "{text} in {content}");
        }
    }
    let text = fs::read_to_string(&files[3]).unwrap();
    assert_eq!(copied, crate::links::osc52(&text));
    app.close().await;
}
