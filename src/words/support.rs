//! Texts about a support file: what is in it, and what was masked.

use super::{Catalogue, sizes};
use crate::trade::{MaskedKind, SupportMember, SupportSummary, Untrusted};

/// The width of the column with the names of the members.
const NAME_WIDTH: usize = 17;

/// The width of the column with the sizes.
const SIZE_WIDTH: usize = 8;

/// The lines that tell what is in a support file.
pub fn member_lines(words: &Catalogue, summary: &SupportSummary) -> Vec<String> {
    let members = summary.members.iter();
    let lines = members.map(|(member, size)| {
        let meaning = match (member, &summary.sentence) {
            (SupportMember::Requests, _) => words.count("support-requests", summary.requests, &[]),
            (SupportMember::Words, Some(sentence)) => own_sentence(words, sentence),
            _ => meaning(words, *member),
        };
        member_line(*member, *size, &meaning)
    });
    lines.collect()
}

/// A line with the name of a member, its size and its meaning.
pub fn member_line(member: SupportMember, size: u64, meaning: &str) -> String {
    let name = member.file_name();
    let size = sizes::short(size);
    format!("  {name:<NAME_WIDTH$}{size:>SIZE_WIDTH$}  {meaning}")
}

/// The text that tells what a member of a support file contains.
pub fn meaning(words: &Catalogue, member: SupportMember) -> String {
    words.text(match member {
        SupportMember::Recording => "support-member-recording",
        SupportMember::Requests => "support-member-requests",
        SupportMember::Doctor => "support-member-doctor",
        SupportMember::Contract => "support-member-contract",
        SupportMember::Settings => "support-member-settings",
        SupportMember::Words => "support-member-words",
        SupportMember::About => "support-member-about",
    })
}

/// The text with the sentence that the seller typed.
pub fn own_sentence(words: &Catalogue, sentence: &Untrusted) -> String {
    words.with("support-sentence", &[("text", &sentence.shown())])
}

/// The text that tells how many values of each kind were masked.
pub fn masked(words: &Catalogue, summary: &SupportSummary) -> String {
    let counts = &summary.masked;
    if counts.is_empty() {
        return words.text("support-masked.nothing");
    }
    let counts = counts.iter().map(|(kind, count)| {
        let id = match kind {
            MaskedKind::Cpf => "support-masked-cpf",
            MaskedKind::Cnpj => "support-masked-cnpj",
            MaskedKind::Phone => "support-masked-phone",
            MaskedKind::Email => "support-masked-email",
            MaskedKind::Uuid => "support-masked-uuid",
            MaskedKind::PixCode => "support-masked-pix-code",
            MaskedKind::Picture => "support-masked-picture",
            MaskedKind::Token => "support-masked-token",
            MaskedKind::Host => "support-masked-host",
            MaskedKind::Amount => "support-masked-amount",
            MaskedKind::Number => "support-masked-number",
            MaskedKind::Text => "support-masked-text",
        };
        words.count(id, *count, &[])
    });
    let counts: Vec<String> = counts.collect();
    words.with("support-masked", &[("counts", &counts.join(", "))])
}
