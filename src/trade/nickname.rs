//! Nicknames of destinations: what a seller calls a PIX key.

use std::collections::HashMap;
use std::fmt;

use super::ids::Account;
use super::pix_key::PixKey;
use super::search::searchable;
use super::untrusted::Untrusted;

/// What a seller calls a destination; it stands beside the key and never in its place.
#[derive(Clone, PartialEq, Eq)]
pub struct Nickname(String);

impl Nickname {
    /// The most characters of one.
    pub const MOST: usize = 30;

    /// A text without the white space around it, if it is one short line that can be seen.
    pub fn parse(text: &str) -> Option<Nickname> {
        let text = text.trim();
        let fits = !text.is_empty() && text.chars().count() <= Nickname::MOST;
        let is_seen = Untrusted::from(text).is_clean();
        (fits && is_seen).then(|| Nickname(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Nickname {
    /// It says whose key that is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Nickname({} characters)", self.0.chars().count())
    }
}

/// The nicknames of destinations, each of the account that gave it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Nicknames(HashMap<(Account, PixKey), Nickname>);

impl Nicknames {
    /// Returns what this account calls this key.
    pub fn of(&self, account: &Account, key: &PixKey) -> Option<&Nickname> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&(account.clone(), key.clone()))
    }

    /// Returns all of them, by their names.
    pub fn sorted(&self) -> Vec<(&Account, &PixKey, &Nickname)> {
        let mut all: Vec<_> =
            self.0.iter().map(|((account, key), name)| (account, key, name)).collect();
        all.sort_by_key(|(account, key, name)| (name.as_str(), *account, key.as_str()));
        all
    }

    /// Returns the destinations whose nickname has this part, each with the owner who gave it.
    pub fn with(&self, part: &str) -> Vec<(Account, PixKey)> {
        let part = searchable(part);
        let named = self.0.iter().filter(|(_, name)| searchable(name.as_str()).contains(&part));
        named.map(|((account, key), _)| (account.owner(), key.clone())).collect()
    }
}

impl FromIterator<(Account, PixKey, Nickname)> for Nicknames {
    fn from_iter<T: IntoIterator<Item = (Account, PixKey, Nickname)>>(all: T) -> Nicknames {
        Nicknames(all.into_iter().map(|(whose, key, name)| ((whose, key), name)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nickname_is_one_short_line_that_can_be_seen() {
        assert_eq!(Nickname::parse("  Conta PJ ").unwrap().as_str(), "Conta PJ");
        let long = "ç".repeat(Nickname::MOST);
        assert!(Nickname::parse(&long).is_some());
        let longer = format!("{long}ç");
        for wrong in ["", "   ", "a\nb", "a\u{202e}b", "a\u{1b}[2J", &longer] {
            assert!(Nickname::parse(wrong).is_none(), "{wrong:?}");
        }
        assert!(!format!("{:?}", Nickname::parse("Conta PJ")).contains("PJ"));
    }
}
