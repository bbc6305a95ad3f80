// The node where a match or a puzzle goes on: the last move played that is in the tree. Undo and deletions take moves
// out of the tree, and redo puts them back.

import { lastKept } from './game.js';

/** @import { Node } from './game.js' */
/** @import { Session } from './session.js' */

export class Tip {
    /** The last move that was played, which redo may bring back. @type {Node | null} */
    #played = null;

    /** @param {Session} session */
    constructor(session) {
        this.session = session;
    }

    /** The last move played that is in the tree; `null` if none was played, or another game is on the board. */
    get node() {
        return this.#played && lastKept(this.session.game, this.#played);
    }

    set node(node) {
        this.#played = node;
    }
}
