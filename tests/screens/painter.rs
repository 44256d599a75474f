//! Tests an optimization: painting only the changed rows must give the same frame as painting all
//! rows.

use std::sync::Arc;

use balcao::app::ui::input::Size;
use balcao::view::{Painter, Theme};
use balcao::words::Lang;
use ratatui::backend::{Backend, TestBackend};

use crate::models::{
    all_models, ascii, find_model, press, render_with_theme, with_change, with_qr_code,
};

#[test]
fn frame_does_not_depend_on_the_previous_frame() {
    let [default, dark] = ["default", "dark"].map(|name| Arc::new(Theme::named(name).unwrap()));
    for (columns, rows) in [(80, 24), (140, 45)] {
        let mut painter = Painter::default();
        let mut terminal = TestBackend::new(columns, rows);
        // Paint all app models in order and then in reverse order. Each is then painted after two
        // different frames.
        let models = all_models(Lang::Pt);
        let reversed = models.iter().rev().cloned();
        for (n, (name, model)) in models.iter().cloned().chain(reversed).enumerate() {
            // Change the theme and the ASCII mode every few frames.
            let theme = if n % 7 < 5 { &default } else { &dark };
            let model = if n % 11 < 8 { model } else { ascii(model) };
            let model = with_qr_code(with_change(model, |model| {
                model.size = Size { columns, rows }
            }));
            let frame = painter.paint(&model, theme, model.size);
            for row in &frame.rows {
                let cells = row.area.positions().map(|at| (at.x, at.y, &row[at]));
                terminal.draw(cells).unwrap();
            }
            let full_frame = render_with_theme(&model, theme, columns, rows);
            assert_eq!(*terminal.buffer(), full_frame, "{name} at {columns}x{rows}");
        }
    }
}

#[test]
fn a_key_in_a_list_has_few_rows_painted() {
    let mut model = find_model(Lang::Pt, "links");
    let theme = Arc::new(Theme::default());
    let mut painter = Painter::default();
    let mut paint_changed_rows = |model: &_| {
        painter
            .paint(
                model,
                &theme,
                Size {
                    columns: 80,
                    rows: 24,
                },
            )
            .rows
    };
    assert_eq!(
        paint_changed_rows(&model).len(),
        24,
        "the first frame is painted whole"
    );
    assert!(paint_changed_rows(&model).is_empty(), "nothing changed");
    press(&mut model, "j");
    let rows = paint_changed_rows(&model);
    // Moving the cursor changes three rows: the row that was selected, the row that is selected
    // now, and the row with the URL below the list. One row more or less is accepted.
    assert!((2..=4).contains(&rows.len()), "{rows:#?}");
}
