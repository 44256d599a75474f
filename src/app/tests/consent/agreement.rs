//! Tests of the agreement to the API contract without a keyring: it lasts until the program ends,
//! and the account pane, the consent page and the doctor say so.

use super::*;
use crate::app::store::consent;
use crate::trade::checkup;

impl App {
    /// Starts the app with this contract. The vault is of this kind, and has this agreement.
    fn with_vault_kind(
        contract: Contract,
        kind: VaultKind,
        agreed: Option<ContractSettings>,
    ) -> App {
        let mut app = App::with_contract(contract);
        app.load_empty_lists();
        app.deliver(Msg::ConsentRead(Ok(agreed)));
        let vault_status = VaultStatus::Kept(kind);
        let api_token = credential(SELLER);
        let jwt = credential("seller-1");
        app.deliver(Msg::CredentialsRead {
            vault_status,
            api_token,
            jwt,
        });
        app
    }
}

/// The text of the whole page, without line breaks.
fn page_text(app: &mut App) -> String {
    app.model.size = Size {
        columns: 120,
        rows: 100,
    };
    let lines = exchange_rows::lines(app).join(" ");
    lines.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn page_without_keyring_says_what_ends_the_asking() {
    for (kind, file, asks_each_time, is_taught) in [
        (VaultKind::Memory, "loja.toml", true, true),
        (VaultKind::Memory, "other.toml", true, false),
        (VaultKind::Keyring, "loja.toml", false, false),
    ] {
        let contract = contract(HARMLESS).with_taught_file(Some(file));
        let mut app = App::with_vault_kind(contract, kind, None);
        assert!(matches!(app.top(), Layer::Consent(_)), "{:?}", app.top());
        let text = page_text(&mut app);
        let each_time = "Sem chaveiro, isto volta a cada início";
        assert_eq!(text.contains(each_time), asks_each_time, "{kind:?}: {text}");
        let taught = "no arquivo em que o balcão grava o que você ensina";
        assert_eq!(text.contains(taught), is_taught, "{kind:?} {file}: {text}");
    }
}

#[test]
fn account_and_doctor_give_one_answer_for_the_run() {
    let agreed = Some(contract(HARMLESS).all_settings());
    let mut app = App::with_vault_kind(contract(HARMLESS), VaultKind::Memory, agreed);
    app.press("6");
    let answer = "1 linha diferente do padrão; o aceite vale até você sair";
    assert!(
        page_text(&mut app).contains(answer),
        "{}",
        page_text(&mut app)
    );
    let agreement = consent::agreement(&app.model);
    let presets = vec![];
    let finding = checkup::contract(checkup::ContractFound {
        presets,
        files: 1,
        agreement,
    });
    let words = app.model.words();
    let at = (app.model.now.wall, 0);
    let text = crate::words::checkup::describe(words, &finding, at, true);
    assert!(text.what.contains(answer), "{}", text.what);
    assert!(
        text.next.contains("--vault keyring, keyutils ou helper"),
        "{}",
        text.next
    );
}
