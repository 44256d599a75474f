//! Texts about the settings of the API contract that the seller must agree to. They show the values
//! and effects of settings, and warn about look-alike letters.

use std::ops::Range;

use crate::contract::{LineChange, foreign_letters, is_foreign_letter};
use crate::trade::Untrusted;
use crate::words::Catalogue;

/// Replaces each look-alike letter in the text (such as a Cyrillic `а`) by its Unicode number.
pub fn shown(text: &Untrusted) -> String {
    let mut shown = String::new();
    for c in text.shown_whole().chars() {
        match is_foreign_letter(c) {
            true => shown.push_str(&format!("‹U+{:04X}›", u32::from(c))),
            false => shown.push(c),
        }
    }
    shown
}

/// Returns the old and the new value of a setting of the API contract, as text for the screen.
pub fn values(words: &Catalogue, line: &LineChange) -> [String; 2] {
    let shown = |value: &Option<Untrusted>, none: &str| match value {
        Some(value) => shown(value),
        None => words.text(none),
    };
    [shown(&line.old, "consent-was-not"), shown(&line.new, "consent-is-not")]
}

/// Returns the warnings about a changed setting of the API contract. They explain the setting's
/// effect, and name any look-alike letters in it.
pub fn warnings(words: &Catalogue, line: &LineChange) -> Vec<String> {
    let meaning = line.meaning.iter().map(|(message, value)| {
        words.with(message, &[("value", &*shown(&Untrusted::from(value.as_str())))])
    });
    let raw = line.new.as_ref().map_or("", Untrusted::raw);
    let letters = foreign_letters(&format!("{}{raw}", line.name.raw()));
    let letter = |c: &char| format!("U+{:04X}", u32::from(*c));
    let letters: Vec<String> = letters.iter().take(8).map(letter).collect();
    let odd = (!letters.is_empty())
        .then(|| words.with("consent-letters", &[("letters", &letters.join(", "))]));
    meaning.chain(odd).collect()
}

/// Returns the part of each text that differs from the other text. This is everything between their
/// common beginning and their common end.
pub fn differing(old: &str, new: &str) -> [Range<usize>; 2] {
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
    };
    let start = same(&mut old.chars().zip(new.chars()));
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = same(&mut old_rest.chars().rev().zip(new_rest.chars().rev()));
    [start..old.len() - end, start..new.len() - end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Contract;
    use crate::words::Lang;

    #[test]
    fn differing_parts_leave_out_what_both_share() {
        let parts = |old: &str, new: &str| {
            let [a, b] = differing(old, new);
            (old[a].to_owned(), new[b].to_owned())
        };
        let part = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(parts("\"/api/v1/links\"", "\"/api/v2/links\""), part("1", "2"));
        assert_eq!(parts("aa", "aaa"), part("", "a"));
        assert_eq!(parts("ação", "acao"), part("çã", "ca"));
        assert_eq!(parts("same", "same"), part("", ""));
    }

    #[test]
    fn look_alike_letter_is_shown_by_number() {
        let shown = |text: &str| super::shown(&Untrusted::from(text));
        assert_eq!(shown("l\u{430}drao"), "l‹U+0430›drao");
        assert_eq!(shown("“Ação à vista” – ok"), "“Ação à vista” – ok");
    }

    #[test]
    fn words_say_what_a_line_does() {
        for (file, said) in [
            ("login.field.password.name = 'memo'", "senha é enviada com o nome “memo”"),
            ("create_link.unit = 'centavos'", "R$ 49,90 é enviado como 4990"),
            ("domains.host = ['/h\u{43e}st']", "U+043E"),
        ] {
            let contract = Contract::with(&[("loja.toml", file)]).unwrap();
            let [line] = &contract.to_agree(None)[..] else { panic!("{file}") };
            let warnings = warnings(Catalogue::of(Lang::Pt), line).join(" ");
            assert!(warnings.contains(said), "{warnings}");
        }
    }
}
