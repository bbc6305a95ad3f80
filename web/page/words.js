// Texts about moves and positions: pure functions.

/** @import { Value } from './game.js' */
/** @import { Color, Line } from './schema.js' */

/** The kinds of fouls. @type {Record<string, string>} */
const FOULS = { 6: 'overline', 44: 'double four', 33: 'double three' };

/** The ways in which wins are made and proven. @type {Record<string, string>} */
const MEANS = { vcf: 'by fours', vct: 'by threats', search: 'by search' };

/** The judgements of moves that lose much. */
const GRAVE = ['mistake', 'blunder', 'missed_win', 'forbidden'];

/** The kinds of a foul. @param {string[]} kinds */
export function fouls(kinds) {
    return kinds.map((kind) => FOULS[kind] ?? kind).join(' and ');
}

/** The way in which a win is made or was proven. @param {string} means */
export function by(means) {
    return MEANS[means] ?? means;
}

/** Whether a judgement is of a move that loses much. @param {string | undefined} verdict */
export function isGrave(verdict) {
    return verdict !== undefined && GRAVE.includes(verdict);
}

/** The judgement of a move. @param {string} verdict */
export function judgement(verdict) {
    return verdict.replace('_', ' ');
}

/** A text that begins with a capital letter. @param {string} text */
export function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A count in few characters. @param {number} n */
export function short(n) {
    if (n < 10_000) return String(n);
    if (n < 10_000_000) return `${(n / 1000).toFixed(0)} k`;
    return `${(n / 1_000_000).toFixed(n < 100_000_000 ? 1 : 0)} M`;
}

/** The score of a line, for the side that moves. @param {Line} line */
export function worth(line) {
    if (line.mate === null) return `${(100 * line.win_rate).toFixed(1)} %`;
    return line.mate > 0 ? `wins in ${line.mate}` : `loses in ${-line.mate}`;
}

/** The same in few characters, for a point of the board. @param {Line} line */
export function worthShort({ mate, win_rate: rate }) {
    if (mate === null) return String(Math.round(100 * rate));
    return mate > 0 ? `+${mate}` : `−${-mate}`;
}

/**
 * Which side is better. After the move that wins no ply is left, so that only Black's share says who has won.
 * @param {Pick<Value, 'black' | 'mate'>} value
 */
export function standing({ black, mate }) {
    if (mate === null) return `Black ${Math.round(100 * black)} %`;
    const winner = black > 0.5 ? 'black' : 'white';
    return mate === 0 ? `${winner} has won` : `${winner} wins in ${Math.abs(mate)}`;
}

/**
 * A move of the engine.
 * @param {Color | null} color
 * @param {{ move: string, book: boolean }} moved
 */
export function moved(color, { move, book }) {
    return `${color} ${move}${book ? ', from the book' : ''}`;
}

/**
 * A number of things: `1 move`, `2 moves`.
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export function count(n, one, many = `${one}s`) {
    return `${n} ${n === 1 ? one : many}`;
}
