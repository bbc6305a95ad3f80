// Generated from the Rust types of `web/src/schema`; do not edit. After a change there:
// UPDATE_SCHEMA=1 cargo test -p kagetsu-web schema

export const VERSION: 3;

export type Color = "black" | "white";

export type Rule = "freestyle" | "standard" | "renju" | "caro" | "caro6";

export type Ends = "plain" | "rif" | "gomocup";

export type Stone = { 
/**
 * The point.
 */
point: string, 
/**
 * The colour of the stone.
 */
color: Color, };

export type Position = { 
/**
 * Side length of the board, 5 to 22.
 */
size: number, 
/**
 * The rule.
 */
rule: Rule, 
/**
 * Setup stones, placed before the first move.
 */
setup: Array<Stone>, 
/**
 * Side that makes the first of the moves.
 */
first: Color, 
/**
 * The moves: points, or `pass`.
 */
moves: Array<string>, };

export type Clock = { "type": "move", 
/**
 * Milliseconds.
 */
ms: number, } | { "type": "game", 
/**
 * Milliseconds left.
 */
left: number, 
/**
 * Milliseconds added after each move.
 */
increment: number, };

export type Note = { "type": "setup", 
/**
 * The point.
 */
point: string, 
/**
 * The stone; `null` for none.
 */
color: Color | null, } | { "type": "side", 
/**
 * The colour.
 */
color: Color, } | { "type": "comment", 
/**
 * The text, its lines ended by `\n`.
 */
text: string, } | { "type": "board_text", 
/**
 * The text.
 */
text: string, } | { "type": "label", 
/**
 * The point.
 */
point: string, 
/**
 * The text.
 */
text: string, } | { "type": "mark", 
/**
 * The point.
 */
point: string, 
/**
 * The sign.
 */
mark: Mark, } | { "type": "marked" } | { "type": "start" } | { "type": "time", 
/**
 * Milliseconds.
 */
ms: number, } | { "type": "property", 
/**
 * The identifier.
 */
key: string, 
/**
 * The value.
 */
value: string, };

export type Mark = "triangle" | "square" | "circle" | "cross" | "selected";

export type Entry = { 
/**
 * The comment on the move.
 */
comment: string, 
/**
 * The value for Black and the sign of the move, by their SGF identifiers.
 */
properties: Array<[string, string]>, 
/**
 * The better line, which becomes a variation; empty if there was none.
 */
line: Array<string>, };

export type Node = { 
/**
 * The index of the parent among the nodes; `null` for the root alone, which comes first. Parents come before their
 * children, and children in their order.
 */
parent: number | null, 
/**
 * Side that moved; `null` where the node has no move.
 */
color: Color | null, 
/**
 * A point or `pass`; `null` where the node has no move.
 */
move: string | null, 
/**
 * The text written there.
 */
notes: Array<Note>, };

export type Game = { 
/**
 * Side length of the board.
 */
size: number, 
/**
 * The rule, if the file says it.
 */
rule: Rule | null, 
/**
 * The result, if the file says it: `black`, `white` or `draw`.
 */
result: string | null, 
/**
 * Setup stones, placed before the first move.
 */
setup: Array<Stone>, 
/**
 * Side that moves first.
 */
first: Color, 
/**
 * Facts about the game, by their SGF identifiers: `PB` and `PW` the players, `EV` the event, …
 */
properties: Array<[string, string]>, 
/**
 * The tree; the root first.
 */
nodes: Array<Node>, };

export type Request = { 
/**
 * The number of the request, which its answers carry; the page counts from 1.
 */
id: number, } & ({ "type": "facts", 
/**
 * The position.
 */
position: Position, 
/**
 * Ends of a game besides a row, a foul and a full board.
 */
ends: Ends, } | { "type": "explain", 
/**
 * The position.
 */
position: Position, 
/**
 * The empty point.
 */
point: string, } | { "type": "analyze", 
/**
 * The position.
 */
position: Position, 
/**
 * Number of lines wanted, 1 to 20.
 */
lines: number, 
/**
 * Milliseconds after which it ends by itself.
 */
ms: number | null, } | { "type": "solve", 
/**
 * The position.
 */
position: Position, 
/**
 * The side that wins; if it is not the side to move, the opponent passes first.
 */
attacker: Color, 
/**
 * Kind of the win.
 */
kind: SolveKind, } | { "type": "move", 
/**
 * The position.
 */
position: Position, 
/**
 * Ends of a game besides a row, a foul and a full board.
 */
ends: Ends, 
/**
 * Strength, 0 to 100.
 */
level: number, 
/**
 * The engine's time.
 */
clock: Clock, 
/**
 * Seed of the random choices among moves.
 */
seed: number, } | { "type": "offer_draw", 
/**
 * The position.
 */
position: Position, 
/**
 * Ends of a game besides a row, a foul and a full board.
 */
ends: Ends, 
/**
 * The engine's expected share of the points by the search of its last move; `null` if it has searched none.
 */
win_rate: number | null, } | { "type": "opening", 
/**
 * The regulation, as `soosorv:8`.
 */
regulation: string, 
/**
 * Side length of the board.
 */
size: number, 
/**
 * Actions so far, as written: `h8 h9 i9`, `keep`, `swap`, `offer g8 i7`, `choose g8 i10`, `h8 declare 3`.
 */
actions: Array<string>, } | { "type": "decide", 
/**
 * The regulation.
 */
regulation: string, 
/**
 * Side length of the board.
 */
size: number, 
/**
 * The rule that the game is played by.
 */
rule: Rule, 
/**
 * Actions so far.
 */
actions: Array<string>, 
/**
 * Strength, 0 to 100.
 */
level: number, 
/**
 * The engine's time.
 */
clock: Clock, 
/**
 * Seed of the random choices.
 */
seed: number, } | { "type": "load", 
/**
 * The file's name, whose extension says the format.
 */
name: string, 
/**
 * The content in base64.
 */
data: string, 
/**
 * Which game of several, from 0; `null` for the first one that can be shown.
 */
number: number | null, } | { "type": "save", 
/**
 * The game.
 */
game: Game, 
/**
 * The format, as `sgf`.
 */
format: string, 
/**
 * Whether to leave out parts that the format cannot store; otherwise they are an error.
 */
lossy: boolean, } | { "type": "picture", 
/**
 * The position.
 */
position: Position, 
/**
 * The format.
 */
format: PictureFormat, 
/**
 * Whether stones carry the numbers of their moves.
 */
numbers: boolean, 
/**
 * Texts on empty points.
 */
figures: Array<Figure>, } | { "type": "parse", 
/**
 * The text.
 */
text: string, 
/**
 * Side length of the board, where the text does not say it.
 */
size: number, 
/**
 * The rule.
 */
rule: Rule, } | { "type": "annotate", 
/**
 * The game.
 */
game: Game, 
/**
 * The rule.
 */
rule: Rule, 
/**
 * Ends of the game besides a row, a foul and a full board.
 */
ends: Ends, 
/**
 * Milliseconds for each position.
 */
ms: number, } | { "type": "write", 
/**
 * The game.
 */
game: Game, 
/**
 * The entries, each with the place of its node among the game's nodes.
 */
entries: Array<[number, Entry]>, } | { "type": "openings" } | { "type": "book", 
/**
 * The position.
 */
position: Position, } | { "type": "puzzles" } | { "type": "read_puzzles", 
/**
 * The file's name, whose extension says the format.
 */
name: string, 
/**
 * The content in base64.
 */
data: string, 
/**
 * The rule of positions that do not say theirs.
 */
rule: Rule, } | { "type": "try", 
/**
 * The position.
 */
position: Position, 
/**
 * Kind of the win.
 */
kind: SolveKind, } | { "type": "stop", 
/**
 * The number of that request.
 */
job: number, });

export type Ask = { "type": "facts", 
/**
 * The position.
 */
position: Position, 
/**
 * Ends of a game besides a row, a foul and a full board.
 */
ends: Ends, } | { "type": "explain", 
/**
 * The position.
 */
position: Position, 
/**
 * The empty point.
 */
point: string, } | { "type": "analyze", 
/**
 * The position.
 */
position: Position, 
/**
 * Number of lines wanted, 1 to 20.
 */
lines: number, 
/**
 * Milliseconds after which it ends by itself.
 */
ms: number | null, } | { "type": "solve", 
/**
 * The position.
 */
position: Position, 
/**
 * The side that wins; if it is not the side to move, the opponent passes first.
 */
attacker: Color, 
/**
 * Kind of the win.
 */
kind: SolveKind, } | { "type": "move", 
/**
 * The position.
 */
position: Position, 
/**
 * Ends of a game besides a row, a foul and a full board.
 */
ends: Ends, 
/**
 * Strength, 0 to 100.
 */
level: number, 
/**
 * The engine's time.
 */
clock: Clock, 
/**
 * Seed of the random choices among moves.
 */
seed: number, } | { "type": "offer_draw", 
/**
 * The position.
 */
position: Position, 
/**
 * Ends of a game besides a row, a foul and a full board.
 */
ends: Ends, 
/**
 * The engine's expected share of the points by the search of its last move; `null` if it has searched none.
 */
win_rate: number | null, } | { "type": "opening", 
/**
 * The regulation, as `soosorv:8`.
 */
regulation: string, 
/**
 * Side length of the board.
 */
size: number, 
/**
 * Actions so far, as written: `h8 h9 i9`, `keep`, `swap`, `offer g8 i7`, `choose g8 i10`, `h8 declare 3`.
 */
actions: Array<string>, } | { "type": "decide", 
/**
 * The regulation.
 */
regulation: string, 
/**
 * Side length of the board.
 */
size: number, 
/**
 * The rule that the game is played by.
 */
rule: Rule, 
/**
 * Actions so far.
 */
actions: Array<string>, 
/**
 * Strength, 0 to 100.
 */
level: number, 
/**
 * The engine's time.
 */
clock: Clock, 
/**
 * Seed of the random choices.
 */
seed: number, } | { "type": "load", 
/**
 * The file's name, whose extension says the format.
 */
name: string, 
/**
 * The content in base64.
 */
data: string, 
/**
 * Which game of several, from 0; `null` for the first one that can be shown.
 */
number: number | null, } | { "type": "save", 
/**
 * The game.
 */
game: Game, 
/**
 * The format, as `sgf`.
 */
format: string, 
/**
 * Whether to leave out parts that the format cannot store; otherwise they are an error.
 */
lossy: boolean, } | { "type": "picture", 
/**
 * The position.
 */
position: Position, 
/**
 * The format.
 */
format: PictureFormat, 
/**
 * Whether stones carry the numbers of their moves.
 */
numbers: boolean, 
/**
 * Texts on empty points.
 */
figures: Array<Figure>, } | { "type": "parse", 
/**
 * The text.
 */
text: string, 
/**
 * Side length of the board, where the text does not say it.
 */
size: number, 
/**
 * The rule.
 */
rule: Rule, } | { "type": "annotate", 
/**
 * The game.
 */
game: Game, 
/**
 * The rule.
 */
rule: Rule, 
/**
 * Ends of the game besides a row, a foul and a full board.
 */
ends: Ends, 
/**
 * Milliseconds for each position.
 */
ms: number, } | { "type": "write", 
/**
 * The game.
 */
game: Game, 
/**
 * The entries, each with the place of its node among the game's nodes.
 */
entries: Array<[number, Entry]>, } | { "type": "openings" } | { "type": "book", 
/**
 * The position.
 */
position: Position, } | { "type": "puzzles" } | { "type": "read_puzzles", 
/**
 * The file's name, whose extension says the format.
 */
name: string, 
/**
 * The content in base64.
 */
data: string, 
/**
 * The rule of positions that do not say theirs.
 */
rule: Rule, } | { "type": "try", 
/**
 * The position.
 */
position: Position, 
/**
 * Kind of the win.
 */
kind: SolveKind, } | { "type": "stop", 
/**
 * The number of that request.
 */
job: number, };

export type SolveKind = "vcf" | "vct";

export type PictureFormat = "png" | "svg";

export type Figure = { 
/**
 * The point.
 */
point: string, 
/**
 * The text.
 */
text: string, };

export type Reply = { 
/**
 * The number of the request that it answers; 0 for the welcome, and for a message whose number could not be read.
 */
id: number, } & ({ "type": "welcome" } & Welcome | { "type": "facts" } & Facts | { "type": "explanation" } & Explanation | { "type": "queued", 
/**
 * Jobs that come before this one.
 */
ahead: number, } | { "type": "study" } & Study | { "type": "proof" } & Proof | { "type": "moved", 
/**
 * A point or `pass`.
 */
move: string, 
/**
 * The engine's expected share of the points; `null` where nothing was searched.
 */
win_rate: number | null, 
/**
 * Plies to a proven end, negative if the engine loses.
 */
mate: number | null, 
/**
 * Whether the move is from the opening book.
 */
book: boolean, 
/**
 * Milliseconds used.
 */
ms: number, } | { "type": "draw", 
/**
 * Whether it does.
 */
accepted: boolean, } | { "type": "opening" } & Opening | { "type": "decided", 
/**
 * The action as text, as in requests.
 */
action: string, 
/**
 * The choices compared, each with its expected share of the points for the engine, best first.
 */
reasons: Array<[string, number | null]>, 
/**
 * Milliseconds used.
 */
ms: number, } | { "type": "loaded" } & Loaded | { "type": "file", 
/**
 * The usual extension.
 */
extension: string, 
/**
 * The type of its content.
 */
mime: string, 
/**
 * The content in base64.
 */
data: string, 
/**
 * Parts that were left out.
 */
left_out: Array<string>, } | { "type": "position", 
/**
 * The position.
 */
position: Position, } | { "type": "judged" } & Judged | { "type": "written", 
/**
 * The game.
 */
game: Game, } | { "type": "openings", 
/**
 * In the order of their codes.
 */
openings: Array<NamedOpening>, } | { "type": "book", 
/**
 * The entry; `null` if the book does not have the position.
 */
entry: BookEntry | null, } | { "type": "puzzles", 
/**
 * The sets.
 */
sets: Array<PuzzleSet>, } | { "type": "trial" } & Trial | { "type": "done" } | { "type": "error", 
/**
 * One sentence.
 */
message: string, });

export type Tell = { "type": "welcome" } & Welcome | { "type": "facts" } & Facts | { "type": "explanation" } & Explanation | { "type": "queued", 
/**
 * Jobs that come before this one.
 */
ahead: number, } | { "type": "study" } & Study | { "type": "proof" } & Proof | { "type": "moved", 
/**
 * A point or `pass`.
 */
move: string, 
/**
 * The engine's expected share of the points; `null` where nothing was searched.
 */
win_rate: number | null, 
/**
 * Plies to a proven end, negative if the engine loses.
 */
mate: number | null, 
/**
 * Whether the move is from the opening book.
 */
book: boolean, 
/**
 * Milliseconds used.
 */
ms: number, } | { "type": "draw", 
/**
 * Whether it does.
 */
accepted: boolean, } | { "type": "opening" } & Opening | { "type": "decided", 
/**
 * The action as text, as in requests.
 */
action: string, 
/**
 * The choices compared, each with its expected share of the points for the engine, best first.
 */
reasons: Array<[string, number | null]>, 
/**
 * Milliseconds used.
 */
ms: number, } | { "type": "loaded" } & Loaded | { "type": "file", 
/**
 * The usual extension.
 */
extension: string, 
/**
 * The type of its content.
 */
mime: string, 
/**
 * The content in base64.
 */
data: string, 
/**
 * Parts that were left out.
 */
left_out: Array<string>, } | { "type": "position", 
/**
 * The position.
 */
position: Position, } | { "type": "judged" } & Judged | { "type": "written", 
/**
 * The game.
 */
game: Game, } | { "type": "openings", 
/**
 * In the order of their codes.
 */
openings: Array<NamedOpening>, } | { "type": "book", 
/**
 * The entry; `null` if the book does not have the position.
 */
entry: BookEntry | null, } | { "type": "puzzles", 
/**
 * The sets.
 */
sets: Array<PuzzleSet>, } | { "type": "trial" } & Trial | { "type": "done" } | { "type": "error", 
/**
 * One sentence.
 */
message: string, };

export type Welcome = { 
/**
 * The version of the messages.
 */
version: number, 
/**
 * The version of the program.
 */
program: string, 
/**
 * Threads that the engine uses.
 */
threads: number, 
/**
 * Formats of game files.
 */
formats: Array<string>, 
/**
 * The opening regulations.
 */
regulations: Array<RegulationName>, 
/**
 * Bytes of the longest message that the server takes.
 */
longest: number, 
/**
 * The file that the program was started with.
 */
opened: Loaded | null, 
/**
 * Random id of this start of the program, by which the page shows a file only once.
 */
start: string, };

export type RegulationName = { 
/**
 * Name in requests, with the usual number.
 */
name: string, 
/**
 * Name for the user.
 */
title: string, 
/**
 * Description in a sentence.
 */
about: string, 
/**
 * Whether it is played under Renju.
 */
renju: boolean, };

export type Ended = { 
/**
 * In words.
 */
text: string, 
/**
 * The winner; `null` for a draw.
 */
winner: Color | null, 
/**
 * The winning row.
 */
row: Array<string>, };

export type Foul = { 
/**
 * The point.
 */
point: string, 
/**
 * The kinds: `6`, `44`, `33`.
 */
kinds: Array<string>, };

export type Facts = { 
/**
 * Side to move.
 */
side: Color, 
/**
 * Points forbidden to Black, whoever is to move.
 */
fouls: Array<Foul>, 
/**
 * Points that only look like double threes.
 */
false_fouls: Array<string>, 
/**
 * End of the game, if it has ended.
 */
ended: Ended | null, 
/**
 * Whether the side to move may pass.
 */
may_pass: boolean, 
/**
 * Whether the players may agree on a draw.
 */
may_agree: boolean, 
/**
 * The code and name of the Renju opening.
 */
opening: [string, string] | null, 
/**
 * The position as text: moves, or rows of stones.
 */
text: string, };

export type Row = { 
/**
 * The line's direction in words.
 */
direction: string, 
/**
 * The stones.
 */
stones: Array<string>, };

export type Four = { 
/**
 * The line's direction in words.
 */
direction: string, 
/**
 * The stones.
 */
stones: Array<string>, 
/**
 * Points that complete the five.
 */
completions: Array<string>, };

export type Three = { 
/**
 * The line's direction in words.
 */
direction: string, 
/**
 * The stones.
 */
stones: Array<string>, 
/**
 * The points of the straight four.
 */
extensions: Array<Extension>, 
/**
 * Whether the three is real; `null` if it was not checked.
 */
real: boolean | null, };

export type Extension = { 
/**
 * The point.
 */
point: string, 
/**
 * Whether it makes the three real.
 */
extends: boolean, 
/**
 * Judgement of a stone there by the rule; `null` if it was not asked for.
 */
reason: Explanation | null, };

export type Explanation = { 
/**
 * The point.
 */
point: string, 
/**
 * `five`, `legal`, or `foul` with its kinds.
 */
verdict: string, 
/**
 * Exact fives; if there are any, nothing else is listed.
 */
fives: Array<Row>, 
/**
 * Rows of six and more.
 */
overlines: Array<Row>, 
/**
 * Fours.
 */
fours: Array<Four>, 
/**
 * Threes, real or false.
 */
threes: Array<Three>, 
/**
 * Whether the threes were not examined, because an explanation examines 500 points at most.
 */
cut: boolean, };

export type Line = { 
/**
 * In the engine's units.
 */
score: number, 
/**
 * Expected share of the points, 0 to 1.
 */
win_rate: number, 
/**
 * Plies to a proven end, negative when losing.
 */
mate: number | null, 
/**
 * The moves; `-` stands for any reply.
 */
moves: Array<string>, };

export type Threat = { 
/**
 * Plies up to the five.
 */
length: number, 
/**
 * Its moves, the opponent's first.
 */
line: Array<string>, 
/**
 * The moves that stop it.
 */
stops: Array<string>, 
/**
 * Whether these are all.
 */
complete: boolean, };

export type AtWork = { 
/**
 * The depth of the iteration.
 */
depth: number, 
/**
 * The move's number in it.
 */
number: number, 
/**
 * The move.
 */
point: string, };

export type Study = { 
/**
 * The best lines.
 */
lines: Array<Line>, 
/**
 * Source of the proof: `vcf`, `vct`, `search`.
 */
proven: string | null, 
/**
 * Threats of the opponent.
 */
threat: Threat | null, 
/**
 * Depth finished.
 */
depth: number, 
/**
 * Selective depth: the longest line searched, in plies.
 */
seldepth: number, 
/**
 * Moves made on the engine's boards.
 */
nodes: number, 
/**
 * Moves a second.
 */
nps: number, 
/**
 * Milliseconds.
 */
ms: number, 
/**
 * Work that the engine is doing.
 */
at_work: AtWork | null, 
/**
 * Whether there are no search results yet.
 */
is_static: boolean, 
/**
 * Share of the table filled, in thousandths.
 */
hash_permille: number | null, };

export type Turn = { 
/**
 * The attacker's move.
 */
move: string, 
/**
 * Whether it makes a five.
 */
five: boolean, 
/**
 * Plies from here to the five.
 */
length: number, 
/**
 * Replies with an answer of their own.
 */
replies: Array<TurnReply>, 
/**
 * Index of the turn that answers every reply not listed; `null` if the attacker makes a five at once, or if that turn
 * was left out.
 */
otherwise: number | null, 
/**
 * Whether answers to some replies were left out.
 */
cut: boolean, };

export type TurnReply = { 
/**
 * The defender's move.
 */
move: string, 
/**
 * Index of the turn that answers it.
 */
answer: number, };

export type Proof = { 
/**
 * Whether there is a win: `win`, `no_win`, or `unknown` where a limit was reached.
 */
result: string, 
/**
 * Plies up to the five when the defender holds out longest.
 */
length: number, 
/**
 * The turns, the first one first; indices point only to later turns.
 */
turns: Array<Turn>, 
/**
 * Whether turns were left out because there are too many.
 */
cut: boolean, };

export type Zone = { 
/**
 * In words.
 */
text: string, 
/**
 * The points.
 */
points: Array<string>, };

export type Choice = { "type": "place", 
/**
 * In words.
 */
text: string, 
/**
 * The number of the first stone.
 */
first: number, 
/**
 * Points for each stone.
 */
zones: Array<Zone>, 
/**
 * The largest number of fifth moves that must be declared with them.
 */
declare: number | null, } | { "type": "keep" } | { "type": "swap" } | { "type": "offer", 
/**
 * In words.
 */
text: string, 
/**
 * Number of points to offer.
 */
count: number, 
/**
 * The classes of points that count as one.
 */
classes: Array<Array<string>>, } | { "type": "choose", 
/**
 * In words.
 */
text: string, 
/**
 * The points offered.
 */
fifths: Array<string>, };

export type Opening = { 
/**
 * The stones so far, Black's first.
 */
moves: Array<string>, 
/**
 * Player who acts, or moves when the opening is over: 1 is the one who began as Black, 2 the other.
 */
seat: number, 
/**
 * Player who holds Black: 1 or 2.
 */
black: number, 
/**
 * Whether the game goes on with free moves.
 */
over: boolean, 
/**
 * Legal actions.
 */
choices: Array<Choice>, 
/**
 * The points offered for the fifth stone.
 */
offered: Array<string>, 
/**
 * The number of fifth moves that was declared.
 */
declared: number | null, };

export type Summary = { 
/**
 * Index in the file, from 0.
 */
number: number, 
/**
 * Players, event, date, as far as the file says them.
 */
title: string, 
/**
 * Moves of the main line.
 */
moves: number, };

export type Loaded = { 
/**
 * The file's name.
 */
name: string, 
/**
 * The format it was read as.
 */
format: string, 
/**
 * All games, if there are several.
 */
games: Array<Summary>, 
/**
 * The games that cannot be shown, each with its number from 1 and the reason.
 */
left_out: Array<string>, 
/**
 * Whether the file has more games than are listed.
 */
more: boolean, 
/**
 * Index of this game in the file.
 */
number: number, 
/**
 * The game asked for.
 */
game: Game, };

export type Assessments = { 
/**
 * The table of the Russian encyclopedia article and its translations.
 */
rif: string, 
/**
 * The English encyclopedia article.
 */
english: string, 
/**
 * The Chinese encyclopedia article.
 */
chinese: string, };

export type NamedOpening = { 
/**
 * `D1` to `I13`.
 */
code: string, 
/**
 * The Japanese name in Latin letters.
 */
name: string, 
/**
 * The Japanese name.
 */
kanji: string, 
/**
 * Meaning.
 */
english: string, 
/**
 * The three moves.
 */
moves: Array<string>, 
/**
 * Published assessments.
 */
assessments: Assessments, };

export type BookMove = { 
/**
 * The point.
 */
point: string, 
/**
 * In the engine's units, from the side to move's view.
 */
score: number, 
/**
 * Expected share of the points.
 */
win_rate: number, 
/**
 * Whether a longer search confirmed the move.
 */
agreed: boolean, };

export type BookEntry = { 
/**
 * Depth of the search that judged the position.
 */
depth: number, 
/**
 * Whether the score is proven.
 */
proven: boolean, 
/**
 * The moves, best first.
 */
moves: Array<BookMove>, };

export type Puzzle = { 
/**
 * Its name in the set.
 */
id: string, 
/**
 * The position, with the solver to move.
 */
position: Position, 
/**
 * `vcf` or `vct`.
 */
kind: SolveKind, 
/**
 * Plies of the shortest known win, if one is known.
 */
length: number | null, 
/**
 * Source of the puzzle.
 */
source: string, };

export type PuzzleSet = { 
/**
 * Title for the user.
 */
title: string, 
/**
 * Easier ones first; those of a file in its order.
 */
puzzles: Array<Puzzle>, };

export type Trial = { 
/**
 * `solved`: a five. `right`: the win is still there. `wrong`: it is gone. `unknown`: too hard to say in time.
 */
verdict: string, 
/**
 * The defender's reply: the longest defence to a right move, a refutation of a wrong one.
 */
reply: string | null, 
/**
 * Moves that refute a wrong one.
 */
refutations: Array<string>, 
/**
 * Plies left to the win, if it is proven.
 */
left: number | null, };

export type Judged = { 
/**
 * The place of the move's node among the nodes that were sent.
 */
node: number, 
/**
 * Positions evaluated so far, and the number of all positions.
 */
progress: [number, number], 
/**
 * `good`, `inaccuracy`, `mistake`, `blunder`, `missed_win`, `forbidden`; empty while only the progress is known.
 */
verdict: string, 
/**
 * Black's expected share of the points after the move.
 */
black: number, 
/**
 * Points lost, as a share of a game.
 */
loss: number, 
/**
 * Plies to a proven end after the move, positive if Black wins; 0 after the winning move.
 */
mate: number | null, 
/**
 * The best line instead of the move.
 */
best: Array<string>, 
/**
 * Entry for `write`; `null` while only the progress is known.
 */
entry: Entry | null, };
