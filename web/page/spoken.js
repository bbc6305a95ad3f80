// Texts for the ear: points of the board, places in a game. Pure functions.

import { comment } from './game.js';
import { fouls } from './words.js';

/** @import { Node } from './game.js' */
/** @import { View } from './view.js' */

/** What the colours of spots mean; others are said by their texts. @type {Record<string, string>} */
const SPOTS = {
    stop: 'stops the threat',
    chosen: 'chosen',
    offered: 'offered as stone 5',
    'put-black': 'chosen for a black stone',
    'put-white': 'chosen for a white stone',
};

/**
 * Describes a point in words: everything that the board shows there.
 * @param {View} view
 * @param {string} point
 */
export function describe(view, point) {
    const isHere = (/** @type {{ point: string }} */ item) => item.point === point;
    const stone = view.stones.get(point);
    const parts = [point, stone ? stone.color : 'empty'];
    if (stone?.number) parts.push(`move ${stone.number}`);
    if (view.row.includes(point)) parts.push('in the winning row');
    const foul = view.fouls.find(isHere);
    if (foul) parts.push(`forbidden for black: ${fouls(foul.kinds)}`);
    if (view.falseFouls.includes(point)) parts.push('allowed: it only looks like a double three');
    if (view.zone.includes(point)) parts.push('in the zone of this step');
    for (const { mark } of view.marks.filter(isHere)) parts.push(`marked: ${mark}`);
    for (const { text } of view.labels.filter(isHere)) parts.push(`label ${text}`);
    const candidate = view.heat.find(isHere);
    if (candidate) parts.push(`value ${candidate.text}`);
    for (const { text, tone } of view.spots.filter(isHere)) {
        const said = SPOTS[tone] ?? text;
        if (said) parts.push(said);
    }
    return parts.join(', ');
}

/**
 * Describes a place in a game: its move, which of several variations it is, and whether it has a comment.
 * @param {Node} node
 */
export function placed(node) {
    const { parent, color, move, number } = node;
    const parts = move ? [`${color} ${move}`, `move ${number}`] : [parent ? 'no move' : 'the start'];
    const variations = parent?.children ?? [];
    if (variations.length > 1) parts.push(`variation ${variations.indexOf(node) + 1} of ${variations.length}`);
    if (comment(node)) parts.push('with a comment');
    return parts.join(', ');
}
