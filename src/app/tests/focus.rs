//! Tests that a key presses a confirming button only after a frame has shown the focus on it.

use super::*;

impl App {
    /// Renders a frame now, to which the messages that follow refer.
    fn sees(&mut self) {
        self.fixed_frame = Some(self.frame(self.next_frame(), self.now.boot_ms));
    }

    /// Writes a frame that the terminal has not shown yet.
    fn written(&mut self) {
        let frame = self.frame(self.next_frame(), 0);
        self.fixed_frame = Some(Arc::new(FrameSnapshot { at_ms: None, ..(*frame).clone() }));
    }

    /// Records a frame that was rendered at this time, including its click targets.
    fn sees_places(&mut self, at_ms: u64) {
        let targets = chrome::page(&self.model, self.model.size).targets;
        let frame = self.frame(self.next_frame(), at_ms);
        self.fixed_frame = Some(Arc::new(FrameSnapshot { targets, ..(*frame).clone() }));
    }

    /// Returns the index of the click target at this cell of the last frame.
    fn place_at(&self, column: u16, row: u16) -> Option<usize> {
        let targets = &self.fixed_frame.as_ref()?.targets;
        targets.iter().position(|(area, _)| area.contains(column, row))
    }

    fn next_frame(&self) -> u64 {
        self.fixed_frame.as_ref().map_or(1_000_000, |eye| eye.frame + 1)
    }

    /// Clicks on every click target in every row, and on the cells beside them.
    fn clicks_everywhere(&mut self) -> Vec<Effect> {
        let (size, at_ms) = (self.model.size, self.now.boot_ms - FOCUS_MS);
        self.sees_places(at_ms);
        let mut wanted = vec![];
        for row in 0..size.rows {
            // Click from right to left, because the leftmost button closes the screen and must come
            // last.
            for column in (0..size.columns).rev() {
                let is_same = column + 1 < size.columns
                    && self.place_at(column, row) == self.place_at(column + 1, row);
                if !is_same {
                    wanted.extend(self.tell(Msg::Input(Input::Click { column, row })));
                    // Render a frame between two clicks, as happens when a user clicks slowly.
                    self.sees_places(at_ms);
                }
            }
        }
        wanted
    }
}

/// Returns true for an effect that cannot be undone: sending money, or deciding about a withdrawal.
fn is_grave(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Money(MoneyCommand::Prepare { .. })
            | Effect::Money(MoneyCommand::Attempt { .. })
            | Effect::Money(MoneyCommand::Decide { .. })
    )
}

/// Returns true for an effect that only a confirm button may cause.
pub(super) fn decides(effect: &Effect) -> bool {
    is_grave(effect) || *effect == Effect::LogOut
}

/// Returns an app for each screen that has a confirm button. The screen is open and its button is
/// enabled.
pub(super) fn buttons() -> Vec<(&'static str, App)> {
    let mut review = App::open();
    review.reviews("10010");
    let (mut send, sent) = App::settled(Class::Throttled { retry_after: None });
    send.keys("s");
    send.is_reviewed(sent.agreement.key);
    let open = |keys: &str| {
        let mut app = App::open();
        app.has_unknown(7, 10_010);
        app.keys(keys);
        app
    };
    let found = open("f");
    let (mut discard, _) = App::settled(Class::Throttled { retry_after: None });
    discard.keys("X");
    let mut not_paid = open("");
    not_paid.rests(570_001);
    not_paid.keys("c N 1 0 0 1 0");
    let mut log_out = App::open();
    log_out.keys("6 O");
    let mut all = vec![
        ("review", review),
        ("send", send),
        ("found", found),
        ("discard", discard),
        ("not paid", not_paid),
        ("log out", log_out),
    ];
    for (_, app) in &mut all {
        app.passes(500);
        app.fixed_frame = Some(app.seen());
    }
    all
}

#[test]
fn a_burst_of_tab_and_enter_decides_nothing() {
    for (name, mut app) in buttons() {
        app.sees();
        app.passes(60_000);
        let wanted = app.keys("Tab Enter");
        assert_eq!(wanted, vec![], "{name}");
        assert!(!app.model.layers.is_empty(), "{name}");
    }
}

#[test]
fn paste_never_confirms_and_disables_the_button() {
    for (name, mut app) in buttons() {
        if !["review", "send", "not paid"].contains(&name) {
            continue;
        }
        app.fixed_frame = None;
        app.keys("Tab");
        let pasted = if name == "not paid" { "10010\r\n" } else { "\r\n" };
        assert_eq!(app.pastes(pasted), vec![], "{name}");
        for ms in [0, 499] {
            app.passes(ms);
            assert_eq!(app.keys("Enter"), vec![], "{name}");
        }
        app.passes(1);
        assert!(app.keys("Enter").iter().any(decides), "{name}");
    }
}

/// Input too fast to be deliberate (held-down keys or a paste), or of unknown timing.
const TOO_FAST: [Pace; 5] = [
    Pace::Close,
    Pace::Together,
    Pace::Text { begins: true },
    Pace::Text { begins: false },
    Pace::Unknown,
];

#[test]
fn enter_without_a_pause_before_it_confirms_nothing() {
    for pace in TOO_FAST {
        for (name, mut app) in buttons() {
            app.sees();
            app.keys("Tab");
            app.passes(5_000);
            app.sees();
            app.passes(5_000);
            app.pace = pace;
            assert_eq!(app.keys("Enter Enter"), vec![], "{name}, {pace:?}");
            app.pace = Pace::Deliberate;
            assert_ne!(app.keys("Enter"), vec![], "{name}: pressed again it counts");
        }
    }
}

#[test]
fn focus_moved_without_a_pause_stays_off_the_button() {
    for pace in TOO_FAST {
        for (name, mut app) in buttons() {
            app.sees();
            app.pace = pace;
            // Each of these inputs moves the focus: Tab, Shift-Tab, and Enter in the amount field.
            for keys in ["Tab", "Shift-Tab", "1 Enter", "Tab Tab Tab"] {
                app.keys(keys);
                let focus = app.top().screen().focus();
                assert_ne!(focus, Some(Focus::Confirm), "{name}, {pace:?}: {keys}");
            }
        }
    }
}

#[test]
fn enter_in_burst_does_not_press_safe_button() {
    for (name, mut app) in buttons() {
        app.pace = Pace::Together;
        let layers = app.model.layers.len();
        app.keys("Enter");
        assert_eq!(app.model.layers.len(), layers, "{name}");
    }
}

#[test]
fn enter_accepted_150_ms_after_frame_showed_focus() {
    for ms in [149, 150, 151] {
        for (name, mut app) in buttons() {
            app.sees();
            app.keys("Tab");
            app.passes(5_000);
            app.sees();
            app.passes(ms);
            let wanted = app.keys("Enter");
            assert_eq!(!wanted.is_empty(), ms >= 150, "{name} after {ms} ms: {wanted:?}");
        }
    }
}

#[test]
fn later_frame_keeps_delay_and_refocus_restarts_it() {
    for (name, mut app) in buttons() {
        app.sees();
        app.keys("Tab");
        app.sees();
        app.rests(100);
        app.sees();
        app.rests(50);
        assert!(read_tracker::may_press(&app.model), "{name}");
        app.keys("Shift-Tab Tab");
        app.sees();
        app.passes(149);
        assert_eq!(app.keys("Enter"), vec![], "{name}");
    }
}

#[test]
fn deadline_set_to_when_button_accepts_enter() {
    let (_, mut app) = buttons().remove(3);
    app.sees();
    app.keys("Tab");
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(150)));
    app.sees();
    app.rests(149);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(1)));
}

#[test]
fn click_on_deciding_button_only_moves_focus() {
    for (name, mut app) in buttons() {
        app.sees();
        app.passes(60_000);
        app.sees();
        let wanted = app.clicks_everywhere();
        assert!(!wanted.iter().any(decides), "{name}: {wanted:?}");
    }
}

#[test]
fn click_focuses_button_and_enter_presses_it() {
    let (_, mut app) = buttons().remove(2);
    app.sees();
    assert_eq!(app.clicks(Target::Button(1)), vec![]);
    app.sees();
    app.passes(150);
    assert_eq!(app.keys("Enter"), decide(key(7), Decision::FoundPaid));
}

#[test]
fn no_click_anywhere_on_details_sends_or_decides() {
    for class in [LOST, Class::Throttled { retry_after: None }, Class::Redirected] {
        let (mut app, _) = App::settled(class);
        for keys in ["", "c", "Esc 3"] {
            app.keys(keys);
            let wanted = app.clicks_everywhere();
            assert!(!wanted.iter().any(is_grave), "{wanted:?}");
        }
    }
}

#[test]
fn long_terms_confirmable_only_after_all_lines_shown() {
    for (name, mut app) in buttons() {
        app.has_lines(60);
        app.tell(Msg::Input(Input::Resize(Size { columns: 80, rows: 24 })));
        app.sees();
        app.passes(500);
        app.keys("End");
        app.sees();
        app.keys("Tab");
        assert!(!read_tracker::is_all_read(&app.model), "{name}: the middle was not drawn");
        assert!(!app.offers(Action::Press), "{name}");
        app.keys("PgUp");
        app.sees();
        app.keys("End");
        app.sees();
        app.keys("Tab");
        app.sees();
        app.passes(150);
        if name != "not paid" {
            let wanted = app.keys("Enter");
            assert!(wanted.iter().any(decides), "{name}: {wanted:?}");
        }
    }
}

#[test]
fn lines_that_only_keys_went_over_were_not_seen() {
    let (_, mut app) = buttons().remove(0);
    app.has_lines(60);
    app.tell(Msg::Input(Input::Resize(Size { columns: 80, rows: 24 })));
    app.passes(500);
    app.sees();
    // No frame is rendered between these three key presses.
    app.keys("PgDn PgDn PgDn");
    app.sees();
    app.keys("Tab");
    app.sees();
    app.passes(150);
    assert_eq!(app.keys("Enter"), vec![]);
}

#[test]
fn other_terms_are_read_anew() {
    let (_, mut app) = buttons().remove(0);
    app.has_lines(40);
    app.tell(Msg::Input(Input::Resize(Size { columns: 80, rows: 24 })));
    app.passes(500);
    for keys in ["PgDn", "Home"] {
        app.sees();
        app.keys(keys);
    }
    app.sees();
    app.keys("F1 Esc");
    assert!(read_tracker::is_all_read(&app.model), "a help page over it changes nothing");
    app.has_unknown(9, 5);
    assert_eq!(app.model.scroll, 0);
    assert!(!read_tracker::is_all_read(&app.model), "another one is named");
    app.sees();
    app.keys("PgDn");
    app.sees();
    app.keys("Home");
    assert!(read_tracker::is_all_read(&app.model));
    app.tell(Msg::Input(Input::Resize(Size { columns: 79, rows: 24 })));
    assert!(!read_tracker::is_all_read(&app.model), "another size breaks lines anew");
}

/// While the user retypes the amount for one reason, another instance of the program adds a second
/// reason. Digits that were typed before a frame showed the second reason do not count for it.
#[test]
fn burst_keys_do_not_answer_unrendered_new_reason() {
    let mut app = App::open();
    let now = app.now.clone();
    app.has_unknown(7, 500);
    app.reviews("10010");
    app.sees();
    app.keys("1 0 0");
    assert!(app.review().look.retype.is_some());
    app.has_open(vec![unknown(7, 500, &now), unknown(8, 600, &now)]);
    // No frame has shown the second reason, so these digits are dropped.
    assert_eq!(app.keys("1 0 0 1 0"), vec![]);
    let typed = |app: &App| app.review().look.retype.as_ref().unwrap().field.money();
    assert_eq!(typed(&app), None);
    assert_eq!(app.keys("Tab Enter Tab Enter Enter").into_iter().filter(is_grave).count(), 0);
}

#[test]
fn after_the_frame_that_shows_it_the_same_keys_count() {
    let mut app = App::open();
    let now = app.now.clone();
    app.has_unknown(7, 500);
    app.reviews("10010");
    app.has_open(vec![unknown(7, 500, &now), unknown(8, 600, &now)]);
    app.sees();
    app.passes(500);
    app.keys("1 0 0 1 0 Tab");
    app.sees();
    app.passes(150);
    let (_, retyped) = agreed(app.keys("Enter"));
    let retyped = retyped.unwrap();
    assert_eq!(retyped.told, [key(7), key(8)]);
}

/// Clicks at the position where the last frame showed a button that has disappeared since.
#[test]
fn click_on_stale_frame_presses_nothing() {
    let (_, mut app) = buttons().remove(5);
    app.sees_places(app.now.boot_ms);
    app.passes(5_000);
    let drawn = app.fixed_frame.clone();
    let &(place, _) = drawn.as_ref().unwrap().targets.last().unwrap();
    app.keys("Esc 1");
    let click = Msg::Input(Input::Click { column: place.x, row: place.y });
    assert_eq!(app.tell(click), vec![]);
    assert!(app.model.layers.is_empty());
}

/// Creates an app with the journal's answer to a review, which no frame has shown yet.
fn reviewed() -> App {
    let mut app = App::open();
    let agreement = app.drafts("10010");
    app.sees();
    app.is_reviewed(agreement.key);
    app
}

/// Over a slow line, a frame is written long before the terminal shows it.
#[test]
fn terms_and_focus_count_from_when_they_were_shown() {
    let mut app = reviewed();
    app.written();
    app.rests(5_000);
    assert!(read_tracker::read_so_far(&app.model).is_empty(), "written and not shown");
    app.sees();
    app.rests(500);
    app.keys("Tab");
    app.written();
    app.rests(5_000);
    assert_eq!(app.keys("Enter"), vec![], "the focus was written and not shown");
    app.sees();
    app.rests(149);
    assert_eq!(app.keys("Enter"), vec![]);
    app.passes(1);
    assert!(matches!(&app.keys("Enter")[..], [Effect::Money(MoneyCommand::Prepare { .. })]));
}

#[test]
fn half_second_runs_from_when_terms_were_shown() {
    let mut app = reviewed();
    app.written();
    app.rests(5_000);
    app.sees();
    app.keys("Tab");
    app.sees();
    app.rests(499);
    assert_eq!(app.keys("Enter"), vec![]);
    app.passes(1);
    assert!(matches!(&app.keys("Enter")[..], [Effect::Money(MoneyCommand::Prepare { .. })]));
}

/// The journal's reply and Tab arrive between the same two frames.
#[test]
fn tab_is_kept_when_a_message_arrives_with_it() {
    let mut app = reviewed();
    app.keys("Tab");
    app.passes(5_000);
    assert_eq!(app.keys("Enter"), vec![], "no frame had the answer yet");
    app.sees();
    app.passes(500);
    assert!(matches!(&app.keys("Enter")[..], [Effect::Money(MoneyCommand::Prepare { .. })]));
}
