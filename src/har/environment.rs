//! The computer and the settings with which the requests of an export were made.

use serde_json::{Map, Value, json};

use super::file::iso;
use super::mask::StrictMask;
use crate::trade::Exchange;
use crate::trade::checkup::{ChangedSetting, Checkup, Fact, Finding};

/// The names of facts that are left out of an export, because they may be private.
const PRIVATE_FACTS: [&str; 2] = ["path", "origin"];

/// The computer and the settings, for support. All values are from fixed lists or found by the
/// program, so none of them is personal.
pub struct Environment {
    /// The tag of the language on the screen, such as `pt-BR`.
    pub language: &'static str,
    /// The name of the theme. `None` if the theme is the seller's own.
    pub theme: Option<String>,
    /// The name of the time zone, if it is known.
    pub time_zone: Option<String>,
    /// The seller's offset from UTC, in seconds east.
    pub utc_offset_s: i32,
    /// The settings that differ from the defaults.
    pub settings: Vec<ChangedSetting>,
    /// The findings about the terminal, the files and the journals.
    pub checkup: Checkup,
}

impl Environment {
    /// The member `_environment` of the file. The clock difference is that of the last reply with a
    /// date.
    pub(super) fn to_json(&self, exchanges: &[&Exchange], mask: &mut StrictMask) -> Value {
        let clock = exchanges
            .iter()
            .rev()
            .find_map(|exchange| exchange.clock_difference_ms());
        let findings: Vec<Value> = self.checkup.findings().iter().map(public_finding).collect();
        let mut environment = self.settings_json(mask);
        environment["version"] = env!("CARGO_PKG_VERSION").into();
        environment["language"] = self.language.into();
        environment["clockDifferenceMs"] = clock.into();
        environment["findings"] = mask.mask_secrets(findings.into());
        environment
    }

    /// The theme, the time zone, and the settings that differ from the defaults.
    pub fn settings_json(&self, mask: &mut StrictMask) -> Value {
        let settings = self
            .settings
            .iter()
            .map(|setting| (setting.name.to_owned(), setting.value.clone()));
        let settings: Map<String, Value> =
            settings.map(|(name, value)| (name, value.into())).collect();
        mask.mask_secrets(json!({
            "theme": self.theme,
            "timeZone": self.time_zone,
            "utcOffsetSeconds": self.utc_offset_s,
            "settings": settings,
        }))
    }
}

fn public_finding(finding: &Finding) -> Value {
    let mut finding = finding_json(finding);
    if let Some(facts) = finding["facts"].as_object_mut() {
        facts.retain(|name, _| !PRIVATE_FACTS.contains(&name.as_str()));
    }
    finding
}

/// A finding of the checkup as JSON, without the text that it quotes from files and other programs.
pub fn finding_json(finding: &Finding) -> Value {
    let facts = finding
        .facts
        .iter()
        .map(|(name, fact)| ((*name).to_owned(), fact_json(fact)));
    json!({
        "id": finding.id,
        "verdict": finding.verdict.name(),
        "facts": Value::Object(facts.collect()),
    })
}

fn fact_json(fact: &Fact) -> Value {
    match fact {
        Fact::Nothing => Value::Null,
        Fact::Flag(flag) => (*flag).into(),
        Fact::Number(number) => (*number).into(),
        Fact::Text(text) => text.as_str().into(),
        Fact::Texts(texts) => texts.as_slice().into(),
        Fact::Moment(at) => iso(*at).into(),
    }
}
