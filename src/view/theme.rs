//! Themes: what each role looks like.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::app::ui::Role;

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
    pub fn from_toml(source: &str) -> Result<Theme, ThemeError> {
        let written: BTreeMap<Role, Written> = toml::from_str(source)?;
        let styles = written.into_iter().map(|(role, written)| Ok((role, written.style()?)));
        Ok(Theme { styles: styles.collect::<Result<_, ThemeError>>()? })
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

fn color(name: &str) -> Result<Color, ThemeError> {
    name.parse().map_err(|_| ThemeError::Color(name.to_owned()))
}

#[cfg(test)]
mod contrast;

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
}
