//! Themes. A theme defines the style of each role of text, such as `money` or `alarm`.

mod contrast;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::app::ui::Role;

pub use contrast::MIN_CONTRAST;
use contrast::{MIDDLE_LUMINANCE, MIN_TERMS_CONTRAST, contrast_of_sixteen, indexed, rgb_if_known};
pub(super) use contrast::{is_light, luminance};
use contrast::{sixteen, unreadable_contrast, usual_contrast};

/// The colours and attributes of every role of text, such as `money` or `alarm`.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    styles: BTreeMap<Role, Style>,
    /// The background of the whole screen, which is that of `text` in the file; `None` is the
    /// terminal's own.
    paper: Option<Color>,
    /// The background colour (red, green, blue) that the terminal reported; `None` without a reply.
    ground: Option<[u8; 3]>,
    depth: ColourDepth,
}

/// The colours that a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourDepth {
    /// No colours, because the variable `NO_COLOR` is set.
    Monochrome,
    /// Only the 16 colours that users can redefine.
    Sixteen,
    /// The palette of 256 colours.
    Indexed,
    /// All RGB colours.
    True,
}

/// The reason why a theme file is invalid.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    /// The file is not valid TOML or does not have the structure of a theme.
    #[error("{0}")]
    Shape(#[from] toml::de::Error),
    /// The theme names a colour that does not exist. The line is that of the colour.
    #[error("line {line}: `{name}` is not a colour; write it like red, light-blue, 208 or #d75f00")]
    Color { line: usize, name: String },
    /// The text of a role is not readable on its background.
    #[error("line {}: [{}] cannot be read", .0.line, .0.role)]
    Faint(FaintRole),
}

/// A role whose text is not readable on its background. If the program accepted it, terms that the
/// seller agrees to could be invisible.
#[derive(Debug, Clone, PartialEq)]
pub struct FaintRole {
    /// The line of the theme file on which the definition of the role begins.
    pub line: usize,
    /// The name of the role.
    pub role: String,
    /// The text colour.
    pub text: Color,
    /// The background colour.
    pub ground: Color,
    /// True if `ground` is the background of the selected row.
    pub is_under_cursor: bool,
    /// The contrast ratio; `None` if text and background are the same palette colour, whose real
    /// colour is unknown.
    pub contrast: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ThemeEntry {
    fg: Option<toml::Spanned<String>>,
    bg: Option<toml::Spanned<String>>,
    #[serde(default)]
    bold: bool,
    #[serde(default)]
    dim: bool,
    #[serde(default)]
    italic: bool,
    #[serde(default)]
    underline: bool,
    #[serde(default)]
    reversed: bool,
}

impl Theme {
    /// The names of the built-in themes.
    pub const NAMES: [&str; 7] = [
        "default",
        "light",
        "dark",
        "high-contrast",
        "mono",
        "mocha",
        "gruvbox",
    ];

    /// A built-in theme.
    pub fn named(name: &str) -> Option<Theme> {
        let source = match name {
            "default" => include_str!("../../assets/themes/default.toml"),
            "light" => include_str!("../../assets/themes/light.toml"),
            "dark" => include_str!("../../assets/themes/dark.toml"),
            "high-contrast" => include_str!("../../assets/themes/high-contrast.toml"),
            "mono" => include_str!("../../assets/themes/mono.toml"),
            "mocha" => include_str!("../../assets/themes/mocha.toml"),
            "gruvbox" => include_str!("../../assets/themes/gruvbox.toml"),
            _ => return None,
        };
        Theme::from_toml(source).ok()
    }

    /// Parses a theme file. A role that is missing from the file looks like ordinary text.
    ///
    /// The text of every role must be readable on its background, because sellers agree to terms
    /// shown in these roles. Roles without a background must all be readable on the background of
    /// `text`, which fills the screen; without one, all on black, or all on white. A palette colour
    /// combined with a fixed colour is accepted, because their contrast is unknown.
    ///
    /// # Errors
    ///
    /// Returns a [`ThemeError`] for invalid TOML, an unknown colour or an unreadable role.
    pub fn from_toml(source: &str) -> Result<Theme, ThemeError> {
        let entries: BTreeMap<Role, toml::Spanned<ThemeEntry>> = toml::from_str(source)?;
        let mut theme = Theme {
            styles: BTreeMap::new(),
            paper: None,
            ground: None,
            depth: ColourDepth::True,
        };
        for (role, entry) in &entries {
            theme.styles.insert(*role, entry.get_ref().style(source)?);
        }
        // Text in a row with a background of its own, such as the cursor's, must not cover it.
        theme.paper = theme
            .styles
            .get_mut(&Role::Text)
            .and_then(|text| text.bg.take());
        let blank = theme.blank();
        let cursor = theme.style(Role::Cursor);
        for (role, entry) in &entries {
            let style = theme.style(*role);
            let is_under_cursor = style.bg.is_none();
            let text = if is_under_cursor {
                cursor.fg.or(style.fg)
            } else {
                style.fg
            };
            let (Some(text), Some(ground)) = (text.or(blank.fg), style.bg.or(cursor.bg)) else {
                continue;
            };
            if let Some(contrast) = unreadable_contrast(text, ground) {
                let colours = (text, ground);
                return Err(faint_role_error(
                    source,
                    (role, entry),
                    colours,
                    is_under_cursor,
                    contrast,
                ));
            }
        }
        let black_and_white = [Color::Indexed(16), Color::Indexed(231)];
        let grounds = theme.paper.map_or(black_and_white, |paper| [paper; 2]);
        let [dark, light] = grounds.map(|ground| {
            entries.iter().find_map(|(role, entry)| {
                let style = theme.style(*role);
                let text = style.fg.filter(|_| style.bg.is_none())?;
                Some((
                    (role, entry),
                    (text, ground),
                    unreadable_contrast(text, ground)?,
                ))
            })
        });
        if let (Some(dark), Some(light)) = (dark, light) {
            let is_later = dark.0.1.span().start > light.0.1.span().start;
            let (entry, colours, contrast) = if is_later { dark } else { light };
            return Err(faint_role_error(source, entry, colours, false, contrast));
        }
        Ok(theme)
    }

    /// The style of a role. If the theme does not define `Alarm`, returns the style of `Banner`. If
    /// it does not define `Live` (real money), returns the style of `Strong`. Input fields without
    /// a style look like `Field`.
    pub fn style(&self, role: Role) -> Style {
        let fallback_role = match role {
            Role::Alarm => Some(Role::Banner),
            Role::Live => Some(Role::Strong),
            Role::Input | Role::InputFocus => Some(Role::Field),
            _ => None,
        };
        let style = self.styles.get(&role);
        let style = style.or_else(|| self.styles.get(&fallback_role?));
        style.copied().unwrap_or_default()
    }

    /// The style of an empty cell: the terminal's own colours, or those of a theme that has a
    /// background for the whole screen.
    pub fn blank(&self) -> Style {
        let text = self.style(Role::Text);
        Style {
            fg: self.paper.and(text.fg),
            bg: self.paper,
            ..Style::new()
        }
    }

    /// The theme in the colours that the terminal can show: without true colour, in similar ones of
    /// the 256, or of the 16.
    pub fn in_depth(mut self, depth: ColourDepth) -> Theme {
        self.depth = depth;
        match depth {
            ColourDepth::True | ColourDepth::Monochrome => {}
            ColourDepth::Indexed => {
                let colours = self.styles.values_mut();
                let colours = colours.flat_map(|style| [&mut style.fg, &mut style.bg]);
                for colour in colours.chain([&mut self.paper]).flatten() {
                    *colour = indexed(*colour);
                }
            }
            ColourDepth::Sixteen => self.reduce_to_sixteen(),
        }
        self
    }

    /// Replaces all colours that users cannot redefine by similar ones of the 16.
    ///
    /// A text that is then not readable on its background gets another colour. A background that is
    /// then the same as that of the whole screen is dropped, and a field gets a line below it
    /// instead.
    fn reduce_to_sixteen(&mut self) {
        let first_ink = self.styles.values().filter(|style| style.bg.is_none());
        let first_ink = first_ink.filter_map(|style| rgb_if_known(style.fg?)).next();
        let made_for = first_ink.map(|ink| {
            let is_light = luminance(ink) > MIDDLE_LUMINANCE;
            if is_light { Color::Black } else { Color::White }
        });
        self.paper = self.paper.map(sixteen);
        let ground = self.paper.or(made_for);
        for (role, style) in &mut self.styles {
            style.bg = style.bg.map(sixteen).filter(|bg| Some(*bg) != ground);
            if style.bg.is_none() && matches!(role, Role::Input | Role::InputFocus) {
                *style = style.add_modifier(Modifier::UNDERLINED);
            }
        }
        let cursor = self.style(Role::Cursor).bg;
        for style in self.styles.values_mut() {
            let grounds = style.bg.map_or([ground, cursor], |own| [Some(own); 2]);
            let is_readable = |ink: &Color| {
                let mut contrasts = grounds.into_iter().flatten();
                contrasts.all(|ground| contrast_of_sixteen(*ink, ground) >= MIN_CONTRAST)
            };
            let inks = [
                style.fg.map(sixteen),
                Some(Color::Black),
                Some(Color::White),
            ];
            let inks = if style.fg == inks[0] {
                &inks[..0]
            } else {
                &inks[..]
            };
            if let Some(ink) = inks.iter().flatten().find(|ink| is_readable(ink)) {
                style.fg = Some(*ink);
            }
        }
    }

    pub fn depth(&self) -> ColourDepth {
        self.depth
    }

    /// The background colour that the terminal reported, if any.
    pub fn ground(&self) -> Option<[u8; 3]> {
        self.ground
    }

    /// The theme for a terminal with this background colour; `None` if it is not known.
    pub fn on(&self, ground: Option<[u8; 3]>) -> Theme {
        Theme {
            ground,
            ..self.clone()
        }
    }

    /// The theme for a page whose terms the seller may agree to. If this theme could hide some of
    /// them, it is a theme without colours, so that the terminal uses its own.
    pub(super) fn for_terms(self: &Arc<Theme>) -> Arc<Theme> {
        static WITHOUT_COLOURS: LazyLock<Arc<Theme>> =
            LazyLock::new(|| Arc::new(Theme::named("mono").unwrap_or_default()));
        if self.shows_everything() {
            self.clone()
        } else {
            WITHOUT_COLOURS.clone()
        }
    }

    /// True if the text of every role can be seen on the background of the theme or the terminal.
    /// Returns false if the theme has colours and neither background is known.
    fn shows_everything(&self) -> bool {
        let is_plain = |style: &Style| style.fg.is_none() && style.bg.is_none();
        if self.paper.is_none() && self.styles.values().all(is_plain) {
            return true;
        }
        let blank = self.blank();
        let is_visible = |style: Style| {
            let style = blank.patch(style);
            usual_contrast(style.fg, style.bg, self.ground) >= MIN_TERMS_CONTRAST
        };
        let mut styles = self
            .styles
            .values()
            .copied()
            .chain([self.style(Role::Text)]);
        styles.all(|style| {
            let upper = UPPER_ROLES.iter().filter(|_| style.bg.is_none());
            let mut combined = upper.map(|role| style.patch(self.style(*role)));
            is_visible(style) && combined.all(is_visible)
        })
    }
}

/// The roles that are applied on top of a role without a background.
const UPPER_ROLES: [Role; 7] = [
    Role::Cursor,
    Role::Focus,
    Role::Field,
    Role::Input,
    Role::InputFocus,
    Role::Strong,
    Role::Bad,
];

impl Default for Theme {
    fn default() -> Theme {
        let no_styles = Theme {
            styles: BTreeMap::new(),
            paper: None,
            ground: None,
            depth: ColourDepth::True,
        };
        Theme::named("default").unwrap_or(no_styles)
    }
}

impl ThemeEntry {
    fn style(&self, source: &str) -> Result<Style, ThemeError> {
        let mut style = Style::new();
        if let Some(fg) = &self.fg {
            style = style.fg(color(fg, source)?);
        }
        if let Some(bg) = &self.bg {
            style = style.bg(color(bg, source)?);
        }
        let attributes = [
            (self.bold, Modifier::BOLD),
            (self.dim, Modifier::DIM),
            (self.italic, Modifier::ITALIC),
            (self.underline, Modifier::UNDERLINED),
            (self.reversed, Modifier::REVERSED),
        ];
        if self.bold && !self.dim {
            // Remove the attribute dim, because many terminals cannot combine it with bold and
            // would show only dim text.
            style = style.remove_modifier(Modifier::DIM);
        }
        let enabled = attributes.into_iter().filter(|(is_enabled, _)| *is_enabled);
        Ok(enabled.fold(style, |style, (_, attribute)| style.add_modifier(attribute)))
    }
}

/// Creates the error about a role whose text is not readable on its background.
fn faint_role_error(
    source: &str,
    (role, entry): (&Role, &toml::Spanned<ThemeEntry>),
    (text, ground): (Color, Color),
    is_under_cursor: bool,
    contrast: Option<f64>,
) -> ThemeError {
    ThemeError::Faint(FaintRole {
        line: line_at(source, entry.span().start),
        role: role_name(*role),
        text,
        ground,
        is_under_cursor,
        contrast,
    })
}

/// The name of a role, as in a theme file.
fn role_name(role: Role) -> String {
    let mut name = String::new();
    for letter in format!("{role:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// The number of the line with the byte at `position`.
fn line_at(source: &str, position: usize) -> usize {
    let text_before = source.get(..position).unwrap_or_default();
    text_before.matches('\n').count() + 1
}

fn color(name: &toml::Spanned<String>, source: &str) -> Result<Color, ThemeError> {
    name.get_ref().parse().map_err(|_| ThemeError::Color {
        line: line_at(source, name.span().start),
        name: name.get_ref().clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_theme_parses() {
        for name in Theme::NAMES {
            assert!(Theme::named(name).is_some(), "{name}");
        }
        assert!(Theme::named("nope").is_none());
    }

    #[test]
    fn mono_has_no_colour_at_all() {
        let mono = Theme::named("mono").unwrap();
        for (role, style) in &mono.styles {
            assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
        }
    }

    #[test]
    fn theme_error_names_the_fault() {
        let fault = |source| Theme::from_toml(source).unwrap_err().to_string();
        let colour = fault("[dim]\n[money]\nbold = true\nbg = \"reddish\"");
        assert!(
            colour.contains("line 4: `reddish` is not a colour"),
            "{colour}"
        );
        for (source, line, name) in [
            ("[dim]\n\n[mony]\nfg = \"red\"", 3, "mony"),
            ("[dim]\n[money]\nblink = true", 3, "blink"),
            ("[dim]\n[money]\nbold = 1", 3, "bool"),
            ("[dim]\n[money]\n\nfg = 208", 4, "string"),
            ("[dim]\nmoney = \"red\"", 2, "money"),
            ("[dim]\n[dim]", 2, "dim"),
            ("\n[money\n", 2, "]"),
        ] {
            let fault = fault(source);
            let is_named = fault.contains(&format!("line {line}")) && fault.contains(name);
            assert!(is_named, "{source}: {fault}");
        }
    }

    /// A seller makes a theme from the file, so it has each role with a comment.
    #[test]
    fn default_theme_documents_every_role() {
        let source = include_str!("../../assets/themes/default.toml");
        let full: toml::Table = toml::from_str(source).unwrap();
        let headings = source.lines().filter(|line| line.starts_with('['));
        for heading in headings {
            assert!(heading.contains("] # "), "{heading}");
        }
        let unknown = Theme::from_toml("[nothing]").unwrap_err().to_string();
        for name in full.keys() {
            assert!(unknown.contains(&format!("`{name}`")), "{unknown}");
        }
        assert_eq!(
            unknown.matches('`').count() / 2 - 1,
            full.len(),
            "{unknown}"
        );
        assert_eq!(role_name(Role::InputFocus), "input-focus");
    }

    #[test]
    fn text_unreadable_on_its_background_is_refused() {
        let faint_role = |source| match Theme::from_toml(source) {
            Err(ThemeError::Faint(faint)) => Some((faint.line, faint.role, faint.is_under_cursor)),
            Ok(_) => None,
            Err(other) => panic!("{other}"),
        };
        let faint = |line, role: &str| Some((line, role.to_owned(), false));
        for (source, expected) in [
            (
                "[dim]\nbold = true\n\n[text]\nfg = \"#111111\"\nbg = \"#111111\"",
                faint(4, "text"),
            ),
            (
                "[quote]\nfg = \"#777777\"\nbg = \"#888888\"",
                faint(1, "quote"),
            ),
            (
                "[quote]\nfg = \"16\"\nbg = \"#000000\"\nreversed = true",
                faint(1, "quote"),
            ),
            ("[quote]\nfg = \"red\"\nbg = \"1\"", faint(1, "quote")),
            (
                "[quote]\nfg = \"12\"\nbg = \"light-blue\"",
                faint(1, "quote"),
            ),
            (
                "[cursor]\nbg = \"237\"\n[money]\nfg = \"238\"",
                Some((3, "money".into(), true)),
            ),
            (
                "[cursor]\nbg = \"green\"\n[good]\nfg = \"green\"",
                Some((3, "good".into(), true)),
            ),
            ("[quote]\nfg = \"#ffffff\"\nbg = \"#000000\"", None),
            ("[quote]\nfg = \"red\"\nbg = \"black\"", None),
            ("[quote]\nfg = \"reset\"\nbg = \"reset\"", None),
            ("[quote]\nfg = \"red\"\nbg = \"#cd0000\"", None),
            ("[quote]\nfg = \"#111111\"", None),
            // Without backgrounds, `good` (white text) is readable only on black and `bad` (black
            // text) only on white. The second of them is reported.
            ("[good]\nfg = \"231\"\n[bad]\nfg = \"16\"", faint(3, "bad")),
            (
                "[text]\nfg = \"231\"\nbg = \"16\"\n[money]\nfg = \"16\"",
                faint(4, "money"),
            ),
            // Both are readable on black, but the background of `text` fills the screen.
            (
                "[text]\nfg = \"231\"\nbg = \"24\"\n[money]\nfg = \"244\"",
                faint(4, "money"),
            ),
            (
                "[text]\nfg = \"231\"\nbg = \"16\"\n[cursor]\nbg = \"254\"",
                Some((1, "text".into(), true)),
            ),
            ("[good]\nfg = \"231\"\n[bad]\nfg = \"250\"", None),
        ] {
            assert_eq!(faint_role(source), expected, "{source}");
        }
    }

    /// True if the theme shows terms in its own colours on this background.
    fn keeps_colours(theme: &Theme, ground: Option<u32>) -> bool {
        let ground = ground.map(|colour| {
            let [_, parts @ ..] = colour.to_be_bytes();
            parts
        });
        let theme = Arc::new(theme.on(ground));
        Arc::ptr_eq(&theme.for_terms(), &theme)
    }

    #[test]
    fn theme_that_could_hide_terms_loses_its_colours() {
        for (source, ground, expected) in [
            ("[text]\nfg = \"#000000\"", Some(0x00_00_00), false),
            ("[text]\nfg = \"#000000\"", Some(0xff_ff_ff), true),
            ("[text]\nfg = \"black\"", Some(0x1e_1e_1e), false),
            (
                "[text]\nfg = \"black\"\nbg = \"#050505\"",
                Some(0xff_ff_ff),
                false,
            ),
            ("[text]\nbg = \"white\"", Some(0x00_00_00), false),
            ("[text]\nbg = \"black\"", Some(0xff_ff_ff), false),
            (
                "[money]\nfg = \"light-blue\"\nbg = \"green\"",
                Some(0x00_00_00),
                false,
            ),
            ("[cursor]\nbg = \"231\"", Some(0x00_00_00), false),
            (
                "[focus]\nfg = \"reset\"\nbg = \"reset\"",
                Some(0x00_00_00),
                true,
            ),
            // The contrast ratio is 2.96 and 3.44.
            ("[good]\nfg = \"240\"", Some(0x00_00_00), false),
            ("[good]\nfg = \"241\"", Some(0x00_00_00), true),
            ("[good]\nfg = \"231\"", None, false),
            ("[good]\nbold = true", None, true),
            // A background of the theme counts instead of the terminal's, if all is fixed.
            ("[text]\nfg = \"231\"\nbg = \"16\"", None, true),
            ("[text]\nfg = \"231\"\nbg = \"16\"", Some(0xff_ff_ff), true),
            ("[text]\nbg = \"16\"", None, false),
            ("[text]\nfg = \"white\"\nbg = \"16\"", None, false),
            ("[text]\nfg = \"231\"\nbg = \"black\"", None, false),
            (
                "[text]\nfg = \"231\"\nbg = \"16\"\n[focus]\nbg = \"reset\"",
                None,
                false,
            ),
            (
                "[text]\nfg = \"231\"\nbg = \"16\"\n[good]\nfg = \"green\"",
                None,
                false,
            ),
            (
                "[text]\nfg = \"231\"\nbg = \"16\"\n[field]\nbg = \"238\"\n[good]\nfg = \"243\"",
                None,
                false,
            ),
        ] {
            let theme = Theme::from_toml(source).unwrap();
            assert_eq!(
                keeps_colours(&theme, ground),
                expected,
                "{source} on {ground:x?}"
            );
        }
        for (name, ground, expected) in [
            ("dark", Some(0x28_2c_34), true),
            ("dark", Some(0xff_ff_ff), false),
            ("light", Some(0xfd_f6_e3), true),
            ("light", Some(0x00_00_00), false),
            ("default", Some(0x00_00_00), true),
            ("default", Some(0xff_ff_ff), false),
            ("default", None, false),
            ("mono", None, true),
            ("mocha", None, true),
            ("mocha", Some(0xff_ff_ff), true),
            ("gruvbox", None, true),
            ("gruvbox", Some(0x00_00_00), true),
            ("high-contrast", None, true),
            ("high-contrast", Some(0xff_ff_ff), true),
        ] {
            let theme = Theme::named(name).unwrap();
            assert_eq!(
                keeps_colours(&theme, ground),
                expected,
                "{name} on {ground:x?}"
            );
        }
        assert_eq!(
            Arc::new(Theme::default()).for_terms(),
            Arc::new(Theme::named("mono").unwrap())
        );
    }
}
