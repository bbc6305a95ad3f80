// Games: files in and out, the tree, comments, marks, undo, a reload.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { click, drop, pageTest, save, stones, text, waitFor, waitForStones, waitForText } from './harness.js';

const SGF = '(;FF[4]GM[4]SZ[15]PB[Ada]PW[Bob]EV[Cup];B[hh];W[hg]C[A <b>good</b> move](;B[ig];W[jf])(;B[gg]TR[aa]))';

pageTest('games: a dropped file, its tree, its texts', async (page) => {
    await drop(page, 'cup.sgf', SGF);
    await waitForStones(page, 'xh8 oh9 xi9 oj10');
    assert.equal(await page.inputValue('.facts input >> nth=0'), 'Ada');
    assert.equal((await page.$$('.tree-node')).length, 6);
    await page.click('.tree-node[aria-label="2. white h9"]');
    await waitForStones(page, 'xh8 oh9');
    assert.equal(await page.inputValue('#game textarea'), 'A <b>good</b> move');
    await page.click('.tree-node[aria-label="3. black g9"]');
    await waitForStones(page, 'xh8 oh9 xg9');
    assert.equal((await page.$$('.mark')).length, 1);
});

pageTest('games: variations are added, deleted, made the main line; all of it undone', async (page) => {
    await drop(page, 'cup.sgf', SGF);
    await waitForStones(page, 'xh8 oh9 xi9 oj10');
    await page.keyboard.press('ArrowLeft');
    await click(page, 'a1');
    await waitForStones(page, 'xh8 oh9 xi9 oa1');
    await page.click('#game >> text=Main line');
    await waitForText(page, '#status', /this is the main line now/);
    // Nothing is left to change, and to undo.
    await page.click('#game >> text=Main line');
    await waitForText(page, '#status', /this is the main line$/);
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    await waitForStones(page, 'xh8 oh9 xi9 oa1');
    await page.keyboard.press('Delete');
    await waitForStones(page, 'xh8 oh9 xi9');
    assert.equal((await page.$$('.tree-node')).length, 6);
    await page.keyboard.press('Control+z');
    await waitForStones(page, 'xh8 oh9 xi9 oa1');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await waitFor(page, async () => (await page.$$('.tree-node')).length === 6);
    await page.keyboard.press('Control+z');
    await waitForStones(page, '');
    await page.keyboard.press('Control+y');
    await waitFor(page, async () => (await page.$$('.tree-node')).length === 6);
});

pageTest('games: comments, marks and labels are kept in the file', async (page) => {
    await page.click('#tab-game');
    await click(page, 'h8');
    await page.fill('#game textarea', 'the "centre" [h8] \\ <i>');
    await page.click('[aria-label=Triangle]');
    await click(page, 'c3');
    await page.click('[aria-label=Label]');
    await click(page, 'd4', 'e5');
    await page.click('[aria-label=Label]');
    await waitFor(page, async () => (await page.$$('.spot.label')).length === 2);
    const { bytes } = await save(page, 'sgf');
    const saved = bytes.toString();
    for (const part of ['TR[cm]', 'LB[dl:A][ek:B]', 'the "centre" [h8\\] \\\\ <i>']) {
        assert.ok(saved.includes(part), `${part} in ${saved}`);
    }
});

pageTest('games: every format is written and read again', async (page) => {
    await click(page, 'h8', 'h9', 'i9', 'g9', 'g7');
    for (const format of ['sgf', 'psq', 'lib', 'pos', 'sav', 'txt', 'offset', 'pos-top', 'xml']) {
        const { name, bytes } = await save(page, format, true);
        assert.ok(name.endsWith(`.${format}`) && bytes.length > 3);
        await page.keyboard.press('Home');
        await drop(page, name, bytes);
        await waitForText(page, '#status', new RegExp(`${name} is open`));
        await waitFor(
            page,
            async () => (await stones(page)).length === 5,
            async () => `${format}: ${await stones(page)}`,
        );
    }
});

pageTest('games: every format of the program, loaded, saved and loaded again', async (page) => {
    const formats = await page.evaluate(() => /** @type {any} */ (window).kagetsu.welcome.formats);
    for (const format of formats) {
        // A .rec does not say its size: it is 20x20.
        const size = format === 'rec' ? 20 : 15;
        await page.goto(page.url().replace(/#.*/, '') + '#pos=&rule=renju&size=15');
        await waitForStones(page, '');
        const moves = ';B[hh];W[aa];B[hi];W[oa];B[hj];W[oo];B[hk];W[ao];B[hl]';
        await drop(page, 'five.sgf', `(;SZ[${size}]RU[renju]${moves})`);
        await waitFor(page, async () => (await stones(page)).length === 9);
        const { name, bytes } = await save(page, format, true).catch(async (error) => {
            throw new Error(`${format}: ${await text(page, '#status')}: ${error}`);
        });
        await drop(page, name, bytes);
        await waitForText(page, '#status', new RegExp(`${name} is open`));
        await waitFor(
            page,
            async () => (await stones(page)).length === 9,
            async () => `${format}: ${await stones(page)}`,
        );
        const first = await stones(page);
        const again = await save(page, format, true);
        await drop(page, again.name, again.bytes);
        await waitForText(page, '#status', new RegExp(`${again.name} is open`));
        await waitFor(page, async () => String(await stones(page)) === String(first));
    }
});

pageTest('games: what a format lacks is said, and nothing is written', async (page) => {
    await drop(page, 'cup.sgf', SGF);
    await waitForStones(page, 'xh8 oh9 xi9 oj10');
    await page.click('#save');
    await page.selectOption('dialog select', 'pos');
    await page.click('dialog .primary');
    await waitForText(page, '#status', /not saved: it cannot hold/);
});

pageTest('games: a game that is opened has plain ends, whatever was played before', async (page) => {
    const ends = () => page.evaluate(() => /** @type {any} */ (window).kagetsu.session.ends);
    await page.click('#tab-play');
    await page.selectOption('#play .form select >> nth=0', 'human human');
    await page.selectOption('#play .form select >> nth=4', 'gomocup');
    await page.click('#start');
    await waitForText(page, '.play-note', /turn/);
    assert.equal(await ends(), 'gomocup');
    await page.reload();
    await waitForText(page, '#headline', /move/);
    assert.equal(await ends(), 'gomocup');
    // Two passes in a row draw.
    await drop(page, 'passes.sgf', '(;SZ[15]RU[renju];B[hh];W[];B[])');
    await waitForText(page, '#headline', /draw: both sides passed/);
    assert.equal(await ends(), 'plain');
});

pageTest('games: an answer by the rule before is not used', async (page) => {
    const fouls = '#pos=f8a1g8a3h9a5h10a7&rule=renju&size=15';
    await page.goto(page.url().replace(/#.*/, fouls));
    await waitFor(page, async () => (await page.$$('.foul')).length === 1);
    await page.evaluate(() => {
        const app = /** @type {any} */ (window).kagetsu;
        const ask = app.connection.ask.bind(app.connection);
        app.connection.ask = async (/** @type {any} */ question, /** @type {any[]} */ ...rest) => {
            const answer = await ask(question, ...rest);
            if (question.type === 'facts' && question.position.rule === 'renju') {
                await new Promise((resolve) => Object.assign(window, { release: () => resolve(null) }));
            }
            return answer;
        };
        app.session.annotate('comment', app.session.node, []);
    });
    await page.waitForFunction(() => 'release' in window);
    await page.evaluate(() => {
        const { kagetsu, release } = /** @type {any} */ (window);
        kagetsu.session.setRule('freestyle');
        release();
    });
    await waitForText(page, '#headline', /^freestyle.*to move/);
    assert.equal((await page.$$('.foul')).length, 0);
    assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).kagetsu.facts.fouls), []);
});

pageTest('games: text can be dropped on a field, and on nothing else', async (page) => {
    await drop(page, 'cup.sgf', SGF);
    await waitForStones(page, 'xh8 oh9 xi9 oj10');
    const taken = (/** @type {string} */ selector) =>
        page.evaluate((selector) => {
            const target = document.querySelector(selector);
            if (!target) throw new Error(`the page has no ${selector}`);
            const data = new DataTransfer();
            data.setData('text/plain', 'a text');
            return ['dragover', 'drop'].map((type) => {
                const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
                // False if the page keeps the event from the browser.
                return target.dispatchEvent(event) && !document.body.classList.contains('dropping');
            });
        }, selector);
    assert.deepEqual(await taken('#game textarea'), [true, true]);
    assert.deepEqual(await taken('#board'), [false, false]);
});

pageTest('games: a bad file leaves everything as it was', async (page) => {
    await click(page, 'h8');
    await drop(page, 'bad.sgf', '(;SZ[15];B[zz])');
    await waitForText(page, '#status', /bad\.sgf: /);
    await drop(page, 'picture.jpeg', 'x');
    await waitForText(page, '#status', /picture\.jpeg: .*unknown extension/);
    await waitForStones(page, 'xh8');
});

pageTest('games: a file that cannot be read is named', async (page) => {
    await page.evaluate(() => {
        // A dropped folder is a file whose content cannot be read.
        FileReader.prototype.readAsDataURL = function () {
            Object.defineProperty(this, 'error', { value: new DOMException('it is gone', 'NotFoundError') });
            this.dispatchEvent(new ProgressEvent('error'));
        };
    });
    await drop(page, 'folder', '');
    await waitForText(page, '#status', /folder: it cannot be read: it is gone/);
});

pageTest('games: a faulty game of a file is left out', async (page) => {
    await drop(page, 'two.sgf', '(;SZ[15];B[hh];W[hh])(;SZ[15];B[aa];W[bb])');
    await waitForStones(page, 'xa15 ob14');
    await waitForText(page, '#status', /two\.sgf is open; left out: game 1: .*occupied/);
});

pageTest('games: of several files that are dropped the first is opened, and the others are counted', async (page) => {
    await page.evaluate(() => {
        const data = new DataTransfer();
        for (const place of ['aa', 'bb', 'cc']) data.items.add(new File([`(;SZ[15];B[${place}])`], `${place}.sgf`));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await waitForStones(page, 'xa15');
    await waitForText(page, '#status', /aa\.sgf is open; not opened: 2 other files, drop one at a time/);
});

pageTest('games: a game that is too large for the browser and for the program is said to be', async (page) => {
    await page.evaluate(() => {
        const { session } = /** @type {any} */ (window).kagetsu;
        session.annotate('comment', session.node, [{ type: 'comment', text: 'x'.repeat(26_000_000) }]);
    });
    await waitForText(page, '#status', /does not keep this game/);
    const said = await page.evaluate(() => {
        const { kagetsu } = /** @type {any} */ (window);
        kagetsu.say('another message');
        kagetsu.restore.store.save();
        return document.getElementById('status')?.textContent;
    });
    assert.equal(said, 'another message', 'the warning comes once');
    await page.click('#save');
    await page.click('dialog .primary');
    await waitForText(page, '#status', /not saved: too large/);
    await page.keyboard.press('Control+z');
    const { name } = await save(page, 'sgf');
    assert.match(name, /\.sgf$/, 'the connection holds');
});

pageTest('games: a reload loses nothing', async (page) => {
    await drop(page, 'cup.sgf', SGF);
    await waitForStones(page, 'xh8 oh9 xi9 oj10');
    await page.keyboard.press('ArrowLeft');
    await click(page, 'a1');
    await waitForStones(page, 'xh8 oh9 xi9 oa1');
    await page.reload();
    await waitForStones(page, 'xh8 oh9 xi9 oa1');
    await page.click('#tab-game');
    await waitFor(page, async () => (await page.$$('.tree-node')).length === 7);
    assert.equal(await page.inputValue('.facts input >> nth=1'), 'Bob');
});

pageTest('games: a text is kept while it is being written', async (page) => {
    await page.click('#tab-game');
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    await page.click('.facts input >> nth=2');
    await page.keyboard.type('Cup ');
    await page.click('#game textarea');
    await page.keyboard.type('why');
    // The game is stored while the text is being written, because a page that crashes stores nothing more.
    await waitFor(page, () =>
        page.evaluate(() => Object.values(localStorage).some((kept) => kept.includes('why') && kept.includes('Cup'))),
    );
    await page.reload();
    await waitForStones(page, 'xh8');
    assert.equal(await page.inputValue('#game textarea'), 'why');
    assert.equal(await page.inputValue('.facts input >> nth=2'), 'Cup');
    await page.fill('.facts input >> nth=2', 'Final');
    await page.click('#game textarea');
    await page.keyboard.type('!');
    await page.click('#undo');
    assert.equal(await page.inputValue('#game textarea'), 'why');
    await page.click('#undo');
    assert.equal(await page.inputValue('.facts input >> nth=2'), 'Cup');
});

pageTest('games: one of several games of a file', async (page) => {
    await drop(page, 'two.sgf', '(;SZ[15]PB[A]PW[B];B[hh])(;SZ[15]EV[Final];B[aa];W[bb])');
    await waitForStones(page, 'xh8');
    await page.focus('#games select');
    await page.selectOption('#games select', '1');
    await waitForStones(page, 'xa15 ob14');
    assert.ok(await page.$eval('#games select', (list) => list === document.activeElement), 'the list keeps the focus');
    assert.match(await text(page, '#games'), /Final \(2 moves\)/);
    // The list names no game that is not on the board, so that each can be chosen.
    const chosen = () => page.inputValue('#games select');
    await page.click('#undo');
    await waitForStones(page, 'xh8');
    assert.equal(await chosen(), '');
    await page.click('#redo');
    await waitForStones(page, '');
    assert.equal(await chosen(), '1');
    await page.click('#undo');
    await page.selectOption('#games select', '1');
    await waitForStones(page, 'xa15 ob14');
    assert.equal(await chosen(), '1');
});

pageTest('games: what is deleted is what was asked about', async (page) => {
    await page.evaluate(() => {
        const { session } = /** @type {any} */ (window).kagetsu;
        for (let i = 0; i < 30; i++) session.play(`${String.fromCharCode(97 + (i % 15))}${1 + 7 * Math.floor(i / 15)}`);
        session.step(-29);
    });
    const count = async () =>
        page.evaluate(() => {
            const count = (/** @type {any} */ at) =>
                at.children.reduce((/** @type {number} */ sum, /** @type {any} */ child) => sum + count(child), 1);
            return count(/** @type {any} */ (window).kagetsu.session.game.root);
        });
    await waitForStones(page, 'xa1');
    await page.keyboard.press('Delete');
    await waitForText(page, 'dialog', /Delete 30 moves/);
    // A move of the engine may come meanwhile.
    await page.evaluate(() => /** @type {any} */ (window).kagetsu.session.play('o15'));
    await page.click('dialog >> button:text-is("Delete")');
    await waitForText(page, '#status', /nothing is deleted/);
    assert.equal(await count(), 32);
});

pageTest('games: clicks mark as long as the marks are seen', async (page) => {
    await page.click('#tab-game');
    await page.click('[aria-label=Triangle]');
    await click(page, 'c3');
    await waitFor(page, async () => (await page.$$('.mark')).length === 1);
    await page.click('#tab-analysis');
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    assert.equal(await page.getAttribute('[aria-label=Triangle]', 'aria-pressed'), 'false');
    await page.click('#tab-game');
    await page.click('[aria-label=Triangle]');
    await page.keyboard.press('Escape');
    await click(page, 'h9');
    await waitForStones(page, 'xh8 oh9');
});

pageTest('games: a name belongs to its game', async (page) => {
    const suggested = async () => {
        await page.click('#save');
        const name = await page.inputValue('dialog input >> nth=0');
        await page.click('dialog >> text=Cancel');
        await page.waitForSelector('dialog', { state: 'detached' });
        return name;
    };
    assert.equal(await page.title(), 'kagetsu');
    await drop(page, 'cup.final.sgf', '(;SZ[15];B[aa])');
    await waitForStones(page, 'xa15');
    assert.equal(await page.title(), 'cup.final · kagetsu');
    assert.equal(await suggested(), 'cup.final');
    await page.click('#enter');
    await page.fill('dialog textarea', 'D4');
    await page.click('dialog >> text=Show it');
    await waitForStones(page, 'xh8 oh9 xi9');
    assert.equal(await suggested(), 'game');
    await page.click('#undo');
    await waitForStones(page, 'xa15');
    assert.equal(await suggested(), 'cup.final');
    await page.reload();
    await waitForStones(page, 'xa15');
    assert.equal(await suggested(), 'cup.final');
});

pageTest('games: the game that is saved is the one that was asked about', async (page) => {
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    await page.click('#save');
    await drop(page, 'other.sgf', '(;SZ[15];B[aa])');
    await waitForStones(page, 'xa15');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('dialog .primary')]);
    assert.equal(download.suggestedFilename(), 'game.sgf');
    assert.match((await readFile(await download.path())).toString(), /;B\[hh\]/);
});

pageTest('games: a picture is made of a board with several texts on a point', async (page) => {
    await page.evaluate(() => {
        const { session } = /** @type {any} */ (window).kagetsu;
        const labels = Array.from({ length: 300 }, () => ({ type: 'label', point: 'c3', text: 'A' }));
        session.annotate('label', session.node, labels);
    });
    await page.click('#share');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('dialog >> text=Picture as SVG')]);
    assert.match((await readFile(await download.path())).toString(), /<svg/);
});
