//! What was on the screen of what would be agreed to, and since when its button had the focus.
//!
//! A burst of keys (a paste that the terminal does not bracket is one) is heard as a whole between
//! two frames: nobody saw what its first keys led to when its last ones press. So every frame says
//! what it had on the screen, as a value, and that comes in with each message. What is agreed to
//! counts only where these are the [`Terms`] of now: another window may have added a reason to a
//! review since, and a key alone would not notice.

use std::mem::{Discriminant, discriminant};
use std::sync::Arc;
use std::time::Duration;

use super::screen::{Focus, Question};
use super::screens::Layer;
use super::ui::{Area, Overflow, Page, Shown, Target};
use super::withdrawals::{Past, QuoteState, WhyRetype};
use super::{Model, Pane, Size, geometry, router};
use crate::contract::Change;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{IdempotencyKey, Quote, Withdrawal};

/// How long the focus stands on a confirming button, in sight, before a key presses it.
pub const FOCUS_MS: u64 = 150;

/// What a frame had on the screen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Seen {
    /// Its number; 0 is no frame at all.
    pub frame: u64,
    /// The boot clock when its last byte was written.
    pub at_ms: u64,
    /// Its size.
    pub size: Size,
    /// What was in front.
    pub front: Option<Front>,
    /// What the button in front would agree to.
    pub terms: Option<Terms>,
    /// Which lines of that were on the screen; `None`: it was too small for any.
    pub shown: Option<Shown>,
    /// What of the text in front had no room.
    pub overflow: Overflow,
    /// The places that can be clicked, the first that fits first, and what each means.
    pub targets: Vec<(Area, Target)>,
}

/// What is in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Front {
    pane: Pane,
    layers: usize,
    name: &'static str,
    withdrawal: Option<(IdempotencyKey, Discriminant<WithdrawalState>)>,
    /// Whether the journal's trouble stands in place of the withdrawals.
    trouble: bool,
}

impl Front {
    /// What is in front now.
    pub fn of(model: &Model) -> Front {
        router::front(model, |screen, store| {
            // Another window may settle it while it is read here.
            let state = |one: &Withdrawal| (one.agreement.key, discriminant(&store.state_of(one)));
            Front {
                pane: store.pane,
                layers: model.layers.len(),
                name: screen.name(),
                withdrawal: screen.withdrawal(store).map(state),
                trouble: store.withdrawals.is_locked(),
            }
        })
    }
}

impl Seen {
    /// What a page of this model had, on a terminal of this size.
    pub fn of(model: &Model, size: Size, page: Page) -> Seen {
        if geometry::areas(&model.store, size).is_none() {
            return Seen { size, ..Seen::default() };
        }
        let (shown, overflow) = page.text.unwrap_or((Shown::ALL, Overflow::default()));
        Seen {
            size,
            front: Some(Front::of(model)),
            terms: terms(model),
            shown: Some(shown),
            overflow,
            targets: page.targets,
            ..Seen::default()
        }
    }
}

/// What would be agreed to, as a value; equal terms are what was seen.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each is named as what it holds")]
pub enum Terms {
    /// A new withdrawal.
    Withdrawal { key: IdempotencyKey, fee: FiguresSeen, why: Vec<WhyRetype>, past: Option<Past> },
    /// Sending one that is stored.
    Send { withdrawal: Box<Withdrawal>, fee: FiguresSeen, why: Vec<WhyRetype>, past: Option<Past> },
    /// The statement that one was not paid.
    NotPaid(Box<Withdrawal>),
    /// The lines of the contract that steer money.
    Lines(Vec<Change>),
    /// A question.
    Question(Question),
}

/// What is said of a fee; how old it is does not matter.
#[derive(Debug, Clone, PartialEq)]
pub enum FiguresSeen {
    /// Fee and net.
    Known(Box<Quote>),
    /// It is being asked for.
    Asking,
    /// It is not known, or not as agreed, and what is said of that.
    Other(Box<QuoteState>),
}

/// What the frames so far showed.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    last: Arc<Seen>,
    read: Option<Progress>,
}

/// What was read of the terms in front, or of those that lie below a help page.
#[derive(Debug, Clone)]
struct Progress {
    terms: Terms,
    /// None where what was read stays read in another size, and at its place.
    size: Option<Size>,
    /// For each line whether some frame had it; empty before the first frame.
    lines: Vec<bool>,
    /// When the first frame was written that had the focus on the confirming button.
    on_button_ms: Option<u64>,
}

impl Progress {
    fn of(terms: Terms, size: Size) -> Progress {
        let size = (!matches!(terms, Terms::Lines(_))).then_some(size);
        Progress { terms, size, lines: Vec::new(), on_button_ms: None }
    }

    fn is_same(&self, other: &Progress) -> bool {
        self.terms == other.terms && self.size == other.size
    }
}

/// The last frame, if what it had in front is in front now, in the size that it had.
pub fn in_front(model: &Model) -> Option<&Seen> {
    let last = &*model.seen.last;
    (last.front == Some(Front::of(model)) && last.size == model.size).then_some(last)
}

/// Notes what was drawn since the last message was heard.
pub fn note(model: &mut Model, seen: &Arc<Seen>) {
    if seen.frame == model.seen.last.frame {
        return;
    }
    model.seen.last = seen.clone();
    was_drawn(model);
    let Some(terms) = seen.terms.clone().filter(|_| in_front(model).is_some()) else { return };
    if self::terms(model).as_ref() != Some(&terms) {
        return;
    }
    let anew = Progress::of(terms, model.size);
    if !model.seen.read.as_ref().is_some_and(|read| read.is_same(&anew)) {
        model.seen.read = Some(anew);
    }
    let is_on_button = is_on_button(model);
    if let (Some(read), Some(shown)) = (&mut model.seen.read, seen.shown) {
        shown.mark(&mut read.lines);
        if is_on_button {
            read.on_button_ms.get_or_insert(seen.at_ms);
        }
    }
    hold_back(model);
}

/// Tells the screen in front what a frame had of it.
fn was_drawn(model: &mut Model) {
    let Some(seen) = in_front(model).cloned() else { return };
    let scroll = model.scroll;
    if let Some(layer) = model.layers.last_mut() {
        layer.screen_mut().was_drawn(scroll, &seen);
    }
}

/// After each message: other terms are seen anew, and so is a focus that comes back.
pub fn follow(model: &mut Model) {
    // What lies under a help page is not forgotten.
    if let Some(anew) = terms(model).map(|terms| Progress::of(terms, model.size))
        && !model.seen.read.as_ref().is_some_and(|read| read.is_same(&anew))
        && model.seen.read.replace(anew).is_some()
    {
        model.scroll = 0;
    }
    hold_back(model);
    if !is_on_button(model)
        && let Some(read) = &mut model.seen.read
    {
        read.on_button_ms = None;
    }
}

/// Which lines of what would be agreed to the frames so far had.
pub fn read_so_far(model: &Model) -> Vec<bool> {
    progress(model).map(|read| read.lines.clone()).unwrap_or_default()
}

/// Whether every line of what would be agreed to was on the screen.
pub fn all(model: &Model) -> bool {
    progress(model).is_some_and(|read| !read.lines.is_empty() && !read.lines.contains(&false))
}

/// Whether some frame had a part of what would be agreed to, and none the rest.
pub fn has_more(model: &Model) -> bool {
    progress(model).is_some_and(|read| read.lines.contains(&false))
}

/// Whether the confirming button had the focus for long enough, in sight.
pub fn may_press(model: &Model) -> bool {
    let since = progress(model).and_then(|read| read.on_button_ms);
    since.is_some_and(|since| model.now.boot_ms >= since.saturating_add(FOCUS_MS))
}

/// How long until then, where the focus stands on it.
pub fn until_press(model: &Model) -> Option<Duration> {
    if !is_on_button(model) || may_press(model) {
        return None;
    }
    let since = model.seen.read.as_ref().and_then(|read| read.on_button_ms);
    let since = since.unwrap_or(model.now.boot_ms);
    let left = since.saturating_add(FOCUS_MS).saturating_sub(model.now.boot_ms);
    Some(Duration::from_millis(left.max(1)))
}

/// What was read of what is in front now.
fn progress(model: &Model) -> Option<&Progress> {
    let anew = Progress::of(terms(model)?, model.size);
    model.seen.read.as_ref().filter(|read| read.is_same(&anew))
}

/// Whether the focus stands on a button that agrees to something.
fn is_on_button(model: &Model) -> bool {
    router::front(model, |screen, _| screen.focus() == Some(Focus::Confirm))
}

/// What the button in front would agree to.
pub fn terms(model: &Model) -> Option<Terms> {
    router::front(model, |screen, store| screen.terms(store))
}

/// Whether what is in front is read page by page.
pub fn is_paged(model: &Model) -> bool {
    in_front(model).is_some_and(|seen| !seen.shown.is_some_and(Shown::is_all))
}

/// Takes the focus back to the harmless button where a frame left something unread.
fn hold_back(model: &mut Model) {
    if !has_more(model) {
        return;
    }
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else { return };
    if screen.has_more().is_none()
        && let Some(buttons) = screen.buttons_mut()
    {
        buttons.focus = Focus::Back;
    }
}

impl FiguresSeen {
    /// The figures of a quote.
    pub fn of(quote: &Quote) -> FiguresSeen {
        // Asked for again it is the same fee as long as it says the same.
        let at = crate::trade::Wall(0);
        FiguresSeen::Known(Box::new(Quote { at, ..quote.clone() }))
    }
}
