//! What was said lately.
//!
//! A frame says most of what the frame before it said, and putting a message together goes through
//! much code that nothing else needs. What is kept is what would be made again: nobody can see that
//! it was kept.

use std::cell::RefCell;
use std::collections::HashMap;

/// The most texts that are kept.
const MOST: usize = 512;

/// The text of a message in the language of this tag, with a number or without, and with nothing
/// else in it: the one that was made before, or else the one that is made now.
pub(super) fn again(
    tag: &'static str,
    id: &str,
    n: Option<u64>,
    make: impl FnOnce() -> String,
) -> String {
    thread_local! {
        static SAID: RefCell<Spoken> = RefCell::default();
    }
    SAID.with_borrow_mut(|said| said.text(id, Variant { tag, n }, make))
}

/// The texts of messages.
#[derive(Debug, Default)]
struct Spoken {
    texts: HashMap<String, Vec<(Variant, String)>>,
    count: usize,
}

/// A message's text in one language and with one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Variant {
    tag: &'static str,
    n: Option<u64>,
}

impl Spoken {
    fn text(&mut self, id: &str, variant: Variant, make: impl FnOnce() -> String) -> String {
        let kept = self.texts.get(id).and_then(|texts| texts.iter().find(|(of, _)| *of == variant));
        if let Some((_, text)) = kept {
            return text.clone();
        }
        if self.count == MOST {
            *self = Spoken::default();
        }
        let text = make();
        self.texts.entry(id.to_owned()).or_default().push((variant, text.clone()));
        self.count += 1;
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_made_once_for_each_language_message_and_number() {
        let mut made = 0;
        let mut say = |tag, id, n| {
            again(tag, id, n, || {
                made += 1;
                format!("{tag} {id} {n:?}")
            })
        };
        for n in [None, Some(1), Some(2), Some(1), None] {
            for id in ["a", "b"] {
                for tag in ["pt-BR", "en"] {
                    assert_eq!(say(tag, id, n), format!("{tag} {id} {n:?}"));
                }
            }
        }
        assert_eq!(made, 3 * 2 * 2);
    }

    #[test]
    fn no_more_is_kept_than_a_screen_has_use_for() {
        let mut said = Spoken::default();
        for n in 0..MOST as u64 * 3 {
            let variant = Variant { tag: "en", n: Some(n) };
            assert_eq!(said.text("a", variant, || n.to_string()), n.to_string());
            assert!(said.texts["a"].len() <= MOST);
        }
    }
}
