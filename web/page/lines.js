// Lines of play as buttons: each shows the line up to its move on the board while it is pointed at, and plays it when
// it is pressed.

import { button } from './dom.js';
import { other } from './points.js';

/** @import { Color } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Ghost } from './view.js' */

/**
 * The stones of a line of play, each with its number.
 * @param {string[]} moves
 * @param {Color} side who makes the first move
 * @returns {Ghost[]}
 */
export function ghosts(moves, side) {
    return moves.flatMap((move, i) => {
        const color = i % 2 === 0 ? side : other(side);
        return move === '-' || move === 'pass' ? [] : [{ point: move, color, text: String(i + 1) }];
    });
}

export class LineButtons {
    /** The button whose line is on the board. @type {EventTarget | null} */
    #shown = null;

    /** @param {App} app */
    constructor(app) {
        this.app = app;
    }

    /**
     * The moves of a line, one button each.
     * @param {string[]} moves
     * @param {Color} side who makes the first of them
     * @param {number} [count] how many of them become buttons
     */
    of(moves, side, count = moves.length) {
        return moves.slice(0, count).map((name, i) => {
            const line = moves.slice(0, i + 1);
            const show = (/** @type {Event} */ event) => {
                this.#shown = event.currentTarget;
                this.app.board.showLine(ghosts(line, side));
            };
            const hide = () => this.hide();
            return button(name, () => this.app.moves.playLine(line, side), {
                class: `move ${i % 2 === 0 ? side : other(side)}`,
                title: 'Play up to here',
                onpointerenter: show,
                onpointerleave: hide,
                onfocus: show,
                onblur: hide,
            });
        });
    }

    /** Takes the line off the board. */
    hide() {
        if (!this.#shown) return;
        this.#shown = null;
        this.app.board.showLine([]);
    }

    /** Takes the line of a button off the board that is not in the page any more: nobody tells it that it was left. */
    settle() {
        if (this.#shown instanceof Node && !this.#shown.isConnected) this.hide();
    }
}
