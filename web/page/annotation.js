// The annotation of the game on the board: the engine judges all its moves, and writes the judgements into it.

import { button, el } from './dom.js';
import { toMessage, walk } from './game.js';
import { changeTo, entriesOf } from './judgements.js';

/** @import { Rule } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Node } from './game.js' */
/** @import { What } from './session.js' */

export class Annotation {
    /** The work that goes on: how it is stopped, the root of its game, and the rule. */
    /** @type {{ stop: () => void, root: Node, rule: Rule } | null} */
    #work = null;
    /** Whether the program is asked to write: a second press would find a game that the first one has changed. */
    #isWriting = false;
    /** Another move is judged. */
    onjudged = () => {};
    /** The work has ended. */
    onend = () => {};

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.start = button('Annotate the game', () => this.#toggle());
        this.progress = el('progress', { hidden: true, 'aria-label': 'Progress of the annotation' });
        this.write = button('Write into the game', () => void this.#write(), {
            hidden: true,
            title: 'Add the judgements to the game as comments and variations',
        });
        this.parts = [this.start, this.progress, this.write];
    }

    /** @param {What} what */
    changed(what) {
        const { game } = this.app.session;
        if (this.#work && this.#work.root !== game.root) {
            this.#stop('another game is on the board: the annotation is stopped');
        } else if (this.#work && this.#work.rule !== game.rule) {
            this.#stop('the rule has changed: the annotation is stopped');
        } else if (what !== 'move') this.#offer();
    }

    /** Shows the button that writes, if there is something to write. */
    #offer() {
        this.write.hidden = !entriesOf(walk(this.app.session.game.root)).length;
    }

    #toggle() {
        if (this.#work) {
            this.#stop('the annotation is stopped; what is known stays');
            return;
        }
        const { app } = this;
        const { message, nodes } = toMessage(app.session.game);
        this.start.textContent = 'Stop';
        this.progress.hidden = false;
        this.progress.removeAttribute('value');
        const ms = Number(app.settings.get('review', '1000'));
        const { rule, ends } = app.session.game;
        const stop = app.connection.work({ type: 'annotate', game: message, rule, ends, ms }, (tell) => {
            if (tell.type === 'judged') {
                const [done, all] = tell.progress;
                this.progress.max = all;
                this.progress.value = done;
                const node = nodes[tell.node];
                if (node && tell.verdict) {
                    const { verdict, loss, best, mate, black, entry } = tell;
                    node.value = { black, mate, verdict, loss, best, entry };
                    this.onjudged();
                }
            } else if (tell.type === 'done') this.#end('the game is annotated');
            else if (tell.type === 'error') this.#end(tell.message);
        });
        this.#work = { stop, root: app.session.game.root, rule };
    }

    /** @param {string} text */
    #stop(text) {
        this.#work?.stop();
        this.#end(text);
    }

    /** @param {string} text */
    #end(text) {
        this.#work = null;
        this.start.textContent = 'Annotate the game';
        this.progress.hidden = true;
        this.#offer();
        this.onend();
        this.app.saveLater();
        this.app.say(text);
    }

    /** Writes what is known into the game, as one change. */
    async #write() {
        if (this.#isWriting) return;
        this.#isWriting = true;
        const { app } = this;
        const { game } = app.session;
        const { message, nodes } = toMessage(game);
        try {
            const entries = entriesOf(nodes);
            const written = await app.connection.ask({ type: 'write', game: message, entries }, 'written');
            const now = walk(app.session.game.root);
            const isAsSent = now.every((node, i) => node === nodes[i] && node.notes === message.nodes[i].notes);
            if (!isAsSent || now.length !== nodes.length) throw new Error('the game has changed, try again');
            const change = changeTo(game, written.game);
            if (change) app.session.change('judgements', change.redo, change.undo);
            app.say(`the judgements are in the game ${change ? 'now' : 'already'}`);
        } catch (error) {
            app.complain(error, 'nothing is written: ');
        }
        this.#isWriting = false;
    }
}
