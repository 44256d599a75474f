//! Copies a text to where the seller can paste it, and says truthfully how.

mod native;
mod tmux;

use std::time::Duration;

use super::surroundings::Surroundings;
use native::Native;

/// The most bytes that are copied; terminals drop longer texts without a word.
pub const MOST_BYTES: usize = 74_000;

/// How long one way may take before the next is tried.
const LIMIT: Duration = Duration::from_secs(2);

/// A way a text can go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The desktop's own clipboard.
    Native,
    /// The buffer of tmux, which hands it to the terminal around it.
    Tmux,
    /// An escape sequence that asks the terminal to do it (OSC 52).
    Terminal,
}

/// The ways to try, the best first; the last one always exists.
pub fn ways(around: &Surroundings) -> Vec<Way> {
    // Over SSH the native clipboard is that of a machine nobody sits at.
    let native = !around.ssh && (around.desktop || around.display);
    let mut ways = Vec::new();
    ways.extend(native.then_some(Way::Native));
    ways.extend(around.tmux.then_some(Way::Tmux));
    ways.push(Way::Terminal);
    ways
}

/// What was done, and no more than is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Copied {
    /// It is in the desktop's clipboard.
    Native,
    /// It is in the buffer of tmux.
    Tmux,
    /// These bytes, written to the terminal, ask it to take the text; it never answers.
    SendToTerminal(Vec<u8>),
}

/// Why a text was not copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CopyTrouble {
    /// There is nothing to copy.
    #[error("there is nothing to copy")]
    Empty,
    /// It is longer than terminals take.
    #[error("too long to copy: {bytes} bytes, and at most {MOST_BYTES} can be copied")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
}

/// The clipboard, kept for the whole run: on some desktops a copied text dies with its owner.
#[derive(Debug)]
pub struct Clipboard {
    around: Surroundings,
    native: Native,
}

impl Clipboard {
    /// A clipboard that starts nothing before the first copy.
    pub fn new(around: Surroundings) -> Clipboard {
        Clipboard { around, native: Native::default() }
    }

    /// Copies exactly this text by the first way that takes it; ends within a few seconds.
    pub async fn copy(&self, text: &str) -> Result<Copied, CopyTrouble> {
        check(text)?;
        for way in ways(&self.around) {
            match way {
                Way::Native if self.native.set(text, LIMIT).await => return Ok(Copied::Native),
                Way::Tmux if tmux::load_buffer(text, LIMIT).await => return Ok(Copied::Tmux),
                _ => {}
            }
        }
        Ok(Copied::SendToTerminal(osc52(text)))
    }
}

fn check(text: &str) -> Result<(), CopyTrouble> {
    match text.len() {
        0 => Err(CopyTrouble::Empty),
        bytes if bytes > MOST_BYTES => Err(CopyTrouble::TooLong { bytes }),
        _ => Ok(()),
    }
}

/// The escape sequence that sets the terminal's clipboard; it never asks for what is in there.
fn osc52(text: &str) -> Vec<u8> {
    let mut bytes = b"\x1b]52;c;".to_vec();
    base64(text.as_bytes(), &mut bytes);
    bytes.extend_from_slice(b"\x1b\\");
    bytes
}

fn base64(bytes: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for three in bytes.chunks(3) {
        let at = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let group = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * place) & 63) as usize];
            out.push(if place > three.len() { b'=' } else { digit });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_follows_from_where_the_program_is_seen() {
        use Way::{Native, Terminal, Tmux};
        let table: [(&[&str], &[Way]); 8] = [
            (&[], &[Terminal]),
            (&["display"], &[Native, Terminal]),
            (&["desktop"], &[Native, Terminal]),
            (&["tmux"], &[Tmux, Terminal]),
            (&["display", "tmux"], &[Native, Tmux, Terminal]),
            (&["display", "ssh"], &[Terminal]),
            (&["desktop", "ssh"], &[Terminal]),
            (&["tmux", "ssh"], &[Tmux, Terminal]),
        ];
        for (is, expected) in table {
            let around = Surroundings {
                ssh: is.contains(&"ssh"),
                tmux: is.contains(&"tmux"),
                display: is.contains(&"display"),
                desktop: is.contains(&"desktop"),
                wsl: false,
            };
            assert_eq!(ways(&around), expected, "{is:?}");
        }
    }

    #[test]
    fn the_sequence_sets_and_never_asks() {
        assert_eq!(osc52("a"), b"\x1b]52;c;YQ==\x1b\\");
        assert_eq!(osc52("ab"), b"\x1b]52;c;YWI=\x1b\\");
        assert_eq!(osc52("abc"), b"\x1b]52;c;YWJj\x1b\\");
        assert_eq!(osc52("ação ?>"), b"\x1b]52;c;YcOnw6NvID8+\x1b\\");
        // The query form is a lone question mark; copying one is no query.
        assert_eq!(osc52("?"), b"\x1b]52;c;Pw==\x1b\\");
        assert_eq!(osc52("\x1b\\\x07"), b"\x1b]52;c;G1wH\x1b\\");
    }

    #[tokio::test]
    async fn where_nothing_else_is_the_terminal_is_asked() {
        let clipboard = Clipboard::new(Surroundings::default());
        assert_eq!(clipboard.copy("x").await, Ok(Copied::SendToTerminal(osc52("x"))));
        assert_eq!(clipboard.copy("").await, Err(CopyTrouble::Empty));
        let longest = "x".repeat(MOST_BYTES);
        assert!(matches!(clipboard.copy(&longest).await, Ok(Copied::SendToTerminal(_))));
        let bytes = MOST_BYTES + 1;
        let too_long = clipboard.copy(&"x".repeat(bytes)).await;
        assert_eq!(too_long, Err(CopyTrouble::TooLong { bytes }));
    }
}
