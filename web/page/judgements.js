// The judgements of an annotation as a game has them: what it would write at the moves, and the change that writes it.

import { comment, fromMessage, remove, walk } from './game.js';

/** @import { Entry, Game as Message, Note } from './schema.js' */
/** @import { Game, Node } from './game.js' */

/** The entries that are known, each with the place of its node. @param {Node[]} nodes */
export function entriesOf(nodes) {
    return nodes.flatMap(({ value }, i) => (value?.entry ? [/** @type {[number, Entry]} */ ([i, value.entry])] : []));
}

/** Whether the game itself has the judgements that are known. @param {Game} game */
export function isWritten(game) {
    return walk(game.root).every((node) => !node.value?.entry || comment(node).includes(node.value.entry.comment));
}

/**
 * Whether two nodes have the same notes, in any order.
 * @param {Note[]} a
 * @param {Note[]} b
 */
function isSame(a, b) {
    const text = (/** @type {Note[]} */ notes) => String(notes.map((note) => JSON.stringify(note)).sort());
    return text(a) === text(b);
}

/**
 * The change of a game into what the program made of it, which has other notes at the judged moves, and new variations
 * behind those that were there.
 * @param {Game} game
 * @param {Message} written
 * @returns {{ redo: () => void, undo: () => void } | null} `null` if they are the same
 */
export function changeTo(game, written) {
    /** @type {{ redo: () => unknown, undo: () => unknown }[]} */
    const parts = [];
    /** @type {[Node, Node][]} */
    const open = [[game.root, fromMessage(written, game.rule).game.root]];
    for (let pair = open.pop(); pair; pair = open.pop()) {
        const [node, { notes, children }] = pair;
        const old = node.notes;
        if (node.value?.entry && !isSame(old, notes)) {
            parts.push({ redo: () => (node.notes = notes), undo: () => (node.notes = old) });
        }
        const added = children.slice(node.children.length);
        for (const child of added) child.parent = node;
        if (added.length) parts.push({ redo: () => node.children.push(...added), undo: () => added.forEach(remove) });
        node.children.forEach((child, i) => open.push([child, children[i]]));
    }
    if (!parts.length) return null;
    return { redo: () => parts.forEach((part) => part.redo()), undo: () => parts.forEach((part) => part.undo()) };
}
