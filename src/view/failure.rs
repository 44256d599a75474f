//! The words for everything that can go wrong: what happened, whether money moved, what to do next.

use ratatui::text::Line;

use super::parts::{quoted, wrapped};
use super::{Look, Role};
use crate::app::form::FieldError;
use crate::trade::{Failure, Moved, Untrusted};

/// What was being done when it failed; the same failure means different things for money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// Logging in.
    Login,
    /// Keeping the JWT.
    KeepJwt,
    /// Logging out.
    Logout,
    /// Listing the domains.
    Domains,
    /// Creating a payment link.
    Link,
    /// Making a direct payment.
    Charge,
    /// Asking what a withdrawal costs.
    Quote,
    /// Sending a withdrawal.
    Withdrawal,
    /// Anything else.
    Something,
}

/// A failure in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// What happened.
    pub what: String,
    /// Whether money moved, or whether the service may have acted.
    pub moved: String,
    /// What to do next.
    pub next: String,
    /// Somebody else's words about it, each with our label.
    pub quotes: Vec<(String, Untrusted)>,
}

/// Tells a failure.
pub fn told(look: &Look, failure: &Failure, doing: Doing) -> Told {
    let _ = doing;
    let what = format!("{failure:?}");
    let moved = match failure.may_have_acted() {
        Moved::No => String::new(),
        Moved::Maybe => String::new(),
    };
    let _ = look;
    Told { what, moved, next: String::new(), quotes: Vec::new() }
}

/// A failure as lines: what happened stands out, the service's words are labelled.
pub fn lines(look: &Look, failure: &Failure, doing: Doing, width: usize) -> Vec<Line<'static>> {
    told_lines(look, &told(look, failure, doing), width)
}

/// The same for something that was told already.
pub fn told_lines(look: &Look, told: &Told, width: usize) -> Vec<Line<'static>> {
    let mut lines = wrapped(look, Role::Bad, &told.what, width);
    for (label, words) in &told.quotes {
        lines.extend(quoted(look, label, words, width));
    }
    for text in [&told.moved, &told.next] {
        if !text.is_empty() {
            lines.extend(wrapped(look, Role::Text, text, width));
        }
    }
    lines
}

/// What is wrong with a field.
pub fn field_error(look: &Look, error: &FieldError) -> String {
    let _ = look;
    format!("{error:?}")
}
