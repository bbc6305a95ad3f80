// Setting a position up by mouse, touch and keyboard, beside a match, an opening, a puzzle and an analysis; its ends.

import assert from 'node:assert/strict';

import {
    click,
    drop,
    pageTest,
    place,
    stones,
    text,
    waitFor,
    waitForStones,
    waitForText,
    withheld,
} from './harness.js';
import { move, start } from './matches.js';

/** @import { Page } from 'playwright-core' */

/**
 * Presses a button of the set-up.
 * @param {Page} page
 * @param {string} name
 */
function press(page, name) {
    return page.click(`#setup-bar >> button:text-is("${name}")`);
}

/**
 * Answers the question whether the position that was set up may be dropped.
 * @param {Page} page
 * @param {'Drop it' | 'Keep it'} answer
 */
async function answer(page, answer) {
    await page.click(`dialog >> text=${answer}`);
    await page.waitForSelector('dialog', { state: 'detached' });
}

/** @param {Page} page */
async function isOn(page) {
    return (await page.isVisible('#setup-bar')) && !(await page.isVisible('#steps'));
}

/** @param {Page} page */
function match(page) {
    return page.evaluate(() => {
        const { play } = /** @type {any} */ (window).kagetsu;
        return play.isOn ? play.match.actions.concat(play.tip.number).join(' ') : null;
    });
}

pageTest('setup: stones are put and taken by clicks, and undo brings the game back', async (page) => {
    await click(page, 'h8', 'h9', 'i9');
    await waitForStones(page, 'xh8 oh9 xi9');
    await page.click('#setup');
    assert.ok(await isOn(page));
    await waitFor(
        page,
        async () => (await page.$$eval('.number', (list) => list.map((n) => n.textContent).join(''))) === '',
    );
    await waitForStones(page, 'xh8 oh9 xi9');
    await click(page, 'a1', 'h8');
    await waitForStones(page, 'xa1 oh9 xi9');
    await press(page, 'White');
    const { x, y } = await place(page, 'b2');
    await page.mouse.move(x, y);
    await waitFor(page, async () => (await page.$$('.stone.hover.white')).length === 1);
    await click(page, 'b2', 'i9');
    await waitForStones(page, 'xa1 ob2 oh9 oi9');
    await waitForText(page, '#spoken', /^i9, white$/);
    // The set-up has its own undo, and other keys of the game do nothing.
    await page.keyboard.press('Control+z');
    await waitForStones(page, 'xa1 ob2 oh9 xi9');
    await page.click('#redo');
    await waitForStones(page, 'xa1 ob2 oh9 oi9');
    for (const key of ['ArrowLeft', 'Home', 'Delete', ' ', 'h', 'n', 'a']) await page.keyboard.press(key);
    await page.mouse.wheel(0, 200);
    const c3 = await place(page, 'c3');
    await page.mouse.click(c3.x, c3.y, { button: 'right' });
    assert.equal(await page.$$eval('dialog', (list) => list.length), 0);
    assert.ok(await page.isDisabled('#save'));
    await page.selectOption('#setup-bar select', 'black');
    await press(page, 'Done');
    await waitForText(page, '#headline', /^renju 15×15 · move 0 · black to move/);
    assert.ok(!(await isOn(page)));
    assert.equal(await page.isVisible('#explanation'), false);
    await waitForStones(page, 'xa1 ob2 oh9 oi9');
    await waitFor(page, async () => decodeURIComponent(page.url()).includes('/1o13/x14+x&rule=renju'));
    await page.reload();
    await waitForStones(page, 'xa1 ob2 oh9 oi9');
    await click(page, 'c3');
    await waitForStones(page, 'xa1 ob2 oh9 oi9 xc3');
});

pageTest('setup: undo and redo after it', async (page) => {
    await click(page, 'h8', 'h9');
    await waitForStones(page, 'xh8 oh9');
    await page.click('#setup');
    await press(page, 'Clear');
    await waitForStones(page, '');
    await click(page, 'c3');
    await press(page, 'Done');
    await waitForStones(page, 'xc3');
    await waitForText(page, '#headline', /black to move/);
    await page.keyboard.press('Control+z');
    await waitForStones(page, 'xh8 oh9');
    await waitForText(page, '#headline', /move 2 · black to move/);
    await page.keyboard.press('Control+y');
    await waitForStones(page, 'xc3');
    // Nothing has changed: the game is not replaced.
    await page.keyboard.press('Control+z');
    await page.click('#setup');
    await press(page, 'Done');
    await waitForText(page, '#headline', /move 2 · black to move/);
    await page.keyboard.press('ArrowLeft');
    await waitForStones(page, 'xh8');
});

pageTest('setup: by the keyboard alone, and for the ear', async (page) => {
    await page.focus('#setup');
    await page.keyboard.press('Enter');
    await waitForText(page, '#status', /Done or Cancel ends the set-up/);
    await waitForText(page, '#spoken', /^h8, empty$/);
    await page.keyboard.press('ArrowUp');
    await waitForText(page, '#spoken', /^h9, empty$/);
    for (const [color, sign] of [
        ['black', 'xh9'],
        ['white', 'oh9'],
        ['empty', ''],
        ['black', 'xh9'],
    ]) {
        await page.keyboard.press('Enter');
        await waitForText(page, '#spoken', new RegExp(`^h9, ${color}$`));
        await waitForStones(page, sign);
    }
    assert.match((await page.getAttribute('#board', 'aria-label')) ?? '', /^Board 15 by 15, 1 stone$/);
    await page.keyboard.press('?');
    await waitForText(page, '#status', /no point is explained in a set-up/);
    // The key that opens the question closes it when it is pressed again, and drops nothing.
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    assert.ok(await isOn(page));
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog');
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
    await waitForText(page, '#status', /the set-up is cancelled/);
    await waitForStones(page, '');
    assert.ok(!(await isOn(page)) && !(await page.isVisible('#explanation')));
    await page.keyboard.press('Enter');
    await waitForStones(page, 'xh9');
    await page.focus('#setup');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await waitForStones(page, 'oh9');
    await page.focus('#setup-bar >> button:text-is("Done")');
    // A key that is held is pressed again and again.
    for (let i = 0; i < 3; i++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await waitForText(page, '#headline', /move 0 · white to move/);
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'board');
    assert.ok(!(await isOn(page)));
    await waitForStones(page, 'oh9');
});

pageTest(
    'setup: by touch on a phone, whose tools stay in two lines',
    async (page) => {
        const tops = () =>
            page.$$eval('.tools button', (list) => new Set(list.map((b) => b.getBoundingClientRect().top)).size);
        assert.equal(await tops(), 2);
        await page.tap('#setup');
        for (const point of ['h8', 'h9', 'h8']) {
            const { x, y } = await place(page, point);
            await page.touchscreen.tap(x, y);
        }
        await waitForStones(page, 'xh9');
        await page.tap('#setup-bar >> button:text-is("Done")');
        await waitForText(page, '#headline', /move 0 · black to move/);
        await waitForStones(page, 'xh9');
    },
    { touch: true, width: 390, height: 844 },
);

pageTest(
    'setup: the largest board, and a position that is over',
    async (page) => {
        await page.click('#setup');
        await click(page, 'a22', 'v22', 'v1', 'a1', 'b1', 'c1', 'd1', 'e1');
        await press(page, 'Done');
        await waitForText(page, '#headline', /^freestyle 22×22 · move 0 · black wins/);
        await waitForStones(page, 'xa22 xv22 xv1 xa1 xb1 xc1 xd1 xe1');
        await waitFor(page, async () => (await page.$$('.stone.won')).length === 5);
    },
    { hash: '#pos=&rule=freestyle&size=22' },
);

pageTest('setup: a match goes on below, and is left with the usual question only', async (page) => {
    await start(page, { players: 'human human', timing: 'g10' });
    await move(page, 'h8', 'h9');
    await waitForStones(page, 'xh8 oh9');
    await page.click('#setup');
    await click(page, 'a1', 'a2');
    await waitForStones(page, 'xh8 oh9 xa1 xa2');
    assert.equal(await match(page), '2', 'the clicks play nothing');
    await press(page, 'Done');
    await page.click('dialog >> text=Cancel');
    await page.waitForSelector('dialog', { state: 'detached' });
    await waitForStones(page, 'xh8 oh9 xa1 xa2');
    // A reload goes on with both.
    await page.reload();
    await waitForText(page, '.play-note', /first player’s turn/);
    await waitForStones(page, 'xh8 oh9 xa1 xa2');
    assert.ok(await isOn(page));
    await click(page, 'a3');
    await waitForStones(page, 'xh8 oh9 xa1 xa2 xa3');
    assert.equal(await match(page), '2', 'the clicks play nothing');
    await page.keyboard.press('Escape');
    await answer(page, 'Drop it');
    await waitForStones(page, 'xh8 oh9');
    await move(page, 'i9');
    assert.equal(await match(page), '3');
    await page.click('#setup');
    await click(page, 'a1');
    await press(page, 'Done');
    await page.click('dialog >> text=Leave it');
    await waitForStones(page, 'xh8 oh9 xi9 xa1');
    assert.equal(await match(page), null);
    await page.keyboard.press('Control+z');
    await waitForStones(page, 'xh8 oh9 xi9');
});

pageTest('setup: the engine’s move of a match does not disturb it', async (page) => {
    await start(page, {});
    await waitForText(page, '.play-note', /your turn/);
    await click(page, 'h8');
    await page.click('#setup');
    await click(page, 'a1');
    await waitFor(page, async () => (await stones(page)).includes('xa1'));
    await waitForText(page, '.play-note', /your turn/);
    const shown = await stones(page);
    assert.ok(shown.includes('xa1') && shown.includes('xh8'), String(shown));
    await press(page, 'Cancel');
    await answer(page, 'Drop it');
    await waitFor(page, async () => (await stones(page)).length === 2 && !(await stones(page)).includes('xa1'));
});

pageTest('setup: clicks are no steps of an opening and no moves of a puzzle', async (page) => {
    await start(page, { players: 'human human', regulation: 'swap2' });
    await waitForText(page, '.steps-panel', /stones 1 to 3/);
    await page.click('#setup');
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    assert.equal(await page.$$eval('.layer-spots .spot', (list) => list.length), 0);
    await page.keyboard.press('Escape');
    await answer(page, 'Drop it');
    await waitForStones(page, '');
    await click(page, 'h8', 'h9', 'h10');
    await waitForText(page, '.steps-panel', /3 of 3/);
    await page.click('#tab-puzzles');
    await page.click('#puzzles >> text=Start');
    await waitForText(page, '.task', /to move wins/);
    await waitFor(page, async () => (await stones(page)).length > 0);
    const before = await stones(page);
    const task = await text(page, '.task');
    await page.click('#setup');
    await press(page, 'Clear');
    await waitForStones(page, '');
    await press(page, 'Cancel');
    await answer(page, 'Drop it');
    await waitForStones(page, before.join(' '));
    assert.equal(await text(page, '.task'), task);
    await page.click('#setup');
    await press(page, 'Clear');
    await press(page, 'Done');
    await waitForText(page, '.task', /^$/);
    await waitForText(page, '#headline', /move 0 · .* to move/);
    await page.keyboard.press('Control+z');
    await waitForStones(page, before.join(' '));
});

pageTest('setup: an analysis goes on with the new position after Done', async (page) => {
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    const sent = await withheld(page, ['analyze']);
    await page.keyboard.press('a');
    await waitFor(page, async () => (await sent()).length === 1);
    await page.click('#setup');
    await click(page, 'a1', 'b1');
    await waitForStones(page, 'xh8 xa1 xb1');
    await page.waitForTimeout(300);
    assert.deepEqual(await sent(), ['analyze']);
    await press(page, 'Done');
    await waitFor(page, async () => (await sent()).length === 3);
    assert.deepEqual(await sent(), ['analyze', 'stop analyze', 'analyze']);
    const asked = await page.evaluate(() => /** @type {any} */ (window).sent.at(-1).position.setup.length);
    assert.equal(asked, 3);
});

pageTest('setup: a reload keeps its stones, which make way for another game after a question only', async (page) => {
    await click(page, 'h8');
    await waitForText(page, '#headline', /move 1 · white to move/);
    await page.click('#setup');
    await click(page, 'a1');
    await waitForStones(page, 'xh8 xa1');
    await page.reload();
    await waitForStones(page, 'xh8 xa1');
    await waitForText(page, '#status', /Done or Cancel ends the set-up/);
    assert.ok(await isOn(page));
    await page.keyboard.press('Control+z');
    await waitForStones(page, 'xh8');
    await page.keyboard.press('Control+y');
    await page.evaluate(() => history.replaceState(null, '', '#pos=g7&rule=renju&size=15'));
    await page.reload();
    await answer(page, 'Keep it');
    await waitForStones(page, 'xh8 xa1');
    await press(page, 'Done');
    await waitForText(page, '#headline', /move 0 · white to move/);
    await page.reload();
    await waitForStones(page, 'xh8 xa1');
    assert.ok(!(await isOn(page)), 'what was done is the game');
});

pageTest('setup: another game on the board ends it, unless the user keeps it', async (page) => {
    /** @type {[() => Promise<unknown>, string][]} */
    const ways = [
        [() => drop(page, 'one.sgf', '(;SZ[15];B[aa])'), 'xa15'],
        [() => page.evaluate(() => void (location.hash = '#pos=h8&rule=renju&size=15')), 'xh8'],
        [() => page.click('#new'), 'xh8'],
    ];
    await click(page, 'c3');
    await waitForStones(page, 'xc3');
    for (const [end, wanted] of ways) {
        // An address that is not followed is replaced by that of the game.
        await waitForText(page, '#headline', /to move/);
        await page.click('#setup');
        await click(page, 'f6');
        await waitFor(page, async () => (await stones(page)).includes('xf6'));
        await end();
        await answer(page, 'Keep it');
        assert.ok((await isOn(page)) && (await stones(page)).includes('xf6'));
        await end();
        await answer(page, 'Drop it');
        await waitForStones(page, wanted);
        assert.ok(!(await isOn(page)));
        assert.equal(await page.evaluate(() => document.getElementById('side')?.inert), false);
    }
    // A file that cannot be read ends nothing.
    await page.click('#setup');
    await click(page, 'f6');
    await drop(page, 'bad.sgf', '(;SZ[15];B[zz])');
    await waitForText(page, '#status', /bad\.sgf: /);
    assert.ok(await isOn(page));
    await waitForStones(page, 'xf6 xh8');
});
