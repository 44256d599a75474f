//! The text of a file whose encoding is not known.

use std::borrow::Cow;

use encoding_rs::{UTF_8, WINDOWS_1252};

/// The encoding in which a file was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// UTF-16 with a byte order mark, which Excel calls "Unicode text".
    Utf16,
    /// Windows-1252, which Excel in Portuguese writes.
    Windows1252,
}

/// The reason why a file has no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextFault {
    /// The file has more bytes than [`MAX_FILE_BYTES`](super::MAX_FILE_BYTES).
    #[error("the file has {bytes} bytes")]
    TooLarge {
        /// The size of the file.
        bytes: usize,
    },
    /// The file contains bytes that no text contains, such as a spreadsheet's own format does.
    #[error("the file is not a text")]
    NotText,
}

/// Decodes a file, and replaces all line ends by `\n`.
///
/// # Errors
///
/// Returns an error if the file is too large or not a text.
pub fn decode(bytes: &[u8]) -> Result<(String, Encoding), TextFault> {
    if bytes.len() > super::MAX_FILE_BYTES {
        return Err(TextFault::TooLarge { bytes: bytes.len() });
    }
    // Some programs for Windows end a file with Ctrl-Z.
    let bytes = bytes.strip_suffix(b"\x1a").unwrap_or(bytes);
    let (text, encoding) = decode_bytes(bytes)?;
    if text.contains(is_never_in_text) {
        return Err(TextFault::NotText);
    }
    let text = if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text.into_owned()
    };
    Ok((text, encoding))
}

fn decode_bytes(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), TextFault> {
    if let Some((encoding, mark_len)) = encoding_rs::Encoding::for_bom(bytes) {
        let (text, has_errors) = encoding.decode_without_bom_handling(&bytes[mark_len..]);
        let encoding = if encoding == UTF_8 {
            Encoding::Utf8
        } else {
            Encoding::Utf16
        };
        return if has_errors {
            Err(TextFault::NotText)
        } else {
            Ok((text, encoding))
        };
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok((text.into(), Encoding::Utf8));
    }
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    Ok((text, Encoding::Windows1252))
}

/// True for control characters, including codes without a character in Windows-1252.
fn is_never_in_text(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r')
}
