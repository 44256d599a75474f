//! Tests the distance between texts in adjacent columns. If they were too close, they would look
//! like a single sentence.

use std::collections::BTreeSet;

use balcao::app::ui::input::Size;
use balcao::app::ui::{PageItem, Role, Span};
use balcao::app::{Model, Pane, chrome};
use balcao::words::{Catalogue, Lang};
use ratatui::buffer::{Buffer, Cell};

use crate::models::{all_models, buffer, pane_model, text, with_change, with_qr_code};

const SIZES: [(u16, u16); 2] = [(80, 24), (60, 18)];

/// Checks all screens at this size: texts in adjacent columns must be at least two spaces apart.
fn assert_column_spacing(columns: u16, rows: u16) {
    for lang in Lang::ALL {
        for (name, model) in all_models(lang) {
            let screen = buffer(&model, columns, rows);
            let edges = highlight_edges(&model, Size { columns, rows });
            let width = usize::from(columns);
            let last_row = usize::from(rows) - 1;
            for (y, row) in screen.content.chunks(width).enumerate() {
                let text: String = row.iter().map(Cell::symbol).collect();
                // Skip the last row, because a key and its hint are only one space apart there.
                let close_texts = if y == last_row {
                    None
                } else {
                    find_close_texts(row, &edges[y])
                };
                assert_eq!(
                    close_texts,
                    None,
                    "{name} at {columns}x{rows}, {}: {text}",
                    lang.tag()
                );
            }
        }
    }
}

#[test]
fn two_columns_have_two_spaces_between_them() {
    SIZES
        .iter()
        .for_each(|(columns, rows)| assert_column_spacing(*columns, *rows));
}

#[test]
fn columns_have_two_spaces_beside_a_list() {
    assert_column_spacing(100, 30);
    assert_column_spacing(120, 40);
}

#[test]
fn columns_have_two_spaces_on_a_very_wide_screen() {
    assert_column_spacing(200, 60);
}

/// The name of the current pane must be shown in full, even in the smallest terminal.
#[test]
fn no_name_of_a_pane_is_cut() {
    for lang in Lang::ALL {
        for pane in Pane::ALL {
            for (columns, rows) in SIZES {
                let screen = text(&buffer(&pane_model(lang, pane), columns, rows));
                let tabs = screen.lines().nth(1).unwrap();
                assert!(
                    tabs.contains(pane.name(lang)) && !tabs.contains('…'),
                    "{tabs}"
                );
            }
        }
    }
}

/// For each row, returns the columns at which a search highlight begins or ends. At these columns,
/// the style changes in the middle of a text.
fn highlight_edges(model: &Model, size: Size) -> Vec<BTreeSet<usize>> {
    let model = with_qr_code(with_change(model.clone(), |model| model.size = size));
    let mut edges = vec![BTreeSet::new(); usize::from(size.rows)];
    for item in chrome::page(&model, size).items {
        let PageItem::Lines(lines, area) = item else {
            continue;
        };
        for (y, line) in (usize::from(area.y)..)
            .zip(&lines)
            .take(usize::from(area.height))
        {
            let mut x = usize::from(area.x) + line.spans.first().map_or(0, Span::width);
            for pair in line.spans.windows(2) {
                // A highlighted search hit in the selected row has the role `Field`.
                let is_hit = |span: &Span| span.role == Some(Role::Field) && span.over.is_some();
                if pair[0].role == pair[1].role || pair.iter().any(is_hit) {
                    edges[y].insert(x);
                }
                x += pair[1].width();
            }
        }
    }
    edges
}

/// Finds two adjacent texts in different styles that are less than two spaces apart. Ignores the
/// columns in `edges`, at which a search highlight splits a single text.
fn find_close_texts(row: &[Cell], edges: &BTreeSet<usize>) -> Option<(String, String)> {
    let style_at = |x: usize| (row[x].fg, row[x].bg, row[x].modifier);
    let is_filled = |x: &usize| row[*x].symbol() != " ";
    // A rule separates the texts at its sides.
    let is_rule = |x: usize| row[x].symbol() == "│";
    let has_words = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count() > 1;
    let filled_columns: Vec<usize> = (0..row.len()).filter(is_filled).collect();
    // Split the row into pieces of text in one style. Pieces without words, such as bullets, do not
    // count.
    let mut pieces: Vec<(usize, usize, String)> = Vec::new();
    for x in filled_columns {
        match pieces.last_mut() {
            Some((_, end, piece))
                if style_at(*end) == style_at(x)
                    && x - *end <= 2
                    && ![x, *end].into_iter().any(is_rule) =>
            {
                piece.push_str(if x - *end == 2 { " " } else { "" });
                piece.push_str(row[x].symbol());
                *end = x;
            }
            _ => pieces.push((x, x, row[x].symbol().to_owned())),
        }
    }
    let close_pair = pieces.windows(2).find(|pair| {
        let [(_, end, left), (start, _, right)] = pair else {
            return false;
        };
        let has_edge = (*end + 1..=*start).any(|x| edges.contains(&x));
        start - end <= 2 && has_words(left) && has_words(right) && !has_edge
    })?;
    Some((close_pair[0].2.clone(), close_pair[1].2.clone()))
}

/// There must be two spaces between an attempt's result and the text before it, even if both have
/// the same style.
#[test]
fn attempt_class_is_separated_from_the_reply() {
    let mut checked = 0;
    for lang in Lang::ALL {
        let classes = class_labels(lang);
        for (name, model) in all_models(lang) {
            for (columns, rows) in SIZES {
                let screen: Buffer = buffer(&model, columns, rows);
                for line in text(&screen).lines() {
                    for class in &classes {
                        let Some(position) = line.find(class.as_str()) else {
                            continue;
                        };
                        let before = &line[..position];
                        // Two spaces must be before the result, or only characters that are not
                        // letters or digits.
                        let is_after_symbol = !before.contains(|c: char| c.is_alphanumeric());
                        let is_separated = is_after_symbol || before.ends_with("  ");
                        assert!(
                            is_separated,
                            "{name} at {columns}x{rows}, {}:\n{line}",
                            lang.tag()
                        );
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Returns the first words of each possible result of an attempt.
fn class_labels(lang: Lang) -> Vec<String> {
    let words = Catalogue::of(lang);
    let classes = [
        "class-running",
        "class-not-sent",
        "class-unclear",
        "class-confirmed",
        "class-alarm",
        "class-no",
        "class-no-entry",
        "class-throttled",
        "class-suspect",
    ];
    classes
        .into_iter()
        .map(|id| format!("{}: ", words.text(id)))
        .collect()
}
