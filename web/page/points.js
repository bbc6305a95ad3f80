// Points by name: `h8` is column h from the left, row 8 from the bottom.

/** @typedef {{ x: number, y: number }} Point column from the left and row from the bottom, both from 0 */

/** @param {number} x @param {number} y */
export function nameOf(x, y) {
    return String.fromCharCode(97 + x) + (y + 1);
}

/** @param {string} name @returns {Point} */
export function pointOf(name) {
    return { x: name.charCodeAt(0) - 97, y: Number(name.slice(1)) - 1 };
}

/**
 * Whether a name is a point of a board.
 * @param {string} name
 * @param {number} size
 */
export function isPoint(name, size) {
    if (!/^[a-v][1-9][0-9]?$/.test(name)) return false;
    const { x, y } = pointOf(name);
    return x < size && y < size;
}

/**
 * The marked crossings: five on the Renju board, nine on the Go board, and corresponding ones on other sizes from 13
 * on.
 * @param {number} size
 * @returns {Point[]}
 */
export function stars(size) {
    if (size < 13) return [];
    const [near, middle, far] = [3, (size - 1) / 2, size - 4];
    const points = [near, far].flatMap((x) => [near, far].map((y) => ({ x, y })));
    if (size % 2 === 1) points.push({ x: middle, y: middle });
    if (size % 2 === 1 && size >= 19) {
        for (const end of [near, far]) points.push({ x: end, y: middle }, { x: middle, y: end });
    }
    return points;
}

/**
 * @param {'black' | 'white'} color
 * @returns {'black' | 'white'}
 */
export function other(color) {
    return color === 'black' ? 'white' : 'black';
}
