//! The payments that a sandbox tells of, for a window that does not play it itself.
//!
//! Only a service that proved to be the sandbox is asked. It answers when a buyer pays, so the
//! window sleeps until then. Once the sandbox is gone, nothing is asked any more: whoever starts it
//! again has the mark again in a window that is opened then.

use std::sync::Arc;

use super::Inbox;
use super::journal_location::JournalLocation;
use crate::app::Msg;
use crate::service::{self, BaseUrl};

/// Passes on which links were paid, for as long as the sandbox is there.
pub(super) async fn follow(location: Arc<JournalLocation>, base: BaseUrl, inbox: Inbox) {
    if !location.is_of_sandbox().await {
        return;
    }
    let mut known = None;
    while let Some(now) = service::sandbox_payments(&base, known).await {
        // One that answers at once with what is known would be asked without end.
        if known.replace(now.payments) == Some(now.payments) {
            return;
        }
        inbox.send(Msg::SandboxPaidLinks(now.addresses().collect())).await;
    }
}
