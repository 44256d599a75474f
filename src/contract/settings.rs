//! The named settings of an API contract, merged from several files.
//!
//! [`ContractSettings`] contains the merged settings, and [`Section`] reads typed values from them.
//! The presets (contract files that are part of the program) are at the end of this source file.

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

/// The evidence for a setting of the API contract: the documentation, a live reply, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// The API documentation shows that the setting is right.
    Documented,
    /// A live reply, or a payment that arrived, has shown that the setting is right.
    Confirmed,
    /// There is no evidence: the setting is a guess.
    Assumed,
}

/// A setting of the API contract, such as `unit = "reais"`.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The evidence for the setting.
    pub provenance: Provenance,
    /// The name of the file that contains the setting.
    pub file: Arc<str>,
    /// The line number in the file, from 1.
    pub number: usize,
    pub(super) value: SettingValue,
}

/// The value of a setting of the API contract.
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

/// The author of an API contract file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileAuthor {
    /// The file is part of the program, so it may mark settings as documented or confirmed.
    Program,
    /// The file was written by the seller, or by any program with access to the seller's folder, so
    /// it cannot mark settings as confirmed.
    Seller,
}

/// The text that replaces the file name of a setting if the setting was chosen in the app and is
/// not saved yet.
const TAUGHT: &str = "-";

/// An invalid setting in an API contract, with its file and line number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {number}: {problem}{}", clashes_with(.clash))]
pub struct ContractError {
    /// The name of the file that contains the invalid setting.
    pub file: Arc<str>,
    /// The line number in the file, from 1.
    pub number: usize,
    /// The description of the error.
    pub problem: String,
    /// The line number of the built-in setting that the invalid setting contradicts; `None` for
    /// other errors.
    pub clash: Option<usize>,
}

fn clashes_with(line: &Option<usize>) -> String {
    let told = |line| format!(" (it clashes with line {line} of the built-in contract)");
    line.map_or_else(String::new, told)
}

/// Settings of the API contract by name, merged from all files that have been read so far.
#[derive(Clone, Default)]
pub(super) struct ContractSettings {
    by_name: BTreeMap<String, Setting>,
    /// True if a seller's file claims that settings are confirmed. The claim is ignored.
    pub(super) claims: bool,
    /// The names of the settings that the program has looked up. A file must not contain any other
    /// name.
    asked: RefCell<BTreeSet<String>>,
}

impl ContractSettings {
    /// Adds the settings of a file. They override earlier settings with the same name.
    ///
    /// They count as assumed, unless the file is part of the program and marks them as documented
    /// or confirmed.
    pub(super) fn lay_over(
        &mut self,
        file: &str,
        text: &str,
        whose: FileAuthor,
    ) -> Result<(), ContractError> {
        let file: Arc<str> = file.into();
        // Find all line breaks in the text once, because counting them for each setting would delay
        // the app's first frame.
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
                // A setting that only repeats the current value keeps its evidence, such as
                // documented.
                Some(setting) if setting.value == value => setting.provenance,
                _ => Provenance::Assumed,
            };
            let (file, number) = (file.clone(), number(at));
            self.by_name.insert(name, Setting { provenance, file, number, value });
        }
        if whose == FileAuthor::Seller {
            // Ignore a seller's claim that settings are confirmed, because any program could have
            // written it to the file.
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

    /// Starts with the settings of an existing API contract, so that single ones can be changed.
    pub(super) fn in_force(by_name: &BTreeMap<String, Setting>, claims: bool) -> ContractSettings {
        ContractSettings { by_name: by_name.clone(), claims, asked: RefCell::default() }
    }

    /// Sets a setting to the value that the seller chose in the app. A changed setting counts as
    /// assumed.
    pub(super) fn teach(&mut self, name: &str, value: &SettingValue) {
        if self.by_name.get(name).is_some_and(|setting| setting.value == *value) {
            return;
        }
        let (provenance, value) = (Provenance::Assumed, value.clone());
        let setting = Setting { provenance, file: TAUGHT.into(), number: 0, value };
        self.by_name.insert(name.to_owned(), setting);
    }

    /// Returns the settings that do not come from the built-in file, in the order of their line
    /// numbers.
    pub(super) fn own(&self) -> Vec<(String, Setting)> {
        let own = self.by_name.iter().filter(|(_, setting)| !setting.is_built_in());
        let mut own: Vec<_> = own.map(|(name, setting)| (name.clone(), setting.clone())).collect();
        own.sort_by_key(|(_, setting)| setting.number);
        own
    }

    /// Returns the settings without the setting of this name. If the built-in contract has a
    /// setting of this name, it is used instead.
    pub(super) fn without(&self, name: &str, built_in: &ContractSettings) -> ContractSettings {
        let mut settings = self.clone();
        settings.by_name.remove(name);
        let shipped = built_in.by_name.get(name).cloned();
        settings.by_name.extend(shipped.map(|setting| (name.to_owned(), setting)));
        settings
    }

    /// Returns all settings.
    ///
    /// # Errors
    ///
    /// Fails if a file has a setting that the program never reads.
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

    /// Returns an error at the setting with this name. If the setting is missing, the error is at
    /// line 1 of the built-in file.
    fn wrong(&self, name: &str, problem: String) -> ContractError {
        let (file, number) = match self.by_name.get(name) {
            Some(setting) => (setting.file.clone(), setting.number),
            None => (BUILT_IN_NAME.into(), 1),
        };
        ContractError { file, number, problem, clash: None }
    }

    /// Returns the settings whose names begin with `above` and a dot, such as `login.path` for
    /// `login`.
    pub(super) fn section(&self, above: &str) -> Section<'_> {
        Section { settings: self, above: above.to_owned() }
    }
}

/// The settings whose names begin with the same prefix, such as `login` or `login.field.email`.
pub(super) struct Section<'s> {
    settings: &'s ContractSettings,
    above: String,
}

impl Section<'_> {
    // Do not use `format!`: it took a third of the time to read an API contract before the first
    // frame.
    fn name(&self, key: &str) -> String {
        [&self.above, ".", key].concat()
    }

    /// Returns the settings of this section whose names continue with `below` and a dot.
    pub(super) fn section(&self, below: &str) -> Section<'_> {
        Section { settings: self.settings, above: self.name(below) }
    }

    /// Returns the ids that follow a name in this section. For example, `field` is followed by the
    /// ids of the declared fields.
    pub(super) fn ids(&self, below: &str) -> BTreeSet<String> {
        let before = [&self.above, ".", below, "."].concat();
        let after = |name: &String| Some(name.strip_prefix(&before)?.split_once('.')?.0.to_owned());
        self.settings.by_name.keys().filter_map(after).collect()
    }

    /// Returns an error that lists the values that the setting accepts.
    pub(super) fn takes<T>(&self, key: &str, wanted: &str) -> Result<T, ContractError> {
        let name = self.name(key);
        Err(self.settings.wrong(&name, format!("`{name}` takes {wanted}")))
    }

    /// Returns an error at the setting `key`, because `key` also requires the setting named
    /// `missing`.
    pub(super) fn lacks<T>(&self, key: &str, missing: &str) -> Result<T, ContractError> {
        let missing = format!("the line `{}` is missing", self.name(missing));
        Err(self.settings.wrong(&self.name(key), missing))
    }

    /// Returns the value of a setting, and records that the program reads a setting of this name.
    fn ask(&self, key: &str) -> Option<&SettingValue> {
        let name = self.name(key);
        let found = self.settings.by_name.get(&name).map(|setting| &setting.value);
        self.settings.asked.borrow_mut().insert(name);
        found
    }

    /// Reads a text, a flag, a number or an enum word. Returns `None` if there is no such setting.
    pub(super) fn get_if_any<T: DeserializeOwned>(
        &self,
        key: &str,
    ) -> Result<Option<T>, ContractError> {
        let read: Option<Result<T, Wanted>> = self.ask(key).map(|value| match value {
            SettingValue::Text(text) => T::deserialize(text.as_str().into_deserializer()),
            SettingValue::Flag(flag) => T::deserialize((*flag).into_deserializer()),
            SettingValue::Whole(number) => T::deserialize((*number).into_deserializer()),
            // A list is invalid here. Deserializing an empty list gives an error that names the
            // expected value.
            SettingValue::Texts(_) | SettingValue::Wholes(_) => {
                T::deserialize(SeqDeserializer::new(std::iter::empty::<i64>()))
            }
        });
        read.transpose().or_else(|Wanted(wanted)| self.takes(key, &wanted))
    }

    /// Reads the value of a required setting.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &str) -> Result<T, ContractError> {
        self.get_if_any(key)?.map_or_else(|| self.lacks(key, key), Ok)
    }

    /// Reads a nonempty text.
    pub(super) fn text(&self, key: &str) -> Result<String, ContractError> {
        let text: String = self.get(key)?;
        if text.is_empty() { self.takes(key, "a text") } else { Ok(text) }
    }

    /// Reads a list of texts. A missing setting counts as an empty list.
    pub(super) fn texts(&self, key: &str) -> Result<&[String], ContractError> {
        match self.ask(key) {
            None => Ok(&[]),
            Some(SettingValue::Texts(texts)) => Ok(texts),
            Some(_) => self.takes(key, "a list of texts"),
        }
    }

    /// Reads a list of HTTP statuses from 200 to 299.
    pub(super) fn statuses(&self, key: &str) -> Result<Vec<u16>, ContractError> {
        let read = |number: &i64| u16::try_from(*number).ok().filter(|n| (200..300).contains(n));
        let read = match self.ask(key) {
            Some(SettingValue::Wholes(numbers)) => numbers.iter().map(read).collect(),
            _ => None,
        };
        read.map_or_else(|| self.takes(key, "a list of statuses from 200 to 299"), Ok)
    }

    /// Reads a list of JSON Pointers. A missing setting counts as an empty list.
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

    /// Reads JSON Pointers that start at the root of the reply or of the list entry. They are not
    /// appended to the bases in the setting `under`.
    pub(super) fn in_whole(&self, key: &str) -> Result<JsonPaths, ContractError> {
        Ok(JsonPaths { pointers: self.pointers(key)? })
    }
}

/// Collects the values in nested tables, each with its dotted name and its position in the file.
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

/// A serde error that contains only the expected value.
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

/// Returns a list of words for an error message, such as "one of `a`, `b`".
pub(super) fn one_of(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    format!("one of {}", words.join(", "))
}

impl Setting {
    /// Returns the items of a list of texts. Any other value counts as empty.
    pub(super) fn texts(&self) -> &[String] {
        match &self.value {
            SettingValue::Texts(texts) => texts,
            _ => &[],
        }
    }

    /// Returns true if the setting comes from the built-in contract.
    pub fn is_built_in(&self) -> bool {
        *self.file == *BUILT_IN_NAME
    }
}

impl SettingValue {
    /// Returns the value in a normal form, which does not depend on how the value is written in the
    /// file.
    ///
    /// The seller's agreement is stored in this form, so every seller must agree again if the form
    /// changes.
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

/// Returns the most similar name. At most a third of the letters may differ.
fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.map(|other| (levenshtein(name, other), other));
    let (distance, other) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= name.chars().count().div_ceil(3)).then_some(other)
}

/// An API contract file that comes with the program.
///
/// A preset describes the replies of similar services. Its settings count as assumed, but need no
/// agreement, because they are part of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// The name of the preset.
    pub name: &'static str,
    /// The file name, which is shown in error messages and next to the preset's settings.
    pub file: &'static str,
    /// The text of the file.
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

/// All presets.
pub const PRESETS: [Preset; 6] =
    presets!["snake-case", "sibling", "enveloped", "key-headers", "no-content", "centavos"];

impl Preset {
    /// Returns the preset with this name.
    pub fn named(name: &str) -> Option<Preset> {
        PRESETS.into_iter().find(|preset| preset.name == name)
    }

    /// Returns the name of the most similar preset for an unknown name, or `None` if none is
    /// similar.
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
            // A seller's file does not count as a preset, even if its name or its text equals that
            // of a preset.
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
