//! Tests that a key press reaches the right part of the app: a text field, the topmost screen, the
//! pane, or nothing.

use super::*;

#[test]
fn the_digits_show_the_panes() {
    let mut app = App::open();
    for (key, pane) in ["1", "2", "3", "4", "5", "6"].into_iter().zip(Pane::ALL) {
        app.keys(key);
        assert_eq!(app.model.pane, pane);
    }
}

#[test]
fn form_letters_are_text_and_control_keys_work() {
    let mut app = App::open();
    app.keys("n");
    // In the fields of a form, letters are text and never commands.
    assert_eq!(app.types("q?:n"), vec![]);
    app.keys("Tab Tab");
    assert_eq!(app.types("q1?:"), vec![]);
    app.keys("Tab");
    assert_eq!(app.types("q1?:ny"), vec![]);
    assert!(matches!(app.top(), Layer::NewLink(_)) && !app.model.leaving);
    assert_eq!(app.keys("Ctrl-L"), vec![Effect::Redraw]);
    app.keys("Tab Tab");
    app.types("Olá, q1?:");
    let Layer::NewLink(new) = app.top() else { panic!() };
    assert_eq!(new.sent.form.value("description"), "Olá, q1?:");
    app.keys("F1");
    assert!(matches!(app.top(), Layer::Help(_)));
    app.keys("Esc Ctrl-K");
    assert!(matches!(app.top(), Layer::Palette(_)));
    // If a form contains typed text, quitting asks first.
    assert_eq!(app.keys("Esc Ctrl-C"), vec![]);
    assert_eq!(app.keys("Ctrl-C"), vec![Effect::Leave]);
}

#[test]
fn typed_form_is_dropped_only_after_confirmation() {
    let mut app = App::open();
    app.keys("n Esc");
    assert!(app.model.layers.is_empty());
    app.keys("n 1 Esc");
    assert!(matches!(app.top(), Layer::Dialog(ask) if ask.question == Question::DropForm));
    assert_eq!(app.types("qy1?"), vec![]);
    app.keys("Enter");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    app.keys("Esc Esc");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    app.keys("Esc Right Enter");
    assert!(app.model.layers.is_empty());
}

#[test]
fn pane_switch_keeps_typed_form_and_open_review() {
    for over in ["F1", "F1 Ctrl-K Esc"] {
        let mut app = App::open();
        app.keys("n 1");
        app.keys(over);
        assert_eq!(app.keys("2"), vec![]);
        assert_eq!(app.model.pane, Pane::Links);
        app.keys("Esc");
        assert!(matches!(app.top(), Layer::NewLink(_)));
    }
    let mut app = App::open();
    app.reviews("10010");
    app.keys("F1 1 Esc");
    app.review();
    // A form without typed text closes without a question.
    let mut app = App::open();
    app.keys("n F1 2");
    assert_eq!((app.model.pane, app.model.layers.len()), (Pane::Domains, 0));
}

#[test]
fn a_click_on_a_pane_is_no_other_than_its_key() {
    let mut app = App::open();
    let click = |app: &mut App| {
        app.clicks(Target::Tab(Pane::Account));
    };
    app.keys("n 1");
    click(&mut app);
    assert_eq!((app.model.pane, app.model.layers.len()), (Pane::Links, 1));
    app.keys("Backspace Esc Tab Enter");
    click(&mut app);
    assert_eq!(app.model.pane, Pane::Account);
}

#[test]
fn leaving_a_pane_wipes_and_cancels_what_lay_over_it() {
    let mut app = App::open();
    app.keys("6 L F1");
    let effects = app.keys("5");
    assert_eq!(effects[0], Effect::WipeSecrets(vec!["login/password".into()]));
    assert!(matches!(effects[1..], [Effect::LoadRequests(_)]), "{effects:?}");
}

#[test]
fn no_number_of_keys_makes_a_tower() {
    let mut app = App::open();
    for _ in 0..50 {
        app.keys("? F1 Ctrl-K Ctrl-K Ctrl-K F1");
    }
    assert!(app.model.layers.len() <= 2, "{:?}", app.model.layers.len());
    app.keys("Esc Esc Esc");
    assert!(app.model.layers.is_empty());
}

#[test]
fn esc_walks_back_and_never_out_of_the_program() {
    let mut app = App::open();
    assert_eq!(app.keys("Esc Esc Esc"), vec![]);
    assert!(!app.model.leaving);
    app.has_links(vec![link("https://loja.example/x")]);
    app.keys("Enter Q");
    assert_eq!(app.model.layers.len(), 2);
    app.keys("Esc Esc");
    assert!(app.model.layers.is_empty());
}

#[test]
fn q_and_ctrl_c_leave_and_a_signal_does_too() {
    for quit in ["q", "Ctrl-C"] {
        let mut app = App::open();
        assert_eq!(app.keys(quit), vec![Effect::Leave]);
        assert!(app.model.leaving);
    }
    let mut app = App::open();
    app.sends("10010");
    assert_eq!(app.tell(Msg::Terminate(true)), vec![Effect::Leave]);
    assert!(app.model.leaving && app.model.hung_up);
}

#[test]
fn q_goes_back_in_layers_and_quits_from_pane() {
    let mut app = App::open();
    app.has_links(vec![link("https://loja.example/x")]);
    app.keys("Enter Q");
    assert_eq!(app.keys("q q"), vec![]);
    assert!(app.model.layers.is_empty() && !app.model.leaving);
    app.keys("F1 q");
    assert!(app.model.layers.is_empty() && !app.model.leaving);
    app.has_unknown(7, 500);
    for keys in ["3 Enter c q q", "Enter Enter q q"] {
        app.keys(keys);
        assert!(app.model.layers.is_empty() && !app.model.leaving, "{keys}");
    }
    assert_eq!(app.keys("q"), vec![Effect::Leave]);
}

#[test]
fn ctrl_c_asks_if_text_typed_and_quits_if_repeated() {
    use crate::app::cx::Question;
    for typed in ["n 1", "n 1 F1", "3 n 1"] {
        for (keys, leaves) in
            [("Enter", false), ("Esc", false), ("Tab Enter", true), ("Ctrl-C", true)]
        {
            let mut app = App::open();
            app.keys(typed);
            assert_eq!(app.keys("Ctrl-C"), vec![], "{typed}");
            let Layer::Dialog(ask) = app.top() else { panic!("{:?}", app.top()) };
            assert_eq!(ask.question, Question::DropAndLeave);
            let wanted = app.keys(keys);
            assert_eq!(app.model.leaving, leaves, "{typed} {keys}");
            assert_eq!(wanted.contains(&Effect::Leave), leaves);
        }
    }
    let mut app = App::open();
    app.reviews("10010");
    assert_eq!(app.keys("Ctrl-C"), vec![], "what is reviewed was typed");
    // If nothing was typed, the app quits at once.
    let mut app = App::open();
    assert_eq!(app.keys("n Ctrl-C"), vec![Effect::Leave]);
}

#[test]
fn in_a_question_the_harmless_button_is_pressed_first() {
    let mut app = App::open();
    app.keys("6 O");
    let Layer::Dialog(ask) = app.top() else { panic!() };
    assert!((ask.buttons.focus == Focus::Back));
    assert_eq!(app.keys("Right Left Tab Shift-Tab Enter"), vec![]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn actions_not_offered_do_nothing() {
    let mut app = App::open();
    assert_eq!(app.keys("y Y o Q d f X L O J Enter"), vec![]);
    assert!(app.model.layers.is_empty());
    app.keys("5");
    assert_eq!(app.keys("n p W Enter"), vec![]);
}

#[test]
fn everything_offered_has_a_key_that_is_heard_here() {
    let mut app = App::open();
    app.has_links(vec![link("https://loja.example/x")]);
    for place in ["1", "2", "3", "4", "5", "6", "3 n", "1 n", "4 n", "1 Enter", "1 /", "6 L", "6 O"]
    {
        let mut here = App::at(app.model.clone());
        here.keys(place);
        let places = router::key_context(&here.model).places().to_vec();
        for action in router::actions(&here.model) {
            let anywhere = [crate::app::ui::action::KeyScope::Anywhere];
            let heard = here.model.setup.keys.keys(action).iter().any(|key| {
                let found = here.model.setup.keys.action(&places, *key);
                let found = found.or_else(|| here.model.setup.keys.action(&anywhere, *key));
                found == Some(action)
            });
            assert!(heard, "{place}: {action:?}");
        }
    }
    assert!(app.offers(Action::New));
}

#[test]
fn a_paste_presses_nothing_anywhere() {
    for place in ["1", "6 O", "6", "5", "3 n", "F1", "Ctrl-K"] {
        let mut app = App::open();
        app.keys(place);
        app.pastes("q\r\n\ty1\u{3}\u{1b}");
        assert!(!app.model.leaving, "{place}");
    }
    let mut app = App::open();
    app.keys("6 O Tab");
    assert_eq!(app.pastes("\r"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(_)));
}

#[test]
fn up_down_leave_choice_and_left_right_change_it() {
    let mut app = App::open();
    app.keys("3 n Tab Tab");
    assert_eq!(app.draft().form.value("key_kind"), "", "not known yet");
    app.keys("Right");
    assert_eq!(app.draft().form.value("key_kind"), "cpf");
    app.keys("Right");
    assert_ne!(app.draft().form.value("key_kind"), "cpf");
    app.keys("Left Down");
    assert_eq!(app.draft().form.value("key_kind"), "cpf");
    assert_eq!(app.draft().form.focus, 3);
    app.keys("Up Up Up");
    assert_eq!(app.draft().form.focus, 0);
}

#[test]
fn language_key_works_in_forms_and_back() {
    let mut app = App::open();
    app.keys("n");
    app.types("4990");
    assert_eq!(app.keys("F2"), []);
    assert_eq!((app.model.setup.lang, app.model.look.lang), (Lang::En, Some(Lang::En)));
    app.keys("F2");
    assert_eq!(app.model.setup.lang, Lang::Pt);
}
