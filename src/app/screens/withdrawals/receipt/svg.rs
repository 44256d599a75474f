//! Writes a receipt as an SVG image of a single page, without scripts or links.

use super::ReceiptContent;
use crate::app::ui::text::{columns, wrap};
use crate::words::Lang;

/// The size of an A4 page in points. A long receipt makes the page taller, but not wider.
const WIDTH: usize = 595;
const HEIGHT: usize = 842;

const MARGIN: usize = 48;

const LINE_HEIGHT: usize = 15;

/// The horizontal position of the values, and the number of monospaced characters that fit to the
/// right of it.
const VALUE_X: usize = 204;
const VALUE_COLUMNS: usize = 56;
const LABEL_COLUMNS: usize = 25;
const LABEL_STYLE: &str = "fill=\"#555\"";

/// The number of monospaced characters that fit between the margins.
const PAGE_COLUMNS: usize = 80;

/// The page of the receipt, which is written from top to bottom.
struct Sheet {
    texts: String,
    y: usize,
}

pub fn to_svg(content: &ReceiptContent, lang: Lang) -> String {
    let mut sheet = Sheet {
        texts: String::new(),
        y: MARGIN + LINE_HEIGHT,
    };
    sheet.line(
        MARGIN,
        "font-size=\"16\" font-weight=\"bold\"",
        &content.title,
    );
    sheet.y += LINE_HEIGHT / 2;
    for note in &content.notes {
        sheet.paragraph("font-weight=\"bold\"", note);
    }
    for part in &content.parts {
        sheet.y += LINE_HEIGHT;
        sheet.paragraph("font-weight=\"bold\"", &part.heading);
        for (label, value) in &part.rows {
            sheet.row(label, value);
        }
    }
    sheet.y += LINE_HEIGHT;
    sheet.paragraph("", &content.closing);
    let height = HEIGHT.max(sheet.y + MARGIN);
    // The page is as wide as A4, and the height is scaled by the same ratio.
    let millimetres = height * 210 / WIDTH;
    let lang = lang.tag();
    let title = escape_xml(&content.title);
    let texts = sheet.texts;
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" xml:lang=\"{lang}\" width=\"210mm\" \
         height=\"{millimetres}mm\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"monospace\" \
         font-size=\"10\" fill=\"black\">\n\
         <title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         {texts}</svg>\n"
    )
}

impl Sheet {
    /// Writes text on the current line, without moving to the next line.
    fn put(&mut self, x: usize, style: &str, text: &str) {
        let y = self.y;
        let text = escape_xml(text);
        let style = if style.is_empty() {
            String::new()
        } else {
            format!(" {style}")
        };
        self.texts
            .push_str(&format!("<text x=\"{x}\" y=\"{y}\"{style}>{text}</text>\n"));
    }

    fn line(&mut self, x: usize, style: &str, text: &str) {
        self.put(x, style, text);
        self.y += LINE_HEIGHT;
    }

    fn paragraph(&mut self, style: &str, text: &str) {
        for line in wrap(text, PAGE_COLUMNS) {
            self.line(MARGIN, style, &line);
        }
    }

    /// Writes a label and its value. A value with a long label is written below the label.
    fn row(&mut self, label: &str, value: &str) {
        if columns(label) > LABEL_COLUMNS {
            for line in wrap(label, PAGE_COLUMNS) {
                self.line(MARGIN, LABEL_STYLE, &line);
            }
        } else {
            self.put(MARGIN, LABEL_STYLE, label);
        }
        for line in wrap(value, VALUE_COLUMNS) {
            self.line(VALUE_X, "", &line);
        }
    }
}

fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Replace control characters and noncharacters, which XML does not allow even if
            // escaped.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::ReceiptSection;
    use super::*;

    fn receipt_content(value: &str, rows: usize) -> ReceiptContent {
        let row = (format!("Label {value}"), value.to_owned());
        let part = || ReceiptSection {
            heading: value.into(),
            rows: vec![row.clone(); rows],
        };
        let title = value.to_owned();
        let closing = value.to_owned();
        ReceiptContent {
            title,
            notes: vec![value.into()],
            parts: [part(), part()],
            closing,
        }
    }

    /// The names of all tags in the SVG. Panics if some text is not escaped.
    fn tags(svg: &str) -> Vec<&str> {
        let mut tags = Vec::new();
        for piece in svg.split('<').skip(1) {
            let (tag, text) = piece.split_once('>').expect("a tag that ends");
            assert!(!text.contains('>'), "{text}");
            tags.push(tag.split(' ').next().unwrap());
        }
        tags
    }

    #[test]
    fn service_text_is_escaped_in_svg() {
        let hostile = "</text><script>alert(1)</script><image href='x' onload=\"y\"/>&amp;]]>";
        let svg = to_svg(&receipt_content(hostile, 1), Lang::Pt);
        for tag in tags(&svg) {
            assert!(
                [
                    "?xml", "svg", "title", "/title", "rect", "text", "/text", "/svg"
                ]
                .contains(&tag),
                "{tag}"
            );
        }
        assert!(
            svg.contains("&lt;script&gt;") && svg.contains("&amp;amp;"),
            "{svg}"
        );
        assert_eq!(
            svg.matches("://").count(),
            1,
            "the name of the format, and no address"
        );
    }

    #[test]
    fn page_is_a4_and_grows_with_content() {
        let size = |rows| {
            let svg = to_svg(&receipt_content("x", rows), Lang::En);
            let (_, rest) = svg.split_once("viewBox=\"0 0 595 ").unwrap();
            let height: usize = rest.split_once('"').unwrap().0.parse().unwrap();
            let last_y = svg
                .rsplit_once(" y=\"")
                .unwrap()
                .1
                .split_once('"')
                .unwrap()
                .0;
            assert!(last_y.parse::<usize>().unwrap() + MARGIN <= height);
            (height, svg.contains("height=\"297mm\""))
        };
        assert_eq!(size(8), (842, true));
        assert!(size(60).0 > 842);
    }

    #[test]
    fn lines_stay_within_the_page() {
        let svg = to_svg(&receipt_content(&"uma palavra ou ".repeat(40), 2), Lang::Pt);
        for text in svg.split("<text ").skip(1) {
            let x: usize = text[3..].split_once('"').unwrap().0.parse().unwrap();
            let line = text.split_once('>').unwrap().1.split_once('<').unwrap().0;
            let max_columns = if x == VALUE_X {
                VALUE_COLUMNS
            } else {
                PAGE_COLUMNS
            };
            // The title has a larger font, but it is short in both languages.
            assert!(
                columns(line) <= max_columns || text.contains("font-size"),
                "{line}"
            );
        }
    }

    proptest! {
        #[test]
        fn text_adds_no_tag(text in "[<>&\"'a-z/= \\x00-\\x1f]{0,60}") {
            let svg = to_svg(&receipt_content(&text, 1), Lang::Pt);
            let plain = to_svg(&receipt_content("x", 1), Lang::Pt);
            let tag_names = |svg: &str| {
                let mut tag_names: Vec<String> = tags(svg).into_iter().map(str::to_owned).collect();
                tag_names.sort();
                tag_names.dedup();
                tag_names
            };
            prop_assert_eq!(tag_names(&svg), tag_names(&plain));
            prop_assert!(!svg.chars().any(|c| c.is_control() && c != '\n'));
        }
    }
}
