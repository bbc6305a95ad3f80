// The engine's move and its hint in the position on the board, when they are asked for.

import { side as sideOf } from './game.js';
import { ghosts } from './lines.js';
import { moved as inWords } from './words.js';

/** @import { Line } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Node } from './game.js' */

/** Time of the engine for a move and for a hint, in milliseconds. */
const MOVE_TIME = 3000;
const HINT_TIME = 2000;

export class Advice {
    /**
     * The engine's task, and the position that it is about.
     * @type {{ what: 'move' | 'hint', node: Node, work: AbortController } | null}
     */
    #wanted = null;

    /** @param {App} app */
    constructor(app) {
        this.app = app;
    }

    /**
     * A search is of one position: another position on the board ends it, and so does another game.
     * @param {boolean} isOther whether it is another game
     */
    changed(isOther) {
        if (isOther || this.#wanted?.node !== this.app.session.node) this.#dismiss();
    }

    /**
     * Begins a search for a move or a hint. It replaces an earlier one for the other of the two.
     * @param {'move' | 'hint'} what
     * @returns {AbortController | null} `null` if the engine is looking for it already
     */
    #want(what) {
        if (this.#wanted?.what === what) return null;
        this.#dismiss();
        const work = new AbortController();
        this.#wanted = { what, node: this.app.session.node, work };
        return work;
    }

    /** Ends the search for a move or a hint. */
    #dismiss() {
        this.#wanted?.work.abort();
        this.#wanted = null;
    }

    /** Says why the engine does not play, if that is so. @returns {boolean} */
    #isRefused() {
        const { app } = this;
        if (app.play.isOn) app.say('a game is going on: the engine moves in its own turn');
        else if (app.puzzles.puzzle) app.say('a puzzle is on the board: Show the solution is beside it');
        else return app.isOver();
        return true;
    }

    /** The engine plays. */
    async move() {
        const { app } = this;
        const { session } = app;
        if (this.#isRefused()) return;
        const work = this.#want('move');
        if (!work) return;
        const { position, ends } = session;
        app.say('the engine thinks…');
        try {
            const moved = await app.connection.ask(
                { type: 'move', position, ends, level: 100, clock: { type: 'move', ms: MOVE_TIME }, seed: 1 },
                'moved',
                work.signal,
            );
            session.play(moved.move);
            app.say(inWords(session.node.color, moved));
        } catch (error) {
            if (work.signal.aborted) return;
            this.#dismiss();
            app.complain(error);
        }
    }

    /** Shows what the engine would play. */
    async hint() {
        const { app } = this;
        const work = this.#want('hint');
        if (!work) return;
        const { position } = app.session;
        app.say('the engine looks for a hint…');
        await new Promise((resolve) => {
            /** @type {Line | undefined} */
            let best;
            const stop = app.connection.work({ type: 'analyze', position, lines: 1, ms: HINT_TIME }, (tell) => {
                if (tell.type === 'study') [best] = tell.lines;
                if (tell.type !== 'done' && tell.type !== 'error') return;
                this.#dismiss();
                if (tell.type === 'error') app.say(tell.message);
                if (!best) return;
                app.board.showHint(ghosts(best.moves.slice(0, 1), sideOf(position)));
                app.say(`hint: ${best.moves[0]}`);
            });
            work.signal.addEventListener('abort', () => {
                stop();
                resolve(null);
            });
        });
    }
}
