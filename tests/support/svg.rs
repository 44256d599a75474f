//! Draws a terminal screen as an SVG picture. Text keeps its columns, whatever font is used.

use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

const CELL_WIDTH: u16 = 9;

const CELL_HEIGHT: u16 = 20;

/// The distance in pixels from the top of a cell to the baseline of its text.
const BASELINE: u16 = 15;

const MARGIN: u16 = 14;

const FONTS: &str = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace";

/// The colours of the drawn terminal.
#[derive(Debug, Clone, Copy)]
pub struct SvgColours {
    pub background: &'static str,
    pub text: &'static str,
    pub border: &'static str,
}

pub const DARK: SvgColours = SvgColours {
    background: "#15171c",
    text: "#d8dbe2",
    border: "#343841",
};

pub const LIGHT: SvgColours = SvgColours {
    background: "#fdfdfb",
    text: "#22252b",
    border: "#d3d5da",
};

/// Returns an SVG picture of the screen, with this title. Each line contains one SVG element.
pub fn render(screen: &Screen, title: &str, paper: SvgColours) -> String {
    let (rows, column_count) = screen.size();
    let width = column_count.get() * CELL_WIDTH + 2 * MARGIN;
    let height = rows.get() * CELL_HEIGHT + 2 * MARGIN;
    let SvgColours {
        background,
        text,
        border,
    } = paper;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title\" \
         font-family=\"{FONTS}\" font-size=\"15\" fill=\"{text}\">\n\
         <title id=\"title\">{}</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{background}\" \
         stroke=\"{border}\"/>\n\
         <g transform=\"translate({MARGIN} {MARGIN})\" shape-rendering=\"crispEdges\">\n",
        escape_xml(title),
        width - 1,
        height - 1,
    );
    for row in 0..rows.get() {
        let cells = (0..column_count.get()).filter_map(|column| screen.cell(row, column));
        let cells: Vec<&Cell> = cells.collect();
        let mut svg_row = SvgRow {
            top: row * CELL_HEIGHT,
            paper,
            shapes: Vec::new(),
            texts: String::new(),
        };
        let mut column = 0;
        for run in cells.chunk_by(has_same_style) {
            svg_row.draw_run(column, run);
            column += columns(run);
        }
        for (fill, d) in svg_row.shapes {
            let fill = fill_attribute(fill.as_deref());
            writeln!(svg, "<path d=\"{d}\"{fill}/>").unwrap();
        }
        svg.push_str(&svg_row.texts);
    }
    if !screen.hide_cursor() {
        let (row, column) = screen.cursor_position();
        let x = column * CELL_WIDTH;
        let y = row * CELL_HEIGHT;
        writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"2\" height=\"{CELL_HEIGHT}\"/>"
        )
        .unwrap();
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Returns the y coordinate of the baseline of the text in this row.
pub fn baseline(row: u16) -> u16 {
    row * CELL_HEIGHT + BASELINE
}

/// The style of a cell. Adjacent cells with the same style are drawn as a unit.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CellStyle {
    fg: Color,
    bg: Color,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
    inverse: bool,
}

impl CellStyle {
    fn of(cell: &&Cell) -> CellStyle {
        CellStyle {
            fg: cell.fgcolor(),
            bg: cell.bgcolor(),
            bold: cell.bold(),
            dim: cell.dim(),
            italic: cell.italic(),
            underline: cell.underline(),
            inverse: cell.inverse(),
        }
    }

    /// Returns the cell's text colour and background colour. `None` means the default colour in
    /// `paper`.
    fn colours(self, paper: SvgColours) -> (Option<String>, Option<String>) {
        let fg = svg_colour(self.fg);
        let bg = svg_colour(self.bg);
        if !self.inverse {
            return (fg, bg);
        }
        (
            Some(bg.unwrap_or(paper.background.into())),
            Some(fg.unwrap_or(paper.text.into())),
        )
    }
}

/// Returns true if two adjacent cells look the same. The second cell of a wide character always
/// looks like the first.
fn has_same_style(cell: &&Cell, next: &&Cell) -> bool {
    next.is_wide_continuation() || CellStyle::of(cell) == CellStyle::of(next)
}

/// The SVG elements of a screen row. Texts are drawn on top of shapes.
struct SvgRow {
    top: u16,
    paper: SvgColours,
    shapes: Vec<(Option<String>, String)>,
    texts: String,
}

impl SvgRow {
    fn draw_run(&mut self, from: u16, run: &[&Cell]) {
        let style = CellStyle::of(&run[0]);
        let (fg, bg) = style.colours(self.paper);
        let x = from * CELL_WIDTH;
        let width = columns(run) * CELL_WIDTH;
        if let Some(bg) = bg {
            self.add_rect((x, 0), (width, CELL_HEIGHT), Some(&bg));
        }
        if style.underline {
            self.add_rect((x, BASELINE + 2), (width, 1), fg.as_deref());
        }
        let mut column = from;
        for part in run.chunk_by(may_share_element) {
            let rects = stroke_rects(first_char(part[0]));
            for &[left, top, width, height] in rects {
                // If a stroke is as wide as its cell, draw one shape that crosses all cells of
                // `part`.
                let width = if width == CELL_WIDTH {
                    columns(part) * CELL_WIDTH
                } else {
                    width
                };
                self.add_rect(
                    (column * CELL_WIDTH + left, top),
                    (width, height),
                    fg.as_deref(),
                );
            }
            if rects.is_empty() {
                self.draw_phrases(column, part, style, fg.as_deref());
            }
            column += columns(part);
        }
    }

    /// Writes each phrase as an SVG element at its own column. A phrase ends at two or more spaces.
    ///
    /// SVG would collapse leading, trailing and repeated spaces, so no element contains them.
    fn draw_phrases(&mut self, from: u16, part: &[&Cell], style: CellStyle, fg: Option<&str>) {
        let is_blank =
            |position: usize| part.get(position).is_none_or(|cell| cell_text(cell) == " ");
        let mut position = 0;
        while position < part.len() {
            let start = position;
            while !is_blank(position) || position > start && !is_blank(position + 1) {
                position += 1;
            }
            if position > start {
                self.add_text(
                    from + columns(&part[..start]),
                    &part[start..position],
                    style,
                    fg,
                );
            }
            position += 1;
        }
    }

    /// Adds a rectangle to the row. Consecutive rectangles of the same colour become a single SVG
    /// element.
    fn add_rect(&mut self, (x, y): (u16, u16), (width, height): (u16, u16), fill: Option<&str>) {
        let y = self.top + y;
        let d = format!("M{x},{y}h{width}v{height}h-{width}z");
        match self.shapes.last_mut() {
            Some((last, path)) if last.as_deref() == fill => path.push_str(&d),
            _ => self.shapes.push((fill.map(str::to_owned), d)),
        }
    }

    fn add_text(&mut self, column: u16, cells: &[&Cell], style: CellStyle, fg: Option<&str>) {
        let text: String = cells.iter().map(|cell| cell_text(cell)).collect();
        let mut attributes = fill_attribute(fg);
        for (is_set, attribute) in [
            (style.bold, " font-weight=\"bold\""),
            (style.italic, " font-style=\"italic\""),
            (style.dim, " opacity=\"0.6\""),
        ] {
            attributes.push_str(if is_set { attribute } else { "" });
        }
        let x = column * CELL_WIDTH;
        let y = self.top + BASELINE;
        let length = columns(cells) * CELL_WIDTH;
        let text = escape_xml(&text);
        writeln!(
            self.texts,
            "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\"{attributes}>{text}</text>"
        )
        .unwrap();
    }
}

fn fill_attribute(fill: Option<&str>) -> String {
    fill.map(|fill| format!(" fill=\"{fill}\""))
        .unwrap_or_default()
}

fn columns(cells: &[&Cell]) -> u16 {
    u16::try_from(cells.len()).unwrap()
}

/// Returns a cell's text. An empty cell gives a space. The second cell of a wide character gives an
/// empty text.
fn cell_text(cell: &Cell) -> &str {
    match (cell.is_wide_continuation(), cell.has_contents()) {
        (true, _) => "",
        (false, true) => cell.contents(),
        (false, false) => " ",
    }
}

fn first_char(cell: &Cell) -> char {
    cell_text(cell).chars().next().unwrap_or(' ')
}

/// Returns true if two adjacent cells may share an SVG element.
///
/// Characters from U+2100 on are drawn separately. The browser may use a fallback font for them,
/// and its different width would shift the text after them. Line-drawing characters share an
/// element only if they are equal.
fn may_share_element(cell: &&Cell, next: &&Cell) -> bool {
    let is_plain = |cell: &Cell| cell_text(cell).chars().all(|c| c < '\u{2100}');
    let is_same_stroke =
        || first_char(cell) == first_char(next) && !stroke_rects(first_char(cell)).is_empty();
    next.is_wide_continuation() || is_plain(cell) && is_plain(next) || is_same_stroke()
}

/// Returns the rectangles that draw a line or block character, each as left, top, width and height
/// in pixels within the cell. If such characters were drawn as text, there could be gaps between
/// them.
///
/// Returns no rectangles for all other characters, because those are drawn as text.
#[rustfmt::skip]
fn stroke_rects(first_char: char) -> &'static [[u16; 4]] {
    match first_char {
        '─' => &[[0, 10, CELL_WIDTH, 1]],
        '━' => &[[0, 9, CELL_WIDTH, 3]],
        '│' => &[[4, 0, 1, CELL_HEIGHT]],
        '┌' => &[[4, 10, 5, 1], [4, 10, 1, 10]],
        '┐' => &[[0, 10, 5, 1], [4, 10, 1, 10]],
        '└' => &[[4, 10, 5, 1], [4, 0, 1, 11]],
        '┘' => &[[0, 10, 5, 1], [4, 0, 1, 11]],
        '█' => &[[0, 0, CELL_WIDTH, CELL_HEIGHT]],
        '▀' => &[[0, 0, CELL_WIDTH, 10]],
        '▄' => &[[0, 10, CELL_WIDTH, 10]],
        '▌' => &[[0, 0, 4, CELL_HEIGHT]],
        '▁' => &[[0, 18, CELL_WIDTH, 2]],
        '▂' => &[[0, 15, CELL_WIDTH, 5]],
        '▃' => &[[0, 13, CELL_WIDTH, 7]],
        '▅' => &[[0, 8, CELL_WIDTH, 12]],
        '▆' => &[[0, 5, CELL_WIDTH, 15]],
        '▇' => &[[0, 3, CELL_WIDTH, 17]],
        _ => &[],
    }
}

/// Returns an SVG colour, or `None` if it is the terminal's default colour.
fn svg_colour(colour: Color) -> Option<String> {
    let [red, green, blue] = match colour {
        Color::Default => return None,
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Idx(index) => palette_colour(index),
    };
    Some(format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// Returns the RGB value of a colour in xterm's palette of 256 colours.
fn palette_colour(index: u8) -> [u8; 3] {
    match index {
        0..16 => SYSTEM_COLOURS[usize::from(index)],
        16..232 => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(level)
        }
        232.. => [8 + 10 * (index - 232); 3],
    }
}

/// The first 16 colours of xterm's palette.
#[rustfmt::skip]
const SYSTEM_COLOURS: [[u8; 3]; 16] = [
    [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0],
    [0, 0, 238], [205, 0, 205], [0, 205, 205], [229, 229, 229],
    [127, 127, 127], [255, 0, 0], [0, 255, 0], [255, 255, 0],
    [92, 92, 255], [255, 0, 255], [0, 255, 255], [255, 255, 255],
];

fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
