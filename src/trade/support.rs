//! The members of a support file, and the values that were masked in them.

use super::Untrusted;

/// A member of a support file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SupportMember {
    /// The recorded screens and events.
    Recording,
    /// The stored HTTP requests with their replies, as a HAR file.
    Requests,
    /// The report of `balcao doctor`.
    Doctor,
    /// The settings of the API contract that differ from the built-in ones.
    Contract,
    /// The program's settings that differ from the defaults.
    Settings,
    /// The seller's own sentence.
    Words,
    /// The version, the date, the language and the size of the screen.
    About,
}

impl SupportMember {
    /// Every member, in the order in which they are written.
    pub const ALL: [SupportMember; 7] = [
        SupportMember::Recording,
        SupportMember::Requests,
        SupportMember::Doctor,
        SupportMember::Contract,
        SupportMember::Settings,
        SupportMember::Words,
        SupportMember::About,
    ];

    /// The name of the member in the file.
    pub fn file_name(self) -> &'static str {
        match self {
            SupportMember::Recording => "recording.balcao",
            SupportMember::Requests => "requests.har",
            SupportMember::Doctor => "doctor.json",
            SupportMember::Contract => "contract.toml",
            SupportMember::Settings => "settings.json",
            SupportMember::Words => "words.txt",
            SupportMember::About => "about.json",
        }
    }
}

/// The kind of a value that was masked in an exported file, such as a CPF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "a kind is its name")]
pub enum MaskedKind {
    Cpf,
    Cnpj,
    Phone,
    Email,
    Uuid,
    PixCode,
    Picture,
    Token,
    Host,
    Amount,
    Number,
    Text,
}

/// The summary that the seller sees of a support file before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportSummary {
    /// The members with their sizes in bytes.
    pub members: Vec<(SupportMember, u64)>,
    /// The number of HTTP requests.
    pub requests: u64,
    /// The number of different values that were masked, of each kind.
    pub masked: Vec<(MaskedKind, u64)>,
    /// The seller's own sentence, which is written as it was typed.
    pub sentence: Option<Untrusted>,
}
