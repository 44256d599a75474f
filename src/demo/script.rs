//! The script of the demo's story: its steps, which change the sandbox and show captions, in a TOML
//! file.
//!
//! ```toml
//! [[step]]
//! after = "withdrawal"   # a time after the previous step, such as "5s", "300ms" or "2min"; or the
//!                        # next request at the sandbox that succeeds or meets a fault armed above:
//!                        # login, link, link-paid, quote, withdrawal, charge or paid-once; or the
//!                        # next action of the seller: see `SellerEvent`
//! chapter = true         # begins a chapter; the counter before the captions counts chapters
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
use crate::app::store::story::{CaptionText, MAX_ROWS, SellerEvent, wrap_caption};
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
static BUILT_IN_SCRIPT: LazyLock<ParsedScript> =
    LazyLock::new(|| parse_script(BUILT_IN).unwrap_or_default());

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
    pub after: StepTrigger,
    /// True if a chapter begins with this step.
    pub chapter: bool,
    /// True if this step is left out together with the previous step.
    pub follows: bool,
    /// The event that ends the caption. The wait for the next step starts after this event.
    pub until: Option<StepTrigger>,
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
pub(super) enum StepTrigger {
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

/// The error message for an invalid script. It contains the line number.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ScriptError(String);

impl Script {
    /// The built-in script. A test checks that it is valid.
    pub fn built_in() -> Script {
        Script(None)
    }

    /// Parses a script file. Without example data in the file, the built-in data is used.
    pub fn of_file(text: &str) -> Result<Script, ScriptError> {
        let mut script = parse_script(text)?;
        if script.steps.is_empty() {
            return Err(ScriptError("there is no [[step]] in it".to_owned()));
        }
        if script.links.is_empty() && script.charges.is_empty() && script.withdrawals.is_empty() {
            script = ParsedScript {
                steps: script.steps,
                ..parse_script(BUILT_IN)?
            };
        }
        Ok(Script(Some(Arc::new(script))))
    }

    pub(super) fn parsed(&self) -> &ParsedScript {
        self.0.as_deref().unwrap_or_else(|| &*BUILT_IN_SCRIPT)
    }
}

fn parse_script(text: &str) -> Result<ParsedScript, ScriptError> {
    let file: ScriptFile = toml::from_str(text).map_err(|error| ScriptError(error.to_string()))?;
    let steps = file.step.into_iter().map(|step| parse_step(text, step));
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
    chapter: Option<bool>,
    follows: Option<bool>,
    until: Option<Spanned<String>>,
    fault: Option<Spanned<String>>,
    domain: Option<Spanned<String>>,
    pay: Option<Spanned<String>>,
    caption: Option<Spanned<Caption>>,
    keys: Option<Spanned<Vec<String>>>,
}

/// Parses one value in a script file. An error contains the line number.
fn parse_value<T, V>(
    text: &str,
    entry: Option<Spanned<V>>,
    parse: impl FnOnce(V) -> Result<T, String>,
) -> Result<Option<T>, ScriptError> {
    let Some(entry) = entry else { return Ok(None) };
    let line = line_of(text, entry.span().start);
    parse(entry.into_inner())
        .map(Some)
        .map_err(|problem| ScriptError(format!("line {line}: {problem}")))
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
}

fn parse_step(text: &str, step: Spanned<StepEntry>) -> Result<ScriptStep, ScriptError> {
    let line = line_of(text, step.span().start);
    let entry = step.into_inner();
    let after = parse_value(text, entry.after, |after| read_after("after", &after))?;
    let until = parse_value(text, entry.until, |until| read_after("until", &until))?;
    let follows = entry.follows.unwrap_or(false);
    let chapter = entry.chapter.unwrap_or(false);
    let actions = [
        parse_value(text, entry.fault, |name| read_fault(&name))?,
        parse_value(text, entry.domain, |domain| read_domain(&domain))?,
        parse_value(text, entry.pay, |link| read_pay(&link))?,
    ];
    let caption = parse_value(text, entry.caption, Caption::validated)?;
    let keys = parse_value(text, entry.keys, read_keys)?.unwrap_or_default();
    let mut actions = actions.into_iter().flatten();
    let action = actions.next();
    let problem = match (&action, &caption, actions.next()) {
        (_, _, Some(_)) => "one of `fault`, `domain` and `pay` at a time",
        (None, None, None) => "it does nothing: `fault`, `domain`, `pay` or `caption`",
        _ => {
            return Ok(ScriptStep {
                after: after.unwrap_or(StepTrigger::Time(Duration::ZERO)),
                chapter,
                follows,
                until,
                action,
                caption,
                keys,
            });
        }
    };
    Err(ScriptError(format!(
        "line {line}, in this [[step]]: {problem}"
    )))
}

fn read_after(setting: &str, text: &str) -> Result<StepTrigger, String> {
    const EVENTS: [(&str, StepTrigger); 7] = [
        ("login", StepTrigger::Answered(BankOperation::Login)),
        ("link", StepTrigger::Answered(BankOperation::CreateLink)),
        ("link-paid", StepTrigger::LinkPaid),
        ("quote", StepTrigger::Answered(BankOperation::FeePreview)),
        (
            "withdrawal",
            StepTrigger::Answered(BankOperation::Withdrawal),
        ),
        (
            "charge",
            StepTrigger::Answered(BankOperation::DirectPayment),
        ),
        ("paid-once", StepTrigger::PaidOnce),
    ];
    let seller = SellerEvent::ALL.map(|(name, event)| (name, StepTrigger::Seller(event)));
    let events = EVENTS.into_iter().chain(seller);
    if let Some((_, event)) = events.clone().find(|(name, _)| *name == text) {
        return Ok(event);
    }
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let unit_ms = match text[digits..].trim() {
        "ms" => Some(1),
        "s" => Some(1_000),
        "min" => Some(60_000),
        _ => None,
    };
    let ms =
        unit_ms.and_then(|unit_ms: u64| text[..digits].parse::<u64>().ok()?.checked_mul(unit_ms));
    ms.map(|ms| StepTrigger::Time(Duration::from_millis(ms)))
        .ok_or_else(|| {
            let nearest = unknown_name_error(setting, text, events.map(|(name, _)| name));
            format!("{nearest}, or a time such as \"5s\", \"300ms\" or \"2min\"")
        })
}

fn read_fault(text: &str) -> Result<StoryAction, String> {
    let rule = faults::find_rule(text).map(StoryAction::Fault);
    rule.ok_or_else(|| unknown_name_error("fault", text, FAULTS.iter().map(|(name, _)| *name)))
}

fn read_domain(text: &str) -> Result<StoryAction, String> {
    const STATES: [(&str, DomainSetup); 3] = [
        ("active", DomainSetup::Active),
        ("dns-pending", DomainSetup::DnsPending),
        ("ssl-pending", DomainSetup::SslPending),
    ];
    let Some((host, state_name)) = text.split_once('=') else {
        return Err("`domain` wants a host and its state, as in \"host=ssl-pending\"".to_owned());
    };
    match STATES.iter().find(|(name, _)| *name == state_name.trim()) {
        Some((_, state)) => Ok(StoryAction::Domain {
            host: host.trim().to_owned(),
            state: *state,
        }),
        None => Err(unknown_name_error(
            "domain",
            state_name.trim(),
            STATES.iter().map(|(name, _)| *name),
        )),
    }
}

fn read_pay(text: &str) -> Result<StoryAction, String> {
    match text {
        "last link" => Ok(StoryAction::PayLastLink),
        _ => Err(unknown_name_error("pay", text, ["last link"].into_iter())),
    }
}

fn read_keys(keys: Vec<String>) -> Result<Vec<StoryKey>, String> {
    keys.into_iter().map(parse_key).collect()
}

fn parse_key(key: String) -> Result<StoryKey, String> {
    match key.strip_prefix('{').and_then(|key| key.strip_suffix('}')) {
        Some(name) => Action::named(name).map(StoryKey::Action).ok_or_else(|| {
            unknown_name_error("keys", name, Action::ALL.iter().map(|action| action.name()))
        }),
        None => Ok(StoryKey::Text(key)),
    }
}

/// The width of a caption's text in columns: 80 columns minus the space for the step counter, such
/// as `10/10`.
const CAPTION_COLUMNS: usize = 71;

/// The width of the key hint `Space ›` at the end of a caption's last row.
const KEY_HINT_COLUMNS: usize = 8;

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
    /// The caption in both languages, with the keys in `keys` for its placeholders.
    pub fn text(&self, keys: &Keymap) -> CaptionText {
        let [pt, en] = [Lang::Pt, Lang::En].map(|lang| self.words(lang, keys).into());
        CaptionText { pt, en }
    }

    /// The caption in this language, or else in the other language. Its placeholders are replaced
    /// by keys from `keys`.
    fn words(&self, lang: Lang, keys: &Keymap) -> String {
        let (preferred, other) = match lang {
            Lang::Pt => (&self.pt, &self.en),
            Lang::En => (&self.en, &self.pt),
        };
        let text = preferred
            .as_ref()
            .or(other.as_ref())
            .map_or("", String::as_str);
        let filled = fill_placeholders(text, |name| {
            let action = Action::named(name).ok_or(())?;
            Ok(key_name(action, keys))
        });
        filled.unwrap_or_else(|()| text.to_owned())
    }

    /// The caption unchanged, or an error if it has too many rows or names an unknown action.
    pub fn validated(self) -> Result<Caption, String> {
        static KEYS: LazyLock<Keymap> =
            LazyLock::new(|| Keymap::from_table(&config::built_in_keys()).unwrap_or_default());
        for text in [&self.pt, &self.en].into_iter().flatten() {
            let filled = fill_placeholders(text, |name| match Action::named(name) {
                Some(action) => Ok(key_name(action, &KEYS)),
                None => Err(unknown_name_error(
                    "caption",
                    name,
                    Action::ALL.iter().map(|action| action.name()),
                )),
            })?;
            let rows = wrap_caption(&filled, CAPTION_COLUMNS, KEY_HINT_COLUMNS).len();
            if rows > MAX_ROWS {
                return Err(format!(
                    "a caption takes {rows} rows of {CAPTION_COLUMNS} columns here, \
                     at most {MAX_ROWS}, the last of them {}",
                    CAPTION_COLUMNS - KEY_HINT_COLUMNS
                ));
            }
        }
        Ok(self)
    }
}

/// Replaces every placeholder such as `{new}` in a caption.
fn fill_placeholders<E>(
    caption: &str,
    key_for: impl Fn(&str) -> Result<String, E>,
) -> Result<String, E> {
    let mut parts = caption.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}') {
            Some((name, rest)) => text += &format!("{}{rest}", key_for(name)?),
            None => text += &format!("{{{part}"),
        }
    }
    Ok(text)
}

/// The name of the first key that is bound to an action. For an action without a key, returns the
/// key of the palette, because the palette offers the action.
fn key_name(action: Action, keys: &Keymap) -> String {
    let first = keys.keys(action).first();
    let key = first.or_else(|| keys.keys(Action::Palette).first());
    key.map_or_else(|| action.name().to_owned(), ToString::to_string)
}

/// An error message for an unknown name, with the most similar valid name and all valid names.
pub(super) fn unknown_name_error(
    setting: &str,
    unknown: &str,
    valid_names: impl Iterator<Item = &'static str>,
) -> String {
    let valid_names: Vec<&str> = valid_names.collect();
    let most_similar = valid_names
        .iter()
        .map(|name| (levenshtein(name, unknown), *name))
        .min();
    let most_similar = most_similar.filter(|(distance, _)| *distance <= 3);
    let suggestion = most_similar
        .map(|(_, name)| format!("; did you mean `{name}`?"))
        .unwrap_or_default();
    format!(
        "`{unknown}` means nothing to `{setting}`{suggestion}; it takes {}",
        valid_names.join(", ")
    )
}

#[cfg(test)]
mod tests;
