// The picture of a game's tree. Only what can be seen is in the document, so that thousands of variations scroll as
// smoothly as one.

import { comment } from './game.js';
import { el, svg } from './dom.js';
import { layout } from './treelayout.js';
import { judgement } from './words.js';

/** @import { Node } from './game.js' */
/** @import { Place } from './treelayout.js' */

/** Distance of two columns and of two lanes, in pixels. */
const [WIDTH, HEIGHT] = [34, 34];
/** Pixels around what can be seen that are drawn as well. */
const AROUND = 200;

export class TreeView {
    #layout = /** @type {ReturnType<typeof layout> | null} */ (null);
    /** Places by lane, each lane from left to right. @type {Place[][]} */
    #lanes = [];
    /** @type {Node | null} */
    #current = null;
    #asked = false;
    /** @type {(node: Node) => void} */
    onchoose = () => {};

    /** @param {HTMLElement} host */
    constructor(host) {
        this.host = host;
        this.space = el('div', { class: 'tree-space', role: 'group' });
        this.lines = svg('svg', { class: 'tree-lines', 'aria-hidden': 'true' });
        this.nodes = el('div', { class: 'tree-nodes' });
        this.space.append(this.lines, this.nodes);
        host.append(this.space);
        host.addEventListener('scroll', () => this.#later());
        new ResizeObserver(() => this.#later()).observe(host);
        this.nodes.addEventListener('click', (event) => {
            const button = event.target instanceof Element ? event.target.closest('button') : null;
            const place = button && this.#shown.get(button);
            if (place) this.onchoose(place.node);
        });
    }

    /** @type {Map<Element, Place>} */
    #shown = new Map();

    /**
     * Shows another tree, or a changed one.
     * @param {Node} root
     * @param {Node} current
     */
    show(root, current) {
        const found = layout(root);
        this.#layout = found;
        this.#lanes = Array.from({ length: found.lanes }, () => []);
        for (const place of found.places) this.#lanes[place.lane].push(place);
        for (const lane of this.#lanes) lane.sort((a, b) => a.column - b.column);
        this.space.style.width = `${found.columns * WIDTH + 12}px`;
        this.space.style.height = `${found.lanes * HEIGHT + 12}px`;
        this.move(current);
    }

    /** Makes another node of the same tree the current one. @param {Node} current */
    move(current) {
        this.#current = current;
        const place = this.#layout?.byNode.get(current);
        if (place) {
            const { host } = this;
            const [x, y] = [place.column * WIDTH + WIDTH / 2, place.lane * HEIGHT + HEIGHT / 2];
            const [w, h] = [host.clientWidth, host.clientHeight];
            if (x < host.scrollLeft + WIDTH || x > host.scrollLeft + w - WIDTH * 1.5) host.scrollLeft = x - w / 2;
            if (y < host.scrollTop + HEIGHT || y > host.scrollTop + h - HEIGHT) host.scrollTop = y - h / 2;
        }
        this.#draw();
    }

    #later() {
        if (this.#asked) return;
        this.#asked = true;
        requestAnimationFrame(() => {
            this.#asked = false;
            this.#draw();
        });
    }

    #draw() {
        const { host } = this;
        const [left, right] = [host.scrollLeft - AROUND, host.scrollLeft + host.clientWidth + AROUND];
        const [top, bottom] = [host.scrollTop - AROUND, host.scrollTop + host.clientHeight + AROUND];
        const [first, last] = [Math.floor(left / WIDTH), Math.ceil(right / WIDTH)];
        const lanes = this.#lanes.slice(Math.max(0, Math.floor(top / HEIGHT)), Math.max(0, Math.ceil(bottom / HEIGHT)));
        const seen = lanes.flatMap((lane) => visible(lane, first, last));
        this.#shown.clear();
        const hadFocus = this.nodes.contains(document.activeElement);
        const buttons = seen.map((place) => this.#button(place));
        this.nodes.replaceChildren(...buttons);
        // The buttons are new ones: who uses the keyboard goes on at the current move.
        const current = /** @type {HTMLElement | null} */ (this.nodes.querySelector('[aria-current]'));
        if (hadFocus) (current ?? this.host).focus({ preventScroll: true });
        const lines = seen.flatMap((place) => (place.parent ? [connection(place.parent, place)] : []));
        this.lines.replaceChildren(svg('path', { d: lines.join('') }));
    }

    /** @param {Place} place */
    #button(place) {
        const { node, column, lane } = place;
        const kind = node.color ?? (node.parent ? 'note' : 'root');
        const verdict = node.value?.verdict ?? '';
        const isNoted = comment(node) !== '';
        const current = node === this.#current;
        const text = node.move === 'pass' ? '–' : node.move ? String(node.number) : '';
        const name = node.move ? `${node.number}. ${node.color} ${node.move}` : node.parent ? 'note' : 'start';
        const title = [name];
        if (verdict && verdict !== 'good') title.push(judgement(verdict));
        if (isNoted) title.push('with a comment');
        const button = el(
            'button',
            {
                type: 'button',
                class: `tree-node ${kind} ${verdict}${isNoted ? ' noted' : ''}`,
                title: title.join(', '),
                'aria-label': name,
                'aria-current': current ? 'true' : null,
                tabindex: current ? 0 : -1,
            },
            text,
        );
        button.style.left = `${column * WIDTH + 4}px`;
        button.style.top = `${lane * HEIGHT + 4}px`;
        this.#shown.set(button, place);
        return button;
    }
}

/**
 * The places of a lane within two columns.
 * @param {Place[]} lane
 * @param {number} first
 * @param {number} last
 */
function visible(lane, first, last) {
    let [low, high] = [0, lane.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (lane[middle].column < first) low = middle + 1;
        else high = middle;
    }
    let end = low;
    while (end < lane.length && lane[end].column <= last) end++;
    return lane.slice(low, end);
}

/**
 * The line from a node to a child.
 * @param {Place} from
 * @param {Place} to
 */
function connection(from, to) {
    const x = (/** @type {number} */ column) => column * WIDTH + WIDTH / 2;
    const y = (/** @type {number} */ lane) => lane * HEIGHT + HEIGHT / 2;
    if (from.lane === to.lane) return `M${x(from.column)} ${y(from.lane)}H${x(to.column)}`;
    return `M${x(from.column)} ${y(from.lane)}V${y(to.lane) - HEIGHT / 2}L${x(to.column)} ${y(to.lane)}`;
}
