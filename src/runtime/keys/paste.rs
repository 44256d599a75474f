//! Collects the text of a bracketed paste, up to the maximum length of a text field.

use std::str;

use crate::runtime::keyboard::PASTE_MAX;

/// The sequence that ends a paste. ESC occurs only as its first byte. After a mismatch, a new match
/// can therefore begin only at the current byte.
const END: &[u8] = b"\x1b[201~";

/// A bracketed paste that is still being received.
#[derive(Default)]
pub struct Paste {
    text: Vec<u8>,
    /// The number of bytes at the start of [`END`] that the last received bytes match.
    matched: usize,
    /// True if the paste was too long, so that a part of its text was dropped.
    is_cut: bool,
    /// True if the beginning of the paste was lost. The rest of the paste is then skipped.
    is_lost: bool,
    last: Option<u8>,
}

impl Paste {
    /// Begins a new paste. If `is_lost` is true, its beginning was lost, so its text is skipped.
    pub fn begin(&mut self, is_lost: bool) {
        self.forget();
        self.is_lost = is_lost;
    }

    /// Adds received bytes to the paste. If they contain the end of the paste, returns how many of
    /// them belong to the paste.
    pub fn take(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut rest = bytes;
        while let Some((&first, others)) = rest.split_first() {
            if self.matched == 0 {
                let text = rest.iter().position(|&byte| byte == END[0]).unwrap_or(rest.len());
                self.keep(&rest[..text]);
                if text > 0 {
                    rest = &rest[text..];
                    continue;
                }
            }
            if first == END[self.matched] {
                self.matched += 1;
                rest = others;
                if self.matched == END.len() {
                    return Some(bytes.len() - rest.len());
                }
            } else {
                let text = std::mem::take(&mut self.matched);
                self.keep(&END[..text]);
            }
        }
        None
    }

    /// Ends the paste and returns its text, or `None` if the beginning was lost. Erases the
    /// received bytes.
    pub fn finish(&mut self) -> Option<String> {
        let pasted = (!self.is_lost).then(|| self.text());
        self.forget();
        pasted
    }

    /// Erases an unfinished paste. Returns true if its last byte was Ctrl-C.
    pub fn give_up(&mut self) -> bool {
        let was_ctrl_c = self.matched == 0 && self.last == Some(0x03);
        self.forget();
        was_ctrl_c
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.last = bytes.last().copied().or(self.last);
        if self.is_lost {
            return;
        }
        let kept = bytes.len().min(PASTE_MAX - self.text.len());
        self.text.extend_from_slice(&bytes[..kept]);
        self.is_cut |= kept < bytes.len();
    }

    fn text(&self) -> String {
        let whole = match str::from_utf8(&self.text) {
            Ok(text) => text,
            // The text was cut off in the middle of a character, so drop the incomplete bytes at
            // the end.
            Err(error) if self.is_cut && error.error_len().is_none() => {
                str::from_utf8(&self.text[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => return String::from_utf8_lossy(&self.text).into_owned(),
        };
        whole.to_owned()
    }

    fn forget(&mut self) {
        // Drop the text, which erases it: the program's allocator wipes memory when it is freed.
        *self = Paste::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pasted(chunks: &[&[u8]]) -> Option<String> {
        let mut paste = Paste::default();
        paste.begin(false);
        let ended: Vec<_> = chunks.iter().map(|chunk| paste.take(chunk)).collect();
        let (last, others) = ended.split_last()?;
        assert!(others.iter().all(Option::is_none));
        last.and_then(|_| paste.finish())
    }

    #[test]
    fn its_end_is_found_wherever_it_is_cut() {
        for cut in 0..=END.len() {
            let (head, tail) = END.split_at(cut);
            let chunks: [&[u8]; 4] = [b"ol\xc3", b"\xa1\x1b[20", head, tail];
            let ended_early = cut == END.len();
            let chunks = if ended_early { &chunks[..3] } else { &chunks[..] };
            assert_eq!(pasted(chunks).as_deref(), Some("olá\x1b[20"), "{cut}");
        }
        let mut paste = Paste::default();
        paste.begin(false);
        assert_eq!(paste.take(b"a\x1b\x1b[201~b"), Some(8));
        assert_eq!(paste.finish().as_deref(), Some("a\x1b"));
    }

    #[test]
    fn it_is_cut_between_characters() {
        let mut paste = Paste::default();
        paste.begin(false);
        paste.take(b"x");
        for _ in 0..100 {
            paste.take("é".repeat(1_000).as_bytes());
        }
        assert_eq!(paste.take(END), Some(END.len()));
        let text = paste.finish().unwrap();
        assert_eq!(text.len(), PASTE_MAX - 1);
        assert!(text.ends_with('é'));
    }

    #[test]
    fn invalid_utf8_is_replaced_by_marks() {
        assert_eq!(pasted(&[b"a\xff\xc3\x1b[201~"]).as_deref(), Some("a\u{fffd}\u{fffd}"));
    }

    #[test]
    fn paste_contains_nothing_of_the_last_one() {
        let mut paste = Paste::default();
        paste.begin(false);
        paste.take(b"s3cr3t\x03");
        assert!(paste.give_up());
        paste.begin(true);
        paste.take(b"late");
        assert!(!paste.give_up());
        paste.begin(false);
        assert_eq!(paste.take(END), Some(END.len()));
        assert_eq!(paste.finish().as_deref(), Some(""));
    }
}
