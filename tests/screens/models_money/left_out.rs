//! Tests that a withdrawal form shows "…" if a part of its text does not fit. Other layout tests
//! cannot notice that a line is missing, because they check only the text that is shown.

use balcao::app::chrome;
use balcao::app::screens::Layer;
use balcao::app::screens::withdrawals::Flow;
use balcao::app::store::withdrawals::QuoteState;
use balcao::app::ui::input::Size;
use balcao::app::ui::{Line, PageItem, Role, Span, Target};
use balcao::app::{Model, ui::Action};
use balcao::words::{Catalogue, Lang};

use super::forms::{form_models, front_draft};
use crate::models::with_change;

/// Typical terminal sizes, beginning with the smallest supported size.
const SIZES: [(u16, u16); 7] = [
    (60, 18),
    (60, 20),
    (80, 20),
    (80, 24),
    (100, 30),
    (120, 40),
    (200, 60),
];

/// The mark that ends a text if it was cut.
const CUT_MARK: &str = "…";

fn lines_below_form(model: &Model, columns: u16, rows: u16) -> Vec<Line> {
    let size = Size { columns, rows };
    let model = with_change(model.clone(), |model| model.size = size);
    let page = chrome::page(&model, size);
    let is_form = |target: &Target| matches!(target, Target::Field(_) | Target::Submit);
    let fields = page
        .targets
        .iter()
        .filter(|(area, it)| is_form(it) && area.height > 0);
    let form_end = fields.map(|(area, _)| area.bottom()).max().unwrap();
    let body_end = model.areas(size).unwrap().body.bottom();
    let is_below = |y: u16| (form_end..body_end).contains(&y);
    let lines = page.items.iter().filter_map(|item| match item {
        PageItem::Lines(lines, area) if is_below(area.y) => {
            Some(lines.iter().take(area.height.into()))
        }
        _ => None,
    });
    lines.flatten().cloned().collect()
}

/// Returns the words of the error message in these lines of text. The result includes the "…"
/// marks.
fn error_words(lines: &[Line]) -> Vec<&str> {
    let is_error = |span: &&Span| match span.role {
        Some(Role::Bad | Role::Warn | Role::Strong | Role::Text | Role::Quote) => true,
        _ => span.text.trim() == CUT_MARK,
    };
    let spans = lines
        .iter()
        .flat_map(|line| line.spans.iter().filter(is_error));
    spans
        .flat_map(|span| span.text.split_whitespace())
        .collect()
}

/// Returns the withdrawal forms that show an error. The error is a refusal, or a fee preview that
/// failed.
fn forms_with_error(lang: Lang) -> impl Iterator<Item = (&'static str, Model)> {
    form_models(lang).into_iter().filter(|(_, model)| {
        let Some(Layer::Withdraw(Flow::Form(draft))) = model.layers.last() else {
            return false;
        };
        draft.refusal.is_some() || matches!(draft.quote, QuoteState::Failed { .. })
    })
}

#[test]
fn form_refusal_is_whole_or_ends_with_a_mark() {
    let mut checked = 0;
    for (name, model) in Lang::ALL.into_iter().flat_map(forms_with_error) {
        // Move the focus away from the Pix key field. Its list of known keys would take up space.
        let unfocused = with_change(model.clone(), |model| front_draft(model).form.focus = 0);
        let expected = lines_below_form(&unfocused, 200, 60);
        let expected = error_words(&expected);
        for (columns, rows) in SIZES {
            let lines = lines_below_form(&model, columns, rows);
            let words = error_words(&lines);
            let equal_count = expected
                .iter()
                .zip(&words)
                .take_while(|(expected, word)| expected == word)
                .count();
            let is_marked = words.get(equal_count) == Some(&CUT_MARK);
            assert!(
                equal_count > 0 && (equal_count == expected.len() || is_marked),
                "{name}, {columns}x{rows}: {expected:?}\n{words:?}"
            );
            checked += 1;
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn fee_and_unsent_notice_are_shown_or_more_is_marked() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let notices = ["withdraw-nothing-sent", "beside-not-sent"].map(|id| words.text(id));
        for (name, model) in form_models(lang) {
            let Some(Layer::Withdraw(Flow::Form(draft))) = model.layers.last() else {
                continue;
            };
            let fee = draft.quote.arrived().map(|quote| quote.fee.to_string());
            for (columns, rows) in SIZES {
                for focus in 0..=draft.form.fields.len() {
                    let focused =
                        with_change(model.clone(), |model| front_draft(model).form.focus = focus);
                    let lines = lines_below_form(&focused, columns, rows);
                    let text: Vec<_> = lines.iter().map(Line::to_string).collect();
                    let text = text.join(" ");
                    let is_marked = text.split_whitespace().any(|word| word == CUT_MARK);
                    let has_notice = notices.iter().any(|notice| text.contains(notice));
                    let has_fee = fee.as_ref().is_none_or(|fee| text.contains(fee));
                    let context = format!("{name} at {focus}, {columns}x{rows}: {text}");
                    assert!(is_marked || has_notice && has_fee, "{context}");
                }
            }
        }
    }
}

#[test]
fn refused_form_offers_key_to_show_the_other_one() {
    for (name, model) in Lang::ALL.into_iter().flat_map(forms_with_error) {
        let Some(Layer::Withdraw(Flow::Form(draft))) = model.layers.last() else {
            continue;
        };
        for (columns, rows) in SIZES
            .into_iter()
            .filter(|_| draft.blocking_withdrawal().is_some())
        {
            let size = Size { columns, rows };
            let model = with_change(model.clone(), |model| model.size = size);
            let page = chrome::page(&model, size);
            let is_offered = |(_, target): &(_, Target)| *target == Target::Hint(Action::ShowOther);
            assert!(
                page.targets.iter().any(is_offered),
                "{name}, {columns}x{rows}"
            );
        }
    }
}
