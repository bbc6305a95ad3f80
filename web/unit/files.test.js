// The list of the games of a file, on a page of elements that nobody sees.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Files } from '../page/files.js';
import { newGame } from '../page/game.js';
import { Session } from '../page/session.js';
import { Part, putPage, settle, shown } from './parts.js';

/** @import { App } from '../page/app.js' */

/** Reads an empty file. */
class Reader {
    result = 'data:;base64,';
    onload = () => {};

    readAsDataURL() {
        queueMicrotask(() => this.onload());
    }
}

putPage();
Object.assign(globalThis, { addEventListener: () => {}, FileReader: Reader });

/** A page that has opened a file of two games, whose user stays with a match or not. */
async function page() {
    shown.parts = {};
    const session = new Session(newGame(15, 'renju'));
    let stays = false;
    const loaded = (/** @type {number | null} */ number) => ({
        name: 'two.sgf',
        games: [0, 1].map((number) => ({ number, title: `game ${number + 1}`, moves: 0 })),
        left_out: [],
        number: number ?? 0,
        game: { size: 15, rule: 'renju', result: null, setup: [], first: 'black', properties: [], nodes: [] },
    });
    const app = {
        session,
        connection: { ask: async (/** @type {{ number: number | null }} */ { number }) => loaded(number) },
        mayLeave: async () => !stays,
        leave: () => {},
        say: () => {},
        complain: (/** @type {Error} */ error) => assert.fail(error),
        tabs: { show: () => {} },
    };
    const files = new Files(/** @type {App} */ (/** @type {unknown} */ (app)));
    session.watch((what) => {
        if (what === 'game') files.mark();
    });
    const list = () => {
        const [label] = shown.parts.games.children;
        const found = label instanceof Part ? label.children[1] : null;
        assert.ok(found instanceof Part);
        return found;
    };
    const choose = async (/** @type {string} */ number) => {
        list().value = number;
        list().on.change();
        await settle();
    };
    await files.open(/** @type {any} */ ({ name: 'two.sgf', size: 0 }));
    return { session, list, choose, stay: () => (stays = true) };
}

test('the list of the games of a file names no game but the one on the board', async () => {
    const { session, list, choose, stay } = await page();
    const first = session.game;
    session.replace('new game', newGame(15, 'renju'));
    assert.equal(list().value, 'none', 'game 1 can be chosen again');
    session.undo();
    assert.equal(list().value, '0');
    await choose('1');
    session.undo();
    assert.deepEqual([session.game, list().value], [first, 'none']);
    session.redo();
    assert.equal(list().value, '1');
    stay();
    await choose('0');
    assert.equal(list().value, '1', 'who stays with a match is shown its game');
});
