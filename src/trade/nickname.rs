//! The nicknames that sellers give to Pix keys.

use std::collections::HashMap;
use std::fmt;

use super::ids::Account;
use super::pix_key::PixKey;
use super::search::searchable;
use super::untrusted::Untrusted;

/// The seller's own name for a Pix key. Screens show the nickname next to the key, but never
/// instead of the key.
#[derive(Clone, PartialEq, Eq)]
pub struct Nickname(String);

impl Nickname {
    /// The maximum number of characters of a nickname.
    pub const MAX_CHARS: usize = 30;

    /// Trims the text and returns it as a nickname. Returns `None` if the text is empty, is too
    /// long, or contains line breaks or invisible characters.
    pub fn parse(text: &str) -> Option<Nickname> {
        let text = text.trim();
        let fits = !text.is_empty() && text.chars().count() <= Nickname::MAX_CHARS;
        let is_visible = Untrusted::from(text).is_clean();
        (fits && is_visible).then(|| Nickname(text.to_owned()))
    }

    /// Returns the text of the nickname.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if the nickname contains `part`. Case and accents are ignored.
    pub fn contains(&self, part: &str) -> bool {
        searchable(&self.0).contains(&searchable(part))
    }
}

impl fmt::Debug for Nickname {
    /// Hides the text of the nickname, because it may be a person's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Nickname({} characters)", self.0.chars().count())
    }
}

/// The nicknames of Pix keys. Each account has its own nicknames.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Nicknames(HashMap<(Account, PixKey), Nickname>);

impl Nicknames {
    /// Returns the nickname that this account gave to this key.
    pub fn of(&self, account: &Account, key: &PixKey) -> Option<&Nickname> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&(account.clone(), key.clone()))
    }

    /// Returns all nicknames, sorted by text.
    pub fn sorted(&self) -> Vec<(&Account, &PixKey, &Nickname)> {
        let mut all: Vec<_> =
            self.0.iter().map(|((account, key), name)| (account, key, name)).collect();
        all.sort_by_key(|(account, key, name)| (name.as_str(), *account, key.as_str()));
        all
    }

    /// Returns the keys whose nickname contains `part`, each with the account that gave the
    /// nickname. Case and accents are ignored.
    pub fn keys_matching(&self, part: &str) -> Vec<(Account, PixKey)> {
        let matching = self.0.iter().filter(|(_, name)| name.contains(part));
        matching.map(|((account, key), _)| (account.normalized(), key.clone())).collect()
    }
}

impl FromIterator<(Account, PixKey, Nickname)> for Nicknames {
    fn from_iter<T: IntoIterator<Item = (Account, PixKey, Nickname)>>(entries: T) -> Nicknames {
        Nicknames(entries.into_iter().map(|(account, key, name)| ((account, key), name)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nickname_is_a_short_visible_line() {
        assert_eq!(Nickname::parse("  Conta PJ ").unwrap().as_str(), "Conta PJ");
        let long = "ç".repeat(Nickname::MAX_CHARS);
        assert!(Nickname::parse(&long).is_some());
        let longer = format!("{long}ç");
        for invalid in ["", "   ", "a\nb", "a\u{202e}b", "a\u{1b}[2J", &longer] {
            assert!(Nickname::parse(invalid).is_none(), "{invalid:?}");
        }
        assert!(!format!("{:?}", Nickname::parse("Conta PJ")).contains("PJ"));
    }
}
