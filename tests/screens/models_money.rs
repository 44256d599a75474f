//! App models and tests of the money screens: payment links, direct payments, withdrawals, and the
//! checkout page that buyers see.

mod agreeing;
mod consent;
pub mod forms;
mod hostile;
mod journals;
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
pub fn money_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let groups = [
        payments::link_models(lang),
        payments::search_models(lang),
        payments::charge_models(lang),
        payments::sale_dialog_models(lang),
        payments::tidying_models(lang),
        payments::buyer_page_models(lang),
        withdrawals::pane_models(lang),
        forms::form_models(lang),
        forms::review_models(lang),
        forms::send_models(lang),
        withdrawals::outcome_models(lang),
        receipts::receipt_models(lang),
        withdrawals::check_models(lang),
        consent::consent_models(lang),
    ];
    groups.concat()
}
