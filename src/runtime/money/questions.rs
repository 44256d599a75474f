//! The app's questions to the journal: of each kind only the newest one is answered.
//!
//! A list that is searched or scrolled asks with each key. Queued, these questions would take the
//! room of commands, and a slow disk would read pages that are out of date.

use tokio::sync::Notify;

use crate::app::MoneyCommand;
use crate::runtime::newest::Newest;

/// A slot for each kind of question.
#[derive(Default)]
pub(super) struct Questions {
    lists: Newest<MoneyCommand>,
    pasts: Newest<MoneyCommand>,
    destinations: Newest<MoneyCommand>,
    /// Notified of every question.
    pub asked: Notify,
}

impl Questions {
    /// The slot for a question; `None` for a command that is to be carried out.
    pub fn of_kind(&self, command: &MoneyCommand) -> Option<&Newest<MoneyCommand>> {
        match command {
            MoneyCommand::Load(_) => Some(&self.lists),
            MoneyCommand::LookUpPast(_) => Some(&self.pasts),
            MoneyCommand::LoadDestinations { .. } => Some(&self.destinations),
            MoneyCommand::Prepare { .. }
            | MoneyCommand::Attempt(_)
            | MoneyCommand::Decide { .. } => None,
        }
    }

    /// Waits for the next question.
    pub async fn next(&self) -> MoneyCommand {
        loop {
            if let Some(question) = self.waiting() {
                return question;
            }
            self.asked.notified().await;
        }
    }

    /// A question that waits, if there is one.
    pub fn waiting(&self) -> Option<MoneyCommand> {
        let kinds = [&self.lists, &self.pasts, &self.destinations];
        kinds.into_iter().find_map(Newest::take)
    }
}
