//! Lines that are confirmed: what a live reply was read by, and the unit of money as the seller saw
//! it arrive.
//!
//! They are written by the program alone. A file of the seller's cannot confirm anything: whoever
//! can write its lines could vouch for them too.

use std::collections::BTreeMap;

use super::settings::{Provenance, Setting};
use super::sought::SoughtLine;
use crate::trade::Operation;

/// The most bytes that all of them take where they are kept.
const MOST_BYTES: usize = 60_000;

/// The lines that decide how a withdrawal's amount is counted and written.
pub(super) const UNIT_LINES: [&str; 2] = ["withdrawal.unit", "withdrawal.amount_sent"];

/// Lines that are confirmed, each with the value that was: with another one it is assumed again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfirmedLines(pub(super) BTreeMap<String, String>);

impl ConfirmedLines {
    /// Returns true when there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These, and newer ones, which count where both name a line.
    pub fn and(mut self, newer: &ConfirmedLines) -> ConfirmedLines {
        self.0.extend(newer.0.iter().map(|(name, value)| (name.clone(), value.clone())));
        self
    }

    /// All of them as they are kept; `None` when that is more than there is room for.
    pub fn kept(&self) -> Option<String> {
        let text = serde_json::to_string(&self.0).ok()?;
        (text.len() <= MOST_BYTES).then_some(text)
    }

    /// Reads the text that was kept; what is anything else confirms nothing.
    pub fn read(text: &str) -> ConfirmedLines {
        let short = Some(text).filter(|text| text.len() <= MOST_BYTES);
        let lines = short.and_then(|text| serde_json::from_str(text).ok());
        let lines: BTreeMap<String, String> = lines.unwrap_or_default();
        ConfirmedLines(lines.into_iter().filter(|(name, _)| may_be_confirmed(name)).collect())
    }
}

/// Returns true for what a reply can prove, and for the unit: no other line of what is sent.
fn may_be_confirmed(name: &str) -> bool {
    let mut sought = Operation::ALL.into_iter().flat_map(SoughtLine::of);
    UNIT_LINES.contains(&name) || sought.any(|line| line.name == name)
}

/// Marks the lines as confirmed that still say what was confirmed; what is documented stays so.
pub(super) fn vouch(
    settings: &mut BTreeMap<String, Setting>,
    confirmed: &BTreeMap<String, String>,
) {
    for (name, value) in confirmed {
        let Some(setting) = settings.get_mut(name) else { continue };
        if setting.provenance == Provenance::Assumed && setting.value.text() == *value {
            setting.provenance = Provenance::Confirmed;
        }
    }
}
