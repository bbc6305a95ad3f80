// The rules and the sizes of boards that the page offers.

/** @import { Rule } from './schema.js' */

/** @type {Rule[]} */
export const RULES = ['renju', 'freestyle', 'standard', 'caro', 'caro6'];

/** Sides of the smallest and the largest board, and of the usual one. */
export const [LEAST_SIZE, GREATEST_SIZE, USUAL_SIZE] = [5, 22, 15];

/** @param {number} size */
export function isSize(size) {
    return Number.isInteger(size) && size >= LEAST_SIZE && size <= GREATEST_SIZE;
}
