//! Frames of which only the rows are painted that changed look as if they were painted whole.

use std::cell::RefCell;
use std::io::{self, Write};
use std::num::NonZeroU16;
use std::rc::Rc;
use std::sync::Arc;

use balcao::app::Model;
use balcao::app::ui::input::Size;
use balcao::runtime::Surface;
use balcao::runtime::terse::TerseBackend;
use balcao::view::{Painter, Scrolled, Theme};
use balcao::words::Lang;
use ratatui::backend::{Backend, TestBackend};
use ratatui::buffer::Buffer;

use crate::models::{all, altered, ascii, painted, press, rested};

#[test]
fn a_frame_looks_the_same_whatever_was_there_before_it() {
    let [default, dark] = ["default", "dark"].map(|name| Arc::new(Theme::named(name).unwrap()));
    for (columns, rows) in [(80, 24), (140, 45)] {
        let mut painter = Painter::default();
        let mut shown = TestBackend::new(columns, rows);
        // Each model after another one, and each once more the other way round.
        let there = all(Lang::Pt);
        let back = there.iter().rev().cloned();
        for (n, (name, model)) in there.iter().cloned().chain(back).enumerate() {
            // Another theme and other signs from time to time.
            let theme = if n % 7 < 5 { &default } else { &dark };
            let model = if n % 11 < 8 { model } else { ascii(model) };
            let model = rested(altered(model, |model| model.size = Size { columns, rows }));
            let next = painter.paint(&model, theme, model.size);
            painter.keep(next.frame);
            put(&next.rows, next.scrolled, &mut shown);
            // What was in a row that is painted in once more is not seen.
            painter.reuse(next.rows);
            let whole = painted(&model, theme, columns, rows);
            assert_eq!(*shown.buffer(), whole, "{name} at {columns}x{rows}");
        }
    }
}

/// Has a terminal do what the painter says.
fn put(rows: &[Buffer], scrolled: Option<Scrolled>, shown: &mut TestBackend) {
    match scrolled {
        Some(Scrolled { rows, by, is_up: true }) => shown.scroll_region_up(rows, by).unwrap(),
        Some(Scrolled { rows, by, is_up: false }) => shown.scroll_region_down(rows, by).unwrap(),
        None => {}
    }
    for row in rows {
        let cells = row.area.positions().map(|at| (at.x, at.y, &row[at]));
        shown.draw(cells).unwrap();
    }
}

/// A list of links that is longer than the screen.
fn long_list(size: Size) -> Model {
    let (_, model) = all(Lang::Pt).into_iter().find(|(name, _)| *name == "links").unwrap();
    altered(model, |model| {
        model.size = size;
        let page = &mut model.links.list.page;
        page.rows = page.rows.iter().cycle().take(40).cloned().collect();
        page.total = Some(40);
    })
}

#[test]
fn a_list_that_is_scrolled_is_moved_and_has_few_rows_painted() {
    let size = Size { columns: 80, rows: 18 };
    let mut model = long_list(size);
    let theme = Arc::new(Theme::default());
    let mut painter = Painter::default();
    let mut shown = TestBackend::new(size.columns, size.rows);
    let (mut up, mut down) = (0, 0);
    for (n, key) in ["j"; 30].into_iter().chain(["k"; 30]).enumerate() {
        press(&mut model, key);
        let next = painter.paint(&model, &theme, size);
        painter.keep(next.frame);
        if let Some(scrolled) = &next.scrolled {
            *if scrolled.is_up { &mut up } else { &mut down } += 1;
            assert!(next.rows.len() <= 6, "{n}: {scrolled:?} and then {}", next.rows.len());
        }
        put(&next.rows, next.scrolled, &mut shown);
        painter.reuse(next.rows);
        let whole = painted(&model, &theme, size.columns, size.rows);
        assert_eq!(*shown.buffer(), whole, "key {n}");
    }
    assert!(up > 3 && down > 3, "{up} times up and {down} times down");
}

/// A terminal, as a person sees it.
#[derive(Clone)]
struct SeenTerminal(Rc<RefCell<vt100::Parser>>);

impl SeenTerminal {
    fn new(size: Size) -> SeenTerminal {
        let [rows, columns] = [size.rows, size.columns].map(|n| NonZeroU16::new(n).unwrap());
        SeenTerminal(Rc::new(RefCell::new(vt100::Parser::new(rows, columns, 0))))
    }

    /// Its rows, each cell with its look.
    fn rows(&self) -> Vec<Vec<String>> {
        let terminal = self.0.borrow();
        let (rows, columns) = terminal.screen().size();
        let [rows, columns] = [rows.get(), columns.get()];
        let cell = |y, x| {
            let cell = terminal.screen().cell(y, x).unwrap();
            let weight = [cell.bold(), cell.dim(), cell.underline(), cell.inverse()];
            // One that was never written and a blank look alike.
            let text = Some(cell.contents()).filter(|text| !text.is_empty()).unwrap_or(" ");
            format!("{text} {:?} {:?} {weight:?}", cell.fgcolor(), cell.bgcolor())
        };
        (0..rows).map(|y| (0..columns).map(|x| cell(y, x)).collect()).collect()
    }
}

impl Write for SeenTerminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().process(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_terminal_whose_list_is_scrolled_shows_what_one_shows_that_is_painted_whole() {
    let size = Size { columns: 80, rows: 18 };
    let mut model = long_list(size);
    let theme = Arc::new(Theme::named("dark").unwrap());
    let walked = SeenTerminal::new(size);
    let mut surface = Surface::new(TerseBackend::new(walked.clone()), size);
    let keys = ["j"; 30].into_iter().chain(["k"; 30]).chain(["j", "G", "k", "g", "j"]);
    for (n, key) in keys.enumerate() {
        press(&mut model, key);
        surface.show(&model, &theme).unwrap();
        let whole = SeenTerminal::new(size);
        Surface::new(TerseBackend::new(whole.clone()), size).show(&model, &theme).unwrap();
        assert_eq!(walked.rows(), whole.rows(), "key {n}");
    }
}

#[test]
fn a_key_in_a_list_has_few_rows_painted() {
    let (_, mut model) = all(Lang::Pt).into_iter().find(|(name, _)| *name == "links").unwrap();
    let theme = Arc::new(Theme::default());
    let mut painter = Painter::default();
    let mut painted = |model: &_| {
        let next = painter.paint(model, &theme, Size { columns: 80, rows: 24 });
        painter.keep(next.frame);
        next.rows
    };
    assert_eq!(painted(&model).len(), 24, "the first frame is painted whole");
    assert!(painted(&model).is_empty(), "nothing changed");
    press(&mut model, "j");
    let rows = painted(&model);
    // The two rows, and the address below the list.
    assert!((2..=4).contains(&rows.len()), "{rows:#?}");
}
