// The board: sizes, rules, stones, fouls and their reasons, keys, touch, ears.

import assert from 'node:assert/strict';

import { click, drop, pageTest, place, stones, text, waitFor, waitForStones, waitForText } from './harness.js';

pageTest('board: clicks play, arrows walk, another click is a variation', async (page) => {
    await click(page, 'h8', 'h9', 'i9');
    await waitForStones(page, 'xh8 oh9 xi9');
    await waitForText(page, '#headline', /move 3 · D4 Kagetsu/);
    assert.deepEqual(await page.$$eval('.layer-stones .number', (list) => list.map((n) => n.textContent)), [
        '1',
        '2',
        '3',
    ]);
    await page.keyboard.press('ArrowLeft');
    await waitForStones(page, 'xh8 oh9');
    assert.equal(await page.getAttribute('.layer-stones .last', 'data-point'), 'h9');
    await click(page, 'g9');
    await waitForStones(page, 'xh8 oh9 xg9');
    await page.keyboard.press('ArrowUp');
    await waitForStones(page, 'xh8 oh9 xi9');
    await page.keyboard.press('Home');
    await waitForStones(page, '');
    await page.keyboard.press('End');
    await waitForStones(page, 'xh8 oh9 xi9');
    await page.click('#back');
    await waitForStones(page, 'xh8 oh9');
    await page.click('#numbers');
    await waitFor(page, async () => {
        const numbers = await page.$$eval('.layer-stones .number', (list) => list.map((n) => n.textContent));
        return numbers.join('') === '';
    });
});

pageTest('board: every size and rule', async (page) => {
    for (const [size, rule, corner] of /** @type {[number, string, string][]} */ ([
        [5, 'freestyle', 'e5'],
        [15, 'renju', 'o15'],
        [19, 'caro', 's19'],
        [20, 'standard', 't20'],
        [22, 'caro6', 'v22'],
    ])) {
        await page.goto(page.url().replace(/#.*/, '') + `#pos=&rule=${rule}&size=${size}`);
        await waitForText(page, '#headline', new RegExp(`^${rule} ${size}×${size} · move 0`));
        await click(page, corner, 'a1');
        await waitForStones(page, `x${corner} oa1`);
        assert.equal((await page.$$('.layer-grid .line')).length, 2 * size);
    }
});

pageTest('board: fouls by kind, and why', async (page) => {
    await page.goto(page.url().replace(/#.*/, '') + '#pos=f8a1g8a3h9a5h10a7&rule=renju');
    await waitFor(page, async () => (await page.$$('.foul')).length === 1);
    assert.equal(await text(page, '.foul'), '33');
    await click(page, 'h8');
    await waitForText(page, '#explanation', /h8: forbidden, double three/);
    assert.deepEqual((await stones(page)).length, 8, 'asking plays nothing');
    await page.hover('#explanation .ground >> nth=0');
    await waitFor(page, async () => (await page.$$('.spot.stone-of')).length >= 2);
    assert.ok((await page.$$('.spot.extension')).length >= 1, 'where the three becomes a straight four');
    await page.click('text=Play it all the same');
    await waitForText(page, '#headline', /white wins: black's move is forbidden \(double three\)/);
});

pageTest(
    'board: a point that only looks like a double three is shown, and is played by a click',
    async (page) => {
        await waitFor(page, async () => (await page.$$('.false-foul')).length === 1);
        assert.equal(await page.getAttribute('.false-foul', 'data-point'), 'i7');
        assert.equal(await page.getAttribute('.foul', 'data-point'), 'j8');
        await click(page, 'i7');
        await waitFor(page, async () => (await stones(page)).includes('xi7'));
        await waitFor(page, async () => (await page.$$('.false-foul')).length === 0);
    },
    // Position P00087 of tests/data/fouls.jsonl.
    { hash: '#pos=j6d4j7h4g8l4h8d12k9h12l10l12&rule=renju' },
);

pageTest(
    'board: a rule without fouls forbids nothing, and an explanation says what Renju would',
    async (page) => {
        await waitForText(page, '#headline', /^freestyle.* move 8/);
        const { x, y } = await place(page, 'h8');
        await page.mouse.click(x, y, { button: 'right' });
        await waitForText(page, '#explanation h2', /h8: allowed under freestyle; under Renju forbidden, double three/);
        await waitFor(page, async () => (await page.$$('.spot[data-point=h8]')).length === 1);
        assert.equal((await page.$$('.spot.bad')).length, 0);
        assert.equal((await page.$$('#explanation >> text=Play it all the same')).length, 0);
        await click(page, 'h8');
        await waitFor(page, async () => (await stones(page)).includes('xh8'));
    },
    { hash: '#pos=f8a1g8a3h9a5h10a7&rule=freestyle' },
);

pageTest('board: a winning row, and nothing after it', async (page) => {
    await click(page, 'd4', 'a1', 'e4', 'a2', 'f4', 'a3', 'g4', 'a4', 'h4');
    await waitForText(page, '#headline', /black wins/);
    assert.equal((await page.$$('.stone.won')).length, 5);
    await click(page, 'o15');
    await waitForText(page, '#status', /the game is over: black wins/);
    assert.equal((await stones(page)).length, 9);
    await page.evaluate(() => /** @type {any} */ (window).kagetsu.say(''));
    await page.click('#pass');
    await waitForText(page, '#status', /the game is over: black wins/);
    assert.equal(await page.$('dialog'), null);
    await page.evaluate(() => /** @type {any} */ (window).kagetsu.moves.playLine(['o15', 'o14'], 'white'));
    assert.equal((await stones(page)).length, 9);
});

pageTest('board: a ghost stone under the pointer', async (page) => {
    const { x, y } = await place(page, 'c3');
    await page.mouse.move(x, y);
    await waitFor(page, async () => (await page.getAttribute('.stone.hover', 'data-point').catch(() => '')) === 'c3');
    assert.deepEqual(await stones(page), []);
});

pageTest('board: by the keyboard alone, and for the ear', async (page) => {
    await page.focus('#board');
    await waitForText(page, '#spoken', /h8, empty/);
    await page.keyboard.press('ArrowUp');
    await waitForText(page, '#spoken', /h9, empty/);
    await page.keyboard.press('Enter');
    await waitForStones(page, 'xh9');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await waitForStones(page, 'xh9 oi9');
    await page.keyboard.press('ArrowLeft');
    await waitForText(page, '#spoken', /h9, black, move 1/);
    assert.match((await page.getAttribute('#board', 'aria-label')) ?? '', /Board 15 by 15, 2 stones, last move i9/);
});

pageTest('board: the place in the game is read out to whoever walks through it', async (page) => {
    await click(page, 'h8', 'h9');
    await waitForStones(page, 'xh8 oh9');
    await page.keyboard.press('ArrowLeft');
    await waitForText(page, '#spoken', /^black h8, move 1$/);
    await click(page, 'g9');
    await waitForStones(page, 'xh8 og9');
    await page.keyboard.press('ArrowUp');
    await waitForText(page, '#spoken', /^white h9, move 2, variation 1 of 2$/);
    await page.click('#first');
    await waitForText(page, '#spoken', /^the start$/);
});

pageTest('board: the focus stays where it is when controls are made anew', async (page) => {
    const focused = () =>
        page.evaluate(() => {
            const { activeElement } = document;
            const label = activeElement?.getAttribute('aria-label') ?? activeElement?.textContent;
            return `${activeElement?.tagName} ${label}`;
        });
    await click(page, 'h8', 'h9');
    await waitForStones(page, 'xh8 oh9');
    await page.click('#tab-game');
    await page.focus('.tree-node[aria-current]');
    await page.keyboard.press('ArrowLeft');
    await waitForStones(page, 'xh8');
    assert.equal(await focused(), 'BUTTON 1. black h8');
    await page.keyboard.press('ArrowRight');
    await waitForStones(page, 'xh8 oh9');
    assert.equal(await focused(), 'BUTTON 2. white h9');
    await page.click('#tab-play');
    await page.selectOption('#play .form select >> nth=0', 'human human');
    await page.selectOption('#play .form select >> nth=3', 'rif');
    await page.click('#start');
    await waitForText(page, '.steps-panel', /0 of 3/);
    await click(page, 'h8', 'h9', 'h10');
    await waitForText(page, '.steps-panel', /3 of 3/);
    await page.focus('.steps-panel button');
    // A click that changes nothing makes the controls anew.
    await page.evaluate(() => /** @type {any} */ (window).kagetsu.play.steps.click('i10'));
    assert.equal(await focused(), 'BUTTON Put the stones');
    await page.keyboard.press('Enter');
    await waitForText(page, '.steps-panel', /Keep the colours/);
    assert.match(await focused(), /^DIV/, 'the panel has the focus');
    await page.click('#tab-game');
    await page.focus('[aria-label=Triangle]');
    for (const pressed of ['true', 'false']) {
        await page.keyboard.press('Space');
        assert.equal(await focused(), 'BUTTON Triangle');
        assert.equal(await page.getAttribute('[aria-label=Triangle]', 'aria-pressed'), pressed);
    }
});

pageTest('board: the focus stays in a proof that is walked through', async (page) => {
    await page.evaluate(() => {
        const { connection } = /** @type {any} */ (window).kagetsu;
        const last = { move: 'c1', length: 1, replies: [], otherwise: null, five: true, cut: false };
        const first = { ...last, move: 'a1', length: 3, replies: [{ move: 'b1', answer: 1 }], five: false };
        connection.ask = async () => ({ type: 'proof', result: 'win', length: 3, turns: [first, last], cut: false });
    });
    await page.focus('#analysis button:text-is("Win by fours?")');
    await page.keyboard.press('Enter');
    await page.focus('.proof >> text=b1');
    await page.keyboard.press('Enter');
    await waitForText(page, '.proof', /Five in a row/);
    await page.focus('.proof >> text=Back');
    await page.keyboard.press('Enter');
    await waitForText(page, '.proof', /3 plies left/);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'a1');
    await page.focus('.proof >> text=Close');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Win by fours?');
});

pageTest(
    'board: the focus comes back to the board from an explanation',
    async (page) => {
        await waitFor(page, async () => (await page.$$('.foul')).length === 1);
        await click(page, 'h8');
        for (const name of ['Close', 'Play it all the same']) {
            await page.focus(`#explanation >> text=${name}`);
            await page.keyboard.press('Enter');
            assert.equal(await page.evaluate(() => document.activeElement?.id), 'board', name);
            if (name === 'Close') await click(page, 'h8');
        }
    },
    { hash: '#pos=f8a1g8a3h9a5h10a7&rule=renju' },
);

pageTest('board: the focus stays on the actions of a game', async (page) => {
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.click('#tab-play');
    await page.selectOption('#play .form select >> nth=0', 'human human');
    await page.click('#start');
    await waitForText(page, '.play-note', /first player’s turn/);
    await click(page, 'h8');
    await waitForText(page, '.play-note', /second player’s turn/);
    await click(page, 'h9');
    await waitForText(page, '.play-note', /first player’s turn/);
    await page.focus('#play button:text-is("Take back")');
    await page.keyboard.press('Space');
    await waitForText(page, '.play-note', /second player’s turn/);
    assert.equal(await focused(), 'Take back');
    await page.keyboard.press('Space');
    await waitForText(page, '.play-note', /first player’s turn/);
    assert.match((await focused()) ?? '', /^Take backHint.*Resign$/, 'nothing is left to take back');
});

pageTest('board: the focus stays on the lists of puzzles and on the moves of the book', async (page) => {
    await page.evaluate(() => {
        const { connection, session } = /** @type {any} */ (window).kagetsu;
        const ask = connection.ask.bind(connection);
        const [known, more] = ['g7', 'g8'].map((point) => ({ point, score: 0, win_rate: 0.5, agreed: true }));
        connection.ask = async (/** @type {any} */ question, /** @type {any[]} */ ...rest) => {
            if (question.type !== 'book') return ask(question, ...rest);
            return { entry: { depth: 9, proven: false, moves: session.node.parent ? [more] : [known, more] } };
        };
    });
    await page.click('#tab-openings');
    await page.focus('.known >> text=g7');
    await page.keyboard.press('Enter');
    await waitFor(page, async () => (await page.$$('.known button')).length === 1);
    assert.ok(await page.evaluate(() => document.activeElement?.matches('.known')), 'the group of the moves');
    await page.click('#tab-puzzles');
    await waitFor(page, async () => (await page.$$('#puzzles select')).length === 2);
    const title = await page.inputValue('#puzzles select >> nth=0');
    await page.focus('#puzzles select >> nth=0');
    await page.selectOption('#puzzles select >> nth=0', title);
    const isFocused = () => page.$eval('#puzzles select', (list) => list === document.activeElement);
    assert.ok(await isFocused(), 'the list of sets');
    await page.focus('#puzzles button:text-is("Start")');
    await page.keyboard.press('Enter');
    await waitForText(page, '.task', /to move wins/);
    await page.focus('#puzzles button:text-is("Start again")');
    await page.keyboard.press('Enter');
    await waitFor(page, () => page.evaluate(() => document.activeElement?.textContent === 'Start again'));
    await waitForText(page, '.task', /to move wins/);
});

pageTest('board: letters are keys under Caps Lock too, and can be turned off', async (page) => {
    const pressed = () => page.getAttribute('#analysis .primary', 'aria-pressed');
    const press = (/** @type {string} */ key, ctrlKey = false) =>
        page.evaluate(
            ({ key, ctrlKey }) => {
                document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true }));
            },
            { key, ctrlKey },
        );
    await press('A');
    assert.equal(await pressed(), 'true');
    await press('a');
    assert.equal(await pressed(), 'false');
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    await press('Z', true);
    await waitForStones(page, '');
    await press('Y', true);
    await waitForStones(page, 'xh8');
    await page.click('#help');
    await page.uncheck('dialog input[type=checkbox]');
    await page.click('dialog >> text="Close"');
    for (const key of ['a', 'A']) await press(key);
    assert.equal(await pressed(), 'false');
    await page.keyboard.press('ArrowLeft');
    await waitForStones(page, '');
    await page.reload();
    await waitForText(page, '#headline', /move/);
    await press('a');
    assert.equal(await pressed(), 'false', 'a reload keeps the choice');
});

pageTest('board: a stone that the file removed is no move to go back to', async (page) => {
    await drop(page, 'removed.sgf', '(;SZ[15]RU[freestyle];B[hh];W[hg];AE[hh]PL[B])');
    await waitForStones(page, 'oh9');
    await click(page, 'h8');
    await waitForStones(page, 'oh9 xh8');
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).kagetsu.session.node.number), 3);
});

pageTest('board: keys of a dialog do not reach the game', async (page) => {
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    await page.click('#help');
    await page.waitForSelector('dialog[open]');
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Delete');
    await page.click('dialog >> text="Close"');
    await page.waitForSelector('dialog', { state: 'detached' });
    await waitForStones(page, 'xh8');
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).kagetsu.session.redoable), null);
});

pageTest(
    'board: by touch',
    async (page) => {
        const { x, y } = await place(page, 'h8');
        await page.touchscreen.tap(x, y);
        await waitForStones(page, 'xh8');
    },
    { touch: true, width: 390, height: 844 },
);

pageTest(
    'board: a touch plays at the second tap, for those who want that',
    async (page) => {
        await page.click('#help');
        await page.check('dialog input[type=checkbox] >> nth=1');
        await page.click('dialog >> text="Close"');
        await page.waitForSelector('dialog', { state: 'detached' });
        const tap = async (/** @type {string} */ point) => {
            const { x, y } = await place(page, point);
            await page.touchscreen.tap(x, y);
        };
        await tap('h8');
        await waitForText(page, '#spoken', /h8 is chosen/);
        await tap('h9');
        await waitForText(page, '#spoken', /h9 is chosen/);
        assert.equal(await page.getAttribute('.stone.hover', 'data-point'), 'h9');
        assert.deepEqual(await stones(page), []);
        await tap('h9');
        await waitForStones(page, 'xh9');
        await click(page, 'h8');
        await waitForStones(page, 'xh9 oh8');
    },
    { touch: true, width: 390, height: 844 },
);

pageTest('board: a long touch asks about its point and plays nothing', async (page) => {
    const moves = () => page.evaluate(() => /** @type {any} */ (window).kagetsu.session.node.number);
    const touch = async (/** @type {string[]} */ types) => {
        const { x, y } = await place(page, 'h8');
        const how = { clientX: x, clientY: y, pointerType: 'touch', isPrimary: true, bubbles: true };
        await page.evaluate(
            ({ types, how }) => {
                const board = document.getElementById('board');
                for (const type of types) board?.dispatchEvent(new PointerEvent(type, how));
            },
            { types, how },
        );
    };
    await touch(['pointerdown']);
    await waitForText(page, '#explanation h2', /^h8: legal$/);
    await touch(['pointerup', 'click']);
    assert.equal(await moves(), 0);
    await touch(['pointerdown', 'pointerup', 'click']);
    assert.equal(await moves(), 1);
    await waitForStones(page, 'xh8');
});

pageTest(
    'board: by touch, on a phone that is held sideways',
    async (page) => {
        const box = await (await page.$('#board'))?.boundingBox();
        assert.ok(box && box.width >= 300, `${box?.width} pixels`);
        const { x, y } = await place(page, 'h8');
        await page.touchscreen.tap(x, y);
        await waitForStones(page, 'xh8');
    },
    { touch: true, width: 740, height: 360 },
);

pageTest(
    'board: light and dark',
    async (page) => {
        const color = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const dark = await color();
        await page.click('#theme');
        await waitFor(page, async () => (await color()) !== dark);
        await page.reload();
        await waitForText(page, '#headline', /move 0/);
        assert.notEqual(await color(), dark, 'the choice is kept');
    },
    { dark: true },
);

pageTest(
    'board: long names do not widen the page',
    async (page) => {
        const width = () => page.evaluate(() => document.documentElement.scrollWidth);
        await page.click('#tab-game');
        const before = await width();
        const long = 'n'.repeat(150);
        await drop(page, `${long}.sgf`, `(;SZ[15]PB[${long}]PW[${long}];B[hh])`);
        await waitForText(page, '#status', /is open/);
        await waitForText(page, '#player-white', /nnn/);
        await waitForStones(page, 'xh8');
        assert.equal(await width(), before);
        const box = await (await page.$('#board'))?.boundingBox();
        assert.ok(box && box.x + box.width <= 390, JSON.stringify(box));
    },
    { width: 390, height: 844 },
);
