//! What to look for in the account: the very figures, one thing at a time.

use crate::app::Store;
use crate::trade::withdrawal::{Alarm, Attempt, Class, Unclear};
use crate::trade::{Clocks, Untrusted, Withdrawal};

/// One thing to look for, as it is copied.
#[derive(Debug, Clone, PartialEq)]
pub struct Clue {
    /// What it is.
    pub what: ClueKind,
    /// The exact text.
    pub text: Untrusted,
}

/// What can be looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClueKind {
    /// What was asked for.
    Amount,
    /// What arrives, where a quote said so.
    Net,
    /// What a reply said instead: an amount or a destination.
    Said,
    /// When it was sent.
    When,
    /// Where it goes, where the request names it.
    Destination,
    /// The idempotency key, as its header carried it.
    Key,
}

impl Withdrawal {
    /// What a reply said instead of what was sent, whether or not its line is confirmed.
    pub fn contradiction(&self) -> Option<&Alarm> {
        self.attempts.iter().find_map(|attempt| match &attempt.end.as_ref()?.class {
            Class::Alarm(alarm) | Class::Unclear(Unclear::EchoDiffers(alarm)) => Some(alarm),
            _ => None,
        })
    }
}

/// When the first and the last attempt that may have arrived began.
pub fn sent_between(withdrawal: &Withdrawal) -> Option<(&Clocks, &Clocks)> {
    let mut sent = withdrawal.attempts.iter().filter(|attempt| attempt.counts());
    let first = sent.next()?;
    Some((&first.began, sent.next_back().map_or(&first.began, |last: &Attempt| &last.began)))
}

/// Everything to look for, in the order in which one looks.
pub fn clues(store: &Store, withdrawal: &Withdrawal) -> Vec<Clue> {
    let agreement = &withdrawal.agreement;
    let clue = |what, text: &str| Clue { what, text: text.into() };
    let mut clues = vec![clue(ClueKind::Amount, &agreement.amount.figure())];
    if let Some(quote) = &agreement.quote {
        clues.push(clue(ClueKind::Net, &quote.net.figure()));
    }
    match withdrawal.contradiction() {
        Some(Alarm::Amount { got, .. }) => clues.push(clue(ClueKind::Said, &got.figure())),
        Some(Alarm::Destination { got, .. }) => {
            clues.push(Clue { what: ClueKind::Said, text: got.clone() });
        }
        None => {}
    }
    if let Some((first, _)) = sent_between(withdrawal) {
        clues.push(clue(ClueKind::When, &first.wall.rfc3339(store.setup.utc_offset_s)));
    }
    if let Some(destination) = &agreement.destination {
        clues.push(clue(ClueKind::Destination, &destination.pretty()));
    }
    // Where the header wants the key between quotation marks, they are not part of it.
    clues.push(clue(ClueKind::Key, agreement.key_header.trim_matches('"')));
    clues
}
