// Points and what is read out of them, links, clocks and the layout of trees.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as clocks from '../page/clock.js';
import { add, fromMessage, newGame, toMessage, valueAfter, valueFor } from '../page/game.js';
import { hashOf, isSame, parseHash } from '../page/link.js';
import { isPoint, nameOf, pointOf, stars } from '../page/points.js';
import { describe, placed } from '../page/spoken.js';
import { layout } from '../page/treelayout.js';
import { emptyView } from '../page/view.js';
import { standing } from '../page/words.js';

/** @import { Place } from '../page/treelayout.js' */

test('points have names', () => {
    for (let x = 0; x < 22; x++) for (let y = 0; y < 22; y++) assert.deepEqual(pointOf(nameOf(x, y)), { x, y });
    assert.ok(isPoint('o15', 15) && !isPoint('p1', 15) && !isPoint('a16', 15) && isPoint('v22', 22));
    for (const no of ['', 'a', 'a0', '8h', 'h08', 'h8h9', '-', 'pass']) assert.ok(!isPoint(no, 22), no);
});

test('star points of the usual boards', () => {
    const names = (/** @type {number} */ size) =>
        stars(size)
            .map(({ x, y }) => nameOf(x, y))
            .sort();
    assert.deepEqual(names(15), ['d12', 'd4', 'h8', 'l12', 'l4']);
    assert.equal(names(19).length, 9);
    assert.equal(names(20).length, 4);
    assert.deepEqual(names(12), []);
});

test('links hold any position', () => {
    for (const text of ['', 'h8h9i9', 'h8--i8', '15/15/7x7 o']) {
        const hash = hashOf({ text, rule: 'caro', size: 19 });
        assert.ok(!/[\s"<>]/.test(hash), hash);
        assert.deepEqual(parseHash(hash), { text, rule: 'caro', size: 19 });
    }
    assert.equal(parseHash('#board'), null);
    assert.deepEqual(parseHash('#pos=h8&rule=evil&size=99'), { text: 'h8', rule: 'renju', size: 15 });
    const link = /** @type {const} */ ({ text: 'h8', rule: 'renju', size: 15 });
    assert.ok(isSame(link, { ...link }));
    for (const change of [{ text: 'h9' }, { rule: /** @type {const} */ ('caro') }, { size: 19 }]) {
        assert.ok(!isSame(link, { ...link, ...change }));
    }
    assert.ok(!isSame(link, null));
});

test('all that the board shows at a point is read out', () => {
    const view = {
        ...emptyView(),
        stones: new Map([['h8', { color: /** @type {const} */ ('black'), number: 1 }]]),
        row: ['h8'],
        fouls: [{ point: 'h9', kinds: ['33', '44'] }],
        falseFouls: ['g7'],
        zone: ['i9'],
        marks: [
            { point: 'h8', mark: 'triangle' },
            { point: 'i9', mark: 'square' },
        ],
        labels: [{ point: 'i9', text: 'A' }],
        heat: [{ point: 'h9', share: 1, text: '61', best: true }],
        spots: [
            { point: 'i9', text: '5', tone: 'offered' },
            { point: 'g7', text: '', tone: 'stone-of' },
        ],
    };
    assert.equal(describe(view, 'h8'), 'h8, black, move 1, in the winning row, marked: triangle');
    assert.equal(describe(view, 'h9'), 'h9, empty, forbidden for black: double three and double four, value 61');
    assert.equal(
        describe(view, 'i9'),
        'i9, empty, in the zone of this step, marked: square, label A, offered as stone 5',
    );
    assert.equal(describe(view, 'g7'), 'g7, empty, allowed: it only looks like a double three');
    assert.equal(describe(view, 'g8'), 'g8, empty');
});

test('a place in a game is read out with its variations and comments', () => {
    const game = newGame(15, 'renju');
    const [first, second, pass] = ['h8', 'h9', 'pass'].map((move) => add(game, game.root, move));
    assert.equal(placed(game.root), 'the start');
    assert.equal(placed(first), 'black h8, move 1, variation 1 of 3');
    assert.equal(placed(pass), 'black pass, move 1, variation 3 of 3');
    second.notes = [{ type: 'comment', text: 'why' }];
    assert.equal(placed(second), 'black h9, move 1, variation 2 of 3, with a comment');
    const next = add(game, first, 'i9');
    assert.equal(placed(next), 'white i9, move 2');
    assert.equal(placed({ ...next, color: null, move: null }), 'no move');
});

test('the side that wins is named, after the winning move too', () => {
    assert.equal(standing({ black: 0.613, mate: null }), 'Black 61 %');
    assert.equal(standing(valueFor('black', 1, 5)), 'black wins in 5');
    assert.equal(standing(valueFor('black', 0, -4)), 'white wins in 4');
    assert.equal(standing(valueFor('white', 1, 3)), 'white wins in 3');
    assert.equal(standing({ black: 1, mate: 0 }), 'black has won');
    assert.equal(standing({ black: 0, mate: 0 }), 'white has won');
});

test('after a move a proven end is a ply nearer', () => {
    assert.equal(standing(valueAfter('black', 1, 5)), 'black wins in 4');
    assert.equal(standing(valueAfter('black', 0, -4)), 'white wins in 3');
    assert.equal(standing(valueAfter('white', 0, -2)), 'black wins in 1');
    assert.equal(standing(valueAfter('white', 1, 1)), 'white has won');
    assert.deepEqual(valueAfter('black', 0.7, null), { black: 0.7, mate: null });
});

test('clocks', () => {
    const game = /** @type {const} */ ({ kind: 'game', ms: 60_000, increment: 2000 });
    const move = /** @type {const} */ ({ kind: 'move', ms: 10_000 });
    assert.equal(clocks.after(game, 60_000, 10_000), 52_000);
    assert.equal(clocks.after(game, 5000, 6000), 0, 'an increment saves nobody who is late');
    assert.equal(clocks.after(move, 10_000, 9999), 10_000);
    assert.equal(clocks.after(move, 10_000, 10_001), 0);
    assert.equal(clocks.after({ kind: 'none' }, Infinity, 1e9), Infinity);
    const engine = clocks.forEngine(game, 60_000);
    assert.ok(engine.type === 'game' && engine.left < 60_000 && engine.left > 55_000);
    const quick = clocks.forEngine(move, 10_000);
    assert.ok(quick.type === 'move' && quick.ms < 10_000 && quick.ms > 9000);
    assert.deepEqual([3_723_000, 65_000, 9940, -5, Infinity].map(clocks.format), ['1:02:03', '1:05', '9.9', '0.0', '']);
});

/** A tree of random variations, the same each time, and its nodes. */
function bushy() {
    const game = newGame(15, 'freestyle');
    let seed = 7;
    const random = (/** @type {number} */ below) => (seed = (seed * 48271) % 2147483647) % below;
    const nodes = [game.root];
    for (let i = 0; i < 3000; i++) {
        const parent = nodes[random(3) ? nodes.length - 1 : random(nodes.length)];
        const move = nameOf(random(15), random(15));
        if (parent.children.some((child) => child.move === move)) continue;
        nodes.push(add(game, parent, move));
        if (nodes.length % 97 === 0) nodes.push(add(game, nodes[random(nodes.length)], 'pass'));
    }
    return { game, nodes };
}

test('no two nodes and no line of a tree share a place', () => {
    const { game, nodes } = bushy();
    const { places, byNode, columns, lanes } = layout(game.root);
    assert.equal(byNode.size, new Set(nodes).size);
    const taken = new Set(places.map(({ column, lane }) => `${column} ${lane}`));
    assert.equal(taken.size, places.length);
    for (const { column, lane, parent, node } of places) {
        assert.ok(column < columns && lane < lanes);
        if (!parent) continue;
        assert.equal(column, parent.column + 1);
        const isFirst = node.parent?.children[0] === node;
        assert.ok(isFirst ? lane === parent.lane : lane > parent.lane);
        // The way down to a variation crosses no node.
        for (let between = parent.lane + 1; between < lane; between++) {
            assert.ok(!taken.has(`${parent.column} ${between}`), `lane ${between} at column ${parent.column}`);
        }
    }
});

/**
 * The lane of each line by looking at one lane after another, the last line first.
 * @param {Place[]} starts the first place of each line
 * @param {Map<Place, number>} ends the last column of each line
 */
function lanesOneByOne(starts, ends) {
    /** @type {number[]} */
    const taken = [];
    return starts.map((start) => {
        const above = start.parent?.lane ?? -1;
        let lane = above + 1;
        while (lane < taken.length && taken[lane] <= (ends.get(start) ?? 0) + 1) lane++;
        taken[lane] = start.column;
        for (let i = above + 1; i < lane; i++) taken[i] = Math.min(taken[i], start.column);
        return lane;
    });
}

test('a line takes the first lane that is free', () => {
    const { places } = layout(bushy().game.root);
    // The places of a line follow each other.
    const starts = places.filter(({ parent, lane }) => parent?.lane !== lane);
    const ends = new Map(
        starts.map((start, i) => {
            const next = starts[i + 1];
            const last = places[(next ? places.indexOf(next) : places.length) - 1];
            return [start, last.column];
        }),
    );
    assert.deepEqual(
        starts.map(({ lane }) => lane),
        lanesOneByOne(starts, ends),
    );
});

test('thousands of variations of one node are laid out fast', () => {
    const { message } = toMessage(newGame(15, 'freestyle'));
    const [root] = message.nodes;
    const count = 20_000;
    const moves = Array.from({ length: count }, (_, i) => [
        { ...root, parent: 0, move: nameOf(i % 15, 0) },
        { ...root, parent: 2 * i + 1, move: nameOf(i % 15, 1) },
    ]);
    const { game } = fromMessage({ ...message, nodes: [root, ...moves.flat()] }, 'freestyle');
    const start = performance.now();
    const { columns, lanes } = layout(game.root);
    const time = performance.now() - start;
    // The first variation goes on in the root's lane.
    assert.deepEqual([columns, lanes], [3, count]);
    // It takes 0.05 s; a look at every lane for every variation takes 1.4 s.
    assert.ok(time < 700, `${time} ms`);
});
