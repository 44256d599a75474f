//! The member `about.json`: with what the file was written, and how the seller's screen looks.

use serde::{Deserialize, Serialize};

use super::SupportFile;
use crate::trade::SupportMember;

/// The number of the format of the files that this version writes.
pub const FORMAT: u32 = 1;

/// The content of `about.json`. In a file from a stranger, every text may be anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The number of the file's format. A newer version may write a higher one.
    pub format: u32,
    /// The version of the program that wrote the file.
    pub version: String,
    /// The local date and time at which the file was written, in RFC 3339 format.
    pub date: String,
    /// The code in the proposed name of the file.
    pub code: String,
    /// The tag of the language of the seller's screens, such as `pt-BR`.
    pub language: String,
    /// The columns and rows of the seller's screen, if there is one.
    pub size: Option<[u16; 2]>,
}

impl SupportFile {
    /// Adds the member `about.json`.
    pub fn add_about(&mut self, about: &About) {
        let json = serde_json::to_string(about).unwrap_or_default();
        self.add(SupportMember::About, json + "\n");
    }

    /// The content of `about.json`. Returns `None` if the member is missing or cannot be parsed.
    pub fn about(&self) -> Option<About> {
        serde_json::from_slice(self.bytes(SupportMember::About)?).ok()
    }
}
