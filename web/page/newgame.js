// The form for a new game. The choices are stored for the next time, except the opening.

import { alike, button, el, field, select, setOptions } from './dom.js';
import { TIMINGS } from './match.js';
import { GREATEST_SIZE, LEAST_SIZE, RULES, USUAL_SIZE } from './rules.js';

/** @import { Ends, Rule, Welcome } from './schema.js' */
/** @import { Settings } from './settings.js' */

/**
 * The settings of a game.
 * @typedef {object} Chosen
 * @property {string} players both players, the first one first, separated by a space
 * @property {Rule} rule
 * @property {number} size
 * @property {string} level strength of the engine, 0 to 100
 * @property {string} timing a key of `TIMINGS`
 * @property {Ends} ends
 * @property {string} regulation name of the opening's regulation, empty for none
 */

/** @type {[string, string][]} */
const PLAYERS = [
    ['human engine', 'You, then the engine'],
    ['engine human', 'The engine, then you'],
    ['human human', 'Two people at this board'],
    ['engine engine', 'Engine against engine'],
];

/** The rules about draws and passes, by name. @type {[Ends, string][]} */
const ENDS = [
    ['plain', 'plain'],
    ['rif', 'Renju federation'],
    ['gomocup', 'Gomocup'],
];

export class NewGameForm {
    /** @type {HTMLSelectElement} */
    #rule;
    /** @type {HTMLSelectElement} */
    #regulation;
    /** Describes the chosen regulation. */
    #about = el('p', { class: 'hint' });
    /** @type {Welcome['regulations']} */
    #known = [];

    /**
     * @param {Settings} settings
     * @param {(chosen: Chosen) => Promise<void>} onstart
     */
    constructor(settings, onstart) {
        const players = select(PLAYERS, settings.get('players', 'human engine'));
        this.#rule = select(alike(RULES), settings.get('rule', 'renju'), () => this.#fill());
        const size = el('input', {
            type: 'number',
            min: LEAST_SIZE,
            max: GREATEST_SIZE,
            value: settings.get('size', String(USUAL_SIZE)),
        });
        const level = el('input', { type: 'range', min: 0, max: 100, step: 5, value: settings.get('level', '60') });
        const shown = el('output', {}, level.value);
        level.addEventListener('input', () => (shown.textContent = level.value));
        const timings = TIMINGS.map(([key, text]) => /** @type {[string, string]} */ ([key, text]));
        const timing = select(timings, settings.get('timing', 'none'));
        const ends = select(ENDS, settings.get('ends', 'plain'));
        this.#regulation = select([['', 'none']], '');
        this.#regulation.addEventListener('change', () => this.#describe());
        this.#fill();
        const start = () => {
            // The field shows the size that is played.
            const side = Math.round(Number(size.value)) || USUAL_SIZE;
            size.value = String(Math.max(LEAST_SIZE, Math.min(GREATEST_SIZE, side)));
            const chosen = {
                players: players.value,
                rule: this.#rule.value,
                size: size.value,
                level: level.value,
                timing: timing.value,
                ends: ends.value,
            };
            for (const [key, value] of Object.entries(chosen)) settings.set(key, value);
            const how = { ...chosen, size: Number(size.value), regulation: this.#regulation.value };
            void onstart(/** @type {Chosen} */ (how));
        };
        this.element = el(
            'div',
            { class: 'form' },
            field('Players', players),
            field('Rule', this.#rule),
            field('Board', size),
            field('Strength', el('span', { class: 'row' }, level, shown)),
            field('Clock', timing),
            field('Opening', this.#regulation),
            field('Draws and passes', ends),
            this.#about,
            button('New game', start, { class: 'primary', id: 'start' }),
        );
    }

    /**
     * Sets the regulations that the program knows.
     * @param {Welcome['regulations']} regulations
     */
    setRegulations(regulations) {
        this.#known = regulations;
        this.#fill();
    }

    /** Lists the regulations that fit the chosen rule. A choice that does not fit falls back to none. */
    #fill() {
        const renju = this.#rule.value === 'renju';
        const fitting = this.#known.filter((one) => renju || !one.renju || one.name === 'plain');
        /** @type {[string, string][]} */
        const options = fitting.map(({ name, title }) => [name, title]);
        setOptions(this.#regulation, [['', 'free'], ...options], this.#regulation.value);
        this.#describe();
    }

    #describe() {
        const chosen = this.#known.find(({ name }) => name === this.#regulation.value);
        this.#about.textContent = chosen?.about ?? '';
    }
}
