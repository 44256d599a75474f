//! Puts what changed on the terminal in few bytes: over a slow line a key is seen sooner.
//!
//! The library's backend says each colour in its longest form, every attribute by itself, where
//! each piece begins, and at the end of a frame all there is to reset, also where nothing was
//! drawn. Here one sequence says what is different from the cell before, in the shorter of two
//! ways, and the cursor's place and whether it is seen are said when they change. Everything that
//! is not part of a frame is left to the library.

use std::io::{self, Write};
use std::ops::Range;

use compact_str::ToCompactString;
use crossterm::style::Colored;
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

/// The library's backend with an encoder of its own for frames.
pub struct TerseBackend<W: Write> {
    backend: CrosstermBackend<W>,
    /// Whether the cursor is seen, where that is known.
    is_shown: Option<bool>,
    /// The cursor's place, where that is known.
    cursor: Option<Position>,
    /// False where the environment asks for no colours (`NO_COLOR`).
    colours: bool,
    /// The bytes of a frame: its room is kept for the next one.
    bytes: Vec<u8>,
}

/// The look that the terminal gives to what is printed next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CellLook {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl CellLook {
    const PLAIN: CellLook =
        CellLook { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() };
}

/// Takes margins away, so that the whole screen scrolls.
pub(super) const WHOLE_SCREEN: &[u8] = b"\x1b[r";

/// Each attribute, the number that turns it on, and the one that turns it off.
const ATTRIBUTES: [(Modifier, u8, u8); 9] = [
    (Modifier::BOLD, 1, 22),
    (Modifier::DIM, 2, 22),
    (Modifier::ITALIC, 3, 23),
    (Modifier::UNDERLINED, 4, 24),
    (Modifier::SLOW_BLINK, 5, 25),
    (Modifier::RAPID_BLINK, 6, 25),
    (Modifier::REVERSED, 7, 27),
    (Modifier::HIDDEN, 8, 28),
    (Modifier::CROSSED_OUT, 9, 29),
];

impl<W: Write> TerseBackend<W> {
    /// A backend that writes to this.
    pub fn new(writer: W) -> TerseBackend<W> {
        let colours = !Colored::ansi_color_disabled_memoized();
        TerseBackend {
            backend: CrosstermBackend::new(writer),
            is_shown: None,
            cursor: None,
            colours,
            bytes: Vec::new(),
        }
    }

    /// Moves rows by having some deleted or inserted at the first of them, inside of the margins of
    /// a scrolling region: every terminal since the VT102 does that.
    fn move_rows(&mut self, rows: Range<u16>, by: u16, letter: u8) -> io::Result<()> {
        self.bytes.clear();
        go(&[rows.start + 1, rows.end], b'r', &mut self.bytes);
        go(&[rows.start + 1], b'H', &mut self.bytes);
        go(&[by], letter, &mut self.bytes);
        self.bytes.extend(WHOLE_SCREEN);
        // Margins send the cursor to the first cell.
        self.cursor = None;
        self.backend.write_all(&self.bytes)
    }

    fn look_of(&self, cell: &Cell) -> CellLook {
        match self.colours {
            true => CellLook { fg: cell.fg, bg: cell.bg, modifier: cell.modifier },
            false => CellLook { modifier: cell.modifier, ..CellLook::PLAIN },
        }
    }
}

impl<W: Write> Backend for TerseBackend<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        let mut look = CellLook::PLAIN;
        let mut last: Option<Position> = None;
        // Until a sign may have more cells than it seems to have, a line ends where it should.
        let mut is_certain = true;
        for (x, y, cell) in content {
            match last {
                Some(last) if last.y == y && last.x + 1 == x => {}
                Some(last) if last.y == y && is_certain => forward(last.x, x, &mut bytes),
                Some(last) if last.y == y => go(&[x + 1], b'G', &mut bytes),
                Some(last) if last.y + 1 == y && x == 0 && is_certain => bytes.extend(b"\r\n"),
                _ if x == 0 => go(&[y + 1], b'H', &mut bytes),
                _ => go(&[y + 1, x + 1], b'H', &mut bytes),
            }
            if last.is_none_or(|last| last.y != y) {
                is_certain = true;
            }
            is_certain &= cell.symbol().chars().all(|c| c <= '\u{ff}');
            last = Some(Position { x, y });
            let next = self.look_of(cell);
            if next != look {
                change(look, next, &mut bytes);
                look = next;
            }
            bytes.extend(cell.symbol().as_bytes());
        }
        if look != CellLook::PLAIN {
            bytes.extend(b"\x1b[m");
        }
        if last.is_some() {
            self.cursor = None;
        }
        let written = self.backend.write_all(&bytes);
        self.bytes = bytes;
        written
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        if self.is_shown.replace(false) == Some(false) {
            return Ok(());
        }
        self.backend.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        if self.is_shown.replace(true) == Some(true) {
            return Ok(());
        }
        self.backend.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.backend.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let position = position.into();
        if self.cursor.replace(position) == Some(position) {
            return Ok(());
        }
        self.backend.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    /// Clears, and knows nothing of the cursor and of margins any more: the screen may have been
    /// somebody else's.
    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        (self.is_shown, self.cursor) = (None, None);
        self.backend.write_all(WHOLE_SCREEN)?;
        self.backend.clear_region(region)
    }

    fn scroll_region_up(&mut self, rows: Range<u16>, by: u16) -> io::Result<()> {
        self.move_rows(rows, by, b'M')
    }

    fn scroll_region_down(&mut self, rows: Range<u16>, by: u16) -> io::Result<()> {
        self.move_rows(rows, by, b'L')
    }

    fn size(&self) -> io::Result<Size> {
        self.backend.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.backend.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.backend)
    }
}

/// Moves from behind one column to another in the same row: by so many, or to it, whichever is
/// shorter.
fn forward(last: u16, x: u16, bytes: &mut Vec<u8>) {
    match x - last - 1 {
        1 => go(&[], b'C', bytes),
        by if by < 10 => go(&[by], b'C', bytes),
        _ => go(&[x + 1], b'G', bytes),
    }
}

/// Has the terminal do what this letter stands for, with these numbers.
///
/// By hand: a pattern is read anew each time, and a frame has many of these.
fn go(numbers: &[u16], letter: u8, bytes: &mut Vec<u8>) {
    bytes.extend(b"\x1b[");
    for (i, number) in numbers.iter().enumerate() {
        if i > 0 {
            bytes.push(b';');
        }
        bytes.extend(number.to_compact_string().as_bytes());
    }
    bytes.push(letter);
}

/// Bytes for the numbers of any look: made once, as a frame has many.
const LOOK: usize = 64;

/// Says what is different, from one look to another: by what changes, or all of it anew, whichever
/// is shorter.
fn change(from: CellLook, to: CellLook, bytes: &mut Vec<u8>) {
    let (mut by_change, mut anew) = (String::with_capacity(LOOK), String::with_capacity(LOOK));
    anew.push('0');
    let gone = from.modifier - to.modifier;
    let mut off = Vec::new();
    let mut came = to.modifier - from.modifier;
    for (attribute, _, number) in ATTRIBUTES {
        if gone.contains(attribute) && !off.contains(&number) {
            off.push(number);
            add(&mut by_change, number);
            // One number turns both of some off.
            let both = ATTRIBUTES.iter().filter(|(_, _, other)| *other == number);
            let stays = both.map(|(one, _, _)| *one).filter(|one| to.modifier.contains(*one));
            came |= stays.fold(Modifier::empty(), |all, one| all | one);
        }
    }
    for (attribute, number, _) in ATTRIBUTES {
        if came.contains(attribute) {
            add(&mut by_change, number);
        }
        if to.modifier.contains(attribute) {
            add(&mut anew, number);
        }
    }
    for (was, is, ground) in [(from.fg, to.fg, 0), (from.bg, to.bg, 10)] {
        if was != is {
            add_colour(&mut by_change, is, ground);
        }
        if is != Color::Reset {
            add_colour(&mut anew, is, ground);
        }
    }
    if anew == "0" {
        // It says the same without its number.
        anew.clear();
    }
    let shorter = if by_change.len() <= anew.len() { by_change } else { anew };
    [b"\x1b[", shorter.as_bytes(), b"m"].into_iter().for_each(|piece| bytes.extend(piece));
}

fn add(numbers: &mut String, number: u8) {
    if !numbers.is_empty() {
        numbers.push(';');
    }
    numbers.push_str(&number.to_compact_string());
}

/// Adds a colour's number: of the ink, or with 10 more of the ground.
fn add_colour(numbers: &mut String, colour: Color, ground: u8) {
    let mut number = |of_ink: u8| add(numbers, of_ink + ground);
    match colour {
        Color::Reset => number(39),
        Color::Black => number(30),
        Color::Red => number(31),
        Color::Green => number(32),
        Color::Yellow => number(33),
        Color::Blue => number(34),
        Color::Magenta => number(35),
        Color::Cyan => number(36),
        Color::Gray => number(37),
        Color::DarkGray => number(90),
        Color::LightRed => number(91),
        Color::LightGreen => number(92),
        Color::LightYellow => number(93),
        Color::LightBlue => number(94),
        Color::LightMagenta => number(95),
        Color::LightCyan => number(96),
        Color::White => number(97),
        Color::Indexed(n) => {
            number(38);
            [5, n].into_iter().for_each(|n| add(numbers, n));
        }
        Color::Rgb(r, g, b) => {
            number(38);
            [2, r, g, b].into_iter().for_each(|n| add(numbers, n));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::num::NonZeroU16;
    use std::rc::Rc;

    use proptest::prelude::*;
    use ratatui::backend::TestBackend;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    /// What was written so far.
    #[derive(Clone, Default)]
    struct WrittenBytes(Rc<RefCell<Vec<u8>>>);

    impl Write for WrittenBytes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl WrittenBytes {
        /// What was written since this was asked last.
        fn taken(&self) -> Vec<u8> {
            self.0.borrow_mut().split_off(0)
        }
    }

    fn terse(colours: bool) -> (TerseBackend<WrittenBytes>, WrittenBytes) {
        let written = WrittenBytes::default();
        (TerseBackend { colours, ..TerseBackend::new(written.clone()) }, written)
    }

    const AREA: Rect = Rect { x: 0, y: 0, width: 12, height: 4 };

    /// Everything that is seen of a terminal: the cells with their looks.
    fn seen(parser: &vt100::Parser) -> Vec<(String, String)> {
        let screen = parser.screen();
        let cells = (0..AREA.height).flat_map(|y| (0..AREA.width).map(move |x| (y, x)));
        let look = |cell: &vt100::Cell| {
            let flags = [cell.bold(), cell.dim(), cell.italic(), cell.underline(), cell.inverse()];
            format!("{:?} {:?} {flags:?}", cell.fgcolor(), cell.bgcolor())
        };
        let cells = cells.map(|(y, x)| screen.cell(y, x).unwrap());
        cells.map(|cell| (cell.contents().to_owned(), look(cell))).collect()
    }

    /// Draws each frame after the one before, with this backend.
    fn draw<B: Backend<Error = io::Error>>(frames: &[Buffer], mut backend: B) {
        let mut before = Buffer::empty(AREA);
        for frame in frames {
            let changed = before.diff(frame);
            backend.draw(changed.into_iter()).unwrap();
            before = frame.clone();
        }
    }

    fn colours() -> impl Strategy<Value = Color> {
        prop_oneof![
            Just(Color::Reset),
            Just(Color::Cyan),
            Just(Color::Gray),
            any::<u8>().prop_map(Color::Indexed),
            any::<(u8, u8, u8)>().prop_map(|(r, g, b)| Color::Rgb(r, g, b)),
        ]
    }

    fn styles() -> impl Strategy<Value = Style> {
        (colours(), colours(), any::<u16>()).prop_map(|(fg, bg, bits)| {
            let shown = Modifier::BOLD
                | Modifier::DIM
                | Modifier::ITALIC
                | Modifier::UNDERLINED
                | Modifier::REVERSED;
            let modifier = Modifier::from_bits_truncate(bits) & shown;
            Style::new().fg(fg).bg(bg).add_modifier(modifier)
        })
    }

    fn frames() -> impl Strategy<Value = Vec<Buffer>> {
        let piece = (0..AREA.width, 0..AREA.height, "[ -~ç─▌✓日]{0,8}", styles());
        let frame = prop::collection::vec(piece, 0..8).prop_map(|pieces| {
            let mut frame = Buffer::empty(AREA);
            for (x, y, text, style) in pieces {
                frame.set_string(x, y, text, style);
            }
            // The emulator has one weight: of both it keeps the one that was said last.
            let both = Modifier::BOLD | Modifier::DIM;
            for cell in frame.content.iter_mut().filter(|cell| cell.modifier.contains(both)) {
                cell.modifier -= Modifier::DIM;
            }
            frame
        });
        prop::collection::vec(frame, 1..4)
    }

    /// Rows below each other, two or more: terminals take no region of one.
    fn regions() -> impl Strategy<Value = Range<u16>> {
        let ends = |from| (Just(from), from + 2..=AREA.height);
        (0..AREA.height - 1).prop_flat_map(ends).prop_map(|(from, to)| from..to)
    }

    proptest! {
        #[test]
        fn a_terminal_shows_the_same_as_with_the_library(frames in frames()) {
            let (backend, ours) = terse(true);
            draw(&frames, backend);
            let theirs = WrittenBytes::default();
            draw(&frames, CrosstermBackend::new(theirs.clone()));
            let [ours, theirs] = [ours, theirs].map(|written| written.taken());
            let [rows, columns] = [AREA.height, AREA.width].map(|n| NonZeroU16::new(n).unwrap());
            let [mut here, mut there] = [(); 2].map(|()| vt100::Parser::new(rows, columns, 0));
            here.process(&ours);
            there.process(&theirs);
            prop_assert_eq!(seen(&here), seen(&there), "{:?}", String::from_utf8_lossy(&ours));
            prop_assert!(ours.len() <= theirs.len());
        }

        #[test]
        fn rows_move_as_the_library_moves_them(
            frame in frames(),
            rows in regions(),
            by in 1_u16..4,
            is_up: bool,
        ) {
            let mut library = TestBackend::new(AREA.width, AREA.height);
            let cells = frame[0].area.positions().map(|at| (at.x, at.y, &frame[0][at]));
            library.draw(cells).unwrap();
            let (mut backend, ours) = terse(true);
            let mut before = Buffer::empty(AREA);
            backend.draw(before.diff(&frame[0]).into_iter()).unwrap();
            // The emulator does not fill a row that comes with the ground of now; others do.
            let [height, width] = [AREA.height, AREA.width].map(|n| NonZeroU16::new(n).unwrap());
            let mut here = vt100::Parser::new(height, width, 0);
            here.process(&ours.taken());
            prop_assert_eq!(here.screen().bgcolor(), vt100::Color::Default);
            prop_assert!(!here.screen().inverse());
            match is_up {
                true => {
                    backend.scroll_region_up(rows.clone(), by).unwrap();
                    library.scroll_region_up(rows, by).unwrap();
                }
                false => {
                    backend.scroll_region_down(rows.clone(), by).unwrap();
                    library.scroll_region_down(rows, by).unwrap();
                }
            }
            // And the next frame begins where it should.
            before = library.buffer().clone();
            let mut last = before.clone();
            last.set_string(3, 2, "x", Style::new());
            backend.draw(before.diff(&last).into_iter()).unwrap();
            let (whole, expected) = terse(true);
            // Frame by frame here too: of a wide sign that is written over the emulator keeps the
            // look of the other half.
            draw(&[before, last], whole);
            let mut there = vt100::Parser::new(height, width, 0);
            here.process(&ours.taken());
            there.process(&expected.taken());
            // Half of a wide sign that is written over is empty or a blank.
            let trimmed = |parser| {
                let cells = seen(parser).into_iter();
                cells.map(|(text, look)| (text.trim_end().to_owned(), look)).collect::<Vec<_>>()
            };
            prop_assert_eq!(trimmed(&here), trimmed(&there));
        }
    }

    #[test]
    fn nothing_is_said_twice() {
        let (mut backend, written) = terse(true);
        let place = Position { x: 3, y: 1 };
        let frame = |backend: &mut TerseBackend<WrittenBytes>, text: &str| {
            let mut cell = Cell::default();
            cell.set_symbol(text).set_style(Style::new().fg(Color::Cyan).bold());
            backend.draw((!text.is_empty()).then_some((2, 1, &cell)).into_iter()).unwrap();
            backend.show_cursor().unwrap();
            backend.set_cursor_position(place).unwrap();
            String::from_utf8(written.taken()).unwrap()
        };
        let first = "\x1b[2;3H\x1b[1;36ma\x1b[m\x1b[?25h\x1b[2;4H";
        assert_eq!(frame(&mut backend, "a"), first);
        assert_eq!(frame(&mut backend, ""), "", "nothing changed");
        assert_eq!(frame(&mut backend, "b"), "\x1b[2;3H\x1b[1;36mb\x1b[m\x1b[2;4H");
        // Rows that move take the cursor with them.
        backend.scroll_region_up(0..2, 1).unwrap();
        assert!(frame(&mut backend, "").ends_with("\x1b[r\x1b[2;4H"));
        // Somebody else may have had the screen.
        backend.clear().unwrap();
        assert!(frame(&mut backend, "").ends_with("\x1b[?25h\x1b[2;4H"));
        backend.hide_cursor().unwrap();
        assert_eq!(written.taken(), b"\x1b[?25l");
        backend.hide_cursor().unwrap();
        assert!(written.taken().is_empty());
    }

    #[test]
    fn without_colours_the_attributes_stay() {
        let (mut backend, written) = terse(false);
        let mut cell = Cell::default();
        cell.set_symbol("a").set_style(Style::new().fg(Color::Red).bg(Color::Rgb(1, 2, 3)).bold());
        backend.draw([(0, 0, &cell)].into_iter()).unwrap();
        assert_eq!(written.taken(), b"\x1b[1H\x1b[1ma\x1b[m");
    }
}
