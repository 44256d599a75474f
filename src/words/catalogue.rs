//! Looks up messages in the language files, which are in the Fluent format.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

/// A language of the user interface.
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

    /// The language tag, as accepted by `--lang`.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::Pt => "pt-BR",
            Lang::En => "en",
        }
    }

    /// The name of the language in that language, such as `português`.
    pub fn own_name(self) -> &'static str {
        match self {
            Lang::Pt => "português",
            Lang::En => "English",
        }
    }

    /// The language for a tag or locale, such as `pt_BR.UTF-8`. Returns `None` if the language is
    /// not supported.
    pub fn of_tag(tag: &str) -> Option<Lang> {
        match tag
            .split(['-', '_', '.', '@'])
            .next()?
            .to_ascii_lowercase()
            .as_str()
        {
            "pt" => Some(Lang::Pt),
            "en" => Some(Lang::En),
            _ => None,
        }
    }

    fn id(self) -> LanguageIdentifier {
        self.tag().parse().unwrap_or_default()
    }

    /// The names and contents of the message files, in search order.
    ///
    /// The file with the texts of the command palette comes first, because the palette also
    /// searches these texts in the other language. No other file of that language then needs to be
    /// parsed.
    pub fn files(self) -> [(&'static str, &'static str); FILES] {
        macro_rules! files {
            ($lang:literal) => {
                files!(
                    $lang: "palette", "frame", "panes", "payments", "teaching", "money",
                    "failures", "journal", "commands", "doctor", "kiosk", "batch", "import",
                    "report", "export", "team", "stream", "support", "play"
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

/// The number of message files for each language.
const FILES: usize = 19;

/// Access to the messages of one language.
///
/// The message files are parsed one after another until a message is found. The first frame is
/// drawn sooner this way, because the files of other screens are not parsed yet.
#[derive(Clone, Copy)]
pub struct Catalogue {
    lang: Lang,
    masks: bool,
    ascii: bool,
}

/// The check mark, and the wider text that replaces it on screens with only ASCII symbols.
const CHECK_MARK: (char, &str) = ('✓', "ok");

type Bundle = FluentBundle<FluentResource>;

impl Catalogue {
    /// The messages of a language, without masking personal data. Each message file is parsed at
    /// most once per process.
    pub fn of(lang: Lang) -> &'static Catalogue {
        Catalogue::with_look(lang, false, false)
    }

    /// The messages of a language, with personal data masked. Use this while other people can see
    /// the screen.
    pub fn masking(lang: Lang) -> &'static Catalogue {
        Catalogue::with_look(lang, true, false)
    }

    /// The messages of a language for a screen. If `masks` is true, personal data is masked. If
    /// `ascii` is true, the texts contain only ASCII symbols.
    pub fn with_look(lang: Lang, masks: bool, ascii: bool) -> &'static Catalogue {
        const fn of(lang: Lang) -> [[Catalogue; 2]; 2] {
            let unmasked = Catalogue {
                lang,
                masks: false,
                ascii: false,
            };
            let masked = Catalogue {
                masks: true,
                ..unmasked
            };
            [
                [
                    unmasked,
                    Catalogue {
                        ascii: true,
                        ..unmasked
                    },
                ],
                [
                    masked,
                    Catalogue {
                        ascii: true,
                        ..masked
                    },
                ],
            ]
        }
        static ALL: [[[Catalogue; 2]; 2]; 2] = [of(Lang::Pt), of(Lang::En)];
        &ALL[lang as usize][usize::from(masks)][usize::from(ascii)]
    }

    /// Iterates over the message files of this language. Each file is parsed when the iterator
    /// reaches it.
    fn files(&self) -> impl Iterator<Item = &'static Bundle> {
        static BUNDLES: [[OnceLock<Bundle>; FILES]; 2] =
            [const { [const { OnceLock::new() }; FILES] }; 2];
        let lang = self.lang;
        let files = BUNDLES[lang as usize].iter().zip(lang.files());
        files.map(move |(file, (_, source))| file.get_or_init(|| parse_bundle(lang, source)))
    }

    /// True if the texts are built with personal data masked.
    pub fn masks(&self) -> bool {
        self.masks
    }

    /// The language of the messages.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// True if a message with this id exists.
    pub fn has_message(&self, id: &str) -> bool {
        let (message, attribute) = parts(id);
        let mut messages = self
            .files()
            .filter_map(|bundle| bundle.get_message(message));
        messages.any(|message| match attribute {
            None => message.value().is_some(),
            Some(name) => message.get_attribute(name).is_some(),
        })
    }

    /// The message with this id. An id such as `message.attribute` selects an attribute of a
    /// message.
    pub fn text(&self, id: &str) -> String {
        self.replace_check_mark(cached_text(self.lang, id, None, || self.format(id, None)))
    }

    /// The message with this id, with the values inserted by name.
    pub fn with(&self, id: &str, values: &[(&str, &str)]) -> String {
        self.replace_check_mark(self.format(id, Some(&arguments(values))))
    }

    /// The message with this id, with the number `n` and the values inserted by name.
    pub fn count(&self, id: &str, n: u64, values: &[(&str, &str)]) -> String {
        let format_count = || {
            let mut args = arguments(values);
            args.set("n", n);
            self.format(id, Some(&args))
        };
        // Cache only messages without values, because messages with values are rarely needed again.
        self.replace_check_mark(match values {
            [] => cached_text(self.lang, id, Some(n), format_count),
            _ => format_count(),
        })
    }

    /// Replaces the check mark if the screen shows only ASCII symbols. Other symbols are replaced
    /// later, when the screen is drawn, because their replacements have the same width.
    fn replace_check_mark(&self, text: String) -> String {
        let (mark, replacement) = CHECK_MARK;
        if self.ascii && text.contains(mark) {
            text.replace(mark, replacement)
        } else {
            text
        }
    }

    /// A symbol in the form that the screen shows. On a screen with only ASCII symbols, a check
    /// mark becomes `ok`.
    pub fn sign(&self, sign: &'static str) -> &'static str {
        if self.ascii && sign.starts_with(CHECK_MARK.0) {
            CHECK_MARK.1
        } else {
            sign
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

/// Converts the values to Fluent arguments. Leaves room for one more argument.
fn arguments<'v>(values: &[(&'v str, &'v str)]) -> FluentArgs<'v> {
    let mut args = FluentArgs::with_capacity(values.len() + 1);
    for (name, value) in values {
        args.set(*name, FluentValue::from(*value));
    }
    args
}

/// Formats a message from one file; `None` if the file does not contain the message.
fn format(
    bundle: &Bundle,
    (id, attribute): (&str, Option<&str>),
    args: Option<&FluentArgs>,
) -> Option<String> {
    let message = bundle.get_message(id)?;
    let pattern = match attribute {
        None => message.value(),
        Some(name) => message
            .get_attribute(name)
            .map(|attribute| attribute.value()),
    };
    let mut errors = Vec::new();
    let text = bundle
        .format_pattern(pattern?, args, &mut errors)
        .into_owned();
    debug_assert!(errors.is_empty(), "message `{id}`: {errors:?}");
    Some(text)
}

fn parse_bundle(lang: Lang, source: &str) -> Bundle {
    let mut bundle = FluentBundle::new_concurrent(vec![lang.id()]);
    // Turn off the invisible direction marks that Fluent puts around inserted values. They would be
    // copied together with the text.
    bundle.set_use_isolating(false);
    // Leave out messages with syntax errors. A unit test ensures that there are none.
    let resource = FluentResource::try_new(source.to_owned());
    bundle.add_resource_overriding(resource.unwrap_or_else(|(resource, _)| resource));
    bundle
}

fn parts(id: &str) -> (&str, Option<&str>) {
    id.split_once('.')
        .map_or((id, None), |(message, attribute)| {
            (message, Some(attribute))
        })
}

/// Formatted texts are cached because formatting is slow, and successive frames show mostly the
/// same texts.
const MAX_CACHED_TEXTS: usize = 512;

thread_local! {
    /// The cached texts, first by language and number, then by message id.
    static TEXT_CACHE: RefCell<TextCache> = RefCell::default();
}

type TextCache = HashMap<(Lang, Option<u64>), HashMap<String, String>>;

/// Returns a message from the cache, or formats it and caches the result. Use this only for
/// messages in which no value except the number `n` is inserted.
fn cached_text(
    lang: Lang,
    id: &str,
    n: Option<u64>,
    format_text: impl FnOnce() -> String,
) -> String {
    TEXT_CACHE.with_borrow_mut(|cache| {
        if let Some(text) = cache.get(&(lang, n)).and_then(|texts| texts.get(id)) {
            return text.clone();
        }
        if cache.values().map(HashMap::len).sum::<usize>() == MAX_CACHED_TEXTS {
            cache.clear();
        }
        let text = format_text();
        cache
            .entry((lang, n))
            .or_default()
            .insert(id.to_owned(), text.clone());
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
        let words = Catalogue::of(Lang::Pt);
        let text = words.with(
            "wait-line",
            &[("what", "x"), ("seconds", "3"), ("key", "Esc")],
        );
        assert!(text.contains("3 s") && !text.contains('\u{2068}'), "{text}");
    }

    #[test]
    fn language_is_read_from_locale() {
        assert_eq!(Lang::of_tag("pt_BR.UTF-8"), Some(Lang::Pt));
        assert_eq!(Lang::of_tag("en-GB"), Some(Lang::En));
        assert_eq!(Lang::of_tag("C.UTF-8"), None);
        assert_eq!(Lang::of_tag(""), None);
    }

    #[test]
    fn text_is_cached_by_language_message_and_number() {
        let mut format_count = 0;
        let mut get_text = |lang, id, n| {
            cached_text(lang, id, n, || {
                format_count += 1;
                format!("{lang:?} {id} {n:?}")
            })
        };
        for n in [None, Some(1), Some(2), Some(1), None] {
            for id in ["a", "b"] {
                for lang in Lang::ALL {
                    assert_eq!(get_text(lang, id, n), format!("{lang:?} {id} {n:?}"));
                }
            }
        }
        assert_eq!(format_count, 3 * 2 * 2);
    }

    #[test]
    fn text_cache_never_exceeds_its_limit() {
        for n in 0..MAX_CACHED_TEXTS as u64 * 3 {
            assert_eq!(
                cached_text(Lang::En, "a", Some(n), || n.to_string()),
                n.to_string()
            );
            let count: usize =
                TEXT_CACHE.with_borrow(|cache| cache.values().map(HashMap::len).sum());
            assert!(count <= MAX_CACHED_TEXTS);
        }
    }
}
