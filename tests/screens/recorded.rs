//! Records every screen: in both languages, three sizes and all themes, with and without ASCII
//! mode. A recording contains the cells, the cursor, the click targets and the time of the next
//! redraw.
//!
//! To see what changed between two versions of the app, compare their recordings.

use std::fmt::Write as _;

use balcao::app::store::frame_snapshot::FrameSnapshot;
use balcao::app::ui::input::Size;
use balcao::app::{Model, next_deadline};
use balcao::view::{Theme, draw};
use balcao::words::Lang;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Stylize;

use crate::models::{all, named, rested};
use crate::recorder;

const SIZES: [(u16, u16); 3] = [(60, 18), (80, 24), (120, 40)];

#[test]
fn record_every_screen() {
    let wanted = recorder::wanted().is_some();
    for lang in Lang::ALL {
        for (n, (name, model)) in all(lang).iter().enumerate() {
            if wanted {
                let recording = recorded(model, &Theme::NAMES, &SIZES);
                recorder::keep(&format!("{name}.{}", lang.tag()), &recording);
            } else if n % 10 == 0 {
                // Record a second time. Recordings can be compared only if every run gives the same
                // result.
                let again = recorded(model, &Theme::NAMES[..1], &SIZES);
                assert_eq!(recorded(model, &Theme::NAMES[..1], &SIZES), again, "{name}");
            }
        }
    }
}

#[test]
fn recording_has_cells_styles_cursor_and_clicks() {
    let plain = |text: &'static str| shown(move |frame| frame.render_widget(text, frame.area()));
    assert_eq!(plain("pix"), "|pix |\n|    |\nno cursor\n");
    assert_eq!(
        shown(|frame| frame.render_widget("pix".bold().red(), frame.area())),
        "|pix |\n  0-2 fg Red bg Reset BOLD\n|    |\nno cursor\n"
    );
    assert_eq!(shown(|frame| frame.set_cursor_position((1, 1))), "|    |\n|    |\ncursor 1,1\n");
    let model = named(Lang::Pt, "domains-listed");
    let recording = recorded(&model, &Theme::NAMES[..1], &SIZES[1..2]);
    assert!(recording.contains("Tab(Withdrawals)"), "{recording}");
    assert!(recording.contains("0-79 Row(3)"), "{recording}");
}

fn shown(draw: impl FnOnce(&mut ratatui::Frame)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(4, 2)).unwrap();
    terminal.draw(draw).unwrap();
    recorder::frame(terminal.backend())
}

fn recorded(model: &Model, themes: &[&str], sizes: &[(u16, u16)]) -> String {
    let mut said = String::new();
    for &(columns, rows) in sizes {
        let mut model = model.clone();
        model.size = Size { columns, rows };
        let mut seen = FrameSnapshot::default();
        let ways = themes.iter().flat_map(|name| [(name, ""), (name, " ascii")]);
        for (name, ascii) in ways {
            model.setup.ascii = !ascii.is_empty();
            let model = rested(model.clone());
            let theme = Theme::named(name).unwrap();
            let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
            terminal.draw(|frame| seen = draw(&model, &theme, frame)).unwrap();
            writeln!(said, "=== {columns}x{rows} {name}{ascii}").unwrap();
            said.push_str(&recorder::frame(terminal.backend()));
        }
        said.push_str(&clicks(&seen));
        writeln!(said, "next moment {:?}\n", next_deadline(&model)).unwrap();
    }
    said
}

/// Returns the click targets of a frame, row by row.
fn clicks(seen: &FrameSnapshot) -> String {
    let target = |column: &u16, row| {
        let found = seen.targets.iter().find(|(area, _)| area.contains(*column, row));
        found.map(|(_, target)| *target)
    };
    let mut said = String::new();
    for row in 0..seen.size.rows {
        let columns: Vec<u16> = (0..seen.size.columns).collect();
        for (columns, meant) in recorder::runs(&columns, |column| target(column, row)) {
            if let Some(meant) = meant {
                writeln!(said, "click in row {row}: {columns} {meant:?}").unwrap();
            }
        }
    }
    said
}
