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

use crate::models::{all_models, find_model, with_qr_code};
use crate::recorder;

const SIZES: [(u16, u16); 3] = [(60, 18), (80, 24), (120, 40)];

#[test]
fn record_every_screen() {
    let is_recording = recorder::recording_directory().is_some();
    for lang in Lang::ALL {
        for (n, (name, model)) in all_models(lang).iter().enumerate() {
            if is_recording {
                let recording = record_model(model, &Theme::NAMES, &SIZES);
                recorder::save_recording(&format!("{name}.{}", lang.tag()), &recording);
            } else if n % 10 == 0 {
                // Record a second time and compare. Recordings are useful only if every run gives
                // the same result.
                let second_recording = record_model(model, &Theme::NAMES[..1], &SIZES);
                assert_eq!(
                    record_model(model, &Theme::NAMES[..1], &SIZES),
                    second_recording,
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn recording_has_cells_styles_cursor_and_clicks() {
    let record_text = |text: &'static str| {
        record_small_frame(move |frame| frame.render_widget(text, frame.area()))
    };
    assert_eq!(record_text("pix"), "|pix |\n|    |\nno cursor\n");
    assert_eq!(
        record_small_frame(|frame| frame.render_widget("pix".bold().red(), frame.area())),
        "|pix |\n  0-2 fg Red bg Reset BOLD\n|    |\nno cursor\n"
    );
    assert_eq!(
        record_small_frame(|frame| frame.set_cursor_position((1, 1))),
        "|    |\n|    |\ncursor 1,1\n"
    );
    let model = find_model(Lang::Pt, "domains-listed");
    let recording = record_model(&model, &Theme::NAMES[..1], &SIZES[1..2]);
    assert!(recording.contains("Tab(Withdrawals)"), "{recording}");
    assert!(recording.contains("0-79 Row(3)"), "{recording}");
}

fn record_small_frame(draw: impl FnOnce(&mut ratatui::Frame)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(4, 2)).unwrap();
    terminal.draw(draw).unwrap();
    recorder::frame(terminal.backend())
}

fn record_model(model: &Model, themes: &[&str], sizes: &[(u16, u16)]) -> String {
    let mut recording = String::new();
    for &(columns, rows) in sizes {
        let mut model = model.clone();
        model.size = Size { columns, rows };
        let mut frame_snapshot = FrameSnapshot::default();
        let appearances = themes
            .iter()
            .flat_map(|name| [(name, ""), (name, " ascii")]);
        for (name, ascii) in appearances {
            model.setup.ascii = !ascii.is_empty();
            let model = with_qr_code(model.clone());
            let theme = Theme::named(name).unwrap();
            let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
            terminal
                .draw(|frame| frame_snapshot = draw(&model, &theme, frame))
                .unwrap();
            writeln!(recording, "=== {columns}x{rows} {name}{ascii}").unwrap();
            recording.push_str(&recorder::frame(terminal.backend()));
        }
        recording.push_str(&record_click_targets(&frame_snapshot));
        writeln!(recording, "next moment {:?}\n", next_deadline(&model)).unwrap();
    }
    recording
}

/// Returns the click targets of a frame, row by row.
fn record_click_targets(frame: &FrameSnapshot) -> String {
    let target_at = |column: &u16, row| {
        let found = frame
            .targets
            .iter()
            .find(|(area, _)| area.contains(*column, row));
        found.map(|(_, target)| *target)
    };
    let mut recording = String::new();
    for row in 0..frame.size.rows {
        let columns: Vec<u16> = (0..frame.size.columns).collect();
        for (columns, target) in recorder::group_runs(&columns, |column| target_at(column, row)) {
            if let Some(target) = target {
                writeln!(recording, "click in row {row}: {columns} {target:?}").unwrap();
            }
        }
    }
    recording
}
