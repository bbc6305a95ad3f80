// A proven win to walk through: the attacker's moves and the defender's replies, on the board and in words.

import { button, el } from './dom.js';
import { ghosts } from './lines.js';
import { other } from './points.js';
import { by, count } from './words.js';

/** @import { Color, Proof, Turn } from './schema.js' */
/** @import { App } from './app.js' */

/** Replies that are shown as buttons. */
const REPLIES = 60;

export class ProofView {
    element = el('section', { class: 'proof', hidden: true, 'aria-label': 'Proof' });
    /** @type {Proof | null} */
    #proof = null;
    /** @type {Color} */
    #attacker = 'black';
    /** The way through the proof so far: turns by their places, and the defender's replies between them. */
    /** @type {{ turn: number, reply: string | null }[]} */
    #walk = [];
    /** Ends the engine's search for the proof. */
    #work = new AbortController();
    /** The element that had the focus when the proof was asked for. @type {Element | null} */
    #asker = null;

    /** @param {App} app */
    constructor(app) {
        this.app = app;
    }

    close() {
        this.#work.abort();
        if (this.element.hidden) return;
        const hadFocus = this.element.contains(document.activeElement);
        this.element.hidden = true;
        if (hadFocus && this.#asker instanceof HTMLElement) this.#asker.focus({ preventScroll: true });
        this.#proof = null;
        this.app.board.keepLine([]);
    }

    /** @param {'vcf' | 'vct'} kind @param {Color} attacker */
    async find(kind, attacker) {
        const { app } = this;
        this.#work.abort();
        const { signal } = (this.#work = new AbortController());
        this.#asker = document.activeElement;
        this.element.hidden = false;
        const win = `win ${by(kind)}`;
        this.#say(`Looking for ${attacker}’s ${win}…`);
        try {
            const { position } = app.session;
            const proof = await app.connection.ask({ type: 'solve', position, attacker, kind }, 'proof', signal);
            if (signal.aborted) return;
            this.#proof = proof;
            this.#attacker = attacker;
            this.#walk = [{ turn: 0, reply: null }];
            if (proof.result === 'win') {
                this.#show();
                app.say(this.#title(proof));
            } else {
                const none = `${attacker} has no ${win}: everything was searched.`;
                this.#say(proof.result === 'no_win' ? none : 'Unknown: the time was not enough.');
            }
        } catch (error) {
            if (!signal.aborted) this.#say(/** @type {Error} */ (error).message);
        }
    }

    /** @param {Proof} proof of a win */
    #title({ length }) {
        return `${this.#attacker} wins in ${length}`;
    }

    /**
     * Says something in place of a proof, and announces it: the focus is elsewhere, and the panel may be out of sight.
     * @param {string} text
     */
    #say(text) {
        this.app.say(text);
        this.app.board.keepLine([]);
        this.element.replaceChildren(
            el('p', {}, text),
            button('Close', () => this.close()),
        );
    }

    /** The moves walked, the present attacker's move included. */
    #moves() {
        const proof = /** @type {Proof} */ (this.#proof);
        return this.#walk.flatMap(({ turn, reply }) => {
            const move = proof.turns[turn].move;
            return reply === null ? [move] : [reply, move];
        });
    }

    #show() {
        const proof = /** @type {Proof} */ (this.#proof);
        const { turn: at } = this.#walk[this.#walk.length - 1];
        const turn = proof.turns[at];
        const moves = this.#moves();
        const attacker = this.#attacker;
        this.app.board.keepLine(ghosts(moves, attacker));
        const walked = moves.map((move, i) => {
            const color = i % 2 === 0 ? attacker : other(attacker);
            return button(move, () => this.#back(Math.floor(i / 2)), { class: `move ${color}` });
        });
        const cut = proof.cut ? ' Only its first turns are here.' : '';
        this.element.replaceChildren(
            el('h3', {}, this.#title(proof)),
            el('p', { class: 'hint' }, `A proof of ${count(proof.turns.length, 'turn')}, verified.${cut}`),
            el('p', { class: 'moves' }, ...walked),
            this.#next(turn),
            el(
                'div',
                { class: 'row wrap' },
                this.#walk.length > 1 ? button('Back', () => this.#back(this.#walk.length - 2)) : null,
                button('Add this line to the game', () => this.app.moves.playLine(moves, attacker)),
                button('Close', () => this.close()),
            ),
        );
    }

    /** @param {Turn} turn */
    #next(turn) {
        if (turn.five) return el('p', { class: 'good' }, 'Five in a row.');
        /** @type {HTMLElement[]} */
        const answers = turn.replies
            .slice(0, REPLIES)
            .map(({ move, answer }) =>
                button(move, () => this.#go(move, answer), { class: `move ${other(this.#attacker)}` }),
            );
        if (turn.otherwise !== null) {
            const rest = /** @type {number} */ (turn.otherwise);
            answers.push(button('any other', () => this.#go('-', rest), { class: 'move any' }));
        } else if (turn.cut) answers.push(el('span', {}, ' other replies: this part of the proof was left out.'));
        else answers.push(el('span', {}, answers.length ? ' any other: a five at once' : 'Whatever follows: five.'));
        return el(
            'div',
            {},
            el('p', {}, `${turn.length} plies left. The defender’s replies:`),
            el('p', { class: 'moves' }, ...answers),
        );
    }

    /** @param {string} reply @param {number} turn */
    #go(reply, turn) {
        this.#walk.push({ turn, reply });
        this.#walked();
    }

    /** @param {number} length */
    #back(length) {
        this.#walk.length = Math.max(1, length + 1);
        this.#walked();
    }

    /** Shows another turn. Its buttons are new ones: who uses the keyboard goes on at the first. */
    #walked() {
        this.#show();
        this.element.querySelector('button')?.focus({ preventScroll: true });
    }
}
