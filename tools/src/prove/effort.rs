//! The effort of a position: an estimate of the work that its proof takes. It decides which position is searched next.
//!
//! An effort of 1 is a search for threats of the smallest size; 0 means proven, and [`HOPELESS`] means that the
//! defender wins. The attacker's choices count by the least effort, the defender's replies are added up. Replies to a
//! threat that were not searched yet count for little, since most of them fail to the same answers. The hardest replies
//! show the value of a defence, and they are tried first.

use kagetsu::search::Score;

/// An estimate of the work that is left.
pub type Effort = u32;

/// The defender wins.
pub const HOPELESS: Effort = u32::MAX;
/// Largest effort that is not hopeless.
const MOST: Effort = 1 << 30;

/// Solver nodes of the searches for a win, one after the other.
pub const NODES: [u64; 4] = [6_000, 48_000, 400_000, 3_000_000];
/// Index in [`NODES`] of the first search after a pass: if it succeeds, most replies need no search.
pub const FIRST_THREAT: usize = 1;

/// Effort of a position of even chances, above [`LEAST`].
const EVEN: f64 = 300.0;
/// Effort of a position with the best score.
const LEAST: f64 = 1.0;
/// Difference of scores that makes the effort e times less.
const SCALE: f64 = 120.0;

/// Returns the effort of a position to which the search gives this score, from the attacker's view.
pub fn of_score(score: i32) -> Effort {
    let score = f64::from(score.clamp(-Score::MATE, Score::MATE));
    // The exponential of `libm` gives the same value, and so the same order of work, on every system.
    let effort = LEAST + EVEN * libm::exp((-score / SCALE).min(8.0));
    effort as Effort
}

/// Returns the effort of the next search for a win after `tried` of them. It grows with the size of the search and with
/// the number of failures.
pub fn of_search(tried: usize) -> Effort {
    let size = NODES[tried] / NODES[0];
    size as Effort * (1 + tried as Effort)
}

/// Returns the effort of a reply that was not searched yet: nearly nothing against a threat, more if there is none.
pub fn of_reply(threat: bool) -> Effort {
    if threat { 2 } else { 30 }
}

/// Effort of an attacker's move that the search did not name.
pub const UNNAMED: Effort = 3_000;
/// Smallest effort of a position whose moves are not known yet: finding them and trying the best.
pub const EXPANSION: Effort = 12;
/// Effort added for each further move of the search's list.
pub const RANK: Effort = 4;

/// Returns the sum of efforts: [`HOPELESS`] if one of them is, else at most `MOST`.
pub fn sum(efforts: impl Iterator<Item = Effort>) -> Effort {
    efforts.fold(0, |a, b| if a == HOPELESS || b == HOPELESS { HOPELESS } else { (a + b).min(MOST) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_scores_are_less_work() {
        let efforts = [-30_000, -500, 0, 100, 500, 30_000].map(of_score);
        assert!(efforts.is_sorted_by(|a, b| a > b) && efforts[5] == LEAST as Effort, "{efforts:?}");
        assert!((1..NODES.len()).all(|n| of_search(n) > of_search(n - 1)));
    }

    #[test]
    fn sums_stay_below_hopeless() {
        let of = |efforts: &[Effort]| sum(efforts.iter().copied());
        assert_eq!((of(&[]), of(&[0, 7, 3])), (0, 10));
        assert_eq!(of(&[MOST, MOST]), MOST);
        assert_eq!(of(&[1, HOPELESS, MOST]), HOPELESS);
    }
}
