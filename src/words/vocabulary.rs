//! The program's own words: those of its messages in both languages. In a recording of the screens,
//! only these words stay readable.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::Lang;

/// The words, in lower case. With its accent, "verá" is no name.
static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let files = Lang::ALL.into_iter().flat_map(Lang::files);
    // The texts of commands are on no screen, and have names as examples.
    let files = files.filter(|(name, _)| *name != "commands.ftl");
    let lines = files.flat_map(|(_, text)| text.lines());
    let texts = lines.filter(|line| !line.starts_with('#'));
    let words = texts
        .flat_map(str::split_whitespace)
        // Addresses and time zones are examples, too.
        .filter(|word| !word.contains(['@', '_']));
    words.flat_map(parts).map(str::to_lowercase).collect()
});

/// True if all words of this text are the program's own. A single letter, such as the name of a
/// key, counts as a word. A number does not.
pub fn has_only_own_words(text: &str) -> bool {
    parts(text).all(|part| {
        let is_letter = part.len() == 1 && part.chars().all(|c| c.is_ascii_alphabetic());
        is_letter || WORDS.contains(&part.to_lowercase())
    })
}

/// The parts of a text between characters that are neither letters nor digits.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_consist_of_own_words() {
        for text in [
            "Você pode reenviar",
            "Outcome unknown",
            "n novo",
            "Ctrl-C",
            "saque(s)",
        ] {
            assert!(has_only_own_words(text), "{text}");
        }
    }

    /// The most frequent first names in Brazil, and words of a description.
    #[test]
    fn names_are_no_own_words() {
        let names = "Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos \
                     Luis Gabriel Rafael Francisca Daniel Marcelo Bruno Eduardo Felipe Antônia \
                     Adriana Juliana Raimundo Rodrigo Márcia Fernanda Patrícia Aline Sandra Camila \
                     Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana Vera Zulmira Silva \
                     Santos Oliveira Souza Pereira Costa Lima Camiseta azul Bolo";
        for name in names.split(' ') {
            assert!(!has_only_own_words(name), "{name}");
        }
    }
}
