// Why a point is forbidden or not under Renju: the grounds as a tree, each of them drawn on the board. Under the other
// rules every point is allowed, and the explanation says so first.

import { button, byId, el } from './dom.js';
import { fouls } from './words.js';

/** @import { Explanation, Four, Row, Three } from './schema.js' */
/** @import { App } from './app.js' */

/** @import { Spot } from './view.js' */

/**
 * The stones of a row, which stand out.
 * @param {{ stones: string[] }} row
 * @returns {Spot[]}
 */
function spotsOf({ stones }) {
    return stones.map((point) => ({ point, text: '', tone: 'stone-of' }));
}

export class Explainer {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.host = byId('explanation');
    }

    /** @param {string} point */
    async show(point) {
        const { app } = this;
        const { position, node } = app.session;
        try {
            const found = await app.connection.ask({ type: 'explain', position, point }, 'explanation');
            if (node === app.session.node) this.#show(found);
        } catch (error) {
            app.complain(error);
        }
    }

    close() {
        if (this.host.hidden) return;
        const hadFocus = this.host.contains(document.activeElement);
        this.host.hidden = true;
        // The focus returns to the board, from which it came by the keyboard.
        if (hadFocus) this.app.board.host.focus({ preventScroll: true });
        this.app.stage.overlay('explanation', {});
    }

    /** @param {Explanation} found */
    #show(found) {
        const { app } = this;
        this.host.hidden = false;
        const { rule } = app.session.game;
        const verdict = inWords(found.verdict);
        const title = `${found.point}: ${rule === 'renju' ? verdict : `allowed under ${rule}; under Renju ${verdict}`}`;
        const mayPlay = app.facts?.side === 'black' && !app.facts.ended;
        const play = () => {
            this.close();
            app.moves.play(found.point, true);
        };
        this.host.replaceChildren(
            el('h2', {}, title),
            this.#grounds(found),
            el(
                'div',
                { class: 'row' },
                this.#forbids(found) && mayPlay ? button('Play it all the same', play) : null,
                button('Close', () => this.close()),
            ),
        );
        this.#mark(found, []);
        app.say(title);
        this.host.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    }

    /**
     * Whether the rule of the game forbids the point: only Renju has fouls.
     * @param {Explanation} found
     */
    #forbids(found) {
        return this.app.session.game.rule === 'renju' && found.verdict.startsWith('foul');
    }

    /**
     * Draws what an item of the tree is about.
     * @param {Explanation} root
     * @param {Spot[]} spots
     */
    #mark(root, spots) {
        const [text, tone] = this.#forbids(root) ? ['✕', 'bad'] : ['○', 'good'];
        const own = { point: root.point, text, tone };
        this.app.stage.overlay('explanation', { spots: [own, ...spots.filter((spot) => spot.point !== root.point)] });
    }

    /**
     * @param {Explanation} found
     * @param {Explanation} [root]
     * @returns {HTMLElement}
     */
    #grounds(found, root = found) {
        const items = [
            ...found.fives.map((row) => this.#row('five', row, root)),
            ...found.overlines.map((row) => this.#row('overline', row, root)),
            ...found.fours.map((four) => this.#four(four, root)),
            ...found.threes.map((three) => this.#three(three, root)),
        ];
        if (!items.length) items.push(el('li', {}, 'It makes no five, no overline, no four and no three.'));
        if (found.cut) {
            const why = 'an explanation examines 500 points at most';
            items.push(el('li', {}, `The threes are not examined here: ${why}.`));
        }
        return el('ul', { class: 'grounds' }, ...items);
    }

    /**
     * A line of the tree that shows its stones while it is pointed at.
     * @param {string} text
     * @param {Spot[]} spots
     * @param {Explanation} root
     */
    #item(text, spots, root) {
        const show = () => this.#mark(root, spots);
        return button(text, show, { class: 'ground', onpointerenter: show, onfocus: show });
    }

    /**
     * @param {string} name
     * @param {Row} row
     * @param {Explanation} root
     */
    #row(name, row, root) {
        return el('li', {}, this.#item(`${name}, ${row.direction}: ${row.stones.join(' ')}`, spotsOf(row), root));
    }

    /** @param {Four} four @param {Explanation} root */
    #four(four, root) {
        const spots = spotsOf(four);
        for (const point of four.completions) spots.push({ point, text: '5', tone: 'extension' });
        const straight = four.completions.length > 1 ? 'straight four' : 'four';
        const five = four.completions.join(' or ');
        const text = `${straight}, ${four.direction}: ${four.stones.join(' ')}, five at ${five}`;
        return el('li', {}, this.#item(text, spots, root));
    }

    /** @param {Three} three @param {Explanation} root */
    #three(three, root) {
        const spots = spotsOf(three);
        for (const { point, extends: real } of three.extensions) {
            spots.push({ point, text: '4', tone: real ? 'extension' : 'dead' });
        }
        const kind = three.real === false ? 'false three' : 'three';
        const item = this.#item(`${kind}, ${three.direction}: ${three.stones.join(' ')}`, spots, root);
        const below = three.extensions.flatMap(({ point, extends: real, reason }) => {
            if (!reason) return [];
            const text = `${point} makes ${real ? 'a' : 'no'} straight four: ${inWords(reason.verdict)}`;
            const line = el('li', {}, this.#item(text, spots, root));
            if (reason.verdict !== 'legal') line.append(this.#grounds(reason, root));
            return [line];
        });
        return el('li', {}, item, below.length ? el('ul', {}, ...below) : null);
    }
}

/**
 * @param {string} verdict
 */
function inWords(verdict) {
    if (!verdict.startsWith('foul ')) return verdict === 'five' ? 'five, a win' : verdict;
    return `forbidden, ${fouls(verdict.slice(5).split('+'))}`;
}
