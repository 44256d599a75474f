//! The contract as named lines: read from files, laid over one another, each with its standing.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use strsim::levenshtein;
use toml::de::{DeTable, DeValue};

use super::money_lines::MoneyLines;
use super::pointer::Pointer;

/// What vouches for a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The service's documentation shows it.
    Documented,
    /// Somebody has seen it to be true.
    Confirmed,
    /// A guess.
    Assumed,
}

/// One line of the contract.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The value as it would be written.
    pub text: String,
    /// What vouches for it.
    pub standing: Standing,
    /// The file it comes from.
    pub file: Arc<str>,
    /// The line number in that file, from 1.
    pub number: usize,
    value: Value,
}

/// The few kinds of values that lines have.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Text(String),
    Flag(bool),
    Whole(i64),
    Texts(Vec<String>),
    Wholes(Vec<i64>),
}

/// Who wrote a file of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// It comes with the program, which may confirm lines.
    Program,
    /// The seller, or whoever else can write in the seller's folder: it vouches for nothing.
    Seller,
}

/// A line that cannot be taken, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractError {
    /// The file.
    pub file: Arc<str>,
    /// The line number in it, from 1.
    pub number: usize,
    /// What is wrong.
    pub problem: Problem,
    /// The line of the built-in contract that it clashes with, where it is right without that one.
    pub clash: Option<usize>,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The file is not TOML.
    Syntax(String),
    /// No line has this name.
    UnknownName {
        /// The name in the file.
        name: String,
        /// The valid name that is nearest.
        nearest: Option<String>,
    },
    /// The line is needed and nowhere to be found.
    Missing(String),
    /// The value is not what the line takes.
    Value {
        /// The line's name.
        name: String,
        /// What it takes.
        wanted: String,
    },
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: ", self.file, self.number)?;
        match &self.problem {
            Problem::Syntax(message) => f.write_str(message),
            Problem::UnknownName { name, nearest: Some(nearest) } => {
                write!(f, "`{name}` is no line of the contract; did you mean `{nearest}`?")
            }
            Problem::UnknownName { name, nearest: None } => {
                write!(f, "`{name}` is no line of the contract")
            }
            Problem::Missing(name) => write!(f, "the line `{name}` is missing"),
            Problem::Value { name, wanted } => write!(f, "`{name}` takes {wanted}"),
        }?;
        match self.clash {
            Some(number) => write!(f, " (it clashes with line {number} of the built-in contract)"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ContractError {}

/// All lines read so far, and the names that were asked for.
#[derive(Clone)]
pub(super) struct Lines {
    lines: BTreeMap<String, Line>,
    /// Whether a file of the seller's claims to confirm lines, which counts for nothing.
    pub(super) claims: bool,
    /// Asking for a name is what makes it valid.
    asked: RefCell<BTreeSet<String>>,
    file: Arc<str>,
}

impl Lines {
    /// Reads the program's own file, which also says what is documented.
    pub(super) fn read_built_in(file: &str, text: &str) -> Result<Lines, ContractError> {
        let (lines, asked) = (BTreeMap::new(), RefCell::default());
        let mut lines = Lines { lines, claims: false, asked, file: file.into() };
        lines.lay_over(file, text, Whose::Program)?;
        lines.vouch("documented", Standing::Documented)?;
        Ok(lines)
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
            number: error.span().map_or(1, |span| Source::new(text).line_number(span.start)),
            problem: Problem::Syntax(error.message().to_owned()),
            clash: None,
        })?;
        let mut table = table.into_inner();
        self.lines.remove("confirmed");
        if whose == Whose::Seller {
            // Whoever can write the lines could vouch for them too.
            self.claims |= table.remove("confirmed").is_some();
        }
        self.take_table(&file, &Source::new(text), "", &table)?;
        self.vouch("confirmed", Standing::Confirmed)
    }

    /// The names and lines that do not come from the program's own file, as they stand in theirs.
    pub(super) fn own(&self) -> Vec<(String, Line)> {
        let own = self.lines.iter().filter(|(_, line)| line.file != self.file);
        let mut own: Vec<_> = own.map(|(name, line)| (name.clone(), line.clone())).collect();
        own.sort_by_key(|(_, line)| line.number);
        own
    }

    /// The same lines with the built-in one of this name, if there is any, in the place of this.
    pub(super) fn without(&self, name: &str, built_in: &Lines) -> Lines {
        let mut lines = self.clone();
        lines.lines.remove(name);
        let shipped = built_in.lines.get(name).cloned();
        lines.lines.extend(shipped.map(|line| (name.to_owned(), line)));
        lines
    }

    /// What is there now of the lines that steer money.
    pub(super) fn money_lines(&self) -> MoneyLines {
        MoneyLines::among(&self.lines)
    }

    fn take_table(
        &mut self,
        file: &Arc<str>,
        source: &Source<'_>,
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
            let Some(read) = Value::read(value.get_ref()) else {
                let wanted = "a text, true or false, a whole number, or a list of one of them";
                let problem = Problem::Value { name, wanted: wanted.to_owned() };
                return Err(ContractError { file: file.clone(), number, problem, clash: None });
            };
            let standing = match self.lines.get(&name) {
                // Writing down what is there already takes nothing away from it.
                Some(line) if line.value == read => line.standing,
                _ => Standing::Assumed,
            };
            let own_text = source.text[value.span()].to_owned();
            let line = Line { text: own_text, standing, file: file.clone(), number, value: read };
            self.lines.insert(name, line);
        }
        Ok(())
    }

    /// Gives a standing to the lines that a list names.
    fn vouch(&mut self, list: &str, standing: Standing) -> Result<(), ContractError> {
        for name in self.texts_or(list, &[])? {
            match self.lines.get_mut(&name) {
                Some(line) => line.standing = standing,
                None => {
                    let nearest = nearest(&name, self.lines.keys());
                    return Err(self.wrong(list, Problem::UnknownName { name, nearest }));
                }
            }
        }
        Ok(())
    }

    /// The lines themselves, once every valid name was asked for.
    pub(super) fn finish(self) -> Result<BTreeMap<String, Line>, ContractError> {
        let asked = self.asked.borrow();
        let unknown = self.lines.iter().filter(|(name, _)| !asked.contains(*name));
        if let Some((name, line)) = unknown.min_by_key(|(_, line)| line.number) {
            let nearest = nearest(name, asked.iter());
            return Err(ContractError {
                file: line.file.clone(),
                number: line.number,
                problem: Problem::UnknownName { name: name.clone(), nearest },
                clash: None,
            });
        }
        drop(asked);
        Ok(self.lines)
    }

    /// The ids that stand between `before` and the next dot, such as the fields of a body.
    pub(super) fn ids(&self, before: &str) -> BTreeSet<String> {
        let after = |name: &String| Some(name.strip_prefix(before)?.split_once('.')?.0.to_owned());
        self.lines.keys().filter_map(after).collect()
    }

    /// An error about the line of this name.
    pub(super) fn wrong(&self, name: &str, problem: Problem) -> ContractError {
        let (file, number) = match self.lines.get(name) {
            Some(line) => (line.file.clone(), line.number),
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

    fn ask(&self, name: &str) -> Option<&Value> {
        self.asked.borrow_mut().insert(name.to_owned());
        self.lines.get(name).map(|line| &line.value)
    }

    pub(super) fn text_if_any(&self, name: &str) -> Result<Option<String>, ContractError> {
        match self.ask(name) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.takes(name, "a text")),
        }
    }

    pub(super) fn text(&self, name: &str) -> Result<String, ContractError> {
        self.text_if_any(name)?.ok_or_else(|| self.missing(name))
    }

    pub(super) fn flag_or(&self, name: &str, otherwise: bool) -> Result<bool, ContractError> {
        match self.ask(name) {
            None => Ok(otherwise),
            Some(Value::Flag(flag)) => Ok(*flag),
            Some(_) => Err(self.takes(name, "true or false")),
        }
    }

    pub(super) fn whole_if_any(&self, name: &str) -> Result<Option<u32>, ContractError> {
        let wrong = || self.takes(name, "a whole number");
        match self.ask(name) {
            None => Ok(None),
            Some(Value::Whole(number)) => u32::try_from(*number).map(Some).map_err(|_| wrong()),
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
            Some(Value::Texts(texts)) => Ok(texts.clone()),
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
        let Value::Wholes(numbers) = value else { return Err(wrong()) };
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

impl Line {
    /// The value in one way of writing it, whichever way the file has.
    ///
    /// It is kept as what was agreed to: another way would ask every seller again.
    pub(super) fn value_text(&self) -> String {
        let quoted = |text: &String| serde_json::Value::from(text.as_str()).to_string();
        let list = |items: Vec<String>| format!("[{}]", items.join(", "));
        match &self.value {
            Value::Text(text) => quoted(text),
            Value::Flag(flag) => flag.to_string(),
            Value::Whole(number) => number.to_string(),
            Value::Texts(texts) => list(texts.iter().map(quoted).collect()),
            Value::Wholes(numbers) => list(numbers.iter().map(i64::to_string).collect()),
        }
    }
}

impl Value {
    fn read(value: &DeValue<'_>) -> Option<Value> {
        match value {
            DeValue::String(text) => Some(Value::Text(text.to_string())),
            DeValue::Boolean(flag) => Some(Value::Flag(*flag)),
            DeValue::Integer(_) => whole(value).map(Value::Whole),
            DeValue::Array(items) => {
                let texts = || items.iter().map(|item| Some(item.get_ref().as_str()?.to_owned()));
                let wholes = || items.iter().map(|item| whole(item.get_ref()));
                texts()
                    .collect::<Option<_>>()
                    .map(Value::Texts)
                    .or_else(|| wholes().collect::<Option<_>>().map(Value::Wholes))
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
struct Source<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Source<'t> {
    /// The lines are counted once: the program's own file is read before the first frame.
    fn new(text: &'t str) -> Source<'t> {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Source { text, starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// The number of the line that holds this byte; the first line is 1.
    fn line_number(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }
}

/// The name with the fewest letters to change, if it is near at all.
fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a String>) -> Option<String> {
    let near = names.map(|other| (levenshtein(name, other), other));
    let (distance, other) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= name.chars().count().div_ceil(3)).then(|| other.clone())
}
