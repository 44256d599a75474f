//! Themes: what each role looks like.

mod contrast;

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::app::ui::Role;

pub use contrast::LEAST_CONTRAST;
use contrast::faint;
pub(super) use contrast::luminance;

/// Colours and attributes for every role.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    styles: BTreeMap<Role, Style>,
}

/// The reason a theme could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    /// It is not of the form of a theme.
    #[error("{0}")]
    Shape(#[from] toml::de::Error),
    /// No such colour.
    #[error("`{0}` is not a colour; write it like red, light-blue, 208 or #d75f00")]
    Color(String),
    /// The text of a role cannot be read on its ground.
    #[error("line {}: [{}] cannot be read", .0.line, .0.role)]
    Faint(FaintRole),
}

/// A role whose text cannot be read on its ground: it could hide what is agreed to.
#[derive(Debug, Clone, PartialEq)]
pub struct FaintRole {
    /// The line on which the role begins.
    pub line: usize,
    /// The name of the role.
    pub role: String,
    /// The colour of the text.
    pub text: Color,
    /// The colour of the ground.
    pub ground: Color,
    /// True if the ground is that of the cursor's row.
    pub is_under_cursor: bool,
    /// The contrast; `None` if both are the same colour of the terminal, which nobody can measure.
    pub contrast: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    fg: Option<String>,
    bg: Option<String>,
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
    /// The names of the themes that come with the program.
    pub const NAMES: [&str; 4] = ["default", "light", "dark", "mono"];

    /// A theme that comes with the program.
    pub fn named(name: &str) -> Option<Theme> {
        let source = match name {
            "default" => include_str!("../../assets/themes/default.toml"),
            "light" => include_str!("../../assets/themes/light.toml"),
            "dark" => include_str!("../../assets/themes/dark.toml"),
            "mono" => include_str!("../../assets/themes/mono.toml"),
            _ => return None,
        };
        Theme::from_toml(source).ok()
    }

    /// Reads a theme; a role it does not name looks like ordinary text.
    ///
    /// The colours of a role must be told apart: what is agreed to is read in them. One ground must
    /// do for all roles that have none of their own. A colour of the terminal's own beside a stated
    /// one cannot be measured, and is taken.
    pub fn from_toml(source: &str) -> Result<Theme, ThemeError> {
        let written: BTreeMap<Role, toml::Spanned<Written>> = toml::from_str(source)?;
        let mut theme = Theme { styles: BTreeMap::new() };
        for (role, written) in &written {
            theme.styles.insert(*role, written.get_ref().style()?);
        }
        let cursor = theme.style(Role::Cursor);
        for (role, written) in &written {
            let style = theme.style(*role);
            let is_under_cursor = style.bg.is_none();
            let text = if is_under_cursor { cursor.fg.or(style.fg) } else { style.fg };
            let (Some(text), Some(ground)) = (text, style.bg.or(cursor.bg)) else { continue };
            if let Some(contrast) = faint(text, ground) {
                let pair = (text, ground);
                return Err(too_faint(source, (role, written), pair, is_under_cursor, contrast));
            }
        }
        let faint_on = |ground: Color| {
            written.iter().find_map(|(role, written)| {
                let style = theme.style(*role);
                let is_bare = style.bg.is_none() || *role == Role::Text;
                let text = style.fg.filter(|_| is_bare)?;
                Some(((role, written), (text, ground), faint(text, ground)?))
            })
        };
        let [dark, light] = [Color::Indexed(16), Color::Indexed(231)].map(faint_on);
        if let (Some(dark), Some(light)) = (dark, light) {
            let is_later = dark.0.1.span().start > light.0.1.span().start;
            let (at, pair, contrast) = if is_later { dark } else { light };
            return Err(too_faint(source, at, pair, false, contrast));
        }
        Ok(theme)
    }

    /// The style of a role; an alarm that a theme does not know looks like the banner, and the mark
    /// of real money like what is strong.
    pub fn style(&self, role: Role) -> Style {
        let instead = match role {
            Role::Alarm => Some(Role::Banner),
            Role::Live => Some(Role::Strong),
            _ => None,
        };
        let own = self.styles.get(&role);
        let own = own.or_else(|| self.styles.get(&instead?));
        own.copied().unwrap_or_default()
    }
}

impl Default for Theme {
    fn default() -> Theme {
        Theme::named("default").unwrap_or(Theme { styles: BTreeMap::new() })
    }
}

impl Written {
    fn style(&self) -> Result<Style, ThemeError> {
        let mut style = Style::new();
        if let Some(fg) = &self.fg {
            style = style.fg(color(fg)?);
        }
        if let Some(bg) = &self.bg {
            style = style.bg(color(bg)?);
        }
        let attributes = [
            (self.bold, Modifier::BOLD),
            (self.dim, Modifier::DIM),
            (self.italic, Modifier::ITALIC),
            (self.underline, Modifier::UNDERLINED),
            (self.reversed, Modifier::REVERSED),
        ];
        if self.bold && !self.dim {
            // Most terminals have one weight for both, and show what is bold and dim as dim.
            style = style.remove_modifier(Modifier::DIM);
        }
        let wanted = attributes.into_iter().filter(|(wanted, _)| *wanted);
        Ok(wanted.fold(style, |style, (_, attribute)| style.add_modifier(attribute)))
    }
}

/// The error about a role whose text is lost in its ground.
fn too_faint(
    source: &str,
    (role, written): (&Role, &toml::Spanned<Written>),
    (text, ground): (Color, Color),
    is_under_cursor: bool,
    contrast: Option<f64>,
) -> ThemeError {
    let before = source.get(..written.span().start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let role = format!("{role:?}").to_lowercase();
    ThemeError::Faint(FaintRole { line, role, text, ground, is_under_cursor, contrast })
}

fn color(name: &str) -> Result<Color, ThemeError> {
    name.parse().map_err(|_| ThemeError::Color(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_of_the_program_reads() {
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
    fn a_fault_in_a_theme_is_named() {
        let fault = |source| Theme::from_toml(source).unwrap_err().to_string();
        assert!(fault("[money]\nfg = \"reddish\"").contains("`reddish` is not a colour"));
        assert!(fault("[mony]\nfg = \"red\"").contains("mony"));
        assert!(fault("[money]\nblink = true").contains("blink"));
    }

    #[test]
    fn text_that_is_lost_in_its_ground_is_refused() {
        let faint = |source| match Theme::from_toml(source) {
            Err(ThemeError::Faint(faint)) => Some((faint.line, faint.role, faint.is_under_cursor)),
            Ok(_) => None,
            Err(other) => panic!("{other}"),
        };
        let own = |line, role: &str| Some((line, role.to_owned(), false));
        for (source, expected) in [
            ("[dim]\nbold = true\n\n[text]\nfg = \"#111111\"\nbg = \"#111111\"", own(4, "text")),
            ("[quote]\nfg = \"#777777\"\nbg = \"#888888\"", own(1, "quote")),
            ("[quote]\nfg = \"16\"\nbg = \"#000000\"\nreversed = true", own(1, "quote")),
            ("[quote]\nfg = \"red\"\nbg = \"1\"", own(1, "quote")),
            ("[quote]\nfg = \"12\"\nbg = \"light-blue\"", own(1, "quote")),
            ("[cursor]\nbg = \"237\"\n[money]\nfg = \"238\"", Some((3, "money".into(), true))),
            ("[cursor]\nbg = \"green\"\n[good]\nfg = \"green\"", Some((3, "good".into(), true))),
            ("[quote]\nfg = \"#ffffff\"\nbg = \"#000000\"", None),
            ("[quote]\nfg = \"red\"\nbg = \"black\"", None),
            ("[quote]\nfg = \"reset\"\nbg = \"reset\"", None),
            ("[quote]\nfg = \"red\"\nbg = \"#cd0000\"", None),
            ("[quote]\nfg = \"#111111\"", None),
            // One ground for both, or none.
            ("[good]\nfg = \"231\"\n[bad]\nfg = \"16\"", own(3, "bad")),
            ("[text]\nfg = \"231\"\nbg = \"16\"\n[money]\nfg = \"16\"", own(4, "money")),
            ("[good]\nfg = \"231\"\n[bad]\nfg = \"250\"", None),
        ] {
            assert_eq!(faint(source), expected, "{source}");
        }
    }
}
