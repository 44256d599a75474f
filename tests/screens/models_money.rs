//! Models of the screens of money: links, direct payments, withdrawals, the buyer's page.

mod agreeing;
mod consent;
pub mod forms;
mod hostile;
mod left_out;
mod one_truth;
pub mod payments;
pub mod receipts;
pub mod replies;
mod spans;
mod truth_table;
mod truths;
pub mod withdrawals;

use balcao::app::Model;
use balcao::words::Lang;

/// Every screen of money in every state, by name; the name is the snapshot's too.
pub fn all(lang: Lang) -> Vec<(&'static str, Model)> {
    groups(lang).into_iter().flat_map(|(_, screens)| screens).collect()
}

/// The same, by what they are about.
pub fn groups(lang: Lang) -> [(&'static str, Vec<(&'static str, Model)>); 11] {
    [
        ("links", payments::links(lang)),
        ("charges", payments::charges(lang)),
        ("buyers", payments::buyers(lang)),
        ("panes", withdrawals::panes(lang)),
        ("forms", forms::forms(lang)),
        ("reviews", forms::reviews(lang)),
        ("sends", forms::sends(lang)),
        ("withdrawals", withdrawals::outcomes(lang)),
        ("receipts", receipts::receipts(lang)),
        ("persons", withdrawals::persons(lang)),
        ("consent", consent::pages(lang)),
    ]
}
