// The WebSocket to the server: questions and their answers, jobs and their reports.

/** @import { Ask, Tell, Welcome } from './schema.js' */

/** The version of the messages that this page speaks. */
const VERSION = 3;
/** The number of an error that belongs to no request, because the program refused the message unread. */
const UNREAD = 0;
/** Times between two attempts to connect again, in milliseconds. */
const WAITS = [250, 500, 1000, 2000, 5000];

/** Bytes of UTF-8 that a UTF-16 code unit takes at most. */
const WIDEST = 3;

/**
 * Whether a text has more bytes than a number.
 * @param {string} text
 * @param {number} bytes
 */
function isLonger(text, bytes) {
    return text.length * WIDEST > bytes && new TextEncoder().encode(text).length > bytes;
}

/**
 * The answers by their types.
 * @typedef {{ [K in Tell['type']]: Extract<Tell, { type: K }> }} Tells
 */

export class Connection {
    /** @type {WebSocket | null} */
    #socket = null;
    #last = 0;
    #failures = 0;
    /** Bytes of the longest message that the server takes. */
    #longest = Infinity;
    /** @type {Map<number, (tell: Tell | null) => void>} */
    #waiting = new Map();
    /** @type {(welcome: Welcome) => void} */
    onwelcome = () => {};
    /** @type {(connected: boolean) => void} */
    onstate = () => {};
    /** Hears why the program refused a message. @type {(text: string) => void} */
    onrefusal = () => {};

    /** @param {string} address */
    constructor(address) {
        this.address = address;
    }

    connect() {
        const socket = new WebSocket(this.address);
        this.#socket = socket;
        socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)));
        socket.onclose = () => this.#lost(socket);
    }

    get isOpen() {
        return this.#socket?.readyState === WebSocket.OPEN;
    }

    /** @param {WebSocket} socket */
    #lost(socket) {
        if (socket !== this.#socket) return;
        const waiting = [...this.#waiting.values()];
        this.#waiting.clear();
        for (const answer of waiting) answer(null);
        this.onstate(false);
        const wait = WAITS[Math.min(this.#failures++, WAITS.length - 1)];
        setTimeout(() => this.connect(), wait);
    }

    /** @param {Tell & { id: number }} message */
    #hear(message) {
        if (message.type === 'welcome') {
            this.#failures = 0;
            if (message.version !== VERSION) {
                // The server is now another version of the program, which has another page.
                location.reload();
                return;
            }
            this.#longest = message.longest;
            this.onstate(true);
            this.onwelcome(message);
            return;
        }
        if (message.type === 'error' && message.id === UNREAD) this.onrefusal(message.message);
        else this.#waiting.get(message.id)?.(message);
    }

    /**
     * @param {Ask} ask
     * @param {(tell: Tell | null) => void} answer `null` when the connection is lost
     */
    #send(ask, answer) {
        const id = ++this.#last;
        if (!this.isOpen) {
            queueMicrotask(() => answer(null));
            return id;
        }
        const text = JSON.stringify({ id, ...ask });
        if (isLonger(text, this.#longest)) {
            // The server would end the connection.
            const most = (this.#longest / 1e6).toFixed(1);
            const message = `too large: the program takes messages of ${most} MB at most`;
            queueMicrotask(() => answer({ type: 'error', message }));
            return id;
        }
        this.#waiting.set(id, answer);
        this.#socket?.send(text);
        return id;
    }

    /**
     * Asks a question with one answer.
     * @template {Tell['type']} K
     * @param {Ask} ask
     * @param {K} wanted
     * @param {AbortSignal} [signal] ends the job for it
     * @returns {Promise<Tells[K]>}
     */
    ask(ask, wanted, signal) {
        return new Promise((resolve, reject) => {
            const id = this.#send(ask, (tell) => {
                if (tell?.type === 'queued') return;
                this.#waiting.delete(id);
                if (tell?.type === wanted) resolve(/** @type {Tells[K]} */ (tell));
                else if (tell?.type === 'error') reject(new Error(tell.message));
                else if (tell?.type === 'done') reject(new Error('stopped'));
                else reject(new Error('the connection to the program is lost'));
            });
            signal?.addEventListener('abort', () => {
                this.#end(id);
                reject(new Error('stopped'));
            });
        });
    }

    /** Ends the job for a request; it sends no further reports. @param {number} id */
    #end(id) {
        if (!this.#waiting.delete(id) || !this.isOpen) return;
        this.#socket?.send(JSON.stringify({ id: ++this.#last, type: 'stop', job: id }));
    }

    /**
     * Starts a job that reports until it is done.
     * @param {Ask} ask
     * @param {(tell: Tell) => void} hear every report, and at last `done` or `error`
     * @returns {() => void} stops it; nothing is heard of it then
     */
    work(ask, hear) {
        const id = this.#send(ask, (tell) => {
            const last = tell ?? { type: 'error', message: 'the connection to the program is lost' };
            if (last.type === 'done' || last.type === 'error') this.#waiting.delete(id);
            hear(/** @type {Tell} */ (last));
        });
        return () => this.#end(id);
    }
}
