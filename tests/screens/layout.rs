//! Tests of layout rules, on every screen, in both languages and at several sizes. Examples of
//! rules: no text is cut off, no word is broken, and buttons are near their text.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use balcao::app::chrome;
use balcao::app::screens::Layer;
use balcao::app::ui::geometry;
use balcao::app::ui::input::Size;
use balcao::app::ui::text::columns;
use balcao::app::ui::{Area, Line, Page, PageItem, Target};
use balcao::app::{Model, ui::Role};
use balcao::words::{Catalogue, Lang};

use crate::models::{all_models, buffer, front_withdrawal, text, with_change, with_qr_code};
use crate::models_money::withdrawals;

/// The maximum width of a sentence, in screen columns.
const MAX_SENTENCE_COLUMNS: usize = 88;

/// The maximum number of rows between a text and the button below it.
const MAX_ROWS_TO_TEXT: u16 = 2;

/// The maximum number of columns between a text and the button beside it.
const MAX_COLUMNS_TO_TEXT: u16 = 60;

/// Characters after which a URL may wrap.
const URL_BREAK_CHARACTERS: [char; 5] = ['/', '-', '.', '?', '&'];

/// The layout of a screen, and the screen's name for failure messages.
struct NamedPage {
    name: String,
    page: Page,
}

/// Returns the layouts of all screens at this size. If a screen scrolls, the result also contains
/// its layout in the middle and at the end of the text.
fn pages(lang: Lang, columns: u16, rows: u16) -> Vec<NamedPage> {
    let size = Size { columns, rows };
    let layouts_of = |(name, model): (&'static str, Model)| {
        let mut model = with_qr_code(with_change(model, |model| model.size = size));
        let name = format!("{name} in {}, {columns}x{rows}", lang.tag());
        let mut layouts = vec![NamedPage {
            name: name.clone(),
            page: chrome::page(&model, size),
        }];
        let lines = layouts[0]
            .page
            .text
            .map_or(0, |(_, overflow)| overflow.lines);
        let other_scrolls = [lines / 2, lines].into_iter().filter(|scroll| *scroll > 0);
        layouts.extend(other_scrolls.map(|scroll| {
            model.scroll = scroll;
            NamedPage {
                name: format!("{name} from line {scroll}"),
                page: chrome::page(&model, size),
            }
        }));
        layouts
    };
    all_models(lang).into_iter().flat_map(layouts_of).collect()
}

/// Returns the text of a row without trailing spaces, and its width in columns.
fn text_and_width(line: &Line) -> (String, usize) {
    let text = line.to_string().trim_end().to_owned();
    let width = columns(&text);
    (text, width)
}

/// Finds texts that extend beyond their area or beyond the screen.
fn find_clipped_texts(page: &Page) -> Vec<String> {
    let mut faults = vec![];
    for item in &page.items {
        let PageItem::Lines(lines, area) = item else {
            continue;
        };
        let visible_columns = area.right().min(page.area.right()).saturating_sub(area.x);
        let visible_rows = area.bottom().min(page.area.bottom()).saturating_sub(area.y);
        for (n, line) in lines.iter().enumerate() {
            let (text, width) = text_and_width(line);
            if width > usize::from(visible_columns) {
                faults.push(format!("cut at {visible_columns} columns: {text}"));
            } else if width > 0
                && n >= usize::from(visible_rows)
                && !(visible_rows == 0 && is_dim(line))
            {
                faults.push(format!("dropped below {visible_rows} rows: {text}"));
            }
        }
    }
    faults
}

fn is_dim(line: &Line) -> bool {
    line.spans
        .iter()
        .all(|span| span.role == Some(Role::Dim) || span.text.trim().is_empty())
}

/// Returns the words on all screens. They come from a very wide layout, in which no word is broken.
fn whole_words() -> &'static BTreeSet<String> {
    static WORDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let pages = Lang::ALL.into_iter().flat_map(|lang| pages(lang, 200, 60));
        let lines = pages.flat_map(|named_page| page_texts(&named_page.page));
        // Skip a row with only one word, because this word may be a fragment of a word that did not
        // fit.
        let words = |line: String| match line.split_whitespace().count() {
            1 => vec![],
            _ => line
                .split_whitespace()
                .map(trim_punctuation)
                .collect::<Vec<_>>(),
        };
        lines
            .flat_map(words)
            .filter(|word| columns(word) > 1)
            .collect()
    });
    &WORDS
}

/// Removes punctuation from both ends of a word.
fn trim_punctuation(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

fn page_texts(page: &Page) -> Vec<String> {
    let lines = page.items.iter().filter_map(|item| match item {
        PageItem::Lines(lines, _) => Some(lines),
        _ => None,
    });
    lines.flatten().map(Line::to_string).collect()
}

/// Finds words that are split between two rows, although each would fit into a single row.
fn find_broken_words(page: &Page) -> Vec<String> {
    let known_words = whole_words();
    let mut faults = vec![];
    for item in &page.items {
        let PageItem::Lines(lines, area) = item else {
            continue;
        };
        for pair in lines.windows(2) {
            let first = pair[0].to_string();
            let next = pair[1].to_string();
            let (Some(line_end), Some(next_start)) = (
                first.split_whitespace().next_back(),
                next.split_whitespace().next(),
            ) else {
                continue;
            };
            let word = format!("{line_end}{next_start}");
            let is_url_break =
                line_end.ends_with(URL_BREAK_CHARACTERS) && word.contains(['/', '@', '.']);
            let is_whole = |part: &str| {
                known_words.contains(&trim_punctuation(part))
                    || columns(&trim_punctuation(part)) < 2
            };
            let is_known = known_words.contains(&trim_punctuation(&word))
                && !(is_whole(line_end) && is_whole(next_start));
            // Ignore Pix codes, because a code may be wider than a row, and may contain spaces that
            // do not separate words.
            let is_code = word.contains("***");
            let is_money = line_end == "R$" && next_start.starts_with(|c: char| c.is_ascii_digit());
            if is_money
                || is_in_phone(&first, next_start)
                || is_known
                    && !is_url_break
                    && !is_code
                    && columns(&word) <= usize::from(area.width)
            {
                faults.push(format!("broken: {line_end} {next_start}"));
            }
        }
    }
    faults
}

/// Returns true if `word` is the next part of a phone number at the end of the text `before`.
fn is_in_phone(before: &str, word: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || c == '•';
    let words: Vec<_> = before.split_whitespace().rev().take(2).collect();
    let is_after_prefix = match words[..] {
        ["+55", ..] => true,
        [area, "+55"] => area.chars().count() == 2 && area.chars().all(is_digit),
        _ => false,
    };
    is_after_prefix && word.starts_with(is_digit)
}

/// A text in a row: its first column, the column after its last column, and the text itself.
type PlacedText = (u16, u16, String);

/// Returns the visible texts of a row, from left to right.
fn texts_in_row(page: &Page, y: u16) -> Vec<PlacedText> {
    let mut pieces: Vec<PlacedText> = vec![];
    for item in &page.items {
        match item {
            PageItem::Lines(lines, area) if area.contains(area.x, y) => {
                let Some(line) = lines.get(usize::from(y - area.y)) else {
                    continue;
                };
                let (text, width) = text_and_width(line);
                let indent = text.chars().take_while(|c| *c == ' ').count();
                let column = |n: usize| area.x + u16::try_from(n).unwrap();
                if width > 0 {
                    pieces.push((column(indent), column(width), text));
                }
            }
            PageItem::Box(_, area) if area.contains(area.x, y) => pieces.clear(),
            PageItem::Blank(area) if area.contains(area.x, y) => {
                pieces.retain(|(start, end, _)| *end <= area.x || *start >= area.right());
            }
            _ => {}
        }
    }
    pieces.sort();
    pieces
}

/// Finds adjacent texts in a row that have no empty column between them.
fn find_touching_texts(page: &Page) -> Vec<String> {
    let rows = page.area.y..page.area.bottom();
    let touching = |pair: &[PlacedText]| {
        let [(_, end, left), (start, _, right)] = pair else {
            return None;
        };
        (start <= end).then(|| format!("touch: {left:?} and {right:?}"))
    };
    rows.flat_map(|y| {
        texts_in_row(page, y)
            .windows(2)
            .filter_map(touching)
            .collect::<Vec<_>>()
    })
    .collect()
}

/// Finds buttons that have no text in the rows just above them.
fn find_far_buttons(page: &Page) -> Vec<String> {
    let is_button = |target: &Target| matches!(target, Target::Button(_) | Target::Submit);
    let buttons = page
        .targets
        .iter()
        .filter(|(area, target)| is_button(target) && area.height > 0);
    let is_far = |(area, target): &(Area, Target)| {
        let rows_above = area.y.saturating_sub(MAX_ROWS_TO_TEXT)..area.y;
        let is_near = |(start, end, _): &PlacedText| {
            area.x < end.saturating_add(MAX_COLUMNS_TO_TEXT)
                && *start < area.right().saturating_add(MAX_COLUMNS_TO_TEXT)
        };
        let has_text = rows_above
            .into_iter()
            .any(|y| texts_in_row(page, y).iter().any(is_near));
        (!has_text).then(|| format!("no text near {target:?} in row {}", area.y))
    };
    buttons.filter_map(is_far).collect()
}

/// Finds sentences that are too wide to be read comfortably.
fn find_long_sentences(page: &Page) -> Vec<String> {
    let is_sentence = |words: &str| words.split(' ').count() > 8 && !words.contains('─');
    let lines = page.items.iter().filter_map(|item| match item {
        PageItem::Lines(lines, _) => Some(lines),
        _ => None,
    });
    let texts = lines.flatten().map(|line| text_and_width(line).0);
    // Measure texts that are two spaces apart separately, because they are independent.
    let split_texts = |text: String| {
        text.split("  ")
            .map(|it| it.trim().to_owned())
            .collect::<Vec<_>>()
    };
    let long = texts
        .flat_map(split_texts)
        .filter(|text| is_sentence(text) && columns(text) > MAX_SENTENCE_COLUMNS);
    long.map(|text| format!("{} columns: {text}", columns(&text)))
        .collect()
}

/// A function that checks a layout rule. It returns a message for each place on the page that
/// breaks the rule.
type LayoutRule = fn(&Page) -> Vec<String>;

const LAYOUT_RULES: [LayoutRule; 5] = [
    find_clipped_texts,
    find_broken_words,
    find_touching_texts,
    find_far_buttons,
    find_long_sentences,
];

/// Checks that all screens at this size follow all layout rules.
fn assert_layout_rules(columns: u16, rows: u16) {
    let mut faults = BTreeSet::new();
    for named_page in Lang::ALL
        .into_iter()
        .flat_map(|lang| pages(lang, columns, rows))
    {
        let found = LAYOUT_RULES.iter().flat_map(|rule| rule(&named_page.page));
        faults.extend(found.map(|fault| format!("{}: {fault}", named_page.name)));
    }
    let faults: Vec<_> = faults.into_iter().collect();
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn each_layout_rule_detects_its_fault() {
    let area = |x, y, width, height| Area {
        x,
        y,
        width,
        height,
    };
    let text = |text: &str| vec![Line::of(Role::Text, text.to_owned())];
    let count_faults = |fill: &dyn Fn(&mut Page)| {
        let mut page = Page::new(area(0, 0, 120, 10));
        fill(&mut page);
        LAYOUT_RULES.map(|rule| rule(&page).len())
    };
    assert_eq!(
        count_faults(&|page| page.put(text("R$ 10,00"), area(0, 0, 20, 1))),
        [0; 5]
    );
    assert_eq!(
        count_faults(&|page| page.put(text("R$ 10,00"), area(0, 0, 5, 1))),
        [1, 0, 0, 0, 0]
    );
    let broken_amount = [text("custa R$"), text("10,00")].concat();
    assert_eq!(
        count_faults(&|page| page.put(broken_amount.clone(), area(0, 0, 20, 2))),
        [0, 1, 0, 0, 0]
    );
    assert_eq!(
        count_faults(&|page| page.put(broken_amount.clone(), area(0, 0, 20, 1))),
        [1, 1, 0, 0, 0]
    );
    for phone in [
        "+55 | 11 98765-4321",
        "telefone +55 11 | 98765-4321",
        "+55 •• | •••••-4321",
    ] {
        let lines: Vec<_> = phone.split(" | ").flat_map(text).collect();
        assert_eq!(
            count_faults(&|page| page.put(lines.clone(), area(0, 0, 40, 2)))[1],
            1,
            "{phone}"
        );
    }
    let touching_texts = |page: &mut Page| {
        page.put(text("Voltar"), area(0, 0, 6, 1));
        page.put(text("Sacar"), area(6, 0, 5, 1));
    };
    assert_eq!(count_faults(&touching_texts), [0, 0, 1, 0, 0]);
    let far_button = |page: &mut Page| page.add_click_target(area(0, 8, 9, 1), Target::Submit);
    assert_eq!(count_faults(&far_button), [0, 0, 0, 1, 0]);
    let button_aside = |page: &mut Page| {
        page.put(text("Sacar?"), area(0, 7, 20, 1));
        page.add_click_target(area(90, 8, 9, 1), Target::Submit);
    };
    assert_eq!(count_faults(&button_aside), [0, 0, 0, 1, 0]);
    let long = "uma frase ".repeat(10);
    assert_eq!(
        count_faults(&|page| page.put(text(&long), area(0, 0, 120, 1))),
        [0, 0, 0, 0, 1]
    );
}

#[test]
fn everything_is_laid_out_well_at_60x18() {
    assert_layout_rules(60, 18);
}

#[test]
fn everything_is_laid_out_well_at_80x24() {
    assert_layout_rules(80, 24);
}

#[test]
fn everything_is_laid_out_well_at_100x30() {
    assert_layout_rules(100, 30);
}

#[test]
fn everything_is_laid_out_well_at_120x40() {
    assert_layout_rules(120, 40);
}

#[test]
fn everything_is_laid_out_well_at_200x60() {
    assert_layout_rules(200, 60);
}

/// Above each heading in a withdrawal's details, there must be an empty row. If some parts do not
/// fit, an arrow must show this.
#[test]
fn withdrawal_parts_are_separated_or_marked_below() {
    let mut checked = 0;
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        for (name, model) in withdrawals::outcome_models(lang) {
            let Some(Layer::Withdrawal(_)) = model.layers.last() else {
                continue;
            };
            let withdrawal = front_withdrawal(&model).cloned().unwrap();
            for (columns, rows) in [(60, 18), (80, 24), (100, 30), (120, 40), (200, 60)] {
                let screen = text(&buffer(&model, columns, rows));
                let size = Size { columns, rows };
                let body = model.areas(size).unwrap().body;
                let (details, panel) = geometry::with_panel(body.readable(), size);
                let details_width = usize::from(details.width);
                let details_text = |line: &str| line.chars().take(details_width).collect();
                let lines: Vec<String> = screen.lines().map(details_text).collect();
                let lines: Vec<_> = lines.iter().map(|line| line.trim()).collect();
                let context = format!("{name} in {}, {columns}x{rows}:\n{screen}", lang.tag());
                let heading = |id: &str| lines.iter().position(|line| *line == words.text(id));
                let attempts = heading("outcome-attempts");
                let has_more = screen.contains("↓ ");
                let has_attempts = !withdrawal.attempts.is_empty();
                let title = words.text("outcome-attempts");
                let has_timeline = screen.contains(&format!("│ {title}"));
                assert_eq!(has_timeline, has_attempts && panel.is_some(), "{context}");
                let has_list = has_attempts && !has_timeline;
                assert!(attempts.is_some() == has_list || has_more, "{context}");
                for heading in [attempts, heading("outcome-steps")].into_iter().flatten() {
                    assert!(lines[heading - 1].is_empty(), "{context}");
                    checked += 1;
                }
                // The idempotency key is near the end of the details. If it does not fit, an arrow
                // must show that there is more text.
                let key = withdrawal.agreement.key.to_string();
                assert!(screen.contains(&key) || has_more, "{context}");
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn a_form_that_hides_fields_or_its_button_says_so() {
    let mut checked = 0;
    for named_page in Lang::ALL.into_iter().flat_map(|lang| pages(lang, 60, 18)) {
        let page = &named_page.page;
        let height = |expected: Target| {
            let found = page.targets.iter().find(|(_, target)| *target == expected);
            found.map(|(area, _)| area.height)
        };
        let shows_arrow = |arrow: &str| {
            let rows = page.area.y..page.area.bottom();
            rows.flat_map(|y| texts_in_row(page, y))
                .any(|(.., text)| text == arrow)
        };
        for (target, arrow) in [(Target::Field(0), "↑"), (Target::Submit, "↓")] {
            if height(target) == Some(0) {
                assert!(
                    shows_arrow(arrow),
                    "{}: {target:?} is hidden",
                    named_page.name
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 10, "{checked}");
}
