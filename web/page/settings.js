// The user's preferences, kept in the browser. One that keeps nothing plays with the usual ones.

import { attempt } from './storage.js';

const PREFIX = 'kagetsu.settings.';

export class Settings {
    /** @param {string} key @param {string} otherwise */
    get(key, otherwise) {
        return attempt(() => localStorage.getItem(PREFIX + key)) ?? otherwise;
    }

    /** @param {string} key @param {string} value */
    set(key, value) {
        attempt(() => localStorage.setItem(PREFIX + key, value));
    }

    /**
     * Whether something is turned on.
     * @param {string} key
     * @param {boolean} otherwise
     */
    isOn(key, otherwise) {
        return this.get(key, otherwise ? 'on' : 'off') === 'on';
    }

    /** @param {string} key @param {boolean} on */
    turn(key, on) {
        this.set(key, on ? 'on' : 'off');
    }
}
