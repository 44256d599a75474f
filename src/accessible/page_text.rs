//! The text of a page, without places, colours and signs. Each row of the page becomes a line.

use crate::app::ui::text::columns;
use crate::app::ui::{Area, Line, Page, PageItem, Role, Target};
use crate::words::Catalogue;

/// A line of a page's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine {
    pub text: String,
    /// The part of the screen that the line belongs to, if the user can choose it.
    pub target: Option<Target>,
    /// A cell of the line: its column and row.
    pub cell: (u16, u16),
}

/// A line of the page, with its place.
struct PlacedLine<'a> {
    x: u16,
    y: u16,
    /// The index of the page item that contains the line.
    item: usize,
    line: &'a Line,
    /// The width of the area that contains the line.
    width: u16,
}

/// A part of a line. At least two spaces separate it from the next part.
struct Part {
    role: Option<Role>,
    text: String,
    /// The column at which the part begins.
    column: usize,
}

/// The separator lines and the symbols of boxes, cursors, fields and buttons. None of them says
/// anything that the words beside it do not say.
const SIGNS: &[char] = &['✓', '●', '○', '◆', '×', '‼', '‹', '›', '▸', '▾'];

/// The text of the page in this area, from top to bottom. Buttons are left out, because they have
/// questions of their own.
pub fn lines(words: &Catalogue, page: &Page, area: Area) -> Vec<TextLine> {
    let mut placed = placed_lines(page, area);
    placed.sort_by_key(|line| (line.y, line.x));
    let mut lines: Vec<TextLine> = Vec::new();
    let mut above: Option<Row> = None;
    for placed in placed.chunk_by(|line, next| line.y == next.y) {
        let target = target_at(page, placed);
        if matches!(target, Some(Target::Button(_) | Target::Submit)) {
            continue;
        }
        let row = Row::of(placed, target);
        let Some(text) = row
            .code
            .clone()
            .or_else(|| join(words, &row.parts, row.has_label))
        else {
            continue;
        };
        let joint = above.as_ref().and_then(|above| row.joint(above, target));
        match (joint, lines.last_mut()) {
            (Some(joint), Some(last)) => {
                let is_field = matches!(last.target, Some(Target::Field(_)));
                // Below a field is what is wrong with its value.
                last.text
                    .push_str(match (is_field, last.text.contains(": ")) {
                        (false, _) => joint,
                        (true, false) => ": ",
                        (true, true) => ". ",
                    });
                last.text.push_str(&text);
            }
            _ => lines.push(TextLine {
                text: text.trim_start().to_owned(),
                target,
                cell: (placed[0].x, placed[0].y),
            }),
        }
        // A value may continue in several rows.
        let has_label =
            row.has_label || (joint == Some(" ") && above.is_some_and(|it| it.has_label));
        above = Some(Row { has_label, ..row });
    }
    lines
}

/// A row of the page.
struct Row {
    /// The index of the page item that contains the row.
    item: usize,
    y: u16,
    parts: Vec<Part>,
    /// True if the first part is the label of the others.
    has_label: bool,
    /// The number of columns to the right of the text.
    room: usize,
    /// The text of an address or a Pix code, with all of its spaces. Marked characters are not part
    /// of a code.
    code: Option<String>,
}

impl Row {
    fn of(placed: &[PlacedLine<'_>], target: Option<Target>) -> Row {
        let PlacedLine {
            item,
            y,
            line,
            width,
            ..
        } = placed[0];
        let parts: Vec<Part> = placed.iter().flat_map(|line| parts(line.line)).collect();
        let has_label = line.spans.iter().any(is_input) || is_labelled(&parts, target);
        let code = match (line.spans.as_slice(), placed.len(), target) {
            ([span], 1, None) if span.role == Some(Role::Accent) && span.text.is_ascii() => {
                Some(span.text.to_string())
            }
            _ => None,
        };
        Row {
            item,
            y,
            parts,
            has_label,
            room: usize::from(width).saturating_sub(line.width()),
            code,
        }
    }

    /// The text between this row and the row above it, if this row continues it.
    fn joint(&self, above: &Row, target: Option<Target>) -> Option<&'static str> {
        if target.is_some() || (above.item, above.y + 1) != (self.item, self.y) {
            return None;
        }
        if self.code.is_some() && above.code.is_some() {
            // A code is broken at any character.
            return (above.room <= 1).then_some("");
        }
        let [part] = self.parts.as_slice() else {
            return None;
        };
        if above.has_label && part.column > MIN_LABEL_COLUMNS {
            return Some(" ");
        }
        let [part_above] = above.parts.as_slice() else {
            return None;
        };
        let word = part.text.split(' ').next().unwrap_or_default();
        let is_wrapped = part.role != Some(Role::Accent)
            && part.role == part_above.role
            && part.column == part_above.column
            && above.room < columns(word) + 1;
        is_wrapped.then_some(" ")
    }
}

/// The indentation that shows that a row continues the value above it.
const MIN_LABEL_COLUMNS: usize = 8;

/// The label of the confirming button, if the page shows it.
pub fn button_label(page: &Page) -> Option<String> {
    let (area, _) = page
        .targets
        .iter()
        .find(|(_, target)| *target == Target::Button(1))?;
    let placed = placed_lines(page, *area);
    let label = placed.first()?.line.to_string();
    let label = label.trim_matches(['[', ']', '(', ')', ' ']);
    (!label.is_empty()).then(|| label.to_owned())
}

/// The parts of the page's lines in this area, each as a text of its own.
pub fn separate_parts(words: &Catalogue, page: &Page, area: Area) -> Vec<String> {
    let placed = placed_lines(page, area);
    let parts = placed.iter().flat_map(|line| parts(line.line));
    parts
        .filter_map(|part| join(words, &[part], false))
        .collect()
}

/// The lines that are visible in this area. Later items of a page hide earlier ones.
fn placed_lines(page: &Page, area: Area) -> Vec<PlacedLine<'_>> {
    let mut placed: Vec<PlacedLine<'_>> = Vec::new();
    for (item, page_item) in page.items.iter().enumerate() {
        match page_item {
            PageItem::Lines(lines, at) => {
                let rows = (at.y..at.bottom())
                    .zip(lines)
                    .filter(|(_, line)| line.width() > 0);
                placed.extend(rows.map(|(y, line)| PlacedLine {
                    x: at.x,
                    y,
                    item,
                    line,
                    width: at.width,
                }));
            }
            PageItem::Box(title, at) => {
                placed.retain(|line| !at.contains(line.x, line.y));
                placed.push(PlacedLine {
                    x: at.x,
                    y: at.y,
                    item,
                    line: title,
                    width: at.width,
                });
            }
            PageItem::Blank(at) | PageItem::Faded(at) => {
                placed.retain(|line| !at.contains(line.x, line.y));
            }
            PageItem::Picture(_) => {}
        }
    }
    placed.retain(|line| area.contains(line.x, line.y));
    placed
}

/// The target to which a row belongs.
fn target_at(page: &Page, row: &[PlacedLine<'_>]) -> Option<Target> {
    let (left, right, y) = (row.first()?.x, row.last()?, row.first()?.y);
    let right = right
        .x
        .saturating_add(u16::try_from(right.line.width()).unwrap_or(u16::MAX));
    let is_in = |area: &Area| {
        area.height > 0
            && (area.y..area.bottom()).contains(&y)
            && area.x < right
            && area.right() > left
    };
    page.targets
        .iter()
        .find(|(area, _)| is_in(area))
        .map(|(_, target)| *target)
}

fn is_input(span: &crate::app::ui::Span) -> bool {
    matches!(span.over, Some(Role::Input | Role::InputFocus))
}

fn is_labelled(parts: &[Part], target: Option<Target>) -> bool {
    let is_row = matches!(target, Some(Target::Row(_)));
    let is_label = parts
        .first()
        .is_some_and(|part| part.role == Some(Role::Dim));
    is_label && !is_row && parts.len() > 1
}

/// Splits a line where it has two or more spaces.
fn parts(line: &Line) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut column, mut spaces) = (0, 2);
    for span in &line.spans {
        if span.role == Some(Role::Rule) {
            column += span.width();
            spaces += span.width();
            continue;
        }
        for c in span.text.chars() {
            let width = columns(c.encode_utf8(&mut [0; 4]));
            if c == ' ' {
                spaces += 1;
            } else if spaces >= 2 || parts.is_empty() {
                parts.push(Part {
                    role: span.role,
                    text: c.into(),
                    column,
                });
                spaces = 0;
            } else if let Some(part) = parts.last_mut() {
                if spaces == 1 {
                    part.text.push(' ');
                }
                part.text.push(c);
                spaces = 0;
            }
            column += width;
        }
    }
    parts
}

/// Joins the parts of a line to a text. Returns `None` if nothing is left of them.
fn join(words: &Catalogue, parts: &[Part], has_label: bool) -> Option<String> {
    let mut text = String::new();
    let mut is_label = has_label;
    for part in parts {
        let part = without_signs(words, &part.text);
        if part.is_empty() {
            continue;
        }
        if !text.is_empty() {
            let is_separated = text.ends_with([':', ',', '?', '!', ';']);
            text.push_str(match (is_separated, is_label) {
                (true, _) => " ",
                (false, true) => ": ",
                (false, false) => ", ",
            });
            is_label = false;
        }
        text.push_str(&part);
    }
    // The currency is left of an amount in large digits, which the page repeats as text.
    (!text.is_empty() && text != "R$").then_some(text)
}

/// The text without the signs that a screen reader would spell out. The dots of a secret are
/// replaced by a word.
pub fn without_signs(words: &Catalogue, text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut dots = 0;
    for c in text.chars() {
        dots = if c == '•' { dots + 1 } else { 0 };
        match c {
            '•' if dots == 2 => plain.push_str(&words.text("stream-secret-typed")),
            '•' => {}
            '\u{2500}'..='\u{259f}' => {}
            c if SIGNS.contains(&c) || c.is_control() => {}
            '↑' => plain.push_str(&words.text("stream-key-up")),
            '↓' => plain.push_str(&words.text("stream-key-down")),
            '←' => plain.push_str(&words.text("stream-key-left")),
            '→' => plain.push_str(&words.text("stream-key-right")),
            '…' => plain.push_str("..."),
            '·' => {
                plain.truncate(plain.trim_end().len());
                plain.push(',');
            }
            '“' | '”' => plain.push('"'),
            // The sign of something that was dropped.
            '–' if plain.is_empty() => {}
            '−' | '–' => plain.push('-'),
            ' ' if plain.ends_with(' ') => {}
            c => plain.push(c),
        }
    }
    let plain = plain.trim_matches([' ', ',']);
    // The signs of a search field, of an unknown outcome, and of something to check.
    let sign = ["/ ", "? ", "! "]
        .into_iter()
        .find_map(|sign| plain.strip_prefix(sign));
    let plain = sign.unwrap_or(plain);
    let button = plain
        .strip_prefix("[ ")
        .and_then(|text| text.strip_suffix(" ]"));
    button.unwrap_or(plain).to_owned()
}

/// The text with every number replaced, for texts in which numbers count by themselves.
pub fn without_numbers(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '0'..='9' if masked.ends_with('#') => {}
            '0'..='9' => masked.push('#'),
            c => masked.push(c),
        }
    }
    masked
}

/// The text with every time such as `9:28` or `12 s` replaced, because it may count by itself. A
/// time at the beginning stays: it is the time of a row.
pub fn without_durations(text: &str) -> String {
    let mut words = text.split(' ').peekable();
    let mut masked = Vec::new();
    while let Some(word) = words.next() {
        let is_unit = matches!(
            words.peek(),
            Some(&("s" | "s," | "s." | "min" | "min," | "h"))
        );
        let has_digits = word.contains(|c: char| c.is_ascii_digit());
        let is_time = word.contains(':') && !masked.is_empty();
        masked.push(if has_digits && (is_unit || is_time) {
            without_numbers(word)
        } else {
            word.to_owned()
        });
    }
    masked.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ui::Span;
    use crate::app::ui::parts::{boxed, labelled, put, row, wrapped};
    use crate::words::Lang;

    const AREA: Area = Area {
        x: 0,
        y: 0,
        width: 40,
        height: 12,
    };

    fn texts(page: &Page) -> Vec<String> {
        let lines = lines(Catalogue::of(Lang::Pt), page, AREA);
        lines.into_iter().map(|line| line.text).collect()
    }

    fn texts_of(lines: Vec<Line>) -> Vec<String> {
        let mut page = Page::new(AREA);
        put(lines, AREA, &mut page);
        texts(&page)
    }

    #[test]
    fn label_and_value_are_one_line() {
        let value = "um valor que continua na linha de baixo";
        let lines = labelled(("Para", 10), value, 34);
        assert_eq!(lines.len(), 2);
        assert_eq!(texts_of(lines), [format!("Para: {value}")]);
        let figures = ["Taxa", "Total"].map(|label| {
            Line::from(vec![
                Span::of(Role::Dim, format!("          {label}")),
                Span::of(Role::Money, "     R$ 2,05"),
            ])
        });
        assert_eq!(
            texts_of(figures.to_vec()),
            ["Taxa: R$ 2,05", "Total: R$ 2,05"]
        );
    }

    #[test]
    fn wrapped_sentence_is_one_line() {
        let text = "Uma frase que não cabe em uma linha só. E outra.";
        assert_eq!(texts_of(wrapped(Role::Text, text, 40)), [text]);
        let code = "00020126580014br.gov.bcb.pix5911LOJA DA  ANA6009SAO PAULO6304191B";
        let broken = [&code[..40], &code[40..]].map(|part| Line::of(Role::Accent, part));
        assert!(code[..40].ends_with(' '), "the space must stay");
        assert_eq!(texts_of(broken.to_vec()), [code]);
        let short = ["Uma frase.", "Outra."].map(|text| Line::of(Role::Text, text));
        assert_eq!(texts_of(short.to_vec()), ["Uma frase.", "Outra."]);
    }

    #[test]
    fn signs_are_left_out() {
        let spans = ["10:42   ", "R$ 9,90   ", "✓ pago"].map(Span::plain);
        assert_eq!(texts_of(vec![row(true, spans)]), ["10:42, R$ 9,90, pago"]);
        for (text, expected) in [
            ("? RESULTADO DESCONHECIDO", "RESULTADO DESCONHECIDO"),
            ("● sessão ativa", "sessão ativa"),
            ("• ponto", "ponto"),
            ("•••••", "texto oculto"),
            ("a · b", "a, b"),
            ("Fim…", "Fim..."),
            ("↓ escolhe", "seta para baixo escolhe"),
        ] {
            assert_eq!(texts_of(vec![Line::of(Role::Text, text)]), [expected]);
        }
        assert_eq!(texts_of(vec![Line::of(Role::Rule, "────")]), [""; 0]);
    }

    #[test]
    fn hidden_lines_and_buttons_are_left_out() {
        let mut page = Page::new(AREA);
        put(vec![Line::of(Role::Text, "embaixo")], AREA, &mut page);
        page.items.push(PageItem::Faded(AREA));
        let inside = boxed("Sair?", AREA, &mut page);
        put(
            vec![Line::of(Role::Text, "Tudo será perdido.")],
            inside,
            &mut page,
        );
        let button = inside.row(3);
        put(vec![Line::of(Role::Text, "[ Sair ]")], button, &mut page);
        page.add_click_target(button, Target::Button(1));
        assert_eq!(texts(&page), ["Sair?", "Tudo será perdido."]);
        assert_eq!(button_label(&page).as_deref(), Some("Sair"));
    }

    #[test]
    fn running_times_are_masked() {
        let fee = |seconds| format!("Taxa: - R$ 2,05, consultada há {seconds} s");
        assert_eq!(without_durations(&fee(1)), without_durations(&fee(12)));
        let left = |time: &str| without_durations(&format!("reenviar por mais {time}"));
        assert_eq!(left("9:28"), left("0:05"));
        for (one, other) in [
            ("Taxa: R$ 2,05", "Taxa: R$ 3,05"),
            ("Chave Pix: 11144477735", "Chave Pix: 52998224725"),
            ("14:07, R$ 49,90, Boné", "14:08, R$ 49,90, Boné"),
            ("Criado: 27/11/2026", "Criado: 28/11/2026"),
        ] {
            assert_ne!(without_durations(one), without_durations(other));
        }
        assert_eq!(without_numbers("Lote 12/40"), without_numbers("Lote 9/40"));
    }
}
