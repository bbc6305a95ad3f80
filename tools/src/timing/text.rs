//! Times as people write them.

use std::time::Duration;

use humantime::{DurationError, parse_duration};
use kagetsu::invalid::Invalid;

/// Reads a time as `200ms`, `5s` or `1m30s`, however long.
///
/// # Errors
/// If it is no time, is longer than any [`Duration`], or has a part of a nanosecond.
pub fn span(text: &str) -> Result<Duration, Invalid> {
    // The parser panics at some sums that are too long, but at no single number.
    let sum = numbers(text).into_iter().try_fold(Duration::ZERO, |sum, number| {
        sum.checked_add(parse_duration(number)?).ok_or(DurationError::NumberOverflow)
    });
    sum.map_err(|error| {
        let expected = match error {
            // The parser has one error for a time that is too long and for a fraction that is too fine, such as 0.0001h.
            DurationError::NumberOverflow => "expected a shorter time, or fewer digits after the point",
            _ => "expected a number with a unit, e.g. 200ms, 5s or 1m30s",
        };
        expected.into()
    })
}

/// Splits a text before each digit that stands behind a unit.
fn numbers(text: &str) -> Vec<&str> {
    let (mut numbers, mut start, mut last) = (Vec::new(), 0, ' ');
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        if c.is_ascii_digit() && last.is_alphabetic() {
            numbers.push(&text[start..at]);
            start = at;
        }
        last = c;
    }
    numbers.push(&text[start..]);
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_the_sum_of_its_numbers() {
        for (text, ms) in [
            ("200ms", 200),
            ("5s", 5000),
            ("1m30s", 90_000),
            ("2h 5min", 7_500_000),
            (" 1 m 1.5s500ms ", 62_000),
            ("0s", 0),
        ] {
            assert_eq!(span(text), Ok(Duration::from_millis(ms)), "{text}");
        }
    }

    #[test]
    fn too_many_digits_are_told_so() {
        assert_eq!(span("18446744073709551615s"), Ok(Duration::from_secs(u64::MAX)));
        for text in [
            "18446744073709551616s",
            "99999999999999999999h",
            "18446744073709551615s1000ms",
            "18446744073709551614s 2s",
            "0.0000000000001s",
        ] {
            let said = "expected a shorter time, or fewer digits after the point";
            assert_eq!(span(text), Err(said.into()), "{text}");
        }
    }

    #[test]
    fn texts_that_are_no_times_are_errors() {
        for text in ["", "5", "s", "5x", "-5s", "+5s", "1s.5s", "1h x"] {
            let said = "expected a number with a unit, e.g. 200ms, 5s or 1m30s";
            assert_eq!(span(text), Err(said.into()), "{text}");
        }
    }
}
