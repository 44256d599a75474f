//! Shows failures as lines of text, and returns the error texts of form fields.
//!
//! The sentences about failures come from [`crate::words::failure`].

use crate::app::ui::form::{FieldError, Hint, Limit};
use crate::app::ui::parts::{all_quoted, pair, wrapped};
use crate::app::ui::render_cx::RenderCx;
use crate::app::ui::{Line, Role};
use crate::contract::{FieldFault, NameFault};
use crate::trade::{Failure, JournalContents, PixKeyError, PixKeyKind, Untrusted};
use crate::words::failure::{Activity, FailureText, describe, journal_contents};
use crate::words::{Catalogue, names, personal};

/// The lines that describe a failure: what happened, in a prominent style, and the service's own
/// text as a quote.
pub fn lines(words: &Catalogue, failure: &Failure, activity: Activity, width: usize) -> Vec<Line> {
    text_lines(&describe(words, failure, activity), width)
}

/// Wraps the text about a failure: what happened, whether money moved, the service's own text, and
/// what to do next.
pub fn text_lines(text: &FailureText, width: usize) -> Vec<Line> {
    let mut lines = wrapped(Role::Bad, &text.what, width);
    // Say whether money moved before quoting the service: a long quote could push this sentence off
    // the screen.
    lines.extend(wrapped(Role::Strong, &text.moved, width));
    lines.extend(all_quoted(&text.quotes, width));
    lines.extend(wrapped(Role::Text, &text.next, width));
    lines
}

/// Lays out the summary of a journal, by which the seller can recognize an old copy.
pub fn contents_lines(render: RenderCx<'_>, contents: &JournalContents, width: usize) -> Vec<Line> {
    let summary = journal_contents(render.words, contents, render.utc_offset_s);
    pair(
        &render.words.text("journal-contents.label"),
        &summary,
        width,
    )
}

/// The error text that is shown beside a field.
pub fn field_error(words: &Catalogue, error: &FieldError) -> String {
    match error {
        FieldError::Missing => words.text("field-missing"),
        FieldError::Ambiguous([first, second]) => {
            let first = first.to_string();
            let second = second.to_string();
            words.with("field-ambiguous", &[("first", &first), ("second", &second)])
        }
        FieldError::NotAnAmount => words.text("field-not-an-amount"),
        FieldError::TooLong(limit) => field_limit(words, *limit),
        FieldError::Fault(fault) => field_fault(words, fault),
        FieldError::NotAKey => words.text("pix-no-kind"),
        FieldError::NotAnAddress => words.text("field-not-an-address"),
        FieldError::NotAPixCode => words.text("field-not-a-pix-code"),
        FieldError::OtherAmount => words.text("field-other-amount"),
        FieldError::NotAsRequired => words.text("field-differs"),
    }
}

/// The hint that is shown beside a field. The form can be submitted despite a hint.
pub fn field_hint(words: &Catalogue, hint: &Hint) -> String {
    match hint {
        Hint::Full(limit) => field_limit(words, *limit),
        Hint::Nickname(name) => {
            let name = personal::name(words, name.as_str()).shown();
            words.with("hint-called", &[("name", &name)])
        }
        Hint::CheckAmount {
            amount,
            is_submitted,
        } => {
            let id = if *is_submitted {
                "hint-check-amount.again"
            } else {
                "hint-check-amount"
            };
            words.with(id, &[("amount", &amount.to_string())])
        }
        Hint::ChooseKind(keys) => match &keys[..] {
            [first, second, ..] => {
                let [first, second] =
                    [first, second].map(|key| names::destination(words, Some(key)));
                let values = [("first", &*first), ("second", &*second)];
                words.with("hint-kind-choose", &values)
            }
            [only] => {
                let key = names::destination(words, Some(only));
                words.with("hint-kind-confirm", &[("key", &key)])
            }
            [] => String::new(),
        },
        Hint::KindAsBefore { kind, day } => {
            let kind = names::pix_key_kind(words, *kind);
            words.with("hint-kind-as-before", &[("kind", &*kind), ("day", &**day)])
        }
        Hint::ReadAs(key) => words.with(
            "hint-read-as",
            &[("key", &names::destination(words, Some(key)))],
        ),
        Hint::OtherKind(kinds) => words.text(match kinds.as_slice() {
            [PixKeyKind::Cpf] => "hint-kind-cpf",
            [PixKeyKind::Cnpj] => "hint-kind-cnpj",
            [PixKeyKind::Phone] => "hint-kind-phone",
            [PixKeyKind::Email] => "hint-kind-email",
            [PixKeyKind::Random] => "hint-kind-random",
            // Only a tax number and a phone number look alike.
            [PixKeyKind::Cnpj, ..] => "hint-kind-cnpj-or-phone",
            _ => "hint-kind-either",
        }),
    }
}

fn field_limit(words: &Catalogue, limit: Limit) -> String {
    let limit = match limit {
        Limit::Characters(max) => max.to_string(),
        Limit::Amount(max) => max.to_string(),
    };
    words.with("field-too-long", &[("limit", &limit)])
}

/// The explanation why the API contract does not allow the typed value.
fn field_fault(words: &Catalogue, fault: &FieldFault) -> String {
    match fault {
        FieldFault::Missing => words.text("field-missing"),
        FieldFault::TooShort { least } => {
            words.with("field-at-least", &[("limit", &least.to_string())])
        }
        FieldFault::TooLong { most } => {
            words.with("field-at-most", &[("limit", &most.to_string())])
        }
        FieldFault::Characters { allowed } => {
            let allowed = Untrusted::from(allowed.as_str()).shown_within(30);
            words.with("field-characters", &[("allowed", &allowed)])
        }
        FieldFault::ControlCharacter => words.text("field-control"),
        FieldFault::NotAChoice => words.text("field-choice"),
        FieldFault::NotPositive => words.text("field-positive"),
        FieldFault::FinerThanCentavo => words.text("field-centavo"),
        FieldFault::Key(error) => pix_error(words, *error),
        FieldFault::OtherPayment(NameFault::Amount) => words.text("field-second-amount"),
        FieldFault::OtherPayment(_) => words.text("field-other-key"),
    }
}

fn pix_error(words: &Catalogue, error: PixKeyError) -> String {
    match error {
        PixKeyError::Empty => words.text("pix-empty"),
        PixKeyError::WrongLength { got, want } => {
            let got = got.to_string();
            let want = want.to_string();
            words.with("pix-length", &[("got", &got), ("want", &want)])
        }
        PixKeyError::NotDigits => words.text("pix-digits"),
        PixKeyError::NotLettersOrDigits => words.text("pix-letters-or-digits"),
        PixKeyError::LettersInCheckDigits => words.text("pix-check-letters"),
        PixKeyError::CheckDigits(kind) => {
            words.with("pix-check", &[("kind", &names::pix_key_kind(words, kind))])
        }
        PixKeyError::AllSame => words.text("pix-same"),
        PixKeyError::PhoneLength { got } => {
            words.with("pix-phone-length", &[("got", &got.to_string())])
        }
        PixKeyError::AreaCode => words.text("pix-area-code"),
        PixKeyError::MobileNine => words.text("pix-mobile"),
        PixKeyError::TenDigits => words.text("pix-ten-digits"),
        PixKeyError::PhoneShape => words.text("pix-phone"),
        PixKeyError::EmailShape => words.text("pix-email"),
        PixKeyError::EmailTooLong { got } => {
            words.with("pix-email-long", &[("got", &got.to_string())])
        }
        PixKeyError::RandomShape => words.text("pix-random"),
        PixKeyError::PixCode => words.text("pix-code"),
        PixKeyError::ServiceNumber => words.text("pix-service-number"),
        PixKeyError::ExtraText => words.text("pix-extra-text"),
        PixKeyError::OtherLabel => words.text("pix-other-label"),
    }
}
