//! The clues by which a withdrawal is looked for in the account: the very figures, one at a time.

use crate::app::Store;
use crate::trade::withdrawal::{Alarm, Attempt, Class, Unclear};
use crate::trade::{Clocks, Untrusted, Withdrawal};

/// One thing to look for, as it is copied.
#[derive(Debug, Clone, PartialEq)]
pub struct Clue {
    /// The kind of the clue.
    pub what: ClueKind,
    /// The exact text.
    pub text: Untrusted,
}

/// The kind of a clue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClueKind {
    /// The amount that was asked for.
    Amount,
    /// The amount that arrives, where a quote gave one.
    Net,
    /// The amount or the destination that a reply gave instead of what was sent.
    Said,
    /// The moment at which it was sent.
    When,
    /// The destination, where the request names it.
    Destination,
    /// The idempotency key, as its header carried it.
    Key,
}

impl Withdrawal {
    /// Returns what a reply contradicts, whether or not its line of the contract is confirmed.
    pub fn contradiction(&self) -> Option<&Alarm> {
        self.attempts.iter().find_map(|attempt| match &attempt.end.as_ref()?.class {
            Class::Alarm(alarm) | Class::Unclear(Unclear::EchoDiffers(alarm)) => Some(alarm),
            _ => None,
        })
    }
}

/// Returns the beginnings of the first and the last attempt that may have arrived.
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
    let when = |first: &Clocks| first.wall.rfc3339(store.setup.utc_offset_s);
    if let Some(when) = sent_between(withdrawal).and_then(|(first, _)| when(first)) {
        clues.push(clue(ClueKind::When, &when));
    }
    if let Some(destination) = &agreement.destination {
        clues.push(clue(ClueKind::Destination, &destination.pretty()));
    }
    // Where the header wants the key between quotation marks, they are not part of it.
    clues.push(clue(ClueKind::Key, agreement.key_header.trim_matches('"')));
    clues
}
