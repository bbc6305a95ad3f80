// The contents of the board's picture, as the board is told them.

/** @import { Color } from './schema.js' */

/** @typedef {{ point: string, color: Color, text: string }} Ghost a stone of a line of play, with its number */
/** @typedef {{ point: string, text: string, tone: string }} Spot a point that stands out */

/**
 * The contents of the board's picture.
 * @typedef {object} View
 * @property {number} size
 * @property {Map<string, { color: Color, number: number }>} stones
 * @property {string | null} last
 * @property {boolean} numbers
 * @property {Color | null} side who moves; `null` when nobody does
 * @property {Color | null} hand the colour of the stones that clicks put while a position is set up; `null` in a game
 * @property {{ point: string, kinds: string[] }[]} fouls
 * @property {string[]} falseFouls points that only look like double threes
 * @property {string[]} row the winning row
 * @property {{ point: string, share: number, text: string, best: boolean }[]} heat
 * @property {{ point: string, text: string }[]} labels
 * @property {{ point: string, mark: string }[]} marks
 * @property {string[]} zone points where a stone may be put; empty if anywhere
 * @property {Spot[]} spots
 */

/** The contents of an empty board. @returns {View} */
export function emptyView() {
    return {
        size: 15,
        stones: new Map(),
        last: null,
        numbers: true,
        side: 'black',
        hand: null,
        fouls: [],
        falseFouls: [],
        row: [],
        heat: [],
        labels: [],
        marks: [],
        zone: [],
        spots: [],
    };
}
