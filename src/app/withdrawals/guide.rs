//! The guide: what to look for in the account, one thing at a time.
//!
//! Whoever cannot be told by the service whether a withdrawal was paid has to look, and needs the
//! very figures to look for.

use crate::app::copying::{self, Clip};
use crate::app::layer::Layer;
use crate::app::list::Move;
use crate::app::update::say;
use crate::app::{CopyTrouble, Effect, Model, Said, act, scroll};
use crate::trade::withdrawal::{Alarm, Attempt, Class, Unclear};
use crate::trade::{Clocks, Untrusted, Withdrawal};

use super::Flow;

/// One thing to look for, as it is copied.
#[derive(Debug, Clone, PartialEq)]
pub struct Clue {
    /// What it is.
    pub what: What,
    /// The exact text.
    pub text: Untrusted,
}

/// What can be looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
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
pub fn clues(model: &Model, withdrawal: &Withdrawal) -> Vec<Clue> {
    let agreement = &withdrawal.agreement;
    let clue = |what, text: &str| Clue { what, text: text.into() };
    let mut clues = vec![clue(What::Amount, &agreement.amount.figure())];
    if let Some(quote) = &agreement.quote {
        clues.push(clue(What::Net, &quote.net.figure()));
    }
    match withdrawal.contradiction() {
        Some(Alarm::Amount { got, .. }) => clues.push(clue(What::Said, &got.figure())),
        Some(Alarm::Destination { got, .. }) => {
            clues.push(Clue { what: What::Said, text: got.clone() });
        }
        None => {}
    }
    if let Some((first, _)) = sent_between(withdrawal) {
        clues.push(clue(What::When, &first.wall.rfc3339(model.setup.utc_offset_s)));
    }
    if let Some(destination) = &agreement.destination {
        clues.push(clue(What::Destination, &destination.pretty()));
    }
    // Where the header wants the key between quotation marks, they are not part of it.
    clues.push(clue(What::Key, agreement.key_header.trim_matches('"')));
    clues
}

/// The withdrawal whose details lie on top, also under its guide or a question.
pub fn subject(model: &Model) -> Option<&Withdrawal> {
    model.layers.iter().rev().find_map(|layer| match layer {
        Layer::Withdrawal(withdrawal) => Some(&**withdrawal),
        Layer::Withdraw(Flow::Outcome(outcome)) => Some(&outcome.withdrawal),
        Layer::Send(question) => Some(&question.withdrawal),
        _ => None,
    })
}

/// Opens the guide over the details.
pub fn open(model: &mut Model) -> Vec<Effect> {
    act::open(model, Layer::Guide { cursor: 0 })
}

/// Copies what is under the cursor, exactly or not at all; it is seen when it is copied.
pub fn copy(model: &mut Model, cursor: usize) -> Vec<Effect> {
    // Where the text is scrolled the line under the bar may be off the screen.
    model.scroll = 0;
    let clue = subject(model).and_then(|one| clues(model, one).into_iter().nth(cursor));
    match clue {
        Some(clue) => match CopyTrouble::of(&clue.text) {
            None => copying::copy(model, Clip::Clue(clue.what), clue.text),
            Some(trouble) => say(model, Said::NotCopied(trouble)),
        },
        None => say(model, Said::NotCopied(CopyTrouble::Nothing)),
    }
}

/// Goes to another clue; behind the last one the text goes on.
pub fn step(model: &mut Model, to: Move) {
    let last = subject(model).map_or(0, |one| clues(model, one).len()).saturating_sub(1);
    let scrolled = model.scroll > 0;
    let Some(Layer::Guide { cursor }) = model.layers.last_mut() else { return };
    let goes_on = match to {
        Move::By(lines) => lines < 0 && scrolled || lines > 0 && *cursor >= last,
        Move::Last => *cursor >= last,
        Move::First | Move::To(_) => false,
    };
    if goes_on {
        return scroll::go(model, to);
    }
    *cursor = act::moved(*cursor, last, to);
    model.scroll = 0;
}
