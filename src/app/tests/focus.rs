//! Tests that a key presses a confirming button only after a frame has shown the focus on it.

use super::*;

impl App {
    /// Renders a frame now. The app handles the messages that follow as if the user saw this frame.
    pub(super) fn render_now(&mut self) {
        self.fixed_frame = Some(self.snapshot_frame(self.next_frame_number(), self.now.boot_ms));
    }

    /// Records a frame that the app wrote but the terminal has not shown yet.
    fn write_unshown_frame(&mut self) {
        let frame = self.snapshot_frame(self.next_frame_number(), 0);
        self.fixed_frame = Some(Arc::new(FrameSnapshot {
            at_ms: None,
            ..(*frame).clone()
        }));
    }

    /// Records a frame that was rendered at this time, including its click targets.
    fn render_with_targets(&mut self, at_ms: u64) {
        let targets = chrome::page(&self.model, self.model.size).targets;
        let frame = self.snapshot_frame(self.next_frame_number(), at_ms);
        self.fixed_frame = Some(Arc::new(FrameSnapshot {
            targets,
            ..(*frame).clone()
        }));
    }

    /// The index of the click target at this cell of the last frame.
    fn target_at(&self, column: u16, row: u16) -> Option<usize> {
        let targets = &self.fixed_frame.as_ref()?.targets;
        targets
            .iter()
            .position(|(area, _)| area.contains(column, row))
    }

    fn next_frame_number(&self) -> u64 {
        self.fixed_frame
            .as_ref()
            .map_or(1_000_000, |frame| frame.frame + 1)
    }

    /// Clicks on every click target in every row, and on the cells beside them.
    fn click_everywhere(&mut self) -> Vec<Effect> {
        let size = self.model.size;
        let at_ms = self.now.boot_ms - FOCUS_MS;
        self.render_with_targets(at_ms);
        let mut effects = vec![];
        for row in 0..size.rows {
            // Click from right to left, because the leftmost button closes the screen and must come
            // last.
            for column in (0..size.columns).rev() {
                let is_same = column + 1 < size.columns
                    && self.target_at(column, row) == self.target_at(column + 1, row);
                if !is_same {
                    effects.extend(self.deliver(Msg::Input(Input::Click { column, row })));
                    // Render a frame between two clicks, as happens when a user clicks slowly.
                    self.render_with_targets(at_ms);
                }
            }
        }
        effects
    }
}

/// True for an effect that cannot be undone: sending money, or deciding about a withdrawal.
fn is_irreversible(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Money(MoneyCommand::Prepare { .. })
            | Effect::Money(MoneyCommand::Attempt { .. })
            | Effect::Money(MoneyCommand::Decide { .. })
            | Effect::Money(MoneyCommand::Approve { .. })
    )
}

/// True for an effect that only a confirm button may cause.
pub(super) fn needs_confirmation(effect: &Effect) -> bool {
    is_irreversible(effect) || *effect == Effect::LogOut
}

/// An app for each screen that has a confirm button. The screen is open and its button is enabled.
pub(super) fn confirm_screens() -> Vec<(&'static str, App)> {
    let mut review = App::logged_in();
    review.open_review("10010");
    let (mut send, withdrawal) = App::with_outcome(Class::Throttled { retry_after: None });
    send.press("s");
    send.deliver_no_similar_withdrawals(withdrawal.agreement.key);
    let app_after = |keys: &str| {
        let mut app = App::logged_in();
        app.load_unknown_withdrawal(7, 10_010);
        app.press(keys);
        app
    };
    let found_paid = app_after("f");
    let (mut discard, _) = App::with_outcome(Class::Throttled { retry_after: None });
    discard.press("X");
    let mut not_paid = app_after("");
    not_paid.pulse_after_ms(570_001);
    not_paid.press("c N 1 0 0 1 0");
    let mut log_out = App::logged_in();
    log_out.press("6 O");
    let mut apps = vec![
        ("review", review),
        ("send", send),
        ("found", found_paid),
        ("discard", discard),
        ("not paid", not_paid),
        ("log out", log_out),
    ];
    for (_, app) in &mut apps {
        app.advance_ms(QUIET_MS);
        app.fixed_frame = Some(app.current_frame());
    }
    apps
}

#[test]
fn a_burst_of_tab_and_enter_decides_nothing() {
    for (name, mut app) in confirm_screens() {
        app.render_now();
        app.advance_ms(60_000);
        let effects = app.press("Tab Enter");
        assert_eq!(effects, vec![], "{name}");
        assert!(!app.model.layers.is_empty(), "{name}");
    }
}

#[test]
fn paste_never_confirms_and_disables_the_button() {
    for (name, mut app) in confirm_screens() {
        if !["review", "send", "not paid"].contains(&name) {
            continue;
        }
        app.fixed_frame = None;
        app.press("Tab");
        let pasted = if name == "not paid" {
            "10010\r\n"
        } else {
            "\r\n"
        };
        assert_eq!(app.paste(pasted), vec![], "{name}");
        for ms in [0, 499] {
            app.advance_ms(ms);
            assert_eq!(app.press("Enter"), vec![], "{name}");
        }
        app.advance_ms(1);
        assert!(app.press("Enter").iter().any(needs_confirmation), "{name}");
    }
}

/// Input that is too fast to be deliberate, such as held-down keys or a paste, and input of unknown
/// timing.
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
        for (name, mut app) in confirm_screens() {
            app.render_now();
            app.press("Tab");
            app.advance_ms(5_000);
            app.render_now();
            app.advance_ms(5_000);
            app.pace = pace;
            assert_eq!(app.press("Enter Enter"), vec![], "{name}, {pace:?}");
            app.pace = Pace::Deliberate;
            assert_ne!(
                app.press("Enter"),
                vec![],
                "{name}: pressed again it counts"
            );
        }
    }
}

#[test]
fn focus_moved_without_a_pause_stays_off_the_button() {
    for pace in TOO_FAST {
        for (name, mut app) in confirm_screens() {
            app.render_now();
            app.pace = pace;
            // Each of these inputs moves the focus: Tab, Shift-Tab, and Enter in the amount field.
            for keys in ["Tab", "Shift-Tab", "1 Enter", "Tab Tab Tab"] {
                app.press(keys);
                let focus = app.top().screen().focus();
                assert_ne!(focus, Some(Focus::Confirm), "{name}, {pace:?}: {keys}");
            }
        }
    }
}

#[test]
fn enter_in_burst_does_not_press_safe_button() {
    for (name, mut app) in confirm_screens() {
        app.pace = Pace::Together;
        let layers = app.model.layers.len();
        app.press("Enter");
        assert_eq!(app.model.layers.len(), layers, "{name}");
    }
}

#[test]
fn enter_accepted_150_ms_after_frame_showed_focus() {
    for ms in [149, 150, 151] {
        for (name, mut app) in confirm_screens() {
            app.render_now();
            app.press("Tab");
            app.advance_ms(5_000);
            app.render_now();
            app.advance_ms(ms);
            let effects = app.press("Enter");
            assert_eq!(
                !effects.is_empty(),
                ms >= 150,
                "{name} after {ms} ms: {effects:?}"
            );
        }
    }
}

#[test]
fn later_frame_keeps_delay_and_refocus_restarts_it() {
    for (name, mut app) in confirm_screens() {
        app.render_now();
        app.press("Tab");
        app.render_now();
        app.pulse_after_ms(100);
        app.render_now();
        app.pulse_after_ms(50);
        assert!(read_tracker::may_press(&app.model), "{name}");
        app.press("Shift-Tab Tab");
        app.render_now();
        app.advance_ms(149);
        assert_eq!(app.press("Enter"), vec![], "{name}");
    }
}

#[test]
fn deadline_set_to_when_button_accepts_enter() {
    let (_, mut app) = confirm_screens().remove(3);
    app.render_now();
    app.press("Tab");
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(150)));
    app.render_now();
    app.pulse_after_ms(149);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(1)));
}

#[test]
fn click_on_deciding_button_only_moves_focus() {
    for (name, mut app) in confirm_screens() {
        app.render_now();
        app.advance_ms(60_000);
        app.render_now();
        let effects = app.click_everywhere();
        assert!(
            !effects.iter().any(needs_confirmation),
            "{name}: {effects:?}"
        );
    }
}

#[test]
fn click_focuses_button_and_enter_presses_it() {
    let (_, mut app) = confirm_screens().remove(2);
    app.render_now();
    assert_eq!(app.click(Target::Button(1)), vec![]);
    app.render_now();
    app.advance_ms(150);
    assert_eq!(
        app.press("Enter"),
        decide_effects(key(7), Decision::FoundPaid)
    );
}

#[test]
fn no_click_anywhere_on_details_sends_or_decides() {
    for class in [
        TIMED_OUT,
        Class::Throttled { retry_after: None },
        Class::Redirected,
    ] {
        let (mut app, _) = App::with_outcome(class);
        for keys in ["", "c", "Esc 3"] {
            app.press(keys);
            let effects = app.click_everywhere();
            assert!(!effects.iter().any(is_irreversible), "{effects:?}");
        }
    }
}

#[test]
fn long_terms_confirmable_only_after_all_lines_shown() {
    for (name, mut app) in confirm_screens() {
        app.set_text_lines(60);
        app.deliver(Msg::Input(Input::Resize(Size {
            columns: 80,
            rows: 24,
        })));
        app.render_now();
        app.advance_ms(500);
        app.press("End");
        app.render_now();
        app.press("Tab");
        assert!(
            !read_tracker::is_all_read(&app.model),
            "{name}: the middle was not drawn"
        );
        assert!(!app.offers(Action::Press), "{name}");
        app.press("PgUp");
        app.render_now();
        app.press("End");
        app.render_now();
        app.press("Tab");
        app.render_now();
        app.advance_ms(150);
        if name != "not paid" {
            let effects = app.press("Enter");
            assert!(
                effects.iter().any(needs_confirmation),
                "{name}: {effects:?}"
            );
        }
    }
}

#[test]
fn lines_skipped_between_frames_are_not_read() {
    let (_, mut app) = confirm_screens().remove(0);
    app.set_text_lines(60);
    app.deliver(Msg::Input(Input::Resize(Size {
        columns: 80,
        rows: 24,
    })));
    app.advance_ms(500);
    app.render_now();
    // No frame is rendered between these three key presses.
    app.press("PgDn PgDn PgDn");
    app.render_now();
    app.press("Tab");
    app.render_now();
    app.advance_ms(150);
    assert_eq!(app.press("Enter"), vec![]);
}

#[test]
fn changed_terms_must_be_read_again() {
    let (_, mut app) = confirm_screens().remove(0);
    app.set_text_lines(40);
    app.deliver(Msg::Input(Input::Resize(Size {
        columns: 80,
        rows: 24,
    })));
    app.advance_ms(500);
    for keys in ["PgDn", "Home"] {
        app.render_now();
        app.press(keys);
    }
    app.render_now();
    app.press("F1 Esc");
    assert!(
        read_tracker::is_all_read(&app.model),
        "a help page over it changes nothing"
    );
    app.load_unknown_withdrawal(9, 5);
    assert_eq!(app.model.scroll, 0);
    assert!(
        !read_tracker::is_all_read(&app.model),
        "another one is named"
    );
    app.render_now();
    app.press("PgDn");
    app.render_now();
    app.press("Home");
    assert!(read_tracker::is_all_read(&app.model));
    app.deliver(Msg::Input(Input::Resize(Size {
        columns: 79,
        rows: 24,
    })));
    assert!(
        !read_tracker::is_all_read(&app.model),
        "another size breaks lines anew"
    );
}

/// While the user retypes the amount for one reason, another instance of the program adds a second
/// reason. Digits that the user types before a frame shows the second reason are dropped.
#[test]
fn burst_keys_do_not_answer_unrendered_new_reason() {
    let mut app = App::logged_in();
    let now = app.now.clone();
    app.load_unknown_withdrawal(7, 500);
    app.open_review("10010");
    app.render_now();
    app.press("1 0 0");
    assert!(app.review().final_review.retype.is_some());
    app.load_open_withdrawals(vec![
        unknown_withdrawal(7, 500, &now),
        unknown_withdrawal(8, 600, &now),
    ]);
    // No frame has shown the second reason, so these digits are dropped.
    assert_eq!(app.press("1 0 0 1 0"), vec![]);
    let typed = |app: &App| {
        app.review()
            .final_review
            .retype
            .as_ref()
            .unwrap()
            .field
            .money()
    };
    assert_eq!(typed(&app), None);
    assert_eq!(
        app.press("Tab Enter Tab Enter Enter")
            .into_iter()
            .filter(is_irreversible)
            .count(),
        0
    );
}

#[test]
fn keys_after_frame_answer_new_reason() {
    let mut app = App::logged_in();
    let now = app.now.clone();
    app.load_unknown_withdrawal(7, 500);
    app.open_review("10010");
    app.load_open_withdrawals(vec![
        unknown_withdrawal(7, 500, &now),
        unknown_withdrawal(8, 600, &now),
    ]);
    app.render_now();
    app.advance_ms(500);
    app.press("1 0 0 1 0 Tab");
    app.render_now();
    app.advance_ms(QUIET_MS);
    let (_, retyped) = expect_prepare(app.press("Enter"));
    let retyped = retyped.unwrap();
    assert_eq!(retyped.shown_keys, [key(7), key(8)]);
}

/// The user clicks a button in the last frame, but the app has removed that button since.
#[test]
fn click_on_stale_frame_presses_nothing() {
    let (_, mut app) = confirm_screens().remove(5);
    app.render_with_targets(app.now.boot_ms);
    app.advance_ms(5_000);
    let old_frame = app.fixed_frame.clone();
    let &(area, _) = old_frame.as_ref().unwrap().targets.last().unwrap();
    app.press("Esc 1");
    let click = Msg::Input(Input::Click {
        column: area.x,
        row: area.y,
    });
    assert_eq!(app.deliver(click), vec![]);
    assert!(app.model.layers.is_empty());
}

/// Creates an app with an open review. The journal's answer has arrived, but no frame shows it yet.
fn app_with_unshown_answer() -> App {
    let mut app = App::logged_in();
    let agreement = app.open_unanswered_review("10010");
    app.render_now();
    app.deliver_no_similar_withdrawals(agreement.key);
    app
}

/// Over a slow connection, a frame is shown long after the app has written it. Only the time at
/// which it was shown counts.
#[test]
fn terms_and_focus_count_from_when_they_were_shown() {
    let mut app = app_with_unshown_answer();
    app.write_unshown_frame();
    app.pulse_after_ms(5_000);
    assert!(
        read_tracker::read_so_far(&app.model).is_empty(),
        "written and not shown"
    );
    app.render_now();
    app.pulse_after_ms(500);
    app.press("Tab");
    app.write_unshown_frame();
    app.pulse_after_ms(5_000);
    assert_eq!(
        app.press("Enter"),
        vec![],
        "the focus was written and not shown"
    );
    app.render_now();
    app.pulse_after_ms(149);
    assert_eq!(app.press("Enter"), vec![]);
    app.advance_ms(1);
    assert!(matches!(
        &app.press("Enter")[..],
        [Effect::Money(MoneyCommand::Prepare { .. })]
    ));
}

#[test]
fn half_second_runs_from_when_terms_were_shown() {
    let mut app = app_with_unshown_answer();
    app.write_unshown_frame();
    app.pulse_after_ms(5_000);
    app.render_now();
    app.press("Tab");
    app.render_now();
    app.pulse_after_ms(499);
    assert_eq!(app.press("Enter"), vec![]);
    app.advance_ms(1);
    assert!(matches!(
        &app.press("Enter")[..],
        [Effect::Money(MoneyCommand::Prepare { .. })]
    ));
}

/// The journal's reply and the key Tab arrive together, before the next frame.
#[test]
fn tab_is_kept_when_a_message_arrives_with_it() {
    let mut app = app_with_unshown_answer();
    app.press("Tab");
    app.advance_ms(5_000);
    assert_eq!(app.press("Enter"), vec![], "no frame had the answer yet");
    app.render_now();
    app.advance_ms(500);
    assert!(matches!(
        &app.press("Enter")[..],
        [Effect::Money(MoneyCommand::Prepare { .. })]
    ));
}
