//! A generator of ids. With the same seed and the same requests, it always generates the same ids.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The characters of a short id. Characters that look or sound alike are left out.
const SHORT_ID_CHARACTERS: &[u8] = b"23456789abcdefghjkmnpqrstuvwxyz";

/// A generator of ids with the algorithm SplitMix64, which is not cryptographically secure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ids {
    seed: u64,
    drawn: u64,
}

impl Ids {
    pub fn from_seed(seed: u64) -> Ids {
        Ids { seed, drawn: 0 }
    }

    /// A short id such as `7f3k2q`.
    pub fn short_id(&mut self) -> String {
        let base = SHORT_ID_CHARACTERS.len() as u64;
        let mut number = self.next_number();
        let mut id = String::new();
        for _ in 0..6 {
            id.push(char::from(SHORT_ID_CHARACTERS[(number % base) as usize]));
            number /= base;
        }
        id
    }

    /// A UUID of version 4, generated from the seed.
    pub fn uuid(&mut self) -> String {
        let high = self.next_number();
        let low = self.next_number();
        uuid::Builder::from_random_bytes(Uuid::from_u64_pair(high, low).into_bytes())
            .into_uuid()
            .to_string()
    }

    /// `count` hexadecimal digits, for a token or a signature.
    pub fn hex_digits(&mut self, count: usize) -> String {
        let mut text = String::new();
        while text.len() < count {
            text.push_str(&format!("{:016x}", self.next_number()));
        }
        text.truncate(count);
        text
    }

    fn next_number(&mut self) -> u64 {
        self.drawn += 1;
        let mut bits = self
            .seed
            .wrapping_add(self.drawn.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_depend_only_on_the_seed() {
        let generate = |seed| {
            let mut ids = Ids::from_seed(seed);
            (
                ids.short_id(),
                ids.short_id(),
                ids.uuid(),
                ids.hex_digits(40),
            )
        };
        let (first, second, uuid, digits) = generate(7);
        assert_eq!(generate(7), generate(7));
        assert_ne!(generate(7), generate(8));
        assert_ne!(first, second);
        assert!(first.len() == 6 && first.bytes().all(|b| SHORT_ID_CHARACTERS.contains(&b)));
        assert_eq!(Uuid::parse_str(&uuid).unwrap().get_version_num(), 4);
        assert_eq!(digits.len(), 40);
    }
}
