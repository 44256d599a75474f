//! Tests that a key press reaches the right part of the app: a text field, the topmost screen, the
//! pane, or nothing.

use super::*;
use crate::app::screen::KeyContext;
use crate::app::ui::Role;

#[test]
fn digit_keys_show_panes() {
    let mut app = App::logged_in();
    for (key, pane) in ["1", "2", "3", "4", "5", "6"].into_iter().zip(Pane::ALL) {
        app.press(key);
        assert_eq!(app.model.pane, pane);
    }
}

#[test]
fn form_letters_are_text_and_control_keys_work() {
    let mut app = App::logged_in();
    app.press("n");
    // In the fields of a form, letters are text and never commands.
    assert_eq!(app.type_text("q?:n"), vec![]);
    app.press("Tab Tab");
    assert_eq!(app.type_text("q1?:"), vec![]);
    app.press("Tab Tab");
    assert_eq!(app.type_text("q1?:ny"), vec![]);
    assert!(matches!(app.top(), Layer::NewLink(_)) && !app.model.leaving);
    assert_eq!(app.press("Ctrl-L"), vec![Effect::Redraw]);
    app.press("Tab Tab");
    app.type_text("Olá, q1?:");
    let Layer::NewLink(new) = app.top() else {
        panic!()
    };
    assert_eq!(new.sent.form.value("description"), "Olá, q1?:");
    app.press("F1");
    assert!(matches!(app.top(), Layer::Help(_)));
    app.press("Esc Ctrl-K");
    assert!(matches!(app.top(), Layer::Palette(_)));
    // If a form contains typed text, quitting asks first.
    assert_eq!(app.press("Esc Ctrl-C"), vec![]);
    assert_eq!(app.press("Ctrl-C"), vec![Effect::Leave]);
}

#[test]
fn typed_form_is_dropped_only_after_confirmation() {
    let mut app = App::logged_in();
    app.press("n Esc");
    assert!(app.model.layers.is_empty());
    app.press("n 1 Esc");
    assert!(matches!(app.top(), Layer::Dialog(ask) if ask.question == Question::DropForm));
    assert_eq!(app.type_text("qy1?"), vec![]);
    app.press("Enter");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    app.press("Esc Esc");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    app.press("Esc Right Enter");
    assert!(app.model.layers.is_empty());
}

#[test]
fn pane_switch_keeps_typed_form_and_open_review() {
    for keys in ["F1", "F1 Ctrl-K Esc"] {
        let mut app = App::logged_in();
        app.press("n 1");
        app.press(keys);
        assert_eq!(app.press("2"), vec![]);
        assert_eq!(app.model.pane, Pane::Links);
        app.press("Esc");
        assert!(matches!(app.top(), Layer::NewLink(_)));
    }
    let mut app = App::logged_in();
    app.open_review("10010");
    app.press("F1 1 Esc");
    app.review();
    // A form without typed text closes without a question.
    let mut app = App::logged_in();
    app.press("n F1 2");
    assert_eq!((app.model.pane, app.model.layers.len()), (Pane::Domains, 0));
}

#[test]
fn click_on_pane_tab_acts_like_its_key() {
    let mut app = App::logged_in();
    let click_account = |app: &mut App| {
        app.click(Target::Tab(Pane::Account));
    };
    app.press("n 1");
    click_account(&mut app);
    assert_eq!((app.model.pane, app.model.layers.len()), (Pane::Links, 1));
    app.press("Backspace Esc Tab Enter");
    click_account(&mut app);
    assert_eq!(app.model.pane, Pane::Account);
}

#[test]
fn pane_switch_wipes_secrets_of_closed_screens() {
    let mut app = App::logged_in();
    app.press("6 L F1");
    let effects = app.press("5");
    assert_eq!(
        effects[0],
        Effect::WipeSecrets(vec!["login/password".into()])
    );
    assert!(
        matches!(effects[1..], [Effect::LoadRequests(_)]),
        "{effects:?}"
    );
}

#[test]
fn repeated_keys_do_not_stack_screens() {
    let mut app = App::logged_in();
    for _ in 0..50 {
        app.press("? F1 Ctrl-K Ctrl-K Ctrl-K F1");
    }
    assert!(app.model.layers.len() <= 2, "{:?}", app.model.layers.len());
    app.press("Esc Esc Esc");
    assert!(app.model.layers.is_empty());
}

#[test]
fn esc_goes_back_but_never_quits() {
    let mut app = App::logged_in();
    assert_eq!(app.press("Esc Esc Esc"), vec![]);
    assert!(!app.model.leaving);
    app.load_links(vec![link("https://loja.example/x")]);
    app.press("Enter Q");
    assert_eq!(app.model.layers.len(), 2);
    app.press("Esc Esc");
    assert!(app.model.layers.is_empty());
}

#[test]
fn q_and_ctrl_c_leave_and_a_signal_does_too() {
    for quit in ["q", "Ctrl-C"] {
        let mut app = App::logged_in();
        assert_eq!(app.press(quit), vec![Effect::Leave]);
        assert!(app.model.leaving);
    }
    let mut app = App::logged_in();
    app.send_withdrawal("10010");
    assert_eq!(app.deliver(Msg::Terminate(true)), vec![Effect::Leave]);
    assert!(app.model.leaving && app.model.hung_up);
}

#[test]
fn q_goes_back_in_layers_and_quits_from_pane() {
    let mut app = App::logged_in();
    app.load_links(vec![link("https://loja.example/x")]);
    app.press("Enter Q");
    assert_eq!(app.press("q q"), vec![]);
    assert!(app.model.layers.is_empty() && !app.model.leaving);
    app.press("F1 q");
    assert!(app.model.layers.is_empty() && !app.model.leaving);
    app.load_unknown_withdrawal(7, 500);
    for keys in ["3 Enter c q q", "Enter Enter q q"] {
        app.press(keys);
        assert!(app.model.layers.is_empty() && !app.model.leaving, "{keys}");
    }
    assert_eq!(app.press("q"), vec![Effect::Leave]);
}

#[test]
fn ctrl_c_asks_if_text_typed_and_quits_if_repeated() {
    use crate::app::cx::Question;
    for typed in ["n 1", "n 1 F1", "3 n 1"] {
        for (keys, quits) in [
            ("Enter", false),
            ("Esc", false),
            ("Tab Enter", true),
            ("Ctrl-C", true),
        ] {
            let mut app = App::logged_in();
            app.press(typed);
            assert_eq!(app.press("Ctrl-C"), vec![], "{typed}");
            let Layer::Dialog(ask) = app.top() else {
                panic!("{:?}", app.top())
            };
            assert_eq!(ask.question, Question::DropAndLeave);
            let effects = app.press(keys);
            assert_eq!(app.model.leaving, quits, "{typed} {keys}");
            assert_eq!(effects.contains(&Effect::Leave), quits);
        }
    }
    let mut app = App::logged_in();
    app.open_review("10010");
    assert_eq!(app.press("Ctrl-C"), vec![], "what is reviewed was typed");
    // If nothing was typed, the app quits at once.
    let mut app = App::logged_in();
    assert_eq!(app.press("n Ctrl-C").last(), Some(&Effect::Leave));
}

#[test]
fn dialog_focuses_the_harmless_button() {
    let mut app = App::logged_in();
    app.press("6 O");
    let Layer::Dialog(ask) = app.top() else {
        panic!()
    };
    assert!((ask.buttons.focus == Focus::Back));
    assert_eq!(app.press("Right Left Tab Shift-Tab Enter"), vec![]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn actions_not_offered_do_nothing() {
    let mut app = App::logged_in();
    assert_eq!(app.press("y Y o Q d f X L O J Enter"), vec![]);
    assert!(app.model.layers.is_empty());
    app.press("5");
    assert_eq!(app.press("n p W Enter"), vec![]);
}

#[test]
fn every_offered_action_has_a_working_key() {
    let mut app = App::logged_in();
    app.load_links(vec![link("https://loja.example/x")]);
    for place in [
        "1", "2", "3", "4", "5", "6", "3 n", "1 n", "4 n", "1 Enter", "1 /", "6 L", "6 O",
    ] {
        let mut here = App::with_model(app.model.clone());
        here.press(place);
        let places = router::key_context(&here.model).scopes().to_vec();
        for action in router::actions(&here.model) {
            let anywhere = [crate::app::ui::action::KeyScope::Anywhere];
            let has_key = here.model.setup.keys.keys(action).iter().any(|key| {
                let found = here.model.setup.keys.action(&places, *key);
                let found = found.or_else(|| here.model.setup.keys.action(&anywhere, *key));
                found == Some(action)
            });
            assert!(has_key, "{place}: {action:?}");
        }
    }
    assert!(app.offers(Action::New));
}

#[test]
fn paste_presses_no_button() {
    for place in ["1", "6 O", "6", "5", "3 n", "F1", "Ctrl-K"] {
        let mut app = App::logged_in();
        app.press(place);
        app.paste("q\r\n\ty1\u{3}\u{1b}");
        assert!(!app.model.leaving, "{place}");
    }
    let mut app = App::logged_in();
    app.press("6 O Tab");
    assert_eq!(app.paste("\r"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(_)));
}

#[test]
fn up_down_leave_choice_and_left_right_change_it() {
    let mut app = App::logged_in();
    app.press("3 n Tab Tab");
    assert_eq!(app.draft().form.value("key_kind"), "", "not known yet");
    app.press("Right");
    assert_eq!(app.draft().form.value("key_kind"), "cpf");
    app.press("Right");
    assert_ne!(app.draft().form.value("key_kind"), "cpf");
    app.press("Left Down");
    assert_eq!(app.draft().form.value("key_kind"), "cpf");
    assert_eq!(app.draft().form.focus, 3);
    app.press("Up Up Up");
    assert_eq!(app.draft().form.focus, 0);
}

#[test]
fn language_key_works_in_forms_and_back() {
    let mut app = App::logged_in();
    app.press("n");
    app.type_text("4990");
    assert_eq!(app.press("F2"), []);
    assert_eq!(
        (app.model.setup.lang, app.model.look.lang),
        (Lang::En, Some(Lang::En))
    );
    app.press("F2");
    assert_eq!(app.model.setup.lang, Lang::Pt);
}

#[test]
fn vi_and_desktop_keys_work_in_lists() {
    let mut app = App::logged_in();
    // A text below the list would scroll instead of the list.
    app.text_layout = Box::new(|_| (VisibleLines::ALL, Overflow::default()));
    app.load_links((0..60).map(|_| link("https://loja.example/x")).collect());
    app.press("PgDn");
    let page = app.model.links.list.cursor;
    assert!(page > 2, "{page}");
    app.press("g Ctrl-D");
    assert_eq!(app.model.links.list.cursor, page / 2);
    app.press("Ctrl-D Ctrl-D Ctrl-U");
    assert_eq!(app.model.links.list.cursor, page / 2 * 2);
    app.press("g Ctrl-U");
    assert_eq!(app.model.links.list.cursor, 0);
    for [vi, arrow] in [["l", "Right"], ["h", "Left"]] {
        app.press("2");
        app.press(vi);
        let pane = app.model.pane;
        app.press("2");
        app.press(arrow);
        assert_eq!(app.model.pane, pane, "{vi}");
        assert_ne!(pane, Pane::Domains, "{vi}");
    }
    app.press("1");
    app.load_links(vec![link("https://loja.example/x")]);
    app.press("Delete");
    assert!(
        matches!(app.top(), Layer::Dialog(ask) if matches!(ask.question, Question::PutAway(_)))
    );
    app.press("Esc");
    let refreshed = app.press("F5");
    assert!(matches!(refreshed[..], [Effect::LoadLinks(_), ..]));
}

/// The terms of a paged dialog scroll by whole pages only, so that no key of a list moves them.
#[test]
fn list_keys_have_no_use_in_dialogs() {
    for (name, mut app) in focus::confirm_screens() {
        for is_paged in [false, true] {
            app.press("Tab");
            app.set_text_lines(if is_paged { 60 } else { 0 });
            app.render_now();
            app.render_frame();
            assert_eq!(
                router::key_context(&app.model) == KeyContext::PagedDialog,
                is_paged,
                "{name}"
            );
            for key in ["h", "l", "Ctrl-D", "Ctrl-U", "F5", "Delete"] {
                let (pane, layers) = (app.model.pane, app.model.layers.len());
                assert_eq!(app.press(key), vec![], "{name}: {key}");
                let after = (app.model.pane, app.model.layers.len(), app.model.scroll);
                assert_eq!(after, (pane, layers, 0), "{name}: {key}");
                assert_eq!(app.model.notice, None, "{name}: {key}");
            }
        }
    }
}

#[test]
fn ctrl_z_suspends_unless_money_is_in_flight() {
    let mut app = App::logged_in();
    let no_shell = Notice::Plain(Role::Text, "said-not-suspended-no-shell");
    assert_eq!(
        (app.press("Ctrl-Z"), app.model.notice.clone()),
        (vec![], Some(no_shell))
    );
    app.model.setup.is_job = true;
    assert_eq!(app.press("Ctrl-Z"), vec![Effect::Suspend]);
    app.press("n Tab");
    assert_eq!(
        app.press("Ctrl-Z"),
        vec![Effect::Suspend],
        "in a text field"
    );
    app.press("Esc");
    let withdrawal = app.send_withdrawal("10010");
    assert_eq!(app.press("Ctrl-Z"), vec![]);
    let in_flight = Notice::warn("said-not-suspended-in-flight");
    assert_eq!(app.model.notice, Some(in_flight));
    app.settle(&withdrawal, TIMED_OUT);
    assert_eq!(app.press("Ctrl-Z"), vec![Effect::Suspend]);
}
