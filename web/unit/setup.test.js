// Setting a position up, on a page of elements that nobody sees.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { edited, newGame, side, stonesOf, withStones } from '../page/game.js';
import { Session } from '../page/session.js';
import { pressed, Setup } from '../page/setup.js';
import { answer, Part, putPage, settle, shown } from './parts.js';

/** @import { App } from '../page/app.js' */
/** @import { Position } from '../page/schema.js' */

putPage();

/**
 * A page with a game of these moves, whose user stays with a match or not.
 * @param {string} moves
 * @param {{ stays?: boolean, size?: number }} [how]
 */
function page(moves, { stays = false, size = 15 } = {}) {
    shown.parts = {};
    const session = new Session(newGame(size, 'renju'));
    for (const move of moves.split(' ').filter(Boolean)) session.play(move);
    /** What was said and what was read out. @type {string[]} */
    const heard = [];
    /** @type {Session | null} */
    let covered = null;
    let saved = 0;
    const host = new Part();
    const app = {
        session,
        say: (/** @type {string} */ text) => heard.push(text),
        board: { host, onsay: (/** @type {string} */ text) => heard.push(text) },
        stage: { cover: (/** @type {Session | null} */ draft) => (covered = draft) },
        controls: { update: () => {} },
        saveLater: () => saved++,
        put: async (/** @type {string} */ label, /** @type {any} */ game) => {
            if (stays) return false;
            setup.end();
            session.replace(label, game);
            return true;
        },
    };
    const setup = new Setup(/** @type {App} */ (/** @type {unknown} */ (app)));
    const bar = shown.parts['setup-bar'];
    const press = (/** @type {string} */ text) => {
        const found = bar.find(text);
        assert.ok(found, text);
        found.on.click();
    };
    const choose = (/** @type {string} */ color) => {
        const list = bar.children.find((child) => child instanceof Part && 'change' in child.on);
        assert.ok(list instanceof Part);
        list.value = color;
        list.on.change();
    };
    const stones = () => drawn(/** @type {Session} */ (covered).position);
    const saves = () => saved;
    return { session, setup, heard, host, press, choose, stones, saves, covers: () => covered !== null };
}

/**
 * The stones of a position in the order of their points, as `xh8 oh9`.
 * @param {Position} position
 */
function drawn(position) {
    const all = [...stonesOf(position)].map(([point, { color }]) => `${color === 'black' ? 'x' : 'o'}${point}`);
    return all.sort((a, b) => (a.slice(1) < b.slice(1) ? -1 : 1)).join(' ');
}

test('a click puts and takes stones of one colour, a key goes through all', () => {
    assert.equal(pressed(undefined, 'white'), 'white');
    assert.equal(pressed('white', 'white'), null);
    assert.equal(pressed('black', 'white'), 'white');
    const keys = [undefined, 'black', 'white'].map((had) => pressed(/** @type {any} */ (had), null));
    assert.deepEqual(keys, ['black', 'white', null]);
});

test('stones are put and taken, and the game stays as it is until Done', async () => {
    const { session, setup, heard, press, choose, stones, covers } = page('h8 h9 i9');
    const { game, node } = session;
    assert.equal(setup.click('a1', false), false, 'clicks play while nothing is set up');
    setup.begin();
    assert.equal(stones(), 'xh8 oh9 xi9', 'it begins with the stones on the board');
    assert.equal(setup.draft?.game.first, 'white');
    assert.ok(shown.parts.side.attributes.has('inert') && shown.parts.steps.attributes.has('hidden'));
    assert.ok(!shown.parts['setup-bar'].attributes.has('hidden'));
    heard.length = 0;
    assert.equal(setup.click('a1', false), true);
    setup.click('h9', false);
    press('White');
    setup.click('b1', false);
    setup.click('i9', true);
    for (let i = 0; i < 2; i++) setup.click('c1', true);
    setup.click('h8', false);
    setup.click('h8', false);
    assert.equal(stones(), 'xa1 ob1 oc1 xh9 oi9');
    assert.deepEqual(heard, [
        'a1, black',
        'h9, black',
        'b1, white',
        'i9, white',
        'c1, black',
        'c1, white',
        'h8, white',
        'h8, empty',
    ]);
    choose('black');
    assert.deepEqual([session.game, session.node, session.undoable], [game, node, 'move i9']);
    press('Done');
    await settle();
    assert.equal(setup.draft, null);
    assert.ok(!covers() && !shown.parts.side.attributes.has('inert'));
    assert.equal(drawn(session.position), 'xa1 ob1 oc1 xh9 oi9');
    assert.deepEqual([session.position.moves, session.position.rule, side(session.position)], [[], 'renju', 'black']);
    assert.equal(session.undo(), 'set-up');
    assert.deepEqual([session.game, session.node], [game, node]);
    session.redo();
    assert.equal(drawn(session.position), 'xa1 ob1 oc1 xh9 oi9');
});

test('a set-up has a history of its own', () => {
    const { session, setup, press, choose, stones } = page('h8');
    setup.begin();
    setup.click('a1', false);
    choose('black');
    press('Clear');
    assert.equal(stones(), '');
    const { draft } = setup;
    assert.equal(draft?.undo(), 'clear');
    assert.equal(stones(), 'xa1 xh8');
    assert.equal(draft?.undo(), 'side');
    assert.equal(draft?.game.first, 'white');
    assert.equal(draft?.redo(), 'side');
    assert.equal(draft?.game.first, 'black');
    for (let i = 0; i < 2; i++) draft?.undo();
    assert.deepEqual([stones(), draft?.undo()], ['xh8', null]);
    assert.equal(session.undoable, 'move h8');
});

test('a set-up that is cancelled or changes nothing leaves the game alone', async () => {
    for (const [end, changes, said] of /** @type {[string, boolean, string][]} */ ([
        ['Cancel', true, 'the set-up is cancelled'],
        ['Cancel', false, 'the set-up is cancelled'],
        ['Done', false, 'nothing has changed'],
    ])) {
        const { session, setup, heard, press, stones, covers } = page('h8 h9');
        const { game, node } = session;
        setup.begin();
        if (changes) {
            setup.click('a1', false);
            press(end);
            await answer('Keep it');
            assert.equal(stones(), 'xa1 xh8 oh9', 'nothing that was put is lost unasked');
        }
        press(end);
        if (changes) await answer('Drop it');
        await settle();
        assert.equal(heard.at(-1), said);
        assert.deepEqual(shown.dialogs, []);
        assert.deepEqual([setup.draft, covers()], [null, false]);
        assert.deepEqual([session.game, session.node, session.undoable], [game, node, 'move h9']);
    }
});

test('a user who stays with a match goes on with the set-up', async () => {
    const { session, setup, press, stones } = page('h8 h9', { stays: true });
    setup.begin();
    setup.click('a1', false);
    press('Done');
    await settle();
    assert.equal(stones(), 'xa1 xh8 oh9');
    assert.equal(drawn(session.position), 'xh8 oh9');
});

test('a set-up may end unasked if it has no changes, or none that were not undone', async () => {
    const { setup } = page('h8');
    assert.ok(await setup.mayEnd());
    setup.begin();
    assert.ok(await setup.mayEnd());
    setup.click('a1', false);
    const asked = setup.mayEnd();
    await answer('Keep it');
    assert.equal(await asked, false);
    setup.draft?.undo();
    assert.ok(await setup.mayEnd());
});

test('undo leads a set-up back to its start, however many changes it has', () => {
    const { setup, stones } = page('h8');
    setup.begin();
    setup.click('a1', false);
    for (let i = 0; i < 1000; i++) setup.click('b1', false);
    while (setup.draft?.undoable) setup.draft.undo();
    assert.equal(stones(), 'xh8', 'nothing is left that would be dropped unasked');
});

test('a set-up is stored at every change, and goes on after a reload', async () => {
    const { setup, choose, saves } = page('h8 h9');
    setup.begin();
    const before = saves();
    setup.click('a1', false);
    choose('white');
    assert.equal(saves(), before + 2);
    const kept = JSON.parse(JSON.stringify(setup.draft?.position));
    // The page that is loaded again has drawn no board yet, which could have the focus.
    const again = page('h8 h9');
    again.host.focus = () => assert.fail('the board is not drawn');
    again.setup.begin(kept);
    assert.ok(again.covers());
    assert.equal(again.stones(), 'xa1 xh8 oh9');
    assert.equal(again.setup.draft?.game.first, 'white');
    assert.match(again.heard.join(), /Done or Cancel ends the set-up/);
    again.press('Cancel');
    await answer('Keep it');
    assert.equal(again.setup.draft?.undo(), 'set-up');
    assert.equal(again.stones(), 'xh8 oh9', 'undo leads to the position of the game');
    again.setup.draft?.redo();
    again.setup.click('h8', false);
    again.press('Done');
    await settle();
    assert.equal(drawn(again.session.position), 'xa1 oh9');
    assert.equal(side(again.session.position), 'white');
    assert.equal(again.session.undo(), 'set-up');
});

test('a move of a match that comes meanwhile changes nothing in the set-up', async () => {
    const { session, setup, press, stones } = page('h8');
    setup.begin();
    setup.click('a1', false);
    session.play('h9');
    assert.equal(stones(), 'xa1 xh8');
    press('Cancel');
    await answer('Drop it');
    assert.equal(setup.draft, null);
    assert.equal(drawn(session.position), 'xh8 oh9');
});

test('the focus goes back to the board, where a key that is held begins nothing', async () => {
    const { setup, host, press } = page('');
    setup.begin();
    shown.parts['setup-bar'].find('Cancel')?.focus();
    press('Cancel');
    await settle();
    assert.equal(/** @type {unknown} */ (globalThis.document.activeElement), host);
});

test('the corners of the largest board', () => {
    const { setup, stones } = page('a1 v22', { size: 22 });
    setup.begin();
    setup.click('v1', false);
    setup.click('v22', false);
    assert.equal(stones(), 'xa1 xv1 xv22');
});

test('stones in place of others, with the same side to move', () => {
    const session = new Session(newGame(15, 'caro'));
    for (const move of ['h8', 'pass', 'i9']) session.play(move);
    const { position } = session;
    const without = withStones(position, stonesOf(position));
    assert.deepEqual([drawn(without), side(without), without.moves], ['xh8 xi9', 'white', []]);
    const after = edited(position, 'h8', null);
    assert.deepEqual([drawn(after), side(after)], ['xi9', 'white']);
});
