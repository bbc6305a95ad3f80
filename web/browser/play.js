// Playing: levels, take back, hint, resign, draw, pass, two people, two engines.

import assert from 'node:assert/strict';

import { click, drop, pageTest, stones, text, waitFor, waitForStones, waitForText, withheld } from './harness.js';
import { hold } from './held.js';
import { move, start } from './matches.js';

pageTest('play: against the engine, take back, hint', async (page) => {
    await start(page, {});
    await waitForText(page, '.play-note', /your turn/);
    await click(page, 'h8');
    await waitFor(page, async () => (await stones(page)).length === 2);
    await waitForText(page, '.play-note', /your turn/);
    await waitForText(page, '#player-white', /kagetsu level 0/);
    await page.click('text=Take back');
    await waitForStones(page, '');
    await waitForText(page, '#spoken', /^the start$/);
    await move(page, 'g7');
    await waitFor(page, async () => (await stones(page)).length === 2 && (await stones(page)).includes('xg7'));
    await waitForText(page, '.play-note', /your turn/);
    await page.click('text=Hint');
    await waitForText(page, '#status', /hint: [a-o]\d/);
});

pageTest('play: a win is seen, told and kept', async (page) => {
    await start(page, { players: 'human human' });
    await move(page, 'd4', 'a1', 'e4', 'a2', 'f4', 'a3', 'g4', 'a4', 'h4');
    await waitForText(page, '.play-note', /The game is over: black wins/);
    await page.click('#tab-game');
    assert.equal(await page.inputValue('.facts select >> nth=1'), 'black');
});

pageTest('play: the engine begins, resignation', async (page) => {
    await start(page, { players: 'engine human' });
    await waitFor(page, async () => (await stones(page)).length === 1);
    await waitForText(page, '.play-note', /your turn/);
    await page.click('text=Resign');
    await page.click('dialog >> text=Resign >> nth=-1');
    await waitForText(page, '.play-note', /black wins: white resigns/);
});

pageTest('play: a pass and a draw by two of them, a draw by agreement', async (page) => {
    await start(page, { players: 'human human', rule: 'renju', ends: 'rif' });
    await move(page, 'h8', 'h9', 'a1', 'o15', 'a15', 'o1');
    await waitForText(page, '.play-note', /first player’s turn/);
    await page.click('#play >> text="Pass"');
    await waitForText(page, '#headline', /move 7/);
    await waitForText(page, '.play-note', /second player’s turn/);
    await page.click('#play >> text="Pass"');
    await waitForText(page, '.play-note', /draw: both sides passed/);
    await start(page, { players: 'human human', ends: 'rif' });
    await click(page, 'h8');
    await page.click('text=Offer a draw');
    await page.click('dialog >> text=Refuse');
    await waitForText(page, '#status', /the draw is refused/);
    await page.click('text=Offer a draw');
    await page.click('dialog >> button:text-is("Agree")');
    await waitForText(page, '.play-note', /draw by agreement/);
});

pageTest('play: an answer that comes after the end of the game changes nothing', async (page) => {
    for (const [question, answer] of [
        ['Offer a draw', 'Agree'],
        ['Resign', 'Resign'],
    ]) {
        await start(page, { players: 'human human', timing: 'g3', ends: 'rif' });
        await click(page, 'h8');
        await waitForText(page, '.play-note', /second player’s turn/);
        await page.click(`#play >> text=${question}`);
        await page.waitForSelector('dialog');
        await page.evaluate(() => {
            const { match } = /** @type {any} */ (window).kagetsu.play;
            match.left[2] = 100;
        });
        await waitForText(page, '.play-note', /black wins: time is over/);
        await page.click(`dialog >> button:text-is("${answer}")`);
        await page.waitForSelector('dialog', { state: 'detached' });
        assert.match(await text(page, '.play-note'), /black wins: time is over/);
    }
});

pageTest('play: the engine’s answer to a draw is void after the next move', async (page) => {
    await start(page, { ends: 'rif' });
    await waitForText(page, '.play-note', /your turn/);
    await click(page, 'h8');
    await waitFor(page, async () => (await stones(page)).length === 2);
    await waitForText(page, '.play-note', /your turn/);
    await page.evaluate(() => {
        const { connection } = /** @type {any} */ (window).kagetsu;
        const ask = connection.ask.bind(connection);
        connection.ask = (/** @type {any} */ question, /** @type {any[]} */ ...rest) => {
            if (question.type !== 'offer_draw') return ask(question, ...rest);
            return new Promise((resolve) => {
                /** @type {any} */ (window).accept = () => resolve({ type: 'draw', accepted: true });
            });
        };
    });
    await page.click('text=Offer a draw');
    await click(page, 'b2');
    await waitFor(page, async () => (await stones(page)).length === 4);
    await page.evaluate(() => /** @type {any} */ (window).accept());
    await waitForText(page, '.play-note', /your turn/);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).kagetsu.play.isOn), true);
});

pageTest('play: the engine answers to a draw by its last search', async (page) => {
    await start(page, { ends: 'rif' });
    await waitForText(page, '.play-note', /your turn/);
    await click(page, 'h8');
    await waitFor(page, async () => (await stones(page)).length === 2);
    await waitForText(page, '.play-note', /your turn/);
    for (const [rate, answer] of /** @type {[number | null, RegExp][]} */ ([
        [null, /the draw is refused/],
        [0.41, /the draw is refused/],
        [0.4, /draw by agreement/],
    ])) {
        await page.evaluate((rate) => {
            const { play } = /** @type {any} */ (window).kagetsu;
            play.match.rate = rate;
            document.getElementById('status')?.replaceChildren();
        }, rate);
        await page.click('text=Offer a draw');
        await waitForText(page, '#status', answer);
    }
    await waitForText(page, '.play-note', /draw by agreement/);
});

pageTest('play: no draw is offered where the rules have no agreement, and none in an opening', async (page) => {
    const offers = async () => (await page.$$('#play >> text=Offer a draw')).length;
    for (const ends of ['plain', 'gomocup']) {
        await start(page, { players: 'human human', ends });
        await click(page, 'h8');
        await waitForText(page, '.play-note', /second player’s turn/);
        assert.equal(await offers(), 0, ends);
        await page.click('#play >> text=Resign');
        await page.click('dialog >> text=Resign >> nth=-1');
    }
    await start(page, { players: 'human human', regulation: 'pro', ends: 'rif' });
    await waitForText(page, '.steps-panel', /stone 1/);
    await click(page, 'h8');
    await waitForText(page, '.steps-panel', /stone 2/);
    assert.equal(await offers(), 0);
});

pageTest('play: nothing is deleted from a game that goes on', async (page) => {
    await start(page, { players: 'human human' });
    await move(page, 'h8', 'h9');
    await waitForStones(page, 'xh8 oh9');
    for (const key of ['Delete', 'Control+z', 'Control+y']) {
        await page.evaluate(() => document.getElementById('status')?.replaceChildren());
        await page.keyboard.press(key);
        await waitForText(page, '#status', /take back instead/);
        await waitForStones(page, 'xh8 oh9');
    }
    // A move that was taken back stays as a variation, which may be deleted.
    await page.click('#play >> text=Take back');
    await waitForStones(page, 'xh8');
    await waitForText(page, '.play-note', /second player’s turn/);
    await page.keyboard.press('ArrowRight');
    await waitForStones(page, 'xh8 oh9');
    await page.keyboard.press('Delete');
    await waitForStones(page, 'xh8');
    await click(page, 'a1');
    await waitForStones(page, 'xh8 oa1');
});

pageTest('play: a game that goes on is left or changed by nothing without a question', async (page) => {
    await page.click('#tab-openings');
    await page.click('#tab-puzzles');
    await waitFor(page, async () => (await page.$$('#puzzles select')).length === 2);
    await start(page, { players: 'human human' });
    await move(page, 'h8', 'h9');
    await waitForStones(page, 'xh8 oh9');
    await page.evaluate(() => /** @type {any} */ (window).kagetsu.moves.play('a1'));
    await waitForText(page, '#status', /a game is going on/);
    await waitForStones(page, 'xh8 oh9');
    await waitFor(page, async () => page.url().endsWith('#pos=h8h9&rule=freestyle&size=15'));
    const address = page.url();
    /** @type {[string, () => Promise<unknown>][]} */
    const ways = [
        ['openings', () => page.click('.opening >> nth=3')],
        ['puzzles', () => page.click('#puzzles >> text=Start')],
        ['play', () => page.click('#start')],
        ['play', () => page.click('#new')],
        ['game', () => drop(page, 'one.sgf', '(;SZ[15];B[aa])')],
        ['game', () => page.goto(address.replace('h8h9', 'a1'))],
    ];
    for (const [panel, leave] of ways) {
        await page.click(`#tab-${panel}`);
        await leave();
        await page.click('dialog >> text=Cancel');
        await page.waitForSelector('dialog', { state: 'detached' });
        await waitForStones(page, 'xh8 oh9');
        assert.equal(await page.evaluate(() => /** @type {any} */ (window).kagetsu.play.isOn), true);
        await waitFor(page, async () => page.url() === address);
    }
    await page.click('#tab-game');
    const locked = async () => [
        await page.isDisabled('.facts select >> nth=0'),
        await page.isDisabled('.facts select >> nth=1'),
    ];
    assert.deepEqual(await locked(), [true, true]);
    await drop(page, 'one.sgf', '(;SZ[15];B[aa])');
    await page.click('dialog >> text=Leave it');
    await waitForStones(page, 'xa15');
    assert.deepEqual(await locked(), [false, false]);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).kagetsu.play.match), null);
});

pageTest('play: why the engine does not move at the press of its button is said', async (page) => {
    await start(page, { players: 'human human' });
    await page.click('#engine');
    await waitForText(page, '#status', /a game is going on: the engine moves in its own turn/);
    await move(page, 'd4', 'a1', 'e4', 'a2', 'f4', 'a3', 'g4', 'a4', 'h4');
    await waitForText(page, '.play-note', /black wins/);
    await page.click('#engine');
    await waitForText(page, '#status', /the game is over: black wins/);
});

pageTest('play: the size of the board that is played is shown', async (page) => {
    await page.click('#tab-play');
    await page.selectOption('#play .form select >> nth=0', 'human human');
    for (const [given, played] of [
        ['99', '22'],
        ['1', '5'],
        ['', '15'],
    ]) {
        await page.fill('#play input[type=number]', given);
        await page.click('#start');
        await waitForText(page, '#headline', new RegExp(` ${played}×${played} `));
        assert.equal(await page.inputValue('#play input[type=number]'), played);
    }
});

pageTest('play: redo after a game brings its end back', async (page) => {
    await start(page, { players: 'human human' });
    await move(page, 'h8', 'h9');
    await waitForStones(page, 'xh8 oh9');
    await page.click('#play >> text=Resign');
    await page.click('dialog >> text=Resign >> nth=-1');
    await waitForText(page, '.play-note', /white wins: black resigns/);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await waitForStones(page, '');
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Control+y');
    await waitForStones(page, 'xh8 oh9');
    await page.click('#play >> text=Take back');
    await waitForStones(page, 'xh8');
});

pageTest('play: undo after a game, up to the game before it', async (page) => {
    await click(page, 'o15');
    await waitForStones(page, 'xo15');
    await start(page, { players: 'human human' });
    await move(page, 'h8', 'h9');
    await waitForStones(page, 'xh8 oh9');
    await page.click('#play >> text=Resign');
    await page.click('dialog >> text=Resign >> nth=-1');
    await waitForText(page, '.play-note', /white wins: black resigns/);
    await page.keyboard.press('Control+z');
    await waitForStones(page, 'xh8');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await waitForStones(page, 'xo15');
    assert.equal(await text(page, '.play-note'), '');
    assert.equal((await page.$$('#play >> text=Take back')).length, 0);
    await click(page, 'a1');
    await waitForStones(page, 'xo15 oa1');
});

pageTest('play: engine against engine, paused', async (page) => {
    await start(page, { players: 'engine engine', level: 0 });
    await waitFor(page, async () => (await stones(page)).length >= 6);
    await page.click('#play >> text=Pause');
    await waitForText(page, '.play-note', /paused/);
    const count = (await stones(page)).length;
    await page.waitForTimeout(500);
    assert.equal((await stones(page)).length, count);
    await page.click('text=Go on');
    await waitFor(page, async () => (await stones(page)).length > count);
});

pageTest('play: a move that a pause discards costs no time', async (page) => {
    await page.evaluate(() => {
        const { connection, play, playActions } = /** @type {any} */ (window).kagetsu;
        const ask = connection.ask.bind(connection);
        const moved = { type: 'moved', move: 'h8', win_rate: null, mate: null, book: false, ms: 50_000 };
        connection.ask = async (/** @type {any} */ question, /** @type {any[]} */ ...rest) => {
            if (question.type !== 'move') return ask(question, ...rest);
            // The pause comes while the move waits, so that a person can follow.
            setTimeout(() => playActions.pause(true), 50);
            return moved;
        };
        const chosen = { players: 'engine engine', level: '0', timing: 'g3', regulation: '' };
        play.start({ ...chosen, rule: 'freestyle', size: 15, ends: 'plain' });
    });
    await waitForText(page, '.play-note', /paused/);
    await page.waitForTimeout(700);
    assert.deepEqual(await stones(page), []);
    const left = () => page.evaluate(() => /** @type {any} */ (window).kagetsu.play.match.left);
    assert.deepEqual(await left(), { 1: 180_000, 2: 180_000 });
    await page.evaluate(() => {
        const { playActions } = /** @type {any} */ (window).kagetsu;
        playActions.pause(false);
        playActions.pause = () => {};
    });
    await waitForStones(page, 'xh8');
    assert.equal((await left())[1], 132_000);
});

pageTest('play: what is played by the keyboard is read out', async (page) => {
    await start(page, { players: 'human human' });
    await page.focus('#board');
    await page.keyboard.press('Enter');
    await waitForText(page, '#spoken', /black h8, move 1/);
    await waitForText(page, '.play-note', /second player’s turn/);
    await page.keyboard.press('Enter');
    await waitForText(page, '#status', /h8 is occupied/);
    await waitForStones(page, 'xh8');
});

pageTest('play: a match outlives a reload whose address is older', async (page) => {
    await start(page, { players: 'human human' });
    await waitFor(page, async () => page.url().endsWith('#pos=&rule=freestyle&size=15'));
    await hold(page, 'facts');
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    assert.ok(page.url().endsWith('#pos=&rule=freestyle&size=15'));
    await page.reload();
    await waitForStones(page, 'xh8');
    await waitFor(page, async () => page.url().endsWith('#pos=h8&rule=freestyle&size=15'));
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).kagetsu.play.isOn), true);
});

pageTest('play: a hint is gone with its position, and leaves another line alone', async (page) => {
    await click(page, 'h8');
    await waitForStones(page, 'xh8');
    await page.evaluate(() => {
        const { connection } = /** @type {any} */ (window).kagetsu;
        const line = { moves: ['h9'], win_rate: 0.5, mate: null };
        connection.work = (/** @type {any} */ _ask, /** @type {any} */ hear) => {
            queueMicrotask(() => [{ type: 'study', lines: [line] }, { type: 'done' }].forEach(hear));
            return () => {};
        };
    });
    const ghosts = async () => (await page.$$('.ghost:not(.hover)')).length;
    await page.keyboard.press('h');
    await waitFor(page, async () => (await ghosts()) === 1);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await ghosts(), 0);
    await page.keyboard.press('h');
    await waitFor(page, async () => (await ghosts()) === 1);
    await page.evaluate(() => {
        const line = ['a1', 'a2'].map((point) => ({ point, color: 'white', text: '' }));
        /** @type {any} */ (window).kagetsu.board.showLine(line);
    });
    await page.waitForTimeout(3000);
    assert.equal(await ghosts(), 2);
});

pageTest('play: a pass is of the position for which it was confirmed', async (page) => {
    await click(page, 'h8');
    await waitForText(page, '#headline', /move 1 · white to move/);
    for (const [moves, count] of /** @type {[string[], number][]} */ ([
        [[], 2],
        [['g7'], 3],
    ])) {
        await page.evaluate(() => Object.assign(/** @type {any} */ (window).kagetsu.facts, { may_pass: true }));
        await page.click('#pass');
        await page.waitForSelector('dialog');
        // A move of the engine may come meanwhile.
        await page.evaluate((moves) => {
            for (const move of moves) /** @type {any} */ (window).kagetsu.session.play(move);
        }, moves);
        await page.click('dialog >> button:text-is("Pass")');
        await page.waitForSelector('dialog', { state: 'detached' });
        await waitForText(page, '#headline', new RegExp(`move ${count} · .* to move`));
    }
    await waitForText(page, '#status', /nothing is passed/);
});

pageTest('play: a move or a hint is looked for once, and no longer than its position is shown', async (page) => {
    await click(page, 'h8', 'h9');
    await waitForStones(page, 'xh8 oh9');
    const sent = await withheld(page, ['move', 'analyze']);
    // A key that is pressed again before it is let go repeats.
    for (let i = 0; i < 9; i++) await page.keyboard.down('Space');
    await page.keyboard.up('Space');
    await page.keyboard.press('Space');
    assert.deepEqual(await sent(), ['move']);
    await page.keyboard.press('ArrowLeft');
    await waitForStones(page, 'xh8');
    assert.deepEqual(await sent(), ['move', 'stop move']);
    for (let i = 0; i < 9; i++) await page.keyboard.down('h');
    await page.keyboard.up('h');
    await page.keyboard.press('h');
    assert.deepEqual((await sent()).slice(2), ['analyze']);
    await page.keyboard.press('Space');
    assert.deepEqual((await sent()).slice(3), ['stop analyze', 'move']);
    await page.keyboard.press('ArrowRight');
    assert.deepEqual((await sent()).slice(5), ['stop move']);
});

pageTest('play: the space bar, and a game after a reload', async (page) => {
    await page.keyboard.press('Space');
    await waitFor(page, async () => (await stones(page)).length === 1);
    await start(page, {});
    await click(page, 'h8');
    await waitFor(page, async () => (await stones(page)).length === 2);
    await page.reload();
    await page.click('#tab-play');
    await waitForText(page, '.play-note', /your turn/);
    await move(page, 'b2');
    await waitFor(page, async () => (await stones(page)).length === 4);
});

pageTest('play: the course of the game has the value of the engine’s last move', async (page) => {
    await page.evaluate(() => {
        const { connection } = /** @type {any} */ (window).kagetsu;
        const ask = connection.ask.bind(connection);
        const moved = { type: 'moved', move: 'h9', win_rate: 0.7, mate: null, book: false, ms: 0 };
        connection.ask = (/** @type {any} */ question, /** @type {any[]} */ ...rest) =>
            question.type === 'move' ? Promise.resolve(moved) : ask(question, ...rest);
    });
    await start(page, {});
    await waitForText(page, '.play-note', /your turn/);
    await click(page, 'h8');
    await waitForStones(page, 'xh8 oh9');
    await waitFor(page, async () => /^M/.test((await page.getAttribute('.graph-curve', 'd')) ?? ''));
});

pageTest('play: a move after a take back is drawn as the main line at once', async (page) => {
    await start(page, { players: 'human human' });
    await move(page, 'h8', 'h9');
    await waitForText(page, '.play-note', /first player’s turn/);
    await page.click('#play >> text=Take back');
    await waitForText(page, '.play-note', /second player’s turn/);
    await page.click('#tab-game');
    await move(page, 'g9');
    const top = (/** @type {string} */ name) =>
        page.$eval(`.tree-node[aria-label="${name}"]`, (node) => /** @type {HTMLElement} */ (node).style.top);
    await waitFor(
        page,
        async () => (await top('2. white g9')) === (await top('1. black h8')),
        async () => 'it is drawn as a variation',
    );
});
