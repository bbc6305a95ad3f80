// Openings: the 26 of Renju with pictures, and what is known of the moves of a position. Where moves come from is a
// list of sources; the opening book is the first, databases of games and positions can follow.

import { button, byId, el, replaceButtons } from './dom.js';
import { miniature, shade } from './drawing.js';
import { gameOf } from './game.js';

/** @import { Assessments, Color, NamedOpening, Position } from './schema.js' */
/** @import { App } from './app.js' */

/**
 * Facts from a source about a move.
 * @typedef {{ point: string, share: number, text: string, note: string }} KnownMove
 */

/**
 * A source of moves: its name, and its moves in a position, best first.
 * @typedef {{ title: string, moves: (position: Position) => Promise<{ moves: KnownMove[], about: string }> }} Source
 */

/**
 * The opening book of the program.
 * @param {App} app
 * @returns {Source}
 */
function bookOf(app) {
    return {
        title: 'Opening book',
        async moves(position) {
            const { entry } = await app.connection.ask({ type: 'book', position }, 'book');
            if (!entry) return { moves: [], about: 'The book has nothing on this position.' };
            const moves = entry.moves.map(({ point, win_rate: share, agreed }) => ({
                point,
                share,
                text: `${(100 * share).toFixed(0)} %`,
                note: agreed ? '' : 'not confirmed',
            }));
            return { moves, about: `From searches to depth ${entry.depth}${entry.proven ? ', proven' : ''}.` };
        },
    };
}

/** @param {Assessments} assessments */
function inAllSources({ rif, english, chinese }) {
    return `${rif}; in English sources ${english}, in Chinese ones ${chinese}`;
}

/**
 * @param {KnownMove[]} moves
 * @param {HTMLButtonElement[]} buttons which play them
 */
function table(moves, buttons) {
    const rows = moves.map(({ text, note }, i) =>
        el('tr', {}, el('td', {}, buttons[i]), el('td', {}, text), el('td', { class: 'hint' }, note)),
    );
    return el('table', { class: 'known', hidden: !moves.length }, el('tbody', {}, ...rows));
}

export class Openings {
    #visible = false;
    /** @type {Position | null} */
    #shown = null;

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.sources = [bookOf(app)];
        this.known = el('div', { class: 'sources', tabindex: -1 });
        this.gallery = el('div', { class: 'gallery' });
        const about =
            'Assessments are those of published tables under the old rule of the RIF, two fifth moves; ' +
            'they differ among sources.';
        byId('openings').append(
            el('h2', {}, 'Known moves'),
            this.known,
            el('h2', {}, 'The 26 openings'),
            el('p', { class: 'hint' }, about),
            this.gallery,
        );
    }

    /** @param {boolean} visible */
    setVisible(visible) {
        this.#visible = visible;
        this.#shown = null;
        if (visible) {
            if (!this.gallery.children.length) void this.#fill();
            void this.moved();
        } else this.app.stage.overlay('book', {});
    }

    async moved() {
        const { position } = this.app.session;
        if (!this.#visible || position === this.#shown) return;
        this.#shown = position;
        const parts = [];
        /** @type {HTMLButtonElement[]} */
        const buttons = [];
        /** @type {KnownMove[]} */
        let first = [];
        for (const source of this.sources) {
            try {
                const { moves, about } = await source.moves(position);
                if (position !== this.#shown) return;
                if (!first.length) first = moves;
                const made = moves.map(({ point }) =>
                    button(point, () => this.app.moves.play(point), { class: 'move' }),
                );
                buttons.push(...made);
                parts.push(el('h3', {}, source.title), el('p', { class: 'hint' }, about), table(moves, made));
            } catch (error) {
                parts.push(el('p', {}, /** @type {Error} */ (error).message));
            }
        }
        replaceButtons(this.known, buttons, parts);
        const best = Math.max(...first.map((move) => move.share), 0);
        const heat = first.map(({ point, share, text }) => ({
            point,
            share: shade(share, best),
            text: text.replace(' %', ''),
            best: share === best,
        }));
        this.app.stage.overlay('book', { heat });
    }

    async #fill() {
        try {
            const { openings } = await this.app.connection.ask({ type: 'openings' }, 'openings');
            this.gallery.replaceChildren(...openings.map((opening) => this.#card(opening)));
        } catch (error) {
            this.app.say(/** @type {Error} */ (error).message);
        }
    }

    /** @param {NamedOpening} opening */
    #card(opening) {
        const { code, name, kanji, english, moves, assessments } = opening;
        const stones = moves.map((point, i) => {
            /** @type {Color} */
            const color = i % 2 ? 'white' : 'black';
            return { point, color };
        });
        const title = `${name}, ${english}: ${inAllSources(assessments)}`;
        const card = button('', () => void this.#open(opening), { class: 'opening', title });
        card.append(
            miniature(15, stones, `${code} ${name}`, 7),
            el('strong', {}, code),
            el('span', {}, name),
            el('span', { lang: 'ja', class: 'kanji' }, kanji),
            el('span', { class: 'assessment' }, assessments.rif),
        );
        return card;
    }

    /** @param {NamedOpening} opening */
    async #open({ code, name, moves, assessments }) {
        const { app } = this;
        if (!(await app.mayLeave())) return;
        app.leave();
        const { game, last } = gameOf({ size: 15, rule: 'renju', setup: [], first: 'black', moves });
        app.session.replace(`opening ${code}`, game, last);
        app.say(`${code}, ${name}: ${inAllSources(assessments)}`);
    }
}
