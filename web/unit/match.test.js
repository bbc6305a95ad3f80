// A game in progress: clocks through moves and take back, actions of the opening, and games that were kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as matches from '../page/match.js';
import { read } from '../page/newgame.js';

/** @import { Opening } from '../page/schema.js' */

/**
 * @param {string} players
 * @param {string} [timing]
 */
function match(players, timing = 'none') {
    return matches.newMatch({ players, level: '60', timing, regulation: '' }, 1);
}

/**
 * Text that the browser's storage gives back.
 * @param {object} kept
 */
function stored(kept) {
    return JSON.parse(JSON.stringify(kept));
}

test('a new match has the players, the level and the clocks that were chosen', () => {
    const game = match('engine human', 'm10');
    assert.deepEqual(game.players, { 1: 'engine', 2: 'human' });
    assert.equal(game.level, 60);
    assert.deepEqual(game.left, { 1: 10_000, 2: 10_000 });
    assert.deepEqual(match('human human', 'unknown').timing, { kind: 'none' });
    const kinds = ['human human', 'human engine', 'engine engine'].map((players) => match(players));
    assert.deepEqual(kinds.map(matches.areAlike), [true, false, true]);
    assert.deepEqual(kinds.map(matches.isOfEngines), [false, false, true]);
});

test('a timing of one’s own', () => {
    const own = (/** @type {string} */ timing, minutes = 7.5, seconds = 3) =>
        matches.newMatch({ players: 'human human', level: '60', timing, minutes, seconds, regulation: '' }, 1);
    const game = own('own game');
    assert.deepEqual(game.timing, { kind: 'game', ms: 450_000, increment: 3000 });
    assert.deepEqual(game.left, { 1: 450_000, 2: 450_000 });
    assert.ok(matches.spend(game, 1, 10_000, 0));
    assert.equal(game.left[1], 443_000);
    assert.deepEqual(stored(game).timing, game.timing);
    assert.deepEqual(own('own move').timing, { kind: 'move', ms: 3000 });
    assert.deepEqual(own('m10').timing, { kind: 'move', ms: 10_000 }, 'minutes and seconds are for own timings alone');
    const timed = matches.TIMINGS.filter(([key]) => own(key).timing.kind !== 'none');
    assert.equal(timed.length, matches.TIMINGS.length - 1, 'every choice but the first has clocks');
});

test('a field shows the allowed number that is nearest, and the usual one for none', () => {
    const bounds = { min: '0.5', max: '600', step: '0.5' };
    for (const [given, taken] of /** @type {[string, number][]} */ ([
        ['7', 7],
        ['7.5', 7.5],
        ['7.4', 7.5],
        ['7.2', 7],
        ['7,5', 7.5],
        ['0,2', 0.5],
        ['1 h', 1],
        ['0', 0.5],
        ['-3', 0.5],
        ['1e9', 600],
        ['Infinity', 600],
        ['', 5],
        ['abc', 5],
    ])) {
        const field = { ...bounds, value: given };
        assert.deepEqual([read(field, 5), field.value], [taken, String(taken)], given);
    }
});

test('a turn costs time, the clocks before it are kept, and a turn that takes too long is lost', () => {
    const game = match('human engine', 'g3');
    game.left = { 1: 100_000, 2: 90_000 };
    assert.ok(matches.spend(game, 1, 10_000, 0));
    assert.ok(matches.spend(game, 2, 1000, 1));
    assert.deepEqual(game.left, { 1: 92_000, 2: 91_000 }, 'two seconds are added to each');
    assert.equal(matches.spend(game, 1, 92_000, 2), false);
    assert.deepEqual(game.left, { 1: 92_000, 2: 91_000 }, 'a lost turn changes nothing');
    assert.equal(game.before.length, 2);
    matches.restoreClocks(game, 1);
    assert.deepEqual(game.left, { 1: 92_000, 2: 90_000 });
    matches.restoreClocks(game, 0);
    assert.deepEqual(game.left, { 1: 100_000, 2: 90_000 });
});

test('a turn after take back replaces what was kept of the later ones', () => {
    const game = match('human human', 'g10');
    for (const [turn, used] of [1000, 2000, 3000, 4000].entries()) {
        matches.spend(game, /** @type {1 | 2} */ ((turn % 2) + 1), used, turn);
    }
    matches.restoreClocks(game, 1);
    matches.spend(game, 2, 9000, 1);
    assert.equal(game.before.length, 2);
    matches.restoreClocks(game, 1);
    assert.deepEqual(game.left, { 1: 604_000, 2: 600_000 });
    // A loss on time is written into the clocks, and must not change what was kept.
    game.left[1] = 0;
    matches.restoreClocks(game, 1);
    assert.deepEqual(game.left, { 1: 604_000, 2: 600_000 });
});

test('a kept game comes back as it was', () => {
    const game = match('human engine', 'g3');
    matches.spend(game, 1, 10_000, 0);
    Object.assign(game, { actions: ['h8', 'swap'], actors: [2, 1], rate: 0.4 });
    const kept = stored(game);
    matches.restore(kept);
    assert.deepEqual(kept, game);
    matches.restoreClocks(kept, 0);
    assert.deepEqual(kept.left, { 1: 180_000, 2: 180_000 }, 'take back after a reload');
});

test('a kept game without clocks goes on without them', () => {
    const game = match('engine human');
    matches.spend(game, 1, 10_000, 0);
    const kept = stored(game);
    assert.equal(kept.left[1], null, 'JSON has no infinity');
    matches.restore(kept);
    assert.deepEqual(kept.left, { 1: Infinity, 2: Infinity });
    matches.restoreClocks(kept, 0);
    assert.deepEqual(kept.left, { 1: Infinity, 2: Infinity });
});

test('take back in the opening removes the last action of a person and what followed it', () => {
    const game = match('engine human');
    game.actions = ['a', 'b', 'c', 'd'];
    game.actors = [1, 2, 1, 1];
    assert.ok(matches.mayTakeBackAction(game));
    matches.takeBackAction(game);
    assert.deepEqual([game.actions, game.actors], [['a'], [1]]);
    assert.equal(matches.mayTakeBackAction(game), false);
    matches.takeBackAction(game);
    assert.deepEqual(game.actions, ['a'], 'the engine’s own action stays');
    const two = match('human human');
    two.actions = ['a', 'b'];
    two.actors = [1, 2];
    matches.takeBackAction(two);
    assert.deepEqual([two.actions, two.actors], [['a'], [1]]);
});

test('seats and colours, also after a swap', () => {
    const game = match('human engine');
    assert.deepEqual([matches.seatOf(game, 'black'), matches.seatOf(game, 'white')], [1, 2]);
    assert.equal(matches.winnerOver(game, 1), 'white');
    game.black = 2;
    assert.deepEqual([matches.seatOf(game, 'black'), matches.seatOf(game, 'white')], [2, 1]);
    assert.equal(matches.winnerOver(game, 2), 'white');
    assert.equal(matches.winnerOver(game, 1), 'black');
    assert.equal(matches.turnText(game, 1), 'It is your turn.');
    const two = match('human human');
    assert.equal(matches.turnText(two, 1), 'It is the first player’s turn.');
    assert.equal(matches.turnText(two, 2), 'It is the second player’s turn.');
});

test('turns count actions of the opening, then moves', () => {
    const game = match('human human');
    assert.equal(matches.turns(game, null, 7), 7);
    const opened = { ...game, regulation: 'swap2', actions: ['h8', 'h9', 'i9', 'swap'] };
    const opening = /** @type {Opening} */ (/** @type {unknown} */ ({ over: false, moves: ['h8', 'h9', 'i9'] }));
    assert.equal(matches.turns(opened, null, 3), 4);
    assert.equal(matches.turns(opened, opening, 5), 4);
    assert.equal(matches.turns(opened, { ...opening, over: true }, 5), 6);
});
