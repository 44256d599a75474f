//! The caption that a step of a story shows the audience, with the seller's own keys in it.

use std::sync::LazyLock;

use serde::Deserialize;

use super::unknown_name::unknown;
use crate::app::store::story::{MOST_ROWS, beside_key};
use crate::app::ui::action::Action;
use crate::app::ui::keys::Keymap;
use crate::config;
use crate::words::Lang;

/// The columns that a caption has behind `10/10`, at the width the app must be beautiful at.
const COLUMNS: usize = 71;

/// The columns of the last row that the key has which goes on, `Space ›`.
const KEY: usize = 8;

/// A caption in the languages it is written in; `{new}` stands for the key of that action.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Caption {
    #[serde(rename = "pt-BR")]
    pt: Option<String>,
    en: Option<String>,
}

impl Caption {
    /// The words in this language, else in the other, with these keys.
    pub fn words(&self, lang: Lang, keys: &Keymap) -> String {
        let (first, other) = match lang {
            Lang::Pt => (&self.pt, &self.en),
            Lang::En => (&self.en, &self.pt),
        };
        let words = first.as_ref().or(other.as_ref()).map_or("", String::as_str);
        let key = |name: &str| Some(key_of(Action::named(name)?, keys));
        with_keys(words, |name| key(name).ok_or(())).unwrap_or_else(|()| words.to_owned())
    }

    /// Returns true when it is written in every language.
    #[cfg(test)]
    pub fn is_in_both(&self) -> bool {
        self.pt.is_some() && self.en.is_some()
    }

    /// Refuses what does not fit in its rows and what names no action.
    pub fn checked(self) -> Result<Caption, String> {
        static KEYS: LazyLock<Keymap> =
            LazyLock::new(|| Keymap::from_table(&config::built_in_keys()).unwrap_or_default());
        for words in [&self.pt, &self.en].into_iter().flatten() {
            let shown = with_keys(words, |name| match Action::named(name) {
                Some(action) => Ok(key_of(action, &KEYS)),
                None => Err(unknown("caption", name, Action::ALL.iter().map(|it| it.name()))),
            })?;
            let rows = beside_key(&shown, COLUMNS, KEY).len();
            if rows > MOST_ROWS {
                return Err(format!(
                    "a caption takes {rows} rows of {COLUMNS} columns here, at most {MOST_ROWS}, \
                     the last of them {}",
                    COLUMNS - KEY
                ));
            }
        }
        Ok(self)
    }
}

/// The words with every `{name}` replaced.
fn with_keys<E>(words: &str, key: impl Fn(&str) -> Result<String, E>) -> Result<String, E> {
    let mut parts = words.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}') {
            Some((name, rest)) => filled += &format!("{}{rest}", key(name)?),
            None => filled += &format!("{{{part}"),
        }
    }
    Ok(filled)
}

/// The first key of an action; whatever has none is in the palette.
fn key_of(action: Action, keys: &Keymap) -> String {
    let first = |action| keys.keys(action).first().map(ToString::to_string);
    first(action).or_else(|| first(Action::Palette)).unwrap_or_else(|| action.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(own: &str) -> Keymap {
        let mut table = config::built_in_keys();
        let own: crate::trade::KeyTable = toml::from_str(own).unwrap();
        for (place, rows) in own {
            table.entry(place).or_default().extend(rows);
        }
        Keymap::from_table(&table).unwrap()
    }

    fn caption(words: &str) -> Caption {
        Caption { pt: Some(words.into()), en: None }
    }

    #[test]
    fn the_keys_are_those_of_the_seller() {
        let said = |own| caption("{withdrawals}, depois {new}.").words(Lang::En, &keys(own));
        assert_eq!(said(""), "3, depois n.");
        assert_eq!(
            said("[lists]\nnew = ['i', 'n']\n[anywhere]\nwithdrawals = ['F3']"),
            "F3, depois i."
        );
        assert_eq!(said("[lists]\nnew = []"), "3, depois Ctrl-K.", "the palette has everything");
    }

    #[test]
    fn a_caption_that_names_no_action_or_is_too_long_is_refused() {
        let refused = caption("{nwe}").checked().unwrap_err();
        assert!(refused.contains("`nwe`") && refused.contains("`new`"), "{refused}");
        let most = MOST_ROWS * COLUMNS - KEY;
        assert!(caption(&"x".repeat(most)).checked().is_ok());
        assert!(caption(&"x".repeat(most + 1)).checked().is_err(), "it has a key beside it");
        let long_names = caption(&"{withdrawals}".repeat(COLUMNS));
        assert_eq!(long_names.checked().unwrap().words(Lang::Pt, &keys("")).len(), COLUMNS);
        assert_eq!(caption("{ and }").words(Lang::Pt, &keys("")), "{ and }", "no action's name");
    }
}
