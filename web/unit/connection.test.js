// The connection to the program: messages that are too large for it are not sent. A file of tests is a process of its own
// and may replace globals.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Connection } from '../page/connection.js';

/** @import { Ask } from '../page/schema.js' */

/** Texts that the page has sent. @type {string[]} */
const sent = [];

class Socket {
    static OPEN = 1;
    readyState = Socket.OPEN;
    /** @type {((event: { data: string }) => void) | null} */
    onmessage = null;

    /** @param {string} text */
    send(text) {
        sent.push(text);
    }

    /** @param {object} message */
    hear(message) {
        this.onmessage?.({ data: JSON.stringify(message) });
    }
}

test('a message that is longer than the program takes is refused by the page', async () => {
    /** @type {Socket[]} */
    const sockets = [];
    class Opened extends Socket {
        constructor() {
            super();
            sockets.push(this);
        }
    }
    Object.assign(globalThis, { WebSocket: Opened });
    const connection = new Connection('ws://here');
    connection.connect();
    sockets[0].hear({ id: 0, type: 'welcome', version: 3, longest: 1000 });
    const parse = (/** @type {string} */ text) => /** @type {Ask} */ ({ type: 'parse', text, size: 15, rule: 'renju' });
    for (const text of ['x'.repeat(1000), '月'.repeat(400)]) {
        await assert.rejects(connection.ask(parse(text), 'position'), /too large: the program takes messages of/);
        /** @type {string[]} */
        const heard = [];
        connection.work(parse(text), (tell) => heard.push(tell.type));
        await new Promise(setImmediate);
        assert.deepEqual(heard, ['error']);
    }
    assert.deepEqual(sent, []);
    const answered = connection.ask(parse('月'.repeat(300)), 'position');
    assert.equal(sent.length, 1);
    assert.ok(new TextEncoder().encode(sent[0]).length <= 1000);
    sockets[0].hear({ id: JSON.parse(sent[0]).id, type: 'position', position: null });
    await answered;
});
