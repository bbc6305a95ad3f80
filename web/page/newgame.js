// The form for a new game. The choices are stored for the next time, except the opening.

import { alike, button, el, field, select, set, setOptions } from './dom.js';
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
 * @property {number} [minutes] of each player, in a timing of the user's own
 * @property {number} [seconds] for each move, or added after it, in such a timing
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

/** Minutes and seconds of a timing of the user's own. The engine takes no more than 600 seconds for a move. */
const [USUAL_MINUTES, USUAL_SECONDS] = [5, 10];

/**
 * Reads a field for a number. It then shows the number that counts: the nearest one that it allows.
 * @param {Pick<HTMLInputElement, 'value' | 'min' | 'max' | 'step'>} field
 * @param {number} usual counts if there is none
 */
export function read(field, usual) {
    const [least, most, step] = [field.min, field.max, field.step].map(Number);
    const given = Number.parseFloat(field.value.replace(',', '.'));
    const number = Number.isNaN(given) ? usual : step * Math.round(given / step);
    field.value = String(Math.max(least, Math.min(most, number)));
    return Number(field.value);
}

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
        /** @type {(key: string, usual: number, min: number, max: number, step?: number) => HTMLInputElement} */
        const number = (key, usual, min, max, step = 1) =>
            el('input', { type: 'number', min, max, step, value: settings.get(key, String(usual)) });
        const size = number('size', USUAL_SIZE, LEAST_SIZE, GREATEST_SIZE);
        const level = el('input', { type: 'range', min: 0, max: 100, step: 5, value: settings.get('level', '60') });
        const shown = el('output', {}, level.value);
        level.addEventListener('input', () => (shown.textContent = level.value));
        const minutes = number('minutes', USUAL_MINUTES, 0.5, 600, 0.5);
        // Where a browser's language has a point in numbers, a field for numbers refuses the comma.
        set(minutes, { type: 'text', inputmode: 'decimal' });
        const seconds = number('seconds', USUAL_SECONDS, 0, 600);
        const own = [field('Minutes a game', minutes), field('Seconds a move', seconds)];
        const showOwn = (/** @type {string} */ key) => {
            own[0].hidden = key !== 'own game';
            own[1].hidden = !key.startsWith('own');
            set(seconds, { min: key === 'own move' ? 1 : 0 });
        };
        /** @type {[string, string][]} */
        const timings = TIMINGS.map(([key, text]) => [key, text]);
        const timing = select(timings, settings.get('timing', 'none'), showOwn);
        showOwn(timing.value);
        const ends = select(ENDS, settings.get('ends', 'plain'));
        this.#regulation = select([['', 'none']], '');
        this.#regulation.addEventListener('change', () => this.#describe());
        this.#fill();
        const start = () => {
            const chosen = {
                players: players.value,
                rule: this.#rule.value,
                size: read(size, USUAL_SIZE),
                level: level.value,
                timing: timing.value,
                minutes: read(minutes, USUAL_MINUTES),
                seconds: read(seconds, USUAL_SECONDS),
                ends: ends.value,
            };
            for (const [key, value] of Object.entries(chosen)) settings.set(key, String(value));
            void onstart(/** @type {Chosen} */ ({ ...chosen, regulation: this.#regulation.value }));
        };
        this.element = el(
            'div',
            { class: 'form' },
            field('Players', players),
            field('Rule', this.#rule),
            field('Board', size),
            field('Strength', el('span', { class: 'row' }, level, shown)),
            field('Clock', timing),
            ...own,
            field('Opening', this.#regulation),
            field('Draws and passes', ends),
            this.#about,
            button('New game', start, { class: 'primary', id: 'start' }),
        );
    }

    /** Sets the regulations that the program knows. @param {Welcome['regulations']} regulations */
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
