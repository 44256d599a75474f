//! The messages, from files a translator can mend.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

/// A language the program speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// Portuguese, as spoken in Brazil.
    #[default]
    Pt,
    /// English.
    En,
}

impl Lang {
    /// Every language.
    pub const ALL: [Lang; 2] = [Lang::Pt, Lang::En];

    /// Its tag, as given to `--lang`.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::Pt => "pt-BR",
            Lang::En => "en",
        }
    }

    /// The language of a tag or a locale such as `pt_BR.UTF-8`; `None` for others.
    pub fn of_tag(tag: &str) -> Option<Lang> {
        match tag.split(['-', '_', '.', '@']).next()?.to_ascii_lowercase().as_str() {
            "pt" => Some(Lang::Pt),
            "en" => Some(Lang::En),
            _ => None,
        }
    }

    fn id(self) -> LanguageIdentifier {
        self.tag().parse().unwrap_or_default()
    }

    /// The files of a language, in the order they are read.
    ///
    /// The palette's is the first: of the other language it is the only one that is read.
    pub fn files(self) -> [(&'static str, &'static str); FILES] {
        macro_rules! files {
            ($lang:literal) => {
                files!(
                    $lang: "palette", "frame", "panes", "payments", "teaching", "money",
                    "failures", "journal", "commands", "doctor"
                )
            };
            ($lang:literal: $($name:literal),*) => {
                [$((
                    concat!($name, ".ftl"),
                    include_str!(concat!("../../assets/locales/", $lang, "/", $name, ".ftl")),
                )),*]
            };
        }
        match self {
            Lang::Pt => files!("pt-BR"),
            Lang::En => files!("en"),
        }
    }
}

/// The number of files with messages of a language.
const FILES: usize = 10;

/// The words in one language.
///
/// A file is read when a message is not in the ones before it: most are for screens that come
/// later, and the first frame does not wait for them.
pub struct Words {
    lang: Lang,
    masks: bool,
}

type Bundle = FluentBundle<FluentResource>;

impl Words {
    /// The words of a language, of which each run reads what it needs once.
    pub fn of(lang: Lang) -> &'static Words {
        match lang {
            Lang::Pt => &Words { lang: Lang::Pt, masks: false },
            Lang::En => &Words { lang: Lang::En, masks: false },
        }
    }

    /// The same words for a screen that others look at: they name nothing personal in full.
    pub fn masking(lang: Lang) -> &'static Words {
        match lang {
            Lang::Pt => &Words { lang: Lang::Pt, masks: true },
            Lang::En => &Words { lang: Lang::En, masks: true },
        }
    }

    /// The files of this language, each read when it is needed.
    fn files(&self) -> impl Iterator<Item = &'static Bundle> {
        static READ: [[OnceLock<Bundle>; FILES]; 2] =
            [const { [const { OnceLock::new() }; FILES] }; 2];
        let lang = self.lang;
        let files = READ[lang as usize].iter().zip(lang.files());
        files.map(move |(file, (_, source))| file.get_or_init(|| read(lang, source)))
    }

    /// Returns true when personal data is masked.
    pub fn masks(&self) -> bool {
        self.masks
    }

    /// Returns the language.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// Returns true when there is such a message.
    pub fn knows(&self, id: &str) -> bool {
        let (message, attribute) = parts(id);
        let mut messages = self.files().filter_map(|bundle| bundle.get_message(message));
        messages.any(|message| match attribute {
            None => message.value().is_some(),
            Some(name) => message.get_attribute(name).is_some(),
        })
    }

    /// A message; `id.attribute` is an attribute of it.
    pub fn text(&self, id: &str) -> String {
        again(self.lang, id, None, || self.format(id, None))
    }

    /// A message with values in it.
    pub fn with(&self, id: &str, values: &[(&str, &str)]) -> String {
        self.format(id, Some(&arguments(values)))
    }

    /// A message with a number in it, called `$n`, and values.
    pub fn count(&self, id: &str, n: u64, values: &[(&str, &str)]) -> String {
        let counted = || {
            let mut args = arguments(values);
            args.set("n", n);
            self.format(id, Some(&args))
        };
        // One with values is as good as new each time.
        match values {
            [] => again(self.lang, id, Some(n), counted),
            _ => counted(),
        }
    }

    fn format(&self, id: &str, args: Option<&FluentArgs>) -> String {
        let parts = parts(id);
        let text = self.files().find_map(|bundle| format(bundle, parts, args));
        text.unwrap_or_else(|| {
            debug_assert!(false, "no message `{id}` in {}", self.lang.tag());
            id.to_owned()
        })
    }
}

/// The values, with room for a number.
fn arguments<'v>(values: &[(&'v str, &'v str)]) -> FluentArgs<'v> {
    let mut args = FluentArgs::with_capacity(values.len() + 1);
    for (name, value) in values {
        args.set(*name, FluentValue::from(*value));
    }
    args
}

/// A message of one file; `None` when it is in another one.
fn format(
    bundle: &Bundle,
    (id, attribute): (&str, Option<&str>),
    args: Option<&FluentArgs>,
) -> Option<String> {
    let message = bundle.get_message(id)?;
    let pattern = match attribute {
        None => message.value(),
        Some(name) => message.get_attribute(name).map(|attribute| attribute.value()),
    };
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern?, args, &mut errors).into_owned();
    debug_assert!(errors.is_empty(), "message `{id}`: {errors:?}");
    Some(text)
}

/// Reads the words of a file.
fn read(lang: Lang, source: &str) -> Bundle {
    let mut bundle = FluentBundle::new_concurrent(vec![lang.id()]);
    // The marks around values would reach the screen, and the clipboard with it.
    bundle.set_use_isolating(false);
    // A faulty message is left out and a test fails; the rest is still worth having.
    let resource = FluentResource::try_new(source.to_owned());
    bundle.add_resource_overriding(resource.unwrap_or_else(|(resource, _)| resource));
    bundle
}

fn parts(id: &str) -> (&str, Option<&str>) {
    id.split_once('.').map_or((id, None), |(message, attribute)| (message, Some(attribute)))
}

/// The most texts that are kept.
///
/// A frame says most of what the frame before it said, and putting a message together goes through
/// much code that nothing else needs. What is kept is what would be made again.
const MOST: usize = 512;

thread_local! {
    /// The texts that were made, by language and number and then by message.
    static KEPT: RefCell<KeptTexts> = RefCell::default();
}

type KeptTexts = HashMap<(Lang, Option<u64>), HashMap<String, String>>;

/// The text of a message in this language, with a number or without, and with nothing else in it:
/// the one that was made before, or else the one that is made now.
fn again(lang: Lang, id: &str, n: Option<u64>, make: impl FnOnce() -> String) -> String {
    KEPT.with_borrow_mut(|kept| {
        if let Some(text) = kept.get(&(lang, n)).and_then(|texts| texts.get(id)) {
            return text.clone();
        }
        if kept.values().map(HashMap::len).sum::<usize>() == MOST {
            kept.clear();
        }
        let text = make();
        kept.entry((lang, n)).or_default().insert(id.to_owned(), text.clone());
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_parse_and_messages_are_unique() {
        for lang in Lang::ALL {
            let mut bundle = FluentBundle::new_concurrent(vec![lang.id()]);
            for (file, source) in lang.files() {
                let resource = FluentResource::try_new(source.to_owned())
                    .map_err(|(_, errors)| format!("{} {file}: {errors:?}", lang.tag()))
                    .unwrap();
                if let Err(errors) = bundle.add_resource(resource) {
                    panic!("{} {file}: {errors:?}", lang.tag());
                }
            }
        }
    }

    #[test]
    fn values_reach_the_screen_without_invisible_marks() {
        let words = Words::of(Lang::Pt);
        let text = words.with("wait-line", &[("what", "x"), ("seconds", "3"), ("key", "Esc")]);
        assert!(text.contains("3 s") && !text.contains('\u{2068}'), "{text}");
    }

    #[test]
    fn a_locale_names_a_language() {
        assert_eq!(Lang::of_tag("pt_BR.UTF-8"), Some(Lang::Pt));
        assert_eq!(Lang::of_tag("en-GB"), Some(Lang::En));
        assert_eq!(Lang::of_tag("C.UTF-8"), None);
        assert_eq!(Lang::of_tag(""), None);
    }

    #[test]
    fn text_is_cached_by_language_message_and_number() {
        let mut made = 0;
        let mut say = |lang, id, n| {
            again(lang, id, n, || {
                made += 1;
                format!("{lang:?} {id} {n:?}")
            })
        };
        for n in [None, Some(1), Some(2), Some(1), None] {
            for id in ["a", "b"] {
                for lang in Lang::ALL {
                    assert_eq!(say(lang, id, n), format!("{lang:?} {id} {n:?}"));
                }
            }
        }
        assert_eq!(made, 3 * 2 * 2);
    }

    #[test]
    fn no_more_is_kept_than_a_screen_has_use_for() {
        for n in 0..MOST as u64 * 3 {
            assert_eq!(again(Lang::En, "a", Some(n), || n.to_string()), n.to_string());
            let count: usize = KEPT.with_borrow(|kept| kept.values().map(HashMap::len).sum());
            assert!(count <= MOST);
        }
    }
}
