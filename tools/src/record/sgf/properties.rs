//! The properties of a node, each of which SGF names once, whatever the number of its values.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::untrusted;

/// Properties in the order of their first values.
#[derive(Default)]
pub struct Properties<'a> {
    places: HashMap<&'a str, usize>,
    all: Vec<(&'a str, Vec<Cow<'a, str>>)>,
}

impl<'a> Properties<'a> {
    /// Adds a value.
    pub fn add(&mut self, key: &'a str, value: impl Into<Cow<'a, str>>) {
        let place = *self.places.entry(key).or_insert(self.all.len());
        if place == self.all.len() {
            self.all.push((key, Vec::new()));
        }
        self.all[place].1.push(value.into());
    }

    /// Appends them to a text.
    pub fn write(&self, text: &mut String) {
        for (key, values) in &self.all {
            text.push_str(key);
            for value in values {
                text.push('[');
                text.push_str(&escape(value));
                text.push(']');
            }
        }
    }
}

/// A text as a value: line ends as one character, structure escaped, controls shown as their numbers.
pub fn escape(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    untrusted::stored(&text).replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_named_once() {
        let mut properties = Properties::default();
        for (key, value) in [("DD", "aa"), ("C", "a]\\\r\nb"), ("DD", "bb"), ("PL", "B"), ("DD", "")] {
            properties.add(key, value);
        }
        let mut text = String::from("(;");
        properties.write(&mut text);
        assert_eq!(text, "(;DD[aa][bb][]C[a\\]\\\\\nb]PL[B]");
    }
}
