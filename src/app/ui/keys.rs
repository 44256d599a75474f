//! The table of key bindings. It is read from `keys.toml` and from the user's configuration.
//!
//! Key handling, the footer, the help page and the README all use this table.

use std::collections::BTreeMap;

use compact_str::{CompactString, ToCompactString};
use strsim::levenshtein;

use crate::app::ui::Action;
use crate::app::ui::action::KeyScope;
use crate::app::ui::input::Key;
use crate::trade::KeyTable;

/// The table of key bindings. In each scope, it maps a key to an action.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Keymap {
    by_key: BTreeMap<(KeyScope, Key), Action>,
    /// The keys of each action. The index is the number of the action.
    by_action: Vec<BoundKeys>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct BoundKeys {
    keys: Vec<Key>,
    /// The name of the action's first key. It is computed only once, because each page shows about
    /// a dozen key names.
    first: CompactString,
}

/// An error in a table of key bindings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeymapError {
    /// The table contains a scope that does not exist.
    Place(String),
    /// The table contains an action that does not exist in this scope. `nearest` is the action with
    /// the most similar name, if any.
    Action {
        place: String,
        action: String,
        nearest: Option<String>,
    },
    /// The table contains a key that does not exist.
    Key { action: String, key: String },
    /// In the same scope, two actions have the same key.
    Twice {
        key: String,
        place: String,
        first: String,
        second: String,
    },
    /// A key for the actions back, leave or quit also triggers another action in some scope.
    ExitKeyReused {
        key: String,
        way_out: String,
        place: String,
        action: String,
    },
}

impl KeymapError {
    /// The rows of the table that cause the error, each as a scope name and an action name.
    pub fn rows(&self) -> Vec<(&str, &str)> {
        match self {
            KeymapError::Place(_) => vec![],
            KeymapError::Key { action, .. } => {
                let place = Action::named(action).map(|action| action.scope().name());
                place
                    .map(|place| (place, action.as_str()))
                    .into_iter()
                    .collect()
            }
            KeymapError::Action { place, action, .. } => vec![(place, action)],
            KeymapError::Twice {
                place,
                first,
                second,
                ..
            } => {
                vec![(place, second), (place, first)]
            }
            KeymapError::ExitKeyReused {
                way_out,
                place,
                action,
                ..
            } => {
                vec![(place, action), (KeyScope::Anywhere.name(), way_out)]
            }
        }
    }
}

impl Keymap {
    /// Reads a complete table of key bindings.
    ///
    /// # Errors
    ///
    /// Fails if a scope, action or key does not exist, or if two bindings conflict.
    pub fn from_table(table: &KeyTable) -> Result<Keymap, KeymapError> {
        let by_action = vec![BoundKeys::default(); Action::ALL.len()];
        let mut keymap = Keymap {
            by_action,
            ..Keymap::default()
        };
        for (scope_name, rows) in table {
            let scope = KeyScope::ALL
                .into_iter()
                .find(|scope| scope.name() == scope_name);
            let scope = scope.ok_or_else(|| KeymapError::Place(scope_name.clone()))?;
            for (name, keys) in rows {
                let action = Action::named(name).filter(|action| action.scope() == scope);
                let action = action.ok_or_else(|| unknown_action(scope, name))?;
                keymap.bind(action, keys)?;
            }
        }
        keymap.check_exit_keys()?;
        Ok(keymap)
    }

    /// Checks that the keys for back, leave and quit do not trigger another action in any scope. In
    /// a dialog, such another action could confirm a payment.
    fn check_exit_keys(&self) -> Result<(), KeymapError> {
        for way_out in [Action::Back, Action::Leave, Action::Quit] {
            for key in self.keys(way_out) {
                let scopes = KeyScope::ALL
                    .into_iter()
                    .filter(|scope| *scope != KeyScope::Anywhere);
                let mut conflicts = scopes.filter_map(|scope| self.by_key.get(&(scope, *key)));
                if let Some(action) = conflicts.next() {
                    return Err(KeymapError::ExitKeyReused {
                        key: key.to_string(),
                        way_out: way_out.name().into(),
                        place: action.scope().name().into(),
                        action: action.name().into(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Assigns these keys to an action. They replace the keys that the action had before.
    fn bind(&mut self, action: Action, keys: &[String]) -> Result<(), KeymapError> {
        self.by_key
            .retain(|_, bound_action| *bound_action != action);
        let mut parsed = Vec::new();
        for text in keys {
            let key: Key = text.parse().map_err(|()| KeymapError::Key {
                action: action.name().into(),
                key: text.clone(),
            })?;
            if let Some(conflict) = self.by_key.insert((action.scope(), key), action) {
                return Err(KeymapError::Twice {
                    key: text.clone(),
                    place: action.scope().name().into(),
                    first: conflict.name().into(),
                    second: action.name().into(),
                });
            }
            parsed.push(key);
        }
        let first = parsed
            .first()
            .map(Key::to_compact_string)
            .unwrap_or_default();
        self.by_action[action as usize] = BoundKeys {
            keys: parsed,
            first,
        };
        Ok(())
    }

    /// The action that a key triggers. The scopes are searched in order, and the first binding is
    /// used.
    pub fn action(&self, scopes: &[KeyScope], key: Key) -> Option<Action> {
        scopes
            .iter()
            .find_map(|scope| self.by_key.get(&(*scope, key)).copied())
    }

    /// The keys of an action. The footer shows only the first key.
    pub fn keys(&self, action: Action) -> &[Key] {
        self.by_action
            .get(action as usize)
            .map_or(&[], |bound| &bound.keys)
    }

    /// The name of the action's first key. The name is empty if the action has no key.
    pub fn first_key_name(&self, action: Action) -> &str {
        self.by_action
            .get(action as usize)
            .map_or("", |bound| &bound.first)
    }
}

fn unknown_action(scope: KeyScope, name: &str) -> KeymapError {
    let nearest = Action::ALL
        .iter()
        .filter(|action| action.scope() == scope)
        .map(|action| (levenshtein(action.name(), name), action.name()))
        .min()
        .filter(|(distance, _)| *distance <= 3)
        .map(|(_, name)| name.to_owned());
    KeymapError::Action {
        place: scope.name().into(),
        action: name.into(),
        nearest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ui::input::Code;

    fn table(text: &str) -> Result<Keymap, KeymapError> {
        let table: KeyTable = toml::from_str(text).unwrap();
        Keymap::from_table(&table)
    }

    #[test]
    fn key_binding_of_the_first_scope_wins() {
        let keymap = table("[anywhere]\nback = ['Esc']\n[lists]\nopen = ['Enter']").unwrap();
        let scopes = [KeyScope::Lists, KeyScope::Anywhere];
        assert_eq!(
            keymap.action(&scopes, Key::plain(Code::Enter)),
            Some(Action::Open)
        );
        assert_eq!(
            keymap.action(&scopes, Key::plain(Code::Esc)),
            Some(Action::Back)
        );
        assert_eq!(
            keymap.action(&[KeyScope::Anywhere], Key::plain(Code::Enter)),
            None
        );
    }

    #[test]
    fn unknown_action_error_names_the_nearest_action() {
        let expected = KeymapError::Action {
            place: "lists".into(),
            action: "serch".into(),
            nearest: Some("search".into()),
        };
        assert_eq!(table("[lists]\nserch = ['/']").unwrap_err(), expected);
        assert!(table("[nowhere]\nup = ['k']").is_err());
        assert!(table("[lists]\nup = ['Hyper-k']").is_err());
        assert!(matches!(
            table("[lists]\nup = ['k']\ndown = ['k']"),
            Err(KeymapError::Twice { .. })
        ));
    }

    #[test]
    fn exit_key_must_not_trigger_another_action() {
        let keymap_with = |text: &str| {
            let mut table: KeyTable =
                toml::from_str(include_str!("../../../assets/keys.toml")).unwrap();
            let user_table: KeyTable = toml::from_str(text).unwrap();
            user_table.into_iter().for_each(|(place, rows)| {
                table.entry(place).or_default().extend(rows);
            });
            Keymap::from_table(&table)
        };
        for (row, key, way_out) in [
            ("[dialogs]\npress = ['Enter', 'Esc']", "Esc", "back"),
            ("[dialogs]\npress = ['Ctrl-[']", "Esc", "back"),
            ("[dialogs]\npress = ['q']", "q", "quit"),
            ("[dialogs]\nnext-button = ['Ctrl-C']", "Ctrl-C", "leave"),
            ("[anywhere]\nback = ['Ctrl-M']", "Enter", "back"),
            ("[forms]\nsubmit = ['Esc']", "Esc", "back"),
            ("[lists]\nsend = ['q']", "q", "quit"),
        ] {
            let error = keymap_with(row).unwrap_err();
            let KeymapError::ExitKeyReused {
                key: found_key,
                way_out: found_action,
                ..
            } = &error
            else {
                panic!("{row}: {error:?}")
            };
            assert_eq!(
                (found_key.as_str(), found_action.as_str()),
                (key, way_out),
                "{row}"
            );
            let user_table: KeyTable = toml::from_str(row).unwrap();
            let is_user_row = |row: &(&str, &str)| {
                user_table
                    .get(row.0)
                    .is_some_and(|rows| rows.contains_key(row.1))
            };
            assert!(error.rows().iter().any(is_user_row), "{row}");
        }
        for shared in [
            "press = ['Tab']",
            "press = ['Ctrl-I', 'Enter']",
            "next-button = ['Ctrl-M']",
        ] {
            let error = keymap_with(&format!("[dialogs]\n{shared}")).unwrap_err();
            assert!(
                matches!(error, KeymapError::Twice { .. }),
                "{shared}: {error:?}"
            );
        }
        assert!(
            keymap_with(
                "[dialogs]\npress = ['Space', 'F2']\n[anywhere]\nquit = ['Q']\n[lists]\nqr = ['K']"
            )
            .is_ok()
        );
    }
}
