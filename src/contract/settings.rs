//! The named settings of an API contract, merged from several files.
//!
//! [`MergedSettings`] contains the merged settings, and [`Section`] reads typed values from them.
//! The presets (contract files that are part of the program) are at the end of this source file.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::de::value::SeqDeserializer;
use serde::de::{self, DeserializeOwned, Expected, IntoDeserializer, Unexpected};
use serde::{Deserialize, Serialize};
use strsim::levenshtein;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::BUILT_IN_NAME;
use super::reply::{JsonPaths, Pointer};
use super::sharing::quoted;

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
    pub line_number: usize,
    pub(super) value: SettingValue,
}

/// The value of a setting of the API contract.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
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
    /// The file was written by the seller, or by another program with access to the seller's
    /// folder. So it cannot mark settings as confirmed.
    Seller,
}

/// The file name of a setting that was chosen in the app and is not saved in a file yet.
const UNSAVED_FILE: &str = "-";

/// An invalid setting in an API contract, with its file and line number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {number}: {problem}{}", describe_clash(.clash))]
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

fn describe_clash(line: &Option<usize>) -> String {
    line.map_or_else(String::new, |line| {
        format!(" (it clashes with line {line} of the built-in contract)")
    })
}

/// Settings of the API contract by name, merged from all files that have been read so far.
#[derive(Clone, Default)]
pub(super) struct MergedSettings {
    by_name: BTreeMap<String, Setting>,
    /// True if a seller's file claims that settings are confirmed. The claim is ignored.
    pub(super) claims_confirmed: bool,
    /// The names of the settings that the program has read. A file must not contain other names.
    read_names: RefCell<BTreeSet<String>>,
}

impl MergedSettings {
    /// Adds the settings of a file. They override earlier settings with the same name.
    ///
    /// They count as assumed, unless the file is part of the program and marks them as documented
    /// or confirmed.
    pub(super) fn merge_file(
        &mut self,
        file: &str,
        text: &str,
        author: FileAuthor,
    ) -> Result<(), ContractError> {
        let file: Arc<str> = file.into();
        // Find all line breaks in the text once, because counting them for each setting would delay
        // the app's first frame.
        let line_breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let line_number = |offset| line_breaks.partition_point(|end| *end < offset) + 1;
        let error_at = |offset, problem| ContractError {
            file: file.clone(),
            number: line_number(offset),
            problem,
            clash: None,
        };
        let mut table = DeTable::parse(text)
            .map_err(|error| {
                let offset = error.span().map_or(0, |span| span.start);
                error_at(offset, error.message().to_owned())
            })?
            .into_inner();
        let lists = [
            ("documented", Provenance::Documented),
            ("confirmed", Provenance::Confirmed),
        ];
        let lists = lists.map(|(list, provenance)| (table.remove(list), provenance));
        let mut entries = Vec::new();
        flatten(&mut entries, "", table);
        for (name, offset, value) in entries {
            let Ok(value) = SettingValue::deserialize(value.into_deserializer()) else {
                let expected = "a text, true or false, a whole number, or a list of one of them";
                return Err(error_at(offset, format!("`{name}` takes {expected}")));
            };
            let provenance = match self.by_name.get(&name) {
                // A setting that only repeats the current value keeps its evidence, such as
                // documented.
                Some(setting) if setting.value == value => setting.provenance,
                _ => Provenance::Assumed,
            };
            self.by_name.insert(
                name,
                Setting {
                    provenance,
                    file: file.clone(),
                    line_number: line_number(offset),
                    value,
                },
            );
        }
        if author == FileAuthor::Seller {
            // Ignore a seller's claim that settings are confirmed, because any program could have
            // written it to the file.
            self.claims_confirmed |= lists[1].0.is_some();
            return Ok(());
        }
        for (list, provenance) in lists {
            let names = list
                .iter()
                .filter_map(|list| list.get_ref().as_array())
                .flatten();
            for name in names.filter_map(|name| name.get_ref().as_str()) {
                let setting = self.by_name.get_mut(name);
                setting
                    .expect("a file of the program vouches for its lines")
                    .provenance = provenance;
            }
        }
        Ok(())
    }

    /// Copies the settings of an existing API contract, so that single ones can be changed.
    pub(super) fn from_contract(
        by_name: &BTreeMap<String, Setting>,
        claims_confirmed: bool,
    ) -> MergedSettings {
        MergedSettings {
            by_name: by_name.clone(),
            claims_confirmed,
            read_names: RefCell::default(),
        }
    }

    /// Sets a setting to the value that the seller chose in the app. A changed setting counts as
    /// assumed.
    pub(super) fn set_taught(&mut self, name: &str, value: &SettingValue) {
        if self
            .by_name
            .get(name)
            .is_some_and(|setting| setting.value == *value)
        {
            return;
        }
        let provenance = Provenance::Assumed;
        let value = value.clone();
        let setting = Setting {
            provenance,
            file: UNSAVED_FILE.into(),
            line_number: 0,
            value,
        };
        self.by_name.insert(name.to_owned(), setting);
    }

    /// The settings that are not from the built-in file, in the order of their line numbers.
    pub(super) fn overrides(&self) -> Vec<(String, Setting)> {
        let overrides = self
            .by_name
            .iter()
            .filter(|(_, setting)| !setting.is_built_in());
        let mut overrides: Vec<_> = overrides
            .map(|(name, setting)| (name.clone(), setting.clone()))
            .collect();
        overrides.sort_by_key(|(_, setting)| setting.line_number);
        overrides
    }

    /// Returns the settings, but resets the setting of this name to the built-in one. A setting
    /// that is not built in is removed.
    pub(super) fn without(&self, name: &str, built_in: &MergedSettings) -> MergedSettings {
        let mut settings = self.clone();
        settings.by_name.remove(name);
        let original = built_in.by_name.get(name).cloned();
        settings
            .by_name
            .extend(original.map(|setting| (name.to_owned(), setting)));
        settings
    }

    /// All settings, or an error if a file has a setting that the program never reads.
    pub(super) fn finish(self) -> Result<BTreeMap<String, Setting>, ContractError> {
        let read_names = self.read_names.take();
        let unknown = self
            .by_name
            .iter()
            .filter(|(name, _)| !read_names.contains(*name));
        match unknown.min_by_key(|(_, setting)| setting.line_number) {
            Some((name, _)) => {
                let nearest = nearest(name, read_names.iter().map(String::as_str));
                let nearest = nearest.map(|name| format!("; did you mean `{name}`?"));
                let nearest = nearest.unwrap_or_default();
                Err(self.error_at(
                    name,
                    format!("`{name}` is no line of the contract{nearest}"),
                ))
            }
            None => Ok(self.by_name),
        }
    }

    /// An error at the setting with this name. If the setting is missing, the error is at line 1 of
    /// the built-in file.
    fn error_at(&self, name: &str, problem: String) -> ContractError {
        let (file, number) = match self.by_name.get(name) {
            Some(setting) => (setting.file.clone(), setting.line_number),
            None => (BUILT_IN_NAME.into(), 1),
        };
        ContractError {
            file,
            number,
            problem,
            clash: None,
        }
    }

    /// The settings whose names begin with `prefix` and a dot, such as `login.path` for `login`.
    pub(super) fn section(&self, prefix: &str) -> Section<'_> {
        Section {
            settings: self,
            prefix: prefix.to_owned(),
        }
    }
}

/// The settings whose names begin with the same prefix, such as `login` or `login.field.email`.
pub(super) struct Section<'s> {
    settings: &'s MergedSettings,
    prefix: String,
}

impl Section<'_> {
    // Do not use `format!`: it took a third of the time that reading an API contract takes.
    fn full_name(&self, key: &str) -> String {
        [&self.prefix, ".", key].concat()
    }

    pub(super) fn section(&self, name: &str) -> Section<'_> {
        Section {
            settings: self.settings,
            prefix: self.full_name(name),
        }
    }

    /// The ids that follow a name in this section, such as the field ids after `field`.
    pub(super) fn ids_after(&self, name: &str) -> BTreeSet<String> {
        let prefix = [&self.prefix, ".", name, "."].concat();
        self.settings
            .by_name
            .keys()
            .filter_map(|name| Some(name.strip_prefix(&prefix)?.split_once('.')?.0.to_owned()))
            .collect()
    }

    /// The error for an invalid value. It lists the values that the setting accepts.
    pub(super) fn invalid_value<T>(&self, key: &str, expected: &str) -> Result<T, ContractError> {
        let name = self.full_name(key);
        Err(self
            .settings
            .error_at(&name, format!("`{name}` takes {expected}")))
    }

    /// The error for a missing setting. It names the line of the setting `key`, which requires the
    /// setting `missing`.
    pub(super) fn missing_setting<T>(&self, key: &str, missing: &str) -> Result<T, ContractError> {
        let problem = format!("the line `{}` is missing", self.full_name(missing));
        Err(self.settings.error_at(&self.full_name(key), problem))
    }

    /// Returns the value of a setting, and records that the program has read this name.
    fn look_up(&self, key: &str) -> Option<&SettingValue> {
        let name = self.full_name(key);
        let value = self
            .settings
            .by_name
            .get(&name)
            .map(|setting| &setting.value);
        self.settings.read_names.borrow_mut().insert(name);
        value
    }

    /// Reads a text, a flag, a number or an enum word. Returns `None` if the setting is missing.
    pub(super) fn get_optional<T: DeserializeOwned>(
        &self,
        key: &str,
    ) -> Result<Option<T>, ContractError> {
        let parsed: Option<Result<T, ExpectedValue>> = self.look_up(key).map(|value| match value {
            SettingValue::Text(text) => T::deserialize(text.as_str().into_deserializer()),
            SettingValue::Flag(flag) => T::deserialize((*flag).into_deserializer()),
            SettingValue::Whole(number) => T::deserialize((*number).into_deserializer()),
            // A list is invalid here. Deserializing an empty list gives an error that names the
            // expected value.
            SettingValue::Texts(_) | SettingValue::Wholes(_) => {
                T::deserialize(SeqDeserializer::new(std::iter::empty::<i64>()))
            }
        });
        parsed
            .transpose()
            .or_else(|ExpectedValue(expected)| self.invalid_value(key, &expected))
    }

    /// Reads the value of a required setting.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &str) -> Result<T, ContractError> {
        self.get_optional(key)?
            .map_or_else(|| self.missing_setting(key, key), Ok)
    }

    /// Reads a nonempty text.
    pub(super) fn text(&self, key: &str) -> Result<String, ContractError> {
        let text: String = self.get(key)?;
        if text.is_empty() {
            self.invalid_value(key, "a text")
        } else {
            Ok(text)
        }
    }

    /// Reads a list of texts. A missing setting counts as an empty list.
    pub(super) fn texts(&self, key: &str) -> Result<&[String], ContractError> {
        match self.look_up(key) {
            None => Ok(&[]),
            Some(SettingValue::Texts(texts)) => Ok(texts),
            Some(_) => self.invalid_value(key, "a list of texts"),
        }
    }

    /// Reads a list of HTTP statuses from 200 to 299.
    pub(super) fn statuses(&self, key: &str) -> Result<Vec<u16>, ContractError> {
        let statuses = match self.look_up(key) {
            // An empty list would refuse every reply. A file has it as a list of texts.
            Some(SettingValue::Wholes(numbers)) if !numbers.is_empty() => numbers
                .iter()
                .map(|number| {
                    u16::try_from(*number)
                        .ok()
                        .filter(|n| (200..300).contains(n))
                })
                .collect(),
            _ => None,
        };
        statuses.map_or_else(
            || self.invalid_value(key, "a list of statuses from 200 to 299"),
            Ok,
        )
    }

    /// Reads a list of JSON Pointers. A missing setting counts as an empty list.
    pub(super) fn pointers(&self, key: &str) -> Result<Vec<Pointer>, ContractError> {
        let texts = self.texts(key)?.iter();
        let pointers = texts.map(|text| match Pointer::parse(text) {
            Some(pointer) => Ok(pointer),
            None => {
                let expected = format!("JSON Pointers, such as `/data/id`; `{text}` is none");
                self.invalid_value(key, &expected)
            }
        });
        pointers.collect()
    }

    /// Reads JSON Pointers, and appends each to every base path, such as `/data`, in the setting
    /// `under` of the operation. For the list of domains, `under` is the list itself, so the paths
    /// start at the whole reply or at a list entry.
    pub(super) fn json_paths(&self, key: &str) -> Result<JsonPaths, ContractError> {
        let mut bases = match &*self.prefix {
            "domains" | "error" => vec![],
            _ => self.pointers("under")?,
        };
        if bases.is_empty() {
            bases.extend(Pointer::root());
        }
        Ok(JsonPaths::new(&bases, &self.pointers(key)?))
    }
}

/// Collects the values in nested tables, each with its dotted name and its position in the file.
fn flatten<'t>(
    entries: &mut Vec<(String, usize, Spanned<DeValue<'t>>)>,
    prefix: &str,
    table: DeTable<'t>,
) {
    for (key, value) in table {
        let name = match prefix {
            "" => key.get_ref().to_string(),
            _ => [prefix, ".", key.get_ref()].concat(),
        };
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(inner) => flatten(entries, &name, inner),
            value => entries.push((name, key.span().start, Spanned::new(span, value))),
        }
    }
}

/// A serde error whose text is only a description of the expected value, such as `a text`.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct ExpectedValue(String);

impl de::Error for ExpectedValue {
    fn custom<T: fmt::Display>(message: T) -> ExpectedValue {
        ExpectedValue(message.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> ExpectedValue {
        let expected = match &*expected.to_string() {
            "a boolean" => "true or false",
            "u32" => "a whole number",
            _ => "a text",
        };
        ExpectedValue(expected.to_owned())
    }

    fn invalid_value(value: Unexpected<'_>, expected: &dyn Expected) -> ExpectedValue {
        ExpectedValue::invalid_type(value, expected)
    }

    fn unknown_variant(_: &str, words: &'static [&'static str]) -> ExpectedValue {
        ExpectedValue(one_of(words))
    }
}

/// A list of words for an error message, such as "one of `a`, `b`".
pub(super) fn one_of(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    format!("one of {}", words.join(", "))
}

impl Setting {
    /// The items of a list of texts. Any other value counts as empty.
    pub(super) fn texts(&self) -> &[String] {
        match &self.value {
            SettingValue::Texts(texts) => texts,
            _ => &[],
        }
    }

    /// True if the setting comes from the built-in contract.
    pub fn is_built_in(&self) -> bool {
        *self.file == *BUILT_IN_NAME
    }
}

impl SettingValue {
    /// The value in a normal form, which does not depend on how the value is written in the file.
    ///
    /// The seller's agreement is stored in this form, so every seller must agree again if the form
    /// changes.
    pub fn text(&self) -> String {
        let items: Vec<String> = match self {
            SettingValue::Text(text) => return quoted(text),
            SettingValue::Flag(flag) => return flag.to_string(),
            SettingValue::Whole(number) => return number.to_string(),
            SettingValue::Texts(texts) => texts.iter().map(|text| quoted(text)).collect(),
            SettingValue::Wholes(numbers) => numbers.iter().map(i64::to_string).collect(),
        };
        format!("[{}]", items.join(", "))
    }
}

/// The name that is most similar to `name`, if at most a third of the letters differ.
fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distances = names.map(|other| (levenshtein(name, other), other));
    let (distance, other) = distances.min_by_key(|(distance, _)| *distance)?;
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
pub const PRESETS: [Preset; 6] = presets![
    "snake-case",
    "sibling",
    "enveloped",
    "key-headers",
    "no-content",
    "centavos"
];

impl Preset {
    /// The preset with this name.
    pub fn named(name: &str) -> Option<Preset> {
        PRESETS.into_iter().find(|preset| preset.name == name)
    }

    /// The name of the most similar preset for an unknown name, or `None` if none is similar.
    pub fn nearest(name: &str) -> Option<&'static str> {
        nearest(name, PRESETS.iter().map(|preset| preset.name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Contract;
    use super::*;

    #[test]
    fn preset_needs_consent_as_an_own_file_does() {
        for preset in PRESETS {
            let contract = Contract::with(&[(preset.file, preset.text)]).expect(preset.name);
            let changes = contract.settings_to_agree(None);
            assert!(
                !changes.is_empty() && contract.needs_consent(),
                "{}",
                preset.name
            );
            assert_eq!(changes, contract.differences(), "{}", preset.name);
            let own_file = Contract::with(&[("loja.toml", preset.text)]).unwrap();
            assert_eq!(own_file.settings_to_agree(None), changes, "{}", preset.name);
            assert!(!contract.claims_confirmed());
            for setting in contract
                .settings()
                .values()
                .filter(|it| *it.file == *preset.file)
            {
                let row = preset.text.lines().nth(setting.line_number - 1).unwrap();
                assert!(!row.trim().is_empty() && !row.starts_with('#'), "{row}");
            }
        }
    }

    #[test]
    fn seller_setting_overrides_only_its_preset_setting() {
        let preset = Preset::named("centavos").unwrap();
        let seller_file = ("mine.toml", "withdrawal.unit = 'reais'");
        let contract = Contract::with(&[(preset.file, preset.text), seller_file]).unwrap();
        let files = ["withdrawal.unit", "fee_preview.unit", "login.path"]
            .map(|name| contract.settings()[name].file.to_string());
        assert_eq!(
            files,
            ["mine.toml", "contracts/centavos.toml", "contract.toml"]
        );
    }

    #[test]
    fn similar_preset_name_is_suggested() {
        assert_eq!(Preset::nearest("snake_case"), Some("snake-case"));
        assert_eq!(Preset::nearest("centavo"), Some("centavos"));
        assert_eq!(Preset::nearest("woovi"), None);
        assert_eq!(Preset::named("demo"), None);
    }
}
