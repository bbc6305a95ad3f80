// Opening regulations: every step of each, with its zones and its branches.

import assert from 'node:assert/strict';

import { click, pageTest, stones, text, waitFor, waitForStones, waitForText } from './harness.js';
import { move, start } from './matches.js';

/** @import { Page } from 'playwright-core' */

pageTest('play: swap2 with its steps', async (page) => {
    await start(page, { players: 'human human', regulation: 'swap2' });
    await click(page, 'h8', 'i9', 'g10');
    await page.click('text=Put the stones');
    await waitForStones(page, 'xh8 oi9 xg10');
    await waitForText(page, '.steps-panel', /Swap the colours.*or.*Put stones 4 to 5/s);
    await page.click('text=Swap the colours');
    await waitForText(page, '.play-note', /turn/);
    await waitFor(page, async () => !(await text(page, '.steps-panel')));
    await move(page, 'a1');
    await waitForStones(page, 'xh8 oi9 xg10 oa1');
});

pageTest('play: RIF step by step with its zones, symmetric fifths refused', async (page) => {
    await start(page, { players: 'human human', rule: 'renju', regulation: 'rif' });
    await waitFor(page, async () => (await page.$$('rect.zone')).length === 1);
    await click(page, 'a1');
    await waitForText(page, '#status', /stone 1 must be put in the centre/);
    await click(page, 'h8');
    await waitForText(page, '#status', /stone 1: h8/);
    await waitFor(page, async () => (await page.$$('rect.zone')).length === 8);
    await click(page, 'h9', 'h10');
    await page.click('text=Put the stones');
    await page.click('text=Keep the colours');
    await waitForText(page, '.steps-panel', /stone 4/);
    await click(page, 'h7');
    await waitForText(page, '.steps-panel', /Offer 2 points/);
    await click(page, 'g8', 'i8');
    await waitForText(page, '#status', /i8 is symmetric to g8/);
    await click(page, 'g9');
    await waitForText(page, '#status', /g9 is chosen, 2 of 2/);
    await page.click('.steps-panel >> text="Offer"');
    await waitForText(page, '.steps-panel', /Click stone 5/);
    await click(page, 'g9', 'g9');
    await waitForText(page, '#status', /g9 is taken back/);
    await click(page, 'g9', 'a1');
    await waitForStones(page, 'xh8 oh9 xh10 oh7 xg9 oa1');
    await page.reload();
    await waitForStones(page, 'xh8 oh9 xh10 oh7 xg9 oa1');
    await page.click('#tab-play');
    await waitForText(page, '.play-note', /turn/);
});

/**
 * The points of the zone drawn on a 15x15 board.
 * @param {Page} page
 */
function zonePoints(page) {
    return page.$$eval('rect.zone', (list) => list.map((rect) => String(rect.getAttribute('data-point'))));
}

/**
 * Clicks through an opening until it is over: each step of a person by what the page shows, never by its memory.
 * @param {Page} page
 * @param {number} variant which of several choices is taken
 */
async function clickThrough(page, variant) {
    const seen = /** @type {string[]} */ ([]);
    for (let step = 0; step < 40; step++) {
        const steps = () => page.evaluate(() => /** @type {any} */ (window).kagetsu.play.match.actions.length);
        await waitFor(page, async () => {
            const panel = await text(page, '.steps-panel');
            const note = await text(page, '.play-note');
            return Boolean(panel) || /turn/.test(note);
        });
        const before = await steps();
        const panel = await text(page, '.steps-panel');
        if (!panel) return seen;
        seen.push(panel);
        const choices = await page.$$eval('.steps-panel button', (list) =>
            list
                .filter((button) => !(/** @type {HTMLButtonElement} */ (button).disabled))
                .map((b) => b.textContent ?? ''),
        );
        const colors = choices.filter((name) => /colours/.test(name));
        const offers = choices.filter((name) => /Choose the points/.test(name));
        const isPlacing = (await page.$$('.steps-panel button:has-text("Put")')).length > 0 || /stone \d/i.test(panel);
        /** @type {string[]} */
        const ways = [...colors, ...(isPlacing && !/Click stone 5|Offer \d/.test(panel) ? ['put'] : []), ...offers];
        const way = ways.length ? ways[Math.min(variant, ways.length - 1)] : 'points';
        if (/colours/.test(way)) await page.click(`.steps-panel >> text=${way}`);
        else await placeOrOffer(page, way, before);
        await waitFor(
            page,
            async () => (await steps()) > before,
            async () => `no step after: ${panel}; status: ${await text(page, '#status')}`,
        );
    }
    throw new Error(`the opening does not end: ${seen.slice(-3).join(' | ')}`);
}

/**
 * Puts stones, offers fifths or chooses one, by clicking free points one after another until the step is complete.
 * @param {Page} page
 * @param {string} way
 * @param {number} before steps so far
 */
async function placeOrOffer(page, way, before) {
    if (/Choose the points/.test(way)) await page.click('.steps-panel >> text=Choose the points');
    const points = /** @type {string[]} */ ([]);
    // From the middle outwards, skew, so that few points are symmetric to each other.
    for (let ring = 0; ring < 7; ring++) {
        for (let y = 8 - ring; y <= 8 + ring; y++) {
            for (let x = 8 - ring; x <= 8 + ring; x++) {
                if (Math.max(Math.abs(x - 8), Math.abs(y - 8)) === ring) points.push(String.fromCharCode(96 + x) + y);
            }
        }
    }
    const taken = new Set((await stones(page)).map((stone) => stone.slice(1)));
    const panel = await text(page, '.steps-panel');
    const fifths = panel.match(/one of ([a-o\d, ]+)\./)?.[1].split(', ');
    if (fifths) {
        await click(page, fifths[fifths.length - 1]);
        await waitForText(page, '.steps-panel', /Click where stone 6/);
        const sixth = points.find((point) => !taken.has(point) && point !== fifths[fifths.length - 1]);
        await click(page, String(sixth));
        return;
    }
    for (const point of points) {
        if (taken.has(point)) continue;
        const zone = await zonePoints(page);
        if (zone.length && !zone.includes(point)) continue;
        const button = await page.$('.steps-panel button.primary:text-matches("^(Put|Offer)"):not([disabled])');
        if (button) {
            await button.click();
            return;
        }
        const said = await text(page, '.steps-panel');
        await click(page, point);
        // The server answers a click later: one too many would be a move. A refused point changes nothing.
        const answered = page.waitForFunction(
            ([before, said]) =>
                /** @type {any} */ (window).kagetsu.play.match.actions.length > before ||
                document.querySelector('.steps-panel')?.textContent !== said,
            /** @type {[number, string]} */ ([before, said]),
            { timeout: 1000 },
        );
        await answered.catch(() => null);
        const done = await page.evaluate(
            (before) => /** @type {any} */ (window).kagetsu.play.match.actions.length > before,
            before,
        );
        if (done) return;
    }
    const button = await page.$('.steps-panel button.primary:text-matches("^(Put|Offer)"):not([disabled])');
    await button?.click();
}

const REGULATIONS = [
    ...['plain', 'rif', 'swap-renju', 'yamaguchi', 'soosorv:8', 'tarannikov', 'taraguchi:10'],
    ...[
        'super-taraguchi:10',
        'sakata',
        'super-sakata',
        'lianhuan',
        'swap',
        'swap1',
        'swap2',
        'swap5',
        'pro',
        'longpro',
    ],
];

pageTest('play: the list of regulations is the one clicked through here', async (page) => {
    const offered = await page.evaluate(() =>
        /** @type {any} */ (window).kagetsu.welcome.regulations.map((/** @type {any} */ known) => known.name),
    );
    assert.deepEqual(offered.sort(), [...REGULATIONS].sort());
});

for (const regulation of REGULATIONS) {
    pageTest(`regulations: ${regulation}, every step clicked, each branch`, async (page) => {
        const rule = /^(swap\d?|pro|longpro)$/.test(regulation) ? 'freestyle' : 'renju';
        for (const variant of [0, 1, 2]) {
            await start(page, { players: 'human human', rule, regulation });
            await waitForStones(page, '');
            const seen = await clickThrough(page, variant);
            const count = (await stones(page)).length;
            assert.ok(seen.length > 0 || /plain/.test(regulation), `${regulation}: no step was asked`);
            // The game goes on with a free move.
            await page.evaluate(() => scrollTo(0, 0));
            await move(page, 'a2');
            await waitFor(page, async () => (await stones(page)).length === count + 1);
            assert.ok((await stones(page)).some((stone) => stone.endsWith('a2')));
        }
    });
}

pageTest('play: the chosen regulation stays, with its description', async (page) => {
    await page.click('#tab-play');
    const list = (/** @type {number} */ i) => `#play .form select >> nth=${i}`;
    await page.selectOption(list(1), 'freestyle');
    await page.selectOption(list(3), 'swap2');
    const about = await text(page, '#play .form .hint');
    assert.notEqual(about, '');
    // The page does this after a reconnection.
    await page.evaluate(() => {
        const { playPanel, welcome } = /** @type {any} */ (window).kagetsu;
        playPanel.setRegulations(welcome.regulations);
    });
    assert.equal(await page.inputValue(list(3)), 'swap2');
    assert.equal(await text(page, '#play .form .hint'), about);
    await page.selectOption(list(1), 'renju');
    assert.equal(await page.inputValue(list(3)), 'swap2', 'it fits Renju as well');
    await page.selectOption(list(3), 'rif');
    await page.selectOption(list(1), 'freestyle');
    assert.equal(await page.inputValue(list(3)), '', 'it does not fit');
    assert.equal(await text(page, '#play .form .hint'), '');
});

pageTest('play: the engine takes part in a regulation', async (page) => {
    await start(page, { players: 'engine human', rule: 'renju', regulation: 'tarannikov', level: 0 });
    await waitForText(page, '.steps-panel', /Keep the colours/);
    await waitForStones(page, 'xh8');
    assert.ok(await page.isDisabled('#play >> text=Take back'), 'only the engine has acted');
    await page.click('text=Keep the colours');
    await waitForText(page, '.steps-panel', /stone 2/);
    assert.ok(await page.isEnabled('#play >> text=Take back'));
    await click(page, 'h9');
    // Whether it swaps the colours is its own affair.
    await waitFor(page, () => page.evaluate(() => /** @type {any} */ (window).kagetsu.play.match.actions.length >= 4));
});

pageTest('play: take back in an opening reaches the last step of the person', async (page) => {
    await page.evaluate(() => {
        const { connection } = /** @type {any} */ (window).kagetsu;
        const ask = connection.ask.bind(connection);
        const actions = ['keep', 'h9'];
        connection.ask = (/** @type {any} */ question, /** @type {any[]} */ ...rest) =>
            question.type === 'decide'
                ? Promise.resolve({ type: 'decided', action: actions.shift(), reasons: [], ms: 0 })
                : ask(question, ...rest);
    });
    const actions = () => page.evaluate(() => /** @type {any} */ (window).kagetsu.play.match.actions);
    await start(page, { players: 'human engine', rule: 'renju', regulation: 'tarannikov' });
    await waitForText(page, '.steps-panel', /stone 1/);
    await click(page, 'h8');
    await waitForText(page, '.steps-panel', /Keep the colours/);
    assert.deepEqual(await actions(), ['h8', 'keep', 'h9'], 'the engine has acted twice');
    await page.click('text=Take back');
    await waitForText(page, '.steps-panel', /stone 1/);
    await waitForStones(page, '');
    assert.deepEqual(await actions(), []);
});

pageTest('play: take back of the first free move leads into the opening', async (page) => {
    await start(page, { players: 'human engine', rule: 'renju', regulation: 'plain' });
    await waitForText(page, '.steps-panel', /stone 1/);
    await click(page, 'h8');
    await waitFor(page, async () => (await stones(page)).length === 2);
    await waitForText(page, '.play-note', /your turn/);
    await page.click('text=Take back');
    await waitForText(page, '.steps-panel', /stone 1/);
    await waitFor(page, async () => (await page.$$('rect.zone')).length === 1);
    await waitForStones(page, '');
});

pageTest('play: the game pauses when the connection is lost at a step of the engine', async (page) => {
    await page.evaluate(() => {
        const { connection } = /** @type {any} */ (window).kagetsu;
        const ask = connection.ask.bind(connection);
        let wasLost = false;
        connection.ask = (/** @type {any} */ question, /** @type {any[]} */ ...rest) => {
            const { type, actions } = question;
            if (type === 'decide') {
                const action = actions.length === 1 ? 'keep' : 'h9';
                return Promise.resolve({ type: 'decided', action, reasons: [], ms: 0 });
            }
            if (type !== 'opening' || actions.length !== 2 || wasLost) return ask(question, ...rest);
            wasLost = true;
            return Promise.reject(new Error('the connection to the program is lost'));
        };
    });
    await start(page, { players: 'human engine', rule: 'renju', regulation: 'tarannikov' });
    await waitForText(page, '.steps-panel', /stone 1/);
    await click(page, 'h8');
    await waitForText(page, '.play-note', /paused/);
    assert.equal(await text(page, '.steps-panel'), '');
    await page.click('#play >> text=Go on');
    await waitForText(page, '.steps-panel', /Keep the colours/);
    await waitForStones(page, 'xh8 oh9');
});

pageTest('play: stones of an opening stay chosen when the connection is lost', async (page) => {
    await start(page, { players: 'human human', regulation: 'swap2' });
    await waitForText(page, '.steps-panel', /0 of 3/);
    await click(page, 'h8', 'i9', 'g10');
    await waitForText(page, '.steps-panel', /3 of 3/);
    await page.evaluate(() => {
        const { connection } = /** @type {any} */ (window).kagetsu;
        const ask = connection.ask.bind(connection);
        connection.ask = () => {
            connection.ask = ask;
            return Promise.reject(new Error('the connection to the program is lost'));
        };
    });
    await page.click('text=Put the stones');
    await waitForText(page, '#status', /connection to the program is lost/);
    await waitForText(page, '.steps-panel', /3 of 3/);
    assert.equal((await page.$$('.spot')).length, 3);
    await page.click('text=Put the stones');
    await waitForStones(page, 'xh8 oi9 xg10');
    await waitForText(page, '.steps-panel', /Swap the colours/);
});

pageTest('play: the number of fifths of a game is not that of the next one', async (page) => {
    await start(page, { players: 'human human', rule: 'renju', regulation: 'yamaguchi' });
    await waitForText(page, '.steps-panel', /0 of 3/);
    await click(page, 'h8', 'h9', 'i9');
    await page.fill('.steps-panel input', '20');
    await page.click('text=Put the stones');
    await waitForText(page, '.steps-panel', /Declared: 20 fifths\..*Keep the colours/);
    await start(page, { players: 'human human', rule: 'renju', regulation: 'soosorv:8' });
    await waitForText(page, '.steps-panel', /0 of 3/);
    await click(page, 'h8', 'h9', 'i9');
    await page.click('text=Put the stones');
    await page.click('text=Keep the colours');
    await waitForText(page, '.steps-panel', /Number of fifths/);
    assert.equal(await page.inputValue('.steps-panel input'), '4');
});
