// The page in Firefox, driven by WebDriver BiDi. Browsers differ in how they run the page's code, so a walk through the
// panels is enough beside the tests in Chromium. Only with FIREFOX, the path of a Firefox.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import puppeteer from 'puppeteer-core';

import { serve } from './program.js';

/** Time for anything to happen on a busy machine, in milliseconds. */
const PATIENCE = 120_000;
const firefox = process.env.FIREFOX;

test('firefox: board, fouls, openings, analysis, a reload', { skip: !firefox, timeout: 5 * PATIENCE }, async () => {
    const own = await serve();
    const browser = await puppeteer.launch({
        browser: 'firefox',
        executablePath: firefox,
        headless: true,
        timeout: PATIENCE,
        protocolTimeout: PATIENCE,
    });
    try {
        const page = await browser.newPage();
        page.setDefaultTimeout(PATIENCE);
        await page.setViewport({ width: 1366, height: 768 });
        const problems = /** @type {string[]} */ ([]);
        page.on('pageerror', (error) => problems.push(String(error)));
        page.on('console', (message) => {
            if (message.type() === 'error') problems.push(message.text());
        });
        await page.goto(own.link);
        const shows = (/** @type {string} */ selector, /** @type {string} */ part) =>
            page.waitForFunction(
                (selector, part) => document.querySelector(selector)?.textContent?.includes(part),
                {},
                selector,
                part,
            );
        const stones = (/** @type {number} */ count) =>
            page.waitForFunction(
                (/** @type {number} */ count) => document.querySelectorAll('.layer-stones .stone').length === count,
                {},
                count,
            );
        await shows('#headline', 'move');
        assert.ok(!page.url().includes('token'));
        const points = ['f8', 'a1', 'g8', 'a3', 'h9', 'a5', 'h10', 'a7'];
        for (const [i, name] of points.entries()) {
            const { x, y } = await page.evaluate(place, name);
            await page.mouse.click(x, y);
            await stones(i + 1);
        }
        await page.waitForSelector('.foul');
        const { x, y } = await page.evaluate(place, 'h8');
        await page.mouse.click(x, y);
        await shows('#explanation', 'double three');
        await page.click('#tab-openings');
        await page.waitForFunction(() => document.querySelectorAll('.opening').length === 26);
        const folder = process.env.SCREENSHOTS;
        if (folder) await page.screenshot({ path: join(folder, 'firefox.png') });
        await page.click('#tab-analysis');
        await page.keyboard.press('a');
        await shows('.effort', 'depth');
        await page.reload();
        await stones(points.length);
        assert.deepEqual(problems, []);
    } finally {
        await browser.close();
        own.stop();
    }
});

/**
 * The place of a point on the screen; runs in the page.
 * @param {string} name
 */
function place(name) {
    const picture = /** @type {SVGSVGElement} */ (document.querySelector('#board > svg'));
    const box = picture.getBoundingClientRect();
    const lines = Math.round((picture.viewBox.baseVal.width - 70) / 40);
    const unit = box.width / picture.viewBox.baseVal.width;
    const [x, y] = [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];
    return { x: box.left + unit * (44 + 40 * x), y: box.top + unit * (26 + 40 * (lines - y)) };
}
