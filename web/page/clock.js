// Clocks of a game: time for each move, or for the game with an increment. Pure functions; the caller reads the time.

/** @import { Clock } from './schema.js' */

/**
 * The timing of a game: `none`, seconds for each move, or minutes for the game and seconds added after each move.
 * @typedef {{ kind: 'none' } | { kind: 'move', ms: number } | { kind: 'game', ms: number, increment: number }} Timing
 */

/** Time of a move of the engine in a game without clocks. */
const UNTIMED = 5000;

/**
 * Returns the time left after a move of this length; 0 if the time was not enough.
 * @param {Timing} timing
 * @param {number} left
 * @param {number} used
 */
export function after(timing, left, used) {
    if (timing.kind === 'none') return Infinity;
    const rest = Math.max(0, left - used);
    if (rest === 0) return 0;
    return timing.kind === 'move' ? timing.ms : rest + timing.increment;
}

/**
 * Returns the clock that the engine may use.
 * @param {Timing} timing
 * @param {number} left
 * @returns {Clock}
 */
export function forEngine(timing, left) {
    if (timing.kind === 'none') return { type: 'move', ms: UNTIMED };
    // The answer travels, too: a little is kept back.
    if (timing.kind === 'move') return { type: 'move', ms: Math.max(50, Math.round(left * 0.95 - 50)) };
    const kept = Math.min(500, left / 10);
    return { type: 'game', left: Math.max(20, Math.round(left - kept)), increment: timing.increment };
}

/** Writes a time as clocks show it: `12:34`, and tenths below ten seconds. @param {number} ms */
export function format(ms) {
    if (!Number.isFinite(ms)) return '';
    if (ms < 10_000) return (Math.max(0, ms) / 1000).toFixed(1);
    const seconds = Math.ceil(ms / 1000);
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
