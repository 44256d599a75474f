//! Tests of the hints and errors beside a field while the user is typing, in both languages.

use balcao::app::ui::input::{Code, Input, Key, Size};
use balcao::app::{Model, Msg, Pane};
use balcao::words::{Catalogue, Lang};

use crate::models::{buffer, find_model, pane_model, send_message, text};
use crate::models_money::payments::type_group;

fn send_input(model: &mut Model, input: Input) {
    send_message(model, Msg::Input(input));
}

fn press(model: &mut Model, keys: &str) {
    for key in keys.split_whitespace() {
        send_input(model, Input::Key(key.parse().unwrap()));
    }
}

fn type_text(model: &mut Model, letters: &str) {
    letters
        .chars()
        .for_each(|c| send_input(model, Input::Key(Key::plain(Code::Char(c)))));
}

/// Returns the withdrawal form with an e-mail address in the Pix key field. Another kind of Pix key
/// is selected, so the address does not fit.
fn form_with_other_key_kind(lang: Lang) -> Model {
    let mut model = pane_model(lang, Pane::Withdrawals);
    press(&mut model, "n");
    type_text(&mut model, "10000");
    // Select the kind of Pix key by hand, and then go back to the Pix key field.
    press(&mut model, "Tab Tab Right Shift-Tab");
    type_text(&mut model, "ana@loja.example");
    model
}

/// Types a description that is too long, and then an amount that is too large.
fn type_too_much(model: &mut Model) {
    press(model, "Tab Tab");
    send_input(model, Input::Paste("a\tb\n".repeat(100).as_str().into()));
    press(model, "Tab Tab");
    type_text(model, &"9".repeat(13));
}

#[test]
fn wrong_kind_and_length_are_shown_beside_the_field() {
    for lang in Lang::ALL {
        let screen = |model: &Model, columns, rows| text(&buffer(model, columns, rows));
        let mut model = form_with_other_key_kind(lang);
        let with_hint = screen(&model, 80, 24);
        press(&mut model, "Ctrl-S");
        let after_submit = screen(&model, 80, 24);
        assert_eq!(with_hint.matches("e-mail:").count(), 1, "{with_hint}");
        assert_eq!(after_submit.matches("e-mail:").count(), 1, "{after_submit}");
        type_too_much(&mut model);
        let screens = [
            with_hint,
            after_submit,
            screen(&model, 80, 24),
            screen(&model, 60, 20),
        ];
        if lang == Lang::Pt {
            insta::assert_snapshot!("typing-pt-BR", screens.join("\n"));
        }
    }
}

#[test]
fn field_message_is_whole_or_marked_as_cut() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let limit = |limit| words.with("field-too-long", &[("limit", limit)]);
        let kind = words.text("hint-kind-email");
        let messages = [limit("R$ 9.999.999.999,99"), kind, limit("140")];
        let mut model = form_with_other_key_kind(lang);
        type_too_much(&mut model);
        for (columns, rows) in
            (60..=80).flat_map(|columns| (18..=24).map(move |rows| (columns, rows)))
        {
            // Move the focus to the amount, the Pix key, the description, and then the amount
            // again.
            for (tabs, focused) in [("", 0), ("Tab", 1), ("Tab Tab", 2), ("Tab Tab", 0)] {
                send_input(&mut model, Input::Resize(Size { columns, rows }));
                press(&mut model, tabs);
                let screen = text(&buffer(&model, columns, rows));
                let context = format!("{columns}x{rows}, field {focused}:\n{screen}");
                // Only a message that is narrower than the terminal must be shown completely.
                let fits = |message: &&String| message.chars().count() + 4 <= usize::from(columns);
                let is_shown = |message: &String| !fits(&message) || screen.contains(message);
                assert!(is_shown(&messages[focused]), "{context}");
                assert!(messages.iter().all(is_shown) || rows < 20, "{context}");
                // A message that does not fit must end with "…".
                for message in messages.iter().filter(|message| !screen.contains(*message)) {
                    let cut_positions =
                        (1..message.len()).filter(|at| message.is_char_boundary(*at));
                    let is_marked = |at| screen.contains(&format!("{}…", &message[..at]));
                    assert!(
                        cut_positions.into_iter().any(is_marked),
                        "`{message}` at {context}"
                    );
                }
            }
        }
    }
}

/// The seller accepts this amount by submitting the form again, so every window must show it.
#[test]
fn amount_to_check_is_shown_at_every_size() {
    for (lang, name) in Lang::ALL
        .into_iter()
        .flat_map(|lang| ["new-link", "new-charge"].map(|name| (lang, name)))
    {
        let mut model = find_model(lang, name);
        let form = model
            .layers
            .last_mut()
            .unwrap()
            .screen_mut()
            .form_mut()
            .unwrap();
        type_group(form, "100");
        form.ask_to_check_amounts();
        let line = Catalogue::of(lang).with("hint-check-amount", &[("amount", "R$ 49.901,00")]);
        for focus in 0..=form.fields.len() {
            model
                .layers
                .last_mut()
                .unwrap()
                .screen_mut()
                .form_mut()
                .unwrap()
                .focus = focus;
            for (columns, rows) in [(60, 18), (60, 24), (80, 18), (80, 20), (80, 24), (120, 40)] {
                let screen = text(&buffer(&model, columns, rows));
                assert!(screen.contains(&line), "{name}, field {focus}:\n{screen}");
            }
        }
    }
}

/// The key that repeats a failed fee preview must be shown, even in a narrow terminal.
#[test]
fn fee_retry_key_is_named_at_60_columns() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let models = crate::models::all_models(lang);
        let model = &models
            .iter()
            .find(|(name, _)| *name == "withdraw-failed")
            .unwrap()
            .1;
        for (columns, id) in [(80, "action-ask-fee"), (60, "action-ask-fee.short")] {
            let screen = text(&buffer(model, columns, 20));
            let key_hint = format!(" Ctrl-R {} ", words.text(id));
            assert!(
                screen.lines().last().unwrap().contains(&key_hint),
                "{screen}"
            );
        }
    }
}
