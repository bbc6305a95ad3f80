// Presses of the board: clicks, long touches, taps. A file of tests is a process of its own and may replace globals.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { Presses } from '../page/presses.js';

/** What happens when a touch has become a long one; `null` if no touch is timed. @type {(() => void) | null} */
let due = null;

beforeEach(() => {
    due = null;
    const setTimeout = (/** @type {() => void} */ act) => {
        due = act;
        return 1;
    };
    Object.assign(globalThis, { window: { setTimeout } });
});

/** A board that hears presses of the point h8, and what they have done. */
function board() {
    const host = new EventTarget();
    /** @type {string[]} */
    const done = [];
    const presses = new Presses(/** @type {any} */ (host), (event) => /** @type {any} */ (event).point);
    presses.onplay = (point) => done.push(`play ${point}`);
    presses.onask = (point) => done.push(`ask ${point}`);
    presses.onchoose = (point) => done.push(`choose ${point}`);
    const press = (/** @type {string} */ type, pointerType = 'touch', point = 'h8', isPrimary = true) =>
        host.dispatchEvent(Object.assign(new Event(type), { pointerType, point, isPrimary }));
    const tap = (/** @type {string} */ point) => {
        for (const type of ['pointerdown', 'pointerup', 'click']) press(type, 'touch', point);
    };
    return { presses, done, press, tap };
}

test('a long touch asks once, and its click plays nothing', () => {
    const { done, press, tap } = board();
    press('pointerdown');
    due?.();
    press('contextmenu');
    press('pointerup');
    press('click');
    assert.deepEqual(done, ['ask h8']);
    tap('h9');
    assert.deepEqual(done, ['ask h8', 'play h9']);
});

test('the menu of a long touch comes first where the browser has one', () => {
    const { done, press } = board();
    press('pointerdown');
    press('contextmenu');
    due?.();
    press('click');
    assert.deepEqual(done, ['ask h8']);
});

test('a mouse asks by every right click, and a second finger by nothing', () => {
    const { done, press } = board();
    for (let i = 0; i < 2; i++) {
        press('pointerdown', 'mouse');
        press('contextmenu', 'mouse');
    }
    assert.deepEqual(done, ['ask h8', 'ask h8']);
    press('pointerdown', 'touch', 'h8', false);
    assert.equal(due, null);
    press('pointerdown', 'mouse');
    press('click', 'mouse');
    assert.deepEqual(done.slice(2), ['play h8']);
});

test('a touch plays at the second tap of a point where that is wanted', () => {
    const { presses, done, press, tap } = board();
    presses.needsTwoTaps = () => true;
    for (const point of ['h8', 'h9', 'h9', 'h9']) tap(point);
    assert.deepEqual(done, ['choose h8', 'choose h9', 'play h9', 'choose h9']);
    press('pointerdown', 'mouse');
    press('click', 'mouse');
    assert.deepEqual(done.slice(4), ['play h8'], 'a mouse is exact');
});

test('a gesture and a long touch end the choice of a first tap', () => {
    const { presses, done, press, tap } = board();
    presses.needsTwoTaps = () => true;
    tap('h8');
    for (const type of ['pointerdown', 'pointercancel']) press(type);
    tap('h8');
    press('pointerdown', 'touch', 'h9');
    due?.();
    for (const type of ['pointerup', 'click']) press(type, 'touch', 'h9');
    tap('h8');
    tap('h8');
    assert.deepEqual(done, ['choose h8', 'choose h8', 'ask h9', 'choose h8', 'play h8']);
});
