//! The background colour of the terminal, and the choice of a theme that is readable on it.

use super::theme::{Theme, luminance};

/// The maximum luminance of a background on which the dark theme is readable.
pub(super) const DARK_UP_TO: f64 = 0.035;

/// The minimum luminance of a background on which the light theme is readable.
pub(super) const LIGHT_FROM: f64 = 0.78;

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
            dark if dark <= DARK_UP_TO => Some(Background::Dark),
            light if light >= LIGHT_FROM => Some(Background::Light),
            _ => None,
        }
    }

    /// Returns the built-in theme for this kind of background.
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
        let dark = [0x00_00_00, 0x1e_1e_1e, 0x28_2c_34, 0x2e_34_40, 0x00_2b_36, 0x30_0a_24];
        let light = [0xff_ff_ff, 0xfd_f6_e3, 0xfb_f1_c7, 0xee_e8_d5, 0xff_ff_dd];
        let neither = [0x58_58_58, 0x80_80_80, 0xc0_c0_c0, 0x00_00_ff, 0x00_80_00];
        let of = |colour: u32| {
            let [_, parts @ ..] = colour.to_be_bytes();
            Background::of(parts)
        };
        assert!(dark.iter().all(|colour| of(*colour) == Some(Background::Dark)));
        assert!(light.iter().all(|colour| of(*colour) == Some(Background::Light)));
        for colour in neither {
            assert_eq!(of(colour), None, "{colour:06x}");
        }
    }

    #[test]
    fn light_is_measured_as_the_standard_has_it() {
        let near = |colour, expected: f64| (luminance(colour) - expected).abs() < 0.000_5;
        assert!(near([0, 0, 0], 0.0) && near([255, 255, 255], 1.0));
        assert!(near([255, 0, 0], 0.212_6) && near([0x77, 0x77, 0x77], 0.184_5));
    }

    #[test]
    fn each_ground_has_its_own_theme() {
        assert_eq!(Background::Dark.theme(), Theme::named("dark").unwrap());
        assert_eq!(Background::Light.theme(), Theme::named("light").unwrap());
    }
}
