//! App models of the form for exporting a list.

use balcao::app::cx::Route;
use balcao::app::store::list_export::{ExportFault, ListKind};
use balcao::app::{Model, Msg};
use balcao::words::Lang;

use crate::models::{open_screen, pane_model, press, send_message, with_change};

fn form(lang: Lang, list: ListKind) -> Model {
    with_change(pane_model(lang, list.pane()), |model| {
        open_screen(model, Route::ExportList(list));
    })
}

/// Returns app models of the form in each of its states.
pub fn export_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let unmasked = with_change(form(lang, ListKind::Charges), |model| {
        press(model, "Tab");
        press(model, "Right");
        press(model, "Tab");
    });
    let writing = with_change(form(lang, ListKind::Withdrawals), |model| {
        press(model, "Ctrl-S");
    });
    let failed = with_change(writing.clone(), |model| {
        let ticket = model.last_ticket;
        let fault = ExportFault::File("No space left on device (os error 28)".into());
        let result = Err(fault);
        send_message(model, Msg::ListExported { ticket, result });
    });
    vec![
        ("export", form(lang, ListKind::Links)),
        ("export-unmasked", unmasked),
        ("export-writing", writing),
        ("export-failed", failed),
    ]
}
