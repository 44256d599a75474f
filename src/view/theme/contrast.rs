//! The colours of the themes can be read on every ground they are for, and under the cursor.

use ratatui::style::Color;

use super::Theme;
use crate::app::ui::Role;
use crate::view::ground::{DARK_UP_TO, LIGHT_FROM, luminance};

/// The least contrast of text, by WCAG 2 (AA).
const LEAST: f64 = 4.5;

fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The light of a stated colour: the first 16 of a terminal are what its owner made of them, so no
/// theme with a ground in mind may state one.
fn light(color: Color) -> Option<f64> {
    let rgb = match color {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Indexed(n @ 16..=231) => {
            let part = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            [part((n - 16) / 36), part((n - 16) / 6 % 6), part((n - 16) % 6)]
        }
        Color::Indexed(n @ 232..) => [8 + 10 * (n - 232); 3],
        _ => return None,
    };
    Some(luminance(rgb))
}

/// Every pair that cannot be read on grounds of these lights, and every colour of no known light.
fn unreadable(theme: &Theme, grounds: [f64; 2]) -> Vec<String> {
    let cursor = theme.style(Role::Cursor).bg.and_then(light);
    let mut found = Vec::new();
    for (role, style) in &theme.styles {
        let Some(fg) = style.fg else { continue };
        let Some(ink) = light(fg) else {
            found.push(format!("{role:?}: {fg} is whatever the terminal makes of it"));
            continue;
        };
        let own = style.bg.map(|bg| light(bg).unwrap_or(ink));
        let on = match own {
            Some(own) => vec![own],
            None => grounds.into_iter().chain(cursor).collect(),
        };
        for ground in on.into_iter().filter(|ground| contrast(ink, *ground) < LEAST) {
            let contrast = contrast(ink, ground);
            found.push(format!("{role:?}: {fg} on a ground of {ground:.3}: {contrast:.2}"));
        }
    }
    found
}

const DARK: [f64; 2] = [0.0, DARK_UP_TO];
const LIGHT: [f64; 2] = [LIGHT_FROM, 1.0];

#[test]
fn every_pair_of_stated_colours_can_be_read() {
    for (name, grounds) in [("dark", DARK), ("light", LIGHT)] {
        let theme = Theme::named(name).unwrap();
        assert_eq!(unreadable(&theme, grounds), Vec::<String>::new(), "{name}");
        let stated = theme.styles.values().filter(|style| style.fg.is_some()).count();
        assert!(stated >= 8, "{name} states {stated} colours");
        assert!(theme.style(Role::Cursor).bg.is_some(), "{name}: the cursor's row has a ground");
    }
}

#[test]
fn a_pair_that_cannot_be_read_is_found() {
    let planted = |theme: &str| unreadable(&Theme::from_toml(theme).unwrap(), DARK).len();
    assert_eq!(planted("[dim]\nfg = \"250\"\n[cursor]\nbg = \"237\""), 0);
    assert_eq!(planted("[dim]\nfg = \"240\""), 2, "on both grounds");
    assert_eq!(planted("[dim]\nfg = \"250\"\n[cursor]\nbg = \"244\""), 1, "under the cursor");
    assert_eq!(planted("[badge]\nfg = \"16\"\nbg = \"52\""), 1, "on its own ground");
    assert_eq!(planted("[dim]\nfg = \"dark-gray\""), 1, "one of the first 16");
}

#[test]
fn black_on_white_is_as_much_as_there_can_be() {
    assert!((contrast(0.0, 1.0) - 21.0).abs() < 0.001);
    let grey = light(Color::Indexed(243)).unwrap();
    assert!((contrast(grey, 1.0) - 4.54).abs() < 0.01, "#767676 is the lightest grey on white");
}
