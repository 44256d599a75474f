//! Draws a terminal screen as an SVG picture. Text keeps its columns, whatever font is used.

use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

const WIDTH: u16 = 9;

const HEIGHT: u16 = 20;

/// The distance in pixels from the top of a cell to the baseline of its text.
const BASELINE: u16 = 15;

const MARGIN: u16 = 14;

const FONTS: &str = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace";

/// The colours of the drawn terminal.
#[derive(Debug, Clone, Copy)]
pub struct Paper {
    /// The background colour.
    pub ground: &'static str,
    /// The text colour.
    pub ink: &'static str,
    /// The colour of the border around the screen.
    pub edge: &'static str,
}

pub const DARK: Paper = Paper { ground: "#15171c", ink: "#d8dbe2", edge: "#343841" };

pub const LIGHT: Paper = Paper { ground: "#fdfdfb", ink: "#22252b", edge: "#d3d5da" };

/// Returns an SVG picture of the screen, with this title. Each line contains one SVG element.
pub fn drawn(screen: &Screen, title: &str, paper: Paper) -> String {
    let (rows, wide) = screen.size();
    let (width, height) = (wide.get() * WIDTH + 2 * MARGIN, rows.get() * HEIGHT + 2 * MARGIN);
    let Paper { ground, ink, edge } = paper;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title\" \
         font-family=\"{FONTS}\" font-size=\"15\" fill=\"{ink}\">\n\
         <title id=\"title\">{}</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{ground}\" \
         stroke=\"{edge}\"/>\n\
         <g transform=\"translate({MARGIN} {MARGIN})\" shape-rendering=\"crispEdges\">\n",
        escaped(title),
        width - 1,
        height - 1,
    );
    for row in 0..rows.get() {
        let cells = (0..wide.get()).filter_map(|column| screen.cell(row, column));
        let cells: Vec<&Cell> = cells.collect();
        let mut line =
            SvgRow { top: row * HEIGHT, paper, shapes: Vec::new(), texts: String::new() };
        let mut column = 0;
        for run in cells.chunk_by(alike) {
            line.run(column, run);
            column += columns(run);
        }
        for (fill, d) in line.shapes {
            let fill = filled(fill.as_deref());
            writeln!(svg, "<path d=\"{d}\"{fill}/>").unwrap();
        }
        svg.push_str(&line.texts);
    }
    if !screen.hide_cursor() {
        let (row, column) = screen.cursor_position();
        let (x, y) = (column * WIDTH, row * HEIGHT);
        writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"2\" height=\"{HEIGHT}\"/>").unwrap();
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Returns the y coordinate of the baseline of the text in this row.
pub fn baseline(row: u16) -> u16 {
    row * HEIGHT + BASELINE
}

/// The style of a cell. Adjacent cells with the same style are drawn as a unit.
#[derive(Debug, Clone, Copy, PartialEq)]
struct LookOf {
    fg: Color,
    bg: Color,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
    inverse: bool,
}

impl LookOf {
    fn cell(cell: &&Cell) -> LookOf {
        LookOf {
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
    fn colours(self, paper: Paper) -> (Option<String>, Option<String>) {
        let (fg, bg) = (named(self.fg), named(self.bg));
        if !self.inverse {
            return (fg, bg);
        }
        (Some(bg.unwrap_or(paper.ground.into())), Some(fg.unwrap_or(paper.ink.into())))
    }
}

/// Returns true if two adjacent cells look the same. The second cell of a wide character always
/// looks like the first.
fn alike(one: &&Cell, next: &&Cell) -> bool {
    next.is_wide_continuation() || LookOf::cell(one) == LookOf::cell(next)
}

/// The SVG elements of a screen row. Texts are drawn on top of shapes.
struct SvgRow {
    top: u16,
    paper: Paper,
    shapes: Vec<(Option<String>, String)>,
    texts: String,
}

impl SvgRow {
    fn run(&mut self, from: u16, run: &[&Cell]) {
        let look = LookOf::cell(&run[0]);
        let (fg, bg) = look.colours(self.paper);
        let (x, width) = (from * WIDTH, columns(run) * WIDTH);
        if let Some(bg) = bg {
            self.rect((x, 0), (width, HEIGHT), Some(&bg));
        }
        if look.underline {
            self.rect((x, BASELINE + 2), (width, 1), fg.as_deref());
        }
        let mut column = from;
        for part in run.chunk_by(together) {
            let strokes = strokes(sign(part[0]));
            for &[left, top, width, height] in strokes {
                // If a stroke is as wide as its cell, draw one shape that crosses all cells of
                // `part`.
                let width = if width == WIDTH { columns(part) * WIDTH } else { width };
                self.rect((column * WIDTH + left, top), (width, height), fg.as_deref());
            }
            if strokes.is_empty() {
                self.phrases(column, part, look, fg.as_deref());
            }
            column += columns(part);
        }
    }

    /// Writes each phrase as an SVG element at its own column. A phrase ends at two or more spaces.
    ///
    /// SVG would collapse leading, trailing and repeated spaces, so no element contains them.
    fn phrases(&mut self, from: u16, part: &[&Cell], look: LookOf, fg: Option<&str>) {
        let is_blank = |at: usize| part.get(at).is_none_or(|cell| letters(cell) == " ");
        let mut at = 0;
        while at < part.len() {
            let begin = at;
            while !is_blank(at) || at > begin && !is_blank(at + 1) {
                at += 1;
            }
            if at > begin {
                self.text(from + columns(&part[..begin]), &part[begin..at], look, fg);
            }
            at += 1;
        }
    }

    /// Adds a rectangle to the row. Consecutive rectangles of the same colour become a single SVG
    /// element.
    fn rect(&mut self, (x, y): (u16, u16), (width, height): (u16, u16), fill: Option<&str>) {
        let y = self.top + y;
        let d = format!("M{x},{y}h{width}v{height}h-{width}z");
        match self.shapes.last_mut() {
            Some((last, path)) if last.as_deref() == fill => path.push_str(&d),
            _ => self.shapes.push((fill.map(str::to_owned), d)),
        }
    }

    fn text(&mut self, column: u16, part: &[&Cell], look: LookOf, fg: Option<&str>) {
        let text: String = part.iter().map(|cell| letters(cell)).collect();
        let mut style = filled(fg);
        for (has, attribute) in [
            (look.bold, " font-weight=\"bold\""),
            (look.italic, " font-style=\"italic\""),
            (look.dim, " opacity=\"0.6\""),
        ] {
            style.push_str(if has { attribute } else { "" });
        }
        let (x, y) = (column * WIDTH, self.top + BASELINE);
        let (length, text) = (columns(part) * WIDTH, escaped(&text));
        writeln!(
            self.texts,
            "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\"{style}>{text}</text>"
        )
        .unwrap();
    }
}

fn filled(fill: Option<&str>) -> String {
    fill.map(|fill| format!(" fill=\"{fill}\"")).unwrap_or_default()
}

fn columns(cells: &[&Cell]) -> u16 {
    u16::try_from(cells.len()).unwrap()
}

/// Returns a cell's text. An empty cell gives a space. The second cell of a wide character gives an
/// empty text.
fn letters(cell: &Cell) -> &str {
    match (cell.is_wide_continuation(), cell.has_contents()) {
        (true, _) => "",
        (false, true) => cell.contents(),
        (false, false) => " ",
    }
}

fn sign(cell: &Cell) -> char {
    letters(cell).chars().next().unwrap_or(' ')
}

/// Returns true if two adjacent cells may share an SVG element.
///
/// Characters from U+2100 on are drawn separately. The browser may use a fallback font for them,
/// and its different width would shift the text after them. Line-drawing characters share an
/// element only if they are equal.
fn together(one: &&Cell, next: &&Cell) -> bool {
    let is_plain = |cell: &Cell| letters(cell).chars().all(|c| c < '\u{2100}');
    let is_same_stroke = || sign(one) == sign(next) && !strokes(sign(one)).is_empty();
    next.is_wide_continuation() || is_plain(one) && is_plain(next) || is_same_stroke()
}

/// Returns the rectangles that draw a line or block character, each as left, top, width and height
/// in pixels within the cell. If such characters were drawn as text, there could be gaps between
/// them.
///
/// Returns no rectangles for all other characters, because those are drawn as text.
#[rustfmt::skip]
fn strokes(sign: char) -> &'static [[u16; 4]] {
    match sign {
        '─' => &[[0, 10, WIDTH, 1]],
        '━' => &[[0, 9, WIDTH, 3]],
        '│' => &[[4, 0, 1, HEIGHT]],
        '┌' => &[[4, 10, 5, 1], [4, 10, 1, 10]],
        '┐' => &[[0, 10, 5, 1], [4, 10, 1, 10]],
        '└' => &[[4, 10, 5, 1], [4, 0, 1, 11]],
        '┘' => &[[0, 10, 5, 1], [4, 0, 1, 11]],
        '█' => &[[0, 0, WIDTH, HEIGHT]],
        '▀' => &[[0, 0, WIDTH, 10]],
        '▄' => &[[0, 10, WIDTH, 10]],
        '▌' => &[[0, 0, 4, HEIGHT]],
        '▁' => &[[0, 18, WIDTH, 2]],
        '▂' => &[[0, 15, WIDTH, 5]],
        '▃' => &[[0, 13, WIDTH, 7]],
        '▅' => &[[0, 8, WIDTH, 12]],
        '▆' => &[[0, 5, WIDTH, 15]],
        '▇' => &[[0, 3, WIDTH, 17]],
        _ => &[],
    }
}

/// Returns an SVG colour, or `None` if it is the terminal's default colour.
fn named(colour: Color) -> Option<String> {
    let [red, green, blue] = match colour {
        Color::Default => return None,
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Idx(index) => indexed(index),
    };
    Some(format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// Returns the RGB value of a colour in xterm's palette of 256 colours.
fn indexed(index: u8) -> [u8; 3] {
    match index {
        0..16 => SYSTEM[usize::from(index)],
        16..232 => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(level)
        }
        232.. => [8 + 10 * (index - 232); 3],
    }
}

/// The first 16 colours of xterm's palette.
#[rustfmt::skip]
const SYSTEM: [[u8; 3]; 16] = [
    [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0],
    [0, 0, 238], [205, 0, 205], [0, 205, 205], [229, 229, 229],
    [127, 127, 127], [255, 0, 0], [0, 255, 0], [255, 255, 0],
    [92, 92, 255], [255, 0, 255], [0, 255, 255], [255, 255, 255],
];

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
