// The browser's storage: the tab's own id, copies of tabs, and a storage that is full. A file of tests is a process of its
// own and may replace globals.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

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

/** A storage of a browser that holds this number of characters. Its keys are those of the object. */
class Room {
    /** @param {Record<string, string>} [kept] @param {number} [size] */
    constructor(kept = {}, size = Infinity) {
        Object.defineProperty(this, 'size', { value: size });
        Object.assign(this, kept);
    }

    /** @returns {Record<string, string>} */
    get #kept() {
        return /** @type {any} */ (this);
    }

    /** @param {string} key */
    getItem(key) {
        return Object.hasOwn(this, key) ? this.#kept[key] : null;
    }

    /** @param {string} key @param {string} value */
    setItem(key, value) {
        const used = Object.entries(this.#kept).reduce((sum, [k, text]) => sum + (k === key ? 0 : text.length), 0);
        if (used + value.length > /** @type {any} */ (this).size) throw new Error('full');
        this.#kept[key] = value;
    }

    /** @param {string} key */
    removeItem(key) {
        delete this.#kept[key];
    }
}

/** Channels of the pages that are open. @type {Set<Channel>} */
const channels = new Set();

class Channel {
    /** @type {((event: { data: unknown }) => void) | null} */
    onmessage = null;

    constructor() {
        channels.add(this);
    }

    /** @param {unknown} data */
    postMessage(data) {
        for (const other of channels) if (other !== this) queueMicrotask(() => other.onmessage?.({ data }));
    }

    close() {
        channels.delete(this);
    }
}

beforeEach(() => {
    channels.clear();
    put('BroadcastChannel', Channel);
    put('window', { setTimeout: () => 0 });
    put('addEventListener', () => {});
    put('sessionStorage', new Room());
    put('localStorage', new Room());
});

/**
 * @param {number} [when]
 * @param {(error: string) => void} [complain]
 */
function store(when = 0, complain = (error) => assert.fail(error)) {
    const session = new Session(newGame(15, 'renju'));
    return new Store(() => pack(session, null, when), complain);
}

test('where the browser keeps no site data the page works, and says that the game is not kept', () => {
    const refused = {
        get() {
            throw new Error('SecurityError');
        },
        configurable: true,
    };
    for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(globalThis, name, refused);
    // Firefox opens no channel there.
    put('BroadcastChannel', function () {
        throw new Error('SecurityError');
    });
    /** @type {string[]} */
    const said = [];
    const kept = store(0, (error) => said.push(error));
    assert.ok(kept.isNew);
    assert.equal(kept.load(), null);
    kept.onkept = () => assert.fail('it is not kept');
    kept.save();
    assert.equal(said.length, 1);
    assert.match(said[0], /does not keep this game .*SecurityError/);
});

test('a tab has an id without crypto.randomUUID, which browsers have in secure contexts only', () => {
    const random = globalThis.crypto;
    const getRandomValues = (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => random.getRandomValues(bytes);
    put('crypto', { getRandomValues });
    const first = store();
    assert.ok(first.isNew);
    assert.match(first.tab, /^[0-9a-f]{32}$/);
    const reloaded = store();
    assert.ok(!reloaded.isNew);
    assert.equal(reloaded.tab, first.tab);
    put('sessionStorage', new Room());
    assert.notEqual(store().tab, first.tab);
});

test('a copy of a tab is a new tab, and a tab that is loaded again is not', async () => {
    const first = store();
    const { tab } = first;
    channels.clear();
    const again = store();
    await new Promise(setImmediate);
    assert.deepEqual([again.tab, again.isNew], [tab, false]);
    put('sessionStorage', new Room({ 'kagetsu.tab': tab }));
    const copy = store();
    let copies = 0;
    copy.oncopy = () => copies++;
    await new Promise(setImmediate);
    assert.equal(again.tab, tab, 'who was there first keeps the id');
    assert.ok(copy.isNew && copy.tab !== tab);
    assert.equal(sessionStorage.getItem('kagetsu.tab'), copy.tab);
    assert.equal(copies, 1);
});

test('the oldest games of other tabs make room', () => {
    const kept = (/** @type {number} */ when) => JSON.stringify(pack(new Session(newGame(15, 'renju')), null, when));
    const size = kept(1).length;
    const others = { 'kagetsu.game.b': kept(2), 'kagetsu.game.a': kept(1), 'kagetsu.game.c': kept(3), theme: 'dark' };
    const room = new Room(others, 3.5 * size);
    put('localStorage', room);
    const own = store(4);
    let times = 0;
    own.onkept = () => times++;
    own.save();
    assert.equal(times, 1);
    assert.deepEqual(
        Object.keys(room).sort(),
        ['kagetsu.game.b', 'kagetsu.game.c', `kagetsu.game.${own.tab}`, 'theme'].sort(),
    );
    // A game that finds no room at all costs no other game.
    const small = new Room(others, 3.5 * size);
    put('localStorage', small);
    let said = '';
    const large = new Session(newGame(15, 'renju'));
    large.game.properties = [['GC', 'x'.repeat(4 * size)]];
    new Store(
        () => pack(large, null, 4),
        (error) => (said = error),
    ).save();
    assert.match(said, /full.*save it to a file/);
    assert.deepEqual({ ...small }, others);
});

test('a tab whose game is kept no more is a new tab', () => {
    const first = store();
    first.save();
    const reloaded = store();
    assert.ok(reloaded.load());
    assert.ok(!reloaded.isNew);
    const other = new Room({ 'kagetsu.tab': 'another' });
    put('sessionStorage', other);
    const without = store();
    assert.ok(without.load(), 'the game that was changed last');
    assert.ok(without.isNew);
});

test('what is not a whole game is passed over', () => {
    const others = ['', 'x', 'null', '7', '{}', '{"values":[]}', '{"game":{"nodes":[]}}'];
    put('localStorage', new Room(Object.fromEntries(others.map((text, i) => [`kagetsu.game.${i}`, text]))));
    const own = store();
    assert.equal(own.load(), null);
    own.save();
    assert.deepEqual([store().load()?.node, store().isNew], [0, false]);
});

test('a page keeps its game when it is hidden, because it may be ended without a word', () => {
    /** @type {Record<string, () => void>} */
    const listeners = {};
    put('addEventListener', (/** @type {string} */ type, /** @type {() => void} */ act) => (listeners[type] = act));
    const own = store();
    let times = 0;
    own.onkept = () => times++;
    listeners.visibilitychange();
    assert.equal(times, 1);
    assert.ok(own.load());
});
