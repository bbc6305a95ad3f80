// The position in the address: `#pos=h8h9&rule=renju&size=15`. Pure functions.

import { isSize, RULES, USUAL_SIZE } from './rules.js';

/** @import { Rule } from './schema.js' */

/**
 * A position in an address.
 * @typedef {{ text: string, rule: Rule, size: number }} Link its text has moves or rows of stones
 */

/**
 * Whether two addresses hold the same position.
 * @param {Link} one
 * @param {Link | null} two
 */
export function isSame(one, two) {
    return one.text === two?.text && one.rule === two.rule && one.size === two.size;
}

/** @param {Link} link */
export function hashOf({ text, rule, size }) {
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
    const size = Number(parts.get('size') ?? USUAL_SIZE);
    return { text, rule, size: isSize(size) ? size : USUAL_SIZE };
}
