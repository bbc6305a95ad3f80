//! Samples in memory: a position is a list of cells, in four bytes each or a little more.

use kagetsu::eval::arch::{REGIONS, RELATIONS};
use kagetsu::game::CODES;

/// Empty points with the same codes in the same region and, if a move is to be learned, with the same relations to the
/// last moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// Codes of the first and second colour: Black and White or, for symmetric rules, the mover and the opponent.
    pub codes: [u16; 2],
    /// Relations of the points to the last move and to the one before it: [`kagetsu::eval::policy::relation`].
    pub relations: [u8; 2],
    /// Region of the board, 0 to 8.
    pub region: u8,
    /// Number of points.
    pub count: u8,
    /// Number of those that the search would try.
    pub candidates: u8,
}

/// A position to learn from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// Index of its first packed cell.
    start: u32,
    /// Number of packed cells.
    len: u16,
    /// Number of the head that judges the position: 0 unless the rule treats the colours differently and White is to
    /// move.
    pub head: u8,
    /// Points the mover made of the game: 0, 0.5 or 1; unknown if the game left the position's line.
    pub result: Option<f32>,
    /// Score of the search, in its units, from the mover's view; infinite for a proven result.
    pub score: f32,
    /// The cell of the best move, if the move is to be learned.
    pub best: Option<u16>,
}

impl Sample {
    /// Returns the number of its cells.
    pub fn cell_count(&self) -> u16 {
        self.len
    }
}

/// Samples and their packed cells.
///
/// Each cell is the difference of its codes from those of the cell before it, seven bits a byte, then its place in two
/// bytes. Points are nearly always alone in their cell; only other counts take bytes of their own. Cells sorted by their
/// codes have the smallest differences.
#[derive(Default)]
pub struct Data {
    packed: Vec<u8>,
    pub samples: Vec<Sample>,
}

const CODE_BITS: u32 = 12;
const CODE_MASK: u32 = (1 << CODE_BITS) - 1;
const BOTH_MASK: u32 = (1 << (2 * CODE_BITS)) - 1;
const RELATION_BITS: u32 = 5;
const RELATION_MASK: u16 = (1 << RELATION_BITS) - 1;
const REGION_BITS: u32 = 4;
const REGION_MASK: u16 = (1 << REGION_BITS) - 1;
const _: () =
    assert!(CODES <= 1 << CODE_BITS && RELATIONS <= 1 << RELATION_BITS && REGIONS <= 1 << REGION_BITS);
/// In the first two bits of the place: one point that is no candidate, one that is, or both numbers follow.
const ALONE: u16 = 0;
const CANDIDATE: u16 = 1;
const COUNTED: u16 = 2;

impl Data {
    /// Adds a sample: its cells, its head, its score and result, and the cell of its best move.
    pub fn add(
        &mut self,
        cells: impl IntoIterator<Item = Cell>,
        head: u8,
        (score, result): (f32, Option<f32>),
        best: Option<u16>,
    ) {
        let start = self.packed.len() as u32;
        let (mut len, mut before) = (0, 0);
        for cell in cells {
            before = pack(&cell, before, &mut self.packed);
            len += 1;
        }
        self.samples.push(Sample { start, len, head, result, score, best });
    }

    /// Puts the cells of a sample into `cells`.
    pub fn unpack(&self, sample: &Sample, cells: &mut Vec<Cell>) {
        let mut bytes = self.packed[sample.start as usize..].iter().copied();
        let mut codes = 0;
        cells.clear();
        cells.extend((0..sample.len).map(|_| unpack(&mut codes, &mut bytes)));
    }

    /// Returns the cells of a sample.
    #[cfg(test)]
    pub fn cells(&self, sample: &Sample) -> Vec<Cell> {
        let mut cells = Vec::new();
        self.unpack(sample, &mut cells);
        cells
    }

    /// Number of cells of all samples.
    pub fn count_cells(&self) -> u64 {
        self.samples.iter().map(|s| u64::from(s.len)).sum()
    }

    /// Keeps the samples with these indices, in order.
    pub fn keep(&self, indices: impl Iterator<Item = usize>) -> Data {
        let mut kept = Data::default();
        let mut cells = Vec::new();
        for s in indices.map(|i| &self.samples[i]) {
            self.unpack(s, &mut cells);
            kept.add(cells.iter().copied(), s.head, (s.score, s.result), s.best);
        }
        kept
    }

    /// Gives back memory that growing left over.
    pub fn shrink(&mut self) {
        self.packed.shrink_to_fit();
        self.samples.shrink_to_fit();
    }

    /// A checksum of everything to learn from, in order: CRC-32.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for s in &self.samples {
            for number in [s.score, s.result.unwrap_or(-1.0)] {
                hasher.update(&number.to_le_bytes());
            }
            hasher.update(&s.best.map_or(u32::MAX, u32::from).to_le_bytes());
            hasher.update(&s.len.to_le_bytes());
            hasher.update(&[s.head]);
        }
        hasher.update(&self.packed);
        hasher.finalize()
    }
}

/// Appends a cell to `bytes`, after one whose codes are `before`; returns its own codes as a number.
fn pack(cell: &Cell, before: u32, bytes: &mut Vec<u8>) -> u32 {
    let [first, second] = cell.codes.map(u32::from);
    let codes = first << CODE_BITS | second;
    let mut difference = codes.wrapping_sub(before) & BOTH_MASK;
    while difference >= 0x80 {
        bytes.push(difference as u8 | 0x80);
        difference >>= 7;
    }
    bytes.push(difference as u8);
    let kind = match (cell.count, cell.candidates) {
        (1, 0) => ALONE,
        (1, 1) => CANDIDATE,
        _ => COUNTED,
    };
    let [last, earlier] = cell.relations.map(u16::from);
    let place = ((kind << RELATION_BITS | last) << RELATION_BITS | earlier) << REGION_BITS;
    bytes.extend((place | u16::from(cell.region)).to_le_bytes());
    if kind == COUNTED {
        bytes.extend([cell.count, cell.candidates]);
    }
    codes
}

/// Reads the next cell; `codes` are those of the cell before it, and then its own.
fn unpack(codes: &mut u32, bytes: &mut impl Iterator<Item = u8>) -> Cell {
    // There are always as many bytes as were packed.
    let mut next = || bytes.next().unwrap_or_default();
    let (mut difference, mut shift) = (0, 0);
    loop {
        let byte = next();
        difference |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    *codes = codes.wrapping_add(difference) & BOTH_MASK;
    let place = u16::from_le_bytes([next(), next()]);
    let (earlier, last) = (place >> REGION_BITS, place >> (REGION_BITS + RELATION_BITS));
    let (count, candidates) = match place >> (REGION_BITS + 2 * RELATION_BITS) {
        COUNTED => (next(), next()),
        kind => (1, kind as u8),
    };
    Cell {
        codes: [(*codes >> CODE_BITS) as u16, (*codes & CODE_MASK) as u16],
        relations: [last, earlier].map(|r| (r & RELATION_MASK) as u8),
        region: (place & REGION_MASK) as u8,
        count,
        candidates,
    }
}

#[cfg(test)]
mod tests {
    use kagetsu::random::{Random, RngExt, SeedableRng};

    use super::*;

    /// Random cells and the extreme ones, sorted or not.
    fn cells(random: &mut Random, sorted: bool) -> Vec<Cell> {
        let mut cells: Vec<Cell> = (0..random.random_range(0..400usize))
            .map(|_| {
                let count = if random.random() { 1 } else { random.random_range(1..=64u8) };
                Cell {
                    codes: [0; 2].map(|_: u16| random.random_range(..CODES) as u16),
                    relations: [0; 2].map(|_: u8| random.random_range(..RELATIONS) as u8),
                    region: random.random_range(..REGIONS) as u8,
                    count,
                    candidates: random.random_range(0..=count),
                }
            })
            .collect();
        let (code, relation) = (CODES as u16 - 1, RELATIONS as u8 - 1);
        let region = REGIONS as u8 - 1;
        let last = Cell { codes: [code; 2], relations: [relation; 2], region, count: 64, candidates: 64 };
        cells.push(last);
        cells.push(Cell { codes: [0; 2], relations: [0; 2], region: 0, count: 1, candidates: 0 });
        if sorted {
            cells.sort_unstable();
        }
        cells
    }

    #[test]
    fn cells_come_back() {
        let mut random = Random::seed_from_u64(5);
        let lists: Vec<Vec<Cell>> = (0..40).map(|i| cells(&mut random, i % 2 == 0)).collect();
        let mut data = Data::default();
        for (i, list) in lists.iter().enumerate() {
            data.add(list.iter().copied(), (i % 2) as u8, (i as f32, Some(0.5)), Some(i as u16));
        }
        for (sample, list) in data.samples.iter().zip(&lists) {
            assert_eq!(&data.cells(sample), list);
        }
        assert_eq!(data.count_cells(), lists.iter().map(|list| list.len() as u64).sum::<u64>());

        let kept = data.keep([3, 17].into_iter());
        assert_eq!(kept.samples.len(), 2);
        for (sample, i) in kept.samples.iter().zip([3, 17]) {
            assert_eq!((sample.score, sample.best), (i as f32, Some(i)));
            assert_eq!(kept.cells(sample), lists[usize::from(i)]);
        }
    }

    /// Every field of a sample and of a cell has a part in it.
    #[test]
    fn the_checksum_tells_samples_apart() {
        let cell = Cell { codes: [7, 9], relations: [2, 3], region: 4, count: 5, candidates: 1 };
        let sum = |cells: &[Cell], head, targets, best| {
            let mut data = Data::default();
            data.add(cells.iter().copied(), head, targets, best);
            data.checksum()
        };
        let plain = sum(&[cell], 0, (10.0, Some(1.0)), Some(0));
        assert_eq!(sum(&[cell], 0, (10.0, Some(1.0)), Some(0)), plain);
        let others = [
            sum(&[cell, cell], 0, (10.0, Some(1.0)), Some(0)),
            sum(&[Cell { codes: [7, 8], ..cell }], 0, (10.0, Some(1.0)), Some(0)),
            sum(&[Cell { relations: [2, 2], ..cell }], 0, (10.0, Some(1.0)), Some(0)),
            sum(&[Cell { region: 5, ..cell }], 0, (10.0, Some(1.0)), Some(0)),
            sum(&[Cell { count: 6, ..cell }], 0, (10.0, Some(1.0)), Some(0)),
            sum(&[Cell { candidates: 2, ..cell }], 0, (10.0, Some(1.0)), Some(0)),
            sum(&[cell], 1, (10.0, Some(1.0)), Some(0)),
            sum(&[cell], 0, (11.0, Some(1.0)), Some(0)),
            sum(&[cell], 0, (10.0, None), Some(0)),
            sum(&[cell], 0, (10.0, Some(1.0)), None),
        ];
        assert!(others.iter().all(|&other| other != plain), "{plain} {others:?}");
    }
}
