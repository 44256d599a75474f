//! Reads periods and amounts in a search text, such as `novembro` or `>100`.
//!
//! Portuguese and English are understood in both languages of the screen. Text in quotes is never
//! read, so that every word can also be searched for.

use std::ops::Range;

use jiff::civil::Date;

use super::searchable;
use crate::trade::{Money, PasteError, Wall, date_of, day_of, read_pasted};

/// The names of the months in Portuguese and in English.
pub const MONTHS: [[&str; 12]; 2] = [
    [
        "janeiro",
        "fevereiro",
        "março",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ],
    [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
];

/// The maximum number of words in a period or amount, as in `21 de novembro de 2026`.
const MAX_WORDS: usize = 5;

/// The maximum number of days in `7 dias`.
const MAX_DAYS: i64 = 9_999;

/// A short name of a month, as in `21 Nov 2026`, has this number of letters.
const SHORT_NAME: usize = 3;

/// A year has a 29 February at most this number of years after the last one.
const MAX_LEAP_GAP: i16 = 8;

/// The digits of the first part of a Brazilian postcode. A phone or tax number has more digits.
const MIN_LONG_NUMBER: usize = 5;

/// Everything that a search text was read as, apart from words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    /// The days on which a row must have been made.
    pub period: Option<Period>,
    /// The range in which the amount of a row must be.
    pub amounts: AmountRange,
}

/// A span of local days, numbered as in [`Wall::local_day`]. Both days are included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub first: i64,
    /// The last day.
    pub last: i64,
}

/// A range of amounts. The default range has no bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AmountRange {
    /// The lower bound.
    pub min: Option<AmountBound>,
    /// The upper bound.
    pub max: Option<AmountBound>,
}

/// A bound of a range of amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmountBound {
    /// The amount at the end of the range.
    pub amount: Money,
    /// True if the range contains the amount itself.
    pub is_included: bool,
}

/// A part of a search text. The parts contain all of the text except the spaces between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The position of the part in the text, in bytes. It includes quotes.
    pub span: Range<usize>,
    /// The use of the part.
    pub kind: PieceKind,
}

/// The use of a part of a search text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// A word, which is compared with the rows.
    Word,
    /// Text in quotes. While the closing quote is missing, it extends to the end.
    Quoted,
    /// A period or an amount.
    Read,
}

impl Reading {
    /// True if the search text contains only words.
    pub fn is_empty(&self) -> bool {
        *self == Reading::default()
    }
}

impl Period {
    /// The time at which the period starts, and the time at which it is over.
    pub fn span(&self, utc_offset_s: i32) -> [Wall; 2] {
        [
            Wall::span_of_local_day(self.first, utc_offset_s)[0],
            Wall::span_of_local_day(self.last, utc_offset_s)[1],
        ]
    }

    /// The shortest period that contains both periods.
    fn joined(self, other: Period) -> Period {
        Period {
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        }
    }
}

impl AmountRange {
    /// True if the amount is in the range.
    pub fn contains(&self, amount: Money) -> bool {
        let is_above =
            |min: AmountBound| amount > min.amount || min.is_included && amount == min.amount;
        let is_below =
            |max: AmountBound| amount < max.amount || max.is_included && amount == max.amount;
        self.min.is_none_or(is_above) && self.max.is_none_or(is_below)
    }

    /// Adds the bounds of another range, as in `>50 <100`. Returns `None` if both ranges have the
    /// same bound.
    fn with(self, other: AmountRange) -> Option<AmountRange> {
        let has_same =
            self.min.is_some() && other.min.is_some() || self.max.is_some() && other.max.is_some();
        (!has_same).then_some(AmountRange {
            min: self.min.or(other.min),
            max: self.max.or(other.max),
        })
    }
}

/// Reads a search text on the local day `today`. Only the first period is read, and each bound of
/// the amounts once; whatever else the text contains is a word.
///
/// `has_amounts` is false for a list without amounts.
pub fn read(text: &str, today: i64, has_amounts: bool) -> (Reading, Vec<Piece>) {
    let mut reading = Reading::default();
    let mut pieces: Vec<Piece> = split(text);
    let mut at = 0;
    while at < pieces.len() {
        let words: Vec<String> = pieces[at..]
            .iter()
            .take(MAX_WORDS)
            .take_while(|piece| piece.kind == PieceKind::Word)
            .map(|piece| fold(&text[piece.span.clone()]))
            .collect();
        let longest = (1..=words.len()).rev().find(|&count| {
            read_phrase(&mut reading, &words[..count].join(" "), today, has_amounts)
        });
        if let Some(count) = longest {
            let end = pieces[at + count - 1].span.end;
            pieces[at].span.end = end;
            pieces[at].kind = PieceKind::Read;
            pieces.drain(at + 1..at + count);
        }
        at += 1;
    }
    (reading, pieces)
}

/// Puts quotes around everything in a search text that would be read, so that nothing is.
pub fn quote_all(text: &str, today: i64) -> String {
    let mut quoted = text.to_owned();
    loop {
        let (reading, pieces) = read(&quoted, today, true);
        if reading.is_empty() {
            return quoted;
        }
        // From the end, so that the positions of the other parts stay valid.
        for Piece { span, .. } in pieces
            .iter()
            .rev()
            .filter(|piece| piece.kind == PieceKind::Read)
        {
            quoted.insert(span.end, '"');
            quoted.insert(span.start, '"');
        }
    }
}

/// The words of a search text, with their quotes. The day is not needed, because it does not decide
/// what is read.
pub fn words(text: &str) -> String {
    let (_, pieces) = read(text, 0, true);
    let words = pieces.iter().filter(|piece| piece.kind != PieceKind::Read);
    let words: Vec<&str> = words.map(|piece| &text[piece.span.clone()]).collect();
    words.join(" ")
}

/// Splits a text into words and quoted parts.
fn split(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut end = 0;
    while let Some(spaces) = text[end..].find(|c: char| !c.is_whitespace()) {
        let start = end + spaces;
        let rest = &text[start..];
        let (kind, len) = match rest.strip_prefix('"') {
            Some(quoted) => (PieceKind::Quoted, quoted.find('"').map(|at| at + 2)),
            None => (PieceKind::Word, rest.find(char::is_whitespace)),
        };
        end = start + len.unwrap_or(rest.len());
        pieces.push(Piece {
            span: start..end,
            kind,
        });
    }
    pieces
}

/// A word without case, accents and the punctuation of a sentence around it.
fn fold(word: &str) -> String {
    let folded = searchable(word);
    folded
        .trim_matches([',', ';', '.', '(', ')', ' '])
        .to_owned()
}

/// Adds the period or amount that a phrase means to the reading. Returns false if it means none, or
/// if the reading already has one.
fn read_phrase(reading: &mut Reading, phrase: &str, today: i64, has_amounts: bool) -> bool {
    if let Some(period) = read_period(phrase, today).filter(|_| reading.period.is_none()) {
        reading.period = Some(period);
        return true;
    }
    let amounts = read_amounts(phrase).filter(|_| has_amounts);
    match amounts.and_then(|amounts| reading.amounts.with(amounts)) {
        Some(amounts) => reading.amounts = amounts,
        None => return false,
    }
    true
}

fn read_period(phrase: &str, today: i64) -> Option<Period> {
    let period = |first, last| Some(Period { first, last });
    match phrase {
        "hoje" | "today" => return period(today, today),
        "ontem" | "yesterday" => return period(today - 1, today - 1),
        "semana passada" | "last week" => {
            // Day 0 was a Thursday.
            let monday = today - (today + 3).rem_euclid(7);
            return period(monday - 7, monday - 1);
        }
        _ => {}
    }
    if let Some((count, "dias" | "dia" | "days" | "day")) = phrase.split_once(' ') {
        let count = digits(count).filter(|count| (1..=MAX_DAYS).contains(count))?;
        return period(today - (count - 1), today);
    }
    if let Some(date) = PartialDate::read(phrase) {
        return match date.year {
            Some(year) => date.in_year(year),
            None => date.in_year(date.latest_year(today)?),
        };
    }
    let [from, to] = split_range(phrase)?.map(PartialDate::read);
    between(from?, to?, today)
}

/// The two sides of a range such as `50-80`.
fn split_range(phrase: &str) -> Option<[&str; 2]> {
    let (from, to) = phrase.split_once(['-', '–'])?;
    Some([from.trim(), to.trim()])
}

/// The period between two dates. Without years, it is the latest such period that has begun.
fn between(from: PartialDate, to: PartialDate, today: i64) -> Option<Period> {
    if let Some(year) = from.year.or(to.year) {
        let [from, to] = [from, to].map(|date| date.in_year(date.year.unwrap_or(year)));
        return Some(from?.joined(to?));
    }
    let [early, late] = [from.min(to), from.max(to)];
    let year = early.latest_year(today)?;
    let within_year = early.in_year(year)?.joined(late.in_year(year)?);
    // `28/12-03/01` is more likely the turn of the year than `22/11-16/11`, which is reversed. Of
    // the two possible periods, the shorter one is meant.
    if from == late && from != to && within_year.last - within_year.first > 365 / 2 {
        let year = late.latest_year(today)?;
        return Some(late.in_year(year)?.joined(early.in_year(year + 1)?));
    }
    Some(within_year)
}

/// A day or a whole month, possibly without its year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PartialDate {
    year: Option<i16>,
    month: i8,
    /// The day of the month, or `None` for the whole month.
    day: Option<i8>,
}

impl PartialDate {
    /// Reads `21/11`, `21/11/2026`, `11/2026`, `novembro`, `Nov 2026` or `21 de novembro de 2026`.
    fn read(text: &str) -> Option<PartialDate> {
        let has_slashes = text.contains('/');
        if text.starts_with("de ") || text.ends_with(" de") {
            return None;
        }
        let words: Vec<&str> = if has_slashes {
            text.split('/').collect()
        } else {
            text.split(' ').filter(|word| *word != "de").collect()
        };
        let is_name = |word: &str| word.starts_with(char::is_alphabetic);
        let (day, month, year) = match words[..] {
            [month] => (None, month, None),
            [month, year] if year.len() == 4 => (None, month, Some(year)),
            [month, day] if is_name(month) => (Some(day), month, None),
            [day, month] => (Some(day), month, None),
            [day, month, year] if year.len() == 4 => (Some(day), month, Some(year)),
            _ => return None,
        };
        let month = if has_slashes {
            digits(month)?
        } else {
            named_month(month, day.or(year).is_some())?
        };
        let date = PartialDate {
            year: year.map_or(Some(None), |year| digits(year).map(Some))?,
            month: i8::try_from(month).ok()?,
            day: day.map_or(Some(None), |day| digits(day).map(Some))?,
        };
        // 2028 has a 29 February.
        date.in_year(date.year.unwrap_or(2028)).map(|_| date)
    }

    fn in_year(self, year: i16) -> Option<Period> {
        let first = Date::new(year, self.month, self.day.unwrap_or(1)).ok()?;
        let last = match self.day {
            Some(_) => first,
            None => first.last_of_month(),
        };
        Some(Period {
            first: day_of(first),
            last: day_of(last),
        })
    }

    /// The latest year in which this date is not later than today.
    fn latest_year(self, today: i64) -> Option<i16> {
        let this_year = date_of(today)?.year();
        let years = (this_year - MAX_LEAP_GAP..=this_year).rev();
        let has_begun = |period: Period| period.first <= today;
        years
            .into_iter()
            .find(|&year| self.in_year(year).is_some_and(has_begun))
    }
}

/// The number of a month. A name of three letters is read only beside a number, because names such
/// as `may` or `mar` are also words or the beginnings of words.
fn named_month(word: &str, is_beside_number: bool) -> Option<i16> {
    let is_short = word.len() == SHORT_NAME;
    if is_short && !is_beside_number {
        return None;
    }
    let [_, english] = &MONTHS;
    let position = MONTHS
        .iter()
        .find_map(|names| names.iter().position(|name| searchable(name) == word))
        .or_else(|| {
            let mut names = english.iter();
            names.position(|name| is_short && searchable(name).starts_with(word))
        });
    i16::try_from(position? + 1).ok()
}

/// A number without a sign.
fn digits<N: std::str::FromStr>(text: &str) -> Option<N> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// Reads `>100`, `>=100`, `<50`, `<=50` or `50-80`.
fn read_amounts(phrase: &str) -> Option<AmountRange> {
    for (sign, is_min, is_included) in [
        (">=", true, true),
        ("<=", false, true),
        (">", true, false),
        ("<", false, false),
    ] {
        if let Some(amount) = phrase.strip_prefix(sign) {
            let amount = read_amount(amount)?;
            let bound = Some(AmountBound {
                amount,
                is_included,
            });
            let mut range = AmountRange::default();
            *if is_min {
                &mut range.min
            } else {
                &mut range.max
            } = bound;
            return Some(range);
        }
    }
    let [from, to] = split_range(phrase)?;
    let length = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    // A phone number, a postcode or a CPF is no range of amounts.
    let is_long = length(from) >= MIN_LONG_NUMBER && length(from) > length(to);
    if is_long && !from.contains([',', '$']) {
        return None;
    }
    let [from, to] = [read_amount(from)?, read_amount(to)?];
    let bound = |amount| {
        Some(AmountBound {
            amount,
            is_included: true,
        })
    };
    Some(AmountRange {
        min: bound(from.min(to)),
        max: bound(from.max(to)),
    })
}

/// Reads an amount in reais. A text that may also mean a smaller amount means the larger one here,
/// so that `1.234` is 1,234 reais, and `100` is not 100 centavos.
fn read_amount(text: &str) -> Option<Money> {
    match read_pasted(text) {
        Ok(amount) => Some(amount),
        Err(PasteError::Ambiguous {
            readings: [larger, _],
        }) => Some(larger),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests;
