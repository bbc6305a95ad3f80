//! How much work a position seems to be: the numbers that decide what is looked at next.
//!
//! An effort of 1 is a search for threats of the smallest size; 0 means proven, and [`HOPELESS`] that the defender wins. Of
//! choices the least counts, of duties the greatest and how many there are: replies to a threat mostly fall to the same
//! answers, so that the sum would put a position with many of them far beyond one that nothing is known of yet.
//!
//! CITE: Ueda, Hashimoto, Hashimoto and Iida, "Weak proof-number search" (2008).

use crate::search::Score;

/// An estimate of the work that is left.
pub type Effort = u32;

/// The defender wins.
pub const HOPELESS: Effort = u32::MAX;
/// The most that is not hopeless.
const MOST: Effort = 1 << 30;

/// Solver nodes of the searches for a win, one after the other.
pub const NODES: [u64; 4] = [6_000, 60_000, 600_000, 5_000_000];
/// The first search against a pass has so many: if it succeeds, most replies need none.
pub const FIRST_THREAT: usize = 1;

/// A position of even chances.
const EVEN: f64 = 300.0;
/// The score at which the work is e times less.
const SCALE: f64 = 120.0;

/// Work that a position is which the search gives this score, from the attacker's view.
pub fn of_score(score: i32) -> Effort {
    let score = f64::from(score.clamp(-Score::MATE, Score::MATE));
    // A portable exponential: the same order of work everywhere.
    let effort = 1.0 + EVEN * libm::exp((-score / SCALE).min(8.0));
    effort as Effort
}

/// Work of the next search for a win after `tried` of them: its size, and the more the less it is likely to succeed.
pub fn of_search(tried: usize) -> Effort {
    let size = NODES[tried] / NODES[0];
    size as Effort * tried.max(1) as Effort
}

/// Work that a reply is of which nothing is known: next to none against a threat, a good deal if there is none.
pub fn of_reply(threat: bool) -> Effort {
    if threat { 1 } else { 10 }
}

/// Work that a move of the attacker's is which the search did not name.
pub const UNNAMED: Effort = 2_000;
/// Work that finding moves and trying the best is at least.
pub const EXPANSION: Effort = 12;
/// What each further move of the search's list costs.
pub const RANK: Effort = 4;

/// Work that replies are together, each of which is `share` even if it should fall like another.
pub fn of_duties(efforts: impl Iterator<Item = Effort>, share: Effort) -> Effort {
    let (mut most, mut open) = (0, 0);
    for effort in efforts.filter(|&effort| effort > 0) {
        most = effort.max(most);
        open += 1;
    }
    match (most, open) {
        (HOPELESS, _) | (_, 0) => most,
        _ => (most + share * (open - 1)).min(MOST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_scores_are_less_work() {
        let efforts = [-30_000, -500, 0, 100, 500, 30_000].map(of_score);
        assert!(efforts.is_sorted_by(|a, b| a > b) && efforts[5] == 1, "{efforts:?}");
        assert!((1..NODES.len()).all(|n| of_search(n) > of_search(n - 1)));
    }

    #[test]
    fn duties_are_as_hard_as_the_hardest_and_as_many_as_they_are() {
        let of = |efforts: &[Effort]| of_duties(efforts.iter().copied(), 2);
        assert_eq!(of(&[]), 0);
        assert_eq!(of(&[0, 0]), 0);
        assert_eq!(of(&[0, 7, 3, 0, 5]), 11);
        assert_eq!(of(&[MOST, MOST]), MOST);
        assert_eq!(of(&[1, HOPELESS]), HOPELESS);
    }
}
