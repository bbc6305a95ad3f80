//! Numbers of variable length: seven bits a byte, the lowest first, the eighth bit set if more follow.

/// Appends a number.
pub fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Appends a number that may be negative: small ones are short either way.
pub fn put_signed(out: &mut Vec<u8>, n: i64) {
    put(out, (n << 1 ^ n >> 63).cast_unsigned());
}

/// Bytes that are being read.
pub struct Input<'a>(pub &'a [u8]);

impl Input<'_> {
    /// Returns the next number below `end`.
    ///
    /// # Errors
    /// If there is none.
    pub fn below(&mut self, end: u64) -> Result<u64, String> {
        let n = self.number()?;
        if n < end { Ok(n) } else { Err(format!("{n}: a number below {end} was expected")) }
    }

    /// Returns the next number that may be negative. It has at most 17 bits, like the difference of two numbers of 16
    /// bits.
    ///
    /// # Errors
    /// If there is none.
    pub fn signed(&mut self) -> Result<i32, String> {
        let n = self.below(1 << 17)? as i32;
        Ok(n >> 1 ^ -(n & 1))
    }

    fn number(&mut self) -> Result<u64, String> {
        let mut n = 0u64;
        for shift in (0..63).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or("the data end too early")?;
            self.0 = rest;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err("a number is too long".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 16_383, 16_384, 1 << 40];
        let signed = [0, 1, -1, 63, -64, 64, 29_995, -30_000, 65_535, -65_536];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&n| put(&mut bytes, n));
        signed.iter().for_each(|&n| put_signed(&mut bytes, i64::from(n)));
        let mut input = Input(&bytes);
        assert_eq!(numbers.map(|_| input.below(u64::MAX).unwrap()), numbers);
        assert_eq!(signed.map(|_| input.signed().unwrap()), signed);
        assert!(input.0.is_empty() && input.signed().is_err());
    }

    #[test]
    fn wrong_numbers_are_errors() {
        assert_eq!(Input(&[5]).below(6), Ok(5));
        assert!(Input(&[6]).below(6).is_err());
        assert!(Input(&[0x80]).below(6).is_err());
        assert!(Input(&[0xff; 12]).below(u64::MAX).is_err());
        assert!(Input(&[0x80, 0x80, 0x08]).signed().is_err(), "65536");
    }
}
