// Game files and pictures: opened by choice or drop, saved by download, copied as text.

import { ask } from './dialogs.js';
import { button, byId, el, field, select } from './dom.js';
import { fromMessage, property, toMessage } from './game.js';

/** @import { Loaded } from './schema.js' */
/** @import { App } from './app.js' */

/** Bytes of a file that the server takes. */
export const LARGEST = 10_000_000;
/** Games that are named when they cannot be shown. */
const TOLD = 3;

/**
 * The bytes of a file in base64.
 * @param {File} file
 * @returns {Promise<string>}
 */
export function base64(file) {
    return new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => {
            const address = String(reader.result);
            resolve(address.slice(address.indexOf(',') + 1));
        };
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(file);
    });
}

/** @param {string} data in base64 */
function bytesOf(data) {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}

/**
 * Hands a file to the browser, which saves it where it saves downloads.
 * @param {string} name
 * @param {string} mime
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function download(name, mime, bytes) {
    const address = URL.createObjectURL(new Blob([bytes], { type: mime }));
    const link = el('a', { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export class Files {
    /** The file that is open, if it has several games. @type {{ name: string, data: string } | null} */
    #open = null;
    /** @type {string} */
    name = 'game';

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.input = el('input', { type: 'file', hidden: true, 'aria-label': 'Game file' });
        this.input.addEventListener('change', () => {
            const file = this.input.files?.[0];
            if (file) void this.open(file);
            this.input.value = '';
        });
        document.body.append(this.input);
        addEventListener('dragover', (event) => {
            event.preventDefault();
            document.body.classList.add('dropping');
        });
        addEventListener('dragleave', (event) => {
            if (!event.relatedTarget) document.body.classList.remove('dropping');
        });
        addEventListener('drop', (event) => {
            event.preventDefault();
            document.body.classList.remove('dropping');
            const file = event.dataTransfer?.files[0];
            if (file) void this.open(file);
        });
    }

    choose() {
        this.input.click();
    }

    /** @param {File} file */
    async open(file) {
        if (file.size > LARGEST) {
            this.app.say(`${file.name} has more than ${LARGEST / 1e6} MB: open it with kagetsu convert first`);
            return;
        }
        let data;
        try {
            data = await base64(file);
        } catch (error) {
            // A folder, or a file that is gone or may not be read.
            this.app.say(`${file.name} cannot be read: ${/** @type {Error} */ (error).message}`);
            return;
        }
        await this.#load(file.name, data, null);
    }

    /**
     * @param {string} name
     * @param {string} data
     * @param {number | null} number of the game, `null` for the first one that can be shown
     * @returns {Promise<boolean>} whether it is shown
     */
    async #load(name, data, number) {
        const { app } = this;
        try {
            const loaded = await app.connection.ask({ type: 'load', name, data, number }, 'loaded');
            if (!(await app.mayLeave())) return false;
            this.#open = loaded.games.length ? { name, data } : null;
            this.show(loaded);
            if (number === null) this.#complain(loaded);
            return true;
        } catch (error) {
            app.say(`${name}: ${/** @type {Error} */ (error).message}`);
            return false;
        }
    }

    /** @param {Loaded} loaded */
    show(loaded) {
        const { app } = this;
        const { game } = fromMessage(loaded.game, app.session.game.rule);
        this.name = loaded.name.replace(/\.[^.]*$/, '') || 'game';
        app.leave();
        app.session.replace(`open ${loaded.name}`, game);
        app.session.step(Infinity);
        app.say(`${loaded.name} is open`);
        this.#list(loaded);
        app.show('game');
    }

    /**
     * Says which games of a file cannot be shown.
     * @param {Loaded} loaded
     */
    #complain({ name, left_out: left }) {
        if (!left.length) return;
        const more = left.length > TOLD ? `; and ${left.length - TOLD} more` : '';
        this.app.say(`${name} is open; left out: ${left.slice(0, TOLD).join('; ')}${more}`);
    }

    /** @param {Loaded} loaded */
    #list(loaded) {
        const host = byId('games');
        host.hidden = loaded.games.length === 0;
        const options = loaded.games.map(
            ({ number, title, moves }) =>
                /** @type {[string, string]} */ ([String(number), `${number + 1}. ${title} (${moves} moves)`]),
        );
        if (loaded.more) options.push(['', 'and more: kagetsu convert picks others']);
        const chosen = String(loaded.number);
        const chooser = select(options, chosen, async (value) => {
            const open = this.#open;
            const isShown = open && value && (await this.#load(open.name, open.data, Number(value)));
            if (!isShown) chooser.value = chosen;
        });
        host.replaceChildren(field(`Games of ${loaded.name}`, chooser));
    }

    async save() {
        const { app } = this;
        const formats = (app.welcome?.formats ?? ['sgf']).map((name) => /** @type {[string, string]} */ ([name, name]));
        const format = select(formats, app.settings.get('format', 'sgf'));
        const name = el('input', { value: this.#suggested(), maxlength: 100 });
        const lossy = el('input', { type: 'checkbox' });
        const note = 'Without this, a format that lacks something of the game is refused, and says what it lacks.';
        const chosen = await ask(
            'Save the game',
            [
                field('Name', name),
                field('Format', format),
                el('label', { class: 'check' }, lossy, ' leave out what the format cannot hold'),
                el('p', { class: 'hint' }, note),
            ],
            [['Save', () => ({ name: name.value, format: format.value, lossy: lossy.checked })]],
        );
        if (!chosen) return;
        app.settings.set('format', chosen.format);
        try {
            const { message } = toMessage(app.session.game);
            const file = await app.connection.ask(
                { type: 'save', game: message, format: chosen.format, lossy: chosen.lossy },
                'file',
            );
            const safe = chosen.name.replace(/[\\/:*?"<>|]+/g, '-').trim() || 'game';
            download(`${safe}.${file.extension}`, file.mime, bytesOf(file.data));
            const left = file.left_out.length ? `; left out: ${file.left_out.join(', ')}` : '';
            app.say(`saved as ${safe}.${file.extension}${left}`);
        } catch (error) {
            app.say(`not saved: ${/** @type {Error} */ (error).message}`);
        }
    }

    #suggested() {
        const { game } = this.app.session;
        const players = [property(game, 'PB'), property(game, 'PW')].filter(Boolean);
        return players.length === 2 ? players.join(' - ') : this.name;
    }

    /** @param {'png' | 'svg'} format */
    async picture(format) {
        const { app } = this;
        try {
            const { position } = app.session;
            const numbers = app.numbers;
            const file = await app.connection.ask(
                { type: 'picture', position, format, numbers, figures: app.figures() },
                'file',
            );
            download(`${this.name}.${file.extension}`, file.mime, bytesOf(file.data));
            app.say(`saved as ${this.name}.${file.extension}`);
        } catch (error) {
            app.say(`no picture: ${/** @type {Error} */ (error).message}`);
        }
    }

    /** @param {'text' | 'sgf' | 'link'} what */
    async copy(what) {
        const { app } = this;
        try {
            let text = app.facts?.text ?? '';
            if (what === 'link') text = location.href;
            if (what === 'sgf') {
                const { message } = toMessage(app.session.game);
                const file = await app.connection.ask(
                    { type: 'save', game: message, format: 'sgf', lossy: false },
                    'file',
                );
                text = new TextDecoder().decode(bytesOf(file.data));
            }
            // `navigator.clipboard` is missing where the page comes from another machine over plain HTTP.
            if (!navigator.clipboard) throw new Error('the browser allows it over HTTPS or on this machine only');
            await navigator.clipboard.writeText(text);
            app.say(`${what === 'sgf' ? 'the game as SGF' : what === 'link' ? 'the link' : 'the position'} is copied`);
        } catch (error) {
            app.say(`not copied: ${/** @type {Error} */ (error).message}`);
        }
    }

    /** Asks for a position in any notation, and shows it. */
    async paste() {
        const { app } = this;
        const text = el('textarea', { rows: 4, spellcheck: 'false' });
        const hint = 'Moves as h8h9i9, an opening as D4, rows as 15/…/15 x, a link of a web board, or an SGF.';
        const given = await ask(
            'Enter a position',
            [field('Position', text), el('p', { class: 'hint' }, hint)],
            [['Show it', () => text.value.trim() || null]],
        );
        if (!given) return;
        if (given.startsWith('(')) await this.open(new File([given], 'pasted.sgf'));
        else await app.openText(given, app.session.game.rule, app.session.game.size, true);
    }

    async share() {
        const actions = el(
            'div',
            { class: 'choices' },
            button('Copy the link', () => void this.copy('link')),
            button('Copy the position as text', () => void this.copy('text')),
            button('Copy the game as SGF', () => void this.copy('sgf')),
            button('Picture as PNG', () => void this.picture('png')),
            button('Picture as SVG', () => void this.picture('svg')),
        );
        const { facts } = this.app;
        const line = el('output', { class: 'position-text' }, facts?.text ?? '');
        await ask('Share the position', [line, actions], [], 'Close');
    }
}
