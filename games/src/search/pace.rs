//! The pace at which a thread looks at the limits of its search. A node takes some microseconds, but
//! hundredths of a second on boards made for it, full of double threes: so the nodes between two looks follow
//! the time that they take.

use std::time::Duration;

/// Most nodes between two looks.
const MOST: u64 = 256;
/// Time between two looks, about, where so many nodes take longer.
const SLICE: Duration = Duration::from_millis(2);

/// Decides when the limits are looked at again.
pub struct Pace {
    /// Nodes from the last look to the next one.
    nodes: u64,
    /// Time of the last look.
    at: Duration,
}

impl Pace {
    /// Begins at this time, with a look after the first node: nothing is known of its cost.
    pub fn new(now: Duration) -> Pace {
        Pace { nodes: 1, at: now }
    }

    /// Returns whether it is time for a look, so many nodes after the last one.
    pub fn is_due(&self, nodes: u64) -> bool {
        nodes >= self.nodes
    }

    /// Notes a look at this time, so many nodes after the last one. At most twice as many nodes as before are
    /// left to the next one, for they may be dearer.
    pub fn look(&mut self, nodes: u64, now: Duration) {
        let took = now.saturating_sub(self.at).as_nanos().max(1);
        let by_time = u128::from(nodes.max(1)) * SLICE.as_nanos() / took;
        self.nodes = by_time.clamp(1, (2 * self.nodes).min(MOST).into()) as u64;
        self.at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the looks during so many nodes, of which each takes what a function says, and the longest time
    /// between two.
    fn looks(nodes: u64, cost: impl Fn(u64) -> Duration) -> (u64, Duration) {
        let mut pace = Pace::new(Duration::ZERO);
        let (mut now, mut since, mut looks, mut longest) = (Duration::ZERO, 0, 0, Duration::ZERO);
        for node in 0..nodes {
            (now, since) = (now + cost(node), since + 1);
            if pace.is_due(since) {
                longest = longest.max(now - pace.at);
                pace.look(since, now);
                (since, looks) = (0, looks + 1);
            }
        }
        (looks, longest)
    }

    #[test]
    fn cheap_nodes_are_looked_at_seldom() {
        for cost in [Duration::ZERO, Duration::from_micros(1), Duration::from_micros(7)] {
            // The first looks come after 1, 2, 4, … nodes.
            let (looks, _) = looks(100_000, |_| cost);
            assert!(looks <= 100_000 / MOST + 9, "{looks} looks at nodes of {cost:?}");
        }
    }

    #[test]
    fn dear_nodes_are_looked_at_often() {
        for micros in [10, 100, 1_000, 10_000, 100_000] {
            let cost = Duration::from_micros(micros);
            let (_, longest) = looks(2_000, |_| cost);
            assert!(longest <= 2 * SLICE + cost, "{longest:?} between looks at nodes of {cost:?}");
        }
        // Cheap nodes become dear at once: the looks that were left for them come late once.
        let dear = |node: u64| Duration::from_micros(if node < 1_000 { 5 } else { 10_000 });
        let (count, longest) = looks(2_000, dear);
        assert!(count > 1_000 - MOST && longest <= MOST as u32 * dear(1_000), "{count}, {longest:?}");
    }
}
