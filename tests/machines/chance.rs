//! A small random number generator for tests. A failed run can be repeated, because the same seed
//! always gives the same numbers.

/// A pseudo-random number generator (SplitMix64).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn from_seed(seed: u64) -> Random {
        // Scramble the seed, so that similar seeds give different numbers from the start.
        let mut random = Random(seed ^ 0x6261_6c63_616f_0000);
        random.next();
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a random number that is less than `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Returns true with a probability of `percent` percent.
    pub fn percent_chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}
