//! The oddities of a Pix code: a person should know them before passing the code on.

use crate::app::ui::Role;
use crate::trade::{BrCode, Charge, Money, Untrusted};
use crate::words::Words;

/// Something about a Pix code that a person should know before passing it on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum CodeOddity {
    /// It cannot be read as a Pix code.
    Unreadable,
    /// Its checksum is not that of what it says: it was cut or changed.
    NotIntact,
    /// It is not about reais.
    NotInReais,
    /// The amount in the code is not the one that the direct payment asked for.
    OtherAmount { asked: Money, code: Money },
}

impl CodeOddity {
    /// Says what is odd about the code.
    pub fn describe(&self, say: &Words) -> String {
        say.text(match self {
            CodeOddity::OtherAmount { asked, code } => {
                let (asked, code) = (asked.to_string(), code.to_string());
                return say.with("code-odd-amount", &[("asked", &asked), ("code", &code)]);
            }
            CodeOddity::Unreadable => "code-odd-unreadable",
            CodeOddity::NotIntact => "code-odd-checksum",
            CodeOddity::NotInReais => "code-odd-currency",
        })
    }

    /// Returns true where it contradicts itself or what was asked for; what cannot be read may be
    /// of a kind that this program does not know.
    pub fn contradicts(&self) -> bool {
        *self != CodeOddity::Unreadable
    }

    /// The look of the words.
    pub fn role(&self) -> Role {
        if self.contradicts() { Role::Bad } else { Role::Warn }
    }
}

/// Returns the oddities of a direct payment's code; none where it has none.
pub fn of_charge(charge: &Charge) -> Vec<CodeOddity> {
    let code = charge.pix_code();
    code.map(|code| of_code(code, Some(charge.request.amount))).unwrap_or_default()
}

/// Returns the oddities of a Pix code; `asked` is the amount of its direct payment, where that is
/// at hand.
pub fn of_code(code: &Untrusted, asked: Option<Money>) -> Vec<CodeOddity> {
    let Some(read) = BrCode::parse(code) else { return vec![CodeOddity::Unreadable] };
    let other = asked.zip(read.amount).filter(|(asked, code)| asked != code);
    let other = other.filter(|_| read.is_in_reais);
    let found = [
        other.map(|(asked, code)| CodeOddity::OtherAmount { asked, code }),
        (!read.is_intact).then_some(CodeOddity::NotIntact),
        (!read.is_in_reais).then_some(CodeOddity::NotInReais),
    ];
    found.into_iter().flatten().collect()
}
