//! What is true of every screen, in every language, theme and size.

use std::panic::AssertUnwindSafe;

use balcao::view::{Lang, Look, Theme};
use ratatui::style::Color;

use crate::models::{all, buffer, text};

#[test]
fn no_size_is_too_small_to_be_drawn() {
    let look = Look::new(Lang::Pt);
    for (name, model) in all(Lang::Pt) {
        for columns in 0..=60 {
            for rows in 0..=20 {
                let drawn = std::panic::catch_unwind(AssertUnwindSafe(|| {
                    buffer(&model, &look, columns, rows)
                }));
                assert!(drawn.is_ok(), "{name} at {columns}x{rows}");
            }
        }
    }
}

#[test]
fn mono_uses_no_colour_and_says_the_same() {
    let plain = Look::new(Lang::Pt);
    let mono = Look { theme: Theme::named("mono").unwrap(), ..Look::new(Lang::Pt) };
    for (name, model) in all(Lang::Pt) {
        let screen = buffer(&model, &mono, 80, 24);
        assert_eq!(text(&screen), text(&buffer(&model, &plain, 80, 24)), "{name}");
        // A QR code is black on white or no camera reads it.
        let code = screen.content.iter().any(|cell| cell.bg == Color::Rgb(255, 255, 255));
        let coloured =
            screen.content.iter().find(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset);
        assert!(code || coloured.is_none(), "{name}: {coloured:?}");
    }
}

#[test]
fn plain_ascii_has_only_letters_of_the_language() {
    for lang in Lang::ALL {
        let ascii = Look { ascii: true, ..Look::new(lang) };
        for (name, model) in all(lang) {
            let screen = text(&buffer(&model, &ascii, 80, 24));
            let sign = screen.chars().find(|c| *c > '\u{ff}');
            assert_eq!(sign, None, "{name} in {}:\n{screen}", lang.tag());
        }
    }
}
