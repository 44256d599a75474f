//! App models and tests of the money screens: payment links, direct payments, withdrawals, and the
//! checkout page that buyers see.

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

/// Returns app models of all money screens in all states, with the names of their snapshots.
pub fn all(lang: Lang) -> Vec<(&'static str, Model)> {
    let groups = [
        payments::links(lang),
        payments::charges(lang),
        payments::settled_sales(lang),
        payments::buyers(lang),
        withdrawals::panes(lang),
        forms::forms(lang),
        forms::reviews(lang),
        forms::sends(lang),
        withdrawals::outcomes(lang),
        receipts::receipts(lang),
        withdrawals::persons(lang),
        consent::pages(lang),
    ];
    groups.concat()
}
