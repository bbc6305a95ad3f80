// A game in progress: its players, its clocks and its opening. This module does not touch the page.

import * as clocks from './clock.js';
import { property, withProperty } from './game.js';

/** @import { Color, Opening } from './schema.js' */
/** @import { Timing } from './clock.js' */
/** @import { Chosen } from './newgame.js' */

/** @typedef {1 | 2} Seat the player who began as Black, and the other */
/** @typedef {'human' | 'engine'} Player */

/**
 * A game in progress, in the form in which it is stored.
 * @typedef {object} Match
 * @property {Record<Seat, Player>} players
 * @property {number} level
 * @property {Timing} timing
 * @property {Record<Seat, number>} left milliseconds of each player
 * @property {Record<Seat, number>[]} before the same before each turn so far, for take back
 * @property {string} regulation empty for none
 * @property {string[]} actions what was done in the opening
 * @property {Seat[]} actors who did each of these
 * @property {Seat} black who holds Black
 * @property {string | null} over how it ended
 * @property {number} seed
 * @property {number | null} rate the engine's expected share of the points by the search of its last move
 */

/** The ways to time a game: key, text, and timing unless it is the user's own. @type {[string, string, Timing?][]} */
export const TIMINGS = [
    ['none', 'no clocks', { kind: 'none' }],
    ['m10', '10 s a move', { kind: 'move', ms: 10_000 }],
    ['m30', '30 s a move', { kind: 'move', ms: 30_000 }],
    ['g3', '3 min + 2 s', { kind: 'game', ms: 180_000, increment: 2000 }],
    ['g10', '10 min + 5 s', { kind: 'game', ms: 600_000, increment: 5000 }],
    ['g30', '30 min', { kind: 'game', ms: 1_800_000, increment: 0 }],
    ['own move', 'own: … s a move'],
    ['own game', 'own: … min + … s a move'],
];

/** The properties of a game that name its players. @type {Record<Color, string>} */
export const NAMES = { black: 'PB', white: 'PW' };
/** The beginning of the engine's names. */
const ENGINE = 'kagetsu level';

/**
 * The timing that was chosen.
 * @param {Pick<Chosen, 'timing' | 'minutes' | 'seconds'>} chosen
 * @returns {Timing}
 */
function timingOf({ timing, minutes = 0, seconds = 0 }) {
    if (timing === 'own move') return { kind: 'move', ms: 1000 * seconds };
    if (timing === 'own game') return { kind: 'game', ms: 60_000 * minutes, increment: 1000 * seconds };
    return TIMINGS.find(([key]) => key === timing)?.[2] ?? { kind: 'none' };
}

/**
 * Makes a match that has had no turn yet.
 * @param {Omit<Chosen, 'rule' | 'size' | 'ends'>} chosen
 * @param {number} seed
 * @returns {Match}
 */
export function newMatch({ players, level, regulation, ...timed }, seed) {
    const [first, second] = /** @type {Player[]} */ (players.split(' '));
    const timing = timingOf(timed);
    const left = timing.kind === 'none' ? Infinity : timing.ms;
    return {
        players: { 1: first, 2: second },
        level: Number(level),
        timing,
        left: { 1: left, 2: left },
        before: [],
        regulation,
        actions: [],
        actors: [],
        black: 1,
        over: null,
        seed,
        rate: null,
    };
}

/** Completes a match that was stored. @param {Match} match changed here */
export function restore(match) {
    // JSON has no infinity: a game without clocks comes back with null.
    if (match.timing.kind === 'none') match.left = { 1: Infinity, 2: Infinity };
}

/** Whether both players are people, or both are the engine. @param {Match} match */
export function areAlike({ players }) {
    return players[1] === players[2];
}

/** Whether the engine plays against itself. @param {Match} match */
export function isOfEngines({ players }) {
    return players[1] === 'engine' && players[2] === 'engine';
}

/**
 * The player who holds a colour.
 * @param {Match} match
 * @param {Color} color
 * @returns {Seat}
 */
export function seatOf({ black }, color) {
    return color === 'black' ? black : opposite(black);
}

/**
 * The other player.
 * @param {Seat} seat
 * @returns {Seat}
 */
export function opposite(seat) {
    return seat === 1 ? 2 : 1;
}

/**
 * The properties of a game with the names of the match's players. Names that the user has given stay.
 * @param {Match} match
 * @param {[string, string][]} properties
 */
export function withNames(match, properties) {
    let named = properties;
    for (const color of /** @type {Color[]} */ (['black', 'white'])) {
        const key = NAMES[color];
        const known = property({ properties: named }, key);
        if (known && !known.startsWith(ENGINE)) continue;
        const isEngine = match.players[seatOf(match, color)] === 'engine';
        const name = isEngine ? `${ENGINE} ${match.level}` : '';
        if (name !== known) named = withProperty(named, key, name);
    }
    return named;
}

/**
 * The colour that wins when this player has lost.
 * @param {Match} match
 * @param {Seat} seat
 * @returns {Color}
 */
export function winnerOver(match, seat) {
    return seatOf(match, 'black') === seat ? 'white' : 'black';
}

/**
 * The number of turns so far: the actions of the opening and the moves after it.
 * @param {Match} match
 * @param {Opening | null} opening the state of the opening, if it is known
 * @param {number} moves number of moves on the board
 */
export function turns({ regulation, actions }, opening, moves) {
    if (!regulation) return moves;
    return actions.length + (opening?.over ? moves - opening.moves.length : 0);
}

/**
 * Takes the time of a turn from the player's clock, and keeps how the clocks stood before it.
 * @param {Match} match changed here
 * @param {Seat} seat
 * @param {number} used milliseconds
 * @param {number} turn number of the turn, from 0
 * @returns {boolean} `false` if the time was not enough; the clocks are then unchanged
 */
export function spend(match, seat, used, turn) {
    const left = clocks.after(match.timing, match.left[seat], used);
    if (left <= 0) return false;
    match.before.length = turn;
    match.before.push(match.left);
    match.left = { ...match.left, [seat]: left };
    return true;
}

/**
 * Sets the clocks as they were before a turn, after moves were taken back.
 * @param {Match} match changed here
 * @param {number} turn number of the turn, from 0
 */
export function restoreClocks(match, turn) {
    if (match.timing.kind !== 'none') match.left = { ...match.before[turn] };
}

/** Whether the opening has an action that can be taken back. @param {Match} match */
export function mayTakeBackAction(match) {
    return lastOfPerson(match) >= 0;
}

/**
 * Takes back the last action of a person in the opening, and those of the engine after it.
 * @param {Match} match changed here
 */
export function takeBackAction(match) {
    const last = lastOfPerson(match);
    if (last < 0) return;
    match.actions = match.actions.slice(0, last);
    match.actors = match.actors.slice(0, last);
}

/**
 * The index of the last action of a person in the opening, or -1. If the engine plays both sides, its actions count.
 * @param {Match} match
 */
function lastOfPerson(match) {
    return match.actors.findLastIndex((seat) => areAlike(match) || match.players[seat] === 'human');
}

/**
 * Whose turn it is, in a sentence.
 * @param {Match} match
 * @param {Seat} seat the player to act, a person
 */
export function turnText(match, seat) {
    if (!areAlike(match)) return 'It is your turn.';
    return `It is the ${seat === 1 ? 'first' : 'second'} player’s turn.`;
}
