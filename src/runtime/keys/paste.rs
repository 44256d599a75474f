//! Collects the text of a bracketed paste, up to the maximum length of a text field.

use std::str;

use crate::runtime::keyboard::MAX_PASTE_BYTES;

/// The sequence that ends a paste. ESC occurs only as its first byte. After a mismatch, a new match
/// can therefore begin only at the current byte.
const END_SEQUENCE: &[u8] = b"\x1b[201~";

/// A bracketed paste that is still being received.
#[derive(Default)]
pub struct Paste {
    text: Vec<u8>,
    /// The number of bytes at the start of [`END_SEQUENCE`] that the last received bytes match.
    matched: usize,
    /// True if the paste was too long, so that a part of its text was dropped.
    is_cut: bool,
    /// True if the beginning of the paste was lost. The rest of the paste is then skipped.
    is_lost: bool,
    last_byte: Option<u8>,
}

impl Paste {
    /// Begins a new paste. If `is_lost` is true, its beginning was lost, so its text is skipped.
    pub fn begin(&mut self, is_lost: bool) {
        self.erase();
        self.is_lost = is_lost;
    }

    /// Adds received bytes to the paste. If they contain the end of the paste, returns how many of
    /// them belong to the paste.
    pub fn push(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut rest = bytes;
        while let Some((&first, others)) = rest.split_first() {
            if self.matched == 0 {
                let text_len = rest
                    .iter()
                    .position(|&byte| byte == END_SEQUENCE[0])
                    .unwrap_or(rest.len());
                self.add_text(&rest[..text_len]);
                if text_len > 0 {
                    rest = &rest[text_len..];
                    continue;
                }
            }
            if first == END_SEQUENCE[self.matched] {
                self.matched += 1;
                rest = others;
                if self.matched == END_SEQUENCE.len() {
                    return Some(bytes.len() - rest.len());
                }
            } else {
                let text_len = std::mem::take(&mut self.matched);
                self.add_text(&END_SEQUENCE[..text_len]);
            }
        }
        None
    }

    /// Ends the paste and returns its text, or `None` if the beginning was lost. Erases the
    /// received bytes.
    pub fn finish(&mut self) -> Option<String> {
        let pasted = (!self.is_lost).then(|| self.text());
        self.erase();
        pasted
    }

    /// Erases an unfinished paste. Returns true if its last byte was Ctrl-C.
    pub fn abort(&mut self) -> bool {
        let was_ctrl_c = self.matched == 0 && self.last_byte == Some(0x03);
        self.erase();
        was_ctrl_c
    }

    fn add_text(&mut self, bytes: &[u8]) {
        self.last_byte = bytes.last().copied().or(self.last_byte);
        if self.is_lost {
            return;
        }
        let len = bytes.len().min(MAX_PASTE_BYTES - self.text.len());
        self.text.extend_from_slice(&bytes[..len]);
        self.is_cut |= len < bytes.len();
    }

    fn text(&self) -> String {
        let text = match str::from_utf8(&self.text) {
            Ok(text) => text,
            // The text was cut off in the middle of a character, so drop the incomplete bytes at
            // the end.
            Err(error) if self.is_cut && error.error_len().is_none() => {
                str::from_utf8(&self.text[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => return String::from_utf8_lossy(&self.text).into_owned(),
        };
        text.to_owned()
    }

    fn erase(&mut self) {
        // Drop the text, which erases it: the program's allocator wipes memory when it is freed.
        *self = Paste::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paste_chunks(chunks: &[&[u8]]) -> Option<String> {
        let mut paste = Paste::default();
        paste.begin(false);
        let ends: Vec<_> = chunks.iter().map(|chunk| paste.push(chunk)).collect();
        let (last, others) = ends.split_last()?;
        assert!(others.iter().all(Option::is_none));
        last.and_then(|_| paste.finish())
    }

    #[test]
    fn end_is_found_wherever_it_is_split() {
        for cut in 0..=END_SEQUENCE.len() {
            let (head, tail) = END_SEQUENCE.split_at(cut);
            let chunks: [&[u8]; 4] = [b"ol\xc3", b"\xa1\x1b[20", head, tail];
            let ended_early = cut == END_SEQUENCE.len();
            let chunks = if ended_early {
                &chunks[..3]
            } else {
                &chunks[..]
            };
            assert_eq!(paste_chunks(chunks).as_deref(), Some("olá\x1b[20"), "{cut}");
        }
        let mut paste = Paste::default();
        paste.begin(false);
        assert_eq!(paste.push(b"a\x1b\x1b[201~b"), Some(8));
        assert_eq!(paste.finish().as_deref(), Some("a\x1b"));
    }

    #[test]
    fn it_is_cut_between_characters() {
        let mut paste = Paste::default();
        paste.begin(false);
        paste.push(b"x");
        for _ in 0..100 {
            paste.push("é".repeat(1_000).as_bytes());
        }
        assert_eq!(paste.push(END_SEQUENCE), Some(END_SEQUENCE.len()));
        let text = paste.finish().unwrap();
        assert_eq!(text.len(), MAX_PASTE_BYTES - 1);
        assert!(text.ends_with('é'));
    }

    #[test]
    fn invalid_utf8_is_replaced_by_marks() {
        assert_eq!(
            paste_chunks(&[b"a\xff\xc3\x1b[201~"]).as_deref(),
            Some("a\u{fffd}\u{fffd}")
        );
    }

    #[test]
    fn paste_contains_nothing_of_the_last_one() {
        let mut paste = Paste::default();
        paste.begin(false);
        paste.push(b"s3cr3t\x03");
        assert!(paste.abort());
        paste.begin(true);
        paste.push(b"late");
        assert!(!paste.abort());
        paste.begin(false);
        assert_eq!(paste.push(END_SEQUENCE), Some(END_SEQUENCE.len()));
        assert_eq!(paste.finish().as_deref(), Some(""));
    }
}
