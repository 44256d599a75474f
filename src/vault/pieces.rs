//! A text cut into pieces that every keyring takes, and joined again whole or not at all.
//!
//! Windows keeps 2,560 bytes in one entry. The first piece begins with the number of pieces and the
//! checksum of the text: pieces of two writers, or of another program, are no text.

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::trade::VaultTrouble;

/// The bytes of one piece, where a keyring may keep no more in one entry.
pub(super) const PIECE: usize = 2_048;

/// The most pieces of a text.
pub(super) const MOST: usize = 32;

/// The bytes of the number and the checksum before the text.
const HEAD: usize = 1 + 32;

/// The pieces of a text, none longer than this; `None` where it needs too many.
pub(super) fn cut(text: &str, longest: usize) -> Option<Vec<Vec<u8>>> {
    let count = (HEAD + text.len()).div_ceil(longest);
    let count = u8::try_from(count).ok().filter(|count| usize::from(*count) <= MOST)?;
    let mut whole = vec![count];
    whole.extend(Sha256::digest(text));
    whole.extend(text.bytes());
    Some(whole.chunks(longest).map(<[u8]>::to_vec).collect())
}

/// The text of these pieces; each piece is read by its number.
///
/// `None` where there is no text, or where it is not whole.
pub(super) fn join(
    longest: usize,
    mut piece: impl FnMut(usize) -> Result<Option<Zeroizing<Vec<u8>>>, VaultTrouble>,
) -> Result<Option<String>, VaultTrouble> {
    let Some(mut whole) = piece(0)? else { return Ok(None) };
    let count = whole.first().map_or(0, |count| usize::from(*count));
    for n in 1..count.min(MOST) {
        let Some(more) = piece(n)?.filter(|more| more.len() <= longest) else { return Ok(None) };
        whole.extend(more.iter());
    }
    Ok(read(&whole))
}

fn read(whole: &[u8]) -> Option<String> {
    let (sum, text) = whole.get(1..)?.split_at_checked(HEAD - 1)?;
    let text = std::str::from_utf8(text).ok()?;
    (Sha256::digest(text).as_slice() == sum).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(pieces: &[Vec<u8>]) -> Option<String> {
        join(PIECE, |n| Ok(pieces.get(n).cloned().map(Zeroizing::new))).unwrap()
    }

    #[test]
    fn a_text_comes_back_whole_from_pieces_that_every_keyring_takes() {
        for length in [0, 1, PIECE - HEAD, PIECE - HEAD + 1, 20_000, MOST * PIECE - HEAD] {
            let text = "é".repeat(length / 2) + &"x".repeat(length % 2);
            let pieces = cut(&text, PIECE).unwrap();
            assert!(pieces.iter().all(|piece| piece.len() <= PIECE), "{length}");
            assert_eq!(joined(&pieces), Some(text), "{length}");
        }
        assert_eq!(cut(&"x".repeat(MOST * PIECE - HEAD + 1), PIECE), None);
    }

    #[test]
    fn what_is_not_whole_is_no_text() {
        let (one, other) =
            (cut(&"a".repeat(9_000), PIECE).unwrap(), cut(&"b".repeat(9_000), PIECE).unwrap());
        assert_eq!(joined(&one[..4]), None, "a piece is missing");
        let mut mixed = one.clone();
        mixed[3].clone_from(&other[3]);
        assert_eq!(joined(&mixed), None, "a piece of another writer");
        let mut longer = one.clone();
        longer[2].extend([b'a'; PIECE]);
        assert_eq!(joined(&longer), None);
        for foreign in [&b""[..], b"yes", b"\x01", &[0; 33], &[255; 40]] {
            assert_eq!(joined(&[foreign.to_vec()]), None, "{foreign:?}");
        }
        assert_eq!(joined(&[]), None);
    }
}
