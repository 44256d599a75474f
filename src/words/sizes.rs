//! Texts for the sizes of requests and replies, and for replies that were cut off.

use super::{Catalogue, Lang};
use crate::trade::{BodyEnd, MaskedReply};

/// Formats a number with thousands separators, such as `65.536`.
pub fn grouped(words: &Catalogue, n: u64) -> String {
    let separator = match words.lang() {
        Lang::Pt => '.',
        Lang::En => ',',
    };
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

/// A size for a column of a list, such as `78 B`, `12 KiB` or `3 MiB`, rounded up.
pub fn short(bytes: u64) -> String {
    const KIB: u64 = 1024;
    match bytes {
        0..KIB => format!("{bytes} B"),
        _ if bytes.div_ceil(KIB) < KIB => format!("{} KiB", bytes.div_ceil(KIB)),
        _ => format!("{} MiB", bytes.div_ceil(KIB * KIB)),
    }
}

/// A sentence about a reply body that was not read completely, such as "cut by the limit: 65,536 of
/// 3,000,000 bytes". Returns `None` if the body is complete.
pub fn body_end(words: &Catalogue, reply: &MaskedReply) -> Option<String> {
    let id = match reply.end {
        BodyEnd::Whole => return None,
        BodyEnd::Encoded => return Some(words.text("body-encoded")),
        BodyEnd::TooLarge => "body-cut-limit",
        BodyEnd::Timeout => "body-cut-clock",
        BodyEnd::Cut => "body-cut-connection",
    };
    let received = grouped(words, reply.received);
    let part = match reply.announced {
        Some(announced) => {
            let announced = grouped(words, announced);
            words.with(
                "body-part-of",
                &[("part", &received), ("whole", &announced)],
            )
        }
        None => words.count("size-bytes", reply.received, &[("figure", &received)]),
    };
    Some(words.with(id, &[("part", &part)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_reply_names_cause_and_bytes() {
        let reply_cut_by = |end, received, announced| MaskedReply {
            end,
            received,
            announced,
            ..MaskedReply::new(200, vec![], "")
        };
        let [pt, en] = [Lang::Pt, Lang::En].map(Catalogue::of);
        let large = reply_cut_by(BodyEnd::TooLarge, 65_536, Some(3_000_000));
        let sentence = body_end(pt, &large).unwrap();
        assert_eq!(
            sentence,
            "Resposta cortada pelo limite: 65.536 de 3.000.000 bytes"
        );
        let sentence = body_end(en, &large).unwrap();
        assert_eq!(
            sentence,
            "Reply cut by the size limit: 65,536 of 3,000,000 bytes"
        );
        let sentence = body_end(pt, &reply_cut_by(BodyEnd::Cut, 1, None)).unwrap();
        assert_eq!(sentence, "Resposta cortada pela queda da conexão: 1 byte");
        let sentence = body_end(pt, &reply_cut_by(BodyEnd::Timeout, 0, Some(10))).unwrap();
        assert_eq!(
            sentence,
            "Resposta cortada pelo tempo de espera: 0 de 10 bytes"
        );
        assert_eq!(body_end(pt, &MaskedReply::new(200, vec![], "{}")), None);
        assert!(body_end(en, &reply_cut_by(BodyEnd::Encoded, 3, Some(3))).is_some());
    }

    #[test]
    fn sizes_are_rounded_up_in_a_column() {
        for (bytes, expected) in [
            (0, "0 B"),
            (1_023, "1023 B"),
            (1_024, "1 KiB"),
            (1_025, "2 KiB"),
            (1_047_552, "1023 KiB"),
            (1_047_553, "1 MiB"),
            (2_097_153, "3 MiB"),
        ] {
            assert_eq!(short(bytes), expected);
        }
    }
}
