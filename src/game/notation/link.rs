//! Links to web boards whose address holds the moves, as `https://gomocalc.com/#/h8h9i8`: the moves stand behind the last
//! `#/` or, on sites with more pages, behind the last slash. Nothing is fetched.
//!
//! CITE: the routes of dhbloo/gomoku-calculator, `src/router.js`.

/// Returns the moves of a link; `None` if the text is not a link.
pub fn moves(text: &str) -> Option<&str> {
    let text = text.trim();
    let is_link = text.starts_with("#/") || ["http://", "https://"].iter().any(|s| starts_with(text, s));
    if !is_link {
        return None;
    }
    let (_, page) = text.rsplit_once('#').unwrap_or(("", ""));
    let page = page.split(['?', '&']).next().unwrap_or(page);
    Some(page.rsplit_once('/').map_or(page, |(_, moves)| moves))
}

/// Returns whether a text begins with `start`, in upper or lower case.
fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_stand_behind_the_last_slash_of_the_fragment() {
        for (text, expected) in [
            ("https://gomocalc.com/#/h8h9i8", Some("h8h9i8")),
            (" HTTP://gomocalc.com/#/h8h9i8?lang=en ", Some("h8h9i8")),
            ("#/h8", Some("h8")),
            ("https://example.org/#/game/h8", Some("h8")),
            ("https://example.org/h8", Some("")),
            ("https://gomocalc.com/#/", Some("")),
            ("5/5/2x2/5/5 o", None),
            ("h8h9", None),
            ("http", None),
        ] {
            assert_eq!(moves(text), expected, "{text}");
        }
    }
}
