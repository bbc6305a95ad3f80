// A page of elements that nobody sees, in place of a browser's. A file of tests is a process of its own and may replace
// globals.

import assert from 'node:assert/strict';

/** An element with its attributes, children and listeners. */
export class Part {
    /** @type {Map<string, string>} */
    attributes = new Map();
    /** @type {(Part | string)[]} */
    children = [];
    /** @type {Record<string, (event?: object) => void>} */
    on = {};
    value = '';

    /** @param {string} name @param {string} value */
    setAttribute(name, value) {
        this.attributes.set(name, value);
    }

    /** @param {string} name */
    removeAttribute(name) {
        this.attributes.delete(name);
    }

    /** @param {string} type @param {() => void} listener */
    addEventListener(type, listener) {
        this.on[type] = listener;
    }

    /** @param {...(Part | string)} children */
    append(...children) {
        this.children.push(...children);
    }

    /** @param {...(Part | string)} children */
    replaceChildren(...children) {
        this.children = children;
    }

    /** @param {Part} part @returns {boolean} */
    contains(part) {
        return this.children.some((child) => child === part || (child instanceof Part && child.contains(part)));
    }

    focus() {
        Object.assign(globalThis.document, { activeElement: this });
    }

    showModal() {
        shown.dialogs.push(this);
    }

    close() {
        this.on.close();
    }

    remove() {
        shown.dialogs = shown.dialogs.filter((dialog) => dialog !== this);
    }

    /** @param {string} text @returns {Part | undefined} the button with this text */
    find(text) {
        if ('click' in this.on && this.text === text) return this;
        const parts = this.children.filter((child) => child instanceof Part);
        return parts.map((part) => part.find(text)).find((found) => found);
    }

    /** @returns {string} */
    get text() {
        return this.children.map((child) => (child instanceof Part ? child.text : child)).join('');
    }
}

/**
 * The elements that have been asked for by their ids, and the dialogs that are open.
 * @type {{ parts: Record<string, Part>, dialogs: Part[] }}
 */
export const shown = { parts: {}, dialogs: [] };

/** Replaces the document and the class of its elements. */
export function putPage() {
    Object.assign(globalThis, {
        HTMLElement: Part,
        document: {
            createElement: () => new Part(),
            getElementById: (/** @type {string} */ id) => (shown.parts[id] ??= new Part()),
            activeElement: null,
            body: new Part(),
        },
    });
}

/** Lets all that waits for an answer go on. */
export function settle() {
    return new Promise(setImmediate);
}

/**
 * Answers the one question that is open.
 * @param {string} text of the button
 */
export async function answer(text) {
    await settle();
    assert.equal(shown.dialogs.length, 1);
    const found = shown.dialogs[0].find(text);
    assert.ok(found, text);
    found.on.click();
    await settle();
    assert.deepEqual(shown.dialogs, []);
}
