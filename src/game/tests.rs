//! Tests of what several types of this layer have in common: names that a user of the library reads.

use std::error::Error;
use std::fmt::Display;
use std::str::FromStr;

use super::regulation::{Openings, Regulation};
use super::{Color, EndSet, Forbid33, Reading, RuleKind};

type Passed<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Reads a name and passes its error on, as a caller does that has errors of several kinds.
fn read<T: FromStr<Err: Error + Send + Sync + 'static>>(name: &str) -> Passed<T> {
    Ok(name.parse()?)
}

/// Returns what is said about a name that is none.
fn said<T: FromStr<Err: Error + Send + Sync + 'static>>(name: &str) -> String {
    read::<T>(name).err().map_or_else(String::new, |error| error.to_string())
}

#[test]
fn errors_of_wrong_names_are_passed_on_with_their_text() {
    for (said, expected) in [
        (said::<Color>("red"), "'red' is not a colour: expected black or white"),
        (said::<RuleKind>("go"), "'go' is not a rule: expected freestyle, standard, renju, caro or caro6"),
        (said::<Reading>("r"), "'r' is not a reading: expected literal or five-extends"),
        (said::<EndSet>("fide"), "'fide' is not a set of ends: expected plain, rif or gomocup"),
        (
            said::<Forbid33>("none"),
            "'none' does not say whom double threes are forbidden to: expected black or both",
        ),
        (said::<Openings>("D14"), "'D14' is not one of the 26 openings, D1 to D13 and I1 to I13"),
        (
            said::<Regulation>("swap-renju:d14"),
            "'d14' is not one of the 26 openings, D1 to D13 and I1 to I13",
        ),
        (
            said::<Regulation>("swap-renju:D1,D2,D3,D4,D5,D6,D7,D8,D9,D10,D11,D12,D13"),
            "'swap-renju:D1,D2,D3,D4,D5,D6,D7,D8,D9,D1…': expected one of D1 to D13 and one of I1 to I13 to be left for the \
             third stone",
        ),
        (said::<Regulation>("taraguchi:0"), "'taraguchi:0': expected a number of fifth moves, 1 to 99"),
        (said::<Regulation>("rif:3"), "'rif:3': nothing can follow rif:"),
    ] {
        assert_eq!(said, expected);
    }
    assert!(said::<Regulation>("ros").starts_with("'ros' is not an opening regulation: expected plain, "));
    assert_eq!(read::<Color>("White").unwrap(), Color::White);
}

#[test]
fn names_are_read_as_they_are_written() {
    fn is_kept<T: Copy + FromStr + Display + PartialEq>(value: T) -> bool {
        value.to_string().to_uppercase().parse::<T>().is_ok_and(|read| read == value)
    }
    assert!(Color::BOTH.into_iter().all(is_kept));
    assert!(RuleKind::ALL.into_iter().all(is_kept));
    assert!(Reading::ALL.into_iter().all(is_kept));
    assert!(EndSet::ALL.into_iter().all(is_kept));
    assert!([Forbid33::Black, Forbid33::Both].into_iter().all(is_kept));
}
