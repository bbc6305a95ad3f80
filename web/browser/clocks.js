// Clocks of a game, and turns that have not begun or are paused.

import assert from 'node:assert/strict';

import { click, pageTest, stones, text, waitFor, waitForStones, waitForText } from './harness.js';
import { hold, pass, release } from './held.js';
import { move, start } from './matches.js';

pageTest('play: clocks run and end the game', async (page) => {
    await start(page, { players: 'human human', timing: 'g3' });
    await waitForText(page, '#player-black .clock', /^2:5\d/);
    await click(page, 'h8');
    await waitForText(page, '#player-black .clock', /^3:0|2:5/);
    await page.evaluate(() => {
        const { match } = /** @type {any} */ (window).kagetsu.play;
        match.left[2] = 300;
    });
    await waitForText(page, '.play-note', /black wins: time is over/);
});

pageTest('play: clocks of one’s own are corrected, shown and kept', async (page) => {
    await page.click('#tab-play');
    const [minutes, seconds] = ['Minutes', 'Seconds'].map((name) => `#play label:has-text("${name}") >> input`);
    const list = (/** @type {number} */ i) => `#play .form select >> nth=${i}`;
    const shown = async () => [await page.inputValue(minutes), await page.inputValue(seconds)];
    const timing = () => page.evaluate(() => /** @type {any} */ (window).kagetsu.play.match.timing);
    await page.selectOption(list(0), 'human human');
    await page.selectOption(list(2), 'g3');
    assert.deepEqual([await page.isVisible(minutes), await page.isVisible(seconds)], [false, false]);
    await page.selectOption(list(2), 'own move');
    assert.deepEqual([await page.isVisible(minutes), await page.isVisible(seconds)], [false, true]);
    for (const [given, taken] of [
        ['700', 600],
        ['', 10],
    ]) {
        await page.fill(seconds, String(given));
        await page.click('#start');
        await waitFor(page, async () => (await timing()).ms === 1000 * Number(taken));
        assert.equal((await timing()).kind, 'move');
        assert.equal(await page.inputValue(seconds), String(taken));
    }
    await page.selectOption(list(2), 'own game');
    for (const [given, taken] of [
        [
            ['', ''],
            ['5', '10'],
        ],
        [
            ['-1', '-1'],
            ['0.5', '0'],
        ],
        [
            ['7,3', '3'],
            ['7.5', '3'],
        ],
    ]) {
        await page.fill(minutes, given[0]);
        await page.fill(seconds, given[1]);
        await page.click('#start');
        const [left, added] = taken.map(Number);
        await waitFor(page, async () => (await timing()).ms === 60_000 * left);
        assert.deepEqual(await timing(), { kind: 'game', ms: 60_000 * left, increment: 1000 * added });
        assert.deepEqual(await shown(), taken);
    }
    await move(page, 'h8');
    await waitForText(page, '#player-black .clock', /^7:(3[0-3]|2\d)$/);
    await page.reload();
    await waitForText(page, '#player-black .clock', /^7:/);
    assert.deepEqual(await timing(), { kind: 'game', ms: 450_000, increment: 3000 });
    assert.equal(await page.inputValue(list(2)), 'own game');
    assert.deepEqual(await shown(), ['7.5', '3']);
    assert.deepEqual([await page.isVisible(minutes), await page.isVisible(seconds)], [true, true]);
});

pageTest('play: nobody loses time before the turn begins', async (page) => {
    await start(page, { players: 'human human', timing: 'm10' });
    await waitForText(page, '.play-note', /first player’s turn/);
    await hold(page, 'facts');
    await pass(page, 8000);
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    await pass(page, 3000);
    await page.waitForTimeout(300);
    assert.match(await text(page, '#player-white .clock'), /^[4-7]/);
    await waitFor(page, async () => {
        await release(page);
        return /second player’s turn/.test(await text(page, '.play-note'));
    });
});

pageTest('play: a click before the server has answered plays nothing', async (page) => {
    await start(page, { players: 'human human' });
    await move(page, 'd4', 'a1', 'e4', 'a2', 'f4', 'a3', 'g4', 'a4');
    await waitForText(page, '.play-note', /first player’s turn/);
    await hold(page, 'facts');
    await click(page, 'h4', 'o15');
    await waitFor(page, async () => (await stones(page)).includes('xh4'));
    await waitFor(page, async () => {
        await release(page);
        return /black wins/.test(await text(page, '.play-note'));
    });
    assert.equal((await stones(page)).length, 9);
});

pageTest('play: a reload gives no time back', async (page) => {
    await start(page, { players: 'human human', timing: 'g10' });
    await waitForText(page, '.play-note', /first player’s turn/);
    await hold(page, 'none of them');
    await pass(page, 300_000);
    await page.reload();
    await waitForText(page, '#player-black .clock', /^\d/);
    assert.match(await text(page, '#player-black .clock'), /^(4:|5:00)/);
    await move(page, 'h8');
    await waitForText(page, '#player-white .clock', /^(9:|10:00)/);
    assert.match(await text(page, '#player-black .clock'), /^[45]:/);
});

pageTest('play: the engine is charged for the time that it says, and not for its queue', async (page) => {
    await hold(page, 'move');
    await start(page, { timing: 'm10' });
    await waitForText(page, '.play-note', /your turn/);
    await click(page, 'h8');
    await waitForText(page, '.play-note', /thinks/);
    await pass(page, 60_000);
    await release(page);
    await waitForText(page, '.play-note', /your turn/);
    assert.equal((await stones(page)).length, 2);
    assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).kagetsu.play.match.left), {
        1: 10_000,
        2: 10_000,
    });
});

pageTest('play: a click plays nothing while the game is paused, or the opening is not known', async (page) => {
    await hold(page, 'opening');
    await page.click('#tab-play');
    await page.selectOption('#play .form select >> nth=0', 'human human');
    await page.selectOption('#play .form select >> nth=3', 'swap2');
    await page.click('#start');
    await waitFor(page, () => page.evaluate(() => /** @type {any} */ (window).held.length === 1));
    await click(page, 'h8');
    assert.deepEqual(await stones(page), []);
    await release(page);
    await waitForText(page, '.steps-panel', /stones 1 to 3/);
    await page.evaluate(() => /** @type {any} */ (window).kagetsu.playActions.pause(true));
    await click(page, 'h8');
    await waitForText(page, '#status', /the game is paused/);
    assert.deepEqual(await page.$$('.spot'), []);
});

pageTest('play: take back sets the clocks back, also after a loss on time', async (page) => {
    const left = () => page.evaluate(() => /** @type {any} */ (window).kagetsu.play.match.left);
    const near = async (/** @type {number} */ first, /** @type {number} */ second) => {
        const now = await left();
        assert.ok(Math.abs(now[1] - first) < 5000 && Math.abs(now[2] - second) < 5000, JSON.stringify(now));
    };
    await hold(page, 'none of them');
    for (const [regulation, points] of [
        ['', ['h8', 'h9', 'i9']],
        ['pro', ['h8', 'h9', 'k11']],
    ]) {
        await start(page, { players: 'human human', timing: 'g3', regulation: String(regulation) });
        await waitForText(page, '.play-note', /first player’s turn/);
        for (const [i, point] of [...points].entries()) {
            await waitForText(page, '.play-note', i % 2 ? /second player’s turn/ : /first player’s turn/);
            if (regulation) await waitForText(page, '.steps-panel', new RegExp(`stone ${i + 1}`));
            await pass(page, 20_000);
            await click(page, point);
            await waitFor(page, async () => (await stones(page)).length === i + 1);
        }
        await waitForText(page, '.play-note', /second player’s turn/);
        await near(144_000, 162_000);
        await pass(page, 170_000);
        await waitForText(page, '.play-note', /black wins: time is over/);
        await page.reload();
        await page.click('#tab-play');
        await waitForText(page, '.play-note', /black wins: time is over/);
        // The page asks the server for the state of the opening first.
        await waitFor(page, async () => {
            await page.click('#play >> text=Take back');
            return page.evaluate(() => /** @type {any} */ (window).kagetsu.play.isOn);
        });
        await waitForText(page, '.play-note', /first player’s turn/);
        await near(162_000, 162_000);
        await page.click('#play >> text=Take back');
        await waitForText(page, '.play-note', /second player’s turn/);
        await near(162_000, 180_000);
        await page.click('#play >> text=Take back');
        await waitForText(page, '.play-note', /first player’s turn/);
        await near(180_000, 180_000);
        await hold(page, 'none of them');
    }
});
