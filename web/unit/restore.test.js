// Tests of the state that a page restores after a reload. Each test file is a process of its own, so it may replace
// globals.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { newGame } from '../page/game.js';
import { Restore } from '../page/restore.js';
import { Session } from '../page/session.js';
import { answer, putPage } from './parts.js';

/** @import { App } from '../page/app.js' */
/** @import { Position, Welcome } from '../page/schema.js' */

putPage();

/** A storage of a browser. Its keys are those of the object. */
class Room {
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
        this.#kept[key] = value;
    }

    /** @param {string} key */
    removeItem(key) {
        delete this.#kept[key];
    }
}

/**
 * Replaces a global of the process by one of a browser.
 * @param {string} name
 * @param {unknown} value
 */
function put(name, value) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

beforeEach(() => {
    // Without channels, no other page answers.
    put('BroadcastChannel', undefined);
    put('window', { setTimeout: () => 0 });
    put('addEventListener', () => {});
    put('sessionStorage', new Room());
    put('localStorage', new Room());
});

/**
 * A page with a game of one move, and with a position that is being set up or not.
 * @param {Session | null} draft
 */
function page(draft) {
    const session = new Session(newGame(15, 'renju'));
    session.play('h8');
    /** The positions that were set up anew. @type {(Position | undefined)[]} */
    const begun = [];
    /** The files that were shown. @type {string[]} */
    const files = [];
    const setup = {
        draft,
        begin: (/** @type {Position | undefined} */ kept) => begun.push(kept),
        mayEnd: async () => begun.length === 0,
    };
    const app = {
        session,
        welcome: null,
        address: { linked: null, asked: null },
        files: { show: (/** @type {{ name: string }} */ { name }) => files.push(name) },
        play: { match: null, used: 0, tip: null },
        puzzles: { puzzle: null, isSolved: false },
        setup,
        say: (/** @type {string} */ text) => assert.fail(text),
    };
    const restore = new Restore(/** @type {App} */ (/** @type {unknown} */ (app)));
    return { session, restore, begun, files };
}

/** A set-up with one stone. */
function draft() {
    const made = new Session(newGame(15, 'caro'), Infinity);
    made.set('side', 'first', 'white');
    made.set('stone a1', 'setup', [{ point: 'a1', color: 'white' }]);
    return made;
}

test('a set-up goes on after a reload, and the game is below it', () => {
    page(draft()).restore.store.save();
    const again = page(null);
    again.session.step(-1);
    again.restore.game();
    const setup = [{ point: 'a1', color: 'white' }];
    assert.deepEqual(again.begun, [{ size: 15, rule: 'caro', setup, first: 'white', moves: [] }]);
    assert.deepEqual(again.session.position.moves, ['h8']);
});

test('a set-up that has ended, has no change, or belongs to another tab does not go on', () => {
    const undone = draft();
    for (let i = 0; i < 2; i++) undone.undo();
    for (const ended of [null, undone]) {
        page(ended).restore.store.save();
        const again = page(null);
        again.restore.game();
        assert.deepEqual(again.begun, []);
    }
    page(draft()).restore.store.save();
    put('sessionStorage', new Room());
    const other = page(null);
    other.session.step(-1);
    other.restore.game();
    assert.deepEqual(other.begun, []);
    assert.deepEqual(other.session.position.moves, ['h8'], 'the game is that of the other tab');
});

test('the file that the program was started with takes the place of no set-up that its user keeps', async () => {
    const welcome = /** @type {Welcome} */ (/** @type {unknown} */ ({ start: 'now', opened: { name: 'a.sgf' } }));
    for (const [made, wanted] of /** @type {[Session | null, string[]][]} */ ([
        [null, ['a.sgf']],
        [draft(), []],
    ])) {
        page(made).restore.store.save();
        const again = page(null);
        again.restore.game();
        const begun = again.restore.begin(welcome);
        await answer('Open it');
        await begun;
        assert.deepEqual(again.files, wanted);
    }
});
