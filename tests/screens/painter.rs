//! Tests an optimization: painting only the changed rows must give the same frame as painting all
//! rows.

use std::sync::Arc;

use balcao::app::ui::input::Size;
use balcao::view::{Painter, Theme};
use balcao::words::Lang;
use ratatui::backend::{Backend, TestBackend};

use crate::models::{all, altered, ascii, named, painted, press, rested};

#[test]
fn frame_does_not_depend_on_the_previous_frame() {
    let [default, dark] = ["default", "dark"].map(|name| Arc::new(Theme::named(name).unwrap()));
    for (columns, rows) in [(80, 24), (140, 45)] {
        let mut painter = Painter::default();
        let mut shown = TestBackend::new(columns, rows);
        // Paint all app models in order and then in reverse order. Each is then painted after two
        // different frames.
        let there = all(Lang::Pt);
        let back = there.iter().rev().cloned();
        for (n, (name, model)) in there.iter().cloned().chain(back).enumerate() {
            // Change the theme and the ASCII mode every few frames.
            let theme = if n % 7 < 5 { &default } else { &dark };
            let model = if n % 11 < 8 { model } else { ascii(model) };
            let model = rested(altered(model, |model| model.size = Size { columns, rows }));
            let next = painter.paint(&model, theme, model.size);
            for row in &next.rows {
                let cells = row.area.positions().map(|at| (at.x, at.y, &row[at]));
                shown.draw(cells).unwrap();
            }
            let whole = painted(&model, theme, columns, rows);
            assert_eq!(*shown.buffer(), whole, "{name} at {columns}x{rows}");
        }
    }
}

#[test]
fn a_key_in_a_list_has_few_rows_painted() {
    let mut model = named(Lang::Pt, "links");
    let theme = Arc::new(Theme::default());
    let mut painter = Painter::default();
    let mut painted = |model: &_| painter.paint(model, &theme, Size { columns: 80, rows: 24 }).rows;
    assert_eq!(painted(&model).len(), 24, "the first frame is painted whole");
    assert!(painted(&model).is_empty(), "nothing changed");
    press(&mut model, "j");
    let rows = painted(&model);
    // Moving the cursor changes three rows: the row that was selected, the row that is selected
    // now, and the row with the URL below the list. One row more or less is accepted.
    assert!((2..=4).contains(&rows.len()), "{rows:#?}");
}
