//! The nicknames that sellers give to Pix keys.

use std::collections::BTreeMap;
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

    /// The text of the nickname.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True if the nickname contains `part`. Case and accents are ignored.
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

/// The result of looking up nicknames: for each Pix key and account that was looked up, the
/// nickname or `None`. Each account has its own nicknames.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Nicknames(BTreeMap<PixKey, BTreeMap<Account, Option<Nickname>>>);

impl Nicknames {
    /// The nickname that this account gave to this key.
    pub fn of(&self, account: &Account, key: &PixKey) -> Option<&Nickname> {
        self.0.get(key)?.get(account)?.as_ref()
    }

    /// True if the nickname of this key was looked up, even if it has none.
    pub fn contains(&self, account: &Account, key: &PixKey) -> bool {
        self.0
            .get(key)
            .is_some_and(|by_account| by_account.contains_key(account))
    }

    /// Stores the result of looking up a key.
    pub fn insert(&mut self, account: Account, key: PixKey, name: Option<Nickname>) {
        self.0.entry(key).or_default().insert(account, name);
    }

    /// Adds newer results, which replace the earlier results of the same keys.
    pub fn update(&mut self, newer: &Nicknames) {
        for (key, by_account) in &newer.0 {
            let names = by_account
                .iter()
                .map(|(account, name)| (account.clone(), name.clone()));
            self.0.entry(key.clone()).or_default().extend(names);
        }
    }

    /// The keys that were looked up, each with its account.
    pub fn keys(&self) -> impl Iterator<Item = (&Account, &PixKey)> {
        self.0
            .iter()
            .flat_map(|(key, by_account)| by_account.keys().map(move |owner| (owner, key)))
    }
}

impl FromIterator<(Account, PixKey, Nickname)> for Nicknames {
    fn from_iter<T: IntoIterator<Item = (Account, PixKey, Nickname)>>(entries: T) -> Nicknames {
        let mut nicknames = Nicknames::default();
        for (account, key, name) in entries {
            nicknames.insert(account, key, Some(name));
        }
        nicknames
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
