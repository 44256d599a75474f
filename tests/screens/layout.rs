//! Tests of layout rules, on every screen, in both languages and at several sizes. Examples of
//! rules: no text is cut off, no word is broken, and buttons are near their text.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use balcao::app::chrome;
use balcao::app::screens::Layer;
use balcao::app::ui::input::Size;
use balcao::app::ui::text::columns;
use balcao::app::ui::{Area, Line, Page, PageItem, Target};
use balcao::app::{Model, ui::Role};
use balcao::words::{Catalogue, Lang};

use crate::models::{all, altered, buffer, rested, subject, text};
use crate::models_money::withdrawals;

/// The maximum width of a sentence, in screen columns.
const MEASURE: usize = 88;

/// The maximum number of rows between a text and the button below it.
const NEAR: u16 = 2;

/// The maximum number of columns between a text and the button beside it.
const BESIDE: u16 = 60;

/// Characters after which a URL may wrap.
const JOINTS: [char; 5] = ['/', '-', '.', '?', '&'];

/// The layout of a screen, and the screen's name for failure messages.
struct Laid {
    name: String,
    page: Page,
}

/// Returns the layouts of all screens at this size. If a screen scrolls, the result also contains
/// its layout in the middle and at the end of the text.
fn pages(lang: Lang, columns: u16, rows: u16) -> Vec<Laid> {
    let size = Size { columns, rows };
    let lay = |(name, model): (&'static str, Model)| {
        let mut model = rested(altered(model, |model| model.size = size));
        let name = format!("{name} in {}, {columns}x{rows}", lang.tag());
        let mut laid = vec![Laid { name: name.clone(), page: chrome::page(&model, size) }];
        let lines = laid[0].page.text.map_or(0, |(_, overflow)| overflow.lines);
        let further = [lines / 2, lines].into_iter().filter(|scroll| *scroll > 0);
        laid.extend(further.map(|scroll| {
            model.scroll = scroll;
            Laid { name: format!("{name} from line {scroll}"), page: chrome::page(&model, size) }
        }));
        laid
    };
    all(lang).into_iter().flat_map(lay).collect()
}

/// Returns the text of a row without trailing spaces, and its width in columns.
fn ink(line: &Line) -> (String, usize) {
    let text = line.to_string().trim_end().to_owned();
    let wide = columns(&text);
    (text, wide)
}

/// Finds texts that extend beyond their area or beyond the screen.
fn clipped(page: &Page) -> Vec<String> {
    let mut faults = vec![];
    for item in &page.items {
        let PageItem::Lines(lines, area) = item else { continue };
        let room = area.right().min(page.whole.right()).saturating_sub(area.x);
        let rows = area.bottom().min(page.whole.bottom()).saturating_sub(area.y);
        for (n, line) in lines.iter().enumerate() {
            let (text, wide) = ink(line);
            if wide > usize::from(room) {
                faults.push(format!("cut at {room} columns: {text}"));
            } else if wide > 0 && n >= usize::from(rows) && !(rows == 0 && is_dim(line)) {
                faults.push(format!("dropped below {rows} rows: {text}"));
            }
        }
    }
    faults
}

fn is_dim(line: &Line) -> bool {
    line.spans.iter().all(|span| span.role == Some(Role::Dim) || span.text.trim().is_empty())
}

/// Returns the words on all screens. They come from a very wide layout, in which no word is broken.
fn whole_words() -> &'static BTreeSet<String> {
    static WORDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let pages = Lang::ALL.into_iter().flat_map(|lang| pages(lang, 200, 60));
        let lines = pages.flat_map(|laid| texts(&laid.page));
        // Skip a row with only one word, because this word may be a fragment of a word that did not
        // fit.
        let words = |line: String| match line.split_whitespace().count() {
            1 => vec![],
            _ => line.split_whitespace().map(bare).collect::<Vec<_>>(),
        };
        lines.flat_map(words).filter(|word| columns(word) > 1).collect()
    });
    &WORDS
}

/// Removes punctuation from both ends of a word.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

fn texts(page: &Page) -> Vec<String> {
    let lines = page.items.iter().filter_map(|item| match item {
        PageItem::Lines(lines, _) => Some(lines),
        _ => None,
    });
    lines.flatten().map(Line::to_string).collect()
}

/// Finds words that are split between two rows, although each would fit into a single row.
fn broken(page: &Page) -> Vec<String> {
    let whole = whole_words();
    let mut faults = vec![];
    for item in &page.items {
        let PageItem::Lines(lines, area) = item else { continue };
        for pair in lines.windows(2) {
            let [first, next] = [pair[0].to_string(), pair[1].to_string()];
            let (Some(head), Some(tail)) =
                (first.split_whitespace().next_back(), next.split_whitespace().next())
            else {
                continue;
            };
            let word = format!("{head}{tail}");
            let is_joint = head.ends_with(JOINTS) && word.contains(['/', '@', '.']);
            let is_whole = |part: &str| whole.contains(&bare(part)) || columns(&bare(part)) < 2;
            let is_known = whole.contains(&bare(&word)) && !(is_whole(head) && is_whole(tail));
            // Ignore Pix codes, because they may be wider than a row. Their spaces do not separate
            // words.
            let is_code = word.contains("***");
            let is_money = head == "R$" && tail.starts_with(|c: char| c.is_ascii_digit());
            if is_money
                || is_in_phone(&first, tail)
                || is_known && !is_joint && !is_code && columns(&word) <= usize::from(area.width)
            {
                faults.push(format!("broken: {head} {tail}"));
            }
        }
    }
    faults
}

/// Returns true if `word` is the next part of a phone number at the end of the text `before`.
fn is_in_phone(before: &str, word: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || c == '•';
    let words: Vec<_> = before.split_whitespace().rev().take(2).collect();
    let has_begun = match words[..] {
        ["+55", ..] => true,
        [area, "+55"] => area.chars().count() == 2 && area.chars().all(is_digit),
        _ => false,
    };
    has_begun && word.starts_with(is_digit)
}

/// A text in a row: its first column, the column after its last column, and the text itself.
type Piece = (u16, u16, String);

/// Returns the visible texts of a row, from left to right.
fn row(page: &Page, y: u16) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = vec![];
    for item in &page.items {
        match item {
            PageItem::Lines(lines, area) if area.contains(area.x, y) => {
                let Some(line) = lines.get(usize::from(y - area.y)) else { continue };
                let (text, wide) = ink(line);
                let indent = text.chars().take_while(|c| *c == ' ').count();
                let at = |n: usize| area.x + u16::try_from(n).unwrap();
                if wide > 0 {
                    pieces.push((at(indent), at(wide), text));
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
fn touching(page: &Page) -> Vec<String> {
    let rows = page.whole.y..page.whole.bottom();
    let touch = |pair: &[Piece]| {
        let [(_, end, left), (start, _, right)] = pair else { return None };
        (start <= end).then(|| format!("touch: {left:?} and {right:?}"))
    };
    rows.flat_map(|y| row(page, y).windows(2).filter_map(touch).collect::<Vec<_>>()).collect()
}

/// Finds buttons that have no text in the rows just above them.
fn far(page: &Page) -> Vec<String> {
    let is_button = |target: &Target| matches!(target, Target::Button(_) | Target::Submit);
    let buttons = page.targets.iter().filter(|(area, target)| is_button(target) && area.height > 0);
    let is_far = |(area, target): &(Area, Target)| {
        let near = area.y.saturating_sub(NEAR)..area.y;
        let is_near = |(start, end, _): &Piece| {
            area.x < end.saturating_add(BESIDE) && *start < area.right().saturating_add(BESIDE)
        };
        let has_text = near.into_iter().any(|y| row(page, y).iter().any(is_near));
        (!has_text).then(|| format!("no text near {target:?} in row {}", area.y))
    };
    buttons.filter_map(is_far).collect()
}

/// Finds sentences that are too wide to be read comfortably.
fn long(page: &Page) -> Vec<String> {
    let is_sentence = |words: &str| words.split(' ').count() > 8 && !words.contains('─');
    let lines = page.items.iter().filter_map(|item| match item {
        PageItem::Lines(lines, _) => Some(lines),
        _ => None,
    });
    let texts = lines.flatten().map(|line| ink(line).0);
    // Measure texts that are two spaces apart separately, because they are independent.
    let read = |text: String| text.split("  ").map(|it| it.trim().to_owned()).collect::<Vec<_>>();
    let long = texts.flat_map(read).filter(|text| is_sentence(text) && columns(text) > MEASURE);
    long.map(|text| format!("{} columns: {text}", columns(&text))).collect()
}

/// A function that checks a layout rule. It returns a message for each place on the page that
/// breaks the rule.
type Property = fn(&Page) -> Vec<String>;

const PROPERTIES: [Property; 5] = [clipped, broken, touching, far, long];

/// Checks that all screens at this size follow all layout rules.
fn hold(columns: u16, rows: u16) {
    let mut faults = BTreeSet::new();
    for laid in Lang::ALL.into_iter().flat_map(|lang| pages(lang, columns, rows)) {
        let found = PROPERTIES.iter().flat_map(|property| property(&laid.page));
        faults.extend(found.map(|fault| format!("{}: {fault}", laid.name)));
    }
    let said: Vec<_> = faults.into_iter().collect();
    assert!(said.is_empty(), "{} faults:\n{}", said.len(), said.join("\n"));
}

/// Each layout rule must detect a small page that breaks the rule.
#[test]
fn a_planted_fault_is_found() {
    let area = |x, y, width, height| Area { x, y, width, height };
    let text = |text: &str| vec![Line::of(Role::Text, text.to_owned())];
    let found = |fill: &dyn Fn(&mut Page)| {
        let mut page = Page::new(area(0, 0, 120, 10));
        fill(&mut page);
        PROPERTIES.map(|property| property(&page).len())
    };
    assert_eq!(found(&|page| page.put(text("R$ 10,00"), area(0, 0, 20, 1))), [0; 5]);
    assert_eq!(found(&|page| page.put(text("R$ 10,00"), area(0, 0, 5, 1))), [1, 0, 0, 0, 0]);
    let two = [text("custa R$"), text("10,00")].concat();
    assert_eq!(found(&|page| page.put(two.clone(), area(0, 0, 20, 2))), [0, 1, 0, 0, 0]);
    assert_eq!(found(&|page| page.put(two.clone(), area(0, 0, 20, 1))), [1, 1, 0, 0, 0]);
    for phone in ["+55 | 11 98765-4321", "telefone +55 11 | 98765-4321", "+55 •• | •••••-4321"]
    {
        let lines: Vec<_> = phone.split(" | ").flat_map(text).collect();
        assert_eq!(found(&|page| page.put(lines.clone(), area(0, 0, 40, 2)))[1], 1, "{phone}");
    }
    let touching = |page: &mut Page| {
        page.put(text("Voltar"), area(0, 0, 6, 1));
        page.put(text("Sacar"), area(6, 0, 5, 1));
    };
    assert_eq!(found(&touching), [0, 0, 1, 0, 0]);
    let far = |page: &mut Page| page.target(area(0, 8, 9, 1), Target::Submit);
    assert_eq!(found(&far), [0, 0, 0, 1, 0]);
    let aside = |page: &mut Page| {
        page.put(text("Sacar?"), area(0, 7, 20, 1));
        page.target(area(90, 8, 9, 1), Target::Submit);
    };
    assert_eq!(found(&aside), [0, 0, 0, 1, 0]);
    let long = "uma frase ".repeat(10);
    assert_eq!(found(&|page| page.put(text(&long), area(0, 0, 120, 1))), [0, 0, 0, 0, 1]);
}

#[test]
fn everything_is_laid_out_well_at_60x18() {
    hold(60, 18);
}

#[test]
fn everything_is_laid_out_well_at_80x24() {
    hold(80, 24);
}

#[test]
fn everything_is_laid_out_well_at_100x30() {
    hold(100, 30);
}

#[test]
fn everything_is_laid_out_well_at_120x40() {
    hold(120, 40);
}

#[test]
fn everything_is_laid_out_well_at_200x60() {
    hold(200, 60);
}

/// Above each heading in a withdrawal's details, there must be an empty row. If some parts do not
/// fit, an arrow must show this.
#[test]
fn withdrawal_parts_are_separated_or_marked_below() {
    let mut seen = 0;
    for lang in Lang::ALL {
        let say = Catalogue::of(lang);
        for (name, model) in withdrawals::outcomes(lang) {
            let Some(Layer::Withdrawal(_)) = model.layers.last() else { continue };
            let withdrawal = subject(&model).cloned().unwrap();
            for (columns, rows) in [(60, 18), (80, 24), (100, 30), (120, 40), (200, 60)] {
                let screen = text(&buffer(&model, columns, rows));
                let lines: Vec<_> = screen.lines().map(str::trim).collect();
                let at = format!("{name} in {}, {columns}x{rows}:\n{screen}", lang.tag());
                let heading = |id: &str| lines.iter().position(|line| *line == say.text(id));
                let attempts = heading("outcome-attempts");
                let goes_on = screen.contains("↓ ");
                let has_attempts = !withdrawal.attempts.is_empty();
                assert!(attempts.is_some() == has_attempts || goes_on, "{at}");
                for heading in [attempts, heading("outcome-steps")].into_iter().flatten() {
                    assert!(lines[heading - 1].is_empty(), "{at}");
                    seen += 1;
                }
                // The idempotency key is near the end of the details. If it does not fit, an arrow
                // must show that there is more text.
                let code = withdrawal.agreement.key.to_string();
                assert!(screen.contains(&code) || goes_on, "{at}");
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn a_form_that_hides_fields_or_its_button_says_so() {
    let mut seen = 0;
    for laid in Lang::ALL.into_iter().flat_map(|lang| pages(lang, 60, 18)) {
        let page = &laid.page;
        let height = |wanted: Target| {
            let found = page.targets.iter().find(|(_, target)| *target == wanted);
            found.map(|(area, _)| area.height)
        };
        let has = |sign: &str| {
            let rows = page.whole.y..page.whole.bottom();
            rows.flat_map(|y| row(page, y)).any(|(.., text)| text == sign)
        };
        for (target, sign) in [(Target::Field(0), "↑"), (Target::Submit, "↓")] {
            if height(target) == Some(0) {
                assert!(has(sign), "{}: {target:?} is hidden", laid.name);
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen}");
}
