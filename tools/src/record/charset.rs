//! Text of files that do not state their encoding, or state an old one.

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::Once;

use encoding_rs::{Decoder, Encoding, UTF_8, WINDOWS_1252};

use kagetsu::game::quote::quoted;
use kagetsu::invalid::Invalid;

/// The encoding of a file's texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Charset(Option<&'static Encoding>);

impl Charset {
    /// UTF-8 if a text is valid UTF-8, else Windows-1252, in which any bytes are text.
    pub const AUTO: Charset = Charset(None);

    /// Decodes bytes. Invalid bytes become U+FFFD. A warning says once what was guessed or replaced.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        let encoding = match (self.0, std::str::from_utf8(bytes)) {
            (None, Ok(text)) => return Cow::Borrowed(text),
            (None, Err(_)) => {
                static GUESSED: Once = Once::new();
                GUESSED.call_once(|| {
                    log::warn!("a text is not UTF-8, and is read as windows-1252; 'kagetsu convert --charset' takes another");
                });
                WINDOWS_1252
            }
            (Some(encoding), _) => encoding,
        };
        let (text, replaced) = encoding.decode_without_bom_handling(bytes);
        if replaced {
            warn_of_replacements(encoding);
        }
        text
    }

    /// Decodes bytes that may be in another encoding, without a warning about replaced bytes.
    pub(super) fn guess(self, bytes: &[u8]) -> Cow<'_, str> {
        self.0.unwrap_or(UTF_8).decode_without_bom_handling(bytes).0
    }

    /// The bytes of a text, if the encoding has all its characters.
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        let (bytes, _, unmapped) = self.0.unwrap_or(UTF_8).encode(text);
        (!unmapped).then_some(bytes)
    }

    /// A decoder of streams; `None` if they are UTF-8.
    pub(super) fn decoder(self) -> Option<Decoder> {
        self.0.filter(|&encoding| encoding != UTF_8).map(Encoding::new_decoder_with_bom_removal)
    }

    /// The name of the encoding.
    pub fn name(self) -> &'static str {
        self.0.unwrap_or(UTF_8).name()
    }
}

/// Warns once that bytes of a text are no characters.
pub(super) fn warn_of_replacements(encoding: &'static Encoding) {
    static REPLACED: Once = Once::new();
    REPLACED.call_once(|| {
        log::warn!(
            "a text is not {}, as the file or --charset says; bytes that cannot be decoded are \u{fffd}",
            encoding.name()
        );
    });
}

impl FromStr for Charset {
    type Err = Invalid;

    fn from_str(name: &str) -> Result<Charset, Invalid> {
        // The library does not write UTF-16, and no format uses it.
        let encoding = Encoding::for_label(name.as_bytes()).filter(|e| e.output_encoding() == *e);
        let encoding = encoding.ok_or_else(|| {
            format!("{} is not an encoding: expected utf-8, gbk, shift_jis, …", quoted(name))
        })?;
        Ok(Charset(Some(encoding)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_encodings() {
        let gbk: Charset = "gb2312".parse().unwrap();
        assert_eq!(gbk.decode(&[0xce, 0xe5]), "五");
        assert_eq!(gbk.encode("五").unwrap()[..], [0xce, 0xe5]);
        assert_eq!(Charset::AUTO.decode("五".as_bytes()), "五");
        assert_eq!(Charset::AUTO.decode(&[0xe9]), "é");
        let western: Charset = "windows-1252".parse().unwrap();
        assert_eq!(western.encode("五"), None);
        assert!("utf-16".parse::<Charset>().is_err() && "klingon".parse::<Charset>().is_err());
    }
}
