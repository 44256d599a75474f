//! The checkup of the running program: it examines the very parts that the program works with.

use std::sync::Arc;

use super::WorldContext;
use crate::app::ui::geometry::LEAST;
use crate::app::{Msg, Size};
use crate::runtime::doctor::Examined;
use crate::trade::Ticket;
use crate::trade::checkup;

/// Examines everything, in a window of this size.
pub async fn examine(context: Arc<WorldContext>, ticket: Ticket, size: Size) -> Msg {
    let vault = context.vault();
    let window = checkup::window(Some([size.columns, size.rows]), [LEAST.columns, LEAST.rows]);
    let examined = Examined {
        profile: context.profile.clone(),
        contract: Some(context.contract.now()),
        pending: context.consent.pending().await.ok(),
        vault: Some(vault),
        base: Some(context.service.base().clone()),
        service: Some(context.service()),
        location: Some(context.location.clone()),
    };
    let now = context.clock.now().wall;
    let checkup = context.examiner.examine(window, &examined, now).await;
    Msg::Examined { ticket, checkup: Arc::new(checkup) }
}
