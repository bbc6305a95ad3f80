// The button that writes judgements into the game, on a page of elements that nobody sees.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Annotation } from '../page/annotation.js';
import { comment, newGame, toMessage, walk } from '../page/game.js';
import { Session } from '../page/session.js';
import { Part, putPage, settle } from './parts.js';

/** @import { App } from '../page/app.js' */
/** @import { Entry } from '../page/schema.js' */

putPage();

/** @type {Entry} */
const ENTRY = { comment: 'Score 3 (52 % for Black).', properties: [], line: [] };

/** A game of one move, which is judged, and a program that writes or refuses when it is told to. */
function judged() {
    const session = new Session(newGame(15, 'renju'));
    session.play('h8').value = { black: 0.52, mate: null, verdict: 'good', entry: ENTRY };
    const { game } = session;
    /** The questions that wait for an answer. @type {{ write: () => void, refuse: () => void }[]} */
    const asked = [];
    /** @type {string[]} */
    const said = [];
    const ask = () => {
        const { message } = toMessage(game);
        const [root, ...nodes] = message.nodes;
        /** @type {typeof root.notes} */
        const notes = [{ type: 'comment', text: ENTRY.comment }];
        const written = { ...message, nodes: [root, ...nodes.map((node) => ({ ...node, notes }))] };
        return new Promise((resolve, reject) => {
            asked.push({
                write: () => resolve({ type: 'written', game: written }),
                refuse: () => reject(new Error('the connection to the program is lost')),
            });
        });
    };
    const app = {
        session,
        connection: { ask },
        say: (/** @type {string} */ text) => said.push(text),
        complain: (/** @type {Error} */ error, /** @type {string} */ about) => said.push(about + error.message),
    };
    const annotation = new Annotation(/** @type {App} */ (/** @type {unknown} */ (app)));
    const button = /** @type {unknown} */ (annotation.write);
    assert.ok(button instanceof Part);
    const press = () => button.on.click();
    return { session, asked, said, press, comments: () => walk(game.root).map(comment).join('') };
}

test('a second press while the judgements are being written says and does nothing', async () => {
    const { session, asked, said, press, comments } = judged();
    press();
    press();
    assert.equal(asked.length, 1);
    asked[0].write();
    await settle();
    assert.deepEqual(said, ['the judgements are in the game now']);
    assert.equal(comments(), ENTRY.comment);
    press();
    asked[1].write();
    await settle();
    assert.deepEqual(said.slice(1), ['the judgements are in the game already']);
    session.undo();
    assert.equal(comments(), '', 'they are one change');
});

test('after an error the judgements can be written', async () => {
    const { asked, said, press, comments } = judged();
    press();
    asked[0].refuse();
    await settle();
    assert.deepEqual(said, ['nothing is written: the connection to the program is lost']);
    press();
    asked[1].write();
    await settle();
    assert.deepEqual(said.slice(1), ['the judgements are in the game now']);
    assert.equal(comments(), ENTRY.comment);
});

test('a game that changes while the judgements are being written stays as it is', async () => {
    const { session, asked, said, press, comments } = judged();
    press();
    session.play('h9');
    asked[0].write();
    await settle();
    assert.deepEqual(said, ['nothing is written: the game has changed, try again']);
    assert.equal(comments(), '');
});
