// Game files: opened by choice or drop, a game chosen from several, saved by download.

import { ask } from './dialogs.js';
import { alike, byId, el, field, select } from './dom.js';
import { fromMessage, property, toMessage } from './game.js';
import { isWritten } from './judgements.js';
import { contentOf, download, fileInput } from './transfer.js';
import { count } from './words.js';

/** @import { Loaded } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Game } from './game.js' */

/** Games that are named when they cannot be shown. */
const TOLD = 3;
/** Judgements that are known and not in the game, in words. */
const JUDGEMENTS = 'the judgements of the annotation (“Write into the game” adds them)';

/** The name of a file without its extensions. @param {string} name */
function stem(name) {
    return name.replace(/\.(gz|lz4)$/i, '').replace(/\.[^.]*$/, '') || 'game';
}

/** Whether files are dragged. @param {DragEvent} event */
function hasFiles(event) {
    return event.dataTransfer?.types.includes('Files') ?? false;
}

/** Whether text is dragged over a field, where the browser puts it. @param {DragEvent} event */
function isForField(event) {
    return !hasFiles(event) && event.target instanceof Element && event.target.closest('input, textarea') !== null;
}

export class Files {
    /** The file that is open, if it has several games. @type {{ name: string, data: string } | null} */
    #open = null;
    /** Has the list of its games name the one on the board, or none if that is another. @type {() => void} */
    mark = () => {};

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.input = fileInput('Game file', (file) => void this.open(file));
        document.body.append(this.input);
        addEventListener('dragover', (event) => {
            if (isForField(event)) return;
            event.preventDefault();
            document.body.classList.toggle('dropping', hasFiles(event));
        });
        addEventListener('dragleave', (event) => {
            if (!event.relatedTarget) document.body.classList.remove('dropping');
        });
        addEventListener('drop', (event) => {
            document.body.classList.remove('dropping');
            if (isForField(event)) return;
            event.preventDefault();
            const [file, ...others] = event.dataTransfer?.files ?? [];
            if (file) void this.open(file, others.length);
        });
    }

    choose() {
        this.input.click();
    }

    /**
     * @param {File} file
     * @param {number} [others] number of files that were dropped with it
     */
    async open(file, others = 0) {
        await this.#load(file.name, contentOf(file), null, others);
    }

    /**
     * @param {string} name
     * @param {string | Promise<string>} content
     * @param {number | null} number of the game, `null` for the first one that can be shown
     * @param {number} [others] number of files that were dropped with it
     * @returns {Promise<boolean>} whether it is shown
     */
    async #load(name, content, number, others = 0) {
        const { app } = this;
        try {
            const data = await content;
            const loaded = await app.connection.ask({ type: 'load', name, data, number }, 'loaded');
            if (!(await app.mayLeave())) return false;
            this.#open = loaded.games.length ? { name, data } : null;
            this.show(loaded);
            if (number === null) this.#complain(loaded, others);
            return true;
        } catch (error) {
            app.complain(error, `${name}: `);
            return false;
        }
    }

    /** @param {Loaded} loaded */
    show(loaded) {
        const { app } = this;
        const { game } = fromMessage(loaded.game, app.session.game.rule);
        game.name = stem(loaded.name);
        app.leave();
        app.session.replace(`open ${loaded.name}`, game);
        app.session.step(Infinity);
        app.say(`${loaded.name} is open`);
        this.#list(loaded);
        app.tabs.show('game');
    }

    /**
     * Says which games of a file cannot be shown, and that other files are not opened.
     * @param {Loaded} loaded
     * @param {number} others number of files that were dropped with it
     */
    #complain({ name, left_out: left }, others) {
        const said = [];
        if (left.length) said.push(`left out: ${left.slice(0, TOLD).join('; ')}`);
        if (left.length > TOLD) said.push(`and ${left.length - TOLD} more`);
        if (others) said.push(`not opened: ${count(others, 'other file')}, drop one at a time`);
        if (said.length) this.app.say(`${name} is open; ${said.join('; ')}`);
    }

    /** @param {Loaded} loaded */
    #list(loaded) {
        const host = byId('games');
        host.hidden = loaded.games.length === 0;
        /** @type {[string, string][]} */
        const options = loaded.games.map(({ number, title, moves }) => [
            String(number),
            `${number + 1}. ${title} (${count(moves, 'move')})`,
        ]);
        if (loaded.more) options.push(['', 'and more: kagetsu convert picks others']);
        const chosen = String(loaded.number);
        const chooser = select(options, chosen, async (value) => {
            const open = this.#open;
            const isShown = open && value && (await this.#load(open.name, open.data, Number(value)));
            if (!isShown) this.mark();
        });
        const { session } = this.app;
        const { game } = session;
        this.mark = () => (chooser.value = session.game === game ? chosen : 'none');
        // The list was rebuilt: the focus returns to it, so that a choice by the keyboard can go on.
        const hadFocus = host.contains(document.activeElement);
        host.replaceChildren(field(`Games of ${loaded.name}`, chooser));
        if (hadFocus) chooser.focus({ preventScroll: true });
    }

    async save() {
        const { app } = this;
        // A file that is dropped while the question is open puts another game on the board.
        const { game } = app.session;
        const formats = app.welcome?.formats ?? ['sgf'];
        const format = select(alike(formats), app.settings.get('format', 'sgf'));
        const name = el('input', { value: titleOf(game), maxlength: 100 });
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
            const file = await app.connection.ask(
                { type: 'save', game: toMessage(game).message, format: chosen.format, lossy: chosen.lossy },
                'file',
            );
            const saved = download(chosen.name, file);
            const lost = [...file.left_out, ...(isWritten(game) ? [] : [JUDGEMENTS])];
            app.say(`saved as ${saved}${lost.length ? `; left out: ${lost.join(', ')}` : ''}`);
        } catch (error) {
            app.complain(error, 'not saved: ');
        }
    }
}

/** A name for a game: its players, or that of its file. @param {Game} game */
export function titleOf(game) {
    const players = [property(game, 'PB'), property(game, 'PW')].filter(Boolean);
    return players.length === 2 ? players.join(' - ') : game.name;
}
