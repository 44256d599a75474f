//! The body of a reply as UTF-8, in whatever its service wrote it.

/// The characters of Windows-1252 from 0x80 to 0x9F, which ISO-8859-1 does not have.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{FFFD}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{FFFD}', 'Ž',
    '\u{FFFD}', '\u{FFFD}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{FFFD}',
    'ž', 'Ÿ',
];

/// Returns the body of a reply with this status as UTF-8; `content_type` is the header that may
/// name another character set.
///
/// Bytes that are UTF-8 are taken for it, whatever the header says. Without a name, other bytes of
/// a success become U+FFFD, and a value with one is not believed. Those of an error are read by a
/// person: they are Windows-1252, of which ISO-8859-1 is a part, unless the rest is UTF-8.
pub(super) fn utf8(body: Vec<u8>, content_type: &str, status: u16) -> Vec<u8> {
    if std::str::from_utf8(&body).is_ok() {
        return body;
    }
    let label = content_type.to_ascii_lowercase();
    let label = label.split_once("charset=").map(|(_, name)| name.trim_matches(['"', ' ']));
    let is_utf8 = match label {
        Some(name) if name.starts_with("utf-8") => true,
        Some(name)
            if ["iso-8859", "windows", "latin", "cp1252"].iter().any(|of| name.starts_with(of)) =>
        {
            false
        }
        _ => status < 400 || body.utf8_chunks().any(|chunk| !chunk.valid().is_ascii()),
    };
    // No character takes more than three bytes.
    let mut text = Vec::with_capacity(3 * body.len());
    let mut push = |c: char| text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    if is_utf8 {
        for chunk in body.utf8_chunks() {
            chunk.valid().chars().for_each(&mut push);
            if !chunk.invalid().is_empty() {
                push(char::REPLACEMENT_CHARACTER);
            }
        }
    } else {
        for &byte in body.iter() {
            push(match byte {
                0x80..=0x9F => WINDOWS_1252[usize::from(byte - 0x80)],
                byte => char::from(byte),
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &[u8], label: &str, status: u16) -> String {
        let text = utf8(body.to_vec(), label, status);
        String::from_utf8(text.to_vec()).unwrap()
    }

    #[test]
    fn body_is_read_by_its_label_or_by_its_bytes() {
        let json = "application/json";
        for (body, label, text) in [
            (&b"Dom\xEDnio"[..], "application/json; charset=iso-8859-1", "Domínio"),
            (b"Dom\xEDnio", "application/json; charset=\"ISO-8859-1\"", "Domínio"),
            (b"Dom\xEDnio \x80 \x81", "text/html; Charset=windows-1252", "Domínio € \u{FFFD}"),
            (b"Dom\xEDnio", json, "Domínio"),
            (b"Dom\xEDnio", "", "Domínio"),
            (b"Dom\xEDnio", "application/json; charset=utf-8", "Dom\u{FFFD}nio"),
            // What is UTF-8 is not taken for anything else.
            ("Domínio".as_bytes(), "application/json; charset=iso-8859-1", "Domínio"),
            // An emoji that was cut in a text of UTF-8.
            (b"Caf\xC3\xA9 \xF0\x9F\x91", json, "Café \u{FFFD}"),
            (b"Caf\xC3\xA9 \xE9", "application/json; charset=latin1", "CafÃ© é"),
        ] {
            assert_eq!(read(body, label, 400), text, "{label}");
        }
        assert_eq!(read(b"Dom\xEDnio", "text/plain; charset=latin1", 201), "Domínio");
        assert_eq!(read(b"Dom\xEDnio", json, 201), "Dom\u{FFFD}nio");
    }
}
