// Matches in the tests: how they are begun and played.

import { click, stones, waitFor, waitForText } from './harness.js';

/** @import { Page } from 'playwright-core' */

/**
 * @param {Page} page
 * @param {{ players?: string, rule?: string, level?: number, timing?: string, regulation?: string, ends?: string }} how
 */
export async function start(page, how) {
    await page.click('#tab-play');
    const list = (/** @type {number} */ i) => `#play .form select >> nth=${i}`;
    await page.selectOption(list(0), how.players ?? 'human engine');
    await page.selectOption(list(1), how.rule ?? 'freestyle');
    await page.fill('#play input[type=range]', String(how.level ?? 0));
    await page.selectOption(list(2), how.timing ?? 'none');
    await page.selectOption(list(3), how.regulation ?? '');
    await page.selectOption(list(4), how.ends ?? 'plain');
    const asks = await page.evaluate(() => {
        const { play } = /** @type {any} */ (window).kagetsu;
        return play.isOn && play.tip.number > 0;
    });
    await page.click('#start');
    if (asks) await page.click('dialog >> text=Leave it');
    await waitForText(page, '.play-note', /turn|thinks|move/);
}

/**
 * Makes moves of a match. Each is clicked until its stone is there: a click before its turn begins plays nothing.
 * @param {Page} page
 * @param {...string} points
 */
export async function move(page, ...points) {
    for (const point of points) {
        await waitFor(page, async () => {
            await click(page, point);
            return (await stones(page)).some((stone) => stone.slice(1) === point);
        });
    }
}
