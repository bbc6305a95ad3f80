// Openings: the 26 of Renju with pictures, and what the opening book knows of the moves of a position.

import { button, byId, el, replaceButtons } from './dom.js';
import { miniature, shade } from './drawing.js';
import { gameOf } from './game.js';

/** @import { Assessments, BookEntry, Color, NamedOpening, Position } from './schema.js' */
/** @import { App } from './app.js' */

/** What the book says of a position as a whole. @param {BookEntry | null} entry */
function about(entry) {
    if (!entry) return 'The book has nothing on this position.';
    return `From searches to depth ${entry.depth}${entry.proven ? ', proven' : ''}.`;
}

/** @param {Assessments} assessments */
function inAllSources({ rif, english, chinese }) {
    return `${rif}; in English sources ${english}, in Chinese ones ${chinese}`;
}

/** @param {number} rate */
function percent(rate) {
    return (100 * rate).toFixed(0);
}

export class Openings {
    #visible = false;
    /** @type {Position | null} */
    #shown = null;

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.known = el('div', { class: 'known', tabindex: -1 });
        this.gallery = el('div', { class: 'gallery' });
        const source =
            'Assessments are those of published tables under the old rule of the RIF, two fifth moves; ' +
            'they differ among sources.';
        byId('openings').append(
            el('h2', {}, 'Opening book'),
            this.known,
            el('h2', {}, 'The 26 openings'),
            el('p', { class: 'hint' }, source),
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
        const { app } = this;
        /** @type {BookEntry | null} */
        let entry = null;
        let said;
        try {
            ({ entry } = await app.connection.ask({ type: 'book', position }, 'book'));
            said = about(entry);
        } catch (error) {
            said = /** @type {Error} */ (error).message;
        }
        if (position !== this.#shown) return;
        const moves = entry?.moves ?? [];
        const buttons = moves.map(({ point }) => button(point, () => app.moves.play(point), { class: 'move' }));
        const rows = moves.map(({ win_rate: rate, agreed }, i) =>
            el(
                'tr',
                {},
                el('td', {}, buttons[i]),
                el('td', {}, `${percent(rate)} %`),
                el('td', { class: 'hint' }, agreed ? '' : 'not confirmed'),
            ),
        );
        const table = el('table', { hidden: !rows.length }, el('tbody', {}, ...rows));
        replaceButtons(this.known, buttons, [el('p', { class: 'hint' }, said), table]);
        const best = Math.max(...moves.map((move) => move.win_rate), 0);
        const heat = moves.map(({ point, win_rate: rate }) => ({
            point,
            share: shade(rate, best),
            text: percent(rate),
            best: rate === best,
        }));
        app.stage.overlay('book', { heat });
    }

    async #fill() {
        try {
            const { openings } = await this.app.connection.ask({ type: 'openings' }, 'openings');
            this.gallery.replaceChildren(...openings.map((opening) => this.#card(opening)));
        } catch (error) {
            this.app.complain(error);
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
        const { game, last } = gameOf({ size: 15, rule: 'renju', setup: [], first: 'black', moves });
        if (await app.put(`opening ${code}`, game, last)) app.say(`${code}, ${name}: ${inAllSources(assessments)}`);
    }
}
