// Sharing the position and the game: copies as text, as SGF and as a link, pictures.

import { ask } from './dialogs.js';
import { button, el } from './dom.js';
import { toMessage } from './game.js';
import { bytesOf, download } from './transfer.js';

/** @import { App } from './app.js' */

/** The copied things, in words. */
const COPIED = { text: 'the position', sgf: 'the game as SGF', link: 'the link' };

export class Share {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
    }

    /** Asks what to share. */
    async offer() {
        const actions = el(
            'div',
            { class: 'choices' },
            button('Copy the link', () => void this.#copy('link')),
            button('Copy the position as text', () => void this.#copy('text')),
            button('Copy the game as SGF', () => void this.#copy('sgf')),
            button('Picture as PNG', () => void this.#picture('png')),
            button('Picture as SVG', () => void this.#picture('svg')),
        );
        const line = el('output', { class: 'position-text' }, this.app.facts?.text ?? '');
        await ask('Share the position', [line, actions], [], 'Close');
    }

    /** @param {keyof typeof COPIED} what */
    async #copy(what) {
        const { app } = this;
        try {
            // `navigator.clipboard` is missing where the page comes from another machine over plain HTTP.
            if (!navigator.clipboard) throw new Error('the browser allows it over HTTPS or on this machine only');
            const text = this.#text(what);
            // Safari copies nothing after a wait for the program, but takes the promise of a text.
            const content = text.then((text) => new Blob([text], { type: 'text/plain' }));
            await Promise.all([text, navigator.clipboard.write([new ClipboardItem({ 'text/plain': content })])]);
            app.say(`${COPIED[what]} is copied`);
        } catch (error) {
            app.complain(error, 'not copied: ');
        }
    }

    /**
     * @param {keyof typeof COPIED} what
     * @returns {Promise<string>}
     */
    async #text(what) {
        const { app } = this;
        if (what === 'sgf') {
            const { message: game } = toMessage(app.session.game);
            const file = await app.connection.ask({ type: 'save', game, format: 'sgf', lossy: false }, 'file');
            return new TextDecoder().decode(bytesOf(file.data));
        }
        const { text } = await app.referee.factsOf(app.session.node);
        return what === 'link' ? app.address.of(text) : text;
    }

    /** @param {'png' | 'svg'} format */
    async #picture(format) {
        const { app } = this;
        try {
            const { position, game } = app.session;
            const { hasNumbers: numbers, figures } = app.stage;
            const file = await app.connection.ask({ type: 'picture', position, format, numbers, figures }, 'file');
            app.say(`saved as ${download(game.name, file)}`);
        } catch (error) {
            app.complain(error, 'no picture: ');
        }
    }
}
