//! Computes the contrast ratio between a text colour and a background colour.

use ratatui::style::Color;

/// The minimum contrast ratio of readable text, as required by WCAG 2 level AA.
pub const MIN_CONTRAST: f64 = 4.5;

/// The minimum contrast ratio of the terms that a seller agrees to, on the terminal's own
/// background. Lower than [`MIN_CONTRAST`], because the background is not known when a seller
/// writes a theme.
pub const MIN_TERMS_CONTRAST: f64 = 3.0;

/// The usual colours of the 16-colour palette: those of xterm. Users can redefine them.
const USUAL_PALETTE: [[u8; 3]; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

/// The contrast ratio between a text colour and a background colour, with the usual colours of the
/// palette. `ground` is the terminal's background. `None` is the terminal's own colour.
///
/// The terminal's own text colour is not known. Because it is readable on the terminal's own
/// background, it counts as black on a light background and as white on a dark one. If that
/// background is not known either, the contrast is 0, unless text and paper have fixed colours.
pub fn usual_contrast(text: Option<Color>, paper: Option<Color>, ground: Option<[u8; 3]>) -> f64 {
    let Some(ground) = ground.map(luminance) else {
        let [text, paper] = [text, paper].map(|colour| luminance_if_known(colour?));
        return text
            .zip(paper)
            .map_or(0.0, |(text, paper)| contrast(text, paper));
    };
    let own_text = if contrast(0.0, ground) > contrast(1.0, ground) {
        0.0
    } else {
        1.0
    };
    let text = text.and_then(usual_luminance).unwrap_or(own_text);
    let paper = paper.and_then(usual_luminance).unwrap_or(ground);
    contrast(text, paper)
}

/// The luminance of a colour, with the usual colours of the palette. Returns `None` for the
/// terminal's own colour.
fn usual_luminance(color: Color) -> Option<f64> {
    luminance_if_known(color)
        .or_else(|| Some(luminance(USUAL_PALETTE[usize::from(palette_index(color)?)])))
}

/// The contrast ratio if the text is not readable on this background. Returns `None` if it is
/// readable, and `Some(None)` if both are the same palette colour.
pub fn unreadable_contrast(text: Color, ground: Color) -> Option<Option<f64>> {
    match (luminance_if_known(text), luminance_if_known(ground)) {
        (Some(ink), Some(paper)) => Some(contrast(ink, paper))
            .filter(|contrast| *contrast < MIN_CONTRAST)
            .map(Some),
        _ => (palette_index(text).is_some() && palette_index(text) == palette_index(ground))
            .then_some(None),
    }
}

/// The number of a colour in the terminal's 16-colour palette; `None` for any other colour.
fn palette_index(color: Color) -> Option<u8> {
    use Color::*;
    const NAMED: [Color; 16] = [
        Black,
        Red,
        Green,
        Yellow,
        Blue,
        Magenta,
        Cyan,
        Gray,
        DarkGray,
        LightRed,
        LightGreen,
        LightYellow,
        LightBlue,
        LightMagenta,
        LightCyan,
        White,
    ];
    match color {
        Indexed(index @ ..16) => Some(index),
        named => NAMED
            .iter()
            .position(|other| *other == named)
            .and_then(|index| u8::try_from(index).ok()),
    }
}

fn contrast(first: f64, second: f64) -> f64 {
    (first.max(second) + 0.05) / (first.min(second) + 0.05)
}

/// The luminance of a colour. Returns `None` for the 16 palette colours, because users can redefine
/// them.
fn luminance_if_known(color: Color) -> Option<f64> {
    rgb_if_known(color).map(luminance)
}

/// The red, green and blue of a colour that users cannot redefine.
pub fn rgb_if_known(color: Color) -> Option<[u8; 3]> {
    Some(match color {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Indexed(n @ 16..=231) => [(n - 16) / 36, (n - 16) / 6 % 6, (n - 16) % 6]
            .map(|part| if part == 0 { 0 } else { 55 + 40 * part }),
        Color::Indexed(n @ 232..) => [8 + 10 * (n - 232); 3],
        _ => return None,
    })
}

/// The luminance on which black and white have the same contrast.
pub const MIDDLE_LUMINANCE: f64 = 0.179;

/// The most similar of the 240 fixed palette colours for an RGB colour. A light colour gets no
/// darker and a dark one no lighter, so that no contrast gets lower.
pub fn indexed(color: Color) -> Color {
    let Color::Rgb(red, green, blue) = color else {
        return color;
    };
    let rgb = [red, green, blue];
    let is_light = luminance(rgb) > MIDDLE_LUMINANCE;
    let similar = (16..=255).map(Color::Indexed).filter_map(|color| {
        let fixed = rgb_if_known(color)?;
        let keeps_contrast = if is_light {
            luminance(fixed) >= luminance(rgb)
        } else {
            luminance(fixed) <= luminance(rgb)
        };
        let parts = rgb.iter().zip(fixed);
        let distance: u32 = parts.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum();
        keeps_contrast.then_some((distance, color))
    });
    similar
        .min_by_key(|(distance, _)| *distance)
        .map_or(color, |(_, similar)| similar)
}

/// The most similar of the 16 palette colours: one of the same hue, or a grey.
pub fn sixteen(color: Color) -> Color {
    use Color::*;
    /// From red, by 60 degrees of the colour wheel. The usual light blue is hard to read on black.
    const HUES: [[Color; 2]; 6] = [
        [Red, LightRed],
        [Yellow, LightYellow],
        [Green, LightGreen],
        [Cyan, LightCyan],
        [Blue, LightCyan],
        [Magenta, LightMagenta],
    ];
    const GREYS: [Color; 4] = [Black, DarkGray, Gray, White];
    /// The brightest part of a colour that looks black, and the saturation of a grey.
    const BLACK: f64 = 0.35;
    const GREY: f64 = 0.25;
    let Some(rgb) = rgb_if_known(color) else {
        return color;
    };
    let [red, green, blue] = rgb.map(|part| f64::from(part) / 255.0);
    let (highest, lowest) = (red.max(green).max(blue), red.min(green).min(blue));
    let range = highest - lowest;
    if highest < BLACK || range / highest < GREY {
        let distance =
            |grey: &Color| (usual_luminance(*grey).unwrap_or(0.0) - luminance(rgb)).abs();
        let nearest = GREYS
            .into_iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        return nearest.unwrap_or(color);
    }
    let sextant = if highest <= red {
        (green - blue) / range
    } else if highest <= green {
        (blue - red) / range + 2.0
    } else {
        (red - green) / range + 4.0
    };
    let sextant = sextant.rem_euclid(6.0);
    let is_near = |sextant_of_hue: f64| (sextant_of_hue - sextant).abs() <= 0.5;
    let hues = HUES.into_iter().zip([0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let found = hues.into_iter().find(|(_, hue)| is_near(*hue));
    let [dark, light] = found.map_or(HUES[0], |(colours, _)| colours);
    if luminance(rgb) > MIDDLE_LUMINANCE {
        light
    } else {
        dark
    }
}

/// The contrast ratio of two of the 16 palette colours, as they usually are.
pub fn contrast_of_sixteen(text: Color, ground: Color) -> f64 {
    let [text, ground] = [text, ground].map(|color| usual_luminance(color).unwrap_or(0.0));
    contrast(text, ground)
}

/// True if black text is easier to read on this background than white text.
pub fn is_light(ground: [u8; 3]) -> bool {
    luminance(ground) > MIDDLE_LUMINANCE
}

/// The relative luminance of a colour as defined by WCAG 2, from 0 for black to 1 for white.
pub fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|part| match f64::from(part) / 255.0 {
        low if low <= 0.040_45 => low / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    });
    0.212_6 * red + 0.715_2 * green + 0.072_2 * blue
}

#[cfg(test)]
mod tests {
    use ratatui::style::Modifier;

    use super::*;
    use crate::app::ui::Role;
    use crate::view::ground::{MAX_DARK_LUMINANCE, MIN_LIGHT_LUMINANCE};
    use crate::view::{ColourDepth, Theme};

    /// Descriptions of the theme's text colours that are unreadable on backgrounds of these
    /// luminances. Colours with an unknown luminance are included.
    ///
    /// Roles with a background of their own are skipped, because the theme parser checks them.
    fn unreadable(theme: &Theme, luminances: [f64; 2]) -> Vec<String> {
        let mut found = Vec::new();
        for (role, style) in &theme.styles {
            let Some(fg) = style.fg else { continue };
            let Some(ink) = luminance_if_known(fg) else {
                found.push(format!(
                    "{role:?}: {fg} is whatever the terminal makes of it"
                ));
                continue;
            };
            let backgrounds = luminances.into_iter().filter(|_| style.bg.is_none());
            for ground in backgrounds.filter(|ground| contrast(ink, *ground) < MIN_CONTRAST) {
                let contrast = contrast(ink, ground);
                found.push(format!(
                    "{role:?}: {fg} on a ground of {ground:.3}: {contrast:.2}"
                ));
            }
        }
        found
    }

    const DARK_GROUNDS: [f64; 2] = [0.0, MAX_DARK_LUMINANCE];
    const LIGHT_GROUNDS: [f64; 2] = [MIN_LIGHT_LUMINANCE, 1.0];

    #[test]
    fn built_in_themes_have_readable_colours() {
        for (name, luminances) in [("dark", DARK_GROUNDS), ("light", LIGHT_GROUNDS)] {
            let theme = Theme::named(name).unwrap();
            assert_eq!(
                unreadable(&theme, luminances),
                Vec::<String>::new(),
                "{name}"
            );
            let colour_count = theme
                .styles
                .values()
                .filter(|style| style.fg.is_some())
                .count();
            assert!(colour_count >= 8, "{name} states {colour_count} colours");
            assert!(
                theme.style(Role::Cursor).bg.is_some(),
                "{name}: the cursor's row has a ground"
            );
        }
    }

    /// The published colours of Catppuccin Mocha that a theme may use.
    const MOCHA: [u32; 26] = [
        0xf5_e0_dc, 0xf2_cd_cd, 0xf5_c2_e7, 0xcb_a6_f7, 0xf3_8b_a8, 0xeb_a0_ac, 0xfa_b3_87,
        0xf9_e2_af, 0xa6_e3_a1, 0x94_e2_d5, 0x89_dc_eb, 0x74_c7_ec, 0x89_b4_fa, 0xb4_be_fe,
        0xcd_d6_f4, 0xba_c2_de, 0xa6_ad_c8, 0x93_99_b2, 0x7f_84_9c, 0x6c_70_86, 0x58_5b_70,
        0x45_47_5a, 0x31_32_44, 0x1e_1e_2e, 0x18_18_25, 0x11_11_1b,
    ];

    /// The published colours of Gruvbox for dark backgrounds.
    const GRUVBOX: [u32; 28] = [
        0x1d_20_21,
        0x28_28_28,
        0x32_30_2f,
        0x3c_38_36,
        0x50_49_45,
        0x66_5c_54,
        0x007c_6f64,
        0x92_83_74,
        0xa8_99_84,
        0xbd_ae_93,
        0xd5_c4_a1,
        0xeb_db_b2,
        0xfb_f1_c7,
        0xcc_24_1d,
        0x98_97_1a,
        0xd7_99_21,
        0x45_85_88,
        0xb1_62_86,
        0x68_9d_6a,
        0xd6_5d_0e,
        0xfb_49_34,
        0xb8_bb_26,
        0xfa_bd_2f,
        0x83_a5_98,
        0xd3_86_9b,
        0x8e_c0_7c,
        0xfe_80_19,
        0xf9_f5_d7,
    ];

    #[test]
    fn themes_with_a_ground_use_published_colours() {
        for (name, published, ground) in [
            ("mocha", &MOCHA[..], 0x1e_1e_2e),
            ("gruvbox", &GRUVBOX, 0x1d_20_21),
        ] {
            let theme = Theme::named(name).unwrap();
            let hex = |color: Color| {
                let Color::Rgb(red, green, blue) = color else {
                    panic!("{name}: {color}")
                };
                u32::from_be_bytes([0, red, green, blue])
            };
            assert_eq!(theme.paper.map(hex), Some(ground));
            for (role, style) in &theme.styles {
                for color in [style.fg, style.bg].into_iter().flatten() {
                    assert!(published.contains(&hex(color)), "{name} {role:?}: {color}");
                }
            }
        }
    }

    #[test]
    fn themes_with_a_ground_are_readable_on_it() {
        for name in ["mocha", "gruvbox", "high-contrast"] {
            for depth in [ColourDepth::True, ColourDepth::Indexed] {
                let theme = Theme::named(name).unwrap().in_depth(depth);
                let cursor = theme.style(Role::Cursor).bg;
                assert!(
                    cursor.is_some() && cursor != theme.paper,
                    "{name} {depth:?}"
                );
                for (role, style) in &theme.styles {
                    let grounds = style.bg.map_or([theme.paper, cursor], |own| [Some(own); 2]);
                    let text = style.fg.or(theme.blank().fg);
                    for ground in grounds {
                        let contrast = usual_contrast(text, ground, None);
                        assert!(
                            contrast >= MIN_CONTRAST,
                            "{name} {role:?} in {depth:?} on {ground:?}: {contrast:.2}"
                        );
                    }
                }
            }
        }
    }

    /// The text of each role, its name, and each background that it can have in this theme.
    fn texts_on_grounds(theme: &Theme) -> Vec<(Role, Color, Color)> {
        let rows = [
            theme.paper,
            theme.style(Role::Cursor).bg,
            theme.style(Role::Input).bg,
        ];
        let texts = theme.styles.iter().filter_map(|(role, style)| {
            let ink = style.fg.or(theme.style(Role::Text).fg)?;
            let grounds = style.bg.map_or(rows, |own| [Some(own), None, None]);
            Some(
                grounds
                    .into_iter()
                    .flatten()
                    .map(move |ground| (*role, ink, ground)),
            )
        });
        texts.flatten().collect()
    }

    #[test]
    fn high_contrast_is_7_to_1_for_every_text() {
        const AAA: f64 = 7.0;
        for depth in [ColourDepth::True, ColourDepth::Indexed] {
            let theme = Theme::named("high-contrast").unwrap().in_depth(depth);
            let texts = texts_on_grounds(&theme);
            assert!(texts.len() > 30, "{texts:?}");
            for (role, ink, ground) in texts {
                let contrast = usual_contrast(Some(ink), Some(ground), None);
                assert!(contrast >= AAA, "{role:?} on {ground}: {contrast:.2}");
            }
            let dims = |style: &ratatui::style::Style| style.add_modifier.contains(Modifier::DIM);
            assert!(
                !theme.styles.values().any(dims),
                "a terminal may dim a colour by half"
            );
        }
    }

    #[test]
    fn every_theme_is_readable_in_16_colours() {
        for name in Theme::NAMES {
            let full = Theme::named(name).unwrap();
            let theme = full.clone().in_depth(ColourDepth::Sixteen);
            let fixed = |style: &ratatui::style::Style| {
                [style.fg, style.bg]
                    .into_iter()
                    .flatten()
                    .any(|color| rgb_if_known(color).is_some())
            };
            assert!(
                !theme.styles.values().any(fixed),
                "{name}: a colour of the 256"
            );
            assert!(
                theme
                    .paper
                    .is_none_or(|paper| rgb_if_known(paper).is_none()),
                "{name}"
            );
            assert_eq!(
                theme.paper.is_some(),
                full.paper.is_some(),
                "{name} keeps its ground"
            );
            for (role, ink, ground) in texts_on_grounds(&theme) {
                let contrast = contrast_of_sixteen(ink, ground);
                assert!(
                    contrast >= MIN_CONTRAST,
                    "{name}: {role:?}, {ink} on {ground}: {contrast:.2}"
                );
            }
        }
        let mocha = Theme::named("mocha")
            .unwrap()
            .in_depth(ColourDepth::Sixteen);
        let roles = [Role::Good, Role::Warn, Role::Bad, Role::Accent];
        let inks = roles.map(|role| mocha.style(role).fg);
        // Light blue, which is nearer to the accent, is not readable on black.
        let hues = [
            Color::LightGreen,
            Color::LightYellow,
            Color::LightRed,
            Color::LightCyan,
        ];
        let hues = hues.map(Some);
        assert_eq!((inks, mocha.paper), (hues, Some(Color::Black)));
        let field = mocha.style(Role::InputFocus);
        assert!(field.bg.is_some() || field.add_modifier.contains(Modifier::UNDERLINED));
    }

    #[test]
    fn own_colours_of_the_16_stay_as_they_are() {
        let source = "[text]\nfg = \"red\"\nbg = \"black\"\n[good]\nfg = \"blue\"";
        let theme = Theme::from_toml(source).unwrap();
        let reduced = theme.clone().in_depth(ColourDepth::Sixteen);
        assert_eq!((reduced.styles, reduced.paper), (theme.styles, theme.paper));
    }

    #[test]
    fn similar_palette_colour_has_no_less_contrast() {
        let grey = |part| Color::Rgb(part, part, part);
        assert_eq!(
            indexed(grey(0x1d)),
            Color::Indexed(234),
            "not the lighter 235"
        );
        assert_eq!(
            indexed(grey(0xa9)),
            Color::Indexed(145),
            "not the darker 248"
        );
        assert_eq!(indexed(Color::Rgb(0xff, 0x5f, 0x00)), Color::Indexed(202));
        assert_eq!(indexed(Color::Red), Color::Red);
    }

    #[test]
    fn values_are_readable_on_the_ground_of_a_field() {
        let values = [Role::Text, Role::Strong, Role::Money, Role::Dim, Role::Bad];
        for (name, own_ink) in [
            ("dark", 1.0),
            ("light", 0.0),
            ("mocha", 1.0),
            ("gruvbox", 1.0),
            ("high-contrast", 1.0),
        ] {
            let theme = Theme::named(name).unwrap();
            for (value, ground) in values
                .into_iter()
                .flat_map(|value| [(value, Role::Input), (value, Role::InputFocus)])
            {
                let style = theme.style(value).patch(theme.style(ground));
                let ink = style.fg.and_then(luminance_if_known).unwrap_or(own_ink);
                let paper = style.bg.or(theme.paper).and_then(luminance_if_known);
                let paper = paper.unwrap();
                let ratio = contrast(ink, paper);
                assert!(
                    ratio >= MIN_CONTRAST,
                    "{name}: {value:?} on {ground:?}: {ratio:.2}"
                );
            }
        }
    }

    #[test]
    fn unreadable_colour_is_found() {
        let unreadable_count =
            |theme: &str| unreadable(&Theme::from_toml(theme).unwrap(), DARK_GROUNDS).len();
        assert_eq!(
            unreadable_count("[dim]\nfg = \"250\"\n[cursor]\nbg = \"237\""),
            0
        );
        assert_eq!(
            unreadable_count("[dim]\nfg = \"240\""),
            2,
            "on both grounds"
        );
        assert_eq!(
            unreadable_count("[dim]\nfg = \"dark-gray\""),
            1,
            "one of the first 16"
        );
    }

    #[test]
    fn contrast_of_black_on_white_is_21() {
        assert!((contrast(0.0, 1.0) - 21.0).abs() < 0.001);
        let grey = luminance_if_known(Color::Indexed(243)).unwrap();
        assert!(
            (contrast(grey, 1.0) - 4.54).abs() < 0.01,
            "#767676 is the lightest grey on white"
        );
    }
}
