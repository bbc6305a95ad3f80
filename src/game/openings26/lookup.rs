//! Openings by what people write: codes of every usual notation, and names in several languages and spellings.
//!
//! | written | is | by |
//! |---|---|---|
//! | `D4`, `I4` | D4, I4 | the RIF: direct, indirect |
//! | `4D`, `4I` | D4, I4 | the RIF, number first |
//! | `4В`, `4Д` (Cyrillic), `В4`, `Д4` | D4, I4 | Russian: вертикальный (vertical), диагональный (diagonal) |
//! | `4B`, `4V` | D4 | Russian in Latin letters, Czech |
//! | `4D` under [`Codes::Russian`] | I4 | Russian in Latin letters, Czech |

use super::{OPENINGS, Opening};

/// Reading of a code with its number first, for which notations differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Codes {
    /// `4D` is D4, a direct opening.
    #[default]
    Rif,
    /// `4D` is I4, a diagonal opening, as in Russian texts and in Czech texts made from them.
    Russian,
}

impl Opening {
    /// Returns the opening of a code with its number first, or of a Cyrillic code.
    pub fn of_numbered_code(text: &str, codes: Codes) -> Option<&'static Opening> {
        let is_digit = |c: char| c.is_ascii_digit();
        let (number, letter) = match text.find(|c: char| !is_digit(c)) {
            Some(0) => {
                let letter = text.chars().next().filter(|c| "ВвДд".contains(*c))?;
                (&text[letter.len_utf8()..], letter)
            }
            Some(end) => {
                let mut letters = text[end..].trim_start().chars();
                let letter = letters.next().filter(|_| letters.next().is_none())?;
                (&text[..end], letter)
            }
            None => return None,
        };
        let is_direct = match (letter, codes) {
            ('В' | 'в' | 'B' | 'b' | 'V' | 'v', _) | ('D' | 'd', Codes::Rif) => true,
            ('Д' | 'д' | 'I' | 'i', _) | ('D' | 'd', Codes::Russian) => false,
            _ => return None,
        };
        if number.starts_with('0') || !number.chars().all(is_digit) {
            return None;
        }
        let number: usize = number.parse().ok().filter(|n| (1..=13).contains(n))?;
        Some(&OPENINGS[number - 1 + if is_direct { 0 } else { 13 }])
    }

    /// The code in Russian texts: `4В` for D4, `4Д` for I4, the letters Cyrillic.
    pub fn russian_code(&self) -> String {
        let (letter, number) = self.code.split_at(1);
        format!("{number}{}", if letter == "D" { 'В' } else { 'Д' })
    }

    /// The opening that a person names: a code of any notation, or a name in Japanese, Latin letters, English or Czech.
    /// Upper and lower case, marks on letters and the system of romanisation do not matter.
    ///
    /// ```
    /// use kagetsu::game::openings26::{Codes, Opening};
    /// let code = |text, codes| Opening::named(text, codes).map(|opening| opening.code);
    /// for name in ["D4", "4D", "4В", "Kagetsu", "kagetu", "花月", "flower moon", "květ"] {
    ///     assert_eq!(code(name, Codes::Rif), Some("D4"), "{name}");
    /// }
    /// assert_eq!(code("4D", Codes::Russian), Some("I4"));
    /// ```
    pub fn named(text: &str, codes: Codes) -> Option<&'static Opening> {
        let text = text.trim();
        let by_code = Opening::from_code(text).or_else(|| Opening::of_numbered_code(text, codes));
        by_code.or_else(|| {
            let wanted = folded(text);
            let has = |name: &str| folded(name) == wanted;
            let japanese = |o: &Opening| {
                spelling(o.romaji) == spelling(text) || o.kanji == text || o.traditional == text
            };
            let czech = |o: &Opening| o.czech.split(';').any(has);
            OPENINGS
                .iter()
                .find(|o| japanese(o) || czech(o) || meanings(o.english).iter().any(|name| has(name)))
        })
    }
}

/// Lower case, without marks on letters, blanks at the ends and characters inside that are not letters.
fn folded(name: &str) -> String {
    let plain = |c: char| match c {
        'á' => 'a',
        'č' => 'c',
        'ď' => 'd',
        'é' | 'ě' => 'e',
        'í' => 'i',
        'ň' => 'n',
        'ó' | 'ō' | 'ô' => 'o',
        'ř' => 'r',
        'š' => 's',
        'ť' => 't',
        'ú' | 'ů' | 'ū' | 'û' => 'u',
        'ý' => 'y',
        'ž' => 'z',
        other => other,
    };
    let words = name.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase().chars().map(plain).collect()
}

/// Returns one spelling of a Japanese name, whether it was written by Hepburn or by kunrei, with long vowels marked,
/// doubled or plain.
fn spelling(romaji: &str) -> String {
    let mut text = folded(romaji).replace(' ', "");
    for (from, to) in [
        ("shi", "si"),
        ("sh", "sy"),
        ("chi", "ti"),
        ("ch", "ty"),
        ("tsu", "tu"),
        ("ji", "zi"),
        ("jy", "zy"),
        ("j", "zy"),
        ("ou", "o"),
        ("oo", "o"),
        ("uu", "u"),
    ] {
        text = text.replace(from, to);
    }
    text
}

/// Returns the ways to say a meaning such as `Remaining (waning, morning) Moon`: with the first word, and with each
/// word in brackets in its place. Words in brackets at the end are a name of their own.
fn meanings(english: &str) -> Vec<String> {
    let Some((before, rest)) = english.split_once('(') else { return vec![english.to_owned()] };
    let (inside, after) = rest.split_once(')').unwrap_or((rest, ""));
    let mut names = vec![format!("{before} {after}")];
    names.extend(inside.split(',').map(|other| format!("{other} {after}")));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str, codes: Codes) -> Option<&'static str> {
        Opening::named(text, codes).map(|opening| opening.code)
    }

    #[test]
    fn codes_of_every_notation() {
        for (text, rif, russian) in [
            ("D4", Some("D4"), Some("D4")),
            ("I13", Some("I13"), Some("I13")),
            ("4D", Some("D4"), Some("I4")),
            ("4d", Some("D4"), Some("I4")),
            ("5 D", Some("D5"), Some("I5")),
            ("4I", Some("I4"), Some("I4")),
            ("4В", Some("D4"), Some("D4")),
            ("4Д", Some("I4"), Some("I4")),
            ("В4", Some("D4"), Some("D4")),
            ("Д13", Some("I13"), Some("I13")),
            ("4B", Some("D4"), Some("D4")),
            ("12V", Some("D12"), Some("D12")),
            ("14D", None, None),
            ("0D", None, None),
            ("04D", None, None),
            ("4X", None, None),
            ("4DD", None, None),
            ("4", None, None),
            ("d4", None, None),
            ("", None, None),
        ] {
            assert_eq!((code(text, Codes::Rif), code(text, Codes::Russian)), (rif, russian), "{text}");
        }
        for opening in &OPENINGS {
            assert_eq!(code(&opening.russian_code(), Codes::Rif), Some(opening.code));
        }
    }

    #[test]
    fn names_in_every_spelling() {
        for (name, expected) in [
            ("kagetsu", "D4"),
            ("Kagetu", "D4"),
            ("shougetsu", "D8"),
            ("syōgetu", "D8"),
            ("Myôjô", "I10"),
            ("myouzyou", "I10"),
            ("Kousei", "I3"),
            ("游星", "D13"),
            ("waning moon", "D5"),
            ("Venus", "D7"),
            ("shooting star", "I5"),
            ("Fixed star", "I3"),
            ("stribrny mesic", "I9"),
            ("Venuše", "D7"),
        ] {
            assert_eq!(code(name, Codes::Rif), Some(expected), "{name}");
        }
        assert_eq!(code("moon", Codes::Rif), None);
        for opening in &OPENINGS {
            let names = [
                opening.romaji,
                opening.macron,
                opening.kanji,
                opening.traditional,
                opening.english,
                opening.czech,
            ];
            for name in
                names.iter().flat_map(|name| name.split(['(', ';']).take(1)).filter(|n| !n.ends_with(' '))
            {
                assert_eq!(code(name, Codes::Rif), Some(opening.code), "{name}");
            }
        }
    }
}
