//! Tests of Pix codes that some banks refuse, because they break a rule of the standard.

use super::sales::charge;
use super::*;

/// A Pix code for R$ 49,90 whose receiver's name has 33 characters. The standard allows 25.
const LONG_NAME_CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    520400005303986540549.905802BR5933DOCES E BOLOS DA ANA MARIA E FILH6008BRASILIA\
    62070503***6304B101";

#[test]
fn code_that_banks_may_refuse_is_named_and_copied() {
    let mut app = App::logged_in();
    app.press("4 n");
    for text in [
        "4990",
        "Boné",
        "Bia Silva",
        "bia@example.com",
        "",
        "11144477735",
    ] {
        app.type_text(text);
        app.press("Tab");
    }
    let effects = app.press("Ctrl-S");
    let [Effect::MakeCharge { ticket, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    let pix_code = Some(LONG_NAME_CODE.into());
    let outcome = ChargeOutcome::Created(CreatedCharge {
        id: None,
        status: None,
        pix_code,
        expires: None,
    });
    let charge = charge(outcome);
    app.deliver(charge_made(*ticket, Ok(charge.clone())));
    assert_eq!(
        app.model.notice.take(),
        Some(Notice::warn("said-charge-made-odd"))
    );
    app.press("Esc 4 r");
    let ticket = app.last_ticket();
    app.deliver(Msg::ChargesLoaded {
        ticket,
        result: Ok(page_of(vec![charge]).into()),
    });
    app.press("Enter");
    let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(page.contains("o nome tem 33"), "{page}");
    assert_eq!(app.press("y"), vec![], "a question comes first");
    assert_eq!(
        app.press("Tab Enter"),
        vec![Effect::Copy(Clip::PixCode, LONG_NAME_CODE.into())]
    );
}
