//! What was on the screen of what would be agreed to, and since when its button had the focus.
//!
//! A burst of keys (a paste that the terminal does not bracket is one) is heard as a whole between
//! two frames: nobody saw what its first keys led to when its last ones press. So the runtime says
//! with every message what was drawn. Between two messages the model does not change, so a frame
//! that was written since the last one shows the model as it stands before the next is heard.

use std::time::Duration;

use super::layer::{Layer, Question};
use super::legible::hold_back;
use super::withdrawals::send::{Fee, SendQuestion};
use super::withdrawals::{Flow, Past, QuoteState, Review, ReviewFocus, WhyRetype};
use super::{Model, Size, money_lines};
use crate::contract::Change;
use crate::trade::{IdempotencyKey, Quote, Withdrawal};

/// How long the focus stands on a confirming button, in sight, before a key presses it.
pub const FOCUS_MS: u64 = 150;

/// What was drawn so far, as whoever draws tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Drawn {
    /// How many frames were written to their end.
    pub frames: u64,
    /// The boot clock when the last of them was.
    pub at_ms: u64,
}

/// What would be agreed to, as it is laid out; equal terms are what was seen.
#[derive(Debug, Clone, PartialEq)]
struct Terms {
    what: What,
    /// None where what was read stays read in another size, and at its place.
    size: Option<Size>,
    lines: u16,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Withdrawal { key: IdempotencyKey, fee: Figures, why: Vec<WhyRetype>, past: Option<Past> },
    Send { withdrawal: Box<Withdrawal>, fee: Figures, why: Vec<WhyRetype>, past: Option<Past> },
    NotPaid(Box<Withdrawal>),
    Lines(Vec<Change>),
    Question(Question),
}

/// What is said of a fee; how old it is does not matter.
#[derive(Debug, Clone, PartialEq)]
enum Figures {
    /// Fee and net.
    Known(Box<Quote>),
    /// It is being asked for.
    Asking,
    /// It is not known, or not as agreed, and what is said of that.
    Other(Box<QuoteState>),
}

/// What was seen of the terms in front.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    frames: u64,
    terms: Option<Terms>,
    /// For each line whether some frame had it.
    lines: Vec<bool>,
    /// When the first frame was written that had the focus on the confirming button.
    on_button_ms: Option<u64>,
}

/// Notes what was drawn since the last message was heard.
pub fn note(model: &mut Model, drawn: Drawn) {
    if drawn.frames == model.seen.frames {
        return;
    }
    model.seen.frames = drawn.frames;
    money_lines::drawn(model);
    if !is_seen(model) {
        return;
    }
    if let Some(shown) = model.setup.legible.shown(model) {
        let lines = usize::from(shown.first)..usize::from(shown.end);
        model.seen.lines.iter_mut().take(lines.end).skip(lines.start).for_each(|line| *line = true);
    }
    if is_on_button(model) {
        model.seen.on_button_ms.get_or_insert(drawn.at_ms);
    }
}

/// After each message: other terms are seen anew, and so is a focus that comes back.
pub fn follow(model: &mut Model) {
    // What lies under a help page is not forgotten.
    if let Some(terms) = terms(model)
        && model.seen.terms.as_ref() != Some(&terms)
    {
        if model.seen.terms.is_some() {
            model.scroll = 0;
        }
        let lines = vec![false; usize::from(terms.lines)];
        let frames = model.seen.frames;
        model.seen = Seen { frames, terms: Some(terms), lines, on_button_ms: None };
    }
    hold_back(model);
    if !is_on_button(model) {
        model.seen.on_button_ms = None;
    }
}

/// Whether every line of what would be agreed to was on the screen, or is on this one.
pub fn all(model: &Model) -> bool {
    let Some(shown) = model.setup.legible.shown(model) else { return false };
    if shown.is_all() {
        return true;
    }
    let is_seen = is_seen(model);
    let was_shown =
        |line: u16| is_seen && model.seen.lines.get(usize::from(line)).copied().unwrap_or_default();
    (0..shown.total).all(|line| (shown.first..shown.end).contains(&line) || was_shown(line))
}

/// Whether the confirming button had the focus for long enough, in sight.
pub fn may_press(model: &Model) -> bool {
    let since = model.seen.on_button_ms.filter(|_| is_seen(model));
    since.is_some_and(|since| model.now.boot_ms >= since.saturating_add(FOCUS_MS))
}

/// How long until then, where the focus stands on it.
pub fn until_press(model: &Model) -> Option<Duration> {
    if !is_on_button(model) || may_press(model) {
        return None;
    }
    let since = model.seen.on_button_ms.unwrap_or(model.now.boot_ms);
    let left = since.saturating_add(FOCUS_MS).saturating_sub(model.now.boot_ms);
    Some(Duration::from_millis(left.max(1)))
}

/// A model at which somebody looked for so long that every line and button was seen.
///
/// For what draws a model that no frame came before.
pub fn looked_at(model: &mut Model) {
    follow(model);
    model.seen.lines.fill(true);
    model.seen.on_button_ms = Some(model.now.boot_ms.saturating_sub(FOCUS_MS));
}

fn is_seen(model: &Model) -> bool {
    let terms = terms(model);
    terms.is_some() && terms == model.seen.terms
}

/// Whether the focus stands on a button that agrees to something.
fn is_on_button(model: &Model) -> bool {
    match model.layers.last() {
        Some(Layer::Withdraw(Flow::Review(review))) => review.focus == ReviewFocus::Confirm,
        Some(Layer::Send(question)) => question.focus == ReviewFocus::Confirm,
        Some(Layer::NotPaid(statement)) => statement.focus == ReviewFocus::Confirm,
        Some(Layer::MoneyLines(reading)) => reading.on_do,
        Some(Layer::Ask(ask)) => ask.on_do,
        _ => false,
    }
}

fn terms(model: &Model) -> Option<Terms> {
    let what = match model.layers.last()? {
        Layer::Withdraw(Flow::Review(review)) => of_review(review),
        Layer::Send(question) => of_send(question),
        Layer::NotPaid(_) => {
            What::NotPaid(Box::new(super::withdrawals::guide::subject(model)?.clone()))
        }
        Layer::MoneyLines(reading) => What::Lines(reading.changes.clone()),
        Layer::Ask(ask) => What::Question(ask.question.clone()),
        _ => return None,
    };
    let lines = model.setup.legible.shown(model).map_or(0, |shown| shown.total);
    let size = (!matches!(what, What::Lines(_))).then_some(model.size);
    Some(Terms { what, size, lines })
}

fn of_review(review: &Review) -> What {
    let fee = match &review.draft.quote {
        QuoteState::Shown(quote) => Figures::of(quote),
        QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => Figures::Asking,
        failed @ QuoteState::Failed { .. } => Figures::Other(Box::new(failed.clone())),
    };
    let why = review.retype.iter().flat_map(|retype| retype.why.clone()).collect();
    What::Withdrawal { key: review.agreement.key, fee, why, past: review.past.clone() }
}

fn of_send(question: &SendQuestion) -> What {
    let withdrawal = Box::new(question.withdrawal.clone());
    let fee = match &question.fee {
        Fee::Asking(_) => Figures::Asking,
        Fee::Other(quote) => Figures::Other(Box::new(quote.clone())),
        Fee::AsAgreed | Fee::Same(_) => match &question.withdrawal.agreement.quote {
            Some(quote) => Figures::of(quote),
            None => Figures::Other(Box::default()),
        },
    };
    let why = question.retype.iter().flat_map(|retype| retype.why.clone()).collect();
    What::Send { withdrawal, fee, why, past: question.past.clone() }
}

impl Figures {
    fn of(quote: &Quote) -> Figures {
        // Asked for again it is the same fee as long as it says the same.
        let at = crate::trade::Wall(0);
        Figures::Known(Box::new(Quote { at, ..quote.clone() }))
    }
}
