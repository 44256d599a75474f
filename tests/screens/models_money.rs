//! Models of the screens of money: links, direct payments, withdrawals, the buyer's page.

#[path = "money/agreeing.rs"]
mod agreeing;
#[path = "money/contract_lines.rs"]
mod contract_lines;
#[path = "money/forms.rs"]
pub mod forms;
#[path = "money/payments.rs"]
pub mod payments;
#[path = "money/truth_table.rs"]
mod truth_table;
#[path = "money/truths.rs"]
mod truths;
#[path = "money/withdrawals.rs"]
pub mod withdrawals;

use balcao::app::Model;
use balcao::view::Lang;

/// Every screen of money in every state, by name; the name is the snapshot's too.
pub fn all(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut all = payments::links(lang);
    all.extend(payments::charges(lang));
    all.extend(payments::buyers(lang));
    all.extend(withdrawals::panes(lang));
    all.extend(forms::forms(lang));
    all.extend(forms::reviews(lang));
    all.extend(forms::sends(lang));
    all.extend(withdrawals::outcomes(lang));
    all.extend(withdrawals::persons(lang));
    all.extend(contract_lines::pages(lang));
    all
}
