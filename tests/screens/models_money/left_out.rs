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

use super::forms::{draft_of, forms};
use crate::models::altered;

/// Typical terminal sizes, beginning with the smallest supported size.
const SIZES: [(u16, u16); 7] =
    [(60, 18), (60, 20), (80, 20), (80, 24), (100, 30), (120, 40), (200, 60)];

/// The mark that ends a text if it was cut.
const MORE: &str = "…";

/// Returns the lines of text below the form's fields and button.
fn below(model: &Model, columns: u16, rows: u16) -> Vec<Line> {
    let size = Size { columns, rows };
    let model = altered(model.clone(), |model| model.size = size);
    let page = chrome::page(&model, size);
    let is_form = |target: &Target| matches!(target, Target::Field(_) | Target::Submit);
    let fields = page.targets.iter().filter(|(area, it)| is_form(it) && area.height > 0);
    let end = fields.map(|(area, _)| area.bottom()).max().unwrap();
    let last = model.areas(size).unwrap().body.bottom();
    let is_below = |y: u16| (end..last).contains(&y);
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
fn told(lines: &[Line]) -> Vec<&str> {
    let is_told = |span: &&Span| match span.role {
        Some(Role::Bad | Role::Warn | Role::Strong | Role::Text | Role::Quote) => true,
        _ => span.text.trim() == MORE,
    };
    let spans = lines.iter().flat_map(|line| line.spans.iter().filter(is_told));
    spans.flat_map(|span| span.text.split_whitespace()).collect()
}

/// Returns the withdrawal forms that show an error. The error is a refusal, or a fee preview that
/// failed.
fn failed(lang: Lang) -> impl Iterator<Item = (&'static str, Model)> {
    forms(lang).into_iter().filter(|(_, model)| {
        let Some(Layer::Withdraw(Flow::Form(draft))) = model.layers.last() else { return false };
        draft.refused.is_some() || matches!(draft.quote, QuoteState::Failed { .. })
    })
}

#[test]
fn form_refusal_is_whole_or_ends_with_a_mark() {
    let mut seen = 0;
    for (name, model) in Lang::ALL.into_iter().flat_map(failed) {
        // Move the focus away from the Pix key field. Its list of known keys would take up space.
        let away = altered(model.clone(), |model| draft_of(model).form.focus = 0);
        let whole = below(&away, 200, 60);
        let whole = told(&whole);
        for (columns, rows) in SIZES {
            let lines = below(&model, columns, rows);
            let shown = told(&lines);
            let same = whole.iter().zip(&shown).take_while(|(one, other)| one == other).count();
            let is_marked = shown.get(same) == Some(&MORE);
            assert!(
                same > 0 && (same == whole.len() || is_marked),
                "{name}, {columns}x{rows}: {whole:?}\n{shown:?}"
            );
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn fee_and_unsent_notice_are_shown_or_more_is_marked() {
    for lang in Lang::ALL {
        let say = Catalogue::of(lang);
        let sent = ["withdraw-nothing-sent", "beside-not-sent"].map(|id| say.text(id));
        for (name, model) in forms(lang) {
            let Some(Layer::Withdraw(Flow::Form(draft))) = model.layers.last() else { continue };
            let fee = draft.quote.shown().map(|quote| quote.fee.to_string());
            for (columns, rows) in SIZES {
                for focus in 0..=draft.form.fields.len() {
                    let there = altered(model.clone(), |model| draft_of(model).form.focus = focus);
                    let lines = below(&there, columns, rows);
                    let text: Vec<_> = lines.iter().map(Line::to_string).collect();
                    let text = text.join(" ");
                    let is_marked = text.split_whitespace().any(|word| word == MORE);
                    let is_said = sent.iter().any(|said| text.contains(said));
                    let has_fee = fee.as_ref().is_none_or(|fee| text.contains(fee));
                    let at = format!("{name} at {focus}, {columns}x{rows}: {text}");
                    assert!(is_marked || is_said && has_fee, "{at}");
                }
            }
        }
    }
}

#[test]
fn refused_form_offers_key_to_show_the_other_one() {
    for (name, model) in Lang::ALL.into_iter().flat_map(failed) {
        let Some(Layer::Withdraw(Flow::Form(draft))) = model.layers.last() else { continue };
        for (columns, rows) in SIZES.into_iter().filter(|_| draft.named().is_some()) {
            let size = Size { columns, rows };
            let model = altered(model.clone(), |model| model.size = size);
            let page = chrome::page(&model, size);
            let is_offered = |(_, target): &(_, Target)| *target == Target::Hint(Action::ShowOther);
            assert!(page.targets.iter().any(is_offered), "{name}, {columns}x{rows}");
        }
    }
}
