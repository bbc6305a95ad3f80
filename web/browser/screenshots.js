// Pictures of the page at three sizes, to be looked at: only with SCREENSHOTS=FOLDER.

import { join } from 'node:path';
import { test } from 'node:test';

import { click, open, waitFor, waitForText } from './harness.js';

const SIZES = /** @type {const} */ ([
    ['phone', 390, 844],
    ['laptop', 1366, 768],
    ['large', 1920, 1200],
]);
const folder = process.env.SCREENSHOTS;

for (const [name, width, height] of SIZES) {
    test(`screenshots: ${name}`, { skip: !folder, timeout: 300_000 }, async () => {
        for (const dark of [false, true]) {
            const page = await open({ width, height, dark });
            const shot = (/** @type {string} */ what) =>
                page.screenshot({
                    path: join(folder ?? '', `${name}-${dark ? 'dark' : 'light'}-${what}.png`),
                    animations: 'disabled',
                });
            await click(page, 'h8', 'i8', 'i6', 'h9', 'g7', 'f6', 'h7');
            await page.click('#tab-analysis');
            await page.keyboard.press('a');
            await waitForText(page, '.effort', /depth 1\d|Proven/).catch(() => {});
            await page.evaluate(() => scrollTo(0, 0));
            await shot('analysis');
            await page.keyboard.press('a');
            await page.click('#tab-game');
            await shot('game');
            await page.click('#tab-play');
            await shot('play');
            await page.click('#tab-openings');
            await waitFor(page, async () => (await page.$$('.opening')).length === 26);
            await shot('openings');
            await page.goto(page.url().replace(/#.*/, '') + '#pos=f8a1g8a3h9a5h10a7&rule=renju');
            await waitFor(page, async () => (await page.$$('.foul')).length === 1);
            await click(page, 'h8');
            await waitForText(page, '#explanation', /double three/);
            await page.evaluate(() => scrollTo(0, 0));
            await shot('foul');
            await page.click('#tab-puzzles');
            await waitFor(page, async () => (await page.$$('#puzzles select')).length === 2);
            await page.click('#puzzles >> text=Start');
            await waitForText(page, '.task', /to move wins/);
            await page.evaluate(() => scrollTo(0, 0));
            await shot('puzzle');
            await page.context().close();
        }
    });
}
