// A game in the page: a tree of moves with notes. It knows neither the server nor the screen.

import { other } from './points.js';

/** @import { Color, Ends, Entry, Game as Message, Note, Position, Rule, Stone } from './schema.js' */

/**
 * Evaluation of a node's position: Black's expected score, plies to a proven end (positive if Black wins, 0 after the
 * winning move), the loss of the move, the best line in its place, and what an annotation writes into the game about
 * it.
 * @typedef {{ black: number, mate: number | null, verdict?: string, loss?: number, best?: string[],
 *     entry?: Entry | null }} Value
 */

/**
 * @typedef {object} Node
 * @property {number} id differs from node to node of a page
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {Color | null} color who moved
 * @property {string | null} move a point or `pass`
 * @property {Note[]} notes
 * @property {Value | null} value
 * @property {number} number moves from the root, this one included
 */

/**
 * @typedef {object} Game
 * @property {number} size
 * @property {Rule} rule
 * @property {Ends} ends how games end besides a row, a foul and a full board; files do not say it
 * @property {string} name of its file, without the extension
 * @property {string | null} result
 * @property {Stone[]} setup
 * @property {Color} first
 * @property {[string, string][]} properties
 * @property {Node} root
 */

/** The name of a game that comes from no file. */
export const UNNAMED = 'game';

/**
 * The evaluation that a side's share of the points and its plies to a proven end make.
 * @param {Color | null} side
 * @param {number} rate
 * @param {number | null} mate
 * @returns {Pick<Value, 'black' | 'mate'>}
 */
export function valueFor(side, rate, mate) {
    if (side === 'black') return { black: rate, mate };
    return { black: 1 - rate, mate: mate === null ? null : -mate };
}

/**
 * The same after a move of that side, from the value that it had before the move: one ply less is left.
 * @param {Color | null} side
 * @param {number} rate
 * @param {number | null} mate
 */
export function valueAfter(side, rate, mate) {
    return valueFor(side, rate, mate === null ? null : mate - Math.sign(mate));
}

let ids = 0;

/**
 * @param {Node | null} parent
 * @param {Color | null} color
 * @param {string | null} move
 * @returns {Node}
 */
function node(parent, color, move) {
    const number = (parent?.number ?? 0) + (move ? 1 : 0);
    return { id: ++ids, parent, children: [], color, move, notes: [], value: null, number };
}

/**
 * An empty board.
 * @param {number} size
 * @param {Rule} rule
 * @param {Ends} [ends]
 * @returns {Game}
 */
export function newGame(size, rule, ends = 'plain') {
    const root = node(null, null, null);
    return { size, rule, ends, name: UNNAMED, result: null, setup: [], first: 'black', properties: [], root };
}

/**
 * A position as a game.
 * @param {Position} position
 * @returns {{ game: Game, last: Node }}
 */
export function gameOf(position) {
    const game = { ...newGame(position.size, position.rule), setup: position.setup, first: position.first };
    let last = game.root;
    for (const move of position.moves) last = add(game, last, move);
    return { game, last };
}

/**
 * A game of the server.
 * @param {Message} message
 * @param {Rule} rule the rule where the file does not say it
 * @returns {{ game: Game, nodes: Node[] }} with the nodes in the message's order
 */
export function fromMessage(message, rule) {
    /** @type {Node[]} */
    const nodes = [];
    for (const sent of message.nodes) {
        const parent = sent.parent === null ? null : nodes[sent.parent];
        const made = node(parent, sent.color, sent.move);
        made.notes = sent.notes;
        parent?.children.push(made);
        nodes.push(made);
    }
    const root = nodes[0] ?? node(null, null, null);
    const { size, result, setup, first, properties } = message;
    const facts = { size, rule: message.rule ?? rule, ends: /** @type {Ends} */ ('plain'), name: UNNAMED };
    return { game: { ...facts, result, setup, first, properties, root }, nodes };
}

/** All nodes, parents before their children, children in their order. @param {Node} root */
export function walk(root) {
    const nodes = [];
    const open = [root];
    for (let next = open.pop(); next; next = open.pop()) {
        nodes.push(next);
        for (let i = next.children.length - 1; i >= 0; i--) open.push(next.children[i]);
    }
    return nodes;
}

/**
 * The game for the server, and its nodes in the message's order.
 * @param {Game} game
 * @returns {{ message: Message, nodes: Node[] }}
 */
export function toMessage(game) {
    const nodes = walk(game.root);
    const places = new Map(nodes.map((node, i) => [node, i]));
    const { size, rule, result, setup, first, properties } = game;
    const sent = nodes.map((node) => ({
        parent: node.parent ? (places.get(node.parent) ?? 0) : null,
        color: node.color,
        move: node.move,
        notes: node.notes,
    }));
    return { message: { size, rule, result, setup, first, properties, nodes: sent }, nodes };
}

/** The nodes from the root to a node, both included. @param {Node} last */
export function path(last) {
    const nodes = [];
    for (let at = /** @type {Node | null} */ (last); at; at = at.parent) nodes.push(at);
    return nodes.reverse();
}

/**
 * The last node on the way to a node that is still in a game: the node itself unless a change has taken it out.
 * @param {Game} game
 * @param {Node} last
 * @returns {Node | null} `null` if the node belongs to another game
 */
export function lastKept(game, last) {
    const nodes = path(last);
    if (nodes[0] !== game.root) return null;
    const gone = nodes.findIndex((node) => node.parent && !node.parent.children.includes(node));
    return gone < 0 ? last : nodes[gone - 1];
}

/** The line through a node: from the root to it, and on by first children. @param {Node} through */
export function line(through) {
    const nodes = path(through);
    for (let at = through.children[0]; at; at = at.children[0]) nodes.push(at);
    return nodes;
}

/**
 * The position at a node. A turn out of order reads as after a pass; stones set in mid-game turn what came before them
 * into stones of the start.
 * @param {Game} game
 * @param {Node} at
 * @returns {Position}
 */
export function positionAt(game, at) {
    /** @type {Position} */
    let position = { size: game.size, rule: game.rule, setup: game.setup, first: game.first, moves: [] };
    for (const node of path(at)) {
        for (const note of node.notes) {
            if (note.type === 'setup') position = edited(position, note.point, note.color);
            if (note.type === 'side') position = withSide(position, note.color);
        }
        if (node.move && node.color) {
            position = withSide(position, node.color);
            position.moves.push(node.move);
        }
    }
    return position;
}

/** The side to move. @param {Position} position */
export function side(position) {
    return position.moves.length % 2 === 0 ? position.first : other(position.first);
}

/**
 * @param {Position} position
 * @param {Color} color
 * @returns {Position}
 */
function withSide(position, color) {
    if (side(position) !== color) {
        if (position.moves.length === 0) return { ...position, first: color };
        position.moves.push('pass');
    }
    return position;
}

/**
 * All stones, with the number of their move, 0 for stones of the start.
 * @param {Position} position
 * @returns {Map<string, { color: Color, number: number }>}
 */
export function stonesOf(position) {
    /** @type {Map<string, { color: Color, number: number }>} */
    const stones = new Map();
    for (const { point, color } of position.setup) stones.set(point, { color, number: 0 });
    position.moves.forEach((move, i) => {
        const color = i % 2 === 0 ? position.first : other(position.first);
        if (move !== 'pass') stones.set(move, { color, number: i + 1 });
    });
    return stones;
}

/**
 * The position with these stones in place of its own, none of them put by a move.
 * @param {Position} position
 * @param {ReturnType<typeof stonesOf>} stones
 * @returns {Position}
 */
export function withStones(position, stones) {
    const setup = [...stones].map(([point, { color }]) => ({ point, color }));
    return { ...position, setup, first: side(position), moves: [] };
}

/**
 * The position with another stone on a point, or none.
 * @param {Position} position
 * @param {string} point
 * @param {Color | null} color
 * @returns {Position}
 */
export function edited(position, point, color) {
    const stones = stonesOf(position);
    stones.delete(point);
    if (color) stones.set(point, { color, number: 0 });
    return withStones(position, stones);
}

/**
 * The child with a move of the side to move. A file may have the same point as a move out of turn.
 * @param {Game} game
 * @param {Node} parent
 * @param {string} move
 */
export function childWith(game, parent, move) {
    const same = parent.children.filter((child) => child.move === move);
    if (!same.length) return undefined;
    const color = side(positionAt(game, parent));
    return same.find((child) => child.color === color);
}

/**
 * The child with a move of the side to move, made if it is not there.
 * @param {Game} game
 * @param {Node} parent
 * @param {string} move
 * @returns {Node}
 */
export function add(game, parent, move) {
    const found = childWith(game, parent, move);
    if (found) return found;
    const child = node(parent, side(positionAt(game, parent)), move);
    parent.children.push(child);
    return child;
}

/**
 * Removes a node and everything below it from the tree.
 * @param {Node} gone
 * @returns {() => void} puts it back where it was
 */
export function remove(gone) {
    const { parent } = gone;
    if (!parent) throw new Error('the root stays');
    const place = parent.children.indexOf(gone);
    parent.children.splice(place, 1);
    return () => parent.children.splice(place, 0, gone);
}

/** Whether a node is on the main line. @param {Node} last */
export function isMain(last) {
    return path(last).every((node) => !node.parent || node.parent.children[0] === node);
}

/**
 * Makes the line to a node the main line.
 * @param {Node} last
 * @returns {() => void} puts each of its moves back into its place; moves that were added since stay
 */
export function promote(last) {
    const line = path(last).slice(1);
    const places = line.map((at) => putAt(at, 0));
    return () => line.forEach((at, i) => putAt(at, places[i]));
}

/**
 * Gives a node another place among the variations of its move.
 * @param {Node} at
 * @param {number} place
 * @returns {number} the place that it had
 */
function putAt(at, place) {
    const { children } = /** @type {Node} */ (at.parent);
    const before = children.indexOf(at);
    children.splice(before, 1);
    children.splice(place, 0, at);
    return before;
}

/** The comment of a node. A file may have it in several parts. @param {Pick<Node, 'notes'>} at */
export function comment(at) {
    return at.notes.flatMap((note) => (note.type === 'comment' ? [note.text] : [])).join('\n');
}

/**
 * Returns the notes with this comment in place of the old one.
 * @param {Note[]} notes
 * @param {string} text
 * @returns {Note[]}
 */
export function withComment(notes, text) {
    const kept = notes.filter((note) => note.type !== 'comment');
    return text ? [...kept, { type: 'comment', text }] : kept;
}

/**
 * The notes with a mark set on a point, or taken from it.
 * @param {Note[]} notes
 * @param {string} point
 * @param {'triangle' | 'square' | 'circle' | 'cross' | 'selected'} mark
 * @returns {Note[]}
 */
export function toggleMark(notes, point, mark) {
    const kept = notes.filter((note) => !(note.type === 'mark' && note.point === point));
    const had = notes.some((note) => note.type === 'mark' && note.point === point && note.mark === mark);
    return had ? kept : [...kept, { type: 'mark', point, mark }];
}

/**
 * The texts on the board. Files have that at the node's own stone apart.
 * @param {Pick<Node, 'notes' | 'move'>} at
 */
export function labelsOf({ notes, move }) {
    return notes.flatMap((note) => {
        if (note.type === 'label') return [{ point: note.point, text: note.text }];
        return note.type === 'board_text' && move && move !== 'pass' ? [{ point: move, text: note.text }] : [];
    });
}

/** Labels, in the order in which they are given. */
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * The label for one more point: the first letter that the board has not yet; if it has all, one of them again.
 * @param {Pick<Node, 'notes' | 'move'>} at
 */
export function nextLabel(at) {
    const taken = labelsOf(at).map(({ text }) => text);
    return LETTERS.find((letter) => !taken.includes(letter)) ?? LETTERS[taken.length % LETTERS.length];
}

/**
 * The notes with a label on a point, or without one there.
 * @param {Pick<Node, 'notes' | 'move'>} at
 * @param {string} point
 * @param {string} text
 * @returns {Note[]}
 */
export function withLabel({ notes, move }, point, text) {
    const isHere = (/** @type {Note} */ note) =>
        note.type === 'label' ? note.point === point : note.type === 'board_text' && move === point;
    const kept = notes.filter((note) => !isHere(note));
    return text ? [...kept, { type: 'label', point, text }] : kept;
}

/**
 * The first property of a name.
 * @param {Pick<Game, 'properties'>} game
 * @param {string} key
 */
export function property(game, key) {
    return game.properties.find(([name]) => name === key)?.[1] ?? '';
}

/**
 * The properties with another value of a name.
 * @param {[string, string][]} properties
 * @param {string} key
 * @param {string} value
 * @returns {[string, string][]}
 */
export function withProperty(properties, key, value) {
    const kept = properties.filter(([name]) => name !== key);
    return value ? [...kept, [key, value]] : kept;
}
