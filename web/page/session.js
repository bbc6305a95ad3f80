// The game on the screen: the current place in it, and every change with its undo.

import * as trees from './game.js';

/** @import { Position, Rule } from './schema.js' */
/** @import { Game, Node, Value } from './game.js' */

/**
 * A change: how it is made again and how it is taken back, and where the game stood before and after it.
 * @typedef {{ label: string, redo: () => void, undo: () => void, before: Node, after: Node }} Change
 */

/** @typedef {'move' | 'tree' | 'game'} What another position, another tree, another game */

export class Session {
    /** @type {Set<(what: What) => void>} */
    #listeners = new Set();
    /** @type {Change[]} */
    #done = [];
    /** @type {Change[]} */
    #undone = [];
    /** @type {{ node: Node, position: Position } | null} */
    #position = null;

    /**
     * @param {Game} game
     * @param {number} [most] changes that can be taken back
     */
    constructor(game, most = 500) {
        this.most = most;
        this.game = game;
        this.node = game.root;
    }

    /**
     * Adds a listener to every change. A later kind of change includes the earlier kinds.
     * @param {(what: What) => void} listener
     */
    watch(listener) {
        this.#listeners.add(listener);
    }

    /** @param {What} what */
    tell(what) {
        if (what !== 'move') this.#position = null;
        for (const listener of this.#listeners) listener(what);
    }

    /** The ends that the game on the board knows. */
    get ends() {
        return this.game.ends;
    }

    /** The position on the board. */
    get position() {
        if (this.#position?.node !== this.node) {
            this.#position = { node: this.node, position: trees.positionAt(this.game, this.node) };
        }
        return this.#position.position;
    }

    /** The position at a node of the game. @param {Node} node */
    positionOf(node) {
        return node === this.node ? this.position : trees.positionAt(this.game, node);
    }

    /** @param {Node} node */
    go(node) {
        if (node === this.node) return;
        this.node = node;
        this.tell('move');
    }

    /** @param {number} steps forwards, or backwards if negative */
    step(steps) {
        let at = this.node;
        for (let left = steps; left > 0 && at.children[0]; left--) at = this.#next(at);
        for (let left = steps; left < 0 && at.parent; left++) {
            this.#visited.set(at.parent, at);
            at = at.parent;
        }
        this.go(at);
    }

    /**
     * The child that was last looked at, so that going back and forth stays on one line.
     * @type {WeakMap<Node, Node>}
     */
    #visited = new WeakMap();

    /** @param {Node} at @returns {Node} */
    #next(at) {
        const visited = this.#visited.get(at);
        return visited && at.children.includes(visited) ? visited : at.children[0];
    }

    /**
     * Goes to another variation of the same move.
     * @param {number} way 1 for the next one, -1 for the previous one
     */
    sibling(way) {
        const { parent } = this.node;
        if (!parent) return;
        const place = parent.children.indexOf(this.node) + way;
        const next = parent.children[place];
        if (next) {
            this.#visited.set(parent, next);
            this.go(next);
        }
    }

    /**
     * Makes a change that can be taken back.
     * @param {string} label
     * @param {() => void} redo
     * @param {() => void} undo
     * @param {Node} [after] where the game stands then
     * @param {What} [what]
     */
    change(label, redo, undo, after = this.node, what = 'tree') {
        const before = this.node;
        redo();
        this.#done.push({ label, redo, undo, before, after });
        if (this.#done.length > this.most) this.#done.shift();
        this.#undone = [];
        this.node = after;
        this.tell(what);
    }

    /** The change that undo would take back. */
    get undoable() {
        return this.#done.at(-1)?.label ?? null;
    }

    /** The change that redo would make again. */
    get redoable() {
        return this.#undone.at(-1)?.label ?? null;
    }

    undo() {
        const change = this.#done.pop();
        if (!change) return null;
        change.undo();
        this.#undone.push(change);
        this.node = change.before;
        this.tell('game');
        return change.label;
    }

    redo() {
        const change = this.#undone.pop();
        if (!change) return null;
        change.redo();
        this.#done.push(change);
        this.node = change.after;
        this.tell('game');
        return change.label;
    }

    /**
     * Replaces this game by another one.
     * @param {string} label
     * @param {Game} game
     * @param {Node} [node]
     */
    replace(label, game, node = game.root) {
        const old = this.game;
        this.change(
            label,
            () => (this.game = game),
            () => (this.game = old),
            node,
            'game',
        );
    }

    /**
     * Plays a move from the present position: a new variation, or one that is there.
     * @param {string} move
     * @param {Node} [parent]
     * @returns {Node}
     */
    play(move, parent = this.node) {
        const { game } = this;
        const known = trees.childWith(game, parent, move);
        if (known) {
            this.go(known);
            return known;
        }
        const made = trees.add(game, parent, move);
        let back = trees.remove(made);
        this.change(
            `move ${move}`,
            () => back(),
            () => (back = trees.remove(made)),
            made,
        );
        return made;
    }

    /** Takes the present move out, with all that follows. */
    removeVariation() {
        const gone = this.node;
        if (!gone.parent) return;
        let back = () => {};
        this.change(
            'delete',
            () => (back = trees.remove(gone)),
            () => back(),
            gone.parent,
        );
    }

    /** Makes the present line the main line. */
    promote() {
        const last = this.node;
        let back = () => {};
        this.change(
            'main line',
            () => (back = trees.promote(last)),
            () => back(),
        );
    }

    /**
     * @param {string} label
     * @param {Node} node
     * @param {Node['notes']} notes
     * @param {Node['notes']} [old] what undo brings back
     */
    annotate(label, node, notes, old = node.notes) {
        this.change(
            label,
            () => (node.notes = notes),
            () => (node.notes = old),
        );
    }

    /**
     * Changes one fact about the game, and nothing else: others may change without a change that can be taken back.
     * @template {'properties' | 'result' | 'setup' | 'first'} K
     * @param {string} label
     * @param {K} key
     * @param {Game[K]} value
     * @param {Game[K]} [old] what undo brings back
     */
    set(label, key, value, old = this.game[key]) {
        const { game } = this;
        this.change(
            label,
            () => (game[key] = value),
            () => (game[key] = old),
            this.node,
            'game',
        );
    }

    /**
     * Changes the rule. What the engine has said about the positions does not hold under another one.
     * @param {Rule} rule
     */
    setRule(rule) {
        const { game } = this;
        const old = game.rule;
        if (rule === old) return;
        /** @type {Map<Node, Value | null>} */
        let values = new Map();
        const put = (/** @type {Rule} */ now, /** @type {typeof values} */ known) => {
            game.rule = now;
            for (const node of trees.walk(game.root)) node.value = known.get(node) ?? null;
        };
        const redo = () => {
            values = new Map(trees.walk(game.root).map((node) => [node, node.value]));
            put(rule, new Map());
        };
        this.change(`rule ${rule}`, redo, () => put(old, values), this.node, 'game');
    }
}
