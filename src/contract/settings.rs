//! The contract as named settings: read from files, laid over one another, each with its
//! provenance.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use strsim::levenshtein;
use toml::de::{DeTable, DeValue};

use super::pointer::Pointer;

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
    /// The value as it would be written.
    pub text: String,
    /// The source that vouches for it.
    pub provenance: Provenance,
    /// The file it comes from.
    pub file: Arc<str>,
    /// The line number in that file, from 1.
    pub number: usize,
    pub(super) value: SettingValue,
}

/// The few kinds of values that settings have.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    pub problem: Problem,
    /// The line of the built-in contract that it clashes with, where it is right without that one.
    pub clash: Option<usize>,
}

/// The fault of a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file is not TOML.
    #[error("{0}")]
    Syntax(String),
    /// No line has this name.
    #[error("`{name}` is no line of the contract{}", did_you_mean(.nearest))]
    UnknownName {
        /// The name in the file.
        name: String,
        /// The valid name that is nearest.
        nearest: Option<String>,
    },
    /// The line is needed and nowhere to be found.
    #[error("the line `{0}` is missing")]
    Missing(String),
    /// The value is not what the line takes.
    #[error("`{name}` takes {wanted}")]
    Value {
        /// The line's name.
        name: String,
        /// A description of the values that it takes.
        wanted: String,
    },
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn clashes_with(line: &Option<usize>) -> String {
    let told = |line| format!(" (it clashes with line {line} of the built-in contract)");
    line.map_or_else(String::new, told)
}

/// All settings read so far, and the names that were asked for.
#[derive(Clone)]
pub(super) struct ContractSettings {
    by_name: BTreeMap<String, Setting>,
    /// True when a file of the seller's claims to confirm lines, which counts for nothing.
    pub(super) claims: bool,
    /// Asking for a name is what makes it valid.
    asked: RefCell<BTreeSet<String>>,
    file: Arc<str>,
}

impl ContractSettings {
    /// Reads the program's own file, which also says what is documented.
    pub(super) fn read_built_in(file: &str, text: &str) -> Result<ContractSettings, ContractError> {
        let (by_name, asked) = (BTreeMap::new(), RefCell::default());
        let mut settings = ContractSettings { by_name, claims: false, asked, file: file.into() };
        settings.lay_over(file, text, Whose::Program)?;
        settings.vouch("documented", Provenance::Documented)?;
        Ok(settings)
    }

    /// Lays another file over what is there; its lines are assumed unless the program's own file
    /// confirms them.
    pub(super) fn lay_over(
        &mut self,
        file: &str,
        text: &str,
        whose: Whose,
    ) -> Result<(), ContractError> {
        let file: Arc<str> = file.into();
        let table = DeTable::parse(text).map_err(|error| ContractError {
            file: file.clone(),
            number: error.span().map_or(1, |span| SourceText::new(text).line_number(span.start)),
            problem: Problem::Syntax(error.message().to_owned()),
            clash: None,
        })?;
        let mut table = table.into_inner();
        self.by_name.remove("confirmed");
        if whose == Whose::Seller {
            // Whoever can write the lines could vouch for them too.
            self.claims |= table.remove("confirmed").is_some();
        }
        self.take_table(&file, &SourceText::new(text), "", &table)?;
        self.vouch("confirmed", Provenance::Confirmed)
    }

    /// The lines of a contract that is in force, to be changed one by one.
    pub(super) fn in_force(by_name: &BTreeMap<String, Setting>, claims: bool) -> ContractSettings {
        let asked = ["documented", "confirmed"].map(str::to_owned).into();
        let (by_name, asked) = (by_name.clone(), RefCell::new(asked));
        ContractSettings { by_name, claims, asked, file: TAUGHT.into() }
    }

    /// Puts a line in place that the seller teaches.
    pub(super) fn teach(&mut self, name: &str, value: &SettingValue) {
        if self.by_name.get(name).is_some_and(|setting| setting.value == *value) {
            return;
        }
        let (text, file) = (value.text(), TAUGHT.into());
        let provenance = Provenance::Assumed;
        let setting = Setting { text, provenance, file, number: 0, value: value.clone() };
        self.by_name.insert(name.to_owned(), setting);
    }

    /// The names and lines that do not come from the program's own file, as they stand in theirs.
    pub(super) fn own(&self) -> Vec<(String, Setting)> {
        let own = self.by_name.iter().filter(|(_, setting)| setting.file != self.file);
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

    /// Returns true if all of these lines are as a file of this name has them.
    pub(super) fn is_from(&self, file: &str, names: &[&str]) -> bool {
        let is_there = |name: &&str| self.by_name.get(*name).is_some_and(|one| &*one.file == file);
        names.iter().all(is_there)
    }

    fn take_table(
        &mut self,
        file: &Arc<str>,
        source: &SourceText<'_>,
        above: &str,
        table: &DeTable<'_>,
    ) -> Result<(), ContractError> {
        for (key, value) in table {
            let name = match above {
                "" => key.get_ref().to_string(),
                _ => [above, ".", key.get_ref()].concat(),
            };
            let number = source.line_number(key.span().start);
            if let DeValue::Table(inner) = value.get_ref() {
                self.take_table(file, source, &name, inner)?;
                continue;
            }
            let Some(read) = SettingValue::read(value.get_ref()) else {
                let wanted = "a text, true or false, a whole number, or a list of one of them";
                let problem = Problem::Value { name, wanted: wanted.to_owned() };
                return Err(ContractError { file: file.clone(), number, problem, clash: None });
            };
            let provenance = match self.by_name.get(&name) {
                // Writing down what is there already takes nothing away from it.
                Some(setting) if setting.value == read => setting.provenance,
                _ => Provenance::Assumed,
            };
            let own_text = source.text[value.span()].to_owned();
            let setting =
                Setting { text: own_text, provenance, file: file.clone(), number, value: read };
            self.by_name.insert(name, setting);
        }
        Ok(())
    }

    /// Gives a provenance to the settings that a list names.
    fn vouch(&mut self, list: &str, provenance: Provenance) -> Result<(), ContractError> {
        for name in self.texts_or(list, &[])? {
            match self.by_name.get_mut(&name) {
                Some(setting) => setting.provenance = provenance,
                None => {
                    let nearest = nearest(&name, self.by_name.keys());
                    return Err(self.wrong(list, Problem::UnknownName { name, nearest }));
                }
            }
        }
        Ok(())
    }

    /// The lines themselves, once every valid name was asked for.
    pub(super) fn finish(self) -> Result<BTreeMap<String, Setting>, ContractError> {
        let asked = self.asked.borrow();
        let unknown = self.by_name.iter().filter(|(name, _)| !asked.contains(*name));
        if let Some((name, setting)) = unknown.min_by_key(|(_, setting)| setting.number) {
            let nearest = nearest(name, asked.iter());
            return Err(ContractError {
                file: setting.file.clone(),
                number: setting.number,
                problem: Problem::UnknownName { name: name.clone(), nearest },
                clash: None,
            });
        }
        drop(asked);
        Ok(self.by_name)
    }

    /// The ids that stand between `before` and the next dot, such as the fields of a body.
    pub(super) fn ids(&self, before: &str) -> BTreeSet<String> {
        let after = |name: &String| Some(name.strip_prefix(before)?.split_once('.')?.0.to_owned());
        self.by_name.keys().filter_map(after).collect()
    }

    /// An error about the line of this name.
    pub(super) fn wrong(&self, name: &str, problem: Problem) -> ContractError {
        let (file, number) = match self.by_name.get(name) {
            Some(setting) => (setting.file.clone(), setting.number),
            None => (self.file.clone(), 1),
        };
        ContractError { file, number, problem, clash: None }
    }

    /// An error that says what the line of this name takes.
    pub(super) fn takes(&self, name: &str, wanted: &str) -> ContractError {
        let wanted = wanted.to_owned();
        self.wrong(name, Problem::Value { name: name.to_owned(), wanted })
    }

    fn missing(&self, name: &str) -> ContractError {
        self.wrong(name, Problem::Missing(name.to_owned()))
    }

    fn ask(&self, name: &str) -> Option<&SettingValue> {
        self.asked.borrow_mut().insert(name.to_owned());
        self.by_name.get(name).map(|setting| &setting.value)
    }

    pub(super) fn text_if_any(&self, name: &str) -> Result<Option<String>, ContractError> {
        match self.ask(name) {
            None => Ok(None),
            Some(SettingValue::Text(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.takes(name, "a text")),
        }
    }

    pub(super) fn text(&self, name: &str) -> Result<String, ContractError> {
        self.text_if_any(name)?.ok_or_else(|| self.missing(name))
    }

    pub(super) fn flag_or(&self, name: &str, otherwise: bool) -> Result<bool, ContractError> {
        match self.ask(name) {
            None => Ok(otherwise),
            Some(SettingValue::Flag(flag)) => Ok(*flag),
            Some(_) => Err(self.takes(name, "true or false")),
        }
    }

    pub(super) fn whole_if_any(&self, name: &str) -> Result<Option<u32>, ContractError> {
        let wrong = || self.takes(name, "a whole number");
        match self.ask(name) {
            None => Ok(None),
            Some(SettingValue::Whole(number)) => {
                u32::try_from(*number).map(Some).map_err(|_| wrong())
            }
            Some(_) => Err(wrong()),
        }
    }

    pub(super) fn texts_or(
        &self,
        name: &str,
        other: &[&str],
    ) -> Result<Vec<String>, ContractError> {
        match self.ask(name) {
            None => Ok(other.iter().map(|text| (*text).to_owned()).collect()),
            Some(SettingValue::Texts(texts)) => Ok(texts.clone()),
            Some(_) => Err(self.takes(name, "a list of texts")),
        }
    }

    /// A line that takes one of a few words.
    pub(super) fn word<T: Copy>(
        &self,
        name: &str,
        words: &[(&str, T)],
    ) -> Result<T, ContractError> {
        let text = self.text(name)?;
        if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == text) {
            return Ok(*meaning);
        }
        let all: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        Err(self.takes(name, &format!("one of {}", all.join(", "))))
    }

    /// A line that lists statuses of replies; only a 2xx can be called a success.
    pub(super) fn statuses(&self, name: &str) -> Result<Vec<u16>, ContractError> {
        let wrong = || self.takes(name, "a list of statuses from 200 to 299");
        let Some(value) = self.ask(name) else { return Err(self.missing(name)) };
        let SettingValue::Wholes(numbers) = value else { return Err(wrong()) };
        let read = |number: &i64| u16::try_from(*number).ok().filter(|n| (200..300).contains(n));
        numbers.iter().map(|number| read(number).ok_or_else(wrong)).collect()
    }

    /// A line that lists JSON Pointers; no line is an empty list.
    pub(super) fn pointers(&self, name: &str) -> Result<Vec<Pointer>, ContractError> {
        let read = |text: &String| {
            Pointer::parse(text).ok_or_else(|| {
                self.takes(name, &format!("JSON Pointers, such as `/data/id`; `{text}` is none"))
            })
        };
        self.texts_or(name, &[])?.iter().map(read).collect()
    }
}

impl Setting {
    /// The texts of a list; none of anything else.
    pub(super) fn texts(&self) -> &[String] {
        match &self.value {
            SettingValue::Texts(texts) => texts,
            _ => &[],
        }
    }

    /// The value in one way of writing it, whichever way the file has.
    ///
    /// It is kept as what was agreed to: another way would ask every seller again.
    pub(super) fn value_text(&self) -> String {
        self.value.text()
    }
}

impl SettingValue {
    /// The value in one way of writing it.
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

    fn read(value: &DeValue<'_>) -> Option<SettingValue> {
        match value {
            DeValue::String(text) => Some(SettingValue::Text(text.to_string())),
            DeValue::Boolean(flag) => Some(SettingValue::Flag(*flag)),
            DeValue::Integer(_) => whole(value).map(SettingValue::Whole),
            DeValue::Array(items) => {
                let texts = || items.iter().map(|item| Some(item.get_ref().as_str()?.to_owned()));
                let wholes = || items.iter().map(|item| whole(item.get_ref()));
                texts()
                    .collect::<Option<_>>()
                    .map(SettingValue::Texts)
                    .or_else(|| wholes().collect::<Option<_>>().map(SettingValue::Wholes))
            }
            _ => None,
        }
    }
}

fn whole(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// A file's text, and where each of its lines begins.
struct SourceText<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> SourceText<'t> {
    /// The lines are counted once: the program's own file is read before the first frame.
    fn new(text: &'t str) -> SourceText<'t> {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        SourceText { text, starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// The number of the line that holds this byte; the first line is 1.
    fn line_number(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }
}

/// The name with the fewest letters to change, if it is near at all.
pub(super) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a String>) -> Option<String> {
    let near = names.map(|other| (levenshtein(name, other), other));
    let (distance, other) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= name.chars().count().div_ceil(3)).then(|| other.clone())
}
