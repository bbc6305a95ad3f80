// Facts of positions under the rules, computed by the server: the side to move, forbidden points, whether it is over.

/** @import { Facts } from './schema.js' */
/** @import { Connection } from './connection.js' */
/** @import { Node } from './game.js' */
/** @import { Session, What } from './session.js' */

export class Referee {
    /** Facts of the position on the board, if they are known. @type {Facts | null} */
    facts = null;
    /** The known facts about this game. @type {WeakMap<Node, Facts>} */
    #known = new WeakMap();
    #isAsking = false;
    /** The facts of the position on the board have come. @type {(facts: Facts) => void} */
    onfacts = () => {};
    /** @type {(error: string) => void} */
    onerror = () => {};

    /**
     * @param {Session} session
     * @param {Pick<Connection, 'ask' | 'isOpen'>} connection
     */
    constructor(session, connection) {
        this.session = session;
        this.connection = connection;
    }

    /** Another position is on the board, or the game is another one. @param {What} what */
    changed(what) {
        // An answer about the game before is still put into the old map, which nobody reads.
        if (what !== 'move') this.#known = new WeakMap();
        this.facts = this.#known.get(this.session.node) ?? null;
    }

    /**
     * Facts of a position of the game.
     * @param {Node} node
     * @returns {Promise<Facts>}
     */
    async factsOf(node) {
        const known = this.#known;
        const found = known.get(node);
        if (found) return found;
        const position = this.session.positionOf(node);
        const { ends } = this.session;
        const facts = await this.connection.ask({ type: 'facts', position, ends }, 'facts');
        known.set(node, facts);
        return facts;
    }

    /** Asks for the facts of the current position. When several are passed quickly, it asks for the last one only. */
    async refresh() {
        if (this.#isAsking || !this.connection.isOpen) return;
        this.#isAsking = true;
        try {
            while (!(await this.#askCurrent()));
        } finally {
            this.#isAsking = false;
        }
    }

    /** @returns {Promise<boolean>} whether the answer is about the position that is on the board now */
    async #askCurrent() {
        const { node } = this.session;
        const known = this.#known;
        const found = await this.factsOf(node).catch((/** @type {Error} */ error) => error);
        if (node !== this.session.node || known !== this.#known) return false;
        if (found instanceof Error) this.onerror(found.message);
        else {
            this.facts = found;
            this.onfacts(found);
        }
        return true;
    }
}
