//! Models of a withdrawal's receipt.

use balcao::app::Model;
use balcao::app::cx::Route;
use balcao::app::screens::Layer;
use balcao::app::screens::withdrawals::receipt::Saving;
use balcao::trade::{Ticket, Withdrawal};
use balcao::words::Lang;

use super::withdrawals::{accepted_with_members, details, find_withdrawal};
use crate::models::open_screen;

fn receipt_model(lang: Lang, withdrawal: Withdrawal, saving: Saving) -> Model {
    let mut model = details(lang, withdrawal.clone());
    open_screen(&mut model, Route::Receipt(Box::new(withdrawal)));
    let Some(Layer::Receipt(receipt)) = model.layers.last_mut() else {
        unreachable!()
    };
    receipt.saving = saving;
    model
}

pub fn receipt_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let path = |ending| format!("/srv/ana/Documentos/comprovante-2026-11-21-00000000.{ending}");
    let saved = Saving::Saved(["txt", "svg"].map(|ending| path(ending).into()));
    let failed = Saving::Failed("Permission denied (os error 13)".into());
    let accepted = || find_withdrawal("accepted");
    let mut live = receipt_model(lang, accepted(), Saving::NotRequested);
    live.sandbox = false;
    vec![
        (
            "receipt",
            receipt_model(lang, accepted(), Saving::NotRequested),
        ),
        ("receipt-live", live),
        (
            "receipt-later",
            receipt_model(
                lang,
                find_withdrawal("accepted-later"),
                Saving::NotRequested,
            ),
        ),
        (
            "receipt-worded",
            receipt_model(
                lang,
                find_withdrawal("accepted-worded"),
                Saving::NotRequested,
            ),
        ),
        (
            "receipt-members",
            receipt_model(lang, accepted_with_members(), Saving::NotRequested),
        ),
        (
            "receipt-writing",
            receipt_model(lang, accepted(), Saving::Writing(Ticket(7))),
        ),
        ("receipt-saved", receipt_model(lang, accepted(), saved)),
        ("receipt-not-saved", receipt_model(lang, accepted(), failed)),
    ]
}
