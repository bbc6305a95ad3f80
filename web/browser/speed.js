// The speed of the first paint, and of a large tree.

import assert from 'node:assert/strict';

import { browser, drop, pageTest, serve, waitFor, waitForText } from './harness.js';
import { test } from 'node:test';

test('speed: the first useful paint', { timeout: 120_000 }, async () => {
    const began = performance.now();
    const own = await serve();
    const listening = performance.now() - began;
    const context = await browser.newContext();
    const page = await context.newPage();
    const opened = performance.now();
    await page.goto(own.link);
    await page.waitForSelector('#board .star');
    const painted = performance.now() - opened;
    await page.waitForLoadState('networkidle');
    // Every file once: the browser asks for the icon several times.
    const bytes = await page.evaluate(() => {
        const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
        /** @type {Map<string, number>} */
        const sizes = new Map();
        for (const entry of /** @type {PerformanceResourceTiming[]} */ (entries))
            sizes.set(entry.name, entry.decodedBodySize);
        return [...sizes.values()].reduce((sum, size) => sum + size);
    });
    console.log(`first paint: program ${listening.toFixed(0)} ms, page ${painted.toFixed(0)} ms, ${bytes} bytes`);
    await context.close();
    own.stop();
    assert.ok(bytes > 10_000 && bytes < 300_000, `${bytes} bytes`);
    // The bar is a second on a machine that has nothing else to do.
    assert.ok(listening + painted < 10_000);
});

/** A game of 225 moves with 2,000 variations: one or more at every move. */
function large() {
    const points = /** @type {string[]} */ ([]);
    for (let y = 0; y < 15; y++) for (let x = 0; x < 15; x++) points.push(String.fromCharCode(97 + x, 97 + y));
    // An order without fives: three columns apart.
    const order = points.map((_, i) => points[(i * 7) % 225]);
    let text = '';
    let close = '';
    order.forEach((point, i) => {
        const color = i % 2 ? 'W' : 'B';
        const others = order.slice(i + 1, i + 1 + 9);
        const variations = others.map((other) => `(;${color}[${other}])`).join('');
        text += `(;${color}[${point}]`;
        close = `)${variations}${close}`;
    });
    return `(;SZ[15]RU[caro]${text}${close})`;
}

pageTest('speed: 225 moves with 2,000 variations', async (page) => {
    await drop(page, 'large.sgf', large());
    await waitForText(page, '#status', /large\.sgf is open/);
    await waitForText(page, '#headline', /move 225/);
    const result = await page.evaluate(async () => {
        const app = /** @type {any} */ (window).kagetsu;
        const frame = () => new Promise(requestAnimationFrame);
        const times = /** @type {number[]} */ ([]);
        for (let i = 0; i < 200; i++) {
            await frame();
            const start = performance.now();
            app.session.step(i < 100 ? -1 : 1);
            await new Promise((resolve) =>
                requestAnimationFrame(() => {
                    // The board is drawn with the frame: its time counts.
                    resolve(null);
                }),
            );
            document.body.getBoundingClientRect();
            times.push(performance.now() - start);
        }
        const work = /** @type {number[]} */ ([]);
        for (let i = 0; i < 100; i++) {
            const start = performance.now();
            app.session.step(-1);
            work.push(performance.now() - start);
            await frame();
        }
        const scroll = /** @type {number[]} */ ([]);
        const tree = /** @type {HTMLElement} */ (document.querySelector('.tree'));
        for (let i = 0; i < 60; i++) {
            const start = performance.now();
            tree.scrollTop = i * 120;
            tree.scrollLeft = i * 100;
            tree.dispatchEvent(new Event('scroll'));
            await frame();
            scroll.push(performance.now() - start);
        }
        const median = (/** @type {number[]} */ list) => list.sort((a, b) => a - b)[list.length >> 1];
        return {
            nodes: app.gamePanel.tree.nodes.children.length,
            step: median(times),
            work: median(work),
            scroll: median(scroll),
        };
    });
    console.log(`large game: ${JSON.stringify(result)}`);
    assert.ok(result.nodes < 1500, 'only what is seen is in the document');
    assert.ok(result.work < 16, `${result.work} ms of work a step`);
    await waitFor(page, async () => true);
});
