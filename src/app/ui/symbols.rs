//! The symbols of states, such as `✓` for accepted. A state has the same symbol and style in lists,
//! details, the banner and the list of attempts.
//!
//! The word beside a symbol comes from [`names`](crate::words::names). The symbol and the word show
//! the state even without colors.

use compact_str::CompactString;

use super::{Role, Span};
use crate::trade::checkup::Verdict;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{DomainState, Outcome};
use crate::words::Catalogue;

/// The symbol of a state, with its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbol {
    /// The character, which takes one column. On a screen with only ASCII symbols,
    /// [`Catalogue::sign`] replaces a check mark by `ok`.
    pub sign: &'static str,
    pub role: Role,
    /// True if the seller must do something. The character and the word are then bold.
    pub is_heavy: bool,
}

/// The symbol of something that succeeded, such as a request.
pub const ACCEPTED: Symbol = Symbol::of("✓", Role::Good);

/// The symbol of an unknown outcome.
pub const UNKNOWN: Symbol = Symbol::of("?", Role::Warn);

/// The symbol of an item that the seller must check.
pub const CHECK: Symbol = Symbol {
    is_heavy: true,
    ..Symbol::of("!", Role::Warn)
};

/// The symbol of a request that was refused and had no effect.
pub const REFUSED: Symbol = Symbol::of("×", Role::Dim);

/// The symbol of a service response that contradicts the request.
pub const CONTRADICTS: Symbol = Symbol::of("‼", Role::Bad);

/// The symbol of a request that is being sent.
pub const SENDING: Symbol = Symbol::of("…", Role::Warn);

/// The symbol of a stored withdrawal that the service has not accepted yet.
pub const PREPARED: Symbol = Symbol::of("○", Role::Strong);

/// The symbol of an item that has expired, was discarded, or was never sent.
pub const DROPPED: Symbol = Symbol::of("–", Role::Dim);

impl Symbol {
    const fn of(sign: &'static str, role: Role) -> Symbol {
        Symbol {
            sign,
            role,
            is_heavy: false,
        }
    }

    /// Creates a piece of text that has the style of this symbol.
    pub fn span(self, text: impl Into<CompactString>) -> Span {
        let over = self.is_heavy.then_some(Role::Strong);
        Span {
            over,
            ..Span::of(self.role, text)
        }
    }

    /// The symbol, followed by `word`.
    pub fn with_word(self, words: &Catalogue, word: &str) -> String {
        format!("{} {word}", words.sign(self.sign))
    }
}

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

/// The symbol of a checkout domain's state. A domain that is not active yet has the symbol `!`,
/// because the seller must do something.
pub fn domain(state: &DomainState) -> Symbol {
    match state {
        DomainState::Unread => PREPARED,
        DomainState::Usable | DomainState::Active => ACCEPTED,
        DomainState::Pending(_) => CHECK,
    }
}

/// The symbol of a verdict, which is the result of a `doctor` check.
pub fn verdict(verdict: Verdict) -> Symbol {
    match verdict {
        Verdict::Fine => ACCEPTED,
        Verdict::Note => CHECK,
        Verdict::Broken => Symbol {
            role: Role::Bad,
            is_heavy: true,
            ..REFUSED
        },
    }
}

/// The symbol of the outcome of a link or direct payment. A created one has no symbol.
pub fn outcome<C>(outcome: &Outcome<C>) -> Option<Symbol> {
    match outcome {
        Outcome::Created(_) => None,
        Outcome::Unknown => Some(UNKNOWN),
        Outcome::Refused(_) => Some(REFUSED),
        Outcome::NotSent => Some(DROPPED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    const ALL: [Symbol; 8] = [
        ACCEPTED,
        UNKNOWN,
        CHECK,
        REFUSED,
        CONTRADICTS,
        SENDING,
        PREPARED,
        DROPPED,
    ];

    #[test]
    fn symbols_are_distinct_and_one_column_wide() {
        for (n, symbol) in ALL.iter().enumerate() {
            assert_eq!(super::super::text::columns(symbol.sign), 1, "{symbol:?}");
            assert!(
                ALL[..n].iter().all(|other| other.sign != symbol.sign),
                "{symbol:?}"
            );
        }
    }

    /// Checks that the labels of links and direct payments begin with their symbol. Searches and
    /// the command line show only these labels.
    #[test]
    fn link_and_charge_labels_start_with_their_sign() {
        for lang in Lang::ALL {
            let words = Catalogue::of(lang);
            for (id, symbol) in [
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
                assert!(
                    word.starts_with(&format!("{} ", symbol.sign)),
                    "{id}: {word}"
                );
            }
        }
    }
}
