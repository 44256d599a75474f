//! Names the period and the amounts that were read in a search text.

use super::{Catalogue, dates};
use crate::trade::search::reading::MONTHS;
use crate::trade::search::{AmountBound, AmountRange, Period, Reading};
use crate::trade::{date_of, day_of};

/// The texts about a reading: the period and the amounts, as far as the search text has them. With
/// `labels`, each text begins with what it is about.
pub fn texts(words: &Catalogue, today: i64, reading: &Reading, labels: bool) -> Vec<String> {
    let period = reading.period.map(|period| {
        let text = period_text(words, today, period);
        ("search-period", "period", text)
    });
    let amounts = amounts_text(words, &reading.amounts);
    let amounts = amounts.map(|text| ("search-amounts", "amounts", text));
    let texts = period.into_iter().chain(amounts);
    texts
        .map(|(id, name, text)| {
            if labels {
                words.with(id, &[(name, &text)])
            } else {
                text
            }
        })
        .collect()
}

/// A day, a month such as `novembro de 2026`, or the first and the last day.
fn period_text(words: &Catalogue, today: i64, Period { first, last }: Period) -> String {
    if first == last {
        return dates::day(words, today, first);
    }
    let date =
        date_of(first).filter(|date| date.day() == 1 && day_of(date.last_of_month()) == last);
    if let Some(date) = date {
        let names = MONTHS[words.lang() as usize];
        let month = names[usize::from(date.month().unsigned_abs()) - 1];
        let year = date.year().to_string();
        return words.with("search-month", &[("month", month), ("year", &year)]);
    }
    let [first, last] = [first, last].map(|day| dates::short_day(words, today, day));
    words.with("search-days", &[("first", &first), ("last", &last)])
}

fn amounts_text(words: &Catalogue, amounts: &AmountRange) -> Option<String> {
    let bound_text = |bound: AmountBound, ids: [&str; 2]| {
        let [exclusive, inclusive] = ids;
        let id = if bound.is_included {
            inclusive
        } else {
            exclusive
        };
        words.with(id, &[("amount", &bound.amount.to_string())])
    };
    if let (Some(min), Some(max)) = (amounts.min, amounts.max)
        && min.is_included
        && max.is_included
    {
        let [min, max] = [min, max].map(|bound| bound.amount.to_string());
        return Some(words.with("search-between", &[("min", &min), ("max", &max)]));
    }
    let min = amounts
        .min
        .map(|min| bound_text(min, ["search-above", "search-from"]));
    let max = amounts
        .max
        .map(|max| bound_text(max, ["search-below", "search-to"]));
    let bounds: Vec<String> = min.into_iter().chain(max).collect();
    (!bounds.is_empty()).then(|| bounds.join(", "))
}
