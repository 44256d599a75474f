//! The style of names that consist of several words, such as `pixKey` and `pix_key`.

/// How a service joins the words of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameStyle {
    /// `pixKey`
    Camel,
    /// `PixKey`
    Pascal,
    /// `pix_key`
    Snake,
    /// `pix-key`
    Kebab,
}

impl NameStyle {
    const ALL: [NameStyle; 4] = [
        NameStyle::Camel,
        NameStyle::Pascal,
        NameStyle::Snake,
        NameStyle::Kebab,
    ];

    /// The style of the new name, if it has the same words as the old one. A name of one word shows
    /// no style.
    pub fn between(old: &str, new: &str) -> Option<NameStyle> {
        NameStyle::ALL
            .into_iter()
            .find(|style| old != new && style.apply(old).as_deref() == Some(new))
    }

    /// Writes a name in this style. Returns `None` for a name of one word, or of nested members.
    pub fn apply(self, name: &str) -> Option<String> {
        let words = words(name);
        if words.len() < 2 || name.contains('/') {
            return None;
        }
        Some(match self {
            NameStyle::Snake => words.join("_"),
            NameStyle::Kebab => words.join("-"),
            NameStyle::Pascal => words.iter().map(|word| capitalized(word)).collect(),
            NameStyle::Camel => {
                let rest: String = words[1..].iter().map(|word| capitalized(word)).collect();
                format!("{}{rest}", words[0])
            }
        })
    }
}

/// Splits a name into its words, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        let is_separator = matches!(c, '_' | '-');
        if is_separator || c.is_ascii_uppercase() {
            words.push(String::new());
        }
        if !is_separator && let Some(word) = words.last_mut() {
            word.push(c.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| {
        format!("{}{}", first.to_ascii_uppercase(), chars.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_of_one_name_is_applied_to_others() {
        for (old, new, other, expected) in [
            ("pixKey", "pix_key", "pixKeyType", Some("pix_key_type")),
            ("pixKey", "PixKey", "pixKeyType", Some("PixKeyType")),
            ("pix_key", "pixKey", "pix_key_type", Some("pixKeyType")),
            ("pixKey", "pix-key", "pixKeyType", Some("pix-key-type")),
            ("pixKey", "pix_key", "description", None),
            ("pixKey", "chave_pix", "pixKeyType", None),
            ("pixKey", "pix_key_2", "pixKeyType", None),
            ("email", "Email", "pixKeyType", None),
            ("pixKey", "pix_key", "customer/taxId", None),
        ] {
            let style = NameStyle::between(old, new);
            let name = style.and_then(|style| style.apply(other));
            assert_eq!(name.as_deref(), expected, "{old} -> {new}: {other}");
        }
    }
}
