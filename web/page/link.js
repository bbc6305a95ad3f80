// The position in the address: `#pos=h8h9&rule=renju&size=15`. Pure functions.

/** @import { Rule } from './schema.js' */

/** @type {Rule[]} */
export const RULES = ['renju', 'freestyle', 'standard', 'caro', 'caro6'];

/** @typedef {{ text: string, rule: Rule, size: number }} Link A position in an address */

/**
 * Whether two addresses hold the same position.
 * @param {Link} one
 * @param {Link | null} two
 */
export function isSame(one, two) {
    return one.text === two?.text && one.rule === two.rule && one.size === two.size;
}

/**
 * @param {string} text the position, as moves or rows of stones
 * @param {Rule} rule
 * @param {number} size
 */
export function hashOf(text, rule, size) {
    // Slashes and blanks are allowed behind #, but some programs cut an address at a blank.
    const position = encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%20', '+');
    return `#pos=${position}&rule=${rule}&size=${size}`;
}

/**
 * @param {string} hash
 * @returns {Link | null} `null` if it holds no position
 */
export function parseHash(hash) {
    const parts = new URLSearchParams(hash.replace(/^#/, ''));
    const text = parts.get('pos');
    if (text === null) return null;
    const rule = RULES.find((rule) => rule === parts.get('rule')) ?? 'renju';
    const size = Number(parts.get('size') ?? 15);
    return { text, rule, size: Number.isInteger(size) && size >= 5 && size <= 22 ? size : 15 };
}
