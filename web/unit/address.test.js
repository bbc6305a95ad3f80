// The address bar follows the board. A file of tests is a process of its own and may replace globals.

import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

import { Address } from '../page/address.js';

/** @import { App } from '../page/app.js' */
/** @import { Facts } from '../page/schema.js' */

/** The addresses that were written. @type {string[]} */
let written = [];
/** Tells the page of a change of the address. @type {(event: { newURL: string }) => void} */
let tell = () => {};
/** The positions that were asked for. @type {string[]} */
let asked = [];

beforeEach(() => {
    written = [];
    asked = [];
    const location = { origin: 'http://here', pathname: '/', hash: '' };
    const replaceState = (/** @type {unknown} */ _state, /** @type {string} */ _title, /** @type {string} */ hash) => {
        location.hash = hash;
        written.push(hash);
    };
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout'] });
    Object.assign(globalThis, {
        location,
        history: { state: null, replaceState },
        addEventListener: (/** @type {string} */ _name, /** @type {typeof tell} */ listener) => (tell = listener),
        window: { setTimeout: (/** @type {() => void} */ go, /** @type {number} */ ms) => setTimeout(go, ms) },
    });
});

/** @param {string} text */
function facts(text) {
    return /** @type {Facts} */ ({ text });
}

function address() {
    const ask = (/** @type {{ text: string }} */ { text }) => {
        asked.push(text);
        return Promise.reject(new Error('no position'));
    };
    const app = { session: { game: { rule: 'renju', size: 15 } }, connection: { ask }, complain: () => {} };
    return new Address(/** @type {App} */ (/** @type {unknown} */ (app)));
}

test('the address follows the board, but no more often than browsers allow', () => {
    const bar = address();
    const held = (/** @type {number} */ count) => {
        for (let i = 0; i < count; i++) {
            bar.follow(facts(`h8i${i}`));
            mock.timers.tick(33);
        }
    };
    held(20);
    assert.equal(written.length, 20, 'a few changes come at once');
    // The changes of an arrow key that is held for thirty seconds. Safari allows 100 changes in that time.
    held(880);
    assert.ok(written.length <= 100, `${written.length} changes`);
    mock.timers.tick(1000);
    assert.equal(written.at(-1), '#pos=h8i879&rule=renju&size=15', 'the last one is not left out');
    assert.equal(bar.linked?.text, 'h8i879');
    assert.equal(bar.asked, null, 'the page wrote it itself');
    mock.timers.tick(10_000);
    held(20);
    assert.equal(written.at(-1), '#pos=h8i19&rule=renju&size=15', 'after a while changes come at once again');
});

test('an address that a user has entered is asked for, and a link is of the position and not of the bar', () => {
    const bar = address();
    bar.follow(facts('h8'));
    globalThis.location.hash = '#pos=h8h9&rule=caro&size=19';
    assert.deepEqual(bar.asked, { text: 'h8h9', rule: 'caro', size: 19 });
    // An address with the name of an element holds no position.
    globalThis.location.hash = '#board';
    assert.equal(bar.asked, null);
    assert.equal(bar.of('h8'), 'http://here/#pos=h8&rule=renju&size=15');
});

test('what a user has entered is shown though the page changes the address before it is told', () => {
    const bar = address();
    for (let i = 0; i < 21; i++) bar.follow(facts(`h8i${i}`));
    const entered = '#pos=a1&rule=renju&size=15';
    globalThis.location.hash = entered;
    mock.timers.tick(1000);
    assert.equal(globalThis.location.hash, '#pos=h8i20&rule=renju&size=15');
    tell({ newURL: `http://here/${entered}` });
    assert.deepEqual(asked, ['a1']);
});
