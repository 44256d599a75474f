//! Models of a withdrawal's receipt.

use balcao::app::Model;
use balcao::app::cx::Route;
use balcao::app::screens::Layer;
use balcao::app::screens::withdrawals::receipt::Saving;
use balcao::trade::{Ticket, Withdrawal};
use balcao::words::Lang;

use super::withdrawals::{details, named, with_more};
use crate::models::push;

fn receipt(lang: Lang, of: Withdrawal, saving: Saving) -> Model {
    let mut model = details(lang, of.clone());
    push(&mut model, Route::Receipt(Box::new(of)));
    let Some(Layer::Receipt(receipt)) = model.layers.last_mut() else { unreachable!() };
    receipt.saving = saving;
    model
}

pub fn receipts(lang: Lang) -> Vec<(&'static str, Model)> {
    let path = |ending| format!("/srv/ana/Documentos/comprovante-2026-11-21-00000000.{ending}");
    let saved = Saving::Saved(["txt", "svg"].map(|ending| path(ending).into()));
    let failed = Saving::Failed("Permission denied (os error 13)".into());
    let accepted = || named("accepted");
    let mut live = receipt(lang, accepted(), Saving::Unasked);
    live.sandbox = false;
    vec![
        ("receipt", receipt(lang, accepted(), Saving::Unasked)),
        ("receipt-live", live),
        ("receipt-later", receipt(lang, named("accepted-later"), Saving::Unasked)),
        ("receipt-worded", receipt(lang, named("accepted-worded"), Saving::Unasked)),
        ("receipt-members", receipt(lang, with_more(), Saving::Unasked)),
        ("receipt-writing", receipt(lang, accepted(), Saving::Writing(Ticket(7)))),
        ("receipt-saved", receipt(lang, accepted(), saved)),
        ("receipt-not-saved", receipt(lang, accepted(), failed)),
    ]
}
