// The board as SVG: grid, stones, marks, fouls, candidates, lines of play; by mouse, touch, keyboard and ear.

import { el, keyed, svg } from './dom.js';
import { isPoint, nameOf, pointOf, stars } from './points.js';
import { fouls } from './words.js';

/** @import { Color } from './schema.js' */
/** @import { Point } from './points.js' */

/** Distance of two lines in units of the picture. */
const CELL = 40;
/** From the edge of the picture to the first line: at the left and below, where the coordinates are, and elsewhere. */
const [MARGIN, EDGE] = [44, 26];
/** Time for which a hint is shown, in milliseconds. */
const HINT_SHOWN = 2500;

/** @typedef {{ point: string, text: string, tone?: string, title?: string }} Label */
/** @typedef {{ point: string, color: Color, text: string }} Ghost */

/**
 * The contents of the board's picture.
 * @typedef {object} View
 * @property {number} size
 * @property {Map<string, { color: Color, number: number }>} stones
 * @property {string | null} last
 * @property {boolean} numbers
 * @property {Color | null} side who moves; `null` when nobody does
 * @property {{ point: string, kinds: string[] }[]} fouls
 * @property {string[]} row the winning row
 * @property {{ point: string, share: number, text: string, best: boolean }[]} heat
 * @property {Label[]} labels
 * @property {{ point: string, mark: string }[]} marks
 * @property {string[]} zone points where a stone may be put; empty if anywhere
 * @property {{ point: string, text: string, tone: string }[]} spots points that stand out
 */

/** The contents of an empty board. @returns {View} */
export function emptyView() {
    return {
        size: 15,
        stones: new Map(),
        last: null,
        numbers: true,
        side: 'black',
        fouls: [],
        row: [],
        heat: [],
        labels: [],
        marks: [],
        zone: [],
        spots: [],
    };
}

const LAYERS = /** @type {const} */ ([
    'grid',
    'zone',
    'heat',
    'marks',
    'fouls',
    'labels',
    'stones',
    'spots',
    'ghosts',
    'cursor',
]);

export class Board {
    #view = emptyView();
    #size = 0;
    /** @type {Record<string, { group: SVGGElement, kept: Map<string, Element> }>} */
    #layers = {};
    /** @type {Point | null} */
    #cursor = null;
    /** @type {string | null} */
    #hovered = null;
    /** A line of play that stays on the board: that of a proof. @type {Ghost[]} */
    #kept = [];
    /** A line of play that is shown in its place: while it is pointed at, or as a hint. @type {Ghost[]} */
    #line = [];
    /** The timer that ends a hint; `undefined` if the board shows none. @type {number | undefined} */
    #hint;
    /** @type {(point: string, event: MouseEvent | KeyboardEvent) => void} */
    onplay = () => {};
    /** @type {(point: string) => void} */
    onask = () => {};
    /** @type {(text: string) => void} */
    onsay = () => {};

    /** @param {HTMLElement} host */
    constructor(host) {
        this.host = host;
        this.picture = svg('svg', { 'aria-hidden': 'true', focusable: 'false' });
        host.append(this.picture);
        host.addEventListener('pointermove', (event) => this.#hover(event));
        host.addEventListener('pointerleave', () => this.#unhover());
        host.addEventListener('click', (event) => this.#click(event));
        host.addEventListener('contextmenu', (event) => this.#menu(event));
        host.addEventListener('keydown', (event) => this.#key(event));
        host.addEventListener('focus', () => this.#moveCursor(0, 0));
        host.addEventListener('blur', () => this.#layer('cursor').group.replaceChildren());
    }

    /** @param {string} name */
    #layer(name) {
        return this.#layers[name];
    }

    /**
     * @param {number} x
     * @param {number} y
     * @returns {[number, number]}
     */
    #at(x, y) {
        return [MARGIN + CELL * x, EDGE + CELL * (this.#size - 1 - y)];
    }

    /** @param {string} name */
    #of(name) {
        const { x, y } = pointOf(name);
        return this.#at(x, y);
    }

    /** @param {number} size */
    #rebuild(size) {
        this.#size = size;
        this.#cursor = null;
        const width = MARGIN + EDGE + CELL * (size - 1);
        this.picture.setAttribute('viewBox', `0 0 ${width} ${width}`);
        this.picture.replaceChildren(definitions());
        for (const name of LAYERS) {
            const group = svg('g', { class: `layer-${name}` });
            this.#layers[name] = { group, kept: new Map() };
            this.picture.append(group);
        }
        this.#layer('grid').group.append(...this.#grid(width));
    }

    /** @param {number} width */
    #grid(width) {
        const size = this.#size;
        /** @type {Element[]} */
        const parts = [svg('rect', { class: 'wood', x: 0, y: 0, width, height: width, rx: 8 })];
        for (let i = 0; i < size; i++) {
            const edge = i === 0 || i === size - 1 ? ' edge' : '';
            const [x, bottom] = this.#at(i, 0);
            const [left, y] = this.#at(0, i);
            const [right, top] = this.#at(size - 1, size - 1);
            parts.push(svg('line', { class: `line${edge}`, x1: x, y1: bottom, x2: x, y2: top }));
            parts.push(svg('line', { class: `line${edge}`, x1: left, y1: y, x2: right, y2: y }));
            const letter = String.fromCharCode(97 + i);
            parts.push(svg('text', { class: 'coordinate', x, y: bottom + 33 }, letter));
            parts.push(svg('text', { class: 'coordinate', x: left - 28, y: y + 5 }, String(i + 1)));
        }
        for (const { x, y } of stars(size)) {
            const [cx, cy] = this.#at(x, y);
            parts.push(svg('circle', { class: 'star', cx, cy, r: 4.2 }));
        }
        return parts;
    }

    /** @param {Partial<View>} change */
    show(change) {
        this.#view = { ...this.#view, ...change };
        const view = this.#view;
        if (view.size !== this.#size) this.#rebuild(view.size);
        this.#stones(view);
        this.#fouls(view);
        this.#signs(view);
        this.#heat(view);
        this.#ghosts();
        this.host.setAttribute('aria-label', this.#summary(view));
    }

    /** @param {View} view */
    #summary(view) {
        const last = view.last ? `, last move ${view.last}` : '';
        const side = view.side ? `, ${view.side} to move` : '';
        return `Board ${view.size} by ${view.size}, ${view.stones.size} stones${last}${side}`;
    }

    /** @param {View} view */
    #stones(view) {
        const { group, kept } = this.#layer('stones');
        const row = new Set(view.row);
        const items = [...view.stones].map(([point, stone]) => {
            const text = view.numbers && stone.number > 0 ? String(stone.number) : '';
            return /** @type {[string, any]} */ ([`${point}${stone.color}`, { point, ...stone, text }]);
        });
        keyed(
            group,
            kept,
            items,
            (stone) => this.#stone(stone.point, stone.color),
            (element, stone) => {
                const is = (/** @type {string} */ name, /** @type {boolean} */ on) =>
                    element.classList.toggle(name, on);
                is('last', stone.point === view.last);
                is('won', row.has(stone.point));
                const number = /** @type {Element} */ (element.lastElementChild);
                if (number.textContent !== stone.text) number.textContent = stone.text;
            },
        );
    }

    /**
     * @param {string} point
     * @param {Color} color
     */
    #stone(point, color) {
        const [x, y] = this.#of(point);
        return svg(
            'g',
            { class: `stone ${color}`, transform: `translate(${x} ${y})`, 'data-point': point },
            svg('circle', { class: 'shadow', cx: 1.5, cy: 2.5, r: 18.4 }),
            svg('circle', { class: 'body', r: 18.4, fill: `url(#${color})` }),
            svg('circle', { class: 'ring', r: 12.5 }),
            svg('text', { class: 'number', y: 5.2 }),
        );
    }

    /** @param {View} view */
    #fouls(view) {
        const { group, kept } = this.#layer('fouls');
        const items = view.fouls.map((foul) => {
            return /** @type {[string, any]} */ ([`${foul.point}${foul.kinds}`, foul]);
        });
        keyed(group, kept, items, (foul) => {
            const [x, y] = this.#of(foul.point);
            const kinds = /** @type {string[]} */ (foul.kinds);
            const step = 12;
            const top = -((kinds.length - 1) * step) / 2;
            const texts = kinds.map((kind, i) => svg('text', { y: top + i * step + 4.5 }, kind));
            const place = { class: 'foul', transform: `translate(${x} ${y})`, 'data-point': foul.point };
            return svg('g', place, svg('circle', { r: 14 }), ...texts);
        });
    }

    /** @param {View} view */
    #signs(view) {
        const zone = this.#layer('zone');
        keyed(
            zone.group,
            zone.kept,
            view.zone.map((point) => [point, point]),
            (point) => {
                const [x, y] = this.#of(point);
                return svg('rect', { class: 'zone', x: x - 20, y: y - 20, width: 40, height: 40 });
            },
        );
        const marks = this.#layer('marks');
        const items = view.marks.map((mark) => {
            const on = view.stones.get(mark.point)?.color ?? 'empty';
            return /** @type {[string, any]} */ ([`${mark.point}${mark.mark}${on}`, { ...mark, on }]);
        });
        // Marks on stones must be seen: they come after them.
        this.#layer('stones').group.after(marks.group);
        keyed(marks.group, marks.kept, items, (mark) => {
            const [x, y] = this.#of(mark.point);
            return svg('path', {
                class: `mark on-${mark.on}`,
                d: SHAPES[mark.mark] ?? SHAPES.circle,
                transform: `translate(${x} ${y})`,
            });
        });
        const labels = this.#layer('labels');
        this.#texts(
            labels,
            view.labels.map((label) => ({ ...label, tone: label.tone ?? 'label' })),
        );
        this.#texts(this.#layer('spots'), view.spots);
    }

    /**
     * @param {{ group: SVGGElement, kept: Map<string, Element> }} layer
     * @param {{ point: string, text: string, tone: string }[]} texts
     */
    #texts(layer, texts) {
        const seen = new Map(texts.map((item) => [`${item.point} ${item.tone} ${item.text}`, item]));
        keyed(layer.group, layer.kept, [...seen], (item) => {
            const [x, y] = this.#of(item.point);
            const short = item.text.length > 6 ? `${item.text.slice(0, 5)}…` : item.text;
            return svg(
                'g',
                { class: `spot ${item.tone}`, transform: `translate(${x} ${y})`, 'data-point': item.point },
                svg('circle', { r: item.text.length > 3 ? 17 : 14.5 }),
                svg('text', { y: 4.8, class: item.text.length > 3 ? 'long' : '' }, short),
            );
        });
    }

    /** @param {View} view */
    #heat(view) {
        const { group, kept } = this.#layer('heat');
        const items = this.#shown.length
            ? []
            : view.heat.map((candidate) => {
                  return /** @type {[string, any]} */ ([candidate.point, candidate]);
              });
        keyed(
            group,
            kept,
            items,
            (candidate) => {
                const [x, y] = this.#of(candidate.point);
                return svg(
                    'g',
                    { class: 'candidate', transform: `translate(${x} ${y})`, 'data-point': candidate.point },
                    svg('circle', { r: 16.5 }),
                    svg('text', { y: 4.6 }),
                );
            },
            (element, candidate) => {
                const hue = Math.round(8 + 130 * Math.max(0, Math.min(1, candidate.share)));
                const circle = /** @type {SVGElement} */ (element.firstElementChild);
                circle.style.fill = `hsl(${hue} 62% 52%)`;
                element.classList.toggle('best', candidate.best);
                const text = /** @type {Element} */ (element.lastElementChild);
                if (text.textContent !== candidate.text) text.textContent = candidate.text;
            },
        );
    }

    /** The line of play that is on the board. */
    get #shown() {
        return this.#line.length ? this.#line : this.#kept;
    }

    /**
     * Shows a line of play in place of the one that is kept on the board.
     * @param {Ghost[]} line empty to show that one again
     */
    showLine(line) {
        clearTimeout(this.#hint);
        this.#hint = undefined;
        this.#line = this.#inside(line);
        this.#lines();
    }

    /**
     * Keeps a line of play on the board, until another one is given.
     * @param {Ghost[]} line
     */
    keepLine(line) {
        this.#kept = this.#inside(line);
        this.#lines();
    }

    /** @param {Ghost[]} line */
    #inside(line) {
        return line.filter((ghost) => isPoint(ghost.point, this.#size));
    }

    /** Draws what a line of play changes. */
    #lines() {
        this.#ghosts();
        this.#heat(this.#view);
        this.#layer('fouls').group.classList.toggle('faint', this.#shown.length > 0);
    }

    /**
     * Shows a line for a short time, unless another line comes first.
     * @param {Ghost[]} line
     */
    showHint(line) {
        this.showLine(line);
        this.#hint = window.setTimeout(() => this.showLine([]), HINT_SHOWN);
    }

    /** Takes the line of a hint off the board, because the position has changed. */
    endHint() {
        if (this.#hint !== undefined) this.showLine([]);
    }

    #ghosts() {
        const { group } = this.#layer('ghosts');
        const stones = this.#shown.map((ghost) => {
            const stone = this.#stone(ghost.point, ghost.color);
            stone.classList.add('ghost');
            const number = /** @type {Element} */ (stone.lastElementChild);
            number.textContent = ghost.text;
            return stone;
        });
        const { side, stones: placed } = this.#view;
        const hovered = this.#hovered;
        if (!stones.length && hovered && side && !placed.has(hovered)) {
            const stone = this.#stone(hovered, side);
            stone.classList.add('ghost', 'hover');
            stones.push(stone);
        }
        group.replaceChildren(...stones);
    }

    /** @param {MouseEvent} event */
    #pointOf(event) {
        const box = this.picture.getBoundingClientRect();
        const unit = (MARGIN + EDGE + CELL * (this.#size - 1)) / box.width;
        const x = Math.round(((event.clientX - box.left) * unit - MARGIN) / CELL);
        const y = this.#size - 1 - Math.round(((event.clientY - box.top) * unit - EDGE) / CELL);
        const inside = x >= 0 && y >= 0 && x < this.#size && y < this.#size;
        return inside ? nameOf(x, y) : null;
    }

    /** @param {PointerEvent} event */
    #hover(event) {
        if (event.pointerType === 'touch') return;
        const point = this.#pointOf(event);
        if (point === this.#hovered) return;
        this.#hovered = point;
        this.#ghosts();
    }

    #unhover() {
        this.#hovered = null;
        this.#ghosts();
    }

    /** @param {MouseEvent} event */
    #click(event) {
        const point = this.#pointOf(event);
        if (point) this.onplay(point, event);
    }

    /** @param {MouseEvent} event */
    #menu(event) {
        const point = this.#pointOf(event);
        if (!point) return;
        event.preventDefault();
        this.onask(point);
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        /** @type {Record<string, [number, number]>} */
        const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
        const way = ways[event.key];
        const asks = event.key === '?' || event.key === 'F1';
        if (way && !event.altKey && !event.ctrlKey && !event.metaKey) this.#moveCursor(...way);
        else if (event.key === 'Enter' && this.#cursor) this.onplay(nameOf(this.#cursor.x, this.#cursor.y), event);
        else if (asks && this.#cursor) this.onask(nameOf(this.#cursor.x, this.#cursor.y));
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    /**
     * @param {number} dx
     * @param {number} dy
     */
    #moveCursor(dx, dy) {
        const middle = Math.floor(this.#size / 2);
        const last = this.#view.last;
        const from = this.#cursor ?? (last ? pointOf(last) : { x: middle, y: middle });
        const held = (/** @type {number} */ n) => Math.max(0, Math.min(this.#size - 1, n));
        this.#cursor = { x: held(from.x + dx), y: held(from.y + dy) };
        const [x, y] = this.#at(this.#cursor.x, this.#cursor.y);
        const frame = svg('rect', { class: 'cursor', x: x - 19, y: y - 19, width: 38, height: 38, rx: 6 });
        this.#layer('cursor').group.replaceChildren(frame);
        this.onsay(describe(this.#view, nameOf(this.#cursor.x, this.#cursor.y)));
    }
}

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
    if (view.zone.includes(point)) parts.push('in the zone of this step');
    for (const { mark } of view.marks.filter(isHere)) parts.push(`marked: ${mark}`);
    for (const { text } of view.labels.filter(isHere)) parts.push(`label ${text}`);
    const candidate = view.heat.find(isHere);
    if (candidate) parts.push(candidate.text);
    for (const { text } of view.spots.filter(isHere)) if (text) parts.push(text);
    return parts.join(', ');
}

/**
 * The share of the colour scale for a candidate that is worth this much beside the best one.
 * @param {number} rate
 * @param {number} best
 */
export function shade(rate, best) {
    return 1 - Math.min(1, 5 * Math.max(0, best - rate));
}

/** @type {Record<string, string>} */
const SHAPES = {
    triangle: 'M0 -9 L8.5 6 L-8.5 6 Z',
    square: 'M-7 -7 H7 V7 H-7 Z',
    circle: 'M-8 0 A8 8 0 1 0 8 0 A8 8 0 1 0 -8 0 Z',
    cross: 'M-7 -7 L7 7 M7 -7 L-7 7',
    selected: 'M0 -9 L9 0 L0 9 L-9 0 Z',
};

function definitions() {
    const gradient = (/** @type {string} */ id, /** @type {[number, string][]} */ stops) => {
        const parts = stops.map(([at, name]) => svg('stop', { offset: at, class: name }));
        return svg('radialGradient', { id, cx: 0.36, cy: 0.3, r: 0.78 }, ...parts);
    };
    return svg(
        'defs',
        {},
        gradient('black', [
            [0, 'black-light'],
            [0.55, 'black-mid'],
            [1, 'black-dark'],
        ]),
        gradient('white', [
            [0, 'white-light'],
            [0.7, 'white-mid'],
            [1, 'white-dark'],
        ]),
    );
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
