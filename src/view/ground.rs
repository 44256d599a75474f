//! The background colour of the terminal, and the choice of a theme that is readable on it.

use super::theme::{Theme, luminance};

/// The dark theme is readable on backgrounds up to this luminance.
pub(super) const MAX_DARK_LUMINANCE: f64 = 0.035;

/// The light theme is readable on backgrounds from this luminance on.
pub(super) const MIN_LIGHT_LUMINANCE: f64 = 0.78;

/// A kind of terminal background for which the program has a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// Nearly black.
    Dark,
    /// Nearly white.
    Light,
}

impl Background {
    /// Classifies a background colour, given as red, green and blue. Returns `None` if no theme is
    /// readable on it.
    pub fn of(colour: [u8; 3]) -> Option<Background> {
        match luminance(colour) {
            dark if dark <= MAX_DARK_LUMINANCE => Some(Background::Dark),
            light if light >= MIN_LIGHT_LUMINANCE => Some(Background::Light),
            _ => None,
        }
    }

    /// The built-in theme for this kind of background.
    pub fn theme(self) -> Theme {
        let name = match self {
            Background::Dark => "dark",
            Background::Light => "light",
        };
        Theme::named(name).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_backgrounds_are_dark_light_or_neither() {
        let dark = [
            0x00_00_00, 0x1e_1e_1e, 0x28_2c_34, 0x2e_34_40, 0x00_2b_36, 0x30_0a_24,
        ];
        let light = [0xff_ff_ff, 0xfd_f6_e3, 0xfb_f1_c7, 0xee_e8_d5, 0xff_ff_dd];
        let neither = [0x58_58_58, 0x80_80_80, 0xc0_c0_c0, 0x00_00_ff, 0x00_80_00];
        let classify = |colour: u32| {
            let [_, parts @ ..] = colour.to_be_bytes();
            Background::of(parts)
        };
        assert!(
            dark.iter()
                .all(|colour| classify(*colour) == Some(Background::Dark))
        );
        assert!(
            light
                .iter()
                .all(|colour| classify(*colour) == Some(Background::Light))
        );
        for colour in neither {
            assert_eq!(classify(colour), None, "{colour:06x}");
        }
    }

    #[test]
    fn luminance_follows_the_wcag_formula() {
        let is_near = |colour, expected: f64| (luminance(colour) - expected).abs() < 0.000_5;
        assert!(is_near([0, 0, 0], 0.0) && is_near([255, 255, 255], 1.0));
        assert!(is_near([255, 0, 0], 0.212_6) && is_near([0x77, 0x77, 0x77], 0.184_5));
    }

    #[test]
    fn each_background_has_its_own_theme() {
        assert_eq!(Background::Dark.theme(), Theme::named("dark").unwrap());
        assert_eq!(Background::Light.theme(), Theme::named("light").unwrap());
    }
}
