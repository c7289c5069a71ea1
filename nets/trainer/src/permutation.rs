//! A random order that is computed instead of stored: a Feistel network on the bits of an index, walked until it
//! lands below the length (J. Black and P. Rogaway 2002, "cycle walking").

/// An order of `0..len`.
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    len: u64,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; 4],
}

/// SplitMix64's output function (G. Steele, D. Lea, C. Flood 2014).
pub fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

impl Permutation {
    /// The order for a seed. `len` is at least 1.
    pub fn new(len: usize, seed: u64) -> Self {
        let len = (len as u64).max(1);
        let bits = (64 - (len - 1).leading_zeros()).max(2);
        let low_bits = bits / 2;
        Permutation {
            len,
            low_bits,
            low_mask: (1 << low_bits) - 1,
            high_mask: (1 << (bits - low_bits)) - 1,
            keys: std::array::from_fn(|round| mix(seed ^ mix(round as u64))),
        }
    }

    /// What stands at a place, `place < len`.
    #[inline]
    pub fn at(&self, place: usize) -> usize {
        let mut value = place as u64;
        loop {
            value = self.scramble(value);
            if value < self.len {
                return value as usize;
            }
        }
    }

    #[inline]
    fn scramble(&self, value: u64) -> u64 {
        let (mut low, mut high) = (value & self.low_mask, value >> self.low_bits);
        for pair in self.keys.chunks_exact(2) {
            low ^= mix(high ^ pair[0]) & self.low_mask;
            high ^= mix(low ^ pair[1]) & self.high_mask;
        }
        high << self.low_bits | low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_taken_once() {
        for len in [1, 2, 3, 7, 64, 1000, 4097] {
            let order = Permutation::new(len, 5);
            let mut seen = vec![false; len];
            for place in 0..len {
                assert!(!std::mem::replace(&mut seen[order.at(place)], true));
            }
        }
        let (a, b) = (Permutation::new(1000, 1), Permutation::new(1000, 2));
        assert!((0..1000).filter(|&i| a.at(i) == b.at(i)).count() < 20);
        assert!((0..1000).filter(|&i| a.at(i) == i).count() < 20);
    }
}
