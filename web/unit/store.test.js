// The tab's own id under which its game is kept. A file of tests is a process of its own and may replace globals.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { newGame } from '../page/game.js';
import { Session } from '../page/session.js';
import { pack, Store } from '../page/store.js';

/**
 * Replaces a global of the process by one of a browser.
 * @param {string} name
 * @param {unknown} value
 */
function put(name, value) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** The storage of a new tab. */
function storage() {
    const kept = /** @type {Map<string, string>} */ (new Map());
    return {
        getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
        setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
    };
}

function store() {
    const session = new Session(newGame(15, 'renju'));
    return new Store(
        () => pack(session, null, 0),
        (error) => assert.fail(error),
    );
}

test('a tab has an id without crypto.randomUUID, which browsers have in secure contexts only', () => {
    const random = globalThis.crypto;
    const getRandomValues = (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => random.getRandomValues(bytes);
    put('crypto', { getRandomValues });
    put('addEventListener', () => {});
    put('sessionStorage', storage());
    const first = store();
    assert.ok(first.isNew);
    assert.match(first.tab, /^[0-9a-f]{32}$/);
    const reloaded = store();
    assert.ok(!reloaded.isNew);
    assert.equal(reloaded.tab, first.tab);
    put('sessionStorage', storage());
    assert.notEqual(store().tab, first.tab);
});
