// Live analysis: numbers that tick, lines shown on the board, threats, proofs, the graph.

import assert from 'node:assert/strict';

import { click, pageTest, text, waitFor, waitForStones, waitForText, withheld } from './harness.js';

/** @import { Page } from 'playwright-core' */

/** White threatens a straight four; Black has no four of its own. */
const THREAT = '#pos=a1h8c1h9a15h10&rule=freestyle';
/** Black has an open three and is to move. */
const WIN = '#pos=h8a1h9a3h10a15&rule=freestyle';

/**
 * Keeps the page's jobs from the engine; `window.hear(answer)` answers the last one.
 * @param {Page} page
 */
async function withoutEngine(page) {
    await page.evaluate(() => {
        const { connection } = /** @type {any} */ (window).kagetsu;
        connection.work = (/** @type {any} */ _ask, /** @type {any} */ hear) => {
            Object.assign(window, { hear });
            return () => {};
        };
    });
}

/**
 * Answers the page's last job with a study.
 * @param {Page} page
 * @param {object} found what differs from a study without results
 */
async function hearStudy(page, found) {
    await page.evaluate((found) => {
        const counts = { depth: 1, seldepth: 1, nodes: 1, nps: 1, ms: 1, is_static: false, at_work: null };
        /** @type {any} */ (window).hear({ type: 'study', ...counts, lines: [], threat: null, proven: null, ...found });
    }, found);
}

pageTest('analysis: ticks while the page answers, and stops', async (page) => {
    await click(page, 'h8', 'h9', 'i9');
    await page.click('text=Analyse');
    await waitFor(page, async () => (await page.$$('.lines li')).length === 3);
    await waitForText(page, '.lines li >> nth=0', /%/);
    assert.ok((await page.$$('.candidate')).length >= 3, 'the candidates are on the board');
    const seen = await page.evaluate(async () => {
        const line = /** @type {HTMLElement} */ (document.querySelector('.effort'));
        let changes = 0;
        let slowest = 0;
        new MutationObserver(() => changes++).observe(line, { childList: true, characterData: true, subtree: true });
        const start = performance.now();
        for (let last = start; last - start < 4000;) {
            await new Promise(requestAnimationFrame);
            const now = performance.now();
            slowest = Math.max(slowest, now - last);
            last = now;
        }
        return { rate: changes / 4, slowest };
    });
    console.log(`analysis: ${seen.rate.toFixed(1)} updates a second, slowest frame ${seen.slowest.toFixed(0)} ms`);
    assert.ok(seen.rate >= 5, `${seen.rate} updates a second`);
    await page.keyboard.press('ArrowLeft');
    await waitForStones(page, 'xh8 oh9');
    await waitForText(page, '.effort', /depth/);
    await page.click('#analysis >> text=Stop');
    await waitForText(page, '.effort', /appear here/);
});

pageTest('analysis: the number of lines is the one that the list shows, whatever was kept', async (page) => {
    await page.evaluate(() => localStorage.setItem('kagetsu.settings.lines', 'many'));
    await page.reload();
    await waitForText(page, '#headline', /to move/);
    const sent = await withheld(page, ['analyze']);
    await page.click('text=Analyse');
    await waitFor(page, async () => (await sent()).length === 1);
    const shown = Number(await page.inputValue('#analysis select'));
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).sent[0].lines), shown);
});

pageTest('analysis: a line is shown on the board and played', async (page) => {
    await click(page, 'h8', 'h9', 'i9');
    await page.selectOption('#analysis select', '1');
    await page.click('text=Analyse');
    await waitForText(page, '.effort', /depth [2-9]/);
    await page.click('#analysis >> text=Stop');
    await page.keyboard.press('a');
    await waitFor(page, async () => (await page.$$('.lines li:first-child .move')).length >= 3);
    await page.hover('.lines li:first-child .move >> nth=2');
    await waitFor(page, async () => (await page.$$('.ghost:not(.hover)')).length === 3);
    await page.click('.lines li:first-child .move >> nth=2');
    await waitForText(page, '#headline', /move 6/);
});

pageTest(
    'analysis: what the opponent threatens and what stops it',
    async (page) => {
        await page.keyboard.press('a');
        await waitForText(page, '.threat', /white threatens to win by fours in 3.*Stopped by/s);
        const stops = await page
            .$$eval('.threat .moves >> nth=1', (list) => list[0]?.textContent ?? '')
            .catch(() => '');
        assert.match(stops || (await text(page, '.threat')), /h7|h11/);
        await page.check('.threat input');
        await waitFor(page, async () => (await page.$$('.spot.stop')).length >= 2);
        await page.keyboard.press('ArrowLeft');
        await waitForText(page, '#headline', /move 5/);
    },
    { hash: THREAT },
);

pageTest('analysis: what is proven is said of the position on the board', async (page) => {
    await withoutEngine(page);
    const hear = (/** @type {number} */ mate) => {
        const lines = [{ moves: ['h8'], win_rate: mate > 0 ? 1 : 0, mate }];
        return hearStudy(page, { lines, proven: 'search' });
    };
    await page.keyboard.press('a');
    await page.waitForFunction(() => 'hear' in window);
    for (const mate of [5, 3]) {
        await hear(mate);
        await waitForText(page, '.threat', new RegExp(`black wins in ${mate}`));
    }
    const restart = async () => {
        await page.click('#analysis >> text=Stop');
        await page.click('text=Analyse');
    };
    for (const again of [() => click(page, 'g7'), restart]) {
        await page.evaluate(() => Reflect.deleteProperty(window, 'hear'));
        await again();
        await page.waitForFunction(() => 'hear' in window);
        await hear(3);
        await waitForText(page, '.threat', /white wins in 3/);
    }
});

pageTest('analysis: the best line is read out on request', async (page) => {
    await withoutEngine(page);
    await page.keyboard.press('b');
    await waitForText(page, '#status', /the analysis is off/);
    await page.keyboard.press('a');
    await page.waitForFunction(() => 'hear' in window);
    await page.keyboard.press('b');
    await waitForText(page, '#status', /nothing yet/);
    const moves = ['h8', 'h9', 'i9', 'g9', 'i7', 'i8', 'g7'];
    const threat = { length: 5, line: ['c1'], stops: ['d1'], complete: true };
    await hearStudy(page, { lines: [{ moves, win_rate: 0.613, mate: null }], depth: 12, threat });
    await page.keyboard.press('b');
    const said = 'depth 12: black 61.3 %, h8 h9 i9 g9 i7 i8; white threatens to win by fours in 5';
    await waitForText(page, '#status', new RegExp(`^${said}$`));
});

pageTest('analysis: results of another position cannot be used', async (page) => {
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    await withoutEngine(page);
    const hear = (/** @type {string} */ move) => {
        const lines = [{ moves: [move, 'a2'], win_rate: 0.5, mate: null }];
        const threat = { length: 3, line: ['c1', 'c2', 'c3'], stops: ['d1'], complete: true };
        return hearStudy(page, { lines, threat });
    };
    const isInert = () =>
        page.$$eval('.lines, .threat', (parts) => parts.map((part) => /** @type {HTMLElement} */ (part).inert));
    await page.keyboard.press('a');
    await page.waitForFunction(() => 'hear' in window);
    await hear('a1');
    assert.deepEqual(await isInert(), [false, false]);
    await page.evaluate(() => Reflect.deleteProperty(window, 'hear'));
    await page.focus('.lines .move >> nth=0');
    await page.keyboard.press('Enter');
    await waitForStones(page, 'xh8 oa1');
    assert.deepEqual(await isInert(), [true, true]);
    await page.waitForFunction(() => 'hear' in window);
    await hear('b1');
    assert.deepEqual(await isInert(), [false, false]);
    assert.ok(await page.evaluate(() => document.activeElement?.closest('.lines')), 'the focus is back');
    await page.focus('.threat .move >> nth=0');
    await hear('b2');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'c1');
    await page.evaluate(() => /** @type {any} */ (window).hear({ type: 'error', message: 'the game is over' }));
    assert.equal((await page.$$('.lines li')).length, 0);
    assert.equal(await page.isVisible('.threat .move'), false);
    await page.evaluate(() => /** @type {any} */ (window).kagetsu.moves.playLine(['c3', 'h8', 'c4'], 'black'));
    await waitForStones(page, 'xh8 oa1 xc3');
});

pageTest('analysis: a line leaves the board with its button', async (page) => {
    await withoutEngine(page);
    const hear = (/** @type {string[]} */ moves) => hearStudy(page, { lines: [{ moves, win_rate: 0.5, mate: null }] });
    const ghosts = async () => (await page.$$('.ghost:not(.hover)')).length;
    await page.keyboard.press('a');
    await page.waitForFunction(() => 'hear' in window);
    for (const end of [() => hear(['h8']), () => page.keyboard.press('a')]) {
        await hear(['h8', 'h9', 'i9', 'g9']);
        await page.hover('.lines .move >> nth=3');
        await waitFor(page, async () => (await ghosts()) === 4);
        await end();
        await waitFor(page, async () => (await page.$$('.lines .move')).length < 4);
        assert.equal(await ghosts(), 0);
    }
});

pageTest(
    'analysis: a proven win and its tree',
    async (page) => {
        await page.click('text=Win by fours?');
        await waitForText(page, '.proof', /black wins in 3/);
        await waitForText(page, '#status', /black wins in 3/);
        await waitForText(page, '.proof', /verified/);
        await page.click('.proof .move.any, .proof .move.white >> nth=0').catch(() => {});
        await waitForText(page, '.proof', /Five in a row|five/i);
        await page.click('.proof >> text=Close');
        await page.keyboard.press('a');
        await waitForText(page, '.threat', /Proven by fours: black wins in 3/);
        await waitForText(page, '#balance-text', /black wins in 3/);
    },
    { hash: WIN },
);

pageTest(
    'analysis: the engine looks for a proof no longer than it is wanted',
    async (page) => {
        const sent = await withheld(page, ['solve', 'try']);
        await page.click('text=Win by fours?');
        await page.click('text=Win by threats?');
        assert.deepEqual(await sent(), ['solve', 'stop solve', 'solve']);
        await page.click('.proof >> text=Close');
        assert.deepEqual((await sent()).slice(3), ['stop solve']);
        await page.click('text=Win by fours?');
        await page.keyboard.press('ArrowLeft');
        assert.deepEqual((await sent()).slice(4), ['solve', 'stop solve']);
        await page.click('text=Win by fours?');
        await page.evaluate(() => /** @type {any} */ (window).kagetsu.session.setRule('renju'));
        assert.deepEqual((await sent()).slice(6), ['solve', 'stop solve']);
        await page.evaluate(() => {
            const position = { size: 15, rule: 'freestyle', setup: [], first: 'black', moves: [] };
            const puzzle = { id: 'own', position, kind: 'vcf', length: null, source: '' };
            /** @type {any} */ (window).kagetsu.puzzles.start(puzzle);
        });
        await waitForStones(page, '');
        await click(page, 'h8');
        await waitForStones(page, 'xh8');
        await page.evaluate(() => /** @type {any} */ (window).kagetsu.leave());
        assert.deepEqual((await sent()).slice(8), ['try', 'stop try']);
    },
    { hash: WIN },
);

pageTest('analysis: the graph of a game is clicked', async (page) => {
    await click(page, 'h8', 'h9', 'i9', 'g9');
    await page.keyboard.press('Home');
    await page.keyboard.press('a');
    for (let i = 0; i < 4; i++) {
        await waitFor(page, async () => !(await page.$('.balance.unknown')));
        await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('a');
    const box = await (await page.$('.graph'))?.boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width * 0.5, box.y + 20);
    await waitForText(page, '#headline', /move 2/);
    assert.match((await page.getAttribute('.graph-curve', 'd')) ?? '', /^M.*L/);
});

pageTest('analysis: the line of a proof comes back after another line, and goes with the proof', async (page) => {
    await withoutEngine(page);
    await page.evaluate(() => {
        const { connection } = /** @type {any} */ (window).kagetsu;
        const ask = connection.ask.bind(connection);
        const last = { move: 'a1', length: 1, replies: [], otherwise: null, five: true, cut: false };
        const win = { type: 'proof', result: 'win', length: 1, turns: [last], cut: false };
        const none = { ...win, result: 'no_win', length: 0, turns: [] };
        connection.ask = (/** @type {any} */ question, /** @type {any[]} */ ...rest) => {
            if (question.type !== 'solve') return ask(question, ...rest);
            return Promise.resolve(question.kind === 'vcf' ? win : none);
        };
    });
    const ghosts = () =>
        page.$$eval('.ghost:not(.hover)', (list) => list.map((one) => one.getAttribute('data-point')).join(' '));
    await page.keyboard.press('a');
    await page.waitForFunction(() => 'hear' in window);
    await hearStudy(page, { lines: [{ moves: ['h8', 'h9'], win_rate: 0.5, mate: null }] });
    await page.click('text=Win by fours?');
    await waitFor(page, async () => (await ghosts()) === 'a1');
    await page.hover('.lines .move >> nth=1');
    await waitFor(page, async () => (await ghosts()) === 'h8 h9');
    await page.hover('.proof h3');
    await waitFor(page, async () => (await ghosts()) === 'a1');
    await page.click('text=Win by threats?');
    await waitForText(page, '.proof', /has no win by threats/);
    assert.match(await text(page, '#status'), /has no win by threats/);
    assert.equal(await ghosts(), '');
});
