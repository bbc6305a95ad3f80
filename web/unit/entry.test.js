// The dialog for positions as text, on a page of elements that nobody sees.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { enter } from '../page/entry.js';
import { newGame } from '../page/game.js';
import { Session } from '../page/session.js';
import { answer, Part, putPage, settle, shown } from './parts.js';

/** @import { App } from '../page/app.js' */

putPage();

/**
 * The field of the dialog that is open.
 * @param {Part} [at]
 * @returns {Part | undefined}
 */
function field(at = shown.dialogs[0]) {
    if (at.attributes.has('rows')) return at;
    const parts = at.children.filter((child) => child instanceof Part);
    return parts.map((part) => field(part)).find((found) => found);
}

test('a text that is no position is shown again, with what is wrong', async () => {
    const session = new Session(newGame(15, 'renju'));
    /** What was said, with the number of dialogs that were open. @type {[string, number][]} */
    const said = [];
    /** @type {string[]} */
    const labels = [];
    const app = {
        session,
        connection: {
            ask: async (/** @type {{ text: string }} */ { text }) => {
                if (text !== 'h8 h9') throw new Error('h8 is occupied');
                const position = { size: 15, rule: 'renju', setup: [], first: 'black', moves: ['h8', 'h9'] };
                return { type: 'position', position };
            },
        },
        put: async (/** @type {string} */ label) => labels.push(label),
        complain: (/** @type {Error} */ { message }) => said.push([message, shown.dialogs.length]),
    };
    const write = (/** @type {string} */ text) => Object.assign(field() ?? {}, { value: text });
    void enter(/** @type {App} */ (/** @type {unknown} */ (app)));
    assert.equal(field()?.text, '');
    write('h8 h8');
    shown.dialogs[0].find('Show it')?.on.click();
    await settle();
    assert.deepEqual(said, [['h8 is occupied', 1]]);
    assert.equal(field()?.text, 'h8 h8');
    write('h8 h9');
    await answer('Show it');
    assert.deepEqual(labels, ['position']);
    assert.equal(said.length, 1);
});
