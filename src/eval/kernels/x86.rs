//! Dot products of 16-bit integers by the x86 instructions made for them (AVX2, AVX-512).

use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi32, _mm_storeu_si128, _mm256_add_epi32, _mm256_adds_epi8,
    _mm256_castsi256_si128, _mm256_cvtepu8_epi16, _mm256_extracti128_si256, _mm256_hadd_epi32,
    _mm256_loadu_si256, _mm256_madd_epi16, _mm256_max_epi8, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_storeu_si256, _mm512_add_epi32, _mm512_castsi512_si256, _mm512_cvtepu8_epi16, _mm512_dpwssd_epi32,
    _mm512_extracti64x4_epi64, _mm512_loadu_si512, _mm512_reduce_add_epi32, _mm512_set1_epi32,
    _mm512_setzero_si512, _mm512_storeu_si512, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64,
    _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
};

use super::scalar::{Rows, TOGETHER};
use crate::eval::arch::{INPUTS, POLICY_CHANNELS, POLICY_HIDDEN, POLICY_WIDTH};
use crate::eval::net::{Pair, PolicyRow};

/// [`super::scalar::dots`] with vectors of 16 integers. The sums of the four rows are reduced together, which takes
/// fewer steps.
#[inline]
#[target_feature(enable = "avx2")]
pub fn avx2(weights: &Rows, inputs: &[i16; INPUTS]) -> [i32; TOGETHER] {
    const { assert!(INPUTS.is_multiple_of(16) && TOGETHER == 4) };
    let mut sums = [_mm256_setzero_si256(); TOGETHER];
    for (i, x) in inputs.as_chunks::<16>().0.iter().enumerate() {
        // SAFETY: the chunk has the 32 bytes that are read; no alignment is needed.
        let x = unsafe { _mm256_loadu_si256(x.as_ptr().cast()) };
        for row in 0..TOGETHER {
            // SAFETY: as above, in the row.
            let w = unsafe { _mm256_loadu_si256(weights[row][16 * i..16 * i + 16].as_ptr().cast()) };
            sums[row] = _mm256_add_epi32(sums[row], _mm256_madd_epi16(w, x));
        }
    }
    let pairs = [_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3])];
    let fours = _mm256_hadd_epi32(pairs[0], pairs[1]);
    numbers(_mm_add_epi32(_mm256_castsi256_si128(fours), _mm256_extracti128_si256::<1>(fours)))
}

/// Returns the four integers of a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn numbers(vector: __m128i) -> [i32; 4] {
    let mut numbers = [0i32; 4];
    // SAFETY: the array has the 16 bytes that are written.
    unsafe { _mm_storeu_si128(numbers.as_mut_ptr().cast(), vector) };
    numbers
}

/// Returns the sum of the eight integers of a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_of(numbers: __m256i) -> i32 {
    let mut lanes = [0i32; 8];
    // SAFETY: the array has the 32 bytes that are written.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), numbers) };
    lanes.iter().sum()
}

/// [`super::scalar::dots`] with vectors of 32 integers, reduced as in [`avx2()`].
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vnni")]
pub fn avx512(weights: &Rows, inputs: &[i16; INPUTS]) -> [i32; TOGETHER] {
    const { assert!(INPUTS.is_multiple_of(32) && TOGETHER == 4) };
    let mut sums = [_mm512_setzero_si512(); TOGETHER];
    for (i, x) in inputs.as_chunks::<32>().0.iter().enumerate() {
        // SAFETY: the chunk has the 64 bytes that are read; no alignment is needed.
        let x = unsafe { _mm512_loadu_si512(x.as_ptr().cast()) };
        for row in 0..TOGETHER {
            // SAFETY: as above, in the row.
            let w = unsafe { _mm512_loadu_si512(weights[row][32 * i..32 * i + 32].as_ptr().cast()) };
            sums[row] = _mm512_dpwssd_epi32(sums[row], w, x);
        }
    }
    let pair = |a, b| _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
    let (first, second) = (pair(sums[0], sums[1]), pair(sums[2], sums[3]));
    let lanes = _mm512_add_epi32(_mm512_unpacklo_epi64(first, second), _mm512_unpackhi_epi64(first, second));
    let halves = _mm256_add_epi32(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64::<1>(lanes));
    numbers(_mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256::<1>(halves)))
}

/// Packs two neighbouring values of a layer into one integer, the first in its lower half.
#[inline(always)]
fn both(pair: [i16; 2]) -> i32 {
    i32::from(pair[1]) << 16 | i32::from(pair[0] as u16)
}

/// [`super::scalar::second_layer`] with vectors of 16 integers, eight vectors at a time.
#[inline]
#[target_feature(enable = "avx2")]
pub fn avx2_second(out: &mut [i32; POLICY_WIDTH], weights: &[Pair], hidden: &[i16; POLICY_HIDDEN]) {
    const LANES: usize = 8;
    const AT_ONCE: usize = 8;
    const { assert!(POLICY_WIDTH.is_multiple_of(LANES * AT_ONCE)) };
    for start in (0..POLICY_WIDTH).step_by(LANES * AT_ONCE) {
        let part = &mut out[start..start + LANES * AT_ONCE];
        // SAFETY: all places are within `part`; no alignment is needed.
        let mut sums: [_; AT_ONCE] =
            std::array::from_fn(|i| unsafe { _mm256_loadu_si256(part.as_ptr().add(LANES * i).cast()) });
        for (weights, pair) in weights.iter().zip(hidden.as_chunks::<2>().0) {
            let (weights, pair) = (&weights[start..start + LANES * AT_ONCE], _mm256_set1_epi32(both(*pair)));
            for (i, sum) in sums.iter_mut().enumerate() {
                // SAFETY: as above, in `weights`.
                let w = unsafe { _mm256_loadu_si256(weights.as_ptr().add(LANES * i).cast()) };
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(w, pair));
            }
        }
        for (i, sum) in sums.into_iter().enumerate() {
            // SAFETY: as above, in `part`.
            unsafe { _mm256_storeu_si256(part.as_mut_ptr().add(LANES * i).cast(), sum) };
        }
    }
}

/// [`super::scalar::second_layer`] with vectors of 32 integers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub fn avx512_second(out: &mut [i32; POLICY_WIDTH], weights: &[Pair], hidden: &[i16; POLICY_HIDDEN]) {
    const LANES: usize = 16;
    const COUNT: usize = POLICY_WIDTH / LANES;
    const { assert!(POLICY_WIDTH.is_multiple_of(LANES)) };
    // SAFETY: all places are within `out`; no alignment is needed.
    let mut sums: [_; COUNT] =
        std::array::from_fn(|i| unsafe { _mm512_loadu_si512(out.as_ptr().add(LANES * i).cast()) });
    for (weights, pair) in weights.iter().zip(hidden.as_chunks::<2>().0) {
        let pair = _mm512_set1_epi32(both(*pair));
        for (i, sum) in sums.iter_mut().enumerate() {
            // SAFETY: as above, in `weights`.
            let w = unsafe { _mm512_loadu_si512(weights.as_ptr().add(LANES * i).cast()) };
            *sum = _mm512_dpwssd_epi32(*sum, w, pair);
        }
    }
    for (i, sum) in sums.into_iter().enumerate() {
        // SAFETY: as for reading.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().add(LANES * i).cast(), sum) };
    }
}

/// Returns 32 elements of a point's policy vector.
#[inline]
#[target_feature(enable = "avx2")]
fn part(black: &PolicyRow, white: &PolicyRow, start: usize) -> __m256i {
    let (black, white) = (&black.0[start..start + 32], &white.0[start..start + 32]);
    // SAFETY: both slices have the 32 bytes that are read; no alignment is needed.
    let (black, white) =
        unsafe { (_mm256_loadu_si256(black.as_ptr().cast()), _mm256_loadu_si256(white.as_ptr().cast())) };
    _mm256_max_epi8(_mm256_adds_epi8(black, white), _mm256_setzero_si256())
}

/// [`super::scalar::prior`] with vectors of 16 integers.
#[inline]
#[target_feature(enable = "avx2")]
pub fn avx2_prior(channels: &[i16; POLICY_CHANNELS], black: &PolicyRow, white: &PolicyRow) -> i32 {
    const { assert!(POLICY_CHANNELS.is_multiple_of(32)) };
    let mut sum = _mm256_setzero_si256();
    for (i, channels) in channels.as_chunks::<32>().0.iter().enumerate() {
        let v = part(black, white, 32 * i);
        let halves = [_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v)];
        for (half, channels) in halves.into_iter().zip(channels.as_chunks::<16>().0) {
            // SAFETY: the chunk has the 32 bytes that are read; no alignment is needed.
            let channels = unsafe { _mm256_loadu_si256(channels.as_ptr().cast()) };
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_cvtepu8_epi16(half), channels));
        }
    }
    sum_of(sum)
}

/// [`super::scalar::prior`] with vectors of 32 integers.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vnni")]
pub fn avx512_prior(channels: &[i16; POLICY_CHANNELS], black: &PolicyRow, white: &PolicyRow) -> i32 {
    const { assert!(POLICY_CHANNELS == 64) };
    let product = |i: usize| {
        let v = _mm512_cvtepu8_epi16(part(black, white, 32 * i));
        // SAFETY: a half of the channels has the 64 bytes that are read; no alignment is needed.
        let channels = unsafe { _mm512_loadu_si512(channels[32 * i..32 * i + 32].as_ptr().cast()) };
        _mm512_dpwssd_epi32(_mm512_setzero_si512(), v, channels)
    };
    _mm512_reduce_add_epi32(_mm512_add_epi32(product(0), product(1)))
}
