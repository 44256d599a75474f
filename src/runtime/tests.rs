//! Tests of the event loop: the terminal's size, and the moment when terms count as seen by the
//! user.

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use futures_util::stream;
use ratatui::backend::TestBackend;
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::*;
use crate::app::store::frame_snapshot::Terms;
use crate::app::ui::VisibleLines;
use crate::app::ui::keys::Keymap;
use crate::app::{Setup, Size};
use crate::contract::Contract;
use crate::journal::money::samples::{WINDOW, clocks};
use crate::trade::{Clocks, KeyTable};

pub(super) struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Clocks {
        clocks(1)
    }
}

#[derive(Default)]
struct IdleHandler(SecretFields);

impl EffectHandler for IdleHandler {
    fn perform(&mut self, _: Effect) {}

    fn secrets(&mut self) -> &mut SecretFields {
        &mut self.0
    }
}

fn setup() -> Setup {
    let keys: KeyTable = toml::from_str(include_str!("../../assets/keys.toml")).unwrap();
    Setup::new(
        Contract::built_in(),
        WINDOW,
        Arc::new(Keymap::from_table(&keys).unwrap()),
    )
}

const BEFORE: Size = Size {
    columns: 80,
    rows: 24,
};

pub(super) fn model() -> Model {
    Model::new(setup(), BEFORE, clocks(1))
}

/// Runs the event loop with one input event, on a terminal of 120x40 that was 80x24.
async fn run_with(event: Event, inbox: mpsc::Receiver<Msg>) -> (Model, ExitReason) {
    let parts = LoopParts {
        front_end: Box::new(Surface::new(TestBackend::new(120, 40), BEFORE)),
        input: stream::iter([Ok(TimedEvent {
            event,
            pace: Pace::Deliberate,
        })]),
        world: IdleHandler::default(),
        workers: Handle::current(),
        startup_messages: vec![],
        inbox,
        clock: Box::new(FixedClock),
        theme: watch::channel(Arc::default()).1,
        frame_record: FrameRecord::default(),
        recorder: Recorder::new(PathBuf::default(), None),
        log: Log::off(),
    };
    let mut model = model();
    let reason = run(&mut model, parts).await.unwrap();
    (model, reason)
}

#[tokio::test]
async fn redraw_and_model_use_the_same_size() {
    // The terminal grew while the process was stopped, so the app received no resize event for it.
    let (_sender, inbox) = mpsc::channel(1);
    let key = KeyEvent::new(KeyCode::Char('l'), KeyModifiers::CONTROL);
    let (model, reason) = run_with(Event::Key(key), inbox).await;
    assert_eq!(reason, ExitReason::TerminalGone);
    assert_eq!((model.size.columns, model.size.rows), (120, 40));
}

#[tokio::test]
async fn waiting_event_is_not_handled_after_leaving() {
    let (sender, inbox) = mpsc::channel(1);
    sender.try_send(Msg::Terminate(false)).unwrap();
    let (model, reason) = run_with(Event::Resize(100, 30), inbox).await;
    assert_eq!(reason, ExitReason::Quit);
    assert_eq!(model.size.columns, 80);
}

#[test]
fn terms_count_as_seen_after_terminal_reply() {
    let mut drawn = FrameRecord::default();
    let terms = Some(Terms::Lines(vec![]));
    let frame = FrameSnapshot {
        terms,
        visible_lines: Some(VisibleLines::ALL),
        ..FrameSnapshot::default()
    };
    assert!(drawn.starts_confirm_delay(&frame));
    drawn.record_frame(frame.clone(), Some(1), 600);
    let written = drawn.snapshot_for_update();
    assert_eq!((drawn.is_unseen(), written.at_ms), (true, None));
    drawn.mark_as_seen(700);
    let seen = drawn.snapshot_for_update();
    assert_eq!((drawn.is_unseen(), seen.at_ms), (false, Some(700)));
    assert_eq!((seen.frame, &seen.terms), (written.frame + 1, &frame.terms));
    assert!(!drawn.starts_confirm_delay(&frame), "the same terms");
    let on_button = FrameSnapshot {
        on_button: true,
        ..frame
    };
    assert!(drawn.starts_confirm_delay(&on_button));
    drawn.record_frame(on_button.clone(), None, 900);
    assert_eq!(
        drawn.snapshot_for_update().at_ms,
        Some(900),
        "a terminal that does not answer"
    );
    assert!(!drawn.starts_confirm_delay(&on_button));
}
