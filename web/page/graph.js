// The course of a game: Black's expected score move by move, as a picture to click on.

import { line } from './game.js';
import { set, svg } from './dom.js';
import { isGrave } from './words.js';

/** @import { Node } from './game.js' */

const [WIDTH, HEIGHT] = [600, 110];

export class Graph {
    /** @type {Node[]} */
    #nodes = [];
    /** @type {(node: Node) => void} */
    onchoose = () => {};

    /** @param {HTMLElement} host */
    constructor(host) {
        this.host = host;
        this.picture = svg('svg', {
            viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
            preserveAspectRatio: 'none',
            class: 'graph',
            role: 'slider',
            tabindex: 0,
            'aria-label': 'Course of the game: moves',
        });
        this.area = svg('path', { class: 'graph-area' });
        this.curve = svg('path', { class: 'graph-curve' });
        this.here = svg('line', { class: 'graph-here', y1: 0, y2: HEIGHT });
        this.dots = svg('g', {});
        const middle = svg('line', { class: 'graph-middle', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 });
        this.picture.append(this.area, middle, this.curve, this.dots, this.here);
        host.append(this.picture);
        this.picture.addEventListener('click', (event) => this.#click(event));
        this.picture.addEventListener('keydown', (event) => this.#key(event));
    }

    /** @param {MouseEvent} event */
    #click(event) {
        const box = this.picture.getBoundingClientRect();
        const part = (event.clientX - box.left) / box.width;
        const node = this.#nodes[Math.round(part * (this.#nodes.length - 1))];
        if (node) this.onchoose(node);
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (!way) return;
        const at = this.#nodes.indexOf(/** @type {Node} */ (this.current));
        const node = this.#nodes[at + way];
        if (node) this.onchoose(node);
        event.preventDefault();
        event.stopPropagation();
    }

    /** @param {Node} current */
    show(current) {
        this.current = current;
        this.#nodes = line(current);
        const last = Math.max(this.#nodes.length - 1, 1);
        const x = (/** @type {number} */ i) => (WIDTH * i) / last;
        const y = (/** @type {number} */ share) => 4 + (HEIGHT - 8) * (1 - share);
        const known = this.#nodes.flatMap((node, i) => (node.value ? [{ i, value: node.value }] : []));
        const points = known.map(({ i, value }) => `${x(i).toFixed(1)} ${y(value.black).toFixed(1)}`);
        this.curve.setAttribute('d', points.length ? `M${points.join('L')}` : '');
        const ends = known.length ? [x(known[0].i), x(known[known.length - 1].i)] : [];
        const floor = HEIGHT / 2;
        this.area.setAttribute(
            'd',
            points.length > 1 ? `M${ends[0]} ${floor}L${points.join('L')}L${ends[1]} ${floor}Z` : '',
        );
        const at = this.#nodes.indexOf(current);
        set(this.here, { x1: x(at), x2: x(at) });
        this.dots.replaceChildren(
            ...known.flatMap(({ i, value }) => {
                // The picture is stretched: a dot is a short thick line, whose width is not.
                const d = `M${x(i)} ${y(value.black)}h0.01`;
                return isGrave(value.verdict) ? [svg('path', { class: `graph-dot ${value.verdict}`, d })] : [];
            }),
        );
        const value = current.value ? `, black ${Math.round(100 * current.value.black)} %` : '';
        set(this.picture, {
            'aria-valuemin': 0,
            'aria-valuemax': last,
            'aria-valuenow': at,
            'aria-valuetext': `move ${current.number}${value}`,
        });
        this.host.hidden = known.length === 0;
    }
}
