// The connection to the program: messages that are too large for it are not sent, and its errors are heard. A file of
// tests is a process of its own and may replace globals.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Connection } from '../page/connection.js';

/** @import { Ask } from '../page/schema.js' */

class Socket {
    static OPEN = 1;
    readyState = Socket.OPEN;
    /** Texts that the page has sent. @type {string[]} */
    sent = [];
    /** @type {((event: { data: string }) => void) | null} */
    onmessage = null;

    /** @param {string} text */
    send(text) {
        this.sent.push(text);
    }

    /** @param {object} message */
    hear(message) {
        this.onmessage?.({ data: JSON.stringify(message) });
    }
}

/** A connection to a program that takes messages of 1000 bytes. */
function connected() {
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
    const [socket] = sockets;
    socket.hear({ id: 0, type: 'welcome', version: 3, longest: 1000 });
    return { connection, socket };
}

/** @param {string} text */
function parse(text) {
    return /** @type {Ask} */ ({ type: 'parse', text, size: 15, rule: 'renju' });
}

test('a message that is longer than the program takes is refused by the page', async () => {
    const { connection, socket } = connected();
    for (const text of ['x'.repeat(1000), '月'.repeat(400)]) {
        await assert.rejects(connection.ask(parse(text), 'position'), /too large: the program takes messages of/);
        /** @type {string[]} */
        const heard = [];
        connection.work(parse(text), (tell) => heard.push(tell.type));
        await new Promise(setImmediate);
        assert.deepEqual(heard, ['error']);
    }
    assert.deepEqual(socket.sent, []);
    const answered = connection.ask(parse('月'.repeat(300)), 'position');
    assert.equal(socket.sent.length, 1);
    assert.ok(new TextEncoder().encode(socket.sent[0]).length <= 1000);
    socket.hear({ id: JSON.parse(socket.sent[0]).id, type: 'position', position: null });
    await answered;
});

test('an error that belongs to no request is told', async () => {
    const { connection, socket } = connected();
    /** @type {string[]} */
    const told = [];
    connection.onrefusal = (text) => told.push(text);
    const answered = connection.ask(parse('h8'), 'position');
    socket.hear({ id: JSON.parse(socket.sent[0]).id, type: 'error', message: 'not a position' });
    await assert.rejects(answered, /not a position/);
    socket.hear({ id: 0, type: 'error', message: 'too many messages' });
    assert.deepEqual(told, ['too many messages']);
});
