// Keeps the game of this tab in the browser, so that it survives a reload and a crash.

import { fromMessage, toMessage } from './game.js';

/** @import { Game as Message } from './schema.js' */
/** @import { Session } from './session.js' */
/** @import { Game, Node, Value } from './game.js' */

/**
 * A kept game: values by the places of their nodes, and whatever else belongs to it.
 * @typedef {{ game: Message, node: number, values: [number, Value][], ends: Session['ends'], extra: unknown,
 *     when: number }} Kept
 */

/** Games that are kept; the oldest go first. */
const GAMES = 12;
const PREFIX = 'kagetsu.game.';

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
    return { game: message, node, values, ends: session.ends, extra, when };
}

/**
 * @param {Kept} kept
 * @returns {{ game: Game, node: Node, nodes: Node[] }}
 */
export function unpack(kept) {
    const { game, nodes } = fromMessage(kept.game, 'renju');
    game.ends = kept.ends ?? 'plain';
    for (const [i, value] of kept.values) if (nodes[i]) nodes[i].value = value;
    return { game, node: nodes[kept.node] ?? game.root, nodes };
}

/** A random id. `crypto.randomUUID` does not exist where the page comes from another machine over plain HTTP. */
function randomId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class Store {
    /** @type {number | undefined} */
    #timer;

    /**
     * @param {() => Kept} collect
     * @param {(error: string) => void} complain
     */
    constructor(collect, complain) {
        this.collect = collect;
        this.complain = complain;
        const known = sessionStorage.getItem('kagetsu.tab');
        this.isNew = known === null;
        this.tab = known ?? randomId();
        sessionStorage.setItem('kagetsu.tab', this.tab);
        addEventListener('pagehide', () => this.save());
    }

    /** Saves soon: many changes at a time are saved once. */
    later() {
        clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => this.save(), 300);
    }

    save() {
        clearTimeout(this.#timer);
        try {
            localStorage.setItem(PREFIX + this.tab, JSON.stringify(this.collect()));
            this.#prune();
        } catch (error) {
            this.complain(`the browser does not keep this game (${error}): save it to a file`);
        }
    }

    /**
     * The game of this tab; for a new tab the one that was changed last.
     * @returns {Kept | null}
     */
    load() {
        const own = this.#read(PREFIX + this.tab);
        return own ?? this.#all().at(-1)?.[1] ?? null;
    }

    /** @returns {[string, Kept][]} all kept games, the oldest first */
    #all() {
        const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
        const games = keys.map((key) => /** @type {const} */ ([key, this.#read(key)]));
        const sound = games.filter(([, kept]) => kept !== null);
        return /** @type {[string, Kept][]} */ (sound.map((pair) => [...pair])).sort((a, b) => a[1].when - b[1].when);
    }

    /**
     * @param {string} key
     * @returns {Kept | null}
     */
    #read(key) {
        try {
            const kept = JSON.parse(localStorage.getItem(key) ?? 'null');
            return kept && Array.isArray(kept.game?.nodes) ? kept : null;
        } catch {
            return null;
        }
    }

    #prune() {
        const all = this.#all().filter(([key]) => key !== PREFIX + this.tab);
        for (const [key] of all.slice(0, Math.max(0, all.length - GAMES + 1))) localStorage.removeItem(key);
    }
}
