// The tree of a game, its changes and their ways back, and what is kept of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as trees from '../page/game.js';
import { Session } from '../page/session.js';
import { pack, unpack } from '../page/store.js';

/** @param {string} moves */
function played(moves) {
    const session = new Session(trees.newGame(15, 'renju'));
    for (const move of moves.split(' ')) session.play(move);
    return session;
}

/** @param {Session} session */
function shape(session) {
    return JSON.stringify(trees.toMessage(session.game).message);
}

test('moves alternate and passes keep the order', () => {
    const { game, node } = played('h8 h9 pass i9');
    const position = trees.positionAt(game, node);
    assert.deepEqual(position.moves, ['h8', 'h9', 'pass', 'i9']);
    assert.deepEqual(
        trees.path(node).map((at) => at.color),
        [null, 'black', 'white', 'black', 'white'],
    );
    assert.equal(trees.side(position), 'black');
    assert.deepEqual([...trees.stonesOf(position)][2], ['i9', { color: 'white', number: 4 }]);
});

test('a move that is there is gone to, another becomes a variation', () => {
    const session = played('h8 h9');
    session.step(-1);
    session.play('h9');
    assert.equal(session.node.parent?.children.length, 1);
    session.step(-1);
    session.play('g9');
    assert.deepEqual(
        session.node.parent?.children.map(({ move }) => move),
        ['h9', 'g9'],
    );
    session.step(-1);
    session.step(1);
    assert.equal(session.node.move, 'g9', 'back and forth stays on one line');
    session.sibling(-1);
    assert.equal(session.node.move, 'h9');
});

test('every change has its way back and forth', () => {
    const session = played('h8 h9 i9');
    const states = [shape(session)];
    const change = (/** @type {() => void} */ act) => {
        act();
        states.push(shape(session));
    };
    session.step(-2);
    change(() => session.play('a1'));
    change(() => session.promote());
    change(() => session.annotate('comment', session.node, trees.withComment(session.node.notes, 'why <b>not</b>?')));
    change(() => session.annotate('triangle', session.node, trees.toggleMark(session.node.notes, 'c3', 'triangle')));
    change(() => session.annotate('label', session.node, trees.withLabel(session.node, 'd4', 'A')));
    change(() => session.setRule('caro'));
    change(() => session.set('name', 'properties', trees.withProperty(session.game.properties, 'PB', 'A')));
    change(() => session.set('result', 'result', 'black'));
    change(() => session.removeVariation());
    change(() => session.replace('new game', trees.newGame(19, 'standard')));
    for (let i = states.length - 2; i >= 0; i--) {
        assert.ok(session.undo());
        assert.equal(shape(session), states[i]);
    }
    for (let i = 1; i < states.length; i++) {
        assert.ok(session.redo());
        assert.equal(shape(session), states[i]);
    }
    assert.equal(session.redo(), null);
});

test('one undo takes back a text that was stored while it was being written', () => {
    const session = played('h8');
    const { node, game } = session;
    const before = shape(session);
    const { notes } = node;
    for (const text of ['w', 'wh', 'why']) node.notes = trees.withComment(node.notes, text);
    session.annotate('comment', node, trees.withComment(node.notes, 'why'), notes);
    assert.equal(trees.comment(node), 'why');
    const { properties } = game;
    game.properties = trees.withProperty(properties, 'PB', 'Ad');
    session.set('Black', 'properties', trees.withProperty(properties, 'PB', 'Ada'), properties);
    const after = shape(session);
    session.undo();
    assert.equal(trees.property(game, 'PB'), '');
    session.undo();
    assert.equal(shape(session), before);
    session.redo();
    session.redo();
    assert.equal(shape(session), after);
});

test('a way back touches nothing but its own change', () => {
    const session = played('h8 h9');
    session.set('event', 'properties', [['EV', 'Cup']]);
    // The end of a match is no change that undo takes back.
    session.game.result = 'black';
    session.undo();
    assert.equal(session.game.result, 'black');
    session.redo();
    assert.deepEqual([session.game.result, session.game.properties], ['black', [['EV', 'Cup']]]);
});

test('moves that were added since stay when the main line is put back', () => {
    const session = played('h8 h9');
    session.step(-1);
    const other = session.play('g9');
    session.promote();
    // The stones of an opening are added without a change.
    const added = trees.add(session.game, session.game.root, 'g8');
    session.undo();
    assert.deepEqual(
        session.game.root.children.map(({ move }) => move),
        ['h8', 'g8'],
    );
    assert.equal(trees.lastKept(session.game, added), added);
    assert.equal(other.parent?.children[1], other);
    session.redo();
    assert.equal(other.parent?.children[0], other);
});

test('another rule forgets what the engine has said, and undo brings it back', () => {
    const session = played('h8 h9');
    const { node } = session;
    node.value = { black: 1, mate: 5 };
    session.setRule('freestyle');
    assert.equal(node.value, null);
    const later = session.play('i9');
    later.value = { black: 0.25, mate: null };
    session.undo();
    session.undo();
    assert.deepEqual([session.game.rule, node.value], ['renju', { black: 1, mate: 5 }]);
    session.redo();
    assert.deepEqual([session.game.rule, node.value], ['freestyle', null]);
});

test('a comment of several parts is shown and changed as one', () => {
    const notes = /** @type {const} */ (['one', 'two']).map((text) => ({
        type: /** @type {const} */ ('comment'),
        text,
    }));
    assert.equal(trees.comment({ notes }), 'one\ntwo');
    assert.deepEqual(trees.withComment(notes, 'one\ntwo\nthree'), [{ type: 'comment', text: 'one\ntwo\nthree' }]);
});

test('a new label is a letter that the board does not have', () => {
    const { node } = played('h8');
    const put = (/** @type {string} */ point) => {
        node.notes = trees.withLabel(node, point, trees.nextLabel(node));
    };
    ['a1', 'a2', 'a3'].forEach(put);
    node.notes = trees.withLabel(node, 'a1', '');
    put('a4');
    const labels = trees.labelsOf(node).map(({ point, text }) => `${point} ${text}`);
    assert.deepEqual(labels, ['a2 B', 'a3 C', 'a4 A']);
    for (let i = 1; i <= 23; i++) put(`b${i}`);
    assert.equal(trees.nextLabel(node).length, 1, 'there are more points than letters');
});

test('the label at the own stone, which a file has apart, is a label', () => {
    const notes = [
        { type: /** @type {const} */ ('board_text'), text: 'A' },
        { type: /** @type {const} */ ('label'), point: 'c3', text: 'B' },
    ];
    const at = { move: 'h8', notes };
    assert.deepEqual(trees.labelsOf(at), [
        { point: 'h8', text: 'A' },
        { point: 'c3', text: 'B' },
    ]);
    assert.deepEqual(trees.withLabel(at, 'h8', ''), [notes[1]]);
    assert.deepEqual(trees.withLabel(at, 'c3', ''), [notes[0]]);
    // At a node without a stone it is the node's name.
    assert.deepEqual(trees.labelsOf({ move: null, notes }), [{ point: 'c3', text: 'B' }]);
});

test('what is left of a line after a change', () => {
    const session = played('h8 h9 i9 g9');
    const last = session.node;
    assert.equal(trees.lastKept(session.game, last), last);
    session.undo();
    assert.equal(trees.lastKept(session.game, last), last.parent);
    session.redo();
    session.step(-2);
    session.removeVariation();
    assert.equal(trees.lastKept(session.game, last)?.move, 'h8');
    session.replace('new game', trees.newGame(15, 'renju'));
    assert.equal(trees.lastKept(session.game, last), null);
});

test('a game survives being kept', () => {
    const session = played('h8 h9 i9');
    session.step(-1);
    session.play('g7');
    session.node.value = { black: 0.25, mate: -7, verdict: 'blunder' };
    session.annotate('comment', session.node, trees.withComment([], 'text'));
    const kept = JSON.parse(JSON.stringify(pack(session, { match: null }, 1)));
    const { game, node } = unpack(kept);
    assert.deepEqual(trees.toMessage(game).message, trees.toMessage(session.game).message);
    assert.equal(node.move, 'g7');
    assert.deepEqual(node.value, session.node.value);
});

test('how a game ends belongs to the game', () => {
    const session = new Session(trees.newGame(15, 'renju', 'rif'));
    session.play('h8');
    const kept = JSON.parse(JSON.stringify(pack(session, null, 1)));
    assert.equal(unpack(kept).game.ends, 'rif');
    session.replace('open', trees.fromMessage(trees.toMessage(session.game).message, 'renju').game);
    assert.equal(session.ends, 'plain');
    session.replace('position', trees.gameOf(session.position).game);
    assert.equal(session.ends, 'plain');
    session.undo();
    session.undo();
    assert.equal(session.ends, 'rif');
});

test('stones set in mid-game become stones of the start', () => {
    const { game, node } = played('h8 h9');
    const next = trees.add(game, node, 'i9');
    next.notes = [
        { type: 'setup', point: 'h9', color: null },
        { type: 'side', color: 'black' },
    ];
    const position = trees.positionAt(game, next);
    assert.deepEqual(position.setup, [{ point: 'h8', color: 'black' }]);
    assert.deepEqual([position.first, position.moves], ['black', ['i9']]);
});

test('a move is found by its point and its colour', () => {
    // White's i9 follows; the file also has Black's i9 there, out of turn.
    const sent = /** @type {const} */ ([
        [null, null, null],
        [0, 'black', 'h8'],
        [1, 'white', 'h9'],
        [1, 'black', 'i9'],
    ]).map(([parent, color, move]) => ({ parent, color, move, notes: [] }));
    const message = { ...trees.toMessage(trees.newGame(15, 'renju')).message, nodes: sent };
    const { game, nodes } = trees.fromMessage(message, 'renju');
    const session = new Session(game);
    session.go(nodes[1]);
    const made = session.play('i9');
    assert.equal(made.color, 'white');
    assert.deepEqual(
        nodes[1].children.map(({ color, move }) => `${color} ${move}`),
        ['white h9', 'black i9', 'white i9'],
    );
    session.go(nodes[1]);
    assert.equal(session.play('i9'), made, 'it is gone to the next time');
});
