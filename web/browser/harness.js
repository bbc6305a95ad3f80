// The program and a browser for the tests: both are started once, and end with the tests.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { chromium } from 'playwright-core';

import { serve } from './program.js';

export { serve };

/** @import { Page } from 'playwright-core' */

/** Time for anything to happen on a busy machine, in milliseconds. */
export const PATIENCE = 60_000;

const flags = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
];

const profile = await mkdtemp(join(tmpdir(), 'kagetsu-web-'));
export const site = await serve();
export const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: flags,
});
after(async () => {
    await browser.close();
    site.stop();
    await rm(profile, { recursive: true, force: true });
});

/**
 * The page's scripts and styles from the folder PAGE, so that a change of them needs no build.
 * @param {import('playwright-core').Route} route
 */
function fromFolder(route) {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: join(process.env.PAGE ?? '', pathname) });
}

/**
 * Opens the page in a context of its own: nothing of another test is kept there.
 * @param {{ link?: string, hash?: string, width?: number, height?: number, dark?: boolean, touch?: boolean }} [options]
 * @returns {Promise<Page & { problems: string[] }>}
 */
export async function open(options = {}) {
    const { link = site.link, hash = '', width = 1366, height = 768, dark = false, touch = false } = options;
    const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        hasTouch: touch,
        permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(PATIENCE);
    if (process.env.PAGE) await context.route(/\.(js|css|svg)$/, fromFolder);
    const page = await context.newPage();
    const problems = /** @type {string[]} */ ([]);
    page.on('pageerror', (error) => problems.push(String(error.stack ?? error)));
    page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
    });
    page.on('dialog', (dialog) => {
        problems.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    await page.goto(link + hash);
    await page.waitForFunction(() => document.getElementById('headline')?.textContent?.includes('move'));
    return Object.assign(page, { problems });
}

/**
 * A test with a page; what went wrong in the page is an error of the test. One that fails is tried once more, with a line
 * that says so: a click may meet a page that a busy machine has not yet drawn, but a fault fails twice.
 * @param {string} name
 * @param {(page: Page & { problems: string[] }) => Promise<void>} body
 * @param {Parameters<typeof open>[0]} [options]
 */
export function pageTest(name, body, options = {}) {
    const attempt = async () => {
        const page = await open(options);
        try {
            await body(page);
            assert.deepEqual(page.problems, []);
        } finally {
            await page.context().close();
        }
    };
    test(name, { timeout: 10 * PATIENCE }, async () => {
        try {
            await attempt();
        } catch (error) {
            console.warn(`# tried once more: ${name}: ${error}`);
            await attempt();
        }
    });
}

/**
 * The place of a point on the screen.
 * @param {Page} page
 * @param {string} name
 */
export async function place(page, name) {
    return page.evaluate((name) => {
        const picture = /** @type {SVGSVGElement} */ (document.querySelector('#board > svg'));
        picture.scrollIntoView({ block: 'center' });
        const box = picture.getBoundingClientRect();
        const lines = Math.round((picture.viewBox.baseVal.width - 70) / 40);
        const unit = box.width / picture.viewBox.baseVal.width;
        const [x, y] = [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];
        return { x: box.left + unit * (44 + 40 * x), y: box.top + unit * (26 + 40 * (lines - y)) };
    }, name);
}

/**
 * Clicks points of the board, one after another.
 * @param {Page} page
 * @param {...string} points
 */
export async function click(page, ...points) {
    for (const point of points) {
        const { x, y } = await place(page, point);
        await page.mouse.click(x, y);
    }
}

/**
 * The stones on the board, each as its point and colour.
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
export function stones(page) {
    return page.$$eval('.layer-stones .stone', (list) =>
        list
            .map((stone) => {
                const color = stone.classList.contains('black') ? 'x' : 'o';
                return `${color}${stone.getAttribute('data-point')}`;
            })
            .sort(),
    );
}

/**
 * Waits until the board has these stones.
 * @param {Page} page
 * @param {string} wanted as `xh8 oh9`
 */
export async function waitForStones(page, wanted) {
    const sorted = wanted.split(' ').filter(Boolean).sort().join(' ');
    await waitFor(
        page,
        async () => (await stones(page)).join(' ') === sorted,
        async () => `${await stones(page)} instead of ${sorted}`,
    );
}

/**
 * Waits until something holds.
 * @param {Page} page
 * @param {() => Promise<boolean>} holds
 * @param {() => Promise<string>} [explain]
 */
export async function waitFor(page, holds, explain = async () => 'it did not happen') {
    const end = Date.now() + PATIENCE;
    while (!(await holds())) {
        if (Date.now() > end) throw new Error(await explain());
        await page.waitForTimeout(30);
    }
}

/**
 * @param {Page} page
 * @param {string} selector
 */
export async function text(page, selector) {
    return (await page.textContent(selector)) ?? '';
}

/**
 * Waits until an element's text matches.
 * @param {Page} page
 * @param {string} selector
 * @param {RegExp} pattern
 */
export async function waitForText(page, selector, pattern) {
    await waitFor(
        page,
        async () => pattern.test(await text(page, selector)),
        async () => `${selector} says "${await text(page, selector)}", not ${pattern}`,
    );
}

/**
 * Keeps some requests of the page and their stops from the server, so that these searches end with the page's own stop
 * only.
 * @param {Page} page
 * @param {string[]} types
 * @returns {Promise<() => Promise<string[]>>} gives what the page has sent of them, as `move` and `stop move`
 */
export async function withheld(page, types) {
    await page.evaluate((types) => {
        const { send } = WebSocket.prototype;
        const sent = /** @type {any[]} */ ([]);
        /** @type {any} */ (window).sent = sent;
        WebSocket.prototype.send = function (/** @type {any} */ data) {
            const message = JSON.parse(String(data));
            if ([...types, 'stop'].includes(message.type)) sent.push(message);
            else send.call(this, data);
        };
    }, types);
    return async () => {
        const messages = /** @type {any[]} */ (await page.evaluate(() => /** @type {any} */ (window).sent));
        const names = new Map(messages.map((message) => [message.id, message.type]));
        return messages.map(({ type, job }) => (type === 'stop' ? `stop ${names.get(job)}` : type));
    };
}

/**
 * Drops a file on the page.
 * @param {Page} page
 * @param {string} name
 * @param {string | Uint8Array} content
 */
export async function drop(page, name, content) {
    const bytes = [...Buffer.from(content)];
    await page.evaluate(
        ({ name, bytes }) => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(bytes)], name));
            document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        { name, bytes },
    );
}

/**
 * Saves in a format and gives the file's content.
 * @param {Page} page
 * @param {string} format
 * @param {boolean} [lossy]
 */
export async function save(page, format, lossy = false) {
    await page.click('#save');
    await page.selectOption('dialog select', format);
    if (lossy) await page.check('dialog input[type=checkbox]');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('dialog .primary')]);
    const path = await download.path();
    return { name: download.suggestedFilename(), bytes: await readFile(path) };
}
