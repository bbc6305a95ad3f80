// The page's buttons, keys and mouse wheel, and its theme. Most of them call the other parts of the page.

import { help } from './dialogs.js';
import { byId, set } from './dom.js';
import { enter } from './entry.js';

/** @import { App } from './app.js' */

/** Keys that repeat while they are held: those that walk through the game. */
const WALKS = /^(Arrow|Page)/;
/** The turn of the wheel for one move; pads turn it in small parts. */
const NOTCH = 50;
/** The settings of the help: whether letters are keys, and whether a touch plays at the second tap. */
const [LETTERS, SECOND_TAP] = ['letters', 'second tap'];
/** Where the dark colours count, by theme. @type {Record<string, string>} */
const DARK = { auto: '(prefers-color-scheme: dark)', dark: 'all', light: 'not all' };

export class Controls {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.#buttons();
        addEventListener('keydown', (event) => this.#key(event));
        // A click leaves the keys to the game: only the keyboard puts the focus on buttons and the board.
        addEventListener('mousedown', (event) => {
            const pressed = event.target instanceof Element && event.target.closest('button, #board');
            if (!pressed) return;
            event.preventDefault();
            if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        });
        this.#wheel();
        app.board.presses.needsTwoTaps = () => app.settings.isOn(SECOND_TAP, false);
        this.#paint(app.settings.get('theme', 'auto'));
    }

    /** Enables the buttons that can do something now, and disables the others. */
    update() {
        const { session, setup } = this.app;
        const { node } = session;
        // A position that is being set up has a history of its own.
        const { undoable, redoable } = setup.draft ?? session;
        for (const id of ['setup', 'save', 'share']) set(byId(id), { disabled: setup.draft !== null });
        for (const id of ['first', 'back']) set(byId(id), { disabled: !node.parent });
        for (const id of ['forward', 'last']) set(byId(id), { disabled: !node.children.length });
        set(byId('undo'), { disabled: undoable === null, title: `Undo ${undoable ?? ''} (Ctrl+Z)` });
        set(byId('redo'), { disabled: redoable === null, title: `Redo ${redoable ?? ''} (Ctrl+Y)` });
    }

    #buttons() {
        const { app } = this;
        /** @type {Record<string, () => unknown>} */
        const actions = {
            first: () => this.#step(-Infinity),
            back: () => this.#step(-1),
            forward: () => this.#step(1),
            last: () => this.#step(Infinity),
            engine: () => app.advice.move(),
            pass: () => app.moves.pass(),
            undo: () => this.#change('undo'),
            redo: () => this.#change('redo'),
            new: () => app.playPanel.offer(),
            open: () => app.files.choose(),
            save: () => app.files.save(),
            enter: () => enter(app),
            setup: () => app.setup.begin(),
            share: () => app.share.offer(),
            numbers: () => app.stage.toggleNumbers(),
            theme: () => this.#toggleTheme(),
            help: () => help(this.#choices()),
        };
        for (const [id, act] of Object.entries(actions)) byId(id).addEventListener('click', () => act());
        byId('skip').addEventListener('click', (event) => {
            // The address holds the position: the browser would write #board over it, as a step in its history.
            event.preventDefault();
            byId('board').focus();
        });
    }

    /**
     * Walks through the game, or goes to another variation, and reads out where that leads.
     * @param {number} steps
     * @param {'step' | 'sibling'} [what]
     */
    #step(steps, what = 'step') {
        const { moves, session } = this.app;
        session[what](steps);
        moves.readOut(session.node);
    }

    /**
     * Takes a change back or makes it again, unless a game is going on.
     * @param {'undo' | 'redo'} what
     */
    #change(what) {
        const { app } = this;
        const { draft } = app.setup;
        if (app.play.isOn && !draft) {
            app.say('a game is going on: take back instead');
            return;
        }
        const label = (draft ?? app.session)[what]();
        const done = what === 'undo' ? 'undone' : 'done again';
        app.say(label === null ? `there is nothing to ${what}` : `${done}: ${label}`);
    }

    /** The wheel over the board walks through the game. */
    #wheel() {
        let turned = 0;
        byId('board').addEventListener(
            'wheel',
            (event) => {
                if (event.ctrlKey || this.app.setup.draft) return;
                event.preventDefault();
                turned += event.deltaY;
                if (Math.abs(turned) < NOTCH) return;
                this.app.session.step(Math.sign(turned));
                turned = 0;
            },
            { passive: false },
        );
    }

    /** @param {string} theme */
    #paint(theme) {
        set(byId('dark'), { media: DARK[theme] ?? DARK.auto });
    }

    #toggleTheme() {
        const isDark = matchMedia(byId('dark').getAttribute('media') ?? '').matches;
        const theme = isDark ? 'light' : 'dark';
        this.#paint(theme);
        this.app.settings.set('theme', theme);
    }

    /** Settings that the help turns on and off. */
    #choices() {
        const { settings } = this.app;
        const choice = (/** @type {string} */ text, /** @type {string} */ key, /** @type {boolean} */ otherwise) => ({
            text,
            on: settings.isOn(key, otherwise),
            change: (/** @type {boolean} */ on) => settings.turn(key, on),
        });
        return [
            choice('single letters are keys', LETTERS, true),
            choice('a touch plays at the second tap of a point', SECOND_TAP, false),
        ];
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        const { app } = this;
        const { target } = event;
        const fields = 'input:not([type=checkbox]), textarea, select, dialog';
        const writes = target instanceof Element && target.closest(fields);
        // After a click beside its controls, keys of a dialog come to the page.
        if (writes || event.altKey || document.querySelector('dialog[open]')) return;
        // Caps Lock makes letters upper case.
        const isLetter = /^[a-z]$/i.test(event.key);
        const key = isLetter ? event.key.toLowerCase() : event.key;
        if (event.ctrlKey || event.metaKey) {
            if (key === 'z' && !event.shiftKey) this.#change('undo');
            else if (key === 'y' || key === 'z') this.#change('redo');
            else return;
            event.preventDefault();
            return;
        }
        if (app.setup.draft) {
            // The other keys are for the game.
            if (key !== 'Escape' || event.repeat) return;
            // The same press would close the question that it opens.
            event.preventDefault();
            void app.setup.cancel();
            return;
        }
        /** @type {Record<string, () => unknown>} */
        const keys = {
            ArrowLeft: () => this.#step(-1),
            ArrowRight: () => this.#step(1),
            ArrowUp: () => this.#step(-1, 'sibling'),
            ArrowDown: () => this.#step(1, 'sibling'),
            Home: () => this.#step(-Infinity),
            End: () => this.#step(Infinity),
            PageUp: () => this.#step(-10),
            PageDown: () => this.#step(10),
            Delete: () => app.gamePanel.remove(),
            a: () => {
                app.analysis.setOn(!app.analysis.on);
                app.say(app.analysis.on ? 'analysis, B reads out the best line' : 'the analysis is off');
            },
            b: () => app.analysis.readOut(),
            h: () => (app.play.isOn ? app.playActions.hint() : app.advice.hint()),
            n: () => app.playPanel.offer(),
            o: () => app.files.choose(),
            s: () => app.files.save(),
            Escape: () => {
                app.explainer.close();
                app.gamePanel.endMarks();
            },
        };
        // A button or a box that has the focus is pressed by the space bar.
        const isPressed = target instanceof HTMLButtonElement || target instanceof HTMLInputElement;
        if (!isPressed) keys[' '] = () => app.advice.move();
        const act = keys[key];
        // Single letters disturb those who speak to the browser.
        if (!act || (isLetter && (event.shiftKey || !app.settings.isOn(LETTERS, true)))) return;
        event.preventDefault();
        if (!event.repeat || WALKS.test(event.key)) act();
    }
}
