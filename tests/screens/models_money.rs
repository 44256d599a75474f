//! Models of the screens of money: links, direct payments, withdrawals, the buyer's page.

#[path = "money/agreeing.rs"]
mod agreeing;
#[path = "money/consent.rs"]
mod consent;
#[path = "money/forms.rs"]
pub mod forms;
#[path = "money/hostile.rs"]
mod hostile;
#[path = "money/left_out.rs"]
mod left_out;
#[path = "money/one_truth.rs"]
mod one_truth;
#[path = "money/payments.rs"]
pub mod payments;
#[path = "money/receipts.rs"]
pub mod receipts;
#[path = "money/replies.rs"]
pub mod replies;
#[path = "money/spans.rs"]
mod spans;
#[path = "money/truth_table.rs"]
mod truth_table;
#[path = "money/truths.rs"]
mod truths;
#[path = "money/withdrawals.rs"]
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
