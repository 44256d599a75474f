//! What is said beside a field while it is typed in, in both languages.

use std::sync::Arc;

use balcao::app::input::{Code, Input, Key};
use balcao::app::{Model, Msg, Pane, Stamp, update};
use balcao::view::{Lang, Look};

use crate::models::{buffer, key, on, text};

fn told(model: &mut Model, input: Input) {
    let stamp = Stamp { clocks: model.now.clone(), fresh_key: key(9), seen: Arc::default() };
    update(model, Msg::Input(input), &stamp);
}

fn press(model: &mut Model, keys: &str) {
    for key in keys.split_whitespace() {
        told(model, Input::Key(key.parse().unwrap()));
    }
}

fn types(model: &mut Model, letters: &str) {
    letters.chars().for_each(|c| told(model, Input::Key(Key::plain(Code::Char(c)))));
}

/// The form of a withdrawal, an e-mail typed under the first kind of key.
fn other_kind(lang: Lang) -> Model {
    let mut model = on(lang, Pane::Withdrawals);
    press(&mut model, "n");
    types(&mut model, "10000");
    press(&mut model, "Tab Tab");
    types(&mut model, "ana@loja.example");
    model
}

#[test]
fn a_key_of_another_kind_and_what_is_too_long_are_said_beside_the_field() {
    for lang in Lang::ALL {
        let look = Look::new(lang);
        let seen = |model: &Model, columns, rows| text(&buffer(model, &look, columns, rows));
        let mut model = other_kind(lang);
        let hinted = seen(&model, 80, 24);
        press(&mut model, "Ctrl-S");
        let refused = seen(&model, 80, 24);
        assert_eq!(hinted.matches("e-mail:").count(), 1, "{hinted}");
        assert_eq!(refused.matches("e-mail:").count(), 1, "{refused}");
        press(&mut model, "Tab");
        told(&mut model, Input::Paste("a\tb\n".repeat(100).as_str().into()));
        press(&mut model, "Tab Tab");
        types(&mut model, &"9".repeat(13));
        let all = [hinted, refused, seen(&model, 80, 24), seen(&model, 60, 20)];
        insta::assert_snapshot!(format!("typing-{}", lang.tag()), all.join("\n"));
    }
}
