// The steps of an opening for a person, on a page of elements that nobody sees.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Steps } from '../page/regulation.js';
import { Part, putPage } from './parts.js';

/** @import { Choice, Opening } from '../page/schema.js' */

putPage();

/**
 * A step with these choices: its actions, and the points that are chosen on the board.
 * @param {...Choice} choices
 */
function asked(...choices) {
    const steps = new Steps();
    /** @type {string[]} */
    const acted = [];
    /** @type {string[]} */
    let chosen = [];
    steps.onact = (action) => acted.push(action);
    steps.onshow = ({ spots }) => (chosen = spots.map(({ point }) => point));
    /** @type {Opening} */
    const opening = { moves: [], seat: 1, black: 1, over: false, choices, offered: [], declared: null };
    steps.ask(opening);
    const panel = /** @type {unknown} */ (steps.element);
    assert.ok(panel instanceof Part);
    const press = (/** @type {string} */ text) => {
        const button = panel.find(text);
        assert.ok(button, text);
        button.on.click();
    };
    return { steps, acted, press, chosen: () => chosen.join(' ') };
}

/** A zone of the whole board, as far as these tests use it. */
const ANYWHERE = { text: 'anywhere', points: ['a1', 'b1', 'c1', 'd1'] };

test('stones that are put stay chosen until the program has answered', () => {
    const zones = [ANYWHERE, ANYWHERE, ANYWHERE];
    const { steps, acted, press, chosen } = asked({ type: 'place', text: 'three', first: 1, zones, declare: null });
    for (const point of ['a1', 'b1', 'c1']) steps.click(point);
    // The second press of two is the same action, and not one without stones.
    for (let i = 0; i < 2; i++) press('Put the stones');
    assert.deepEqual(acted, ['a1 b1 c1', 'a1 b1 c1']);
    assert.equal(chosen(), 'a1 b1 c1');
    // The program may have refused them, or it was not there: one of them is put elsewhere.
    steps.click('c1');
    steps.click('d1');
    press('Put the stones');
    assert.equal(acted.at(-1), 'a1 b1 d1');
    steps.ask(null);
    assert.equal(chosen(), '');
});

test('fifths that are offered stay chosen until the program has answered', () => {
    const { steps, acted, press, chosen } = asked({ type: 'offer', text: 'two', count: 2, classes: [] });
    for (const point of ['a1', 'b1']) steps.click(point);
    for (let i = 0; i < 2; i++) press('Offer');
    assert.deepEqual(acted, ['offer a1 b1', 'offer a1 b1']);
    assert.equal(chosen(), 'a1 b1');
});

test('a single stone is put by a click, and by another one if it is refused', () => {
    const { steps, acted, chosen } = asked({ type: 'place', text: 'one', first: 4, zones: [ANYWHERE], declare: null });
    for (const point of ['a1', 'b1']) steps.click(point);
    assert.deepEqual(acted, ['a1', 'b1']);
    assert.equal(chosen(), '');
});
