//! The checkup for scripts and support: facts alone, and nothing that names a person.
//!
//! The words of files and other programs are left out, for they may quote anything.

use serde_json::{Value, json};

use crate::cli::history_json::moment;
use crate::trade::checkup::{Checkup, Fact, Finding, Verdict};

/// The shape of the object; a key is only ever added without a new number.
const FORMAT: u32 = 1;

/// All of it as one object.
pub fn checkup(checkup: &Checkup) -> Value {
    let count = |verdict: Verdict| (verdict.name().to_owned(), checkup.count(verdict).into());
    json!({
        "format": FORMAT,
        "verdict": checkup.verdict().name(),
        "counts": Value::Object(Verdict::ALL.into_iter().map(count).collect()),
        "findings": checkup.findings().iter().map(finding).collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    let facts = finding.facts.iter().map(|(name, fact)| ((*name).to_owned(), value(fact)));
    json!({
        "id": finding.id,
        "verdict": finding.verdict.name(),
        "facts": Value::Object(facts.collect()),
    })
}

fn value(fact: &Fact) -> Value {
    match fact {
        Fact::Nothing => Value::Null,
        Fact::Flag(flag) => (*flag).into(),
        Fact::Number(number) => (*number).into(),
        Fact::Text(text) => text.as_str().into(),
        Fact::Texts(texts) => texts.as_slice().into(),
        Fact::Moment(at) => moment(*at).into(),
    }
}

#[cfg(test)]
mod tests;
