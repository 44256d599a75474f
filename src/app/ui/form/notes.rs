//! The notes beside a field: its error and its hint.

use crate::app::ui::form::{Field, Form};
use crate::contract::FieldFault;
use crate::trade::{AmountField, Money, Nickname, PasteError, PixKey, PixKeyKind};

/// The reason why a field cannot be submitted.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldError {
    /// The field must be filled in, but it is empty.
    Missing,
    /// The pasted text could mean two different amounts, so the user must type the amount.
    Ambiguous([Money; 2]),
    /// The pasted text is not an amount.
    NotAnAmount,
    /// The pasted text is too long, or the amount is too large.
    TooLong(Limit),
    /// The value violates a rule of the API contract.
    Fault(FieldFault),
    /// The text is not a Pix key of any kind that the service accepts.
    NotAKey,
    /// The typed text is not a web address.
    NotAnAddress,
    /// The typed text is not a complete Pix code.
    NotAPixCode,
    /// The typed text is a Pix code, but for another amount.
    OtherAmount,
    /// The typed text is not the text that the user must type here.
    NotAsRequired,
}

impl FieldError {
    pub fn of(error: PasteError) -> FieldError {
        match error {
            PasteError::TooLarge => FieldError::TooLong(Limit::Amount(AmountField::max_amount())),
            PasteError::Ambiguous { readings } => FieldError::Ambiguous(readings),
            PasteError::NotAnAmount => FieldError::NotAnAmount,
        }
    }
}

/// A hint that is shown beside a field. The form can be submitted despite a hint.
#[derive(Debug, Clone, PartialEq)]
pub enum Hint {
    /// The field is full, so the last character that was typed is missing.
    Full(Limit),
    /// The text looks like a Pix key of one of these kinds and not of the chosen kind.
    OtherKind(Vec<PixKeyKind>),
    /// The typed text may mean these Pix keys, so the user must choose a kind. This hint appears
    /// beside the kind.
    ChooseKind(Vec<PixKey>),
    /// The kind of the typed digits was chosen because an earlier withdrawal used it, on this day.
    KindAsBefore { kind: PixKeyKind, day: String },
    /// The typed text is taken for this Pix key, although it is written differently.
    ReadAs(PixKey),
    /// The nickname that the seller has given to the typed Pix key.
    Nickname(Nickname),
    /// A part of the amount arrived together, so the seller must check the amount.
    CheckAmount {
        amount: Money,
        /// True if the seller has submitted the form with this amount. The next submit sends it.
        is_submitted: bool,
    },
}

impl Field {
    /// The hint to check the amount, if a part of it arrived together.
    pub(super) fn check_hint(&self, is_submitted: bool) -> Option<Hint> {
        let amount = self
            .amount_field()
            .filter(|amount| amount.must_be_checked())?
            .money()?;
        Some(Hint::CheckAmount {
            amount,
            is_submitted,
        })
    }
}

impl Form {
    /// The amounts that the seller must check, because a part of them arrived together. Returns
    /// `None` if the seller has not yet been asked to check all of them.
    pub fn amounts_to_check(&self) -> Option<Vec<Money>> {
        let unchecked = self
            .fields
            .iter()
            .filter(|field| field.check_hint(true).is_some());
        let asked = unchecked.map(|field| {
            field
                .money()
                .filter(|_| field.hint == field.check_hint(true))
        });
        asked.collect()
    }

    /// Asks the seller to check each amount that arrived partly together, and to submit the form
    /// again.
    pub fn ask_to_check_amounts(&mut self) {
        for field in &mut self.fields {
            if let Some(hint) = field.check_hint(true) {
                field.hint = Some(hint);
            }
        }
    }
}

/// The maximum length or the maximum amount that can be typed into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    Characters(usize),
    Amount(Money),
}
