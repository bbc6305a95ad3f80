//! The regulations as a table, written by hand from the rules' texts and independent of the library.
//!
//! A row is `STATE ACTOR : ACTION -> NEXT | ACTION -> NEXT …`. P1 sits as Black at the start. ACTOR is P1, P2, B or W
//! (whoever holds the colour), or `other` (the opponent of whoever put the last stone). Actions:
//!
//! | word | action |
//! |---|---|
//! | `K3`, `any`, `out5` | a stone in a central square, anywhere, outside a central square |
//! | `K1+K3+K5` | several stones |
//! | `…*8` | and a number of fifth moves is declared, 1 to 8 |
//! | `keep`, `swap` | the colours |
//! | `offer2`, `offer` | this number of points for stone 5, or as many as declared |
//! | `choose` | one of the points, and stone 6 anywhere |
//!
//! NEXT is a state or PLAY. `=P1` after it names the player who holds Black from there on; `=other` exchanges
//! the holders.

pub const TABLE: &str = "
plain
  S0 B : K1 -> PLAY

plain:free

rif
  R0 P1 : K1+K3+K5 -> R1
  R1 P2 : keep -> R2 | swap -> R2
  R2 W : any -> R3
  R3 B : offer2 -> R4
  R4 W : choose -> PLAY

swap-renju
  1 P1 : K1 -> 2
  2 P2 : K3 -> 3
  3 P1 : K5 -> 4
  4 P2 : keep -> 5 | swap -> 5
  5 W : any -> 6
  6 B : offer2 -> 7
  7 W : choose -> PLAY

yamaguchi
  Y0 P1 : K1+K3+K5*56 -> Y1
  Y1 P2 : keep -> Y2 | swap -> Y2
  Y2 W : any -> Y3
  Y3 B : offer -> Y4
  Y4 W : choose -> PLAY

soosorv:4
  S0 P1 : K1+K3+K5 -> S1
  S1 P2 : keep -> S2 | swap -> S2
  S2 W : any*4 -> S3
  S3 B : keep -> S4 | swap -> S4
  S4 B : offer -> S5
  S5 W : choose -> PLAY

soosorv:8
  S0 P1 : K1+K3+K5 -> S1
  S1 P2 : keep -> S2 | swap -> S2
  S2 W : any*8 -> S3
  S3 other : keep -> S4 | swap -> S4
  S4 B : offer -> S5
  S5 W : choose -> PLAY

tarannikov
  1 B : K1 -> 1s
  1s other : keep -> 2 | swap -> 2
  2 W : K3 -> 2s
  2s other : keep -> 3 | swap -> 3
  3 B : K5 -> 3s
  3s other : keep -> 4 | swap -> 4
  4 W : K7 -> 4s
  4s other : keep -> 5 | swap -> 5
  5 B : K9 -> 5s
  5s other : keep -> 6 | swap -> 6
  6 W : any -> PLAY

taraguchi:5
  T1 B : K1 -> T1s
  T1s other : keep -> T2 | swap -> T2
  T2 W : K3 -> T2s
  T2s other : keep -> T3 | swap -> T3
  T3 B : K5 -> T3s
  T3s other : keep -> T4 | swap -> T4
  T4 W : K7 -> T4c
  T4c B : swap -> T5a | K9 -> T5s | offer5 -> T5o
  T5a B : K9 -> T5s
  T5s other : keep -> T6 | swap -> T6
  T5o W : choose -> PLAY
  T6 W : any -> PLAY

taraguchi:10
  T1 B : K1 -> T1s
  T1s other : keep -> T2 | swap -> T2
  T2 W : K3 -> T2s
  T2s other : keep -> T3 | swap -> T3
  T3 B : K5 -> T3s
  T3s other : keep -> T4 | swap -> T4
  T4 W : K7 -> T4c
  T4c other : swap -> T5a | K9 -> T5s | offer10 -> T5o
  T5a B : K9 -> T5s
  T5s other : keep -> T6 | swap -> T6
  T5o W : choose -> PLAY
  T6 W : any -> PLAY

super-taraguchi:10
  T1 B : K1 -> T1s
  T1s other : keep -> T2 | swap -> T2
  T2 W : K5 -> T2s
  T2s other : keep -> T3 | swap -> T3
  T3 B : K7 -> T3s
  T3s other : keep -> T4 | swap -> T4
  T4 W : K9 -> T4c
  T4c B : swap -> T5a | K9 -> T5s | offer10 -> T5o
  T5a B : K9 -> T5s
  T5s other : keep -> T6 | swap -> T6
  T5o W : choose -> PLAY
  T6 W : any -> PLAY

sakata
  S0 P1 : K1+K3+K5 -> S1
  S1 P2 : keep -> S2 | swap -> S2
  S2 W : any -> S3
  S3 B : K7 -> PLAY

super-sakata
  X0 P1 : K1+K3+K5 -> X1
  X1 P2 : K7+K9 -> X2
  X2 P1 : any -> PLAY=P2 | swap -> PLAY=P1 | any+any -> X3
  X3 P2 : any -> PLAY=P1 | swap -> PLAY=P2 | any+any -> X2

lianhuan
  L0 B : K1 -> L1 | K1+K3 -> C2=other
  L1 W : K3 -> L2 | K3+K5 -> C3=other
  L2 B : K5 -> L3 | K5+any -> C4=other
  L3 W : any -> L4 | any+any -> C5=other
  L4 B : any -> PLAY
  C2 other : K5 -> L3 | swap -> L2 | K5+any -> C4=other
  C3 other : any -> L4 | swap -> L3 | any+any -> C5=other
  C4 other : any -> PLAY | swap -> L4
  C5 other : any -> PLAY | swap -> PLAY

swap
  1 P1 : any+any+any -> 2
  2 P2 : keep -> PLAY=P1 | swap -> PLAY=P2

swap1
  1 P1 : any -> 2
  2 P2 : keep -> PLAY=P1 | swap -> PLAY=P2

swap2
  1 P1 : any+any+any -> 2
  2 P2 : any -> PLAY=P1 | swap -> PLAY=P2 | any+any -> 3
  3 P1 : any -> PLAY=P2 | swap -> PLAY=P1

swap5
  1 B : any -> 1s
  1s other : keep -> 2 | swap -> 2
  2 W : any -> 2s
  2s other : keep -> 3 | swap -> 3
  3 B : any -> 3s
  3s other : keep -> 4 | swap -> 4
  4 W : any -> 4s
  4s other : keep -> 5 | swap -> 5
  5 B : any -> 5s
  5s other : keep -> PLAY | swap -> PLAY

pro
  1 P1 : K1 -> 2
  2 P2 : any -> 3
  3 P1 : out5 -> PLAY=P1

longpro
  1 P1 : K1 -> 2
  2 P2 : any -> 3
  3 P1 : out7 -> PLAY=P1
";

/// The rows of one regulation.
pub struct Sheet {
    pub name: &'static str,
    pub rows: Vec<Row>,
}

pub struct Row {
    pub state: &'static str,
    pub actor: &'static str,
    pub entries: Vec<Entry>,
}

pub struct Entry {
    pub kind: Kind,
    pub next: &'static str,
    /// The player who holds Black from there on, `P1` or `P2`, where the table says so.
    pub black: Option<&'static str>,
}

pub enum Kind {
    Stones { areas: Vec<Area>, declare: Option<usize> },
    Keep,
    Swap,
    Offer(Option<usize>),
    Choose,
}

/// Lowest and highest distance from the centre.
#[derive(Clone, Copy)]
pub struct Area(pub usize, pub usize);

impl Area {
    fn parse(text: &str) -> Area {
        let number = |digits: &str| digits.parse::<usize>().unwrap();
        match text.strip_prefix('K') {
            Some(digits) => Area(0, (number(digits) - 1) / 2),
            None if text == "any" => Area(0, 99),
            None => Area(number(text.strip_prefix("out").unwrap()).div_ceil(2), 99),
        }
    }
}

pub fn sheets() -> Vec<Sheet> {
    let mut sheets: Vec<Sheet> = Vec::new();
    for line in TABLE.lines().filter(|line| !line.trim().is_empty()) {
        match line.strip_prefix("  ") {
            None => sheets.push(Sheet { name: line.trim(), rows: Vec::new() }),
            Some(row) => sheets.last_mut().unwrap().rows.push(self::row(row)),
        }
    }
    sheets
}

fn row(line: &'static str) -> Row {
    let (head, entries) = line.split_once(':').unwrap();
    let (state, actor) = head.trim().split_once(' ').unwrap();
    let entry = |text: &'static str| {
        let (kind, next) = text.split_once("->").unwrap();
        let (next, black) = match next.trim().split_once('=') {
            Some((next, black)) => (next, Some(black)),
            None => (next.trim(), None),
        };
        Entry { kind: self::kind(kind.trim()), next, black }
    };
    Row { state, actor, entries: entries.split('|').map(entry).collect() }
}

fn kind(text: &str) -> Kind {
    match text {
        "keep" => Kind::Keep,
        "swap" => Kind::Swap,
        "choose" => Kind::Choose,
        _ => match text.strip_prefix("offer") {
            Some(number) => Kind::Offer(number.parse().ok()),
            None => {
                let (stones, declare) = match text.split_once('*') {
                    Some((stones, most)) => (stones, Some(most.parse().unwrap())),
                    None => (text, None),
                };
                Kind::Stones { areas: stones.split('+').map(Area::parse).collect(), declare }
            }
        },
    }
}
