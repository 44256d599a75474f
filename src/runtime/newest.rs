//! The newest question of a kind: asking again replaces the question that still waits.
//!
//! A list that is searched or scrolled asks with each key. Queued, these questions would take the
//! room of commands, and a slow disk would read pages that are out of date.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::app::MoneyCommand;

/// A slot for one question; the next one takes its place.
#[derive(Debug)]
pub struct Newest<T>(Mutex<Option<T>>);

impl<T> Default for Newest<T> {
    fn default() -> Self {
        Newest(Mutex::default())
    }
}

impl<T> Newest<T> {
    /// Puts a question in; returns true if no other one was waiting there.
    pub fn put(&self, question: T) -> bool {
        self.lock().replace(question).is_none()
    }

    /// Takes the question that is to be answered now, if there is one.
    pub fn take(&self) -> Option<T> {
        self.lock().take()
    }

    /// Returns true if a question waits there.
    pub fn is_waiting(&self) -> bool {
        self.lock().is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Option<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The app's questions to the money journal: a slot for each kind.
#[derive(Default)]
pub struct Questions {
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
