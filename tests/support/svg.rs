//! A terminal's screen as an SVG: text that stands in its columns whatever the font.

use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

/// The width of a cell.
const WIDTH: u16 = 9;

/// The height of a cell.
const HEIGHT: u16 = 20;

/// The distance from the top of a cell to the line that letters stand on.
const BASELINE: u16 = 15;

/// The margin around the screen.
const MARGIN: u16 = 14;

const FONTS: &str = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace";

/// The terminal's own colours, where a theme leaves them as they are.
#[derive(Debug, Clone, Copy)]
pub struct Paper {
    /// The background.
    pub ground: &'static str,
    /// The foreground.
    pub ink: &'static str,
    /// The line around the screen.
    pub edge: &'static str,
}

/// A dark terminal.
pub const DARK: Paper = Paper { ground: "#15171c", ink: "#d8dbe2", edge: "#343841" };

/// A light terminal.
pub const LIGHT: Paper = Paper { ground: "#fdfdfb", ink: "#22252b", edge: "#d3d5da" };

/// The screen as an SVG of this title, an element a line.
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

/// The line that the letters of a row stand on.
pub fn baseline(row: u16) -> u16 {
    row * HEIGHT + BASELINE
}

/// The look of a cell; neighbours of one look are one run.
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

    /// The colours of the letters and of what is behind them; none where it is the paper's.
    fn colours(self, paper: Paper) -> (Option<String>, Option<String>) {
        let (fg, bg) = (named(self.fg), named(self.bg));
        if !self.inverse {
            return (fg, bg);
        }
        (Some(bg.unwrap_or(paper.ground.into())), Some(fg.unwrap_or(paper.ink.into())))
    }
}

/// Returns true when both cells are of one run; the second half of a wide sign has no look.
fn alike(one: &&Cell, next: &&Cell) -> bool {
    next.is_wide_continuation() || LookOf::cell(one) == LookOf::cell(next)
}

/// The elements of a row: what is drawn, and above it what is written.
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
                // A stroke as wide as its cell goes on through its neighbours.
                let width = if width == WIDTH { columns(part) * WIDTH } else { width };
                self.rect((column * WIDTH + left, top), (width, height), fg.as_deref());
            }
            if strokes.is_empty() {
                self.phrases(column, part, look, fg.as_deref());
            }
            column += columns(part);
        }
    }

    /// Writes what stands between wider gaps, each in its column.
    ///
    /// None begins or ends with a space or has two in a row, which SVG would take for one.
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

    /// Draws a rectangle; those of one colour that come one after the other are one element.
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

/// The letters of a cell; the second half of a wide one has none, an empty one is a space.
fn letters(cell: &Cell) -> &str {
    match (cell.is_wide_continuation(), cell.has_contents()) {
        (true, _) => "",
        (false, true) => cell.contents(),
        (false, false) => " ",
    }
}

/// The first sign of a cell.
fn sign(cell: &Cell) -> char {
    letters(cell).chars().next().unwrap_or(' ')
}

/// Returns true when one element holds both cells.
///
/// A sign that a font may lack, and so have from another one of another width, stands alone: what
/// is beside it keeps its column. What is drawn goes on only through the same sign.
fn together(one: &&Cell, next: &&Cell) -> bool {
    let is_plain = |cell: &Cell| letters(cell).chars().all(|c| c < '\u{2100}');
    let is_same_stroke = || sign(one) == sign(next) && !strokes(sign(one)).is_empty();
    next.is_wide_continuation() || is_plain(one) && is_plain(next) || is_same_stroke()
}

/// The rectangles of a sign that must meet its neighbours: left, top, width and height in a cell.
///
/// A sign that has none is written.
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

/// The colour of a cell as SVG has it; none where it is the terminal's own.
fn named(colour: Color) -> Option<String> {
    let [red, green, blue] = match colour {
        Color::Default => return None,
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Idx(index) => indexed(index),
    };
    Some(format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// The colour of this number among xterm's 256.
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

/// The first 16 of them.
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
