//! What the app asks the journal: of each kind only the newest question is answered.
//!
//! A list that is searched or scrolled asks with each key. Queued, these questions would take the
//! room of orders, and a slow disk would read pages that nobody waits for any more.

use tokio::sync::Notify;

use super::Order;
use crate::runtime::newest::Newest;

/// A place for each kind of question.
#[derive(Default)]
pub(super) struct Questions {
    lists: Newest<Order>,
    pasts: Newest<Order>,
    destinations: Newest<Order>,
    /// Told with every question.
    pub asked: Notify,
}

impl Questions {
    /// The place of a question; none where it is an order that is to be carried out.
    pub fn of_kind(&self, order: &Order) -> Option<&Newest<Order>> {
        match order {
            Order::Load(_) => Some(&self.lists),
            Order::LookUpPast(_) => Some(&self.pasts),
            Order::LoadDestinations { .. } => Some(&self.destinations),
            Order::Prepare { .. } | Order::Attempt(_) | Order::Decide { .. } => None,
        }
    }

    /// Waits for the next question.
    pub async fn next(&self) -> Order {
        loop {
            if let Some(question) = self.waiting() {
                return question;
            }
            self.asked.notified().await;
        }
    }

    /// A question that waits, if one does.
    pub fn waiting(&self) -> Option<Order> {
        let kinds = [&self.lists, &self.pasts, &self.destinations];
        kinds.into_iter().find_map(Newest::take)
    }
}
