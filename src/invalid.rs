//! The error of readers and checks whose reason is told in words.

/// Reason, in words, why a text, a value or an action is not valid: what is wrong with it, and mostly what
/// was expected.
///
/// ```
/// use kagetsu::game::Color;
///
/// fn color(text: &str) -> Result<Color, Box<dyn std::error::Error>> {
///     Ok(text.parse()?)
/// }
/// assert_eq!(color("red").unwrap_err().to_string(), "'red' is not a colour: expected black or white");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(String);

impl From<String> for Invalid {
    fn from(reason: String) -> Invalid {
        Invalid(reason)
    }
}

impl From<&str> for Invalid {
    fn from(reason: &str) -> Invalid {
        Invalid(reason.to_owned())
    }
}

impl From<Invalid> for String {
    fn from(invalid: Invalid) -> String {
        invalid.0
    }
}
