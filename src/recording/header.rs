//! The first line of a recording, which describes the run.

use serde::{Deserialize, Serialize};

use super::screen::Size;
use crate::trade::{Untrusted, Wall};

/// The number of the format that this version writes.
pub const FORMAT: u32 = 1;

/// The description of the run. A member that a file lacks has its default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// The number of the format. Also identifies the file as a recording.
    #[serde(rename = "balcaoRecording")]
    pub format: u32,
    /// The version of the program.
    #[serde(default)]
    pub version: Untrusted,
    /// The time at which the recording started.
    #[serde(default = "epoch")]
    pub started: Wall,
    #[serde(default)]
    pub time_zone: Untrusted,
    #[serde(default)]
    pub utc_offset_s: i32,
    /// The tag of the language, such as `pt-BR`.
    #[serde(default)]
    pub lang: Untrusted,
    #[serde(default)]
    pub theme: Untrusted,
    /// The size of the terminal at the start.
    #[serde(default)]
    pub size: Size,
    /// The lines of `keys.toml` that differ from the built-in keys.
    #[serde(default)]
    pub keys: Vec<Untrusted>,
    /// The lines of the contract.
    #[serde(default)]
    pub contract: Vec<Untrusted>,
}

fn epoch() -> Wall {
    Wall(0)
}

impl Default for Header {
    fn default() -> Header {
        Header {
            format: FORMAT,
            version: Untrusted::default(),
            started: epoch(),
            time_zone: Untrusted::default(),
            utc_offset_s: 0,
            lang: Untrusted::default(),
            theme: Untrusted::default(),
            size: Size::default(),
            keys: Vec::new(),
            contract: Vec::new(),
        }
    }
}

impl Header {
    /// The header as the first line of a file.
    pub(super) fn line(&self) -> Vec<u8> {
        // A header has only texts and numbers, so this does not fail.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}
