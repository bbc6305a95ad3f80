//! Forced wins as pure functions under a budget. The solvers know the rules, and nothing of the main search or of output.
//!
//! * A **VCF** (victory by continuous fours) is a win in which every move of the attacker makes a four, so that the
//!   defender has no choice: [`Vcf`] finds one, or a shortest one, or proves that there is none.
//! * A **VCT** (victory by continuous threats) also uses threes and quiet moves behind which a VCF stands: [`Vct`] finds
//!   one or proves that there is none in its threat class.
//! * Every win has a [`proof::Proof`] that covers every reply; [`verify`] checks it with nothing but the rules,
//!   [`proof_io`] writes and reads it.
//! * [`defend`] lists the moves that stop a threatened win.
//! * [`fours`] is the board of the search for fours, [`breaks`] finds the replies that break a threat, [`extract`] builds a
//!   proof from a solved position, and [`cover`] finds the replies that a proof covers unchanged.
//! * [`Budget`] limits nodes and time; [`table`] keeps failed searches for fours, [`numbers`] proof and disproof numbers.

mod breaks;
mod budget;
mod cover;
pub mod defend;
mod extract;
mod fours;
mod memory;
mod numbers;
pub mod proof;
pub mod proof_io;
mod table;
mod vcf;
mod vct;
pub mod verify;

use std::fmt;

pub use budget::Budget;
pub use vcf::Vcf;
pub use vct::{THREAT_FOURS, Vct};

/// Result of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The attacker wins; the solver holds the line.
    Win,
    /// No win of this kind exists: everything was searched.
    NoWin,
    /// The budget ran out.
    Unknown,
}

impl Verdict {
    /// The name of the verdict in answers for programs.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Win => "win",
            Verdict::NoWin => "no_win",
            Verdict::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
