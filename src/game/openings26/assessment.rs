//! Published assessments of the openings.
//!
//! All tables are for the old rule of the Renju International Federation, under which Black offers two fifth moves.
//! Without that rule Black wins with the three stones from the empty board (Wágner and Virág 2001), so the tables do
//! not value the three stones alone.

use std::fmt;

/// Verdict of a table on an opening, the best for Black first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assessment {
    /// Black wins.
    BlackWins,
    /// Black is better.
    BlackAdvantage,
    /// Black is a little better.
    BlackSlight,
    /// Neither side is better.
    Equal,
    /// White is a little better.
    WhiteSlight,
    /// White is better.
    WhiteAdvantage,
    /// White wins.
    WhiteWins,
}

impl Assessment {
    /// All assessments, the best for Black first.
    pub const ALL: [Assessment; 7] = [
        Assessment::BlackWins,
        Assessment::BlackAdvantage,
        Assessment::BlackSlight,
        Assessment::Equal,
        Assessment::WhiteSlight,
        Assessment::WhiteAdvantage,
        Assessment::WhiteWins,
    ];

    /// The name that programs read, as `black_adv`.
    pub const fn name(self) -> &'static str {
        match self {
            Assessment::BlackWins => "black_wins",
            Assessment::BlackAdvantage => "black_adv",
            Assessment::BlackSlight => "black_slight",
            Assessment::Equal => "equal",
            Assessment::WhiteSlight => "white_slight",
            Assessment::WhiteAdvantage => "white_adv",
            Assessment::WhiteWins => "white_wins",
        }
    }
}

impl fmt::Display for Assessment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Assessment::BlackWins => "Black wins",
            Assessment::BlackAdvantage => "advantage for Black",
            Assessment::BlackSlight => "slight advantage for Black",
            Assessment::Equal => "equal",
            Assessment::WhiteSlight => "slight advantage for White",
            Assessment::WhiteAdvantage => "advantage for White",
            Assessment::WhiteWins => "White wins",
        })
    }
}

/// The assessments of one opening by three tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assessments {
    /// The table of the Russian encyclopedia article on the openings, and of its translations.
    pub rif: Assessment,
    /// The English encyclopedia article.
    pub english: Assessment,
    /// The Chinese encyclopedia article.
    pub chinese: Assessment,
}
