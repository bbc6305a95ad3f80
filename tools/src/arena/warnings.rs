//! The oddities of an engine in one game.

/// Most warnings kept in words; an engine may say something odd at every node.
const MOST: usize = 20;

/// Warnings: oddities that are no faults. The first ones are kept in words, the others as a number.
#[derive(Debug, Default)]
pub struct Warnings {
    texts: Vec<String>,
    more: u64,
}

impl Warnings {
    /// Adds a warning.
    pub fn add(&mut self, text: String) {
        if self.texts.len() < MOST {
            self.texts.push(text);
        } else {
            self.more += 1;
        }
    }

    /// Returns all warnings and clears them; the last entry says how many were not kept in words, if any.
    pub fn take(&mut self) -> Vec<String> {
        let Warnings { mut texts, more } = std::mem::take(self);
        if more > 0 {
            texts.push(format!("and {more} more"));
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_ones_are_kept_and_the_others_counted() {
        let mut warnings = Warnings::default();
        (1..=MOST).for_each(|n| warnings.add(n.to_string()));
        let all = warnings.take();
        assert_eq!((all.len(), all[0].as_str(), all[MOST - 1].as_str()), (20, "1", "20"));
        assert!(warnings.take().is_empty(), "they are taken");
        (1..=1000).for_each(|n| warnings.add(n.to_string()));
        let all = warnings.take();
        assert_eq!((all.len(), all[MOST - 1].as_str(), all[MOST].as_str()), (21, "20", "and 980 more"));
    }
}
