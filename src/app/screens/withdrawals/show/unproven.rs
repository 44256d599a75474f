//! Draws what the reply to an open withdrawal says, although it does not prove that the service
//! accepted the withdrawal: its code and its state, or the question where they are.

use crate::app::Store;
use crate::app::store::{kiosk, teaching};
use crate::app::ui::action::Action;
use crate::app::ui::parts::{pair, wrapped};
use crate::app::ui::{Line, Role};
use crate::trade::Withdrawal;
use crate::words::personal;

/// Lays out the code and the state that the reply contains. If no setting of the API contract finds
/// the code, asks where it is. After a restart, the reply is only in the list of requests.
pub fn lines(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let code = code_text(store, withdrawal);
    if !code.is_empty() {
        return pair(&store.text("outcome-service-code"), &code, width);
    }
    let may_teach =
        teaching::is_undecided(store, withdrawal) && !kiosk::hides_action(store, Action::Teach);
    let status = teaching::statuses_without_sign(withdrawal).last();
    let Some(status) = status.filter(|_| may_teach) else {
        return vec![];
    };
    let question = store.with("teach-where.code", &[("status", &status.to_string())]);
    let hint = match teaching::unclear_success(store, withdrawal) {
        Some(_) => store
            .render_cx()
            .with_key("outcome-shows-reply", Action::Teach),
        None => store
            .render_cx()
            .with_key("outcome-shows-requests", Action::Related),
    };
    wrapped(Role::Warn, &format!("{question} {hint}"), width)
}

/// The code and the state that the reply contains, as they came. Returns an empty text if the reply
/// has no known code.
pub fn code_text(store: &Store, withdrawal: &Withdrawal) -> String {
    let Some(unproven) = teaching::unproven_code(store, withdrawal) else {
        return String::new();
    };
    let shown = |text| personal::service_text(store.words(), text).shown_within(60);
    let state = unproven.state.as_ref().map_or_else(
        || store.text("outcome-code-unproven"),
        |state| store.with("outcome-state-unproven", &[("word", &shown(state))]),
    );
    format!("{} ({state})", shown(&unproven.code))
}
