//! The contract as named settings: read from files, laid over one another, each with its
//! provenance. The presets are the contracts that come with the program.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::value::SeqDeserializer;
use serde::de::{self, DeserializeOwned, Expected, IntoDeserializer, Unexpected};
use strsim::levenshtein;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::BUILT_IN_NAME;
use super::reply::{JsonPaths, Pointer};

/// The source that vouches for a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// The service's documentation shows it.
    Documented,
    /// Somebody has seen it to be true.
    Confirmed,
    /// A guess.
    Assumed,
}

/// One setting of the contract: a line of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The source that vouches for it.
    pub provenance: Provenance,
    /// The file it comes from.
    pub file: Arc<str>,
    /// The line number in that file, from 1.
    pub number: usize,
    pub(super) value: SettingValue,
}

/// The few kinds of values that settings have.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "a kind of value is its name")]
pub enum SettingValue {
    Text(String),
    Flag(bool),
    Whole(i64),
    Texts(Vec<String>),
    Wholes(Vec<i64>),
}

/// The author of a file of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// It comes with the program, which may confirm lines.
    Program,
    /// The seller, or another program that can write in the seller's folder: it vouches for
    /// nothing.
    Seller,
}

/// The source of a line that was taught and is not written yet.
const TAUGHT: &str = "-";

/// A line that cannot be taken, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {number}: {problem}{}", clashes_with(.clash))]
pub struct ContractError {
    /// The file.
    pub file: Arc<str>,
    /// The line number in it, from 1.
    pub number: usize,
    /// The fault.
    pub problem: String,
    /// The line of the built-in contract that it clashes with, where it is right without that one.
    pub clash: Option<usize>,
}

fn clashes_with(line: &Option<usize>) -> String {
    let told = |line| format!(" (it clashes with line {line} of the built-in contract)");
    line.map_or_else(String::new, told)
}

/// All settings read so far, and the names that were asked for.
#[derive(Clone, Default)]
pub(super) struct ContractSettings {
    by_name: BTreeMap<String, Setting>,
    /// True when a file of the seller's claims to confirm lines, which counts for nothing.
    pub(super) claims: bool,
    /// The names that were asked for: these are valid.
    asked: RefCell<BTreeSet<String>>,
}

impl ContractSettings {
    /// Lays another file over what is there; its lines are assumed unless the program's own file
    /// vouches for them.
    pub(super) fn lay_over(
        &mut self,
        file: &str,
        text: &str,
        whose: Whose,
    ) -> Result<(), ContractError> {
        let file: Arc<str> = file.into();
        // Counted once: the program's own file is read before the first frame.
        let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let number = |at: usize| breaks.partition_point(|end| *end < at) + 1;
        let wrong = |at, problem| {
            let (file, number) = (file.clone(), number(at));
            ContractError { file, number, problem, clash: None }
        };
        let mut table = DeTable::parse(text)
            .map_err(|error| {
                let at = error.span().map_or(0, |span| span.start);
                wrong(at, error.message().to_owned())
            })?
            .into_inner();
        let lists = [("documented", Provenance::Documented), ("confirmed", Provenance::Confirmed)];
        let lists = lists.map(|(list, vouched)| (table.remove(list), vouched));
        let mut lines = Vec::new();
        flatten(&mut lines, "", table);
        for (name, at, value) in lines {
            let Ok(value) = SettingValue::deserialize(value.into_deserializer()) else {
                let wanted = "a text, true or false, a whole number, or a list of one of them";
                return Err(wrong(at, format!("`{name}` takes {wanted}")));
            };
            let provenance = match self.by_name.get(&name) {
                // Writing down what is there already takes nothing away from it.
                Some(setting) if setting.value == value => setting.provenance,
                _ => Provenance::Assumed,
            };
            let (file, number) = (file.clone(), number(at));
            self.by_name.insert(name, Setting { provenance, file, number, value });
        }
        if whose == Whose::Seller {
            // Whoever can write the lines could vouch for them too.
            self.claims |= lists[1].0.is_some();
            return Ok(());
        }
        for (list, vouched) in lists {
            let names = list.iter().filter_map(|list| list.get_ref().as_array()).flatten();
            for name in names.filter_map(|name| name.get_ref().as_str()) {
                let setting = self.by_name.get_mut(name);
                setting.expect("a file of the program vouches for its lines").provenance = vouched;
            }
        }
        Ok(())
    }

    /// The lines of a contract that is in force, to be changed one by one.
    pub(super) fn in_force(by_name: &BTreeMap<String, Setting>, claims: bool) -> ContractSettings {
        ContractSettings { by_name: by_name.clone(), claims, asked: RefCell::default() }
    }

    /// Puts a line in place that the seller teaches.
    pub(super) fn teach(&mut self, name: &str, value: &SettingValue) {
        if self.by_name.get(name).is_some_and(|setting| setting.value == *value) {
            return;
        }
        let (provenance, value) = (Provenance::Assumed, value.clone());
        let setting = Setting { provenance, file: TAUGHT.into(), number: 0, value };
        self.by_name.insert(name.to_owned(), setting);
    }

    /// The names and lines that do not come from the program's own file, as they stand in theirs.
    pub(super) fn own(&self) -> Vec<(String, Setting)> {
        let own = self.by_name.iter().filter(|(_, setting)| !setting.is_built_in());
        let mut own: Vec<_> = own.map(|(name, setting)| (name.clone(), setting.clone())).collect();
        own.sort_by_key(|(_, setting)| setting.number);
        own
    }

    /// The same lines with the built-in one of this name, if there is any, in the place of this.
    pub(super) fn without(&self, name: &str, built_in: &ContractSettings) -> ContractSettings {
        let mut settings = self.clone();
        settings.by_name.remove(name);
        let shipped = built_in.by_name.get(name).cloned();
        settings.by_name.extend(shipped.map(|setting| (name.to_owned(), setting)));
        settings
    }

    /// The lines themselves, once every valid name was asked for.
    pub(super) fn finish(self) -> Result<BTreeMap<String, Setting>, ContractError> {
        let asked = self.asked.take();
        let unknown = self.by_name.iter().filter(|(name, _)| !asked.contains(*name));
        match unknown.min_by_key(|(_, setting)| setting.number) {
            Some((name, _)) => {
                let nearest = nearest(name, asked.iter().map(String::as_str));
                let nearest = nearest.map(|it| format!("; did you mean `{it}`?"));
                let nearest = nearest.unwrap_or_default();
                Err(self.wrong(name, format!("`{name}` is no line of the contract{nearest}")))
            }
            None => Ok(self.by_name),
        }
    }

    /// An error about the line of this name; one that is missing has no line, and the first of the
    /// built-in file is none.
    fn wrong(&self, name: &str, problem: String) -> ContractError {
        let (file, number) = match self.by_name.get(name) {
            Some(setting) => (setting.file.clone(), setting.number),
            None => (BUILT_IN_NAME.into(), 1),
        };
        ContractError { file, number, problem, clash: None }
    }

    /// The lines whose names begin with this and a dot.
    pub(super) fn section(&self, above: &str) -> Section<'_> {
        Section { settings: self, above: above.to_owned() }
    }
}

/// The lines whose names begin in the same way, such as those of `login` or `login.field.email`.
pub(super) struct Section<'s> {
    settings: &'s ContractSettings,
    above: String,
}

impl Section<'_> {
    // Put together by hand: some hundred names are made before the first frame, and the machinery
    // of `format!` took a third of the whole reading.
    fn name(&self, key: &str) -> String {
        [&self.above, ".", key].concat()
    }

    /// The lines of this section whose names go on with this and a dot.
    pub(super) fn section(&self, below: &str) -> Section<'_> {
        Section { settings: self.settings, above: self.name(below) }
    }

    /// The ids that stand below this, such as the fields of a body.
    pub(super) fn ids(&self, below: &str) -> BTreeSet<String> {
        let before = [&self.above, ".", below, "."].concat();
        let after = |name: &String| Some(name.strip_prefix(&before)?.split_once('.')?.0.to_owned());
        self.settings.by_name.keys().filter_map(after).collect()
    }

    /// An error that says what a line takes.
    pub(super) fn takes<T>(&self, key: &str, wanted: &str) -> Result<T, ContractError> {
        let name = self.name(key);
        Err(self.settings.wrong(&name, format!("`{name}` takes {wanted}")))
    }

    /// An error that says which line is missing where another one is what it is.
    pub(super) fn lacks<T>(&self, key: &str, missing: &str) -> Result<T, ContractError> {
        let missing = format!("the line `{}` is missing", self.name(missing));
        Err(self.settings.wrong(&self.name(key), missing))
    }

    /// Asking for a name is what makes it valid.
    fn ask(&self, key: &str) -> Option<&SettingValue> {
        let name = self.name(key);
        let found = self.settings.by_name.get(&name).map(|setting| &setting.value);
        self.settings.asked.borrow_mut().insert(name);
        found
    }

    /// A text, a flag, a number or one of a few words, if there is such a line.
    pub(super) fn get_if_any<T: DeserializeOwned>(
        &self,
        key: &str,
    ) -> Result<Option<T>, ContractError> {
        let read: Option<Result<T, Wanted>> = self.ask(key).map(|value| match value {
            SettingValue::Text(text) => T::deserialize(text.as_str().into_deserializer()),
            SettingValue::Flag(flag) => T::deserialize((*flag).into_deserializer()),
            SettingValue::Whole(number) => T::deserialize((*number).into_deserializer()),
            // No line that is read here takes a list: the error says what it takes.
            SettingValue::Texts(_) | SettingValue::Wholes(_) => {
                T::deserialize(SeqDeserializer::new(std::iter::empty::<i64>()))
            }
        });
        read.transpose().or_else(|Wanted(wanted)| self.takes(key, &wanted))
    }

    /// The same of a line that is needed.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &str) -> Result<T, ContractError> {
        self.get_if_any(key)?.map_or_else(|| self.lacks(key, key), Ok)
    }

    /// A text that is not empty.
    pub(super) fn text(&self, key: &str) -> Result<String, ContractError> {
        let text: String = self.get(key)?;
        if text.is_empty() { self.takes(key, "a text") } else { Ok(text) }
    }

    /// A line that lists texts; no line is an empty list.
    pub(super) fn texts(&self, key: &str) -> Result<&[String], ContractError> {
        match self.ask(key) {
            None => Ok(&[]),
            Some(SettingValue::Texts(texts)) => Ok(texts),
            Some(_) => self.takes(key, "a list of texts"),
        }
    }

    /// A line that lists statuses of replies; only a 2xx can be called a success.
    pub(super) fn statuses(&self, key: &str) -> Result<Vec<u16>, ContractError> {
        let read = |number: &i64| u16::try_from(*number).ok().filter(|n| (200..300).contains(n));
        let read = match self.ask(key) {
            Some(SettingValue::Wholes(numbers)) => numbers.iter().map(read).collect(),
            _ => None,
        };
        read.map_or_else(|| self.takes(key, "a list of statuses from 200 to 299"), Ok)
    }

    /// A line that lists JSON Pointers; no line is an empty list.
    pub(super) fn pointers(&self, key: &str) -> Result<Vec<Pointer>, ContractError> {
        let read = |text: &String| match Pointer::parse(text) {
            Some(pointer) => Ok(pointer),
            None => {
                let wanted = format!("JSON Pointers, such as `/data/id`; `{text}` is none");
                self.takes(key, &wanted)
            }
        };
        self.texts(key)?.iter().map(read).collect()
    }

    /// Places in a whole reply, or inside one entry of a list.
    pub(super) fn in_whole(&self, key: &str) -> Result<JsonPaths, ContractError> {
        Ok(JsonPaths { pointers: self.pointers(key)? })
    }
}

/// Collects the values of a table and of those in it: names, places in the file, and values.
fn flatten<'t>(
    lines: &mut Vec<(String, usize, Spanned<DeValue<'t>>)>,
    above: &str,
    table: DeTable<'t>,
) {
    for (key, value) in table {
        let name = match above {
            "" => key.get_ref().to_string(),
            _ => [above, ".", key.get_ref()].concat(),
        };
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(inner) => flatten(lines, &name, inner),
            value => lines.push((name, key.span().start, Spanned::new(span, value))),
        }
    }
}

/// A description of the values that a line takes, where serde has an error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Wanted(String);

impl de::Error for Wanted {
    fn custom<T: fmt::Display>(message: T) -> Wanted {
        Wanted(message.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, wanted: &dyn Expected) -> Wanted {
        let wanted = match &*wanted.to_string() {
            "a boolean" => "true or false",
            "u32" => "a whole number",
            _ => "a text",
        };
        Wanted(wanted.to_owned())
    }

    fn invalid_value(value: Unexpected<'_>, wanted: &dyn Expected) -> Wanted {
        Wanted::invalid_type(value, wanted)
    }

    fn unknown_variant(_: &str, words: &'static [&'static str]) -> Wanted {
        Wanted(one_of(words))
    }
}

/// A description of a line that takes one of a few words.
pub(super) fn one_of(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    format!("one of {}", words.join(", "))
}

impl Setting {
    /// The texts of a list; none of anything else.
    pub(super) fn texts(&self) -> &[String] {
        match &self.value {
            SettingValue::Texts(texts) => texts,
            _ => &[],
        }
    }

    /// Returns true for a line of the contract that the program is built with.
    pub fn is_built_in(&self) -> bool {
        *self.file == *BUILT_IN_NAME
    }
}

impl SettingValue {
    /// The value in one way of writing it, whichever way the file has.
    ///
    /// It is kept as what was agreed to: another way would ask every seller again.
    pub fn text(&self) -> String {
        let quoted = |text: &String| serde_json::Value::from(text.as_str()).to_string();
        let list = |items: Vec<String>| format!("[{}]", items.join(", "));
        match self {
            SettingValue::Text(text) => quoted(text),
            SettingValue::Flag(flag) => flag.to_string(),
            SettingValue::Whole(number) => number.to_string(),
            SettingValue::Texts(texts) => list(texts.iter().map(quoted).collect()),
            SettingValue::Wholes(numbers) => list(numbers.iter().map(i64::to_string).collect()),
        }
    }
}

/// The name with the fewest letters to change, if it is near at all.
fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.map(|other| (levenshtein(name, other), other));
    let (distance, other) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= name.chars().count().div_ceil(3)).then_some(other)
}

/// One contract that comes with the program.
///
/// It is a shape seen at services of this kind, and vouches for nothing: its lines are as assumed
/// as the seller's own. It comes with the program, so nobody has to agree to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Its name in errors and beside its lines.
    pub file: &'static str,
    /// Its lines.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),*) => {
        [$(Preset {
            name: $name,
            file: concat!("contracts/", $name, ".toml"),
            text: include_str!(concat!("../../assets/contracts/", $name, ".toml")),
        }),*]
    };
}

/// All of them.
pub const PRESETS: [Preset; 6] =
    presets!["snake-case", "sibling", "enveloped", "key-headers", "no-content", "centavos"];

impl Preset {
    /// The one of this name.
    pub fn named(name: &str) -> Option<Preset> {
        PRESETS.into_iter().find(|preset| preset.name == name)
    }

    /// The name that is nearest to one that is none, if any is near.
    pub fn nearest(name: &str) -> Option<&'static str> {
        nearest(name, PRESETS.iter().map(|preset| preset.name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Contract;
    use super::*;

    #[test]
    fn presets_alone_need_no_consent() {
        for preset in PRESETS {
            let contract = Contract::with(&[(preset.file, preset.text)]).expect(preset.name);
            assert_eq!(contract.to_agree(None), [], "{}", preset.name);
            assert!(!contract.differences().is_empty(), "{}", preset.name);
            // A file of the seller's that has a preset's name or text is still the seller's.
            let other = format!("{}\n", preset.text);
            for file in [("loja.toml", preset.text), (preset.file, &other)] {
                assert!(Contract::with(&[file]).unwrap().needs_consent(), "{}", preset.name);
            }
            assert!(!contract.claims_confirmed());
            for line in contract.settings().values().filter(|line| *line.file == *preset.file) {
                let own = preset.text.lines().nth(line.number - 1).unwrap();
                assert!(!own.trim().is_empty() && !own.starts_with('#'), "{own}");
            }
        }
    }

    #[test]
    fn seller_line_overrides_only_its_preset_line() {
        let preset = Preset::named("centavos").unwrap();
        let own = ("mine.toml", "withdrawal.unit = 'reais'");
        let contract = Contract::with(&[(preset.file, preset.text), own]).unwrap();
        let files = ["withdrawal.unit", "fee_preview.unit", "login.path"]
            .map(|name| contract.settings()[name].file.to_string());
        assert_eq!(files, ["mine.toml", "contracts/centavos.toml", "contract.toml"]);
    }

    #[test]
    fn a_name_that_is_nearly_one_is_guessed() {
        assert_eq!(Preset::nearest("snake_case"), Some("snake-case"));
        assert_eq!(Preset::nearest("centavo"), Some("centavos"));
        assert_eq!(Preset::nearest("woovi"), None);
        assert_eq!(Preset::named("demo"), None);
    }
}
