//! The mark of a state, its sign and its look: one for lists, details, the banner and attempts.
//!
//! The word stands in [`names`](crate::words::names); sign and word say the same without colours.

use compact_str::CompactString;

use super::{Role, Span};
use crate::trade::checkup::Verdict;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{ChargeOutcome, DomainState, LinkOutcome};

/// The mark of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// One character, of one column.
    pub sign: &'static str,
    /// The look of sign and word.
    pub role: Role,
    /// True where a person must act: then both have more weight.
    pub is_heavy: bool,
}

/// It went through.
pub const ACCEPTED: Mark = Mark::of("✓", Role::Good);

/// It is not known.
pub const UNKNOWN: Mark = Mark::of("?", Role::Warn);

/// A person must look.
pub const CHECK: Mark = Mark { is_heavy: true, ..Mark::of("!", Role::Warn) };

/// It was refused, and nothing came of it.
pub const REFUSED: Mark = Mark::of("×", Role::Dim);

/// The reply contradicts what was sent.
pub const CONTRADICTS: Mark = Mark::of("‼", Role::Bad);

/// It is on its way.
pub const SENDING: Mark = Mark::of("…", Role::Warn);

/// It is written down, and nothing was sent.
pub const PREPARED: Mark = Mark::of("○", Role::Strong);

/// It was given up before anything was taken, or its time is over.
pub const DROPPED: Mark = Mark::of("–", Role::Dim);

impl Mark {
    const fn of(sign: &'static str, role: Role) -> Mark {
        Mark { sign, role, is_heavy: false }
    }

    /// A text that looks like this mark.
    pub fn span(self, text: impl Into<CompactString>) -> Span {
        let over = self.is_heavy.then_some(Role::Strong);
        Span { over, ..Span::of(self.role, text) }
    }

    /// The word behind the sign.
    pub fn said(self, word: &str) -> String {
        format!("{} {word}", self.sign)
    }
}

/// The mark of a withdrawal's state.
pub fn withdrawal(state: &WithdrawalState) -> Mark {
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

/// The mark of a domain's state: one that is not active yet waits for its owner.
pub fn domain(state: &DomainState) -> Mark {
    match state {
        DomainState::Usable | DomainState::Active => ACCEPTED,
        DomainState::Pending(_) => CHECK,
    }
}

/// The mark of a checkup's verdict.
pub fn verdict(verdict: Verdict) -> Mark {
    match verdict {
        Verdict::Fine => ACCEPTED,
        Verdict::Note => CHECK,
        Verdict::Broken => Mark { role: Role::Bad, is_heavy: true, ..REFUSED },
    }
}

/// The mark of what became of asking for a link; none for one that is there.
pub fn link(outcome: &LinkOutcome) -> Option<Mark> {
    match outcome {
        LinkOutcome::Created { .. } => None,
        LinkOutcome::Unknown => Some(UNKNOWN),
        LinkOutcome::Refused(_) => Some(REFUSED),
        LinkOutcome::NotSent => Some(DROPPED),
    }
}

/// The same of a direct payment.
pub fn charge(outcome: &ChargeOutcome) -> Option<Mark> {
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
    use crate::words::{Lang, Words};

    const ALL: [Mark; 8] =
        [ACCEPTED, UNKNOWN, CHECK, REFUSED, CONTRADICTS, SENDING, PREPARED, DROPPED];

    #[test]
    fn no_two_marks_have_one_sign() {
        for (n, one) in ALL.iter().enumerate() {
            assert_eq!(super::super::text::columns(one.sign), 1, "{one:?}");
            assert!(ALL[..n].iter().all(|other| other.sign != one.sign), "{one:?}");
        }
    }

    /// The words of links and charges are searched for, and listed on the command line, with their
    /// sign: it stands in them.
    #[test]
    fn link_and_charge_labels_start_with_their_sign() {
        for lang in Lang::ALL {
            let words = Words::of(lang);
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
