// Texts that try to be markup, several tabs, a program that ends, and use without seeing the screen.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import {
    browser,
    click,
    drop,
    open,
    pageTest,
    serve,
    stones,
    text,
    waitFor,
    waitForStones,
    waitForText,
} from './harness.js';

const EVIL = '<img src=x onerror="window.evil=1"><script>window.evil=1</script>';

pageTest('safety: texts of files never become markup', async (page) => {
    const escaped = EVIL.replaceAll('\\', '\\\\').replaceAll(']', '\\]').replaceAll(':', '\\:');
    const keys = ['PB', 'PW', 'EV', 'GN', 'DT', 'RO', 'PC', 'GC', 'TE'].map((key) => `${key}[${escaped}]`).join('');
    const node = `C[${escaped}]N[${escaped}]LB[cc:${escaped}]TR[dd]`;
    const game = `(;SZ[15]${keys};B[hh]${node};W[hg])`;
    await drop(page, `${EVIL.replaceAll('/', '')}.sgf`, `${game}${game}`);
    await waitForStones(page, 'xh8 oh9');
    await page.keyboard.press('ArrowLeft');
    for (const name of ['game', 'analysis', 'play', 'openings', 'puzzles', 'game']) await page.click(`#tab-${name}`);
    await page.click('#save');
    await page.click('dialog >> text=Cancel');
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).evil), undefined);
    assert.equal(await page.$('img[src=x]'), null);
    assert.equal(await page.inputValue('#game textarea'), EVIL);
    for (const [name, content] of [
        ['a.psq', `Piskvorky 15x15, 1:1, 0\n8,8,0\n${EVIL}\n${EVIL}\n-1\n`],
        ['a.xml', `<database><game><move>h8</move><info><![CDATA[${EVIL}]]></info></game></database>`],
        ['a.txt', `h8 ${EVIL}\n`],
    ]) {
        await drop(page, name, content);
        await waitForText(page, '#status', new RegExp(name));
    }
    await page.reload();
    await waitForText(page, '#headline', /move/);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).evil), undefined);
});

test('safety: the browser refuses scripts that are not of the page', { timeout: 60_000 }, async () => {
    const page = await open();
    await page.evaluate(() => {
        const script = document.createElement('script');
        try {
            script.textContent = 'window.evil = 1';
        } catch {
            // Trusted types refuse it already.
        }
        document.body.append(script);
        try {
            // eslint-disable-next-line no-restricted-properties -- what the page must refuse
            document.body.innerHTML = '<b>x</b>';
        } catch {
            /** @type {any} */ (window).refused = true;
        }
    });
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).evil), undefined);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).refused), true);
    await page.context().close();
});

test('safety: a page without the key is shown nothing', { timeout: 60_000 }, async () => {
    const page = await open();
    const other = await page.context().browser()?.newContext();
    const stranger = await other?.newPage();
    const address = page.url().replace(/#.*/, '');
    const answer = await stranger?.goto(address);
    assert.equal(answer?.status(), 403);
    assert.match((await stranger?.textContent('body')) ?? '', /holds the key/);
    await other?.close();
    await page.context().close();
});

test('safety: the file that a browser is started with leads to the page', { timeout: 120_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kagetsu-open-'));
    const told = join(folder, 'arguments');
    await writeFile(
        join(folder, 'xdg-open'),
        `#!/bin/sh\nprintf '%s\\n' "$@" >'${told}.new'\nmv '${told}.new' '${told}'\n`,
    );
    await chmod(join(folder, 'xdg-open'), 0o755);
    const own = await serve([], { PATH: `${folder}:${process.env.PATH}`, TMPDIR: folder });
    const context = await browser.newContext();
    const page = await context.newPage();
    const exists = (/** @type {string} */ path) => stat(path).then(Boolean, () => false);
    await waitFor(page, () => exists(told));
    const path = (await readFile(told, 'utf8')).trim();
    const token = own.link.split('token=')[1];
    assert.ok(token.length > 20 && !path.includes(token), 'the key is no argument');
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    await page.goto(`file://${path}`);
    await page.waitForFunction(() => document.getElementById('headline')?.textContent?.includes('move'));
    await waitFor(page, async () => !(await exists(path)));
    await page.reload();
    await page.waitForFunction(() => document.getElementById('headline')?.textContent?.includes('move'));
    assert.ok(!page.url().includes('token'));
    await context.close();
    own.stop();
    await rm(folder, { recursive: true });
});

test('safety: two tabs share the engine, and keep their own games', { timeout: 300_000 }, async () => {
    const first = await open();
    const second = await first.context().newPage();
    await second.goto(first.url());
    await waitForText(second, '#headline', /move/);
    await click(first, 'h8');
    await first.bringToFront();
    await first.keyboard.press('a');
    await waitForText(first, '.effort', /depth/);
    await second.bringToFront();
    await click(second, 'g7');
    await second.keyboard.press('a');
    await waitForText(second, '.effort', /depth/);
    const nodes = async () => Number((await text(first, '.effort')).match(/([\d.]+) [kM ]* ?nodes/)?.[1] ?? 0);
    const seen = await nodes();
    await waitFor(first, async () => (await nodes()) !== seen);
    await second.close();
    await first.bringToFront();
    await waitForStones(first, 'xh8');
    await first.reload();
    await waitForStones(first, 'xh8');
    await first.context().close();
});

test('safety: a copy of a tab is a tab of its own', { timeout: 300_000 }, async () => {
    const first = await open();
    await click(first, 'h8');
    await waitForStones(first, 'xh8');
    const tab = (/** @type {typeof first} */ page) =>
        page.evaluate(() => /** @type {any} */ (window).kagetsu.restore.store.tab);
    const id = await tab(first);
    await waitFor(first, () => first.evaluate((id) => `kagetsu.game.${id}` in localStorage, id));
    const second = /** @type {typeof first} */ (await first.context().newPage());
    // A browser that duplicates a tab copies its storage.
    await second.addInitScript((id) => {
        sessionStorage.getItem('kagetsu.tab') ?? sessionStorage.setItem('kagetsu.tab', id);
    }, id);
    await second.goto(first.url());
    await waitFor(second, async () => (await tab(second)) !== id);
    assert.equal(await tab(first), id);
    await waitForStones(second, 'xh8');
    await click(second, 'h9');
    await waitForStones(second, 'xh8 oh9');
    await second.reload();
    await waitForStones(second, 'xh8 oh9');
    await first.reload();
    await waitForStones(first, 'xh8');
    await first.context().close();
});

pageTest('safety: a browser that keeps no site data plays all the same', async (page) => {
    // Firefox refuses all three where cookies and site data are blocked.
    await page.addInitScript(() => {
        const refuse = function () {
            throw new DOMException('The operation is insecure.', 'SecurityError');
        };
        for (const name of ['localStorage', 'sessionStorage']) {
            Object.defineProperty(window, name, { get: refuse, configurable: true });
        }
        Object.defineProperty(window, 'BroadcastChannel', { value: refuse, configurable: true });
    });
    await page.reload();
    await waitForText(page, '#status', /does not keep this game/);
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    await waitForText(page, '#headline', /move 1 · white to move/);
});

test('safety: the program goes, and the game stays', { timeout: 300_000 }, async () => {
    const own = await serve();
    const page = await open({ link: own.link });
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    own.stop();
    await waitForText(page, '#connection', /does not answer/);
    await click(page, 'h9');
    await waitForStones(page, 'xh8 oh9');
    await page.context().close();
});

test('safety: a file named on the command line is shown', { timeout: 60_000 }, async () => {
    const own = await serve(['D4 g9']);
    const page = await open({ link: own.link });
    await waitForStones(page, 'xh8 oh9 xi9 og9');
    await page.context().close();
    own.stop();
});

test('safety: a tab with a game of its own is asked before it shows the file', { timeout: 300_000 }, async () => {
    const own = await serve(['D4 g9']);
    const page = await open({ link: own.link });
    const file = 'xh8 oh9 xi9 og9';
    await waitForStones(page, file);
    await click(page, 'k10');
    await waitForStones(page, `${file} xk10`);
    // The stored start is that of another run of the program.
    await page.addInitScript(() => {
        for (const key of Object.keys(localStorage).filter((key) => key.startsWith('kagetsu.game.'))) {
            const kept = JSON.parse(localStorage.getItem(key) ?? '');
            kept.extra.opened = 'an earlier start';
            localStorage.setItem(key, JSON.stringify(kept));
        }
    });
    await page.reload();
    await waitForText(page, 'dialog', /started with/);
    await waitForStones(page, `${file} xk10`);
    await page.click('dialog >> text=Keep this game');
    await waitForStones(page, `${file} xk10`);
    await page.reload();
    await page.click('dialog >> text=Open it');
    await waitForStones(page, file);
    await page.keyboard.press('Control+z');
    await waitForStones(page, `${file} xk10`);
    await page.context().close();
    own.stop();
});

test('safety: an address that holds no position leaves the match', { timeout: 300_000 }, async () => {
    const page = await open();
    await page.click('#tab-play');
    await page.selectOption('#play .form select >> nth=0', 'human human');
    await page.click('#start');
    await waitForText(page, '.play-note', /first player’s turn/);
    await click(page, 'h8');
    await waitForText(page, '.play-note', /second player’s turn/);
    const address = page.url().replace(/#.*/, '');
    await page.evaluate(() => history.replaceState(null, '', '#pos=h8h8&rule=renju&size=15'));
    await page.reload();
    await waitForText(page, '#status', /the address holds no position/);
    await waitForText(page, '.play-note', /second player’s turn/);
    await page.evaluate(() => history.replaceState(null, '', '#pos=g7&rule=renju&size=15'));
    await page.reload();
    await page.click('dialog >> text=Cancel');
    await waitForText(page, '.play-note', /second player’s turn/);
    await waitForStones(page, 'xh8');
    assert.ok(page.url().startsWith(address));
    await page.context().close();
});

for (const dark of [false, true]) {
    const shade = dark ? 'dark' : 'light';
    test(`accessibility: no serious finding of axe, ${shade}`, { timeout: 300_000 }, async () => {
        const page = await open({ dark });
        const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
        await click(page, 'f8', 'a1', 'g8', 'a3', 'h9', 'a5', 'h10', 'a7');
        // The page refuses foreign scripts, so the debugger's interface injects the tool.
        await page.evaluate(axe);
        for (const panel of ['game', 'play', 'openings', 'puzzles', 'analysis']) {
            await page.click(`#tab-${panel}`);
            if (panel === 'openings') await waitFor(page, async () => (await page.$$('.opening')).length === 26);
            if (panel === 'analysis') {
                await click(page, 'h8');
                await waitForText(page, '#explanation', /double three/);
            }
            const found = await page.evaluate(async () => {
                const result = await /** @type {any} */ (window).axe.run();
                return result.violations.map(
                    (/** @type {any} */ violation) =>
                        `${violation.impact} ${violation.id}: ${violation.nodes.map((/** @type {any} */ n) => n.target).join(', ')}`,
                );
            });
            const serious = found.filter((/** @type {string} */ line) => /^(serious|critical)/.test(line));
            assert.deepEqual(serious, [], panel);
        }
        assert.ok((await stones(page)).length === 8);
        await page.context().close();
    });
}
