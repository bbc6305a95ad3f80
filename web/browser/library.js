// Openings, the book, puzzles, links and exports.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { click, open, pageTest, stones, text, waitFor, waitForStones, waitForText } from './harness.js';

pageTest('openings: the 26, by picture', async (page) => {
    await page.click('#tab-openings');
    await waitFor(page, async () => (await page.$$('.opening')).length === 26);
    assert.match(await text(page, '.opening >> nth=3'), /D4.*Kagetsu.*花月.*Black wins/s);
    assert.match(await text(page, '.opening >> nth=25'), /I13.*advantage for White|I13.*White wins/s);
    assert.equal((await page.$$('.opening .assessment:not(:empty)')).length, 26);
    await page.click('.opening >> nth=3');
    await waitForStones(page, 'xh8 oh9 xi9');
    await page.keyboard.press('Control+z');
    await waitForStones(page, '');
});

pageTest('openings: what the book says of a position', async (page) => {
    await page.click('#tab-openings');
    await waitForText(page, '.known', /From searches|The book has nothing/);
    for (const hash of ['#pos=&rule=freestyle&size=20', '#pos=&rule=standard&size=15', '#pos=h8h9i9&rule=renju']) {
        await page.goto(page.url().replace(/#.*/, '') + hash);
        await waitForText(page, '#headline', new RegExp(hash.match(/rule=(\w+)/)?.[1] ?? ''));
        await waitForText(page, '.known', /From searches|The book has nothing/);
    }
});

pageTest('puzzles: a wrong try is refuted, the right ones solve it', async (page) => {
    await page.click('#tab-puzzles');
    await waitFor(page, async () => (await page.$$('#puzzles select')).length === 2);
    await page.click('#puzzles >> text=Start');
    await waitForText(page, '.task', /to move wins by (fours|threats) in \d+ plies/);
    assert.equal(await text(page, '#status'), await text(page, '.task'), 'the task is announced');
    // The task is written before the board is drawn.
    await waitFor(page, async () => (await stones(page)).length > 0);
    const before = (await stones(page)).length;
    const corner = (await stones(page)).some((stone) => stone.endsWith('a1')) ? 'o1' : 'a1';
    await click(page, corner);
    await waitForText(page, '.verdict', /does not win|stops it|forbidden/);
    await click(page, 'h1');
    await waitFor(page, async () => (await stones(page)).length === before);
    // The solution, played as the proof says.
    for (let step = 0; step < 20; step++) {
        const done = await text(page, '.verdict');
        if (/Solved/.test(done)) break;
        const best = await page.evaluate(async () => {
            const app = /** @type {any} */ (window).kagetsu;
            const { position } = app.session;
            const attacker = app.puzzles.puzzle.position.first;
            const proof = await app.connection.ask({ type: 'solve', position, attacker, kind: 'vct' }, 'proof');
            return proof.turns[0]?.move ?? null;
        });
        assert.ok(best, 'the puzzle has a win');
        const count = (await stones(page)).length;
        await click(page, best);
        await waitFor(
            page,
            async () =>
                /Solved|Right|may win/.test(await text(page, '.verdict')) && (await stones(page)).length > count,
        );
    }
    await waitForText(page, '.verdict', /Solved/);
    await waitForText(page, '#puzzles select >> nth=1', /✓/);
});

pageTest('puzzles: undo takes moves of the solution back, and then leaves the puzzle', async (page) => {
    await click(page, 'o15');
    await waitForStones(page, 'xo15');
    await page.click('#tab-puzzles');
    await waitFor(page, async () => (await page.$$('#puzzles select')).length === 2);
    await page.evaluate(() => {
        const { connection, puzzles } = /** @type {any} */ (window).kagetsu;
        const ask = connection.ask.bind(connection);
        const trial = { type: 'trial', verdict: 'right', refutations: [], left: null };
        connection.ask = (/** @type {any} */ question, /** @type {any[]} */ ...rest) =>
            question.type === 'try'
                ? Promise.resolve({ ...trial, reply: question.position.moves.length > 1 ? 'e2' : 'e1' })
                : ask(question, ...rest);
        const setup = [
            { point: 'd1', color: 'black' },
            { point: 'd2', color: 'white' },
        ];
        const position = { size: 15, rule: 'freestyle', setup, first: 'black', moves: [] };
        puzzles.start({ id: 'own', position, kind: 'vcf', length: null, source: '' });
    });
    await waitForStones(page, 'xd1 od2');
    await click(page, 'd3');
    await waitForText(page, '.verdict', /^Right\. The reply is e1\.$/);
    await waitForStones(page, 'xd1 od2 xd3 oe1');
    await page.keyboard.press('Control+z');
    await waitForStones(page, 'xd1 od2 xd3');
    await page.keyboard.press('Control+y');
    await waitForStones(page, 'xd1 od2 xd3 oe1');
    await click(page, 'd4');
    await waitForStones(page, 'xd1 od2 xd3 oe1 xd4 oe2');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await waitForStones(page, 'xd1 od2 xd3 oe1');
    // Without the reply the opponent would be to move: the solver goes on one move earlier.
    await page.keyboard.press('Control+z');
    await waitForStones(page, 'xd1 od2 xd3');
    await click(page, 'a1');
    await waitForText(page, '.verdict', /Your turn again/);
    await waitForStones(page, 'xd1 od2');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await waitForStones(page, 'xo15');
    assert.equal(await text(page, '.task'), '');
    await click(page, 'a1');
    await waitForStones(page, 'xo15 oa1');
});

pageTest('puzzles: a reload keeps the panel and the puzzle', async (page) => {
    const position = {
        size: 15,
        rule: 'freestyle',
        setup: ['e8', 'd8', 'f8', 'a1', 'g8', 'a3', 'h8'].map((point, i) => ({
            point,
            color: i % 2 ? 'white' : 'black',
        })),
        first: 'black',
        moves: [],
    };
    await page.click('#tab-puzzles');
    await waitFor(page, async () => (await page.$$('#puzzles select')).length === 2);
    await page.evaluate((position) => {
        const puzzle = { id: 'own', position, kind: 'vcf', length: 1, source: '' };
        /** @type {any} */ (window).kagetsu.puzzles.start(puzzle);
    }, position);
    await waitForText(page, '.task', /black to move wins by fours in 1 ply\./);
    const before = 'xe8 xf8 xg8 xh8 od8 oa1 oa3';
    await waitForStones(page, before);
    for (const [point, verdict, left] of [
        ['', /^$/, before],
        ['i8', /Solved/, `${before} xi8`],
    ]) {
        if (point) await click(page, String(point));
        await waitForText(page, '.verdict', /** @type {RegExp} */ (verdict));
        await page.reload();
        await waitForStones(page, String(left));
        await waitForText(page, '.task', /black to move wins by fours in 1 ply\./);
        await waitForText(page, '.verdict', /** @type {RegExp} */ (verdict));
        await waitFor(page, async () => (await page.$$('#puzzles select')).length === 2);
        assert.equal(await page.isDisabled('#puzzles >> text=Show the solution'), Boolean(point));
        assert.doesNotMatch(await text(page, '#status'), /connection/);
    }
    await page.click('#puzzles >> text=Next puzzle');
    await waitForText(page, '.verdict', /not open any more/);
});

pageTest("puzzles: a set of one's own, a list or games", async (page) => {
    await page.click('#tab-puzzles');
    await waitFor(page, async () => (await page.$$('#puzzles select')).length === 2);
    const open = async (/** @type {string} */ name, /** @type {string} */ content) => {
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('text=Open a set')]);
        await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
        await waitForText(page, '#status', new RegExp(name));
    };
    const win = {
        rule: 'freestyle',
        size: 15,
        black: ['e8', 'f8', 'g8', 'h8'],
        white: ['d8', 'a1', 'a3'],
        side: 'black',
        kind: 'vcf',
    };
    await open('mine.jsonl', `${JSON.stringify(win)}\n${JSON.stringify({ ...win, id: '<b>two</b>' })}\n`);
    await waitForText(page, '#puzzles select >> nth=0', /mine\.jsonl \(0 of 2\)/);
    await page.click('#puzzles >> text=Start');
    await waitForText(page, '.task', /^black to move wins by fours\.$/);
    await click(page, 'i8');
    await waitForText(page, '.verdict', /Solved/);
    await waitForText(page, '#puzzles select >> nth=0', /mine\.jsonl \(1 of 2\)/);
    const chosen = async () => [
        await page.inputValue('#puzzles select >> nth=0'),
        await page.inputValue('#puzzles select >> nth=1'),
    ];
    assert.deepEqual(await chosen(), ['mine.jsonl', 'mine.jsonl#1']);
    await page.click('#puzzles >> text=Next puzzle');
    await waitForText(page, '.verdict', /^$/);
    assert.deepEqual(await chosen(), ['mine.jsonl', 'mine.jsonl#<b>two</b>']);
    await open('games.sgf', '(;SZ[15]RU[freestyle];B[hh];W[aa];B[hi];W[oa];B[hj];W[oo];B[hk];W[ao])');
    await waitForText(page, '#puzzles select >> nth=0', /games\.sgf \(0 of 1\)/);
    await page.click('#puzzles >> text=Start');
    await waitForText(page, '.task', /^black to move wins by threats\.$/);
    await waitFor(page, async () => (await stones(page)).length === 8);
    await open('bad.jsonl', '{"rule":"renju"}');
    await waitForText(page, '#status', /bad\.jsonl: line 1: missing field/);
    await waitForText(page, '#puzzles select >> nth=0', /games\.sgf/);
});

pageTest('links: the address holds the position', async (page) => {
    await click(page, 'h8', 'h9');
    await waitFor(page, async () => page.url().endsWith('#pos=h8h9&rule=renju&size=15'));
    assert.ok(!page.url().includes('token'), 'the key is not in the address any more');
    await page.goto(page.url().replace('h8h9', 'h8h9i9g9'));
    await waitForStones(page, 'xh8 oh9 xi9 og9');
    await page.goto(page.url().replace(/#.*/, '#pos=5/5/2xo1/5/5+x&rule=freestyle&size=5'));
    await waitForStones(page, 'xc3 od3');
    await page.goto(page.url().replace(/#.*/, '#pos=h8h8&rule=renju'));
    await waitForText(page, '#status', /occupied/);
});

pageTest('links: a new page shows what its address says', async (page) => {
    const second = await open({ hash: '#pos=h8h9i10&rule=standard&size=15' });
    await waitForStones(second, 'xh8 oh9 xi10');
    await waitForText(second, '#headline', /^standard/);
    await second.context().close();
    assert.deepEqual(await stones(page), []);
});

pageTest('export: text, SGF, link, PNG, SVG', async (page) => {
    await click(page, 'h8', 'h9');
    await waitForText(page, '#headline', /move 2/);
    const copied = async (/** @type {string} */ name, /** @type {RegExp} */ said) => {
        await page.click('#share');
        await page.click(`dialog >> text=${name}`);
        await waitForText(page, '#status', said);
        assert.match(await text(page, 'dialog .told'), said, 'the status line is behind the dialog');
        await page.click('dialog >> text="Close"');
        return page.evaluate(() => navigator.clipboard.readText());
    };
    assert.equal(await copied('Copy the position as text', /the position is copied/), 'h8h9');
    assert.match(await copied('Copy the game as SGF', /the game as SGF is copied/), /;B\[hh\]\s*;W\[hg\]/);
    assert.match(await copied('Copy the link', /the link is copied/), /#pos=h8h9&rule=renju/);
    const picture = async (/** @type {string} */ name) => {
        await page.click('#share');
        const [download] = await Promise.all([page.waitForEvent('download'), page.click(`dialog >> text=${name}`)]);
        await page.click('dialog >> text="Close"');
        return readFile(await download.path());
    };
    assert.equal((await picture('Picture as PNG')).subarray(1, 4).toString(), 'PNG');
    assert.match((await picture('Picture as SVG')).toString(), /^<\?xml|^<svg/);
});

pageTest('links: the link to the board leaves the address and the history alone', async (page) => {
    await click(page, 'h8', 'h9');
    await waitFor(page, async () => page.url().endsWith('#pos=h8h9&rule=renju&size=15'));
    const steps = () => page.evaluate(() => history.length);
    const before = await steps();
    await page.focus('.skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'board');
    assert.ok(page.url().endsWith('#pos=h8h9&rule=renju&size=15'), page.url());
    assert.equal(await steps(), before, 'a step back would show an earlier position as a game of its own');
});

pageTest('export: the link is of the position, whatever the address bar holds', async (page) => {
    await click(page, 'h8', 'h9');
    await waitFor(page, async () => page.url().endsWith('#pos=h8h9&rule=renju&size=15'));
    await page.goto(page.url().replace(/#.*/, '#board'));
    await waitFor(page, async () => page.url().endsWith('#board'));
    await page.click('#share');
    await page.click('dialog >> text=Copy the link');
    await waitForText(page, '#status', /the link is copied/);
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^http.*\/#pos=h8h9&rule=renju&size=15$/);
});

pageTest('links: a position entered in any notation', async (page) => {
    for (const [given, wanted] of [
        ['D4 g9', 'xh8 oh9 xi9 og9'],
        ['1.h8 h9', 'xh8 oh9'],
        ['https://gomocalc.com/#/h8i8', 'xh8 oi8'],
        ['(;SZ[15];B[hh];W[ii])', 'xh8 oi7'],
    ]) {
        await page.click('#enter');
        await page.fill('dialog textarea', given);
        await page.click('dialog >> text=Show it');
        await waitForStones(page, wanted);
    }
    // A text that is no position is not lost.
    await page.click('#enter');
    await page.fill('dialog textarea', 'h8 h9 h8');
    await page.click('dialog >> text=Show it');
    await waitForText(page, 'dialog .told', /occupied/);
    assert.equal(await page.inputValue('dialog textarea'), 'h8 h9 h8');
    await page.fill('dialog textarea', 'h8 h9 i9');
    await page.click('dialog >> text=Show it');
    await waitForStones(page, 'xh8 oh9 xi9');
});
