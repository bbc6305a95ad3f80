// Pieces of pictures of boards: measures, the grid, marks, colours; and small pictures of whole positions.

import { el, svg } from './dom.js';
import { pointOf, stars } from './points.js';

/** @import { Color } from './schema.js' */

/** Distance of two lines in units of the picture. */
export const CELL = 40;
/** From the edge of the picture to the first line: at the left and below, where the coordinates are, and elsewhere. */
export const [MARGIN, EDGE] = [44, 26];

/** The side of a board's picture. @param {number} size */
export function widthOf(size) {
    return MARGIN + EDGE + CELL * (size - 1);
}

/**
 * The place of a point in a board's picture.
 * @param {number} size
 * @param {number} x
 * @param {number} y
 * @returns {[number, number]}
 */
export function placeAt(size, x, y) {
    return [MARGIN + CELL * x, EDGE + CELL * (size - 1 - y)];
}

/** The wood, the lines with their coordinates, and the marked crossings. @param {number} size */
export function grid(size) {
    const width = widthOf(size);
    /** @type {Element[]} */
    const parts = [svg('rect', { class: 'wood', x: 0, y: 0, width, height: width, rx: 8 })];
    for (let i = 0; i < size; i++) {
        const edge = i === 0 || i === size - 1 ? ' edge' : '';
        const [x, bottom] = placeAt(size, i, 0);
        const [left, y] = placeAt(size, 0, i);
        const [right, top] = placeAt(size, size - 1, size - 1);
        parts.push(svg('line', { class: `line${edge}`, x1: x, y1: bottom, x2: x, y2: top }));
        parts.push(svg('line', { class: `line${edge}`, x1: left, y1: y, x2: right, y2: y }));
        const letter = String.fromCharCode(97 + i);
        parts.push(svg('text', { class: 'coordinate', x, y: bottom + 33 }, letter));
        parts.push(svg('text', { class: 'coordinate', x: left - 28, y: y + 5 }, String(i + 1)));
    }
    for (const { x, y } of stars(size)) {
        const [cx, cy] = placeAt(size, x, y);
        parts.push(svg('circle', { class: 'star', cx, cy, r: 4.2 }));
    }
    return parts;
}

/** The shapes of marks around their points. @type {Record<string, string>} */
export const SHAPES = {
    triangle: 'M0 -9 L8.5 6 L-8.5 6 Z',
    square: 'M-7 -7 H7 V7 H-7 Z',
    circle: 'M-8 0 A8 8 0 1 0 8 0 A8 8 0 1 0 -8 0 Z',
    cross: 'M-7 -7 L7 7 M7 -7 L-7 7',
    selected: 'M0 -9 L9 0 L0 9 L-9 0 Z',
};

/** The colours of stones, which the picture refers to. */
export function definitions() {
    const gradient = (/** @type {string} */ id, /** @type {[number, string][]} */ stops) => {
        const parts = stops.map(([offset, color]) => svg('stop', { offset, 'stop-color': color }));
        return svg('radialGradient', { id, cx: 0.36, cy: 0.3, r: 0.78 }, ...parts);
    };
    return svg(
        'defs',
        {},
        gradient('black', [
            [0, '#6d6d75'],
            [0.55, '#26262b'],
            [1, '#09090b'],
        ]),
        gradient('white', [
            [0, '#ffffff'],
            [0.7, '#f1efe9'],
            [1, '#c9c5ba'],
        ]),
    );
}

/**
 * The share of the colour scale for a candidate that is worth this much beside the best one.
 * @param {number} rate
 * @param {number} best
 */
export function shade(rate, best) {
    return 1 - Math.min(1, 5 * Math.max(0, best - rate));
}

/**
 * A small picture of a position, for lists.
 * @param {number} size
 * @param {{ point: string, color: Color }[]} stones
 * @param {string} label
 * @param {number} [around] show only this number of lines about the centre
 */
export function miniature(size, stones, label, around = size) {
    const from = Math.floor((size - around) / 2);
    const at = (/** @type {number} */ n) => 6 + 10 * (n - from);
    const end = 12 + 10 * (around - 1);
    const lines = [];
    for (let i = from; i < from + around; i++) {
        lines.push(svg('line', { class: 'line', x1: at(i), y1: 6, x2: at(i), y2: end - 6 }));
        lines.push(svg('line', { class: 'line', x1: 6, y1: at(i), x2: end - 6, y2: at(i) }));
    }
    const circles = stones.map(({ point, color }) => {
        const { x, y } = pointOf(point);
        return svg('circle', { class: `small ${color}`, cx: at(x), cy: end - at(y), r: 4.6 });
    });
    const wood = svg('rect', { class: 'wood', x: 0, y: 0, width: end, height: end, rx: 2 });
    const picture = svg('svg', { viewBox: `0 0 ${end} ${end}`, role: 'img', 'aria-label': label }, wood, ...lines);
    picture.append(...circles);
    return el('span', { class: 'miniature' }, picture);
}
