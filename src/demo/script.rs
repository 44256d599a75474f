//! The script of the demo's story: its steps, which change the sandbox and show captions, in a TOML
//! file.
//!
//! ```toml
//! [[step]]
//! after = "withdrawal"   # a time after the previous step, such as "5s", "300ms" or "2min"; or the
//!                        # next request at the sandbox that succeeds or meets a fault armed above:
//!                        # login, link, link-paid, quote, withdrawal, charge or paid-once; or the
//!                        # next action of the seller: see `SellerEvent`
//! follows = true         # left out if the previous step is left out
//! fault = "lose-answer"  # at most one of these three:
//!                        # domain = "loja-da-ana.localhost=ssl-pending"  (or dns-pending, active)
//!                        # pay = "last link"
//! caption = { pt-BR = "A resposta se perdeu.", en = "The reply was lost." }
//! keys = ["{receipt}"]   # pressed after the caption if the story plays by itself: the key of an
//!                        # action, or a text that is typed
//! until = "receipt"      # the next step waits for this event, and then for its own `after`
//! ```
//!
//! Each caption is shown until the next one; an empty caption removes it. A placeholder such as
//! `{new}` in a caption is replaced by the key of the action `new`. Actions have the same names as
//! in `keys.toml`.
//!
//! The presenter can press a key to skip a wait. A skipped time or `until` simply ends. If the wait
//! for an event in `after` is skipped, the step itself is left out, because its caption would not
//! be true. The following steps that wait for an event or have `follows = true` are left out too,
//! and the story resumes at the next step that waits for a time. When steps are left out or the
//! story is stopped, the story's changes to the sandbox are reverted.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde::Deserialize;
use strsim::levenshtein;
use toml::Spanned;

use super::faults::{self, FAULTS};
use super::past::{PastItem, PastWithdrawal};
use crate::app::store::story::{CaptionText, MOST_ROWS, SellerEvent, beside_key};
use crate::app::ui::action::Action;
use crate::app::ui::keys::Keymap;
use crate::config;
use crate::sandbox::{BankOperation, DomainSetup, FaultRule};
use crate::words::Lang;

/// The text of the built-in story.
const BUILT_IN: &str = include_str!("../../assets/demo.toml");

/// A story: example data and steps. Clones share one parsed script.
#[derive(Debug, Clone)]
pub struct Script(Option<Arc<ParsedScript>>);

/// The built-in story, parsed when first used so that it does not delay the first frame.
static OWN: LazyLock<ParsedScript> = LazyLock::new(|| read(BUILT_IN).unwrap_or_default());

#[derive(Debug, Default)]
pub(super) struct ParsedScript {
    pub links: Vec<PastItem>,
    pub charges: Vec<PastItem>,
    pub withdrawals: Vec<PastWithdrawal>,
    /// The steps, in order.
    pub steps: Vec<ScriptStep>,
}

#[derive(Debug, PartialEq)]
pub(super) struct ScriptStep {
    pub after: After,
    /// True if this step is left out together with the previous step.
    pub follows: bool,
    /// The event that ends the caption. The wait for the next step starts after this event.
    pub until: Option<After>,
    pub action: Option<StoryAction>,
    pub caption: Option<Caption>,
    /// The keys to press after the caption, if the story plays by itself.
    pub keys: Vec<StoryKey>,
}

/// A key press or typed text. It is used only if the story plays by itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum StoryKey {
    /// The first key that is bound to this action.
    Action(Action),
    Text(String),
}

/// The time or the event for which a step waits after the previous step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    Time(Duration),
    /// A request for this operation that succeeds, or meets a fault that the story has armed.
    Answered(BankOperation),
    LinkPaid,
    PaidOnce,
    /// An action of the seller, such as opening a screen.
    Seller(SellerEvent),
}

/// The change that a step of the story makes in the sandbox.
#[derive(Debug, PartialEq)]
pub(super) enum StoryAction {
    Fault(FaultRule),
    Domain { host: String, state: DomainSetup },
    PayLastLink,
}

/// The reason why a script is invalid, with the line number.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ScriptError(String);

impl Script {
    /// Returns the built-in script, which a test checks.
    pub fn built_in() -> Script {
        Script(None)
    }

    /// Parses a script file. Without example data in the file, the built-in data is used.
    pub fn of_file(text: &str) -> Result<Script, ScriptError> {
        let mut own = read(text)?;
        if own.steps.is_empty() {
            return Err(ScriptError("there is no [[step]] in it".to_owned()));
        }
        if own.links.is_empty() && own.charges.is_empty() && own.withdrawals.is_empty() {
            own = ParsedScript { steps: own.steps, ..read(BUILT_IN)? };
        }
        Ok(Script(Some(Arc::new(own))))
    }

    pub(super) fn content(&self) -> &ParsedScript {
        self.0.as_deref().unwrap_or_else(|| &*OWN)
    }
}

fn read(text: &str) -> Result<ParsedScript, ScriptError> {
    let file: ScriptFile = toml::from_str(text).map_err(|error| ScriptError(error.to_string()))?;
    let steps = file.step.into_iter().map(|step| step_at(text, step));
    Ok(ParsedScript {
        links: file.link,
        charges: file.charge,
        withdrawals: file.withdrawal,
        steps: steps.collect::<Result<_, _>>()?,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptFile {
    #[serde(default)]
    link: Vec<PastItem>,
    #[serde(default)]
    charge: Vec<PastItem>,
    #[serde(default)]
    withdrawal: Vec<PastWithdrawal>,
    #[serde(default)]
    step: Vec<Spanned<StepEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepEntry {
    after: Option<Spanned<String>>,
    follows: Option<bool>,
    until: Option<Spanned<String>>,
    fault: Option<Spanned<String>>,
    domain: Option<Spanned<String>>,
    pay: Option<Spanned<String>>,
    caption: Option<Spanned<Caption>>,
    keys: Option<Spanned<Vec<String>>>,
}

/// Parses one value in a script file. If it is invalid, the error includes the line number.
fn value<T, V>(
    text: &str,
    written: Option<Spanned<V>>,
    read: impl FnOnce(V) -> Result<T, String>,
) -> Result<Option<T>, ScriptError> {
    let Some(written) = written else { return Ok(None) };
    let line = line_of(text, written.span().start);
    let problem = |problem| ScriptError(format!("line {line}: {problem}"));
    read(written.into_inner()).map(Some).map_err(problem)
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count()
}

fn step_at(text: &str, step: Spanned<StepEntry>) -> Result<ScriptStep, ScriptError> {
    let line = line_of(text, step.span().start);
    let written = step.into_inner();
    let after = value(text, written.after, |after| read_after("after", &after))?;
    let until = value(text, written.until, |until| read_after("until", &until))?;
    let follows = written.follows.unwrap_or(false);
    let actions = [
        value(text, written.fault, |name| read_fault(&name))?,
        value(text, written.domain, |domain| read_domain(&domain))?,
        value(text, written.pay, |what| read_pay(&what))?,
    ];
    let caption = value(text, written.caption, Caption::checked)?;
    let keys = value(text, written.keys, read_keys)?.unwrap_or_default();
    let mut actions = actions.into_iter().flatten();
    let action = actions.next();
    let problem = match (&action, &caption, actions.next()) {
        (_, _, Some(_)) => "one of `fault`, `domain` and `pay` at a time",
        (None, None, None) => "it does nothing: `fault`, `domain`, `pay` or `caption`",
        _ => {
            return Ok(ScriptStep {
                after: after.unwrap_or(After::Time(Duration::ZERO)),
                follows,
                until,
                action,
                caption,
                keys,
            });
        }
    };
    Err(ScriptError(format!("line {line}, in this [[step]]: {problem}")))
}

fn read_after(what: &str, text: &str) -> Result<After, String> {
    const EVENTS: [(&str, After); 7] = [
        ("login", After::Answered(BankOperation::Login)),
        ("link", After::Answered(BankOperation::CreateLink)),
        ("link-paid", After::LinkPaid),
        ("quote", After::Answered(BankOperation::FeePreview)),
        ("withdrawal", After::Answered(BankOperation::Withdrawal)),
        ("charge", After::Answered(BankOperation::DirectPayment)),
        ("paid-once", After::PaidOnce),
    ];
    let seller = SellerEvent::ALL.map(|(name, event)| (name, After::Seller(event)));
    let events = EVENTS.into_iter().chain(seller);
    if let Some((_, event)) = events.clone().find(|(name, _)| *name == text) {
        return Ok(event);
    }
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let unit = match text[digits..].trim() {
        "ms" => Some(1),
        "s" => Some(1_000),
        "min" => Some(60_000),
        _ => None,
    };
    let ms = unit.and_then(|unit: u64| text[..digits].parse::<u64>().ok()?.checked_mul(unit));
    ms.map(|ms| After::Time(Duration::from_millis(ms))).ok_or_else(|| {
        let nearest = unknown(what, text, events.map(|(name, _)| name));
        format!("{nearest}, or a time such as \"5s\", \"300ms\" or \"2min\"")
    })
}

fn read_fault(text: &str) -> Result<StoryAction, String> {
    let rule = faults::named(text).map(StoryAction::Fault);
    rule.ok_or_else(|| unknown("fault", text, FAULTS.iter().map(|(name, _)| *name)))
}

fn read_domain(text: &str) -> Result<StoryAction, String> {
    const STATES: [(&str, DomainSetup); 3] = [
        ("active", DomainSetup::Active),
        ("dns-pending", DomainSetup::DnsPending),
        ("ssl-pending", DomainSetup::SslPending),
    ];
    let Some((host, word)) = text.split_once('=') else {
        return Err("`domain` wants a host and its state, as in \"host=ssl-pending\"".to_owned());
    };
    match STATES.iter().find(|(name, _)| *name == word.trim()) {
        Some((_, state)) => Ok(StoryAction::Domain { host: host.trim().to_owned(), state: *state }),
        None => Err(unknown("domain", word.trim(), STATES.iter().map(|(name, _)| *name))),
    }
}

fn read_pay(text: &str) -> Result<StoryAction, String> {
    match text {
        "last link" => Ok(StoryAction::PayLastLink),
        _ => Err(unknown("pay", text, ["last link"].into_iter())),
    }
}

fn read_keys(keys: Vec<String>) -> Result<Vec<StoryKey>, String> {
    let names = || Action::ALL.iter().map(|action| action.name());
    let read = |key: String| match key.strip_prefix('{').and_then(|key| key.strip_suffix('}')) {
        Some(name) => {
            Action::named(name).map(StoryKey::Action).ok_or_else(|| unknown("keys", name, names()))
        }
        None => Ok(StoryKey::Text(key)),
    };
    keys.into_iter().map(read).collect()
}

/// The width of a caption's text in columns: 80 columns minus the space for the step counter, such
/// as `10/10`.
const COLUMNS: usize = 71;

/// The width of the key hint `Space ›` at the end of a caption's last row.
const KEY: usize = 8;

/// A caption in one or both languages. Its placeholders, such as `{new}`, become the key of the
/// action `new`.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Caption {
    #[serde(rename = "pt-BR")]
    pt: Option<String>,
    en: Option<String>,
}

impl Caption {
    /// Returns the caption in both languages, with the keys in `keys` for its placeholders.
    pub fn text(&self, keys: &Keymap) -> CaptionText {
        let [pt, en] = [Lang::Pt, Lang::En].map(|lang| self.words(lang, keys).into());
        CaptionText { pt, en }
    }

    /// Returns the caption in this language, or else in the other language. Its placeholders are
    /// replaced by keys from `keys`.
    fn words(&self, lang: Lang, keys: &Keymap) -> String {
        let (first, other) = match lang {
            Lang::Pt => (&self.pt, &self.en),
            Lang::En => (&self.en, &self.pt),
        };
        let words = first.as_ref().or(other.as_ref()).map_or("", String::as_str);
        let key = |name: &str| Some(key_of(Action::named(name)?, keys));
        with_keys(words, |name| key(name).ok_or(())).unwrap_or_else(|()| words.to_owned())
    }

    /// Returns an error if the caption has too many rows or names an unknown action.
    pub fn checked(self) -> Result<Caption, String> {
        static KEYS: LazyLock<Keymap> =
            LazyLock::new(|| Keymap::from_table(&config::built_in_keys()).unwrap_or_default());
        for words in [&self.pt, &self.en].into_iter().flatten() {
            let shown = with_keys(words, |name| match Action::named(name) {
                Some(action) => Ok(key_of(action, &KEYS)),
                None => Err(unknown("caption", name, Action::ALL.iter().map(|it| it.name()))),
            })?;
            let rows = beside_key(&shown, COLUMNS, KEY).len();
            if rows > MOST_ROWS {
                return Err(format!(
                    "a caption takes {rows} rows of {COLUMNS} columns here, at most {MOST_ROWS}, \
                     the last of them {}",
                    COLUMNS - KEY
                ));
            }
        }
        Ok(self)
    }
}

/// Replaces every placeholder such as `{new}` in a caption.
fn with_keys<E>(words: &str, key: impl Fn(&str) -> Result<String, E>) -> Result<String, E> {
    let mut parts = words.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}') {
            Some((name, rest)) => filled += &format!("{}{rest}", key(name)?),
            None => filled += &format!("{{{part}"),
        }
    }
    Ok(filled)
}

/// Returns the first key that is bound to an action. For an action without a key, returns the key
/// of the palette, because the palette offers the action.
fn key_of(action: Action, keys: &Keymap) -> String {
    let first = |action| keys.keys(action).first().map(ToString::to_string);
    first(action).or_else(|| first(Action::Palette)).unwrap_or_else(|| action.name().to_owned())
}

/// Returns an error message for an unknown name, with the most similar valid name and all valid
/// names.
pub(super) fn unknown(key: &str, wrong: &str, names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<&str> = names.collect();
    let nearest = names.iter().map(|name| (levenshtein(name, wrong), *name)).min();
    let nearest = nearest.filter(|(distance, _)| *distance <= 3);
    let guess = nearest.map(|(_, name)| format!("; did you mean `{name}`?")).unwrap_or_default();
    format!("`{wrong}` means nothing to `{key}`{guess}; it takes {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::store::story::Story;
    use crate::app::ui::input::Size;
    use crate::app::ui::keys::Keymap;
    use crate::words::Lang;

    #[test]
    fn built_in_captions_fit_the_smallest_window() {
        let script = read(BUILT_IN).unwrap();
        let keys = Keymap::from_table(&crate::config::built_in_keys()).unwrap();
        assert!(!script.links.is_empty());
        let captions: Vec<_> = script.steps.iter().filter_map(|it| it.caption.as_ref()).collect();
        assert!(!captions.is_empty());
        assert!(captions.iter().all(|it| it.pt.is_some() && it.en.is_some()), "{captions:?}");
        for (caption, lang) in
            captions.iter().flat_map(|it| [Lang::Pt, Lang::En].map(|lang| (it, lang)))
        {
            for (columns, rows) in [(60, 18), (80, 24), (120, 36)] {
                let mut story = Story::default();
                story.notify(&caption.text(&keys), (17, 17));
                let lines = story.lines(lang, Size { columns, rows }, 8);
                assert!(!lines.join("").contains('…'), "{lines:#?}");
            }
        }
    }

    #[test]
    fn built_in_story_can_play_by_itself() {
        let script = read(BUILT_IN).unwrap();
        let mut before: &[StoryKey] = &[];
        for step in &script.steps {
            let waits = !matches!(step.after, After::Time(_));
            assert!(!waits || !before.is_empty(), "no key leads to {step:#?}");
            assert!(step.until.is_none() || !step.keys.is_empty(), "no key ends {step:#?}");
            before = &step.keys;
        }
        let keys = script.steps.iter().flat_map(|step| &step.keys);
        let keymap = Keymap::from_table(&crate::config::built_in_keys()).unwrap();
        for key in keys {
            let StoryKey::Action(action) = key else { continue };
            assert!(!keymap.keys(*action).is_empty(), "{action:?}");
        }
    }

    #[test]
    fn step_reads_its_wait_action_and_caption() {
        let text = r#"
            [[step]]
            caption = { pt-BR = "Olá", en = "Hello" }
            [[step]]
            after = "300ms"
            fault = "lose-answer"
            [[step]]
            after = "2min"
            domain = "loja.localhost = ssl-pending"
            [[step]]
            after = "link"
            pay = "last link"
            caption = { en = "Paid" }
            until = "copy"
            [[step]]
            after = "5s"
            follows = true
            pay = "last link"
        "#;
        let script = Script::of_file(text).unwrap();
        let read = &script.content().steps;
        let told: Vec<_> = read.iter().map(|step| (step.after, &step.action)).collect();
        let host = "loja.localhost".to_owned();
        let lost = faults::named("lose-answer").map(StoryAction::Fault);
        let domain = Some(StoryAction::Domain { host, state: DomainSetup::SslPending });
        assert_eq!(
            told,
            [
                (After::Time(Duration::ZERO), &None),
                (After::Time(Duration::from_millis(300)), &lost),
                (After::Time(Duration::from_secs(120)), &domain),
                (After::Answered(BankOperation::CreateLink), &Some(StoryAction::PayLastLink)),
                (After::Time(Duration::from_secs(5)), &Some(StoryAction::PayLastLink)),
            ]
        );
        let until: Vec<_> = read.iter().map(|step| (step.until, step.follows)).collect();
        let copied = (Some(After::Seller(SellerEvent::Copy)), false);
        assert_eq!(until[2..], [(None, false), copied, (None, true)]);
        let keys = Keymap::default();
        let said = |n: usize, lang| read[n].caption.as_ref().unwrap().words(lang, &keys);
        assert_eq!((said(0, Lang::Pt), said(0, Lang::En)), ("Olá".into(), "Hello".into()));
        assert_eq!(said(3, Lang::Pt), "Paid", "better than nothing");
    }

    #[test]
    fn a_script_of_steps_alone_has_the_programs_links() {
        let own = Script::of_file("[[step]]\npay = 'last link'").unwrap();
        assert_eq!(own.content().links.len(), Script::built_in().content().links.len());
        let link = "[[link]]\nminutes = 5\namount = '1.00'\ndescription = 'x'\n";
        let own = Script::of_file(&format!("{link}[[step]]\npay = 'last link'")).unwrap();
        assert_eq!(own.content().links.len(), 1);
    }

    #[test]
    fn errors_name_the_line_and_the_nearest_name() {
        let long = format!("[[step]]\ncaption = {{ en = '{}' }}", "x ".repeat(72));
        for (text, said) in [
            ("[[step]]\nfault = 'lose-anser'", &["line 2", "did you mean `lose-answer`?"][..]),
            ("[[step]]\nfault = 'banana'", &["line 2", "banana", "other-amount"]),
            ("[[step]]\npay = 'last link'\nafter = 'widrawal'", &["line 3", "`withdrawal`?"]),
            ("[[step]]\npay = 'last link'\nuntil = 'copi'", &["line 3", "until", "`copy`?"]),
            ("[[step]]\npay = 'last link'\nafter = '5 parsecs'", &["line 3", "\"5s\""]),
            ("[[step]]\npay = 'last link'\nafter = '-5s'", &["line 3"]),
            ("[[step]]\npay = 'last link'\nkeys = ['{nwe}']", &["line 3", "`new`?"]),
            ("[[step]]\n\ndomain = 'a.b=ssl'", &["line 3", "ssl-pending"]),
            ("[[step]]\n\ndomain = 'a.b'", &["line 3", "host=ssl-pending"]),
            ("[[step]]\npay = 'link'", &["line 2", "last link"]),
            ("\n[[step]]\nafter = '1s'", &["line 2", "does nothing"]),
            ("[[step]]\npay = 'last link'\nfault = 'slow'", &["line 1", "at a time"]),
            ("[[step]]\nfautl = 'slow'", &["line 2", "fautl", "`fault`"]),
            ("[[step]]\ncaption = { pt = 'x' }", &["line 2", "pt-BR"]),
            (&long, &["line 2", "3 rows of 71 columns", "at most 2"]),
            ("", &["no [[step]]"]),
        ] {
            let error = Script::of_file(text).unwrap_err().to_string();
            for part in said {
                assert!(error.contains(part), "{part:?} is not in {error:?}");
            }
        }
    }

    fn keys(own: &str) -> Keymap {
        let mut table = config::built_in_keys();
        let own: crate::trade::KeyTable = toml::from_str(own).unwrap();
        for (place, rows) in own {
            table.entry(place).or_default().extend(rows);
        }
        Keymap::from_table(&table).unwrap()
    }

    fn caption(words: &str) -> Caption {
        Caption { pt: Some(words.into()), en: None }
    }

    #[test]
    fn the_keys_are_those_of_the_seller() {
        let said = |own| caption("{withdrawals}, depois {new}.").words(Lang::En, &keys(own));
        assert_eq!(said(""), "3, depois n.");
        assert_eq!(
            said("[lists]\nnew = ['b', 'n']\n[anywhere]\nwithdrawals = ['F3']"),
            "F3, depois b."
        );
        assert_eq!(said("[lists]\nnew = []"), "3, depois Ctrl-K.", "the palette has everything");
    }

    #[test]
    fn caption_with_unknown_action_or_too_long_refused() {
        let refused = caption("{nwe}").checked().unwrap_err();
        assert!(refused.contains("`nwe`") && refused.contains("`new`"), "{refused}");
        let most = MOST_ROWS * COLUMNS - KEY;
        assert!(caption(&"x".repeat(most)).checked().is_ok());
        assert!(caption(&"x".repeat(most + 1)).checked().is_err(), "it has a key beside it");
        let long_names = caption(&"{withdrawals}".repeat(COLUMNS));
        assert_eq!(long_names.checked().unwrap().words(Lang::Pt, &keys("")).len(), COLUMNS);
        assert_eq!(caption("{ and }").words(Lang::Pt, &keys("")), "{ and }", "no action's name");
    }
}
