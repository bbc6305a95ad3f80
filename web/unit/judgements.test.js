// The judgements of an annotation on their way into a game.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as trees from '../page/game.js';
import { changeTo, entriesOf, isWritten } from '../page/judgements.js';
import { Session } from '../page/session.js';
import { pack, unpack } from '../page/store.js';

/** @import { Entry, Note } from '../page/schema.js' */

/** @type {Entry} */
const ENTRY = { comment: 'Score 3 (52 % for Black).', properties: [['V', '3']], line: ['a1', 'b1'] };

/** A game of two moves, with a mark and a comment, the second move judged. */
function judged() {
    const session = new Session(trees.newGame(15, 'renju'));
    const { game } = session;
    session.play('h8');
    const last = session.play('h9');
    last.notes = [
        { type: 'mark', point: 'h8', mark: 'circle' },
        { type: 'comment', text: 'mine' },
    ];
    last.value = { black: 0.52, mate: null, verdict: 'mistake', entry: ENTRY };
    return { session, game, last };
}

/**
 * The game as the program writes the entry into it: the better line beside the last move.
 * @param {ReturnType<typeof judged>} of
 */
function written({ game, last }) {
    const { message } = trees.toMessage(game);
    /** @type {Note[]} */
    const notes = [
        { type: 'comment', text: `mine\n\n${ENTRY.comment}` },
        ...last.notes.slice(0, 1),
        { type: 'property', key: 'V', value: '3' },
    ];
    const nodes = message.nodes.map((node) => (node.move === 'h9' ? { ...node, notes } : node));
    nodes.push(
        { parent: 1, color: 'white', move: 'a1', notes: [] },
        { parent: 3, color: 'black', move: 'b1', notes: [] },
    );
    return { ...message, nodes };
}

test('judgements are written as one change, which is undone', () => {
    const of = judged();
    const { session, game, last } = of;
    assert.deepEqual(entriesOf(trees.walk(game.root)), [[2, ENTRY]]);
    assert.equal(isWritten(game), false);
    const later = written(of);
    const before = JSON.stringify(trees.toMessage(game).message);
    const change = changeTo(game, later);
    assert.ok(change);
    assert.equal(JSON.stringify(trees.toMessage(game).message), before, 'nothing is changed yet');
    session.change('judgements', change.redo, change.undo);
    const after = trees.toMessage(game).message;
    assert.deepEqual(after, later);
    assert.equal(session.node, last, 'the nodes stay the same ones');
    const line = last.parent?.children[1].children[0];
    assert.deepEqual([line?.number, line && trees.path(line)[0]], [3, game.root]);
    assert.equal(isWritten(game), true);
    assert.equal(changeTo(game, later), null, 'a second time changes nothing');
    session.undo();
    assert.equal(JSON.stringify(trees.toMessage(game).message), before);
    session.redo();
    assert.deepEqual(trees.toMessage(game).message, after);
});

test('the notes of moves without a judgement stay as they are', () => {
    const of = judged();
    const { game, last } = of;
    last.value = null;
    const change = changeTo(game, { ...written(of), nodes: written(of).nodes.slice(0, 3) });
    assert.equal(change, null);
    assert.equal(trees.comment(last), 'mine');
    assert.ok(isWritten(game), 'nothing is known that the game lacks');
});

test('a reload keeps what may still be written', () => {
    const { session } = judged();
    const kept = unpack(JSON.parse(JSON.stringify(pack(session, null, 0))));
    assert.deepEqual(entriesOf(trees.walk(kept.game.root)), [[2, ENTRY]]);
});
