//! Products of sixteen-bit numbers by the instructions made for them.

use std::arch::x86_64::{
    _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_setzero_si256, _mm256_storeu_si256,
    _mm512_dpwssd_epi32, _mm512_loadu_si512, _mm512_reduce_add_epi32, _mm512_setzero_si512,
};

/// [`super::scalar::dot`] with vectors of 16.
#[inline]
#[target_feature(enable = "avx2")]
pub fn avx2<const N: usize>(weights: &[i16; N], inputs: &[i16; N]) -> i32 {
    const { assert!(N.is_multiple_of(16)) };
    let mut sum = _mm256_setzero_si256();
    for (w, x) in weights.as_chunks::<16>().0.iter().zip(inputs.as_chunks::<16>().0) {
        // SAFETY: both arrays have the 32 bytes that are read; no alignment is needed.
        let (w, x) =
            unsafe { (_mm256_loadu_si256(w.as_ptr().cast()), _mm256_loadu_si256(x.as_ptr().cast())) };
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(w, x));
    }
    let mut lanes = [0i32; 8];
    // SAFETY: the array has the 32 bytes that are written.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sum) };
    lanes.iter().sum()
}

/// [`super::scalar::dot`] with vectors of 32.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub fn avx512<const N: usize>(weights: &[i16; N], inputs: &[i16; N]) -> i32 {
    const { assert!(N.is_multiple_of(32)) };
    let mut sum = _mm512_setzero_si512();
    for (w, x) in weights.as_chunks::<32>().0.iter().zip(inputs.as_chunks::<32>().0) {
        // SAFETY: both arrays have the 64 bytes that are read; no alignment is needed.
        let (w, x) =
            unsafe { (_mm512_loadu_si512(w.as_ptr().cast()), _mm512_loadu_si512(x.as_ptr().cast())) };
        sum = _mm512_dpwssd_epi32(sum, w, x);
    }
    _mm512_reduce_add_epi32(sum)
}
