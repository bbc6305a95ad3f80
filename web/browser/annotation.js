// The annotation: the judgements of a game, and how they are written into it.

import assert from 'node:assert/strict';

import { click, drop, pageTest, save, stones, waitFor, waitForStones, waitForText, withheld } from './harness.js';

/** @import { Page } from 'playwright-core' */

/** White does not stop the open three: the moves after it are lost. */
const LOST = '(;SZ[15]RU[freestyle];B[hh];W[aa]C[why];B[hi];W[oa];B[hj];W[oo];B[hk];W[ao];B[hl])';

/**
 * Opens the lost game and begins to annotate it.
 * @param {Page} page
 * @param {number} ms for each position
 */
async function annotate(page, ms) {
    await drop(page, 'lost.sgf', LOST);
    await waitFor(page, async () => (await stones(page)).length === 9);
    await page.evaluate((ms) => localStorage.setItem('kagetsu.settings.review', String(ms)), ms);
    await page.click('text=Annotate the game');
}

/**
 * The comments of the main line.
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
function comments(page) {
    return page.evaluate(() => {
        const found = [];
        for (let at = /** @type {any} */ (window).kagetsu.session.game.root; at; at = at.children[0]) {
            const note = at.notes.find((/** @type {any} */ { type }) => type === 'comment');
            if (at.move) found.push(note?.text ?? '');
        }
        return found;
    });
}

pageTest('annotation: the whole game is judged, and the judgements are written into it', async (page) => {
    await annotate(page, 150);
    await waitForText(page, '#status', /the game is annotated/);
    assert.ok((await page.$$('.tree-node.blunder, .tree-node.missed_win')).length >= 1);
    await page.click('.tree-node.blunder, .tree-node.missed_win');
    await waitForText(page, '.judgement', /blunder|missed/);
    assert.match((await page.getAttribute('.graph-curve', 'd')) ?? '', /^M.*L/);
    await save(page, 'sgf');
    await waitForText(page, '#status', /left out: the judgements of the annotation/);
    const before = (await page.$$('.tree-node')).length;
    // The second click of a double one finds the writing under way, or done.
    await page.dblclick('#game >> text=Write into the game');
    await waitForText(page, '#status', /^the judgements are in the game (now|already)$/);
    const written = await comments(page);
    assert.ok(
        written.every((text) => /^(why\n\n)?Score /.test(text)),
        String(written),
    );
    assert.match(written[1], /^why\n\nScore /, 'what the user wrote stays');
    assert.match(await page.inputValue('#game textarea'), /Score .*This is a/);
    assert.ok((await page.$$('.tree-node')).length > before, 'the better lines are in the tree');
    await page.click('#game >> text=Write into the game');
    await waitForText(page, '#status', /the judgements are in the game already/);
    const { bytes } = await save(page, 'sgf');
    await waitForText(page, '#status', /^saved as [^;]*$/);
    assert.match(String(bytes), /BM\[.*C\[Score |C\[Score .*BM\[/s);
    await page.keyboard.press('Control+z');
    assert.deepEqual(await comments(page), ['', 'why', '', '', '', '', '', '', ''], 'undo takes them out at once');
    assert.equal((await page.$$('.tree-node')).length, before);
    await page.keyboard.press('Control+y');
    assert.deepEqual(await comments(page), written);
    await page.reload();
    await waitFor(page, async () => (await comments(page)).join() === written.join());
});

pageTest('annotation: one that is stopped is written as far as it came', async (page) => {
    await annotate(page, 1000);
    await page.waitForFunction(() => /** @type {any} */ (window).kagetsu.session.node.value?.entry);
    await page.click('#game >> text=Stop');
    await waitForText(page, '#status', /what is known stays/);
    await page.click('#game >> text=Write into the game');
    await waitForText(page, '#status', /the judgements are in the game now/);
    const written = await comments(page);
    assert.equal(written[0], '', 'the first move is judged last');
    assert.match(written[8], /^Score /);
});

pageTest('annotation: it ends with its game', async (page) => {
    await click(page, 'h8', 'h9');
    await waitForStones(page, 'xh8 oh9');
    const sent = await withheld(page, ['annotate']);
    await page.click('#tab-game');
    await page.click('text=Annotate the game');
    await click(page, 'i9');
    await waitForStones(page, 'xh8 oh9 xi9');
    assert.deepEqual(await sent(), ['annotate'], 'a change of the game does not end it');
    await drop(page, 'one.sgf', '(;SZ[15];B[aa])');
    await waitForStones(page, 'xa15');
    assert.deepEqual(await sent(), ['annotate', 'stop annotate']);
    assert.equal((await page.$$('text=Annotate the game')).length, 1);
});

pageTest('annotation: it ends with the rule', async (page) => {
    await click(page, 'h8', 'h9');
    await waitForStones(page, 'xh8 oh9');
    const sent = await withheld(page, ['annotate']);
    await page.click('#tab-game');
    await page.click('text=Annotate the game');
    await page.selectOption('.facts select >> nth=0', 'freestyle');
    await waitForText(page, '#status', /the rule has changed/);
    assert.deepEqual(await sent(), ['annotate', 'stop annotate']);
});
