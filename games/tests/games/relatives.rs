//! The relatives of Renju and Connect6: random games against slow rules.

use kagetsu_games::{Game, Kind, Options};

fn compare(kind: Kind, size: usize, games: usize, positions: usize) -> usize {
    let begin = || -> (Box<dyn Game>, Box<dyn super::slow::Slow>) {
        let mut options = Options::new(kind);
        options.set_size(size).unwrap();
        (options.begin(), Box::new(super::slow::five::Board::new(kind, size)))
    };
    super::slow::compare(begin, games, positions, size as u64)
}

/// Board sizes: small boards fill up and have many captures and fouls, the usual size covers the rest. The centre stone
/// of Bipartisan Renju needs an odd size.
const SIZES: [usize; 3] = [7, 9, 15];

macro_rules! games {
    ($($name:ident: $kind:ident),*) => {
        /// Games for the gate, a thousand in all.
        mod gate {
            use super::*;
            $(#[test]
            fn $name() {
                let seen: usize = SIZES.into_iter().map(|size| compare(Kind::$kind, size, 26, 0)).sum();
                assert!(seen > 500, "{seen}");
            })*
        }

        /// A million positions of each game.
        mod million {
            use super::*;
            $(#[test]
            #[ignore = "minutes"]
            fn $name() {
                let seen: usize =
                    SIZES.into_iter().map(|size| compare(Kind::$kind, size, 0, 333_334)).sum();
                assert!(seen >= 1_000_000);
            })*
        }
    };
}

games!(
    renju: Renju,
    freestyle: Freestyle,
    standard: Standard,
    russian: Russian,
    anti_renju: AntiRenju,
    bipartisan: Bipartisan,
    atomic: Atomic,
    repensi: Repensi,
    ninuki: Ninuki,
    pente: Pente,
    keryo_pente: KeryoPente,
    gomoku_33: Gomoku33,
    connect6: Connect6
);
