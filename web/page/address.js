// The position in the address bar: it follows the board, and an address that the user enters is shown.

import { openText } from './entry.js';
import { hashOf, isSame, parseHash } from './link.js';

/** @import { Facts } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Link } from './link.js' */

/**
 * Changes of the address that may come at once, and the milliseconds after which one more may. Browsers refuse changes
 * that are too frequent: Safari more than 100 in 30 seconds, Firefox more than 200 in 10.
 */
const [BURST, PAUSE] = [20, 400];

export class Address {
    /** The position that the page has written into the address. @type {Link | null} */
    linked = null;
    /** The position to write. @type {Link | null} */
    #wanted = null;
    /** Changes that may come now. */
    #room = BURST;

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        // The event comes late: by then the page may have changed the address again, so the event's own address counts.
        addEventListener('hashchange', ({ newURL }) => void this.#changed(new URL(newURL).hash));
    }

    /** The address bar shows the position, not the key: the browser has it as a cookie now. */
    hideToken() {
        history.replaceState(null, '', `${location.pathname}${location.hash}`);
    }

    /** The position of the address that a user asks for. */
    get asked() {
        return this.#foreign(location.hash);
    }

    /**
     * The position of an address, unless the page wrote it itself: the game may have gone on since.
     * @param {string} hash
     */
    #foreign(hash) {
        const link = parseHash(hash);
        return link && !isSame(link, this.linked) ? link : null;
    }

    /**
     * A position on the board of this game, for an address.
     * @param {string} text
     * @returns {Link}
     */
    link(text) {
        const { rule, size } = this.app.session.game;
        return { text, rule, size };
    }

    /** The whole address of a position on the board of this game. @param {string} text */
    of(text) {
        return location.origin + location.pathname + hashOf(this.link(text));
    }

    /** @param {Facts} facts of the position on the board */
    follow({ text }) {
        this.#wanted = this.link(text);
        this.#write();
    }

    #write() {
        const link = this.#wanted;
        if (!link || this.#room === 0) return;
        this.#wanted = null;
        this.linked = link;
        const hash = hashOf(link);
        if (hash === location.hash) return;
        history.replaceState(history.state, '', hash);
        this.#room--;
        const again = () => {
            this.#room++;
            this.#write();
        };
        window.setTimeout(again, PAUSE * (BURST - this.#room));
    }

    /**
     * Shows the position of an address that the user has entered, unless it is on the board already.
     * @param {string} hash
     */
    async #changed(hash) {
        const asked = this.#foreign(hash);
        if (!asked) return;
        try {
            await this.open(asked);
        } catch (error) {
            this.app.complain(error);
        }
    }

    /**
     * Shows a position of the address; if the user stays with a game that is going on, the address does so, too.
     * @param {Link} asked
     * @throws {Error} if it is no position
     */
    async open(asked) {
        const { app } = this;
        if (!(await openText(app, asked)) && app.facts) this.follow(app.facts);
    }
}
