//! Collects the members of a support file, and masks them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::doctor::checkup_json;
use crate::contract::Contract;
use crate::har::{self, Environment, StrictMask};
use crate::rows::row_mask;
use crate::support::{About, SupportFile};
use crate::trade::checkup::Checkup;
use crate::trade::{Exchange, SupportMember, SupportSummary, Untrusted};

/// The facts for a support file, before they are masked.
pub struct SupportFacts<'a> {
    /// The recorded screens, which were masked when they were recorded.
    pub recording: Option<&'a [u8]>,
    /// The HTTP requests, oldest first.
    pub exchanges: &'a [&'a Exchange],
    /// The computer and the settings with which the requests were made.
    pub environment: &'a Environment,
    /// The result of `balcao doctor`.
    pub checkup: &'a Checkup,
    pub contract: &'a Contract,
    /// The sentence that the seller typed about the problem.
    pub sentence: Option<&'a str>,
    pub about: About,
}

/// Returns the content of a support file, and its summary for the seller. A member without content
/// is left out.
pub fn collect(facts: &SupportFacts<'_>, mask: StrictMask) -> (SupportFile, SupportSummary) {
    let SupportFacts {
        exchanges,
        environment,
        contract,
        ..
    } = *facts;
    let mut mask = mask.without_words();
    let mut texts = BTreeMap::new();
    if !exchanges.is_empty() {
        let requests = har::file_with(environment, exchanges, contract, &mut mask);
        texts.insert(SupportMember::Requests, requests);
    }
    let checkup = mask.mask_secrets(checkup_json(facts.checkup));
    texts.insert(
        SupportMember::Doctor,
        to_text(&row_mask::masked_texts(checkup)),
    );
    let lines = har::contract_lines(contract, &mut mask);
    texts.insert(
        SupportMember::Contract,
        lines.iter().map(|line| format!("{line}\n")).collect(),
    );
    let settings = environment.settings_json(&mut mask);
    texts.insert(SupportMember::Settings, to_text(&settings));
    let sentence = facts
        .sentence
        .map(|sentence| mask_credentials(sentence, &mut mask));
    texts.extend(
        sentence
            .as_ref()
            .map(|sentence| (SupportMember::Words, format!("{sentence}\n"))),
    );

    let mut file = SupportFile::default();
    if let Some(recording) = facts.recording {
        file.add(SupportMember::Recording, recording);
    }
    for (member, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        file.add(member, Untrusted::with_shown_masks(&text));
    }
    file.add_about(&facts.about);
    let members = file.members();
    let summary = SupportSummary {
        members: members
            .map(|(member, bytes)| (member, bytes.len() as u64))
            .collect(),
        requests: exchanges.len() as u64,
        masked: mask.masked_counts(),
        sentence: sentence.map(Untrusted::from),
    };
    (file, summary)
}

/// The seller's sentence as it was typed, unless it contains a credential.
fn mask_credentials(sentence: &str, mask: &mut StrictMask) -> String {
    match mask.mask_secrets(sentence.into()) {
        Value::String(text) => text,
        _ => String::new(),
    }
}

fn to_text(json: &Value) -> String {
    format!("{json:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::FORMAT;
    use crate::trade::{MaskedKind, Secret};

    const TOKEN: &str = "canary-4410-token-7f";

    /// Collects a file without requests, with this sentence.
    fn collect_with(sentence: Option<&str>) -> (SupportFile, SupportSummary) {
        let contract = Contract::built_in();
        let environment = Environment {
            language: "pt-BR",
            theme: None,
            time_zone: None,
            utc_offset_s: 0,
            settings: vec![],
            checkup: Checkup::of(vec![]),
        };
        let about = About {
            format: FORMAT,
            version: "0.1.0".into(),
            date: String::new(),
            code: String::new(),
            language: "pt-BR".into(),
            size: None,
        };
        let facts = SupportFacts {
            recording: Some(b"frames"),
            exchanges: &[],
            environment: &environment,
            checkup: &environment.checkup,
            contract: &contract,
            sentence,
            about,
        };
        let secret = Secret::new(TOKEN.to_owned());
        collect(&facts, StrictMask::new(&contract, &[secret]))
    }

    #[test]
    fn members_without_content_are_left_out() {
        use SupportMember::{About, Doctor, Recording, Settings};
        let (file, summary) = collect_with(None);
        let members: Vec<_> = file.members().map(|(member, _)| member).collect();
        assert_eq!(members, [Recording, Doctor, Settings, About]);
        assert_eq!(file.bytes(Recording), Some(&b"frames"[..]));
        assert_eq!(summary.members[0], (Recording, 6));
        assert_eq!((summary.requests, summary.sentence), (0, None));
    }

    #[test]
    fn sentence_is_as_typed_unless_it_has_a_credential() {
        let (file, summary) = collect_with(Some("A Ana não recebeu"));
        let words = file.bytes(SupportMember::Words);
        assert_eq!(words, Some("A Ana não recebeu\n".as_bytes()));
        assert_eq!(
            (summary.sentence, summary.masked),
            (Some("A Ana não recebeu".into()), vec![])
        );

        let (file, summary) = collect_with(Some(&format!("o token é {TOKEN}")));
        let words = file.bytes(SupportMember::Words).unwrap();
        assert!(!String::from_utf8_lossy(words).contains("canary"));
        assert_eq!(summary.masked, [(MaskedKind::Text, 1)]);
    }
}
