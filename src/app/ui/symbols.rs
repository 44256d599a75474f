//! The marks of states. A mark has a symbol and a style, which are the same in lists, details, the
//! banner and attempts.
//!
//! The word beside a mark comes from [`names`](crate::words::names). The symbol and the word show
//! the state even without colors.

use compact_str::CompactString;

use super::{Role, Span};
use crate::trade::checkup::Verdict;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{ChargeOutcome, DomainState, LinkOutcome};
use crate::words::Catalogue;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbol {
    /// The symbol, which is a character that takes one column. [`Catalogue::sign`] returns the form
    /// of it that is shown.
    pub sign: &'static str,
    /// The style of the symbol and of the word beside it.
    pub role: Role,
    /// True if the seller must do something. The symbol and the word are then bold.
    pub is_heavy: bool,
}

/// The mark of something that succeeded, such as a request.
pub const ACCEPTED: Symbol = Symbol::of("✓", Role::Good);

/// The mark of an unknown outcome.
pub const UNKNOWN: Symbol = Symbol::of("?", Role::Warn);

/// The mark of an item that the seller must check.
pub const CHECK: Symbol = Symbol { is_heavy: true, ..Symbol::of("!", Role::Warn) };

/// The mark of a request that was refused and had no effect.
pub const REFUSED: Symbol = Symbol::of("×", Role::Dim);

/// The mark of a service response that contradicts the request.
pub const CONTRADICTS: Symbol = Symbol::of("‼", Role::Bad);

/// The mark of a request that is being sent.
pub const SENDING: Symbol = Symbol::of("…", Role::Warn);

/// The mark of a stored withdrawal that the service has not accepted yet.
pub const PREPARED: Symbol = Symbol::of("○", Role::Strong);

/// The mark of an item that has expired, was discarded, or was never sent.
pub const DROPPED: Symbol = Symbol::of("–", Role::Dim);

impl Symbol {
    const fn of(sign: &'static str, role: Role) -> Symbol {
        Symbol { sign, role, is_heavy: false }
    }

    /// Creates a piece of text that has the style of this mark.
    pub fn span(self, text: impl Into<CompactString>) -> Span {
        let over = self.is_heavy.then_some(Role::Strong);
        Span { over, ..Span::of(self.role, text) }
    }

    /// Returns the symbol of the mark, followed by `word`.
    pub fn said(self, say: &Catalogue, word: &str) -> String {
        format!("{} {word}", say.sign(self.sign))
    }
}

/// Returns the mark of a withdrawal's state.
pub fn withdrawal(state: &WithdrawalState) -> Symbol {
    match state {
        WithdrawalState::Prepared => PREPARED,
        WithdrawalState::Sending(_) => SENDING,
        WithdrawalState::Unknown => UNKNOWN,
        WithdrawalState::NeedsPerson(_) => CHECK,
        WithdrawalState::Mismatch(_) => CONTRADICTS,
        WithdrawalState::Accepted | WithdrawalState::ResolvedPaid => ACCEPTED,
        WithdrawalState::Rejected | WithdrawalState::ResolvedNotPaid => REFUSED,
        WithdrawalState::Discarded => DROPPED,
    }
}

/// Returns the mark of a checkout domain's state. The mark of a domain that is not active yet asks
/// the seller to do something.
pub fn domain(state: &DomainState) -> Symbol {
    match state {
        DomainState::Usable | DomainState::Active => ACCEPTED,
        DomainState::Pending(_) => CHECK,
    }
}

/// Returns the mark of a verdict, which is the result of a `doctor` check.
pub fn verdict(verdict: Verdict) -> Symbol {
    match verdict {
        Verdict::Fine => ACCEPTED,
        Verdict::Note => CHECK,
        Verdict::Broken => Symbol { role: Role::Bad, is_heavy: true, ..REFUSED },
    }
}

/// Returns the mark of a payment link's outcome. A link that was created has no mark.
pub fn link(outcome: &LinkOutcome) -> Option<Symbol> {
    match outcome {
        LinkOutcome::Created { .. } => None,
        LinkOutcome::Unknown => Some(UNKNOWN),
        LinkOutcome::Refused(_) => Some(REFUSED),
        LinkOutcome::NotSent => Some(DROPPED),
    }
}

/// Returns the mark of a direct payment's outcome. A payment that was created has no mark.
pub fn charge(outcome: &ChargeOutcome) -> Option<Symbol> {
    match outcome {
        ChargeOutcome::Created { .. } => None,
        ChargeOutcome::Unknown => Some(UNKNOWN),
        ChargeOutcome::Refused(_) => Some(REFUSED),
        ChargeOutcome::NotSent => Some(DROPPED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    const ALL: [Symbol; 8] =
        [ACCEPTED, UNKNOWN, CHECK, REFUSED, CONTRADICTS, SENDING, PREPARED, DROPPED];

    #[test]
    fn no_two_marks_have_one_sign() {
        for (n, one) in ALL.iter().enumerate() {
            assert_eq!(super::super::text::columns(one.sign), 1, "{one:?}");
            assert!(ALL[..n].iter().all(|other| other.sign != one.sign), "{one:?}");
        }
    }

    /// Checks that the labels of links and direct payments begin with the symbol of their mark.
    /// Searches and the command line show these labels without the mark.
    #[test]
    fn link_and_charge_labels_start_with_their_sign() {
        for lang in Lang::ALL {
            let words = Catalogue::of(lang);
            for (id, mark) in [
                ("links-not-saved", CHECK),
                ("links-unknown", UNKNOWN),
                ("links-refused", REFUSED),
                ("links-not-sent", DROPPED),
                ("oddity-title", CHECK),
                ("charges-odd-code", CHECK),
                ("code-odd-title", CHECK),
                ("charges-expired", DROPPED),
                ("charges-refused", REFUSED),
                ("charges-not-sent", DROPPED),
            ] {
                let word = words.text(id);
                assert!(word.starts_with(&format!("{} ", mark.sign)), "{id}: {word}");
            }
        }
    }
}
