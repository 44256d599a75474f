//! Tests that a user can scroll to the end of every text in a small terminal.

use std::collections::BTreeSet;

use balcao::app::screens::Layer;
use balcao::app::screens::withdrawals::Flow;
use balcao::app::ui::VisibleLines;
use balcao::app::ui::geometry::MIN_SIZE;
use balcao::app::ui::input::Size;
use balcao::app::{Effect, Model, Pane};
use balcao::words::{Catalogue, Lang};

use crate::models::{self, all_models, buffer, draw_frame, open_attempts, text, with_change};

/// The maximum number of key presses for scrolling. It exceeds the number of lines in any text.
const MAX_KEY_PRESSES: usize = 200;

fn press(model: &mut Model, key: &str) {
    let mut effects = models::press(model, key);
    // The first key of a model also looks up the nicknames of its rows.
    effects.retain(|effect| !matches!(effect, Effect::ReadNicknames(_)));
    assert_eq!(effects, vec![], "scrolling wants nothing done");
}

/// Returns the keys that scroll the front screen up and down. Returns `None` if the test skips this
/// screen.
fn scroll_keys(model: &Model) -> Option<(&'static str, &'static str)> {
    match model.layers.last() {
        Some(Layer::Withdraw(Flow::Form(_)) | Layer::Palette(_) | Layer::Qr(_)) => None,
        // Skip a review screen that fits into the terminal. It omits details that a taller terminal
        // would show.
        Some(Layer::Withdraw(Flow::Review(_)) | Layer::Send(_))
            if draw_frame(model, 1)
                .visible_lines
                .is_some_and(VisibleLines::is_all) =>
        {
            None
        }
        // Skip these lists, because they scroll only when their cursor moves.
        Some(layer) if ["teaching", "pointing"].contains(&layer.screen().info().name) => None,
        Some(layer) => layer.screen().form().is_none().then_some(("k", "j")),
        None if model.pane == Pane::Account => Some(("k", "j")),
        None if model.pane == Pane::Withdrawals && model.withdrawals.trouble.is_some() => {
            Some(("PgUp", "PgDn"))
        }
        None => (model.pane == Pane::Domains).then_some(("PgUp", "PgDn")),
    }
}

/// Returns the words of the text on the front screen. Words of a list, or of the screen behind a
/// dialog, do not count.
fn visible_words(model: &Model, screen: &str) -> BTreeSet<String> {
    let words = Catalogue::of(model.setup.lang);
    let is_floating = model
        .layers
        .last()
        .is_some_and(|layer| layer.screen().info().floats);
    let mut lines: Vec<&str> = screen.lines().skip(3).map(str::trim).collect();
    lines.pop();
    // A horizontal line marks the end of the list.
    let list = lines
        .iter()
        .rposition(|line| line.starts_with('─') && line.ends_with('─'));
    let optional_labels =
        ["review-retype", "review-back", "not-paid-back"].map(|id| words.text(id));
    let is_terms_line = |line: &str| {
        let line = line.trim_start_matches(['│', ' ']);
        !line.contains("[ ") && !optional_labels.iter().any(|word| line.starts_with(word))
    };
    let is_text = |line: &&&str| match model.layers.last() {
        Some(_) => (!is_floating || line.starts_with('│')) && is_terms_line(line),
        None => !line.starts_with(['○', '●', '▌']),
    };
    // Leave out these hints, because it depends on the terminal's size whether they are shown.
    let hints = [
        words.with("link-qr-room", &[("key", "Q")]),
        words.with("qr-needs", &[("columns", "51"), ("rows", "27")]),
        words.text("review-only-then"),
        words.text("review-retype-how"),
    ];
    let hint_words: BTreeSet<&str> = hints
        .iter()
        .flat_map(|hint| hint.split_whitespace())
        .collect();
    let text_lines = lines[list.filter(|_| !is_floating).map_or(0, |at| at + 1)..]
        .iter()
        .filter(is_text);
    let words = text_lines.flat_map(|line| line.split_whitespace());
    let words = words.filter(|word| word.chars().any(char::is_alphanumeric));
    words
        .filter(|word| !hint_words.contains(word))
        .map(str::to_owned)
        .collect()
}

/// Joins the texts of several screens without spaces and line breaks. A word that was split can
/// then be found.
fn join_words(screens: &[String]) -> String {
    screens
        .iter()
        .flat_map(|screen| screen.split_whitespace())
        .filter(|word| *word != "│")
        .collect()
}

/// Scrolls to the end of the text. Returns the text of each screen on the way.
fn scrolled_screens(model: &Model, down: &str, size: Size) -> Vec<String> {
    let mut model = with_change(model.clone(), |model| model.size = size);
    let screen = |model: &Model| text(&buffer(model, size.columns, size.rows));
    let mut screens = vec![screen(&model)];
    for _ in 0..MAX_KEY_PRESSES {
        // Scroll by two rows at once. This skips no row, because more than two rows are visible.
        // The rows of a statement have several lines.
        let has_tall_rows = matches!(model.layers.last(), Some(Layer::Reconcile(_)));
        let times = if down == "j" && !has_tall_rows { 2 } else { 1 };
        (0..times).for_each(|_| press(&mut model, down));
        let next = screen(&model);
        if screens.last() == Some(&next) {
            return screens;
        }
        screens.push(next);
    }
    panic!("it has no end:\n{}", screens[0]);
}

fn scrolled_to_top(mut model: Model) -> Model {
    model.scroll = 0;
    model.withdrawals.has_decided_to_open = true;
    match model.layers.last_mut() {
        Some(Layer::Guide(guide)) => guide.cursor = 0,
        Some(Layer::Profiles(profiles)) => profiles.cursor = 0,
        Some(Layer::Reconcile(page)) => page.cursor = 0,
        _ => {}
    }
    model
}

#[test]
fn every_word_of_a_text_is_reached_in_a_small_window() {
    for (first_index, lang) in Lang::ALL.into_iter().enumerate() {
        let mut failures = String::new();
        // Test each screen in only one of the languages, to save time.
        for (name, model) in all_models(lang).into_iter().skip(first_index).step_by(2) {
            let mut model = scrolled_to_top(model);
            for size in [
                MIN_SIZE,
                Size {
                    columns: 80,
                    rows: 24,
                },
            ] {
                model.size = size;
                let Some((_, down)) = scroll_keys(&model) else {
                    continue;
                };
                let mut reached = join_words(&scrolled_screens(&model, down, size));
                // Read the list of attempts too, because earlier attempts are shown only there.
                if matches!(
                    model.layers.last(),
                    Some(Layer::Withdrawal(_) | Layer::Withdraw(_))
                ) {
                    let mut attempts = model.clone();
                    open_attempts(&mut attempts);
                    reached.push_str(&join_words(&scrolled_screens(&attempts, down, size)));
                }
                let full_text = text(&buffer(&model, size.columns, 70));
                let mut missing = visible_words(&model, &full_text);
                missing.retain(|word| !reached.contains(word));
                if !missing.is_empty() {
                    failures.push_str(&format!("{name} at {}: {missing:?}\n", size.columns));
                }
            }
        }
        assert_eq!(failures, "", "not reached in {}", lang.tag());
    }
}

#[test]
fn single_key_scrolls_back_from_every_text_end() {
    for (name, model) in all_models(Lang::Pt) {
        let Some((up, down)) = scroll_keys(&model).filter(|_| !model.layers.is_empty()) else {
            continue;
        };
        let mut model = with_change(scrolled_to_top(model), |model| model.size = MIN_SIZE);
        let screen = |model: &Model| text(&buffer(model, MIN_SIZE.columns, MIN_SIZE.rows));
        let first = screen(&model);
        // Try to scroll past the end of the text.
        ["G", "G", down, down, down]
            .into_iter()
            .for_each(|key| press(&mut model, key));
        let last = screen(&model);
        if draw_frame(&model, 1).overflow.lines == 0 {
            continue;
        }
        let more_marks = ["↓\n", "↓│", "↓ mais ", "PgDn mais "];
        let has_more_below = |screen: &str| more_marks.iter().any(|sign| screen.contains(sign));
        assert!(has_more_below(&first), "{name}:\n{first}");
        assert!(
            !has_more_below(&last) && last.contains('↑'),
            "{name}:\n{last}"
        );
        press(&mut model, up);
        assert_ne!(screen(&model), last, "{name}");
        press(&mut model, down);
        assert_eq!(screen(&model), last, "{name}");
    }
}
