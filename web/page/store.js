// Keeps the game of this tab in the browser, so that it survives a reload and a crash.

import { fromMessage, toMessage } from './game.js';
import { attempt } from './storage.js';

/** @import { Game as Message } from './schema.js' */
/** @import { Session } from './session.js' */
/** @import { Game, Node, Value } from './game.js' */

/**
 * A kept game: values by the places of their nodes, and whatever else belongs to it.
 * @typedef {{ game: Message, node: number, values: [number, Value][], ends: Session['ends'], name: string,
 *     extra: unknown, when: number }} Kept
 */

/** Games that are kept; the oldest go first. */
const GAMES = 12;
const PREFIX = 'kagetsu.game.';
const TAB = 'kagetsu.tab';

/**
 * @param {Session} session
 * @param {unknown} extra
 * @param {number} when
 * @returns {Kept}
 */
export function pack(session, extra, when) {
    const { message, nodes } = toMessage(session.game);
    /** @type {[number, Value][]} */
    const values = [];
    nodes.forEach((node, i) => {
        if (node.value) values.push([i, node.value]);
    });
    const node = Math.max(nodes.indexOf(session.node), 0);
    const { ends, name } = session.game;
    return { game: message, node, values, ends, name, extra, when };
}

/**
 * @param {Kept} kept
 * @returns {{ game: Game, node: Node, nodes: Node[] }}
 */
export function unpack(kept) {
    const { game, nodes } = fromMessage(kept.game, 'renju');
    game.ends = kept.ends;
    game.name = kept.name;
    for (const [i, value] of kept.values) if (nodes[i]) nodes[i].value = value;
    return { game, node: nodes[kept.node] ?? game.root, nodes };
}

/** A random id. `crypto.randomUUID` does not exist where the page comes from another machine over plain HTTP. */
function randomId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * A page asks whether another one has its tab's id; `page` names the one that asks.
 * @typedef {{ type: 'asked' | 'taken', tab: string, page: string }} Word
 */

/**
 * Keeps the id of this tab. Where the browser does not keep it, a page that is loaded again is a new tab.
 * @param {string} tab
 */
function keepTab(tab) {
    attempt(() => sessionStorage.setItem(TAB, tab));
}

export class Store {
    /** @type {number | undefined} */
    #timer;
    #page = randomId();
    /** @type {BroadcastChannel | null} */
    #channel = null;
    /** The tab is a copy of another one, and is a new tab from now on. */
    oncopy = () => {};
    /** The game has been stored. */
    onkept = () => {};

    /**
     * @param {() => Kept} collect
     * @param {(error: string) => void} complain
     */
    constructor(collect, complain) {
        this.collect = collect;
        this.complain = complain;
        const known = attempt(() => sessionStorage.getItem(TAB));
        this.isNew = known === null;
        this.tab = known ?? randomId();
        keepTab(this.tab);
        this.#announce();
        addEventListener('pagehide', () => {
            this.save();
            this.#channel?.close();
        });
        // A phone ends hidden pages without a word.
        addEventListener('visibilitychange', () => this.save());
        addEventListener('pageshow', (event) => {
            if (event.persisted) this.#announce();
        });
    }

    /** A browser that duplicates a tab gives the copy the same id: then the page that was there first keeps it. */
    #announce() {
        // Firefox has no channels where it keeps no site data; copies of a tab have no id in common there.
        const channel = attempt(() => new BroadcastChannel(TAB));
        if (!channel) return;
        const say = (/** @type {Word} */ word) => channel.postMessage(word);
        channel.onmessage = (event) => {
            const { type, tab, page } = /** @type {Word} */ (event.data);
            if (tab !== this.tab) return;
            if (type === 'asked') say({ type: 'taken', tab, page });
            else if (page === this.#page) this.#renew();
        };
        this.#channel = channel;
        say({ type: 'asked', tab: this.tab, page: this.#page });
    }

    #renew() {
        this.isNew = true;
        this.tab = randomId();
        keepTab(this.tab);
        this.oncopy();
        this.later();
    }

    /** Saves soon: many changes at a time are saved once. */
    later() {
        clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => this.save(), 300);
    }

    save() {
        clearTimeout(this.#timer);
        try {
            this.#write(JSON.stringify(this.collect()));
            for (const key of this.#others().slice(0, 1 - GAMES)) localStorage.removeItem(key);
            this.onkept();
        } catch (error) {
            this.complain(`the browser does not keep this game (${error}): save it to a file`);
        }
    }

    /**
     * Writes the game of this tab. Where the browser has no room, the oldest other games go; if that is not enough,
     * they come back.
     * @param {string} kept
     */
    #write(kept) {
        /** @type {[string, string][]} */
        const gone = [];
        for (;;) {
            try {
                localStorage.setItem(PREFIX + this.tab, kept);
                return;
            } catch (error) {
                const [oldest] = this.#others();
                if (oldest === undefined) {
                    for (const [key, text] of gone) localStorage.setItem(key, text);
                    throw error;
                }
                gone.push([oldest, localStorage.getItem(oldest) ?? '']);
                localStorage.removeItem(oldest);
            }
        }
    }

    /**
     * The game of this tab; for a new tab the one that was changed last. A tab whose game is kept no more is a new tab.
     * @returns {Kept | null}
     */
    load() {
        const own = this.#read(PREFIX + this.tab);
        if (!own) this.isNew = true;
        return own ?? this.#all().at(-1)?.[1] ?? null;
    }

    /** @returns {[string, Kept][]} all kept games, the oldest first */
    #all() {
        /** @type {[string, Kept][]} */
        const games = [];
        for (const key of attempt(() => Object.keys(localStorage)) ?? []) {
            const kept = key.startsWith(PREFIX) && this.#read(key);
            if (kept) games.push([key, kept]);
        }
        return games.sort(([, a], [, b]) => a.when - b.when);
    }

    /** @param {string} key @returns {Kept | null} */
    #read(key) {
        // Another program may have written something else there.
        const kept = attempt(() => JSON.parse(localStorage.getItem(key) ?? 'null'));
        return [kept?.game?.nodes, kept?.values].every(Array.isArray) ? kept : null;
    }

    /** @returns {string[]} the keys of the games of other tabs, the oldest first */
    #others() {
        return this.#all().flatMap(([key]) => (key === PREFIX + this.tab ? [] : [key]));
    }
}
