// Facts of positions: asked for once, and for the position that is on the board at last.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { newGame } from '../page/game.js';
import { Referee } from '../page/referee.js';
import { Session } from '../page/session.js';

/** @import { Connection } from '../page/connection.js' */

/**
 * A game at its start, whose facts are asked for by hand: the questions that wait, each with its answer.
 * @param {string} [moves]
 */
function judged(moves = '') {
    const session = new Session(newGame(15, 'renju'));
    for (const move of moves.split(' ').filter(Boolean)) session.play(move);
    session.step(-Infinity);
    /** @type {{ moves: string, answer: () => void, refuse: () => void }[]} */
    const asked = [];
    const ask = (/** @type {any} */ { position }) =>
        new Promise((resolve, reject) => {
            const moves = position.moves.join('');
            asked.push({
                moves,
                answer: () => resolve({ type: 'facts', text: moves }),
                refuse: () => reject(new Error(`no facts of ${moves}`)),
            });
        });
    const referee = new Referee(session, /** @type {Connection} */ (/** @type {unknown} */ ({ ask, isOpen: true })));
    /** @type {string[]} */
    const heard = [];
    referee.onfacts = ({ text }) => heard.push(text);
    referee.onerror = (text) => heard.push(text);
    session.watch((what) => {
        referee.changed(what);
        void referee.refresh();
    });
    return { session, referee, asked, heard };
}

/** Lets all that waits for an answer go on. */
function settle() {
    return new Promise(setImmediate);
}

test('of positions that are passed quickly, the first and the last are asked for', async () => {
    const { session, referee, asked, heard } = judged('h8 h9 i9');
    const known = () => referee.facts?.text;
    for (let i = 0; i < 3; i++) session.step(1);
    assert.equal(known(), undefined);
    asked[0].answer();
    await settle();
    assert.deepEqual(
        asked.map(({ moves }) => moves),
        ['h8', 'h8h9i9'],
    );
    asked[1].answer();
    await settle();
    assert.deepEqual(heard, ['h8h9i9']);
    session.step(-2);
    assert.equal(known(), 'h8');
    assert.equal(asked.length, 2, 'what is known is not asked for again');
});

test('an error about a position that was left says nothing, and the present one is asked for', async () => {
    const { session, asked, heard } = judged();
    session.play('h8');
    session.play('h9');
    asked[0].refuse();
    await settle();
    assert.equal(asked[1]?.moves, 'h8h9');
    asked[1].answer();
    await settle();
    session.play('i9');
    asked[2].refuse();
    await settle();
    assert.deepEqual(heard, ['h8h9', 'no facts of h8h9i9']);
    session.play('i10');
    assert.equal(asked.length, 4, 'after an error the next position is asked for');
});

test('an answer about the game before a change is void', async () => {
    const { session, referee, asked, heard } = judged();
    session.play('h8');
    session.setRule('freestyle');
    asked[0].answer();
    await settle();
    assert.deepEqual(heard, []);
    assert.equal(asked.length, 2);
    asked[1].answer();
    await settle();
    assert.equal(referee.facts?.text, 'h8');
});
