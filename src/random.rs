//! Randomness: one named generator, used through the traits of `rand`.
//!
//! With one version of the program, equal seeds give equal choices on every machine. Another version may give other
//! choices, because `rand` may change how it draws a number below a bound, or an order.

pub use rand::distr::weighted::WeightedIndex;
pub use rand::distr::{Distribution, Uniform};
pub use rand::seq::{IndexedRandom, SliceRandom};
pub use rand::{RngExt, SeedableRng};

/// A source of random choices that its seed decides: small, fast, and the same on every machine. It is not for
/// secrets.
///
/// ```
/// use kagetsu::random::{IndexedRandom, Random, RngExt, SeedableRng, SliceRandom};
/// let mut random = Random::seed_from_u64(1);
/// assert!(random.random_range(..10u32) < 10);
/// assert!((0.0..1.0).contains(&random.random::<f64>()));
/// let mut order = [1, 2, 3];
/// order.shuffle(&mut random);
/// assert!(order.choose(&mut random).is_some());
/// ```
pub type Random = rand_xoshiro::Xoshiro256PlusPlus;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_an_order() {
        let order = |seed| {
            let mut list: Vec<u32> = (0..100).collect();
            list.shuffle(&mut Random::seed_from_u64(seed));
            list
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }

    /// The generator is the published one: the first numbers of the authors' `xoshiro256plusplus.c` from the state
    /// {1, 2, 3, 4}.
    #[test]
    fn the_generator_is_xoshiro256_plus_plus() {
        use rand::Rng;
        let words = [1u64, 2, 3, 4];
        let mut state = <Random as SeedableRng>::Seed::default();
        for (bytes, word) in state.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        let mut random = Random::from_seed(state);
        assert_eq!([random.next_u64(), random.next_u64()], [41_943_041, 58_720_359]);
    }
}
