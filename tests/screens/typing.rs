//! Tests of the hints and errors beside a field while the user is typing, in both languages.

use balcao::app::ui::input::{Code, Input, Key, Size};
use balcao::app::{Model, Msg, Pane};
use balcao::words::{Catalogue, Lang};

use crate::models::{buffer, on, tell, text};

fn told(model: &mut Model, input: Input) {
    tell(model, Msg::Input(input));
}

fn press(model: &mut Model, keys: &str) {
    for key in keys.split_whitespace() {
        told(model, Input::Key(key.parse().unwrap()));
    }
}

fn types(model: &mut Model, letters: &str) {
    letters.chars().for_each(|c| told(model, Input::Key(Key::plain(Code::Char(c)))));
}

/// Returns the withdrawal form with an e-mail address in the Pix key field. Another kind of Pix key
/// is selected, so the address does not fit.
fn other_kind(lang: Lang) -> Model {
    let mut model = on(lang, Pane::Withdrawals);
    press(&mut model, "n");
    types(&mut model, "10000");
    // Select the kind of Pix key by hand, and then go back to the Pix key field.
    press(&mut model, "Tab Tab Right Shift-Tab");
    types(&mut model, "ana@loja.example");
    model
}

/// Types a description that is too long, and then an amount that is too large.
fn types_too_much(model: &mut Model) {
    press(model, "Tab Tab");
    told(model, Input::Paste("a\tb\n".repeat(100).as_str().into()));
    press(model, "Tab Tab");
    types(model, &"9".repeat(13));
}

#[test]
fn wrong_kind_and_length_are_shown_beside_the_field() {
    for lang in Lang::ALL {
        let seen = |model: &Model, columns, rows| text(&buffer(model, columns, rows));
        let mut model = other_kind(lang);
        let hinted = seen(&model, 80, 24);
        press(&mut model, "Ctrl-S");
        let refused = seen(&model, 80, 24);
        assert_eq!(hinted.matches("e-mail:").count(), 1, "{hinted}");
        assert_eq!(refused.matches("e-mail:").count(), 1, "{refused}");
        types_too_much(&mut model);
        let all = [hinted, refused, seen(&model, 80, 24), seen(&model, 60, 20)];
        if lang == Lang::Pt {
            insta::assert_snapshot!("typing-pt-BR", all.join("\n"));
        }
    }
}

#[test]
fn field_message_is_whole_or_marked_as_cut() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let limit = |limit| words.with("field-too-long", &[("limit", limit)]);
        let kind = words.text("hint-kind-email");
        let said = [limit("R$ 9.999.999.999,99"), kind, limit("140")];
        let mut model = other_kind(lang);
        types_too_much(&mut model);
        for (columns, rows) in
            (60..=80).flat_map(|columns| (18..=24).map(move |rows| (columns, rows)))
        {
            // Move the focus to the amount, the Pix key, the description, and then the amount
            // again.
            for (tabs, in_hand) in [("", 0), ("Tab", 1), ("Tab Tab", 2), ("Tab Tab", 0)] {
                told(&mut model, Input::Resize(Size { columns, rows }));
                press(&mut model, tabs);
                let screen = text(&buffer(&model, columns, rows));
                let place = format!("{columns}x{rows}, field {in_hand}:\n{screen}");
                // Only a message that is narrower than the terminal must be shown completely.
                let has_room = |said: &&String| said.chars().count() + 4 <= usize::from(columns);
                let stands = |said: &String| !has_room(&said) || screen.contains(said);
                assert!(stands(&said[in_hand]), "{place}");
                assert!(said.iter().all(stands) || rows < 20, "{place}");
                // A message that does not fit must end with "…".
                for said in said.iter().filter(|said| !screen.contains(*said)) {
                    let cut = (1..said.len()).filter(|at| said.is_char_boundary(*at));
                    let is_marked = |at| screen.contains(&format!("{}…", &said[..at]));
                    assert!(cut.into_iter().any(is_marked), "`{said}` at {place}");
                }
            }
        }
    }
}

/// The key that repeats a failed fee preview must be shown, even in a narrow terminal.
#[test]
fn fee_retry_key_is_named_at_60_columns() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let all = crate::models::all(lang);
        let model = &all.iter().find(|(name, _)| *name == "withdraw-failed").unwrap().1;
        for (columns, id) in [(80, "action-ask-fee"), (60, "action-ask-fee.short")] {
            let screen = text(&buffer(model, columns, 20));
            let named = format!(" Ctrl-R {} ", words.text(id));
            assert!(screen.lines().last().unwrap().contains(&named), "{screen}");
        }
    }
}
