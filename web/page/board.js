// The board as SVG: grid, stones, marks, fouls, candidates, lines of play; by mouse, touch, keyboard and ear.

import { keyed, svg } from './dom.js';
import { CELL, definitions, EDGE, grid, MARGIN, placeAt, SHAPES, widthOf } from './drawing.js';
import { isPoint, nameOf, pointOf } from './points.js';
import { Presses } from './presses.js';
import { describe } from './spoken.js';
import { emptyView } from './view.js';

/** @import { Color } from './schema.js' */
/** @import { Point } from './points.js' */
/** @import { Ghost, View } from './view.js' */

/** Time for which a hint is shown, in milliseconds. */
const HINT_SHOWN = 2500;

const LAYERS = /** @type {const} */ ([
    'grid',
    'zone',
    'false-fouls',
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
    /** Whether a touch plays at the second tap of a point only. */
    needsTwoTaps = () => false;
    /** @type {(point: string) => void} */
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
        const presses = new Presses(host, (event) => this.#pointOf(event));
        presses.needsTwoTaps = () => this.needsTwoTaps();
        presses.onplay = (point) => this.onplay(point);
        presses.onchoose = (point) => this.#choose(point);
        presses.onask = (point) => this.onask(point);
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
        return placeAt(this.#size, x, y);
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
        const width = widthOf(size);
        this.picture.setAttribute('viewBox', `0 0 ${width} ${width}`);
        this.picture.replaceChildren(definitions());
        for (const name of LAYERS) {
            const group = svg('g', { class: `layer-${name}` });
            this.#layers[name] = { group, kept: new Map() };
            this.picture.append(group);
        }
        this.#layer('grid').group.append(...grid(size));
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
        const { group, kept } = this.#layer(layer);
        const items = list.map((foul) => {
            return /** @type {[string, any]} */ ([`${foul.point}${foul.kinds}`, foul]);
        });
        keyed(group, kept, items, (foul) => {
            const [x, y] = this.#of(foul.point);
            const kinds = /** @type {string[]} */ (foul.kinds);
            const step = 12;
            const top = -((kinds.length - 1) * step) / 2;
            const texts = kinds.map((kind, i) => svg('text', { y: top + i * step + 4.5 }, kind));
            const place = { class: name, transform: `translate(${x} ${y})`, 'data-point': foul.point };
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
        this.#texts(
            this.#layer('labels'),
            view.labels.map((label) => ({ ...label, tone: 'label' })),
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
        for (const name of ['fouls', 'false-fouls']) {
            this.#layer(name).group.classList.toggle('faint', this.#shown.length > 0);
        }
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
        const unit = widthOf(this.#size) / box.width;
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

    /**
     * Shows the point of a first tap as one under a mouse. The next touch ends that.
     * @param {string} point
     */
    #choose(point) {
        this.#hovered = point;
        this.#ghosts();
        this.onsay(`${point} is chosen, tap it again to play`);
    }

    #unhover() {
        this.#hovered = null;
        this.#ghosts();
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        /** @type {Record<string, [number, number]>} */
        const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
        const way = ways[event.key];
        const asks = event.key === '?' || event.key === 'F1';
        if (way && !event.altKey && !event.ctrlKey && !event.metaKey) this.#moveCursor(...way);
        else if (event.key === 'Enter' && this.#cursor) this.onplay(nameOf(this.#cursor.x, this.#cursor.y));
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
