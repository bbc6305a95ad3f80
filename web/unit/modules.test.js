// The modules of the page use each other in one direction.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const FOLDER = new URL('../page/', import.meta.url);

/**
 * The modules that a module imports. Types, which are imported in comments, do not count.
 * @param {string} name
 */
function importsOf(name) {
    const text = readFileSync(new URL(name, FOLDER), 'utf8');
    return [...text.matchAll(/^(?:import|\}) .*from '\.\/(.*)';$/gm)].map(([, imported]) => imported);
}

test('no module imports one that imports it, and all are reached from the page', () => {
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
    /** @type {Set<string>} */
    const done = new Set();
    const visit = (/** @type {string} */ name, /** @type {string[]} */ way) => {
        assert.ok(!way.includes(name), `a circle: ${[...way, name].join(' → ')}`);
        if (done.has(name)) return;
        for (const imported of importsOf(name)) visit(imported, [...way, name]);
        done.add(name);
    };
    visit('app.js', []);
    assert.deepEqual([...done].sort(), names.sort());
});
