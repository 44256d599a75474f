//! Texts about the settings of the API contract that the seller must agree to. They show the values
//! and effects of settings, and warn about look-alike letters.

use std::ops::Range;

use crate::contract::{SettingChange, foreign_letters, is_foreign_letter};
use crate::trade::Untrusted;
use crate::words::Catalogue;

/// The text with each look-alike letter (such as a Cyrillic `а`) replaced by its Unicode number.
pub fn escape_look_alikes(text: &Untrusted) -> String {
    let mut visible_text = String::new();
    for c in text.shown_whole().chars() {
        if is_foreign_letter(c) {
            visible_text.push_str(&format!("‹U+{:04X}›", u32::from(c)));
        } else {
            visible_text.push(c);
        }
    }
    visible_text
}

/// The message id of the reason why the seller must agree to these settings.
pub fn reason(changes: &[SettingChange]) -> &'static str {
    if changes.iter().any(|change| change.changed_since_agreement) {
        return "consent-why-again";
    }
    if changes.iter().all(SettingChange::is_base_url) {
        "consent-why-origin"
    } else {
        "consent-why"
    }
}

/// The old and the new value of a setting of the API contract, as text for the screen.
pub fn old_and_new_value(words: &Catalogue, line: &SettingChange) -> [String; 2] {
    let shown = |value: &Option<Untrusted>, none: &str| match value {
        Some(value) => escape_look_alikes(value),
        None => words.text(none),
    };
    let no_old_value = if line.is_base_url() {
        "consent-no-origin"
    } else {
        "consent-was-not"
    };
    [
        shown(&line.old, no_old_value),
        shown(&line.new, "consent-is-not"),
    ]
}

/// The warnings about a changed setting of the API contract. They explain the setting's effect, and
/// name any look-alike letters in it.
pub fn warnings(words: &Catalogue, line: &SettingChange) -> Vec<String> {
    let meaning = line.explanation.iter().map(|(message, value)| {
        words.with(
            message,
            &[(
                "value",
                &*escape_look_alikes(&Untrusted::from(value.as_str())),
            )],
        )
    });
    let raw = line.new.as_ref().map_or("", Untrusted::raw);
    let letters = foreign_letters(&format!("{}{raw}", line.name.raw()));
    let letters: Vec<String> = letters
        .iter()
        .take(8)
        .map(|c| format!("U+{:04X}", u32::from(*c)))
        .collect();
    let letter_warning = (!letters.is_empty())
        .then(|| words.with("consent-letters", &[("letters", &letters.join(", "))]));
    meaning.chain(letter_warning).collect()
}

/// The part of each text that differs: everything between their common beginning and their common
/// end.
pub fn differing(old: &str, new: &str) -> [Range<usize>; 2] {
    let start = common_len(old.chars().zip(new.chars()));
    let old_rest = &old[start..];
    let new_rest = &new[start..];
    let end = common_len(old_rest.chars().rev().zip(new_rest.chars().rev()));
    [start..old.len() - end, start..new.len() - end]
}

/// The number of bytes at the beginning in which both texts are equal.
fn common_len(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Contract;
    use crate::words::Lang;

    #[test]
    fn differing_parts_leave_out_what_both_share() {
        let differing_parts = |old: &str, new: &str| {
            let [a, b] = differing(old, new);
            (old[a].to_owned(), new[b].to_owned())
        };
        let expected = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            differing_parts("\"/api/v1/links\"", "\"/api/v2/links\""),
            expected("1", "2")
        );
        assert_eq!(differing_parts("aa", "aaa"), expected("", "a"));
        assert_eq!(differing_parts("ação", "acao"), expected("çã", "ca"));
        assert_eq!(differing_parts("same", "same"), expected("", ""));
    }

    #[test]
    fn look_alike_letter_is_shown_by_number() {
        let shown = |text: &str| super::escape_look_alikes(&Untrusted::from(text));
        assert_eq!(shown("l\u{430}drao"), "l‹U+0430›drao");
        assert_eq!(shown("“Ação à vista” – ok"), "“Ação à vista” – ok");
    }

    #[test]
    fn warnings_explain_the_effect_of_a_setting() {
        for (toml, expected) in [
            (
                "login.field.password.name = 'memo'",
                "senha é enviada com o nome “memo”",
            ),
            (
                "create_link.unit = 'centavos'",
                "R$ 49,90 é enviado como 4990",
            ),
            ("domains.host = ['/h\u{43e}st']", "U+043E"),
        ] {
            let contract = Contract::with(&[("loja.toml", toml)]).unwrap();
            let [line] = &contract.settings_to_agree(None)[..] else {
                panic!("{toml}")
            };
            let warnings = warnings(Catalogue::of(Lang::Pt), line).join(" ");
            assert!(warnings.contains(expected), "{warnings}");
        }
    }
}
