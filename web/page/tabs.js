// The panels beside the board, one of which is shown, and their tabs.

import { button, byId, set } from './dom.js';
import { capital } from './words.js';

/** @import { Settings } from './settings.js' */

/** The panels in the order of their tabs. */
const PANELS = ['analysis', 'game', 'play', 'openings', 'puzzles'];

export class Tabs {
    /** The panel that is shown. */
    shown = PANELS[0];
    /** @type {(name: string) => void} */
    onshow = () => {};

    /** @param {Settings} settings */
    constructor(settings) {
        this.settings = settings;
        const tabs = PANELS.map((name, i) => {
            const id = `tab-${name}`;
            const onkeydown = (/** @type {KeyboardEvent} */ event) => this.#key(event, i);
            set(byId(name), { role: 'tabpanel', 'aria-labelledby': id });
            return button(capital(name), () => this.show(name), { id, role: 'tab', 'aria-controls': name, onkeydown });
        });
        byId('tabs').append(...tabs);
    }

    /** Shows the panel that was shown last. */
    restore() {
        this.show(this.settings.get('panel', PANELS[0]));
    }

    /** @param {string} name */
    show(name) {
        this.shown = PANELS.includes(name) ? name : PANELS[0];
        this.settings.set('panel', this.shown);
        for (const panel of PANELS) {
            const isShown = panel === this.shown;
            set(byId(`tab-${panel}`), { 'aria-selected': String(isShown), tabindex: isShown ? 0 : -1 });
            byId(panel).hidden = !isShown;
        }
        this.onshow(this.shown);
    }

    /**
     * @param {KeyboardEvent} event
     * @param {number} i index of the tab
     */
    #key(event, i) {
        const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!way) return;
        const next = PANELS[(i + way + PANELS.length) % PANELS.length];
        this.show(next);
        byId(`tab-${next}`).focus();
        event.stopPropagation();
        event.preventDefault();
    }
}
