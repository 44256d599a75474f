//! Tests of where a key press is handled: in a text field, on the topmost layer, on the pane, or
//! not at all.

use super::*;

#[test]
fn the_digits_show_the_panes() {
    let mut counter = Counter::open();
    for (key, pane) in ["1", "2", "3", "4", "5", "6"].into_iter().zip(Pane::ALL) {
        counter.keys(key);
        assert_eq!(counter.model.pane, pane);
    }
}

#[test]
fn form_letters_are_text_and_control_keys_work() {
    let mut counter = Counter::open();
    counter.keys("n");
    // In the fields of a form, letters are text and never commands.
    assert_eq!(counter.types("q?:n"), vec![]);
    counter.keys("Tab Tab");
    assert_eq!(counter.types("q1?:"), vec![]);
    counter.keys("Tab");
    assert_eq!(counter.types("q1?:ny"), vec![]);
    assert!(matches!(counter.top(), Layer::NewLink(_)) && !counter.model.leaving);
    assert_eq!(counter.keys("Ctrl-L"), vec![Effect::Redraw]);
    counter.keys("Tab Tab");
    counter.types("Olá, q1?:");
    let Layer::NewLink(new) = counter.top() else { panic!() };
    assert_eq!(new.sent.form.value("description"), "Olá, q1?:");
    counter.keys("F1");
    assert!(matches!(counter.top(), Layer::Help(_)));
    counter.keys("Esc Ctrl-K");
    assert!(matches!(counter.top(), Layer::Palette(_)));
    // Quitting while a form contains typed text asks first.
    assert_eq!(counter.keys("Esc Ctrl-C"), vec![]);
    assert_eq!(counter.keys("Ctrl-C"), vec![Effect::Leave]);
}

#[test]
fn typed_form_is_dropped_only_after_confirmation() {
    let mut counter = Counter::open();
    counter.keys("n Esc");
    assert!(counter.model.layers.is_empty());
    counter.keys("n 1 Esc");
    assert!(matches!(counter.top(), Layer::Dialog(ask) if ask.question == Question::DropForm));
    assert_eq!(counter.types("qy1?"), vec![]);
    counter.keys("Enter");
    assert!(matches!(counter.top(), Layer::NewLink(_)));
    counter.keys("Esc Esc");
    assert!(matches!(counter.top(), Layer::NewLink(_)));
    counter.keys("Esc Right Enter");
    assert!(counter.model.layers.is_empty());
}

#[test]
fn pane_switch_keeps_typed_form_and_open_review() {
    for over in ["F1", "F1 Ctrl-K Esc"] {
        let mut counter = Counter::open();
        counter.keys("n 1");
        counter.keys(over);
        assert_eq!(counter.keys("2"), vec![]);
        assert_eq!(counter.model.pane, Pane::Links);
        counter.keys("Esc");
        assert!(matches!(counter.top(), Layer::NewLink(_)));
    }
    let mut counter = Counter::open();
    counter.reviews("10010");
    counter.keys("F1 1 Esc");
    counter.review();
    // A form without typed text is closed.
    let mut counter = Counter::open();
    counter.keys("n F1 2");
    assert_eq!((counter.model.pane, counter.model.layers.len()), (Pane::Domains, 0));
}

#[test]
fn a_click_on_a_pane_is_no_other_than_its_key() {
    let mut counter = Counter::open();
    let click = |counter: &mut Counter| {
        counter.clicks(Target::Tab(Pane::Account));
    };
    counter.keys("n 1");
    click(&mut counter);
    assert_eq!((counter.model.pane, counter.model.layers.len()), (Pane::Links, 1));
    counter.keys("Backspace Esc Tab Enter");
    click(&mut counter);
    assert_eq!(counter.model.pane, Pane::Account);
}

#[test]
fn leaving_a_pane_wipes_and_cancels_what_lay_over_it() {
    let mut counter = Counter::open();
    counter.keys("6 L F1");
    assert_eq!(counter.keys("5"), vec![Effect::WipeSecrets(vec!["login/password".into()])]);
}

#[test]
fn no_number_of_keys_makes_a_tower() {
    let mut counter = Counter::open();
    for _ in 0..50 {
        counter.keys("? F1 Ctrl-K Ctrl-K Ctrl-K F1");
    }
    assert!(counter.model.layers.len() <= 2, "{:?}", counter.model.layers.len());
    counter.keys("Esc Esc Esc");
    assert!(counter.model.layers.is_empty());
}

#[test]
fn esc_walks_back_and_never_out_of_the_program() {
    let mut counter = Counter::open();
    assert_eq!(counter.keys("Esc Esc Esc"), vec![]);
    assert!(!counter.model.leaving);
    counter.has_links(vec![link("https://loja.example/x")]);
    counter.keys("Enter Q");
    assert_eq!(counter.model.layers.len(), 2);
    counter.keys("Esc Esc");
    assert!(counter.model.layers.is_empty());
}

#[test]
fn q_and_ctrl_c_leave_and_a_signal_does_too() {
    for quit in ["q", "Ctrl-C"] {
        let mut counter = Counter::open();
        assert_eq!(counter.keys(quit), vec![Effect::Leave]);
        assert!(counter.model.leaving);
    }
    let mut counter = Counter::open();
    counter.sends("10010");
    assert_eq!(counter.tell(Msg::Terminate(true)), vec![Effect::Leave]);
    assert!(counter.model.leaving && counter.model.hung_up);
}

#[test]
fn q_goes_back_in_layers_and_quits_from_pane() {
    let mut counter = Counter::open();
    counter.has_links(vec![link("https://loja.example/x")]);
    counter.keys("Enter Q");
    assert_eq!(counter.keys("q q"), vec![]);
    assert!(counter.model.layers.is_empty() && !counter.model.leaving);
    counter.keys("F1 q");
    assert!(counter.model.layers.is_empty() && !counter.model.leaving);
    counter.has_unknown(7, 500);
    for keys in ["3 Enter c q q", "Enter Enter q q"] {
        counter.keys(keys);
        assert!(counter.model.layers.is_empty() && !counter.model.leaving, "{keys}");
    }
    assert_eq!(counter.keys("q"), vec![Effect::Leave]);
}

#[test]
fn ctrl_c_asks_if_text_typed_and_quits_if_repeated() {
    use crate::app::cx::Question;
    for typed in ["n 1", "n 1 F1", "3 n 1"] {
        for (keys, leaves) in
            [("Enter", false), ("Esc", false), ("Tab Enter", true), ("Ctrl-C", true)]
        {
            let mut counter = Counter::open();
            counter.keys(typed);
            assert_eq!(counter.keys("Ctrl-C"), vec![], "{typed}");
            let Layer::Dialog(ask) = counter.top() else { panic!("{:?}", counter.top()) };
            assert_eq!(ask.question, Question::DropAndLeave);
            let wanted = counter.keys(keys);
            assert_eq!(counter.model.leaving, leaves, "{typed} {keys}");
            assert_eq!(wanted.contains(&Effect::Leave), leaves);
        }
    }
    let mut counter = Counter::open();
    counter.reviews("10010");
    assert_eq!(counter.keys("Ctrl-C"), vec![], "what is reviewed was typed");
    // If nothing was typed, the app quits at once.
    let mut counter = Counter::open();
    assert_eq!(counter.keys("n Ctrl-C"), vec![Effect::Leave]);
}

#[test]
fn in_a_question_the_harmless_button_is_pressed_first() {
    let mut counter = Counter::open();
    counter.keys("6 O");
    let Layer::Dialog(ask) = counter.top() else { panic!() };
    assert!((ask.buttons.focus == Focus::Back));
    assert_eq!(counter.keys("Right Left Tab Shift-Tab Enter"), vec![]);
    assert!(counter.model.layers.is_empty());
}

#[test]
fn actions_not_offered_do_nothing() {
    let mut counter = Counter::open();
    assert_eq!(counter.keys("y Y o Q d f X L O J Enter"), vec![]);
    assert!(counter.model.layers.is_empty());
    counter.keys("5");
    assert_eq!(counter.keys("n r / Enter"), vec![]);
}

#[test]
fn everything_offered_has_a_key_that_is_heard_here() {
    let mut counter = Counter::open();
    counter.has_links(vec![link("https://loja.example/x")]);
    for place in ["1", "2", "3", "4", "5", "6", "3 n", "1 n", "4 n", "1 Enter", "1 /", "6 L", "6 O"]
    {
        let mut here = Counter::at(counter.model.clone());
        here.keys(place);
        let places = router::key_context(&here.model).places().to_vec();
        for action in router::actions(&here.model) {
            let anywhere = [crate::app::ui::action::Place::Anywhere];
            let heard = here.model.setup.keys.keys(action).iter().any(|key| {
                let found = here.model.setup.keys.action(&places, *key);
                let found = found.or_else(|| here.model.setup.keys.action(&anywhere, *key));
                found == Some(action)
            });
            assert!(heard, "{place}: {action:?}");
        }
    }
    assert!(counter.offers(Action::New));
}

#[test]
fn a_paste_presses_nothing_anywhere() {
    for place in ["1", "6 O", "6", "5", "3 n", "F1", "Ctrl-K"] {
        let mut counter = Counter::open();
        counter.keys(place);
        counter.pastes("q\r\n\ty1\u{3}\u{1b}");
        assert!(!counter.model.leaving, "{place}");
    }
    let mut counter = Counter::open();
    counter.keys("6 O Tab");
    assert_eq!(counter.pastes("\r"), vec![]);
    assert!(matches!(counter.top(), Layer::Dialog(_)));
}

#[test]
fn up_down_leave_choice_and_left_right_change_it() {
    let mut counter = Counter::open();
    counter.keys("3 n Tab");
    assert_eq!(counter.draft().form.value("key_kind"), "cpf");
    counter.keys("Right");
    assert_ne!(counter.draft().form.value("key_kind"), "cpf");
    counter.keys("Left Down");
    assert_eq!(counter.draft().form.value("key_kind"), "cpf");
    assert_eq!(counter.draft().form.focus, 2);
    counter.keys("Up Up");
    assert_eq!(counter.draft().form.focus, 0);
}
