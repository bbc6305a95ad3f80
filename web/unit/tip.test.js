// Tests of the node where a match or a puzzle goes on after changes of the tree.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { newGame } from '../page/game.js';
import { Session } from '../page/session.js';
import { Tip } from '../page/tip.js';

test('a tip follows undo, redo, deletions and other games', () => {
    const session = new Session(newGame(15, 'renju'));
    const tip = new Tip(session);
    assert.equal(tip.node, null);
    for (const move of ['h8', 'h9', 'i9']) session.play(move);
    const last = session.node;
    tip.node = last;
    assert.equal(tip.node, last);
    session.undo();
    assert.equal(tip.node, last.parent);
    session.redo();
    assert.equal(tip.node, last, 'redo brings it back');
    session.step(-1);
    session.removeVariation();
    assert.equal(tip.node?.move, 'h8');
    session.undo();
    assert.equal(tip.node, last);
    session.replace('new game', newGame(15, 'renju'));
    assert.equal(tip.node, null, 'another game is on the board');
    session.undo();
    assert.equal(tip.node, last);
    tip.node = null;
    assert.equal(tip.node, null);
});
