// The board as SVG: grid, stones, marks, fouls, candidates, lines of play; by mouse, touch, keyboard and ear.

import { keyed, svg, write } from './dom.js';
import { CELL, definitions, EDGE, grid, MARGIN, placeAt, SHAPES, widthOf } from './drawing.js';
import { isPoint, nameOf, pointOf } from './points.js';
import { Presses } from './presses.js';
import { describe } from './spoken.js';
import { emptyView } from './view.js';
import { count } from './words.js';

/** @import { Color } from './schema.js' */
/** @import { Layer } from './dom.js' */
/** @import { Point } from './points.js' */
/** @import { Ghost, View } from './view.js' */

/** Time for which a hint is shown, in milliseconds. */
const HINT_SHOWN = 2500;

const LAYERS = /** @type {const} */ ([
    'grid',
    'zone',
    'false-fouls',
    'heat',
    'fouls',
    'labels',
    'stones',
    'marks',
    'spots',
    'ghosts',
    'cursor',
]);

export class Board {
    #view = emptyView();
    #size = 0;
    /** @type {Record<string, Layer>} */
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
    /** @type {(point: string, isKey?: boolean) => void} */
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
        host.addEventListener('pointermove', (event) => {
            if (event.pointerType !== 'touch') this.#hover(this.#pointOf(event));
        });
        host.addEventListener('pointerleave', () => this.#hover(null));
        this.presses = new Presses(host, (event) => this.#pointOf(event));
        this.presses.onplay = (point) => this.onplay(point);
        this.presses.onchoose = (point) => this.#choose(point);
        this.presses.onask = (point) => this.onask(point);
        host.addEventListener('keydown', (event) => this.#key(event));
        host.addEventListener('focus', () => this.#moveCursor(0, 0));
        host.addEventListener('blur', () => this.#layers.cursor.group.replaceChildren());
    }

    /**
     * The attributes of an element that stands on a point.
     * @param {string} point
     * @param {string} name its class
     */
    #on(point, name) {
        const { x, y } = pointOf(point);
        return { class: name, transform: `translate(${placeAt(this.#size, x, y).join(' ')})`, 'data-point': point };
    }

    /** @param {number} size */
    #rebuild(size) {
        this.#size = size;
        this.#cursor = null;
        const width = widthOf(size);
        this.picture.setAttribute('viewBox', `0 0 ${width} ${width}`);
        this.picture.replaceChildren(definitions());
        for (const name of LAYERS) {
            const group = svg('g', { class: `layer-${name}` });
            this.#layers[name] = { group, kept: new Map() };
            this.picture.append(group);
        }
        this.#layers.grid.group.append(...grid(size));
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
        return `Board ${view.size} by ${view.size}, ${count(view.stones.size, 'stone')}${last}${side}`;
    }

    /** @param {View} view */
    #stones(view) {
        keyed(
            this.#layers.stones,
            [...view.stones].map(([point, stone]) => [`${point}${stone.color}`, { point, ...stone }]),
            ({ point, color }) => this.#stone(point, color),
            (element, { point, number }) => {
                element.classList.toggle('last', point === view.last);
                element.classList.toggle('won', view.row.includes(point));
                write(element.lastElementChild, view.numbers && number > 0 ? String(number) : '');
            },
        );
    }

    /** @param {string} point @param {Color} color */
    #stone(point, color) {
        return svg(
            'g',
            this.#on(point, `stone ${color}`),
            svg('circle', { class: 'shadow', cx: 1.5, cy: 2.5, r: 18.4 }),
            svg('circle', { class: 'body', r: 18.4, fill: `url(#${color})` }),
            svg('circle', { class: 'ring', r: 12.5 }),
            svg('text', { class: 'number', y: 5.2 }),
        );
    }

    /** @param {View} view */
    #fouls(view) {
        const falseFouls = view.falseFouls.map((point) => ({ point, kinds: ['33'] }));
        this.#figures('fouls', 'foul', view.fouls);
        // A good move may be among them: the value of a candidate covers the figure.
        this.#figures('false-fouls', 'false-foul', falseFouls);
    }

    /**
     * The kinds of fouls, as figures on their points.
     * @param {string} layer
     * @param {string} name the class of each
     * @param {View['fouls']} list
     */
    #figures(layer, name, list) {
        keyed(
            this.#layers[layer],
            list.map((foul) => [`${foul.point}${foul.kinds}`, foul]),
            ({ point, kinds }) => {
                const step = 12;
                const top = -((kinds.length - 1) * step) / 2;
                const texts = kinds.map((kind, i) => svg('text', { y: top + i * step + 4.5 }, kind));
                return svg('g', this.#on(point, name), svg('circle', { r: 14 }), ...texts);
            },
        );
    }

    /** @param {View} view */
    #signs(view) {
        keyed(
            this.#layers.zone,
            view.zone.map((point) => [point, point]),
            (point) => svg('rect', { ...this.#on(point, 'zone'), x: -20, y: -20, width: 40, height: 40 }),
        );
        keyed(
            this.#layers.marks,
            view.marks.map(({ point, mark }) => {
                const name = `mark on-${view.stones.get(point)?.color ?? 'empty'}`;
                return [`${point}${mark}${name}`, { point, mark, name }];
            }),
            ({ point, mark, name }) => svg('path', { ...this.#on(point, name), d: SHAPES[mark] ?? SHAPES.circle }),
        );
        this.#texts(
            this.#layers.labels,
            view.labels.map((label) => ({ ...label, tone: 'label' })),
        );
        this.#texts(this.#layers.spots, view.spots);
    }

    /** @param {Layer} layer @param {View['spots']} texts */
    #texts(layer, texts) {
        keyed(
            layer,
            texts.map((item) => [`${item.point} ${item.tone} ${item.text}`, item]),
            ({ point, text, tone }) => {
                const isLong = text.length > 3;
                const short = text.length > 6 ? `${text.slice(0, 5)}…` : text;
                return svg(
                    'g',
                    this.#on(point, `spot ${tone}`),
                    svg('circle', { r: isLong ? 17 : 14.5 }),
                    svg('text', { y: 4.8, class: isLong ? 'long' : '' }, short),
                );
            },
        );
    }

    /** @param {View} view */
    #heat(view) {
        const heat = this.#shown.length ? [] : view.heat;
        keyed(
            this.#layers.heat,
            heat.map((candidate) => [candidate.point, candidate]),
            ({ point }) => svg('g', this.#on(point, 'candidate'), svg('circle', { r: 16.5 }), svg('text', { y: 4.6 })),
            (element, { share, text, best }) => {
                const circle = /** @type {SVGElement} */ (element.firstElementChild);
                circle.style.fill = `hsl(${Math.round(8 + 130 * share)} 62% 52%)`;
                element.classList.toggle('best', best);
                write(element.lastElementChild, text);
            },
        );
    }

    /** The line of play that is on the board. It belongs to the game, and not to a position that is being set up. */
    get #shown() {
        if (this.#view.hand) return [];
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

    /** Keeps a line of play on the board, until another one is given. @param {Ghost[]} line */
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
    }

    /** Shows a line for a short time, unless another line comes first. @param {Ghost[]} line */
    showHint(line) {
        this.showLine(line);
        this.#hint = window.setTimeout(() => this.showLine([]), HINT_SHOWN);
    }

    /** Takes the line of a hint off the board, because the position has changed. */
    endHint() {
        if (this.#hint !== undefined) this.showLine([]);
    }

    #ghosts() {
        const stones = this.#shown.map(({ point, color, text }) => {
            const stone = this.#stone(point, color);
            stone.classList.add('ghost');
            write(stone.lastElementChild, text);
            return stone;
        });
        for (const name of ['fouls', 'false-fouls']) {
            this.#layers[name].group.classList.toggle('faint', stones.length > 0);
        }
        const { side, hand, stones: placed } = this.#view;
        const hovered = this.#hovered;
        const color = hand ?? side;
        if (!stones.length && hovered && color && !placed.has(hovered)) {
            const stone = this.#stone(hovered, color);
            stone.classList.add('ghost', 'hover');
            stones.push(stone);
        }
        this.#layers.ghosts.group.replaceChildren(...stones);
    }

    /** @param {MouseEvent} event */
    #pointOf(event) {
        const box = this.picture.getBoundingClientRect();
        const unit = widthOf(this.#size) / box.width;
        const x = Math.round(((event.clientX - box.left) * unit - MARGIN) / CELL);
        const y = this.#size - 1 - Math.round(((event.clientY - box.top) * unit - EDGE) / CELL);
        const inside = x >= 0 && y >= 0 && x < this.#size && y < this.#size;
        return inside ? nameOf(x, y) : null;
    }

    /** @param {string | null} point under the pointer */
    #hover(point) {
        if (point === this.#hovered) return;
        this.#hovered = point;
        this.#ghosts();
    }

    /**
     * Shows the point of a first tap as one under a mouse. The next touch ends that.
     * @param {string} point
     */
    #choose(point) {
        this.#hover(point);
        this.onsay(`${point} is chosen, tap it again`);
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        /** @type {Record<string, [number, number]>} */
        const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
        const way = ways[event.key];
        const asks = event.key === '?' || event.key === 'F1';
        const chosen = this.#cursor && nameOf(this.#cursor.x, this.#cursor.y);
        if (way && !event.altKey && !event.ctrlKey && !event.metaKey) this.#moveCursor(...way);
        else if (chosen && event.key === 'Enter') {
            // A key that is held must not change a stone again and again.
            if (!event.repeat) this.onplay(chosen, true);
        } else if (chosen && asks) this.onask(chosen);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    /** @param {number} dx @param {number} dy */
    #moveCursor(dx, dy) {
        const middle = Math.floor(this.#size / 2);
        const last = this.#view.last;
        const from = this.#cursor ?? (last ? pointOf(last) : { x: middle, y: middle });
        const held = (/** @type {number} */ n) => Math.max(0, Math.min(this.#size - 1, n));
        this.#cursor = { x: held(from.x + dx), y: held(from.y + dy) };
        const point = nameOf(this.#cursor.x, this.#cursor.y);
        const frame = svg('rect', { ...this.#on(point, 'cursor'), x: -19, y: -19, width: 38, height: 38, rx: 6 });
        this.#layers.cursor.group.replaceChildren(frame);
        this.onsay(describe(this.#view, point));
    }
}
