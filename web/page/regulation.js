// The steps of an opening regulation for a person: which stones, which colour, which fifths. The server knows which
// actions are legal; here clicks are collected until they are an action.

import { button, el } from './dom.js';
import { capital, count } from './words.js';

/** @import { Choice, Opening } from './schema.js' */
/** @import { View } from './view.js' */

/** @typedef {Pick<View, 'zone' | 'spots'>} Shown the parts of a step that the board shows */

/** @typedef {{ kind: string, text: string | null }} Control kind of an element and, of a button, its text */

/**
 * @template {Choice['type']} T
 * @param {Opening} opening
 * @param {T} type
 * @returns {Extract<Choice, { type: T }> | undefined}
 */
function choice(opening, type) {
    return /** @type {any} */ (opening.choices.find((choice) => choice.type === type));
}

export class Steps {
    element = el('div', { class: 'steps-panel', tabindex: -1 });
    /** @type {Opening | null} */
    #opening = null;
    /** Points that were clicked. @type {string[]} */
    #points = [];
    #offering = false;
    /** The control that had the focus at the end of the last step. @type {Control | null} */
    #lost = null;
    /** The field for the number of fifths. @type {HTMLInputElement | null} */
    #number = null;
    /** An action is complete. Its points stay chosen until the next step. @type {(action: string) => void} */
    onact = () => {};
    /** @type {(shown: Shown) => void} */
    onshow = () => {};
    /** @type {(text: string) => void} */
    onsay = () => {};

    /** A step of a person; `null` when there is none. @param {Opening | null} opening */
    ask(opening) {
        this.#opening = opening;
        // A number belongs to its step: another regulation may allow less.
        if (!opening) this.#number = null;
        this.#points = [];
        this.#offering = Boolean(opening && choice(opening, 'offer') && !choice(opening, 'place'));
        this.#show();
    }

    /** A click on an empty point of the board. @param {string} point */
    click(point) {
        const opening = this.#opening;
        if (!opening) return;
        const place = choice(opening, 'place');
        if (this.#offering) this.#toggleOffer(point);
        else if (place) this.#addStone(place, point);
        else if (opening.choices[0]?.type === 'choose') this.#choose(opening.choices[0], point);
        else this.onsay('choose one of the buttons beside the board');
        this.#show();
    }

    /**
     * @param {Extract<Choice, { type: 'place' }>} place
     * @param {string} point
     */
    #addStone(place, point) {
        if (this.#points.includes(point)) {
            this.#points = this.#points.slice(0, this.#points.indexOf(point));
            this.#sayBack(point);
            return;
        }
        const zone = place.zones[this.#points.length];
        if (!zone) return;
        const stone = `stone ${place.first + this.#points.length}`;
        if (!zone.points.includes(point)) {
            this.onsay(`${stone} must be put ${zone.text}`);
            return;
        }
        if (place.declare === null && place.zones.length === 1) {
            // The step needs no button, and if it is refused, the next click is another try.
            this.onact(point);
            return;
        }
        this.#points.push(point);
        this.onsay(`${stone}: ${point}`);
    }

    /**
     * Says that a choice is taken back. The choices are said for the ear: the board shows them at once.
     * @param {string} point
     */
    #sayBack(point) {
        this.onsay(`${point} is taken back`);
    }

    /** @param {string} point */
    #toggleOffer(point) {
        const offer = choice(/** @type {Opening} */ (this.#opening), 'offer');
        if (!offer) return;
        if (this.#points.includes(point)) {
            this.#points = this.#points.filter((other) => other !== point);
            this.#sayBack(point);
            return;
        }
        const alike = offer.classes.find((points) => points.includes(point)) ?? [];
        const twin = this.#points.find((other) => alike.includes(other));
        if (twin) this.onsay(`${point} is symmetric to ${twin}: they count as one fifth`);
        else if (this.#points.length < offer.count) {
            this.#points.push(point);
            this.onsay(`${point} is chosen, ${this.#points.length} of ${offer.count}`);
        } else this.onsay(`${offer.count} points are chosen: press Offer, or click one to take it back`);
    }

    /**
     * @param {Extract<Choice, { type: 'choose' }>} step
     * @param {string} point
     */
    #choose(step, point) {
        const [fifth] = this.#points;
        if (fifth === undefined) {
            if (step.fifths.includes(point)) {
                this.#points = [point];
                this.onsay(`stone 5: ${point}; choose stone 6`);
            } else this.onsay('first choose one of the offered points');
        } else if (point === fifth) {
            this.#points = [];
            this.#sayBack(point);
        } else this.onact(`choose ${fifth} ${point}`);
    }

    #show() {
        const opening = this.#opening;
        const focused = this.#focused() ?? (document.activeElement === document.body ? this.#lost : null);
        this.#lost = null;
        if (!opening) {
            // An empty panel is not shown and can have no focus; it comes back with the next step.
            this.#lost = focused;
            this.element.replaceChildren();
            this.onshow({ zone: [], spots: [] });
            return;
        }
        /** @type {(Node | string)[]} */
        const parts = [];
        // The player who chooses a colour must know the number, and the message that told it is soon gone.
        if (opening.declared !== null) parts.push(el('p', {}, `Declared: ${count(opening.declared, 'fifth')}.`));
        opening.choices.forEach((choice, i) => {
            if (i > 0) parts.push(el('p', { class: 'or' }, 'or'));
            parts.push(this.#part(choice));
        });
        this.element.replaceChildren(...parts);
        if (focused) this.#focus(focused);
        this.onshow({ zone: this.#zone(opening), spots: this.#spots(opening) });
    }

    /** The control of a step that has the focus. @returns {Control | null} */
    #focused() {
        const { activeElement } = document;
        const has = activeElement instanceof HTMLElement && this.element.contains(activeElement);
        return has ? { kind: activeElement.tagName, text: activeElement.textContent } : null;
    }

    /**
     * Gives the focus to the control that was made anew. If there is none, the panel has it: another button must not be
     * pressed by a key that is held.
     * @param {Control} lost
     */
    #focus({ kind, text }) {
        const enabled = this.element.querySelectorAll('button:not([disabled]), input');
        const controls = /** @type {HTMLElement[]} */ ([...enabled]);
        const same = controls.find((control) => control.tagName === kind && control.textContent === text);
        (same ?? this.element).focus({ preventScroll: true });
    }

    /** @param {Choice} choice */
    #part(choice) {
        switch (choice.type) {
            case 'keep':
                return button('Keep the colours', () => this.onact('keep'), { class: 'primary' });
            case 'swap':
                return button('Swap the colours', () => this.onact('swap'), { class: 'primary' });
            case 'place':
                return this.#placing(choice);
            case 'offer':
                return this.#offer(choice);
            case 'choose':
                return el(
                    'p',
                    {},
                    this.#points.length
                        ? `Stone 5 is ${this.#points[0]}. Click where stone 6 goes.`
                        : `Click stone 5, one of ${choice.fifths.join(', ')}.`,
                );
        }
    }

    /** @param {Extract<Choice, { type: 'place' }>} place */
    #placing(place) {
        const parts = [el('p', {}, `${capital(place.text)}.`)];
        if (place.declare !== null) {
            const number = this.#number?.value ?? String(Math.min(place.declare, 4));
            this.#number = el('input', { type: 'number', min: 1, max: place.declare, value: number });
            parts.push(el('p', {}, el('label', {}, 'Number of fifths ', this.#number)));
        }
        if (place.zones.length > 1 || place.declare !== null) {
            const put = () => {
                const declare = place.declare === null ? '' : ` declare ${this.#number?.value ?? 1}`;
                this.onact(this.#points.join(' ') + declare);
            };
            parts.push(this.#complete(`Put ${place.zones.length > 1 ? 'the stones' : 'it'}`, put, place.zones.length));
        }
        return el('div', {}, ...parts);
    }

    /**
     * A button for what can be done when enough points are chosen.
     * @param {string} text
     * @param {() => void} act
     * @param {number} needed number of points
     */
    #complete(text, act, needed) {
        const { length } = this.#points;
        return el(
            'p',
            { class: 'row' },
            button(text, act, { disabled: length !== needed, class: 'primary' }),
            el('span', {}, `${length} of ${needed}`),
        );
    }

    /** @param {Extract<Choice, { type: 'offer' }>} offer */
    #offer(offer) {
        const text = el('p', {}, `${capital(offer.text)}.`);
        if (!this.#offering) {
            const begin = () => {
                this.#offering = true;
                this.#points = [];
                this.#show();
            };
            return el('div', {}, text, button('Choose the points', begin));
        }
        const give = () => this.onact(`offer ${this.#points.join(' ')}`);
        return el('div', {}, text, this.#complete('Offer', give, offer.count));
    }

    /** @param {Opening} opening */
    #zone(opening) {
        const place = choice(opening, 'place');
        if (this.#offering || !place) return [];
        const zone = place.zones[this.#points.length];
        return zone && zone.text !== 'anywhere' ? zone.points.filter((point) => !this.#points.includes(point)) : [];
    }

    /** @param {Opening} opening */
    #spots(opening) {
        const first = opening.moves.length + 1;
        const place = choice(opening, 'place');
        const spots = this.#points.map((point, i) => ({
            point,
            text: this.#offering ? '5' : String(first + i),
            tone: place && !this.#offering ? ((first + i) % 2 === 1 ? 'put-black' : 'put-white') : 'chosen',
        }));
        const step = choice(opening, 'choose');
        for (const point of step?.fifths ?? []) {
            if (!this.#points.includes(point)) spots.push({ point, text: '5', tone: 'offered' });
        }
        return spots;
    }
}
