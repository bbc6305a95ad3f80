// The user's preferences, kept in the browser.

const PREFIX = 'kagetsu.settings.';

export class Settings {
    /**
     * @param {string} key
     * @param {string} otherwise
     */
    get(key, otherwise) {
        try {
            return localStorage.getItem(PREFIX + key) ?? otherwise;
        } catch {
            return otherwise;
        }
    }

    /**
     * @param {string} key
     * @param {string} value
     */
    set(key, value) {
        try {
            localStorage.setItem(PREFIX + key, value);
        } catch {
            // A browser that keeps nothing still plays.
        }
    }

    /**
     * Whether something is turned on.
     * @param {string} key
     * @param {boolean} otherwise
     */
    isOn(key, otherwise) {
        return this.get(key, otherwise ? 'on' : 'off') === 'on';
    }

    /**
     * @param {string} key
     * @param {boolean} on
     */
    turn(key, on) {
        this.set(key, on ? 'on' : 'off');
    }
}
